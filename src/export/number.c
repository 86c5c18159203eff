// SPDX-License-Identifier: MPL-2.0
// export/number.c - nine digits of a float from one product: a double holds them to spare.
#include "export/number.h"

#include <math.h>
#include <string.h>

/// 10^k for k from -50 to 60: every float, subnormal ones too, is scaled to nine digits by one of them.
static double power_of_ten(int k)
{
    static const double whole[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23,
                                    1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35,
                                    1e36, 1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44, 1e45, 1e46, 1e47,
                                    1e48, 1e49, 1e50, 1e51, 1e52, 1e53, 1e54, 1e55, 1e56 };
    return k >= 0 ? whole[k] : 1.0 / whole[-k];
}

static char *write_digits(char *to, uint64_t value, int digits)
{
    for (int k = digits - 1; k >= 0; k--, value /= 10) to[k] = (char)('0' + value % 10);
    return to + digits;
}

static int digits_of(uint64_t value)
{
    int n = 1;
    while (value >= 10) value /= 10, n++;
    return n;
}

char *mn_write_whole(char *to, int64_t value)
{
    uint64_t size = (uint64_t)value;
    if (value < 0) {
        *to++ = '-';
        size  = 0 - size;
    }
    return write_digits(to, size, digits_of(size));
}

static char *write_word(char *to, const char *word)
{
    const size_t n = strlen(word);
    memcpy(to, word, n);
    return to + n;
}

/// Digits d of `count`, the first worth 10^exponent, with a point where it belongs or an exponent after them.
static char *place_point(char *to, const char *d, int count, int exponent)
{
    if (exponent < -5 || exponent > 8) {
        *to++ = d[0];
        if (count > 1) {
            *to++ = '.';
            memcpy(to, d + 1, (size_t)(count - 1));
            to += count - 1;
        }
        *to++ = 'e';
        return mn_write_whole(to, exponent);
    }
    if (exponent < 0) {
        *to++ = '0';
        *to++ = '.';
        for (int k = -1; k > exponent; k--) *to++ = '0';
        memcpy(to, d, (size_t)count);
        return to + count;
    }
    for (int k = 0; k < count || k <= exponent; k++) {
        if (k == exponent + 1) *to++ = '.';
        *to++ = k < count ? d[k] : '0';
    }
    return to;
}

/// Nine digits rounded to eight or seven, while what they say stays within `room` of the size: nearer to it than to any
/// other float, so that a reader finds the same one.
static uint64_t fewest_digits(uint64_t nine, double one, double size, double room)
{
    static const uint64_t cut[] = { 100, 10 };
    for (int k = 0; k < 2; k++) {
        const uint64_t rounded = (nine + cut[k] / 2) / cut[k] * cut[k];
        if (fabs((double)rounded * one - size) < room) return rounded;
    }
    return nine;
}

/// Exponent of the power of two at or below a normal double.
static int binary_exponent(double size)
{
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (int)(bits >> 52) - 1023;
}

static double power_of_two(int k)
{
    const uint64_t bits = (uint64_t)(1023 + k) << 52;
    double         power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

char *mn_write_float(char *to, float value)
{
    if (isnan(value)) return write_word(to, "nan");
    if (signbit(value) && value != 0.0f) *to++ = '-';
    if (isinf(value)) return write_word(to, "inf");
    const double size = fabs((double)value);
    if (size == 0.0) return write_word(to, "0");
    const int two      = binary_exponent(size);  // floats below the normal ones are normal doubles
    int       exponent = two >= 0 ? two * 1233 >> 12
                                  : -((-two * 1233 >> 12) + 1);  // log10(2) = 1233 / 4096: right, or one too small
    uint64_t  nine     = (uint64_t)(size * power_of_ten(8 - exponent) + 0.5);
    if (nine >= 1000000000u) {
        exponent++;
        nine = (uint64_t)(size * power_of_ten(8 - exponent) + 0.5);
    }
    const double one = power_of_ten(exponent - 8), room = 0.49 * power_of_two((two > -126 ? two : -126) - 23);
    nine = fewest_digits(nine, one, size, room);
    char digits[16];
    if (nine == 1000000000u) {
        exponent++;
        nine = 100000000u;
    }
    write_digits(digits, nine, 9);
    int count = 9;
    while (count > 1 && digits[count - 1] == '0') count--;
    return place_point(to, digits, count, exponent);
}
