// SPDX-License-Identifier: MPL-2.0
// elastic/shell_drive.c - Newton's method over vertices and mid-edge normals.
#include "elastic/shell_drive.h"

#include "elastic/shell_drive_private.h"

#include <string.h>

#define LINE_SEARCH_STEPS 40
#define FULL_STEPS        30   // tries without a search
#define GROWTH            4.0  // of such a step over the first, at which they are given up

static mn_status take_arrays(mn_shell_drive *d)
{
    mn_context   *c = d->context;
    const int64_t n = d->vertices, all = 3 * d->rows;
    d->hold     = mn_alloc_array(c, uint8_t, all);
    d->gradient = mn_alloc_array(c, double, all);
    d->step     = mn_alloc_array(c, double, all);
    d->add      = mn_alloc_array(c, double, all);
    d->dx       = mn_alloc_array(c, mn_vec3, n);
    d->start    = mn_alloc_array(c, mn_vec3, n);
    d->target   = mn_alloc_array(c, mn_vec3, n);
    d->dxi      = mn_alloc_array(c, double, d->edges);
    d->start_xi = mn_alloc_array(c, double, d->edges);
    d->begin    = mn_alloc_array(c, mn_vec3, n);
    d->begin_xi = mn_alloc_array(c, double, d->edges);
    return d->hold && d->gradient && d->step && d->add && d->dx && d->start && d->target && d->dxi && d->start_xi &&
                   d->begin && d->begin_xi
               ? MN_OK
               : MN_ERR_MEMORY;
}

static mn_status prepare(mn_shell_drive *d)
{
    mn_shell_patch patch = { .shell = d->def.shell };
    MN_TRY(take_arrays(d));
    for (int64_t v = 0; v < 3 * d->vertices; v++) d->hold[v] = d->def.fixed != NULL && d->def.fixed[v];
    for (int64_t e = 0; e < d->edges; e++) {
        uint8_t *hold = d->hold + 3 * (d->vertices + e);
        hold[0]       = !mn_shell_xi_is_free(d->def.shell, e);
        hold[1] = hold[2] = 1;
    }
    MN_TRY(mn_arena_create(d->context, &d->arena));
    MN_TRY(mn_block_matrix_create(d->context, d->rows, mn_shell_triangle_count(d->def.shell), mn_shell_full_clique,
                                  &patch, false, &d->matrix));
    return mn_cholesky_create(d->context, &d->matrix, d->hold, &d->cholesky);
}

mn_status mn_shell_drive_create(mn_context *c, const mn_shell_drive_def *def, mn_shell_drive **out)
{
    *out              = NULL;
    mn_shell_drive *d = mn_alloc(c, sizeof *d);
    if (d == NULL) return MN_ERR_MEMORY;
    d->context         = c;
    d->def             = *def;
    d->vertices        = mn_shell_vertex_count(def->shell);
    d->rows            = mn_shell_full_rows(def->shell);
    d->edges           = d->rows - d->vertices;
    const mn_status st = prepare(d);
    if (st != MN_OK) mn_shell_drive_destroy(&d);
    *out = d;
    return st;
}

void mn_shell_drive_destroy(mn_shell_drive **drive)
{
    mn_shell_drive *d = *drive;
    if (d == NULL) return;
    mn_context *c = d->context;
    mn_cholesky_destroy(&d->cholesky);
    mn_block_matrix_destroy(c, &d->matrix);
    mn_arena_destroy(&d->arena);
    mn_free(c, d->hold), mn_free(c, d->gradient), mn_free(c, d->step), mn_free(c, d->add);
    mn_free(c, d->dx), mn_free(c, d->start), mn_free(c, d->target), mn_free(c, d->dxi), mn_free(c, d->start_xi);
    mn_free(c, d->begin), mn_free(c, d->begin_xi);
    mn_free(c, d);
    *drive = NULL;
}

static mn_shell_pose pose_of(const mn_shell_drive *d, const mn_vec3 *x) { return (mn_shell_pose){ x, d->def.factor }; }

/// Energy less the work of the load, plus inertia about the target of a step.
static mn_status potential(mn_shell_drive *d, const mn_vec3 *x, double *out)
{
    mn_shell_energy e;
    MN_TRY(mn_shell_energy_of(d->def.shell, pose_of(d, x), d->arena, &e));
    double sum = 0.0;
    for (int64_t v = 0; v < d->vertices; v++) {
        if (d->def.load != NULL) sum -= mn_dot3(d->def.load[v], x[v]);
        if (d->inertia > 0.0) {
            const mn_vec3 off = mn_sub3(x[v], d->target[v]);
            sum += 0.5 * d->inertia * d->def.mass[v] * mn_dot3(off, off);
        }
    }
    *out = e.membrane + e.bending + e.viscous + sum;
    return MN_OK;
}

