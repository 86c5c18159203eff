// SPDX-License-Identifier: MPL-2.0
// app/json.c - enough JSON to read a run.json back: members of objects, items of arrays, numbers, strings.
#include "app.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

/// The end of the string that begins at the quote p, just behind its closing quote.
static const char *skip_string(const char *p)
{
    for (p++; *p != '\0' && *p != '"'; p++) {
        if (*p == '\\' && p[1] != '\0') p++;
    }
    return *p == '"' ? p + 1 : p;
}

/// The end of the value that begins at p. Brackets are counted, not matched by kind: the file is our own.
static const char *skip_value(const char *p)
{
    if (*p == '"') return skip_string(p);
    if (*p != '{' && *p != '[') return p + strcspn(p, ",]} \t\r\n");
    int depth = 0;
    while (*p != '\0') {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        if (*p == '{' || *p == '[') depth++;
        if ((*p == '}' || *p == ']') && --depth == 0) return p + 1;
        p++;
    }
    return p;
}

bool app_json_member(const char *object, const char *key, app_json *out)
{
    const char *p = skip_space(object);
    if (*p != '{') return false;
    p = skip_space(p + 1);
    while (*p == '"') {
        const char  *name     = p + 1;
        const char  *name_end = skip_string(p);
        const size_t length   = (size_t)(name_end - name) - 1;
        p                     = skip_space(name_end);
        if (*p != ':') return false;
        p             = skip_space(p + 1);
        const app_json value = { p, skip_value(p) };
        if (length == strlen(key) && memcmp(name, key, length) == 0) {
            *out = value;
            return true;
        }
        p = skip_space(value.end);
        if (*p == ',') p = skip_space(p + 1);
    }
    return false;
}

bool app_json_item(app_json array, int index, app_json *out)
{
    const char *p = skip_space(array.begin);
    if (*p != '[') return false;
    p = skip_space(p + 1);
    while (*p != ']' && *p != '\0') {
        const app_json value = { p, skip_value(p) };
        if (value.end == p) return false;
        if (index-- == 0) {
            *out = value;
            return true;
        }
        p = skip_space(value.end);
        if (*p == ',') p = skip_space(p + 1);
    }
    return false;
}

int app_json_length(app_json array)
{
    const char *p = skip_space(array.begin);
    if (*p != '[') return 0;
    int count = 0;
    p         = skip_space(p + 1);
    while (*p != ']' && *p != '\0') {
        const char *end = skip_value(p);
        if (end == p) return count;
        count++;
        p = skip_space(end);
        if (*p == ',') p = skip_space(p + 1);
    }
    return count;
}

double app_json_number(app_json value, double otherwise)
{
    char *end = NULL;
    const double number = strtod(value.begin, &end);
    return end == value.begin ? otherwise : number;
}

void app_json_text(app_json value, char *text, size_t bytes)
{
    const bool   quoted = value.end - value.begin >= 2 && value.begin[0] == '"';
    const char  *begin  = quoted ? value.begin + 1 : value.begin;
    const size_t length = (size_t)(value.end - begin) - (quoted ? 1 : 0);
    snprintf(text, bytes, "%.*s", (int)length, begin);
}
