// SPDX-License-Identifier: MPL-2.0
// Putting things into a world: what is refused leaves nothing behind, and what moves limits the step.
#include "worlds.h"

#include <stdlib.h>
#include <string.h>

static mn_world *empty_world(mn_context *c, int dimension, bool bounded)
{
    mn_world_def def     = mn_world_def_default();
    def.domain.dimension = dimension;
    def.domain.bounded   = bounded;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 6.0;
    mn_world *w = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    return w;
}

static void a_refused_liquid_leaves_nothing_behind(void **state)
{
    (void)state;
    mn_context    *c         = test_context(1);
    mn_world      *w         = empty_world(c, 3, false);
    const uint64_t before    = mn_world_hash(w);
    mn_liquid_def  endless   = mn_liquid_def_default();
    endless.material.density = 2.0;
    assert_int_equal(mn_world_add_liquid(w, &endless), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "without end"));
    assert_true(mn_world_hash(w) == before);

    // Its density was not settled either.
    mn_liquid_def water = mn_liquid_def_default();
    water.shape         = test_shape(c, MN_SHAPE_BOX, 0, 0, 0, 2.0);
    assert_int_equal(mn_world_add_liquid(w, &water), MN_OK);
    assert_near(mn_world_ledger(w).liquid_total, 8.0, 1e-12);
    mn_shape_release(&water.shape);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Flow in pores is suction over viscosity: refused in either order, and not at the first touch.
static void a_liquid_without_viscosity_and_fabric_refuse_each_other(void **state)
{
    (void)state;
    for (int wet = 0; wet < 2; wet++)
        for (int liquid_first = 0; liquid_first < 2; liquid_first++) {
            mn_context     *c      = test_context(1);
            mn_world       *w      = empty_world(c, 3, true);
            mn_cloth_def    cloth  = { .size = { 2.0, 2.0 }, .spacing = 0.5 };
            mn_thin_mesh    mesh   = { 0 };
            mn_fabric_def   fabric = mn_fabric_def_default();
            mn_liquid_def   ideal  = mn_liquid_def_default();
            double          half[64];
            const mn_status refused = MN_ERR_ARGUMENT;
            assert_int_equal(mn_cloth_generate(c, &cloth, &mesh), MN_OK);
            assert_true(mesh.vertex_count <= 64);
            for (int k = 0; k < 64; k++) half[k] = 0.5;
            fabric.mesh              = &mesh;
            fabric.material.drag_law = MN_DRAG_LINEAR;
            fabric.material.capture  = wet ? 0.0 : 1.0;
            fabric.saturation        = wet ? half : NULL;
            for (int a = 0; a < 3; a++) fabric.at[a] = 2.0;
            ideal.material.viscosity = 0.0;
            ideal.shape              = test_shape(c, MN_SHAPE_BOX, 4, 4, 4, 1.0);
            assert_int_equal(liquid_first ? mn_world_add_liquid(w, &ideal) : mn_world_add_fabric(w, &fabric), MN_OK);
            assert_int_equal(liquid_first ? mn_world_add_fabric(w, &fabric) : mn_world_add_liquid(w, &ideal), refused);
            // The wet fabric that comes first is wet with water, and no other liquid joins it.
            const char *reason = wet && !liquid_first ? "one world holds one liquid" : "without bound in the pores";
            if (strstr(mn_context_error(c), reason) == NULL) fail_msg("%s", mn_context_error(c));
            // Fabric that is dry and takes nothing in may stand in it.
            fabric.material.capture = 0.0;
            fabric.saturation       = NULL;
            if (liquid_first) assert_int_equal(mn_world_add_fabric(w, &fabric), MN_OK);
            mn_shape_release(&ideal.shape);
            mn_thin_mesh_free(c, &mesh);
            mn_world_destroy(&w);
            test_context_end(&c);
        }
}

typedef struct scarce {
    int64_t left;
} scarce;

static void *scarce_resize(void *block, size_t bytes, void *user)
{
    scarce *s = user;
    if (bytes == 0) {
        free(block);
        return NULL;
    }
    if (s->left >= 0 && (int64_t)bytes > s->left) return NULL;
    return realloc(block, bytes);
}

