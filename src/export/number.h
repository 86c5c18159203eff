// SPDX-License-Identifier: MPL-2.0
// export/number.h - single numbers as text, quickly: most of an exported text file is this.
#ifndef MN_EXPORT_NUMBER_H
#define MN_EXPORT_NUMBER_H

#include "output/buffer.h"

/// Room that any number needs.
#define MN_NUMBER_BYTES 32

/// As few digits, seven to nine, as a reader needs to find the same float again, trailing zeros left out; "nan", "inf"
/// and "-inf" for what is none. Returns where the text ends; no zero byte follows.
char *mn_write_float(char *to, float value);
char *mn_write_whole(char *to, int64_t value);

#endif
