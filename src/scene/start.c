// SPDX-License-Identifier: MPL-2.0
// scene/start.c - what will go badly in a world as it starts.
#include "scene/start.h"

#include "base/context.h"
#include "base/memory.h"
#include "geom/shape.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>

/// Fabric may start this deep in a solid, in cells: it is pushed out gently. Chords of a coarse one around something
/// round are deeper.
#define DEEP       0.1
#define DEEP_CHORD 0.25
/// Distances that are asked of one fabric to all obstacles; of a larger one every n-th point is.
#define ASKED 2000000
/// Points along each side of a fill's box, to see how much of it is inside obstacles.
#define SAMPLES 24
/// Share of a fill inside obstacles that is hardly meant.
#define MOST 0.5

typedef struct look {
    mn_context          *context;
    const mn_scene_data *data;
    const mn_node       *root;
    const mn_world      *world;
} look;

/// "file:line:column" of a thing.
#define PLACE_BYTES 1100
static const char *place_of(const look *l, const char *key, int which, char out[PLACE_BYTES])
{
    const mn_place p = mn_node_find(l->root, key)->keys[which]->place;
    snprintf(out, PLACE_BYTES, "%.1024s:%d:%d", p.text->name, p.line, p.column);
    return out;
}

// ---- fabric --------------------------------------------------------------------------------------------------------

/// How a fabric stands to one solid.
typedef struct overlap {
    int64_t vertices, chords;  // points that are too deep: vertices, middles of triangles
    double  depth;
} overlap;

typedef double depth_fn(const look *l, int which, mn_vec3 x);

static double depth_in_obstacle(const look *l, int which, mn_vec3 x)
{
    const mn_pose   pose  = mn_world_obstacle_pose(l->world, which);
    const mn_shape *shape = mn_world_obstacle_shape(l->world, which);
    const mn_vec3   rest  = mn_pose_rest(&pose, x);
    return mn_shape_signed_bound(shape, rest) < 0.0 ? -mn_shape_at(shape, rest) : 0.0;
}

static double depth_beyond_walls(const look *l, int which, mn_vec3 x)
{
    const mn_domain_def *d     = &l->data->domain;
    double               depth = 0.0;
    (void)which;
    for (int a = 0; d->bounded && a < d->dimension; a++)
        if (d->boundary[a] == MN_BOUNDARY_WALL)
            depth = fmax(depth, fmax(d->bounds[0][a] - mn_get3(x, a), mn_get3(x, a) - d->bounds[1][a]));
    return depth;
}

static mn_vec3 vertex(const mn_fabric_view *v, int64_t i)
{
    return mn_v3(v->position.x[i], v->position.y[i], v->position.z[i]);
}

/// `held` are vertices that pins hold: where they are is as meant.
static overlap overlap_of(const look *l, const mn_fabric_view *v, const bool *held, depth_fn *depth_at, int which,
                          int64_t stride)
{
    const double cell = l->data->domain.cell;
    overlap      o    = { .depth = 0.0 };
    for (int64_t i = 0; i < v->position.count; i += stride) {
        const double depth = held[i] ? 0.0 : depth_at(l, which, vertex(v, i));
        o.vertices += depth > DEEP * cell;
        o.depth = fmax(o.depth, depth);
    }
    for (int64_t t = 0; t < v->triangle_count; t += stride) {
        const int32_t *c = v->triangle[t];
        if (held[c[0]] && held[c[1]] && held[c[2]]) continue;
        const mn_vec3 sum   = mn_add3(vertex(v, c[0]), mn_add3(vertex(v, c[1]), vertex(v, c[2])));
        const double  depth = depth_at(l, which, mn_scale3(1.0 / 3.0, sum));
        o.chords += depth > DEEP_CHORD * cell;
        o.depth = fmax(o.depth, depth);
    }
    return o;
}

static void say_overlap(const look *l, int which, const mn_fabric_def *f, const overlap *o, const char *event,
                        const char *where)
{
    char place[PLACE_BYTES];
    if (o->vertices + o->chords == 0) return;
    mn_log(l->context, MN_LOG_WARNING, event,
           "%s: warning: fabric '%s' starts %s, up to %.3g cm (%.2g cells) deep: it is thrown out in the first steps, "
           "or stays caught. Move one of them",
           place_of(l, "fabrics", which, place), f->name, where, o->depth, o->depth / l->data->domain.cell);
}

static void mark_held(const mn_fabric_def *f, bool *held)
{
    for (int p = 0; p < f->pin_count; p++) {
        const mn_vertex_group *g = mn_thin_find_group(f->mesh, f->pins[p].group);
        for (int64_t k = 0; g != NULL && k < g->count; k++) held[g->vertex[k]] = true;
    }
}

static mn_status look_at_fabric(const look *l, int which)
{
    const mn_fabric_entry *entry     = (const mn_fabric_entry *)l->data->fabrics.items + which;
    const mn_fabric_def   *f         = &entry->def;
    const mn_fabric_view   view      = mn_world_fabric(l->world, which);
    const int              obstacles = mn_world_obstacle_count(l->world);
    const double           asked     = ((double)view.position.count + (double)view.triangle_count) * (obstacles + 1.0);
    const int64_t          stride    = 1 + (int64_t)(asked / ASKED);
    bool                  *held      = mn_alloc_array(l->context, bool, view.position.count);
    if (held == NULL) return MN_ERR_MEMORY;
    mark_held(f, held);
    const overlap beyond = overlap_of(l, &view, held, depth_beyond_walls, 0, stride);
    say_overlap(l, which, f, &beyond, "start_fabric_in_wall", "beyond a wall of the domain");
    for (int k = 0; k < obstacles; k++) {
        char          where[MN_NAME_BYTES + 32];
        const overlap o = overlap_of(l, &view, held, depth_in_obstacle, k, stride);
        snprintf(where, sizeof where, "inside obstacle '%s'", mn_world_obstacle_name(l->world, k));
        say_overlap(l, which, f, &o, "start_fabric_in_obstacle", where);
    }
    mn_free(l->context, held);
    return MN_OK;
}

