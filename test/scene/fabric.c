// SPDX-License-Identifier: MPL-2.0
// scene/fabric.c - what must be seen in the scenes of wet fabric (wet-fabric 8), at sizes that a test can afford.
//
//     scene_fabric SUBJECT        runs the scenes of the subject, prints what it saw, fails if it is not what must be seen
#include <meniscus/meniscus.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROBES_MOST 16
#define FRAMES_MOST 2048

static int failures;

#define MUST(condition)                                                       \
    do {                                                                      \
        const bool seen_ = (condition);                                       \
        printf("%s  %s\n", seen_ ? "seen" : "NOT SEEN", #condition);          \
        failures += !seen_;                                                   \
    } while (0)

/// What a run left: the last row of its ledger, and each probe frame by frame.
typedef struct run {
    mn_ledger last;
    int       frames, probes;
    char      name[PROBES_MOST][MN_NAME_BYTES];
    double    value[PROBES_MOST][FRAMES_MOST];
    double    time[FRAMES_MOST];
    double    worst_error;
    double    reach;                ///< cm, of the wet part of the first fabric from the axis of y, at the end
} run;

static void stop(mn_context *c, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, mn_context_error(c));
    exit(1);
}

/// Farthest wet vertex from the axis of y.
static double wet_reach(const mn_world *w)
{
    const mn_fabric_view f     = mn_world_fabric(w, 0);
    double               reach = 0.0;
    for (int64_t v = 0; f.held != NULL && v < f.position.count; v++)
        if (mn_fabric_view_saturation(&f, v) > 0.05) reach = fmax(reach, hypot(f.position.x[v], f.position.z[v]));
    return reach;
}

static void note_frame(run *r, mn_world *w)
{
    r->reach       = wet_reach(w);
    r->last        = mn_world_ledger(w);
    r->worst_error = fmax(r->worst_error, fabs(r->last.liquid_error));
    r->probes      = mn_world_probe_count(w);
    if (r->frames == FRAMES_MOST || r->probes > PROBES_MOST) exit(1);
    for (int k = 0; k < r->probes; k++) {
        snprintf(r->name[k], sizeof r->name[k], "%s", mn_world_probe_name(w, k));
        r->value[k][r->frames] = mn_world_probe_value(w, k);
    }
    r->time[r->frames++] = r->last.time;
}

/// Run a scene with a variant (or NULL) and further settings, a NULL at their end. At most `most` steps.
static run *run_scene(const char *file, const char *variant, const char *const *set, int64_t most)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/scenes/fabric/%s.yaml", MN_SOURCE_DIR, file);
    mn_context_def  cd = mn_context_def_default();
    mn_context     *c;
    mn_scene       *scene;
    mn_world       *w;
    mn_scene_source source = { .path = path, .variant = variant, .set = set };
    while (set != NULL && set[source.set_count] != NULL) source.set_count++;
    if (mn_context_create(&cd, &c) != MN_OK) exit(1);
    if (mn_scene_load(c, &source, &scene) != MN_OK || mn_scene_build(scene, &w) != MN_OK) stop(c, path);
    const mn_time_def t = mn_scene_time(scene);
    run              *r = calloc(1, sizeof *r);
    if (r == NULL) exit(1);
    note_frame(r, w);
    for (int64_t frame = 1; frame <= llround(t.end * t.frame_rate) && mn_world_steps(w) < most; frame++) {
        const double until = (double)frame / t.frame_rate;
        while (mn_world_time(w) < until)
            if (mn_world_step(w, until) != MN_OK) stop(c, path);
        note_frame(r, w);
        mn_world_end_frame(w);
    }
    printf("%s %s: %d frames, %lld steps, %lld particles, error %.1e, held %.4f cm^3", file, variant != NULL ? variant : "", r->frames,
           (long long)mn_world_steps(w), (long long)r->last.particles, r->worst_error, r->last.liquid_fabric);
    for (int k = 0; k < r->probes; k++) printf(", %s %.4g", r->name[k], r->value[k][r->frames - 1]);
    printf("\n");
    fflush(stdout);
    if (!(r->worst_error <= 1e-12)) {
        printf("NOT SEEN  liquid_error at most 1e-12\n");
        failures++;
    }
    mn_world_destroy(&w);
    mn_scene_destroy(&scene);
    mn_context_destroy(&c);
    return r;
}

