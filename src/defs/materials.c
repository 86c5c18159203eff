// SPDX-License-Identifier: MPL-2.0
// defs/materials.c - the rows of materials, and of what belongs to two of them.
#include "defs/rows.h"

#define POSITIVE     0.0, NO_LIMIT, .flags = MN_SET_REQUIRED | MN_SET_ABOVE
#define NOT_NEGATIVE 0.0, NO_LIMIT
#define FRICTION     0.0, 10.0  // of a fabric with itself
// clang-format off
#define POISSON(member) { "poisson", MN_SET_NUMBER, AT(mn_material_data, member), NULL, -1.0, 0.5, .standard = "0.3", \
    .flags = MN_SET_ABOVE | MN_SET_UNDER, \
    .help = "Poisson's ratio" }
// clang-format on

// In the order of mn_material_kind.
static const char *const kind_words[] = { "liquid", "fabric", "fibre", "solid", "pigment", NULL };

// clang-format off
#define KIND { "kind", MN_SET_CHOICE, AT(mn_material_data, kind), .choices = kind_words, .flags = MN_SET_REQUIRED, \
    .help = "what kind of material it is; with `from` that of the other" }
#define FROM { "from", MN_SET_APART, 0, .flags = MN_SET_OPTIONAL, .help = "another material to start from" }
// clang-format on

static const mn_setting rheology_rows[] = {
    { "yield", MN_SET_NUMBER, AT(mn_material_data, rheology.yield), "dyn/cm^2", NOT_NEGATIVE, .standard = "0",
      .help = "yield stress in shear" },
    { "consistency", MN_SET_NUMBER, AT(mn_material_data, rheology.consistency), NULL, POSITIVE,
      .help = "consistency, in dyn s^n/cm^2 with the exponent n" },
    { "exponent", MN_SET_NUMBER, AT(mn_material_data, rheology.exponent), NULL, 0.0, 2.0, .standard = "1",
      .flags = MN_SET_ABOVE, .help = "exponent of the flow law; below 1 it thins under shear" },
    { "shear_modulus", MN_SET_NUMBER, AT(mn_material_data, rheology.shear_modulus), "dyn/cm^2", POSITIVE,
      .help = "elastic shear modulus" },
    { "bulk_modulus", MN_SET_NUMBER, AT(mn_material_data, rheology.bulk_modulus), "dyn/cm^2", POSITIVE,
      .help = "elastic bulk modulus" },
};
static const mn_section section_rheology = SECTION("rheology", rheology_rows);

