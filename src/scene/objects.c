// SPDX-License-Identifier: MPL-2.0
// scene/objects.c - obstacles, liquids and probes.
#include "math/vec.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

mn_status mn_read_things(mn_reader *r, const char *what, const mn_node *map, size_t size, mn_read_thing_fn *read,
                         void **out, int *count, mn_node **resolved)
{
    *resolved = NULL;
    *count    = 0;
    if (map == NULL || mn_node_is_nothing(map)) return MN_OK;
    if (map->kind != MN_NODE_MAP) {
        return mn_fail_at(r->context, map->place, "'%s' expects a map from names to things, not %s", what,
                          mn_node_kind_text(map));
    }
    char *items = mn_arena_take_zero(r->arena, mn_array_bytes(map->count, size));
    *resolved   = mn_node_branch(r->arena, map->place, MN_NODE_MAP);
    if (items == NULL || *resolved == NULL) return MN_ERR_MEMORY;
    *out = items;
    for (int k = 0; k < map->count; k++) {
        mn_node *written;
        MN_TRY(mn_check_name(r, map->keys[k]));
        MN_TRY(read(r, map->keys[k], map->items[k], items + (size_t)k * size, &written));
        MN_TRY(mn_node_put(r->arena, *resolved, map->keys[k]->value, written));
        *count = k + 1;
    }
    return MN_OK;
}

static mn_status check_volume(mn_reader *r, const mn_shape *shape, const mn_node *map, const char *key,
                              const char *thing)
{
    if (!mn_find_made(r, shape)->flat) return MN_OK;
    return mn_fail_at(r->context, mn_node_find(map, key)->place, "the shape of %s needs a volume, and a disc has none",
                      thing);
}

// --- obstacles -------------------------------------------------------------------------------------------------------

static mn_status read_obstacle(mn_reader *r, const mn_node *key, const mn_node *node, void *at, mn_node **resolved)
{
    mn_obstacle_def *o = at;
    snprintf(o->name, sizeof o->name, "%s", key->value);
    o->cookie   = MN_DEF_COOKIE;
    o->friction = -1.0;
    MN_TRY(mn_read_section(r, &mn_section_obstacle, node, node->place, o, resolved));
    return check_volume(r, o->shape, node, "shape", "an obstacle");
}

mn_status mn_read_obstacles(mn_reader *r, const mn_node *map, mn_node **resolved)
{
    void *items = NULL;
    MN_TRY(mn_read_things(r, "obstacles", map, sizeof(mn_obstacle_def), read_obstacle, &items, &r->data->obstacle_count,
                          resolved));
    r->data->obstacles = items;
    return MN_OK;
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
    for (int k = 0; k < r->data->liquid_count; k++) {
        const mn_liquid_def *other = &r->data->liquids[k];
        if (other->role == MN_LIQUID_SINK || strcmp(other->material.name, q->material.name) == 0) continue;
        return mn_fail_at(r->context, mn_node_find(node, "material")->place,
                          "this version does not have two liquids in one scene yet: '%s' is here, '%s' in '%s'",
                          q->material.name, other->material.name, other->name);
    }
    return MN_OK;
}

static mn_status read_liquid(mn_reader *r, const mn_node *key, const mn_node *node, void *at, mn_node **resolved)
{
    mn_liquid_def *q = at;
    int            kind;
    MN_TRY(mn_read_group_kind(r, &mn_group_liquid, node, &kind));
    snprintf(q->name, sizeof q->name, "%s", key->value);
    q->cookie             = MN_DEF_COOKIE;
    q->role               = (mn_liquid_role)kind;
    q->axis[1]            = 1.0;
    q->below              = INFINITY;
    q->during[1]          = INFINITY;
    q->particles_per_cell = r->data->domain.dimension == 2 ? 4 : 8;
    q->sampling           = MN_SAMPLING_JITTER;
    MN_TRY(mn_read_section(r, mn_group_liquid.kinds[kind], node, node->place, q, resolved));
    if (q->role == MN_LIQUID_FILL) MN_TRY(check_fill(r, q, node));
    if (q->role == MN_LIQUID_SOURCE) MN_TRY(check_source(r, q, node));
    if (q->role == MN_LIQUID_SINK) return check_volume(r, q->shape, mn_node_find(node, "sink"), "shape", "a sink");
    return check_one_material(r, q, node);
}

