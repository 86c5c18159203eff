// SPDX-License-Identifier: MPL-2.0
// Stains without a world: on a cloth that the test moves, by steps of their own length, taken back to the bit.
#include "testing.h"

#include "geom/shape.h"
#include "meniscus/world.h"
#include "stain/stains.h"

#include <string.h>

#define SIDE  7
#define COUNT (SIDE * SIDE)
#define STEP  0.01

/// A square cloth of 6 cm that somebody else moves, and the stains on it.
typedef struct stage {
    mn_context      *c;
    mn_arena        *arena;
    mn_stains        stains;
    double           vertex[COUNT][3];
    int32_t          triangle[2 * (SIDE - 1) * (SIDE - 1)][3];
    mn_thin_mesh     mesh;
    double           position[3][COUNT], velocity[3][COUNT];
    mn_stain_carrier carrier;
} stage;

/// It turns about its first corner, rises, and gets longer along x, by `stretch` a second.
static void move_cloth(stage *s, double t, double stretch)
{
    const double c = cos(3.0 * t), n = sin(3.0 * t);
    for (int v = 0; v < COUNT; v++) {
        const double x = s->vertex[v][0] * (1.0 + stretch * t), z = s->vertex[v][2];
        const double now[3] = { c * x + n * z, 5.0 * t * t, c * z - n * x };
        for (int a = 0; a < 3; a++) s->position[a][v] = now[a], s->velocity[a][v] = 0.0;
    }
}

static void make_cloth(stage *s)
{
    int triangles = 0;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) s->vertex[j * SIDE + i][0] = i, s->vertex[j * SIDE + i][2] = j;
    for (int j = 0; j < SIDE - 1; j++)
        for (int i = 0; i < SIDE - 1; i++) {
            const int32_t k            = j * SIDE + i,
                          corner[2][3] = { { k, k + SIDE, k + 1 }, { k + 1, k + SIDE, k + SIDE + 1 } };
            memcpy(s->triangle[triangles], corner, sizeof corner);
            triangles += 2;
        }
    s->mesh    = (mn_thin_mesh){ .vertex_count   = COUNT,
                                 .vertex         = s->vertex,
                                 .triangle_count = triangles,
                                 .triangle       = s->triangle };
    s->carrier = (mn_stain_carrier){ .number = 3, .mesh = &s->mesh };
    for (int a = 0; a < 3; a++) s->carrier.position[a] = s->position[a], s->carrier.velocity[a] = s->velocity[a];
}

static mn_stain_def spot(const mn_pigment *ink, const mn_stain_drop *drop)
{
    mn_stain_def def = mn_stain_def_default();
    strcpy(def.name, "spot");
    def.pigments = ink, def.pigment_count = 1;
    def.drops = drop, def.drop_count = 1;
    def.step = STEP;
    return def;
}

static void begin(stage *s, double stretch)
{
    *s             = (stage){ .c = test_context(2) };
    mn_pigment ink = mn_pigment_default();
    strcpy(ink.name, "ink");
    mn_shape_def  ball = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_stain_drop drop = mn_stain_drop_default();
    ball.center[0] = ball.center[2] = 3.0, ball.radius[0] = 1.5;
    drop.share[0] = 0.1, drop.outward = 20.0;
    make_cloth(s);
    move_cloth(s, 0.0, stretch);
    assert_int_equal(mn_arena_create(s->c, &s->arena), MN_OK);
    assert_int_equal(mn_shape_create(s->c, &ball, &drop.shape), MN_OK);
    mn_stains_init(s->c, mn_v3(0.0, -981.0, 0.0), &s->stains);
    const mn_stain_def def = spot(&ink, &drop);
    if (mn_stains_add(&s->stains, &def, &s->carrier, s->arena) != MN_OK) fail_msg("%s", mn_context_error(s->c));
    mn_shape_release(&drop.shape);
}

static void end(stage *s)
{
    mn_stains_destroy(&s->stains);
    mn_arena_destroy(&s->arena);
    test_context_end(&s->c);
}

/// What a world does with them in a step from `time` to `until`.
static void step_to(stage *s, double time, double until, double stretch)
{
    assert_int_equal(mn_arena_reset(s->arena), MN_OK);
    const mn_step step = { .arena = s->arena, .time = time, .dt = until - time };
    mn_stains_keep(&s->stains);
    move_cloth(s, until, stretch);
    s->stains.list[0].carrier = s->carrier;
    assert_int_equal(mn_stains_step(&s->stains, &step), MN_OK);
}

static uint64_t hash(stage *s)
{
    mn_stained_cloth *stain = &s->stains.list[0];
    uint64_t          h     = 1;
    mn_stains_blocks(stain);
    for (int k = 0; k < stain->block_count; k++)
        h = mn_fields_hash(&stain->block[k].table, &stain->block[k].first, stain->block[k].count, h);
    return h;
}

