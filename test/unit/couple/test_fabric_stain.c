// SPDX-License-Identifier: MPL-2.0
// Stains on simulated cloth: they follow it as it stretches, weigh on it and push it.
#include "unit/world/worlds.h"

#include <meniscus/meniscus.h>

#include <string.h>

#define INK                                                                                                          \
    "materials:\n  ink: {kind: pigment, absorbance: [0.3, 0.3, 0.1], adsorption: {law: langmuir, rate: 2, release: " \
    "0.1, capacity: 0.001}}\n"

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
    while (mn_world_time(w) < end) assert_int_equal(mn_world_step(w, end), MN_OK);
}

static const char hanging
    [] = "format: 1\ndomain: {cell: 1}\ntime: {end: 1, frame_rate: 50, dt_max: 2e-3}\nmaterials: {light: {kind: "
         "fabric, thickness: 0.01}}\n"
         "fabrics:\n  cloth: {material: light, sheet: {size: [10, 10], spacing: 1}, pins: {border: {motion: fixed}}}\n"
         "stains:\n  spot: {on: cloth, two_way: %s, spread: 0, absorption: {rate: 0}, evaporation: {rate: 0},\n"
         "         drops: {one: {inside: {sphere: {radius: 3}}, density: 0.3}}}\n";

static double sag(mn_context *c, const char *two_way)
{
    char text[1024];
    snprintf(text, sizeof text, hanging, two_way);
    mn_world *w = build(c, text);
    run_until(w, 0.1);
    const mn_fabric_view f   = mn_world_fabric(w, 0);
    double               low = 0.0;
    for (int64_t v = 0; v < f.position.count; v++) low = fmin(low, f.position.y[v]);
    mn_world_destroy(&w);
    return -low;
}

static void liquid_weighs_on_its_cloth(void **state)
{
    (void)state;
    mn_context  *c     = test_context(1);
    const double alone = sag(c, "false"), loaded = sag(c, "true");
    assert_true(loaded > 1.2 * alone);
    test_context_end(&c);
}

static const char gliding[] = "format: 1\ndomain: {cell: 1, gravity: [0, 0, 0]}\n"
                              "time: {end: 1, frame_rate: 50, dt_max: 1e-2}\nmaterials: {light: {kind: fabric, "
                              "thickness: 0.01}}\n"
                              "fabrics:\n  cloth: {material: light, sheet: {size: [10, 10], spacing: 1}}\n"
                              "stains:\n  spot: {on: cloth, two_way: true, step: 0.01, friction: 1, drag: 5,\n"
                              "         drops: {one: {inside: {sphere: {radius: 3}}, density: 0.3, velocity: [20, 0, "
                              "7]}}}\n";

/// A cloth at rest, free and flat: after one step it has the momentum that friction took from the film.
static void what_friction_takes_the_cloth_gets(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = build(c, gliding);
    run_until(w, 0.01);
    const mn_fabric     *q     = &w->fabric;
    const mn_stain_film *film  = w->stains.list[0].film;
    mn_vec3              given = mn_v3(0.0, 0.0, 0.0), has = given;
    for (int64_t v = 0; v < film->surface->vertex_count; v++) given = mn_add3(given, film->impulse[v]);
    for (int64_t v = 0; v < q->vertices.count; v++) {  // with the film where it is now
        const double mass = q->mass[v] + q->load[v];
        has               = mn_add3(has, mn_scale3(mass, mn_v3(q->vertices.velocity[0][v], q->vertices.velocity[1][v],
                                                               q->vertices.velocity[2][v])));
    }
    assert_less(1.0, given.x);
    assert_near(mn_norm3(mn_sub3(has, given)), 0.0, 1e-12 * mn_norm3(given));
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// A soft cloth that its border holds sags under its weight and gets longer; the stain on it spreads over the longer
/// one.
static const char sagging
    [] = "format: 1\ndomain: {cell: 1}\ntime: {end: 1, frame_rate: 50, dt_max: 2e-3}\n" INK
         "  soft: {kind: fabric, thickness: 0.05, youngs_modulus: 1e5}\n"
         "fabrics:\n  cloth: {material: soft, sheet: {size: [10, 10], spacing: 1}, pins: {border: {motion: fixed}}}\n"
         "stains:\n  spot: {on: cloth, pigments: [ink], spread: 0.2, drops: {one: {inside: {sphere: {radius: 3}}, "
         "density: 0.05, solutes: {ink: 0.1}}}}\n";

static double cloth_area(const mn_stain_view *s)
{
    double sum = 0.0;
    for (int64_t t = 0; t < s->triangle_count; t++) {
        double e[2][3];
        for (int k = 0; k < 2; k++)
            for (int a = 0; a < 3; a++)
                e[k][a] = s->position[s->triangle[t][k + 1]][a] - s->position[s->triangle[t][0]][a];
        sum += 0.5 *
               sqrt(pow(e[0][1] * e[1][2] - e[0][2] * e[1][1], 2.0) + pow(e[0][2] * e[1][0] - e[0][0] * e[1][2], 2.0) +
                    pow(e[0][0] * e[1][1] - e[0][1] * e[1][0], 2.0));
    }
    return sum;
}

static void stains_follow_simulated_cloth_that_stretches(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_world   *w = build(c, sagging);
    run_until(w, 0.1);
    const mn_stain_view s        = mn_world_stain(w, 0);
    const mn_ledger     l        = mn_world_ledger(w);
    double              measured = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) measured += s.area[v];
    assert_less(103.0, cloth_area(&s));
    assert_near(measured / cloth_area(&s), 1.0, 0.01);
    assert_less(fabs(l.liquid_error), 1e-13);
    assert_less(fabs(l.solute_error), 1e-13);
    mn_world_destroy(&w);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(liquid_weighs_on_its_cloth),
        cmocka_unit_test(what_friction_takes_the_cloth_gets),
        cmocka_unit_test(stains_follow_simulated_cloth_that_stretches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
