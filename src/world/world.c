// SPDX-License-Identifier: MPL-2.0
// world/world.c - making a world and putting things into it.
#include "world/matter.h"

#include "base/hash.h"
#include "base/timer.h"
#include "couple/fabric_stain.h"
#include "couple/soak.h"
#include "geom/shape.h"

#include <stdio.h>
#include <string.h>

mn_world_def mn_world_def_default(void)
{
    return (mn_world_def){
        .domain = { .dimension = 3, .cell = 0.5, .gravity = { 0.0, -981.0, 0.0 }, .up = 1 },
        .time   = { .end = 1.0, .frame_rate = 60.0, .dt_max = 1.0 / 60.0, .dt_min = 1e-8, .cfl = 1.0, .seed = 1 },
        .solver = { .pressure_tolerance  = 1e-6,
                    .pressure_iterations = 200,
                    .viscosity_tolerance = 1e-8,
                    .density_rate        = 0.2,
                    .density_tolerance   = 1e-4,
                    .solid_tolerance     = 1e-3,
                    .solid_iterations    = 2000,
                    .buoyancy            = true },
        .cookie = MN_DEF_COOKIE,
    };
}

mn_obstacle_def mn_obstacle_def_default(void)
{
    return (mn_obstacle_def){ .axis     = { 0.0, 1.0, 0.0 },
                              .motion   = mn_motion_def_default(),
                              .friction = -1.0,
                              .cookie   = MN_DEF_COOKIE };
}

mn_liquid_def mn_liquid_def_default(void)
{
    return (mn_liquid_def){ .material = { .name            = "water",
                                          .density         = 1.0,
                                          .viscosity       = 0.0089,
                                          .surface_tension = 72.8,
                                          .colour          = { 0.48, 0.81, 0.91 } },
                            .axis     = { 0.0, 1.0, 0.0 },
                            .motion   = mn_motion_def_default(),
                            .below    = INFINITY,
                            .sampling = MN_SAMPLING_JITTER,
                            .during   = { 0.0, INFINITY },
                            .cookie   = MN_DEF_COOKIE };
}

mn_probe_def mn_probe_def_default(void)
{
    return (mn_probe_def){ .normal = { 1.0, 0.0, 0.0 }, .above = 0.05, .cookie = MN_DEF_COOKIE };
}

_Static_assert(MN_TILE == MN_DOMAIN_TILE, "periods are whole numbers of tiles");

static mn_status check_world(mn_context *c, const mn_world_def *d)
{
    if (d->cookie != MN_DEF_COOKIE) return mn_fail(c, MN_ERR_ARGUMENT, "start from mn_world_def_default()");
    MN_TRY(mn_defs_check(c, &mn_section_domain, &d->domain, "domain."));
    MN_TRY(mn_defs_check(c, &mn_section_time, &d->time, "time."));
    MN_TRY(mn_defs_check(c, &mn_section_solver, &d->solver, "solver."));
    MN_TRY(mn_defs_check(c, &mn_section_wind, &d->wind, "wind."));
    const mn_misfit time = mn_time_misfit(&d->time), domain = mn_domain_misfit(&d->domain);
    MN_TRY(mn_misfit_fail(c, &time, "time: "));
    return mn_misfit_fail(c, &domain, "domain: ");
}

/// Cells between the first plane of tiles and the low end of the domain: as many as liquid asks for around it at a CFL
/// of 2, and one more at 1 (wish_of of liquid.c). A wall there shares a tile with the liquid it bears; on the plane
/// itself it would have a layer of tiles of its own, of which half is used: in the dam break a fourth of all cells.
#define CELLS_BEYOND 4.0

