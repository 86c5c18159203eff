// SPDX-License-Identifier: MPL-2.0
// solve/mg_setup.c - from face coefficients to the levels of the multigrid (liquid 5.10).
//
// Each level is made in natural order (low faces c, and e) and then sorted by colour. The natural arrays are needed for
// two levels at a time and live in the memory of the CG vectors, which are not in use yet.
// An aggregate is 2x2x2 cells (2x2 in 2D); c of a coarse face is the sum of the fine faces it crosses. A period that is
// an odd number of tiles is unrolled: the coarse ring runs through two periods, a tile has a parent in each, and the
// correction is their mean, which keeps the cycle symmetric.
#include "solve/mg_level.h"
#include "solve/mg_vector.h"

#include <math.h>

#define SHIFT_FROM_LOW(v, low)   __builtin_shufflevector((low), (v), 7, 8, 9, 10, 11, 12, 13, 14)
#define SHIFT_FROM_HIGH(v, high) __builtin_shufflevector((v), (high), 1, 2, 3, 4, 5, 6, 7, 8)

/// How many cells of a tile are unknowns.
enum tile_use { TILE_EMPTY, TILE_PARTLY, TILE_FULL };

typedef struct setup_job {
    mn_multigrid             *mg;
    const mn_pressure_system *system;
    mn_mg_level              *l, *coarse;
    mn_mg_natural             fine, next;
    int32_t (*child)[8];  // per coarse tile
    uint8_t *used;        // per caller's tile, tile_use
    bool     diagonals;   // terms have some
} setup_job;

/// The six face neighbours in the table of 27.
static const int near_of_27[6] = { 12, 14, 10, 16, 4, 22 };

MN_INLINE mn_f8 select_f8(mn_i8 mask, mn_f8 v) { return (mn_f8)((mn_i8)v & mask); }
MN_INLINE mn_f8 min_f8(mn_f8 a, mn_f8 b)
{
    const mn_i8 m = a < b;
    return (mn_f8)(((mn_i8)a & m) | ((mn_i8)b & ~m));
}
MN_INLINE mn_f8 max_f8(mn_f8 a, mn_f8 b)
{
    const mn_i8 m = a > b;
    return (mn_f8)(((mn_i8)a & m) | ((mn_i8)b & ~m));
}

// --- level 0 from the caller's arrays ---

MN_INLINE mn_i8 unknown_row(const uint8_t *u)
{
    typedef uint8_t u8x8 __attribute__((vector_size(8)));
    u8x8            v;
    memcpy(&v, u, sizeof v);
    return __builtin_convertvector(v, mn_i8) != 0;
}

static void find_used(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const setup_job *job   = context;
    const int32_t    cells = job->system->tiles->cells;
    for (int64_t t = begin; t < end; t++) {
        const uint8_t *u = job->system->unknown + (size_t)t * cells;
        int32_t        n = 0;
        for (int32_t i = 0; i < cells; i++) n += u[i] != 0;
        job->used[t] = t == 0 || n == 0 ? TILE_EMPTY : n < cells ? TILE_PARTLY : TILE_FULL;
    }
}

/// Offset of row (y, z) as seen from tile `own`, stepping into the neighbour where y or z leaves the tile.
MN_INLINE size_t row_in(size_t own, size_t low_y, size_t high_y, size_t low_z, size_t high_z, int y, int z, int nz)
{
    if (y < 0) return low_y + 8 * (8 * (size_t)z + 7);
    if (y > 7) return high_y + 64 * (size_t)z;
    if (z < 0) return low_z + 8 * (8 * ((size_t)nz - 1) + (size_t)y);
    if (z >= nz) return high_z + 8 * (size_t)y;
    return own + 8 * (8 * (size_t)z + (size_t)y);
}

