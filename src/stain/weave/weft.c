// SPDX-License-Identifier: MPL-2.0
// stain/weave/weft.c - smoothest tangent fields through given directions, patch by patch.
#include "stain/weave/weft.h"

#include "stain/velocity.h"

#include <string.h>

/// Below this length a field has no direction worth the name.
#define SINGULAR 0.05

typedef struct field {
    const mn_stain_surface *s;
    mn_stain_covariant     *k;
    const uint8_t          *fixed;    ///< given, or outside of the patch
    double                 *inverse;  ///< of the diagonal; 0 where fixed
} field;

/// K on the free vertices; the others count as 0.
static void multiply(const void *self, int64_t begin, int64_t end, const double *x, double *y)
{
    const field          *f = self;
    const mn_stain_links *l = &f->s->edges;
    for (int64_t v = begin; v < end; v++) {
        double w = 0.0, sx = 0.0, sy = 0.0;
        y[2 * v] = y[2 * v + 1] = 0.0;
        if (f->fixed[v]) continue;
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) {
            const int32_t e = l->around[i] >> 1, o = l->neighbour[i];
            const double  zx = f->k->z[e].x, zy = l->around[i] & 1 ? -f->k->z[e].y : f->k->z[e].y;
            w += f->k->w[e];
            if (f->fixed[o]) continue;
            sx += zx * x[2 * o] - zy * x[2 * o + 1];
            sy += zy * x[2 * o] + zx * x[2 * o + 1];
        }
        y[2 * v]     = w * x[2 * v] - sx;
        y[2 * v + 1] = w * x[2 * v + 1] - sy;
    }
}

static void precondition(const void *self, int64_t begin, int64_t end, const double *r, double *z)
{
    const field *f = self;
    for (int64_t v = begin; v < end; v++) {
        z[2 * v]     = f->inverse[v] * r[2 * v];
        z[2 * v + 1] = f->inverse[v] * r[2 * v + 1];
    }
}

/// The direction in the triangle's frame, as a unit vector.
static mn_status in_triangle(const mn_stain_surface *s, const mn_vec3 *x, const mn_stain_direction *d,
                             mn_stain_vec *out)
{
    if (d->triangle < 0 || d->triangle >= s->triangle_count)
        return mn_fail(s->context, MN_ERR_ARGUMENT, "a weft direction names triangle %d of %lld", d->triangle,
                       (long long)s->triangle_count);
    const int32_t *v = s->triangle[d->triangle];
    const mn_vec3  e = mn_unit3(mn_sub3(x[v[1]], x[v[0]]), mn_v3(1, 0, 0)),
                  n  = mn_unit3(mn_cross3(e, mn_sub3(x[v[2]], x[v[0]])), mn_v3(0, 0, 1));
    const double a = mn_dot3(d->along, e), b = mn_dot3(d->along, mn_cross3(n, e)), size = sqrt(a * a + b * b);
    if (!(size > 1e-6 * mn_norm3(d->along)))
        return mn_fail(s->context, MN_ERR_ARGUMENT,
                       "the weft direction at triangle %d stands on the cloth instead of lying in it", d->triangle);
    *out = (mn_stain_vec){ a / size, b / size };
    return MN_OK;
}

/// Fix the corners of the triangles that have directions; vertices outside of the patch are fixed, too.
static mn_status constrain(const mn_stain_surface *s, const mn_vec3 *x, const int32_t *patch, int32_t id, int64_t count,
                           const mn_stain_direction *d, uint8_t *fixed, mn_stain_vec *u)
{
    int64_t used = 0;
    memset(fixed, 1, (size_t)s->vertex_count);
    memset(u, 0, (size_t)s->vertex_count * sizeof *u);
    for (int64_t t = 0; t < s->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (patch == NULL || patch[t] == id) fixed[s->triangle[t][k]] = 0;
    for (int64_t i = 0; i < count; i++) {
        mn_stain_vec e = { 1.0, 0.0 };
        MN_TRY(in_triangle(s, x, &d[i], &e));
        if (patch != NULL && patch[d[i].triangle] != id) continue;
        used++;
        for (int k = 0; k < 3; k++) {
            const int32_t      v = s->triangle[d[i].triangle][k];
            const mn_stain_vec w = mn_stain_turned_back(s->corner_turn[d[i].triangle][k], e);
            fixed[v]             = 1;
            u[v].x += w.x, u[v].y += w.y;
        }
    }
    if (used == 0) return mn_fail(s->context, MN_ERR_ARGUMENT, "patch %d of a cloth has no weft direction", id);
    for (int64_t v = 0; v < s->vertex_count; v++) {
        const double size = sqrt(u[v].x * u[v].x + u[v].y * u[v].y);
        if (size > 0.0) u[v].x /= size, u[v].y /= size;
    }
    return MN_OK;
}

/// What the fixed vertices bring to the free ones, and the diagonal.
static void right_side(const field *f, const mn_stain_vec *u, mn_stain_vec *b)
{
    const mn_stain_links *l = &f->s->edges;
    for (int64_t v = 0; v < f->s->vertex_count; v++) {
        double w      = 0.0;
        b[v]          = (mn_stain_vec){ 0.0, 0.0 };
        f->inverse[v] = 0.0;
        if (f->fixed[v]) continue;
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) {
            const int32_t e = l->around[i] >> 1, o = l->neighbour[i];
            const double  zx = f->k->z[e].x, zy = l->around[i] & 1 ? -f->k->z[e].y : f->k->z[e].y;
            w += f->k->w[e];
            if (!f->fixed[o]) continue;
            b[v].x += zx * u[o].x - zy * u[o].y;
            b[v].y += zy * u[o].x + zx * u[o].y;
        }
        f->inverse[v] = 1.0 / w;
    }
}