static void set_grid(mn_world *w)
{
    const mn_domain_def *d = &w->def.domain;
    w->grid = (mn_grid_def){ .dimension = d->dimension, .cell = d->cell, .depth = d->dimension == 2 ? 1.0 : d->cell };
    double low[3] = { 0.0, 0.0, 0.0 };
    for (int a = 0; a < 3 && d->bounded; a++)
        low[a] = d->bounds[0][a] - (d->boundary[a] == MN_BOUNDARY_PERIODIC ? 0.0 : CELLS_BEYOND * d->cell);
    w->grid.origin = mn_v3_from(low);
    if (d->dimension == 2) w->grid.origin.z = -0.5 * w->grid.depth;  // the plane z = 0, where shapes are cut
    double period[3] = { 0.0, 0.0, 0.0 };
    for (int a = 0; a < d->dimension; a++) {
        if (!d->bounded || d->boundary[a] != MN_BOUNDARY_PERIODIC) continue;
        w->grid.period[a] = (int32_t)lround((d->bounds[1][a] - d->bounds[0][a]) / (MN_TILE * d->cell));
        period[a]         = w->grid.period[a] * MN_TILE * d->cell;
    }
    if (d->dimension == 2) w->grid.period[2] = 1;
    w->period = mn_v3_from(period);
}

/// Half spaces outside the bounds, on the sides that are walls.
static mn_status make_walls(mn_world *w)
{
    const mn_domain_def *d = &w->def.domain;
    for (int a = 0; a < d->dimension; a++) {
        if (!d->bounded || d->boundary[a] != MN_BOUNDARY_WALL) continue;
        for (int side = 0; side < 2; side++) {
            mn_shape_def plane = mn_shape_def_default(MN_SHAPE_PLANE);
            for (int b = 0; b < 3; b++) plane.center[b] = plane.axis[b] = 0.0;
            plane.center[a] = d->bounds[side][a];
            plane.axis[a]   = side == 0 ? 1.0 : -1.0;
            MN_TRY(mn_shape_create(w->context, &plane, &w->walls[w->wall_count]));
            w->wall_count++;
        }
    }
    return MN_OK;
}

mn_status mn_world_create(mn_context *c, const mn_world_def *def, mn_world **out)
{
    *out = NULL;
    MN_TRY(check_world(c, def));
    mn_world *w = mn_alloc(c, sizeof *w);
    if (w == NULL) return MN_ERR_MEMORY;
    w->context      = c;
    w->def          = *def;
    w->now.dt_limit = def->time.dt_max;
    w->frame_clock  = mn_seconds();
    set_grid(w);
    mn_liquid_model model = { .grid    = w->grid,
                              .solver  = def->solver,
                              .gravity = mn_v3_from(def->domain.gravity),
                              .cfl     = def->time.cfl,
                              .seed    = def->time.seed };
    if (def->domain.dimension == 2) model.gravity.z = 0.0;
    mn_status status = make_walls(w);
    if (status == MN_OK) status = mn_arena_create(c, &w->arena);
    if (status == MN_OK) status = mn_liquid_create(c, &model, &w->liquid);
    const mn_fabric_model fabric = { .grid    = w->grid,
                                     .solver  = def->solver,
                                     .wind    = def->wind,
                                     .gravity = model.gravity,
                                     .cfl     = def->time.cfl,
                                     .seed    = def->time.seed };
    mn_fabric_init(c, &fabric, &w->fabric);
    mn_stains_init(c, mn_v3_from(def->domain.gravity), &w->stains);
    if (status == MN_OK) status = mn_world_reserve_blocks(w);
    if (status != MN_OK) mn_world_destroy(&w);
    *out = w;
    return status;
}

static const mn_field probe_fields[] = {
#define X(type, n, name, unit, flags, help) MN_FIELD(mn_probe_state, type, n, name, unit, flags, help),
    MN_PROBE_FIELDS(X)
#undef X
};
const mn_field_table mn_probe_table = { "probes", probe_fields, sizeof probe_fields / sizeof *probe_fields };

void mn_world_destroy(mn_world **world)
{
    mn_world *w = *world;
    if (w == NULL) return;
    mn_context *c = w->context;
    for (int64_t k = 0; k < w->obstacle_count; k++) {
        mn_shape_release(&w->obstacles[k].shape);
        mn_motion_destroy(c, &w->obstacles[k].motion);
    }
    for (int64_t k = 0; k < w->tap_count; k++) {
        mn_shape_release(&w->taps[k].shape);
        mn_shape_release(&w->taps[k].nozzle);
        mn_motion_destroy(c, &w->taps[k].motion);
    }
    for (int k = 0; k < w->wall_count; k++) mn_shape_release(&w->walls[k]);
    for (const mn_matter *const *m = mn_matters; *m != NULL; m++) (*m)->destroy(w);
    mn_free(c, w->blocks);
    mn_arena_destroy(&w->arena);
    mn_free(c, w->obstacles);
    mn_free(c, w->taps);
    mn_free(c, w);
    *world = NULL;
}

