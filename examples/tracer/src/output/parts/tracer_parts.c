// SPDX-License-Identifier: MPL-2.0
// output/parts/tracer_parts.c - tracers as points.
#include "output/parts/tracer_parts.h"

#include "meniscus/tracer.h"

typedef struct tracer_parts {
    mn_context    *context;
    mn_world      *world;
    mn_frame_array id;
} tracer_parts;

static mn_status create(mn_context *c, mn_world *world, const mn_output_def *output, void **state)
{
    (void)output;
    if (mn_world_tracers(world).position.count == 0) return MN_OK;
    tracer_parts *p = *state = mn_alloc(c, sizeof *p);
    if (p == NULL) return MN_ERR_MEMORY;
    p->context = c;
    p->world   = world;
    return MN_OK;
}

static void destroy(void **state)
{
    tracer_parts *p = *state;
    if (p != NULL) mn_free(p->context, p);
    *state = NULL;
}

const mn_part_source mn_tracer_source = { .create = create, .destroy = destroy };

mn_status mn_make_tracers(void *state, mn_frame_part *out)
{
    tracer_parts        *p = state;
    const mn_tracer_view v = mn_world_tracers(p->world);
    p->id                  = mn_frame_array_single("id", MN_TYPE_int64_t, v.id);
    *out                   = (mn_frame_part){ .point_count = v.position.count,
                                              .kind        = MN_CELLS_VERTICES,
                                              .arrays      = &p->id,
                                              .array_count = 1 };
    out->points            = mn_frame_array_split("", v.position.x, v.position.y, v.position.z);
    return MN_OK;
}
