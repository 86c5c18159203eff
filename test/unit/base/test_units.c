// SPDX-License-Identifier: MPL-2.0
// Units: values and dimensions as people write them.
#include "testing.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

static mn_unit parse(const char *text)
{
    mn_unit unit;
    char    error[MN_UNIT_ERROR_BYTES] = "";
    if (!mn_unit_parse(text, &unit, error)) fail_msg("'%s': %s", text, error);
    return unit;
}

static void units_convert_to_cgs(void **state)
{
    (void)state;
    static const struct {
        double      value;
        const char *unit;
        double      cgs;
        int         length, mass, time, angle;
    } rows[] = {
        { 2, "mm", 0.2, 1, 0, 0, 0 },
        { 3, "mm", 0.3, 1, 0, 0, 0 },
        { 100, "um", 0.01, 1, 0, 0, 0 },
        { 100, "\xc2\xb5m", 0.01, 1, 0, 0, 0 },
        { 7, "nm", 7e-7, 1, 0, 0, 0 },
        { 1.5, "km", 1.5e5, 1, 0, 0, 0 },
        { 1.6, "mPa s", 0.016, -1, 1, -1, 0 },
        { 1.6, "mPa*s", 0.016, -1, 1, -1, 0 },
        { 1.6, "mPa.s", 0.016, -1, 1, -1, 0 },
        { 48, "mN/m", 48, 0, 1, -2, 0 },
        { 20, "ml/s", 20, 3, 0, -1, 0 },
        { 2, "g/l", 0.002, -3, 1, 0, 0 },
        { 8, "g/m2", 0.0008, -2, 1, 0, 0 },
        { 10, "g/m2/s", 0.001, -2, 1, -1, 0 },
        { 50, "kPa", 5e5, -1, 1, -2, 0 },
        { 1, "bar", 1e6, -1, 1, -2, 0 },
        { 9.81, "m/s^2", 981, 1, 0, -2, 0 },
        { 9.81, "m s-2", 981, 1, 0, -2, 0 },
        { 9.81, "m s^-2", 981, 1, 0, -2, 0 },
        { 5, "1/s", 5, 0, 0, -1, 0 },
        { 5, "/s", 5, 0, 0, -1, 0 },
        { 5, "kHz", 5000, 0, 0, -1, 0 },
        { 2, "min", 120, 0, 0, 1, 0 },
        { 0.5, "h", 1800, 0, 0, 1, 0 },
        { 90, "deg", 1.5707963267948966, 0, 0, 0, 1 },
        { 90, "\xc2\xb0", 1.5707963267948966, 0, 0, 0, 1 },
        { 30, "rpm", 3.14159265358979312, 0, 0, -1, 1 },
        { 3, "J", 3e7, 2, 1, -2, 0 },
        { 2, "cP", 0.02, -1, 1, -1, 0 },
        { 12, "%", 0.12, 0, 0, 0, 0 },
        { 4, "kg/m^3", 0.004, -3, 1, 0, 0 },
        { 1, "dm3", 1000, 3, 0, 0, 0 },
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const mn_unit unit = parse(rows[k].unit);
        const double  cgs  = mn_unit_to_cgs(&unit, rows[k].value);
        // One rounding for powers of ten, a few for products with pi.
        if (fabs(cgs - rows[k].cgs) > 4e-16 * fabs(rows[k].cgs))
            fail_msg("%g %s = %.17g", rows[k].value, rows[k].unit, cgs);
        const mn_dimension expected = { rows[k].length, rows[k].mass, rows[k].time, rows[k].angle };
        if (!mn_dimension_equal(unit.dimension, expected)) fail_msg("dimension of %s", rows[k].unit);
    }
}

static void decimal_prefixes_round_once(void **state)
{
    (void)state;
    const mn_unit mm = parse("mm");
    for (int k = 1; k < 1000; k++) {
        char text[16];
        snprintf(text, sizeof text, "%d.%d", k / 10, k % 10);
        double nearest;
        sscanf(text, "%lf", &nearest);
        const double value = mn_unit_to_cgs(&mm, k);
        assert_true(value == nearest);  // 3 mm is the double nearest to 0.3
    }
}

static void what_is_no_unit_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        { "furlong", "'furlong' is not a known unit" },
        { "m/", "ends too early" },
        { "m^", "power behind 'm'" },
        { "m99", "whole number from -9 to 9" },
        { "m s-", "power behind 's'" },
        { "m//s", "is not a unit" },
        { "kmin", "not a known unit" },
        { "5", "is not a unit" },
        { "m(s)", "cannot stand in a unit" },
        { "", "ends too early" },
        { "m+s", "power behind 'm'" },
        { "kdeg", "not a known unit" },
        { "m m m m m m m m m m m m m m m m m", "more than 16" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        mn_unit unit;
        char    error[MN_UNIT_ERROR_BYTES] = "";
        if (mn_unit_parse(rows[k][0], &unit, error)) fail_msg("'%s' was accepted", rows[k][0]);
        if (strstr(error, rows[k][1]) == NULL) fail_msg("'%s': %s", rows[k][0], error);
    }
}

static void dimensions_have_names(void **state)
{
    (void)state;
    char text[MN_DIMENSION_BYTES];
    mn_dimension_text((mn_dimension){ -1, 1, -1, 0 }, text);
    assert_string_equal(text, "g cm^-1 s^-1");
    mn_dimension_text((mn_dimension){ 1, 0, 0, 0 }, text);
    assert_string_equal(text, "cm");
    mn_dimension_text((mn_dimension){ 0, 0, 0, 0 }, text);
    assert_string_equal(text, "a pure number");
    mn_dimension_text((mn_dimension){ -144, 144, -144, 144 }, text);  // the largest that 16 factors to the ninth make
    assert_string_equal(text, "g^144 cm^-144 rad^144 s^-144");
}

static void numbers_end_where_their_unit_begins(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t      length;
    } rows[] = {
        { "12", 2 }, { "-1.5e-3 mm", 7 }, { ".5", 2 },   { "5.", 2 },   { "+2e4", 4 },
        { "2e", 1 }, { "2 e4", 1 },       { "1e+", 1 },  { "", 0 },     { ".", 0 },
        { "-", 0 },  { "abc", 0 },        { ".inf", 0 }, { "-.e3", 0 }, { "0x10", 1 },
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        if (mn_number_length(rows[k].text) != rows[k].length)
            fail_msg("'%s': %zu", rows[k].text, mn_number_length(rows[k].text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_convert_to_cgs),
        cmocka_unit_test(decimal_prefixes_round_once),
        cmocka_unit_test(what_is_no_unit_is_refused_with_a_reason),
        cmocka_unit_test(dimensions_have_names),
        cmocka_unit_test(numbers_end_where_their_unit_begins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
