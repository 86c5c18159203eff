// SPDX-License-Identifier: MPL-2.0
// Scenes of libWetCloth: what is translated, what is named, and that a bad file leaves nothing behind.
#include "failing_memory.h"
#include "scene_testing.h"

#include "base/context.h"

#include <math.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define XML   "import-test.xml"
#define SCENE "import-test.yaml"
#define MESH  "import-test-fabric0.obj"
#define CUBE  "import-test-cube.obj"

static void put_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static bool exists(const char *path) { return access(path, F_OK) == 0; }

static void clear(void)
{
    static const char *const paths[] = { XML, SCENE, MESH, "import-test-fabric1.obj" };
    for (int k = 0; k < 4; k++) remove(paths[k]);
}

static char *import_text(mn_context *c, const char *text)
{
    char *listing = NULL;
    clear();
    put_file(XML, text);
    if (mn_scene_import(c, XML, SCENE, &listing) != MN_OK) fail_msg("%s", mn_context_error(c));
    return listing;
}

static void assert_listed(const char *listing, const char *piece)
{
    if (strstr(listing, piece) == NULL) fail_msg("'%s' is not in\n%s", piece, listing);
}

#define HEAD                                                                                           \
    "<scene>\n<duration time=\"2.5\"/>\n<integrator type=\"linearized-implicit-euler\" dt=\"0.0002\" " \
    "criterion=\"1e-7\"/>\n"                                                                           \
    "<bucketinfo size=\"1.2\" numcells=\"4\"/>\n<simplegravity fy=\"-981\"/>\n"
#define LIQUID                                                                                                        \
    "<liquidinfo><viscosity value=\"0.02\"/><surfTensionCoeff value=\"50\"/><yarnDiameter "                           \
    "value=\"0.012\"/><restVolumeFraction value=\"0.3\"/>"                                                            \
    "<flipCoeff value=\"0.996\"/><elastoAdvectCoeff value=\"0.998\"/><yazdchiPower value=\"1.2\"/><restContactAngle " \
    "value=\"0.5\"/>"                                                                                                 \
    "<softCohesion value=\"0\"/></liquidinfo>\n"
#define MATERIAL                                                                                                       \
    "<ElasticParameters><radius value=\"0.02\"/><youngsModulus value=\"2e7\"/><poissonRatio value=\"0.25\"/><density " \
    "value=\"1.4\"/>"                                                                                                  \
    "<viscosity value=\"300\"/><accumulateWithViscous value=\"1\"/><collisionMultiplier "                              \
    "value=\"0.04\"/><attachMultiplier value=\"0.08\"/>"                                                               \
    "<frictionAngle value=\"45\"/></ElasticParameters>\n"
#define PATCH                                                                                                        \
    "<particle x=\"0 1 0\" fixed=\"1\" group=\"2\"/>\n<particle x=\"0.5 1 0\" fixed=\"3\" group=\"2\"/>\n<particle " \
    "x=\"0 1 0.5\"/>\n<particle x=\"0.5 1 0.5\"/>\n"                                                                 \
    "<cloth params=\"0\"><face i=\"0 2 1\"/><face i=\"1 2 3\"/></cloth>\n"

