// SPDX-License-Identifier: MPL-2.0
// The part `obstacles` of a frame, of worlds made from scenes: own triangles, sharp edges, where they stand now.
#include "testing.h"

#include "math/vec.h"
#include "output/frames.h"
#include "output/vtp_read.h"

#include <meniscus/meniscus.h>

#include <stdio.h>
#include <string.h>

typedef struct stage {
    mn_context   *context;
    mn_scene     *scene;
    mn_world     *world;
    mn_frames    *frames;
    mn_frame_part part;
    int           warned;
} stage;

static void count_warning(mn_log_level level, const char *event, const char *text, void *user)
{
    stage *s = user;
    (void)text;
    s->warned += level == MN_LOG_WARNING && strcmp(event, "obstacle_rounded") == 0;
}

/// A world of a scene's text, with its first frame.
static void set_up(stage *s, const char *domain, const char *obstacles)
{
    char text[2048];
    snprintf(text, sizeof text,
             "format: 1\ndomain: {cell: \"5 mm\", gravity: [0, 0, 0], %s}\n"
             "time: {end: 1, frame_rate: 10, dt_max: 0.01}\nobstacles:\n%s",
             domain, obstacles);
    *s                 = (stage){ .warned = 0 };
    mn_context_def def = mn_context_def_default();
    def.threads        = 1;
    def.log            = count_warning;
    def.log_user       = s;
    assert_int_equal(mn_context_create(&def, &s->context), MN_OK);
    mn_scene_source source = { .text = text, .bytes = strlen(text) };
    if (mn_scene_load(s->context, &source, &s->scene) != MN_OK || mn_scene_build(s->scene, &s->world) != MN_OK)
        fail_msg("%s", mn_context_error(s->context));
    const mn_output_def output = mn_scene_output(s->scene);
    assert_int_equal(mn_frames_create(s->context, s->world, &output, &s->frames), MN_OK);
}

static void look(stage *s)
{
    const mn_frame_part *shown;
    int                  count;
    mn_frames_begin(s->frames);
    assert_int_equal(mn_frames_shown(s->frames, &shown, &count), MN_OK);
    s->part = (mn_frame_part){ .point_count = 0 };
    for (int k = 0; k < count; k++)
        if (strcmp(shown[k].name, "obstacles") == 0) s->part = shown[k];
}

static void strike(stage *s)
{
    mn_frames_destroy(&s->frames);
    mn_world_destroy(&s->world);
    mn_scene_destroy(&s->scene);
    mn_context_destroy(&s->context);
}

static mn_vec3 vector(const mn_frame_array *a, int64_t i)
{
    return mn_v3(mn_frame_array_value(a, i, 0), mn_frame_array_value(a, i, 1), mn_frame_array_value(a, i, 2));
}

static mn_vec3 normal_at(const stage *s, int64_t i) { return vector(mn_frame_array_find(&s->part, "normals"), i); }

/// Of the triangles of obstacle `which`, whose normals must be those of their corners within `turn` (rad).
static double volume_and_normals(const stage *s, int which, double turn, int *triangles, int *points)
{
    const mn_frame_array *owner  = mn_frame_array_find(&s->part, "obstacle");
    double                volume = 0.0;
    *triangles = *points = 0;
    for (int64_t i = 0; i < s->part.point_count; i++) *points += mn_frame_array_value(owner, i, 0) == which;
    for (int64_t t = 0; t < s->part.cell_count; t++) {
        const int32_t *v = s->part.cells + 3 * t;
        if (mn_frame_array_value(owner, v[0], 0) != which) continue;
        const mn_vec3 a = vector(&s->part.points, v[0]), b = vector(&s->part.points, v[1]),
                      c      = vector(&s->part.points, v[2]);
        const mn_vec3 across = mn_cross3(mn_sub3(b, a), mn_sub3(c, a));
        for (int k = 0; k < 3; k++)
            assert_true(mn_dot3(across, normal_at(s, v[k])) >= cos(turn) * mn_norm3(across) * (1.0 - 1e-12));
        volume += mn_dot3(a, mn_cross3(b, c)) / 6.0;
        ++*triangles;
    }
    return volume;
}

static void a_box_is_twelve_triangles_and_a_ball_two_thousand_points(void **state)
{
    (void)state;
    stage s;
    int   triangles, points;
    set_up(&s, "bounds: [[-5, -5, -5], [5, 5, 5]]",
           "  box: {shape: {box: {size: [1, 2, 3]}}, at: [3, 0, 0]}\n  ball: {shape: {sphere: {radius: 1}}}\n"
           "  floor: {shape: {plane: {}}, at: [0, -4, 0]}\n");
    look(&s);
    assert_near(volume_and_normals(&s, 0, 0.0, &triangles, &points), 6.0, 1e-12);
    assert_int_equal(triangles, 12);
    assert_int_equal(points, 24);  // each corner once for each of its sides
    assert_near(volume_and_normals(&s, 1, 0.08, &triangles, &points), 4.18879, 0.02);
    assert_true(points >= 1000 && points <= 3000);
    for (int64_t i = 0; i < s.part.point_count; i++)
        if (mn_frame_array_value(mn_frame_array_find(&s.part, "obstacle"), i, 0) == 1.0) {
            assert_near(mn_norm3(vector(&s.part.points, i)), 1.0, 1e-14);
            assert_true(mn_dot3(vector(&s.part.points, i), normal_at(&s, i)) > cos(0.05));
        }
    // The floor is cut a little outside of the domain, as the view is.
    assert_near(volume_and_normals(&s, 2, 0.0, &triangles, &points), 10.8 * 10.8 * 1.4, 1e-6);
    strike(&s);
}

