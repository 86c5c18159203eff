// SPDX-License-Identifier: MPL-2.0
// scene/fabric.c - what must be seen in the scenes of wet fabric (wet-fabric 8), at sizes that a test can afford.
//
//     scene_fabric SUBJECT [THREADS [FOLDER]]  runs the scenes of the subject, prints what it saw, fails if it is not
//     what must be
//                                              seen; with a folder it puts pictures there
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- subjects
// ----------------------------------------------------------------------------------------------------------

static void splash(void)
{
    run *r = run_scene("splash-cloth", "small", NULL, EVER);
    MUST(r->last.liquid_fabric > 0.02 * r->last.liquid_total);
    MUST(r->last.liquid_bulk > 0.2 * r->last.liquid_total);
    MUST(at_end(r, "wet") > 3.14159 * 1.44 * 1.44);
    free(r);
}

/// The spot as if it had been a point at the start: the source solution of dS/dt = div(D S grad S) that holds M (cm^2
/// of full cloth). Its front is at 4 sqrt(C) tau^(1/4), and S falls to `above` somewhat inside of it (fab.C14).
typedef struct spot {
    double front, radius;
} spot;
static spot spot_of(double diffusivity, double mass, double time, double above)
{
    const double root = sqrt(0.5 * diffusivity * time), c = sqrt(mass / (8.0 * 3.14159265358979));
    return (spot){ 4.0 * sqrt(root * c), 4.0 * sqrt(root * (c - above * root)) };
}

static void ring(void)
{
    const char *const noise[] = { "fabrics.sheet.solid_fraction_noise={amplitude: 0.1, length: 1, seed: 3}", NULL };
    run              *r       = run_scene("ring-test", "small", NULL, EVER);
    const double     *core    = probe(r, "core");  // where S is above 0.05
    const double      mass    = r->last.liquid_fabric / (0.036 * (1.0 - 0.4));
    const int         a = r->frames / 4, b = r->frames - 1;
    double            off = 0.0;
    for (int k = a; k <= b; k++) off = fmax(off, fabs(core[k] / spot_of(2.0, mass, r->time[k], 0.05).radius - 1.0));
    const spot   begin = spot_of(2.0, mass, r->time[a], 0.05), end = spot_of(2.0, mass, r->time[b], 0.05);
    const double slope = log(core[b] * end.front / end.radius / (core[a] * begin.front / begin.radius)) /
                         log(r->time[b] / r->time[a]);
    printf("R from %.3f to %.3f cm, at most %.4f off the source solution, its front grows with exponent %.3f\n",
           core[a], core[b], off, slope);
    MUST(core[b] > 2.0 * core[0]);
    MUST(off < 0.03);
    MUST(fabs(slope - 0.25) < 0.03);
    run *noisy = run_scene("ring-test", "small", noise, EVER);
    // A rim that is not round reaches farther than a circle of its area.
    const double round_reach = r->seen[b].reach / at_end(r, "core"),
                 noisy_reach = noisy->seen[b].reach / at_end(noisy, "core");
    printf("reach over that of a circle: %.3f, with noise %.3f\n", round_reach, noisy_reach);
    MUST(round_reach < 1.06);
    MUST(noisy_reach > 1.04 * round_reach);
    free(r);
    free(noisy);
}

static void impermeable(void)
{
    run   *r      = run_scene("impermeable", "small", NULL, EVER);
    double behind = 0.0, depth = 0.0;
    for (int k = 0; k < r->frames; k++) {
        behind = fmax(behind, r->seen[k].behind);
        depth  = fmax(depth, r->seen[k].depth);
    }
    printf("away from the rim liquid lies at most %.2f cells beyond the middle of the sheet, %.0f particles by more "
           "than half a cell\n",
           depth, behind);
    MUST(behind == 0.0);  // fab.C25
    MUST(greatest(r, "below") == 0.0);
    MUST(r->last.liquid_fabric == 0.0);
    free(r);
}

