// SPDX-License-Identifier: MPL-2.0
// scene/settings.c - the table of the scene language: domain, time, objects, solver, output, camera, probes.
// Materials are in settings_materials.c, fabrics, wind and pairs in settings_fabrics.c.
#include "scene/settings.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

// clang-format off
#define SECTION(title_, rows) { .title = title_, .settings = rows, .count = (int)(sizeof(rows) / sizeof(rows)[0]) }
// clang-format on
#define KINDS(list)      .kinds = list, .count = (int)(sizeof(list) / sizeof(list)[0])
#define AT(type, member) offsetof(type, member)
#define NO_LIMIT         INFINITY

// --- placement and motion --------------------------------------------------------------------------------------------

typedef struct turn {
    double axis[3], angle;
} turn;

// The turn of an obstacle, liquid, shape or motion key is stored as an axis with its angle right behind.
_Static_assert(AT(mn_obstacle_def, angle) - AT(mn_obstacle_def, axis) == AT(turn, angle), "layout of a turn");
_Static_assert(AT(mn_liquid_def, angle) - AT(mn_liquid_def, axis) == AT(turn, angle), "layout of a turn");
_Static_assert(AT(mn_shape_entry, angle) - AT(mn_shape_entry, axis) == AT(turn, angle), "layout of a turn");
_Static_assert(AT(mn_motion_key, angle) - AT(mn_motion_key, axis) == AT(turn, angle), "layout of a turn");

static const mn_setting turn_rows[] = {
    { "axis", MN_SET_VECTOR, AT(turn, axis), .standard = "[0, 1, 0]", .flags = MN_SET_DIRECTION,
      .help = "direction of the axis" },
    { "angle", MN_SET_NUMBER, AT(turn, angle), "deg", .standard = "0", .help = "angle, right-handed about the axis" },
};
const mn_section mn_section_turn = SECTION("rotate", turn_rows);

static const char *const ease_words[] = { "linear", "smooth", NULL };

static const mn_setting motion_key_rows[] = {
    { "t", MN_SET_NUMBER, AT(mn_motion_key, time), "s", .flags = MN_SET_REQUIRED,
      .help = "time of the key, later than that of the key before" },
    { "translate", MN_SET_VECTOR, AT(mn_motion_key, translate), "cm", .standard = "[0, 0, 0]",
      .help = "how far the thing is moved" },
    { "rotate", MN_SET_SECTION, AT(mn_motion_key, axis), .section = &mn_section_turn,
      .help = "how far it is turned about the pivot" },
};
const mn_section mn_section_motion_key = SECTION("a key of a motion", motion_key_rows);

static const mn_setting oscillate_rows[] = {
    { "amplitude", MN_SET_VECTOR, AT(mn_motion_def, amplitude), "cm", .standard = "[0, 0, 0]",
      .help = "largest displacement" },
    { "frequency", MN_SET_NUMBER, AT(mn_motion_def, frequency), "1/s", 0.0, NO_LIMIT, .standard = "0",
      .help = "oscillations per second" },
    { "phase", MN_SET_NUMBER, AT(mn_motion_def, phase), "deg", .standard = "0", .help = "phase at time 0 of the sine" },
};
static const mn_section section_oscillate = SECTION("oscillate", oscillate_rows);

static const mn_setting motion_rows[] = {
    { "keys", MN_SET_KEYS, 0, .flags = MN_SET_OPTIONAL, .section = &mn_section_motion_key,
      .help = "list of moments; the thing rests before the first and after the last" },
    { "ease", MN_SET_CHOICE, AT(mn_motion_def, ease), .standard = "linear", .choices = ease_words,
      .help = "between keys: straight, or with zero speed at every key" },
    { "pivot", MN_SET_VECTOR, AT(mn_motion_def, pivot), "cm", .standard = "[0, 0, 0]",
      .help = "point it turns about, in the frame of the thing moved" },
    { "velocity", MN_SET_VECTOR, AT(mn_motion_def, velocity), "cm/s", .standard = "[0, 0, 0]",
      .help = "constant velocity, added to the keys" },
    { "spin", MN_SET_VECTOR, AT(mn_motion_def, spin), "deg/s", .standard = "[0, 0, 0]",
      .help = "constant turning about this vector, added to the keys" },
    { "oscillate", MN_SET_SECTION, 0, .section = &section_oscillate,
      .help = "displacement amplitude * sin(2 pi frequency t + phase), added to the rest" },
};
const mn_section mn_section_motion = SECTION("a motion", motion_rows);

// --- shapes ----------------------------------------------------------------------------------------------------------

// clang-format off
#define CENTER { "center", MN_SET_VECTOR, AT(mn_shape_entry, def.center), "cm", .standard = "[0, 0, 0]", \
    .help = "middle of the shape" }
