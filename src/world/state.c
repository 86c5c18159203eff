// SPDX-License-Identifier: MPL-2.0
// world/state.c - the state as a checkpoint, a hash and a load see it, and the ledger made from it.
#include "world/world.h"

#include "base/hash.h"
#include "base/timer.h"

static void add_block(mn_world *w, int *count, const mn_field_table *table, void *base, int64_t *items,
                      int64_t *capacity)
{
    w->blocks[(*count)++] = (mn_state_block){ table, base, items, capacity };
}

/// Room for every block there can be: liquid, probes, solutes, three of fabric, three of each piece, some of each
/// stain.
mn_status mn_world_reserve_blocks(mn_world *w)
{
    return mn_array_reserve(w->context, &w->blocks, &w->block_capacity,
                            6 + 3 * w->fabric.piece_count + (MN_STAIN_RUNS + 1) * w->stain_count, sizeof *w->blocks);
}

void mn_world_state(mn_world *w, const mn_state_block **blocks, int *block_count, const mn_state_scalar **scalars,
                    int *scalar_count)
{
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    mn_fabric           *f = &w->fabric;
    int                  n = 0, k = 0;
    add_block(w, &n, mn_liquid_table_of(p), p, &p->count, &p->capacity);
    add_block(w, &n, &mn_probe_table, &w->probe_state, &w->probe_state.count, &w->probe_state.capacity);
    mn_solute_budget *b = &w->solutes.budget;
    if (w->solutes.count > 0) add_block(w, &n, &mn_solute_table, b, &b->count, &b->capacity);
    if (f->piece_count > 0) {
        add_block(w, &n, mn_fabric_table_of(&f->vertices), &f->vertices, &f->vertices.count, &f->vertices.capacity);
        add_block(w, &n, &mn_fabric_triangle_table, &f->triangles, &f->triangles.count, &f->triangles.capacity);
        add_block(w, &n, &mn_fabric_segment_table, &f->segments, &f->segments.count, &f->segments.capacity);
    }
    for (int64_t i = 0; i < f->piece_count; i++) {
        mn_fabric_piece *piece = &f->pieces[i];
        for (int t = 0; t < 3; t++) piece->table[t].name = piece->table_name[t];  // pieces move when the list grows
        if (piece->shell != NULL) {
            mn_shell_edges *e = mn_shell_state(piece->shell);
            add_block(w, &n, &piece->table[0], e, &e->count, &e->capacity);
        }
        if (piece->mesh.strand_count == 0) continue;
        add_block(w, &n, &piece->table[1], &piece->rods.edges, &piece->rods.edges.count, &piece->rods.edges.capacity);
        add_block(w, &n, &piece->table[2], &piece->rods.corners, &piece->rods.corners.count,
                  &piece->rods.corners.capacity);
    }
    for (int64_t i = 0; i < w->stain_count; i++) {
        mn_stained_cloth *s = &w->stains[i];
        mn_world_stain_blocks(s);
        for (int t = 0; t < s->block_count; t++)
            add_block(w, &n, &s->table[t], &s->array[t], &s->count[t], &s->capacity[t]);
    }
#define X(type, name, unit, help) w->scalars[k++] = (mn_state_scalar){ #name, MN_TYPE_##type, &w->now.name };
    MN_WORLD_SCALARS(X)
#undef X
    *blocks = w->blocks, *block_count = n;
    *scalars = w->scalars, *scalar_count = k;
}

/// The counts of a fabric are fixed by its scene.
static mn_status check_fabric_counts(const mn_world *w)
{
    int64_t vertices = 0, triangles = 0, segments = 0;
    for (int64_t i = 0; i < w->fabric.piece_count; i++) {
        const mn_fabric_piece *p = &w->fabric.pieces[i];
        vertices += p->mesh.vertex_count;
        triangles += p->mesh.triangle_count;
        segments += p->segment_count;
        if (p->shell != NULL && mn_shell_state(p->shell)->count != p->edge_count)
            return mn_fail(w->context, MN_ERR_FILE, "the saved state of fabric '%s' does not fit its mesh", p->name);
        if (p->rods.edges.count != p->segment_count || p->rods.corners.count != p->corner_count)
            return mn_fail(w->context, MN_ERR_FILE, "the saved state of fabric '%s' does not fit its yarn", p->name);
    }
    if (w->fabric.vertices.count == vertices && w->fabric.triangles.count == triangles &&
        w->fabric.segments.count == segments)
        return MN_OK;
    return mn_fail(w->context, MN_ERR_FILE, "the saved state has %lld fabric vertices; the scene has %lld",
                   (long long)w->fabric.vertices.count, (long long)vertices);
}

void mn_world_release_spare(mn_world *w)
{
    if (w->has_liquid) mn_liquid_drop_spare(&w->liquid);
}

void mn_world_release_scratch(mn_world *w)
{
    w->placed                          = NULL;
    w->solids                          = (mn_solids){ NULL, 0 };
    w->liquid.grid.kept_pressure.value = NULL;
    mn_arena_release(w->arena);
}

