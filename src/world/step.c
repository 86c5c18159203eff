// SPDX-License-Identifier: MPL-2.0
// world/step.c - the stages of a step, in order, and what happens when one is not accepted.
//
// Every stage names the matter and the meetings it is made of, in the order of the algorithm. Who is not there returns
// at once.
#include "base/sum.h"
#include "base/timer.h"
#include "couple/capture.h"
#include "couple/cohesion.h"
#include "couple/drip.h"
#include "couple/fabric_stain.h"
#include "couple/liquid_fabric.h"
#include "couple/pigment.h"
#include "fabric/pores/flow.h"
#include "fabric/pores/swell.h"
#include "liquid/resample.h"
#include "world/matter.h"

/// A rejected step is retried at half its length; each accepted one lets the limit grow back by this factor.
#define DT_GROWTH 1.3

static mn_status drive(mn_world *w, mn_step *s)
{
    MN_TRY(mn_world_place_solids(w, s->time));  // where the particles are, too
    s->solids = w->solids;
    mn_world_solids_over_step(w, s->time, s->dt);
    return mn_world_run_sources(w, s->dt);
}

static mn_status activate(mn_world *w, const mn_step *s)
{
    MN_TRY(mn_fabric_stain_load(&w->fabric, &w->stains, s->arena));
    MN_TRY(mn_fabric_activate(&w->fabric, s));
    if (mn_is_refused(s)) return MN_OK;  // it has no faces then
    mn_liquid_room_clear(&w->liquid);
    MN_TRY(mn_world_share_room(w, s));
    return mn_liquid_activate(&w->liquid, s);
}

static mn_status internal_forces(mn_world *w, const mn_step *s)
{
    mn_cohesion_report report;
    MN_TRY(mn_fabric_forces(&w->fabric, s));
    return mn_cohesion(&w->liquid, &w->fabric, s, &report);
}

static mn_status gather(mn_world *w, const mn_step *s)
{
    MN_TRY(mn_liquid_gather(&w->liquid, s));
    return mn_fabric_gather(&w->fabric, s);
}

/// Refuse the step if a solve has not converged.
static void judge(const mn_step *s, const char *what, const mn_solve_report *report)
{
    if (report->outcome < 0)
        mn_reject(s, "the %s stopped at a residual of %.3g after %d iterations", what, report->residual_last,
                  report->iterations);
}

static mn_status grid_forces(mn_world *w, const mn_step *s)
{
    mn_force_report report;
    MN_TRY(mn_liquid_forces(&w->liquid, s, &report));
    w->now.frame_pressure_iterations += report.pressure.iterations;
    judge(s, "pressure solve before the viscosity of the liquid", &report.pressure);
    judge(s, "viscosity solve of the liquid", &report.viscosity);
    return MN_OK;
}

static void judge_pressure(mn_world *w, const mn_step *s, const mn_solve_report *report, double divergence)
{
    w->now.frame_pressure_iterations += report->iterations;
    if (divergence > w->now.frame_divergence) w->now.frame_divergence = divergence;
    judge(s, "pressure solve of the liquid", report);
}

static void judge_fabric(mn_world *w, const mn_step *s, const mn_solve_report *report)
{
    w->now.frame_solid_iterations += report->iterations;
    judge(s, "solve of the fabric", report);
}

static mn_status solve_mixture(mn_world *w, const mn_step *s, mn_mixture *mixture)
{
    mn_mixture_report report;
    MN_TRY(mn_mixture_solve(mixture, s, &report));
    judge_fabric(w, s, &report.solid);
    judge_pressure(w, s, &report.pressure, report.divergence);
    return mn_mixture_pressure(mixture, s);
}

static mn_status solve_liquid(mn_world *w, const mn_step *s)
{
    mn_solve_report report;
    double          divergence;
    MN_TRY(mn_liquid_project(&w->liquid, s, &report, &divergence));
    judge_pressure(w, s, &report, divergence);
    return MN_OK;
}

/// Fabric that meets liquid is solved with it; else its own stage is still to come.
static mn_status coupled_solve(mn_world *w, const mn_step *s, mn_mixture *mixture)
{
    *mixture = (mn_mixture){ .meets = false };
    MN_TRY(mn_fabric_enters(&w->fabric, mixture, s));
    MN_TRY(mn_mixture_faces(mixture, &w->liquid, s));
    MN_TRY(mixture->meets ? solve_mixture(w, s, mixture) : solve_liquid(w, s));
    mn_world_probe_forces(w);
    return w->keeps_pressure ? mn_liquid_keep_pressure(&w->liquid, s) : MN_OK;
}