#define AXIS { "axis", MN_SET_VECTOR, AT(mn_shape_entry, def.axis), .standard = "[0, 1, 0]", .flags = MN_SET_DIRECTION, \
    .help = "direction of its axis" }
#define HEIGHT(text) { "height", MN_SET_NUMBER, AT(mn_shape_entry, def.height), "cm", 0.0, NO_LIMIT, \
    .flags = MN_SET_REQUIRED | MN_SET_ABOVE, \
    .help = text }
#define RADIUS { "radius", MN_SET_NUMBER, AT(mn_shape_entry, def.radius), "cm", 0.0, NO_LIMIT, \
    .flags = MN_SET_REQUIRED | MN_SET_ABOVE, \
    .help = "radius" }
#define PLACED                                                                                                                \
    { "at", MN_SET_VECTOR, AT(mn_shape_entry, at), "cm", .standard = "[0, 0, 0]", .help = "moved by this, after the turn" },  \
    { "rotate", MN_SET_SECTION, AT(mn_shape_entry, axis), .section = &mn_section_turn, .help = "turned about the origin" }
// clang-format on

static const mn_setting box_rows[] = {
    CENTER,
    { "size", MN_SET_VECTOR, AT(mn_shape_entry, def.size), "cm", 0.0, NO_LIMIT, .standard_2d = "1000",
      .flags = MN_SET_REQUIRED | MN_SET_ABOVE,
      .help  = "length of its edges; in two dimensions z may be left out and is 10 m" },
};
static const mn_setting sphere_rows[]   = { CENTER, RADIUS };
static const mn_setting capsule_rows[]  = { CENTER, AXIS, HEIGHT("height of the straight part"), RADIUS };
static const mn_setting cylinder_rows[] = { CENTER, AXIS, HEIGHT("height"), RADIUS };
static const mn_setting cone_rows[]     = {
        CENTER,
        AXIS,
        HEIGHT("height"),
        { "radius", MN_SET_PAIR, AT(mn_shape_entry, def.radius), "cm", 0.0, NO_LIMIT, .flags = MN_SET_REQUIRED,
          .help = "radius at the low and at the high end; one may be 0" },
};
static const mn_setting torus_rows[] = {
    CENTER,
    AXIS,
    { "radius", MN_SET_PAIR, AT(mn_shape_entry, def.radius), "cm", 0.0, NO_LIMIT,
      .flags = MN_SET_REQUIRED | MN_SET_ABOVE, .help = "radius of the ring and of the tube" },
};
static const mn_setting disc_rows[]  = { CENTER, AXIS, RADIUS };
static const mn_setting plane_rows[] = {
    { "point", MN_SET_VECTOR, AT(mn_shape_entry, def.center), "cm", .standard = "[0, 0, 0]",
      .help = "a point of the plane" },
    { "normal", MN_SET_VECTOR, AT(mn_shape_entry, def.axis), .standard = "[0, 1, 0]", .flags = MN_SET_DIRECTION,
      .help = "outward normal: solid is below" },
};

static const mn_section section_box      = SECTION("box", box_rows);
static const mn_section section_sphere   = SECTION("sphere", sphere_rows);
static const mn_section section_capsule  = SECTION("capsule", capsule_rows);
static const mn_section section_cylinder = SECTION("cylinder", cylinder_rows);
static const mn_section section_cone     = SECTION("cone", cone_rows);
static const mn_section section_torus    = SECTION("torus", torus_rows);
static const mn_section section_disc     = SECTION("disc", disc_rows);
static const mn_section section_plane    = SECTION("plane", plane_rows);

#define SIMPLE_SHAPE(word, text)                                                                            \
    static const mn_setting word##_shape_rows[] = { { #word, MN_SET_SECTION, 0, .section = &section_##word, \
                                                      .flags = MN_SET_REQUIRED, .help = text },             \
                                                    PLACED };                                               \
    static const mn_section shape_##word        = SECTION("the shape '" #word "'", word##_shape_rows);
#define COMPOUND_SHAPE(word, text)                                                                       \
    static const mn_setting word##_shape_rows[] = { { #word, MN_SET_SHAPES, 0, .flags = MN_SET_REQUIRED, \
                                                      .help = text },                                    \
                                                    PLACED };                                            \
    static const mn_section shape_##word        = SECTION("the shape '" #word "'", word##_shape_rows);

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
    { "scale", MN_SET_NUMBER, AT(mn_shape_entry, def.scale), NULL, 0.0, NO_LIMIT, .standard = "1",
      .flags = MN_SET_ABOVE, .help = "factor to cm" },
    { "center", MN_SET_VECTOR, AT(mn_shape_entry, def.center), "cm", .standard = "[0, 0, 0]",
      .help = "added to every vertex" },
    PLACED
};
static const mn_section shape_mesh = SECTION("the shape 'mesh'", mesh_shape_rows);
COMPOUND_SHAPE(union, "list of shapes: what is in any of them")
COMPOUND_SHAPE(intersection, "list of shapes: what is in all of them")
COMPOUND_SHAPE(difference, "list of shapes: the first without the others")

