// SPDX-License-Identifier: MPL-2.0
// fabric/operator.c - products with the packed operator, and what conjugate gradients in the norm of its diagonal ask
// of it (fabric-operator F1).
#include "fabric/operator.h"

#include "base/pool.h"
#include "fabric/contact.h"
#include "fabric/pins.h"

#define VERTICES_PER_BLOCK 512
/// True residuals after which conjugate gradients are believed.
#define RESTARTS 3

mn_status mn_fabric_operator_prepare(mn_fabric *q, mn_arena *arena, const double *mass, mn_fabric_operator *x)
{
    const int64_t  n       = q->vertices.count;
    double **const faces[] = { &x->r, &x->p, &x->ap };
    *x                     = (mn_fabric_operator){ .q = q, .faces = &q->step.faces, .mass = mass };
    for (int k = 0; k < 3; k++)
        if ((*faces[k] = mn_point_faces_array(arena, x->faces)) == NULL) return MN_ERR_MEMORY;
    x->point = mn_arena_array(arena, double, 6 * n);
    x->held  = mn_arena_array(arena, uint8_t, n);
    x->v     = mn_arena_array_zero(arena, double, 3 * n + 1);  // read as fours
    x->f     = mn_arena_array(arena, double, 3 * n);
    x->power = mn_arena_array(arena, double, mn_block_matrix_parts(&q->stiffness));
    if (x->point == NULL || x->held == NULL || x->v == NULL || x->f == NULL || x->power == NULL) return MN_ERR_MEMORY;
    if (q->step.moment == NULL) return MN_OK;
    x->m = mn_arena_array(arena, double, 9 * n);
    x->s = mn_arena_array(arena, double, 9 * n);
    return x->m != NULL && x->s != NULL ? MN_OK : MN_ERR_MEMORY;
}

/// Impulses of the forces, and what holds vertices, before the touches add to both.
static void fill_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *x = context;
    const mn_fabric          *q = x->q;
    for (int64_t i = begin; i < end; i++) {
        x->f[3 * i]     = x->dt * q->step.force[i].x;
        x->f[3 * i + 1] = x->dt * q->step.force[i].y;
        x->f[3 * i + 2] = x->dt * q->step.force[i].z;
        x->held[i]      = 0;
        for (int k = 0; k < 6; k++) {
            x->point[6 * i + k] = q->step.point[6 * i + k];
            x->held[i] |= x->point[6 * i + k] != 0.0;
        }
        if (q->step.moment != NULL)
            for (int k = 0; k < 9; k++) x->s[9 * i + k] = x->dt * q->step.moment[9 * i + k];
    }
}

static void load_vertices(mn_fabric_operator *x, const mn_touches *touches, double dt)
{
    mn_fabric *q = x->q;
    x->dt        = dt;
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, VERTICES_PER_BLOCK, fill_vertices, x);
    mn_touch_apply(touches, dt, x->f, x->point);
    for (int64_t k = 0; k < touches->count; k++) x->held[touches->list[k].point] = 1;
}

void mn_fabric_operator_hold_pins(mn_fabric_operator *x)
{
    mn_parallel_for(mn_context_pool(x->q->context), x->q->vertices.count, VERTICES_PER_BLOCK, fill_vertices, x);
}

void mn_fabric_operator_load(mn_fabric_operator *x, const mn_touches *touches, double dt, double *b)
{
    load_vertices(x, touches, dt);
    mn_points_spread(x->q->context, x->faces, x->f, x->s, b);
}

static void extrapolate(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *x = context;
    const mn_fabric_vertices *s = &x->q->vertices;
    for (int64_t i = begin; i < end; i++)
        for (int a = 0; a < 3; a++)
            x->f[3 * i + a] = x->dt * (2.0 * (double)s->pull[a][i] - (double)s->pull_before[a][i]);
}

