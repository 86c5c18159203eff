// SPDX-License-Identifier: MPL-2.0
// export/pc2.c - PC2 point cache: a head of 32 bytes, then the points of every frame as floats.
#include "export/run_formats.h"

typedef struct head {
    char    word[12];
    int32_t version, points;
    float   start, rate;  ///< frame of the first sample, frames a sample
    int32_t samples;
} head;

static mn_status add_points(mn_context *c, mn_file_stream *to, const mn_frame_part *p)
{
    float *xyz = mn_alloc_array(c, float, 3 * p->point_count);
    if (xyz == NULL && p->point_count > 0) return MN_ERR_MEMORY;
    for (int64_t i = 0; i < p->point_count; i++)
        for (int k = 0; k < 3; k++) xyz[3 * i + k] = (float)mn_frame_array_value(&p->points, i, k);
    mn_file_error   error;
    const mn_status status = mn_file_stream_add(to, xyz, 12 * (size_t)p->point_count, &error) == MN_OK
                                 ? MN_OK
                                 : mn_file_fail(c, &error);
    mn_free(c, xyz);
    return status;
}

static mn_status add_head(mn_context *c, mn_file_stream *to, const mn_run_part *files, int64_t count, int64_t points)
{
    const int64_t first = files->file[0], last = files->file[count - 1];
    const head    h = { .word    = "POINTCACHE2",
                        .version = 1,
                        .points  = (int32_t)points,
                        .start   = (float)first,
                        .rate    = count > 1 ? (float)(last - first) / (float)(count - 1) : 1.0f,
                        .samples = (int32_t)count };
    _Static_assert(sizeof h == 32, "the head of a point cache has 32 bytes");
    mn_file_error error;
    return mn_file_stream_add(to, &h, sizeof h, &error) == MN_OK ? MN_OK : mn_file_fail(c, &error);
}

/// The format counts samples, not frames, so that none may be left out.
static mn_status add_sample(mn_context *c, const mn_run_folder *folder, int64_t part, int64_t k, mn_file_stream *to,
                            int64_t *points)
{
    const mn_run_part *files = &folder->part[part];
    mn_vtp_part       *now;
    MN_TRY(mn_run_folder_read(c, folder, part, files->file[k], &now));
    mn_status status = MN_OK;
    if (k == 0) {
        *points = now->part.point_count;
        status  = add_head(c, to, files, mn_export_files(folder, part), *points);
    } else if (now->part.point_count != *points)
        status = mn_fail(c, MN_ERR_ARGUMENT,
                         "part %s has %lld points in frame %lld and %lld in frame %lld; a point cache (pc2) needs the "
                         "same "
                         "number in all frames; export to usda or ply instead",
                         files->name, (long long)*points, (long long)files->file[0], (long long)now->part.point_count,
                         (long long)files->file[k]);
    if (status == MN_OK) status = add_points(c, to, &now->part);
    mn_vtp_part_destroy(c, &now);
    return status;
}

mn_status mn_pc2_write(mn_context *c, const mn_run_folder *folder, int64_t part, const char *path)
{
    mn_file_stream to;
    mn_file_error  error;
    int64_t        points = 0;
    if (mn_file_stream_open(&to, path, &error) != MN_OK) return mn_file_fail(c, &error);
    mn_status status = MN_OK;
    for (int64_t k = 0; k < mn_export_files(folder, part) && status == MN_OK; k++)
        status = add_sample(c, folder, part, k, &to, &points);
    if (status == MN_OK && mn_file_stream_finish(&to, &error) != MN_OK) status = mn_file_fail(c, &error);
    mn_file_stream_abandon(&to);
    return status;
}
