// SPDX-License-Identifier: MPL-2.0
// liquid/sums.c - volume, momentum and energy of the liquid.
#include "liquid/liquid.h"

#include "base/sum.h"

typedef struct sum_job {
    const mn_liquid_particles *p;
    mn_vec3                    gravity;
    int                        axis;
} sum_job;

/// Compensated: the budget is exact to 1e-12 over millions of particles.
static double exact_sum(const double *value, int64_t begin, int64_t end)
{
    double sum = 0.0, carry = 0.0;
    for (int64_t i = begin; i < end; i++) mn_add_carry(&sum, &carry, value[i]);
    return sum;
}

static double pigment_block(int64_t begin, int64_t end, void *context) { return exact_sum(context, begin, end); }

double mn_liquid_pigment_sum(mn_liquid *q, int pigment)
{
    mn_liquid_particles *p = mn_liquid_now(q);
    return mn_parallel_sum(mn_context_pool(q->context), p->count, pigment_block, p->pigment[pigment]);
}

static double volume_block(int64_t begin, int64_t end, void *context)
{
    return exact_sum(((const sum_job *)context)->p->volume[0], begin, end);
}

static double momentum_block(int64_t begin, int64_t end, void *context)
{
    const sum_job *job       = context;
    const double *restrict u = job->p->velocity[job->axis], *restrict volume = job->p->volume[0];
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += volume[i] * u[i];
    return sum;
}

static double kinetic_block(int64_t begin, int64_t end, void *context)
{
    const mn_liquid_particles *p   = ((const sum_job *)context)->p;
    double                     sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const double u = p->velocity[0][i], v = p->velocity[1][i], w = p->velocity[2][i];
        sum += 0.5 * p->volume[0][i] * (u * u + v * v + w * w);
    }
    return sum;
}

static double gravity_block(int64_t begin, int64_t end, void *context)
{
    const sum_job *job = context;
    const mn_vec3  g   = job->gravity;
    double         sum = 0.0;
    for (int64_t i = begin; i < end; i++)
        sum -= job->p->volume[0][i] *
               (g.x * job->p->position[0][i] + g.y * job->p->position[1][i] + g.z * job->p->position[2][i]);
    return sum;
}

mn_liquid_sums mn_liquid_sum(mn_liquid *q)
{
    mn_pool       *pool = mn_context_pool(q->context);
    sum_job        job  = { .p = mn_liquid_now(q), .gravity = q->model.gravity };
    const int64_t  n    = job.p->count;
    const double   rho  = q->model.material.density;
    mn_liquid_sums s    = { .volume  = mn_parallel_sum(pool, n, volume_block, &job),
                            .kinetic = rho * mn_parallel_sum(pool, n, kinetic_block, &job),
                            .gravity = rho * mn_parallel_sum(pool, n, gravity_block, &job) };
    double         momentum[3];
    for (job.axis = 0; job.axis < 3; job.axis++)
        momentum[job.axis] = rho * mn_parallel_sum(pool, n, momentum_block, &job);
    s.momentum = mn_v3_from(momentum);
    mn_liquid_dt_limit(q, &s.max_speed);
    return s;
}
