// SPDX-License-Identifier: MPL-2.0
// export/export.c - a run's frames as files of another program: which files, and where.
#include "export/formats.h"
#include "export/run_formats.h"
#include "export/viewer.h"
#include "output/pvd.h"

#include <stdio.h>
#include <string.h>

typedef struct job {
    mn_context          *context;
    const mn_run_folder *folder;
    const char          *to;
    mn_export_result    *result;
} job;

mn_status mn_export_read(mn_context *c, const mn_run_folder *folder, int64_t part, int64_t frame, mn_vtp_part **out,
                         mn_export_skipped *skipped)
{
    *out                   = NULL;
    const mn_status status = mn_run_folder_read(c, folder, part, frame, out);
    if (status != MN_ERR_FILE) return status;
    skipped->count++;
    snprintf(skipped->last, sizeof skipped->last, "%s", mn_context_error(c));
    return MN_OK;
}

int64_t mn_export_files(const mn_run_folder *folder, int64_t part)
{
    const mn_run_part *files = &folder->part[part];
    int64_t            count = 0;
    while (count < files->count && folder->frame_count > 0 &&
           files->file[count] <= folder->frame[folder->frame_count - 1])
        count++;
    return count;
}

mn_status mn_export_first(mn_context *c, const mn_run_folder *folder, int64_t part, mn_vtp_part **out)
{
    const mn_run_part *files = &folder->part[part];
    mn_export_skipped  none  = { .count = 0 };
    *out                     = NULL;
    for (int64_t k = 0; k < mn_export_files(folder, part) && *out == NULL; k++)
        MN_TRY(mn_export_read(c, folder, part, files->file[k], out, &none));
    return MN_OK;
}

static void take_skipped(job *j, const mn_export_skipped *skipped)
{
    j->result->skipped += skipped->count;
    if (skipped->count > 0) snprintf(j->result->reason, sizeof j->result->reason, "%s", skipped->last);
}

static mn_status path_in(job *j, char path[MN_PATH_BYTES], const char *name)
{
    mn_file_error error;
    return mn_path_join(path, j->to, name, &error) == MN_OK ? MN_OK : mn_file_fail(j->context, &error);
}

static mn_status write_bytes(job *j, const char *name, const mn_buffer *bytes)
{
    char          path[MN_PATH_BYTES];
    mn_file_error error;
    MN_TRY(path_in(j, path, name));
    if (mn_file_write_atomic(path, bytes->data, bytes->bytes, &error) != MN_OK) return mn_file_fail(j->context, &error);
    j->result->files++;
    j->result->bytes += (double)bytes->bytes;
    return MN_OK;
}

/// Files of one part that should be there: from its first on every frame has one, unless the part stays as it is until
/// the next.
static mn_status note_missing_of(job *j, int64_t part)
{
    const mn_run_folder *f     = j->folder;
    const mn_run_part   *files = &f->part[part];
    mn_vtp_part         *first;
    MN_TRY(mn_export_first(j->context, f, part, &first));
    const bool held = first == NULL || first->part.timeless;
    mn_vtp_part_destroy(j->context, &first);
    for (int64_t n = 0, k = 0; n < f->frame_count && !held; n++) {
        while (k < files->count && files->file[k] < f->frame[n]) k++;
        if (f->frame[n] < files->file[0] || (k < files->count && files->file[k] == f->frame[n])) continue;
        char name[256];
        mn_frame_file_name(name, sizeof name, files->name, f->frame[n]);
        j->result->skipped++;
        snprintf(j->result->reason, sizeof j->result->reason, "%.200s/%s: the file is missing", f->out, name);
    }
    return MN_OK;
}

static mn_status note_missing(job *j)
{
    for (int64_t part = 0; part < j->folder->part_count; part++) MN_TRY(note_missing_of(j, part));
    return MN_OK;
}

// ---- a file a part and frame ---------------------------------------------------------------------------------------

typedef mn_status make_fn(const mn_frame_part *part, mn_buffer *out);

static mn_status export_moment(job *j, make_fn *make, const char *ending, int64_t part, int64_t frame, mn_buffer *bytes)
{
    mn_export_skipped skipped = { .count = 0 };
    mn_vtp_part      *now;
    MN_TRY(mn_export_read(j->context, j->folder, part, frame, &now, &skipped));
    take_skipped(j, &skipped);
    if (now == NULL) return MN_OK;
    mn_buffer_clear(bytes);
    mn_status status = make(&now->part, bytes);
    char      name[256];
    snprintf(name, sizeof name, "%s.%06lld.%s", j->folder->part[part].name, (long long)frame, ending);
    if (status == MN_OK) status = write_bytes(j, name, bytes);
    mn_vtp_part_destroy(j->context, &now);
    return status;
}

