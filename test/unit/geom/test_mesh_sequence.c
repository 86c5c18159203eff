// SPDX-License-Identifier: MPL-2.0
// Sequences of meshes: splines through frames, their ends, repeated frames, point caches, and everything that can be
// wrong.
#include "testing.h"

#include "failing_memory.h"

#include "geom/mesh_sequence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER   "sequence-test"
#define VERTICES 4
#define MOST     400

typedef double motion_fn(double t, int v, int a);

static double cubic(double t, int v, int a) { return 9.0 * (a == v) + (1 + a) * t - (2 + v) * t * t + 0.7 * t * t * t; }
static double swing(double t, int v, int a)
{
    return (a == 0) * (v % 2) + (a == 1) * (v / 2) + (a == 2) * sin(6.0 * t + v);
}

static void clean(void)
{
    char path[128];
    for (int k = 0; k < MOST; k++) {
        snprintf(path, sizeof path, FOLDER "/m-%04d.obj", k);
        unlink(path);
        snprintf(path, sizeof path, FOLDER "/m-%d.ply", k);
        unlink(path);
    }
    unlink(FOLDER "/m.pc2");
    unlink(FOLDER "/m.obj");
    rmdir(FOLDER);
}

static int begin(void **state)
{
    (void)state;
    clean();
    return mkdir(FOLDER, 0777);
}

static int end(void **state)
{
    (void)state;
    clean();
    return 0;
}

static FILE *open_text(const char *path)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

static void write_frame(int number, motion_fn *motion, double t)
{
    char path[128];
    snprintf(path, sizeof path, FOLDER "/m-%04d.obj", number);
    FILE *f = open_text(path);
    for (int v = 0; v < VERTICES; v++)
        fprintf(f, "v %.17g %.17g %.17g\n", motion(t, v, 0), motion(t, v, 1), motion(t, v, 2));
    fprintf(f, "f 1 2 3\nf 2 4 3\n");
    fclose(f);
}

static void write_frames(motion_fn *motion, int first, int count, double rate)
{
    for (int k = 0; k < count; k++) write_frame(first + k, motion, k / rate);
}

static mn_mesh_sequence *open_sequence(mn_context *c, const char *path, const char *mesh, double rate, double start)
{
    mn_mesh_sequence_def def = mn_mesh_sequence_def_default();
    mn_mesh_sequence    *s   = NULL;
    def.path = path, def.mesh = mesh, def.rate = rate, def.start = start;
    if (mn_mesh_sequence_open(c, &def, &s) != MN_OK) fail_msg("%s", mn_context_error(c));
    return s;
}

static void at(mn_mesh_sequence *s, mn_context *c, double t, double x[VERTICES][3], double v[VERTICES][3],
               double a[VERTICES][3])
{
    if (mn_mesh_sequence_at(s, t, x, v, a) != MN_OK) fail_msg("%s", mn_context_error(c));
}

static void a_cubic_is_exact_to_its_ends(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      x[VERTICES][3], u[VERTICES][3], b[VERTICES][3];
    write_frames(cubic, 7, 41, 20.0);
    mn_mesh_sequence *s = open_sequence(c, FOLDER "/m-%04d.obj", NULL, 20.0, 1.0);
    assert_int_equal(mn_mesh_sequence_count(s), 41);
    assert_near(mn_mesh_sequence_time(s, 40), 3.0, 1e-15);
    assert_int_equal(mn_mesh_sequence_mesh(s)->triangle_count, 2);
    assert_near(mn_mesh_sequence_mesh(s)->vertex[3][1], cubic(0.0, 3, 1), 0.0);
    for (int k = 0; k <= 200; k++) {
        const double t = k / 100.0;
        at(s, c, 1.0 + t, x, u, b);
        for (int v = 0; v < VERTICES; v++)
            for (int a = 0; a < 3; a++) {
                assert_near(x[v][a], cubic(t, v, a), 1e-8);
                assert_near(u[v][a], (1 + a) - 2.0 * (2 + v) * t + 2.1 * t * t, 1e-6);
                assert_near(b[v][a], -2.0 * (2 + v) + 4.2 * t, 1e-5);
            }
    }
    at(s, c, 0.2, x, u, b);
    assert_near(x[2][0], cubic(0.0, 2, 0), 1e-8);
    assert_true(u[2][0] == 0.0 && b[2][0] == 0.0);
    at(s, c, 99.0, x, u, b);
    assert_near(x[2][0], cubic(2.0, 2, 0), 1e-8);
    assert_true(u[2][0] == 0.0 && b[2][0] == 0.0);
    mn_mesh_sequence_close(&s);
    mn_mesh_sequence_close(&s);
    test_context_end(&c);
}

