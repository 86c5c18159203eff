// SPDX-License-Identifier: MPL-2.0
// solve/mg_graph_first.c - the first coarse level as a graph: well coupled cells of each block of 2x2x2 (liquid 5.10).
#include "solve/mg_graph.h"
#include "solve/mg_level.h"
#include "solve/mg_match.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TILE_BLOCKS 64

typedef struct first_job {
    const mn_mg_level   *l;
    const mn_mg_natural *n;
    mn_mg_graph         *g;
    int32_t             *parent;  // natural order; first the group within the block, then the unknown
    int32_t             *order;   // tiles along the Morton curve
    uint8_t             *best;    // per cell: the side of its best coupling, if it is alone in its group
    uint8_t             *leaf;    // per cell: it joins the group on that side
    mn_mg_sums          *sums;
    int                  tile_blocks;
    bool                 store;
} first_job;

enum { NOT_ALONE = 6, NO_PARTNER = 7, DROPPED = 8 };  // DROPPED: has no group and gets no parent

/// Low and high faces of the cells of a tile.
typedef struct tile_faces {
    float low[3][512], high[3][512], e[512];
} tile_faces;

/// The cell beside cell i of tile t: side 0 is low x, 1 high x, and so on.
static size_t cell_beside(const mn_mg_level *l, int32_t t, int i, int side)
{
    static const int stride[3] = { 1, 8, 64 };
    const int        axis = side >> 1, at = i >> 3 * axis & 7, last = axis == 2 ? l->nz - 1 : 7;
    if (side & 1) {
        if (at < last) return (size_t)t * l->cells + (size_t)(i + stride[axis]);
        return (size_t)l->near[t][side] * l->cells + (size_t)(i - last * stride[axis]);
    }
    if (at > 0) return (size_t)t * l->cells + (size_t)(i - stride[axis]);
    return (size_t)l->near[t][side] * l->cells + (size_t)(i + last * stride[axis]);
}

static void gather_tile(const first_job *job, int32_t t, tile_faces *f)
{
    const mn_mg_level *l   = job->l;
    const size_t       own = (size_t)t * l->cells;
    memcpy(f->e, job->n->e + own, (size_t)l->cells * sizeof *f->e);
    for (int axis = 0; axis < (l->nz > 1 ? 3 : 2); axis++) {
        memcpy(f->low[axis], job->n->c[axis] + own, (size_t)l->cells * sizeof(float));
        for (int i = 0; i < l->cells; i++) f->high[axis][i] = job->n->c[axis][cell_beside(l, t, i, 2 * axis + 1)];
    }
}

/// First cell of block m of a tile: the bits of m are x, y(, z), x, y(, z).
static int block_cell(int m, int nz)
{
    int x = 0, y = 0, z = 0;
    for (int k = 0; k < 2; k++) {
        x |= (m & 1) << k;
        m >>= 1;
        y |= (m & 1) << k;
        m >>= 1;
        if (nz == 1) continue;
        z |= (m & 1) << k;
        m >>= 1;
    }
    return 2 * x + 16 * y + 128 * z;
}

static int cell_of_block(int first, int k) { return first + (k & 1) + 8 * (k >> 1 & 1) + 64 * (k >> 2); }

/// Groups of the cells of one block; the number of groups.
static int match_block(const tile_faces *f, int first, int nz, int32_t *group)
{
    const int size = nz > 1 ? 8 : 4, axes = nz > 1 ? 3 : 2;
    float     diagonal[8], most = 0.0f, least = 1e30f;
    int       node[8], nodes = 0;
    for (int k = 0; k < size; k++) {
        const int i = cell_of_block(first, k);
        diagonal[k] = f->e[i];
        for (int axis = 0; axis < axes; axis++) {
            diagonal[k] += f->low[axis][i] + f->high[axis][i];
            if ((k >> axis & 1) == 0 && f->high[axis][i] < least) least = f->high[axis][i];
        }
        node[k] = diagonal[k] - f->e[i] > MN_MG_DROP_BELOW * diagonal[k] ? nodes++ : -1;
        most    = diagonal[k] > most ? diagonal[k] : most;
    }
    if (2.0f * least > MN_MG_MATCH_LEAST * most) {  // the usual case: everything is well coupled
        for (int k = 0; k < size; k++) group[k] = 0;
        return 1;
    }
    mn_mg_match m;
    mn_mg_match_begin(&m, nodes);
    for (int k = 0; k < size; k++) {
        if (node[k] < 0) continue;
        m.outside[node[k]] = diagonal[k];
        for (int axis = 0; axis < axes; axis++) {
            const int   other = k | 1 << axis;
            const float w     = f->high[axis][cell_of_block(first, k)];
            if (other != k && node[other] >= 0 && w > 0.0f) mn_mg_match_link(&m, node[k], node[other], w);
        }
    }
    const int groups = mn_mg_match_run(&m);
    for (int k = 0; k < size; k++) group[k] = node[k] < 0 ? -1 : m.group[node[k]];
    return groups;
}

