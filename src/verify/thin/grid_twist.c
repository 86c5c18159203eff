// SPDX-License-Identifier: MPL-2.0
#include "verify/thin/layers.h"
#include "world/world.h"
#include "fabric/fabric.h"
#include <stdio.h>

mn_status mn_grid_twist(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier; (void)r;
    for (int k = 0; k < 6; k++) {
        mn_world_def def = mn_world_def_default();
        mn_world *w = NULL;
        mn_thin_mesh mesh;
        mn_fabric_def f = mn_fabric_def_default();
        const mn_yarn_def yarn = { .pattern = MN_YARN_HELIX, .size = { 4, 0 }, .radius = 0.048, .pitch = k % 2 ? 4.0 : 8.0, .curl = k % 2 ? 0.4 : 0.8, .spacing = 0.1 };
        def.domain.cell = 0.2, def.domain.gravity[1] = 0, def.time.dt_max = k < 2 ? 1e-4 : k < 4 ? 5e-5 : 2e-5;
        def.solver.solid_tolerance = 1e-10;
        MN_TRY(mn_world_create(c, &def, &w));
        MN_TRY(mn_yarn_generate(c, &yarn, &mesh));
        snprintf(f.name, sizeof f.name, "yarn");
        f.mesh = &mesh; f.straighten = 1.0; f.twist = MN_TWIST_GRID;
        f.material.internal_viscosity = 0; f.material.youngs_modulus = 1e6;
        if (k == 20) f.straighten = 0, f.spin[0] = 0, f.material.internal_viscosity = 0;
        f.damping = 0;
        mn_status s = mn_world_add_fabric(w, &f);
        mn_thin_mesh_free(c, &mesh);
        MN_TRY(s);
        for (int i = 1; i <= 24; i++) {
            while (mn_world_time(w) < 2e-3 * i) MN_TRY(mn_world_step(w, 2e-3 * i));
            const mn_fabric *q = &w->fabric; const mn_rod_edges *e = &q->pieces[0].rods.edges;
            if (i % 4) continue;
            mn_fabric_sums t = mn_fabric_sum(q);
            double spin[3] = {0}, L[3] = {0}, aff[3] = {0};
            for (int64_t n = 0; n < q->segments.count; n++) for (int a = 0; a < 3; a++) spin[a] += e->angle_rate[0][n] * e->tangent[a][n] * 0.5*.04*q->mass[n+1>=q->vertices.count?n:n+1];
            for (int64_t v = 0; v < q->vertices.count; v++) for (int a = 0; a < 3; a++) {
                int b=(a+1)%3, d=(a+2)%3;
                L[a] += q->mass[v]*(q->vertices.position[b][v]*q->vertices.velocity[d][v]-q->vertices.position[d][v]*q->vertices.velocity[b][v]);
                aff[a] += q->mass[v]*.25*.04*(q->vertices.affine[3*d+b][v]-q->vertices.affine[3*b+d][v]); }
            printf("%d t %.4f steps %lld total %.3g %.3g %.3g orb %.3g %.3g %.3g aff %.3g %.3g %.3g spin %.3g %.3g %.3g\n", k, mn_world_time(w), (long long)mn_world_ledger(w).steps, t.angular.x, t.angular.y, t.angular.z, L[0],L[1],L[2],aff[0],aff[1],aff[2],spin[0],spin[1],spin[2]);
        }
        mn_world_destroy(&w);
    }
    return MN_OK;
}