static const double *probe(const run *r, const char *name)
{
    for (int k = 0; k < r->probes; k++)
        if (strcmp(r->name[k], name) == 0) return r->value[k];
    fprintf(stderr, "there is no probe '%s'\n", name);
    exit(1);
}

static double at_end(const run *r, const char *name) { return probe(r, name)[r->frames - 1]; }
#define EVER INT64_MAX

// --- subjects ----------------------------------------------------------------------------------------------------------

static void splash(void)
{
    run *r = run_scene("splash-cloth", "small", NULL, EVER);
    MUST(r->last.liquid_fabric > 0.02 * r->last.liquid_total);
    MUST(r->last.liquid_bulk > 0.2 * r->last.liquid_total);
    MUST(at_end(r, "wet") > 3.14159 * 1.44 * 1.44);
    free(r);
}

static void ring(void)
{
    run          *r      = run_scene("ring-test", NULL, NULL, EVER);
    const double *radius = probe(r, "radius");
    // The slope of the last three quarters, of log R over log t; the spot starts full, so the law is reached from below.
    const int    a = r->frames / 4, b = r->frames - 1;
    const double slope = log(radius[b] / radius[a]) / log(r->time[b] / r->time[a]);
    printf("R from %.3f to %.3f cm, exponent %.3f\n", radius[a], radius[b], slope);
    MUST(radius[b] > 1.3 * radius[0]);
    MUST(slope > 0.15 && slope < 0.30);
    run *noisy = run_scene("ring-test", "noise", NULL, EVER);
    // A rim that is not round reaches farther than a circle of its area.
    const double round_reach = r->reach / at_end(r, "radius");
    const double noisy_reach = noisy->reach / at_end(noisy, "radius");
    printf("reach over that of a circle: %.3f, with noise %.3f\n", round_reach, noisy_reach);
    MUST(round_reach < 1.06);
    MUST(noisy_reach > 1.02 * round_reach);
    free(r);
    free(noisy);
}

static void impermeable(void)
{
    run   *r     = run_scene("impermeable", "small", NULL, EVER);
    double below = 0.0;
    for (int k = 0; k < r->frames; k++) below = fmax(below, probe(r, "below")[k]);
    MUST(below == 0.0);
    MUST(r->last.liquid_fabric == 0.0);
    free(r);
}

static void buoyancy(void)
{
    const char *const longer[] = { "time.end=1.0", NULL };
    run *r = run_scene("buoyancy", "small", longer, EVER);
    MUST(at_end(r, "light") > probe(r, "light")[0] + 1.5);
    MUST(fabs(at_end(r, "neutral") - probe(r, "neutral")[0]) < 2.0);
    MUST(at_end(r, "heavy") < 1.5);
    const char *const without[] = { "time.end=1.0", "solver.buoyancy=false", NULL };
    run *s = run_scene("buoyancy", "small", without, EVER);
    MUST(at_end(s, "light") < probe(s, "light")[0] - 0.5);
    MUST(at_end(s, "neutral") < probe(s, "neutral")[0] - 0.5);
    MUST(at_end(s, "heavy") < 1.5);
    free(r);
    free(s);
}

/// The liquid surface at the strip over that beside it, when the strip is fastest.
static double kink(const run *r)
{
    double most = 0.0;
    for (int k = 0; k < r->frames; k++) most = fmax(most, probe(r, "at_strip")[k] - probe(r, "beside")[k]);
    return most;
}

static void drag(void)
{
    run *r = run_scene("drag", "small", NULL, EVER);
    const char *const linear[] = { "materials.strip.drag.law=linear", NULL };
    run *s = run_scene("drag", "small", linear, EVER);
    printf("kink %.3f cm nonlinear, %.3f cm linear\n", kink(r), kink(s));
    MUST(kink(r) >= 2.0 * kink(s));
    free(r);
    free(s);
}

