// SPDX-License-Identifier: MPL-2.0
// world/probes.c - named numbers about the world, one column each in probes.csv.
#include "geom/shape.h"
#include "world/world.h"

#include <string.h>

typedef struct probe_job {
    const mn_world            *world;
    const mn_probe_def        *def;
    const mn_liquid_particles *p;
} probe_job;

static mn_vec3 particle(const mn_liquid_particles *p, int64_t i)
{
    return mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]);
}

static double along_normal(const mn_probe_def *d, mn_vec3 x)
{
    return mn_dot3(mn_sub3(x, mn_v3_from(d->point)), mn_v3_from(d->normal));
}

static double volume_block(int64_t begin, int64_t end, void *context)
{
    const probe_job *job = context;
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const mn_vec3 x  = particle(job->p, i);
        const bool    in = job->def->kind == MN_PROBE_VOLUME_IN ? mn_shape_at(job->def->shape, x) < 0.0 : along_normal(job->def, x) > 0.0;
        if (in) sum += job->p->volume[0][i];
    }
    return sum;
}

static double volume_of(const mn_world *w, const mn_probe_def *def)
{
    probe_job job = { w, def, &w->liquid.particles[w->liquid.current] };
    return mn_parallel_sum(mn_context_pool(w->context), job.p->count, volume_block, &job);
}

enum { PROFILE_BINS = 4096 };

/// Volume in bins of `width` from the far end downwards; position 0 of the result is at `top`.
typedef struct profile {
    double top, width, volume[PROFILE_BINS];
} profile;

/// Whether a particle is in the column two cells wide above and below the point; across a periodic side as well.
static bool in_column(const mn_world *w, const mn_probe_def *d, mn_vec3 x)
{
    for (int a = 0; a < w->grid.dimension; a++) {
        const double period = mn_get3(w->period, a);
        double       off    = mn_get3(x, a) - d->point[a];
        if (period > 0.0) off -= period * round(off / period);
        if (a != w->def.domain.up && fabs(off) >= w->grid.cell) return false;
    }
    return true;
}

/// The part of the column's cross-section that is inside the bounds, cm^2.
static double column_area(const mn_world *w, const mn_probe_def *d)
{
    const mn_domain_def *domain = &w->def.domain;
    double               area   = w->grid.dimension == 2 ? w->grid.depth : 1.0;
    for (int a = 0; a < w->grid.dimension; a++) {
        if (a == domain->up) continue;
        double low = d->point[a] - w->grid.cell, high = d->point[a] + w->grid.cell;
        if (domain->bounded && domain->boundary[a] != MN_BOUNDARY_PERIODIC)
            low = fmax(low, domain->bounds[0][a]), high = fmin(high, domain->bounds[1][a]);
        area *= fmax(0.0, high - low);
    }
    return area;
}

/// Height of the particles in the column, or reach of all along the normal, binned from the highest down.
static void make_profile(const mn_world *w, const mn_probe_def *d, bool column, profile *out)
{
    const mn_liquid_particles *p  = &w->liquid.particles[w->liquid.current];
    const int                  up = w->def.domain.up;
    out->top                      = -INFINITY;
    memset(out->volume, 0, sizeof out->volume);
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0; i < p->count; i++) {
            const mn_vec3 x = particle(p, i);
            if (column && !in_column(w, d, x)) continue;
            // A particle reaches half a spacing beyond its middle: that is where the surface of a still liquid is.
            const double s = column ? mn_get3(x, up) - d->point[up] : along_normal(d, x);
            if (pass == 0) {
                out->top = fmax(out->top, column ? s + 0.5 * w->grid.cell / w->liquid.model.per_axis : s);
            } else {
                const int64_t bin = (int64_t)((out->top - s) / out->width);
                if (bin < PROFILE_BINS) out->volume[bin] += p->volume[0][i];
            }
        }
}

/// Farthest reach along the normal, leaving out one cell's worth of liquid, which may be a few flying drops.
static double front_of(const mn_world *w, const mn_probe_def *d)
{
    profile q = { .width = 0.25 * w->grid.cell };
    make_profile(w, d, false, &q);
    double beyond = 0.0;
    for (int k = 0; k < PROFILE_BINS; k++) {
        beyond += q.volume[k];
        if (beyond >= mn_cell_volume(&w->grid)) return q.top - k * q.width;
    }
    return q.top;
}

