// SPDX-License-Identifier: MPL-2.0
// fabric/fabric.h - cloth and yarn: vertices that own mass and momentum, and the stages of their step (wet-fabric 2-6).
//
// All fabrics of a world are one matter here: their vertices, triangles and segments stand one piece after the other,
// so that they meet on the grid without a special case. Elasticity lives in src/elastic: a shell, a rod network and the
// junctions of the two for each piece.
#ifndef MN_FABRIC_FABRIC_H
#define MN_FABRIC_FABRIC_H

#include "base/fields.h"
#include "elastic/cloth_junction.h"
#include "elastic/rod_network.h"
#include "elastic/shell.h"
#include "geom/motion.h"
#include "grid/point_faces.h"
#include "grid/step.h"
#include "meniscus/world.h"
#include "solve/block_matrix.h"
#include "solve/multigrid.h"

/// Per vertex, wet-fabric 2. X(type, components, name, unit, help)
#define MN_FABRIC_VERTEX_FIELDS(X)                                                                                   \
    X(double, 3, position, "cm", MN_FIELD_SAVED, "where the vertex is")                                              \
    X(double, 3, velocity, "cm/s", MN_FIELD_SAVED, "its velocity")                                                   \
    X(double, 9, affine, "1/s", MN_FIELD_SAVED, "affine matrix, row by row; row a belongs to component a")           \
    X(double, 1, held, "cm^3", MN_FIELD_SAVED, "liquid in its pores")                                                \
    X(double, 1, swelling, "1", MN_FIELD_SAVED, "its bulk volume over that at rest, J")                              \
    X(double, 3, anchor, "cm", MN_FIELD_SAVED, "elastic slip along the solid it touches, in the frame of the solid") \
    X(int32_t, 1, touched, "-", MN_FIELD_SAVED, "1 + number of the solid it touches; 0: none")                       \
    X(float, 3, pull, "dyn", MN_FIELD_SAVED,                                                                         \
      "force on it in the last step, without weight: where the next solve starts")                                   \
    X(float, 3, pull_before, "dyn", MN_FIELD_SAVED, "the same in the step before that")

/// What each vertex has of n pigments, g. X(n, name, help)
#define MN_FABRIC_PIGMENT_FIELDS(X, n)                             \
    X(n, dissolved, "mass of each pigment in the liquid it holds") \
    X(n, adsorbed, "mass of each pigment on its fibres")           \
    X(n, dried, "mass of each pigment that dried in it")

/// Per triangle and per segment: the transverse directors of contact (wet-fabric 5.5).
#define MN_FABRIC_TRIANGLE_FIELDS(X) X(double, 3, director, "1", MN_FIELD_SAVED, "transverse director of the triangle")
#define MN_FABRIC_SEGMENT_FIELDS(X) \
    X(double, 6, director, "1", MN_FIELD_SAVED, "the two transverse directors of the segment")

#define X(type, n, name, unit, flags, help) type *name[n];
#define P(n, name, help)                    double *name[n];
typedef struct mn_fabric_vertices {
    MN_FABRIC_VERTEX_FIELDS(X)
    MN_FABRIC_PIGMENT_FIELDS(P, MN_PIGMENTS_MOST)  ///< as many arrays as there are pigments
    int64_t count, capacity;
    int     pigments;
} mn_fabric_vertices;
#undef P
typedef struct mn_fabric_triangles {
    MN_FABRIC_TRIANGLE_FIELDS(X) int64_t count, capacity;
} mn_fabric_triangles;
typedef struct mn_fabric_segments {
    MN_FABRIC_SEGMENT_FIELDS(X) int64_t count, capacity;
} mn_fabric_segments;
#undef X

extern const mn_field_table mn_fabric_vertex_table, mn_fabric_triangle_table, mn_fabric_segment_table;
/// The fields of these vertices: those of mn_fabric_vertex_table, and of the pigments if there are any.
const mn_field_table *mn_fabric_table_of(const mn_fabric_vertices *v);

/// Vertices that are held where a motion takes them (pins.h).
typedef struct mn_fabric_pin {
    char       group[MN_NAME_BYTES];
    mn_motion *motion;     ///< NULL: stands still
    double     stiffness;  ///< dyn/cm per vertex of a soft pin
    bool       twist;
    double     begin, end;  ///< s
    int64_t    count;
    int32_t   *vertex;  ///< of the whole fabric
    int32_t   *slot;    ///< of a hard pin, for each: its number in mn_fabric_held; NULL: the pin is soft
    mn_vec3   *home;    ///< where each was at the start
} mn_fabric_pin;

