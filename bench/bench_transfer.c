// SPDX-License-Identifier: MPL-2.0
// Particles per second and core: sort, transfers, density, against the machine's speed of copying (liquid 5.11).
//
//     bench_transfer [cells per axis, a multiple of 8; 64] [repetitions; 5]
//
// Cases: "jitter" has one particle per sub-cell (8 or 4 in every cell), "random" the same number on average.
// Best of the repetitions; one row per case and number of threads.
#include "base/random.h"
#include "base/timer.h"
#include "grid/extrapolate.h"
#include "grid/levelset.h"
#include "grid/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARRAYS = 16 };

typedef struct bench {
    mn_context        *context;
    mn_arena          *arena;
    mn_grid_def        def;
    mn_tiles           tiles;
    mn_bins            bins;
    mn_particle_arrays q;
    double            *storage, *sorted;
} bench;

static void require(bool ok, const char *what)
{
    if (ok) return;
    fprintf(stderr, "bench_transfer: %s failed\n", what);
    exit(1);
}

static void point_arrays(mn_particle_arrays *q, double *storage)
{
    const int64_t n = q->count;
    for (int a = 0; a < 3; a++) {
        q->position[a] = storage + a * n;
        q->velocity[a] = storage + (3 + a) * n;
    }
    for (int a = 0; a < 9; a++) q->affine[a] = storage + (6 + a) * n;
    q->volume = storage + 15 * n;
}

static bench begin(int threads, int cells, int per_cell, bool random)
{
    bench          b   = { .def = { .dimension = 3, .cell = 0.1, .depth = 0.1 } };
    mn_context_def def = mn_context_def_default();
    def.threads        = threads;
    require(mn_context_create(&def, &b.context) == MN_OK && mn_arena_create(b.context, &b.arena) == MN_OK, "context");
    b.q.count  = (int64_t)cells * cells * cells * per_cell;
    b.storage  = malloc((size_t)b.q.count * ARRAYS * sizeof(double));
    b.sorted   = malloc((size_t)b.q.count * ARRAYS * sizeof(double));
    require(b.storage != NULL && b.sorted != NULL, "memory");
    point_arrays(&b.q, b.storage);
    for (int64_t i = 0; i < b.q.count; i++) {
        // Numbers spread over the block, so that the first sort has work to do.
        const int64_t site = (i * 1000003) % b.q.count, cell = site / per_cell, sub = site % per_cell;
        const int64_t at[3] = { cell % cells, cell / cells % cells, cell / cells / cells };
        for (int a = 0; a < 3; a++) {
            const double r = mn_random(1, (uint64_t)i, 0, (uint64_t)a);
            const double half = per_cell == 4 && a == 2 ? r : 0.5 * ((double)(sub >> a & 1) + r);
            b.q.position[a][i] = 0.1 * (random ? r * cells : (double)at[a] + half);
            b.q.velocity[a][i] = r - 0.5;
        }
        for (int a = 0; a < 9; a++) b.q.affine[a][i] = mn_random(2, (uint64_t)i, 0, (uint64_t)a) - 0.5;
        b.q.volume[i] = 0.001 / per_cell;
    }
    return b;
}

static void end(bench *b)
{
    free(b->storage);
    free(b->sorted);
    mn_arena_destroy(&b->arena);
    mn_context_destroy(&b->context);
}

static void build(bench *b)
{
    require(mn_bins_build(b->context, b->arena, &b->def, (const double *const *)b->q.position, b->q.count, 2, &b->tiles, &b->bins) == MN_OK,
            "bins");
}

static void sort(bench *b)
{
    for (int k = 0; k < ARRAYS; k++)
        for (int64_t i = 0; i < b->q.count; i++) b->sorted[k * b->q.count + i] = b->storage[k * b->q.count + b->bins.order[i]];
    double *swap = b->storage;
    b->storage   = b->sorted;
    b->sorted    = swap;
    point_arrays(&b->q, b->storage);
}

enum { BUILD, REFRESH, TO_FACES, FROM_FACES, TO_CELLS, LEVELSET, EXTRAPOLATE, INTERPOLATE, TO_POINTS, COPY, STAGES };
static const char *const stage_names[STAGES] = { "build", "refresh", "to_faces", "from_faces", "to_cells", "levelset",
                                                 "extrapolate", "interpolate", "to_points", "copy" };

static double lap(double *clock)
{
    const double now = mn_seconds(), seconds = now - *clock;
    *clock           = now;
    return seconds;
}

