// SPDX-License-Identifier: MPL-2.0
// world/step.c - the stages of a step, in order, and what happens when one is not accepted.
#include "base/sum.h"
#include "base/timer.h"
#include "couple/capture.h"
#include "couple/cohesion.h"
#include "couple/drip.h"
#include "couple/liquid_fabric.h"
#include "couple/pigment.h"
#include "fabric/pores/flow.h"
#include "fabric/pores/swell.h"
#include "liquid/resample.h"
#include "world/world.h"

#include <string.h>

/// A rejected step is retried at half its length; each accepted one lets the limit grow back by this factor.
#define DT_GROWTH 1.3

static bool has_fabric(const mn_world *w) { return w->fabric.piece_count > 0; }
static bool has_both(const mn_world *w) { return w->has_liquid && has_fabric(w); }

/// Longest step that speeds, gravity and the acceleration of obstacles allow now.
static double dt_allowed(mn_world *w, double until)
{
    double       speed;
    const double left = until - w->now.time;
    if (w->stain_count > 0 && !w->has_liquid && !has_fabric(w)) return left;  // stains have steps of their own
    double limit = fmin(w->def.time.dt_max, w->now.dt_limit);
    if (w->has_liquid) limit = fmin(limit, mn_liquid_dt_limit(&w->liquid, &speed));
    if (has_fabric(w)) limit = fmin(limit, mn_fabric_dt_limit(&w->fabric, &speed));
    // A motion that starts inside the step shows its speed only at the end of it.
    const double solid = fmax(mn_world_solid_speed(w, w->now.time),
                              mn_world_solid_speed(w, w->now.time + fmin(limit, left)));
    if (solid > 0.0) limit = fmin(limit, w->def.time.cfl * w->grid.cell / solid);
    // Liquid that rides on an obstacle feels gravity less the acceleration of the obstacle, g_eff of (E9).
    return w->has_liquid
               ? fmin(limit, mn_liquid_surface_dt(&w->liquid, mn_world_pull(w, w->now.time, fmin(limit, left))))
               : limit;
}

/// Equal steps up to `until`, so that no sliver is left over.
static mn_status choose_dt(mn_world *w, double until, double *dt)
{
    const double left = until - w->now.time, limit = dt_allowed(w, until);
    if (limit < w->def.time.dt_min)
        return mn_fail(w->context, MN_ERR_SOLVE,
                       "the run stopped at %.9g s: what moves is so fast that a step may last %.3g s, below "
                       "time.dt_min = %.3g s",
                       w->now.time, limit, w->def.time.dt_min);
    *dt = left / ceil(left / limit * (1.0 - 1e-12));
    return MN_OK;
}

static mn_status drive(mn_world *w, mn_step *s)
{
    MN_TRY(mn_world_place_solids(w, s->time));  // where the particles are, too
    s->solids = w->solids;
    mn_world_solids_over_step(w, s->time, s->dt);
    return mn_world_run_sources(w, s->dt);
}

static mn_status activate(mn_world *w, const mn_step *s)
{
    MN_TRY(mn_world_stain_load(w, &w->fabric.load));
    if (has_fabric(w)) MN_TRY(mn_fabric_activate(&w->fabric, s));
    mn_liquid_room_clear(&w->liquid);
    if (has_both(w)) MN_TRY(mn_fabric_takes_room(&w->fabric, &w->liquid, s));
    if (w->has_liquid) MN_TRY(mn_liquid_activate(&w->liquid, s));
    return MN_OK;
}

static mn_status internal_forces(mn_world *w, const mn_step *s)
{
    mn_cohesion_report report;
    MN_TRY(mn_fabric_forces(&w->fabric, s));
    return w->has_liquid ? mn_cohesion(&w->liquid, &w->fabric, s, &report) : MN_OK;
}

static mn_status gather(mn_world *w, const mn_step *s)
{
    if (w->has_liquid) MN_TRY(mn_liquid_gather(&w->liquid, s));
    if (has_fabric(w)) MN_TRY(mn_fabric_gather(&w->fabric, s));
    return MN_OK;
}

