// SPDX-License-Identifier: MPL-2.0
// elastic/shell_stiffness.c - the projected stiffness of a shell, row by row.
//
// A row of the matrix belongs to one vertex. It gathers from the triangles around the vertex (as a corner of them) and
// from the triangles across the opposite edges (as an outer vertex of their hinges). Only columns beyond the row are
// computed; the others are copied from their mirror images when all rows are done. Each pair of vertices is thus
// computed once, in one order.
#include "elastic/shell_private.h"

#include "base/pool.h"

#include <string.h>

typedef struct stiffness_job {
    mn_shell        *s;
    mn_shell_pose    pose;
    mn_shell_hinges  hinges;
    double           scale;
    double          *tension;  // 3 per triangle: the pulling part of the stress
    double          *rows;     // scratch of one row per worker
    mn_block_matrix *m;
} stiffness_job;

mn_block_clique mn_shell_clique(int64_t triangle, void *patch)
{
    mn_shell_patch          *p   = patch;
    const mn_shell_triangle *tri = &p->shell->triangle[triangle];
    for (int i = 0; i < 3; i++) {
        const int32_t outer = mn_shell_outer(p->shell, tri, i);
        p->vertex[i]        = (int32_t)(p->first_row + tri->vertex[i]);
        p->vertex[3 + i]    = outer >= 0 ? (int32_t)(p->first_row + outer) : -1;
    }
    return (mn_block_clique){ p->vertex, 6 };
}

/// The vertices of the patch of triangle t other than local vertex `self`, in the order in which slots are kept.
static int patch_columns(const mn_shell *s, const mn_shell_triangle *tri, int self, int32_t column[5])
{
    int n = 0;
    for (int b = 0; b < 6; b++)
        if (b != self) column[n++] = b < 3 ? tri->vertex[b] : mn_shell_outer(s, tri, b - 3);
    return n;
}

/// The triangle across the edge opposite a corner, and which of its edges that is; NULL at a rim.
static const mn_shell_triangle *across(const mn_shell *s, const mn_shell_triangle *tri, int i, int *local)
{
    const mn_shell_edge *edge = &s->edge[tri->edge[i]];
    const int32_t        t    = edge->triangle[tri->sign[i] > 0 ? 1 : 0];
    if (t < 0) return NULL;
    const mn_shell_triangle *other = &s->triangle[t];
    *local                         = other->edge[0] == tri->edge[i] ? 0 : other->edge[1] == tri->edge[i] ? 1 : 2;
    return other;
}

static mn_status find_slots(mn_shell *s, const mn_block_matrix *m, int32_t row, const int32_t column[5],
                            uint16_t slot[5])
{
    const int64_t first = s->first_row;
    for (int b = 0; b < 5; b++) {
        slot[b] = MN_SHELL_NO_SLOT;
        if (column[b] <= row) continue;  // a rim (-1) included
        const int64_t entry = mn_block_matrix_find(m, (int32_t)(first + row), (int32_t)(first + column[b]));
        if (entry < 0)
            return mn_fail(s->context, MN_ERR_ARGUMENT, "the matrix has no block for vertices %d and %d of a shell",
                           row, column[b]);
        const int64_t place = entry - m->start[first + row];
        if (place >= MN_SHELL_NO_SLOT)
            return mn_fail(s->context, MN_ERR_ARGUMENT, "row %d of the matrix of a shell has more than 65534 blocks",
                           row);
        slot[b] = (uint16_t)place;
    }
    return MN_OK;
}

/// Slots of one corner, by its place in the list of corners.
static void put_slots(mn_shell *s, int64_t k, const uint16_t slot[MN_SHELL_SLOTS])
{
    if (s->slot_bytes == 2) memcpy(s->slot + 2 * MN_SHELL_SLOTS * k, slot, 2 * MN_SHELL_SLOTS);
    else
        for (int b = 0; b < MN_SHELL_SLOTS; b++) s->slot[MN_SHELL_SLOTS * k + b] = (uint8_t)slot[b];
}

static inline void get_slots(const mn_shell *s, int64_t k, uint16_t slot[MN_SHELL_SLOTS])
{
    if (s->slot_bytes == 2) memcpy(slot, s->slot + 2 * MN_SHELL_SLOTS * k, 2 * MN_SHELL_SLOTS);
    else
        for (int b = 0; b < MN_SHELL_SLOTS; b++) {
            const uint8_t place = s->slot[MN_SHELL_SLOTS * k + b];
            slot[b]             = place == 255 ? MN_SHELL_NO_SLOT : place;
        }
}

