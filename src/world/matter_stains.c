// SPDX-License-Identifier: MPL-2.0
// world/matter_stains.c - stains as the world sees them.
#include "world/matter.h"

static bool present(const mn_world *w) { return w->stain_count > 0; }

static void state(mn_world *w)
{
    for (int64_t i = 0; i < w->stain_count; i++) {
        mn_stained_cloth *s = &w->stains[i];
        mn_world_stain_blocks(s);
        for (int t = 0; t < s->block_count; t++)
            mn_world_add_block(w, &s->table[t], &s->array[t], &s->count[t], &s->capacity[t]);
    }
}

static mn_status loaded(mn_world *w)
{
    for (int64_t k = 0; k < w->stain_count; k++) MN_TRY(mn_world_stain_loaded(w, &w->stains[k]));
    return MN_OK;
}

static void sums(mn_world *w, mn_ledger *l)
{
    const mn_world_stain_sums s = mn_world_stain_sum(w);
    l->liquid_stain             = s.liquid;
    l->liquid_added += s.added;
    l->liquid_evaporated += s.evaporated;
}

static void view_box(const mn_world *w, mn_world_box *box)
{
    for (int64_t k = 0; k < w->stain_count; k++) {
        const mn_stain_view v = mn_world_stain(w, (int)k);
        for (int64_t i = 0; i < v.vertex_count; i++) mn_world_box_add(box, mn_v3_from(v.position[i]));
    }
}

static void destroy(mn_world *w)
{
    for (int64_t k = 0; k < w->stain_count; k++) mn_world_stain_destroy(w->context, &w->stains[k]);
    mn_free(w->context, w->stains);
}

/// A film keeps its state itself when it moves on, which it does not in every step.
static mn_status keep(mn_world *w)
{
    for (int64_t k = 0; k < w->stain_count; k++) w->stains[k].stepped = false;
    return MN_OK;
}

const mn_matter mn_matter_stains = { .name          = "stain",
                                     .present       = present,
                                     .has_own_steps = true,
                                     .state         = state,
                                     .sums          = sums,
                                     .loaded        = loaded,
                                     .view_box      = view_box,
                                     .destroy       = destroy,
                                     .keep          = keep,
                                     .take_back     = mn_world_stain_roll_back };
