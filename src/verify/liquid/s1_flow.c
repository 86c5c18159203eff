// SPDX-License-Identifier: MPL-2.0
// verify/liquid/s1_flow.c - S1.4 Taylor-Green, S1.5 spinning blob, S1.10 flow in channels.
#include "grid/transfer.h"
#include "verify/liquid/s1.h"

#include <stdio.h>
#include <string.h>

/// Give every particle the velocity u(x) and its gradient.
typedef void velocity_fn(double x, double y, double u[2], double gradient[4], const void *context);

static void set_velocity(mn_world *w, velocity_fn *fn, const void *context)
{
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++) {
        double u[2], g[4];
        fn(p->position[0][i], p->position[1][i], u, g, context);
        p->velocity[0][i] = u[0], p->velocity[1][i] = u[1];
        p->affine[0][i] = g[0], p->affine[1][i] = g[1], p->affine[3][i] = g[2], p->affine[4][i] = g[3];
    }
}

static void taylor_green(double x, double y, double u[2], double g[4], const void *context)
{
    (void)context;
    u[0] = sin(x) * cos(y), u[1] = -cos(x) * sin(y);
    g[0] = cos(x) * cos(y), g[1] = -sin(x) * sin(y), g[2] = sin(x) * sin(y), g[3] = -cos(x) * cos(y);
}

#define VISCOUS      0.1   ///< St
#define VISCOUS_GOOD 0.01  ///< 64 cells: (2 pi / 64)^2 is 1 %

/// Angular momentum about the middle, 0 at the start, over the sum of |x| |u|.
static double angular_of(const mn_world *w)
{
    const mn_liquid_particles *p   = &w->liquid.particles[w->liquid.current];
    double                     sum = 0.0, scale = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double x = p->position[0][i] - MN_PI, y = p->position[1][i] - MN_PI, u = p->velocity[0][i],
                     v = p->velocity[1][i];
        sum += p->volume[0][i] * (x * v - y * u);
        scale += p->volume[0][i] * hypot(x, y) * hypot(u, v);
    }
    return sum / scale;
}

/// Largest vorticity of the particles; 2 at the start.
static double largest_vorticity(const mn_world *w)
{
    const mn_liquid_particles *p    = &w->liquid.particles[w->liquid.current];
    double                     most = 0.0;
    for (int64_t i = 0; i < p->count; i++) most = fmax(most, fabs(p->affine[3][i] - p->affine[1][i]));
    return most;
}

typedef struct vortex {
    double energy, vorticity;  // what is left after a second, as shares
    double angular;            // drift of the angular momentum about the middle, over sum |x| |u|
} vortex;

static mn_status run_vortex(mn_context *c, int seed, double viscosity, vortex *out)
{
    mn_tank   tank   = mn_tank_default(2, 2.0 * MN_PI / 64, 2.0 * MN_PI, 2.0 * MN_PI, 1.0, INFINITY);
    mn_world *w      = NULL;
    tank.gravity     = mn_v3(0.0, 0.0, 0.0);
    tank.cfl         = 0.5;
    tank.viscosity   = viscosity;
    tank.sampling    = seed == 0 ? MN_SAMPLING_LATTICE : MN_SAMPLING_JITTER;
    tank.seed        = (uint64_t)seed + 1;
    tank.boundary[0] = tank.boundary[1] = MN_BOUNDARY_PERIODIC;
    MN_TRY(mn_tank_world(c, &tank, &w));
    set_velocity(w, taylor_green, NULL);
    const double energy = mn_world_ledger(w).energy_kinetic, vorticity = largest_vorticity(w);
    mn_status    status = MN_OK;
    while (status == MN_OK && mn_world_time(w) < 1.0) status = mn_world_step(w, 1.0);
    if (status == MN_OK)
        *out = (vortex){ .energy    = mn_world_ledger(w).energy_kinetic / energy,
                         .vorticity = largest_vorticity(w) / vorticity,
                         .angular   = angular_of(w) };
    mn_world_destroy(&w);
    return status;
}

