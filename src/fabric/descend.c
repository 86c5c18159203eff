// SPDX-License-Identifier: MPL-2.0
// fabric/descend.c - the implicit velocity of fabric and what solids push and rub, found together
// (fabric-operator 4.6):
//
//     D u = impulse + W^T (h f - (h^2 H + P + contact) W u + g(W u))
//
// g, the impulses of the touches, is piecewise smooth: nothing apart, a spring in the layer, an elastic anchor that
// slides at the bound of friction. With the bound held it is minus the gradient of a convex potential, so nonlinear
// conjugate gradients with a search along each line descend to the answer. An iteration costs what one of the linear
// kind does: touches are known by the velocities of their vertices, which a step along the line changes by a multiple
// of W p.
//
// Not the driver of solve/cg.h, which is linear: alpha comes from a search in which touches change sides, beta from
// Polak and Ribiere, a residual has no fixed right-hand side. The linear way, friction lagging behind in repeated
// solves (contact/settle.c), takes 1.4 times the products for a cloth draped over a sphere, 1.8 for two sheets on each
// other, 1.08 for a plain weave, and as much more time.
#include "fabric/operator.h"

#include "base/pool.h"

#include <string.h>

#define VERTICES_PER_BLOCK 512
#define TOUCHES_PER_BLOCK  1024
#define LINE_SLACK         0.2  ///< share of the slope that a search along a line may leave
#define LINE_TRIES         8
#define BOUND_LAG \
    0.2  ///< bounds of friction follow the press when the square of the residual has changed by this factor
#define BALANCE_PASSES 2   ///< a third changes the acceleration on a slope by 2e-5 of itself
#define MOST_ROUNDS    12  ///< after so many the residual is no longer doubted

/// Sums over a block of touches and over one of faces.
typedef struct touch_sums {
    double curvature;  ///< of the touches along the direction, as they stand
    double slope;      ///< what they take from the slope within alpha, friction bounded as it was
    double turn;       ///< the same as they then are
} touch_sums;
typedef struct face_sums {
    double next, back;
} face_sums;

typedef struct descent {
    mn_fabric_operator *op;
    mn_touches         *touches;
    const double       *impulse;
    touch_sums         *touch_sums;
    face_sums          *face_sums;
    bool                rebound;         ///< bounds of friction follow the press in this step
    double              rho;             ///< r D^-1 r
    double              slope, inertia;  ///< r p, p D p
    double              alpha, beta;
} descent;

static mn_vec3 at_touch(const mn_touch *t, const double *v)
{
    const double *u = v + 3 * (int64_t)t->point;
    return mn_v3(u[0], u[1], u[2]);
}

/// Touches at the velocities in op->v.
static void touch_down(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const descent *d = context;
    for (int64_t k = begin; k < end; k++)
        mn_touch_at(&d->touches->list[k], at_touch(&d->touches->list[k], d->op->v), -1.0, d->op->dt,
                    &d->touches->list[k]);
}

/// From the answer to a velocity to what is left of the forces.
static void less_answer(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *x = context;
    const mn_fabric          *q = x->q;
    for (int64_t i = begin; i < end; i++) {
        for (int a = 0; a < 3; a++) x->f[3 * i + a] = x->dt * mn_get3(q->step.force[i], a) - x->f[3 * i + a];
        if (x->s != NULL)
            for (int k = 0; k < 9; k++) x->s[9 * i + k] = x->dt * q->step.moment[9 * i + k] - x->s[9 * i + k];
    }
}

static void add_touches(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const descent *d = context;
    for (int64_t k = begin; k < end; k++) {
        const mn_touch *t = &d->touches->list[k];
        double         *f = d->op->f + 3 * (int64_t)t->point;
        f[0] += t->answer.x, f[1] += t->answer.y, f[2] += t->answer.z;
    }
}

static void free_residual(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const descent            *d = context;
    const mn_fabric_operator *x = d->op;
    for (int64_t i = begin; i < end; i++) x->r[i] = d->impulse[i] - x->mass[i] * x->u[i];
}

