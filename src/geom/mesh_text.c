// SPDX-License-Identifier: MPL-2.0
// geom/mesh_text.c - words and numbers in text that may hold anything. Independent of the locale.
#include "geom/mesh_reader.h"

#include <string.h>

static bool is_blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }

static size_t continuation(const mn_mesh_reader *r, size_t at)
{
    if (r->data[at] != '\\') return 0;
    size_t end = at + 1;
    if (end < r->bytes && r->data[end] == '\r') end++;
    return end < r->bytes && r->data[end] == '\n' ? end + 1 - at : 0;
}

static mn_token word_here(mn_mesh_reader *r)
{
    mn_token word = { .begin = r->at };
    while (r->at < r->bytes && r->data[r->at] != '\n' && !is_blank(r->data[r->at]) && continuation(r, r->at) == 0)
        r->at++;
    word.length = r->at - word.begin;
    return word;
}

mn_token mn_text_word(mn_mesh_reader *r)
{
    while (r->at < r->bytes) {
        const size_t joined = continuation(r, r->at);
        if (joined == 0 && !is_blank(r->data[r->at])) break;
        r->at += joined > 0 ? joined : 1;
    }
    return word_here(r);
}

mn_token mn_text_word_anywhere(mn_mesh_reader *r)
{
    while (r->at < r->bytes) {
        const mn_token word = mn_text_word(r);
        if (word.length > 0) return word;
        if (r->at < r->bytes) r->at++;  // the end of the line
    }
    return (mn_token){ .begin = r->bytes };
}

void mn_text_next_line(mn_mesh_reader *r)
{
    while (r->at < r->bytes && r->data[r->at] != '\n') r->at++;
    if (r->at < r->bytes) r->at++;
}

bool mn_text_is(const mn_mesh_reader *r, mn_token word, const char *expected)
{
    return word.length == strlen(expected) && memcmp(r->data + word.begin, expected, word.length) == 0;
}

bool mn_text_is_any_case(const mn_mesh_reader *r, mn_token word, const char *expected)
{
    if (word.length != strlen(expected)) return false;
    for (size_t k = 0; k < word.length; k++) {
        const unsigned char c = r->data[word.begin + k];
        if ((c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c) != expected[k]) return false;
    }
    return true;
}

/// Whether the word is one that programs write for a value that is not finite: nan, -inf, infinity, 1.#QNAN.
static bool says_not_finite(const unsigned char *text, size_t length)
{
    for (size_t k = 0; k + 3 <= length; k++) {
        const unsigned char a = text[k] | 0x20u, b = text[k + 1] | 0x20u, c = text[k + 2] | 0x20u;
        if ((a == 'n' && b == 'a' && c == 'n') || (a == 'i' && b == 'n' && c == 'f')) return true;
    }
    return false;
}

/// 10 to a power that may leave the range of double on either side; exact up to 10^27 in 64 bits of mantissa.
static long double power_of_ten(int exponent)
{
    long double result = 1.0L, base = 10.0L;
    for (int n = exponent < 0 ? -exponent : exponent; n > 0; n >>= 1, base *= base)
        if (n & 1) result *= base;
    return result;
}

/// Decimal number: the first 19 significant digits are kept exactly in 64 bits, further ones only shift the exponent.
static bool scan_number(const unsigned char *s, size_t length, double *out)
{
    size_t   k        = 0;
    uint64_t mantissa = 0;
    int      digits = 0, seen = 0, shift = 0;
    bool     negative = false, after_point = false;
    if (k < length && (s[k] == '-' || s[k] == '+')) negative = s[k++] == '-';
    for (; k < length && (is_digit(s[k]) || (s[k] == '.' && !after_point)); k++) {
        if (s[k] == '.') {
            after_point = true;
            continue;
        }
        seen = 1;
        if (digits < 19) {
            mantissa = mantissa * 10 + (uint64_t)(s[k] - '0');
            if (mantissa > 0) digits++;
            if (after_point) shift--;
        } else if (!after_point) {
            shift++;
        }
    }
    if (!seen) return false;
    if (k < length && (s[k] == 'e' || s[k] == 'E')) {
        const bool   down  = k + 1 < length && s[k + 1] == '-';
        const size_t first = k + 1 + (k + 1 < length && (s[k + 1] == '-' || s[k + 1] == '+'));
        int          power = 0;
        for (k = first; k < length && is_digit(s[k]); k++)
            if (power < 9999) power = power * 10 + (s[k] - '0');
        if (k == first) return false;
        shift += down ? -power : power;
    }
    if (k != length) return false;
    if (shift > 400) shift = 400;  // beyond every double either way
    if (shift < -400) shift = -400;
    const long double value = shift < 0 ? (long double)mantissa / power_of_ten(shift)
                                        : (long double)mantissa * power_of_ten(shift);
    *out                    = negative ? -(double)value : (double)value;
    return true;
}

mn_status mn_text_number(const mn_mesh_reader *r, mn_token word, double *out)
{
    const unsigned char *text  = r->data + word.begin;
    const int            shown = word.length < 40 ? (int)word.length : 40;
    if (word.length == 0) return mn_mesh_error(r, word.begin, "a number is missing");
    if (says_not_finite(text, word.length))
        return mn_mesh_error(r, word.begin, "the value '%.*s' is not finite", shown, (const char *)text);
    if (word.length > 4096 || !scan_number(text, word.length, out))
        return mn_mesh_error(r, word.begin, "'%.*s' is not a number", shown, (const char *)text);
    if (!isfinite(*out))
        return mn_mesh_error(r, word.begin, "the value '%.*s' is not finite", shown, (const char *)text);
    return MN_OK;
}
