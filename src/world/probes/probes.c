// SPDX-License-Identifier: MPL-2.0
// world/probes/probes.c - named numbers about the world, one column each in probes.csv.
#include "geom/images.h"
#include "grid/levelset.h"
#include "world/world.h"

typedef struct probe_job {
    const mn_world            *world;
    const mn_probe_def        *def;
    const mn_liquid_particles *p;
    mn_images                  images;  // of a probe with a shape
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
    double           sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const mn_vec3 x  = particle(job->p, i);
        const bool    in = job->def->kind == MN_PROBE_VOLUME_IN ? mn_images_inside(&job->images, x, NULL)
                                                                : along_normal(job->def, x) > 0.0;
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
    const mn_liquid_particles *p                      = &w->liquid.particles[w->liquid.current];
    const double               width                  = 0.25 * w->grid.cell;
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
    const int                  up                      = w->def.domain.up;
    double                     density[PROFILE_POINTS] = { 0.0 }, top = -INFINITY;
    for (int64_t i = 0; i < p->count; i++)
        if (in_column(w, d, particle(p, i))) top = fmax(top, mn_get3(particle(p, i), up) - d->point[up]);
    if (!isfinite(top)) return 0.0;
    top += 1.5 * dx;  // sample k lies k half cells below, the first where nothing is seen
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
    if (!mn_liquid_present(&w->liquid)) return 0.0;
    switch (d->kind) {
    case MN_PROBE_VOLUME_IN:
    case MN_PROBE_VOLUME_BEYOND: return volume_of(w, d);
    case MN_PROBE_FLUX: return elapsed > 0.0 ? w->probe_state.passed[0][probe] / elapsed : 0.0;
    case MN_PROBE_FRONT: return front_of(w, d);
    case MN_PROBE_HEIGHT: return height_of(w, d);
    case MN_PROBE_FORCE: return elapsed > 0.0 ? w->probe_state.impulse[0][probe] / elapsed : 0.0;
    case MN_PROBE_SPEED: mn_liquid_dt_limit((mn_liquid *)(uintptr_t)&w->liquid, &speed); return speed;
    default: return 0.0;
    }
}

int mn_world_probe_count(const mn_world *w) { return (int)w->probe_count; }

const char *mn_world_probe_name(const mn_world *w, int probe) { return w->probes[probe].def.name; }

/// How far the images of a plane are apart that lies across a periodic axis; infinite if it has none.
static double image_distance(const mn_world *w, const mn_probe_def *d)
{
    for (int a = 0; a < w->grid.dimension; a++)
        if (fabs(d->normal[a]) > 1.0 - 1e-9 && mn_get3(w->period, a) > 0.0) return mn_get3(w->period, a);
    return INFINITY;
}

/// Volume of each particle times the number of images of the plane that it is beyond, counted from the plane itself.
static double beyond_block(int64_t begin, int64_t end, void *context)
{
    const probe_job *job    = context;
    const double     period = image_distance(job->world, job->def);
    double           sum    = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const double along = along_normal(job->def, particle(job->p, i));
        sum += job->p->volume[0][i] * (isfinite(period) ? ceil(along / period) : along > 0.0 ? 1.0 : 0.0);
    }
    return sum;
}

void mn_world_probe_flux(mn_world *w, double sign)
{
    for (int64_t k = 0; k < w->probe_count; k++) {
        probe_job job = { .world = w, .def = &w->probes[k].def, .p = mn_liquid_now(&w->liquid) };
        if (job.def->kind != MN_PROBE_FLUX) continue;
        w->probe_state.passed[0][k] += sign *
                                       mn_parallel_sum(mn_context_pool(w->context), job.p->count, beyond_block, &job);
    }
}

void mn_world_probes_end_frame(mn_world *w)
{
    for (int64_t k = 0; k < w->probe_count; k++) w->probe_state.impulse[0][k] = w->probe_state.passed[0][k] = 0.0;
}
