// SPDX-License-Identifier: MPL-2.0
// solve/mg_rows.c - products with the rows of terms, and sweeps that see them (mg_rows.h).
//
// Sums are made per block of entries and then in order, cells are written by one task each: the bits do not depend on
// the number of threads.
#include "solve/mg_rows.h"

#include "solve/mg_level.h"

#include <string.h>

/// Cells of a block of a parallel loop.
#define CELLS 256

typedef struct rows_job {
    const mn_mg_rows  *r;
    const mn_mg_level *l;
    const float       *x;  // of the cycle, or
    const double      *p;  // of the operator
    double            *q;
    int                colour;
    bool               one_colour;
} rows_job;

static int colour_of(const mn_mg_level *l, int64_t place) { return (place & l->half) != 0; }

static void sum_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const rows_job   *job = context;
    const mn_mg_rows *r   = job->r;
    for (int64_t b = begin; b < end; b++) {
        const int32_t term = r->block_term[b], width = r->width[term];
        double       *sum = r->partial + b * r->widest;
        memset(sum, 0, (size_t)width * sizeof *sum);
        for (int64_t i = r->block_begin[b]; i < r->block_begin[b + 1]; i++) {
            const int64_t place = r->place[i];
            if (job->one_colour && colour_of(job->l, place) != job->colour) continue;
            const double  x   = job->p != NULL ? job->p[place] : (double)job->x[place];
            const double *row = mn_mg_entry(r, term, i);
            for (int32_t k = 0; k < width; k++) sum[k] += row[k] * x;
        }
    }
}

/// t = R x.
static void measure(rows_job *job, mn_pool *pool)
{
    const mn_mg_rows *r = job->r;
    mn_parallel_for(pool, r->blocks, 1, sum_blocks, job);
    memset(r->t, 0, (size_t)r->rows * sizeof *r->t);
    for (int64_t b = 0; b < r->blocks; b++) {
        const int32_t term = r->block_term[b];
        for (int32_t k = 0; k < r->width[term]; k++) r->t[r->row[term] + k] += r->partial[b * r->widest + k];
    }
}

/// R^T t at a cell.
static double answer_at(const mn_mg_rows *r, int64_t cell)
{
    double sum = 0.0;
    for (int64_t k = r->cell_begin[cell]; k < r->cell_begin[cell + 1]; k++) {
        const int32_t term = r->entry_term[k];
        const double *row = mn_mg_entry(r, term, r->entry[k]), *t = r->t + r->row[term];
        for (int32_t n = 0; n < r->width[term]; n++) sum += row[n] * t[n];
    }
    return sum;
}

static void add_cells(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const rows_job *job = context;
    for (int64_t c = begin; c < end; c++) job->q[job->r->cell[c]] += answer_at(job->r, c);
}

double mn_mg_rows_multiply(const mn_mg_rows *r, mn_pool *pool, const double *p, double *q)
{
    rows_job job    = { .r = r, .p = p, .q = q };
    double   square = 0.0;
    measure(&job, pool);
    mn_parallel_for(pool, r->cells, CELLS, add_cells, &job);
    for (int32_t k = 0; k < r->rows; k++) square += r->t[k] * r->t[k];
    for (int64_t k = 0; k < r->woken_count; k++) {
        const double u = p[r->woken[k]];
        q[r->woken[k]] -= r->woken_with[k] * u;
        square -= r->woken_with[k] * u * u;
    }
    return square;
}

// --- sweeps ---

void mn_mg_rows_solve(const double *factor, int32_t n, double *v)
{
    for (int32_t i = 0; i < n; i++) {
        double sum = v[i];
        for (int32_t j = 0; j < i; j++) sum -= factor[(int64_t)i * n + j] * v[j];
        v[i] = sum / factor[(int64_t)i * n + i];
    }
    for (int32_t i = n; i-- > 0;) {
        v[i] /= factor[(int64_t)i * n + i];
        for (int32_t j = 0; j < i; j++) v[j] -= factor[(int64_t)i * n + j] * v[i];
    }
}

static void solve_groups(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const rows_job   *job = context;
    const mn_mg_rows *r   = job->r;
    for (int64_t g = begin; g < end; g++)
        mn_mg_rows_solve(r->factor[job->colour] + r->factor_at[g], r->group_row[g + 1] - r->group_row[g],
                         r->t + r->group_row[g]);
}

static void settle_cells(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const rows_job *job = context;
    for (int64_t c = begin; c < end; c++) {
        const int64_t place = job->r->cell[c];
        if (colour_of(job->l, place) == job->colour)
            job->l->x[place] -= job->l->inverse[place] * (float)answer_at(job->r, c);
    }
}

void mn_mg_rows_settle(const mn_mg_rows *r, const mn_mg_level *l, mn_pool *pool, int colour, bool from_zero)
{
    rows_job job = { .r = r, .l = l, .x = l->x, .colour = colour, .one_colour = from_zero };
    measure(&job, pool);
    mn_parallel_for(pool, r->groups, 1, solve_groups, &job);
    mn_parallel_for(pool, r->cells, CELLS, settle_cells, &job);
}

static void hide_cells(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const rows_job *job = context;
    for (int64_t c = begin; c < end; c++) {
        const int64_t place = job->r->cell[c];
        if (colour_of(job->l, place) != 0) continue;
        job->r->kept[c] = job->l->b[place];
        job->l->b[place] -= (float)answer_at(job->r, c);
    }
}

static void show_cells(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const rows_job *job = context;
    for (int64_t c = begin; c < end; c++)
        if (colour_of(job->l, job->r->cell[c]) == 0) job->l->b[job->r->cell[c]] = job->r->kept[c];
}

void mn_mg_rows_hide(const mn_mg_rows *r, const mn_mg_level *l, mn_pool *pool)
{
    rows_job job = { .r = r, .l = l, .x = l->x };
    measure(&job, pool);
    mn_parallel_for(pool, r->cells, CELLS, hide_cells, &job);
}

void mn_mg_rows_show(const mn_mg_rows *r, const mn_mg_level *l, mn_pool *pool)
{
    rows_job job = { .r = r, .l = l };
    mn_parallel_for(pool, r->cells, CELLS, show_cells, &job);
}

// --- the graphs below level 0 ---

typedef struct graph_job {
    const mn_mg_graph_answers *a;
    const mn_mg_graph         *g;
} graph_job;

static void settle_unknowns(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const graph_job *job  = context;
    const int32_t    rows = job->a->on_graph.rows;
    for (int64_t i = begin; i < end; i++) {
        double sum = 0.0;
        for (int32_t k = 0; k < rows; k++) sum += (double)job->a->answer[i * rows + k] * job->a->on_graph.t[k];
        job->g->x[i] -= (float)sum;
    }
}

void mn_mg_graph_settle(const mn_mg_graph_answers *a, const mn_mg_graphs *graphs, mn_pool *pool)
{
    rows_job  measured = { .r = &a->on_graph, .x = graphs->level[0].x };
    graph_job job      = { a, &graphs->level[0] };
    measure(&measured, pool);
    mn_mg_rows_solve(a->factor, a->on_graph.rows, a->on_graph.t);
    mn_parallel_for(pool, job.g->count, MN_MG_ROWS, settle_unknowns, &job);
}
