// SPDX-License-Identifier: MPL-2.0
// Terms of the pressure: rows of bodies against a dense solve, iterations with light and heavy bodies, symmetry,
// threads, the impulse handed back, and which pockets a term opens.
#include "failing_memory.h"

#include "base/arena.h"
#include "base/random.h"
#include "solve/multigrid.h"
#include "verify/liquid/pressure_cases.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BODIES 12
#define MOST_ROWS   14

/// Balls (discs) of one radius in a box of liquid with an open surface, or without.
typedef struct balls {
    int     dimension, count, modes;
    double  radius, surface;  ///< height of the surface; INFINITY: the box is full and closed
    mn_vec3 centre[MOST_BODIES];
    bool    periodic;  ///< along x
} balls;

typedef struct body {
    double  impulse[MOST_ROWS];
    int     rows, told;
    int64_t cells, *cell;
    double *row, *inverse;
} body;

typedef struct pool {
    mn_context      *context;
    mn_arena        *arena, *scratch;
    mn_multigrid    *mg;
    balls            shape;
    mn_pressure_case c;
    body             body[MOST_BODIES];
    mn_pressure_term term[MOST_BODIES + 1];
} pool;

static double height(const balls *b, mn_vec3 at) { return b->dimension == 2 ? at.y : at.z; }

static double liquid_of(const void *shape, mn_vec3 at) { return height(shape, at) - ((const balls *)shape)->surface; }

static double open_of(const void *shape, mn_vec3 at)
{
    const balls *b    = shape;
    double       most = INFINITY;
    for (int k = 0; k < b->count; k++) {
        mn_vec3 d = mn_sub3(at, b->centre[k]);
        if (b->dimension == 2) d.z = 0.0;
        most = fmin(most, mn_norm3(d) - b->radius);
    }
    return most;
}

static void pool_make(pool *p, int threads, const balls *shape, int32_t n)
{
    const mn_pressure_case_def def = { .dimension = shape->dimension,
                                       .cells     = { n, n, shape->dimension == 2 ? 1 : n },
                                       .cell      = 1.0,
                                       .periodic  = { shape->periodic },
                                       .liquid    = isfinite(shape->surface) ? liquid_of : NULL,
                                       .open      = shape->count > 0 ? open_of : NULL,
                                       .shape     = &p->shape,
                                       .theta_min = 1e-2 };
    memset(p, 0, sizeof *p);
    p->shape   = *shape;
    p->context = test_context(threads);
    assert_int_equal(mn_arena_create(p->context, &p->arena), MN_OK);
    assert_int_equal(mn_arena_create(p->context, &p->scratch), MN_OK);
    assert_int_equal(mn_multigrid_create(p->context, &p->mg), MN_OK);
    assert_int_equal(mn_pressure_case_build(p->arena, &def, &p->c), MN_OK);
    p->c.system.terms = p->term;
}

static void pool_end(pool *p)
{
    mn_multigrid_destroy(&p->mg);
    mn_arena_destroy(&p->scratch);
    mn_arena_destroy(&p->arena);
    test_context_end(&p->context);
}

/// Component `axis` of the velocity that degree of freedom `row` has at a point relative to the centre of its body:
/// translations, rotations, and soft modes that are gradients of powers in the plane.
static double yield_of(const balls *b, int row, int axis, mn_vec3 d)
{
    const int turns = b->dimension == 2 ? 1 : 3;
    if (row < b->dimension) return row == axis;
    if (row < b->dimension + turns) {
        const mn_vec3 w = b->dimension == 2
                              ? mn_v3(0, 0, 1)
                              : mn_v3(row - b->dimension == 0, row - b->dimension == 1, row - b->dimension == 2);
        return mn_get3(mn_cross3(w, d), axis);
    }
    const int mode = row - b->dimension - turns, power = mode / 2 + 1;
    double    re = 1.0, im = 0.0;
    for (int k = 0; k < power; k++) {
        const double next = (re * d.x - im * d.y) / b->radius;
        im                = (re * d.y + im * d.x) / b->radius;
        re                = next;
    }
    if (axis == 2) return 0.0;
    return mode % 2 == 0 ? (axis == 0 ? re : -im) : (axis == 0 ? im : re);
}

static int rows_of(const balls *b) { return (b->dimension == 2 ? 3 : 6) + b->modes; }

