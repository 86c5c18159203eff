// SPDX-License-Identifier: MPL-2.0
// solve/mg_pockets.c - components of the liquid that see no known value: closed pockets (liquid 5.10, liq.T7).
//
// There the matrix is singular with the constant in its null space; the mean of the right-hand side and of every
// residual is removed per component, and only there; of components that rows of terms reach, what combinations of their
// constants these leave alone (pressure_terms.h). A tile is eight words of 64 bits, so that a flood moves by whole
// layers; tiles wait in a queue until nothing changes. The first flood starts from every cell beside a known value and
// reaches everything in most scenes; only what it leaves is labelled.
#include "solve/mg_level.h"
#include "solve/mg_vector.h"

#include <math.h>

#define COLUMN_0 0x0101010101010101u  // cells with x = 0 of a layer
#define ROW_0    0xffu                // cells with y = 0

typedef struct bits_job {
    mn_multigrid        *mg;
    const mn_mg_natural *natural;
} bits_job;

static uint64_t row_bits(const float *row)
{
    uint64_t bits = 0;
    for (int k = 0; k < 8; k++) bits |= (uint64_t)(row[k] != 0.0f) << k;
    return bits;
}

static void find_links(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const bits_job    *job = context;
    const mn_mg_level *l   = &job->mg->level[0];
    for (int64_t t = begin; t < end; t++) {
        mn_mg_bits *bits = &job->mg->bits[t];
        memset(bits, 0, sizeof *bits);
        if (t == 0) continue;
        const bool uniform = l->uniform[t] > 0.0f;
        for (int z = 0; z < l->nz; z++) {
            if (uniform) {
                for (int axis = 0; axis < (l->nz > 1 ? 3 : 2); axis++) bits->link[axis][z] = ~(uint64_t)0;
                continue;
            }
            for (int y = 0; y < 8; y++) {
                const size_t at = (size_t)t * l->cells + 8 * (8 * (size_t)z + (size_t)y);
                for (int axis = 0; axis < (l->nz > 1 ? 3 : 2); axis++)
                    bits->link[axis][z] |= row_bits(job->natural->c[axis] + at) << 8 * y;
                bits->seen[z] |= row_bits(job->natural->e + at) << 8 * y;
            }
        }
    }
}

/// Links of the high faces of layer z, as bits of the cells below them.
static uint64_t high_links(const mn_multigrid *mg, int32_t t, int axis, int z)
{
    const mn_mg_level *l = &mg->level[0];
    const mn_mg_bits  *b = &mg->bits[t];
    if (axis == 0)
        return (b->link[0][z] & ~COLUMN_0) >> 1 | (mg->bits[l->near[t][MN_X_HIGH]].link[0][z] & COLUMN_0) << 7;
    if (axis == 1) return b->link[1][z] >> 8 | (mg->bits[l->near[t][MN_Y_HIGH]].link[1][z] & ROW_0) << 56;
    if (l->nz == 1) return 0;
    return z + 1 < l->nz ? b->link[2][z + 1] : mg->bits[l->near[t][MN_Z_HIGH]].link[2][0];
}

static void find_active(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const bits_job *job = context;
    for (int64_t t = begin; t < end; t++) {
        mn_mg_bits *b = &job->mg->bits[t];
        for (int z = 0; t > 0 && z < job->mg->level[0].nz; z++) {
            b->active[z] = b->seen[z];
            for (int axis = 0; axis < 3; axis++)
                b->active[z] |= b->link[axis][z] | high_links(job->mg, (int32_t)t, axis, z);
        }
    }
}

mn_status mn_mg_find_bits(mn_multigrid *mg, const mn_mg_natural *natural, mn_arena *arena)
{
    const int32_t count = mg->level[0].count;
    mg->bits            = mn_arena_array(arena, mn_mg_bits, count);
    if (mg->bits == NULL) return MN_ERR_MEMORY;
    bits_job job = { mg, natural };
    mn_parallel_for(mg->pool, count, mn_mg_block(count), find_links, &job);
    mn_parallel_for(mg->pool, count, mn_mg_block(count), find_active, &job);
    return MN_OK;
}

