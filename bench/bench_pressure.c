// SPDX-License-Identifier: MPL-2.0
// bench_pressure - cells per second and iterations of the pressure solver, set-up included, to a true residual of 1e-6.
//
// cpu is the processor time of all threads: what a busy machine would have needed if left alone.
// usage: bench_pressure [THREADS [SIZE...]]     one line per case and size; the best of several runs
#include "base/arena.h"
#include "base/timer.h"
#include "solve/multigrid.h"
#include "verify/liquid/pressure_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef mn_status build_fn(mn_arena *arena, int32_t n, mn_pressure_case *out);

typedef struct bench_case {
    const char *name;
    build_fn   *build;
} bench_case;

static const bench_case cases[] = { { "box", mn_pressure_case_box }, { "wavy", mn_pressure_case_wavy } };

typedef struct timing {
    double          setup, solve, cpu;
    mn_solve_report report;
    size_t          bytes;
} timing;

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static mn_status run_once(mn_multigrid *mg, mn_arena *scratch, const mn_pressure_case *c, timing *t)
{
    MN_TRY(mn_arena_reset(scratch));
    memset(c->x, 0, (size_t)c->values * sizeof *c->x);
    const double start = mn_seconds(), cpu = cpu_seconds();
    MN_TRY(mn_multigrid_setup(mg, &c->system, scratch));
    const double middle = mn_seconds();
    MN_TRY(mn_multigrid_solve(mg, c->rhs, c->x, 1e-6, 100, &t->report));
    t->setup = middle - start;
    t->solve = mn_seconds() - middle;
    t->cpu   = cpu_seconds() - cpu;
    t->bytes = mn_arena_high_water(scratch);
    return MN_OK;
}

static mn_status run_case(mn_context *context, const bench_case *b, int32_t n)
{
    mn_arena        *arena = NULL, *scratch = NULL;
    mn_multigrid    *mg     = NULL;
    mn_status        status = mn_arena_create(context, &arena);
    mn_pressure_case c;
    timing           best = { .setup = 1e30, .solve = 1e30, .cpu = 1e30 };
    if (status == MN_OK) status = mn_arena_create(context, &scratch);
    if (status == MN_OK) status = mn_multigrid_create(context, &mg);
    if (status == MN_OK) status = b->build(arena, n, &c);
    // An even right-hand side excites the slowest mode: it needs the most iterations.
    for (int64_t v = 0; status == MN_OK && v < c.values; v++) c.rhs[v] = c.unknown[v];
    const int runs = n <= 64 ? 20 : n <= 128 ? 7 : 4;
    for (int k = 0; status == MN_OK && k < runs; k++) {
        timing t;
        status           = run_once(mg, scratch, &c, &t);
        const double cpu = status == MN_OK && t.cpu < best.cpu ? t.cpu : best.cpu;
        if (status == MN_OK && t.setup + t.solve < best.setup + best.solve) best = t;
        best.cpu = cpu;
    }
    if (status == MN_OK) {
        const mn_multigrid_facts f       = mn_multigrid_describe(mg);
        const double             seconds = best.setup + best.solve;
        printf("%-5s n=%-4d threads=%d cells=%-9lld iterations=%-3d residual=%.2e seconds=%.4f cpu=%.4f setup=%4.1f%% "
               "Mcells/s=%.2f bytes/cell=%.1f uniform=%.0f%% outcome=%d\n",
               b->name, n, mn_context_threads(context), (long long)f.unknowns, best.report.iterations,
               best.report.residual_last, seconds, best.cpu, 100.0 * best.setup / seconds,
               1e-6 * (double)f.unknowns / seconds, (double)best.bytes / (double)f.unknowns,
               100.0 * (double)f.uniform_tiles / (double)f.tiles, best.report.outcome);
        fflush(stdout);
    } else {
        fprintf(stderr, "%s %d: %s\n", b->name, n, mn_context_error(context));
    }
    mn_multigrid_destroy(&mg);
    mn_arena_destroy(&scratch);
    mn_arena_destroy(&arena);
    return status;
}

int main(int argc, char **argv)
{
    mn_context_def def        = mn_context_def_default();
    mn_context    *context    = NULL;
    const int      standard[] = { 32, 64, 128, 256 };
    def.threads               = argc > 1 ? atoi(argv[1]) : 1;
    if (mn_context_create(&def, &context) != MN_OK) return 1;
    mn_status status = MN_OK;
    for (int k = 0; k < (argc > 2 ? argc - 2 : 4); k++)
        for (size_t b = 0; status == MN_OK && b < sizeof cases / sizeof *cases; b++)
            status = run_case(context, &cases[b], argc > 2 ? atoi(argv[k + 2]) : standard[k]);
    mn_context_destroy(&context);
    return status == MN_OK ? 0 : 1;
}
