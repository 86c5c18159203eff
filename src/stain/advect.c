// SPDX-License-Identifier: MPL-2.0
// stain/advect.c - upwind flows between dual cells.
#include "stain/advect.h"

#include "stain/matrix.h"

#include <string.h>

#define GIVE 0.9

typedef struct job {
    const mn_stain_surface *s;
    const mn_stain_vec     *u;
    const double           *speed, *mass, *slope;
    double                 *out, *flow;
    double                  dt;
} job;

static void speeds_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job *j = context;
    for (int64_t e = begin; e < end; e++) {
        const mn_stain_vec *f = j->s->face[e], a = j->u[j->s->edges.end[e][0]], b = j->u[j->s->edges.end[e][1]];
        j->out[e] = f[0].x * a.x + f[0].y * a.y + f[1].x * b.x + f[1].y * b.y;
    }
}

void mn_stain_edge_speeds(const mn_stain_surface *s, const mn_stain_vec *u, double *speed)
{
    job j = { .s = s, .u = u, .out = speed };
    mn_parallel_for(mn_context_pool(s->context), s->edges.count, 4 * MN_STAIN_BLOCK, speeds_block, &j);
}

static double rates_block(int64_t begin, int64_t end, void *context)
{
    const job            *j    = context;
    const mn_stain_links *l    = &j->s->edges;
    double                most = 0.0;
    for (int64_t v = begin; v < end; v++) {
        double out = 0.0;
        for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) {
            const double q = j->speed[l->around[i] >> 1];
            out += fmax(l->around[i] & 1 ? -q : q, 0.0);
        }
        most = fmax(most, out / j->s->area[v]);
    }
    return most;
}

int mn_stain_advect_parts(const mn_stain_surface *s, const double *speed, double h, bool second_order)
{
    job          j    = { .s = s, .speed = speed };
    const double rate = mn_parallel_max(mn_context_pool(s->context), s->vertex_count, rates_block, &j);
    // Second order takes at most twice the density of the donor.
    const double parts = ceil(h * rate / (second_order ? 0.5 * GIVE : GIVE));
    if (!isfinite(parts)) return 0;
    return parts < 1.0 ? 1 : parts > 1e6 ? 1000000 : (int)parts;
}

/// Change of the density over each edge of a ring by the gradient at its vertex: a mean over the ring.
static void slopes_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job              *j = context;
    const mn_stain_surface *s = j->s;
    for (int64_t v = begin; v < end; v++) {
        double             area;
        const mn_stain_vec sum = mn_stain_ring_gradient(s, j->mass, v, &area);
        for (int32_t i = s->edges.start[v]; i < s->edges.start[v + 1]; i++) {
            const int32_t       k = s->ring_corner[i] >= 0 ? s->ring_corner[i] : s->ring_corner[i - 1], c = k % 3;
            const int           to = s->ring_corner[i] >= 0 ? (c + 1) % 3 : (c + 2) % 3;
            const mn_stain_vec *p  = s->corner[k / 3];
            const double size = sqrt((p[to].x - p[c].x) * (p[to].x - p[c].x) + (p[to].y - p[c].y) * (p[to].y - p[c].y));
            const mn_stain_turn d      = mn_stain_turn_by(s->ring_angle[i]);
            j->out[s->edges.around[i]] = size * (d.c * sum.x + d.s * sum.y) / area;
        }
    }
}

/// Density at the border: that of the donor, or that plus half a slope which neither side contradicts.
static double carried(const job *j, int64_t e, int donor)
{
    const int32_t *end  = j->s->edges.end[e];
    const double   here = j->mass[end[donor]] / j->s->area[end[donor]];
    if (j->slope == NULL) return here;
    const double over   = j->mass[end[1 - donor]] / j->s->area[end[1 - donor]] - here,
                 behind = 2.0 * j->slope[2 * e + donor] - over;
    if (over * behind <= 0.0) return here;
    return fmin(here + 0.5 * (fabs(over) < fabs(behind) ? over : behind), 2.0 * here);
}

static void flows_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job *j = context;
    for (int64_t e = begin; e < end; e++) {
        const double q = j->dt * j->speed[e];
        j->flow[e]     = q > 0.0 ? q * carried(j, e, 0) : q < 0.0 ? q * carried(j, e, 1) : 0.0;
    }
}

static void mean_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job *j = context;
    for (int64_t e = begin; e < end; e++) j->flow[e] = 0.5 * (j->flow[e] + j->out[e]);
}

/// Flows of one stage.
static void stage(const job *base, const double *mass, double *slope, double *flow)
{
    mn_pool *pool = mn_context_pool(base->s->context);
    job      j    = *base;
    j.mass = mass, j.slope = slope, j.out = slope, j.flow = flow;
    if (slope != NULL) mn_parallel_for(pool, j.s->vertex_count, MN_STAIN_BLOCK, slopes_block, &j);
    mn_parallel_for(pool, j.s->edges.count, 4 * MN_STAIN_BLOCK, flows_block, &j);
}

mn_status mn_stain_advect_flows(const mn_stain_surface *s, const double *speed, double dt, bool second_order,
                                const double *mass, double *flow, mn_arena *arena)
{
    mn_pool  *pool = mn_context_pool(s->context);
    const job base = { .s = s, .speed = speed, .dt = dt };
    if (!second_order) {
        stage(&base, mass, NULL, flow);
        return MN_OK;
    }
    const mn_arena_mark mark  = mn_arena_begin(arena);
    double             *slope = mn_arena_array(arena, double, 2 * s->edges.count),
           *again             = mn_arena_array(arena, double, s->edges.count);
    double *moved             = mn_arena_array(arena, double, s->vertex_count);
    if (slope == NULL || again == NULL || moved == NULL) return MN_ERR_MEMORY;
    stage(&base, mass, slope, flow);
    memcpy(moved, mass, (size_t)s->vertex_count * sizeof *moved);
    mn_stain_gather(pool, &s->edges, flow, moved);
    stage(&base, moved, slope, again);
    job both = { .flow = flow, .out = again };
    mn_parallel_for(pool, s->edges.count, 4 * MN_STAIN_BLOCK, mean_block, &both);
    mn_arena_end(arena, mark);
    return MN_OK;
}
