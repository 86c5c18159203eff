// SPDX-License-Identifier: MPL-2.0
// scene/stain_endure.c - stains on deforming cloth for very many steps.
#include "scene/stain.h"

#define FACE 6

/// A ball of 10 cm with 146 vertices, for the blob: the faces of an octahedron in FACE rows each, blown up.
static void write_ball(const char *path)
{
    FILE *f = fopen(path, "w");
    if (f == NULL) exit(1);
    double(*x)[3] = malloc(8 * (FACE + 1) * (FACE + 2) / 2 * sizeof *x);
    int count     = 0, face[FACE + 1][FACE + 1];
    if (x == NULL) exit(1);
    for (int o = 0; o < 8; o++) {
        const double sign[3] = { o & 1 ? -1.0 : 1.0, o & 2 ? -1.0 : 1.0, o & 4 ? -1.0 : 1.0 };
        const bool   turned  = sign[0] * sign[1] * sign[2] < 0.0;
        for (int i = 0; i <= FACE; i++)
            for (int j = 0; i + j <= FACE; j++) {
                const double p[3] = { sign[0] * i, sign[1] * j, sign[2] * (FACE - i - j) },
                             size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
                int at            = 0;  // edges are shared
                while (at < count && hypot(hypot(x[at][0] - 10.0 * p[0] / size, x[at][1] - 10.0 * p[1] / size),
                                           x[at][2] - 10.0 * p[2] / size) > 1e-6)
                    at++;
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
                if (i + j + 1 < FACE)
                    fprintf(f, "f %d %d %d\n", b, turned ? c : face[i + 1][j + 1], turned ? face[i + 1][j + 1] : c);
            }
    }
    fclose(f);
    free(x);
}

/// Scenes whose cloth deforms, tiny, fed without end, for very many steps of their stain: no pigment is lost or made
/// (stain.C20).
void endure(const char *only, int64_t steps)
{
    static const char *const flag_set[] = { "fabrics.flag.sheet.spacing=8",
                                            "time.dt_max=0.01",
                                            "stains.spot.two_way=true",
                                            "stains.spot.drops.hit.inside.sphere.radius=6",
                                            "stains.spot.sources={feed: {inside: {sphere: {center: [-10, 8, 0], "
                                            "radius: 7}}, density: 0.02, solutes: {wine: 0.04}}}",
                                            NULL };
    // Left alone, the cloth slides off its table after two and a half minutes and falls for ever: its middle is held.
    static const char *const table_set[] = {
        "fabrics.cloth.sheet.spacing=12",
        "time.dt_max=0.01",
        "fabrics.cloth.groups={middle: {ball: {radius: 10}}}",
        "fabrics.cloth.pins={middle: {motion: {spin: [0, 180, 0]}}}",
        "stains.spot.sources={feed: {inside: {sphere: {radius: 13}}, density: 0.02, solutes: {wine: 0.04}}}",
        "stains.spot.drops.hit.inside.sphere.radius=12",
        NULL
    };
    static const char *const blob_set[] = { "stains.spot.sources={feed: {inside: {sphere: {center: [0, 9, 6], radius: "
                                            "4}}, density: 0.05, solutes: {red: 0.05}}}",
                                            "stains.spot.mesh={file: stain-ball.obj}",
                                            "stains.spot.drops.one.inside.sphere.radius=5",
                                            "stains.spot.drops.two.inside.sphere.radius=5", NULL };
    static const struct {
        const char        *scene;
        const char *const *set;
    } all[] = { { "waving-flag", flag_set }, { "tablecloth", table_set }, { "spinning-blob", blob_set } };
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
        most              = fmax(most, fabs(l.solute_error));
        printf("%s, %lld vertices: %lld steps of the stain, %lld of the world; pigment %.4f g, largest error %.2e, of "
               "liquid at the end %.2e\n",
               all[k].scene, (long long)mn_world_stain(p.w, 0).vertex_count, (long long)steps,
               (long long)mn_world_steps(p.w), l.solute_total, most, l.liquid_error);
        fflush(stdout);
        MUST(most <= 1e-12);
        close_scene(&p);
    }
    remove("stain-ball.obj");
}