static void penetration(void)
{
    // The letters of table 8.1.
    static const char *const variant[10] = { NULL, "thin-fibres", "thick-fibres", "large-pores", "small-pores", "few-fibres", "many-fibres",
                                             "acetaldehyde", "olive-oil", "right-angle" };
    enum { A, B, C, D, E, F, G, H, I, J };
    const char *const small[] = { "domain.cell=7.2 mm", "fabrics.sheet.sheet.spacing=3.6 mm", "time.end=0.25", NULL };
    double passed[10], held[10], radius[10];
    for (int k = 0; k < 10; k++) {
        run *r    = run_scene("penetration", variant[k], small, EVER);
        passed[k] = at_end(r, "passed");
        held[k]   = at_end(r, "held");
        radius[k] = at_end(r, "radius");
        free(r);
    }
    MUST(passed[C] > passed[A] && passed[D] > passed[A] && passed[F] > passed[A]);
    MUST(passed[B] < passed[A] && passed[E] < passed[A] && passed[G] < passed[A] && passed[I] < passed[A]);
    MUST(passed[H] > passed[A]);
    MUST(held[D] > held[A] && held[F] > held[A] && held[A] > held[E] && held[A] > held[G]);
    MUST(held[J] == 0.0);
    MUST(radius[C] >= radius[A] && radius[A] >= radius[B] && radius[B] >= radius[I]);
}

static void fuzzy(void)
{
    const char *const plain[] = { "fabrics.cloth.pile=null", NULL };
    run *r = run_scene("splash-fuzzy", "small", NULL, EVER);
    run *s = run_scene("splash-fuzzy", "small", plain, EVER);
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
    run *r = run_scene("tighten-towel", "small", NULL, EVER);
    const double end = r->last.time, rush = outflow(r, 0.2 * end, 0.5 * end), trickle = outflow(r, 0.85 * end, end);
    printf("outflow %.3f cm^3/s while it is wrung, %.3f at the end\n", rush, trickle);
    MUST(rush > 0.0);
    MUST(rush >= 5.0 * trickle);
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
    run *r = run_scene("wet-layers", "small", NULL, EVER);
    run *s = run_scene("wet-layers", "no-cohesion", (const char *const[]){ "domain.cell=8 mm", "fabrics.lower.sheet.spacing=4 mm", "fabrics.upper.sheet.spacing=4 mm", "time.end=0.4", NULL }, EVER);
    double with = 0.0, without = 0.0;
    for (int k = 0; k < r->frames; k++) with = fmax(with, probe(r, "lower")[k]);
    for (int k = 0; k < s->frames; k++) without = fmax(without, probe(s, "lower")[k]);
    printf("the edge of the lower sheet rises to %.3f cm with cohesion, %.3f without\n", with, without);
    MUST(with > without);
    free(r);
    free(s);
}

/// Every scene, small, 200 steps, two seeds: none fails.
static void soak(void)
{
    static const char *const files[] = { "splash-cloth", "splash-yarn", "splash-fuzzy", "ring-test", "impermeable", "capillary-strip", "drag", "buoyancy",
                                         "penetration", "wet-layers", "strip-dip", "tighten-towel" };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        for (int seed = 1; seed <= 2; seed++) {
            char set[32];
            snprintf(set, sizeof set, "time.seed=%d", seed);
            run *r = run_scene(files[k], "small", (const char *const[]){ set, "time.end=4", NULL }, 200);
            MUST(r->last.time > 0.0);
            free(r);
        }
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*see)(void); } subjects[] = {
        { "splash", splash }, { "ring", ring }, { "impermeable", impermeable }, { "buoyancy", buoyancy }, { "drag", drag },
        { "penetration", penetration }, { "fuzzy", fuzzy }, { "towel", towel }, { "wicking", wicking }, { "layers", layers }, { "soak", soak },
    };
    bool known = false;
    for (size_t k = 0; argc == 2 && k < sizeof subjects / sizeof *subjects; k++)
        if (strcmp(argv[1], subjects[k].name) == 0) {
            known = true;
            subjects[k].see();
        }
    if (!known) {
        fprintf(stderr, "usage: scene_fabric splash|ring|impermeable|buoyancy|drag|penetration|fuzzy|towel|wicking|layers|soak\n");
        return 2;
    }
    return failures > 0;
}
