// SPDX-License-Identifier: MPL-2.0
// Stains in a world: budgets, resume, threads, motion of the cloth, what is refused.
#include "testing.h"

#include "unit/output/folder.h"
#include "world/world.h"

#include <meniscus/meniscus.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INK                                                                                                          \
    "materials:\n  ink: {kind: pigment, absorbance: [0.3, 0.3, 0.1], adsorption: {law: langmuir, rate: 2, release: " \
    "0.1, capacity: 0.001}}\n"                                                                                       \
    "  dye: {kind: pigment, absorbance: [0.1, 0.4, 0.3], adsorption: {law: linear, rate: 0.5, capacity: 0.0005}}\n"

static const char turning[] = "format: 1\ndomain: {cell: 0.5}\ntime: {end: 1, frame_rate: 30}\n" INK
                              "stains:\n  spot:\n    disc: {diameter: 12, spacing: 0.5}\n    motion: {spin: [0, 120, "
                              "0]}\n    pigments: [ink, dye]\n"
                              "    patches: {all: {rates: [20, 1], weft: [1, 0, 1]}}\n"
                              "    drops: {one: {inside: {sphere: {radius: 2}}, density: 0.05, solutes: {ink: 0.1, "
                              "dye: 0.05}, outward: 5, ragged: 0.5}}\n"
                              "    sources: {two: {inside: {sphere: {center: [3, 0, 0], radius: 1}}, density: 0.02, "
                              "solutes: {ink: 0.2}, during: [0.1, 0.3]}}\n";

static mn_scene *load(mn_context *c, const char *text)
{
    mn_scene_source source = { .text = text, .bytes = strlen(text) };
    mn_scene       *scene  = NULL;
    if (mn_scene_load(c, &source, &scene) != MN_OK) fail_msg("%s", mn_context_error(c));
    return scene;
}

