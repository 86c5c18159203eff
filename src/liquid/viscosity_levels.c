// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity_levels.c - the coarser levels of the viscosity matrix. liquid 5.12
//
// A coarse cell is 2 x 2 x 2 cells; the coarse face I of axis a lies at the fine face 2 I. Velocity goes down linearly
// along its own axis and constant across it; mass goes up by the transpose of that. The coefficients are those of the
// same energy on twice the cell size: the sum over the samples' volumes, a quarter for the longer difference.
// Everything coarse asks the fine rows by their coordinates, so that an odd period needs no special case: the coarse
// ring runs through it twice, both halves alike.
#include "liquid/viscosity_private.h"

#include <string.h>

/// Below this h nu / cell^2 the mass rules, and sweeps alone solve a level.
#define EASY 0.3

/// Weights of the fine values -1, 0, 1 along y and z, and along x of the pairs of lanes, under a coarse one.
enum { ALONG, ACROSS, CENTRE };
static const float weights[3][3] = {
    [ALONG] = { 0.5f, 1.0f, 0.5f }, [ACROSS] = { 0.0f, 1.0f, 1.0f }, [CENTRE] = { 0.0f, 1.0f, 0.0f }
};

/// out[8]: weighted sums of a field of the finer level under a coarse row. `stride` and `offset` find a row's eight
/// values.
static void gather(const mn_viscosity_level *fine, const int32_t child[MN_ROW_CHILDREN], const float *field,
                   size_t stride, size_t offset, const int how[3], float out[MN_TILE])
{
    for (int half = 0; half < 2; half++) {
        float sum[MN_TILE + 1] = { 0.0f };  // from the value before the first
        for (int z = 0; z < 3; z++)
            for (int y = 0; y < 3; y++) {
                const int32_t row = child[(z * 3 + y) * 3 + half + 1], before = child[(z * 3 + y) * 3 + half];
                const float w = weights[how[1]][y] * (fine->dimension == 3 ? weights[how[2]][z] : z == 1 ? 1.0f : 0.0f);
                if (w == 0.0f) continue;
                sum[0] += w * field[(size_t)before * stride + offset + MN_TILE - 1];
                for (int x = 0; x < MN_TILE; x++) sum[x + 1] += w * field[(size_t)row * stride + offset + (size_t)x];
            }
        const float *w = weights[how[0]];
        for (int x = 0; x < 4; x++)
            out[4 * half + x] = w[0] * sum[2 * x] + w[1] * sum[2 * x + 1] + w[2] * sum[2 * x + 2];
    }
}

void mn_viscosity_restrict(const mn_viscosity_level *fine, const mn_viscosity_level *coarse, int32_t row,
                           const float *from, float *to)
{
    for (int a = 0; a < coarse->dimension; a++) {
        const int how[3] = { a == 0 ? ALONG : ACROSS, a == 1 ? ALONG : ACROSS, a == 2 ? ALONG : ACROSS };
        gather(fine, coarse->child[row], from, (size_t)fine->dimension * MN_TILE, (size_t)a * MN_TILE, how,
               to + mn_row_face(coarse, row, a));
    }
}

// Making a level

typedef struct level_job {
    mn_viscosity_matrix *m;
    mn_viscosity_level  *fine, *coarse;
    float               *solid, *liquid;  // 1 where a fine face is of that kind
} level_job;

/// Faces of solids stay put in the correction: a coarse one is solid if it stands on solid ones only.
static void kinds_of_row(const level_job *job, int32_t r, int a)
{
    const mn_viscosity_level *c      = job->coarse;
    const size_t              stride = (size_t)c->dimension * MN_TILE, offset = (size_t)a * MN_TILE;
    const int                 how[3] = { a == 0 ? CENTRE : ACROSS, a == 1 ? CENTRE : ACROSS, a == 2 ? CENTRE : ACROSS };
    float                     solid[MN_TILE], liquid[MN_TILE];
    gather(job->fine, c->child[r], job->solid, stride, offset, how, solid);
    gather(job->fine, c->child[r], job->liquid, stride, offset, how, liquid);
    for (int x = 0; x < MN_TILE; x++)
        c->kind[mn_row_face(c, r, a) + (size_t)x] = solid[x] > 0.0f && liquid[x] == 0.0f ? MN_FACE_SOLID
                                                                                         : MN_FACE_LIQUID;
}

