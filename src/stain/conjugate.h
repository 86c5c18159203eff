// SPDX-License-Identifier: MPL-2.0
// stain/conjugate.h - preconditioned conjugate gradients over the vertices of a cloth; same bits for any number of
// threads.
#ifndef MN_STAIN_CONJUGATE_H
#define MN_STAIN_CONJUGATE_H

#include "base/arena.h"
#include "base/pool.h"

/// Vertices per block. Part of the results: sums are made per block, and preconditioners work inside one.
#define MN_STAIN_BLOCK 1024

/// A symmetric positive definite system of `width` values per vertex.
typedef struct mn_stain_system {
    int64_t vertices;
    int     width;
    /// y = A x on the vertices [begin, end); x is known everywhere.
    void (*multiply)(const void *self, int64_t begin, int64_t end, const double *x, double *y);
    /// z = P^-1 r on one block; only r inside the block may be read.
    void (*precondition)(const void *self, int64_t begin, int64_t end, const double *r, double *z);
    const void *self;
} mn_stain_system;

typedef struct mn_stain_solve_report {
    bool   converged;
    int    iterations;
    double residual;  ///< |b - A x| / |b| by the recursion
} mn_stain_solve_report;

/// Solve A x = b to |b - A x| <= tolerance |b| from the x given. Not converging is an outcome: x is then the last
/// iterate.
mn_status mn_stain_conjugate(mn_pool *pool, const mn_stain_system *a, const double *b, double *x, double tolerance,
                             int max_iterations, mn_arena *arena, mn_stain_solve_report *report);

#endif