static mn_world *build(mn_context *c, const char *text)
{
    mn_scene *scene = load(c, text);
    mn_world *w     = NULL;
    if (mn_scene_build(scene, &w) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_scene_destroy(&scene);
    return w;
}

static void run_until(mn_world *w, double end)
{
    while (mn_world_time(w) < end) assert_int_equal(mn_world_step(w, end), MN_OK);
}

static void budgets_close(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_world   *w = build(c, turning);
    run_until(w, 0.5);
    const mn_ledger l = mn_world_ledger(w);
    assert_true(l.liquid_stain > 0.1 && l.liquid_evaporated > 0.0 && l.solute_total > 0.01);
    assert_less(fabs(l.liquid_error), 1e-12);
    assert_less(fabs(l.solute_error), 1e-12);
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              ink = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        assert_true(s.free[v] >= 0.0 && s.held[v] >= 0.0 && mn_stain_view_pigment(&s, 0, v) >= 0.0);
        ink += mn_stain_view_pigment(&s, 0, v) + mn_stain_view_pigment(&s, 1, v);
    }
    assert_near(ink, l.solute_total, 1e-12 * ink);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static uint64_t hash_after(int threads, double end)
{
    mn_context *c = test_context(threads);
    mn_world   *w = build(c, turning);
    run_until(w, end);
    const uint64_t hash = mn_world_hash(w);
    mn_world_destroy(&w);
    test_context_end(&c);
    return hash;
}

static void threads_do_not_show(void **state)
{
    (void)state;
    const uint64_t one = hash_after(1, 0.2);
    assert_true(hash_after(2, 0.2) == one);
    assert_true(hash_after(3, 0.2) == one);
}

static void a_saved_state_goes_on_alike(void **state)
{
    (void)state;
    const char *path = "stains_resume.state";
    mn_context *c    = test_context(1);
    mn_world   *a = build(c, turning), *b = build(c, turning);
    run_until(a, 1.0 / 30.0);  // between two steps of the film
    assert_int_equal(mn_world_save(a, path), MN_OK);
    run_until(a, 0.2);
    if (mn_world_load(b, path) != MN_OK) fail_msg("%s", mn_context_error(c));
    run_until(b, 0.2);
    assert_true(mn_world_hash(a) == mn_world_hash(b));
    unlink(path);
    mn_world_destroy(&a);
    mn_world_destroy(&b);
    test_context_end(&c);
}

static const char beside[] = "format: 1\ndomain: {cell: 0.5, bounds: [[-4, 0, -4], [4, 4, 4]]}\n"
                             "time: {end: 1, frame_rate: 50, dt_max: 4e-3}\n" INK
                             "liquids: {pool: {material: water, fill: {below: 1}}}\n"
                             "stains:\n  spot: {sheet: {size: [4, 4], spacing: 0.5}, motion: {spin: [0, 120, 0]}, "
                             "pigments: [ink], drops: {one: {inside: {sphere: {radius: 1}}, density: 0.05}}}\n";

static uint64_t film_hash(mn_world *w)
{
    mn_stained_cloth *s = &w->stains.list[0];
    uint64_t          h = 1;
    mn_stains_blocks(s);
    for (int k = 0; k < s->block_count; k++)
        h = mn_fields_hash(&s->block[k].table, &s->block[k].first, s->block[k].count, h);
    return h;
}

/// The solve of the pressure comes before the films: what they did in the step before it is not taken back.
static void a_step_given_up_before_the_films_leaves_them_as_they_are(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = build(c, beside);
    run_until(w, 0.02);
    const uint64_t before                      = film_hash(w);
    const double   steps                       = w->stains.list[0].steps;
    w->liquid.model.solver.pressure_tolerance  = 1e-15;  // cannot be reached in one iteration
    w->liquid.model.solver.pressure_iterations = 1;
    assert_int_equal(mn_world_step(w, 0.04), MN_ERR_SOLVE);
    assert_true(steps == 2.0 && w->stains.list[0].steps == 2.0);
    assert_true(film_hash(w) == before);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Middle of the liquid, seen from the world.
static void middle(const mn_world *w, double out[3])
{
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              sum = 0.0;
    memset(out, 0, 3 * sizeof *out);
    for (int64_t v = 0; v < s.vertex_count; v++) {
        sum += s.free[v];
        for (int a = 0; a < 3; a++) out[a] += s.free[v] * s.position[v][a];
    }
    for (int a = 0; a < 3; a++) out[a] /= sum;
}

static const char sliding[] = "format: 1\ndomain: {cell: 0.5, gravity: [0, 0, 0]}\ntime: {end: 1, frame_rate: 50}\n"
                              "stains:\n  spot:\n    sheet: {size: [24, 24], spacing: 0.4}\n    motion: {spin: [0, 90, "
                              "0]}\n    spread: 0\n    friction: 0\n"
                              "    absorption: {rate: 0}\n    evaporation: {rate: 0}\n"
                              "    drops: {one: {inside: {sphere: {center: [3, 0, 0], radius: 1.5}}, density: 0.05}}\n";

/// Liquid at rest on a turning cloth that nothing holds flies straight on (stain.C12).
static void free_liquid_flies_straight(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    mn_world    *w = build(c, sliding);
    double       x[3], first[3];
    const double omega = 0.5 * 3.14159265358979323846, end = 0.6;
    middle(w, first);
    run_until(w, end);
    middle(w, x);
    // It starts with the speed of the cloth under it: omega x r, along -z for a turn about y.
    const double path = omega * first[0] * end;
    assert_less(hypot(x[0] - first[0], x[2] + path), 0.05 * path);
    mn_world_destroy(&w);
    test_context_end(&c);
}

#define PINNED(more)                                                                                                \
    "format: 1\ndomain: {cell: 0.5}\ntime: {end: 1, frame_rate: 50}\n" INK                                          \
    "stains:\n  spot:\n    disc: {diameter: 4, spacing: 0.1}\n    pigments: [dye]\n    step: 0.05\n    spread: 5\n" \
    "    absorption: {rate: 0}\n    evaporation: {rate: 0.002}\n"                                                   \
    "    drops: {one: {inside: {sphere: {radius: 1.2}}, density: 0.02, solutes: {dye: 0.01}, pinned: true, "        \
    "contact_angle: 30}" more "}\n"

/// A pinned drop keeps its contact line and the shape of a cap, and is gone after density / rate, 10 s (stain 5.9).
static void a_pinned_drop_stays_a_cap(void **state)
{
    (void)state;
    mn_context   *c    = test_context(2);
    mn_world     *w    = build(c, PINNED(""));
    mn_stain_view s    = mn_world_stain(w, 0);
    double        full = 0.0, left = 0.0, middle_height = 0.0;
    uint8_t      *wet = calloc((size_t)s.vertex_count, 1);
    for (int64_t v = 0; v < s.vertex_count; v++) full += s.free[v], wet[v] = s.free[v] > 0.0;
    assert_near(full, 0.02 * 3.14159265358979323846 * 1.44, 0.01 * full);
    run_until(w, 5.0);
    s = mn_world_stain(w, 0);
    for (int64_t v = 0; v < s.vertex_count; v++) {
        left += s.free[v];
        assert_true(wet[v] == (s.free[v] > 0.0));
        if (hypot(s.position[v][0], s.position[v][2]) < 0.05) middle_height = s.free[v] / s.area[v];
    }
    assert_near(left, 0.5 * full, 1e-9 * full);
    assert_near(middle_height, 2.0 * 0.02 * 0.5, 0.02 * 0.02);  // twice the mean
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double r = hypot(s.position[v][0], s.position[v][2]) / 1.2;
        if (r < 0.9) assert_near(s.free[v] / s.area[v], middle_height * (1.0 - r * r), 0.02 * middle_height);
    }
    run_until(w, 10.1);
    const mn_ledger l = mn_world_ledger(w);
    assert_less(l.liquid_stain, 2e-3 * full);  // what lags behind in the middle
    assert_less(fabs(l.liquid_error), 1e-12);
    assert_less(fabs(l.solute_error), 1e-12);
    free(wet);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void a_pinned_drop_resumes_alike(void **state)
{
    (void)state;
    const char *path = "stains_pinned.state";
    mn_context *c    = test_context(1);
    mn_world   *a = build(c, PINNED("")), *b = build(c, PINNED(""));
    run_until(a, 0.5);
    assert_int_equal(mn_world_save(a, path), MN_OK);
    run_until(a, 1.0);
    if (mn_world_load(b, path) != MN_OK) fail_msg("%s", mn_context_error(c));
    run_until(b, 1.0);
    assert_true(mn_world_hash(a) == mn_world_hash(b));
    unlink(path);
    mn_world_destroy(&a);
    mn_world_destroy(&b);
    test_context_end(&c);
}

static void pinned_drops_do_not_share_a_place(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_scene
             *scene = load(c,
                           PINNED(
                               ", two: {inside: {sphere: {center: [1, 0, 0], radius: 0.5}}, density: 0.01, pinned: true}"));
    mn_world *w     = NULL;
    assert_int_equal(mn_scene_build(scene, &w), MN_ERR_SCENE);
    assert_non_null(strstr(mn_context_error(c), "another pinned drop"));
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

static const char bursting
    [] = "format: 1\ndomain: {cell: 0.5, gravity: [0, 0, 0]}\ntime: {end: 1, frame_rate: 50}\n"
         "stains:\n  spot:\n    sheet: {size: [40, 40], spacing: 0.5}\n    spread: 0.02\n    friction: 0\n    drag: 4\n"
         "    absorption: {rate: 0}\n    evaporation: {rate: 0}\n"
         "    drops: {one: {inside: {sphere: {radius: 3}}, density: 0.05, outward: 40}}\n";

/// Mean distance of the liquid from the middle.
static double mean_distance(const mn_world *w)
{
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              sum = 0.0, far = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++)
        sum += s.free[v], far += s.free[v] * hypot(s.position[v][0], s.position[v][2]);
    return far / sum;
}

/// A drop that bursts grows by u / drag (1 - exp(-drag t)): dry cloth ahead of it must not stop it.
static void a_splash_is_slowed_by_drag_alone(void **state)
{
    (void)state;
    mn_context  *c     = test_context(1);
    mn_world    *w     = build(c, bursting);
    const double first = mean_distance(w), grows = 1.0 + 40.0 / 3.0 / 4.0 * (1.0 - exp(-4.0 * 0.2));
    run_until(w, 0.2);
    assert_near(mean_distance(w), first * grows, 0.05 * first * grows);
    mn_world_destroy(&w);
    test_context_end(&c);
}

static const char creeping[] = "format: 1\ndomain: {cell: 0.5}\ntime: {end: 20, frame_rate: 1}\n"
                               "stains:\n  spot:\n    sheet: {size: [20, 40], spacing: 0.5}\n    rotate: {axis: [1, 0, "
                               "0], angle: 90}\n    spread: 0.02\n    drag: 2000\n"
                               "    step: 0.1\n    absorption: {rate: 0}\n    evaporation: {rate: 0}\n    drops: {one: "
                               "{inside: {sphere: {center: [0, 10, 0], radius: 3}}, density: 0.05}}\n";

/// Where drag is far stronger than a step is short, liquid creeps with g / drag.
static void strong_drag_lets_liquid_creep(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = build(c, creeping);
    double      first[3], x[3];
    middle(w, first);
    run_until(w, 10.0);
    middle(w, x);
    assert_near(first[1] - x[1], 981.0 / 2000.0 * 10.0, 0.01 * 981.0 / 2000.0 * 10.0);
    mn_world_destroy(&w);
    test_context_end(&c);
}

// --- cloth that stretches --------------------------------------------------------------------------------------------

#define FRAMES 13
#define SIDE   9

/// A square of 8 cm that grows to 1.5 times its length along x within half a second, along a cubic.
static double length_at(double t) { return 1.0 + 0.5 * 2.0 * t * (2.0 * t) * (3.0 - 4.0 * t); }

static void write_frames(void)
{
    for (int k = 0; k < FRAMES; k++) {
        char name[64];
        snprintf(name, sizeof name, "stretching-%02d.obj", k);
        FILE *f = fopen(name, "w");
        assert_non_null(f);
        for (int v = 0; v < SIDE * SIDE; v++)
            fprintf(f, "v %.17g 0 %.17g\n", (v % SIDE - 4) * length_at(k / 24.0), (double)(v / SIDE - 4));
        for (int v = 0; v < SIDE * (SIDE - 1); v++)
            if (v % SIDE < SIDE - 1)
                fprintf(f, "f %d %d %d\nf %d %d %d\n", v + 1, v + SIDE + 1, v + SIDE + 2, v + 1, v + SIDE + 2, v + 2);
        assert_int_equal(fclose(f), 0);
    }
}

static void remove_frames(void)
{
    for (int k = 0; k < FRAMES; k++) {
        char name[64];
        snprintf(name, sizeof name, "stretching-%02d.obj", k);
        unlink(name);
    }
}

/// A film that nothing moves: what a vertex has stays there.
static const char stretching
    [] = "format: 1\ndomain: {cell: 0.5, gravity: [0, 0, 0]}\ntime: {end: 1, frame_rate: 24}\n" INK
         "stains:\n  spot:\n    files: {path: stretching-%02d.obj}\n    pigments: [ink, dye]\n    inertia: false\n    "
         "spread: 0\n    friction: 0\n"
         "    absorption: {rate: 0.5, capacity: 0.01}\n    evaporation: {rate: 0}\n    patches: {all: {rates: [10, 1], "
         "weft: [1, 0, 1]}}\n"
         "    drops: {one: {inside: {sphere: {radius: 2.5}}, density: 0.05, solutes: {ink: 0.1, dye: 0.05}}}\n";

static void masses_stay_at_their_vertices_as_files_stretch(void **state)
{
    (void)state;
    write_frames();
    mn_context         *c = test_context(1);
    mn_world           *w = build(c, stretching);
    double              area[SIDE * SIDE], liquid[SIDE * SIDE], pigment[SIDE * SIDE];
    const mn_stain_view before = mn_world_stain(w, 0);
    assert_int_equal(before.vertex_count, SIDE * SIDE);
    for (int v = 0; v < SIDE * SIDE; v++) {
        area[v]    = before.area[v];
        liquid[v]  = before.free[v] + before.held[v];
        pigment[v] = mn_stain_view_pigment(&before, 0, v);
    }
    run_until(w, 0.6);
    const mn_stain_view after = mn_world_stain(w, 0);
    for (int v = 0; v < SIDE * SIDE; v++) {
        assert_near(after.area[v] / area[v], 1.5, 0.015);  // measured anew with every percent
        assert_near(after.free[v] + after.held[v], liquid[v], 1e-15);
        assert_near(mn_stain_view_pigment(&after, 0, v), pigment[v], 1e-16);
    }
    const mn_ledger l = mn_world_ledger(w);
    assert_less(fabs(l.liquid_error), 1e-13);
    assert_less(fabs(l.solute_error), 1e-13);
    mn_world_destroy(&w);
    test_context_end(&c);
    remove_frames();
}

/// The same with everything that moves liquid; spreads are those of the stretched cloth, and a saved state goes on
/// alike.
static const char running[] = "format: 1\ndomain: {cell: 0.5}\ntime: {end: 1, frame_rate: 24}\n" INK
                              "stains:\n  spot:\n    files: {path: stretching-%02d.obj}\n    pigments: [ink, dye]\n    "
                              "spread: 0.5\n    drag: 20\n"
                              "    patches: {all: {rates: [10, 1], weft: [1, 0, 1]}}\n"
                              "    drops: {one: {inside: {sphere: {radius: 2.5}}, density: 0.05, solutes: {ink: 0.1, "
                              "dye: 0.05}, velocity: [10, 0, 5]}}\n";

static void budgets_close_and_saved_states_go_on_as_files_stretch(void **state)
{
    (void)state;
    const char *path = "stretching_resume.state";
    write_frames();
    mn_context *c = test_context(1);
    mn_world   *a = build(c, running), *b = build(c, running);
    run_until(a, 0.3);
    assert_int_equal(mn_world_save(a, path), MN_OK);
    run_until(a, 0.6);
    const mn_ledger l = mn_world_ledger(a);
    assert_less(fabs(l.liquid_error), 1e-13);
    assert_less(fabs(l.solute_error), 1e-13);
    assert_near(mn_world_stain(a, 0).area[SIDE * SIDE / 2], 1.5, 0.015);
    if (mn_world_load(b, path) != MN_OK) fail_msg("%s", mn_context_error(c));
    run_until(b, 0.6);
    assert_true(mn_world_hash(a) == mn_world_hash(b));
    unlink(path);
    mn_world_destroy(&a);
    mn_world_destroy(&b);
    test_context_end(&c);
    remove_frames();
}

/// The scene of a run, its identity, and whether an earlier run in `out` goes on with it.
static uint64_t try_resume(mn_context *c, const char *text, const char *out, bool resume, mn_status *status)
{
    mn_scene  *scene = load(c, text);
    mn_run    *run   = NULL;
    mn_run_def def   = mn_run_def_default();
    def.out          = out;
    def.resume       = resume;
    def.frames       = resume ? 4 : 2;
    *status          = mn_run_create(c, scene, &def, &run);
    if (*status == MN_OK) *status = mn_run_advance(run);
    if (run != NULL) assert_int_equal(mn_run_destroy(&run), MN_OK);
    const uint64_t identity = mn_scene_identity(scene);
    mn_scene_destroy(&scene);
    return identity;
}

/// A run on files goes on only with the same files: one of them, not even reached yet, is moved by a hair.
static void changed_files_are_noticed(void **state)
{
    (void)state;
    char        out[64], inner[96];
    mn_status   status;
    mn_context *c = test_context(1);
    test_folder(out);
    snprintf(inner, sizeof inner, "%s/run", out);
    write_frames();
    const uint64_t first = try_resume(c, running, inner, false, &status);
    if (status != MN_OK) fail_msg("%s", mn_context_error(c));
    FILE *f = fopen("stretching-11.obj", "r+");
    assert_non_null(f);
    char was[3];
    assert_int_equal(fread(was, 1, 3, f), 3);
    rewind(f);
    fputs("v  ", f);  // a blank more and a digit less
    fclose(f);
    assert_true(try_resume(c, running, inner, true, &status) != first);
    assert_int_not_equal(status, MN_OK);
    assert_non_null(strstr(mn_context_error(c), "scene"));
    write_frames();
    assert_true(try_resume(c, running, inner, true, &status) == first);
    if (status != MN_OK) fail_msg("%s", mn_context_error(c));
    remove_frames();
    test_folder_remove(out);
    test_context_end(&c);
}

/// The weft turns from along x on the left to along z on the right; two drops show it.
static const char
    turning_weft[] = "format: 1\ndomain: {cell: 0.5, gravity: [0, 0, 0]}\ntime: {end: 1, frame_rate: 50}\n"
                     "stains:\n  spot:\n    sheet: {size: [40, 16], spacing: 0.8}\n    spread: 1\n    friction: 0\n    "
                     "absorption: {rate: 0}\n    evaporation: {rate: 0}\n"
                     "    patches: {all: {rates: [20, 1], wefts: {left: {at: [-10, 0, 0], along: [1, 0, 0]}, right: "
                     "{at: [10, 0, 0], along: [0, 0, 1]},\n"
                     "              a: {at: [-10, 0, 6], along: [1, 0, 0]}, b: {at: [-10, 0, -6], along: [1, 0, 0]},\n"
                     "              c: {at: [10, 0, 6], along: [0, 0, 1]}, d: {at: [10, 0, -6], along: [0, 0, 1]}}}}\n"
                     "    drops:\n      left: {inside: {sphere: {center: [-10, 0, 0], radius: 1}}, density: 0.05}\n"
                     "      right: {inside: {sphere: {center: [10, 0, 0], radius: 1}}, density: 0.05}\n";

static void wefts_turn_from_place_to_place(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = build(c, turning_weft);
    run_until(w, 1.0);
    const mn_stain_view s = mn_world_stain(w, 0);
    for (int side = -1; side <= 1; side += 2) {
        double all = 0.0, xx = 0.0, zz = 0.0;
        for (int64_t v = 0; v < s.vertex_count; v++) {
            const double x = s.position[v][0] - 10.0 * side, z = s.position[v][2];
            if (side * s.position[v][0] <= 0.0) continue;
            all += s.free[v], xx += s.free[v] * x * x, zz += s.free[v] * z * z;
        }
        const double along = side < 0 ? xx / all : zz / all, across = side < 0 ? zz / all : xx / all;
        assert_near(along, 2.0 * 2.0 * 20.0 / 21.0 + 0.25, 0.6);  // 2 S t and the drop's own
        assert_less(across, 1.0);
    }
    mn_world_destroy(&w);
    test_context_end(&c);
}

static void wrong_stains_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } wrong[] = {
        { "stains: {s: {on: cloht}}", "there is no fabric 'cloht'" },
        { "stains: {s: {sheet: {size: [4, 4], spacing: 1}, pigments: [rust]}}", "there is no material 'rust'" },
        { "stains: {s: {sheet: {size: [4, 4], spacing: 1}, drops: {a: {density: 0.1, solutes: {rust: 1}}}}}", "rust" },
        { "stains: {s: {sheet: {size: [4, 4], spacing: 1}, patches: {p: {weave: plaid}}}}", "weave" },
        { "stains: {s: {sheet: {size: [4, 4], spacing: 1}, carrier: fabric}}", "only a stain 'on' a fabric" },
        { "stains: {s: {sheet: {size: [4, 4], spacing: 1}, patches: {p: {weft: [1, 0, 0], wefts: {a: {at: [0, 0, 0], "
          "along: [1, 0, 0]}}}}}}",
          "not both" },
        { "stains: {s: {sheet: {size: [4, 4], spacing: 1}, patches: {p: {threads: 0.5}}}}",
          "'threads' belong to a 'weave'" },
        { "stains: {s: {files: {path: no-such-file-%04d.obj}}}", "these files cannot be taken" },
        { "stains: {s: {sheet: {size: [4, 4], spacing: 1}, evaporation: {rim: 0.5}}}", "'rim' must be" },
    };
    mn_context *c = test_context(1);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        mn_scene_source source = { .text = wrong[k].text, .bytes = strlen(wrong[k].text) };
        mn_scene       *scene  = NULL;
        assert_int_equal(mn_scene_load(c, &source, &scene), MN_ERR_SCENE);
        if (strstr(mn_context_error(c), wrong[k].says) == NULL) fail_msg("%s", mn_context_error(c));
        assert_null(scene);
    }
    test_context_end(&c);
}

