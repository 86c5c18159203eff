// SPDX-License-Identifier: MPL-2.0
// base/arena.h - scratch memory that grows between uses and never during them: settled steps call malloc zero times.
#ifndef MN_BASE_ARENA_H
#define MN_BASE_ARENA_H

#include "base/memory.h"

/// A stack of 64-byte aligned blocks. When the block at hand is full a further one is chained (a heap call);
/// mn_arena_reset joins them into one that holds the high-water mark, so that the next round needs none.
typedef struct mn_arena mn_arena;

/// Most blocks that can be on loan at a time; further ones are not needed and left alone.
#define MN_ARENA_LOANS 16

typedef struct mn_arena_mark {
    void  *chunk;
    size_t used;
    size_t loan_used[MN_ARENA_LOANS];
} mn_arena_mark;

mn_status mn_arena_create(mn_context *context, mn_arena **out);
void      mn_arena_destroy(mn_arena **arena);

/// Uninitialised memory (signalling NaN pattern in debug builds), or NULL with the context's error set.
void *mn_arena_take(mn_arena *arena, size_t bytes);
/// The same, zeroed.
void *mn_arena_take_zero(mn_arena *arena, size_t bytes);

#define mn_arena_array(arena, type, count) ((type *)mn_arena_take((arena), mn_array_bytes((count), sizeof(type))))
#define mn_arena_array_zero(arena, type, count) \
    ((type *)mn_arena_take_zero((arena), mn_array_bytes((count), sizeof(type))))

/// Everything taken after `begin` is given back by `end`.
mn_arena_mark mn_arena_begin(mn_arena *arena);
void          mn_arena_end(mn_arena *arena, mn_arena_mark mark);
/// Give back everything; if the last round needed several chunks, join them (may call the heap once).
mn_status mn_arena_reset(mn_arena *arena);
/// Give back everything, and its memory to the heap; the next reset takes as much as the rounds so far needed.
void   mn_arena_release(mn_arena *arena);
size_t mn_arena_high_water(const mn_arena *arena);

/// Lend the arena memory whose owner has no use for it now: it is taken from before the arena's own, what was lent
/// first first. A block that begins where the last one ends is one with it. Everything taken since must be given back
/// (mn_arena_end) before the owner takes back all it lent. A reset takes back, too.
void mn_arena_lend(mn_arena *arena, void *block, size_t bytes);
void mn_arena_take_back(mn_arena *arena);

#endif
