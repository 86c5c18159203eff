// SPDX-License-Identifier: MPL-2.0
// stain/weave/weave_tile.c - tiles by words: plain, twill, satin, knit, felt, rows of cells.
#include "stain/weave/weave_text.h"

#include <stdlib.h>
#include <string.h>

mn_status mn_weave_tile_create(mn_context *c, int columns, int rows, bool tensors, mn_weave_tile *out)
{
    *out = (mn_weave_tile){ .columns = columns, .rows = rows };
    if (tensors) out->tensor = mn_alloc_array(c, mn_tensor2, columns * rows);
    else out->cell = mn_alloc_array(c, uint8_t, columns * rows);
    return out->cell == NULL && out->tensor == NULL ? MN_ERR_MEMORY : MN_OK;
}

void mn_weave_tile_free(mn_context *c, mn_weave_tile *tile)
{
    mn_free(c, tile->cell);
    mn_free(c, tile->tensor);
    *tile = (mn_weave_tile){ .columns = 0 };
}

/// Yarns that stand apart: crossings at even places, single yarns between two, gaps between four.
static mn_status stand_apart(mn_context *c, mn_weave_tile *tile)
{
    mn_weave_tile wide;
    MN_TRY(mn_weave_tile_create(c, 2 * tile->columns, 2 * tile->rows, false, &wide));
    for (int j = 0; j < wide.rows; j++)
        for (int i = 0; i < wide.columns; i++)
            wide.cell[j * wide.columns + i] = i % 2 == 0 && j % 2 == 0 ? tile->cell[j / 2 * tile->columns + i / 2]
                                              : i % 2 == 0             ? MN_WEAVE_WARP
                                              : j % 2 == 0             ? MN_WEAVE_WEFT
                                                                       : MN_WEAVE_GAP;
    mn_weave_tile_free(c, tile);
    *tile = wide;
    return MN_OK;
}

/// Warp over `over` and under `under` wefts, one place further with every yarn.
static mn_status make_twill(mn_context *c, int over, int under, mn_weave_tile *out)
{
    const int n = over + under;
    MN_TRY(mn_weave_tile_create(c, n, n, false, out));
    for (int k = 0; k < n * n; k++) out->cell[k] = ((k / n - k % n) % n + n) % n < over ? MN_WEAVE_WARP : MN_WEAVE_WEFT;
    return MN_OK;
}

/// Warp over all wefts but one in `n`, which moves on by `step` with every weft.
static mn_status make_satin(mn_context *c, int n, int step, mn_weave_tile *out)
{
    MN_TRY(mn_weave_tile_create(c, n, n, false, out));
    for (int k = 0; k < n * n; k++) out->cell[k] = k / n * step % n == k % n ? MN_WEAVE_WEFT : MN_WEAVE_WARP;
    return MN_OK;
}

/// One stitch of a jersey: two legs, the head that joins them, the sinker that leads to the next wale.
static mn_status make_knit(mn_context *c, mn_weave_tile *out)
{
    static const char *const rows[4] = { "|.|.", "|.|.", "---.", "|.|-" };
    MN_TRY(mn_weave_tile_create(c, 4, 4, false, out));
    for (int k = 0; k < 16; k++) (void)mn_weave_letter(rows[k / 4][k % 4], &out->cell[k]);
    return MN_OK;
}

bool mn_weave_letter(char letter, uint8_t *out)
{
    switch (letter) {
    case '|': *out = MN_WEAVE_WARP; return true;
    case '-': *out = MN_WEAVE_WEFT; return true;
    case '.': *out = MN_WEAVE_GAP; return true;
    default: return false;
    }
}

/// "N/M" of two whole numbers.
static bool read_ratio(const char *text, int *a, int *b)
{
    char      *end;
    const long first = strtol(text, &end, 10);
    if (end == text || *end != '/' || first < 1 || first > MN_WEAVE_MOST_CELLS) return false;
    const char *rest   = end + 1;
    const long  second = strtol(rest, &end, 10);
    if (end == rest || *end != '\0' || second < 1 || second > MN_WEAVE_MOST_CELLS) return false;
    *a = (int)first, *b = (int)second;
    return true;
}

static int common_divisor(int a, int b) { return b == 0 ? a : common_divisor(b, a % b); }

