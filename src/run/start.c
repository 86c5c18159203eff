// SPDX-License-Identifier: MPL-2.0
// run/start.c - how a run begins: in an empty folder, after the newest good checkpoint, or from another run.
#include "run/run_private.h"

#include "base/hash.h"
#include "output/checkpoint.h"
#include "output/csv.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- before the world is built -------------------------------------------------------------------------------------

static void describe(mn_run *run)
{
    mn_run_record *r = &run->record;
    snprintf(r->version, sizeof r->version, "%s", mn_version());
    snprintf(r->scene, sizeof r->scene, "%s", mn_scene_name(run->scene));
    r->has_identity = true;
    r->identity     = mn_scene_identity(run->scene);
    r->threads      = mn_context_threads(run->context);
}

static mn_status read_record(mn_run *run)
{
    unsigned char *data;
    size_t         bytes;
    MN_TRY(mn_folder_read(run->context, run->out, "run.json", &mn_record_file, &data, &bytes));
    if (data == NULL) return MN_OK;
    bool            whole  = false;
    const mn_status status = mn_run_record_parse(run->context, (const char *)data, bytes, &run->record, &whole);
    mn_free(run->context, data);
    if (status == MN_OK && !whole)
        mn_log(run->context, MN_LOG_WARNING, "record_damaged",
               "%s/run.json is damaged; it is rebuilt from what is known", run->out);
    return status;
}

mn_status mn_run_reread_record(mn_run *run)
{
    mn_run_record_free(run->context, &run->record);
    const mn_status status = read_record(run);
    describe(run);
    return status;
}

static mn_status check_empty(mn_run *run)
{
    const char *found = mn_folder_first_of_ours(run->out);
    if (found == NULL) return MN_OK;
    return mn_fail(run->context, MN_ERR_ARGUMENT,
                   "%s already holds a run (%s/%s); continue it with --resume, or choose another folder with -o",
                   run->out, run->out, found);
}

/// Nobody else writes into the folder from here on. One that is not there yet is not made: the scene may be refused.
mn_status mn_run_check_folder(mn_run *run)
{
    if (mn_file_exists(run->out)) MN_TRY(mn_file_lock_take(run->context, &run->lock, run->out));
    if (!run->def.resume) return check_empty(run);
    MN_TRY(read_record(run));
    if (run->record.has_identity && run->record.identity != mn_scene_identity(run->scene))
        return mn_fail(run->context, MN_ERR_ARGUMENT,
                       "%s holds a run of another scene or of other settings (\"%s\", identity %016" PRIx64
                       ", this scene has %016" PRIx64
                       "); it cannot be continued. Choose another folder with -o, or branch off with --from %s:FRAME",
                       run->out, run->record.scene, run->record.identity, mn_scene_identity(run->scene), run->out);
    return MN_OK;
}

// ---- loading a state -----------------------------------------------------------------------------------------------

/// Whether a state's time belongs to its file's frame at this frame rate: at it, or after it by some steps.
static bool time_fits(const mn_run *run, mn_checkpoint_id id)
{
    const double t = mn_world_time(run->world), rate = run->time.frame_rate, tolerance = 1e-9 * fmax(1.0, t);
    if (id.steps == 0) return fabs(t - (double)id.frame / rate) <= tolerance;
    return t > (double)id.frame / rate - tolerance && t < (double)(id.frame + 1) / rate + tolerance;
}

static mn_status load_checkpoint(mn_run *run, const char *folder, mn_checkpoint_id id, bool branch)
{
    char          name[MN_CHECKPOINT_NAME_BYTES], path[MN_PATH_BYTES];
    mn_file_error error;
    mn_checkpoint_name(id, name);
    if (mn_path_join(path, folder, name, &error) != MN_OK) return mn_file_fail(run->context, &error);
    MN_TRY(branch ? mn_world_load_branch(run->world, path) : mn_world_load(run->world, path));
    if (time_fits(run, id)) return MN_OK;
    return mn_fail(run->context, MN_ERR_FILE,
                   "%s: its state is at %.9g s, which is not where this name belongs at %g frames a second", path,
                   mn_world_time(run->world), run->time.frame_rate);
}

