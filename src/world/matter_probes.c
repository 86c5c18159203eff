// SPDX-License-Identifier: MPL-2.0
// world/matter_probes.c - what probes add up over a frame, as the world sees it.
#include "base/hash.h"
#include "world/matter.h"

#include <string.h>

/// A world without probes has a block for them all the same: checkpoints say that there are none.
static bool present(const mn_world *w)
{
    (void)w;
    return true;
}

static void state(mn_world *w)
{
    mn_probe_state *p = &w->probe_state;
    mn_world_add_block(w, &mn_probe_table, p, &p->count, &p->capacity);
}

static uint64_t layout(const mn_world *w, uint64_t h)
{
    for (int64_t k = 0; k < w->probe_count; k++) {
        const mn_probe_def *d    = &w->probes[k].def;
        const int           kind = (int)d->kind;
        h                        = mn_hash_bytes(mn_hash_bytes(h, d->name, strlen(d->name)), &kind, sizeof kind);
    }
    return h;
}

static mn_status loaded(mn_world *w)
{
    if (w->probe_state.count == w->probe_count) return MN_OK;
    return mn_fail(w->context, MN_ERR_FILE, "the saved state has %lld probes; the scene has %lld",
                   (long long)w->probe_state.count, (long long)w->probe_count);
}

static void destroy(mn_world *w)
{
    for (int64_t k = 0; k < w->probe_count; k++) mn_shape_release(&w->probes[k].def.shape);
    mn_free(w->context, w->probes);
    mn_fields_free(w->context, &mn_probe_table, &w->probe_state);
}

const mn_matter mn_matter_probes = {
    .name = "probe", .present = present, .state = state, .layout = layout, .loaded = loaded, .destroy = destroy
};