/// A full tile among full tiles sees no known value: its coefficients are the caller's.
static bool natural_inside(const setup_job *job, int32_t t)
{
    const mn_mg_level *l    = job->l;
    const int32_t     *near = job->system->tiles->neighbor[job->mg->source[t]];
    bool               full = !job->diagonals && job->used[job->mg->source[t]] == TILE_FULL;
    for (int k = 0; k < (l->nz > 1 ? 6 : 4); k++) full = full && job->used[near[near_of_27[k]]] == TILE_FULL;
    if (!full) return false;
    const size_t from = (size_t)job->mg->source[t] * l->cells, to = (size_t)t * l->cells;
    for (int axis = 0; axis < (l->nz > 1 ? 3 : 2); axis++)
        memcpy(job->fine.c[axis] + to, job->system->b[axis] + from, (size_t)l->cells * sizeof(float));
    memset(job->fine.e + to, 0, (size_t)l->cells * sizeof(float));
    memset(l->e_exact + to, 0, (size_t)l->cells * sizeof(double));
    return true;
}

static void natural_tile(const setup_job *job, int32_t t)
{
    if (natural_inside(job, t)) return;
    const mn_pressure_system *s     = job->system;
    const mn_mg_level        *l     = job->l;
    const size_t              cells = (size_t)l->cells;
    const int32_t            *near  = s->tiles->neighbor[job->mg->source[t]];
    const size_t              own = (size_t)job->mg->source[t] * cells, low_x = (size_t)near[12] * cells,
                 high_x  = (size_t)near[14] * cells;
    const size_t   low_y = (size_t)near[10] * cells, high_y = (size_t)near[16] * cells;
    const size_t   low_z = (size_t)near[4] * cells, high_z = (size_t)near[22] * cells;
    const uint8_t *unknown = s->unknown;
    for (int z = 0; z < l->nz; z++)
        for (int y = 0; y < 8; y++) {
            const size_t in = 8 * (8 * (size_t)z + (size_t)y), out = (size_t)t * cells + in;
            const mn_i8  u  = unknown_row(unknown + own + in);
            const mn_i8  ul = SHIFT_FROM_LOW(u, unknown_row(unknown + low_x + in)),
                        uh  = SHIFT_FROM_HIGH(u, unknown_row(unknown + high_x + in));
            const mn_f8 bl  = mn_f8_read(s->b[0] + own + in),
                        bh  = SHIFT_FROM_HIGH(bl, mn_f8_read(s->b[0] + high_x + in));
            mn_f8_store(job->fine.c[0] + out, select_f8(u & ul, bl));
            mn_d8 e = mn_d8_of(select_f8(u & ~ul, bl)) + mn_d8_of(select_f8(u & ~uh, bh));
            for (int axis = 1; axis < (l->nz > 1 ? 3 : 2); axis++) {
                const int    dy = axis == 1, dz = axis == 2;
                const size_t low   = row_in(own, low_y, high_y, low_z, high_z, y - dy, z - dz, l->nz);
                const size_t high  = row_in(own, low_y, high_y, low_z, high_z, y + dy, z + dz, l->nz);
                const mn_i8  below = unknown_row(unknown + low), above = unknown_row(unknown + high);
                const mn_f8  b = mn_f8_read(s->b[axis] + own + in);
                mn_f8_store(job->fine.c[axis] + out, select_f8(u & below, b));
                e += mn_d8_of(select_f8(u & ~below, b)) +
                     mn_d8_of(select_f8(u & ~above, mn_f8_read(s->b[axis] + high)));
            }
            for (int k = 0; job->diagonals && k < s->term_count; k++)
                if (s->terms[k].diagonal != NULL)
                    e += mn_d8_of(select_f8(u, mn_f8_read(s->terms[k].diagonal + own + in)));
            mn_f8_store(job->fine.e + out, mn_f8_of(e));
            mn_d8_store(l->e_exact + out, e);  // sorted by colour later, with the rest
        }
}

static void natural_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    for (int64_t t = begin; t < end; t++)
        if (t > 0) natural_tile(context, (int32_t)t);
}

// --- sorting a level by colour ---