mn_status mn_world_check_addition(mn_world *w, const mn_section *section, const void *def, const char *front,
                                  uint32_t cookie)
{
    if (cookie != MN_DEF_COOKIE)
        return mn_fail(w->context, MN_ERR_ARGUMENT, "%sstart from its default function", front);
    if (w->started) return mn_fail(w->context, MN_ERR_STATE, "%sthings are added before the first step", front);
    return section == NULL ? MN_OK : mn_defs_check(w->context, section, def, front);
}

/// A motion about pivot + at; NULL when it stands still.
static mn_status make_motion(mn_context *c, const mn_motion_def *def, const double at[3], mn_motion **out)
{
    *out              = NULL;
    mn_motion_def own = *def;
    for (int a = 0; a < 3; a++) own.pivot[a] += at[a];
    MN_TRY(mn_motion_create(c, &own, out));
    if (mn_motion_is_still(*out)) mn_motion_destroy(c, out);
    return MN_OK;
}

mn_status mn_world_add_obstacle(mn_world *w, const mn_obstacle_def *def)
{
    char front[MN_FRONT_BYTES];
    snprintf(front, sizeof front, "obstacle '%s': ", def->name);
    MN_TRY(mn_world_check_addition(w, &mn_section_obstacle, def, front, def->cookie));
    if (def->shape == NULL) return mn_fail(w->context, MN_ERR_ARGUMENT, "obstacle '%s' needs a shape", def->name);
    MN_TRY(mn_array_reserve(w->context, &w->obstacles, &w->obstacle_capacity, w->obstacle_count + 1,
                            sizeof *w->obstacles));
    mn_world_obstacle o = { .wall = def->wall, .bounded = true, .friction = def->friction };
    snprintf(o.name, sizeof o.name, "%s", def->name);
    MN_TRY(mn_shape_placed(w->context, def->shape, def->axis, def->angle, def->at, &o.shape));
    const mn_status status = make_motion(w->context, &def->motion, def->at, &o.motion);
    if (status != MN_OK) {
        mn_shape_release(&o.shape);
        return status;
    }
    double box[2][3];
    mn_shape_bounds(o.shape, box[0], box[1]);
    for (int k = 0; k < 8; k++) {
        o.corner[k] = mn_v3(box[k & 1][0], box[k >> 1 & 1][1], box[k >> 2 & 1][2]);
        o.bounded   = o.bounded && isfinite(mn_norm3(o.corner[k]));
    }
    w->obstacles[w->obstacle_count++] = o;
    return MN_OK;
}

/// The liquid of a world is of one material and one lattice; the first one added settles both.
static mn_status settle_liquid(mn_world *w, const mn_liquid_def *def)
{
    mn_liquid_model *m   = &w->liquid.model;
    const int        dim = w->grid.dimension;
    // A number that is no whole power makes a lattice that does not fit the cells; it is as even, and jittered by
    // default.
    double per_axis = def->particles_per_cell == 0 ? 2.0
                      : dim == 3                   ? cbrt(def->particles_per_cell)
                                                   : sqrt(def->particles_per_cell);
    if (fabs(per_axis - round(per_axis)) < 1e-9) per_axis = round(per_axis);
    if (!mn_liquid_present(&w->liquid)) {
        m->material            = def->material;
        m->per_axis            = per_axis;
        m->reference_volume    = mn_cell_volume(&w->grid) / pow(per_axis, dim);
        w->fabric.model.liquid = def->material;
        return MN_OK;
    }
    if (m->material.density != def->material.density || m->material.viscosity != def->material.viscosity)
        return mn_fail(w->context, MN_ERR_ARGUMENT,
                       "liquid '%s' differs from the first one in density or viscosity; one world holds one liquid",
                       def->name);
    if (m->per_axis != per_axis)
        return mn_fail(w->context, MN_ERR_ARGUMENT,
                       "liquid '%s': particles_per_cell differs from that of the first liquid", def->name);
    return MN_OK;
}

