// SPDX-License-Identifier: MPL-2.0
// scene/settings_materials.c - the rows of the table for materials.
#include "scene/settings.h"

#include <math.h>
#include <stddef.h>

#define SECTION(title_, rows) { .title = title_, .settings = rows, .count = (int)(sizeof(rows) / sizeof(rows)[0]) }
#define AT(member) offsetof(mn_material_data, member)
#define POSITIVE 0.0, INFINITY, .flags = MN_SET_REQUIRED | MN_SET_ABOVE
#define NOT_NEGATIVE 0.0, INFINITY
#define POISSON(member) { "poisson", MN_SET_NUMBER, AT(member), NULL, -1.0, 0.5, .standard = "0.3", \
    .flags = MN_SET_ABOVE | MN_SET_UNDER, \
    .help = "Poisson's ratio" }

// In the order of mn_material_kind.
const char *const mn_material_kinds[] = { "liquid", "fabric", "fibre", "solid", "pigment", NULL };

#define KIND { "kind", MN_SET_CHOICE, AT(kind), .choices = mn_material_kinds, .flags = MN_SET_REQUIRED, \
    .help = "what kind of material it is; with `from` that of the other" }
#define FROM { "from", MN_SET_APART, 0, .flags = MN_SET_OPTIONAL, .help = "another material to start from" }

static const mn_setting rheology_rows[] = {
    { "yield", MN_SET_NUMBER, AT(rheology.yield), "dyn/cm^2", NOT_NEGATIVE, .standard = "0", .help = "yield stress in shear" },
    { "consistency", MN_SET_NUMBER, AT(rheology.consistency), NULL, POSITIVE,
      .help = "consistency, in dyn s^n/cm^2 with the exponent n" },
    { "exponent", MN_SET_NUMBER, AT(rheology.exponent), NULL, 0.0, 2.0, .standard = "1", .flags = MN_SET_ABOVE,
      .help = "exponent of the flow law; below 1 it thins under shear" },
    { "shear_modulus", MN_SET_NUMBER, AT(rheology.shear_modulus), "dyn/cm^2", POSITIVE, .help = "elastic shear modulus" },
    { "bulk_modulus", MN_SET_NUMBER, AT(rheology.bulk_modulus), "dyn/cm^2", POSITIVE, .help = "elastic bulk modulus" },
};
static const mn_section section_rheology = SECTION("rheology", rheology_rows);

static const mn_setting liquid_rows[] = {
    KIND, FROM,
    { "density", MN_SET_NUMBER, AT(liquid.density), "g/cm^3", 0.0, INFINITY, .standard = "1", .flags = MN_SET_ABOVE,
      .help = "density" },
    { "viscosity", MN_SET_NUMBER, AT(liquid.viscosity), "P", NOT_NEGATIVE, .standard = "0.0089", .help = "dynamic viscosity" },
    { "surface_tension", MN_SET_NUMBER, AT(liquid.surface_tension), "dyn/cm", NOT_NEGATIVE, .standard = "72.8",
      .help = "against air" },
    { "solutes", MN_SET_SOLUTES, 0, "g/cm^3", NOT_NEGATIVE, .flags = MN_SET_OPTIONAL,
      .help = "map from pigments to concentrations; no liquid of this version carries them" },
    { "rheology", MN_SET_SECTION, 0, .section = &section_rheology, .flags = MN_SET_OPTIONAL,
      .help = "flow law with yield stress; no liquid of this version has one" },
};

static const char *const drag_words[]  = { "linear", "nonlinear", NULL };
static const char *const weave_words[] = { "plain", "twill", "satin", "knit", "felt", NULL };

static const mn_setting drag_rows[] = {
    { "law", MN_SET_CHOICE, AT(fabric.drag_law), .standard = "nonlinear", .choices = drag_words,
      .help = "how drag grows with speed" },
    { "exponent", MN_SET_NUMBER, AT(fabric.drag_exponent), NULL, 1.0, 3.0, .standard = "1.6",
      .help = "exponent of the nonlinear law" },
};
static const mn_section section_drag = SECTION("drag", drag_rows);

