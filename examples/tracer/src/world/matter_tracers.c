// SPDX-License-Identifier: MPL-2.0
// world/matter_tracers.c - tracers as the world sees them.
#include "world/matter.h"

#include <stdio.h>

static bool present(const mn_world *w) { return w->tracers.seeded > 0; }

static void state(mn_world *w)
{
    mn_tracers *t = &w->tracers;
    if (present(w)) mn_world_add_block(w, &mn_tracer_table, t, &t->count, &t->capacity)->position = t->position;
}

static mn_status loaded(mn_world *w)
{
    if (w->tracers.count == w->tracers.seeded) return MN_OK;
    return mn_fail(w->context, MN_ERR_FILE, "the saved state has %lld tracers; the scene has %lld",
                   (long long)w->tracers.count, (long long)w->tracers.seeded);
}

static void view_box(const mn_world *w, mn_world_box *box)
{
    const mn_tracers *t = &w->tracers;
    for (int64_t i = 0; i < t->count; i++)
        mn_world_box_add(box, mn_v3(t->position[0][i], t->position[1][i], t->position[2][i]));
}

static void destroy(mn_world *w) { mn_fields_free(w->context, &mn_tracer_table, &w->tracers); }

const mn_matter mn_matter_tracers = {
    .name = "tracer", .present = present, .state = state, .loaded = loaded, .view_box = view_box, .destroy = destroy
};

mn_status mn_world_add_tracer(mn_world *w, const mn_tracer_def *def)
{
    mn_tracers   *t      = &w->tracers;
    const int64_t before = t->count, next_id = w->now.next_id;
    char          front[MN_FRONT_BYTES];
    snprintf(front, sizeof front, "tracers '%s': ", def->name);
    MN_TRY(mn_world_check_addition(w, &mn_section_tracer, def, front, def->cookie));
    if (def->shape == NULL) return mn_fail(w->context, MN_ERR_ARGUMENT, "%sa shape is needed", front);
    MN_TRY(mn_tracers_seed(w->context, t, def, w->grid.dimension, &w->now.next_id));
    if (t->count == before)
        mn_log(w->context, MN_LOG_WARNING, "tracers_none", "%sthe shape has no room for one", front);
    const mn_status status = mn_world_reserve_blocks(w);
    if (status != MN_OK) t->count = t->seeded = before, w->now.next_id = next_id;
    return status;
}

mn_tracer_view mn_world_tracers(const mn_world *w)
{
    const mn_tracers *t = &w->tracers;
    return (mn_tracer_view){ .position = { t->position[0], t->position[1], t->position[2], t->count }, .id = t->id[0] };
}
