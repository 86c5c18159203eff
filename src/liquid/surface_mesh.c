// SPDX-License-Identifier: MPL-2.0
// liquid/surface_mesh.c - density, level set and velocity of the liquid at the corners of the cells.
//
// The density of liquid 5.2 is taken at the corners of the simulation's cells rather than at their centres: walls of
// the domain pass through corners, so that a basin's edges and flat sides come out exactly. Two level sets are kept
// apart, that of the liquid and that of what cuts it; a crossing is found in each of them alone and the nearer one
// counts, which keeps the line where the surface meets a wall sharp (the larger of both would bend it over a whole
// cell). What the density does not show, and how the mesh follows from the levels, is in the files that
// surface_mesh_private.h lists.
#include "liquid/surface_mesh_private.h"

#include "base/pool.h"
#include "grid/levelset.h"
#include "grid/transfer.h"

#include <string.h>

/// Cells around the particles that the kernel and the cubes cut through them can reach.
#define MARGIN 2
/// Cells next to a periodic end from which images are needed: the kernel, and a node beyond the end.
#define IMAGE_REACH 4.0
/// A node inside a solid whose kernel is less open than this sees too few particles to tell where between it and its
/// neighbour the liquid ends: it ends at the solid then.
#define OPEN_SURE 0.05
/// Largest shift for curvature, in cells (liquid 5.2).
#define BENT_MAX 0.1
/// Change of the smoothed density over a cell from which on it has a direction; at a flat surface it is 0.44.
#define CLEAR_SLOPE 0.15

mn_status mn_surface_mesh_create(mn_context *c, mn_surface_mesh **out)
{
    *out               = NULL;
    mn_surface_mesh *m = mn_alloc(c, sizeof *m);
    if (m == NULL) return MN_ERR_MEMORY;
    m->context = c;
    mn_cube_cases_make(&m->cases);
    mn_status status = mn_arena_create(c, &m->arena);
    if (status == MN_OK) status = mn_solid_cache_create(c, 0, &m->cache);
    if (status != MN_OK) mn_surface_mesh_destroy(&m);
    *out = m;
    return status;
}

void mn_surface_mesh_destroy(mn_surface_mesh **mesh)
{
    mn_surface_mesh *m = *mesh;
    if (m == NULL) return;
    mn_context *c = m->context;
    if (m->cache != NULL) mn_solid_cache_destroy(c, &m->cache);
    mn_arena_destroy(&m->arena);
    mn_free(c, m->position);
    mn_free(c, m->velocity);
    mn_free(c, m->cells);
    for (int k = 0; k < MN_PIGMENTS_MOST; k++) mn_free(c, m->concentration[k]);
    mn_free(c, m);
    *mesh = NULL;
}

// ---- periodic axes -------------------------------------------------------------------------------------------------

static double period_of(const mn_grid_def *g, int axis)
{
    return axis < g->dimension ? g->period[axis] * MN_TILE * g->cell : 0.0;
}

/// Where particle i appears again beyond an end of a periodic axis, if that is near enough to matter.
static bool image_of(const mn_surface_source *s, int axis, int64_t i, int side, double *x)
{
    const double period = period_of(&s->grid, axis), low = mn_get3(s->grid.origin, axis),
                 reach = IMAGE_REACH * s->grid.cell;
    *x                 = s->position[axis][i] + side * period;
    return *x >= low - reach && *x <= low + period + reach;
}

static int64_t count_images(const mn_surface_source *s, int axis)
{
    int64_t count = 0;
    double  x;
    for (int64_t i = 0; i < s->count; i++) count += image_of(s, axis, i, -1, &x) + image_of(s, axis, i, 1, &x);
    return count;
}

/// A copy of the particles with their images along an axis; the grid itself does not repeat.
static mn_status add_images(mn_surface_mesh *m, int axis, mn_surface_source *s)
{
    const double *from[7 + MN_PIGMENTS_MOST] = { s->position[0], s->position[1], s->position[2], s->velocity[0],
                                                 s->velocity[1], s->velocity[2], s->volume };
    const int     fields                     = 7 + s->pigment_count;
    const int64_t total                      = s->count + count_images(s, axis);
    double       *to[7 + MN_PIGMENTS_MOST]   = { NULL };
    for (int k = 0; k < s->pigment_count; k++) from[7 + k] = s->pigment[k];
    for (int k = 0; k < fields; k++) {
        to[k] = mn_arena_array(m->arena, double, total);
        if (to[k] == NULL) return MN_ERR_MEMORY;
        if (s->count > 0) memcpy(to[k], from[k], (size_t)s->count * sizeof *to[k]);
    }
    int64_t n = s->count;
    double  x;
    for (int64_t i = 0; i < s->count; i++)
        for (int side = -1; side <= 1; side += 2) {
            if (!image_of(s, axis, i, side, &x)) continue;
            for (int k = 0; k < fields; k++) to[k][n] = from[k][i];
            to[axis][n++] = x;
        }
    for (int a = 0; a < 3; a++) s->position[a] = to[a], s->velocity[a] = to[3 + a];
    for (int k = 0; k < s->pigment_count; k++) s->pigment[k] = to[7 + k];
    s->volume = to[6];
    s->count  = total;
    return MN_OK;
}

