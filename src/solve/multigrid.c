// SPDX-License-Identifier: MPL-2.0
// solve/multigrid.c - the V-cycle, and what conjugate gradients around it ask of the tiles (liquid 5.10).
//
// Work is cut into passes over tiles. Passes that follow each other run as a wave-front over the layers of tiles: pass
// q works some layers behind pass q-1, so that a layer is still in the cache. One layer behind suffices if passes of a
// slot run in order; two if they run at the same time. Every pass reads only what the passes before it have finished,
// so the bits depend neither on that choice nor on the number of threads. Sums are made per tile, then in tile order.
//
// Everything is scaled by the norm of the right-hand side, so that float neither over- nor underflows.
#include "solve/multigrid.h"

#include "base/memory.h"
#include "base/sum.h"
#include "solve/mg_level.h"
#include "solve/mg_ritz.h"
#include "solve/mg_vector.h"

#include <float.h>
#include <math.h>

/// Double sweeps on the last level, forward and backward (liquid 5.10).
#define COARSEST_SWEEPS 16
#define MAX_PASSES      24
/// Each sweep is two passes, beside one that restricts or prolongs.
#define MAX_SWEEPS ((MAX_PASSES - 1) / 2)
/// The recursion aims this much below the tolerance, so that its rounding does not cost a restart.
#define RECURSION_MARGIN 0.999
/// A run of conjugate gradients that leaves more than this of the residual says that the tolerance is below rounding.
#define RESTART_GAIN 0.5

typedef struct job job;
typedef void       tile_pass(const job *j, int32_t t);

typedef struct segment {
    tile_pass *pass;
    int32_t    begin, count;
} segment;

struct job {
    mn_multigrid      *mg;
    const mn_mg_level *l, *coarse;
    double             alpha, beta;
    const double      *rhs;  // the caller's arrays
    double            *x;
    double             scale;
    segment            segments[MAX_PASSES];
    int                segment_count;
};

mn_status mn_multigrid_create(mn_context *c, mn_multigrid **out)
{
    *out             = NULL;
    mn_multigrid *mg = mn_alloc(c, sizeof *mg);
    if (mg == NULL) return MN_ERR_MEMORY;
    mg->context = c;
    mg->pool    = mn_context_pool(c);
    mg->tuning  = (mn_multigrid_tuning){ .correction = 2.0f };
    *out        = mg;
    return MN_OK;
}

void mn_multigrid_destroy(mn_multigrid **multigrid)
{
    if (*multigrid == NULL) return;
    mn_free((*multigrid)->context, *multigrid);
    *multigrid = NULL;
}

void mn_multigrid_tune(mn_multigrid *mg, mn_multigrid_tuning tuning)
{
    MN_ASSERT(tuning.sweeps >= 0 && tuning.sweeps <= MAX_SWEEPS);
    mg->tuning = tuning;
}

mn_multigrid_facts mn_multigrid_describe(const mn_multigrid *mg)
{
    return (mn_multigrid_facts){ .unknowns      = mg->unknowns,
                                 .tiles         = mg->level[0].count - 1,
                                 .levels        = mg->levels + mg->graphs.levels,
                                 .sweeps        = mg->tuning.sweeps > 0 ? mg->tuning.sweeps : mg->sweeps,
                                 .uniform_tiles = mg->uniform_tiles };
}

// --- passes and wave-fronts ---

static void run_segments(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job *j = context;
    for (int k = 0; k < j->segment_count && begin < end; k++) {
        const segment *s    = &j->segments[k];
        const int64_t  stop = end < s->count ? end : s->count;
        for (int64_t t = begin; t < stop; t++) s->pass(j, s->begin + (int32_t)t);
        begin = begin > s->count ? begin - s->count : 0;
        end -= s->count;
    }
}

static void run_slot(job *j)
{
    int64_t n = 0;
    for (int k = 0; k < j->segment_count; k++) n += j->segments[k].count;
    // One worker goes through the segments in order; several share blocks of them.
    mn_parallel_for(j->mg->pool, n, mn_pool_workers(j->mg->pool) == 1 ? n : mn_mg_block(n), run_segments, j);
}

