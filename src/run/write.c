// SPDX-License-Identifier: MPL-2.0
// run/write.c - what a run writes, and in which order.
//
// A kill may come between any two writes. A checkpoint is written after the frame files and rows of its frame, and
// run.json after the checkpoint: whatever checkpoint is found, everything up to its frame is already there.
#include "run/run_private.h"

#include "base/hash.h"
#include "base/timer.h"
#include "output/checkpoint.h"
#include "output/csv.h"
#include "render/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Pixels across, at most: a draft of this size takes a core about two seconds.
#define PICTURE_WIDTH 640

mn_status mn_run_path(const mn_run *run, const char *name, char path[MN_PATH_BYTES])
{
    mn_file_error error;
    return mn_path_join(path, run->out, name, &error) == MN_OK ? MN_OK : mn_file_fail(run->context, &error);
}

static mn_status submit(mn_run *run, mn_write_mode mode, const char *name, mn_buffer *buffer)
{
    char            path[MN_PATH_BYTES];
    const mn_status status = mn_run_path(run, name, path);
    if (status == MN_OK) return mn_writer_submit(run->writer, mode, path, buffer);
    if (buffer != NULL) mn_writer_return(run->writer, buffer);
    return status;
}

/// Submit if the buffer was filled without trouble, else give it back.
static mn_status submit_filled(mn_run *run, mn_status filled, mn_write_mode mode, const char *name, mn_buffer *buffer)
{
    if (filled == MN_OK) return submit(run, mode, name, buffer);
    mn_writer_return(run->writer, buffer);
    return filled;
}

/// From this size of the state on, what only steps need is given back while a frame or checkpoint is made, and the
/// writing is waited for: else these would be the peak of the run's memory.
#define LARGE_BYTES ((size_t)32 << 20)

static bool is_large(const mn_run *run)
{
    const mn_checkpoint state = mn_checkpoint_of(run->world);
    return mn_checkpoint_bytes(&state) > LARGE_BYTES;
}

static mn_status write_part(mn_run *run, int part, int64_t frame)
{
    mn_frame_part filled;
    mn_buffer    *b;
    char          name[256];
    MN_TRY(mn_frames_part(run->frames, part, &filled));
    MN_TRY(mn_writer_take(run->writer, &b));
    const mn_status status = mn_vtp_make(&filled, b);
    // A part that does not carry its time and looks as before is not written again.
    if (status == MN_OK && filled.timeless) {
        const uint64_t hash = mn_hash_bytes(MN_HASH_SEED, b->data, b->bytes);
        if (hash == run->part_hash[part]) {
            mn_writer_return(run->writer, b);
            return MN_OK;
        }
        run->part_hash[part] = hash;
    }
    mn_frame_file_name(name, sizeof name, filled.name, frame);
    MN_TRY(submit_filled(run, status, MN_WRITE_ATOMIC, name, b));
    return mn_pvd_add(run->context, &run->pvd, part, frame);
}

/// The frame as `meniscus render` shows it, small enough not to hold up the run.
static mn_status make_picture(mn_run *run, mn_buffer *png)
{
    const mn_frame_part *parts;
    int                  count;
    double               colour[3];
    const mn_camera_def  camera = mn_scene_camera(run->scene);
    const mn_liquid_view liquid = mn_world_liquid(run->world);
    mn_shot              shot   = mn_shot_of(&mn_world_definition(run->world)->domain, &camera);
    MN_TRY(mn_frames_shown(run->frames, &parts, &count));
    mn_scene_liquid_colour(run->scene, colour);
    mn_shot_colour_liquid(&shot, colour);
    for (int k = 0; k < liquid.pigment_count; k++) mn_shot_add_pigment(&shot, &liquid.pigments[k]);
    mn_shot_shrink(&shot, PICTURE_WIDTH);
    mn_shot_include(&shot, parts, count);
    mn_shot_settle(&shot);
    mn_shot_round(&shot);
    return mn_render_picture(run->context, &shot, parts, count, png, NULL);
}

/// A picture that cannot be made is told of and left out: the run does not depend on it.
static mn_status write_picture(mn_run *run, int64_t frame)
{
    mn_buffer *b;
    char       name[64], why[1024];
    MN_TRY(mn_writer_take(run->writer, &b));
    const mn_status status = make_picture(run, b);
    snprintf(name, sizeof name, "pictures/%06lld.png", (long long)frame);
    if (status == MN_OK) return submit(run, MN_WRITE_ATOMIC, name, b);
    mn_writer_return(run->writer, b);
    if (status == MN_ERR_INTERRUPTED) return status;
    snprintf(why, sizeof why, "%s", mn_context_error(run->context));
    mn_clear_error(run->context);
    mn_log(run->context, MN_LOG_WARNING, "picture", "there is no picture of frame %lld: %s", (long long)frame, why);
    return MN_OK;
}

/// Images for renderers, beside the parts of the frame.
static mn_status write_images(mn_run *run, int64_t frame)
{
    for (int k = 0; k < mn_frames_image_count(run->frames); k++) {
        mn_buffer *b;
        char       name[256], part[128] = "";
        MN_TRY(mn_writer_take(run->writer, &b));
        const mn_status status = mn_frames_image(run->frames, k, part, b);
        mn_frame_name(name, sizeof name, part, frame, "png");
        MN_TRY(submit_filled(run, status, MN_WRITE_ATOMIC, name, b));
    }
    return MN_OK;
}

