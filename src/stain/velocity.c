// SPDX-License-Identifier: MPL-2.0
// stain/velocity.c - what pushes and stops liquid on a cloth, and its transport by itself.
#include "stain/velocity.h"

#include <string.h>

typedef struct force_job {
    const mn_stain_surface *s;
    const mn_stain_vec     *acceleration;
    const double           *spin;
    double                  h;
    mn_stain_vec           *u;
} force_job;

/// Free slip: what points out of the cloth is taken away.
static mn_stain_vec along_rim(const mn_stain_surface *s, int64_t v, mn_stain_vec u)
{
    if (!s->rim[v]) return u;
    const mn_stain_vec t = s->tangent[v];
    const double       d = t.x * u.x + t.y * u.y;
    return (mn_stain_vec){ d * t.x, d * t.y };
}

static void force_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const force_job *j = context;
    for (int64_t v = begin; v < end; v++) {
        const mn_stain_vec half = { 0.5 * j->h * j->acceleration[v].x, 0.5 * j->h * j->acceleration[v].y };
        const mn_stain_vec u    = mn_stain_turned(mn_stain_turn_by(-2.0 * j->spin[v] * j->h),
                                                  (mn_stain_vec){ j->u[v].x + half.x, j->u[v].y + half.y });
        j->u[v]                 = along_rim(j->s, v, (mn_stain_vec){ u.x + half.x, u.y + half.y });
    }
}

void mn_stain_force(const mn_stain_surface *s, const mn_stain_vec *acceleration, const double *spin, double h,
                    mn_stain_vec *u)
{
    force_job job = { .s = s, .acceleration = acceleration, .spin = spin, .h = h, .u = u };
    mn_parallel_for(mn_context_pool(s->context), s->vertex_count, MN_STAIN_BLOCK, force_block, &job);
}

typedef struct level_job {
    const mn_stain_surface *s;
    const double           *mass, *press;
    double                  factor;
    mn_stain_vec           *u;
} level_job;

/// The gradient at a vertex is the mean over its ring.
static void level_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const level_job        *j = context;
    const mn_stain_surface *s = j->s;
    for (int64_t v = begin; v < end; v++) {
        double             area;
        const mn_stain_vec sum  = mn_stain_ring_gradient(s, j->mass, v, &area);
        const double       push = j->factor * j->press[v] / area;
        j->u[v]                 = along_rim(s, v, (mn_stain_vec){ j->u[v].x - push * sum.x, j->u[v].y - push * sum.y });
    }
}

void mn_stain_level(const mn_stain_surface *s, const double *mass, double density, const double *press, double h,
                    mn_stain_vec *u)
{
    level_job job = { s, mass, press, h / density, u };
    mn_parallel_for(mn_context_pool(s->context), s->vertex_count, MN_STAIN_BLOCK, level_block, &job);
}

typedef struct extend_job {
    const mn_stain_surface *s;
    const uint8_t          *known;
    const mn_stain_vec     *from;
    uint8_t                *next;
    mn_stain_vec           *u;
} extend_job;

/// One more ring of vertices takes the mean of those known around them.
static void extend_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const extend_job     *j = context;
    const mn_stain_links *l = &j->s->edges;
    for (int64_t v = begin; v < end; v++) {
        if (j->known[v]) continue;
        mn_stain_vec sum   = { 0.0, 0.0 };
        int          count = 0;
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) {
            const int32_t o = l->neighbour[i];
            if (!j->known[o]) continue;
            const mn_stain_turn r = j->s->turn[l->around[i] >> 1];
            const mn_stain_vec  w = l->around[i] & 1 ? mn_stain_turned_back(r, j->from[o])
                                                     : mn_stain_turned(r, j->from[o]);
            sum.x += w.x, sum.y += w.y;
            count++;
        }
        j->u[v]    = count > 0 ? along_rim(j->s, v, (mn_stain_vec){ sum.x / count, sum.y / count })
                               : (mn_stain_vec){ 0.0, 0.0 };
        j->next[v] = count > 0;
    }
}

mn_status mn_stain_extend_velocity(const mn_stain_surface *s, const double *mass, double wet, int rings,
                                   mn_stain_vec *u, mn_arena *arena)
{
    const mn_arena_mark mark  = mn_arena_begin(arena);
    const int64_t       n     = s->vertex_count;
    mn_stain_vec       *from  = mn_arena_array(arena, mn_stain_vec, n);
    uint8_t            *known = mn_arena_array(arena, uint8_t, n), *next = mn_arena_array(arena, uint8_t, n);
    extend_job          job = { s, known, from, next, u };
    if (from == NULL || known == NULL || next == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < n; v++) next[v] = mass[v] >= wet * s->area[v];
    for (int ring = 0; ring < rings; ring++) {
        memcpy(known, next, (size_t)n);
        memcpy(from, u, (size_t)n * sizeof *u);
        mn_parallel_for(mn_context_pool(s->context), n, MN_STAIN_BLOCK, extend_block, &job);
    }
    mn_arena_end(arena, mark);
    return MN_OK;
}

typedef struct advect_job {
    const mn_stain_surface *s;
    double                  h;
    const mn_stain_vec     *from;
    mn_stain_vec           *u;
} advect_job;

/// Velocity at the end of a way from v, carried back to the frame of v.
static mn_stain_vec velocity_at(const advect_job *j, int64_t v, mn_stain_vec way)
{
    const mn_stain_surface *s   = j->s;
    const mn_stain_place    p   = mn_stain_walk(s, v, way);
    mn_stain_vec            sum = { 0.0, 0.0 };
    for (int k = 0; k < 3; k++) {
        const mn_stain_vec w = mn_stain_turned(s->corner_turn[p.triangle][k], j->from[s->triangle[p.triangle][k]]);
        sum.x += p.weight[k] * w.x, sum.y += p.weight[k] * w.y;
    }
    return mn_stain_turned_back(p.turn, sum);
}

/// Liquid that arrives at v kept its velocity on the way: u = u_before(v - h u). Two rounds from u = u_before(v):
/// order 2.
static void advect_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const advect_job *j = context;
    for (int64_t v = begin; v < end; v++) {
        mn_stain_vec u = j->from[v];
        if (!(u.x * u.x + u.y * u.y > 0.0)) continue;
        for (int round = 0; round < 2; round++) u = velocity_at(j, v, (mn_stain_vec){ -j->h * u.x, -j->h * u.y });
        j->u[v] = along_rim(j->s, v, u);
    }
}

mn_status mn_stain_advect_velocity(const mn_stain_surface *s, double h, mn_stain_vec *u, mn_arena *arena)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_stain_vec       *from = mn_arena_array(arena, mn_stain_vec, s->vertex_count);
    advect_job          job  = { s, h, from, u };
    if (from == NULL) return MN_ERR_MEMORY;
    memcpy(from, u, (size_t)s->vertex_count * sizeof *u);
    mn_parallel_for(mn_context_pool(s->context), s->vertex_count, MN_STAIN_BLOCK, advect_block, &job);
    mn_arena_end(arena, mark);
    return MN_OK;
}
