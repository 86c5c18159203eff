// SPDX-License-Identifier: MPL-2.0
// world/solutes.h - the pigments that the liquid of a world carries, through particles and fabric, and their budget.
#ifndef MN_WORLD_SOLUTES_H
#define MN_WORLD_SOLUTES_H

#include "base/fields.h"
#include "meniscus/world.h"
#include "stain/solute.h"

struct mn_world;

/// Per pigment, part of the state. X(type, components, name, unit, help)
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

typedef struct mn_world_solutes {
    int              count;
    mn_pigment       pigment[MN_PIGMENTS_MOST];
    mn_stain_pigment law[MN_PIGMENTS_MOST];
    mn_solute_budget budget;
} mn_world_solutes;

/// Make pigments known to the world; those of a name that it has are the same. `concentration` receives those of `s` by
/// the numbers of the world, 0 for its other pigments.
mn_status mn_world_add_solutes(struct mn_world *w, const char *of, const mn_solutes *s,
                               double concentration[MN_PIGMENTS_MOST]);
/// The number of a pigment of the world.
int mn_world_solute_number(const struct mn_world *w, const char *name);
/// Forget all but the first `count`, after something could not be added.
void mn_world_forget_solutes(struct mn_world *w, int count);
/// Take what there is as what there was at the start.
void mn_world_count_solutes(struct mn_world *w);

/// Fabric that is wet at the start holds the first liquid of the world, with its pigments.
mn_status mn_world_colour_pores(struct mn_world *w, int64_t piece);
/// Put the drops of a stain without film into the pores of its fabric.
mn_status mn_world_soak_fabric(struct mn_world *w, const mn_stain_def *def);

/// What a step may change of the budget, and back.
typedef struct mn_solute_copy {
    double value[MN_SOLUTE_VALUES][MN_PIGMENTS_MOST];
} mn_solute_copy;
mn_solute_copy mn_world_keep_solutes(const struct mn_world *w);
void           mn_world_take_back_solutes(struct mn_world *w, const mn_solute_copy *copy);

/// All pigments together, g.
typedef struct mn_solute_sums {
    double bulk, fabric, initial, added, removed;
} mn_solute_sums;
mn_solute_sums mn_world_solute_sums(struct mn_world *w);

#endif
