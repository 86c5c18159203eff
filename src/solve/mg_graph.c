// SPDX-License-Identifier: MPL-2.0
// solve/mg_graph.c - coarse levels as graphs: from one to the next (liquid 5.10).
#include "solve/mg_graph.h"
#include "solve/mg_level.h"
#include "solve/mg_match.h"

#include <string.h>

/// Coarsening ends at this many unknowns, or when a level keeps more than three quarters of them.
#define FEW_UNKNOWNS  32
#define MOST_HALF_WAY 0.5f
/// A known value beside two cells in line is 3/2 spacings from their middle.
#define JOINED_E (2.0f / 3.0f)

mn_status mn_mg_graph_rows(mn_mg_graph *g, mn_arena *arena)
{
    g->begin   = mn_arena_array_zero(arena, int32_t, (int64_t)g->count + 1);
    g->e       = mn_arena_array_zero(arena, float, g->count);
    g->inverse = mn_arena_array(arena, float, g->count);
    g->x       = mn_arena_array_zero(arena, float, (int64_t)g->count + 1);
    g->b       = mn_arena_array_zero(arena, float, g->count);
    g->parent  = mn_arena_array(arena, int32_t, g->count);
    g->kept    = mn_arena_array(arena, float, g->count);
    if (g->kept == NULL) return MN_ERR_MEMORY;
    return g->begin == NULL || g->e == NULL || g->inverse == NULL || g->x == NULL || g->b == NULL || g->parent == NULL
               ? MN_ERR_MEMORY
               : MN_OK;
}

mn_status mn_mg_graph_links(mn_mg_graph *g, mn_arena *arena)
{
    for (int32_t i = 0; i < g->count; i++) g->begin[i + 1] += g->begin[i];
    g->to     = mn_arena_array(arena, int32_t, g->begin[g->count]);
    g->weight = mn_arena_array(arena, float, g->begin[g->count]);
    g->axis   = mn_arena_array(arena, uint8_t, g->begin[g->count]);
    return g->to == NULL || g->weight == NULL || g->axis == NULL ? MN_ERR_MEMORY : MN_OK;
}

// --- weakening, diagonal, colours ---

typedef struct finish_job {
    mn_mg_graph      *g;
    const mn_mg_sums *sums;
} finish_job;

/// Resistance from the middle of an unknown to its side along an axis, in parts of that of the couplings there. It
/// would be 1/2 for two equal cells in line; where an unknown joins soft cells to a hard one it must not grow
/// (liquid 5.10).
static float half_way(const mn_mg_sums *s, int axis)
{
    if (!(s->inside[axis] > 0.0f)) return 0.0f;
    const float part = 0.25f * s->leaving[axis] / s->inside[axis];
    return part < MOST_HALF_WAY ? part : MOST_HALF_WAY;
}

static void finish_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const finish_job *job = context;
    mn_mg_graph      *g   = job->g;
    for (int64_t i = begin; i < end; i++) {
        const mn_mg_sums *own = &job->sums[i];
        if (own->inside[0] + own->inside[1] + own->inside[2] > 0.0f) g->e[i] *= JOINED_E;
        float diagonal = g->e[i];
        for (int32_t k = g->begin[i]; k < g->begin[i + 1]; k++) {
            g->weight[k] /= 1.0f + half_way(own, g->axis[k]) + half_way(&job->sums[g->to[k]], g->axis[k]);
            diagonal += g->weight[k];
        }
        g->inverse[i] = diagonal > 0.0f ? 1.0f / diagonal : 0.0f;
    }
}

static int first_free(uint64_t used) { return ~used == 0 ? MN_MG_COLOURS - 1 : __builtin_ctzll(~used); }

static mn_status find_colours(mn_mg_graph *g, mn_arena *arena)
{
    uint8_t *colour = mn_arena_array(arena, uint8_t, g->count);
    g->colour_begin = mn_arena_array_zero(arena, int32_t, MN_MG_COLOURS + 1);
    g->by_colour    = mn_arena_array(arena, int32_t, g->count);
    if (colour == NULL || g->colour_begin == NULL || g->by_colour == NULL) return MN_ERR_MEMORY;
    for (int32_t i = 0; i < g->count; i++) {
        uint64_t used = 0;
        for (int32_t k = g->begin[i]; k < g->begin[i + 1]; k++)
            if (g->to[k] < i) used |= (uint64_t)1 << colour[g->to[k]];
        colour[i] = (uint8_t)first_free(used);
        g->colour_begin[colour[i] + 1]++;
        g->colours = colour[i] >= g->colours ? colour[i] + 1 : g->colours;
    }
    int32_t next[MN_MG_COLOURS];
    for (int c = 0; c < MN_MG_COLOURS; c++) {
        g->colour_begin[c + 1] += g->colour_begin[c];
        next[c] = g->colour_begin[c];
    }
    for (int32_t i = 0; i < g->count; i++) g->by_colour[next[colour[i]]++] = i;
    return MN_OK;
}