// In the order of mn_shape_kind.
static const mn_section *const shape_kinds[]  = { &shape_box,  &shape_sphere, &shape_capsule,      &shape_cylinder,
                                                  &shape_cone, &shape_torus,  &shape_disc,         &shape_plane,
                                                  &shape_mesh, &shape_union,  &shape_intersection, &shape_difference };
const mn_group                 mn_group_shape = { "shapes", "a shape", KINDS(shape_kinds) };

// --- domain, time, solver --------------------------------------------------------------------------------------------

static const char *const axis_words[]     = { "x", "y", "z", NULL };
static const char *const boundary_words[] = { "wall", "open", "periodic", NULL };
static const char *const wall_words[]     = { "slip", "no_slip", NULL };

static const mn_setting boundary_rows[] = {
    { "x", MN_SET_CHOICE, 0, .standard = "wall", .choices = boundary_words,
      .help = "both sides in x; a period is a whole multiple of 8 cells" },
    { "y", MN_SET_CHOICE, sizeof(mn_boundary), .standard = "wall", .choices = boundary_words,
      .help = "both sides in y" },
    { "z", MN_SET_CHOICE, 2 * sizeof(mn_boundary), .standard = "wall", .standard_2d = "periodic",
      .choices = boundary_words, .help = "both sides in z; a two-dimensional domain is always periodic in z" },
};
static const mn_section section_boundary = { "boundary", boundary_rows, 3, .spread = true };

static const mn_setting domain_rows[] = {
    { "dimension", MN_SET_INTEGER, AT(mn_domain_def, dimension), NULL, 2, 3, .standard = "3",
      .help = "2 or 3; two is one cell deep in z, periodic in depth and 1 cm thick" },
    { "cell", MN_SET_NUMBER, AT(mn_domain_def, cell), "cm", 0.0, 1e6, .standard = "0.5", .flags = MN_SET_ABOVE,
      .help = "edge of a cell of the grid" },
    { "gravity", MN_SET_VECTOR, AT(mn_domain_def, gravity), "cm/s^2", .standard = "[0, -981, 0]",
      .help = "acceleration by gravity" },
    { "up", MN_SET_CHOICE, AT(mn_domain_def, up), .standard = "y", .choices = axis_words,
      .help = "axis along which heights are measured" },
    { "bounds", MN_SET_BOUNDS, AT(mn_domain_def, bounds), "cm", .flags = MN_SET_OPTIONAL,
      .help = "low and high corner; without it the domain has no end" },
    { "boundary", MN_SET_SECTION, AT(mn_domain_def, boundary), .section = &section_boundary,
      .help = "what the bounds are, per axis or one word for all" },
    { "wall", MN_SET_CHOICE, AT(mn_domain_def, wall), .standard = "slip", .choices = wall_words,
      .help = "of the bounds that are walls" },
};
const mn_section mn_section_domain = SECTION("domain", domain_rows);

static const mn_setting time_rows[] = {
    { "end", MN_SET_NUMBER, AT(mn_time_def, end), "s", 0.0, NO_LIMIT, .standard = "1", .flags = MN_SET_ABOVE,
      .help = "when the run ends: with the first frame at or after this time" },
    { "frame_rate", MN_SET_NUMBER, AT(mn_time_def, frame_rate), "1/s", 0.0, NO_LIMIT, .standard = "60",
      .flags = MN_SET_ABOVE, .help = "frames per second" },
    { "dt_max", MN_SET_NUMBER, AT(mn_time_def, dt_max), "s", 0.0, NO_LIMIT, .standard = "0.016666666666666666",
      .flags = MN_SET_ABOVE, .help = "longest step" },
    { "dt_min", MN_SET_NUMBER, AT(mn_time_def, dt_min), "s", 0.0, NO_LIMIT, .standard = "1e-08", .flags = MN_SET_ABOVE,
      .help = "shortest step; a run that needs a shorter one gives up" },
    { "cfl", MN_SET_NUMBER, AT(mn_time_def, cfl), NULL, 0.0, 4.0, .standard = "1", .flags = MN_SET_ABOVE,
      .help = "cells a particle may cross in one step" },
    { "seed", MN_SET_SEED, AT(mn_time_def, seed), .standard = "1", .help = "of every random number" },
};
const mn_section mn_section_time = SECTION("time", time_rows);