mn_status mn_s1_taylor_green(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    char   what[96];
    vortex v = { 0.0, 0.0, 0.0 };
    for (int seed = 0; seed <= (tier == MN_TIER_BUILD ? 1 : 5); seed++) {
        const char *name = seed == 0 ? "lattice" : "jitter";
        MN_TRY(run_vortex(c, seed, 0.0, &v));
        snprintf(what, sizeof what, "energy lost after 1 s, %s %d", name, seed);
        mn_verify_value(r, what, 1.0 - v.energy, 0.0, 1.0 - v.energy, 0.05, 0.15);
        snprintf(what, sizeof what, "largest vorticity lost after 1 s, %s %d", name, seed);
        mn_verify_value(r, what, 1.0 - v.vorticity, 0.0, 1.0 - v.vorticity, 0.05, 0.15);
        snprintf(what, sizeof what, "angular momentum that came, over sum m |x| |u|, %s %d", name, seed);
        mn_verify_value(r, what, v.angular, 0.0, v.angular, 0.05, 0.15);
    }
    MN_TRY(run_vortex(c, 0, VISCOUS, &v));
    const double left = exp(-4.0 * VISCOUS);
    // The bound of the inviscid run: 5 % of the energy.
    mn_verify_value(r, "energy left after 1 s with a viscosity of 0.1 St", v.energy, left, v.energy / left - 1.0,
                    VISCOUS_GOOD, 3.0 * VISCOUS_GOOD);
    return MN_OK;
}

// S1.5

typedef struct momenta {
    double linear[2], angular, scale;
} momenta;

/// Of the particles with their affine part: the exact angular momentum of APIC.
static momenta particle_momenta(const mn_liquid_particles *p, double cell)
{
    momenta m = { { 0.0, 0.0 }, 0.0, 0.0 };
    for (int64_t i = 0; i < p->count; i++) {
        const double v = p->volume[0][i], x = p->position[0][i], y = p->position[1][i], u = p->velocity[0][i],
                     w = p->velocity[1][i];
        m.linear[0] += v * u, m.linear[1] += v * w;
        const double orbit = x * w - y * u, spin = 0.25 * cell * cell * (p->affine[3][i] - p->affine[1][i]);
        m.angular += v * (orbit + spin);
        m.scale += v * (fabs(x * w) + fabs(y * u));
    }
    return m;
}

static momenta face_momenta(const mn_tiles *t, double *const momentum[3])
{
    momenta m = { { 0.0, 0.0 }, 0.0, 0.0 };
    for (int32_t tile = 1; tile < t->count; tile++)
        for (int32_t c = 0; c < t->cells; c++) {
            const int64_t i = (int64_t)tile * t->cells + c;
            const double  x = t->def.origin.x + (t->coord[tile].x * MN_TILE + c % MN_TILE) * t->def.cell;
            const double  y = t->def.origin.y + (t->coord[tile].y * MN_TILE + c / MN_TILE % MN_TILE) * t->def.cell;
            m.linear[0] += momentum[0][i], m.linear[1] += momentum[1][i];
            m.angular += x * momentum[1][i] - y * momentum[0][i] +
                         0.5 * t->def.cell * (momentum[1][i] - momentum[0][i]);
        }
    return m;
}

static mn_status blob_world(mn_context *c, int across, double density_rate, mn_extrapolation beyond, mn_world **out)
{
    mn_world_def def         = mn_world_def_default();
    def.domain.dimension     = 2;
    def.domain.cell          = 2.0 / across;
    def.domain.gravity[1]    = 0.0;
    def.time.dt_max          = 1.0;
    def.time.cfl             = 0.5;
    def.solver.density_rate  = density_rate;
    def.solver.extrapolation = beyond;
    *out                     = NULL;
    MN_TRY(mn_world_create(c, &def, out));
    mn_liquid_def liquid      = mn_liquid_def_default();
    mn_shape_def  disc        = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_status     status      = mn_shape_create(c, &disc, &liquid.shape);
    liquid.material.viscosity = 0.0;
    liquid.sampling           = MN_SAMPLING_LATTICE;
    liquid.spin[2]            = 2.0 * MN_PI;
    if (status == MN_OK) status = mn_world_add_liquid(*out, &liquid);
    mn_shape_release(&liquid.shape);
    if (status != MN_OK) mn_world_destroy(out);
    return status;
}

