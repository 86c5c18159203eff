// SPDX-License-Identifier: MPL-2.0
// elastic/cloth_junction.h - strands that stand on cloth: what keeps their first segment at its angle (wet-fabric 5.3).
//
// At the root of a strand the cloth has a frame: n, the area-weighted normal of the triangles around the vertex; m1,
// the part of one fixed edge across n; m2 = n x m1. The unit vector p of the first segment in that frame has a value p0
// at rest, and the energy is k psi^2, psi the angle from p0 to p (wet-fabric E5.4). Normal and edge are differentiated
// too, so that no rigid motion meets a force and forces carry neither momentum nor angular momentum.
//
// A step of the caller:
//
//     mn_cloth_junctions_begin(set, x, h);          start-of-step directions for the viscous terms
//     mn_cloth_junctions_evaluate(set, x);          gradients and stiffness at x
//     mn_cloth_junctions_add_forces / _add_blocks   harvest of the last evaluation, gathered per vertex
//
// Every vertex sums its own junctions in ascending order: the same bits for any number of threads.
#ifndef MN_ELASTIC_CLOTH_JUNCTION_H
#define MN_ELASTIC_CLOTH_JUNCTION_H

#include "elastic/rod_network.h"
#include "solve/block_matrix.h"

/// A segment that ends in the cloth. A strand that goes on through the cloth has two, one to each side.
typedef struct mn_cloth_root {
    int32_t         root, tip;  ///< vertices of the segment, the root in the cloth
    mn_rod_material material;   ///< radius, young and viscosity are read; phi^lambda is in them
} mn_cloth_root;

typedef struct mn_cloth_junctions_def {
    const mn_vec3 *rest;  ///< vertex_count, cm
    int64_t        vertex_count;
    const int32_t (*triangle)[3];  ///< consistently oriented
    int64_t              triangle_count;
    const mn_cloth_root *roots;
    int64_t              root_count;
    int64_t              first_vertex;  ///< of vertex 0 in the positions, forces and rows that the functions below get
} mn_cloth_junctions_def;

/// Constant. Vertices of a junction are numbered within it: 0 is the root, 1 the tip, then those around the root.
typedef struct mn_cloth_junction {
    int64_t first;                   ///< its vertices: vertex[first] .. vertex[first + count - 1] of the set
    int64_t first_fan;               ///< its triangles: fan[first_fan] ...
    int32_t count, fan_count, edge;  ///< `edge`: where the fixed edge leads
    double  length, area,
        across;         ///< at rest: of the segment, of the normal before it is made a unit, of the edge across n
    double  stiffness;  ///< k = E (pi r^4 / 4) / length, dyn cm
    double  viscous;    ///< the same with 3 eta for E, dyn cm s
    mn_vec3 rest;       ///< p0
} mn_cloth_junction;

typedef struct mn_cloth_junctions {
    mn_context        *context;
    int64_t            count, vertex_count, first_vertex;
    mn_cloth_junction *junction;
    int32_t           *vertex;  ///< as the caller numbers them, first_vertex added
    int32_t (*fan)[2];          ///< triangle root, b, c as numbers within the junction
    int64_t *use_start, *use;   ///< per vertex of the mesh: its places in `vertex`, ascending
    int32_t *owner;             ///< per place in `vertex`: the junction
    double   step;              ///< h of the last begin; 0: no viscous terms
    mn_vec3 *start;             ///< p at the start of the step
    // Left by the last evaluation, per place in `vertex`.
    mn_vec3 *gradient;  ///< dE/dx
    mn_vec3 (*row)[2];  ///< the Hessian is the sum of the squares of two rows
} mn_cloth_junctions;

/// Copies all it needs. MN_ERR_ARGUMENT if a root has no triangles, or if a segment, a normal or all edges have no
/// size.
mn_status mn_cloth_junctions_create(mn_context *c, const mn_cloth_junctions_def *def, mn_cloth_junctions *out);
void      mn_cloth_junctions_destroy(mn_cloth_junctions *set);

typedef struct mn_cloth_junction_sums {
    double  elastic;    ///< erg
    double  viscous;    ///< incremental potential of the viscous terms, erg
    int64_t collapsed;  ///< junctions left out: normal, edge or segment has less than 1e-10 of its rest size
} mn_cloth_junction_sums;

/// Angle psi of a junction, rad; 0 if it is collapsed.
double mn_cloth_junction_angle(const mn_cloth_junctions *set, int64_t junction, const mn_vec3 *x);
/// Start a step of length h from x. h <= 0 or not finite: no viscosity.
void                   mn_cloth_junctions_begin(mn_cloth_junctions *set, const mn_vec3 *x, double h);
mn_cloth_junction_sums mn_cloth_junctions_energy(mn_cloth_junctions *set, const mn_vec3 *x);
/// Gradients and stiffness at x.
void mn_cloth_junctions_evaluate(mn_cloth_junctions *set, const mn_vec3 *x);
/// force[v] += - dE/dx_v of the last evaluation, dyn.
void mn_cloth_junctions_add_forces(mn_cloth_junctions *set, mn_vec3 *force);
/// Vertices that a junction joins, for mn_block_matrix_create: cliques 0 .. count-1 with the set as context.
mn_block_clique mn_cloth_junctions_clique(int64_t k, void *set);
/// Add `scale` times the stiffness of the last evaluation, diagonal included. Positive semidefinite, zero for rigid
/// motions: the Hessian by p without its pushing part; second derivatives of p are dropped. MN_ERR_ARGUMENT if the
/// pattern lacks a pair.
mn_status mn_cloth_junctions_add_blocks(mn_cloth_junctions *set, double scale, mn_block_matrix *m);

#endif
