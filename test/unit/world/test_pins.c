// SPDX-License-Identifier: MPL-2.0
// Hard pins through the step of a world: cantilevers against the heavy elastica, where pins put their vertices, and the
// balance of momentum with what they say they bear.
#include "worlds.h"

#include "fabric/pins.h"

#include <stdlib.h>
#include <string.h>

/// A strip or a yarn along x from 0 on, of which the first `rows` rows of vertices are held.
typedef struct beam {
    bool   yarn;
    int    rows;
    double spacing, length, cell, dt;
    double gamma;    ///< w g L^3 / D
    double damping;  ///< 1/s
} beam;

static mn_thin_mesh beam_mesh(mn_context *c, const beam *b, double *held)
{
    const double whole  = b->length + (b->rows - 1) * b->spacing;
    mn_thin_mesh mesh   = { 0 };
    double       low[3] = { -1e9, -1e9, -1e9 }, high[3] = { 0.0, 1e9, 1e9 };
    if (b->yarn) {
        const mn_yarn_def def = { .pattern = MN_YARN_STRAIGHT,
                                  .size    = { whole, 0.0 },
                                  .radius  = 0.05,
                                  .spacing = b->spacing };
        assert_int_equal(mn_yarn_generate(c, &def, &mesh), MN_OK);
    } else {
        const mn_cloth_def def = { .size    = { whole, 5.0 * b->spacing },
                                   .spacing = b->spacing,
                                   .mesh    = MN_CLOTH_STRUCTURED };
        assert_int_equal(mn_cloth_generate(c, &def, &mesh), MN_OK);
    }
    *held   = -0.5 * whole + (b->rows - 1) * b->spacing;
    high[0] = *held + 0.1 * b->spacing;
    assert_int_equal(mn_thin_group_box(c, "clamp", low, high, &mesh), MN_OK);
    return mesh;
}

static mn_world *beam_world(mn_context *c, const beam *b, mn_pin_def pin, double *held)
{
    mn_world_def  def    = mn_world_def_default();
    mn_fabric_def fabric = mn_fabric_def_default();
    mn_world     *w      = NULL;
    mn_thin_mesh  mesh   = beam_mesh(c, b, held);
    def.domain.cell      = b->cell;
    def.time.dt_max      = b->dt;
    def.solver.solid_tolerance = 1e-6;
    fabric.material.youngs_modulus = 1.96e7;
    fabric.material.solid_fraction = 0.5;
    fabric.material.poisson        = 0.0;
    fabric.material.internal_viscosity = 0.0;
    const double young = 0.25 * 1.96e7, r = 0.05, d = fabric.material.thickness;
    const double bend  = b->yarn ? young * MN_PI * r * r * r * r / 4.0 : young * d * d * d / 12.0;
    const double mass  = 0.5 * fabric.material.density * (b->yarn ? MN_PI * r * r : d);
    def.domain.gravity[1] = -b->gamma * bend / (mass * pow(b->length, 3.0));
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    snprintf(fabric.name, sizeof fabric.name, "beam");
    snprintf(pin.group, sizeof pin.group, "clamp");
    fabric.mesh      = &mesh;
    fabric.pins      = &pin;
    fabric.pin_count = 1;
    fabric.damping   = b->damping;
    fabric.at[0] = 0.137, fabric.at[1] = 0.0713, fabric.at[2] = 0.021;
    if (mn_world_add_fabric(w, &fabric) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_thin_mesh_free(c, &mesh);
    return w;
}

static double tip_of(const mn_world *w, int axis)
{
    const mn_fabric *q   = &w->fabric;
    float            far = 0.0f;
    double           sum = 0.0;
    int              n   = 0;
    for (int64_t v = 0; v < q->vertices.count; v++) far = fmaxf(far, q->rest[0][v]);
    for (int64_t v = 0; v < q->vertices.count; v++)
        if (q->rest[0][v] > far - 1e-4f) sum += q->vertices.position[axis][v], n++;
    return sum / n;
}

int main(int argc, char **argv)
{
    mn_context *c = test_context(1);
    const double gam = argc > 1 ? atof(argv[1]) : 1.0, cell = argc > 2 ? atof(argv[2]) : 0.2;
    const double want = gam == 1.0 ? 0.123471 : 0.700200;
    for (int yarn = 0; yarn < 1; yarn++)
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 2; k++) {
                const int rows[3] = { 2, 5, 3 };
                const double spacing[3] = { 0.2, 0.1, 0.05 };
                beam b = { .yarn = yarn, .rows = rows[k], .spacing = spacing[s], .length = 4.0, .cell = cell, .dt = 4e-3, .gamma = gam };
                mn_pin_def pin = mn_pin_def_default();
                double held;
                const double EI_w = gam;
                (void)EI_w;
                mn_world *w = beam_world(c, &b, pin, &held);
                const double g = -w->def.domain.gravity[1];
                b.damping = 0;
                mn_world_destroy(&w);
                b.damping = 1.4 * 3.516 * sqrt(g / (gam * b.length));
                w = beam_world(c, &b, pin, &held);
                double last = 0, y;
                int steps = 0;
                for (;;) {
                    for (int i = 0; i < 25; i++) if (mn_world_step(w, mn_world_time(w) + b.dt) != MN_OK) { printf("%s\n", mn_context_error(c)); return 1; }
                    steps += 25;
                    y = tip_of(w, 1);
                    if (fabs(y - last) < 1e-6 || mn_world_time(w) > 60.0 / b.damping) break;
                    last = y;
                }
                double drift = 0;
                const mn_fabric_pin *p = &w->fabric.pieces[0].pins[0];
                for (int64_t j = 0; j < p->count; j++) drift = fmax(drift, mn_norm3(mn_sub3(mn_fabric_at(&w->fabric, p->vertex[j]), p->home[j])));
                const double L = b.length, half = L + 0.5 * b.spacing;
                printf("%s rows %d spacing %g: drop/L %.5f  of theory %.4f   (L from half an edge: %.4f) pin drift %.1e, %d vertices, g %.3g, %d steps\n", yarn ? "yarn" : "cloth", b.rows, b.spacing,
                       (0.0713 - y) / L, (0.0713 - y) / L / want, (0.0713-y)/(want*L*pow(half/L, gam == 1.0 ? 4.0 : 1.0)), drift, (int)w->fabric.vertices.count, g, steps);
                const mn_vec3 f = mn_fabric_pin_force(&w->fabric, &w->fabric.pieces[0], 0, mn_world_time(w));
                double weight = 0;
                for (int64_t v = 0; v < w->fabric.vertices.count; v++) weight += w->fabric.mass[v] * g;
                printf("    pin force / weight - 1 = %.3g\n", -f.y / weight - 1.0);
                fflush(stdout);
                mn_world_destroy(&w);
            }
    test_context_end(&c);
    return 0;
}
