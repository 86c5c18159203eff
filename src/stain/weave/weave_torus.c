// SPDX-License-Identifier: MPL-2.0
// stain/weave/weave_torus.c - conjugate gradients on a periodic mesh, with an incomplete factor that leaves out the
// seams.
#include "stain/weave/weave.h"

#include "solve/cg.h"

#include <string.h>

/// Relative residual in the energy norm. A bound is wrong by its square, which is below round-off; fine meshes cannot
/// hold 1e-12.
#define WANTED  1e-10
#define REFUSED 1e-6  // above it a solve has failed
#define GAIN    1e-4  // the recurrence drifts from the true residual: begin anew as long as that gains a lot
/// Share of the fill that is moved to the diagonal: the factor keeps row sums nearly (modified incomplete Cholesky).
#define MODIFIED 0.97

mn_status mn_torus_create(mn_context *c, int nx, int ny, mn_torus *out)
{
    const int64_t n = (int64_t)nx * ny;
    *out            = (mn_torus){ .context = c, .nx = nx, .ny = ny };
    double *block   = mn_alloc_array(c, double, 9 * n);
    if (block == NULL) return MN_ERR_MEMORY;
    out->east     = block;
    out->north    = block + n;
    out->cross    = block + 2 * n;
    out->diagonal = block + 3 * n;
    out->pivot    = block + 4 * n;
    for (int a = 0; a < 2; a++) out->load[a] = block + (5 + a) * n, out->f[a] = block + (7 + a) * n;
    return MN_OK;
}

void mn_torus_destroy(mn_torus *t)
{
    if (t->context != NULL) mn_free(t->context, t->east);
    *t = (mn_torus){ .context = NULL };
}

static void add_crosses_to_diagonal(mn_torus *t)
{
    for (int j = 0; j < t->ny; j++) {
        const int64_t row = (int64_t)j * t->nx, above = (int64_t)((j + 1) % t->ny) * t->nx;
        for (int i = 0; i < t->nx; i++) {
            const int    right = (i + 1) % t->nx;
            const double w     = t->cross[row + i];
            const bool   rises = (i + j) % 2 == 0;
            t->diagonal[rises ? row + i : row + right] -= w;
            t->diagonal[rises ? above + right : above + i] -= w;
        }
    }
}

/// Pivots of (D + L) D^-1 (D + L^T), L the couplings to the west and south inside the seams.
static void factor(mn_torus *t)
{
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < t->nx; i++) {
            const int64_t k = (int64_t)j * t->nx + i;
            double        d = t->diagonal[k];
            if (i > 0) {
                const double e = t->east[k - 1], n = j + 1 < t->ny ? t->north[k - 1] : 0.0;
                d -= e * (e + MODIFIED * n) * t->pivot[k - 1];
            }
            if (j > 0) {
                const double n = t->north[k - t->nx], e = i + 1 < t->nx ? t->east[k - t->nx] : 0.0;
                d -= n * (n + MODIFIED * e) * t->pivot[k - t->nx];
            }
            // Any positive pivots make a valid preconditioner; couplings above 0 (skew tensors) could turn one
            // negative.
            if (!(d > 1e-12 * t->diagonal[k])) d = t->diagonal[k];
            t->pivot[k] = d > 0.0 ? 1.0 / d : 1.0;
        }
}

void mn_torus_prepare(mn_torus *t)
{
    for (int j = 0; j < t->ny; j++) {
        const int64_t row = (int64_t)j * t->nx, below = (int64_t)((j + t->ny - 1) % t->ny) * t->nx;
        for (int i = 0; i < t->nx; i++) {
            const int left       = (i + t->nx - 1) % t->nx;
            t->diagonal[row + i] = -(t->east[row + i] + t->east[row + left] + t->north[row + i] + t->north[below + i]);
        }
    }
    if (t->crossed) add_crosses_to_diagonal(t);
    factor(t);
}

static void multiply_crosses(const mn_torus *t, const double *x, double *y)
{
    for (int j = 0; j < t->ny; j++) {
        const int64_t row = (int64_t)j * t->nx, above = (int64_t)((j + 1) % t->ny) * t->nx;
        for (int i = 0; i < t->nx; i++) {
            const int     right = (i + 1) % t->nx;
            const bool    rises = (i + j) % 2 == 0;
            const int64_t a = rises ? row + i : row + right, b = rises ? above + right : above + i;
            const double  flow = t->cross[row + i] * (x[b] - x[a]);
            y[a] += flow;
            y[b] -= flow;
        }
    }
}

/// y = K x by differences: couplings of fine squares are huge, and the round-off of x times them would hide the rest.
static void multiply(const mn_torus *t, const double *x, double *y)
{
    const int nx = t->nx;
    for (int j = 0; j < t->ny; j++) {
        const int64_t row = (int64_t)j * nx, below = (int64_t)((j + t->ny - 1) % t->ny) * nx,
                      above = (int64_t)((j + 1) % t->ny) * nx;
        const double *e = t->east + row, *n = t->north + row, *s = t->north + below;
        const double *here = x + row, *up = x + above, *down = x + below;
        for (int i = 0; i < nx; i++) y[row + i] = n[i] * (up[i] - here[i]) + s[i] * (down[i] - here[i]);
        for (int i = 0; i + 1 < nx; i++) y[row + i] += e[i] * (here[i + 1] - here[i]);
        for (int i = 1; i < nx; i++) y[row + i] += e[i - 1] * (here[i - 1] - here[i]);
        y[row + nx - 1] += e[nx - 1] * (here[0] - here[nx - 1]);
        y[row] += e[nx - 1] * (here[nx - 1] - here[0]);
    }
    if (t->crossed) multiply_crosses(t, x, y);
}