/// Largest error of position and acceleration of the swing over its middle.
static void swing_errors(mn_context *c, int count, double rate, double *position, double *acceleration)
{
    double            x[VERTICES][3], b[VERTICES][3];
    mn_mesh_sequence *s = open_sequence(c, FOLDER "/m-%04d.obj", NULL, rate, 0.0);
    *position = *acceleration = 0.0;
    for (int k = 0; k < 500; k++) {
        const double t = (count - 1) / rate * (0.25 + 0.5 * k / 500.0);
        at(s, c, t, x, NULL, b);
        for (int v = 0; v < VERTICES; v++) {
            *position     = fmax(*position, fabs(x[v][2] - swing(t, v, 2)));
            *acceleration = fmax(*acceleration, fabs(b[v][2] + 36.0 * swing(t, v, 2)));
        }
    }
    mn_mesh_sequence_close(&s);
}

static void splines_have_their_order(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      x[2], b[2];
    for (int k = 0; k < 2; k++) {
        write_frames(swing, 0, (40 << k) + 1, 20 << k);
        swing_errors(c, (40 << k) + 1, 20 << k, &x[k], &b[k]);
    }
    print_message("error of position %.2e, %.2e; of acceleration %.2e, %.2e (36)\n", x[0], x[1], b[0], b[1]);
    assert_near(log2(x[0] / x[1]), 4.0, 0.3);
    assert_near(log2(b[0] / b[1]), 2.0, 0.3);
    test_context_end(&c);
}

/// Every frame twice, as if exported at double rate; and one frame in seven held. Without care accelerations are
/// spikes.
static void repeated_frames_make_no_spikes(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      x, b;
    for (int k = 0; k < 80; k++) write_frame(k, swing, k / 2 / 20.0);
    swing_errors(c, 80, 40.0, &x, &b);
    print_message("every frame twice: error of acceleration %.2e of 36\n", b);
    assert_less(b, 0.3);
    for (int k = 0; k < 80; k++) write_frame(k, swing, (k % 7 == 3 ? k - 1 : k) / 40.0);
    swing_errors(c, 80, 40.0, &x, &b);
    print_message("one in seven held: error of position %.2e, of acceleration %.2e of 36\n", x, b);
    assert_less(x, 1e-5);
    assert_less(b, 0.2);
    test_context_end(&c);
}

static void a_rest_is_a_rest(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      x[VERTICES][3], u[VERTICES][3];
    for (int k = 0; k < 60; k++) write_frame(k, swing, (k < 20 ? k : k < 40 ? 20 : k - 20) / 40.0);
    mn_mesh_sequence *s = open_sequence(c, FOLDER "/m-%04d.obj", NULL, 40.0, 0.0);
    at(s, c, 30.0 / 40.0, x, u, NULL);
    for (int v = 0; v < VERTICES; v++) {
        assert_near(x[v][2], swing(0.5, v, 2), 1e-5);
        assert_near(u[v][2], 0.0, 1e-4);
    }
    mn_mesh_sequence_close(&s);
    test_context_end(&c);
}

static void values_do_not_depend_on_the_order_of_questions(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      forward[30][VERTICES][3], x[VERTICES][3];
    for (int k = 0; k < 300; k++) write_frame(k, swing, (k % 7 == 3 ? k - 1 : k) / 40.0);
    mn_mesh_sequence *s = open_sequence(c, FOLDER "/m-%04d.obj", NULL, 40.0, 0.0);
    for (int k = 0; k < 30; k++) at(s, c, k * 0.2503, forward[k], NULL, NULL);
    for (int k = 29; k >= 0; k -= 2) {
        at(s, c, k * 0.2503, x, NULL, NULL);
        assert_memory_equal(x, forward[k], sizeof x);
    }
    mn_mesh_sequence_close(&s);
    test_context_end(&c);
}

