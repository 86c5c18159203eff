// SPDX-License-Identifier: MPL-2.0
// The coupled solve of fabric velocity and pressure (mixture-solve 9).
#include "coupled_scene.h"

static void counts_of_the_table(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    static const double steps[] = { 2e-4, 1e-3, 4e-3 };
    static const struct { double viscosity, fiber; } pores[] = { { 0.0089, 0.01 }, { 0.0089, 0.002 }, { 0.8, 0.01 }, { 0.8, 0.002 }, { 80.0, 0.01 }, { 80.0, 0.002 }, { 1e12, 0.002 } };
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 7; i++) {
            scene s = scene_default();
            s.dt = steps[k], s.viscosity = pores[i].viscosity, s.fiber = pores[i].fiber;
            mn_mixture_report found[2];
            double most = 0;
            for (int way = 0; way < 2; way++) {
                mn_world  *w = scene_world(c, &s);
                mn_mixture m;
                reach_solve(w, s.dt, &m);
                const mn_status status = (way == 0 ? mn_mixture_solve_split : mn_mixture_solve_coupled)(&m, w->arena, w->solids, w->solid_count, &found[way]);
                if (status != MN_OK) fail_msg("%s", mn_context_error(c));
                if (i == 0 && k == 0 && way) print_message("faces %d cells %lld vertices %lld\n", m.count, (long long)mn_multigrid_describe(w->liquid.multigrid).unknowns, (long long)w->fabric.vertices.count);
                for (int32_t q = 0; q < m.count; q++) most = fmax(most, m.drag[q] / (m.drag[q] + m.liquid_mass[q] + 1e-300));
                mn_world_destroy(&w);
            }
            print_message("h %g mu %g d %g P %.6f: split %d/%d div %.2g %.2g  coupled %d %d/%d div %.2g %.2g res %.2g mismatch %.3g\n", s.dt, s.viscosity, s.fiber, most, found[0].products, found[0].cycles,
                          found[0].divergence, found[0].divergence_share, found[1].pressure.outcome, found[1].products, found[1].cycles, found[1].divergence, found[1].divergence_share, found[1].solid.residual_last, found[1].mismatch);
        }
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