static void precondition(const mn_torus *t, const double *r, double *z)
{
    const int nx = t->nx;
    for (int j = 0; j < t->ny; j++)
        for (int i = 0; i < nx; i++) {
            const int64_t k = (int64_t)j * nx + i;
            double        v = r[k];
            if (i > 0) v -= t->east[k - 1] * z[k - 1];
            if (j > 0) v -= t->north[k - nx] * z[k - nx];
            z[k] = v * t->pivot[k];
        }
    for (int j = t->ny - 1; j >= 0; j--)
        for (int i = nx - 1; i >= 0; i--) {
            const int64_t k = (int64_t)j * nx + i;
            double        v = 0.0;
            if (i + 1 < nx) v += t->east[k] * z[k + 1];
            if (j + 1 < t->ny) v += t->north[k] * z[k + nx];
            z[k] -= v * t->pivot[k];
        }
}

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

static void remove_mean(double *x, int64_t n)
{
    double sum = 0.0;
    for (int64_t k = 0; k < n; k++) sum += x[k];
    for (int64_t k = 0; k < n; k++) x[k] -= sum / (double)n;
}

// Conjugate gradients (solve/cg.h). Sizes are r.z, about the energy by which f is too high: rows of fine squares would
// drown all others in a plain norm.

typedef struct corrector {
    const mn_torus *t;
    const double   *load;
    double         *f, *r, *z, *p, *q;
    int64_t         n;
} corrector;

/// z = preconditioned r; returns r z.
static double weigh_residual(corrector *s)
{
    precondition(s->t, s->r, s->z);
    remove_mean(s->z, s->n);
    return dot(s->r, s->z, s->n);
}

static double true_residual(void *self)
{
    corrector *s = self;
    multiply(s->t, s->f, s->r);
    for (int64_t k = 0; k < s->n; k++) s->r[k] = s->load[k] - s->r[k];
    remove_mean(s->r, s->n);
    return fmax(weigh_residual(s), 0.0);
}

static double direct(void *self, bool first, double beta)
{
    corrector *s = self;
    if (first) memcpy(s->p, s->z, (size_t)s->n * sizeof *s->p);
    else
        for (int64_t k = 0; k < s->n; k++) s->p[k] = s->z[k] + beta * s->p[k];
    multiply(s->t, s->p, s->q);
    return dot(s->p, s->q, s->n);
}

static double advance(void *self, double alpha)
{
    corrector *s = self;
    for (int64_t k = 0; k < s->n; k++) s->f[k] += alpha * s->p[k], s->r[k] -= alpha * s->q[k];
    return weigh_residual(s);
}

/// One corrector from what f holds; `work` has 4 n.
static void solve_one(mn_torus *t, int a, double *work)
{
    const int64_t n    = (int64_t)t->nx * t->ny;
    corrector     s    = { .t    = t,
                           .load = t->load[a],
                           .f    = t->f[a],
                           .r    = work,
                           .z    = work + n,
                           .p    = work + 2 * n,
                           .q    = work + 3 * n,
                           .n    = n };
    const double  size = sqrt(dot(s.load, s.load, n));
    if (!(size > 1e-14 * t->load_scale[a])) {  // nothing but round-off: the slope itself is the solution
        memset(s.f, 0, (size_t)n * sizeof *s.f);
        return;
    }
    precondition(t, s.load, s.z);
    const double     whole = dot(s.load, s.z, n);
    const mn_cg      cg    = { .self     = &s,
                               .residual = true_residual,
                               .direct   = direct,
                               .advance  = advance,
                               .pool     = mn_context_pool(t->context) };
    const mn_cg_stop stop  = { .tolerance  = WANTED * WANTED * whole,
                               .margin     = 1.0,
                               .gain       = GAIN,
                               .iterations = 40 * (t->nx + t->ny) + 200,
                               .restarts   = INT_MAX };
    mn_solve_report  r     = { 0 };
    (void)mn_cg_solve(&cg, true_residual(&s), &stop, &r);
    remove_mean(s.f, n);
    t->iterations += r.iterations;
    t->residual = fmax(t->residual, sqrt(r.residual_last / whole));
}

mn_status mn_torus_solve(mn_torus *t)
{
    double *work = mn_alloc_array(t->context, double, 4 * (int64_t)t->nx * t->ny);
    if (work == NULL) return MN_ERR_MEMORY;
    t->iterations = 0;
    t->residual   = 0.0;
    for (int a = 0; a < 2; a++) solve_one(t, a, work);
    mn_free(t->context, work);
    MN_TRY(mn_check_interrupt(t->context, "the tile of a weave"));
    if (t->residual <= REFUSED) return MN_OK;
    return mn_fail(t->context, MN_ERR_SOLVE,
                   "the tile could not be solved: on %d x %d nodes a residual of %.1e is left after %d iterations",
                   t->nx, t->ny, t->residual, t->iterations);
}
