// SPDX-License-Identifier: MPL-2.0
// scene/settings_fabrics.c - the rows of the table for fabrics, their groups and pins, wind and pairs.
#include "scene/settings.h"

#include <math.h>
#include <stddef.h>

// clang-format off
#define SECTION(title_, rows) { .title = title_, .settings = rows, .count = (int)(sizeof(rows) / sizeof(rows)[0]) }
// clang-format on
#define KINDS(list) .kinds = list, .count = (int)(sizeof(list) / sizeof(list)[0])
#define AT(member)  offsetof(mn_fabric_entry, member)
// clang-format off
#define POSITIVE(key_, member, text) \
    { key_, MN_SET_NUMBER, AT(member), "cm", 0.0, 1e6, .flags = MN_SET_REQUIRED | MN_SET_ABOVE, .help = text }
#define CHOSEN(key_, member, text) { key_, MN_SET_NUMBER, AT(member), "cm", 0.0, 1e6, .standard = "0", .help = text }
// clang-format on

// --- meshes ----------------------------------------------------------------------------------------------------------

static const char *const mesh_words[]    = { "equilateral", "structured", "alternating", NULL };
static const char *const pattern_words[] = { "straight", "curly", "helix", "ring", "bundle", "plain",
                                             "twill",    "satin", "knit",  "net",  NULL };
static const char *const side_words[]    = { "upper", "both", NULL };

#define CLOTH                                                                                             \
    CHOSEN("spacing", cloth.spacing, "length of edges aimed at; 0: half a cell of the grid"),             \
        { "mesh",                                                                                         \
          MN_SET_CHOICE,                                                                                  \
          AT(cloth.mesh),                                                                                 \
          .standard = "equilateral",                                                                      \
          .choices  = mesh_words,                                                                         \
          .help     = "equilateral triangles, or squares with parallel or alternating diagonals" },           \
    {                                                                                                     \
        "angle", MN_SET_NUMBER, AT(cloth.angle), "deg", .standard = "0",                                  \
                                                        .help = "of mesh lines and of the warp against x" \
    }

static const mn_setting sheet_rows[] = {
    { "size", MN_SET_PAIR, AT(cloth.size), "cm", 0.0, 1e6, .flags = MN_SET_REQUIRED | MN_SET_ABOVE,
      .help = "along x and z" },
    CLOTH,
};
static const mn_setting round_rows[] = { POSITIVE("diameter", cloth.size, "across, from corner to corner"), CLOTH };
static const mn_setting file_rows[]  = {
     { "file", MN_SET_FILE, AT(file), .flags = MN_SET_REQUIRED,
       .help = "OBJ, PLY or STL; faces become cloth, lines of OBJ yarn, groups of OBJ (of faces, lines or points) "
                "groups of vertices" },
     { "scale", MN_SET_NUMBER, AT(scale), NULL, 0.0, INFINITY, .standard = "1", .flags = MN_SET_ABOVE,
       .help = "factor to cm" },
     CHOSEN("radius", file_radius, "of yarn; 0: that of the material"),
};
static const mn_setting yarn_rows[] = {
    { "pattern", MN_SET_CHOICE, AT(yarn.pattern), .standard = "straight", .choices = pattern_words,
      .help = "single yarns along x, or patches in the plane of x and z" },
    { "size", MN_SET_PAIR, AT(yarn.size), "cm", 0.0, 1e6, .flags = MN_SET_OPTIONAL | MN_SET_ABOVE,
      .help = "of a patch, along x and z" },
    { "length", MN_SET_NUMBER, AT(yarn.size), "cm", 0.0, 1e6, .flags = MN_SET_OPTIONAL | MN_SET_ABOVE,
      .help = "along x, of yarns that are no patch" },
    CHOSEN("pitch", yarn.pitch,
           "between yarns of a patch (knit: width of a loop), or per turn; 0: one that suits radius and curl"),
    CHOSEN("radius", yarn.radius, "of the yarn; 0: that of the material"),
    CHOSEN("curl", yarn.curl, "radius of curl, helix or ring"),
    CHOSEN("spacing", yarn.spacing, "between vertices; 0: half a cell of the grid, less where the pattern needs it"),
    { "count", MN_SET_INTEGER, AT(yarn.count), NULL, 1, 1000000, .standard = "7", .help = "yarns of a bundle" },
};
static const mn_setting hair_rows[] = {
    { "on", MN_SET_SHAPE, AT(hair.on), .flags = MN_SET_REQUIRED, .help = "what it stands on: a name or a map" },
    { "count", MN_SET_INTEGER, AT(hair_count), NULL, 1, 4000000, .flags = MN_SET_REQUIRED, .help = "strands" },
    POSITIVE("length", hair.length, "of a strand, along its axis"),
    CHOSEN("radius", hair.radius, "of a strand; 0: that of the material"),
    { "vertices", MN_SET_INTEGER, AT(hair.vertices), NULL, 3, 100000, .standard = "16", .help = "per strand" },
    CHOSEN("curl", hair.curl, "radius of curl; 0: straight"),
    CHOSEN("pitch", hair.pitch, "length of a curl"),
    { "seed", MN_SET_SEED, AT(hair.seed), .standard = "1", .help = "of the directions of the curls" },
};
static const mn_setting pile_rows[] = {
    POSITIVE("length", pile.length, "of a strand"),
    CHOSEN("radius", pile.radius, "of a strand; 0: that of the material"),
    CHOSEN("spacing", pile.spacing, "between vertices; 0: a third of the length"),
    { "every", MN_SET_INTEGER, AT(pile.every), NULL, 1, 1000000, .standard = "2",
      .help = "a strand on every n-th vertex" },
    { "sides", MN_SET_CHOICE, AT(pile_sides), .standard = "upper", .choices = side_words, .help = "where it stands" },
};
const mn_section mn_section_sheet = SECTION("sheet", sheet_rows), mn_section_disc = SECTION("disc", round_rows),
                 mn_section_hexagon = SECTION("hexagon", round_rows), mn_section_mesh = SECTION("mesh", file_rows);
