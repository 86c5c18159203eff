// SPDX-License-Identifier: MPL-2.0
// couple/drip.c - from over-full pores to particles, pooled over the vertices of a cell (wet-fabric 5.14).
#include "couple/drip.h"

#include "base/ids.h"
#include "base/pool.h"
#include "base/random.h"

/// Where a drop may be tried before it stays in the fabric.
#define TRIES 4
/// Random numbers of one try.
#define LANES 4
/// Share of the pores of a cell that a drop has at most. Drops grow with the cube of the cell and pores with its
/// square; this bounds what fabric holds beyond its pores on a coarse grid.
#define PORES_MOST 0.5
/// Smallest drop, in largest ones.
#define SMALLEST 0.1
/// What a cell of fabric may hold beyond its pores, in cells. More is no liquid but a step that has exploded, and would
/// be that many drops.
#define EXCESS_MOST 100.0
/// Keeps the random numbers of drops apart from those of particles.
#define SALT 0x6472697064726f70u

typedef struct dripping {
    mn_liquid *liquid;
    mn_fabric *fabric;
    mn_solids  solids;
    double     quantum;  ///< V_d, cm^3: the largest drop
    uint64_t   step;
    int64_t   *next_id;
    int32_t   *vertex;  ///< over-full ones
    double    *excess;  ///< cm^3, of each
    int64_t    count;
} dripping;

/// Over-full vertices of one cell.
typedef struct pool_of_cell {
    const int32_t *member;  ///< numbers into dripping.vertex
    int32_t        count;
    double         excess;
    double         quantum;  ///< of its drops, cm^3
    uint64_t       random;   ///< number of the cell, for random numbers
} pool_of_cell;

typedef struct drop {
    mn_vec3 place, velocity;
} drop;

static double excess_of(const mn_fabric *q, int64_t v) { return q->vertices.held[0][v] - mn_fabric_pores(q, v); }

static bool is_somewhere(const mn_fabric *q, int64_t v)
{
    for (int a = 0; a < 3; a++)
        if (!(fabs(q->vertices.position[a][v] - mn_get3(q->model.grid.origin, a)) < 0x1p30 * q->model.grid.cell))
            return false;
    return true;
}

static double excess_of_block(int64_t begin, int64_t end, void *context)
{
    const mn_fabric *q    = context;
    double           most = 0.0;
    for (int64_t v = begin; v < end; v++) most = fmax(most, excess_of(q, v));
    return most;
}

static mn_vec3 at(double *const f[3], int64_t i) { return mn_v3(f[0][i], f[1][i], f[2][i]); }

/// A point spread evenly over an element around vertex v, with the velocity of the fabric there.
static drop on_element(const mn_fabric *q, int64_t v, const double random[3])
{
    const int64_t            around = q->element_start[v + 1] - q->element_start[v];
    const int64_t            pick   = (int64_t)(random[0] * (double)around);
    const mn_fabric_element *e = &q->elements[q->element_of[q->element_start[v] + (pick < around ? pick : around - 1)]];
    const double             root = sqrt(random[1]);
    const bool               yarn = e->vertex[2] < 0;
    const double weight[3]        = { yarn ? 1.0 - random[1] : 1.0 - root, yarn ? random[1] : root * (1.0 - random[2]),
                               root * random[2] };
    drop d = { .place = { 0 } };
    for (int i = 0; i < (yarn ? 2 : 3); i++) {
        d.place    = mn_add3(d.place, mn_scale3(weight[i], at(q->vertices.position, e->vertex[i])));
        d.velocity = mn_add3(d.velocity, mn_scale3(weight[i], at(q->vertices.velocity, e->vertex[i])));
    }
    return d;
}

