// SPDX-License-Identifier: MPL-2.0
// verify/s1_dam.c - S1.6: the dam break of Martin and Moyce (1952), n^2 = 2, a = 2.25 in. S1.9: volume while sloshing.
#include "verify/s1.h"

#include <stdio.h>

static const double front_time[] = { 0.832, 1.219, 1.997, 2.547, 3.345, 4.034, 4.418, 5.091, 5.685, 6.306, 6.822, 7.439, 8.031, 8.633, 9.237 };
static const double front_place[] = { 1.217, 1.474, 2.292, 2.995, 4.134, 4.944, 5.881, 6.980, 7.945, 8.966, 9.986, 10.963, 11.977, 13.005, 13.970 };
enum { FRONT_POINTS = sizeof front_time / sizeof *front_time };

/// Farthest x where the depth exceeds 1 % of the first height (validation M2), from the volume in columns of a cell.
static double dam_front(const mn_world *w, double height)
{
    enum { MOST = 4096 };
    double                     column[MOST];
    const mn_liquid_particles *p  = &w->liquid.particles[w->liquid.current];
    const double               dx = w->grid.cell;
    int                        last = 0;
    for (int k = 0; k < MOST; k++) column[k] = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const int k = (int)(p->position[0][i] / dx);
        if (k >= 0 && k < MOST) column[k] += p->volume[0][i] / (dx * w->grid.depth);
    }
    while (last + 1 < MOST && column[last + 1] > 0.01 * height) last++;
    // Linear between column centres.
    const double here = column[last], next = last + 1 < MOST ? column[last + 1] : 0.0, bound = 0.01 * height;
    return dx * (last + 0.5 + (here > bound ? (here - bound) / (here - next) : 0.0));
}

mn_status mn_s1_dam_break(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const double a     = 5.715, unit = sqrt(a / (2.0 * 981.0));
    const int    cells = tier == MN_TIER_BUILD ? 24 : 48;
    mn_tank      tank  = mn_tank_default(2, a / cells, 16.0 * a, 4.0 * a, 1.0, 0.0);
    tank.sampling      = MN_SAMPLING_JITTER;
    tank.viscosity     = 0.0089;
    tank.wall          = MN_WALL_NO_SLIP;
    tank.depth         = -1.0;                 // nothing yet: the column is added below
    mn_world *w        = NULL;
    MN_TRY(mn_tank_world(c, &tank, &w));
    mn_liquid_def column = mn_liquid_def_default();
    mn_shape_def  box    = mn_shape_def_default(MN_SHAPE_BOX);
    box.center[0] = 0.5 * a, box.center[1] = a;
    box.size[0] = a, box.size[1] = 2.0 * a, box.size[2] = 2.0;
    mn_object_id id;
    mn_status    status       = mn_shape_create(c, &box, &column.shape);
    column.material.viscosity = tank.viscosity;
    if (status == MN_OK) status = mn_world_add_liquid(w, &column, &id);
    mn_shape_release(&column.shape);
    double sum = 0.0;
    for (int k = 0; k < FRONT_POINTS && status == MN_OK; k++) {
        const double until = front_time[k] * unit;
        while (status == MN_OK && mn_world_time(w) < until) status = mn_world_step(w, until);
        const double z = dam_front(w, 2.0 * a) / a;
        sum += (z / front_place[k] - 1.0) * (z / front_place[k] - 1.0);
    }
    if (status == MN_OK) mn_verify_at_most(r, "rms of front / published - 1", sqrt(sum / FRONT_POINTS), 0.06, 0.12);
    mn_world_destroy(&w);
    return status;
}

/// Area covered by liquid cells, with the cut cells counted by their level set: what looks full of liquid.
static mn_status occupied_volume(mn_world *w, double *volume)
{
    double height[1];
    MN_TRY(mn_surface_heights(w, 1, height));
    const mn_liquid_scratch *s = &w->liquid.grid;
    *volume                    = 0.0;
    for (int64_t i = s->tiles.cells; i < (int64_t)s->tiles.count * s->tiles.cells; i++) {
        const double part = 0.5 - s->level[i] / w->grid.cell;
        *volume += fmax(0.0, fmin(1.0, part)) * (double)s->solid.volume_open[i] * mn_cell_volume(&w->grid);
    }
    return MN_OK;
}

/// Half-full tank shaken sideways at the frequency of its first mode by `share` of gravity, then left to calm.
static mn_status slosh(mn_context *c, double share, int steps, mn_sampling sampling, double *worst, double *calmed, double *deepest, int64_t *count_change)
{
    mn_tank tank  = mn_tank_default(2, 20.0 / 32, 20.0, 20.0, 1.0, 10.0);
    tank.sampling = sampling;
    mn_world *w   = NULL;
    MN_TRY(mn_tank_world(c, &tank, &w));
    const double  k = MN_PI / 20.0, omega = sqrt(981.0 * k * tanh(k * 10.0)), dt = 0.3 * sqrt(tank.cell / 981.0);
    const int64_t particles = mn_liquid_now(&w->liquid)->count;
    double        first = 0.0, now = 0.0;
    *worst = *calmed = *deepest = 0.0;
    mn_status status = occupied_volume(w, &first);
    for (int step = 0; step < steps + 1000 && status == MN_OK; step++) {
        w->liquid.model.gravity.x = step < steps ? 981.0 * share * sin(omega * mn_world_time(w)) : 0.0;
        status                    = mn_world_step(w, mn_world_time(w) + dt);
        if (status == MN_OK && step % 100 == 99) {
            status = occupied_volume(w, &now);
            if (step < steps) *worst = fmax(*worst, fabs(now / first - 1.0));
        }
    }
    *calmed = now / first - 1.0;
    const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++)
        for (int a = 0; a < 2; a++) *deepest = fmax(*deepest, fmax(-p->position[a][i], p->position[a][i] - 20.0) / tank.cell);
    *count_change = p->count - particles;
    mn_world_destroy(&w);
    return status;
}

mn_status mn_s1_volume(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int steps = tier == MN_TIER_BUILD ? 1000 : 10000;
    for (int jitter = 0; jitter < 2; jitter++) {
        double  worst, calmed, deepest;
        int64_t change;
        char    what[96];
        MN_TRY(slosh(c, 0.02, steps, jitter ? MN_SAMPLING_JITTER : MN_SAMPLING_LATTICE, &worst, &calmed, &deepest, &change));
        const char *name = jitter ? "jitter" : "lattice";
        snprintf(what, sizeof what, "occupied volume while sloshing, %d steps, %s", steps, name);
        mn_verify_value(r, what, worst, 0.0, worst, 1e-3, 1e-2);
        snprintf(what, sizeof what, "occupied volume after calming, %s", name);
        mn_verify_value(r, what, calmed, 0.0, calmed, 1e-3, 1e-2);
        snprintf(what, sizeof what, "change of the particle count, %s", name);
        mn_verify_value(r, what, (double)change, 0.0, (double)change, 0.0, 0.0);
        snprintf(what, sizeof what, "deepest particle inside a wall, cells, %s", name);
        mn_verify_at_most(r, what, deepest, 0.1, 0.1);
    }
    return MN_OK;
}