static mn_status export_moments(job *j, make_fn *make, const char *ending)
{
    mn_buffer bytes;
    mn_status status = MN_OK;
    mn_buffer_init(&bytes, j->context);
    for (int64_t part = 0; part < j->folder->part_count && status == MN_OK; part++) {
        const mn_run_part *files = &j->folder->part[part];
        for (int64_t k = 0; k < mn_export_files(j->folder, part) && status == MN_OK; k++)
            status = export_moment(j, make, ending, part, files->file[k], &bytes);
    }
    mn_buffer_free(&bytes);
    return status;
}

/// The list that opens the .vtp files together: each part at each frame's own time, a part that does not move by its
/// last file.
static mn_status write_list(job *j)
{
    const mn_run_folder *f = j->folder;
    mn_buffer            b;
    mn_buffer_init(&b, j->context);
    mn_buffer_text(&b, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                       "byte_order=\"LittleEndian\">\n  <Collection>\n");
    for (int64_t n = 0; n < f->frame_count; n++)
        for (int64_t part = 0; part < f->part_count; part++) {
            int64_t at = -1;
            for (int64_t k = 0; k < f->part[part].count && f->part[part].file[k] <= f->frame[n]; k++)
                at = f->part[part].file[k];
            if (at < 0) continue;
            mn_buffer_print(&b, "    <DataSet timestep=\"%.17g\" part=\"%lld\" name=\"", f->time[n], (long long)part);
            mn_xml_text(&b, f->part[part].name);
            mn_buffer_text(&b, "\" file=\"");
            mn_xml_text(&b, f->part[part].name);
            mn_buffer_print(&b, ".%06lld.vtp\"/>\n", (long long)at);
        }
    mn_buffer_text(&b, "  </Collection>\n</VTKFile>\n");
    mn_status status = mn_buffer_status(&b);
    if (status == MN_OK) status = write_bytes(j, "run.pvd", &b);
    mn_buffer_free(&b);
    return status;
}

// ---- a file for all frames -----------------------------------------------------------------------------------------

static mn_status count_file(job *j, const char *path)
{
    double        bytes;
    mn_file_error error;
    if (mn_file_size(path, &bytes, &error) != MN_OK) return mn_file_fail(j->context, &error);
    j->result->files++;
    j->result->bytes += bytes;
    return MN_OK;
}

/// Parts whose points are always the same ones; those that come and go are named in the reason and left out.
static mn_status export_caches(job *j)
{
    for (int64_t part = 0; part < j->folder->part_count; part++) {
        char name[256], path[MN_PATH_BYTES];
        snprintf(name, sizeof name, "%s.pc2", j->folder->part[part].name);
        MN_TRY(path_in(j, path, name));
        const mn_status status = mn_pc2_write(j->context, j->folder, part, path);
        if (status == MN_OK) MN_TRY(count_file(j, path));
        else if (status == MN_ERR_ARGUMENT)
            snprintf(j->result->reason, sizeof j->result->reason, "%s", mn_context_error(j->context));
        else return status;
    }
    if (j->result->files == 0 && j->result->reason[0] != '\0')
        return mn_fail(j->context, MN_ERR_ARGUMENT, "%s", j->result->reason);
    return MN_OK;
}

/// The copy of the scene in the folder of the run.
static mn_status load_scene(job *j, mn_scene **scene)
{
    char          path[MN_PATH_BYTES];
    mn_file_error error;
    if (mn_path_join(path, j->folder->out, "scene.yaml", &error) != MN_OK) return mn_file_fail(j->context, &error);
    return mn_scene_load(j->context, &(mn_scene_source){ .path = path }, scene);
}

static mn_status export_stage(job *j)
{
    char              path[MN_PATH_BYTES];
    mn_export_skipped skipped = { .count = 0 };
    mn_scene         *scene   = NULL;
    MN_TRY(load_scene(j, &scene));
    const int up = mn_scene_domain(scene).up;
    mn_scene_destroy(&scene);
    MN_TRY(path_in(j, path, "run.usda"));
    MN_TRY(mn_usda_write(j->context, j->folder, up, path, &skipped));
    take_skipped(j, &skipped);
    return count_file(j, path);
}

static mn_status export_page(job *j, const mn_page_def *def, const char *path)
{
    size_t               bytes;
    const unsigned char *page    = mn_viewer_page(&bytes);
    mn_export_skipped    skipped = { .count = 0 };
    mn_scene            *scene   = NULL;
    MN_TRY(load_scene(j, &scene));
    const mn_status status = mn_html_write(j->context, j->folder, scene, def, page, bytes, path, &skipped);
    mn_scene_destroy(&scene);
    MN_TRY(status);
    take_skipped(j, &skipped);
    return count_file(j, path);
}

