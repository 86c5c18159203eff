// SPDX-License-Identifier: MPL-2.0
// elastic/shell_forces.c - energy and forces of a shell: edges, then triangles, then a gather by vertices.
#include "elastic/shell_private.h"

#include "base/pool.h"

#include <string.h>

/// Part of a triangle's rest area (doubled) below which its normal is noise and its hinges are left out (wet-fabric
/// T18).
#define COLLAPSED 1e-10

typedef struct hinge_job {
    const mn_shell  *s;
    const mn_vec3   *x;
    mn_shell_hinges *out;
} hinge_job;

static bool is_collapsed(const mn_shell *s, const mn_shell_edge *edge, const mn_vec3 g[4], mn_vec3 e)
{
    // |g2| is one over the height of the first triangle above the edge, |g3| that of the second.
    const double length = mn_norm3(e);
    for (int k = 0; k < 2 && edge->triangle[k] >= 0; k++) {
        const double area = 0.5 * length / mn_norm3(g[2 + k]);
        if (!(area > COLLAPSED * s->triangle[edge->triangle[k]].membrane.area)) return true;
    }
    return false;
}

static double one_hinge(const hinge_job *job, int64_t e, mn_vec3 g[4])
{
    const mn_shell      *s    = job->s;
    const mn_shell_edge *edge = &s->edge[e];
    mn_vec3              p[4];
    memset(g, 0, 4 * sizeof *g);
    job->out->measure[e] = 0.0;
    if (!mn_shell_hinge_points(s, e, job->x, p)) return 0.0;
    const double angle = mn_hinge_gradient(p, g);
    if (is_collapsed(s, edge, g, mn_sub3(p[1], p[0]))) {
        memset(g, 0, 4 * sizeof *g);
        return 1.0;
    }
    double first, second, measure = mn_hinge_measure(s->material.measure, angle, &first, &second) - edge->rest;
    if (edge->vertex[3] < 0) {
        // A clamp: the triangle's normal turns by the whole angle, and the fourth point goes with the first.
        measure *= 2.0, first *= 2.0;
        g[0] = mn_add3(g[0], g[3]);
        g[3] = mn_v3(0.0, 0.0, 0.0);
    }
    if (first != 1.0)
        for (int i = 0; i < 4; i++) g[i] = mn_scale3(first, g[i]);
    job->out->measure[e] = measure;
    return 0.0;
}

static double hinge_range(int64_t begin, int64_t end, void *context)
{
    const hinge_job *job       = context;
    double           collapsed = 0.0;
    mn_vec3          unused[4];
    for (int64_t e = begin; e < end; e++)
        collapsed += one_hinge(job, e, job->out->gradient != NULL ? job->out->gradient + 4 * e : unused);
    return collapsed;
}

mn_status mn_shell_hinges_of(mn_shell *s, const mn_vec3 *x, bool gradients, mn_arena *arena, mn_shell_hinges *out)
{
    *out         = (mn_shell_hinges){ 0 };
    out->measure = mn_arena_array(arena, double, s->edge_count);
    if (out->measure == NULL) return MN_ERR_MEMORY;
    if (gradients) {
        out->gradient = mn_arena_array(arena, mn_vec3, 4 * s->edge_count);
        if (out->gradient == NULL) return MN_ERR_MEMORY;
    }
    hinge_job job  = { s, x, out };
    out->collapsed = (int64_t)mn_parallel_sum(mn_context_pool(s->context), s->edge_count, hinge_range, &job);
    return MN_OK;
}

// ---- the start of a step

static void copy_strains(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const hinge_job *job = context;
    for (int64_t t = begin; t < end; t++) {
        const mn_in_plane_frame f = mn_shell_frame(job->s, job->x, t);
        mn_in_plane_strain(&f, job->s->start_strain + 3 * t);
    }
}

mn_status mn_shell_begin_still_step(mn_shell *s, double h)
{
    s->viscous = 0.0;
    s->moves   = false;
    if (s->start_xi == NULL) s->start_xi = mn_alloc_array(s->context, double, s->edge_count);
    if (s->start_xi == NULL) return MN_ERR_MEMORY;
    memcpy(s->start_xi, s->state.xi[0], (size_t)s->edge_count * sizeof *s->start_xi);
    if (h > 0.0) s->viscous = mn_shell_viscous_time(&s->material) / h;
    return MN_OK;
}

