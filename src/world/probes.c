// SPDX-License-Identifier: MPL-2.0
// world/probes.c - named numbers about the world, one column each in probes.csv.
#include "geom/images.h"
#include "grid/levelset.h"
#include "world/world.h"

typedef struct probe_job {
    const mn_world            *world;
    const mn_probe_def        *def;
    const mn_liquid_particles *p;
    mn_images                  images;      // of a probe with a shape
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
        const bool    in = job->def->kind == MN_PROBE_VOLUME_IN ? mn_images_inside(&job->images, x, NULL) : along_normal(job->def, x) > 0.0;
        if (in) sum += job->p->volume[0][i];
    }
    return sum;
}

static double volume_of(const mn_world *w, const mn_probe_def *def)
{
    probe_job     job  = { .world = w, .def = def, .p = &w->liquid.particles[w->liquid.current] };
    const mn_pose rest = mn_motion_pose(NULL, 0.0);
    if (def->kind == MN_PROBE_VOLUME_IN) job.images = mn_images_of(def->shape, &rest, w->period);
    return mn_parallel_sum(mn_context_pool(w->context), job.p->count, volume_block, &job);
}

enum { PROFILE_POINTS = 4096 };

/// Farthest reach of the liquid along the normal, leaving out one cell's worth, which may be a few flying drops.
static double front_of(const mn_world *w, const mn_probe_def *d)
{
    const mn_liquid_particles *p     = &w->liquid.particles[w->liquid.current];
    const double               width = 0.25 * w->grid.cell;
    double                     volume[PROFILE_POINTS] = { 0.0 }, top = -INFINITY, beyond = 0.0;
    if (p->count == 0) return 0.0;
    for (int64_t i = 0; i < p->count; i++) top = fmax(top, along_normal(d, particle(p, i)));
    for (int64_t i = 0; i < p->count; i++) {
        const double place = (top - along_normal(d, particle(p, i))) / width;
        if (place < PROFILE_POINTS) volume[(int)place] += p->volume[0][i];
    }
    for (int k = 0; k < PROFILE_POINTS; k++) {
        beyond += volume[k];
        if (beyond >= mn_cell_volume(&w->grid)) return top - k * width;
    }
    return top;
}

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

/// Height of the surface over the point: in a column two cells wide the density is sampled from the top down with the
/// kernel of the level set, and read as depth where it first exceeds one half (liquid E3).
static double height_of(const mn_world *w, const mn_probe_def *d)
{
    const mn_liquid_particles *p  = &w->liquid.particles[w->liquid.current];
    const double               dx = w->grid.cell, area = column_area(w, d);
    const int                  up = w->def.domain.up;
    double                     density[PROFILE_POINTS] = { 0.0 }, top = -INFINITY;
    for (int64_t i = 0; i < p->count; i++)
        if (in_column(w, d, particle(p, i))) top = fmax(top, mn_get3(particle(p, i), up) - d->point[up]);
    if (!isfinite(top)) return 0.0;
    top += 1.5 * dx;                             // sample k lies k half cells below, the first where nothing is seen
    for (int64_t i = 0; i < p->count; i++) {
        if (!in_column(w, d, particle(p, i))) continue;
        const double place = 2.0 * (top - mn_get3(particle(p, i), up) + d->point[up]) / dx;
        for (int k = (int)place - 3; k <= (int)place + 4; k++) {
            const double t = 0.5 * fabs(place - k), outer = fmax(0.0, 1.5 - t), inner = fmax(0.0, 0.5 - t);
            if (k < 0 || k >= PROFILE_POINTS) continue;
            density[k] += (0.5 * outer * outer - 1.5 * inner * inner) * p->volume[0][i] / (area * dx);
        }
    }
    for (int k = 0; k < PROFILE_POINTS; k++)
        if (density[k] >= 0.5) return top - 0.5 * k * dx + dx * mn_depth_of_density(density[k]);
    return 0.0;
}