/// Put a checkpoint that cannot be used out of the way.
static mn_status set_aside(mn_run *run, mn_checkpoint_id id)
{
    char          name[MN_CHECKPOINT_NAME_BYTES], from[MN_PATH_BYTES], to[MN_PATH_BYTES + 16];
    mn_file_error error;
    mn_checkpoint_name(id, name);
    MN_TRY(mn_run_path(run, name, from));
    snprintf(to, sizeof to, "%s.damaged", from);
    return mn_file_rename(from, to, &error) == MN_OK ? MN_OK : mn_file_fail(run->context, &error);
}

static mn_status fail_old(mn_run *run, const char *folder)
{
    return mn_fail(run->context, MN_ERR_ARGUMENT,
                   "the checkpoints of %s were written by an earlier version of the program, as HDF5 (.h5), and cannot "
                   "be read; run its scene again into another folder, or go on with that version",
                   folder);
}

/// Load the newest checkpoint that is whole; `*id` tells which, frame -1 if there are none at all.
static mn_status load_newest(mn_run *run, mn_checkpoint_id *id)
{
    mn_checkpoint_list *list = &run->checkpoints;
    MN_TRY(mn_checkpoint_list_read(run->context, run->out, list));
    if (list->count == 0 && list->has_old) return fail_old(run, run->out);
    *id              = (mn_checkpoint_id){ -1, 0 };
    mn_status status = MN_OK;
    bool      tried  = false;
    for (int64_t k = list->count - 1; k >= 0; k--) {
        status = load_checkpoint(run, run->out, list->id[k], false);
        tried  = true;
        if (status == MN_OK) {
            *id         = list->id[k];
            list->count = k + 1;
            break;
        }
        if (status == MN_ERR_MEMORY) return status;  // says nothing about the file
        mn_log(run->context, MN_LOG_WARNING, "checkpoint_refused", "%s", mn_context_error(run->context));
    }
    if (tried && status != MN_OK) return status;  // all refused: let the caller look before anything is lost
    return MN_OK;
}

/// Those that were refused on the way to the one used.
static mn_status set_aside_refused(mn_run *run, mn_checkpoint_id used)
{
    mn_checkpoint_list all;
    MN_TRY(mn_checkpoint_list_read(run->context, run->out, &all));
    mn_status status = MN_OK;
    for (int64_t k = all.count - 1; status == MN_OK && k >= 0; k--) {
        if (all.id[k].frame == used.frame && all.id[k].steps == used.steps) break;
        status = set_aside(run, all.id[k]);
    }
    mn_checkpoint_list_free(run->context, &all);
    return status;
}

// ---- resuming ------------------------------------------------------------------------------------------------------

static mn_status repair_table(mn_run *run, const char *name, mn_buffer *header, int64_t last_frame)
{
    unsigned char *data = NULL;
    size_t         bytes;
    const char    *line = mn_buffer_string(header);
    mn_buffer      repaired;
    mn_buffer_init(&repaired, run->context);
    mn_status status = line != NULL ? mn_folder_read(run->context, run->out, name, &mn_table_file, &data, &bytes)
                                    : MN_ERR_MEMORY;
    if (status == MN_OK)
        status = mn_csv_repair(run->context, name, (const char *)data, bytes, line, last_frame, &repaired);
    if (status == MN_OK) status = mn_folder_write(run->context, run->out, name, repaired.data, repaired.bytes);
    mn_buffer_free(&repaired);
    mn_free(run->context, data);
    return status;
}

/// The three tables, cut to the frames up to `last_frame`; -1: only headers.
static mn_status repair_tables(mn_run *run, int64_t last_frame)
{
    mn_buffer header;
    mn_buffer_init(&header, run->context);
    mn_ledger_header(&header);
    mn_status status = repair_table(run, "ledger.csv", &header, last_frame);
    mn_buffer_clear(&header);
    mn_probes_header(&header, run->world);
    if (status == MN_OK) status = repair_table(run, "probes.csv", &header, last_frame);
    mn_buffer_clear(&header);
    mn_timings_header(&header);
    if (status == MN_OK) status = repair_table(run, "timings.csv", &header, last_frame);
    mn_buffer_free(&header);
    return status;
}

