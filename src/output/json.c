// SPDX-License-Identifier: MPL-2.0
// output/json.c - writing and reading JSON.
#include "output/json.h"

#include "base/locale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_LIMIT 32

void mn_json_text(mn_buffer *out, const char *text)
{
    mn_buffer_text(out, "\"");
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') mn_buffer_print(out, "\\%c", byte);
        else if (byte == '\n') mn_buffer_text(out, "\\n");
        else if (byte < 0x20) mn_buffer_print(out, "\\u%04x", byte);
        else mn_buffer_add(out, text, 1);
    }
    mn_buffer_text(out, "\"");
}

void mn_json_number(mn_buffer *out, double value)
{
    if (isfinite(value)) mn_buffer_print(out, "%.17g", value);
    else mn_buffer_text(out, "null");
}

mn_json mn_json_begin(const char *text, size_t bytes) { return (mn_json){ .at = text, .end = text + bytes }; }

static bool bad(mn_json *j)
{
    j->bad = true;
    return false;
}

/// The next byte that is not space, or 0 at the end.
static char peek(mn_json *j)
{
    while (!j->bad && j->at < j->end && strchr(" \t\r\n", *j->at) != NULL && *j->at != '\0') j->at++;
    return j->bad || j->at >= j->end ? '\0' : *j->at;
}

static bool accept(mn_json *j, char byte)
{
    if (peek(j) != byte || byte == '\0') return false;
    j->at++;
    return true;
}

bool mn_json_open(mn_json *j, char bracket) { return accept(j, bracket) ? true : bad(j); }

/// The comma between two, or the closing bracket.
static bool next(mn_json *j, bool *first, char closing)
{
    if (j->bad || accept(j, closing)) return false;
    if (!*first && !accept(j, ',')) return bad(j);
    *first = false;
    return true;
}

bool mn_json_next_key(mn_json *j, bool *first, char *key, size_t bytes)
{
    if (!next(j, first, '}')) return false;
    return mn_json_read_text(j, key, bytes) && (accept(j, ':') ? true : bad(j));
}

bool mn_json_next_item(mn_json *j, bool *first) { return next(j, first, ']'); }

/// The byte an escape stands for, after its backslash; -1 if there is none such.
static int unescape(mn_json *j)
{
    if (j->at >= j->end) return -1;
    const char kind = *j->at++;
    switch (kind) {
    case '"':
    case '\\':
    case '/': return kind;
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'u': break;
    default: return -1;
    }
    if (j->end - j->at < 4) return -1;
    char       digits[5] = { j->at[0], j->at[1], j->at[2], j->at[3], '\0' };
    char      *end;
    const long code = strtol(digits, &end, 16);
    if (end != digits + 4) return -1;
    j->at += 4;
    return code > 0 && code < 0x80 ? (int)code : '?';
}

bool mn_json_read_text(mn_json *j, char *text, size_t bytes)
{
    if (!accept(j, '"')) return bad(j);
    size_t length = 0;
    while (j->at < j->end && *j->at != '"') {
        int byte = (unsigned char)*j->at++;
        if (byte == '\\') byte = unescape(j);
        if (byte < 0) return bad(j);
        if (length + 1 < bytes) text[length++] = (char)byte;
    }
    text[length] = '\0';
    return accept(j, '"') ? true : bad(j);
}

bool mn_json_read_number(mn_json *j, double *value)
{
    char   digits[64];
    size_t length = 0;
    (void)peek(j);
    while (!j->bad && j->at < j->end && length + 1 < sizeof digits && *j->at != '\0' &&
           strchr("+-.eE0123456789", *j->at) != NULL)
        digits[length++] = *j->at++;
    digits[length]              = '\0';
    char                 *end   = digits;
    const mn_plain_locale plain = mn_plain_locale_begin();
    *value                      = strtod(digits, &end);
    mn_plain_locale_end(plain);
    return length > 0 && *end == '\0' && isfinite(*value) ? true : bad(j);
}

bool mn_json_is_text(mn_json *j) { return peek(j) == '"'; }

static bool skip_word(mn_json *j, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(j->end - j->at) < length || memcmp(j->at, word, length) != 0) return bad(j);
    j->at += length;
    return true;
}

static bool skip(mn_json *j, int depth)
{
    char   text[8];
    double number;
    bool   first = true;
    if (depth > DEPTH_LIMIT) return bad(j);
    switch (peek(j)) {
    case '"': return mn_json_read_text(j, text, sizeof text);
    case 't': return skip_word(j, "true");
    case 'f': return skip_word(j, "false");
    case 'n': return skip_word(j, "null");
    case '{':
        j->at++;
        while (mn_json_next_key(j, &first, text, sizeof text)) skip(j, depth + 1);
        return !j->bad;
    case '[':
        j->at++;
        while (mn_json_next_item(j, &first)) skip(j, depth + 1);
        return !j->bad;
    default: return mn_json_read_number(j, &number);
    }
}

bool mn_json_skip(mn_json *j) { return skip(j, 0); }