static void run_passes(job *j, tile_pass *const *passes, int count)
{
    const mn_mg_level *l   = j->l;
    const int          lag = mn_pool_workers(j->mg->pool) == 1 ? 1 : 2;
    if (l->count <= 1) return;
    if (l->layers < 3) {
        for (int q = 0; q < count; q++) {
            j->segments[0]   = (segment){ passes[q], 1, l->count - 1 };
            j->segment_count = 1;
            run_slot(j);
        }
        return;
    }
    for (int slot = 0; slot < l->layers + lag * (count - 1); slot++) {
        j->segment_count = 0;
        for (int q = 0; q < count; q++) {
            const int layer = slot - lag * q;
            if (layer < 0 || layer >= l->layers) continue;
            const int32_t begin             = l->layer_begin[layer];
            j->segments[j->segment_count++] = (segment){ passes[q], begin, l->layer_begin[layer + 1] - begin };
        }
        run_slot(j);
    }
}

static double sum_of_tiles(const mn_multigrid *mg)
{
    return mn_reduce_parts(MN_REDUCE_SUM, mg->partial + 1, mg->level[0].count - 1);
}

// --- the V-cycle ---

/// q is made anew after each cycle; until then it has room for a residual in float.
static float *residual_room(const mn_multigrid *mg) { return (float *)mg->q; }

static void pass_start(const job *j, int32_t t) { mn_mg_start(j->l, t); }
static void pass_colour_0(const job *j, int32_t t) { mn_mg_smooth(j->l, t, 0); }
static void pass_colour_1(const job *j, int32_t t) { mn_mg_smooth(j->l, t, 1); }
static void pass_restrict(const job *j, int32_t t) { mn_mg_restrict(j->l, j->coarse, t); }
static void pass_residual_for_graph(const job *j, int32_t t) { mn_mg_residual(j->l, residual_room(j->mg), t); }
static void pass_prolong_from_graph(const job *j, int32_t t) { mn_mg_prolong_from_graph(j->l, &j->mg->graphs, t); }
static void pass_prolong(const job *j, int32_t t) { mn_mg_prolong(j->l, j->coarse, j->mg->tuning.correction, t); }

/// The tile's part of r.z.
static void pass_dot(const job *j, int32_t t)
{
    const size_t at  = (size_t)t * j->l->cells;
    mn_d8        dot = { 0 };
    for (int i = 0; i < j->l->cells; i += 8)
        dot += mn_d8_load(j->mg->r + at + i) * mn_d8_of(mn_f8_load(j->l->x + at + i));
    j->mg->partial[t] = mn_d8_sum(dot);
}

static void pass_last_0(const job *j, int32_t t)
{
    mn_mg_smooth(j->l, t, 0);
    pass_dot(j, t);
}

static void solve_coarsest(job *j)
{
    for (int k = 0; k < COARSEST_SWEEPS; k++)
        run_passes(j, (tile_pass *const[]){ k == 0 ? pass_start : pass_colour_0, pass_colour_1 }, 2);
    for (int k = 0; k < COARSEST_SWEEPS; k++) run_passes(j, (tile_pass *const[]){ pass_colour_1, pass_colour_0 }, 2);
}

static void cycle(mn_multigrid *mg, int level);

// With rows of terms (mg_rows.h) each half-sweep has the term's part behind it, which reads all cells: no wave-front.

static bool sees_rows(const mn_multigrid *mg, int level)
{
    const int most = mg->tuning.row_levels;
    return mg->rows != NULL && most >= 0 && (most == 0 || level < most);
}

static void half_sweep(job *j, const mn_mg_rows *rows, tile_pass *pass, int colour)
{
    run_passes(j, (tile_pass *const[]){ pass }, 1);
    mn_mg_rows_settle(rows, j->l, j->mg->pool, colour, pass == pass_start);
}

static void cycle_below(job *j, int level)
{
    mn_multigrid *mg       = j->mg;
    const bool    to_graph = mg->graphs.levels > 0;
    mn_mg_rows_hide(&mg->rows[level], j->l, mg->pool);
    run_passes(j, (tile_pass *const[]){ to_graph ? pass_residual_for_graph : pass_restrict }, 1);
    mn_mg_rows_show(&mg->rows[level], j->l, mg->pool);
    if (to_graph) {
        mn_mg_graph_load(&mg->graphs, mg->pool, residual_room(mg));
        mn_mg_graph_cycle(&mg->graphs, mg->pool, mg->tuning.sweeps > 0 ? mg->tuning.sweeps : mg->sweeps);
        if (mg->graph_answers != NULL && sees_rows(mg, level + 1))
            mn_mg_graph_settle(mg->graph_answers, &mg->graphs, mg->pool);
    } else cycle(mg, level + 1);
    run_passes(j, (tile_pass *const[]){ to_graph ? pass_prolong_from_graph : pass_prolong }, 1);
}

