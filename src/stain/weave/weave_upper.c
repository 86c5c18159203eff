// SPDX-License-Identifier: MPL-2.0
// stain/weave/weave_upper.c - P1 elements on a tile: the least energy of a unit slope is an upper bound (stain 5.1).
//
// A square of the mesh is two right triangles whose diagonals alternate like a chessboard. With an even number of
// squares a cell the mesh looks the same from every cell and after a quarter turn, so that bounds do too. Nodes are
// counted from the middle of a cell: the seams of the torus, which the incomplete factor leaves out, are then where
// squares are largest.
#include "stain/weave/weave.h"

#include <string.h>

/// Widths of the squares of one cell; they add up to 1.
static void widths_of(int pieces, double grading, double *width)
{
    double before = 0.0;
    for (int i = 1; i <= pieces / 2; i++) {
        const double at = 0.5 * pow(2.0 * i / pieces, grading);
        width[i - 1] = width[pieces - i] = at - before;
        before                           = at;
    }
}

typedef struct mesh {
    const mn_tensor2 *cell;
    int               columns, rows, pieces;
    const double     *width;
} mesh;

static double     width_at(const mesh *m, int i) { return m->width[(i + m->pieces / 2) % m->pieces]; }
static mn_tensor2 tensor_at(const mesh *m, int i, int j)
{
    const int column = (i + m->pieces / 2) / m->pieces % m->columns, row = (j + m->pieces / 2) / m->pieces % m->rows;
    return m->cell[row * m->columns + column];
}

static void assemble(const mesh *m, mn_torus *t)
{
    const int64_t n = (int64_t)t->nx * t->ny;
    memset(t->east, 0, 3 * (size_t)n * sizeof *t->east);  // and north, and cross
    memset(t->load[0], 0, 2 * (size_t)n * sizeof *t->load[0]);
    double scale[2] = { 0.0, 0.0 };
    t->crossed      = false;
    for (int j = 0; j < t->ny; j++) {
        const int64_t row = (int64_t)j * t->nx, above = (int64_t)((j + 1) % t->ny) * t->nx;
        for (int i = 0; i < t->nx; i++) {
            const mn_tensor2 s  = tensor_at(m, i, j);
            const double     hx = width_at(m, i), hy = width_at(m, j);
            const double     skew  = (i + j) % 2 == 0 ? 0.5 * s.xy : -0.5 * s.xy;
            const int        right = (i + 1) % t->nx;
            const int64_t    a = row + i, b = row + right, c = above + i, d = above + right;
            t->east[a] += skew - 0.5 * s.xx * hy / hx;
            t->east[c] += skew - 0.5 * s.xx * hy / hx;
            t->north[a] += skew - 0.5 * s.yy * hx / hy;
            t->north[b] += skew - 0.5 * s.yy * hx / hy;
            t->cross[a]             = -2.0 * skew;
            t->crossed              = t->crossed || s.xy != 0.0;
            const double flux[2][2] = { { 0.5 * hy * s.xx, 0.5 * hx * s.xy }, { 0.5 * hy * s.xy, 0.5 * hx * s.yy } };
            for (int k = 0; k < 2; k++) {
                t->load[k][a] += flux[k][0] + flux[k][1];
                t->load[k][d] -= flux[k][0] + flux[k][1];
                t->load[k][b] -= flux[k][0] - flux[k][1];
                t->load[k][c] += flux[k][0] - flux[k][1];
                scale[k] += 4.0 * (flux[k][0] * flux[k][0] + flux[k][1] * flux[k][1]);
            }
        }
    }
    for (int k = 0; k < 2; k++) t->load_scale[k] = sqrt(scale[k]);
}

/// Slope of both correctors in a right triangle, with the unit slope added: g[k] for the slope along axis k.
static mn_tensor2 energy_of(mn_tensor2 s, double area, const double gx[2], const double gy[2])
{
    const double flux[2][2] = { { s.xx * gx[0] + s.xy * gy[0], s.xy * gx[0] + s.yy * gy[0] },
                                { s.xx * gx[1] + s.xy * gy[1], s.xy * gx[1] + s.yy * gy[1] } };
    return (mn_tensor2){ area * (gx[0] * flux[0][0] + gy[0] * flux[0][1]),
                         area * (gx[1] * flux[0][0] + gy[1] * flux[0][1]),
                         area * (gx[1] * flux[1][0] + gy[1] * flux[1][1]) };
}