/// Surface at the point: in a column two cells wide, from the top down, the first half cell that is half full.
static double height_of(const mn_world *w, const mn_probe_def *d)
{
    profile q = { .width = 0.5 * w->grid.cell };
    make_profile(w, d, true, &q);
    if (!isfinite(q.top)) return 0.0;
    const double full = column_area(w, d) * q.width;
    double       loose = 0.0;                     // liquid above, not yet enough to be the surface
    for (int k = 0; k < PROFILE_BINS; k++) {
        if (q.volume[k] >= 0.5 * full) return q.top - (k + 1) * q.width + q.width * fmin(1.0, q.volume[k] / full) + loose / full * q.width;
        loose = q.volume[k];
    }
    return 0.0;
}

double mn_world_probe_value(const mn_world *w, int probe)
{
    const mn_probe_def *d       = &w->probes[probe].def;
    const double        elapsed = w->now.time - w->now.frame_begin;
    double              speed;
    if (!w->has_liquid) return 0.0;
    switch (d->kind) {
    case MN_PROBE_VOLUME_IN:
    case MN_PROBE_VOLUME_BEYOND: return volume_of(w, d);
    case MN_PROBE_FLUX: return elapsed > 0.0 ? (volume_of(w, d) - w->probe_state.previous[0][probe]) / elapsed : 0.0;
    case MN_PROBE_FRONT: return front_of(w, d);
    case MN_PROBE_HEIGHT: return height_of(w, d);
    case MN_PROBE_FORCE: return elapsed > 0.0 ? w->probe_state.impulse[0][probe] / elapsed : 0.0;
    case MN_PROBE_SPEED: mn_liquid_dt_limit((mn_liquid *)(uintptr_t)&w->liquid, &speed); return speed;
    }
    return 0.0;
}

int mn_world_probe_count(const mn_world *w)
{
    return (int)w->probe_count;
}

const char *mn_world_probe_name(const mn_world *w, int probe)
{
    return w->probes[probe].def.name;
}

void mn_world_probes_end_frame(mn_world *w)
{
    for (int k = 0; k < (int)w->probe_count; k++) {
        w->probe_state.impulse[0][k]  = 0.0;
        w->probe_state.previous[0][k] = w->probes[k].def.kind == MN_PROBE_FLUX && w->has_liquid ? volume_of(w, &w->probes[k].def) : 0.0;
    }
}

/// Pressure on the covered part of every face of every liquid cell, given to the obstacle nearest to the cell.
void mn_world_probe_forces(mn_world *w, double dt)
{
    (void)dt;
    bool wanted = false;
    for (int64_t k = 0; k < w->probe_count; k++) wanted = wanted || w->probes[k].def.kind == MN_PROBE_FORCE;
    if (!wanted) return;
    const mn_liquid_scratch *s     = &w->liquid.grid;
    const mn_grid_def       *g     = &w->grid;
    const double             scale = w->liquid.model.material.density * mn_cell_volume(g);      // p^ rho dx * face area
    for (int32_t t = 1; t < s->tiles.count; t++)
        for (int32_t c = 0; c < s->tiles.cells; c++) {
            const int64_t i = (int64_t)t * s->tiles.cells + c;
            if (!s->wet[i]) continue;
            double push[3] = { 0.0, 0.0, 0.0 }, any = 0.0;
            for (int a = 0; a < g->dimension; a++) {
                const double low = 1.0 - (double)s->solid.open[a][i], high = 1.0 - (double)s->solid.open[a][mn_cell_next(&s->tiles, t, c, a, 1)];
                push[a]          = s->pressure[i] * scale * (high - low);
                any += low + high;
            }
            if (any == 0.0) continue;
            const mn_vec3 x = mn_v3(g->origin.x + (s->tiles.coord[t].x * MN_TILE + c % MN_TILE + 0.5) * g->cell,
                                    g->origin.y + (s->tiles.coord[t].y * MN_TILE + c / MN_TILE % MN_TILE + 0.5) * g->cell,
                                    g->origin.z + (s->tiles.coord[t].z * s->tiles.tile_z + c / (MN_TILE * MN_TILE) + 0.5) * g->depth);
            mn_vec3 normal;
            int     which = -1;
            mn_solids_distance(w->solids, w->solid_count, x, &normal, &which);
            for (int64_t k = 0; k < w->probe_count; k++) {
                const mn_world_probe *probe = &w->probes[k];
                if (probe->def.kind != MN_PROBE_FORCE || which < 0 || w->solids[which].object != probe->obstacle) continue;
                w->probe_state.impulse[0][k] += mn_dot3(mn_v3_from(push), mn_v3_from(probe->def.normal));
            }
        }
}