static const mn_setting fabric_rows[] = {
    KIND, FROM,
    { "thickness", MN_SET_NUMBER, AT(fabric.thickness), "cm", POSITIVE, .help = "thickness of the sheet" },
    { "fiber_diameter", MN_SET_NUMBER, AT(fabric.fiber_diameter), "cm", POSITIVE, .help = "sets the size of the pores" },
    { "solid_fraction", MN_SET_NUMBER, AT(fabric.solid_fraction), NULL, 0.0, 1.0,
      .flags = MN_SET_REQUIRED | MN_SET_ABOVE | MN_SET_UNDER,
      .help = "volume fraction of the fibres at rest" },
    { "density", MN_SET_NUMBER, AT(fabric.density), "g/cm^3", POSITIVE, .help = "of the fibres" },
    { "youngs_modulus", MN_SET_NUMBER, AT(fabric.youngs_modulus), "dyn/cm^2", POSITIVE,
      .help = "Young's modulus of the dense material" },
    POISSON(fabric.poisson),
    { "internal_viscosity", MN_SET_NUMBER, AT(fabric.internal_viscosity), "P", NOT_NEGATIVE, .standard = "0",
      .help = "damping inside the fabric" },
    { "drag", MN_SET_SECTION, 0, .section = &section_drag, .help = "drag of liquid on the fibres" },
    { "weave", MN_SET_CHOICE, AT(fabric.weave), .standard = "plain", .choices = weave_words, .help = "how the threads cross" },
};

static const mn_setting fibre_rows[] = {
    KIND, FROM,
    { "radius", MN_SET_NUMBER, AT(fibre.radius), "cm", POSITIVE, .help = "radius of a strand" },
    { "density", MN_SET_NUMBER, AT(fibre.density), "g/cm^3", POSITIVE, .help = "density" },
    { "youngs_modulus", MN_SET_NUMBER, AT(fibre.youngs_modulus), "dyn/cm^2", POSITIVE, .help = "Young's modulus" },
    POISSON(fibre.poisson),
};

static const mn_setting damping_rows[] = {
    { "mass", MN_SET_NUMBER, AT(solid.damping_mass), "1/s", NOT_NEGATIVE, .standard = "0",
      .help = "damping in proportion to mass" },
    { "stiffness", MN_SET_NUMBER, AT(solid.damping_stiffness), "s", NOT_NEGATIVE, .standard = "0",
      .help = "damping in proportion to stiffness" },
};
static const mn_section section_damping = SECTION("damping", damping_rows);

static const mn_setting solid_rows[] = {
    KIND, FROM,
    { "density", MN_SET_NUMBER, AT(solid.density), "g/cm^3", POSITIVE, .help = "density" },
    { "youngs_modulus", MN_SET_NUMBER, AT(solid.youngs_modulus), "dyn/cm^2", 0.0, INFINITY,
      .flags = MN_SET_OPTIONAL | MN_SET_ABOVE,
      .help = "Young's modulus; without it the material is rigid" },
    POISSON(solid.poisson),
    { "damping", MN_SET_SECTION, 0, .section = &section_damping, .help = "loss of energy in deformation" },
};

static const char *const adsorption_words[] = { "none", "linear", "langmuir", NULL };

static const mn_setting adsorption_rows[] = {
    { "law", MN_SET_CHOICE, AT(pigment.law), .standard = "none", .choices = adsorption_words,
      .help = "how pigment sticks to fibres" },
    { "rate", MN_SET_NUMBER, AT(pigment.rate), "1/s", NOT_NEGATIVE, .standard = "0", .help = "rate of sticking" },
    { "release", MN_SET_NUMBER, AT(pigment.release), "1/s", NOT_NEGATIVE, .standard = "0", .help = "rate of coming off" },
    { "capacity", MN_SET_NUMBER, AT(pigment.capacity), "g/cm^2", NOT_NEGATIVE, .standard = "0",
      .help = "most that sticks per area" },
};
static const mn_section section_adsorption = SECTION("adsorption", adsorption_rows);

static const mn_setting pigment_rows[] = {
    KIND, FROM,
    { "absorbance", MN_SET_VECTOR, AT(pigment.absorbance), NULL, NOT_NEGATIVE, .flags = MN_SET_REQUIRED,
      .help = "of red, green and blue light" },
    { "adsorption", MN_SET_SECTION, 0, .section = &section_adsorption, .help = "exchange with the fibres" },
};

static const mn_section material_liquid  = SECTION("a material of kind liquid", liquid_rows);
static const mn_section material_fabric  = SECTION("a material of kind fabric", fabric_rows);
static const mn_section material_fibre   = SECTION("a material of kind fibre", fibre_rows);
static const mn_section material_solid   = SECTION("a material of kind solid", solid_rows);
static const mn_section material_pigment = SECTION("a material of kind pigment", pigment_rows);
static const mn_section *const material_sections[] = { &material_liquid, &material_fabric, &material_fibre, &material_solid,
                                                       &material_pigment };
const mn_group mn_group_material = { "materials", "a material", material_sections, 5, .by_kind = true };
