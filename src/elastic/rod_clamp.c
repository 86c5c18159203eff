// SPDX-License-Identifier: MPL-2.0
// elastic/rod_clamp.c - the nearest positive semidefinite matrix to a small symmetric one, by cyclic Jacobi rotations.
#include "elastic/rod_corner.h"

#include <string.h>

enum { LARGEST = 8, SWEEPS = 30 };

/// One rotation that makes a[p][q] vanish; v gathers the eigenvectors as columns.
static void rotate(int n, double a[LARGEST][LARGEST], double v[LARGEST][LARGEST], int p, int q)
{
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t     = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(1.0 + theta * theta));
    const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (int k = 0; k < n; k++) {
        const double x = a[k][p], y = a[k][q];
        a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        const double x = a[p][k], y = a[q][k];
        a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
    }
    for (int k = 0; k < n; k++) {
        const double x = v[k][p], y = v[k][q];
        v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
    }
}

static void diagonalise(int n, double a[LARGEST][LARGEST], double v[LARGEST][LARGEST])
{
    double size = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) size += a[i][j] * a[i][j];
    const double small = 1e-16 * sqrt(size);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool done = true;
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (fabs(a[p][q]) > small) {
                    rotate(n, a, v, p, q);
                    done = false;
                }
        if (done) return;
    }
}

void mn_rod_clamp(int n, double *matrix)
{
    double a[LARGEST][LARGEST], v[LARGEST][LARGEST] = { { 0 } };
    for (int i = 0; i < n; i++) {
        v[i][i] = 1.0;
        for (int j = 0; j < n; j++) a[i][j] = matrix[n * i + j];
    }
    diagonalise(n, a, v);
    // Take the negative part away: what is already semidefinite keeps its bits.
    for (int k = 0; k < n; k++) {
        if (a[k][k] >= 0.0) continue;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) matrix[n * i + j] -= a[k][k] * v[i][k] * v[j][k];
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            matrix[n * i + j] = matrix[n * j + i] = 0.5 * (matrix[n * i + j] + matrix[n * j + i]);
}