/// One drop of a cell: a vertex drawn by its excess, a point on an element around it, outside solids. False: no room.
static bool draw_drop(const dripping *x, const pool_of_cell *cell, int64_t index, drop *out)
{
    const double off = MN_LIQUID_STAND_OFF * x->liquid->model.grid.cell;
    for (int try = 0; try < TRIES; try++) {
        double random[LANES];
        for (int k = 0; k < LANES; k++)
            random[k] = mn_random(x->fabric->model.seed, cell->random, x->step,
                                  (uint64_t)((index * TRIES + try) * LANES + k));
        double  left = random[3] * cell->excess;
        int32_t k    = 0;
        while (k < cell->count - 1 && left >= x->excess[cell->member[k]]) left -= x->excess[cell->member[k++]];
        *out = on_element(x->fabric, x->vertex[cell->member[k]], random);
        if (mn_solids_push_out(x->solids, off, &out->place)) return true;
    }
    return false;
}

static void add_particle(const dripping *x, const drop *d, double volume)
{
    mn_liquid_particles *p = mn_liquid_now(x->liquid);
    const int64_t        i = p->count++;
    for (int a = 0; a < 3; a++) p->position[a][i] = mn_get3(d->place, a), p->velocity[a][i] = mn_get3(d->velocity, a);
    for (int k = 0; k < 9; k++) p->affine[k][i] = 0.0;
    p->volume[0][i] = volume;
    for (int m = 0; m < p->pigments; m++) p->pigment[m][i] = 0.0;  // comes with share_pigment
    p->id[0][i] = mn_new_id(x->next_id);
}

/// Take `volume` from the vertices of a cell in the shares of their excess. They keep their velocities but for one
/// change in common, which makes up for what the drops carry beyond the momentum of what was taken. `pigment` receives
/// what comes with it, g.
static void take_from_vertices(const dripping *x, const pool_of_cell *cell, double volume, mn_vec3 carried,
                               double pigment[MN_PIGMENTS_MOST])
{
    mn_fabric   *q   = x->fabric;
    const double rho = q->model.liquid.density, share = volume / cell->excess;
    mn_vec3      owed = carried;
    double       mass = 0.0;
    for (int32_t k = 0; k < cell->count; k++) {
        const int32_t v     = x->vertex[cell->member[k]];
        const double  taken = share * x->excess[cell->member[k]];
        owed                = mn_sub3(owed, mn_scale3(taken, at(q->vertices.velocity, v)));
        for (int m = 0; m < q->vertices.pigments; m++) {
            const double part = q->vertices.dissolved[m][v] * (taken / q->vertices.held[0][v]);
            q->vertices.dissolved[m][v] -= part;
            pigment[m] += part;
        }
        q->vertices.held[0][v] -= taken;
        mass += q->mass[v] + rho * q->vertices.held[0][v];
    }
    for (int32_t k = 0; k < cell->count; k++)
        for (int a = 0; a < 3; a++)
            q->vertices.velocity[a][x->vertex[cell->member[k]]] -= rho / mass * mn_get3(owed, a);
}

/// The last `made` particles are drops of one cell, all alike.
static void share_pigment(const dripping *x, int64_t made, const double *pigment)
{
    mn_liquid_particles *p = mn_liquid_now(x->liquid);
    for (int m = 0; m < p->pigments; m++)
        for (int64_t i = p->count - made; i < p->count; i++) p->pigment[m][i] = pigment[m] / (double)made;
}

static mn_status drip_cell(const dripping *x, const pool_of_cell *cell, mn_exchange_report *report)
{
    const int64_t wanted                    = (int64_t)floor(cell->excess / cell->quantum);
    int64_t       made                      = 0;
    mn_vec3       carried                   = { 0 };
    double        pigment[MN_PIGMENTS_MOST] = { 0.0 };
    if (wanted < 1) return MN_OK;
    MN_TRY(mn_liquid_reserve(x->liquid, wanted));
    for (int64_t k = 0; k < wanted; k++) {
        drop d;
        if (!draw_drop(x, cell, k, &d)) continue;
        add_particle(x, &d, cell->quantum);
        carried = mn_add3(carried, mn_scale3(cell->quantum, d.velocity));
        made++;
    }
    if (made > 0) take_from_vertices(x, cell, (double)made * cell->quantum, carried, pigment);
    share_pigment(x, made, pigment);
    report->drops += made;
    report->blocked += wanted - made;
    report->dripped += (double)made * cell->quantum;
    return MN_OK;
}