mn_status mn_read_liquids(mn_reader *r, const mn_node *map, mn_node **resolved)
{
    // Each liquid is compared with those before it: the array must be known while they are read.
    return mn_read_things(r, "liquids", map, sizeof(mn_liquid_def), read_liquid, (void **)&r->data->liquids,
                          &r->data->liquid_count, resolved);
}

// --- probes ----------------------------------------------------------------------------------------------------------

static mn_status check_obstacle_name(mn_reader *r, const mn_node *of)
{
    const char **names = mn_arena_array(r->arena, const char *, r->data->obstacle_count + 1);
    char         hint[MN_HINT_BYTES];
    if (names == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < r->data->obstacle_count; k++) {
        names[k] = r->data->obstacles[k].name;
        if (strcmp(names[k], of->value) == 0) return MN_OK;
    }
    names[r->data->obstacle_count] = NULL;
    mn_spelling_hint(of->value, names, hint);
    return mn_fail_at(r->context, of->place, "there is no obstacle '%s'%s", of->value, hint);
}

static mn_status find_fabric(mn_reader *r, const mn_node *of, const mn_fabric_entry **out)
{
    const char **names = mn_arena_array(r->arena, const char *, r->data->fabric_count + 1);
    char         hint[MN_HINT_BYTES];
    if (names == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < r->data->fabric_count; k++) {
        *out     = &r->data->fabrics[k];
        names[k] = (*out)->def.name;
        if (strcmp(names[k], of->value) == 0) return MN_OK;
    }
    names[r->data->fabric_count] = NULL;
    mn_spelling_hint(of->value, names, hint);
    return mn_fail_at(r->context, of->place, "there is no fabric '%s'%s", of->value, hint);
}

static mn_status check_fabric_probe(mn_reader *r, const mn_probe_def *p, const mn_node *body)
{
    const mn_node         *of = mn_node_find(body, "of"), *group = mn_node_find(body, "group");
    const mn_fabric_entry *f = NULL;
    MN_TRY(find_fabric(r, of, &f));
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

static mn_status read_probe(mn_reader *r, const mn_node *key, const mn_node *node, void *at, mn_node **resolved)
{
    mn_probe_def *p = at;
    int           kind;
    MN_TRY(mn_read_group_kind(r, &mn_group_probe, node, &kind));
    snprintf(p->name, sizeof p->name, "%s", key->value);
    p->cookie    = MN_DEF_COOKIE;
    p->kind      = (mn_probe_kind)kind;
    p->normal[0] = 1.0;
    MN_TRY(mn_read_section(r, mn_group_probe.kinds[kind], node, node->place, p, resolved));
    const mn_node *body = mn_node_find(node, mn_group_word(&mn_group_probe, kind));
    if (p->kind >= MN_PROBE_WET_AREA) return check_fabric_probe(r, p, body);
    if (p->kind == MN_PROBE_VOLUME_IN) return check_volume(r, p->shape, body, "shape", "a probe");
    return p->kind == MN_PROBE_FORCE ? check_obstacle_name(r, mn_node_find(body, "of")) : MN_OK;
}

mn_status mn_read_probes(mn_reader *r, const mn_node *map, mn_node **resolved)
{
    void *items = NULL;
    MN_TRY(mn_read_things(r, "probes", map, sizeof(mn_probe_def), read_probe, &items, &r->data->probe_count, resolved));
    r->data->probes = items;
    return MN_OK;
}
