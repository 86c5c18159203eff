// SPDX-License-Identifier: MPL-2.0
// scene/builtin_materials.c - materials every scene knows, written in the scene language.
//
// Liquids at 20 to 25 degrees Celsius. Water is that of mn_liquid_def_default; milk, acetaldehyde, olive oil and honey
// are those of the model notes, as are density and surface tension of silicone oil, whose viscosity is that of a common
// grade (20 cSt). Ink is a water-based one. Cotton, hair, steel and tannin are those of the scene language's examples,
// the other fabrics and solids typical ones. Weights, thicknesses and bending lengths of denim, silk, wool and linen
// are in the middle of what is commonly measured on such cloth.
#include "scene/reader.h"

const mn_builtin_material mn_builtin_materials[] = {
    { "water", "{kind: liquid, density: 1, viscosity: 0.0089, surface_tension: 72.8}" },
    { "milk",
      "{kind: liquid, density: 1.03, viscosity: 2.0 mPa s, surface_tension: 46 mN/m, colour: [0.9, 0.9, 0.85]}" },
    { "olive_oil",
      "{kind: liquid, density: 0.92, viscosity: 81 mPa s, surface_tension: 32 mN/m, colour: [0.75, 0.72, 0.15]}" },
    { "acetaldehyde", "{kind: liquid, density: 0.7802, viscosity: 0.22 mPa s, surface_tension: 20.59 mN/m, colour: "
                      "[0.85, 0.9, 0.92]}" },
    { "silicone_oil",
      "{kind: liquid, density: 0.95, viscosity: 19 mPa s, surface_tension: 20.6 mN/m, colour: [0.85, 0.9, 0.92]}" },
    { "honey",
      "{kind: liquid, density: 1.42, viscosity: 8 Pa s, surface_tension: 55 mN/m, colour: [0.85, 0.42, 0.05]}" },
    { "ink",
      "{kind: liquid, density: 1.05, viscosity: 3.5 mPa s, surface_tension: 35 mN/m, colour: [0.02, 0.03, 0.12]}" },
    { "red_wine",
      "{kind: liquid, density: 0.993, viscosity: 1.6 mPa s, surface_tension: 48 mN/m, colour: [0.4, 0.02, 0.06]}" },
    { "cotton", "{kind: fabric, thickness: 0.36 mm, fiber_diameter: 100 um, solid_fraction: 0.4, density: 1.32,"
                " youngs_modulus: 1.83e7, poisson: 0.2, internal_viscosity: 2.78e4, drag: {law: nonlinear, exponent: "
                "1.6}, weave: plain}" },
    { "linen", "{kind: fabric, thickness: 0.45 mm, fiber_diameter: 120 um, solid_fraction: 0.45, density: 1.5,"
               " youngs_modulus: 5e7, poisson: 0.2, internal_viscosity: 2.78e4, bending_length: 2.6 cm,"
               " drag: {law: nonlinear, exponent: 1.6}, weave: plain}" },
    { "denim", "{kind: fabric, thickness: 0.9 mm, areal_weight: 400 g/m2, density: 1.52, fiber_diameter: 150 um, "
               "bending_length: 3 cm,"
               " friction: 0.6, weave: twill}" },
    { "silk", "{kind: fabric, thickness: 0.12 mm, areal_weight: 60 g/m2, density: 1.34, fiber_diameter: 40 um, "
              "bending_length: 1.6 cm,"
              " friction: 0.3, weave: plain}" },
    { "wool", "{kind: fabric, thickness: 0.6 mm, areal_weight: 200 g/m2, density: 1.31, fiber_diameter: 80 um, "
              "bending_length: 2 cm,"
              " friction: 0.5, weave: twill}" },
    { "polyester", "{kind: fabric, thickness: 0.25 mm, fiber_diameter: 60 um, solid_fraction: 0.5, density: 1.38,"
                   " youngs_modulus: 3e7, poisson: 0.25, internal_viscosity: 2.78e4, drag: {law: nonlinear, exponent: "
                   "1.6}, weave: plain}" },
    { "hair", "{kind: fibre, radius: 37 um, density: 1.32, youngs_modulus: 3.9e10, poisson: 0.35}" },
    { "steel", "{kind: solid, density: 7.9}" },
    { "glass", "{kind: solid, density: 2.5}" },
    { "wood", "{kind: solid, density: 0.6}" },
    { "foam", "{kind: solid, density: 0.5, youngs_modulus: 50 kPa, poisson: 0.3, damping: {stiffness: 0.01}}" },
    { "tannin", "{kind: pigment, absorbance: [0.2, 0.9, 0.7],"
                " adsorption: {law: langmuir, rate: 5, release: 0.05, capacity: 8 g/m2}}" },
    { NULL, NULL },
};