static mn_status add_fill(mn_world *w, const mn_liquid_def *def, const mn_shape *shape, const double *concentration)
{
    const mn_domain_def *d      = &w->def.domain;
    double               low[3] = { -INFINITY, -INFINITY, -INFINITY }, high[3] = { INFINITY, INFINITY, INFINITY };
    if (shape != NULL) mn_shape_bounds(shape, low, high);
    for (int a = 0; a < 3; a++) {
        const bool crosses = low[a] < d->bounds[0][a] || high[a] > d->bounds[1][a];
        if (mn_get3(w->period, a) > 0.0 && crosses) low[a] = d->bounds[0][a], high[a] = d->bounds[1][a];  // images too
        if (d->bounded && a < d->dimension)
            low[a] = fmax(low[a], d->bounds[0][a]), high[a] = fmin(high[a], d->bounds[1][a]);
        if (d->dimension == 2 && a == 2) low[a] = -INFINITY, high[a] = INFINITY;
        else if (a == d->up) high[a] = fmin(high[a], def->below);
        if (a < d->dimension && !(isfinite(low[a]) && isfinite(high[a])))
            return mn_fail(w->context, MN_ERR_ARGUMENT,
                           "liquid '%s' would be filled without end along %c; give it a shape, or the domain bounds",
                           def->name, "xyz"[a]);
    }
    double cells = 1.0;
    for (int a = 0; a < d->dimension; a++) cells *= fmax(0.0, high[a] - low[a]) / w->grid.cell;
    if (cells > MN_CELLS_MOST)
        return mn_fail(w->context, MN_ERR_ARGUMENT,
                       "liquid '%s' would look for liquid in %.3g cells; at most 2^31 are possible. Use larger cells",
                       def->name, cells);
    MN_TRY(mn_arena_reset(w->arena));
    MN_TRY(mn_world_place_solids(w, 0.0));
    mn_liquid_fill fill = { .shape    = shape,
                            .low      = mn_v3_from(low),
                            .high     = mn_v3_from(high),
                            .period   = w->period,
                            .up       = d->up,
                            .below    = def->below,
                            .sampling = def->sampling,
                            .velocity = mn_v3_from(def->velocity),
                            .spin     = mn_v3_from(def->spin),
                            .center   = mn_v3_from(def->at),
                            .solids   = w->solids };
    memcpy(fill.concentration, concentration, sizeof fill.concentration);
    if (d->dimension == 2) fill.velocity.z = fill.spin.x = fill.spin.y = 0.0;  // nothing leaves the plane
    const int64_t first = w->now.next_id;
    MN_TRY(mn_liquid_fill_shape(&w->liquid, &fill, &w->now.next_id));
    if (w->now.next_id == first)
        mn_log(w->context, MN_LOG_WARNING, "fill_empty",
               "liquid '%s' makes no particle: what it fills is outside the bounds, inside obstacles, or smaller than "
               "a particle",
               def->name);
    return MN_OK;
}

