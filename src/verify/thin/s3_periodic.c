// SPDX-License-Identifier: MPL-2.0
// verify/thin/s3_periodic.c - rigidity of a periodic patch of triangles under a uniform small curvature (S3.2,
// relaxed).
//
// The height is w = (s.n)^2/2 at the vertices plus an offset that repeats from patch to patch; mid-edge normals repeat
// as well. The energy is quadratic in offsets and normals. Its minimum shows operators that only fit the prescribed
// shape.
#include "verify/thin/s3.h"

#include "base/random.h"
#include "elastic/bending.h"
#include "elastic/hinge.h"

#include <string.h>

#define CELLS     8  // along both axes; even, for alternating diagonals and shifted rows
#define VERTICES  (CELLS * CELLS)
#define EDGES     (3 * VERTICES)
#define TRIANGLES (2 * VERTICES)
#define UNKNOWNS  (VERTICES + EDGES)

/// A vertex of the patch or of one of its images: number, and where it is.
typedef struct place {
    int    vertex;
    double x, y;
} place;
typedef struct cell {
    place           corner[3];
    int             edge[3], sign[3];
    mn_bending_form form;
    double          q_rows[3][5], q_fixed[3];
    int             unknown[3][5];
} cell;

typedef struct patch {
    mn_sheet_kind kind;
    double        height, angle;  // of a row; direction of the curvature
    cell          cells[TRIANGLES];
    int           first[EDGES], first_side[EDGES], second[EDGES], second_side[EDGES];
    bool          relaxed, with_xi;
    double        area;
} patch;

static place vertex_at(const patch *p, int i, int j)
{
    const int    wi = (i + 4 * CELLS) % CELLS, wj = (j + 4 * CELLS) % CELLS, v = CELLS * wj + wi;
    const double shift = p->kind == MN_SHEET_EQUILATERAL && (j + 4 * CELLS) % 2 ? 0.5 : 0.0,
                 move  = p->kind == MN_SHEET_JITTERED ? 0.5 : 0.0;
    return (place){ v, i + shift + move * (mn_random(29, (uint64_t)v, 0, 0) - 0.5),
                    p->height * (j + move * (mn_random(29, (uint64_t)v, 0, 1) - 0.5)) };
}

static void make_cells(patch *p)
{
    int n = 0;
    for (int j = 0; j < CELLS; j++)
        for (int i = 0; i < CELLS; i++) {
            const place a = vertex_at(p, i, j), b = vertex_at(p, i + 1, j), c = vertex_at(p, i, j + 1),
                        d = vertex_at(p, i + 1, j + 1);
            // Shifted rows: in even rows the row above lies half an edge to the right, in odd ones (as numbered)
            // likewise by its image.
            const bool other = p->kind == MN_SHEET_RIGHT         ? false
                               : p->kind == MN_SHEET_EQUILATERAL ? j % 2 == 0
                                                                 : (i + j) % 2 == 1;
            if (other) {
                p->cells[n++] = (cell){ .corner = { a, b, c } };
                p->cells[n++] = (cell){ .corner = { b, d, c } };
            } else {
                p->cells[n++] = (cell){ .corner = { a, b, d } };
                p->cells[n++] = (cell){ .corner = { a, d, c } };
            }
        }
}

/// Whether side i of t and side k of u are the same edge up to a period: same ends, opposite ways, same vector.
static bool same_edge(const cell *t, int i, const cell *u, int k)
{
    const place *a = &t->corner[(i + 1) % 3], *b = &t->corner[(i + 2) % 3], *c = &u->corner[(k + 1) % 3],
                *d = &u->corner[(k + 2) % 3];
    return a->vertex == d->vertex && b->vertex == c->vertex && fabs((b->x - a->x) - (c->x - d->x)) < 1e-9 &&
           fabs((b->y - a->y) - (c->y - d->y)) < 1e-9;
}

static int join_edges(patch *p)
{
    int edges = 0;
    for (int t = 0; t < TRIANGLES; t++)
        for (int i = 0; i < 3; i++) {
            cell *tri = &p->cells[t];
            if (tri->sign[i] != 0) continue;
            for (int u = t + 1; u < TRIANGLES; u++)
                for (int k = 0; k < 3; k++)
                    if (p->cells[u].sign[k] == 0 && same_edge(tri, i, &p->cells[u], k) && tri->sign[i] == 0) {
                        tri->edge[i] = p->cells[u].edge[k] = edges;
                        tri->sign[i] = 1, p->cells[u].sign[k] = -1;
                        p->first[edges] = t, p->first_side[edges] = i, p->second[edges] = u, p->second_side[edges] = k;
                        edges++;
                    }
        }
    return edges;
}

static double bent_height(const patch *p, const place *v)
{
    const double s = cos(p->angle) * v->x + sin(p->angle) * v->y;
    return 0.5 * s * s;
}

/// q_i of a triangle as a linear function of heights (unknown and prescribed) and of its xi.
static void make_row(patch *p, cell *t, int i)
{
    const int   e = t->edge[i];
    const cell *a = &p->cells[p->first[e]], *b = &p->cells[p->second[e]];
    const int   ia = p->first_side[e], ib = p->second_side[e];
    place       four[4] = { a->corner[(ia + 1) % 3], a->corner[(ia + 2) % 3], a->corner[ia], b->corner[ib] };
    four[3].x += four[1].x - b->corner[(ib + 1) % 3].x;  // the image of the second triangle that lies beside the first
    four[3].y += four[1].y - b->corner[(ib + 1) % 3].y;
    mn_vec3 x[4], g[4];
    for (int k = 0; k < 4; k++) x[k] = mn_v3(four[k].x, four[k].y, 0.0);
    mn_hinge_gradient(x, g);
    t->q_fixed[i] = 0.0;
    for (int k = 0; k < 4; k++) {
        t->unknown[i][k] = four[k].vertex;
        t->q_rows[i][k]  = p->relaxed ? 0.5 * g[k].z : 0.0;
        t->q_fixed[i] += 0.5 * g[k].z * bent_height(p, &four[k]);
    }
    t->unknown[i][4] = VERTICES + e;
    t->q_rows[i][4]  = p->with_xi ? t->sign[i] : 0.0;
}

