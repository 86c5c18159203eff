// SPDX-License-Identifier: MPL-2.0
// bench_stain - what a step of a stain costs, part by part: a waving, spinning cloth of one weave, half of it wet.
//
// A square of 100 cm (187 x 187 vertices; larger with more), warp and weft at 17 degrees to the mesh and 25 to 1 in
// diffusion, two pigments that spread in the liquid, friction, absorption, adsorption and evaporation, a velocity of
// some 20 cm/s. Milliseconds of processor time, the least of each part over the steps; for the whole step also of the
// wall clock, which counts for what other programs leave of the machine. The last columns are vertices per second on
// that clock and bytes per vertex. usage: bench_stain [THREADS [SIDE_VERTICES [STEPS [STIFFNESS]]]]; STIFFNESS
// multiplies the tensors
#include "base/arena.h"
#include "base/timer.h"
#include "stain/film.h"
#include "verify/stain/stain_meshes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(mn_context *c, mn_status status)
{
    if (status == MN_OK) return;
    fprintf(stderr, "%s\n", mn_context_error(c));
    exit(1);
}

#define SPACING (100.0 / 186.0)

/// Turning about the y axis through its middle, its rim at 100 cm/s, with waves of 5 cm.
static void place(const mn_stain_mesh *m, double t, mn_vec3 *x)
{
    const mn_mat3 turn = mn_rotation3(mn_v3(0.0, 1.0, 0.0), 100.0 / fabs(m->x[0].x) * t);
    for (int64_t v = 0; v < m->vertex_count; v++) {
        const mn_vec3 p = m->x[v];
        x[v]            = mn_mul3(turn, mn_v3(p.x, p.y, 5.0 * sin(0.1 * p.x + 3.0 * t)));
    }
}

static void wet(const mn_stain_mesh *m, mn_stain_film *f)
{
    for (int64_t v = 0; v < m->vertex_count; v++) {
        const double r = mn_norm3(m->x[v]) / fabs(m->x[0].x);
        if (r > 0.8) continue;
        const double liquid = 0.02 * (1.2 - r / 0.8) * f->surface->area[v], pigment[2] = { 0.2 * liquid, 0.1 * liquid };
        mn_stain_film_add(f, v, liquid, pigment, (mn_stain_vec){ 20.0, 5.0 * sin(0.2 * m->x[v].y) });
    }
}

static mn_stain_film *build(mn_context *c, const mn_stain_mesh *m, double stiffness)
{
    mn_stain_tensor *s[2];
    for (int k = 0; k < 2; k++) {
        s[k] = malloc((size_t)m->triangle_count * sizeof **s);
        for (int64_t t = 0; t < m->triangle_count; t++)
            s[k][t] = mn_stain_tensor_at((mn_stain_tensor){ (k == 0 ? 0.5 : 0.1) * stiffness, 0.0,
                                                            (k == 0 ? 0.02 : 0.004) * stiffness },
                                         17.0 * MN_PI / 180.0 + mn_stain_mesh_angle(m, t));
    }
    const mn_stain_pigment       pigment[2] = { mn_stain_pigment_default(), mn_stain_pigment_default() };
    const mn_stain_tensor *const mix[2]     = { s[1], s[1] };
    mn_stain_film_def            def        = mn_stain_film_def_default();
    mn_stain_film               *f;
    def.vertex_count   = m->vertex_count;
    def.triangle_count = m->triangle_count;
    def.x              = m->x;
    def.triangle       = m->triangle;
    def.spread         = s[0];
    def.friction       = s[0];
    def.pigments       = 2;
    def.pigment        = pigment;
    def.mix            = mix;
    def.exchange.hold  = 0.015;
    check(c, mn_stain_film_create(c, &def, &f));
    free(s[0]);
    free(s[1]);
    return f;
}

int main(int argc, char **argv)
{
    const int threads = argc > 1 ? atoi(argv[1]) : 2, side = argc > 2 ? atoi(argv[2]) : 187,
              steps          = argc > 3 ? atoi(argv[3]) : 20;
    const double   stiffness = argc > 4 ? atof(argv[4]) : 1.0;
    mn_context_def def       = mn_context_def_default();
    mn_context    *c;
    mn_stain_mesh  m;
    mn_arena      *arena;
    def.threads = threads;
    if (mn_context_create(&def, &c) != MN_OK) return 1;
    const mn_stain_square_def square = { .nx        = side,
                                         .ny        = side,
                                         .spacing   = SPACING,
                                         .jitter    = 0.25,
                                         .diagonals = MN_DIAGONALS_RANDOM,
                                         .seed      = 1 };
    check(c, mn_stain_mesh_square(c, &square, &m));
    check(c, mn_arena_create(c, &arena));
    const double         begin = mn_cpu_seconds();
    mn_stain_film       *f     = build(c, &m, stiffness);
    const double         setup = mn_cpu_seconds() - begin;
    mn_vec3             *x     = malloc((size_t)m.vertex_count * sizeof *x);
    double               best[MN_STAIN_PART_COUNT], whole = 1e9, cpu = 1e9;
    mn_stain_step_report report = { 0 };
    for (int k = 0; k < MN_STAIN_PART_COUNT; k++) best[k] = 1e9;
    wet(&m, f);
    place(&m, -f->def.h, x);
    mn_vec3 *now = malloc((size_t)m.vertex_count * sizeof *now);
    place(&m, 0.0, now);
    check(c, mn_stain_film_place(f, x, now));
    for (int n = 1; n <= steps; n++) {
        place(&m, n * f->def.h, x);
        check(c, mn_arena_reset(arena));
        const double used = mn_cpu_seconds(), at = mn_seconds();
        check(c, mn_stain_film_step(f, x, arena, &report));
        cpu   = fmin(cpu, mn_cpu_seconds() - used);
        whole = fmin(whole, mn_seconds() - at);
        for (int k = 0; k < MN_STAIN_PART_COUNT; k++) best[k] = fmin(best[k], report.seconds[k]);
    }
    printf("threads,vertices,triangles,setup_cpu_s,sub_steps,iterations_u,iterations,iterations_s");
    for (int k = 0; k < MN_STAIN_PART_COUNT; k++) printf(",%s", mn_stain_part_name(k));
    printf(",step_wall,step_cpu,vertices_per_s,bytes_per_vertex\n%d,%lld,%lld,%.2f,%d,%d,%d,%d", threads,
           (long long)m.vertex_count, (long long)m.triangle_count, setup, report.parts, report.iterations_u,
           report.iterations, report.iterations_s);
    for (int k = 0; k < MN_STAIN_PART_COUNT; k++) printf(",%.2f", 1e3 * best[k]);
    printf(",%.2f,%.2f,%.0f,%.0f\n", 1e3 * whole, 1e3 * cpu, (double)m.vertex_count / whole,
           (double)mn_context_memory(c).bytes_peak / (double)m.vertex_count);
    mn_stain_film_destroy(&f);
    free(x);
    free(now);
    mn_arena_destroy(&arena);
    mn_stain_mesh_free(c, &m);
    mn_context_destroy(&c);
    return 0;
}