/// The best coupling of a cell that is alone in its group, if it dominates (liquid 5.10).
static uint8_t best_side(const tile_faces *f, int i, int axes)
{
    float sum = f->e[i], most = 0.0f;
    int   best = NO_PARTNER;
    for (int side = 0; side < 2 * axes; side++) {
        const float w = side & 1 ? f->high[side / 2][i] : f->low[side / 2][i];
        sum += w;
        if (w > most) {
            most = w;
            best = side;
        }
    }
    return (uint8_t)(most > MN_MG_LEAF_LEAST * sum ? best : NO_PARTNER);
}

static void match_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const first_job *job = context;
    const int        nz = job->l->nz, size = nz > 1 ? 8 : 4;
    tile_faces       f;
    for (int64_t n = begin; n < end; n++) {
        const size_t at = (size_t)job->order[n] * job->l->cells;
        gather_tile(job, job->order[n], &f);
        for (int m = 0; m < job->tile_blocks; m++) {
            int32_t   group[8];
            int       members[8] = { 0 };
            const int first      = block_cell(m, nz);
            match_block(&f, first, nz, group);
            for (int k = 0; k < size; k++)
                if (group[k] >= 0) members[group[k]]++;
            for (int k = 0; k < size; k++) {
                const int i         = cell_of_block(first, k);
                job->parent[at + i] = group[k];
                job->best[at + i]   = group[k] < 0             ? DROPPED
                                      : members[group[k]] == 1 ? best_side(&f, i, nz > 1 ? 3 : 2)
                                                               : NOT_ALONE;
            }
        }
    }
}

/// Whether a cell alone would join its best neighbour: one in a group of several, or of a higher number; not one that
/// is dropped, which would leave it without a parent.
static bool may_join(const first_job *job, int32_t t, int i, size_t *to)
{
    const size_t own = (size_t)t * job->l->cells + (size_t)i;
    if (job->best[own] >= NOT_ALONE) return false;
    *to = cell_beside(job->l, t, i, job->best[own]);
    return job->best[*to] == NOT_ALONE || (*to > own && job->best[*to] != DROPPED);
}

/// A cell joins unless its partner joins another: no chains, so that the result does not depend on any order.
static void join_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const first_job *job   = context;
    const size_t     cells = (size_t)job->l->cells;
    for (int64_t n = begin; n < end; n++)
        for (int i = 0; i < job->l->cells; i++) {
            const int32_t t = job->order[n];
            size_t        to, beyond;
            job->leaf[(size_t)t * cells + (size_t)i] = may_join(job, t, i, &to) &&
                                                       !may_join(job, (int32_t)(to / cells), (int)(to % cells),
                                                                 &beyond);
        }
}

static void count_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const first_job *job = context;
    const int        nz  = job->l->nz;
    for (int64_t n = begin; n < end; n++)
        for (int m = 0; m < job->tile_blocks; m++) {
            const int first    = block_cell(m, nz);
            int32_t   label[8] = { -1, -1, -1, -1, -1, -1, -1, -1 }, groups = 0;
            for (int k = 0; k < (nz > 1 ? 8 : 4); k++) {
                const size_t at = (size_t)job->order[n] * job->l->cells + (size_t)cell_of_block(first, k);
                if (job->parent[at] < 0 || job->leaf[at]) continue;
                int32_t *l = &label[job->parent[at]];
                if (*l < 0) *l = groups++;
                job->parent[at] = *l;
            }
            job->g->block_begin[n * job->tile_blocks + m + 1] = groups;
        }
}

static void number_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const first_job *job = context;
    const int        nz  = job->l->nz;
    for (int64_t n = begin; n < end; n++)
        for (int m = 0; m < job->tile_blocks; m++) {
            const int32_t base  = job->g->block_begin[n * job->tile_blocks + m];
            const int     first = block_cell(m, nz);
            for (int k = 0; k < (nz > 1 ? 8 : 4); k++) {
                const size_t at = (size_t)job->order[n] * job->l->cells + (size_t)cell_of_block(first, k);
                if (!job->leaf[at]) job->parent[at] = job->parent[at] < 0 ? job->g->count : base + job->parent[at];
            }
        }
}

static void number_leaves(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const first_job *job = context;
    for (int64_t n = begin; n < end; n++)
        for (int i = 0; i < job->l->cells; i++) {
            const int32_t t  = job->order[n];
            const size_t  at = (size_t)t * job->l->cells + (size_t)i;
            if (job->leaf[at]) job->parent[at] = job->parent[cell_beside(job->l, t, i, job->best[at])];
        }
}