mn_status mn_world_state_loaded(mn_world *w)
{
    w->liquid.grid.kept_pressure.value = NULL;
    w->started                         = true;
    w->frame_clock                     = mn_seconds();
    if (w->probe_state.count != w->probe_count)
        return mn_fail(w->context, MN_ERR_FILE, "the saved state has %lld probes; the scene has %lld",
                       (long long)w->probe_state.count, (long long)w->probe_count);
    if (w->solutes.budget.count != w->solutes.count)
        return mn_fail(w->context, MN_ERR_FILE, "the saved state has %lld pigments in its liquid; the scene has %d",
                       (long long)w->solutes.budget.count, w->solutes.count);
    MN_TRY(check_fabric_counts(w));
    for (int64_t k = 0; k < w->stain_count; k++) MN_TRY(mn_world_stain_loaded(w, &w->stains[k]));
    return MN_OK;
}

uint64_t mn_world_hash(const mn_world *world)
{
    mn_world              *w = (mn_world *)(uintptr_t)world;  // the list of blocks is scratch
    const mn_state_block  *blocks;
    const mn_state_scalar *scalars;
    int                    block_count, scalar_count;
    mn_world_state(w, &blocks, &block_count, &scalars, &scalar_count);
    uint64_t h = mn_hash_bytes(MN_HASH_SEED, blocks[0].count, sizeof *blocks[0].count);
    for (int b = 0; b < block_count; b++) h = mn_fields_hash(blocks[b].table, blocks[b].base, *blocks[b].count, h);
    for (int k = 0; k < scalar_count; k++) h = mn_hash_bytes(h, scalars[k].value, mn_type_size(scalars[k].type));
    return h;
}

static void add_fabric(mn_world *w, mn_ledger *l)
{
    if (mn_fabric_prepare(&w->fabric) != MN_OK) return;
    const mn_fabric_sums s = mn_fabric_sum(&w->fabric);
    l->momentum_x += s.momentum.x, l->momentum_y += s.momentum.y, l->momentum_z += s.momentum.z;
    l->energy_kinetic += s.kinetic;
    l->energy_gravity += s.gravity;
    l->liquid_fabric = s.held;
    l->max_speed     = fmax(l->max_speed, mn_fabric_max_speed(&w->fabric));
    if (mn_fabric_elastic_energy(&w->fabric, w->arena, &l->energy_elastic) != MN_OK) l->energy_elastic = NAN;
}

static void add_liquid(mn_world *w, mn_ledger *l)
{
    const mn_liquid_sums s = mn_liquid_sum(&w->liquid);
    l->particles           = mn_liquid_now(&w->liquid)->count;
    l->liquid_bulk         = s.volume;
    l->momentum_x += s.momentum.x, l->momentum_y += s.momentum.y, l->momentum_z += s.momentum.z;
    l->energy_kinetic += s.kinetic;
    l->energy_gravity += s.gravity;
    l->max_speed = fmax(l->max_speed, s.max_speed);
}

/// Solute of liquid and fabric, and that of stains.
static void add_solutes(mn_world *w, mn_ledger *l)
{
    const mn_solute_sums      liquid = mn_world_solute_sums(w);
    const mn_world_stain_sums stains = mn_world_stain_sum(w);
    const double              owned  = liquid.initial + liquid.added + stains.solute_added;
    l->solute_bulk                   = liquid.bulk;
    l->solute_fabric                 = liquid.fabric;
    l->solute_added                  = liquid.added;
    l->solute_removed                = liquid.removed;
    l->solute_total                  = liquid.bulk + liquid.fabric + stains.solute;
    if (!(owned > 0.0)) return;
    l->solute_error = (liquid.bulk + liquid.fabric - liquid.initial - liquid.added + liquid.removed +
                       (stains.solute - stains.solute_added)) /
                      owned;
}

static void add_stains(mn_world *w, mn_ledger *l)
{
    const mn_world_stain_sums s = mn_world_stain_sum(w);
    l->liquid_stain             = s.liquid;
    l->liquid_added += s.added;
    l->liquid_evaporated += s.evaporated;
}

mn_ledger mn_world_ledger(const mn_world *world)
{
    // Sums run on the pool and leave the world as it is.
    mn_world               *w = (mn_world *)(uintptr_t)world;
    const mn_world_scalars *n = &w->now;
    mn_ledger               l = { .frame               = n->frame,
                                  .time                = n->time,
                                  .steps               = n->frame_steps,
                                  .rejected            = n->frame_rejected,
                                  .dt_min              = n->frame_dt_min,
                                  .dt_max              = n->frame_dt_max,
                                  .liquid_added        = n->liquid_added,
                                  .liquid_removed      = n->liquid_removed,
                                  .liquid_evaporated   = n->liquid_evaporated,
                                  .max_divergence      = n->frame_divergence,
                                  .pressure_iterations = n->frame_pressure_iterations,
                                  .solid_iterations    = n->frame_solid_iterations,
                                  .seconds             = mn_seconds() - w->frame_clock };
    if (w->fabric.piece_count > 0) add_fabric(w, &l);
    if (w->has_liquid) add_liquid(w, &l);
    if (w->stain_count > 0) add_stains(w, &l);
    if (w->stain_count > 0 || w->solutes.count > 0) add_solutes(w, &l);
    l.liquid_total     = l.liquid_bulk + l.liquid_fabric + l.liquid_stain;
    const double owned = n->liquid_initial + l.liquid_added;
    l.liquid_error     = owned > 0.0 ? (l.liquid_total - n->liquid_initial - l.liquid_added + l.liquid_removed +
                                    l.liquid_evaporated) /
                                       owned
                                     : 0.0;
    return l;
}