static void buoyancy(void)
{
    run *r = run_scene("buoyancy", "small", NULL, EVER);
    // On cells as coarse as these a sheet takes a layer of liquid along, and is slow; which way it goes is what counts.
    MUST(at_end(r, "light") > probe(r, "light")[0] + 0.2);
    MUST(fabs(at_end(r, "neutral") - probe(r, "neutral")[0]) < 0.1);
    MUST(at_end(r, "heavy") < probe(r, "heavy")[0] - 0.8);
    run *s = run_scene("buoyancy", "small", (const char *const[]){ "solver.buoyancy=false", NULL }, EVER);
    // Without the pressure all sink in that second, the light one to the floor.
    MUST(at_end(s, "light") < 0.3);
    MUST(at_end(s, "neutral") < probe(s, "neutral")[0] - 2.0);
    MUST(at_end(s, "heavy") < probe(s, "heavy")[0] - 4.0);
    free(r);
    free(s);
}

/// The greatest kink of the surface until the strip is fastest. Later it lies along the surface.
static double kink(const run *r)
{
    int    fastest = 0;
    double most    = 0.0;
    for (int k = 0; k < r->frames; k++)
        if (r->seen[k].fastest > r->seen[fastest].fastest) fastest = k;
    for (int k = 0; k <= fastest; k++) most = fmax(most, r->seen[k].kink);
    printf("the strip is fastest at %.3f s: %.0f cm/s; kink %.3f cm then, at most %.3f cm until then\n",
           r->time[fastest], r->seen[fastest].fastest, r->seen[fastest].kink, most);
    return most;
}

static void drag(void)
{
    run         *r = run_scene("drag", "small", NULL, EVER);
    run         *s = run_scene("drag", "small", (const char *const[]){ "materials.strip.drag.law=linear", NULL }, EVER);
    const double nonlinear = kink(r), linear = kink(s);
    MUST(nonlinear > 0.4);
    MUST(nonlinear >= 2.0 * linear);
    free(r);
    free(s);
}

/// Radius of the spot of the ring test after 2 s, in cloth that is changed by a setting.
static double spread(const char *change)
{
    const char *const set[] = { "domain.cell=9.6 mm", "fabrics.sheet.sheet.spacing=4.8 mm", "time.end=2", change,
                                NULL };
    run              *r     = run_scene("ring-test", NULL, set, EVER);
    const double      end   = at_end(r, "core") - probe(r, "core")[0];
    free(r);
    return end;
}

/// Free liquid behind the sheet at the end of a run of the study at its small size, water (NULL) or another variant.
static double passes(const char *variant, const char *const *change)
{
    const char *set[16] = { "domain.cell=9.6 mm", "fabrics.sheet.sheet.spacing=4.8 mm", "time.dt_max=2e-3" };
    int         n       = 3;
    while (*change != NULL) set[n++] = *change++;
    run         *r      = run_scene("penetration", variant, set, EVER);
    const double beyond = r->seen[r->frames - 1].beyond;
    free(r);
    return beyond;
}

/// Acetaldehyde is a quarter as viscous as water. It must pass more easily where less viscosity means less drag: in a
/// slow flow, and at any speed with the exponent 1 of Ergun and Forchheimer. With the exponent 1.6 of the sources drag
/// per mass grows above 5.3 cm/s when viscosity falls, and in a splash less passes.
static void acetaldehyde(double passed, double water)
{
    static const char *const quadratic[] = { "time.end=0.1167", "materials.cloth.drag.exponent=1", NULL };
    static const char *const slow[]      = { "time.end=0.7", "domain.gravity=[49.05, 0, 0]",
                                             "liquids.ball.velocity=[0, 0, 0]",
                                             "liquids.ball.fill.inside={sphere: {center: [-4.2, 3, 0], radius: 3.84}}",
                                             NULL };
    const double             a_quadratic = passes(NULL, quadratic), h_quadratic = passes("acetaldehyde", quadratic);
    const double             a_slow = passes(NULL, slow), h_slow = passes("acetaldehyde", slow);
    printf("acetaldehyde over water: %.1f over %.1f cm^3 at 192 cm/s with exponent 1, %.1f over %.1f cm^3 from rest at "
           "a twentieth of gravity\n",
           h_quadratic, a_quadratic, h_slow, a_slow);
    MUST(h_quadratic > a_quadratic);
    MUST(h_slow > a_slow);
    known_gap("acetaldehyde-fast, passed over that of water", passed / water, 1.0,
              "at 192 cm/s with exponent 1.6, which the sources print no order for");
}

