// SPDX-License-Identifier: MPL-2.0
// output/csv.c - repairing and reading tables.
#include "output/csv.h"

#include "base/locale.h"
#include "output/folder.h"

#include <stdlib.h>
#include <string.h>

static int64_t count_commas(const char *line, size_t length)
{
    int64_t commas = 0;
    for (size_t i = 0; i < length; i++) commas += line[i] == ',';
    return commas;
}

/// The whole number a row begins with, or -1.
static int64_t frame_of_row(const char *line, size_t length)
{
    char         digits[24];
    const char  *comma = memchr(line, ',', length);
    const size_t n     = comma != NULL ? (size_t)(comma - line) : length;
    if (n == 0 || n >= sizeof digits) return -1;
    memcpy(digits, line, n);
    digits[n]             = '\0';
    char           *end   = NULL;
    const long long frame = strtoll(digits, &end, 10);
    return *end == '\0' && frame >= 0 ? frame : -1;
}

mn_status mn_csv_repair(mn_context *c, const char *name, const char *text, size_t bytes, const char *header,
                        int64_t last_frame, mn_buffer *out)
{
    const size_t header_bytes = strlen(header);
    const char  *first_end    = bytes > 0 ? memchr(text, '\n', bytes) : NULL;
    mn_buffer_text(out, header);
    if (first_end == NULL) return mn_buffer_status(out);  // empty, or killed while the header was written
    if ((size_t)(first_end - text) + 1 != header_bytes || memcmp(text, header, header_bytes) != 0)
        return mn_fail(c, MN_ERR_FILE,
                       "%s: its columns are not those of this run; move the file away to go on without its rows", name);

    const int64_t commas = count_commas(header, header_bytes);
    int64_t       before = -1;
    const char   *end    = text + bytes;
    for (const char *line = first_end + 1; line < end;) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL) break;  // a torn last line
        const size_t  length = (size_t)(stop - line);
        const int64_t frame  = frame_of_row(line, length);
        if (frame > before && frame <= last_frame && count_commas(line, length) == commas) {
            mn_buffer_add(out, line, length + 1);
            before = frame;
        }
        line = stop + 1;
    }
    return mn_buffer_status(out);
}

// ---- reading -------------------------------------------------------------------------------------------------------

/// Cut the header line into names.
static mn_status parse_header(mn_context *c, const char *line, size_t length, mn_csv *out)
{
    out->column_count = count_commas(line, length) + 1;
    out->column       = mn_alloc_array(c, char *, out->column_count);
    if (out->column == NULL) return MN_ERR_MEMORY;
    const char *end = line + length;
    for (int64_t k = 0; k < out->column_count; k++) {
        const char *comma = memchr(line, ',', (size_t)(end - line));
        const char *stop  = comma != NULL ? comma : end;
        out->column[k]    = mn_alloc(c, (size_t)(stop - line) + 1);
        if (out->column[k] == NULL) return MN_ERR_MEMORY;
        memcpy(out->column[k], line, (size_t)(stop - line));
        line = stop + 1;
    }
    return MN_OK;
}

/// Read one row into `value`; false if it has another number of columns or something that is not a number.
static bool parse_row(const char *line, size_t length, int64_t columns, double *value)
{
    if (count_commas(line, length) + 1 != columns) return false;
    const char *end = line + length;
    for (int64_t k = 0; k < columns; k++) {
        char *stop = NULL;
        value[k]   = strtod(line, &stop);
        if (stop == line || stop > end || (stop < end && *stop != ',')) return false;
        line = stop + 1;
    }
    return true;
}

static mn_status parse_rows(mn_context *c, const char *at, const char *end, mn_csv *out)
{
    int64_t capacity = 0;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) break;
        MN_TRY(mn_array_reserve(c, &out->value, &capacity, (out->row_count + 1) * out->column_count, sizeof(double)));
        if (parse_row(at, (size_t)(stop - at), out->column_count, out->value + out->row_count * out->column_count))
            out->row_count++;
        at = stop + 1;
    }
    return MN_OK;
}

mn_status mn_csv_parse(mn_context *c, const char *text, size_t bytes, mn_csv *out)
{
    *out                  = (mn_csv){ 0 };
    const char *first_end = bytes > 0 ? memchr(text, '\n', bytes) : NULL;
    if (first_end == NULL) return MN_OK;
    mn_status             status = parse_header(c, text, (size_t)(first_end - text), out);
    const mn_plain_locale plain  = mn_plain_locale_begin();
    if (status == MN_OK) status = parse_rows(c, first_end + 1, text + bytes, out);
    mn_plain_locale_end(plain);
    if (status != MN_OK) mn_csv_free(c, out);
    return status;
}

mn_status mn_csv_read(mn_context *c, const char *folder, const char *name, mn_csv *out)
{
    unsigned char *data;
    size_t         bytes;
    *out = (mn_csv){ .column = NULL };
    MN_TRY(mn_folder_read(c, folder, name, &mn_table_file, &data, &bytes));
    const mn_status status = mn_csv_parse(c, (const char *)data, bytes, out);
    mn_free(c, data);
    return status;
}

void mn_csv_free(mn_context *c, mn_csv *csv)
{
    for (int64_t k = 0; csv->column != NULL && k < csv->column_count; k++) mn_free(c, csv->column[k]);
    mn_free(c, csv->column);
    mn_free(c, csv->value);
    *csv = (mn_csv){ 0 };
}

int64_t mn_csv_column(const mn_csv *csv, const char *name)
{
    for (int64_t k = 0; k < csv->column_count; k++)
        if (strcmp(csv->column[k], name) == 0) return k;
    return -1;
}
