// SPDX-License-Identifier: MPL-2.0
// test/robust/reject.c - a step that is refused leaves the state as it was, whichever stage refuses it.
//
// On worlds that hold every system, after each stage that runs: the step is refused for good, and every block and every
// scalar is what it was, to the bit; then it is refused once, and the half step that is tried instead comes to the bits
// of a world that was told to make a half step. usage: robust_reject [WORLD...]
#include "worlds.h"

typedef struct refusal {
    bool     ran[MN_STAGE_COUNT];  ///< in a step that nothing refuses
    mn_stage after;
    bool     refuses, once;
} refusal;

static void after_stage(mn_world *w, mn_stage stage, mn_step_verdict *verdict, void *context)
{
    refusal *r = context;
    (void)w;
    if (!r->refuses) {
        r->ran[stage] = true;
        return;
    }
    if (stage != r->after) return;
    snprintf(verdict->reason, sizeof verdict->reason, "the test refuses it");
    r->refuses = !r->once;
}

/// A state to refuse a step from: as a load leaves it, or as a step that was accepted leaves it, which may still hold
/// what it took to take that one back.
typedef struct start {
    mn_world      *world;
    char           file[128];
    bool           stepped;
    double         first, asked;  ///< lengths of that step, and of the one that is refused
    parts_of_state before;
} start;

static void go_to(start *s)
{
    mn_world *w = s->world;
    CHECK(mn_world_load(w, s->file) == MN_OK, "%s", mn_context_error(mn_world_context(w)));
    if (!s->stepped) return;
    CHECK(mn_world_step(w, w->now.time + s->first) == MN_OK, "%s", mn_context_error(mn_world_context(w)));
}

/// For good, as half of the step would be below the shortest: the state is as before.
static int refuse_for_good(start *s, refusal *r, const char *stage)
{
    mn_world         *w      = s->world;
    const char *const said   = mn_context_error(mn_world_context(w));
    const double      dt_min = w->def.time.dt_min;
    char              when[96];
    parts_of_state    now;
    snprintf(when, sizeof when, "refused after %s", stage);
    w->def.time.dt_min = 0.75 * s->asked;
    r->refuses = true, r->once = false;
    CHECK(mn_world_step(w, w->now.time + s->asked) == MN_ERR_SOLVE, "%s: not refused", when);
    CHECK(strstr(said, stage) != NULL, "%s: %s", when, said);
    r->refuses         = false;
    w->def.time.dt_min = dt_min;
    take_apart(w, &now);
    return differences(when, &s->before, &now, false);
}

/// Once: the half step that is tried instead comes to what a world comes to that is told to make it.
static int refuse_once(start *s, refusal *r, const char *stage)
{
    mn_world      *w = s->world;
    char           when[96];
    parts_of_state now, half;
    snprintf(when, sizeof when, "half a step, refused after %s", stage);
    r->refuses = true, r->once = true;
    CHECK(mn_world_step(w, w->now.time + s->asked) == MN_OK, "%s: %s", when, mn_context_error(mn_world_context(w)));
    take_apart(w, &now);
    go_to(s);
    const double until = w->now.time + s->asked;
    w->now.dt_limit    = 0.5 * (until - w->now.time);
    w->now.frame_rejected++;
    CHECK(mn_world_step(w, until) == MN_OK, "%s: %s", when, mn_context_error(mn_world_context(w)));
    take_apart(w, &half);
    return differences(when, &half, &now, true);
}

static int try_start(start *s, refusal *r)
{
    mn_world *w     = s->world;
    int       wrong = 0;
    go_to(s);
    take_apart(w, &s->before);
    CHECK(natural_step(w) == MN_OK, "%s", mn_context_error(mn_world_context(w)));
    s->asked = w->dt;  // of one step, not of two
    go_to(s);
    for (int stage = 0; stage < MN_STAGE_COUNT; stage++) {
        if (!r->ran[stage]) continue;
        const mn_world_scalars scalars = w->now;
        r->after                       = stage;
        const int found                = refuse_for_good(s, r, mn_world_stage_name(stage));
        // The half step starts from what the refusal left.
        w->now = scalars;
        if (found > 0) go_to(s);
        wrong += found + refuse_once(s, r, mn_world_stage_name(stage));
        go_to(s);
    }
    return wrong;
}

static int try_world(mn_context *c, const whole_world *which)
{
    start *s = calloc(1, sizeof *s);
    CHECK(s != NULL, "memory");
    refusal r      = { .refuses = false };
    int     stages = 0, wrong = 0;
    s->world = whole_world_make(c, which);
    snprintf(s->file, sizeof s->file, "robust-reject-%s.state", which->name);
    CHECK(mn_world_save(s->world, s->file) == MN_OK, "%s", mn_context_error(c));
    s->world->watch = after_stage, s->world->watch_context = &r;
    CHECK(natural_step(s->world) == MN_OK, "%s", mn_context_error(c));
    s->first = s->world->dt;
    for (int stage = 0; stage < MN_STAGE_COUNT; stage++) stages += r.ran[stage];
    CHECK(stages >= 5, "%s: only %d stages ran", which->name, stages);
    for (int stepped = 0; stepped < 2; stepped++) {
        s->stepped = stepped;
        wrong += try_start(s, &r);
    }
    printf("%s: %d stages, %d blocks, %d parts wrong\n", which->name, stages, s->before.blocks, wrong);
    mn_world_destroy(&s->world);
    remove(s->file);
    free(s);
    return wrong;
}

int main(int argc, char **argv)
{
    int         wrong = 0;
    mn_context *c     = context_of_two_threads();
    for (int k = 0; k < WHOLE_WORLDS; k++) {
        bool asked = argc < 2;
        for (int a = 1; a < argc; a++) asked = asked || strcmp(argv[a], whole_worlds[k].name) == 0;
        if (asked) wrong += try_world(c, &whole_worlds[k]);
    }
    mn_context_destroy(&c);
    return wrong > 0;
}
