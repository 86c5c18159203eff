// SPDX-License-Identifier: MPL-2.0
// defs/objects.c - the rows of obstacles, liquids and probes.
#include "defs/rows.h"

IS_TURN(mn_obstacle_def);
IS_TURN(mn_liquid_def);

static const char *const wall_words[] = { "slip", "no_slip", NULL };

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
const mn_section mn_section_obstacle = SECTION_OF(mn_obstacle_def, "an obstacle", obstacle_rows);

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
      .standard = "8", .standard_2d = "4", .flags = MN_SET_OPEN, .help = "particles in a full cell" }, \
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
static const mn_section section_fill   = SECTION_OF(mn_liquid_def, "fill", fill_rows);
static const mn_section section_source = SECTION_OF(mn_liquid_def, "source", source_rows);
static const mn_section section_sink   = SECTION_OF(mn_liquid_def, "sink", sink_rows);

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
              "disc counts as it is seen along the velocity. At most half of it may lie in walls and obstacles at rest "
              "when it begins: that part's liquid comes out beside them" },
    LIQUID_MATERIAL,
    LIQUID_SAMPLING,
};
static const mn_setting liquid_sink_rows[] = {
    { "sink", MN_SET_SECTION, 0, .section = &section_sink, .flags = MN_SET_REQUIRED,
      .help = "a place where liquid is taken out, at the end of every step that its time meets" },
};
static const mn_section liquid_fill   = SECTION_OF(mn_liquid_def, "a liquid with 'fill'", liquid_fill_rows);
static const mn_section liquid_source = SECTION_OF(mn_liquid_def, "a liquid with 'source'", liquid_source_rows);
static const mn_section liquid_sink   = SECTION_OF(mn_liquid_def, "a liquid with 'sink'", liquid_sink_rows);
// In the order of mn_liquid_role.
static const mn_section *const liquid_kinds[]  = { &liquid_fill, &liquid_source, &liquid_sink };
const mn_group                 mn_group_liquid = { "liquids", "a liquid", KINDS(liquid_kinds) };

// --- probes ----------------------------------------------------------------------------------------------------------

// clang-format off
#define POINT(text) { "point", MN_SET_VECTOR, AT(mn_probe_def, point), "cm", .standard = "[0, 0, 0]", .help = text }
#define NORMAL(text) \
    { "normal", MN_SET_VECTOR, AT(mn_probe_def, normal), .standard = "[1, 0, 0]", .flags = MN_SET_DIRECTION, \
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
static const mn_section section_wet         = SECTION_OF(mn_probe_def, "wet_area and wet_radius", wet_rows),
                        section_held        = SECTION_OF(mn_probe_def, "held", held_rows),
                        section_position    = SECTION_OF(mn_probe_def, "position", position_rows),
                        section_pin_force   = SECTION_OF(mn_probe_def, "pin_force", pin_force_rows);
static const mn_section section_volume_in   = SECTION_OF(mn_probe_def, "volume_in", volume_in_rows),
                        section_front       = SECTION_OF(mn_probe_def, "front", front_rows),
                        section_plane_probe = SECTION_OF(mn_probe_def, "volume_beyond and flux", plane_probe_rows),
                        section_height      = SECTION_OF(mn_probe_def, "height", height_rows),
                        section_force       = SECTION_OF(mn_probe_def, "force", force_rows),
                        section_speed       = { .title = "speed", .bytes = sizeof(mn_probe_def) };

#define PROBE(word, body, text)                                                                     \
    static const mn_setting probe_##word##_rows[] = { { #word, MN_SET_SECTION, 0, .section = &body, \
                                                        .flags = MN_SET_REQUIRED, .help = text } }; \
    static const mn_section probe_##word          = SECTION_OF(mn_probe_def, "a probe of " #word, probe_##word##_rows);
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