static mn_status with_images(mn_surface_mesh *m, mn_surface_source *s)
{
    for (int axis = 0; axis < s->grid.dimension; axis++)
        if (period_of(&s->grid, axis) > 0.0) MN_TRY(add_images(m, axis, s));
    return MN_OK;
}

// ---- fields --------------------------------------------------------------------------------------------------------

static mn_grid_def node_grid(const mn_grid_def *simulation)
{
    mn_grid_def  g    = *simulation;
    const double half = 0.5 * g.cell;
    g.origin          = mn_sub3(g.origin, mn_v3(half, half, g.dimension == 3 ? half : 0.0));
    for (int a = 0; a < g.dimension; a++) g.period[a] = 0;
    return g;
}

typedef struct carried_job {
    const double *velocity, *volume;
    double       *out;
} carried_job;

static void carry_particles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const carried_job *job = context;
    for (int64_t i = begin; i < end; i++) job->out[i] = job->volume[i] * job->velocity[i];
}

static mn_status take_fields(mn_surface_mesh *m)
{
    const int64_t n  = (int64_t)m->coarse.tiles.count * m->coarse.tiles.cells;
    m->weight        = mn_arena_array(m->arena, double, n);
    m->coarse.level  = mn_arena_array(m->arena, double, n);
    m->coarse.solid  = mn_arena_array(m->arena, double, n);
    m->coarse.unsure = mn_arena_array(m->arena, uint8_t, n);
    return m->weight && m->coarse.level && m->coarse.solid && m->coarse.unsure ? MN_OK : MN_ERR_MEMORY;
}

static mn_status carry(mn_surface_mesh *m, const mn_surface_source *s, double *carried)
{
    for (int a = 0; a < 3; a++) {
        carried_job job = { .velocity = s->velocity[a], .volume = s->volume, .out = carried };
        mn_parallel_for(mn_context_pool(m->context), s->count, MN_BLOCK, carry_particles, &job);
        MN_TRY(mn_particles_to_cells(m->context, m->arena, &m->coarse.tiles, &m->bins, s->position, carried,
                                     m->momentum[a]));
    }
    for (int k = 0; k < m->pigment_count; k++)
        MN_TRY(mn_particles_to_cells(m->context, m->arena, &m->coarse.tiles, &m->bins, s->position, s->pigment[k],
                                     m->dissolved[k]));
    return MN_OK;
}

/// What the liquid carries with it. After the level sets: the fields these are made from are gone then.
static mn_status carried_fields(mn_surface_mesh *m, const mn_surface_source *s)
{
    const int64_t n   = (int64_t)m->coarse.tiles.count * m->coarse.tiles.cells;
    bool          all = true;
    for (int k = 0; k < m->pigment_count; k++)
        all = (m->dissolved[k] = mn_arena_array(m->arena, double, n)) != NULL && all;
    for (int a = 0; a < 3; a++) all = (m->momentum[a] = mn_arena_array(m->arena, double, n)) != NULL && all;
    if (!all) return MN_ERR_MEMORY;
    const mn_arena_mark mark    = mn_arena_begin(m->arena);
    double             *carried = mn_arena_array(m->arena, double, s->count);
    const mn_status     status  = carried != NULL ? carry(m, s, carried) : MN_ERR_MEMORY;
    mn_arena_end(m->arena, mark);
    return status;
}

typedef struct level_job {
    mn_surface_mesh         *mesh;
    const mn_surface_source *source;
    const mn_solid_fields   *solid;
    double                  *density, *open, *smooth;
    bool                     periodic;
} level_job;

/// The density (E2), and the open part of the kernel as the weight of its smoothing.
static void density_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const level_job *job   = context;
    mn_surface_mesh *m     = job->mesh;
    const int32_t    cells = m->coarse.tiles.cells;
    for (int64_t i = begin * cells; i < end * cells; i++) {
        const double open   = (double)job->solid->kernel_open[i];
        const bool   any    = open > MN_OPEN_MIN;
        job->open[i]        = any ? open : 0.0;
        job->density[i]     = any ? m->weight[i] / open : 0.0;
        m->coarse.unsure[i] = open < OPEN_SURE;
    }
}