/// cycle_with_coarse and solve_coarsest, with rows.
static void cycle_with_rows(mn_multigrid *mg, int level)
{
    const mn_mg_rows *rows   = &mg->rows[level];
    const bool        last   = level == mg->levels - 1 && mg->graphs.levels == 0;
    const int         sweeps = last ? COARSEST_SWEEPS : mg->tuning.sweeps > 0 ? mg->tuning.sweeps : mg->sweeps;
    job               j      = { .mg = mg, .l = &mg->level[level], .coarse = last ? NULL : &mg->level[level + 1] };
    for (int k = 0; k < sweeps; k++) {
        half_sweep(&j, rows, k == 0 ? pass_start : pass_colour_0, 0);
        half_sweep(&j, rows, pass_colour_1, 1);
    }
    if (!last) cycle_below(&j, level);
    for (int k = 0; k < sweeps; k++) {
        half_sweep(&j, rows, pass_colour_1, 1);
        half_sweep(&j, rows, pass_colour_0, 0);
    }
    if (level == 0) run_passes(&j, (tile_pass *const[]){ pass_dot }, 1);
}

/// x = V(b) on a level. On level 0 b and the first half-sweep are already there, and r.z is left in the partial sums.
static void cycle_with_coarse(mn_multigrid *mg, int level)
{
    const int  sweeps = mg->tuning.sweeps > 0 ? mg->tuning.sweeps : mg->sweeps;
    job        j      = { .mg = mg, .l = &mg->level[level], .coarse = &mg->level[level + 1] };
    tile_pass *pre[MAX_PASSES], *post[MAX_PASSES];
    int        n = 0, m = 0;
    if (level > 0) pre[n++] = pass_start;
    pre[n++] = pass_colour_1;
    for (int k = 1; k < sweeps; k++) {
        pre[n++] = pass_colour_0;
        pre[n++] = pass_colour_1;
    }
    const bool to_graph = mg->graphs.levels > 0;
    pre[n++]            = to_graph ? pass_residual_for_graph : pass_restrict;
    run_passes(&j, pre, n);
    if (to_graph) {
        mn_mg_graph_load(&mg->graphs, mg->pool, residual_room(mg));
        mn_mg_graph_cycle(&mg->graphs, mg->pool, sweeps);
    } else cycle(mg, level + 1);
    post[m++] = to_graph ? pass_prolong_from_graph : pass_prolong;
    for (int k = 0; k < sweeps; k++) {
        post[m++] = pass_colour_1;
        post[m++] = level == 0 && k == sweeps - 1 ? pass_last_0 : pass_colour_0;
    }
    run_passes(&j, post, m);
}

static void cycle(mn_multigrid *mg, int level)
{
    if (sees_rows(mg, level)) {
        cycle_with_rows(mg, level);
        return;
    }
    if (level < mg->levels - 1 || mg->graphs.levels > 0) {
        cycle_with_coarse(mg, level);
        return;
    }
    job j = { .mg = mg, .l = &mg->level[level] };
    solve_coarsest(&j);
    if (level == 0) run_passes(&j, (tile_pass *const[]){ pass_dot }, 1);
}

// --- vectors of CG ---

/// Eight values of b = r in float, and their part of r.r.
static void load_preconditioner(const job *j, size_t i, mn_d8 r, mn_d8 *square)
{
    mn_f8_store(j->l->b + i, mn_f8_of(r));
    *square += r * r;
}

static void pass_load(const job *j, int32_t t)
{
    const size_t at     = (size_t)t * j->l->cells;
    mn_d8        square = { 0 };
    for (int i = 0; i < j->l->cells; i += 8) load_preconditioner(j, at + i, mn_d8_load(j->mg->r + at + i), &square);
    mn_mg_start(j->l, t);
    j->mg->partial[t] = mn_d8_sum(square);
}

