// SPDX-License-Identifier: MPL-2.0
// verify/fabric/wet_sample.h - a fabric that does not move and the liquid in it, without a world: for cases of flow
// alone.
#ifndef MN_VERIFY_WET_SAMPLE_H
#define MN_VERIFY_WET_SAMPLE_H

#include "base/arena.h"
#include "fabric/pores/flow.h"
#include "fabric/pores/pores.h"

typedef struct mn_wet_sample {
    mn_fabric      fabric;
    mn_arena      *arena;
    double         evaporated;  ///< cm^3 so far
    mn_flow_report report;      ///< of the last step
} mn_wet_sample;

/// Fabric F0 of A1 with linear drag, and the liquid of its numbers.
mn_fabric_material mn_wet_sample_f0(void);
mn_liquid_material mn_wet_sample_water(void);

/// Takes the mesh and frees it, also on failure. The sample must be destroyed in any case.
mn_status mn_wet_sample_make(mn_context *c, mn_thin_mesh *mesh, const mn_fabric_def *def,
                             const mn_liquid_material *liquid, mn_vec3 gravity, mn_wet_sample *out);
void      mn_wet_sample_destroy(mn_wet_sample *s);
mn_status mn_wet_sample_flow(mn_wet_sample *s, double dt);

static inline mn_vec3 mn_wet_sample_at(const mn_wet_sample *s, int64_t v)
{
    double *const *x = s->fabric.vertices.position;
    return mn_v3(x[0][v], x[1][v], x[2][v]);
}
static inline void mn_wet_sample_fill(mn_wet_sample *s, int64_t v, double saturation)
{
    s->fabric.vertices.held[0][v] = saturation * mn_fabric_pores(&s->fabric, v);
}
/// D_0 of (E4.13) in linear drag, cm^2/s.
double mn_wet_sample_diffusivity(const mn_fabric_material *fabric, const mn_liquid_material *liquid);

#endif
