// SPDX-License-Identifier: MPL-2.0
// output/folder.c - what lies in an output folder.
#include "output/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- checkpoints ---------------------------------------------------------------------------------------------------

void mn_checkpoint_name(mn_checkpoint_id id, char name[MN_CHECKPOINT_NAME_BYTES])
{
    if (id.steps == 0) snprintf(name, MN_CHECKPOINT_NAME_BYTES, "checkpoints/%06lld.state", (long long)id.frame);
    else
        snprintf(name, MN_CHECKPOINT_NAME_BYTES, "checkpoints/%06lld+%06lld.state", (long long)id.frame,
                 (long long)id.steps);
}

/// Six digits or more at *at, which moves behind them.
static bool read_digits(const char **at, int64_t *value)
{
    char       *end;
    const char *begin = *at;
    if (*begin < '0' || *begin > '9') return false;
    *value = strtoll(begin, &end, 10);
    *at    = end;
    return end - begin >= 6 && end - begin <= 18;
}

static bool parse_id(const char *name, const char *ending, mn_checkpoint_id *out)
{
    *out = (mn_checkpoint_id){ 0, 0 };
    if (!read_digits(&name, &out->frame)) return false;
    if (*name == '+') {
        name++;
        if (!read_digits(&name, &out->steps)) return false;
    }
    return strcmp(name, ending) == 0;
}

bool mn_checkpoint_id_parse(const char *name, mn_checkpoint_id *out) { return parse_id(name, ".state", out); }

static int compare_ids(const void *a, const void *b)
{
    const mn_checkpoint_id *x = a, *y = b;
    if (x->frame != y->frame) return x->frame < y->frame ? -1 : 1;
    return (x->steps > y->steps) - (x->steps < y->steps);
}

mn_status mn_checkpoint_list_add(mn_context *c, mn_checkpoint_list *list, mn_checkpoint_id id)
{
    for (int64_t k = 0; k < list->count; k++)
        if (compare_ids(&list->id[k], &id) == 0) return MN_OK;
    MN_TRY(mn_array_reserve(c, &list->id, &list->capacity, list->count + 1, sizeof *list->id));
    list->id[list->count++] = id;
    return MN_OK;
}

mn_status mn_checkpoint_list_read(mn_context *c, const char *out, mn_checkpoint_list *list)
{
    *list = (mn_checkpoint_list){ .id = NULL };
    char          folder[MN_PATH_BYTES];
    mn_file_error error;
    if (mn_path_join(folder, out, "checkpoints", &error) != MN_OK) return mn_file_fail(c, &error);
    mn_names names;
    MN_TRY(mn_file_list(c, folder, &names));
    mn_status status = MN_OK;
    for (int64_t k = 0; status == MN_OK && k < names.count; k++) {
        mn_checkpoint_id id;
        if (mn_checkpoint_id_parse(names.name[k], &id)) status = mn_checkpoint_list_add(c, list, id);
        else list->has_old = list->has_old || parse_id(names.name[k], ".h5", &id);
    }
    mn_names_free(c, &names);
    if (status != MN_OK) mn_checkpoint_list_free(c, list);
    else if (list->count > 1) qsort(list->id, (size_t)list->count, sizeof *list->id, compare_ids);
    return status;
}

void mn_checkpoint_list_free(mn_context *c, mn_checkpoint_list *list)
{
    mn_free(c, list->id);
    *list = (mn_checkpoint_list){ .id = NULL };
}

// ---- the folder ----------------------------------------------------------------------------------------------------

static const char *const ours[] = { "run.json",   "scene.yaml", "ledger.csv", "probes.csv",  "timings.csv",
                                    "log.ndjson", "run.pvd",    "frames",     "checkpoints", "pictures" };
#define OURS (sizeof ours / sizeof *ours)

const char *mn_folder_first_of_ours(const char *out)
{
    for (size_t k = 0; k < OURS; k++) {
        char          path[MN_PATH_BYTES];
        mn_file_error error;
        if (mn_path_join(path, out, ours[k], &error) == MN_OK && mn_file_exists(path)) return ours[k];
    }
    return NULL;
}