static mn_status write_rows(mn_run *run, int64_t frame)
{
    mn_ledger ledger = mn_world_ledger(run->world);
    ledger.frame     = frame;
    ledger.seconds   = mn_seconds() - run->frame_clock;
    mn_buffer *b;
    MN_TRY(mn_writer_take(run->writer, &b));
    mn_ledger_row(b, &ledger);
    MN_TRY(submit(run, MN_WRITE_APPEND, "ledger.csv", b));
    MN_TRY(mn_writer_take(run->writer, &b));
    mn_probes_row(b, run->world, frame, ledger.time);
    MN_TRY(submit(run, MN_WRITE_APPEND, "probes.csv", b));
    MN_TRY(mn_writer_take(run->writer, &b));
    mn_timings_row(b, run->world, frame);
    return submit(run, MN_WRITE_APPEND, "timings.csv", b);
}

static bool checkpoint_is_due(const mn_run *run, int64_t frame)
{
    if (frame >= run->frames_wanted) return true;
    return run->output.checkpoint_every > 0 && frame > run->first_frame && frame % run->output.checkpoint_every == 0;
}

mn_status mn_run_write_checkpoint(mn_run *run)
{
    const mn_checkpoint_id id    = { run->frame, mn_world_ledger(run->world).steps };
    const mn_checkpoint    state = mn_checkpoint_of(run->world);
    mn_buffer             *b;
    char                   name[MN_CHECKPOINT_NAME_BYTES];
    const bool             large = is_large(run);
    if (large) mn_world_release_spare(run->world);
    if (large) mn_world_release_scratch(run->world);
    MN_TRY(mn_writer_take(run->writer, &b));
    const mn_status status = mn_checkpoint_make(run->context, &state, mn_world_hash(run->world), b);
    mn_checkpoint_name(id, name);
    MN_TRY(submit_filled(run, status, MN_WRITE_ATOMIC, name, b));
    if (large) MN_TRY(mn_writer_flush(run->writer));
    MN_TRY(mn_checkpoint_list_add(run->context, &run->checkpoints, id));
    mn_checkpoint_list *list = &run->checkpoints;
    while (list->count > run->output.checkpoint_keep) {
        mn_checkpoint_name(list->id[0], name);
        MN_TRY(submit(run, MN_WRITE_REMOVE, name, NULL));
        memmove(list->id, list->id + 1, (size_t)--list->count * sizeof *list->id);
    }
    return MN_OK;
}

mn_status mn_run_write_record(mn_run *run, const char *status)
{
    mn_buffer *b;
    snprintf(run->record.status, sizeof run->record.status, "%s", status);
    run->record.seconds = run->seconds_before + mn_seconds() - run->clock_begin;
    run->record.memory  = fmax(run->record.memory, (double)mn_context_memory(run->context).bytes_peak);
    MN_TRY(mn_writer_take(run->writer, &b));
    mn_run_record_write(&run->record, b);
    MN_TRY(submit(run, MN_WRITE_ATOMIC, "run.json", b));
    MN_TRY(mn_writer_take(run->writer, &b));
    const mn_status written = mn_pvd_write(run->context, &run->pvd, run->first_frame, run->frame, run->time.frame_rate,
                                           b);
    return submit_filled(run, written, MN_WRITE_ATOMIC, "run.pvd", b);
}

mn_status mn_run_write_events(mn_run *run)
{
    char path[MN_PATH_BYTES];
    MN_TRY(mn_run_path(run, "log.ndjson", path));
    return mn_events_submit(run->events, run->writer, path);
}

static mn_status write_files(mn_run *run, int64_t frame)
{
    mn_frames_begin(run->frames);
    for (int p = 0; p < mn_frames_count(run->frames); p++) MN_TRY(write_part(run, p, frame));
    MN_TRY(write_images(run, frame));
    if (run->def.pictures) MN_TRY(write_picture(run, frame));
    MN_TRY(write_rows(run, frame));
    return mn_run_write_events(run);
}

mn_status mn_run_write_frame(mn_run *run, int64_t frame)
{
    const bool large = run->has_folder && is_large(run);
    if (run->has_folder) {
        // With the room of the state before goes the way back from a frame that is not finished: an interrupt has to
        // wait.
        if (large) mn_world_release_spare(run->world);
        mn_mind_interrupts(run->context, !large);
        const mn_status status = write_files(run, frame);
        mn_mind_interrupts(run->context, true);
        MN_TRY(status);
        if (large) MN_TRY(mn_writer_flush(run->writer));
    }
    // A branched run begins at a frame whose counts were already closed by the run it comes from.
    if (mn_world_frame(run->world) <= frame) mn_world_end_frame(run->world);
    run->frame       = frame;
    run->frame_clock = mn_seconds();
    if (!run->has_folder) return MN_OK;
    const mn_run_frame entry = { .frame      = frame,
                                 .time       = mn_world_time(run->world),
                                 .hash_known = true,
                                 .hash       = mn_world_hash(run->world) };
    MN_TRY(mn_run_record_add(run->context, &run->record, entry));
    if (checkpoint_is_due(run, frame)) MN_TRY(mn_run_write_checkpoint(run));
    return mn_run_write_record(run, frame >= run->frames_wanted ? "done" : "running");
}