static void pass_residual(const job *j, int32_t t)
{
    const size_t at = (size_t)t * j->l->cells;
    double      *r = j->mg->r + at, *q = j->mg->q + at;
    for (int i = 0; i < j->l->cells; i += 8) mn_d8_store(r + i, mn_d8_load(r + i) - j->alpha * mn_d8_load(q + i));
}

static void pass_residual_and_load(const job *j, int32_t t)
{
    const size_t at     = (size_t)t * j->l->cells;
    mn_d8        square = { 0 };
    for (int i = 0; i < j->l->cells; i += 8) {
        const mn_d8 r = mn_d8_load(j->mg->r + at + i) - j->alpha * mn_d8_load(j->mg->q + at + i);
        mn_d8_store(j->mg->r + at + i, r);
        load_preconditioner(j, at + i, r, &square);
    }
    mn_mg_start(j->l, t);
    j->mg->partial[t] = mn_d8_sum(square);
}

/// p = z.
static void pass_first_direction(const job *j, int32_t t)
{
    const size_t at = (size_t)t * j->l->cells;
    for (int i = 0; i < j->l->cells; i += 8) mn_d8_store(j->mg->p + at + i, mn_d8_of(mn_f8_load(j->l->x + at + i)));
}

/// u += alpha p with the step of the last iteration, then p = z + beta p: p is read once for both.
static void pass_step_and_direction(const job *j, int32_t t)
{
    const size_t at = (size_t)t * j->l->cells;
    double      *u = j->mg->u + at, *p = j->mg->p + at;
    for (int i = 0; i < j->l->cells; i += 8) {
        const mn_d8 old = mn_d8_load(p + i);
        mn_d8_store(u + i, mn_d8_load(u + i) + j->alpha * old);
        mn_d8_store(p + i, mn_d8_of(mn_f8_load(j->l->x + at + i)) + j->beta * old);
    }
}

static void pass_step(const job *j, int32_t t)
{
    const size_t at = (size_t)t * j->l->cells;
    double      *u = j->mg->u + at, *p = j->mg->p + at;
    for (int i = 0; i < j->l->cells; i += 8) mn_d8_store(u + i, mn_d8_load(u + i) + j->alpha * mn_d8_load(p + i));
}

static void pass_product(const job *j, int32_t t) { j->mg->partial[t] = mn_mg_apply(j->l, j->mg->p, j->mg->q, t); }
static void pass_product_of_u(const job *j, int32_t t) { (void)mn_mg_apply(j->l, j->mg->u, j->mg->q, t); }

// --- between the caller's arrays and ours ---

/// v = scale * natural in our layout, zero where there is no unknown.
static void read_natural(const job *j, const double *natural, double *v, int32_t t)
{
    const mn_mg_level *l    = j->l;
    const double      *from = natural + (size_t)j->mg->source[t] * l->cells;
    const size_t       at   = (size_t)t * l->cells;
    for (int z = 0; z < l->nz; z++)
        for (int k = 0; k < 4; k++) {
            const mn_d8  a = mn_d8_read(from + 8 * (8 * z + 2 * k)), b = mn_d8_read(from + 8 * (8 * z + 2 * k + 1));
            const mn_d8  even = MN_EVEN_ODD(a, b), odd = MN_ODD_EVEN(a, b);
            const size_t c0 = at + 8 * (4 * (size_t)z + (size_t)k), c1 = c0 + (size_t)l->half;
            mn_d8_store(v + c0, mn_d8_where(mn_f8_load(l->inverse + c0), j->scale * (z & 1 ? odd : even)));
            mn_d8_store(v + c1, mn_d8_where(mn_f8_load(l->inverse + c1), j->scale * (z & 1 ? even : odd)));
        }
}