static mn_status add_tap(mn_world *w, const mn_liquid_def *def, mn_shape *shape, const double *concentration)
{
    if (shape == NULL) return mn_fail(w->context, MN_ERR_ARGUMENT, "liquid '%s' needs a shape", def->name);
    MN_TRY(mn_array_reserve(w->context, &w->taps, &w->tap_capacity, w->tap_count + 1, sizeof *w->taps));
    mn_world_tap tap = { .sink  = def->role == MN_LIQUID_SINK,
                         .shape = shape,
                         .begin = def->during[0],
                         .end   = def->during[1] };
    snprintf(tap.name, sizeof tap.name, "%s", def->name);
    if (!tap.sink) {
        tap.stream = (mn_liquid_stream){ .shape    = shape,
                                         .velocity = mn_v3_from(def->velocity),
                                         .rate     = def->rate,
                                         .begin    = def->during[0],
                                         .end      = def->during[1] };
        memcpy(tap.stream.concentration, concentration, sizeof tap.stream.concentration);
        if (w->grid.dimension == 2) tap.stream.velocity.z = 0.0;
        MN_TRY(mn_liquid_stream_prepare(w->context, &w->liquid.model, def->name, &tap.stream));
    }
    MN_TRY(make_motion(w->context, &def->motion, def->at, &tap.motion));
    mn_status status = tap.sink ? MN_OK : mn_world_check_source(w, def->name, &tap.stream, tap.motion);
    if (status == MN_OK && !tap.sink && mn_liquid_holds(&w->liquid.model))
        status = mn_liquid_nozzle(w->context, &w->liquid.model, &tap.stream, &tap.nozzle);
    if (status != MN_OK) {
        mn_motion_destroy(w->context, &tap.motion);
        return status;
    }
    w->nozzle_count += tap.nozzle != NULL;
    w->taps[w->tap_count++] = tap;
    return MN_OK;
}

static bool is_wet(const mn_fabric *q)
{
    bool wet = false;
    for (int64_t v = 0; v < q->vertices.count; v++) wet = wet || q->vertices.held[0][v] > 0.0;
    return wet;
}

/// Fabric needs a domain of three dimensions that does not repeat, and a drag and a flow in its pores that are finite.
/// `adds_wet`: what is added is fabric that has liquid.
static mn_status check_company(mn_world *w, const char *name, bool adds_wet)
{
    if (w->fabric.piece_count == 0) return MN_OK;
    const mn_misfit domain = mn_fabric_domain_misfit(&w->def.domain);
    if (domain.key != NULL) return mn_fail(w->context, MN_ERR_SCENE, "'%s': %s", name, domain.sentence);
    const double viscosity = w->liquid.model.material.viscosity;
    const bool   wet       = adds_wet || (viscosity == 0.0 && is_wet(&w->fabric));
    for (int64_t k = 0; mn_liquid_present(&w->liquid) && k < w->fabric.piece_count; k++) {
        const mn_fabric_material *cloth = &w->fabric.pieces[k].cloth;
        const mn_misfit drag = mn_drag_misfit(cloth, viscosity), flow = mn_pores_misfit(cloth, viscosity, wet);
        if (drag.key != NULL) return mn_fail(w->context, MN_ERR_ARGUMENT, "'%s': %s", name, drag.sentence);
        if (flow.key != NULL) return mn_fail(w->context, MN_ERR_ARGUMENT, "'%s': %s", name, flow.sentence);
    }
    return MN_OK;
}

/// Liquid at the start: that of the particles and what fabric holds.
mn_status mn_world_count_liquid(mn_world *w)
{
    MN_TRY(mn_fabric_prepare(&w->fabric));
    w->now.liquid_initial = mn_liquid_sum(&w->liquid).volume + mn_fabric_sum(&w->fabric).held;
    mn_solutes_start(&w->solutes, &w->liquid, &w->fabric);
    return MN_OK;
}

static mn_status check_liquid(mn_world *w, const mn_liquid_def *def)
{
    char front[MN_FRONT_BYTES];
    snprintf(front, sizeof front, "liquid '%s': ", def->name);
    MN_TRY(mn_defs_check_kind(w->context, &mn_group_liquid, (int)def->role, front));
    MN_TRY(mn_world_check_addition(w, mn_group_liquid.kinds[def->role], def, front, def->cookie));
    if (def->role == MN_LIQUID_SINK) return MN_OK;
    return mn_defs_check(w->context, &mn_section_liquid_material, &def->material, front);
}