/// Momenta through one particle-to-grid-to-particle pair, relative to the angular momentum's own scale.
static mn_status pair_drift(mn_context *c, double *linear, double *angular)
{
    mn_world *w = NULL;
    MN_TRY(blob_world(c, 38, 0.2, MN_EXTRAPOLATION_LINEAR, &w));
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++)
        p->velocity[0][i] += 3.0 + sin(7.0 * (double)i), p->velocity[1][i] += cos(5.0 * (double)i);
    const momenta before = particle_momenta(p, w->grid.cell);
    mn_status     status = mn_arena_reset(w->arena);
    if (status == MN_OK) status = mn_world_place_solids(w, 0.0);
    if (status == MN_OK)
        status = mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 });
    mn_liquid_scratch *s = &w->liquid.grid;
    double            *weight[3];
    for (int k = 0; k < 3 && status == MN_OK; k++) {
        weight[k] = mn_arena_array(w->arena, double, (int64_t)s->tiles.count * s->tiles.cells);
        if (weight[k] == NULL) status = MN_ERR_MEMORY;
    }
    if (status == MN_OK) {
        p                    = mn_liquid_now(&w->liquid);
        mn_particle_arrays a = { .count = p->count, .volume = p->volume[0] };
        memcpy(a.position, p->position, sizeof a.position);
        memcpy(a.velocity, p->velocity, sizeof a.velocity);
        memcpy(a.affine, p->affine, sizeof a.affine);
        status             = mn_particles_to_faces(c, w->arena, &s->tiles, &s->bins, &a, weight, s->velocity);
        const momenta grid = face_momenta(&s->tiles, s->velocity);
        for (int k = 0; k < 2; k++)
            for (int64_t i = 0; i < (int64_t)s->tiles.count * s->tiles.cells; i++)
                if (weight[k][i] > 0.0) s->velocity[k][i] /= weight[k][i];
        mn_faces_to_particles(c, &s->tiles, &s->bins, (const double *const *)s->velocity, &a);
        const momenta after = particle_momenta(p, w->grid.cell);
        *linear             = fmax(fabs(grid.linear[0] - before.linear[0]), fabs(after.linear[0] - before.linear[0])) /
                  fabs(before.linear[0]);
        *angular = fmax(fabs(grid.angular - before.angular), fabs(after.angular - before.angular)) / before.scale;
    }
    mn_world_destroy(&w);
    return status;
}

/// Relative drift of L of the whole step over a tenth of a turn.
static mn_status blob_drift(mn_context *c, int across, double density_rate, mn_extrapolation beyond, double *drift)
{
    mn_world *w = NULL;
    MN_TRY(blob_world(c, across, density_rate, beyond, &w));
    const double before = particle_momenta(mn_liquid_now(&w->liquid), w->grid.cell).angular;
    mn_status    status = MN_OK;
    while (status == MN_OK && mn_world_time(w) < 0.1) status = mn_world_step(w, 0.1);
    *drift = particle_momenta(mn_liquid_now(&w->liquid), w->grid.cell).angular / before - 1.0;
    mn_world_destroy(&w);
    return status;
}

/// With the solver that a scene has unless it says otherwise: velocities are extended as constants beyond the surface.
/// A true FAIL, in the tiers that measure more than the tests do.
static mn_status usual_drift(mn_context *c, mn_verify_report *r)
{
    const mn_solver_def usual = mn_world_def_default().solver;
    char                what[128];
    for (int across = 38; across <= 76; across *= 2) {
        double drift;
        MN_TRY(blob_drift(c, across, usual.density_rate, usual.extrapolation, &drift));
        snprintf(what, sizeof what,
                 "drift of L per turn, %d cells across, solver as by default (extrapolation average)", across);
        mn_verify_value(r, what, 10.0 * drift, 0.0, 10.0 * drift, 1e-3 / 3.0, 1e-3);
    }
    return MN_OK;
}

