// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_motion.c - A6.7: a blob that is free to slide on a cloth that turns.
#include "verify/stain/a6_stain.h"

#include "verify/stain/stain_world.h"

/// Where the middle of a blob from (1, 0) is in space after a quarter turn in `steps` steps at 2 pi rad/s.
static mn_status slide(mn_context *c, int side, int steps, bool coriolis, double out[2])
{
    const mn_stain_square_def square = { .nx        = side,
                                         .ny        = side,
                                         .spacing   = 5.0 / (side - 1),
                                         .jitter    = 0.2,
                                         .diagonals = MN_DIAGONALS_RANDOM,
                                         .seed      = 2 };
    mn_stain_def              def    = mn_stain_def_idle();
    mn_stain_mesh             mesh   = { 0 };
    mn_drops                  blob   = { 0 };
    mn_world                 *w      = NULL;
    def.inertia                      = true;
    def.coriolis                     = coriolis;
    def.motion.spin[2]               = 2.0 * MN_PI;
    def.step                         = 0.25 / steps;
    mn_status st                     = mn_stain_mesh_square(c, &square, &mesh);
    if (st == MN_OK) st = mn_drops_blob(c, mn_v3(1.0, 0.0, 0.0), 0.02, &blob);
    mn_stain_def_pour(&def, &blob);
    if (st == MN_OK) st = mn_stain_world(c, &mesh, &def, &w);
    if (st == MN_OK) st = mn_run_to(w, 0.25);
    if (st == MN_OK) {
        const mn_stain_view s   = mn_world_stain(w, 0);
        double              sum = 0.0;
        out[0] = out[1] = 0.0;
        for (int64_t v = 0; v < s.vertex_count; v++) {
            sum += s.free[v];
            for (int a = 0; a < 2; a++) out[a] += s.free[v] * s.position[v][a];
        }
        out[0] /= sum, out[1] /= sum;
    }
    mn_world_destroy(&w);
    mn_drops_free(c, &blob);
    mn_stain_mesh_free(c, &mesh);
    return st;
}

mn_status mn_a6_rotating(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int    side = tier == MN_TIER_BUILD ? 101 : 201, steps = tier == MN_TIER_BUILD ? 100 : 200;
    const double path = 0.5 * MN_PI;
    double       with[2], coarse[2], without[2];
    MN_TRY(slide(c, side, steps, true, with));
    MN_TRY(slide(c, (side - 1) / 2 + 1, steps / 2, true, coarse));
    MN_TRY(slide(c, side, steps, false, without));
    const double off = hypot(with[0] - 1.0, with[1] - path), off_coarse = hypot(coarse[0] - 1.0, coarse[1] - path);
    mn_verify_value(r, "distance from the axis after a quarter turn", hypot(with[0], with[1]), 1.86210,
                    hypot(with[0], with[1]) / 1.86210 - 1.0, 0.005, 0.015);
    mn_verify_at_most(r, "place in the inertial frame: error over the path", off / path, 0.005, 0.015);
    mn_verify_at_least(r, "the same without Coriolis", hypot(without[0] - 1.0, without[1] - path) / path, 0.2, 0.2);
    mn_verify_at_least(r, "order of convergence in step and mesh (1 is the design)", log2(off_coarse / off), 0.7, 0.7);
    return MN_OK;
}
