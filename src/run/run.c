// SPDX-License-Identifier: MPL-2.0
// run/run.c - a run from its start to its end, whatever happens on the way.
#include "run/run_private.h"

#include "base/timer.h"
#include "render/tracer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

mn_run_def mn_run_def_default(void) { return (mn_run_def){ .frames = -1 }; }

/// Frames until the end time is reached; a hair beyond a whole number is that number.
static int64_t frames_until(double end, double frame_rate) { return (int64_t)ceil(end * frame_rate * (1.0 - 1e-12)); }

static mn_status check_def(mn_context *c, const mn_run_def *def)
{
    if (def->resume && def->from != NULL)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "--resume continues a folder and --from starts a new one: choose one of them");
    if (def->resume && def->out == NULL) return mn_fail(c, MN_ERR_ARGUMENT, "--resume needs an output folder");
    if (def->out != NULL && (def->out[0] == '\0' || strlen(def->out) + 128 > MN_PATH_BYTES))
        return mn_fail(c, MN_ERR_ARGUMENT, "the name of the output folder is %s",
                       def->out[0] == '\0' ? "empty" : "too long");
    return MN_OK;
}

/// Said once, and not of every frame.
static void check_pictures(mn_run *run)
{
    if (!run->def.pictures || mn_tracer_available()) return;
    mn_log(run->context, MN_LOG_WARNING, "no_pictures", "%s; the run goes on without pictures", mn_tracer_missing());
    run->def.pictures = false;
}

/// What the disk does not have at all would be waited for without end.
static mn_status check_reserve(mn_run *run)
{
    const double bytes = mn_file_disk_bytes(run->out);
    if (bytes == 0.0 || run->output.disk_reserve * 1e6 < bytes) return MN_OK;
    return mn_fail(run->context, MN_ERR_ARGUMENT,
                   "output.disk_reserve: %.0f MB are to stay free, but the disk of %s has only %.0f MB in all",
                   run->output.disk_reserve, run->out, bytes * 1e-6);
}

static mn_status prepare(mn_run *run)
{
    if (run->has_folder) {
        MN_TRY(check_reserve(run));
        MN_TRY(mn_events_create(run->context, &run->events));
        check_pictures(run);
        MN_TRY(mn_run_check_folder(run));
    }
    MN_TRY(mn_scene_build(run->scene, &run->world));
    if (run->has_folder) MN_TRY(mn_frames_create(run->context, run->world, &run->output, &run->frames));
    MN_TRY(mn_run_start(run));
    run->time_begin = run->progress.time = mn_world_time(run->world);
    return MN_OK;
}

mn_status mn_run_create(mn_context *c, mn_scene *scene, const mn_run_def *def, mn_run **out)
{
    *out = NULL;
    MN_TRY(check_def(c, def));
    mn_run *run = mn_alloc(c, sizeof *run);
    if (run == NULL) return MN_ERR_MEMORY;
    run->lock.fd       = -1;
    run->context       = c;
    run->scene         = scene;
    run->def           = *def;
    run->time          = mn_scene_time(scene);
    run->output        = mn_scene_output(scene);
    run->frames_wanted = def->frames >= 0 ? def->frames : frames_until(run->time.end, run->time.frame_rate);
    run->clock_begin = run->frame_clock = mn_seconds();
    run->has_folder                     = def->out != NULL;
    if (def->out != NULL) snprintf(run->out, sizeof run->out, "%s", def->out);
    const mn_status status = prepare(run);
    run->def.out = run->def.from = NULL;
    if (status != MN_OK) {
        (void)mn_run_destroy(&run);
        return status;
    }
    *out = run;
    return MN_OK;
}

mn_world *mn_run_world(mn_run *run) { return run->world; }

static int64_t vertices_of(const mn_world *world)
{
    int64_t count = 0;
    for (int k = 0; k < mn_world_fabric_count(world); k++) count += mn_world_fabric(world, k).position.count;
    return count;
}

void mn_run_tell(mn_run *run, bool frame_done)
{
    mn_run_progress *p    = &run->progress;
    const double     done = p->time - run->time_begin, wanted = (double)run->frames_wanted / run->time.frame_rate;
    p->frame        = run->frame < 0 ? 0 : run->frame;
    p->frames       = run->frames_wanted;
    p->particles    = mn_world_liquid(run->world).count;
    p->vertices     = vertices_of(run->world);
    p->seconds      = mn_seconds() - run->clock_begin;
    p->seconds_left = done > 0.0 ? fmax(0.0, wanted - p->time) * p->seconds / done : 0.0;
    p->frame_done   = frame_done;
    if (run->def.progress != NULL && !run->def.progress(p, run->def.progress_user)) run->stop = true;
}