static mn_status solid_solve(mn_world *w, const mn_step *s, const mn_mixture *mixture)
{
    mn_solve_report report;
    if (mixture->meets) return MN_OK;
    MN_TRY(mn_fabric_solve(&w->fabric, s, &report));
    judge_fabric(w, s, &report);
    return MN_OK;
}

static mn_status scatter(mn_world *w, const mn_step *s, mn_mixture *mixture)
{
    MN_TRY(mn_fabric_scatter(&w->fabric, s));
    MN_TRY(mn_mixture_lead(mixture, s));
    return mn_liquid_scatter(&w->liquid, s);
}

static mn_status move(mn_world *w, const mn_step *s)
{
    int64_t crushed = 0;
    mn_world_solids_over_step(w, s->time + s->dt, s->dt);
    mn_world_probe_flux(w, -1.0);
    MN_TRY(mn_liquid_move(&w->liquid, s));
    mn_world_probe_flux(w, 1.0);
    mn_liquid_wrap(&w->liquid, w->grid.origin, w->period);
    MN_TRY(mn_fabric_move(&w->fabric, s, &crushed));
    if (mn_is_refused(s)) return MN_OK;
    if (crushed > 0)
        mn_log(w->context, MN_LOG_DEBUG, "fabric_crushed", "at %.9g s %lld elements of fabric were pressed flat",
               s->time, (long long)crushed);
    return mn_fabric_swell(&w->fabric, s);
}

static mn_status exchange(mn_world *w, const mn_step *s)
{
    mn_exchange_report report = { 0 };
    MN_TRY(mn_fabric_keep_acceleration(&w->fabric, s));
    MN_TRY(mn_capture(&w->liquid, &w->fabric, s, &report));
    return mn_drip(&w->liquid, &w->fabric, s, &w->now.next_id, &report);
}

static mn_status flows_on_solids(mn_world *w, const mn_step *s)
{
    double evaporated;
    MN_TRY(mn_fabric_flow(&w->fabric, s, &evaporated));
    MN_TRY(mn_fabric_pigment_step(&w->fabric, w->solutes.law, s));
    mn_add_carry(&w->now.liquid_evaporated, &w->now.liquid_evaporated_carry, evaporated);
    mn_fabric_stain_place(&w->fabric, &w->stains);
    MN_TRY(mn_stains_step(&w->stains, s));
    return mn_fabric_stain_push(&w->fabric, &w->stains, s->arena);
}

static mn_status upkeep(mn_world *w, const mn_step *s)
{
    mn_solve_report report;
    MN_TRY(mn_world_share_room(w, s));
    mn_world_probe_flux(w, -1.0);
    MN_TRY(mn_liquid_even_out(&w->liquid, s, &report));
    mn_world_probe_flux(w, 1.0);
    mn_liquid_wrap(&w->liquid, w->grid.origin, w->period);
    judge(s, "density solve of the liquid", &report);
    mn_fabric_turn_yarn(&w->fabric, s);
    return mn_world_run_sinks(w);
}

static mn_status resample(mn_world *w, const mn_step *s)
{
    mn_resample_report report;
    MN_TRY(mn_liquid_resample(&w->liquid, s, &w->now.next_id, &report));
    if (report.splits > 0) mn_liquid_wrap(&w->liquid, w->grid.origin, w->period);
    return MN_OK;
}

static mn_status audit(mn_world *w, const mn_step *s)
{
    mn_world_audit(w, s);
    return MN_OK;
}

/// Someone asked for an end within the stage: whatever its solvers made of that, it is why the step ends.
static mn_status mind_interrupt(const mn_world *w, const mn_step *s)
{
    if (!mn_must_end(w->context)) return s->verdict->status;
    return mn_fail(w->context, MN_ERR_INTERRUPTED, "interrupted at %.9g s, in stage %s", w->now.time,
                   mn_world_stage_name(s->verdict->stage));
}

