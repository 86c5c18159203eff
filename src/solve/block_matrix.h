// SPDX-License-Identifier: MPL-2.0
// solve/block_matrix.h - symmetric matrices of 3 x 3 blocks, stored by rows: the stiffness of meshes and strands.
//
// Off-diagonal blocks are kept in double or, for products that are bound by memory, in float. The diagonal is always
// double. Whoever fills a matrix adds block (i,j) to row i and its transpose to row j, both in the same order of
// elements: the two sums then have the same bits and the matrix is symmetric to the bit.
//
// A half matrix is for large products: its rows are cut into parts, and of two mirror images within a part only the one
// beyond the diagonal is stored. Those between parts stay, so that a product needs no sums across threads. Its rows sum
// to zero (mn_block_matrix_balance), and its product is one with differences: equal vectors give nothing, to the bit.
#ifndef MN_SOLVE_BLOCK_MATRIX_H
#define MN_SOLVE_BLOCK_MATRIX_H

#include "base/memory.h"
#include "math/vec.h"

#include <stdbool.h>

/// Values that can be read behind the last block, so that rows of three may be loaded as four.
#define MN_BLOCK_PADDING 4

typedef struct mn_block_matrix {
    int64_t  rows;
    int64_t *start;     ///< entries of row i: start[i] .. start[i+1]-1
    int32_t *column;    ///< ascending within a row; the diagonal is not among them
    double  *block;     ///< 9 per entry, row by row; NULL if the blocks are float
    float   *block_f;   ///< the same in float; NULL if they are double
    double  *diagonal;  ///< 9 per row
    int64_t  part;      ///< rows of a part of a half matrix; 0: every block is stored
} mn_block_matrix;

/// Vertices that one element couples: every pair of them gets a block. Negative numbers are left out.
typedef struct mn_block_clique {
    const int32_t *vertex;
    int            count;
} mn_block_clique;

/// The pattern that joins every pair of every clique. `next` gives clique k (0 <= k < cliques). Values are zero.
typedef mn_block_clique mn_block_clique_fn(int64_t k, void *context);
mn_status mn_block_matrix_create(mn_context *c, int64_t rows, int64_t cliques, mn_block_clique_fn *next, void *context,
                                 bool in_float, mn_block_matrix *out);
/// The same as a half matrix in float.
mn_status mn_block_matrix_create_half(mn_context *c, int64_t rows, int64_t cliques, mn_block_clique_fn *next,
                                      void *context, mn_block_matrix *out);
void      mn_block_matrix_destroy(mn_context *c, mn_block_matrix *m);
void      mn_block_matrix_zero(mn_context *c, mn_block_matrix *m);

/// Whether (row, column) is only stored as its mirror image: who fills the matrix passes over it.
static inline bool mn_block_matrix_is_implied(const mn_block_matrix *m, int64_t row, int64_t column)
{
    return column < row && m->part > 0 && column / m->part == row / m->part;
}
/// Entry of (row, column), row != column; -1 if the pattern has none or it is implied.
int64_t mn_block_matrix_find(const mn_block_matrix *m, int32_t row, int32_t column);
/// Add a block at an entry, or to the diagonal of a row.
static inline void mn_block_matrix_add(mn_block_matrix *m, int64_t entry, const double block[9])
{
    if (m->block_f != NULL)
        for (int k = 0; k < 9; k++) m->block_f[9 * entry + k] += (float)block[k];
    else
        for (int k = 0; k < 9; k++) m->block[9 * entry + k] += block[k];
}
static inline void mn_block_matrix_add_diagonal(mn_block_matrix *m, int64_t row, const double block[9])
{
    for (int k = 0; k < 9; k++) m->diagonal[9 * row + k] += block[k];
}
/// Make every row sum vanish: diagonal = - sum of the off-diagonal blocks as they are stored. For a stiffness that no
/// translation strains; blocks that hold points to the world (pins) are added to the diagonal afterwards.
void mn_block_matrix_balance(mn_context *c, mn_block_matrix *m);

/// Rows of the parts of a half matrix at most.
#define MN_BLOCK_PART 4096
/// y = m x for one part of a half matrix, 0 .. mn_block_matrix_parts - 1. x has 3 values per row and one more, y is
/// that of the part alone: 4 values for each of its rows, the fourth of no meaning.
void                  mn_block_matrix_multiply_part(const mn_block_matrix *m, int64_t part, const double *x, double *y);
static inline int64_t mn_block_matrix_parts(const mn_block_matrix *m)
{
    return m->part > 0 ? (m->rows + m->part - 1) / m->part : 0;
}

/// y = m x over arrays of 3 values per row; x of a half matrix has one more.
void mn_block_matrix_multiply(mn_context *c, const mn_block_matrix *m, const double *x, double *y);

#endif
