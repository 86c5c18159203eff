// SPDX-License-Identifier: MPL-2.0
// verify/liquid/s1.c - free-surface liquid: the cases of group S1, and what they share.
#include "verify/liquid/s1.h"

#include "grid/levelset.h"
#include "grid/transfer.h"

const mn_verify_case mn_verify_s1[] = {
    { "S1.1", "hydrostatics: rest, level, pressure", .run = mn_s1_rest },
    { "S1.2", "standing wave: period", .run = mn_s1_wave },
    { "S1.3", "standing wave: viscous and numerical decay", .run = mn_s1_decay },
    { "S1.4", "Taylor-Green vortex: energy, vorticity, decay by viscosity", .run = mn_s1_taylor_green },
    { "S1.5", "spinning blob: momentum", .run = mn_s1_spin },
    { "S1.6", "dam break after Martin and Moyce", .run = mn_s1_dam_break },
    { "S1.9", "sloshing: volume", .run = mn_s1_volume },
    { "S1.10", "channel flow: Poiseuille, Couette", .run = mn_s1_channel },
    { 0 },
};

mn_tank mn_tank_default(int dimension, double cell, double x, double y, double z, double depth)
{
    return (mn_tank){ .dimension    = dimension,
                      .cell         = cell,
                      .size         = { x, y, z },
                      .depth        = depth,
                      .gravity      = { 0.0, -981.0, 0.0 },
                      .sampling     = MN_SAMPLING_LATTICE,
                      .seed         = 1,
                      .cfl          = 1.0,
                      .density_rate = 0.2,
                      .tolerance    = 1e-6 };
}

mn_status mn_tank_world(mn_context *c, const mn_tank *tank, mn_world **out)
{
    mn_world_def def              = mn_world_def_default();
    def.domain.dimension          = tank->dimension;
    def.domain.cell               = tank->cell;
    def.domain.bounded            = true;
    def.domain.wall               = tank->wall;
    def.time.seed                 = tank->seed;
    def.time.cfl                  = tank->cfl;
    def.time.dt_max               = 1.0;
    def.solver.density_rate       = tank->density_rate;
    def.solver.extrapolation      = tank->extrapolation;
    def.solver.pressure_tolerance = tank->tolerance;
    for (int a = 0; a < 3; a++) {
        def.domain.gravity[a]   = mn_get3(tank->gravity, a);
        def.domain.bounds[1][a] = tank->size[a];
        def.domain.boundary[a]  = tank->boundary[a];
    }
    *out = NULL;
    MN_TRY(mn_world_create(c, &def, out));
    mn_liquid_def liquid      = mn_liquid_def_default();
    liquid.material.viscosity = tank->viscosity;
    liquid.below              = tank->depth;
    liquid.sampling           = tank->sampling;
    liquid.particles_per_cell = tank->particles_per_cell;
    const mn_status status    = mn_world_add_liquid(*out, &liquid);
    if (status != MN_OK) mn_world_destroy(out);
    return status;
}

int64_t mn_domain_place(const mn_world *w, int32_t i, int32_t j, int32_t k)
{
    const mn_tiles      *t     = &w->liquid.grid.tiles;
    const mn_domain_def *d     = &w->def.domain;
    int32_t              at[3] = { i, j, k };
    for (int a = 0; a < d->dimension; a++)
        at[a] += (int32_t)lround((d->bounds[0][a] - mn_get3(t->def.origin, a)) / t->def.cell);
    if (d->dimension == 2) at[2] = 0;
    const int32_t tile = mn_tiles_find(t, (mn_tile_coord){ at[0] >> 3, at[1] >> 3, at[2] >> 3 });
    return tile == 0 ? -1 : (int64_t)tile * t->cells + mn_cell_in_tile(at[0] & 7, at[1] & 7, at[2] & 7);
}

double mn_domain_level(const mn_world *w, int32_t i, int32_t j, int32_t k)
{
    const int64_t place = mn_domain_place(w, i, j, k);
    return place < 0 ? 1.5 * w->grid.cell : w->liquid.grid.level[place];
}

