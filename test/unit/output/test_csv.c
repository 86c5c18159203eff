// SPDX-License-Identifier: MPL-2.0
// Tables: rows that come back exactly, and repair after a run ended anyhow.
#include "testing.h"

#include "output/csv.h"

#include <string.h>

/// ledger.csv is written by the same file as the tables that ask a world; this test has none.
int         mn_world_probe_count(const mn_world *world) { return (void)world, 2; }
const char *mn_world_probe_name(const mn_world *world, int probe) { return (void)world, probe == 0 ? "a,b" : "passed"; }
double      mn_world_probe_value(const mn_world *world, int probe) { return (void)world, probe == 0 ? 0.1 : -2.5; }
int         mn_world_stage_count(void) { return 2; }
const char *mn_world_stage_name(int stage) { return stage == 0 ? "sort" : "solve"; }
double mn_world_stage_seconds(mn_world *world, int stage, bool reset) { return (void)world, (void)reset, 0.5 * stage; }

static void every_ledger_column_is_there_and_comes_back_exactly(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_buffer   b;
    mn_buffer_init(&b, c);
    mn_ledger_header(&b);
    assert_string_equal(
        mn_buffer_string(&b),
        "frame,time,steps,rejected,dt_min,dt_max,particles,liquid_total,liquid_bulk,liquid_fabric,liquid_strand,"
        "liquid_added,liquid_removed,liquid_error,solute_total,solute_error,momentum_x,momentum_y,momentum_z,"
        "energy_kinetic,energy_elastic,energy_gravity,energy_surface,max_speed,max_divergence,pressure_iterations,"
        "solid_iterations,seconds,liquid_membrane,liquid_stain,liquid_evaporated,energy_capillary,solute_bulk,"
        "solute_fabric,solute_added,solute_removed\n");
    mn_ledger row = { .frame            = 7,
                      .time             = 7.0 / 60.0,
                      .particles        = 123456789012,
                      .liquid_error     = -1.0 / 3e17,
                      .energy_capillary = 0.1 };
    mn_ledger_row(&b, &row);
    mn_csv csv;
    assert_int_equal(mn_csv_parse(c, (char *)b.data, b.bytes, &csv), MN_OK);
    assert_int_equal(csv.row_count, 1);
    assert_true(csv.value[mn_csv_column(&csv, "time")] == row.time);
    assert_true(csv.value[mn_csv_column(&csv, "particles")] == 123456789012.0);
    assert_true(csv.value[mn_csv_column(&csv, "liquid_error")] == row.liquid_error);
    assert_true(csv.value[mn_csv_column(&csv, "energy_capillary")] == 0.1);
    assert_int_equal(mn_csv_column(&csv, "nonsense"), -1);
    mn_csv_free(c, &csv);
    mn_buffer_clear(&b);
    mn_probes_header(&b, NULL);
    mn_probes_row(&b, NULL, 3, 0.05);
    mn_timings_header(&b);
    mn_timings_row(&b, NULL, 3);
    assert_string_equal(mn_buffer_string(&b), "frame,time,a_b,passed\n3,0.050000000000000003,0.10000000000000001,-2.5\n"
                                              "frame,sort,solve\n3,0.000000,0.500000\n");
    mn_buffer_free(&b);
    test_context_end(&c);
}

static void assert_repaired(mn_context *c, const char *text, int64_t last, const char *expected)
{
    mn_buffer b;
    mn_buffer_init(&b, c);
    assert_int_equal(mn_csv_repair(c, "t.csv", text, strlen(text), "frame,a\n", last, &b), MN_OK);
    assert_string_equal(mn_buffer_string(&b), expected);
    mn_buffer_free(&b);
}

static void rows_beyond_the_checkpoint_and_torn_lines_are_dropped(void **state)
{
    (void)state;
    mn_context *c    = test_context(1);
    const char *full = "frame,a\n0,1\n1,2\n2,3\n3,4\n";
    assert_repaired(c, full, 9, full);
    assert_repaired(c, full, 2, "frame,a\n0,1\n1,2\n2,3\n");
    assert_repaired(c, full, -1, "frame,a\n");
    assert_repaired(c, "frame,a\n0,1\n1,2", 9, "frame,a\n0,1\n");
    assert_repaired(c, "frame,a\n0,1\n1\n1,2\nx,y\n\n1,7\n2,3,4\n2,5\n", 9, "frame,a\n0,1\n1,2\n2,5\n");
    assert_repaired(c, "", 9, "frame,a\n");
    assert_repaired(c, "fra", 9, "frame,a\n");
    // However the file was cut, what is kept is a beginning of it.
    for (size_t length = 0; length <= strlen(full); length++) {
        char cut[64] = { 0 };
        memcpy(cut, full, length);
        mn_buffer b;
        mn_buffer_init(&b, c);
        assert_int_equal(mn_csv_repair(c, "t.csv", cut, length, "frame,a\n", 9, &b), MN_OK);
        assert_memory_equal(b.data, full, b.bytes);
        assert_int_equal(b.data[b.bytes - 1], '\n');
        mn_buffer_free(&b);
    }
    mn_buffer b;
    mn_buffer_init(&b, c);
    assert_int_equal(mn_csv_repair(c, "t.csv", "frame,b\n", 8, "frame,a\n", 9, &b), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "t.csv: its columns are not those of this run"));
    mn_buffer_free(&b);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ledger_column_is_there_and_comes_back_exactly),
        cmocka_unit_test(rows_beyond_the_checkpoint_and_torn_lines_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
