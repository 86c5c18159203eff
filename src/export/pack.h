// SPDX-License-Identifier: MPL-2.0
// export/pack.h - numbers made small enough for a page: 16 bits, differences, planes of bytes, gzip, base64.
#ifndef MN_EXPORT_PACK_H
#define MN_EXPORT_PACK_H

#include "output/buffer.h"

/// Code of what is no finite number; others are from 0 to one below it.
#define MN_PACK_NONE 65535

/// Least and largest finite number; low > high if there is none.
typedef struct mn_pack_range {
    double low, high;
} mn_pack_range;

/// Whole numbers of `width` bytes, 1 to 4, each as its difference to the one before (0 before the first), folded so
/// that small ones of either sign have small codes (0, -1, 1, -2 ... become 0, 1, 2, 3 ...); first the lowest bytes of
/// all, then the next.
void mn_pack_whole(mn_buffer *out, const uint32_t *value, int64_t count, int width);

/// Real numbers: low and step (doubles), then codes of two bytes as mn_pack_whole writes them; a number is low + step *
/// code, off by half a step at most, and a step is the 65534th part of the range. `codes` is room for `count` of them.
mn_pack_range mn_pack_reals(mn_buffer *out, const double *value, int64_t count, uint32_t *codes);

/// Any bytes as base64 of their gzip, added to `out`.
mn_status mn_pack_text(mn_buffer *out, const void *data, size_t bytes);

#endif
