// SPDX-License-Identifier: MPL-2.0
// test/robust/nan.c - one value that is not a number, anywhere in the state: the step in which it appears is refused,
// the message names it, and the state is the one before that step.
//
// On worlds that hold every system, in each component of each field of each block and in each scalar, and infinity once
// in each block: one that comes up inside the step (it is put there after the last stage before the audit), and one
// that is there when the step begins, which neither a step nor a load lets happen. A refused step leaves the state as
// it was. usage: robust_nan [WORLD...]
#include "worlds.h"

typedef struct place {
    int     block;  ///< -1: a scalar
    int     field, component;
    int64_t item;
} place;

typedef struct trial {
    mn_world        *world;
    char             file[128];
    double           asked;  ///< length of the step
    mn_stage         last;   ///< stage before the audit, as a step without a NaN shows
    parts_of_state   before, after;
    mn_world_scalars clean;  ///< before
    // what the hook does
    place  at;
    double value;
    bool   learns, plants, planted;
    int    refused, holes;
} trial;

static const mn_state_block *block_of(mn_world *w, int block)
{
    const mn_state_block  *b;
    const mn_state_scalar *s;
    int                    blocks, scalars;
    mn_world_state(w, &b, &blocks, &s, &scalars);
    return &b[block];
}

static const mn_state_scalar *scalar_of(mn_world *w, int scalar)
{
    const mn_state_block  *b;
    const mn_state_scalar *s;
    int                    blocks, scalars;
    mn_world_state(w, &b, &blocks, &s, &scalars);
    return &s[scalar];
}

/// Put a value in its place; what was there comes back.
static double put(mn_world *w, const place *at, double value)
{
    void   *array;
    mn_type type;
    if (at->block < 0) {
        const mn_state_scalar *s = scalar_of(w, at->field);
        array = s->value, type = s->type;
    } else {
        const mn_state_block *b     = block_of(w, at->block);
        const mn_field       *field = &b->table->fields[at->field];
        array = *mn_field_array(field, b->base, at->component), type = field->type;
    }
    double was;
    if (type == MN_TYPE_double) {
        was = ((double *)array)[at->item], ((double *)array)[at->item] = value;
    } else {
        was = (double)((float *)array)[at->item], ((float *)array)[at->item] = (float)value;
    }
    return was;
}

/// Particles come and go: the item is the middle one of those there are then.
static bool plant(trial *t, double *was)
{
    if (t->at.block >= 0) {
        const int64_t count = *block_of(t->world, t->at.block)->count;
        if (count == 0) return false;
        t->at.item = count / 2;
    }
    *was = put(t->world, &t->at, t->value);
    return true;
}

static void after_stage(mn_world *w, mn_stage stage, mn_step_verdict *verdict, void *context)
{
    trial *t = context;
    double was;
    (void)w, (void)verdict;
    if (t->learns && stage < MN_STAGE_audit) t->last = stage;
    if (t->plants && !t->planted && stage == t->last) t->planted = plant(t, &was);
}

/// Does the message name matter, field and a number? The number itself is that of an item of the state that was
/// refused.
static bool names_place(trial *t, const char *said)
{
    if (t->at.block < 0) return strstr(said, scalar_of(t->world, t->at.field)->name) != NULL;
    const mn_state_block *b = block_of(t->world, t->at.block);
    return (strstr(said, b->table->name) != NULL || strstr(said, b->matter->name) != NULL) &&
           strstr(said, b->table->fields[t->at.field].name) != NULL && strpbrk(said, "0123456789") != NULL;
}

static void back_to_before(trial *t)
{
    CHECK(mn_world_load(t->world, t->file) == MN_OK, "%s", mn_context_error(mn_world_context(t->world)));
}

static void complain(trial *t, const char *when, const char *what)
{
    const bool                  scalar = t->at.block < 0;
    const mn_field_table *const table  = scalar ? NULL : block_of(t->world, t->at.block)->table;
    printf("  %g in %s.%s[%d], %s: %s\n", t->value, scalar ? "world" : table->name,
           scalar ? scalar_of(t->world, t->at.field)->name : table->fields[t->at.field].name, t->at.component, when,
           what);
    fflush(stdout);
    t->holes++;
}

/// After a refused step: the state is that before it, and the message names the place, if the value came up in the
/// step. (One that was there before is refused when a state is loaded; here the first stage that stumbles over it
/// refuses it.)
static void judge_refusal(trial *t, const char *when)
{
    const char    *said = mn_context_error(mn_world_context(t->world));
    parts_of_state now;
    if (!names_place(t, said)) complain(t, when, said);
    take_apart(t->world, &now);
    if (differences(when, &t->before, &now, false) > 0) {
        complain(t, when, "the refused step left traces in the state");
        back_to_before(t);
        return;
    }
    t->refused++;
}

static mn_status trial_step(trial *t) { return mn_world_step(t->world, t->world->now.time + t->asked); }

