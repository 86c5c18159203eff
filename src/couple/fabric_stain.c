// SPDX-License-Identifier: MPL-2.0
// couple/fabric_stain.c - where the fabric of a stain is, and what the film does to it.
#include "couple/fabric_stain.h"

#include <string.h>

mn_stain_carrier mn_fabric_stain_carrier(const mn_fabric *q, int piece)
{
    mn_stain_carrier out = { .number = piece };
    if (piece < 0) return out;
    const mn_fabric_piece *p = &q->pieces[piece];
    out.mesh                 = &p->mesh;
    for (int a = 0; a < 3; a++) {
        out.position[a] = q->vertices.position[a] + p->first_vertex;
        out.velocity[a] = q->vertices.velocity[a] + p->first_vertex;
    }
    return out;
}

mn_status mn_fabric_stain_find(const mn_fabric *q, const mn_stain_def *def, mn_stain_carrier *out)
{
    int piece = -1;
    for (int64_t i = 0; i < q->piece_count; i++)
        if (strcmp(q->pieces[i].name, def->on) == 0) piece = (int)i;
    if (piece < 0)
        return mn_fail(q->context, MN_ERR_ARGUMENT, "stain '%s': there is no fabric '%s'", def->name, def->on);
    if (q->pieces[piece].mesh.triangle_count == 0)
        return mn_fail(q->context, MN_ERR_ARGUMENT, "stain '%s': the fabric '%s' is yarn; stains are on cloth",
                       def->name, def->on);
    *out = mn_fabric_stain_carrier(q, piece);
    return MN_OK;
}

void mn_fabric_stain_place(const mn_fabric *q, mn_stains *stains)
{
    for (int64_t k = 0; k < stains->count; k++)
        stains->list[k].carrier = mn_fabric_stain_carrier(q, stains->list[k].carrier.number);
}

/// Whether a stain acts on its fabric; if so, `first` is the first vertex of it.
static bool acts(const mn_fabric *q, const mn_stained_cloth *s, int64_t *first)
{
    if (!s->def.two_way || s->carrier.number < 0) return false;
    *first = q->pieces[s->carrier.number].first_vertex;
    return true;
}

mn_status mn_fabric_stain_load(mn_fabric *q, const mn_stains *stains, mn_arena *arena)
{
    double *all = NULL;
    q->load     = NULL;
    for (int64_t k = 0; k < stains->count; k++) {
        const mn_stained_cloth *s = &stains->list[k];
        int64_t                 first;
        if (!acts(q, s, &first)) continue;
        if (all == NULL) all = mn_arena_array_zero(arena, double, q->vertices.count);
        double *own = mn_arena_array(arena, double, s->film->surface->vertex_count);
        if (all == NULL || own == NULL) return MN_ERR_MEMORY;
        mn_stain_film_load(s->film, own);
        for (int64_t v = 0; v < s->film->surface->vertex_count; v++) all[first + s->mesh_vertex[v]] += own[v];
    }
    q->load = all;
    return MN_OK;
}

/// The mass is that with the film where it is now, as the next step weighs it: divided by the mass it had before, what
/// the film gives would be another momentum where it has come or gone.
static void push(mn_fabric *q, const mn_stained_cloth *s)
{
    int64_t first;
    if (!s->stepped || !acts(q, s, &first)) return;
    for (int64_t v = 0; v < s->film->surface->vertex_count; v++) {
        const int64_t i    = first + s->mesh_vertex[v];
        const double  mass = q->mass[i] + q->model.liquid.density * q->vertices.held[0][i] + q->load[i];
        const mn_vec3 u    = mn_scale3(1.0 / mass, s->film->impulse[v]);
        q->vertices.velocity[0][i] += u.x;
        q->vertices.velocity[1][i] += u.y;
        q->vertices.velocity[2][i] += u.z;
    }
}

mn_status mn_fabric_stain_push(mn_fabric *q, const mn_stains *stains, mn_arena *arena)
{
    MN_TRY(mn_fabric_stain_load(q, stains, arena));
    for (int64_t k = 0; k < stains->count; k++) push(q, &stains->list[k]);
    return MN_OK;
}
