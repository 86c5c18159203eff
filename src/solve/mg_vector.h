// SPDX-License-Identifier: MPL-2.0
// solve/mg_vector.h - eight lanes of float and double, and the moves the coloured layout needs.
//
// Layout of a field in a tile: colour 0 (x+y+z even) first, then colour 1. Within a colour the vector (z, j) holds rows
// y = 2j (lanes 0-3) and y = 2j+1 (lanes 4-7); lane i of a row is the cell of that colour with x/2 = i. Of the two x
// neighbours one sits in the same lane of the other colour ("straight"), the other one lane aside ("aside"), and the
// two halves are shifted in opposite directions. The y neighbour inside the pair of rows is the other half ("inner"),
// the one outside comes from vector j-1 or j+1 ("outer"). Straight and inner faces lie inside an aggregate of the next
// level, aside and outer faces between two of them.
#ifndef MN_SOLVE_MG_VECTOR_H
#define MN_SOLVE_MG_VECTOR_H

#include <stdint.h>
#include <string.h>

// Vectors wider than the machine's registers are split by the compiler; the functions here are always inlined, so the
// calling convention gcc warns about never matters.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

typedef float   mn_f8 __attribute__((vector_size(32), may_alias));
typedef int32_t mn_i8 __attribute__((vector_size(32), may_alias));
typedef double  mn_d8 __attribute__((vector_size(64), may_alias));
typedef int64_t mn_l8 __attribute__((vector_size(64), may_alias));

#define MN_INLINE static inline __attribute__((always_inline))

MN_INLINE mn_f8 mn_f8_load(const float *p) { return *(const mn_f8 *)p; }
MN_INLINE void  mn_f8_store(float *p, mn_f8 v) { *(mn_f8 *)p = v; }
MN_INLINE mn_d8 mn_d8_load(const double *p) { return *(const mn_d8 *)p; }
MN_INLINE void  mn_d8_store(double *p, mn_d8 v) { *(mn_d8 *)p = v; }
MN_INLINE mn_d8 mn_d8_of(mn_f8 v) { return __builtin_convertvector(v, mn_d8); }
MN_INLINE mn_f8 mn_f8_of(mn_d8 v) { return __builtin_convertvector(v, mn_f8); }
/// From memory of any alignment (the caller's arrays).
MN_INLINE mn_d8 mn_d8_read(const double *p)
{
    mn_d8 v;
    memcpy(&v, p, sizeof v);
    return v;
}
MN_INLINE void  mn_d8_write(double *p, mn_d8 v) { memcpy(p, &v, sizeof v); }
MN_INLINE mn_f8 mn_f8_read(const float *p)
{
    mn_f8 v;
    memcpy(&v, p, sizeof v);
    return v;
}

/// Sum of the lanes in a fixed order.
MN_INLINE double mn_d8_sum(mn_d8 v) { return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7])); }

/// v where the lane of `keep` is not zero, else 0 (also for NaN).
MN_INLINE mn_d8 mn_d8_where(mn_f8 keep, mn_d8 v)
{
    const mn_i8 set = keep != 0.0f;
    return (mn_d8)((mn_l8)v & __builtin_convertvector(set, mn_l8));
}

// Macros, since they serve float and double alike.

/// Aside neighbours when the lower half looks to low x and the upper half to high x, and the other way round.
#define MN_ASIDE_LOW(v, low, high)                                                                                     \
    __builtin_shufflevector((v), __builtin_shufflevector((low), (high), 3, 3, 3, 3, 12, 12, 12, 12), 8, 0, 1, 2, 5, 6, \
                            7, 12)
#define MN_ASIDE_HIGH(v, low, high)                                                                                    \
    __builtin_shufflevector((v), __builtin_shufflevector((low), (high), 8, 8, 8, 8, 7, 7, 7, 7), 1, 2, 3, 8, 12, 4, 5, \
                            6)
/// The other row of the pair.
#define MN_INNER(v) __builtin_shufflevector((v), (v), 4, 5, 6, 7, 0, 1, 2, 3)
/// The rows outside the pair.
#define MN_OUTER(below, above) __builtin_shufflevector((below), (above), 4, 5, 6, 7, 8, 9, 10, 11)
/// Even or odd lanes of row a, then odd or even lanes of row b: one colour of a pair of natural rows.
#define MN_EVEN_ODD(a, b) __builtin_shufflevector((a), (b), 0, 2, 4, 6, 9, 11, 13, 15)
#define MN_ODD_EVEN(a, b) __builtin_shufflevector((a), (b), 1, 3, 5, 7, 8, 10, 12, 14)
/// Back to natural rows: the row whose even lanes are the lower (or upper) half of e and whose odd lanes those of o.
#define MN_ROW_LOWER(e, o) __builtin_shufflevector((e), (o), 0, 8, 1, 9, 2, 10, 3, 11)
#define MN_ROW_UPPER(e, o) __builtin_shufflevector((e), (o), 4, 12, 5, 13, 6, 14, 7, 15)

#endif
