// SPDX-License-Identifier: MPL-2.0
// The implicit viscosity: what it must keep, and how fast it is solved.
#include "../world/worlds.h"

#include "liquid/viscosity_private.h"

#include <string.h>

/// A ball of 16 cells radius and more at rest in nothing, or standing on a no-slip floor, up to the stage of the
/// forces.
static mn_world *ball_world(mn_context *c, int dimension, int across, bool floor)
{
    mn_world_def def      = mn_world_def_default();
    def.domain.dimension  = dimension;
    def.domain.cell       = 2.0 / across;
    def.domain.gravity[1] = 0.0;
    mn_world *w           = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    if (floor) {
        mn_obstacle_def plate = mn_obstacle_def_default();
        plate.wall            = MN_WALL_NO_SLIP;
        plate.shape           = test_shape(c, MN_SHAPE_BOX, 0.013, -3.0 - 0.507, 0, 6.0);
        assert_int_equal(mn_world_add_obstacle(w, &plate), MN_OK);
        mn_shape_release(&plate.shape);
    }
    mn_liquid_def blob = mn_liquid_def_default();
    blob.shape         = test_shape(c, MN_SHAPE_SPHERE, 0.01, 0.02, 0.03, 1.0);
    assert_int_equal(mn_world_add_liquid(w, &blob), MN_OK);
    mn_shape_release(&blob.shape);
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    assert_int_equal(mn_world_place_solids(w, 0.0), MN_OK);
    assert_int_equal(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }),
                     MN_OK);
    assert_int_equal(mn_liquid_gather(&w->liquid, &(mn_step){ .arena = w->arena }), MN_OK);
    return w;
}

typedef double field_fn(mn_vec3 x, int a, int64_t place);

/// Point `half` cells from the low corner of cell i of a tile.
static mn_vec3 point_of(const mn_tiles *t, int32_t tile, int32_t i, const double half[3])
{
    const double at[3] = { t->coord[tile].x * MN_TILE + i % MN_TILE + half[0],
                           t->coord[tile].y * MN_TILE + i / MN_TILE % MN_TILE + half[1],
                           t->coord[tile].z * t->tile_z + i / (MN_TILE * MN_TILE) + half[2] };
    return mn_scale3(t->def.cell, mn_v3(at[0], at[1], t->def.dimension == 3 ? at[2] : 0.0));
}

static mn_vec3 face_of(const mn_tiles *t, int32_t tile, int32_t i, int a)
{
    return point_of(t, tile, i, (double[3]){ a == 0 ? 0.0 : 0.5, a == 1 ? 0.0 : 0.5, a == 2 ? 0.0 : 0.5 });
}

/// Set the velocity of every face.
static void set_faces(mn_world *w, field_fn *fn)
{
    const mn_tiles *t = &w->liquid.grid.tiles;
    for (int32_t tile = 1; tile < t->count; tile++)
        for (int32_t i = 0; i < t->cells; i++)
            for (int a = 0; a < t->def.dimension; a++) {
                const int64_t place               = (int64_t)tile * t->cells + i;
                w->liquid.grid.velocity[a][place] = fn(face_of(t, tile, i, a), a, place);
            }
}

static double noise(int64_t i, int a)
{
    uint64_t z = ((uint64_t)i * 3 + (uint64_t)a) * 0x9e3779b97f4a7c15u + 0x1234567u;
    z          = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z          = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)(z >> 11) / 4503599627370496.0 - 1.0;
}

static double rough(mn_vec3 x, int a, int64_t place)
{
    return sin(3.0 * x.x + a) * cos(2.0 * x.y - a) + 0.3 * x.z + 0.2 * noise(place, a);
}

/// h nu / cell^2 = k.
static mn_solve_report solve_with(mn_world *w, double k)
{
    mn_solve_report report;
    w->liquid.model.material.viscosity = k * w->liquid.model.material.density * w->grid.cell * w->grid.cell;
    assert_int_equal(mn_liquid_viscosity(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 1.0 },
                                         &report),
                     MN_OK);
    return report;
}

