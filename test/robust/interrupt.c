// SPDX-License-Identifier: MPL-2.0
// test/robust/interrupt.c - mn_context_interrupt at any moment: a step ends with the state before it, a run with a
// folder that is continued to the same bits.
//
// On worlds that hold every system (worlds.h), the interrupt comes after each stage of a step, and at random moments
// within it. A short run is interrupted again and again, in steps and while frames are written, and resumed each time.
// usage: robust_interrupt [MOMENTS [SEED]]; robust_interrupt latency SCENE [SECONDS [KEY=VALUE...]] says how long a
// scene takes to answer at worst.
#define _XOPEN_SOURCE 700  // nftw
#include "frame_files.h"
#include "meniscus/run.h"
#include "worlds.h"

#include <ftw.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double random_share(void) { return (double)rand() / ((double)RAND_MAX + 1.0); }

// ---- somebody who interrupts after a while
// ---------------------------------------------------------------------------

typedef struct alarm_clock {
    mn_context *context;
    double      after, rang;  ///< s; when it rang
    pthread_t   thread;
} alarm_clock;

static void *wait_and_ring(void *user)
{
    alarm_clock          *a    = user;
    const struct timespec wait = { (time_t)a->after, (long)((a->after - floor(a->after)) * 1e9) };
    nanosleep(&wait, NULL);
    a->rang = seconds_now();
    mn_context_interrupt(a->context, true);
    return NULL;
}

static void set_alarm(alarm_clock *a, mn_context *c, double after)
{
    *a = (alarm_clock){ .context = c, .after = after };
    CHECK(pthread_create(&a->thread, NULL, wait_and_ring, a) == 0, "thread");
}

/// After it rang, nobody is interrupted any more.
static void stop_alarm(alarm_clock *a)
{
    pthread_join(a->thread, NULL);
    mn_context_interrupt(a->context, false);
}

// ---- steps
// -----------------------------------------------------------------------------------------------------------

typedef struct trial {
    mn_context    *context;
    mn_world      *world;
    char           file[128];
    double         asked;  ///< length of the step
    parts_of_state before, after;
    int            stage;  ///< after which the interrupt comes; -1: none
    bool           met;
    int            wrong;
} trial;

static void after_stage(mn_world *w, mn_stage stage, mn_step_verdict *verdict, void *context)
{
    trial *t = context;
    (void)verdict;
    if ((int)stage != t->stage) return;
    t->met = true;
    mn_context_interrupt(mn_world_context(w), true);
}

static void back_to_before(trial *t)
{
    CHECK(mn_world_load(t->world, t->file) == MN_OK, "%s", mn_context_error(t->context));
}

/// The state is that before the step, and the step made now is the one that nobody disturbs.
static void judge(trial *t, const char *when)
{
    parts_of_state now;
    take_apart(t->world, &now);
    t->wrong += differences(when, &t->before, &now, true) > 0;
    CHECK(mn_world_step(t->world, t->world->now.time + t->asked) == MN_OK, "%s", mn_context_error(t->context));
    take_apart(t->world, &now);
    t->wrong += differences(when, &t->after, &now, true) > 0;
    back_to_before(t);
}

static void interrupt_after(trial *t, int stage)
{
    t->stage               = stage;
    t->met                 = false;
    const mn_status status = mn_world_step(t->world, t->world->now.time + t->asked);
    t->stage               = -1;
    mn_context_interrupt(t->context, false);
    if (!t->met) CHECK(status == MN_OK, "%s", mn_context_error(t->context));  // the world has no such stage
    else CHECK(status == MN_ERR_INTERRUPTED, "interrupted after stage %d: status %d", stage, (int)status);
    if (t->met) judge(t, "after a stage");
    else back_to_before(t);
}

/// The state may have been reached before the interrupt came.
static bool interrupt_at(trial *t, double after)
{
    alarm_clock a;
    set_alarm(&a, t->context, after);
    const mn_status status = mn_world_step(t->world, t->world->now.time + t->asked);
    stop_alarm(&a);
    CHECK(status == MN_OK || status == MN_ERR_INTERRUPTED, "%s", mn_context_error(t->context));
    if (status == MN_ERR_INTERRUPTED) judge(t, "at a random moment");
    else back_to_before(t);
    return status == MN_ERR_INTERRUPTED;
}

