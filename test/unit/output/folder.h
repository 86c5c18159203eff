// SPDX-License-Identifier: MPL-2.0
// A folder of its own for each test, gone afterwards.
#ifndef MN_TEST_FOLDER_H
#define MN_TEST_FOLDER_H

#include "testing.h"

#include "base/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// For what a test reads: any size.
#define ANY_FILE (&(const mn_file_kind){ "a file", INT64_MAX })

static inline void test_folder(char name[64])
{
    snprintf(name, 64, "output-test-XXXXXX");
    assert_non_null(mkdtemp(name));
}

static inline void test_folder_remove(const char *path)
{
    DIR *dir = opendir(path);
    for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        char inner[1024];
        assert_true(snprintf(inner, sizeof inner, "%s/%s", path, e->d_name) < (int)sizeof inner);
        struct stat info;
        if (lstat(inner, &info) == 0 && S_ISDIR(info.st_mode)) test_folder_remove(inner);
        else assert_int_equal(unlink(inner), 0);
    }
    if (dir != NULL) closedir(dir);
    assert_int_equal(rmdir(path), 0);
}

/// Number of entries in a folder; -1 if there is none.
static inline int test_folder_count(const char *path)
{
    DIR *dir   = opendir(path);
    int  count = dir != NULL ? -2 : -1;  // "." and ".."
    while (dir != NULL && readdir(dir) != NULL) count++;
    if (dir != NULL) closedir(dir);
    return count;
}

#endif
