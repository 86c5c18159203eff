// SPDX-License-Identifier: MPL-2.0
// app/check.c - `meniscus check`: a scene is read and its world built; then its size and a guess at its cost.
#include "app.h"

#include <math.h>
#include <stdlib.h>

// Measured on dam breaks of 10^5 particles, 8 to a cell, whose liquid spreads over three times its first tiles; they
// make an estimate, no more.
#define SECONDS_PER_PARTICLE_STEP 2.5e-6
// Measured on sheets of a thousand vertices that drape, hang and lie on one another: 33 to 170 microseconds.
#define SECONDS_PER_VERTEX_STEP 1e-4
#define BYTES_PER_VERTEX 2000.0      // of a world of cloth as built, mesh included: 62 310 vertices
#define BYTES_OF_PROGRAM 1.2e7
#define BYTES_PER_PARTICLE 1000.0
#define BYTES_PER_CELL 500.0

typedef struct grid_size { int64_t wet_cells, tiles; } grid_size;

static int compare_keys(const void *a, const void *b)
{
    const int64_t s = *(const int64_t *)a, t = *(const int64_t *)b;
    return (s > t) - (s < t);
}

static int64_t count_distinct(int64_t *keys, int64_t count)
{
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    int64_t distinct = 0;
    for (int64_t i = 0; i < count; i++) distinct += i == 0 || keys[i] != keys[i - 1];
    return distinct;
}

/// A key for the block of `width` cells that holds a particle: 21 bits an axis.
static int64_t block_key(const mn_liquid_view *q, int64_t i, double width, bool flat)
{
    const double  x[3] = { q->position.x[i], q->position.y[i], flat ? 0.0 : q->position.z[i] };
    int64_t       key  = 0;
    for (int axis = 0; axis < 3; axis++) key = key << 21 | ((int64_t)floor(x[axis] / width) & 0x1fffff);
    return key;
}

/// Cells that hold particles, and blocks of 8 cells a side around them. False without memory.
static bool measure_grid(const mn_liquid_view *q, const mn_domain_def *domain, grid_size *out)
{
    *out          = (grid_size){ 0, 0 };
    int64_t *keys = malloc(((size_t)q->count + 1) * sizeof *keys);
    if (keys == NULL) return false;
    const bool flat = domain->dimension == 2;
    for (int64_t i = 0; i < q->count; i++) keys[i] = block_key(q, i, domain->cell, flat);
    out->wet_cells = count_distinct(keys, q->count);
    for (int64_t i = 0; i < q->count; i++) keys[i] = block_key(q, i, 8.0 * domain->cell, flat);
    out->tiles = count_distinct(keys, q->count);
    free(keys);
    return true;
}

static double length3(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/// A speed the liquid will hardly exceed: what it starts with and what falling to the floor of the domain adds.
static double likely_speed(const mn_liquid_view *q, const mn_domain_def *domain)
{
    const double *up_axis[3] = { q->position.x, q->position.y, q->position.z };
    const double *height     = up_axis[domain->up];
    double        fastest2 = 0.0, top = 0.0, bottom = 0.0;
    for (int64_t i = 0; i < q->count; i++) {
        const double vx = q->velocity.x[i], vy = q->velocity.y[i], vz = q->velocity.z[i];
        fastest2 = fmax(fastest2, vx * vx + vy * vy + vz * vz);
        top      = i == 0 ? height[i] : fmax(top, height[i]);
        bottom   = i == 0 ? height[i] : fmin(bottom, height[i]);
    }
    if (domain->bounded) bottom = fmin(bottom, domain->bounds[0][domain->up]);
    return sqrt(fastest2 + 2.0 * length3(domain->gravity) * (top - bottom));
}

static int print_estimate(mn_context *context, const mn_scene *scene, mn_world *world)
{
    const mn_domain_def  domain = mn_scene_domain(scene);
    const mn_time_def    time   = mn_scene_time(scene);
    const mn_liquid_view liquid = mn_world_liquid(world);
    const mn_ledger      ledger = mn_world_ledger(world);
    grid_size            grid;
    if (!measure_grid(&liquid, &domain, &grid)) {
        fprintf(stderr, "meniscus: %s\n", mn_status_text(MN_ERR_MEMORY));
        return APP_FAILED;
    }
    const double tile_cells = domain.dimension == 2 ? 64.0 : 512.0;
    const double speed      = likely_speed(&liquid, &domain);
    const double frame      = 1.0 / time.frame_rate;
    const double gravity    = length3(domain.gravity);
    double       dt         = fmin(time.dt_max, frame);
    if (speed > 0.0) dt = fmin(dt, time.cfl * domain.cell / speed);
    if (gravity > 0.0) dt = fmin(dt, 0.3 * sqrt(domain.cell / gravity));      // (E9) of docs/models/liquid.md
    const double frames = ceil(time.end * time.frame_rate - 1e-9), steps = frames * ceil(frame / dt - 1e-9);
    const double memory  = BYTES_OF_PROGRAM + (double)liquid.count * BYTES_PER_PARTICLE + 3.0 * (double)grid.tiles * tile_cells * BYTES_PER_CELL +
                           (double)app_fabric_vertices(scene) * BYTES_PER_VERTEX;
    const double seconds = steps *
                           ((double)liquid.count * SECONDS_PER_PARTICLE_STEP + (double)app_fabric_vertices(scene) * SECONDS_PER_VERTEX_STEP) /
                           mn_context_threads(context);
    char         size[32], duration[32];
    app_format_bytes(memory, size, sizeof size);
    app_format_duration(seconds, duration, sizeof duration);

    printf("%s: good\n", mn_scene_name(scene));
    printf("grid         %dD, cell %.4g cm, %lld wet cells, %lld tiles\n", domain.dimension, domain.cell,
           (long long)grid.wet_cells, (long long)grid.tiles);
    if (liquid.count > 0 || mn_scene_fabric_count(scene) == 0) {
        printf("liquid       %lld particles, %.6g cm^3\n", (long long)liquid.count, ledger.liquid_total);
    }
    app_print_fabrics(scene);
    printf("time         %.4g s, %.0f frames\n", time.end, frames);
    printf("estimate     memory %s, %.0f steps, %s with %d thread%s; sources not counted\n", size, steps, duration,
           mn_context_threads(context), mn_context_threads(context) == 1 ? "" : "s");
    return APP_DONE;
}

int app_check(const app_args *args)
{
    app_events  events;
    mn_context *context = app_context(args->threads, &events);
    if (context == NULL) return APP_FAILED;
    int       exit_status = APP_DONE;
    mn_world *world       = NULL;
    mn_scene *scene       = app_load_scene(context, args, &exit_status);
    if (scene != NULL) {
        const mn_status status = mn_scene_build(scene, &world);
        exit_status            = status == MN_OK ? print_estimate(context, scene, world) : app_fail(context, status);
    }
    mn_world_destroy(&world);
    mn_scene_destroy(&scene);
    app_print_events(&events);
    mn_context_destroy(&context);
    return exit_status;
}
