// SPDX-License-Identifier: MPL-2.0
// base/hash.h - 64-bit hash of bytes, for states, scenes and file contents. Not cryptographic.
#ifndef MN_BASE_HASH_H
#define MN_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define MN_HASH_SEED 0x9e3779b97f4a7c15u

/// Continue `hash` (start with MN_HASH_SEED) over `bytes` bytes. The cut into calls is part of the result.
uint64_t mn_hash_bytes(uint64_t hash, const void *data, size_t bytes);

/// Mixes one word; the finaliser of every hash here.
static inline uint64_t mn_hash_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

#endif
