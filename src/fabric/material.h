// SPDX-License-Identifier: MPL-2.0
// fabric/material.h - from what a scene says about a fabric to what the elements need.
#ifndef MN_FABRIC_MATERIAL_H
#define MN_FABRIC_MATERIAL_H

#include "elastic/rod_network.h"
#include "elastic/shell_material.h"
#include "meniscus/fabric.h"

mn_status mn_fabric_material_check(mn_context *c, const mn_fabric_material *m);
/// Zeros and negative numbers that stand for a default replaced by it.
mn_fabric_material mn_fabric_material_resolved(const mn_fabric_material *given, bool yarn);
/// phi^lambda.
double            mn_fabric_stiffness_factor(const mn_fabric_material *m);
mn_shell_material mn_fabric_shell_material(const mn_fabric_material *resolved);
mn_rod_material   mn_fabric_rod_material(const mn_fabric_material *resolved, double radius);

#endif
