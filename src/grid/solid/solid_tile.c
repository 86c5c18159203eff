// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_tile.c - what all solids together leave open of the faces, cells and kernels of one tile.
//
// Inside a half cell the quadratic kernel is a quadratic polynomial along each axis, so that the moments of what is
// covered give n_c of (E2) exactly for walls across an axis at any place, and to a few 1e-4 for others.
#include "grid/solid/solid_private.h"

#include <string.h>

#define EXT    MN_SOLID_EXT
#define HALVES MN_SOLID_HALVES

/// Faces that are open by less are closed, and so are cells whose open faces add up to less (liquid 5.3).
#define TINY_FACE    0.02f
#define TINY_CELL_2D 0.3f
#define TINY_CELL_3D 0.45f

static void clear(const mn_solid_frame *f, bool moving, mn_solid_work *w)
{
    const size_t cells  = (size_t)f->cells_z * EXT * EXT * sizeof(float),
                 halves = (size_t)f->halves_z * HALVES * HALVES * sizeof(float);
    for (int a = 0; a < 3; a++) {
        memset(w->face[a], 0, cells);
        if (moving) memset(w->face_rate[a], 0, cells);
        if (moving) memset(w->moved[a], 0, sizeof w->moved[a]);
    }
    for (int k = 0; k < 4 && moving; k++) memset(w->cell_rate[k], 0, cells);
    for (int k = 0; k < MN_SOLID_MOMENTS; k++) memset(w->moment[k], 0, halves);
    memset(w->row, 0, sizeof w->row);
    w->anything = w->divided = false;
}

/// Where several solids cover more than there is, the half cell is covered once.
static void limit_moments(const mn_solid_frame *f, mn_solid_work *w)
{
    const int n = f->halves_z * HALVES * HALVES;
    for (int h = 0; h < n; h++) {
        if (w->moment[0][h] < 1.0f) continue;
        w->moment[0][h] = 1.0f;
        for (int k = 1; k < MN_SOLID_MOMENTS; k++) w->moment[k][h] = 0.0f;
    }
}

/// The kernel over its six half cells: N = A + B s + C (s^2 - 1/12), times the length of the half cell.
#define TAPS 6
static const float tap_a[TAPS] = { 1 / 48.0f, 7 / 48.0f, 16 / 48.0f, 16 / 48.0f, 7 / 48.0f, 1 / 48.0f };
static const float tap_b[TAPS] = { 3 / 48.0f, 9 / 48.0f, 6 / 48.0f, -6 / 48.0f, -9 / 48.0f, -3 / 48.0f };
static const float tap_c[TAPS] = { 1 / 16.0f, 1 / 16.0f, -1 / 8.0f, -1 / 8.0f, 1 / 16.0f, 1 / 16.0f };

/// One row of half cells: to += s * from.
static inline void add_row(float *restrict to, float s, const float *restrict from)
{
    for (int x = 0; x < HALVES; x++) to[x] += s * from[x];
}

/// Add one row of the moments, weighted along z. What is left to do along x and y:
/// 0: A A, 1: B A, 2: A B, 3: C A, 4: A C, 5: B B.
static void add_row_z(mn_solid_work *w, int row, float a, float b, float c, bool cut, int to)
{
    const int m = row * HALVES, q = to * HALVES;
    add_row(w->along_z[0] + q, a, w->moment[0] + m);
    if (!cut) return;
    add_row(w->along_z[0] + q, b, w->moment[3] + m);
    add_row(w->along_z[0] + q, c, w->moment[6] + m);
    add_row(w->along_z[1] + q, a, w->moment[1] + m);
    add_row(w->along_z[1] + q, b, w->moment[9] + m);
    add_row(w->along_z[2] + q, a, w->moment[2] + m);
    add_row(w->along_z[2] + q, b, w->moment[8] + m);
    add_row(w->along_z[3] + q, a, w->moment[4] + m);
    add_row(w->along_z[4] + q, a, w->moment[5] + m);
    add_row(w->along_z[5] + q, a, w->moment[7] + m);
}

/// Sums of rows that nothing covers are left alone and never read; of rows without a cut the first alone is made.
static int sums_of(uint8_t state, int all) { return state == 0 ? 0 : state == 1 ? 1 : all; }

static void sum_along_z(const mn_solid_frame *f, mn_solid_work *w)
{
    const int taps = f->flat ? 1 : TAPS;
    for (int z = 0; z < f->tile_z; z++)
        for (int y = 0; y < HALVES; y++) {
            const int to    = z * HALVES + y;
            uint8_t   state = 0;
            for (int t = 0; t < taps; t++)
                state = w->row[(2 * z + t) * HALVES + y] > state ? w->row[(2 * z + t) * HALVES + y] : state;
            w->row_z[to] = state;
            for (int k = 0; k < sums_of(state, 6); k++) memset(w->along_z[k] + to * HALVES, 0, HALVES * sizeof(float));
            for (int t = 0; t < taps && state != 0; t++) {
                const int row = (2 * z + t) * HALVES + y;
                if (w->row[row] == 0) continue;
                add_row_z(w, row, f->flat ? 1.0f : tap_a[t], f->flat ? 0.0f : tap_b[t], f->flat ? 0.0f : tap_c[t],
                          w->row[row] == 2, to);
            }
        }
}

