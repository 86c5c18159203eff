// SPDX-License-Identifier: MPL-2.0
// defs/shapes.c - the rows of shapes.
#include "defs/rows.h"

IS_TURN(mn_shape_entry);

// Lengths stay well inside the range in which their squares are ordinary numbers.
#define LENGTH MN_LENGTH_SHORTEST, MN_NUMBER_FARTHEST

// --- shapes ----------------------------------------------------------------------------------------------------------

// clang-format off
#define CENTER \
    { "center", MN_SET_VECTOR, AT(mn_shape_entry, def.center), "cm", .standard = "[0, 0, 0]", \
      .help = "middle of the shape" }
#define AXIS \
    { "axis", MN_SET_VECTOR, AT(mn_shape_entry, def.axis), .standard = "[0, 1, 0]", .flags = MN_SET_DIRECTION, \
      .help = "direction of its axis" }
#define HEIGHT(text) \
    { "height", MN_SET_NUMBER, AT(mn_shape_entry, def.height), "cm", LENGTH, .flags = MN_SET_REQUIRED, .help = text }
#define RADIUS \
    { "radius", MN_SET_NUMBER, AT(mn_shape_entry, def.radius), "cm", LENGTH, .flags = MN_SET_REQUIRED, \
      .help = "radius" }
#define PLACED \
    { "at", MN_SET_VECTOR, AT(mn_shape_entry, at), "cm", .standard = "[0, 0, 0]", \
      .help = "moved by this, after the turn" }, \
    { "rotate", MN_SET_SECTION, AT(mn_shape_entry, axis), .section = &mn_section_turn, \
      .help = "turned about the origin" }
// clang-format on

static const mn_setting placement_rows[]     = { PLACED };
const mn_section        mn_section_placement = SECTION_OF(mn_shape_entry, "a placement", placement_rows);

static const mn_setting box_rows[] = {
    CENTER,
    { "size", MN_SET_VECTOR, AT(mn_shape_entry, def.size), "cm", LENGTH, .standard_2d = "1000",
      .flags = MN_SET_REQUIRED, .help = "length of its edges; in two dimensions z may be left out and is 10 m" },
};
static const mn_setting sphere_rows[]   = { CENTER, RADIUS };
static const mn_setting capsule_rows[]  = { CENTER, AXIS, HEIGHT("height of the straight part"), RADIUS };
static const mn_setting cylinder_rows[] = { CENTER, AXIS, HEIGHT("height"), RADIUS };
// clang-format off
static const mn_setting cone_rows[] = {
    CENTER,
    AXIS,
    HEIGHT("height"),
    { "radius", MN_SET_PAIR, AT(mn_shape_entry, def.radius), "cm", 0.0, MN_NUMBER_FARTHEST, .flags = MN_SET_REQUIRED,
      .help = "radius at the low and at the high end; one may be 0" },
};
// clang-format on
static const mn_setting torus_rows[] = {
    CENTER,
    AXIS,
    { "radius", MN_SET_PAIR, AT(mn_shape_entry, def.radius), "cm", LENGTH, .flags = MN_SET_REQUIRED,
      .help = "radius of the ring and of the tube" },
};
static const mn_setting disc_rows[]  = { CENTER, AXIS, RADIUS };
static const mn_setting plane_rows[] = {
    { "point", MN_SET_VECTOR, AT(mn_shape_entry, def.center), "cm", .standard = "[0, 0, 0]",
      .help = "a point of the plane" },
    { "normal", MN_SET_VECTOR, AT(mn_shape_entry, def.axis), .standard = "[0, 1, 0]", .flags = MN_SET_DIRECTION,
      .help = "outward normal: solid is below" },
};

static const mn_section section_box      = SECTION_OF(mn_shape_def, "box", box_rows);
static const mn_section section_sphere   = SECTION_OF(mn_shape_def, "sphere", sphere_rows);
static const mn_section section_capsule  = SECTION_OF(mn_shape_def, "capsule", capsule_rows);
static const mn_section section_cylinder = SECTION_OF(mn_shape_def, "cylinder", cylinder_rows);
static const mn_section section_cone     = SECTION_OF(mn_shape_def, "cone", cone_rows);
static const mn_section section_torus    = SECTION_OF(mn_shape_def, "torus", torus_rows);
static const mn_section section_disc     = SECTION_OF(mn_shape_def, "disc", disc_rows);
static const mn_section section_plane    = SECTION_OF(mn_shape_def, "plane", plane_rows);

#define SIMPLE_SHAPE(word, text)                                                                            \
    static const mn_setting word##_shape_rows[] = { { #word, MN_SET_SECTION, 0, .section = &section_##word, \
                                                      .flags = MN_SET_REQUIRED, .help = text },             \
                                                    PLACED };                                               \
    static const mn_section shape_##word        = SECTION_OF(mn_shape_def, "the shape '" #word "'", word##_shape_rows);
#define COMPOUND_SHAPE(word, text)                                                                       \
    static const mn_setting word##_shape_rows[] = { { #word, MN_SET_SHAPES, 0, .flags = MN_SET_REQUIRED, \
                                                      .help = text },                                    \
                                                    PLACED };                                            \
    static const mn_section shape_##word        = SECTION_OF(mn_shape_def, "the shape '" #word "'", word##_shape_rows);

SIMPLE_SHAPE(box, "a box with edges along x, y and z")
SIMPLE_SHAPE(sphere, "a ball")
SIMPLE_SHAPE(capsule, "a cylinder with round ends")
SIMPLE_SHAPE(cylinder, "a cylinder")
SIMPLE_SHAPE(cone, "a cone or part of one; its center is the middle of the axis")
SIMPLE_SHAPE(torus, "a ring")
SIMPLE_SHAPE(disc, "a flat round plate without thickness, for sources")
SIMPLE_SHAPE(plane, "everything below a plane")
static const mn_setting mesh_shape_rows[] = {
    { "mesh", MN_SET_FILE, AT(mn_shape_entry, def.file), .flags = MN_SET_REQUIRED,
      .help = "a closed mesh from an OBJ, PLY or STL file; the path is relative to the file it is written in" },
    { "scale", MN_SET_NUMBER, AT(mn_shape_entry, def.scale), NULL, LENGTH, .standard = "1", .help = "factor to cm" },
    { "center", MN_SET_VECTOR, AT(mn_shape_entry, def.center), "cm", .standard = "[0, 0, 0]",
      .help = "added to every vertex" },
    PLACED
};
static const mn_section shape_mesh = SECTION_OF(mn_shape_def, "the shape 'mesh'", mesh_shape_rows);
COMPOUND_SHAPE(union, "list of shapes: what is in any of them")
COMPOUND_SHAPE(intersection, "list of shapes: what is in all of them")
COMPOUND_SHAPE(difference, "list of shapes: the first without the others")

// In the order of mn_shape_kind.
static const mn_section *const shape_kinds[]  = { &shape_box,  &shape_sphere, &shape_capsule,      &shape_cylinder,
                                                  &shape_cone, &shape_torus,  &shape_disc,         &shape_plane,
                                                  &shape_mesh, &shape_union,  &shape_intersection, &shape_difference };
const mn_group                 mn_group_shape = { "shapes", "a shape", KINDS(shape_kinds) };