static const char *const extrapolation_words[] = { "average", "linear", NULL };
static const char *const mixture_words[] = { "auto", "coupled", "split", NULL };  // in the order of mn_mixture_solve
static const char *const truth_words[]   = { "false", "true", NULL };

static const mn_setting pressure_rows[] = {
    { "tolerance", MN_SET_NUMBER, AT(mn_solver_def, pressure_tolerance), NULL, 0.0, 0.1, .standard = "1e-06",
      .flags = MN_SET_ABOVE, .help = "relative true residual" },
    { "iterations", MN_SET_INTEGER, AT(mn_solver_def, pressure_iterations), NULL, 1, 1000000, .standard = "200",
      .help = "most iterations allowed" },
};
static const mn_setting viscosity_rows[] = {
    { "tolerance", MN_SET_NUMBER, AT(mn_solver_def, viscosity_tolerance), NULL, 0.0, 0.1, .standard = "1e-08",
      .flags = MN_SET_ABOVE, .help = "relative true residual" },
};
static const mn_setting density_rows[] = {
    { "rate", MN_SET_NUMBER, AT(mn_solver_def, density_rate), NULL, 0.0, 1.0, .standard = "0.2",
      .help = "share of the density error removed per reference step" },
    { "tolerance", MN_SET_NUMBER, AT(mn_solver_def, density_tolerance), NULL, 0.0, 0.1, .standard = "0.0001",
      .flags = MN_SET_ABOVE, .help = "relative residual of that solve" },
};
static const mn_setting solid_rows[] = {
    { "tolerance", MN_SET_NUMBER, AT(mn_solver_def, solid_tolerance), NULL, 0.0, 0.1, .standard = "0.001",
      .flags = MN_SET_ABOVE, .help = "relative residual" },
    { "iterations", MN_SET_INTEGER, AT(mn_solver_def, solid_iterations), NULL, 1, 1000000, .standard = "2000",
      .help = "most iterations allowed" },
};
static const mn_section section_solid     = SECTION("solid", solid_rows);
static const mn_section section_pressure  = SECTION("pressure", pressure_rows);
static const mn_section section_viscosity = SECTION("viscosity", viscosity_rows);
static const mn_section section_density   = SECTION("density", density_rows);

static const mn_setting solver_rows[] = {
    { "pressure", MN_SET_SECTION, 0, .section = &section_pressure, .help = "the pressure solve" },
    { "viscosity", MN_SET_SECTION, 0, .section = &section_viscosity, .help = "the viscosity solve" },
    { "density", MN_SET_SECTION, 0, .section = &section_density, .help = "the correction of the particle density" },
    { "affine_damping", MN_SET_NUMBER, AT(mn_solver_def, affine_damping), "1/s", 0.0, NO_LIMIT, .standard = "0",
      .help = "decay of the local rotation and shear that particles carry" },
    { "velocity_memory", MN_SET_NUMBER, AT(mn_solver_def, velocity_memory), "s", 0.0, NO_LIMIT, .standard = "0",
      .help = "time in which particles forget what the faces of the grid do not see of their velocity; 0: in every "
              "step, so that short steps lose more" },
    { "extrapolation", MN_SET_CHOICE, AT(mn_solver_def, extrapolation), .standard = "average",
      .choices = extrapolation_words, .help = "of the velocity into air" },
    { "solid", MN_SET_SECTION, 0, .section = &section_solid, .help = "the implicit solve of fabrics" },
    { "mixture", MN_SET_CHOICE, AT(mn_solver_def, mixture), .standard = "auto", .choices = mixture_words,
      .help = "wet fabric and pressure in one system or one after the other; auto: coupled where the split is known to "
              "go wrong" },
    { "buoyancy", MN_SET_FLAG, AT(mn_solver_def, buoyancy), .standard = "true", .choices = truth_words,
      .help = "whether the pressure of liquid acts on fabric; false only to compare" },
};
const mn_section mn_section_solver = SECTION("solver", solver_rows);

// --- obstacles and liquids -------------------------------------------------------------------------------------------

static const mn_setting obstacle_rows[] = {
    { "shape", MN_SET_SHAPE, AT(mn_obstacle_def, shape), .flags = MN_SET_REQUIRED,
      .help = "its shape: a name or a map" },
    { "at", MN_SET_VECTOR, AT(mn_obstacle_def, at), "cm", .standard = "[0, 0, 0]",
      .help = "where the origin of the shape is put, after the turn" },
    { "rotate", MN_SET_SECTION, AT(mn_obstacle_def, axis), .section = &mn_section_turn,
      .help = "turned about the origin of the shape" },
    { "motion", MN_SET_MOTION, AT(mn_obstacle_def, motion), .standard = "fixed",
      .help = "how it moves: a name, a map or `fixed`" },
    { "wall", MN_SET_CHOICE, AT(mn_obstacle_def, wall), .standard = "slip", .choices = wall_words,
      .help = "of its surface" },
    { "friction", MN_SET_NUMBER, AT(mn_obstacle_def, friction), NULL, 0.0, NO_LIMIT, .flags = MN_SET_OPTIONAL,
      .help = "coefficient of friction against fabric; that of the fabric" },
};
const mn_section mn_section_obstacle = SECTION("an obstacle", obstacle_rows);

