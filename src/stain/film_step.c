// SPDX-License-Identifier: MPL-2.0
// stain/film_step.c - one step of a film on a moving cloth, stage by stage (stain 6).
#include "stain/film_private.h"

#include "base/timer.h"
#include "stain/advect.h"
#include "stain/matrix.h"

#include <string.h>

/// Liquid that crosses more cells of its cloth than this in one step has exploded.
#define PARTS_MOST 2000

/// The work of one step. Arrays are from the arena.
typedef struct step {
    mn_stain_film        *f;
    mn_stain_film_model  *m;
    mn_stain_surface     *s;
    mn_pool              *pool;
    mn_arena             *arena;
    double                h;
    bool                  moves;  ///< the cloth does
    mn_stain_vec         *acceleration;
    double               *spin;
    double               *press;    ///< across the cloth, cm/s^2
    mn_stain_vec         *mean;     ///< velocity that moves the liquid
    mn_stain_vec         *start;    ///< velocity before a push
    mn_stain_vec         *dragged;  ///< what drag has taken of the momentum, g cm/s
    mn_stain_step_report *report;
} step;

/// Stages 1 and 2: frames where the cloth will be, and what the liquid feels of its way there.
static mn_status stage_frames(step *k, const mn_vec3 *after)
{
    mn_stain_film *f = k->f;
    const int64_t  n = k->s->vertex_count;
    k->acceleration  = mn_arena_array(k->arena, mn_stain_vec, n);
    k->spin          = mn_arena_array_zero(k->arena, double, n);
    k->press         = mn_arena_array(k->arena, double, n);
    if (k->acceleration == NULL || k->spin == NULL || k->press == NULL) return MN_ERR_MEMORY;
    if (!k->moves) {
        for (int64_t v = 0; v < n; v++) {
            const mn_vec3 y    = mn_stain_frame_y(&f->frame[1][v]);
            k->acceleration[v] = (mn_stain_vec){ mn_dot3(f->frame[1][v].x, f->def.gravity),
                                                 mn_dot3(y, f->def.gravity) };
            k->press[v]        = fabs(mn_dot3(f->frame[1][v].z, f->def.gravity));
        }
        return MN_OK;
    }
    memcpy(f->x[2], after, (size_t)n * sizeof *after);
    mn_stain_frames(k->m->rest, f->x[2], f->frame[2]);
    const mn_stain_motion motion = { { f->x[0], f->x[1], f->x[2] },
                                     { f->frame[0], f->frame[1], f->frame[2] },
                                     { f->h_before, k->h } };
    mn_stain_inertia(k->s, &motion, f->def.gravity, k->acceleration, k->spin, k->press);
    if (f->def.no_coriolis) memset(k->spin, 0, (size_t)n * sizeof *k->spin);
    return MN_OK;
}

/// Rings of dry vertices that liquid may reach within the step, and one more: they must know where it was going before
/// it comes, or it would stand still there.
static int rings_ahead(const step *k)
{
    double fastest = 0.0, area = INFINITY;
    for (int64_t v = 0; v < k->s->vertex_count; v++) {
        fastest = fmax(fastest, k->f->u[v].x * k->f->u[v].x + k->f->u[v].y * k->f->u[v].y);
        area    = fmin(area, k->s->area[v]);
    }
    return 2 + (int)fmin(6.0, ceil(k->h * sqrt(fastest / area)));
}

/// Half a step of what pushes the liquid and of drag, together: u' = a - drag u is solved exactly, since drag may be
/// far stronger than a step is short, and liquid then creeps with a / drag.
static void push(step *k)
{
    mn_stain_film *f = k->f;
    const double   h = 0.5 * k->h, rate = f->def.drag * h, keep = exp(-rate),
                 share = rate > 0.0 ? -expm1(-rate) / rate : 1.0;
    memcpy(k->start, f->u, (size_t)k->s->vertex_count * sizeof *f->u);
    mn_stain_force(k->s, k->acceleration, k->spin, h, f->u);
    if (f->def.density > 0.0) mn_stain_level(k->s, f->free, f->def.density, k->press, h, f->u);
    for (int64_t v = 0; rate > 0.0 && v < k->s->vertex_count; v++) {
        const mn_stain_vec pushed = f->u[v],
                           had    = mn_stain_turned(mn_stain_turn_by(-2.0 * k->spin[v] * h), k->start[v]);
        f->u[v]                   = (mn_stain_vec){ share * pushed.x + (keep - share) * had.x,
                                                    share * pushed.y + (keep - share) * had.y };
        // Of the liquid that is here now: in the second half some of it will be elsewhere.
        k->dragged[v].x += f->free[v] * (pushed.x - f->u[v].x);
        k->dragged[v].y += f->free[v] * (pushed.y - f->u[v].y);
    }
}

