// SPDX-License-Identifier: MPL-2.0
// verify/thin/s3_mid_edge.c - S3.10 for what cloth is made of, membrane and mid-edge bending: a sheet folded like a
// screen, to 175 degrees, and crumpled a little.
#include "verify/thin/complex_step.h"
#include "verify/thin/s3.h"

#include "base/random.h"

#include <string.h>

static double roll(int64_t item, int lane) { return 2.0 * mn_random(53, (uint64_t)item, 0, (uint64_t)lane) - 1.0; }

enum { COLUMNS = 6 };

/// Each column of squares turned against the one before; the folds go up and down in turn.
static void fold_up(mn_s3_rig *r)
{
    static const double fold[COLUMNS] = { 0.0, 175.0, -170.0, 120.0, -60.0, 175.0 };
    for (int64_t v = 0; v < r->sheet.vertices; v++) {
        const double s       = r->sheet.x[v].x * COLUMNS;
        mn_vec3      x       = mn_v3(0.0, r->sheet.x[v].y, 0.0);
        double       heading = 0.0;
        for (int k = 0; k < COLUMNS && s > k; k++) {
            heading += fold[k] * MN_PI / 180.0;
            const double part = fmin(1.0, s - k) / COLUMNS;
            x.x += part * cos(heading), x.z += part * sin(heading);
        }
        r->x[v] = mn_add3(x, mn_scale3(2e-4, mn_v3(roll(v, 0), roll(v, 1), roll(v, 2))));
    }
}

/// With mid-edge normals at rest.
static mn_status folded(mn_context *c, mn_s3_rig *r)
{
    mn_shell_material m = mn_shell_material_default();
    mn_sheet          sheet;
    m.bend = MN_BEND_MID_EDGE;
    MN_TRY(mn_sheet_make(c, MN_SHEET_ALTERNATING, COLUMNS, 0, 1.0, 1.0, &sheet));
    MN_TRY(mn_s3_rig_make(c, &sheet, &m, r));
    fold_up(r);
    mn_shell_relax_report report;
    const mn_status       st = mn_shell_relax(r->shell, (mn_shell_pose){ r->x, NULL }, 1e-12, 1000, r->arena, &report);
    if (st != MN_OK) mn_s3_rig_end(r);
    return st;
}

/// Energy with mid-edge normals as they stand: of each triangle that of its membrane, and q G q / 2 with
/// q = angle / 2 + s xi (wet-fabric 5.1).
static double complex energy_at(mn_s3_rig *r, const double k[9], const mn_cvec *x)
{
    const mn_shell_triangle *tri  = mn_shell_triangles(r->shell);
    const mn_shell_edge     *edge = mn_shell_edge_list(r->shell);
    const double            *xi   = mn_shell_state(r->shell)->xi[0];
    double complex           sum  = 0.0;
    for (int64_t t = 0; t < r->sheet.triangles; t++) {
        const mn_cvec         corner[3] = { x[tri[t].vertex[0]], x[tri[t].vertex[1]], x[tri[t].vertex[2]] };
        const mn_bending_form g         = mn_bending_of(&tri[t].bending);
        double complex        q[3];
        for (int i = 0; i < 3; i++) {
            const int32_t        e = tri[t].edge[i], *v = edge[e].vertex;
            const bool           rim   = v[3] < 0;
            const mn_cvec        p[4]  = { x[v[0]], x[v[1]], x[v[2]], x[rim ? 0 : v[3]] };
            const double complex angle = rim ? 0.0 : mn_complex_hinge(p) - edge[e].rest;
            q[i]                       = 0.5 * angle + tri[t].sign[i] * xi[e];
        }
        sum += mn_complex_membrane(k, &tri[t].membrane, corner);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) sum += 0.5 * q[i] * mn_bending_at(&g, i, j) * q[j];
    }
    return sum;
}

