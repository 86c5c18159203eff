// SPDX-License-Identifier: MPL-2.0
// liquid/surface_fit.c - every region of the surface is given the volume of its particles.
//
// Drops are larger than they should be so that nodes see them (surface_sparse.c). Around a point of theirs the
// particles are compared with the room that the levels give them: the share r that is filled. The point moves along its
// normal towards the middle of the particles until r^p of the way is left. p is 1 for a sheet, 1/2 for a thread, 1/3
// for a drop: each region has the p with which its volume is right. What is then still missing or too much is spread
// evenly over its surface. Points on walls stay where they are, so that the mesh is flat there.
#include "liquid/surface_mesh_private.h"

#include "base/pool.h"
#include "grid/around.h"

#include <string.h>

/// Distance over which the nearest drops share a point, in cells.
#define SHARED 0.15
/// Distance beyond which a drop has no share, in cells.
#define NEAREST_REACH 1.5
/// Powers between which that of a region is sought, and rounds of halving: to 1e-3.
#define POWER_LEAST 0.0
#define POWER_MOST  2.0
#define ROUNDS      11
/// Smallest share of the way to the middle.
#define LEFT_LEAST 0.05
/// Longest ways of the even correction, in cells. Particles without pressure between them, in a puddle of a few, lie
/// closer than their volume allows: it needs more room than they show.
#define EVEN_IN  0.2
#define EVEN_OUT 1.0
/// Newton steps of it.
#define EVEN_ROUNDS 6
/// Distance at which a point is on a wall, in cells.
#define WALL_TOUCHED 0.02
/// A point farther from all walls, in cells, will not reach one.
#define WALL_NEAR 0.75
/// Times that points of drops are evened among their neighbours, and how far they go there, then back: a bump goes, the
/// size of the whole does not (Taubin 1995).
#define SMOOTHINGS  2
#define SMOOTH      0.5
#define SMOOTH_BACK (-0.52)

typedef struct fit_job {
    mn_surface_mesh         *mesh;
    const mn_surface_source *source;
    double                  *alone;                      // of each point: 0 the whole liquid, 1 drops alone
    double (*normal)[3];                                 // outward, of unit length, or zero: the point stays
    double (*inward)[3];                                 // way to the middle
    double (*wall)[4];                                   // normal of the wall nearest to each point, distance to it
    double (*start)[3];                                  // where the point was cut
    double  *log_share;                                  // log r
    double  *volume, *power, *low, *high, *even, *area;  // of each region
    uint8_t *at_solid;                                   // of each point: it has a neighbour on what cuts the liquid
    bool     fitted;                                     // drops are as small as they are
    uint8_t *has_drops;                                  // of each region
} fit_job;

// ---- what surrounds a point ----------------------------------------------------------------------------------------

static void alone_points(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const fit_job         *job = context;
    const mn_surface_mesh *m   = job->mesh;
    for (int64_t k = begin; k < end; k++)
        job->alone[k] = m->drop_count > 0 ? mn_surface_alone(m, mn_v3_from(m->position[k])) : 0.0;
}

static mn_vec3 place_of(const fit_job *job, int32_t i)
{
    const mn_surface_source *s = job->source;
    return mn_v3(s->position[0][i], s->position[1][i], s->grid.dimension == 3 ? s->position[2][i] : 0.0);
}

/// What the nearest drops say about a point: their middle, velocity, pigments, each weighted by nearness and volume.
typedef struct nearest {
    double  weight, volume;
    mn_vec3 middle;  // from the point
    double  velocity[3], pigment[MN_PIGMENTS_MOST];
} nearest;