static void long_sequences_need_a_window(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      x[VERTICES][3];
    int64_t     blocks[2];
    for (int part = 0; part < 2; part++) {
        const int count = part == 0 ? 120 : 360;
        write_frames(swing, 0, count, 40.0);
        mn_mesh_sequence *s = open_sequence(c, FOLDER "/m-%04d.obj", NULL, 40.0, 0.0);
        for (int k = 0; k < count; k++) at(s, c, k / 40.0, x, NULL, NULL);
        blocks[part] = mn_context_memory(c).blocks_now;
        mn_mesh_sequence_close(&s);
    }
    assert_int_equal(blocks[0], blocks[1]);
    test_context_end(&c);
}

static void few_frames_are_enough(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      x[VERTICES][3], u[VERTICES][3];
    for (int count = 1; count <= 3; count++) {
        write_frame(count - 1, cubic, 0.1 * (count - 1));
        mn_mesh_sequence *s = open_sequence(c, FOLDER "/m-%04d.obj", NULL, 10.0, 0.0);
        assert_int_equal(mn_mesh_sequence_count(s), count);
        for (int k = 0; k < count; k++) {
            at(s, c, 0.1 * k, x, u, NULL);
            assert_near(x[1][0], cubic(0.1 * k, 1, 0), 1e-7);
        }
        if (count == 1) assert_true(u[1][0] == 0.0);
        if (count == 2) assert_near(u[1][0], (cubic(0.1, 1, 0) - cubic(0.0, 1, 0)) / 0.1, 1e-7);  // a straight line
        mn_mesh_sequence_close(&s);
    }
    test_context_end(&c);
}

// --- point caches
// -----------------------------------------------------------------------------------------------------

static void put_word(FILE *f, uint32_t w)
{
    for (int k = 0; k < 4; k++) fputc((int)(w >> (8 * k) & 255u), f);
}

static void put_float(FILE *f, double value)
{
    const float x = (float)value;
    uint32_t    w;
    memcpy(&w, &x, sizeof w);
    put_word(f, w);
}

typedef struct cache_file {
    const char *magic;
    uint32_t    version, points, samples;
    double      spacing;
    int64_t     bytes;
    double      poison;
} cache_file;

/// A point cache of the swing at 30 frames a second, cut to `bytes`.
static void write_cache(cache_file h)
{
    FILE *f = open_text(FOLDER "/m.pc2");
    fwrite(h.magic, 1, 12, f);
    put_word(f, h.version);
    put_word(f, h.points);
    put_float(f, 0.0);
    put_float(f, h.spacing);
    put_word(f, h.samples);
    for (int k = 0; k < 40; k++)
        for (int v = 0; v < VERTICES; v++)
            for (int a = 0; a < 3; a++)
                put_float(f, k == 5 && v == 2 ? h.poison * swing(k / 30.0, v, a) : swing(k / 30.0, v, a));
    fclose(f);
    assert_int_equal(truncate(FOLDER "/m.pc2", h.bytes), 0);
}

#define WHOLE (32 + 40 * VERTICES * 12)

static void write_mesh(void)
{
    write_frame(0, swing, 0.0);
    assert_int_equal(rename(FOLDER "/m-0000.obj", FOLDER "/m.obj"), 0);
}

static void a_point_cache_moves_the_mesh(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      x[VERTICES][3], b[VERTICES][3];
    write_mesh();
    write_cache((cache_file){ "POINTCACHE2", 1, VERTICES, 40, 2.0, WHOLE, 1.0 });
    mn_mesh_sequence *s = open_sequence(c, FOLDER "/m.pc2", FOLDER "/m.obj", 60.0,
                                        0.0);  // two frames from sample to sample
    assert_int_equal(mn_mesh_sequence_count(s), 40);
    assert_near(mn_mesh_sequence_time(s, 30), 1.0, 1e-12);
    for (int k = 0; k < 100; k++) {
        const double t = 0.3 + 0.007 * k;
        at(s, c, t, x, NULL, b);
        for (int v = 0; v < VERTICES; v++) {
            assert_near(x[v][2], swing(t, v, 2), 2e-5);
            assert_near(b[v][2], -36.0 * swing(t, v, 2), 0.15);
        }
    }
    mn_mesh_sequence_close(&s);
    test_context_end(&c);
}

static void refused(mn_context *c, mn_mesh_sequence_def def, const char *said)
{
    mn_mesh_sequence *s      = (mn_mesh_sequence *)c;
    const int64_t     before = mn_context_memory(c).blocks_now;
    assert_int_not_equal(mn_mesh_sequence_open(c, &def, &s), MN_OK);
    assert_null(s);
    if (strstr(mn_context_error(c), said) == NULL) fail_msg("'%s' does not say '%s'", mn_context_error(c), said);
    assert_int_equal(mn_context_memory(c).blocks_now, before);
}