static void a_fill_that_runs_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    scarce         memory = { .left = -1 };
    mn_context_def def    = mn_context_def_default();
    def.threads = 1, def.resize = scarce_resize, def.resize_user = &memory;
    mn_context *c = NULL;
    assert_int_equal(mn_context_create(&def, &c), MN_OK);
    mn_world      *w      = empty_world(c, 3, true);
    const uint64_t before = mn_world_hash(w);
    mn_liquid_def  pool   = mn_liquid_def_default();
    memory.left           = 20000;  // no array of more than 2500 numbers: the fill has 13824
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_ERR_MEMORY);
    assert_true(mn_world_hash(w) == before);
    memory.left = -1;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    assert_int_equal(mn_world_liquid(w).count, 13824);
    assert_near(mn_world_ledger(w).liquid_total, 216.0, 1e-10);
    mn_world_destroy(&w);
    mn_context_destroy(&c);
}

/// A box of 4 cm, then a sphere half inside it: the liquid is that of the union, and the sphere's where the sphere is.
static void a_later_fill_takes_the_place_of_an_earlier_one(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int jitter = 0; jitter < 2; jitter++) {
            mn_context  *c = test_context(1);
            double       volume[3];  // of the box, the sphere, both
            const double z = dimension == 3 ? 2.0 : 0.0;
            for (int which = 0; which < 3; which++) {
                mn_world     *w   = empty_world(c, dimension, true);
                mn_liquid_def box = mn_liquid_def_default(), ball = mn_liquid_def_default();
                box.shape        = test_shape(c, MN_SHAPE_BOX, 2, 2, z, 4.0);
                ball.shape       = test_shape(c, MN_SHAPE_SPHERE, 4, 2, z, 1.5);
                ball.velocity[0] = 7.0;
                box.sampling = ball.sampling = jitter ? MN_SAMPLING_JITTER : MN_SAMPLING_LATTICE;
                if (which != 1) assert_int_equal(mn_world_add_liquid(w, &box), MN_OK);
                if (which != 0) assert_int_equal(mn_world_add_liquid(w, &ball), MN_OK);
                volume[which]                = mn_world_ledger(w).liquid_total;
                const mn_liquid_view p       = mn_world_liquid(w);
                const double         d       = p.volume[0];
                int64_t              of_ball = 0, in_both = 0;
                for (int64_t i = 0; i < p.count; i++) {
                    of_ball += p.velocity.x[i] == 7.0;
                    in_both += p.velocity.x[i] == 7.0 && p.position.x[i] < 4.0;
                }
                if (which > 0) assert_near((double)of_ball * d, volume[1], 1e-12 * volume[1]);
                if (which == 2) assert_near(volume[2], volume[0] + volume[1] - (double)in_both * d, 1e-12 * volume[2]);
                mn_shape_release(&box.shape);
                mn_shape_release(&ball.shape);
                mn_world_destroy(&w);
            }
            assert_true(volume[2] < volume[0] + 0.6 * volume[1]);
            test_context_end(&c);
        }
}

