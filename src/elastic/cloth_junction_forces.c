// SPDX-License-Identifier: MPL-2.0
// elastic/cloth_junction_forces.c - energy, forces and stiffness of strands that stand on cloth (wet-fabric 5.3).
//
// All is a function of p, the segment in the frame of the cloth. A covector w by p is e . rho, rho = w in world axes.
// If the frame turns by omega, e . rho changes by omega . T with T = rho x e; and omega follows from the normal n and
// the fixed edge d: omega = n x dn + n (m2 . dd - (d . n) m2 . dn) / |d across n|. That is the whole of pull_back
// below.
#include "elastic/cloth_junction_private.h"

#include "base/pool.h"
#include "elastic/rod_frame.h"

#include <stdatomic.h>
#include <string.h>

#define JUNCTIONS_PER_BLOCK 256
/// A normal, edge or segment below this share of its rest size has no direction worth following.
#define COLLAPSED 1e-10
/// Below this sine the plane of the angle is not resolved; the Hessian is isotropic there to the square of it.
#define ALIGNED 1e-8

typedef mn_cloth_junction_pose pose_of;

bool mn_cloth_junction_pose_at(const mn_cloth_junctions *set, const mn_cloth_junction *j, const mn_vec3 *x,
                               int64_t shift, double least, mn_cloth_junction_pose *out)
{
    const int32_t *v    = set->vertex + j->first;
    const mn_vec3  root = x[v[0] - shift], s = mn_sub3(x[v[1] - shift], root), d = mn_sub3(x[v[j->edge] - shift], root);
    mn_vec3        area = mn_v3(0, 0, 0);
    for (int32_t f = 0; f < j->fan_count; f++) {
        const int32_t *fan = set->fan[j->first_fan + f];
        area = mn_add3(area, mn_cross3(mn_sub3(x[v[fan[0]] - shift], root), mn_sub3(x[v[fan[1]] - shift], root)));
    }
    out->length = mn_norm3(s);
    out->area   = mn_norm3(area);
    if (!(out->length > least * j->length) || !(out->area > least * j->area)) return false;
    const mn_vec3 n    = mn_scale3(1.0 / out->area, area);
    out->lift          = mn_dot3(d, n);
    const mn_vec3 flat = mn_sub3(d, mn_scale3(out->lift, n));
    out->across        = mn_norm3(flat);
    if (!(out->across > least * j->across)) return false;
    out->axis[0] = mn_scale3(1.0 / out->across, flat);
    out->axis[1] = mn_cross3(n, out->axis[0]);
    out->axis[2] = n;
    out->segment = mn_scale3(1.0 / out->length, s);
    out->p = mn_v3(mn_dot3(out->segment, out->axis[0]), mn_dot3(out->segment, out->axis[1]), mn_dot3(out->segment, n));
    return true;
}

static double angle_between(mn_vec3 rest, mn_vec3 p) { return atan2(mn_norm3(mn_cross3(rest, p)), mn_dot3(rest, p)); }

double mn_cloth_junction_angle(const mn_cloth_junctions *set, int64_t junction, const mn_vec3 *x)
{
    pose_of pose;
    return mn_cloth_junction_pose_at(set, &set->junction[junction], x, 0, COLLAPSED, &pose)
               ? angle_between(set->junction[junction].rest, pose.p)
               : 0.0;
}

/// What acts on p in the frame: gradient, and Hessian in the basis t of the plane across p (xx, xy, yy).
typedef struct local_load {
    mn_vec3 slope, t[2];
    double  hessian[3];
} local_load;

static void add_square(double hessian[3], double weight, double a, double b)
{
    hessian[0] += weight * a * a;
    hessian[1] += weight * a * b;
    hessian[2] += weight * b * b;
}

/// k psi^2. Exactly opposite is the top of the energy, where no direction leads down more than another: no force.
static void add_term(local_load *l, mn_vec3 p, mn_vec3 rest, double k)
{
    const mn_vec3 turn = mn_cross3(rest, p);
    const double  sine = mn_norm3(turn), cosine = mn_dot3(rest, p);
    if (sine == 0.0 && cosine < 0.0) return;
    const double ratio = sine > 0.0 ? atan2(sine, cosine) / sine : 1.0;
    l->slope           = mn_sub3(l->slope, mn_scale3(2.0 * k * ratio, rest));
    if (sine < ALIGNED && cosine > 0.0) {
        l->hessian[0] += 2.0 * k;
        l->hessian[2] += 2.0 * k;
        return;
    }
    // Along the angle 2 k; across it 2 k psi cot psi, which pushes beyond a right angle and is left out there.
    const mn_vec3 across = mn_scale3(1.0 / sine, turn), along = mn_cross3(across, p);
    add_square(l->hessian, 2.0 * k, mn_dot3(along, l->t[0]), mn_dot3(along, l->t[1]));
    add_square(l->hessian, 2.0 * k * fmax(0.0, ratio * cosine), mn_dot3(across, l->t[0]), mn_dot3(across, l->t[1]));
}