mn_status mn_s1_spin(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    double linear = INFINITY, angular = INFINITY, drift[4];
    char   what[128];
    mn_verify_library(r, true);
    MN_TRY(pair_drift(c, &linear, &angular));
    mn_verify_at_most(r, "linear momentum, one transfer pair", linear, 1e-12, 1e-12);
    mn_verify_at_most(r, "angular momentum, one transfer pair", angular, 1e-12, 1e-12);
    mn_verify_library(r, false);
    // A tenth of a turn is run (liquid T13); the gate is per turn, so ten times the drift is judged, at 38 cells and
    // finer.
    const int grids = tier == MN_TIER_BUILD ? 2 : 4;
    if (tier != MN_TIER_BUILD) MN_TRY(usual_drift(c, r));
    for (int on = 0; on < 2; on++) {
        for (int g = 0; g < grids; g++) {
            MN_TRY(blob_drift(c, 19 << g, on ? 0.2 : 0.0, MN_EXTRAPOLATION_LINEAR, &drift[g]));
            snprintf(what, sizeof what, "drift of L per turn, %d cells across, extrapolation linear, correction %s",
                     19 << g, on ? "on" : "off");
            if (g > 0) mn_verify_value(r, what, 10.0 * drift[g], 0.0, 10.0 * drift[g], 1e-3 / 3.0, 1e-3);
        }
        snprintf(what, sizeof what, "order of the drift of L, 19 to %d cells, extrapolation linear, correction %s",
                 19 << (grids - 1), on ? "on" : "off");
        const double order = log2(fabs(drift[0] / drift[grids - 1])) / (grids - 1);
        if (grids > 2) mn_verify_at_least(r, what, order, 1.0, 0.7);
    }
    return MN_OK;
}

// S1.10

typedef struct channel_result {
    double largest, particles, faces;
} channel_result;

/// Largest error of the profile on the faces that the particles give.
static mn_status face_profile_error(mn_world *w, double *error)
{
    MN_TRY(mn_arena_reset(w->arena));
    MN_TRY(mn_world_place_solids(w, w->now.time));
    MN_TRY(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }));
    MN_TRY(mn_liquid_gather(&w->liquid, &(mn_step){ .arena = w->arena }));
    const mn_liquid_scratch *s = &w->liquid.grid;
    *error                     = 0.0;
    for (int32_t t = 1; t < s->tiles.count; t++)
        for (int32_t k = 0; k < s->tiles.cells; k++) {
            const int64_t i = (int64_t)t * s->tiles.cells + k;
            const double  y = s->tiles.def.origin.y +
                             (s->tiles.coord[t].y * MN_TILE + k / MN_TILE % MN_TILE + 0.5) * s->tiles.def.cell;
            if (s->wet[i]) *error = fmax(*error, fabs(s->velocity[0][i] - 4.0 * y * (1.0 - y)));
        }
    return MN_OK;
}

/// Plane Poiseuille flow: gap 1, mu 1, pressure gradient -8 as a body force; from rest until nothing changes any more.
static mn_status channel_error(mn_context *c, int cells, channel_result *out)
{
    mn_tank tank = mn_tank_default(2, 1.0 / cells, cells < 8 ? 1.0 : 8.0 / cells * ceil(0.5 * cells / 8.0), 1.0, 1.0,
                                   INFINITY);
    tank.boundary[0] = MN_BOUNDARY_PERIODIC;
    tank.wall        = MN_WALL_NO_SLIP;
    tank.viscosity   = 1.0;
    tank.gravity     = mn_v3(8.0, 0.0, 0.0);
    tank.tolerance   = 1e-8;
    mn_world *w      = NULL;
    MN_TRY(mn_tank_world(c, &tank, &w));
    mn_status status = MN_OK;
    while (status == MN_OK && mn_world_time(w) < 1.5) status = mn_world_step(w, 1.5);
    *out                         = (channel_result){ 0.0, 0.0, 0.0 };
    const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++) {
        const double y = p->position[1][i], exact = 4.0 * y * (1.0 - y);
        out->largest   = fmax(out->largest, p->velocity[0][i]);
        out->particles = fmax(out->particles, fabs(p->velocity[0][i] - exact));
    }
    if (status == MN_OK) status = face_profile_error(w, &out->faces);
    mn_world_destroy(&w);
    return status;
}

