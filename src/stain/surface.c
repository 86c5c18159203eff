// SPDX-License-Identifier: MPL-2.0
// stain/surface.c - who is next to whom on a cloth: edges, sides across, rings in order.
#include "stain/surface.h"

#include <string.h>

mn_status mn_stain_links_index(mn_context *c, mn_stain_links *l)
{
    l->start     = mn_alloc_array(c, int32_t, l->vertex_count + 1);
    l->around    = mn_alloc_array(c, int32_t, 2 * l->count);
    l->neighbour = mn_alloc_array(c, int32_t, 2 * l->count);
    if (l->start == NULL || l->around == NULL || l->neighbour == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < l->count; k++)
        for (int i = 0; i < 2; i++) l->start[l->end[k][i]]++;
    for (int64_t v = 1; v <= l->vertex_count; v++) l->start[v] += l->start[v - 1];
    for (int64_t k = l->count - 1; k >= 0; k--)
        for (int i = 1; i >= 0; i--) {
            const int32_t at = --l->start[l->end[k][i]];
            l->around[at]    = (int32_t)(2 * k + i);
            l->neighbour[at] = l->end[k][1 - i];
        }
    return MN_OK;
}

void mn_stain_links_free(mn_context *c, mn_stain_links *l)
{
    void *const arrays[] = { l->end, l->start, l->around, l->neighbour };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) mn_free(c, arrays[k]);
    *l = (mn_stain_links){ 0 };
}

void mn_stain_surface_destroy(mn_stain_surface **surface)
{
    mn_stain_surface *s = *surface;
    if (s == NULL) return;
    mn_context *c        = s->context;
    void *const arrays[] = { s->triangle, s->across,      s->ring_corner,   s->edge_of, s->some_corner,
                             s->rim,      s->corner,      s->triangle_area, s->area,    s->ring_angle,
                             s->turn,     s->corner_turn, s->face,          s->tangent };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) mn_free(c, arrays[k]);
    mn_stain_links_free(c, &s->edges);
    mn_free(c, s);
    *surface = NULL;
}

/// A side of a triangle, filed under the smaller of its two vertices.
typedef struct side {
    int32_t other, slot;
} side;

static void ends_of(const mn_stain_surface *s, int64_t slot, int32_t end[2])
{
    const int32_t *t = s->triangle[slot / 3];
    const int32_t  a = t[slot % 3], b = t[(slot % 3 + 1) % 3];
    end[0] = a < b ? a : b;
    end[1] = a < b ? b : a;
}

static void file_sides(const mn_stain_surface *s, int32_t *start, side *sides)
{
    const int64_t slots = 3 * s->triangle_count;
    int32_t       end[2];
    for (int64_t k = 0; k < slots; k++) ends_of(s, k, end), start[end[0]]++;
    for (int64_t v = 1; v <= s->vertex_count; v++) start[v] += start[v - 1];
    for (int64_t k = slots - 1; k >= 0; k--) {
        ends_of(s, k, end);
        sides[--start[end[0]]] = (side){ end[1], (int32_t)k };
    }
}

static void sort_sides(side *s, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        const side x = s[i];
        int64_t    j = i;
        for (; j > 0 && s[j - 1].other > x.other; j--) s[j] = s[j - 1];
        s[j] = x;
    }
}

/// Two sides on one edge must run in opposite directions.
static mn_status join_pair(mn_stain_surface *s, int32_t a, int32_t b)
{
    const int32_t from_a = s->triangle[a / 3][a % 3], from_b = s->triangle[b / 3][b % 3];
    if (from_a == from_b)
        return mn_fail(s->context, MN_ERR_ARGUMENT, "triangles %d and %d run the same way along their common edge",
                       a / 3, b / 3);
    s->across[a / 3][a % 3] = b;
    s->across[b / 3][b % 3] = a;
    return MN_OK;
}

