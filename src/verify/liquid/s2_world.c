// SPDX-License-Identifier: MPL-2.0
// verify/liquid/s2_world.c - lines of group S2 that a world shows.
#include "verify/liquid/s2_world.h"

#include "verify/fabric/wet_sample.h"
#include "verify/liquid/s1.h"

#include <stdio.h>

/// A tank of jittered liquid that is stirred; all full and sealed, or with a surface.
static mn_status stirred_tank(mn_context *c, bool sealed, double tolerance, mn_world **out)
{
    mn_tank tank   = mn_tank_default(3, 0.25, 4.0, 4.0, 4.0, sealed ? INFINITY : 2.9);
    tank.sampling  = MN_SAMPLING_JITTER;
    tank.tolerance = tolerance;
    MN_TRY(mn_tank_world(c, &tank, out));
    mn_liquid_particles *p = mn_liquid_now(&(*out)->liquid);
    for (int64_t i = 0; i < p->count; i++) {
        const double x = p->position[0][i], y = p->position[1][i], z = p->position[2][i];
        p->velocity[0][i] = 9.0 * sin(2.0 * y + z), p->velocity[1][i] = 7.0 * cos(x - 2.0 * z);
        p->velocity[2][i] = 8.0 * sin(x * y);
    }
    return MN_OK;
}

/// Largest of five steps that are `dt` long at most.
static mn_status worst_divergence(mn_context *c, bool sealed, double dt, double *worst)
{
    mn_world *w      = NULL;
    mn_status status = stirred_tank(c, sealed, 1e-10, &w);
    *worst           = 0.0;
    for (int k = 0; k < 5 && status == MN_OK; k++) {
        mn_world_end_frame(w);
        status            = mn_world_step(w, mn_world_time(w) + dt);
        const mn_ledger l = mn_world_ledger(w);
        *worst            = fmax(*worst, l.max_divergence * w->grid.cell / l.max_speed);
    }
    mn_world_destroy(&w);
    return status;
}

mn_status mn_s2_divergence(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    double worst = NAN;
    MN_TRY(worst_divergence(c, false, 0.02, &worst));
    mn_verify_library(r, false);
    mn_verify_at_most(r, "a stirred tank, five steps: largest |div u| dx / |u|", worst, 1e-8, 1e-8);
    MN_TRY(worst_divergence(c, true, 1e-7, &worst));
    mn_verify_at_most(r, "the same without air, steps of 1e-7 s", worst, 1e-8, 1e-8);
    if (tier == MN_TIER_BUILD) return MN_OK;
    // The divergence that makes a move keep volume (liquid/project.c) is of the order of the step. It does not add up
    // to nothing over a cavity, and what it adds up to cannot be had: a true FAIL.
    MN_TRY(worst_divergence(c, true, 0.02, &worst));
    mn_verify_at_most(r, "the same without air, usual steps: what a move asks for does not add up to 0", worst, 1e-8,
                      1e-8);
    return MN_OK;
}

/// A sheet of F0 across the middle of a tank, held all around.
static mn_status hang_sheet(mn_context *c, mn_world *w)
{
    const mn_cloth_def square = { .outline = MN_CLOTH_RECTANGLE,
                                  .size    = { 3.0, 3.0 },
                                  .spacing = 0.125,
                                  .mesh    = MN_CLOTH_STRUCTURED };
    mn_fabric_def      fabric = mn_fabric_def_default();
    mn_pin_def         pin    = mn_pin_def_default();
    mn_thin_mesh       mesh;
    MN_TRY(mn_cloth_generate(c, &square, &mesh));
    snprintf(fabric.name, sizeof fabric.name, "sheet");
    snprintf(pin.group, sizeof pin.group, "all");
    fabric.mesh     = &mesh;
    fabric.material = mn_wet_sample_f0();
    fabric.at[0] = fabric.at[2] = 2.0, fabric.at[1] = 1.4;
    fabric.pins = &pin, fabric.pin_count = 1;
    const mn_status status = mn_world_add_fabric(w, &fabric);
    mn_thin_mesh_free(c, &mesh);
    return status;
}

static mn_status iterations_of(mn_context *c, bool sheet, double *each)
{
    mn_world     *w    = NULL;
    mn_world_def  def  = mn_world_def_default();
    mn_shape_def  box  = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def pool = mn_liquid_def_default();
    def.domain.cell    = 0.25;
    def.domain.bounded = true;
    def.time.dt_max    = 2e-3;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = box.size[a] = 4.0, pool.at[a] = 2.0;
    pool.below       = 2.9;
    pool.material    = mn_wet_sample_water();
    mn_status status = mn_world_create(c, &def, &w);
    if (status == MN_OK) status = mn_shape_create(c, &box, &pool.shape);
    if (status == MN_OK) status = mn_world_add_liquid(w, &pool);
    mn_shape_release(&pool.shape);
    if (status == MN_OK && sheet) status = hang_sheet(c, w);
    for (int k = 0; k < 10 && status == MN_OK; k++) status = mn_world_step(w, mn_world_time(w) + 2e-3);
    if (status == MN_OK) *each = (double)mn_world_ledger(w).pressure_iterations / (double)mn_world_steps(w);
    mn_world_destroy(&w);
    return status;
}

mn_status mn_s2_sheet(mn_context *c, mn_verify_report *r)
{
    double without = NAN, with = NAN;
    MN_TRY(iterations_of(c, false, &without));
    MN_TRY(iterations_of(c, true, &with));
    mn_verify_library(r, false);
    mn_verify_at_most(r, "a tank with a sheet of cloth in it: iterations a step against the tank alone", with / without,
                      2.0, 2.0);
    return MN_OK;
}

static mn_status hash_with(mn_context *owner, int threads, uint64_t *hash)
{
    mn_context_def def     = mn_context_def_default();
    mn_context    *context = NULL;
    mn_world      *w       = NULL;
    def.threads            = threads;
    if (mn_context_create(&def, &context) != MN_OK)
        return mn_fail(owner, MN_ERR_MEMORY, "a context of %d threads could not be made", threads);
    mn_status status = stirred_tank(context, false, 1e-6, &w);
    for (int k = 0; k < 5 && status == MN_OK; k++) status = mn_world_step(w, mn_world_time(w) + 0.02);
    if (status == MN_OK) *hash = mn_world_hash(w);
    if (status != MN_OK) status = mn_fail(owner, status, "%s", mn_context_error(context));
    // These steps were made for a case of the owner.
    for (int64_t k = mn_context_world_steps(context); k > 0; k--) mn_context_count_world_step(owner);
    mn_world_destroy(&w);
    mn_context_destroy(&context);
    return status;
}

mn_status mn_s2_threads(mn_context *c, mn_verify_report *r)
{
    uint64_t one = 0, many = 0;
    char     what[96];
    MN_TRY(hash_with(c, 1, &one));
    mn_verify_library(r, false);
    for (int threads = 2; threads <= 3; threads++) {
        MN_TRY(hash_with(c, threads, &many));
        snprintf(what, sizeof what, "hashes of a stirred tank after five steps that differ, 1 and %d threads", threads);
        mn_verify_at_most(r, what, (double)(one != many), 0.0, 0.0);
    }
    return MN_OK;
}
