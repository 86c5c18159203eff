// SPDX-License-Identifier: MPL-2.0
// liquid/surface_region.c - the connected regions of the liquid, and how much of it is in each.
//
// Nodes are connected along edges of the grid, as the cases of the cutting have it. A region without a particle is an
// error of the levels, and no liquid.
#include "liquid/surface_mesh_private.h"

#include "base/pool.h"

typedef struct region_job {
    mn_surface_mesh         *mesh;
    const mn_surface_source *source;
    int32_t                 *owner;  // region of each particle; -1: none is near
} region_job;

static void inside_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_surface_mesh *m     = ((const region_job *)context)->mesh;
    const int32_t    cells = m->fine.tiles.cells;
    for (int64_t i = begin * cells; i < end * cells; i++)
        m->inside[i] = i >= cells && m->fine.level[i] < 0.0 && m->fine.solid[i] < 0.0;
}

static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/// Joins every node to those before it. The root of a region is its first node.
static void join_nodes(mn_surface_mesh *m)
{
    const mn_tiles *t      = &m->fine.tiles;
    int32_t        *parent = m->region;
    for (int32_t i = 0; i < t->count * t->cells; i++) parent[i] = m->inside[i] ? i : -1;
    for (int32_t tile = 1; tile < t->count; tile++)
        for (int32_t k = 0; k < t->cells; k++) {
            const int32_t i = tile * t->cells + k;
            if (!m->inside[i]) continue;
            for (int a = 0; a < t->def.dimension; a++) {
                const int64_t low = mn_cell_next(t, tile, k, a, -1);
                if (!m->inside[low]) continue;
                const int32_t p = root_of(parent, i), q = root_of(parent, (int32_t)low);
                parent[p > q ? p : q] = p > q ? q : p;
            }
        }
}

/// Numbers of regions in place of their first nodes, from which all others lead backwards.
static void number_regions(mn_surface_mesh *m)
{
    const mn_tiles *t      = &m->fine.tiles;
    int32_t        *parent = m->region;
    m->region_count        = 0;
    for (int32_t i = 0; i < t->count * t->cells; i++) {
        if (parent[i] < 0) continue;
        // What came before is a number already: its parent is none any more.
        if (parent[i] == i) parent[i] = m->region_count++;
        else parent[i] = parent[parent[i]];
    }
}

static void own_particles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const region_job      *job  = context;
    const mn_surface_mesh *m    = job->mesh;
    const mn_tiles        *t    = &m->fine.tiles;
    const int              flat = t->tile_z == 1;
    for (int64_t i = begin; i < end; i++) {
        const mn_vec3 x = mn_v3(job->source->position[0][i], job->source->position[1][i], job->source->position[2][i]);
        int32_t       at[3];
        double        least = INFINITY;
        mn_surface_nearest(t, x, at);
        const mn_surface_spot spot = mn_surface_spot_of(t, at);
        const int64_t         here = mn_surface_beside(t, &spot, 0, 0, 0);
        job->owner[i]              = m->inside[here] ? m->region[here] : -1;
        if (m->inside[here]) continue;
        for (int z = flat ? 0 : -1; z <= (flat ? 0 : 1); z++)
            for (int y = -1; y <= 1; y++)
                for (int w = -1; w <= 1; w++) {
                    const int64_t place = mn_surface_beside(t, &spot, w, y, z);
                    if (!m->inside[place]) continue;
                    const mn_vec3 node = mn_surface_node(t, (int32_t)(place / t->cells), (int32_t)(place % MN_TILE),
                                                         (int32_t)(place % t->cells) / MN_TILE % MN_TILE,
                                                         (int32_t)(place % t->cells) / (MN_TILE * MN_TILE));
                    const mn_vec3 d    = mn_sub3(node, mn_v3(x.x, x.y, flat ? node.z : x.z));
                    if (mn_dot3(d, d) < least) least = mn_dot3(d, d), job->owner[i] = m->region[place];
                }
    }
}

static void drop_empty(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_surface_mesh *m     = ((const region_job *)context)->mesh;
    const int32_t    cells = m->fine.tiles.cells;
    for (int64_t i = begin * cells; i < end * cells; i++)
        if (m->inside[i] && m->content[m->region[i]] <= 0.0) m->inside[i] = 0, m->region[i] = -1;
}

mn_status mn_surface_regions(mn_surface_mesh *m, const mn_surface_source *s, int64_t own)
{
    mn_pool   *pool = mn_context_pool(m->context);
    region_job job  = { .mesh = m, .source = s, .owner = mn_arena_array(m->arena, int32_t, own) };
    if (job.owner == NULL) return MN_ERR_MEMORY;
    if ((int64_t)m->fine.tiles.count * m->fine.tiles.cells > INT32_MAX)
        return mn_fail(m->context, MN_ERR_MEMORY, "the surface of the liquid needs more than %d nodes", INT32_MAX);
    mn_parallel_for(pool, m->fine.tiles.count, 4, inside_tiles, &job);
    join_nodes(m);
    number_regions(m);
    m->content = mn_arena_array_zero(m->arena, double, m->region_count);
    m->lone    = mn_arena_array(m->arena, int32_t, m->region_count);
    if (m->content == NULL || m->lone == NULL) return MN_ERR_MEMORY;
    for (int32_t r = 0; r < m->region_count; r++) m->lone[r] = -1;
    mn_parallel_for(pool, own, MN_BLOCK, own_particles, &job);
    for (int64_t i = 0; i < own; i++) {
        const int32_t r = job.owner[i];
        if (r < 0) continue;
        m->content[r] += s->volume[i];
        m->lone[r] = m->lone[r] == -1 ? (int32_t)i : -2;
    }
    mn_parallel_for(pool, m->fine.tiles.count, 4, drop_empty, &job);
    return MN_OK;
}