/// One edge per run of equal sides.
static mn_status join_sides(mn_stain_surface *s, const int32_t *start, side *sides)
{
    for (int64_t v = 0; v < s->vertex_count; v++) {
        sort_sides(sides + start[v], start[v + 1] - start[v]);
        for (int64_t i = start[v]; i < start[v + 1];) {
            int64_t run = 1;
            while (i + run < start[v + 1] && sides[i + run].other == sides[i].other) run++;
            if (run > 2)
                return mn_fail(s->context, MN_ERR_ARGUMENT,
                               "%lld triangles share the edge from vertex %lld to %d; a cloth has at most two",
                               (long long)run, (long long)v, sides[i].other);
            if (run == 2) MN_TRY(join_pair(s, sides[i].slot, sides[i + 1].slot));
            s->edges.end[s->edges.count][0] = (int32_t)v;
            s->edges.end[s->edges.count][1] = sides[i].other;
            for (int64_t k = i; k < i + run; k++)
                s->edge_of[sides[k].slot / 3][sides[k].slot % 3] = (int32_t)s->edges.count;
            s->edges.count++;
            i += run;
        }
    }
    return MN_OK;
}

static mn_status find_edges(mn_stain_surface *s)
{
    const int64_t slots = 3 * s->triangle_count;
    int32_t      *start = mn_alloc_array(s->context, int32_t, s->vertex_count + 1);
    side         *sides = mn_alloc_array(s->context, side, slots);
    mn_status     st    = start == NULL || sides == NULL ? MN_ERR_MEMORY : MN_OK;
    if (st == MN_OK) {
        memset(s->across, 0xff, (size_t)slots * sizeof(int32_t));
        file_sides(s, start, sides);
        st = join_sides(s, start, sides);
    }
    mn_free(s->context, start);
    mn_free(s->context, sides);
    return st;
}

static int32_t link_at(const mn_stain_surface *s, int32_t edge, int32_t vertex)
{
    return 2 * edge + (s->edges.end[edge][1] == vertex);
}

/// The corner that follows anticlockwise round a vertex, or -1 at the rim.
static int32_t next_corner(const mn_stain_surface *s, int32_t corner)
{
    return s->across[corner / 3][(corner % 3 + 2) % 3];
}

/// Write the ring of one vertex, beginning at a corner; the number of corners met.
static int32_t walk_ring(mn_stain_surface *s, int32_t v, int32_t first)
{
    int32_t at = s->edges.start[v], corners = 0, corner = first;
    do {
        const int32_t edge   = s->edge_of[corner / 3][corner % 3];
        s->edges.around[at]  = link_at(s, edge, v);
        s->ring_corner[at++] = corner;
        corners++;
        const int32_t next = next_corner(s, corner);
        if (next < 0) {
            s->edges.around[at]  = link_at(s, s->edge_of[corner / 3][(corner % 3 + 2) % 3], v);
            s->ring_corner[at++] = -1;
        }
        corner = next;
    } while (corner >= 0 && corner != first && at < s->edges.start[v + 1]);
    return corners;
}

static mn_status order_rings(mn_stain_surface *s)
{
    int32_t *corners = mn_alloc_array(s->context, int32_t, s->vertex_count);
    if (corners == NULL) return MN_ERR_MEMORY;
    memset(s->some_corner, 0xff, (size_t)s->vertex_count * sizeof(int32_t));
    for (int32_t k = (int32_t)(3 * s->triangle_count) - 1; k >= 0; k--) {
        const int32_t v = s->triangle[k / 3][k % 3];
        corners[v]++;
        if (s->across[k / 3][k % 3] < 0) s->rim[v] = 1;
        if (!s->rim[v] || s->across[k / 3][k % 3] < 0) s->some_corner[v] = k;  // at the rim, where a ring begins
    }
    mn_status st = MN_OK;
    for (int32_t v = 0; v < s->vertex_count && st == MN_OK; v++) {
        if (s->some_corner[v] < 0) {
            st = mn_fail(s->context, MN_ERR_ARGUMENT, "vertex %d of a cloth belongs to no triangle", v);
            break;
        }
        if (walk_ring(s, v, s->some_corner[v]) != corners[v])
            st = mn_fail(s->context, MN_ERR_ARGUMENT, "the triangles at vertex %d of a cloth meet in that vertex only",
                         v);
    }
    mn_free(s->context, corners);
    for (int64_t v = 0; st == MN_OK && v < s->vertex_count; v++)
        for (int32_t i = s->edges.start[v]; i < s->edges.start[v + 1]; i++)
            s->edges.neighbour[i] = s->edges.end[s->edges.around[i] / 2][1 - s->edges.around[i] % 2];
    return st;
}

