// SPDX-License-Identifier: MPL-2.0
// Frame files read back: equal to what was written, and a sentence for every damage.
#include "testing.h"

#include "base/hash.h"
#include "failing_memory.h"
#include "folder.h"
#include "output/run_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sample {
    double         x[5], y[5], z[5], saturation[5];
    int32_t        strand[5], triangle[6], polyline[6], end[2];
    int64_t        id[5];
    mn_frame_array arrays[4];
} sample;

static void fill_sample(sample *s)
{
    for (int i = 0; i < 5; i++)
        s->x[i] = 0.1 * i, s->y[i] = 1.0 / (i + 1), s->z[i] = -i, s->saturation[i] = 0.2 * i, s->strand[i] = 7 - i,
        s->id[i] = ((int64_t)1 << 40) + i;
    memcpy(s->triangle, (int32_t[]){ 0, 1, 2, 2, 3, 4 }, sizeof s->triangle);
    memcpy(s->polyline, (int32_t[]){ 0, 1, 2, 4, 3, 4 }, sizeof s->polyline);
    memcpy(s->end, (int32_t[]){ 4, 6 }, sizeof s->end);
    s->arrays[0] = mn_frame_array_split("velocity", s->z, s->x, s->y);
    s->arrays[1] = mn_frame_array_single("saturation <&> \"wet\"", MN_TYPE_double, s->saturation);
    s->arrays[2] = mn_frame_array_single("strand", MN_TYPE_int32_t, s->strand);
    s->arrays[3] = mn_frame_array_single("id", MN_TYPE_int64_t, s->id);
}

static mn_frame_part sample_part(const sample *s, mn_frame_cells kind)
{
    mn_frame_part p = { .name        = "cloth",
                        .points      = mn_frame_array_split("", s->x, s->y, s->z),
                        .point_count = 5,
                        .kind        = kind,
                        .arrays      = s->arrays,
                        .array_count = 4,
                        .time        = 0.1,
                        .cell_count  = 2 };
    if (kind == MN_CELLS_TRIANGLES) p.cells = s->triangle;
    if (kind == MN_CELLS_LINES) p.cells = s->polyline, p.ends = s->end;
    return p;
}

static void make(mn_context *c, const mn_frame_part *p, mn_buffer *b)
{
    mn_buffer_init(b, c);
    assert_int_equal(mn_vtp_make(p, b), MN_OK);
}

static void what_was_written_is_read_back_and_writes_the_same_bytes(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    sample      s;
    fill_sample(&s);
    for (int kind = MN_CELLS_VERTICES; kind <= MN_CELLS_TRIANGLES; kind++) {
        const mn_frame_part p = sample_part(&s, (mn_frame_cells)kind);
        mn_buffer           b, again;
        mn_vtp_part        *read = NULL;
        make(c, &p, &b);
        assert_int_equal(mn_vtp_parse(c, "out/frames/cloth.000012.vtp", b.data, b.bytes, &read), MN_OK);
        assert_string_equal(read->part.name, "cloth");
        assert_int_equal(read->part.point_count, 5);
        assert_int_equal(read->part.kind, kind);
        assert_true(read->part.time == 0.1 && !read->part.timeless);
        for (int i = 0; i < 5; i++) {
            assert_true(mn_frame_array_value(&read->part.points, i, 1) == (double)(float)s.y[i]);
            assert_true(mn_frame_array_value(mn_frame_array_find(&read->part, "velocity"), i, 0) ==
                        (double)(float)s.z[i]);
            assert_true(mn_frame_array_value(mn_frame_array_find(&read->part, s.arrays[1].name), i, 0) ==
                        (double)(float)s.saturation[i]);
            assert_true(mn_frame_array_value(mn_frame_array_find(&read->part, "strand"), i, 0) == 7 - i);
            assert_true(mn_frame_array_value(mn_frame_array_find(&read->part, "id"), i, 0) == (double)s.id[i]);
        }
        assert_null(mn_frame_array_find(&read->part, "pressure"));
        if (kind == MN_CELLS_LINES) assert_memory_equal(read->part.ends, s.end, sizeof s.end);
        if (kind == MN_CELLS_TRIANGLES) assert_memory_equal(read->part.cells, s.triangle, sizeof s.triangle);
        make(c, &read->part, &again);
        assert_int_equal(again.bytes, b.bytes);
        assert_memory_equal(again.data, b.data, b.bytes);
        mn_buffer_free(&again);
        mn_buffer_free(&b);
        mn_vtp_part_destroy(c, &read);
    }
    test_context_end(&c);
}

