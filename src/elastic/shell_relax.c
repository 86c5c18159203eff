// SPDX-License-Identifier: MPL-2.0
// elastic/shell_relax.c - the mid-edge normals find their rest: Jacobi-CG on the constant matrix of xi.
//
// The condition of this matrix does not depend on the size of the mesh (wet-fabric 5.1): every triangle's form is
// regular, and an edge meets two of them.
#include "elastic/shell_private.h"

#include "base/pool.h"

#include <string.h>

/// Angles (rad) below which the right-hand side is round-off and there is nothing to relax.
#define NOISE_ANGLE 1e-13

typedef struct relax_job {
    mn_shell     *s;
    mn_shell_pose pose;
    double       *diagonal;   // of the matrix; 0 where xi is held
    double       *moment;     // 3 per triangle
    double       *rotation;   // 3 per triangle: G is applied to these when `direction` is NULL
    const double *direction;  // or to s xi of these edges
    double       *residual, *search, *product;
    double        step;
    const double *measure;  // of the edges
    bool          without_xi;
} relax_job;

static int local_index(const mn_shell_triangle *t, int64_t e) { return t->edge[0] == e ? 0 : t->edge[1] == e ? 1 : 2; }

static void apply_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const relax_job *job  = context;
    const mn_shell  *s    = job->s;
    const double     more = 1.0 + s->viscous;
    for (int64_t t = begin; t < end; t++) {
        const mn_shell_triangle *tri    = &s->triangle[t];
        const double             factor = mn_shell_factor(&job->pose, t);
        double                   q[3], m[3];
        for (int i = 0; i < 3; i++)
            q[i] = job->direction != NULL ? more * tri->sign[i] * job->direction[tri->edge[i]]
                                          : job->rotation[3 * t + i];
        const mn_bending_form g = mn_bending_of(&tri->bending);
        mn_bending_apply(&g, q, m);
        for (int i = 0; i < 3; i++) job->moment[3 * t + i] = factor * m[i];
    }
}

static double edge_sum(const relax_job *job, int64_t e)
{
    const mn_shell *s   = job->s;
    double          sum = 0.0;
    if (s->xi_kind[e] != MN_XI_FREE) return 0.0;
    for (int k = 0; k < 2 && s->edge[e].triangle[k] >= 0; k++) {
        const int64_t t = s->edge[e].triangle[k];
        sum += (k == 0 ? 1.0 : -1.0) * job->moment[3 * t + local_index(&s->triangle[t], e)];
    }
    return sum;
}

static double product_range(int64_t begin, int64_t end, void *context)
{
    const relax_job *job = context;
    double           dot = 0.0;
    for (int64_t e = begin; e < end; e++) {
        job->product[e] = edge_sum(job, e);
        dot += job->product[e] * job->search[e];
    }
    return dot;
}

static double diagonal_at(const relax_job *job, int64_t e)
{
    const mn_shell *s   = job->s;
    double          sum = 0.0;
    for (int k = 0; k < 2 && s->edge[e].triangle[k] >= 0; k++) {
        const int64_t t = s->edge[e].triangle[k];
        sum += (1.0 + s->viscous) * mn_shell_factor(&job->pose, t) *
               (double)s->triangle[t].bending.d[local_index(&s->triangle[t], e)];
    }
    return sum;
}

/// First residual, in the norm of the inverse diagonal, and the first search direction.
static double start_range(int64_t begin, int64_t end, void *context)
{
    const relax_job *job  = context;
    double           norm = 0.0;
    for (int64_t e = begin; e < end; e++) {
        job->diagonal[e] = job->s->xi_kind[e] == MN_XI_FREE ? diagonal_at(job, e) : 0.0;
        job->residual[e] = -edge_sum(job, e);
        job->search[e]   = job->diagonal[e] > 0.0 ? job->residual[e] / job->diagonal[e] : 0.0;
        norm += job->residual[e] * job->search[e];
    }
    return norm;
}

static double noise_range(int64_t begin, int64_t end, void *context)
{
    const relax_job *job = context;
    double           sum = 0.0;
    for (int64_t e = begin; e < end; e++) sum += job->diagonal[e];
    return NOISE_ANGLE * NOISE_ANGLE * sum;
}

static double advance_range(int64_t begin, int64_t end, void *context)
{
    const relax_job *job  = context;
    double           norm = 0.0, *xi = job->s->state.xi[0];
    for (int64_t e = begin; e < end; e++) {
        if (!(job->diagonal[e] > 0.0)) continue;
        xi[e] += job->step * job->search[e];
        job->residual[e] -= job->step * job->product[e];
        norm += job->residual[e] * job->residual[e] / job->diagonal[e];
    }
    return norm;
}

