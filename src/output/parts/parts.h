// SPDX-License-Identifier: MPL-2.0
// output/parts/parts.h - the table of the parts of a frame: what each looks like and who makes it.
//
// A new part is its word in MN_OUTPUT_PART_LIST (meniscus/scene.h), a row in parts.c, and the function that makes it.
#ifndef MN_OUTPUT_PARTS_PARTS_H
#define MN_OUTPUT_PARTS_PARTS_H

#include "meniscus/scene.h"
#include "output/vtp.h"
#include "world/state.h"

/// What makes parts of one kind of matter, with the memory they are made in.
typedef struct mn_part_source {
    /// At the start of a run. *state stays NULL if the world has nothing of the kind.
    mn_status (*create)(mn_context *context, mn_world *world, const mn_output_def *output, void **state);
    void (*destroy)(void **state);
    /// Images for renderers, beside the parts of the frame; both NULL: there are none. `name` is that of the files.
    int (*image_count)(const void *state);
    mn_status (*image)(void *state, int image, char name[128], mn_buffer *png);
} mn_part_source;

typedef struct mn_part_row {
    mn_look               look;
    const mn_part_source *source;
    /// Whether the world has any; NULL: it has if there is the matter.
    bool (*has)(const void *state);
    /// The part as the world is now: points, cells, and all that is known at the points, with `field` set in arrays
    /// that `output.fields` asks for. Name, look and time are put in by the caller. Borrows until it is made again.
    mn_status (*make)(void *state, mn_frame_part *out);
    bool pictured;  ///< in the pictures of a run
    bool timeless;  ///< does not carry its time (mn_frame_part)
} mn_part_row;

/// By mn_output_part.
const mn_part_row *mn_part_row_of(mn_output_part part);
/// Its word, which is also the name of its files.
const char *mn_part_name(mn_output_part part);

#endif
