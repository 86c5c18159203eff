// SPDX-License-Identifier: MPL-2.0
// output/checkpoint.h - the state of a world as one HDF5 file.
//
// The file: attributes format, program, state_hash; a group "scalars" with one attribute each; a group per block
// with its count and one dataset per component, each with unit and help. Behind the HDF5 image come 24 bytes:
// "MNSUM01\n", the length of the image and its hash. Standard tools do not mind them; our reader looks at them first,
// so that HDF5 is never given a byte that was not written by it.
#ifndef MN_OUTPUT_CHECKPOINT_H
#define MN_OUTPUT_CHECKPOINT_H

#include "output/buffer.h"
#include "world/state.h"

#define MN_CHECKPOINT_FORMAT 1

/// What a checkpoint is made from, or is put back into.
typedef struct mn_checkpoint {
    const mn_state_block  *blocks;
    int                    block_count;
    const mn_state_scalar *scalars;
    int                    scalar_count;
} mn_checkpoint;

mn_checkpoint mn_checkpoint_of(mn_world *world);

/// How many bytes the values of the state have.
size_t mn_checkpoint_bytes(const mn_checkpoint *state);
/// The bytes of the file, added to an empty buffer.
mn_status mn_checkpoint_make(mn_context *context, const mn_checkpoint *state, uint64_t hash, mn_buffer *out);
mn_status mn_checkpoint_write(mn_context *context, const mn_checkpoint *state, uint64_t hash, const char *path);
/// Put the values of a file in place and tell the hash it was saved with. A file that is damaged, or made from another
/// kind of world, is refused with a sentence and nothing is changed.
mn_status mn_checkpoint_read(mn_context *context, const mn_checkpoint *state, const char *path, uint64_t *hash);
/// The same from bytes; `name` is for messages.
mn_status mn_checkpoint_parse(mn_context *context, const mn_checkpoint *state, const char *name,
                              const unsigned char *data, size_t bytes, uint64_t *hash);

#endif
