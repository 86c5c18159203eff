// SPDX-License-Identifier: MPL-2.0
// A world small enough to run thousands of steps a second, with everything a run asks of a world and a scene: its state
// is chaotic, so that one wrong bit after a resume shows in every later hash.
#ifndef MN_TEST_FAKE_WORLD_H
#define MN_TEST_FAKE_WORLD_H

#include "base/hash.h"
#include "meniscus/run.h"
#include "world/state.h"

#include <string.h>

#define FAKE_FIELDS(X)                                             \
    X(double, 3, position, "cm", MN_FIELD_SAVED, "where it is")    \
    X(double, 3, velocity, "cm/s", MN_FIELD_SAVED, "how it moves") \
    X(double, 1, volume, "cm^3", MN_FIELD_SAVED, "how big it is")  \
    X(int64_t, 1, id, "-", MN_FIELD_SAVED, "its number")

typedef struct fake_drops {
#define X(type, n, name, unit, flags, help) type *name[n];
    FAKE_FIELDS(X)
#undef X
    int64_t count, capacity;
} fake_drops;

static const mn_field fake_fields[] = {
#define X(type, n, name, unit, flags, help) MN_FIELD(fake_drops, type, n, name, unit, flags, help),
    FAKE_FIELDS(X)
#undef X
};
static const mn_field_table fake_table = { "drops", fake_fields, 4 };

struct mn_world {
    mn_context     *context;
    uint64_t        identity;
    mn_world_def    def;
    fake_drops      drops;
    double          time;
    int64_t         steps, frame, frame_steps;
    mn_shape       *shape;
    bool            woven, dry;
    mn_state_block  block;
    mn_state_scalar scalars[4];
    int64_t         fail_at_step;  // not state: the step that ends badly, 0: none
};

struct mn_scene {
    mn_context   *context;
    mn_time_def   time;
    mn_output_def output;
    uint64_t      identity;
    bool          cannot_build;
    bool          moving;  // the obstacle moves
    bool          woven;   // the first drops are also the vertices of a fabric
    bool          dry;     // they count as no liquid
    int64_t       drop_count, fail_at_step;
    mn_shape     *shape;  // of the obstacle, may be NULL
};

mn_status mn_scene_build(mn_scene *scene, mn_world **out)
{
    if (scene->cannot_build) return mn_fail(scene->context, MN_ERR_SCENE, "fake.yaml:1:1: this scene cannot be built");
    mn_world *w = mn_alloc(scene->context, sizeof *w);
    if (w == NULL) return MN_ERR_MEMORY;
    w->context  = scene->context;
    w->identity = scene->identity;
    w->def      = (mn_world_def){
             .domain = { .dimension = 3, .cell = 0.5, .up = 1, .bounded = true, .bounds = { { 0, 0, 0 }, { 4, 4, 4 } } },
             .time   = scene->time
    };
    w->fail_at_step            = scene->fail_at_step;
    w->shape                   = scene->shape;
    w->woven                   = scene->woven;
    w->dry                     = scene->dry;
    w->def.solver.density_rate = scene->moving;  // where the fake keeps it
    if (mn_fields_reserve(w->context, &fake_table, &w->drops, 0, &w->drops.capacity, scene->drop_count) != MN_OK) {
        mn_world_destroy(&w);
        return MN_ERR_MEMORY;
    }
    w->drops.count = scene->drop_count;
    for (int64_t i = 0; i < w->drops.count; i++) {
        for (int k = 0; k < 3; k++) w->drops.position[k][i] = 0.1 + 0.8 * (double)((i * 7 + k * 3) % 97) / 97.0;
        w->drops.volume[0][i] = 0.001;
        w->drops.id[0][i]     = i;
    }
    *out = w;
    return MN_OK;
}

const char   *mn_scene_name(const mn_scene *s) { return (void)s, "fake \"scene\""; }
const char   *mn_scene_resolved(const mn_scene *s) { return (void)s, "format: 1\n"; }
uint64_t      mn_scene_identity(const mn_scene *s) { return s->identity; }
mn_time_def   mn_scene_time(const mn_scene *s) { return s->time; }
mn_output_def mn_scene_output(const mn_scene *s) { return s->output; }
mn_camera_def mn_scene_camera(const mn_scene *s)
{
    return (void)s, (mn_camera_def){ .angle = 0.6, .size = { 64, 36 } };
}

