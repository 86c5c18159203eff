// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity_cycle.c - the product with the viscosity matrix, and one V-cycle for it. liquid 5.12
//
// The sweeps are Chebyshev polynomials of the matrix over the sums of its lines' |entries|. No eigenvalue of that is
// above 1, whatever the weights; sweeps before and after are the same polynomial, so that the cycle is symmetric; and
// every pass reads one field and writes another, so that bits do not depend on who does which rows.
#include "liquid/viscosity_private.h"

#include "solve/mg_vector.h"

#define NAME(name)  name##_float
#define REAL        float
#define VECTOR      mn_f8
#define LOAD        mn_f8_load
#define COEFFICIENT mn_f8_load
#include "liquid/viscosity_kernel.h"
#undef NAME
#undef REAL
#undef VECTOR
#undef LOAD
#undef COEFFICIENT

#define NAME(name)     name##_double
#define REAL           double
#define VECTOR         mn_d8
#define LOAD           mn_d8_load
#define COEFFICIENT(p) mn_d8_of(mn_f8_load(p))
#include "liquid/viscosity_kernel.h"

/// Sweeps before and after the coarse correction, and the lowest eigenvalue they aim at.
#define SWEEPS    3
#define SWEEP_LOW 0.1
/// The same on the last level, where the mass rules.
#define LAST_SWEEPS 6
#define LAST_LOW    0.05

typedef struct pass_job {
    mn_viscosity_matrix *m;
    mn_viscosity_level  *l, *coarse;
    const float         *from;
    float               *to;
    float                keep, gain;  // step = keep step + gain inverse residual
    const double        *x;
    double              *y, *dot;
    bool                 stress_only;
} pass_job;

static void run(const pass_job *job, int32_t rows, mn_range_fn *fn)
{
    mn_parallel_for(mn_context_pool(job->m->q->context), rows, MN_ROW_BLOCK, fn, (void *)(uintptr_t)job);
}

// Sweeps

/// From x = 0: x = step = gain inverse b.
static void first_sweep_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass_job           *job = context;
    const mn_viscosity_level *l   = job->l;
    for (size_t i = mn_row_face(l, (int32_t)begin, 0); i < mn_row_face(l, (int32_t)end, 0); i += MN_TILE) {
        const mn_f8 step = job->gain * (mn_f8_load(l->inverse + i) * mn_f8_load(l->b + i));
        mn_f8_store(l->step + i, step);
        mn_f8_store(job->to + i, step);
    }
}

MN_INLINE void sweep(const pass_job *job, int32_t begin, int32_t end, int dimension)
{
    const mn_viscosity_level *l = job->l;
    for (int32_t r = begin; r < end; r++) {
        mn_f8 stress[3];
        if (r == 0) continue;
        stress_float(l, job->from, r, dimension, stress);
        for (int a = 0; a < dimension; a++) {
            const size_t i       = mn_row_face(l, r, a);
            const mn_f8  x       = mn_f8_load(job->from + i),
                        residual = mn_f8_load(l->b + i) - mn_f8_load(l->mass + i) * x - stress[a];
            const mn_f8 step     = job->keep * mn_f8_load(l->step + i) +
                               job->gain * (mn_f8_load(l->inverse + i) * residual);
            mn_f8_store(l->step + i, step);
            mn_f8_store(job->to + i, x + step);
        }
    }
}

static void sweep_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass_job *job = context;
    if (job->l->dimension == 3) sweep(job, (int32_t)begin, (int32_t)end, 3);
    else sweep(job, (int32_t)begin, (int32_t)end, 2);
}

/// `count` sweeps on the eigenvalues from `low` to 1; x holds the start unless it is zero, and the answer.
static void sweeps(pass_job *job, int count, double low, bool from_zero)
{
    mn_viscosity_level *l     = job->l;
    const double        theta = 0.5 * (1.0 + low), delta = 0.5 * (1.0 - low);
    double              rho = delta / theta;
    for (int k = 0; k < count; k++) {
        const double next = 1.0 / (2.0 * theta / delta - rho);
        job->keep         = (float)(k == 0 ? 0.0 : next * rho);
        job->gain         = (float)(k == 0 ? 1.0 / theta : 2.0 * next / delta);
        if (k > 0) rho = next;
        job->from = l->x;
        job->to   = k == 0 && from_zero ? l->x : l->y;
        run(job, l->count, k == 0 && from_zero ? first_sweep_rows : sweep_rows);
        if (job->to == l->y) l->y = l->x, l->x = job->to;
    }
}

// Between levels

MN_INLINE void residual(const pass_job *job, int32_t begin, int32_t end, int dimension)
{
    const mn_viscosity_level *l = job->l;
    for (int32_t r = begin; r < end; r++) {
        mn_f8 stress[3];
        if (r == 0) continue;
        stress_float(l, l->x, r, dimension, stress);
        for (int a = 0; a < dimension; a++) {
            const size_t i       = mn_row_face(l, r, a);
            const mn_f8  v       = mn_f8_load(l->b + i) - mn_f8_load(l->mass + i) * mn_f8_load(l->x + i) - stress[a];
            const mn_i8  unknown = mn_f8_load(l->inverse + i) != 0.0f;
            mn_f8_store(l->step + i, (mn_f8)((mn_i8)v & unknown));
        }
    }
}