/// Add one row of the sums along z, weighted along y. What is left to do along x: 0: A, 1: B, 2: C.
static void add_row_y(mn_solid_work *w, int row, int t, int to)
{
    const float a = tap_a[t], b = tap_b[t], c = tap_c[t];
    const int   q = row * HALVES, m = to * HALVES;
    add_row(w->along_y[0] + m, a, w->along_z[0] + q);
    if (w->row_z[row] != 2) return;
    add_row(w->along_y[0] + m, b, w->along_z[2] + q);
    add_row(w->along_y[0] + m, c, w->along_z[4] + q);
    add_row(w->along_y[1] + m, a, w->along_z[1] + q);
    add_row(w->along_y[1] + m, b, w->along_z[5] + q);
    add_row(w->along_y[2] + m, a, w->along_z[3] + q);
}

static void sum_along_y(const mn_solid_frame *f, mn_solid_work *w)
{
    for (int z = 0; z < f->tile_z; z++)
        for (int y = 0; y < MN_TILE; y++) {
            const int      to    = z * MN_TILE + y;
            const uint8_t *row   = w->row_z + z * HALVES + 2 * y;
            uint8_t        state = 0;
            for (int t = 0; t < TAPS; t++) state = row[t] > state ? row[t] : state;
            w->row_y[to] = state;
            for (int k = 0; k < sums_of(state, 3); k++) memset(w->along_y[k] + to * HALVES, 0, HALVES * sizeof(float));
            for (int t = 0; t < TAPS; t++)
                if (row[t] != 0) add_row_y(w, z * HALVES + 2 * y + t, t, to);
        }
}

static float limited(float open) { return open < 0.0f ? 0.0f : open > 1.0f ? 1.0f : open; }

static float covered_kernel(const mn_solid_work *w, int row, int x)
{
    const bool cut     = w->row_y[row] == 2;
    float      covered = 0.0f;
    for (int t = 0; t < TAPS; t++) {
        const int h = row * HALVES + 2 * x + t;
        covered += cut ? tap_a[t] * w->along_y[0][h] + tap_b[t] * w->along_y[1][h] + tap_c[t] * w->along_y[2][h]
                       : tap_a[t] * w->along_y[0][h];
    }
    // Sums of six taps end within a few roundings of the whole; what is only rounding is not a wall.
    return covered < 1e-6f ? 0.0f : covered > 1.0f - 1e-6f ? 1.0f : covered;
}

static void write_kernel(const mn_solid_frame *f, const mn_solid_work *w, float *out)
{
    for (int row = 0; row < f->tile_z * MN_TILE; row++)
        for (int x = 0; x < MN_TILE; x++)
            out[row * MN_TILE + x] = w->row_y[row] == 0 ? 1.0f : limited(1.0f - covered_kernel(w, row, x));
}

static void write_volume(const mn_solid_frame *f, const mn_solid_work *w, float *out)
{
    for (int z = 0; z < f->tile_z; z++)
        for (int y = 0; y < MN_TILE; y++)
            for (int x = 0; x < MN_TILE; x++) {
                float covered = 0.0f;
                for (int k = 0; k < (f->flat ? 1 : 2); k++)
                    for (int j = 0; j < 2; j++)
                        for (int i = 0; i < 2; i++)
                            covered += w->moment[0][mn_solid_half_at(2 * (x + 1) + i, 2 * (y + 1) + j,
                                                                     f->flat ? 0 : 2 * (z + 1) + k)];
                out[mn_cell_in_tile(x, y, z)] = limited(1.0f - covered / (f->flat ? 4.0f : 8.0f));
            }
}

static float open_face(const mn_solid_work *w, int axis, int c)
{
    const float open = 1.0f - w->face[axis][c];
    return open < TINY_FACE ? 0.0f : open;
}

/// The same less what belongs to the lesser part of a divided cell beside it.
static float usable_face(const mn_solid_work *w, int axis, int c)
{
    const float open = 1.0f - w->face[axis][c] - (w->divided ? w->shut[axis][c] : 0.0f);
    return open < TINY_FACE ? 0.0f : open;
}

/// Whether so little of a cell's faces is open that all of them are closed. Needs the faces beyond it, and must not ask
/// what their other cells lose: at the rim of the reach that is known to the tile next door only.
static bool is_closed(const mn_solid_frame *f, const mn_solid_work *w, int x, int y, int z)
{
    const int c    = mn_solid_cell_at(x, y, z);
    float     open = open_face(w, 0, c) + open_face(w, 0, c + 1) + open_face(w, 1, c) + open_face(w, 1, c + EXT);
    if (!f->flat) open += open_face(w, 2, c) + open_face(w, 2, c + EXT * EXT);
    if (w->divided) open -= w->lost[c];
    return open < (f->flat ? TINY_CELL_2D : TINY_CELL_3D);
}

