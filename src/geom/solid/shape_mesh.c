// SPDX-License-Identifier: MPL-2.0
// geom/solid/shape_mesh.c - the meshes of the parts of a shape, and how they are cut by each other.
//
// Parts that share a plane (a hole with its lids flush with the plate, two blocks side by side) would be undecided
// where they do. While they are cut each is therefore larger or smaller by a little, so that it comes out as meant:
// what is taken away reaches beyond what it is taken from, what is joined overlaps, what is cut by another keeps within
// it. The deeper a set is nested the larger the little is, so that it is decided in favour of the inner one. A share of
// it is random, or edges that are parallel would still be.
#include "geom/solid/shape_mesh.h"

#include "base/context.h"
#include "base/random.h"
#include "geom/isosurface.h"
#include "geom/shape_private.h"
#include "geom/solid/cut.h"
#include "geom/solid/primitive_mesh.h"

#include <string.h>

/// The little at the outermost set, as a share of the size of the whole, and its growth from set to set. Rounding is
/// 1e-16 of the size.
#define LITTLE  1e-8
#define DEEPER  8.0
#define DEEPEST 4
/// Tries with another little, before a lattice does it.
#define TRIES 4
/// Cells of that lattice along the longest side.
#define LATTICE_CELLS 72
/// With more simple solids than this the round ones have half the sides, so that a heap of them stays a small mesh.
#define MANY_SOLIDS 64

typedef struct maker {
    mn_context *c;
    mn_vec3     center;  // of the ball that holds all there is to see
    double      radius;
    int         sides, attempt;
    uint64_t    solids;   // made so far
    int         deepest;  // of the sets
    bool        clear;
} maker;

/// How a part stands in the whole, and by how much it is larger than it is.
typedef struct stand {
    mn_mat3 rotation;
    mn_vec3 translation;
    double  growth;
    int     depth;
} stand;

static mn_status make(maker *m, const mn_shape *s, const stand *at, mn_cut_mesh *out);

static double little(const maker *m, int depth)
{
    double e = LITTLE * m->radius * (1.0 + 2.7 * m->attempt);
    for (int k = 0; k < depth && k < DEEPEST; k++) e *= DEEPER;
    return e;
}

// ---- one solid -----------------------------------------------------------------------------------------------------

static mn_status copy_mesh(mn_context *c, const mn_mesh *m, mn_mesh *out)
{
    *out = (mn_mesh){ .vertex_count   = m->vertex_count,
                      .triangle_count = m->triangle_count,
                      .vertex         = mn_alloc(c, mn_array_bytes(m->vertex_count, sizeof *out->vertex)),
                      .triangle       = mn_alloc(c, mn_array_bytes(m->triangle_count, sizeof *out->triangle)) };
    if (out->vertex == NULL || out->triangle == NULL) {
        mn_mesh_free(c, out);
        return MN_ERR_MEMORY;
    }
    memcpy(out->vertex, m->vertex, (size_t)m->vertex_count * sizeof *out->vertex);
    memcpy(out->triangle, m->triangle, (size_t)m->triangle_count * sizeof *out->triangle);
    return MN_OK;
}

/// The mesh of a simple solid or of a file, as it stands in its own frame.
static mn_status leaf_mesh(const maker *m, const mn_shape *s, const stand *at, mn_mesh *out)
{
    if (s->mesh != NULL) return copy_mesh(m->c, &s->surface, out);
    if (s->kind != MN_SHAPE_PLANE) return mn_primitive_mesh(m->c, &s->primitive, m->sides, out);
    const mn_vec3 center = mn_mul3_transposed(at->rotation, mn_sub3(m->center, at->translation));
    return mn_plane_mesh(m->c, &s->primitive, center, m->radius, out);
}

static void stand_up(const stand *at, mn_mesh *m)
{
    for (int64_t v = 0; v < m->vertex_count; v++) {
        const mn_vec3 x = mn_add3(mn_mul3(at->rotation, mn_v3_from(m->vertex[v])), at->translation);
        m->vertex[v][0] = x.x, m->vertex[v][1] = x.y, m->vertex[v][2] = x.z;
    }
}

/// Outward directions of the vertices: the sums of the unit normals around them, so that a corner moves with all its
/// faces.
static void add_normals(const mn_mesh *m, mn_vec3 *normal)
{
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const int32_t *v = m->triangle[t];
        const mn_vec3  a = mn_v3_from(m->vertex[v[0]]);
        const mn_vec3  n = mn_unit3(mn_cross3(mn_sub3(mn_v3_from(m->vertex[v[1]]), a),
                                              mn_sub3(mn_v3_from(m->vertex[v[2]]), a)),
                                    mn_v3(0, 0, 0));
        for (int k = 0; k < 3; k++) normal[v[k]] = mn_add3(normal[v[k]], n);
    }
}