/// Stage 3, in two halves about the transport, so that liquid moves with the velocity of the middle of the step.
/// Differs from stain 6, where all of it comes first: half a step's push too much, order 1 (A6.7).
static mn_status stage_force(step *k)
{
    k->start   = mn_arena_array(k->arena, mn_stain_vec, k->s->vertex_count);
    k->dragged = mn_arena_array_zero(k->arena, mn_stain_vec, k->s->vertex_count);
    if (k->start == NULL || k->dragged == NULL) return MN_ERR_MEMORY;
    push(k);
    return mn_stain_extend_velocity(k->s, k->f->free, k->f->def.exchange.wet, rings_ahead(k), k->f->u, k->arena);
}

/// Stage 4. What moves liquid through a border is the mean of the velocity there before and after.
static mn_status stage_advect_velocity(step *k)
{
    const int64_t n = k->s->vertex_count;
    k->mean         = mn_arena_array(k->arena, mn_stain_vec, n);
    if (k->mean == NULL) return MN_ERR_MEMORY;
    memcpy(k->mean, k->f->u, (size_t)n * sizeof *k->mean);
    MN_TRY(mn_stain_advect_velocity(k->s, k->h, k->f->u, k->arena));
    for (int64_t v = 0; v < n; v++) {
        k->mean[v].x = 0.5 * (k->mean[v].x + k->f->u[v].x);
        k->mean[v].y = 0.5 * (k->mean[v].y + k->f->u[v].y);
    }
    return MN_OK;
}

/// Whether some links may be closed, or spreading holds a drop in its shape.
static bool is_gated(const mn_stain_film *f) { return f->def.pin > 0.0 || f->cap != NULL; }

/// Contact lines of pinned drops stay, and a dry neighbour is not wetted by less than `pin`: close links across.
static bool is_closed(const step *k, const int32_t end[2])
{
    const mn_stain_film *f = k->f;
    if (f->cap != NULL && (f->cap[end[0]] > 0.0) != (f->cap[end[1]] > 0.0)) return true;
    if (!(f->def.pin > 0.0)) return false;
    for (int i = 0; i < 2; i++) {
        const int32_t from = end[i], to = end[1 - i];
        if (f->free[to] + f->held[to] <= f->def.exchange.wet * k->s->area[to] &&
            f->free[from] <= f->def.pin * k->s->area[from])
            return true;
    }
    return false;
}

/// Stage 5: liquid and what it carries, in sub-steps.
static mn_status stage_advect(step *k)
{
    mn_stain_film *f     = k->f;
    double        *speed = mn_arena_array(k->arena, double, k->s->edges.count),
           *flow         = mn_arena_array(k->arena, double, k->s->edges.count);
    double *had          = mn_arena_array(k->arena, double, k->s->vertex_count);
    if (speed == NULL || flow == NULL || had == NULL) return MN_ERR_MEMORY;
    mn_stain_edge_speeds(k->s, k->mean, speed);
    const int parts = k->report->parts = mn_stain_advect_parts(k->s, speed, k->h, f->def.second_order);
    if (parts == 0) return mn_fail(f->context, MN_ERR_NOT_FINITE, "the speed of a stain is not finite");
    if (parts > PARTS_MOST)
        return mn_fail(f->context, MN_ERR_SOLVE,
                       "the liquid of a stain moves so fast that its step of %.3g s needs more than %d parts; make the "
                       "step of the stain shorter, or what drives the liquid weaker",
                       k->h, PARTS_MOST);
    for (int part = 0; part < parts; part++) {
        MN_TRY(mn_check_interrupt(f->context, "the transport of a stain"));
        for (int64_t e = 0; is_gated(f) && e < k->s->edges.count; e++)
            if (is_closed(k, k->s->edges.end[e])) speed[e] = 0.0;
        MN_TRY(mn_stain_advect_flows(k->s, speed, k->h / parts, f->def.second_order, f->free, flow, k->arena));
        memcpy(had, f->free, (size_t)k->s->vertex_count * sizeof *had);
        MN_TRY(mn_stain_move(k->pool, &k->s->edges, flow, f->free, k->arena));
        MN_TRY(mn_stain_carry(f->solute, &k->s->edges, flow, had, k->arena));
    }
    return MN_OK;
}