mn_status mn_shell_bind(mn_shell *s, const mn_block_matrix *m, int64_t first_row)
{
    if (first_row < 0 || first_row + s->vertex_count > m->rows)
        return mn_fail(s->context, MN_ERR_ARGUMENT,
                       "a shell of %lld vertices does not fit a matrix of %lld rows at row %lld",
                       (long long)s->vertex_count, (long long)m->rows, (long long)first_row);
    s->first_row = first_row, s->bound_rows = m->rows, s->longest_row = 0;
    for (int64_t v = 0; v < s->vertex_count; v++) {
        const int64_t length = m->start[first_row + v + 1] - m->start[first_row + v];
        if (length > s->longest_row) s->longest_row = length;
    }
    mn_free(s->context, s->slot);
    s->slot_bytes = s->longest_row < 255 ? 1 : 2;
    s->slot       = mn_alloc_array(s->context, uint8_t, 3 * MN_SHELL_SLOTS * s->triangle_count * s->slot_bytes);
    if (s->slot == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < s->vertex_count; v++) {
        for (int64_t k = s->corner_start[v]; k < s->corner_start[v + 1]; k++) {
            const mn_shell_triangle *tri = &s->triangle[s->corner[k] / 3];
            const int                i   = s->corner[k] % 3;
            uint16_t                 slot[MN_SHELL_SLOTS];
            int32_t                  column[5] = { -1, -1, -1, -1, -1 };
            int                      local;
            patch_columns(s, tri, i, column);
            MN_TRY(find_slots(s, m, (int32_t)v, column, slot));
            const mn_shell_triangle *other = across(s, tri, i, &local);
            if (other != NULL) patch_columns(s, other, 3 + local, column);
            else
                for (int b = 0; b < 5; b++) column[b] = -1;
            MN_TRY(find_slots(s, m, (int32_t)v, column, slot + 5));
            put_slots(s, k, slot);
        }
    }
    return MN_OK;
}

static void tension_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const stiffness_job *job = context;
    const mn_shell      *s   = job->s;
    for (int64_t t = begin; t < end; t++) {
        const mn_in_plane_frame f = mn_shell_frame(s, job->pose.x, t);
        double                  e[3], driving[3], tau[3];
        mn_in_plane_strain(&f, e);
        mn_shell_driving_strain(s, t, e, driving);
        mn_in_plane_stress(s->membrane, driving, tau);
        mn_in_plane_tension(tau, job->tension + 3 * t);
    }
}

static inline void add_outer(mn_vec3 w, mn_vec3 g, double *block)
{
    block[0] += w.x * g.x, block[1] += w.x * g.y, block[2] += w.x * g.z;
    block[3] += w.y * g.x, block[4] += w.y * g.y, block[5] += w.y * g.z;
    block[6] += w.z * g.x, block[7] += w.z * g.y, block[8] += w.z * g.z;
}

/// Gradient of hinge j at local vertex b of the triangle (corner b < 3, outer vertex b - 3): which of the four it is.
static inline int place_in_hinge(int j, int b, int sign)
{
    if (b >= 3) return sign > 0 ? 3 : 2;  // only asked for b - 3 == j
    if (b == j) return sign > 0 ? 2 : 3;
    return (b == (j + 1) % 3) == (sign > 0) ? 0 : 1;
}

/// Bending blocks of row `self` (local in the patch of tri): sum over hinges i, j of Q_ij g_i(self) g_j(b)^T, Q = scale
/// G/4.
static void bending_row(const stiffness_job *job, const mn_shell_triangle *tri, double weight, int self,
                        const uint16_t slot[5], double *row)
{
    const mn_bending_form g = mn_bending_of(&tri->bending);
    const mn_vec3        *hinge[3];
    mn_vec3               w[3];
    for (int j = 0; j < 3; j++) hinge[j] = job->hinges.gradient + 4 * (int64_t)tri->edge[j];
    for (int j = 0; j < 3; j++) {
        if (self >= 3) {
            const int i = self - 3;
            w[j]        = mn_scale3(weight * mn_bending_at(&g, i, j), hinge[i][place_in_hinge(i, self, tri->sign[i])]);
            continue;
        }
        mn_vec3 sum = { 0.0, 0.0, 0.0 };
        for (int i = 0; i < 3; i++)
            sum = mn_add3(sum,
                          mn_scale3(weight * mn_bending_at(&g, i, j), hinge[i][place_in_hinge(i, self, tri->sign[i])]));
        w[j] = sum;
    }
    for (int b = 0, k = 0; b < 6; b++) {
        if (b == self) continue;
        const uint16_t place = slot[k++];
        if (place == MN_SHELL_NO_SLOT) continue;
        double *block = row + 9 * (int64_t)place;
        if (b >= 3) add_outer(w[b - 3], hinge[b - 3][place_in_hinge(b - 3, b, tri->sign[b - 3])], block);
        else
            for (int j = 0; j < 3; j++) add_outer(w[j], hinge[j][place_in_hinge(j, b, tri->sign[j])], block);
    }
}