/// Sum of the principal curvatures of the level lines of the smoothed density at a node, times the cell. 0 where it has
/// no clear direction: in the middle of sheets and threads.
static double curvature(const level_job *job, int32_t tile, int32_t cell)
{
    const mn_tiles *t    = &job->mesh->coarse.tiles;
    const double   *f    = job->smooth;
    const int       axes = t->def.dimension;
    const double    here = f[(int64_t)tile * t->cells + cell];
    double          d[3] = { 0.0, 0.0, 0.0 }, trace = 0.0, along = 0.0;
    for (int a = 0; a < axes; a++) {
        const double low = f[mn_cell_next(t, tile, cell, a, -1)], high = f[mn_cell_next(t, tile, cell, a, 1)];
        d[a] = 0.5 * (high - low);
    }
    for (int a = 0; a < axes; a++) {
        const int64_t low = mn_cell_next(t, tile, cell, a, -1), high = mn_cell_next(t, tile, cell, a, 1);
        const double  second = f[low] - 2.0 * here + f[high];
        trace += second;
        along += d[a] * d[a] * second;
        for (int b = 0; b < a; b++) {
            double mixed = 0.0;
            for (int side = -1; side <= 1; side += 2) {
                const int64_t at      = side < 0 ? low : high;
                const int32_t at_tile = (int32_t)(at / t->cells), at_cell = (int32_t)(at % t->cells);
                mixed += side *
                         (f[mn_cell_next(t, at_tile, at_cell, b, 1)] - f[mn_cell_next(t, at_tile, at_cell, b, -1)]);
            }
            along += 2.0 * d[a] * d[b] * 0.25 * mixed;
        }
    }
    const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    return square > CLEAR_SLOPE * CLEAR_SLOPE ? -(square * trace - along) / (square * sqrt(square)) : 0.0;
}

/// The level set of the liquid alone, (E3). A bent surface is read too far inside by an eighth of its curvature
/// (liquid 5.2); near it this is put right, with the curvature of the smoothed density because differences of the
/// density itself are noise.
static void liquid_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const level_job *job  = context;
    mn_surface_mesh *m    = job->mesh;
    const double     cell = m->coarse.tiles.def.cell;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t k = 0; k < m->coarse.tiles.cells; k++) {
            const int64_t i     = (int64_t)t * m->coarse.tiles.cells + k;
            double        depth = t > 0 ? mn_depth_of_density(job->density[i]) : -MN_SURFACE_FAR;
            if (fabs(depth) < 1.0 && t > 0 && !m->coarse.unsure[i])
                depth += fmax(-BENT_MAX, fmin(BENT_MAX, 0.125 * curvature(job, t, k)));
            m->coarse.level[i] = -cell * depth;
        }
}

double mn_surface_cutting_level(const mn_surface_source *s, mn_vec3 x, bool near_solid)
{
    double level = near_solid ? -mn_solids_distance(s->solids, x, NULL, NULL) : -INFINITY;
    for (int a = 0; a < s->grid.dimension; a++) {
        const double period = period_of(&s->grid, a), low = mn_get3(s->grid.origin, a), at = mn_get3(x, a);
        if (period > 0.0) level = fmax(level, fmax(low - at, at - (low + period)));
    }
    return level - MN_SURFACE_SKIN * s->grid.cell;
}

/// Whether a node or one around it sees liquid.
static bool near_liquid(const mn_surface_mesh *m, int32_t tile, int32_t cell)
{
    const mn_tiles *t = &m->coarse.tiles;
    const int flat = t->tile_z == 1, x = cell % MN_TILE, y = cell / MN_TILE % MN_TILE, z = cell / (MN_TILE * MN_TILE);
    for (int k = flat ? 0 : z - 1; k <= (flat ? 0 : z + 1); k++)
        for (int j = y - 1; j <= y + 1; j++)
            for (int i = x - 1; i <= x + 1; i++) {
                const int32_t own = t->neighbor[tile][13 + (i >> 3) + 3 * (j >> 3) + 9 * (k >> 3)];
                if (m->weight[(int64_t)own * t->cells + mn_cell_in_tile(i & 7, j & 7, k & 7)] > 0.0) return true;
            }
    return false;
}

