// SPDX-License-Identifier: MPL-2.0
// stain/pinned.c - integrals over the cells of a round drop, and what of it the film keeps.
#include "stain/pinned.h"

/// A vertex this much beyond the circle, as a share of its radius, is on it.
#define ROUND_OFF 1e-9
/// Parts of parts into which a piece of a cell is cut for its integral.
#define DEPTH 2

/// Mean of (1 - r^2)^power over a triangle, 0 outside: over parts of parts, each by the mean over the ring between its
/// least and largest radius, which is finite at the contact line, where the function may not be.
static double mean_power(mn_vec3 a, mn_vec3 b, mn_vec3 c, double radius, double power, int depth)
{
    if (depth > 0) {
        const mn_vec3 ab = mn_scale3(0.5, mn_add3(a, b)), bc = mn_scale3(0.5, mn_add3(b, c)),
                      ca = mn_scale3(0.5, mn_add3(c, a));
        return 0.25 *
               (mean_power(a, ab, ca, radius, power, depth - 1) + mean_power(ab, b, bc, radius, power, depth - 1) +
                mean_power(ca, bc, c, radius, power, depth - 1) + mean_power(ab, bc, ca, radius, power, depth - 1));
    }
    const mn_vec3 corner[3] = { a, b, c };
    double        least = HUGE_VAL, most = 0.0;  // of r^2
    for (int k = 0; k < 3; k++) {
        const double r2 = mn_dot3(corner[k], corner[k]) / (radius * radius);
        least = fmin(least, r2), most = fmax(most, r2);
    }
    if (least >= 1.0) return 0.0;
    if (most - least < 1e-9) return pow(1.0 - least, power);
    const double inside = fmin(most, 1.0);
    return (pow(1.0 - least, 1.0 + power) - pow(1.0 - inside, 1.0 + power)) / ((1.0 + power) * (most - least));
}

void mn_stain_drop_integrals(const mn_stain_surface *s, const mn_vec3 *x, mn_vec3 centre, double radius, double power,
                             double *out)
{
    const double reach = radius * (1.0 + ROUND_OFF);
    for (int64_t v = 0; v < s->vertex_count; v++) out[v] = 0.0;
    for (int64_t t = 0; t < s->triangle_count; t++) {
        const int32_t *v = s->triangle[t];
        mn_vec3        o[3];
        double         away[3];
        int            inner = 0;
        for (int k = 0; k < 3; k++) {
            o[k] = mn_sub3(x[v[k]], centre), away[k] = mn_norm3(o[k]);
            if (away[k] < away[inner]) inner = k;
        }
        if (away[inner] > reach) continue;
        const mn_vec3 middle = mn_scale3(1.0 / 3.0, mn_add3(mn_add3(o[0], o[1]), o[2]));
        for (int k = 0; k < 3; k++) {  // the share of a corner: two triangles to the middles of its sides
            const mn_vec3 p = mn_scale3(0.5, mn_add3(o[k], o[(k + 1) % 3])),
                          q = mn_scale3(0.5, mn_add3(o[k], o[(k + 2) % 3]));
            out[v[away[k] > reach ? inner : k]] += s->triangle_area[t] / 6.0 *
                                                   (mean_power(o[k], p, middle, radius, power, DEPTH) +
                                                    mean_power(o[k], middle, q, radius, power, DEPTH));
        }
    }
}

static double sum_of(const double *x, int64_t n)
{
    double sum = 0.0;
    for (int64_t v = 0; v < n; v++) sum += x[v];
    return sum;
}

static mn_status make_room(mn_stain_film *f)
{
    const int64_t n = f->surface->vertex_count;
    if (f->cap != NULL && f->dries != NULL) return MN_OK;
    if (f->cap == NULL) f->cap = mn_alloc_array(f->context, double, n);
    if (f->dries == NULL) f->dries = mn_alloc_array(f->context, double, n);
    if (f->cap == NULL || f->dries == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < n; v++) f->cap[v] = 0.0, f->dries[v] = -1.0;
    return MN_OK;
}

mn_status mn_stain_film_pin(mn_stain_film *f, const mn_stain_pin *drop, double *mass, mn_arena *arena)
{
    const mn_stain_surface *s       = f->surface;
    const int64_t           n       = s->vertex_count;
    double                 *covered = mn_arena_array(arena, double, n), *flux = mn_arena_array(arena, double, n);
    if (covered == NULL || flux == NULL) return MN_ERR_MEMORY;
    MN_TRY(make_room(f));
    mn_stain_drop_integrals(s, f->x[1], drop->centre, drop->radius, 0.0, covered);
    mn_stain_drop_integrals(s, f->x[1], drop->centre, drop->radius, 1.0, mass);
    mn_stain_drop_integrals(s, f->x[1], drop->centre, drop->radius, -mn_stain_drop_lambda(drop->contact_angle), flux);
    const double area = sum_of(covered, n), height = sum_of(mass, n), rate = sum_of(flux, n);
    if (!(height > 0.0)) return MN_ERR_ARGUMENT;
    for (int64_t v = 0; v < n; v++)
        if (mass[v] > 0.0 && f->cap[v] > 0.0) return MN_ERR_ARGUMENT;
    for (int64_t v = 0; v < n; v++) {
        if (!(mass[v] > 0.0)) continue;
        f->cap[v]   = mass[v] / s->area[v];
        f->dries[v] = flux[v] / s->area[v] * area / rate;  // on the mean of the drop as fast as an even film dries
        mass[v] *= drop->density * area / height;
    }
    return MN_OK;
}
