// SPDX-License-Identifier: MPL-2.0
// scene/settings_stains.c - the rows of the table for stains, their patches, drops and sources.
#include "scene/settings.h"

#include <math.h>
#include <stddef.h>

// clang-format off
#define SECTION(title_, rows) { .title = title_, .settings = rows, .count = (int)(sizeof(rows) / sizeof(rows)[0]) }
// clang-format on
#define AT(member)   offsetof(mn_stain_entry, member)
#define NOT_NEGATIVE 0.0, INFINITY

static const char *const truth_words[]   = { "false", "true", NULL };
static const char *const carrier_words[] = { "film", "fabric", NULL };

// --- patches ---------------------------------------------------------------------------------------------------------

#define AT_WEFT(member) offsetof(mn_weft_direction, member)
static const mn_setting weft_rows[] = {
    { "at", MN_SET_VECTOR, AT_WEFT(at), "cm", .flags = MN_SET_REQUIRED,
      .help = "a place on the cloth at the start; the nearest triangle of the patch is meant" },
    { "along", MN_SET_VECTOR, AT_WEFT(along), NULL, .flags = MN_SET_REQUIRED | MN_SET_DIRECTION,
      .help = "direction of the weft there" },
};
const mn_section mn_section_stain_weft = SECTION("a direction of the weft", weft_rows);

#define AT_PATCH(member) offsetof(mn_stain_patch_entry, member)
static const mn_setting patch_rows[] = {
    { "inside", MN_SET_SHAPE, AT_PATCH(def.shape), .flags = MN_SET_OPTIONAL,
      .help = "where it is on the cloth at the start; without it the whole cloth. Later patches win over earlier "
              "ones" },
    { "weave", MN_SET_TEXT, AT_PATCH(pattern), .flags = MN_SET_OPTIONAL,
      .help = "what `meniscus weave` takes: plain, twill:2/2, satin:5/2, knit, cells:..., or a file; the ratio of its "
              "rates counts" },
    { "gaps", MN_SET_FLAG, AT_PATCH(gaps), .standard = "false", .choices = truth_words,
      .help = "whether the yarns of the weave stand apart" },
    { "threads", MN_SET_NUMBER, AT_PATCH(def.threads), "cm", 0.0, INFINITY, .standard = "0",
      .help = "width of a cell of the weave whose threads are resolved, each with a tensor of its own, to compare: "
              "edges of triangles must follow them; 0: one tensor" },
    { "rates", MN_SET_PAIR, AT_PATCH(rates), NULL, 0.0, INFINITY, .standard = "[1, 1]", .flags = MN_SET_ABOVE,
      .help = "relative rates of spreading along the weft and the warp, where no weave is given" },
    { "weft", MN_SET_VECTOR, AT_PATCH(def.weft), NULL, .flags = MN_SET_OPTIONAL | MN_SET_DIRECTION,
      .help = "direction of the weft at the start, [1, 0, 0] if none is given; what is not along the cloth is left "
              "out" },
    { "wefts", MN_SET_NAMED, 0, .section = &mn_section_stain_weft, .flags = MN_SET_OPTIONAL,
      .help = "instead of `weft`: directions at several places, by name; between them the weft turns as smoothly as it "
              "can" },
};
const mn_section mn_section_stain_patch = SECTION("a patch of a stain", patch_rows);

// --- drops and sources -----------------------------------------------------------------------------------------------

#define AT_DROP(member) offsetof(mn_stain_drop, member)
// clang-format off
#define PLACE                                                                                                               \
    { "inside", MN_SET_SHAPE, AT_DROP(shape), .flags = MN_SET_OPTIONAL, .help = "where it is at the start; without it everywhere" }, \
    { "density", MN_SET_NUMBER, AT_DROP(density), "g/cm^2", 0.0, INFINITY, .flags = MN_SET_REQUIRED | MN_SET_ABOVE,          \
      .help = "liquid per area of cloth" },                                                                                  \
    { "solutes", MN_SET_SOLUTES, 0, "g/cm^3", 0.0, INFINITY, .flags = MN_SET_OPTIONAL,                                       \
      .help = "map from pigments of the stain to concentrations" }
// clang-format on