/// Highest zero of the level set in one column of cells, from the top down.
static double column_height(const mn_world *w, int32_t i, int32_t k, int32_t top)
{
    const double dx = w->grid.cell, bottom = w->def.domain.bounds[0][1];
    double       above = 1.5 * dx;
    for (int32_t j = top; j >= 0; j--) {
        const double here = mn_domain_level(w, i, j, k);
        if (here < 0.0 && above >= 0.0) return bottom + dx * (j + 0.5 + here / (here - above));
        above = here;
    }
    return bottom;
}

mn_status mn_surface_heights(mn_world *w, int columns, double *height)
{
    MN_TRY(mn_arena_reset(w->arena));
    MN_TRY(mn_world_place_solids(w, w->now.time));
    MN_TRY(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }));
    const mn_domain_def *d   = &w->def.domain;
    const int32_t        top = (int32_t)ceil((d->bounds[1][1] - d->bounds[0][1]) / d->cell) + 8;
    const int32_t layers     = d->dimension == 3 ? (int32_t)lround((d->bounds[1][2] - d->bounds[0][2]) / d->cell) : 1;
    for (int32_t i = 0; i < columns; i++) {
        height[i] = 0.0;
        for (int32_t k = 0; k < layers; k++) height[i] += column_height(w, i, k, top) / layers;
    }
    return MN_OK;
}

/// Least squares of t = begin + half k + shift (-1)^k over k = 1 .. count - 1: the normal equations by elimination.
static double half_period(const double *crossing, int count)
{
    double m[3][4] = { { 0.0 } }, x[3];
    for (int k = 1; k < count; k++) {
        const double row[3] = { 1.0, k, k % 2 == 0 ? 1.0 : -1.0 };
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) m[i][j] += row[i] * row[j];
            m[i][3] += row[i] * crossing[k];
        }
    }
    for (int i = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++) {
            const double f = m[j][i] / m[i][i];
            for (int k = 0; k < 4; k++) m[j][k] -= f * m[i][k];
        }
    for (int i = 2; i >= 0; i--) {
        x[i] = m[i][3];
        for (int j = i + 1; j < 3; j++) x[i] -= m[i][j] * x[j];
        x[i] /= m[i][i];
    }
    return x[1];
}

double mn_period_of(const double *t, const double *a, int count, int *crossings)
{
    enum { MOST = 64 };
    double mean = 0.0, crossing[MOST];
    for (int i = 0; i < count; i++) mean += a[i] / count;
    *crossings = 0;
    for (int i = 1; i < count && *crossings < MOST; i++) {
        if ((a[i - 1] - mean) * (a[i] - mean) >= 0.0) continue;
        crossing[(*crossings)++] = t[i - 1] + (t[i] - t[i - 1]) * (a[i - 1] - mean) / (a[i - 1] - a[i]);
    }
    // The mean of a record that is no whole number of periods is not that of the wave: crossings upwards and downwards
    // are shifted to opposite sides, by 0.5 % of a period here. The fit leaves that shift out, and the first crossing.
    return *crossings >= 6 ? 2.0 * half_period(crossing, *crossings) : NAN;
}

double mn_decay_of(const double *t, const double *a, int count)
{
    double mean = 0.0, n = 0.0, st = 0.0, sl = 0.0, stt = 0.0, stl = 0.0;
    for (int i = 0; i < count; i++) mean += a[i] / count;
    for (int i = 1; i + 1 < count; i++) {
        const double before = fabs(a[i - 1] - mean), here = fabs(a[i] - mean), after = fabs(a[i + 1] - mean);
        if (!(here >= before && here > after) || here == 0.0) continue;
        // Peak of the parabola through three samples.
        const double bend = before - 2.0 * here + after, off = bend != 0.0 ? 0.5 * (before - after) / bend : 0.0;
        const double peak = here - 0.25 * (before - after) * off, at = t[i] + off * (t[i + 1] - t[i]), l = log(peak);
        n += 1.0, st += at, sl += l, stt += at * at, stl += at * l;
    }
    return n > 1.0 ? -(n * stl - st * sl) / (n * stt - st * st) : NAN;
}