/// Largest error of the forces by the largest force; and that of the energy itself, relative.
static mn_status gradient_error(mn_s3_rig *r, double *forces, double *energy)
{
    double                  k[9], scale = 0.0, worst = 0.0;
    const mn_shell_material m = mn_shell_material_default();
    mn_cvec                *x = mn_alloc_array(r->context, mn_cvec, r->sheet.vertices);
    mn_shell_energy         e = { 0 };
    if (x == NULL) return MN_ERR_MEMORY;
    mn_shell_membrane_stiffness(&m, k);
    memset(r->load, 0, (size_t)r->sheet.vertices * sizeof *r->load);
    mn_status st = mn_shell_add_forces(r->shell, (mn_shell_pose){ r->x, NULL }, r->arena, r->load, NULL);
    if (st == MN_OK) st = mn_shell_energy_of(r->shell, (mn_shell_pose){ r->x, NULL }, r->arena, &e);
    for (int64_t c = 0; c < 3 * r->sheet.vertices; c++) {
        mn_to_complex(r->x, r->sheet.vertices, c, x);
        const double slope = cimag(energy_at(r, k, x)) / MN_COMPLEX_STEP, force = mn_get3(r->load[c / 3], (int)(c % 3));
        scale = fmax(scale, fabs(force));
        worst = fmax(worst, fabs(slope + force));
    }
    *forces = worst / scale;
    *energy = (e.membrane + e.bending) / creal(energy_at(r, k, x)) - 1.0;
    mn_free(r->context, x);
    return st;
}

/// The exact Hessian over vertices and mid-edge normals.
static mn_status hessian_of(mn_s3_rig *r, mn_block_matrix *m)
{
    mn_shell_patch patch = { .shell = r->shell };
    MN_TRY(mn_block_matrix_create(r->context, mn_shell_full_rows(r->shell), r->sheet.triangles, mn_shell_full_clique,
                                  &patch, false, m));
    mn_block_matrix_zero(r->context, m);
    return mn_shell_add_full(r->shell, (mn_shell_pose){ r->x, NULL }, MN_SHELL_EXACT, r->arena, m);
}

static double asymmetry(const mn_block_matrix *m)
{
    double scale = 0.0, worst = 0.0;
    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t k = m->start[i]; k < m->start[i + 1]; k++) {
            const int64_t mirror = mn_block_matrix_find(m, m->column[k], (int32_t)i);
            for (int a = 0; a < 9; a++) {
                scale = fmax(scale, fabs(m->block[9 * k + a]));
                worst = fmax(worst, fabs(m->block[9 * k + a] - m->block[9 * mirror + 3 * (a % 3) + a / 3]));
            }
        }
        for (int a = 0; a < 9; a++) {
            scale = fmax(scale, fabs(m->diagonal[9 * i + a]));
            worst = fmax(worst, fabs(m->diagonal[9 * i + a] - m->diagonal[9 * i + 3 * (a % 3) + a / 3]));
        }
    }
    return worst / scale;
}

/// Change of the gradient by vertices along a random displacement of them, by differences of two lengths (Richardson).
static mn_status change_of_gradient(mn_s3_rig *r, const double *way, mn_vec3 *out)
{
    const int64_t n        = r->sheet.vertices;
    mn_vec3      *x        = mn_alloc_array(r->context, mn_vec3, n);
    mn_vec3      *g        = mn_alloc_array(r->context, mn_vec3, n);
    mn_status     st       = x != NULL && g != NULL ? MN_OK : MN_ERR_MEMORY;
    const double  h[4]     = { 1e-6, -1e-6, 2e-6, -2e-6 },
                 weight[4] = { 8.0 / 12e-6, -8.0 / 12e-6, -1.0 / 12e-6, 1.0 / 12e-6 };
    if (st == MN_OK) memset(out, 0, (size_t)n * sizeof *out);
    for (int k = 0; k < 4 && st == MN_OK; k++) {
        for (int64_t v = 0; v < n; v++)
            x[v] = mn_add3(r->x[v], mn_scale3(h[k], mn_v3(way[3 * v], way[3 * v + 1], way[3 * v + 2])));
        st = mn_shell_gradient(r->shell, (mn_shell_pose){ x, NULL }, r->arena, g, NULL);
        for (int64_t v = 0; v < n; v++) out[v] = mn_add3(out[v], mn_scale3(weight[k], g[v]));
    }
    mn_free(r->context, x), mn_free(r->context, g);
    return st;
}

