// SPDX-License-Identifier: MPL-2.0
// base/arena.c - a chained stack of scratch memory.
#include "base/arena.h"

#include <string.h>

#define FIRST_CHUNK ((size_t)1 << 16)
#define ALIGNMENT   64

typedef struct chunk {
    struct chunk *below;
    size_t        size, used;
    size_t        used_below;  // bytes in use in the chunks below, for the high-water mark
} chunk;

/// Memory of somebody else, aligned.
typedef struct loan {
    unsigned char *bytes;
    size_t         size, used;
} loan;

struct mn_arena {
    mn_context *context;
    chunk      *top;
    size_t      high_water;  // of our own memory
    bool        chained;     // some round since the last reset needed more than one chunk
    loan        loans[MN_ARENA_LOANS];
    int         loan_count;
};

static size_t round_up(size_t bytes) { return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

static unsigned char *chunk_bytes(chunk *k) { return (unsigned char *)k + round_up(sizeof *k); }

static mn_status push_chunk(mn_arena *a, size_t size)
{
    if (size > (size_t)PTRDIFF_MAX / 2) return mn_fail_memory(a->context, size);
    chunk *k = mn_alloc(a->context, round_up(sizeof *k) + size);
    if (k == NULL) return MN_ERR_MEMORY;
    k->size       = size;
    k->below      = a->top;
    k->used_below = a->top != NULL ? a->top->used_below + a->top->used : 0;
    a->top        = k;
    return MN_OK;
}

static void pop_chunk(mn_arena *a)
{
    chunk *k = a->top;
    a->top   = k->below;
    mn_free(a->context, k);
}

mn_status mn_arena_create(mn_context *c, mn_arena **out)
{
    *out        = NULL;
    mn_arena *a = mn_alloc(c, sizeof *a);
    if (a == NULL) return MN_ERR_MEMORY;
    a->context = c;
    if (push_chunk(a, FIRST_CHUNK) != MN_OK) {
        mn_free(c, a);
        return MN_ERR_MEMORY;
    }
    *out = a;
    return MN_OK;
}

void mn_arena_destroy(mn_arena **arena)
{
    mn_arena *a = *arena;
    if (a == NULL) return;
    while (a->top != NULL) pop_chunk(a);
    mn_free(a->context, a);
    *arena = NULL;
}

/// From the first loan that still has room for all of it; NULL if there is none.
static unsigned char *take_from_loans(mn_arena *a, size_t need)
{
    for (int k = 0; k < a->loan_count; k++) {
        loan *l = &a->loans[k];
        if (l->size - l->used < need) continue;
        l->used += need;
        return l->bytes + (l->used - need);
    }
    return NULL;
}

static unsigned char *take_own(mn_arena *a, size_t need)
{
    if (a->top == NULL && push_chunk(a, need > FIRST_CHUNK ? need : FIRST_CHUNK) != MN_OK)
        return NULL;  // a reset was refused
    if (a->top->size - a->top->used < need) {
        // A small share of what is in use: several chunks in the first round, but little memory that nobody asked for.
        const size_t share = round_up((a->top->used_below + a->top->used) / 64 + FIRST_CHUNK);
        a->chained         = true;
        if (push_chunk(a, need > share ? need : share) != MN_OK) return NULL;
    }
    unsigned char *block = chunk_bytes(a->top) + a->top->used;
    a->top->used += need;
    const size_t in_use = a->top->used_below + a->top->used;
    if (in_use > a->high_water) a->high_water = in_use;
    return block;
}

void *mn_arena_take(mn_arena *a, size_t bytes)
{
    if (bytes > (size_t)PTRDIFF_MAX / 2) {
        mn_fail_memory(a->context, bytes);
        return NULL;
    }
    const size_t   need  = round_up(bytes);
    unsigned char *block = take_from_loans(a, need);
    if (block == NULL) block = take_own(a, need);
#ifndef NDEBUG
    const uint64_t signalling_nan = 0x7ff4dead7ff4deadu;
    for (size_t k = 0; block != NULL && k + 8 <= bytes; k += 8) memcpy(block + k, &signalling_nan, 8);
#endif
    return block;
}

void *mn_arena_take_zero(mn_arena *a, size_t bytes)
{
    void *block = mn_arena_take(a, bytes);
    if (block != NULL) memset(block, 0, bytes);
    return block;
}

mn_arena_mark mn_arena_begin(mn_arena *a)
{
    mn_arena_mark mark = { .chunk = a->top, .used = a->top != NULL ? a->top->used : 0 };
    for (int k = 0; k < a->loan_count; k++) mark.loan_used[k] = a->loans[k].used;
    return mark;
}

void mn_arena_end(mn_arena *a, mn_arena_mark mark)
{
    while (a->top != mark.chunk) pop_chunk(a);
    if (a->top != NULL) a->top->used = mark.used;
    for (int k = 0; k < a->loan_count; k++) {
        MN_ASSERT(mark.loan_used[k] <= a->loans[k].size);  // else the mark is of other loans
        a->loans[k].used = mark.loan_used[k];
    }
}

void mn_arena_lend(mn_arena *a, void *block, size_t bytes)
{
    const size_t skip = (ALIGNMENT - (uintptr_t)block % ALIGNMENT) % ALIGNMENT;
    if (bytes <= skip) return;
    const loan l    = { .bytes = (unsigned char *)block + skip, .size = (bytes - skip) & ~(size_t)(ALIGNMENT - 1) };
    loan      *last = a->loan_count > 0 ? &a->loans[a->loan_count - 1] : NULL;
    if (last != NULL && last->bytes + last->size == l.bytes) last->size += l.size;
    else if (a->loan_count < MN_ARENA_LOANS) a->loans[a->loan_count++] = l;
}

void mn_arena_take_back(mn_arena *a) { a->loan_count = 0; }

mn_status mn_arena_reset(mn_arena *a)
{
    mn_arena_take_back(a);
    if (a->top == NULL) MN_TRY(push_chunk(a, FIRST_CHUNK));
    while (a->top->below != NULL) pop_chunk(a);
    a->top->used = 0;
    // Grow before a chain of chunks is needed: what is left at the end of a chunk when the next begins is wasted.
    const size_t wanted = round_up(a->high_water + a->high_water / 64);
    const bool   tight  = a->chained || a->high_water > a->top->size - a->top->size / 128;
    a->chained          = false;
    if (!tight || wanted <= a->top->size) return MN_OK;
    pop_chunk(a);  // the old block goes first: both together would be the peak of a whole run
    const mn_status status = push_chunk(a, wanted);
    if (status == MN_OK) return MN_OK;
    a->chained = true;
    return push_chunk(a, FIRST_CHUNK) != MN_OK ? MN_ERR_MEMORY : status;  // empty, but whole
}

void mn_arena_release(mn_arena *a)
{
    mn_arena_take_back(a);
    while (a->top != NULL) pop_chunk(a);
    a->chained = a->high_water > FIRST_CHUNK;
}

size_t mn_arena_high_water(const mn_arena *a) { return a->high_water; }