/// Steps up to the frame's time, which is computed from its number and never added up.
static mn_status step_to_frame(mn_run *run, int64_t frame)
{
    const double until = (double)frame / run->time.frame_rate;
    while (!run->stop && mn_world_time(run->world) < until) {
        const double before = mn_world_time(run->world);
        MN_TRY(mn_world_step(run->world, until));
        run->progress.time = mn_world_time(run->world);
        run->progress.dt   = run->progress.time - before;
        if (run->events != NULL) mn_events_set_time(run->events, run->progress.time);
        mn_run_tell(run, false);
    }
    return run->stop && mn_world_time(run->world) < until ? MN_ERR_INTERRUPTED : MN_OK;
}

static mn_status make_frame(mn_run *run, int64_t frame)
{
    MN_TRY(step_to_frame(run, frame));
    MN_TRY(mn_run_write_frame(run, frame));
    run->progress.time = mn_world_time(run->world);
    mn_run_tell(run, true);
    return MN_OK;
}

static mn_status make_frames(mn_run *run)
{
    while (run->frame < run->frames_wanted || run->frame < run->first_frame) {
        if (run->stop) return MN_ERR_INTERRUPTED;
        MN_TRY(make_frame(run, run->frame + 1));
    }
    return MN_OK;
}

static mn_status end_well(mn_run *run)
{
    if (!run->has_folder) return MN_OK;
    MN_TRY(mn_run_write_events(run));
    MN_TRY(mn_run_write_record(run, "done"));
    return mn_writer_flush(run->writer);
}

/// A frame shows the pressure of the step that ends at it, which no checkpoint holds. Where one is not finished, its
/// last step is undone, and made again by who resumes. A large world may have given away the way back to make room:
/// then the last checkpoint has to do.
static bool can_be_continued(mn_run *run)
{
    // Before its first frame is there a run has nothing to continue from: resuming it begins anew.
    if (run->frame < run->first_frame) return false;
    const double unfinished = (double)(run->frame + 1) / run->time.frame_rate;
    return mn_world_time(run->world) < unfinished || mn_world_undo(run->world) == MN_OK;
}

/// A checkpoint of the last good state, and a record that says how it ended. The reserve of the disk is for this.
static mn_status end_early(mn_run *run, const char *how)
{
    if (!run->has_folder) return MN_OK;
    mn_writer_stop_waiting(run->writer);
    MN_TRY(mn_writer_flush(run->writer));
    MN_TRY(mn_run_write_events(run));
    if (can_be_continued(run)) MN_TRY(mn_run_write_checkpoint(run));
    MN_TRY(mn_run_write_record(run, how));
    return mn_writer_flush(run->writer);
}

/// When the disk refused something, frames handed over after it are lost: the record goes back to what is on the disk,
/// and there is no checkpoint of a state that came after them.
static mn_status end_with_lost_writes(mn_run *run)
{
    mn_writer_forgive(run->writer);
    MN_TRY(mn_run_write_events(run));
    MN_TRY(mn_run_reread_record(run));
    if (run->record.frame_count > 0) run->frame = run->record.frames[run->record.frame_count - 1].frame;
    else run->frame = run->first_frame - 1;
    MN_TRY(mn_run_write_record(run, "failed"));
    return mn_writer_flush(run->writer);
}

/// What ended the run is the message to keep; that the last words could not be written either follows from it.
static mn_status end_badly(mn_run *run, mn_status status)
{
    char text[MN_PATH_BYTES + 1024];
    snprintf(text, sizeof text, "%s", mn_context_error(run->context));
    mn_log(run->context, MN_LOG_ERROR, "run_failed", "%s", text);
    if (run->has_folder && end_early(run, "failed") != MN_OK) (void)end_with_lost_writes(run);
    return mn_fail(run->context, status, "%s", text);
}

mn_status mn_run_advance(mn_run *run)
{
    mn_status status = make_frames(run);
    if (status == MN_OK) status = end_well(run);
    if (status == MN_ERR_INTERRUPTED) {
        status = end_early(run, "interrupted");
        if (status == MN_OK)
            return mn_fail(run->context, MN_ERR_INTERRUPTED, "interrupted after frame %lld, at %.9g s",
                           (long long)run->frame, mn_world_time(run->world));
    }
    return status == MN_OK ? MN_OK : end_badly(run, status);
}

mn_status mn_run_destroy(mn_run **out)
{
    mn_run *run = *out;
    if (run == NULL) return MN_OK;
    const mn_status status = mn_writer_destroy(&run->writer);
    mn_events_destroy(&run->events);
    mn_frames_destroy(&run->frames);
    mn_pvd_free(run->context, &run->pvd);
    mn_run_record_free(run->context, &run->record);
    mn_checkpoint_list_free(run->context, &run->checkpoints);
    mn_world_destroy(&run->world);
    mn_file_lock_release(&run->lock);
    mn_free(run->context, run);
    *out = NULL;
    return status;
}