void mn_scene_liquid_colour(const mn_scene *s, double colour[3])
{
    (void)s;
    for (int a = 0; a < 3; a++) colour[a] = 0.5;
}

void mn_world_destroy(mn_world **world)
{
    if (*world == NULL) return;
    mn_fields_free((*world)->context, &fake_table, &(*world)->drops);
    mn_free((*world)->context, *world);
    *world = NULL;
}

/// Coupled logistic maps, with the step length in the state, and drops coming and going.
mn_status mn_world_step(mn_world *w, double until)
{
    if (w->fail_at_step > 0 && w->steps + 1 >= w->fail_at_step)
        return mn_fail(w->context, MN_ERR_SOLVE, "the fake reached its floor");
    fake_drops  *d      = &w->drops;
    const double wanted = 1e-3 + 4e-3 * d->position[0][0], left = until - w->time;
    const double dt = left / ceil(left / wanted * (1.0 - 1e-12));
    for (int64_t i = 0; i < d->count; i++) {
        const int64_t j = (i + 1) % d->count;
        for (int k = 0; k < 3; k++) {
            const double x    = 0.9 * d->position[k][i] + 0.1 * d->position[(k + 1) % 3][j];
            d->velocity[k][i] = (3.9 * x * (1.0 - x) - d->position[k][i]) / dt;
            d->position[k][i] = 3.9 * x * (1.0 - x);
        }
        d->volume[0][i] += 1e-9 * d->position[1][i];
    }
    if (w->steps % 17 == 3 && d->count > 5) d->count--;
    w->time = dt >= left * (1.0 - 1e-12) ? until : w->time + dt;
    w->steps++;
    w->frame_steps++;
    if (w->steps % 10 == 0) mn_log(w->context, MN_LOG_INFO, "tenth_step", "step %lld \"done\"", (long long)w->steps);
    return MN_OK;
}

double      mn_world_time(const mn_world *w) { return w->time; }
int64_t     mn_world_steps(const mn_world *w) { return w->steps; }
int64_t     mn_world_frame(const mn_world *w) { return w->frame; }
mn_context *mn_world_context(const mn_world *w) { return w->context; }
void mn_world_pressure(const mn_world *w, const double *const position[3], int stride, int64_t count, double *out)
{
    for (int64_t i = 0; i < count; i++) out[i] = w->time * position[1][i * stride];
}
const mn_world_def *mn_world_definition(const mn_world *w) { return &w->def; }
void                mn_world_end_frame(mn_world *w) { w->frame++, w->frame_steps = 0; }

uint64_t mn_world_hash(const mn_world *w)
{
    uint64_t h = mn_fields_hash(&fake_table, &w->drops, w->drops.count, MN_HASH_SEED);
    h          = mn_hash_bytes(h, &w->time, sizeof w->time);
    h          = mn_hash_bytes(h, &w->steps, sizeof w->steps);
    h          = mn_hash_bytes(h, &w->frame, sizeof w->frame);
    return mn_hash_bytes(h, &w->frame_steps, sizeof w->frame_steps);
}

mn_liquid_view mn_world_liquid(const mn_world *w)
{
    const fake_drops *d = &w->drops;
    return (mn_liquid_view){ .position = { d->position[0], d->position[1], d->position[2], d->count },
                             .velocity = { d->velocity[0], d->velocity[1], d->velocity[2], d->count },
                             .volume   = d->volume[0],
                             .id       = d->id[0],
                             .count    = d->count };
}

mn_ledger mn_world_ledger(const mn_world *w)
{
    return (mn_ledger){ .frame        = w->frame,
                        .time         = w->time,
                        .steps        = w->frame_steps,
                        .particles    = w->drops.count,
                        .momentum_x   = w->drops.velocity[0][0],
                        .dt_min       = 1e-3,
                        .dt_max       = 5e-3,
                        .liquid_total = 1.0 };
}

int         mn_world_probe_count(const mn_world *w) { return (void)w, 1; }
const char *mn_world_probe_name(const mn_world *w, int probe) { return (void)w, (void)probe, "front"; }
double      mn_world_probe_value(const mn_world *w, int probe) { return (void)probe, w->drops.position[2][1]; }
int         mn_world_stage_count(void) { return 2; }
const char *mn_world_stage_name(int stage) { return stage == 0 ? "gather" : "solve"; }
double mn_world_stage_seconds(mn_world *w, int stage, bool reset) { return (void)w, (void)reset, 0.25 * (stage + 1); }