static const mn_setting liquid_rows[] = {
    KIND,
    FROM,
    { "density", MN_SET_NUMBER, AT(mn_material_data, liquid.density), "g/cm^3", 1e-6, 1e3, .standard = "1",
      .help = "density" },
    { "viscosity", MN_SET_NUMBER, AT(mn_material_data, liquid.viscosity), "P", 0.0, 1e10, .standard = "0.0089",
      .help = "dynamic viscosity; pitch has about 2e9" },
    { "surface_tension", MN_SET_NUMBER, AT(mn_material_data, liquid.surface_tension), "dyn/cm", 0.0, 1e4,
      .standard = "72.8", .help = "against air; the largest known, of liquid metals, are about 2500" },
    { "colour", MN_SET_VECTOR, AT(mn_material_data, liquid.colour), NULL, 0.001, 1.0, .standard = "[0.48, 0.81, 0.91]",
      .help = "in pictures: red, green and blue left of white light where it is deep; one with solutes has their "
              "colour instead" },
    { "solutes", MN_SET_SOLUTES, AT(mn_material_data, liquid.solutes), "g/cm^3", NOT_NEGATIVE, .flags = MN_SET_OPTIONAL,
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
    { "law", MN_SET_CHOICE, AT(mn_material_data, fabric.drag_law), .standard = "nonlinear", .choices = drag_words,
      .help = "how drag grows with speed; off: liquid and fabric pass each other freely" },
    { "exponent", MN_SET_NUMBER, AT(mn_material_data, fabric.drag_exponent), NULL, 1.0, 2.0, .standard = "1.6",
      .help = "of the speed in the nonlinear part; 1 is Forchheimer's law" },
    { "axes", MN_SET_FLAG, AT(mn_material_data, fabric.drag_axes_published), .standard = "physical",
      .choices = axes_words,
      .help    = "through a sheet is across its fibres, or as the sources print it, for comparison" },
    { "darcy", MN_SET_FLAG, AT(mn_material_data, fabric.darcy_published), .standard = "exact", .choices = darcy_words,
      .help = "slow flow through a sheet obeys Darcy's law, or lacks a factor as in the sources, for comparison" },
};
static const mn_section section_drag = SECTION_OF(mn_fabric_material, "drag", drag_rows);

// clang-format off
#define FABRIC(key, unit_, range, standard_, text) \
    { #key, MN_SET_NUMBER, AT(mn_material_data, fabric.key), unit_, range, .standard = standard_, .help = text }
#define FABRIC_OPTIONAL(key, unit_, range, flags_, text) \
    { #key, MN_SET_NUMBER, AT(mn_material_data, fabric.key), unit_, range, \
      .flags = MN_SET_OPTIONAL | (flags_), .help = text }
#define TEXTILE(key, unit_, text) \
    { #key, MN_SET_NUMBER, AT(mn_material_data, textile.key), unit_, 0.0, NO_LIMIT, \
      .flags = MN_SET_OPTIONAL | MN_SET_ABOVE, .help = text }
// clang-format on
#define STIFF 1e3, 1e13  // dyn/cm^2; from the softest gels to beyond diamond
#define RIGID 0.0, 1e12  // dyn cm

// Defaults are those of mn_fabric_material_default.
static const mn_setting fabric_rows[] = {
    KIND,
    FROM,
    FABRIC(thickness, "cm", RANGE(1e-4, 10.0), "0.036", "thickness of cloth"),
    FABRIC(radius, "cm", RANGE(1e-4, 10.0), "0.048", "radius of yarn"),
    FABRIC(fiber_diameter, "cm", RANGE(1e-5, 1.0), "0.01",
           "any two of fiber_diameter, capillary_radius, thread_count and solid_fraction give the others"),
    FABRIC_OPTIONAL(capillary_radius, "cm", RANGE(0.0, 1.0), MN_SET_ABOVE,
                    "of the pores; alone, or with solid_fraction, it sets fiber_diameter"),
    FABRIC(solid_fraction, NULL, RANGE(1e-3, 0.999), "0.4", "volume fraction of the fibres at rest"),
    FABRIC(density, "g/cm^3", RANGE(1e-3, 100.0), "1.32", "of the fibres"),
    FABRIC_OPTIONAL(youngs_modulus, "dyn/cm^2", STIFF, 0,
                    "Young's modulus of the dense material along the warp; 1.83e7 for cloth, 6.6e7 for yarn"),
    FABRIC_OPTIONAL(youngs_weft, "dyn/cm^2", STIFF, 0, "along the weft; as along the warp"),
    FABRIC_OPTIONAL(shear_modulus, "dyn/cm^2", STIFF, 0, "shear modulus; that of an isotropic material"),
    FABRIC_OPTIONAL(poisson, NULL, RANGE(0.0, 0.49), 0, "Poisson's ratio; 0.202 for cloth, 0.35 for yarn"),
    FABRIC_OPTIONAL(bending_warp, "dyn cm", RIGID, MN_SET_ABOVE,
                    "effective bending rigidity per width along the warp; from modulus and thickness"),
    FABRIC_OPTIONAL(bending_weft, "dyn cm", RIGID, MN_SET_ABOVE, "along the weft; as along the warp"),
    FABRIC_OPTIONAL(internal_viscosity, "P", RANGE(0.0, 1e10), 0,
                    "damping inside the fabric; 2.78e4 for cloth, 1e3 for yarn"),
    FABRIC(stiffness_exponent, NULL, RANGE(1.0, 3.0), "2",
           "power of the solid fraction that what acts is of the dense stiffness"),
    FABRIC_OPTIONAL(contact_stiffness, NULL, RANGE(0.0, 100.0), MN_SET_ABOVE,
                    "share of the modulus that contact has; 0.04 for cloth, 0.01 for yarn"),
    FABRIC(friction, NULL, FRICTION, "0.577", "coefficient of friction with itself and with obstacles that give none"),
    FABRIC(air_drag, NULL, RANGE(0.0, 100.0), "1.2", "coefficient of the pressure of wind"),
    FABRIC(air_friction, NULL, RANGE(0.0, 100.0), "0.02", "coefficient of the drag of wind along the surface"),
    TEXTILE(areal_weight, "g/cm^2", "mass per area of the cloth; sets solid_fraction to weight / (density thickness)"),
    TEXTILE(thread_count, NULL,
            "fibres per inch of width; alone it sets solid_fraction, with areal_weight or solid_fraction it "
            "sets fiber_diameter"),
    TEXTILE(bending_length, "cm", "of a hanging strip; sets both bending rigidities to weight * 981 cm/s^2 * length^3"),
    TEXTILE(bending_rigidity, "dyn cm", "sets both bending rigidities"),
    { "drag", MN_SET_SECTION, 0, .section = &section_drag, .help = "drag of liquid on the fibres" },
    FABRIC(capture, NULL, RANGE(0.0, 100.0), "1", "factor of the rate at which liquid enters the pores"),
    FABRIC(compression, NULL, RANGE(1e-6, 10.0), "0.01",
           "constant of van Wyk's law: how hard pressing closes the pores"),
    { "vary_porosity", MN_SET_FLAG, AT(mn_material_data, fabric.vary_porosity), .standard = "true",
      .choices = truth_words, .help = "whether the pores follow compression and stretch" },
    { "weave", MN_SET_CHOICE, AT(mn_material_data, weave), .standard = "plain", .choices = weave_words,
      .help = "how the threads cross" },
};

static const mn_setting fibre_rows[] = {
    KIND,
    FROM,
    { "radius", MN_SET_NUMBER, AT(mn_material_data, fibre.radius), "cm", POSITIVE, .help = "radius of a strand" },
    { "density", MN_SET_NUMBER, AT(mn_material_data, fibre.density), "g/cm^3", POSITIVE, .help = "density" },
    { "youngs_modulus", MN_SET_NUMBER, AT(mn_material_data, fibre.youngs_modulus), "dyn/cm^2", POSITIVE,
      .help = "Young's modulus" },
    POISSON(fibre.poisson),
};

static const mn_setting damping_rows[] = {
    { "mass", MN_SET_NUMBER, AT(mn_material_data, solid.damping_mass), "1/s", NOT_NEGATIVE, .standard = "0",
      .help = "damping in proportion to mass" },
    { "stiffness", MN_SET_NUMBER, AT(mn_material_data, solid.damping_stiffness), "s", NOT_NEGATIVE, .standard = "0",
      .help = "damping in proportion to stiffness" },
};
static const mn_section section_damping = SECTION("damping", damping_rows);

static const mn_setting solid_rows[] = {
    KIND,
    FROM,
    { "density", MN_SET_NUMBER, AT(mn_material_data, solid.density), "g/cm^3", POSITIVE, .help = "density" },
    { "youngs_modulus", MN_SET_NUMBER, AT(mn_material_data, solid.youngs_modulus), "dyn/cm^2", 0.0, NO_LIMIT,
      .flags = MN_SET_OPTIONAL | MN_SET_ABOVE, .help = "Young's modulus; without it the material is rigid" },
    POISSON(solid.poisson),
    { "damping", MN_SET_SECTION, 0, .section = &section_damping, .help = "loss of energy in deformation" },
};

static const char *const adsorption_words[] = { "none", "linear", "langmuir", NULL };

static const mn_setting adsorption_rows[] = {
    { "law", MN_SET_CHOICE, AT(mn_material_data, pigment.adsorption), .standard = "none", .choices = adsorption_words,
      .help = "how pigment sticks to fibres" },
    { "rate", MN_SET_NUMBER, AT(mn_material_data, pigment.rate), "1/s", NOT_NEGATIVE, .standard = "0",
      .help = "rate of sticking; with langmuir where the liquid carries as much per area as fits on the fibres" },
    { "release", MN_SET_NUMBER, AT(mn_material_data, pigment.release), "1/s", NOT_NEGATIVE, .standard = "0",
      .help = "rate of coming off, with langmuir" },
    { "capacity", MN_SET_NUMBER, AT(mn_material_data, pigment.capacity), "g/cm^2", NOT_NEGATIVE, .standard = "0",
      .help = "most that sticks per area" },
};
static const mn_section section_adsorption = SECTION_OF(mn_pigment, "adsorption", adsorption_rows);

static const mn_setting pigment_rows[] = {
    KIND,
    FROM,
    { "absorbance", MN_SET_VECTOR, AT(mn_material_data, pigment.absorbance), NULL, NOT_NEGATIVE,
      .flags = MN_SET_REQUIRED,
      .help = "of red, green and blue light, in m^2/g: a layer of 1 g/m^2 lets through 10 to the power of minus this" },
    { "solubility", MN_SET_NUMBER, AT(mn_material_data, pigment.solubility), NULL, 0.0, NO_LIMIT, .standard = "0.5",
      .flags = MN_SET_ABOVE, .help = "grams that a gram of liquid can carry" },
    { "dissolve", MN_SET_NUMBER, AT(mn_material_data, pigment.dissolve), "1/s", NOT_NEGATIVE, .standard = "1",
      .help = "rate at which it goes into new liquid when dried" },
    { "mixing", MN_SET_NUMBER, AT(mn_material_data, pigment.mixing), "cm^2/s", NOT_NEGATIVE, .standard = "0.02",
      .help = "rate of spreading within the liquid" },
    { "adsorption", MN_SET_SECTION, 0, .section = &section_adsorption, .help = "exchange with the fibres" },
};

const mn_section mn_section_liquid_material  = SECTION_OF(mn_liquid_material, "a material of kind liquid", liquid_rows);
const mn_section mn_section_fabric_material  = SECTION_OF(mn_fabric_material, "a material of kind fabric", fabric_rows);
static const mn_section        section_fibre = SECTION("a material of kind fibre", fibre_rows);
static const mn_section        section_solid = SECTION("a material of kind solid", solid_rows);
const mn_section               mn_section_pigment  = SECTION_OF(mn_pigment, "a material of kind pigment", pigment_rows);
static const mn_section *const material_sections[] = { &mn_section_liquid_material, &mn_section_fabric_material,
                                                       &section_fibre, &section_solid, &mn_section_pigment };
const mn_group mn_group_material = { "materials", "a material", KINDS(material_sections), .words = kind_words };

// --- pairs -----------------------------------------------------------------------------------------------------------

static const mn_setting pair_rows[] = {
    { "of", MN_SET_NAME_PAIR, AT(mn_pair_entry, of), .flags = MN_SET_REQUIRED,
      .help = "two materials: a liquid and a fabric, or one fabric twice; `any` stands for all, and names win over "
              "it" },
    { "friction", MN_SET_NUMBER, AT(mn_pair_entry, friction), NULL, FRICTION, .flags = MN_SET_OPTIONAL,
      .help = "of a fabric with itself: coefficient of friction; wins over that of the material" },
    { "cohesion", MN_SET_NUMBER, AT(mn_pair_entry, cohesion), NULL, 0.0, 100.0, .flags = MN_SET_OPTIONAL,
      .help = "of a fabric with itself: scale of the pull between wet layers; 0.01" },
    { "contact_angle", MN_SET_NUMBER, AT(mn_pair_entry, contact_angle), "deg", 0.0, 3.14159265358979323846,
      .flags = MN_SET_OPTIONAL,
      .help  = "of a liquid on the fibres of a fabric; 40.8. From 90 degrees on nothing is sucked in" },
    { "hysteresis", MN_SET_NUMBER, 0, .flags = MN_SET_LATER | MN_SET_OPTIONAL, .help = "of the contact angle" },
};
// Friction, cohesion and contact angle are members of a fabric in C.
const mn_section mn_section_pair = { .title    = "a pair",
                                     .settings = pair_rows,
                                     .count    = (int)(sizeof pair_rows / sizeof pair_rows[0]),
                                     .bytes    = AT(mn_pair_entry, of) };
