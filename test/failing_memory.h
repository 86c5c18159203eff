// SPDX-License-Identifier: MPL-2.0
// test/failing_memory.h - an allocator that refuses from a given request on.
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <stdint.h>
#include <stdlib.h>

typedef struct failing_memory {
    int64_t left;
} failing_memory;

static inline void *resize_until(void *block, size_t bytes, void *user)
{
    failing_memory *m = user;
    if (bytes == 0) {
        free(block);
        return NULL;
    }
    return m->left-- > 0 ? realloc(block, bytes) : NULL;
}

#endif
