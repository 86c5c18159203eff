// SPDX-License-Identifier: MPL-2.0
// liquid/surface_sparse.c - liquid that the density does not show: sheets, threads, drops, down to single particles.
//
// Such a particle is an ellipsoid around the mean place of its neighbours, longer along the directions in which they
// lie (Yu and Turk 2013): those of a sheet are discs that join, those of a thread are links. The level is the smooth
// least of their distances and of that of the whole liquid. No ellipsoid is smaller than the nodes can show: the sheet
// is in one piece, and thicker than it is. surface_fit.c takes that away again.
#include "liquid/surface_mesh_private.h"

#include "base/pool.h"

#include <string.h>

/// Level of the whole liquid, in cells, over which a particle on its way out becomes a drop.
#define OUT_FADE 0.3
/// Liquid is thin where the level is nowhere deeper than this within a cell, in cells, and whole from the other on.
#define THIN_DEPTH  0.3
#define WHOLE_DEPTH 0.7
/// Shortest half axis, in cells: a ball of it has one of the fine nodes inside wherever it lies (sqrt(3) / 4).
#define SHORTEST 0.46
/// That of a particle with nobody around, in cells, so that the ball has some thirty triangles. Who with so many
/// neighbours (by weight) is not alone: one that is does not touch another.
#define SHORTEST_ALONE  0.6
#define NEIGHBOURS_NONE 0.15
/// Longest half axis, in cells.
#define LONGEST 0.8
/// Square of a half axis beyond the shortest, over the spread of the neighbours along it. A sheet that fills the kernel
/// has a spread of 0.28 cells^2, and gets the longest.
#define STRETCH 2.0
/// Distance of neighbours, in cells, and how many of them (by weight) are needed to tell a direction.
#define NEIGHBOUR_REACH 1.5
#define NEIGHBOURS_FEW  1.0
#define NEIGHBOURS_MANY 3.0
/// Share of the way to the mean place of its neighbours.
#define EVENED 0.6
/// Distance over which surfaces melt into one another, in cells, and beyond which one is not felt.
#define MELT 0.08
#define FELT 0.5

typedef struct drop_job {
    mn_surface_mesh         *mesh;
    const mn_surface_source *source;
    double                  *size;  // of each particle: 0 the whole liquid shows it, 1 it is a drop
} drop_job;

static mn_vec3 place_of(const mn_surface_source *s, int64_t i)
{
    return mn_v3(s->position[0][i], s->position[1][i], s->grid.dimension == 3 ? s->position[2][i] : 0.0);
}

/// The deepest level among a node and those around it.
static void deepest_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_surface_mesh *m    = ((const drop_job *)context)->mesh;
    const mn_tiles  *t    = &m->coarse.tiles;
    const int        flat = t->tile_z == 1;
    for (int64_t tile = begin; tile < end; tile++)
        for (int32_t k = 0; k < t->cells; k++) {
            const int x = k % MN_TILE, y = k / MN_TILE % MN_TILE, z = k / (MN_TILE * MN_TILE);
            double    least = MN_SURFACE_FAR * t->def.cell;
            for (int c = flat ? 0 : z - 1; c <= (flat ? 0 : z + 1) && tile > 0; c++)
                for (int b = y - 1; b <= y + 1; b++)
                    for (int a = x - 1; a <= x + 1; a++) {
                        const int32_t own = t->neighbor[tile][13 + (a >> 3) + 3 * (b >> 3) + 9 * (c >> 3)];
                        const int64_t at  = (int64_t)own * t->cells + mn_cell_in_tile(a & 7, b & 7, c & 7);
                        if (own > 0) least = fmin(least, m->coarse.level[at]);
                    }
            m->deepest[tile * t->cells + k] = least;
        }
}

double mn_surface_alone(const mn_surface_mesh *m, mn_vec3 x)
{
    const double cell = m->coarse.tiles.def.cell;
    const double out  = mn_surface_level_at(&m->coarse.tiles, m->coarse.level, x) / cell,
                 deep = mn_surface_level_at(&m->coarse.tiles, m->deepest, x) / cell;
    return fmax(mn_surface_smooth_step(out / OUT_FADE),
                mn_surface_smooth_step((deep + WHOLE_DEPTH) / (WHOLE_DEPTH - THIN_DEPTH)));
}