mn_status mn_mg_graph_finish(mn_mg_graph *g, const mn_mg_sums *sums, mn_pool *pool, mn_arena *arena)
{
    finish_job job = { g, sums };
    mn_parallel_for(pool, g->count, MN_MG_ROWS, finish_rows, &job);
    return find_colours(g, arena);
}

// --- the next graph ---

typedef struct next_job {
    mn_mg_graph *fine, *coarse;
    int32_t     *best;         // per fine unknown: where it would join if it is alone; NOT_ALONE or NO_PARTNER
    uint8_t     *leaf;         // per fine unknown: it does
    int32_t     *label;        // per fine unknown: room for the new numbers of the groups of its block
    int32_t     *first_block;  // per coarse block, and one more: its blocks of the fine level
    mn_mg_sums  *sums;
    int32_t     *rough_begin;  // per coarse row: room for its couplings before equal ones are added
    int32_t     *rough_to;
    float       *rough_weight;
    uint8_t     *rough_axis;
} next_job;

enum { NOT_ALONE = -1, NO_PARTNER = -2, DROPPED = -3 };

/// Groups of unknowns begin .. end-1, at most MN_MG_MATCH_NODES; parent becomes the group, counted from `base`.
static int match_range(mn_mg_graph *g, int32_t begin, int32_t end, int base)
{
    mn_mg_match m;
    mn_mg_match_begin(&m, end - begin);
    for (int32_t i = begin; i < end; i++) {
        m.outside[i - begin] = g->inverse[i] > 0.0f ? 1.0f / g->inverse[i] : 0.0f;
        for (int32_t k = g->begin[i]; k < g->begin[i + 1]; k++)
            if (g->to[k] > i && g->to[k] < end) mn_mg_match_link(&m, i - begin, g->to[k] - begin, g->weight[k]);
    }
    const int groups = mn_mg_match_run(&m);
    for (int32_t i = begin; i < end; i++) g->parent[i] = base + m.group[i - begin];
    return groups;
}

/// Where an unknown that is alone would join: its best coupling, if it dominates.
static int32_t best_partner(const mn_mg_graph *g, int32_t i)
{
    float   most = 0.0f;
    int32_t best = NO_PARTNER;
    if (1.0f - g->e[i] * g->inverse[i] < MN_MG_DROP_BELOW) return DROPPED;
    for (int32_t k = g->begin[i]; k < g->begin[i + 1]; k++)
        if (g->weight[k] > most) {
            most = g->weight[k];
            best = g->to[k];
        }
    return most * g->inverse[i] > MN_MG_LEAF_LEAST ? best : NO_PARTNER;
}

static void match_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const next_job *job = context;
    mn_mg_graph    *g   = job->fine;
    for (int64_t n = begin; n < end; n++) {
        const int32_t stop   = g->block_begin[job->first_block[n + 1]];
        int           groups = 0;
        for (int32_t i = g->block_begin[job->first_block[n]]; i < stop; i += MN_MG_MATCH_NODES) {
            const int32_t part_end                   = i + MN_MG_MATCH_NODES < stop ? i + MN_MG_MATCH_NODES : stop;
            const int     base                       = groups;
            int           members[MN_MG_MATCH_NODES] = { 0 };
            groups += match_range(g, i, part_end, base);
            for (int32_t k = i; k < part_end; k++) members[g->parent[k] - base]++;
            for (int32_t k = i; k < part_end; k++)
                job->best[k] = members[g->parent[k] - base] == 1 ? best_partner(g, k) : NOT_ALONE;
        }
    }
}

static bool may_join(const next_job *job, int32_t i)
{
    const int32_t to = job->best[i];
    return to >= 0 && (job->best[to] == NOT_ALONE || (to > i && job->best[to] != DROPPED));
}

/// An unknown alone joins its partner unless that joins another.
static void join_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const next_job *job = context;
    for (int64_t i = begin; i < end; i++)
        job->leaf[i] = job->best[i] == DROPPED || (may_join(job, (int32_t)i) && !may_join(job, job->best[i]));
}