static mn_status allocate(mn_stain_surface *s)
{
    mn_context   *c = s->context;
    const int64_t n = s->vertex_count, t = s->triangle_count;
    s->triangle      = mn_alloc(c, mn_array_bytes(t, sizeof *s->triangle));
    s->across        = mn_alloc(c, mn_array_bytes(t, sizeof *s->across));
    s->edge_of       = mn_alloc(c, mn_array_bytes(t, sizeof *s->edge_of));
    s->corner        = mn_alloc(c, mn_array_bytes(t, sizeof *s->corner));
    s->corner_turn   = mn_alloc(c, mn_array_bytes(t, sizeof *s->corner_turn));
    s->triangle_area = mn_alloc_array(c, double, t);
    s->area          = mn_alloc_array(c, double, n);
    s->some_corner   = mn_alloc_array(c, int32_t, n);
    s->rim           = mn_alloc_array(c, uint8_t, n);
    s->tangent       = mn_alloc_array(c, mn_stain_vec, n);
    s->edges.end     = mn_alloc(c, mn_array_bytes(3 * t, sizeof *s->edges.end));
    const bool ok    = s->triangle != NULL && s->across != NULL && s->edge_of != NULL && s->corner != NULL &&
                    s->corner_turn != NULL && s->triangle_area != NULL && s->area != NULL && s->some_corner != NULL &&
                    s->rim != NULL && s->tangent != NULL && s->edges.end != NULL;
    return ok ? MN_OK : MN_ERR_MEMORY;
}

static mn_status allocate_rings(mn_stain_surface *s)
{
    s->ring_corner = mn_alloc_array(s->context, int32_t, 2 * s->edges.count);
    s->ring_angle  = mn_alloc_array(s->context, double, 2 * s->edges.count);
    s->turn        = mn_alloc_array(s->context, mn_stain_turn, s->edges.count);
    s->face        = mn_alloc(s->context, mn_array_bytes(s->edges.count, sizeof *s->face));
    return s->ring_corner != NULL && s->ring_angle != NULL && s->turn != NULL && s->face != NULL ? MN_OK
                                                                                                 : MN_ERR_MEMORY;
}

static mn_status build(mn_stain_surface *s, const mn_vec3 *x, const int32_t (*triangle)[3])
{
    MN_TRY(allocate(s));
    memcpy(s->triangle, triangle, (size_t)s->triangle_count * sizeof *triangle);
    for (int64_t k = 0; k < 3 * s->triangle_count; k++) {
        const int32_t v = triangle[k / 3][k % 3];
        if (v < 0 || v >= s->vertex_count)
            return mn_fail(s->context, MN_ERR_ARGUMENT, "triangle %lld of a cloth names vertex %d of %lld",
                           (long long)(k / 3), v, (long long)s->vertex_count);
    }
    s->edges.vertex_count = s->vertex_count;
    MN_TRY(find_edges(s));
    MN_TRY(allocate_rings(s));
    MN_TRY(mn_stain_links_index(s->context, &s->edges));
    MN_TRY(order_rings(s));
    return mn_stain_surface_measure(s, x);
}

mn_status mn_stain_surface_create(mn_context *c, int64_t vertex_count, const mn_vec3 *x, int64_t triangle_count,
                                  const int32_t (*triangle)[3], mn_stain_surface **out)
{
    *out = NULL;
    if (vertex_count < 3 || triangle_count < 1 || triangle_count > INT32_MAX / 8)
        return mn_fail(c, MN_ERR_ARGUMENT, "a cloth of %lld vertices and %lld triangles cannot be stained",
                       (long long)vertex_count, (long long)triangle_count);
    mn_stain_surface *s = mn_alloc(c, sizeof *s);
    if (s == NULL) return MN_ERR_MEMORY;
    s->context         = c;
    s->vertex_count    = vertex_count;
    s->triangle_count  = triangle_count;
    const mn_status st = build(s, x, triangle);
    if (st != MN_OK) mn_stain_surface_destroy(&s);
    *out = s;
    return st;
}
