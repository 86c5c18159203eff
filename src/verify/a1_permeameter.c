// SPDX-License-Identifier: MPL-2.0
// verify/a1_permeameter.c - A1.2: a duct, sealed by fabric, drains through it into a pool beside it.
//
// The duct and the pool are the arms of a bent tube, so that both sides of the fabric are full and the head is what a
// ruler would read: the level in the duct less that of the pool. With q = head / tau the head falls as exp(-t (1 + a) / tau),
// a the area of the duct over that of the pool.
#include "verify/a1.h"
#include "verify/sealed.h"
#include "verify/wet_sample.h"

#include "fabric/patterns/builder.h"

#include <stdio.h>

#define DUCT    4          // cells, width and depth of the duct
#define POOL    8          // cells, width of the pool
#define WALL    4          // cells between them; the fabric reaches two cells into walls
#define REACH   2
#define GAP     1.0        // cm, height of the way below the wall
#define SHEET   1.6        // cm, height of the fabric
#define LEVEL   2.0        // cm, of the pool at the start
#define HEAD    5.0        // cm, at the start
#define SETTLE  0.05       // s, until the column of liquid flows steadily and lies evenly
#define BUNDLE  0.25       // radius of standing yarn in spacings

typedef struct permeameter {
    const char *what;
    double      cell, dt, seconds;
    bool        yarn, published;
} permeameter;

static mn_fabric_material fabric_of(const permeameter *p)
{
    mn_fabric_material m = mn_wet_sample_f0();
    m.darcy_published = p->published;
    m.capture         = 0.0;               // the pores hold nothing and suck nothing: the drag alone is looked at
    m.contact_angle   = 0.5 * MN_PI;
    m.vary_porosity   = false;
    if (p->yarn) m.radius = BUNDLE * 0.5 * p->cell;
    return m;
}

/// Yarns stand side by side: as much bulk volume over the cross-section as the sheet has.
static mn_status standing_yarn(mn_context *c, const permeameter *p, mn_fabric_mesh *mesh)
{
    mn_fabric_builder b = { .context = c };
    const double      spacing = 0.5 * p->cell, radius = BUNDLE * spacing, thickness = mn_wet_sample_f0().thickness;
    const double      length = thickness * spacing * spacing / (MN_PI * radius * radius);
    const int         count = 2 * (DUCT + 2 * REACH);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            mn_build_strand_begin(&b, radius);
            for (int n = -1; n <= 1; n++) {
                const mn_vec3 x = mn_v3((i + 0.5 - 0.5 * count) * spacing, 0.5 * n * length, (k + 0.5 - 0.5 * count) * spacing);
                mn_build_strand_add(&b, mn_build_vertex(&b, x));
            }
            mn_build_strand_end(&b, false);
        }
    mn_build_group_all(&b);
    return mn_build_finish(&b, mesh);
}

static mn_status seal(mn_context *c, const permeameter *p, mn_world *w)
{
    const double       width = (DUCT + 2 * REACH) * p->cell;
    const mn_cloth_def sheet = { .outline = MN_CLOTH_RECTANGLE, .size = { width, width }, .spacing = 0.5 * p->cell, .mesh = MN_CLOTH_STRUCTURED };
    mn_fabric_def      def   = mn_fabric_def_default();
    mn_pin_def         pin   = mn_pin_def_default();
    mn_fabric_mesh     mesh;
    mn_object_id       id;
    MN_TRY(p->yarn ? standing_yarn(c, p, &mesh) : mn_cloth_generate(c, &sheet, &mesh));
    snprintf(def.name, sizeof def.name, "seal");
    snprintf(pin.group, sizeof pin.group, "all");
    def.mesh     = &mesh;
    def.material = fabric_of(p);
    def.at[0] = def.at[2] = 0.5 * DUCT * p->cell;
    def.at[1]    = SHEET;
    def.pins     = &pin, def.pin_count = 1;
    const mn_status status = mn_world_add_fabric(w, &def, &id);
    mn_fabric_mesh_free(c, &mesh);
    return status;
}

static mn_status box_between(mn_context *c, double left, double right, double low, double high, double depth, mn_shape **out)
{
    mn_shape_def box = mn_shape_def_default(MN_SHAPE_BOX);
    box.size[0] = right - left, box.size[1] = high - low, box.size[2] = depth;
    box.center[0] = 0.5 * (left + right), box.center[1] = 0.5 * (low + high);
    return mn_shape_create(c, &box, out);
}

static mn_status pour(mn_context *c, mn_world *w, double left, double right, double low, double high, double depth)
{
    mn_liquid_def water = mn_liquid_def_default();
    mn_object_id  id;
    water.material = mn_wet_sample_water();
    water.at[2]    = 0.5 * depth;
    MN_TRY(box_between(c, left, right, low, high, depth, &water.shape));
    const mn_status status = mn_world_add_liquid(w, &water, &id);
    mn_shape_release(&water.shape);
    return status;
}

