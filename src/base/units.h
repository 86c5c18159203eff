// SPDX-License-Identifier: MPL-2.0
// base/units.h - numbers with units as people write them ("1.6 mPa s"), converted to CGS.
//
// A unit is a product of known units with SI prefixes: factors stand side by side with a space, `*` or `.` between
// them, `/` divides by the one factor that follows, powers are written m2, m^2, s-1 or s^-1.
// The text is read in the C locale of numbers: the caller sees to it (see base/locale.h).
#ifndef MN_BASE_UNITS_H
#define MN_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/// Exponents of cm, g, s and rad.
typedef struct mn_dimension {
    int length, mass, time, angle;
} mn_dimension;

/// One of this unit is factor * 10^tens in CGS. Powers of ten are kept apart so that "3 mm" is the double nearest to
/// 0.3 and not three times the one nearest to 0.1.
typedef struct mn_unit {
    mn_dimension dimension;
    double       factor;
    int          tens;
} mn_unit;

#define MN_UNIT_ERROR_BYTES 160

/// Read a unit. On failure `error` holds a sentence without place.
bool mn_unit_parse(const char *text, mn_unit *out, char error[MN_UNIT_ERROR_BYTES]);
/// `value` of that unit, in CGS.
double mn_unit_to_cgs(const mn_unit *unit, double value);
bool   mn_dimension_equal(mn_dimension a, mn_dimension b);

#define MN_DIMENSION_BYTES 64

/// The dimension as a CGS unit: "g cm^-1 s^-1"; "a pure number" if it has none.
void mn_dimension_text(mn_dimension dimension, char out[MN_DIMENSION_BYTES]);

/// The length in bytes of the decimal number at the start of `text` (sign, digits, point, exponent); 0 if there is
/// none.
size_t mn_number_length(const char *text);

#endif
