// SPDX-License-Identifier: MPL-2.0
// world/matter_solutes.c - the budget of the pigments that liquid and fabric carry, as the world sees it.
#include "base/hash.h"
#include "world/matter.h"

#include <string.h>

static bool present(const mn_world *w) { return w->solutes.count > 0; }

static void state(mn_world *w)
{
    mn_solute_budget *b = &w->solutes.budget;
    if (!present(w)) return;
    mn_world_add_block(w, &mn_solute_table, b, &b->count, &b->capacity);
}

static uint64_t layout(const mn_world *w, uint64_t h)
{
    for (int k = 0; k < w->solutes.count; k++)
        h = mn_hash_bytes(h, w->solutes.pigment[k].name, strlen(w->solutes.pigment[k].name));
    return h;
}

static mn_status loaded(mn_world *w)
{
    if (w->solutes.budget.count == w->solutes.count) return MN_OK;
    return mn_fail(w->context, MN_ERR_FILE, "the saved state has %lld pigments in its liquid; the scene has %d",
                   (long long)w->solutes.budget.count, w->solutes.count);
}

static void destroy(mn_world *w) { mn_solutes_destroy(w->context, &w->solutes); }

const mn_matter mn_matter_solutes = {
    .name = "pigment", .present = present, .state = state, .layout = layout, .loaded = loaded, .destroy = destroy
};
