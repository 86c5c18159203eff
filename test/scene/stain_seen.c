// SPDX-License-Identifier: MPL-2.0
// scene/stain_seen.c - splashes, weaves, dyes, and stains on cloth that moves: what must be seen.
#include "scene/stain.h"

/// How ragged a stain about the origin is: the longest over the shortest reach of 24 directions.
static double raggedness(const mn_world *w)
{
    const mn_stain_view s            = mn_world_stain(w, 0);
    double              reach_to[24] = { 0.0 }, most = 0.0, longest = 0.0, shortest = INFINITY;
    for (int64_t v = 0; v < s.vertex_count; v++) most = fmax(most, pigment_density(&s, v));
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const int k = (int)((atan2(s.position[v][2], s.position[v][0]) / 6.283185307179586 + 0.5) * 23.999);
        if (pigment_density(&s, v) > 0.02 * most)
            reach_to[k] = fmax(reach_to[k], hypot(s.position[v][0], s.position[v][2]));
    }
    for (int k = 0; k < 24; k++) longest = fmax(longest, reach_to[k]), shortest = fmin(shortest, reach_to[k]);
    return longest / shortest;
}

/// stain.T4: a splash has a ragged rim, a still drop a smooth one; and what is thrown faster gets farther.
void splash(void)
{
    static const char *const throws[] = { "stains.spot.drops.hit.velocity=[0, 0, 0]",
                                          "stains.spot.drops.hit.velocity=[15, 0, 0]",
                                          "stains.spot.drops.hit.velocity=[30, 0, 0]",
                                          "stains.spot.drops.hit.velocity=[45, 0, 0]" };
    double                   ragged = 0.0, before = -1.0;
    for (int k = 0; k < 4; k++) {
        const char *const set[] = { throws[k], "stains.spot.sheet.spacing=0.8", NULL };
        play              p     = open_scene("splash-flag", NULL, set);
        play_until(&p, 0.5);
        const sight r = look(p.w);
        if (k == 0) ragged = raggedness(p.w);
        printf("splash thrown with %d cm/s: middle %.3f, %.3f; ragged %.3f\n", 15 * k, r.x, r.z, raggedness(p.w));
        MUST(k == 0 || r.x > before + 1.0);
        before = r.x;
        close_scene(&p);
    }
    const char *const coarse[] = { "stains.spot.sheet.spacing=0.8", NULL };
    play              still    = open_scene("splash-flag", "still", coarse);
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
void weaves(void)
{
    const char *const coarse[] = { "stains.spot.sheet.spacing=0.8", NULL };
    const char *const round[]  = { "stains.spot.sheet.spacing=0.8", "stains.spot.patches.satin.rates=[1, 1]",
                                   "stains.spot.patches.twill.rates=[1, 1]", NULL };
    double            plain[2], satin[2], twill[2];
    for (int k = 0; k < 2; k++) {
        play p = open_scene("three-weaves", NULL, k == 0 ? coarse : round);
        play_until(&p, 3.0);
        const mn_stain_view s = mn_world_stain(p.w, 0);
        plain[k] = slant(&s, 1, 1), satin[k] = slant(&s, -1, 0), twill[k] = slant(&s, 1, -1);
        printf("slant of plain %.3f, satin %.3f, twill %.3f%s\n", plain[k], satin[k], twill[k],
               k == 0 ? "" : " if all were plain");
        close_scene(&p);
    }
    MUST(satin[0] > satin[1] + 0.4);         // along (1, 0, 1)
    MUST(twill[0] < twill[1] - 0.1);         // along (1, 0, -1), of which a quarter of a disc has some already
    MUST(fabs(plain[0] - plain[1]) < 0.15);  // fed by its neighbours alone
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
void ink(void)
{
    const char *const coarse[] = { "stains.spot.sheet.spacing=0.3", NULL };
    play              p        = open_scene("ink-on-cotton", NULL, coarse);
    play_until(&p, 12.0);
    const mn_stain_view s = mn_world_stain(p.w, 0);
    printf("mean distances: yellow %.3f, magenta %.3f, cyan %.3f\n", ring_of(&s, 0), ring_of(&s, 1), ring_of(&s, 2));
    MUST(ring_of(&s, 1) > 1.15 * ring_of(&s, 0));
    MUST(ring_of(&s, 2) > 1.1 * ring_of(&s, 1));
    close_scene(&p);
}

/// A wet spot on a shirt dries to the last drop; its dye stays, and a part of it as residue.
void shirt(void)
{
    const char *const coarse[] = { "stains.shirt.sheet.spacing=1.5", NULL };
    play              p        = open_scene("drying-shirt", NULL, coarse);
    const double      dye      = mn_world_ledger(p.w).solute_total;
    play_until(&p, mn_scene_time(p.scene).end);
    const mn_stain_view s      = mn_world_stain(p.w, 0);
    double              liquid = 0.0, residue = 0.0, low = 0.0, all = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = mn_stain_view_pigment(&s, 0, v);
        liquid += s.free[v] + s.held[v], residue += s.dried[0][v], low += m * (s.position[v][1] - 6.0), all += m;
    }
    printf("shirt: liquid left %.3g g, dye %.6f of %.6f g, residue %.4f g, dye %.3f cm below where it was\n", liquid,
           mn_world_ledger(p.w).solute_total, dye, residue, -low / all);
    MUST(liquid < 1e-12);
    MUST(fabs(mn_world_ledger(p.w).solute_total - dye) < 1e-12 * dye);
    MUST(residue > 0.05 * dye);
    MUST(low / all < -0.1);
    close_scene(&p);
}

/// Mean height of the cloth of a stain.
static double cloth_height(const mn_world *w)
{
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              sum = 0.0, area = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) sum += s.area[v] * s.position[v][1], area += s.area[v];
    return sum / area;
}

