// SPDX-License-Identifier: MPL-2.0
// geom/solid/primitive_mesh.c - boxes by their corners, and all round solids by turning a profile about their axis.
#include "geom/solid/primitive_mesh.h"

#define PI 3.14159265358979323846
/// Most points of a profile, per side of a full circle: a capsule has two quarters of it and a few corners.
#define PROFILE_MOST (MN_ROUND_SIDES + 8)

static mn_status take(mn_context *c, int64_t vertices, int64_t triangles, mn_mesh *out)
{
    *out = (mn_mesh){ .vertex   = mn_alloc(c, mn_array_bytes(vertices, sizeof *out->vertex)),
                      .triangle = mn_alloc(c, mn_array_bytes(triangles, sizeof *out->triangle)) };
    if (out->vertex != NULL && out->triangle != NULL) return MN_OK;
    mn_mesh_free(c, out);
    return MN_ERR_MEMORY;
}

static int32_t put_vertex(mn_mesh *m, mn_vec3 x)
{
    double *v = m->vertex[m->vertex_count];
    v[0] = x.x, v[1] = x.y, v[2] = x.z;
    return (int32_t)m->vertex_count++;
}

static void put_triangle(mn_mesh *m, int32_t a, int32_t b, int32_t c)
{
    int32_t *t = m->triangle[m->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

/// Corners are numbered by bits: 1 for the high end of the first direction, 2 of the second, 4 of the third; the three
/// are right-handed.
static void put_block(mn_mesh *m, const mn_vec3 corner[8])
{
    static const int face[6][4] = { { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
                                    { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };
    for (int k = 0; k < 8; k++) put_vertex(m, corner[k]);
    for (int k = 0; k < 6; k++) {
        put_triangle(m, face[k][0], face[k][1], face[k][2]);
        put_triangle(m, face[k][0], face[k][2], face[k][3]);
    }
}

mn_status mn_box_mesh(mn_context *c, mn_vec3 low, mn_vec3 high, mn_mesh *out)
{
    mn_vec3 corner[8];
    for (int k = 0; k < 8; k++)
        corner[k] = mn_v3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z);
    MN_TRY(take(c, 8, 12, out));
    put_block(out, corner);
    return MN_OK;
}

mn_status mn_plane_mesh(mn_context *c, const mn_primitive *p, mn_vec3 center, double radius, mn_mesh *out)
{
    const double  above = mn_dot3(mn_sub3(center, p->center), p->axis), half = 1.5 * radius;
    const mn_vec3 foot = mn_sub3(center, mn_scale3(above, p->axis)), v = mn_cross3(p->axis, p->across);
    const double  deep = half + fmax(0.0, -above);
    mn_vec3       corner[8];
    for (int k = 0; k < 8; k++) {
        const mn_vec3 x = mn_add3(foot, mn_scale3(k & 1 ? half : -half, p->across));
        corner[k] = mn_add3(mn_add3(x, mn_scale3(k & 2 ? half : -half, v)), mn_scale3(k & 4 ? 0.0 : -deep, p->axis));
    }
    MN_TRY(take(c, 8, 12, out));
    put_block(out, corner);
    return MN_OK;
}

// ---- solids of revolution ------------------------------------------------------------------------------------------

/// A line in the half plane of r and z, from the low end to the high one with the solid on its left, so that turning it
/// gives an outside. Points with r = 0 are poles.
typedef struct profile {
    double r[PROFILE_MOST], z[PROFILE_MOST];
    int    count;
    bool   ring;  // the last point is joined to the first
} profile;

static void add(profile *f, double r, double z)
{
    f->r[f->count]   = r;
    f->z[f->count++] = z;
}

/// Part of a circle, in steps; angles are from the equator, and a pole is on the axis to the bit.
static void add_arc(profile *f, double r, double z, double radius, int from, int to, int sides)
{
    for (int k = from; k <= to; k++) {
        const bool pole = r == 0.0 && (4 * k == sides || 4 * k == -sides);
        add(f, pole ? 0.0 : r + radius * cos(2.0 * PI * k / sides), z + radius * sin(2.0 * PI * k / sides));
    }
}

static void make_profile(profile *f, const mn_primitive *p, int sides)
{
    const double h = p->half_height, low = p->radius[0], high = p->kind == MN_SHAPE_CONE ? p->radius[1] : p->radius[0];
    const int    quarter = sides / 4;
    switch (p->kind) {
    case MN_SHAPE_SPHERE: add_arc(f, 0.0, 0.0, low, -quarter, quarter, sides); break;
    case MN_SHAPE_CAPSULE:
        add_arc(f, 0.0, -h, low, -quarter, 0, sides);
        add_arc(f, 0.0, h, low, 0, quarter, sides);
        break;
    case MN_SHAPE_TORUS:
        add_arc(f, low, 0.0, p->radius[1], 0, sides / 2 - 1, sides / 2);
        f->ring = true;
        break;
    case MN_SHAPE_DISC:
        add(f, 0.0, 0.0);
        add(f, low, 0.0);
        add(f, 0.0, 0.0);
        break;
    default:
        add(f, 0.0, -h);
        if (low > 0.0) add(f, low, -h);
        if (high > 0.0) add(f, high, h);
        add(f, 0.0, h);
        break;
    }
}

/// The band between two rings of vertices, of which either may be a pole.
static void put_band(mn_mesh *m, int32_t below, bool below_is_pole, int32_t above, bool above_is_pole, int sides)
{
    for (int k = 0; k < sides; k++) {
        const int     n = (k + 1) % sides;
        const int32_t a = below + (below_is_pole ? 0 : k), b = below + (below_is_pole ? 0 : n);
        const int32_t c = above + (above_is_pole ? 0 : n), d = above + (above_is_pole ? 0 : k);
        if (!below_is_pole) put_triangle(m, a, b, c);
        if (!above_is_pole) put_triangle(m, a, c, d);
    }
}

static mn_status revolve(mn_context *c, const mn_primitive *p, const profile *f, int sides, mn_mesh *out)
{
    const mn_vec3 v = mn_cross3(p->axis, p->across);
    int32_t       first[PROFILE_MOST];
    MN_TRY(take(c, (int64_t)f->count * sides, 2 * (int64_t)f->count * sides, out));
    for (int k = 0; k < f->count; k++) {
        const mn_vec3 middle = mn_add3(p->center, mn_scale3(f->z[k], p->axis));
        first[k]             = (int32_t)out->vertex_count;
        for (int n = 0; n < (f->r[k] == 0.0 ? 1 : sides); n++) {
            const double angle = 2.0 * PI * n / sides;
            put_vertex(out, mn_add3(middle, mn_scale3(f->r[k], mn_add3(mn_scale3(cos(angle), p->across),
                                                                       mn_scale3(sin(angle), v)))));
        }
    }
    for (int k = 0; k + (f->ring ? 0 : 1) < f->count; k++) {
        const int n = (k + 1) % f->count;
        put_band(out, first[k], f->r[k] == 0.0, first[n], f->r[n] == 0.0, sides);
    }
    return MN_OK;
}

mn_status mn_primitive_mesh(mn_context *c, const mn_primitive *p, int sides, mn_mesh *out)
{
    *out = (mn_mesh){ .vertex_count = 0 };
    MN_ASSERT(sides >= 8 && sides % 4 == 0 && sides <= MN_ROUND_SIDES);
    if (p->kind == MN_SHAPE_BOX) return mn_box_mesh(c, mn_sub3(p->center, p->half), mn_add3(p->center, p->half), out);
    if (p->kind == MN_SHAPE_PLANE) return mn_fail(c, MN_ERR_ARGUMENT, "a plane has no end, and no closed mesh");
    profile f = { .count = 0 };
    make_profile(&f, p, sides);
    return revolve(c, p, &f, sides, out);
}