/// A few more than measured (liquid 5.12), at h nu / cell^2 of 0.1, 1 ... 1e5, free and on a no-slip floor.
static const int most[2][7] = { { 9, 9, 13, 18, 25, 32, 42 }, { 9, 12, 17, 22, 32, 42, 56 } };

static void iterations_stay_bounded(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int across = 16; across <= 64; across *= 2)
            for (int floor = 0; floor < 2; floor++) {
                mn_context *c = test_context(2);
                mn_world   *w = ball_world(c, dimension, across, floor);
                double      k = 0.1;
                for (int n = 0; n < 7; n++, k *= 10.0) {
                    set_faces(w, rough);
                    const mn_solve_report r = solve_with(w, k);
                    assert_int_equal(r.outcome, MN_SOLVE_CONVERGED);
                    assert_true(r.residual_last <= w->liquid.model.solver.viscosity_tolerance);
                    if (r.iterations > most[floor][n])
                        print_error("%dD, %d cells, k %g: %d\n", dimension, across, k, r.iterations);
                    assert_true(r.iterations <= most[floor][n]);
                }
                mn_world_destroy(&w);
                test_context_end(&c);
            }
}

static double turning(mn_vec3 x, int a, int64_t place)
{
    (void)place;
    const mn_vec3 v = mn_add3(mn_v3(3.0, -2.0, 1.0), mn_cross3(mn_v3(0.0, 0.0, 5.0), x));
    return mn_get3(v, a);
}

static double largest_change(mn_world *w, field_fn *fn)
{
    const mn_liquid_scratch *s = &w->liquid.grid;
    const int64_t            n = (int64_t)s->tiles.count * s->tiles.cells;
    double                  *after[3], change = 0.0;
    for (int a = 0; a < s->tiles.def.dimension; a++) {
        after[a] = mn_arena_array(w->arena, double, n);
        assert_non_null(after[a]);
        memcpy(after[a], s->velocity[a], (size_t)n * sizeof(double));
    }
    set_faces(w, fn);
    for (int a = 0; a < s->tiles.def.dimension; a++)
        for (int64_t i = s->tiles.cells; i < n; i++) change = fmax(change, fabs(after[a][i] - s->velocity[a][i]));
    return change;
}

