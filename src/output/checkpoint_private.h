// SPDX-License-Identifier: MPL-2.0
// output/checkpoint_private.h - what writing and reading a checkpoint share.
#ifndef MN_OUTPUT_CHECKPOINT_PRIVATE_H
#define MN_OUTPUT_CHECKPOINT_PRIVATE_H

#include "output/checkpoint.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "checkpoints are written as they lie in memory, little endian"
#endif

#define MN_CHECKPOINT_WORD  "meniscus checkpoint "
#define MN_CHECKPOINT_ALIGN 64
#define MN_CHECKPOINT_NAME  128

/// The last bytes of a file.
typedef struct mn_checkpoint_seal {
    char     word[8];
    uint64_t bytes, hash;
} mn_checkpoint_seal;
mn_checkpoint_seal mn_checkpoint_seal_of(const void *data, size_t bytes);

static inline int64_t mn_checkpoint_align(int64_t bytes)
{
    return (bytes + MN_CHECKPOINT_ALIGN - 1) / MN_CHECKPOINT_ALIGN * MN_CHECKPOINT_ALIGN;
}

const char *mn_checkpoint_type(mn_type type);
/// A name as one word of a line.
void mn_checkpoint_word(const char *name, char word[MN_CHECKPOINT_NAME]);
/// Name of the array of a component: volume, position_x, affine_4; as one word.
void mn_checkpoint_array(const mn_field *field, int component, char word[MN_CHECKPOINT_NAME]);

#endif
