// SPDX-License-Identifier: MPL-2.0
// run.json, JSON, run.pvd, log lines and names: what is written is read back, and anything else is survived.
#include "testing.h"

#include "unit/output/folder.h"

#include "output/events.h"
#include "output/folder.h"
#include "output/json.h"
#include "output/pvd.h"
#include "output/record.h"

static mn_run_record sample(mn_context *c, int frames)
{
    mn_run_record r = { .status       = "running",
                        .version      = "1.2.3",
                        .scene        = "wine \"on\"\ttablecloth\\",
                        .has_identity = true,
                        .identity     = 0xfedcba9876543210u,
                        .seconds      = 0.1,
                        .threads      = 7 };
    for (int k = 0; k < frames; k++)
        assert_int_equal(mn_run_record_add(c, &r,
                                           (mn_run_frame){ k, k / 60.0, k != 2, (uint64_t)k * 0x9e3779b97f4a7c15u }),
                         MN_OK);
    return r;
}

static void run_json_comes_back_exactly(void **state)
{
    (void)state;
    mn_context   *c = test_context(1);
    mn_run_record a = sample(c, 5), b;
    mn_buffer     text;
    bool          whole = false;
    mn_buffer_init(&text, c);
    mn_run_record_write(&a, &text);
    assert_int_equal(mn_run_record_parse(c, (char *)text.data, text.bytes, &b, &whole), MN_OK);
    assert_true(whole);
    assert_string_equal(a.status, b.status);
    assert_string_equal(a.scene, b.scene);
    assert_true(a.identity == b.identity && a.seconds == b.seconds && a.threads == b.threads);
    assert_int_equal(b.frame_count, 5);
    for (int k = 0; k < 5; k++) {
        assert_true(a.frames[k].frame == b.frames[k].frame && a.frames[k].time == b.frames[k].time);
        assert_int_equal(b.frames[k].hash_known, k != 2);
        if (k != 2) assert_true(a.frames[k].hash == b.frames[k].hash);
    }
    mn_run_record_cut(&b, 1);
    assert_int_equal(b.frame_count, 2);
    assert_int_equal(mn_run_record_add(c, &b, (mn_run_frame){ .frame = 1, .time = 9.0 }), MN_OK);
    assert_int_equal(b.frame_count, 2);
    assert_true(b.frames[1].time == 9.0);
    mn_run_record_free(c, &a);
    mn_run_record_free(c, &b);
    mn_buffer_free(&text);
    test_context_end(&c);
}

static void a_damaged_run_json_gives_what_is_left(void **state)
{
    (void)state;
    mn_context   *c = test_context(1);
    mn_run_record a = sample(c, 5), b;
    mn_buffer     text;
    mn_buffer_init(&text, c);
    mn_run_record_write(&a, &text);
    for (size_t length = 0; length < text.bytes; length++) {
        bool whole = true;
        // A copy of exact length, so that a sanitizer sees a byte read too far.
        char *cut = malloc(length + (length == 0));
        memcpy(cut, text.data, length);
        assert_int_equal(mn_run_record_parse(c, cut, length, &b, &whole), MN_OK);
        if (length + 2 < text.bytes) assert_false(whole);
        assert_true(b.frame_count <= 5);
        for (int64_t k = 0; k < b.frame_count; k++)
            assert_true(b.frames[k].frame == k && b.frames[k].time == (double)k / 60.0);
        mn_run_record_free(c, &b);
        free(cut);
    }
    for (size_t at = 0; at < text.bytes; at++)
        for (int bit = 0; bit < 8; bit++) {
            bool whole;
            text.data[at] ^= (unsigned char)(1 << bit);
            assert_int_equal(mn_run_record_parse(c, (char *)text.data, text.bytes, &b, &whole), MN_OK);
            for (int64_t k = 1; k < b.frame_count; k++) assert_true(b.frames[k].frame > b.frames[k - 1].frame);
            mn_run_record_free(c, &b);
            text.data[at] ^= (unsigned char)(1 << bit);
        }
    mn_run_record_free(c, &a);
    mn_buffer_free(&text);
    test_context_end(&c);
}

static void deep_and_strange_json_is_skipped_or_refused(void **state)
{
    (void)state;
    const char *good = " {\"a\": [1, {\"b\": null}, true, false, \"\\u0041\\n\\u00e9\"], \"c\": -1.5e3} ";
    mn_json     j    = mn_json_begin(good, strlen(good));
    assert_true(mn_json_skip(&j));
    const char *text = "\"\\u0041\\n\\u00e9\"";
    char        out[16];
    j = mn_json_begin(text, strlen(text));
    assert_true(mn_json_read_text(&j, out, sizeof out));
    assert_string_equal(out, "A\n?");
    const char *const bad[] = { "",        "{",   "[1 2]", "{\"a\" 1}", "\"x",
                                "\"\\q\"", "nul", "1e999", "-",         "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[" };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        j = mn_json_begin(bad[k], strlen(bad[k]));
        assert_false(mn_json_skip(&j));
    }
}