/// Mass of a degree of freedom of a body as heavy as `ratio` times its room of liquid.
static double mass_of(const balls *b, int row, double ratio)
{
    const double r = b->radius, pi = 3.14159265358979,
                 whole = b->dimension == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
    if (row < b->dimension) return ratio * whole;
    if (row < rows_of(b) - b->modes) return ratio * whole * r * r * (b->dimension == 2 ? 0.5 : 0.4);
    return 0.5 * ratio * whole;
}

/// Q of body k: the covered part of each face between cells of the grid times the yield of the body there.
static void body_make(pool *p, int k, double ratio)
{
    const mn_pressure_case *c = &p->c;
    const int32_t           n = c->def.cells[0], nz = c->def.cells[2];
    body                   *b = &p->body[k];
    double                 *dense;
    b->rows = rows_of(&p->shape);
    dense   = mn_arena_array_zero(p->arena, double, c->values * b->rows);
    for (int32_t z = 0; z < nz; z++)
        for (int32_t y = 0; y < n; y++)
            for (int32_t x = 0; x < n; x++)
                for (int axis = 0; axis < c->def.dimension; axis++) {
                    const int32_t at[3] = { x, y, z }, low[3] = { x - (axis == 0), y - (axis == 1), z - (axis == 2) };
                    if (at[axis] == 0) continue;
                    const int64_t here  = mn_pressure_case_at(c, x, y, z),
                                  there = mn_pressure_case_at(c, low[0], low[1], low[2]);
                    mn_vec3 d = mn_sub3(mn_v3(x + 0.5 * (axis != 0), y + 0.5 * (axis != 1), z + 0.5 * (axis != 2)),
                                        p->shape.centre[k]);
                    if (p->shape.dimension == 2) d.z = 0.0;
                    const double covered = 1.0 - (double)c->omega[axis][here];
                    if (covered == 0.0 || mn_norm3(d) > p->shape.radius + 2.0) continue;
                    for (int r = 0; r < b->rows; r++) {
                        const double push = covered * yield_of(&p->shape, r, axis, d);
                        if (c->unknown[here]) dense[here * b->rows + r] += push;
                        if (c->unknown[there]) dense[there * b->rows + r] -= push;
                    }
                }
    b->cell    = mn_arena_array(p->arena, int64_t, c->values);
    b->row     = mn_arena_array(p->arena, double, c->values * b->rows);
    b->inverse = mn_arena_array_zero(p->arena, double, (int64_t)b->rows * b->rows);
    for (int64_t v = 0; v < c->values; v++) {
        double most = 0.0;
        for (int r = 0; r < b->rows; r++) most = fmax(most, fabs(dense[v * b->rows + r]));
        if (most == 0.0) continue;
        memcpy(b->row + b->cells * b->rows, dense + v * b->rows, (size_t)b->rows * sizeof *dense);
        b->cell[b->cells++] = v;
    }
    // A full matrix: masses scaled by 1 + u u^T with small u.
    for (int r = 0; r < b->rows; r++)
        for (int s = 0; s < b->rows; s++)
            b->inverse[r * b->rows + s] = ((r == s) + 0.1 * sin(r + 1.0) * sin(s + 1.0)) /
                                          sqrt(mass_of(&p->shape, r, ratio) * mass_of(&p->shape, s, ratio));
}

static void told(void *owner, const double *impulse)
{
    body *b = owner;
    memcpy(b->impulse, impulse, (size_t)b->rows * sizeof *impulse);
    b->told++;
}

static void add_bodies(pool *p, double ratio)
{
    for (int k = 0; k < p->shape.count; k++) {
        body *b = &p->body[k];
        body_make(p, k, ratio);
        p->term[p->c.system.term_count++] = (mn_pressure_term){ .rows    = b->rows,
                                                                .cells   = b->cells,
                                                                .cell    = b->cell,
                                                                .row     = b->row,
                                                                .inverse = b->inverse,
                                                                .react   = told,
                                                                .owner   = b };
    }
}