static mn_status grid_forces(mn_world *w, const mn_step *s)
{
    mn_force_report report;
    MN_TRY(mn_liquid_forces(&w->liquid, s, &report));
    w->now.frame_pressure_iterations += report.pressure.iterations;
    if (report.pressure.outcome < 0)
        mn_reject(s,
                  "the pressure solve before the viscosity of the liquid stopped at a residual of %.3g after %d "
                  "iterations",
                  report.pressure.residual_last, report.pressure.iterations);
    else if (report.viscosity.outcome < 0)
        mn_reject(s, "the viscosity solve of the liquid stopped at a residual of %.3g after %d iterations",
                  report.viscosity.residual_last, report.viscosity.iterations);
    return MN_OK;
}

static void judge_pressure(mn_world *w, const mn_solve_report *report, double divergence, const mn_step *s)
{
    w->now.frame_pressure_iterations += report->iterations;
    w->now.frame_divergence = fmax(w->now.frame_divergence, divergence);
    if (report->outcome < 0)
        mn_reject(s, "the pressure solve of the liquid stopped at a residual of %.3g after %d iterations",
                  report->residual_last, report->iterations);
}

static void judge_fabric(mn_world *w, const mn_solve_report *report, const mn_step *s)
{
    w->now.frame_solid_iterations += report->iterations;
    if (report->outcome < 0)
        mn_reject(s, "the solve of the fabric stopped at a residual of %.3g after %d iterations", report->residual_last,
                  report->iterations);
}

static mn_status solve_mixture(mn_world *w, mn_mixture *mixture, const mn_step *s)
{
    mn_mixture_report report;
    MN_TRY(mn_mixture_solve(mixture, s, &report));
    judge_fabric(w, &report.solid, s);
    judge_pressure(w, &report.pressure, report.divergence, s);
    return mn_mixture_pressure(mixture, s);
}

/// Fabric that meets liquid is solved with it; else its own stage is still to come.
static mn_status coupled_solve(mn_world *w, const mn_step *s, mn_mixture *mixture)
{
    mn_solve_report report;
    double          divergence = 0.0;
    *mixture                   = (mn_mixture){ .meets = false };
    if (has_both(w)) MN_TRY(mn_fabric_enters(&w->fabric, mixture, s));
    MN_TRY(mn_mixture_faces(mixture, &w->liquid, s));
    if (mixture->meets) {
        MN_TRY(solve_mixture(w, mixture, s));
    } else {
        MN_TRY(mn_liquid_project(&w->liquid, s, &report, &divergence));
        judge_pressure(w, &report, divergence, s);
    }
    mn_world_probe_forces(w);
    return w->keeps_pressure ? mn_liquid_keep_pressure(&w->liquid, s) : MN_OK;
}

static mn_status solid_solve(mn_world *w, const mn_step *s)
{
    mn_solve_report report;
    MN_TRY(mn_fabric_solve(&w->fabric, s, &report));
    judge_fabric(w, &report, s);
    return MN_OK;
}

static mn_status scatter(mn_world *w, const mn_step *s, mn_mixture *mixture)
{
    if (has_fabric(w)) MN_TRY(mn_fabric_scatter(&w->fabric, s));
    if (mixture->meets) MN_TRY(mn_mixture_lead(mixture, s));
    if (w->has_liquid) MN_TRY(mn_liquid_scatter(&w->liquid, s));
    return MN_OK;
}

static mn_status move_liquid(mn_world *w, const mn_step *s)
{
    mn_world_solids_over_step(w, s->time + s->dt, s->dt);
    mn_world_probe_flux(w, -1.0);
    MN_TRY(mn_liquid_move(&w->liquid, s));
    mn_world_probe_flux(w, 1.0);
    mn_liquid_wrap(&w->liquid, w->grid.origin, w->period);
    return MN_OK;
}

