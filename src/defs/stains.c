// SPDX-License-Identifier: MPL-2.0
// defs/stains.c - the rows of stains, of their patches, drops and sources.
#include "defs/rows.h"

IS_TURN(mn_stain_def);

#define NOT_NEGATIVE 0.0, NO_LIMIT

static const char *const truth_words[]   = { "false", "true", NULL };
static const char *const carrier_words[] = { "film", "fabric", NULL };

// --- patches ---------------------------------------------------------------------------------------------------------

static const mn_setting weft_rows[] = {
    { "at", MN_SET_VECTOR, AT(mn_weft_direction, at), "cm", .flags = MN_SET_REQUIRED,
      .help = "a place on the cloth at the start; the nearest triangle of the patch is meant" },
    { "along", MN_SET_VECTOR, AT(mn_weft_direction, along), NULL, .flags = MN_SET_REQUIRED | MN_SET_DIRECTION,
      .help = "direction of the weft there" },
};
const mn_section mn_section_stain_weft = SECTION_OF(mn_weft_direction, "a direction of the weft", weft_rows);

static const mn_setting patch_rows[] = {
    { "inside", MN_SET_SHAPE, AT(mn_stain_patch_entry, def.shape), .flags = MN_SET_OPTIONAL,
      .help = "where it is on the cloth at the start; without it the whole cloth. Later patches win over earlier "
              "ones" },
    { "weave", MN_SET_TEXT, AT(mn_stain_patch_entry, pattern), .flags = MN_SET_OPTIONAL,
      .help = "what `meniscus weave` takes: plain, twill:2/2, satin:5/2, knit, cells:..., or a file; the ratio of its "
              "rates counts" },
    { "gaps", MN_SET_FLAG, AT(mn_stain_patch_entry, gaps), .standard = "false", .choices = truth_words,
      .help = "whether the yarns of the weave stand apart" },
    { "threads", MN_SET_NUMBER, AT(mn_stain_patch_entry, def.threads), "cm", 0.0, NO_LIMIT, .standard = "0",
      .help = "width of a cell of the weave whose threads are resolved, each with a tensor of its own, to compare: "
              "edges of triangles must follow them; 0: one tensor" },
    { "rates", MN_SET_PAIR, AT(mn_stain_patch_entry, rates), NULL, 0.0, NO_LIMIT, .standard = "[1, 1]",
      .flags = MN_SET_ABOVE,
      .help  = "relative rates of spreading along the weft and the warp, where no weave is given" },
    { "weft", MN_SET_VECTOR, AT(mn_stain_patch_entry, def.weft), NULL, .flags = MN_SET_OPTIONAL | MN_SET_DIRECTION,
      .help = "direction of the weft at the start, [1, 0, 0] if none is given; what is not along the cloth is left "
              "out" },
    { "wefts", MN_SET_NAMED, 0, .section = &mn_section_stain_weft, .flags = MN_SET_OPTIONAL,
      .help = "instead of `weft`: directions at several places, by name; between them the weft turns as smoothly as it "
              "can" },
};
const mn_section mn_section_stain_patch = SECTION_OF(mn_stain_patch, "a patch of a stain", patch_rows);

// --- drops and sources -----------------------------------------------------------------------------------------------

// clang-format off
#define PLACE \
    { "inside", MN_SET_SHAPE, AT(mn_stain_drop, shape), .flags = MN_SET_OPTIONAL, \
      .help = "where it is at the start; without it everywhere" }, \
    { "density", MN_SET_NUMBER, AT(mn_stain_drop, density), "g/cm^2", 0.0, 1e3, \
      .flags = MN_SET_REQUIRED | MN_SET_ABOVE, .help = "liquid per area of cloth" }, \
    { "solutes", MN_SET_SOLUTES, 0, "g/cm^3", 0.0, NO_LIMIT, .flags = MN_SET_OPTIONAL, \
      .help = "map from pigments of the stain to concentrations" }
// clang-format on

