// SPDX-License-Identifier: MPL-2.0
// couple/mixture_coupled.h - inside the coupled solve: the system in fabric velocity and pressure, its product, its
// preconditioner (mixture-solve 2, 5).
//
//     [ A    B ] [u_s]   [r_u]      A = D_s + W^T (h^2 H + P) W        B   = rho V~ G
//     [ B^T -L ] [p^ ] = [r_p]      L = G^T rho^2 V_f^2 / (M_f + c) G   G p = p_here - p_low on every face
//
// All blocks are in g and all rows in g cm/s: the rows of the cells, sums of velocities in cm/s, are multiplied by rho
// v. A vector holds the faces of the fabric first and from `pressure_at` on the cells of the liquid's tiles.
#ifndef MN_COUPLE_MIXTURE_COUPLED_H
#define MN_COUPLE_MIXTURE_COUPLED_H

#include "couple/mixture.h"
#include "solve/fgmres.h"

typedef struct mn_coupled {
    mn_mixture        *m;
    mn_fabric_operator op;
    mn_pool           *pool;
    int64_t            cells;  ///< values of a field of the liquid
    int64_t            pressure_at, count;
    double             unit;      ///< rho v, g
    int64_t           *low;       ///< per face: place of the cell below it; 0 where the liquid has none
    double            *inertia;   ///< D_s, g
    double            *share;     ///< P
    double            *coupling;  ///< rho V~, g
    double            *response;  ///< rho^2 V_f^2 / (M_f + c), g
    double            *shift;     ///< e of the Newton form of the drag, g cm/s (mixture-solve 4)
    double            *link[3];   ///< the coefficient of L on every face of the liquid, g
    double            *flux[3];   ///< room for fluxes on them
    const double      *target;    ///< of the divergence, times cell, cm/s
    double            *rhs, *x, *weight;
    double            *left;  ///< residual at x, where it is known
    // preconditioner
    float        *surrogate[3];  ///< of the Schur complement, in units of rho v
    double       *stiffness;     ///< diagonal of A - D_s, g
    double       *answer;        ///< of the velocity of the fabric to an impulse on its face alone, 1/g
    double       *smoother;      ///< 1 / A^, the Jacobi of the inner solves
    double       *residual, *direction, *product;
    double        alpha, beta, inner;
    const double *from;  ///< arguments of the loops
    double       *to;
    int64_t       products, cycles;
    int64_t       most;  ///< products after which inner solves do nothing: the solve then ends by its iterations
} mn_coupled;

/// Room for all of it, places, targets. Needs everything of mn_mixture but the drag.
mn_status mn_coupled_prepare(mn_mixture *m, const mn_step *step, mn_coupled *x);
/// Coefficients of all faces from m->drag as it stands.
void mn_coupled_assemble(mn_coupled *x);
/// Right-hand side, with the load of the fabric (g cm/s on faces).
void mn_coupled_right_side(mn_coupled *x, const double *load);
/// Diagonal of the stiffness as load and touches stand; serves the drag that is foreseen and the preconditioner.
mn_status mn_coupled_find_stiffness(mn_coupled *x, mn_arena *arena);
/// Surrogate and Jacobi from the coefficients as they stand.
mn_status mn_coupled_precondition_setup(mn_coupled *x, mn_arena *arena);

/// y = K x; the signature is that of mn_fgmres_problem.
mn_status mn_coupled_apply(const double *x, double *y, void *coupled);
/// z = M r and K z.
mn_status mn_coupled_precondition(const double *r, double *z, double *kz, void *coupled);
/// to_i = rho V~ (p_here - p_low) on the faces of the fabric, the product B p.
void mn_coupled_gradient(const mn_coupled *x, const double *p, double *to);
/// Rows of the cells: B^T u - L p.
void mn_coupled_rows_of_cells(mn_coupled *x, const double *u, const double *p, double *to);
/// u_f of (M2) on the faces of the fabric, in `to`; 0 where the liquid has no mass.
void mn_coupled_liquid_velocity(const mn_coupled *x, const double *u, const double *p, double *to);

/// The axis of a face of the fabric.
static inline int mn_coupled_axis(const mn_coupled *x, int64_t face)
{
    const int32_t *start = x->op.faces->axis_start;
    return face < start[1] ? 0 : face < start[2] ? 1 : 2;
}

#endif
