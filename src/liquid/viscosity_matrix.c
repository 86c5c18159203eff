// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity_matrix.c - samples, weights and product of the viscosity matrix. liquid 5.12
//
// The stress of a sample is made from its rate in stress_row and normal_stress: that is where another rheology enters.
#include "liquid/viscosity_private.h"

/// Shear sample e lies on the edge between the axes first[e] and second[e], at the low corner of its cell.
static const int first[3] = { 0, 0, 1 }, second[3] = { 1, 2, 2 };

/// Liquid part of a face's volume below which the face is left to the pressure.
#define MASS_MIN 0.01
/// Nearest a wall counts, in cells: bounds the condition number where a wall nearly touches a face.
#define WALL_MIN 0.1

static const float ones[MN_TILE] = { 1, 1, 1, 1, 1, 1, 1, 1 };

static int edges_of(const mn_viscosity_matrix *m) { return m->q->model.grid.dimension == 3 ? 3 : 1; }

/// Scales of one side of the shear samples of a row, and of the samples one higher along an axis.
static const float *scales(const mn_viscosity_matrix *m, const mn_row_places *row, int e, int side)
{
    return m->no_slip ? m->edge_scale[e][side] + row->at : ones;
}

static const float *scales_higher(const mn_viscosity_matrix *m, const mn_row_places *row, int e, int side, int axis, float room[MN_TILE])
{
    return m->no_slip ? mn_row_higher_floats(m->edge_scale[e][side], row, axis, room) : ones;
}

static void part_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_viscosity_matrix *m  = context;
    const mn_liquid_scratch   *s  = &m->q->grid;
    const double               dx = m->q->model.grid.cell;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++) {
        const double f    = 0.5 - s->level[i] / dx;
        m->part[i]        = f < 0.0 ? 0.0 : f > 1.0 ? 1.0 : f;
        m->cell_weight[i] = (float)(s->wet[i] ? m->part[i] * (double)s->solid.volume_open[i] : 0.0);
    }
}

/// Mass and kind of the faces of one axis in a row. True if one of them is liquid.
static bool face_row(const mn_viscosity_matrix *m, const mn_row_places *row, int a)
{
    const mn_liquid_scratch *s = &m->q->grid;
    float                    room_open[MN_TILE];
    double                   room_part[MN_TILE];
    const float  *volume = s->solid.volume_open + row->at, *volume_low = mn_row_lower_floats(s->solid.volume_open, row, a, room_open);
    const double *part = m->part + row->at, *part_low = mn_row_lower_doubles(m->part, row, a, room_part);
    bool          any = false;
    for (int x = 0; x < MN_TILE; x++) {
        const int64_t i    = row->at + x;
        const double  mass = 0.5 * (part[x] * (double)volume[x] + part_low[x] * (double)volume_low[x]);
        m->mass[a][i]      = (float)mass;
        m->kind[a][i]      = s->solid.open[a][i] == 0.0f ? MN_FACE_SOLID : s->known[a][i] && mass > MASS_MIN ? MN_FACE_LIQUID : MN_FACE_AIR;
        any |= m->kind[a][i] == MN_FACE_LIQUID;
        if (m->kind[a][i] == MN_FACE_SOLID) s->velocity[a][i] = (double)s->solid.velocity[a][i];
    }
    return any;
}

static void face_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_viscosity_matrix *m = context;
    const mn_tiles            *t = &m->q->grid.tiles;
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; tile++) {
        m->busy[tile] = 0;
        for (int a = 0; a < t->def.dimension && tile == 0; a++) {
            memset(m->kind[a], MN_FACE_AIR, (size_t)t->cells);
            memset(m->mass[a], 0, (size_t)t->cells * sizeof *m->mass[a]);
        }
        for (int32_t r = 0; r < mn_rows_of(t) && tile > 0; r++) {
            const mn_row_places row = mn_row_find(t, tile, r);
            for (int a = 0; a < t->def.dimension; a++) m->busy[tile] |= face_row(m, &row, a);
            for (int x = 0; x < MN_TILE; x++) m->busy[tile] |= m->cell_weight[row.at + x] > 0.0f;
        }
    }
}

// Shear samples

static mn_vec3 face_centre(const mn_tiles *t, int64_t place, int axis)
{
    const mn_grid_def *g    = &t->def;
    const int32_t      tile = (int32_t)(place / t->cells), cell = (int32_t)(place % t->cells);
    const double       at[3] = { t->coord[tile].x * MN_TILE + cell % MN_TILE + 0.5, t->coord[tile].y * MN_TILE + cell / MN_TILE % MN_TILE + 0.5,
                                 t->coord[tile].z * t->tile_z + cell / (MN_TILE * MN_TILE) + 0.5 };
    mn_vec3 x = mn_v3(g->origin.x + at[0] * g->cell, g->origin.y + at[1] * g->cell, g->origin.z + at[2] * g->depth);
    if (axis == 0) x.x -= 0.5 * g->cell;
    if (axis == 1) x.y -= 0.5 * g->cell;
    if (axis == 2) x.z -= 0.5 * g->cell;
    return x;
}

