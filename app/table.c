// SPDX-License-Identifier: MPL-2.0
// app/table.c - reading the CSV files of a run back: a header and rows of numbers.
#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int count_of(const char *text, char wanted)
{
    int count = 0;
    for (; *text != '\0'; text++) count += *text == wanted;
    return count;
}

/// Cut the header line into names, in place.
static bool read_names(app_table *t, char *line)
{
    t->columns = count_of(line, ',') + 1;
    t->names   = calloc((size_t)t->columns, sizeof *t->names);
    if (t->names == NULL) return false;
    char *rest = line;
    for (int k = 0; k < t->columns; k++) {
        t->names[k] = rest;
        rest += strcspn(rest, ",");
        if (*rest != '\0') *rest++ = '\0';
    }
    return true;
}

static void read_row(app_table *t, int row, const char *line)
{
    for (int k = 0; k < t->columns; k++) {
        char        *end   = NULL;
        const double value = strtod(line, &end);
        t->values[(size_t)row * (size_t)t->columns + (size_t)k] = end == line ? NAN : value;
        line += strcspn(line, ",\n");
        if (*line == ',') line++;
    }
}

bool app_table_read(const char *path, app_table *out)
{
    *out      = (app_table){ .text = app_read_text(path) };
    if (out->text == NULL) return false;
    char     *end   = strchr(out->text, '\n');
    const int lines = count_of(out->text, '\n');
    if (end == NULL) goto failed;
    *end = '\0';
    if (!read_names(out, out->text)) goto failed;
    out->values = calloc((size_t)out->columns * (size_t)lines, sizeof *out->values);
    if (out->values == NULL) goto failed;
    // A last line without its end is being written right now: left out.
    for (char *line = end + 1; (end = strchr(line, '\n')) != NULL; line = end + 1) read_row(out, out->rows++, line);
    return true;
failed:
    app_table_free(out);
    return false;
}

void app_table_free(app_table *t)
{
    free(t->text);
    free(t->names);
    free(t->values);
    *t = (app_table){ .rows = 0 };
}

double app_table_get(const app_table *t, int row, const char *name)
{
    for (int k = 0; k < t->columns; k++) {
        if (strcmp(t->names[k], name) == 0 && row >= 0 && row < t->rows) {
            return t->values[(size_t)row * (size_t)t->columns + (size_t)k];
        }
    }
    return NAN;
}