typedef struct row_faces {
    mn_f8 low_x, high_x, low_y, high_y, low_z, high_z, e;
} row_faces;

MN_INLINE row_faces natural_row(const mn_mg_level *l, const mn_mg_natural *n, int32_t t, int y, int z)
{
    const size_t cells = (size_t)l->cells, own = (size_t)t * cells, at = own + 8 * (8 * (size_t)z + (size_t)y);
    const size_t high_y = (size_t)l->near[t][MN_Y_HIGH] * cells, high_z = (size_t)l->near[t][MN_Z_HIGH] * cells;
    const size_t high_x = (size_t)l->near[t][MN_X_HIGH] * cells + (at - own);
    row_faces f = { .low_x = mn_f8_load(n->c[0] + at), .low_y = mn_f8_load(n->c[1] + at), .e = mn_f8_load(n->e + at) };
    f.high_x    = SHIFT_FROM_HIGH(f.low_x, mn_f8_load(n->c[0] + high_x));
    f.high_y    = mn_f8_load(n->c[1] + row_in(own, own, high_y, own, high_z, y + 1, z, l->nz));
    if (l->nz > 1) {
        f.low_z  = mn_f8_load(n->c[2] + at);
        f.high_z = mn_f8_load(n->c[2] + row_in(own, own, high_y, own, high_z, y, z + 1, l->nz));
    }
    return f;
}

MN_INLINE mn_f8 inverse_of(mn_f8 diagonal)
{
    const mn_i8 none = diagonal == 0.0f;
    const mn_f8 one  = { 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f };
    return select_f8(~none, one / (diagonal + select_f8(none, one)));
}

/// 1 in lanes where a face of the row differs from c, or where e is not zero.
MN_INLINE mn_i8 not_uniform(const row_faces *f, float c, int nz)
{
    mn_i8 off = (f->low_x != c) | (f->high_x != c) | (f->low_y != c) | (f->high_y != c) | (f->e != 0.0f);
    if (nz > 1) off |= (f->low_z != c) | (f->high_z != c);
    return off;
}

/// e of level 0 from natural order to colours, in place.
static void colour_exact(const mn_mg_level *l, int32_t t)
{
    double *e = l->e_exact + (size_t)t * l->cells, natural[512] __attribute__((aligned(64)));
    memcpy(natural, e, (size_t)l->cells * sizeof *e);
    for (int z = 0; z < l->nz; z++)
        for (int j = 0; j < 4; j++) {
            const mn_d8 a    = mn_d8_load(natural + 8 * (8 * z + 2 * j)),
                        b    = mn_d8_load(natural + 8 * (8 * z + 2 * j + 1));
            const mn_d8 even = MN_EVEN_ODD(a, b), odd = MN_ODD_EVEN(a, b);
            mn_d8_store(e + 8 * (4 * z + j), z & 1 ? odd : even);
            mn_d8_store(e + l->half + 8 * (4 * z + j), z & 1 ? even : odd);
        }
}

/// Two rows to two colours. `shift` is 1 where colour 0 of the first row holds the odd x.
#define PAIR(shift, a, b) ((shift) ? MN_ODD_EVEN(a, b) : MN_EVEN_ODD(a, b))

