// SPDX-License-Identifier: MPL-2.0
// defs/motion.c - the rows of turns and motions.
#include "defs/rows.h"

// --- placement and motion --------------------------------------------------------------------------------------------

IS_TURN(mn_motion_key);

static const mn_setting turn_rows[] = {
    { "axis", MN_SET_VECTOR, AT(mn_turn, axis), .standard = "[0, 1, 0]", .flags = MN_SET_DIRECTION,
      .help = "direction of the axis" },
    { "angle", MN_SET_NUMBER, AT(mn_turn, angle), "deg", .standard = "0",
      .help = "angle, right-handed about the axis" },
};
const mn_section mn_section_turn = SECTION_OF(mn_turn, "rotate", turn_rows);

static const char *const ease_words[] = { "linear", "smooth", NULL };

static const mn_setting motion_key_rows[] = {
    { "t", MN_SET_NUMBER, AT(mn_motion_key, time), "s", .flags = MN_SET_REQUIRED,
      .help = "time of the key, later than that of the key before" },
    { "translate", MN_SET_VECTOR, AT(mn_motion_key, translate), "cm", .standard = "[0, 0, 0]",
      .help = "how far the thing is moved" },
    { "rotate", MN_SET_SECTION, AT(mn_motion_key, axis), .section = &mn_section_turn,
      .help = "how far it is turned about the pivot" },
};
const mn_section mn_section_motion_key = SECTION_OF(mn_motion_key, "a key of a motion", motion_key_rows);

static const mn_setting oscillate_rows[] = {
    { "amplitude", MN_SET_VECTOR, AT(mn_motion_def, amplitude), "cm", .standard = "[0, 0, 0]",
      .help = "largest displacement" },
    { "frequency", MN_SET_NUMBER, AT(mn_motion_def, frequency), "1/s", 0.0, MN_NUMBER_FARTHEST, .standard = "0",
      .help = "oscillations per second" },
    { "phase", MN_SET_NUMBER, AT(mn_motion_def, phase), "deg", .standard = "0", .help = "phase at time 0 of the sine" },
};
static const mn_section section_oscillate = SECTION_OF(mn_motion_def, "oscillate", oscillate_rows);

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
const mn_section mn_section_motion = SECTION_OF(mn_motion_def, "a motion", motion_rows);