static void every_liquid_has_its_own_id(void **state)
{
    (void)state;
    mn_context   *c    = test_context(1);
    mn_world     *w    = empty_world(c, 2, true);
    mn_liquid_def pool = mn_liquid_def_default();
    pool.below         = 1.0;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    mn_liquid_def drain = mn_liquid_def_default();
    drain.role          = MN_LIQUID_SINK;
    drain.shape         = test_shape(c, MN_SHAPE_BOX, 1, 1, 0, 1.0);
    assert_int_equal(mn_world_add_liquid(w, &drain), MN_OK);
    mn_shape_release(&drain.shape);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void nothing_leaves_the_plane_of_two_dimensions(void **state)
{
    (void)state;
    mn_context   *c    = test_context(1);
    mn_world     *w    = empty_world(c, 2, true);
    mn_liquid_def pool = mn_liquid_def_default();
    pool.below         = 2.0;
    pool.velocity[2]   = 50.0;
    pool.spin[0]       = 3.0;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    assert_near(mn_world_ledger(w).energy_kinetic, 0.0, 0.0);
    assert_int_equal(mn_world_step(w, 0.001), MN_OK);
    const mn_liquid_view v = mn_world_liquid(w);
    for (int64_t i = 0; i < v.count; i++) assert_true(v.velocity.z[i] == 0.0 && v.position.z[i] == 0.0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// The longest step that a world of cells of 0.5 cm takes with one moving obstacle and no liquid.
static double step_beside(mn_context *c, mn_shape_kind kind, const mn_motion_def *motion)
{
    mn_world       *w   = empty_world(c, 3, true);
    mn_obstacle_def def = mn_obstacle_def_default();
    def.shape           = test_shape(c, kind, 0, 0, 0, 1.0);
    def.motion          = *motion;
    assert_int_equal(mn_world_add_obstacle(w, &def), MN_OK);
    mn_shape_release(&def.shape);
    assert_int_equal(mn_world_step(w, 1.0), MN_OK);
    const double dt = mn_world_time(w);
    mn_world_destroy(&w);
    return dt;
}

static void a_moving_obstacle_limits_the_step(void **state)
{
    (void)state;
    mn_context   *c             = test_context(1);
    mn_motion_def straight      = mn_motion_def_default();
    straight.velocity[1]        = 100.0;
    const mn_shape_kind kinds[] = { MN_SHAPE_SPHERE, MN_SHAPE_PLANE };
    for (int k = 0; k < 2; k++) assert_near(step_beside(c, kinds[k], &straight), 0.5 / 100.0, 1e-12);

    // Turning about the origin at 20 /s, the far corner of the domain (6, 6, 6) goes at 20 * 6 sqrt 2 cm/s.
    mn_motion_def turning = mn_motion_def_default();
    turning.spin[2]       = 20.0;
    assert_less(step_beside(c, MN_SHAPE_PLANE, &turning), 0.5 / (20.0 * 6.0 * sqrt(2.0)) * (1.0 + 1e-9));
    test_context_end(&c);
}

static void a_motion_that_starts_from_rest_limits_the_step(void **state)
{
    (void)state;
    mn_context         *c       = test_context(1);
    const mn_motion_key keys[2] = { { .time = 0.0, .axis = { 0, 1, 0 } },
                                    { .time = 0.2, .translate = { 100.0, 0, 0 }, .axis = { 0, 1, 0 } } };
    mn_motion_def       eased   = mn_motion_def_default();
    eased.keys = keys, eased.key_count = 2, eased.ease = MN_EASE_SMOOTH;
    // Without a look ahead the first step is dt_max, 1/60 s, and the obstacle jumps over four cells.
    const double dt = step_beside(c, MN_SHAPE_SPHERE, &eased), u = dt / 0.2;
    assert_less(100.0 * u * u * (3.0 - 2.0 * u), 0.5);
    test_context_end(&c);
}

static void bounds_that_the_grid_cannot_number_are_refused(void **state)
{
    (void)state;
    mn_context  *c     = test_context(1);
    mn_world    *w     = NULL;
    mn_world_def def   = mn_world_def_default();
    def.domain.bounded = true;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 8.0;
    def.domain.bounds[1][0] = 4.0 * 1e12;
    def.domain.boundary[0]  = MN_BOUNDARY_PERIODIC;
    assert_int_equal(mn_world_create(c, &def, &w), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "cells far"));
    assert_null(w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_liquid_leaves_nothing_behind),
        cmocka_unit_test(a_liquid_without_viscosity_and_fabric_refuse_each_other),
        cmocka_unit_test(a_fill_that_runs_out_of_memory_leaves_nothing_behind),
        cmocka_unit_test(a_later_fill_takes_the_place_of_an_earlier_one),
        cmocka_unit_test(every_liquid_has_its_own_id),
        cmocka_unit_test(nothing_leaves_the_plane_of_two_dimensions),
        cmocka_unit_test(a_moving_obstacle_limits_the_step),
        cmocka_unit_test(a_motion_that_starts_from_rest_limits_the_step),
        cmocka_unit_test(bounds_that_the_grid_cannot_number_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