/// The covector w by p as covectors by the vertices of the junction, added to out[stride * i]. The root takes what
/// makes the sum vanish.
static void pull_back(const mn_cloth_junctions *set, const mn_cloth_junction *j, const mn_vec3 *x, const pose_of *o,
                      mn_vec3 w, mn_vec3 *out, int stride)
{
    const int32_t *v      = set->vertex + j->first;
    const mn_vec3  n      = o->axis[2];
    const mn_vec3  rho    = mn_add3(mn_add3(mn_scale3(w.x, o->axis[0]), mn_scale3(w.y, o->axis[1])), mn_scale3(w.z, n));
    const mn_vec3  torque = mn_cross3(rho, o->segment);
    const double   drill  = mn_dot3(torque, n) / o->across;
    const mn_vec3  by_segment = mn_scale3(1.0 / o->length,
                                          mn_sub3(rho, mn_scale3(mn_dot3(rho, o->segment), o->segment)));
    const mn_vec3  by_edge    = mn_scale3(drill, o->axis[1]);
    const mn_vec3  by_area    = mn_scale3(1.0 / o->area, mn_sub3(mn_cross3(torque, n), mn_scale3(o->lift, by_edge)));
    for (int32_t i = 0; i < j->count; i++) out[stride * i] = mn_v3(0, 0, 0);
    out[stride]           = by_segment;
    out[stride * j->edge] = mn_add3(out[stride * j->edge], by_edge);
    for (int32_t f = 0; f < j->fan_count; f++) {
        const int32_t *fan = set->fan[j->first_fan + f];
        const mn_vec3  b = mn_sub3(x[v[fan[0]]], x[v[0]]), c = mn_sub3(x[v[fan[1]]], x[v[0]]);
        out[stride * fan[0]] = mn_add3(out[stride * fan[0]], mn_cross3(c, by_area));
        out[stride * fan[1]] = mn_add3(out[stride * fan[1]], mn_cross3(by_area, b));
    }
    for (int32_t i = 1; i < j->count; i++) out[0] = mn_sub3(out[0], out[stride * i]);
}

typedef struct working {
    mn_cloth_junctions *set;
    const mn_vec3      *x;
    mn_vec3            *force;
    double              scale;
    mn_block_matrix    *matrix;
    int                 what;
    atomic_int          missing;  ///< set when the pattern lacks a pair; the same whoever sets it
} working;

static void evaluate(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const working      *job = context;
    mn_cloth_junctions *set = job->set;
    for (int64_t k = begin; k < end; k++) {
        const mn_cloth_junction *j        = &set->junction[k];
        mn_vec3                 *gradient = set->gradient + j->first, *row = set->row[j->first];
        pose_of                  pose;
        if (!mn_cloth_junction_pose_at(set, j, job->x, 0, COLLAPSED, &pose)) {
            memset(gradient, 0, (size_t)j->count * sizeof *gradient);
            memset(row, 0, 2 * (size_t)j->count * sizeof *row);
            continue;
        }
        local_load l = { .t = { mn_rod_normal(pose.p) } };
        l.t[1]       = mn_cross3(pose.p, l.t[0]);
        add_term(&l, pose.p, j->rest, j->stiffness);
        if (set->step > 0.0) add_term(&l, pose.p, set->start[k], j->viscous / set->step);
        pull_back(set, j, job->x, &pose, l.slope, gradient, 1);
        // Two rows whose squares add up to the Hessian: its Cholesky factor.
        const double a = sqrt(l.hessian[0]), b = a > 0.0 ? l.hessian[1] / a : 0.0,
                     c = sqrt(fmax(0.0, l.hessian[2] - b * b));
        pull_back(set, j, job->x, &pose, mn_add3(mn_scale3(a, l.t[0]), mn_scale3(b, l.t[1])), row, 2);
        pull_back(set, j, job->x, &pose, mn_scale3(c, l.t[1]), row + 1, 2);
    }
}

void mn_cloth_junctions_evaluate(mn_cloth_junctions *set, const mn_vec3 *x)
{
    working job = { .set = set, .x = x };
    mn_parallel_for(mn_context_pool(set->context), set->count, JUNCTIONS_PER_BLOCK, evaluate, &job);
}

static void keep_start(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const working *job = context;
    for (int64_t k = begin; k < end; k++) {
        pose_of    pose;
        const bool fit     = mn_cloth_junction_pose_at(job->set, &job->set->junction[k], job->x, 0, COLLAPSED, &pose);
        job->set->start[k] = fit ? pose.p : job->set->junction[k].rest;
    }
}