double mn_world_probe_value(const mn_world *w, int probe)
{
    const mn_probe_def *d       = &w->probes[probe].def;
    const double        elapsed = w->now.time - w->now.frame_begin;
    double              speed;
    if (mn_probe_is_of_fabric(d->kind)) return mn_world_fabric_probe_value(w, &w->probes[probe]);
    if (!w->has_liquid) return 0.0;
    switch (d->kind) {
    case MN_PROBE_VOLUME_IN:
    case MN_PROBE_VOLUME_BEYOND: return volume_of(w, d);
    case MN_PROBE_FLUX: return elapsed > 0.0 ? (volume_of(w, d) - w->probe_state.previous[0][probe]) / elapsed : 0.0;
    case MN_PROBE_FRONT: return front_of(w, d);
    case MN_PROBE_HEIGHT: return height_of(w, d);
    case MN_PROBE_FORCE: return elapsed > 0.0 ? w->probe_state.impulse[0][probe] / elapsed : 0.0;
    case MN_PROBE_SPEED: mn_liquid_dt_limit((mn_liquid *)(uintptr_t)&w->liquid, &speed); return speed;
    default: return 0.0;
    }
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

/// Pressure on a side of a liquid cell: continued in a straight line from the cell behind, so that rest is exact.
static double side_pressure(const mn_liquid_scratch *s, int32_t tile, int32_t cell, int axis, int side)
{
    const int64_t here = (int64_t)tile * s->tiles.cells + cell, behind = mn_cell_next(&s->tiles, tile, cell, axis, -side);
    const int64_t between = side > 0 ? here : behind;          // the face to the cell behind is the low face of one of the two
    if (!s->wet[behind] || s->solid.open[axis][between] == 0.0f) return s->pressure[here];
    return 1.5 * s->pressure[here] - 0.5 * s->pressure[behind];
}

static mn_vec3 side_centre(const mn_tiles *t, int32_t tile, int32_t cell, int axis, int side)
{
    const mn_grid_def *g    = &t->def;
    double             x[3] = { g->origin.x + (t->coord[tile].x * MN_TILE + cell % MN_TILE + 0.5) * g->cell,
                                g->origin.y + (t->coord[tile].y * MN_TILE + cell / MN_TILE % MN_TILE + 0.5) * g->cell,
                                g->origin.z + (t->coord[tile].z * t->tile_z + cell / (MN_TILE * MN_TILE) + 0.5) * g->depth };
    x[axis] += 0.5 * side * g->cell;
    return mn_v3_from(x);
}

/// Add the push of one covered side to the probes of the obstacle nearest to it.
static void push_side(mn_world *w, int32_t tile, int32_t cell, int axis, int side, double covered)
{
    const mn_liquid_scratch *s       = &w->liquid.grid;
    const double             density = w->liquid.model.material.density;
    const double impulse = side * side_pressure(s, tile, cell, axis, side) * density * mn_cell_volume(&w->grid) * covered;
    int          which   = -1;
    mn_solids_distance(w->solids, w->solid_count, side_centre(&s->tiles, tile, cell, axis, side), NULL, &which);
    for (int64_t k = 0; k < w->probe_count; k++) {
        const mn_world_probe *probe = &w->probes[k];
        if (probe->def.kind == MN_PROBE_FORCE && which >= 0 && w->solids[which].object == probe->obstacle)
            w->probe_state.impulse[0][k] += impulse * probe->def.normal[axis];
    }
}

/// Pressure times time on the covered part of every side of every liquid cell.
void mn_world_probe_forces(mn_world *w)
{
    bool wanted = false;
    for (int64_t k = 0; k < w->probe_count; k++) wanted = wanted || w->probes[k].def.kind == MN_PROBE_FORCE;
    if (!wanted) return;
    const mn_liquid_scratch *s = &w->liquid.grid;
    for (int32_t t = 1; t < s->tiles.count; t++) {
        if (s->solid.touched[t] == 0) continue;
        for (int32_t c = 0; c < s->tiles.cells; c++) {
            const int64_t i = (int64_t)t * s->tiles.cells + c;
            if (!s->wet[i]) continue;
            for (int a = 0; a < w->grid.dimension; a++) {
                const double low = 1.0 - (double)s->solid.open[a][i], high = 1.0 - (double)s->solid.open[a][mn_cell_next(&s->tiles, t, c, a, 1)];
                if (low > 0.0) push_side(w, t, c, a, -1, low);
                if (high > 0.0) push_side(w, t, c, a, 1, high);
            }
        }
    }
}
