// SPDX-License-Identifier: MPL-2.0
// geom/isosurface.c - marching tetrahedra with shared vertices.
//
// Corners of a cube are numbered by bits: 1 for +x, 2 for +y, 4 for +z. A tetrahedron is a path from corner 0 to corner
// 7 along the three axes in some order, so each of its edges runs from a corner to one that has more bits: an edge is
// known by its low lattice point and the bits it adds, 1 .. 7, and its vertex is made once.
#include "geom/isosurface.h"

#include <math.h>
#include <string.h>

#define EDGES 7

typedef struct builder {
    mn_context       *context;
    const mn_lattice *lattice;
    double           *value;      // at every lattice point
    int32_t          *vertex_of;  // EDGES per lattice point; -1: none yet
    mn_mesh          *mesh;
    int64_t           vertex_capacity, triangle_capacity;
} builder;

static mn_vec3 lattice_point(const mn_lattice *l, int32_t i, int32_t j, int32_t k)
{
    return mn_v3(l->low.x + i * l->spacing.x, l->low.y + j * l->spacing.y, l->low.z + k * l->spacing.z);
}

static int64_t point_index(const mn_lattice *l, int32_t i, int32_t j, int32_t k)
{
    return ((int64_t)k * l->size[1] + j) * l->size[0] + i;
}

/// One corner of the tetrahedron at hand.
typedef struct corner {
    int     bits;
    int64_t point;
    mn_vec3 place;
    double  value;
} corner;

/// The vertex where the surface crosses the edge between two corners.
static mn_status edge_vertex(builder *b, const corner *p, const corner *q, int32_t *out)
{
    if (p->bits > q->bits) {
        const corner *swap = p;
        p = q, q = swap;
    }
    int32_t *known = &b->vertex_of[p->point * EDGES + (q->bits - p->bits) - 1];
    if (*known < 0) {
        mn_mesh *m = b->mesh;
        MN_TRY(mn_array_reserve(b->context, &m->vertex, &b->vertex_capacity, m->vertex_count + 1, sizeof *m->vertex));
        const double  t               = p->value / (p->value - q->value);
        const mn_vec3 x               = mn_add3(p->place, mn_scale3(t, mn_sub3(q->place, p->place)));
        m->vertex[m->vertex_count][0] = x.x;
        m->vertex[m->vertex_count][1] = x.y;
        m->vertex[m->vertex_count][2] = x.z;
        *known                        = (int32_t)m->vertex_count++;
    }
    *out = *known;
    return MN_OK;
}

static mn_status add_triangle(builder *b, int32_t p, int32_t q, int32_t r, bool flip)
{
    mn_mesh *m = b->mesh;
    MN_TRY(
        mn_array_reserve(b->context, &m->triangle, &b->triangle_capacity, m->triangle_count + 1, sizeof *m->triangle));
    int32_t *t = m->triangle[m->triangle_count++];
    t[0] = p, t[1] = flip ? r : q, t[2] = flip ? q : r;
    return MN_OK;
}

/// Order of the corners with the odd one first, an even permutation: the triangle then faces away from the first.
static const int single_order[4][4] = { { 0, 1, 2, 3 }, { 1, 0, 3, 2 }, { 2, 0, 1, 3 }, { 3, 0, 2, 1 } };
/// Even orders with the two inner corners first.
static const int pair_order[6][4] = { { 0, 1, 2, 3 }, { 0, 2, 3, 1 }, { 0, 3, 1, 2 },
                                      { 1, 2, 0, 3 }, { 1, 3, 2, 0 }, { 2, 3, 0, 1 } };

static mn_status cut_single(builder *b, const corner c[4], int odd, bool flip)
{
    int32_t    v[3];
    const int *order = single_order[odd];
    for (int k = 0; k < 3; k++) MN_TRY(edge_vertex(b, &c[order[0]], &c[order[k + 1]], &v[k]));
    return add_triangle(b, v[0], v[1], v[2], flip);
}

static mn_status cut_pair(builder *b, const corner c[4], unsigned inside, bool flip)
{
    int pair = 0;
    while (inside != (1u << pair_order[pair][0] | 1u << pair_order[pair][1])) pair++;
    const int *order = pair_order[pair];
    int32_t    v[4];
    MN_TRY(edge_vertex(b, &c[order[0]], &c[order[2]], &v[0]));
    MN_TRY(edge_vertex(b, &c[order[0]], &c[order[3]], &v[1]));
    MN_TRY(edge_vertex(b, &c[order[1]], &c[order[3]], &v[2]));
    MN_TRY(edge_vertex(b, &c[order[1]], &c[order[2]], &v[3]));
    MN_TRY(add_triangle(b, v[0], v[1], v[2], flip));
    return add_triangle(b, v[0], v[2], v[3], flip);
}

/// Cut one tetrahedron; `mirrored` if its corners are in left-handed order.
static mn_status cut_tetrahedron(builder *b, const corner c[4], bool mirrored)
{
    unsigned inside = 0;
    int      count  = 0;
    for (int k = 0; k < 4; k++)
        if (c[k].value < 0.0) inside |= 1u << k, count++;
    switch (count) {
    case 1:
    case 3: {
        const unsigned wanted = count == 1 ? inside : ~inside & 15u;
        int            odd    = 0;
        while (wanted != 1u << odd) odd++;
        return cut_single(b, c, odd, mirrored != (count == 3));
    }
    case 2: return cut_pair(b, c, inside, mirrored);
    default: return MN_OK;
    }
}

