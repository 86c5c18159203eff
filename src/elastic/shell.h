// SPDX-License-Identifier: MPL-2.0
// elastic/shell.h - a thin sheet of triangles: topology, rest shape, energy, forces and stiffness, (wet-fabric 5.1).
//
// Unknowns are the vertices and one scalar xi per edge, the offset of the mid-edge normal. xi has no mass and follows
// the vertices: mn_shell_relax brings it to the minimum of the bending energy. It is a warm start and therefore state.
//
// Every sum is gathered: edges and triangles write what is theirs, then each vertex adds what touches it in ascending
// order of triangles. No colours, no atomics, the same bits for any number of threads.
#ifndef MN_ELASTIC_SHELL_H
#define MN_ELASTIC_SHELL_H

#include "base/arena.h"
#include "base/fields.h"
#include "elastic/bending.h"
#include "elastic/in_plane.h"
#include "elastic/shell_material.h"
#include "solve/block_matrix.h"

//    type  n  name  unit  what
#define MN_SHELL_EDGE_FIELDS(X) \
    X(double, 1, xi, "rad", MN_FIELD_SAVED, "rotation of the mid-edge normal away from the mean of its triangles")

typedef struct mn_shell_edges {
#define X(type, n, name, unit, flags, help) type *name[n];
    MN_SHELL_EDGE_FIELDS(X)
#undef X
    int64_t count, capacity;
} mn_shell_edges;

extern const mn_field_table mn_shell_edge_table;

/// An edge. The first triangle runs along it from vertex[0] to vertex[1] and has vertex[2] opposite; the second, if
/// there is one, has vertex[3] opposite, otherwise that is -1 (a rim).
typedef struct mn_shell_edge {
    int32_t vertex[4];
    int32_t triangle[2];
    double  rest;  ///< measure of the rest angle
} mn_shell_edge;

/// A triangle; edge i lies opposite vertex i, sign i is +1 in the edge's first triangle and -1 in its second.
typedef struct mn_shell_triangle {
    int32_t          vertex[3], edge[3];
    mn_in_plane_rest membrane;
    mn_bending_kept  bending;
    int8_t           sign[3];
} mn_shell_triangle;

typedef struct mn_shell_def {
    const mn_vec3 *rest;  ///< vertex_count, cm: the shape without stress
    int64_t        vertex_count;
    const int32_t (*triangle)[3];  ///< consistently oriented, no edge with three triangles
    int64_t           triangle_count;
    const mn_vec3    *warp;  ///< direction of the warp per triangle; NULL is accepted for isotropic sheets
    mn_shell_material material;
} mn_shell_def;

typedef struct mn_shell mn_shell;

/// Copies all it needs. A mesh that is not a manifold, folds its orientation, or has a triangle without area is
/// refused.
mn_status mn_shell_create(mn_context *c, const mn_shell_def *def, mn_shell **out);
void      mn_shell_destroy(mn_shell **shell);

int64_t                  mn_shell_vertex_count(const mn_shell *s);
int64_t                  mn_shell_triangle_count(const mn_shell *s);
const mn_shell_triangle *mn_shell_triangles(const mn_shell *s);
const mn_shell_edge     *mn_shell_edge_list(const mn_shell *s);
mn_shell_edges          *mn_shell_state(mn_shell *s);        ///< one item per edge; what a checkpoint holds
int64_t                  mn_shell_bytes(const mn_shell *s);  ///< of topology, rest shape and state
/// The edge that joins two vertices, -1 if none does.
int64_t mn_shell_find_edge(const mn_shell *s, int32_t a, int32_t b);
/// Third of the rest area of the triangles around each vertex, cm^2.
void mn_shell_vertex_areas(const mn_shell *s, double *area);

/// Prescribe xi of an edge: it keeps this value, and mn_shell_relax leaves it alone.
void mn_shell_hold_xi(mn_shell *s, int64_t edge, double xi);
bool mn_shell_xi_is_free(const mn_shell *s, int64_t edge);
/// Clamp a rim edge: the sheet is to go on, beyond the edge, in the direction `outward` (world axes, tangent to the
/// clamp, not along the edge). Moving clamps call it again. MN_ERR_ARGUMENT if the edge is no rim.
mn_status mn_shell_clamp(mn_shell *s, int64_t edge, mn_vec3 outward);