static mn_status move_vertices(maker *m, const mn_mesh *mesh, const stand *at, double (*moved)[3])
{
    mn_vec3 *normal = mn_alloc_array(m->c, mn_vec3, mesh->vertex_count);
    if (normal == NULL) return MN_ERR_MEMORY;
    add_normals(mesh, normal);
    const double random = 0.05 * little(m, at->depth);
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const mn_vec3 n = mn_unit3(normal[v], mn_v3(0, 0, 0));
        for (int a = 0; a < 3; a++) {
            const double r = at->growth == 0.0
                                 ? 0.0
                                 : mn_random(m->solids, (uint64_t)v, (uint64_t)m->attempt, (uint64_t)a) - 0.5;
            moved[v][a]    = mesh->vertex[v][a] + at->growth * mn_get3(n, a) + random * r;
        }
    }
    mn_free(m->c, normal);
    return MN_OK;
}

static mn_status make_leaf(maker *m, const mn_shape *s, const stand *at, mn_cut_mesh *out)
{
    mn_mesh mesh;
    if (s->kind == MN_SHAPE_DISC && at->depth > 0) return MN_OK;  // no inside: nothing to join, cut or take away
    MN_TRY(leaf_mesh(m, s, at, &mesh));
    stand_up(at, &mesh);
    m->solids++;
    double(*moved)[3] = mn_alloc(m->c, mn_array_bytes(mesh.vertex_count, sizeof *moved));
    mn_status status  = moved != NULL ? move_vertices(m, &mesh, at, moved) : MN_ERR_MEMORY;
    *out              = (mn_cut_mesh){ mesh.vertex_count, mesh.triangle_count, mesh.vertex, moved, mesh.triangle };
    if (status != MN_OK) mn_cut_mesh_free(m->c, out);
    return status;
}

// ---- sets ----------------------------------------------------------------------------------------------------------

/// *a becomes a and b, which is freed.
static mn_status cut_into(maker *m, mn_cut_mesh *a, mn_cut_mesh *b, mn_shape_kind kind)
{
    mn_cut_mesh out    = { .vertex_count = 0 };
    mn_status   status = MN_OK;
    if (m->clear && a->triangle_count > 0 && b->triangle_count > 0) {
        status = mn_cut_meshes(m->c, a, b, kind, &out, &m->clear);
    } else {
        mn_cut_mesh *left = kind == MN_SHAPE_INTERSECTION                          ? NULL
                            : a->triangle_count > 0 || kind == MN_SHAPE_DIFFERENCE ? a
                                                                                   : b;
        if (left != NULL) {
            out   = *left;
            *left = (mn_cut_mesh){ .vertex_count = 0 };
        }
    }
    mn_cut_mesh_free(m->c, a);
    mn_cut_mesh_free(m->c, b);
    *a = out;
    return status;
}

/// Neighbours first, then pairs of these: each solid takes part in few cuts. The result is in mesh[0].
static mn_status join_all(maker *m, mn_cut_mesh *mesh, int count, mn_shape_kind kind)
{
    for (int step = 1; step < count; step *= 2)
        for (int k = 0; k + step < count; k += 2 * step) MN_TRY(cut_into(m, &mesh[k], &mesh[k + step], kind));
    return MN_OK;
}

static mn_status make_parts(maker *m, const mn_shape *s, const stand *at, mn_cut_mesh *mesh)
{
    if (at->depth > m->deepest) m->deepest = at->depth;
    for (int k = 0; k < s->part_count && m->clear; k++) {
        stand part = *at;
        part.depth++;
        const double more = k == 0 ? 0.0 : little(m, at->depth) * (0.5 + 0.5 * k / s->part_count);
        if (s->kind == MN_SHAPE_DIFFERENCE && k > 0) part.growth = more - at->growth;
        else part.growth += s->kind == MN_SHAPE_INTERSECTION ? -more : more;
        MN_TRY(mn_check_interrupt(m->c, "the mesh of a solid"));
        MN_TRY(make(m, s->parts[k], &part, &mesh[k]));
    }
    if (!m->clear) return MN_OK;
    if (s->kind != MN_SHAPE_DIFFERENCE) return join_all(m, mesh, s->part_count, s->kind);
    if (s->part_count == 1) return MN_OK;
    MN_TRY(join_all(m, mesh + 1, s->part_count - 1, MN_SHAPE_UNION));
    return cut_into(m, &mesh[0], &mesh[1], MN_SHAPE_DIFFERENCE);
}

