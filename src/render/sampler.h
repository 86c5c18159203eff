// SPDX-License-Identifier: MPL-2.0
// render/sampler.h - numbers in [0, 1) as a function of pixel, sample and dimension: no state, same for any threads.
//
// Pairs of dimensions are the first two of Sobol's sequence, scrambled in Owen's way by a hash (Laine and Karras), with
// the samples in another scrambled order for each pair: every pair is well spread over the samples of a pixel, and
// pairs and pixels have nothing to do with each other.
#ifndef MN_RENDER_SAMPLER_H
#define MN_RENDER_SAMPLER_H

#include <stdint.h>

typedef struct mn_sampler {
    uint32_t pixel;   ///< hash of the place
    uint32_t sample;  ///< its number, from 0
    uint32_t pair;    ///< pairs used so far
} mn_sampler;

static inline uint32_t mn_sampler_mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x21f0aaadu;
    x ^= x >> 15;
    x *= 0xd35a2d97u;
    return x ^ (x >> 15);
}

static inline mn_sampler mn_sampler_begin(uint32_t x, uint32_t y, uint32_t sample)
{
    return (mn_sampler){ .pixel  = mn_sampler_mix(mn_sampler_mix(x + 0x9e3779b9u) ^ (y * 0x85ebca6bu + 1u)),
                         .sample = sample };
}

static inline uint32_t mn_reverse_bits(uint32_t x)
{
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
    return x >> 16 | x << 16;
}

/// Owen's scrambling of the bits of x from the highest down.
static inline uint32_t mn_scramble(uint32_t x, uint32_t seed)
{
    x = mn_reverse_bits(x);
    x ^= x * 0x3d20adeau;
    x += seed;
    x *= (seed >> 16) | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return mn_reverse_bits(x);
}

static inline uint32_t mn_sobol_second(uint32_t index)
{
    uint32_t result = 0;
    for (uint32_t v = 0x80000000u; index != 0; index >>= 1, v ^= v >> 1)
        if (index & 1u) result ^= v;
    return result;
}

/// The next pair.
static inline void mn_sampler_pair(mn_sampler *s, float *u, float *v)
{
    const uint32_t seed  = mn_sampler_mix(s->pixel + 0x9e3779b9u * ++s->pair);
    const uint32_t index = mn_scramble(s->sample, seed);
    const uint32_t a     = mn_scramble(mn_reverse_bits(index), mn_sampler_mix(seed ^ 0xa511e9b3u));
    const uint32_t b     = mn_scramble(mn_sobol_second(index), mn_sampler_mix(seed ^ 0x63d83595u));
    *u                   = (float)(a >> 8) * 0x1p-24f;
    *v                   = (float)(b >> 8) * 0x1p-24f;
}

#endif
