// SPDX-License-Identifier: MPL-2.0
// scene/stain.c - what must be seen in the scenes of stains (stain 8), read off the world at their end.
//
//     scene_stain SUBJECT        runs the scenes of the subject, prints what it saw, fails if it is not what must be seen
//     scene_stain endure STEPS [SCENE]      runs tiny scenes with deforming cloth for very many steps
#include <meniscus/meniscus.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define MUST(condition)                                              \
    do {                                                             \
        const bool seen_ = (condition);                              \
        printf("%s  %s\n", seen_ ? "seen" : "NOT SEEN", #condition); \
        failures += !seen_;                                          \
    } while (0)

/// What a stain is at the end of a run. Lengths in cm, seen from above, about `x`, `z`.
typedef struct sight {
    double x, z;              ///< middle of the liquid
    double along, across;     ///< standard deviations of pigment along x and z
    double wet, coloured;     ///< radii of discs with the area that is wet, and that has a hundredth of the most pigment
    double edge;              ///< width from 0.9 to 0.1 of the pigment at the middle, along x
    double rim;               ///< most pigment per area over that at the middle
    double liquid_error, solute_error;
} sight;

static double pigment_density(const mn_stain_view *s, int64_t v)
{
    double sum = 0.0;
    for (int p = 0; p < s->pigment_count; p++) sum += mn_stain_view_pigment(s, p, v);
    return sum / s->area[v];
}

/// Mean density of pigment within a cell or two of the origin.
static double middle_density(const mn_stain_view *s)
{
    double sum = 0.0, area = 0.0, near = INFINITY;
    for (int64_t v = 0; v < s->vertex_count; v++) near = fmin(near, sqrt(s->area[v]));
    for (int64_t v = 0; v < s->vertex_count; v++) {
        if (hypot(s->position[v][0], s->position[v][2]) > 3.0 * near) continue;
        sum += s->area[v] * pigment_density(s, v), area += s->area[v];
    }
    return sum / area;
}

/// Farthest place on the axis of x with at least a share of a density.
static double reach(const mn_stain_view *s, double density)
{
    double far = 0.0;
    for (int64_t v = 0; v < s->vertex_count; v++)
        if (fabs(s->position[v][2]) < sqrt(s->area[v]) && pigment_density(s, v) >= density) far = fmax(far, s->position[v][0]);
    return far;
}

static sight look(const mn_world *w)
{
    const mn_stain_view s = mn_world_stain(w, 0);
    const mn_ledger     l = mn_world_ledger(w);
    sight               r = { .liquid_error = l.liquid_error, .solute_error = l.solute_error };
    double              liquid = 0.0, pigment = 0.0, most = 0.0, wet = 0.0, coloured = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = s.free[v] + s.held[v];
        liquid += m, r.x += m * s.position[v][0], r.z += m * s.position[v][2];
        most = fmax(most, pigment_density(&s, v));
        if (m > 1e-3 * s.area[v]) wet += s.area[v];
    }
    r.x /= liquid, r.z /= liquid;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = s.area[v] * pigment_density(&s, v);
        pigment += m, r.along += m * s.position[v][0] * s.position[v][0], r.across += m * s.position[v][2] * s.position[v][2];
        if (pigment_density(&s, v) > 0.01 * most) coloured += s.area[v];
    }
    const double middle = middle_density(&s);
    r.along = sqrt(r.along / pigment), r.across = sqrt(r.across / pigment);
    r.wet = sqrt(wet / 3.14159265358979323846), r.coloured = sqrt(coloured / 3.14159265358979323846);
    r.edge = reach(&s, 0.1 * middle) - reach(&s, 0.9 * middle);
    r.rim  = most / middle;
    return r;
}

static void stop(mn_context *c, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, mn_context_error(c));
    exit(1);
}

/// A scene that runs, and where the vertices of its stain were at the start.
typedef struct play {
    mn_context *c;
    mn_scene   *scene;
    mn_world   *w;
    double    (*start)[3];
} play;

