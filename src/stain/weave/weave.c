// SPDX-License-Identifier: MPL-2.0
// stain/weave/weave.c - the tensor of a weave: two bounds, refined until they agree, and their geometric mean
// (stain 5.1).
#include "stain/weave/weave.h"

#include "meniscus/world.h"

/// Nodes of a mesh at most: some 150 bytes each for both bounds.
#define MOST_NODES (1 << 20)
/// Grading beyond this only starves the rest of the cell of nodes.
#define STEEPEST     8.0
#define FIRST_PIECES 4

mn_weave_def mn_weave_def_default(void)
{
    return (mn_weave_def){ .pair   = MN_WEAVE_ARITH,
                           .table  = { .gap_gap   = 1.0,
                                       .weft_weft = 100.0,
                                       .warp_warp = 500.0,
                                       .gap_weft  = 10.0,
                                       .gap_warp  = 50.0,
                                       .weft_warp = 200.0 },
                           .gap    = 0.01,
                           .finest = 64,
                           .cookie = MN_DEF_COOKIE };
}

static mn_status check_table(mn_context *c, const mn_weave_table *t)
{
    const double      value[] = { t->gap_gap, t->weft_weft, t->warp_warp, t->gap_weft, t->gap_warp, t->weft_warp };
    const char *const name[]  = { "gap_gap", "weft_weft", "warp_warp", "gap_weft", "gap_warp", "weft_warp" };
    for (int k = 0; k < 6; k++)
        if (!(value[k] >= 0.0 && isfinite(value[k])))
            return mn_fail(c, MN_ERR_ARGUMENT, "the diffusivity %s is %g; it must be 0 or more, and finite", name[k],
                           value[k]);
    return MN_OK;
}

static mn_status check(mn_context *c, const mn_weave_tile *tile, const mn_weave_def *def)
{
    if (def->cookie != MN_DEF_COOKIE)
        return mn_fail(c, MN_ERR_ARGUMENT, "a weave definition must start from mn_weave_def_default()");
    if (tile->columns < 1 || tile->rows < 1 || tile->columns > MN_WEAVE_MOST_CELLS || tile->rows > MN_WEAVE_MOST_CELLS)
        return mn_fail(c, MN_ERR_ARGUMENT, "the tile has %d x %d cells; accepted is 1 to %d along a side",
                       tile->columns, tile->rows, MN_WEAVE_MOST_CELLS);
    if (tile->aspect != 0.0 && !(tile->aspect >= 0.01 && tile->aspect <= 100.0))
        return mn_fail(c, MN_ERR_ARGUMENT, "cells are %g times as high as wide; accepted is 0.01 to 100", tile->aspect);
    if ((tile->cell == NULL) == (tile->tensor == NULL))
        return mn_fail(c, MN_ERR_ARGUMENT, "a tile has either cells or tensors");
    if (!(def->gap > 0.0 && isfinite(def->gap)))
        return mn_fail(c, MN_ERR_ARGUMENT, "the gap to reach is %g; it must be above 0", def->gap);
    if (def->finest < 2 || def->finest > 256)
        return mn_fail(c, MN_ERR_ARGUMENT, "finest is %d; accepted is 2 to 256 pieces a cell", def->finest);
    if (def->pair < MN_WEAVE_ARITH || def->pair > MN_WEAVE_NETWORK)
        return mn_fail(c, MN_ERR_ARGUMENT, "the pair rule %d does not exist", (int)def->pair);
    if (tile->tensor != NULL) {
        if (def->pair == MN_WEAVE_NETWORK)
            return mn_fail(c, MN_ERR_ARGUMENT, "pair=network needs a tile of cells; this one has tensors");
        return MN_OK;
    }
    for (int k = 0; k < tile->columns * tile->rows; k++)
        if (tile->cell[k] > MN_WEAVE_WARP)
            return mn_fail(c, MN_ERR_ARGUMENT, "the cell type %d does not exist", tile->cell[k]);
    return check_table(c, &def->table);
}

/// Means over the tile: no effective tensor is beyond them (Wiener).
static void means_of(const mn_tensor2 *cell, int n, mn_weave_result *out)
{
    mn_tensor2 sum = { 0.0, 0.0, 0.0 }, inverse = { 0.0, 0.0, 0.0 };
    for (int k = 0; k < n; k++) {
        sum     = mn_tensor2_add(sum, cell[k]);
        inverse = mn_tensor2_add(inverse, mn_tensor2_inverse(cell[k]));
    }
    out->arithmetic = mn_tensor2_scale(1.0 / n, sum);
    out->harmonic   = mn_tensor2_inverse(mn_tensor2_scale(1.0 / n, inverse));
}

