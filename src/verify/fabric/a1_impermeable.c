// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_impermeable.c - A1.8: fabric whose drag is so large that it is a wall without slip; a piston and a
// sheet that is hit.
//
// The drag ties liquid and fabric face by face. A piston with liquid on both sides has one velocity on all its faces,
// and slip is measured against that of the face itself. A sheet with air behind it is spread over faces of which some
// are dry, and only their mean is the velocity of the sheet: single faces may stand still, and slip is measured against
// the speed of the sheet. Liquid may rest a part of a cell behind its middle; what has come through would fall farther.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_world.h"
#include "verify/liquid/tube.h"
#include "verify/thin/sheet.h"

#include "couple/mixture.h"

#include <stdio.h>

#define PUSH   10.0  // cm/s, of the piston
#define TIED   1e-8  // 1 - P of faces where liquid and fabric must be one
#define DT     1e-3
#define SIDE   3.0  // cm, of the sheet that is hit
#define MIDDLE 1.2  // cm from its centre: away from the rim
#define REACH  0.2  // cm, above which no part of the sheet comes: what is higher is not behind it
#define BEHIND 0.5  // cells, from which on liquid counts as having come through
#define LAYERS 64

/// What the faces showed, worst of all steps.
typedef struct wall_result {
    double  leak;       // flux through the piston over what it sweeps
    double  own_slip;   // |u_f - u_s| / |u_s| of each face along y with P > 1 - TIED
    double  slip;       // |u_f - u_s| of all faces with P > 1 - TIED over the speed of the fabric
    double  depth;      // cells, of the liquid farthest behind the sheet in any step
    int64_t behind;     // most particles in a step that are more than half a cell behind it
    int64_t tied;       // least number of such faces in a step
    int     cycles;     // most in a step
    double  step_slip;  // cm/s, largest of the last step
} wall_result;

/// The impermeable cloth of wet-fabric 8.
static mn_fabric_material closed_fabric(void)
{
    mn_fabric_material m = mn_fabric_material_default();
    m.solid_fraction     = 0.99;
    m.fiber_diameter     = 0.001;
    m.contact_angle      = 0.5 * MN_PI;
    return m;
}

// --- what is looked at
// ----------------------------------------------------------------------------------------------------

/// Returns the largest slip, cm/s.
static double look_at_slip(const mn_world *w, const mn_mixture *m, wall_result *r)
{
    double  worst = 0.0;
    int64_t tied  = 0;
    for (int32_t i = 0; i < m->count; i++) {
        if (m->liquid_mass[i] == 0.0 || m->liquid_mass[i] > TIED * (m->liquid_mass[i] + m->drag[i])) continue;
        const int    a   = mn_mixture_axis(m, i);
        const double u_s = w->fabric.step.velocity[i], slip = fabs(w->liquid.grid.velocity[a][m->place[i]] - u_s);
        worst = fmax(worst, slip);
        if (a == 1) r->own_slip = fmax(r->own_slip, slip / fabs(u_s));
        tied++;
    }
    r->tied = tied < r->tied ? tied : r->tied;
    return worst;
}

/// The same goes through every layer of faces of the piston; the layer with the most drag knows it best.
static void look_at_leak(const mn_world *w, const mn_mixture *m, wall_result *r)
{
    const int32_t  *start           = w->fabric.step.faces.axis_start;
    const mn_tiles *t               = &w->liquid.grid.tiles;
    double          through[LAYERS] = { 0.0 }, drag[LAYERS] = { 0.0 };
    int             closest = 0;
    for (int32_t i = start[1]; i < start[2]; i++) {
        if (m->liquid_volume[i] == 0.0) continue;
        const int layer = (t->coord[m->place[i] / t->cells].y * MN_TILE +
                           (int)(m->place[i] % t->cells / MN_TILE % MN_TILE)) %
                          LAYERS;
        through[layer] += m->liquid_volume[i] / w->grid.cell *
                          (w->liquid.grid.velocity[1][m->place[i]] - w->fabric.step.velocity[i]);
        drag[layer] += m->drag[i];
    }
    for (int k = 1; k < LAYERS; k++)
        if (drag[k] > drag[closest]) closest = k;
    const double area = MN_TUBE_DUCT * MN_TUBE_DUCT * w->grid.cell * w->grid.cell;
    r->leak           = fmax(r->leak, fabs(through[closest]) / (area * PUSH));
}

