// SPDX-License-Identifier: MPL-2.0
// solve/mg_rows.h - inside the multigrid: rows of movable things (pressure_terms.h) in the matrix and in the cycle.
//
// With M^-1 = L L^T the rows R = L^T Q make the term R^T R, so that nothing but R is needed from here on. Each level
// has rows of its own; those of a coarse cell are the sums of those of its fine cells, times the square root of the
// factor by which corrections are scaled: scaled back, the product R^T R is then the fine one.
//
// **In a sweep.** The sweeps of the cycle go by colours, and the matrix without terms is diagonal on a colour. With
// them it is D + R^T R there, whose inverse is known (Woodbury): after the plain half-sweep x of the colour becomes
//
//     x - D^-1 R^T (1 + K)^-1 R x,    K = R D^-1 R^T over the cells of the colour,
//
// R x over all cells. So each half-sweep solves the whole of its colour exactly, as it does without terms: the cycle
// stays symmetric and positive however light the bodies are. Sweeps that leave the term out diverge along R for bodies
// lighter than what they displace, sweeps cell by cell lock. K is dense among terms that share a cell.
//
// **Between levels.** What is restricted is the residual of colour 0, that of colour 1 being zero. The term's part of
// it is taken from b for as long as the restriction runs.
//
// **Below level 0 as a graph** (coefficients that jump) the cycle C of the graphs is made one with terms by the same
// formula, C - C R^T (1 + R C R^T)^-1 R C: exact, for one cycle of the graphs per row and setup; more than
// MN_MG_GRAPH_ROWS rows are seen on level 0 alone.
#ifndef MN_SOLVE_MG_ROWS_H
#define MN_SOLVE_MG_ROWS_H

#include "base/arena.h"
#include "base/pool.h"

typedef struct mn_mg_level  mn_mg_level;
typedef struct mn_mg_graphs mn_mg_graphs;

#define MN_MG_GRAPH_ROWS 64

/// The rows of all terms on one level. An entry is one cell of one term: `width` values that stand together.
typedef struct mn_mg_rows {
    int32_t        terms, rows, groups;
    const int32_t *width;   // per term: its rows
    int32_t       *row;     // per term: its first row; terms of a group follow each other
    int64_t       *begin;   // terms + 1: entries of each
    int64_t       *at;      // per term: its first value
    int64_t       *place;   // per entry: of its cell in the coloured layout
    double        *value;   // R
    int64_t        blocks;  // of entries of one term, for sums that do not depend on the number of threads
    int64_t       *block_begin;
    int32_t       *block_term;
    double        *partial;  // blocks * widest
    int32_t        widest;
    int64_t        cells;       // cells with entries, ascending
    int64_t       *cell;        // their places
    int64_t       *cell_begin;  // cells + 1
    int64_t       *entry;       // by cell
    int32_t       *entry_term;
    int64_t       *entry_cell;   // per entry: which of the cells it is in
    float         *kept;         // per cell: b, while it is less the term
    int32_t       *group_row;    // groups + 1: rows of each
    int32_t       *group_term;   // terms, by group
    int32_t       *group_begin;  // groups + 1
    int64_t       *factor_at;    // per group
    double        *factor[2];    // Cholesky factors of 1 + K of each colour
    double        *t;            // per row
    int64_t        woken_count;  // level 0: cells without any other coupling, and the diagonal the cycle has there
    int64_t       *woken;
    double        *woken_with;
} mn_mg_rows;

/// The graphs' cycle on the columns of R^T.
typedef struct mn_mg_graph_answers {
    mn_mg_rows on_graph;
    float     *answer;  // per unknown of the first graph: C R^T
    double    *factor;  // of 1 + R C R^T
} mn_mg_graph_answers;

// --- making them, mg_rows_setup.c ---

typedef struct mn_multigrid       mn_multigrid;
typedef struct mn_pressure_system mn_pressure_system;

/// Rows of all levels; nothing if no term has any. After the levels and the pockets.
mn_status mn_mg_make_rows(mn_multigrid *mg, const mn_pressure_system *system, mn_arena *arena);
/// A = L L^T of a symmetric matrix in its lower half, in place; columns of what has no positive pivot become zero.
/// False: a pivot is negative, or not a number.
bool mn_mg_factor(double *a, int32_t n);

// --- using them, mg_rows.c ---

/// q += R^T R p; the product's part of p.q.
double mn_mg_rows_multiply(const mn_mg_rows *r, mn_pool *pool, const double *p, double *q);
/// From the plain half-sweep of a colour to that with the term. `from_zero`: the other colour has no values yet.
void mn_mg_rows_settle(const mn_mg_rows *r, const mn_mg_level *l, mn_pool *pool, int colour, bool from_zero);
/// b of colour 0 less R^T R x, and as it was.
void mn_mg_rows_hide(const mn_mg_rows *r, const mn_mg_level *l, mn_pool *pool);
void mn_mg_rows_show(const mn_mg_rows *r, const mn_mg_level *l, mn_pool *pool);
/// From the graphs' plain cycle to that with the term, in x of the first graph.
void mn_mg_graph_settle(const mn_mg_graph_answers *a, const mn_mg_graphs *graphs, mn_pool *pool);
/// factor^-T factor^-1 v in place.
void mn_mg_rows_solve(const double *factor, int32_t n, double *v);

static inline const double *mn_mg_entry(const mn_mg_rows *r, int32_t term, int64_t entry)
{
    return r->value + r->at[term] + (entry - r->begin[term]) * r->width[term];
}

#endif