MN_INLINE void colour_tile(const setup_job *job, int32_t t, int nz)
{
    mn_mg_level *l    = job->l;
    const int    half = 32 * nz;
    const float  c    = job->fine.c[0][(size_t)t * l->cells];
    float       *face = l->face + (size_t)t * l->faces * half, *e = l->e != NULL ? l->e + (size_t)t * l->cells : NULL,
          *inverse       = l->inverse + (size_t)t * l->cells;
    mn_i8       off      = { 0 };
    const mn_f8 infinite = (mn_f8){ 0 } + INFINITY;
    mn_f8       high = { 0 }, low = infinite;
    for (int z = 0; z < nz; z++)
        for (int j = 0; j < 4; j++) {
            const row_faces a = natural_row(l, &job->fine, t, 2 * j, z),
                            b = natural_row(l, &job->fine, t, 2 * j + 1, z);
            const int i = 8 * (4 * z + j), odd = z & 1;
            // Colour 0 of the first row looks aside to low x where it holds the even cells, of the second to high x.
            mn_f8_store(face + MN_FACE_STRAIGHT * half + i,
                        odd ? PAIR(1, a.low_x, b.high_x) : PAIR(0, a.high_x, b.low_x));
            mn_f8_store(face + MN_FACE_ASIDE * half + i, odd ? PAIR(1, a.high_x, b.low_x) : PAIR(0, a.low_x, b.high_x));
            mn_f8_store(face + MN_FACE_INNER * half + i, PAIR(odd, a.high_y, b.low_y));
            mn_f8_store(face + MN_FACE_OUTER * half + i, PAIR(odd, a.low_y, b.high_y));
            mn_f8 da = a.e + a.low_x + a.high_x + a.low_y + a.high_y,
                  db = b.e + b.low_x + b.high_x + b.low_y + b.high_y;
            if (nz > 1) {
                mn_f8_store(face + MN_FACE_Z_LOW * half + i, PAIR(odd, a.low_z, b.low_z));
                mn_f8_store(face + MN_FACE_Z_HIGH * half + i, PAIR(odd, a.high_z, b.high_z));
                da += a.low_z + a.high_z;
                db += b.low_z + b.high_z;
            }
            if (e != NULL) {
                mn_f8_store(e + i, PAIR(odd, a.e, b.e));
                mn_f8_store(e + half + i, PAIR(!odd, a.e, b.e));
            }
            const mn_f8 ia = inverse_of(da), ib = inverse_of(db);
            mn_f8_store(inverse + i, PAIR(odd, ia, ib));
            mn_f8_store(inverse + half + i, PAIR(!odd, ia, ib));
            off |= not_uniform(&a, c, nz) | not_uniform(&b, c, nz);
            for (int k = 0; k < (nz > 1 ? 6 : 4); k++) {
                const mn_f8 f = mn_f8_load(face + k * half + i);
                high          = max_f8(f, high);
                low           = min_f8(f + select_f8(f == 0.0f, infinite), low);
            }
        }
    int   differs = 0;
    float largest = 0.0f, smallest = INFINITY;
    for (int k = 0; k < 8; k++) {
        differs |= off[k];
        largest  = high[k] > largest ? high[k] : largest;
        smallest = low[k] < smallest ? low[k] : smallest;
    }
    l->uniform[t] = !differs && c > 0.0f ? c : 0.0f;
    if (l == job->mg->level) {
        if (l->uniform[t] == 0.0f) colour_exact(l, t);
        job->mg->partial[2 * (size_t)t]     = largest;
        job->mg->partial[2 * (size_t)t + 1] = smallest;
    }
}

static void colour_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const setup_job *job = context;
    for (int64_t t = begin; t < end; t++) {
        if (t == 0) continue;
        if (job->l->nz == 1) colour_tile(job, (int32_t)t, 1);
        else colour_tile(job, (int32_t)t, 8);
    }
}

// --- the next level ---

/// Sums of neighbouring lanes: four values for the four aggregates of a row.
MN_INLINE void add_pairs(float *to, mn_f8 v)
{
    for (int k = 0; k < 4; k++) to[k] += v[2 * k] + v[2 * k + 1];
}

