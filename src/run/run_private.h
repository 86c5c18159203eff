// SPDX-License-Identifier: MPL-2.0
// run/run_private.h - the inside of a run: run.c drives it, start.c prepares its folder, write.c fills it.
#ifndef MN_RUN_PRIVATE_H
#define MN_RUN_PRIVATE_H

#include "meniscus/run.h"
#include "output/events.h"
#include "output/folder.h"
#include "output/frames.h"
#include "output/pvd.h"
#include "output/record.h"
#include "output/writer.h"
#include "world/state.h"

struct mn_run {
    mn_context   *context;
    mn_scene     *scene;
    mn_run_def    def;  // `out` and `from` are not looked at after mn_run_create
    mn_time_def   time;
    mn_output_def output;
    mn_world     *world;
    bool          has_folder;  // false: no files at all
    char          out[MN_PATH_BYTES];
    mn_file_lock  lock;  // on the folder, for as long as the run lives

    int64_t first_frame;    // of this folder: 0, or the frame branched from
    int64_t frame;          // the last one finished; first_frame - 1: none yet
    int64_t frames_wanted;  // number of the last frame to make

    mn_frames         *frames;
    mn_writer         *writer;
    mn_events         *events;
    mn_run_record      record;
    mn_pvd             pvd;
    uint64_t           part_hash[MN_OUTPUT_PART_COUNT];  // of the newest file of each timeless part, 0: none
    mn_checkpoint_list checkpoints;

    bool            stop;  // the caller asked to end
    mn_run_progress progress;
    double          clock_begin, frame_clock, time_begin, seconds_before;
};

/// Prepare the folder: fresh, resumed or branched. The world exists; it may be replaced by a checkpoint's state.
mn_status mn_run_check_folder(mn_run *run);
/// Replace the frames of the record by those in OUT/run.json.
mn_status mn_run_reread_record(mn_run *run);
mn_status mn_run_start(mn_run *run);

/// Hand everything about the finished frame to the writer, in the order that makes any kill harmless:
/// frame files, picture, tables, events, checkpoint if due, run.json and run.pvd.
mn_status mn_run_write_frame(mn_run *run, int64_t frame);
/// The state as it is now, then drop the oldest checkpoints beyond those kept.
mn_status mn_run_write_checkpoint(mn_run *run);
mn_status mn_run_write_record(mn_run *run, const char *status);
mn_status mn_run_write_events(mn_run *run);

/// OUT/name.
mn_status mn_run_path(const mn_run *run, const char *name, char path[MN_PATH_BYTES]);
/// Tell the caller; remembers if it asks to stop.
void mn_run_tell(mn_run *run, bool frame_done);

#endif
