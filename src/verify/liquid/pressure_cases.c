// SPDX-License-Identifier: MPL-2.0
// verify/liquid/pressure_cases.c - pressure systems from a level set and an obstacle distance.
#include "verify/liquid/pressure_cases.h"

#include "base/random.h"

int64_t mn_pressure_case_at(const mn_pressure_case *c, int32_t i, int32_t j, int32_t k)
{
    const bool    flat = c->def.dimension == 2;
    const int32_t tile = mn_tiles_find(&c->tiles, (mn_tile_coord){ i >> 3, j >> 3, flat ? 0 : k >> 3 });
    return tile == 0 ? 0 : (int64_t)tile * c->tiles.cells + mn_cell_in_tile(i & 7, j & 7, flat ? 0 : k & 7);
}

mn_vec3 mn_pressure_case_center(const mn_pressure_case *c, int32_t i, int32_t j, int32_t k)
{
    const double h = c->def.cell;
    return mn_v3(c->def.origin.x + h * (i + 0.5), c->def.origin.y + h * (j + 0.5), c->def.origin.z + h * (k + 0.5));
}

/// Open part of an edge between two obstacle distances (liquid 5.3).
static double open_edge(double a, double b)
{
    if (a <= 0.0 && b <= 0.0) return 0.0;
    if (a >= 0.0 && b >= 0.0) return 1.0;
    return fmax(a, b) / fabs(a - b);
}

/// Area left of a square after a corner cut: marching squares over the corners 00, 10, 11, 01.
static double open_square(const double d[4])
{
    int    inside = 0;
    double area   = 0.0;
    for (int k = 0; k < 4; k++) inside += d[k] > 0.0;
    if (inside == 0 || inside == 4) return inside / 4.0;
    // Polygon of the open part: corners that are open and crossings on the edges, in order.
    double              px[8], py[8];
    int                 n     = 0;
    static const double cx[4] = { 0, 1, 1, 0 }, cy[4] = { 0, 0, 1, 1 };
    for (int k = 0; k < 4; k++) {
        const int m = (k + 1) % 4;
        if (d[k] > 0.0) {
            px[n]   = cx[k];
            py[n++] = cy[k];
        }
        if ((d[k] > 0.0) != (d[m] > 0.0)) {
            const double s = d[k] > 0.0 ? open_edge(d[k], d[m]) : 1.0 - open_edge(d[k], d[m]);
            px[n]          = cx[k] + s * (cx[m] - cx[k]);
            py[n++]        = cy[k] + s * (cy[m] - cy[k]);
        }
    }
    for (int k = 0; k < n; k++) area += 0.5 * (px[k] * py[(k + 1) % n] - px[(k + 1) % n] * py[k]);
    return area;
}

static double distance_at(const mn_pressure_case_def *d, double i, double j, double k)
{
    return d->open(d->shape, mn_v3(d->origin.x + d->cell * i, d->origin.y + d->cell * j, d->origin.z + d->cell * k));
}

/// Open part of the low face along `axis` of cell (i, j, k).
static double open_face(const mn_pressure_case_def *d, int axis, int32_t i, int32_t j, int32_t k)
{
    if (d->open == NULL) return 1.0;
    if (d->dimension == 2) {
        const double z = 0.5;
        return open_edge(distance_at(d, i, j, z),
                         axis == 0 ? distance_at(d, i, j + 1, z) : distance_at(d, i + 1, j, z));
    }
    const int    u0 = axis == 0 ? 0 : 1, u1 = axis == 0 ? 1 : 0, u2 = 0;  // first direction in the face
    const int    v0 = 0, v1 = axis == 2 ? 1 : 0, v2 = axis == 2 ? 0 : 1;  // second
    const double corner[4] = { distance_at(d, i, j, k), distance_at(d, i + u0, j + u1, k + u2),
                               distance_at(d, i + u0 + v0, j + u1 + v1, k + u2 + v2),
                               distance_at(d, i + v0, j + v1, k + v2) };
    return open_square(corner);
}

