// SPDX-License-Identifier: MPL-2.0
// scene/import/import.h - a scene of libWetCloth between reading and writing. Units are CGS, angles radians, as in the
// file.
#ifndef MN_SCENE_IMPORT_H
#define MN_SCENE_IMPORT_H

#include "scene/import/xml.h"
#include "scene/text.h"

#define MN_IMPORT_GROUPS_MOST 1000000

/// A vertex of cloth or yarn ("particle").
typedef struct mn_import_vertex {
    double          x[3], v[3];
    int             fixed;  ///< 1: place, 2: twist
    int             group;
    int             fabric;  ///< -1: of none
    mn_xml_element *element;
} mn_import_vertex;

/// What cloth or yarn is made of ("ElasticParameters").
typedef struct mn_import_material {
    double radius, biradius, youngs_modulus, poisson, density, viscosity, collision, attach, friction_angle, straight,
        fraction;
    bool viscous;
    int  fabric;  ///< which fabric of the scene is made of it
} mn_import_material;

typedef struct mn_import_face {
    int vertex[3], material;
} mn_import_face;
typedef struct mn_import_strand {
    int64_t first, count;
    int     material;
} mn_import_strand;  ///< of strand_vertex

typedef enum mn_import_usage { MN_IMPORT_SOLID, MN_IMPORT_SOURCE, MN_IMPORT_TERMINATOR } mn_import_usage;
typedef enum mn_import_shape {
    MN_IMPORT_SPHERE,
    MN_IMPORT_BOX,
    MN_IMPORT_CAPSULE,
    MN_IMPORT_CYLINDER,
    MN_IMPORT_MESH,
    MN_IMPORT_UNION,
    MN_IMPORT_INTERSECTION
} mn_import_shape;

/// A distance field. Boxes have half edges and corners rounded outward by `radius`; capsules lie along x; cylinders
/// stand along y, with half[1], and their rims are rounded by `radius`, which half[0] is less than theirs. Of a mesh
/// `half` is how far it reaches.
typedef struct mn_import_field {
    mn_import_usage usage;
    mn_import_shape shape;
    double          center[3], axis[3], angle, half[3], radius;
    bool            inside;      ///< everything but the shape
    bool            part;        ///< of a later field
    bool            lost;        ///< not translated
    double          start, end;  ///< s, of a source; both 0: there at the start, and nothing more
    double          velocity[3];
    int             group;
    int            *child, child_count;
    const char     *file;           ///< of a mesh
    double          scale;          ///< of it, to cm
    int             parts, levels;  ///< simple shapes it becomes, written in full, and how deeply nested
    mn_xml_element *element;
} mn_import_field;

/// A movement of a group.
typedef struct mn_import_script {
    bool            turn;
    double          way[3], angle, start, end;  ///< cm; or the axis and radians
    double          pivot[3];
    bool            pivoted;
    int             group;
    mn_xml_element *element;
} mn_import_script;

typedef struct mn_import {
    mn_context     *context;
    mn_arena       *arena;
    const char     *path;  ///< of the file
    mn_xml_element *root;
    // time and grid
    double      end, dt, cell, gravity[3], criterion;
    const char *description;
    bool        camera;
    double      from[3], to[3], opening;
    // liquid and pores
    double density, viscosity, surface_tension, contact_angle, sampling;
    double fiber_diameter, capillary_radius, fraction;  ///< 0: not given
    double drag_exponent, capture, lambda;
    bool   drag, nonlinear, cohesion, vary_porosity, buoyancy, solve_solid;
    double keep_affine, keep_velocity;  ///< factors per step
    // matter
    mn_import_vertex       *vertex;
    mn_import_face         *face;
    mn_import_strand       *strand;
    int                    *strand_vertex;
    mn_import_material     *material;
    mn_import_field        *field;
    mn_import_script       *script;
    int64_t                 vertex_count, face_count, strand_count, strand_vertex_count;
    int                     material_count, field_count, script_count, fabric_count;
    int64_t                *number;    ///< room for one of each vertex
    double                 *volume;    ///< the same
    int64_t                 thinning;  ///< edges that may still be measured to thin yarn
    struct mn_import_group *group;     ///< up to the largest number that a script has
    int                     group_count;
    mn_text                 notes;  ///< what the listing says besides counts and names
} mn_import;

/// import_read.c: the tree into the struct. import_fields.c: distance fields and scripts.
mn_status mn_import_read(mn_import *m);
mn_status mn_import_read_fields(mn_import *m);  // fields_read.c
mn_status mn_import_read_scripts(mn_import *m);

/// import_write.c: the scene as YAML; import_mesh.c: fabric k as OBJ, with a group for each kind of pin.
void mn_import_write_scene(const mn_import *m, const char *stem, mn_text *out);
void mn_import_write_mesh(const mn_import *m, int fabric, mn_text *out);
/// import_fields.c: a field as a shape of the scene language.
void mn_import_write_shape(const mn_import *m, int field, double reach, mn_text *out);
/// Particles that the source has in a full cell, about.
int mn_import_particles_per_cell(const mn_import *m);
/// The keys of the motion of a group; false if it does not move.
bool mn_import_moves(const mn_import *m, int group);
void mn_import_write_motion(const mn_import *m, int group, mn_text *out);

/// Pins are told apart by group and by whether they hold the twist, too: 2 * group, or that and one. -1: not pinned.
static inline int mn_import_pin_of(const mn_import *m, const mn_import_vertex *v)
{
    if (!m->solve_solid) return 2 * v->group + 1;  // nothing moves but as scripted
    return (v->fixed & 1) != 0 ? 2 * v->group + ((v->fixed & 2) != 0) : -1;
}
/// The pins that a fabric has, rising, and their vertices, those of a pin together. All from the arena.
typedef struct mn_import_pin {
    int            pin;
    int64_t        count;
    const int64_t *vertex;
} mn_import_pin;
mn_status mn_import_pins(const mn_import *m, int fabric, mn_import_pin **out, int64_t *count);
#define MN_IMPORT_PIN_BYTES 32
void mn_import_pin_name(int pin, char name[MN_IMPORT_PIN_BYTES]);

void mn_import_add_number(mn_text *t, double value);
void mn_import_add_vector(mn_text *t, const double v[3]);

#endif
