// SPDX-License-Identifier: MPL-2.0
// fabric/solve.c - the implicit velocity of fabric on the grid (wet-fabric 5.9, fabric-operator F1):
//
//     (D + W^T (h^2 H + P + contact) W) u = D u* + h W^T f
//
// by conjugate gradients with the diagonal D. H is packed, P holds vertices to the world, contact acts on the gradient too.
#include "fabric/contact.h"
#include "fabric/touch.h"

#include "base/pool.h"

#include <string.h>

/// Which vertices stick and slide is settled by repeating the solve (wet-fabric 5.4): first roughly, to ten times the
/// tolerance, then to the tolerance, until friction changes by no more than a share of itself, at most this often in all.
#define ROUGHLY       10.0
#define ROUGH_PASSES  2
#define TOUCH_PASSES  5
#define TOUCH_SETTLED 1e-3     ///< the share, or this many times the tolerance if that is more:
#define TOUCH_SLACK   30.0

#define VERTICES_PER_BLOCK 512

typedef struct system {
    mn_fabric       *q;
    mn_fabric_faces *faces;
    const double    *mass;                  ///< D
    const double    *point;                 ///< P, 6 per vertex
    uint8_t         *held;                  ///< vertices where it is not zero
    double          *b, *u, *r, *p, *ap;    ///< on faces
    double          *v, *f;                 ///< on vertices, 3 each
    double          *m, *s;                 ///< on vertices, 9 each; NULL without contact
    double           alpha, beta;
} system_t;

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

static void multiply_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const system_t        *x = context;
    const mn_block_matrix *h = &x->q->stiffness;
    for (int64_t i = begin; i < end; i++) {
        const double *v = x->v + 3 * i, *d = h->diagonal + 9 * i;
        double y0 = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
        double y1 = d[3] * v[0] + d[4] * v[1] + d[5] * v[2];
        double y2 = d[6] * v[0] + d[7] * v[1] + d[8] * v[2];
        if (x->held[i]) {
            const double *p = x->point + 6 * i;
            y0 += p[0] * v[0] + p[5] * v[1] + p[4] * v[2];
            y1 += p[5] * v[0] + p[1] * v[1] + p[3] * v[2];
            y2 += p[4] * v[0] + p[3] * v[1] + p[2] * v[2];
        }
        // Three rows of a block as vectors; their fourth lane holds what lies behind and is never read.
        lanes4 r0 = { 0 }, r1 = { 0 }, r2 = { 0 };
        for (int64_t e = h->start[i]; e < h->start[i + 1]; e++) {
            const float *b = h->block_f + 9 * e;
            const lanes4 w = load_doubles(x->v + 3 * (int64_t)h->column[e]);
            r0 += load_floats(b) * w;
            r1 += load_floats(b + 3) * w;
            r2 += load_floats(b + 6) * w;
        }
        y0 += r0[0] + r0[1] + r0[2];
        y1 += r1[0] + r1[1] + r1[2];
        y2 += r2[0] + r2[1] + r2[2];
        x->f[3 * i] = y0, x->f[3 * i + 1] = y1, x->f[3 * i + 2] = y2;
    }
}

/// to = W^T (h^2 H + P + contact) W from, without the mass.
static void multiply(system_t *x, const double *from, double *to)
{
    mn_context *c = x->q->context;
    mn_fabric_collect(c, x->faces, from, x->v, x->m);
    mn_parallel_for(mn_context_pool(c), x->q->vertices.count, VERTICES_PER_BLOCK, multiply_rows, x);
    if (x->m != NULL) mn_fabric_contact_multiply(x->q, x->v, x->m, x->f, x->s);
    mn_fabric_spread(c, x->faces, x->f, x->s, to);
}

/// A face whose mass has vanished carries nothing: its equation is left out (fabric-operator trap 1).
static inline double inverse(double mass) { return mass > 0.0 ? 1.0 / mass : 0.0; }

static double begin_residual(int64_t begin, int64_t end, void *context)
{
    const system_t *x = context;
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->r[i] = x->b[i] - x->ap[i] - x->mass[i] * x->u[i];
        x->p[i] = x->r[i] * inverse(x->mass[i]);
        sum += x->r[i] * x->p[i];
    }
    return sum;
}

static double size_of_b(int64_t begin, int64_t end, void *context)
{
    const system_t *x = context;
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += x->b[i] * x->b[i] * inverse(x->mass[i]);
    return sum;
}

static double add_mass(int64_t begin, int64_t end, void *context)
{
    const system_t *x = context;
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->ap[i] += x->mass[i] * x->p[i];
        sum += x->p[i] * x->ap[i];
    }
    return sum;
}