static mn_status cut_cube(builder *b, int32_t i, int32_t j, int32_t k)
{
    static const struct {
        int  axis[3];
        bool mirrored;
    } paths[6] = {
        { { 0, 1, 2 }, false }, { { 1, 2, 0 }, false }, { { 2, 0, 1 }, false },
        { { 0, 2, 1 }, true },  { { 2, 1, 0 }, true },  { { 1, 0, 2 }, true },
    };
    corner   cube[8];
    unsigned inside = 0;
    for (int n = 0; n < 8; n++) {
        const int32_t x = i + (n & 1), y = j + (n >> 1 & 1), z = k + (n >> 2);
        cube[n]       = (corner){ .bits = n, .point = point_index(b->lattice, x, y, z) };
        cube[n].value = b->value[cube[n].point];
        cube[n].place = lattice_point(b->lattice, x, y, z);
        inside |= (unsigned)(cube[n].value < 0.0) << n;
    }
    if (inside == 0 || inside == 255) return MN_OK;
    for (int p = 0; p < 6; p++) {
        const int    one = 1 << paths[p].axis[0], two = one | 1 << paths[p].axis[1];
        const corner c[4] = { cube[0], cube[one], cube[two], cube[7] };
        MN_TRY(cut_tetrahedron(b, c, paths[p].mirrored));
    }
    return MN_OK;
}

static mn_status march(builder *b, mn_level_fn *level, void *user)
{
    const mn_lattice *l = b->lattice;
    for (int32_t k = 0; k < l->size[2]; k++)
        for (int32_t j = 0; j < l->size[1]; j++)
            for (int32_t i = 0; i < l->size[0]; i++)
                b->value[point_index(l, i, j, k)] = level(lattice_point(l, i, j, k), user);
    for (int32_t k = 0; k + 1 < l->size[2]; k++)
        for (int32_t j = 0; j + 1 < l->size[1]; j++)
            for (int32_t i = 0; i + 1 < l->size[0]; i++) MN_TRY(cut_cube(b, i, j, k));
    return MN_OK;
}

mn_status mn_isosurface(mn_context *c, const mn_lattice *lattice, mn_level_fn *level, void *user, mn_mesh *out)
{
    *out                 = (mn_mesh){ .vertex_count = 0 };
    const int64_t points = (int64_t)lattice->size[0] * lattice->size[1] * lattice->size[2];
    if (lattice->size[0] < 2 || lattice->size[1] < 2 || lattice->size[2] < 2 || points > INT32_MAX / (2 * EDGES))
        return mn_fail(c, MN_ERR_ARGUMENT, "a lattice of %d x %d x %d points cannot be used", lattice->size[0],
                       lattice->size[1], lattice->size[2]);
    builder b        = { .context = c, .lattice = lattice, .mesh = out };
    b.value          = mn_alloc_array(c, double, points);
    b.vertex_of      = mn_alloc_array(c, int32_t, points * EDGES);
    mn_status status = b.value != NULL && b.vertex_of != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) {
        memset(b.vertex_of, 0xff, (size_t)points * EDGES * sizeof *b.vertex_of);  // all -1
        status = march(&b, level, user);
    }
    mn_free(c, b.value);
    mn_free(c, b.vertex_of);
    if (status != MN_OK) {
        mn_free(c, out->vertex);
        mn_free(c, out->triangle);
        *out = (mn_mesh){ .vertex_count = 0 };
    }
    return status;
}

// ---- shapes --------------------------------------------------------------------------------------------------------

typedef struct boxed_shape {
    const mn_shape *shape;
    mn_vec3         low, high;
} boxed_shape;

/// The shape cut by its box: positive on the whole border of the lattice.
static double boxed_level(mn_vec3 x, void *user)
{
    const boxed_shape *s        = user;
    const double       point[3] = { x.x, x.y, x.z };
    double             outside  = fmax(fmax(s->low.x - x.x, x.x - s->high.x), fmax(s->low.y - x.y, x.y - s->high.y));
    outside                     = fmax(outside, fmax(s->low.z - x.z, x.z - s->high.z));
    return fmax(outside, mn_shape_distance(s->shape, point));
}

/// Lattice planes lie just inside both sides of the box, and one spacing further out: a face on the box is then cut
/// within the outermost layer at its exact place, and an edge of the box is rounded by no more than this share of it.
#define INSET 1e-3

static void fit_axis(double low, double high, double spacing, double *first, double *step, int32_t *size)
{
    const double  extent = high - low;
    const int32_t cells  = (int32_t)fmax(1.0, ceil(extent / spacing));
    const double  inset  = INSET * extent / cells;
    *step                = (extent - 2.0 * inset) / cells;
    *first               = low + inset - *step;
    *size                = cells + 3;
}

mn_status mn_shape_surface(mn_context *c, const mn_shape *shape, mn_vec3 low, mn_vec3 high, int cells, mn_mesh *out)
{
    *out                  = (mn_mesh){ .vertex_count = 0 };
    const mn_vec3 extent  = mn_sub3(high, low);
    const double  longest = fmax(extent.x, fmax(extent.y, extent.z));
    if (!(extent.x > 0.0 && extent.y > 0.0 && extent.z > 0.0 && isfinite(longest)) || cells < 1)
        return mn_fail(c, MN_ERR_ARGUMENT, "a surface needs a box with a volume and at least one cell");
    const double spacing = longest / cells;
    boxed_shape  boxed   = { shape, low, high };
    mn_lattice   lattice;
    fit_axis(low.x, high.x, spacing, &lattice.low.x, &lattice.spacing.x, &lattice.size[0]);
    fit_axis(low.y, high.y, spacing, &lattice.low.y, &lattice.spacing.y, &lattice.size[1]);
    fit_axis(low.z, high.z, spacing, &lattice.low.z, &lattice.spacing.z, &lattice.size[2]);
    return mn_isosurface(c, &lattice, boxed_level, &boxed, out);
}