static int try_world(mn_context *c, const whole_world *which, int moments)
{
    trial *t = calloc(1, sizeof *t);
    CHECK(t != NULL, "memory");
    *t = (trial){ .context = c, .world = whole_world_make(c, which), .stage = -1 };
    snprintf(t->file, sizeof t->file, "robust-interrupt-%s.h5", which->name);
    CHECK(mn_world_save(t->world, t->file) == MN_OK, "%s", mn_context_error(c));
    back_to_before(t);
    t->asked                = t->world->dt;
    t->world->watch         = after_stage;
    t->world->watch_context = t;
    take_apart(t->world, &t->before);
    const double begin = seconds_now();
    CHECK(mn_world_step(t->world, t->world->now.time + t->asked) == MN_OK, "%s", mn_context_error(c));
    const double took = seconds_now() - begin;
    take_apart(t->world, &t->after);
    back_to_before(t);
    int met = 0;
    for (int stage = 0; stage < MN_STAGE_COUNT; stage++) interrupt_after(t, stage);
    for (int k = 0; k < moments; k++) met += interrupt_at(t, took * random_share());
    mn_context_interrupt(c, true);
    CHECK(mn_world_step(t->world, t->world->now.time + t->asked) == MN_ERR_INTERRUPTED, "asked before the step");
    mn_context_interrupt(c, false);
    const int wrong = t->wrong;
    printf("%s: every stage, %d of %d random moments within the step: %d wrong\n", which->name, met, moments, wrong);
    mn_world_destroy(&t->world);
    remove(t->file);
    free(t);
    return wrong;
}

// ---- runs
// ------------------------------------------------------------------------------------------------------------

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path);
}

typedef struct run_trial {
    mn_context *context;
    mn_scene   *scene;
    const char *out;
    double      frame_rate;
    bool        in_frames;  ///< the next interrupt comes as a frame begins
} run_trial;

/// A step that ends at a frame is followed by its files.
static bool as_frames_begin(const mn_run_progress *p, void *user)
{
    run_trial   *t     = user;
    const double frame = p->time * t->frame_rate;
    if (t->in_frames && !p->frame_done && p->frame > 0 && fabs(frame - rint(frame)) < 1e-6 && random_share() < 0.5) {
        t->in_frames = false;
        mn_context_interrupt(t->context, true);
    }
    return true;
}

static mn_status run_on(run_trial *t, bool resume, uint64_t *hash)
{
    mn_run_def def     = mn_run_def_default();
    mn_run    *run     = NULL;
    def.out            = t->out;
    def.resume         = resume;
    def.progress       = as_frames_begin;
    def.progress_user  = t;
    mn_status  status  = mn_run_create(t->context, t->scene, &def, &run);
    const bool created = status == MN_OK;
    if (created) status = mn_run_advance(run);
    if (status == MN_OK) *hash = mn_world_hash(mn_run_world(run));
    CHECK(!created || mn_run_destroy(&run) == MN_OK, "%s", mn_context_error(t->context));
    return status;
}

/// Until the run has come to its end; how often it was interrupted.
static int run_with_interrupts(run_trial *t, double whole, bool in_frames, uint64_t *hash)
{
    for (int times = 0;; times++) {
        alarm_clock a;
        t->in_frames = in_frames;
        if (!in_frames) set_alarm(&a, t->context, whole * random_share());
        const mn_status status = run_on(t, access(t->out, F_OK) == 0, hash);
        if (!in_frames) stop_alarm(&a);
        mn_context_interrupt(t->context, false);
        if (status == MN_OK) return times;
        CHECK(status == MN_ERR_INTERRUPTED, "%s", mn_context_error(t->context));
        CHECK(times < 1000, "the run does not get on");
    }
}