static void aggregate_child(const setup_job *job, size_t to, int32_t child, int octant)
{
    const mn_mg_level   *l = job->l;
    const mn_mg_natural *n = &job->fine;
    for (int z = 0; z < l->nz; z++)
        for (int y = 0; y < 8; y++) {
            const size_t from = (size_t)child * l->cells + 8 * (8 * (size_t)z + (size_t)y);
            const int    cy = y / 2 + 4 * (octant >> 1 & 1), cz = l->nz > 1 ? z / 2 + 4 * (octant >> 2 & 1) : 0;
            const size_t at = to + 8 * (8 * (size_t)cz + (size_t)cy) + 4 * (size_t)(octant & 1);
            const mn_f8  cx = mn_f8_load(n->c[0] + from);
            for (int k = 0; k < 4; k++) job->next.c[0][at + k] += cx[2 * k];
            if ((y & 1) == 0) add_pairs(job->next.c[1] + at, mn_f8_load(n->c[1] + from));
            if (l->nz > 1 && (z & 1) == 0) add_pairs(job->next.c[2] + at, mn_f8_load(n->c[2] + from));
            add_pairs(job->next.e + at, mn_f8_load(n->e + from));
        }
}

static void aggregate_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const setup_job *job   = context;
    const size_t     cells = (size_t)job->coarse->cells;
    for (int64_t t = begin; t < end; t++) {
        for (int axis = 0; axis < 3; axis++)
            if (job->next.c[axis] != NULL) memset(job->next.c[axis] + (size_t)t * cells, 0, cells * sizeof(float));
        memset(job->next.e + (size_t)t * cells, 0, cells * sizeof(float));
        for (int o = 0; t > 0 && o < 8; o++)
            if (job->child[t][o] != 0) aggregate_child(job, (size_t)t * cells, job->child[t][o], o);
    }
}

/// The two ways a coordinate can land on the next level: as it is, and one odd period further.
static int32_t shifted(int32_t i, int32_t period, int way) { return way ? i + period : i; }

static mn_tile_coord landing(const mn_mg_level *l, int32_t t, int way)
{
    const mn_tile_coord at = l->coord[t];
    return (mn_tile_coord){ shifted(at.x, l->def.period[0], way & 1), shifted(at.y, l->def.period[1], way >> 1 & 1),
                            l->nz > 1 ? shifted(at.z, l->def.period[2], way >> 2 & 1) : 0 };
}

static bool odd_period(const mn_mg_level *l, int axis)
{
    return (axis < 2 || l->nz > 1) && (l->def.period[axis] & 1) != 0;
}

/// The ways in use, as bit masks over the axes; their number.
static int landing_ways(const mn_mg_level *l, int ways[8])
{
    int count = 0, odd = 0;
    for (int axis = 0; axis < 3; axis++) odd |= (int)odd_period(l, axis) << axis;
    for (int way = 0; way < 8; way++)
        if ((way & ~odd) == 0) ways[count++] = way;
    return count;
}

static mn_status find_layers(mn_mg_level *l, mn_arena *arena)
{
    const bool flat = l->nz == 1 || l->def.period[2] > 0;
    l->layers       = 1;
    for (int32_t t = 2; !flat && t < l->count; t++) l->layers += l->coord[t].z != l->coord[t - 1].z;
    l->layer_begin = mn_arena_array(arena, int32_t, l->layers + 1);
    if (l->layer_begin == NULL) return MN_ERR_MEMORY;
    int32_t layer     = 0;
    l->layer_begin[0] = 1;
    for (int32_t t = 2; !flat && t < l->count; t++)
        if (l->coord[t].z != l->coord[t - 1].z) l->layer_begin[++layer] = t;
    l->layer_begin[layer + 1] = l->count;
    return MN_OK;
}

static float *take_field(mn_arena *arena, const mn_mg_level *l, int64_t per_tile)
{
    float *f = mn_arena_array(arena, float, l->count *per_tile);
    if (f != NULL) memset(f, 0, (size_t)per_tile * sizeof *f);  // tile 0
    return f;
}

