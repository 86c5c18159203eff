// SPDX-License-Identifier: MPL-2.0
// scene/settings.c - the rows of what only a scene has: output and camera. Its keys are in things.c.
#include "scene/settings.h"

#include "defs/rows.h"

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
              "last step had it; saturation, solid_fraction and held (liquid of a vertex, cm^3) are of fabric, and are "
              "written by default too if the scene has fabric and liquid" },
    { "checkpoint", MN_SET_SECTION, 0, .section = &section_checkpoint, .help = "states to continue from" },
    { "disk_reserve", MN_SET_NUMBER, AT(mn_output_def, disk_reserve), NULL, 0.0, 1e9, .standard = "200",
      .help = "MB of disk that must stay free; below it the run waits; less than the disk has in all" },
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
