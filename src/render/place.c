// SPDX-License-Identifier: MPL-2.0
// render/place.c - what is known at a hit, between the points of its thing.
#include "render/shade.h"

static mn_f3 point_at(const mn_thing *t, uint32_t i)
{
    return mn_f3_of(t->point[i][0], t->point[i][1], t->point[i][2]);
}

static mn_f3 blend3(const mn_f3 *a, const uint32_t *i, const float *w)
{
    return mn_f3_add(mn_f3_along(mn_f3_scale(w[0], a[i[0]]), w[1], a[i[1]]), mn_f3_scale(w[2], a[i[2]]));
}

/// Keep the shading normal on the ray's side even where the geometry is seen edge on.
static mn_f3 toward(mn_f3 n, mn_f3 face, mn_f3 d)
{
    const float behind = mn_f3_dot(n, d);
    if (behind <= -0.02f) return n;
    return mn_f3_unit(mn_f3_along(n, -(behind + 0.02f), d), face);
}

/// Rays from flat triangles with smooth normals would see the neighbouring triangles as obstacles where the smooth
/// surface has none. They start from the tangent planes of the corners instead (Hanika 2021).
static mn_f3 lift(const mn_place_f *p, const mn_thing *t, const uint32_t *corner, const mn_f3 *normal, const float *w)
{
    mn_f3 sum = mn_f3_gray(0.0f);
    for (int k = 0; k < 3; k++) {
        const float below = mn_minf(0.0f, mn_f3_dot(mn_f3_sub(p->at, point_at(t, corner[k])), normal[k]));
        sum               = mn_f3_along(sum, w[k], mn_f3_along(p->at, -below, normal[k]));
    }
    return sum;
}

static void on_triangle(mn_place_f *p, const mn_hit *hit, mn_f3 d, float side)
{
    const mn_thing *t     = hit->thing;
    const uint32_t *i     = t->index + 3 * (size_t)hit->primitive,
                   own[3] = { 3 * hit->primitive, 3 * hit->primitive + 1, 3 * hit->primitive + 2 };
    const float w[3]      = { 1.0f - hit->u - hit->v, hit->u, hit->v };
    mn_f3       normal[3];
    for (int k = 0; k < 3; k++) {
        const mn_f3 n = t->normal[t->by_corner ? own[k] : i[k]];
        // Normals of cloth may point to either side of a triangle; a mesh with an outside has them right.
        normal[k] = mn_f3_scale(mn_f3_dot(n, hit->face) < 0.0f ? -side : side, n);
    }
    const mn_f3 n = mn_f3_add(mn_f3_along(mn_f3_scale(w[0], normal[0]), w[1], normal[1]), mn_f3_scale(w[2], normal[2]));
    p->normal     = toward(mn_f3_unit(n, p->face), p->face, d);
    p->lifted     = lift(p, t, i, normal, w);
    if (t->color != NULL) p->color = blend3(t->color, i, w);
    if (t->wet != NULL) p->wet = w[0] * t->wet[i[0]] + w[1] * t->wet[i[1]] + w[2] * t->wet[i[2]];
}

static void on_curve(mn_place_f *p, const mn_hit *hit)
{
    const mn_thing *t = hit->thing;
    const uint32_t  i = t->index[hit->primitive] + 1;  // the segment goes from its second control point to its third
    const float     u = hit->u;
    p->color          = mn_f3_mix(t->color[i], t->color[i + 1], u);
    p->along          = t->along[i] + u * (t->along[i + 1] - t->along[i]);
    p->tangent        = mn_f3_unit(mn_f3_mix(mn_f3_sub(point_at(t, i + 1), point_at(t, i - 1)),
                                             mn_f3_sub(point_at(t, i + 2), point_at(t, i)), u),
                                   mn_f3_of(1, 0, 0));
    if (t->wet != NULL) p->wet = t->wet[i] + u * (t->wet[i + 1] - t->wet[i]);
}

mn_f3 mn_absorbs_at(const mn_hit *hit)
{
    const mn_thing *t = hit->thing;
    if (t->absorbs == NULL) return mn_f3_gray(0.0f);
    if (t->kind != MN_THING_TRIANGLES) return t->absorbs[hit->primitive];
    const float w[3] = { 1.0f - hit->u - hit->v, hit->u, hit->v };
    return blend3(t->absorbs, t->index + 3 * (size_t)hit->primitive, w);
}

mn_place_f mn_place_of(const mn_hit *hit, mn_f3 from, mn_f3 d)
{
    const mn_thing *t    = hit->thing;
    const float     side = mn_f3_dot(hit->face, d) < 0.0f ? 1.0f : -1.0f;
    mn_place_f      p    = { .finish  = t->finish,
                             .leaving = side < 0.0f,
                             .at      = mn_f3_along(from, hit->distance, d),
                             .darkens = t->darkens,
                             .absorbs = mn_absorbs_at(hit) };
    p.face = p.normal = mn_f3_scale(side, hit->face);
    p.lifted          = p.at;
    if (t->kind == MN_THING_TRIANGLES) on_triangle(&p, hit, d, side);
    else if (t->kind == MN_THING_CURVES) on_curve(&p, hit);
    else if (t->color != NULL) p.color = t->color[hit->primitive];
    return p;
}
