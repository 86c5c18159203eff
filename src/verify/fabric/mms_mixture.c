// SPDX-License-Identifier: MPL-2.0
// verify/fabric/mms_mixture.c - MMS3, MMS4: manufactured velocities and pressure of a mixture pair, (1a, 1b, 4) with
// linear and with nonlinear drag. The stage alone, without a world's step: no scene has solid everywhere and forces
// that make a given flow.
//
// A closed box of liquid, pi by pi, and a solid that fills it, phi = 0.3 + 0.1 cos x, as a phase of its own of the
// mixture without forces or stiffness. Fluxes phi u_s = A curl(sin^2 x sin^2 y) and (1 - phi) u_f = B curl(cos x sin^2
// x sin^2 y) have no divergence and vanish at the walls as the square of the distance (beside a wall the speed in the
// drag law is a mean over fewer faces, and would be of first order); p = sin x cos y cos t. Impulses of the step are
// those of the last velocities and of the forces that are lacking, as they are at its end: backward Euler. Nothing
// moves: the stage knows no advection.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"

#include "couple/mixture_coupled.h"
#include "couple/mixture_drag.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

#define END     0.2   // s
#define DEPTH   4     // cells
#define SOLID   1.32  // g/cm^3
#define LINEAR  2.0   // g/(cm^3 s), of the drag: it acts within the time of the flow, not of a step
#define GROWTH  0.5   // of what goes with the speed, if it does
#define NEWTONS 6

typedef struct pair {
    mn_world      *w;
    double         dt;
    bool           nonlinear;
    double        *position[3];  ///< of the points: one in every cell
    int64_t        points;
    mn_point_faces faces;
    double        *mass, *momentum;  ///< of the phase, on faces
    double        *velocity;         ///< that it is given by the solve
    double        *u_s, *u_f;        ///< of the last step, on faces
    int32_t        count;            ///< of faces
    mn_touches     none;
    const mn_step *step;
    const double  *inertia;
    mn_mixture     m;
} pair;

// --- the solution

typedef struct flow {
    double u_s[3], u_f[3], rate_s[3], rate_f[3], slope[3];  ///< velocities, their rates, gradient of p
    double phi, p;
} flow;

static flow flow_at(const double x[3], double t)
{
    const double a = cos(t), b = 0.7 * cos(2.0 * t), a_t = -sin(t), b_t = -1.4 * sin(2.0 * t);
    const double sx = sin(x[0]), cx = cos(x[0]), sy = sin(x[1]), s2y = sin(2.0 * x[1]);
    const double s[3] = { sx * sx * s2y, -2.0 * sx * cx * sy * sy, 0.0 };
    const double f[3] = { cx * sx * sx * s2y, -(2.0 * cx * cx - sx * sx) * sx * sy * sy, 0.0 };
    flow         q    = { .phi = 0.3 + 0.1 * cos(x[0]), .p = sin(x[0]) * cos(x[1]) * cos(t) };
    for (int k = 0; k < 3; k++) {
        q.u_s[k] = a * s[k] / q.phi, q.rate_s[k] = a_t * s[k] / q.phi;
        q.u_f[k] = b * f[k] / (1.0 - q.phi), q.rate_f[k] = b_t * f[k] / (1.0 - q.phi);
    }
    q.slope[0] = cos(x[0]) * cos(x[1]) * cos(t), q.slope[1] = -sin(x[0]) * sin(x[1]) * cos(t);
    return q;
}

/// Force of the drag on the solid, dyn/cm^3: (1 - phi)^2 C of the superficial speed (wet-fabric D20).
static double drag_at(const pair *y, const flow *q, int axis)
{
    const double open = 1.0 - q->phi;
    double       w2   = 0.0;
    for (int k = 0; k < 3; k++) w2 += (q->u_f[k] - q->u_s[k]) * (q->u_f[k] - q->u_s[k]);
    const double c = LINEAR + (y->nonlinear ? GROWTH * pow(open * sqrt(w2), 1.6) : 0.0);
    return open * open * c * (q->u_f[axis] - q->u_s[axis]);
}

// --- the phase