static const mn_setting drop_rows[] = {
    PLACE,
    { "velocity", MN_SET_VECTOR, AT(mn_stain_drop, velocity), "cm/s", .standard = "[0, 0, 0]",
      .help = "relative to the cloth, along it" },
    { "outward", MN_SET_NUMBER, AT(mn_stain_drop, outward), "cm/s", NOT_NEGATIVE, .standard = "0",
      .help = "speed of its rim away from its middle" },
    { "ragged", MN_SET_NUMBER, AT(mn_stain_drop, ragged), NULL, 0.0, 1.0, .standard = "0",
      .help = "share of `outward` that differs from direction to direction" },
    { "seed", MN_SET_SEED, AT(mn_stain_drop, seed), .standard = "1", .help = "of those differences" },
    { "pinned", MN_SET_FLAG, AT(mn_stain_drop, pinned), .standard = "false", .choices = truth_words,
      .help =
          "whether it sits on the cloth as a round drop whose contact line stays, about the middle of the box around "
          "`inside`, half as wide as that: a cap, `density` on its mean, that `spread` holds in shape and that dries "
          "as vapour diffuses from it, at the rate of `evaporation` on its mean" },
    { "contact_angle", MN_SET_NUMBER, AT(mn_stain_drop, contact_angle), "deg", 0.0, 1.57079632679489662,
      .standard = "0", .help = "of a pinned drop: the flatter it is, the more of it dries at its contact line" },
};
static const mn_setting source_rows[] = {
    PLACE,
    { "during", MN_SET_PAIR, AT(mn_stain_drop, during), "s", 0.0, NO_LIMIT, .standard = "[0, .inf]",
      .flags = MN_SET_INFINITE | MN_SET_RISING, .help = "from when to when it is kept at its density" },
};
const mn_section mn_section_stain_drop   = SECTION_OF(mn_stain_drop, "a drop", drop_rows),
                 mn_section_stain_source = SECTION_OF(mn_stain_drop, "a source of a stain", source_rows);

// --- stains ----------------------------------------------------------------------------------------------------------

static const mn_setting absorption_rows[] = {
    { "rate", MN_SET_NUMBER, AT(mn_stain_def, absorb_rate), "1/s", NOT_NEGATIVE, .standard = "0.05",
      .help = "rate of soaking in" },
    { "capacity", MN_SET_NUMBER, AT(mn_stain_def, hold), "g/cm^2", NOT_NEGATIVE, .standard = "0.015",
      .help = "most that the fibres hold" },
};
static const mn_setting drying_rows[] = {
    { "rate", MN_SET_NUMBER, AT(mn_stain_def, evaporation), "g/cm^2/s", NOT_NEGATIVE, .standard = "0.001",
      .help = "mass per area and time" },
    { "rim", MN_SET_NUMBER, AT(mn_stain_def, rim), NULL, 1.0, 100.0, .standard = "1.2",
      .help = "how many times faster the wet rim dries" },
};
static const mn_section section_absorption = SECTION_OF(mn_stain_def, "absorption", absorption_rows),
                        section_drying     = SECTION_OF(mn_stain_def, "evaporation", drying_rows);

// clang-format off
#define SWITCH(key_, standard_, text) \
    { #key_, MN_SET_FLAG, AT(mn_stain_def, key_), .standard = standard_, .choices = truth_words, .help = text }
#define COMMON \
    { "pigments", MN_SET_PIGMENTS, 0, .flags = MN_SET_OPTIONAL, \
      .help = "names of materials of kind pigment, at most 8" }, \
    { "carrier", MN_SET_FLAG, AT(mn_stain_def, in_fabric), .standard = "film", .choices = carrier_words, \
      .help = "what moves the pigment: a film of its own, or the liquid in the pores of the fabric; with `fabric` " \
              "only `on`, `pigments` and `drops` with `inside`, `density` and `solutes` remain, and drops are put " \
              "into the pores" }, \
    { "patches", MN_SET_NAMED, 0, .section = &mn_section_stain_patch, .flags = MN_SET_OPTIONAL, \
      .help = "weaves, by name" }, \
    { "drops", MN_SET_NAMED, 0, .section = &mn_section_stain_drop, .flags = MN_SET_OPTIONAL, \
      .help = "liquid at the start, by name" }, \
    { "sources", MN_SET_NAMED, 0, .section = &mn_section_stain_source, .flags = MN_SET_OPTIONAL, \
      .help = "places kept wet, by name" }, \
    { "step", MN_SET_NUMBER, AT(mn_stain_def, step), "s", 1e-9, 1.0, .standard = "0.01", \
      .help = "length of its own steps" }, \
    { "density", MN_SET_NUMBER, AT(mn_stain_def, density), "g/cm^3", 0.0, 100.0, .standard = "1", \
      .flags = MN_SET_ABOVE, .help = "of its liquid" }, \
    { "spread", MN_SET_NUMBER, AT(mn_stain_def, spread), "cm^2/s", NOT_NEGATIVE, .standard = "0.1", \
      .help = "rate of spreading, the mean over weft and warp" }, \
    { "friction", MN_SET_NUMBER, AT(mn_stain_def, friction), "cm^2/s", NOT_NEGATIVE, .standard = "0.1", \
      .help = "the same of its momentum" }, \
    { "drag", MN_SET_NUMBER, AT(mn_stain_def, drag), "1/s", NOT_NEGATIVE, .standard = "0", \
      .help = "rate at which the cloth slows it" }, \
    { "absorption", MN_SET_SECTION, 0, .section = &section_absorption, .help = "soaking into the fibres" }, \
    { "evaporation", MN_SET_SECTION, 0, .section = &section_drying, .help = "drying" }, \
    { "pin", MN_SET_NUMBER, AT(mn_stain_def, pin), "g/cm^2", NOT_NEGATIVE, .standard = "0", \
      .help = "liquid needed to wet a dry neighbour" }, \
    SWITCH(inertia, "true", "whether the motion of the cloth acts on the liquid"), \
    SWITCH(coriolis, "true", "whether its turning does"), \
    SWITCH(pressure, "false", "whether the film levels out under its weight; the sources leave it out"), \
    SWITCH(carry, "true", "whether spreading liquid takes its pigment along; false only to compare"), \
    { "colour", MN_SET_VECTOR, AT(mn_stain_def, cloth_colour), NULL, 0.0, 1.0, .standard = "[0.9, 0.9, 0.9]", \
      .help = "linear red, green and blue of the dry cloth" }, \
    { "texture", MN_SET_INTEGER, AT(mn_stain_def, texture), NULL, MN_STAIN_TEXTURE_LEAST, MN_STAIN_TEXTURE_MOST, \
      .standard = "0", .flags = MN_SET_OR_ZERO, \
      .help = "pixels of a square image of the stain, written with every frame, in the texture coordinates (vt) of " \
              "the mesh, which flat cloth may lack; 0: none" }
#define PLACED \
    { "at", MN_SET_VECTOR, AT(mn_stain_def, at), "cm", .standard = "[0, 0, 0]", \
      .help = "where the origin of the mesh is put, after the turn" }, \
    { "rotate", MN_SET_SECTION, AT(mn_stain_def, axis), .section = &mn_section_turn, \
      .help = "turned about the origin of the mesh" }, \
    { "motion", MN_SET_MOTION, AT(mn_stain_def, motion), .standard = "fixed", \
      .help = "of the cloth: a name, a map or `fixed`" }
#define OWN(word, member, text) \
    static const mn_setting stain_##word##_rows[] = { \
        { #word, MN_SET_SECTION, AT(mn_stain_entry, cloth.member), .section = &mn_section_##word, \
          .flags = MN_SET_REQUIRED, .help = text }, \
        COMMON, \
        PLACED \
    }; \
    static const mn_section stain_##word = SECTION_OF(mn_stain_def, "a stain on a '" #word "'", stain_##word##_rows);