/// y = A x + terms, as the headers state it.
static void plain_apply(const mn_pressure_system *s, const double *x, double *y)
{
    const mn_tiles *t = s->tiles;
    memset(y, 0, (size_t)t->count * t->cells * sizeof *y);
    for (int64_t n = t->cells; n < (int64_t)t->count * t->cells; n++) {
        if (!s->unknown[n]) continue;
        for (int axis = 0; axis < t->def.dimension; axis++) {
            const int64_t low  = mn_cell_next(t, (int32_t)(n / t->cells), (int32_t)(n % t->cells), axis, -1),
                          high = mn_cell_next(t, (int32_t)(n / t->cells), (int32_t)(n % t->cells), axis, 1);
            y[n] += s->b[axis][n] * (x[n] - (s->unknown[low] ? x[low] : 0.0));
            y[n] += s->b[axis][high] * (x[n] - (s->unknown[high] ? x[high] : 0.0));
        }
    }
    for (int k = 0; k < s->term_count; k++) {
        const mn_pressure_term *q             = &s->terms[k];
        double                  t_[MOST_ROWS] = { 0 }, u[MOST_ROWS] = { 0 };
        for (int64_t n = t->cells; q->diagonal != NULL && n < (int64_t)t->count * t->cells; n++)
            if (s->unknown[n]) y[n] += q->diagonal[n] * x[n];
        for (int64_t i = 0; i < q->cells; i++)
            for (int r = 0; r < q->rows; r++) t_[r] += q->row[i * q->rows + r] * x[q->cell[i]];
        for (int r = 0; r < q->rows; r++)
            for (int m = 0; m < q->rows; m++) u[r] += q->inverse[r * q->rows + m] * t_[m];
        for (int64_t i = 0; i < q->cells; i++)
            for (int r = 0; r < q->rows; r++) y[q->cell[i]] += q->row[i * q->rows + r] * u[r];
    }
}

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

/// Solve by Gauss on the matrix that plain_apply makes of unit vectors.
static void dense_solve(const pool *p, const double *rhs, double *x)
{
    const mn_pressure_case *c    = &p->c;
    const int64_t           n    = c->unknowns;
    int64_t                *list = calloc((size_t)n, sizeof *list), m = 0;
    double *a = calloc((size_t)(n * (n + 1)), sizeof *a), *unit = calloc((size_t)c->values, sizeof *unit),
           *column = calloc((size_t)c->values, sizeof *column);
    for (int64_t v = 0; v < c->values; v++)
        if (c->unknown[v]) list[m++] = v;
    assert_int_equal(m, n);
    for (int64_t j = 0; j < n; j++) {
        unit[list[j]] = 1.0;
        plain_apply(&c->system, unit, column);
        unit[list[j]] = 0.0;
        for (int64_t i = 0; i < n; i++) a[i * (n + 1) + j] = column[list[i]];
        a[j * (n + 1) + n] = rhs[list[j]];
    }
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = k + 1; i < n; i++) {
            const double f = a[i * (n + 1) + k] / a[k * (n + 1) + k];
            if (f == 0.0) continue;
            for (int64_t j = k; j <= n; j++) a[i * (n + 1) + j] -= f * a[k * (n + 1) + j];
        }
    memset(x, 0, (size_t)c->values * sizeof *x);
    for (int64_t k = n; k-- > 0;) {
        double sum = a[k * (n + 1) + n];
        for (int64_t j = k + 1; j < n; j++) sum -= a[k * (n + 1) + j] * x[list[j]];
        x[list[k]] = sum / a[k * (n + 1) + k];
    }
    free(list), free(a), free(unit), free(column);
}

static mn_solve_report solve(pool *p, double tolerance)
{
    mn_solve_report report;
    memset(p->c.x, 0, (size_t)p->c.values * sizeof *p->c.x);
    assert_int_equal(mn_multigrid_solve(p->mg, p->c.rhs, p->c.x, tolerance, 500, &report), MN_OK);
    return report;
}

static mn_solve_report set_up_and_solve(pool *p, double tolerance)
{
    assert_int_equal(mn_multigrid_setup(p->mg, &p->c.system, p->scratch), MN_OK);
    return solve(p, tolerance);
}

static const balls one_disc  = { 2, 1, 0, 3.3, 12.4, { { 8.2, 7.1, 0.5 } }, false };
static const balls two_discs = { 2, 2, 4, 2.6, 12.4, { { 5.2, 6.1, 0.5 }, { 10.3, 7.2, 0.5 } }, false };
static const balls one_ball  = { 3, 1, 0, 2.4, 6.4, { { 4.2, 3.9, 3.1 } }, false };