/// First the forces at the start of the step, then less what the velocity takes from them.
static void keep_loads(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *x = context;
    mn_fabric_vertices       *s = &x->q->vertices;
    for (int64_t i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) {
            s->pull_before[a][i] = s->pull[a][i];
            s->pull[a][i]        = (float)(x->f[3 * i + a] / x->dt);
        }
}

static void keep_answers(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *x = context;
    for (int64_t i = begin; i < end; i++)
        for (int a = 0; a < 3; a++) x->q->vertices.pull[a][i] -= (float)(x->f[3 * i + a] / x->dt);
}

void mn_fabric_operator_collect(mn_fabric_operator *x, const double *u)
{
    mn_points_collect(x->q->context, x->faces, u, x->v, NULL);
}

static void multiply_parts(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *x = context;
    const mn_block_matrix    *h = &x->q->stiffness;
    double                    y[4 * MN_BLOCK_PART];
    for (int64_t part = begin; part < end; part++) {
        const int64_t first = part * h->part, last = first + h->part < h->rows ? first + h->part : h->rows;
        double        power = 0.0;
        mn_block_matrix_multiply_part(h, part, x->v, y);
        for (int64_t i = first; i < last; i++) {
            double *from = y + 4 * (i - first);
            if (x->held[i]) {
                const double *v = x->v + 3 * i, *p = x->point + 6 * i;
                from[0] += p[0] * v[0] + p[5] * v[1] + p[4] * v[2];
                from[1] += p[5] * v[0] + p[1] * v[1] + p[3] * v[2];
                from[2] += p[4] * v[0] + p[3] * v[1] + p[2] * v[2];
            }
            for (int a = 0; a < 3; a++) {
                x->f[3 * i + a] = from[a];
                power += from[a] * x->v[3 * i + a];
            }
        }
        x->power[part] = power;
    }
}

static double power_on_vertices(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x   = context;
    double                    sum = 0.0;
    for (int64_t i = 3 * begin; i < 3 * end; i++) sum += x->v[i] * x->f[i];
    for (int64_t i = 9 * begin; i < 9 * end; i++) sum += x->m[i] * x->s[i];
    return sum;
}

double mn_fabric_operator_answer(mn_fabric_operator *x, const double *from)
{
    mn_context   *c     = x->q->context;
    const int64_t parts = mn_block_matrix_parts(&x->q->stiffness);
    double        power = 0.0;
    mn_points_collect(c, x->faces, from, x->v, x->m);
    mn_fabric_pins_hide(x->q, x->v);
    mn_parallel_for(mn_context_pool(c), parts, 1, multiply_parts, x);
    if (x->m != NULL) {
        mn_fabric_contact_multiply(x->q, x->v, x->m, x->f, x->s);
        power = mn_parallel_sum(mn_context_pool(c), x->q->vertices.count, power_on_vertices, x);
    } else
        for (int64_t k = 0; k < parts; k++) power += x->power[k];
    return power + mn_fabric_pins_answer(x->q, x->point, x->f);
}

void mn_fabric_operator_multiply(mn_fabric_operator *x, const double *from, double *to)
{
    mn_fabric_operator_answer(x, from);
    mn_points_spread(x->q->context, x->faces, x->f, x->s, to);
}

void mn_fabric_operator_keep_start(mn_fabric_operator *x, const mn_touches *touches, double dt, const double *u)
{
    mn_context   *c    = x->q->context;
    mn_pool      *pool = mn_context_pool(c);
    const int64_t n    = x->q->vertices.count;
    load_vertices(x, touches, dt);
    mn_parallel_for(pool, n, VERTICES_PER_BLOCK, keep_loads, x);
    mn_fabric_operator_answer(x, u);
    mn_parallel_for(pool, n, VERTICES_PER_BLOCK, keep_answers, x);
    mn_fabric_pins_settle(x->q, dt);
}

static double add_mass(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x   = context;
    double                    sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->ap[i] += x->mass[i] * x->p[i];
        sum += x->p[i] * x->ap[i];
    }
    return sum;
}

