// SPDX-License-Identifier: MPL-2.0
// solve/mg_ritz.h - inside the multigrid: eigenvalues that conjugate gradients reveal on their way.
#ifndef MN_SOLVE_MG_RITZ_H
#define MN_SOLVE_MG_RITZ_H

#include "solve/cg.h"

/// Eigenvalue number `which` from below of the tridiagonal matrix of the steps of CG on record.
double mn_mg_ritz(const mn_cg_record *record, int which);

#endif