static void cloth_liquid_and_obstacles_arrive(void **state)
{
    (void)state;
    mn_context *c       = test_context(1);
    char       *listing = import_text(
              c, HEAD LIQUID MATERIAL PATCH
              "<script type=\"translate\" x=\"1\" y=\"0\" z=\"0\" start=\"0.5\" end=\"1\" group=\"2\"/>\n"
                    "<script type=\"translate\" x=\"0\" y=\"-2\" z=\"0\" start=\"0\" end=\"0.5\" group=\"2\"/>\n"
                    "<distancefield usage=\"source\" type=\"sphere\" cx=\"0\" cy=\"4\" cz=\"0\" radius=\"1.5\" group=\"1\"/>\n"
                    "<distancefield usage=\"solid\" type=\"box\" cx=\"0\" cy=\"2\" cz=\"0\" ex=\"5\" ey=\"5\" ez=\"5\" "
                    "radius=\"1\" group=\"3\" inside=\"1\" sampled=\"0\"/>\n"
                    "</scene>\n");
    assert_listed(listing, "1 fabric with 4 vertices, 2 triangles and 0 yarns; 2 fields, 2 scripts");
    assert_null(strstr(listing, "not translated"));
    mn_text_free(c, &listing);
    mn_scene                 *s = load_source(c, &(mn_scene_source){ .path = SCENE });
    const mn_fabric_def      *f = mn_scene_fabric(s, 0);
    const mn_fabric_material *m = &f->material;
    assert_near(mn_scene_domain(s).cell, 0.3, 1e-15);
    assert_true(mn_scene_domain(s).gravity[1] == -981.0 && mn_scene_time(s).end == 2.5 &&
                mn_scene_time(s).dt_max == 2e-4);
    assert_true(m->thickness == 0.04 && m->radius == 0.02 && m->solid_fraction == 0.3 && m->fiber_diameter == 0.012 &&
                m->density == 1.4);
    assert_true(m->youngs_modulus == 2e7 && m->poisson == 0.25 && m->internal_viscosity == 300.0 &&
                m->contact_stiffness == 0.04);
    assert_near(m->friction, 1.0, 1e-12);
    assert_near(m->contact_angle, 0.5, 1e-15);
    assert_near(m->bending_warp, 3.0 * 0.09 * 2e7 * 6.4e-5 / (12.0 * 0.9375), 1e-9);
    assert_true(m->cohesion == 0.0 && !m->vary_porosity && m->drag_law == MN_DRAG_NONLINEAR && m->drag_exponent == 1.2);
    assert_near(f->damping, -log(0.998) / 2e-4, 1e-9);
    assert_resolved(s, "affine_damping: 20.04010698");
    // Two kinds of pin, both hard: twice the stiffness of contact. Scripts follow one another in time.
    assert_int_equal(f->pin_count, 2);
    assert_true(f->pins[0].kind == MN_PIN_HARD && !f->pins[0].twist && f->pins[1].twist);
    assert_int_equal(mn_thin_find_group(f->mesh, "pin2")->count, 1);
    assert_int_equal(mn_thin_find_group(f->mesh, "pin2-twist")->vertex[0], 1);
    const mn_motion_def *motion = &f->pins[0].motion;
    assert_int_equal(motion->key_count, 3);
    assert_true(motion->keys[0].time == 0.0 && motion->keys[1].translate[1] == -2.0 &&
                motion->keys[1].translate[0] == 0.0);
    assert_true(motion->keys[2].time == 1.0 && motion->keys[2].translate[0] == 1.0 &&
                motion->keys[2].translate[1] == -2.0);
    mn_world *world;
    if (mn_scene_build(s, &world) != MN_OK) fail_msg("%s", mn_context_error(c));
    assert_near(mn_world_ledger(world).liquid_bulk, 4.0 / 3.0 * 3.14159265 * 3.375, 0.3);
    mn_world_destroy(&world);
    mn_scene_destroy(&s);
    clear();
    test_context_end(&c);
}

/// Liquid in a shape tells its volume, on a lattice that fits the cells (27 to each).
static double volume_of_source(mn_context *c, const char *fields)
{
    char text[2048];
    snprintf(text, sizeof text, "%s<liquidinfo><particleCellMultiplier value=\"0.3\"/></liquidinfo>%s</scene>", HEAD,
             fields);
    char     *listing = import_text(c, text);
    mn_scene *s       = load_source(c, &(mn_scene_source){ .path = SCENE });
    mn_world *world;
    assert_int_equal(mn_scene_build(s, &world), MN_OK);
    const double volume = mn_world_ledger(world).liquid_bulk;
    mn_world_destroy(&world);
    mn_scene_destroy(&s);
    mn_text_free(c, &listing);
    return volume;
}