/// Plane Couette flow: gap 1 below a plate that moves at 1, from rest until nothing changes any more. The plate's
/// face lies 0.3 cells into a cell.
static mn_status couette_error(mn_context *c, int cells, double *error)
{
    const double    cell = 1.0 / cells, gap = 1.0 - 0.7 * cell;
    mn_world_def    def     = mn_world_def_default();
    mn_shape_def    box     = mn_shape_def_default(MN_SHAPE_BOX);
    mn_obstacle_def plate   = mn_obstacle_def_default();
    mn_liquid_def   syrup   = mn_liquid_def_default();
    mn_world       *w       = NULL;
    def.domain.dimension    = 2;
    def.domain.cell         = cell;
    def.domain.gravity[1]   = 0.0;
    def.domain.bounded      = true;
    def.domain.wall         = MN_WALL_NO_SLIP;
    def.domain.boundary[0]  = MN_BOUNDARY_PERIODIC;
    def.domain.bounds[1][0] = 8.0 * cell, def.domain.bounds[1][1] = 1.5, def.domain.bounds[1][2] = 1.0;
    def.time.dt_max = 1.0;
    MN_TRY(mn_world_create(c, &def, &w));
    box.size[0] = 40.0, box.size[1] = 4.0, box.size[2] = 4.0;
    plate.at[1]              = gap + 2.0;
    plate.wall               = MN_WALL_NO_SLIP;
    plate.motion.velocity[0] = 1.0;
    syrup.material.viscosity = 1.0;
    syrup.sampling           = MN_SAMPLING_LATTICE;
    mn_status status         = mn_shape_create(c, &box, &plate.shape);
    if (status == MN_OK) status = mn_world_add_obstacle(w, &plate);
    if (status == MN_OK) status = mn_world_add_liquid(w, &syrup);
    while (status == MN_OK && mn_world_time(w) < 1.5) status = mn_world_step(w, 1.5);
    const mn_liquid_view v = mn_world_liquid(w);
    *error                 = v.count > 0 ? 0.0 : NAN;
    for (int64_t i = 0; i < v.count; i++) *error = fmax(*error, fabs(v.velocity.x[i] - v.position.y[i] / gap));
    mn_shape_release(&plate.shape);
    mn_world_destroy(&w);
    return status;
}

mn_status mn_s1_channel(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    channel_result result[3];
    char           what[96];
    const int      grids = tier == MN_TIER_BUILD ? 1 : 3;
    for (int g = 0; g < grids; g++) {
        const int cells = grids == 1 ? 16 : 8 << g;
        MN_TRY(channel_error(c, cells, &result[g]));
        snprintf(what, sizeof what, "largest velocity of Poiseuille flow, %d cells", cells);
        const double good = 0.004 * 256.0 / (cells * cells);
        mn_verify_value(r, what, result[g].largest, 1.0, result[g].largest - 1.0, good, 3.0 * good);
        snprintf(what, sizeof what, "largest error of the profile, particles, %d cells", cells);
        mn_verify_value(r, what, result[g].particles, 0.0, result[g].particles, 2.0 * good, 6.0 * good);
        snprintf(what, sizeof what, "largest error of the profile, faces, %d cells", cells);
        mn_verify_value(r, what, result[g].faces, 0.0, result[g].faces, 2.0 * good, 6.0 * good);
    }
    for (int g = 0; g < grids; g++) {
        const int cells = grids == 1 ? 16 : 8 << g;
        double    error;
        MN_TRY(couette_error(c, cells, &error));
        snprintf(what, sizeof what, "Couette flow below a plate that moves: largest error, %d cells", cells);
        const double good = 2.0 * 0.004 * 256.0 / (cells * cells);
        mn_verify_value(r, what, error, 0.0, error, good, 3.0 * good);
    }
    if (grids < 3) return MN_OK;
    const double faces     = log2(result[1].faces / result[2].faces),
                 particles = log2(result[1].particles / result[2].particles);
    mn_verify_value(r, "order of the profile, faces", faces, 2.0, faces - 2.0, 0.3, 0.3);
    // The kernel takes off a particle what the half cell at the wall adds to a face: what is left is of higher order.
    mn_verify_at_least(r, "order of the profile, particles", particles, 2.0, 1.7);
    return MN_OK;
}
