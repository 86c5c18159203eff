// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity_weights.c - where the liquid is for the viscosity: volumes of faces, cells and edges. liquid 5.12
//
// The liquid part of a cell follows from the level set; that of the volume around a face is the mean of its two cells,
// around an edge of its four. Volumes cut more sharply (the parts of a cell by the interpolated level set) leave
// faces without mass at the surface and take up to twice the iterations for 1 % in the decay of S1.3.
#include "liquid/viscosity_private.h"

#include <string.h>

/// Liquid part of a face's volume below which the face is left to the pressure.
#define MASS_MIN 0.01
/// Nearest a wall counts, in cells: bounds the condition number where a wall nearly touches a face.
#define WALL_MIN 0.1

typedef struct weights_job {
    mn_viscosity_matrix *m;
    uint8_t             *held;    // per row of the grid, bits: the cell holds liquid
    uint8_t             *marked;  // per row of the grid: it takes part
} weights_job;

// Rows that take part

static double part_of(double level, double dx)
{
    const double f = 0.5 - level / dx;
    return f < 0.0 ? 0.0 : f > 1.0 ? 1.0 : f;
}

static void held_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const weights_job *job   = context;
    const mn_tiles    *t     = &job->m->q->grid.tiles;
    const double      *level = job->m->q->grid.level;
    for (int64_t p = begin * mn_rows_of(t); p < end * mn_rows_of(t); p++) {
        uint8_t bits = 0;
        for (int x = 0; x < MN_TILE; x++) bits |= (uint8_t)((part_of(level[p * MN_TILE + x], t->def.cell) > 0.0) << x);
        job->held[p] = p < mn_rows_of(t) ? 0 : bits;
    }
}

/// Mark the rows that hold a cell beside one of the bits, all directions.
static void mark_around(const mn_tiles *t, const uint8_t *bits, uint8_t *marked)
{
    const int     reach  = t->def.dimension == 3 ? 1 : 0;
    const int64_t places = (int64_t)t->count * mn_rows_of(t);
    memset(marked, 0, (size_t)places);
    for (int64_t p = mn_rows_of(t); p < places; p++) {
        if (bits[p] == 0) continue;
        for (int dz = -reach; dz <= reach; dz++)
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -(bits[p] & 1); dx <= bits[p] >> 7; dx++) marked[mn_row_beside(t, p, dx, dy, dz)] = 1;
    }
    memset(marked, 0, (size_t)mn_rows_of(t));
}

static mn_status find_rows(weights_job *job, mn_arena *arena)
{
    mn_viscosity_level *l      = &job->m->level[0];
    mn_pool            *pool   = mn_context_pool(job->m->q->context);
    const int64_t       places = (int64_t)l->tiles.count * mn_rows_of(&l->tiles);
    job->marked                = mn_arena_array(arena, uint8_t, places);
    job->held                  = mn_arena_array(arena, uint8_t, places);
    l->index                   = mn_arena_array(arena, int32_t, places);
    if (job->marked == NULL || job->held == NULL || l->index == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, l->tiles.count, 4, held_tiles, job);
    mark_around(&l->tiles, job->held, job->marked);
    for (int64_t p = 0; p < places; p++) l->index[p] = job->marked[p];
    return mn_viscosity_number_rows(l, arena);
}

/// Liquid part of the cells beside those of a row, and the open part of these cells.
typedef struct row_share {
    double liquid[MN_TILE], open[MN_TILE];
} row_share;

/// Of the cells at `step` (0 or -1 along each axis) from those of the row.
static void share_of(const mn_viscosity_matrix *m, int32_t r, const int step[3], row_share *out)
{
    const mn_viscosity_level *l = &m->level[0];
    const mn_liquid_scratch  *s = &m->q->grid;
    for (int from = step[0]; from <= 0; from++) {  // the cell before the first of the row lies in another one
        const int64_t place = mn_row_beside(&l->tiles, l->place[r], from, step[1], step[2]) * MN_TILE;
        for (int x = 0; x < MN_TILE; x++) {
            const int at = x + step[0] - from * MN_TILE;
            if (at < 0 || at >= MN_TILE) continue;
            out->liquid[x] = part_of(s->level[place + at], s->tiles.def.cell);
            out->open[x]   = (double)s->solid.volume_open[place + at];
        }
    }
}

// Faces

/// Centre of the low face of a cell.
static mn_vec3 face_centre(const mn_tiles *t, int64_t place, int axis)
{
    mn_vec3 x = mn_cell_centre(t, (int32_t)(place / t->cells), (int32_t)(place % t->cells));
    if (axis == 0) x.x -= 0.5 * t->def.cell;
    if (axis == 1) x.y -= 0.5 * t->def.cell;
    if (axis == 2) x.z -= 0.5 * t->def.cell;
    return x;
}