/// Settings end with a NULL.
static play open_scene(const char *file, const char *variant, const char *const *set)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/scenes/stain/%s.yaml", MN_SOURCE_DIR, file);
    mn_context_def  cd = mn_context_def_default();
    cd.threads         = 1;                            // meshes are small here
    play            p  = { .c = NULL };
    mn_scene_source source = { .path = path, .variant = variant, .set = set };
    while (set != NULL && set[source.set_count] != NULL) source.set_count++;
    if (mn_context_create(&cd, &p.c) != MN_OK) exit(1);
    if (mn_scene_load(p.c, &source, &p.scene) != MN_OK || mn_scene_build(p.scene, &p.w) != MN_OK) stop(p.c, path);
    const mn_stain_view v = mn_world_stain(p.w, 0);
    p.start = malloc((size_t)v.vertex_count * sizeof *p.start);
    if (p.start == NULL) exit(1);
    memcpy(p.start, v.position, (size_t)v.vertex_count * sizeof *p.start);
    return p;
}

static void play_until(play *p, double end)
{
    while (mn_world_time(p->w) < end)
        if (mn_world_step(p->w, end) != MN_OK) stop(p->c, "step");
    const mn_ledger l = mn_world_ledger(p->w);
    MUST(fabs(l.liquid_error) < 1e-12 && fabs(l.solute_error) < 1e-12);
}

static void close_scene(play *p)
{
    free(p->start);
    mn_world_destroy(&p->w);
    mn_scene_destroy(&p->scene);
    mn_context_destroy(&p->c);
}

/// Run a scene to `end`, or to its own end if that is 0.
static sight run_scene(const char *file, const char *variant, double end, const char *const *set)
{
    play p = open_scene(file, variant, set);
    play_until(&p, end == 0.0 ? mn_scene_time(p.scene).end : end);
    const sight r = look(p.w);
    printf("%s %s: %lld steps, middle (%.3f, %.3f), spread %.3f x %.3f, wet %.3f, coloured %.3f, edge %.3f, rim %.3f, errors %.1e %.1e\n", file,
           variant != NULL ? variant : "", (long long)mn_world_steps(p.w), r.x, r.z, r.along, r.across, r.wet, r.coloured, r.edge, r.rim, r.liquid_error,
           r.solute_error);
    close_scene(&p);
    return r;
}

/// Variances of the liquid of a stain along x and z, about its middle.
static void variances(const mn_world *w, int stain, double out[2])
{
    const mn_stain_view s = mn_world_stain(w, stain);
    double              all = 0.0, x = 0.0, z = 0.0, xx = 0.0, zz = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = s.free[v];
        all += m, x += m * s.position[v][0], z += m * s.position[v][2];
    }
    x /= all, z /= all;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = s.free[v] / all, dx = s.position[v][0] - x, dz = s.position[v][2] - z;
        xx += m * dx * dx, zz += m * dz * dz;
    }
    out[0] = xx, out[1] = zz;
}

/// stain.C5: on resolved threads a drop spreads as the tensor of the weave says: growth of second moments.
static void resolved(const char *variant, double from, double to, const char *const *set)
{
    double grown[2][2], start[2][2];
    play   p = open_scene("weave-comparison", variant, set);
    play_until(&p, from);                                       // the drop takes on the ripples of the threads
    for (int k = 0; k < 2; k++) variances(p.w, k, start[k]);
    play_until(&p, to);
    for (int k = 0; k < 2; k++) {
        double now[2];
        variances(p.w, k, now);
        for (int a = 0; a < 2; a++) grown[k][a] = (now[a] - start[k][a]) / (2.0 * (to - from));
    }
    printf("%s: homogenised %.4f x %.4f cm2/s, resolved %.4f x %.4f\n", variant != NULL ? variant : "columns", grown[0][0], grown[0][1], grown[1][0], grown[1][1]);
    MUST(fabs(grown[1][0] / grown[0][0] - 1.0) < 0.05);
    MUST(fabs(grown[1][1] / grown[0][1] - 1.0) < 0.05);
    close_scene(&p);
}