// --- couplings ---

/// The couplings of one unknown while they are gathered. It has at most 8 cells of a block and a leaf at each of their
/// faces, so that there is always room.
typedef struct row_buffer {
    int     count;
    int32_t to[256];
    uint8_t axis[256];
    float   weight[256];
} row_buffer;

static void add_coupling(row_buffer *r, int32_t to, int axis, float weight)
{
    for (int k = 0; k < r->count; k++)
        if (r->to[k] == to && r->axis[k] == axis) {
            r->weight[k] += weight;
            return;
        }
    const int k  = r->count++;
    r->to[k]     = to;
    r->axis[k]   = (uint8_t)axis;
    r->weight[k] = weight;
}

static void couple_cell(const first_job *job, int32_t own, size_t at, row_buffer *r)
{
    const mn_mg_level *l = job->l;
    const int32_t      t = (int32_t)(at / (size_t)l->cells);
    const int          i = (int)(at % (size_t)l->cells);
    mn_mg_sums        *s = &job->sums[own];
    if (job->store) job->g->e[own] += job->n->e[at];
    for (int side = 0; side < (l->nz > 1 ? 6 : 4); side++) {
        const size_t beside = cell_beside(l, t, i, side);
        const float  w      = job->n->c[side / 2][side & 1 ? beside : at];
        if (!(w > 0.0f)) continue;
        const int32_t other = job->parent[beside];
        if (other == job->g->count) {
            if (job->store) job->g->e[own] += w;
            continue;
        }
        if (job->store) *(other == own ? &s->inside[side / 2] : &s->leaving[side / 2]) += other == own ? 0.5f * w : w;
        if (other != own) add_coupling(r, other, side / 2, w);
    }
}

static void couple_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const first_job *job = context;
    mn_mg_graph     *g   = job->g;
    row_buffer       r;
    for (int64_t row = begin; row < end; row++) {
        r.count = 0;
        for (int32_t k = g->child_begin[row]; k < g->child_begin[row + 1]; k++)
            couple_cell(job, (int32_t)row, (size_t)g->child[k], &r);
        if (!job->store) g->begin[row + 1] = r.count;
        if (!job->store || r.count == 0) continue;
        memcpy(g->to + g->begin[row], r.to, (size_t)r.count * sizeof *g->to);
        memcpy(g->axis + g->begin[row], r.axis, (size_t)r.count * sizeof *g->axis);
        memcpy(g->weight + g->begin[row], r.weight, (size_t)r.count * sizeof *g->weight);
    }
}

/// Children of each unknown, as places in the natural arrays.
static mn_status list_cells(const first_job *job, mn_arena *arena)
{
    const mn_mg_level *l = job->l;
    mn_mg_graph       *g = job->g;
    const int64_t      n = (int64_t)l->count * l->cells;
    g->child_begin       = mn_arena_array_zero(arena, int32_t, (int64_t)g->count + 2);
    g->child             = mn_arena_array(arena, int32_t, n);
    if (g->child_begin == NULL || g->child == NULL) return MN_ERR_MEMORY;
    for (int64_t i = 0; i < n; i++) g->child_begin[job->parent[i] + 1]++;
    for (int32_t a = 0; a <= g->count; a++) g->child_begin[a + 1] += g->child_begin[a];
    for (int64_t i = n; i-- > 0;) g->child[--g->child_begin[job->parent[i] + 1]] = (int32_t)i;
    for (int32_t a = 0; a <= g->count; a++) g->child_begin[a] = g->child_begin[a + 1];
    g->child_begin[g->count + 1] = (int32_t)n;
    return MN_OK;
}

/// What the cycle needs: children and parents in the coloured layout, of colour 0 only.
static void keep_colour_0(const first_job *job)
{
    const mn_mg_level *l    = job->l;
    mn_mg_graph       *g    = job->g;
    int32_t            kept = 0;
    for (int32_t a = 0; a < g->count; a++) {
        const int32_t begin = g->child_begin[a];
        g->child_begin[a]   = kept;
        for (int32_t k = begin; k < g->child_begin[a + 1]; k++) {
            const size_t at = mn_mg_coloured(l, (size_t)g->child[k]);
            if (at % (size_t)l->cells < (size_t)l->half) g->child[kept++] = (int32_t)at;
        }
    }
    g->child_begin[g->count] = kept;
}

/// The parents in the coloured layout (mg_vector.h).
static void colour_parents(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const first_job *job = context;
    for (int64_t n = begin; n < end; n++) {
        const size_t base = (size_t)job->order[n] * job->l->cells;
        int32_t      natural[512];
        memcpy(natural, job->parent + base, (size_t)job->l->cells * sizeof *natural);
        for (int i = 0; i < job->l->cells; i++) job->parent[mn_mg_coloured(job->l, base + (size_t)i)] = natural[i];
    }
}