// clang-format off
#define LIQUID_PLACE                                                                                  \
    { "at", MN_SET_VECTOR, AT(mn_liquid_def, at), "cm", .standard = "[0, 0, 0]",                      \
      .help = "where the origin of the shape is put, after the turn" },                               \
    { "rotate", MN_SET_SECTION, AT(mn_liquid_def, axis), .section = &mn_section_turn,                 \
      .help = "turned about the origin of the shape" }
#define LIQUID_SHAPE                                                                                  \
    { "shape", MN_SET_SHAPE, AT(mn_liquid_def, shape), .flags = MN_SET_REQUIRED,                      \
      .help = "where it works: a name or a map" }
#define LIQUID_MOTION                                                                                 \
    { "motion", MN_SET_MOTION, AT(mn_liquid_def, motion), .standard = "fixed",                        \
      .help = "how it moves: a name, a map or `fixed`" }
#define LIQUID_DURING                                                                                 \
    { "during", MN_SET_PAIR, AT(mn_liquid_def, during), "s", 0.0, NO_LIMIT, .standard = "[0, .inf]",  \
      .flags = MN_SET_INFINITE | MN_SET_RISING, .help = "from when to when it works" }
#define LIQUID_MATERIAL                                                                               \
    { "material", MN_SET_LIQUID, AT(mn_liquid_def, material), .flags = MN_SET_REQUIRED,               \
      .help = "name of a material of kind liquid" },                                                  \
    { "solutes", MN_SET_SOLUTES, AT(mn_liquid_def, material.solutes), "g/cm^3", 0.0, NO_LIMIT,        \
      .flags = MN_SET_OPTIONAL, .help = "map from pigments to concentrations, instead of that of the material" }
#define LIQUID_SAMPLING                                                                               \
    { "particles_per_cell", MN_SET_INTEGER, AT(mn_liquid_def, particles_per_cell), NULL, 1, 64,       \
      .standard = "8", .standard_2d = "4", .help = "particles in a full cell" }, \
    { "sampling", MN_SET_CHOICE, AT(mn_liquid_def, sampling), .standard = "jitter", .choices = sampling_words, \
      .help = "where in a cell new particles start" }
// clang-format on

static const char *const sampling_words[] = { "lattice", "jitter", NULL };

static const mn_setting fill_rows[] = {
    { "inside", MN_SET_SHAPE, AT(mn_liquid_def, shape), .flags = MN_SET_OPTIONAL,
      .help = "the shape to fill, across periodic sides too: a name or a map; without it the bounds are filled" },
    { "below", MN_SET_NUMBER, AT(mn_liquid_def, below), "cm", .standard = ".inf", .flags = MN_SET_INFINITE,
      .help = "only below this height" },
};
static const mn_setting source_rows[] = {
    LIQUID_SHAPE,
    LIQUID_PLACE,
    LIQUID_MOTION,
    { "velocity", MN_SET_VECTOR, AT(mn_liquid_def, velocity), "cm/s", .standard = "[0, 0, 0]",
      .help = "of the liquid let in" },
    { "rate", MN_SET_NUMBER, AT(mn_liquid_def, rate), "cm^3/s", 0.0, NO_LIMIT, .standard = "0",
      .help = "volume let in per second; 0: as much as the velocity carries through the shape" },
    LIQUID_DURING,
};
static const mn_setting sink_rows[]    = { LIQUID_SHAPE, LIQUID_PLACE, LIQUID_MOTION, LIQUID_DURING };
static const mn_section section_fill   = SECTION("fill", fill_rows);
static const mn_section section_source = SECTION("source", source_rows);
static const mn_section section_sink   = SECTION("sink", sink_rows);