static mn_status take_case(mn_arena *arena, mn_pressure_case *c)
{
    const mn_pressure_case_def *d = &c->def;
    mn_grid_def grid = { .dimension = d->dimension, .cell = d->cell, .depth = d->cell, .origin = d->origin };
    int32_t     size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = d->periodic[axis] ? d->cells[axis] / 8 : d->cells[axis] / 8 + 1;
        if (d->periodic[axis]) grid.period[axis] = size[axis];
    }
    if (d->dimension == 2) size[2] = 1;
    const int64_t  count  = (int64_t)size[0] * size[1] * size[2];
    mn_tile_coord *wanted = mn_arena_array(arena, mn_tile_coord, count);
    if (wanted == NULL) return MN_ERR_MEMORY;
    for (int64_t n = 0; n < count; n++)
        wanted[n] = (mn_tile_coord){ (int32_t)(n % size[0]), (int32_t)(n / size[0] % size[1]),
                                     (int32_t)(n / size[0] / size[1]) };
    MN_TRY(mn_tiles_build(arena, &grid, wanted, count, &c->tiles));
    c->values  = (int64_t)c->tiles.count * c->tiles.cells;
    c->unknown = mn_arena_array_zero(arena, uint8_t, c->values);
    c->level   = mn_arena_array_zero(arena, double, c->values);
    c->rhs     = mn_arena_array_zero(arena, double, c->values);
    c->x       = mn_arena_array_zero(arena, double, c->values);
    if (c->unknown == NULL || c->level == NULL || c->rhs == NULL || c->x == NULL) return MN_ERR_MEMORY;
    for (int axis = 0; axis < 3; axis++) {
        c->b[axis]     = mn_arena_array_zero(arena, float, c->values);
        c->omega[axis] = mn_arena_array_zero(arena, float, c->values);
        if (c->b[axis] == NULL || c->omega[axis] == NULL) return MN_ERR_MEMORY;
    }
    c->system = (mn_pressure_system){ .tiles = &c->tiles, .b = { c->b[0], c->b[1], c->b[2] }, .unknown = c->unknown };
    return MN_OK;
}

static bool inside_box(const mn_pressure_case_def *d, int axis, int32_t i)
{
    return d->periodic[axis] || (i >= 0 && i < d->cells[axis]);
}

#define FOR_CELLS(c, i, j, k)                           \
    for (int32_t k = 0; k < (c)->def.cells[2]; k++)     \
        for (int32_t j = 0; j < (c)->def.cells[1]; j++) \
            for (int32_t i = 0; i < (c)->def.cells[0]; i++)

static void fill_fractions(mn_pressure_case *c)
{
    const mn_pressure_case_def *d = &c->def;
    FOR_CELLS(c, i, j, k)
    {
        const int64_t at       = mn_pressure_case_at(c, i, j, k);
        const int32_t index[3] = { i, j, k };
        c->level[at]           = d->liquid == NULL ? -1.0 : d->liquid(d->shape, mn_pressure_case_center(c, i, j, k));
        for (int axis = 0; axis < d->dimension; axis++) {
            if (!inside_box(d, axis, index[axis] - 1)) continue;
            const double omega = open_face(d, axis, i, j, k);
            c->omega[axis][at] = omega < 0.02 ? 0.0f : (float)omega;
        }
    }
}

/// liquid 5.3: cells that are nearly closed lose all their faces, on both sides.
static void close_tiny_cells(mn_pressure_case *c)
{
    const double least = c->def.dimension == 2 ? 0.3 : 0.45;
    if (c->def.open == NULL) return;
    FOR_CELLS(c, i, j, k)
    {
        const int64_t at      = mn_pressure_case_at(c, i, j, k);
        const int64_t high[3] = { mn_pressure_case_at(c, i + 1, j, k), mn_pressure_case_at(c, i, j + 1, k),
                                  mn_pressure_case_at(c, i, j, k + 1) };
        double        sum     = 0.0;
        for (int axis = 0; axis < c->def.dimension; axis++)
            sum += (double)c->omega[axis][at] + (double)c->omega[axis][high[axis]];
        for (int axis = 0; sum < least && axis < c->def.dimension; axis++)
            c->omega[axis][at] = c->omega[axis][high[axis]] = 0.0f;
    }
}