static void place_of(const mn_tiles *t, int64_t home, int axis, double x[3])
{
    const mn_tile_coord at = t->coord[home / t->cells];
    const int32_t       in = (int32_t)(home % t->cells), tile[3] = { at.x, at.y, at.z },
                  cell[3] = { in % MN_TILE, in / MN_TILE % MN_TILE, in / (MN_TILE * MN_TILE) };
    for (int a = 0; a < 3; a++)
        x[a] = mn_get3(t->def.origin, a) + t->def.cell * (MN_TILE * tile[a] + cell[a] + (a == axis ? 0.0 : 0.5));
}

static void face_place(const pair *y, int64_t i, double x[3])
{
    place_of(&y->faces.tiles, y->m.home[i], mn_mixture_axis(&y->m, i), x);
}

static bool is_open(const pair *y, int64_t i)
{
    return y->m.place[i] > 0 && y->w->liquid.grid.solid.open[mn_mixture_axis(&y->m, i)][y->m.place[i]] > 0.0f;
}

static mn_status bring(void *matter, mn_arena *arena, mn_phase_brings *out)
{
    pair        *y = matter;
    const double v = mn_cell_volume(&y->w->grid);
    (void)arena;
    for (int64_t i = 0; i < y->count; i++) {
        double x[3];
        face_place(y, i, x);
        out->volume[i]      = v * flow_at(x, 0.0).phi;
        out->bulk[i]        = v;
        out->normal[i]      = v / 3.0;
        out->drag_linear[i] = v * LINEAR;
        out->drag_growth[i] = y->nonlinear ? v * GROWTH : 0.0;
        out->exponent[i]    = v * 1.6;
        y->mass[i]          = SOLID * out->volume[i];
    }
    return MN_OK;
}

static mn_status begin(void *matter, const mn_step *step, const double *inertia, mn_settling *out)
{
    pair *y    = matter;
    y->step    = step;
    y->inertia = inertia;
    *out       = (mn_settling){ .touches = &y->none, .velocity = NULL };
    return MN_OK;
}

static void nothing(void *matter, double *to) { memset(to, 0, (size_t)((pair *)matter)->count * sizeof *to); }
static void multiply(void *matter, const double *from, double *to)
{
    (void)from;
    nothing(matter, to);
}
static mn_status diagonal(void *matter, mn_arena *arena, double *out)
{
    (void)arena;
    nothing(matter, out);
    return MN_OK;
}
static bool foresee(void *matter, double *to)
{
    nothing(matter, to);
    return true;
}
static void collect(void *matter, const double *u) { (void)matter, (void)u; }
static void keep_momentum(void *matter, const double *b, double *u) { (void)matter, (void)b, (void)u; }
static void solve_alone(void *matter, const double *impulse, double *load, bool first, double ease, double *u,
                        mn_solve_report *report)
{
    const pair *y = matter;
    (void)first, (void)ease;
    for (int64_t i = 0; i < y->count; i++) u[i] = (impulse[i] + load[i]) * mn_inverse_mass(y->inertia[i]);
    report->outcome = MN_SOLVE_CONVERGED;
}
static void settled(void *matter) { (void)matter; }

static const mn_phase_answers ANSWERS = { .bring         = bring,
                                          .begin         = begin,
                                          .load          = nothing,
                                          .multiply      = multiply,
                                          .diagonal      = diagonal,
                                          .foresee       = foresee,
                                          .collect       = collect,
                                          .keep_momentum = keep_momentum,
                                          .solve         = solve_alone,
                                          .settled       = settled,
                                          .keep          = collect };

// --- a step

static mn_status take_room(pair *y, mn_arena *arena)
{
    mn_world            *w      = y->w;
    const mn_tiles      *tiles  = &y->faces.tiles;
    double              *share  = mn_arena_array(arena, double, (int64_t)tiles->count * tiles->cells);
    double              *volume = mn_arena_array_zero(arena, double, y->points);
    const mn_room_points points = { .tiles    = tiles,
                                    .bins     = &y->faces.bins,
                                    .position = (const double *const *)y->position,
                                    .volume   = volume };
    if (share == NULL || volume == NULL) return MN_ERR_MEMORY;
    mn_liquid_room_clear(&w->liquid);
    return mn_liquid_room_add(&w->liquid, arena, &points, share);
}

