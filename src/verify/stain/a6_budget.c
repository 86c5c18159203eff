// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_budget.c - A6.9: where liquid and pigments are, on a cloth that is shaken and stretched.
#include "verify/stain/a6_stain.h"

#include "stain/film.h"
#include "verify/stain/stain_world.h"
#include "world/world.h"

#include <stdio.h>

#define SIDE    9.6
#define SPACING 0.8

static mn_pin_def pin_of(const char *group)
{
    mn_pin_def p = mn_pin_def_default();
    snprintf(p.group, sizeof p.group, "%s", group);
    return p;
}

/// A soft cloth in a wind, held along one side, which is shaken, or along two, one of which is drawn away.
static mn_status hang(mn_context *c, bool drawn, mn_world **out)
{
    const mn_cloth_def sheet = { .outline = MN_CLOTH_RECTANGLE, .size = { SIDE, SIDE }, .spacing = SPACING };
    mn_world_def       def   = mn_world_def_default();
    mn_fabric_def      cloth = mn_fabric_def_default();
    mn_pin_def         pin[] = { pin_of("left"), pin_of("right") };
    mn_thin_mesh       mesh;
    mn_status          st = mn_cloth_generate(c, &sheet, &mesh);
    MN_TRY(st);
    def.domain.cell               = 1.2;
    def.domain.gravity[1]         = drawn ? 0.0 : -981.0;
    def.time.dt_max               = 0.01;
    def.wind.velocity[2]          = drawn ? 0.0 : 300.0;
    def.wind.gust                 = 0.5;
    def.wind.density              = drawn ? 0.0 : 1.2e-3;
    cloth.mesh                    = &mesh;
    cloth.material.youngs_modulus = 2e5;
    cloth.pins = pin, cloth.pin_count = drawn ? 2 : 1;
    snprintf(cloth.name, sizeof cloth.name, "cloth");
    if (drawn) pin[1].motion.velocity[0] = 3.0;
    else pin[0].motion.amplitude[1] = 1.0, pin[0].motion.frequency = 2.0;
    st = mn_world_create(c, &def, out);
    if (st == MN_OK) st = mn_world_add_fabric(*out, &cloth);
    if (st != MN_OK) mn_world_destroy(out);
    mn_thin_mesh_free(c, &mesh);
    return st;
}

/// Two pigments, one of which sticks: a drop, and a source that feeds on.
static mn_status stain(mn_context *c, mn_world *w)
{
    mn_pigment   pigment[2] = { mn_pigment_default(), mn_pigment_default() };
    mn_stain_def def        = mn_stain_def_default();
    mn_drops     drops      = { 0 };
    snprintf(def.name, sizeof def.name, "spot");
    snprintf(def.on, sizeof def.on, "cloth");
    snprintf(pigment[0].name, sizeof pigment[0].name, "ink");
    snprintf(pigment[1].name, sizeof pigment[1].name, "dye");
    pigment[1].adsorption = MN_ADSORPTION_LANGMUIR;
    pigment[1].capacity = 0.01, pigment[1].rate = 1.0, pigment[1].release = 0.1;
    def.pigments = pigment, def.pigment_count = 2;
    def.spread = 0.3, def.drag = 5.0, def.evaporation = 2e-3;
    mn_status st = mn_drops_make(c, 2, &drops);
    for (int k = 0; k < 2 && st == MN_OK; k++) {
        mn_stain_drop *d = mn_drops_add(c, &drops, mn_v3(k == 0 ? 0.0 : -2.0, 0.0, 0.0), k == 0 ? 3.0 : 1.0);
        if (d == NULL) st = MN_ERR_MEMORY;
        if (d == NULL) break;
        d->density  = k == 0 ? 0.05 : 0.02;
        d->share[0] = 0.2, d->share[1] = 0.3;
        d->source = k == 1;
    }
    mn_stain_def_pour(&def, &drops);
    if (st == MN_OK) st = mn_world_add_stain(w, &def);
    mn_drops_free(c, &drops);
    return st;
}

/// Area of each vertex as the cloth is now.
static void true_areas(const mn_stain_view *s, double *area)
{
    for (int64_t v = 0; v < s->vertex_count; v++) area[v] = 0.0;
    for (int64_t t = 0; t < s->triangle_count; t++) {
        const int32_t *v = s->triangle[t];
        const mn_vec3  a = mn_v3_from(s->position[v[0]]), b = mn_v3_from(s->position[v[1]]),
                      d    = mn_v3_from(s->position[v[2]]);
        const double share = mn_norm3(mn_cross3(mn_sub3(b, a), mn_sub3(d, a))) / 6.0;
        for (int k = 0; k < 3; k++) area[v[k]] += share;
    }
}

typedef struct worst {
    double liquid, solute, least, strain, fed;
} worst;

static mn_status shake(mn_world *w, int steps, worst *out)
{
    double first = 0.0;
    *out         = (worst){ .least = INFINITY };
    for (int k = 1; k <= steps; k++) {
        MN_TRY(mn_run_to(w, 0.01 * k));
        const mn_ledger     l = mn_world_ledger(w);
        const mn_stain_view s = mn_world_stain(w, 0);
        double              m = 0.0;
        out->liquid           = fmax(out->liquid, fabs(l.liquid_error));
        out->solute           = fmax(out->solute, fabs(l.solute_error));
        for (int64_t v = 0; v < s.vertex_count; v++) {
            out->least = fmin(out->least, fmin(s.free[v], s.held[v]));
            for (int p = 0; p < 2; p++)
                out->least = fmin(out->least,
                                  fmin(fmin(s.dissolved[p][v], s.soaked[p][v]), fmin(s.adsorbed[p][v], s.dried[p][v])));
            m += s.area[v];
        }
        if (first == 0.0) first = m;
        out->strain = fmax(out->strain, fabs(m / first - 1.0));
        out->fed    = l.solute_added;
    }
    return MN_OK;
}