static const mn_setting liquid_fill_rows[] = {
    { "fill", MN_SET_SECTION, 0, .section = &section_fill, .flags = MN_SET_REQUIRED,
      .help = "liquid that is there at the start; where fillings overlap, the later one is there" },
    LIQUID_MATERIAL,
    LIQUID_PLACE,
    LIQUID_SAMPLING,
    { "velocity", MN_SET_VECTOR, AT(mn_liquid_def, velocity), "cm/s", .standard = "[0, 0, 0]", .help = "at the start" },
    { "spin", MN_SET_VECTOR, AT(mn_liquid_def, spin), "deg/s", .standard = "[0, 0, 0]",
      .help = "turning about `at` at the start, added to the velocity" },
};
static const mn_setting liquid_source_rows[] = {
    { "source", MN_SET_SECTION, 0, .section = &section_source, .flags = MN_SET_REQUIRED,
      .help = "a place where liquid is let in: through the plane across its velocity, where that cuts the shape; a "
              "disc counts as it is "
              "seen along the velocity. At most half of it may lie in walls and obstacles at rest when it begins: that "
              "part's liquid comes "
              "out beside them" },
    LIQUID_MATERIAL,
    LIQUID_SAMPLING,
};
static const mn_setting liquid_sink_rows[] = {
    { "sink", MN_SET_SECTION, 0, .section = &section_sink, .flags = MN_SET_REQUIRED,
      .help = "a place where liquid is taken out, at the end of every step that its time meets" },
};
static const mn_section liquid_fill   = SECTION("a liquid with 'fill'", liquid_fill_rows);
static const mn_section liquid_source = SECTION("a liquid with 'source'", liquid_source_rows);
static const mn_section liquid_sink   = SECTION("a liquid with 'sink'", liquid_sink_rows);
// In the order of mn_liquid_role.
static const mn_section *const liquid_kinds[]  = { &liquid_fill, &liquid_source, &liquid_sink };
const mn_group                 mn_group_liquid = { "liquids", "a liquid", KINDS(liquid_kinds) };

// --- probes ----------------------------------------------------------------------------------------------------------

// clang-format off
#define POINT(text) { "point", MN_SET_VECTOR, AT(mn_probe_def, point), "cm", .standard = "[0, 0, 0]", .help = text }
#define NORMAL(text) { "normal", MN_SET_VECTOR, AT(mn_probe_def, normal), .standard = "[1, 0, 0]", .flags = MN_SET_DIRECTION, \
    .help = text }
// clang-format on

static const mn_setting volume_in_rows[] = {
    { "shape", MN_SET_SHAPE, AT(mn_probe_def, shape), .flags = MN_SET_REQUIRED, .help = "the region: a name or a map" },
};
static const mn_setting plane_probe_rows[] = { POINT("a point of the plane"), NORMAL("the side that counts") };
static const mn_setting front_rows[]       = { POINT("where the distance is measured from"),
                                               NORMAL("direction of the distance") };
static const mn_setting height_rows[] = { POINT("the surface above or below this point; heights count from here") };
static const mn_setting force_rows[]  = {
     { "of", MN_SET_NAME, AT(mn_probe_def, of), .flags = MN_SET_REQUIRED, .help = "name of an obstacle" },
     NORMAL("the component that is measured"),
};
// clang-format off
#define OF_FABRIC { "of", MN_SET_NAME, AT(mn_probe_def, of), .flags = MN_SET_REQUIRED, .help = "name of a fabric" }
// clang-format on
static const mn_setting wet_rows[] = {
    OF_FABRIC,
    { "above", MN_SET_NUMBER, AT(mn_probe_def, above), NULL, 0.0, 1.0, .standard = "0.05", .flags = MN_SET_UNDER,
      .help = "saturation above which it counts as wet" },
};
static const mn_setting held_rows[]     = { OF_FABRIC };
static const mn_setting position_rows[] = {
    OF_FABRIC,
    { "group", MN_SET_NAME, AT(mn_probe_def, group), .flags = MN_SET_REQUIRED,
      .help = "its vertices; the mean of their places counts" },
    POINT("where the distance is measured from"),
    NORMAL("direction of the distance"),
};
static const mn_setting pin_force_rows[] = {
    OF_FABRIC,
    { "group", MN_SET_NAME, AT(mn_probe_def, group), .flags = MN_SET_REQUIRED,
      .help = "its vertices; they must be pinned" },
    NORMAL("the component that is measured"),
};
static const mn_section section_wet         = SECTION("wet_area and wet_radius", wet_rows),
                        section_held        = SECTION("held", held_rows),
                        section_position    = SECTION("position", position_rows),
                        section_pin_force   = SECTION("pin_force", pin_force_rows);
static const mn_section section_volume_in   = SECTION("volume_in", volume_in_rows),
                        section_front       = SECTION("front", front_rows),
                        section_plane_probe = SECTION("volume_beyond and flux", plane_probe_rows),
                        section_height = SECTION("height", height_rows), section_force = SECTION("force", force_rows),
                        section_speed = { .title = "speed" };

#define PROBE(word, body, text)                                                                     \
    static const mn_setting probe_##word##_rows[] = { { #word, MN_SET_SECTION, 0, .section = &body, \
                                                        .flags = MN_SET_REQUIRED, .help = text } }; \
    static const mn_section probe_##word          = SECTION("a probe of " #word, probe_##word##_rows);
