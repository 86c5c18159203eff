// SPDX-License-Identifier: MPL-2.0
// output/record.h - run.json: how far a run is, and the hash of every frame.
#ifndef MN_OUTPUT_RECORD_H
#define MN_OUTPUT_RECORD_H

#include "output/buffer.h"

typedef struct mn_run_frame {
    int64_t  frame;
    double   time;
    bool     hash_known;  ///< false only after run.json was damaged from outside
    uint64_t hash;
} mn_run_frame;

typedef struct mn_run_record {
    char          status[16];  ///< running, done, failed or interrupted
    char          version[32];
    char          scene[256];
    bool          has_identity;
    uint64_t      identity;  ///< of the scene; what must agree to continue
    double        seconds;   ///< wall clock of all sessions
    double        memory;    ///< bytes: the most it held at a time; 0: not known
    int           threads;
    mn_run_frame *frames;  ///< in increasing order
    int64_t       frame_count, frame_capacity;
} mn_run_record;

void mn_run_record_free(mn_context *context, mn_run_record *record);
/// Add a frame, or replace what was known of it.
mn_status mn_run_record_add(mn_context *context, mn_run_record *record, mn_run_frame frame);
/// Forget the frames after `last`.
void mn_run_record_cut(mn_run_record *record, int64_t last);

void mn_run_record_write(const mn_run_record *record, mn_buffer *out);
/// Read what can be read; `*whole` is false if the text ends early or says something else. Never fails but for memory.
mn_status mn_run_record_parse(mn_context *context, const char *text, size_t bytes, mn_run_record *out, bool *whole);

#endif