static void rigid_motions_are_not_touched(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_context *c = test_context(2);
        mn_world   *w = ball_world(c, dimension, 16, false);
        set_faces(w, turning);
        const mn_solve_report r = solve_with(w, 1000.0);
        assert_true(r.outcome > 0);
        assert_less(largest_change(w, turning), 1e-12 * 10.0);
        set_faces(w, rough);
        assert_true(solve_with(w, 1000.0).outcome > 0);
        assert_true(largest_change(w, rough) > 0.1);  // and what is not rigid is
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

typedef struct matrix {
    mn_viscosity_matrix m;
    double             *x, *y, *ax, *ay;
    int64_t             n;
} matrix;

typedef double viscosity_fn(mn_vec3 x, double cell);

/// `viscosity` over that in k, at every sample of the stress; NULL: 1.
static matrix matrix_with(mn_world *w, double k, viscosity_fn *viscosity)
{
    matrix          b = { .m = { .q = &w->liquid, .solids = w->solids, .k = k } };
    const mn_tiles *t = &w->liquid.grid.tiles;
    for (int e = -1; e < 3 && viscosity != NULL; e++) {  // in the middle of cells, then at the edges
        double *of      = mn_arena_array_zero(w->arena, double, (int64_t)t->count * t->cells);
        double  half[3] = { 0.5, 0.5, 0.5 };
        assert_non_null(of);
        if (e >= 0) half[mn_edge_first[e]] = half[mn_edge_second[e]] = 0.0;
        for (int64_t i = t->cells; i < (int64_t)t->count * t->cells; i++)
            of[i] = viscosity(point_of(t, (int32_t)(i / t->cells), (int32_t)(i % t->cells), half), t->def.cell);
        *(e < 0 ? &b.m.cell_viscosity : &b.m.edge_viscosity[e]) = of;
    }
    assert_int_equal(mn_viscosity_weights(&b.m, w->arena), MN_OK);
    assert_int_equal(mn_viscosity_levels(&b.m, w->arena), MN_OK);
    b.n                 = mn_row_values(&b.m.level[0]);
    double **vectors[4] = { &b.x, &b.y, &b.ax, &b.ay };
    for (int v = 0; v < 4; v++) assert_non_null(*vectors[v] = mn_arena_array_zero(w->arena, double, b.n));
    for (int64_t i = 0; i < b.n; i++)
        if (b.m.level[0].inverse[i] > 0.0f) b.x[i] = noise(i, 0), b.y[i] = noise(i, 1);
    return b;
}

static matrix matrix_of(mn_world *w, double k) { return matrix_with(w, k, NULL); }

static double dot(const double *x, const double *y, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static void cycle_of(matrix *b, const double *r, double *z)
{
    for (int64_t i = 0; i < b->n; i++) b->m.level[0].b[i] = (float)r[i];
    mn_viscosity_cycle(&b->m);
    for (int64_t i = 0; i < b->n; i++) z[i] = (double)b->m.level[0].x[i];
}

static void matrix_and_cycle_are_symmetric_and_positive(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int floor = 0; floor < 2; floor++) {
            mn_context *c = test_context(2);
            mn_world   *w = ball_world(c, dimension, 24, floor);
            matrix      b = matrix_of(w, 30.0);
            mn_viscosity_apply(&b.m, b.x, b.ax, false, NULL);
            mn_viscosity_apply(&b.m, b.y, b.ay, false, NULL);
            const double scale = sqrt(dot(b.x, b.ax, b.n) * dot(b.y, b.ay, b.n));
            assert_true(dot(b.x, b.ax, b.n) > 0.0 && dot(b.y, b.ay, b.n) > 0.0);
            assert_less(fabs(dot(b.x, b.ay, b.n) - dot(b.y, b.ax, b.n)), 1e-13 * scale);
            cycle_of(&b, b.x, b.ax);
            cycle_of(&b, b.y, b.ay);
            assert_true(dot(b.x, b.ax, b.n) > 0.0 && dot(b.y, b.ay, b.n) > 0.0);
            assert_less(fabs(dot(b.x, b.ay, b.n) - dot(b.y, b.ax, b.n)),
                        1e-5 * sqrt(dot(b.x, b.ax, b.n) * dot(b.y, b.ay, b.n)));
            mn_world_destroy(&w);
            test_context_end(&c);
        }
}

/// Without walls the stress is internal: the sum of its forces is zero.
static void momentum_is_kept(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = ball_world(c, 3, 24, false);
    matrix      b = matrix_of(w, 100.0);
    mn_viscosity_apply(&b.m, b.x, b.ax, true, NULL);
    for (int a = 0; a < 3; a++) {
        double sum = 0.0, size = 0.0;
        for (int32_t r = 1; r < b.m.level[0].count; r++)
            for (int x = 0; x < MN_TILE; x++) {
                const double force = b.ax[mn_row_face(&b.m.level[0], r, a) + (size_t)x];
                sum += force, size += fabs(force);
            }
        assert_true(size > 0.0);
        assert_less(fabs(sum), 1e-13 * size);
    }
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    uint64_t expected = 0;
    for (int threads = 1; threads <= 3; threads++) {
        mn_context *c = test_context(threads);
        mn_world   *w = ball_world(c, 3, 32, true);
        set_faces(w, rough);
        assert_true(solve_with(w, 50.0).iterations > 0);
        const mn_liquid_scratch *s    = &w->liquid.grid;
        uint64_t                 hash = 1469598103934665603u;
        for (int a = 0; a < 3; a++)
            for (int64_t i = 0; i < (int64_t)s->tiles.count * s->tiles.cells; i++) {
                uint64_t bits;
                memcpy(&bits, &s->velocity[a][i], sizeof bits);
                hash = (hash ^ bits) * 1099511628211u;
            }
        if (threads == 1) expected = hash;
        assert_true(hash == expected);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

// Two layers, the upper one LAYERS_RATIO times as viscous, that slide along y = 0: the shear stress is the same in
// both.

#define LAYERS_RATIO 8.0

static double layer_viscosity(mn_vec3 x, double cell)
{
    if (fabs(x.y) < 0.25 * cell) return 2.0 * LAYERS_RATIO / (1.0 + LAYERS_RATIO);
    return x.y > 0.0 ? LAYERS_RATIO : 1.0;
}

static double even_viscosity(mn_vec3 x, double cell)
{
    (void)x, (void)cell;
    return 1.0;
}

static double couette(mn_vec3 x, int a, int64_t place)
{
    (void)place;
    return a == 0 ? x.y / (x.y > 0.0 ? LAYERS_RATIO : 1.0) : 0.0;
}

// A viscosity that grows along x under a strain of one rate: the normal stress pushes with 2 mu' everywhere.

static double growing_viscosity(mn_vec3 x, double cell)
{
    (void)cell;
    return 2.0 + x.x;
}

static double strain(mn_vec3 x, int a, int64_t place)
{
    (void)place;
    return a == 0 ? x.x : a == 1 ? -x.y : 0.0;
}

/// Largest distance of the force of the stress on faces well inside the ball from `along_x` on those of x and 0 on the
/// others.
static double worst_force(int dimension, viscosity_fn *viscosity, field_fn *velocity, double along_x)
{
    mn_context     *c = test_context(2);
    mn_world       *w = ball_world(c, dimension, 24, false);
    const mn_tiles *t = &w->liquid.grid.tiles;
    // The level set of the ball itself: by that of the particles, which lie unevenly, some cells inside are not quite
    // full.
    for (int64_t i = t->cells; i < (int64_t)t->count * t->cells; i++)
        w->liquid.grid.level[i] = mn_norm3(mn_cell_centre(t, (int32_t)(i / t->cells), (int32_t)(i % t->cells))) - 1.0;
    matrix b      = matrix_with(w, 1.0, viscosity);
    double worst  = 0.0;
    int    inside = 0;
    for (int pass = 0; pass < 2; pass++) {  // set the velocity, then look at the forces
        for (int32_t r = 1; r < b.m.level[0].count; r++)
            for (int n = 0; n < dimension * MN_TILE; n++) {
                const int     a  = n / MN_TILE;
                const int64_t i  = (int64_t)b.m.level[0].place[r] * MN_TILE + n % MN_TILE;
                const size_t  at = mn_row_face(&b.m.level[0], r, a) + (size_t)(n % MN_TILE);
                const mn_vec3 x  = face_of(t, (int32_t)(i / t->cells), (int32_t)(i % t->cells), a);
                if (pass == 0) b.x[at] = velocity(x, a, i);
                if (pass == 0 || mn_dot3(x, x) > 0.6 * 0.6) continue;
                worst = fmax(worst, fabs(b.ax[at] - (a == 0 ? along_x : 0.0)));
                inside++;
            }
        if (pass == 0) mn_viscosity_apply(&b.m, b.x, b.ax, true, NULL);
    }
    assert_true(inside > 200);
    mn_world_destroy(&w);
    test_context_end(&c);
    return worst;
}

/// What a rheology gives to the matrix. Weights are of single precision, and a cell is 1/12.
static void a_viscosity_that_varies_is_felt(void **state)
{
    (void)state;
    const double cell = 1.0 / 12.0, rounding = 1e-6 * cell;
    for (int dimension = 2; dimension <= 3; dimension++) {
        assert_less(worst_force(dimension, layer_viscosity, couette, 0.0), rounding);
        assert_true(worst_force(dimension, even_viscosity, couette, 0.0) > 0.1 * cell);
        assert_less(worst_force(dimension, growing_viscosity, strain, -2.0 * cell * cell), 4.0 * rounding);
        assert_less(worst_force(dimension, even_viscosity, strain, 0.0), 4.0 * rounding);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_and_cycle_are_symmetric_and_positive),
        cmocka_unit_test(rigid_motions_are_not_touched),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(a_viscosity_that_varies_is_felt),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(iterations_stay_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
