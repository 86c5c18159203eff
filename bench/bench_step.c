// SPDX-License-Identifier: MPL-2.0
// bench_step - the whole step of the dam break (scenes/liquid/dam-break.yaml): where its time goes, how it grows, and
// whose its memory is.
//
//     bench_step sizes  [THREADS [STEPS [WARM [CELL_MM...]]]]   milliseconds per step and stage; THREADS 0: both 1 and
//     2 bench_step growth [THREADS [STEPS [WARM]]]                1e5 to 4e6 particles: cost per particle, share of
//     each stage bench_step run    [THREADS [STEPS [EVERY [CELL_MM]]]]     memory by owner while the column spreads,
//     each step kept as for a frame
//
// cpu is the processor time of all threads: what a busy machine would have needed if left alone. The best of the steps
// counts in `growth`. bytes is the peak of all memory of the context over the particles. The hash is that of the state
// after the last step: equal for any number of threads.
#include "base/timer.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_plan {
    int    threads, steps, warm;
    double cell;  // cm
} bench_plan;

typedef mn_status bench_fn(mn_context *c, mn_world *world, const bench_plan *plan);

/// A column of 5.715 x 11.43 x 5.6 cm at the end of a tank, Martin and Moyce (1952).
static mn_status build_dam(mn_context *c, double cell, mn_world **out)
{
    mn_world_def def     = mn_world_def_default();
    def.domain.cell      = cell;
    def.domain.bounded   = true;
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
    status               = mn_shape_create(c, &box, &column.shape);
    if (status == MN_OK) status = mn_world_add_liquid(*out, &column);
    mn_shape_release(&column.shape);
    return status;
}

static mn_status take_steps(mn_world *world, int steps)
{
    mn_status status = MN_OK;
    for (int k = 0; k < steps && status == MN_OK; k++) status = mn_world_step(world, 1e9);
    return status;
}

static double peak_per_particle(const mn_context *c, mn_world *world)
{
    return (double)mn_context_memory(c).bytes_peak / (double)mn_world_liquid(world).count;
}

// --- sizes ---

static void head_of_sizes(void)
{
    printf("particles,threads,cell_mm");
    for (int s = 0; s < mn_world_stage_count(); s++) printf(",%s", mn_world_stage_name(s));
    printf(",wall_ms,cpu_ms,Mparticles/s,Mparticles/cpu_s,bytes/particle,hash\n");
}

static mn_status bench_size(mn_context *c, mn_world *world, const bench_plan *plan)
{
    mn_status status = take_steps(world, plan->warm);
    for (int s = 0; s < mn_world_stage_count(); s++) mn_world_stage_seconds(world, s, true);
    const double wall0 = mn_seconds(), cpu0 = mn_cpu_seconds();
    if (status == MN_OK) status = take_steps(world, plan->steps);
    if (status != MN_OK) return status;
    const double wall = mn_seconds() - wall0, cpu = mn_cpu_seconds() - cpu0, n = (double)mn_world_liquid(world).count,
                 steps = plan->steps;
    printf("%.0f,%d,%.3f", n, plan->threads, plan->cell * 10.0);
    for (int s = 0; s < mn_world_stage_count(); s++)
        printf(",%.2f", 1e3 * mn_world_stage_seconds(world, s, false) / steps);
    printf(",%.1f,%.1f,%.3f,%.3f,%.1f,%016llx\n", 1e3 * wall / steps, 1e3 * cpu / steps, 1e-6 * n * steps / wall,
           1e-6 * n * steps / cpu, peak_per_particle(c, world), (unsigned long long)mn_world_hash(world));
    return MN_OK;
}

// --- growth ---

static bool stage_is_used(int stage)
{
    static const int used[] = { MN_STAGE_choose_dt,   MN_STAGE_activate,      MN_STAGE_gather,
                                MN_STAGE_grid_forces, MN_STAGE_coupled_solve, MN_STAGE_scatter,
                                MN_STAGE_move,        MN_STAGE_upkeep,        MN_STAGE_audit };
    for (size_t k = 0; k < sizeof used / sizeof *used; k++)
        if (used[k] == stage) return true;
    return false;
}

