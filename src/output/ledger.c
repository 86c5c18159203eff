// SPDX-License-Identifier: MPL-2.0
// output/ledger.c - headers and rows of ledger.csv, probes.csv and timings.csv.
#include "output/csv.h"

void mn_ledger_header(mn_buffer *out)
{
    static const char *const names[] = {
#define X(type, name, unit, help) #name,
        MN_LEDGER_COLUMNS(X)
#undef X
    };
    const size_t count = sizeof names / sizeof *names;
    for (size_t k = 0; k < count; k++) mn_buffer_print(out, "%s%c", names[k], k + 1 < count ? ',' : '\n');
}

static void print_i(mn_buffer *out, mn_ledger_i value) { mn_buffer_print(out, "%lld", (long long)value); }

static void print_d(mn_buffer *out, mn_ledger_d value) { mn_buffer_print(out, "%.17g", value); }

void mn_ledger_row(mn_buffer *out, const mn_ledger *ledger)
{
    const char *separator = "";
#define X(type, name, unit, help)    \
    mn_buffer_text(out, separator);  \
    print_##type(out, ledger->name); \
    separator = ",";
    MN_LEDGER_COLUMNS(X)
#undef X
    mn_buffer_text(out, "\n");
}

/// A name as one cell: commas, quotes and line ends would break the table.
static void cell_text(mn_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        const bool breaks = *text == ',' || *text == '"' || (unsigned char)*text < 0x20;
        mn_buffer_add(out, breaks ? "_" : text, 1);
    }
}

void mn_probes_header(mn_buffer *out, const mn_world *world)
{
    mn_buffer_text(out, "frame,time");
    for (int p = 0; p < mn_world_probe_count(world); p++) {
        mn_buffer_text(out, ",");
        cell_text(out, mn_world_probe_name(world, p));
    }
    mn_buffer_text(out, "\n");
}

void mn_probes_row(mn_buffer *out, const mn_world *world, int64_t frame, double time)
{
    mn_buffer_print(out, "%lld,%.17g", (long long)frame, time);
    for (int p = 0; p < mn_world_probe_count(world); p++)
        mn_buffer_print(out, ",%.17g", mn_world_probe_value(world, p));
    mn_buffer_text(out, "\n");
}

void mn_timings_header(mn_buffer *out)
{
    mn_buffer_text(out, "frame");
    for (int s = 0; s < mn_world_stage_count(); s++) {
        mn_buffer_text(out, ",");
        cell_text(out, mn_world_stage_name(s));
    }
    mn_buffer_text(out, "\n");
}

void mn_timings_row(mn_buffer *out, mn_world *world, int64_t frame)
{
    mn_buffer_print(out, "%lld", (long long)frame);
    for (int s = 0; s < mn_world_stage_count(); s++)
        mn_buffer_print(out, ",%.6f", mn_world_stage_seconds(world, s, true));
    mn_buffer_text(out, "\n");
}