/// The largest first: what memory on loan has no room for in one piece comes from the heap.
static mn_status take_fields(mn_mg_level *l, bool first, mn_arena *arena)
{
    l->faces   = l->nz > 1 ? 6 : 4;
    l->face    = take_field(arena, l, (int64_t)l->faces * l->half);
    l->e_exact = first ? mn_arena_array(arena, double, (int64_t)l->count * l->cells) : NULL;
    l->e       = first ? NULL : take_field(arena, l, l->cells);
    l->x       = take_field(arena, l, l->cells);
    l->b       = first ? take_field(arena, l, l->cells)  // else zero: octants without a child are never written
                       : mn_arena_array_zero(arena, float, (int64_t)l->count * l->cells);
    l->inverse = take_field(arena, l, l->cells);
    l->uniform = take_field(arena, l, 1);
    if (l->x == NULL || l->b == NULL || l->face == NULL || (l->e == NULL && l->e_exact == NULL) || l->inverse == NULL ||
        l->uniform == NULL)
        return MN_ERR_MEMORY;
    return find_layers(l, arena);
}

/// Tiles, parents and neighbours of the level above l.
static mn_status make_coarse_tiles(mn_mg_level *l, mn_mg_level *coarse, setup_job *job, mn_arena *arena)
{
    int ways[8];
    l->parents            = landing_ways(l, ways);
    mn_tile_coord *wanted = mn_arena_array(arena, mn_tile_coord, (int64_t)l->count * l->parents);
    l->parent             = mn_arena_array_zero(arena, int32_t, (int64_t)l->count * l->parents);
    l->octant             = mn_arena_array_zero(arena, uint8_t, (int64_t)l->count * l->parents);
    if (wanted == NULL || l->parent == NULL || l->octant == NULL) return MN_ERR_MEMORY;
    int64_t n = 0;
    for (int32_t t = 1; t < l->count; t++)
        for (int k = 0; k < l->parents; k++) {
            const mn_tile_coord at = landing(l, t, ways[k]);
            wanted[n++]            = (mn_tile_coord){ at.x >> 1, at.y >> 1, at.z >> 1 };
        }
    coarse->def = l->def;
    for (int axis = 0; axis < 3; axis++) {
        if ((l->def.period[axis] & 1) == 0) coarse->def.period[axis] = l->def.period[axis] / 2;
        coarse->extent[axis] = (l->extent[axis] + 1) / 2;
    }
    mn_tiles tiles;
    MN_TRY(mn_tiles_build(arena, &coarse->def, wanted, n, &tiles));
    coarse->count = tiles.count;
    coarse->coord = tiles.coord;
    coarse->nz    = l->nz;
    coarse->cells = l->cells;
    coarse->half  = l->half;
    coarse->near  = mn_arena_take(arena, mn_array_bytes(coarse->count, sizeof *coarse->near));
    job->child    = mn_arena_take_zero(arena, mn_array_bytes(coarse->count, sizeof *job->child));
    if (coarse->near == NULL || job->child == NULL) return MN_ERR_MEMORY;
    for (int32_t t = 0; t < coarse->count; t++)
        for (int k = 0; k < 6; k++) coarse->near[t][k] = tiles.neighbor[t][near_of_27[k]];
    for (int32_t t = 1; t < l->count; t++)
        for (int k = 0; k < l->parents; k++) {
            const mn_tile_coord at     = landing(l, t, ways[k]);
            const int32_t       parent = mn_tiles_find(&tiles, (mn_tile_coord){ at.x >> 1, at.y >> 1, at.z >> 1 });
            const int           octant = (at.x & 1) | (at.y & 1) << 1 | (at.z & 1) << 2;
            l->parent[(size_t)t * l->parents + k] = parent;
            l->octant[(size_t)t * l->parents + k] = (uint8_t)octant;
            job->child[parent][octant]            = t;
        }
    return take_fields(coarse, false, arena);
}

// --- all levels ---

