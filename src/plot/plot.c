// SPDX-License-Identifier: MPL-2.0
// plot/plot.c - the charts of a run: volumes and their errors, momentum, energies, speeds, steps, iterations, time,
// probes.
#include "meniscus/run.h"
#include "output/csv.h"
#include "output/folder.h"
#include "plot/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// A chart of columns of the ledger. A column that is zero throughout is not drawn (but see `measure`: an error of zero
/// is news), a chart without columns not made.
typedef struct recipe {
    const char   *file, *title, *y_label;
    mn_chart_kind kind;
    bool          from_start;  ///< changes since the first row
    bool          per_step;    ///< divided by the steps of the frame
    const char   *column[MN_CHART_SERIES_MOST];
    const char   *measure[2];  ///< of the columns that are drawn even if zero: what must not be zero instead
} recipe;

static const recipe recipes[] = {
    { .file    = "volume",
      .title   = "where the liquid is",
      .y_label = "cm^3",
      .column  = { "liquid_total", "liquid_bulk", "liquid_fabric", "liquid_strand", "liquid_membrane", "liquid_stain",
                   "liquid_added", "liquid_removed", "liquid_evaporated" } },
    { .file    = "error",
      .title   = "error of the budgets",
      .y_label = "relative size",
      .kind    = MN_CHART_LOGARITHM,
      .column  = { "liquid_error", "solute_error" },
      .measure = { "liquid_total", "solute_total" } },
    { .file = "solute", .title = "pigment", .y_label = "g", .column = { "solute_total" } },
    { .file    = "momentum",
      .title   = "momentum",
      .y_label = "g cm/s",
      .column  = { "momentum_x", "momentum_y", "momentum_z" } },
    { .file       = "energy",
      .title      = "energies since the start",
      .y_label    = "erg",
      .from_start = true,
      .column     = { "energy_kinetic", "energy_elastic", "energy_gravity", "energy_surface", "energy_capillary" } },
    { .file = "speed", .title = "largest speed", .y_label = "cm/s", .column = { "max_speed" } },
    { .file = "step", .title = "length of the steps", .y_label = "s", .column = { "dt_min", "dt_max" } },
    { .file     = "iterations",
      .title    = "iterations a step",
      .y_label  = "iterations",
      .per_step = true,
      .column   = { "pressure_iterations", "solid_iterations" } },
    { .file = "particles", .title = "particles of liquid", .y_label = "particles", .column = { "particles" } },
};

/// Tables of the run and where its charts go.
typedef struct job {
    mn_context *context;
    const char *out;
    int64_t     charts;
    mn_buffer   bytes;
} job;

static mn_status write_chart(job *j, const char *file, const mn_chart *chart)
{
    static const char *const endings[] = { "svg", "png" };
    for (int k = 0; k < 2; k++) {
        char name[160];
        mn_buffer_clear(&j->bytes);
        if (k == 0) mn_chart_svg(chart, &j->bytes);
        else MN_TRY(mn_chart_png(chart, &j->bytes));
        MN_TRY(mn_buffer_status(&j->bytes));
        snprintf(name, sizeof name, "plots/%.120s.%s", file, endings[k]);
        MN_TRY(mn_folder_write(j->context, j->out, name, j->bytes.data, j->bytes.bytes));
    }
    j->charts++;
    return MN_OK;
}

static void copy_column(const mn_csv *t, int64_t column, double *to)
{
    for (int64_t r = 0; r < t->row_count; r++) to[r] = t->value[r * t->column_count + column];
}

static bool column_is_zero(const mn_csv *t, const char *name)
{
    const int64_t column = mn_csv_column(t, name);
    for (int64_t r = 0; column >= 0 && r < t->row_count; r++)
        if (t->value[r * t->column_count + column] != 0.0) return false;
    return true;
}

/// The column as the recipe wants it.
static void prepare(const recipe *r, const mn_csv *t, double *value)
{
    const int64_t steps = mn_csv_column(t, "steps");
    const double  first = t->row_count > 0 ? value[0] : 0.0;
    for (int64_t i = 0; i < t->row_count; i++) {
        if (r->from_start) value[i] -= first;
        if (r->per_step && steps >= 0) {
            const double n = t->value[i * t->column_count + steps];
            value[i]       = n > 0.0 ? value[i] / n : NAN;
        }
        // The first row has made no step.
        if (strcmp(r->file, "step") == 0 && !(value[i] > 0.0)) value[i] = NAN;
    }
}

static mn_status draw_recipe(job *j, const recipe *r, const mn_csv *t, const double *time, double *room)
{
    mn_chart chart = { .title   = r->title,
                       .x_label = "time (s)",
                       .y_label = r->y_label,
                       .kind    = r->kind,
                       .x       = time,
                       .count   = t->row_count };
    for (int k = 0; k < MN_CHART_SERIES_MOST && r->column[k] != NULL; k++) {
        const int64_t column = mn_csv_column(t, r->column[k]);
        double       *value  = room + chart.series_count * t->row_count;
        if (column < 0) continue;
        copy_column(t, column, value);
        if (column_is_zero(t, k < 2 && r->measure[k] != NULL ? r->measure[k] : r->column[k])) continue;
        prepare(r, t, value);
        chart.series[chart.series_count++] = (mn_series){ r->column[k], value };
    }
    return chart.series_count > 0 ? write_chart(j, r->file, &chart) : MN_OK;
}

