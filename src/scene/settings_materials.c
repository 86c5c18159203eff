// SPDX-License-Identifier: MPL-2.0
// scene/settings_materials.c - the rows of the table for materials.
#include "scene/settings.h"

#include <math.h>
#include <stddef.h>

// clang-format off
#define SECTION(title_, rows) { .title = title_, .settings = rows, .count = (int)(sizeof(rows) / sizeof(rows)[0]) }
// clang-format on
#define AT(member)   offsetof(mn_material_data, member)
#define POSITIVE     0.0, INFINITY, .flags = MN_SET_REQUIRED | MN_SET_ABOVE
#define NOT_NEGATIVE 0.0, INFINITY
// clang-format off
#define POISSON(member) { "poisson", MN_SET_NUMBER, AT(member), NULL, -1.0, 0.5, .standard = "0.3", \
    .flags = MN_SET_ABOVE | MN_SET_UNDER, \
    .help = "Poisson's ratio" }
// clang-format on

// In the order of mn_material_kind.
const char *const mn_material_kinds[] = { "liquid", "fabric", "fibre", "solid", "pigment", NULL };

// clang-format off
#define KIND { "kind", MN_SET_CHOICE, AT(kind), .choices = mn_material_kinds, .flags = MN_SET_REQUIRED, \
    .help = "what kind of material it is; with `from` that of the other" }
#define FROM { "from", MN_SET_APART, 0, .flags = MN_SET_OPTIONAL, .help = "another material to start from" }
// clang-format on

static const mn_setting rheology_rows[] = {
    { "yield", MN_SET_NUMBER, AT(rheology.yield), "dyn/cm^2", NOT_NEGATIVE, .standard = "0",
      .help = "yield stress in shear" },
    { "consistency", MN_SET_NUMBER, AT(rheology.consistency), NULL, POSITIVE,
      .help = "consistency, in dyn s^n/cm^2 with the exponent n" },
    { "exponent", MN_SET_NUMBER, AT(rheology.exponent), NULL, 0.0, 2.0, .standard = "1", .flags = MN_SET_ABOVE,
      .help = "exponent of the flow law; below 1 it thins under shear" },
    { "shear_modulus", MN_SET_NUMBER, AT(rheology.shear_modulus), "dyn/cm^2", POSITIVE,
      .help = "elastic shear modulus" },
    { "bulk_modulus", MN_SET_NUMBER, AT(rheology.bulk_modulus), "dyn/cm^2", POSITIVE, .help = "elastic bulk modulus" },
};
static const mn_section section_rheology = SECTION("rheology", rheology_rows);

static const mn_setting liquid_rows[] = {
    KIND,
    FROM,
    { "density", MN_SET_NUMBER, AT(liquid.density), "g/cm^3", 0.0, INFINITY, .standard = "1", .flags = MN_SET_ABOVE,
      .help = "density" },
    { "viscosity", MN_SET_NUMBER, AT(liquid.viscosity), "P", NOT_NEGATIVE, .standard = "0.0089",
      .help = "dynamic viscosity" },
    { "surface_tension", MN_SET_NUMBER, AT(liquid.surface_tension), "dyn/cm", NOT_NEGATIVE, .standard = "72.8",
      .help = "against air" },
    { "colour", MN_SET_VECTOR, AT(liquid.colour), NULL, 0.001, 1.0, .standard = "[0.48, 0.81, 0.91]",
      .help = "in pictures: red, green and blue left of white light where it is deep; one with solutes has their "
              "colour instead" },
    { "solutes", MN_SET_SOLUTES, AT(liquid.solutes), "g/cm^3", NOT_NEGATIVE, .flags = MN_SET_OPTIONAL,
      .help = "map from pigments to concentrations; fabric that takes in the liquid takes them in as well" },
    { "rheology", MN_SET_SECTION, 0, .section = &section_rheology, .flags = MN_SET_OPTIONAL,
      .help = "flow law with yield stress; no liquid of this version has one" },
};

// In the order of mn_drag_law.
static const char *const drag_words[]  = { "linear", "nonlinear", "off", NULL };
static const char *const axes_words[]  = { "physical", "published", NULL };
static const char *const darcy_words[] = { "exact", "published", NULL };
static const char *const truth_words[] = { "false", "true", NULL };
static const char *const weave_words[] = { "plain", "twill", "satin", "knit", "felt", NULL };

