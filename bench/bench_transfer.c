// SPDX-License-Identifier: MPL-2.0
// Particles per second and core: sort, transfers, density, against the machine's speed of copying (liquid 5.11).
//
//     bench_transfer [cells per axis, a multiple of 8; 64] [repetitions; 5]
//
// Cases: "jitter" has one particle per sub-cell (8 or 4 in every cell), "random" the same number on average.
// Best of the repetitions; one row per case and number of threads. Behind the rows: what the machine gives for the same
// number of threads (three streams of memory; products and sums in registers), the part of it that the transfers reach,
// and the gain of the second thread.
#include "base/pool.h"
#include "base/random.h"
#include "base/timer.h"
#include "grid/extrapolate.h"
#include "grid/levelset.h"
#include "grid/transfer.h"
#include "grid/transfer_kernel.h"

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
    b.q.count = (int64_t)cells * cells * cells * per_cell;
    b.storage = malloc((size_t)b.q.count * ARRAYS * sizeof(double));
    b.sorted  = malloc((size_t)b.q.count * ARRAYS * sizeof(double));
    require(b.storage != NULL && b.sorted != NULL, "memory");
    point_arrays(&b.q, b.storage);
    for (int64_t i = 0; i < b.q.count; i++) {
        // Numbers spread over the block, so that the first sort has work to do.
        const int64_t site = (i * 1000003) % b.q.count, cell = site / per_cell, sub = site % per_cell;
        const int64_t at[3] = { cell % cells, cell / cells % cells, cell / cells / cells };
        for (int a = 0; a < 3; a++) {
            const double r     = mn_random(1, (uint64_t)i, 0, (uint64_t)a);
            const double half  = per_cell == 4 && a == 2 ? r : 0.5 * ((double)(sub >> a & 1) + r);
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
    require(mn_bins_build(b->context, b->arena, &b->def, (const double *const *)b->q.position, b->q.count, 2, &b->tiles,
                          &b->bins) == MN_OK,
            "bins");
}

static void sort(bench *b)
{
    for (int k = 0; k < ARRAYS; k++)
        for (int64_t i = 0; i < b->q.count; i++)
            b->sorted[k * b->q.count + i] = b->storage[k * b->q.count + b->bins.order[i]];
    double *swap = b->storage;
    b->storage   = b->sorted;
    b->sorted    = swap;
    point_arrays(&b->q, b->storage);
}

enum { BUILD, REFRESH, TO_FACES, FROM_FACES, TO_CELLS, EXPECTED, EXTRAPOLATE, SHIFT, COPY, STAGES };
static const char *const stage_names[STAGES] = { "build",    "refresh",     "to_faces", "from_faces", "to_cells",
                                                 "expected", "extrapolate", "shift",    "copy" };

static double lap(double *clock)
{
    const double now = mn_seconds(), seconds = now - *clock;
    *clock = now;
    return seconds;
}

static void round_of_stages(bench *b, double seconds[STAGES])
{
    require(mn_arena_reset(b->arena) == MN_OK, "arena");
    double clock = mn_seconds();
    build(b);
    seconds[BUILD] = lap(&clock);

    const int64_t n = (int64_t)b->tiles.count * b->tiles.cells;
    double       *weight[3], *momentum[3], *density = mn_arena_array(b->arena, double, n),
                                     *expected = mn_arena_array(b->arena, double, n);
    uint8_t *known[3], *air = mn_arena_array_zero(b->arena, uint8_t, n);
    for (int a = 0; a < 3; a++) {
        weight[a]   = mn_arena_array(b->arena, double, n);
        momentum[a] = mn_arena_array(b->arena, double, n);
        known[a]    = mn_arena_array_zero(b->arena, uint8_t, n);
        require(weight[a] != NULL && momentum[a] != NULL && known[a] != NULL && density != NULL && expected != NULL &&
                    air != NULL,
                "arena");
        memset(weight[a], 0, (size_t)n * sizeof(double));
        memset(momentum[a], 0, (size_t)n * sizeof(double));
    }
    const double *const *position = (const double *const *)b->q.position;
    int64_t              lost     = 0;
    lap(&clock);
    require(mn_bins_refresh(b->context, b->arena, &b->tiles, position, b->q.count, &b->bins, &lost) == MN_OK,
            "refresh");
    seconds[REFRESH] = lap(&clock);
    require(mn_particles_to_faces(b->context, b->arena, &b->tiles, &b->bins, &b->q, weight, momentum) == MN_OK,
            "to_faces");
    seconds[TO_FACES] = lap(&clock);
    for (int a = 0; a < 3; a++)
        for (int64_t i = 0; i < n; i++) {
            known[a][i] = weight[a][i] > 1e-9;
            if (weight[a][i] > 0.0) momentum[a][i] /= weight[a][i];
        }
    lap(&clock);
    mn_faces_to_particles(b->context, &b->tiles, &b->bins, (const double *const *)momentum, &b->q);
    seconds[FROM_FACES] = lap(&clock);
    require(mn_particles_to_cells(b->context, b->arena, &b->tiles, &b->bins, position, b->q.volume, density) == MN_OK,
            "to_cells");
    seconds[TO_CELLS] = lap(&clock);
    for (int64_t i = b->tiles.cells; i < n; i++) air[i] = density[i] <= 0.5;
    require(mn_density_expected(b->context, b->arena, &b->tiles, density, NULL, air, expected) == MN_OK, "expected");
    seconds[EXPECTED] = lap(&clock);
    require(mn_extrapolate_faces(b->context, b->arena, &b->tiles, MN_EXTRAPOLATE_LINEAR, 4, momentum, known) == MN_OK,
            "extrapolate");
    seconds[EXTRAPOLATE] = lap(&clock);
    // No length at all is allowed, so that the next repetition finds the particles where they were.
    mn_faces_shift_points(b->context, &b->tiles, &b->bins, (const double *const *)momentum, 0.0, b->q.position);
    seconds[SHIFT] = lap(&clock);
    memcpy(b->sorted, b->storage, (size_t)b->q.count * ARRAYS * sizeof(double));
    seconds[COPY] = lap(&clock);
}

// --- what the machine gives ---

#define STREAM_VALUES ((int64_t)1 << 24)
#define FLOP_BLOCKS   256
#define FLOP_ROUNDS   20000
#define CHAINS        10

typedef struct stream_job {
    double *a, *b, *c;
} stream_job;

static void triad_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const stream_job *job = context;
    for (int64_t i = begin; i < end; i++) job->a[i] = job->b[i] + 3.0 * job->c[i];
}