static void a_step_of_the_world_ends_where_one_of_a_film_does(void **state)
{
    (void)state;
    stage s;
    begin(&s, 0.0);
    assert_true(mn_stains_stop(&s.stains, 0.0, 0.004) == 0.004);
    assert_true(mn_stains_stop(&s.stains, 0.004, 0.03) == STEP);
    const uint64_t before = hash(&s);
    step_to(&s, 0.0, 0.004, 0.0);
    assert_true(hash(&s) == before);  // too early
    step_to(&s, 0.004, STEP, 0.0);
    assert_true(hash(&s) != before);
    assert_true(s.stains.list[0].steps == 1.0);
    assert_true(mn_stains_stop(&s.stains, STEP, 0.03) == 2.0 * STEP);
    end(&s);
}

/// The film follows its carrier, and its budget closes, though its cloth is measured anew as it gets longer.
static void a_film_follows_its_carrier(void **state)
{
    (void)state;
    const double stretch = 2.0;
    stage        s;
    begin(&s, stretch);
    for (int k = 0; k < 10; k++) step_to(&s, k * STEP, (k + 1) * STEP, stretch);
    const mn_stain_view  v    = mn_stains_view(&s.stains, 0);
    const mn_stains_sums sum  = mn_stains_sum(&s.stains);
    double               area = 0.0;
    assert_int_equal(v.fabric, 3);
    for (int64_t i = 0; i < v.vertex_count; i++) {
        for (int a = 0; a < 3; a++) assert_true(v.position[i][a] == s.position[a][v.fabric_vertex[i]]);
        area += v.area[i];
    }
    // Areas are those at the begin of the last step, of a cloth that has 1 % of a strain more at most by then.
    assert_near(area, 36.0 * (1.0 + stretch * 0.09), 0.36 * (1.0 + stretch * 0.09));
    assert_true(sum.solute > 0.0);
    assert_near(sum.liquid + sum.evaporated, sum.added, 1e-13 * sum.added);
    assert_near(sum.solute, sum.solute_added, 1e-13 * sum.solute);
    end(&s);
}

/// Also when the step measured the cloth anew; and the same step then gives the same film.
static void a_step_taken_back_leaves_no_trace(void **state)
{
    (void)state;
    const double stretch = 2.0;
    stage        s;
    begin(&s, stretch);
    for (int k = 0; k < 3; k++) step_to(&s, k * STEP, (k + 1) * STEP, stretch);
    const uint64_t before = hash(&s);
    step_to(&s, 3.0 * STEP, 4.0 * STEP, stretch);
    const uint64_t after = hash(&s);
    assert_true(after != before);
    assert_int_equal(mn_stains_take_back(&s.stains, s.arena), MN_OK);
    assert_true(hash(&s) == before);
    step_to(&s, 3.0 * STEP, 4.0 * STEP, stretch);
    assert_true(hash(&s) == after);
    end(&s);
}

/// A step that is given up before its films had their turn takes nothing back of the one before it.
static void what_an_accepted_step_did_is_not_taken_back(void **state)
{
    (void)state;
    stage s;
    begin(&s, 0.0);
    step_to(&s, 0.0, STEP, 0.0);
    const uint64_t before = hash(&s);
    mn_stains_keep(&s.stains);
    assert_int_equal(mn_stains_take_back(&s.stains, s.arena), MN_OK);
    assert_true(hash(&s) == before);
    end(&s);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    mn_context        *c    = test_context(1);
    mn_stain_drop      drop = mn_stain_drop_default();
    mn_pigment         ink  = mn_pigment_default();
    const mn_stain_def good = spot(&ink, &drop);
    assert_int_equal(mn_stains_check(c, &good), MN_OK);
    mn_stain_def bad  = good;
    bad.pigment_count = MN_PIGMENTS_MOST + 1;
    assert_int_equal(mn_stains_check(c, &bad), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "stain 'spot': it has 9 pigments; at most 8"));
    bad      = good;
    bad.step = 0.0;
    assert_int_equal(mn_stains_check(c, &bad), MN_ERR_ARGUMENT);
    bad     = good;
    bad.rim = 0.5;
    assert_int_equal(mn_stains_check(c, &bad), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "evaporation.rim is 0.5; it must be from 1 to 100"));
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_of_the_world_ends_where_one_of_a_film_does),
        cmocka_unit_test(a_film_follows_its_carrier),
        cmocka_unit_test(a_step_taken_back_leaves_no_trace),
        cmocka_unit_test(what_an_accepted_step_did_is_not_taken_back),
        cmocka_unit_test(numbers_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
