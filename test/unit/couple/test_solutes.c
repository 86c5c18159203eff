// SPDX-License-Identifier: MPL-2.0
// Pigment in the liquid of a world: budget through sources, sinks, splitting, fabric; resume, threads, steps taken
// back.
#include "unit/world/worlds.h"

#include "base/random.h"
#include "failing_memory.h"
#include "liquid/resample.h"

#include <meniscus/meniscus.h>

#include <string.h>
#include <unistd.h>

#define DYES                                                                                                   \
    "materials:\n"                                                                                             \
    "  red: {kind: pigment, absorbance: [0.02, 0.2, 0.2], adsorption: {law: langmuir, rate: 5, release: 0.1, " \
    "capacity: \"1 g/m2\"}}\n"                                                                                 \
    "  blue: {kind: pigment, absorbance: [0.2, 0.1, 0.02]}\n"                                                  \
    "  wine: {kind: liquid, from: water, solutes: {red: \"10 g/l\"}}\n"                                        \
    "  felt: {kind: fabric, from: cotton}\n"

/// A stream and a ball of wine of two kinds meet a small sheet that lets some through; what falls farther is taken out.
static const char pouring[] = "format: 1\ndomain: {cell: \"4 mm\", bounds: [[-3.2, -3.2, -3.2], [3.2, 3.2, 3.2]], "
                              "boundary: {x: open, y: open, z: open}}\n"
                              "time: {end: 0.2, frame_rate: 50, dt_max: 2e-3}\n" DYES "liquids:\n"
                              "  ball: {material: wine, solutes: {red: \"5 g/l\", blue: \"4 g/l\"}, fill: {inside: "
                              "{sphere: {center: [0, 1, 0], radius: 0.7}}}, velocity: [0, -80, 0]}\n"
                              "  tap: {material: wine, source: {shape: {disc: {radius: 0.4}}, at: [0.3, 2.8, 0], "
                              "velocity: [0, -150, 0], during: [0, 0.05]}}\n"
                              "  drain: {sink: {shape: {box: {center: [0, -3, 0], size: [6.4, 1, 6.4]}}}}\n"
                              "fabrics:\n  cloth: {material: felt, sheet: {size: [2.4, 2.4], spacing: 0.2}, pins: "
                              "{border: {motion: fixed}}, evaporation: 1e-4}\n";

