// SPDX-License-Identifier: MPL-2.0
// Pigment that a fabric's own liquid carries goes as far as in a film with the same rate of spreading (stain.C20).
#include "testing.h"

#include "stain/film.h"
#include "verify/fabric/wet_sample.h"
#include "verify/stain/stain_meshes.h"

#include <stdio.h>
#include <stdlib.h>

#define COUNT   161  // vertices along 8 cm
#define SPACING 0.05
#define EVEN    0.5   // saturation everywhere ...
#define MORE    0.01  // ... and at the top of a swelling, so little that D_0 S hardly varies
#define DYED    0.5   // cm, half the length that is coloured
#define STEPS   100

static double saturation_at(double x) { return EVEN + MORE * exp(-0.5 * x * x / (DYED * DYED)); }

/// Liquid at every place of a line, what went on to the next within a step, and the pigment that goes with it.
typedef struct line {
    mn_stain_links   links;
    mn_stain_solute *solute;
    double           had[COUNT], flow[COUNT - 1];
} line;

static void line_make(mn_context *c, line *q)
{
    q->links     = (mn_stain_links){ .vertex_count = COUNT, .count = COUNT - 1 };
    q->links.end = mn_alloc(c, (COUNT - 1) * sizeof *q->links.end);
    assert_non_null(q->links.end);
    for (int32_t i = 0; i < COUNT - 1; i++) q->links.end[i][0] = i, q->links.end[i][1] = i + 1;
    assert_int_equal(mn_stain_links_index(c, &q->links), MN_OK);
    assert_int_equal(mn_stain_solute_create(c, COUNT, 1, &q->solute), MN_OK);
}

static void line_end(mn_context *c, line *q)
{
    mn_stain_solute_destroy(&q->solute);
    mn_stain_links_free(c, &q->links);
}

/// On a line what is held says what has flowed.
static void find_flows(line *q, const double *now)
{
    double gone = 0.0;
    for (int i = 0; i < COUNT - 1; i++) {
        gone += q->had[i] - now[i];
        q->flow[i] = gone;
    }
}

/// Share of the pigment that has left the part that was coloured.
static double share_outside(const double *pigment)
{
    double out = 0.0, all = 0.0;
    for (int i = 0; i < COUNT; i++) {
        if (fabs((i - COUNT / 2) * SPACING) > DYED + 1e-9) out += pigment[i];
        all += pigment[i];
    }
    return out / all;
}

/// Yarn with the liquid in its pores; `diffusivity` is what it has at the even saturation.
static double in_fabric(mn_context *c, double seconds, double *diffusivity)
{
    const mn_liquid_material water = mn_wet_sample_water();
    const mn_yarn_def        d     = { .pattern = MN_YARN_STRAIGHT,
                                       .size    = { (COUNT - 1) * SPACING, 0.0 },
                                       .radius  = 0.002,
                                       .spacing = SPACING };
    mn_fabric_def            def   = mn_fabric_def_default();
    mn_thin_mesh             mesh;
    mn_wet_sample            s;
    mn_arena                *arena;
    line                     q;
    def.material = mn_wet_sample_f0();
    snprintf(def.name, sizeof def.name, "yarn");
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    assert_int_equal(mn_yarn_generate(c, &d, &mesh), MN_OK);
    assert_int_equal(mesh.vertex_count, COUNT);
    assert_int_equal(mn_wet_sample_make(c, &mesh, &def, &water, mn_v3(0.0, 0.0, 0.0), &s), MN_OK);
    line_make(c, &q);
    double *held = s.fabric.vertices.held[0], *dye = mn_stain_solute_of(q.solute, MN_STAIN_DISSOLVED, 0);
    for (int64_t v = 0; v < COUNT; v++) {
        const double x = mn_wet_sample_at(&s, v).x;
        assert_near(x, ((double)v - COUNT / 2) * SPACING, 1e-9);
        mn_wet_sample_fill(&s, v, saturation_at(x));
        if (fabs(x) <= DYED + 1e-9) dye[v] = 0.1 * held[v];
    }
    const double before = mn_stain_solute_total(q.solute, 0);
    for (int k = 0; k < STEPS; k++) {
        for (int i = 0; i < COUNT; i++) q.had[i] = held[i];
        assert_int_equal(mn_wet_sample_flow(&s, seconds / STEPS), MN_OK);
        find_flows(&q, held);
        assert_int_equal(mn_stain_carry(q.solute, &q.links, q.flow, q.had, arena), MN_OK);
    }
    assert_near(mn_stain_solute_total(q.solute, 0) / before, 1.0, 1e-13);
    const double out = share_outside(dye);
    *diffusivity     = EVEN * mn_wet_sample_diffusivity(&def.material, &water);
    line_end(c, &q);
    mn_wet_sample_destroy(&s);
    mn_arena_destroy(&arena);
    return out;
}

