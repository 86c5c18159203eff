// SPDX-License-Identifier: MPL-2.0
// The pressure that frames show: rho g depth in a tank at rest, whatever the step, in two and three dimensions.
#include "testing.h"

#include "output/frames.h"
#include "world/state.h"

#include <meniscus/meniscus.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 8.0
#define CELL  1.0
#define RHO_G (1.26 * 981.0)

static mn_world *make_tank(mn_context *c, int dimension, double dt, mn_scene **scene)
{
    char text[1024];
    snprintf(text, sizeof text,
             "format: 1\ndomain: {dimension: %d, cell: %g, gravity: [0, -981, 0], bounds: %s}\ntime: {end: 1, "
             "frame_rate: 10, dt_max: %g}\n"
             "materials: {syrup: {kind: liquid, density: 1.26, viscosity: 0.1}}\n"
             "liquids: {pool: {material: syrup, fill: {below: %g}}}\n",
             dimension, CELL, dimension == 2 ? "[[-2, 0], [6, 12]]" : "[[-2, 0, 0], [6, 12, 8]]", dt, DEPTH);
    const mn_scene_source source = { .text = text, .bytes = strlen(text) };
    mn_world             *w      = NULL;
    if (mn_scene_load(c, &source, scene) != MN_OK || mn_scene_build(*scene, &w) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    return w;
}

static double *pressure_of(const mn_world *w, mn_liquid_view *v)
{
    *v                           = mn_world_liquid(w);
    double             *p        = malloc((size_t)v->count * sizeof *p);
    const double *const place[3] = { v->position.x, v->position.y, v->position.z };
    mn_world_pressure(w, place, 1, v->count, p);
    return p;
}

/// Cells below, and slope of the line through all points, as shares of rho g.
static void check_at_rest(const mn_world *w)
{
    mn_liquid_view v;
    double        *p = pressure_of(w, &v), n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int64_t i = 0; i < v.count; i++) {
        const double depth = DEPTH - v.position.y[i];
        assert_near(p[i] / RHO_G, depth, CELL);
        n++, x += depth, y += p[i] / RHO_G, xx += depth * depth, xy += depth * p[i] / RHO_G;
    }
    assert_near((n * xy - x * y) / (n * xx - x * x), 1.0, 0.05);
    assert_near((y - x) / n, 0.0, 0.25 * CELL);
    free(p);
}

static void pressure_is_that_of_the_depth(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < 2; k++) {
            mn_context    *c     = test_context(2);
            mn_scene      *scene = NULL;
            mn_world      *w     = make_tank(c, dimension, k == 0 ? 5e-3 : 1e-3, &scene);
            mn_liquid_view v;
            double        *p = pressure_of(w, &v);
            for (int64_t i = 0; i < v.count; i++) assert_true(p[i] == 0.0);  // no step yet
            free(p);
            while (mn_world_time(w) < 0.1) assert_int_equal(mn_world_step(w, 0.1), MN_OK);
            check_at_rest(w);
            mn_world_destroy(&w);
            mn_scene_destroy(&scene);
            test_context_end(&c);
        }
}

static void frames_have_it_at_particles_and_surface(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    mn_scene     *scene  = NULL;
    mn_world     *w      = make_tank(c, 3, 5e-3, &scene);
    mn_frames    *frames = NULL;
    mn_output_def output = mn_scene_output(scene);
    assert_true(output.field[MN_OUTPUT_PRESSURE]);
    while (mn_world_time(w) < 0.05) assert_int_equal(mn_world_step(w, 0.05), MN_OK);
    for (int wanted = 0; wanted < 2; wanted++) {
        output.field[MN_OUTPUT_PRESSURE] = wanted;
        assert_int_equal(mn_frames_create(c, w, &output, &frames), MN_OK);
        assert_int_equal(mn_frames_count(frames), 2);
        for (int k = 0; k < 2; k++) {
            mn_frame_part         part;
            const mn_frame_array *found = NULL;
            double                most  = 0.0;
            assert_int_equal(mn_frames_part(frames, k, &part), MN_OK);
            for (int a = 0; a < part.array_count; a++)
                if (strcmp(part.arrays[a].name, "pressure") == 0) found = &part.arrays[a];
            assert_true((found != NULL) == (wanted == 1));
            for (int64_t i = 0; wanted && i < part.point_count; i++)
                most = fmax(most, ((const double *)found->component[0])[i * found->stride]);
            if (wanted) assert_near(most / RHO_G, DEPTH, CELL);  // at the bottom
        }
        mn_frames_destroy(&frames);
    }
    mn_world_destroy(&w);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pressure_is_that_of_the_depth),
        cmocka_unit_test(frames_have_it_at_particles_and_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
