// SPDX-License-Identifier: MPL-2.0
// world/solutes.c - which pigments liquid carries, and whether all of each is accounted for.
#include "world/world.h"

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

/// Among the first `count`; `count` itself if it is not there.
static int find(const mn_world_solutes *s, int count, const char *name)
{
    int k = 0;
    while (k < count && strcmp(s->pigment[k].name, name) != 0) k++;
    return k;
}

int mn_world_solute_number(const mn_world *w, const char *name) { return find(&w->solutes, w->solutes.count, name); }

static mn_status check(mn_world *w, const char *of, const mn_solutes *s)
{
    if (s->count < 0 || s->count > MN_PIGMENTS_MOST)
        return mn_fail(w->context, MN_ERR_ARGUMENT, "'%s' brings %d pigments; at most %d are possible", of, s->count,
                       MN_PIGMENTS_MOST);
    for (int k = 0; k < s->count; k++) {
        if (!(s->concentration[k] >= 0.0) || !isfinite(s->concentration[k]))
            return mn_fail(w->context, MN_ERR_ARGUMENT,
                           "'%s': the concentration of '%s' is %g g/cm3; it must be 0 or more", of, s->pigment[k].name,
                           s->concentration[k]);
        if (!(s->pigment[k].solubility > 0.0))
            return mn_fail(w->context, MN_ERR_ARGUMENT,
                           "'%s': the solubility of '%s' is %g; it must be above 0. Start from mn_pigment_default()",
                           of, s->pigment[k].name, s->pigment[k].solubility);
    }
    return MN_OK;
}

/// Particles, fabric and budget get as many arrays as there are pigments.
static mn_status widen(mn_world *w, int count)
{
    mn_solute_budget *b = &w->solutes.budget;
    MN_TRY(mn_fields_reserve(w->context, &mn_solute_table, b, b->count, &b->capacity, MN_PIGMENTS_MOST));
    MN_TRY(mn_liquid_set_pigments(&w->liquid, count));
    const mn_status status = mn_fabric_set_pigments(&w->fabric, count);
    if (status != MN_OK) mn_liquid_set_pigments(&w->liquid, w->solutes.count);
    return status;
}

mn_status mn_world_add_solutes(mn_world *w, const char *of, const mn_solutes *s, double concentration[MN_PIGMENTS_MOST])
{
    mn_world_solutes *all = &w->solutes;
    memset(concentration, 0, MN_PIGMENTS_MOST * sizeof *concentration);
    MN_TRY(check(w, of, s));
    int count = all->count;
    for (int k = 0; k < s->count; k++) {
        const int p = find(all, count, s->pigment[k].name);
        if (p == MN_PIGMENTS_MOST)
            return mn_fail(w->context, MN_ERR_ARGUMENT,
                           "'%s' brings the pigment '%s'; a world has at most %d in its liquid", of, s->pigment[k].name,
                           MN_PIGMENTS_MOST);
        if (p < count) continue;
        all->pigment[count] = s->pigment[k];
        all->law[count++]   = mn_world_pigment_law(&s->pigment[k]);
    }
    if (count > all->count) MN_TRY(widen(w, count));
    for (int k = all->count; k < count; k++)
        for (int f = 0; f < MN_SOLUTE_VALUES; f++) value_of(&all->budget, f)[k] = 0.0;
    all->count        = count;
    all->budget.count = count;
    for (int k = 0; k < s->count; k++) concentration[find(all, count, s->pigment[k].name)] += s->concentration[k];
    return MN_OK;
}

void mn_world_forget_solutes(mn_world *w, int count)
{
    mn_liquid_set_pigments(&w->liquid, count);  // fewer never fail
    mn_fabric_set_pigments(&w->fabric, count);
    w->solutes.count        = count;
    w->solutes.budget.count = count;
}

void mn_world_count_solutes(mn_world *w)
{
    for (int k = 0; k < w->solutes.count; k++)
        w->solutes.budget.initial[0][k] = mn_liquid_pigment_sum(&w->liquid, k) + mn_fabric_pigment_sum(&w->fabric, k);
}

mn_solute_copy mn_world_keep_solutes(const mn_world *w)
{
    mn_solute_copy copy;
    for (int f = 0; f < MN_SOLUTE_VALUES; f++)
        for (int k = 0; k < w->solutes.count; k++) copy.value[f][k] = value_of(&w->solutes.budget, f)[k];
    return copy;
}

void mn_world_take_back_solutes(mn_world *w, const mn_solute_copy *copy)
{
    for (int f = 0; f < MN_SOLUTE_VALUES; f++)
        for (int k = 0; k < w->solutes.count; k++) value_of(&w->solutes.budget, f)[k] = copy->value[f][k];
}

mn_solute_sums mn_world_solute_sums(mn_world *w)
{
    const mn_solute_budget *b = &w->solutes.budget;
    mn_solute_sums          s = { 0.0, 0.0, 0.0, 0.0, 0.0 };
    for (int k = 0; k < w->solutes.count; k++) {
        s.bulk += mn_liquid_pigment_sum(&w->liquid, k);
        s.fabric += mn_fabric_pigment_sum(&w->fabric, k);
        s.initial += b->initial[0][k];
        s.added += b->added[0][k];
        s.removed += b->removed[0][k];
    }
    return s;
}