/// Liquid that stays where it is on a cloth that is drawn out: its density falls as areas grow.
static mn_status draw(mn_context *c, mn_verify_report *r)
{
    mn_world    *w    = NULL;
    mn_stain_def def  = mn_stain_def_idle();
    mn_drops     all  = { 0 };
    mn_status    st   = hang(c, true, &w);
    double      *area = NULL, *before = NULL, off = 0.0, most = 0.0;
    snprintf(def.on, sizeof def.on, "cloth");
    if (st == MN_OK) st = mn_drops_make(c, 1, &all);
    mn_stain_drop *d = st == MN_OK ? mn_drops_add(c, &all, mn_v3(0.0, 0.0, 0.0), 2.0 * SIDE) : NULL;
    if (st == MN_OK && d == NULL) st = MN_ERR_MEMORY;
    if (d != NULL) d->density = 0.02;
    mn_stain_def_pour(&def, &all);
    if (st == MN_OK) st = mn_world_add_stain(w, &def);
    mn_drops_free(c, &all);
    if (st == MN_OK) {
        const int64_t n = mn_world_stain(w, 0).vertex_count;
        area = mn_alloc_array(c, double, n), before = mn_alloc_array(c, double, n);
        if (area == NULL || before == NULL) st = MN_ERR_MEMORY;
    }
    if (st == MN_OK) {
        mn_stain_view s = mn_world_stain(w, 0);
        true_areas(&s, before);
        st = mn_run_to(w, 1.0);
        s  = mn_world_stain(w, 0);
        true_areas(&s, area);
        for (int64_t v = 0; v < s.vertex_count; v++) {
            const double stretch = area[v] / before[v], density = s.free[v] / s.area[v];
            off  = fmax(off, fabs(density * stretch / 0.02 - 1.0));
            most = fmax(most, stretch);
        }
        mn_verify_at_least(r, "cloth drawn out: largest stretch of the area of a vertex", most, 1.1, 1.1);
        mn_verify_at_most(r, "... density times stretch, largest error (edges are measured anew at 1 %)", off, 0.02,
                          0.02);
    }
    mn_free(c, area);
    mn_free(c, before);
    mn_world_destroy(&w);
    return st;
}

/// The film alone: a stretch that it is told of.
static mn_status stretch_exactly(mn_context *c, mn_verify_report *r)
{
    const mn_stain_square_def square = { .nx        = 13,
                                         .ny        = 13,
                                         .spacing   = 0.8,
                                         .jitter    = 0.25,
                                         .diagonals = MN_DIAGONALS_RANDOM,
                                         .seed      = 6 };
    mn_stain_film_def         def    = mn_stain_film_def_default();
    mn_stain_mesh             mesh   = { 0 };
    mn_stain_film            *f      = NULL;
    mn_status                 st     = mn_stain_mesh_square(c, &square, &mesh);
    mn_stain_tensor          *one    = mn_alloc_array(c, mn_stain_tensor, mesh.triangle_count + 1);
    if (st == MN_OK && one == NULL) st = MN_ERR_MEMORY;
    for (int64_t t = 0; st == MN_OK && t < mesh.triangle_count; t++) one[t] = (mn_stain_tensor){ 1.0, 0.0, 1.0 };
    def.vertex_count = mesh.vertex_count, def.triangle_count = mesh.triangle_count;
    def.x = mesh.x, def.triangle = (const int32_t(*)[3])mesh.triangle, def.spread = one;
    if (st == MN_OK) st = mn_stain_film_create(c, &def, &f);
    if (st == MN_OK) {
        mn_stain_film_add(f, 84, 0.05, NULL, (mn_stain_vec){ 0.0, 0.0 });
        const double before = f->free[84] / f->surface->area[84];
        for (int64_t v = 0; v < mesh.vertex_count; v++) mesh.x[v].x *= 1.3;
        st                = mn_stain_film_stretch(f, mesh.x, &def);
        const double kept = f->free[84] / f->surface->area[84] * 1.3 / before;
        mn_verify_library(r, true);
        if (st == MN_OK)
            mn_verify_value(r, "density times stretch, after a stretch by 1.3", kept, 1.0, kept - 1.0, 1e-12, 1e-12);
        mn_verify_library(r, false);
    }
    mn_stain_film_destroy(&f);
    mn_free(c, one);
    mn_stain_mesh_free(c, &mesh);
    return st;
}

mn_status mn_a6_budget(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int steps = tier == MN_TIER_BUILD ? 1000 : 100000;
    mn_world *w     = NULL;
    worst     m     = { 0 };
    char      text[96];
    mn_status st = hang(c, false, &w);
    if (st == MN_OK) st = stain(c, w);
    if (st == MN_OK) st = shake(w, steps, &m);
    mn_world_destroy(&w);
    MN_TRY(st);
    snprintf(text, sizeof text, "liquid over %d steps: largest error of the budget, as a share", steps);
    mn_verify_at_most(r, text, m.liquid, 1e-12, 1e-12);
    mn_verify_at_most(r, "pigments: the same", m.solute, 1e-12, 1e-12);
    mn_verify_at_least(r, "least mass of liquid or pigment anywhere, in any state, g", m.least, 0.0, 0.0);
    mn_verify_at_least(r, "... while the area of the cloth changed by, as a share", m.strain, 0.05, 0.05);
    MN_TRY(draw(c, r));
    return stretch_exactly(c, r);
}
