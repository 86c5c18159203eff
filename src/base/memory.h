// SPDX-License-Identifier: MPL-2.0
// base/memory.h - every heap block of the library comes from here, so that tests can count and refuse.
#ifndef MN_BASE_MEMORY_H
#define MN_BASE_MEMORY_H

#include "base/context.h"

/// Zeroed block aligned to 64 bytes, or NULL with the context's error set. Zero bytes give a valid block.
void *mn_alloc(mn_context *context, size_t bytes);
/// Resize a block of mn_alloc, keeping its contents; new bytes are zero. On failure NULL, and the old block lives on.
void *mn_resize(mn_context *context, void *block, size_t bytes);
void  mn_free(mn_context *context, void *block);
/// Copy of a string, or NULL.
char *mn_strdup(mn_context *context, const char *text);

/// count * size, or SIZE_MAX when it does not fit (which no allocator grants).
size_t mn_array_bytes(int64_t count, size_t size);

#define mn_alloc_array(context, type, count) ((type *)mn_alloc((context), mn_array_bytes((count), sizeof(type))))

/// Grow a plain array to hold at least `count` items (by halves, so that appending is cheap).
/// `items` is the address of the pointer. New items are zero.
mn_status mn_array_reserve(mn_context *context, void *items, int64_t *capacity, int64_t count, size_t size);

#endif
