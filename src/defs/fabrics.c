// SPDX-License-Identifier: MPL-2.0
// defs/fabrics.c - the rows of fabrics, of their meshes, groups of vertices and pins.
#include "defs/rows.h"

IS_TURN(mn_fabric_def);

#define LENGTH 0.0, 1e6  // cm, of meshes
// clang-format off
#define POSITIVE(key_, at, text) \
    { key_, MN_SET_NUMBER, at, "cm", LENGTH, .flags = MN_SET_REQUIRED | MN_SET_ABOVE, .help = text }
/// What a scene may leave to the program by a 0.
#define CHOSEN(key_, at, text) { key_, MN_SET_NUMBER, at, "cm", LENGTH, .standard = "0", .help = text }
// clang-format on

// --- meshes ----------------------------------------------------------------------------------------------------------

static const char *const mesh_words[]    = { "equilateral", "structured", "alternating", NULL };
static const char *const pattern_words[] = { "straight", "curly", "helix", "ring", "bundle", "plain",
                                             "twill",    "satin", "knit",  "net",  NULL };
static const char *const side_words[]    = { "upper", "both", NULL };

// clang-format off
#define CLOTH \
    CHOSEN("spacing", AT(mn_cloth_def, spacing), "length of edges aimed at; 0: half a cell of the grid"), \
    { "mesh", MN_SET_CHOICE, AT(mn_cloth_def, mesh), .standard = "equilateral", .choices = mesh_words, \
      .help = "equilateral triangles, or squares with parallel or alternating diagonals" }, \
    { "angle", MN_SET_NUMBER, AT(mn_cloth_def, angle), "deg", .standard = "0", \
      .help = "of mesh lines and of the warp against x" }
// clang-format on

static const mn_setting sheet_rows[] = {
    { "size", MN_SET_PAIR, AT(mn_cloth_def, size), "cm", LENGTH, .flags = MN_SET_REQUIRED | MN_SET_ABOVE,
      .help = "along x and z" },
    CLOTH,
};
static const mn_setting round_rows[] = { POSITIVE("diameter", AT(mn_cloth_def, size), "across, from corner to corner"),
                                         CLOTH };