mn_status mn_world_add_liquid(mn_world *w, const mn_liquid_def *def)
{
    MN_TRY(check_liquid(w, def));
    mn_shape     *shape      = NULL;
    const bool    had_liquid = mn_liquid_present(&w->liquid);
    const int64_t count = mn_liquid_now(&w->liquid)->count, next_id = w->now.next_id;
    const int     solutes                         = w->solutes.count;
    double        concentration[MN_PIGMENTS_MOST] = { 0.0 };
    if (def->role != MN_LIQUID_SINK) MN_TRY(settle_liquid(w, def));
    const bool fill   = def->role == MN_LIQUID_FILL;
    mn_status  status = MN_OK;
    if (def->role != MN_LIQUID_SINK)
        status = mn_solutes_add(&w->solutes, &w->liquid, &w->fabric, def->name, &def->material.solutes, concentration);
    if (status == MN_OK) status = mn_world_reserve_blocks(w);
    if (status == MN_OK && def->shape != NULL)
        status = mn_shape_placed(w->context, def->shape, def->axis, def->angle, def->at, &shape);
    if (status == MN_OK && def->role != MN_LIQUID_SINK) status = check_company(w, def->name, false);
    if (status == MN_OK) status = fill ? add_fill(w, def, shape, concentration) : add_tap(w, def, shape, concentration);
    if (fill || status != MN_OK) mn_shape_release(&shape);
    if (status != MN_OK) {  // what could not be added leaves nothing behind
        if (!had_liquid) w->liquid.model.reference_volume = 0.0;
        mn_liquid_now(&w->liquid)->count = count;
        w->now.next_id                   = next_id;
        mn_solutes_forget(&w->solutes, &w->liquid, &w->fabric, solutes);
        return status;
    }
    MN_TRY(mn_world_count_liquid(w));
    return MN_OK;
}

mn_status mn_world_settle_wetness(mn_world *w)
{
    const mn_liquid_def water = mn_liquid_def_default();
    return mn_liquid_present(&w->liquid) ? MN_OK : settle_liquid(w, &water);
}

mn_status mn_world_add_fabric(mn_world *w, const mn_fabric_def *def)
{
    char front[MN_FRONT_BYTES];
    snprintf(front, sizeof front, "fabric '%s': ", def->name);
    MN_TRY(mn_world_check_addition(w, NULL, def, front, def->cookie));
    MN_TRY(mn_fabric_add(&w->fabric, def));
    mn_status status = check_company(w, def->name, def->saturation != NULL);
    if (status == MN_OK && def->saturation != NULL) status = mn_world_settle_wetness(w);
    if (status == MN_OK && def->saturation != NULL)
        status = mn_solutes_colour_pores(&w->solutes, &w->liquid, &w->fabric, w->fabric.piece_count - 1);
    if (status == MN_OK) status = mn_world_reserve_blocks(w);
    if (status == MN_OK) status = mn_world_count_liquid(w);
    if (status != MN_OK) {
        mn_fabric_remove_last(&w->fabric);
        return status;
    }
    w->liquid.spray_on_grid = true;
    return MN_OK;
}

/// A stain without film is in the pores of its fabric.
static mn_status soak_fabric(mn_world *w, const mn_stain_def *def)
{
    int64_t piece;
    MN_TRY(mn_solutes_check_soak(&w->fabric, def, &piece));
    MN_TRY(mn_world_settle_wetness(w));
    MN_TRY(mn_solutes_soak(&w->solutes, &w->liquid, &w->fabric, def, piece));
    MN_TRY(mn_world_reserve_blocks(w));
    return mn_world_count_liquid(w);
}

mn_status mn_world_add_stain(mn_world *w, const mn_stain_def *def)
{
    mn_stain_carrier on = { .number = -1 };
    char             front[MN_FRONT_BYTES];
    const mn_misfit  domain = mn_stain_domain_misfit(&w->def.domain);
    snprintf(front, sizeof front, "stain '%s': ", def->name);
    MN_TRY(mn_world_check_addition(w, NULL, def, front, def->cookie));
    if (domain.key != NULL) return mn_fail(w->context, MN_ERR_SCENE, "%s%s", front, domain.sentence);
    MN_TRY(mn_stains_check(w->context, def));
    if (def->in_fabric) return soak_fabric(w, def);
    if (def->on[0] != '\0') MN_TRY(mn_fabric_stain_find(&w->fabric, def, &on));
    MN_TRY(mn_arena_reset(w->arena));
    MN_TRY(mn_stains_add(&w->stains, def, &on, w->arena));
    const mn_status status = mn_world_reserve_blocks(w);
    if (status != MN_OK) mn_stains_remove_last(&w->stains);
    return status;
}