static const mn_setting drag_rows[] = {
    { "law", MN_SET_CHOICE, AT(fabric.drag_law), .standard = "nonlinear", .choices = drag_words,
      .help = "how drag grows with speed; off: liquid and fabric pass each other freely" },
    { "exponent", MN_SET_NUMBER, AT(fabric.drag_exponent), NULL, 1.0, 2.0, .standard = "1.6",
      .help = "of the speed in the nonlinear part; 1 is Forchheimer's law" },
    { "axes", MN_SET_FLAG, AT(fabric.drag_axes_published), .standard = "physical", .choices = axes_words,
      .help = "through a sheet is across its fibres, or as the sources print it, for comparison" },
    { "darcy", MN_SET_FLAG, AT(fabric.darcy_published), .standard = "exact", .choices = darcy_words,
      .help = "slow flow through a sheet obeys Darcy's law, or lacks a factor as in the sources, for comparison" },
};
static const mn_section section_drag = SECTION("drag", drag_rows);

// clang-format off
#define FABRIC(key, member, unit_, standard_, flags_, text) \
    { key, MN_SET_NUMBER, AT(fabric.member), unit_, 0.0, INFINITY, .standard = standard_, .flags = flags_, .help = text }
#define FABRIC_OPTIONAL(key, member, unit_, flags_, text) \
    { key, MN_SET_NUMBER, AT(member), unit_, 0.0, INFINITY, .flags = MN_SET_OPTIONAL | (flags_), .help = text }
// clang-format on

// Defaults are those of mn_fabric_material_default.
static const mn_setting fabric_rows[] = {
    KIND,
    FROM,
    FABRIC("thickness", thickness, "cm", "0.036", MN_SET_ABOVE, "thickness of cloth"),
    FABRIC("radius", radius, "cm", "0.048", MN_SET_ABOVE, "radius of yarn"),
    FABRIC("fiber_diameter", fiber_diameter, "cm", "0.01", MN_SET_ABOVE,
           "any two of fiber_diameter, capillary_radius, thread_count and solid_fraction give the others"),
    FABRIC_OPTIONAL("capillary_radius", fabric.capillary_radius, "cm", MN_SET_ABOVE,
                    "of the pores; alone, or with solid_fraction, it sets fiber_diameter"),
    { "solid_fraction", MN_SET_NUMBER, AT(fabric.solid_fraction), NULL, 0.0, 1.0, .standard = "0.4",
      .flags = MN_SET_ABOVE | MN_SET_UNDER, .help = "volume fraction of the fibres at rest" },
    FABRIC("density", density, "g/cm^3", "1.32", MN_SET_ABOVE, "of the fibres"),
    FABRIC_OPTIONAL("youngs_modulus", fabric.youngs_modulus, "dyn/cm^2", MN_SET_ABOVE,
                    "Young's modulus of the dense material along the warp; 1.83e7 for cloth, 6.6e7 for yarn"),
    FABRIC_OPTIONAL("youngs_weft", fabric.youngs_weft, "dyn/cm^2", MN_SET_ABOVE, "along the weft; as along the warp"),
    FABRIC_OPTIONAL("shear_modulus", fabric.shear_modulus, "dyn/cm^2", MN_SET_ABOVE,
                    "shear modulus; that of an isotropic material"),
    { "poisson", MN_SET_NUMBER, AT(fabric.poisson), NULL, 0.0, 0.49, .flags = MN_SET_OPTIONAL,
      .help = "Poisson's ratio; 0.202 for cloth, 0.35 for yarn" },
    FABRIC_OPTIONAL("bending_warp", fabric.bending_warp, "dyn cm", MN_SET_ABOVE,
                    "effective bending rigidity per width along the warp; from modulus and thickness"),
    FABRIC_OPTIONAL("bending_weft", fabric.bending_weft, "dyn cm", MN_SET_ABOVE, "along the weft; as along the warp"),
    FABRIC_OPTIONAL("internal_viscosity", fabric.internal_viscosity, "P", 0,
                    "damping inside the fabric; 2.78e4 for cloth, 1e3 for yarn"),
    { "stiffness_exponent", MN_SET_NUMBER, AT(fabric.stiffness_exponent), NULL, 1.0, 3.0, .standard = "2",
      .help = "power of the solid fraction that what acts is of the dense stiffness" },
    FABRIC_OPTIONAL("contact_stiffness", fabric.contact_stiffness, NULL, MN_SET_ABOVE,
                    "share of the modulus that contact has; 0.04 for cloth, 0.01 for yarn"),
    FABRIC("friction", friction, NULL, "0.577", 0,
           "coefficient of friction with itself and with obstacles that give none"),
    FABRIC("air_drag", air_drag, NULL, "1.2", 0, "coefficient of the pressure of wind"),
    FABRIC("air_friction", air_friction, NULL, "0.02", 0, "coefficient of the drag of wind along the surface"),
    FABRIC_OPTIONAL("areal_weight", textile.areal_weight, "g/cm^2", MN_SET_ABOVE,
                    "mass per area of the cloth; sets solid_fraction to weight / (density thickness)"),
    FABRIC_OPTIONAL("thread_count", textile.thread_count, NULL, MN_SET_ABOVE,
                    "fibres per inch of width; alone it sets solid_fraction, with areal_weight or solid_fraction it "
                    "sets fiber_diameter"),
    FABRIC_OPTIONAL("bending_length", textile.bending_length, "cm", MN_SET_ABOVE,
                    "of a hanging strip; sets both bending rigidities to weight * 981 cm/s^2 * length^3"),
    FABRIC_OPTIONAL("bending_rigidity", textile.bending_rigidity, "dyn cm", MN_SET_ABOVE,
                    "sets both bending rigidities"),
    { "drag", MN_SET_SECTION, 0, .section = &section_drag, .help = "drag of liquid on the fibres" },
    FABRIC("capture", capture, NULL, "1", 0, "factor of the rate at which liquid enters the pores"),
    FABRIC("compression", compression, NULL, "0.01", MN_SET_ABOVE,
           "constant of van Wyk's law: how hard pressing closes the pores"),
    { "vary_porosity", MN_SET_FLAG, AT(fabric.vary_porosity), .standard = "true", .choices = truth_words,
      .help = "whether the pores follow compression and stretch" },
    { "weave", MN_SET_CHOICE, AT(weave), .standard = "plain", .choices = weave_words, .help = "how the threads cross" },
};