static void write_natural(const job *j, const double *v, double *natural, int32_t t)
{
    const mn_mg_level *l  = j->l;
    double            *to = natural + (size_t)j->mg->source[t] * l->cells;
    const size_t       at = (size_t)t * l->cells;
    for (int z = 0; z < l->nz; z++)
        for (int k = 0; k < 4; k++) {
            const size_t c0 = at + 8 * (4 * (size_t)z + (size_t)k);
            const mn_d8  v0 = j->scale * mn_d8_load(v + c0), v1 = j->scale * mn_d8_load(v + c0 + l->half);
            const mn_d8  even = z & 1 ? v1 : v0, odd = z & 1 ? v0 : v1;
            mn_d8_write(to + 8 * (8 * z + 2 * k), MN_ROW_LOWER(even, odd));
            mn_d8_write(to + 8 * (8 * z + 2 * k + 1), MN_ROW_UPPER(odd, even));
        }
}

static double square_of_tile(const double *v, int cells)
{
    mn_d8 square = { 0 };
    for (int i = 0; i < cells; i += 8) square += mn_d8_load(v + i) * mn_d8_load(v + i);
    return mn_d8_sum(square);
}

static void pass_read_rhs(const job *j, int32_t t)
{
    read_natural(j, j->rhs, j->mg->r, t);
    j->mg->partial[t] = square_of_tile(j->mg->r + (size_t)t * j->l->cells, j->l->cells);
}

static void pass_square_of_r(const job *j, int32_t t)
{
    j->mg->partial[t] = square_of_tile(j->mg->r + (size_t)t * j->l->cells, j->l->cells);
}

static void pass_read_start(const job *j, int32_t t)
{
    read_natural(j, j->x, j->mg->u, t);
    j->mg->partial[t] = square_of_tile(j->mg->u + (size_t)t * j->l->cells, j->l->cells);
}

static void pass_zero_start(const job *j, int32_t t)
{
    memset(j->mg->u + (size_t)t * j->l->cells, 0, (size_t)j->l->cells * sizeof *j->mg->u);
    j->mg->partial[t] = 0.0;
}

static void pass_write_u(const job *j, int32_t t) { write_natural(j, j->mg->u, j->x, t); }
static void pass_write_r(const job *j, int32_t t) { write_natural(j, j->mg->r, j->x, t); }
static void pass_write_q(const job *j, int32_t t) { write_natural(j, j->mg->q, j->x, t); }

static void zero_unused(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job *j = context;
    memset(j->x + (size_t)begin * j->mg->source_cells, 0, (size_t)(end - begin) * j->mg->source_cells * sizeof(double));
}

/// x = scale * (u or q), zero in the tiles we do not hold.
static void write_answer(job *j, tile_pass *pass, double scale)
{
    j->scale     = scale;
    int32_t done = 0;
    for (int32_t t = 1; t <= j->l->count; t++) {  // gaps between our tiles in the caller's order
        const int32_t next = t < j->l->count ? j->mg->source[t] : j->mg->source_count;
        if (next > done) zero_unused(done, next, 0, j);
        done = next + 1;
    }
    run_passes(j, (tile_pass *const[]){ pass }, 1);
}

/// r = rhs - A u from the caller's right-hand side, scaled; its norm.
static double true_residual(job *j, bool u_is_zero)
{
    mn_multigrid *mg = j->mg;
    run_passes(j, (tile_pass *const[]){ pass_read_rhs }, 1);
    if (!u_is_zero) {
        j->alpha = 1.0;
        if (mg->rows == NULL) {
            run_passes(j, (tile_pass *const[]){ pass_product_of_u, pass_residual }, 2);
        } else {
            run_passes(j, (tile_pass *const[]){ pass_product_of_u }, 1);
            (void)mn_mg_rows_multiply(&mg->rows[0], mg->pool, mg->u, mg->q);
            run_passes(j, (tile_pass *const[]){ pass_residual }, 1);
        }
    }
    mn_mg_remove_pocket_means(mg, mg->r);
    run_passes(j, (tile_pass *const[]){ pass_square_of_r }, 1);
    j->alpha = 0.0;
    return sqrt(sum_of_tiles(mg));
}

static int32_t closed_pockets(const mn_multigrid *mg)
{
    return (int32_t)(mg->pockets.count - mg->pockets.rank + mg->pockets.lonely_count);
}

