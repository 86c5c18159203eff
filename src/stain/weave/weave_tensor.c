// SPDX-License-Identifier: MPL-2.0
// stain/weave/weave_tensor.c - tensors of the plane, and those of a tile's cells.
#include "stain/weave/weave.h"

void mn_tensor2_principal(mn_tensor2 a, double value[2], double *angle)
{
    const double mean = 0.5 * (a.xx + a.yy), half = 0.5 * (a.xx - a.yy), radius = hypot(half, a.xy);
    value[0] = mean + radius;
    // The smaller one as det / larger: their difference would lose its digits for thin ellipses.
    value[1] = value[0] > 0.0 ? mn_tensor2_det(a) / value[0] : mean - radius;
    *angle   = radius > 1e-14 * fabs(mean) ? 0.5 * atan2(a.xy, half) : 0.0;
    if (*angle < 1e-9 - 0.5 * MN_PI) *angle += MN_PI;  // of +90 and -90 degrees the first, whatever round-off says
}

mn_tensor2 mn_tensor2_mean(mn_tensor2 a, mn_tensor2 b)
{
    // For 2 x 2: a # b = sqrt(alpha beta / det(a/alpha + b/beta)) (a/alpha + b/beta), alpha^2 = det a, beta^2 = det b.
    const double     alpha = sqrt(mn_tensor2_det(a)), beta = sqrt(mn_tensor2_det(b));
    const mn_tensor2 sum = mn_tensor2_add(mn_tensor2_scale(1.0 / alpha, a), mn_tensor2_scale(1.0 / beta, b));
    return mn_tensor2_scale(sqrt(alpha * beta / mn_tensor2_det(sum)), sum);
}

void mn_tensor2_ratio(mn_tensor2 a, mn_tensor2 b, double value[2])
{
    // Eigenvalues of b^-1 (a - b), and 1: of tensors that hardly differ the difference keeps its digits.
    const mn_tensor2 i = mn_tensor2_inverse(b), d = mn_tensor2_add(a, mn_tensor2_scale(-1.0, b));
    const double     half = 0.5 * (i.xx * d.xx + 2.0 * i.xy * d.xy + i.yy * d.yy),
                 det      = mn_tensor2_det(d) / mn_tensor2_det(b);
    const double root     = sqrt(fmax(half * half - det, 0.0));
    value[0]              = 1.0 + half + root;
    value[1]              = 1.0 + half - root;
}

static double passing(const mn_weave_table *t, int a, int b)
{
    const double d[3][3] = { [MN_WEAVE_GAP]  = { t->gap_gap, t->gap_weft, t->gap_warp },
                             [MN_WEAVE_WEFT] = { t->gap_weft, t->weft_weft, t->weft_warp },
                             [MN_WEAVE_WARP] = { t->gap_warp, t->weft_warp, t->warp_warp } };
    return d[a][b];
}

/// What passes between the cell and its neighbour (di, dj) away.
static double passing_to(const mn_weave_tile *tile, const mn_weave_table *table, int i, int j, int di, int dj)
{
    const int p = (i + di + tile->columns) % tile->columns, q = (j + dj + tile->rows) % tile->rows;
    return passing(table, tile->cell[j * tile->columns + i], tile->cell[q * tile->columns + p]);
}

static double pair_of(mn_weave_pair pair, double a, double b)
{
    if (pair == MN_WEAVE_HARM) return a > 0.0 && b > 0.0 ? 2.0 / (1.0 / a + 1.0 / b) : 0.0;
    return 0.5 * (a + b);
}

static mn_status check_tensors(mn_context *c, const mn_weave_tile *tile, double *largest)
{
    *largest = 0.0;
    for (int k = 0; k < tile->columns * tile->rows; k++) {
        const mn_tensor2 s = tile->tensor[k];
        double           value[2], angle;
        const int        column = k % tile->columns + 1, row = k / tile->columns + 1;
        if (!(isfinite(s.xx) && isfinite(s.xy) && isfinite(s.yy)))
            return mn_fail(c, MN_ERR_ARGUMENT, "the tensor of the cell in column %d, row %d from below is not finite",
                           column, row);
        mn_tensor2_principal(s, value, &angle);
        if (s.xx < 0.0 || s.yy < 0.0 || value[1] < -1e-12 * value[0])
            return mn_fail(c, MN_ERR_ARGUMENT,
                           "the tensor %g %g %g of the cell in column %d, row %d from below has a negative eigenvalue",
                           s.xx, s.xy, s.yy, column, row);
        *largest = fmax(*largest, value[0]);
    }
    if (!(*largest > 1e-100 && *largest < 1e100))
        return mn_fail(c, MN_ERR_ARGUMENT, "the largest diffusivity of the tile is %g; accepted is 1e-100 to 1e100",
                       *largest);
    return MN_OK;
}

/// The tensor with no eigenvalue below `least`.
static mn_tensor2 floored(mn_tensor2 s, double least)
{
    double value[2], angle;
    mn_tensor2_principal(s, value, &angle);
    if (value[1] >= least) return s;
    const double a = fmax(value[0], least), b = least, x = cos(angle), y = sin(angle);
    if (s.xy == 0.0) return (mn_tensor2){ fmax(s.xx, least), 0.0, fmax(s.yy, least) };
    return (mn_tensor2){ a * x * x + b * y * y, (a - b) * x * y, a * y * y + b * x * x };
}

