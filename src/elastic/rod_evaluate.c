// SPDX-License-Identifier: MPL-2.0
// elastic/rod_evaluate.c - energies, gradients and blocks of all elements of a network, and the advance of its frames.
#include "elastic/rod_network_private.h"

mn_rod_side mn_rod_network_side(const mn_rod_network *net, int32_t e, const mn_vec3 *x, double angle)
{
    const mn_vec3 d      = mn_sub3(x[net->edge[e].vertex[1]], x[net->edge[e].vertex[0]]);
    const double  length = mn_norm3(d);
    const mn_vec3 t      = mn_scale3(1.0 / length, d);
    const mn_vec3 d1     = mn_rod_across(mn_rod_transport(mn_rod_get(net->edges.director, e),
                                                          mn_rod_get(net->edges.tangent, e), t),
                                         t);
    const mn_vec3 d2     = mn_cross3(t, d1);
    return (mn_rod_side){ .tangent = t,
                          .length  = length,
                          .m1      = mn_add3(mn_scale3(cos(angle), d1), mn_scale3(sin(angle), d2)) };
}

mn_rod_stretch mn_rod_network_stretch(const mn_rod_network *net, int32_t e, double length)
{
    const mn_rod_material *m = &net->strand[net->edge[e].strand].material;
    const double rest = net->edge[e].length, area = net->edge_factor[e] * MN_PI * m->radius * m->radius / rest;
    const double viscous = net->step > 0.0 && !m->damp_bending_only ? 3.0 * m->viscosity * area / net->step : 0.0;
    return mn_rod_stretch_at(length, rest, m->young * m->stretch_factor * area, net->start_length[e], viscous);
}

mn_rod_corner mn_rod_network_corner(const mn_rod_network *net, int32_t k, const mn_rod_side *e, const mn_rod_side *f,
                                    double angle_e, double angle_f)
{
    const mn_rod_joint *j    = &net->joint[k];
    const double        near = j->sign[1] * angle_f - j->sign[0] * angle_e + net->corners.reference_twist[0][k];
    if (j->sign[0] > 0 && j->sign[1] > 0) return mn_rod_corner_at(e, f, near);
    mn_rod_side a = *e, b = *f;
    if (j->sign[0] < 0) a.tangent = mn_scale3(-1.0, a.tangent);
    if (j->sign[1] < 0) b.tangent = mn_scale3(-1.0, b.tangent);
    return mn_rod_corner_at(&a, &b, near);
}

/// Factor phi^lambda of a corner: the mean of its edges, at a meeting of two strands that of the thinner one.
static double corner_factor(const mn_rod_network *net, const mn_rod_joint *j)
{
    const double a = net->edge_factor[j->edge[0]], b = net->edge_factor[j->edge[1]];
    if (j->mended || net->edge[j->edge[0]].strand == net->edge[j->edge[1]].strand) return 0.5 * (a + b);
    return net->edge[j->edge[0]].strand == j->strand ? a : b;
}

/// I / l of a corner.
static double section_of(const mn_rod_network *net, int32_t k)
{
    const mn_rod_joint *j  = &net->joint[k];
    const double        r2 = net->strand[j->strand].material.radius * net->strand[j->strand].material.radius;
    return 0.25 * MN_PI * r2 * r2 * corner_factor(net, j) / j->length;
}

static mn_rod_stiffness elastic_of(const mn_rod_material *m, double section)
{
    return (mn_rod_stiffness){ 0.5 * m->young * section, 2.0 * m->shear * section };
}

/// What the viscous terms add to the stiffness in a step.
static mn_rod_stiffness viscous_of(const mn_rod_material *m, double section, double step)
{
    if (!(step > 0.0)) return (mn_rod_stiffness){ 0 };
    const double rate = m->viscosity * section / step;
    return (mn_rod_stiffness){ 1.5 * rate, 2.0 * rate };
}