/// The residual itself at u, with touches as they are there.
static void find_residual(descent *d)
{
    mn_fabric_operator *x    = d->op;
    mn_pool            *pool = mn_context_pool(x->q->context);
    mn_fabric_operator_answer(x, x->u);
    mn_parallel_for(pool, d->touches->count, TOUCHES_PER_BLOCK, touch_down, d);
    mn_parallel_for(pool, x->q->vertices.count, VERTICES_PER_BLOCK, less_answer, x);
    mn_parallel_for(pool, d->touches->count, TOUCHES_PER_BLOCK, add_touches, d);
    mn_parallel_for(pool, x->faces->count, 4 * MN_BLOCK, free_residual, d);
    mn_points_spread_add(x->q->context, x->faces, x->f, x->s, x->r);
}

static double add_impulse(int64_t begin, int64_t end, void *context)
{
    const descent            *d   = context;
    const mn_fabric_operator *x   = d->op;
    double                    sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->p[i] += d->impulse[i];
        sum += x->p[i] * x->p[i] * mn_inverse_mass(x->mass[i]);
    }
    return sum;
}

/// All that drives the fabric, with touches as they stand, goes to p. Its size is what residuals are compared with. P
/// gets the touches; where they are answered by themselves it has to go without. Where the parts cancel, op->least is
/// that size.
static double find_drive(descent *d)
{
    mn_fabric_operator_load(d->op, d->touches, d->op->dt, d->op->p);
    mn_fabric_operator_measure(d->op, d->impulse, d->op->p);
    return mn_parallel_sum(mn_context_pool(d->op->q->context), d->op->faces->count, add_impulse, d);
}

static void sum_curvature(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const descent *d   = context;
    double         sum = 0.0;
    for (int64_t k = begin; k < end; k++)
        sum += mn_touch_curvature(&d->touches->list[k], at_touch(&d->touches->list[k], d->op->v), d->op->dt);
    d->touch_sums[begin / TOUCHES_PER_BLOCK].curvature = sum;
}

static void try_step(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const descent *d   = context;
    double         sum = 0.0;
    for (int64_t k = begin; k < end; k++) {
        const mn_touch *t = &d->touches->list[k];
        const mn_vec3   p = at_touch(t, d->op->v);
        mn_touch        next;
        mn_touch_at(t, mn_add3(t->velocity, mn_scale3(d->alpha, p)), t->bound, d->op->dt, &next);
        sum += mn_dot3(mn_sub3(next.answer, t->answer), p);
    }
    d->touch_sums[begin / TOUCHES_PER_BLOCK].slope = sum;
}

/// The step stands: touches move, and how their answer changed becomes part of the answer to the direction.
static void move_touches(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const descent *d   = context;
    double         sum = 0.0;
    for (int64_t k = begin; k < end; k++) {
        mn_touch     *t   = &d->touches->list[k];
        const mn_vec3 was = t->answer, p = at_touch(t, d->op->v);
        mn_touch_at(t, mn_add3(t->velocity, mn_scale3(d->alpha, p)), d->rebound ? -1.0 : t->bound, d->op->dt, t);
        const mn_vec3 change = mn_sub3(t->answer, was);
        double       *f      = d->op->f + 3 * (int64_t)t->point;
        sum += mn_dot3(change, p);
        f[0] -= change.x / d->alpha, f[1] -= change.y / d->alpha, f[2] -= change.z / d->alpha;
    }
    d->touch_sums[begin / TOUCHES_PER_BLOCK].turn = sum;
}

static touch_sums over_touches(descent *d, mn_range_fn *fn)
{
    touch_sums sum = { 0 };
    mn_parallel_for(mn_context_pool(d->op->q->context), d->touches->count, TOUCHES_PER_BLOCK, fn, d);
    for (int64_t b = 0; b * TOUCHES_PER_BLOCK < d->touches->count; b++) {
        sum.curvature += d->touch_sums[b].curvature;
        sum.slope += d->touch_sums[b].slope;
        sum.turn += d->touch_sums[b].turn;
    }
    return sum;
}

/// How far to go along p: where the slope has vanished nearly enough, bounds of friction held. It falls all the way.
static double search_line(descent *d, double curvature)
{
    if (d->touches->count == 0) return d->slope / curvature;
    double low = 0.0, at_low = d->slope, high = 0.0, at_high = 0.0;
    d->alpha = d->slope / (curvature + over_touches(d, sum_curvature).curvature);
    for (int k = 0; k < LINE_TRIES; k++) {
        const double left = d->slope - d->alpha * curvature + over_touches(d, try_step).slope;
        if (!(fabs(left) > LINE_SLACK * fabs(d->slope))) break;
        if (left > 0.0) low = d->alpha, at_low = left;
        else high = d->alpha, at_high = left;
        if (high > 0.0) d->alpha = low + (high - low) * fmin(0.9, fmax(0.1, at_low / (at_low - at_high)));
        else d->alpha *= fmin(4.0, d->slope / (d->slope - left));
    }
    return d->alpha;
}