static void the_solution_is_that_of_a_dense_solve(void **state)
{
    (void)state;
    const struct {
        const balls *shape;
        int32_t      n;
        double       ratio;
    } cases[] = { { &one_disc, 16, 0.01 }, { &one_disc, 16, 4.0 }, { &two_discs, 16, 0.2 }, { &one_ball, 8, 0.05 } };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pool p;
        pool_make(&p, 1, cases[k].shape, cases[k].n);
        add_bodies(&p, cases[k].ratio);
        mn_pressure_case_random(&p.c, 3, p.c.rhs);
        double *exact = mn_arena_array(p.arena, double, p.c.values), *y = mn_arena_array(p.arena, double, p.c.values),
               *z = mn_arena_array(p.arena, double, p.c.values), largest = 0.0;
        dense_solve(&p, p.c.rhs, exact);
        for (int64_t v = 0; v < p.c.values; v++) largest = fmax(largest, fabs(exact[v]));
        const mn_solve_report report = set_up_and_solve(&p, 1e-12);
        assert_int_equal(report.outcome, MN_SOLVE_CONVERGED);
        assert_less(report.iterations, 45);
        for (int64_t v = 0; v < p.c.values; v++) assert_near(p.c.x[v], exact[v], 1e-10 * largest);

        assert_int_equal(mn_multigrid_apply(p.mg, p.c.rhs, y), MN_OK);
        plain_apply(&p.c.system, p.c.rhs, z);
        for (int64_t v = 0; v < p.c.values; v++) assert_near(y[v], z[v], 1e-12);
        pool_end(&p);
    }
}

/// What the pressure gives the body is what the liquid gets back: Q p, of the p that was found.
static void owners_are_handed_their_impulse(void **state)
{
    (void)state;
    pool p;
    pool_make(&p, 1, &two_discs, 16);
    add_bodies(&p, 0.3);
    mn_pressure_case_random(&p.c, 3, p.c.rhs);
    assert_int_equal(set_up_and_solve(&p, 1e-10).outcome, MN_SOLVE_CONVERGED);
    mn_multigrid_react(p.mg, p.c.x);
    double *y = mn_arena_array(p.arena, double, p.c.values), *z = mn_arena_array(p.arena, double, p.c.values);
    plain_apply(&p.c.system, p.c.x, y);
    p.c.system.term_count = 0;
    plain_apply(&p.c.system, p.c.x, z);
    for (int k = 0; k < 2; k++) assert_int_equal(p.body[k].told, 1);
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < p.body[k].cells; i++)
            for (int r = 0; r < p.body[k].rows; r++)
                for (int m = 0; m < p.body[k].rows; m++)
                    z[p.body[k].cell[i]] += p.body[k].row[i * p.body[k].rows + r] *
                                            p.body[k].inverse[r * p.body[k].rows + m] * p.body[k].impulse[m];
    for (int64_t v = 0; v < p.c.values; v++) assert_near(z[v], y[v], 1e-12);
    pool_end(&p);
}

/// |a.Mb - b.Ma| / sqrt(a.Ma b.Mb).
static double cycle_asymmetry(pool *p)
{
    const int64_t n = p->c.values;
    double *u = calloc((size_t)n, sizeof *u), *v = calloc((size_t)n, sizeof *v), *mu = calloc((size_t)n, sizeof *mu),
           *mv = calloc((size_t)n, sizeof *mv);
    mn_pressure_case_random(&p->c, 7, u);
    mn_pressure_case_random(&p->c, 8, v);
    assert_int_equal(mn_multigrid_cycle(p->mg, u, mu), MN_OK);
    assert_int_equal(mn_multigrid_cycle(p->mg, v, mv), MN_OK);
    const double uu = dot(u, mu, n), vv = dot(v, mv, n), gap = fabs(dot(u, mv, n) - dot(v, mu, n));
    assert_true(uu > 0.0 && vv > 0.0);
    free(u), free(v), free(mu), free(mv);
    return gap / sqrt(uu * vv);
}

static balls nine_discs(int modes)
{
    balls b = { .dimension = 2, .count = 9, .modes = modes, .radius = 4.0, .surface = 40.0 - 1.3 };
    for (int k = 0; k < 9; k++)
        b.centre[k] = mn_v3(7 + 13 * (k / 3) + 0.3 * (k % 3), 7 + 13 * (k % 3) + 0.2 * (k / 3), 0.5);
    return b;
}