static void size_particles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const drop_job *job = context;
    for (int64_t i = begin; i < end; i++) job->size[i] = mn_surface_alone(job->mesh, place_of(job->source, i));
}

// ---- one ellipsoid -------------------------------------------------------------------------------------------------

/// What a particle sees around it.
typedef struct around {
    double  weight;
    mn_vec3 mean;       // from the particle
    double  spread[6];  // xx, yy, zz, xy, xz, yz about the mean
} around;

static around look_around(const drop_job *job, mn_vec3 x)
{
    const mn_surface_mesh *m      = job->mesh;
    const mn_tiles        *t      = &m->coarse.tiles;
    const double           reach2 = NEIGHBOUR_REACH * NEIGHBOUR_REACH * t->def.cell * t->def.cell;
    const int              flat   = t->tile_z == 1;
    around                 a      = { .weight = 0.0 };
    int32_t                at[3];
    mn_surface_nearest(t, x, at);
    const mn_surface_spot spot = mn_surface_spot_of(t, at);
    for (int k = flat ? 0 : -2; k <= (flat ? 0 : 2); k++)
        for (int j = -2; j <= 2; j++)
            for (int i = -2; i <= 2; i++) {
                const int64_t cell = mn_surface_beside(t, &spot, i, j, k);
                for (int32_t n = m->bins.start[cell]; n < m->bins.start[cell + 1]; n++) {
                    const mn_vec3 d = mn_sub3(place_of(job->source, m->bins.order[n]), x);
                    const double  r = mn_dot3(d, d) / reach2;
                    if (r >= 1.0) continue;
                    const double w = (1.0 - r) * (1.0 - r);
                    a.weight += w;
                    a.mean = mn_add3(a.mean, mn_scale3(w, d));
                    a.spread[0] += w * d.x * d.x, a.spread[1] += w * d.y * d.y, a.spread[2] += w * d.z * d.z;
                    a.spread[3] += w * d.x * d.y, a.spread[4] += w * d.x * d.z, a.spread[5] += w * d.y * d.z;
                }
            }
    const mn_vec3 c = a.mean = mn_scale3(1.0 / a.weight, a.mean);  // the particle itself weighs 1
    const double  about[]    = { c.x * c.x, c.y * c.y, c.z * c.z, c.x * c.y, c.x * c.z, c.y * c.z };
    for (int n = 0; n < 6; n++) a.spread[n] = a.spread[n] / a.weight - about[n];
    return a;
}

/// Least and largest eigenvalue of a symmetric matrix, by the angles of its cubic.
static void extremes(const double s[6], int dimension, double *least, double *largest)
{
    if (dimension == 2) {
        const double middle = 0.5 * (s[0] + s[1]), away = hypot(0.5 * (s[0] - s[1]), s[3]);
        *least = middle - away, *largest = middle + away;
        return;
    }
    const double q = (s[0] + s[1] + s[2]) / 3.0, a = s[0] - q, b = s[1] - q, c = s[2] - q;
    const double p = sqrt((a * a + b * b + c * c + 2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])) / 6.0);
    *least = *largest = q;
    if (!(p > 0.0)) return;
    const double det = a * (b * c - s[5] * s[5]) - s[3] * (s[3] * c - s[5] * s[4]) + s[4] * (s[3] * s[5] - b * s[4]);
    const double phi = acos(fmax(-1.0, fmin(1.0, det / (2.0 * p * p * p)))) / 3.0;
    *largest         = q + 2.0 * p * cos(phi);
    *least           = q + 2.0 * p * cos(phi + 2.0 * 3.14159265358979323846 / 3.0);
}

