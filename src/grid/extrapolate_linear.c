// SPDX-License-Identifier: MPL-2.0
// grid/extrapolate_linear.c - linear interpolation of a staggered field (displacements (E8), mirror points of liquid 5.5).
#include "grid/bins.h"
#include "grid/extrapolate.h"

#include "base/pool.h"

/// Values at the 4 or 8 faces around a point, [z][y][x], from the first of them on.
static void load_corners(const mn_tiles *t, const double *field, const int32_t first[3], double corner[2][2][2])
{
    const int32_t mask_z  = t->tile_z - 1;
    const int32_t tile_z  = t->tile_z == 1 ? 0 : mn_tile_of_cell(first[2]);
    const int32_t tile    = mn_tiles_find(t, (mn_tile_coord){ mn_tile_of_cell(first[0]), mn_tile_of_cell(first[1]), tile_z });
    const int32_t in[3]   = { first[0] & (MN_TILE - 1), first[1] & (MN_TILE - 1), first[2] & mask_z };
    const int     depth   = t->tile_z == 1 ? 1 : 2;
    if (in[0] + 1 < MN_TILE && in[1] + 1 < MN_TILE && in[2] + depth <= t->tile_z) {      // all in one tile, be it the null tile
        const double *row = field + (int64_t)tile * t->cells + mn_cell_in_tile(in[0], in[1], in[2]);
        for (int k = 0; k < depth; k++)
            for (int j = 0; j < 2; j++)
                for (int i = 0; i < 2; i++) corner[k][j][i] = row[mn_cell_in_tile(i, j, k)];
        return;
    }
    for (int k = 0; k < depth; k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) {
                const int32_t dx = in[0] + i >= MN_TILE, dy = in[1] + j >= MN_TILE, dz = k > 0 && in[2] + k >= t->tile_z;
                int32_t       at = t->neighbor[tile][(dz + 1) * 9 + (dy + 1) * 3 + dx + 1];
                // The null tile has no neighbours; a real one may still lie beside it.
                if (tile == 0)
                    at = mn_tiles_find(t, (mn_tile_coord){ mn_tile_of_cell(first[0] + i), mn_tile_of_cell(first[1] + j),
                                                           depth == 1 ? 0 : mn_tile_of_cell(first[2] + k) });
                const int32_t cell = mn_cell_in_tile((in[0] + i) & (MN_TILE - 1), (in[1] + j) & (MN_TILE - 1), (in[2] + k) & mask_z);
                corner[k][j][i]    = at == 0 ? 0.0 : field[(int64_t)at * t->cells + cell];
            }
}

double mn_face_value(const mn_tiles *t, int axis, const double *field, const double point[3])
{
    int32_t      first[3] = { 0, 0, 0 };
    double       w[3]     = { 0.0, 0.0, 0.0 }, corner[2][2][2];
    const double inverse  = 1.0 / t->def.cell;
    for (int a = 0; a < t->def.dimension; a++) {
        const double place = mn_place_in_cells(point[a], mn_get3(t->def.origin, a), inverse) - (a == axis ? 0.0 : 0.5);
        if (!(fabs(place) < 0x1p30)) return isfinite(place) ? 0.0 : (double)NAN;      // beyond every tile; or nowhere
        first[a] = mn_cell_floor(place);
        w[a]     = place - (double)first[a];
    }
    load_corners(t, field, first, corner);
    double plane[2] = { 0.0, 0.0 };
    for (int k = 0; k < (t->tile_z == 1 ? 1 : 2); k++) {
        const double low  = corner[k][0][0] + w[0] * (corner[k][0][1] - corner[k][0][0]);
        const double high = corner[k][1][0] + w[0] * (corner[k][1][1] - corner[k][1][0]);
        plane[k]          = low + w[1] * (high - low);
    }
    return t->tile_z == 1 ? plane[0] : plane[0] + w[2] * (plane[1] - plane[0]);
}

mn_vec3 mn_faces_value(const mn_tiles *t, const double *const field[3], const double point[3])
{
    return mn_v3(mn_face_value(t, 0, field[0], point), mn_face_value(t, 1, field[1], point),
                 t->def.dimension == 3 ? mn_face_value(t, 2, field[2], point) : 0.0);
}

typedef struct points_job {
    const mn_tiles      *tiles;
    const double *const *field, *const *point;
    double *const       *value;
} points_job;

static void interpolate_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const points_job *job       = context;
    const int         dimension = job->tiles->def.dimension;
    for (int64_t p = begin; p < end; p++) {
        const double x[3] = { job->point[0][p], job->point[1][p], dimension == 3 ? job->point[2][p] : 0.0 };
        for (int a = 0; a < dimension; a++) job->value[a][p] = mn_face_value(job->tiles, a, job->field[a], x);
    }
}

void mn_faces_interpolate(mn_context *c, const mn_tiles *tiles, const double *const field[3], const double *const point[3],
                          int64_t count, double *const value[3])
{
    points_job job = { tiles, field, point, value };
    mn_parallel_for(mn_context_pool(c), count, MN_BLOCK, interpolate_block, &job);
}