/// A strip of cloth with a film of its own, three vertices wide.
static double in_film(mn_context *c, double seconds, double diffusivity)
{
    const mn_stain_square_def square  = { .nx        = COUNT,
                                          .ny        = 3,
                                          .spacing   = SPACING,
                                          .diagonals = MN_DIAGONALS_ALTERNATING };
    const mn_stain_pigment    pigment = { .solubility = 1e4 };
    mn_stain_film_def         def     = mn_stain_film_def_default();
    mn_stain_step_report      report;
    mn_stain_mesh             mesh;
    mn_stain_film            *f;
    mn_arena                 *arena;
    double                    column[COUNT] = { 0.0 };
    assert_int_equal(mn_arena_create(c, &arena), MN_OK);
    assert_int_equal(mn_stain_mesh_square(c, &square, &mesh), MN_OK);
    mn_stain_tensor *tensor = malloc((size_t)mesh.triangle_count * sizeof *tensor);
    for (int64_t t = 0; t < mesh.triangle_count; t++) tensor[t] = (mn_stain_tensor){ diffusivity, 0.0, diffusivity };
    def.vertex_count = mesh.vertex_count, def.triangle_count = mesh.triangle_count, def.x = mesh.x,
    def.triangle = mesh.triangle;
    def.spread = tensor, def.pigments = 1, def.pigment = &pigment, def.h = seconds / STEPS,
    def.gravity  = mn_v3(0.0, 0.0, 0.0);
    def.exchange = (mn_stain_exchange_def){ .rim_factor = 1.0, .dry = 1e-12, .wet = 1e-6 };
    assert_int_equal(mn_stain_film_create(c, &def, &f), MN_OK);
    for (int64_t v = 0; v < mesh.vertex_count; v++) {
        const double liquid = saturation_at(mesh.x[v].x) * f->surface->area[v],
                     dye    = fabs(mesh.x[v].x) <= DYED + 1e-9 ? 0.1 * liquid : 0.0;
        mn_stain_film_add(f, v, liquid, &dye, (mn_stain_vec){ 0.0, 0.0 });
    }
    for (int k = 0; k < STEPS; k++) assert_int_equal(mn_stain_film_step(f, NULL, arena, &report), MN_OK);
    for (int64_t v = 0; v < mesh.vertex_count; v++)
        column[v % COUNT] += mn_stain_solute_of(f->solute, MN_STAIN_DISSOLVED, 0)[v];
    const double out = share_outside(column);
    mn_stain_film_destroy(&f);
    mn_stain_mesh_free(c, &mesh);
    mn_arena_destroy(&arena);
    free(tensor);
    return out;
}

static void film_and_fabric_carry_pigment_alike(void **state)
{
    (void)state;
    mn_context  *c = test_context(1);
    double       diffusivity, unused;
    const double seconds = 0.5, fabric = in_fabric(c, seconds, &diffusivity), film = in_film(c, seconds, diffusivity);
    const double later = in_fabric(c, 2.0 * seconds, &unused), slower = in_film(c, seconds, 0.5 * diffusivity);
    print_message("pigment that left: %.6f in fabric, %.6f in a film (%.6f if it spread half as fast); D %.4f cm2/s\n",
                  fabric, film, slower, diffusivity);
    assert_near(film / fabric, 1.0, 0.02);
    assert_less(1.1 * fabric, later);  // it has not all arrived yet, so that a wrong rate shows
    assert_less(slower, 0.9 * fabric);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(film_and_fabric_carry_pigment_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