static mn_status make_set(maker *m, const mn_shape *s, const stand *at, mn_cut_mesh *out)
{
    mn_cut_mesh *mesh = mn_alloc_array(m->c, mn_cut_mesh, s->part_count);
    if (mesh == NULL) return MN_ERR_MEMORY;
    const mn_status status = make_parts(m, s, at, mesh);
    if (status == MN_OK && m->clear) {
        *out    = mesh[0];
        mesh[0] = (mn_cut_mesh){ .vertex_count = 0 };
    }
    for (int k = 0; k < s->part_count; k++) mn_cut_mesh_free(m->c, &mesh[k]);
    mn_free(m->c, mesh);
    return status;
}

static mn_status make(maker *m, const mn_shape *s, const stand *at, mn_cut_mesh *out)
{
    *out = (mn_cut_mesh){ .vertex_count = 0 };
    if (s->placed) {
        stand inner       = *at;
        inner.rotation    = mn_matmul3(at->rotation, s->rotation);
        inner.translation = mn_add3(mn_mul3(at->rotation, s->translation), at->translation);
        return make(m, s->parts[0], &inner, out);
    }
    return s->part_count > 0 ? make_set(m, s, at, out) : make_leaf(m, s, at, out);
}

// ---- the whole -----------------------------------------------------------------------------------------------------

static int64_t count_solids(const mn_shape *s)
{
    int64_t count = s->part_count == 0;
    for (int k = 0; k < s->part_count && count <= MANY_SOLIDS; k++) count += count_solids(s->parts[k]);
    return count;
}

/// Cut by the box, where the shape has no end.
static mn_status cut_by_box(maker *m, mn_vec3 low, mn_vec3 high, mn_cut_mesh *out)
{
    mn_mesh box;
    MN_TRY(mn_box_mesh(m->c, low, high, &box));
    mn_mesh         moved;
    const mn_status status = copy_mesh(m->c, &box, &moved);
    if (status != MN_OK) {
        mn_mesh_free(m->c, &box);
        return status;
    }
    mn_cut_mesh b = { box.vertex_count, box.triangle_count, box.vertex, moved.vertex, box.triangle };
    mn_free(m->c, moved.triangle);
    return cut_into(m, out, &b, MN_SHAPE_INTERSECTION);
}

static mn_status attempt_mesh(maker *m, const mn_shape *s, bool endless, mn_vec3 low, mn_vec3 high, mn_mesh *out)
{
    const stand upright = { .rotation = mn_mat3_identity(),
                            .growth   = endless ? -0.3 * little(m, 0) : 0.0,
                            .depth    = endless };
    mn_cut_mesh whole;
    mn_status   status = make(m, s, &upright, &whole);
    if (status == MN_OK && m->clear && endless) status = cut_by_box(m, low, high, &whole);
    if (status == MN_OK && m->clear) {
        if (s->part_count > 0 || endless) {
            status = mn_cut_mesh_finish(m->c, &whole, 20.0 * little(m, m->deepest), out);
        } else {
            *out = (mn_mesh){ whole.vertex_count, whole.triangle_count, whole.exact, whole.triangle };
            mn_free(m->c, whole.moved);
            return MN_OK;
        }
    }
    mn_cut_mesh_free(m->c, &whole);
    return status;
}

/// Through placements down to a solid that stands alone.
static bool is_disc(const mn_shape *s)
{
    while (s->placed) s = s->parts[0];
    return s->kind == MN_SHAPE_DISC;
}

mn_status mn_shape_mesh(mn_context *c, const mn_shape *s, mn_vec3 low, mn_vec3 high, mn_mesh *out, bool *clear)
{
    *out               = (mn_mesh){ .vertex_count = 0 };
    *clear             = true;
    const bool endless = !isfinite(mn_norm3(s->low)) || !isfinite(mn_norm3(s->high));
    if (!endless) low = s->low, high = s->high;
    const mn_vec3 extent = mn_sub3(high, low);
    if (!is_disc(s) && !(extent.x > 0.0 && extent.y > 0.0 && extent.z > 0.0)) return MN_OK;
    maker m = { .c      = c,
                .center = mn_scale3(0.5, mn_add3(low, high)),
                .radius = 0.5 * mn_norm3(extent),
                .sides  = count_solids(s) > MANY_SOLIDS ? MN_ROUND_SIDES / 2 : MN_ROUND_SIDES };
    for (m.attempt = 0; m.attempt < TRIES; m.attempt++) {
        m.clear  = true;
        m.solids = 0;
        MN_TRY(attempt_mesh(&m, s, endless, low, high, out));
        if (m.clear) return MN_OK;
    }
    *clear = false;
    return mn_shape_surface(c, s, low, high, LATTICE_CELLS, out);
}