PROBE(volume_in, section_volume_in, "liquid inside a shape, cm^3")
PROBE(volume_beyond, section_plane_probe, "liquid on the side of a plane that the normal points to, cm^3")
PROBE(flux, section_plane_probe,
      "liquid that moves through a plane along its normal, mean since the last frame, cm^3/s")
PROBE(front, section_front, "farthest reach of the liquid along a direction, cm")
PROBE(height, section_height, "height of the liquid surface at a point, cm")
PROBE(force, section_force,
      "force of the pressure of the liquid (not of its friction) on an obstacle along a direction, dyn; the mean since "
      "the last frame")
PROBE(speed, section_speed, "largest speed of the liquid, cm/s")
PROBE(wet_area, section_wet, "area of cloth that is wet, cm^2")
PROBE(wet_radius, section_wet, "radius of a disc with that area, cm")
PROBE(held, section_held, "liquid in the pores of a fabric, cm^3")
PROBE(position, section_position, "place of vertices of a fabric along a direction, cm")
PROBE(pin_force, section_pin_force, "force of a fabric on pins along a direction, dyn")

// In the order of mn_probe_kind.
static const mn_section *const probe_kinds[]  = { &probe_volume_in, &probe_volume_beyond, &probe_flux,
                                                  &probe_front,     &probe_height,        &probe_force,
                                                  &probe_speed,     &probe_wet_area,      &probe_wet_radius,
                                                  &probe_held,      &probe_position,      &probe_pin_force };
const mn_group                 mn_group_probe = { "probes", "a probe", KINDS(probe_kinds) };

// --- output and camera -----------------------------------------------------------------------------------------------

#define WORD(name, word)    word
#define WORD_OF(name, word) word,
static const char *const part_words[]  = { MN_OUTPUT_PART_LIST(WORD_OF, ) NULL };
static const char *const field_words[] = { MN_OUTPUT_FIELD_LIST(WORD_OF) NULL };

static const mn_setting checkpoint_rows[] = {
    { "every", MN_SET_INTEGER, AT(mn_output_def, checkpoint_every), NULL, 0, 1000000000, .standard = "10",
      .help = "frames from one checkpoint to the next; 0: only at the end" },
    { "keep", MN_SET_INTEGER, AT(mn_output_def, checkpoint_keep), NULL, 1, 1000000000, .standard = "3",
      .help = "checkpoints kept" },
};
static const mn_section section_checkpoint = SECTION("checkpoint", checkpoint_rows);

static const mn_setting output_rows[] = {
    { "parts", MN_SET_WORDS, AT(mn_output_def, part), .standard = "[" MN_OUTPUT_PART_LIST(WORD, ", ") "]",
      .choices = part_words,
      .help    = "parts that are written every frame, if the scene has them; tubes are the yarn as round triangle "
                 "meshes" },
    { "fields", MN_SET_WORDS, AT(mn_output_def, field), .standard = "[velocity, volume, pressure]",
      .choices = field_words,
      .help = "fields of the parts; volume is of particles alone; pressure (dyn/cm^2) of particles and surface, as the "
              "last step had it; "
              "saturation, solid_fraction and held (liquid of a vertex, cm^3) are of "
              "fabric, and are written by default too if the scene has fabric and liquid" },
    { "checkpoint", MN_SET_SECTION, 0, .section = &section_checkpoint, .help = "states to continue from" },
    { "disk_reserve", MN_SET_NUMBER, AT(mn_output_def, disk_reserve), NULL, 0.0, NO_LIMIT, .standard = "200",
      .help = "MB of disk that must stay free; below it the run waits" },
};
const mn_section mn_section_output = SECTION("output", output_rows);

static const mn_setting camera_rows[] = {
    { "from", MN_SET_VECTOR, AT(mn_camera_def, from), "cm", .flags = MN_SET_OPTIONAL,
      .help = "where the eye is; without `from` and `to` the view is chosen from what is there" },
    { "to", MN_SET_VECTOR, AT(mn_camera_def, to), "cm", .flags = MN_SET_OPTIONAL, .help = "what it looks at" },
    { "angle", MN_SET_NUMBER, AT(mn_camera_def, angle), "deg", 0.0, 3.14159265358979323846, .standard = "35",
      .flags = MN_SET_ABOVE | MN_SET_UNDER, .help = "opening from low to high" },
    { "size", MN_SET_PIXELS, AT(mn_camera_def, size), NULL, 1, 16384, .standard = "[960, 540]",
      .help = "of the picture, in pixels" },
};
const mn_section mn_section_camera = SECTION("camera", camera_rows);

// --- the whole scene -------------------------------------------------------------------------------------------------