static mn_status gradient(mn_shell_drive *d, const mn_vec3 *x)
{
    MN_TRY(mn_shell_gradient(d->def.shell, pose_of(d, x), d->arena, d->dx, d->dxi));
    memset(d->gradient, 0, (size_t)(3 * d->rows) * sizeof *d->gradient);
    for (int64_t v = 0; v < d->vertices; v++) {
        mn_vec3 g = d->dx[v];
        if (d->def.load != NULL) g = mn_sub3(g, d->def.load[v]);
        if (d->inertia > 0.0) g = mn_add3(g, mn_scale3(d->inertia * d->def.mass[v], mn_sub3(x[v], d->target[v])));
        d->gradient[3 * v] = g.x, d->gradient[3 * v + 1] = g.y, d->gradient[3 * v + 2] = g.z;
    }
    for (int64_t e = 0; e < d->edges; e++) d->gradient[3 * (d->vertices + e)] = d->dxi[e];
    return MN_OK;
}

mn_status mn_shell_drive_factor(mn_shell_drive *d, const mn_vec3 *x, mn_shell_hessian kind, bool *positive)
{
    mn_block_matrix_zero(d->context, &d->matrix);
    MN_TRY(mn_shell_add_full(d->def.shell, pose_of(d, x), kind, d->arena, &d->matrix));
    for (int64_t v = 0; v < d->vertices; v++)
        for (int k = 0; k < 3; k++) d->add[3 * v + k] = d->inertia > 0.0 ? d->inertia * d->def.mass[v] : 0.0;
    return mn_cholesky_factor(d->cholesky, &d->matrix, d->add, positive);
}

static void move(mn_shell_drive *d, double part, mn_vec3 *x)
{
    double *xi = mn_shell_state(d->def.shell)->xi[0];
    for (int64_t v = 0; v < d->vertices; v++)
        x[v] = mn_add3(d->start[v], mn_scale3(part, mn_v3(d->step[3 * v], d->step[3 * v + 1], d->step[3 * v + 2])));
    for (int64_t e = 0; e < d->edges; e++) xi[e] = d->start_xi[e] + part * d->step[3 * (d->vertices + e)];
}

/// Solve for the step from x; `exact` says which Hessian served.
static mn_status find_step(mn_shell_drive *d, const mn_vec3 *x, bool projection_allowed, bool *exact, double *slope,
                           mn_shell_drive_report *r)
{
    bool positive;
    MN_TRY(gradient(d, x));
    MN_TRY(mn_shell_drive_factor(d, x, MN_SHELL_EXACT, exact));
    if (!*exact && !projection_allowed) return MN_OK;
    if (!*exact) {
        MN_TRY(mn_shell_drive_factor(d, x, MN_SHELL_PROJECTED, &positive));
        if (!positive)
            return mn_fail(d->context, MN_ERR_SOLVE,
                           "the stiffness of a shell is singular: some of its vertices are held by nothing");
        r->projected++;
    }
    for (int64_t k = 0; k < 3 * d->rows; k++) d->step[k] = d->hold[k] ? 0.0 : -d->gradient[k];
    MN_TRY(mn_cholesky_solve(d->cholesky, d->step, d->step));
    r->last_step = *slope = 0.0;
    for (int64_t k = 0; k < 3 * d->rows; k++) {
        *slope += d->hold[k] ? 0.0 : d->gradient[k] * d->step[k];
        if (k < 3 * d->vertices) r->last_step = fmax(r->last_step, fabs(d->step[k]));
    }
    r->iterations++;
    return MN_OK;
}

static void remember(mn_shell_drive *d, const mn_vec3 *x)
{
    memcpy(d->start, x, (size_t)d->vertices * sizeof *x);
    memcpy(d->start_xi, mn_shell_state(d->def.shell)->xi[0], (size_t)d->edges * sizeof *d->start_xi);
}

/// Halve the step until the potential falls enough. Differences below round-off of the potential count as equal.
static mn_status search(mn_shell_drive *d, double before, double slope, mn_vec3 *x, double *part)
{
    remember(d, x);
    *part = 1.0;
    for (int k = 0; k < LINE_SEARCH_STEPS; k++, *part *= 0.5) {
        double after;
        move(d, *part, x);
        MN_TRY(potential(d, x, &after));
        if (after <= before + 1e-4 * *part * slope + 1e-13 * fabs(before)) return MN_OK;
    }
    return mn_fail(d->context, MN_ERR_SOLVE, "no step of a shell's Newton method lowers its energy (%g, slope %g)",
                   before, slope);
}