static const mn_setting file_rows[]  = {
     { "file", MN_SET_FILE, AT(mn_mesh_file, path), .flags = MN_SET_REQUIRED,
       .help = "OBJ, PLY or STL; faces become cloth, lines of OBJ yarn, groups of OBJ (of faces, lines or points) "
                "groups of vertices" },
     { "scale", MN_SET_NUMBER, AT(mn_mesh_file, scale), NULL, 0.0, NO_LIMIT, .standard = "1", .flags = MN_SET_ABOVE,
       .help = "factor to cm" },
     CHOSEN("radius", AT(mn_mesh_file, radius), "of yarn; 0: that of the material"),
};
static const mn_setting yarn_rows[] = {
    { "pattern", MN_SET_CHOICE, AT(mn_yarn_def, pattern), .standard = "straight", .choices = pattern_words,
      .help = "single yarns along x, or patches in the plane of x and z" },
    { "size", MN_SET_PAIR, AT(mn_yarn_def, size), "cm", LENGTH, .flags = MN_SET_OPTIONAL | MN_SET_ABOVE,
      .help = "of a patch, along x and z" },
    { "length", MN_SET_NUMBER, AT(mn_yarn_def, size), "cm", LENGTH, .flags = MN_SET_OPTIONAL | MN_SET_ABOVE,
      .help = "along x, of yarns that are no patch" },
    CHOSEN("pitch", AT(mn_yarn_def, pitch),
           "between yarns of a patch (knit: width of a loop), or per turn; 0: one that suits radius and curl"),
    CHOSEN("radius", AT(mn_yarn_def, radius), "of the yarn; 0: that of the material"),
    CHOSEN("curl", AT(mn_yarn_def, curl), "radius of curl, helix or ring"),
    CHOSEN("spacing", AT(mn_yarn_def, spacing),
           "between vertices; 0: half a cell of the grid, less where the pattern needs it"),
    { "count", MN_SET_INTEGER, AT(mn_yarn_def, count), NULL, 1, 1000000, .standard = "7", .flags = MN_SET_OPEN,
      .help = "yarns of a bundle" },
};
static const mn_setting hair_rows[] = {
    { "on", MN_SET_SHAPE, AT(mn_hair_def, on), .flags = MN_SET_REQUIRED, .help = "what it stands on: a name or a map" },
    { "count", MN_SET_COUNT, AT(mn_hair_def, count), NULL, 1, 4000000, .flags = MN_SET_REQUIRED, .help = "strands" },
    POSITIVE("length", AT(mn_hair_def, length), "of a strand, along its axis"),
    CHOSEN("radius", AT(mn_hair_def, radius), "of a strand; 0: that of the material"),
    { "vertices", MN_SET_INTEGER, AT(mn_hair_def, vertices), NULL, 3, 100000, .standard = "16", .help = "per strand" },
    CHOSEN("curl", AT(mn_hair_def, curl), "radius of curl; 0: straight"),
    CHOSEN("pitch", AT(mn_hair_def, pitch), "length of a curl"),
    { "seed", MN_SET_SEED, AT(mn_hair_def, seed), .standard = "1", .help = "of the directions of the curls" },
};
static const mn_setting pile_rows[] = {
    POSITIVE("length", AT(mn_pile_def, length), "of a strand"),
    CHOSEN("radius", AT(mn_pile_def, radius), "of a strand; 0: that of the material"),
    CHOSEN("spacing", AT(mn_pile_def, spacing), "between vertices; 0: a third of the length"),
    { "every", MN_SET_INTEGER, AT(mn_pile_def, every), NULL, 1, 1000000, .standard = "2",
      .help = "a strand on every n-th vertex" },
    { "sides", MN_SET_FLAG, AT(mn_pile_def, both_sides), .standard = "upper", .choices = side_words,
      .help = "where it stands" },
};
const mn_section mn_section_sheet   = SECTION_OF(mn_cloth_def, "sheet", sheet_rows);
const mn_section mn_section_disc    = SECTION_OF(mn_cloth_def, "disc", round_rows);
const mn_section mn_section_hexagon = SECTION_OF(mn_cloth_def, "hexagon", round_rows);
const mn_section mn_section_mesh    = SECTION_OF(mn_mesh_file, "mesh", file_rows);
const mn_section mn_section_yarn    = SECTION_OF(mn_yarn_def, "yarn", yarn_rows);
const mn_section mn_section_hair    = SECTION_OF(mn_hair_def, "hair", hair_rows);
const mn_section mn_section_pile    = SECTION_OF(mn_pile_def, "pile", pile_rows);

// --- groups and pins -------------------------------------------------------------------------------------------------

static const mn_setting box_rows[] = {
    { "low", MN_SET_VECTOR, AT(mn_vertices_entry, box[0]), "cm", .flags = MN_SET_REQUIRED, .help = "low corner" },
    { "high", MN_SET_VECTOR, AT(mn_vertices_entry, box[1]), "cm", .flags = MN_SET_REQUIRED, .help = "high corner" },
};
static const mn_setting ball_rows[] = {
    { "center", MN_SET_VECTOR, AT(mn_vertices_entry, center), "cm", .standard = "[0, 0, 0]", .help = "middle" },
    { "radius", MN_SET_NUMBER, AT(mn_vertices_entry, radius), "cm", 0.0, NO_LIMIT,
      .flags = MN_SET_REQUIRED | MN_SET_ABOVE, .help = "radius" },
};
static const mn_section section_box = SECTION("box", box_rows), section_ball = SECTION("ball", ball_rows);

// clang-format off
#define IN(word, text) \
    static const mn_setting in_##word##_rows[] = { \
        { #word, MN_SET_SECTION, 0, .section = &section_##word, .flags = MN_SET_REQUIRED, .help = text } \
    }; \
    static const mn_section in_##word = SECTION("a group of vertices in a " #word, in_##word##_rows);