mn_status mn_shell_begin_step(mn_shell *s, const mn_vec3 *x, double h, mn_arena *arena)
{
    mn_context *c = s->context;
    MN_TRY(mn_shell_begin_still_step(s, 0.0));
    if (s->start_measure == NULL) s->start_measure = mn_alloc_array(c, double, s->edge_count);
    if (s->start_strain == NULL) s->start_strain = mn_alloc_array(c, double, 3 * s->triangle_count);
    if (s->start_measure == NULL || s->start_strain == NULL) return MN_ERR_MEMORY;
    s->moves = true;
    if (h <= 0.0 || s->material.viscosity == 0.0) return MN_OK;
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_shell_hinges     hinges;
    const mn_status     st = mn_shell_hinges_of(s, x, false, arena, &hinges);
    if (st == MN_OK) {
        memcpy(s->start_measure, hinges.measure, (size_t)s->edge_count * sizeof *hinges.measure);
        hinge_job job = { s, x, NULL };
        mn_parallel_for(mn_context_pool(c), s->triangle_count, MN_SHELL_BLOCK, copy_strains, &job);
        s->viscous = mn_shell_viscous_time(&s->material) / h;
    }
    mn_arena_end(arena, mark);
    return st;
}

void mn_shell_take_back(mn_shell *s)
{
    if (s->start_xi != NULL) memcpy(s->state.xi[0], s->start_xi, (size_t)s->edge_count * sizeof *s->start_xi);
}

// ---- energy

typedef struct energy_job {
    mn_shell       *s;
    mn_shell_pose   pose;
    mn_shell_hinges hinges;
} energy_job;

static double membrane_range(int64_t begin, int64_t end, void *context)
{
    const energy_job *job = context;
    double            sum = 0.0, e[3], tau[3];
    for (int64_t t = begin; t < end; t++) {
        const mn_in_plane_frame f = mn_shell_frame(job->s, job->pose.x, t);
        mn_in_plane_strain(&f, e);
        mn_in_plane_stress(job->s->membrane, e, tau);
        sum += 0.5 * mn_shell_factor(&job->pose, t) * job->s->triangle[t].membrane.area *
               (e[0] * tau[0] + e[1] * tau[1] + e[2] * tau[2]);
    }
    return sum;
}

static double bending_range(int64_t begin, int64_t end, void *context)
{
    const energy_job *job = context;
    double            sum = 0.0, q[3], driving[3];
    for (int64_t t = begin; t < end; t++) {
        mn_shell_rotations(job->s, job->hinges.measure, t, q, driving);
        const mn_bending_form g = mn_bending_of(&job->s->triangle[t].bending);
        sum += mn_shell_factor(&job->pose, t) * mn_bending_energy(&g, q);
    }
    return sum;
}

static double viscous_range(int64_t begin, int64_t end, void *context)
{
    const energy_job *job = context;
    const mn_shell   *s   = job->s;
    double            sum = 0.0, q[3], driving[3], e[3], de[3], tau[3];
    for (int64_t t = begin; t < end; t++) {
        const mn_in_plane_frame f = mn_shell_frame(s, job->pose.x, t);
        mn_in_plane_strain(&f, e);
        for (int i = 0; i < 3; i++) de[i] = e[i] - s->start_strain[3 * t + i];
        mn_in_plane_stress(s->membrane, de, tau);
        mn_shell_rotations(s, job->hinges.measure, t, q, driving);
        for (int i = 0; i < 3; i++) q[i] = (driving[i] - q[i]) / s->viscous;
        const mn_bending_form g = mn_bending_of(&s->triangle[t].bending);
        sum += s->viscous * mn_shell_factor(&job->pose, t) *
               (0.5 * s->triangle[t].membrane.area * (de[0] * tau[0] + de[1] * tau[1] + de[2] * tau[2]) +
                mn_bending_energy(&g, q));
    }
    return sum;
}

