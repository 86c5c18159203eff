// SPDX-License-Identifier: MPL-2.0
// Liquid lets go of walls where air can come in, and nowhere else (liquid 5.4a).
#include "../world/worlds.h"

#include "math/vec.h"

#define CELL 0.125

static mn_world *pool(mn_context *c, double width, double depth, double gravity, mn_wall wall)
{
    mn_world_def def        = mn_world_def_default();
    mn_world    *w          = NULL;
    def.domain.dimension    = 2;
    def.domain.cell         = CELL;
    def.domain.bounded      = true;
    def.domain.gravity[1]   = -gravity;
    def.domain.wall         = wall;
    def.domain.bounds[1][0] = width, def.domain.bounds[1][1] = depth, def.domain.bounds[1][2] = 1.0;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    return w;
}

static void add_box(mn_context *c, mn_world *w, mn_vec3 at, mn_vec3 size, mn_vec3 velocity, mn_wall wall)
{
    mn_obstacle_def o   = mn_obstacle_def_default();
    mn_shape_def    box = mn_shape_def_default(MN_SHAPE_BOX);
    for (int a = 0; a < 3; a++) {
        box.size[a]          = mn_get3(size, a);
        o.at[a]              = mn_get3(at, a);
        o.motion.velocity[a] = mn_get3(velocity, a);
    }
    o.wall = wall;
    assert_int_equal(mn_shape_create(c, &box, &o.shape), MN_OK);
    assert_int_equal(mn_world_add_obstacle(w, &o), MN_OK);
    mn_shape_release(&o.shape);
}

static void fill(mn_context *c, mn_world *w, mn_vec3 at, mn_vec3 size, double viscosity)
{
    mn_liquid_def water = mn_liquid_def_default();
    mn_shape_def  box   = mn_shape_def_default(MN_SHAPE_BOX);
    for (int a = 0; a < 3; a++) box.size[a] = mn_get3(size, a), water.at[a] = mn_get3(at, a);
    water.sampling           = MN_SAMPLING_LATTICE;
    water.material.viscosity = viscosity;
    assert_int_equal(mn_shape_create(c, &box, &water.shape), MN_OK);
    assert_int_equal(mn_world_add_liquid(w, &water), MN_OK);
    mn_shape_release(&water.shape);
}

/// Cells that let go in the last step.
static int64_t loose_cells(const mn_world *w)
{
    const mn_liquid_scratch *s     = &w->liquid.grid;
    int64_t                  count = 0;
    for (int64_t i = 0; s->loose != NULL && i < (int64_t)s->tiles.count * s->tiles.cells; i++) count += s->loose[i];
    return count;
}

/// What is within a cell below a plate.
static double below_plate(const mn_world *w, double left, double right, double bottom)
{
    const mn_liquid_view q   = mn_world_liquid(w);
    double               sum = 0.0;
    for (int64_t i = 0; i < q.count; i++)
        if (q.position.x[i] > left && q.position.x[i] < right && q.position.y[i] < bottom &&
            q.position.y[i] > bottom - CELL)
            sum += q.volume[i];
    return sum;
}

typedef struct drawn {
    double  clings;  // of what fits into the cell below the plate, when it is 0.5 cm above the level
    int64_t loose;
} drawn;

/// A plate 3 cm wide lies on a pool 3 cm deep and is drawn up at 10 cm/s.
static drawn draw_plate(mn_wall wall, double viscosity)
{
    mn_context  *c     = test_context(2);
    mn_world    *w     = pool(c, 6.0, 6.0, 981.0, wall);
    const double speed = 10.0;
    drawn        out   = { 0.0, 0 };
    add_box(c, w, mn_v3(3.0, 3.15, 0.0), mn_v3(3.0, 0.6, 10.0), mn_v3(0.0, speed, 0.0), wall);
    fill(c, w, mn_v3(3.0, 1.5, 0.0), mn_v3(6.0, 3.0, 10.0), viscosity);
    const double level = 3.0 - 0.45 / 6.0, end = (level + 0.5 - 2.85) / speed;
    while (mn_world_time(w) < end) {
        assert_int_equal(mn_world_step(w, end), MN_OK);
        out.loose += loose_cells(w);
    }
    out.clings = below_plate(w, 1.5, 4.5, 2.85 + speed * end) / (3.0 * CELL);
    mn_world_destroy(&w);
    test_context_end(&c);
    return out;
}

/// 0.44 clings to a wall that holds on.
static void a_plate_drawn_up_lets_go_of_the_pool(void **state)
{
    (void)state;
    const drawn water = draw_plate(MN_WALL_SLIP, 0.0);
    assert_true(water.loose > 0);
    assert_true(water.clings < 0.3);
}

/// What the layer at a wall without slip fills the cells of is held by it.
static void honey_is_not_let_go(void **state)
{
    (void)state;
    assert_int_equal(draw_plate(MN_WALL_NO_SLIP, 80.0).loose, 0);
}

/// A plug that fills a channel follows the piston that is drawn back: no air can come between them.
static void a_plug_follows_the_piston(void **state)
{
    (void)state;
    mn_context  *c     = test_context(2);
    mn_world    *w     = pool(c, 6.0, 1.0, 0.0, MN_WALL_SLIP);
    const double speed = -4.0, end = 0.4;
    add_box(c, w, mn_v3(1.5, 0.5, 0.0), mn_v3(3.0, 3.0, 3.0), mn_v3(speed, 0.0, 0.0), MN_WALL_SLIP);
    fill(c, w, mn_v3(4.0, 0.5, 0.0), mn_v3(2.0, 1.0, 3.0), 0.0);
    while (mn_world_time(w) < end) assert_int_equal(mn_world_step(w, end), MN_OK);
    const mn_liquid_view q     = mn_world_liquid(w);
    double               place = 0.0, velocity = 0.0, volume = 0.0;
    for (int64_t i = 0; i < q.count; i++) {
        volume += q.volume[i];
        place += q.volume[i] * q.position.x[i];
        velocity += q.volume[i] * q.velocity.x[i];
    }
    assert_near(velocity / volume, speed, 0.01 * fabs(speed));
    assert_near(place / volume, 4.0 + speed * end, 0.02 * fabs(speed) * end);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void liquid_at_rest_holds_on(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = pool(c, 4.0, 3.0, 981.0, MN_WALL_SLIP);
    add_box(c, w, mn_v3(2.0, 1.9, 0.0), mn_v3(1.0, 1.0, 10.0), mn_v3(0.0, 0.0, 0.0), MN_WALL_SLIP);
    fill(c, w, mn_v3(2.0, 1.0, 0.0), mn_v3(4.0, 2.0, 10.0), 0.0);
    while (mn_world_time(w) < 0.5) {
        assert_int_equal(mn_world_step(w, 0.5), MN_OK);
        assert_int_equal(loose_cells(w), 0);
    }
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_drawn_up_lets_go_of_the_pool),
        cmocka_unit_test(honey_is_not_let_go),
        cmocka_unit_test(a_plug_follows_the_piston),
        cmocka_unit_test(liquid_at_rest_holds_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