/// Cut a torn last line off the log.
static mn_status repair_log(mn_run *run)
{
    unsigned char *data;
    size_t         bytes;
    MN_TRY(mn_folder_read(run->context, run->out, "log.ndjson", &mn_log_file, &data, &bytes));
    size_t whole = bytes;
    while (whole > 0 && data[whole - 1] != '\n') whole--;
    mn_status status = MN_OK;
    if (whole < bytes) status = mn_folder_write(run->context, run->out, "log.ndjson", data, whole);
    mn_free(run->context, data);
    return status;
}

/// The last frame that has a row, and the times of those whose entry in run.json was lost.
static mn_status read_ledger_frames(mn_run *run, int64_t *last)
{
    mn_csv csv;
    *last = -1;
    MN_TRY(mn_csv_read(run->context, run->out, "ledger.csv", &csv));
    mn_status status = MN_OK;
    for (int64_t r = 0, next = 0; status == MN_OK && r < csv.row_count; r++) {
        const mn_run_frame row = { .frame = (int64_t)csv.value[r * csv.column_count],
                                   .time  = csv.value[r * csv.column_count + 1] };
        while (next < run->record.frame_count && run->record.frames[next].frame < row.frame) next++;
        if (next == run->record.frame_count || run->record.frames[next].frame != row.frame)
            status = mn_run_record_add(run->context, &run->record, row);
        *last = row.frame;
    }
    mn_csv_free(run->context, &csv);
    return status;
}

/// Which part a file in frames/ belongs to, by its name; -1: none of this run.
static int part_of_file(const mn_run *run, const char *file, int64_t frame)
{
    for (int p = 0; p < mn_frames_count(run->frames); p++) {
        char name[256];
        mn_frame_file_name(name, sizeof name, mn_frames_names(run->frames)[p], frame);
        if (strcmp(name + strlen("frames/"), file) == 0) return p;
    }
    return -1;
}

static int compare_files(const void *a, const void *b)
{
    const mn_pvd_file *x = a, *y = b;
    if (x->frame != y->frame) return x->frame < y->frame ? -1 : 1;
    return (x->part > y->part) - (x->part < y->part);
}

/// The frame files that are there, for run.pvd.
static mn_status find_frame_files(mn_run *run)
{
    char     folder[MN_PATH_BYTES];
    mn_names names;
    MN_TRY(mn_run_path(run, "frames", folder));
    MN_TRY(mn_file_list(run->context, folder, &names));
    mn_status status = MN_OK;
    for (int64_t k = 0; status == MN_OK && k < names.count; k++) {
        const int64_t frame = mn_frame_of_file(names.name[k], ".vtp");
        const int     part  = frame >= 0 ? part_of_file(run, names.name[k], frame) : -1;
        if (part < 0) continue;
        status = mn_array_reserve(run->context, &run->pvd.files, &run->pvd.capacity, run->pvd.count + 1,
                                  sizeof *run->pvd.files);
        if (status == MN_OK) run->pvd.files[run->pvd.count++] = (mn_pvd_file){ part, frame };
    }
    mn_names_free(run->context, &names);
    if (run->pvd.count > 1) qsort(run->pvd.files, (size_t)run->pvd.count, sizeof *run->pvd.files, compare_files);
    return status;
}

/// Hashes of the newest files, so that a part that stands still is not written again after a resume either.
static mn_status hash_newest_files(mn_run *run)
{
    for (int64_t k = run->pvd.count - 1; k >= 0; k--) {
        const mn_pvd_file file = run->pvd.files[k];
        if (!mn_frames_is_timeless(run->frames, file.part) || run->part_hash[file.part] != 0) continue;
        char           name[256];
        unsigned char *data;
        size_t         bytes;
        mn_frame_file_name(name, sizeof name, mn_frames_names(run->frames)[file.part], file.frame);
        MN_TRY(mn_folder_read(run->context, run->out, name, &mn_frame_file, &data, &bytes));
        run->part_hash[file.part] = mn_hash_bytes(MN_HASH_SEED, data, bytes);
        mn_free(run->context, data);
    }
    return MN_OK;
}