/// Particles mark where liquid is; their velocities, which a solve uses as room and a scatter would restore, are none.
static void still(mn_liquid *q)
{
    mn_liquid_particles *p = mn_liquid_now(q);
    for (int a = 0; a < 3; a++) memset(p->velocity[a], 0, (size_t)p->count * sizeof(double));
    for (int k = 0; k < 9; k++) memset(p->affine[k], 0, (size_t)p->count * sizeof(double));
}

static mn_status reach_faces(pair *y)
{
    mn_world       *w     = y->w;
    mn_arena       *arena = w->arena;
    mn_force_report forces;
    MN_TRY(mn_arena_reset(arena));
    still(&w->liquid);
    MN_TRY(mn_world_place_solids(w, 0.0));
    mn_world_solids_over_step(w, 0.0, y->dt);
    MN_TRY(mn_point_faces_build(w->context, arena, &w->grid, (const double *const *)y->position, y->points, &y->faces));
    y->count = y->faces.count;
    MN_TRY(take_room(y, arena));
    MN_TRY(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = arena, .solids = w->solids, .dt = 0.0 }));
    MN_TRY(mn_liquid_gather(&w->liquid, &(mn_step){ .arena = arena }));
    MN_TRY(mn_liquid_forces(&w->liquid, &(mn_step){ .arena = arena, .solids = w->solids, .dt = y->dt }, &forces));
    y->mass     = mn_point_faces_array(arena, &y->faces);
    y->momentum = mn_point_faces_array(arena, &y->faces);
    if (y->mass == NULL || y->momentum == NULL) return MN_ERR_MEMORY;
    const mn_phase phase = { .answers  = &ANSWERS,
                             .matter   = y,
                             .faces    = &y->faces,
                             .mass     = y->mass,
                             .momentum = y->momentum,
                             .velocity = &y->velocity,
                             .points   = 0 };
    y->m                 = (mn_mixture){ .meets = false };
    MN_TRY(mn_mixture_enter(&y->m, w->context, &phase));
    return mn_mixture_faces(&y->m, &w->liquid, &(mn_step){ .arena = arena, .dt = y->dt });
}

/// Impulses of the step that ends at t: of the last velocities, and of the forces that are lacking.
static void set_impulses(pair *y, double t)
{
    const double v = mn_cell_volume(&y->w->grid), rho = y->w->liquid.model.material.density;
    for (int64_t i = 0; i < y->count; i++) {
        if (!is_open(y, i)) continue;
        double    x[3];
        const int a = mn_mixture_axis(&y->m, i);
        face_place(y, i, x);
        const flow   q = flow_at(x, t);
        const double d = drag_at(y, &q, a), open = 1.0 - q.phi;
        y->momentum[i] = y->mass[i] * y->u_s[i] + y->dt * v * (SOLID * q.phi * q.rate_s[a] + q.phi * q.slope[a] - d);
        y->m.liquid_impulse[i] = y->m.liquid_mass[i] * y->u_f[i] +
                                 y->dt * v * (rho * open * q.rate_f[a] + open * q.slope[a] + d);
    }
}

static void start(pair *y)
{
    for (int64_t i = 0; i < y->count; i++) {
        double x[3];
        face_place(y, i, x);
        const flow q = flow_at(x, 0.0);
        y->u_s[i]    = q.u_s[mn_mixture_axis(&y->m, i)];
        y->u_f[i]    = q.u_f[mn_mixture_axis(&y->m, i)];
    }
}

static void keep(pair *y)
{
    for (int64_t i = 0; i < y->count; i++) {
        if (!is_open(y, i)) continue;
        y->u_s[i] = y->velocity[i];
        y->u_f[i] = y->w->liquid.grid.velocity[mn_mixture_axis(&y->m, i)][y->m.place[i]];
    }
}

// --- errors