/// Start a step of length h: remembers strains, angles and xi for the viscous terms; h = 0 (the state after creation)
/// turns them off. mn_shell_take_back gives xi the value it had then, for a step that is not accepted.
mn_status mn_shell_begin_step(mn_shell *s, const mn_vec3 *x, double h, mn_arena *arena);
/// The same for a step that asks for forces and stiffness only where it begins: vertices have then no viscous part in
/// them, xi has. The viscous energy of another pose is not known and counts as zero.
mn_status mn_shell_begin_still_step(mn_shell *s, double h);
void      mn_shell_take_back(mn_shell *s);

/// Where the sheet is, and a factor per triangle on all its stiffness (phi^lambda); NULL: 1.
typedef struct mn_shell_pose {
    const mn_vec3 *x;
    const double  *factor;
} mn_shell_pose;

typedef struct mn_shell_relax_report {
    int    iterations;
    bool   converged;
    double residual_first, residual_last;  ///< relative to the moments of xi = 0, in the norm of the inverse diagonal
} mn_shell_relax_report;

/// Bring xi to the minimum of the bending energy by Jacobi-CG. Scratch comes from `arena`.
mn_status mn_shell_relax(mn_shell *s, mn_shell_pose pose, double tolerance, int max_iterations, mn_arena *arena,
                         mn_shell_relax_report *report);

typedef struct mn_shell_energy {
    double membrane, bending, viscous;
} mn_shell_energy;

/// Energy at xi as it stands, erg. The viscous part is that of the copies, so that force = - gradient of the sum.
mn_status mn_shell_energy_of(mn_shell *s, mn_shell_pose pose, mn_arena *arena, mn_shell_energy *out);
/// force[v] += - dE/dx_v, dyn. `collapsed` (may be NULL) gets the number of hinges left out because a triangle beside
/// them has less than 1e-10 of its rest area.
mn_status mn_shell_add_forces(mn_shell *s, mn_shell_pose pose, mn_arena *arena, mn_vec3 *force, int64_t *collapsed);
/// The same with dE/dxi per edge (held ones included); either output may be NULL.
mn_status mn_shell_gradient(mn_shell *s, mn_shell_pose pose, mn_arena *arena, mn_vec3 *dx, double *dxi);
/// Moment at each edge, dE/d(angle), erg: of a clamped edge what the clamp holds.
mn_status mn_shell_edge_moments(mn_shell *s, mn_shell_pose pose, mn_arena *arena, double *moment);

/// Names the vertices that a triangle couples, for mn_block_matrix_create; `vertex` is filled by each call.
typedef struct mn_shell_patch {
    const mn_shell *shell;
    int64_t         first_row;  ///< row of vertex 0
    int32_t         vertex[9];
} mn_shell_patch;

/// Clique of triangle k, of six vertices at most. `patch` is an mn_shell_patch.
mn_block_clique mn_shell_clique(int64_t triangle, void *patch);
/// Prepare to fill `m`, in which vertex v is row first_row + v; again when its pattern changes.
/// MN_ERR_ARGUMENT if a pair of a clique is missing.
mn_status mn_shell_bind(mn_shell *s, const mn_block_matrix *m, int64_t first_row);
/// Add forces (as above; may be NULL) and `scale` times the projected stiffness to the off-diagonal blocks of the bound
/// matrix: membrane without its pushing part, bending J^T Q J with xi held, which is above the stiffness with xi free.
/// Positive semidefinite. The blocks must be symmetric before. The diagonal is left to mn_block_matrix_balance, which
/// is right for any sum of such stiffnesses.
mn_status mn_shell_add_stiffness(mn_shell *s, mn_shell_pose pose, double scale, mn_arena *arena, mn_block_matrix *m,
                                 mn_vec3 *force);

// The whole system with xi as unknowns, for Newton's method and for buckling. Rows: vertices, then one row per edge
// whose first component is xi (the other two are empty and must be fixed).
mn_block_clique mn_shell_full_clique(int64_t triangle, void *patch);
int64_t         mn_shell_full_rows(const mn_shell *s);
typedef enum mn_shell_hessian { MN_SHELL_PROJECTED, MN_SHELL_EXACT } mn_shell_hessian;
/// Add the Hessian of the energy to a matrix of double blocks, diagonal included. Serial.
mn_status mn_shell_add_full(mn_shell *s, mn_shell_pose pose, mn_shell_hessian kind, mn_arena *arena,
                            mn_block_matrix *m);

#endif
