// SPDX-License-Identifier: MPL-2.0
// geom/solid/cut_find.c - where the edges of two meshes go through triangles of each other.
//
// All follows from the signs of volumes of tetrahedra: of a vertex with a triangle, and of an edge with an edge. Each
// is computed from the same numbers in the same order wherever it is asked for, so that neighbours agree on what they
// share.
#include "geom/solid/cut_private.h"

#include "base/context.h"

#include <stdlib.h>

void mn_cut_free(mn_cut *cut)
{
    for (int s = 0; s < 2; s++) {
        mn_cut_side *side     = &cut->side[s];
        void *const  blocks[] = { side->edge_of, side->edge, side->faces, side->crossing, side->first, side->inside };
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) mn_free(cut->context, blocks[k]);
    }
    mn_free(cut->context, cut->segment);
    mn_free(cut->context, cut->by_b);
}

// ---- edges ---------------------------------------------------------------------------------------------------------

typedef struct half_edge {
    int32_t low, high, face;
    int     corner;
} half_edge;

static int by_ends(const void *p, const void *q)
{
    const half_edge *a = p, *b = q;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static bool number_edges(mn_cut_side *side, half_edge *half, int64_t halves)
{
    for (int64_t k = 0; k < halves; k += 2) {
        if (k + 1 == halves || half[k].low != half[k + 1].low || half[k].high != half[k + 1].high) return false;
        if (k + 2 < halves && half[k].low == half[k + 2].low && half[k].high == half[k + 2].high) return false;
        const int32_t e   = side->edge_count++;
        side->edge[e][0]  = half[k].low;
        side->edge[e][1]  = half[k].high;
        side->faces[e][0] = half[k].face;
        side->faces[e][1] = half[k + 1].face;
        for (int n = 0; n < 2; n++) side->edge_of[half[k + n].face][half[k + n].corner] = e;
    }
    return true;
}

static mn_status list_edges(mn_cut *cut, mn_cut_side *side)
{
    mn_context   *c    = cut->context;
    const int64_t n    = side->mesh->triangle_count;
    half_edge    *half = mn_alloc_array(c, half_edge, 3 * n);
    side->edge_of      = mn_alloc(c, mn_array_bytes(n, sizeof *side->edge_of));
    side->edge         = mn_alloc(c, mn_array_bytes(3 * n / 2 + 1, sizeof *side->edge));
    side->faces        = mn_alloc(c, mn_array_bytes(3 * n / 2 + 1, sizeof *side->faces));
    const bool granted = half != NULL && side->edge_of != NULL && side->edge != NULL && side->faces != NULL;
    for (int64_t t = 0; granted && t < n; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = side->mesh->triangle[t][k], b = side->mesh->triangle[t][(k + 1) % 3];
            half[3 * t + k] = (half_edge){ a < b ? a : b, a < b ? b : a, (int32_t)t, k };
        }
    if (granted) {
        qsort(half, (size_t)(3 * n), sizeof *half, by_ends);
        cut->clear = number_edges(side, half, 3 * n);
    }
    mn_free(c, half);
    return granted ? MN_OK : MN_ERR_MEMORY;
}

// ---- signs ---------------------------------------------------------------------------------------------------------

static mn_vec3 place(const mn_cut_side *s, int32_t vertex) { return mn_v3_from(s->mesh->moved[vertex]); }

/// Six times the volume of a tetrahedron: positive if d is on the side to which the normal of abc points.
static double volume(mn_vec3 a, mn_vec3 b, mn_vec3 c, mn_vec3 d)
{
    return mn_dot3(mn_cross3(mn_sub3(b, a), mn_sub3(c, a)), mn_sub3(d, a));
}

static double height(const mn_cut_side *of, int32_t face, mn_vec3 x)
{
    const int32_t *t = of->mesh->triangle[face];
    return volume(place(of, t[0]), place(of, t[1]), place(of, t[2]), x);
}

/// On which side of each other an edge of a and an edge of b pass.
static bool passes(const mn_cut *cut, int32_t edge_a, int32_t edge_b)
{
    const mn_cut_side *a = &cut->side[0], *b = &cut->side[1];
    return volume(place(a, a->edge[edge_a][0]), place(a, a->edge[edge_a][1]), place(b, b->edge[edge_b][0]),
                  place(b, b->edge[edge_b][1])) >= 0.0;
}

/// The edge of side `s` and a triangle of the other side.
static mn_status cross(mn_cut *cut, int s, int32_t edge, int32_t face)
{
    mn_cut_side   *own = &cut->side[s], *other = &cut->side[1 - s];
    const double   low  = height(other, face, place(own, own->edge[edge][0]));
    const double   high = height(other, face, place(own, own->edge[edge][1]));
    const int32_t *t    = other->mesh->triangle[face];
    if ((low >= 0.0) == (high >= 0.0)) return MN_OK;
    int positive = 0;
    for (int k = 0; k < 3; k++) {
        const int32_t e    = other->edge_of[face][k];
        const bool    side = s == 0 ? passes(cut, edge, e) : passes(cut, e, edge);
        positive += side == (t[k] < t[(k + 1) % 3]);
    }
    if (positive != 0 && positive != 3) return MN_OK;
    MN_TRY(mn_array_reserve(cut->context, &own->crossing, &own->crossing_capacity, own->crossing_count + 1,
                            sizeof *own->crossing));
    own->crossing[own->crossing_count++] = (mn_cut_crossing){ .edge   = edge,
                                                              .face   = face,
                                                              .enters = low >= 0.0,
                                                              .t      = low / (low - high) };
    return MN_OK;
}

static mn_status look_at_pair(mn_cut *cut, int32_t face_a, int32_t face_b)
{
    for (int k = 0; k < 3; k++) {
        const mn_cut_side *a = &cut->side[0], *b = &cut->side[1];
        const int32_t      ea = a->edge_of[face_a][k], eb = b->edge_of[face_b][k];
        if (a->faces[ea][0] == face_a) MN_TRY(cross(cut, 0, ea, face_b));  // once an edge, not once a side of it
        if (b->faces[eb][0] == face_b) MN_TRY(cross(cut, 1, eb, face_a));
    }
    return MN_OK;
}

// ---- pairs of triangles whose boxes overlap ------------------------------------------------------------------------

typedef struct boxed {
    double  low[3], high[3];
    int32_t face;
} boxed;

static int by_low(const void *p, const void *q)
{
    const boxed *a = p, *b = q;
    if (a->low[0] != b->low[0]) return a->low[0] < b->low[0] ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static void mesh_box(const mn_cut_mesh *m, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = INFINITY, high[a] = -INFINITY;
        for (int64_t v = 0; v < m->vertex_count; v++) {
            low[a]  = fmin(low[a], m->moved[v][a]);
            high[a] = fmax(high[a], m->moved[v][a]);
        }
    }
}

static bool overlap(const double al[3], const double ah[3], const double bl[3], const double bh[3])
{
    for (int a = 0; a < 3; a++)
        if (al[a] > bh[a] || bl[a] > ah[a]) return false;
    return true;
}

/// The triangles that reach into the box of the other mesh, from low to high along `axis`, which comes first.
static mn_status list_boxes(mn_context *c, const mn_cut_mesh *m, const double low[3], const double high[3], int axis,
                            boxed **out, int64_t *count)
{
    boxed *b = *out = mn_alloc_array(c, boxed, m->triangle_count);
    *count          = 0;
    if (b == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < m->triangle_count; t++) {
        boxed x = { .face = (int32_t)t };
        for (int a = 0; a < 3; a++) {
            const int    from = (axis + a) % 3;
            const double p = m->moved[m->triangle[t][0]][from], q = m->moved[m->triangle[t][1]][from],
                         r = m->moved[m->triangle[t][2]][from];
            x.low[a]       = fmin(p, fmin(q, r));
            x.high[a]      = fmax(p, fmax(q, r));
        }
        bool reaches = true;
        for (int a = 0; a < 3; a++)
            reaches = reaches && x.low[a] <= high[(axis + a) % 3] && x.high[a] >= low[(axis + a) % 3];
        if (reaches) b[(*count)++] = x;
    }
    qsort(b, (size_t)*count, sizeof *b, by_low);
    return MN_OK;
}

/// Along the sorted lists: of two boxes that overlap one begins within the other.
static mn_status sweep(mn_cut *cut, const boxed *a, int64_t count_a, const boxed *b, int64_t count_b)
{
    for (int64_t i = 0, k = 0; i < count_a || k < count_b;) {
        const bool    of_a = k == count_b || (i < count_a && a[i].low[0] <= b[k].low[0]);
        const boxed  *x = of_a ? &a[i] : &b[k], *list = of_a ? b : a;
        const int64_t count = of_a ? count_b : count_a;
        for (int64_t n = of_a ? k : i; n < count && list[n].low[0] <= x->high[0]; n++)
            if (overlap(x->low, x->high, list[n].low, list[n].high))
                MN_TRY(look_at_pair(cut, of_a ? x->face : list[n].face, of_a ? list[n].face : x->face));
        MN_TRY(mn_check_interrupt(cut->context, "the mesh of a solid"));
        if (of_a) i++;
        else k++;
    }
    return MN_OK;
}

static mn_status find_crossings(mn_cut *cut)
{
    double low[2][3], high[2][3];
    for (int s = 0; s < 2; s++) mesh_box(cut->side[s].mesh, low[s], high[s]);
    int axis = 0;
    for (int a = 1; a < 3; a++)
        if (fmin(high[0][a], high[1][a]) - fmax(low[0][a], low[1][a]) >
            fmin(high[0][axis], high[1][axis]) - fmax(low[0][axis], low[1][axis]))
            axis = a;
    boxed    *a = NULL, *b = NULL;
    int64_t   count_a = 0, count_b = 0;
    mn_status status = list_boxes(cut->context, cut->side[0].mesh, low[1], high[1], axis, &a, &count_a);
    if (status == MN_OK) status = list_boxes(cut->context, cut->side[1].mesh, low[0], high[0], axis, &b, &count_b);
    if (status == MN_OK) status = sweep(cut, a, count_a, b, count_b);
    mn_free(cut->context, a);
    mn_free(cut->context, b);
    return status;
}

// ---- crossings along edges, segments in triangles ------------------------------------------------------------------

static int along_edges(const void *p, const void *q)
{
    const mn_cut_crossing *a = p, *b = q;
    if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
    if (a->t != b->t) return a->t < b->t ? -1 : 1;
    return a->face < b->face ? -1 : a->face > b->face;
}

static mn_status sort_crossings(mn_cut *cut, mn_cut_side *side, int32_t first_vertex)
{
    if (side->crossing_count > 0)
        qsort(side->crossing, (size_t)side->crossing_count, sizeof *side->crossing, along_edges);
    side->first = mn_alloc_array(cut->context, int32_t, side->edge_count + 1);
    if (side->first == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < side->crossing_count; k++) {
        side->crossing[k].vertex = first_vertex + (int32_t)k;
        side->first[side->crossing[k].edge + 1]++;
    }
    for (int32_t e = 0; e < side->edge_count; e++) side->first[e + 1] += side->first[e];
    return MN_OK;
}

/// One end of a segment.
typedef struct segment_end {
    int32_t face[2], vertex;
    bool    begins;
} segment_end;

static int by_faces(const void *p, const void *q)
{
    const segment_end *a = p, *b = q;
    for (int s = 0; s < 2; s++)
        if (a->face[s] != b->face[s]) return a->face[s] < b->face[s] ? -1 : 1;
    if (a->begins != b->begins) return a->begins ? -1 : 1;
    return a->vertex < b->vertex ? -1 : a->vertex > b->vertex;
}

/// Whether triangle `face` passes the edge from its lower vertex to its higher one.
static bool runs_up(const mn_cut_side *s, int32_t edge, int32_t face)
{
    for (int k = 0; k < 3; k++)
        if (s->edge_of[face][k] == edge) return s->mesh->triangle[face][k] == s->edge[edge][0];
    return false;
}

/// A crossing is the end of a segment in both triangles of its edge. Where the rim of a triangle of a enters b, the
/// inside lies ahead, and the segment that has it on its left ends there; for triangles of b its direction is the
/// other.
static void list_ends(const mn_cut *cut, segment_end *end)
{
    for (int s = 0; s < 2; s++) {
        const mn_cut_side *side = &cut->side[s];
        for (int64_t k = 0; k < side->crossing_count; k++)
            for (int n = 0; n < 2; n++) {
                const mn_cut_crossing *x    = &side->crossing[k];
                const int32_t          face = side->faces[x->edge][n];
                const bool             in   = x->enters == runs_up(side, x->edge, face);
                *end++ = (segment_end){ .face   = { s == 0 ? face : x->face, s == 0 ? x->face : face },
                                        .vertex = x->vertex,
                                        .begins = in == (s == 1) };
            }
    }
}

/// By face of b, and among these in the order that they have.
typedef struct face_of_b {
    int32_t face, segment;
} face_of_b;

static int by_face_of_b(const void *p, const void *q)
{
    const face_of_b *a = p, *b = q;
    if (a->face != b->face) return a->face < b->face ? -1 : 1;
    return a->segment < b->segment ? -1 : a->segment > b->segment;
}

static mn_status order_by_b(mn_cut *cut)
{
    face_of_b *order   = mn_alloc_array(cut->context, face_of_b, cut->segment_count);
    cut->by_b          = mn_alloc_array(cut->context, int32_t, cut->segment_count);
    const bool granted = order != NULL && cut->by_b != NULL;
    if (granted && cut->segment_count > 0) {
        for (int64_t k = 0; k < cut->segment_count; k++) order[k] = (face_of_b){ cut->segment[k].face[1], (int32_t)k };
        qsort(order, (size_t)cut->segment_count, sizeof *order, by_face_of_b);
        for (int64_t k = 0; k < cut->segment_count; k++) cut->by_b[k] = order[k].segment;
    }
    mn_free(cut->context, order);
    return granted ? MN_OK : MN_ERR_MEMORY;
}

/// Two triangles that meet do so in one segment: two ends, one of either kind.
static bool pair_ends(mn_cut *cut, const segment_end *end, int64_t ends)
{
    for (int64_t k = 0; k < ends; k += 2) {
        const segment_end *a = &end[k], *b = &end[k + 1];
        if (k + 1 == ends || a->face[0] != b->face[0] || a->face[1] != b->face[1] || a->begins == b->begins)
            return false;
        cut->segment[cut->segment_count++] = (mn_cut_segment){ { a->face[0], a->face[1] }, a->vertex, b->vertex };
    }
    return true;
}

static mn_status make_segments(mn_cut *cut)
{
    const int64_t ends = 2 * (cut->side[0].crossing_count + cut->side[1].crossing_count);
    segment_end  *end  = mn_alloc_array(cut->context, segment_end, ends);
    cut->segment       = mn_alloc_array(cut->context, mn_cut_segment, ends / 2);
    mn_status status   = end != NULL && cut->segment != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK && ends > 0) {
        list_ends(cut, end);
        qsort(end, (size_t)ends, sizeof *end, by_faces);
        cut->clear = pair_ends(cut, end, ends);
    }
    mn_free(cut->context, end);
    return status == MN_OK ? order_by_b(cut) : status;
}

mn_status mn_cut_find(mn_cut *cut)
{
    cut->clear = true;
    for (int s = 0; s < 2 && cut->clear; s++) MN_TRY(list_edges(cut, &cut->side[s]));
    if (!cut->clear) return MN_OK;
    MN_TRY(find_crossings(cut));
    const int64_t first = cut->side[0].mesh->vertex_count + cut->side[1].mesh->vertex_count;
    const int64_t more  = cut->side[0].crossing_count + cut->side[1].crossing_count;
    if (first + more > INT32_MAX / 4)
        return mn_fail(cut->context, MN_ERR_ARGUMENT, "two meshes cross in %lld places: more than can be numbered",
                       (long long)more);
    MN_TRY(sort_crossings(cut, &cut->side[0], (int32_t)first));
    MN_TRY(sort_crossings(cut, &cut->side[1], (int32_t)(first + cut->side[0].crossing_count)));
    return make_segments(cut);
}
