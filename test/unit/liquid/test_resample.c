// SPDX-License-Identifier: MPL-2.0
// Splitting and joining of particles keeps what they carry; a viscous thread thinner than its cells stays one.
#include "../world/worlds.h"

#include "base/random.h"
#include "liquid/resample.h"
#include "liquid/surface_mesh.h"
#include "world/state.h"

#include <stdlib.h>

// ---- what is carried -----------------------------------------------------------------------------------------------

typedef struct carried {
    double  volume, energy;
    mn_vec3 momentum, angular, centre;
} carried;

/// Sums over the particles; the affine matrix carries V cell^2 / 4 times its curl of angular momentum (what (E1) gives
/// the faces).
static carried sums_of(const mn_liquid_particles *p, double cell)
{
    carried      s = { .volume = 0.0 };
    const double d = 0.25 * cell * cell;
    for (int64_t i = 0; i < p->count; i++) {
        const double  v    = p->volume[0][i];
        const mn_vec3 x    = mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]);
        const mn_vec3 u    = mn_v3(p->velocity[0][i], p->velocity[1][i], p->velocity[2][i]);
        const mn_vec3 curl = mn_v3(p->affine[7][i] - p->affine[5][i], p->affine[2][i] - p->affine[6][i],
                                   p->affine[3][i] - p->affine[1][i]);
        s.volume += v;
        s.momentum = mn_add3(s.momentum, mn_scale3(v, u));
        s.centre   = mn_add3(s.centre, mn_scale3(v, x));
        s.angular  = mn_add3(s.angular, mn_scale3(v, mn_add3(mn_cross3(x, u), mn_scale3(d, curl))));
        s.energy += 0.5 * v * mn_dot3(u, u);
        for (int k = 0; k < 9; k++) s.energy += 0.5 * v * d * p->affine[k][i] * p->affine[k][i];
    }
    return s;
}

static void assert_same_vector(mn_vec3 a, mn_vec3 b, double bound)
{
    assert_near(a.x, b.x, bound);
    assert_near(a.y, b.y, bound);
    assert_near(a.z, b.z, bound);
}

static void assert_kept(const carried *a, const carried *b)
{
    assert_near(b->volume / a->volume, 1.0, 1e-14);
    const double u = mn_norm3(a->momentum) + sqrt(2.0 * a->energy * a->volume), x = mn_norm3(a->centre) + a->volume;
    assert_same_vector(a->momentum, b->momentum, 1e-13 * u);
    assert_same_vector(a->centre, b->centre, 1e-13 * x);
    assert_same_vector(a->angular, b->angular, 1e-12 * (mn_norm3(a->angular) + u));
}

static mn_world *blob_world(mn_context *c, int dimension)
{
    mn_world_def def     = mn_world_def_default();
    def.domain.dimension = dimension;
    def.domain.cell      = 0.25;
    mn_world *w          = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def blob = mn_liquid_def_default();
    blob.shape         = test_shape(c, MN_SHAPE_SPHERE, 0.3, 0.2, 0.1, 1.5);
    blob.spin[2]       = 7.0;
    blob.velocity[0]   = 3.0;
    assert_int_equal(mn_world_add_liquid(w, &blob), MN_OK);
    mn_shape_release(&blob.shape);
    return w;
}

/// Any volumes, velocities and matrices.
static void shuffle(mn_liquid_particles *p, double low, double high, double reference, int dimension)
{
    for (int64_t i = 0; i < p->count; i++) {
        p->volume[0][i] = reference * (low + (high - low) * mn_random(1, (uint64_t)i, 0, 0));
        for (int a = 0; a < dimension; a++) {
            p->velocity[a][i] += 10.0 * (mn_random(2, (uint64_t)i, 0, (uint64_t)a) - 0.5);
            for (int b = 0; b < dimension; b++)
                p->affine[3 * a + b][i] += 50.0 * (mn_random(3, (uint64_t)i, 0, (uint64_t)(3 * a + b)) - 0.5);
        }
    }
}

