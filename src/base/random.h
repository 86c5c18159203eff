// SPDX-License-Identifier: MPL-2.0
// base/random.h - random numbers as a function of (seed, id, step, lane): no state, no order, same for any threads.
#ifndef MN_BASE_RANDOM_H
#define MN_BASE_RANDOM_H

#include "base/hash.h"

static inline uint64_t mn_random_bits(uint64_t seed, uint64_t id, uint64_t step, uint64_t lane)
{
    uint64_t x = mn_hash_mix(seed + MN_HASH_SEED);
    x          = mn_hash_mix(x ^ (id + 0xd1b54a32d192ed03u));
    x          = mn_hash_mix(x ^ (step * 4 + 0x8cb92ba72f3d8dd7u));
    return mn_hash_mix(x ^ (lane + 0xaef17502108ef2d9u));
}

/// Uniform in [0, 1), 53 bits.
static inline double mn_random(uint64_t seed, uint64_t id, uint64_t step, uint64_t lane)
{
    return (double)(mn_random_bits(seed, id, step, lane) >> 11) * 0x1p-53;
}

#endif