static void a_moving_obstacle_is_drawn_where_it_stands(void **state)
{
    (void)state;
    stage s;
    int   triangles, points;
    set_up(&s, "bounds: [[-9, -9, -9], [9, 9, 9]]",
           "  wheel:\n    shape: {difference: [{cylinder: {radius: 2, height: 1}}, {box: {size: [1, 2, 1]}}]}\n"
           "    motion: {spin: [0, 0, \"3 rad/s\"], velocity: [10, 0, 0]}\n");
    look(&s);
    const double  before = volume_and_normals(&s, 0, 0.06, &triangles, &points);
    const int64_t count  = s.part.point_count;
    mn_vec3       rest[2000], normal[2000];
    assert_true(count > 100 && count < 2000);
    for (int64_t i = 0; i < count; i++) rest[i] = vector(&s.part.points, i), normal[i] = normal_at(&s, i);
    for (int k = 1; k <= 10; k++) assert_int_equal(mn_world_step(s.world, 0.01 * k), MN_OK);
    look(&s);
    assert_int_equal(s.part.point_count, count);
    const double  t      = mn_world_time(s.world);
    const mn_mat3 turned = mn_rotation3(mn_v3(0, 0, 1), 3.0 * t);
    assert_true(t > 0.01);
    for (int64_t i = 0; i < count; i++) {
        const mn_vec3 x = mn_add3(mn_mul3(turned, rest[i]), mn_v3(10.0 * t, 0, 0));
        assert_near(mn_norm3(mn_sub3(x, vector(&s.part.points, i))), 0.0, 1e-12);
        assert_near(mn_norm3(mn_sub3(mn_mul3(turned, normal[i]), normal_at(&s, i))), 0.0, 1e-12);
    }
    assert_near(volume_and_normals(&s, 0, 0.06, &triangles, &points), before, 1e-10);
    // 64 sides of a polygon, less a square hole.
    assert_near(before, 32.0 * 4.0 * sin(2.0 * 3.14159265358979 / 64.0) - 1.0, 1e-8);
    strike(&s);
}

static void worlds_of_two_dimensions_have_them_too(void **state)
{
    (void)state;
    stage s;
    int   triangles, points;
    set_up(&s, "dimension: 2, bounds: [[0, 0], [10, 10]]",
           "  post: {shape: {box: {size: [1, 2]}}, at: [5, 5]}\n  floor: {shape: {plane: {}}, at: [0, 1]}\n");
    look(&s);
    assert_near(volume_and_normals(&s, 0, 0.0, &triangles, &points), 2.0 * 1000.0, 1e-9);
    assert_int_equal(triangles, 12);
    assert_true(volume_and_normals(&s, 1, 0.0, &triangles, &points) > 10.0);
    strike(&s);
}

/// Two tetrahedra that go through each other, in one file: closed, but no surface of a solid.
static void a_mesh_that_crosses_itself_is_rounded_and_said_so(void **state)
{
    (void)state;
    stage       s;
    int         triangles, points;
    const char *path = "test_obstacle_parts.obj";
    FILE       *f    = fopen(path, "w");
    assert_non_null(f);
    for (int k = 0; k < 2; k++)
        fprintf(f, "v %g 0 0\nv %g 0 0\nv %g 2 0\nv %g 0.7 2\n", 0.5 * k, 2 + 0.5 * k, 0.5 * k, 0.6 + 0.5 * k);
    for (int k = 0; k < 8; k += 4)
        fprintf(f, "f %d %d %d\nf %d %d %d\nf %d %d %d\nf %d %d %d\n", k + 1, k + 3, k + 2, k + 1, k + 2, k + 4, k + 2,
                k + 3, k + 4, k + 3, k + 1, k + 4);
    fclose(f);
    set_up(&s, "bounds: [[-9, -9, -9], [9, 9, 9]]",
           "  odd: {shape: {difference: [{mesh: test_obstacle_parts.obj}, {sphere: {radius: 1}}]}}\n");
    look(&s);
    assert_int_equal(s.warned, 1);
    assert_true(volume_and_normals(&s, 0, 3.2, &triangles, &points) > 1.0 && triangles > 1000);
    strike(&s);
    set_up(&s, "bounds: [[-9, -9, -9], [9, 9, 9]]", "  odd: {shape: {mesh: test_obstacle_parts.obj}}\n");
    look(&s);  // alone it keeps its triangles
    assert_int_equal(s.warned, 0);
    volume_and_normals(&s, 0, 0.7, &triangles, &points);
    assert_int_equal(triangles, 8);
    strike(&s);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_twelve_triangles_and_a_ball_two_thousand_points),
        cmocka_unit_test(a_moving_obstacle_is_drawn_where_it_stands),
        cmocka_unit_test(worlds_of_two_dimensions_have_them_too),
        cmocka_unit_test(a_mesh_that_crosses_itself_is_rounded_and_said_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
