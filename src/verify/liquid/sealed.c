// SPDX-License-Identifier: MPL-2.0
// verify/liquid/sealed.c - steps of a world whose fabric reaches into the walls and so seals what they enclose.
#include "verify/liquid/sealed.h"

static mn_status look_around(mn_world *w, double dt)
{
    MN_TRY(mn_arena_reset(w->arena));
    MN_TRY(mn_world_place_solids(w, w->now.time));
    mn_world_solids_over_step(w, w->now.time, dt);
    MN_TRY(mn_fabric_activate(&w->fabric, &(mn_step){ .arena = w->arena }));
    mn_liquid_room_clear(&w->liquid);
    MN_TRY(mn_fabric_takes_room(&w->fabric, &w->liquid, &(mn_step){ .arena = w->arena }));
    return mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 });
}

static mn_status converged(mn_world *w, const char *what, const mn_solve_report *report)
{
    if (report->outcome > 0) return MN_OK;
    return mn_fail(w->context, MN_ERR_SOLVE,
                   "at %.6g s the solve of %s stopped at a residual of %.3g after %d iterations", w->now.time, what,
                   report->residual_last, report->iterations);
}

mn_status mn_sealed_solve(mn_world *w, double dt, mn_mixture *m, mn_mixture_report *report)
{
    mn_force_report forces;
    w->started = true;
    MN_TRY(look_around(w, dt));
    MN_TRY(mn_fabric_forces(&w->fabric, &(mn_step){ .arena = w->arena, .time = w->now.time, .dt = dt }));
    MN_TRY(mn_liquid_gather(&w->liquid, &(mn_step){ .arena = w->arena }));
    MN_TRY(mn_fabric_gather(&w->fabric, &(mn_step){ .arena = w->arena, .dt = dt }));
    MN_TRY(mn_liquid_forces(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = dt }, &forces));
    MN_TRY(converged(w, "the viscosity", &forces.viscosity));
    *m = (mn_mixture){ .meets = false };
    MN_TRY(mn_fabric_enters(&w->fabric, m, &(mn_step){ .arena = w->arena }));
    MN_TRY(mn_mixture_faces(m, &w->liquid, &(mn_step){ .arena = w->arena, .dt = dt }));
    if (!m->meets) return mn_fail(w->context, MN_ERR_SOLVE, "at %.6g s no liquid is at the fabric", w->now.time);
    MN_TRY(mn_mixture_solve(m, &(mn_step){ .arena = w->arena }, report));
    MN_TRY(converged(w, "the pressure", &report->pressure));
    return converged(w, "the fabric", &report->solid);
}

mn_status mn_sealed_move(mn_world *w, mn_mixture *m)
{
    const double    dt = m->dt;
    int64_t         crushed;
    mn_solve_report density = { .outcome = 1 };
    MN_TRY(mn_fabric_scatter(&w->fabric, &(mn_step){ .arena = w->arena }));
    MN_TRY(mn_mixture_lead(m, &(mn_step){ .arena = w->arena }));
    MN_TRY(mn_liquid_scatter(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = dt }));
    mn_world_solids_over_step(w, w->now.time + dt, dt);
    MN_TRY(mn_liquid_move(&w->liquid, &(mn_step){ .solids = w->solids, .dt = dt }));
    MN_TRY(mn_fabric_move(&w->fabric, &(mn_step){ .dt = dt }, &crushed));
    mn_liquid_room_vacate(&w->liquid);
    MN_TRY(mn_fabric_takes_room(&w->fabric, &w->liquid, &(mn_step){ .arena = w->arena }));
    MN_TRY(mn_liquid_even_out(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = dt }, &density));
    MN_TRY(converged(w, "the density", &density));
    mn_fabric_turn_yarn(&w->fabric, &(mn_step){ .dt = dt });
    w->now.time += dt;
    return MN_OK;
}
