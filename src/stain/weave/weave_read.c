// SPDX-License-Identifier: MPL-2.0
// stain/weave/weave_read.c - tiles from text: rows of cells, or a tensor for each cell.
#include "stain/weave/weave_text.h"

#include "base/file.h"
#include "geom/mesh_reader.h"

#include <string.h>

/// The largest tile takes a twentieth of it, with numbers of all digits.
static const mn_file_kind mn_weave_file = { "a weave", (int64_t)16 << 20 };

/// The next word that is not in a comment; length 0 at the end of the file.
static mn_token next_word(mn_mesh_reader *r)
{
    mn_token word = mn_text_word_anywhere(r);
    while (word.length > 0 && r->data[word.begin] == '#') {
        mn_text_next_line(r);
        word = mn_text_word_anywhere(r);
    }
    return word;
}

static mn_status add_row(const mn_mesh_reader *r, mn_token word, int columns, uint8_t *row)
{
    for (size_t k = 0; k < word.length; k++) {
        const unsigned char letter = r->data[word.begin + k];
        if (k >= MN_WEAVE_MOST_CELLS)
            return mn_mesh_error(r, word.begin + k, "the row has more than %d cells", MN_WEAVE_MOST_CELLS);
        if (!mn_weave_letter((char)letter, &row[k]))
            return mn_mesh_error(r, word.begin + k, "'%c' is no cell; accepted are | (warp), - (weft) and . (gap)",
                                 letter > 32 && letter < 127 ? (char)letter : '?');
    }
    if (columns > 0 && word.length != (size_t)columns)
        return mn_mesh_error(r, word.begin, "the row has %zu cells; the first has %d", word.length, columns);
    return MN_OK;
}

static mn_status read_cells(mn_mesh_reader *r, mn_weave_tile *out)
{
    uint8_t cell[MN_WEAVE_MOST_CELLS][MN_WEAVE_MOST_CELLS];
    int     columns = 0, rows = 0;
    for (mn_token word = next_word(r); word.length > 0; word = next_word(r), rows++) {
        if (rows == MN_WEAVE_MOST_CELLS)
            return mn_mesh_error(r, word.begin, "the tile has more than %d rows", MN_WEAVE_MOST_CELLS);
        MN_TRY(add_row(r, word, columns, cell[rows]));
        columns = (int)word.length;
    }
    if (rows == 0) return mn_mesh_error(r, r->bytes, "the file holds no rows of cells");
    MN_TRY(mn_weave_tile_create(r->context, columns, rows, false, out));
    for (int j = 0; j < rows; j++)
        memcpy(out->cell + j * columns, cell[rows - 1 - j], (size_t)columns);  // the top row comes first
    return MN_OK;
}

static mn_status read_count(mn_mesh_reader *r, const char *what, int *out)
{
    const mn_token word  = next_word(r);
    double         value = 0.0;
    MN_TRY(mn_text_number(r, word, &value));
    if (!(value >= 1.0 && value <= MN_WEAVE_MOST_CELLS) || value != floor(value))
        return mn_mesh_error(r, word.begin, "the number of %s is %g; accepted is 1 to %d", what, value,
                             MN_WEAVE_MOST_CELLS);
    *out = (int)value;
    return MN_OK;
}

static mn_status read_tensors(mn_mesh_reader *r, mn_weave_tile *out)
{
    int columns, rows;
    MN_TRY(read_count(r, "columns", &columns));
    MN_TRY(read_count(r, "rows", &rows));
    MN_TRY(mn_weave_tile_create(r->context, columns, rows, true, out));
    for (int k = 0; k < columns * rows; k++) {
        mn_tensor2 *s       = &out->tensor[(rows - 1 - k / columns) * columns + k % columns];
        double     *part[3] = { &s->xx, &s->xy, &s->yy };
        size_t      place   = 0;
        for (int a = 0; a < 3; a++) {
            const mn_token word = next_word(r);
            if (word.length == 0)
                return mn_mesh_error(r, r->bytes, "the file ends in tensor %d of %d", k + 1, columns * rows);
            if (a == 0) place = word.begin;
            MN_TRY(mn_text_number(r, word, part[a]));
        }
        if (s->xx < 0.0 || s->yy < 0.0 || mn_tensor2_det(*s) < -1e-12 * s->xx * s->yy)
            return mn_mesh_error(r, place, "the tensor %g %g %g has a negative eigenvalue", s->xx, s->xy, s->yy);
    }
    const mn_token more = next_word(r);
    if (more.length > 0) return mn_mesh_error(r, more.begin, "the file goes on after its last tensor");
    return MN_OK;
}

mn_status mn_weave_tile_parse(mn_context *c, const char *name, const char *text, size_t bytes, mn_weave_tile *out)
{
    *out                = (mn_weave_tile){ .columns = 0 };
    mn_mesh_reader r    = { .context = c, .name = name, .data = (const unsigned char *)text, .bytes = bytes };
    const mn_token word = next_word(&r);
    mn_status      status;
    if (mn_text_is(&r, word, "cells")) status = read_cells(&r, out);
    else if (mn_text_is(&r, word, "tensors")) status = read_tensors(&r, out);
    else status = mn_mesh_error(&r, word.begin, "the file must begin with 'cells' or 'tensors COLUMNS ROWS'");
    if (status != MN_OK) mn_weave_tile_free(c, out);
    return status;
}

mn_status mn_weave_tile_read(mn_context *c, const char *path, mn_weave_tile *out)
{
    mn_file_error  error;
    unsigned char *data   = NULL;
    size_t         bytes  = 0;
    mn_status      status = mn_file_read_whole(c, path, &mn_weave_file, &data, &bytes, &error);
    if (status == MN_ERR_FILE)
        return mn_fail(c, mn_file_exists(path) ? MN_ERR_FILE : MN_ERR_ARGUMENT,
                       "'%.200s' is neither a weave (plain, twill:N/M, satin:N/STEP, knit, felt, cells:ROWS) nor a "
                       "file that can be read: %s",
                       path, mn_file_reason(&error));
    if (status == MN_OK) status = mn_weave_tile_parse(c, path, (const char *)data, bytes, out);
    mn_free(c, data);
    return status;
}