/// From the impulse, for now in place of b; p turns from an impulse into a velocity.
static void free_velocity(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *x = context;
    for (int64_t i = begin; i < end; i++) {
        x->u[i] = x->b[i] * mn_inverse_mass(x->mass[i]);
        x->p[i] *= mn_inverse_mass(x->mass[i]);
    }
}

static double slope_of_start(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x   = context;
    double                    sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += x->p[i] * (x->b[i] - x->ap[i] - x->mass[i] * x->u[i]);
    return sum;
}

static void go_to_start(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *x = context;
    for (int64_t i = begin; i < end; i++) x->u[i] += x->alpha * x->p[i];
}

static double largest_kept(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x    = context;
    double                    most = 0.0;
    for (int64_t i = 3 * begin; i < 3 * end; i++) most = fmax(most, fabs(x->f[i]));
    return most;
}

bool mn_fabric_operator_foresee(mn_fabric_operator *x, double dt, double *to)
{
    mn_pool *pool = mn_context_pool(x->q->context);
    x->dt         = dt;
    mn_parallel_for(pool, x->q->vertices.count, VERTICES_PER_BLOCK, extrapolate, x);
    mn_points_spread(x->q->context, x->faces, x->f, NULL, to);
    return mn_parallel_max(pool, x->q->vertices.count, largest_kept, x) > 0.0;
}

void mn_fabric_operator_guess(mn_fabric_operator *x, double dt, const double *impulse, double *u)
{
    (void)mn_fabric_operator_foresee(x, dt, x->p);
    x->u = u, x->b = impulse;
    mn_parallel_for(mn_context_pool(x->q->context), x->faces->count, 4 * MN_BLOCK, free_velocity, x);
}

void mn_fabric_operator_start(mn_fabric_operator *x, double dt, const double *impulse, const double *b, double *u)
{
    mn_pool      *pool = mn_context_pool(x->q->context);
    const int64_t n    = x->faces->count;
    mn_fabric_operator_guess(x, dt, impulse, u);
    x->b = b;
    mn_fabric_operator_multiply(x, u, x->ap);
    const double slope = mn_parallel_sum(pool, n, slope_of_start, x);
    mn_fabric_operator_multiply(x, x->p, x->ap);
    const double curvature = mn_parallel_sum(pool, n, add_mass, x);
    if (!(curvature > 0.0)) return;
    // Residuals of the last steps make the guess rough and its best multiple too short for its smooth part, while
    // conjugate gradients remove what is rough first: the whole of it, if that is better than none.
    x->alpha = slope / curvature;
    if (x->alpha > 0.5) x->alpha = 1.0;
    mn_parallel_for(pool, n, 4 * MN_BLOCK, go_to_start, x);
}

static double begin_residual(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x   = context;
    double                    sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->r[i] = x->b[i] - x->ap[i] - x->mass[i] * x->u[i];
        x->p[i] = x->r[i] * mn_inverse_mass(x->mass[i]);
        sum += x->r[i] * x->p[i];
    }
    return sum;
}

/// Faces that go as pins do are left out: their momentum would be all there is.
static double size_of_b(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x     = context;
    const uint8_t            *given = x->q->step.given;
    double                    sum   = 0.0;
    for (int64_t i = begin; i < end; i++)
        if (given == NULL || !given[i]) sum += x->b[i] * x->b[i] * mn_inverse_mass(x->mass[i]);
    return sum;
}

void mn_fabric_operator_measure(mn_fabric_operator *x, const double *impulse, const double *load)
{
    mn_pool           *pool = mn_context_pool(x->q->context);
    mn_fabric_operator part = *x;
    part.b                  = impulse;
    const double given      = mn_parallel_sum(pool, x->faces->count, size_of_b, &part);
    part.b                  = load;
    x->least                = MN_FABRIC_CANCELS * MN_FABRIC_CANCELS *
               (given + mn_parallel_sum(pool, x->faces->count, size_of_b, &part));
}

