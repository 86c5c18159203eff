// SPDX-License-Identifier: MPL-2.0
// world/audit.c - is the new state fit to be kept? Every number of it is looked at in every step.
//
// One pass over each block asks whether any value is not finite, too far away or too fast; only if one is does a second
// look find out which, and how to say it.
#include "world/matter.h"

#include <float.h>
#include <stdio.h>

/// The pass asks for a little less than what is refused, so that its rounding passes nothing by.
#define NEARLY 0.999

typedef struct look {
    const mn_state_block *block;
    double                farthest, fastest2;  // cm, cm^2/s^2
} look;

// A comparison with NaN is false: whatever is not at most the limit is bad, without a branch.

static int64_t count_beyond(const double *restrict x, int64_t begin, int64_t end, double limit)
{
    int64_t bad = 0;
    for (int64_t i = begin; i < end; i++) bad += !(fabs(x[i]) <= limit);
    return bad;
}

static int64_t count_beyond_float(const float *restrict x, int64_t begin, int64_t end)
{
    int32_t bad = 0;
    for (int64_t i = begin; i < end; i++) bad += !(fabsf(x[i]) <= FLT_MAX);
    return bad;
}

static int64_t count_faster(double *const v[3], int64_t begin, int64_t end, double limit2)
{
    const double *restrict x = v[0], *restrict y = v[1], *restrict z = v[2];
    int64_t bad = 0;
    for (int64_t i = begin; i < end; i++) bad += !(x[i] * x[i] + y[i] * y[i] + z[i] * z[i] <= limit2);
    return bad;
}

/// How many values of a range of items are not as they should be.
static double bad_values(int64_t begin, int64_t end, void *context)
{
    const look           *l   = context;
    const mn_state_block *b   = l->block;
    int64_t               bad = 0;
    for (int f = 0; f < b->table->count; f++) {
        const mn_field *field = &b->table->fields[f];
        for (int k = 0; k < mn_field_saved(field); k++) {
            const void *array = *mn_field_array(field, b->base, k);
            if (b->velocity != NULL && array == b->velocity[k < 3 ? k : 0]) continue;
            const bool place = b->position != NULL && k < 3 && array == b->position[k];
            if (field->type == MN_TYPE_double) bad += count_beyond(array, begin, end, place ? l->farthest : DBL_MAX);
            else if (field->type == MN_TYPE_float) bad += count_beyond_float(array, begin, end);
        }
    }
    if (b->velocity != NULL) bad += count_faster(b->velocity, begin, end, l->fastest2);
    return (double)bad;
}

static void call_item(const mn_world *w, const mn_state_block *b, int64_t item, char *out, size_t bytes)
{
    if (b->matter->call != NULL) b->matter->call(w, b, item, out, bytes);
    else snprintf(out, bytes, "%s %lld", b->table->name, (long long)item);
}

/// Write which value of a block is not finite; false if all are.
static bool find_not_finite(const mn_world *w, const mn_state_block *b, char *out, size_t bytes)
{
    const mn_field *field;
    int             component;
    int64_t         item;
    char            what[256];
    if (!mn_fields_find_not_finite(mn_context_pool(w->context), b->table, b->base, *b->count, &field, &component,
                                   &item))
        return false;
    call_item(w, b, item, what, sizeof what);
    if (field->components > 1) snprintf(out, bytes, "%s[%d] of %s is not finite", field->name, component, what);
    else snprintf(out, bytes, "%s of %s is not finite", field->name, what);
    return true;
}

