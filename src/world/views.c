// SPDX-License-Identifier: MPL-2.0
// world/views.c - liquid, fabric and stains of a world as others may look at them.
#include "couple/fabric_stain.h"
#include "fabric/pores/flow.h"
#include "world/world.h"

mn_liquid_view mn_world_liquid(const mn_world *w)
{
    const mn_liquid_particles *p    = &w->liquid.particles[w->liquid.current];
    mn_liquid_view             view = { .position      = { p->position[0], p->position[1], p->position[2], p->count },
                                        .velocity      = { p->velocity[0], p->velocity[1], p->velocity[2], p->count },
                                        .volume        = p->volume[0],
                                        .id            = p->id[0],
                                        .count         = p->count,
                                        .pigment_count = w->solutes.count,
                                        .pigments      = w->solutes.pigment };
    for (int k = 0; k < view.pigment_count; k++) view.pigment[k] = p->pigment[k];
    return view;
}

void mn_world_pressure(const mn_world *w, const double *const position[3], int stride, int64_t count, double *out)
{
    mn_liquid_pressure(&w->liquid, position, stride, count, out);
}

bool mn_world_has_liquid(const mn_world *w) { return mn_liquid_present(&w->liquid); }

mn_supply mn_world_supply(const mn_world *w, double until)
{
    mn_supply sum = { .height = -INFINITY };
    for (int k = 0; k < w->tap_count; k++) {
        const mn_liquid_stream *s = &w->taps[k].stream;
        if (w->taps[k].sink) continue;
        sum.volume += s->rate * fmax(0.0, fmin(until, s->end) - fmax(w->now.time, s->begin));
        sum.speed  = fmax(sum.speed, mn_norm3(s->velocity));
        sum.height = fmax(sum.height, mn_get3(s->center, w->def.domain.up));
    }
    if (sum.volume > 0.0) sum.particles = sum.volume / w->liquid.model.reference_volume;
    return sum;
}

int mn_world_fabric_count(const mn_world *w) { return (int)w->fabric.piece_count; }

mn_fabric_view mn_world_fabric(const mn_world *w, int fabric)
{
    const mn_fabric_piece    *p = &w->fabric.pieces[fabric];
    const mn_fabric_vertices *v = &w->fabric.vertices;
    const int64_t             i = p->first_vertex, n = p->mesh.vertex_count;
    mn_fabric_view            view = { .name     = p->name,
                                       .position = { v->position[0] + i, v->position[1] + i, v->position[2] + i, n },
                                       .velocity = { v->velocity[0] + i, v->velocity[1] + i, v->velocity[2] + i, n },
                                       .triangle_count = p->mesh.triangle_count,
                                       .strand_count   = p->mesh.strand_count,
                                       .triangle       = (const int32_t(*)[3])p->mesh.triangle,
                                       .strand_start   = p->mesh.strand_start,
                                       .strand_vertex  = p->mesh.strand_vertex,
                                       .strand_closed  = p->mesh.strand_closed,
                                       .strand_radius  = p->mesh.strand_radius,
                                       .thickness      = p->cloth.thickness,
                                       .held           = v->held[0] + i,
                                       .bulk           = w->fabric.volume + i,
                                       .fiber          = w->fabric.fiber + i,
                                       .swelling       = v->swelling[0] + i,
                                       .pigment_count  = w->solutes.count,
                                       .pigments       = w->solutes.pigment,
                                       .colour         = p->colour };
    if (w->fabric.links != NULL) view.surface = w->fabric.links->surface + i;
    for (int k = 0; k < view.pigment_count; k++) {
        view.dissolved[k] = v->dissolved[k] + i;
        view.adsorbed[k]  = v->adsorbed[k] + i;
        view.dried[k]     = v->dried[k] + i;
    }
    return view;
}

int mn_world_stain_count(const mn_world *w) { return (int)w->stains.count; }

mn_stain_view mn_world_stain(const mn_world *w, int stain) { return mn_stains_view(&w->stains, stain); }

mn_status mn_world_stain_positions(const mn_world *w, int stain, double (*out)[3])
{
    const mn_stain_carrier on = mn_fabric_stain_carrier(&w->fabric, w->stains.list[stain].carrier.number);
    return mn_stains_place(&w->stains, stain, &on, w->now.time, (mn_vec3 *)out);
}