/// Norm of the right-hand side without the means of closed pockets.
static double measure_rhs(job *j, mn_solve_report *report)
{
    mn_multigrid *mg = j->mg;
    j->scale         = 1.0;
    run_passes(j, (tile_pass *const[]){ pass_read_rhs }, 1);
    report->pockets     = closed_pockets(mg);
    report->pocket_mean = mn_mg_remove_pocket_means(mg, mg->r);
    for (int64_t k = 0; k < mg->pockets.lonely_count; k++) {
        const double value = fabs(j->rhs[mg->pockets.lonely[k]]);
        if (!(value <= report->pocket_mean)) report->pocket_mean = value;
    }
    if (mg->pockets.count > 0) run_passes(j, (tile_pass *const[]){ pass_square_of_r }, 1);
    return sqrt(sum_of_tiles(mg));
}

// --- conjugate gradients (cg.h); between `advance` and the next `direct` j.alpha is the step that u is still owed ---

typedef struct solving {
    job              j;
    mn_cg_record     record;
    mn_solve_report *report;
} solving;

static double cg_residual(void *self) { return true_residual(&((solving *)self)->j, false); }

static double cg_precondition(void *self, bool first)
{
    job *j = &((solving *)self)->j;
    if (first) run_passes(j, (tile_pass *const[]){ pass_load }, 1);
    cycle(j->mg, 0);
    return sum_of_tiles(j->mg);
}

static double cg_direct(void *self, bool first, double beta)
{
    job *j  = &((solving *)self)->j;
    j->beta = beta;
    run_passes(j, (tile_pass *const[]){ first ? pass_first_direction : pass_step_and_direction, pass_product }, 2);
    j->alpha           = 0.0;
    const double of_us = sum_of_tiles(j->mg);
    return j->mg->rows == NULL ? of_us : of_us + mn_mg_rows_multiply(&j->mg->rows[0], j->mg->pool, j->mg->p, j->mg->q);
}

static double cg_advance(void *self, double alpha)
{
    job *j   = &((solving *)self)->j;
    j->alpha = alpha;
    if (j->mg->pockets.count == 0) {
        run_passes(j, (tile_pass *const[]){ pass_residual_and_load }, 1);
    } else {
        run_passes(j, (tile_pass *const[]){ pass_residual }, 1);
        mn_mg_remove_pocket_means(j->mg, j->mg->r);
        run_passes(j, (tile_pass *const[]){ pass_load }, 1);
    }
    return sqrt(sum_of_tiles(j->mg));
}

static void cg_finish(void *self)
{
    solving *s = self;
    if (s->j.alpha != 0.0) run_passes(&s->j, (tile_pass *const[]){ pass_step }, 1);
    s->j.alpha = 0.0;
    if (s->record.steps == 0) return;
    const double ritz = mn_mg_ritz(&s->record, 0);
    if (s->report->ritz_min == 0.0 || ritz < s->report->ritz_min) s->report->ritz_min = ritz;
}

static int iterate(solving *s, double tolerance, int max_iterations)
{
    const mn_cg      cg   = { .self         = s,
                              .residual     = cg_residual,
                              .precondition = cg_precondition,
                              .direct       = cg_direct,
                              .advance      = cg_advance,
                              .finish       = cg_finish,
                              .record       = &s->record,
                              .pool         = s->j.mg->pool };
    const mn_cg_stop stop = { .tolerance  = tolerance,
                              .margin     = RECURSION_MARGIN,
                              .gain       = RESTART_GAIN,
                              .iterations = max_iterations,
                              .restarts   = INT_MAX };
    run_passes(&s->j, (tile_pass *const[]){ s->j.x == s->j.rhs ? pass_zero_start : pass_read_start }, 1);
    const double start = sum_of_tiles(s->j.mg);
    if (!isfinite(start)) return MN_SOLVE_NOT_FINITE;
    return mn_cg_solve(&cg, true_residual(&s->j, start == 0.0), &stop, s->report);
}

