// SPDX-License-Identifier: MPL-2.0
// solve/block_matrix.c - pattern, sums and products of symmetric block matrices.
#include "solve/block_matrix.h"

#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_PER_BLOCK 512

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/// Every neighbour of every row, with repeats: first how many, then which.
static void count_neighbors(int64_t cliques, mn_block_clique_fn *next, void *context, int64_t *start)
{
    for (int64_t k = 0; k < cliques; k++) {
        const mn_block_clique q       = next(k, context);
        int                   members = 0;
        for (int i = 0; i < q.count; i++) members += q.vertex[i] >= 0;
        for (int i = 0; i < q.count; i++)
            if (q.vertex[i] >= 0) start[q.vertex[i] + 1] += members - 1;
    }
}

static void list_neighbors(int64_t cliques, mn_block_clique_fn *next, void *context, int64_t *fill, int32_t *list)
{
    for (int64_t k = 0; k < cliques; k++) {
        const mn_block_clique q = next(k, context);
        for (int i = 0; i < q.count; i++)
            for (int j = 0; j < q.count; j++)
                if (i != j && q.vertex[i] >= 0 && q.vertex[j] >= 0) list[fill[q.vertex[i]]++] = q.vertex[j];
    }
}

/// Sort the neighbours of each row and drop repeats and what is implied, moving the rows together.
static void make_unique(const mn_block_matrix *m, int64_t *start, int32_t *list)
{
    int64_t out = 0, begin = 0;
    for (int64_t i = 0; i < m->rows; i++) {
        const int64_t end = start[i + 1];
        qsort(list + begin, (size_t)(end - begin), sizeof *list, ascending);
        start[i] = out;
        for (int64_t k = begin; k < end; k++)
            if (list[k] != i && !mn_block_matrix_is_implied(m, i, list[k]) &&
                (out == start[i] || list[out - 1] != list[k]))
                list[out++] = list[k];
        begin = end;
    }
    start[m->rows] = out;
}

static mn_status make_pattern(mn_context *c, int64_t cliques, mn_block_clique_fn *next, void *context,
                              mn_block_matrix *m)
{
    m->start = mn_alloc_array(c, int64_t, m->rows + 1);
    if (m->start == NULL) return MN_ERR_MEMORY;
    count_neighbors(cliques, next, context, m->start);
    for (int64_t i = 0; i < m->rows; i++) m->start[i + 1] += m->start[i];

    const int64_t listed = m->start[m->rows];
    int64_t      *fill   = mn_alloc_array(c, int64_t, m->rows + 1);
    int32_t      *list   = mn_alloc_array(c, int32_t, listed);
    if (fill != NULL && list != NULL) {
        memcpy(fill, m->start, (size_t)m->rows * sizeof *fill);
        list_neighbors(cliques, next, context, fill, list);
        make_unique(m, m->start, list);
        m->column = mn_alloc_array(c, int32_t, m->start[m->rows]);
        if (m->column != NULL && m->start[m->rows] > 0)
            memcpy(m->column, list, (size_t)m->start[m->rows] * sizeof *list);
    }
    mn_free(c, fill);
    mn_free(c, list);
    return m->column != NULL ? MN_OK : MN_ERR_MEMORY;
}

static mn_status create(mn_context *c, int64_t rows, int64_t part, int64_t cliques, mn_block_clique_fn *next,
                        void *context, bool in_float, mn_block_matrix *out)
{
    mn_block_matrix m  = { .rows = rows, .part = part };
    mn_status       st = make_pattern(c, cliques, next, context, &m);
    if (st == MN_OK) {
        const int64_t values = 9 * m.start[rows] + MN_BLOCK_PADDING;
        if (in_float) m.block_f = mn_alloc_array(c, float, values);
        else m.block = mn_alloc_array(c, double, values);
        m.diagonal = mn_alloc_array(c, double, 9 * rows);
        if ((m.block == NULL && m.block_f == NULL) || m.diagonal == NULL) st = MN_ERR_MEMORY;
    }
    if (st != MN_OK) {
        mn_block_matrix_destroy(c, &m);
        return st;
    }
    *out = m;
    return MN_OK;
}