/// stain.T1, T2, C5, C23: an ellipse of sqrt(50.5 / 1.98) to 1 once the drop it came from is forgotten, on resolved columns too; round if averaged.
static void comparison(void)
{
#define NO_SECOND "stains.resolved.sheet={size: [4, 4], spacing: 1}"
    const char *const coarse[] = { "stains.spot.sheet.spacing=0.5", "stains.spot.drops.one.inside.sphere.radius=0.8", NO_SECOND, "stains.spot.step=0.02", "stains.resolved.step=0.02", NULL };
    const char *const beside[] = { "stains.spot.sheet={size: [12, 30], spacing: 0.5, mesh: alternating}", "stains.resolved.sheet={size: [12, 30], spacing: 0.25, mesh: alternating}",
                                   "stains.spot.step=0.04", "stains.resolved.step=0.04", NULL };
    const sight       homogenised = run_scene("weave-comparison", NULL, 4.0, coarse), averaged = run_scene("weave-comparison", "averaged", 4.0, coarse);
    const double      slow = 2.0 * 4.0 * 2.0 * 1.980198 / (1.980198 + 50.5), fast = 2.0 * 4.0 * 2.0 * 50.5 / (1.980198 + 50.5), drop = 0.8 * 0.8 / 4.0;
    MUST(fabs(homogenised.across / sqrt(fast + drop) - 1.0) < 0.05);
    MUST(fabs(homogenised.along / sqrt(slow + drop) - 1.0) < 0.05);
    MUST(fabs(averaged.along / averaged.across - 1.0) < 0.02);
    resolved(NULL, 1.0, 3.0, beside);
    resolved("knit", 1.0, 3.0, beside);
}

/// stain.T3: with both inertial forces the path is straight from outside; with one of them or none it is not.
static void plane(void)
{
    const char *const quick[] = { "stains.spot.disc.spacing=0.8", NULL };
    const sight       both = run_scene("rotating-plane", NULL, 0.5, quick), half = run_scene("rotating-plane", "no-coriolis", 0.5, quick);
    const sight       none = run_scene("rotating-plane", "none", 0.5, quick);
    // From (-10, 0) with 20 cm/s and the speed of the disc, 2 rad/s about y: (0, 20) there.
    const double x = -10.0 + 20.0 * 0.5, z = 20.0 * 0.5, path = hypot(20.0, 20.0) * 0.5;
    MUST(hypot(both.x - x, both.z - z) < 0.02 * path);
    MUST(hypot(half.x - x, half.z - z) > 0.2 * path);
    MUST(hypot(none.x - x, none.z - z) > 0.2 * path);
}

/// The drop after half a turn.
static sight half_a_turn(const char *variant, const char *step)
{
    const char *const set[] = { "stains.spot.disc.diameter=36", "stains.spot.disc.spacing=0.5", "stains.spot.drops.one.inside.sphere.center=[-3, 0, 0]",
                                "stains.spot.drops.one.velocity=[5, 0, 0]", step, NULL };
    return run_scene("rotating-plane", variant, 0.5 * 3.14159265358979323846, set);       // at 2 rad/s
}

/// stain.C12: over half a turn the middle of a drop stays within 2 % of its path; not without Coriolis' force; at least order 1 in the step.
static void halfturn(void)
{
    static const char *const steps[] = { "stains.spot.step=0.0785398163397448", "stains.spot.step=0.0392699081698724", "stains.spot.step=0.0196349540849362" };
    const double end = 0.5 * 3.14159265358979323846, x = -3.0 + 5.0 * end, z = 6.0 * end, path = hypot(5.0, 6.0) * end;
    sight        r[3];
    for (int k = 0; k < 3; k++) r[k] = half_a_turn(NULL, steps[k]);
    const sight  without = half_a_turn("no-coriolis", steps[2]);
    const double first = hypot(r[0].x - r[1].x, r[0].z - r[1].z), second = hypot(r[1].x - r[2].x, r[1].z - r[2].z);
    printf("off the straight path by %.2f %% with 80 steps; from 20 to 40 steps %.2f %%, from 40 to 80 %.2f %%; %.1f %% without Coriolis' force\n",
           100.0 * hypot(r[2].x - x, r[2].z - z) / path, 100.0 * first / path, 100.0 * second / path, 100.0 * hypot(without.x - x, without.z - z) / path);
    MUST(hypot(r[2].x - x, r[2].z - z) < 0.02 * path);
    MUST(second < 0.5 * first);
    MUST(hypot(without.x - x, without.z - z) > 0.2 * path);
}

