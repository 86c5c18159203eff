// SPDX-License-Identifier: MPL-2.0
// couple/pigment.c - the solute layer of stains over the liquid in the pores of fabric.
//
// stain 2 asks a surface liquid for its masses, its flows per pair of vertices and its losses to air. The flow in the
// fabric has all three: what is held, the volumes that went along the links (all parts of the step together), and its
// own drying, which leaves pigment behind. Absorption of stain 5.7 is left out: fabric holds its liquid itself. So is
// diffusion within the liquid: pores mix by flow, and molecules get a tenth of a millimetre far in five seconds.
#include "couple/pigment.h"

#include "fabric/pores/flow.h"

/// g/cm^2 below which liquid counts as none. Fabric that dries is dry exactly, and the thin front of wicking liquid is
/// not dry.
#define DRY 1e-30

double mn_fabric_pigment_area(const mn_fabric *q, int64_t v) { return 0.5 * q->links->surface[v]; }

/// The links of the flow, as the solute layer walks them.
static mn_status list_links(const mn_fabric *q, mn_arena *arena, mn_stain_links *out)
{
    const mn_flow_links *l = q->links;
    const int64_t        n = q->vertices.count;
    *out           = (mn_stain_links){ .vertex_count = n, .count = l->count, .end = l->end, .around = l->around };
    out->start     = mn_arena_array(arena, int32_t, n + 1);
    out->neighbour = mn_arena_array(arena, int32_t, l->around_start[n] + 1);
    if (out->start == NULL || out->neighbour == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v <= n; v++) out->start[v] = (int32_t)l->around_start[v];
    for (int64_t i = 0; i < l->around_start[n]; i++) out->neighbour[i] = l->end[l->around[i] / 2][1 - l->around[i] % 2];
    return MN_OK;
}

/// One pigment of the fabric as a solute of stains; `none` stands for liquid that fibres keep from flowing, which
/// fabric has not.
static mn_stain_solute solute_of(const mn_fabric *q, int pigment, double *none)
{
    const mn_fabric_vertices *v = &q->vertices;
    return (mn_stain_solute){ .context      = q->context,
                              .pigments     = 1,
                              .vertex_count = v->count,
                              .mass         = { [MN_STAIN_DISSOLVED] = v->dissolved[pigment],
                                                [MN_STAIN_HELD]      = none,
                                                [MN_STAIN_ADSORBED]  = v->adsorbed[pigment],
                                                [MN_STAIN_DRIED]     = v->dried[pigment] } };
}

static mn_status move_pigment(mn_fabric *q, const mn_stain_pigment *law, mn_arena *arena, double dt)
{
    const int64_t         n   = q->vertices.count;
    mn_stain_exchange_def def = mn_stain_exchange_def_default();
    mn_stain_surface surface  = { .context = q->context, .vertex_count = n, .area = mn_arena_array(arena, double, n) };
    mn_stain_liquid  liquid   = { .surface = &surface,
                                  .free    = mn_arena_array(arena, double, n),
                                  .dries   = mn_arena_array_zero(arena, double, n) };
    mn_stain_links   links    = { .count = 0 };
    double          *none = mn_arena_array_zero(arena, double, n), *evaporated = mn_arena_array(arena, double, n);
    if (surface.area == NULL || liquid.free == NULL || liquid.dries == NULL || none == NULL || evaporated == NULL)
        return MN_ERR_MEMORY;
    if (q->step.moved != NULL) MN_TRY(list_links(q, arena, &links));
    for (int64_t v = 0; v < n; v++) {
        surface.area[v] = mn_fabric_pigment_area(q, v);
        liquid.free[v]  = q->model.liquid.density * q->vertices.held[0][v];
    }
    def.evaporation = 0.0;  // the flow has let it dry already
    def.dry         = DRY;
    for (int p = 0; p < q->vertices.pigments; p++) {
        mn_stain_solute one = solute_of(q, p, none);
        if (q->step.moved != NULL) MN_TRY(mn_stain_carry(&one, &links, q->step.moved, q->step.flowed_from, arena));
        MN_TRY(mn_stain_exchange(&liquid, &one, &law[p], &def, dt, evaporated));
    }
    return MN_OK;
}

mn_status mn_fabric_pigment_step(mn_fabric *q, const mn_stain_pigment *law, const mn_step *step)
{
    if (q->vertices.pigments == 0 || q->links == NULL) return MN_OK;  // nothing can be in a fabric that was never wet
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = move_pigment(q, law, step->arena, step->dt);
    mn_arena_end(step->arena, mark);
    return status;
}