/// Away from the rim of a sheet about the origin.
static void look_behind(const mn_world *w, wall_result *r)
{
    const mn_liquid_view p      = mn_world_liquid(w);
    const mn_fabric_view f      = mn_world_fabric(w, 0);
    int64_t              behind = 0;
    for (int64_t i = 0; i < p.count; i++) {
        const double x = p.position.x[i], z = p.position.z[i];
        if (fabs(x) >= MIDDLE || fabs(z) >= MIDDLE || p.position.y[i] > REACH) continue;
        const double depth = (mn_sheet_height(&f, x, z) - p.position.y[i]) / w->grid.cell;
        r->depth           = fmax(r->depth, depth);
        behind += depth > BEHIND;
    }
    r->behind = behind > r->behind ? behind : r->behind;
}

// --- runs
// -----------------------------------------------------------------------------------------------------------------

/// What is only there within a step: velocities on the faces, once they are solved.
static void watch(mn_world *w, mn_stage stage, mn_step_verdict *verdict, void *context)
{
    wall_result *r = context;
    (void)verdict;
    if (stage != MN_STAGE_coupled_solve || !w->mixture->meets) return;
    r->step_slip = look_at_slip(w, w->mixture, r);
    look_at_leak(w, w->mixture, r);
}

static mn_status run_steps(mn_world *w, int steps, bool sheet, wall_result *r)
{
    *r       = (wall_result){ .tied = INT64_MAX };
    w->watch = watch, w->watch_context = r;
    for (int k = 1; k <= steps; k++) {
        mn_world_end_frame(w);
        MN_TRY(mn_wet_world_run(w, k * DT));
        const mn_ledger l = mn_world_ledger(w);
        r->cycles         = l.pressure_iterations > r->cycles ? (int)l.pressure_iterations : r->cycles;
        r->slip           = fmax(r->slip, r->step_slip / mn_fabric_max_speed(&w->fabric));
        if (sheet) look_behind(w, r);
    }
    return MN_OK;
}

static mn_status run_piston(mn_context *c, const mn_fabric_material *material, int steps, wall_result *r)
{
    const mn_tube t = { .cell = 0.2, .head = 1.0, .push = PUSH, .material = *material };
    mn_thin_mesh  mesh;
    mn_world     *w = NULL;
    MN_TRY(mn_tube_sheet(c, &t, &mesh));
    mn_status status = mn_tube_make(c, &t, &mesh, &w);
    mn_thin_mesh_free(c, &mesh);
    if (status == MN_OK) status = run_steps(w, steps, false, r);
    mn_world_destroy(&w);
    return status;
}

static mn_status pour_ball(mn_context *c, mn_world *w)
{
    mn_shape_def  ball  = mn_shape_def_default(MN_SHAPE_SPHERE);
    mn_liquid_def water = mn_liquid_def_default();
    ball.radius[0]      = 0.5;
    water.material      = mn_wet_sample_water();
    water.at[1]         = 0.7;
    water.velocity[1]   = -60.0;
    MN_TRY(mn_shape_create(c, &ball, &water.shape));
    const mn_status status = mn_world_add_liquid(w, &water);
    mn_shape_release(&water.shape);
    return status;
}