/// Independent chains of one product and one sum each, so that no result is waited for.
static void flop_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    double  *out = context;
    mn_lanes v[CHAINS], factor = { 0 }, term = { 0 };
    factor += 0.999999;
    term += 1e-6;
    for (int k = 0; k < CHAINS; k++) v[k] = term * (double)(k + 1);
    for (int64_t r = 0; r < FLOP_ROUNDS * (end - begin); r++) MN_UNROLL
    for (int k = 0; k < CHAINS; k++) v[k] = v[k] * factor + term;
    mn_lanes sum = { 0 };
    for (int k = 0; k < CHAINS; k++) sum += v[k];
    out[begin] = sum[0];
}

typedef struct machine {
    double bytes, flops;  // per second
} machine;

static machine measure_machine(int threads, int repetitions)
{
    mn_context    *c   = NULL;
    mn_context_def def = mn_context_def_default();
    def.threads        = threads;
    require(mn_context_create(&def, &c) == MN_OK, "context");
    stream_job job = { malloc(STREAM_VALUES * sizeof(double)), malloc(STREAM_VALUES * sizeof(double)),
                       malloc(STREAM_VALUES * sizeof(double)) };
    double     out[FLOP_BLOCKS];
    require(job.a != NULL && job.b != NULL && job.c != NULL, "memory");
    for (int64_t i = 0; i < STREAM_VALUES; i++) job.a[i] = 0.0, job.b[i] = (double)i, job.c[i] = 1.0;
    machine best = { 0.0, 0.0 };
    for (int r = 0; r < repetitions; r++) {
        double clock = mn_seconds();
        mn_parallel_for(mn_context_pool(c), STREAM_VALUES, 1 << 16, triad_block, &job);
        const double stream = lap(&clock);
        mn_parallel_for(mn_context_pool(c), FLOP_BLOCKS, 1, flop_block, out);
        const double flop = lap(&clock), operations = 2.0 * MN_LANES * CHAINS * FLOP_ROUNDS * FLOP_BLOCKS;
        // Four passes: a line of `a` is read before it is written.
        best.bytes = 4.0 * STREAM_VALUES * sizeof(double) / stream > best.bytes
                         ? 4.0 * STREAM_VALUES * sizeof(double) / stream
                         : best.bytes;
        best.flops = operations / flop > best.flops ? operations / flop : best.flops;
    }
    free(job.a);
    free(job.b);
    free(job.c);
    mn_context_destroy(&c);
    return best;
}