static int try_runs(mn_context *c, int least)
{
    char        folder[] = "interrupt.XXXXXX", out[64];
    const char *path     = MN_SOURCE_DIR "/test/robust/pour.yaml";
    run_trial   t        = { .context = c, .out = out };
    uint64_t    expected = 0, hash = 0;
    int         met = 0, wrong = 0, rounds = 0;
    CHECK(mkdtemp(folder) != NULL, "no temporary folder");
    snprintf(out, sizeof out, "%s/out", folder);
    CHECK(mn_scene_load(c, &(mn_scene_source){ .path = path }, &t.scene) == MN_OK, "%s", mn_context_error(c));
    t.frame_rate       = mn_scene_time(t.scene).frame_rate;
    const double begin = seconds_now();
    CHECK(run_on(&t, false, &expected) == MN_OK, "%s", mn_context_error(c));
    const double   whole  = seconds_now() - begin;
    const uint64_t frames = hash_of_frames(out);
    nftw(out, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    for (; met < least && rounds < 100; rounds++) {
        met += run_with_interrupts(&t, whole, rounds % 2 == 1, &hash);
        if (hash != expected) printf("  a run ended in another state\n"), wrong++;
        if (hash_of_frames(out) != frames) printf("  the frame files of a run differ\n"), wrong++;
        nftw(out, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
    mn_scene_destroy(&t.scene);
    nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    CHECK(met >= least, "only %d interrupts were met", met);
    printf("%d interrupts in %d runs, in steps and in frames: %d wrong\n", met, rounds, wrong);
    return wrong;
}

// ---- how long it takes
// -----------------------------------------------------------------------------------------------

/// Steps of a scene with an interrupt in each, for a while: the longest time from asking to the answer.
static int measure(mn_context *c, int count, char **words)
{
    const mn_scene_source source = { .path      = words[0],
                                     .set       = (const char *const *)(words + 2),
                                     .set_count = count > 2 ? count - 2 : 0 };
    const double          span   = count > 1 ? atof(words[1]) : 10.0;
    mn_scene             *scene  = NULL;
    mn_world             *w      = NULL;
    CHECK(mn_scene_load(c, &source, &scene) == MN_OK && mn_scene_build(scene, &w) == MN_OK, "%s", mn_context_error(c));
    double       worst = 0.0, took = 0.1;
    char         where[200] = "";
    int          met = 0, steps = 0;
    const double end = mn_scene_time(scene).end;
    for (const double begin = seconds_now(); seconds_now() - begin < span && mn_world_time(w) < end; steps++) {
        alarm_clock a;
        set_alarm(&a, c, took * random_share());
        const mn_status status = mn_world_step(w, end);
        const double    now    = seconds_now();
        stop_alarm(&a);
        CHECK(status == MN_OK || status == MN_ERR_INTERRUPTED, "%s", mn_context_error(c));
        if (status == MN_ERR_INTERRUPTED && now - a.rang > worst) {
            worst = now - a.rang;
            snprintf(where, sizeof where, "%s", mn_context_error(c));
        }
        met += status == MN_ERR_INTERRUPTED;
        if (status == MN_OK) continue;
        const double again = seconds_now();
        CHECK(mn_world_step(w, end) == MN_OK, "%s", mn_context_error(c));
        took = seconds_now() - again;
    }
    printf("%s: %lld particles, %d steps of %.3g s, %d interrupts, answered within %.3g s (%s)\n", words[0],
           (long long)mn_world_liquid(w).count, steps, took, met, worst, where);
    mn_world_destroy(&w);
    mn_scene_destroy(&scene);
    return 0;
}

int main(int argc, char **argv)
{
    mn_context *c = context_of_two_threads();
    if (argc > 2 && strcmp(argv[1], "latency") == 0) return measure(c, argc - 2, argv + 2);
    const int moments = argc > 1 ? atoi(argv[1]) : 8;
    srand(argc > 2 ? (unsigned)atoi(argv[2]) : (unsigned)getpid());
    int wrong = 0;
    for (int k = 0; k < WHOLE_WORLDS; k++) wrong += try_world(c, &whole_worlds[k], moments);
    wrong += try_runs(c, 4 * moments);
    mn_context_destroy(&c);
    return wrong > 0;
}