static void halves_keep_everything_and_join_to_their_parent(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = blob_world(c, 3);
    assert_int_equal(mn_liquid_reserve(&w->liquid, 1), MN_OK);
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    shuffle(p, 0.1, 3.0, w->liquid.model.reference_volume, 3);
    const carried before = sums_of(p, 0.25);
    double        parent[16];
    for (int k = 0; k < 3; k++) parent[k] = p->position[k][5], parent[3 + k] = p->velocity[k][5];
    for (int k = 0; k < 9; k++) parent[6 + k] = p->affine[k][5];
    parent[15] = p->volume[0][5];
    mn_liquid_split(p, 5, p->count, mn_v3(0.03, -0.02, 0.01), 1234567);
    p->count++;
    const carried after = sums_of(p, 0.25);
    assert_kept(&before, &after);
    assert_near(after.energy / before.energy, 1.0, 1e-13);
    assert_int_equal(p->id[0][p->count - 1], 1234567);
    assert_true(p->position[0][p->count - 1] - p->position[0][5] > 0.059);
    mn_liquid_join(p, 5, p->count - 1, 0.25);
    p->count--;
    for (int k = 0; k < 3; k++) {
        assert_near(p->position[k][5], parent[k], 1e-14);
        assert_near(p->velocity[k][5], parent[3 + k], 1e-13);
    }
    for (int k = 0; k < 9; k++) assert_near(p->affine[k][5], parent[6 + k], 1e-11);
    assert_true(p->volume[0][5] == parent[15]);

    // Any two, near each other or not.
    const carried two = sums_of(p, 0.25);
    mn_liquid_join(p, 3, p->count - 1, 0.25);
    p->count--;
    const carried one = sums_of(p, 0.25);
    assert_kept(&two, &one);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static mn_resample_report resample_now(mn_world *w)
{
    mn_resample_report report;
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    assert_int_equal(mn_world_place_solids(w, 0.0), MN_OK);
    assert_int_equal(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }),
                     MN_OK);
    assert_int_equal(mn_liquid_resample(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids },
                                        &w->now.next_id, &report),
                     MN_OK);
    return report;
}

