// SPDX-License-Identifier: MPL-2.0
// stain/diffuse.h - implicit diffusion of a density along a cloth: conservative by form, and free of negative values
// (stain 5.5).
#ifndef MN_STAIN_DIFFUSE_H
#define MN_STAIN_DIFFUSE_H

#include "stain/conjugate.h"
#include "stain/operator.h"

typedef enum mn_stain_scheme {
    MN_STAIN_POSITIVE,  ///< flux corrected: no value outside those around it before
    MN_STAIN_GALERKIN,  ///< the sharpest, with undershoots where conductances are negative
    MN_STAIN_MONOTONE   ///< negative conductances left out: the most diffusive
} mn_stain_scheme;

typedef enum mn_stain_solver { MN_STAIN_AUTOMATIC, MN_STAIN_CONJUGATE, MN_STAIN_DIRECT } mn_stain_solver;

typedef struct mn_stain_diffusion_def {
    mn_stain_scheme scheme;
    mn_stain_solver solver;          ///< AUTOMATIC: direct where a step is stiff and the cloth not too large
    int             passes;          ///< of the limiter. Default 4.
    double          tolerance;       ///< of iterations. Default 1e-10.
    int             max_iterations;  ///< Default 4000.
} mn_stain_diffusion_def;

mn_stain_diffusion_def mn_stain_diffusion_def_default(void);

/// A step of fixed length h with a fixed operator, factored once where that pays.
typedef struct mn_stain_diffusion mn_stain_diffusion;

/// Operator and areas (per vertex, cm^2) are borrowed.
mn_status mn_stain_diffusion_create(const mn_stain_operator *op, const double *area, double h,
                                    const mn_stain_diffusion_def *def, mn_stain_diffusion **out);
void      mn_stain_diffusion_destroy(mn_stain_diffusion **d);

typedef struct mn_stain_diffusion_report {
    int    iterations;  ///< of both solves; 0 with factors
    bool   direct, converged;
    double residual;  ///< the larger one
} mn_stain_diffusion_report;

/// Spread masses (density times area, >= 0) for h. `flow` (per link of the operator, or NULL) receives what went from
/// end 0 to end 1; masses change by it and nothing else, whatever the tolerance.
mn_status mn_stain_diffuse(mn_stain_diffusion *d, double *mass, double *flow, mn_arena *arena,
                           mn_stain_diffusion_report *report);

#endif