void mn_world_state(mn_world *w, const mn_state_block **blocks, int *block_count, const mn_state_scalar **scalars,
                    int *scalar_count)
{
    w->block      = (mn_state_block){ .table    = &fake_table,
                                      .base     = &w->drops,
                                      .count    = &w->drops.count,
                                      .capacity = &w->drops.capacity,
                                      .varies   = true };
    w->scalars[0] = (mn_state_scalar){ "time", MN_TYPE_double, &w->time };
    w->scalars[1] = (mn_state_scalar){ "steps", MN_TYPE_int64_t, &w->steps };
    w->scalars[2] = (mn_state_scalar){ "frame", MN_TYPE_int64_t, &w->frame };
    w->scalars[3] = (mn_state_scalar){ "frame_steps", MN_TYPE_int64_t, &w->frame_steps };
    *blocks = &w->block, *block_count = 1;
    *scalars = w->scalars, *scalar_count = 4;
}

void mn_world_layouts(mn_world *w, const mn_state_layout **layouts, int *count)
{
    (void)w;
    *layouts = NULL, *count = 0;
}
uint64_t  mn_world_identity(const mn_world *w) { return w->identity; }
mn_status mn_world_state_loaded(mn_world *w) { return (void)w, MN_OK; }
void      mn_world_release_spare(mn_world *w) { (void)w; }

void mn_world_release_scratch(mn_world *w) { (void)w; }

mn_status mn_world_undo(mn_world *w) { return (void)w, MN_OK; }

mn_grid_def mn_world_grid(const mn_world *w)
{
    return (mn_grid_def){ .dimension = 3, .cell = w->def.domain.cell, .depth = w->def.domain.cell };
}
void mn_world_view_box(const mn_world *w, mn_world_box *box) { (void)w, (void)box; }
int  mn_world_solid_count(const mn_world *w) { return w->shape != NULL; }
void mn_world_solids(const mn_world *w, double t, mn_solid *out)
{
    (void)t;
    if (w->shape != NULL)
        out[0] = (mn_solid){ .shape = w->shape, .pose = mn_world_obstacle_pose(w, 0), .moving = true };
}

bool mn_world_has_liquid(const mn_world *w) { return !w->dry; }
int  mn_world_stain_count(const mn_world *w)
{
    (void)w;
    return 0;
}

mn_stain_view mn_world_stain(const mn_world *w, int stain)
{
    (void)w, (void)stain;
    return (mn_stain_view){ .name = "" };
}

mn_status mn_world_stain_positions(const mn_world *w, int stain, double (*out)[3])
{
    (void)w, (void)stain, (void)out;
    return MN_OK;
}

int mn_world_fabric_count(const mn_world *w) { return w->woven ? 1 : 0; }

/// A triangle and a yarn of three vertices.
mn_fabric_view mn_world_fabric(const mn_world *w, int k)
{
    (void)k;
    static const int32_t triangle[1][3] = { { 0, 1, 2 } }, strand[] = { 2, 3, 4 };
    static const int64_t start[]  = { 0, 3 };
    static const uint8_t closed[] = { 0 };
    static const double  radius[] = { 0.05 };
    const fake_drops    *d        = &w->drops;
    return (mn_fabric_view){ .name           = "patch",
                             .position       = { d->position[0], d->position[1], d->position[2], 5 },
                             .velocity       = { d->velocity[0], d->velocity[1], d->velocity[2], 5 },
                             .triangle_count = 1,
                             .triangle       = triangle,
                             .strand_count   = 1,
                             .strand_start   = start,
                             .strand_vertex  = strand,
                             .strand_closed  = closed,
                             .strand_radius  = radius };
}

int             mn_world_obstacle_count(const mn_world *w) { return w->shape != NULL; }
const mn_shape *mn_world_obstacle_shape(const mn_world *w, int k) { return (void)k, w->shape; }
const char     *mn_world_obstacle_name(const mn_world *w, int k) { return (void)w, (void)k, "ball"; }
mn_pose         mn_world_obstacle_pose(const mn_world *w, int k)
{
    (void)k;
    const double moved = w->def.solver.density_rate != 0.0 && w->time > 0.1 ? w->time - 0.1 : 0.0;
    return (mn_pose){ .rotation = mn_mat3_identity(), .translation = { moved, 0, 0 } };
}

#endif
