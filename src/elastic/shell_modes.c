// SPDX-License-Identifier: MPL-2.0
// elastic/shell_modes.c - small vibrations of a shell about a stable shape.
#include "elastic/shell_drive_private.h"

#include "base/random.h"

#include <string.h>

#define MODES_MOST  12
#define ROUNDS_MOST 300

typedef struct subspace {
    mn_shell_drive *d;
    int             size;
    double         *vector, *image;     // size columns of 3 rows values; images are K^-1 M vector
    double          value[MODES_MOST];  // 1/omega^2
} subspace;

static double *column(const subspace *s, double *a, int k) { return a + 3 * s->d->rows * k; }

/// Mass of an unknown: none for held ones and mid-edge normals.
static double mass_of(const mn_shell_drive *d, int64_t k)
{
    return k < 3 * d->vertices && !d->hold[k] ? d->def.mass[k / 3] : 0.0;
}

static double mass_dot(const mn_shell_drive *d, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t k = 0; k < 3 * d->vertices; k++) sum += mass_of(d, k) * a[k] * b[k];
    return sum;
}

/// Eigenvalues (descending) and eigenvectors (columns of v) of a small symmetric matrix, by Jacobi rotations.
static void small_eigen(int n, double a[MODES_MOST][MODES_MOST], double v[MODES_MOST][MODES_MOST])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) v[i][j] = i == j;
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (a[p][q] == 0.0) continue;
                const double angle = 0.5 * atan2(2.0 * a[p][q], a[p][p] - a[q][q]), c = cos(angle), s = sin(angle);
                for (int k = 0; k < n; k++) {
                    const double x = a[k][p], y = a[k][q], vx = v[k][p], vy = v[k][q];
                    a[k][p] = c * x + s * y, a[k][q] = c * y - s * x;
                    v[k][p] = c * vx + s * vy, v[k][q] = c * vy - s * vx;
                }
                for (int k = 0; k < n; k++) {
                    const double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x + s * y, a[q][k] = c * y - s * x;
                }
            }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (a[j][j] > a[i][i]) {
                const double t = a[i][i];
                a[i][i] = a[j][j], a[j][j] = t;
                for (int k = 0; k < n; k++) {
                    const double x = v[k][i];
                    v[k][i] = v[k][j], v[k][j] = x;
                }
            }
}

static void orthonormalise(subspace *s)
{
    const int64_t all = 3 * s->d->rows;
    for (int i = 0; i < s->size; i++) {
        double *a = column(s, s->vector, i);
        for (int twice = 0; twice < 2; twice++)
            for (int j = 0; j < i; j++) {
                const double *b = column(s, s->vector, j), dot = mass_dot(s->d, a, b);
                for (int64_t k = 0; k < all; k++) a[k] -= dot * b[k];
            }
        const double norm = 1.0 / sqrt(mass_dot(s->d, a, a));
        for (int64_t k = 0; k < all; k++) a[k] *= norm;
    }
}

/// One round: images of the vectors, the small problem among them, the vectors turned to its solution. Returns the
/// largest relative change of the first `watched` values.
static mn_status turn(subspace *s, int watched, double *change)
{
    mn_shell_drive *d = s->d;
    double          a[MODES_MOST][MODES_MOST], v[MODES_MOST][MODES_MOST];
    for (int i = 0; i < s->size; i++) {
        double *to = column(s, s->image, i), *from = column(s, s->vector, i);
        for (int64_t k = 0; k < 3 * d->rows; k++) to[k] = mass_of(d, k) * from[k];
        MN_TRY(mn_cholesky_solve(d->cholesky, to, to));
    }
    for (int i = 0; i < s->size; i++)
        for (int j = 0; j < s->size; j++) a[i][j] = mass_dot(d, column(s, s->vector, i), column(s, s->image, j));
    small_eigen(s->size, a, v);
    memset(s->vector, 0, (size_t)(3 * d->rows * s->size) * sizeof *s->vector);
    for (int i = 0; i < s->size; i++)
        for (int j = 0; j < s->size; j++) {
            double *to = column(s, s->vector, i), *from = column(s, s->image, j);
            for (int64_t k = 0; k < 3 * d->rows; k++) to[k] += v[j][i] * from[k];
        }
    orthonormalise(s);
    *change = 0.0;
    for (int i = 0; i < s->size; i++) {
        if (i < watched) *change = fmax(*change, fabs(a[i][i] / s->value[i] - 1.0));
        s->value[i] = a[i][i];
    }
    return MN_OK;
}

static mn_status iterate(subspace *s, int count, double *omega)
{
    double change = 1.0;
    for (int i = 0; i < s->size; i++) {
        s->value[i] = 1.0;
        for (int64_t k = 0; k < 3 * s->d->rows; k++)
            column(s, s->vector, i)[k] = s->d->hold[k] ? 0.0 : mn_random(17, (uint64_t)k, 0, (uint64_t)i) - 0.5;
    }
    orthonormalise(s);
    for (int round = 0; round < ROUNDS_MOST && change > 1e-10; round++) MN_TRY(turn(s, count, &change));
    if (change > 1e-10)
        return mn_fail(s->d->context, MN_ERR_SOLVE, "the frequencies of a shell still change by %g after %d rounds",
                       change, ROUNDS_MOST);
    for (int i = 0; i < count; i++) omega[i] = 1.0 / sqrt(s->value[i]);
    return MN_OK;
}

mn_status mn_shell_drive_frequencies(mn_shell_drive *d, const mn_vec3 *x, int count, double *omega)
{
    if (count < 1 || count > MODES_MOST - 3)
        return mn_fail(d->context, MN_ERR_ARGUMENT, "%d frequencies were asked for; 1 to %d can be had", count,
                       MODES_MOST - 3);
    bool stable;
    MN_TRY(mn_shell_drive_is_stable(d, x, &stable));
    if (!stable) return mn_fail(d->context, MN_ERR_SOLVE, "the shape whose frequencies are asked for is not stable");
    subspace s         = { .d = d, .size = count + 3 };
    s.vector           = mn_alloc_array(d->context, double, 3 * d->rows * s.size);
    s.image            = mn_alloc_array(d->context, double, 3 * d->rows * s.size);
    const mn_status st = s.vector != NULL && s.image != NULL ? iterate(&s, count, omega) : MN_ERR_MEMORY;
    mn_free(d->context, s.vector);
    mn_free(d->context, s.image);
    return st;
}