OWN(sheet, cloth, "a rectangle of cloth in y = 0 that is moved, not simulated")
OWN(disc, cloth, "a disc of cloth, likewise")
OWN(hexagon, cloth, "a hexagon of cloth, likewise")
OWN(mesh, file, "cloth from a file, likewise")
// clang-format on

static const mn_setting on_rows[] = {
    { "on", MN_SET_NAME, AT(mn_stain_def, on), .flags = MN_SET_REQUIRED, .help = "a fabric with cloth" },
    COMMON,
    SWITCH(two_way, "false", "whether weight and friction of the liquid act on the fabric"),
};
static const mn_section stain_on = SECTION_OF(mn_stain_def, "a stain 'on' a fabric", on_rows);

static const mn_setting stain_rows[]     = { COMMON, PLACED };
const mn_section        mn_section_stain = SECTION_OF(mn_stain_def, "a stain", stain_rows);

static const mn_setting files_rows[] = {
    { "path", MN_SET_FILE, AT(mn_stain_def, files), .flags = MN_SET_REQUIRED | MN_SET_NUMBERED,
      .help = "numbered files as cloth-%04d.obj or .ply, or a point cache, cloth.pc2" },
    { "mesh", MN_SET_FILE, AT(mn_stain_def, files_mesh), .flags = MN_SET_OPTIONAL,
      .help = "file with the triangles of a point cache" },
    { "rate", MN_SET_NUMBER, AT(mn_stain_def, files_rate), "1/s", 0.0, NO_LIMIT, .standard = "24",
      .flags = MN_SET_ABOVE, .help = "frames a second" },
    { "start", MN_SET_NUMBER, AT(mn_stain_def, files_start), "s", .standard = "0", .help = "time of the first one" },
    { "scale", MN_SET_NUMBER, AT(mn_stain_def, files_scale), NULL, 0.0, NO_LIMIT, .standard = "1",
      .flags = MN_SET_ABOVE, .help = "factor to cm" },
};
const mn_section        mn_section_stain_files = SECTION_OF(mn_stain_def, "files", files_rows);
static const mn_setting stain_files_rows[]     = {
        { "files", MN_SET_SECTION, 0, .section = &mn_section_stain_files, .flags = MN_SET_REQUIRED,
          .help = "a cloth that moves as files say" },
        COMMON,
};
static const mn_section stain_files = SECTION_OF(mn_stain_def, "a stain on a cloth of 'files'", stain_files_rows);

// In the order of mn_stain_kind.
static const mn_section *const stain_kinds[]  = { &stain_on,      &stain_sheet, &stain_disc,
                                                  &stain_hexagon, &stain_mesh,  &stain_files };
const mn_group                 mn_group_stain = { "stains", "a stain", KINDS(stain_kinds) };