/// Say what is bad in a block, if the second look finds it bad too.
static bool say_what(const mn_world *w, const mn_step *s, const look *l)
{
    const mn_state_block *b = l->block;
    char                  text[400];
    double                fastest2 = 0.0, farthest = 0.0;
    if (find_not_finite(w, b, text, sizeof text)) return mn_reject(s, "%s", text);
    for (int64_t i = 0; i < *b->count; i++) {
        const mn_vec3 u = b->velocity == NULL ? mn_v3(0, 0, 0)
                                              : mn_v3(b->velocity[0][i], b->velocity[1][i], b->velocity[2][i]);
        fastest2        = fmax(fastest2, mn_dot3(u, u));
        for (int a = 0; a < 3 && b->position != NULL; a++) farthest = fmax(farthest, fabs(b->position[a][i]));
    }
    const double speed = sqrt(fastest2), cells = speed * s->dt / w->grid.cell;
    if (cells > b->speed_slack * w->def.time.cfl)
        return mn_reject(s, "%s reached %.3g cm/s, %.3g cells in one step", b->matter->name, speed, cells);
    if (farthest > (double)MN_FARTHEST_CELL * w->grid.cell)
        return mn_reject(s, "%s is %.3g cm from the origin, farther than the grid can reach%s", b->matter->name,
                         farthest, b->advice != NULL ? b->advice : "");
    return true;
}

static const char *scalar_not_finite(const mn_state_scalar *scalars, int count)
{
    for (int k = 0; k < count; k++)
        if (scalars[k].type == MN_TYPE_double && !isfinite(*(const double *)scalars[k].value)) return scalars[k].name;
    return NULL;
}

bool mn_world_audit(mn_world *w, const mn_step *s)
{
    const mn_state_block  *blocks;
    const mn_state_scalar *scalars;
    int                    block_count, scalar_count;
    mn_world_state(w, &blocks, &block_count, &scalars, &scalar_count);
    for (int b = 0; b < block_count; b++) {
        const double fastest = NEARLY * blocks[b].speed_slack * w->def.time.cfl * w->grid.cell / s->dt;
        look         l       = { .block    = &blocks[b],
                                 .farthest = NEARLY * (double)MN_FARTHEST_CELL * w->grid.cell,
                                 .fastest2 = fastest * fastest };
        if (mn_parallel_sum(mn_context_pool(w->context), *blocks[b].count, bad_values, &l) > 0.0 && !say_what(w, s, &l))
            return false;
    }
    const char *scalar = scalar_not_finite(scalars, scalar_count);
    return scalar == NULL || mn_reject(s, "%s of the world is not finite", scalar);
}

mn_status mn_world_check_scalars(mn_world *w)
{
    const mn_state_block  *blocks;
    const mn_state_scalar *scalars;
    int                    block_count, scalar_count;
    mn_world_state(w, &blocks, &block_count, &scalars, &scalar_count);
    const char *scalar = scalar_not_finite(scalars, scalar_count);
    if (scalar == NULL) return MN_OK;
    return mn_fail(w->context, MN_ERR_NOT_FINITE, "the state before a step is damaged: %s of the world is not finite",
                   scalar);
}

/// An item of a block that is farther than the tiles can number; -1: none.
static int64_t find_far(const mn_world *w, const mn_state_block *b)
{
    const double farthest = (double)MN_FARTHEST_CELL * w->grid.cell;
    for (int64_t i = 0; b->position != NULL && i < *b->count; i++)
        for (int a = 0; a < 3; a++)
            if (fabs(b->position[a][i]) > farthest) return i;
    return -1;
}

mn_status mn_world_check_finite(mn_world *w, mn_status refusal, const char *state)
{
    const mn_state_block  *blocks;
    const mn_state_scalar *scalars;
    int                    block_count, scalar_count;
    char                   text[400];
    mn_world_state(w, &blocks, &block_count, &scalars, &scalar_count);
    for (int b = 0; b < block_count; b++) {
        if (find_not_finite(w, &blocks[b], text, sizeof text))
            return mn_fail(w->context, refusal, "%s is damaged: %s", state, text);
        const int64_t far = find_far(w, &blocks[b]);
        if (far < 0) continue;
        call_item(w, &blocks[b], far, text, sizeof text);
        return mn_fail(w->context, refusal, "%s is damaged: %s is farther than the grid can reach", state, text);
    }
    const char *scalar = scalar_not_finite(scalars, scalar_count);
    if (scalar == NULL) return MN_OK;
    return mn_fail(w->context, refusal, "%s is damaged: %s of the world is not finite", state, scalar);
}