static const mn_setting fibre_rows[] = {
    KIND,
    FROM,
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
    KIND,
    FROM,
    { "density", MN_SET_NUMBER, AT(solid.density), "g/cm^3", POSITIVE, .help = "density" },
    { "youngs_modulus", MN_SET_NUMBER, AT(solid.youngs_modulus), "dyn/cm^2", 0.0, INFINITY,
      .flags = MN_SET_OPTIONAL | MN_SET_ABOVE, .help = "Young's modulus; without it the material is rigid" },
    POISSON(solid.poisson),
    { "damping", MN_SET_SECTION, 0, .section = &section_damping, .help = "loss of energy in deformation" },
};

static const char *const adsorption_words[] = { "none", "linear", "langmuir", NULL };

static const mn_setting adsorption_rows[] = {
    { "law", MN_SET_CHOICE, AT(pigment.adsorption), .standard = "none", .choices = adsorption_words,
      .help = "how pigment sticks to fibres" },
    { "rate", MN_SET_NUMBER, AT(pigment.rate), "1/s", NOT_NEGATIVE, .standard = "0",
      .help = "rate of sticking; with langmuir where the liquid carries as much per area as fits on the fibres" },
    { "release", MN_SET_NUMBER, AT(pigment.release), "1/s", NOT_NEGATIVE, .standard = "0",
      .help = "rate of coming off, with langmuir" },
    { "capacity", MN_SET_NUMBER, AT(pigment.capacity), "g/cm^2", NOT_NEGATIVE, .standard = "0",
      .help = "most that sticks per area" },
};
static const mn_section section_adsorption = SECTION("adsorption", adsorption_rows);

static const mn_setting pigment_rows[] = {
    KIND,
    FROM,
    { "absorbance", MN_SET_VECTOR, AT(pigment.absorbance), NULL, NOT_NEGATIVE, .flags = MN_SET_REQUIRED,
      .help = "of red, green and blue light, in m^2/g: a layer of 1 g/m^2 lets through 10 to the power of minus this" },
    { "solubility", MN_SET_NUMBER, AT(pigment.solubility), NULL, 0.0, INFINITY, .standard = "0.5",
      .flags = MN_SET_ABOVE, .help = "grams that a gram of liquid can carry" },
    { "dissolve", MN_SET_NUMBER, AT(pigment.dissolve), "1/s", NOT_NEGATIVE, .standard = "1",
      .help = "rate at which it goes into new liquid when dried" },
    { "mixing", MN_SET_NUMBER, AT(pigment.mixing), "cm^2/s", NOT_NEGATIVE, .standard = "0.02",
      .help = "rate of spreading within the liquid" },
    { "adsorption", MN_SET_SECTION, 0, .section = &section_adsorption, .help = "exchange with the fibres" },
};

static const mn_section        material_liquid     = SECTION("a material of kind liquid", liquid_rows);
static const mn_section        material_fabric     = SECTION("a material of kind fabric", fabric_rows);
static const mn_section        material_fibre      = SECTION("a material of kind fibre", fibre_rows);
static const mn_section        material_solid      = SECTION("a material of kind solid", solid_rows);
static const mn_section        material_pigment    = SECTION("a material of kind pigment", pigment_rows);
static const mn_section *const material_sections[] = { &material_liquid, &material_fabric, &material_fibre,
                                                       &material_solid, &material_pigment };
const mn_group                 mn_group_material = { "materials", "a material", material_sections, 5, .by_kind = true };
