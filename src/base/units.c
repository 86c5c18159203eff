// SPDX-License-Identifier: MPL-2.0
// base/units.c - reading units.
#include "base/units.h"

#include "base/context.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct known_unit {
    const char  *symbol;
    mn_dimension dimension;
    double       factor;
    int          tens;
    bool         prefixed;  // whether SI prefixes may stand before it
} known_unit;

static const known_unit known_units[] = {
    { "m", { 1, 0, 0, 0 }, 1.0, 2, true },
    { "g", { 0, 1, 0, 0 }, 1.0, 0, true },
    { "s", { 0, 0, 1, 0 }, 1.0, 0, true },
    { "min", { 0, 0, 1, 0 }, 60.0, 0, false },
    { "h", { 0, 0, 1, 0 }, 36.0, 2, false },
    { "Hz", { 0, 0, -1, 0 }, 1.0, 0, true },
    { "N", { 1, 1, -2, 0 }, 1.0, 5, true },
    { "dyn", { 1, 1, -2, 0 }, 1.0, 0, true },
    { "Pa", { -1, 1, -2, 0 }, 1.0, 1, true },
    { "bar", { -1, 1, -2, 0 }, 1.0, 6, true },
    { "J", { 2, 1, -2, 0 }, 1.0, 7, true },
    { "erg", { 2, 1, -2, 0 }, 1.0, 0, true },
    { "W", { 2, 1, -3, 0 }, 1.0, 7, true },
    { "P", { -1, 1, -1, 0 }, 1.0, 0, true },
    { "St", { 2, 0, -1, 0 }, 1.0, 0, true },
    { "l", { 3, 0, 0, 0 }, 1.0, 3, true },
    { "L", { 3, 0, 0, 0 }, 1.0, 3, true },
    { "rad", { 0, 0, 0, 1 }, 1.0, 0, true },
    { "deg", { 0, 0, 0, 1 }, MN_PI / 180.0, 0, false },
    { "\xc2\xb0", { 0, 0, 0, 1 }, MN_PI / 180.0, 0, false },
    { "rev", { 0, 0, 0, 1 }, 2.0 * MN_PI, 0, false },
    { "rpm", { 0, 0, -1, 1 }, MN_PI / 30.0, 0, false },
    { "%", { 0, 0, 0, 0 }, 1.0, -2, false },
    { "1", { 0, 0, 0, 0 }, 1.0, 0, false },
};

typedef struct prefix {
    const char *symbol;
    int         tens;
} prefix;

static const prefix prefixes[] = { { "n", -9 }, { "u", -6 }, { "\xc2\xb5", -6 }, { "\xce\xbc", -6 },
                                   { "m", -3 }, { "c", -2 }, { "d", -1 },        { "h", 2 },
                                   { "k", 3 },  { "M", 6 },  { "G", 9 } };

#define COUNT(array)  (sizeof(array) / sizeof(array)[0])
#define EXPONENT_MOST 9

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const known_unit *find_exact(const char *symbol, size_t bytes)
{
    for (size_t k = 0; k < COUNT(known_units); k++) {
        const known_unit *u = &known_units[k];
        if (strncmp(u->symbol, symbol, bytes) == 0 && u->symbol[bytes] == '\0') return u;
    }
    return NULL;
}

/// The unit named by a symbol, with the power of ten of its prefix. Whole symbols win: "min" is no milli-inch.
static const known_unit *find_unit(const char *symbol, size_t bytes, int *prefix_tens)
{
    *prefix_tens        = 0;
    const known_unit *u = find_exact(symbol, bytes);
    if (u != NULL) return u;
    for (size_t k = 0; k < COUNT(prefixes); k++) {
        const size_t length = strlen(prefixes[k].symbol);
        if (bytes <= length || memcmp(prefixes[k].symbol, symbol, length) != 0) continue;
        u = find_exact(symbol + length, bytes - length);
        if (u == NULL || !u->prefixed) continue;
        *prefix_tens = prefixes[k].tens;
        return u;
    }
    return NULL;
}

static bool in_symbol(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '%' || (unsigned char)c >= 0x80;
}

/// A power behind a symbol: "2", "^2", "-1", "^-1"; 1 if there is none.
static bool read_power(const char **at, int *power)
{
    const char *p     = *at;
    bool        caret = *p == '^';
    if (caret) p++;
    const bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    *power = 1;
    if (!is_digit(*p)) return p == *at;  // a sign or caret without digits
    int value = 0;
    for (; is_digit(*p); p++) value = value > EXPONENT_MOST ? value : 10 * value + (*p - '0');
    if (value > EXPONENT_MOST) return false;
    *power = negative ? -value : value;
    *at    = p;
    return true;
}