static pool_of_cell pool_at(const dripping *x, const mn_tiles *tiles, const mn_bins *bins, int64_t place)
{
    const mn_tile_coord t     = tiles->coord[place / tiles->cells];
    pool_of_cell        cell  = { .member = bins->order + bins->start[place],
                                  .count  = bins->start[place + 1] - bins->start[place],
                                  .random = SALT };
    double              pores = 0.0;
    for (int32_t k = 0; k < cell.count; k++) {
        cell.excess += x->excess[cell.member[k]];
        pores += mn_fabric_pores(x->fabric, x->vertex[cell.member[k]]);
    }
    cell.quantum           = fmin(x->quantum, fmax(SMALLEST * x->quantum, PORES_MOST * pores));
    const int32_t coord[3] = { t.x, t.y, t.z };
    for (int a = 0; a < 3; a++) cell.random = mn_hash_mix(cell.random ^ (uint64_t)(uint32_t)coord[a]);
    cell.random = mn_hash_mix(cell.random ^ (uint64_t)(place % tiles->cells));
    return cell;
}

static mn_status list_full(dripping *x, mn_arena *arena, double *position[3])
{
    const mn_fabric *q = x->fabric;
    x->vertex          = mn_arena_array(arena, int32_t, q->vertices.count);
    x->excess          = mn_arena_array(arena, double, q->vertices.count);
    for (int a = 0; a < 3; a++) position[a] = mn_arena_array(arena, double, q->vertices.count);
    if (!x->vertex || !x->excess || !position[0] || !position[1] || !position[2]) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < q->vertices.count; v++) {
        const double excess = excess_of(q, v);
        if (!(excess > 0.0) || !is_somewhere(q, v)) continue;
        for (int a = 0; a < 3; a++) position[a][x->count] = q->vertices.position[a][v];
        x->vertex[x->count]   = (int32_t)v;
        x->excess[x->count++] = excess;
    }
    return MN_OK;
}

/// Refuse a step in which a cell cannot hold what it is said to.
static bool is_liquid(const dripping *x, const pool_of_cell *cell, const mn_step *step)
{
    const double volume = mn_cell_volume(&x->fabric->model.grid);
    if (cell->excess <= EXCESS_MOST * volume) return true;
    return mn_reject(step, "fabric holds %.3g cm^3 beyond its pores in one cell of %.3g cm^3", cell->excess, volume);
}

static mn_status drip_cells(dripping *x, const mn_step *step, mn_exchange_report *report)
{
    mn_arena *const arena = step->arena;
    double         *position[3];
    mn_tiles        tiles;
    mn_bins         bins;
    MN_TRY(list_full(x, arena, position));
    MN_TRY(mn_bins_build(x->fabric->context, arena, &x->fabric->model.grid, (const double *const *)position, x->count,
                         0, &tiles, &bins));
    for (int64_t place = tiles.cells; place < (int64_t)tiles.count * tiles.cells; place++) {
        if (bins.start[place] == bins.start[place + 1]) continue;
        const pool_of_cell cell = pool_at(x, &tiles, &bins, place);
        if (!is_liquid(x, &cell, step)) return MN_OK;
        MN_TRY(drip_cell(x, &cell, report));
    }
    return MN_OK;
}

mn_status mn_drip(mn_liquid *liquid, mn_fabric *fabric, const mn_step *step, int64_t *next_id,
                  mn_exchange_report *report)
{
    if (!mn_liquid_present(liquid) || !mn_fabric_present(fabric)) return MN_OK;
    dripping x = { .liquid  = liquid,
                   .fabric  = fabric,
                   .solids  = step->solids,
                   .step    = (uint64_t)step->number,
                   .next_id = next_id,
                   .quantum = MN_DRIP_QUANTUM * mn_cell_volume(&fabric->model.grid) };
    if (!(mn_parallel_max(mn_context_pool(fabric->context), fabric->vertices.count, excess_of_block, fabric) > 0.0))
        return MN_OK;
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = drip_cells(&x, step, report);
    mn_arena_end(step->arena, mark);
    return status;
}