static double advance(int64_t begin, int64_t end, void *context)
{
    const system_t *x = context;
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->u[i] += x->alpha * x->p[i];
        x->r[i] -= x->alpha * x->ap[i];
        sum += x->r[i] * x->r[i] * inverse(x->mass[i]);
    }
    return sum;
}

static void turn_direction(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const system_t *x = context;
    for (int64_t i = begin; i < end; i++) x->p[i] = x->r[i] * inverse(x->mass[i]) + x->beta * x->p[i];
}

/// Conjugate gradients from u on. The residual is the true one at the start and, recomputed, at the end.
static void conjugate_gradients(system_t *x, double tolerance, int most, mn_solve_report *report)
{
    mn_pool      *pool = mn_context_pool(x->q->context);
    const int64_t n    = x->faces->count;
    const double  size = mn_parallel_sum(pool, n, size_of_b, x);
    if (!isfinite(size)) {
        report->outcome = MN_SOLVE_NOT_FINITE;
        return;
    }
    const double goal = tolerance * tolerance * size;
    multiply(x, x->u, x->ap);
    double rho = mn_parallel_sum(pool, n, begin_residual, x);
    report->residual_first = size > 0.0 ? sqrt(rho / size) : 0.0;
    report->outcome        = MN_SOLVE_CONVERGED;
    int restarts = 0;
    for (int k = 0; rho > goal; k++) {
        if (k == most || !isfinite(rho)) {
            report->outcome = isfinite(rho) ? MN_SOLVE_ITERATIONS : MN_SOLVE_NOT_FINITE;
            break;
        }
        multiply(x, x->p, x->ap);
        const double curvature = mn_parallel_sum(pool, n, add_mass, x);
        x->alpha               = rho / curvature;
        const double next      = mn_parallel_sum(pool, n, advance, x);
        x->beta                = next / rho;
        rho                    = next;
        report->iterations++;
        if (rho <= goal && restarts < 3) {            // believe the residual itself, not its recursion
            restarts++;
            multiply(x, x->u, x->ap);
            rho = mn_parallel_sum(pool, n, begin_residual, x);
            continue;
        }
        mn_parallel_for(pool, n, 4 * MN_BLOCK, turn_direction, x);
    }
    report->residual_last = size > 0.0 ? sqrt(rho / size) : 0.0;
}

static mn_status prepare(mn_fabric *q, mn_arena *arena, system_t *x)
{
    mn_fabric_scratch *s = &q->step;
    double **const faces[] = { &x->b, &x->r, &x->p, &x->ap };
    *x = (system_t){ .q = q, .faces = &s->faces, .mass = s->mass };
    for (int k = 0; k < 4; k++)
        if ((*faces[k] = mn_fabric_faces_array(arena, &s->faces)) == NULL) return MN_ERR_MEMORY;
    s->velocity = mn_fabric_faces_array(arena, &s->faces);
    x->u        = s->velocity;
    x->v        = mn_arena_array_zero(arena, double, 3 * q->vertices.count + 1);      // read as fours
    x->f        = mn_arena_array(arena, double, 3 * q->vertices.count);
    if (s->velocity == NULL || x->v == NULL || x->f == NULL) return MN_ERR_MEMORY;
    if (s->moment == NULL) return MN_OK;
    x->m = mn_arena_array(arena, double, 9 * q->vertices.count);
    x->s = mn_arena_array(arena, double, 9 * q->vertices.count);
    return x->m != NULL && x->s != NULL ? MN_OK : MN_ERR_MEMORY;
}

/// The rows of H are balanced, so that a common velocity costs nothing; packed as floats, its columns then are so to 1e-7
/// only, and conjugate gradients leave their own residual. One correction by a common velocity, along which H is known to
/// be zero, leaves the momentum of the whole exact: that of free fabric is kept.
static void keep_momentum(system_t *x)
{
    const mn_fabric *q = x->q;
    double           missing[3] = { 0 }, mass[3] = { 0 };
    mn_fabric_collect(q->context, x->faces, x->u, x->v, NULL);
    for (int a = 0; a < 3; a++)
        for (int32_t i = x->faces->axis_start[a]; i < x->faces->axis_start[a + 1]; i++) {
            missing[a] += x->b[i] - x->mass[i] * x->u[i];
            mass[a] += x->mass[i];
        }
    for (int64_t i = 0; i < q->vertices.count; i++) {
        const double *v = x->v + 3 * i, *p = x->point + 6 * i;
        missing[0] -= p[0] * v[0] + p[5] * v[1] + p[4] * v[2];
        missing[1] -= p[5] * v[0] + p[1] * v[1] + p[3] * v[2];
        missing[2] -= p[4] * v[0] + p[3] * v[1] + p[2] * v[2];
        for (int a = 0; a < 3; a++) mass[a] += p[a];
    }
    for (int a = 0; a < 3; a++) {
        const double common = missing[a] / mass[a];
        for (int32_t i = x->faces->axis_start[a]; i < x->faces->axis_start[a + 1]; i++) x->u[i] += common;
        for (int64_t i = 0; i < q->vertices.count; i++) x->v[3 * i + a] += common;
    }
}