static void membrane_row(const stiffness_job *job, int64_t t, double weight, int self, const uint16_t slot[5],
                         double *row)
{
    const mn_shell         *s = job->s;
    const mn_in_plane_frame f = mn_shell_frame(s, job->pose.x, t);
    const mn_in_plane_rest *r = &s->triangle[t].membrane;
    double                  k[9], block[9];
    for (int i = 0; i < 9; i++) k[i] = (1.0 + s->viscous) * s->membrane[i];
    for (int b = 0, place = 0; b < 3; b++) {
        if (b == self) continue;
        const uint16_t at = slot[place++];
        if (at == MN_SHELL_NO_SLOT) continue;
        mn_in_plane_block(k, r, &f, job->tension + 3 * t, self, b, block);
        for (int i = 0; i < 9; i++) row[9 * (int64_t)at + i] += weight * r->area * block[i];
    }
}

static void row_range(int64_t begin, int64_t end, int worker, void *context)
{
    const stiffness_job *job  = context;
    mn_shell            *s    = job->s;
    double              *row  = job->rows + 9 * s->longest_row * worker;
    const double         more = 1.0 + s->viscous;
    for (int64_t v = begin; v < end; v++) {
        const int64_t first = job->m->start[s->first_row + v], length = job->m->start[s->first_row + v + 1] - first;
        memset(row, 0, (size_t)(9 * length) * sizeof *row);
        for (int64_t k = s->corner_start[v]; k < s->corner_start[v + 1]; k++) {
            const int64_t            t   = s->corner[k] / 3;
            const int                i   = s->corner[k] % 3;
            const mn_shell_triangle *tri = &s->triangle[t];
            uint16_t                 slot[MN_SHELL_SLOTS];
            get_slots(s, k, slot);
            const double weight = job->scale * mn_shell_factor(&job->pose, t);
            membrane_row(job, t, weight, i, slot, row);
            bending_row(job, tri, 0.25 * more * weight, i, slot, row);
            int                      local;
            const mn_shell_triangle *other = across(s, tri, i, &local);
            if (other == NULL) continue;
            const double factor = mn_shell_factor(&job->pose, other - s->triangle);
            bending_row(job, other, 0.25 * more * job->scale * factor, 3 + local, slot + 5, row);
        }
        for (int64_t e = 0; e < length; e++)
            if (job->m->column[first + e] > s->first_row + v) mn_block_matrix_add(job->m, first + e, row + 9 * e);
    }
}

/// Blocks before the diagonal are the transposes of those beyond it.
static void mirror_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const stiffness_job *job   = context;
    mn_block_matrix     *m     = job->m;
    const int64_t        first = job->s->first_row;
    for (int64_t v = first + begin; v < first + end; v++)
        for (int64_t e = m->start[v]; e < m->start[v + 1] && m->column[e] < v; e++) {
            if (m->column[e] < first) continue;  // of another body: not ours to change
            const int64_t other = mn_block_matrix_find(m, m->column[e], (int32_t)v);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    if (m->block_f != NULL) m->block_f[9 * e + 3 * i + j] = m->block_f[9 * other + 3 * j + i];
                    else m->block[9 * e + 3 * i + j] = m->block[9 * other + 3 * j + i];
                }
        }
}

static mn_status fill(stiffness_job *job, mn_arena *arena)
{
    mn_shell *s    = job->s;
    mn_pool  *pool = mn_context_pool(s->context);
    MN_TRY(mn_shell_hinges_of(s, job->pose.x, true, arena, &job->hinges));
    job->tension = mn_arena_array(arena, double, 3 * s->triangle_count);
    job->rows    = mn_arena_array(arena, double, 9 * s->longest_row * mn_pool_workers(pool));
    if (job->tension == NULL || job->rows == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, s->triangle_count, MN_SHELL_BLOCK, tension_range, job);
    mn_parallel_for(pool, s->vertex_count, MN_SHELL_BLOCK, row_range, job);
    mn_parallel_for(pool, s->vertex_count, MN_SHELL_BLOCK, mirror_range, job);
    return MN_OK;
}

mn_status mn_shell_add_stiffness(mn_shell *s, mn_shell_pose pose, double scale, mn_arena *arena, mn_block_matrix *m,
                                 mn_vec3 *force)
{
    if (s->slot == NULL || s->bound_rows != m->rows)
        return mn_fail(s->context, MN_ERR_STATE, "a shell adds to a matrix of %lld rows that it was not bound to",
                       (long long)m->rows);
    if (force != NULL) MN_TRY(mn_shell_add_forces(s, pose, arena, force, NULL));
    const mn_arena_mark mark = mn_arena_begin(arena);
    stiffness_job       job  = { .s = s, .pose = pose, .scale = scale, .m = m };
    const mn_status     st   = fill(&job, arena);
    mn_arena_end(arena, mark);
    return st;
}
