// SPDX-License-Identifier: MPL-2.0
// bench_exchange - what it costs that liquid changes owner: capture, dripping and cohesion alone, for a sheet of N x N
// vertices.
//
// In each case the same call is made on the same state; milliseconds of processor time of the fastest of some rounds.
// usage: bench_exchange [THREADS [SIDE_VERTICES]]
#include "base/timer.h"
#include "couple/capture.h"
#include "couple/cohesion.h"
#include "couple/drip.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS  7
#define SPACING 0.144

typedef struct bench_case {
    const char *name;
    int         layers;
    double      bath[3], height;  ///< cm, size of the liquid and how far above the sheet its middle is
    double      saturation;
    int         what;  ///< 0 capture, 1 drip, 2 cohesion
} bench_case;

static void check(mn_context *c, mn_status status)
{
    if (status == MN_OK) return;
    fprintf(stderr, "%s\n", mn_context_error(c));
    exit(1);
}

static mn_world *build(mn_context *c, const bench_case *b, int side)
{
    const double width = SPACING * (side - 1);
    mn_world_def def   = mn_world_def_default();
    mn_world    *w;
    def.domain.cell = 2.0 * SPACING;
    check(c, mn_world_create(c, &def, &w));
    for (int k = 0; k < b->layers; k++) {
        const mn_cloth_def cloth = { .outline = MN_CLOTH_RECTANGLE,
                                     .size    = { width / b->layers, width },
                                     .spacing = SPACING };
        mn_thin_mesh       mesh;
        mn_fabric_def      sheet = mn_fabric_def_default();
        check(c, mn_cloth_generate(c, &cloth, &mesh));
        snprintf(sheet.name, sizeof sheet.name, "sheet %d", k);
        sheet.mesh  = &mesh;
        sheet.at[1] = 0.072 * k;
        check(c, mn_world_add_fabric(w, &sheet));
        mn_thin_mesh_free(c, &mesh);
    }
    mn_shape_def  box  = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def bath = mn_liquid_def_default();
    for (int a = 0; a < 3; a++) box.size[a] = b->bath[a];
    bath.at[1] = b->height;
    check(c, mn_shape_create(c, &box, &bath.shape));
    check(c, mn_world_add_liquid(w, &bath));
    mn_shape_release(&bath.shape);
    return w;
}

/// One round on the state as made: seconds of all threads.
static double measure(mn_context *c, mn_world *w, const bench_case *b, char *said, size_t bytes)
{
    mn_exchange_report e = { 0 };
    mn_cohesion_report r = { 0 };
    mn_fabric         *q = &w->fabric;
    check(c, mn_arena_reset(w->arena));
    check(c, mn_world_place_solids(w, 0.0));
    for (int64_t v = 0; v < q->vertices.count; v++) q->vertices.held[0][v] = b->saturation * mn_fabric_pores(q, v);
    for (int64_t i = 0; i < mn_liquid_now(&w->liquid)->count; i++)
        mn_liquid_now(&w->liquid)->volume[0][i] = w->liquid.model.reference_volume;
    const int64_t count = mn_liquid_now(&w->liquid)->count;
    check(c, mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }));
    check(c, mn_fabric_activate(q, &(mn_step){ .arena = w->arena }));
    check(c, mn_fabric_forces(q, &(mn_step){ .arena = w->arena, .time = 0.0, .dt = 1e-3 }));
    const double begin = mn_cpu_seconds();
    if (b->what == 0) check(c, mn_capture(&w->liquid, q, &(mn_step){ .arena = w->arena, .dt = 1e-5 }, &e));
    if (b->what == 1)
        check(c, mn_drip(&w->liquid, q, &(mn_step){ .arena = w->arena, .solids = w->solids, .number = 1 },
                         &w->now.next_id, &e));
    if (b->what == 2) check(c, mn_cohesion(&w->liquid, q, &(mn_step){ .arena = w->arena }, &r));
    const double seconds = mn_cpu_seconds() - begin;
    snprintf(said, bytes, "near %lld; thirsty %lld; drops %lld; searched %lld; pairs %lld", (long long)e.near,
             (long long)e.thirsty, (long long)e.drops, (long long)r.searched, (long long)r.pairs);
    mn_liquid_now(&w->liquid)->count = count;
    return seconds;
}

int main(int argc, char **argv)
{
    const int        threads = argc > 1 ? atoi(argv[1]) : 1, side = argc > 2 ? atoi(argv[2]) : 100;
    const double     w       = SPACING * (side - 1);
    const bench_case cases[] = {
        { "capture_small_drop", 1, { 4.0, 4.0, 2.0 }, 0.0, 0.0, 0 },
        { "capture_layer", 1, { w, 0.288, w }, 0.0, 0.0, 0 },
        { "capture_bath", 1, { 1.1 * w, 4.2, 1.1 * w }, 0.0, 0.0, 0 },
        { "capture_bath_far", 1, { 1.1 * w, 4.2, 1.1 * w }, 8.0, 0.0, 0 },
        { "capture_bath_full", 1, { 1.1 * w, 4.2, 1.1 * w }, 0.0, 1.0, 0 },
        { "drip_none", 1, { 4.0, 4.0, 2.0 }, 0.0, 1.0, 1 },
        { "drip_less_than_a_drop", 1, { 4.0, 4.0, 2.0 }, 0.0, 1.2, 1 },
        { "drip_many", 1, { 4.0, 4.0, 2.0 }, 0.0, 2.5, 1 },
        { "cohesion_dry", 2, { 4.0, 4.0, 2.0 }, 8.0, 0.0, 2 },
        { "cohesion_damp_layers", 2, { 4.0, 4.0, 2.0 }, 8.0, 0.5, 2 },
        { "cohesion_wet_layers", 2, { 4.0, 4.0, 2.0 }, 8.0, 1.0, 2 },
        { "cohesion_wet_alone", 1, { 4.0, 4.0, 2.0 }, 8.0, 1.0, 2 },
    };
    printf("case,threads,vertices,particles,cpu_ms,what\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        mn_context_def def = mn_context_def_default();
        mn_context    *c;
        def.threads = threads;
        if (mn_context_create(&def, &c) != MN_OK) return 1;
        mn_world *world = build(c, &cases[k], side);
        double    best  = 1e9;
        char      said[200];
        for (int round = 0; round < ROUNDS; round++) {
            const double seconds = measure(c, world, &cases[k], said, sizeof said);
            if (seconds < best) best = seconds;
        }
        printf("%s,%d,%lld,%lld,%.3f,%s\n", cases[k].name, threads, (long long)world->fabric.vertices.count,
               (long long)mn_liquid_now(&world->liquid)->count, 1e3 * best, said);
        mn_world_destroy(&world);
        mn_context_destroy(&c);
    }
    return 0;
}