/// Whether a face that is open in part has its centre inside a no-slip solid: the wall passes between it and the next
/// one then. Taken as liquid it would be held at the wall's velocity itself, up to half a cell behind the wall.
static bool is_behind_wall(const mn_viscosity_matrix *m, int64_t face, int a)
{
    const double open = (double)m->q->grid.solid.open[a][face];
    int          which;
    if (!m->no_slip || !(open > 0.0 && open < 1.0)) return false;
    return mn_solids_distance(m->solids, face_centre(&m->q->grid.tiles, face, a), NULL, &which) < 0.0 &&
           m->solids.list[which].no_slip;
}

/// Velocity of a face inside a solid: that of the wall nearest to it, which a turning solid does not have farther in.
static double wall_velocity(const mn_viscosity_matrix *m, int64_t face, int a)
{
    mn_vec3 n;
    int     which;
    if (!m->no_slip) return mn_solid_face_velocity(&m->q->grid.solid, a, face);
    const mn_vec3 x = face_centre(&m->q->grid.tiles, face, a);
    const double  d = mn_solids_distance(m->solids, x, &n, &which);
    if (which < 0 || !m->solids.list[which].no_slip) return mn_solid_face_velocity(&m->q->grid.solid, a, face);
    return mn_get3(mn_solid_velocity(&m->solids.list[which], mn_sub3(x, mn_scale3(d, n))), a);
}

static void face_row(const mn_viscosity_matrix *m, int32_t r, int a)
{
    const mn_viscosity_level *l       = &m->level[0];
    const mn_liquid_scratch  *s       = &m->q->grid;
    int                       step[3] = { 0, 0, 0 };
    row_share                 here, low;
    share_of(m, r, step, &here);
    step[a] = -1;
    share_of(m, r, step, &low);
    for (int x = 0; x < MN_TILE; x++) {
        const size_t  to    = mn_row_face(l, r, a) + (size_t)x;
        const int64_t i     = (int64_t)l->place[r] * MN_TILE + x;
        const double  mass  = 0.5 * (here.liquid[x] * here.open[x] + low.liquid[x] * low.open[x]);
        const bool    solid = s->solid.open[a][i] == 0.0f || is_behind_wall(m, i, a);
        l->mass[to]         = (float)mass;
        l->kind[to]         = solid ? MN_FACE_SOLID : s->known[a][i] && mass > MASS_MIN ? MN_FACE_LIQUID : MN_FACE_AIR;
        if (solid) s->velocity[a][i] = wall_velocity(m, i, a);
    }
}

static void face_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const weights_job *job = context;
    for (int32_t r = (int32_t)begin; r < (int32_t)end; r++)
        for (int a = 0; a < job->m->level[0].dimension && r > 0; a++) face_row(job->m, r, a);
}

// Samples

/// Kind of the face of component `a` beside cell x of a row.
static int kind_beside(const mn_viscosity_level *l, int32_t r, int x, int a, int axis, int dir)
{
    if (axis == 0 && x + dir >= 0 && x + dir < MN_TILE) return l->kind[mn_row_face(l, r, a) + (size_t)(x + dir)];
    return l
        ->kind[mn_row_face(l, l->near[r][2 * axis + (dir > 0)], a) + (size_t)(axis == 0 ? x - dir * (MN_TILE - 1) : x)];
}

static void cell_row(const mn_viscosity_matrix *m, int32_t r)
{
    const mn_viscosity_level *l     = &m->level[0];
    const int                 at[3] = { 0, 0, 0 };
    row_share                 here;
    share_of(m, r, at, &here);
    for (int x = 0; x < MN_TILE; x++) {
        const int64_t i = (int64_t)l->place[r] * MN_TILE + x;
        double        w = here.liquid[x] * here.open[x];
        for (int a = 0; a < l->dimension && w > 0.0; a++)
            if (l->kind[mn_row_face(l, r, a) + (size_t)x] == MN_FACE_AIR ||
                kind_beside(l, r, x, a, a, 1) == MN_FACE_AIR)
                w = 0.0;
        if (m->cell_viscosity != NULL) w *= m->cell_viscosity[i];
        l->cell[(size_t)r * MN_TILE + (size_t)x] = (float)(2.0 * m->k * w);
    }
}