#define NEAR(word) \
    static const mn_setting near_##word##_rows[] = { \
        { #word, MN_SET_NUMBER, AT(mn_vertices_entry, distance), "cm", 0.0, NO_LIMIT, .flags = MN_SET_REQUIRED, \
          .help = "all within this distance of the group `" #word "` that the mesh brings" } \
    }; \
    static const mn_section near_##word = SECTION("a group of vertices near '" #word "'", near_##word##_rows);
IN(box, "all inside a box, in the coordinates of the mesh")
IN(ball, "all inside a ball, in the coordinates of the mesh")
NEAR(corners)
NEAR(border)
NEAR(left)
NEAR(right)
NEAR(front)
NEAR(back)
NEAR(center)
NEAR(ends)
NEAR(roots)
// clang-format on

static const mn_section *const vertices_kinds[]  = { &in_box,      &in_ball,    &near_corners, &near_border,
                                                     &near_left,   &near_right, &near_front,   &near_back,
                                                     &near_center, &near_ends,  &near_roots };
const mn_group                 mn_group_vertices = { "groups", "a group of vertices", KINDS(vertices_kinds) };

static const char *const twist_words[] = { "free", "held", NULL };
static const mn_setting  pin_rows[]    = {
        { "motion", MN_SET_MOTION, AT(mn_pin_def, motion), .standard = "fixed",
          .help = "how the vertices move, from their place at the start: a name, a map or `fixed`" },
        { "stiffness", MN_SET_STIFFNESS, 0, "dyn/cm", 0.0, NO_LIMIT, .standard = "hard", .flags = MN_SET_ABOVE,
          .help = "`hard`, or that of the spring which holds each vertex" },
        { "twist", MN_SET_FLAG, AT(mn_pin_def, twist), .standard = "held", .choices = twist_words,
          .help = "of yarn at the pinned vertices" },
        { "during", MN_SET_PAIR, AT(mn_pin_def, during), "s", 0.0, NO_LIMIT, .standard = "[0, .inf]",
          .flags = MN_SET_INFINITE | MN_SET_RISING, .help = "from when to when it holds" },
};
const mn_section mn_section_pin = SECTION_OF(mn_pin_def, "a pin", pin_rows);

// --- fabrics ---------------------------------------------------------------------------------------------------------

static const char *const yarn_twist_words[] = { "rod", "grid", NULL };  // in the order of mn_yarn_twist

static const mn_setting noise_rows[] = {
    { "amplitude", MN_SET_NUMBER, AT(mn_fabric_entry, noise.amplitude), NULL, 0.0, 1.0,
      .flags = MN_SET_REQUIRED | MN_SET_ABOVE | MN_SET_UNDER,
      .help  = "largest difference from the solid fraction of the material" },
    POSITIVE("length", AT(mn_fabric_entry, noise.length), "over which it changes"),
    { "seed", MN_SET_SEED, AT(mn_fabric_entry, noise.seed), .standard = "1", .help = "of the pattern" },
};
static const mn_section section_noise = SECTION("solid_fraction_noise", noise_rows);

