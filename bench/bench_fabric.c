// SPDX-License-Identifier: MPL-2.0
// bench_fabric - the whole step of a square of cloth that drapes over a sphere, at several sizes: where its time goes.
//
// elements/s is triangles per second of wall clock; bytes is all memory of the context over the triangles; shared is
// the part of the wall clock in loops that have work for more than one thread. usage: bench_fabric [THREADS [STEPS
// [WARM [SIDE_VERTICES...]]]]     THREADS 0: both 1 and 2
#include "base/pool.h"
#include "meniscus/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct bench_plan {
    int threads, steps, warm, side;
} bench_plan;

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// A sheet of side^2 vertices, half a cell apart, just above a sphere of a quarter of its width.
static mn_status build_drape(mn_context *c, int side, mn_world **out)
{
    const double spacing = 0.144, width = spacing * (side - 1);
    mn_world_def def = mn_world_def_default();
    def.domain.cell  = 2.0 * spacing;
    def.time.dt_max  = 1e-3;
    mn_status status = mn_world_create(c, &def, out);
    if (status != MN_OK) return status;

    mn_obstacle_def ball   = mn_obstacle_def_default();
    mn_shape_def    sphere = mn_shape_def_default(MN_SHAPE_SPHERE);
    sphere.radius[0]       = 0.25 * width;
    status                 = mn_shape_create(c, &sphere, &ball.shape);
    if (status == MN_OK) status = mn_world_add_obstacle(*out, &ball);
    mn_shape_release(&ball.shape);

    mn_thin_mesh mesh  = { .vertex_count = 0 };
    mn_cloth_def cloth = { .outline = MN_CLOTH_RECTANGLE, .size = { width, width }, .spacing = spacing };
    if (status == MN_OK) status = mn_cloth_generate(c, &cloth, &mesh);
    mn_fabric_def fabric = mn_fabric_def_default();
    fabric.mesh          = &mesh;
    fabric.at[1]         = 0.25 * width + 0.1;
    if (status == MN_OK) status = mn_world_add_fabric(*out, &fabric);
    mn_thin_mesh_free(c, &mesh);
    return status;
}

static void print_row(mn_context *c, mn_world *world, const bench_plan *plan, double wall, double cpu, double shared)
{
    const mn_fabric_view view = mn_world_fabric(world, 0);
    const mn_ledger      l    = mn_world_ledger(world);
    printf("%d,%lld,%lld,%.1f,%.1f,%.0f,%.1f,%.0f,%.0f,%.3f", plan->threads, (long long)view.position.count,
           (long long)view.triangle_count, 1e3 * wall / plan->steps, 1e3 * cpu / plan->steps,
           (double)view.triangle_count * plan->steps / wall, (double)l.solid_iterations / (double)l.steps,
           (double)mn_context_memory(c).bytes_peak / (double)view.triangle_count,
           (double)mn_context_memory(c).bytes_now / (double)view.triangle_count, shared / wall);
    for (int s = 0; s < mn_world_stage_count(); s++)
        printf(",%.2f", 1e3 * mn_world_stage_seconds(world, s, false) / plan->steps);
    printf(",%.3g,%016llx\n", l.time, (unsigned long long)mn_world_hash(world));
    fflush(stdout);
}

static mn_status run(const bench_plan *plan)
{
    mn_context_def context = mn_context_def_default();
    context.threads        = plan->threads;
    mn_context *c          = NULL;
    mn_world   *world      = NULL;
    mn_status   status     = mn_context_create(&context, &c);
    if (status == MN_OK) status = build_drape(c, plan->side, &world);
    for (int k = 0; k < plan->warm && status == MN_OK; k++) status = mn_world_step(world, 1e9);
    if (status == MN_OK) {
        mn_world_end_frame(world);
        for (int s = 0; s < mn_world_stage_count(); s++) mn_world_stage_seconds(world, s, true);
        const double wall = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        const double shared = mn_pool_shared_seconds(mn_context_pool(c));
        for (int k = 0; k < plan->steps && status == MN_OK; k++) status = mn_world_step(world, 1e9);
        if (status == MN_OK)
            print_row(c, world, plan, seconds_of(CLOCK_MONOTONIC) - wall, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu,
                      mn_pool_shared_seconds(mn_context_pool(c)) - shared);
    }
    if (status != MN_OK)
        fprintf(stderr, "bench_fabric: %s\n", c != NULL ? mn_context_error(c) : mn_status_text(status));
    mn_world_destroy(&world);
    mn_context_destroy(&c);
    return status;
}

int main(int argc, char **argv)
{
    const int  threads = argc > 1 ? atoi(argv[1]) : 0;
    bench_plan plan    = { .steps = argc > 2 ? atoi(argv[2]) : 20, .warm = argc > 3 ? atoi(argv[3]) : 20 };
    printf("threads,vertices,triangles,wall_ms,cpu_ms,elements_per_second,iterations,bytes_peak,bytes_now,shared");
    for (int s = 0; s < mn_world_stage_count(); s++) printf(",%s_ms", mn_world_stage_name(s));
    printf(",time,hash\n");
    const char *const usual[] = { "", "", "", "", "71", "224" };
    const int         sizes   = argc > 4 ? argc - 4 : 2;
    char *const      *size    = argc > 4 ? argv + 4 : (char *const *)(uintptr_t)(usual + 4);
    for (int k = 0; k < sizes; k++)
        for (plan.threads = threads > 0 ? threads : 1; plan.threads <= (threads > 0 ? threads : 2); plan.threads++) {
            plan.side = atoi(size[k]);
            if (run(&plan) != MN_OK) return 1;
        }
    return 0;
}
