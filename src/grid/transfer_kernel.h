// SPDX-License-Identifier: MPL-2.0
// grid/transfer_kernel.h - vectors of eight particles or four nodes, and the B-spline weights of a batch.
//
// Vectors are the compiler's (gcc, clang): they become whatever registers the machine has, two or four of them where
// one is too small. One lane is one particle, unless said otherwise.
#ifndef MN_GRID_TRANSFER_KERNEL_H
#define MN_GRID_TRANSFER_KERNEL_H

#include "grid/bins.h"

#include <string.h>

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"      // vectors are passed between inlined functions only
#endif

#define MN_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define MN_UNROLL _Pragma("unroll")
#else
#define MN_UNROLL _Pragma("GCC unroll 16")
#endif

/// Particles of one cell that are worked on together.
#define MN_BATCH 8

typedef double  mn_vec8 __attribute__((vector_size(64)));
typedef int64_t mn_mask8 __attribute__((vector_size(64)));
typedef int32_t mn_int8 __attribute__((vector_size(32)));
typedef double  mn_vec4 __attribute__((vector_size(32)));

MN_INLINE mn_vec8 mn_load8(const double *from)
{
    mn_vec8 v;
    memcpy(&v, from, sizeof v);
    return v;
}

MN_INLINE void mn_store8(double *to, mn_vec8 v) { memcpy(to, &v, sizeof v); }

MN_INLINE mn_vec4 mn_load4(const double *from)
{
    mn_vec4 v;
    memcpy(&v, from, sizeof v);
    return v;
}

MN_INLINE void mn_store4(double *to, mn_vec4 v) { memcpy(to, &v, sizeof v); }

/// max(0, v)
MN_INLINE mn_vec8 mn_positive8(mn_vec8 v) { return (mn_vec8)((mn_mask8)v & (v > 0.0)); }

/// Eight values from `from` on, of which `readable` exist; the others are 0. Lanes behind the last particle of a cell
/// hold particles of the next one: their work is wasted, which costs less than leaving them out.
MN_INLINE mn_vec8 mn_load_lanes(const double *from, int64_t readable)
{
    if (__builtin_expect(readable >= MN_BATCH, 1)) return mn_load8(from);
    double some[MN_BATCH] = { 0 };
    for (int64_t l = 0; l < readable; l++) some[l] = from[l];
    return mn_load8(some);
}

/// Particle numbers of eight lanes; those behind the last repeat it.
MN_INLINE void mn_number_lanes(const int32_t *order, int lanes, int32_t number[MN_BATCH])
{
    MN_UNROLL
    for (int l = 0; l < MN_BATCH; l++) number[l] = order[l < lanes ? l : lanes - 1];
}

MN_INLINE mn_vec8 mn_gather_lanes(const double *from, const int32_t number[MN_BATCH])
{
    return (mn_vec8){ from[number[0]], from[number[1]], from[number[2]], from[number[3]],
                      from[number[4]], from[number[5]], from[number[6]], from[number[7]] };
}

/// floor() of places of at most 2^30 cells, the same as mn_cell_floor.
MN_INLINE mn_int8 mn_floor8(mn_vec8 place)
{
    const mn_int8 whole = __builtin_convertvector(place, mn_int8);
    return whole + __builtin_convertvector(place < __builtin_convertvector(whole, mn_vec8), mn_int8);
}

/// The place inside the cell, 0 .. 1, of places counted in cells. Whatever image of a period it is, it is the same.
MN_INLINE mn_vec8 mn_place_in_cell8(mn_vec8 place) { return place - __builtin_convertvector(mn_floor8(place), mn_vec8); }

/// N at the cell centres -1, 0, 1 for a particle at place f of cell 0.
MN_INLINE void mn_centre_weights(mn_vec8 f, mn_vec8 w[3])
{
    const mn_vec8 low = 1.0 - f, mid = f - 0.5;
    w[0]              = 0.5 * low * low;
    w[1]              = 0.75 - mid * mid;
    w[2]              = 0.5 * f * f;
}

/// N at the faces -1, 0, 1, 2; the first or the last is 0.
MN_INLINE void mn_face_weights(mn_vec8 f, mn_vec8 w[4])
{
    const mn_vec8 below = mn_positive8(0.5 - f), above = mn_positive8(f - 0.5);
    const mn_vec8 below2 = below * below, above2 = above * above;
    const mn_vec8 left = 1.5 - f, right = 0.5 + f;
    w[0] = 0.5 * below2;
    w[1] = 0.5 * left * left - 1.5 * below2;
    w[2] = 0.5 * right * right - 1.5 * above2;
    w[3] = 0.5 * above2;
}

#endif