/// Inverse of a symmetric positive definite matrix.
static void invert(const double s[6], double out[6])
{
    const double xx = s[1] * s[2] - s[5] * s[5], xy = s[4] * s[5] - s[3] * s[2], xz = s[3] * s[5] - s[4] * s[1];
    const double one = 1.0 / (s[0] * xx + s[3] * xy + s[4] * xz);
    out[0] = one * xx, out[3] = one * xy, out[4] = one * xz;
    out[1] = one * (s[0] * s[2] - s[4] * s[4]);
    out[2] = one * (s[0] * s[1] - s[3] * s[3]);
    out[5] = one * (s[3] * s[4] - s[0] * s[5]);
}

static mn_surface_drop drop_from(const drop_job *job, int64_t i)
{
    const mn_grid_def *g     = &job->source->grid;
    const mn_vec3      x     = place_of(job->source, i);
    const around       a     = look_around(job, x);
    const double       shown = SHORTEST_ALONE +
                         (SHORTEST - SHORTEST_ALONE) * mn_surface_smooth_step((a.weight - 1.0) / NEIGHBOURS_NONE);
    const double radius = job->size[i] * fmax(shown * g->cell, mn_surface_radius(g, job->source->volume[i]));
    const double clear = mn_surface_smooth_step((a.weight - 1.0 - NEIGHBOURS_FEW) / (NEIGHBOURS_MANY - NEIGHBOURS_FEW));
    const double cap   = fmax(radius, job->size[i] * LONGEST * g->cell);
    double       least, largest, square[6];
    extremes(a.spread, g->dimension, &least, &largest);
    const double more    = largest - least > 0.0 ? (cap * cap - radius * radius) / (largest - least) : 0.0,
                 stretch = clear * fmin(STRETCH, more);
    for (int n = 0; n < 6; n++)
        square[n] = stretch * (a.spread[n] - (n < 3 ? least : 0.0)) + (n < 3 ? radius * radius : 0.0);
    if (g->dimension == 2) square[2] = radius * radius, square[4] = square[5] = 0.0;
    const double    evened = EVENED * mn_surface_smooth_step((a.weight - 1.0) / NEIGHBOURS_FEW);
    mn_surface_drop d      = { .center = mn_add3(x, mn_scale3(evened, a.mean)), .radius = radius };
    d.reach                = sqrt(radius * radius + stretch * (largest - least));
    invert(square, d.form);
    return d;
}

static void make_drops(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const drop_job *job = context;
    for (int64_t i = begin; i < end; i++)
        if (job->mesh->drop_of[i] >= 0) job->mesh->drop[job->mesh->drop_of[i]] = drop_from(job, i);
}

mn_status mn_surface_find_drops(mn_surface_mesh *m, const mn_surface_source *s)
{
    mn_pool *pool = mn_context_pool(m->context);
    drop_job job  = { .mesh = m, .source = s, .size = mn_arena_array(m->arena, double, s->count) };
    m->drop_of    = mn_arena_array(m->arena, int32_t, s->count);
    m->sparse     = mn_arena_array_zero(m->arena, uint8_t, (int64_t)m->coarse.tiles.count * m->coarse.tiles.cells);
    if (job.size == NULL || m->drop_of == NULL || m->sparse == NULL) return MN_ERR_MEMORY;
    m->deepest = mn_arena_array(m->arena, double, (int64_t)m->coarse.tiles.count * m->coarse.tiles.cells);
    if (m->deepest == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, m->coarse.tiles.count, 4, deepest_tiles, &job);
    mn_parallel_for(pool, s->count, MN_BLOCK, size_particles, &job);
    m->drop_count = 0;
    for (int64_t i = 0; i < s->count; i++) m->drop_of[i] = job.size[i] > 1e-3 ? m->drop_count++ : -1;
    m->drop = mn_arena_array(m->arena, mn_surface_drop, m->drop_count);
    if (m->drop == NULL) return MN_ERR_MEMORY;
    for (int64_t i = 0; i < s->count; i++) {
        int32_t at[3];
        mn_surface_nearest(&m->coarse.tiles, place_of(s, i), at);
        if (m->drop_of[i] >= 0) m->sparse[mn_surface_place(&m->coarse.tiles, at[0], at[1], at[2])] = 1;
    }
    mn_parallel_for(pool, s->count, 64, make_drops, &job);
    return MN_OK;
}