static balls eight_balls(void)
{
    balls b = { .dimension = 3, .count = 8, .radius = 4.2, .surface = 30.6 };
    for (int k = 0; k < 8; k++) b.centre[k] = mn_v3(9.1 + 13 * (k & 1), 8.7 + 14 * (k >> 1 & 1), 7.3 + 14.2 * (k >> 2));
    return b;
}

static void the_cycle_with_rows_is_symmetric_and_positive(void **state)
{
    (void)state;
    const balls shapes[] = { one_disc, two_discs, nine_discs(8), eight_balls() };
    for (int k = 0; k < 4; k++)
        for (int levels = -1; levels < 2; levels++) {
            pool p;
            pool_make(&p, 1, &shapes[k], k < 2 ? 16 : k == 2 ? 40 : 32);
            add_bodies(&p, 0.01);
            mn_multigrid_tune(p.mg, (mn_multigrid_tuning){ .correction = 2.0f, .row_levels = levels });
            assert_int_equal(mn_multigrid_setup(p.mg, &p.c.system, p.scratch), MN_OK);
            assert_less(cycle_asymmetry(&p), 3e-6);
            pool_end(&p);
        }
}

static int iterations(const balls *shape, int32_t n, double ratio, int row_levels)
{
    pool p;
    pool_make(&p, 2, shape, n);
    if (ratio > 0.0) add_bodies(&p, ratio);
    mn_pressure_case_random(&p.c, 3, p.c.rhs);
    mn_multigrid_tune(p.mg, (mn_multigrid_tuning){ .correction = 2.0f, .row_levels = row_levels });
    const mn_solve_report report = set_up_and_solve(&p, 1e-8);
    assert_int_equal(report.outcome, MN_SOLVE_CONVERGED);
    pool_end(&p);
    return report.iterations;
}

/// Measured, to 1e-8: without bodies, and with rows on no level of the cycle, on level 0 alone, on all. For each of a
/// row: nine discs, nine discs with 8 soft modes each, eight balls.
static void iterations_with_bodies_stay_near_those_without(void **state)
{
    (void)state;
    static const double ratio[4]        = { 0.01, 0.25, 1.0, 4.0 };
    static const int    without[3]      = { 10, 10, 8 };
    static const int    counts[3][4][3] = { { { 37, 27, 12 }, { 23, 16, 9 }, { 15, 13, 8 }, { 10, 10, 8 } },
                                            { { 57, 35, 19 }, { 26, 16, 9 }, { 16, 13, 8 }, { 10, 10, 8 } },
                                            { { 27, 16, 10 }, { 15, 11, 8 }, { 10, 9, 8 }, { 8, 8, 8 } } };
    const balls         shapes[3]       = { nine_discs(0), nine_discs(8), eight_balls() };
    for (int k = 0; k < 3; k++) {
        const int32_t n = k < 2 ? 40 : 32;
        assert_near(iterations(&shapes[k], n, 0.0, 0), without[k], 1);
        for (int r = 0; r < 4; r++)
            for (int levels = -1; levels < 2; levels++) {
                const int count = iterations(&shapes[k], n, ratio[r], levels);
                assert_near(count, counts[k][r][levels == 0 ? 2 : levels == 1 ? 1 : 0], 1 + count / 10);
            }
    }
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    const balls shapes[] = { nine_discs(8), eight_balls() };
    for (int k = 0; k < 2; k++) {
        double *first = NULL;
        for (int threads = 1; threads <= 3; threads++) {
            pool p;
            pool_make(&p, threads, &shapes[k], k == 0 ? 40 : 32);
            add_bodies(&p, 0.1);
            mn_pressure_case_random(&p.c, 3, p.c.rhs);
            assert_int_equal(set_up_and_solve(&p, 1e-9).outcome, MN_SOLVE_CONVERGED);
            if (first == NULL) {
                first = malloc((size_t)p.c.values * sizeof *first);
                memcpy(first, p.c.x, (size_t)p.c.values * sizeof *first);
            }
            assert_memory_equal(first, p.c.x, (size_t)p.c.values * sizeof *first);
            pool_end(&p);
        }
        free(first);
    }
}

