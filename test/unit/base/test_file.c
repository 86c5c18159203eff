// SPDX-License-Identifier: MPL-2.0
// Reading, atomic replacing and appending, with every system call failing once.
#include "testing.h"

#include "unit/output/faults.h"
#include "unit/output/folder.h"

#include "base/file.h"

static void assert_holds(mn_context *c, const char *path, const char *expected)
{
    unsigned char *data;
    size_t         bytes;
    assert_int_equal(mn_file_read(c, path, ANY_FILE, &data, &bytes), MN_OK);
    assert_int_equal(bytes, strlen(expected));
    assert_string_equal((char *)data, expected);
    mn_free(c, data);
}

static void an_atomic_write_replaces_the_file_as_a_whole(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/a", folder);
    mn_file_error error;
    assert_int_equal(mn_file_write_atomic(path, "first", 5, &error), MN_OK);
    assert_holds(c, path, "first");
    fault_write_limit = 2;  // short writes are continued
    assert_int_equal(mn_file_write_atomic(path, "second", 6, &error), MN_OK);
    faults_off();
    assert_holds(c, path, "second");
    assert_int_equal(test_folder_count(folder), 1);
    test_folder_remove(folder);
    test_context_end(&c);
}

static void a_failed_atomic_write_leaves_the_old_file_and_nothing_else(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/a", folder);
    mn_file_error error;
    assert_int_equal(mn_file_write_atomic(path, "old", 3, &error), MN_OK);
    const int kinds[] = { FAULT_OPEN, FAULT_WRITE, FAULT_FSYNC, FAULT_CLOSE, FAULT_RENAME };
    for (int k = 0; k < 5; k++) {
        fault_errno           = ENOSPC;
        fault_after[kinds[k]] = 1;
        assert_int_equal(mn_file_write_atomic(path, "new", 3, &error), MN_ERR_FILE);
        faults_off();
        assert_non_null(strstr(error.text, path));
        assert_non_null(strstr(error.text, "No space left on device"));
        assert_holds(c, path, "old");
        assert_int_equal(test_folder_count(folder), 1);
    }
    fault_write_limit        = 2;  // the disk fills up half-way
    fault_after[FAULT_WRITE] = 2;
    assert_int_equal(mn_file_write_atomic(path, "new", 3, &error), MN_ERR_FILE);
    faults_off();
    assert_holds(c, path, "old");
    assert_int_equal(test_folder_count(folder), 1);
    fault_errno              = EIO;  // the sync of the folder is looked at too
    fault_after[FAULT_FSYNC] = 2;
    assert_int_equal(mn_file_write_atomic(path, "new", 3, &error), MN_ERR_FILE);
    faults_off();
    fault_errno              = EINTR;  // an interrupted call is only repeated
    fault_after[FAULT_WRITE] = fault_after[FAULT_FSYNC] = fault_after[FAULT_OPEN] = 1;
    assert_int_equal(mn_file_write_atomic(path, "newer", 5, &error), MN_OK);
    faults_off();
    assert_holds(c, path, "newer");
    test_folder_remove(folder);
    test_context_end(&c);
}

static void a_failed_append_takes_its_half_row_back(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/a", folder);
    mn_file_error error;
    assert_int_equal(mn_file_append(path, "one\n", 4, &error), MN_OK);
    fault_errno              = ENOSPC;
    fault_write_limit        = 2;
    fault_after[FAULT_WRITE] = 2;
    assert_int_equal(mn_file_append(path, "two\n", 4, &error), MN_ERR_FILE);
    faults_off();
    assert_holds(c, path, "one\n");
    const int kinds[] = { FAULT_OPEN, FAULT_FSYNC, FAULT_CLOSE };
    for (int k = 0; k < 3; k++) {
        fault_after[kinds[k]] = 1;
        assert_int_equal(mn_file_append(path, "two\n", 4, &error), MN_ERR_FILE);
        faults_off();
    }
    test_folder_remove(folder);
    test_context_end(&c);
}

static void folders_are_made_with_all_above_and_listed_in_order(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], path[128];
    test_folder(folder);
    mn_file_error error;
    snprintf(path, sizeof path, "%s/x/y/z", folder);
    assert_int_equal(mn_file_make_folders(path, &error), MN_OK);
    assert_int_equal(mn_file_make_folders(path, &error), MN_OK);
    const char *names[] = { "c", "a", "b" };
    for (int k = 0; k < 3; k++) {
        char file[200];
        snprintf(file, sizeof file, "%s/%s", path, names[k]);
        assert_int_equal(mn_file_append(file, "", 0, &error), MN_OK);
    }
    mn_names list;
    assert_int_equal(mn_file_list(c, path, &list), MN_OK);
    assert_int_equal(list.count, 3);
    assert_string_equal(list.name[0], "a");
    assert_string_equal(list.name[2], "c");
    mn_names_free(c, &list);
    assert_int_equal(mn_file_list(c, "no-such-folder", &list), MN_OK);
    assert_int_equal(list.count, 0);
    char below[200];
    snprintf(below, sizeof below, "%s/a/deeper", path);
    assert_int_equal(mn_file_make_folders(below, &error), MN_ERR_FILE);
    assert_non_null(strstr(error.text, "Not a directory"));
    unsigned char *data;
    size_t         bytes;
    assert_int_equal(mn_file_read(c, path, ANY_FILE, &data, &bytes), MN_ERR_FILE);  // a folder is no file
    assert_int_equal(mn_file_read(c, "no-such-file", ANY_FILE, &data, &bytes), MN_ERR_FILE);
    assert_string_equal(mn_context_error(c), "no-such-file: No such file or directory");
    test_folder_remove(folder);
    test_context_end(&c);
}