// ---- their level ---------------------------------------------------------------------------------------------------

/// Add exp(-distance / melt) of a drop to the sums of a tile whose first node is at `first`.
static void add_drop(const mn_surface_drop *d, const mn_grid_def *g, mn_vec3 first, double coarse, double *sum)
{
    const double far = d->reach + FELT * coarse, rate = 1.0 / (MELT * coarse);
    int          low[3] = { 0, 0, 0 }, high[3] = { 0, 0, 0 };
    for (int a = 0; a < g->dimension; a++) {
        const double from = mn_get3(d->center, a) - mn_get3(first, a);
        low[a]            = (int)fmax(0.0, fmin(MN_TILE, ceil((from - far) / g->cell)));
        high[a]           = (int)fmax(-1.0, fmin(MN_TILE - 1, floor((from + far) / g->cell)));
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                const double u = first.x + g->cell * x - d->center.x, v = first.y + g->cell * y - d->center.y,
                             w         = g->dimension == 3 ? first.z + g->cell * z - d->center.z : 0.0;
                const double *f        = d->form;
                const double  q        = sqrt(f[0] * u * u + f[1] * v * v + f[2] * w * w +
                                              2.0 * (f[3] * u * v + f[4] * u * w + f[5] * v * w));
                const double  distance = d->radius * (q - 1.0);
                if (distance < FELT * coarse) sum[mn_cell_in_tile(x, y, z)] += exp(-rate * distance);
            }
}

/// Whether any of the coarse cells that reach into a fine tile has a drop; adds those to `sum`.
static bool sum_drops(const mn_surface_mesh *m, int32_t tile, double *sum)
{
    const mn_tiles       *c = &m->coarse.tiles, *f = &m->fine.tiles;
    const mn_tile_coord   at    = f->coord[tile];
    const mn_vec3         first = mn_surface_node(f, tile, 0, 0, 0);
    const int             flat = c->tile_z == 1, low = -2, high = MN_TILE / 2 + 2;
    bool                  any      = false;
    const int32_t         origin[] = { at.x * 4, at.y * 4, flat ? 0 : at.z * 4 };
    const mn_surface_spot spot     = mn_surface_spot_of(c, origin);
    for (int k = flat ? 0 : low; k <= (flat ? 0 : high); k++)
        for (int j = low; j <= high; j++)
            for (int i = low; i <= high; i++) {
                const int64_t cell = mn_surface_beside(c, &spot, i, j, k);
                if (!m->sparse[cell]) continue;
                for (int32_t n = m->bins.start[cell]; n < m->bins.start[cell + 1]; n++) {
                    const int32_t drop = m->drop_of[m->bins.order[n]];
                    if (drop < 0) continue;
                    add_drop(&m->drop[drop], &f->def, first, c->def.cell, sum);
                    any = true;
                }
            }
    return any;
}

static void join_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_surface_mesh *m    = context;
    const double     melt = MELT * m->coarse.tiles.def.cell;
    double           sum[MN_TILE * MN_TILE * MN_TILE];
    for (int64_t t = begin; t < end; t++) {
        memset(sum, 0, sizeof sum);
        m->joined[t] = t > 0 && sum_drops(m, (int32_t)t, sum);
        if (!m->joined[t]) continue;
        double *level = m->fine.level + t * m->fine.tiles.cells;
        for (int32_t k = 0; k < m->fine.tiles.cells; k++)
            if (sum[k] > 0.0) {
                const double own = -melt * log(sum[k]), low = fmin(own, level[k]), high = fmax(own, level[k]);
                level[k] = low - melt * log1p(exp((low - high) / melt));
            }
    }
}

mn_status mn_surface_join_drops(mn_surface_mesh *m)
{
    m->joined = mn_arena_array_zero(m->arena, uint8_t, m->fine.tiles.count);
    if (m->joined == NULL) return MN_ERR_MEMORY;
    if (m->drop_count > 0) mn_parallel_for(mn_context_pool(m->context), m->fine.tiles.count, 2, join_tiles, m);
    return MN_OK;
}
