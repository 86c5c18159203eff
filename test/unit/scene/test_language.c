// SPDX-License-Identifier: MPL-2.0
// The language itself: the table, the texts made from it, and its agreement with the definitions of the library.
#include "scene_testing.h"

#include "base/units.h"
#include "scene/reader.h"
#include "scene/yaml.h"

// --- the table -------------------------------------------------------------------------------------------------------

static void check_section(const mn_section *section);

static void check_group(const mn_group *group)
{
    for (int k = 0; k < group->count; k++) check_section(group->kinds[k]);
}

static void check_setting(const mn_section *section, const mn_setting *s)
{
    char    error[MN_UNIT_ERROR_BYTES];
    mn_unit unit = { .factor = 1.0 };
    if (s->help == NULL || s->help[0] == '\0') fail_msg("%s.%s has no help", section->title, s->key);
    if (s->unit != NULL && !mn_unit_parse(s->unit, &unit, error)) fail_msg("%s.%s: %s", section->title, s->key, error);
    if (s->unit != NULL && strncmp(s->unit, "deg", 3) != 0 && (unit.factor != 1.0 || unit.tens != 0))
        fail_msg("%s.%s is not in CGS", section->title, s->key);
    const bool composed = s->type == MN_SET_SECTION || s->type == MN_SET_NAMED;
    if (!composed && !(s->flags & (MN_SET_REQUIRED | MN_SET_OPTIONAL)) && s->standard == NULL)
        fail_msg("%s.%s has no default", section->title, s->key);
    if (s->type == MN_SET_CHOICE || s->type == MN_SET_WORDS) assert_non_null(s->choices);
    if (s->type == MN_SET_SECTION && !(s->flags & MN_SET_LATER)) check_section(s->section);
    if (s->type == MN_SET_NAMED && s->group != NULL) check_group(s->group);
    if (s->type == MN_SET_NAMED && s->group == NULL) check_section(s->section);
}

static void check_section(const mn_section *section)
{
    for (int k = 0; k < section->count; k++) {
        check_setting(section, &section->settings[k]);
        for (int j = 0; j < k; j++) assert_string_not_equal(section->settings[j].key, section->settings[k].key);
    }
}

static void every_row_of_the_table_is_complete(void **state)
{
    (void)state;
    check_section(&mn_section_scene);
    for (int k = 0; k < mn_group_shape.count; k++)
        assert_int_equal(mn_group_find(&mn_group_shape, mn_group_word(&mn_group_shape, k)), k);
    assert_string_equal(mn_group_word(&mn_group_shape, MN_SHAPE_DIFFERENCE), "difference");
    assert_string_equal(mn_group_word(&mn_group_shape, MN_SHAPE_MESH), "mesh");
    assert_string_equal(mn_group_word(&mn_group_liquid, MN_LIQUID_SINK), "sink");
    assert_string_equal(mn_group_word(&mn_group_probe, MN_PROBE_FORCE), "force");
    assert_string_equal(mn_group_word(&mn_group_probe, MN_PROBE_SPEED), "speed");
}

// --- texts -----------------------------------------------------------------------------------------------------------

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s cannot be read", path);
    char  *text  = calloc(1, 1 << 20);
    size_t count = fread(text, 1, (1 << 20) - 1, file);
    assert_true(count > 0);
    fclose(file);
    return text;
}

static void the_reference_page_is_current(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char       *made, *kept = read_file(MN_SOURCE_DIR "/docs/scene-format.md");
    assert_int_equal(mn_scene_reference(c, &made), MN_OK);
    if (strcmp(made, kept) != 0) {
        FILE *file = fopen("scene-format.md", "wb");
        assert_non_null(file);
        fputs(made, file);
        fclose(file);
        fail_msg(
            "docs/scene-format.md is not what the table says; the current page is in scene-format.md beside this test");
    }
    free(kept);
    mn_text_free(c, &made);
    test_context_end(&c);
}

/// The end of the JSON value that begins at `at`; fails where there is none.
static const char *skip_json(const char *at)
{
    static const char space[] = " \t\r\n";
    at += strspn(at, space);
    if (*at == '{' || *at == '[') {
        const bool map = *at == '{';
        at += 1 + strspn(at + 1, space);
        while (*at != '}' && *at != ']') {
            if (map) {
                assert_true(*at == '"');
                at = skip_json(at);
                at += strspn(at, space);
                assert_true(*at++ == ':');
            }
            at = skip_json(at);
            at += strspn(at, space);
            if (*at != ',') break;
            at += 1 + strspn(at + 1, space);
        }
        assert_true(*at == (map ? '}' : ']'));
        return at + 1;
    }
    if (*at == '"') {
        for (at++; *at != '"'; at++) {
            assert_true((unsigned char)*at >= ' ');
            if (*at == '\\') at++;
        }
        return at + 1;
    }
    for (int k = 0; k < 3; k++) {
        static const char *const word[] = { "true", "false", "null" };
        if (strncmp(at, word[k], strlen(word[k])) == 0) return at + strlen(word[k]);
    }
    const size_t digits = strspn(at, "+-.0123456789eE");
    if (digits == 0 || *at == '.' || *at == '+') fail_msg("no JSON: %.40s", at);
    return at + digits;
}

