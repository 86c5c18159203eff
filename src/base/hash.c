// SPDX-License-Identifier: MPL-2.0
// base/hash.c - four interleaved lanes of multiply and mix: about memory speed, any input length.
#include "base/hash.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

uint64_t mn_hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    const uint64_t       p = 0x9ddfea08eb382d69u, q = 0xc2b2ae3d27d4eb4fu;
    const unsigned char *at      = data;
    uint64_t             lane[4] = { hash, hash ^ p, hash + q, rotate(hash, 32) };
    size_t               left    = bytes;
    for (; left >= 32; left -= 32, at += 32) {
        uint64_t word[4];
        memcpy(word, at, 32);
        for (int k = 0; k < 4; k++) lane[k] = rotate(lane[k] ^ (word[k] * q), 31) * p;
    }
    uint64_t rest[4] = { 0, 0, 0, 0 };
    if (left > 0) memcpy(rest, at, left);
    uint64_t result = mn_hash_mix((uint64_t)bytes + q);
    for (int k = 0; k < 4; k++) result = mn_hash_mix(result ^ rotate(lane[k] ^ (rest[k] * q), 31) * p);
    return result;
}
