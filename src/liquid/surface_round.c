// SPDX-License-Identifier: MPL-2.0
// liquid/surface_round.c - more triangles where the surface turns by much from one point to the next.
//
// An edge whose ends look in different directions gets a point in its middle, on the curve that leaves both ends along
// the surface (Vlachos and others 2001). Each triangle is divided by the points on its own edges, so that the mesh
// stays closed: the triangle on the other side of an edge has the same point.
#include "liquid/surface_mesh_private.h"

#include <string.h>

/// Cosine of the angle between the normals of two ends from which on an edge is divided: 35 degrees.
#define BENT 0.82

typedef struct edge {
    int32_t low, high, middle;  // points; low < 0: no edge
} edge;

typedef struct round_job {
    mn_surface_mesh *mesh;
    const double (*normal)[3];
    const uint8_t *fixed;
    edge          *table;
    uint64_t       mask;  // places of the table, less one
    int64_t        edges, cells;
} round_job;

static bool is_bent(const round_job *job, int32_t p, int32_t q)
{
    const mn_vec3 u = mn_v3_from(job->normal[p]), v = mn_v3_from(job->normal[q]);
    return !job->fixed[p] && !job->fixed[q] && mn_dot3(u, u) > 0.5 && mn_dot3(v, v) > 0.5 && mn_dot3(u, v) < BENT;
}

/// The place of an edge in the table, or that where it is to be.
static edge *find_edge(const round_job *job, int32_t p, int32_t q)
{
    const int32_t low = p < q ? p : q, high = p < q ? q : p;
    uint64_t      at = ((uint64_t)(uint32_t)low * 0x9e3779b97f4a7c15u + (uint64_t)(uint32_t)high * 0xc2b2ae3d27d4eb4fu);
    for (at = (at ^ at >> 29) & job->mask;; at = (at + 1) & job->mask) {
        edge *e = &job->table[at];
        if (e->low < 0 || (e->low == low && e->high == high)) return e;
    }
}

/// The middle of a side of a triangle; -1 if that is not divided.
static int32_t middle_of(const round_job *job, int32_t p, int32_t q)
{
    return is_bent(job, p, q) ? find_edge(job, p, q)->middle : -1;
}

/// Sides of triangles that are divided: each edge has two. An edge adds two triangles.
static int64_t count_sides(const round_job *job)
{
    const mn_surface_mesh *m     = job->mesh;
    int64_t                sides = 0;
    for (int64_t k = 0; k < m->cell_count; k++)
        for (int c = 0; c < 3; c++) sides += is_bent(job, m->cells[3 * k + c], m->cells[3 * k + (c + 1) % 3]);
    return sides;
}

static void number_edges(round_job *job)
{
    mn_surface_mesh *m = job->mesh;
    for (uint64_t k = 0; k <= job->mask; k++) job->table[k].low = -1;
    for (int64_t k = 0; k < m->cell_count; k++)
        for (int c = 0; c < 3; c++) {
            const int32_t p = m->cells[3 * k + c], q = m->cells[3 * k + (c + 1) % 3];
            if (p > q || !is_bent(job, p, q)) continue;  // the other triangle has it the other way round
            edge *e = find_edge(job, p, q);
            *e      = (edge){ p, q, (int32_t)(m->point_count + job->edges++) };
        }
}

static void put_middle(const round_job *job, const edge *e)
{
    mn_surface_mesh *m = job->mesh;
    const mn_vec3    p = mn_v3_from(m->position[e->low]), q = mn_v3_from(m->position[e->high]), d = mn_sub3(q, p),
                  u = mn_v3_from(job->normal[e->low]), v = mn_v3_from(job->normal[e->high]);
    const mn_vec3 out         = mn_sub3(mn_scale3(mn_dot3(d, v), v), mn_scale3(mn_dot3(d, u), u)),
                  x           = mn_add3(mn_scale3(0.5, mn_add3(p, q)), mn_scale3(0.125, out));
    m->position[e->middle][0] = x.x, m->position[e->middle][1] = x.y, m->position[e->middle][2] = x.z;
    for (int a = 0; a < 3; a++) m->velocity[e->middle][a] = 0.5 * (m->velocity[e->low][a] + m->velocity[e->high][a]);
    for (int k = 0; k < m->pigment_count; k++)
        m->concentration[k][e->middle] = 0.5 * (m->concentration[k][e->low] + m->concentration[k][e->high]);
    m->on_solid[e->middle]  = 0;
    m->region_of[e->middle] = m->region_of[e->low];
}

