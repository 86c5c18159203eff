// SPDX-License-Identifier: MPL-2.0
// solve/cholmod_start.h - inside the direct solvers: CHOLMOD as both want it. The simplicial factor needs no BLAS, and
// one ordering is tried: same bits wherever it runs.
#ifndef MN_SOLVE_CHOLMOD_START_H
#define MN_SOLVE_CHOLMOD_START_H

#include <cholmod.h>

static inline void mn_cholmod_start(cholmod_common *c)
{
    cholmod_start(c);
    c->print                      = 0;
    c->supernodal                 = CHOLMOD_SIMPLICIAL;
    c->final_ll                   = 1;
    c->quick_return_if_not_posdef = 1;
    c->nmethods                   = 1;
    c->method[0].ordering         = CHOLMOD_AMD;
}

#endif