static void cutting_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const level_job *job   = context;
    mn_surface_mesh *m     = job->mesh;
    const int32_t    cells = m->coarse.tiles.cells;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t k = 0; k < cells; k++) {
            const int64_t i          = (int64_t)t * cells + k;
            const bool    near_solid = job->solid->kernel_open[i] < 1.0f;  // else none is within reach of an edge
            m->coarse.solid[i]       = -INFINITY;
            if (t > 0 && (near_solid || job->periodic) && near_liquid(m, t, k))
                m->coarse.solid[i] = mn_surface_cutting_level(job->source, mn_cell_centre(&m->coarse.tiles, t, k),
                                                              near_solid);
        }
}

static mn_status make_levels(mn_surface_mesh *m, const mn_surface_source *s)
{
    const int64_t   n    = (int64_t)m->coarse.tiles.count * m->coarse.tiles.cells;
    mn_pool        *pool = mn_context_pool(m->context);
    mn_solid_fields solid;
    MN_TRY(mn_solid_fields_build(m->context, m->arena, &m->coarse.tiles, s->solids, m->cache, &solid));
    level_job job = { .mesh = m, .source = s, .solid = &solid };
    job.density   = mn_arena_array(m->arena, double, n);
    job.open      = mn_arena_array(m->arena, double, n);
    job.smooth    = mn_arena_array(m->arena, double, n);
    if (job.density == NULL || job.open == NULL || job.smooth == NULL) return MN_ERR_MEMORY;
    for (int a = 0; a < 3; a++) job.periodic = job.periodic || period_of(&s->grid, a) > 0.0;
    mn_parallel_for(pool, m->coarse.tiles.count, 4, density_tiles, &job);
    mn_density_smooth(m->context, &m->coarse.tiles, job.density, job.open, job.smooth);
    mn_parallel_for(pool, m->coarse.tiles.count, 4, liquid_tiles, &job);
    mn_parallel_for(pool, m->coarse.tiles.count, 4, cutting_tiles, &job);
    return MN_OK;
}

static mn_status level_fields(mn_surface_mesh *m, const mn_surface_source *s)
{
    const mn_arena_mark mark   = mn_arena_begin(m->arena);
    const mn_status     status = make_levels(m, s);
    mn_arena_end(m->arena, mark);
    return status;
}

static mn_status make(mn_surface_mesh *m, mn_surface_source *s)
{
    const int64_t own = s->count;
    MN_TRY(mn_arena_reset(m->arena));
    MN_TRY(with_images(m, s));
    const mn_grid_def grid = node_grid(&s->grid);
    MN_TRY(mn_bins_build(m->context, m->arena, &grid, s->position, s->count, MARGIN, &m->coarse.tiles, &m->bins));
    MN_TRY(take_fields(m));
    MN_TRY(mn_particles_to_cells(m->context, m->arena, &m->coarse.tiles, &m->bins, s->position, s->volume, m->weight));
    MN_TRY(mn_check_interrupt(m->context, "the surface"));
    MN_TRY(level_fields(m, s));
    MN_TRY(mn_check_interrupt(m->context, "the surface"));
    MN_TRY(carried_fields(m, s));
    MN_TRY(mn_check_interrupt(m->context, "the surface"));
    MN_TRY(mn_surface_refine(m, s));
    MN_TRY(mn_surface_find_drops(m, s));
    MN_TRY(mn_surface_join_drops(m));
    MN_TRY(mn_surface_see_room(m));
    MN_TRY(mn_check_interrupt(m->context, "the surface"));
    MN_TRY(mn_surface_regions(m, s, own));
    MN_TRY(mn_surface_cut(m));
    MN_TRY(mn_check_interrupt(m->context, "the surface"));
    return mn_surface_fit(m, s);
}

mn_status mn_surface_mesh_make(mn_surface_mesh *m, const mn_surface_source *source, mn_surface_view *out)
{
    mn_surface_source s = *source;
    *out                = (mn_surface_view){ .corners = s.grid.dimension };
    m->point_count = m->cell_count = 0;
    m->pigment_count               = s.pigment_count;
    const mn_status status         = make(m, &s);
    mn_arena_release(m->arena);  // as large as the scratch of a step, and not needed before the next frame
    if (status != MN_OK) return status;
    *out = (mn_surface_view){ .point_count = m->point_count,
                              .cell_count  = m->cell_count,
                              .position    = (const double(*)[3])m->position,
                              .velocity    = (const double(*)[3])m->velocity,
                              .corners     = s.grid.dimension,
                              .cells       = m->cells };
    for (int k = 0; k < m->pigment_count; k++) out->concentration[k] = m->concentration[k];
    return MN_OK;
}