void mn_cloth_junctions_begin(mn_cloth_junctions *set, const mn_vec3 *x, double h)
{
    working job = { .set = set, .x = x };
    set->step   = h > 0.0 && isfinite(h) ? h : 0.0;
    mn_parallel_for(mn_context_pool(set->context), set->count, JUNCTIONS_PER_BLOCK, keep_start, &job);
}

enum { ELASTIC, VISCOUS, LEFT_OUT };

static double add_up(int64_t begin, int64_t end, void *context)
{
    const working            *job = context;
    const mn_cloth_junctions *set = job->set;
    double                    sum = 0.0;
    for (int64_t k = begin; k < end; k++) {
        const mn_cloth_junction *j = &set->junction[k];
        pose_of                  pose;
        const bool               fit = mn_cloth_junction_pose_at(set, j, job->x, 0, COLLAPSED, &pose);
        if (job->what == LEFT_OUT) sum += fit ? 0.0 : 1.0;
        if (!fit || job->what == LEFT_OUT) continue;
        const double psi = angle_between(job->what == ELASTIC ? j->rest : set->start[k], pose.p);
        sum += (job->what == ELASTIC ? j->stiffness : j->viscous / set->step) * psi * psi;
    }
    return sum;
}

mn_cloth_junction_sums mn_cloth_junctions_energy(mn_cloth_junctions *set, const mn_vec3 *x)
{
    double value[3] = { 0.0, 0.0, 0.0 };
    for (int what = ELASTIC; what <= LEFT_OUT; what++) {
        working job = { .set = set, .x = x, .what = what };
        if (what != VISCOUS || set->step > 0.0)
            value[what] = mn_parallel_sum(mn_context_pool(set->context), set->count, add_up, &job);
    }
    return (mn_cloth_junction_sums){ .elastic   = value[ELASTIC],
                                     .viscous   = value[VISCOUS],
                                     .collapsed = (int64_t)value[LEFT_OUT] };
}

static void gather_forces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const working            *job = context;
    const mn_cloth_junctions *set = job->set;
    for (int64_t v = begin; v < end; v++) {
        mn_vec3 slope = mn_v3(0, 0, 0);
        for (int64_t n = set->use_start[v]; n < set->use_start[v + 1]; n++)
            slope = mn_add3(slope, set->gradient[set->use[n]]);
        mn_vec3 *f = &job->force[set->first_vertex + v];
        *f         = mn_sub3(*f, slope);
    }
}

void mn_cloth_junctions_add_forces(mn_cloth_junctions *set, mn_vec3 *force)
{
    working job = { .set = set, .force = force };
    mn_parallel_for(mn_context_pool(set->context), set->vertex_count, JUNCTIONS_PER_BLOCK, gather_forces, &job);
}

mn_block_clique mn_cloth_junctions_clique(int64_t k, void *set)
{
    const mn_cloth_junctions *q = set;
    return (mn_block_clique){ q->vertex + q->junction[k].first, q->junction[k].count };
}

/// scale times the sum of a b^T over the two rows; with a and b changed it is the transpose to the bit.
static void block_of(const mn_vec3 a[2], const mn_vec3 b[2], double scale, double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = scale * (mn_get3(a[0], i) * mn_get3(b[0], k) + mn_get3(a[1], i) * mn_get3(b[1], k));
}

static void gather_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    working                  *job = context;
    const mn_cloth_junctions *set = job->set;
    double                    block[9];
    for (int64_t v = begin; v < end; v++)
        for (int64_t n = set->use_start[v]; n < set->use_start[v + 1]; n++) {
            const int64_t            own = set->use[n];
            const mn_cloth_junction *j   = &set->junction[set->owner[own]];
            for (int64_t other = j->first; other < j->first + j->count; other++) {
                block_of(set->row[own], set->row[other], job->scale, block);
                if (other == own) {
                    mn_block_matrix_add_diagonal(job->matrix, set->vertex[own], block);
                    continue;
                }
                if (mn_block_matrix_is_implied(job->matrix, set->vertex[own], set->vertex[other])) continue;
                const int64_t entry = mn_block_matrix_find(job->matrix, set->vertex[own], set->vertex[other]);
                if (entry >= 0) mn_block_matrix_add(job->matrix, entry, block);
                else atomic_store(&job->missing, 1);
            }
        }
}

mn_status mn_cloth_junctions_add_blocks(mn_cloth_junctions *set, double scale, mn_block_matrix *m)
{
    working job = { .set = set, .scale = scale, .matrix = m };
    atomic_init(&job.missing, 0);
    mn_parallel_for(mn_context_pool(set->context), set->vertex_count, JUNCTIONS_PER_BLOCK, gather_blocks, &job);
    if (atomic_load(&job.missing) != 0)
        return mn_fail(set->context, MN_ERR_ARGUMENT,
                       "the pattern of the matrix lacks pairs of vertices where strands stand on cloth");
    return MN_OK;
}
