// SPDX-License-Identifier: MPL-2.0
// app/check.c - `meniscus check`: a scene is read and its world built; then its size and a guess at its cost.
#include "app.h"

#include <math.h>
#include <stdlib.h>

// Measured on the scenes of scenes/liquid, from 2e4 to 2e6 particles: time within a factor of 2.3, memory of 1.6.
// Liquid that splashes asks for cells around its surface, so that their number grows as the surface of the first ones
// does.
#define SECONDS_PER_PARTICLE_STEP 4.5e-7
#define SECONDS_PER_CELL_STEP     2e-7
#define BYTES_PER_PARTICLE        280.0
#define BYTES_PER_CELL            200.0
#define CELLS_PER_SURFACE         400.0
#define FILLED_BY_STREAMS         0.1  // of their cells
// Measured on sheets of a thousand vertices that drape, hang and lie on one another: 33 to 170 microseconds.
#define SECONDS_PER_VERTEX_STEP 1e-4
#define BYTES_PER_VERTEX        2000.0  // of a world of cloth as built, mesh included: 62 310 vertices
#define BYTES_OF_PROGRAM        1.2e7
// Measured on absorption, adsorption and ink-on-cotton of scenes/stain: 0.5 to 0.8 microseconds; half as much while
// little of a cloth is wet.
#define SECONDS_PER_STAINED_VERTEX_STEP 7e-7
#define BYTES_PER_STAINED_VERTEX        3000.0  // 2500 and 3900

typedef struct grid_size {
    int64_t wet_cells, tiles;
} grid_size;

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
    const double x[3] = { q->position.x[i], q->position.y[i], flat ? 0.0 : q->position.z[i] };
    int64_t      key  = 0;
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

static double length3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// A speed the liquid will hardly exceed: what it starts with and what falling to the floor of the domain adds.
static double likely_speed(const mn_liquid_view *q, const mn_supply *supply, const mn_domain_def *domain)
{
    const double *up_axis[3] = { q->position.x, q->position.y, q->position.z };
    const double *height     = up_axis[domain->up];
    double        fastest2 = supply->speed * supply->speed, top = supply->height, bottom = supply->height;
    for (int64_t i = 0; i < q->count; i++) {
        const double vx = q->velocity.x[i], vy = q->velocity.y[i], vz = q->velocity.z[i];
        fastest2 = fmax(fastest2, vx * vx + vy * vy + vz * vz);
        top      = fmax(top, height[i]);
        bottom   = isfinite(bottom) ? fmin(bottom, height[i]) : height[i];
    }
    if (!isfinite(top)) return 0.0;  // neither liquid nor source
    if (domain->bounded) bottom = fmin(bottom, domain->bounds[0][domain->up]);
    return sqrt(fastest2 + 2.0 * length3(domain->gravity) * (top - bottom));
}

/// The length of a step that the limits of (E9) in docs/models/liquid.md leave.
static double likely_step(const mn_domain_def *domain, const mn_time_def *time, double speed)
{
    const double gravity = length3(domain->gravity);
    double       dt      = fmin(time->dt_max, 1.0 / time->frame_rate);
    if (speed > 0.0) dt = fmin(dt, time->cfl * domain->cell / speed);
    if (gravity > 0.0) dt = fmin(dt, 0.3 * sqrt(domain->cell / gravity));
    return dt;
}

/// What the films of stains take until the end, and the shortest of their steps.
typedef struct film_cost {
    double vertices, seconds, shortest;
} film_cost;

static film_cost cost_of_films(const mn_world *world, double end)
{
    film_cost out = { .shortest = INFINITY };
    for (int k = 0; k < mn_world_stain_count(world); k++) {
        const mn_stain_view s = mn_world_stain(world, k);
        out.vertices += (double)s.vertex_count;
        if (s.step <= 0.0) continue;
        out.seconds += (double)s.vertex_count * ceil(end / s.step) * SECONDS_PER_STAINED_VERTEX_STEP;
        out.shortest = fmin(out.shortest, s.step);
    }
    return out;
}

typedef struct cost {
    double bytes, seconds_per_step;
} cost;

/// Of `particles` in `cells`, both at their most.
static cost cost_of_liquid(double particles, double cells)
{
    const double around = CELLS_PER_SURFACE * pow(cells, 2.0 / 3.0);
    return (cost){ .bytes            = particles * BYTES_PER_PARTICLE + around * BYTES_PER_CELL,
                   .seconds_per_step = particles * SECONDS_PER_PARTICLE_STEP + around * SECONDS_PER_CELL_STEP };
}

static int print_estimate(mn_context *context, const mn_scene *scene, mn_world *world)
{
    const mn_domain_def  domain = mn_scene_domain(scene);
    const mn_time_def    time   = mn_scene_time(scene);
    const mn_liquid_view liquid = mn_world_liquid(world);
    const mn_ledger      ledger = mn_world_ledger(world);
    const double         frames = ceil(time.end * time.frame_rate * (1.0 - 1e-12)),
                 end            = frames / time.frame_rate;  // as a run counts
    const mn_supply supply      = mn_world_supply(world, end);
    grid_size       grid;
    if (!measure_grid(&liquid, &domain, &grid)) {
        fprintf(stderr, "meniscus: %s\n", mn_status_text(MN_ERR_MEMORY));
        return APP_FAILED;
    }
    // Sources fill the world little by little: half of what they bring is there at a time.
    const double tile_cells = domain.dimension == 2 ? 64.0 : 512.0, vertices = (double)app_fabric_vertices(scene);
    const double per_cell = supply.volume > 0.0 ? supply.particles / supply.volume * pow(domain.cell, 3.0) : 1.0;
    const double cells = (double)grid.tiles * tile_cells, streams = supply.particles / (per_cell * FILLED_BY_STREAMS);
    const cost   most     = cost_of_liquid((double)liquid.count + supply.particles, cells + streams);
    const cost   mean     = cost_of_liquid((double)liquid.count + 0.5 * supply.particles, cells + 0.5 * streams);
    const film_cost films = cost_of_films(world, end);
    const double    dt    = fmin(films.shortest, likely_step(&domain, &time, likely_speed(&liquid, &supply, &domain)));
    const double    steps = frames * ceil(1.0 / (time.frame_rate * dt) - 1e-9);
    const int       threads = mn_context_threads(context);
    char            size[32], duration[32];
    app_format_bytes(BYTES_OF_PROGRAM + most.bytes + vertices * BYTES_PER_VERTEX +
                         films.vertices * BYTES_PER_STAINED_VERTEX,
                     size, sizeof size);
    app_format_duration((steps * (mean.seconds_per_step + vertices * SECONDS_PER_VERTEX_STEP) + films.seconds) /
                            threads,
                        duration, sizeof duration);

    printf("%s: good\n", mn_scene_name(scene));
    printf("grid         %dD, cell %.4g cm, %lld wet cells, %lld tiles\n", domain.dimension, domain.cell,
           (long long)grid.wet_cells, (long long)grid.tiles);
    if (liquid.count > 0 || mn_scene_fabric_count(scene) == 0)
        printf("liquid       %lld particles, %.6g cm^3\n", (long long)liquid.count, ledger.liquid_total);
    if (supply.volume > 0.0)
        printf("sources      about %.0f particles, %.6g cm^3 until the end\n", supply.particles, supply.volume);
    app_print_fabrics(scene);
    printf("time         %.4g s, %.0f frames\n", end, frames);
    printf("estimate     memory %s, %.0f steps, %s with %d thread%s\n", size, steps, duration, threads,
           threads == 1 ? "" : "s");
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