static const mn_setting drop_rows[] = {
    PLACE,
    { "velocity", MN_SET_VECTOR, AT_DROP(velocity), "cm/s", .standard = "[0, 0, 0]",
      .help = "relative to the cloth, along it" },
    { "outward", MN_SET_NUMBER, AT_DROP(outward), "cm/s", NOT_NEGATIVE, .standard = "0",
      .help = "speed of its rim away from its middle" },
    { "ragged", MN_SET_NUMBER, AT_DROP(ragged), NULL, 0.0, 1.0, .standard = "0",
      .help = "share of `outward` that differs from direction to direction" },
    { "seed", MN_SET_SEED, AT_DROP(seed), .standard = "1", .help = "of those differences" },
};
static const mn_setting source_rows[] = {
    PLACE,
    { "during", MN_SET_PAIR, AT_DROP(during), "s", 0.0, INFINITY, .standard = "[0, .inf]",
      .flags = MN_SET_INFINITE | MN_SET_RISING, .help = "from when to when it is kept at its density" },
};
const mn_section mn_section_stain_drop   = SECTION("a drop", drop_rows),
                 mn_section_stain_source = SECTION("a source of a stain", source_rows);

// --- stains ----------------------------------------------------------------------------------------------------------

static const mn_setting absorption_rows[] = {
    { "rate", MN_SET_NUMBER, AT(def.absorb_rate), "1/s", NOT_NEGATIVE, .standard = "0.05",
      .help = "rate of soaking in" },
    { "capacity", MN_SET_NUMBER, AT(def.hold), "g/cm^2", NOT_NEGATIVE, .standard = "0.015",
      .help = "most that the fibres hold" },
};
static const mn_setting drying_rows[] = {
    { "rate", MN_SET_NUMBER, AT(def.evaporation), "g/cm^2/s", NOT_NEGATIVE, .standard = "0.001",
      .help = "mass per area and time" },
    { "rim", MN_SET_NUMBER, AT(def.rim), NULL, 1.0, 100.0, .standard = "1.2",
      .help = "how many times faster the wet rim dries" },
};
static const mn_section section_absorption = SECTION("absorption", absorption_rows),
                        section_drying     = SECTION("evaporation", drying_rows);

// clang-format off
#define SWITCH(key_, member, standard_, text) { key_, MN_SET_FLAG, AT(def.member), .standard = standard_, .choices = truth_words, .help = text }
#define COMMON                                                                                                                  \
    { "pigments", MN_SET_PIGMENTS, 0, .flags = MN_SET_OPTIONAL, .help = "names of materials of kind pigment, at most 8" },       \
    { "carrier", MN_SET_CHOICE, AT(carrier), .standard = "film", .choices = carrier_words,                                      \
      .help = "what moves the pigment: a film of its own, or the liquid in the pores of the fabric; with `fabric` only `on`, "  \
              "`pigments` and `drops` with `inside`, `density` and `solutes` remain, and drops are put into the pores" },       \
    { "patches", MN_SET_NAMED, 0, .section = &mn_section_stain_patch, .flags = MN_SET_OPTIONAL, .help = "weaves, by name" },    \
    { "drops", MN_SET_NAMED, 0, .section = &mn_section_stain_drop, .flags = MN_SET_OPTIONAL, .help = "liquid at the start, by name" }, \
    { "sources", MN_SET_NAMED, 0, .section = &mn_section_stain_source, .flags = MN_SET_OPTIONAL, .help = "places kept wet, by name" }, \
    { "step", MN_SET_NUMBER, AT(def.step), "s", 0.0, 1.0, .standard = "0.01", .flags = MN_SET_ABOVE, .help = "length of its own steps" }, \
    { "density", MN_SET_NUMBER, AT(def.density), "g/cm^3", 0.0, 100.0, .standard = "1", .flags = MN_SET_ABOVE, .help = "of its liquid" }, \
    { "spread", MN_SET_NUMBER, AT(def.spread), "cm^2/s", NOT_NEGATIVE, .standard = "0.1",                                       \
      .help = "rate of spreading, the mean over weft and warp" },                                                               \
    { "friction", MN_SET_NUMBER, AT(def.friction), "cm^2/s", NOT_NEGATIVE, .standard = "0.1", .help = "the same of its momentum" }, \
    { "drag", MN_SET_NUMBER, AT(def.drag), "1/s", NOT_NEGATIVE, .standard = "0", .help = "rate at which the cloth slows it" },   \
    { "absorption", MN_SET_SECTION, 0, .section = &section_absorption, .help = "soaking into the fibres" },                     \
    { "evaporation", MN_SET_SECTION, 0, .section = &section_drying, .help = "drying" },                                         \
    { "pin", MN_SET_NUMBER, AT(def.pin), "g/cm^2", NOT_NEGATIVE, .standard = "0", .help = "liquid needed to wet a dry neighbour" }, \
    SWITCH("inertia", inertia, "true", "whether the motion of the cloth acts on the liquid"),                                   \
    SWITCH("coriolis", coriolis, "true", "whether its turning does"),                                                           \
    SWITCH("pressure", pressure, "false", "whether the film levels out under its weight; the sources leave it out"),            \
    SWITCH("carry", carry, "true", "whether spreading liquid takes its pigment along; false only to compare"),                  \
    { "colour", MN_SET_VECTOR, AT(def.cloth_colour), NULL, 0.0, 1.0, .standard = "[0.9, 0.9, 0.9]",                             \
      .help = "linear red, green and blue of the dry cloth" },                                                                  \
    { "texture", MN_SET_INTEGER, AT(def.texture), NULL, 0, MN_STAIN_TEXTURE_MOST, .standard = "0",                              \
      .help = "pixels of a square image of the stain, written with every frame, in the texture coordinates (vt) of the " \
              "mesh, which flat cloth may lack; 0: none" }