/// A sheet held at its corners.
static mn_status hang_sheet(mn_context *c, mn_world *w)
{
    const mn_cloth_def sheet = { .outline = MN_CLOTH_RECTANGLE,
                                 .size    = { SIDE, SIDE },
                                 .spacing = 0.1,
                                 .mesh    = MN_CLOTH_STRUCTURED };
    mn_fabric_def      def   = mn_fabric_def_default();
    mn_pin_def         pin   = mn_pin_def_default();
    mn_thin_mesh       mesh;
    MN_TRY(mn_cloth_generate(c, &sheet, &mesh));
    snprintf(def.name, sizeof def.name, "sheet");
    snprintf(pin.group, sizeof pin.group, "corners");
    def.mesh     = &mesh;
    def.material = closed_fabric();
    def.pins = &pin, def.pin_count = 1;
    const mn_status status = mn_world_add_fabric(w, &def);
    mn_thin_mesh_free(c, &mesh);
    return status;
}

/// Solved together, or by the split, whose liquid then follows the velocity that the sheet gets (`drag_future` of
/// wet-fabric 5.10).
static mn_status run_impact(mn_context *c, mn_mixture_way way, int steps, wall_result *r)
{
    mn_world_def def   = mn_world_def_default();
    mn_world    *w     = NULL;
    def.domain.cell    = 0.2;
    def.solver.mixture = way;
    mn_status status   = mn_world_create(c, &def, &w);
    if (status == MN_OK) status = pour_ball(c, w);
    if (status == MN_OK) status = hang_sheet(c, w);
    if (status == MN_OK) status = run_steps(w, steps, true, r);
    mn_world_destroy(&w);
    return status;
}

mn_status mn_a1_impermeable(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int                steps  = tier == MN_TIER_BUILD ? 50 : 100;
    const mn_fabric_material closed = closed_fabric(), open = mn_fabric_material_default();
    const mn_liquid_material water = mn_wet_sample_water();
    const mn_pore_law        law   = mn_pore_law_of(&closed, &water);
    wall_result              piston, porous, impact;
    mn_verify_library(r, true);
    mn_verify_at_least(r, "drag of the fabric, g/(cm^3 s)", mn_pore_drag_across(&law, closed.solid_fraction).linear,
                       1e12, 1e12);
    mn_verify_library(r, false);
    MN_TRY(run_piston(c, &closed, steps, &piston));
    mn_verify_at_most(r, "piston: flux through it over the flux it sweeps, worst step", piston.leak, 1e-6, 1e-6);
    mn_verify_at_least(r, "piston: faces with P > 1 - 1e-8, least of all steps", (double)piston.tied, 16.0, 16.0);
    mn_verify_at_most(r, "piston: |u_f - u_s| / |u_s| on those across it, worst face and step", piston.own_slip, 1e-6,
                      1e-6);
    mn_verify_at_most(r, "piston: most V-cycles of a step", (double)piston.cycles, 60.0, 200.0);
    MN_TRY(run_piston(c, &open, steps, &porous));
    mn_verify_at_most(r, "piston: most V-cycles of a step over those of common cloth",
                      (double)piston.cycles / porous.cycles, 2.0, 4.0);
    for (int split = 0; split < 2; split++) {
        const char *how = split == 1 ? ", split" : "";
        char        text[4][128];
        snprintf(text[0], sizeof text[0],
                 "ball on a sheet%s: |u_f - u_s| over the speed of the sheet, worst face and step", how);
        snprintf(text[1], sizeof text[1],
                 "ball on a sheet%s: particles behind it by half a cell, away from the rim, worst step", how);
        snprintf(text[2], sizeof text[2],
                 "ball on a sheet%s: liquid farthest behind its middle, away from the rim, cells", how);
        snprintf(text[3], sizeof text[3], "ball on a sheet%s: most V-cycles of a step", how);
        MN_TRY(run_impact(c, split == 1 ? MN_MIXTURE_SPLIT : MN_MIXTURE_AUTO, steps, &impact));
        mn_verify_at_most(r, text[0], impact.slip, 1e-6, 1e-6);
        mn_verify_at_most(r, text[1], (double)impact.behind, 0.0, 0.0);
        mn_verify_at_most(r, text[2], impact.depth, 0.25, 0.5);
        mn_verify_at_most(r, text[3], (double)impact.cycles, 60.0, 200.0);
    }
    return MN_OK;
}