static void penetration(void)
{
    // The letters of table 8.1. The settings are those of the variant small.
    static const char *const variant[10] = {
        NULL,         "thin-fibres", "thick-fibres", "large-pores", "small-pores",
        "few-fibres", "many-fibres", "acetaldehyde", "olive-oil",   "right-angle"
    };
    static const char *const small[] = { "domain.cell=9.6 mm", "fabrics.sheet.sheet.spacing=4.8 mm", "time.end=0.2",
                                         "time.dt_max=2e-3", NULL };
    enum { A, B, C, D, E, F, G, H, I, J };
    double passed[10], held[10], radius[10];
    for (int k = 0; k < 10; k++) {
        run *r    = run_scene("penetration", variant[k], small, EVER);
        passed[k] = r->seen[r->frames - 1].beyond;
        held[k]   = at_end(r, "held");
        radius[k] = at_end(r, "radius");
        printf("%c: passed %.2f cm^3, held %.2f cm^3, wet radius %.2f cm\n", 'a' + k, passed[k], held[k], radius[k]);
        fflush(stdout);
        free(r);
    }
    MUST(passed[C] > passed[A] && passed[D] > passed[A] && passed[F] > passed[A]);
    MUST(passed[A] > 1.5 * passed[B] && passed[A] > 1.5 * passed[E] && passed[A] > 1.5 * passed[G] &&
         passed[A] > 1.5 * passed[I]);
    MUST(held[D] > held[A] && held[F] > held[A] && held[A] > held[E] && held[A] > held[G]);
    MUST(held[J] == 0.0 && radius[J] == 0.0);
    MUST(radius[A] > radius[I]);
    acetaldehyde(passed[H], passed[A]);
    // How far liquid spreads inside the sheet shows in seconds, not in those of the splash.
    const double a = spread("time.seed=1"), b = spread("materials.cloth.fiber_diameter=25 um"),
                 c = spread("materials.cloth.fiber_diameter=200 um");
    const double j = spread("pairs=[{of: [water, cloth], contact_angle: 90}]");
    printf("in 2 s the rim goes %.3f cm in a, %.3f in b, %.3f in c, %.1e in j\n", a, b, c, j);
    MUST(c > a && a > b && b > 0.0);
    MUST(fabs(j) < 1e-9);
}

static void yarn(void)
{
    run *r = run_scene("splash-yarn", "small", NULL, EVER);
    MUST(at_end(r, "passed") > 0.5 * r->last.liquid_total);
    MUST(at_end(r, "held") > 0.02 * r->last.liquid_total);
    free(r);
}

static void fuzzy(void)
{
    const char *const plain[] = { "fabrics.cloth.pile.every=1000000", NULL };
    run              *r       = run_scene("splash-fuzzy", "small", NULL, EVER);
    run              *s       = run_scene("splash-fuzzy", "small", plain, EVER);
    MUST(at_end(r, "held") > at_end(s, "held"));
    MUST(at_end(r, "passed") < at_end(s, "passed"));
    free(r);
    free(s);
}

/// Liquid that left the fabric from one time to another, cm^3/s.
static double outflow(const run *r, double from, double to)
{
    int a = 0, b = 0;
    for (int k = 0; k < r->frames; k++) {
        if (r->time[k] <= from + 1e-9) a = k;
        if (r->time[k] <= to + 1e-9) b = k;
    }
    return (probe(r, "held")[a] - probe(r, "held")[b]) / (r->time[b] - r->time[a]);
}

static void towel(void)
{
    run         *r    = run_scene("tighten-towel", "small", NULL, EVER);
    const double rush = outflow(r, 0.4, 1.2), trickle = outflow(r, 1.6, 2.0);
    printf("outflow %.3f cm^3/s while it is wrung, %.3f at the end\n", rush, trickle);
    MUST(rush > 0.0);
    MUST(rush >= 5.0 * fabs(trickle));  // a little is sucked in again
    free(r);
}