static void fill_unknowns(mn_pressure_case *c)
{
    FOR_CELLS(c, i, j, k)
    {
        const int64_t at       = mn_pressure_case_at(c, i, j, k);
        const int64_t high[3]  = { mn_pressure_case_at(c, i + 1, j, k), mn_pressure_case_at(c, i, j + 1, k),
                                   mn_pressure_case_at(c, i, j, k + 1) };
        bool          any_open = false;
        for (int axis = 0; axis < c->def.dimension; axis++)
            any_open = any_open || c->omega[axis][at] > 0.0f || c->omega[axis][high[axis]] > 0.0f;
        c->unknown[at] = c->level[at] < 0.0 && any_open;
        c->unknowns += c->unknown[at];
    }
}

static void fill_coefficients(mn_pressure_case *c)
{
    FOR_CELLS(c, i, j, k)
    {
        const int64_t at     = mn_pressure_case_at(c, i, j, k);
        const int64_t low[3] = { mn_pressure_case_at(c, i - 1, j, k), mn_pressure_case_at(c, i, j - 1, k),
                                 mn_pressure_case_at(c, i, j, k - 1) };
        for (int axis = 0; axis < c->def.dimension; axis++) {
            const double here = c->level[at], there = c->level[low[axis]];
            double       theta = 1.0;
            if ((here < 0.0) != (there < 0.0))
                theta = fmin(1.0, fmax(c->def.theta_min, fmin(here, there) / (fmin(here, there) - fmax(here, there))));
            c->b[axis][at] = (float)(c->omega[axis][at] / theta);
        }
    }
}

mn_status mn_pressure_case_build(mn_arena *arena, const mn_pressure_case_def *def, mn_pressure_case *c)
{
    *c = (mn_pressure_case){ .def = *def };
    MN_TRY(take_case(arena, c));
    fill_fractions(c);
    close_tiny_cells(c);
    fill_unknowns(c);
    fill_coefficients(c);
    return MN_OK;
}

mn_status mn_pressure_case_box(mn_arena *arena, int32_t n, mn_pressure_case *c)
{
    const mn_pressure_case_def def = { .dimension = 3, .cells = { n, n, n }, .cell = 1.0 / n, .theta_min = 1e-3 };
    MN_TRY(mn_pressure_case_build(arena, &def, c));
    for (int32_t j = 0; j < n; j++)
        for (int32_t i = 0; i < n / 2; i++)
            c->b[2][mn_pressure_case_at(c, i, j, n)] = 2.0f;  // surface half a cell above
    c->system.tiles = &c->tiles;
    return MN_OK;
}

static double wavy_liquid(const void *shape, mn_vec3 p)
{
    (void)shape;
    return p.z - 0.7 - 0.08 * sin(2.0 * MN_PI * p.x) * cos(2.0 * MN_PI * p.y) - 0.03 * sin(10.0 * MN_PI * p.x + 1.0);
}

static double wavy_open(const void *shape, mn_vec3 p)
{
    (void)shape;
    return mn_norm3(mn_sub3(p, mn_v3(0.45, 0.5, 0.35))) - 0.2;
}

mn_status mn_pressure_case_wavy(mn_arena *arena, int32_t n, mn_pressure_case *c)
{
    const mn_pressure_case_def def = { .dimension = 3,
                                       .cells     = { n, n, n },
                                       .cell      = 1.0 / n,
                                       .theta_min = 1e-3,
                                       .liquid    = wavy_liquid,
                                       .open      = wavy_open };
    MN_TRY(mn_pressure_case_build(arena, &def, c));
    c->system.tiles = &c->tiles;
    return MN_OK;
}

void mn_pressure_case_random(const mn_pressure_case *c, uint64_t seed, double *field)
{
    for (int64_t n = 0; n < c->values; n++) field[n] = 0.0;
    FOR_CELLS(c, i, j, k)
    {
        const int64_t  at = mn_pressure_case_at(c, i, j, k);
        const uint64_t id = (uint64_t)i + ((uint64_t)j << 20) + ((uint64_t)k << 40);
        if (c->unknown[at]) field[at] = 2.0 * mn_random(seed, id, 0, 0) - 1.0;
    }
}