static double advance(int64_t begin, int64_t end, void *context)
{
    const mn_fabric_operator *x   = context;
    double                    sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        x->u[i] += x->alpha * x->p[i];
        x->r[i] -= x->alpha * x->ap[i];
        sum += x->r[i] * x->r[i] * mn_inverse_mass(x->mass[i]);
    }
    return sum;
}

static void turn_direction(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_fabric_operator *x = context;
    for (int64_t i = begin; i < end; i++) x->p[i] = x->r[i] * mn_inverse_mass(x->mass[i]) + x->beta * x->p[i];
}

// Conjugate gradients (solve/cg.h). Sizes are r D^-1 r, which is r.z as well; z is never stored.

/// The residual itself, and the direction to begin with.
static double cg_residual(void *self)
{
    mn_fabric_operator *x = self;
    mn_fabric_operator_multiply(x, x->u, x->ap);
    return mn_parallel_sum(mn_context_pool(x->q->context), x->faces->count, begin_residual, x);
}

static double cg_direct(void *self, bool first, double beta)
{
    mn_fabric_operator *x    = self;
    mn_pool            *pool = mn_context_pool(x->q->context);
    x->beta                  = beta;
    if (!first) mn_parallel_for(pool, x->faces->count, 4 * MN_BLOCK, turn_direction, x);
    mn_fabric_operator_multiply(x, x->p, x->ap);
    return mn_parallel_sum(pool, x->faces->count, add_mass, x);
}

static double cg_advance(void *self, double alpha)
{
    mn_fabric_operator *x = self;
    x->alpha              = alpha;
    return mn_parallel_sum(mn_context_pool(x->q->context), x->faces->count, advance, x);
}

void mn_fabric_operator_solve(mn_fabric_operator *x, const double *b, double *u, double tolerance, int most,
                              mn_solve_report *report)
{
    const mn_cg cg    = { .self     = x,
                          .residual = cg_residual,
                          .direct   = cg_direct,
                          .advance  = cg_advance,
                          .pool     = mn_context_pool(x->q->context) };
    x->b              = b;
    x->u              = u;
    const double size = fmax(mn_parallel_sum(mn_context_pool(x->q->context), x->faces->count, size_of_b, x), x->least);
    if (!isfinite(size)) {
        report->outcome = MN_SOLVE_NOT_FINITE;
        return;
    }
    const mn_cg_stop stop  = { .tolerance  = tolerance * tolerance * size,
                               .margin     = 1.0,
                               .gain       = INFINITY,
                               .iterations = most,
                               .restarts   = RESTARTS };
    report->outcome        = mn_cg_solve(&cg, cg_residual(x), &stop, report);
    report->residual_first = size > 0.0 ? sqrt(report->residual_first / size) : 0.0;
    report->residual_last  = size > 0.0 ? sqrt(report->residual_last / size) : 0.0;
}

/// One axis of the balance of momentum: what is missing, what has mass, and the velocity that makes up for it.
typedef struct balance {
    const mn_fabric_operator *x;
    const double             *b;
    double                   *u;
    int                       axis;
    double                    common;
} balance;

static double missing_on_faces(int64_t begin, int64_t end, void *context)
{
    const balance *y     = context;
    const int64_t  first = y->x->faces->axis_start[y->axis];
    double         sum   = 0.0;
    for (int64_t i = first + begin; i < first + end; i++) sum += y->b[i] - y->x->mass[i] * y->u[i];
    return sum;
}

static double mass_of_faces(int64_t begin, int64_t end, void *context)
{
    const balance *y     = context;
    const int64_t  first = y->x->faces->axis_start[y->axis];
    double         sum   = 0.0;
    for (int64_t i = first + begin; i < first + end; i++) sum += y->x->mass[i];
    return sum;
}

static double held_by_points(int64_t begin, int64_t end, void *context)
{
    static const int row[3][3] = { { 0, 5, 4 }, { 5, 1, 3 }, { 4, 3, 2 } };
    const balance   *y         = context;
    const int       *k         = row[y->axis];
    double           sum       = 0.0;
    for (int64_t i = begin; i < end; i++) {
        if (!y->x->held[i]) continue;
        const double *v = y->x->v + 3 * i, *p = y->x->point + 6 * i;
        sum += p[k[0]] * v[0] + p[k[1]] * v[1] + p[k[2]] * v[2];
    }
    return sum;
}