typedef struct errors {
    double  velocity, pressure;  ///< largest, cm/s and dyn/cm^2
    double  mismatch;            ///< of the drag law after the step, worst of all
    int     newtons;             ///< steps of Newton that take the law of the first step to 1e-10
    double  residual;            ///< ... and where they end
    double *field;               ///< u_s and u_f on the faces, for who wants to compare two runs
    int64_t values;
} errors;

static void compare_velocities(const pair *y, double t, errors *e)
{
    e->velocity = 0.0;
    for (int64_t i = 0; i < y->count; i++) {
        if (!is_open(y, i)) continue;
        double    x[3];
        const int a = mn_mixture_axis(&y->m, i);
        face_place(y, i, x);
        const flow q = flow_at(x, t);
        e->velocity  = fmax(e->velocity, fmax(fabs(y->u_s[i] - q.u_s[a]), fabs(y->u_f[i] - q.u_f[a])));
    }
}

/// Up to its mean, which a closed box leaves open.
static void compare_pressures(const pair *y, double t, errors *e)
{
    const mn_liquid_scratch *g    = &y->w->liquid.grid;
    const double             unit = y->w->liquid.model.material.density * g->tiles.def.cell / y->dt;
    double                   mean = 0.0, count = 0.0, x[3];
    for (int pass = 0; pass < 2; pass++) {
        e->pressure = 0.0;
        for (int64_t i = 0; i < (int64_t)g->tiles.count * g->tiles.cells; i++) {
            if (!g->wet[i]) continue;
            place_of(&g->tiles, i, -1, x);
            const double off = unit * g->pressure[i] - flow_at(x, t).p;
            if (pass == 0) mean += off, count += 1.0;
            else e->pressure = fmax(e->pressure, fabs(off - mean / count));
        }
    }
}

// --- Newton for the drag of one step

typedef struct newton {
    mn_coupled x;
    double    *load, *u_f, *impulse, *u_s;
} newton;

static mn_status solve_linear(pair *y, newton *n, double *mismatch)
{
    mn_mixture             *m     = &y->m;
    mn_coupled             *x     = &n->x;
    mn_arena               *arena = y->w->arena;
    mn_solve_report         found;
    const double            rho = y->w->liquid.model.material.density, *p = x->x + x->pressure_at;
    const mn_fgmres_problem problem = { .count        = x->count,
                                        .weight       = x->weight,
                                        .precondition = mn_coupled_precondition,
                                        .apply        = mn_coupled_apply,
                                        .context      = x,
                                        .residual     = x->left,
                                        .restart      = 60,
                                        .iterations   = 200 };
    mn_coupled_assemble(x);
    MN_TRY(mn_coupled_precondition_setup(x, arena));
    mn_coupled_right_side(x, n->load);
    mn_multigrid_remove_means(m->liquid->multigrid, x->rhs + x->pressure_at, NULL);
    x->most = INT64_MAX;
    for (int64_t i = 0; i < x->count; i++)  // residuals in cm/s, relative to 1e-12 of the unit velocities of the flow
        x->weight[i] = i < m->count ? 1e24 / y->points * mn_inverse_mass(x->rows.inertia[i]) / x->unit
                       : i >= x->pressure_at && m->liquid->grid.wet[i - x->pressure_at]
                           ? 1e24 / y->points / (x->unit * x->unit)
                           : 0.0;
    MN_TRY(mn_fgmres_solve(y->w->context, arena, &problem, x->rhs, x->x, 1.0, &found));
    mn_coupled_liquid_velocity(x, x->x, p, n->u_f);
    for (int64_t i = 0; i < m->count; i++)
        n->impulse[i] = m->liquid_impulse[i] - rho * m->liquid_volume[i] * (p[m->place[i]] - p[x->rows.low[i]]) -
                        m->liquid_mass[i] * n->u_f[i];
    return mn_mixture_drag_mismatch(m, arena, n->u_f, x->x, n->impulse, mismatch);
}