/// stain.C21: a dark rim, darker the faster the rim dries; none without the carrying term.
static void coffee(void)
{
    const char *const quick[] = { "stains.spot.disc.spacing=0.1", NULL };
    const sight       ring = run_scene("coffee-ring", NULL, 60.0, quick), gentle = run_scene("coffee-ring", "gentle", 60.0, quick);
    const sight       none = run_scene("coffee-ring", "no-carry", 60.0, quick);
    MUST(gentle.rim > 2.0);
    MUST(ring.rim > gentle.rim);
    MUST(none.rim < 1.05);
}

/// stain.T13, C22: faster uptake sharpens the edge, more capacity makes the stain smaller.
static void absorption(void)
{
    const char *const quick[] = { "stains.spot.sheet.spacing=0.6", NULL };
    const sight       a = run_scene("absorption", "slow-small", 0.0, quick), b = run_scene("absorption", "slow-large", 0.0, quick);
    const sight       c = run_scene("absorption", "fast-small", 0.0, quick), d = run_scene("absorption", "fast-large", 0.0, quick);
    MUST(b.coloured < a.coloured && d.coloured < c.coloured);
    MUST(c.edge < a.edge && d.edge < b.edge);
}

/// stain.T14, C22: the liquid runs on farther than its pigment.
static void adsorption(void)
{
    const char *const quick[] = { "stains.spot.sheet.spacing=0.6", NULL };
    const sight       a = run_scene("adsorption", "slow-small", 0.0, quick), d = run_scene("adsorption", "fast-large", 0.0, quick);
    MUST(d.wet > 1.1 * d.coloured);
    MUST(d.coloured < a.coloured);
}

/// How ragged a stain about the origin is: the longest over the shortest reach of 24 directions.
static double raggedness(const mn_world *w)
{
    const mn_stain_view s = mn_world_stain(w, 0);
    double              reach_to[24] = { 0.0 }, most = 0.0, longest = 0.0, shortest = INFINITY;
    for (int64_t v = 0; v < s.vertex_count; v++) most = fmax(most, pigment_density(&s, v));
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const int k = (int)((atan2(s.position[v][2], s.position[v][0]) / 6.283185307179586 + 0.5) * 23.999);
        if (pigment_density(&s, v) > 0.02 * most) reach_to[k] = fmax(reach_to[k], hypot(s.position[v][0], s.position[v][2]));
    }
    for (int k = 0; k < 24; k++) longest = fmax(longest, reach_to[k]), shortest = fmin(shortest, reach_to[k]);
    return longest / shortest;
}

/// stain.T4: a splash has a ragged rim, a still drop a smooth one; and what is thrown faster gets farther.
static void splash(void)
{
    static const char *const throws[] = { "stains.spot.drops.hit.velocity=[0, 0, 0]", "stains.spot.drops.hit.velocity=[15, 0, 0]",
                                          "stains.spot.drops.hit.velocity=[30, 0, 0]", "stains.spot.drops.hit.velocity=[45, 0, 0]" };
    double ragged = 0.0, before = -1.0;
    for (int k = 0; k < 4; k++) {
        const char *const set[] = { throws[k], "stains.spot.sheet.spacing=0.8", NULL };
        play              p = open_scene("splash-flag", NULL, set);
        play_until(&p, 0.5);
        const sight r = look(p.w);
        if (k == 0) ragged = raggedness(p.w);
        printf("splash thrown with %d cm/s: middle %.3f, %.3f; ragged %.3f\n", 15 * k, r.x, r.z, raggedness(p.w));
        MUST(k == 0 || r.x > before + 1.0);
        before = r.x;
        close_scene(&p);
    }
    const char *const coarse[] = { "stains.spot.sheet.spacing=0.8", NULL };
    play              still = open_scene("splash-flag", "still", coarse);
    play_until(&still, 0.5);
    printf("still drop: ragged %.3f\n", raggedness(still.w));
    MUST(raggedness(still.w) < 1.25);
    MUST(ragged > 1.5 * raggedness(still.w));
    close_scene(&still);
}

