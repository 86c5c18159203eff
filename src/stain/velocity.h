// SPDX-License-Identifier: MPL-2.0
// stain/velocity.h - velocity of the liquid along the cloth: forces, transport and friction (stain 5.3, 5.4, 5.6).
#ifndef MN_STAIN_VELOCITY_H
#define MN_STAIN_VELOCITY_H

#include "base/arena.h"
#include "stain/conjugate.h"
#include "stain/operator.h"

/// u by acceleration and spin (mn_stain_inertia) for h: half of the push, the turn of Coriolis, the other half.
/// At the rim only the component along it stays.
void mn_stain_force(const mn_stain_surface *s, const mn_stain_vec *acceleration, const double *spin, double h,
                    mn_stain_vec *u);
/// Push of the film's own pressure for h: -press grad(height), the height being density of the film over that of the
/// liquid (g/cm^3). Explicit: h below edge length / sqrt(press height).
void mn_stain_level(const mn_stain_surface *s, const double *mass, double density, const double *press, double h,
                    mn_stain_vec *u);

/// Give `rings` rings of vertices of less than `wet` (g/cm^2) around wet ones the mean velocity of those known beside
/// them; the rest gets 0.
mn_status mn_stain_extend_velocity(const mn_stain_surface *s, const double *mass, double wet, int rings,
                                   mn_stain_vec *u, mn_arena *arena);

/// Semi-Lagrangian transport of u by itself: back along straight lines over the unfolded triangles, sliding along the
/// rim.
mn_status mn_stain_advect_velocity(const mn_stain_surface *s, double h, mn_stain_vec *u, mn_arena *arena);

/// A place on the cloth: barycentric coordinates in a triangle, and the rotation that carries vectors there from the
/// frame of the vertex where the way began.
typedef struct mn_stain_place {
    int32_t       triangle;
    double        weight[3];
    mn_stain_turn turn;
} mn_stain_place;

/// Go from vertex v along `way` (cm, in its frame).
mn_stain_place mn_stain_walk(const mn_stain_surface *s, int64_t v, mn_stain_vec way);

/// The energy sum over triangles of A grad u . S grad u of tangent fields, carried into the triangle first: symmetric
/// and positive for any tensor. y_i = sum_j w_ij u_i - z_ij u_j.
typedef struct mn_stain_covariant {
    const mn_stain_surface *surface;
    double                 *w;  ///< per edge
    mn_stain_vec *z;  ///< per edge: acts on the vector of end 1 as a complex number, its conjugate on that of end 0
} mn_stain_covariant;

/// `only` (per triangle, or NULL) leaves out triangles where it is not `patch`.
mn_status mn_stain_covariant_create(const mn_stain_surface *s, const mn_stain_tensor *tensor, const int32_t *only,
                                    int32_t patch, mn_stain_covariant **out);
void      mn_stain_covariant_destroy(mn_stain_covariant **k);
/// y = K u.
void mn_stain_covariant_multiply(const mn_stain_covariant *k, const mn_stain_vec *u, mn_stain_vec *y);
/// Implicit step of h with free slip at the rim.
mn_status mn_stain_diffuse_velocity(const mn_stain_covariant *k, double h, double tolerance, mn_stain_vec *u,
                                    mn_arena *arena, mn_stain_solve_report *report);

#endif