static void shapes_have_their_volume(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    const struct {
        const char *fields;
        double      volume;
    } rows[] = {
        { "<distancefield usage=\"source\" type=\"box\" ex=\"2\" ey=\"1\" ez=\"1.5\" radius=\"0\"/>", 24.0 },
        // Steiner: box + faces r + edges pi r^2 / 4 + a ball.
        { "<distancefield usage=\"source\" type=\"box\" ex=\"2\" ey=\"1\" ez=\"1.5\" radius=\"0.8\"/>",
          24.0 + 0.8 * 52.0 + pi * 0.64 * 9.0 + 4.0 / 3.0 * pi * 0.512 },
        { "<distancefield usage=\"source\" type=\"box\" ex=\"2\" ey=\"0\" ez=\"1.5\" radius=\"0.8\" rx=\"1\" ry=\"1\" "
          "rz=\"0\" rw=\"0.7\"/>",
          0.8 * 2.0 * 12.0 + pi * 0.64 * 7.0 + 4.0 / 3.0 * pi * 0.512 },
        { "<distancefield usage=\"source\" type=\"box\" ex=\"0\" ey=\"3\" ez=\"0\" radius=\"1\"/>",
          pi * 6.0 + 4.0 / 3.0 * pi },
        { "<distancefield usage=\"source\" type=\"capsule\" halflength=\"3\" radius=\"1\" cx=\"5\"/>",
          pi * 6.0 + 4.0 / 3.0 * pi },
        { "<distancefield usage=\"source\" type=\"box\" ex=\"2\" ey=\"2\" ez=\"2\"/><distancefield usage=\"source\" "
          "type=\"box\" cx=\"1\" ex=\"2\" ey=\"1\" ez=\"4\"/>"
          "<distancefield usage=\"source\" type=\"intersect\" i=\"0 1\"/>",
          24.0 },
        { "<distancefield usage=\"source\" type=\"box\" ex=\"2\" ey=\"2\" ez=\"2\"/><distancefield usage=\"source\" "
          "type=\"box\" cx=\"3\" ex=\"2\" ey=\"2\" ez=\"2\"/>"
          "<distancefield usage=\"source\" type=\"union\" i=\"0 1\"/>",
          112.0 },
        { "<distancefield usage=\"source\" type=\"cylinder\" radius=\"2\" halflength=\"1.5\"/>", 12.0 * pi },
        // Between the rims, and at each end a disc of 1.5 whose edge is round.
        { "<distancefield usage=\"source\" type=\"cylinder\" radius=\"2\" halflength=\"1\" corner=\"0.5\" rx=\"1\" "
          "rz=\"1\" rw=\"1\"/>",
          8.0 * pi + 2.0 * (pi * 2.25 * 0.5 + 0.5 * pi * pi * 1.5 * 0.25 + 2.0 / 3.0 * pi * 0.125) },
        { "<distancefield usage=\"source\" type=\"cylinder\" radius=\"1\" halflength=\"3\" corner=\"1\"/>",
          pi * 6.0 + 4.0 / 3.0 * pi },
        { "<distancefield usage=\"source\" type=\"file\" filename=\"assets/" CUBE "\" scale=\"1.5\" cx=\"4\"/>", 27.0 },
        // Spaces are no names.
        { "<distancefield usage=\"source\" type=\"box\" ex=\"2\" ey=\"2\" ez=\"2\"/><distancefield usage=\"source\" "
          "type=\"union\" i=\" 0  0 \"/>",
          64.0 },
        // A container holds back what is outside of it.
        { "<distancefield usage=\"source\" type=\"box\" ex=\"2\" ey=\"2\" ez=\"2\"/><distancefield usage=\"solid\" "
          "type=\"box\" cx=\"2\" ex=\"2\" ey=\"4\" ez=\"4\" inside=\"1\"/>",
          32.0 },
    };
    mn_context *c = test_context(1);
    put_file(CUBE, "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
                   "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double volume = volume_of_source(c, rows[k].fields);
        if (!(fabs(volume - rows[k].volume) < 0.04 * rows[k].volume))
            fail_msg("%s: %g cm^3 instead of %g", rows[k].fields, volume, rows[k].volume);
    }
    clear();
    test_context_end(&c);
}

static void sources_keep_their_velocity_and_what_is_lost_is_named(void **state)
{
    (void)state;
    mn_context *c       = test_context(1);
    char       *listing = import_text(c, HEAD
                                      "<distancefield usage=\"source\" type=\"sphere\" radius=\"1\" vx=\"1\" vy=\"-20\"/>\n"
                                            "<distancefield usage=\"solid\" type=\"file\" filename=\"no-such.obj\" cy=\"-5\"/>\n"
                                            "<distancefield usage=\"solid\" type=\"cylinder\" radius=\"1\" halflength=\"1\" "
                                            "corner=\"0.7\"/>\n"
                                            "</scene>\n");
    assert_listed(listing, "left out: <distancefield>, line 7: there is no mesh 'no-such.obj'");
    assert_listed(listing, "not translated: <distancefield>, line 7, and 1 more");
    mn_text_free(c, &listing);
    mn_scene *s = load_source(c, &(mn_scene_source){ .path = SCENE });
    assert_resolved(s, "velocity: [1, -20, 0]");
    mn_scene_destroy(&s);
    clear();
    test_context_end(&c);
}