/// Operations and bytes of a particle, three dimensions, eight in a cell. To faces: 33 rows of four nodes with two
/// products and three sums each, and the weights; 16 numbers read. From faces: contractions of 36 nodes axis by axis
/// for each component; 3 numbers read, 12 lines read and written. Arrays of the grid and rims are shared by the cell.
typedef struct particle_cost {
    const char *name;
    int         stage;
    double      flops, bytes;
} particle_cost;

static const particle_cost costs[] = { { "to_faces", TO_FACES, 33 * 4 * 5 + 150, 128 + 20 },
                                       { "from_faces", FROM_FACES, 510, 24 + 2 * 96 + 3 } };

static void print_machine(double speed[2][STAGES], int repetitions)
{
    printf("# of the machine, jitter with 8 in a "
           "cell\nthreads,stream_GB/s,Gflop/s,stage,GB/s,of_stream,Gflop/s,of_flops,gain\n");
    for (int threads = 1; threads <= 2; threads++) {
        const machine m = measure_machine(threads, repetitions);
        for (size_t k = 0; k < sizeof costs / sizeof *costs; k++) {
            const double rate = speed[threads - 1][costs[k].stage];
            printf("%d,%.1f,%.1f,%s,%.2f,%.2f,%.2f,%.2f,%.2f\n", threads, 1e-9 * m.bytes, 1e-9 * m.flops, costs[k].name,
                   1e-9 * rate * costs[k].bytes, rate * costs[k].bytes / m.bytes, 1e-9 * rate * costs[k].flops,
                   rate * costs[k].flops / m.flops, rate / speed[0][costs[k].stage]);
        }
    }
}

/// Particles per second of every stage.
static void run(int threads, int cells, int per_cell, bool random, int repetitions, double speed[STAGES])
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
    for (int s = 0; s < STAGES; s++) speed[s] = (double)b.q.count / best[s];
    for (int s = 0; s < STAGES; s++) printf(",%.2f", 1e-6 * speed[s]);
    printf("\n");
    fflush(stdout);
    end(&b);
}

int main(int argc, char **argv)
{
    const int cells = argc > 1 ? atoi(argv[1]) : 64, repetitions = argc > 2 ? atoi(argv[2]) : 5;
    require(cells >= 8 && cells <= 256 && cells % 8 == 0 && repetitions > 0, "reading the arguments");
    printf("# million particles per second, best of %d; `copy` is memcpy of the 128 bytes of each particle, one "
           "thread\n",
           repetitions);
    printf("case,cells,per_cell,threads");
    for (int s = 0; s < STAGES; s++) printf(",%s", stage_names[s]);
    printf("\n");
    double even[2][STAGES], other[STAGES];
    for (int threads = 1; threads <= 2; threads++) {
        run(threads, cells, 8, false, repetitions, even[threads - 1]);
        run(threads, cells, 8, true, repetitions, other);
        run(threads, cells, 4, false, repetitions, other);
    }
    print_machine(even, repetitions);
    return 0;
}
