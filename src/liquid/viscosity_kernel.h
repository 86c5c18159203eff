// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity_kernel.h - the stress of a velocity on the faces of one row. Included once for float and once for
// double.
//
// REAL, VECTOR, LOAD(pointer to REAL), COEFFICIENT(pointer to float) and NAME are the includer's.

/// Values one cell lower and one higher in x; `low` and `high` are the rows beside.
#ifndef MN_FROM_LOW
#define MN_FROM_LOW(v, low)   __builtin_shufflevector((low), (v), 7, 8, 9, 10, 11, 12, 13, 14)
#define MN_FROM_HIGH(v, high) __builtin_shufflevector((v), (high), 1, 2, 3, 4, 5, 6, 7, 8)
#endif

#define U(row, a)           LOAD(u + mn_row_face(l, row, a))
#define CELL(row)           COEFFICIENT(l->cell + (size_t)(row)*MN_TILE)
#define EDGE(e, which, row) COEFFICIENT(l->edge[e][which] + (size_t)(row)*MN_TILE)

/// The force of the samples between axis x and the axis b on u_x and u_b, b = y or z. The sample of a face and that of
/// the next one are made by the same sums, so that what one face loses the other gains.
MN_INLINE void NAME(shear_with_x)(const mn_viscosity_level *l, const int32_t *near, const REAL *u, int32_t r, int b,
                                  VECTOR *out_x, VECTOR *out_b)
{
    const int     e   = b - 1;
    const int32_t low = near[b == 1 ? MN_ROW_Y_LOW : MN_ROW_Z_LOW], high = near[b == 1 ? MN_ROW_Y_HIGH : MN_ROW_Z_HIGH];
    const int32_t high_x_low = near[b == 1 ? MN_ROW_Y_HIGH_X_LOW : MN_ROW_Z_HIGH_X_LOW],
                  low_x_high = near[b == 1 ? MN_ROW_Y_LOW_X_HIGH : MN_ROW_Z_LOW_X_HIGH];
    const int32_t x_low = near[MN_ROW_X_LOW], x_high = near[MN_ROW_X_HIGH];
    const VECTOR  ux = U(r, 0), ub = U(r, b), ub_high = U(high, b), ub_next = U(x_high, b);
    const VECTOR  mixed = EDGE(e, 1, r);
    const VECTOR  dx = ux - U(low, 0), db = ub - MN_FROM_LOW(ub, U(x_low, b));
    const VECTOR  force_b = mixed * dx + EDGE(e, 2, r) * db;
    *out_x += EDGE(e, 0, r) * dx + mixed * db;
    *out_x -= EDGE(e, 0, high) * (U(high, 0) - ux) +
              EDGE(e, 1, high) * (ub_high - MN_FROM_LOW(ub_high, U(high_x_low, b)));
    const VECTOR next = EDGE(e, 1, x_high) * (U(x_high, 0) - U(low_x_high, 0)) +
                        EDGE(e, 2, x_high) * (ub_next - MN_FROM_LOW(ub_next, ub));
    *out_b += force_b - MN_FROM_HIGH(force_b, next);
}

MN_INLINE void NAME(shear_yz)(const mn_viscosity_level *l, const int32_t *near, const REAL *u, int32_t r, VECTOR *out_y,
                              VECTOR *out_z)
{
    const int32_t yl = near[MN_ROW_Y_LOW], yh = near[MN_ROW_Y_HIGH], zl = near[MN_ROW_Z_LOW], zh = near[MN_ROW_Z_HIGH];
    const VECTOR  uy = U(r, 1), uz = U(r, 2), mixed = EDGE(2, 1, r);
    const VECTOR  dy = uy - U(zl, 1), dz = uz - U(yl, 2);
    *out_y += EDGE(2, 0, r) * dy + mixed * dz;
    *out_z += mixed * dy + EDGE(2, 2, r) * dz;
    *out_y -= EDGE(2, 0, zh) * (U(zh, 1) - uy) + EDGE(2, 1, zh) * (U(zh, 2) - U(near[MN_ROW_Y_LOW_Z_HIGH], 2));
    *out_z -= EDGE(2, 1, yh) * (U(yh, 1) - U(near[MN_ROW_Y_HIGH_Z_LOW], 1)) + EDGE(2, 2, yh) * (U(yh, 2) - uz);
}

/// D^T c D u on the faces of a row.
MN_INLINE void NAME(stress)(const mn_viscosity_level *l, const REAL *u, int32_t r, int dimension, VECTOR out[3])
{
    const int32_t *near = l->near[r];
    const VECTOR   cell = CELL(r), ux = U(r, 0), uy = U(r, 1);
    out[0] = MN_FROM_LOW(cell, CELL(near[MN_ROW_X_LOW])) * (ux - MN_FROM_LOW(ux, U(near[MN_ROW_X_LOW], 0))) -
             cell * (MN_FROM_HIGH(ux, U(near[MN_ROW_X_HIGH], 0)) - ux);
    out[1] = CELL(near[MN_ROW_Y_LOW]) * (uy - U(near[MN_ROW_Y_LOW], 1)) - cell * (U(near[MN_ROW_Y_HIGH], 1) - uy);
    NAME(shear_with_x)(l, near, u, r, 1, &out[0], &out[1]);
    if (dimension == 2) return;
    const VECTOR uz = U(r, 2);
    out[2] = CELL(near[MN_ROW_Z_LOW]) * (uz - U(near[MN_ROW_Z_LOW], 2)) - cell * (U(near[MN_ROW_Z_HIGH], 2) - uz);
    NAME(shear_with_x)(l, near, u, r, 2, &out[0], &out[2]);
    NAME(shear_yz)(l, near, u, r, &out[1], &out[2]);
}

#undef U
#undef CELL
#undef EDGE