static mn_status read_twill(mn_context *c, const char *numbers, int most, mn_weave_tile *out)
{
    int over = 2, under = 2;
    if (numbers != NULL && (!read_ratio(numbers, &over, &under) || over + under > most))
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "'twill:%.40s' is no twill; accepted is twill:N/M, over N and under M wefts, N + M up to %d",
                       numbers, most);
    return make_twill(c, over, under, out);
}

static mn_status read_satin(mn_context *c, const char *numbers, int most, mn_weave_tile *out)
{
    int n = 5, step = 2;
    if (numbers != NULL && (!read_ratio(numbers, &n, &step) || n < 5 || n > most))
        return mn_fail(c, MN_ERR_ARGUMENT, "'satin:%.40s' is no satin; accepted is satin:N/STEP, N from 5 to %d yarns",
                       numbers, most);
    if (step < 2 || step > n - 2 || common_divisor(n, step) != 1)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "a satin of %d yarns cannot have the step %d; it must be from 2 to %d and share no divisor with "
                       "%d%s",
                       n, step, n - 2, n, n == 6 ? " (there is no satin of 6)" : "");
    return make_satin(c, n, step, out);
}

/// Rows parted by slashes, the top one first.
static mn_status read_rows(mn_context *c, const char *text, mn_weave_tile *out)
{
    const size_t length  = strlen(text);
    const int    columns = (int)strcspn(text, "/");
    int          rows    = 1;
    for (size_t k = 0; k < length; k++) rows += text[k] == '/';
    if (columns < 1 || columns > MN_WEAVE_MOST_CELLS || rows > MN_WEAVE_MOST_CELLS)
        return mn_fail(c, MN_ERR_ARGUMENT, "'cells:%.40s' must have rows of 1 to %d cells, parted by /", text,
                       MN_WEAVE_MOST_CELLS);
    MN_TRY(mn_weave_tile_create(c, columns, rows, false, out));
    for (int row = rows - 1; row >= 0; row--) {
        if ((int)strcspn(text, "/") != columns)
            return mn_fail(c, MN_ERR_ARGUMENT, "row %d from the top has %d cells; the first has %d", rows - row,
                           (int)strcspn(text, "/"), columns);
        for (int i = 0; i < columns; i++)
            if (!mn_weave_letter(text[i], &out->cell[row * columns + i]))
                return mn_fail(c, MN_ERR_ARGUMENT,
                               "'%c' in row %d from the top is no cell; accepted are | (warp), - (weft) and . (gap)",
                               text[i], rows - row);
        text += columns + 1;
    }
    return MN_OK;
}

mn_status mn_weave_tile_make(mn_context *c, const char *words, bool gaps, mn_weave_tile *out)
{
    *out               = (mn_weave_tile){ .columns = 0 };
    const char  *colon = strchr(words, ':'), *numbers = colon != NULL ? colon + 1 : NULL;
    const size_t length = colon != NULL ? (size_t)(colon - words) : strlen(words);
    const int    most   = gaps ? MN_WEAVE_MOST_CELLS / 2 : MN_WEAVE_MOST_CELLS;
    bool         woven  = true;
    mn_status    status;
    if (length == 5 && strncmp(words, "plain", 5) == 0 && colon == NULL) status = make_twill(c, 1, 1, out);
    else if (length == 5 && strncmp(words, "twill", 5) == 0) status = read_twill(c, numbers, most, out);
    else if (length == 5 && strncmp(words, "satin", 5) == 0) status = read_satin(c, numbers, most, out);
    else {
        woven = false;
        if (length == 4 && strncmp(words, "knit", 4) == 0 && colon == NULL) status = make_knit(c, out);
        else if (length == 4 && strncmp(words, "felt", 4) == 0 && colon == NULL)
            status = read_rows(c, "-", out);  // no direction
        else if (length == 5 && strncmp(words, "cells", 5) == 0 && colon != NULL) status = read_rows(c, numbers, out);
        else status = mn_weave_tile_read(c, words, out);
    }
    if (status == MN_OK && gaps)
        status = woven ? stand_apart(c, out)
                       : mn_fail(c, MN_ERR_ARGUMENT, "gaps can be made in plain, twill and satin; '%.80s' has its own",
                                 words);
    if (status != MN_OK) mn_weave_tile_free(c, out);
    return status;
}