static mn_status draw_ledger(job *j, const mn_csv *t, double *time, double *room)
{
    const int64_t column = mn_csv_column(t, "time");
    if (column < 0) return mn_fail(j->context, MN_ERR_ARGUMENT, "%s/ledger.csv has no column 'time'", j->out);
    copy_column(t, column, time);
    for (size_t k = 0; k < sizeof recipes / sizeof *recipes; k++) MN_TRY(draw_recipe(j, &recipes[k], t, time, room));
    return MN_OK;
}

/// One chart a probe.
static mn_status draw_probes(job *j, const mn_csv *t, double *time, double *room)
{
    const int64_t column = mn_csv_column(t, "time");
    if (column < 0 || t->row_count == 0) return MN_OK;
    copy_column(t, column, time);
    for (int64_t k = 0; k < t->column_count; k++) {
        if (k == column || strcmp(t->column[k], "frame") == 0) continue;
        copy_column(t, k, room);
        char     file[160];
        mn_chart chart  = { .title        = t->column[k],
                            .x_label      = "time (s)",
                            .y_label      = "",
                            .x            = time,
                            .count        = t->row_count,
                            .series_count = 1 };
        chart.series[0] = (mn_series){ t->column[k], room };
        snprintf(file, sizeof file, "probe-%.100s", t->column[k]);
        for (char *c = file; *c != '\0'; c++)
            if (*c == '/' || *c == ' ') *c = '_';
        MN_TRY(write_chart(j, file, &chart));
    }
    return MN_OK;
}

/// Columns of the slowest stages first; the rest is one area.
static mn_status draw_timings(job *j, const mn_csv *t, double *frame, double *room)
{
    const int64_t stages = t->column_count - 1, rows = t->row_count;
    mn_chart      chart = { .title   = "where the time goes",
                            .x_label = "frame",
                            .y_label = "s a frame",
                            .kind    = MN_CHART_STACK,
                            .x       = frame,
                            .count   = rows };
    if (rows == 0 || stages <= 0) return MN_OK;
    copy_column(t, 0, frame);
    bool   taken[256] = { false };
    double total = 0.0, shown = 0.0;
    for (int64_t k = 0; k < rows * t->column_count; k++) total += k % t->column_count > 0 ? t->value[k] : 0.0;
    while (chart.series_count < 8 && shown < 0.98 * total) {
        int64_t best = -1;
        double  most = 0.0;
        for (int64_t k = 1; k <= stages && k < 256; k++) {
            double sum = 0.0;
            for (int64_t r = 0; r < rows; r++) sum += t->value[r * t->column_count + k];
            if (!taken[k] && sum > most) best = k, most = sum;
        }
        if (best < 0) break;
        taken[best]   = true;
        double *value = room + chart.series_count * rows;
        copy_column(t, best, value);
        chart.series[chart.series_count++] = (mn_series){ t->column[best], value };
        shown += most;
    }
    double *rest = room + chart.series_count * rows;
    for (int64_t r = 0; r < rows; r++) {
        rest[r] = 0.0;
        for (int64_t k = 1; k <= stages; k++) rest[r] += k < 256 && taken[k] ? 0.0 : t->value[r * t->column_count + k];
    }
    chart.series[chart.series_count++] = (mn_series){ "rest", rest };
    return total > 0.0 ? write_chart(j, "time", &chart) : MN_OK;
}

typedef mn_status draw_fn(job *j, const mn_csv *table, double *x, double *room);

static mn_status draw_table(job *j, const char *name, draw_fn *draw)
{
    mn_csv table;
    MN_TRY(mn_csv_read(j->context, j->out, name, &table));
    double   *x      = mn_alloc_array(j->context, double, (MN_CHART_SERIES_MOST + 1) * table.row_count + 1);
    mn_status status = x == NULL ? MN_ERR_MEMORY : draw(j, &table, x, x + table.row_count);
    mn_free(j->context, x);
    mn_csv_free(j->context, &table);
    return status;
}

mn_status mn_run_plot(mn_context *c, const char *out, int64_t *charts)
{
    char          path[MN_PATH_BYTES];
    mn_file_error error;
    job           j = { .context = c, .out = out };
    *charts         = 0;
    if (mn_path_join(path, out, "ledger.csv", &error) != MN_OK) return mn_file_fail(c, &error);
    if (!mn_file_exists(path))
        return mn_fail(c, MN_ERR_ARGUMENT, "%s: there is no ledger.csv, so this is not the folder of a run", out);
    if (mn_path_join(path, out, "plots", &error) != MN_OK || mn_file_make_folders(path, &error) != MN_OK)
        return mn_file_fail(c, &error);
    mn_buffer_init(&j.bytes, c);
    mn_status status = draw_table(&j, "ledger.csv", draw_ledger);
    if (status == MN_OK) status = draw_table(&j, "probes.csv", draw_probes);
    if (status == MN_OK) status = draw_table(&j, "timings.csv", draw_timings);
    mn_buffer_free(&j.bytes);
    *charts = j.charts;
    return status;
}