static bool all_finite(mn_world *w)
{
    const mn_state_block  *b;
    const mn_state_scalar *s;
    int                    blocks, scalars;
    mn_world_state(w, &b, &blocks, &s, &scalars);
    for (int k = 0; k < blocks; k++) {
        const mn_field *field;
        int             component;
        int64_t         item;
        if (mn_fields_find_not_finite(mn_context_pool(mn_world_context(w)), b[k].table, b[k].base, *b[k].count, &field,
                                      &component, &item))
            return false;
    }
    for (int k = 0; k < scalars; k++)
        if (s[k].type == MN_TYPE_double && !isfinite(*(const double *)s[k].value)) return false;
    return true;
}

/// One value, planted before the step (or, `inside`, before its audit).
static void try_place(trial *t, bool inside)
{
    const mn_world_scalars scalars = t->world->now;
    const char *const      when    = inside ? "inside the step" : "before the step";
    double                 was     = 0.0;
    t->planted                     = !inside && plant(t, &was);
    if (!inside && !t->planted) return;
    t->plants              = inside;
    const mn_status status = trial_step(t);
    t->plants              = false;
    if (!t->planted) {  // a block that is empty
        back_to_before(t);
        return;
    }
    if (status != MN_OK) {
        if (!inside) (void)put(t->world, &t->at, was);
        t->world->now.dt_limit       = scalars.dt_limit;
        t->world->now.frame_rejected = scalars.frame_rejected;
        if (!inside && t->at.block < 0) t->world->now = t->clean;
        judge_refusal(t, when);
        return;
    }
    if (inside) complain(t, when, "accepted");
    else if (!all_finite(t->world)) complain(t, when, "accepted, and still there");
    else complain(t, when, "accepted, and gone without a word");
    back_to_before(t);
}

static void try_both(trial *t)
{
    try_place(t, true);
    try_place(t, false);
}

static void try_blocks(trial *t)
{
    for (t->at.block = 0; t->at.block < t->before.blocks; t->at.block++) {
        bool infinite = true;  // once in each block
        for (t->at.field = 0; t->at.field < block_of(t->world, t->at.block)->table->count; t->at.field++) {
            const mn_field field = block_of(t->world, t->at.block)->table->fields[t->at.field];
            if (field.type != MN_TYPE_double && field.type != MN_TYPE_float) continue;
            for (t->at.component = 0; t->at.component < field.components; t->at.component++) {
                t->value = NAN;
                try_both(t);
            }
            t->at.component = 0;
            t->value        = INFINITY;
            if (infinite) try_both(t);
            infinite = false;
        }
    }
}

static void try_scalars(trial *t)
{
    t->at = (place){ .block = -1 };
    for (int k = 0; k < t->before.scalars; k++) {
        if (scalar_of(t->world, k)->type != MN_TYPE_double) continue;
        t->at.field = k;
        t->value    = NAN;
        try_both(t);
    }
}

/// The step without a NaN, before all trials or after them.
static void clean_step(trial *t, parts_of_state *after)
{
    CHECK(trial_step(t) == MN_OK, "%s", mn_context_error(mn_world_context(t->world)));
    take_apart(t->world, after);
}

static int try_world(mn_context *c, const whole_world *which)
{
    trial *t = calloc(1, sizeof *t);
    CHECK(t != NULL, "memory");
    t->world = whole_world_make(c, which);
    snprintf(t->file, sizeof t->file, "robust-nan-%s.state", which->name);
    CHECK(mn_world_save(t->world, t->file) == MN_OK, "%s", mn_context_error(c));
    back_to_before(t);
    t->asked                = t->world->dt;
    t->world->watch         = after_stage;
    t->world->watch_context = t;
    take_apart(t->world, &t->before);
    t->clean  = t->world->now;
    t->learns = true;
    clean_step(t, &t->after);
    t->learns = false;
    back_to_before(t);
    t->world->def.time.dt_min = 0.75 * t->world->dt;  // a refused step is not tried again at half its length
    try_blocks(t);
    try_scalars(t);
    // Nothing that the state does not hold was spoiled either.
    parts_of_state end;
    clean_step(t, &end);
    if (differences("the step after all", &t->after, &end, true) > 0) t->holes++;
    printf("%s: %d refused, %d wrong\n", which->name, t->refused, t->holes);
    const int holes = t->holes;
    mn_world_destroy(&t->world);
    remove(t->file);
    free(t);
    return holes;
}

int main(int argc, char **argv)
{
    int         holes = 0;
    mn_context *c     = context_of_two_threads();
    for (int k = 0; k < WHOLE_WORLDS; k++) {
        bool asked = argc < 2;
        for (int a = 1; a < argc; a++) asked = asked || strcmp(argv[a], whole_worlds[k].name) == 0;
        if (asked) holes += try_world(c, &whole_worlds[k]);
    }
    mn_context_destroy(&c);
    return holes > 0;
}