mn_rod_load mn_rod_network_load(const mn_rod_network *net, int32_t k, const mn_rod_corner *c)
{
    const mn_rod_joint    *j       = &net->joint[k];
    const mn_rod_material *m       = &net->strand[j->strand].material;
    const double           section = section_of(net, k);
    return mn_rod_corner_load(c, &j->rest, elastic_of(m, section), &net->start_strain[k],
                              viscous_of(m, section, net->step));
}

typedef struct evaluation {
    mn_rod_network *net;
    const mn_vec3  *x;
    const double   *angle;
    mn_rod_policy   policy;
    bool            energy_only;
} evaluation;

static void evaluate_edges(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    evaluation     *job = context;
    mn_rod_network *net = job->net;
    double          sum = 0.0, viscous = 0.0;
    for (int32_t e = (int32_t)begin; e < end; e++) {
        net->side[e]    = mn_rod_network_side(net, e, job->x, job->angle[e]);
        net->stretch[e] = mn_rod_network_stretch(net, e, net->side[e].length);
        net->across[e]  = mn_rod_stretch_across(&net->stretch[e], net->side[e].length, job->policy);
        sum += net->stretch[e].energy;
        viscous += net->stretch[e].energy_viscous;
    }
    net->partial[begin / MN_ROD_BLOCK][0] = sum;
    net->partial[begin / MN_ROD_BLOCK][1] = viscous;
}

static mn_rod_corner corner_now(const evaluation *job, int32_t k)
{
    const int32_t *e = job->net->joint[k].edge;
    return mn_rod_network_corner(job->net, k, &job->net->side[e[0]], &job->net->side[e[1]], job->angle[e[0]],
                                 job->angle[e[1]]);
}

/// Exact second derivative of bending by an angle: stiffness kappa.kappa - stress.kappa; negative values are left out.
static double angle_hessian(const mn_rod_corner *c, const mn_rod_load *l, int j)
{
    const double *kappa = c->strain.kappa[j];
    return fmax(0.0, l->stiffness * (kappa[0] * kappa[0] + kappa[1] * kappa[1]) - l->stress[j][0] * kappa[0] -
                         l->stress[j][1] * kappa[1]);
}

static void evaluate_corners(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    evaluation     *job    = context;
    mn_rod_network *net    = job->net;
    double          sum[6] = { 0 };
    for (int32_t k = (int32_t)begin; k < end; k++) {
        const mn_rod_corner c = corner_now(job, k);
        const mn_rod_load   l = mn_rod_network_load(net, k, &c);
        sum[1] += l.energy_viscous, sum[2] += l.energy_bend, sum[3] += l.energy_twist, sum[4] += l.energy_fold;
        sum[5] += c.chi < MN_ROD_CHI_CAP;
        if (job->energy_only) continue;
        net->gradient[k] = mn_rod_corner_gradient(&c, &l);
        for (int j = 0; j < 2; j++) net->gradient[k].angle[j] *= net->joint[k].sign[j];
        mn_rod_corner_block(&c, &l, job->policy, &net->block[k]);
        net->twist_hessian[k][0] = l.twist_stiffness;
        for (int j = 0; j < 2; j++) net->twist_hessian[k][1 + j] = angle_hessian(&c, &l, j);
    }
    for (int n = 0; n < 6; n++) net->partial[begin / MN_ROD_BLOCK][n] = sum[n];
}

static mn_rod_sums evaluate(evaluation *job)
{
    mn_rod_network *net  = job->net;
    mn_rod_sums     sums = { 0 };
    if (job->angle == NULL) job->angle = net->edges.angle[0];
    mn_parallel_for(mn_context_pool(net->context), net->edges.count, MN_ROD_BLOCK, evaluate_edges, job);
    for (int64_t b = 0; b * MN_ROD_BLOCK < net->edges.count; b++) {
        sums.stretch += net->partial[b][0];
        sums.viscous += net->partial[b][1];
    }
    mn_parallel_for(mn_context_pool(net->context), net->corners.count, MN_ROD_BLOCK, evaluate_corners, job);
    for (int64_t b = 0; b * MN_ROD_BLOCK < net->corners.count; b++) {
        const double *p = net->partial[b];
        sums.viscous += p[1], sums.bend += p[2], sums.twist += p[3], sums.fold += p[4];
        sums.folded += (int64_t)p[5];
    }
    return sums;
}

