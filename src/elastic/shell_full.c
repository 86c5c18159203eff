// SPDX-License-Identifier: MPL-2.0
// elastic/shell_full.c - the Hessian over vertices and mid-edge normals, exact or projected: for Newton's method and
// buckling.
#include "elastic/shell_private.h"

#include <string.h>

#define LOCAL 21  // 6 vertices of 3 components, 3 mid-edge normals

mn_block_clique mn_shell_full_clique(int64_t triangle, void *patch)
{
    mn_shell_patch *p = patch;
    mn_shell_clique(triangle, patch);
    for (int i = 0; i < 3; i++)
        p->vertex[6 + i] = (int32_t)(p->first_row + p->shell->vertex_count + p->shell->triangle[triangle].edge[i]);
    return (mn_block_clique){ p->vertex, 9 };
}

int64_t mn_shell_full_rows(const mn_shell *s) { return s->vertex_count + s->edge_count; }

static void add_block(mn_block_matrix *m, int64_t row, int64_t column, const double block[9])
{
    if (row == column) mn_block_matrix_add_diagonal(m, row, block);
    else mn_block_matrix_add(m, mn_block_matrix_find(m, (int32_t)row, (int32_t)column), block);
}

/// Add an n-vertex dense matrix (3 n values a row, `stride` apart) to the blocks of its vertices; -1 is left out.
static void add_dense(mn_block_matrix *m, const int32_t *vertex, int n, const double *h, int stride, double scale)
{
    double block[9];
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            if (vertex[a] < 0 || vertex[b] < 0) continue;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) block[3 * i + j] = scale * h[stride * (3 * a + i) + 3 * b + j];
            add_block(m, vertex[a], vertex[b], block);
        }
}

static void add_xi_blocks(mn_block_matrix *m, const mn_shell_patch *p, const double h[LOCAL][LOCAL])
{
    for (int i = 0; i < 3; i++) {
        const int64_t row = p->vertex[6 + i];
        for (int a = 0; a < 6; a++) {
            if (p->vertex[a] < 0) continue;
            double to[9] = { 0.0 }, from[9] = { 0.0 };
            for (int k = 0; k < 3; k++) to[k] = from[3 * k] = h[18 + i][3 * a + k];
            add_block(m, row, p->vertex[a], to);
            add_block(m, p->vertex[a], row, from);
        }
        for (int j = 0; j < 3; j++) {
            const double block[9] = { h[18 + i][18 + j] };
            add_block(m, row, p->vertex[6 + j], block);
        }
    }
}

/// Material part of the bending of one triangle: G through the derivatives of q.
static void add_bending(const mn_shell *s, const mn_shell_hinges *hinges, int64_t t, double weight, mn_block_matrix *m)
{
    const mn_shell_triangle *tri         = &s->triangle[t];
    const mn_bending_form    g           = mn_bending_of(&tri->bending);
    mn_shell_patch           p           = { .shell = s };
    double                   d[3][LOCAL] = { { 0.0 } }, h[LOCAL][LOCAL];
    mn_shell_full_clique(t, &p);
    for (int j = 0; j < 3; j++) {
        mn_vec3 local[4];
        mn_shell_local_gradient(hinges->gradient + 4 * (int64_t)tri->edge[j], tri->sign[j], local);
        const int place[4] = { j, (j + 1) % 3, (j + 2) % 3, 3 + j };
        for (int k = 0; k < 4; k++)
            for (int a = 0; a < 3; a++) d[j][3 * place[k] + a] = 0.5 * mn_get3(local[k], a);
        d[j][18 + j] = tri->sign[j];
    }
    for (int a = 0; a < LOCAL; a++)
        for (int b = 0; b < LOCAL; b++) {
            double sum = 0.0;
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) sum += d[i][a] * mn_bending_at(&g, i, j) * d[j][b];
            h[a][b] = weight * sum;
        }
    add_dense(m, p.vertex, 6, &h[0][0], LOCAL, 1.0);
    add_xi_blocks(m, &p, h);
}

