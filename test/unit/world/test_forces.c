// SPDX-License-Identifier: MPL-2.0
// The force of liquid at rest on obstacles that cut cells: Archimedes, and the weight on what holds it.
#include "worlds.h"

#define GRAVITY 981.0

static const double origin[3] = { 0.0, 0.0, 0.0 };

static mn_world *tank(mn_context *c, int dimension, double cell, double side)
{
    mn_world_def def     = mn_world_def_default();
    def.domain.dimension = dimension;
    def.domain.cell      = cell;
    def.domain.bounded   = true;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = side;
    mn_world *w = NULL;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    return w;
}

/// Takes the shape over.
static void add_body(mn_world *w, const char *name, mn_shape *shape, const double at[3], double angle)
{
    mn_obstacle_def body = mn_obstacle_def_default();
    snprintf(body.name, sizeof body.name, "%s", name);
    body.shape   = shape;
    body.axis[0] = 0.0, body.axis[1] = 0.0, body.axis[2] = 1.0;
    body.angle = angle;
    for (int a = 0; a < 3; a++) body.at[a] = at[a];
    assert_int_equal(mn_world_add_obstacle(w, &body), MN_OK);
    mn_shape_release(&shape);
}

static void add_pool(mn_world *w, mn_shape *inside, const double at[3], double angle, double below)
{
    mn_liquid_def pool = mn_liquid_def_default();
    pool.shape         = inside;
    pool.below         = below;
    pool.axis[0] = 0.0, pool.axis[1] = 0.0, pool.axis[2] = 1.0;
    pool.angle = angle;
    for (int a = 0; a < 3; a++) pool.at[a] = at[a];
    pool.sampling = MN_SAMPLING_LATTICE;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
}

static void add_force(mn_world *w, const char *of, int axis)
{
    mn_probe_def probe = mn_probe_def_default();
    probe.kind         = MN_PROBE_FORCE;
    snprintf(probe.of, sizeof probe.of, "%s", of);
    for (int a = 0; a < 3; a++) probe.normal[a] = a == axis ? 1.0 : 0.0;
    assert_int_equal(mn_world_add_probe(w, &probe), MN_OK);
}

static void rest(mn_world *w)
{
    while (mn_world_time(w) < 0.05) assert_int_equal(mn_world_step(w, 0.05), MN_OK);
    mn_world_end_frame(w);
    while (mn_world_time(w) < 0.1) assert_int_equal(mn_world_step(w, 0.1), MN_OK);
}

static mn_shape *box(mn_context *c, double x, double y, double z)
{
    mn_shape_def def   = mn_shape_def_default(MN_SHAPE_BOX);
    mn_shape    *shape = NULL;
    def.size[0] = x, def.size[1] = y, def.size[2] = z;
    assert_int_equal(mn_shape_create(c, &def, &shape), MN_OK);
    return shape;
}

/// The upward force on a body under water over the weight of what it displaces; the sideways one must be as near to
/// zero.
static void is_lifted(mn_context *c, int dimension, double cell, mn_shape *shape, const double at[3], double angle,
                      double volume, double within)
{
    mn_world *w = tank(c, dimension, cell, 4.0);
    add_body(w, "body", shape, at, angle);
    add_pool(w, NULL, origin, 0.0, 3.5);
    for (int a = 0; a < dimension; a++) add_force(w, "body", a);
    rest(w);
    const double weight = GRAVITY * volume;
    for (int a = 0; a < dimension; a++) assert_near(mn_world_probe_value(w, a) / weight, a == 1 ? 1.0 : 0.0, within);
    mn_world_destroy(&w);
}

static void a_tilted_box_is_lifted_by_its_volume(void **state)
{
    (void)state;
    mn_context  *c     = test_context(1);
    const double at[3] = { 1.97, 1.63, 0.0 };
    is_lifted(c, 2, 0.25, box(c, 1.3, 0.9, 1.0), at, 0.47, 1.3 * 0.9, 0.02);
    is_lifted(c, 2, 0.1, box(c, 1.3, 0.9, 1.0), at, 0.47, 1.3 * 0.9, 0.01);
    test_context_end(&c);
}