// --- flood ---

/// Which of the two bit fields of a tile a flood fills.
typedef enum flood_field { FLOOD_SEEN, FLOOD_NOW } flood_field;

static uint64_t *field_of(mn_multigrid *mg, int32_t t, flood_field f)
{
    return f == FLOOD_SEEN ? mg->bits[t].seen : mg->bits[t].now;
}

/// What the six neighbours pass into the tile.
static void flood_import(mn_multigrid *mg, int32_t t, flood_field f, uint64_t in[8])
{
    const mn_mg_level *l     = &mg->level[0];
    const mn_mg_bits  *b     = &mg->bits[t];
    const int32_t     *near  = l->near[t];
    const uint64_t    *low_x = field_of(mg, near[MN_X_LOW], f), *high_x = field_of(mg, near[MN_X_HIGH], f);
    const uint64_t    *low_y = field_of(mg, near[MN_Y_LOW], f), *high_y = field_of(mg, near[MN_Y_HIGH], f);
    for (int z = 0; z < l->nz; z++) {
        in[z] |= (low_x[z] >> 7 & COLUMN_0) & b->link[0][z];
        in[z] |= (high_x[z] & mg->bits[near[MN_X_HIGH]].link[0][z] & COLUMN_0) << 7;
        in[z] |= (low_y[z] >> 56) & b->link[1][z];
        in[z] |= (high_y[z] & mg->bits[near[MN_Y_HIGH]].link[1][z] & ROW_0) << 56;
    }
    if (l->nz == 1) return;
    in[0] |= field_of(mg, near[MN_Z_LOW], f)[7] & b->link[2][0];
    in[7] |= field_of(mg, near[MN_Z_HIGH], f)[0] & mg->bits[near[MN_Z_HIGH]].link[2][0];
}

/// Spread inside one layer until nothing changes.
static uint64_t flood_layer(uint64_t v, uint64_t link_x, uint64_t link_y)
{
    const uint64_t inside_x = link_x & ~COLUMN_0;
    for (uint64_t before = 0; before != v;) {
        before = v;
        v |= (v << 1 & inside_x) | (v & inside_x) >> 1;
        v |= (v << 8 & link_y) | (v & link_y) >> 8;
    }
    return v;
}

/// Fill the tile from its neighbours and its own cells; whether it gained a cell.
static bool flood_tile(mn_multigrid *mg, int32_t t, flood_field f, bool first)
{
    const mn_mg_level *l     = &mg->level[0];
    const mn_mg_bits  *b     = &mg->bits[t];
    uint64_t          *field = field_of(mg, t, f), v[8];
    memcpy(v, field, sizeof v);
    flood_import(mg, t, f, v);
    if (!first && memcmp(v, field, sizeof v) == 0) return false;
    if (l->uniform[t] > 0.0f) {
        uint64_t any = 0;
        for (int z = 0; z < l->nz; z++) any |= v[z];
        for (int z = 0; any != 0 && z < l->nz; z++) v[z] = ~(uint64_t)0;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int z = 0; z < l->nz; z++) {
            uint64_t w = v[z];
            if (z > 0) w |= v[z - 1] & b->link[2][z];
            if (z + 1 < l->nz) w |= v[z + 1] & b->link[2][z + 1];
            w = flood_layer(w, b->link[0][z], b->link[1][z]);
            changed |= w != v[z];
            v[z] = w;
        }
    }
    const bool gained = memcmp(v, field, sizeof v) != 0;
    memcpy(field, v, sizeof v);
    return gained;
}

/// A ring of tiles that wait, each at most once.
typedef struct tile_queue {
    int32_t *ring;
    uint8_t *waiting;
    int32_t  capacity, head, length;
} tile_queue;

