// SPDX-License-Identifier: MPL-2.0
// fabric/defaults.c - definitions of fabric with their defaults.
#include "meniscus/world.h"

#include <math.h>

mn_fabric_material mn_fabric_material_default(void)
{
    // wet-fabric 3.1; what is 0 or negative differs between cloth and yarn and is settled where it is used.
    return (mn_fabric_material){
        .thickness          = 0.036,
        .radius             = 0.048,
        .fiber_diameter     = 0.01,
        .solid_fraction     = 0.4,
        .density            = 1.32,
        .poisson            = -1.0,
        .internal_viscosity = -1.0,
        .stiffness_exponent = 2.0,
        .friction           = 0.577,
        .air_drag           = 1.2,
        .air_friction       = 0.02,
        .contact_angle      = 40.8 * 3.14159265358979323846 / 180.0,
        .drag_law           = MN_DRAG_NONLINEAR,
        .drag_exponent      = 1.6,
        .capture            = 1.0,
        .compression        = 0.01,
        .vary_porosity      = true,
        .cohesion           = 0.01,
    };
}

mn_pin_def mn_pin_def_default(void)
{
    return (mn_pin_def){ .kind   = MN_PIN_HARD,
                         .twist  = true,
                         .motion = mn_motion_def_default(),
                         .during = { 0.0, INFINITY } };
}

mn_fabric_def mn_fabric_def_default(void)
{
    return (mn_fabric_def){ .material = mn_fabric_material_default(),
                            .axis     = { 0.0, 1.0, 0.0 },
                            .colour   = { 0.9, 0.9, 0.9 },
                            .cookie   = MN_DEF_COOKIE };
}