static void parts_without_points_or_time_are_read(void **state)
{
    (void)state;
    mn_context  *c       = test_context(1);
    const double none[3] = { 0.0, 0.0, 0.0 };
    for (int kind = MN_CELLS_VERTICES; kind <= MN_CELLS_TRIANGLES; kind++) {
        const mn_frame_part p = { .name     = "surface",
                                  .points   = mn_frame_array_packed("", MN_TYPE_double, 3, none),
                                  .kind     = (mn_frame_cells)kind,
                                  .timeless = true };
        mn_buffer           b;
        mn_vtp_part        *read = NULL;
        make(c, &p, &b);
        assert_int_equal(mn_vtp_parse(c, "surface.000000.vtp", b.data, b.bytes, &read), MN_OK);
        assert_true(read->part.timeless && read->part.point_count == 0 && read->part.cell_count == 0 &&
                    read->part.array_count == 0);
        assert_int_equal(read->part.kind, kind);
        mn_vtp_part_destroy(c, &read);
        mn_buffer_free(&b);
    }
    test_context_end(&c);
}

/// Whatever the bytes: a part whose corners are among its points, or a sentence with the file's name; nothing is lost.
static bool survives(mn_context *c, const unsigned char *data, size_t bytes)
{
    const int64_t  blocks = mn_context_memory(c).blocks_now;
    unsigned char *exact  = malloc(bytes > 0 ? bytes : 1);  // so that the sanitizer sees the end
    mn_vtp_part   *read   = NULL;
    memcpy(exact, data, bytes);
    const mn_status status = mn_vtp_parse(c, "cloth.000001.vtp", exact, bytes, &read);
    free(exact);
    if (status == MN_OK) {
        const mn_frame_part *p     = &read->part;
        const int64_t        total = p->cells == NULL  ? 0
                                     : p->ends != NULL ? p->ends[p->cell_count - 1]
                                                       : p->cell_count * (p->kind + 1);
        for (int64_t i = 0; i < total; i++) assert_true(p->cells[i] >= 0 && p->cells[i] < p->point_count);
    } else {
        assert_int_equal(status, MN_ERR_FILE);
        assert_int_equal(strncmp(mn_context_error(c), "cloth.000001.vtp: ", 18), 0);
        assert_null(read);
    }
    mn_vtp_part_destroy(c, &read);
    assert_int_equal(mn_context_memory(c).blocks_now, blocks);
    return status == MN_OK;
}

static void a_file_cut_off_anywhere_is_refused(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    sample      s;
    fill_sample(&s);
    for (int kind = MN_CELLS_VERTICES; kind <= MN_CELLS_TRIANGLES; kind++) {
        const mn_frame_part p = sample_part(&s, (mn_frame_cells)kind);
        mn_buffer           b;
        make(c, &p, &b);
        for (size_t bytes = 0; bytes + 1 < b.bytes; bytes++) assert_false(survives(c, b.data, bytes));
        assert_true(survives(c, b.data, b.bytes));
        mn_buffer_free(&b);
    }
    test_context_end(&c);
}