/// Level 0: the caller's tiles that hold an unknown. Its fields are still to come.
static mn_status make_first_level(mn_multigrid *mg, setup_job *job, mn_arena *arena)
{
    const mn_tiles *tiles = job->system->tiles;
    mn_mg_level    *l     = &mg->level[0];
    *l                    = (mn_mg_level){ .count = 1,
                                           .nz    = tiles->tile_z,
                                           .cells = tiles->cells,
                                           .half  = tiles->cells / 2,
                                           .def   = tiles->def };
    job->used             = mn_arena_array(arena, uint8_t, tiles->count);
    int32_t *compact      = mn_arena_array_zero(arena, int32_t, tiles->count);
    if (job->used == NULL || compact == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mg->pool, tiles->count, mn_mg_block(tiles->count), find_used, job);
    for (int32_t t = 1; t < tiles->count; t++)
        if (job->used[t]) compact[t] = l->count++;
    mg->source       = mn_arena_array_zero(arena, int32_t, l->count);
    mg->source_count = tiles->count;
    mg->source_cells = tiles->cells;
    l->coord         = mn_arena_array_zero(arena, mn_tile_coord, l->count);
    l->near          = mn_arena_take_zero(arena, mn_array_bytes(l->count, sizeof *l->near));
    if (mg->source == NULL || l->coord == NULL || l->near == NULL) return MN_ERR_MEMORY;
    const int32_t low[3]  = { tiles->low.x, tiles->low.y, tiles->low.z },
                  size[3] = { tiles->size.x, tiles->size.y, tiles->size.z };
    int32_t shift[3];
    for (int axis = 0; axis < 3; axis++) {
        const int32_t period = tiles->def.period[axis];
        shift[axis]          = period > 0 ? 0 : low[axis];
        l->extent[axis]      = axis == 2 && l->nz == 1 ? 1 : 8 * (period > 0 ? period : size[axis]);
    }
    for (int32_t t = 1; t < tiles->count; t++) {
        const int32_t to = compact[t];
        if (to == 0) continue;
        mg->source[to] = t;
        l->coord[to]   = (mn_tile_coord){ tiles->coord[t].x - shift[0], tiles->coord[t].y - shift[1],
                                          tiles->coord[t].z - shift[2] };
        for (int k = 0; k < 6; k++) l->near[to][k] = compact[tiles->neighbor[t][near_of_27[k]]];
    }
    return MN_OK;
}

static mn_mg_natural natural_in(float *memory, int64_t values, int nz)
{
    return (mn_mg_natural){ .c = { memory, memory + values, nz > 1 ? memory + 2 * values : NULL },
                            .e = memory + 3 * values };
}

static void zero_null_tile(const mn_mg_natural *n, int32_t cells)
{
    for (int axis = 0; axis < 3; axis++)
        if (n->c[axis] != NULL) memset(n->c[axis], 0, (size_t)cells * sizeof(float));
    memset(n->e, 0, (size_t)cells * sizeof(float));
}

/// Sweeps before and after the coarse correction: plain, with coefficients that jump, and with those that vary without
/// bounds (liquid 5.10).
#define PLAIN_SWEEPS 2
#define JUMP_SWEEPS  6
#define WILD_SWEEPS  8

/// The coarse levels are graphs (liquid 5.10) where coefficients between unknowns vary by more than this ...
#define JUMP_RATIO 100.0
/// ... and where they vary by more than this, groups of all strengths meet in one place and need more smoothing.
#define WILD_RATIO 1e4

/// The largest coefficient between unknowns over the smallest.
static double coefficient_ratio(const mn_multigrid *mg)
{
    double high = 0.0, low = INFINITY;
    for (int32_t t = 1; t < mg->level[0].count; t++) {
        if (mg->partial[2 * (size_t)t] > high) high = mg->partial[2 * (size_t)t];
        if (mg->partial[2 * (size_t)t + 1] < low) low = mg->partial[2 * (size_t)t + 1];
    }
    return high > 0.0 ? high / low : 1.0;
}

static mn_status take_vectors(mn_multigrid *mg, mn_arena *arena, double **memory)
{
    const int64_t values = (int64_t)mg->level[0].count * mg->level[0].cells;
    *memory              = mn_arena_array(arena, double, 4 * values);
    mg->partial          = mn_arena_array_zero(arena, double, 2 * (int64_t)mg->level[0].count);
    if (*memory == NULL || mg->partial == NULL) return MN_ERR_MEMORY;
    mg->r = *memory;
    mg->p = mg->r + values;
    mg->q = mg->p + values;
    mg->u = mg->q + values;
    return MN_OK;
}

