// SPDX-License-Identifier: MPL-2.0
// elastic/cloth_junction.c - which vertices a junction of strand and cloth joins, and its shape at rest
// (wet-fabric 5.3).
#include "elastic/cloth_junction_private.h"

#include <string.h>

#define PI 3.14159265358979323846

void mn_cloth_junctions_destroy(mn_cloth_junctions *set)
{
    mn_context *c = set->context;
    if (c == NULL) return;
    void *const arrays[] = { set->junction, set->vertex, set->fan,      set->use_start, set->use,
                             set->owner,    set->start,  set->gradient, set->row };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) mn_free(c, arrays[k]);
    memset(set, 0, sizeof *set);
}

/// Triangles around each vertex, each as triangle * 3 + corner: list[start[v] .. start[v+1]-1], ascending.
typedef struct corners_at {
    int64_t *start, *list;
} corners_at;

static mn_status check_triangles(mn_context *c, const mn_cloth_junctions_def *def)
{
    for (int64_t t = 0; t < def->triangle_count; t++)
        for (int i = 0; i < 3; i++)
            if (def->triangle[t][i] < 0 || def->triangle[t][i] >= def->vertex_count)
                return mn_fail(c, MN_ERR_ARGUMENT, "triangle %lld names vertex %d of %lld", (long long)t,
                               def->triangle[t][i], (long long)def->vertex_count);
    return MN_OK;
}

static mn_status list_corners(mn_context *c, const mn_cloth_junctions_def *def, corners_at *out)
{
    out->start = mn_alloc_array(c, int64_t, def->vertex_count + 2);
    out->list  = mn_alloc_array(c, int64_t, 3 * def->triangle_count);
    if (out->start == NULL || out->list == NULL) return MN_ERR_MEMORY;
    // Counts stand two places on, so that filling moves every start to where it belongs.
    for (int64_t t = 0; t < def->triangle_count; t++)
        for (int i = 0; i < 3; i++) out->start[def->triangle[t][i] + 2]++;
    for (int64_t v = 0; v < def->vertex_count; v++) out->start[v + 2] += out->start[v + 1];
    for (int64_t t = 0; t < def->triangle_count; t++)
        for (int i = 0; i < 3; i++) out->list[out->start[def->triangle[t][i] + 1]++] = 3 * t + i;
    return MN_OK;
}

static mn_status check_roots(mn_context *c, const mn_cloth_junctions_def *def, const corners_at *at)
{
    for (int64_t k = 0; k < def->root_count; k++) {
        const mn_cloth_root *r = &def->roots[k];
        if (r->root < 0 || r->root >= def->vertex_count || r->tip < 0 || r->tip >= def->vertex_count ||
            r->root == r->tip)
            return mn_fail(c, MN_ERR_ARGUMENT, "a strand on cloth goes from vertex %d to vertex %d of %lld", r->root,
                           r->tip, (long long)def->vertex_count);
        if (at->start[r->root + 1] == at->start[r->root])
            return mn_fail(c, MN_ERR_ARGUMENT, "a strand is to stand on vertex %d, which has no cloth around it",
                           r->root);
    }
    return MN_OK;
}

/// Number of a vertex within the junction; it is added if it is new.
static int32_t number_of(mn_cloth_junctions *set, mn_cloth_junction *j, int32_t vertex)
{
    int32_t *own = set->vertex + j->first;
    for (int32_t i = 0; i < j->count; i++)
        if (own[i] == vertex) return i;
    own[j->count] = vertex;
    return j->count++;
}

/// Root, tip and the triangles around the root. The tip may be one of the cloth's vertices.
static void gather_vertices(mn_cloth_junctions *set, mn_cloth_junction *j, const mn_cloth_junctions_def *def,
                            const mn_cloth_root *r, const corners_at *at)
{
    const int32_t shift = (int32_t)def->first_vertex;
    number_of(set, j, r->root + shift);
    number_of(set, j, r->tip + shift);
    for (int64_t n = at->start[r->root]; n < at->start[r->root + 1]; n++) {
        const int32_t *t   = def->triangle[at->list[n] / 3];
        const int      i   = (int)(at->list[n] % 3);
        int32_t       *fan = set->fan[j->first_fan + j->fan_count++];
        fan[0]             = number_of(set, j, t[(i + 1) % 3] + shift);
        fan[1]             = number_of(set, j, t[(i + 2) % 3] + shift);
    }
}

