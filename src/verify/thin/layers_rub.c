// SPDX-License-Identifier: MPL-2.0
#include "verify/thin/layers.h"
#include "world/world.h"
#include <stdio.h>

#define GRAVITY 981.0
static mn_status add(mn_context *c, mn_world *w, bool lower, double side, double cell, double mu)
{
    const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE, .size = { side, lower ? 2.0: 1.0 }, .spacing = 0.5 * cell };
    mn_fabric_def f = mn_fabric_def_default();
    mn_pin_def pin = mn_pin_def_default();
    mn_thin_mesh mesh;
    snprintf(pin.group, sizeof pin.group, "all");
    snprintf(f.name, sizeof f.name, lower ? "lower" : "upper");
    f.material.friction = mu;
    if (lower) f.pins = &pin, f.pin_count = 1;
    else f.at[1] = 0.9 * cell, f.at[0] = -1.5, f.velocity[0] = 27;
    MN_TRY(mn_cloth_generate(c, &d, &mesh));
    f.mesh = &mesh;
    mn_status s = mn_world_add_fabric(w, &f);
    mn_thin_mesh_free(c, &mesh);
    return s;
}
mn_status mn_layers_rub(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier; (void)r;
    static const double fric[] = { 0, 0.3, 0.36, 0.6 };
    double last[4][20] = {0};
    for (int k = 0; k < 4; k++) {
        const double cell = 0.25;
        mn_world_def def = mn_world_def_default();
        mn_world *w = NULL;
        def.domain.cell = cell; def.time.dt_max = 1e-3;
        def.domain.gravity[1] = -GRAVITY;
        MN_TRY(mn_world_create(c, &def, &w));
        MN_TRY(add(c, w, true, 6.0, cell, fric[k]));
        MN_TRY(add(c, w, false, 1.5, cell, fric[k]));
        for (int i = 1; i <= 10; i++) {
            while (mn_world_time(w) < 0.01 * i) MN_TRY(mn_world_step(w, 0.01 * i));
            const mn_fabric_view f = mn_world_fabric(w, 1);
            double v = 0, h = 0, x = 0;
            for (int64_t j = 0; j < f.position.count; j++) v += f.velocity.x[j] / f.position.count, h += f.position.y[j] / f.position.count, x += f.position.x[j] / f.position.count;
            last[k][i] = v;
            printf("mu %g t %.3f x %.3f v %.5g slows %.5g of mu g  more than 0: %.4f h/cell %.4f\n", fric[k], mn_world_time(w), x, v, i > 1 ? (last[k][i-1]-v)/0.01/GRAVITY/fric[k] : 0, ((last[k][i-1]-v)-(last[0][i-1]-last[0][i]))/.01/GRAVITY/fric[k], h / cell);
        }
        mn_world_destroy(&w);
    }
    return MN_OK;
}