static void changed_bytes_never_crash_the_reader(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    sample      s;
    fill_sample(&s);
    int refused = 0;
    for (int kind = MN_CELLS_VERTICES; kind <= MN_CELLS_TRIANGLES; kind++) {
        const mn_frame_part p = sample_part(&s, (mn_frame_cells)kind);
        mn_buffer           b;
        make(c, &p, &b);
        unsigned char *copy = malloc(b.bytes);
        for (uint64_t k = 0; k < 4000; k++) {
            memcpy(copy, b.data, b.bytes);
            for (uint64_t n = 0; n <= k % 4; n++) {
                const uint64_t random = mn_hash_mix(mn_hash_mix(k + 1) + n);
                copy[random % b.bytes] ^= (unsigned char)(1u << (random >> 40) % 8);
            }
            refused += !survives(c, copy, b.bytes);
        }
        free(copy);
        mn_buffer_free(&b);
    }
    assert_true(refused > 4000);  // most bytes of a small file are its head
    test_context_end(&c);
}

/// Replace the first `from` by `to`, of the same length.
static void replace(mn_buffer *b, const char *from, const char *to)
{
    assert_int_equal(strlen(from), strlen(to));
    for (size_t at = 0; at + strlen(from) <= b->bytes; at++)
        if (memcmp(b->data + at, from, strlen(from)) == 0) {
            memcpy(b->data + at, to, strlen(to));
            return;
        }
    fail_msg("'%s' is not in the file", from);
}

static void every_damage_has_its_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *sentence;
    } damages[] = {
        { "PolyData\" version", "PolyGata\" version", "not a VTK file of type PolyData" },
        { "LittleEndian", "BigEndian\"  ", "not well-formed" },
        { "UInt64", "UInt32", "header type is not UInt64" },
        { "NumberOfPoints=\"5\"", "NumberOfPoints=\"6\"", "does not hold a value for each of 6 items" },
        { "NumberOfPoints=\"5\"", "NumberOfPoints=\"x\"", "number of points cannot be read" },
        { "NumberOfPolys=\"2\"", "NumberOfPolys=\"1\"", "does not hold a value for each of 1 items" },
        { "offset=\"0\"", "offset=\"9\"", "array" },
        { "offset=\"0\"", "offset=\"-\"", "no offset" },
        { "Int32\" Name=\"strand", "Int16\" Name=\"strand", "a type that is not read" },
        { "</VTKFile>", "</VTKFill>", "cut off before its end" },
        { ">0.1", ">x.1", "time cannot be read" },
        { ">115 111", ">116 111", "its look is none that this version knows" },
    };
    mn_context *c = test_context(1);
    sample      s;
    fill_sample(&s);
    const mn_frame_part p = sample_part(&s, MN_CELLS_TRIANGLES);
    for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
        mn_buffer    b;
        mn_vtp_part *read = NULL;
        make(c, &p, &b);
        replace(&b, damages[k].from, damages[k].to);
        assert_int_equal(mn_vtp_parse(c, "cloth.000001.vtp", b.data, b.bytes, &read), MN_ERR_FILE);
        if (strstr(mn_context_error(c), damages[k].sentence) == NULL) fail_msg("%zu: %s", k, mn_context_error(c));
        mn_buffer_free(&b);
    }
    test_context_end(&c);
}