static const mn_section section_yarn = SECTION("yarn", yarn_rows), section_hair = SECTION("hair", hair_rows),
                        section_pile = SECTION("pile", pile_rows);

// --- groups and pins -------------------------------------------------------------------------------------------------

#undef AT
#define AT(member) offsetof(mn_vertices_entry, member)

static const mn_setting box_rows[] = {
    { "low", MN_SET_VECTOR, AT(box[0]), "cm", .flags = MN_SET_REQUIRED, .help = "low corner" },
    { "high", MN_SET_VECTOR, AT(box[1]), "cm", .flags = MN_SET_REQUIRED, .help = "high corner" },
};
static const mn_setting ball_rows[] = {
    { "center", MN_SET_VECTOR, AT(center), "cm", .standard = "[0, 0, 0]", .help = "middle" },
    { "radius", MN_SET_NUMBER, AT(radius), "cm", 0.0, INFINITY, .flags = MN_SET_REQUIRED | MN_SET_ABOVE,
      .help = "radius" },
};
static const mn_section section_box = SECTION("box", box_rows), section_ball = SECTION("ball", ball_rows);

#define NEAR(word)                                                                           \
    static const mn_setting near_##word##_rows[] = {                                         \
        { #word, MN_SET_NUMBER, AT(distance), "cm", 0.0, INFINITY, .flags = MN_SET_REQUIRED, \
          .help = "all within this distance of the group `" #word "` that the mesh brings" } \
    };                                                                                       \
    static const mn_section near_##word = SECTION("a group of vertices near '" #word "'", near_##word##_rows);
// clang-format off
NEAR(corners) NEAR(border) NEAR(left) NEAR(right) NEAR(front) NEAR(back) NEAR(center) NEAR(ends) NEAR(roots)
    // clang-format on

    static const mn_setting in_box_rows[]        = { { "box", MN_SET_SECTION, 0, .section = &section_box,
                                                       .flags = MN_SET_REQUIRED,
                                                       .help  = "all inside a box, in the coordinates of the mesh" } };
static const mn_setting in_ball_rows[]           = { { "ball", MN_SET_SECTION, 0, .section = &section_ball,
                                                       .flags = MN_SET_REQUIRED,
                                                       .help  = "all inside a ball, in the coordinates of the mesh" } };
static const mn_section in_box                   = SECTION("a group of vertices in a box", in_box_rows),
                        in_ball                  = SECTION("a group of vertices in a ball", in_ball_rows);
static const mn_section *const vertices_kinds[]  = { &in_box,      &in_ball,    &near_corners, &near_border,
                                                     &near_left,   &near_right, &near_front,   &near_back,
                                                     &near_center, &near_ends,  &near_roots };
const mn_group                 mn_group_vertices = { "groups", "a group of vertices", KINDS(vertices_kinds) };

#undef AT
#define AT(member) offsetof(mn_pin_entry, member)

