// SPDX-License-Identifier: MPL-2.0
// geom/patterns/hair.c - strands standing on the surface of a shape.
//
// The surface becomes triangles, whose areas in a row make a line; roots stand at equal steps along it, so that every
// part of the surface has its share, and at places of a low-discrepancy sequence inside their triangles. Each root is
// then put on the surface itself.
#include "defs/check.h"
#include "geom/patterns/builder.h"

#include "base/random.h"
#include "geom/isosurface.h"
#include "geom/shape.h"

#define SURFACE_CELLS 64

static mn_status check_hair(mn_context *c, const mn_hair_def *def)
{
    MN_TRY(mn_defs_check(c, &mn_section_hair, def, "hair: "));
    MN_TRY(mn_pattern_given(c, "hair: radius", def->radius));
    if (def->on == NULL) return mn_fail(c, MN_ERR_ARGUMENT, "hair needs a shape to stand on");
    if ((double)def->count * def->vertices > MN_THIN_VERTICES_MOST) {
        return mn_fail(c, MN_ERR_ARGUMENT, "the hair would have %.0f vertices; at most %d are possible",
                       (double)def->count * def->vertices, MN_THIN_VERTICES_MOST);
    }
    if (def->curl != 0.0) MN_TRY(mn_pattern_given(c, "hair: the pitch of the curl", def->pitch));
    double low[3], high[3];
    mn_shape_bounds(def->on, low, high);
    for (int axis = 0; axis < 3; axis++) {
        if (!isfinite(low[axis]) || !isfinite(high[axis]))
            return mn_fail(c, MN_ERR_ARGUMENT, "the shape that hair stands on has no end");
        if (!(high[axis] > low[axis]))
            return mn_fail(c, MN_ERR_ARGUMENT, "the shape that hair stands on has no volume");
    }
    return MN_OK;
}

/// A hair: straight, or a helix that starts on the axis.
typedef struct hair {
    mn_vec3            root, up, side, other;
    const mn_hair_def *def;
} hair;

static mn_vec3 hair_curve(double t, const void *user)
{
    const hair        *h = user;
    const mn_hair_def *d = h->def;
    mn_vec3            x = mn_add3(h->root, mn_scale3(t * d->length, h->up));
    if (d->curl == 0.0) return x;
    const double angle = 2.0 * MN_PI * t * d->length / d->pitch;
    x                  = mn_add3(x, mn_scale3(d->curl * (cos(angle) - 1.0), h->side));
    return mn_add3(x, mn_scale3(d->curl * sin(angle), h->other));
}

static mn_vec3 root_on(const mn_hair_def *def, const mn_mesh *m, int64_t t, int64_t k, mn_vec3 *up)
{
    // Fractions of the plastic number's powers fill a square evenly; folded into a triangle.
    double u = fmod(0.5 + 0.7548776662466927 * (double)k, 1.0), v = fmod(0.5 + 0.5698402909980532 * (double)k, 1.0);
    if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    const mn_vec3 a = mn_v3_from(m->vertex[m->triangle[t][0]]), b = mn_v3_from(m->vertex[m->triangle[t][1]]),
                  c = mn_v3_from(m->vertex[m->triangle[t][2]]);
    mn_vec3 x       = mn_add3(a, mn_add3(mn_scale3(u, mn_sub3(b, a)), mn_scale3(v, mn_sub3(c, a))));
    for (int step = 0; step < 4; step++) {
        const double d = mn_shape_normal(def->on, x, up);
        x              = mn_sub3(x, mn_scale3(d, *up));
    }
    *up = mn_unit3(*up, mn_v3(0, 1, 0));
    return x;
}

static void add_hair(mn_pattern_builder *b, const mn_hair_def *def, const mn_mesh *m, int64_t t, int64_t k)
{
    hair h               = { .def = def };
    h.root               = root_on(def, m, t, k, &h.up);
    const mn_vec3 helper = fabs(h.up.x) < 0.6 ? mn_v3(1, 0, 0) : mn_v3(0, 0, 1);
    const mn_vec3 p = mn_unit3(mn_cross3(h.up, helper), mn_v3(0, 0, 1)), q = mn_cross3(h.up, p);
    const double  phase = 2.0 * MN_PI * mn_random(def->seed, (uint64_t)k, 0, 0);
    h.side              = mn_add3(mn_scale3(cos(phase), p), mn_scale3(sin(phase), q));
    h.other             = mn_cross3(h.up, h.side);
    mn_build_curve(b, hair_curve, &h, 0.0, 1.0, def->vertices - 1, def->radius, false);
}

static double triangle_area(const mn_mesh *m, int64_t t)
{
    const mn_vec3 a = mn_v3_from(m->vertex[m->triangle[t][0]]);
    return 0.5 * mn_norm3(mn_cross3(mn_sub3(mn_v3_from(m->vertex[m->triangle[t][1]]), a),
                                    mn_sub3(mn_v3_from(m->vertex[m->triangle[t][2]]), a)));
}

static void add_hairs(mn_pattern_builder *b, const mn_hair_def *def, const mn_mesh *m)
{
    double area = 0.0, passed = 0.0;
    for (int64_t t = 0; t < m->triangle_count; t++) area += triangle_area(m, t);
    int64_t k = 0;
    for (int64_t t = 0; t < m->triangle_count && b->status == MN_OK; t++) {
        passed += triangle_area(m, t);
        while (k < def->count && ((double)k + 0.5) * area / (double)def->count <= passed) add_hair(b, def, m, t, k++);
    }
}

static bool is_root(const mn_thin_mesh *m, int64_t v, const void *user)
{
    (void)m;
    return v % *(const int *)user == 0;
}

static bool is_tip(const mn_thin_mesh *m, int64_t v, const void *user)
{
    (void)m;
    return v % *(const int *)user == *(const int *)user - 1;
}

mn_status mn_hair_generate(mn_context *context, const mn_hair_def *def, mn_thin_mesh *out)
{
    *out = (mn_thin_mesh){ 0 };
    MN_TRY(check_hair(context, def));
    double  low[3], high[3];
    mn_mesh surface;
    mn_shape_bounds(def->on, low, high);
    MN_TRY(mn_shape_surface(context, def->on, mn_v3_from(low), mn_v3_from(high), SURFACE_CELLS, &surface));
    mn_pattern_builder b = { .context = context };
    add_hairs(&b, def, &surface);
    mn_mesh_free(context, &surface);
    mn_build_group_all(&b);
    mn_build_group(&b, "roots", is_root, &def->vertices);
    mn_build_group(&b, "tips", is_tip, &def->vertices);
    return mn_build_finish(&b, out);
}
