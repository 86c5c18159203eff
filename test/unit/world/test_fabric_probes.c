// SPDX-License-Identifier: MPL-2.0
// Probes of fabrics against sheets whose wetness, place and weight are known.
#include "worlds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sheet {
    mn_world    *world;
    mn_thin_mesh mesh;
    double      *saturation;
} sheet;

/// A sheet of 8 x 8 cm at y = 3, its saturation falling in a straight line from the middle: 1 - r / reach.
static sheet make_sheet(mn_context *c, double spacing, double reach, const mn_pin_def *pin)
{
    sheet        s   = { .world = NULL };
    mn_world_def def = mn_world_def_default();
    def.time.dt_max  = 2e-3;
    assert_int_equal(mn_world_create(c, &def, &s.world), MN_OK);
    const mn_cloth_def cloth = { .size = { 8.0, 8.0 }, .spacing = spacing };
    assert_int_equal(mn_cloth_generate(c, &cloth, &s.mesh), MN_OK);
    s.saturation = calloc((size_t)s.mesh.vertex_count, sizeof(double));
    assert_non_null(s.saturation);
    for (int64_t v = 0; v < s.mesh.vertex_count; v++)
        s.saturation[v] = fmax(0.0, 1.0 - hypot(s.mesh.vertex[v][0], s.mesh.vertex[v][2]) / reach);
    mn_fabric_def fabric = mn_fabric_def_default();
    snprintf(fabric.name, sizeof fabric.name, "sheet");
    fabric.mesh  = &s.mesh;
    fabric.at[1] = 3.0;
    if (reach > 0.0) fabric.saturation = s.saturation;
    fabric.pins      = pin;
    fabric.pin_count = pin != NULL;
    if (mn_world_add_fabric(s.world, &fabric) != MN_OK) fail_msg("%s", mn_context_error(c));
    return s;
}

static void drop_sheet(mn_context *c, sheet *s)
{
    mn_thin_mesh_free(c, &s->mesh);
    free(s->saturation);
    mn_world_destroy(&s->world);
}

static mn_probe_def probe_of(mn_probe_kind kind, const char *group)
{
    mn_probe_def d = mn_probe_def_default();
    d.kind         = kind;
    d.normal[0] = 0.0, d.normal[1] = 1.0;
    snprintf(d.of, sizeof d.of, "sheet");
    snprintf(d.group, sizeof d.group, "%s", group);
    return d;
}

static double value_of(mn_world *w, mn_probe_def d)
{
    if (mn_world_add_probe(w, &d) != MN_OK) fail_msg("probe %d could not be added", (int)d.kind);
    return mn_world_probe_value(w, mn_world_probe_count(w) - 1);
}

static void a_wet_spot_has_its_radius_and_holds_its_liquid(void **state)
{
    (void)state;
    mn_context  *c      = test_context(2);
    sheet        s      = make_sheet(c, 0.2, 3.0, NULL);
    mn_probe_def radius = probe_of(MN_PROBE_WET_RADIUS, ""), area = probe_of(MN_PROBE_WET_AREA, "");
    assert_near(value_of(s.world, radius), 0.95 * 3.0, 0.01);
    radius.above = area.above = 0.5;
    assert_near(value_of(s.world, radius), 1.5, 0.01);
    assert_near(value_of(s.world, area), MN_PI * 1.5 * 1.5, 0.1);
    radius.above = 0.0;
    assert_near(value_of(s.world, radius), 3.0, 0.1);  // half an edge: a triangle counts up to its dry corners
    // A cone of saturation over pores of 0.036 (1 - 0.4) cm.
    const double held = value_of(s.world, probe_of(MN_PROBE_HELD, ""));
    assert_near(held, 0.0216 * MN_PI * 9.0 / 3.0, 0.002);
    assert_near(held, mn_world_ledger(s.world).liquid_fabric, 1e-15);
    drop_sheet(c, &s);
    s = make_sheet(c, 0.5, 0.0, NULL);
    assert_true(value_of(s.world, probe_of(MN_PROBE_WET_AREA, "")) == 0.0 &&
                value_of(s.world, probe_of(MN_PROBE_HELD, "")) == 0.0);
    drop_sheet(c, &s);
    test_context_end(&c);
}

static void a_falling_sheet_is_where_it_must_be(void **state)
{
    (void)state;
    mn_context  *c      = test_context(1);
    sheet        s      = make_sheet(c, 0.5, 0.0, NULL);
    mn_probe_def middle = probe_of(MN_PROBE_POSITION, "center"), side = probe_of(MN_PROBE_POSITION, "right");
    middle.point[1] = 1.0;
    side.normal[1] = 0.0, side.normal[0] = 2.0;  // only its direction counts
    assert_near(value_of(s.world, middle), 2.0, 1e-12);
    assert_near(value_of(s.world, side), 4.0, 0.15);
    while (mn_world_time(s.world) < 0.05) assert_int_equal(mn_world_step(s.world, 0.05), MN_OK);
    assert_near(mn_world_probe_value(s.world, 0), 2.0 - 0.5 * 981.0 * 0.05 * 0.05, 0.06);
    drop_sheet(c, &s);
    test_context_end(&c);
}

/// A sheet that is pinned everywhere rests at once: its pins bear its weight, and that of what it holds.
static void pins_bear_the_weight_of_fabric_and_liquid(void **state)
{
    (void)state;
    mn_context *c   = test_context(1);
    mn_pin_def  pin = mn_pin_def_default();
    snprintf(pin.group, sizeof pin.group, "all");
    const double fibre = 8.0 * 8.0 * 0.036 * 0.4 * 1.32;
    for (int soft = 0; soft < 2; soft++) {
        pin.kind      = soft ? MN_PIN_SOFT : MN_PIN_HARD;
        pin.stiffness = 500.0;
        sheet s       = make_sheet(c, 0.5, 0.0, &pin);
        assert_true(value_of(s.world, probe_of(MN_PROBE_PIN_FORCE, "all")) == 0.0);
        while (mn_world_time(s.world) < 0.1) assert_int_equal(mn_world_step(s.world, 0.1), MN_OK);
        assert_near(mn_world_probe_value(s.world, 0), -fibre * 981.0, 1e-3 * fibre * 981.0);
        drop_sheet(c, &s);
    }
    test_context_end(&c);
}

static void probes_of_what_is_not_there_are_refused(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    sheet        s = make_sheet(c, 0.5, 0.0, NULL);
    mn_probe_def d = probe_of(MN_PROBE_HELD, "");
    snprintf(d.of, sizeof d.of, "towel");
    assert_int_equal(mn_world_add_probe(s.world, &d), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "there is no fabric 'towel'"));
    d = probe_of(MN_PROBE_POSITION, "middle");
    assert_int_equal(mn_world_add_probe(s.world, &d), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "has no group 'middle'"));
    d = probe_of(MN_PROBE_PIN_FORCE, "corners");
    assert_int_equal(mn_world_add_probe(s.world, &d), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "has no pins of a group 'corners'"));
    d       = probe_of(MN_PROBE_WET_AREA, "");
    d.above = 1.0;
    assert_int_equal(mn_world_add_probe(s.world, &d), MN_ERR_ARGUMENT);
    assert_int_equal(mn_world_probe_count(s.world), 0);
    drop_sheet(c, &s);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wet_spot_has_its_radius_and_holds_its_liquid),
        cmocka_unit_test(a_falling_sheet_is_where_it_must_be),
        cmocka_unit_test(pins_bear_the_weight_of_fabric_and_liquid),
        cmocka_unit_test(probes_of_what_is_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
