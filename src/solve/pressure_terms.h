// SPDX-License-Identifier: MPL-2.0
// solve/pressure_terms.h - what other matter adds to the pressure system: a diagonal, rows of something movable, jumps.
//
// **Diagonal** (mixture, drag): d p on the left, as towards a known value. It says how much a cell gives way by itself.
//
// **Rows** (bodies): Q^T M^-1 Q p on the left. Q p, one value for each row, is the impulse that the pressure gives the
// owner along each of its degrees of freedom; M^-1 of it is how fast that moves, and Q^T of this what flows into each
// cell for it. A rigid body has 6 rows (3 in two dimensions), a soft one 6 and its modes; all are zero but in the
// cells around the body, so that the rows of one cell are kept together. The product is made in double in each
// application of the matrix; the cycle of the multigrid carries the rows to its coarse levels (mg_rows.h). Once p is
// found, `react` hands the owner its Q p: liquid and body exchange the same impulse to the last digit that is solved
// for. What the owner does without pressure, w, stands on the right-hand side as -Q^T w (mn_pressure_add_velocities);
// afterwards it moves with w + M^-1 Q p. Where a step solves twice, `react` comes twice, and w must then be the new
// one.
//
// **Jumps** (a membrane with tension): across a face p is higher by `jump` on the high side than it would be. There is
// no matrix: a jump gives the right-hand side b * jump (mn_pressure_add_jumps), with the coefficient of the face, and
// the velocity of the face is changed by p_high - p_low - jump where it was p_high - p_low before. Both use the same
// stored coefficient, so that a jump that the pressure can balance moves nothing.
//
// **Pockets.** A part of the liquid without a known value is closed as long as no term reaches its constant: a
// diagonal does; rows do unless they add up to 0 over it (a body all around which there is liquid of one pocket:
// what it moves away it leaves behind). Rows that reach several pockets may leave some combination of their constants
// alone (a piston between two); that is removed like the constant of a closed pocket.
#ifndef MN_SOLVE_PRESSURE_TERMS_H
#define MN_SOLVE_PRESSURE_TERMS_H

#include "grid/tiles.h"

/// One owner's term; it may have a diagonal, rows, or both. All arrays are borrowed until the last solve.
typedef struct mn_pressure_term {
    const float   *diagonal;  ///< per cell of the tiles, >= 0; NULL: none
    int32_t        rows;      ///< of Q; 0: none
    int64_t        cells;     ///< in which a row is not zero
    const int64_t *cell;      ///< their places in the caller's arrays, each once
    const double  *row;       ///< Q, cells * rows: all rows of a cell together
    const double  *inverse;   ///< M^-1, rows * rows, symmetric, no eigenvalue below 0
    const double  *velocity;  ///< w, `rows` values in the unit of the right-hand side; NULL: at rest
    void (*react)(void *owner, const double *impulse);  ///< Q p, `rows` values; NULL: nobody asks
    void *owner;
} mn_pressure_term;

typedef struct mn_pressure_jump {
    int64_t face;  ///< place in the caller's arrays of the cell whose low face it is
    int32_t axis;
    double  jump;  ///< in the unit of the pressure; of any sign
} mn_pressure_jump;

/// All that other matter adds to one solve.
typedef struct mn_pressure_terms {
    const mn_pressure_term *term;
    int                     count;
    const mn_pressure_jump *jump;  ///< each face once
    int64_t                 jumps;
} mn_pressure_terms;

/// rhs += b * jump on both sides of each face with a jump, in unknown cells; b are the coefficients of the system.
void mn_pressure_add_jumps(const mn_tiles *tiles, float *const b[3], const uint8_t *unknown,
                           const mn_pressure_terms *terms, double *rhs);
/// rhs -= Q^T w, in unknown cells.
void mn_pressure_add_velocities(const uint8_t *unknown, const mn_pressure_terms *terms, double *rhs);

#endif