/// Groups of each block without the leaves, each of which was a group of its own.
static void count_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const next_job *job = context;
    mn_mg_graph    *g   = job->fine;
    for (int64_t n = begin; n < end; n++) {
        int32_t groups = 0, leaves = 0;
        for (int32_t i = g->block_begin[job->first_block[n]]; i < g->block_begin[job->first_block[n + 1]]; i++) {
            if (g->parent[i] >= groups) groups = g->parent[i] + 1;
            leaves += job->leaf[i];
        }
        job->coarse->block_begin[n + 1] = groups - leaves;
    }
}

/// The new number of each group: groups of leaves are gone, and a group keeps the order of its first unknown.
static void number_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const next_job *job = context;
    mn_mg_graph    *g   = job->fine;
    for (int64_t n = begin; n < end; n++) {
        int32_t       last = -1, next = job->coarse->block_begin[n];
        const int32_t first = g->block_begin[job->first_block[n]], stop = g->block_begin[job->first_block[n + 1]];
        for (int32_t i = first; i < stop; i++) {
            const int32_t group = g->parent[i];
            if (group > last) {
                last                      = group;
                job->label[first + group] = job->leaf[i] ? -1 : next++;
            }
            g->parent[i] = job->label[first + group];
        }
    }
}

static void number_leaves(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const next_job *job = context;
    for (int64_t i = begin; i < end; i++)
        if (job->leaf[i])
            job->fine->parent[i] = job->best[i] == DROPPED ? job->coarse->count : job->fine->parent[job->best[i]];
}

/// Couplings of coarse row A, equal ones added; their number.
static int32_t gather_row(const next_job *job, int32_t a)
{
    const mn_mg_graph *g     = job->fine;
    mn_mg_sums        *s     = &job->sums[a];
    const int32_t      first = job->rough_begin[a];
    int32_t            end   = first;
    for (int32_t c = job->coarse->child_begin[a]; c < job->coarse->child_begin[a + 1]; c++) {
        const int32_t i = job->coarse->child[c];
        job->coarse->e[a] += g->e[i];
        for (int32_t k = g->begin[i]; k < g->begin[i + 1]; k++) {
            const int32_t to   = g->parent[g->to[k]];
            const uint8_t axis = g->axis[k];
            if (to == job->coarse->count) {
                job->coarse->e[a] += g->weight[k];
                continue;
            }
            if (to == a) {
                s->inside[axis] += 0.5f * g->weight[k];
                continue;
            }
            s->leaving[axis] += g->weight[k];
            int32_t at = first;
            while (at < end && (job->rough_to[at] != to || job->rough_axis[at] != axis)) at++;
            if (at == end) {
                job->rough_to[at]     = to;
                job->rough_axis[at]   = axis;
                job->rough_weight[at] = 0.0f;
                end++;
            }
            job->rough_weight[at] += g->weight[k];
        }
    }
    return end - first;
}

static void gather_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const next_job *job = context;
    for (int64_t a = begin; a < end; a++) job->coarse->begin[a + 1] = gather_row(job, (int32_t)a);
}

static void store_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const next_job *job = context;
    mn_mg_graph    *g   = job->coarse;
    for (int64_t a = begin; a < end; a++) {
        const size_t  n    = (size_t)(g->begin[a + 1] - g->begin[a]);
        const int32_t from = job->rough_begin[a], to = g->begin[a];
        if (n == 0) continue;
        memcpy(g->to + to, job->rough_to + from, n * sizeof *g->to);
        memcpy(g->weight + to, job->rough_weight + from, n * sizeof *g->weight);
        memcpy(g->axis + to, job->rough_axis + from, n * sizeof *g->axis);
    }
}

/// Blocks of the next level: those of this one whose halved coordinates agree follow each other on the curve.
static mn_status join_blocks(next_job *job, mn_arena *arena)
{
    const mn_mg_graph *g = job->fine;
    mn_mg_graph       *c = job->coarse;
    c->block_begin       = mn_arena_array_zero(arena, int32_t, (int64_t)g->blocks + 1);
    c->block_at          = mn_arena_array(arena, mn_tile_coord, g->blocks);
    job->first_block     = mn_arena_array(arena, int32_t, (int64_t)g->blocks + 1);
    if (c->block_begin == NULL || c->block_at == NULL || job->first_block == NULL) return MN_ERR_MEMORY;
    for (int32_t n = 0; n < g->blocks; n++) {
        const mn_tile_coord at  = { g->block_at[n].x >> 1, g->block_at[n].y >> 1, g->block_at[n].z >> 1 };
        const mn_tile_coord old = c->blocks > 0 ? c->block_at[c->blocks - 1] : (mn_tile_coord){ -1, -1, -1 };
        if (at.x == old.x && at.y == old.y && at.z == old.z) continue;
        job->first_block[c->blocks] = n;
        c->block_at[c->blocks++]    = at;
    }
    job->first_block[c->blocks] = g->blocks;
    return MN_OK;
}