/// The second half of stage 3, stage 6, and 11: what friction takes from the liquid it gives to the cloth.
static mn_status stage_friction(step *k)
{
    mn_stain_film        *f      = k->f;
    const int64_t         n      = k->s->vertex_count;
    mn_stain_solve_report solved = { .converged = true };
    mn_stain_vec         *before = mn_arena_array(k->arena, mn_stain_vec, n);
    if (before == NULL) return MN_ERR_MEMORY;
    push(k);
    memcpy(before, f->u, (size_t)n * sizeof *before);
    if (k->m->friction != NULL)
        MN_TRY(mn_stain_diffuse_velocity(k->m->friction, k->h, f->def.tolerance, f->u, k->arena, &solved));
    k->report->iterations_u = solved.iterations;
    k->report->converged    = k->report->converged && solved.converged;
    for (int64_t v = 0; v < n; v++) {
        const mn_stain_vec lost = { f->free[v] * (before[v].x - f->u[v].x) + k->dragged[v].x,
                                    f->free[v] * (before[v].y - f->u[v].y) + k->dragged[v].y };
        f->impulse[v]           = mn_add3(mn_scale3(lost.x, f->frame[1][v].x),
                                          mn_scale3(lost.y, mn_stain_frame_y(&f->frame[1][v])));
    }
    return MN_OK;
}

/// Where no pinned drop is, liquid spreads towards an even film; in one, towards a cap: what is even then is the
/// density over the share of the height that a cap has there. What is about to dry of one comes from all of it: dried
/// first, a cell at the contact line would hold less than it loses, however short the step (stain 5.9).
static void share_out(const step *k, double *conductance, double *capacity, double *leaves)
{
    const mn_stain_film     *f  = k->f;
    const mn_stain_operator *op = k->m->spread;
    for (int64_t v = 0; v < k->s->vertex_count; v++) {
        const bool pinned = f->cap != NULL && f->cap[v] > 0.0;
        capacity[v]       = k->s->area[v] * (pinned ? f->cap[v] : 1.0);
        leaves[v]         = pinned ? f->dries[v] * f->def.exchange.evaporation * k->h * k->s->area[v] : 0.0;
    }
    for (int64_t e = 0; e < op->links.count; e++) {
        const int32_t *end   = op->links.end[e];
        const bool     in    = f->cap != NULL && f->cap[end[0]] > 0.0;
        const double   share = in ? 0.5 * (f->cap[end[0]] + f->cap[end[1]]) : 1.0;
        conductance[e]       = is_closed(k, end) ? 0.0 : share * op->low[e];
    }
}

/// Stage 7: liquid spreads; its flows are kept for what it carries.
static mn_status spread_liquid(step *k, double *flow)
{
    mn_stain_film *f = k->f;
    if (!is_gated(f)) {
        mn_stain_diffusion_report report;
        MN_TRY(mn_stain_diffuse(k->m->diffusion, f->free, flow, k->arena, &report));
        k->report->iterations = report.iterations;
        k->report->converged  = k->report->converged && report.converged;
        return MN_OK;
    }
    // Gates change from step to step; only the monotone part stays positive whichever links are closed.
    const mn_stain_operator *op = k->m->spread;
    mn_stain_solve_report    report;
    double                  *open = mn_arena_array(k->arena, double, op->links.count),
           *room                  = mn_arena_array(k->arena, double, k->s->vertex_count),
           *leaves                = mn_arena_array(k->arena, double, k->s->vertex_count);
    if (open == NULL || room == NULL || leaves == NULL) return MN_ERR_MEMORY;
    share_out(k, open, room, leaves);
    mn_stain_matrix m = { .links = &op->links, .conductance = open, .capacity = room, .leaves = leaves, .h = k->h };
    MN_TRY(mn_stain_matrix_step(k->pool, &m, f->def.tolerance, f->free, flow, k->arena, &report));
    k->report->iterations = report.iterations;
    k->report->converged  = k->report->converged && report.converged;
    return MN_OK;
}

static mn_status stage_diffuse(step *k)
{
    mn_stain_film *f    = k->f;
    double        *flow = mn_arena_array(k->arena, double, k->m->spread->links.count),
           *had         = mn_arena_array(k->arena, double, k->s->vertex_count);
    if (flow == NULL || had == NULL) return MN_ERR_MEMORY;
    memcpy(had, f->free, (size_t)k->s->vertex_count * sizeof *had);
    MN_TRY(spread_liquid(k, flow));
    return f->def.no_carry ? MN_OK : mn_stain_carry(f->solute, &k->m->spread->links, flow, had, k->arena);
}