/// Scale of the difference of component `a` between a face and the one before it along `b`, of which just one is in a
/// solid (`here`: the face itself). The weight is that of the part which is liquid; 0 at a slip wall.
static double wall_scale(const mn_viscosity_matrix *m, int64_t face, int a, int b, bool here, double *weight)
{
    const double dx    = m->q->model.grid.cell;
    mn_vec3      x     = face_centre(&m->q->grid.tiles, face, a);
    int          which = -1;
    if (here) {                         // the liquid face is the one before
        if (b == 0) x.x -= dx;
        if (b == 1) x.y -= dx;
        if (b == 2) x.z -= dx;
    }
    const double d = mn_solids_distance(m->solids, m->solid_count, x, NULL, &which) / dx;
    if (which < 0 || !m->solids[which].no_slip) {
        *weight = 0.0;
        return 1.0;
    }
    const double near = d < WALL_MIN ? WALL_MIN : d > 1.0 ? 1.0 : d;
    *weight *= near;
    return 1.0 / near;
}

/// What the differences of component `a` along `b` in a row leave of the weights of the samples, and their scales.
static void scale_row(const mn_viscosity_matrix *m, const mn_row_places *row, int a, int b, double weight[MN_TILE], float *scale)
{
    uint8_t        room[MN_TILE], wall[MN_TILE], walls = 0;
    const uint8_t *here = m->kind[a] + row->at, *there = mn_row_lower_bytes(m->kind[a], row, b, room);
    for (int x = 0; x < MN_TILE; x++) {
        wall[x] = (here[x] == MN_FACE_SOLID) != (there[x] == MN_FACE_SOLID);
        if (here[x] == MN_FACE_AIR || there[x] == MN_FACE_AIR || (wall[x] && !m->no_slip)) weight[x] = 0.0;
        walls |= wall[x];
    }
    if (!m->no_slip) return;
    for (int x = 0; x < MN_TILE; x++) scale[x] = 1.0f;
    for (int x = 0; x < MN_TILE && walls; x++)
        if (wall[x] && weight[x] > 0.0) scale[x] = (float)wall_scale(m, row->at + x, a, b, here[x] == MN_FACE_SOLID, &weight[x]);
}

/// Add the liquid parts of the cells of a row, and of those before them along `axis`, that are not inside solids.
static void add_parts(const mn_viscosity_matrix *m, const mn_row_places *row, int axis, double sum[MN_TILE], double cells[MN_TILE])
{
    const float  *open = m->q->grid.solid.volume_open;
    float         room_open[MN_TILE];
    double        room_part[MN_TILE];
    const float  *open_low = mn_row_lower_floats(open, row, axis, room_open);
    const double *part_low = mn_row_lower_doubles(m->part, row, axis, room_part);
    for (int x = 0; x < MN_TILE; x++) {
        const double here = open[row->at + x] > 0.0f ? 1.0 : 0.0, low = open_low[x] > 0.0f ? 1.0 : 0.0;
        sum[x] += here * m->part[row->at + x];
        sum[x] += low * part_low[x];
        cells[x] += here + low;
    }
}

/// The liquid part of the edges' volume: mean of their four cells, those inside solids left out. True if one holds any.
static bool edge_row(const mn_viscosity_matrix *m, const mn_row_places *row, int e)
{
    const mn_tiles     *t      = &m->q->grid.tiles;
    const int64_t       beside = row->low[second[e]];
    const mn_row_places before = mn_row_find(t, (int32_t)(beside / t->cells), (int32_t)(beside % t->cells) / MN_TILE);
    double              sum[MN_TILE] = { 0.0 }, cells[MN_TILE] = { 0.0 }, weight[MN_TILE];
    add_parts(m, row, first[e], sum, cells);
    add_parts(m, &before, first[e], sum, cells);
    for (int x = 0; x < MN_TILE; x++) weight[x] = cells[x] > 0.0 ? sum[x] / cells[x] : 0.0;
    scale_row(m, row, first[e], second[e], weight, m->no_slip ? m->edge_scale[e][0] + row->at : NULL);
    scale_row(m, row, second[e], first[e], weight, m->no_slip ? m->edge_scale[e][1] + row->at : NULL);
    bool any = false;
    for (int x = 0; x < MN_TILE; x++) {
        m->edge_weight[e][row->at + x] = (float)weight[x];
        any |= weight[x] > 0.0;
    }
    return any;
}