/// As a file may have them by thousands: nothing is searched for each of them anew.
static void many_points_in_one_place_take_no_time(void **state)
{
    (void)state;
    enum { POINTS = 20000, BYTES = POINTS * 60 };
    mn_context *c    = test_context(1);
    char       *text = malloc(BYTES), *at = text;
    assert_non_null(text);
    at += sprintf(at, "%s", HEAD MATERIAL);
    for (int k = 0; k < POINTS; k++)
        at += sprintf(at, "<particle x=\"%d 0 0\" fixed=\"1\" group=\"%d\"/>\n", k % 2 * 5, k == 0 || k == POINTS - 1);
    at += sprintf(at, "<particle x=\"0 0 0\"/>\n<hair params=\"0\" start=\"0\" count=\"%d\"/></scene>", POINTS + 1);
    assert_true(at < text + BYTES);
    const clock_t begin   = clock();
    char         *listing = NULL;
    clear();
    put_file(XML, text);
    // From end to end all picks of the same parity lie in one place: no number of pieces will do, and none is kept.
    (void)mn_scene_import(c, XML, SCENE, &listing);
    assert_true((double)(clock() - begin) < 20.0 * CLOCKS_PER_SEC);
    mn_text_free(c, &listing);
    free(text);
    clear();
    test_context_end(&c);
}