static mn_world *build(mn_context *c, const char *text)
{
    mn_scene_source source = { .text = text, .bytes = strlen(text) };
    mn_scene       *scene  = NULL;
    mn_world       *w      = NULL;
    if (mn_scene_load(c, &source, &scene) != MN_OK || mn_scene_build(scene, &w) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    mn_scene_destroy(&scene);
    return w;
}

static void run_until(mn_world *w, double end)
{
    while (mn_world_time(w) < end)
        if (mn_world_step(w, end) != MN_OK) fail_msg("%s", mn_context_error(w->context));
}

static void the_budget_closes(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = build(c, pouring);
    run_until(w, 0.12);
    const mn_ledger l = mn_world_ledger(w);
    assert_true(l.solute_added > 0.0 && l.solute_removed > 0.0 && l.solute_fabric > 0.0 && l.solute_bulk > 0.0 &&
                l.liquid_evaporated > 0.0);
    assert_less(fabs(l.liquid_error), 1e-12);
    assert_less(fabs(l.solute_error), 1e-12);
    const mn_liquid_view q = mn_world_liquid(w);
    const mn_fabric_view f = mn_world_fabric(w, 0);
    assert_int_equal(q.pigment_count, 2);
    double sum = 0.0, stuck = 0.0;
    for (int k = 0; k < 2; k++) {
        for (int64_t i = 0; i < q.count; i++) {
            assert_true(q.pigment[k][i] >= 0.0);
            sum += q.pigment[k][i];
        }
        for (int64_t v = 0; v < f.position.count; v++) {
            assert_true(f.dissolved[k][v] >= 0.0 && f.adsorbed[k][v] >= 0.0 && f.dried[k][v] >= 0.0);
            sum += mn_fabric_view_pigment(&f, k, v);
            stuck += k == 0 ? f.adsorbed[k][v] : 0.0;
        }
    }
    assert_near(sum, l.solute_total, 1e-12 * sum);
    assert_true(stuck > 0.0);
    // Nothing is beyond the two liquids but for what dried: a share of what is there, far less than a tenth.
    for (int64_t i = 0; i < q.count; i++)
        assert_true(q.pigment[0][i] <= 1.1 * 0.010 * q.volume[i] && q.pigment[1][i] <= 1.1 * 0.004 * q.volume[i]);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void threads_and_a_resume_make_no_difference(void **state)
{
    (void)state;
    uint64_t   hash[4];
    const char path[] = "solutes-test.state";
    for (int k = 0; k < 4; k++) {
        mn_context *c = test_context(k == 0 ? 1 : k == 1 ? 2 : k == 2 ? 5 : 1);
        mn_world   *w = build(c, pouring);
        if (k < 3) run_until(w, 0.03);
        if (k == 0) assert_int_equal(mn_world_save(w, path), MN_OK);
        if (k == 3 && mn_world_load(w, path) != MN_OK) fail_msg("%s", mn_context_error(c));
        run_until(w, 0.05);
        const mn_ledger l = mn_world_ledger(w);
        assert_true(l.solute_fabric > 0.0 && fabs(l.solute_error) < 1e-12);
        hash[k] = mn_world_hash(w);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
    for (int k = 1; k < 4; k++) assert_true(hash[k] == hash[0]);
    remove(path);
}

static void a_step_taken_back_leaves_pigment_as_it_was(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = build(c, pouring);
    run_until(w, 0.03);
    mn_liquid_particles *p      = mn_liquid_now(&w->liquid);
    const uint64_t       bulk   = mn_fields_hash(mn_liquid_table_of(p), p, p->count, 1);
    const uint64_t       fabric = mn_fields_hash(mn_fabric_table_of(&w->fabric.vertices), &w->fabric.vertices,
                                                 w->fabric.vertices.count, 1);
    const uint64_t       budget = mn_fields_hash(&mn_solute_table, &w->solutes.budget, w->solutes.count, 1);
    // Found only in the audit, when all has been done: nothing may be faster than this.
    const double cfl = w->def.time.cfl;
    w->def.time.cfl = 1e-9, w->def.time.dt_min = 2e-4;
    assert_int_equal(mn_world_step(w, 0.05), MN_ERR_SOLVE);
    assert_non_null(strstr(mn_context_error(c), "audit"));
    w->def.time.cfl = cfl;
    p               = mn_liquid_now(&w->liquid);
    assert_true(mn_fields_hash(mn_liquid_table_of(p), p, p->count, 1) == bulk);
    assert_true(mn_fields_hash(mn_fabric_table_of(&w->fabric.vertices), &w->fabric.vertices, w->fabric.vertices.count,
                               1) == fabric);
    assert_true(mn_fields_hash(&mn_solute_table, &w->solutes.budget, w->solutes.count, 1) == budget);
    run_until(w, 0.04);
    assert_less(fabs(mn_world_ledger(w).solute_error), 1e-12);
    mn_world_destroy(&w);
    test_context_end(&c);
}

// ---- particles alone -----------------------------------------------------------------------------------------------

static double pigment_of(mn_world *w, int k) { return mn_liquid_pigment_sum(&w->liquid, k); }

static mn_liquid_def dyed(double concentration)
{
    mn_liquid_def d               = mn_liquid_def_default();
    d.material.solutes.count      = 1;
    d.material.solutes.pigment[0] = mn_pigment_default();
    snprintf(d.material.solutes.pigment[0].name, MN_NAME_BYTES, "dye");
    d.material.solutes.concentration[0] = concentration;
    return d;
}

/// Small and large particles everywhere, each with a concentration of its own: splitting, joining and sorting keep the
/// sum.
static void splitting_joining_and_sorting_keep_it(void **state)
{
    (void)state;
    mn_context  *c     = test_context(2);
    mn_world_def def   = mn_world_def_default();
    mn_world    *w     = NULL;
    def.domain.bounded = true;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = 6.0;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def pool = dyed(0.01);
    pool.below         = 4.0;
    assert_int_equal(mn_world_add_liquid(w, &pool), MN_OK);
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++) {
        const double size = mn_random(1, (uint64_t)i, 0, 0);
        p->volume[0][i] *= size < 0.3 ? 0.3 : size > 0.9 ? 2.5 : 1.0;
        p->pigment[0][i] = p->volume[0][i] * 0.01 * (1.0 + mn_random(1, (uint64_t)i, 0, 1));
    }
    mn_world_count_liquid(w);
    const double       first  = pigment_of(w, 0);
    const int64_t      begun  = p->count;
    mn_resample_report report = { 0, 0 };
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    assert_int_equal(mn_world_place_solids(w, 0.0), MN_OK);
    assert_int_equal(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }),
                     MN_OK);
    assert_near(pigment_of(w, 0), first, 1e-15 * first);
    assert_int_equal(mn_liquid_resample(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids },
                                        &w->now.next_id, &report),
                     MN_OK);
    assert_true(report.splits > 100 && report.joins > 100);
    p = mn_liquid_now(&w->liquid);
    assert_int_equal(p->count, begun + report.splits - report.joins);
    assert_near(pigment_of(w, 0), first, 1e-14 * first);
    for (int64_t i = 0; i < p->count; i++) {
        const double conc = p->pigment[0][i] / p->volume[0][i];
        assert_true(conc >= 0.01 * (1.0 - 1e-14) && conc <= 0.02 * (1.0 + 1e-14));
    }
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// A tap of another concentration and a drain: the world of the tests of the step, coloured.
static void sources_and_sinks_are_counted(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        mn_context   *c    = test_context(2);
        mn_world     *w    = busy_world(c, dimension);
        mn_liquid_def ball = dyed(0.03), tap = dyed(0.05);
        ball.shape = test_shape(c, MN_SHAPE_SPHERE, 1.5, 5.0, dimension == 3 ? 2.0 : 0.0, 1.0);
        tap.role   = MN_LIQUID_SOURCE;
        tap.shape  = test_shape(c, MN_SHAPE_DISC, 0, 0, 0, 0.6);
        tap.at[0] = 6.5, tap.at[1] = 7.0, tap.at[2] = dimension == 3 ? 2.0 : 0.0;
        tap.velocity[1] = -100.0;
        assert_int_equal(mn_world_add_liquid(w, &ball), MN_OK);  // after particles without any
        assert_int_equal(mn_world_add_liquid(w, &tap), MN_OK);
        mn_shape_release(&ball.shape);
        mn_shape_release(&tap.shape);
        run_until(w, 0.3);
        const mn_ledger l = mn_world_ledger(w);
        assert_true(l.solute_added > 0.0 && l.solute_removed > 0.0 && l.solute_bulk > 0.0);
        assert_less(fabs(l.solute_error), 1e-12);
        const mn_liquid_view q = mn_world_liquid(w);
        for (int64_t i = 0; i < q.count; i++)
            assert_true(q.pigment[0][i] >= 0.0 && q.pigment[0][i] <= 0.05 * q.volume[i] * (1.0 + 1e-13));
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

/// Who has no pigment pays nothing for it, and what could not be added leaves none behind.
static void pigment_is_there_only_where_it_is_asked_for(void **state)
{
    (void)state;
    mn_context                *c = test_context(1);
    mn_world                  *w = quiet_world(c, 2);
    const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    assert_true(mn_liquid_table_of(p) == &mn_liquid_table);
    assert_null(p->pigment[0]);
    size_t bytes = 0;
    for (int f = 0; f < mn_liquid_table.count; f++)
        bytes += (size_t)mn_liquid_table.fields[f].components * mn_type_size(mn_liquid_table.fields[f].type);
    assert_int_equal(bytes, 17 * 8);  // position, velocity, affine matrix, volume, number
    const uint64_t hash = mn_world_hash(w);
    mn_liquid_def  bad  = dyed(0.1);
    bad.role            = MN_LIQUID_SOURCE;  // without a shape
    assert_int_equal(mn_world_add_liquid(w, &bad), MN_ERR_ARGUMENT);
    bad = dyed(-1.0);
    assert_int_equal(mn_world_add_liquid(w, &bad), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "concentration of 'dye'"));
    assert_int_equal(mn_world_liquid(w).pigment_count, 0);
    assert_null(p->pigment[0]);
    assert_true(mn_world_hash(w) == hash);
    mn_world_destroy(&w);
    test_context_end(&c);
}

