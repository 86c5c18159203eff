// SPDX-License-Identifier: MPL-2.0
// verify/fabric/a1_budget.c - A1.9: where the liquid is. A wet and a dry sheet under a jet, with a sink below and
// drying on the way.
#include "verify/fabric/a1.h"
#include "verify/fabric/wet_sample.h"

#include "world/world.h"

#include <stdio.h>

#define CELL   0.25
#define BOX    4.0  // cm
#define DT     1e-3
#define SOURCE 8.0  // cm^3/s

/// Of liquid and fabric together, in extended precision: what differs between two of them is not their own rounding.
typedef struct sums {
    long double volume, momentum[3], magnitude;
} sums;

/// Before the exchange of the step under way.
typedef struct eve {
    sums    all;
    double  held;
    int64_t next_id;
} eve;

typedef struct budget {
    eve    eve;
    double error;                       // of the ledger, worst of all steps
    double volume, momentum;            // of the exchange of a step, worst, as shares
    double captured, dripped;           // cm^3, in all
    double held_least, held_most;       // cm^3, by the fabric
    double added, removed, evaporated;  // cm^3
    double moved;                       // cm^3, farthest the saturated sheet is from its even start
} budget;

static mn_status make_shape(mn_context *c, double x, double y, double z, mn_shape **out)
{
    mn_shape_def box = mn_shape_def_default(MN_SHAPE_BOX);
    box.size[0] = x, box.size[1] = y, box.size[2] = z;
    return mn_shape_create(c, &box, out);
}

static mn_status add_liquid(mn_context *c, mn_world *w, mn_liquid_def *def, const double size[3], const double at[3])
{
    def->material = mn_wet_sample_water();
    for (int a = 0; a < 3; a++) def->at[a] = at[a];
    MN_TRY(make_shape(c, size[0], size[1], size[2], &def->shape));
    const mn_status status = mn_world_add_liquid(w, def);
    mn_shape_release(&def->shape);
    return status;
}

/// A pool on the floor, a lump that falls into it and on the sheets, a jet, a sink in a corner.
static mn_status add_liquids(mn_context *c, mn_world *w)
{
    mn_liquid_def pool = mn_liquid_def_default(), lump = pool, jet = pool, drain = pool;
    snprintf(jet.name, sizeof jet.name, "jet");
    snprintf(drain.name, sizeof drain.name, "drain");
    lump.velocity[1] = -80.0;
    jet.role         = MN_LIQUID_SOURCE;
    jet.velocity[1]  = -40.0;
    jet.rate         = SOURCE;
    drain.role       = MN_LIQUID_SINK;
    MN_TRY(add_liquid(c, w, &pool, (double[3]){ BOX, 0.5, BOX }, (double[3]){ 0.5 * BOX, 0.25, 0.5 * BOX }));
    MN_TRY(add_liquid(c, w, &lump, (double[3]){ 1.0, 0.5, 1.0 }, (double[3]){ 1.5, 3.0, 2.0 }));
    MN_TRY(add_liquid(c, w, &jet, (double[3]){ 0.5, 0.25, 0.5 }, (double[3]){ 2.5, 3.5, 2.0 }));
    return add_liquid(c, w, &drain, (double[3]){ 1.0, 0.5, 1.0 }, (double[3]){ BOX - 0.5, 0.25, BOX - 0.5 });
}

/// Tilted, held along its upper side; it dries. Coarse fibres let the liquid run down in it, and drip.
static mn_status hang(mn_context *c, mn_world *w, const char *name, const double at[2], double angle, double saturation)
{
    const mn_cloth_def sheet = { .outline = MN_CLOTH_RECTANGLE,
                                 .size    = { 2.0, 1.5 },
                                 .spacing = 0.5 * CELL,
                                 .mesh    = MN_CLOTH_STRUCTURED };
    mn_fabric_def      def   = mn_fabric_def_default();
    mn_pin_def         pin   = mn_pin_def_default();
    mn_thin_mesh       mesh;
    MN_TRY(mn_cloth_generate(c, &sheet, &mesh));
    double   *wet    = mn_alloc_array(c, double, mesh.vertex_count);
    mn_status status = wet != NULL ? MN_OK : MN_ERR_MEMORY;
    for (int64_t v = 0; v < mesh.vertex_count && status == MN_OK; v++) wet[v] = saturation;
    snprintf(def.name, sizeof def.name, "%s", name);
    snprintf(pin.group, sizeof pin.group, "right");
    def.mesh    = &mesh;
    def.axis[0] = def.axis[1] = 0.0, def.axis[2] = 1.0;
    def.angle                   = angle;
    def.material.thickness      = 0.1;
    def.material.fiber_diameter = 0.03;
    def.at[0] = at[0], def.at[1] = at[1], def.at[2] = 0.5 * BOX;
    def.saturation  = wet;
    def.evaporation = 1e-3;
    def.pins = &pin, def.pin_count = 1;
    if (status == MN_OK) status = mn_world_add_fabric(w, &def);
    mn_free(c, wet);
    mn_thin_mesh_free(c, &mesh);
    return status;
}