static void yarn_turns_and_flows_arrive(void **state)
{
    (void)state;
    mn_context *c       = test_context(1);
    char       *listing = import_text(
              c, HEAD MATERIAL
              "<particle x=\"0 0 0\" fixed=\"3\" group=\"1\" v=\"0 0 3\"/>\n<particle x=\"0.1 0 0\" v=\"0 0 3\"/>\n<particle "
                    "x=\"0.2 0 0\" v=\"0 0 3\"/>\n"
                    "<particle x=\"0.3 0 0\" fixed=\"2\" v=\"0 0 3\"/>\n<particle x=\"9 9 9\"/>\n"
                    "<hair params=\"0\" start=\"0\" count=\"4\"/>\n"
                    "<particle x=\"1 0 0\" v=\"0 0 3\"/><particle x=\"1 0.01 0\" v=\"0 0 3\"/><particle x=\"1 0.1 0\" v=\"0 0 "
                    "3\"/>\n"
                    "<hair params=\"0\"><p i=\"5\"/><p i=\"6\"/><p i=\"7\"/></hair>\n"
                    "<script type=\"rotate\" x=\"1\" y=\"0\" z=\"0\" w=\"3.5\" start=\"0\" end=\"1\" group=\"1\" ox=\"0\" oy=\"2\" "
                    "oz=\"0\"/>\n"
                    "<script type=\"rotate\" x=\"1\" w=\"1\" start=\"0.5\" end=\"1.5\" group=\"1\" ox=\"0\" oy=\"2\" oz=\"0\"/>\n"
                    "<script type=\"translate\" x=\"1\" start=\"0\" end=\"1\" group=\"7\"/>\n"
                    "<distancefield usage=\"source\" type=\"sphere\" cy=\"4\" radius=\"0.5\"><duration start=\"0.25\" end=\"0.75\" "
                    "vy=\"-30\" maxvol=\"5\"/></distancefield>\n"
                    "<distancefield usage=\"terminator\" type=\"sphere\" radius=\"20\" inside=\"1\"/>\n"
                    "<distancefield usage=\"solid\" type=\"teapot\" radius=\"2\"/>\n<viewport cx=\"0\"/>\n</scene>\n");
    assert_listed(listing, "1 fabric with 6 vertices, 0 triangles and 2 yarns");
    assert_listed(listing,
                  "changed: a hair of 3 particles has segments shorter than it is thick, and 2 of them are kept");
    assert_listed(listing, "left out: 2 particles");
    assert_listed(listing, "not translated: fixed of <particle>, line 10 (the twist");
    assert_listed(listing, "not translated: <script>, line 16, and 1 more");
    assert_listed(listing, "not translated: maxvol of <duration>");
    assert_listed(listing, "not translated: <distancefield>, line 20");
    assert_listed(listing, "not translated: <viewport>, line 21");
    mn_text_free(c, &listing);
    mn_scene            *s = load_source(c, &(mn_scene_source){ .path = SCENE });
    const mn_fabric_def *f = mn_scene_fabric(s, 0);
    assert_true(f->mesh->strand_count == 2 && f->mesh->strand_radius[0] == 0.02 && f->velocity[2] == 3.0);
    assert_int_equal(f->pin_count, 1);
    assert_true(f->pins[0].twist && f->pins[0].motion.key_count == 2 && f->pins[0].motion.pivot[1] == 2.0);
    assert_near(f->pins[0].motion.keys[1].angle, 3.5, 1e-14);
    assert_resolved(s, "during: [0.25, 0.75]");
    assert_resolved(s, "sink:");
    mn_world *world;
    if (mn_scene_build(s, &world) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_world_destroy(&world);
    mn_scene_destroy(&s);
    clear();
    test_context_end(&c);
}

static void soft_pins_and_still_fabric(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char *listing = import_text(c, HEAD "<liquidinfo><solveSolid value=\"0\"/></liquidinfo>" MATERIAL PATCH "</scene>");
    mn_text_free(c, &listing);
    mn_scene *s    = load_source(c, &(mn_scene_source){ .path = SCENE });
    int64_t   held = 0;
    for (int k = 0; k < mn_scene_fabric(s, 0)->pin_count; k++)
        held += mn_thin_find_group(mn_scene_fabric(s, 0)->mesh, mn_scene_fabric(s, 0)->pins[k].group)->count;
    assert_int_equal(held, 4);  // nothing moves
    mn_scene_destroy(&s);
    listing = import_text(c, HEAD "<ElasticParameters><radius value=\"0.02\"/><youngsModulus "
                                  "value=\"1e6\"/><collisionMultiplier value=\"0.1\"/>"
                                  "<attachMultiplier value=\"0.5\"/></ElasticParameters>" PATCH "</scene>");
    mn_text_free(c, &listing);
    s                     = load_source(c, &(mn_scene_source){ .path = SCENE });
    const mn_pin_def *pin = &mn_scene_fabric(s, 0)->pins[0];
    assert_true(pin->kind == MN_PIN_SOFT);
    assert_near(pin->stiffness, 0.5 * 1e6 * cbrt(0.04 * 0.125 / 3.0), 1e-6);  // a corner with one triangle
    mn_scene_destroy(&s);
    clear();
    test_context_end(&c);
}

static void bad_files_are_refused_at_their_place_and_leave_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } rows[] = {
        { "", XML ":1:1: this is not well-formed XML: no element found" },
        { "<scene>\n  <duration time=\"1\">\n</scene>", XML ":3:3: this is not well-formed XML: mismatched tag" },
        { "<scene>\n <a b=1/>\n</scene>", XML ":2:7: this is not well-formed XML: not well-formed" },
        { "<mujoco/>", XML ":1:1: a scene of libWetCloth begins with <scene>, not with <mujoco>" },
        { "<scene/>", XML ":1:1: the scene has no <duration>" },
        { "<scene>\n <duration time=\"1\"/>\n</scene>", XML ":1:1: the scene has no <integrator>" },
        { "<scene>\n <duration time=\"long\"/><integrator dt=\"1\"/>\n</scene>",
          XML ":2:2: 'time' of <duration> expects a number, not 'long'" },
        { "<scene><duration time=\"1\"/>\n<integrator dt=\"-1\"/></scene>",
          XML ":2:1: the step is -1, and must be above 0" },
        { "<scene><duration time=\"1\"/>\n<integrator dt=\"1e999\"/></scene>",
          XML ":2:1: 'dt' of <integrator> expects" },
        { HEAD "<liquidinfo><yazdchiPower value=\"7\"/></liquidinfo></scene>",
          XML ":6:1: yazdchiPower is 7, and must be from 1 to 2" },
        { HEAD "<particle x=\"1 2\"/></scene>", XML ":6:1: 'x' of <particle> expects 3 numbers, not '1 2'" },
        { HEAD MATERIAL "<particle x=\"1 2 3\"/>\n<cloth params=\"0\"><face i=\"0 1 2\"/></cloth></scene>",
          XML ":8:19: there is no particle 1; 1 are given" },
        { HEAD "<particle x=\"1 2 3\"/>\n<cloth params=\"0\"/></scene>",
          XML ":7:1: there are no ElasticParameters 0; 0 are given" },
        { HEAD MATERIAL "<hair params=\"0\" start=\"0\" count=\"1\"/></scene>",
          XML ":7:1: a hair needs two particles or more, not 1" },
        { HEAD "<distancefield usage=\"lamp\"/></scene>",
          XML ":6:1: 'usage' of <distancefield> is solid, source or terminator, not 'lamp'" },
        { HEAD "<distancefield type=\"sphere\"/></scene>", XML ":6:1: the field has no volume" },
        { HEAD "<distancefield type=\"union\" i=\"0\"/></scene>", XML ":6:1: there is no field 0 before this one" },
        { HEAD "<distancefield type=\"union\" i=\" \"/></scene>",
          XML ":6:1: a field made of others names none in 'i'" },
        { HEAD "<distancefield type=\"sphere\" radius=\"1e150\"/></scene>",
          XML ":6:1: a length of the field is 1e+150" },
        { HEAD "<distancefield type=\"cylinder\" radius=\"1\" halflength=\"1\" corner=\"2\"/></scene>",
          XML ":6:1: the field has no volume" },
        // Good by itself, but no scene takes a fabric like that: it is tried before it is written.
        { HEAD MATERIAL
          "<particle x=\"0 0 0\"/><particle x=\"0 0 0\"/><hair params=\"0\" start=\"0\" count=\"2\"/></scene>",
          XML ": the scene it makes would be refused, and is not written: " },
        { HEAD "<script type=\"translate\" start=\"1\" end=\"1\"/></scene>",
          XML ":6:1: the script ends at 1 s and starts at 1 s" },
    };
    mn_context *c = test_context(1);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char *listing = NULL;
        clear();
        put_file(XML, rows[k].text);
        assert_int_not_equal(mn_scene_import(c, XML, SCENE, &listing), MN_OK);
        assert_null(listing);
        if (strncmp(mn_context_error(c), rows[k].error, strlen(rows[k].error)) != 0)
            fail_msg("expected %s\ngot      %s", rows[k].error, mn_context_error(c));
        assert_true(!exists(SCENE) && !exists(MESH));
    }
    char *listing = NULL;
    put_file(XML, HEAD MATERIAL PATCH "</scene>");
    assert_int_equal(mn_scene_import(c, XML, "scene.txt", &listing), MN_ERR_ARGUMENT);
    assert_int_equal(mn_scene_import(c, "not-there.xml", SCENE, &listing), MN_ERR_FILE);
    assert_int_equal(mn_scene_import(c, XML, "no-such-folder/a.yaml", &listing), MN_ERR_FILE);
    assert_int_equal(mkdir(SCENE, 0755), 0);  // the meshes can be written, the scene cannot
    assert_int_not_equal(mn_scene_import(c, XML, SCENE, &listing), MN_OK);
    assert_true(!exists(MESH));
    assert_int_equal(rmdir(SCENE), 0);
    clear();
    test_context_end(&c);
}

