// SPDX-License-Identifier: MPL-2.0
// base/ids.h - numbers for new things, each given once in a run.
#ifndef MN_BASE_IDS_H
#define MN_BASE_IDS_H

#include <stdint.h>

/// The number of one more thing; `next` is part of the state. All numbers come from here, so that where matter is
/// spread over ranks each can draw from numbers of its own.
static inline int64_t mn_new_id(int64_t *next) { return (*next)++; }

#endif
