// SPDX-License-Identifier: MPL-2.0
// world/matter_stains.c - stains as the world sees them.
#include "base/hash.h"
#include "world/matter.h"

#include <string.h>

static bool present(const mn_world *w) { return w->stains.count > 0; }

static void state(mn_world *w)
{
    for (int64_t k = 0; k < w->stains.count; k++) {
        mn_stained_cloth *s = &w->stains.list[k];
        mn_stains_blocks(s);
        for (mn_stain_block *b = s->block; b < s->block + s->block_count; b++)
            mn_world_add_block(w, &b->table, &b->first, &b->count, &b->capacity);
    }
}

static uint64_t layout(const mn_world *w, uint64_t h)
{
    for (int64_t k = 0; k < w->stains.count; k++) {
        const mn_stained_cloth *s = &w->stains.list[k];
        const mn_stain_view     v = mn_stains_view(&w->stains, k);
        h                         = mn_hash_bytes(h, s->def.name, strlen(s->def.name));
        h                         = mn_hash_bytes(h, &v.vertex_count, sizeof v.vertex_count);
        h                         = mn_hash_bytes(h, v.triangle, (size_t)v.triangle_count * sizeof *v.triangle);
        for (int p = 0; p < s->def.pigment_count; p++)
            h = mn_hash_bytes(h, s->pigments[p].name, strlen(s->pigments[p].name));
    }
    return h;
}

static mn_status loaded(mn_world *w) { return mn_stains_loaded(&w->stains, w->arena); }

static void sums(mn_world *w, mn_ledger *l)
{
    const mn_stains_sums s = mn_stains_sum(&w->stains);
    l->liquid_stain        = s.liquid;
    l->liquid_added += s.added;
    l->liquid_removed += s.removed;
    l->liquid_evaporated += s.evaporated;
}

static void view_box(const mn_world *w, mn_world_box *box)
{
    for (int64_t k = 0; k < w->stains.count; k++) {
        const mn_stain_view v = mn_stains_view(&w->stains, k);
        for (int64_t i = 0; i < v.vertex_count; i++) mn_world_box_add(box, mn_v3_from(v.position[i]));
    }
}

static void destroy(mn_world *w) { mn_stains_destroy(&w->stains); }

/// A film keeps its state itself when it moves on, which it does not in every step.
static mn_status keep(mn_world *w)
{
    mn_stains_keep(&w->stains);
    return MN_OK;
}

static mn_status take_back(mn_world *w) { return mn_stains_take_back(&w->stains, w->arena); }

const mn_matter mn_matter_stains = { .name          = "stain",
                                     .present       = present,
                                     .has_own_steps = true,
                                     .state         = state,
                                     .layout        = layout,
                                     .sums          = sums,
                                     .loaded        = loaded,
                                     .view_box      = view_box,
                                     .destroy       = destroy,
                                     .keep          = keep,
                                     .take_back     = take_back };