/// Triangles of one that is divided at the middles of its sides, those that are not -1. Returns how many.
static int divide(const int32_t corner[3], const int32_t middle[3], int32_t out[4][3])
{
    // A fan of the polygon would do; this keeps the triangles from becoming slivers where two or three are divided.
    int first = 0, count = 0;
    for (int c = 0; c < 3; c++) count += middle[c] >= 0;
    while (count == 1 && middle[first] < 0) first++;
    while (count == 2 && (middle[first] < 0 || middle[(first + 1) % 3] < 0)) first++;
    const int32_t a = corner[first], b = corner[(first + 1) % 3], c = corner[(first + 2) % 3], ab = middle[first],
                  bc = middle[(first + 1) % 3], ca = middle[(first + 2) % 3];
    const int32_t cut[4][4][3] = { { { a, b, c } },
                                   { { a, ab, c }, { ab, b, c } },
                                   { { ab, b, bc }, { a, ab, bc }, { a, bc, c } },
                                   { { a, ab, ca }, { ab, b, bc }, { ca, bc, c }, { ab, bc, ca } } };
    memcpy(out, cut[count], sizeof cut[count]);
    return count + 1;
}

static mn_status take_room(mn_surface_mesh *m, int64_t points, int64_t cells)
{
    if (points > INT32_MAX || cells > INT32_MAX / 3)
        return mn_fail(m->context, MN_ERR_MEMORY, "the surface of the liquid has %lld points; a frame holds at most %d",
                       (long long)points, INT32_MAX);
    uint8_t *on_solid  = mn_arena_array(m->arena, uint8_t, points);
    int32_t *region_of = mn_arena_array(m->arena, int32_t, points);
    if (on_solid == NULL || region_of == NULL) return MN_ERR_MEMORY;
    memcpy(on_solid, m->on_solid, (size_t)m->point_count * sizeof *on_solid);
    memcpy(region_of, m->region_of, (size_t)m->point_count * sizeof *region_of);
    m->on_solid = on_solid, m->region_of = region_of;
    MN_TRY(mn_array_reserve(m->context, &m->position, &m->position_capacity, points, sizeof *m->position));
    MN_TRY(mn_array_reserve(m->context, &m->velocity, &m->velocity_capacity, points, sizeof *m->velocity));
    for (int k = 0; k < m->pigment_count; k++)
        MN_TRY(mn_array_reserve(m->context, &m->concentration[k], &m->concentration_capacity[k], points,
                                sizeof *m->concentration[k]));
    return mn_array_reserve(m->context, &m->cells, &m->cells_capacity, 3 * cells, sizeof *m->cells);
}

/// The triangles anew, from the last to the first: each is read before anything is written over it.
static void divide_cells(const round_job *job)
{
    mn_surface_mesh *m  = job->mesh;
    int64_t          to = job->cells;
    for (int64_t k = m->cell_count - 1; k >= 0; k--) {
        int32_t corner[3], middle[3], out[4][3];
        memcpy(corner, m->cells + 3 * k, sizeof corner);
        for (int c = 0; c < 3; c++) middle[c] = middle_of(job, corner[c], corner[(c + 1) % 3]);
        const int count = divide(corner, middle, out);
        to -= count;
        memcpy(m->cells + 3 * to, out, (size_t)count * sizeof *out);
    }
    m->cell_count = job->cells;
}

mn_status mn_surface_round(mn_surface_mesh *m, const double (*normal)[3], const uint8_t *fixed)
{
    round_job job = { .mesh = m, .normal = normal, .fixed = fixed, .mask = 63 };
    if (m->fine.tiles.def.dimension == 2) return MN_OK;
    const int64_t sides = count_sides(&job);
    job.cells           = m->cell_count + sides;
    while ((int64_t)job.mask < sides) job.mask = 2 * job.mask + 1;
    job.table = mn_arena_array(m->arena, edge, (int64_t)job.mask + 1);
    if (job.table == NULL) return MN_ERR_MEMORY;
    MN_TRY(take_room(m, m->point_count + sides / 2, job.cells));
    number_edges(&job);
    for (uint64_t k = 0; k <= job.mask; k++)
        if (job.table[k].low >= 0) put_middle(&job, &job.table[k]);
    divide_cells(&job);
    m->point_count += job.edges;
    return MN_OK;
}
