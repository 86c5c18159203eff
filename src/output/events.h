// SPDX-License-Identifier: MPL-2.0
// output/events.h - log.ndjson: every event of the library as one JSON line.
#ifndef MN_OUTPUT_EVENTS_H
#define MN_OUTPUT_EVENTS_H

#include "output/writer.h"

/// Listens to a context. Events may come from the writer thread, which must not wait for itself: lines are kept in
/// memory and handed to the writer by mn_events_submit.
typedef struct mn_events mn_events;

mn_status mn_events_create(mn_context *context, mn_events **out);
void      mn_events_destroy(mn_events **events);
/// Simulated time to write beside the events that follow.
void mn_events_set_time(mn_events *events, double time);
/// Hand the lines so far to the writer; none, no job.
mn_status mn_events_submit(mn_events *events, mn_writer *writer, const char *path);
/// One line.
void mn_events_line(mn_buffer *out, double time, mn_log_level level, const char *event, const char *text);

#endif
