// SPDX-License-Identifier: MPL-2.0
// bench_step - the whole step of the dam break (scenes/liquid/dam-break.yaml) at several sizes: where its time goes.
//
// Columns: milliseconds of wall clock per step for every stage; cpu is the processor time of all threads per step, what
// a busy machine would have needed if left alone. bytes is the peak of all memory of the context over the particles.
// The hash is that of the state after the last step: equal for any number of threads.
// usage: bench_step [THREADS [STEPS [WARM [CELL_MM...]]]]     THREADS 0: both 1 and 2
#include "meniscus/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct bench_plan {
    int    threads, steps, warm;
    double cell;      // cm
} bench_plan;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// A column of 5.715 x 11.43 x 5.6 cm at the end of a tank, Martin and Moyce (1952).
static mn_status build_dam(mn_context *c, double cell, mn_world **out)
{
    mn_world_def def   = mn_world_def_default();
    def.domain.cell    = cell;
    def.domain.bounded = true;
    const double high[3] = { 57.15, 20.0, 5.6 }, size[3] = { 5.715, 11.43, 5.6 };
    for (int a = 0; a < 3; a++) {
        def.domain.bounds[0][a] = 0.0;
        def.domain.bounds[1][a] = high[a];
    }
    mn_status status = mn_world_create(c, &def, out);
    if (status != MN_OK) return status;
    mn_shape_def box = mn_shape_def_default(MN_SHAPE_BOX);
    for (int a = 0; a < 3; a++) {
        box.size[a]   = size[a];
        box.center[a] = 0.5 * size[a];
    }
    mn_liquid_def column = mn_liquid_def_default();
    mn_object_id  id;
    status = mn_shape_create(c, &box, &column.shape);
    if (status == MN_OK) status = mn_world_add_liquid(*out, &column, &id);
    mn_shape_release(&column.shape);
    return status;
}

static mn_status take_steps(mn_world *world, int steps)
{
    mn_status status = MN_OK;
    for (int k = 0; k < steps && status == MN_OK; k++) status = mn_world_step(world, 1e9);
    return status;
}

static void print_row(mn_context *c, mn_world *world, const bench_plan *plan, double wall, double cpu)
{
    const double n = (double)mn_world_liquid(world).count, steps = plan->steps;
    printf("%.0f,%d,%.3f", n, plan->threads, plan->cell * 10.0);
    for (int s = 0; s < mn_world_stage_count(); s++) printf(",%.2f", 1e3 * mn_world_stage_seconds(world, s, false) / steps);
    printf(",%.1f,%.1f,%.3f,%.3f,%.1f,%016llx\n", 1e3 * wall / steps, 1e3 * cpu / steps, 1e-6 * n * steps / wall,
           1e-6 * n * steps / cpu, (double)mn_context_memory(c).bytes_peak / n, (unsigned long long)mn_world_hash(world));
    fflush(stdout);
}

static mn_status run(mn_context *c, const bench_plan *plan)
{
    mn_world *world  = NULL;
    mn_status status = build_dam(c, plan->cell, &world);
    if (status == MN_OK) status = take_steps(world, plan->warm);
    if (status == MN_OK) {
        for (int s = 0; s < mn_world_stage_count(); s++) mn_world_stage_seconds(world, s, true);
        const double wall = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        status            = take_steps(world, plan->steps);
        if (status == MN_OK)
            print_row(c, world, plan, seconds_of(CLOCK_MONOTONIC) - wall, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    }
    mn_world_destroy(&world);
    return status;
}

static int bench(const bench_plan *plan)
{
    mn_context_def def = mn_context_def_default();
    def.threads        = plan->threads;
    mn_context *c      = NULL;
    if (mn_context_create(&def, &c) != MN_OK) return 1;
    const mn_status status = run(c, plan);
    if (status != MN_OK) fprintf(stderr, "%s: %s\n", mn_status_text(status), mn_context_error(c));
    mn_context_destroy(&c);
    return status != MN_OK;
}

int main(int argc, char **argv)
{
    static const double sizes[] = { 3.5, 1.8, 1.1 };      // mm
    const int           asked = argc > 1 ? atoi(argv[1]) : 0, given = argc > 4 ? argc - 4 : 0, cases = given > 0 ? given : 3;
    const int           steps = argc > 2 ? atoi(argv[2]) : 10, warm = argc > 3 ? atoi(argv[3]) : 20;
    printf("particles,threads,cell_mm");
    for (int s = 0; s < mn_world_stage_count(); s++) printf(",%s", mn_world_stage_name(s));
    printf(",wall_ms,cpu_ms,Mparticles/s,Mparticles/cpu_s,bytes/particle,hash\n");
    int failed = 0;
    for (int k = 0; k < cases; k++) {
        const double cell = 0.1 * (given > 0 ? atof(argv[4 + k]) : sizes[k]);
        for (int threads = asked > 0 ? asked : 1; threads <= (asked > 0 ? asked : 2); threads++)
            failed |= bench(&(bench_plan){ threads, steps, warm, cell });
    }
    return failed;
}
