// SPDX-License-Identifier: MPL-2.0
// elastic/rod_network.h - strands over shared vertices: yarn and hair as elastic rods.
//
// The caller owns the positions (mn_vec3 *x); the network owns topology, rest shape, and per edge the angle and the
// frame. A step of the caller:
//
//     mn_rod_network_begin(net, x, h);                         start-of-step strains for the viscous terms
//     mn_rod_network_evaluate(net, x, NULL, policy, &sums);    energies, gradients and blocks at x
//     mn_rod_network_add_forces / _torques / _add_blocks       harvest of the last evaluation, any number of times
//     mn_rod_network_solve_twist(net, &def, rate);             implicit rates of the angles
//     mn_rod_network_accept(net, x_new, rate, h);              frames advance once; a rejected step calls nothing
//
// Corners (two edges through one vertex) come strand by strand, those of junctions last. Loops run over fixed blocks of
// edges, corners or vertices: the same bits for any number of threads.
#ifndef MN_ELASTIC_ROD_NETWORK_H
#define MN_ELASTIC_ROD_NETWORK_H

#include "base/fields.h"
#include "elastic/rod_corner.h"
#include "solve/block_matrix.h"

typedef struct mn_rod_material {
    double radius;             ///< cm, of the round section
    double young, shear;       ///< dyn/cm^2
    double density;            ///< g/cm^3
    double viscosity;          ///< poise, internal
    double stretch_factor;     ///< s_k, multiplies the stretching stiffness
    bool   damp_bending_only;  ///< viscosity acts on bending and twist only
} mn_rod_material;
/// Hair of elastic-rods 3.
mn_rod_material mn_rod_material_default(void);
/// G = E / 2(1 + nu).
double mn_rod_shear_of_poisson(double young, double poisson);

typedef enum mn_rod_rest { MN_ROD_REST_POSE, MN_ROD_REST_STRAIGHT } mn_rod_rest;

typedef struct mn_rod_strand_def {
    const int32_t  *vertex;  ///< numbers into the caller's positions, in order
    int32_t         count;   ///< >= 2, closed >= 3
    bool            closed;  ///< the last vertex joins the first
    mn_rod_rest     rest;
    double          curl;  ///< multiplies the rest curvature of the pose, in [0, 1] (elastic-rods 8)
    mn_rod_material material;
} mn_rod_strand_def;

typedef struct mn_rod_network_def {
    const mn_rod_strand_def *strands;
    int32_t                  strand_count;
    const mn_vec3           *rest;  ///< the pose that rest lengths and rest shapes are taken from
    int32_t                  vertex_count;
} mn_rod_network_def;

/// State per edge. X(type, components, name, unit, help)
#define MN_ROD_EDGE_FIELDS(X)                                                                          \
    X(double, 1, angle, "rad", MN_FIELD_SAVED, "from the reference director to the material director") \
    X(double, 1, angle_rate, "rad/s", MN_FIELD_SAVED, "its rate")                                      \
    X(double, 3, director, "-", MN_FIELD_SAVED, "reference director, unit, across the tangent")        \
    X(double, 3, tangent, "-", MN_FIELD_SAVED, "tangent at which the director was last carried")

/// State per corner.
#define MN_ROD_CORNER_FIELDS(X) \
    X(double, 1, reference_twist, "rad", MN_FIELD_SAVED, "from director to director, continuous, never wrapped")

typedef struct mn_rod_edges {
#define X(type, n, name, unit, flags, help) type *name[n];
    MN_ROD_EDGE_FIELDS(X)
#undef X
    int64_t count, capacity;
} mn_rod_edges;

typedef struct mn_rod_corners {
#define X(type, n, name, unit, flags, help) type *name[n];
    MN_ROD_CORNER_FIELDS(X)
#undef X
    int64_t count, capacity;
} mn_rod_corners;

extern const mn_field_table mn_rod_edge_table, mn_rod_corner_table;

/// Constant: an edge.
typedef struct mn_rod_edge {
    int32_t vertex[2], strand;
    double  length;  ///< at rest
} mn_rod_edge;

/// Constant: a corner. An edge with sign -1 runs through it backwards: tangent, second director and angle change sign.
typedef struct mn_rod_joint {
    int32_t       vertex[3], edge[2];
    int8_t        sign[2];
    bool          mended;  ///< a junction of two edges only: the strand goes on through it
    int32_t       strand;  ///< whose section it has: at a junction that of the thinner edge
    double        length;  ///< Voronoi length at rest
    mn_rod_strain rest;
} mn_rod_joint;

/// Which elements meet at an item: list[start[i] .. start[i+1]-1], ascending, each as element * roles + role.
typedef struct mn_rod_uses {
    int32_t *start, *list;
} mn_rod_uses;

struct mn_rod_elimination;

typedef struct mn_rod_network {
    mn_context        *context;
    int32_t            strand_count, vertex_count;
    mn_rod_strand_def *strand;  ///< with `vertex` pointing into strand_vertex
    int32_t           *strand_vertex;
    int32_t           *first_edge;  ///< edges of strand s: first_edge[s] .. first_edge[s+1]-1
    int32_t      *first_corner;  ///< its own corners likewise; those of junctions begin at first_corner[strand_count]
    mn_rod_edge  *edge;
    mn_rod_joint *joint;
    double       *edge_factor;                   ///< phi^lambda per edge
    int32_t      *touched, touched_count;        ///< vertices that belong to strands, ascending
    mn_rod_uses   vertex_corners, vertex_edges;  ///< per touched vertex; roles 3 and 2
    mn_rod_uses   edge_corners;                  ///< per edge; role 2
    struct mn_rod_elimination *elimination;

    mn_rod_edges   edges;  ///< the state
    mn_rod_corners corners;

    double         step;  ///< h of the last begin; 0: no viscous terms
    double        *start_length;
    mn_rod_strain *start_strain;
    // Left by the last evaluation.
    mn_rod_side     *side;
    mn_rod_stretch  *stretch;
    double          *across;
    mn_rod_gradient *gradient;
    mn_rod_block    *block;
    double (*twist_hessian)[3];  ///< link, and the angles' own from bending
    double (*partial)[6];        ///< sums per block
} mn_rod_network;