static mn_status hessian_error(mn_s3_rig *r, const mn_block_matrix *m, double *out)
{
    const int64_t n      = r->sheet.vertices;
    double       *way    = mn_alloc_array(r->context, double, 3 * m->rows);
    double       *by     = mn_alloc_array(r->context, double, 3 * m->rows);
    mn_vec3      *change = mn_alloc_array(r->context, mn_vec3, n);
    mn_status     st     = way != NULL && by != NULL && change != NULL ? MN_OK : MN_ERR_MEMORY;
    if (st == MN_OK) {
        memset(way, 0, (size_t)(3 * m->rows) * sizeof *way);
        for (int64_t k = 0; k < 3 * n; k++) way[k] = roll(k, 7);
        mn_block_matrix_multiply(r->context, m, way, by);
        st = change_of_gradient(r, way, change);
    }
    double scale = 0.0, worst = 0.0;
    for (int64_t k = 0; k < 3 * n && st == MN_OK; k++) {
        scale = fmax(scale, fabs(by[k]));
        worst = fmax(worst, fabs(by[k] - mn_get3(change[k / 3], (int)(k % 3))));
    }
    *out = worst / scale;
    mn_free(r->context, way), mn_free(r->context, by), mn_free(r->context, change);
    return st;
}

/// Turned and moved: change of the energy, relative, and net force and torque over the sum of magnitudes.
static mn_status rigid_motion(mn_s3_rig *r, double *change, double *net)
{
    mn_shell_energy before, after;
    mn_vec3         force = { 0 }, torque = { 0 };
    double          size = 0.0;
    const mn_mat3   turn = mn_rotation3(mn_unit3(mn_v3(1, -2, 0.5), mn_v3(1, 0, 0)), 1.9);
    memset(r->load, 0, (size_t)r->sheet.vertices * sizeof *r->load);
    MN_TRY(mn_shell_energy_of(r->shell, (mn_shell_pose){ r->x, NULL }, r->arena, &before));
    MN_TRY(mn_shell_add_forces(r->shell, (mn_shell_pose){ r->x, NULL }, r->arena, r->load, NULL));
    for (int64_t v = 0; v < r->sheet.vertices; v++) {
        force = mn_add3(force, r->load[v]), torque = mn_add3(torque, mn_cross3(r->x[v], r->load[v]));
        size += mn_norm3(r->load[v]);
        r->x[v] = mn_add3(mn_mul3(turn, r->x[v]), mn_v3(1, 2, 3));
    }
    MN_TRY(mn_shell_energy_of(r->shell, (mn_shell_pose){ r->x, NULL }, r->arena, &after));
    *net    = fmax(mn_norm3(force), mn_norm3(torque)) / size;
    *change = (after.membrane + after.bending) / (before.membrane + before.bending) - 1.0;
    return MN_OK;
}

mn_status mn_s3_mid_edge(mn_context *c, mn_verify_report *report)
{
    mn_s3_rig       r;
    mn_block_matrix m      = { 0 };
    double          forces = NAN, energy = NAN, change = NAN, net = NAN, hessian = NAN, skew = NAN;
    MN_TRY(folded(c, &r));
    mn_status st = gradient_error(&r, &forces, &energy);
    if (st == MN_OK) st = hessian_of(&r, &m);
    if (st == MN_OK) skew = asymmetry(&m), st = hessian_error(&r, &m, &hessian);
    if (st == MN_OK) st = rigid_motion(&r, &change, &net);
    mn_block_matrix_destroy(c, &m);
    mn_s3_rig_end(&r);
    MN_TRY(st);
    mn_verify_at_most(report, "mid-edge sheet with folds to 175 deg: gradient against complex step", forces, 1e-12,
                      1e-12);
    mn_verify_value(report, "its energy over the sum of the triangles'", 1.0 + energy, 1.0, energy, 1e-12, 1e-12);
    mn_verify_at_most(report, "its Hessian, asymmetry", skew, 1e-14, 1e-14);
    // Differences of the gradient lose half its digits: a bound of our own.
    mn_verify_at_most(report, "its Hessian against differences of the gradient", hessian, 1e-8, 3e-8);
    mn_verify_value(report, "its energy after a rigid motion", 1.0 + change, 1.0, change, 1e-12, 1e-12);
    mn_verify_at_most(report, "its net force and torque", net, 1e-12, 1e-12);
    return MN_OK;
}