/// Second moments of pigment where x and z have given signs (0: either), about the origin: xz over (xx + zz) / 2.
static double slant(const mn_stain_view *s, int sign_x, int sign_z)
{
    double xz = 0.0, r = 0.0;
    for (int64_t v = 0; v < s->vertex_count; v++) {
        const double x = s->position[v][0], z = s->position[v][2], m = s->area[v] * pigment_density(s, v);
        if (sign_x * x < 0.0 || sign_z * z < 0.0) continue;
        xz += m * x * z, r += 0.5 * m * (x * x + z * z);
    }
    return xz / r;
}

/// stain.T12: a stain on the corner of three weaves follows the threads of each.
static void weaves(void)
{
    const char *const coarse[] = { "stains.spot.sheet.spacing=0.8", NULL };
    const char *const round[]  = { "stains.spot.sheet.spacing=0.8", "stains.spot.patches.satin.rates=[1, 1]", "stains.spot.patches.twill.rates=[1, 1]", NULL };
    double            plain[2], satin[2], twill[2];
    for (int k = 0; k < 2; k++) {
        play p = open_scene("three-weaves", NULL, k == 0 ? coarse : round);
        play_until(&p, 3.0);
        const mn_stain_view s = mn_world_stain(p.w, 0);
        plain[k] = slant(&s, 1, 1), satin[k] = slant(&s, -1, 0), twill[k] = slant(&s, 1, -1);
        printf("slant of plain %.3f, satin %.3f, twill %.3f%s\n", plain[k], satin[k], twill[k], k == 0 ? "" : " if all were plain");
        close_scene(&p);
    }
    MUST(satin[0] > satin[1] + 0.4);                           // along (1, 0, 1)
    MUST(twill[0] < twill[1] - 0.1);                           // along (1, 0, -1), of which a quarter of a disc has some already
    MUST(fabs(plain[0] - plain[1]) < 0.15);                    // fed by its neighbours alone
}

/// Mean distance of a pigment from the origin.
static double ring_of(const mn_stain_view *s, int pigment)
{
    double sum = 0.0, all = 0.0;
    for (int64_t v = 0; v < s->vertex_count; v++) {
        const double m = mn_stain_view_pigment(s, pigment, v);
        sum += m * hypot(s->position[v][0], s->position[v][2]), all += m;
    }
    return sum / all;
}

/// Dyes part: the more one sticks, the less far it gets.
static void ink(void)
{
    const char *const coarse[] = { "stains.spot.sheet.spacing=0.3", NULL };
    play              p = open_scene("ink-on-cotton", NULL, coarse);
    play_until(&p, 12.0);
    const mn_stain_view s = mn_world_stain(p.w, 0);
    printf("mean distances: yellow %.3f, magenta %.3f, cyan %.3f\n", ring_of(&s, 0), ring_of(&s, 1), ring_of(&s, 2));
    MUST(ring_of(&s, 1) > 1.15 * ring_of(&s, 0));
    MUST(ring_of(&s, 2) > 1.1 * ring_of(&s, 1));
    close_scene(&p);
}

/// A wet spot on a shirt dries to the last drop; its dye stays, and a part of it as residue.
static void shirt(void)
{
    const char *const coarse[] = { "stains.shirt.sheet.spacing=1.5", NULL };
    play              p = open_scene("drying-shirt", NULL, coarse);
    const double      dye = mn_world_ledger(p.w).solute_total;
    play_until(&p, mn_scene_time(p.scene).end);
    const mn_stain_view s = mn_world_stain(p.w, 0);
    double              liquid = 0.0, residue = 0.0, low = 0.0, all = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = mn_stain_view_pigment(&s, 0, v);
        liquid += s.free[v] + s.held[v], residue += s.dried[0][v], low += m * (s.position[v][1] - 6.0), all += m;
    }
    printf("shirt: liquid left %.3g g, dye %.6f of %.6f g, residue %.4f g, dye %.3f cm below where it was\n", liquid, mn_world_ledger(p.w).solute_total, dye,
           residue, -low / all);
    MUST(liquid < 1e-12);
    MUST(fabs(mn_world_ledger(p.w).solute_total - dye) < 1e-12 * dye);
    MUST(residue > 0.05 * dye);
    MUST(low / all < -0.1);
    close_scene(&p);
}

