// SPDX-License-Identifier: MPL-2.0
// The implicit viscosity: what it must keep, and how fast it is solved.
#include "../world/worlds.h"

#include "liquid/viscosity_private.h"

#include <string.h>

/// A ball of 16 cells radius and more at rest in nothing, or standing on a no-slip floor, up to the stage of the forces.
static mn_world *ball_world(mn_context *c, int dimension, int across, bool floor)
{
    mn_world_def def      = mn_world_def_default();
    def.domain.dimension  = dimension;
    def.domain.cell       = 2.0 / across;
    def.domain.gravity[1] = 0.0;
    mn_world    *w        = NULL;
    mn_object_id id;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    if (floor) {
        mn_obstacle_def plate = mn_obstacle_def_default();
        plate.wall            = MN_WALL_NO_SLIP;
        plate.shape           = test_shape(c, MN_SHAPE_BOX, 0.013, -3.0 - 0.507, 0, 6.0);
        assert_int_equal(mn_world_add_obstacle(w, &plate, &id), MN_OK);
        mn_shape_release(&plate.shape);
    }
    mn_liquid_def blob = mn_liquid_def_default();
    blob.shape         = test_shape(c, MN_SHAPE_SPHERE, 0.01, 0.02, 0.03, 1.0);
    assert_int_equal(mn_world_add_liquid(w, &blob, &id), MN_OK);
    mn_shape_release(&blob.shape);
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    assert_int_equal(mn_world_place_solids(w, 0.0), MN_OK);
    assert_int_equal(mn_liquid_activate(&w->liquid, w->arena, w->solids, w->solid_count), MN_OK);
    assert_int_equal(mn_liquid_gather(&w->liquid, w->arena), MN_OK);
    return w;
}

typedef double field_fn(mn_vec3 x, int a, int64_t place);

/// Set the velocity of every face.
static void set_faces(mn_world *w, field_fn *fn)
{
    const mn_tiles *t = &w->liquid.grid.tiles;
    for (int32_t tile = 1; tile < t->count; tile++)
        for (int32_t i = 0; i < t->cells; i++)
            for (int a = 0; a < t->def.dimension; a++) {
                const double at[3] = { t->coord[tile].x * MN_TILE + i % MN_TILE + (a == 0 ? 0.0 : 0.5),
                                       t->coord[tile].y * MN_TILE + i / MN_TILE % MN_TILE + (a == 1 ? 0.0 : 0.5),
                                       t->coord[tile].z * t->tile_z + i / (MN_TILE * MN_TILE) + (a == 2 ? 0.0 : 0.5) };
                const mn_vec3 x = mn_scale3(t->def.cell, mn_v3(at[0], at[1], t->def.dimension == 3 ? at[2] : 0.0));
                const int64_t place = (int64_t)tile * t->cells + i;
                w->liquid.grid.velocity[a][place] = fn(x, a, place);
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
    assert_int_equal(mn_liquid_viscosity(&w->liquid, w->arena, w->solids, w->solid_count, 1.0, &report), MN_OK);
    return report;
}

static void iterations_do_not_grow(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int across = 16; across <= 64; across *= 2)
            for (int floor = 0; floor < 2; floor++) {
                mn_context *c = test_context(2);
                mn_world   *w = ball_world(c, dimension, across, floor);
                printf("%dD %d %s:", dimension, across, floor ? "floor" : "free");
                for (double k = 0.1; k < 2e5; k *= 10.0) {
                    set_faces(w, rough);
                    const mn_solve_report r = solve_with(w, k);
                    printf(" %d", r.iterations);
                    assert_true(r.outcome > 0);
                }
                printf("\n");
                mn_world_destroy(&w);
                test_context_end(&c);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_do_not_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
