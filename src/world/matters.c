// SPDX-License-Identifier: MPL-2.0
// world/matters.c - the kinds of matter a world is made of, and what is asked of all of them.
#include "world/matter.h"

const mn_matter *const mn_matters[] = {
#define X(name) &mn_matter_##name,
    MN_MATTER_LIST(X)
#undef X
        NULL,
};

mn_status mn_world_share_room(mn_world *w, const mn_step *s)
{
    mn_liquid_room_vacate(&w->liquid);
    MN_EACH_MATTER (w, m)
        if (m->add_room != NULL) MN_TRY(m->add_room(w, s));
    return MN_OK;
}

void mn_world_view_box(const mn_world *w, mn_world_box *box)
{
    MN_EACH_MATTER (w, m)
        if (m->view_box != NULL) m->view_box(w, box);
}