/// What holds vertices, between this axis and another.
typedef struct holding {
    const mn_fabric_operator *x;
    int                       entry;
} holding;

static double sum_of_points(int64_t begin, int64_t end, void *context)
{
    const holding *y   = context;
    double         sum = 0.0;
    for (int64_t i = begin; i < end; i++)
        if (y->x->held[i]) sum += y->x->point[6 * i + y->entry];
    return sum;
}

/// m x = b for a symmetric positive definite m (xx, yy, zz, yz, xz, xy), by its factors L D L^T: what holds may be much
/// stiffer than the mass that is left free, and determinants would lose that. An axis without mass does not move.
static void solve_balance(const double m[6], const double b[3], double x[3])
{
    const double d0 = m[0], i0 = mn_inverse_mass(d0), l10 = m[5] * i0, l20 = m[4] * i0;
    const double d1 = m[1] - l10 * m[5], i1 = mn_inverse_mass(d1), e21 = m[3] - l20 * m[5], l21 = e21 * i1;
    const double d2 = m[2] - l20 * m[4] - l21 * e21;
    const double y1 = b[1] - l10 * b[0], y2 = b[2] - l20 * b[0] - l21 * y1;
    x[2] = y2 * mn_inverse_mass(d2);
    x[1] = y1 * i1 - l21 * x[2];
    x[0] = b[0] * i0 - l10 * x[1] - l20 * x[2];
}

static void add_to_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const balance *y     = context;
    const int64_t  first = y->x->faces->axis_start[y->axis];
    for (int64_t i = first + begin; i < first + end; i++) y->u[i] += y->common;
}

static void add_to_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const balance *y = context;
    for (int64_t i = begin; i < end; i++) y->x->v[3 * i + y->axis] += y->common;
}

void mn_fabric_operator_keep_momentum(mn_fabric_operator *x, const double *b, double *u)
{
    mn_pool      *pool = mn_context_pool(x->q->context);
    const int64_t n    = x->q->vertices.count;
    balance       y[3];
    double        missing[3];
    mn_points_collect(x->q->context, x->faces, u, x->v, NULL);
    // All axes are judged at the velocity as it is: points couple them.
    for (int a = 0; a < 3; a++) {
        const int64_t faces = x->faces->axis_start[a + 1] - x->faces->axis_start[a];
        y[a]                = (balance){ .x = x, .b = b, .u = u, .axis = a };
        missing[a]          = mn_parallel_sum(pool, faces, missing_on_faces, &y[a]) -
                     mn_parallel_sum(pool, n, held_by_points, &y[a]);
    }
    // Held vertices stand against a common velocity: what is missing went to their pins.
    x->q->step.hold_left = mn_v3(missing[0], missing[1], missing[2]);
    if (x->q->step.hold_count > 0) return;
    // On a slope what holds couples the axes: along it the fabric is free, though no axis is.
    double mass[6];
    for (int k = 0; k < 6; k++) {
        holding h = { .x = x, .entry = k };
        mass[k]   = mn_parallel_sum(pool, n, sum_of_points, &h);
    }
    for (int a = 0; a < 3; a++) {
        const int64_t faces = x->faces->axis_start[a + 1] - x->faces->axis_start[a];
        mass[a] += mn_parallel_sum(pool, faces, mass_of_faces, &y[a]);
    }
    double common[3];
    solve_balance(mass, missing, common);
    for (int a = 0; a < 3; a++) y[a].common = common[a];
    for (int a = 0; a < 3; a++) {
        mn_parallel_for(pool, x->faces->axis_start[a + 1] - x->faces->axis_start[a], 4 * MN_BLOCK, add_to_faces, &y[a]);
        mn_parallel_for(pool, n, MN_BLOCK, add_to_vertices, &y[a]);
    }
}
