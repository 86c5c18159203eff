// SPDX-License-Identifier: MPL-2.0
// verify/stain/stain_world.c - worlds with one stain, and drops of any profile.
#include "verify/stain/stain_world.h"

#include "meniscus/scene.h"

#include <stdio.h>
#include <string.h>

#define BLOB_DISCS 60
/// Balls about single vertices; meshes here are coarser by far.
#define BALL 1e-4

mn_stain_def mn_stain_def_idle(void)
{
    mn_stain_def d = mn_stain_def_default();
    snprintf(d.name, sizeof d.name, "spot");
    d.spread = d.friction = d.absorb_rate = d.hold = d.evaporation = 0.0;
    d.inertia                                                      = false;
    return d;
}

mn_status mn_stain_world_in(mn_context *c, const mn_stain_mesh *mesh, const mn_stain_def *def, const double gravity[3],
                            mn_world **out)
{
    const mn_thin_mesh cloth = { .vertex_count   = mesh->vertex_count,
                                 .vertex         = (double(*)[3])mesh->x,
                                 .triangle_count = mesh->triangle_count,
                                 .triangle       = mesh->triangle };
    mn_world_def       world = mn_world_def_default();
    mn_stain_def       stain = *def;
    world.time.dt_max        = def->step;
    for (int a = 0; a < 3; a++) world.domain.gravity[a] = gravity[a];
    stain.mesh       = &cloth;
    *out             = NULL;
    mn_status status = mn_world_create(c, &world, out);
    if (status == MN_OK) status = mn_world_add_stain(*out, &stain);
    if (status != MN_OK) mn_world_destroy(out);
    return status;
}

mn_status mn_stain_world(mn_context *c, const mn_stain_mesh *mesh, const mn_stain_def *def, mn_world **out)
{
    return mn_stain_world_in(c, mesh, def, (double[3]){ 0.0, 0.0, 0.0 }, out);
}

mn_status mn_run_to(mn_world *w, double end)
{
    while (mn_world_time(w) < end) MN_TRY(mn_world_step(w, end));
    return MN_OK;
}

mn_status mn_world_of(mn_context *c, const char *text, mn_world **out)
{
    const mn_scene_source source = { .text = text, .bytes = strlen(text) };
    mn_scene             *scene  = NULL;
    *out                         = NULL;
    mn_status st                 = mn_scene_load(c, &source, &scene);
    if (st == MN_OK) st = mn_scene_build(scene, out);
    mn_scene_destroy(&scene);
    return st;
}

mn_status mn_drops_make(mn_context *c, int capacity, mn_drops *out)
{
    *out = (mn_drops){ .list = mn_alloc_array(c, mn_stain_drop, capacity), .capacity = capacity };
    return out->list != NULL ? MN_OK : MN_ERR_MEMORY;
}

void mn_drops_free(mn_context *c, mn_drops *d)
{
    for (int k = 0; k < d->count; k++) mn_shape_release(&d->list[k].shape);
    mn_free(c, d->list);
    *d = (mn_drops){ .list = NULL };
}

mn_stain_drop *mn_drops_add(mn_context *c, mn_drops *d, mn_vec3 centre, double radius)
{
    mn_shape_def ball = mn_shape_def_default(MN_SHAPE_SPHERE);
    if (d->count == d->capacity) return NULL;
    mn_stain_drop *drop = &d->list[d->count];
    *drop               = mn_stain_drop_default();
    ball.center[0] = centre.x, ball.center[1] = centre.y, ball.center[2] = centre.z;
    ball.radius[0] = radius;
    if (mn_shape_create(c, &ball, &drop->shape) != MN_OK) return NULL;
    d->count++;
    return drop;
}

mn_status mn_drops_blob(mn_context *c, mn_vec3 centre, double variance, mn_drops *out)
{
    MN_TRY(mn_drops_make(c, BLOB_DISCS, out));
    for (int k = 0; k < BLOB_DISCS; k++) {
        mn_stain_drop *d = mn_drops_add(c, out, centre, sqrt(-2.0 * variance * log((k + 0.5) / BLOB_DISCS)));
        if (d == NULL) return MN_ERR_MEMORY;
        d->density = 1.0 / BLOB_DISCS;
    }
    return MN_OK;
}

mn_status mn_drops_of_field(mn_context *c, const mn_stain_mesh *mesh, mn_drop_fn *at, void *user, mn_drops *out)
{
    MN_TRY(mn_drops_make(c, (int)mesh->vertex_count, out));
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        mn_stain_drop *d = mn_drops_add(c, out, mesh->x[v], BALL);
        if (d == NULL) return MN_ERR_MEMORY;
        at(mesh->x[v], d, user);
    }
    return MN_OK;
}