static mn_status build(mn_context *c, const permeameter *p, mn_world **out)
{
    const double    cell = p->cell, duct = DUCT * cell, pool = (DUCT + WALL) * cell, end = (DUCT + WALL + POOL) * cell, top = LEVEL + HEAD + 2.0 * cell;
    mn_world_def    def = mn_world_def_default();
    mn_obstacle_def wall = mn_obstacle_def_default();
    mn_object_id    id;
    def.domain.cell         = cell;
    def.domain.bounded      = true;
    def.domain.bounds[1][0] = end, def.domain.bounds[1][1] = top, def.domain.bounds[1][2] = duct;
    def.time.dt_max         = p->dt;
    MN_TRY(mn_world_create(c, &def, out));
    mn_world *w = *out;
    MN_TRY(box_between(c, duct, pool, GAP, top + GAP, 4.0 * duct, &wall.shape));
    mn_status status = mn_world_add_obstacle(w, &wall, &id);
    mn_shape_release(&wall.shape);
    if (status == MN_OK) status = pour(c, w, 0.0, duct, 0.0, LEVEL + HEAD, duct);
    if (status == MN_OK) status = pour(c, w, duct, pool, 0.0, GAP, duct);
    if (status == MN_OK) status = pour(c, w, pool, end, 0.0, LEVEL, duct);
    return status == MN_OK ? seal(c, p, w) : status;
}

/// Level of the duct less that of the pool, both as volume over cross-section. A particle counts as half a cell high, so that
/// a layer that passes the fabric does so gradually; the fibre above the middle of the fabric lifts the level.
static double head_of(const mn_world *w, const permeameter *p)
{
    const mn_liquid_view q = mn_world_liquid(w);
    const double         pool = (DUCT + WALL) * p->cell, area = DUCT * DUCT * p->cell * p->cell;
    double               above = 0.0, beside = 0.0;
    for (int64_t i = 0; i < q.count; i++) {
        if (q.position.x[i] > pool) beside += q.volume[i];
        if (q.position.x[i] < 0.5 * (DUCT * p->cell + pool)) above += q.volume[i] * fmin(1.0, fmax(0.0, 0.5 + (q.position.y[i] - SHEET) / (0.5 * p->cell)));
    }
    const mn_fabric_material f0 = mn_wet_sample_f0();
    return SHEET + above / area + 0.5 * f0.thickness * f0.solid_fraction - beside / (area * POOL / DUCT);
}

/// Least squares of ln(head) over time.
static mn_status drain(mn_context *c, mn_world *w, const permeameter *p, double *tau)
{
    const int steps = (int)ceil(p->seconds / p->dt), settled = (int)(SETTLE / p->dt);
    double    n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (int k = 1; k <= steps; k++) {
        mn_mixture        m;
        mn_mixture_report report;
        MN_TRY(mn_sealed_solve(w, p->dt, &m, &report));
        MN_TRY(mn_sealed_move(w, p->dt));
        const double head = head_of(w, p), t = mn_world_time(w);
        if (k < settled) continue;
        n += 1.0, x += t, y += log(head), xx += t * t, xy += t * log(head);
        if (k % 50 == 0) mn_log(c, MN_LOG_DEBUG, "permeameter", "%s: head %.6f cm at %.4f s", p->what, head, t);
    }
    *tau = -(1.0 + (double)DUCT / POOL) * (n * xx - x * x) / (n * xy - x * y);
    return MN_OK;
}

/// Darcy's law of the fabric, s; as published each face has its own solid fraction, w L phi_0 / cell with the weight w of the
/// kernel, and lets through (1 - phi_i)^2 of that.
static double expected_tau(const permeameter *p)
{
    const mn_fabric_material f0 = mn_wet_sample_f0();
    const mn_liquid_material water = mn_wet_sample_water();
    const mn_pore_law        law = mn_pore_law_of(&f0, &water);
    const mn_pore_drag       drag = p->yarn ? mn_pore_drag_along(&law, f0.solid_fraction) : mn_pore_drag_across(&law, f0.solid_fraction);
    const double             tau = drag.linear * f0.thickness / (water.density * 981.0);
    if (!p->published) return tau;
    double scale = 0.0;
    for (int face = (int)(SHEET / p->cell) - 2; face < SHEET / p->cell + 2.0; face++) {
        const double r = fabs(SHEET / p->cell - face), weight = r < 0.5 ? 0.75 - r * r : r < 1.5 ? 0.5 * (1.5 - r) * (1.5 - r) : 0.0;
        const double left = 1.0 - weight * f0.solid_fraction * f0.thickness / p->cell;
        scale += weight / (left * left);
    }
    return tau * scale;
}

static mn_status run(mn_context *c, const permeameter *p, double *tau)
{
    mn_world *w      = NULL;
    mn_status status = build(c, p, &w);
    if (status == MN_OK) status = drain(c, w, p, tau);
    mn_world_destroy(&w);
    return status;
}

mn_status mn_a1_permeameter(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const double      seconds = tier == MN_TIER_BUILD ? 0.3 : 1.0;
    const permeameter cases[] = {
        { "through a sheet, cells of 2.5 mm", 0.25, 2e-3, seconds, false, false },
        { "through a sheet, cells of 1.25 mm", 0.125, 2e-3, seconds, false, false },
        { "along standing yarn, cells of 2.5 mm", 0.25, 2e-3, seconds, true, false },
        { "published drag, cells of 2.5 mm", 0.25, 2e-3, seconds, false, true },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char   text[96];
        double tau;
        MN_TRY(run(c, &cases[k], &tau));
        snprintf(text, sizeof text, "%s: time in which the head falls by e, s", cases[k].what);
        mn_verify_value(r, text, tau, expected_tau(&cases[k]), tau / expected_tau(&cases[k]) - 1.0, 0.01, 0.03);
    }
    return MN_OK;
}