static void multiply(mn_unit *product, const known_unit *u, int prefix_tens, int power)
{
    product->dimension.length += power * u->dimension.length;
    product->dimension.mass += power * u->dimension.mass;
    product->dimension.time += power * u->dimension.time;
    product->dimension.angle += power * u->dimension.angle;
    for (int k = 0; k < power; k++) product->factor *= u->factor;
    for (int k = 0; k > power; k--) product->factor /= u->factor;
    product->tens += power * (u->tens + prefix_tens);
}

static bool read_factor(const char **at, bool divide, mn_unit *product, char error[MN_UNIT_ERROR_BYTES])
{
    const char *begin = *at;
    size_t      bytes = 0;
    if (begin[0] == '1') {
        bytes = 1;
    } else {
        while (in_symbol(begin[bytes])) bytes++;
    }
    if (bytes == 0) {
        snprintf(error, MN_UNIT_ERROR_BYTES, begin[0] == '\0' ? "the unit ends too early" : "'%.12s' is not a unit",
                 begin);
        return false;
    }
    int               prefix_tens;
    const known_unit *u = find_unit(begin, bytes, &prefix_tens);
    if (u == NULL) {
        snprintf(error, MN_UNIT_ERROR_BYTES, "'%.*s' is not a known unit", (int)(bytes < 24 ? bytes : 24), begin);
        return false;
    }
    *at       = begin + bytes;
    int power = 1;
    if (begin[0] != '1' && !read_power(at, &power)) {
        snprintf(error, MN_UNIT_ERROR_BYTES, "the power behind '%.*s' must be a whole number from -%d to %d",
                 (int)bytes, begin, EXPONENT_MOST, EXPONENT_MOST);
        return false;
    }
    multiply(product, u, prefix_tens, divide ? -power : power);
    return true;
}

bool mn_unit_parse(const char *text, mn_unit *out, char error[MN_UNIT_ERROR_BYTES])
{
    *out           = (mn_unit){ .factor = 1.0 };
    const char *at = text;
    while (*at == ' ') at++;
    bool divide = *at == '/';
    if (divide) at++;
    for (int factors = 0;; factors++) {
        while (*at == ' ') at++;
        if (factors == 16) {
            snprintf(error, MN_UNIT_ERROR_BYTES, "the unit has more than 16 factors");
            return false;
        }
        if (!read_factor(&at, divide, out, error)) return false;
        const char *behind = at;
        while (*at == ' ') at++;
        if (*at == '\0') return true;
        divide = *at == '/';
        if (*at == '/' || *at == '*' || *at == '.') {
            at++;
        } else if (at == behind) {
            snprintf(error, MN_UNIT_ERROR_BYTES, "'%.12s' cannot stand in a unit", at);
            return false;
        }
    }
}

double mn_unit_to_cgs(const mn_unit *unit, double value)
{
    value *= unit->factor;
    // 10^22 is the last power of ten that a double holds exactly.
    for (int left = unit->tens; left > 0; left -= 22) value *= pow(10.0, left > 22 ? 22 : left);
    for (int left = -unit->tens; left > 0; left -= 22) value /= pow(10.0, left > 22 ? 22 : left);
    return value;
}

bool mn_dimension_equal(mn_dimension a, mn_dimension b)
{
    return a.length == b.length && a.mass == b.mass && a.time == b.time && a.angle == b.angle;
}

void mn_dimension_text(mn_dimension d, char out[MN_DIMENSION_BYTES])
{
    const char *const names[]  = { "g", "cm", "rad", "s" };
    const int         powers[] = { d.mass, d.length, d.angle, d.time };
    size_t            used     = 0;
    out[0]                     = '\0';
    for (int k = 0; k < 4; k++) {
        if (powers[k] == 0) continue;
        const char *gap = used > 0 ? " " : "";
        used += (size_t)(powers[k] == 1
                             ? snprintf(out + used, MN_DIMENSION_BYTES - used, "%s%s", gap, names[k])
                             : snprintf(out + used, MN_DIMENSION_BYTES - used, "%s%s^%d", gap, names[k], powers[k]));
    }
    if (used == 0) snprintf(out, MN_DIMENSION_BYTES, "a pure number");
}

size_t mn_number_length(const char *text)
{
    const char *p = text;
    if (*p == '-' || *p == '+') p++;
    const char *digits = p;
    while (is_digit(*p)) p++;
    size_t count = (size_t)(p - digits);
    if (*p == '.') {
        const char *fraction = ++p;
        while (is_digit(*p)) p++;
        count += (size_t)(p - fraction);
    }
    if (count == 0) return 0;
    if (*p == 'e' || *p == 'E') {
        const char *q = p + 1;
        if (*q == '-' || *q == '+') q++;
        if (is_digit(*q)) {
            while (is_digit(*q)) q++;
            p = q;
        }
    }
    return (size_t)(p - text);
}