mn_status mn_shell_energy_of(mn_shell *s, mn_shell_pose pose, mn_arena *arena, mn_shell_energy *out)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_pool            *pool = mn_context_pool(s->context);
    energy_job          job  = { s, pose, { 0 } };
    const mn_status     st   = mn_shell_hinges_of(s, pose.x, false, arena, &job.hinges);
    if (st == MN_OK) {
        out->membrane = mn_parallel_sum(pool, s->triangle_count, membrane_range, &job);
        out->bending  = mn_parallel_sum(pool, s->triangle_count, bending_range, &job);
        out->viscous  = s->viscous > 0.0 && s->moves ? mn_parallel_sum(pool, s->triangle_count, viscous_range, &job)
                                                     : 0.0;
    }
    mn_arena_end(arena, mark);
    return st;
}

// ---- forces

typedef struct force_job {
    mn_shell       *s;
    mn_shell_pose   pose;
    mn_shell_hinges hinges;
    double         *moment;    // 3 per triangle: dE/dq
    mn_vec3        *pull;      // 2 per triangle: area factor (first Piola-Kirchhoff columns)
    mn_vec3        *gradient;  // per vertex, added to
    double          sign;
    double         *edge_out;
} force_job;

static void triangle_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const force_job *job = context;
    const mn_shell  *s   = job->s;
    for (int64_t t = begin; t < end; t++) {
        const double factor = mn_shell_factor(&job->pose, t);
        double       q[3], driving[3], e[3], tau[3], m[3];
        mn_shell_rotations(s, job->hinges.measure, t, q, driving);
        const mn_bending_form g = mn_bending_of(&s->triangle[t].bending);
        mn_bending_apply(&g, driving, m);
        for (int i = 0; i < 3; i++) job->moment[3 * t + i] = factor * m[i];
        if (job->pull == NULL) continue;
        const mn_in_plane_frame f = mn_shell_frame(s, job->pose.x, t);
        mn_in_plane_strain(&f, e);
        mn_shell_driving_strain(s, t, e, driving);
        mn_in_plane_stress(s->membrane, driving, tau);
        const double a       = factor * s->triangle[t].membrane.area;
        job->pull[2 * t]     = mn_add3(mn_scale3(a * tau[0], f.u), mn_scale3(a * tau[2], f.v));
        job->pull[2 * t + 1] = mn_add3(mn_scale3(a * tau[2], f.u), mn_scale3(a * tau[1], f.v));
    }
}

/// dE/d measure of an edge: half the moments of its triangles.
static double edge_moment(const force_job *job, int64_t e)
{
    const mn_shell *s   = job->s;
    double          sum = 0.0;
    for (int k = 0; k < 2 && s->edge[e].triangle[k] >= 0; k++) {
        const int32_t            t   = s->edge[e].triangle[k];
        const mn_shell_triangle *tri = &s->triangle[t];
        const int                i   = tri->edge[0] == e ? 0 : tri->edge[1] == e ? 1 : 2;
        sum += job->moment[3 * (int64_t)t + i];
    }
    return 0.5 * sum;
}

/// Gradient at a vertex: each triangle around it gives its pull and the hinge opposite; a spoke is taken once, from its
/// first triangle.
static void vertex_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const force_job *job = context;
    const mn_shell  *s   = job->s;
    for (int64_t v = begin; v < end; v++) {
        mn_vec3 sum = { 0.0, 0.0, 0.0 };
        for (int64_t k = s->corner_start[v]; k < s->corner_start[v + 1]; k++) {
            const int32_t            t = s->corner[k] / 3, i = s->corner[k] % 3;
            const mn_shell_triangle *tri  = &s->triangle[t];
            const mn_vec3           *pull = job->pull + 2 * (int64_t)t;
            sum                           = mn_add3(sum, mn_add3(mn_scale3(mn_in_plane_ru(&tri->membrane, i), pull[0]),
                                                                 mn_scale3(mn_in_plane_rv(&tri->membrane, i), pull[1])));
            const int32_t opposite        = tri->edge[i];
            sum                           = mn_add3(sum, mn_scale3(edge_moment(job, opposite),
                                                                   job->hinges.gradient[4 * (int64_t)opposite + (tri->sign[i] > 0 ? 2 : 3)]));
            for (int j = 0; j < 3; j++) {
                if (j == i || tri->sign[j] < 0) continue;
                // In its first triangle edge j runs from corner j + 1 to corner j + 2.
                const int end_of_edge = i == (j + 1) % 3 ? 0 : 1;
                sum                   = mn_add3(sum, mn_scale3(edge_moment(job, tri->edge[j]),
                                                               job->hinges.gradient[4 * (int64_t)tri->edge[j] + end_of_edge]));
            }
        }
        job->gradient[v] = mn_add3(job->gradient[v], mn_scale3(job->sign, sum));
    }
}

