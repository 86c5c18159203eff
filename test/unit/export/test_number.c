// SPDX-License-Identifier: MPL-2.0
// Floats as text: what is read back is what was written.
#include "export/number.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect_text(float value, const char *text)
{
    char  got[MN_NUMBER_BYTES];
    char *end = mn_write_float(got, value);
    *end      = '\0';
    assert_string_equal(got, text);
}

static void plain_numbers_look_plain(void **state)
{
    (void)state;
    expect_text(0.0f, "0");
    expect_text(-0.0f, "0");
    expect_text(1.0f, "1");
    expect_text(-15.0f, "-15");
    expect_text(6.7f, "6.7");
    expect_text(0.001f, "0.001");
    expect_text(1e-7f, "1e-7");
    expect_text(123456.0f, "123456");
    expect_text(1e9f, "1e9");
    expect_text(16777216.0f, "16777216");
    expect_text(9.9999999e8f, "1e9");
    expect_text((float)INFINITY, "inf");
    expect_text((float)-INFINITY, "-inf");
    expect_text((float)NAN, "nan");
}

static void expect_same(float value)
{
    char  text[MN_NUMBER_BYTES];
    char *end = mn_write_float(text, value);
    assert_true(end - text < MN_NUMBER_BYTES);
    *end             = '\0';
    const float back = strtof(text, NULL);
    if (back != value) fail_msg("%.9g was written as %s", (double)value, text);
}

/// All floats have one of 2^32 patterns of bits: every 997th is tried.
static void every_float_is_found_again(void **state)
{
    (void)state;
    for (uint64_t pattern = 0; pattern < (uint64_t)1 << 32; pattern += 997) {
        const uint32_t bits = (uint32_t)pattern;
        float          value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) expect_same(value);
    }
}

static void whole_numbers_are_exact(void **state)
{
    (void)state;
    static const int64_t values[] = { 0, 7, -7, 10, 99, 100, INT32_MAX, INT64_MAX, INT64_MIN };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        char  text[MN_NUMBER_BYTES];
        char *end = mn_write_whole(text, values[k]);
        *end      = '\0';
        assert_int_equal(strtoll(text, NULL, 10), values[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_numbers_look_plain),
        cmocka_unit_test(every_float_is_found_again),
        cmocka_unit_test(whole_numbers_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
