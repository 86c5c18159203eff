// SPDX-License-Identifier: MPL-2.0
// solve/cg.c - the iteration of cg.h, and the runs from true residuals around it.
#include "solve/cg.h"

static int breakdown(double product) { return isfinite(product) ? MN_SOLVE_INDEFINITE : MN_SOLVE_NOT_FINITE; }

static void keep(double *list, int step, double value)
{
    if (step < MN_CG_RECORD) list[step] = value;
}

/// One run, until the recursion is at or below `goal`: MN_SOLVE_CONVERGED means just that. *size follows r.
static int run(const mn_cg *cg, double *size, double goal, int most, mn_solve_report *report)
{
    double rho = 0.0;
    for (int step = 0; report->iterations < most; step++) {
        if (cg->pool != NULL && mn_pool_interrupted(cg->pool)) return MN_SOLVE_INTERRUPTED;
        const double next = cg->precondition != NULL ? cg->precondition(cg->self, step == 0) : *size;  // z = M r
        if (!(next > 0.0)) return breakdown(next);
        const double beta = step > 0 ? next / rho : 0.0;
        rho               = next;

        const double curvature = cg->direct(cg->self, step == 0, beta);  // p = z + beta p, q = A p
        if (!(curvature > 0.0)) return breakdown(curvature);
        const double alpha = rho / curvature;
        if (cg->record != NULL) {
            keep(cg->record->alpha, step, alpha);
            keep(cg->record->beta, step, beta);
            cg->record->steps = step < MN_CG_RECORD ? step + 1 : MN_CG_RECORD;
        }

        *size = cg->advance(cg->self, alpha);  // x += alpha p, r -= alpha q
        report->iterations++;
        if (!isfinite(*size)) return MN_SOLVE_NOT_FINITE;
        if (*size <= goal) return MN_SOLVE_CONVERGED;
    }
    return MN_SOLVE_ITERATIONS;
}

static int recorded_run(const mn_cg *cg, double *size, double goal, int most, mn_solve_report *report)
{
    if (cg->record != NULL) cg->record->steps = 0;
    const int outcome = run(cg, size, goal, most, report);
    if (cg->finish != NULL) cg->finish(cg->self);
    return outcome;
}

int mn_cg_solve(const mn_cg *cg, double size, const mn_cg_stop *stop, mn_solve_report *report)
{
    const int most         = report->iterations + stop->iterations;
    double    previous     = INFINITY;
    report->residual_first = size;
    for (int restarts = 0;; restarts++) {
        report->residual_last = size;
        if (!isfinite(size)) return MN_SOLVE_NOT_FINITE;
        if (size <= stop->tolerance) return MN_SOLVE_CONVERGED;
        if (report->iterations >= most) return MN_SOLVE_ITERATIONS;
        if (size > stop->gain * previous) return MN_SOLVE_STALLED;
        previous              = size;
        const int outcome     = recorded_run(cg, &size, stop->margin * stop->tolerance, most, report);
        report->residual_last = size;
        if (restarts == stop->restarts) return outcome;
        size = report->residual_last = cg->residual(cg->self);
        if (outcome <= MN_SOLVE_INDEFINITE) return outcome;  // nothing that a new run would mend
    }
}
