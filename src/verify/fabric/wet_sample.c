// SPDX-License-Identifier: MPL-2.0
// verify/fabric/wet_sample.c - a fabric that does not move and the liquid in it.
#include "verify/fabric/wet_sample.h"

#include <stdio.h>
#include <string.h>

mn_fabric_material mn_wet_sample_f0(void)
{
    mn_fabric_material m = mn_fabric_material_default();
    m.thickness          = 0.05;
    m.radius             = 0.05;
    m.fiber_diameter     = 0.0025;
    m.solid_fraction     = 0.3;
    m.contact_angle      = 40.8 * 3.14159265358979323846 / 180.0;
    m.drag_law           = MN_DRAG_LINEAR;
    return m;
}

mn_liquid_material mn_wet_sample_water(void)
{
    mn_liquid_material water = mn_liquid_def_default().material;
    water.surface_tension    = 72.0;
    return water;
}

mn_status mn_wet_sample_make(mn_context *c, mn_thin_mesh *mesh, const mn_fabric_def *def,
                             const mn_liquid_material *liquid, mn_vec3 gravity, mn_wet_sample *out)
{
    const mn_fabric_model model = { .grid    = { .dimension = 3, .cell = 1.0 },
                                    .gravity = gravity,
                                    .cfl     = 1.0,
                                    .dt_max  = 1.0,
                                    .liquid  = *liquid };
    mn_fabric_def         d     = *def;
    memset(out, 0, sizeof *out);
    mn_fabric_init(c, &model, &out->fabric);
    d.mesh           = mesh;
    mn_status status = mn_arena_create(c, &out->arena);
    if (status == MN_OK) status = mn_fabric_add(&out->fabric, &d);
    if (status == MN_OK) status = mn_fabric_prepare(&out->fabric);
    mn_thin_mesh_free(c, mesh);
    return status;
}

void mn_wet_sample_destroy(mn_wet_sample *s)
{
    mn_fabric_destroy(&s->fabric);
    mn_arena_destroy(&s->arena);
}

mn_status mn_wet_sample_flow(mn_wet_sample *s, double dt)
{
    double taken = 0.0;
    MN_TRY(mn_arena_reset(s->arena));
    MN_TRY(mn_fabric_flow_reported(&s->fabric, s->arena, dt, &taken, &s->report));
    s->evaporated += taken;
    return MN_OK;
}

double mn_wet_sample_diffusivity(const mn_fabric_material *fabric, const mn_liquid_material *liquid)
{
    const mn_pore_law law = mn_pore_law_of(fabric, liquid);
    const double      phi = fabric->solid_fraction;
    return (1.0 - phi) * mn_pore_suction(&law, phi) / mn_pore_drag_along(&law, phi).linear;
}