mn_status mn_block_matrix_create(mn_context *c, int64_t rows, int64_t cliques, mn_block_clique_fn *next, void *context,
                                 bool in_float, mn_block_matrix *out)
{
    return create(c, rows, 0, cliques, next, context, in_float, out);
}

mn_status mn_block_matrix_create_half(mn_context *c, int64_t rows, int64_t cliques, mn_block_clique_fn *next,
                                      void *context, mn_block_matrix *out)
{
    // Enough parts to share them out; the same for any number of threads, since they order the sums.
    const int64_t share = rows / 16, part = share < 256 ? 256 : share > MN_BLOCK_PART ? MN_BLOCK_PART : share;
    return create(c, rows, part, cliques, next, context, true, out);
}

void mn_block_matrix_destroy(mn_context *c, mn_block_matrix *m)
{
    mn_free(c, m->start);
    mn_free(c, m->column);
    mn_free(c, m->block);
    mn_free(c, m->block_f);
    mn_free(c, m->diagonal);
    memset(m, 0, sizeof *m);
}

static void zero_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_block_matrix *m     = context;
    const int64_t    first = 9 * m->start[begin], values = 9 * m->start[end] - first;
    if (m->block_f != NULL) memset(m->block_f + first, 0, (size_t)values * sizeof(float));
    else memset(m->block + first, 0, (size_t)values * sizeof(double));
    memset(m->diagonal + 9 * begin, 0, (size_t)(9 * (end - begin)) * sizeof(double));
}

void mn_block_matrix_zero(mn_context *c, mn_block_matrix *m)
{
    mn_parallel_for(mn_context_pool(c), m->rows, ROWS_PER_BLOCK, zero_rows, m);
}

int64_t mn_block_matrix_find(const mn_block_matrix *m, int32_t row, int32_t column)
{
    int64_t low = m->start[row], high = m->start[row + 1];
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (m->column[middle] < column) low = middle + 1;
        else high = middle;
    }
    return low < m->start[row + 1] && m->column[low] == column ? low : -1;
}

/// Rows of parts begin .. end - 1 of a half matrix.
static void balance_parts(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_block_matrix *m     = context;
    const int64_t    first = begin * m->part, last = end * m->part < m->rows ? end * m->part : m->rows;
    memset(m->diagonal + 9 * first, 0, (size_t)(9 * (last - first)) * sizeof(double));
    for (int64_t i = first; i < last; i++)
        for (int64_t e = m->start[i]; e < m->start[i + 1]; e++) {
            const float *b   = m->block_f + 9 * e;
            double      *own = m->diagonal + 9 * i, *other = m->diagonal + 9 * (int64_t)m->column[e];
            for (int k = 0; k < 9; k++) own[k] -= (double)b[k];
            if (!mn_block_matrix_is_implied(m, m->column[e], i)) continue;
            for (int k = 0; k < 9; k++) other[k] -= (double)b[3 * (k % 3) + k / 3];
        }
}

static void balance_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_block_matrix *m = context;
    for (int64_t i = begin; i < end; i++)
        for (int k = 0; k < 9; k++) {
            double sum = 0.0;
            for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
                sum += m->block_f != NULL ? (double)m->block_f[9 * e + k] : m->block[9 * e + k];
            m->diagonal[9 * i + k] = -sum;
        }
}

void mn_block_matrix_balance(mn_context *c, mn_block_matrix *m)
{
    if (m->part > 0) mn_parallel_for(mn_context_pool(c), mn_block_matrix_parts(m), 1, balance_parts, m);
    else mn_parallel_for(mn_context_pool(c), m->rows, ROWS_PER_BLOCK, balance_rows, m);
}

typedef double lanes4 __attribute__((vector_size(32)));
typedef float  floats4 __attribute__((vector_size(16)));

static inline lanes4 load_doubles(const double *from)
{
    lanes4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline lanes4 load_floats(const float *from)
{
    floats4 v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, lanes4);
}