static void make_form(patch *p, cell *t, const double c[9], mn_bend bend)
{
    const double edges[4] = { t->corner[1].x - t->corner[0].x, t->corner[1].y - t->corner[0].y,
                              t->corner[2].x - t->corner[0].x, t->corner[2].y - t->corner[0].y };
    p->area += 0.5 * (edges[0] * edges[3] - edges[1] * edges[2]);
    if (bend == MN_BEND_MID_EDGE) {
        mn_bending_mid_edge(c, edges, &t->form);
        return;
    }
    for (int i = 0; i < 3; i++) {
        const cell  *pair[2] = { &p->cells[p->first[t->edge[i]]], &p->cells[p->second[t->edge[i]]] };
        const place *a = &t->corner[(i + 1) % 3], *b = &t->corner[(i + 2) % 3];
        double       sum = 0.0;
        for (int k = 0; k < 2; k++) {
            const place *q = pair[k]->corner;
            sum += 0.5 * ((q[1].x - q[0].x) * (q[2].y - q[0].y) - (q[1].y - q[0].y) * (q[2].x - q[0].x));
        }
        t->form.d[i] = mn_bending_hinge(mn_bending_across(c, edges, i), hypot(b->x - a->x, b->y - a->y), sum);
    }
}

/// gradient of the energy at z; returns the energy. `affine`: with the prescribed curvature.
static double apply(const patch *p, const double *z, bool affine, double *gradient)
{
    double energy = 0.0;
    memset(gradient, 0, UNKNOWNS * sizeof *gradient);
    for (int n = 0; n < TRIANGLES; n++) {
        const cell *t = &p->cells[n];
        double      q[3], m[3];
        for (int i = 0; i < 3; i++) {
            q[i] = affine ? t->q_fixed[i] : 0.0;
            for (int k = 0; k < 5; k++) q[i] += t->q_rows[i][k] * z[t->unknown[i][k]];
        }
        mn_bending_apply(&t->form, q, m);
        energy += mn_bending_energy(&t->form, q);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 5; k++) gradient[t->unknown[i][k]] += m[i] * t->q_rows[i][k];
    }
    return energy;
}

static double dot(const double *a, const double *b)
{
    double sum = 0.0;
    for (int k = 0; k < UNKNOWNS; k++) sum += a[k] * b[k];
    return sum;
}

/// Sum of squared moments of the prescribed shape.
static double moment_scale(const patch *p)
{
    double sum = 0.0;
    for (int n = 0; n < TRIANGLES; n++) {
        double m[3];
        mn_bending_apply(&p->cells[n].form, p->cells[n].q_fixed, m);
        sum += m[0] * m[0] + m[1] * m[1] + m[2] * m[2];
    }
    return sum;
}

/// Plain CG; the constant offset is a harmless null vector. Returns the energy at the minimum, NaN if it is not
/// reached.
static double minimise(const patch *p)
{
    double z[UNKNOWNS] = { 0.0 }, r[UNKNOWNS], s[UNKNOWNS], y[UNKNOWNS];
    apply(p, z, true, r);
    for (int k = 0; k < UNKNOWNS; k++) s[k] = r[k] = -r[k];
    double       norm   = dot(r, r);
    const double target = 1e-20 * moment_scale(p);  // on even meshes the residual is round-off from the start
    for (int it = 0; it < 20 * UNKNOWNS && norm > target; it++) {
        apply(p, s, false, y);
        const double step = norm / dot(s, y);
        for (int k = 0; k < UNKNOWNS; k++) z[k] += step * s[k], r[k] -= step * y[k];
        const double next = dot(r, r), turn = next / norm;
        for (int k = 0; k < UNKNOWNS; k++) s[k] = r[k] + turn * s[k];
        norm = next;
    }
    return norm <= target ? apply(p, z, true, y) : NAN;
}

mn_status mn_s3_periodic_rigidity(mn_context *c, mn_sheet_kind kind, mn_bend bend, double poisson, double angle,
                                  bool relaxed, double *out)
{
    patch *p = mn_alloc(c, sizeof *p);
    if (p == NULL) return MN_ERR_MEMORY;
    p->kind = kind, p->angle = angle, p->relaxed = relaxed, p->with_xi = bend == MN_BEND_MID_EDGE;
    p->height = kind == MN_SHEET_EQUILATERAL ? 0.5 * sqrt(3.0) : 1.0;
    make_cells(p);
    mn_status st = MN_OK;
    if (join_edges(p) != EDGES) st = mn_fail(c, MN_ERR_STATE, "a periodic patch of triangles does not close");
    if (st == MN_OK) {
        double            form[9];
        mn_shell_material m = mn_s3_material(1.0 - poisson * poisson, 1.0, poisson);
        mn_shell_bending_stiffness(&m, form);
        for (int t = 0; t < TRIANGLES; t++) make_form(p, &p->cells[t], form, bend);
        for (int t = 0; t < TRIANGLES; t++)
            for (int i = 0; i < 3; i++) make_row(p, &p->cells[t], i);
        *out = 2.0 * minimise(p) / p->area;
    }
    mn_free(c, p);
    return st;
}