static void broken_point_caches_are_refused(void **state)
{
    (void)state;
    static const struct {
        cache_file  file;
        const char *said;
    } bad[] = {
        { { "POINTCACHE2", 1, VERTICES, 40, 1.0, 0, 1.0 }, "ends within the header" },
        { { "POINTCACHE2", 1, VERTICES, 40, 1.0, 31, 1.0 }, "ends within the header" },
        { { "POINTCACHE1", 1, VERTICES, 40, 1.0, WHOLE, 1.0 }, "POINTCACHE2" },
        { { "POINTCACHE2", 2, VERTICES, 40, 1.0, WHOLE, 1.0 }, "version is 2" },
        { { "POINTCACHE2", 1, VERTICES, 40, 1.0, WHOLE - 1, 1.0 }, "cut off" },
        { { "POINTCACHE2", 1, VERTICES, 40, 1.0, WHOLE + 4, 1.0 }, "but the file has" },
        { { "POINTCACHE2", 1, VERTICES, 41, 1.0, WHOLE, 1.0 }, "cut off" },
        { { "POINTCACHE2", 1, VERTICES, 0, 1.0, WHOLE, 1.0 }, "at least one" },
        { { "POINTCACHE2", 1, 0xffffffffu, 40, 1.0, WHOLE, 1.0 }, "at least one" },
        { { "POINTCACHE2", 1, 0x7fffffffu, 0x7fffffffu, 1.0, WHOLE, 1.0 }, "cut off" },
        { { "POINTCACHE2", 1, 2 * VERTICES, 20, 1.0, WHOLE, 1.0 }, "8 points, but its mesh has 4" },
        { { "POINTCACHE2", 1, VERTICES, 40, 0.0, WHOLE, 1.0 }, "above 0" },
    };
    mn_context          *c   = test_context(1);
    mn_mesh_sequence_def def = mn_mesh_sequence_def_default();
    def.path = FOLDER "/m.pc2", def.mesh = FOLDER "/m.obj";
    write_mesh();
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        write_cache(bad[k].file);
        refused(c, def, bad[k].said);
    }
    def.mesh = NULL;
    refused(c, def, "needs a mesh");
    write_cache((cache_file){ "POINTCACHE2", 1, VERTICES, 40, 1.0, WHOLE, INFINITY });
    mn_mesh_sequence *s = open_sequence(c, FOLDER "/m.pc2", FOLDER "/m.obj", 30.0, 0.0);
    double            x[VERTICES][3];
    assert_int_equal(mn_mesh_sequence_at(s, 0.0, x, NULL, NULL), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "point 2 of sample 5"));
    mn_mesh_sequence_close(&s);
    test_context_end(&c);
}

static void put_file(const char *path, const char *text)
{
    FILE *f = open_text(path);
    fputs(text, f);
    fclose(f);
}

static void broken_sequences_name_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } bad[] = {
        { "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "m-0005.obj:0:0: the file has 3 vertices and 1 triangles" },
        { "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 1\n", "m-0005.obj:0:0: triangle 2" },
        { "v 0 0 0\nv 1 0 0\nv 0 1", "m-0005.obj:3:6: a number is missing" },
        { "", "m-0005.obj:1:1: the file holds no triangles" },
    };
    mn_context          *c   = test_context(1);
    mn_mesh_sequence_def def = mn_mesh_sequence_def_default();
    double               x[VERTICES][3];
    write_frames(swing, 0, 12, 24.0);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        put_file(FOLDER "/m-0005.obj", bad[k].text);
        mn_mesh_sequence *s = open_sequence(c, FOLDER "/m-%04d.obj", NULL, 24.0, 0.0);
        assert_int_equal(mn_mesh_sequence_at(s, 0.2, x, NULL, NULL), MN_ERR_FILE);
        if (strstr(mn_context_error(c), bad[k].said) == NULL)
            fail_msg("'%s' does not say '%s'", mn_context_error(c), bad[k].said);
        write_frame(5, swing, 5.0 / 24.0);
        at(s, c, 0.2, x, NULL, NULL);  // a file that has been put right is read
        mn_mesh_sequence_close(&s);
    }
    unlink(FOLDER "/m-0005.obj");
    def.path = FOLDER "/m-%04d.obj";
    refused(c, def, "m-0005.obj:0:0: the file is missing; the sequence goes from 0 to 11");
    static const struct {
        const char *path, *said;
    } names[] = {
        { FOLDER "/m.obj", "cloth-%04d.obj" },
        { FOLDER "/m-%s.obj", "cloth-%04d.obj" },
        { FOLDER "/m-%4d.obj", "cloth-%04d.obj" },
        { FOLDER "/m-%n.obj", "cloth-%04d.obj" },
        { FOLDER "/m-%d-%d.obj", "cloth-%04d.obj" },
        { FOLDER "/m-%04d.stl", ".obj or .ply" },
        { FOLDER "/q-%04d.obj", "no file" },
        { "no-such-folder/m-%04d.obj", "folder cannot" },
        { "", "needs the name" },
        { FOLDER "/m.pc2", "needs a mesh" },
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        def.path = names[k].path;
        refused(c, def, names[k].said);
    }
    def.path = FOLDER "/m-%04d.obj", def.rate = 0.0;
    refused(c, def, ":0:0: rate is 0; it must be above 0 1/s");
    def.rate = 24.0, def.scale = NAN;
    refused(c, def, "scale");
    test_context_end(&c);
}

