// SPDX-License-Identifier: MPL-2.0
// couple/soak.c - pigment in the pores of a fabric at the start: of the liquid it is wet with, and drops of a stain
// without film.
#include "couple/soak.h"

#include "couple/pigment.h"
#include "fabric/pores/flow.h"
#include "geom/shape.h"

#include <string.h>

mn_status mn_solutes_colour_pores(mn_solute_list *all, mn_liquid *l, mn_fabric *q, int64_t piece)
{
    const mn_fabric_piece *p = &q->pieces[piece];
    mn_fabric_vertices    *v = &q->vertices;
    double                 concentration[MN_PIGMENTS_MOST];
    MN_TRY(mn_solutes_add(all, l, q, p->name, &l->model.material.solutes, concentration));
    for (int k = 0; k < all->count; k++)
        for (int64_t i = 0; i < p->mesh.vertex_count; i++)
            v->dissolved[k][p->first_vertex + i] = concentration[k] * v->held[0][p->first_vertex + i];
    return MN_OK;
}

static mn_status find_piece(const mn_fabric *q, const mn_stain_def *def, int64_t *piece)
{
    for (*piece = 0; *piece < q->piece_count; ++*piece)
        if (strcmp(q->pieces[*piece].name, def->on) == 0) return MN_OK;
    return mn_fail(q->context, MN_ERR_ARGUMENT, "stain '%s': there is no fabric '%s'", def->name, def->on);
}

static bool inside(const mn_fabric *q, const mn_stain_drop *d, int64_t v)
{
    double *const *x = q->vertices.position;
    return d->shape == NULL || mn_shape_at(d->shape, mn_v3(x[0][v], x[1][v], x[2][v])) <= 0.0;
}

static mn_status check_drops(const mn_fabric *q, const mn_stain_def *def, const mn_fabric_piece *p)
{
    for (int k = 0; k < def->drop_count; k++) {
        const mn_stain_drop *d = &def->drops[k];
        if (d->source)
            return mn_fail(q->context, MN_ERR_ARGUMENT, "stain '%s': the liquid of a fabric has no sources", def->name);
        bool any = false;
        for (int64_t i = 0; i < p->mesh.vertex_count; i++) any = any || inside(q, d, p->first_vertex + i);
        if (!any)
            return mn_fail(q->context, MN_ERR_ARGUMENT,
                           "stain '%s': drop %d meets no vertex of the fabric; move it, or make it larger than the "
                           "mesh",
                           def->name, k + 1);
    }
    return MN_OK;
}

mn_status mn_solutes_check_soak(mn_fabric *q, const mn_stain_def *def, int64_t *piece)
{
    MN_TRY(find_piece(q, def, piece));
    MN_TRY(mn_fabric_prepare(q));
    MN_TRY(mn_flow_links_make(q));
    return check_drops(q, def, &q->pieces[*piece]);
}

static void soak(mn_fabric *q, double density, const mn_stain_def *def, const mn_stain_drop *d,
                 const mn_fabric_piece *p, const int *number)
{
    mn_fabric_vertices *v = &q->vertices;
    for (int64_t i = p->first_vertex; i < p->first_vertex + p->mesh.vertex_count; i++) {
        if (!inside(q, d, i)) continue;
        const double volume = d->density * mn_fabric_pigment_area(q, i) / density;
        v->held[0][i] += volume;
        for (int k = 0; k < def->pigment_count; k++) v->dissolved[number[k]][i] += d->share[k] * def->density * volume;
    }
}

mn_status mn_solutes_soak(mn_solute_list *all, mn_liquid *l, mn_fabric *q, const mn_stain_def *def, int64_t piece)
{
    int        number[MN_PIGMENTS_MOST];
    mn_solutes own = { .count = def->pigment_count };
    double     none[MN_PIGMENTS_MOST];
    if (def->pigment_count > 0) memcpy(own.pigment, def->pigments, (size_t)def->pigment_count * sizeof *def->pigments);
    MN_TRY(mn_solutes_add(all, l, q, def->name, &own, none));
    for (int k = 0; k < def->pigment_count; k++) number[k] = mn_solutes_number(all, def->pigments[k].name);
    for (int k = 0; k < def->drop_count; k++)
        soak(q, l->model.material.density, def, &def->drops[k], &q->pieces[piece], number);
    return MN_OK;
}