static mn_status list_children(next_job *job, mn_arena *arena)
{
    const mn_mg_graph *g = job->fine;
    mn_mg_graph       *c = job->coarse;
    c->child_begin       = mn_arena_array_zero(arena, int32_t, (int64_t)c->count + 2);
    c->child             = mn_arena_array(arena, int32_t, g->count);
    job->rough_begin     = mn_arena_array_zero(arena, int32_t, (int64_t)c->count + 2);
    if (c->child_begin == NULL || c->child == NULL || job->rough_begin == NULL) return MN_ERR_MEMORY;
    for (int32_t i = 0; i < g->count; i++) {
        c->child_begin[g->parent[i] + 1]++;
        job->rough_begin[g->parent[i] + 1] += g->begin[i + 1] - g->begin[i];
    }
    for (int32_t a = 0; a <= c->count; a++) {  // the last one is that of unknowns without a parent
        c->child_begin[a + 1] += c->child_begin[a];
        job->rough_begin[a + 1] += job->rough_begin[a];
    }
    for (int32_t i = g->count; i-- > 0;) c->child[--c->child_begin[g->parent[i] + 1]] = i;
    for (int32_t a = 0; a <= c->count; a++) c->child_begin[a] = c->child_begin[a + 1];
    return MN_OK;
}

mn_status mn_mg_next_graph(mn_mg_graph *fine, mn_mg_graph *coarse, mn_pool *pool, mn_arena *arena)
{
    next_job job = { .fine = fine, .coarse = coarse };
    MN_TRY(join_blocks(&job, arena));
    job.best  = mn_arena_array(arena, int32_t, fine->count);
    job.leaf  = mn_arena_array(arena, uint8_t, fine->count);
    job.label = mn_arena_array(arena, int32_t, fine->count);
    if (job.best == NULL || job.leaf == NULL || job.label == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, coarse->blocks, 64, match_blocks, &job);
    mn_parallel_for(pool, fine->count, MN_MG_ROWS, join_rows, &job);
    mn_parallel_for(pool, coarse->blocks, 64, count_blocks, &job);
    for (int32_t n = 0; n < coarse->blocks; n++) coarse->block_begin[n + 1] += coarse->block_begin[n];
    coarse->count = coarse->block_begin[coarse->blocks];
    mn_parallel_for(pool, coarse->blocks, 64, number_blocks, &job);
    mn_parallel_for(pool, fine->count, MN_MG_ROWS, number_leaves, &job);
    MN_TRY(list_children(&job, arena));
    const int64_t rough = fine->begin[fine->count];
    job.rough_to        = mn_arena_array(arena, int32_t, rough);
    job.rough_weight    = mn_arena_array(arena, float, rough);
    job.rough_axis      = mn_arena_array(arena, uint8_t, rough);
    job.sums            = mn_arena_array_zero(arena, mn_mg_sums, coarse->count);
    if (job.rough_to == NULL || job.rough_weight == NULL || job.rough_axis == NULL || job.sums == NULL)
        return MN_ERR_MEMORY;
    MN_TRY(mn_mg_graph_rows(coarse, arena));
    mn_parallel_for(pool, coarse->count, MN_MG_ROWS, gather_rows, &job);
    MN_TRY(mn_mg_graph_links(coarse, arena));
    mn_parallel_for(pool, coarse->count, MN_MG_ROWS, store_rows, &job);
    return mn_mg_graph_finish(coarse, job.sums, pool, arena);
}

mn_status mn_mg_make_graphs(mn_mg_graphs *g, mn_pool *pool, const mn_mg_level *l, const mn_mg_natural *natural,
                            mn_arena *arena)
{
    memset(g, 0, sizeof *g);
    MN_TRY(mn_mg_first_graph(g, pool, l, natural, arena));
    for (g->levels = 1; g->levels < MN_MG_GRAPH_LEVELS; g->levels++) {
        mn_mg_graph *fine = &g->level[g->levels - 1];
        if (fine->count <= FEW_UNKNOWNS) break;
        MN_TRY(mn_mg_next_graph(fine, fine + 1, pool, arena));
        if (fine->blocks == 1 && 4 * (int64_t)fine[1].count > 3 * (int64_t)fine->count) break;
    }
    return MN_OK;
}