static void coarse_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const level_job          *job = context;
    const mn_viscosity_level *c = job->coarse, *f = job->fine;
    for (int32_t r = (int32_t)begin; r < (int32_t)end; r++) {
        if (r == 0) continue;
        const int    inside[3] = { ACROSS, ACROSS, ACROSS };
        const size_t at        = (size_t)r * MN_TILE;
        mn_viscosity_restrict(f, c, r, f->mass, c->mass);
        gather(f, c->child[r], f->cell, MN_TILE, 0, inside, c->cell + at);
        for (int e = 0; e < mn_edges_of(c); e++) {
            int how[3]            = { ACROSS, ACROSS, ACROSS };
            how[mn_edge_first[e]] = how[mn_edge_second[e]] = ALONG;
            for (int w = 0; w < 3; w++) {
                if (w > 0 && c->edge[e][w] == c->edge[e][0]) continue;
                gather(f, c->child[r], f->edge[e][w], MN_TILE, 0, how, c->edge[e][w] + at);
                for (int x = 0; x < MN_TILE; x++) c->edge[e][w][at + (size_t)x] *= 0.25f;
            }
        }
        for (int x = 0; x < MN_TILE; x++) c->cell[at + (size_t)x] *= 0.25f;
        for (int a = 0; a < c->dimension; a++) kinds_of_row(job, r, a);
    }
}

static void child_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const level_job          *job = context;
    const mn_viscosity_level *c = job->coarse, *f = job->fine;
    const int32_t             rows = mn_rows_of(&c->tiles);
    for (int64_t r = begin; r < end; r++) {
        const mn_tile_coord tile = c->tiles.coord[c->place[r] / rows];
        const int32_t       y0   = tile.y * MN_TILE + c->place[r] % rows % MN_TILE,
                      z0         = tile.z * MN_TILE + c->place[r] % rows / MN_TILE;
        for (int k = 0; k < MN_ROW_CHILDREN; k++) {
            const int32_t y = 2 * y0 + k / 3 % 3 - 1, z = f->dimension == 3 ? 2 * z0 + k / 9 - 1 : 0;
            const int32_t t = r == 0 || (f->dimension == 2 && k / 9 != 1)
                                  ? 0
                                  : mn_tiles_find(&f->tiles, (mn_tile_coord){ 2 * tile.x + k % 3 - 1,
                                                                              mn_tile_of_cell(y), mn_tile_of_cell(z) });
            c->child[r][k]  = f->index[(int64_t)t * rows + (z & (f->tiles.tile_z - 1)) * MN_TILE + (y & (MN_TILE - 1))];
        }
    }
}

/// Tile and row of the coarse level that fine row coordinates lead to.
typedef struct coarse_place {
    mn_tile_coord tile;
    int32_t       row;
} coarse_place;

static coarse_place place_of(int32_t tile_x, int32_t y, int32_t z, int32_t tile_z)
{
    return (coarse_place){ { tile_x >> 1, mn_tile_of_cell(y), tile_z > 1 ? mn_tile_of_cell(z) : 0 },
                           (z & (tile_z - 1)) * MN_TILE + (y & (MN_TILE - 1)) };
}

/// The coarse rows a fine row takes part in: its own, and the next one along each axis where it lies in the upper half.
static int parents_of(const mn_viscosity_level *f, int32_t r, int shift, coarse_place out[8])
{
    const int32_t       rows = mn_rows_of(&f->tiles), row = f->place[r] % rows;
    const mn_tile_coord t      = f->tiles.coord[f->place[r] / rows];
    const int32_t      *period = f->tiles.def.period;
    const int32_t       x      = t.x + (shift & 1 ? period[0] : 0),
                  y            = (t.y + (shift & 2 ? period[1] : 0)) * MN_TILE + row % MN_TILE;
    const int32_t z            = f->dimension == 3 ? (t.z + (shift & 4 ? period[2] : 0)) * MN_TILE + row / MN_TILE : 0;
    int           n            = 0;
    for (int k = 0; k < 8; k++) {
        if ((k & 1 && !(x & 1)) || (k & 2 && !(y & 1)) || (k & 4 && !(z & 1))) continue;
        out[n++] = place_of(x + 2 * (k & 1), (y >> 1) + (k >> 1 & 1), (z >> 1) + (k >> 2), f->tiles.tile_z);
    }
    return n;
}

/// The copies of an odd period the coarse ring runs through, as bits over the axes.
static int odd_periods(const mn_viscosity_level *f)
{
    int odd = 0;
    for (int a = 0; a < f->dimension; a++) odd |= (f->tiles.def.period[a] & 1) << a;
    return odd;
}

