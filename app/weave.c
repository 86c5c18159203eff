// SPDX-License-Identifier: MPL-2.0
// app/weave.c - `meniscus weave`: the tensor with which liquid spreads through a weave, printed and drawn.
#include "app.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int read_pair(const char *word, mn_weave_pair *out)
{
    static const char
        *const names[] = { [MN_WEAVE_ARITH] = "arith", [MN_WEAVE_HARM] = "harm", [MN_WEAVE_NETWORK] = "network" };
    for (int k = 0; k < 3; k++) {
        if (strcmp(word, names[k]) != 0) continue;
        *out = (mn_weave_pair)k;
        return APP_DONE;
    }
    const char *near = app_nearest(word, names, 3);
    fprintf(stderr, "meniscus: --pair takes arith, harm or network, not '%s'", word);
    if (near != NULL) fprintf(stderr, "; did you mean '%s'?", near);
    fputc('\n', stderr);
    return APP_USAGE;
}

/// Six numbers parted by commas.
static int read_table(const char *text, mn_weave_table *t)
{
    double *const to[] = { &t->gap_gap, &t->weft_weft, &t->warp_warp, &t->gap_weft, &t->gap_warp, &t->weft_warp };
    const char   *at   = text;
    for (int k = 0; k < 6; k++) {
        char        *end;
        const double value = strtod(at, &end);
        if (end == at || *end != (k < 5 ? ',' : '\0') || !(value >= 0.0 && isfinite(value))) {
            fprintf(stderr,
                    "meniscus: --table takes six numbers of 0 or more, "
                    "gap-gap,weft-weft,warp-warp,gap-weft,gap-warp,weft-warp, not '%s'\n",
                    text);
            return APP_USAGE;
        }
        *to[k] = value;
        at     = end + 1;
    }
    return APP_DONE;
}

static int read_aspect(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (end != text && *end == '\0' && *out >= 0.01 && *out <= 100.0) return APP_DONE;
    fprintf(stderr, "meniscus: --aspect takes a number from 0.01 to 100, not '%s'\n", text);
    return APP_USAGE;
}

static void print_tile(const mn_weave_tile *tile)
{
    printf("tile        %d x %d %s\n", tile->columns, tile->rows, tile->cell != NULL ? "cells" : "tensors");
    if (tile->cell == NULL) return;
    for (int j = tile->rows - 1; j >= 0; j--) {
        printf("            ");
        for (int i = 0; i < tile->columns; i++) putchar(".-|"[tile->cell[j * tile->columns + i]]);
        putchar('\n');
    }
}

static void print_tensor(const char *name, mn_tensor2 s)
{
    printf("%-11s xx %-12.7g xy %-12.7g yy %.7g\n", name, s.xx, fabs(s.xy) > 1e-12 * (s.xx + s.yy) ? s.xy : 0.0, s.yy);
}

static void print_result(const mn_weave_result *r)
{
    print_tensor("tensor", r->tensor);
    printf("axes        %.7g at %.2f degrees from the weft, %.7g across it; a round drop becomes an ellipse of %.3f to "
           "1\n",
           r->principal[0], r->angle * 57.29577951308232, r->principal[1], sqrt(r->principal[0] / r->principal[1]));
    if (r->pieces > 0) {
        print_tensor("upper", r->upper);
        print_tensor("lower", r->lower);
        printf("gap         %.3g %% between the bounds, on %lld nodes (cells of %d x %d), %d iterations\n",
               100.0 * r->gap, (long long)r->unknowns, r->pieces, r->pieces, r->iterations);
    } else {
        printf("network     of %lld cells, exact, %d iterations\n", (long long)r->unknowns, r->iterations);
    }
    print_tensor("arithmetic", r->arithmetic);
    print_tensor("harmonic", r->harmonic);
}

int app_weave(const app_args *args)
{
    mn_weave_def def = mn_weave_def_default();
    if (args->pair != NULL && read_pair(args->pair, &def.pair) != APP_DONE) return APP_USAGE;
    if (args->table != NULL && read_table(args->table, &def.table) != APP_DONE) return APP_USAGE;
    double aspect = 0.0;
    if (args->aspect != NULL && read_aspect(args->aspect, &aspect) != APP_DONE) return APP_USAGE;
    app_events  events;
    mn_context *context = app_context(1, &events);
    if (context == NULL) return APP_FAILED;
    mn_weave_tile   tile;
    mn_weave_result result;
    const mn_status made = mn_weave_tile_make(context, args->positional[0], args->gaps, &tile);
    tile.aspect          = aspect;
    mn_status status     = made == MN_OK ? mn_weave_homogenise(context, &tile, &def, &result) : made;
    if (status == MN_OK) {
        print_tile(&tile);
        print_result(&result);
    }
    if (status == MN_OK && args->out != NULL) status = mn_weave_draw(context, &tile, &result, args->out);
    int exit_status = APP_DONE;
    if (status != MN_OK) {
        exit_status = app_fail(context, status);
        if (made == MN_ERR_FILE) exit_status = APP_USAGE;  // a tile that cannot be read is a wrong argument
    } else if (args->out != NULL) {
        printf("drawn       %s\n", args->out);
    }
    mn_weave_tile_free(context, &tile);
    mn_context_destroy(&context);
    return exit_status;
}
