// SPDX-License-Identifier: MPL-2.0
// app/info.c - `meniscus info OUT`: what a run made, its ledger in a few lines, where the time went.
#include "app.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 4096

static void join_path(const char *folder, const char *name, char *path)
{
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
}

static int count_files(const char *folder, const char *name, const char *ending)
{
    char path[PATH_BYTES];
    join_path(folder, name, path);
    DIR *open = opendir(path);
    if (open == NULL) return 0;
    int          count = 0;
    const size_t tail  = strlen(ending);
    for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
        const size_t length = strlen(entry->d_name);
        count += length > tail && strcmp(entry->d_name + length - tail, ending) == 0;
    }
    closedir(open);
    return count;
}

static void member_text(const char *json, const char *key, char *text, size_t bytes)
{
    app_json value;
    if (app_json_member(json, key, &value)) app_json_text(value, text, bytes);
    else snprintf(text, bytes, "unknown");
}

static void print_run(const char *out, const char *json)
{
    char     status[64], version[64], threads[32], took[32];
    app_json value = { "", "" };
    member_text(json, "status", status, sizeof status);
    member_text(json, "version", version, sizeof version);
    member_text(json, "threads", threads, sizeof threads);
    app_format_duration(app_json_member(json, "seconds", &value) ? app_json_number(value, NAN) : NAN, took, sizeof took);
    printf("%s: %s; version %s, %s thread%s, %s\n", out, status, version, threads, strcmp(threads, "1") == 0 ? "" : "s", took);

    app_json frames, last, time, hash;
    const int count = app_json_member(json, "frames", &frames) ? app_json_length(frames) : 0;
    if (count == 0 || !app_json_item(frames, count - 1, &last)) return;
    char text[64] = "unknown";
    if (app_json_member(last.begin, "state_hash", &hash)) app_json_text(hash, text, sizeof text);
    printf("frames       %d, the last at %.6g s, state %s\n", count,
           app_json_member(last.begin, "time", &time) ? app_json_number(time, NAN) : NAN, text);
}

static double column_sum(const app_table *t, const char *name)
{
    double sum = 0.0;
    for (int r = 0; r < t->rows; r++) sum += app_table_get(t, r, name);
    return sum;
}

static double column_extreme(const app_table *t, const char *name, int sign)
{
    double extreme = NAN;
    for (int r = 0; r < t->rows; r++) {
        const double value = app_table_get(t, r, name);
        if (!(sign * value <= sign * extreme)) extreme = value;
    }
    return extreme;
}

static void print_ledger(const app_table *t)
{
    if (t->rows == 0) return;
    const int last = t->rows - 1;
    printf("particles    %.0f -> %.0f\n", app_table_get(t, 0, "particles"), app_table_get(t, last, "particles"));
    printf("liquid       %.6g -> %.6g cm^3, added %.6g, removed %.6g, error %.2e\n", app_table_get(t, 0, "liquid_total"),
           app_table_get(t, last, "liquid_total"), app_table_get(t, last, "liquid_added"),
           app_table_get(t, last, "liquid_removed"), app_table_get(t, last, "liquid_error"));
    printf("energy       kinetic %.4g, potential %.4g erg; fastest %.4g cm/s\n", app_table_get(t, last, "energy_kinetic"),
           app_table_get(t, last, "energy_gravity"), column_extreme(t, "max_speed", 1));
    const double steps = column_sum(t, "steps");
    printf("steps        %.0f, %.0f taken back, dt up to %.3g s, %.1f pressure iterations a step\n", steps,
           column_sum(t, "rejected"), column_extreme(t, "dt_max", 1),
           steps > 0.0 ? column_sum(t, "pressure_iterations") / steps : 0.0);
}

typedef struct stage_time { const char *name; double seconds; } stage_time;

static int slower_first(const void *a, const void *b)
{
    const double s = ((const stage_time *)a)->seconds, t = ((const stage_time *)b)->seconds;
    return (s < t) - (s > t);
}

/// Stages by the time they took; those below a hundredth are left out.
static void print_timings(const app_table *t)
{
    stage_time stages[64];
    int        count = 0;
    double     total = 0.0;
    for (int k = 0; k < t->columns && count < 64; k++) {
        if (strcmp(t->names[k], "frame") == 0 || strcmp(t->names[k], "time") == 0) continue;
        stages[count].name      = t->names[k];
        stages[count++].seconds = column_sum(t, t->names[k]);
        total += stages[count - 1].seconds;
    }
    if (!(total > 0.0)) return;
    qsort(stages, (size_t)count, sizeof stages[0], slower_first);
    printf("time        ");
    for (int k = 0; k < count && stages[k].seconds > 0.01 * total; k++) {
        printf(" %s %.0f %%%s", stages[k].name, 100.0 * stages[k].seconds / total,
               k + 1 < count && stages[k + 1].seconds > 0.01 * total ? "," : "");
    }
    printf("\n");
}

int app_info(const app_args *args)
{
    const char *out = args->positional[0];
    char        path[PATH_BYTES];
    join_path(out, "run.json", path);
    char *json = app_read_text(path);
    if (json == NULL) {
        fprintf(stderr, "%s: %s; '%s' is not the folder of a run\n", path, strerror(errno), out);
        return APP_USAGE;
    }
    print_run(out, json);
    free(json);

    app_table table;
    join_path(out, "ledger.csv", path);
    if (app_table_read(path, &table)) print_ledger(&table);
    else fprintf(stderr, "%s: %s\n", path, strerror(errno));
    app_table_free(&table);
    join_path(out, "timings.csv", path);
    if (app_table_read(path, &table)) print_timings(&table);
    else fprintf(stderr, "%s: %s\n", path, strerror(errno));
    app_table_free(&table);
    printf("files        %d in frames, %d pictures, %d checkpoints; open %s/run.pvd with ParaView\n", count_files(out, "frames", ".vtp"),
           count_files(out, "pictures", ".png"), count_files(out, "checkpoints", ".h5"), out);
    return APP_DONE;
}
