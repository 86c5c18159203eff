// SPDX-License-Identifier: MPL-2.0
// couple/mixture_coupled.h - inside the coupled solve: the system in the velocities of the phases and pressure, its
// product, its preconditioner (mixture-solve 2, 5).
//
//     [ A    B ] [u_s]   [r_u]      A = D_s + W^T (h^2 H + P) W        B   = rho V~ G
//     [ B^T -L ] [p^ ] = [r_p]      L = G^T rho^2 V_f^2 / (M_f + c) G   G p = p_here - p_low on every face
//
// All blocks are in g and all rows in g cm/s: the rows of the cells, sums of velocities in cm/s, are multiplied by rho
// v. A vector of the system is one of the mixture (mixture.h) and behind it, from `pressure_at` on, the cells of the
// liquid's tiles.
//
// Several phases k share a face through the liquid that the drag of all drags along: with c = sum of c_k and
// P_k = c_k / (M_f + c),
//     D_kk = M_k + P_k (M_f + sum of the other c),   D_kj = -P_k c_j,   V~_k = V_k + P_k V_f.
#ifndef MN_COUPLE_MIXTURE_COUPLED_H
#define MN_COUPLE_MIXTURE_COUPLED_H

#include "couple/mixture.h"
#include "solve/fgmres.h"

/// Of the system. Vectors of the mixture, but for those said to have one value a face.
typedef struct mn_coupled_rows {
    int64_t *low;       ///< place of the cell below the face; 0 where the liquid has none. A value a face
    double  *inertia;   ///< D_kk, g
    double  *share;     ///< P_k
    double  *coupling;  ///< rho V~_k, g
    double  *shift;     ///< e of the Newton form of the drag, g cm/s (mixture-solve 4)
    double  *response;  ///< rho^2 V_f^2 / (M_f + c), g. A value a face
    double  *link[3];   ///< the coefficient of L on every face of the liquid, g
    double  *flux[3];   ///< room for fluxes on them
} mn_coupled_rows;

/// How the phases at one face answer impulses on it together: the factors L D L^T of a matrix like D.
typedef struct mn_coupled_factors {
    double *inverse;  ///< of the pivots, 1/g
    double *lift;     ///< what a velocity of the liquid gets from an impulse on an earlier phase; NULL with one phase
} mn_coupled_factors;

/// The preconditioner and its scratch.
typedef struct mn_coupled_inner {
    float             *surrogate[3];  ///< of the Schur complement, in units of rho v
    double            *stiffness;     ///< diagonal of A without D, g
    mn_coupled_factors answer;        ///< velocity of the phases to an impulse on their faces alone
    mn_coupled_factors smoother;      ///< 1 / A^, the Jacobi of the inner solves
    double            *residual, *direction, *product;
    double            *together;  ///< M residual; NULL with one phase, where it is made when read
    double             alpha, beta, tolerance;
} mn_coupled_inner;

typedef struct mn_coupled {
    // the problem
    mn_mixture   *m;
    mn_pool      *pool;
    int64_t       cells;  ///< values of a field of the liquid
    int64_t       pressure_at, count;
    double        unit;    ///< rho v, g
    const double *target;  ///< of the divergence, times cell, cm/s
    // what stands for it, and how it is solved
    mn_coupled_rows  rows;
    mn_coupled_inner pre;
    double          *rhs, *x, *weight;
    double          *left;  ///< residual at x, where it is known
    // arguments of the loops
    const double *from;
    double       *to;
    // work done
    int64_t products, cycles;
    int64_t most;  ///< products after which inner solves do nothing: the solve then ends by its iterations
} mn_coupled;

/// Room for all of it, places, targets. Needs everything of mn_mixture but the drag.
mn_status mn_coupled_prepare(mn_mixture *m, const mn_step *step, mn_coupled *x);
/// Coefficients of all faces from m->drag as it stands.
void mn_coupled_assemble(mn_coupled *x);
/// Right-hand side, with the load of the phases (g cm/s on faces).
void mn_coupled_right_side(mn_coupled *x, const double *load);
/// Diagonal of the stiffness as load and touches stand; serves the drag that is foreseen and the preconditioner.
mn_status mn_coupled_find_stiffness(mn_coupled *x, mn_arena *arena);
/// Surrogate and Jacobi from the coefficients as they stand.
mn_status mn_coupled_precondition_setup(mn_coupled *x, mn_arena *arena);

/// y = K x; the signature is that of mn_fgmres_problem.
mn_status mn_coupled_apply(const double *x, double *y, void *coupled);
/// z = M r and K z.
mn_status mn_coupled_precondition(const double *r, double *z, double *kz, void *coupled);
/// to_i = rho V~ (p_here - p_low) on the faces of the phases, the product B p.
void mn_coupled_gradient(const mn_coupled *x, const double *p, double *to);
/// Rows of the cells: B^T u - L p.
void mn_coupled_rows_of_cells(mn_coupled *x, const double *u, const double *p, double *to);
/// u_f of (M2) on the faces of the phases, in `to`, a value a face; 0 where the liquid has no mass.
void mn_coupled_liquid_velocity(const mn_coupled *x, const double *u, const double *p, double *to);
/// to = W^T (h^2 H + P) W from for all phases.
void mn_coupled_multiply(mn_coupled *x, const double *from, double *to);

/// What the other phases at a face take from the row of one by the liquid between them: the sum of P_k c_j u_j.
static inline double mn_coupled_from_others(const mn_coupled *x, int phase, int64_t face, const double *u)
{
    const mn_mixture *m   = x->m;
    double            sum = 0.0;
    for (int k = 0; k < m->phases; k++)
        if (k != phase) sum += m->drag[k * m->stride + face] * u[k * m->stride + face];
    return m->phases > 1 ? x->rows.share[phase * m->stride + face] * sum : 0.0;
}

/// z = (L D L^T)^-1 r at a face: of each phase, its value in a vector.
static inline void mn_coupled_answer(const mn_coupled *x, const mn_coupled_factors *f, int64_t face, const double *r,
                                     double *z)
{
    const mn_mixture *m = x->m;
    z[face]             = f->inverse[face] * r[face];
    if (m->phases == 1) return;
    double liquid = f->lift[face] * r[face];
    for (int k = 1; k < m->phases; k++) {
        const int64_t at   = k * m->stride + face;
        const double  left = r[at] + m->drag[at] * liquid;
        z[at]              = f->inverse[at] * left;
        liquid += f->lift[at] * left;
    }
    double pulled = 0.0;
    for (int k = m->phases - 1; k >= 0; k--) {
        const int64_t at = k * m->stride + face;
        z[at] += f->lift[at] * pulled;
        pulled += m->drag[at] * z[at];
    }
}

#endif