/// Coefficients that jump: the levels below level 0 are graphs. Liquid that is 1000 times as dense on one side makes
/// the bodies there light.
static void rows_meet_graphs(void **state)
{
    (void)state;
    int with[2];
    for (int levels = -1; levels < 1; levels++) {
        pool p;
        pool_make(&p, 1, &two_discs, 16);
        add_bodies(&p, 2.0);
        for (int32_t y = 0; y < 16; y++)
            for (int32_t x = 9; x < 16; x++)
                for (int axis = 0; axis < 2; axis++) p.c.b[axis][mn_pressure_case_at(&p.c, x, y, 0)] *= 1e-3f;
        mn_pressure_case_random(&p.c, 3, p.c.rhs);
        mn_multigrid_tune(p.mg, (mn_multigrid_tuning){ .correction = 2.0f, .row_levels = levels });
        const mn_solve_report report = set_up_and_solve(&p, 1e-11);
        assert_int_equal(report.outcome, MN_SOLVE_CONVERGED);
        assert_less(cycle_asymmetry(&p), 3e-6);
        double *exact = mn_arena_array(p.arena, double, p.c.values), largest = 0.0;
        dense_solve(&p, p.c.rhs, exact);
        for (int64_t v = 0; v < p.c.values; v++) largest = fmax(largest, fabs(exact[v]));
        for (int64_t v = 0; v < p.c.values; v++) assert_near(p.c.x[v], exact[v], 1e-8 * largest);
        with[levels + 1] = report.iterations;
        pool_end(&p);
    }
    assert_true(with[0] >= 40 && with[1] <= 16);  // 46 and 14; 7 without bodies
}

/// A period of three tiles is unrolled to a ring of two; each cell has two parents there.
static void rows_go_round_odd_periods(void **state)
{
    (void)state;
    balls shape     = { .dimension = 2, .count = 2, .radius = 3.4, .surface = 20.3, .periodic = true };
    shape.centre[0] = mn_v3(5.1, 7.2, 0.5), shape.centre[1] = mn_v3(15.7, 9.4, 0.5);
    int with[2];
    for (int levels = -1; levels < 1; levels++) {
        pool p;
        pool_make(&p, 1, &shape, 24);
        add_bodies(&p, 0.02);
        mn_pressure_case_random(&p.c, 3, p.c.rhs);
        mn_multigrid_tune(p.mg, (mn_multigrid_tuning){ .correction = 2.0f, .row_levels = levels });
        const mn_solve_report report = set_up_and_solve(&p, 1e-10);
        assert_int_equal(report.outcome, MN_SOLVE_CONVERGED);
        assert_less(cycle_asymmetry(&p), 3e-6);
        with[levels + 1] = report.iterations;
        pool_end(&p);
    }
    assert_true(with[0] >= 18 && with[1] <= 11);  // 20 and 10
}

// --- pockets ---

/// A full 2D box of 16 x 16 cells, in two halves that do not see each other; one term of one row.
typedef struct halves {
    pool    p;
    int64_t cell[32];
    double  row[32], inverse;
    float  *diagonal;
} halves;

static void halves_make(halves *h)
{
    const balls empty = { .dimension = 2, .surface = INFINITY };
    pool_make(&h->p, 1, &empty, 16);
    for (int32_t y = 0; y < 16; y++) h->p.c.b[0][mn_pressure_case_at(&h->p.c, 8, y, 0)] = 0.0f;
    h->inverse               = 0.7;
    h->p.term[0]             = (mn_pressure_term){ .rows = 1, .cell = h->cell, .row = h->row, .inverse = &h->inverse };
    h->p.c.system.term_count = 1;
    mn_pressure_case_random(&h->p.c, 5, h->p.c.rhs);
}

static void halves_add(halves *h, int32_t x, int32_t y, double push)
{
    h->cell[h->p.term[0].cells]  = mn_pressure_case_at(&h->p.c, x, y, 0);
    h->row[h->p.term[0].cells++] = push;
}

