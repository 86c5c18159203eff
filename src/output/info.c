// SPDX-License-Identifier: MPL-2.0
// output/info.c - the text of `meniscus info OUT`.
#include "meniscus/run.h"
#include "output/checkpoint.h"
#include "output/csv.h"
#include "output/folder.h"
#include "output/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A table with sums and extremes by column name; a missing column gives NaN.
static double cell(const mn_csv *t, int64_t row, const char *name)
{
    const int64_t k = mn_csv_column(t, name);
    return k >= 0 && row >= 0 && row < t->row_count ? t->value[row * t->column_count + k] : NAN;
}

static double column_sum(const mn_csv *t, const char *name)
{
    double sum = 0.0;
    for (int64_t r = 0; r < t->row_count; r++) sum += cell(t, r, name);
    return sum;
}

/// Largest (sign 1) or smallest (sign -1) value above zero; NaN if there is none.
static double column_extreme(const mn_csv *t, const char *name, double sign)
{
    double best = NAN;
    for (int64_t r = 0; r < t->row_count; r++) {
        const double x = cell(t, r, name);
        if (x > 0.0 && (isnan(best) || sign * x > sign * best)) best = x;
    }
    return best;
}

static double column_largest_size(const mn_csv *t, const char *name)
{
    double most = 0.0;
    for (int64_t r = 0; r < t->row_count; r++) most = fmax(most, fabs(cell(t, r, name)));
    return most;
}

static void add_duration(mn_buffer *out, double seconds)
{
    if (seconds < 120.0) mn_buffer_print(out, "%.1f s", seconds);
    else if (seconds < 7200.0) mn_buffer_print(out, "%.1f min", seconds / 60.0);
    else mn_buffer_print(out, "%.1f h", seconds / 3600.0);
}

static void add_record(mn_buffer *out, const char *folder, const mn_run_record *r, bool whole)
{
    mn_buffer_print(out, "%s: \"%s\", %s", folder, r->scene, whole ? r->status : "its run.json is damaged");
    mn_buffer_print(out, "; version %s, %d thread%s, ", r->version, r->threads, r->threads == 1 ? "" : "s");
    add_duration(out, r->seconds);
    if (r->memory > 0.0) mn_buffer_print(out, ", at most %.0f MB of memory", 1e-6 * r->memory);
    mn_buffer_text(out, "\n");
    if (r->frame_count == 0) {
        mn_buffer_text(out, "frames       none yet\n");
        return;
    }
    const mn_run_frame *first = &r->frames[0], *last = &r->frames[r->frame_count - 1];
    mn_buffer_print(out, "frames       %lld to %lld, %.6g to %.6g s", (long long)first->frame, (long long)last->frame,
                    first->time, last->time);
    if (last->hash_known) mn_buffer_print(out, ", last state %016llx", (unsigned long long)last->hash);
    mn_buffer_text(out, "\n");
}

static void add_liquid(mn_buffer *out, const mn_csv *t, int64_t last)
{
    mn_buffer_print(out, "particles    %.0f at first, %.0f at last\n", cell(t, 0, "particles"),
                    cell(t, last, "particles"));
    mn_buffer_print(out, "liquid       %.6g cm^3 at first, %.6g at last; %.6g added, %.6g removed\n",
                    cell(t, 0, "liquid_total"), cell(t, last, "liquid_total"), cell(t, last, "liquid_added"),
                    cell(t, last, "liquid_removed"));
    mn_buffer_print(out, "liquid error %.2e at last, %.2e at worst\n", cell(t, last, "liquid_error"),
                    column_largest_size(t, "liquid_error"));
}

static void add_ledger(mn_buffer *out, const mn_csv *t)
{
    if (t->row_count == 0) return;
    const int64_t last  = t->row_count - 1;
    const double  steps = column_sum(t, "steps");
    if (column_largest_size(t, "particles") > 0.0) add_liquid(out, t, last);
    mn_buffer_print(out, "steps        %.0f, %.0f taken back", steps, column_sum(t, "rejected"));
    if (steps > 0.0)
        mn_buffer_print(out, "; dt %.3g to %.3g s; %.1f pressure iterations a step", column_extreme(t, "dt_min", -1.0),
                        column_extreme(t, "dt_max", 1.0), column_sum(t, "pressure_iterations") / steps);
    mn_buffer_print(out, "\nspeed        up to %.4g cm/s; divergence left up to %.2e 1/s\n",
                    column_largest_size(t, "max_speed"), column_largest_size(t, "max_divergence"));
    mn_buffer_print(out, "energy       kinetic %.4g erg, gravity %.4g erg at last\n", cell(t, last, "energy_kinetic"),
                    cell(t, last, "energy_gravity"));
}

typedef struct stage {
    const char *name;
    double      seconds;
} stage;