static mn_status move(mn_world *w, const mn_step *s)
{
    int64_t crushed = 0;
    if (w->has_liquid) MN_TRY(move_liquid(w, s));
    if (has_fabric(w)) MN_TRY(mn_fabric_move(&w->fabric, s, &crushed));
    if (has_both(w)) MN_TRY(mn_fabric_swell(&w->fabric, s));
    if (crushed > 0)
        mn_log(w->context, MN_LOG_DEBUG, "fabric_crushed", "at %.9g s %lld elements of fabric were pressed flat",
               w->now.time, (long long)crushed);
    return MN_OK;
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
    double evaporated = 0.0;
    if (has_both(w)) MN_TRY(mn_fabric_flow(&w->fabric, s, &evaporated));
    if (has_both(w)) MN_TRY(mn_fabric_pigment_step(&w->fabric, w->solutes.law, s));
    mn_add_carry(&w->now.liquid_evaporated, &w->now.liquid_evaporated_carry, evaporated);
    return mn_world_stain_step(w, s->time + s->dt);
}

static mn_status upkeep(mn_world *w, const mn_step *s)
{
    mn_solve_report report;
    mn_liquid_room_vacate(&w->liquid);
    if (has_both(w)) MN_TRY(mn_fabric_takes_room(&w->fabric, &w->liquid, s));
    mn_world_probe_flux(w, -1.0);
    MN_TRY(mn_liquid_even_out(&w->liquid, s, &report));
    mn_world_probe_flux(w, 1.0);
    mn_liquid_wrap(&w->liquid, w->grid.origin, w->period);
    if (report.outcome < 0)
        mn_reject(s, "the density solve of the liquid stopped at a residual of %.3g after %d iterations",
                  report.residual_last, report.iterations);
    return mn_world_run_sinks(w);
}

static mn_status resample(mn_world *w, const mn_step *s)
{
    mn_resample_report report;
    MN_TRY(mn_liquid_resample(&w->liquid, s, &w->now.next_id, &report));
    if (report.splits > 0) mn_liquid_wrap(&w->liquid, w->grid.origin, w->period);
    return MN_OK;
}

