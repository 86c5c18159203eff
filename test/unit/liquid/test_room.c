// SPDX-License-Identifier: MPL-2.0
// Room that others take in the liquid: what several owners take adds up to what one takes for all of them.
#include "unit/couple/mixture_worlds.h"

/// Some of the vertices of the fabric as an owner of their own, with tiles and bins of their own.
typedef struct owner {
    mn_tiles tiles;
    mn_bins  bins;
    double  *position[3], *volume, *share;
} owner;

static void take_room(mn_world *w, int64_t first, int64_t count, owner *o)
{
    const mn_fabric *q = &w->fabric;
    for (int a = 0; a < 3; a++) o->position[a] = q->vertices.position[a] + first;
    const double *const at[3] = { o->position[0], o->position[1], o->position[2] };
    assert_int_equal(mn_bins_build(w->context, w->arena, &w->grid, at, count, 2, &o->tiles, &o->bins), MN_OK);
    o->volume = mn_arena_array(w->arena, double, count);
    o->share  = mn_arena_array(w->arena, double, (int64_t)o->tiles.count * o->tiles.cells);
    assert_non_null(o->volume);
    assert_non_null(o->share);
    for (int64_t v = 0; v < count; v++) o->volume[v] = q->fiber[first + v] + q->vertices.held[0][first + v];
    const mn_room_points points = { .tiles = &o->tiles, .bins = &o->bins, .position = at, .volume = o->volume };
    assert_int_equal(mn_liquid_room_add(&w->liquid, w->arena, &points, o->share), MN_OK);
}

static void activate(mn_world *w, int parts, owner *owners)
{
    const mn_step step  = { .arena = w->arena, .solids = w->solids, .dt = 0.0 };
    const int64_t count = w->fabric.vertices.count, part = count / parts;
    mn_liquid_room_clear(&w->liquid);
    for (int k = 0; k < parts; k++) take_room(w, k * part, k + 1 < parts ? part : count - k * part, &owners[k]);
    assert_int_equal(w->liquid.room.owners, parts);
    assert_true(mn_liquid_shares_room(&w->liquid));
    assert_int_equal(mn_liquid_activate(&w->liquid, &step), MN_OK);
}

static void owners_add_up(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    tank        t = tank_default();
    sheet       s = sheet_default();
    s.angle       = 0.3;
    mn_world *w[2];
    owner     owners[2][3];
    for (int k = 0; k < 2; k++) {
        w[k] = tank_world(c, &t);
        add_sheet(c, w[k], &s);
        assert_int_equal(mn_arena_reset(w[k]->arena), MN_OK);
        assert_int_equal(mn_world_place_solids(w[k], 0.0), MN_OK);
        assert_int_equal(mn_fabric_activate(&w[k]->fabric, &(mn_step){ .arena = w[k]->arena }), MN_OK);
        activate(w[k], k == 0 ? 1 : 3, owners[k]);
    }
    const mn_liquid_scratch *one = &w[0]->liquid.grid, *three = &w[1]->liquid.grid;
    double                   worst = 0.0, most = 0.0;
    assert_int_equal(one->tiles.count, three->tiles.count);
    for (int32_t tile = 1; tile < one->tiles.count; tile++) {
        double        room[2][MN_TILE * MN_TILE * MN_TILE];
        const double *a = mn_liquid_room_taken(&w[0]->liquid, tile, room[0]),
                     *b = mn_liquid_room_taken(&w[1]->liquid, tile, room[1]);
        assert_true(a != room[0]);  // one owner is read where it is
        for (int32_t i = 0; i < one->tiles.cells; i++) {
            const double taken = a != NULL ? a[i] : 0.0;
            worst              = fmax(worst, fabs(taken - (b != NULL ? b[i] : 0.0)));
            most               = fmax(most, taken);
        }
    }
    print_message("%.2g apart of %.2g\n", worst, most);
    assert_true(most > 0.01);
    assert_less(worst, 1e-14);
    assert_memory_equal(one->wet, three->wet, (size_t)one->tiles.count * (size_t)one->tiles.cells);
    // Who is away takes nothing, and whoever comes again stands where it stood.
    mn_liquid_room_vacate(&w[1]->liquid);
    assert_false(mn_liquid_shares_room(&w[1]->liquid));
    assert_null(mn_liquid_room_of(&w[1]->liquid, &owners[1][1].tiles));
    const mn_room_points again = { .tiles    = &owners[1][1].tiles,
                                   .bins     = &owners[1][1].bins,
                                   .position = (const double *const *)owners[1][1].position,
                                   .volume   = owners[1][1].volume };
    assert_int_equal(mn_liquid_room_add(&w[1]->liquid, w[1]->arena, &again, owners[1][1].share), MN_OK);
    assert_int_equal(w[1]->liquid.room.owners, 3);
    assert_ptr_equal(mn_liquid_room_of(&w[1]->liquid, &owners[1][1].tiles), &w[1]->liquid.room.owner[1]);
    for (int k = 0; k < 2; k++) mn_world_destroy(&w[k]);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