// clang-format off
#define LATER(word, text) { #word, MN_SET_SECTION, 0, .flags = MN_SET_LATER, .help = text }
#define THINGS(word, group_, text) { #word, MN_SET_NAMED, 0, .group = &group_, .flags = MN_SET_OPTIONAL, .help = text }
#define PART(word, text) { #word, MN_SET_SECTION, AT(mn_scene_data, word), .section = &mn_section_##word, .help = text }
// clang-format on

static const mn_setting scene_rows[] = {
    { "format", MN_SET_INTEGER, AT(mn_scene_data, format), NULL, 1, 1, .standard = "1",
      .help = "version of the scene language" },
    { "name", MN_SET_TEXT, AT(mn_scene_data, name), .standard = "", .help = "what the scene is called" },
    { "description", MN_SET_TEXT, AT(mn_scene_data, description), .standard = "", .help = "what it shows" },
    { "include", MN_SET_APART, 0, .flags = MN_SET_OPTIONAL,
      .help = "a scene file or a list of them, read first; what is written here wins" },
    PART(domain, "space and grid"),
    PART(time, "time and steps"),
    THINGS(materials, mn_group_material, "what things are made of"),
    THINGS(shapes, mn_group_shape, "shapes with names"),
    { "motions", MN_SET_NAMED, 0, .section = &mn_section_motion, .flags = MN_SET_OPTIONAL,
      .help = "motions with names" },
    { "obstacles", MN_SET_NAMED, 0, .section = &mn_section_obstacle, .flags = MN_SET_OPTIONAL,
      .help = "solids that move as the scene says" },
    THINGS(liquids, mn_group_liquid, "liquid at the start, sources and sinks"),
    THINGS(fabrics, mn_group_fabric, "cloth, yarn and hair"),
    LATER(strands, "hair and fibres"),
    LATER(bodies, "rigid and soft bodies"),
    LATER(membranes, "liquid surfaces that carry bodies"),
    THINGS(stains, mn_group_stain, "coloured liquid on cloth"),
    { "pairs", MN_SET_PAIRS, 0, .section = &mn_section_pair, .flags = MN_SET_OPTIONAL,
      .help = "list of what belongs to two materials" },
    { "wind", MN_SET_SECTION, AT(mn_scene_data, wind), .section = &mn_section_wind, .flags = MN_SET_OPTIONAL,
      .help = "moving air; without it there is no air" },
    PART(solver, "accuracy of the solves"),
    PART(output, "what is written"),
    PART(camera, "the view of pictures"),
    THINGS(probes, mn_group_probe, "named numbers measured every frame"),
    { "variants", MN_SET_APART, 0, .flags = MN_SET_OPTIONAL,
      .help = "named sets of changes: a map from names to settings, whose keys may be dotted" },
};
const mn_section mn_section_scene = SECTION("a scene", scene_rows);

// --- searching -------------------------------------------------------------------------------------------------------

const mn_setting *mn_section_find(const mn_section *section, const char *key)
{
    for (int k = 0; k < section->count; k++) {
        if (strcmp(section->settings[k].key, key) == 0) return &section->settings[k];
    }
    return NULL;
}

const char *mn_group_word(const mn_group *group, int k)
{
    return group->by_kind ? mn_material_kinds[k] : group->kinds[k]->settings[0].key;
}

int mn_group_find(const mn_group *group, const char *word)
{
    for (int k = 0; k < group->count; k++) {
        if (strcmp(mn_group_word(group, k), word) == 0) return k;
    }
    return -1;
}

void mn_setting_range(const mn_setting *s, char out[MN_RANGE_BYTES])
{
    out[0] = '\0';
    if (s->low == 0.0 && s->high == 0.0) return;
    // An angle has its range in radians and is read in degrees.
    const double to_shown = s->unit != NULL && strncmp(s->unit, "deg", 3) == 0 ? 57.29577951308232 : 1.0;
    const double low = s->low * to_shown, high = s->high * to_shown;
    const bool   above = s->flags & MN_SET_ABOVE, under = s->flags & MN_SET_UNDER;
    if (low == high) {
        snprintf(out, MN_RANGE_BYTES, "%.6g", low);
    } else if (isinf(high)) {
        snprintf(out, MN_RANGE_BYTES, "%s %.6g", above ? "above" : "at least", low);
    } else if (above && under) {
        snprintf(out, MN_RANGE_BYTES, "above %.6g and below %.6g", low, high);
    } else if (above) {
        snprintf(out, MN_RANGE_BYTES, "above %.6g and at most %.6g", low, high);
    } else {
        snprintf(out, MN_RANGE_BYTES, "from %.6g %s %.6g", low, under ? "to below" : "to", high);
    }
}