static nearest look_within(const fit_job *job, mn_vec3 x, int reach)
{
    const mn_surface_mesh *m    = job->mesh;
    const mn_tiles        *t    = &m->coarse.tiles;
    const double           cell = t->def.cell, far2 = NEAREST_REACH * NEAREST_REACH * cell * cell;
    const int              deep = t->tile_z == 1 ? 0 : reach;
    nearest                sum  = { .weight = 0.0 };
    int32_t                at[3];
    mn_surface_nearest(t, x, at);
    const mn_surface_spot spot = mn_surface_spot_of(t, at);
    for (int k = -deep; k <= deep; k++)
        for (int j = -reach; j <= reach; j++)
            for (int i = -reach; i <= reach; i++) {
                const int64_t place = mn_surface_beside(t, &spot, i, j, k);
                for (int32_t n = m->bins.start[place]; n < m->bins.start[place + 1]; n++) {
                    const int32_t p = m->bins.order[n], drop = m->drop_of[p];
                    const mn_vec3 d  = mn_sub3(drop >= 0 ? m->drop[drop].center : place_of(job, p), x);
                    const double  d2 = mn_dot3(d, d);
                    if (d2 > far2) continue;
                    const double w = exp(-sqrt(d2) / (SHARED * cell)), v = w * job->source->volume[p];
                    sum.weight += w;
                    sum.volume += v;
                    sum.middle = mn_add3(sum.middle, mn_scale3(w, d));
                    for (int a = 0; a < 3; a++) sum.velocity[a] += v * job->source->velocity[a][p];
                    for (int q = 0; q < m->pigment_count; q++) sum.pigment[q] += w * job->source->pigment[q][p];
                }
            }
    if (sum.weight > 0.0) sum.middle = mn_scale3(1.0 / sum.weight, sum.middle);
    return sum;
}

/// The nearest is rarely more than a cell away.
static nearest look_near(const fit_job *job, mn_vec3 x)
{
    const nearest close = look_within(job, x, 1);
    return close.weight > 0.0 ? close : look_within(job, x, 2);
}

/// log of the share of the room inside the levels that particles fill around a point; 0 if that is more than all.
static double log_share(const mn_surface_mesh *m, mn_vec3 x)
{
    const mn_cells_around around = mn_tiles_around(&m->coarse.tiles, x);
    double                room = 0.0, filled = 0.0;
    for (int n = 0; n < around.count; n++) {
        const int64_t i = mn_around_place(&m->coarse.tiles, &around, n);
        room += around.weight[n] * m->room[i];
        filled += around.weight[n] * m->weight[i];
    }
    return room > 0.0 && filled > 0.0 ? fmin(0.0, log(filled / room)) : 0.0;
}

static void look_points(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const fit_job   *job = context;
    mn_surface_mesh *m   = job->mesh;
    for (int64_t k = begin; k < end; k++) {
        memset(job->inward[k], 0, sizeof job->inward[k]);
        job->log_share[k]  = 0.0;
        const double alone = job->alone[k];
        if (!(alone > 0.0)) continue;
        const mn_vec3 x = mn_v3_from(m->position[k]), n = mn_v3_from(job->normal[k]);
        const nearest near = look_near(job, x);
        if (!(near.volume > 0.0)) continue;
        for (int a = 0; a < 3; a++) m->velocity[k][a] += alone * (near.velocity[a] / near.volume - m->velocity[k][a]);
        for (int q = 0; q < m->pigment_count; q++)
            m->concentration[q][k] += alone * (near.pigment[q] / near.volume - m->concentration[q][k]);
        const mn_vec3 in = mn_scale3(fmin(0.0, mn_dot3(near.middle, n)), n), middle = mn_add3(x, in);
        job->inward[k][0] = alone * in.x, job->inward[k][1] = alone * in.y, job->inward[k][2] = alone * in.z;
        job->log_share[k] = log_share(m, middle);
    }
}

// ---- points among their neighbours ---------------------------------------------------------------------------------

static bool on_solid(const mn_surface_mesh *m, const int32_t *cell)
{
    return m->on_solid[cell[0]] || m->on_solid[cell[1]] || (m->fine.tiles.def.dimension == 3 && m->on_solid[cell[2]]);
}

/// Across a triangle, twice its area long; across a line, its length times the depth of the world.
static mn_vec3 across(const mn_surface_mesh *m, const int32_t *cell)
{
    const mn_vec3 p = mn_v3_from(m->position[cell[0]]), u = mn_sub3(mn_v3_from(m->position[cell[1]]), p);
    if (m->fine.tiles.def.dimension == 2) return mn_scale3(m->fine.tiles.def.depth, mn_v3(u.y, -u.x, 0.0));
    return mn_cross3(u, mn_sub3(mn_v3_from(m->position[cell[2]]), p));
}

static void take_normals(const fit_job *job)
{
    const mn_surface_mesh *m       = job->mesh;
    const int              corners = m->fine.tiles.def.dimension;
    memset(job->normal, 0, (size_t)m->point_count * sizeof *job->normal);
    for (int64_t k = 0; k < m->cell_count; k++) {
        const int32_t *cell = m->cells + corners * k;
        if (on_solid(m, cell)) continue;
        const mn_vec3 n = across(m, cell);
        for (int c = 0; c < corners; c++)
            job->normal[cell[c]][0] += n.x, job->normal[cell[c]][1] += n.y, job->normal[cell[c]][2] += n.z;
    }
    for (int64_t k = 0; k < m->point_count; k++) {
        const mn_vec3 n   = m->on_solid[k] ? mn_v3(0, 0, 0) : mn_unit3(mn_v3_from(job->normal[k]), mn_v3(0, 0, 0));
        job->normal[k][0] = n.x, job->normal[k][1] = n.y, job->normal[k][2] = n.z;
    }
}

