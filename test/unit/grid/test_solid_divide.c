// SPDX-License-Identifier: MPL-2.0
// Walls thinner than a cell is long across: what is on one side of them is not joined to the other.
#include "testing.h"

#include "base/random.h"
#include "solid_world.h"

/// A slab of a direction by chance through the middle of the tiles, made of a flat cylinder.
static mn_vec3 add_slab(world *w, int dimension, double thickness, uint64_t seed)
{
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_CYLINDER);
    mn_vec3      n = mn_v3(mn_random(seed, 0, 0, 0) - 0.5, mn_random(seed, 0, 0, 1) - 0.5,
                      dimension == 3 ? mn_random(seed, 0, 0, 2) - 0.5 : 0.0);
    n              = mn_unit3(n, mn_v3(1, 0, 0));
    for (int a = 0; a < 3; a++)
        d.center[a] = a == 2 && dimension == 2 ? 0.5 : 12.0 + mn_random(seed, 1, 0, (uint64_t)a),
        d.axis[a]   = mn_get3(n, a);
    d.radius[0] = 100.0, d.height = thickness;
    add_solid(w, &d);
    return n;
}

/// -1 or 1 if the whole cell lies on one side of the slab; 0 if it touches it.
static int side_of(const world *w, mn_vec3 n, const cell_walk *k, int dimension)
{
    const mn_vec3 middle = mn_v3(k->at[0] + 0.5, k->at[1] + 0.5, dimension == 3 ? k->at[2] + 0.5 : 0.5);
    mn_vec3       out;
    const double  d = mn_solids_distance((mn_solids){ w->solids, 1 }, middle, &out, NULL);
    if (d < 0.5 * (fabs(n.x) + fabs(n.y) + fabs(n.z))) return 0;
    return mn_dot3(out, n) > 0.0 ? 1 : -1;
}

/// One round: every cell takes the side of the cells it is joined to. True if something changed; fails where sides
/// meet.
static bool spread_sides(const world *w, const mn_solid_fields *f, int dimension, int8_t *side)
{
    bool changed = false;
    for (cell_walk k = { 0 }; next_cell(&w->tiles, &k);)
        for (int a = 0; a < dimension; a++) {
            const int64_t low = mn_cell_next(&w->tiles, k.tile, k.inside, a, -1);
            if (low < w->tiles.cells || f->open[a][k.i] == 0.0f || side[low] == side[k.i]) continue;
            assert_true(side[low] == 0 || side[k.i] == 0);
            side[low] = side[k.i] = (int8_t)(side[low] + side[k.i]);
            changed               = true;
        }
    return changed;
}

static void no_face_leads_through_a_thin_wall(void **state)
{
    (void)state;
    static int8_t side[28 * 512];
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const int    dimension = seed % 3 == 0 ? 2 : 3;
        const double thickness = 0.51 + 1.3 * mn_random(seed, 2, 0, 0);  // beyond the diagonal no cell is divided
        world        w;
        begin(&w, 1);
        make_tiles(&w, dimension, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 },
                   (mn_tile_coord){ 3, 3, dimension == 3 ? 3 : 1 });
        const mn_vec3         n        = add_slab(&w, dimension, thickness, seed);
        const mn_solid_fields f        = build(&w, NULL);
        int                   cells[3] = { 0, 0, 0 };
        memset(side, 0, sizeof side);
        for (cell_walk k = { 0 }; next_cell(&w.tiles, &k);)
            cells[1 + (side[k.i] = (int8_t)side_of(&w, n, &k, dimension))]++;
        assert_true(cells[0] > 0 && cells[2] > 0);
        while (spread_sides(&w, &f, dimension, side)) continue;
        end(&w);
    }
}

/// A wall along the grid in the middle of a layer of cells: they belong to the low side, every one of them.
static void the_cells_of_a_straight_wall_choose_alike(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        world  w;
        double low[3] = { -50, -50, -50 }, high[3] = { 50, 50, 50 };
        low[axis] = 11.2, high[axis] = 11.8;
        begin(&w, 1);
        make_tiles(&w, 3, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 3, 3, 3 });
        add_box(&w, mn_v3_from(low), mn_v3_from(high));
        const mn_solid_fields f = build(&w, NULL);
        for (cell_walk k = { 0 }; next_cell(&w.tiles, &k);)
            for (int a = 0; a < 3; a++) {
                const int    at   = k.at[axis];
                const double want = at == 12 && a == axis ? 0.0 : at == 11 && a != axis ? 0.2 : 1.0;
                assert_near(f.open[a][k.i], want, 1e-6);
            }
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_face_leads_through_a_thin_wall),
        cmocka_unit_test(the_cells_of_a_straight_wall_choose_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
