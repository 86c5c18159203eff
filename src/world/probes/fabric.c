// SPDX-License-Identifier: MPL-2.0
// world/probes/fabric.c - named numbers about fabrics: how wet they are, where they are, how they pull at their pins.
#include "fabric/pins.h"
#include "world/world.h"

#include <string.h>

bool mn_probe_is_of_fabric(mn_probe_kind kind) { return kind >= MN_PROBE_WET_AREA && kind <= MN_PROBE_PIN_FORCE; }

// --- finding what is probed ------------------------------------------------------------------------------------------

static int find_group(const mn_fabric_piece *p, const mn_probe_def *d)
{
    if (d->kind == MN_PROBE_POSITION) {
        for (int64_t g = 0; g < p->mesh.group_count; g++)
            if (strcmp(p->mesh.group[g].name, d->group) == 0 && p->mesh.group[g].count > 0) return (int)g;
    } else {
        for (int k = 0; k < p->pin_count; k++)
            if (strcmp(p->pins[k].group, d->group) == 0) return k;
    }
    return -1;
}

mn_status mn_world_find_fabric_probe(const mn_world *w, mn_world_probe *probe)
{
    const mn_probe_def *d = &probe->def;
    probe->fabric         = -1;
    for (int64_t k = 0; k < w->fabric.piece_count; k++)
        if (strcmp(w->fabric.pieces[k].name, d->of) == 0) probe->fabric = (int)k;
    if (probe->fabric < 0)
        return mn_fail(w->context, MN_ERR_ARGUMENT, "probe '%s': there is no fabric '%s'", d->name, d->of);
    const mn_fabric_piece *p = &w->fabric.pieces[probe->fabric];
    if (d->kind == MN_PROBE_WET_AREA || d->kind == MN_PROBE_WET_RADIUS) {
        if (!(d->above >= 0.0 && d->above < 1.0))
            return mn_fail(w->context, MN_ERR_ARGUMENT, "probe '%s': above is %g; it must be from 0 to below 1",
                           d->name, d->above);
        if (p->mesh.triangle_count == 0)
            return mn_fail(w->context, MN_ERR_ARGUMENT,
                           "probe '%s': a wet area is of cloth, and fabric '%s' is yarn alone", d->name, d->of);
    }
    if (d->kind != MN_PROBE_POSITION && d->kind != MN_PROBE_PIN_FORCE) return MN_OK;
    probe->group = find_group(p, d);
    if (probe->group >= 0) return MN_OK;
    return mn_fail(w->context, MN_ERR_ARGUMENT, "probe '%s': fabric '%s' has no %s '%s'", d->name, d->of,
                   d->kind == MN_PROBE_POSITION ? "group" : "pins of a group", d->group);
}

// --- wetness ---------------------------------------------------------------------------------------------------------

static mn_vec3 vertex_of(const mn_fabric *q, int64_t v)
{
    return mn_v3(q->vertices.position[0][v], q->vertices.position[1][v], q->vertices.position[2][v]);
}

/// Share of a triangle where a value that is linear on it is above zero.
static double share_above(double a, double b, double c)
{
    const int positive = (a > 0.0) + (b > 0.0) + (c > 0.0);
    if (positive == 0 || positive == 3) return positive == 3 ? 1.0 : 0.0;
    // The corner that is alone, and the two others.
    const bool alone_above = positive == 1;
    double     alone = a, one = b, two = c;
    if ((b > 0.0) == alone_above && (a > 0.0) != alone_above) alone = b, one = a, two = c;
    if ((c > 0.0) == alone_above && (a > 0.0) != alone_above) alone = c, one = a, two = b;
    const double corner = alone / (alone - one) * (alone / (alone - two));
    return alone_above ? corner : 1.0 - corner;
}

typedef struct wet_job {
    const mn_fabric       *fabric;
    const mn_fabric_piece *piece;
    double                 above;
} wet_job;

static double area_block(int64_t begin, int64_t end, void *context)
{
    const wet_job *job = context;
    double         sum = 0.0;
    for (int64_t t = begin; t < end; t++) {
        mn_vec3 x[3];
        double  over[3];
        for (int k = 0; k < 3; k++) {
            const int64_t v = job->piece->first_vertex + job->piece->mesh.triangle[t][k];
            x[k]            = vertex_of(job->fabric, v);
            over[k]         = mn_fabric_saturation(job->fabric, v) - job->above;
        }
        const double area = 0.5 * mn_norm3(mn_cross3(mn_sub3(x[1], x[0]), mn_sub3(x[2], x[0])));
        sum += area * share_above(over[0], over[1], over[2]);
    }
    return sum;
}

static double held_block(int64_t begin, int64_t end, void *context)
{
    const wet_job *job = context;
    double         sum = 0.0;
    for (int64_t v = begin; v < end; v++) sum += job->fabric->vertices.held[0][job->piece->first_vertex + v];
    return sum;
}

// --- places and pulls ------------------------------------------------------------------------------------------------

static double mean_position(const mn_world *w, const mn_fabric_piece *p, const mn_world_probe *probe)
{
    const mn_vertex_group *group = &p->mesh.group[probe->group];
    mn_vec3                sum   = mn_v3(0, 0, 0);
    for (int64_t k = 0; k < group->count; k++)
        sum = mn_add3(sum, vertex_of(&w->fabric, p->first_vertex + group->vertex[k]));
    const mn_vec3 mean = mn_scale3(1.0 / (double)group->count, sum);
    return mn_dot3(mn_sub3(mean, mn_v3_from(probe->def.point)), mn_v3_from(probe->def.normal));
}

double mn_world_fabric_probe_value(const mn_world *w, const mn_world_probe *probe)
{
    const mn_fabric_piece *p    = &w->fabric.pieces[probe->fabric];
    mn_pool               *pool = mn_context_pool(w->context);
    wet_job                job  = { &w->fabric, p, probe->def.above };
    switch (probe->def.kind) {
    case MN_PROBE_WET_AREA: return mn_parallel_sum(pool, p->mesh.triangle_count, area_block, &job);
    case MN_PROBE_WET_RADIUS: return sqrt(mn_parallel_sum(pool, p->mesh.triangle_count, area_block, &job) / MN_PI);
    case MN_PROBE_HELD: return mn_parallel_sum(pool, p->mesh.vertex_count, held_block, &job);
    case MN_PROBE_POSITION: return mean_position(w, p, probe);
    case MN_PROBE_PIN_FORCE:
        return mn_dot3(mn_fabric_pin_force(&w->fabric, p, probe->group, w->now.time), mn_v3_from(probe->def.normal));
    default: return 0.0;
    }
}
