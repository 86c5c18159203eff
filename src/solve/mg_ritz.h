// SPDX-License-Identifier: MPL-2.0
// solve/mg_ritz.h - inside the multigrid: eigenvalues that conjugate gradients reveal on their way.
#ifndef MN_SOLVE_MG_RITZ_H
#define MN_SOLVE_MG_RITZ_H

/// CG coefficients that can be kept.
#define MN_MG_MAX_RITZ 128

/// Eigenvalue number `which` from below of the tridiagonal matrix of n steps of CG. beta[k] made direction k from the
/// one before; beta[0] is not read.
double mn_mg_ritz(const double *alpha, const double *beta, int n, int which);

#endif
