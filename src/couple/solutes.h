// SPDX-License-Identifier: MPL-2.0
// couple/solutes.h - the pigments that the one liquid of particles and fabric carries, and their budget.
//
// Liquid and fabric hold masses by number; here is which pigment a number means.
#ifndef MN_COUPLE_SOLUTES_H
#define MN_COUPLE_SOLUTES_H

#include "fabric/fabric.h"
#include "liquid/liquid.h"
#include "stain/solute.h"

/// Per pigment, part of the state. X(type, components, name, unit, flags, help)
#define MN_SOLUTE_FIELDS(X)                                                              \
    X(double, 1, initial, "g", MN_FIELD_SAVED, "in liquid and fabric at the start")      \
    X(double, 1, added, "g", MN_FIELD_SAVED, "let in by sources")                        \
    X(double, 1, added_carry, "g", MN_FIELD_SAVED, "its rounding error")                 \
    X(double, 1, removed, "g", MN_FIELD_SAVED, "taken out by sinks and open boundaries") \
    X(double, 1, removed_carry, "g", MN_FIELD_SAVED, "its rounding error")
#define MN_SOLUTE_VALUES 5

/// The budget of each pigment; as many items as there are pigments.
typedef struct mn_solute_budget {
#define X(type, n, name, unit, flags, help) type *name[n];
    MN_SOLUTE_FIELDS(X)
#undef X
    int64_t count, capacity;
} mn_solute_budget;

extern const mn_field_table mn_solute_table;

typedef struct mn_solute_list {
    int              count;
    mn_pigment       pigment[MN_PIGMENTS_MOST];
    mn_stain_pigment law[MN_PIGMENTS_MOST];
    mn_solute_budget budget;
} mn_solute_list;

void mn_solutes_destroy(mn_context *c, mn_solute_list *all);

/// Make pigments known; those of a name that is known are the same. `concentration` receives those of `s` by the
/// numbers of the list, 0 for its other pigments. `of` brings them, for messages.
mn_status mn_solutes_add(mn_solute_list *all, mn_liquid *l, mn_fabric *q, const char *of, const mn_solutes *s,
                         double concentration[MN_PIGMENTS_MOST]);
/// The number of a pigment.
int mn_solutes_number(const mn_solute_list *all, const char *name);
/// Forget all but the first `count`, after something could not be added.
void mn_solutes_forget(mn_solute_list *all, mn_liquid *l, mn_fabric *q, int count);
/// Take what there is as what there was at the start.
void mn_solutes_start(mn_solute_list *all, mn_liquid *l, mn_fabric *q);
/// Masses of each pigment came in with liquid of these concentrations, g/cm^3 (sources), or went out (sinks), g.
void mn_solutes_came(mn_solute_list *all, double volume, const double *concentration);
void mn_solutes_left(mn_solute_list *all, const double *mass);

/// All pigments together, g.
typedef struct mn_solute_sums {
    double bulk, fabric, initial, added, removed;
} mn_solute_sums;
mn_solute_sums mn_solutes_sum(const mn_solute_list *all, mn_liquid *l, mn_fabric *q);

#endif