static void residual_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass_job *job = context;
    if (job->l->dimension == 3) residual(job, (int32_t)begin, (int32_t)end, 3);
    else residual(job, (int32_t)begin, (int32_t)end, 2);
}

static void restrict_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass_job *job = context;
    for (int32_t r = (int32_t)begin; r < (int32_t)end; r++)
        if (r > 0) mn_viscosity_restrict(job->l, job->coarse, r, job->l->step, job->coarse->b);
}

/// Four values under a half of a coarse row, each twice.
MN_INLINE mn_f8 twice(const float *v) { return (mn_f8){ v[0], v[0], v[1], v[1], v[2], v[2], v[3], v[3] }; }

static void prolong_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass_job           *job = context;
    const mn_viscosity_level *l = job->l, *c = job->coarse;
    for (int32_t r = (int32_t)begin; r < (int32_t)end; r++) {
        if (r == 0) continue;
        const int32_t row = l->place[r] % mn_rows_of(&l->tiles), parent = l->parent[r], half = 4 * l->half[r];
        for (int a = 0; a < l->dimension; a++) {
            const size_t i   = mn_row_face(l, r, a);
            const float *v   = c->x + mn_row_face(c, parent, a) + half;
            mn_f8        add = twice(v);
            if (a == 0) {
                const float last   = half == 0 ? v[4] : c->x[mn_row_face(c, c->near[parent][MN_ROW_X_HIGH], 0)];
                const float odd[4] = { 0.5f * (v[0] + v[1]), 0.5f * (v[1] + v[2]), 0.5f * (v[2] + v[3]),
                                       0.5f * (v[3] + last) };
                add                = (mn_f8){ v[0], odd[0], v[1], odd[1], v[2], odd[2], v[3], odd[3] };
            } else if ((a == 1 ? row : row / MN_TILE) & 1) {
                const int32_t next = c->near[parent][a == 1 ? MN_ROW_Y_HIGH : MN_ROW_Z_HIGH];
                add                = 0.5f * (add + twice(c->x + mn_row_face(c, next, a) + half));
            }
            const mn_i8 unknown = mn_f8_load(l->inverse + i) != 0.0f;
            mn_f8_store(l->x + i, mn_f8_load(l->x + i) + (mn_f8)((mn_i8)add & unknown));
        }
    }
}

static void cycle(mn_viscosity_matrix *m, int level)
{
    pass_job job = { .m = m, .l = &m->level[level] };
    if (level == m->levels - 1) {
        sweeps(&job, LAST_SWEEPS, LAST_LOW, true);
        return;
    }
    job.coarse = &m->level[level + 1];
    sweeps(&job, SWEEPS, SWEEP_LOW, true);
    run(&job, job.l->count, residual_rows);
    run(&job, job.coarse->count, restrict_rows);
    cycle(m, level + 1);
    run(&job, job.l->count, prolong_rows);
    sweeps(&job, SWEEPS, SWEEP_LOW, false);
}

void mn_viscosity_cycle(mn_viscosity_matrix *m) { cycle(m, 0); }

// The product in double

MN_INLINE double product(const pass_job *job, int32_t begin, int32_t end, int dimension)
{
    const mn_viscosity_level *l   = job->l;
    mn_d8                     dot = { 0 };
    for (int32_t r = begin; r < end; r++) {
        mn_d8 stress[3];
        if (r == 0) continue;
        stress_double(l, job->x, r, dimension, stress);
        for (int a = 0; a < dimension; a++) {
            const size_t i = mn_row_face(l, r, a);
            const mn_d8  x = mn_d8_load(job->x + i);
            if (!job->stress_only) stress[a] += mn_d8_of(mn_f8_load(l->mass + i)) * x;
            const mn_d8 kept = mn_d8_where(mn_f8_load(l->inverse + i), stress[a]);
            mn_d8_store(job->y + i, kept);
            dot += x * kept;
        }
    }
    return mn_d8_sum(dot);
}

static void product_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const pass_job *job = context;
    const double    dot = job->l->dimension == 3 ? product(job, (int32_t)begin, (int32_t)end, 3)
                                                 : product(job, (int32_t)begin, (int32_t)end, 2);
    if (job->dot != NULL) job->dot[begin / MN_ROW_BLOCK] = dot;
}

void mn_viscosity_apply(mn_viscosity_matrix *m, const double *x, double *y, bool stress_only, double *dot)
{
    const pass_job job = { .m = m, .l = &m->level[0], .x = x, .y = y, .dot = dot, .stress_only = stress_only };
    run(&job, job.l->count, product_rows);
}