/// Files from before the look was written: the name of the part tells it, and of others their cells.
static void older_files_look_as_they_did(void **state)
{
    (void)state;
    static const struct {
        const char    *name;
        mn_frame_cells kind;
        mn_look        look;
    } older[] = { { "surface", MN_CELLS_TRIANGLES, MN_LOOK_LIQUID },  { "particles", MN_CELLS_VERTICES, MN_LOOK_SPRAY },
                  { "obstacles", MN_CELLS_TRIANGLES, MN_LOOK_SOLID }, { "cloth", MN_CELLS_TRIANGLES, MN_LOOK_CLOTH },
                  { "yarn", MN_CELLS_LINES, MN_LOOK_FIBRE },          { "tubes", MN_CELLS_TRIANGLES, MN_LOOK_FIBRE },
                  { "stains", MN_CELLS_TRIANGLES, MN_LOOK_STAIN },    { "own", MN_CELLS_LINES, MN_LOOK_FIBRE },
                  { "own", MN_CELLS_VERTICES, MN_LOOK_SPRAY },        { "own", MN_CELLS_TRIANGLES, MN_LOOK_SOLID } };
    mn_context *c = test_context(1);
    sample      s;
    fill_sample(&s);
    for (size_t k = 0; k < sizeof older / sizeof *older; k++) {
        const mn_frame_part p = sample_part(&s, older[k].kind);
        mn_buffer           b;
        mn_vtp_part        *read = NULL;
        char                path[64];
        make(c, &p, &b);
        replace(&b, "Name=\"look\"", "Name=\"1ook\"");
        snprintf(path, sizeof path, "run/frames/%s.000003.vtp", older[k].name);
        assert_int_equal(mn_vtp_parse(c, path, b.data, b.bytes, &read), MN_OK);
        assert_int_equal(read->part.look, older[k].look);
        assert_true(read->part.time == 0.1);
        mn_vtp_part_destroy(c, &read);
        mn_buffer_free(&b);
    }
    test_context_end(&c);
}

static void corners_and_points_out_of_range_are_refused(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    sample      s;
    fill_sample(&s);
    mn_frame_part p = sample_part(&s, MN_CELLS_TRIANGLES);
    mn_buffer     b;
    mn_vtp_part  *read = NULL;
    s.triangle[4]      = 5;
    make(c, &p, &b);
    assert_int_equal(mn_vtp_parse(c, "a", b.data, b.bytes, &read), MN_ERR_FILE);
    assert_string_equal(mn_context_error(c), "a: a cell has a corner that is none of its points");
    mn_buffer_free(&b);
    s.triangle[4] = 3;
    s.y[2]        = INFINITY;
    make(c, &p, &b);
    assert_int_equal(mn_vtp_parse(c, "a", b.data, b.bytes, &read), MN_ERR_FILE);
    assert_string_equal(mn_context_error(c), "a: a point lies at infinity or nowhere");
    mn_buffer_free(&b);
    test_context_end(&c);
}

typedef struct parse {
    mn_context *context;
    mn_buffer   file;
} parse;

static mn_status parse_file(failing_memory *m, void *user)
{
    const parse    *p      = user;
    mn_vtp_part    *read   = NULL;
    const mn_status status = mn_vtp_parse(p->context, "a", p->file.data, p->file.bytes, &read);
    (void)m;
    mn_vtp_part_destroy(p->context, &read);
    return status;
}

static void refused_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    mn_context    *writer = test_context(1);
    failing_memory memory = PLENTY_OF_MEMORY;
    parse          p      = { .context = failing_context(&memory) };
    sample         s;
    fill_sample(&s);
    const mn_frame_part part = sample_part(&s, MN_CELLS_LINES);
    make(writer, &part, &p.file);
    assert_true(survives_every_failing_allocation(&memory, parse_file, &p, NULL) < 30);
    mn_buffer_free(&p.file);
    test_context_end(&p.context);
    test_context_end(&writer);
}

// ---- the folder of a run -------------------------------------------------------------------------------------------

static void write_text(const char *folder, const char *name, const void *data, size_t bytes)
{
    char          path[256];
    mn_file_error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mn_file_write_atomic(path, data, bytes, &error), MN_OK);
}

static void write_part(mn_context *c, const char *folder, const char *name, const mn_frame_part *p)
{
    mn_buffer b;
    make(c, p, &b);
    write_text(folder, name, b.data, b.bytes);
    mn_buffer_free(&b);
}