typedef struct addition {
    mn_world     *world;
    mn_liquid_def ball;
    uint64_t      hash;  ///< of the world before it
} addition;

static mn_status add_ball(failing_memory *m, void *user)
{
    addition       *a      = user;
    mn_world       *w      = a->world;
    const mn_status status = mn_world_add_liquid(w, &a->ball);
    grant_all(m);
    if (status == MN_OK) return status;
    assert_int_equal(w->solutes.count, 0);
    assert_int_equal(mn_liquid_now(&w->liquid)->pigments, 0);
    assert_int_equal(w->fabric.vertices.pigments, 0);
    assert_true(mn_world_hash(w) == a->hash);
    return status;
}

/// Whichever request for memory is refused: the world stays as it was, and the same addition works afterwards.
static void no_memory_leaves_the_world_as_it_was(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    mn_context    *c      = failing_context(&memory);
    mn_world *w  = build(c, "format: 1\ndomain: {cell: 0.5}\nliquids: {a: {material: water, fill: {inside: {sphere: "
                             "{radius: 1}}}}}\n"
                             "fabrics: {cloth: {material: cotton, sheet: {size: [4, 4], spacing: 0.5}}}\n");
    addition  a  = { .world = w, .ball = dyed(0.1), .hash = mn_world_hash(w) };
    memory.keeps = true;
    a.ball.shape = test_shape(c, MN_SHAPE_SPHERE, 3.0, 0, 0, 1.0);
    assert_true(survives_every_failing_allocation(&memory, add_ball, &a, NULL) > 4);
    assert_near(mn_world_ledger(w).solute_bulk, 0.1 * (mn_world_ledger(w).liquid_bulk) / 2.0, 0.02);
    mn_shape_release(&a.ball.shape);
    mn_world_destroy(&w);
    test_context_end(&c);
    assert_int_equal(memory.held, 0);
}

