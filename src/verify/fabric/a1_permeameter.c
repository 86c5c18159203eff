// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_permeameter.c - A1.2: a duct, sealed by fabric, drains through it into a pool beside it.
//
// With q = head / tau the head falls as exp(-t (1 + a) / tau), a the area of the duct over that of the pool.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"
#include "verify/liquid/tube.h"

#include "geom/patterns/builder.h"

#include <stdio.h>

#define DT     2e-3  // s
#define SETTLE 0.05  // s, until the column of liquid flows steadily and lies evenly
#define BUNDLE 0.25  // radius of standing yarn in spacings

typedef struct permeameter {
    const char *what;
    double      cell;
    bool        yarn, published, wets;
} permeameter;

static mn_tube tube_of(const permeameter *p)
{
    mn_fabric_material m = mn_wet_sample_f0();
    m.darcy_published    = p->published;
    if (!p->wets) m.contact_angle = 0.5 * MN_PI;  // the pores hold nothing and suck nothing: the drag alone
    if (p->yarn) m.radius = BUNDLE * 0.5 * p->cell;
    return (mn_tube){ .cell = p->cell, .head = 5.0, .material = m };
}

/// Yarns stand side by side: as much bulk volume over the cross-section as the sheet has.
static mn_status standing_yarn(mn_context *c, const mn_tube *t, mn_thin_mesh *mesh)
{
    mn_pattern_builder b       = { .context = c };
    const double       spacing = 0.5 * t->cell, radius = BUNDLE * spacing,
                 length = t->material.thickness / (MN_PI * BUNDLE * BUNDLE);
    const int count     = (int)lround(mn_tube_width(t) / spacing);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            mn_build_strand_begin(&b, radius);
            for (int n = -1; n <= 1; n++) {
                const mn_vec3 x = mn_v3((i + 0.5 - 0.5 * count) * spacing, 0.5 * n * length,
                                        (k + 0.5 - 0.5 * count) * spacing);
                mn_build_strand_add(&b, mn_build_vertex(&b, x));
            }
            mn_build_strand_end(&b, false);
        }
    mn_build_group_all(&b);
    return mn_build_finish(&b, mesh);
}

static mn_status build(mn_context *c, const permeameter *p, mn_world **out)
{
    const mn_tube t = tube_of(p);
    mn_thin_mesh  mesh;
    MN_TRY(p->yarn ? standing_yarn(c, &t, &mesh) : mn_tube_sheet(c, &t, &mesh));
    const mn_status status = mn_tube_make(c, &t, &mesh, out);
    mn_thin_mesh_free(c, &mesh);
    return status;
}

/// Level of the duct less that of the pool, both as volume over cross-section. A particle counts as half a cell high,
/// so that a layer that passes the fabric does so gradually; the fibre above the middle of the fabric lifts the level.
static double head_of(const mn_world *w, const permeameter *p)
{
    const mn_liquid_view     q    = mn_world_liquid(w);
    const mn_fabric_material f0   = mn_wet_sample_f0();
    const double             cell = p->cell, area = MN_TUBE_DUCT * MN_TUBE_DUCT * cell * cell,
                 pool = (MN_TUBE_DUCT + MN_TUBE_WALL) * cell;
    double above = 0.0, beside = 0.0;
    for (int64_t i = 0; i < q.count; i++) {
        if (q.position.x[i] > pool) beside += q.volume[i];
        else above += q.volume[i] * fmin(1.0, fmax(0.0, 0.5 + (q.position.y[i] - MN_TUBE_SHEET) / (0.5 * cell)));
    }
    return MN_TUBE_SHEET + above / area + 0.5 * f0.thickness * f0.solid_fraction -
           beside / (area * MN_TUBE_POOL / MN_TUBE_DUCT);
}

/// Least squares of ln(head) over time.
static mn_status drain(mn_context *c, mn_world *w, const permeameter *p, double seconds, double *tau)
{
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 1; k <= (int)lround(seconds / DT); k++) {
        MN_TRY(mn_wet_world_run(w, k * DT));
        const double head = head_of(w, p), t = mn_world_time(w);
        if (k % 50 == 0) mn_log(c, MN_LOG_DEBUG, "permeameter", "%s: head %.6f cm at %.4f s", p->what, head, t);
        if (t < SETTLE) continue;
        n += 1.0, x += t, y += log(head), xx += t * t, xy += t * log(head);
    }
    *tau = -(1.0 + (double)MN_TUBE_DUCT / MN_TUBE_POOL) * (n * xx - x * x) / (n * xy - x * y);
    return MN_OK;
}

/// Darcy's law of the fabric, s; as published each face has its own solid fraction, w L phi_0 / cell with the weight w
/// of the kernel, and lets through (1 - phi_i)^2 of that.
static double expected_tau(const permeameter *p)
{
    const mn_fabric_material f0  = mn_wet_sample_f0();
    const double             tau = p->yarn ? 1.23114 : 2.50256, place = MN_TUBE_SHEET / p->cell;
    if (!p->published) return tau;
    double scale = 0.0;
    for (int face = (int)place - 1; face <= (int)place + 2; face++) {
        const double r = fabs(place - face), weight = r < 0.5   ? 0.75 - r * r
                                                      : r < 1.5 ? 0.5 * (1.5 - r) * (1.5 - r)
                                                                : 0.0;
        const double left = 1.0 - weight * f0.solid_fraction * f0.thickness / p->cell;
        scale += weight / (left * left);
    }
    return tau * scale;
}

static mn_status run(mn_context *c, const permeameter *p, double seconds, double *tau)
{
    mn_world *w      = NULL;
    mn_status status = build(c, p, &w);
    if (status == MN_OK) status = drain(c, w, p, seconds, tau);
    mn_world_destroy(&w);
    return status;
}

mn_status mn_a1_permeameter(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const permeameter cases[] = {
        { "through a sheet, cells of 2.5 mm", 0.25, false, false, false },
        { "through a sheet, cells of 1.25 mm", 0.125, false, false, false },
        { "along standing yarn, cells of 2.5 mm", 0.25, true, false, false },
        { "published drag, cells of 2.5 mm", 0.25, false, true, false },
        { "through a sheet that wets, cells of 2.5 mm", 0.25, false, false, true },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char   text[96];
        double tau;
        MN_TRY(run(c, &cases[k], tier == MN_TIER_BUILD ? 0.3 : 1.0, &tau));
        snprintf(text, sizeof text, "%s: time in which the head falls by e, s", cases[k].what);
        mn_verify_value(r, text, tau, expected_tau(&cases[k]), tau / expected_tau(&cases[k]) - 1.0, 0.01, 0.03);
    }
    return MN_OK;
}