/// JSON is YAML (as far as the schema goes), so the reader of scenes can read it.
static void the_schema_is_json_and_knows_every_key(void **state)
{
    (void)state;
    mn_context         *c     = test_context(1);
    mn_arena           *arena = NULL;
    mn_node            *root  = NULL;
    char               *json;
    const mn_scene_text text = { "schema", "" };
    assert_int_equal(mn_scene_schema(c, &json), MN_OK);
    assert_int_equal(strspn(skip_json(json), "\n"), strlen(skip_json(json)));
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    if (mn_yaml_read(c, arena, &text, json, strlen(json), 1, &root) != MN_OK) fail_msg("%s", mn_context_error(c));
    const mn_node *properties = mn_node_find(root, "properties");
    for (int k = 0; k < mn_section_scene.count; k++) {
        const mn_setting *s = &mn_section_scene.settings[k];
        assert_true((mn_node_find(properties, s->key) == NULL) == ((s->flags & MN_SET_LATER) != 0));
    }
    const mn_node *cell = mn_node_find(mn_node_find(mn_node_find(properties, "domain"), "properties"), "cell");
    assert_string_equal(mn_node_find(cell, "default")->value, "0.5");
    assert_string_equal(mn_node_find(mn_node_find(cell, "anyOf")->items[0], "exclusiveMinimum")->value, "0");
    const mn_node *shape = mn_node_find(mn_node_find(root, "$defs"), "shape");
    assert_int_equal(mn_node_find(mn_node_find(shape, "anyOf")->items[1], "oneOf")->count, mn_group_shape.count);
    mn_arena_destroy(&arena);
    mn_text_free(c, &json);
    test_context_end(&c);
}

static void shapes_are_listed(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char       *listing;
    assert_int_equal(mn_scene_shapes(c, &listing), MN_OK);
    for (int k = 0; k < mn_group_shape.count; k++) assert_non_null(strstr(listing, mn_group_word(&mn_group_shape, k)));
    mn_text_free(c, &listing);
    test_context_end(&c);
}

// --- defaults --------------------------------------------------------------------------------------------------------

/// Read a section without any keys.
static void read_defaults(mn_context *c, const mn_section *section, void *base)
{
    static const mn_scene_text text = { "defaults", "" };
    mn_arena                  *arena;
    mn_node                   *resolved;
    mn_scene_data              data = { .domain.dimension = 3 };
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    mn_reader reader = { .context = c, .arena = arena, .data = &data };
    if (mn_read_section(&reader, section, NULL, (mn_place){ &text, 1, 1 }, base, &resolved) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    mn_arena_destroy(&arena);
}

static void the_table_has_the_defaults_of_the_library(void **state)
{
    (void)state;
    mn_context        *c   = test_context(1);
    const mn_world_def def = mn_world_def_default();
    mn_domain_def      domain;
    mn_time_def        time;
    mn_solver_def      solver;
    mn_motion_def      motion = { .key_count = 0 }, still = mn_motion_def_default();
    memset(&domain, 0, sizeof domain);
    memset(&time, 0, sizeof time);
    memset(&solver, 0, sizeof solver);
    read_defaults(c, &mn_section_domain, &domain);
    read_defaults(c, &mn_section_time, &time);
    read_defaults(c, &mn_section_solver, &solver);
    read_defaults(c, &mn_section_motion, &motion);
    assert_true(domain.dimension == def.domain.dimension && domain.cell == def.domain.cell &&
                domain.up == def.domain.up);
    assert_true(domain.bounded == def.domain.bounded && domain.wall == def.domain.wall);
    assert_memory_equal(domain.gravity, def.domain.gravity, sizeof domain.gravity);
    assert_memory_equal(domain.boundary, def.domain.boundary, sizeof domain.boundary);
    assert_memory_equal(&time, &def.time, sizeof time);
    assert_true(solver.pressure_tolerance == def.solver.pressure_tolerance &&
                solver.pressure_iterations == def.solver.pressure_iterations);
    assert_true(solver.viscosity_tolerance == def.solver.viscosity_tolerance &&
                solver.density_rate == def.solver.density_rate);
    assert_true(solver.density_tolerance == def.solver.density_tolerance &&
                solver.affine_damping == def.solver.affine_damping);
    assert_true(solver.extrapolation == def.solver.extrapolation &&
                solver.velocity_memory == def.solver.velocity_memory);
    assert_true(motion.key_count == still.key_count && motion.ease == still.ease &&
                motion.frequency == still.frequency && motion.phase == still.phase);
    assert_memory_equal(motion.spin, still.spin, sizeof motion.spin);
    test_context_end(&c);
}

// --- spelling --------------------------------------------------------------------------------------------------------

static void words_are_as_far_apart_as_their_letters(void **state)
{
    (void)state;
    assert_int_equal(mn_edit_distance("cell", "cell"), 0);
    assert_int_equal(mn_edit_distance("cel", "cell"), 1);
    assert_int_equal(mn_edit_distance("clel", "cell"), 1);  // swapped
    assert_int_equal(mn_edit_distance("", "cell"), 4);
    assert_int_equal(mn_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(mn_edit_distance("ab", "ba"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_is_complete),
        cmocka_unit_test(the_reference_page_is_current),
        cmocka_unit_test(the_schema_is_json_and_knows_every_key),
        cmocka_unit_test(shapes_are_listed),
        cmocka_unit_test(the_table_has_the_defaults_of_the_library),
        cmocka_unit_test(words_are_as_far_apart_as_their_letters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