static mn_status prepare(force_job *job, bool membrane, mn_arena *arena)
{
    mn_shell *s = job->s;
    MN_TRY(mn_shell_hinges_of(s, job->pose.x, true, arena, &job->hinges));
    job->moment = mn_arena_array(arena, double, 3 * s->triangle_count);
    if (job->moment == NULL) return MN_ERR_MEMORY;
    if (membrane) {
        job->pull = mn_arena_array(arena, mn_vec3, 2 * s->triangle_count);
        if (job->pull == NULL) return MN_ERR_MEMORY;
    }
    mn_parallel_for(mn_context_pool(s->context), s->triangle_count, MN_SHELL_BLOCK, triangle_range, job);
    return MN_OK;
}

mn_status mn_shell_add_forces(mn_shell *s, mn_shell_pose pose, mn_arena *arena, mn_vec3 *force, int64_t *collapsed)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    force_job           job  = { .s = s, .pose = pose, .gradient = force, .sign = -1.0 };
    const mn_status     st   = prepare(&job, true, arena);
    if (st == MN_OK) mn_parallel_for(mn_context_pool(s->context), s->vertex_count, MN_SHELL_BLOCK, vertex_range, &job);
    if (collapsed != NULL) *collapsed = job.hinges.collapsed;
    mn_arena_end(arena, mark);
    return st;
}

static void xi_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const force_job *job = context;
    const mn_shell  *s   = job->s;
    for (int64_t e = begin; e < end; e++) {
        double sum = 0.0;
        for (int k = 0; k < 2 && s->edge[e].triangle[k] >= 0; k++) {
            const int32_t            t   = s->edge[e].triangle[k];
            const mn_shell_triangle *tri = &s->triangle[t];
            const int                i   = tri->edge[0] == e ? 0 : tri->edge[1] == e ? 1 : 2;
            sum += tri->sign[i] * job->moment[3 * (int64_t)t + i];
        }
        job->edge_out[e] = sum;
    }
}

mn_status mn_shell_gradient(mn_shell *s, mn_shell_pose pose, mn_arena *arena, mn_vec3 *dx, double *dxi)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_pool            *pool = mn_context_pool(s->context);
    force_job           job  = { .s = s, .pose = pose, .gradient = dx, .sign = 1.0, .edge_out = dxi };
    const mn_status     st   = prepare(&job, true, arena);
    if (st == MN_OK && dx != NULL) {
        memset(dx, 0, (size_t)s->vertex_count * sizeof *dx);
        mn_parallel_for(pool, s->vertex_count, MN_SHELL_BLOCK, vertex_range, &job);
    }
    if (st == MN_OK && dxi != NULL) mn_parallel_for(pool, s->edge_count, MN_SHELL_BLOCK, xi_range, &job);
    mn_arena_end(arena, mark);
    return st;
}

mn_status mn_shell_edge_moments(mn_shell *s, mn_shell_pose pose, mn_arena *arena, double *moment)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    force_job           job  = { .s = s, .pose = pose };
    const mn_status     st   = prepare(&job, false, arena);
    // At a clamp `measure` is twice the angle.
    for (int64_t e = 0; st == MN_OK && e < s->edge_count; e++)
        moment[e] = (s->edge[e].vertex[3] < 0 ? 2.0 : 1.0) * edge_moment(&job, e);
    mn_arena_end(arena, mark);
    return st;
}