static void wicking(void)
{
    run *r = run_scene("capillary-strip", "small", NULL, EVER);
    run *s = run_scene("capillary-strip", "right-angle", (const char *const[]){ "time.end=0.5", NULL }, EVER);
    MUST(at_end(r, "held") > 0.0);
    MUST(at_end(s, "held") == 0.0);
    free(r);
    free(s);
    run          *dip  = run_scene("strip-dip", "small", NULL, EVER);
    const double *held = probe(dip, "held");
    MUST(held[0] == 0.0 && held[dip->frames - 1] > 0.0);
    free(dip);
}

static void layers(void)
{
    run         *r    = run_scene("wet-layers", "small", NULL, EVER);
    run         *s    = run_scene("wet-layers", "small",
                                  (const char *const[]){ "pairs=[{of: [thin, thin], friction: 0.3, cohesion: 0}]", NULL }, EVER);
    const double with = greatest(r, "lower"), without = greatest(s, "lower");
    printf("the edge of the lower sheet rises to %.3f cm with cohesion, %.3f without\n", with, without);
    MUST(with > without + 1.0);
    free(r);
    free(s);
}

/// Every scene, smaller than small, 200 steps, two seeds: none fails.
static void soak(void)
{
    enum { CHANGES = 4 };
    static const struct {
        const char *file, *change[CHANGES];
    } scenes[] = {
        { "splash-cloth", { "domain.cell=9.6 mm", "fabrics.cloth.sheet.spacing=4.8 mm" } },
        { "splash-yarn", { NULL } },
        { "splash-fuzzy", { "domain.cell=9.6 mm", "fabrics.cloth.sheet.spacing=4.8 mm" } },
        { "ring-test", { "domain.cell=9.6 mm", "fabrics.sheet.sheet.spacing=4.8 mm" } },
        { "impermeable", { "domain.cell=9.6 mm", "fabrics.sheet.sheet.spacing=4.8 mm" } },
        { "capillary-strip", { NULL } },
        { "drag", { "domain.cell=7.2 mm", "fabrics.right.sheet.spacing=3.6 mm" } },
        { "buoyancy",
          { "domain.cell=8 mm", "fabrics.floats.sheet.spacing=4 mm", "fabrics.drifts.sheet.spacing=4 mm",
            "fabrics.sinks.sheet.spacing=4 mm" } },
        { "penetration", { NULL } },
        { "wet-layers", { NULL } },
        { "strip-dip", { NULL } },
        { "tighten-towel", { NULL } },
    };
    for (int seed = 1; seed <= 2; seed++)
        for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
            char        text[32];
            const char *set[CHANGES + 3] = { text, "time.end=8" };
            snprintf(text, sizeof text, "time.seed=%d", seed);
            for (int i = 0; i < CHANGES; i++) set[i + 2] = scenes[k].change[i];
            run *r = run_scene(scenes[k].file, "small", set, 200);
            MUST(isfinite(r->last.energy_kinetic) && r->last.time > 0.0);
            free(r);
        }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*see)(void);
    } subjects[] = {
        { "splash", splash },     { "ring", ring },     { "impermeable", impermeable },
        { "buoyancy", buoyancy }, { "drag", drag },     { "penetration", penetration },
        { "yarn", yarn },         { "fuzzy", fuzzy },   { "towel", towel },
        { "wicking", wicking },   { "layers", layers }, { "soak", soak },
    };
    bool known = false;
    threads    = argc >= 3 ? atoi(argv[2]) : 0;
    album      = argc == 4 ? argv[3] : NULL;
    for (size_t k = 0; argc >= 2 && argc <= 4 && k < sizeof subjects / sizeof *subjects; k++)
        if (strcmp(argv[1], subjects[k].name) == 0) {
            known = true;
            subjects[k].see();
        }
    if (!known) {
        fprintf(stderr, "usage: scene_fabric "
                        "splash|ring|impermeable|buoyancy|drag|penetration|yarn|fuzzy|towel|wicking|layers|soak "
                        "[threads [folder for pictures]]\n");
        return 2;
    }
    return failures > 0;
}
