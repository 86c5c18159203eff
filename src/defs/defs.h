// SPDX-License-Identifier: MPL-2.0
// defs/defs.h - the sections of all definitions, and what a scene reads them into.
#ifndef MN_DEFS_DEFS_H
#define MN_DEFS_DEFS_H

#include "defs/setting.h"

#include "meniscus/world.h"

// --- of the world ----------------------------------------------------------------------------------------------------

extern const mn_section mn_section_domain, mn_section_time, mn_section_solver, mn_section_wind;

// --- placement, motion, shapes ---------------------------------------------------------------------------------------

/// The axis of a turn with its angle right behind.
typedef struct mn_turn {
    double axis[3], angle;
} mn_turn;
extern const mn_section mn_section_turn, mn_section_motion, mn_section_motion_key;
/// Turn and place of a shape, of mn_shape_entry.
extern const mn_section mn_section_placement;
/// The kinds are those of mn_shape_kind.
extern const mn_group mn_group_shape;

typedef struct mn_shape_entry {
    mn_shape_def def;
    double       axis[3], angle, at[3];
} mn_shape_entry;

// --- materials -------------------------------------------------------------------------------------------------------

typedef enum mn_material_kind {
    MN_MATERIAL_LIQUID,
    MN_MATERIAL_FABRIC,
    MN_MATERIAL_FIBRE,
    MN_MATERIAL_SOLID,
    MN_MATERIAL_PIGMENT
} mn_material_kind;

/// What a material is read into. Its kind says which of the first members holds.
typedef struct mn_material_data {
    union {
        mn_liquid_material liquid;
        mn_fabric_material fabric;
        mn_pigment         pigment;
        struct {
            double radius, density, youngs_modulus, poisson;
        } fibre;
        struct {
            double density, youngs_modulus, poisson, damping_mass, damping_stiffness;
        } solid;
    };
    mn_material_kind kind;
    struct {
        double yield, consistency, exponent, shear_modulus, bulk_modulus;
    } rheology;
    struct {
        double areal_weight, thread_count, bending_length, bending_rigidity;
    } textile;  // 0: not given
    int weave;
} mn_material_data;

/// In the order of mn_material_kind.
extern const mn_group   mn_group_material;
extern const mn_section mn_section_liquid_material, mn_section_fabric_material, mn_section_pigment;

/// What belongs to two materials; < 0: not given. Friction, cohesion and contact angle of a fabric in C, which are not
/// of it alone, have their ranges here.
typedef struct mn_pair_entry {
    double friction, cohesion, contact_angle;
    char   of[2][MN_NAME_BYTES];
} mn_pair_entry;
extern const mn_section mn_section_pair;

// --- obstacles, liquids, probes --------------------------------------------------------------------------------------

extern const mn_section mn_section_obstacle;
/// The kinds are those of mn_liquid_role and mn_probe_kind.
extern const mn_group mn_group_liquid, mn_group_probe;

// --- fabrics ---------------------------------------------------------------------------------------------------------

typedef enum mn_fabric_kind {
    MN_FABRIC_SHEET,
    MN_FABRIC_DISC,
    MN_FABRIC_HEXAGON,
    MN_FABRIC_MESH,
    MN_FABRIC_YARN,
    MN_FABRIC_HAIR
} mn_fabric_kind;

/// A mesh from a file.
typedef struct mn_mesh_file {
    const char *path;
    double      scale, radius;
} mn_mesh_file;

typedef struct mn_fabric_entry {
    mn_fabric_def  def;
    mn_thin_mesh   mesh;  // heap, freed with the scene
    mn_fabric_kind kind;
    mn_cloth_def   cloth;
    mn_yarn_def    yarn;
    mn_hair_def    hair;
    mn_mesh_file   file;
    mn_pile_def    pile;
    struct {
        double   amplitude, length;
        uint64_t seed;
    } noise;  // of the solid fraction; amplitude 0: none
} mn_fabric_entry;

/// A named set of vertices of a fabric; the kind says which members hold.
typedef struct mn_vertices_entry {
    double distance, box[2][3], center[3], radius;
} mn_vertices_entry;

/// The rows that fabrics of all kinds have, and those of pins.
extern const mn_section mn_section_fabric, mn_section_pin;
/// The definitions of meshes: mn_cloth_def (three of them), mn_mesh_file, mn_yarn_def, mn_hair_def, mn_pile_def.
extern const mn_section mn_section_sheet, mn_section_disc, mn_section_hexagon, mn_section_mesh, mn_section_yarn,
    mn_section_hair, mn_section_pile;
/// In the order of mn_fabric_kind; groups of vertices.
extern const mn_group mn_group_fabric, mn_group_vertices;

// --- stains ----------------------------------------------------------------------------------------------------------

typedef enum mn_stain_kind {
    MN_STAIN_ON,
    MN_STAIN_SHEET,
    MN_STAIN_DISC,
    MN_STAIN_HEXAGON,
    MN_STAIN_MESH,
    MN_STAIN_FILES
} mn_stain_kind;

typedef struct mn_stain_entry {
    mn_stain_def    def;
    mn_fabric_entry cloth;
    mn_stain_kind   kind;
    mn_pigment      pigments[MN_PIGMENTS_MOST];
} mn_stain_entry;

/// A patch of a weave; without pattern the two rates hold.
typedef struct mn_stain_patch_entry {
    mn_stain_patch def;
    const char    *pattern;
    bool           gaps;
    double         rates[2];
} mn_stain_patch_entry;

/// The rows that stains of all kinds have, those of a cloth that moves as files say, and those of their parts.
extern const mn_section mn_section_stain, mn_section_stain_files, mn_section_stain_weft, mn_section_stain_patch,
    mn_section_stain_drop, mn_section_stain_source;
/// In the order of mn_stain_kind.
extern const mn_group mn_group_stain;

#endif