/// Stage 8.
static mn_status stage_diffuse_solute(step *k)
{
    mn_stain_film *f = k->f;
    for (int p = 0; p < f->def.pigments; p++) {
        mn_stain_solve_report report;
        if (k->m->mix[p] == NULL) continue;
        const mn_stain_operator *op   = k->m->mix[p];
        const double            *area = k->s->area, tolerance = f->def.tolerance;
        if (f->def.no_carry)
            MN_TRY(mn_stain_diffuse_free(f->solute, p, op, f->free, area, f->def.exchange.wet, k->h, tolerance,
                                         k->arena, &report));
        else MN_TRY(mn_stain_diffuse_solute(f->solute, p, op, f->free, area, k->h, tolerance, k->arena, &report));
        k->report->iterations_s += report.iterations;
        k->report->converged = k->report->converged && report.converged;
    }
    return MN_OK;
}

/// Stage 9.
static mn_status stage_exchange(step *k)
{
    mn_stain_film        *f      = k->f;
    const mn_stain_liquid liquid = { k->s, f->free, f->held, f->dries };
    double               *gone   = mn_arena_array(k->arena, double, k->s->vertex_count);
    if (gone == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_stain_exchange(&liquid, f->solute, f->def.pigment, &f->def.exchange, k->h, gone));
    double sum = 0.0;
    for (int64_t v = 0; v < k->s->vertex_count; v++) sum += gone[v];
    f->evaporated += sum;
    return MN_OK;
}

/// Stage 12: what was t + h is t.
static mn_status finish(step *k)
{
    mn_stain_film *f = k->f;
    for (int64_t v = 0; v < k->s->vertex_count; v++) {
        const double speed = sqrt(f->u[v].x * f->u[v].x + f->u[v].y * f->u[v].y);
        if (!isfinite(speed + f->free[v]))
            return mn_fail(f->context, MN_ERR_NOT_FINITE, "the stain at vertex %lld is not finite", (long long)v);
        k->report->fastest = fmax(k->report->fastest, speed);
    }
    if (!k->moves) return MN_OK;
    mn_vec3        *x     = f->x[0];
    mn_stain_frame *frame = f->frame[0];
    for (int i = 0; i < 2; i++) f->x[i] = f->x[i + 1], f->frame[i] = f->frame[i + 1];
    f->x[2] = x, f->frame[2] = frame;
    f->h_before = k->h;
    return MN_OK;
}

typedef struct stopwatch {
    double  last;
    double *seconds;
} stopwatch;

static void lap(stopwatch *w, mn_stain_part part)
{
    const double now = mn_cpu_seconds();
    w->seconds[part] += now - w->last;
    w->last = now;
}

static mn_status run(step *k, const mn_vec3 *after)
{
    stopwatch w = { mn_cpu_seconds(), k->report->seconds };
    MN_TRY(stage_frames(k, after));
    lap(&w, MN_STAIN_PART_FRAMES);
    MN_TRY(stage_force(k));
    lap(&w, MN_STAIN_PART_FORCE);
    MN_TRY(stage_advect_velocity(k));
    lap(&w, MN_STAIN_PART_ADVECT_U);
    MN_TRY(stage_advect(k));
    lap(&w, MN_STAIN_PART_ADVECT);
    MN_TRY(stage_friction(k));
    lap(&w, MN_STAIN_PART_DIFFUSE_U);
    MN_TRY(stage_diffuse(k));
    lap(&w, MN_STAIN_PART_DIFFUSE);
    MN_TRY(stage_diffuse_solute(k));
    lap(&w, MN_STAIN_PART_DIFFUSE_S);
    MN_TRY(stage_exchange(k));
    MN_TRY(finish(k));
    lap(&w, MN_STAIN_PART_EXCHANGE);
    return MN_OK;
}

mn_status mn_stain_film_step(mn_stain_film *f, const mn_vec3 *after, mn_arena *arena, mn_stain_step_report *report)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    step                k    = { .f      = f,
                                 .m      = f->model,
                                 .s      = f->surface,
                                 .pool   = mn_context_pool(f->context),
                                 .arena  = arena,
                                 .h      = f->def.h,
                                 .moves  = after != NULL,
                                 .report = report };
    *report                  = (mn_stain_step_report){ .converged = true };
    const mn_status st       = run(&k, after);
    mn_arena_end(arena, mark);
    return st;
}