/// Solve; A x may differ from rhs by a multiple of w alone, to which x is orthogonal: `left` and `right` in the halves.
static void check_halves(halves *h, int pockets, double left, double right)
{
    pool                 *p      = &h->p;
    const mn_solve_report report = set_up_and_solve(p, 1e-10);
    double *y = mn_arena_array(p->arena, double, p->c.values), *w = mn_arena_array(p->arena, double, p->c.values);
    assert_int_equal(report.outcome, MN_SOLVE_CONVERGED);
    assert_int_equal(report.pockets, pockets);
    assert_less(report.iterations, 25);
    plain_apply(&p->c.system, p->c.x, y);
    memset(w, 0, (size_t)p->c.values * sizeof *w);
    for (int32_t j = 0; j < 16; j++)
        for (int32_t i = 0; i < 16; i++) w[mn_pressure_case_at(&p->c, i, j, 0)] = i < 8 ? left : right;
    for (int64_t v = 0; v < p->c.values; v++) y[v] -= p->c.rhs[v];
    const double size = dot(w, w, p->c.values), share = size > 0.0 ? dot(y, w, p->c.values) / size : 0.0;
    for (int64_t v = 0; v < p->c.values; v++) assert_near(y[v], share * w[v], 1e-8);
    assert_near(dot(p->c.x, w, p->c.values), 0.0, 1e-6);
    pool_end(p);
}

static void a_piston_leaves_one_constant_of_two_pockets(void **state)
{
    (void)state;
    halves h = { 0 };
    halves_make(&h);
    for (int32_t y = 0; y < 16; y++) halves_add(&h, 7, y, -1.0), halves_add(&h, 8, y, 1.0);
    check_halves(&h, 1, 1.0, 1.0);
}

/// A press: the smaller side bears the larger pressure.
static void a_piston_of_two_areas_leaves_their_balance(void **state)
{
    (void)state;
    halves h = { 0 };
    halves_make(&h);
    for (int32_t y = 0; y < 16; y++) halves_add(&h, 7, y, -1.0);
    for (int32_t y = 4; y < 9; y++) halves_add(&h, 8, y, 1.0);
    check_halves(&h, 1, 5.0, 16.0);
}

static void a_row_opens_the_pocket_it_pushes(void **state)
{
    (void)state;
    halves h = { 0 };
    halves_make(&h);
    for (int32_t y = 3; y < 7; y++) halves_add(&h, 0, y, 1.0);
    check_halves(&h, 1, 0.0, 1.0);
}

/// As a body around which there is liquid: what it takes away on one side it gives back on the other.
static void a_row_that_adds_up_to_zero_opens_nothing(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        halves h = { 0 };
        halves_make(&h);
        halves_add(&h, 2, 5, 1.0), halves_add(&h, 4, 5, -1.0), halves_add(&h, 3, 4, 0.3), halves_add(&h, 3, 6, -0.3);
        pool *p = &h.p;
        assert_int_equal(set_up_and_solve(p, 1e-10).pockets, 2);
        double mean = 0.0;
        for (int32_t y = 0; y < 16; y++)
            for (int32_t x = 0; x < 8; x++) mean += p->c.x[mn_pressure_case_at(&p->c, x + 8 * side, y, 0)];
        assert_near(mean, 0.0, 1e-9);
        pool_end(p);
    }
    // A ball in a full closed box.
    pool  p;
    balls inside   = one_disc;
    inside.surface = INFINITY;
    pool_make(&p, 1, &inside, 16);
    add_bodies(&p, 0.3);
    mn_pressure_case_random(&p.c, 3, p.c.rhs);
    const mn_solve_report report = set_up_and_solve(&p, 1e-9);
    assert_int_equal(report.outcome, MN_SOLVE_CONVERGED);
    assert_int_equal(report.pockets, 1);
    pool_end(&p);
}

static void a_diagonal_opens_the_pocket_it_touches(void **state)
{
    (void)state;
    halves h = { 0 };
    halves_make(&h);
    float *diagonal                                 = mn_arena_array_zero(h.p.arena, float, h.p.c.values);
    diagonal[mn_pressure_case_at(&h.p.c, 12, 3, 0)] = 0.5f;
    h.p.term[0]                                     = (mn_pressure_term){ .diagonal = diagonal };
    check_halves(&h, 1, 1.0, 0.0);
}