static void queue_push(tile_queue *q, int32_t t)
{
    if (t == 0 || q->waiting[t]) return;
    q->waiting[t]                                  = 1;
    q->ring[(q->head + q->length++) % q->capacity] = t;
}

static int32_t queue_pop(tile_queue *q)
{
    const int32_t t = q->ring[q->head];
    q->head         = (q->head + 1) % q->capacity;
    q->length--;
    q->waiting[t] = 0;
    return t;
}

static void flood(mn_multigrid *mg, tile_queue *q, flood_field f)
{
    while (q->length > 0) {
        const int32_t t = queue_pop(q);
        if (flood_tile(mg, t, f, false))
            for (int k = 0; k < 6; k++) queue_push(q, mg->level[0].near[t][k]);
    }
}

/// Mark every cell that is connected to a known value.
static void flood_from_known(mn_multigrid *mg, tile_queue *q)
{
    const mn_mg_level *l = &mg->level[0];
    for (int32_t t = 1; t < l->count; t++) {
        uint64_t any = 0;
        for (int z = 0; z < l->nz; z++) any |= mg->bits[t].seen[z];
        if (any == 0) continue;
        flood_tile(mg, t, FLOOD_SEEN, true);
        for (int k = 0; k < 6; k++) queue_push(q, l->near[t][k]);
    }
    flood(mg, q, FLOOD_SEEN);
}

// --- labels ---

static mn_status add_part(mn_mg_pockets *p, mn_arena *arena, mn_mg_pocket_part part)
{
    if (p->part_count == p->part_capacity) {
        const int32_t      capacity = p->part_capacity == 0 ? 64 : 2 * p->part_capacity;
        mn_mg_pocket_part *parts    = mn_arena_array(arena, mn_mg_pocket_part, capacity);
        if (parts == NULL) return MN_ERR_MEMORY;
        if (p->part_count > 0) memcpy(parts, p->parts, (size_t)p->part_count * sizeof *parts);
        p->parts         = parts;
        p->part_capacity = capacity;
    }
    p->parts[p->part_count++] = part;
    return MN_OK;
}

/// The cells of the tile in the current component as one part, in the lanes of the coloured layout.
static mn_status close_part(mn_multigrid *mg, int32_t t, mn_arena *arena)
{
    mn_mg_pockets    *p    = &mg->pockets;
    mn_mg_bits       *b    = &mg->bits[t];
    const int         nz   = mg->level[0].nz;
    mn_mg_pocket_part part = { .tile = t, .pocket = p->count, .next = p->first_part[t] };
    for (int z = 0; z < nz; z++) {
        for (uint64_t left = b->now[z]; left != 0; left &= left - 1) {
            const int bit = __builtin_ctzll(left), x = bit & 7, y = bit >> 3, colour = (x + y + z) & 1;
            part.lanes[colour * 4 * nz + 4 * z + y / 2] |= (uint8_t)(1 << (4 * (y & 1) + x / 2));
            part.cells++;
        }
        b->seen[z] |= b->now[z];
        b->now[z] = 0;
    }
    p->first_part[t] = p->part_count;
    return add_part(p, arena, part);
}

/// Label the component of cell (bit, z) of tile t. `touched` collects its tiles.
static mn_status label_pocket(mn_multigrid *mg, tile_queue *q, int32_t *touched, int32_t t, int z, uint64_t bit,
                              mn_arena *arena)
{
    int32_t n          = 0;
    mg->bits[t].now[z] = bit;
    flood_tile(mg, t, FLOOD_NOW, true);
    touched[n++] = t;
    for (int k = 0; k < 6; k++) queue_push(q, mg->level[0].near[t][k]);
    while (q->length > 0) {
        const int32_t s   = queue_pop(q);
        uint64_t      had = 0;
        for (int k = 0; k < mg->level[0].nz; k++) had |= mg->bits[s].now[k];
        if (!flood_tile(mg, s, FLOOD_NOW, false)) continue;
        if (had == 0) touched[n++] = s;
        for (int k = 0; k < 6; k++) queue_push(q, mg->level[0].near[s][k]);
    }
    for (int32_t k = 0; k < n; k++) MN_TRY(close_part(mg, touched[k], arena));
    mg->pockets.count++;
    return MN_OK;
}

