// SPDX-License-Identifier: MPL-2.0
// world/soak.c - pigment in the pores of a fabric at the start: of the liquid it is wet with, and drops of a stain
// without film.
#include "couple/pigment.h"
#include "fabric/pores/flow.h"
#include "geom/shape.h"
#include "world/world.h"

#include <string.h>

mn_status mn_world_colour_pores(mn_world *w, int64_t piece)
{
    const mn_fabric_piece *p = &w->fabric.pieces[piece];
    mn_fabric_vertices    *v = &w->fabric.vertices;
    double                 concentration[MN_PIGMENTS_MOST];
    MN_TRY(mn_world_add_solutes(w, p->name, &w->liquid.model.material.solutes, concentration));
    for (int k = 0; k < w->solutes.count; k++)
        for (int64_t i = 0; i < p->mesh.vertex_count; i++)
            v->dissolved[k][p->first_vertex + i] = concentration[k] * v->held[0][p->first_vertex + i];
    return MN_OK;
}

static mn_status find_piece(mn_world *w, const mn_stain_def *def, int64_t *piece)
{
    for (*piece = 0; *piece < w->fabric.piece_count; ++*piece)
        if (strcmp(w->fabric.pieces[*piece].name, def->on) == 0) return MN_OK;
    return mn_fail(w->context, MN_ERR_ARGUMENT, "stain '%s': there is no fabric '%s'", def->name, def->on);
}

static bool inside(const mn_world *w, const mn_stain_drop *d, int64_t v)
{
    double *const *x = w->fabric.vertices.position;
    return d->shape == NULL || mn_shape_at(d->shape, mn_v3(x[0][v], x[1][v], x[2][v])) <= 0.0;
}

static mn_status check_drops(mn_world *w, const mn_stain_def *def, const mn_fabric_piece *p)
{
    for (int k = 0; k < def->drop_count; k++) {
        const mn_stain_drop *d = &def->drops[k];
        if (d->source)
            return mn_fail(w->context, MN_ERR_ARGUMENT, "stain '%s': the liquid of a fabric has no sources", def->name);
        bool any = false;
        for (int64_t i = 0; i < p->mesh.vertex_count; i++) any = any || inside(w, d, p->first_vertex + i);
        if (!any)
            return mn_fail(w->context, MN_ERR_ARGUMENT,
                           "stain '%s': drop %d meets no vertex of the fabric; move it, or make it larger than the "
                           "mesh",
                           def->name, k + 1);
    }
    return MN_OK;
}

static void soak(mn_world *w, const mn_stain_def *def, const mn_stain_drop *d, const mn_fabric_piece *p,
                 const int *number)
{
    mn_fabric_vertices *v = &w->fabric.vertices;
    for (int64_t i = p->first_vertex; i < p->first_vertex + p->mesh.vertex_count; i++) {
        if (!inside(w, d, i)) continue;
        const double volume = d->density * mn_fabric_pigment_area(&w->fabric, i) / w->liquid.model.material.density;
        v->held[0][i] += volume;
        for (int k = 0; k < def->pigment_count; k++) v->dissolved[number[k]][i] += d->share[k] * def->density * volume;
    }
}

mn_status mn_world_soak_fabric(mn_world *w, const mn_stain_def *def)
{
    int64_t    piece;
    int        number[MN_PIGMENTS_MOST];
    mn_solutes all = { .count = def->pigment_count };
    double     none[MN_PIGMENTS_MOST];
    MN_TRY(find_piece(w, def, &piece));
    MN_TRY(mn_fabric_prepare(&w->fabric));
    MN_TRY(mn_flow_links_make(&w->fabric));
    MN_TRY(check_drops(w, def, &w->fabric.pieces[piece]));
    if (def->pigment_count > 0) memcpy(all.pigment, def->pigments, (size_t)def->pigment_count * sizeof *def->pigments);
    MN_TRY(mn_world_settle_wetness(w));
    MN_TRY(mn_world_add_solutes(w, def->name, &all, none));
    for (int k = 0; k < def->pigment_count; k++) number[k] = mn_world_solute_number(w, def->pigments[k].name);
    for (int k = 0; k < def->drop_count; k++) soak(w, def, &def->drops[k], &w->fabric.pieces[piece], number);
    return mn_world_count_liquid(w);
}