/// Mean height of the cloth of a stain.
static double cloth_height(const mn_world *w)
{
    const mn_stain_view s = mn_world_stain(w, 0);
    double              sum = 0.0, area = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) sum += s.area[v] * s.position[v][1], area += s.area[v];
    return sum / area;
}

/// Middle of the liquid, on the cloth as it was at the start.
static void middle_at_start(const play *p, double out[3])
{
    const mn_stain_view s = mn_world_stain(p->w, 0);
    double              all = 0.0;
    memset(out, 0, 3 * sizeof *out);
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = s.free[v] + s.held[v];
        for (int a = 0; a < 3; a++) out[a] += m * p->start[v][a];
        all += m;
    }
    for (int a = 0; a < 3; a++) out[a] /= all;
}

/// stain.T5, T10: on a flag the liquid follows throw and gravity, and a light flag that feels it sinks.
static void flag(void)
{
    double       height[2], x[2][3];
    const char  *const names[2] = { NULL, "two-way" };
    const char  *const coarse[] = { "fabrics.flag.sheet.spacing=2.5", NULL };
    for (int k = 0; k < 2; k++) {
        play p = open_scene("waving-flag", names[k], coarse);
        play_until(&p, 0.2);
        height[k] = cloth_height(p.w);
        middle_at_start(&p, x[k]);
        printf("flag %s: mean height %.4f, liquid at (%.3f, %.3f)\n", k == 0 ? "one-way" : "two-way", height[k], x[k][0], x[k][1]);
        close_scene(&p);
    }
    MUST(x[0][0] > 1.0 && x[0][1] < 4.0);
    MUST(height[1] < height[0] - 0.2);                         // within its first swing; later the two wave out of step
}

/// stain.T6: the trail of a splash turns to the right on a table that turns anticlockwise, and not without Coriolis' force.
static void tablecloth(void)
{
    double      x[2][3];
    const char *const names[2] = { NULL, "no-coriolis" };
    const char *const coarse[] = { "fabrics.cloth.sheet.spacing=2.5", NULL };
    for (int k = 0; k < 2; k++) {
        play p = open_scene("tablecloth", names[k], coarse);
        play_until(&p, 0.4);
        middle_at_start(&p, x[k]);
        printf("tablecloth %s: liquid at (%.3f, %.3f)\n", k == 0 ? "" : names[k], x[k][0], x[k][2]);
        close_scene(&p);
    }
    // Thrown along x, the axis of the turn up along y: its right is +z.
    MUST(x[0][2] > x[1][2] + 1.0);
}

/// Spread of the second pigment of the blob, about its middle: along the horizontal at its middle over up and down.
static double wide_over_high(const mn_world *w)
{
    const mn_stain_view s = mn_world_stain(w, 0);
    double              all = 0.0, mid[3] = { 0.0, 0.0, 0.0 }, wide = 0.0, high = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = mn_stain_view_pigment(&s, 1, v);
        for (int a = 0; a < 3; a++) mid[a] += m * s.position[v][a];
        all += m;
    }
    for (int a = 0; a < 3; a++) mid[a] /= all;
    const double far = hypot(mid[0], mid[2]), tx = -mid[2] / far, tz = mid[0] / far;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = mn_stain_view_pigment(&s, 1, v), t = (s.position[v][0] - mid[0]) * tx + (s.position[v][2] - mid[2]) * tz, y = s.position[v][1] - mid[1];
        wide += m * t * t, high += m * y * y;
    }
    return sqrt(wide / high);
}