/// Scale of the difference of component `a` between a face and the one before it along `b`, of which just one is in a
/// solid (`here`: the face itself). The weight is that of the part which is liquid; 0 at a slip wall.
static double wall_scale(const mn_viscosity_matrix *m, int64_t face, int a, int b, bool here, double *weight)
{
    const double dx    = m->q->model.grid.cell;
    mn_vec3      x     = face_centre(&m->q->grid.tiles, face, a);
    int          which = -1;
    if (here) {  // the liquid face is the one before
        if (b == 0) x.x -= dx;
        if (b == 1) x.y -= dx;
        if (b == 2) x.z -= dx;
    }
    const double d = mn_solids_distance(m->solids, x, NULL, &which) / dx;
    if (which < 0 || !m->solids.list[which].no_slip) {
        *weight = 0.0;
        return 1.0;
    }
    const double near = d < WALL_MIN ? WALL_MIN : d > 1.0 ? 1.0 : d;
    *weight *= near;
    return 1.0 / near;
}

/// What the difference of component `a` along `b` leaves of the weight of a shear sample, and its scale.
static double scale_of(const mn_viscosity_matrix *m, int32_t r, int x, int a, int b, double *weight)
{
    const mn_viscosity_level *l    = &m->level[0];
    const int                 here = l->kind[mn_row_face(l, r, a) + (size_t)x], there = kind_beside(l, r, x, a, b, -1);
    if (here == MN_FACE_AIR || there == MN_FACE_AIR) *weight = 0.0;
    if (*weight == 0.0 || (here == MN_FACE_SOLID) == (there == MN_FACE_SOLID)) return 1.0;
    if (!m->no_slip) *weight = 0.0;
    return m->no_slip ? wall_scale(m, (int64_t)l->place[r] * MN_TILE + x, a, b, here == MN_FACE_SOLID, weight) : 1.0;
}

/// Liquid share of the open part of the edges' volume. What the level set says of a cell counts as far as the cell is
/// open.
static void edge_shares(const mn_viscosity_matrix *m, int32_t r, int e, double weight[MN_TILE])
{
    const int a = mn_edge_first[e], b = mn_edge_second[e];
    double    sum[MN_TILE] = { 0.0 }, cells[MN_TILE] = { 0.0 };
    for (int side = 0; side < 4; side++) {
        int       step[3] = { 0, 0, 0 };
        row_share share;
        step[a] = -(side & 1), step[b] = -(side >> 1);
        share_of(m, r, step, &share);
        for (int x = 0; x < MN_TILE; x++) {
            sum[x] += share.open[x] * share.liquid[x];
            cells[x] += share.open[x];
        }
    }
    for (int x = 0; x < MN_TILE; x++) weight[x] = cells[x] > 0.0 ? sum[x] / cells[x] : 0.0;
}

static void edge_row(const mn_viscosity_matrix *m, int32_t r, int e)
{
    const mn_viscosity_level *l = &m->level[0];
    const int                 a = mn_edge_first[e], b = mn_edge_second[e];
    double                    weight[MN_TILE];
    edge_shares(m, r, e, weight);
    for (int x = 0; x < MN_TILE; x++) {
        const size_t at = (size_t)r * MN_TILE + (size_t)x;
        if (weight[x] <= 0.0) continue;
        const double sa = scale_of(m, r, x, a, b, &weight[x]), sb = scale_of(m, r, x, b, a, &weight[x]);
        double       w = m->k * weight[x];
        if (m->edge_viscosity[e] != NULL) w *= m->edge_viscosity[e][(int64_t)l->place[r] * MN_TILE + x];
        l->edge[e][0][at] = (float)(w * sa * sa);
        if (l->edge[e][1] == l->edge[e][0]) continue;
        l->edge[e][1][at] = (float)(w * sa * sb);
        l->edge[e][2][at] = (float)(w * sb * sb);
    }
}

static void sample_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const weights_job *job = context;
    for (int32_t r = (int32_t)begin; r < (int32_t)end; r++) {
        if (r == 0) continue;
        cell_row(job->m, r);
        for (int e = 0; e < mn_edges_of(&job->m->level[0]); e++) edge_row(job->m, r, e);
    }
}

mn_status mn_viscosity_weights(mn_viscosity_matrix *m, mn_arena *arena)
{
    mn_pool            *pool = mn_context_pool(m->q->context);
    mn_viscosity_level *l    = &m->level[0];
    weights_job         job  = { .m = m };
    *l         = (mn_viscosity_level){ .dimension = m->q->model.grid.dimension, .tiles = m->q->grid.tiles };
    m->no_slip = false;
    for (int k = 0; k < m->solids.count; k++) m->no_slip |= m->solids.list[k].no_slip;
    MN_TRY(find_rows(&job, arena));
    MN_TRY(mn_viscosity_take(l, m->no_slip, arena));
    mn_parallel_for(pool, l->count, MN_ROW_BLOCK, face_rows, &job);
    mn_parallel_for(pool, l->count, MN_ROW_BLOCK, sample_rows, &job);
    mn_viscosity_finish_level(m, l);
    return MN_OK;
}
