// SPDX-License-Identifier: MPL-2.0
// A run of liquid, cloth and yarn in every format: what a reader of the format finds is what stands in the frames.
#include "export/formats.h"
#include "export/run_formats.h"
#include "small_run.h"

#include <math.h>

static mn_export_result export_to(fixture *f, mn_export_format format)
{
    mn_export_result result;
    if (mn_run_export(f->context, f->out, format, f->to, &result) != MN_OK)
        fail_msg("%s", mn_context_error(f->context));
    return result;
}

static void frames_copied_as_vtp_are_the_same_bytes(void **state)
{
    (void)state;
    fixture                f = set_up();
    const mn_export_result r = export_to(&f, MN_EXPORT_VTP);
    size_t                 a, b;
    char *from = read_text(&f, f.out, "frames/cloth.000002.vtp", &a), *to = read_text(&f, f.to, "cloth.000002.vtp", &b);
    assert_int_equal(a, b);
    assert_memory_equal(from, to, a);
    assert_int_equal(r.files, test_folder_count(f.to));
    mn_free(f.context, from);
    mn_free(f.context, to);
    char *list = read_text(&f, f.to, "run.pvd", &a);
    assert_non_null(strstr(list, "timestep=\"0.02\""));
    assert_non_null(strstr(list, "file=\"particles.000001.vtp\""));
    mn_free(f.context, list);
    tear_down(&f);
}

/// Where the rows begin; asserts a line of the head.
static const char *after_head(const char *text, const char *line)
{
    if (strstr(text, line) == NULL) fail_msg("'%s' is not in the head", line);
    const char *end = strstr(text, "end_header\n");
    assert_non_null(end);
    return end + strlen("end_header\n");
}

static void a_ply_holds_every_value(void **state)
{
    (void)state;
    fixture f = set_up();
    (void)export_to(&f, MN_EXPORT_PLY);
    size_t       bytes;
    char        *text = read_text(&f, f.to, "particles.000002.ply", &bytes), line[80];
    mn_vtp_part *part = read_frame_file(&f, "particles.000002.vtp");
    snprintf(line, sizeof line, "element vertex %lld\n", (long long)part->part.point_count);
    assert_non_null(strstr(text, "property float x\nproperty float y\nproperty float z\nproperty float vx\nproperty "
                                 "float vy\nproperty float vz\n"
                                 "property float volume\nproperty double id\nproperty float pressure\n"));
    const char  *rows = after_head(text, line);
    const size_t row  = 7 * 4 + 8 + 4;
    assert_int_equal(bytes - (size_t)(rows - text), row * (size_t)part->part.point_count);
    for (int64_t i = 0; i < part->part.point_count; i++) {
        float  value[7];
        double id;
        memcpy(value, rows + (size_t)i * row, sizeof value);
        memcpy(&id, rows + (size_t)i * row + sizeof value, sizeof id);
        for (int k = 0; k < 3; k++) {
            assert_true(value[k] == (float)mn_frame_array_value(&part->part.points, i, k));
            assert_true(value[3 + k] ==
                        (float)mn_frame_array_value(mn_frame_array_find(&part->part, "velocity"), i, k));
        }
        assert_true(value[6] == (float)mn_frame_array_value(mn_frame_array_find(&part->part, "volume"), i, 0));
        assert_true(id == mn_frame_array_value(mn_frame_array_find(&part->part, "id"), i, 0));
    }
    mn_free(f.context, text);
    mn_vtp_part_destroy(f.context, &part);
    tear_down(&f);
}

