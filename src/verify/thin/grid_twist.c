// SPDX-License-Identifier: MPL-2.0
// verify/thin/grid_twist.c - P4.12: yarn that twists with the grid keeps its angular momentum.
//
// A helix whose rest is straight springs open in free space. Its vertices swing about the middle and its segments
// twist, each by what the other gives: forces on vertices and torques on the grid (wet-fabric E5.10) close only
// together.
#include "verify/thin/layers.h"

#include "fabric/fabric.h"
#include "world/world.h"

#include <stdio.h>

#define CELL    0.2
#define SECONDS 0.048

static mn_status add_helix(mn_context *c, mn_world *w)
{
    const mn_yarn_def yarn = { .pattern = MN_YARN_HELIX,
                               .size    = { 4.0, 0.0 },
                               .radius  = 0.048,
                               .pitch   = 4.0,
                               .curl    = 0.4,
                               .spacing = 0.5 * CELL };
    mn_fabric_def     def  = mn_fabric_def_default();
    mn_thin_mesh      mesh;
    MN_TRY(mn_yarn_generate(c, &yarn, &mesh));
    snprintf(def.name, sizeof def.name, "yarn");
    def.mesh                        = &mesh;
    def.straighten                  = 1.0;
    def.twist                       = MN_TWIST_GRID;
    def.material.youngs_modulus     = 1e6;
    def.material.internal_viscosity = 0.0;
    const mn_status status          = mn_world_add_fabric(w, &def);
    mn_thin_mesh_free(c, &mesh);
    return status;
}

/// Angular momentum of the segments about themselves: each turns with half the mass of its cell's square (E5.10).
static double size_of_spin(const mn_fabric *q)
{
    const mn_rod_edges *e    = &q->pieces[0].rods.edges;
    mn_vec3             spin = { 0.0, 0.0, 0.0 };
    for (int64_t s = 0; s < q->pieces[0].segment_count; s++) {
        const int32_t *v      = q->pieces[0].rods.edge[s].vertex;
        const double   turned = 0.25 * CELL * CELL * (q->mass[v[0]] + q->mass[v[1]]) * e->angle_rate[0][s];
        spin = mn_add3(spin, mn_scale3(turned, mn_v3(e->tangent[0][s], e->tangent[1][s], e->tangent[2][s])));
    }
    return mn_norm3(spin);
}

/// Angular momentum at the end over the largest that the segments had.
static mn_status spring(mn_context *c, double dt, double *drift)
{
    mn_world_def def           = mn_world_def_default();
    mn_world    *w             = NULL;
    double       spin          = 0.0;
    def.domain.cell            = CELL;
    def.domain.gravity[1]      = 0.0;
    def.time.dt_max            = dt;
    def.solver.solid_tolerance = 1e-10;
    mn_status status           = mn_world_create(c, &def, &w);
    if (status == MN_OK) status = add_helix(c, w);
    while (status == MN_OK && mn_world_time(w) < SECONDS) {
        status = mn_world_step(w, SECONDS);
        if (status == MN_OK) spin = fmax(spin, size_of_spin(&w->fabric));
    }
    if (status == MN_OK) *drift = mn_norm3(mn_fabric_sum(&w->fabric).angular) / spin;
    mn_world_destroy(&w);
    return status;
}

/// The step is of first order, and with it falls what is gained of angular momentum; an error of the torques does not.
/// The order that is found lies within 0.3 of that: 2^-0.7 = 0.62.
mn_status mn_grid_twist(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    double coarse = NAN, fine = NAN;
    MN_TRY(spring(c, 2e-5, &coarse));
    MN_TRY(spring(c, 1e-5, &fine));
    mn_verify_at_most(r, "helix that springs open: angular momentum it gains, over that of its segments", fine, 0.01,
                      0.03);
    mn_verify_at_most(r, "... over that with twice the step", fine / coarse, 0.58, 0.62);
    return MN_OK;
}