mn_status mn_weave_tensors(mn_context *c, const mn_weave_tile *tile, const mn_weave_def *def, mn_tensor2 *out)
{
    const int     n    = tile->columns * tile->rows;
    mn_weave_tile full = { .columns = tile->columns, .rows = tile->rows, .tensor = out };
    double        largest;
    for (int k = 0; k < n; k++) {
        const int i = k % tile->columns, j = k / tile->columns;
        if (tile->tensor != NULL) {
            out[k] = tile->tensor[k];
            continue;
        }
        out[k] = (mn_tensor2){
            pair_of(def->pair, passing_to(tile, &def->table, i, j, -1, 0), passing_to(tile, &def->table, i, j, 1, 0)),
            0.0,
            pair_of(def->pair, passing_to(tile, &def->table, i, j, 0, -1), passing_to(tile, &def->table, i, j, 0, 1))
        };
    }
    MN_TRY(check_tensors(c, &full, &largest));
    for (int k = 0; k < n; k++) out[k] = floored(out[k], MN_WEAVE_FLOOR * largest);
    return MN_OK;
}

/// Couplings, loads and means of the links; the floor of the largest link keeps islands tied.
static void link_cells(const mn_weave_tile *tile, const mn_weave_table *table, double least, mn_torus *t,
                       mn_weave_result *out)
{
    const int    nx = tile->columns, ny = tile->rows, n = nx * ny;
    const double squeeze = 1.0 / (mn_weave_aspect(tile) * mn_weave_aspect(tile));
    double       sum[2] = { 0.0, 0.0 }, inverse[2] = { 0.0, 0.0 };
    for (int k = 0; k < n; k++) {
        const int    i = k % nx, j = k / nx, e = j * nx + (i + 1) % nx, u = (j + 1) % ny * nx + i;
        const double x = fmax(passing_to(tile, table, i, j, 1, 0), least),
                     y = squeeze * fmax(passing_to(tile, table, i, j, 0, 1), least);
        t->east[k] = -x, t->north[k] = -y;
        t->load[0][k] += x, t->load[0][e] -= x;
        t->load[1][k] += y, t->load[1][u] -= y;
        t->load_scale[0] = fmax(t->load_scale[0], x), t->load_scale[1] = fmax(t->load_scale[1], y);
        sum[0] += x / n, sum[1] += y / n;
        inverse[0] += 1.0 / (x * n), inverse[1] += 1.0 / (y * n);
    }
    out->arithmetic = (mn_tensor2){ sum[0], 0.0, sum[1] };
    out->harmonic   = (mn_tensor2){ 1.0 / inverse[0], 0.0, 1.0 / inverse[1] };
}

/// Power lost in the links for unit slopes, per cell.
static mn_tensor2 power_of(const mn_torus *t)
{
    mn_tensor2 s = { 0.0, 0.0, 0.0 };
    const int  n = t->nx * t->ny;
    for (int k = 0; k < n; k++) {
        const int    i = k % t->nx, j = k / t->nx, e = j * t->nx + (i + 1) % t->nx, u = (j + 1) % t->ny * t->nx + i;
        const double ex = 1.0 + t->f[0][e] - t->f[0][k], ey = t->f[1][e] - t->f[1][k];
        const double ux = t->f[0][u] - t->f[0][k], uy = 1.0 + t->f[1][u] - t->f[1][k];
        s.xx -= (t->east[k] * ex * ex + t->north[k] * ux * ux) / n;
        s.xy -= (t->east[k] * ex * ey + t->north[k] * ux * uy) / n;
        s.yy -= (t->east[k] * ey * ey + t->north[k] * uy * uy) / n;
    }
    return s;
}

mn_status mn_weave_network(mn_context *c, const mn_weave_tile *tile, const mn_weave_def *def, mn_weave_result *out)
{
    double largest = 0.0;
    for (int k = 0; k < tile->columns * tile->rows; k++) {
        const int i = k % tile->columns, j = k / tile->columns;
        largest = fmax(largest,
                       fmax(passing_to(tile, &def->table, i, j, 1, 0), passing_to(tile, &def->table, i, j, 0, 1)));
    }
    if (!(largest > 1e-100 && largest < 1e100))
        return mn_fail(c, MN_ERR_ARGUMENT, "the largest diffusivity of the tile is %g; accepted is 1e-100 to 1e100",
                       largest);
    mn_torus  t;
    mn_status status = mn_torus_create(c, tile->columns, tile->rows, &t);
    if (status == MN_OK) {
        link_cells(tile, &def->table, MN_WEAVE_FLOOR * largest, &t, out);
        mn_torus_prepare(&t);
        status = mn_torus_solve(&t);
    }
    if (status == MN_OK) {
        const double back = 1.0 / mn_weave_aspect(tile);
        out->tensor = out->upper = out->lower = mn_tensor2_squeeze(power_of(&t), back);
        out->arithmetic                       = mn_tensor2_squeeze(out->arithmetic, back);
        out->harmonic                         = mn_tensor2_squeeze(out->harmonic, back);
        out->gap                              = 0.0;
        out->pieces                           = 0;
        out->unknowns                         = (int64_t)tile->columns * tile->rows;
        out->iterations                       = t.iterations;
        out->residual                         = t.residual;
    }
    mn_torus_destroy(&t);
    return status;
}