static void faces_and_edges_of_a_ply_join_the_points_of_the_frame(void **state)
{
    (void)state;
    fixture f = set_up();
    (void)export_to(&f, MN_EXPORT_PLY);
    size_t       bytes;
    char        *text = read_text(&f, f.to, "cloth.000001.ply", &bytes), line[80];
    mn_vtp_part *part = read_frame_file(&f, "cloth.000001.vtp");
    snprintf(line, sizeof line, "element face %lld\n", (long long)part->part.cell_count);
    (void)after_head(text, line);
    const char *faces = text + bytes - 13 * (size_t)part->part.cell_count;
    for (int64_t n = 0; n < part->part.cell_count; n++) {
        assert_int_equal(faces[13 * n], 3);
        assert_memory_equal(faces + 13 * n + 1, part->part.cells + 3 * n, 12);
    }
    mn_free(f.context, text);
    mn_vtp_part_destroy(f.context, &part);

    text = read_text(&f, f.to, "yarn.000001.ply", &bytes);
    part = read_frame_file(&f, "yarn.000001.vtp");
    int32_t *edges;
    int64_t  count;
    assert_int_equal(mn_part_edges(f.context, &part->part, &edges, &count), MN_OK);
    assert_int_equal(count, part->part.point_count - 1);
    for (int64_t k = 0; k < 2 * count; k++) assert_int_equal(edges[k], part->part.cells[(k + 1) / 2]);
    assert_memory_equal(text + bytes - 8 * (size_t)count, edges, 8 * (size_t)count);
    mn_free(f.context, edges);
    mn_free(f.context, text);
    mn_vtp_part_destroy(f.context, &part);
    tear_down(&f);
}

static void an_obj_reads_as_the_same_points_and_faces(void **state)
{
    (void)state;
    fixture f = set_up();
    (void)export_to(&f, MN_EXPORT_OBJ);
    size_t       bytes;
    char        *text   = read_text(&f, f.to, "cloth.000002.obj", &bytes);
    mn_vtp_part *part   = read_frame_file(&f, "cloth.000002.vtp");
    int64_t      points = 0, normals = 0, faces = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        float x[3];
        int   p[3], n[3];
        if (sscanf(line, "v %f %f %f", &x[0], &x[1], &x[2]) == 3) {
            for (int k = 0; k < 3; k++) assert_true(x[k] == (float)mn_frame_array_value(&part->part.points, points, k));
            points++;
        } else if (sscanf(line, "vn %f %f %f", &x[0], &x[1], &x[2]) == 3) {
            for (int k = 0; k < 3; k++)
                assert_true(x[k] ==
                            (float)mn_frame_array_value(mn_frame_array_find(&part->part, "normals"), normals, k));
            normals++;
        } else if (sscanf(line, "f %d//%d %d//%d %d//%d", &p[0], &n[0], &p[1], &n[1], &p[2], &n[2]) == 6) {
            for (int k = 0; k < 3; k++) assert_true(p[k] == n[k] && p[k] == part->part.cells[3 * faces + k] + 1);
            faces++;
        }
    }
    assert_int_equal(points, part->part.point_count);
    assert_int_equal(normals, points);
    assert_int_equal(faces, part->part.cell_count);
    mn_free(f.context, text);
    mn_vtp_part_destroy(f.context, &part);
    tear_down(&f);
}

static void a_point_cache_holds_all_frames_of_the_cloth(void **state)
{
    (void)state;
    fixture                f = set_up();
    const mn_export_result r = export_to(&f, MN_EXPORT_PC2);
    assert_true(r.files >= 2);
    size_t       bytes;
    char        *data = read_text(&f, f.to, "cloth.pc2", &bytes);
    mn_vtp_part *part = read_frame_file(&f, "cloth.000002.vtp");
    int32_t      number[3];
    float        start[2], x;
    assert_memory_equal(data, "POINTCACHE2", 12);
    memcpy(number, data + 12, 8);
    memcpy(start, data + 20, 8);
    memcpy(&number[2], data + 28, 4);
    assert_true(number[0] == 1 && number[1] == part->part.point_count && number[2] == 3 && start[0] == 0.0f &&
                start[1] == 1.0f);
    assert_int_equal(bytes, 32 + 3 * 12 * (size_t)part->part.point_count);
    memcpy(&x, data + 32 + 2 * 12 * (size_t)part->part.point_count + 8, 4);
    assert_true(x == (float)mn_frame_array_value(&part->part.points, 0, 2));
    mn_free(f.context, data);
    mn_vtp_part_destroy(f.context, &part);
    tear_down(&f);
}

/// The text after `from` of the first `what`.
static const char *find(const char *from, const char *what)
{
    const char *at = from == NULL ? NULL : strstr(from, what);
    if (at == NULL) fail_msg("'%s' is missing", what);
    return at + strlen(what);
}

