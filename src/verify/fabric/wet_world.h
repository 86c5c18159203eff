// SPDX-License-Identifier: MPL-2.0
// verify/fabric/wet_world.h - worlds of wet fabric for the cases of A1: what a scene can say, by the public API.
#ifndef MN_VERIFY_WET_WORLD_H
#define MN_VERIFY_WET_WORLD_H

#include "meniscus/world.h"
#include "verify/fabric/wet_sample.h"

/// Saturation at the start of the vertex at x (cm, as placed).
typedef double mn_wet_start_fn(mn_vec3 x, const void *user);

/// A fabric of a world: its definition, what of it a pin holds, how wet it begins.
typedef struct mn_wet_fabric {
    mn_fabric_def    def;
    const char      *held;    ///< group of vertices, by a hard pin; NULL: none
    mn_motion_def    motion;  ///< of that pin
    mn_wet_start_fn *wet;     ///< NULL: dry
    const void      *user;
} mn_wet_fabric;

/// F0 of A1 with linear drag, at rest, held nowhere, dry.
mn_wet_fabric mn_wet_fabric_default(const char *name);
/// As `wet` of a fabric: the same number everywhere; user points to it (a double).
mn_wet_start_fn mn_wet_evenly;

/// A world without bounds and without end, of these cells (cm) and this gravity along -y (cm/s^2).
mn_status mn_wet_world_make(mn_context *c, double cell, double gravity, double dt_max, mn_world **out);
/// The same with walls from 0 to `size`.
mn_status mn_wet_world_tank(mn_context *c, double cell, double gravity, double dt_max, const double size[3],
                            mn_world **out);
/// Takes the mesh and frees it, also on failure.
mn_status mn_wet_world_add(mn_context *c, mn_world *w, mn_thin_mesh *mesh, const mn_wet_fabric *fabric);
/// A flat sheet of right triangles about the origin of the fabric, its normal along y.
mn_status mn_wet_world_sheet(mn_context *c, mn_world *w, const double size[2], double spacing,
                             const mn_wet_fabric *fabric);
/// A probe of the force of a fabric on its pins of a group, upwards; its value: mn_world_probe_value, numbered in
/// order.
mn_status mn_wet_world_weigh(mn_world *w, const char *fabric, const char *group);
/// Liquid in the box between two corners, at rest.
mn_status mn_wet_world_pour(mn_context *c, mn_world *w, const mn_liquid_material *liquid, const double low[3],
                            const double high[3]);
/// The liquid of a world in which only fabric has any: that of a source that never works.
mn_status mn_wet_world_of(mn_context *c, mn_world *w, const mn_liquid_material *liquid);
/// Steps up to a time.
mn_status mn_wet_world_run(mn_world *w, double until);

/// Volume of the fibre of a fabric, cm^3.
double mn_wet_fiber_volume(const mn_fabric_view *f);

static inline mn_vec3 mn_wet_view_at(const mn_fabric_view *f, int64_t v)
{
    return mn_v3(f->position.x[v], f->position.y[v], f->position.z[v]);
}

#endif