static const char *const twist_words[] = { "free", "held", NULL };
static const mn_setting  pin_rows[]    = {
        { "motion", MN_SET_MOTION, AT(def.motion), .standard = "fixed",
          .help = "how the vertices move, from their place at the start: a name, a map or `fixed`" },
        { "stiffness", MN_SET_STIFFNESS, AT(def), "dyn/cm", 0.0, INFINITY, .standard = "hard", .flags = MN_SET_ABOVE,
          .help = "`hard`, or that of the spring which holds each vertex" },
        { "twist", MN_SET_CHOICE, AT(twist), .standard = "held", .choices = twist_words,
          .help = "of yarn at the pinned vertices" },
        { "during", MN_SET_PAIR, AT(def.during), "s", 0.0, INFINITY, .standard = "[0, .inf]",
          .flags = MN_SET_INFINITE | MN_SET_RISING, .help = "from when to when it holds" },
};
const mn_section mn_section_pin = SECTION("a pin", pin_rows);

// --- fabrics ---------------------------------------------------------------------------------------------------------

#undef AT
#define AT(member) offsetof(mn_fabric_entry, member)

static const char *const yarn_twist_words[] = { "rod", "grid", NULL };  // in the order of mn_yarn_twist

_Static_assert(offsetof(mn_fabric_def, angle) - offsetof(mn_fabric_def, axis) == 3 * sizeof(double),
               "layout of a turn");

static const mn_setting noise_rows[] = {
    { "amplitude", MN_SET_NUMBER, AT(noise.amplitude), NULL, 0.0, 1.0,
      .flags = MN_SET_REQUIRED | MN_SET_ABOVE | MN_SET_UNDER,
      .help  = "largest difference from the solid fraction of the material" },
    POSITIVE("length", noise.length, "over which it changes"),
    { "seed", MN_SET_SEED, AT(noise.seed), .standard = "1", .help = "of the pattern" },
};
static const mn_section section_noise = SECTION("solid_fraction_noise", noise_rows);

// clang-format off
#define COMMON                                                                                                                \
    { "material", MN_SET_FABRIC, AT(def.material), .flags = MN_SET_REQUIRED, .help = "name of a material of kind fabric" },    \
    { "at", MN_SET_VECTOR, AT(def.at), "cm", .standard = "[0, 0, 0]", .help = "where the origin of the mesh is put, after the turn" }, \
    { "rotate", MN_SET_SECTION, AT(def.axis), .section = &mn_section_turn, .help = "turned about the origin of the mesh" },    \
    { "velocity", MN_SET_VECTOR, AT(def.velocity), "cm/s", .standard = "[0, 0, 0]", .help = "at the start" },                  \
    { "spin", MN_SET_VECTOR, AT(def.spin), "deg/s", .standard = "[0, 0, 0]",                                                   \
      .help = "turning about `at` at the start, added to the velocity" },                                                      \
    { "groups", MN_SET_NAMED, 0, .group = &mn_group_vertices, .flags = MN_SET_OPTIONAL,                                        \
      .help = "named sets of vertices, besides those that the mesh brings" },                                                  \
    { "pins", MN_SET_NAMED, 0, .section = &mn_section_pin, .flags = MN_SET_OPTIONAL,                                           \
      .help = "groups of vertices that are held: a map from names of groups" },                                                \
    { "damping", MN_SET_NUMBER, AT(def.damping), "1/s", 0.0, INFINITY, .standard = "0", .help = "decay of all velocities" },   \
    { "straighten", MN_SET_NUMBER, AT(def.straighten), NULL, 0.0, 1.0, .standard = "0",                                        \
      .help = "share of the curvature of the mesh that is not at rest" },                                                      \
    { "twist", MN_SET_CHOICE, AT(def.twist), .standard = "rod", .choices = yarn_twist_words,                                   \
      .help = "of yarn and pile: segments turn with an inertia of their own, or with the grid, on which their torques then act; " \
              "`grid` needs shorter steps" },                                                                                  \
    { "saturation", MN_SET_AMOUNTS, 0, NULL, 0.0, 1.0, .flags = MN_SET_OPTIONAL,                                               \
      .help = "share of the pores that is full at the start; of a map the first group that a vertex belongs to counts" },      \
    { "evaporation", MN_SET_EVAPORATION, AT(def.evaporation), "cm/s", 0.0, INFINITY, .standard = "0",                          \
      .help = "from a saturated surface: volume (cm/s) or mass (as \"10 g/m2/s\") per area and time" },                        \
    { "colour", MN_SET_VECTOR, AT(def.colour), NULL, 0.0, 1.0, .standard = "[0.9, 0.9, 0.9]",                                  \
      .help = "linear red, green and blue of the clean, dry fabric; seen where the liquid of the scene has solutes" },         \
    { "solid_fraction_noise", MN_SET_SECTION, 0, .section = &section_noise, .flags = MN_SET_OPTIONAL,                          \
      .help = "smooth differences of the solid fraction from place to place" }