/// Unknowns without any coupling: pockets of one cell, whose x is zero.
static mn_status find_lonely(mn_multigrid *mg, const mn_pressure_system *system, mn_arena *arena)
{
    const mn_mg_level *l = &mg->level[0];
    mn_mg_pockets     *p = &mg->pockets;
    for (int pass = 0; pass < 2; pass++) {
        int64_t n = 0;
        for (int32_t t = 1; t < l->count; t++) {
            uint64_t all = ~(uint64_t)0;
            for (int z = 0; z < l->nz; z++) all &= mg->bits[t].active[z];
            if (all == ~(uint64_t)0) continue;
            const size_t base = (size_t)mg->source[t] * l->cells;
            for (int32_t i = 0; i < l->cells; i++) {
                if (system->unknown[base + i] == 0 || (mg->bits[t].active[i / 64] >> (i % 64) & 1) != 0) continue;
                if (pass == 1) p->lonely[n] = (int64_t)(base + i);
                n++;
            }
        }
        p->lonely_count = n;
        if (pass == 0 && n == 0) return MN_OK;
        if (pass == 0 && (p->lonely = mn_arena_array(arena, int64_t, n)) == NULL) return MN_ERR_MEMORY;
    }
    return MN_OK;
}

static mn_status label_all(mn_multigrid *mg, tile_queue *q, int32_t *touched, mn_arena *arena)
{
    const mn_mg_level *l = &mg->level[0];
    for (int32_t t = 1; t < l->count; t++)
        for (int z = 0; z < l->nz; z++)
            for (uint64_t left; (left = mg->bits[t].active[z] & ~mg->bits[t].seen[z]) != 0;) {
                if (mg->pockets.first_part == NULL) {
                    mg->pockets.first_part = mn_arena_array(arena, int32_t, l->count);
                    if (mg->pockets.first_part == NULL) return MN_ERR_MEMORY;
                    for (int32_t k = 0; k < l->count; k++) mg->pockets.first_part[k] = -1;
                }
                MN_TRY(label_pocket(mg, q, touched, t, z, left & (0 - left), arena));
            }
    return MN_OK;
}

mn_status mn_mg_find_pockets(mn_multigrid *mg, const mn_pressure_system *system, mn_arena *arena)
{
    const mn_mg_level *l = &mg->level[0];
    mn_mg_pockets     *p = &mg->pockets;
    *p                   = (mn_mg_pockets){ 0 };
    tile_queue q         = { .ring     = mn_arena_array(arena, int32_t, l->count),
                             .waiting  = mn_arena_array_zero(arena, uint8_t, l->count),
                             .capacity = l->count };
    int32_t   *touched   = mn_arena_array(arena, int32_t, l->count);
    if (q.ring == NULL || q.waiting == NULL || touched == NULL) return MN_ERR_MEMORY;
    flood_from_known(mg, &q);
    MN_TRY(find_lonely(mg, system, arena));
    MN_TRY(label_all(mg, &q, touched, arena));

    mg->unknowns = 0;
    for (int32_t t = 1; t < l->count; t++)
        for (int z = 0; z < l->nz; z++) mg->unknowns += __builtin_popcountll(mg->bits[t].active[z]);
    if (p->count == 0) return MN_OK;
    p->tiles = touched;
    for (int32_t t = 1; t < l->count; t++)
        if (p->first_part[t] >= 0) p->tiles[p->tile_count++] = t;
    p->sum   = mn_arena_array(arena, double, p->part_count);
    p->mean  = mn_arena_array(arena, double, p->count);
    p->cells = mn_arena_array_zero(arena, int64_t, p->count);
    if (p->sum == NULL || p->mean == NULL || p->cells == NULL) return MN_ERR_MEMORY;
    for (int32_t k = 0; k < p->part_count; k++) p->cells[p->parts[k].pocket] += p->parts[k].cells;
    return MN_OK;
}