// clang-format off
#define COMMON \
    { "material", MN_SET_FABRIC, AT(mn_fabric_def, material), .flags = MN_SET_REQUIRED, \
      .help = "name of a material of kind fabric" }, \
    { "at", MN_SET_VECTOR, AT(mn_fabric_def, at), "cm", .standard = "[0, 0, 0]", \
      .help = "where the origin of the mesh is put, after the turn" }, \
    { "rotate", MN_SET_SECTION, AT(mn_fabric_def, axis), .section = &mn_section_turn, \
      .help = "turned about the origin of the mesh" }, \
    { "velocity", MN_SET_VECTOR, AT(mn_fabric_def, velocity), "cm/s", .standard = "[0, 0, 0]", \
      .help = "at the start" }, \
    { "spin", MN_SET_VECTOR, AT(mn_fabric_def, spin), "deg/s", .standard = "[0, 0, 0]", \
      .help = "turning about `at` at the start, added to the velocity" }, \
    { "groups", MN_SET_NAMED, 0, .group = &mn_group_vertices, .flags = MN_SET_OPTIONAL, \
      .help = "named sets of vertices, besides those that the mesh brings" }, \
    { "pins", MN_SET_NAMED, 0, .section = &mn_section_pin, .flags = MN_SET_OPTIONAL, \
      .help = "groups of vertices that are held: a map from names of groups" }, \
    { "damping", MN_SET_NUMBER, AT(mn_fabric_def, damping), "1/s", 0.0, NO_LIMIT, .standard = "0", \
      .help = "decay of all velocities" }, \
    { "straighten", MN_SET_NUMBER, AT(mn_fabric_def, straighten), NULL, 0.0, 1.0, .standard = "0", \
      .help = "share of the curvature of the mesh that is not at rest" }, \
    { "twist", MN_SET_CHOICE, AT(mn_fabric_def, twist), .standard = "rod", .choices = yarn_twist_words, \
      .help = "of yarn and pile: segments turn with an inertia of their own, or with the grid, on which their " \
              "torques then act; `grid` needs shorter steps" }, \
    { "saturation", MN_SET_AMOUNTS, 0, NULL, 0.0, 1.0, .flags = MN_SET_OPTIONAL, \
      .help = "share of the pores that is full at the start; of a map the first group that a vertex belongs to " \
              "counts" }, \
    { "evaporation", MN_SET_EVAPORATION, AT(mn_fabric_def, evaporation), "cm/s", 0.0, NO_LIMIT, .standard = "0", \
      .help = "from a saturated surface: volume (cm/s) or mass (as \"10 g/m2/s\") per area and time" }, \
    { "colour", MN_SET_VECTOR, AT(mn_fabric_def, colour), NULL, 0.0, 1.0, .standard = "[0.9, 0.9, 0.9]", \
      .help = "linear red, green and blue of the clean, dry fabric; seen where the liquid of the scene has solutes" }, \
    { "solid_fraction_noise", MN_SET_SECTION, 0, .section = &section_noise, .flags = MN_SET_OPTIONAL, \
      .help = "smooth differences of the solid fraction from place to place" }
#define PILE \
    , { "pile", MN_SET_SECTION, AT(mn_fabric_entry, pile), .section = &mn_section_pile, .flags = MN_SET_OPTIONAL, \
        .help = "strands that stand on the cloth" }
#define FABRIC(word, member, more, text) \
    static const mn_setting fabric_##word##_rows[] = { \
        { #word, MN_SET_SECTION, AT(mn_fabric_entry, member), .section = &mn_section_##word, \
          .flags = MN_SET_REQUIRED, .help = text }, \
        COMMON more \
    }; \
    static const mn_section fabric_##word = \
        SECTION_OF(mn_fabric_def, "a fabric with '" #word "'", fabric_##word##_rows);
FABRIC(sheet, cloth, PILE, "a rectangle of cloth in y = 0, its middle in the origin. Groups: all, border, corners, "
                           "left, right, front, back, center")
FABRIC(disc, cloth, PILE, "a disc of cloth. Groups: as a sheet, without corners")
FABRIC(hexagon, cloth, PILE, "a hexagon of cloth with corners on x. Groups: as a sheet")
FABRIC(mesh, file, PILE, "cloth and yarn from a file. Groups: all, and those of the file")
FABRIC(yarn, yarn, , "yarn about y = 0, its middle in the origin. Groups: all, ends, left, right, front, back; of "
                     "weaves also warp and weft")
FABRIC(hair, hair, , "strands that stand on a shape. Groups: all, roots, tips")
// clang-format on

static const mn_setting fabric_rows[]     = { COMMON };
const mn_section        mn_section_fabric = SECTION_OF(mn_fabric_def, "a fabric", fabric_rows);

// In the order of mn_fabric_kind.
static const mn_section *const fabric_kinds[]  = { &fabric_sheet, &fabric_disc, &fabric_hexagon,
                                                   &fabric_mesh,  &fabric_yarn, &fabric_hair };
const mn_group                 mn_group_fabric = { "fabrics", "a fabric", KINDS(fabric_kinds) };