static void make_run(mn_context *c, const char *out, const sample *s)
{
    char          frames[128];
    mn_file_error error;
    snprintf(frames, sizeof frames, "%s/frames", out);
    assert_int_equal(mn_file_make_folders(frames, &error), MN_OK);
    mn_frame_part cloth = sample_part(s, MN_CELLS_TRIANGLES), wall = cloth;
    wall.timeless = true;
    write_part(c, out, "frames/obstacles.000000.vtp", &wall);
    write_part(c, out, "frames/cloth.000000.vtp", &cloth);
    write_part(c, out, "frames/cloth.000001.vtp", &cloth);
    write_part(c, out, "frames/cloth.000003.vtp", &cloth);
    write_text(out, "frames/notes.txt", "x", 1);
    write_text(out, "frames/cloth.12.vtp", "x", 1);
    static const char json[] = "{\"status\": \"running\", \"frames\": [{\"frame\": 0, \"time\": 0}, {\"frame\": 1, "
                               "\"time\": 0.5}, {\"frame\": 2, \"time\": 1}]}";
    write_text(out, "run.json", json, sizeof json - 1);
}

static void a_run_tells_its_frames_and_parts(void **state)
{
    (void)state;
    mn_context    *c = test_context(1);
    char           out[64];
    sample         s;
    mn_run_folder *f = NULL;
    fill_sample(&s);
    test_folder(out);
    make_run(c, out, &s);
    assert_int_equal(mn_run_folder_open(c, out, &f), MN_OK);
    assert_true(f->whole);
    assert_int_equal(f->frame_count, 3);  // the file of frame 3 belongs to a frame that is not finished
    assert_true(f->frame[2] == 2 && f->time[1] == 0.5);
    assert_int_equal(f->part_count, 2);
    const int64_t cloth = mn_run_folder_find(f, "cloth"), wall = mn_run_folder_find(f, "obstacles");
    assert_true(cloth >= 0 && wall >= 0 && mn_run_folder_find(f, "yarn") == -1);
    mn_vtp_part *p = NULL;
    assert_int_equal(mn_run_folder_read(c, f, cloth, 1, &p), MN_OK);
    assert_int_equal(p->part.point_count, 5);
    mn_vtp_part_destroy(c, &p);
    assert_int_equal(mn_run_folder_read(c, f, wall, 2, &p), MN_OK);  // written once, still there
    assert_true(p != NULL && p->part.timeless);
    mn_vtp_part_destroy(c, &p);
    assert_int_equal(mn_run_folder_read(c, f, cloth, 2, &p), MN_ERR_FILE);  // that of frame 1 is not that of frame 2
    assert_non_null(strstr(mn_context_error(c), "frames/cloth.000002.vtp: the file is missing"));
    assert_null(p);
    mn_run_folder_close(c, &f);

    write_text(out, "run.json", "{\"status\"", 9);
    assert_int_equal(mn_run_folder_open(c, out, &f), MN_OK);
    assert_false(f->whole);
    assert_int_equal(f->frame_count, 3);
    assert_true(f->frame[2] == 3 && isnan(f->time[2]));
    mn_run_folder_close(c, &f);
    test_folder_remove(out);
    test_context_end(&c);
}

static void what_is_no_run_is_refused(void **state)
{
    (void)state;
    mn_context    *c = test_context(1);
    char           out[64];
    mn_run_folder *f = NULL;
    test_folder(out);
    assert_int_equal(mn_run_folder_open(c, out, &f), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "not the folder of a run"));
    test_folder_remove(out);
    assert_int_equal(mn_run_folder_open(c, out, &f), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "there is no such folder"));
    assert_null(f);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_read_back_and_writes_the_same_bytes),
        cmocka_unit_test(parts_without_points_or_time_are_read),
        cmocka_unit_test(a_file_cut_off_anywhere_is_refused),
        cmocka_unit_test(changed_bytes_never_crash_the_reader),
        cmocka_unit_test(every_damage_has_its_sentence),
        cmocka_unit_test(older_files_look_as_they_did),
        cmocka_unit_test(corners_and_points_out_of_range_are_refused),
        cmocka_unit_test(refused_memory_leaves_nothing_behind),
        cmocka_unit_test(a_run_tells_its_frames_and_parts),
        cmocka_unit_test(what_is_no_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