typedef struct filling {
    system_t *x;
    double    dt;
    double   *point;
} filling;

/// Impulses of the forces, and what holds vertices, before the touches add to both.
static void fill_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const filling *f = context;
    mn_fabric     *q = f->x->q;
    for (int64_t i = begin; i < end; i++) {
        f->x->f[3 * i]     = f->dt * q->step.force[i].x;
        f->x->f[3 * i + 1] = f->dt * q->step.force[i].y;
        f->x->f[3 * i + 2] = f->dt * q->step.force[i].z;
        f->x->held[i] = 0;
        for (int k = 0; k < 6; k++) {
            f->point[6 * i + k] = q->step.point[6 * i + k];
            f->x->held[i] |= f->point[6 * i + k] != 0.0;
        }
        if (q->step.moment != NULL)
            for (int k = 0; k < 9; k++) f->x->s[9 * i + k] = f->dt * q->step.moment[9 * i + k];
    }
}

static void add_momentum(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const system_t *x = context;
    for (int64_t i = begin; i < end; i++) x->b[i] += x->q->step.momentum[i];
}

static void free_velocity(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const system_t *x = context;
    for (int64_t i = begin; i < end; i++) x->u[i] = x->q->step.momentum[i] * inverse(x->mass[i]);
}

/// b = momentum + W^T (impulses of the forces and of the touches).
static void right_side(system_t *x, const mn_touches *touches, double dt, double *point)
{
    mn_fabric *q    = x->q;
    mn_pool   *pool = mn_context_pool(q->context);
    filling    fill = { x, dt, point };
    mn_parallel_for(pool, q->vertices.count, VERTICES_PER_BLOCK, fill_vertices, &fill);
    mn_touch_apply(q, touches, dt, x->f, point);
    for (int64_t k = 0; k < touches->count; k++) x->held[touches->list[k].vertex] = 1;
    x->point = point;
    mn_fabric_spread(q->context, x->faces, x->f, x->s, x->b);
    mn_parallel_for(pool, x->faces->count, MN_BLOCK, add_momentum, x);
}

mn_status mn_fabric_solve(mn_fabric *q, mn_arena *arena, const mn_solid *solids, int solid_count, double dt, mn_solve_report *report)
{
    const int64_t n = q->vertices.count;
    const double  tolerance = q->model.solver.solid_tolerance;
    system_t      x;
    mn_touches    touches;
    MN_TRY(prepare(q, arena, &x));
    double *point = mn_arena_array(arena, double, 6 * n);
    x.held        = mn_arena_array(arena, uint8_t, n);
    if (point == NULL || x.held == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), x.faces->count, MN_BLOCK, free_velocity, &x);
    // The velocity of the last step already carries what the solids pushed then: the best guess of what they push now.
    for (int64_t i = 0; i < n; i++)
        for (int a = 0; a < 3; a++) x.v[3 * i + a] = q->vertices.velocity[a][i];
    const double speed = mn_fabric_max_speed(q) + dt * mn_norm3(q->model.gravity);
    MN_TRY(mn_touch_find(q, arena, solids, solid_count, dt, speed * dt, &touches));
    mn_touch_update(&touches, x.v, dt);

    *report = (mn_solve_report){ .outcome = MN_SOLVE_CONVERGED };
    bool rough = touches.count > 0;
    for (int pass = 0; pass < TOUCH_PASSES && report->outcome > 0; pass++) {
        right_side(&x, &touches, dt, point);
        conjugate_gradients(&x, rough ? ROUGHLY * tolerance : tolerance, q->model.solver.solid_iterations, report);
        keep_momentum(&x);
        const bool settled = mn_touch_update(&touches, x.v, dt) <= fmax(TOUCH_SETTLED, TOUCH_SLACK * tolerance);
        if (settled && !rough) break;
        rough = rough && !settled && pass < ROUGH_PASSES - 1;
    }
    mn_touch_keep(q, &touches, solids, x.v, dt);
    return MN_OK;
}