// ---- liquid --------------------------------------------------------------------------------------------------------

static bool is_in_obstacle(const look *l, mn_vec3 x)
{
    for (int k = 0; k < mn_world_obstacle_count(l->world); k++)
        if (depth_in_obstacle(l, k, x) > 0.0) return true;
    return false;
}

/// Share of a shape, within the domain, that is inside obstacles. `low` and `high` bound it.
static double buried_share(const look *l, const mn_shape *shape, const mn_liquid_def *def, const double low[3],
                           const double high[3])
{
    const mn_domain_def *d      = &l->data->domain;
    const int            layers = d->dimension == 2 ? 1 : SAMPLES;
    int64_t              all = 0, buried = 0;
    for (int n = 0; n < SAMPLES * SAMPLES * layers; n++) {
        const int step[3] = { n % SAMPLES, n / SAMPLES % SAMPLES, n / (SAMPLES * SAMPLES) };
        double    x[3];
        for (int a = 0; a < 3; a++) x[a] = low[a] + (high[a] - low[a]) * (step[a] + 0.5) / SAMPLES;
        if (d->dimension == 2) x[2] = 0.0;
        if (x[d->up] > def->below || mn_shape_at(shape, mn_v3_from(x)) > 0.0) continue;
        all++;
        buried += is_in_obstacle(l, mn_v3_from(x));
    }
    return all > 0 ? (double)buried / (double)all : 0.0;
}

/// The smallest width of a fill, and of a source that across its stream.
static double width_of(const look *l, const mn_liquid_def *def, const double low[3], const double high[3])
{
    const int dim      = l->data->domain.dimension;
    double    width[3] = { high[0] - low[0], high[1] - low[1], dim == 3 ? high[2] - low[2] : INFINITY };
    for (int a = 0; a < 3; a++)  // three numbers, in order
        for (int b = 0; b < 2; b++)
            if (width[b] > width[b + 1]) {
                const double swap = width[b];
                width[b] = width[b + 1], width[b + 1] = swap;
            }
    if (def->role == MN_LIQUID_FILL) return width[0];
    const double speed   = mn_norm3(mn_v3_from(def->velocity));
    const double section = def->rate > 0.0 && speed > 0.0 ? def->rate / speed : INFINITY;  // it narrows to this
    return fmin(width[1], dim == 3 ? 2.0 * sqrt(section / MN_PI) : section);
}

static void say_liquid(const look *l, int which, const mn_liquid_def *def, const mn_shape *shape)
{
    const mn_domain_def *d = &l->data->domain;
    char                 place[PLACE_BYTES];
    double               low[3], high[3];
    mn_shape_bounds(shape, low, high);
    const double width = width_of(l, def, low, high);
    if (width < d->cell * (1.0 - 1e-9))
        mn_log(l->context, MN_LOG_WARNING, "start_liquid_too_small",
               "%s: warning: liquid '%s' is %.3g cm wide, %.2g cells: what is smaller than a cell flies as single "
               "particles, without pressure, and may pass through fabric. Use cells of %.3g cm or less",
               place_of(l, "liquids", which, place), def->name, width, width / d->cell, 0.5 * width);
    if (def->role != MN_LIQUID_FILL) return;
    for (int a = 0; a < d->dimension && d->bounded; a++) {
        low[a]  = fmax(low[a], d->bounds[0][a]);
        high[a] = fmin(high[a], d->bounds[1][a]);
    }
    for (int a = 0; a < d->dimension; a++)
        if (!(isfinite(low[a]) && low[a] < high[a])) return;
    const double share = buried_share(l, shape, def, low, high);
    if (share > MOST && share < 1.0)  // of a fill of nothing the world has spoken: fill_empty
        mn_log(l->context, MN_LOG_WARNING, "start_liquid_in_obstacle",
               "%s: warning: %.0f %% of what liquid '%s' fills is inside obstacles, where there is none. Move one of "
               "them",
               place_of(l, "liquids", which, place), 100.0 * share, def->name);
}

static mn_status look_at_liquid(const look *l, int which)
{
    const mn_liquid_def *def = (const mn_liquid_def *)l->data->liquids.items + which;
    if (def->shape == NULL || def->role == MN_LIQUID_SINK) return MN_OK;
    mn_shape *placed = NULL;
    MN_TRY(mn_shape_placed(l->context, def->shape, def->axis, def->angle, def->at, &placed));
    say_liquid(l, which, def, placed);
    mn_shape_release(&placed);
    return MN_OK;
}

mn_status mn_scene_look_at_start(mn_context *context, const mn_scene_data *data, const mn_node *root,
                                 const mn_world *world)
{
    const look l = { context, data, root, world };
    for (int k = 0; k < data->fabrics.count; k++) {
        MN_TRY(mn_check_interrupt(context, "the making of the world"));
        MN_TRY(look_at_fabric(&l, k));
    }
    for (int k = 0; k < data->liquids.count; k++) {
        MN_TRY(mn_check_interrupt(context, "the making of the world"));
        MN_TRY(look_at_liquid(&l, k));
    }
    return MN_OK;
}