static void advance(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const descent            *d    = context;
    const mn_fabric_operator *x    = d->op;
    double                    next = 0.0, back = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const double inverse = mn_inverse_mass(x->mass[i]), was = x->r[i], now = was - d->alpha * x->ap[i];
        x->u[i] += d->alpha * x->p[i];
        x->r[i] = now;
        next += now * now * inverse;
        back += now * was * inverse;
    }
    d->face_sums[begin / MN_BLOCK] = (face_sums){ next, back };
}

static double turn_direction(int64_t begin, int64_t end, void *context)
{
    const descent            *d   = context;
    const mn_fabric_operator *x   = d->op;
    double                    sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->p[i]  = x->r[i] * mn_inverse_mass(x->mass[i]) + d->beta * x->p[i];
        x->ap[i] = x->mass[i] * x->p[i];
        sum += x->ap[i] * x->p[i];
    }
    return sum;
}

static double weigh_direction(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x   = context;
    double                    sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += (x->ap[i] = x->mass[i] * x->p[i]) * x->p[i];
    return sum;
}

static double slope_of(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x   = context;
    double                    sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += x->p[i] * x->r[i];
    return sum;
}

/// Go alpha along p; op->f is the answer to p, ap holds D p. What is left of the slope afterwards.
static double go(descent *d, double curvature, face_sums *sum)
{
    mn_fabric_operator *x    = d->op;
    const double        left = d->slope - d->alpha * curvature + over_touches(d, move_touches).turn;
    mn_points_spread_add(x->q->context, x->faces, x->f, x->s, x->ap);
    mn_parallel_for(mn_context_pool(x->q->context), x->faces->count, MN_BLOCK, advance, d);
    *sum = (face_sums){ 0.0, 0.0 };
    for (int64_t b = 0; b * MN_BLOCK < x->faces->count; b++)
        sum->next += d->face_sums[b].next, sum->back += d->face_sums[b].back;
    return left;
}

/// One iteration. Directions are joined as Polak and Ribiere do, never backwards: where touches changed it starts anew
/// by itself.
static void iterate(descent *d)
{
    face_sums    sum;
    const double curvature = d->inertia + mn_fabric_operator_answer(d->op, d->op->p);
    d->alpha               = search_line(d, curvature);
    const double left      = go(d, curvature, &sum);
    d->beta                = fmax(0.0, sum.next - sum.back) / d->rho;
    d->slope               = sum.next + d->beta * left;
    d->rho                 = sum.next;
    d->inertia = mn_parallel_sum(mn_context_pool(d->op->q->context), d->op->faces->count, turn_direction, d);
}

/// From u = D^-1 impulse, once along the guess that the last steps left (mn_fabric_operator_start says how far).
static void begin(descent *d)
{
    mn_fabric_operator *x    = d->op;
    mn_pool            *pool = mn_context_pool(x->q->context);
    face_sums           sum;
    mn_fabric_operator_guess(x, x->dt, d->impulse, x->u);
    find_residual(d);
    d->slope   = mn_parallel_sum(pool, x->faces->count, slope_of, x);
    d->inertia = mn_parallel_sum(pool, x->faces->count, weigh_direction, x);
    if (!(d->inertia > 0.0)) return;
    const double curvature = d->inertia + mn_fabric_operator_answer(x, x->p);
    d->alpha               = search_line(d, curvature);
    if (d->alpha > 0.5) d->alpha = 1.0;
    if (d->alpha != 0.0) go(d, curvature, &sum);
}

