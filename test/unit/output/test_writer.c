// SPDX-License-Identifier: MPL-2.0
// The writer thread: order, failures, waiting for space on the disk.
#include "testing.h"

#include "unit/output/faults.h"
#include "unit/output/folder.h"

#include "output/writer.h"

static mn_buffer *filled(mn_writer *w, const char *text)
{
    mn_buffer *b;
    assert_int_equal(mn_writer_take(w, &b), MN_OK);
    assert_int_equal(b->bytes, 0);
    mn_buffer_text(b, text);
    return b;
}

static void jobs_are_done_in_order_and_buffers_used_again(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    const int64_t before = mn_context_memory(c).blocks_now;
    char          folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/log", folder);
    mn_writer_def def = mn_writer_def_default(folder);
    def.queue_bytes   = 100;  // makes the caller wait now and then
    mn_writer *w;
    assert_int_equal(mn_writer_create(c, &def, &w), MN_OK);
    for (int k = 0; k < 300; k++) {
        char line[32];
        snprintf(line, sizeof line, "%d\n", k);
        assert_int_equal(mn_writer_submit(w, MN_WRITE_APPEND, path, filled(w, line)), MN_OK);
    }
    assert_int_equal(mn_writer_flush(w), MN_OK);
    const int64_t calls = mn_context_memory(c).calls;
    for (int k = 300; k < 310; k++) {
        char line[32];
        snprintf(line, sizeof line, "%d\n", k);
        assert_int_equal(mn_writer_submit(w, MN_WRITE_APPEND, path, filled(w, line)), MN_OK);
        assert_int_equal(mn_writer_flush(w), MN_OK);
    }
    assert_int_equal(mn_context_memory(c).calls, calls);  // no heap call once settled
    unsigned char *data;
    size_t         bytes;
    assert_int_equal(mn_file_read(c, path, ANY_FILE, &data, &bytes), MN_OK);
    char *at = (char *)data;
    for (int k = 0; k < 310; k++) assert_int_equal(strtol(at, &at, 10), k);
    mn_free(c, data);
    assert_int_equal(mn_writer_submit(w, MN_WRITE_REMOVE, path, NULL), MN_OK);
    assert_int_equal(mn_writer_destroy(&w), MN_OK);
    assert_null(w);
    assert_int_equal(test_folder_count(folder), 0);
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_folder_remove(folder);
    test_context_end(&c);
}

static void after_a_failure_nothing_more_is_written_and_the_next_call_tells(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], first[128], second[128];
    test_folder(folder);
    snprintf(first, sizeof first, "%s/first", folder);
    snprintf(second, sizeof second, "%s/second", folder);
    const mn_writer_def def = mn_writer_def_default(folder);
    mn_writer          *w;
    assert_int_equal(mn_writer_create(c, &def, &w), MN_OK);
    fault_errno              = ENOSPC;
    fault_after[FAULT_WRITE] = 1;
    assert_int_equal(mn_writer_submit(w, MN_WRITE_ATOMIC, first, filled(w, "x")), MN_OK);
    assert_int_equal(mn_writer_flush(w), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "first: No space left on device"));
    assert_int_equal(mn_writer_submit(w, MN_WRITE_ATOMIC, second, filled(w, "y")), MN_ERR_FILE);
    assert_int_equal(mn_writer_flush(w), MN_ERR_FILE);
    assert_int_equal(test_folder_count(folder), 0);
    mn_writer_forgive(w);
    assert_int_equal(mn_writer_submit(w, MN_WRITE_ATOMIC, second, filled(w, "y")), MN_OK);
    assert_int_equal(mn_writer_flush(w), MN_OK);
    fault_after[FAULT_FSYNC] = 1;
    assert_int_equal(mn_writer_submit(w, MN_WRITE_ATOMIC, first, filled(w, "z")), MN_OK);
    assert_int_equal(mn_writer_destroy(&w), MN_ERR_FILE);
    faults_off();
    assert_int_equal(test_folder_count(folder), 1);
    test_folder_remove(folder);
    test_context_end(&c);
}

typedef struct low_log {
    atomic_int low, enough;
} low_log;

static void count_events(mn_log_level level, const char *event, const char *text, void *user)
{
    (void)level, (void)text;
    low_log *log = user;
    if (strcmp(event, "disk_low") == 0) atomic_fetch_add(&log->low, 1);
    if (strcmp(event, "disk_enough") == 0) atomic_fetch_add(&log->enough, 1);
}

static mn_context *logging_context(low_log *log)
{
    mn_context_def def = mn_context_def_default();
    def.threads        = 1;
    def.log            = count_events;
    def.log_user       = log;
    mn_context *c      = NULL;
    assert_int_equal(mn_context_create(&def, &c), MN_OK);
    return c;
}

static void a_low_disk_makes_the_writer_wait_and_go_on_by_itself(void **state)
{
    (void)state;
    low_log     log = { 0, 0 };
    mn_context *c   = logging_context(&log);
    char        folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/a", folder);
    mn_writer_def def = mn_writer_def_default(folder);
    def.disk_reserve  = 1.0;
    def.poll_seconds  = 0.01;
    mn_writer *w;
    assert_int_equal(mn_writer_create(c, &def, &w), MN_OK);
    fault_free_bytes = 1e6 + 4;  // five bytes would touch the reserve
    assert_int_equal(mn_writer_submit(w, MN_WRITE_ATOMIC, path, filled(w, "12345")), MN_OK);
    while (atomic_load(&log.low) == 0) usleep(1000);
    usleep(50000);
    assert_false(mn_file_exists(path));
    fault_free_bytes = 1e6 + 5;
    assert_int_equal(mn_writer_flush(w), MN_OK);
    assert_true(mn_file_exists(path));
    assert_int_equal(log.low, 1);  // said once, however long it lasted
    assert_int_equal(log.enough, 1);
    assert_int_equal(mn_writer_destroy(&w), MN_OK);
    faults_off();
    test_folder_remove(folder);
    test_context_end(&c);
}

static bool stop_at_third(void *user) { return ++*(int *)user >= 3; }

static void a_stop_ends_the_waiting_and_uses_the_reserve(void **state)
{
    (void)state;
    low_log     log = { 0, 0 };
    mn_context *c   = logging_context(&log);
    char        folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/a", folder);
    int           asked = 0;
    mn_writer_def def   = mn_writer_def_default(folder);
    def.disk_reserve    = 1.0;
    def.poll_seconds    = 1000.0;
    def.stop            = stop_at_third;
    def.stop_user       = &asked;
    mn_writer *w;
    assert_int_equal(mn_writer_create(c, &def, &w), MN_OK);
    fault_free_bytes = 10.0;
    assert_int_equal(mn_writer_submit(w, MN_WRITE_ATOMIC, path, filled(w, "12345")), MN_OK);
    assert_int_equal(mn_writer_flush(w), MN_OK);
    assert_int_equal(asked, 3);
    assert_true(mn_file_exists(path));
    assert_int_equal(mn_writer_destroy(&w), MN_OK);
    faults_off();
    test_folder_remove(folder);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_done_in_order_and_buffers_used_again),
        cmocka_unit_test(after_a_failure_nothing_more_is_written_and_the_next_call_tells),
        cmocka_unit_test(a_low_disk_makes_the_writer_wait_and_go_on_by_itself),
        cmocka_unit_test(a_stop_ends_the_waiting_and_uses_the_reserve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