#define PILE                                                                                                                  \
    { "pile", MN_SET_SECTION, 0, .section = &section_pile, .flags = MN_SET_OPTIONAL, .help = "strands that stand on the cloth" }
// clang-format on

#define FABRIC(word, text, ...)                                                                                \
    static const mn_setting fabric_##word##_rows[] = { { #word, MN_SET_SECTION, 0, .section = &section_##word, \
                                                         .flags = MN_SET_REQUIRED, .help = text },             \
                                                       COMMON __VA_ARGS__ };                                   \
    static const mn_section fabric_##word          = SECTION("a fabric with '" #word "'", fabric_##word##_rows);
#define section_sheet   mn_section_sheet
#define section_disc    mn_section_disc
#define section_hexagon mn_section_hexagon
#define section_mesh    mn_section_mesh
FABRIC(sheet,
       "a rectangle of cloth in y = 0, its middle in the origin. Groups: all, border, corners, left, right, front, "
       "back, center",
       , PILE)
FABRIC(disc, "a disc of cloth. Groups: as a sheet, without corners", , PILE)
FABRIC(hexagon, "a hexagon of cloth with corners on x. Groups: as a sheet", , PILE)
FABRIC(mesh, "cloth and yarn from a file. Groups: all, and those of the file", , PILE)
FABRIC(yarn,
       "yarn about y = 0, its middle in the origin. Groups: all, ends, left, right, front, back; of weaves also warp "
       "and weft", )
FABRIC(hair, "strands that stand on a shape. Groups: all, roots, tips", )

// In the order of mn_fabric_kind.
static const mn_section *const fabric_kinds[]  = { &fabric_sheet, &fabric_disc, &fabric_hexagon,
                                                   &fabric_mesh,  &fabric_yarn, &fabric_hair };
const mn_group                 mn_group_fabric = { "fabrics", "a fabric", KINDS(fabric_kinds) };

// --- wind and pairs --------------------------------------------------------------------------------------------------

static const mn_setting wind_rows[] = {
    { "velocity", MN_SET_VECTOR, offsetof(mn_wind_def, velocity), "cm/s", .standard = "[0, 0, 0]",
      .help = "of the air, far from everything" },
    { "gust", MN_SET_NUMBER, offsetof(mn_wind_def, gust), NULL, 0.0, 1.0, .standard = "0",
      .help = "share of the speed by which it swells and turns" },
    { "density", MN_SET_NUMBER, offsetof(mn_wind_def, density), "g/cm^3", 0.0, INFINITY, .standard = "0.0012",
      .help = "of the air" },
};
const mn_section mn_section_wind = SECTION("wind", wind_rows);

static const mn_setting pair_rows[] = {
    { "of", MN_SET_NAME_PAIR, offsetof(mn_pair_entry, of), .flags = MN_SET_REQUIRED,
      .help = "two materials: a liquid and a fabric, or one fabric twice; `any` stands for all, and names win over "
              "it" },
    { "friction", MN_SET_NUMBER, offsetof(mn_pair_entry, friction), NULL, 0.0, INFINITY, .flags = MN_SET_OPTIONAL,
      .help = "of a fabric with itself: coefficient of friction; wins over that of the material" },
    { "cohesion", MN_SET_NUMBER, offsetof(mn_pair_entry, cohesion), NULL, 0.0, INFINITY, .flags = MN_SET_OPTIONAL,
      .help = "of a fabric with itself: scale of the pull between wet layers; 0.01" },
    { "contact_angle", MN_SET_NUMBER, offsetof(mn_pair_entry, contact_angle), "deg", 0.0, 3.14159265358979323846,
      .flags = MN_SET_OPTIONAL,
      .help  = "of a liquid on the fibres of a fabric; 40.8. From 90 degrees on nothing is sucked in" },
    { "hysteresis", MN_SET_NUMBER, 0, .flags = MN_SET_LATER | MN_SET_OPTIONAL, .help = "of the contact angle" },
};
const mn_section mn_section_pair = SECTION("a pair", pair_rows);
