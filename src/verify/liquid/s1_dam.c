// SPDX-License-Identifier: MPL-2.0
// verify/liquid/s1_dam.c - S1.6: the dam breaks of Martin and Moyce (1952). S1.9: volume while sloshing.
#include "verify/liquid/s1.h"

#include <stdio.h>

// The page has a third, of a square column, recalled and not read again: no gate until it is.
enum { FRONT_POINTS = 15 };

/// One experiment: a column `a` wide and `n2` times as high. T = t sqrt(n2 g / a), Z = front / a.
typedef struct experiment {
    const char *name;
    double      a, n2;
    int         points;
    double      time[FRONT_POINTS], place[FRONT_POINTS];
} experiment;

static const experiment experiments[] = {
    { "a = 2.25 in, n^2 = 2",
      5.715,
      2.0,
      15,
      { 0.832, 1.219, 1.997, 2.547, 3.345, 4.034, 4.418, 5.091, 5.685, 6.306, 6.822, 7.439, 8.031, 8.633, 9.237 },
      { 1.217, 1.474, 2.292, 2.995, 4.134, 4.944, 5.881, 6.980, 7.945, 8.966, 9.986, 10.963, 11.977, 13.005, 13.970 } },
    { "a = 1.125 in, n^2 = 2",
      2.8575,
      2.0,
      10,
      { 0.849, 1.212, 1.602, 2.283, 2.950, 3.598, 3.905, 4.592, 4.961, 5.316 },
      { 1.245, 1.443, 1.884, 2.689, 3.728, 4.528, 4.999, 5.841, 6.271, 6.717 } },
};

/// The front: where the level set of the lowest row of cells first says air, counted from the wall (validation M2).
/// Half a cell of depth is seen there, 1 % of the first height with 24 cells; spray that flies ahead is not.
static mn_status dam_front(mn_world *w, double *front, double *head)
{
    MN_TRY(mn_surface_heights(w, 1, head));
    const double dx     = w->grid.cell;
    double       before = -dx;
    for (int32_t i = 0;; i++) {
        const double here = mn_domain_level(w, i, 0, 0);
        if (here >= 0.0) {
            *front = dx * (i - 0.5 + before / (before - here));
            return MN_OK;
        }
        before = here;
    }
}

static mn_status dam_world(mn_context *c, const experiment *e, int cells, mn_world **out)
{
    const double a    = e->a;
    mn_tank      tank = mn_tank_default(2, a / cells, 20.0 * a, 4.0 * a, 1.0, 0.0);
    tank.viscosity    = 0.0089;
    tank.wall         = MN_WALL_NO_SLIP;
    tank.depth        = -1.0;  // nothing yet: the column is added below
    MN_TRY(mn_tank_world(c, &tank, out));
    // Velocities belong to the middle of a step: a start from rest is half a step ahead. A quarter of the step of (E9)
    // makes that 0.01 in T; later the speed bounds the step anyway.
    (*out)->def.time.dt_max   = 0.25 * 0.3 * sqrt(tank.cell / 981.0);
    mn_liquid_def column      = mn_liquid_def_default();
    mn_shape_def  box         = mn_shape_def_default(MN_SHAPE_BOX);
    column.sampling           = MN_SAMPLING_JITTER;
    column.material.viscosity = tank.viscosity;
    box.center[0] = 0.5 * a, box.center[1] = 0.5 * e->n2 * a;
    box.size[0] = a, box.size[1] = e->n2 * a, box.size[2] = 2.0;
    mn_status status = mn_shape_create(c, &box, &column.shape);
    if (status == MN_OK) status = mn_world_add_liquid(*out, &column);
    mn_shape_release(&column.shape);
    if (status != MN_OK) mn_world_destroy(out);
    return status;
}

enum { DAM_SAMPLES = 381 };
#define DAM_SPACING 0.025

/// Front / a at every DAM_SPACING of T, and the largest rise of the height, as a share of it, from one to the next.
static mn_status dam_run(mn_context *c, const experiment *e, int cells, double front[DAM_SAMPLES], double *rise)
{
    const double a = e->a, unit = sqrt(a / (e->n2 * 981.0)), high = e->n2 * a;
    double       head = high, last = head;
    mn_world    *w = NULL;
    MN_TRY(dam_world(c, e, cells, &w));
    mn_status status = MN_OK;
    *rise            = -INFINITY;
    for (int k = 0; k < DAM_SAMPLES && status == MN_OK; k++) {
        const double until = k * DAM_SPACING * unit;
        while (status == MN_OK && mn_world_time(w) < until) status = mn_world_step(w, until);
        if (status == MN_OK) status = dam_front(w, &front[k], &head);
        front[k] /= a;
        if (k % 8 == 0 && k > 0) *rise = fmax(*rise, (head - last) / high);
        if (k % 8 == 0) last = head;
    }
    mn_world_destroy(&w);
    return status;
}

