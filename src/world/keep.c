// SPDX-License-Identifier: MPL-2.0
// world/keep.c - the state before a step, and the way back to it.
//
// Matter whose state is large has a way of its own (matter.h); the blocks of all other matter are copied into the arena
// of the step, one field behind the other.
#include "world/matter.h"

typedef enum way { COUNT, OUT, BACK } way;

/// Bytes of the blocks that are copied, which come from `copies` or go there.
static size_t copy_blocks(mn_world *w, way which, unsigned char *copies)
{
    const mn_state_block  *blocks;
    const mn_state_scalar *scalars;
    int                    block_count, scalar_count;
    size_t                 at = 0;
    mn_world_state(w, &blocks, &block_count, &scalars, &scalar_count);
    for (int k = 0; k < block_count; k++) {
        const mn_state_block *b = &blocks[k];
        if (b->matter->take_back != NULL) continue;
        if (which == OUT) mn_fields_copy_out(b->table, b->base, *b->count, copies + at);
        if (which == BACK) mn_fields_copy_in(b->table, b->base, *b->count, copies + at);
        at += mn_fields_bytes(b->table, *b->count);
    }
    return at;
}

mn_status mn_world_keep(mn_world *w)
{
    w->before.now    = w->now;
    w->before.copies = mn_arena_take(w->arena, copy_blocks(w, COUNT, NULL) + 1);
    if (w->before.copies == NULL) return MN_ERR_MEMORY;
    copy_blocks(w, OUT, w->before.copies);
    MN_EACH_MATTER (w, m)
        if (m->keep != NULL) MN_TRY(m->keep(w));
    return MN_OK;
}

mn_status mn_world_take_back(mn_world *w)
{
    w->now = w->before.now;
    copy_blocks(w, BACK, w->before.copies);
    MN_EACH_MATTER (w, m)
        if (m->take_back != NULL) MN_TRY(m->take_back(w));
    return MN_OK;
}

mn_status mn_world_undo(mn_world *w)
{
    if (!w->can_undo) return mn_fail(w->context, MN_ERR_STATE, "the state before the last step is not there any more");
    w->can_undo                        = false;
    w->liquid.grid.kept_pressure.value = NULL;
    return mn_world_take_back(w);
}