static void the_stage_keeps_the_sums_and_bounds_the_volumes(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_context  *c = test_context(2);
        mn_world    *w = blob_world(c, dimension);
        const double r = w->liquid.model.reference_volume;
        shuffle(mn_liquid_now(&w->liquid), 0.1, 4.0, r, dimension);
        const carried before = sums_of(mn_liquid_now(&w->liquid), 0.25);
        int64_t       splits = 0, joins = 0, count = mn_liquid_now(&w->liquid)->count;
        for (int round = 0; round < 6; round++) {
            const mn_resample_report report = resample_now(w);
            splits += report.splits, joins += report.joins;
            count += report.splits - report.joins;
            assert_int_equal(mn_liquid_now(&w->liquid)->count, count);
        }
        const carried after = sums_of(mn_liquid_now(&w->liquid), 0.25);
        assert_true(splits > 20 && joins > 5);
        assert_kept(&before, &after);
        const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
        for (int64_t i = 0; i < p->count; i++) assert_true(p->volume[0][i] <= 2.0 * r * (1.0 + 1e-12));
        // Numbers are for life: no two alike.
        uint8_t *seen = calloc((size_t)w->now.next_id, 1);
        assert_non_null(seen);
        for (int64_t i = 0; i < p->count; i++) {
            assert_true(p->id[0][i] < w->now.next_id && !seen[p->id[0][i]]);
            seen[p->id[0][i]] = 1;
        }
        free(seen);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

static void regular_sampling_is_left_alone(void **state)
{
    (void)state;
    mn_context              *c      = test_context(2);
    mn_world                *w      = busy_world(c, 3);
    const mn_resample_report report = resample_now(w);
    assert_int_equal(report.splits + report.joins, 0);
    while (mn_world_time(w) < 0.2) assert_int_equal(mn_world_step(w, 0.2), MN_OK);
    const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 1; i < p->count; i++) assert_true(p->volume[0][i] > 0.5 * w->liquid.model.reference_volume);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Drops as fabric sheds them, in the air: two that touch join with all they carry, two that do not and a lone one
/// stay.
static void small_drops_join_where_they_touch(void **state)
{
    (void)state;
    mn_context          *c = test_context(1);
    mn_world            *w = blob_world(c, 3);
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    const double         r = w->liquid.model.reference_volume, share[5] = { 0.285, 0.285, 1e-3, 0.285, 0.285 };
    const double         x[5] = { 0.05, 0.12, 3.0, 6.02,
                                  6.22 };  // cells of 0.25: the first two in one, the last two in another
    p->count                  = 5;
    w->liquid.spray_on_grid   = true;
    for (int i = 0; i < 5; i++) {
        p->position[0][i] = x[i], p->position[1][i] = 0.1 + 0.01 * i, p->position[2][i] = 0.1;
        p->volume[0][i] = share[i] * r;
    }
    const carried before = sums_of(p, 0.25);
    assert_int_equal(resample_now(w).joins, 1);
    p                   = mn_liquid_now(&w->liquid);
    const carried after = sums_of(p, 0.25);
    assert_int_equal(p->count, 4);
    assert_kept(&before, &after);
    assert_int_equal(resample_now(w).joins, 0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

// ---- a thread ------------------------------------------------------------------------------------------------------

/// Honey from a nozzle three cells across falls 4.6 cm on a plate. It thins to less than two cells.
static mn_world *thread_world(mn_context *c)
{
    mn_world_def def        = mn_world_def_default();
    def.domain.cell         = 0.2;
    def.domain.bounded      = true;
    def.domain.wall         = MN_WALL_NO_SLIP;
    def.domain.bounds[0][0] = def.domain.bounds[0][2] = -2.0;
    def.domain.bounds[1][0] = def.domain.bounds[1][2] = 2.0;
    def.domain.bounds[1][1]                           = 6.0;
    def.solver.viscosity_tolerance                    = 1e-5;
    mn_world *w                                       = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def thread      = mn_liquid_def_default();
    thread.role               = MN_LIQUID_SOURCE;
    thread.material.density   = 1.42;
    thread.material.viscosity = 80.0;
    thread.shape              = test_shape(c, MN_SHAPE_DISC, 0, 0, 0, 0.3);
    thread.at[1]              = 4.6;
    thread.velocity[1]        = -20.0;
    assert_int_equal(mn_world_add_liquid(w, &thread), MN_OK);
    mn_shape_release(&thread.shape);
    return w;
}

static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/// Pieces of the surface that are longer than a drop, 1.5 cells, and the heights between which it all lies.
static int pieces_of_surface(mn_context *c, mn_world *w, double *low, double *high)
{
    mn_surface_mesh *mesh = NULL;
    mn_solid         solids[16];
    assert_true(mn_world_solid_count(w) <= 16);
    mn_world_solids(w, mn_world_time(w), solids);
    const mn_liquid_view    v = mn_world_liquid(w);
    const mn_surface_source s = { .grid     = mn_world_grid(w),
                                  .volume   = v.volume,
                                  .count    = v.count,
                                  .solids   = { solids, mn_world_solid_count(w) },
                                  .position = { v.position.x, v.position.y, v.position.z },
                                  .velocity = { v.velocity.x, v.velocity.y, v.velocity.z } };
    mn_surface_view         m;
    assert_int_equal(mn_surface_mesh_create(c, &mesh), MN_OK);
    assert_int_equal(mn_surface_mesh_make(mesh, &s, &m), MN_OK);
    int32_t *parent = malloc((size_t)(m.point_count + 1) * sizeof *parent);
    assert_non_null(parent);
    for (int32_t i = 0; i < (int32_t)m.point_count; i++) parent[i] = i;
    for (int64_t k = 0; k < m.cell_count; k++)
        for (int a = 1; a < 3; a++) parent[root_of(parent, m.cells[3 * k + a])] = root_of(parent, m.cells[3 * k]);
    double(*end)[2] = malloc((size_t)(m.point_count + 1) * sizeof *end);  // lowest and highest point by root
    assert_non_null(end);
    for (int32_t i = 0; i < (int32_t)m.point_count; i++) end[i][0] = INFINITY, end[i][1] = -INFINITY;
    *low = INFINITY, *high = -INFINITY;
    for (int32_t i = 0; i < (int32_t)m.point_count; i++) {
        const int32_t root = root_of(parent, i);
        end[root][0]       = fmin(end[root][0], m.position[i][1]);
        end[root][1]       = fmax(end[root][1], m.position[i][1]);
        *low = fmin(*low, m.position[i][1]), *high = fmax(*high, m.position[i][1]);
    }
    int pieces = 0;
    for (int32_t i = 0; i < (int32_t)m.point_count; i++)
        pieces += parent[i] == i && end[i][1] - end[i][0] > 1.5 * s.grid.cell;
    free(end);
    free(parent);
    mn_surface_mesh_destroy(&mesh);
    return pieces;
}

/// What the particles around a height carry through it, over the rate of the nozzle.
static double flow_ratio(const mn_world *w, double y)
{
    const mn_liquid_view v    = mn_world_liquid(w);
    double               flow = 0.0;
    for (int64_t i = 0; i < v.count; i++) {
        if (fabs(v.position.y[i] - y) <= 0.4) flow -= v.volume[i] * v.velocity.y[i];
    }
    return flow / 0.8 / w->taps[0].stream.rate;
}

static void a_thin_thread_of_honey_stays_in_one_piece(void **state)
{
    (void)state;
    uint64_t hash[3];
    for (int threads = 1; threads <= 3; threads++) {
        mn_context *c = test_context(threads);
        mn_world   *w = thread_world(c);
        for (int frame = 1; frame <= 18; frame++) {
            const double until = frame / 60.0;
            while (mn_world_time(w) < until) assert_int_equal(mn_world_step(w, until), MN_OK);
            double low, high;
            if (threads > 1 && frame < 18) continue;
            assert_int_equal(pieces_of_surface(c, w, &low, &high), 1);
            assert_true(high > 4.4);  // within a cell of the nozzle
            if (frame >= 12) assert_true(low < 0.05);
        }
        const mn_ledger l = mn_world_ledger(w);
        assert_near(l.liquid_error, 0.0, 1e-12);
        // What flows through every height is what the nozzle gives.
        for (double y = 2.0; y < 4.1; y += 0.5) assert_near(flow_ratio(w, y), 1.0, 0.1);
        // More particles than were let in, and not without bound: less than four for one.
        const double full = l.liquid_total / w->liquid.model.reference_volume;
        assert_true((double)l.particles > 1.05 * full && (double)l.particles < 4.0 * full);
        hash[threads - 1] = mn_world_hash(w);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
}

/// A lone particle on a floor lies there: gravity does not make it faster and faster.
static void spray_lies_on_a_floor(void **state)
{
    (void)state;
    mn_context  *c          = test_context(1);
    mn_world_def def        = mn_world_def_default();
    def.domain.cell         = 0.25;
    def.domain.bounded      = true;
    def.domain.bounds[1][0] = def.domain.bounds[1][1] = def.domain.bounds[1][2] = 4.0;
    mn_world *w                                                                 = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def drop = mn_liquid_def_default();
    drop.shape         = test_shape(c, MN_SHAPE_BOX, 2.0, 0.9, 2.0, 0.13);
    drop.velocity[0]   = 1.0;
    assert_int_equal(mn_world_add_liquid(w, &drop), MN_OK);
    mn_shape_release(&drop.shape);
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++) p->volume[0][i] *= 0.05;  // so little that it is spray beside a wall too
    while (mn_world_time(w) < 0.5) assert_int_equal(mn_world_step(w, 0.5), MN_OK);
    const mn_liquid_view v = mn_world_liquid(w);
    assert_true(v.count >= 1);
    for (int64_t i = 0; i < v.count; i++) {
        assert_near(v.velocity.y[i], 0.0, 1e-9);
        assert_near(v.velocity.x[i], 1.0, 1e-9);  // the floor lets it slip
        assert_near(v.position.y[i], 0.02 * 0.25, 1e-7);
    }
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Water does not hold: its thin threads fly as spray, and its sources have no nozzle.
static void water_is_not_held(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = busy_world(c, 3);
    assert_false(mn_liquid_holds(&w->liquid.model));
    assert_int_equal(w->nozzle_count, 0);
    mn_world *honey = thread_world(c);
    assert_true(mn_liquid_holds(&honey->liquid.model));
    assert_int_equal(honey->nozzle_count, 1);
    mn_world_destroy(&honey);
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(halves_keep_everything_and_join_to_their_parent),
        cmocka_unit_test(the_stage_keeps_the_sums_and_bounds_the_volumes),
        cmocka_unit_test(regular_sampling_is_left_alone),
        cmocka_unit_test(small_drops_join_where_they_touch),
        cmocka_unit_test(a_thin_thread_of_honey_stays_in_one_piece),
        cmocka_unit_test(spray_lies_on_a_floor),
        cmocka_unit_test(water_is_not_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