static mn_status find_coarse_rows(mn_viscosity_level *f, mn_viscosity_level *c, mn_arena *arena)
{
    const int      odd = odd_periods(f), copies = 1 << ((odd & 1) + (odd >> 1 & 1) + (odd >> 2));
    mn_tile_coord *wanted = mn_arena_array(arena, mn_tile_coord, 8 * (int64_t)copies * f->count);
    mn_grid_def    def    = f->tiles.def;
    coarse_place   place[8];
    int64_t        n = 0;
    if (wanted == NULL) return MN_ERR_MEMORY;
    for (int a = 0; a < 3; a++)
        if ((def.period[a] & 1) == 0) def.period[a] /= 2;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            MN_TRY(mn_tiles_build(arena, &def, wanted, n, &c->tiles));
            c->index = mn_arena_array_zero(arena, int32_t, (int64_t)c->tiles.count * mn_rows_of(&c->tiles));
            if (c->index == NULL) return MN_ERR_MEMORY;
        }
        for (int32_t r = 1; r < f->count; r++)
            for (int shift = 0; shift < 8; shift++) {
                if ((shift & ~odd) != 0) continue;
                const int count = parents_of(f, r, shift, place);
                for (int k = 0; k < count; k++) {
                    if (pass == 0) wanted[n++] = mn_tile_wrap(&def, place[k].tile);
                    else
                        c->index[(int64_t)mn_tiles_find(&c->tiles, place[k].tile) * mn_rows_of(&c->tiles) +
                                 place[k].row] = 1;
                }
            }
    }
    return mn_viscosity_number_rows(c, arena);
}

static void parent_rows(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const level_job    *job = context;
    mn_viscosity_level *f   = job->fine;
    for (int32_t r = (int32_t)begin; r < (int32_t)end; r++) {
        coarse_place place[8];
        f->parent[r] = 0, f->half[r] = 0;
        if (r == 0) continue;
        (void)parents_of(f, r, 0, place);
        f->parent[r] = job->coarse
                           ->index[(int64_t)mn_tiles_find(&job->coarse->tiles, place[0].tile) * mn_rows_of(&f->tiles) +
                                   place[0].row];
        f->half[r] = (uint8_t)(f->tiles.coord[f->place[r] / mn_rows_of(&f->tiles)].x & 1);
    }
}

static mn_status make_level(level_job *job, mn_arena *arena)
{
    mn_viscosity_level *f = job->fine, *c = job->coarse;
    mn_pool            *pool = mn_context_pool(job->m->q->context);
    *c                       = (mn_viscosity_level){ .dimension = f->dimension };
    MN_TRY(find_coarse_rows(f, c, arena));
    MN_TRY(mn_viscosity_take(c, job->m->no_slip, arena));
    const int64_t values = mn_row_values(f);
    c->child             = mn_arena_take(arena, mn_array_bytes(c->count, sizeof *c->child));
    f->parent            = mn_arena_array(arena, int32_t, f->count);
    f->half              = mn_arena_array(arena, uint8_t, f->count);
    if (c->child == NULL || f->parent == NULL || f->half == NULL) return MN_ERR_MEMORY;
    job->solid  = f->x;  // not in use yet
    job->liquid = f->y;
    for (int64_t i = 0; i < values; i++) {
        job->solid[i]  = f->kind[i] == MN_FACE_SOLID ? 1.0f : 0.0f;
        job->liquid[i] = f->kind[i] == MN_FACE_LIQUID ? 1.0f : 0.0f;
    }
    mn_parallel_for(pool, f->count, MN_ROW_BLOCK, parent_rows, job);
    mn_parallel_for(pool, c->count, MN_ROW_BLOCK, child_rows, job);
    mn_parallel_for(pool, c->count, MN_ROW_BLOCK, coarse_rows, job);
    mn_viscosity_finish_level(job->m, c);
    memset(f->x, 0, (size_t)values * sizeof *f->x);
    memset(f->y, 0, (size_t)values * sizeof *f->y);
    return MN_OK;
}

mn_status mn_viscosity_levels(mn_viscosity_matrix *m, mn_arena *arena)
{
    double k = m->k;
    for (m->levels = 1; k > EASY && m->levels < MN_VISCOSITY_LEVELS; m->levels++, k *= 0.25) {
        level_job job = { .m = m, .fine = &m->level[m->levels - 1], .coarse = &m->level[m->levels] };
        MN_TRY(make_level(&job, arena));
    }
    return MN_OK;
}