static void turn_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const relax_job *job = context;
    for (int64_t e = begin; e < end; e++)
        if (job->diagonal[e] > 0.0) job->search[e] = job->residual[e] / job->diagonal[e] + job->step * job->search[e];
}

/// Rotations that drive the moments: of the pose as it is, or with xi = 0 on free edges (the scale of the residual).
static void rotation_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const relax_job *job = context;
    const mn_shell  *s   = job->s;
    for (int64_t t = begin; t < end; t++) {
        double q[3];
        mn_shell_rotations(s, job->measure, t, q, job->rotation + 3 * t);
        for (int i = 0; job->without_xi && i < 3; i++) {
            const int32_t e = s->triangle[t].edge[i];
            if (s->xi_kind[e] == MN_XI_FREE)
                job->rotation[3 * t + i] -= (1.0 + s->viscous) * s->triangle[t].sign[i] * s->state.xi[0][e];
        }
    }
}

static double residual_norm(relax_job *job, mn_pool *pool, const double *measure, bool without_xi)
{
    job->measure    = measure;
    job->without_xi = without_xi;
    job->direction  = NULL;
    mn_parallel_for(pool, job->s->triangle_count, MN_SHELL_BLOCK, rotation_range, job);
    mn_parallel_for(pool, job->s->triangle_count, MN_SHELL_BLOCK, apply_range, job);
    return mn_parallel_sum(pool, job->s->edge_count, start_range, job);
}

static void iterate(relax_job *job, mn_pool *pool, double target, int max_iterations, double norm,
                    mn_shell_relax_report *r)
{
    mn_shell *s = job->s;
    while (!(norm <= target) && r->iterations < max_iterations && !mn_pool_interrupted(pool)) {
        job->direction = job->search;
        mn_parallel_for(pool, s->triangle_count, MN_SHELL_BLOCK, apply_range, job);
        const double curvature = mn_parallel_sum(pool, s->edge_count, product_range, job);
        if (!(curvature > 0.0)) break;
        job->step         = norm / curvature;
        const double next = mn_parallel_sum(pool, s->edge_count, advance_range, job);
        job->step         = next / norm;
        norm              = next;
        r->iterations++;
        mn_parallel_for(pool, s->edge_count, MN_SHELL_BLOCK, turn_range, job);
    }
    r->residual_last = norm;
}

static mn_status take_scratch(relax_job *job, mn_arena *arena)
{
    const int64_t edges = job->s->edge_count, corners = 3 * job->s->triangle_count;
    job->diagonal = mn_arena_array(arena, double, edges);
    job->residual = mn_arena_array(arena, double, edges);
    job->search   = mn_arena_array(arena, double, edges);
    job->product  = mn_arena_array(arena, double, edges);
    job->moment   = mn_arena_array(arena, double, corners);
    job->rotation = mn_arena_array(arena, double, corners);
    return job->diagonal && job->residual && job->search && job->product && job->moment && job->rotation
               ? MN_OK
               : MN_ERR_MEMORY;
}

mn_status mn_shell_relax(mn_shell *s, mn_shell_pose pose, double tolerance, int max_iterations, mn_arena *arena,
                         mn_shell_relax_report *report)
{
    *report = (mn_shell_relax_report){ .converged = true };
    if (s->material.bend == MN_BEND_HINGE) return MN_OK;  // has no mid-edge normals
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_pool            *pool = mn_context_pool(s->context);
    relax_job           job  = { .s = s, .pose = pose };
    mn_shell_hinges     hinges;
    mn_status           st = mn_shell_hinges_of(s, pose.x, false, arena, &hinges);
    if (st == MN_OK) st = take_scratch(&job, arena);
    if (st == MN_OK) {
        const double whole = residual_norm(&job, pool, hinges.measure, true);
        const double first = residual_norm(&job, pool, hinges.measure, false);
        const double scale = fmax(whole, mn_parallel_sum(pool, s->edge_count, noise_range, &job));
        iterate(&job, pool, tolerance * tolerance * scale, max_iterations, first, report);
        report->converged      = report->residual_last <= tolerance * tolerance * scale;
        report->residual_first = scale > 0.0 ? sqrt(first / scale) : 0.0;
        report->residual_last  = scale > 0.0 ? sqrt(report->residual_last / scale) : 0.0;
    }
    mn_arena_end(arena, mark);
    return st;
}