static void a_drop_beside_the_cloth_is_refused(void **state)
{
    (void)state;
    mn_context *c     = test_context(1);
    mn_scene   *scene = load(c, "stains: {s: {sheet: {size: [4, 4], spacing: 1}, drops: {a: {density: 0.1, inside: "
                                  "{sphere: {center: [9, 0, 0], radius: 1}}}}}}");
    mn_world   *w     = NULL;
    assert_int_not_equal(mn_scene_build(scene, &w), MN_OK);
    assert_non_null(strstr(mn_context_error(c), "meets no vertex"));
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_close),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(a_saved_state_goes_on_alike),
        cmocka_unit_test(a_step_given_up_before_the_films_leaves_them_as_they_are),
        cmocka_unit_test(free_liquid_flies_straight),
        cmocka_unit_test(a_pinned_drop_stays_a_cap),
        cmocka_unit_test(a_pinned_drop_resumes_alike),
        cmocka_unit_test(pinned_drops_do_not_share_a_place),
        cmocka_unit_test(a_splash_is_slowed_by_drag_alone),
        cmocka_unit_test(strong_drag_lets_liquid_creep),
        cmocka_unit_test(masses_stay_at_their_vertices_as_files_stretch),
        cmocka_unit_test(budgets_close_and_saved_states_go_on_as_files_stretch),
        cmocka_unit_test(changed_files_are_noticed),
        cmocka_unit_test(wefts_turn_from_place_to_place),
        cmocka_unit_test(wrong_stains_are_refused),
        cmocka_unit_test(a_drop_beside_the_cloth_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
