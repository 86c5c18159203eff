// SPDX-License-Identifier: MPL-2.0
// test/robust/explode.c - numbers that are finite and absurd, anywhere in the state and after any stage: the step ends
// soon, refused or not, never with a crash, and without blaming memory. (That a refusal leaves the state as it was is
// for nan.c and reject.c.)
//
// A step that explodes has such numbers before its audit sees them, and no loop on the way may be as long as they are
// large. Places, stages and values are drawn at random, each in one item or in every third. usage: robust_explode
// [TRIALS [SEED]]
#include "worlds.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/// s of processor time that a step may take, where the undisturbed one takes some milliseconds: sanitizers have to
/// pass.
#define LONGEST 30

typedef struct trial {
    mn_world   *world;
    char        file[128];
    double      asked;  ///< length of the step
    mn_stage    stage;  ///< after which the values are planted; before `activate` ends they would be the state before
    int         block, field, component;
    bool        many;
    double      value;
    const char *name;
} trial;

static char place[400];

static void too_long(int signal)
{
    static const char said[] = "FAILED: a step does not end: ";
    (void)signal;
    if (write(2, said, sizeof said - 1) < 0 || write(2, place, strlen(place)) < 0) _exit(2);
    _exit(1);
}

static const mn_state_block *block_of(mn_world *w, int block, int *count)
{
    const mn_state_block  *b;
    const mn_state_scalar *s;
    int                    scalars;
    mn_world_state(w, &b, count, &s, &scalars);
    return &b[block];
}

static void plant(mn_world *w, mn_stage stage, mn_step_verdict *verdict, void *context)
{
    const trial *t = context;
    int          blocks;
    (void)verdict;
    if (stage != t->stage) return;
    const mn_state_block *b     = block_of(w, t->block, &blocks);
    const mn_field       *field = &b->table->fields[t->field];
    void                 *array = *mn_field_array(field, b->base, t->component);
    const int64_t         first = t->many ? 0 : *b->count / 2, stride = t->many ? 3 : *b->count + 1;
    for (int64_t i = first; i < *b->count; i += stride) {
        if (field->type == MN_TYPE_double) ((double *)array)[i] = t->value;
        else if (field->type == MN_TYPE_float) ((float *)array)[i] = (float)t->value;
    }
}

static int below(int n) { return (int)((double)n * (double)rand() / ((double)RAND_MAX + 1.0)); }

/// Larger than anything a scene has, but for the first of them hardly so.
static double draw_value(void)
{
    static const double size[] = { 30.0, 1e4, 1e6, 1e9, 1e12, 1e15, 1e30, 1e100, 1e300 };
    return (rand() & 1 ? 1.0 : -1.0) * size[below((int)(sizeof size / sizeof *size))];
}

static void draw(trial *t)
{
    int blocks;
    for (;;) {
        block_of(t->world, 0, &blocks);
        t->block                = below(blocks);
        const mn_state_block *b = block_of(t->world, t->block, &blocks);
        t->field                = below(b->table->count);
        const mn_field *field   = &b->table->fields[t->field];
        t->component            = field->components > 0 ? below(field->components) : 0;
        t->stage                = (mn_stage)(MN_STAGE_activate + below(MN_STAGE_audit - MN_STAGE_activate));
        t->many                 = rand() & 1;
        t->value                = draw_value();
        if (field->components == 0 || *mn_field_array(field, b->base, t->component) == NULL) continue;
        snprintf(place, sizeof place, "%s: %g in %s of %s.%s[%d] after stage %s\n", t->name, t->value,
                 t->many ? "a third" : "one", b->table->name, field->name, t->component, mn_world_stage_name(t->stage));
        return;
    }
}

static int try_world(mn_context *c, const whole_world *which, int trials)
{
    trial *t = calloc(1, sizeof *t);
    CHECK(t != NULL, "memory");
    t->name  = which->name;
    t->world = whole_world_make(c, which);
    snprintf(t->file, sizeof t->file, "robust-explode-%s.h5", which->name);
    CHECK(mn_world_save(t->world, t->file) == MN_OK, "%s", mn_context_error(c));
    t->asked                  = t->world->dt;
    t->world->watch           = plant;
    t->world->watch_context   = t;
    t->world->def.time.dt_min = 0.75 * t->world->dt;  // a refused step is not tried again at half its length
    int    refused = 0, wrong = 0;
    double longest               = 0.0;
    char   slowest[sizeof place] = "";
    for (int k = 0; k < trials; k++) {
        CHECK(mn_world_load(t->world, t->file) == MN_OK, "%s", mn_context_error(c));
        draw(t);
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = LONGEST }, NULL);
        const mn_status status = mn_world_step(t->world, t->world->now.time + t->asked);
        setitimer(ITIMER_PROF, &(struct itimerval){ .it_value.tv_sec = 0 }, NULL);
        clock_gettime(CLOCK_MONOTONIC, &to);
        const double took = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec);
        if (took > longest) longest = took, memcpy(slowest, place, sizeof place);
        if (status == MN_OK) continue;
        refused++;
        if (status == MN_ERR_MEMORY) printf("  memory is blamed: %s    %s\n", place, mn_context_error(c)), wrong++;
    }
    printf("%s: %d of %d refused, %d wrong; longest %.2g s, %s", which->name, refused, trials, wrong, longest, slowest);
    fflush(stdout);
    mn_world_destroy(&t->world);
    remove(t->file);
    free(t);
    return wrong;
}

int main(int argc, char **argv)
{
    int         wrong = 0;
    mn_context *c     = context_of_two_threads();
    const int   seed  = argc > 2 ? atoi(argv[2]) : 1;
    signal(SIGPROF, too_long);
    srand((unsigned)seed);
    printf("seed %d\n", seed);
    for (int k = 0; k < WHOLE_WORLDS; k++) wrong += try_world(c, &whole_worlds[k], argc > 1 ? atoi(argv[1]) : 60);
    mn_context_destroy(&c);
    return wrong > 0;
}
