// SPDX-License-Identifier: MPL-2.0
// couple/solutes.c - which pigments liquid carries, and whether all of each is accounted for.
#include "couple/solutes.h"

#include "base/sum.h"
#include "defs/check.h"

#include <stdio.h>
#include <string.h>

static const mn_field solute_fields[] = {
#define X(type, n, name, unit, flags, help) MN_FIELD(mn_solute_budget, type, n, name, unit, flags, help),
    MN_SOLUTE_FIELDS(X)
#undef X
};
const mn_field_table mn_solute_table = { "solutes", solute_fields, MN_SOLUTE_VALUES };
_Static_assert(sizeof solute_fields / sizeof *solute_fields == MN_SOLUTE_VALUES, "values of a budget");

static double *value_of(const mn_solute_budget *b, int field)
{
    return *mn_field_array(&solute_fields[field], (void *)(uintptr_t)b, 0);
}

void mn_solutes_destroy(mn_context *c, mn_solute_list *all) { mn_fields_free(c, &mn_solute_table, &all->budget); }

/// Among the first `count`; `count` itself if it is not there.
static int find(const mn_solute_list *s, int count, const char *name)
{
    int k = 0;
    while (k < count && strcmp(s->pigment[k].name, name) != 0) k++;
    return k;
}

int mn_solutes_number(const mn_solute_list *all, const char *name) { return find(all, all->count, name); }

/// Particles, fabric and budget get as many arrays as there are pigments.
static mn_status widen(mn_solute_list *all, mn_liquid *l, mn_fabric *q, int count)
{
    mn_solute_budget *b = &all->budget;
    MN_TRY(mn_fields_reserve(l->context, &mn_solute_table, b, b->count, &b->capacity, MN_PIGMENTS_MOST));
    MN_TRY(mn_liquid_set_pigments(l, count));
    const mn_status status = mn_fabric_set_pigments(q, count);
    if (status != MN_OK) mn_liquid_set_pigments(l, all->count);
    return status;
}

mn_status mn_solutes_add(mn_solute_list *all, mn_liquid *l, mn_fabric *q, const char *of, const mn_solutes *s,
                         double concentration[MN_PIGMENTS_MOST])
{
    memset(concentration, 0, MN_PIGMENTS_MOST * sizeof *concentration);
    char front[MN_NAME_BYTES + 8];
    snprintf(front, sizeof front, "'%s': ", of);
    MN_TRY(mn_defs_check_solutes(l->context, s, front));
    int count = all->count;
    for (int k = 0; k < s->count; k++) {
        const int p = find(all, count, s->pigment[k].name);
        if (p == MN_PIGMENTS_MOST)
            return mn_fail(l->context, MN_ERR_ARGUMENT,
                           "'%s' brings the pigment '%s'; a world has at most %d in its liquid", of, s->pigment[k].name,
                           MN_PIGMENTS_MOST);
        if (p < count) continue;
        all->pigment[count] = s->pigment[k];
        all->law[count++]   = mn_stain_pigment_of(&s->pigment[k]);
    }
    if (count > all->count) MN_TRY(widen(all, l, q, count));
    for (int k = all->count; k < count; k++)
        for (int f = 0; f < MN_SOLUTE_VALUES; f++) value_of(&all->budget, f)[k] = 0.0;
    all->count        = count;
    all->budget.count = count;
    for (int k = 0; k < s->count; k++) concentration[find(all, count, s->pigment[k].name)] += s->concentration[k];
    return MN_OK;
}

void mn_solutes_forget(mn_solute_list *all, mn_liquid *l, mn_fabric *q, int count)
{
    mn_liquid_set_pigments(l, count);  // fewer never fail
    mn_fabric_set_pigments(q, count);
    all->count        = count;
    all->budget.count = count;
}

void mn_solutes_start(mn_solute_list *all, mn_liquid *l, mn_fabric *q)
{
    for (int k = 0; k < all->count; k++)
        all->budget.initial[0][k] = mn_liquid_pigment_sum(l, k) + mn_fabric_pigment_sum(q, k);
}

void mn_solutes_came(mn_solute_list *all, double volume, const double *concentration)
{
    mn_solute_budget *b = &all->budget;
    for (int k = 0; k < all->count; k++)
        mn_add_carry(&b->added[0][k], &b->added_carry[0][k], volume * concentration[k]);
}

void mn_solutes_left(mn_solute_list *all, const double *mass)
{
    mn_solute_budget *b = &all->budget;
    for (int k = 0; k < all->count; k++) mn_add_carry(&b->removed[0][k], &b->removed_carry[0][k], mass[k]);
}

mn_solute_sums mn_solutes_sum(const mn_solute_list *all, mn_liquid *l, mn_fabric *q)
{
    const mn_solute_budget *b = &all->budget;
    mn_solute_sums          s = { 0.0, 0.0, 0.0, 0.0, 0.0 };
    for (int k = 0; k < all->count; k++) {
        s.bulk += mn_liquid_pigment_sum(l, k);
        s.fabric += mn_fabric_pigment_sum(q, k);
        s.initial += b->initial[0][k];
        s.added += b->added[0][k];
        s.removed += b->removed[0][k];
    }
    return s;
}