/// A tile where nothing takes part: zeros for its neighbours.
static void quiet_tile(const mn_viscosity_matrix *m, int32_t tile)
{
    const size_t cells = (size_t)m->q->grid.tiles.cells, at = (size_t)tile * cells;
    for (int e = 0; e < edges_of(m); e++) {
        memset(m->shear[e] + at, 0, cells * sizeof *m->shear[e]);
        memset(m->edge_weight[e] + at, 0, cells * sizeof *m->edge_weight[e]);
        if (!m->no_slip) continue;
        memset(m->edge_scale[e][0] + at, 0, cells * sizeof *m->edge_scale[e][0]);
        memset(m->edge_scale[e][1] + at, 0, cells * sizeof *m->edge_scale[e][1]);
    }
}

static void edge_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_viscosity_matrix *m = context;
    const mn_tiles            *t = &m->q->grid.tiles;
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; tile++) {
        for (int32_t r = 0; r < mn_rows_of(t) && tile > 0; r++) {
            const mn_row_places row = mn_row_find(t, tile, r);
            for (int e = 0; e < edges_of(m); e++) m->busy[tile] |= edge_row(m, &row, e);
        }
        if (!m->busy[tile]) quiet_tile(m, tile);
    }
}

// Diagonal

static void diagonal_row(const mn_viscosity_matrix *m, const mn_row_places *row, int a)
{
    float        room[2][MN_TILE];
    double       d[MN_TILE];
    const float *cell = m->cell_weight + row->at, *cell_low = mn_row_lower_floats(m->cell_weight, row, a, room[0]);
    for (int x = 0; x < MN_TILE; x++) d[x] = (double)m->mass[a][row->at + x] + 2.0 * m->k * ((double)cell[x] + (double)cell_low[x]);
    for (int e = 0; e < edges_of(m); e++) {
        if (first[e] != a && second[e] != a) continue;
        const int    side = first[e] == a ? 0 : 1, along = first[e] == a ? second[e] : first[e];
        const float *scale = scales(m, row, e, side), *scale_high = scales_higher(m, row, e, side, along, room[0]);
        const float *weight = m->edge_weight[e] + row->at, *weight_high = mn_row_higher_floats(m->edge_weight[e], row, along, room[1]);
        for (int x = 0; x < MN_TILE; x++) {
            const double here = (double)scale[x], next = (double)scale_high[x];
            d[x] += m->k * ((double)weight[x] * here * here + (double)weight_high[x] * next * next);
        }
    }
    for (int x = 0; x < MN_TILE; x++) m->diagonal[a][row->at + x] = (float)d[x];
}

static void diagonal_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_viscosity_matrix *m = context;
    const mn_tiles            *t = &m->q->grid.tiles;
    for (int64_t at = begin; at < end; at++)
        for (int32_t r = 0; r < mn_rows_of(t); r++) {
            const mn_row_places row = mn_row_find(t, m->list[at], r);
            for (int a = 0; a < t->def.dimension; a++) diagonal_row(m, &row, a);
        }
}

static mn_status take(mn_viscosity_matrix *m, mn_arena *arena)
{
    const mn_tiles *tiles = &m->q->grid.tiles;
    const int64_t   n     = (int64_t)tiles->count * tiles->cells;
    bool            ok    = (m->cell_weight = mn_arena_array(arena, float, n)) != NULL;
    for (int a = 0; a < tiles->def.dimension; a++) {
        ok = ok && (m->kind[a] = mn_arena_array(arena, uint8_t, n)) && (m->mass[a] = mn_arena_array(arena, float, n));
        m->diagonal[a] = m->q->grid.coefficient[a];      // lent: the pressure makes its coefficients afterwards
    }
    for (int e = 0; e < edges_of(m); e++) {
        ok = ok && (m->edge_weight[e] = mn_arena_array(arena, float, n)) && (m->shear[e] = mn_arena_array(arena, double, n));
        if (!m->no_slip) continue;
        ok = ok && (m->edge_scale[e][0] = mn_arena_array(arena, float, n)) && (m->edge_scale[e][1] = mn_arena_array(arena, float, n));
    }
    ok = ok && (m->busy = mn_arena_array(arena, uint8_t, tiles->count)) && (m->list = mn_arena_array(arena, int32_t, tiles->count));
    return ok ? MN_OK : MN_ERR_MEMORY;
}

mn_status mn_viscosity_setup(mn_viscosity_matrix *m, mn_arena *arena, double *part)
{
    mn_pool      *pool  = mn_context_pool(m->q->context);
    const int32_t tiles = m->q->grid.tiles.count;
    m->part    = part;
    m->no_slip = false;
    for (int k = 0; k < m->solid_count; k++) m->no_slip |= m->solids[k].no_slip;
    MN_TRY(take(m, arena));
    mn_parallel_for(pool, tiles, 4, part_tiles, m);
    mn_parallel_for(pool, tiles, 4, face_tiles, m);
    mn_parallel_for(pool, tiles, 4, edge_tiles, m);
    m->list_count = 0;
    for (int32_t t = 1; t < tiles; t++)
        if (m->busy[t]) m->list[m->list_count++] = t;
    mn_parallel_for(pool, m->list_count, 4, diagonal_tiles, m);
    return MN_OK;
}

