// SPDX-License-Identifier: MPL-2.0
// bench_export - how fast frames become files of other programs: one frame of N particles in each format.
//
// Seconds of the fastest of some rounds, reading the frame and waiting for the disk included. `vtp_make` is the bytes
// of a frame file alone. usage: bench_export [PARTICLES [FOLDER]]
#define _XOPEN_SOURCE 700  // nftw
#include "base/file.h"
#include "base/random.h"
#include "base/timer.h"
#include "meniscus/meniscus.h"
#include "output/vtp.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ROUNDS 3

static void check(mn_context *c, mn_status status)
{
    if (status == MN_OK) return;
    fprintf(stderr, "%s\n", mn_context_error(c));
    exit(1);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

static void put_file(mn_context *c, const char *folder, const char *name, const void *data, size_t bytes)
{
    char          path[MN_PATH_BYTES];
    mn_file_error error;
    if (mn_path_join(path, folder, name, &error) != MN_OK || mn_file_write_atomic(path, data, bytes, &error) != MN_OK)
        check(c, mn_file_fail(c, &error));
}

typedef struct best {
    double wall, cpu;
} best;

static void note(best *b, double wall, double cpu)
{
    if (wall < b->wall) *b = (best){ wall, cpu };
}

static void say(const char *what, double bytes, int64_t points, best b)
{
    printf("%s,%.1f,%.3f,%.3f,%.0f,%.2f\n", what, bytes / 1e6, b.wall, b.cpu, bytes / 1e6 / b.wall,
           (double)points / 1e6 / b.wall);
    fflush(stdout);
}

/// A folder with one frame: a pool with a rough surface, moving.
static void make_run(mn_context *c, const char *folder, int64_t n)
{
    double       *x    = calloc((size_t)n, 8 * sizeof *x);
    int64_t      *id   = calloc((size_t)n, sizeof *id);
    best          made = { 1e30, 0.0 };
    char          frames[MN_PATH_BYTES];
    mn_file_error error;
    mn_buffer     bytes;
    if (x == NULL || id == NULL) exit(1);
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < 8; k++)
            x[k * n + i] = (k < 3   ? 50.0
                            : k < 6 ? 200.0
                            : k < 7 ? 1e-3
                                    : 2e4) *
                           (mn_random(1, (uint64_t)i, (uint64_t)k, 0) - (k < 6 ? 0.5 : 0.0));
        id[i] = i;
    }
    const mn_frame_array arrays[] = { mn_frame_array_split("velocity", x + 3 * n, x + 4 * n, x + 5 * n),
                                      mn_frame_array_single("volume", MN_TYPE_double, x + 6 * n),
                                      mn_frame_array_single("id", MN_TYPE_int64_t, id),
                                      mn_frame_array_single("pressure", MN_TYPE_double, x + 7 * n) };
    const mn_frame_part  part     = { .name        = "particles",
                                      .points      = mn_frame_array_split("", x, x + n, x + 2 * n),
                                      .point_count = n,
                                      .kind        = MN_CELLS_VERTICES,
                                      .arrays      = arrays,
                                      .array_count = 4 };
    mn_buffer_init(&bytes, c);
    for (int round = 0; round < ROUNDS; round++) {
        const double wall = mn_seconds(), cpu = mn_cpu_seconds();
        mn_buffer_clear(&bytes);
        check(c, mn_vtp_make(&part, &bytes));
        note(&made, mn_seconds() - wall, mn_cpu_seconds() - cpu);
    }
    say("vtp_make", (double)bytes.bytes, n, made);
    static const char json[]  = "{\"status\": \"done\", \"frames\": [{\"frame\": 0, \"time\": 0}]}",
                      scene[] = "format: 1\ndomain: {cell: 1}\n";
    snprintf(frames, sizeof frames, "%s/frames", folder);
    if (mn_file_make_folders(frames, &error) != MN_OK) check(c, mn_file_fail(c, &error));
    put_file(c, folder, "frames/particles.000000.vtp", bytes.data, bytes.bytes);
    put_file(c, folder, "run.json", json, sizeof json - 1);
    put_file(c, folder, "scene.yaml", scene, sizeof scene - 1);
    mn_buffer_free(&bytes);
    free(x);
    free(id);
}

int main(int argc, char **argv)
{
    static const char *const names[] = { "vtp", "ply", "obj", "pc2", "usda" };
    const int64_t            n       = argc > 1 ? atoll(argv[1]) : 2000000;
    char                     made[]  = "/tmp/bench_export.XXXXXX", to[MN_PATH_BYTES];
    const char              *folder  = argc > 2 ? argv[2] : mkdtemp(made);
    const mn_context_def     def     = mn_context_def_default();
    mn_context              *c       = NULL;
    if (folder == NULL || n < 1 || mn_context_create(&def, &c) != MN_OK) return 1;
    printf("what,megabytes,wall_s,cpu_s,megabytes_per_s,million_points_per_s\n");
    make_run(c, folder, n);
    for (int format = MN_EXPORT_VTP; format <= MN_EXPORT_USDA; format++) {
        mn_export_result result;
        best             b = { 1e30, 0.0 };
        snprintf(to, sizeof to, "%s/%s", folder, names[format]);
        for (int round = 0; round < ROUNDS; round++) {
            const double wall = mn_seconds(), cpu = mn_cpu_seconds();
            check(c, mn_run_export(c, folder, (mn_export_format)format, to, &result));
            note(&b, mn_seconds() - wall, mn_cpu_seconds() - cpu);
        }
        say(names[format], result.bytes, n, b);
    }
    mn_context_destroy(&c);
    if (argc <= 2)
        (void)nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);  // its own folder; one that was named is kept
    return 0;
}