/// Per vertex of a piece that a hard pin can hold.
#define MN_FABRIC_HELD_FIELDS(X)                                                          \
    X(double, 3, force, "dyn", MN_FIELD_SAVED, "force of the pin on it in the last step") \
    X(double, 3, lag, "cm", MN_FIELD_SAVED, "how far the grid is behind where it is anchored")
#define X(type, n, name, unit, flags, help) type *name[n];
typedef struct mn_fabric_held {
    MN_FABRIC_HELD_FIELDS(X) int64_t count, capacity;
} mn_fabric_held;
#undef X
extern const mn_field_table mn_fabric_held_table;

/// One fabric of the scene.
typedef struct mn_fabric_piece {
    char               name[MN_NAME_BYTES];
    mn_fabric_material cloth, yarn;  ///< the material with the defaults of each resolved
    mn_thin_mesh       mesh;         ///< as placed at the start; vertex numbers count from first_vertex
    int64_t            first_vertex, first_triangle, first_segment;
    int64_t            edge_count, segment_count, corner_count;
    mn_field_table table[4];  ///< of shell edges, yarn segments, corners and held vertices, under names of their own
    char           table_name[4][MN_NAME_BYTES + 16];
    double         damping;         ///< 1/s
    double         evaporation;     ///< cm/s from a saturated surface
    double         colour[3];       ///< linear light of the clean, dry fabric; for pictures
    bool           twist_on_grid;   ///< the yarn twists with the grid (twist.c)
    double        *solid_fraction;  ///< per vertex of the mesh, or NULL: that of the material
    mn_shell      *shell;           ///< NULL without triangles; numbers its vertices from 0
    bool           shell_began;     ///< it keeps what it was before the step
    mn_rod_network rods;            ///< empty without strands; numbers vertices as the whole fabric does
    unsigned char *rods_before;     ///< its state before the step, from the arena of the step
    mn_cloth_junctions junctions;   ///< where strands stand on the cloth; numbers vertices as the whole fabric does
    mn_fabric_pin     *pins;
    int                pin_count;
    mn_fabric_held     held;  ///< vertices of hard pins
    int64_t            held_count;
    unsigned char     *held_before;  ///< the same before the step, from the arena of the step
} mn_fabric_piece;

/// An element of contact: a triangle or a segment.
typedef struct mn_fabric_element {
    int32_t vertex[3];  ///< of the whole fabric; a segment has two, the third is -1
    int32_t piece;
    double  volume;  ///< cm^3, V_e^0 phi^lambda
} mn_fabric_element;

typedef struct mn_fabric_model {
    mn_grid_def        grid;
    mn_solver_def      solver;
    mn_wind_def        wind;
    mn_vec3            gravity;
    double             cfl, dt_max;
    mn_liquid_material liquid;  ///< that fabric can get wet with; density 0: none
    uint64_t           seed;
} mn_fabric_model;

/// A vertex that a hard pin holds in this step.
typedef struct mn_fabric_hold {
    int32_t vertex, piece, slot;
    mn_vec3 place;             ///< where it is at the end of the step
    mn_vec3 velocity, before;  ///< that takes it there, cm/s; the one it had
    mn_vec3 drift, turning;    ///< of its pin as a body in the middle of the step, cm/s there and rad/s
    double  stiffness;         ///< of its anchor on the grid, dyn/cm; 0: it has none
    mn_vec3 grid;              ///< velocity of the faces there, in the last product of the operator ...
    mn_vec3 row;               ///< ... and what the other vertices then took from its forces, g cm/s
    mn_vec3 lag;               ///< cm, as the state
    mn_vec3 impulse;           ///< of the pin on it, g cm/s, as far as it is known
} mn_fabric_hold;

/// A face that held vertices alone see.
typedef struct mn_fabric_face {
    double mass, momentum;  ///< that they bring
    double velocity;        ///< of the pins there
} mn_fabric_face;