/// Velocity of what covers a face; where only the closing of a tiny cell shut it, of what covers that cell.
static float face_velocity(const mn_solid_work *w, int axis, int c, int before)
{
    if (w->face[axis][c] > 0.0f) return w->face_rate[axis][c] / w->face[axis][c];
    const float weight = w->cell_rate[3][c] + w->cell_rate[3][before];
    return weight > 0.0f ? (w->cell_rate[axis][c] + w->cell_rate[axis][before]) / weight : 0.0f;
}

static void write_faces(const mn_solid_frame *f, bool moving, mn_solid_work *w, int64_t base, mn_solid_fields *out)
{
    const int first_z = f->flat ? 0 : 1;
    uint8_t  *closed  = w->cell;  // no longer needed for the state of the last solid
    for (int z = 0; z < (f->flat ? 1 : EXT - 1); z++)
        for (int y = 0; y < EXT - 1; y++)
            for (int x = 0; x < EXT - 1; x++) closed[mn_solid_cell_at(x, y, z)] = is_closed(f, w, x, y, z);
    for (int axis = 0; axis < 3; axis++) {
        const int back = axis == 0 ? 1 : axis == 1 ? EXT : f->flat ? 0 : EXT * EXT;
        for (int z = 0; z < f->tile_z; z++)
            for (int y = 0; y < MN_TILE; y++)
                for (int x = 0; x < MN_TILE; x++) {
                    const int     c    = mn_solid_cell_at(x + 1, y + 1, z + first_z);
                    const int64_t i    = base + mn_cell_in_tile(x, y, z);
                    const float   raw  = f->flat && axis == 2 ? out->volume_open[i] : usable_face(w, axis, c);
                    const float   open = closed[c] || closed[c - back] ? 0.0f : raw;
                    out->open[axis][i] = open;
                    if (out->velocity_mask != -1) continue;  // nothing moves, anywhere
                    out->velocity[axis][i] = moving && open < 1.0f && back > 0 ? face_velocity(w, axis, c, c - back)
                                                                               : 0.0f;
                }
    }
}

void mn_solid_tile_fill(const mn_tiles *tiles, int32_t tile, bool solid, mn_solid_fields *out)
{
    const int64_t base = (int64_t)tile * tiles->cells;
    const float   open = solid ? 0.0f : 1.0f;
    for (int32_t i = 0; i < tiles->cells; i++) {
        for (int a = 0; a < 3; a++) out->open[a][base + i] = open;
        out->kernel_open[base + i] = out->volume_open[base + i] = open;
    }
    for (int a = 0; a < 3 && out->velocity_mask == -1; a++)
        memset(out->velocity[a] + base, 0, (size_t)tiles->cells * sizeof(float));
    out->touched[tile] = solid ? 2 : 0;
}

void mn_solid_tile_still(const mn_tiles *tiles, int32_t tile, const mn_solid_list *list, mn_solid_work *w)
{
    const mn_solid_frame f = mn_solid_frame_of(tiles, tile);
    clear(&f, false, w);
    for (int k = 0; k < list->rest; k++) {
        const mn_solid_reach reach = mn_solid_tile_reach(tiles, tile, &list->list[k]);
        if (reach != MN_SOLID_AWAY) mn_solid_cover(&f, &list->list[k], reach == MN_SOLID_DEEP, w);
    }
}

void mn_solid_tile(const mn_tiles *tiles, int32_t tile, const mn_solid_list *list, const uint8_t *reach,
                   const mn_solid_still *still, mn_solid_work *w, mn_solid_fields *out)
{
    bool moving = false, deep = false;
    int  near = 0;
    for (int k = 0; k < list->count; k++) {
        near += reach[k] != MN_SOLID_AWAY;
        deep |= reach[k] == MN_SOLID_DEEP;
        moving |= reach[k] != MN_SOLID_AWAY && list->list[k].moving;
    }
    if (near == 0 || (deep && !moving)) {
        mn_solid_tile_fill(tiles, tile, deep, out);
        return;
    }
    const mn_solid_frame f = mn_solid_frame_of(tiles, tile);
    clear(&f, moving, w);
    const bool kept = still != NULL && mn_solid_still_get(still, &f, tiles->coord[tile], w);
    for (int k = kept ? list->rest : 0; k < list->count; k++)
        if (reach[k] != MN_SOLID_AWAY) mn_solid_cover(&f, &list->list[k], reach[k] == MN_SOLID_DEEP, w);
    if (!w->anything) {
        mn_solid_tile_fill(tiles, tile, false, out);
        return;
    }
    const int64_t base = (int64_t)tile * tiles->cells;
    if (near > 1) limit_moments(&f, w);
    sum_along_z(&f, w);
    sum_along_y(&f, w);
    write_kernel(&f, w, out->kernel_open + base);
    write_volume(&f, w, out->volume_open + base);
    write_faces(&f, moving, w, base, out);
    out->touched[tile] = deep ? 2 : 1;
}