/// Middle of the liquid, on the cloth as it was at the start.
static void middle_at_start(const play *p, double out[3])
{
    const mn_stain_view s   = mn_world_stain(p->w, 0);
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
void flag(void)
{
    double            height[2], x[2][3];
    const char *const names[2] = { NULL, "two-way" };
    const char *const coarse[] = { "fabrics.flag.sheet.spacing=2.5", NULL };
    for (int k = 0; k < 2; k++) {
        play p = open_scene("waving-flag", names[k], coarse);
        play_until(&p, 0.2);
        height[k] = cloth_height(p.w);
        middle_at_start(&p, x[k]);
        printf("flag %s: mean height %.4f, liquid at (%.3f, %.3f)\n", k == 0 ? "one-way" : "two-way", height[k],
               x[k][0], x[k][1]);
        close_scene(&p);
    }
    MUST(x[0][0] > 1.0 && x[0][1] < 4.0);
    MUST(height[1] < height[0] - 0.2);  // within its first swing; later the two wave out of step
}

/// stain.T6: the trail of a splash turns to the right on a table that turns anticlockwise, and not without Coriolis'
/// force.
void tablecloth(void)
{
    double            x[2][3];
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
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              all = 0.0, mid[3] = { 0.0, 0.0, 0.0 }, wide = 0.0, high = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = mn_stain_view_pigment(&s, 1, v);
        for (int a = 0; a < 3; a++) mid[a] += m * s.position[v][a];
        all += m;
    }
    for (int a = 0; a < 3; a++) mid[a] /= all;
    const double far = hypot(mid[0], mid[2]), tx = -mid[2] / far, tz = mid[0] / far;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = mn_stain_view_pigment(&s, 1, v),
                     t = (s.position[v][0] - mid[0]) * tx + (s.position[v][2] - mid[2]) * tz,
                     y = s.position[v][1] - mid[1];
        wide += m * t * t, high += m * y * y;
    }
    return sqrt(wide / high);
}

/// Mean distance of liquid from the axis of the blob.
static double off_axis(const mn_world *w)
{
    const mn_stain_view s   = mn_world_stain(w, 0);
    double              sum = 0.0, all = 0.0;
    for (int64_t v = 0; v < s.vertex_count; v++) {
        const double m = s.free[v] + s.held[v];
        sum += m * hypot(s.position[v][0], s.position[v][2]), all += m;
    }
    return sum / all;
}

/// stain.T7, T8: a weave stretches its stain along its threads, turning drives liquid outward, and a source feeds on.
void blob(void)
{
#define QUICK "domain.gravity=[0, 0, 0]", "stains.spot.spread=3", "stains.spot.drag=20"
    const char *const along[] = { QUICK, NULL }, *const across[] = { QUICK, "stains.spot.patches.middle.rates=[1, 10]",
                                                                     NULL };
    const char *const standing[] = { QUICK, "stains.spot.motion={spin: [0, 0, 0]}", NULL };
    play              a = open_scene("spinning-blob", NULL, along), b = open_scene("spinning-blob", NULL, across),
         c = open_scene("spinning-blob", NULL, standing);
    play_until(&a, 0.5), play_until(&b, 0.5), play_until(&c, 0.5);
    printf("blob: wide over high %.3f, with threads upright %.3f; off the axis %.4f, if it stands %.4f\n",
           wide_over_high(a.w), wide_over_high(b.w), off_axis(a.w), off_axis(c.w));
    MUST(wide_over_high(a.w) > 1.2 * wide_over_high(b.w));
    MUST(off_axis(a.w) > off_axis(c.w) + 0.05);
    close_scene(&a), close_scene(&b), close_scene(&c);
    play   fed    = open_scene("spinning-blob", "source", NULL);
    double had[3] = { mn_world_ledger(fed.w).liquid_stain };
    for (int k = 1; k < 3; k++) {
        play_until(&fed, 0.2 * k);
        had[k] = mn_world_ledger(fed.w).liquid_stain + mn_world_ledger(fed.w).liquid_evaporated;
    }
    printf("source: %.4f cm3, then %.4f and %.4f\n", had[0], had[1], had[2]);
    MUST(had[1] > 1.02 * had[0] && had[2] > 1.02 * had[1]);
    close_scene(&fed);
}
