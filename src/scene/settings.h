// SPDX-License-Identifier: MPL-2.0
// scene/settings.h - the one table of the scene language.
//
// Every key has one row: its type, unit, range, default, choices, help text, and where its value goes. Reading,
// checking, --set, the JSON Schema, the reference page and the resolved scene are all made from these rows.
#ifndef MN_SCENE_SETTINGS_H
#define MN_SCENE_SETTINGS_H

#include "meniscus/scene.h"

typedef enum mn_setting_type {
    MN_SET_NUMBER,       ///< double
    MN_SET_VECTOR,       ///< double[3]; two components are enough in a two-dimensional scene
    MN_SET_PAIR,         ///< double[2]
    MN_SET_BOUNDS,       ///< double[2][3]
    MN_SET_INTEGER,      ///< int
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
    MN_SET_OPTIONAL  = 2,    ///< has no default and may be absent
    MN_SET_ABOVE     = 4,    ///< the low end does not belong to the range
    MN_SET_UNDER     = 8,    ///< the high end does not belong to the range
    MN_SET_INFINITE  = 16,   ///< .inf is allowed
    MN_SET_DIRECTION = 32,   ///< a vector that must not be zero
    MN_SET_LATER     = 64,   ///< part of the language, but this version does not have it
    MN_SET_RISING    = 128,  ///< the second of a pair must be above the first
    MN_SET_NUMBERED  = 256   ///< a path with the place of a number, as %04d, stands for many files
} mn_setting_flags;

struct mn_section;
struct mn_group;

typedef struct mn_setting {
    const char     *key;
    mn_setting_type type;
    size_t          offset;
    const char     *unit;       ///< of a bare number, NULL: a pure number
    double          low, high;  ///< both zero: no range
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
    bool              spread;  ///< one value may stand for the whole map and is given to every key
} mn_section;

/// Things of which there are several kinds. The kind shows in the first key of its section, or (`by_kind`) in the
/// value of the key `kind`.
typedef struct mn_group {
    const char              *title, *thing;  ///< "Shapes", "a shape"
    const mn_section *const *kinds;
    int                      count;
    bool                     by_kind;
} mn_group;

extern const mn_section mn_section_scene;
extern const mn_section mn_section_domain, mn_section_time, mn_section_solver, mn_section_output, mn_section_camera;
extern const mn_section mn_section_sheet, mn_section_disc, mn_section_hexagon,
    mn_section_mesh;  // read into mn_fabric_entry
extern const mn_section mn_section_stain_weft, mn_section_stain_patch, mn_section_stain_drop, mn_section_stain_source;
extern const mn_section mn_section_wind, mn_section_pair, mn_section_pin;
extern const mn_section mn_section_obstacle, mn_section_motion, mn_section_motion_key, mn_section_turn;
extern const mn_group   mn_group_shape, mn_group_liquid, mn_group_probe, mn_group_material, mn_group_fabric,
    mn_group_vertices, mn_group_stain;

extern const char *const mn_material_kinds[];

/// What a shape map is read into; the sections of shapes point into it.
typedef struct mn_shape_entry {
    mn_shape_def def;
    double       axis[3], angle, at[3];
} mn_shape_entry;

/// What a fabric is read into. The kinds are in the order of mn_group_fabric.
typedef enum mn_fabric_kind {
    MN_FABRIC_SHEET,
    MN_FABRIC_DISC,
    MN_FABRIC_HEXAGON,
    MN_FABRIC_MESH,
    MN_FABRIC_YARN,
    MN_FABRIC_HAIR
} mn_fabric_kind;

typedef struct mn_fabric_entry {
    mn_fabric_def  def;
    mn_fabric_mesh mesh;  // heap, freed with the scene
    mn_fabric_kind kind;
    mn_cloth_def   cloth;
    mn_yarn_def    yarn;
    mn_hair_def    hair;
    int            hair_count;
    const char    *file;
    double         scale, file_radius;
    mn_pile_def    pile;
    int            pile_sides;
    struct {
        double   amplitude, length;
        uint64_t seed;
    } noise;  // of the solid fraction; amplitude 0: none
} mn_fabric_entry;

/// What a stain is read into. The kinds are in the order of mn_group_stain.
typedef enum mn_stain_kind {
    MN_STAIN_ON,
    MN_STAIN_SHEET,
    MN_STAIN_DISC,
    MN_STAIN_HEXAGON,
    MN_STAIN_MESH,
    MN_STAIN_FILES
} mn_stain_kind;

typedef struct mn_stain_entry {
    mn_fabric_entry cloth;  // first: the sections of meshes point into it
    mn_stain_def    def;
    mn_stain_kind   kind;
    int             carrier;
    mn_pigment      pigments[MN_PIGMENTS_MOST];
} mn_stain_entry;

/// A patch of a weave; without pattern the two rates hold.
typedef struct mn_stain_patch_entry {
    mn_stain_patch def;
    const char    *pattern;
    bool           gaps;
    double         rates[2];
} mn_stain_patch_entry;

/// A named set of vertices of a fabric; the kind says which members hold.
typedef struct mn_vertices_entry {
    double distance, box[2][3], center[3], radius;
} mn_vertices_entry;

typedef struct mn_pin_entry {
    mn_pin_def def;
    int        twist;
} mn_pin_entry;

/// What belongs to two materials; < 0: not given.
typedef struct mn_pair_entry {
    char   of[2][MN_NAME_BYTES];
    double friction, cohesion, contact_angle;
} mn_pair_entry;

/// What a scene is after reading.
typedef struct mn_scene_data {
    int              format;
    const char      *name, *description;
    mn_domain_def    domain;
    mn_time_def      time;
    mn_solver_def    solver;
    mn_output_def    output;
    mn_camera_def    camera;
    mn_obstacle_def *obstacles;
    mn_liquid_def   *liquids;
    mn_wind_def      wind;
    mn_fabric_entry *fabrics;
    mn_probe_def    *probes;
    mn_pair_entry   *pairs;
    mn_stain_entry  *stains;
    int              stain_count;
    int              obstacle_count, liquid_count, fabric_count, probe_count, pair_count;
} mn_scene_data;

typedef enum mn_material_kind {
    MN_MATERIAL_LIQUID,
    MN_MATERIAL_FABRIC,
    MN_MATERIAL_FIBRE,
    MN_MATERIAL_SOLID,
    MN_MATERIAL_PIGMENT
} mn_material_kind;

/// What a material is read into; which members hold follows from its kind.
typedef struct mn_material_data {
    mn_material_kind   kind;
    mn_liquid_material liquid;
    struct {
        double yield, consistency, exponent, shear_modulus, bulk_modulus;
    } rheology;
    mn_fabric_material fabric;
    struct {
        double areal_weight, thread_count, bending_length, bending_rigidity;
    } textile;  // 0: not given
    int weave;
    struct {
        double radius, density, youngs_modulus, poisson;
    } fibre;
    struct {
        double density, youngs_modulus, poisson, damping_mass, damping_stiffness;
    } solid;
    mn_pigment pigment;
} mn_material_data;

const mn_setting *mn_section_find(const mn_section *section, const char *key);
/// The kind of a group whose discriminating key (or `kind` word) is `word`, or -1.
int mn_group_find(const mn_group *group, const char *word);
/// The word that tells kind `k` of a group from the others.
const char *mn_group_word(const mn_group *group, int k);

#define MN_RANGE_BYTES 96
/// The range in words: "above 0", "from 1 to 64", "at least 0"; "" if there is none.
void mn_setting_range(const mn_setting *setting, char out[MN_RANGE_BYTES]);

#endif