static void head_of_growth(void)
{
    printf("# nanoseconds of processor per particle and step, best of the steps; shares of that step in percent\n");
    printf("particles,threads,ns/particle,wall_ns/particle,cells/particle,bytes/particle");
    for (int s = 0; s < MN_STAGE_COUNT; s++)
        if (stage_is_used(s)) printf(",%s%%", mn_world_stage_name(s));
    printf("\n");
}

static double cells_per_particle(mn_world *world)
{
    const mn_tiles *t = &world->liquid.grid.tiles;
    return (double)t->count * t->cells / (double)mn_world_liquid(world).count;
}

static mn_status bench_growth(mn_context *c, mn_world *world, const bench_plan *plan)
{
    mn_status status = take_steps(world, plan->warm);
    double    best = INFINITY, wall = INFINITY, share[MN_STAGE_COUNT] = { 0.0 };
    for (int k = 0; k < plan->steps && status == MN_OK; k++) {
        double before[MN_STAGE_COUNT];
        memcpy(before, world->stage_cpu, sizeof before);
        const double wall0 = mn_seconds(), cpu0 = mn_cpu_seconds();
        status           = mn_world_step(world, 1e9);
        const double cpu = mn_cpu_seconds() - cpu0;
        wall             = fmin(wall, mn_seconds() - wall0);
        if (cpu >= best) continue;
        best = cpu;
        for (int s = 0; s < MN_STAGE_COUNT; s++) share[s] = (world->stage_cpu[s] - before[s]) / cpu;
    }
    if (status != MN_OK) return status;
    const double n = (double)mn_world_liquid(world).count;
    printf("%.0f,%d,%.1f,%.1f,%.3f,%.1f", n, plan->threads, 1e9 * best / n, 1e9 * wall / n, cells_per_particle(world),
           peak_per_particle(c, world));
    for (int s = 0; s < MN_STAGE_COUNT; s++)
        if (stage_is_used(s)) printf(",%.1f", 100.0 * share[s]);
    printf("\n");
    return MN_OK;
}

// --- run ---

static int64_t count_wet(const mn_liquid_scratch *s)
{
    int64_t wet = 0;
    for (int64_t i = 0; i < (int64_t)s->tiles.count * s->tiles.cells; i++) wet += s->wet[i];
    return wet;
}

static int64_t count_tiles_with(const mn_liquid_scratch *s, bool particles)
{
    int64_t found = 0;
    for (int32_t t = 0; t < s->tiles.count; t++) {
        const int64_t  first = (int64_t)t * s->tiles.cells;
        const int32_t *start = s->bins.start + first;
        found += particles ? start[0] != start[s->tiles.cells]
                           : memchr(s->wet + first, 1, (size_t)s->tiles.cells) != NULL;
    }
    return found;
}

static void print_memory(mn_context *c, mn_world *world)
{
    const mn_liquid_scratch *s    = &world->liquid.grid;
    const double             n    = (double)mn_world_liquid(world).count;
    double                   item = 0.0, state = 0.0;
    for (int f = 0; f < mn_liquid_table.count; f++)
        item += (double)mn_type_size(mn_liquid_table.fields[f].type) * mn_liquid_table.fields[f].components;
    for (int k = 0; k < 2; k++) state += item * (double)world->liquid.particles[k].capacity;
    const mn_memory_count m     = mn_context_memory(c);
    const double          arena = (double)mn_arena_high_water(world->arena), now = (double)m.bytes_now;
    printf("%lld,%.4f,%.0f,%.3f,%.3f,%d,%lld,%lld,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f\n", (long long)world->now.steps,
           world->now.time, n, cells_per_particle(world), (double)count_wet(s) / n, s->tiles.count,
           (long long)count_tiles_with(s, true), (long long)count_tiles_with(s, false), state / n, arena / n,
           (double)mn_solid_cache_bytes(world->liquid.solid_cache) / n, (now - state) / n, now / n,
           (double)m.bytes_peak / n);
}

