// SPDX-License-Identifier: MPL-2.0
// verify/stain/stain_world.h - worlds with one stain, made by the calls that a user has.
#ifndef MN_VERIFY_STAIN_WORLD_H
#define MN_VERIFY_STAIN_WORLD_H

#include "meniscus/world.h"
#include "verify/stain/stain_meshes.h"

/// A stain that does nothing but what is switched on afterwards: it does not spread, rub, soak in, dry or feel its
/// cloth.
mn_stain_def mn_stain_def_idle(void);

/// A world without gravity and liquid, with the stain `def` on a cloth of its own.
mn_status mn_stain_world(mn_context *c, const mn_stain_mesh *mesh, const mn_stain_def *def, mn_world **out);
/// The same with gravity.
mn_status mn_stain_world_in(mn_context *c, const mn_stain_mesh *mesh, const mn_stain_def *def, const double gravity[3],
                            mn_world **out);
mn_status mn_run_to(mn_world *w, double end);
/// The world of a scene, which is given as its text.
mn_status mn_world_of(mn_context *c, const char *scene, mn_world **out);

/// Drops, and the balls that say where they are.
typedef struct mn_drops {
    mn_stain_drop *list;
    int            count, capacity;
} mn_drops;
mn_status mn_drops_make(mn_context *c, int capacity, mn_drops *out);
void      mn_drops_free(mn_context *c, mn_drops *d);
/// One more, in a ball; NULL: no room or memory. To be filled in.
mn_stain_drop *mn_drops_add(mn_context *c, mn_drops *d, mn_vec3 centre, double radius);
/// A Gaussian blob of unit density and variance `variance` (cm^2), of discs one on another.
mn_status mn_drops_blob(mn_context *c, mn_vec3 centre, double variance, mn_drops *out);
/// What is at a vertex, and a drop for each vertex that has anything.
typedef void mn_drop_fn(mn_vec3 x, mn_stain_drop *drop, void *user);
mn_status    mn_drops_of_field(mn_context *c, const mn_stain_mesh *mesh, mn_drop_fn *at, void *user, mn_drops *out);

static inline void mn_stain_def_pour(mn_stain_def *def, const mn_drops *d)
{
    def->drops = d->list, def->drop_count = d->count;
}

#endif