/// From the lagged coefficient, the law at the velocities before the step.
static mn_status run_newton(pair *y, errors *e)
{
    mn_arena *arena = y->w->arena;
    newton    n     = { .load    = mn_point_faces_array(arena, &y->faces),
                        .u_f     = mn_point_faces_array(arena, &y->faces),
                        .impulse = mn_point_faces_array(arena, &y->faces) };
    if (n.load == NULL || n.u_f == NULL || n.impulse == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_coupled_prepare(&y->m, &(mn_step){ .arena = arena, .solids = y->w->solids }, &n.x));
    MN_TRY(mn_coupled_find_stiffness(&n.x, arena));
    MN_TRY(mn_mixture_drag_at(&y->m, arena, y->u_f, y->u_s));
    MN_TRY(solve_linear(y, &n, &e->residual));
    for (e->newtons = 0; e->newtons < NEWTONS && e->residual > 1e-10; e->newtons++) {
        MN_TRY(mn_mixture_drag_linearise(&y->m, arena, n.u_f, n.x.x, n.x.rows.shift));
        MN_TRY(solve_linear(y, &n, &e->residual));
    }
    return MN_OK;
}

// --- runs

static mn_status march(pair *y, int steps, bool with_newton, errors *e)
{
    mn_mixture_report report;
    MN_TRY(reach_faces(y));
    y->u_s = mn_alloc_array(y->w->context, double, y->count + 4);
    y->u_f = mn_alloc_array(y->w->context, double, y->count + 4);
    if (y->u_s == NULL || y->u_f == NULL) return MN_ERR_MEMORY;
    start(y);
    if (with_newton) {
        set_impulses(y, y->dt);
        MN_TRY(run_newton(y, e));
    }
    for (int k = 1; k <= steps; k++) {
        MN_TRY(reach_faces(y));
        set_impulses(y, k * y->dt);
        MN_TRY(mn_mixture_solve_coupled(&y->m, &(mn_step){ .arena = y->w->arena, .solids = y->w->solids }, &report));
        if (report.pressure.outcome < 0)
            return mn_fail(y->w->context, MN_ERR_SOLVE, "the mixture did not converge in step %d", k);
        keep(y);
        e->mismatch = fmax(e->mismatch, report.mismatch);
    }
    compare_velocities(y, steps * y->dt, e);
    compare_pressures(y, steps * y->dt, e);
    return MN_OK;
}

static mn_status place_points(mn_context *c, pair *y, int n)
{
    const double cell = MN_PI / n;
    y->points         = (int64_t)n * n * DEPTH;
    for (int a = 0; a < 3; a++)
        if ((y->position[a] = mn_alloc_array(c, double, y->points)) == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < y->points; k++) {
        y->position[0][k] = cell * ((double)(k % n) + 0.5);
        y->position[1][k] = cell * ((double)(k / n % n) + 0.5);
        y->position[2][k] = cell * ((double)(k / n / n) + 0.5);
    }
    return MN_OK;
}

static mn_status make(mn_context *c, pair *y, int n)
{
    const double  high[3]         = { MN_PI, MN_PI, DEPTH * MN_PI / n };
    mn_world_def  def             = mn_world_def_default();
    mn_liquid_def water           = mn_liquid_def_default();
    water.material                = mn_wet_sample_water();
    water.sampling                = MN_SAMPLING_LATTICE;
    water.particles_per_cell      = 1;  // they only mark where liquid is
    def.domain.cell               = MN_PI / n;
    def.domain.gravity[1]         = 0.0;
    def.domain.bounded            = true;
    def.solver.pressure_tolerance = def.solver.solid_tolerance = 1e-11;
    memcpy(def.domain.bounds[1], high, sizeof high);
    MN_TRY(mn_world_create(c, &def, &y->w));
    MN_TRY(mn_world_add_liquid(y->w, &water));
    y->w->liquid.spray_on_grid = true;
    return place_points(c, y, n);
}

static mn_status run(mn_context *c, bool nonlinear, int n, int steps, bool with_newton, errors *e)
{
    pair y           = { .nonlinear = nonlinear, .dt = END / steps };
    *e               = (errors){ 0 };
    mn_status status = make(c, &y, n);
    if (status == MN_OK) status = march(&y, steps, with_newton, e);
    e->values = 2 * (int64_t)y.count;
    e->field  = status == MN_OK ? mn_alloc_array(c, double, e->values) : NULL;
    if (status == MN_OK && e->field == NULL) status = MN_ERR_MEMORY;
    for (int32_t i = 0; status == MN_OK && i < y.count; i++) e->field[2 * i] = y.u_s[i], e->field[2 * i + 1] = y.u_f[i];
    for (int a = 0; a < 3; a++) mn_free(c, y.position[a]);
    mn_free(c, y.u_s);
    mn_free(c, y.u_f);
    mn_world_destroy(&y.w);
    return status;
}