static void run_pvd_names_every_part_at_every_time(void **state)
{
    (void)state;
    mn_context       *c          = test_context(1);
    const char *const names[]    = { "particles", "a<b" };
    mn_pvd            pvd        = { .names = names, .name_count = 2 };
    const int         order[][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 0, 2 }, { 1, 2 } };
    for (int k = 0; k < 5; k++) assert_int_equal(mn_pvd_add(c, &pvd, order[k][0], order[k][1]), MN_OK);
    mn_buffer text;
    mn_buffer_init(&text, c);
    assert_int_equal(mn_pvd_write(c, &pvd, 0, 2, 4.0, &text), MN_OK);
    assert_string_equal(
        mn_buffer_string(&text),
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  "
        "<Collection>\n"
        "    <DataSet timestep=\"0\" part=\"0\" name=\"particles\" file=\"frames/particles.000000.vtp\"/>\n"
        "    <DataSet timestep=\"0\" part=\"1\" name=\"a&lt;b\" file=\"frames/a_b.000000.vtp\"/>\n"
        "    <DataSet timestep=\"0.25\" part=\"0\" name=\"particles\" file=\"frames/particles.000001.vtp\"/>\n"
        "    <DataSet timestep=\"0.25\" part=\"1\" name=\"a&lt;b\" file=\"frames/a_b.000000.vtp\"/>\n"
        "    <DataSet timestep=\"0.5\" part=\"0\" name=\"particles\" file=\"frames/particles.000002.vtp\"/>\n"
        "    <DataSet timestep=\"0.5\" part=\"1\" name=\"a&lt;b\" file=\"frames/a_b.000002.vtp\"/>\n"
        "  </Collection>\n</VTKFile>\n");
    mn_buffer_free(&text);
    mn_pvd_free(c, &pvd);
    test_context_end(&c);
}

static void names_of_checkpoints_and_frames_are_told_apart(void **state)
{
    (void)state;
    mn_checkpoint_id id;
    char             name[MN_CHECKPOINT_NAME_BYTES];
    mn_checkpoint_name((mn_checkpoint_id){ 48, 17 }, name);
    assert_string_equal(name, "checkpoints/000048+000017.state");
    assert_true(mn_checkpoint_id_parse("000048+000017.state", &id) && id.frame == 48 && id.steps == 17);
    assert_true(mn_checkpoint_id_parse("12345678.state", &id) && id.frame == 12345678 && id.steps == 0);
    const char *const bad[] = { "000048.state.partial", "000048.state.damaged", "48.state", "000048+.state",
                                "x000048.state",        "-00048.state",         "" };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) assert_false(mn_checkpoint_id_parse(bad[k], &id));
    assert_int_equal(mn_frame_of_file("particles.000048.vtp", ".vtp"), 48);
    assert_int_equal(mn_frame_of_file("000007.png", ".png"), 7);
    assert_int_equal(mn_frame_of_file("my000007.png", ".png"), -1);
    assert_int_equal(mn_frame_of_file("particles.48.vtp", ".vtp"), -1);
}

static void events_of_any_thread_become_lines(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/log.ndjson", folder);
    const mn_writer_def def = mn_writer_def_default(folder);
    mn_writer          *w;
    mn_events          *e;
    assert_int_equal(mn_writer_create(c, &def, &w), MN_OK);
    assert_int_equal(mn_events_create(c, &e), MN_OK);
    mn_log(c, MN_LOG_WARNING, "step_rejected", "stage \"%s\"\nfailed", "move");
    mn_events_set_time(e, 0.5);
    mn_log(c, MN_LOG_INFO, "drip", "one");
    assert_int_equal(mn_events_submit(e, w, path), MN_OK);
    assert_int_equal(mn_events_submit(e, w, path), MN_OK);  // nothing new
    mn_events_destroy(&e);
    mn_log(c, MN_LOG_INFO, "late", "nobody listens");
    assert_int_equal(mn_writer_destroy(&w), MN_OK);
    unsigned char *data;
    size_t         bytes;
    assert_int_equal(mn_file_read(c, path, ANY_FILE, &data, &bytes), MN_OK);
    assert_string_equal((char *)data, "{\"time\": 0, \"level\": \"warning\", \"event\": \"step_rejected\", \"text\": "
                                      "\"stage \\\"move\\\"\\nfailed\"}\n"
                                      "{\"time\": 0.5, \"level\": \"info\", \"event\": \"drip\", \"text\": \"one\"}\n");
    mn_free(c, data);
    test_folder_remove(folder);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(run_json_comes_back_exactly),
        cmocka_unit_test(a_damaged_run_json_gives_what_is_left),
        cmocka_unit_test(deep_and_strange_json_is_skipped_or_refused),
        cmocka_unit_test(run_pvd_names_every_part_at_every_time),
        cmocka_unit_test(names_of_checkpoints_and_frames_are_told_apart),
        cmocka_unit_test(events_of_any_thread_become_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