/// The fourth point of a clamp goes with the first: its rows and columns join those of the first.
static void fold_clamp(double h[144])
{
    for (int a = 0; a < 12; a++)
        for (int k = 0; k < 3; k++) h[12 * a + k] += h[12 * a + 9 + k];
    for (int b = 0; b < 12; b++)
        for (int k = 0; k < 3; k++) h[12 * k + b] += h[12 * (9 + k) + b];
}

/// Geometric part: moment times the second derivative of the measure.
static void add_hinge_curvature(const mn_shell *s, const mn_vec3 *x, int64_t e, double moment, mn_block_matrix *m)
{
    mn_vec3 p[4], g[4];
    double  h[144], first, second;
    if (!mn_shell_hinge_points(s, e, x, p)) return;
    const bool clamped = s->edge[e].vertex[3] < 0;
    mn_hinge_measure(s->material.measure, mn_hinge_gradient(p, g), &first, &second);
    mn_hinge_hessian(p, h);
    for (int a = 0; a < 12; a++)
        for (int b = 0; b < 12; b++)
            h[12 * a + b] = first * h[12 * a + b] + second * mn_get3(g[a / 3], a % 3) * mn_get3(g[b / 3], b % 3);
    if (clamped) fold_clamp(h);
    add_dense(m, s->edge[e].vertex, 4, h, 12, moment);
}

static void add_membrane(const mn_shell *s, const mn_vec3 *x, int64_t t, double weight, mn_shell_hessian kind,
                         mn_block_matrix *m)
{
    const mn_shell_triangle *tri = &s->triangle[t];
    const mn_in_plane_frame  f   = mn_shell_frame(s, x, t);
    double                   e[3], driving[3], tau[3], tension[3], k[9], block[9];
    mn_in_plane_strain(&f, e);
    mn_shell_driving_strain(s, t, e, driving);
    mn_in_plane_stress(s->membrane, driving, tau);
    mn_in_plane_tension(tau, tension);
    for (int i = 0; i < 9; i++) k[i] = (1.0 + s->viscous) * s->membrane[i];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            mn_in_plane_block(k, &tri->membrane, &f, kind == MN_SHELL_EXACT ? tau : tension, a, b, block);
            for (int i = 0; i < 9; i++) block[i] *= weight * tri->membrane.area;
            add_block(m, tri->vertex[a], tri->vertex[b], block);
        }
}

mn_status mn_shell_add_full(mn_shell *s, mn_shell_pose pose, mn_shell_hessian kind, mn_arena *arena, mn_block_matrix *m)
{
    if (m->rows != mn_shell_full_rows(s) || m->block == NULL)
        return mn_fail(s->context, MN_ERR_ARGUMENT,
                       "the full matrix of a shell has %lld rows of double blocks, not %lld",
                       (long long)mn_shell_full_rows(s), (long long)m->rows);
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_shell_hinges     hinges;
    double             *moment = mn_arena_array(arena, double, s->edge_count);
    mn_status           st     = moment != NULL ? mn_shell_hinges_of(s, pose.x, true, arena, &hinges) : MN_ERR_MEMORY;
    if (st == MN_OK) st = mn_shell_edge_moments(s, pose, arena, moment);
    if (st == MN_OK) {
        for (int64_t t = 0; t < s->triangle_count; t++) {
            const double factor = mn_shell_factor(&pose, t);
            add_membrane(s, pose.x, t, factor, kind, m);
            add_bending(s, &hinges, t, (1.0 + s->viscous) * factor, m);
        }
        for (int64_t e = 0; kind == MN_SHELL_EXACT && e < s->edge_count; e++)
            add_hinge_curvature(s, pose.x, e, moment[e], m);
    }
    mn_arena_end(arena, mark);
    return st;
}