/// Steps that end where they were asked to, as those before a frame do: they keep their pressure, too.
static mn_status take_frames(mn_world *world, int steps)
{
    mn_status status = MN_OK;
    double    speed;
    for (int k = 0; k < steps && status == MN_OK; k++)
        status = mn_world_step(world,
                               world->now.time + fmin(mn_liquid_dt_limit(&world->liquid, &speed), world->now.dt_limit));
    return status;
}

static mn_status bench_run(mn_context *c, mn_world *world, const bench_plan *plan)
{
    mn_status status = MN_OK;
    for (int k = 0; k < plan->steps && status == MN_OK; k += plan->warm) {
        status = take_frames(world, plan->warm);
        if (status == MN_OK) print_memory(c, world);
        fflush(stdout);
    }
    if (status == MN_OK) printf("# hash %016llx\n", (unsigned long long)mn_world_hash(world));
    return status;
}

static void head_of_run(void)
{
    printf("# bytes per particle: both buffers of particles, high-water mark of the arena, cache of solids, all but "
           "particles, "
           "all now, peak of all\n");
    printf("step,time,particles,cells/particle,wet/"
           "particle,tiles,tiles_with_particles,tiles_with_liquid,particle_buffers,arena,solid_cache,"
           "other,now,peak\n");
}

static int bench(bench_fn *fn, const bench_plan *plan)
{
    mn_context_def def = mn_context_def_default();
    def.threads        = plan->threads;
    mn_context *c      = NULL;
    mn_world   *world  = NULL;
    if (mn_context_create(&def, &c) != MN_OK) return 1;
    mn_status status = build_dam(c, plan->cell, &world);
    if (status == MN_OK) status = fn(c, world, plan);
    if (status != MN_OK) fprintf(stderr, "%s: %s\n", mn_status_text(status), mn_context_error(c));
    fflush(stdout);
    mn_world_destroy(&world);
    mn_context_destroy(&c);
    return status != MN_OK;
}

static int number(int argc, char **argv, int place, int otherwise)
{
    return argc > place ? atoi(argv[place]) : otherwise;
}

static int main_sizes(int argc, char **argv)
{
    static const double sizes[] = { 3.5, 1.8, 1.1 };  // mm
    const int asked = number(argc, argv, 2, 0), given = argc > 5 ? argc - 5 : 0, cases = given > 0 ? given : 3;
    int       failed = 0;
    head_of_sizes();
    for (int k = 0; k < cases; k++)
        for (int threads = asked > 0 ? asked : 1; threads <= (asked > 0 ? asked : 2); threads++)
            failed |= bench(bench_size, &(bench_plan){ threads, number(argc, argv, 3, 10), number(argc, argv, 4, 20),
                                                       0.1 * (given > 0 ? atof(argv[5 + k]) : sizes[k]) });
    return failed;
}

static int main_growth(int argc, char **argv)
{
    static const double particles[] = { 1e5, 2.5e5, 5e5, 1e6, 2.2e6, 4e6 };
    int                 failed      = 0;
    head_of_growth();
    for (size_t k = 0; k < sizeof particles / sizeof *particles; k++)
        failed |= bench(bench_growth,
                        &(bench_plan){ number(argc, argv, 2, 1), number(argc, argv, 3, 6), number(argc, argv, 4, 4),
                                       cbrt(8.0 * 5.715 * 11.43 * 5.6 / particles[k]) });
    return failed;
}

static int main_run(int argc, char **argv)
{
    head_of_run();
    return bench(bench_run, &(bench_plan){ number(argc, argv, 2, 1), number(argc, argv, 3, 600),
                                           number(argc, argv, 4, 50), 0.1 * (argc > 5 ? atof(argv[5]) : 1.1) });
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "sizes";
    if (strcmp(mode, "sizes") == 0) return main_sizes(argc, argv);
    if (strcmp(mode, "growth") == 0) return main_growth(argc, argv);
    if (strcmp(mode, "run") == 0) return main_run(argc, argv);
    fprintf(stderr, "bench_step: %s is none of sizes, growth, run\n", mode);
    return 2;
}
