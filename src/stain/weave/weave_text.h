// SPDX-License-Identifier: MPL-2.0
// stain/weave/weave_text.h - what the readers of tiles share; for weave_tile.c and weave_read.c only.
#ifndef MN_STAIN_WEAVE_TEXT_H
#define MN_STAIN_WEAVE_TEXT_H

#include "stain/weave/weave.h"

mn_status mn_weave_tile_create(mn_context *c, int columns, int rows, bool tensors, mn_weave_tile *out);
/// The cell that a letter stands for; false if none.
bool mn_weave_letter(char letter, uint8_t *out);
/// A tile from a file.
mn_status mn_weave_tile_read(mn_context *c, const char *path, mn_weave_tile *out);

#endif
