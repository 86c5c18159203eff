// SPDX-License-Identifier: MPL-2.0
// solve/mg_graph.h - inside the multigrid: coarse levels as graphs, for coefficients that jump (liquid 5.10).
#ifndef MN_SOLVE_MG_GRAPH_H
#define MN_SOLVE_MG_GRAPH_H

#include "base/arena.h"
#include "base/pool.h"
#include "grid/tiles.h"

#define MN_MG_GRAPH_LEVELS 40
/// Unknowns for which no colour is left have the last one; they are taken one after the other.
#define MN_MG_COLOURS 64

/// One coarse level. Unknowns are groups of cells that are well coupled; they are numbered block by block along a
/// Morton curve. Each coupling is stored in both rows, and once per axis, since the next level weakens it by axis.
typedef struct mn_mg_graph {
    int32_t        count;  // unknowns
    int32_t       *begin;  // count + 1: the couplings of each row
    int32_t       *to;
    float         *weight;               // > 0
    uint8_t       *axis;                 // of the fine faces the coupling is made of
    float         *e;                    // coupling to known values
    float         *inverse;              // 1 / diagonal; 0 where there is none
    float         *x, *b;                // x has one more value, 0, for cells without a parent
    float         *kept;                 // x of the first of two cycles
    float          step[2];              // factors of two cycles in a row; 0: one cycle is enough
    int32_t       *parent;               // on the next level
    int32_t       *child_begin, *child;  // unknowns of the level below; on the first graph the cells of colour 0
    int32_t        blocks;               // of the block structure this level was grouped by
    int32_t       *block_begin;          // blocks + 1: unknowns of each block
    mn_tile_coord *block_at;
    int32_t        colours;  // no two coupled unknowns share a colour, but for the last of MN_MG_COLOURS
    int32_t       *colour_begin, *by_colour;
} mn_mg_graph;

typedef struct mn_mg_level   mn_mg_level;
typedef struct mn_mg_natural mn_mg_natural;

typedef struct mn_mg_graphs {
    int         levels;  // 0: the coarse levels are tiles
    mn_mg_graph level[MN_MG_GRAPH_LEVELS];
    int32_t    *parent;  // per cell of level 0, coloured layout; level[0].count without one
} mn_mg_graphs;

/// All coarse levels from the natural arrays of level 0.
mn_status mn_mg_make_graphs(mn_mg_graphs *g, mn_pool *pool, const mn_mg_level *l, const mn_mg_natural *natural,
                            mn_arena *arena);

/// b of the first graph from the residuals of the cells of colour 0; the others are zero.
void mn_mg_graph_load(const mn_mg_graphs *g, mn_pool *pool, const float *residual);
/// x = V(b) on the first graph and below. b is used up.
void mn_mg_graph_cycle(const mn_mg_graphs *g, mn_pool *pool, int sweeps);
/// Choose the steps of all levels.
mn_status mn_mg_graph_tune(mn_mg_graphs *g, mn_pool *pool, int sweeps, mn_arena *arena);

// --- shared by the files that make graphs ---

/// Sums that decide how a level weakens its couplings: per unknown and axis, inside and leaving it.
typedef struct mn_mg_sums {
    float inside[3], leaving[3];
} mn_mg_sums;

mn_status mn_mg_graph_rows(mn_mg_graph *g, mn_arena *arena);   /// begin, e, inverse, x, b for `count` unknowns
mn_status mn_mg_graph_links(mn_mg_graph *g, mn_arena *arena);  /// to, weight, axis once begin is known
mn_status mn_mg_graph_finish(mn_mg_graph *g, const mn_mg_sums *sums, mn_pool *pool,
                             mn_arena *arena);  /// weaken, diagonal, colours
mn_status mn_mg_first_graph(mn_mg_graphs *g, mn_pool *pool, const mn_mg_level *l, const mn_mg_natural *natural,
                            mn_arena *arena);
mn_status mn_mg_next_graph(mn_mg_graph *fine, mn_mg_graph *coarse, mn_pool *pool, mn_arena *arena);

#define MN_MG_ROWS 1024  // rows of a block of a parallel loop

#endif
