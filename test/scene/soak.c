// SPDX-License-Identifier: MPL-2.0
// scene/soak.c - a paddle turns in a basin for a very long time.
//
//     scene_soak STEPS        fails if a step fails or is taken back, liquid is lost, or a particle ends a frame inside
//     a solid
#include "world/world.h"

#include <meniscus/meniscus.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/// What the frames so far have shown.
typedef struct record {
    int64_t frames, inside, rejected;
    double  nearest;  ///< cm, smallest distance of a particle from a solid
    double  error;    ///< largest liquid_error
} record;

static int stop(mn_context *c)
{
    fprintf(stderr, "scene_soak: %s\n", mn_context_error(c));
    return 1;
}

static void note_frame(record *r, mn_world *w)
{
    mn_solid  solids[16];
    const int count = w->wall_count + (int)w->obstacle_count;
    if (count > 16) exit(1);
    mn_world_solids(w, mn_world_time(w), solids);
    const mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++) {
        const mn_vec3 x = mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]);
        const double  d = mn_solids_distance((mn_solids){ solids, count }, x, NULL, NULL);
        r->inside += d < 0.0;
        r->nearest = fmin(r->nearest, d);
    }
    const mn_ledger l = mn_world_ledger(w);
    r->error          = fmax(r->error, fabs(l.liquid_error));
    r->rejected += l.rejected;
    r->frames++;
}

static void print(const record *r, const mn_world *w, int64_t particles)
{
    printf("step %lld, frame %lld, %lld particles: %lld inside a solid, nearest %.5f cm, error %.1e, %lld steps taken "
           "back\n",
           (long long)mn_world_steps(w), (long long)r->frames, (long long)particles, (long long)r->inside, r->nearest,
           r->error, (long long)r->rejected);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const int64_t   steps  = argc > 1 ? atoll(argv[1]) : 1000;
    mn_context_def  cd     = mn_context_def_default();
    mn_scene_source source = { .path = MN_SOURCE_DIR "/scenes/liquid/rotating-paddle.yaml", .variant = "small" };
    mn_context     *c;
    mn_scene       *scene;
    mn_world       *w;
    if (mn_context_create(&cd, &c) != MN_OK) return 1;
    if (mn_scene_load(c, &source, &scene) != MN_OK || mn_scene_build(scene, &w) != MN_OK) return stop(c);
    record       r    = { .nearest = INFINITY };
    const double rate = mn_scene_time(scene).frame_rate;
    while (mn_world_steps(w) < steps) {
        const double until = (double)(mn_world_frame(w) + 1) / rate;
        while (mn_world_time(w) < until)
            if (mn_world_step(w, until) != MN_OK) return stop(c);
        note_frame(&r, w);
        mn_world_end_frame(w);
        if (r.frames % 1000 == 0) print(&r, w, mn_liquid_now(&w->liquid)->count);
    }
    print(&r, w, mn_liquid_now(&w->liquid)->count);
    mn_world_destroy(&w);
    mn_scene_destroy(&scene);
    mn_context_destroy(&c);
    return r.inside > 0 || r.rejected > 0 || r.error > 1e-12;
}