static void begin_at_first(mn_run *run)
{
    run->first_frame = 0;
    run->frame       = -1;
    mn_run_record_cut(&run->record, -1);
}

static mn_status continue_after(mn_run *run, mn_checkpoint_id id)
{
    int64_t last_row;
    MN_TRY(set_aside_refused(run, id));
    MN_TRY(repair_tables(run, id.frame));
    mn_run_record_cut(&run->record, id.frame);
    MN_TRY(read_ledger_frames(run, &last_row));
    run->first_frame = run->record.frame_count > 0 ? run->record.frames[0].frame : id.frame;
    // A branched run that was killed before its first frame was whole makes that frame again.
    run->frame = last_row < id.frame && id.steps == 0 ? id.frame - 1 : id.frame;
    if (run->frame < run->first_frame) mn_run_record_cut(&run->record, -1);
    else if (id.steps == 0)
        MN_TRY(mn_run_record_add(run->context, &run->record,
                                 (mn_run_frame){ .frame      = id.frame,
                                                 .time       = mn_world_time(run->world),
                                                 .hash_known = true,
                                                 .hash       = mn_world_hash(run->world) }));
    mn_events_set_time(run->events, mn_world_time(run->world));
    mn_log(run->context, MN_LOG_INFO, "resumed", "the run continues after frame %lld and %lld steps, at %.9g s",
           (long long)id.frame, (long long)id.steps, mn_world_time(run->world));
    return MN_OK;
}

static mn_status start_resumed(mn_run *run)
{
    mn_checkpoint_id id;
    MN_TRY(load_newest(run, &id));
    MN_TRY(mn_folder_make(run->context, run->out, run->def.pictures));
    if (id.frame < 0) {
        mn_log(run->context, MN_LOG_WARNING, "resumed", "%s holds no checkpoint yet; the run starts from the beginning",
               run->out);
        begin_at_first(run);
        MN_TRY(repair_tables(run, -1));
    } else {
        MN_TRY(continue_after(run, id));
    }
    MN_TRY(mn_folder_clean(run->context, run->out, run->frame));
    MN_TRY(repair_log(run));
    run->seconds_before = run->record.seconds;
    MN_TRY(find_frame_files(run));
    return hash_newest_files(run);
}

// ---- branching -----------------------------------------------------------------------------------------------------

/// Split "OUT:FRAME" at its last colon.
static mn_status split_from(mn_run *run, const char *from, char folder[MN_PATH_BYTES], int64_t *frame)
{
    const char  *colon  = strrchr(from, ':');
    const size_t length = colon != NULL ? (size_t)(colon - from) : 0;
    char        *end    = NULL;
    *frame              = colon != NULL ? strtoll(colon + 1, &end, 10) : -1;
    if (length == 0 || length >= MN_PATH_BYTES || end == colon + 1 || *end != '\0' || *frame < 0)
        return mn_fail(run->context, MN_ERR_ARGUMENT,
                       "--from %s: expected OUT:FRAME, the folder of a run and the number of a frame", from);
    memcpy(folder, from, length);
    folder[length] = '\0';
    return MN_OK;
}

/// A sentence that lists the frames one can branch from.
static mn_status fail_no_such_frame(mn_run *run, const char *folder, int64_t frame, const mn_checkpoint_list *list)
{
    char   text[1024] = "";
    size_t used       = 0;
    for (int64_t k = 0; k < list->count && used + 32 < sizeof text; k++) {
        if (list->id[k].steps != 0) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld", used > 0 ? ", " : "",
                                 (long long)list->id[k].frame);
    }
    if (used == 0 && list->has_old) return fail_old(run, folder);
    if (used == 0)
        return mn_fail(run->context, MN_ERR_ARGUMENT, "--from %s:%lld: %s holds no checkpoint of a frame", folder,
                       (long long)frame, folder);
    return mn_fail(run->context, MN_ERR_ARGUMENT, "--from %s:%lld: there is no checkpoint of that frame; there are %s",
                   folder, (long long)frame, text);
}