static void round_of_stages(bench *b, double seconds[STAGES])
{
    require(mn_arena_reset(b->arena) == MN_OK, "arena");
    double clock = mn_seconds();
    build(b);
    seconds[BUILD] = lap(&clock);

    const int64_t n = (int64_t)b->tiles.count * b->tiles.cells;
    double       *weight[3], *momentum[3], *density = mn_arena_array(b->arena, double, n), *phi = mn_arena_array(b->arena, double, n);
    uint8_t      *known[3], *air = mn_arena_array_zero(b->arena, uint8_t, n);
    for (int a = 0; a < 3; a++) {
        weight[a]   = mn_arena_array(b->arena, double, n);
        momentum[a] = mn_arena_array(b->arena, double, n);
        known[a]    = mn_arena_array_zero(b->arena, uint8_t, n);
        require(weight[a] != NULL && momentum[a] != NULL && known[a] != NULL && density != NULL && phi != NULL && air != NULL, "arena");
        memset(weight[a], 0, (size_t)n * sizeof(double));
        memset(momentum[a], 0, (size_t)n * sizeof(double));
    }
    const double *const *position = (const double *const *)b->q.position;
    int64_t              lost     = 0;
    lap(&clock);
    require(mn_bins_refresh(b->context, b->arena, &b->tiles, position, b->q.count, &b->bins, &lost) == MN_OK, "refresh");
    seconds[REFRESH] = lap(&clock);
    require(mn_particles_to_faces(b->context, b->arena, &b->tiles, &b->bins, &b->q, weight, momentum) == MN_OK, "to_faces");
    seconds[TO_FACES] = lap(&clock);
    for (int a = 0; a < 3; a++)
        for (int64_t i = 0; i < n; i++) {
            known[a][i] = weight[a][i] > 1e-9;
            if (weight[a][i] > 0.0) momentum[a][i] /= weight[a][i];
        }
    lap(&clock);
    mn_faces_to_particles(b->context, &b->tiles, &b->bins, (const double *const *)momentum, &b->q);
    seconds[FROM_FACES] = lap(&clock);
    require(mn_particles_to_cells(b->context, b->arena, &b->tiles, &b->bins, position, b->q.volume, density) == MN_OK, "to_cells");
    seconds[TO_CELLS] = lap(&clock);
    mn_levelset_from_density(b->context, &b->tiles, density, phi);
    for (int64_t i = b->tiles.cells; i < n; i++) air[i] = phi[i] >= 0.0;
    require(mn_density_expected(b->context, b->arena, &b->tiles, density, NULL, air, phi) == MN_OK, "expected");
    seconds[LEVELSET] = lap(&clock);
    require(mn_extrapolate_faces(b->context, b->arena, &b->tiles, MN_EXTRAPOLATE_LINEAR, 4, momentum, known) == MN_OK, "extrapolate");
    seconds[EXTRAPOLATE] = lap(&clock);
    double *value[3] = { b->sorted, b->sorted + b->q.count, b->sorted + 2 * b->q.count };
    mn_faces_interpolate(b->context, &b->tiles, (const double *const *)momentum, position, b->q.count, value);
    seconds[INTERPOLATE] = lap(&clock);
    mn_faces_to_points(b->context, &b->tiles, &b->bins, (const double *const *)momentum, position, value);
    seconds[TO_POINTS] = lap(&clock);
    memcpy(b->sorted, b->storage, (size_t)b->q.count * ARRAYS * sizeof(double));
    seconds[COPY] = lap(&clock);
}

static void run(int threads, int cells, int per_cell, bool random, int repetitions)
{
    bench b = begin(threads, cells, per_cell, random);
    build(&b);
    sort(&b);
    double best[STAGES], seconds[STAGES];
    for (int r = 0; r < repetitions; r++) {
        round_of_stages(&b, seconds);
        for (int s = 0; s < STAGES; s++)
            if (r == 0 || seconds[s] < best[s]) best[s] = seconds[s];
    }
    printf("%s,%d,%d,%d", random ? "random" : "jitter", cells, per_cell, threads);
    for (int s = 0; s < STAGES; s++) printf(",%.2f", 1e-6 * (double)b.q.count / best[s]);
    printf("\n");
    fflush(stdout);
    end(&b);
}

int main(int argc, char **argv)
{
    const int cells = argc > 1 ? atoi(argv[1]) : 64, repetitions = argc > 2 ? atoi(argv[2]) : 5;
    require(cells >= 8 && cells <= 256 && cells % 8 == 0 && repetitions > 0, "reading the arguments");
    printf("# million particles per second, best of %d; `copy` is memcpy of the 128 bytes of each particle, one thread\n", repetitions);
    printf("case,cells,per_cell,threads");
    for (int s = 0; s < STAGES; s++) printf(",%s", stage_names[s]);
    printf("\n");
    for (int threads = 1; threads <= 2; threads++) {
        run(threads, cells, 8, false, repetitions);
        run(threads, cells, 8, true, repetitions);
        run(threads, cells, 4, false, repetitions);
    }
    return 0;
}