typedef struct curve_place {
    uint64_t key;
    int32_t  tile;
} curve_place;

static int compare_places(const void *a, const void *b)
{
    const curve_place *p = a, *q = b;
    return p->key < q->key ? -1 : p->key > q->key;
}

static uint64_t spread_bits(uint64_t v)
{
    uint64_t spread = 0;
    for (int k = 0; k < 21; k++) spread |= (v >> k & 1) << 3 * k;
    return spread;
}

static mn_status order_tiles(first_job *job, mn_arena *arena)
{
    const mn_mg_level *l     = job->l;
    curve_place       *place = mn_arena_array(arena, curve_place, l->count);
    job->order               = mn_arena_array(arena, int32_t, l->count);
    if (place == NULL || job->order == NULL) return MN_ERR_MEMORY;
    for (int32_t t = 1; t < l->count; t++)
        place[t - 1] = (curve_place){ spread_bits((uint64_t)l->coord[t].x) | spread_bits((uint64_t)l->coord[t].y) << 1 |
                                          spread_bits((uint64_t)l->coord[t].z) << 2,
                                      t };
    qsort(place, (size_t)l->count - 1, sizeof *place, compare_places);
    for (int32_t n = 0; n + 1 < l->count; n++) job->order[n] = place[n].tile;
    return MN_OK;
}

static mn_status take_blocks(first_job *job, mn_arena *arena)
{
    const int    nz = job->l->nz;
    mn_mg_graph *g  = job->g;
    g->blocks       = (job->l->count - 1) * job->tile_blocks;
    g->block_begin  = mn_arena_array_zero(arena, int32_t, (int64_t)g->blocks + 1);
    g->block_at     = mn_arena_array(arena, mn_tile_coord, g->blocks);
    if (g->block_begin == NULL || g->block_at == NULL) return MN_ERR_MEMORY;
    for (int32_t n = 0; n < g->blocks; n++) {
        const mn_tile_coord at = job->l->coord[job->order[n / job->tile_blocks]];
        const int           i  = block_cell(n % job->tile_blocks, nz);
        g->block_at[n]         = (mn_tile_coord){ 4 * at.x + i % 8 / 2, 4 * at.y + i / 8 % 8 / 2,
                                          nz > 1 ? 4 * at.z + i / 128 : 0 };
    }
    return MN_OK;
}

mn_status mn_mg_first_graph(mn_mg_graphs *graphs, mn_pool *pool, const mn_mg_level *l, const mn_mg_natural *natural,
                            mn_arena *arena)
{
    mn_mg_graph  *g     = &graphs->level[0];
    const int64_t tiles = l->count - 1, block = mn_mg_block(tiles);
    graphs->parent = mn_arena_array(arena, int32_t, (int64_t)l->count * l->cells);
    first_job job  = { .l = l, .n = natural, .g = g, .parent = graphs->parent, .tile_blocks = l->nz > 1 ? 64 : 16 };
    if (graphs->parent == NULL) return MN_ERR_MEMORY;
    MN_TRY(order_tiles(&job, arena));
    MN_TRY(take_blocks(&job, arena));
    job.best = mn_arena_array(arena, uint8_t, (int64_t)l->count * l->cells);
    job.leaf = mn_arena_array_zero(arena, uint8_t, (int64_t)l->count * l->cells);
    if (job.best == NULL || job.leaf == NULL) return MN_ERR_MEMORY;
    memset(job.best, NO_PARTNER, (size_t)l->cells);
    mn_parallel_for(pool, tiles, block, match_tiles, &job);
    mn_parallel_for(pool, tiles, block, join_tiles, &job);
    mn_parallel_for(pool, tiles, block, count_tiles, &job);
    for (int32_t n = 0; n < g->blocks; n++) g->block_begin[n + 1] += g->block_begin[n];
    g->count = g->block_begin[g->blocks];
    for (int32_t i = 0; i < l->cells; i++) job.parent[i] = g->count;
    mn_parallel_for(pool, tiles, block, number_tiles, &job);
    mn_parallel_for(pool, tiles, block, number_leaves, &job);
    MN_TRY(list_cells(&job, arena));
    MN_TRY(mn_mg_graph_rows(g, arena));
    job.sums = mn_arena_array_zero(arena, mn_mg_sums, g->count);
    if (job.sums == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, g->count, MN_MG_ROWS, couple_rows, &job);
    MN_TRY(mn_mg_graph_links(g, arena));
    job.store = true;
    mn_parallel_for(pool, g->count, MN_MG_ROWS, couple_rows, &job);
    mn_parallel_for(pool, tiles, block, colour_parents, &job);
    keep_colour_0(&job);
    return mn_mg_graph_finish(g, job.sums, pool, arena);
}