static mn_status solve(field *f, mn_stain_vec *u, mn_arena *arena)
{
    mn_stain_vec *b    = mn_arena_array(arena, mn_stain_vec, f->s->vertex_count),
                 *free = mn_arena_array_zero(arena, mn_stain_vec, f->s->vertex_count);
    mn_stain_solve_report report;
    f->inverse = mn_arena_array(arena, double, f->s->vertex_count);
    if (b == NULL || free == NULL || f->inverse == NULL) return MN_ERR_MEMORY;
    right_side(f, u, b);
    const mn_stain_system system = { f->s->vertex_count, 2, multiply, precondition, f };
    MN_TRY(mn_stain_conjugate(mn_context_pool(f->s->context), &system, (const double *)b, (double *)free, 1e-10, 100000,
                              arena, &report));
    if (!report.converged)
        return mn_fail(f->s->context, MN_ERR_SOLVE, "the weft field did not converge (residual %g)", report.residual);
    for (int64_t v = 0; v < f->s->vertex_count; v++)
        if (!f->fixed[v]) u[v] = free[v];
    return MN_OK;
}

static mn_status read_angles(const mn_stain_surface *s, const int32_t *patch, int32_t id, const mn_stain_vec *u,
                             double *angle)
{
    for (int64_t t = 0; t < s->triangle_count; t++) {
        if (patch != NULL && patch[t] != id) continue;
        mn_stain_vec sum = { 0.0, 0.0 };
        for (int k = 0; k < 3; k++) {
            const mn_stain_vec w = mn_stain_turned(s->corner_turn[t][k], u[s->triangle[t][k]]);
            sum.x += w.x / 3.0, sum.y += w.y / 3.0;
        }
        if (!(sqrt(sum.x * sum.x + sum.y * sum.y) >= SINGULAR))
            return mn_fail(s->context, MN_ERR_ARGUMENT,
                           "the weft of patch %d has no direction at triangle %lld; give one more direction near it",
                           id, (long long)t);
        angle[t] = atan2(sum.y, sum.x);
    }
    return MN_OK;
}

static mn_status one_patch(const mn_stain_surface *s, const mn_vec3 *x, const int32_t *patch, int32_t id, int64_t count,
                           const mn_stain_direction *d, const mn_stain_tensor *one, double *angle, mn_arena *arena)
{
    uint8_t      *fixed = mn_arena_array(arena, uint8_t, s->vertex_count);
    mn_stain_vec *u     = mn_arena_array(arena, mn_stain_vec, s->vertex_count);
    field         f     = { .s = s, .fixed = fixed };
    if (fixed == NULL || u == NULL) return MN_ERR_MEMORY;
    MN_TRY(constrain(s, x, patch, id, count, d, fixed, u));
    MN_TRY(mn_stain_covariant_create(s, one, patch, id, &f.k));
    mn_status st = solve(&f, u, arena);
    mn_stain_covariant_destroy(&f.k);
    return st == MN_OK ? read_angles(s, patch, id, u, angle) : st;
}

mn_status mn_stain_weft(const mn_stain_surface *s, const mn_vec3 *x, const int32_t *patch, int64_t count,
                        const mn_stain_direction *directions, double *angle, mn_arena *arena)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_stain_tensor    *one  = mn_arena_array(arena, mn_stain_tensor, s->triangle_count);
    uint8_t            *done = mn_arena_array_zero(arena, uint8_t, s->triangle_count);
    mn_status           st   = one != NULL && done != NULL ? MN_OK : MN_ERR_MEMORY;
    for (int64_t t = 0; st == MN_OK && t < s->triangle_count; t++) one[t] = (mn_stain_tensor){ 1.0, 0.0, 1.0 };
    for (int64_t t = 0; st == MN_OK && t < s->triangle_count; t++) {
        if (done[t]) continue;
        const int32_t       id    = patch != NULL ? patch[t] : 0;
        const mn_arena_mark inner = mn_arena_begin(arena);
        st                        = one_patch(s, x, patch, id, count, directions, one, angle, arena);
        mn_arena_end(arena, inner);
        for (int64_t o = t; o < s->triangle_count; o++) done[o] = done[o] || patch == NULL || patch[o] == id;
    }
    mn_arena_end(arena, mark);
    return st;
}
