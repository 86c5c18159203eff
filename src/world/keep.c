// SPDX-License-Identifier: MPL-2.0
// world/keep.c - the state before a step, and the way back to it.
//
// Matter whose state is large has a way of its own (matter.h); the blocks of all other matter are copied into the arena
// of the step, one field behind the other.
#include "world/matter.h"

#include <string.h>

/// Copy between the blocks and `copies`, which may be NULL; the bytes they have.
static size_t copy_blocks(mn_world *w, unsigned char *copies, bool back)
{
    const mn_state_block  *blocks;
    const mn_state_scalar *scalars;
    int                    block_count, scalar_count;
    size_t                 at = 0;
    mn_world_state(w, &blocks, &block_count, &scalars, &scalar_count);
    for (int b = 0; b < block_count; b++) {
        if (blocks[b].matter->take_back != NULL) continue;
        for (int f = 0; f < blocks[b].table->count; f++) {
            const mn_field *field = &blocks[b].table->fields[f];
            const size_t    bytes = (size_t)*blocks[b].count * mn_type_size(field->type);
            for (int k = 0; k < mn_field_saved(field); k++, at += bytes) {
                void *array = *mn_field_array(field, blocks[b].base, k);
                if (copies != NULL && bytes > 0) memcpy(back ? array : copies + at, back ? copies + at : array, bytes);
            }
        }
    }
    return at;
}

mn_status mn_world_keep(mn_world *w)
{
    w->before.now    = w->now;
    w->before.copies = mn_arena_take(w->arena, copy_blocks(w, NULL, false) + 1);
    if (w->before.copies == NULL) return MN_ERR_MEMORY;
    copy_blocks(w, w->before.copies, false);
    MN_EACH_MATTER (w, m)
        if (m->keep != NULL) MN_TRY(m->keep(w));
    return MN_OK;
}

mn_status mn_world_take_back(mn_world *w)
{
    w->now = w->before.now;
    copy_blocks(w, w->before.copies, true);
    MN_EACH_MATTER (w, m)
        if (m->take_back != NULL) MN_TRY(m->take_back(w));
    return MN_OK;
}