static int slower_first(const void *a, const void *b)
{
    const stage *x = a, *y = b;
    return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

/// Stages by their share; those below a thousandth are left out.
static mn_status add_timings(mn_context *c, mn_buffer *out, const mn_csv *t)
{
    if (t->row_count == 0 || t->column_count < 2) return MN_OK;
    const int64_t count  = t->column_count - 1;
    stage        *stages = mn_alloc_array(c, stage, count);
    if (stages == NULL) return MN_ERR_MEMORY;
    double total = 0.0;
    for (int64_t k = 0; k < count; k++) {
        stages[k] = (stage){ t->column[k + 1], column_sum(t, t->column[k + 1]) };
        total += stages[k].seconds;
    }
    qsort(stages, (size_t)count, sizeof *stages, slower_first);
    mn_buffer_text(out, "time in steps ");
    add_duration(out, total);
    mn_buffer_text(out, "\n");
    for (int64_t k = 0; k < count && stages[k].seconds > 1e-3 * total; k++)
        mn_buffer_print(out, "  %5.1f %%  %s\n", 100.0 * stages[k].seconds / total, stages[k].name);
    mn_free(c, stages);
    return MN_OK;
}

static mn_status add_tables(mn_context *c, mn_buffer *out, const char *folder)
{
    mn_csv table;
    MN_TRY(mn_csv_read(c, folder, "ledger.csv", &table));
    add_ledger(out, &table);
    mn_csv_free(c, &table);
    MN_TRY(mn_csv_read(c, folder, "timings.csv", &table));
    const mn_status status = add_timings(c, out, &table);
    mn_csv_free(c, &table);
    return status;
}

static mn_status count_files(mn_context *c, const char *folder, const char *inner, const char *ending, int64_t *count)
{
    char          path[MN_PATH_BYTES];
    mn_file_error error;
    mn_names      names;
    *count = 0;
    if (mn_path_join(path, folder, inner, &error) != MN_OK) return mn_file_fail(c, &error);
    MN_TRY(mn_file_list(c, path, &names));
    for (int64_t k = 0; k < names.count; k++) *count += mn_frame_of_file(names.name[k], ending) >= 0;
    mn_names_free(c, &names);
    return MN_OK;
}

static mn_status add_files(mn_context *c, mn_buffer *out, const char *folder)
{
    int64_t            frames, pictures;
    mn_checkpoint_list checkpoints;
    MN_TRY(count_files(c, folder, "frames", ".vtp", &frames));
    MN_TRY(count_files(c, folder, "pictures", ".png", &pictures));
    MN_TRY(mn_checkpoint_list_read(c, folder, &checkpoints));
    mn_buffer_print(out, "files        %lld frame files, %lld pictures, checkpoints", (long long)frames,
                    (long long)pictures);
    if (checkpoints.count == 0) mn_buffer_text(out, " none");
    for (int64_t k = 0; k < checkpoints.count; k++) {
        char name[MN_CHECKPOINT_NAME_BYTES];
        mn_checkpoint_name(checkpoints.id[k], name);
        mn_buffer_print(out, "%s %s", k > 0 ? "," : "", strchr(name, '/') + 1);
    }
    mn_buffer_print(out, "\nopen %s/run.pvd with ParaView\n", folder);
    mn_checkpoint_list_free(c, &checkpoints);
    return MN_OK;
}

static mn_status add_all(mn_context *c, const char *folder, mn_buffer *out)
{
    mn_checkpoint_id id;
    const char      *slash = strrchr(folder, '/');
    if (mn_checkpoint_id_parse(slash != NULL ? slash + 1 : folder, &id)) return mn_checkpoint_describe(c, folder, out);
    unsigned char *data;
    size_t         bytes;
    mn_run_record  record;
    bool           whole = false;
    MN_TRY(mn_folder_read(c, folder, "run.json", &mn_record_file, &data, &bytes));
    if (data == NULL)
        return mn_fail(c, MN_ERR_ARGUMENT, "%s does not hold a run: there is no %s/run.json", folder, folder);
    const mn_status status = mn_run_record_parse(c, (const char *)data, bytes, &record, &whole);
    mn_free(c, data);
    MN_TRY(status);
    add_record(out, folder, &record, whole);
    mn_run_record_free(c, &record);
    MN_TRY(add_tables(c, out, folder));
    return add_files(c, out, folder);
}

mn_status mn_run_info(mn_context *c, const char *folder, char **text)
{
    *text = NULL;
    mn_buffer out;
    mn_buffer_init(&out, c);
    mn_status status = add_all(c, folder, &out);
    if (status == MN_OK && mn_buffer_string(&out) == NULL) status = MN_ERR_MEMORY;
    if (status == MN_OK) *text = mn_strdup(c, (const char *)out.data);
    if (status == MN_OK && *text == NULL) status = MN_ERR_MEMORY;
    mn_buffer_free(&out);
    return status;
}