/// Mean distance of liquid from the axis of the blob.
static double off_axis(const mn_world *w)
{
    const mn_stain_view s = mn_world_stain(w, 0);
    double              sum = 0.0, all = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = s.free[v] + s.held[v];
        sum += m * hypot(s.position[v][0], s.position[v][2]), all += m;
    }
    return sum / all;
}

/// stain.T7, T8: a weave stretches its stain along its threads, turning drives liquid outward, and a source feeds on.
static void blob(void)
{
#define QUICK "domain.gravity=[0, 0, 0]", "stains.spot.spread=3", "stains.spot.drag=20"
    const char *const along[] = { QUICK, NULL }, *const across[] = { QUICK, "stains.spot.patches.middle.rates=[1, 10]", NULL };
    const char *const standing[] = { QUICK, "stains.spot.motion={spin: [0, 0, 0]}", NULL };
    play              a = open_scene("spinning-blob", NULL, along), b = open_scene("spinning-blob", NULL, across), c = open_scene("spinning-blob", NULL, standing);
    play_until(&a, 0.5), play_until(&b, 0.5), play_until(&c, 0.5);
    printf("blob: wide over high %.3f, with threads upright %.3f; off the axis %.4f, if it stands %.4f\n", wide_over_high(a.w), wide_over_high(b.w), off_axis(a.w),
           off_axis(c.w));
    MUST(wide_over_high(a.w) > 1.2 * wide_over_high(b.w));
    MUST(off_axis(a.w) > off_axis(c.w) + 0.05);
    close_scene(&a), close_scene(&b), close_scene(&c);
    play         fed = open_scene("spinning-blob", "source", NULL);
    double       had[3] = { mn_world_ledger(fed.w).liquid_stain };
    for (int k = 1; k < 3; k++) {
        play_until(&fed, 0.2 * k);
        had[k] = mn_world_ledger(fed.w).liquid_stain + mn_world_ledger(fed.w).liquid_evaporated;
    }
    printf("source: %.4f cm3, then %.4f and %.4f\n", had[0], had[1], had[2]);
    MUST(had[1] > 1.02 * had[0] && had[2] > 1.02 * had[1]);
    close_scene(&fed);
}

/// Every scene takes its first steps.
static void soak(void)
{
    static const char *const scenes[] = { "weave-comparison", "rotating-plane", "splash-flag", "three-weaves", "absorption", "adsorption", "coffee-ring",
                                          "ink-on-cotton", "drying-shirt", "spinning-blob", "waving-flag", "tablecloth" };
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) run_scene(scenes[k], "small", 0.2, NULL);
}

#define FACE 6

/// A ball of 10 cm with 146 vertices, for the blob: the faces of an octahedron in FACE rows each, blown up.
static void write_ball(const char *path)
{
    FILE *f = fopen(path, "w");
    if (f == NULL) exit(1);
    double (*x)[3] = malloc(8 * (FACE + 1) * (FACE + 2) / 2 * sizeof *x);
    int     count = 0, face[FACE + 1][FACE + 1];
    if (x == NULL) exit(1);
    for (int o = 0; o < 8; o++) {
        const double sign[3] = { o & 1 ? -1.0 : 1.0, o & 2 ? -1.0 : 1.0, o & 4 ? -1.0 : 1.0 };
        const bool   turned  = sign[0] * sign[1] * sign[2] < 0.0;
        for (int i = 0; i <= FACE; i++)
            for (int j = 0; i + j <= FACE; j++) {
                const double p[3] = { sign[0] * i, sign[1] * j, sign[2] * (FACE - i - j) }, size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                int          at   = 0;                          // edges are shared
                while (at < count && hypot(hypot(x[at][0] - 10.0 * p[0] / size, x[at][1] - 10.0 * p[1] / size), x[at][2] - 10.0 * p[2] / size) > 1e-6) at++;
                if (at == count) {
                    for (int a = 0; a < 3; a++) x[at][a] = 10.0 * p[a] / size;
                    fprintf(f, "v %.17g %.17g %.17g\n", x[at][0], x[at][1], x[at][2]);
                    count++;
                }
                face[i][j] = at + 1;
            }
        for (int i = 0; i < FACE; i++)
            for (int j = 0; i + j < FACE; j++) {
                const int a = face[i][j], b = face[i + 1][j], c = face[i][j + 1];
                fprintf(f, "f %d %d %d\n", a, turned ? c : b, turned ? b : c);
                if (i + j + 1 < FACE) fprintf(f, "f %d %d %d\n", b, turned ? c : face[i + 1][j + 1], turned ? face[i + 1][j + 1] : c);
            }
    }
    fclose(f);
    free(x);
}