/// A refused import leaves no file; one that is not leaves its scene and its mesh.
static mn_status import_scene(failing_memory *m, void *context)
{
    char           *listing = NULL;
    const mn_status status  = mn_scene_import(context, XML, SCENE, &listing);
    grant_all(m);
    assert_true((listing != NULL) == (status == MN_OK));
    mn_text_free(context, &listing);
    assert_true(exists(SCENE) == (status == MN_OK) && exists(MESH) == (status == MN_OK));
    return status;
}

static void an_import_survives_every_failing_allocation(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    mn_context    *c      = failing_context(&memory);
    clear();
    put_file(XML, HEAD LIQUID "<ElasticParameters><attachMultiplier value=\"7\"/></ElasticParameters>" PATCH
                              "<distancefield usage=\"source\" type=\"box\" ex=\"2\" ey=\"2\" ez=\"2\" "
                              "radius=\"1\"/><distancefield type=\"union\" i=\"0\"/><lamp/></scene>");
    assert_true(survives_every_failing_allocation(&memory, import_scene, c, NULL) > 4);
    clear();
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_liquid_and_obstacles_arrive),
        cmocka_unit_test(shapes_have_their_volume),
        cmocka_unit_test(sources_keep_their_velocity_and_what_is_lost_is_named),
        cmocka_unit_test(many_points_in_one_place_take_no_time),
        cmocka_unit_test(yarn_turns_and_flows_arrive),
        cmocka_unit_test(soft_pins_and_still_fabric),
        cmocka_unit_test(an_import_survives_every_failing_allocation),
        cmocka_unit_test(bad_files_are_refused_at_their_place_and_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