static void only_files_that_fit_are_read(void **state)
{
    (void)state;
    static const mn_file_kind note = { "a note", 10 };
    mn_context               *c    = test_context(1);
    char                      folder[64], path[128];
    unsigned char            *data;
    size_t                    bytes;
    mn_file_source            source;
    mn_file_error             error;
    test_folder(folder);
    snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    const struct {
        const char *path, *kind;
    } others[] = { { path, "a pipe" }, { folder, "a folder" }, { "/dev/null", "a device" } };
    for (int k = 0; k < 3; k++) {
        assert_int_equal(mn_file_read(c, others[k].path, &note, &data, &bytes), MN_ERR_FILE);
        assert_non_null(strstr(mn_context_error(c), ": it is not a file but "));
        assert_non_null(strstr(mn_context_error(c), others[k].kind));
        assert_null(data);
    }
    assert_int_equal(mn_file_append(path, "x", 1, &error), MN_ERR_FILE);  // nor is a pipe written into
    snprintf(path, sizeof path, "%s/note", folder);
    assert_int_equal(mn_file_write_atomic(path, "0123456789", 10, &error), MN_OK);
    assert_int_equal(mn_file_read(c, path, &note, &data, &bytes), MN_OK);
    assert_int_equal(bytes, 10);
    mn_free(c, data);
    assert_int_equal(mn_file_open(&source, path, &note, &error), MN_OK);
    char part[4];
    assert_int_equal(mn_file_read_at(&source, path, 3, part, 4, &error), MN_OK);
    assert_memory_equal(part, "3456", 4);
    assert_int_equal(mn_file_read_at(&source, path, 8, part, 4, &error), MN_ERR_FILE);
    assert_string_equal(mn_file_reason(&error), "the file ends after 10 bytes");
    mn_file_close(&source);
    assert_int_equal(mn_file_append(path, "x", 1, &error), MN_OK);
    assert_int_equal(mn_file_look(path, &note, &error), MN_ERR_FILE);
    assert_string_equal(mn_file_reason(&error), "the file has 11 bytes; a note has 10 at most");
    test_folder_remove(folder);
    test_context_end(&c);
}

static void a_folder_has_one_owner(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    char         folder[64], who[64], path[128];
    mn_file_lock one, two;
    test_folder(folder);
    snprintf(path, sizeof path, "%s/" MN_LOCK_NAME, folder);
    snprintf(who, sizeof who, "process %ld is writing", (long)getpid());
    for (int k = 0; k < 2; k++) {
        assert_int_equal(mn_file_lock_take(c, &one, folder), MN_OK);
        assert_int_equal(mn_file_lock_take(c, &two, folder), MN_ERR_ARGUMENT);
        assert_non_null(strstr(mn_context_error(c), who));
        assert_true(two.fd < 0);
        mn_file_lock_release(&one);
        mn_file_lock_release(&one);  // once more does nothing
        assert_false(mn_file_exists(path));
    }
    // One that a process left when it died is no lock; nor is one whose file has gone.
    mn_file_error error;
    assert_int_equal(mn_file_write_atomic(path, "1\n", 2, &error), MN_OK);
    assert_int_equal(mn_file_lock_take(c, &one, folder), MN_OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mn_file_lock_take(c, &two, folder), MN_OK);
    mn_file_lock_release(&one);  // leaves the file of the other one
    assert_true(mn_file_exists(path));
    assert_int_equal(mn_file_lock_take(c, &one, folder), MN_ERR_ARGUMENT);
    mn_file_lock_release(&two);
    test_folder_remove(folder);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_files_that_fit_are_read),
        cmocka_unit_test(a_folder_has_one_owner),
        cmocka_unit_test(an_atomic_write_replaces_the_file_as_a_whole),
        cmocka_unit_test(a_failed_atomic_write_leaves_the_old_file_and_nothing_else),
        cmocka_unit_test(a_failed_append_takes_its_half_row_back),
        cmocka_unit_test(folders_are_made_with_all_above_and_listed_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
