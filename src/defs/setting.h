// SPDX-License-Identifier: MPL-2.0
// defs/setting.h - a setting: one row for every value of a definition, the same for C and for scenes.
//
// A row has the key, its type, unit, range, default, choices, help text, and where its value stands in the definition.
// mn_defs_check holds definitions made in C to the rows; reading, --set, the JSON Schema, the reference page and the
// resolved scene are made from them too.
#ifndef MN_DEFS_SETTING_H
#define MN_DEFS_SETTING_H

#include <stdbool.h>
#include <stddef.h>

typedef enum mn_setting_type {
    MN_SET_NUMBER,       ///< double
    MN_SET_VECTOR,       ///< double[3]; two components are enough in a two-dimensional scene
    MN_SET_PAIR,         ///< double[2]
    MN_SET_BOUNDS,       ///< double[2][3]
    MN_SET_INTEGER,      ///< int
    MN_SET_COUNT,        ///< int64_t
    MN_SET_SEED,         ///< uint64_t
    MN_SET_PIXELS,       ///< int[2]
    MN_SET_CHOICE,       ///< enum: the place among `choices`
    MN_SET_FLAG,         ///< bool: the second of two `choices`
    MN_SET_WORDS,        ///< bool[]: one for each of `choices`
    MN_SET_NAME,         ///< char[MN_NAME_BYTES]
    MN_SET_TEXT,         ///< const char *
    MN_SET_FILE,         ///< const char *: a path that works from the working folder
    MN_SET_SECTION,      ///< a map of its own, stored at the offset
    MN_SET_NAMED,        ///< a map from names to things, each as its group or section says
    MN_SET_SHAPE,        ///< mn_shape *: a name or a map
    MN_SET_SHAPES,       ///< list of shapes, into mn_shape_def.parts
    MN_SET_MOTION,       ///< mn_motion_def: a name, a map or `fixed`
    MN_SET_KEYS,         ///< list of motion keys, into mn_motion_def.keys
    MN_SET_LIQUID,       ///< mn_liquid_material: the name of a material of kind liquid
    MN_SET_FABRIC,       ///< mn_fabric_material: the name of a material of kind fabric
    MN_SET_STIFFNESS,    ///< mn_pin_def: `hard`, or the stiffness of a soft pin
    MN_SET_EVAPORATION,  ///< double: cm/s, or a mass per area and time of the scene's liquid
    MN_SET_AMOUNTS,      ///< a number, or a map from groups of vertices to numbers; read when the mesh is there
    MN_SET_NAME_PAIR,    ///< char[2][MN_NAME_BYTES]
    MN_SET_PAIRS,        ///< list of maps of mn_section_pair, into mn_scene_data
    MN_SET_SOLUTES,      ///< map from pigments to concentrations: mn_solutes; with offset 0 nothing is stored
    MN_SET_PIGMENTS,     ///< mn_stain_entry: names of materials of kind pigment
    MN_SET_APART         ///< read before the rest: include, variants
} mn_setting_type;

typedef enum mn_setting_flags {
    MN_SET_REQUIRED  = 1,
    MN_SET_OPTIONAL  = 2,    ///< has no default and may be absent; in C: 0 if that is outside the range, else below 0
    MN_SET_ABOVE     = 4,    ///< the low end does not belong to the range
    MN_SET_UNDER     = 8,    ///< the high end does not belong to the range
    MN_SET_INFINITE  = 16,   ///< .inf is allowed
    MN_SET_DIRECTION = 32,   ///< a vector that must not be zero
    MN_SET_LATER     = 64,   ///< part of the language, but this version does not have it
    MN_SET_RISING    = 128,  ///< the second of a pair must be above the first
    MN_SET_NUMBERED  = 256,  ///< a path with the place of a number, as %04d, stands for many files
    MN_SET_OPEN      = 512,  ///< has a default in a scene, but may be absent in C as if it were optional
    MN_SET_OR_ZERO   = 1024  ///< 0 is accepted beside the range
} mn_setting_flags;

struct mn_section;
struct mn_group;

typedef struct mn_setting {
    const char     *key;
    mn_setting_type type;
    size_t          offset;
    const char     *unit;       ///< of a bare number, NULL: a pure number
    double          low, high;  ///< both zero: no range but that of every number
    const char     *standard;   ///< the default as scene text; NULL: a section's own defaults, or none
    const char *standard_2d;    ///< where it differs in two dimensions; of a required vector: its z when left out there
    const char *const       *choices;  ///< ended by NULL
    const struct mn_section *section;  ///< of a section, or of the things of a map of names
    const struct mn_group   *group;    ///< of the things of a map of names
    unsigned                 flags;
    const char              *help;
} mn_setting;

typedef struct mn_section {
    const char       *title;  ///< as messages call it
    const mn_setting *settings;
    int               count;
    size_t            bytes;  ///< of the definition in a public header that the rows begin with; the values of rows
                              ///< behind it are of scenes alone. 0: no definition
    bool spread;              ///< one value may stand for the whole map and is given to every key
} mn_section;

/// Things of which there are several kinds. The kind shows in the first key of its section, or (`words`) in the value
/// of the key `kind`.
typedef struct mn_group {
    const char              *title, *thing;  ///< "Shapes", "a shape"
    const mn_section *const *kinds;
    int                      count;
    const char *const       *words;  ///< of the key `kind`, or NULL
} mn_group;

const mn_setting *mn_section_find(const mn_section *section, const char *key);
/// The row of a path of keys that is surely there: "drag.exponent".
const mn_setting *mn_section_row(const mn_section *section, const char *path);
/// The kind of a group whose first key (or `kind` word) is `word`, or -1.
int mn_group_find(const mn_group *group, const char *word);
/// The word that tells kind `k` of a group from the others.
const char *mn_group_word(const mn_group *group, int k);

/// A number without a range of its own lies within this: its square is then an ordinary number.
#define MN_NUMBER_FARTHEST 1e15
/// Lengths of shapes, and directions, are at least this long.
#define MN_LENGTH_SHORTEST 1e-15

/// Whether it is an angle: in radians in C, in degrees in a scene and in messages.
bool mn_setting_is_angle(const mn_setting *setting);
/// A value as it is written without a unit.
double mn_setting_shown(const mn_setting *setting, double value);
bool   mn_setting_in_range(const mn_setting *setting, double value);
bool   mn_direction_fits(const double v[3]);

#define MN_RANGE_BYTES 96
/// The range in words: "above 0", "from 1 to 64", "at least 0"; "" if there is none.
void mn_setting_range(const mn_setting *setting, char out[MN_RANGE_BYTES]);
/// What a message says of a value outside: the range and its unit, or that of every number.
void mn_setting_accepted(const mn_setting *setting, char out[MN_RANGE_BYTES]);

#endif