mn_status mn_multigrid_solve(mn_multigrid *mg, const double *rhs, double *x, double tolerance, int max_iterations,
                             mn_solve_report *report)
{
    if (!mg->ready)
        return mn_fail(mg->context, MN_ERR_STATE, "the pressure solver has no matrix: setup comes before solve");
    if (!(tolerance > 0.0) || max_iterations < 0)
        return mn_fail(mg->context, MN_ERR_ARGUMENT,
                       "tolerance %g and %d iterations: the first must be above 0, the second not below", tolerance,
                       max_iterations);
    *report           = (mn_solve_report){ 0 };
    solving      s    = { .j = { .mg = mg, .l = &mg->level[0], .rhs = rhs, .x = x }, .report = report };
    const double norm = measure_rhs(&s.j, report);
    if (!isfinite(norm)) {
        report->outcome        = MN_SOLVE_NOT_FINITE;
        report->residual_first = report->residual_last = norm;
        return MN_OK;
    }
    if (norm < DBL_MIN) {
        memset(x, 0, (size_t)mg->source_count * mg->source_cells * sizeof *x);
        report->outcome = MN_SOLVE_NOTHING;
        return MN_OK;
    }
    s.j.scale       = 1.0 / norm;
    report->outcome = iterate(&s, tolerance, max_iterations);
    if (report->outcome == MN_SOLVE_NOT_FINITE) return MN_OK;
    mn_mg_remove_pocket_means(mg, mg->u);
    write_answer(&s.j, pass_write_u, norm);
    return MN_OK;
}

double mn_multigrid_remove_means(mn_multigrid *mg, double *v, int32_t *pockets)
{
    const int32_t count = closed_pockets(mg);
    if (pockets != NULL) *pockets = count;
    if (count == 0) return 0.0;
    job    j       = { .mg = mg, .l = &mg->level[0], .rhs = v, .x = v, .scale = 1.0 };
    double largest = 0.0;
    for (int64_t k = 0; k < mg->pockets.lonely_count; k++) largest = fmax(largest, fabs(v[mg->pockets.lonely[k]]));
    run_passes(&j, (tile_pass *const[]){ pass_read_rhs }, 1);
    largest = fmax(largest, mn_mg_remove_pocket_means(mg, mg->r));
    write_answer(&j, pass_write_r, 1.0);  // 0 where there is no diagonal
    return largest;
}

void mn_multigrid_react(mn_multigrid *mg, const double *p)
{
    for (int k = 0; k < mg->term_count; k++) {
        const mn_pressure_term *term = &mg->terms[k];
        if (term->react == NULL || term->rows == 0) continue;
        double *impulse = mg->rows[0].t;  // has room for all
        memset(impulse, 0, (size_t)term->rows * sizeof *impulse);
        for (int64_t c = 0; c < term->cells; c++)
            for (int32_t j = 0; j < term->rows; j++) impulse[j] += term->row[c * term->rows + j] * p[term->cell[c]];
        term->react(term->owner, impulse);
    }
}

// --- the parts alone ---

mn_status mn_multigrid_apply(mn_multigrid *mg, const double *x, double *y)
{
    if (!mg->ready)
        return mn_fail(mg->context, MN_ERR_STATE, "the pressure solver has no matrix: setup comes before apply");
    job j = { .mg = mg, .l = &mg->level[0], .rhs = x, .x = y, .scale = 1.0 };
    run_passes(&j, (tile_pass *const[]){ pass_read_rhs }, 1);
    memcpy(mg->p, mg->r, (size_t)mg->level[0].count * mg->level[0].cells * sizeof *mg->p);
    run_passes(&j, (tile_pass *const[]){ pass_product }, 1);
    if (mg->rows != NULL) (void)mn_mg_rows_multiply(&mg->rows[0], mg->pool, mg->p, mg->q);
    write_answer(&j, pass_write_q, 1.0);
    return MN_OK;
}

static void pass_z_to_q(const job *j, int32_t t)
{
    const size_t at = (size_t)t * j->l->cells;
    for (int i = 0; i < j->l->cells; i += 8) mn_d8_store(j->mg->q + at + i, mn_d8_of(mn_f8_load(j->l->x + at + i)));
}

mn_status mn_multigrid_cycle(mn_multigrid *mg, const double *r, double *z)
{
    if (!mg->ready)
        return mn_fail(mg->context, MN_ERR_STATE, "the pressure solver has no matrix: setup comes before a cycle");
    job j = { .mg = mg, .l = &mg->level[0], .rhs = r, .x = z, .scale = 1.0 };
    run_passes(&j, (tile_pass *const[]){ pass_read_rhs, pass_load }, 2);
    cycle(mg, 0);
    run_passes(&j, (tile_pass *const[]){ pass_z_to_q }, 1);
    write_answer(&j, pass_write_q, 1.0);
    return MN_OK;
}