static void ply_and_plain_numbers_work(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      x[VERTICES][3];
    for (int k = 8; k < 12; k++) {  // 9 to 10: one digit more
        char text[512], path[64];
        snprintf(path, sizeof path, FOLDER "/m-%d.ply", k);
        snprintf(text, sizeof text,
                 "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float "
                 "z\nelement face 1\n"
                 "property list uchar int vertex_indices\nend_header\n0 0 %d\n1 0 %d\n1 1 %d\n0 1 %d\n4 0 1 2 3\n",
                 k, k, k, k);
        put_file(path, text);
    }
    mn_mesh_sequence_def def = mn_mesh_sequence_def_default();
    mn_mesh_sequence    *s   = NULL;
    def.path = FOLDER "/m-%d.ply", def.scale = 10.0;
    assert_int_equal(mn_mesh_sequence_open(c, &def, &s), MN_OK);
    assert_int_equal(mn_mesh_sequence_count(s), 4);
    at(s, c, 1.5 / 24.0, x, NULL, NULL);
    assert_near(x[2][2], 95.0, 1e-6);
    assert_near(x[2][0], 10.0, 1e-9);
    mn_mesh_sequence_close(&s);
    test_context_end(&c);
}

static mn_status play_sequence(failing_memory *m, void *context)
{
    double               x[VERTICES][3];
    mn_mesh_sequence    *s   = NULL;
    mn_mesh_sequence_def def = mn_mesh_sequence_def_default();
    def.path                 = FOLDER "/m-%04d.obj";
    mn_status status         = mn_mesh_sequence_open(context, &def, &s);
    (void)m;
    if (status == MN_OK) status = mn_mesh_sequence_at(s, 0.05, x, NULL, NULL);
    mn_mesh_sequence_close(&s);
    return status;
}

static void a_sequence_survives_every_failing_allocation(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    mn_context    *c      = failing_context(&memory);
    write_frames(swing, 0, 3, 24.0);
    assert_true(survives_every_failing_allocation(&memory, play_sequence, c, NULL) > 9);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_cubic_is_exact_to_its_ends, begin, end),
        cmocka_unit_test_setup_teardown(splines_have_their_order, begin, end),
        cmocka_unit_test_setup_teardown(repeated_frames_make_no_spikes, begin, end),
        cmocka_unit_test_setup_teardown(a_rest_is_a_rest, begin, end),
        cmocka_unit_test_setup_teardown(values_do_not_depend_on_the_order_of_questions, begin, end),
        cmocka_unit_test_setup_teardown(long_sequences_need_a_window, begin, end),
        cmocka_unit_test_setup_teardown(few_frames_are_enough, begin, end),
        cmocka_unit_test_setup_teardown(a_point_cache_moves_the_mesh, begin, end),
        cmocka_unit_test_setup_teardown(broken_point_caches_are_refused, begin, end),
        cmocka_unit_test_setup_teardown(broken_sequences_name_the_file, begin, end),
        cmocka_unit_test_setup_teardown(ply_and_plain_numbers_work, begin, end),
        cmocka_unit_test_setup_teardown(a_sequence_survives_every_failing_allocation, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