/// Run one stage and add its seconds; leave the attempt when it failed or the step was refused in it.
#define STAGE(name, arguments)                                                            \
    do {                                                                                  \
        const double begin_ = mn_seconds(), cpu_ = mn_cpu_seconds();                      \
        s->verdict->stage  = MN_STAGE_##name;                                             \
        s->verdict->status = name arguments;                                              \
        w->stage_seconds[MN_STAGE_##name] += mn_seconds() - begin_;                       \
        w->stage_cpu[MN_STAGE_##name] += mn_cpu_seconds() - cpu_;                         \
        if (w->watch != NULL) w->watch(w, MN_STAGE_##name, s->verdict, w->watch_context); \
        s->verdict->status = mind_interrupt(w, s);                                        \
        if (s->verdict->status != MN_OK || mn_is_refused(s)) return;                      \
    } while (0)

/// The step as the algorithm (design 2). Stages of matter that is not in this version have no line yet.
static void attempt(mn_world *w, mn_step *s)
{
    mn_mixture mixture = { .meets = false };
    w->mixture         = &mixture;
    STAGE(drive, (w, s));
    STAGE(activate, (w, s));
    STAGE(internal_forces, (w, s));
    STAGE(gather, (w, s));
    STAGE(grid_forces, (w, s));
    STAGE(coupled_solve, (w, s, &mixture));
    STAGE(solid_solve, (w, s, &mixture));
    STAGE(scatter, (w, s, &mixture));
    STAGE(move, (w, s));
    STAGE(exchange, (w, s));
    STAGE(flows_on_solids, (w, s));
    STAGE(upkeep, (w, s));
    STAGE(resample, (w, s));
    STAGE(audit, (w, s));
}

static void accept(mn_world *w, double dt, double until, bool to_the_end)
{
    w->now.time = to_the_end ? until : w->now.time + dt;
    w->now.steps++;
    w->now.frame_steps++;
    w->now.frame_dt_min = w->now.frame_steps == 1 ? dt : fmin(w->now.frame_dt_min, dt);
    w->now.frame_dt_max = fmax(w->now.frame_dt_max, dt);
    w->now.dt_limit     = fmin(w->def.time.dt_max, w->now.dt_limit * DT_GROWTH);
    w->can_undo         = true;
    mn_context_count_world_step(w->context);
}

/// After a step that was taken back: the next try is half as long, if it may be.
static mn_status halve(mn_world *w, double dt, const mn_step_verdict *verdict)
{
    const char *stage = mn_world_stage_name(verdict->stage);
    w->now.frame_rejected++;
    w->now.dt_limit = fmax(0.5 * dt, w->def.time.dt_min);
    mn_log(w->context, MN_LOG_WARNING, "step_rejected", "at %.9g s a step of %.3g s was taken back in stage %s: %s",
           w->now.time, dt, stage, verdict->reason);
    if (0.5 * dt >= w->def.time.dt_min) return MN_OK;
    return mn_fail(w->context, MN_ERR_SOLVE,
                   "the run stopped at %.9g s: in stage %s %s, and the step of %.3g s cannot be halved below "
                   "time.dt_min = %.3g s",
                   w->now.time, stage, verdict->reason, dt, w->def.time.dt_min);
}

static mn_status choose_dt(mn_world *w, double until, double *dt, bool *to_the_end)
{
    const double begin = mn_seconds(), cpu = mn_cpu_seconds();
    MN_TRY(mn_world_choose_dt(w, until, dt));
    w->stage_seconds[MN_STAGE_choose_dt] += mn_seconds() - begin;
    w->stage_cpu[MN_STAGE_choose_dt] += mn_cpu_seconds() - cpu;
    *to_the_end = *dt >= (until - w->now.time) * (1.0 - 1e-9);
    if (*to_the_end) *dt = until - w->now.time;
    return MN_OK;
}

mn_status mn_world_step(mn_world *w, double until)
{
    MN_TRY(mn_world_check_scalars(w));
    if (!(until > w->now.time && isfinite(until)))
        return mn_fail(w->context, MN_ERR_ARGUMENT,
                       "a step must end after %.17g s, at a time that is finite; %.17g was asked for", w->now.time,
                       until);
    MN_TRY(mn_check_interrupt(w->context, "the run"));
    w->started  = true;
    w->can_undo = false;
    until       = mn_stains_stop(&w->stains, w->now.time, until);
    for (;;) {
        double          dt;
        bool            to_the_end;
        mn_step_verdict verdict            = { .status = MN_OK };
        w->liquid.grid.kept_pressure.value = NULL;
        MN_TRY(mn_arena_reset(w->arena));
        MN_TRY(choose_dt(w, until, &dt, &to_the_end));
        w->dt             = dt;
        w->keeps_pressure = to_the_end;

        mn_step step = { .arena   = w->arena,
                         .time    = w->now.time,
                         .dt      = dt,
                         .end     = to_the_end ? until : w->now.time + dt,
                         .number  = w->now.steps,
                         .verdict = &verdict };
        MN_TRY(mn_world_keep(w));
        attempt(w, &step);
        w->mixture = NULL;
        if (verdict.status == MN_OK && !mn_is_refused(&step)) {
            accept(w, dt, until, to_the_end);
            return MN_OK;
        }
        const mn_status back = mn_world_take_back(w);
        MN_TRY(mn_world_check_finite(w, MN_ERR_NOT_FINITE, "the state before a step"));  // no other step would help
        MN_TRY(back);
        MN_TRY(verdict.status);
        MN_TRY(halve(w, dt, &verdict));
    }
}