/// Takes from a direction what leads off a wall that a point is on.
static mn_vec3 along_walls(const mn_surface_source *s, mn_vec3 x, mn_vec3 n)
{
    const double touching = WALL_TOUCHED * s->grid.cell;
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < s->solids.count; k++) {
            mn_vec3 off;
            if (fabs(mn_solids_distance((mn_solids){ &s->solids.list[k], 1 }, x, &off, NULL)) < touching)
                n = mn_sub3(n, mn_scale3(mn_dot3(n, off), off));
        }
    const mn_vec3 low = s->grid.origin;
    double        d[] = { n.x, n.y, n.z };
    for (int a = 0; a < s->grid.dimension; a++) {
        const double from = mn_get3(x, a) - mn_get3(low, a), period = s->grid.period[a] * MN_TILE * s->grid.cell;
        if (period > 0.0 && (fabs(from) < touching || fabs(from - period) < touching)) d[a] = 0.0;
    }
    return mn_v3_from(d);
}

static void slide_points(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const fit_job *job = context;
    for (int64_t k = begin; k < end; k++) {
        if (!job->at_solid[k]) continue;
        const mn_vec3 n   = along_walls(job->source, mn_v3_from(job->mesh->position[k]), mn_v3_from(job->normal[k]));
        job->normal[k][0] = n.x, job->normal[k][1] = n.y, job->normal[k][2] = n.z;
    }
}

/// Which points share a cell with one on a wall.
static void find_at_solid(const fit_job *job)
{
    const mn_surface_mesh *m       = job->mesh;
    const int              corners = m->fine.tiles.def.dimension;
    for (int64_t k = 0; k < m->cell_count; k++)
        for (int c = 0; c < corners && on_solid(m, m->cells + corners * k); c++)
            job->at_solid[m->cells[corners * k + c]] = 1;
}

/// How far points may go towards a wall: `wall` is its normal there and the distance to it.
static void find_walls(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const fit_job         *job = context;
    const mn_surface_mesh *m   = job->mesh;
    for (int64_t k = begin; k < end; k++) {
        const mn_vec3 x     = mn_v3_from(m->position[k]);
        mn_vec3       off   = { 0.0, 0.0, 0.0 };
        const double  level = mn_surface_level_at(&m->fine.tiles, m->fine.solid, x);
        double        room  = INFINITY;
        if (level > -WALL_NEAR * m->coarse.tiles.def.cell)
            room = mn_solids_distance(job->source->solids, x, &off, NULL);
        job->wall[k][0] = off.x, job->wall[k][1] = off.y, job->wall[k][2] = off.z;
        job->wall[k][3] = fmax(0.0, room);
    }
}

/// Their normals lead along that wall.
static void slide_on_walls(const fit_job *job)
{
    const mn_surface_mesh *m = job->mesh;
    mn_parallel_for(mn_context_pool(m->context), m->point_count, 64, slide_points, (void *)(uintptr_t)job);
}

/// Points of drops go a share of the way to the mean of their neighbours.
static void smooth_points(const fit_job *job, double share, double (*sum)[3], double *count)
{
    mn_surface_mesh *m       = job->mesh;
    const int        corners = m->fine.tiles.def.dimension;
    memset(sum, 0, (size_t)m->point_count * sizeof *sum);
    memset(count, 0, (size_t)m->point_count * sizeof *count);
    for (int64_t k = 0; k < m->cell_count; k++)
        for (int c = 0; c < corners; c++) {
            const int32_t p = m->cells[corners * k + c], q = m->cells[corners * k + (c + 1) % corners];
            if (!(job->alone[p] > 0.0)) continue;
            for (int a = 0; a < 3; a++) sum[p][a] += m->position[q][a];
            count[p] += 1.0;
        }
    for (int64_t k = 0; k < m->point_count; k++)
        for (int a = 0; a < 3 && count[k] > 0.0 && !job->at_solid[k] && m->lone[m->region_of[k]] < 0; a++)
            m->position[k][a] += share * job->alone[k] * (sum[k][a] / count[k] - m->position[k][a]);
}

