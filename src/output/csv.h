// SPDX-License-Identifier: MPL-2.0
// output/csv.h - tables with one row a frame: their rows, and putting them right after a run ended anyhow.
#ifndef MN_OUTPUT_CSV_H
#define MN_OUTPUT_CSV_H

#include "base/file.h"
#include "output/buffer.h"
#include "world/state.h"

/// Header lines with the line end, and rows of the three tables.
void mn_ledger_header(mn_buffer *out);
void mn_ledger_row(mn_buffer *out, const mn_ledger *ledger);
void mn_probes_header(mn_buffer *out, const mn_world *world);
void mn_probes_row(mn_buffer *out, const mn_world *world, int64_t frame, double time);
void mn_timings_header(mn_buffer *out);
/// Takes the seconds of the stages and starts them anew.
void mn_timings_row(mn_buffer *out, mn_world *world, int64_t frame);

/// What is left of a table's text when the run continues after `last_frame`: the header and complete rows of frames
/// up to it, each frame once. A text with another header is refused; an empty one gets the header.
mn_status mn_csv_repair(mn_context *context, const char *name, const char *text, size_t bytes, const char *header,
                        int64_t last_frame, mn_buffer *out);

/// A table in memory: columns by name, values as doubles.
typedef struct mn_csv {
    char  **column;
    double *value;  ///< row by row
    int64_t column_count, row_count;
} mn_csv;
/// Read what is complete and numeric; a torn last line is left out.
mn_status mn_csv_parse(mn_context *context, const char *text, size_t bytes, mn_csv *out);
/// The same of a file in the folder of a run; one that is missing is empty.
mn_status mn_csv_read(mn_context *context, const char *folder, const char *name, mn_csv *out);
void      mn_csv_free(mn_context *context, mn_csv *csv);
/// Index of a column, or -1.
int64_t mn_csv_column(const mn_csv *csv, const char *name);

#endif