static void usd_has_units_axes_rates_and_a_sample_a_frame(void **state)
{
    (void)state;
    fixture f = set_up();
    (void)export_to(&f, MN_EXPORT_USDA);
    size_t       bytes;
    char        *text = read_text(&f, f.to, "run.usda", &bytes);
    mn_vtp_part *part = read_frame_file(&f, "cloth.000002.vtp");
    (void)find(text, "metersPerUnit = 0.01");
    (void)find(text, "upAxis = \"Z\"");
    (void)find(text, "timeCodesPerSecond = 100");
    const char *mesh   = find(text, "def Mesh \"cloth\""),
               *sample = find(find(mesh, "point3f[] points.timeSamples = {"), "            2: [(");
    float x[3];
    assert_int_equal(sscanf(sample, "%f, %f, %f)", &x[0], &x[1], &x[2]), 3);
    for (int k = 0; k < 3; k++) assert_true(x[k] == (float)mn_frame_array_value(&part->part.points, 0, k));
    // What joins the points does not change: one sample.
    const char *indices = find(mesh, "faceVertexIndices.timeSamples = {\n            0: ["),
               *end     = strstr(indices, "}");
    assert_null(strstr(indices, "1: [") != NULL && strstr(indices, "1: [") < end ? indices : NULL);
    (void)find(mesh, "vector3f[] velocities.timeSamples");
    const char *curves = find(text, "def BasisCurves \"yarn\"");
    (void)find(curves, "uniform token type = \"linear\"");
    (void)find(curves, "float[] widths.timeSamples");
    const char *points = find(text, "def Points \"particles\"");
    (void)find(points, "int64[] ids.timeSamples");
    mn_free(f.context, text);
    mn_vtp_part_destroy(f.context, &part);
    tear_down(&f);
}

static void a_damaged_frame_is_left_out_and_said(void **state)
{
    (void)state;
    fixture          f = set_up();
    char             path[256];
    mn_export_result r;
    snprintf(path, sizeof path, "%s/frames/cloth.000001.vtp", f.out);
    assert_int_equal(truncate(path, 700), 0);
    r = export_to(&f, MN_EXPORT_PLY);
    assert_int_equal(r.skipped, 1);
    assert_non_null(strstr(r.reason, "cloth.000001.vtp"));
    snprintf(path, sizeof path, "%s/cloth.000001.ply", f.to);
    assert_false(mn_file_exists(path));
    r = export_to(&f, MN_EXPORT_USDA);
    assert_int_equal(r.skipped, 1);
    assert_int_equal(mn_run_export(f.context, f.out, MN_EXPORT_PC2, f.to, &r), MN_ERR_FILE);
    snprintf(path, sizeof path, "%s/cloth.pc2", f.to);
    assert_false(mn_file_exists(path));
    tear_down(&f);
}

static void a_missing_frame_is_said(void **state)
{
    (void)state;
    fixture f = set_up();
    char    path[256];
    snprintf(path, sizeof path, "%s/frames/cloth.000001.vtp", f.out);
    assert_int_equal(remove(path), 0);
    const mn_export_format formats[] = { MN_EXPORT_VTP, MN_EXPORT_PLY, MN_EXPORT_OBJ, MN_EXPORT_USDA };
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        const mn_export_result r = export_to(&f, formats[k]);
        assert_int_equal(r.skipped, 1);
        assert_non_null(strstr(r.reason, "cloth.000001.vtp: the file is missing"));
    }
    tear_down(&f);
}

static void a_folder_without_a_run_is_refused(void **state)
{
    (void)state;
    mn_context      *c = test_context(1);
    mn_export_result r;
    char             base[64];
    test_folder(base);
    assert_int_equal(mn_run_export(c, "no-such-run", MN_EXPORT_PLY, base, &r), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "no-such-run"));
    assert_int_equal(mn_run_export(c, base, MN_EXPORT_PLY, base, &r), MN_ERR_ARGUMENT);
    assert_int_equal(test_folder_count(base), 0);
    test_folder_remove(base);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_copied_as_vtp_are_the_same_bytes),
        cmocka_unit_test(a_ply_holds_every_value),
        cmocka_unit_test(faces_and_edges_of_a_ply_join_the_points_of_the_frame),
        cmocka_unit_test(an_obj_reads_as_the_same_points_and_faces),
        cmocka_unit_test(a_point_cache_holds_all_frames_of_the_cloth),
        cmocka_unit_test(usd_has_units_axes_rates_and_a_sample_a_frame),
        cmocka_unit_test(a_damaged_frame_is_left_out_and_said),
        cmocka_unit_test(a_missing_frame_is_said),
        cmocka_unit_test(a_folder_without_a_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