/// How far to draw the mesh towards corners: a chessboard corner of this contrast has a singularity r^a, and squares of
/// width (i/n)^(1/a) resolve all of it alike.
static double grading_of(const mn_tensor2 *cell, int n)
{
    double low = INFINITY, high = 0.0;
    for (int k = 0; k < n; k++) {
        double value[2], angle;
        mn_tensor2_principal(cell[k], value, &angle);
        low = fmin(low, value[1]), high = fmax(high, value[0]);
    }
    const double a = 4.0 / MN_PI * atan(sqrt(low / high));
    return fmin(fmax(1.0 / a, 1.0), STEEPEST);
}

/// Both bounds on one mesh after the other; `dual` are the tensors S / det S.
static mn_status refine(mn_context *c, const mn_weave_tile *tile, const mn_weave_def *def, const mn_tensor2 *cell,
                        const mn_tensor2 *dual, mn_weave_result *out)
{
    mn_torus     primal_mesh = { .context = NULL }, dual_mesh = { .context = NULL };
    const double grading = grading_of(cell, tile->columns * tile->rows);
    mn_status    status  = MN_OK;
    for (int pieces = def->finest < FIRST_PIECES ? 2 : FIRST_PIECES; status == MN_OK; pieces *= 2) {
        mn_weave_bound above, below;
        double         ratio[2];
        status = mn_weave_upper(c, cell, tile->columns, tile->rows, pieces, grading, &primal_mesh, &above);
        if (status == MN_OK)
            status = mn_weave_upper(c, dual, tile->columns, tile->rows, pieces, grading, &dual_mesh, &below);
        if (status != MN_OK) break;
        out->upper      = above.tensor;
        out->lower      = mn_tensor2_dual(below.tensor);
        out->pieces     = pieces;
        out->unknowns   = (int64_t)primal_mesh.nx * primal_mesh.ny;
        out->iterations = above.iterations + below.iterations;
        out->residual   = fmax(above.residual, below.residual);
        mn_tensor2_ratio(out->upper, out->lower, ratio);
        out->gap = fmax(ratio[0] - 1.0, 0.0);
        if (out->gap < def->gap || 2 * pieces > def->finest || 4 * out->unknowns > MOST_NODES) break;
    }
    mn_torus_destroy(&primal_mesh);
    mn_torus_destroy(&dual_mesh);
    return status;
}

/// Back to the units and the shape of the tile.
static void restore(double scale, double aspect, mn_weave_result *r)
{
    mn_tensor2 *const all[] = { &r->upper, &r->lower, &r->arithmetic, &r->harmonic };
    for (int k = 0; k < 4; k++) *all[k] = mn_tensor2_squeeze(mn_tensor2_scale(scale, *all[k]), 1.0 / aspect);
}

static mn_status by_bounds(mn_context *c, const mn_weave_tile *tile, const mn_weave_def *def, mn_weave_result *out)
{
    const int   n    = tile->columns * tile->rows;
    mn_tensor2 *cell = mn_alloc_array(c, mn_tensor2, 2 * n);
    if (cell == NULL) return MN_ERR_MEMORY;
    mn_status    status  = mn_weave_tensors(c, tile, def, cell);
    const double aspect  = mn_weave_aspect(tile);
    double       largest = 0.0;
    for (int k = 0; k < n && status == MN_OK; k++) cell[k] = mn_tensor2_squeeze(cell[k], aspect);
    for (int k = 0; k < n && status == MN_OK; k++) largest = fmax(largest, fmax(cell[k].xx, cell[k].yy));
    for (int k = 0; k < n && status == MN_OK; k++) {  // about 1, whatever the units
        cell[k]     = mn_tensor2_scale(1.0 / largest, cell[k]);
        cell[n + k] = mn_tensor2_dual(cell[k]);
    }
    if (status == MN_OK) {
        means_of(cell, n, out);
        status = refine(c, tile, def, cell, cell + n, out);
    }
    if (status == MN_OK) {
        restore(largest, aspect, out);
        out->tensor = mn_tensor2_mean(out->upper, out->lower);
    }
    mn_free(c, cell);
    return status;
}

mn_status mn_weave_homogenise(mn_context *c, const mn_weave_tile *tile, const mn_weave_def *def, mn_weave_result *out)
{
    *out = (mn_weave_result){ .pieces = 0 };
    MN_TRY(check(c, tile, def));
    MN_TRY(def->pair == MN_WEAVE_NETWORK ? mn_weave_network(c, tile, def, out) : by_bounds(c, tile, def, out));
    mn_tensor2_principal(out->tensor, out->principal, &out->angle);
    return MN_OK;
}