static void a_cube_on_and_off_the_grid_is_lifted_by_its_volume(void **state)
{
    (void)state;
    mn_context  *c     = test_context(1);
    const double on[3] = { 2.0, 1.5, 2.0 }, off[3] = { 2.1, 1.6, 2.1 };
    is_lifted(c, 3, 0.25, box(c, 1.0, 1.0, 1.0), on, 0.0, 1.0, 0.005);
    is_lifted(c, 3, 0.25, box(c, 1.0, 1.0, 1.0), off, 0.0, 1.0, 0.03);
    is_lifted(c, 3, 0.4, box(c, 1.3, 0.9, 1.1), off, 0.5, 1.3 * 0.9 * 1.1, 0.03);
    test_context_end(&c);
}

static void a_sphere_is_lifted_by_its_volume(void **state)
{
    (void)state;
    mn_context  *c      = test_context(1);
    const double at[3]  = { 2.03, 1.81, 1.96 };
    const double volume = 4.0 / 3.0 * 3.14159265358979324;
    is_lifted(c, 3, 0.4, test_shape(c, MN_SHAPE_SPHERE, 0, 0, 0, 1.0), at, 0.0, volume, 0.02);
    is_lifted(c, 3, 0.2, test_shape(c, MN_SHAPE_SPHERE, 0, 0, 0, 1.0), at, 0.0, volume, 0.01);
    test_context_end(&c);
}

/// Whatever its height in the cells, to a small part of a cell in the height of the surface.
static void a_floor_carries_what_is_above_it(void **state)
{
    (void)state;
    mn_context  *c       = test_context(1);
    const double floor[] = { 0.5, 0.5625, 0.625, 0.7 };
    const double level[] = { 3.0, 1.5 };
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 2; j++) {
            mn_world *w = tank(c, 2, 0.25, 4.0);
            add_body(w, "floor", test_shape(c, MN_SHAPE_PLANE, 0, floor[k], 0, 1.0), origin, 0.0);
            add_pool(w, NULL, origin, 0.0, level[j]);
            add_force(w, "floor", 1);
            rest(w);
            const double weight = GRAVITY * mn_world_ledger(w).liquid_total;
            assert_near(mn_world_probe_value(w, 0) / weight, -1.0,
                        0.0125 / (level[j] - floor[k]));  // a twentieth of a cell
            mn_world_destroy(&w);
        }
    test_context_end(&c);
}

/// A tilted vessel off the grid, not full, with a sphere in it: together they carry the weight of the liquid.
static void all_walls_together_carry_the_weight(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_context  *c         = test_context(1);
        mn_world    *w         = tank(c, dimension, 0.2, 5.0);
        const double middle[3] = { 2.53, 2.47, dimension == 3 ? 2.51 : 0.0 }, in_it[3] = { 2.41, 1.95, middle[2] };
        mn_shape    *parts[2] = { box(c, 4.0, 3.7, 4.0), box(c, 2.9, 2.6, 2.7) }, *vessel = NULL;
        mn_shape_def cut = mn_shape_def_default(MN_SHAPE_DIFFERENCE);
        cut.parts = parts, cut.part_count = 2;
        assert_int_equal(mn_shape_create(c, &cut, &vessel), MN_OK);
        add_body(w, "vessel", vessel, middle, 0.35);
        add_body(w, "ball", test_shape(c, MN_SHAPE_SPHERE, 0, 0, 0, 0.5), in_it, 0.0);
        add_pool(w, parts[1], middle, 0.35, 2.9);
        for (int k = 0; k < 2; k++) mn_shape_release(&parts[k]);
        for (int a = 0; a < dimension; a++) add_force(w, "vessel", a), add_force(w, "ball", a);
        rest(w);
        const double weight = GRAVITY * mn_world_ledger(w).liquid_total;
        for (int a = 0; a < dimension; a++)
            assert_near((mn_world_probe_value(w, 2 * a) + mn_world_probe_value(w, 2 * a + 1)) / weight,
                        a == 1 ? -1.0 : 0.0, 0.02);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tilted_box_is_lifted_by_its_volume),
        cmocka_unit_test(a_cube_on_and_off_the_grid_is_lifted_by_its_volume),
        cmocka_unit_test(a_sphere_is_lifted_by_its_volume),
        cmocka_unit_test(a_floor_carries_what_is_above_it),
        cmocka_unit_test(all_walls_together_carry_the_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