/// Run one stage, add its seconds, leave on failure; a verdict ends the attempt as well.
#define STAGE(name, call)                                            \
    do {                                                             \
        const double begin_ = mn_seconds(), cpu_ = mn_cpu_seconds(); \
        s->verdict->status = (call);                                 \
        w->stage_seconds[MN_STAGE_##name] += mn_seconds() - begin_;  \
        w->stage_cpu[MN_STAGE_##name] += mn_cpu_seconds() - cpu_;    \
        if (s->verdict->status != MN_OK) {                           \
            s->verdict->stage = MN_STAGE_##name;                     \
            return;                                                  \
        }                                                            \
        if (s->verdict->reason[0] != '\0') return;                   \
    } while (0)

/// The step as the algorithm (design 2). Stages of matter that is not in this version have no line yet.
static void attempt(mn_world *w, mn_step *s)
{
    mn_mixture mixture = { .meets = false };
    STAGE(drive, drive(w, s));
    STAGE(activate, activate(w, s));
    if (has_fabric(w)) STAGE(internal_forces, internal_forces(w, s));
    STAGE(gather, gather(w, s));
    if (w->has_liquid) STAGE(grid_forces, grid_forces(w, s));
    if (w->has_liquid) STAGE(coupled_solve, coupled_solve(w, s, &mixture));
    if (has_fabric(w) && !mixture.meets) STAGE(solid_solve, solid_solve(w, s));
    STAGE(scatter, scatter(w, s, &mixture));
    STAGE(move, move(w, s));
    if (w->has_liquid && has_fabric(w)) STAGE(exchange, exchange(w, s));
    if (has_both(w) || w->stain_count > 0) STAGE(flows_on_solids, flows_on_solids(w, s));
    if (w->has_liquid) STAGE(upkeep, upkeep(w, s));
    if (w->has_liquid) STAGE(resample, resample(w, s));
    STAGE(audit, (mn_world_audit(w, s), MN_OK));
}

/// What a step may change besides fabric, which keeps its own copy, and the particles, whose state before the step
/// survives in the spare buffer.
typedef struct snapshot {
    mn_world_scalars now;
    int              current;
    int64_t          count;
    double          *probes;  ///< what the frame has added up so far: impulse, passed
    mn_solute_copy   solutes;
} snapshot;

static snapshot take_snapshot(mn_world *w)
{
    snapshot     s     = { .now     = w->now,
                           .current = w->liquid.current,
                           .count   = mn_liquid_now(&w->liquid)->count,
                           .solutes = mn_world_keep_solutes(w) };
    const size_t bytes = (size_t)w->probe_count * sizeof(double);
    s.probes           = mn_arena_array(w->arena, double, 2 * w->probe_count + 1);
    if (s.probes == NULL || bytes == 0) return s;
    memcpy(s.probes, w->probe_state.impulse[0], bytes);
    memcpy(s.probes + w->probe_count, w->probe_state.passed[0], bytes);
    return s;
}

static mn_status roll_back(mn_world *w, const snapshot *s)
{
    w->now                           = s->now;
    w->liquid.current                = s->current;
    mn_liquid_now(&w->liquid)->count = s->count;
    mn_world_take_back_solutes(w, &s->solutes);
    if (has_fabric(w)) mn_fabric_roll_back(&w->fabric);
    const size_t bytes = (size_t)w->probe_count * sizeof(double);
    if (bytes > 0)
        memcpy(w->probe_state.impulse[0], s->probes, bytes),
            memcpy(w->probe_state.passed[0], s->probes + w->probe_count, bytes);
    return mn_world_stain_roll_back(w);
}

static void accept(mn_world *w, double dt, double until, bool to_the_end)
{
    if (has_fabric(w)) mn_fabric_accept(&w->fabric, dt);
    w->now.time = to_the_end ? until : w->now.time + dt;
    w->now.steps++;
    w->now.frame_steps++;
    w->now.frame_dt_min = w->now.frame_steps == 1 ? dt : fmin(w->now.frame_dt_min, dt);
    w->now.frame_dt_max = fmax(w->now.frame_dt_max, dt);
    w->now.dt_limit     = fmin(w->def.time.dt_max, w->now.dt_limit * DT_GROWTH);
}

mn_status mn_world_step(mn_world *w, double until)
{
    if (!(until > w->now.time))
        return mn_fail(w->context, MN_ERR_ARGUMENT, "a step must end after %.17g s; %.17g was asked for", w->now.time,
                       until);
    w->started = true;
    until      = mn_world_stain_stop(w, until);
    for (;;) {
        w->liquid.grid.kept_pressure.value = NULL;
        MN_TRY(mn_arena_reset(w->arena));
        const double begin = mn_seconds(), cpu = mn_cpu_seconds();
        double       dt = 0.0;
        MN_TRY(choose_dt(w, until, &dt));
        w->stage_seconds[MN_STAGE_choose_dt] += mn_seconds() - begin;
        w->stage_cpu[MN_STAGE_choose_dt] += mn_cpu_seconds() - cpu;
        const bool to_the_end = dt >= (until - w->now.time) * (1.0 - 1e-9);
        if (to_the_end) dt = until - w->now.time;
        w->dt             = dt;
        w->keeps_pressure = to_the_end;

        const snapshot  before  = take_snapshot(w);
        mn_step_verdict verdict = { .status = MN_OK };
        if (before.probes == NULL) return MN_ERR_MEMORY;
        mn_step step = { .arena   = w->arena,
                         .time    = w->now.time,
                         .dt      = dt,
                         .number  = w->now.steps,
                         .verdict = &verdict };
        attempt(w, &step);
        if (verdict.status == MN_OK && verdict.reason[0] == '\0') {
            accept(w, dt, until, to_the_end);
            return MN_OK;
        }
        MN_TRY(roll_back(w, &before));
        if (verdict.status != MN_OK) return verdict.status;

        // Take the step back and try half of it.
        w->now.frame_rejected++;
        w->now.dt_limit = fmax(0.5 * dt, w->def.time.dt_min);
        mn_log(w->context, MN_LOG_WARNING, "step_rejected", "at %.9g s a step of %.3g s was taken back in stage %s: %s",
               w->now.time, dt, mn_world_stage_name((int)verdict.stage), verdict.reason);
        if (0.5 * dt < w->def.time.dt_min)
            return mn_fail(w->context, MN_ERR_SOLVE,
                           "the run stopped at %.9g s: in stage %s %s, and the step of %.3g s cannot be halved below "
                           "time.dt_min = %.3g s",
                           w->now.time, mn_world_stage_name((int)verdict.stage), verdict.reason, dt,
                           w->def.time.dt_min);
    }
}
