// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity_rows.c - the rows of a level of the viscosity matrix: their numbers, neighbours, memory and scaling.
#include "liquid/viscosity_private.h"

#include <string.h>

int64_t mn_row_beside(const mn_tiles *t, int64_t place, int dx, int dy, int dz)
{
    const int32_t rows = mn_rows_of(t), row = (int32_t)(place % rows);
    int32_t       y = row % MN_TILE + dy, z = row / MN_TILE + dz, hop = 13 + dx;
    if (y < 0 || y >= MN_TILE) hop += y < 0 ? -3 : 3, y -= y < 0 ? -MN_TILE : MN_TILE;
    if (z < 0 || z >= t->tile_z) hop += z < 0 ? -9 : 9, z -= z < 0 ? -t->tile_z : t->tile_z;
    return (int64_t)t->neighbor[place / rows][hop] * rows + z * MN_TILE + y;
}

static const int8_t steps[MN_ROWS_NEAR][3] = {
    [MN_ROW_X_LOW] = { -1, 0, 0 },        [MN_ROW_X_HIGH] = { 1, 0, 0 },        [MN_ROW_Y_LOW] = { 0, -1, 0 },
    [MN_ROW_Y_HIGH] = { 0, 1, 0 },        [MN_ROW_Z_LOW] = { 0, 0, -1 },        [MN_ROW_Z_HIGH] = { 0, 0, 1 },
    [MN_ROW_Y_HIGH_X_LOW] = { -1, 1, 0 }, [MN_ROW_Y_LOW_X_HIGH] = { 1, -1, 0 }, [MN_ROW_Z_HIGH_X_LOW] = { -1, 0, 1 },
    [MN_ROW_Z_LOW_X_HIGH] = { 1, 0, -1 }, [MN_ROW_Y_LOW_Z_HIGH] = { 0, -1, 1 }, [MN_ROW_Y_HIGH_Z_LOW] = { 0, 1, -1 },
};

mn_status mn_viscosity_number_rows(mn_viscosity_level *l, mn_arena *arena)
{
    const int64_t places = (int64_t)l->tiles.count * mn_rows_of(&l->tiles);
    l->count             = 1;
    for (int64_t p = 0; p < places; p++)
        if (l->index[p] != 0) l->index[p] = l->count++;
    l->place = mn_arena_array(arena, int32_t, l->count);
    l->near  = mn_arena_take(arena, mn_array_bytes(l->count, sizeof *l->near));
    if (l->place == NULL || l->near == NULL) return MN_ERR_MEMORY;
    l->place[0] = 0;
    memset(l->near[0], 0, sizeof *l->near);
    for (int64_t p = 0; p < places; p++)
        if (l->index[p] != 0) l->place[l->index[p]] = (int32_t)p;
    for (int32_t r = 1; r < l->count; r++)
        for (int n = 0; n < MN_ROWS_NEAR; n++)
            l->near[r]
                   [n] = l->dimension == 2 && steps[n][2] != 0
                             ? 0
                             : l->index[mn_row_beside(&l->tiles, l->place[r], steps[n][0], steps[n][1], steps[n][2])];
    return MN_OK;
}

mn_status mn_viscosity_take(mn_viscosity_level *l, bool three, mn_arena *arena)
{
    const int64_t faces = mn_row_values(l), cells = (int64_t)l->count * MN_TILE;
    bool          ok = (l->mass = mn_arena_array_zero(arena, float, faces)) &&
              (l->inverse = mn_arena_array_zero(arena, float, faces));
    ok = ok && (l->kind = mn_arena_array_zero(arena, uint8_t, faces)) &&
         (l->cell = mn_arena_array_zero(arena, float, cells));
    for (int e = 0; e < mn_edges_of(l); e++)
        for (int w = 0; w < 3; w++) {
            if (w > 0 && !three) l->edge[e][w] = l->edge[e][0];
            else ok = ok && (l->edge[e][w] = mn_arena_array_zero(arena, float, cells));
        }
    ok = ok && (l->x = mn_arena_array_zero(arena, float, faces)) && (l->y = mn_arena_array_zero(arena, float, faces));
    ok = ok && (l->step = mn_arena_array_zero(arena, float, faces)) &&
         (l->b = mn_arena_array_zero(arena, float, faces));
    return ok ? MN_OK : MN_ERR_MEMORY;
}

/// Value of cell x of a row one step along an axis; along x from the neighbouring row where it leaves this one.
static double beside(const mn_viscosity_level *l, const float *field, int32_t r, int x, int axis, int dir)
{
    if (axis == 0 && x + dir >= 0 && x + dir < MN_TILE) return (double)field[(size_t)r * MN_TILE + (size_t)(x + dir)];
    const int32_t row = l->near[r][2 * axis + (dir > 0)];
    return (double)field[(size_t)row * MN_TILE + (size_t)(axis == 0 ? x - dir * (MN_TILE - 1) : x)];
}

/// Sum of the |entries| of the line of a face that come from samples.
static double sum_of_line(const mn_viscosity_level *l, int32_t r, int x, int a)
{
    double sum = 2.0 * ((double)l->cell[(size_t)r * MN_TILE + (size_t)x] + beside(l, l->cell, r, x, a, -1));
    for (int e = 0; e < mn_edges_of(l); e++) {
        if (mn_edge_first[e] != a && mn_edge_second[e] != a) continue;
        const int own   = mn_edge_first[e] == a ? 0 : 2,
                  along = mn_edge_first[e] == a ? mn_edge_second[e] : mn_edge_first[e];
        const float *c = l->edge[e][own], *mixed = l->edge[e][1];
        const size_t i = (size_t)r * MN_TILE + (size_t)x;
        sum += 2.0 *
               ((double)c[i] + (double)mixed[i] + beside(l, c, r, x, along, 1) + beside(l, mixed, r, x, along, 1));
    }
    return sum;
}

static void finish_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_viscosity_level *l = context;
    for (int32_t r = (int32_t)begin; r < (int32_t)end; r++)
        for (int a = 0; a < l->dimension && r > 0; a++)
            for (int x = 0; x < MN_TILE; x++) {
                const size_t i   = mn_row_face(l, r, a) + (size_t)x;
                const double sum = l->kind[i] == MN_FACE_LIQUID ? sum_of_line(l, r, x, a) : 0.0;
                if (sum > 0.0) l->inverse[i] = (float)(1.0 / ((double)l->mass[i] + sum));
                else l->mass[i] = 0.0f;
                if (l->kind[i] == MN_FACE_LIQUID && sum == 0.0) l->kind[i] = MN_FACE_AIR;  // no stress reaches it
            }
}

void mn_viscosity_finish_level(mn_viscosity_matrix *m, mn_viscosity_level *l)
{
    mn_parallel_for(mn_context_pool(m->q->context), l->count, MN_ROW_BLOCK, finish_rows, l);
}