/// The points around a particle that is alone, which the cutting puts on straight lines between levels, on its ball.
static void round_points(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const fit_job   *job = context;
    mn_surface_mesh *m   = job->mesh;
    for (int64_t k = begin; k < end; k++) {
        const int32_t lone = m->lone[m->region_of[k]], drop = lone >= 0 ? m->drop_of[lone] : -1;
        if (drop < 0 || job->at_solid[k]) continue;
        const mn_grid_def *g = &m->fine.tiles.def;
        const double radius  = job->fitted ? mn_surface_radius(g, job->source->volume[lone]) : m->drop[drop].radius;
        mn_vec3      center  = m->drop[drop].center;
        if (m->fine.tiles.def.dimension == 2) center.z = m->position[k][2];
        const mn_vec3 out = mn_unit3(mn_sub3(mn_v3_from(m->position[k]), center), mn_v3(0, 0, 0)),
                      x   = mn_add3(center, mn_scale3(radius, out));
        m->position[k][0] = x.x, m->position[k][1] = x.y, m->position[k][2] = x.z;
        job->normal[k][0] = out.x, job->normal[k][1] = out.y, job->normal[k][2] = out.z;
    }
}

// ---- volume --------------------------------------------------------------------------------------------------------

static void place_points(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const fit_job   *job = context;
    mn_surface_mesh *m   = job->mesh;
    for (int64_t k = begin; k < end; k++) {
        const int32_t r    = m->region_of[k];
        const double  gone = 1.0 - fmax(LEFT_LEAST, exp(job->power[r] * job->log_share[k]));
        double        way[3], off = 0.0;
        for (int a = 0; a < 3; a++) {
            way[a] = gone * job->inward[k][a] + job->even[r] * job->normal[k][a];
            off += way[a] * job->wall[k][a];
        }
        const double back = fmax(0.0, -off - job->wall[k][3]);
        for (int a = 0; a < 3; a++) m->position[k][a] = job->start[k][a] + way[a] + back * job->wall[k][a];
    }
}

/// Volumes of the regions, and how much they grow when all points go outward.
static void measure(const fit_job *job)
{
    const mn_surface_mesh *m       = job->mesh;
    const int              corners = m->fine.tiles.def.dimension;
    const mn_vec3          origin  = m->fine.tiles.def.origin;
    mn_parallel_for(mn_context_pool(m->context), m->point_count, MN_BLOCK, place_points, (void *)(uintptr_t)job);
    memset(job->volume, 0, (size_t)m->region_count * sizeof *job->volume);
    memset(job->area, 0, (size_t)m->region_count * sizeof *job->area);
    for (int64_t k = 0; k < m->cell_count; k++) {
        const int32_t *cell = m->cells + corners * k;
        const int32_t  r    = m->region_of[cell[0]];
        const mn_vec3  n = across(m, cell), p = mn_sub3(mn_v3_from(m->position[cell[0]]), origin);
        job->volume[r] += mn_dot3(n, p) / (corners == 3 ? 6.0 : 2.0);
        for (int c = 0; c < corners; c++)
            job->area[r] += mn_dot3(n, mn_v3_from(job->normal[cell[c]])) / (corners == 3 ? 6.0 : 2.0);
    }
}

/// The power of each region with drops, by halving: more of it is less volume.
static void find_powers(const fit_job *job)
{
    const mn_surface_mesh *m   = job->mesh;
    bool                   any = false;
    for (int32_t r = 0; r < m->region_count; r++) {
        job->low[r] = POWER_LEAST, job->high[r] = POWER_MOST, job->even[r] = 0.0;
        job->power[r] = 0.5 * (POWER_LEAST + POWER_MOST);
        any           = any || job->has_drops[r];
    }
    for (int round = 0; round < ROUNDS && any; round++) {
        measure(job);
        for (int32_t r = 0; r < m->region_count; r++) {
            if (job->volume[r] > m->content[r]) job->low[r] = job->power[r];
            else job->high[r] = job->power[r];
            job->power[r] = 0.5 * (job->low[r] + job->high[r]);
        }
    }
}