void mn_rod_network_evaluate(mn_rod_network *net, const mn_vec3 *x, const double *angle, mn_rod_policy policy,
                             mn_rod_sums *sums)
{
    evaluation        job = { .net = net, .x = x, .angle = angle, .policy = policy };
    const mn_rod_sums all = evaluate(&job);
    if (sums != NULL) *sums = all;
}

mn_rod_sums mn_rod_network_energy(mn_rod_network *net, const mn_vec3 *x, const double *angle)
{
    evaluation job = { .net = net, .x = x, .angle = angle, .energy_only = true };
    return evaluate(&job);
}

typedef struct viscous_job {
    mn_rod_network *net;
    const mn_vec3  *x;
    const double   *angle;
    double (*share)[2];
    double *torque;
} viscous_job;

static void viscous_corners(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const viscous_job    *job = context;
    const mn_rod_network *net = job->net;
    for (int32_t k = (int32_t)begin; k < end; k++) {
        const mn_rod_joint *j = &net->joint[k];
        const int32_t       e = j->edge[0], f = j->edge[1];
        const mn_rod_side   at_e       = mn_rod_network_side(net, e, job->x, job->angle[e]),
                          at_f         = mn_rod_network_side(net, f, job->x, job->angle[f]);
        const mn_rod_corner    c       = mn_rod_network_corner(net, k, &at_e, &at_f, job->angle[e], job->angle[f]);
        const mn_rod_stiffness viscous = viscous_of(&net->strand[j->strand].material, section_of(net, k), net->step);
        const mn_rod_load l = mn_rod_corner_load(&c, &j->rest, (mn_rod_stiffness){ 0 }, &net->start_strain[k], viscous);
        const mn_rod_gradient g = mn_rod_corner_gradient(&c, &l);
        for (int n = 0; n < 2; n++) job->share[k][n] = j->sign[n] * g.angle[n];
    }
}

static void viscous_edges(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const viscous_job *job  = context;
    const mn_rod_uses *uses = &job->net->edge_corners;
    for (int64_t e = begin; e < end; e++)
        for (int32_t n = uses->start[e]; n < uses->start[e + 1]; n++)
            job->torque[e] -= job->share[uses->list[n] / 2][uses->list[n] % 2];
}

void mn_rod_network_add_viscous_torques(mn_rod_network *net, const mn_vec3 *x, const double *angle, double (*share)[2],
                                        double *torque)
{
    viscous_job job = { net, x, angle, share, torque };
    mn_parallel_for(mn_context_pool(net->context), net->corners.count, MN_ROD_BLOCK, viscous_corners, &job);
    mn_parallel_for(mn_context_pool(net->context), net->edges.count, MN_ROD_BLOCK, viscous_edges, &job);
}

/// Curvature of a corner squared: the larger one of now and at rest.
static double curvature_squared(const mn_rod_network *net, const mn_rod_joint *j)
{
    mn_rod_side side[2];
    for (int n = 0; n < 2; n++)
        side[n] = (mn_rod_side){ .tangent = mn_scale3(j->sign[n], mn_rod_get(net->edges.tangent, j->edge[n])),
                                 .length  = 1.0,
                                 .m1      = mn_rod_get(net->edges.director, j->edge[n]) };
    const mn_vec3 kb   = mn_rod_corner_at(&side[0], &side[1], 0.0).kb;
    double        most = mn_dot3(kb, kb);
    for (int n = 0; n < 2; n++)
        most = fmax(most, j->rest.kappa[n][0] * j->rest.kappa[n][0] + j->rest.kappa[n][1] * j->rest.kappa[n][1]);
    return most;
}