/// A cell that liquid reaches from nowhere, and a body pushes: its equation holds as that of any other.
static void a_row_wakes_a_cell_without_faces(void **state)
{
    (void)state;
    for (int with = 0; with < 2; with++) {
        pool p;
        pool_make(&p, 1, &one_disc, 16);
        add_bodies(&p, 0.3);
        const int64_t   cell = p.body[0].cell[3];
        const mn_tiles *t    = &p.c.tiles;
        for (int axis = 0; axis < 2; axis++) {
            p.c.b[axis][cell]                                                                             = 0.0f;
            p.c.b[axis][mn_cell_next(t, (int32_t)(cell / t->cells), (int32_t)(cell % t->cells), axis, 1)] = 0.0f;
        }
        if (!with) p.c.system.term_count = 0;
        mn_pressure_case_random(&p.c, 3, p.c.rhs);
        const mn_solve_report report = set_up_and_solve(&p, 1e-12);
        assert_int_equal(report.outcome, MN_SOLVE_CONVERGED);
        assert_int_equal(report.pockets, with ? 0 : 1);
        if (with) {
            double *y = mn_arena_array(p.arena, double, p.c.values);
            plain_apply(&p.c.system, p.c.x, y);
            for (int64_t v = 0; v < p.c.values; v++)
                if (p.c.unknown[v]) assert_near(y[v], p.c.rhs[v], 1e-9);
            assert_less(cycle_asymmetry(&p), 3e-6);
        }
        pool_end(&p);
    }
}

static void a_mass_below_zero_is_refused(void **state)
{
    (void)state;
    halves h = { 0 };
    halves_make(&h);
    halves_add(&h, 2, 2, 1.0);
    h.inverse = -1.0;
    assert_int_equal(mn_multigrid_setup(h.p.mg, &h.p.c.system, h.p.scratch), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(h.p.context), "below zero"));
    h.inverse = 0.0;  // what cannot move is a wall
    assert_int_equal(mn_multigrid_setup(h.p.mg, &h.p.c.system, h.p.scratch), MN_OK);
    assert_int_equal(solve(&h.p, 1e-9).pockets, 2);
    pool_end(&h.p);
}

static mn_status set_up(failing_memory *m, void *user)
{
    const mn_pressure_system *system = user;
    const long long           left   = m->left;
    grant_all(m);
    mn_context   *context = failing_context(m);
    mn_arena     *arena   = NULL;
    mn_multigrid *mg      = NULL;
    m->left               = left;
    mn_status status      = mn_arena_create(context, &arena);
    if (status == MN_OK) status = mn_multigrid_create(context, &mg);
    if (status == MN_OK) status = mn_multigrid_setup(mg, system, arena);
    mn_multigrid_destroy(&mg);
    mn_arena_destroy(&arena);
    mn_context_destroy(&context);
    return status;
}

/// With tiles and with graphs below level 0.
static void every_refused_block_is_a_status(void **state)
{
    (void)state;
    for (int graphs = 0; graphs < 2; graphs++) {
        pool           p;
        const balls    shape  = eight_balls();
        failing_memory memory = PLENTY_OF_MEMORY;
        pool_make(&p, 1, &shape, 32);
        add_bodies(&p, 0.1);
        for (int64_t v = 0; graphs && v < p.c.values / 2; v++) p.c.b[0][v] *= 1e-3f;
        assert_true(survives_every_failing_allocation(&memory, set_up, &p.c.system, NULL) >= 3);
        pool_end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solution_is_that_of_a_dense_solve),
        cmocka_unit_test(owners_are_handed_their_impulse),
        cmocka_unit_test(the_cycle_with_rows_is_symmetric_and_positive),
        cmocka_unit_test(iterations_with_bodies_stay_near_those_without),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(rows_meet_graphs),
        cmocka_unit_test(rows_go_round_odd_periods),
        cmocka_unit_test(a_piston_leaves_one_constant_of_two_pockets),
        cmocka_unit_test(a_piston_of_two_areas_leaves_their_balance),
        cmocka_unit_test(a_row_opens_the_pocket_it_pushes),
        cmocka_unit_test(a_row_that_adds_up_to_zero_opens_nothing),
        cmocka_unit_test(a_diagonal_opens_the_pocket_it_touches),
        cmocka_unit_test(a_row_wakes_a_cell_without_faces),
        cmocka_unit_test(a_mass_below_zero_is_refused),
        cmocka_unit_test(every_refused_block_is_a_status),
    };
    return cmocka_run_group_tests_name("pressure_terms", tests, NULL, NULL);
}