/// What is left, spread over the surface.
static void find_even(const fit_job *job)
{
    const mn_surface_mesh *m    = job->mesh;
    const double           cell = m->coarse.tiles.def.cell;
    for (int round = 0; round < EVEN_ROUNDS; round++) {
        measure(job);
        for (int32_t r = 0; r < m->region_count; r++)
            if (job->area[r] > 0.0)
                job->even[r] = fmax(-EVEN_IN * cell,
                                    fmin(EVEN_OUT * cell,
                                         job->even[r] + (m->content[r] - job->volume[r]) / job->area[r]));
    }
    mn_parallel_for(mn_context_pool(m->context), m->point_count, MN_BLOCK, place_points, (void *)(uintptr_t)job);
}

/// Memory of as many points as there are.
static mn_status take_points(fit_job *job)
{
    mn_arena     *arena      = job->mesh->arena;
    const int64_t n          = job->mesh->point_count;
    bool          all        = true;
    double(**of_points[])[3] = { &job->normal, &job->inward, &job->start };
    for (size_t k = 0; k < sizeof of_points / sizeof *of_points; k++)
        all = (*of_points[k] = mn_arena_take_zero(arena, mn_array_bytes(n, 3 * sizeof(double)))) != NULL && all;
    job->wall      = mn_arena_take(arena, mn_array_bytes(n, sizeof *job->wall));
    job->alone     = mn_arena_array(arena, double, n);
    job->log_share = mn_arena_array_zero(arena, double, n);
    job->at_solid  = mn_arena_array_zero(arena, uint8_t, n);
    return all && job->wall && job->at_solid && job->alone && job->log_share ? MN_OK : MN_ERR_MEMORY;
}

static mn_status take_regions(fit_job *job)
{
    mn_arena     *arena        = job->mesh->arena;
    const int64_t n            = job->mesh->region_count;
    bool          all          = true;
    double      **of_regions[] = { &job->volume, &job->power, &job->low, &job->high, &job->even, &job->area };
    for (size_t k = 0; k < sizeof of_regions / sizeof *of_regions; k++)
        all = (*of_regions[k] = mn_arena_array_zero(arena, double, n)) != NULL && all;
    job->has_drops = mn_arena_array_zero(arena, uint8_t, n);
    return all && job->has_drops ? MN_OK : MN_ERR_MEMORY;
}

/// Directions along which the points may go from where they are, and how far.
static void start_points(const fit_job *job)
{
    mn_surface_mesh *m    = job->mesh;
    mn_pool         *pool = mn_context_pool(m->context);
    slide_on_walls(job);
    mn_parallel_for(pool, m->point_count, 64, find_walls, (void *)(uintptr_t)job);
    memcpy(job->start, m->position, (size_t)m->point_count * sizeof *job->start);
}

/// Drops as large as the nodes need them become as small as they are.
static mn_status fit_drops(fit_job *job)
{
    mn_surface_mesh *m    = job->mesh;
    mn_pool         *pool = mn_context_pool(m->context);
    MN_TRY(take_points(job));
    mn_parallel_for(pool, m->point_count, MN_BLOCK, alone_points, job);
    for (int64_t k = 0; k < m->point_count; k++)
        if (job->alone[k] > 0.0) job->has_drops[m->region_of[k]] = 1;
    find_at_solid(job);
    for (int k = 0; k < 2 * SMOOTHINGS; k++)
        smooth_points(job, k % 2 == 0 ? SMOOTH : SMOOTH_BACK, job->normal, job->log_share);
    take_normals(job);
    mn_parallel_for(pool, m->point_count, MN_BLOCK, round_points, job);
    slide_on_walls(job);
    mn_parallel_for(pool, m->point_count, 64, look_points, job);
    start_points(job);
    find_powers(job);
    mn_parallel_for(pool, m->point_count, MN_BLOCK, place_points, job);
    take_normals(job);
    return mn_surface_round(m, (const double(*)[3])job->normal, job->at_solid);
}

mn_status mn_surface_fit(mn_surface_mesh *m, const mn_surface_source *s)
{
    fit_job job = { .mesh = m, .source = s };
    if (m->point_count == 0) return MN_OK;
    MN_TRY(take_regions(&job));
    for (int64_t k = 0; k < m->point_count; k++)
        if (m->on_solid[k]) m->lone[m->region_of[k]] = -2;  // no ball: a solid cuts it
    if (m->drop_count > 0) MN_TRY(fit_drops(&job));
    MN_TRY(take_points(&job));
    find_at_solid(&job);
    take_normals(&job);
    job.fitted = true;
    if (m->drop_count > 0) mn_parallel_for(mn_context_pool(m->context), m->point_count, MN_BLOCK, round_points, &job);
    start_points(&job);
    find_even(&job);
    return MN_OK;
}
