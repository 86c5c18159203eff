// SPDX-License-Identifier: MPL-2.0
// scene/tracers.c - tracers of a scene.
#include "scene/things.h"

mn_status mn_begin_tracer(mn_reader *r, const mn_node *key, void *entry)
{
    (void)r, (void)key;
    *(mn_tracer_def *)entry = mn_tracer_def_default();
    return MN_OK;
}

mn_status mn_finish_tracer(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved)
{
    (void)resolved;
    if (r->data->liquids.count == 0)
        return mn_fail_at(r->context, node->place, "tracers follow a liquid, and the scene has none");
    if (!mn_find_made(r, ((const mn_tracer_def *)entry)->shape)->flat) return MN_OK;
    return mn_fail_at(r->context, mn_node_find(node, "shape")->place,
                      "the shape of tracers needs a volume, and a disc has none");
}