/// What one step works with; arrays are from the arena of the step.
typedef struct mn_fabric_scratch {
    mn_point_faces  faces;
    bool            stale;    ///< vertices have moved since: they stand elsewhere than the faces and their bins know
    mn_vec3        *x;        ///< positions at the start of the step
    double         *inertia;  ///< g, mass of each vertex with the liquid it holds
    mn_vec3        *force;    ///< dyn, on vertices
    double         *moment;   ///< 9 per vertex: stress of contact as moments on the grid, dyn / cm, or NULL
    double         *point;    ///< 6 per vertex (xx, yy, zz, yz, xz, xy), g: what holds vertices to the world
    uint8_t        *pinned;   ///< per vertex: a hard pin holds it in this step, and no solid pushes it
    mn_fabric_hold *hold;     ///< those vertices
    int64_t         hold_count;
    uint8_t        *given;          ///< per face: held vertices alone see it; NULL: no liquid can meet them
    mn_fabric_face *own;            ///< those faces
    double         *taken, *borne;  ///< on faces and on vertices: what the liquid gave them, as a velocity
    double          heavy;          ///< g, their mass in a solve with liquid
    bool            nailed;         ///< mass and momentum are those of that solve
    mn_vec3         hold_missing;   ///< impulse that their motion gave to no one: rounding of the matrix, g cm/s
    mn_vec3         hold_left;      ///< what the others lost to them, with what the solve left, g cm/s
    double         *mass;           ///< D on faces, g
    double         *momentum;       ///< on faces, g cm/s: what vertices bring, gravity, and torques of yarn
    double         *velocity;       ///< on faces, cm/s
    double         *twist_rate;     ///< rad/s per segment, all pieces
    uint8_t        *twist_held;     ///< per segment: a pin turns it
    double         *torque;         ///< dyn cm per segment, about it, that goes to the grid; NULL: no twist does
    double         *pressure;       ///< dyn/cm^2 per vertex, of the liquid around it; NULL: no liquid was near
    mn_vec3        *acceleration;   ///< cm/s^2 of the fabric in this step, per vertex; NULL: not kept (flow.h)
    double *moved;  ///< cm^3 that flowed along each link in this step, from end 0 to end 1; NULL: nothing did, or there
                    ///< is no pigment
    double  *flowed_from;  ///< cm^3 that each vertex held before that
    uint8_t *near;         ///< per vertex: other fabric is within reach (near.c)
    double *kept;  ///< 12 per vertex: velocity and affine matrix less what the faces saw of them; NULL: nothing is kept
                   ///< (memory.c)
} mn_fabric_scratch;

typedef struct mn_fabric {
    mn_context      *context;
    mn_fabric_model  model;
    mn_fabric_piece *pieces;
    int64_t          piece_count, piece_capacity;
    // constants
    double            *mass;      ///< g, per vertex
    double            *volume;    ///< cm^3, bulk volume V_v^0 per vertex
    double            *fiber;     ///< cm^3, phi_v^0 V_v^0: volume of the fibre in it
    float             *sheet;     ///< shape fraction s_f: share of the bulk volume that is cloth, not yarn
    float             *rest[3];   ///< cm, place of each vertex at rest
    int32_t           *part;      ///< sheet or strand of each vertex, numbered through
    mn_fabric_element *elements;  ///< triangles first, then segments
    int64_t            element_count;
    int64_t           *element_start;  ///< elements around each vertex: element_of[element_start[v]] ...
    int32_t           *element_of;
    mn_block_matrix    stiffness;  ///< pattern once, values every step
    const double      *load;  ///< g per vertex of what else rides on it, set before the stage activate; NULL: nothing
    struct mn_flow_links *links;  ///< pairs of vertices that exchange liquid (flow.c); NULL until fabric was wet
    bool                  ready;  ///< the constants above fit the pieces
    // state
    mn_fabric_vertices  vertices;
    mn_fabric_triangles triangles;
    mn_fabric_segments  segments;
    // the state before the step, from its stage activate until it is accepted or taken back
    bool                kept;
    mn_fabric_vertices  vertices_before;
    mn_fabric_triangles triangles_before;
    mn_fabric_segments  segments_before;
    mn_fabric_scratch   step;
    // contact between fabrics in this step (contact.c)
    struct mn_contact_block *contact;
    int64_t                  contact_count;
    int32_t                 *contact_slot;  ///< per element: its block, or -1
} mn_fabric;