mn_status mn_folder_make(mn_context *c, const char *out, bool pictures)
{
    const char *const inner[] = { "frames", "checkpoints", "pictures" };
    for (int k = 0; k < (pictures ? 3 : 2); k++) {
        char          path[MN_PATH_BYTES];
        mn_file_error error;
        if (mn_path_join(path, out, inner[k], &error) != MN_OK || mn_file_make_folders(path, &error) != MN_OK)
            return mn_file_fail(c, &error);
    }
    return MN_OK;
}

static bool ends_with(const char *name, const char *ending)
{
    const size_t n = strlen(name), m = strlen(ending);
    return n >= m && strcmp(name + n - m, ending) == 0;
}

int64_t mn_frame_of_file(const char *name, const char *ending)
{
    if (!ends_with(name, ending)) return -1;
    const char *stop  = name + strlen(name) - strlen(ending);
    const char *digit = stop;
    while (digit > name && digit[-1] >= '0' && digit[-1] <= '9') digit--;
    if (stop - digit < 6 || stop - digit > 18 || (digit > name && digit[-1] != '.')) return -1;
    return strtoll(digit, NULL, 10);
}

/// Remove temporary files and those of later frames from one folder below `out`.
static mn_status clean_one(mn_context *c, const char *out, const char *inner, const char *ending, int64_t last_frame)
{
    char          folder[MN_PATH_BYTES], path[MN_PATH_BYTES];
    mn_file_error error;
    if (mn_path_join(folder, out, inner, &error) != MN_OK) return mn_file_fail(c, &error);
    mn_names names;
    MN_TRY(mn_file_list(c, folder, &names));
    mn_status status = MN_OK;
    for (int64_t k = 0; status == MN_OK && k < names.count; k++) {
        const char *name = names.name[k];
        if (!ends_with(name, MN_PARTIAL_ENDING) && mn_frame_of_file(name, ending) <= last_frame) continue;
        status = mn_path_join(path, folder, name, &error);
        if (status == MN_OK) status = mn_file_remove(path, &error);
        if (status != MN_OK) status = mn_file_fail(c, &error);
    }
    mn_names_free(c, &names);
    return status;
}

mn_status mn_folder_clean(mn_context *c, const char *out, int64_t last_frame)
{
    MN_TRY(clean_one(c, out, "frames", ".vtp", last_frame));
    MN_TRY(clean_one(c, out, "frames", ".png", last_frame));
    MN_TRY(clean_one(c, out, "pictures", ".png", last_frame));
    MN_TRY(clean_one(c, out, "checkpoints", ".none", last_frame));
    for (size_t k = 0; k < OURS; k++) {  // beside them may lie files that are not ours
        char          name[64], path[MN_PATH_BYTES];
        mn_file_error error;
        snprintf(name, sizeof name, "%s%s", ours[k], MN_PARTIAL_ENDING);
        if (mn_path_join(path, out, name, &error) != MN_OK || mn_file_remove(path, &error) != MN_OK)
            return mn_file_fail(c, &error);
    }
    return MN_OK;
}

const mn_file_kind mn_record_file = { "run.json", (int64_t)1 << 30 };
const mn_file_kind mn_table_file  = { "a table", (int64_t)1 << 34 };
const mn_file_kind mn_log_file    = { "a log", (int64_t)1 << 36 };
const mn_file_kind mn_frame_file  = { "a frame file", (int64_t)1 << 38 };

mn_status mn_folder_read(mn_context *c, const char *out, const char *name, const mn_file_kind *kind,
                         unsigned char **data, size_t *bytes)
{
    char          path[MN_PATH_BYTES];
    mn_file_error error;
    *data  = NULL;
    *bytes = 0;
    if (mn_path_join(path, out, name, &error) != MN_OK) return mn_file_fail(c, &error);
    return mn_file_exists(path) ? mn_file_read(c, path, kind, data, bytes) : MN_OK;
}

mn_status mn_folder_write(mn_context *c, const char *out, const char *name, const void *data, size_t bytes)
{
    char          path[MN_PATH_BYTES];
    mn_file_error error;
    if (mn_path_join(path, out, name, &error) != MN_OK || mn_file_write_atomic(path, data, bytes, &error) != MN_OK)
        return mn_file_fail(c, &error);
    return MN_OK;
}
