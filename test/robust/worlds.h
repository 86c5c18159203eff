// SPDX-License-Identifier: MPL-2.0
// test/robust/worlds.h - small worlds that between them hold every system, a little way into their runs, and the state
// of a world taken apart, block by block, so that two can be compared and the difference has a name.
#ifndef ROBUST_WORLDS_H
#define ROBUST_WORLDS_H

#include "base/fields.h"
#include "base/hash.h"
#include "meniscus/scene.h"
#include "world/matter.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition, ...)                                                      \
    do {                                                                           \
        if (!(condition)) {                                                        \
            fprintf(stderr, "FAILED %s:%d: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                          \
            fprintf(stderr, "\n");                                                 \
            exit(1);                                                               \
        }                                                                          \
    } while (0)

#define WORLD_SETS 3

typedef struct whole_world {
    const char *name, *scene, *variant;
    const char *set[WORLD_SETS];
    int         steps;  ///< into the run, at least
} whole_world;

/// What each holds that the others do not.
static const whole_world whole_worlds[] = {
    // pile on cloth (shell, rods, their joints), liquid that hits it, soaks in and drips
    { "splash-fuzzy",
      "scenes/fabric/splash-fuzzy.yaml",
      "small",
      { "liquids.drop.fill.inside={sphere: {center: [0, 1.0, 0], radius: 0.9}}",
        "fabrics.cloth.saturation={all: 0.2}" },
      12 },
    // pigment of liquid and pores, a source, an obstacle, probes of fabric
    { "wine-on-tablecloth",
      "scenes/stain/wine-on-tablecloth.yaml",
      "small",
      { "liquids.glass.source.at=[0, 1.2, 0]", "fabrics.cloth.evaporation=10 g/m2/s" },
      12 },
    // a stain on a sheet alone, with inertia
    { "splash-flag", "scenes/stain/splash-flag.yaml", "small", { NULL }, 3 },
    // a stain on fabric that moves, which feels its weight
    { "waving-flag", "scenes/stain/waving-flag.yaml", "small", { "stains.spot.two_way=true" }, 6 },
    // yarn that is turned, yarns that touch
    { "plied-bundle", "scenes/yarn/plied-bundle.yaml", "small", { NULL }, 40 },
    // cloth that lies on a ball, with friction
    { "drape-sphere", "scenes/cloth/drape-sphere.yaml", "small", { NULL }, 30 },
    // liquid alone
    { "dam-break", "scenes/liquid/dam-break.yaml", "small", { NULL }, 8 },
    // viscous liquid
    { "honey-coil", "scenes/liquid/honey-coil.yaml", "small", { NULL }, 30 },
    // a source, a sink, an obstacle that moves, and probes that add up over a frame
    { "pour",
      "test/robust/pour.yaml",
      NULL,
      { "probes.through={flux: {point: [0, 4, 0], normal: [0, -1, 0]}}", "liquids.tap.solutes={ink: 5 g/l}",
        "materials.ink={kind: pigment, absorbance: [0.1, 0.2, 0.3]}" },
      20 },
};
#define WHOLE_WORLDS ((int)(sizeof whole_worlds / sizeof *whole_worlds))

/// A step to the next time a frame or a film may end at, as a run makes them; its length is world->dt afterwards.
static inline mn_status natural_step(mn_world *w) { return mn_world_step(w, 1e9); }

/// The world, so far into its run that a film, if there is one, makes its step in the next step of the world.
static inline mn_world *whole_world_make(mn_context *c, const whole_world *which)
{
    char      path[1024];
    int       sets  = 0;
    mn_scene *scene = NULL;
    mn_world *w     = NULL;
    snprintf(path, sizeof path, "%s/%s", MN_SOURCE_DIR, which->scene);
    while (sets < WORLD_SETS && which->set[sets] != NULL) sets++;
    const mn_scene_source source = { .path = path, .variant = which->variant, .set = which->set, .set_count = sets };
    CHECK(mn_scene_load(c, &source, &scene) == MN_OK && mn_scene_build(scene, &w) == MN_OK, "%s: %s", which->name,
          mn_context_error(c));
    mn_scene_destroy(&scene);
    for (int k = 0;; k++) {
        const bool film_is_next = w->stains.count == 0 ||
                                  mn_stains_stop(&w->stains, w->now.time, 1e9) - w->now.time <= 1.0001 * w->dt;
        if (k >= which->steps && film_is_next) return w;
        CHECK(natural_step(w) == MN_OK, "%s: %s", which->name, mn_context_error(c));
        CHECK(k < which->steps + 1000, "%s: no film makes a step", which->name);
    }
}

typedef struct parts_of_state {
    int      blocks, scalars;
    uint64_t hash[512];
    int64_t  count[512];
    char     name[512][64];
    uint64_t scalar[MN_SCALAR_COUNT];
} parts_of_state;

static inline void take_apart(mn_world *w, parts_of_state *out)
{
    const mn_state_block  *b;
    const mn_state_scalar *s;
    mn_world_state(w, &b, &out->blocks, &s, &out->scalars);
    CHECK(out->blocks <= 512, "%d blocks", out->blocks);
    for (int k = 0; k < out->blocks; k++) {
        out->hash[k]  = mn_fields_hash(b[k].table, b[k].base, *b[k].count, MN_HASH_SEED);
        out->count[k] = *b[k].count;
        snprintf(out->name[k], sizeof out->name[k], "%s", b[k].table->name);
    }
    for (int k = 0; k < out->scalars; k++) {
        CHECK(mn_type_size(s[k].type) == 8, "scalar %s", s[k].name);
        memcpy(&out->scalar[k], s[k].value, 8);
    }
}

/// What a refused step may change: how many there were, and how long the next may be.
static inline bool tells_of_refusals(int scalar)
{
    return scalar == MN_SCALAR_dt_limit || scalar == MN_SCALAR_frame_rejected;
}

/// Parts that differ, a line each; those that tell of refused steps only if asked for.
static inline int differences(const char *when, const parts_of_state *a, const parts_of_state *b, bool refusals_count)
{
    static const char *const scalar_name[] = {
#define X(type, name, unit, help) #name,
        MN_WORLD_SCALARS(X)
#undef X
    };
    int found = 0;
    CHECK(a->blocks == b->blocks, "%d and %d blocks", a->blocks, b->blocks);
    for (int k = 0; k < a->blocks; k++)
        if (a->hash[k] != b->hash[k] || a->count[k] != b->count[k]) {
            printf("    %s: %s differs (%lld items, before %lld)\n", when, a->name[k], (long long)b->count[k],
                   (long long)a->count[k]);
            found++;
        }
    for (int k = 0; k < a->scalars; k++)
        if (a->scalar[k] != b->scalar[k] && (refusals_count || !tells_of_refusals(k))) {
            printf("    %s: %s differs\n", when, scalar_name[k]);
            found++;
        }
    return found;
}

static inline mn_context *context_of_two_threads(void)
{
    mn_context_def def = mn_context_def_default();
    mn_context    *c   = NULL;
    def.threads        = 2;
    CHECK(mn_context_create(&def, &c) == MN_OK, "context");
    return c;
}

#endif