static mn_status make_levels(mn_multigrid *mg, setup_job *job, mn_arena *arena)
{
    double *memory;
    MN_TRY(make_first_level(mg, job, arena));
    MN_TRY(take_vectors(mg, arena, &memory));  // the largest block first, where there is most room
    MN_TRY(take_fields(&mg->level[0], true, arena));
    const int64_t capacity = (int64_t)mg->level[0].count * mg->level[0].cells;
    const int     nz       = mg->level[0].nz;
    job->l                 = &mg->level[0];
    job->fine              = natural_in((float *)memory, capacity, nz);
    zero_null_tile(&job->fine, job->l->cells);
    mn_parallel_for(mg->pool, job->l->count, mn_mg_block(job->l->count), natural_tiles, job);
    mg->sweeps        = PLAIN_SWEEPS;
    mg->graphs.levels = 0;
    for (mg->levels = 1;; mg->levels++) {
        mn_mg_level *l = job->l;
        mn_parallel_for(mg->pool, l->count, mn_mg_block(l->count), colour_tiles, job);
        if (mg->levels == 1) MN_TRY(mn_mg_find_bits(mg, &job->fine, arena));
        const double ratio = mg->levels == 1 ? coefficient_ratio(mg) : 1.0;
        if (ratio > JUMP_RATIO) {
            mg->sweeps = ratio > WILD_RATIO ? WILD_SWEEPS : JUMP_SWEEPS;
            MN_TRY(mn_mg_make_graphs(&mg->graphs, mg->pool, l, &job->fine, arena));
            MN_TRY(mn_mg_graph_tune(&mg->graphs, mg->pool, mg->sweeps, arena));
            break;
        }
        const bool one_tile = l->extent[0] <= 8 && l->extent[1] <= 8 && l->extent[2] <= 8;
        if (one_tile || mg->levels == MN_MG_MAX_LEVELS) break;
        job->coarse  = &mg->level[mg->levels];
        *job->coarse = (mn_mg_level){ 0 };
        MN_TRY(make_coarse_tiles(l, job->coarse, job, arena));
        // Even and odd levels take turns in the two halves of the vectors; only an unrolled period can outgrow them.
        const int64_t values = (int64_t)job->coarse->count * l->cells;
        float        *room   = (float *)(memory + (mg->levels % 2 == 1 ? 2 * capacity : 0));
        if (values > capacity && (room = mn_arena_array(arena, float, 4 * values)) == NULL) return MN_ERR_MEMORY;
        job->next = natural_in(room, values, nz);
        mn_parallel_for(mg->pool, job->coarse->count, mn_mg_block(job->coarse->count), aggregate_tiles, job);
        job->l    = job->coarse;
        job->fine = job->next;
    }
    // Tile 0 of the vectors stands for missing neighbours.
    for (int v = 0; v < 4; v++) memset(memory + v * capacity, 0, (size_t)mg->level[0].cells * sizeof(double));
    return MN_OK;
}

mn_status mn_multigrid_setup(mn_multigrid *mg, const mn_pressure_system *system, mn_arena *arena)
{
    mg->ready     = false;
    setup_job job = { .mg = mg, .system = system };
    for (int k = 0; k < system->term_count; k++) job.diagonals |= system->terms[k].diagonal != NULL;
    MN_TRY(make_levels(mg, &job, arena));
    mg->uniform_tiles = 0;
    for (int32_t t = 1; t < mg->level[0].count; t++) mg->uniform_tiles += mg->level[0].uniform[t] > 0.0f;
    MN_TRY(mn_mg_find_pockets(mg, system, arena));
    MN_TRY(mn_mg_make_rows(mg, system, arena));
    mg->terms      = system->terms;
    mg->term_count = system->term_count;
    mg->ready      = true;
    return MN_OK;
}