/// Scenes whose cloth deforms, tiny, fed without end, for very many steps of their stain: no pigment is lost or made (stain.C20).
static void endure(const char *only, int64_t steps)
{
    static const char *const flag_set[] = { "fabrics.flag.sheet.spacing=5", "time.dt_max=0.01", "stains.spot.two_way=true",
        "stains.spot.sources={feed: {inside: {sphere: {center: [-10, 8, 0], radius: 5}}, density: 0.02, solutes: {wine: 0.04}}}", NULL };
    static const char *const table_set[] = { "fabrics.cloth.sheet.spacing=8", "time.dt_max=0.01",
        "stains.spot.sources={feed: {inside: {sphere: {radius: 9}}, density: 0.02, solutes: {wine: 0.04}}}",
        "stains.spot.drops.hit.inside.sphere.radius=8", NULL };
    static const char *const blob_set[] = { "stains.spot.sources={feed: {inside: {sphere: {center: [0, 9, 6], radius: 4}}, density: 0.05, solutes: {red: 0.05}}}",
        "stains.spot.mesh={file: stain-ball.obj}", "stains.spot.drops.one.inside.sphere.radius=5", "stains.spot.drops.two.inside.sphere.radius=5", NULL };
    static const struct { const char *scene; const char *const *set; } all[] = { { "waving-flag", flag_set }, { "tablecloth", table_set }, { "spinning-blob", blob_set } };
    write_ball("stain-ball.obj");
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (only != NULL && strcmp(only, all[k].scene) != 0) continue;
        play         p    = open_scene(all[k].scene, NULL, all[k].set);
        const double end  = 0.01 * (double)steps;
        double       most = 0.0;
        while (mn_world_time(p.w) < end) {
            if (mn_world_step(p.w, end) != MN_OK) stop(p.c, all[k].scene);
            if (mn_world_steps(p.w) % 100 == 0) most = fmax(most, fabs(mn_world_ledger(p.w).solute_error));
        }
        const mn_ledger l = mn_world_ledger(p.w);
        most = fmax(most, fabs(l.solute_error));
        printf("%s, %lld vertices: %lld steps of the stain, %lld of the world; pigment %.4f g, largest error %.2e, of liquid at the end %.2e\n", all[k].scene,
               (long long)mn_world_stain(p.w, 0).vertex_count, (long long)steps, (long long)mn_world_steps(p.w), l.solute_total, most, l.liquid_error);
        fflush(stdout);
        MUST(most <= 1e-12);
        close_scene(&p);
    }
    remove("stain-ball.obj");
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*run)(void); } subjects[] = {
        { "comparison", comparison }, { "plane", plane }, { "coffee", coffee }, { "absorption", absorption }, { "adsorption", adsorption }, { "soak", soak },
        { "halfturn", halfturn }, { "splash", splash }, { "weaves", weaves }, { "ink", ink }, { "shirt", shirt }, { "flag", flag }, { "tablecloth", tablecloth }, { "blob", blob },
    };
    if (argc >= 3 && strcmp(argv[1], "endure") == 0) {
        endure(argc > 3 ? argv[3] : NULL, strtoll(argv[2], NULL, 10));
        return failures > 0;
    }
    for (size_t k = 0; argc == 2 && k < sizeof subjects / sizeof *subjects; k++) {
        if (strcmp(argv[1], subjects[k].name) != 0) continue;
        subjects[k].run();
        return failures > 0;
    }
    fprintf(stderr, "usage: scene_stain comparison|plane|coffee|absorption|adsorption|soak|halfturn|splash|weaves|ink|shirt|flag|tablecloth|blob, or scene_stain endure STEPS [SCENE]\n");
    return 2;
}