static mn_status load_branch(mn_run *run, const char *from)
{
    char               folder[MN_PATH_BYTES];
    mn_checkpoint_list list;
    int64_t            frame;
    MN_TRY(split_from(run, from, folder, &frame));
    MN_TRY(mn_checkpoint_list_read(run->context, folder, &list));
    bool found = false;
    for (int64_t k = 0; k < list.count; k++) found = found || (list.id[k].frame == frame && list.id[k].steps == 0);
    const mn_status status = found ? MN_OK : fail_no_such_frame(run, folder, frame, &list);
    mn_checkpoint_list_free(run->context, &list);
    MN_TRY(status);
    MN_TRY(load_checkpoint(run, folder, (mn_checkpoint_id){ frame, 0 }, true));
    run->first_frame = frame;
    run->frame       = frame - 1;
    if (run->events != NULL) mn_events_set_time(run->events, mn_world_time(run->world));
    mn_log(run->context, MN_LOG_INFO, "branched", "the run starts from frame %lld of %s, at %.9g s", (long long)frame,
           folder, mn_world_time(run->world));
    return MN_OK;
}

// ---- together ------------------------------------------------------------------------------------------------------

/// The state branched from comes first: without it a run killed early would begin at frame 0 when resumed.
static mn_status write_branch_state(mn_run *run)
{
    const mn_checkpoint state = mn_checkpoint_of(run->world);
    char                name[MN_CHECKPOINT_NAME_BYTES], path[MN_PATH_BYTES];
    mn_checkpoint_name((mn_checkpoint_id){ run->first_frame, 0 }, name);
    MN_TRY(mn_run_path(run, name, path));
    MN_TRY(mn_checkpoint_write(run->context, &state, mn_world_hash(run->world), path));
    return mn_checkpoint_list_add(run->context, &run->checkpoints, (mn_checkpoint_id){ run->first_frame, 0 });
}

/// A folder that was not there when it was looked for may be another run's by now.
static mn_status take_new_folder(mn_run *run)
{
    mn_file_error error;
    if (run->lock.fd >= 0) return MN_OK;
    if (mn_file_make_folders(run->out, &error) != MN_OK) return mn_file_fail(run->context, &error);
    MN_TRY(mn_file_lock_take(run->context, &run->lock, run->out));
    return run->def.resume ? MN_OK : check_empty(run);
}

static mn_status start_fresh(mn_run *run)
{
    MN_TRY(mn_folder_make(run->context, run->out, run->def.pictures));
    if (run->def.from != NULL) MN_TRY(write_branch_state(run));
    mn_log(run->context, MN_LOG_INFO, "started", "\"%s\", %lld frames at %g a second", mn_scene_name(run->scene),
           (long long)run->frames_wanted, run->time.frame_rate);
    return repair_tables(run, -1);
}

static bool ask_stop(void *user)
{
    mn_run *run = user;
    mn_run_tell(run, false);
    return run->stop;
}

static mn_status open_writer(mn_run *run)
{
    mn_writer_def def = mn_writer_def_default(run->out);
    def.disk_reserve  = run->output.disk_reserve;
    def.stop          = ask_stop;
    def.stop_user     = run;
    return mn_writer_create(run->context, &def, &run->writer);
}

mn_status mn_run_start(mn_run *run)
{
    run->first_frame = 0;
    run->frame       = -1;
    if (run->def.from != NULL) MN_TRY(load_branch(run, run->def.from));
    if (!run->has_folder) return MN_OK;

    run->pvd = (mn_pvd){ .names = mn_frames_names(run->frames), .name_count = mn_frames_count(run->frames) };
    MN_TRY(take_new_folder(run));
    MN_TRY(run->def.resume ? start_resumed(run) : start_fresh(run));
    MN_TRY(open_writer(run));
    describe(run);
    const char *resolved = mn_scene_resolved(run->scene);
    mn_buffer  *b;
    char        path[MN_PATH_BYTES];
    MN_TRY(mn_run_path(run, "scene.yaml", path));
    MN_TRY(mn_writer_take(run->writer, &b));
    mn_buffer_text(b, resolved);
    MN_TRY(mn_writer_submit(run->writer, MN_WRITE_ATOMIC, path, b));
    MN_TRY(mn_run_write_events(run));
    return mn_run_write_record(run, "running");
}