static double between(const errors *a, const errors *b)
{
    double most = 0.0;
    for (int64_t k = 0; k < a->values; k++) most = fmax(most, fabs(a->field[k] - b->field[k]));
    return most;
}

/// The same for several, freed.
static mn_status run_three(mn_context *c, bool nonlinear, const int cells[3], const int steps[3], errors e[3],
                           double *ratio)
{
    mn_status status = MN_OK;
    for (int k = 0; k < 3; k++) e[k] = (errors){ 0 };
    for (int k = 0; k < 3 && status == MN_OK; k++) status = run(c, nonlinear, cells[k], steps[k], false, &e[k]);
    *ratio = status == MN_OK && cells[0] == cells[2] ? between(&e[0], &e[1]) / between(&e[1], &e[2]) : NAN;
    for (int k = 0; k < 3; k++) mn_free(c, e[k].field);
    return status;
}

/// M7. In space by the errors, steps as the square of the cell; in time by what lies between runs on one grid.
static mn_status orders(mn_context *c, bool nonlinear, mn_verify_report *r)
{
    errors e[3];
    double ratio;
    MN_TRY(run_three(c, nonlinear, (const int[]){ 16, 32, 64 }, (const int[]){ 8, 32, 128 }, e, &ratio));
    const double u = log2((e[0].velocity - e[1].velocity) / (e[1].velocity - e[2].velocity)),
                 p = log2((e[0].pressure - e[1].pressure) / (e[1].pressure - e[2].pressure));
    mn_verify_value(r, "order of the velocities in space, 16, 32, 64 cells", u, 2.0, u - 2.0, 0.1, 0.3);
    mn_verify_value(r, "order of the pressure in space, 16, 32, 64 cells", p, 2.0, p - 2.0, 0.1, 0.3);
    MN_TRY(run_three(c, nonlinear, (const int[]){ 16, 16, 16 }, (const int[]){ 8, 16, 32 }, e, &ratio));
    mn_verify_value(r, "order of the velocities in time, 8, 16, 32 steps", log2(ratio), 1.0, log2(ratio) - 1.0, 0.1,
                    0.3);
    return MN_OK;
}

static mn_status mixture(mn_context *c, mn_verify_tier tier, bool nonlinear, mn_verify_report *r)
{
    errors          e;
    const mn_status status = run(c, nonlinear, 16, 8, nonlinear, &e);
    mn_free(c, e.field);
    MN_TRY(status);
    mn_verify_value(r, "16 cells, 8 steps: largest error of the velocities, cm/s", e.velocity, 0.0, e.velocity, 0.02,
                    0.06);
    mn_verify_value(r, "... of the pressure, dyn/cm^2", e.pressure, 0.0, e.pressure, 0.02, 0.06);
    // Each step of the stage makes one step of Newton at most, where the law is missed by more than a tenth.
    mn_verify_at_most(r, "the stage's own steps: drag law missed by, as a share", e.mismatch, 0.1 / 3.0, 0.1);
    if (nonlinear) {
        // Of a face only its own component of the speed is linearised: each step gains a factor, not a square.
        mn_verify_at_most(r, "Newton's method for the drag: residual of the law after 6 steps", e.residual, 1e-10,
                          1e-10);
        mn_verify_at_most(r, "... steps", e.newtons, NEWTONS, NEWTONS);
    }
    return tier == MN_TIER_BUILD ? MN_OK : orders(c, nonlinear, r);
}

mn_status mn_mms3(mn_context *c, mn_verify_tier tier, mn_verify_report *r) { return mixture(c, tier, false, r); }
mn_status mn_mms4(mn_context *c, mn_verify_tier tier, mn_verify_report *r) { return mixture(c, tier, true, r); }
