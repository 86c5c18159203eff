// SPDX-License-Identifier: MPL-2.0
// Rods: corners per second of forces and blocks, of the twist system, and of whole steps of strands on their own.
#include "elastic/rod_drive.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { STRANDS = 1000, LENGTH = 100, VERTICES = STRANDS * LENGTH, ROUNDS = 5 };

typedef struct world {
    mn_context     *c;
    mn_rod_network  net;
    mn_block_matrix matrix;
    mn_vec3        *x, *v, *force;
    double         *mass, *inertia, *rate;
} world;

static int build(world *w)
{
    static int32_t           vertex[VERTICES];
    static mn_rod_strand_def strand[STRANDS];
    mn_context_def           def = mn_context_def_default();
    def.threads                  = 1;
    if (mn_context_create(&def, &w->c) != MN_OK) return 1;
    w->x = mn_alloc_array(w->c, mn_vec3, VERTICES), w->v = mn_alloc_array(w->c, mn_vec3, VERTICES);
    w->force = mn_alloc_array(w->c, mn_vec3, VERTICES), w->mass = mn_alloc_array(w->c, double, VERTICES);
    w->inertia = mn_alloc_array(w->c, double, VERTICES), w->rate = mn_alloc_array(w->c, double, VERTICES);
    if (w->x == NULL || w->v == NULL || w->force == NULL || w->mass == NULL || w->inertia == NULL || w->rate == NULL)
        return 1;
    for (int32_t s = 0; s < STRANDS; s++) {
        for (int32_t i = 0; i < LENGTH; i++) {
            vertex[s * LENGTH + i] = s * LENGTH + i;
            w->x[s * LENGTH + i]   = mn_v3(0.1 * i, 0.2 * s + 0.1 * sin(0.3 * i), 0.1 * cos(0.3 * i + s));
        }
        strand[s] = (mn_rod_strand_def){ .vertex   = vertex + s * LENGTH,
                                         .count    = LENGTH,
                                         .rest     = MN_ROD_REST_STRAIGHT,
                                         .curl     = 1.0,
                                         .material = mn_rod_material_default() };
    }
    const mn_rod_network_def network = { strand, STRANDS, w->x, VERTICES };
    if (mn_rod_network_create(w->c, &network, &w->net) != MN_OK) return 1;
    mn_rod_network_masses(&w->net, w->mass, w->inertia);
    return mn_block_matrix_create(w->c, VERTICES, mn_rod_network_cliques(&w->net), mn_rod_network_clique, &w->net, true,
                                  &w->matrix) != MN_OK;
}

typedef enum part { BEGIN, FORCES_AND_BLOCKS, PROJECTED, TWIST, ACCEPT, PARTS } part;

static void run(world *w, part p)
{
    const mn_rod_twist_def twist = { .h = 1e-4 };
    switch (p) {
    case BEGIN: mn_rod_network_begin(&w->net, w->x, 1e-4); break;
    case FORCES_AND_BLOCKS:
    case PROJECTED:
        memset(w->force, 0, VERTICES * sizeof *w->force);
        mn_block_matrix_zero(w->c, &w->matrix);
        mn_rod_network_evaluate(&w->net, w->x, NULL, p == PROJECTED ? MN_ROD_PROJECTED : MN_ROD_TENSION, NULL);
        mn_rod_network_add_forces(&w->net, w->force);
        if (mn_rod_network_add_blocks(&w->net, 1e-8, &w->matrix) != MN_OK) puts(mn_context_error(w->c));
        break;
    case TWIST:
        if (mn_rod_network_solve_twist(&w->net, &twist, w->rate) != MN_OK) puts(mn_context_error(w->c));
        break;
    case ACCEPT: mn_rod_network_accept(&w->net, w->x, w->rate, 0.0); break;
    case PARTS: break;
    }
}

static void steps(world *w, bool newton)
{
    mn_rod_drive        drive;
    mn_rod_drive_report report;
    if (mn_rod_drive_create(&w->net, &drive) != MN_OK) return;
    mn_rod_drive_def def = mn_rod_drive_def_default(1e-4);
    def.policy = MN_ROD_TENSION, def.newton = newton, def.mass = w->mass, def.inertia = w->inertia;
    const double begin = seconds();
    if (mn_rod_drive_step(&drive, &def, w->x, w->v, &report) != MN_OK) puts(mn_context_error(w->c));
    printf("%-44s %10.3g vertices/s/core, %d iterations, %d failed\n",
           newton ? "step by Newton's method" : "linearised step", VERTICES / (seconds() - begin), report.iterations,
           report.failed);
    mn_rod_drive_destroy(&drive);
}

int main(void)
{
    static const char *const name[PARTS] = { "begin", "forces and blocks, Gauss-Newton with tension",
                                             "forces and blocks, projected", "twist system", "accept" };
    world                    w           = { 0 };
    if (build(&w) != 0) return 1;
    for (int p = 0; p < PARTS; p++) {
        double best = 1e9;
        for (int k = 0; k < ROUNDS; k++) {
            const double begin = seconds();
            run(&w, (part)p);
            best = fmin(best, seconds() - begin);
        }
        printf("%-44s %10.3g corners/s/core\n", name[p], (double)mn_rod_network_corners(&w.net) / best);
    }
    steps(&w, false);
    mn_block_matrix_destroy(w.c, &w.matrix);
    mn_rod_network_destroy(&w.net);
    void *blocks[] = { w.x, w.v, w.force, w.mass, w.inertia, w.rate };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) mn_free(w.c, blocks[k]);
    mn_context_destroy(&w.c);
    return 0;
}
