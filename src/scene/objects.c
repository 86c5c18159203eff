// SPDX-License-Identifier: MPL-2.0
// scene/objects.c - obstacles, liquids and probes.
#include "math/vec.h"
#include "scene/things.h"

#include <math.h>
#include <string.h>

static mn_status check_volume(mn_reader *r, const mn_shape *shape, const mn_node *map, const char *key,
                              const char *thing)
{
    if (!mn_find_made(r, shape)->flat) return MN_OK;
    return mn_fail_at(r->context, mn_node_find(map, key)->place, "the shape of %s needs a volume, and a disc has none",
                      thing);
}

// --- obstacles -------------------------------------------------------------------------------------------------------

mn_status mn_begin_obstacle(mn_reader *r, const mn_node *key, void *entry)
{
    (void)r, (void)key;
    *(mn_obstacle_def *)entry = mn_obstacle_def_default();
    return MN_OK;
}

mn_status mn_finish_obstacle(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved)
{
    (void)resolved;
    return check_volume(r, ((const mn_obstacle_def *)entry)->shape, node, "shape", "an obstacle");
}

// --- liquids ---------------------------------------------------------------------------------------------------------

/// The box around the placed shape of a liquid.
static void placed_bounds(const mn_liquid_def *q, double low[3], double high[3])
{
    double shape_low[3], shape_high[3];
    mn_shape_bounds(q->shape, shape_low, shape_high);
    mn_mat3 turn = mn_mat3_identity();
    if (q->angle != 0.0) turn = mn_rotation3(mn_unit3(mn_v3_from(q->axis), mn_v3(0, 1, 0)), q->angle);
    for (int i = 0; i < 3; i++) {
        low[i] = high[i] = q->at[i];
        for (int j = 0; j < 3; j++) {
            const double m = mn_get3(turn.row[i], j);
            if (m == 0.0) continue;  // zero times infinity
            low[i] += fmin(m * shape_low[j], m * shape_high[j]);
            high[i] += fmax(m * shape_low[j], m * shape_high[j]);
        }
    }
}

/// How many cells a fill can cover at most; infinite for a fill without end.
static double fill_cells(const mn_reader *r, const mn_liquid_def *q)
{
    const mn_domain_def *d      = &r->data->domain;
    double               low[3] = { -INFINITY, -INFINITY, -INFINITY }, high[3] = { INFINITY, INFINITY, INFINITY };
    if (q->shape != NULL) placed_bounds(q, low, high);
    high[d->up]  = fmin(high[d->up], q->below);
    double cells = 1.0;
    for (int axis = 0; axis < d->dimension; axis++) {
        if (d->bounded) {
            low[axis]  = fmax(low[axis], d->bounds[0][axis]);
            high[axis] = fmin(high[axis], d->bounds[1][axis]);
        }
        cells *= fmax(1.0, ceil((high[axis] - low[axis]) / d->cell));
    }
    return cells;
}

static mn_status check_fill(mn_reader *r, const mn_liquid_def *q, const mn_node *node)
{
    const mn_node *fill = mn_node_find(node, "fill");
    if (q->shape != NULL) MN_TRY(check_volume(r, q->shape, fill, "inside", "a fill"));
    const double cells = fill_cells(r, q);
    if (isinf(cells)) {
        return mn_fail_at(r->context, fill->place,
                          "the fill has no end: give it a shape 'inside' that ends, or give the domain 'bounds'");
    }
    if (cells > MN_CELLS_MOST) {
        return mn_fail_at(r->context, fill->place,
                          "the fill may cover %g cells of %g cm, and at most 2^31 are possible", cells,
                          r->data->domain.cell);
    }
    return MN_OK;
}

static mn_status check_source(mn_reader *r, const mn_liquid_def *q, const mn_node *node)
{
    const double speed = hypot(hypot(q->velocity[0], q->velocity[1]), q->velocity[2]);
    if (speed == 0.0) {
        return mn_fail_at(r->context, mn_node_find(node, "source")->place,
                          "a source needs a 'velocity', which says where to and how fast it flows; a 'rate' alone does "
                          "not");
    }
    return MN_OK;
}

/// One liquid at a time in this version: another material would need an interface between the two.
static mn_status check_one_material(mn_reader *r, const mn_liquid_def *q, const mn_node *node)
{
    const mn_liquid_def *before = r->data->liquids.items;
    for (int k = 0; k < r->data->liquids.count; k++) {
        const mn_liquid_def *other = &before[k];
        if (other->role == MN_LIQUID_SINK || strcmp(other->material.name, q->material.name) == 0) continue;
        return mn_fail_at(r->context, mn_node_find(node, "material")->place,
                          "this version does not have two liquids in one scene yet: '%s' is here, '%s' in '%s'",
                          q->material.name, other->material.name, other->name);
    }
    return MN_OK;
}

mn_status mn_begin_liquid(mn_reader *r, const mn_node *key, void *entry)
{
    (void)r, (void)key;
    *(mn_liquid_def *)entry = mn_liquid_def_default();
    return MN_OK;
}

mn_status mn_finish_liquid(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved)
{
    const mn_liquid_def *q = entry;
    (void)resolved;
    if (q->role == MN_LIQUID_FILL) MN_TRY(check_fill(r, q, node));
    if (q->role == MN_LIQUID_SOURCE) MN_TRY(check_source(r, q, node));
    if (q->role == MN_LIQUID_SINK) return check_volume(r, q->shape, mn_node_find(node, "sink"), "shape", "a sink");
    return check_one_material(r, q, node);
}

// --- probes ----------------------------------------------------------------------------------------------------------

static mn_status check_fabric_probe(mn_reader *r, const mn_probe_def *p, const mn_node *body)
{
    const mn_node *of = mn_node_find(body, "of"), *group = mn_node_find(body, "group");
    const void    *found;
    MN_TRY(mn_find_thing(r, of, "fabric", &found));
    const mn_fabric_entry *f = found;
    if ((p->kind == MN_PROBE_WET_AREA || p->kind == MN_PROBE_WET_RADIUS) && f->mesh.triangle_count == 0)
        return mn_fail_at(r->context, of->place, "a wet area is of cloth, and the fabric '%s' is yarn alone",
                          f->def.name);
    if (group == NULL) return MN_OK;
    MN_TRY(mn_check_vertex_group(r, f, group));
    if (p->kind == MN_PROBE_POSITION) return MN_OK;
    for (int k = 0; k < f->def.pin_count; k++)
        if (strcmp(f->def.pins[k].group, p->group) == 0) return MN_OK;
    return mn_fail_at(r->context, group->place, "the group '%s' of the fabric '%s' is not pinned", p->group,
                      f->def.name);
}

mn_status mn_begin_probe(mn_reader *r, const mn_node *key, void *entry)
{
    (void)r, (void)key;
    *(mn_probe_def *)entry = mn_probe_def_default();
    return MN_OK;
}

mn_status mn_finish_probe(mn_reader *r, const mn_node *node, void *entry, mn_node *resolved)
{
    const mn_probe_def *p    = entry;
    const mn_node      *body = mn_node_find(node, mn_group_word(&mn_group_probe, (int)p->kind));
    (void)resolved;
    if (p->kind >= MN_PROBE_WET_AREA) return check_fabric_probe(r, p, body);
    if (p->kind == MN_PROBE_VOLUME_IN) return check_volume(r, p->shape, body, "shape", "a probe");
    return p->kind == MN_PROBE_FORCE ? mn_find_thing(r, mn_node_find(body, "of"), "obstacle", NULL) : MN_OK;
}
