// SPDX-License-Identifier: MPL-2.0
// grid/transfer_kernel.h - vectors of particles or nodes, and the B-spline weights.
//
// Vectors are the compiler's (gcc, clang), as wide as the machine's registers: wider ones would be cut into pieces by
// way of memory. Results do not depend on the width, because one lane is one particle or one node and lanes never mix.
#ifndef MN_GRID_TRANSFER_KERNEL_H
#define MN_GRID_TRANSFER_KERNEL_H

#include "grid/bins.h"

#include <string.h>

#define MN_INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define MN_UNROLL _Pragma("unroll")
#else
#define MN_UNROLL _Pragma("GCC unroll 16")
#endif

#if defined(__AVX512F__)
#define MN_LANES 8
#elif defined(__AVX__)
#define MN_LANES 4
#else
#define MN_LANES 2
#endif

typedef double  mn_lanes __attribute__((vector_size(8 * MN_LANES)));
typedef int64_t mn_lane_mask __attribute__((vector_size(8 * MN_LANES)));

MN_INLINE mn_lanes mn_load_lanes(const double *from)
{
    mn_lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

MN_INLINE void mn_store_lanes(double *to, mn_lanes v) { memcpy(to, &v, sizeof v); }

/// The values from `from` on, of which `readable` exist; the others are 0. Lanes behind the last particle of a cell
/// hold particles of the next one: their work is wasted, which costs less than leaving them out.
MN_INLINE mn_lanes mn_load_lanes_until(const double *from, int64_t readable)
{
    if (__builtin_expect(readable >= MN_LANES, 1)) return mn_load_lanes(from);
    double some[MN_LANES] = { 0 };
    for (int64_t l = 0; l < readable; l++) some[l] = from[l];
    return mn_load_lanes(some);
}

/// from[number[0]], from[number[1]] ...
MN_INLINE mn_lanes mn_gather_lanes(const double *from, const int32_t number[MN_LANES])
{
#if MN_LANES == 8
    return (mn_lanes){ from[number[0]], from[number[1]], from[number[2]], from[number[3]],
                       from[number[4]], from[number[5]], from[number[6]], from[number[7]] };
#elif MN_LANES == 4
    return (mn_lanes){ from[number[0]], from[number[1]], from[number[2]], from[number[3]] };
#else
    return (mn_lanes){ from[number[0]], from[number[1]] };
#endif
}

/// Particle numbers for mn_gather_lanes: order[0 .. particles), then the last of them again.
MN_INLINE void mn_number_lanes(const int32_t *order, int particles, int32_t number[MN_LANES])
{
    MN_UNROLL
    for (int l = 0; l < MN_LANES; l++) number[l] = order[l < particles ? l : particles - 1];
}

/// max(0, v)
MN_INLINE mn_lanes mn_positive(mn_lanes v) { return (mn_lanes)((mn_lane_mask)v & (mn_lane_mask)(v > 0.0)); }

/// floor() of places of less than 2^30 cells, by rounding at 2^52; not every machine has an instruction for it.
MN_INLINE mn_lanes mn_floor_lanes(mn_lanes place)
{
    const double   whole_numbers = 0x1.8p52;
    const mn_lanes nearest = (place + whole_numbers) - whole_numbers, one = (mn_lanes){ 0 } + 1.0;
    return nearest - (mn_lanes)((mn_lane_mask)one & (mn_lane_mask)(nearest > place));
}

/// The place inside the cell, 0 .. 1, of places counted in cells. Whatever image of a period a place is, it is the
/// same.
MN_INLINE mn_lanes mn_place_in_cell(mn_lanes place) { return place - mn_floor_lanes(place); }

/// N at the cell centres -1, 0, 1 for a particle at place f of cell 0.
MN_INLINE void mn_centre_weights(mn_lanes f, mn_lanes w[3])
{
    const mn_lanes low = 1.0 - f, mid = f - 0.5;
    w[0] = 0.5 * low * low;
    w[1] = 0.75 - mid * mid;
    w[2] = 0.5 * f * f;
}

/// N at the faces -1, 0, 1, 2; the first or the last is 0.
MN_INLINE void mn_face_weights(mn_lanes f, mn_lanes w[4])
{
    const mn_lanes below = mn_positive(0.5 - f), above = mn_positive(f - 0.5);
    const mn_lanes below2 = below * below, above2 = above * above;
    const mn_lanes left = 1.5 - f, right = 0.5 + f;
    w[0] = 0.5 * below2;
    w[1] = 0.5 * left * left - 1.5 * below2;
    w[2] = 0.5 * right * right - 1.5 * above2;
    w[3] = 0.5 * above2;
}

// Four nodes in a row along x: one register, or two where registers hold two numbers.

#if MN_LANES >= 4
typedef double mn_row __attribute__((vector_size(32)));

MN_INLINE mn_row mn_row_make(double a, double b, double c, double d) { return (mn_row){ a, b, c, d }; }
MN_INLINE mn_row mn_row_scale(double s, mn_row r) { return s * r; }
MN_INLINE mn_row mn_row_add(mn_row a, mn_row b) { return a + b; }
MN_INLINE mn_row mn_row_subtract(mn_row a, mn_row b) { return a - b; }
MN_INLINE mn_row mn_row_multiply(mn_row a, mn_row b) { return a * b; }
#else
typedef struct mn_row {
    mn_lanes low, high;
} mn_row;

MN_INLINE mn_row mn_row_make(double a, double b, double c, double d) { return (mn_row){ { a, b }, { c, d } }; }
MN_INLINE mn_row mn_row_scale(double s, mn_row r) { return (mn_row){ s * r.low, s * r.high }; }
MN_INLINE mn_row mn_row_add(mn_row a, mn_row b) { return (mn_row){ a.low + b.low, a.high + b.high }; }
MN_INLINE mn_row mn_row_subtract(mn_row a, mn_row b) { return (mn_row){ a.low - b.low, a.high - b.high }; }
MN_INLINE mn_row mn_row_multiply(mn_row a, mn_row b) { return (mn_row){ a.low * b.low, a.high * b.high }; }
#endif

MN_INLINE mn_row mn_row_load(const double *from)
{
    mn_row r;
    memcpy(&r, from, sizeof r);
    return r;
}

MN_INLINE void mn_row_store(double *to, mn_row r) { memcpy(to, &r, sizeof r); }

#endif
