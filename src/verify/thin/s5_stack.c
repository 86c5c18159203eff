// SPDX-License-Identifier: MPL-2.0
// verify/thin/s5_stack.c - P5.9: five sheets fall on a table and lie there. No layer passes through another, and rest
// is rest.
#include "verify/thin/s5.h"

#include "verify/thin/crossing.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

#define SHEETS     5
#define FRAME_RATE 60.0

typedef struct stack {
    double size, cell, seconds;
} stack;

/// All sheets as one list of triangles.
typedef struct layers {
    mn_vec3 *x;
    int32_t (*triangle)[3];
    int64_t vertices, triangles;
} layers;

typedef struct stack_result {
    int64_t crossings;   // pairs, summed over all frames
    double  peak, late;  // largest kinetic energy of all frames, and of the last fifth, erg
} stack_result;

static mn_status lay_table(mn_context *c, mn_world *w)
{
    mn_shape_def    plane = mn_shape_def_default(MN_SHAPE_PLANE);
    mn_obstacle_def table = mn_obstacle_def_default();
    plane.axis[0] = 0.0, plane.axis[1] = 1.0, plane.axis[2] = 0.0;
    table.friction = 0.5;
    MN_TRY(mn_shape_create(c, &plane, &table.shape));
    const mn_status status = mn_world_add_obstacle(w, &table);
    mn_shape_release(&table.shape);
    return status;
}

/// Sheets above one another, each turned by 18 degrees against the one below, as in the scene cloth/stack.
static mn_status hang_sheets(mn_context *c, const stack *s, mn_world *w)
{
    const mn_cloth_def sheet = { .outline = MN_CLOTH_RECTANGLE,
                                 .size    = { s->size, s->size },
                                 .spacing = 0.5 * s->cell };
    mn_thin_mesh       mesh;
    MN_TRY(mn_cloth_generate(c, &sheet, &mesh));
    mn_status status = MN_OK;
    for (int k = 0; k < SHEETS && status == MN_OK; k++) {
        mn_fabric_def fabric = mn_fabric_def_default();
        snprintf(fabric.name, sizeof fabric.name, "sheet %d", k);
        fabric.mesh    = &mesh;
        fabric.axis[0] = 0.0, fabric.axis[1] = 1.0, fabric.axis[2] = 0.0;
        fabric.angle   = 0.1 * MN_PI * k;
        fabric.at[1]   = (0.8 + k) * s->cell;
        fabric.damping = 1.0;
        status         = mn_world_add_fabric(w, &fabric);
    }
    mn_thin_mesh_free(c, &mesh);
    return status;
}

static mn_status make_layers(mn_context *c, const mn_world *w, layers *l)
{
    memset(l, 0, sizeof *l);
    for (int k = 0; k < SHEETS; k++) {
        l->vertices += mn_world_fabric(w, k).position.count;
        l->triangles += mn_world_fabric(w, k).triangle_count;
    }
    l->x        = mn_alloc_array(c, mn_vec3, l->vertices);
    l->triangle = mn_alloc(c, mn_array_bytes(l->triangles, sizeof *l->triangle));
    if (l->x == NULL || l->triangle == NULL) return MN_ERR_MEMORY;
    int64_t t     = 0;
    int32_t first = 0;
    for (int k = 0; k < SHEETS; k++) {
        const mn_fabric_view f = mn_world_fabric(w, k);
        for (int64_t i = 0; i < f.triangle_count; i++, t++)
            for (int a = 0; a < 3; a++) l->triangle[t][a] = first + f.triangle[i][a];
        first += (int32_t)f.position.count;
    }
    return MN_OK;
}

static mn_status look_at_layers(mn_context *c, const mn_world *w, layers *l, int64_t *crossings)
{
    int64_t n = 0;
    for (int k = 0; k < SHEETS; k++) {
        const mn_fabric_view f = mn_world_fabric(w, k);
        for (int64_t i = 0; i < f.position.count; i++, n++)
            l->x[n] = mn_v3(f.position.x[i], f.position.y[i], f.position.z[i]);
    }
    return mn_count_crossings(c, l->x, (const int32_t(*)[3])l->triangle, l->triangles, crossings);
}

static mn_status run_frames(mn_context *c, const stack *s, mn_world *w, layers *l, stack_result *out)
{
    const int frames = (int)lround(s->seconds * FRAME_RATE);
    for (int k = 1; k <= frames; k++) {
        int64_t crossings;
        while (mn_world_time(w) < k / FRAME_RATE) MN_TRY(mn_world_step(w, k / FRAME_RATE));
        MN_TRY(look_at_layers(c, w, l, &crossings));
        const double kinetic = mn_fabric_sum(&w->fabric).kinetic;
        out->crossings += crossings;
        out->peak = fmax(out->peak, kinetic);
        if (5 * k > 4 * frames) out->late = fmax(out->late, kinetic);
        if (k % 6 == 0)
            mn_log(c, MN_LOG_DEBUG, "stack", "at %.3g s %lld crossing pairs, kinetic energy %.3g erg", mn_world_time(w),
                   (long long)crossings, kinetic);
    }
    return MN_OK;
}

static mn_status run_stack(mn_context *c, const stack *s, stack_result *out)
{
    mn_world_def def = mn_world_def_default();
    mn_world    *w   = NULL;
    layers       l   = { .x = NULL };
    def.domain.cell  = s->cell;
    def.time.dt_max  = 4e-3;
    *out             = (stack_result){ 0 };
    mn_status status = mn_world_create(c, &def, &w);
    if (status == MN_OK) status = lay_table(c, w);
    if (status == MN_OK) status = hang_sheets(c, s, w);
    if (status == MN_OK) status = make_layers(c, w, &l);
    if (status == MN_OK) status = run_frames(c, s, w, &l, out);
    mn_free(c, l.x);
    mn_free(c, l.triangle);
    mn_world_destroy(&w);
    return status;
}

mn_status mn_s5_stack(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const stack tiers[] = {
        [MN_TIER_BUILD]   = { .size = 2.0, .cell = 0.5, .seconds = 0.5 },
        [MN_TIER_VERIFY]  = { .size = 3.0, .cell = 0.5, .seconds = 10.0 },
        [MN_TIER_NIGHTLY] = { .size = 6.0, .cell = 0.5, .seconds = 10.0 },
    };
    const stack *s = &tiers[tier];
    stack_result found;
    MN_TRY(run_stack(c, s, &found));
    char text[96];
    snprintf(text, sizeof text, "five sheets for %.3g s: pairs of triangles that cross, all frames", s->seconds);
    mn_verify_at_most(r, text, (double)found.crossings, 0.0, 0.0);
    snprintf(text, sizeof text, "largest kinetic energy of the last %.2g s over its peak", 0.2 * s->seconds);
    mn_verify_at_most(r, text, found.late / found.peak, 1e-4, 1e-2);
    return MN_OK;
}