/// Copies what it needs of the definition. State: frames of the rest pose, angles zero.
mn_status mn_rod_network_create(mn_context *c, const mn_rod_network_def *def, mn_rod_network *out);
void      mn_rod_network_destroy(mn_rod_network *net);
/// Begin from another pose than the rest: frames anew, angles and rates zero.
void mn_rod_network_place(mn_rod_network *net, const mn_vec3 *x);
/// Factor of every stiffness (elastic and viscous), one value per edge; corners take the mean of their two edges, at a
/// junction the value of the thinner edge. NULL: 1.
void mn_rod_network_set_stiffness(mn_rod_network *net, const double *edge_factor);

static inline int64_t mn_rod_network_edges(const mn_rod_network *net) { return net->edges.count; }
static inline int64_t mn_rod_network_corners(const mn_rod_network *net) { return net->corners.count; }

/// Dry mass added per vertex (caller's numbering) and per-edge twist inertia set (elastic-rods 2). Either may be NULL.
void mn_rod_network_masses(const mn_rod_network *net, double *vertex_mass, double *edge_inertia);

typedef struct mn_rod_sums {
    double  stretch, bend, twist, fold;  ///< elastic energy, erg
    double  viscous;                     ///< incremental potential of the viscous terms, erg
    int64_t folded;                      ///< corners below the cap
} mn_rod_sums;

/// Start a step of length h from x: keep the strains that the viscous terms refer to. h <= 0 or not finite: no
/// viscosity.
void mn_rod_network_begin(mn_rod_network *net, const mn_vec3 *x, double h);
/// Energies, gradients and blocks at x and `angle` (NULL: the angles of the state). Sums may be NULL.
void mn_rod_network_evaluate(mn_rod_network *net, const mn_vec3 *x, const double *angle, mn_rod_policy policy,
                             mn_rod_sums *sums);
/// Energies alone.
mn_rod_sums mn_rod_network_energy(mn_rod_network *net, const mn_vec3 *x, const double *angle);
/// Elastic and viscous forces of the last evaluation, added to force[vertex].
void mn_rod_network_add_forces(mn_rod_network *net, mn_vec3 *force);
/// Torques on the angles, set.
void mn_rod_network_torques(mn_rod_network *net, double *torque);
/// Torques of the viscous terms alone while the strains go from those of the last begin to those at x and `angle`
/// within its h, added. `share` is room for two values a corner.
void mn_rod_network_add_viscous_torques(mn_rod_network *net, const mn_vec3 *x, const double *angle, double (*share)[2],
                                        double *torque);
/// Of the Hessian by the angles as the state stands, the row of edge e: the sum of its absolute values, at the most.
typedef struct mn_rod_angle_bound {
    double elastic;  ///< dyn cm
    double viscous;  ///< dyn cm s
} mn_rod_angle_bound;
mn_rod_angle_bound mn_rod_network_angle_bound(const mn_rod_network *net, int32_t e);
/// Pairs of vertices that blocks join, for mn_block_matrix_create: cliques 0 .. count-1 with the network as context.
int64_t         mn_rod_network_cliques(const mn_rod_network *net);
mn_block_clique mn_rod_network_clique(int64_t k, void *network);
/// Add scale times the position Hessian of the last evaluation to a matrix whose pattern holds the cliques.
/// MN_ERR_ARGUMENT if it does not.
mn_status mn_rod_network_add_blocks(mn_rod_network *net, double scale, mn_block_matrix *m);

/// (I + h^2 H) w+ = I w + h (tau + external) for the rates of the angles; w is the state's. H is the exact Hessian of
/// the last evaluation by the angles, the part from bending clamped to >= 0.
typedef struct mn_rod_twist_def {
    double         h;
    const double  *inertia;   ///< per edge; NULL: dry
    const double  *external;  ///< torque per edge; NULL: none
    const uint8_t *held;      ///< edges whose rate is kept; NULL: none
} mn_rod_twist_def;
mn_status mn_rod_network_solve_twist(mn_rod_network *net, const mn_rod_twist_def *def, double *rate);

/// Take a step as final: angles advance by h rate (NULL: stay), rates are kept, frames and reference twists advance to
/// x.
void mn_rod_network_accept(mn_rod_network *net, const mn_vec3 *x, const double *rate, double h);
/// Turn the frame of an edge with a rigid rotation (a scripted root): tangent and director, not by transport.
void mn_rod_network_turn_edge(mn_rod_network *net, int32_t edge, mn_mat3 rotation);

// For the drivers: one element at a time.

/// Edge e at x with `angle`, carried from the frame of the state.
mn_rod_side    mn_rod_network_side(const mn_rod_network *net, int32_t e, const mn_vec3 *x, double angle);
mn_rod_stretch mn_rod_network_stretch(const mn_rod_network *net, int32_t e, double length);
/// Corner k from the sides of its two edges (as stored, unsigned) and their angles.
mn_rod_corner mn_rod_network_corner(const mn_rod_network *net, int32_t k, const mn_rod_side *e, const mn_rod_side *f,
                                    double angle_e, double angle_f);
mn_rod_load   mn_rod_network_load(const mn_rod_network *net, int32_t k, const mn_rod_corner *c);

#endif