/// Down from where r is known, until it is as small as asked for.
static void run(descent *d, double goal, int most, mn_solve_report *report)
{
    mn_pool *pool = mn_context_pool(d->op->q->context);
    double   last = d->rho;
    d->slope = d->rho, d->beta = 0.0;
    d->inertia = mn_parallel_sum(pool, d->op->faces->count, turn_direction, d);
    while (d->rho > goal && report->iterations < most && d->slope > 0.0 && isfinite(d->rho)) {
        if (mn_pool_interrupted(pool)) return;
        d->rebound = d->rho < BOUND_LAG * last || d->rho > last / BOUND_LAG;
        if (d->rebound) last = d->rho;
        iterate(d);
        report->iterations++;
    }
}

static double size_of_residual(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x   = context;
    double                    sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += x->r[i] * x->r[i] * mn_inverse_mass(x->mass[i]);
    return sum;
}

/// Nothing drives the fabric: rest is the answer. (The guess would be the weight less the forces kept of the last
/// steps, which are floats, and take a solve to get rid of.)
static void stay(descent *d)
{
    memset(d->op->u, 0, (size_t)d->op->faces->count * sizeof *d->op->u);
    find_residual(d);
}

static void descend(descent *d, double tolerance, int most, mn_solve_report *report)
{
    mn_fabric_operator *x     = d->op;
    mn_pool            *pool  = mn_context_pool(x->q->context);
    const double        drive = find_drive(d);
    double              size  = fmax(drive, x->least);
    mn_fabric_operator_hold_pins(x);
    d->rebound = true;
    if (drive <= tolerance * tolerance * size) stay(d);
    else begin(d);
    d->rho                 = mn_parallel_sum(pool, x->faces->count, size_of_residual, x);
    report->residual_first = size > 0.0 ? sqrt(d->rho / size) : 0.0;
    report->outcome        = MN_SOLVE_CONVERGED;
    // The residual is believed when it is found anew, with friction bounded by the press and the size as touches then
    // are.
    for (int round = 0;; round++) {
        const double goal = tolerance * tolerance * size;
        if (d->rho <= goal && (round > 0 || d->touches->count == 0)) break;
        run(d, goal, most, report);
        if (!isfinite(d->rho) || !isfinite(size)) report->outcome = MN_SOLVE_NOT_FINITE;
        else if (mn_pool_interrupted(pool)) report->outcome = MN_SOLVE_INTERRUPTED;
        else if (report->iterations >= most) report->outcome = MN_SOLVE_ITERATIONS;
        if (report->outcome != MN_SOLVE_CONVERGED) break;
        find_residual(d);
        size = find_drive(d);
        size = fmax(size, x->least);
        mn_fabric_operator_hold_pins(x);
        if (round < MOST_ROUNDS || d->rho > goal) d->rho = mn_parallel_sum(pool, x->faces->count, size_of_residual, x);
    }
    report->residual_last = size > 0.0 ? sqrt(d->rho / size) : 0.0;
}

/// The momentum of the whole is kept, whatever the tolerance. That changes how hard solids press, by as much as the
/// residual was, and so what they rub: where they are touched the balance is closed once more.
static void close_balance(descent *d)
{
    mn_fabric_operator *x    = d->op;
    mn_pool            *pool = mn_context_pool(x->q->context);
    for (int pass = 0; pass < BALANCE_PASSES; pass++) {
        find_drive(d);
        mn_fabric_operator_keep_momentum(x, x->p, x->u);
        mn_parallel_for(pool, d->touches->count, TOUCHES_PER_BLOCK, touch_down, d);
        if (d->touches->count == 0 || x->q->step.hold_count > 0) break;
    }
}

mn_status mn_fabric_operator_descend(mn_fabric_operator *x, mn_arena *arena, mn_touches *touches, double dt,
                                     const double *impulse, double *u, mn_solve_report *report)
{
    const mn_solver_def *solver = &x->q->model.solver;
    const mn_arena_mark  mark   = mn_arena_begin(arena);
    descent              d      = { .op = x, .touches = touches, .impulse = impulse };
    d.touch_sums                = mn_arena_array_zero(arena, touch_sums, touches->count / TOUCHES_PER_BLOCK + 1);
    d.face_sums                 = mn_arena_array(arena, face_sums, x->faces->count / MN_BLOCK + 1);
    if (d.touch_sums == NULL || d.face_sums == NULL) return MN_ERR_MEMORY;
    x->dt = dt, x->u = u;
    descend(&d, solver->solid_tolerance, solver->solid_iterations, report);
    close_balance(&d);
    mn_arena_end(arena, mark);
    return MN_OK;
}
