// SPDX-License-Identifier: MPL-2.0
// world/matter.h - what a world asks of every kind of matter beside its stages: what its state is, and what is done
// with it.
//
// MN_MATTER_LIST names the kinds, once. Checkpoint, hash, load, audit, roll-back and ledger follow from that list. The
// stages are not in it: step.c calls them by name, in the order of the algorithm, and a stage of matter that a world
// does not have returns at once.
#ifndef MN_WORLD_MATTER_H
#define MN_WORLD_MATTER_H

#include "world/world.h"

typedef struct mn_matter {
    const char *name;  ///< as messages call it
    bool (*present)(const mn_world *w);
    /// Adds its blocks by mn_world_add_block; asked of all kinds, present or not: a world without liquid has a block
    /// of no particles.
    void (*state)(mn_world *w);
    /// Goes on with a hash over the names and meshes that its state is laid over: what two scenes must share for a
    /// state of one to be one of the other. NULL: there are none.
    uint64_t (*layout)(const mn_world *w, uint64_t hash);
    /// Writes what an item of one of its blocks is called, "vertex 12 of fabric 'cloth'". NULL: by block and number.
    void (*call)(const mn_world *w, const mn_state_block *block, int64_t item, char *out, size_t bytes);

    bool has_own_steps;  ///< it limits no step: the world ends one where it needs it
    // NULL: nothing to do
    double (*dt_limit)(mn_world *w);                       ///< longest step it allows now, s
    mn_status (*add_room)(mn_world *w, const mn_step *s);  ///< tells the liquid what room it takes in the cells
    void (*sums)(mn_world *w, mn_ledger *l);               ///< adds its share of the ledger
    mn_status (*loaded)(mn_world *w);                      ///< after a load: do the counts fit the scene? scratch anew
    void (*release)(mn_world *w);                          ///< gives back what only a step needs
    void (*view_box)(const mn_world *w, mn_world_box *box);  ///< makes the box reach around what is seen of it
    void (*destroy)(mn_world *w);

    /// Before a step, and back to that if it is not accepted. NULL, both: the world copies its blocks. For matter whose
    /// state is large and survives a step somewhere anyway.
    mn_status (*keep)(mn_world *w);
    mn_status (*take_back)(mn_world *w);
} mn_matter;

/// The kinds, in the order of checkpoints and hashes; matter_NAME.c says what each is. A new one comes last.
// clang-format off
#define MN_MATTER_LIST(X) \
    X(liquid)             \
    X(probes)             \
    X(solutes)            \
    X(fabric)             \
    X(stains)
// clang-format on
#define X(name) extern const mn_matter mn_matter_##name;
MN_MATTER_LIST(X)
#undef X

/// All of them, NULL behind the last.
extern const mn_matter *const mn_matters[];
/// Loop over the kinds that a world has.
#define MN_EACH_MATTER(w, m)                                                               \
    for (const mn_matter *const *at_##m = mn_matters, *m; (m = *at_##m) != NULL; at_##m++) \
        if (m->present(w))

/// One more block of the state, of the matter whose `state` is running. Unless it `varies`, its count is what it is now
/// in every state of the scene: a checkpoint with another one is refused.
mn_state_block *mn_world_add_block(mn_world *w, const mn_field_table *table, void *base, int64_t *items,
                                   int64_t *capacity);

// keep.c
/// Keep what a step may change; take all of it back.
mn_status mn_world_keep(mn_world *w);
mn_status mn_world_take_back(mn_world *w);

#endif