/// Three rows of a block as vectors, and the difference of the two vertices; fourth lanes hold what lies behind and are
/// never read. Rows that sum to zero need no diagonal: their product is one with differences.
#define TAKE_BLOCK(e)                                                                   \
    const float *b  = m->block_f + 9 * (e);                                             \
    const lanes4 b0 = load_floats(b), b1 = load_floats(b + 3), b2 = load_floats(b + 6); \
    const lanes4 w = load_doubles(x + 3 * (int64_t)m->column[e]) - own_v;               \
    r0 += b0 * w, r1 += b1 * w, r2 += b2 * w

void mn_block_matrix_multiply_part(const mn_block_matrix *m, int64_t part, const double *x, double *y)
{
    const int64_t first = part * m->part, last = first + m->part < m->rows ? first + m->part : m->rows;
    memset(y, 0, (size_t)(4 * (last - first)) * sizeof *y);
    for (int64_t i = first; i < last; i++) {
        const lanes4  own_v = load_doubles(x + 3 * i);
        lanes4        r0 = { 0 }, r1 = { 0 }, r2 = { 0 };
        int64_t       e   = m->start[i];
        const int64_t end = m->start[i + 1];
        for (; e < end && m->column[e] < first; e++) {
            TAKE_BLOCK(e);
        }
        for (; e < end && m->column[e] < last; e++) {
            TAKE_BLOCK(e);
            double      *to  = y + 4 * (m->column[e] - first);
            const lanes4 sum = load_doubles(to) - (b0 * w[0] + b1 * w[1] + b2 * w[2]);
            memcpy(to, &sum, sizeof sum);
        }
        for (; e < end; e++) {
            TAKE_BLOCK(e);
        }
        double *own = y + 4 * (i - first);
        own[0] += r0[0] + r0[1] + r0[2];
        own[1] += r1[0] + r1[1] + r1[2];
        own[2] += r2[0] + r2[1] + r2[2];
    }
}

typedef struct product {
    const mn_block_matrix *m;
    const double          *x;
    double                *y;
} product;

#define ADD_BLOCK(b, x)                                            \
    do {                                                           \
        y0 += (b)[0] * (x)[0] + (b)[1] * (x)[1] + (b)[2] * (x)[2]; \
        y1 += (b)[3] * (x)[0] + (b)[4] * (x)[1] + (b)[5] * (x)[2]; \
        y2 += (b)[6] * (x)[0] + (b)[7] * (x)[1] + (b)[8] * (x)[2]; \
    } while (0)

static void multiply_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const product         *p = context;
    const mn_block_matrix *m = p->m;
    for (int64_t i = begin; i < end; i++) {
        double y0 = 0.0, y1 = 0.0, y2 = 0.0;
        ADD_BLOCK(m->diagonal + 9 * i, p->x + 3 * i);
        if (m->block_f != NULL)
            for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
                ADD_BLOCK(m->block_f + 9 * e, p->x + 3 * (int64_t)m->column[e]);
        else
            for (int64_t e = m->start[i]; e < m->start[i + 1]; e++)
                ADD_BLOCK(m->block + 9 * e, p->x + 3 * (int64_t)m->column[e]);
        p->y[3 * i] = y0, p->y[3 * i + 1] = y1, p->y[3 * i + 2] = y2;
    }
}

static void multiply_parts(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const product *p = context;
    double         y[4 * MN_BLOCK_PART];
    for (int64_t part = begin; part < end; part++) {
        const int64_t first = part * p->m->part,
                      last  = first + p->m->part < p->m->rows ? first + p->m->part : p->m->rows;
        mn_block_matrix_multiply_part(p->m, part, p->x, y);
        for (int64_t i = first; i < last; i++)
            for (int a = 0; a < 3; a++) p->y[3 * i + a] = y[4 * (i - first) + a];
    }
}

void mn_block_matrix_multiply(mn_context *c, const mn_block_matrix *m, const double *x, double *y)
{
    product p = { m, x, y };
    if (m->part > 0) mn_parallel_for(mn_context_pool(c), mn_block_matrix_parts(m), 1, multiply_parts, &p);
    else mn_parallel_for(mn_context_pool(c), m->rows, ROWS_PER_BLOCK, multiply_rows, &p);
}
