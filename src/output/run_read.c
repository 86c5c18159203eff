// SPDX-License-Identifier: MPL-2.0
// output/run_read.c - run.json and the names in frames/ tell which frames there are.
#include "output/run_read.h"

#include "output/folder.h"
#include "output/pvd.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ENDING ".vtp"

static mn_status read_record(mn_context *c, mn_run_folder *f)
{
    unsigned char *data;
    size_t         bytes;
    MN_TRY(mn_folder_read(c, f->out, "run.json", &mn_record_file, &data, &bytes));
    const mn_status status = data == NULL ? MN_OK
                                          : mn_run_record_parse(c, (const char *)data, bytes, &f->record, &f->whole);
    mn_free(c, data);
    return status;
}

static mn_status find_part(mn_context *c, mn_run_folder *f, const char *name, size_t length, mn_run_part **out)
{
    for (int64_t k = 0; k < f->part_count; k++) {
        *out = &f->part[k];
        if (strlen(f->part[k].name) == length && strncmp(f->part[k].name, name, length) == 0) return MN_OK;
    }
    MN_TRY(mn_array_reserve(c, &f->part, &f->part_capacity, f->part_count + 1, sizeof *f->part));
    *out = &f->part[f->part_count++];
    snprintf((*out)->name, sizeof(*out)->name, "%.*s", (int)length, name);
    return MN_OK;
}

/// Put a frame number where it belongs: longer numbers sort before shorter ones by name, so files may come in any
/// order.
static mn_status add_file(mn_context *c, mn_run_part *p, int64_t frame)
{
    MN_TRY(mn_array_reserve(c, &p->file, &p->capacity, p->count + 1, sizeof *p->file));
    int64_t at = p->count++;
    for (; at > 0 && p->file[at - 1] > frame; at--) p->file[at] = p->file[at - 1];
    p->file[at] = frame;
    return MN_OK;
}

static mn_status add_name(mn_context *c, mn_run_folder *f, const char *name)
{
    const int64_t frame  = mn_frame_of_file(name, ENDING);
    const size_t  length = strcspn(name, ".");
    char          again[256];
    mn_run_part  *part;
    if (frame < 0 || length == 0 || length >= sizeof part->name) return MN_OK;
    snprintf(again, sizeof again, "%.*s.%06lld" ENDING, (int)length, name, (long long)frame);
    if (strcmp(again, name) != 0) return MN_OK;  // not one of ours
    MN_TRY(find_part(c, f, name, length, &part));
    return add_file(c, part, frame);
}

static mn_status list_files(mn_context *c, mn_run_folder *f)
{
    char          folder[MN_PATH_BYTES];
    mn_file_error error;
    if (mn_path_join(folder, f->out, "frames", &error) != MN_OK) return mn_file_fail(c, &error);
    mn_names names;
    MN_TRY(mn_file_list(c, folder, &names));
    mn_status status = MN_OK;
    for (int64_t k = 0; status == MN_OK && k < names.count; k++) status = add_name(c, f, names.name[k]);
    mn_names_free(c, &names);
    return status;
}

static mn_status add_frame(mn_context *c, mn_run_folder *f, int64_t frame, double time)
{
    int64_t at = f->frame_count;
    while (at > 0 && f->frame[at - 1] >= frame) at--;
    if (at < f->frame_count && f->frame[at] == frame) return MN_OK;
    int64_t capacity = f->frame_capacity;
    MN_TRY(mn_array_reserve(c, &f->frame, &capacity, f->frame_count + 1, sizeof *f->frame));
    MN_TRY(mn_array_reserve(c, &f->time, &f->frame_capacity, f->frame_count + 1, sizeof *f->time));
    const size_t behind = (size_t)(f->frame_count - at);
    memmove(f->frame + at + 1, f->frame + at, behind * sizeof *f->frame);
    memmove(f->time + at + 1, f->time + at, behind * sizeof *f->time);
    f->frame[at] = frame;
    f->time[at]  = time;
    f->frame_count++;
    return MN_OK;
}

static mn_status list_frames(mn_context *c, mn_run_folder *f)
{
    for (int64_t k = 0; f->whole && k < f->record.frame_count; k++)
        MN_TRY(add_frame(c, f, f->record.frames[k].frame, f->record.frames[k].time));
    for (int64_t p = 0; !f->whole && p < f->part_count; p++)
        for (int64_t k = 0; k < f->part[p].count; k++) MN_TRY(add_frame(c, f, f->part[p].file[k], NAN));
    if (!f->whole)
        mn_log(c, MN_LOG_WARNING, "run_json",
               "%s: run.json is missing or damaged; its frames are those that have files", f->out);
    return MN_OK;
}

static mn_status fill(mn_context *c, const char *out, mn_run_folder *f)
{
    if (strlen(out) >= sizeof f->out) return mn_fail(c, MN_ERR_FILE, "%s: the path is too long", out);
    strcpy(f->out, out);
    if (!mn_file_exists(out)) return mn_fail(c, MN_ERR_FILE, "%s: there is no such folder", out);
    if (mn_folder_first_of_ours(out) == NULL)
        return mn_fail(c, MN_ERR_FILE, "%s: not the folder of a run; it has neither run.json nor frames", out);
    MN_TRY(read_record(c, f));
    MN_TRY(list_files(c, f));
    return list_frames(c, f);
}

mn_status mn_run_folder_open(mn_context *c, const char *out, mn_run_folder **folder)
{
    mn_run_folder *f = *folder = mn_alloc(c, sizeof *f);
    if (f == NULL) return MN_ERR_MEMORY;
    const mn_status status = fill(c, out, f);
    if (status != MN_OK) mn_run_folder_close(c, folder);
    return status;
}

void mn_run_folder_close(mn_context *c, mn_run_folder **folder)
{
    mn_run_folder *f = *folder;
    if (f == NULL) return;
    for (int64_t k = 0; k < f->part_count; k++) mn_free(c, f->part[k].file);
    mn_free(c, f->part);
    mn_free(c, f->frame);
    mn_free(c, f->time);
    mn_run_record_free(c, &f->record);
    mn_free(c, f);
    *folder = NULL;
}

int64_t mn_run_folder_find(const mn_run_folder *f, const char *part)
{
    for (int64_t k = 0; k < f->part_count; k++)
        if (strcmp(f->part[k].name, part) == 0) return k;
    return -1;
}

static mn_status frame_path(mn_context *c, const mn_run_folder *f, const char *part, int64_t frame,
                            char path[MN_PATH_BYTES])
{
    char          name[256];
    mn_file_error error;
    mn_frame_file_name(name, sizeof name, part, frame);
    return mn_path_join(path, f->out, name, &error) == MN_OK ? MN_OK : mn_file_fail(c, &error);
}

mn_status mn_run_folder_read(mn_context *c, const mn_run_folder *f, int64_t part, int64_t frame, mn_vtp_part **out)
{
    *out                 = NULL;
    const mn_run_part *p = &f->part[part];
    int64_t            k = p->count - 1;
    char               path[MN_PATH_BYTES];
    while (k >= 0 && p->file[k] > frame) k--;
    if (k < 0) return MN_OK;
    MN_TRY(frame_path(c, f, p->name, p->file[k], path));
    MN_TRY(mn_vtp_read(c, path, out));
    if (p->file[k] == frame || (*out)->part.timeless) return MN_OK;
    mn_vtp_part_destroy(c, out);
    MN_TRY(frame_path(c, f, p->name, frame, path));
    return mn_fail(c, MN_ERR_FILE, "%s: the file is missing", path);
}
