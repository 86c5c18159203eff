// SPDX-License-Identifier: MPL-2.0
// world/state.c - the state as a checkpoint, a hash and a load see it: the blocks of all matter, and the scalars.
#include "base/hash.h"
#include "base/timer.h"
#include "world/matter.h"

mn_state_block *mn_world_add_block(mn_world *w, const mn_field_table *table, void *base, int64_t *items,
                                   int64_t *capacity)
{
    // Beyond the room they are only counted: mn_world_reserve_blocks makes room for so many.
    const int64_t   at = w->block_count++;
    mn_state_block *b  = at < w->block_capacity ? &w->blocks[at] : &w->block_beyond;
    *b = (mn_state_block){ .table = table, .base = base, .count = items, .capacity = capacity, .matter = w->listing };
    return b;
}

static void list_blocks(mn_world *w)
{
    w->block_count = 0;
    for (const mn_matter *const *m = mn_matters; *m != NULL; m++) {
        w->listing = *m;
        (*m)->state(w);
    }
}

mn_status mn_world_reserve_blocks(mn_world *w)
{
    list_blocks(w);
    return mn_array_reserve(w->context, &w->blocks, &w->block_capacity, w->block_count, sizeof *w->blocks);
}

void mn_world_state(mn_world *w, const mn_state_block **blocks, int *block_count, const mn_state_scalar **scalars,
                    int *scalar_count)
{
    int k = 0;
    list_blocks(w);
    MN_ASSERT(w->block_count <= w->block_capacity);
#define X(type, name, unit, help) w->scalars[k++] = (mn_state_scalar){ #name, MN_TYPE_##type, &w->now.name };
    MN_WORLD_SCALARS(X)
#undef X
    *blocks = w->blocks, *block_count = (int)w->block_count;
    *scalars = w->scalars, *scalar_count = k;
}

void mn_world_layouts(mn_world *w, const mn_state_layout **layouts, int *count)
{
    *count = 0;
    MN_EACH_MATTER (w, m) {
        MN_ASSERT(*count < MN_MATTERS_MOST);
        const uint64_t hash    = m->layout != NULL ? m->layout(w, MN_HASH_SEED) : MN_HASH_SEED;
        w->layouts[(*count)++] = (mn_state_layout){ m->name, hash };
    }
    *layouts = w->layouts;
}

void     mn_world_set_identity(mn_world *w, uint64_t identity) { w->identity = identity; }
uint64_t mn_world_identity(const mn_world *w) { return w->identity; }

void mn_world_release_spare(mn_world *w)
{
    w->can_undo = false;
    MN_EACH_MATTER (w, m)
        if (m->release != NULL) m->release(w);
}

void mn_world_release_scratch(mn_world *w)
{
    w->can_undo                        = false;
    w->placed                          = NULL;
    w->solids                          = (mn_solids){ NULL, 0 };
    w->liquid.grid.kept_pressure.value = NULL;
    mn_arena_release(w->arena);
}

mn_status mn_world_state_loaded(mn_world *w)
{
    w->liquid.grid.kept_pressure.value = NULL;
    w->can_undo                        = false;
    w->started                         = true;
    w->frame_clock                     = mn_seconds();
    MN_EACH_MATTER (w, m)
        if (m->loaded != NULL) MN_TRY(m->loaded(w));
    return mn_world_check_finite(w, MN_ERR_FILE, "the saved state");
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
