// SPDX-License-Identifier: MPL-2.0
// Frame files, read back from their bytes.
#include "testing.h"

#include "output/vtp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The value of an attribute in the first tag after `from` that contains `mark`.
static long long number_in(const char *from, const char *mark, const char *attribute)
{
    const char *tag = strstr(from, mark);
    assert_non_null(tag);
    char wanted[64];
    snprintf(wanted, sizeof wanted, "%s=\"", attribute);
    const char *at = strstr(tag, wanted);
    assert_non_null(at);
    return strtoll(at + strlen(wanted), NULL, 10);
}

/// The raw bytes of the array with this name, and their number.
static const unsigned char *raw_array(const mn_buffer *b, const char *name, uint64_t *bytes)
{
    char mark[64];
    snprintf(mark, sizeof mark, "Name=\"%s\"", name);
    const long long      offset = number_in((const char *)b->data, mark, "offset");
    const unsigned char *data   = (const unsigned char *)strstr((const char *)b->data, "encoding=\"raw\">\n_");
    assert_non_null(data);
    data += strlen("encoding=\"raw\">\n_") + offset;
    memcpy(bytes, data, 8);
    assert_true(data + 8 + *bytes < b->data + b->bytes);
    return data + 8;
}

static void particles_come_back_as_floats_and_ids(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    enum { N = 101 };
    double  x[N], y[N], z[N], volume[N];
    int64_t id[N];
    for (int i = 0; i < N; i++)
        x[i] = 0.1 * i, y[i] = 1.0 / (i + 1), z[i] = -i, volume[i] = 1e-3 * i, id[i] = ((int64_t)1 << 40) + i;
    const mn_frame_array arrays[] = { mn_frame_array_split("velocity", z, x, y),
                                      mn_frame_array_single("volume", MN_TYPE_double, volume),
                                      mn_frame_array_single("id", MN_TYPE_int64_t, id) };
    const mn_frame_part  part     = { .name        = "particles",
                                      .points      = mn_frame_array_split("", x, y, z),
                                      .point_count = N,
                                      .kind        = MN_CELLS_VERTICES,
                                      .arrays      = arrays,
                                      .array_count = 3,
                                      .time        = 0.125 };
    mn_buffer            b;
    mn_buffer_init(&b, c);
    assert_int_equal(mn_vtp_make(&part, &b), MN_OK);
    assert_non_null(mn_buffer_string(&b));
    const char *text = (const char *)b.data;
    assert_int_equal(number_in(text, "<Piece", "NumberOfPoints"), N);
    assert_int_equal(number_in(text, "<Piece", "NumberOfVerts"), N);
    assert_int_equal(number_in(text, "<Piece", "NumberOfPolys"), 0);
    assert_non_null(strstr(text, "header_type=\"UInt64\""));
    assert_non_null(strstr(text, ">0.125</DataArray>"));
    uint64_t             bytes;
    const unsigned char *raw = raw_array(&b, "Points", &bytes);
    assert_int_equal(bytes, N * 12);
    for (int i = 0; i < N; i++) {
        float p[3];
        memcpy(p, raw + 12 * i, 12);
        assert_true(p[0] == (float)x[i] && p[1] == (float)y[i] && p[2] == (float)z[i]);
    }
    raw = raw_array(&b, "velocity", &bytes);
    float v[3];
    memcpy(v, raw + 12 * 7, 12);
    assert_true(v[0] == (float)z[7] && v[1] == (float)x[7] && v[2] == (float)y[7]);
    raw = raw_array(&b, "id", &bytes);
    assert_int_equal(bytes, N * 8);
    assert_memory_equal(raw, id, sizeof id);
    raw = raw_array(&b, "connectivity", &bytes);
    assert_int_equal(bytes, N * 4);
    const unsigned char *ends = raw_array(&b, "offsets", &bytes);
    for (int32_t i = 0; i < N; i++) {
        int32_t corner, end;
        memcpy(&corner, raw + 4 * i, 4);
        memcpy(&end, ends + 4 * i, 4);
        assert_int_equal(corner, i);
        assert_int_equal(end, i + 1);
    }
    // The last array ends where the closing tag begins.
    (void)raw_array(&b, "volume", &bytes);
    raw = raw_array(&b, "id", &bytes) + bytes;
    assert_string_equal((const char *)raw, "\n  </AppendedData>\n</VTKFile>\n");
    mn_buffer_free(&b);
    test_context_end(&c);
}

static void triangles_and_lines_keep_their_corners(void **state)
{
    (void)state;
    mn_context   *c           = test_context(1);
    const double  corner[][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const int32_t triangles[] = { 0, 2, 1, 0, 1, 3 };
    mn_frame_part part        = { .name        = "a<b",
                                  .points      = mn_frame_array_packed("", MN_TYPE_double, 3, corner),
                                  .point_count = 4,
                                  .kind        = MN_CELLS_TRIANGLES,
                                  .cells       = triangles,
                                  .cell_count  = 2,
                                  .timeless    = true,
                                  .time        = 1 };
    mn_buffer     b;
    mn_buffer_init(&b, c);
    assert_int_equal(mn_vtp_make(&part, &b), MN_OK);
    assert_int_equal(number_in((char *)b.data, "<Piece", "NumberOfPolys"), 2);
    assert_null(strstr((char *)b.data, "TimeValue"));
    uint64_t             bytes;
    const unsigned char *raw = raw_array(&b, "connectivity", &bytes);
    assert_int_equal(bytes, sizeof triangles);
    assert_memory_equal(raw, triangles, sizeof triangles);
    const int32_t ends[] = { 3, 6 };
    raw                  = raw_array(&b, "offsets", &bytes);
    assert_memory_equal(raw, ends, sizeof ends);
    float p[12];
    memcpy(p, raw_array(&b, "Points", &bytes), sizeof p);
    assert_true(p[3] == 1.0f && p[7] == 1.0f && p[11] == 1.0f && p[0] == 0.0f);

    mn_buffer_clear(&b);
    part.kind       = MN_CELLS_LINES;
    part.cell_count = 3;
    assert_int_equal(mn_vtp_make(&part, &b), MN_OK);
    assert_int_equal(number_in((char *)b.data, "<Piece", "NumberOfLines"), 3);
    mn_buffer_clear(&b);
    part.kind        = MN_CELLS_VERTICES;  // an empty part is a valid file
    part.cells       = NULL;
    part.point_count = part.cell_count = 0;
    assert_int_equal(mn_vtp_make(&part, &b), MN_OK);
    (void)raw_array(&b, "Points", &bytes);
    assert_int_equal(bytes, 0);
    mn_buffer_free(&b);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_come_back_as_floats_and_ids),
        cmocka_unit_test(triangles_and_lines_keep_their_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