// --- pockets that terms reach ---

/// Sums over a pocket of rows that cancel to this share of their sizes are zero: what a body moves away it leaves
/// behind. Combinations of constants nearer to others than the root of it are the same.
#define CANCELS 1e-9
#define SAME    1e-6

static int32_t pocket_of(const mn_multigrid *mg, int64_t place)
{
    const mn_mg_pockets *p     = &mg->pockets;
    const int32_t        cells = mg->level[0].cells, i = (int32_t)(place % cells);
    for (int32_t k = p->first_part[place / cells]; k >= 0; k = p->parts[k].next)
        if (p->parts[k].lanes[i / 8] >> (i % 8) & 1) return p->parts[k].pocket;
    return -1;
}

/// Number the pockets in which rows are; `number` has the pockets' count.
static mn_status list_reached(mn_multigrid *mg, int32_t *number, mn_arena *arena)
{
    mn_mg_pockets    *p = &mg->pockets;
    const mn_mg_rows *r = &mg->rows[0];
    p->reached          = mn_arena_array(arena, int32_t, p->count);
    if (p->reached == NULL) return MN_ERR_MEMORY;
    for (int32_t k = 0; k < p->count; k++) number[k] = -1;
    for (int64_t c = 0; c < r->cells; c++) {
        const int32_t k = pocket_of(mg, r->cell[c]);
        if (k < 0 || number[k] >= 0) continue;
        number[k]                      = p->reached_count;
        p->reached[p->reached_count++] = k;
    }
    return MN_OK;
}

/// R 1 of each pocket reached, each divided by the root of its cells; per row the reached pockets together.
static void sum_rows(const mn_multigrid *mg, const int32_t *number, double *sum, double *size)
{
    const mn_mg_pockets *p = &mg->pockets;
    const mn_mg_rows    *r = &mg->rows[0];
    const int64_t        m = p->reached_count;
    for (int32_t t = 0; t < r->terms; t++)
        for (int64_t i = r->begin[t]; i < r->begin[t + 1]; i++) {
            const int32_t k = pocket_of(mg, r->place[i]);
            if (k < 0) continue;
            const double scale = 1.0 / sqrt((double)p->cells[k]);
            for (int32_t j = 0; j < r->width[t]; j++) {
                sum[(r->row[t] + j) * m + number[k]] += scale * mn_mg_entry(r, t, i)[j];
                size[(r->row[t] + j) * m + number[k]] += fabs(scale * mn_mg_entry(r, t, i)[j]);
            }
        }
    for (int64_t k = 0; k < r->rows * m; k++)
        if (fabs(sum[k]) <= CANCELS * size[k]) sum[k] = 0.0;
}

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

/// Make v orthonormal to the basis and one of it, if it is not a combination of what is there (Gram and Schmidt,
/// twice).
static void join_basis(mn_mg_pockets *p, double *v)
{
    const int64_t m      = p->reached_count;
    const double  before = sqrt(dot(v, v, m));
    for (int32_t k = 0; k < 2 * p->rank; k++) {
        const double *b = p->basis + k % p->rank * m, share = dot(b, v, m);
        for (int64_t i = 0; i < m; i++) v[i] -= share * b[i];
    }
    const double after = sqrt(dot(v, v, m));
    if (!(after > SAME * before) || p->rank == m) return;
    for (int64_t i = 0; i < m; i++) p->basis[p->rank * m + i] = v[i] / after;
    p->rank++;
}