/// The energy as a sum of what each triangle has: positive terms, so that a small bound keeps its digits.
static mn_tensor2 energy(const mesh *m, const mn_torus *t)
{
    mn_tensor2 all = { 0.0, 0.0, 0.0 };
    for (int j = 0; j < t->ny; j++) {
        mn_tensor2    line = { 0.0, 0.0, 0.0 };
        const int64_t row = (int64_t)j * t->nx, above = (int64_t)((j + 1) % t->ny) * t->nx;
        for (int i = 0; i < t->nx; i++) {
            const mn_tensor2 s  = tensor_at(m, i, j);
            const double     hx = width_at(m, i), hy = width_at(m, j);
            const int        right = (i + 1) % t->nx;
            double           low[2], high[2], left[2], far[2];  // slopes along the four sides
            for (int k = 0; k < 2; k++) {
                const double *f = t->f[k];
                low[k]          = (f[row + right] - f[row + i]) / hx + (k == 0);
                high[k]         = (f[above + right] - f[above + i]) / hx + (k == 0);
                left[k]         = (f[above + i] - f[row + i]) / hy + (k == 1);
                far[k]          = (f[above + right] - f[row + right]) / hy + (k == 1);
            }
            const bool rises = (i + j) % 2 == 0;
            line             = mn_tensor2_add(line, energy_of(s, 0.5 * hx * hy, low, rises ? far : left));
            line             = mn_tensor2_add(line, energy_of(s, 0.5 * hx * hy, high, rises ? left : far));
        }
        all = mn_tensor2_add(all, line);
    }
    return mn_tensor2_scale(1.0 / (m->columns * m->rows), all);
}

/// Correctors of a mesh with half as many squares, halfway between nodes where it had none.
static void refine_correctors(const mn_torus *coarse, mn_torus *t)
{
    for (int a = 0; a < 2; a++)
        for (int j = 0; j < t->ny; j++) {
            const int64_t low = (int64_t)(j / 2) * coarse->nx, high = (int64_t)((j + 1) / 2 % coarse->ny) * coarse->nx;
            for (int i = 0; i < t->nx; i++) {
                const int     left = i / 2, right = (i + 1) / 2 % coarse->nx;
                const double *f                 = coarse->f[a];
                t->f[a][(int64_t)j * t->nx + i] = 0.25 *
                                                  (f[low + left] + f[low + right] + f[high + left] + f[high + right]);
            }
        }
}

/// A torus for the mesh, with the best first guess there is.
static mn_status make_torus(mn_context *c, int nx, int ny, mn_torus *t)
{
    if (t->context != NULL && t->nx == nx && t->ny == ny) return MN_OK;
    mn_torus        fine;
    const mn_status status = mn_torus_create(c, nx, ny, &fine);
    if (status == MN_OK && t->context != NULL && 2 * t->nx == nx && 2 * t->ny == ny) refine_correctors(t, &fine);
    mn_torus_destroy(t);
    if (status == MN_OK) *t = fine;
    return status;
}

mn_status mn_weave_upper(mn_context *c, const mn_tensor2 *cell, int columns, int rows, int pieces, double grading,
                         mn_torus *t, mn_weave_bound *out)
{
    MN_ASSERT(pieces >= 2 && pieces % 2 == 0 && grading >= 1.0);
    double *width = mn_alloc_array(c, double, pieces);
    if (width == NULL) return MN_ERR_MEMORY;
    widths_of(pieces, grading, width);
    const mesh m      = { .cell = cell, .columns = columns, .rows = rows, .pieces = pieces, .width = width };
    mn_status  status = make_torus(c, columns * pieces, rows * pieces, t);
    if (status == MN_OK) {
        assemble(&m, t);
        mn_torus_prepare(t);
        status = mn_torus_solve(t);
    }
    if (status == MN_OK)
        *out = (mn_weave_bound){ .tensor = energy(&m, t), .iterations = t->iterations, .residual = t->residual };
    mn_free(c, width);
    return status;
}
