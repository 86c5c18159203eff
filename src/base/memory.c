// SPDX-License-Identifier: MPL-2.0
// base/memory.c - counted, aligned, zeroed blocks over the replaceable allocator.
//
// A block is laid out as [padding][header][user bytes...], user bytes aligned to 64. The header remembers the
// size (for counting and for zeroing what a resize adds) and where the raw block began.
#include "base/memory.h"

#include "base/context_private.h"

#include <stdint.h>
#include <string.h>

#define ALIGNMENT 64

typedef struct block_header {
    void  *raw;
    size_t bytes;
} block_header;

static block_header *header_of(void *block) { return (block_header *)block - 1; }

static void count_change(mn_context *c, int64_t bytes, int64_t blocks)
{
    const int64_t now = atomic_fetch_add(&c->memory.bytes_now, bytes) + bytes;
    atomic_fetch_add(&c->memory.blocks_now, blocks);
    int64_t peak = atomic_load(&c->memory.bytes_peak);
    while (now > peak && !atomic_compare_exchange_weak(&c->memory.bytes_peak, &peak, now)) {}
}

void *mn_alloc(mn_context *c, size_t bytes)
{
    atomic_fetch_add(&c->memory.calls, 1);
    const size_t extra = sizeof(block_header) + ALIGNMENT;
    void *raw = bytes <= (size_t)PTRDIFF_MAX - extra ? c->def.resize(NULL, bytes + extra, c->def.resize_user) : NULL;
    if (raw == NULL) {
        mn_fail_memory(c, bytes);
        return NULL;
    }
    const uintptr_t first = (uintptr_t)raw + sizeof(block_header);
    void           *block = (void *)((first + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    *header_of(block)     = (block_header){ .raw = raw, .bytes = bytes };
    memset(block, 0, bytes);
    count_change(c, (int64_t)bytes, 1);
    return block;
}

void mn_free(mn_context *c, void *block)
{
    if (block == NULL) return;
    const block_header h = *header_of(block);
    count_change(c, -(int64_t)h.bytes, -1);
    c->def.resize(h.raw, 0, c->def.resize_user);
}

void *mn_resize(mn_context *c, void *block, size_t bytes)
{
    void *grown = mn_alloc(c, bytes);
    if (grown == NULL || block == NULL) return grown;
    const size_t old = header_of(block)->bytes;
    memcpy(grown, block, old < bytes ? old : bytes);
    mn_free(c, block);
    return grown;
}

char *mn_strdup(mn_context *c, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char        *copy  = mn_alloc(c, bytes);
    if (copy != NULL) memcpy(copy, text, bytes);
    return copy;
}

size_t mn_array_bytes(int64_t count, size_t size)
{
    MN_ASSERT(count >= 0);
    if (size != 0 && (uint64_t)count > SIZE_MAX / size) return SIZE_MAX;
    return (size_t)count * size;
}

mn_status mn_array_reserve(mn_context *c, void *items, int64_t *capacity, int64_t count, size_t size)
{
    if (count <= *capacity) return MN_OK;
    int64_t grown = *capacity + *capacity / 2;
    if (grown < count) grown = count;
    if (grown < 8) grown = 8;
    void *block;
    memcpy(&block, items, sizeof block);
    block = mn_resize(c, block, mn_array_bytes(grown, size));
    if (block == NULL) return MN_ERR_MEMORY;
    memcpy(items, &block, sizeof block);
    *capacity = grown;
    return MN_OK;
}