#define PLACED                                                                                                                  \
    { "at", MN_SET_VECTOR, AT(def.at), "cm", .standard = "[0, 0, 0]", .help = "where the origin of the mesh is put, after the turn" }, \
    { "rotate", MN_SET_SECTION, AT(def.axis), .section = &mn_section_turn, .help = "turned about the origin of the mesh" },      \
    { "motion", MN_SET_MOTION, AT(def.motion), .standard = "fixed", .help = "of the cloth: a name, a map or `fixed`" }
// clang-format on

_Static_assert(offsetof(mn_stain_def, angle) - offsetof(mn_stain_def, axis) == 3 * sizeof(double), "layout of a turn");

static const mn_setting on_rows[] = {
    { "on", MN_SET_NAME, AT(def.on), .flags = MN_SET_REQUIRED, .help = "a fabric with cloth" },
    COMMON,
    SWITCH("two_way", two_way, "false", "whether weight and friction of the liquid act on the fabric"),
};
static const mn_section stain_on = SECTION("a stain 'on' a fabric", on_rows);

#define OWN(word, text)                                                                                          \
    static const mn_setting stain_##word##_rows[] = { { #word, MN_SET_SECTION, 0, .section = &mn_section_##word, \
                                                        .flags = MN_SET_REQUIRED, .help = text },                \
                                                      COMMON,                                                    \
                                                      PLACED };                                                  \
    static const mn_section stain_##word          = SECTION("a stain on a '" #word "'", stain_##word##_rows);
OWN(sheet, "a rectangle of cloth in y = 0 that is moved, not simulated")
OWN(disc, "a disc of cloth, likewise")
OWN(hexagon, "a hexagon of cloth, likewise")
OWN(mesh, "cloth from a file, likewise")

static const mn_setting files_rows[] = {
    { "path", MN_SET_FILE, AT(def.files), .flags = MN_SET_REQUIRED | MN_SET_NUMBERED,
      .help = "numbered files as cloth-%04d.obj or .ply, or a point cache, cloth.pc2" },
    { "mesh", MN_SET_FILE, AT(def.files_mesh), .flags = MN_SET_OPTIONAL,
      .help = "file with the triangles of a point cache" },
    { "rate", MN_SET_NUMBER, AT(def.files_rate), "1/s", 0.0, INFINITY, .standard = "24", .flags = MN_SET_ABOVE,
      .help = "frames a second" },
    { "start", MN_SET_NUMBER, AT(def.files_start), "s", .standard = "0", .help = "time of the first one" },
    { "scale", MN_SET_NUMBER, AT(def.files_scale), NULL, 0.0, INFINITY, .standard = "1", .flags = MN_SET_ABOVE,
      .help = "factor to cm" },
};
static const mn_section section_files      = SECTION("files", files_rows);
static const mn_setting stain_files_rows[] = {
    { "files", MN_SET_SECTION, 0, .section = &section_files, .flags = MN_SET_REQUIRED,
      .help = "a cloth that moves as files say" },
    COMMON,
};
static const mn_section stain_files = SECTION("a stain on a cloth of 'files'", stain_files_rows);

// In the order of mn_stain_kind.
static const mn_section *const stain_kinds[] = { &stain_on,      &stain_sheet, &stain_disc,
                                                 &stain_hexagon, &stain_mesh,  &stain_files };
const mn_group mn_group_stain = { "stains", "a stain", stain_kinds, (int)(sizeof stain_kinds / sizeof *stain_kinds),
                                  .by_kind = false };
