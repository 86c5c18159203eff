// SPDX-License-Identifier: MPL-2.0
// output/parts/fabric_source.c - the fabrics of a world for the table of parts.
#include "output/parts/fabric_parts.h"

typedef struct fabric_source {
    mn_context      *context;
    mn_world        *world;
    mn_fabric_parts *parts;
    mn_fabric_view  *fabrics;  // as they stand now
    int              count;
    bool             has_cloth, has_yarn;
} fabric_source;

static void destroy(void **state)
{
    fabric_source *s = *state;
    if (s == NULL) return;
    mn_fabric_parts_destroy(&s->parts);
    mn_free(s->context, s->fabrics);
    mn_free(s->context, s);
    *state = NULL;
}

static void view(fabric_source *s)
{
    for (int k = 0; k < s->count; k++) s->fabrics[k] = mn_world_fabric(s->world, k);
}

static mn_status create(mn_context *c, mn_world *world, const mn_output_def *output, void **state)
{
    (void)output;
    if (mn_world_fabric_count(world) == 0) return MN_OK;
    fabric_source *s = *state = mn_alloc(c, sizeof *s);
    if (s == NULL) return MN_ERR_MEMORY;
    s->context = c;
    s->world   = world;
    s->count   = mn_world_fabric_count(world);
    s->fabrics = mn_alloc_array(c, mn_fabric_view, s->count);
    if (s->fabrics == NULL) return MN_ERR_MEMORY;
    view(s);
    for (int k = 0; k < s->count; k++) {
        s->has_cloth = s->has_cloth || s->fabrics[k].triangle_count > 0;
        s->has_yarn  = s->has_yarn || s->fabrics[k].strand_count > 0;
    }
    return mn_fabric_parts_create(c, &s->parts);
}

const mn_part_source mn_fabric_source = { .create = create, .destroy = destroy };

bool mn_fabrics_have_cloth(const void *state) { return ((const fabric_source *)state)->has_cloth; }

bool mn_fabrics_have_yarn(const void *state) { return ((const fabric_source *)state)->has_yarn; }

mn_status mn_make_cloth(void *state, mn_frame_part *out)
{
    fabric_source *s = state;
    view(s);
    return mn_fabric_parts_cloth(s->parts, s->fabrics, s->count, out);
}

mn_status mn_make_yarn(void *state, mn_frame_part *out)
{
    fabric_source *s = state;
    view(s);
    return mn_fabric_parts_yarn(s->parts, s->fabrics, s->count, out);
}

mn_status mn_make_tubes(void *state, mn_frame_part *out)
{
    fabric_source *s = state;
    view(s);
    return mn_fabric_parts_tubes(s->parts, s->fabrics, s->count, out);
}