// The product

typedef struct apply_job {
    mn_viscosity_matrix *m;
    double *const       *x;
    double              *dot;
} apply_job;

/// k w times the stress of the samples from the rates of u. Newtonian: 2 for a normal rate, 1 for a shear rate.
static inline double normal_stress(const mn_viscosity_matrix *m, float weight, double difference)
{
    return 2.0 * m->k * (double)weight * difference;
}

static void stress_row(const mn_viscosity_matrix *m, const mn_row_places *row, double *const u[3])
{
    double room[2][MN_TILE];
    for (int e = 0; e < edges_of(m); e++) {
        const int     a = first[e], b = second[e];
        const float  *weight = m->edge_weight[e] + row->at, *one = scales(m, row, e, 0), *two = scales(m, row, e, 1);
        const double *ua = u[a] + row->at, *ua_low = mn_row_lower_doubles(u[a], row, b, room[0]);
        const double *ub = u[b] + row->at, *ub_low = mn_row_lower_doubles(u[b], row, a, room[1]);
        for (int x = 0; x < MN_TILE; x++)
            m->shear[e][row->at + x] = m->k * (double)weight[x] * ((double)one[x] * (ua[x] - ua_low[x]) + (double)two[x] * (ub[x] - ub_low[x]));
    }
}

static void stress_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const apply_job *job = context;
    const mn_tiles  *t   = &job->m->q->grid.tiles;
    for (int64_t at = begin; at < end; at++)
        for (int32_t r = 0; r < mn_rows_of(t); r++) {
            const mn_row_places row = mn_row_find(t, job->m->list[at], r);
            stress_row(job->m, &row, job->x);
        }
}

void mn_viscosity_row(const mn_viscosity_matrix *m, const mn_row_places *row, int a, const double *u, double out[MN_TILE])
{
    double        room[2][MN_TILE], y[MN_TILE];
    float         room_scale[MN_TILE];
    const float  *weight = m->cell_weight + row->at, *weight_low = mn_row_lower_floats(m->cell_weight, row, a, room_scale);
    const double *here = u + row->at, *low = mn_row_lower_doubles(u, row, a, room[0]), *high = mn_row_higher_doubles(u, row, a, room[1]);
    for (int x = 0; x < MN_TILE; x++)
        y[x] = (double)m->mass[a][row->at + x] * here[x] + normal_stress(m, weight_low[x], here[x] - low[x]) - normal_stress(m, weight[x], high[x] - here[x]);
    for (int e = 0; e < edges_of(m); e++) {
        if (first[e] != a && second[e] != a) continue;
        const int     side = first[e] == a ? 0 : 1, along = first[e] == a ? second[e] : first[e];
        const float  *scale = scales(m, row, e, side), *scale_high = scales_higher(m, row, e, side, along, room_scale);
        const double *shear = m->shear[e] + row->at, *shear_high = mn_row_higher_doubles(m->shear[e], row, along, room[0]);
        for (int x = 0; x < MN_TILE; x++) y[x] += (double)scale[x] * shear[x] - (double)scale_high[x] * shear_high[x];
    }
    for (int x = 0; x < MN_TILE; x++) out[x] = m->kind[a][row->at + x] == MN_FACE_LIQUID ? y[x] : 0.0;
}

static void dot_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const apply_job *job = context;
    const mn_tiles  *t   = &job->m->q->grid.tiles;
    for (int64_t at = begin; at < end; at++) {
        double dot[MN_TILE] = { 0.0 }, sum = 0.0;
        for (int32_t r = 0; r < mn_rows_of(t); r++) {
            const mn_row_places row = mn_row_find(t, job->m->list[at], r);
            for (int a = 0; a < t->def.dimension; a++) {
                double ax[MN_TILE];
                mn_viscosity_row(job->m, &row, a, job->x[a], ax);
                for (int x = 0; x < MN_TILE; x++) dot[x] += job->x[a][row.at + x] * ax[x];
            }
        }
        for (int x = 0; x < MN_TILE; x++) sum += dot[x];
        job->dot[job->m->list[at]] = sum;
    }
}

void mn_viscosity_apply(mn_viscosity_matrix *m, double *const x[3], double *dot)
{
    mn_pool  *pool = mn_context_pool(m->q->context);
    apply_job job  = { m, x, dot };
    mn_parallel_for(pool, m->list_count, 4, stress_tiles, &job);
    if (dot != NULL) mn_parallel_for(pool, m->list_count, 4, dot_tiles, &job);
}