// ---- stains in the pores -------------------------------------------------------------------------------------------

static const char soaked
    [] = "format: 1\ndomain: {cell: \"5 mm\", gravity: [0, 0, 0]}\ntime: {end: 1, frame_rate: 10, dt_max: 0.02}\n" DYES
         "fabrics:\n  cloth: {material: felt, sheet: {size: [6, 6], spacing: 0.25}, pins: {all: {}}}\n"
         "stains:\n  spot: {on: cloth, carrier: fabric, pigments: [blue], drops: {one: {inside: {sphere: {radius: 1}}, "
         "density: \"100 g/m2\", solutes: {blue: \"20 g/l\"}}}}\n";

/// A stain without film: its drop is in the pores at the start, and wicks with its pigment.
static void a_stain_can_be_carried_by_the_fabric(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = build(c, soaked);
    assert_int_equal(mn_world_stain_count(w), 0);
    const mn_ledger first = mn_world_ledger(w);
    assert_near(first.liquid_fabric, 3.1416 * 0.01, 0.15 * 3.1416 * 0.01);
    assert_near(first.solute_fabric, 0.02 * first.liquid_fabric, 1e-12 * first.solute_fabric);
    mn_fabric_view f     = mn_world_fabric(w, 0);
    int64_t        begun = 0, stained = 0;
    for (int64_t v = 0; v < f.position.count; v++) begun += f.dissolved[0][v] > 0.0;
    run_until(w, 0.5);
    const mn_ledger l = mn_world_ledger(w);
    assert_less(fabs(l.solute_error), 1e-12);
    f = mn_world_fabric(w, 0);
    for (int64_t v = 0; v < f.position.count; v++) {
        stained += mn_fabric_view_pigment(&f, 0, v) > 1e-6 * l.solute_total;
        assert_true(f.dissolved[0][v] <= 0.02 * f.held[v] * (1.0 + 1e-9));
    }
    assert_true(stained > begun + begun / 4);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Fabric that is wet at the start is wet with the liquid of the scene and what is in it.
/// The pigment that comes last adds a block of its own to the state: there is room for it, however many there were.
static void the_state_has_room_for_the_budget(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    for (int cloths = 1; cloths < 12; cloths++) {
        char   text[4096];
        size_t at = (size_t)snprintf(text, sizeof text, "format: 1\ndomain: {cell: 0.5}\n" DYES "fabrics:\n");
        for (int k = 0; k < cloths; k++)
            at += (size_t)snprintf(text + at, sizeof text - at,
                                   "  cloth%d: {material: felt, sheet: {size: [1, 1], spacing: 0.5}, at: [0, %d, 0]}\n",
                                   k, k);
        snprintf(text + at, sizeof text - at,
                 "stains: {spot: {on: cloth0, carrier: fabric, pigments: [blue], drops: "
                 "{one: {density: \"100 g/m2\", solutes: {blue: \"20 g/l\"}}}}}\n");
        mn_world *w = build(c, text);
        assert_int_equal(w->solutes.count, 1);
        mn_world_hash(w);
        assert_true(w->block_count <= w->block_capacity);
        mn_world_destroy(&w);
    }
    test_context_end(&c);
}

static void wet_fabric_holds_the_liquid_with_its_pigment(void **state)
{
    (void)state;
    mn_context     *c = test_context(1);
    mn_world       *w = build(c, "format: 1\ndomain: {cell: \"5 mm\"}\n" DYES
                                 "liquids: {a: {material: wine, fill: {inside: {sphere: {center: [0, 5, 0], radius: 1}}}}}\n"
                                       "fabrics: {cloth: {material: felt, sheet: {size: [4, 4], spacing: 0.5}, saturation: 0.5},\n"
                                       "          dry: {material: felt, sheet: {size: [4, 4], spacing: 0.5}, at: [0, 9, 0]}}\n");
    const mn_ledger l = mn_world_ledger(w);
    assert_true(l.liquid_fabric > 0.1);
    assert_near(l.solute_fabric, 0.01 * l.liquid_fabric, 1e-14 * l.solute_fabric);
    assert_near(l.solute_total, 0.01 * l.liquid_total, 1e-13 * l.solute_total);
    assert_less(fabs(l.solute_error), 1e-14);
    const mn_fabric_view dry = mn_world_fabric(w, 1);
    for (int64_t v = 0; v < dry.position.count; v++) assert_true(dry.dissolved[0][v] == 0.0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_budget_closes),
        cmocka_unit_test(threads_and_a_resume_make_no_difference),
        cmocka_unit_test(a_step_taken_back_leaves_pigment_as_it_was),
        cmocka_unit_test(splitting_joining_and_sorting_keep_it),
        cmocka_unit_test(sources_and_sinks_are_counted),
        cmocka_unit_test(pigment_is_there_only_where_it_is_asked_for),
        cmocka_unit_test(no_memory_leaves_the_world_as_it_was),
        cmocka_unit_test(a_stain_can_be_carried_by_the_fabric),
        cmocka_unit_test(the_state_has_room_for_the_budget),
        cmocka_unit_test(wet_fabric_holds_the_liquid_with_its_pigment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