/// The edge that is longest across the normal keeps the frame.
static mn_status take_rest(mn_cloth_junctions *set, mn_cloth_junction *j, const mn_vec3 *rest, const mn_cloth_root *r)
{
    double longest = -1.0;
    for (int32_t f = 0; f < j->fan_count; f++)
        for (int side = 0; side < 2; side++) {
            mn_cloth_junction      trial = *j;
            mn_cloth_junction_pose pose;
            trial.edge = set->fan[j->first_fan + f][side];
            if (!mn_cloth_junction_pose_at(set, &trial, rest, set->first_vertex, 0.0, &pose) || pose.across <= longest)
                continue;
            longest   = pose.across;
            j->edge   = trial.edge;
            j->rest   = pose.p;
            j->length = pose.length, j->area = pose.area, j->across = pose.across;
        }
    if (longest < 0.0)
        return mn_fail(set->context, MN_ERR_ARGUMENT, "the strand or the cloth at vertex %d has no size", r->root);
    const double section = 0.25 * PI * pow(r->material.radius, 4.0) / j->length;
    j->stiffness         = r->material.young * section;
    j->viscous           = 3.0 * r->material.viscosity * section;
    return MN_OK;
}

static mn_status list_uses(mn_cloth_junctions *set, int64_t places)
{
    set->use_start = mn_alloc_array(set->context, int64_t, set->vertex_count + 2);
    set->use       = mn_alloc_array(set->context, int64_t, places);
    set->owner     = mn_alloc_array(set->context, int32_t, places);
    if (set->use_start == NULL || set->use == NULL || set->owner == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < set->count; k++)
        for (int32_t i = 0; i < set->junction[k].count; i++) set->owner[set->junction[k].first + i] = (int32_t)k;
    for (int64_t n = 0; n < places; n++) set->use_start[set->vertex[n] - set->first_vertex + 2]++;
    for (int64_t v = 0; v < set->vertex_count; v++) set->use_start[v + 2] += set->use_start[v + 1];
    for (int64_t n = 0; n < places; n++) set->use[set->use_start[set->vertex[n] - set->first_vertex + 1]++] = n;
    return MN_OK;
}

/// Junctions with their vertices, at most 2 + 2 per triangle each; what is too much is given back.
static mn_status build(mn_cloth_junctions *set, const mn_cloth_junctions_def *def, const corners_at *at)
{
    mn_context *c    = set->context;
    int64_t     fans = 0, places = 0;
    for (int64_t k = 0; k < def->root_count; k++)
        fans += at->start[def->roots[k].root + 1] - at->start[def->roots[k].root];
    set->junction = mn_alloc_array(c, mn_cloth_junction, def->root_count);
    set->vertex   = mn_alloc_array(c, int32_t, 2 * (def->root_count + fans));
    set->fan      = mn_alloc(c, mn_array_bytes(fans, sizeof *set->fan));
    if (set->junction == NULL || set->vertex == NULL || set->fan == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0, fan = 0; k < def->root_count; k++) {
        mn_cloth_junction *j = &set->junction[k];
        j->first             = places;
        j->first_fan         = fan;
        gather_vertices(set, j, def, &def->roots[k], at);
        MN_TRY(take_rest(set, j, def->rest, &def->roots[k]));
        places += j->count;
        fan += j->fan_count;
    }
    int32_t *kept = mn_resize(c, set->vertex, mn_array_bytes(places, sizeof *kept));
    if (kept == NULL) return MN_ERR_MEMORY;
    set->vertex   = kept;
    set->start    = mn_alloc_array(c, mn_vec3, def->root_count);
    set->gradient = mn_alloc_array(c, mn_vec3, places);
    set->row      = mn_alloc(c, mn_array_bytes(places, sizeof *set->row));
    if (set->start == NULL || set->gradient == NULL || set->row == NULL) return MN_ERR_MEMORY;
    return list_uses(set, places);
}

mn_status mn_cloth_junctions_create(mn_context *c, const mn_cloth_junctions_def *def, mn_cloth_junctions *out)
{
    mn_cloth_junctions set    = { .context      = c,
                                  .count        = def->root_count,
                                  .vertex_count = def->vertex_count,
                                  .first_vertex = def->first_vertex };
    corners_at         at     = { NULL, NULL };
    mn_status          status = check_triangles(c, def);
    if (status == MN_OK) status = list_corners(c, def, &at);
    if (status == MN_OK) status = check_roots(c, def, &at);
    if (status == MN_OK) status = build(&set, def, &at);
    mn_free(c, at.start);
    mn_free(c, at.list);
    if (status != MN_OK) mn_cloth_junctions_destroy(&set);
    *out = set;
    return status;
}
