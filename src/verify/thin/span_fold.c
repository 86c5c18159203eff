// SPDX-License-Identifier: MPL-2.0
// verify/thin/span_fold.c - S4.8 in a world: a yarn bent in its middle to nearly 180 degrees and let go.
#include "verify/thin/span_cases.h"

#include <stdio.h>

enum { EDGES = 40 };

/// Straight at rest, its second half turned back in the plane y = 0.
static mn_status bent_mesh(mn_context *c, const mn_span *s, double degrees, mn_thin_mesh *out)
{
    const double      edge = s->length / EDGES, a = degrees * MN_PI / 180.0;
    const mn_yarn_def def = { .pattern = MN_YARN_STRAIGHT,
                              .size    = { s->length, 0.0 },
                              .radius  = s->material.radius,
                              .spacing = edge };
    MN_TRY(mn_yarn_generate(c, &def, out));
    for (int64_t v = 0; v < out->vertex_count; v++) {
        const double beyond = out->vertex[v][0];
        if (beyond <= 0.0) continue;
        out->vertex[v][0] = beyond * cos(a), out->vertex[v][2] = beyond * sin(a);
    }
    return MN_OK;
}

static double energy_of(const mn_world *w)
{
    const mn_ledger l = mn_world_ledger(w);
    return l.energy_elastic + l.energy_kinetic;
}

static mn_status let_go(mn_context *c, double degrees, double *start, double *most, double *left, int64_t *rejected)
{
    mn_span       s      = mn_span_default(true);
    mn_world_def  def    = mn_world_def_default();
    mn_fabric_def fabric = mn_fabric_def_default();
    mn_thin_mesh  mesh;
    mn_world     *w       = NULL;
    def.domain.cell       = 2.0 * s.length / EDGES;
    def.domain.gravity[1] = 0.0;
    def.time.dt_max       = 1e-3;
    MN_TRY(bent_mesh(c, &s, degrees, &mesh));
    snprintf(fabric.name, sizeof fabric.name, "yarn");
    fabric.material   = s.material;
    fabric.mesh       = &mesh;
    fabric.straighten = 1.0;
    mn_status status  = mn_world_create(c, &def, &w);
    if (status == MN_OK) status = mn_world_add_fabric(w, &fabric);
    mn_thin_mesh_free(c, &mesh);
    if (status == MN_OK) *start = energy_of(w) * s.length / EDGES / mn_span_bend(&s);
    *most = 0.0;
    for (int k = 0; k < 100 && status == MN_OK; k++) {
        status = mn_world_step(w, 0.1);
        *most  = fmax(*most, energy_of(w) * s.length / EDGES / mn_span_bend(&s));
    }
    if (status == MN_OK) *left = energy_of(w) * s.length / EDGES / mn_span_bend(&s);
    if (status == MN_OK) *rejected += mn_world_ledger(w).rejected;
    mn_world_destroy(&w);
    return status;
}

mn_status mn_span_fold(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const double degrees[4] = { 170.0, 175.0, 179.0, 179.9 };
    double              start[4], gain = 0.0, kept = 0.0;
    int64_t             rejected = 0;
    (void)tier;
    for (int k = 0; k < 4; k++) {
        double most, left;
        MN_TRY(let_go(c, degrees[k], &start[k], &most, &left, &rejected));
        gain = fmax(gain, most / start[k]);
        // At 179.9 degrees the halves lie 0.02 cells apart, and on the grid their forces cancel: it stays as it is.
        if (degrees[k] < 179.5) kept = fmax(kept, left / start[k]);
    }
    // The curvature of a corner is 2 tan of half its angle.
    const double law = 2.0 * pow(tan(85.0 * MN_PI / 180.0), 2.0);
    mn_verify_value(r, "world: energy of a bend of 170 degrees, EI / l", start[0], law, start[0] / law - 1.0, 1e-6,
                    3e-6);
    mn_verify_at_least(r, "world: growth of the energy from 170 to 175, 179, 179.9 degrees, least",
                       fmin(start[1] - start[0], fmin(start[2] - start[1], start[3] - start[2])), 0.0, 0.0);
    mn_verify_at_most(r, "world: let go, elastic and kinetic energy over that at the start", gain, 1.0, 1.0);
    mn_verify_at_most(r, "world: 0.1 s later, bends up to 179 degrees: what is left of it", kept, 1e-2, 3e-2);
    mn_verify_at_most(r, "world: steps taken back", (double)rejected, 0.0, 0.0);
    return MN_OK;
}