static sums sum_of(mn_world *w)
{
    const mn_liquid_particles *p   = mn_liquid_now(&w->liquid);
    const mn_fabric           *q   = &w->fabric;
    const long double          rho = w->liquid.model.material.density;
    sums                       s   = { .volume = 0.0L };
    for (int64_t i = 0; i < p->count; i++) {
        s.volume += p->volume[0][i];
        for (int a = 0; a < 3; a++) {
            const long double m = rho * p->volume[0][i] * p->velocity[a][i];
            s.momentum[a] += m, s.magnitude += fabsl(m);
        }
    }
    for (int64_t v = 0; v < q->vertices.count; v++) {
        s.volume += q->vertices.held[0][v];
        for (int a = 0; a < 3; a++) {
            const long double m = (q->mass[v] + rho * q->vertices.held[0][v]) * q->vertices.velocity[a][v];
            s.momentum[a] += m, s.magnitude += fabsl(m);
        }
    }
    return s;
}

static void compare(const sums *a, const sums *b, budget *out)
{
    out->volume = fmax(out->volume, (double)fabsl((b->volume - a->volume) / a->volume));
    for (int k = 0; k < 3; k++)
        out->momentum = fmax(out->momentum, (double)(fabsl(b->momentum[k] - a->momentum[k]) / a->magnitude));
}

static double held_by(const mn_fabric *q)
{
    double sum = 0.0;
    for (int64_t v = 0; v < q->vertices.count; v++) sum += q->vertices.held[0][v];
    return sum;
}

/// Capture and dripping of a step: what was there before and after. Drops are what has new numbers.
static void watch(mn_world *w, mn_stage stage, mn_step_verdict *verdict, void *context)
{
    budget *out = context;
    (void)verdict;
    if (stage == MN_STAGE_move)
        out->eve = (eve){ .all = sum_of(w), .held = held_by(&w->fabric), .next_id = w->now.next_id };
    if (stage != MN_STAGE_exchange) return;
    const sums                 after   = sum_of(w);
    const mn_liquid_particles *p       = mn_liquid_now(&w->liquid);
    double                     dripped = 0.0;
    for (int64_t i = 0; i < p->count; i++)
        if (p->id[0][i] >= out->eve.next_id) dripped += p->volume[0][i];
    compare(&out->eve.all, &after, out);
    out->dripped += dripped;
    out->captured += held_by(&w->fabric) - out->eve.held + dripped;
}

/// How much liquid has gone from one part of the saturated sheet to others.
static double unevenness(const mn_world *w)
{
    const mn_fabric_view f   = mn_world_fabric(w, 0);
    double               sum = 0.0;
    for (int64_t v = 0; v < f.position.count; v++) sum += fabs(f.held[v] - (f.bulk[v] * f.swelling[v] - f.fiber[v]));
    return sum;
}

static mn_status run(mn_world *w, int steps, budget *out)
{
    *out     = (budget){ .held_least = INFINITY };
    w->watch = watch, w->watch_context = out;
    for (int k = 1; k <= steps; k++) {
        const double until = k * DT;
        while (mn_world_time(w) < until) MN_TRY(mn_world_step(w, until));
        const mn_ledger l = mn_world_ledger(w);
        out->error        = fmax(out->error, fabs(l.liquid_error));
        out->held_least   = fmin(out->held_least, l.liquid_fabric);
        out->held_most    = fmax(out->held_most, l.liquid_fabric);
        out->added = l.liquid_added, out->removed = l.liquid_removed, out->evaporated = l.liquid_evaporated;
        out->moved = fmax(out->moved, unevenness(w));
    }
    return MN_OK;
}

mn_status mn_a1_budget(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int    steps = tier == MN_TIER_BUILD ? 140 : 1000;
    mn_world_def def   = mn_world_def_default();
    mn_world    *w     = NULL;
    budget       b     = { .error = 0.0 };
    def.domain.cell    = CELL;
    def.domain.bounded = true;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = BOX;
    def.time.dt_max  = DT;
    mn_status status = mn_world_create(c, &def, &w);
    if (status == MN_OK) status = add_liquids(c, w);
    if (status == MN_OK) status = hang(c, w, "wet", (double[2]){ 1.2, 1.7 }, 1.0, 1.0);
    if (status == MN_OK) status = hang(c, w, "dry", (double[2]){ 2.7, 2.2 }, 0.3, 0.0);
    if (status == MN_OK) status = run(w, steps, &b);
    mn_world_destroy(&w);
    if (status != MN_OK) return status;
    mn_verify_at_most(r, "liquid budget, worst step, as a share", b.error, 1e-12, 1e-12);
    mn_verify_at_most(r, "volume that capture and drips of a step make or lose, as a share", b.volume, 1e-12, 1e-12);
    mn_verify_at_most(r, "momentum that capture and drips of a step make or lose, as a share", b.momentum, 1e-12,
                      1e-12);
    mn_verify_at_least(r, "... in which fabric took in, cm^3", b.captured, 1e-3, 1e-6);
    mn_verify_at_least(r, "... and dripped, cm^3", b.dripped, 1e-3, 1e-6);
    mn_verify_at_least(r, "range of what fabric held, cm^3", b.held_most - b.held_least, 1e-3, 1e-6);
    mn_verify_at_least(r, "liquid that went elsewhere in the wet sheet, cm^3", b.moved, 1e-3, 1e-6);
    mn_verify_at_least(r, "let in by the source, cm^3", b.added, 0.5, 1e-3);
    mn_verify_at_least(r, "taken out by the sink, cm^3", b.removed, 0.1, 1e-3);
    mn_verify_at_least(r, "dried off, cm^3", b.evaporated, 1e-5, 1e-9);
    return MN_OK;
}
