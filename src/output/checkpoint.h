// SPDX-License-Identifier: MPL-2.0
// output/checkpoint.h - the state of a world as one file: lines of text that say where each array is, then the arrays.
//
//     meniscus checkpoint 2
//     head 0000004096 bytes 000000000001270808        of the text, and of the whole file
//     program 0.9.0
//     identity 1b2f...                                of the scene: hash of the resolved scene and the files it names
//     state_hash 77c0...
//     matter fabric 5d01...                           names and meshes that the state is laid over
//     scalar time float64 3fb999999999999a 0.1        the bits, and how they read
//     block liquid 7000                               items
//     array position_x float64 000000000000004096 cm where the particle is       begins at that byte
//     end
//
// Arrays follow one another in the order of the lines, each at the next multiple of 64 bytes, little endian; behind the
// last come 24 bytes: "MNSUM02\n", the number of bytes before them, and their hash. Spaces in names are %20.
//
// The reader knows what a world needs, line by line, and believes nothing else: each array must be where the ones
// before it end, and together they must be the file. Everything is checked before anything of the world is replaced.
#ifndef MN_OUTPUT_CHECKPOINT_H
#define MN_OUTPUT_CHECKPOINT_H

#include "output/buffer.h"
#include "world/state.h"

#define MN_CHECKPOINT_FORMAT 2

/// What a checkpoint is made from, or is put back into.
typedef struct mn_checkpoint {
    const mn_state_block  *blocks;
    int                    block_count;
    const mn_state_scalar *scalars;
    int                    scalar_count;
    const mn_state_layout *layouts;
    int                    layout_count;
    uint64_t               identity;
    bool                   other_scene;  ///< take also the state of another scene, of the same layout
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
/// The text at the front of a file that is whole, without its padding.
mn_status mn_checkpoint_describe(mn_context *context, const char *path, mn_buffer *out);

/// mn_world_load for a branch: the scene may be another one, as long as its fabrics, stains, pigments and probes are
/// the same ones.
mn_status mn_world_load_branch(mn_world *world, const char *path);

#endif