mn_status mn_mg_open_pockets(mn_multigrid *mg, mn_arena *arena)
{
    mn_mg_pockets *p = &mg->pockets;
    if (p->count == 0) return MN_OK;
    int32_t *number = mn_arena_array(arena, int32_t, p->count);
    if (number == NULL) return MN_ERR_MEMORY;
    MN_TRY(list_reached(mg, number, arena));
    const int64_t m = p->reached_count, values = mg->rows[0].rows * m;
    if (m == 0) return MN_OK;
    double *sum = mn_arena_array_zero(arena, double, values), *size = mn_arena_array_zero(arena, double, values);
    p->basis = mn_arena_array(arena, double, m *m);
    if (sum == NULL || size == NULL || p->basis == NULL) return MN_ERR_MEMORY;
    sum_rows(mg, number, sum, size);
    for (int32_t row = 0; row < mg->rows[0].rows; row++) join_basis(p, sum + row * m);
    return MN_OK;
}

/// Of the sums over pockets, what no row reaches.
static void keep_unreached(mn_mg_pockets *p)
{
    const int64_t m = p->reached_count;
    for (int32_t b = 0; b < p->rank; b++) {
        double share = 0.0;
        for (int64_t k = 0; k < m; k++)
            share += p->basis[b * m + k] * p->mean[p->reached[k]] / sqrt((double)p->cells[p->reached[k]]);
        for (int64_t k = 0; k < m; k++)
            p->mean[p->reached[k]] -= share * p->basis[b * m + k] * sqrt((double)p->cells[p->reached[k]]);
    }
}

// --- means ---

typedef struct mean_job {
    mn_multigrid *mg;
    double       *v;
} mean_job;

MN_INLINE mn_d8 in_lanes(uint8_t lanes, mn_d8 v)
{
    const mn_l8 bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
    return (mn_d8)((mn_l8)v & ((bit & (int64_t)lanes) != 0));
}

static void sum_parts(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mean_job *job   = context;
    mn_mg_pockets  *p     = &job->mg->pockets;
    const int32_t   cells = job->mg->level[0].cells;
    for (int64_t n = begin; n < end; n++)
        for (int32_t k = p->first_part[p->tiles[n]]; k >= 0; k = p->parts[k].next) {
            const double *v   = job->v + (size_t)p->tiles[n] * cells;
            mn_d8         sum = { 0 };
            for (int i = 0; i < cells / 8; i++) sum += in_lanes(p->parts[k].lanes[i], mn_d8_load(v + 8 * i));
            p->sum[k] = mn_d8_sum(sum);
        }
}

static void subtract_means(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mean_job *job   = context;
    mn_mg_pockets  *p     = &job->mg->pockets;
    const int32_t   cells = job->mg->level[0].cells;
    for (int64_t n = begin; n < end; n++)
        for (int32_t k = p->first_part[p->tiles[n]]; k >= 0; k = p->parts[k].next) {
            double     *v    = job->v + (size_t)p->tiles[n] * cells;
            const mn_d8 mean = (mn_d8){ 0 } + p->mean[p->parts[k].pocket];
            for (int i = 0; i < cells / 8; i++)
                mn_d8_store(v + 8 * i, mn_d8_load(v + 8 * i) - in_lanes(p->parts[k].lanes[i], mean));
        }
}

double mn_mg_remove_pocket_means(mn_multigrid *mg, double *v)
{
    mn_mg_pockets *p = &mg->pockets;
    if (p->count == 0) return 0.0;
    mean_job job = { mg, v };
    mn_parallel_for(mg->pool, p->tile_count, mn_mg_block(p->tile_count), sum_parts, &job);
    for (int32_t k = 0; k < p->count; k++) p->mean[k] = 0.0;
    for (int32_t k = 0; k < p->part_count; k++) p->mean[p->parts[k].pocket] += p->sum[k];
    if (p->rank > 0) keep_unreached(p);
    double largest = 0.0;
    for (int32_t k = 0; k < p->count; k++) {
        p->mean[k] /= (double)p->cells[k];
        if (fabs(p->mean[k]) > largest) largest = fabs(p->mean[k]);
    }
    mn_parallel_for(mg->pool, p->tile_count, mn_mg_block(p->tile_count), subtract_means, &job);
    return largest;
}