static mn_status newton_step(mn_shell_drive *d, mn_vec3 *x, mn_shell_drive_report *r)
{
    bool   exact;
    double before, slope, part;
    MN_TRY(find_step(d, x, true, &exact, &slope, r));
    MN_TRY(potential(d, x, &before));
    MN_TRY(search(d, before, slope, x, &part));
    r->converged = exact && part == 1.0 && r->last_step <= d->def.tolerance;
    return MN_OK;
}

/// Full steps without a search. A sheet that hardly stretches moves along a curved path of low energy: a full step
/// leaves it and the next returns to it, where a search on the energy would creep. Given up when the steps grow or the
/// Hessian fails; x is then anywhere.
static mn_status full_steps(mn_shell_drive *d, mn_vec3 *x, mn_shell_drive_report *r)
{
    double first = 0.0, slope;
    for (int k = 0; k < FULL_STEPS && !r->converged; k++) {
        bool exact;
        MN_TRY(find_step(d, x, false, &exact, &slope, r));
        if (!exact || !(r->last_step <= GROWTH * first || k == 0)) return MN_OK;
        if (k == 0) first = r->last_step;
        remember(d, x);
        move(d, 1.0, x);
        r->converged = r->last_step <= d->def.tolerance;
    }
    return MN_OK;
}

static mn_status newton(mn_shell_drive *d, mn_vec3 *x, mn_shell_drive_report *r)
{
    double *xi = mn_shell_state(d->def.shell)->xi[0];
    *r         = (mn_shell_drive_report){ 0 };
    memcpy(d->begin, x, (size_t)d->vertices * sizeof *x);
    memcpy(d->begin_xi, xi, (size_t)d->edges * sizeof *xi);
    MN_TRY(full_steps(d, x, r));
    if (r->converged) return MN_OK;
    memcpy(x, d->begin, (size_t)d->vertices * sizeof *x);
    memcpy(xi, d->begin_xi, (size_t)d->edges * sizeof *xi);
    while (!r->converged && r->iterations < d->def.max_iterations) MN_TRY(newton_step(d, x, r));
    return MN_OK;
}

mn_status mn_shell_drive_rest(mn_shell_drive *d, mn_vec3 *x, mn_shell_drive_report *report)
{
    d->inertia = 0.0;
    return newton(d, x, report);
}

mn_status mn_shell_drive_step(mn_shell_drive *d, mn_shell_rule rule, double h, mn_vec3 *x, mn_vec3 *v,
                              mn_shell_drive_report *report)
{
    const double share = rule == MN_SHELL_EULER ? 1.0 : 0.25;
    MN_TRY(mn_shell_begin_step(d->def.shell, x, h, d->arena));
    d->inertia = 0.0;
    MN_TRY(gradient(d, x));
    d->inertia      = 1.0 / (share * h * h);
    mn_vec3 *target = d->target;
    for (int64_t i = 0; i < d->vertices; i++) {
        target[i] = mn_add3(x[i], mn_scale3(h, v[i]));
        if (rule == MN_SHELL_TRAPEZOID) {
            const double  s = -0.25 * h * h / d->def.mass[i];
            const mn_vec3 a = { s * d->gradient[3 * i], s * d->gradient[3 * i + 1], s * d->gradient[3 * i + 2] };
            target[i]       = mn_add3(target[i], a);
        }
    }
    const mn_status st = newton(d, x, report);
    for (int64_t i = 0; st == MN_OK && i < d->vertices; i++) {
        const mn_vec3 mean = mn_scale3(1.0 / h, mn_sub3(x[i], d->begin[i]));
        v[i]               = rule == MN_SHELL_EULER ? mean : mn_sub3(mn_scale3(2.0, mean), v[i]);
        for (int k = 0; k < 3; k++)
            if (d->hold[3 * i + k]) *(k == 0 ? &v[i].x : k == 1 ? &v[i].y : &v[i].z) = 0.0;
    }
    return st;
}

mn_status mn_shell_drive_is_stable(mn_shell_drive *d, const mn_vec3 *x, bool *stable)
{
    d->inertia = 0.0;
    return mn_shell_drive_factor(d, x, MN_SHELL_EXACT, stable);
}