mn_status mn_world_add_probe(mn_world *w, const mn_probe_def *def)
{
    char front[MN_FRONT_BYTES];
    snprintf(front, sizeof front, "probe '%s': ", def->name);
    MN_TRY(mn_defs_check_kind(w->context, &mn_group_probe, (int)def->kind, front));
    MN_TRY(mn_world_check_addition(w, mn_group_probe.kinds[def->kind], def, front, def->cookie));
    int obstacle = -1;
    for (int64_t k = 0; k < w->obstacle_count; k++)
        if (strcmp(w->obstacles[k].name, def->of) == 0) obstacle = (int)k;
    if (def->kind == MN_PROBE_FORCE && obstacle < 0)
        return mn_fail(w->context, MN_ERR_ARGUMENT, "probe '%s': there is no obstacle '%s'", def->name, def->of);
    if (def->kind == MN_PROBE_VOLUME_IN && def->shape == NULL)
        return mn_fail(w->context, MN_ERR_ARGUMENT, "probe '%s' needs a shape", def->name);
    mn_world_probe added = { .def = *def, .obstacle = obstacle };
    if (mn_probe_is_of_fabric(def->kind)) MN_TRY(mn_world_find_fabric_probe(w, &added));
    MN_TRY(mn_array_reserve(w->context, &w->probes, &w->probe_capacity, w->probe_count + 1, sizeof *w->probes));
    MN_TRY(mn_fields_reserve(w->context, &mn_probe_table, &w->probe_state, w->probe_state.count,
                             &w->probe_state.capacity, w->probe_count + 1));
    mn_world_probe *p = &w->probes[w->probe_count++];
    *p                = added;
    const mn_vec3 n   = mn_unit3(mn_v3_from(def->normal), mn_v3(1.0, 0.0, 0.0));
    p->def.normal[0] = n.x, p->def.normal[1] = n.y, p->def.normal[2] = n.z;
    if (def->shape != NULL) mn_shape_retain(def->shape);
    w->probe_state.count = w->probe_count;
    mn_world_probes_end_frame(w);
    return MN_OK;
}

double              mn_world_time(const mn_world *w) { return w->now.time; }
int64_t             mn_world_steps(const mn_world *w) { return w->now.steps; }
int64_t             mn_world_frame(const mn_world *w) { return w->now.frame; }
mn_context         *mn_world_context(const mn_world *w) { return w->context; }
const mn_world_def *mn_world_definition(const mn_world *w) { return &w->def; }
mn_grid_def         mn_world_grid(const mn_world *w) { return w->grid; }
int                 mn_world_obstacle_count(const mn_world *w) { return (int)w->obstacle_count; }
const mn_shape     *mn_world_obstacle_shape(const mn_world *w, int k) { return w->obstacles[k].shape; }
mn_pose mn_world_obstacle_pose(const mn_world *w, int k) { return mn_motion_pose(w->obstacles[k].motion, w->now.time); }
const char *mn_world_obstacle_name(const mn_world *w, int k) { return w->obstacles[k].name; }

int mn_world_stage_count(void) { return MN_STAGE_COUNT; }

const char *mn_world_stage_name(int stage)
{
    static const char *const names[] = {
#define X(name, help) #name,
        MN_STAGES(X)
#undef X
    };
    return stage >= 0 && stage < MN_STAGE_COUNT ? names[stage] : "";
}

double mn_world_stage_seconds(mn_world *w, int stage, bool reset)
{
    const double seconds = w->stage_seconds[stage];
    if (reset) w->stage_seconds[stage] = 0.0;
    return seconds;
}

void mn_world_end_frame(mn_world *w)
{
    mn_world_scalars *n = &w->now;
    w->can_undo         = false;
    mn_world_probes_end_frame(w);
    n->frame++;
    n->frame_steps = n->frame_rejected = n->frame_pressure_iterations = n->frame_solid_iterations = 0;
    n->frame_dt_min = n->frame_dt_max = n->frame_divergence = 0.0;
    n->frame_begin                                          = n->time;
    w->frame_clock                                          = mn_seconds();
}