/// Where a vertex is.
static inline mn_vec3 mn_fabric_at(const mn_fabric *q, int64_t v)
{
    return mn_v3(q->vertices.position[0][v], q->vertices.position[1][v], q->vertices.position[2][v]);
}
/// Volume that the pores of a vertex have, V_v (1 - phi_v) = V_v^0 J_v - phi_v^0 V_v^0, cm^3.
static inline double mn_fabric_pores(const mn_fabric *q, int64_t v)
{
    return q->volume[v] * q->vertices.swelling[0][v] - q->fiber[v];
}
/// phi_v, solid fraction as the fabric stands now.
static inline double mn_fabric_fraction(const mn_fabric *q, int64_t v)
{
    return q->fiber[v] / (q->volume[v] * q->vertices.swelling[0][v]);
}
/// Share of the pores that is full; what is held may be more than fits.
static inline double mn_fabric_saturation(const mn_fabric *q, int64_t v)
{
    return fmin(1.0, q->vertices.held[0][v] / mn_fabric_pores(q, v));
}

void mn_fabric_init(mn_context *c, const mn_fabric_model *model, mn_fabric *q);
void mn_fabric_destroy(mn_fabric *q);
/// How many pigments the liquid carries; fabric has none of a new one. Before the first step.
mn_status mn_fabric_set_pigments(mn_fabric *q, int count);
/// Add a piece: checks the definition, copies all it needs. A failure leaves the fabric as it was.
mn_status mn_fabric_add(mn_fabric *q, const mn_fabric_def *def);
/// Take the last piece out again, before the first step.
void mn_fabric_remove_last(mn_fabric *q);
/// Masses, elements around vertices, pattern of the stiffness. Called once before the first step.
mn_status mn_fabric_prepare(mn_fabric *q);
/// Bulk volumes at rest, cm^3, and solid fraction, of elements and vertices of a piece as it numbers them.
double               mn_fabric_triangle_volume(const mn_fabric_piece *p, int64_t triangle);
double               mn_fabric_segment_volume(const mn_fabric_piece *p, int64_t segment);
static inline double mn_fabric_fraction_at_rest(const mn_fabric_piece *p, const mn_fabric_material *m, int64_t v)
{
    return p->solid_fraction != NULL ? p->solid_fraction[v] : m->solid_fraction;
}

/// Whether a world has fabric at all. Every stage returns at once if it has not.
static inline bool mn_fabric_present(const mn_fabric *q) { return q->piece_count > 0; }
/// Whether there is liquid in its world that it can take in.
static inline bool mn_fabric_may_be_wet(const mn_fabric *q)
{
    return mn_fabric_present(q) && q->model.liquid.density > 0.0;
}

// Stages, in the order of a step

/// Longest step the fabric allows (wet-fabric 5.16).
double mn_fabric_dt_limit(mn_fabric *q, double *max_speed);
/// Keep the state, number the faces, weights. (3)
mn_status mn_fabric_activate(mn_fabric *q, const mn_step *step);
/// Elastic forces and stiffness, pins, wind, contact between fabrics. (6, 7)
mn_status mn_fabric_forces(mn_fabric *q, const mn_step *step);
/// Vertices to faces, with gravity. (8)
mn_status mn_fabric_gather(mn_fabric *q, const mn_step *step);
/// Implicit velocities on faces, with friction on solids. (13)
mn_status mn_fabric_solve(mn_fabric *q, const mn_step *step, mn_solve_report *report);
/// Note what the faces do not see of the velocities, once they have their mass; add what is left of it after a step of
/// dt.
mn_status mn_fabric_remember(mn_fabric *q, mn_arena *arena);
void      mn_fabric_recall(mn_fabric *q, double dt);
/// Faces to vertices. (15)
mn_status mn_fabric_scatter(mn_fabric *q, const mn_step *step);
/// Positions; directors of contact and their return mapping. (16, 20)
mn_status mn_fabric_move(mn_fabric *q, const mn_step *step, int64_t *crushed);
/// Frames and twist of the yarn follow to where its vertices are now; step.x are those from here on. (20)
void mn_fabric_turn_yarn(mn_fabric *q, const mn_step *step);
/// Back to the state before the step.
void mn_fabric_roll_back(mn_fabric *q);

// Sums, the same bits for any number of threads

typedef struct mn_fabric_sums {
    double  held;               ///< cm^3
    double  kinetic, gravity;   ///< erg
    mn_vec3 momentum, angular;  ///< g cm/s; g cm^2/s about the origin, spin of the affine matrices included
} mn_fabric_sums;
mn_fabric_sums mn_fabric_sum(const mn_fabric *q);
double         mn_fabric_max_speed(const mn_fabric *q);
/// Mass of a pigment in all vertices: dissolved, adsorbed and dried, g.
double    mn_fabric_pigment_sum(const mn_fabric *q, int pigment);
mn_status mn_fabric_elastic_energy(mn_fabric *q, mn_arena *arena, double *energy);

#endif