static double front_at(const double front[DAM_SAMPLES], double t)
{
    if (t <= 0.0) return 1.0;
    const int k = (int)(t / DAM_SPACING) < DAM_SAMPLES - 2 ? (int)(t / DAM_SPACING) : DAM_SAMPLES - 2;
    return front[k] + (front[k + 1] - front[k]) * (t / DAM_SPACING - k);
}

/// rms of front / published - 1, the computed one let go later by `lag` in T.
static double front_rms(const experiment *e, const double front[DAM_SAMPLES], double lag)
{
    double sum = 0.0;
    for (int k = 0; k < e->points; k++) {
        const double error = front_at(front, e->time[k] - lag) / e->place[k] - 1.0;
        sum += error * error;
    }
    return sqrt(sum / e->points);
}

/// Judged with the published origin of time; the line after the lag says how far the two are shifted.
static mn_status dam_lines(mn_context *c, const experiment *e, int cells, double front[DAM_SAMPLES],
                           mn_verify_report *r)
{
    double lag = 0.0, rise;
    char   what[128];
    MN_TRY(dam_run(c, e, cells, front, &rise));
    for (double l = 0.0; l < 0.8; l += 0.005) lag = front_rms(e, front, l) < front_rms(e, front, lag) ? l : lag;
    snprintf(what, sizeof what, "rms of front / published - 1, %s, %d cells", e->name, cells);
    mn_verify_at_most(r, what, front_rms(e, front, 0.0), 0.06, 0.12);
    snprintf(what, sizeof what, "the same, let go later by %.3f in T, %d cells", lag, cells);
    mn_verify_at_most(r, what, front_rms(e, front, lag), 0.06, 0.12);
    snprintf(what, sizeof what, "largest rise of the column's height, %d cells", cells);
    mn_verify_at_most(r, what, rise, 0.0, 0.0);
    return MN_OK;
}

mn_status mn_s1_dam_break(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const experiment *first = &experiments[0];
    double            front[2][DAM_SAMPLES], apart = 0.0;
    MN_TRY(dam_lines(c, first, 24, front[0], r));
    if (tier == MN_TIER_BUILD) return MN_OK;
    MN_TRY(dam_lines(c, first, 48, front[1], r));
    for (int k = 0; k < first->points; k++)
        apart = fmax(apart, fabs(front_at(front[0], first->time[k]) / front_at(front[1], first->time[k]) - 1.0));
    mn_verify_at_most(r, "front of 24 cells against that of 48, largest difference", apart, 0.02, 0.06);
    return dam_lines(c, &experiments[1], 24, front[1], r);  // a true FAIL: water clings to a column of 29 mm
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
static mn_status slosh(mn_context *c, double share, int steps, mn_sampling sampling, double *worst, double *calmed,
                       double *deepest, int64_t *count_change)
{
    mn_tank tank  = mn_tank_default(2, 20.0 / 32, 20.0, 20.0, 1.0, 10.0);
    tank.sampling = sampling;
    mn_world *w   = NULL;
    MN_TRY(mn_tank_world(c, &tank, &w));
    const double  k = MN_PI / 20.0, omega = sqrt(981.0 * k * tanh(k * 10.0)), dt = 0.3 * sqrt(tank.cell / 981.0);
    const int64_t particles = mn_liquid_now(&w->liquid)->count;
    // Against the volume that the particles own, which is exact: what a jittered filling occupies at the start is
    // itself off by up to 0.2 %, one level set read in 32 columns.
    const double owned = w->now.liquid_initial;
    double       now   = 0.0;
    *worst = *calmed = *deepest = 0.0;
    mn_status status            = MN_OK;
    for (int step = 0; step < steps + 1000 && status == MN_OK; step++) {
        w->liquid.model.gravity.x = step < steps ? 981.0 * share * sin(omega * mn_world_time(w)) : 0.0;
        status                    = mn_world_step(w, mn_world_time(w) + dt);
        if (status == MN_OK && step % 100 == 99) {
            status = occupied_volume(w, &now);
            if (step < steps) *worst = fmax(*worst, fabs(now / owned - 1.0));
        }
    }
    *calmed                      = now / owned - 1.0;
    const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++)
        for (int a = 0; a < 2; a++)
            *deepest = fmax(*deepest, fmax(-p->position[a][i], p->position[a][i] - 20.0) / tank.cell);
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
        MN_TRY(slosh(c, 0.02, steps, jitter ? MN_SAMPLING_JITTER : MN_SAMPLING_LATTICE, &worst, &calmed, &deepest,
                     &change));
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