static mn_status export_whole_page(job *j)
{
    char              path[MN_PATH_BYTES];
    const mn_page_def def = mn_page_def_default();
    MN_TRY(path_in(j, path, "run.html"));
    return export_page(j, &def, path);
}

// ---- any of them ---------------------------------------------------------------------------------------------------

static mn_status export_format(job *j, mn_export_format format)
{
    switch (format) {
    case MN_EXPORT_VTP: MN_TRY(export_moments(j, mn_vtp_make, "vtp")); return write_list(j);
    case MN_EXPORT_PLY: return export_moments(j, mn_ply_make, "ply");
    case MN_EXPORT_OBJ: return export_moments(j, mn_obj_make, "obj");
    case MN_EXPORT_PC2: return export_caches(j);
    case MN_EXPORT_USDA: return export_stage(j);
    case MN_EXPORT_HTML: return export_whole_page(j);
    }
    return mn_fail(j->context, MN_ERR_ARGUMENT, "there is no export format %d", (int)format);
}

/// A folder that is none of a run is a wrong argument, not a failing disk.
static mn_status open_run(mn_context *c, const char *out, mn_run_folder **folder)
{
    const mn_status status = mn_run_folder_open(c, out, folder);
    if (status != MN_ERR_FILE) return status;
    char text[MN_PATH_BYTES];
    snprintf(text, sizeof text, "%s", mn_context_error(c));
    return mn_fail(c, MN_ERR_ARGUMENT, "%s", text);
}

/// Into the folder `to`; a page with a definition of its own into def->to, whose folder that is.
static mn_status export_run(mn_context *c, const char *out, mn_export_format format, const mn_page_def *def,
                            const char *to, mn_export_result *result)
{
    *result               = (mn_export_result){ .files = 0 };
    mn_run_folder *folder = NULL;
    mn_file_error  error;
    size_t         bytes;
    if (format == MN_EXPORT_HTML && mn_viewer_page(&bytes) == NULL)
        return mn_fail(c, MN_ERR_STATE, "%s", mn_viewer_missing());
    MN_TRY(open_run(c, out, &folder));
    job       j      = { .context = c, .folder = folder, .to = to, .result = result };
    mn_status status = MN_OK;
    if (folder->frame_count == 0 || folder->part_count == 0)
        status = mn_fail(c, MN_ERR_ARGUMENT, "%s: the run has no frames to export", out);
    if (status == MN_OK && mn_file_make_folders(to, &error) != MN_OK) status = mn_file_fail(c, &error);
    // Pages find out for themselves, and caches of points refuse gaps.
    if (status == MN_OK && format != MN_EXPORT_HTML && format != MN_EXPORT_PC2) status = note_missing(&j);
    if (status == MN_OK) status = def != NULL ? export_page(&j, def, def->to) : export_format(&j, format);
    if (status == MN_OK && result->files == 0)
        status = mn_fail(c, MN_ERR_ARGUMENT, "no frame could be read: %.400s", result->reason);
    mn_run_folder_close(c, &folder);
    return status;
}

mn_status mn_run_export(mn_context *c, const char *out, mn_export_format format, const char *to,
                        mn_export_result *result)
{
    return export_run(c, out, format, NULL, to, result);
}

mn_page_def mn_page_def_default(void)
{
    return (mn_page_def){ .last = -1, .every = 1, .limit = 2e8, .cookie = MN_DEF_COOKIE };
}

mn_status mn_run_export_page(mn_context *c, const mn_page_def *def, mn_export_result *result)
{
    if (def->cookie != MN_DEF_COOKIE || def->out == NULL || def->to == NULL)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "the definition of the page was not made by mn_page_def_default(), or lacks a folder or a file");
    if (def->every < 1)
        return mn_fail(c, MN_ERR_ARGUMENT, "one of every %lld frames cannot be shown; at least 1",
                       (long long)def->every);
    if (strlen(def->to) >= MN_PATH_BYTES)
        return mn_fail(c, MN_ERR_ARGUMENT, "%.200s...: the path is too long", def->to);
    char        folder[MN_PATH_BYTES] = ".";
    const char *slash                 = strrchr(def->to, '/');
    if (slash != NULL) snprintf(folder, sizeof folder, "%.*s", (int)(slash - def->to) + (slash == def->to), def->to);
    return export_run(c, def->out, MN_EXPORT_HTML, def, folder, result);
}