mn_rod_angle_bound mn_rod_network_angle_bound(const mn_rod_network *net, int32_t e)
{
    mn_rod_angle_bound out = { 0 };
    for (int32_t n = net->edge_corners.start[e]; n < net->edge_corners.start[e + 1]; n++) {
        const int32_t          k       = net->edge_corners.list[n] / 2;
        const mn_rod_material *m       = &net->strand[net->joint[k].strand].material;
        const double           section = section_of(net, k), bent = curvature_squared(net, &net->joint[k]);
        const mn_rod_stiffness elastic = elastic_of(m, section), viscous = viscous_of(m, section, 1.0);
        // Twist joins two angles, with the same value beside the diagonal as on it; bending acts on each for itself.
        out.elastic += 2.0 * elastic.twist + bent * elastic.bend;
        out.viscous += 2.0 * viscous.twist + bent * viscous.bend;
    }
    return out;
}

static void start_edges(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    evaluation *job = context;
    for (int32_t e = (int32_t)begin; e < end; e++) {
        job->net->side[e]         = mn_rod_network_side(job->net, e, job->x, job->angle[e]);
        job->net->start_length[e] = job->net->side[e].length;
    }
}

static void start_corners(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    evaluation *job = context;
    for (int32_t k = (int32_t)begin; k < end; k++) job->net->start_strain[k] = corner_now(job, k).strain;
}

void mn_rod_network_begin(mn_rod_network *net, const mn_vec3 *x, double h)
{
    evaluation job = { .net = net, .x = x, .angle = net->edges.angle[0] };
    net->step      = h > 0.0 && isfinite(h) ? h : 0.0;
    mn_parallel_for(mn_context_pool(net->context), net->edges.count, MN_ROD_BLOCK, start_edges, &job);
    mn_parallel_for(mn_context_pool(net->context), net->corners.count, MN_ROD_BLOCK, start_corners, &job);
}

typedef struct advance {
    mn_rod_network *net;
    const mn_vec3  *x;
    const double   *rate;
    double          h;
} advance;

/// Frames to x, with angle zero: the side then holds the reference director itself.
static void advance_edges(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const advance  *job = context;
    mn_rod_network *net = job->net;
    for (int32_t e = (int32_t)begin; e < end; e++) {
        net->side[e] = mn_rod_network_side(net, e, job->x, 0.0);
        mn_rod_set(net->edges.tangent, e, net->side[e].tangent);
        mn_rod_set(net->edges.director, e, net->side[e].m1);
        if (job->rate == NULL) continue;
        net->edges.angle[0][e] += job->h * job->rate[e];
        net->edges.angle_rate[0][e] = job->rate[e];
    }
}

static void advance_corners(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const advance  *job = context;
    mn_rod_network *net = job->net;
    for (int32_t k = (int32_t)begin; k < end; k++) {
        const int32_t *e                   = net->joint[k].edge;
        net->corners.reference_twist[0][k] = mn_rod_network_corner(net, k, &net->side[e[0]], &net->side[e[1]], 0.0, 0.0)
                                                 .strain.twist;
    }
}

void mn_rod_network_accept(mn_rod_network *net, const mn_vec3 *x, const double *rate, double h)
{
    advance job = { net, x, rate, h };
    mn_parallel_for(mn_context_pool(net->context), net->edges.count, MN_ROD_BLOCK, advance_edges, &job);
    mn_parallel_for(mn_context_pool(net->context), net->corners.count, MN_ROD_BLOCK, advance_corners, &job);
}

void mn_rod_network_turn_edge(mn_rod_network *net, int32_t e, mn_mat3 rotation)
{
    mn_rod_set(net->edges.tangent, e, mn_mul3(rotation, mn_rod_get(net->edges.tangent, e)));
    mn_rod_set(net->edges.director, e, mn_mul3(rotation, mn_rod_get(net->edges.director, e)));
}
