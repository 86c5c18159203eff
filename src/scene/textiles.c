// SPDX-License-Identifier: MPL-2.0
// scene/textiles.c - textile data of fabric materials: weight, threads, pores and bending become numbers of the model.
#include "fabric/pores/pores.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BENDING_GRAVITY 981.0  // cm/s^2, at which bending lengths are measured
#define AGREE           0.01   // within which numbers that say the same must agree

// --- pores (wet-fabric 3.2) ------------------------------------------------------------------------------------------

// In the order of mn_pore_geometry.
enum { DIAMETER, CAPILLARY, THREADS, FRACTION, PORE_COUNT };
static const char *const pore_keys[PORE_COUNT] = { "fiber_diameter", "capillary_radius", "thread_count",
                                                   "solid_fraction" };

static const mn_node *find_pore(const mn_node *map, int k)
{
    const mn_node *found = mn_node_find(map, pore_keys[k]);
    return found == NULL && k == FRACTION ? mn_node_find(map, "areal_weight") : found;
}

/// A number that follows from textile data lies in the range of its own key; if not, `from` is the place of the datum.
static mn_status check_made(mn_reader *r, const char *key, double value, const mn_node *from)
{
    const mn_setting *s = mn_section_row(&mn_section_fabric_material, key);
    char              accepted[MN_RANGE_BYTES];
    if (mn_setting_in_range(s, value)) return MN_OK;
    mn_setting_accepted(s, accepted);
    return mn_fail_at(r->context, from->place, "this would make '%s' %g, and it must be %s", key, value, accepted);
}

/// The solid fraction that a weight per area makes, if the material gives one.
static mn_status settle_weight(mn_reader *r, const mn_node *own, const mn_node *map, mn_material_data *data)
{
    mn_fabric_material *m      = &data->fabric;
    const mn_node      *weight = mn_node_find(map, "areal_weight");
    if (weight == NULL) return MN_OK;
    const bool   both     = mn_node_find(map, "solid_fraction") != NULL;
    const double fraction = data->textile.areal_weight / (m->density * m->thickness);
    // Of two levels of a material the upper one wins; on one level both must say the same.
    if (both && mn_node_find(own, "areal_weight") == NULL && mn_node_find(own, "solid_fraction") != NULL) return MN_OK;
    if (both && (mn_node_find(own, "areal_weight") != NULL) == (mn_node_find(own, "solid_fraction") != NULL) &&
        !(fabs(fraction - m->solid_fraction) <= AGREE * m->solid_fraction)) {
        return mn_fail_at(r->context, weight->place,
                          "'areal_weight' and 'solid_fraction' do not agree: the weight makes the solid fraction %g, "
                          "not %g; "
                          "give one of them",
                          fraction, m->solid_fraction);
    }
    m->solid_fraction = fraction;
    return check_made(r, "solid_fraction", fraction, weight);
}

/// Which of the four numbers count: those the material gives itself; a single one with a partner that it takes over or
/// has by default; without any of its own, those that it takes over.
static void choose_pores(const mn_node *own, const mn_node *map, bool used[PORE_COUNT])
{
    static const int partners[PORE_COUNT][3] = {
        [DIAMETER]  = { FRACTION, CAPILLARY, THREADS },
        [CAPILLARY] = { FRACTION, DIAMETER, THREADS },
        [THREADS]   = { DIAMETER, FRACTION, CAPILLARY },
        [FRACTION]  = { DIAMETER, CAPILLARY, THREADS },
    };
    const mn_node *const levels[] = { own, map };
    int                  count = 0, single = -1;
    for (int level = 0; level < 2 && count == 0; level++) {
        for (int k = 0; k < PORE_COUNT; k++) {
            used[k] = find_pore(levels[level], k) != NULL;
            if (used[k]) single = k, count++;
        }
    }
    if (count >= 2) return;
    if (count == 0) {
        used[DIAMETER] = used[FRACTION] = true;
        return;
    }
    // A weight that is taken over stays what it is when threads are counted.
    if (single == THREADS && mn_node_find(map, "areal_weight") != NULL) {
        used[FRACTION] = true;
        return;
    }
    int partner = partners[single][0];
    for (int j = 2; j >= 0; j--)
        if (find_pore(map, partners[single][j]) != NULL) partner = partners[single][j];
    used[partner] = true;
}

static mn_status pores_disagree(mn_reader *r, const mn_node *map, const bool used[PORE_COUNT], int wrong, double value,
                                double given)
{
    char   names[160];
    size_t length = 0;
    int    left   = used[DIAMETER] + used[CAPILLARY] + used[THREADS] + used[FRACTION];
    for (int k = 0; k < PORE_COUNT; k++) {
        if (!used[k]) continue;
        left--;
        length += (size_t)snprintf(names + length, sizeof names - length, "'%s'%s", pore_keys[k],
                                   left > 1    ? ", "
                                   : left == 1 ? " and "
                                               : "");
    }
    return mn_fail_at(r->context, find_pore(map, wrong)->place,
                      "%s do not agree: the first two make '%s' %g, not %g; give any two of them", names,
                      pore_keys[wrong], value, given);
}

static mn_status settle_pores(mn_reader *r, const mn_node *own, const mn_node *map, mn_material_data *data)
{
    mn_fabric_material *m = &data->fabric;
    bool                used[PORE_COUNT];
    choose_pores(own, map, used);
    const double given[PORE_COUNT] = { m->fiber_diameter, m->capillary_radius, data->textile.thread_count,
                                       m->solid_fraction };
    double       start[PORE_COUNT] = { 0.0 };
    int          first = -1, taken = 0;
    for (int k = 0; k < PORE_COUNT && taken < 2; k++) {
        if (!used[k]) continue;
        if (first < 0 || find_pore(map, first) == NULL) first = k;
        start[k] = given[k];
        taken++;
    }
    mn_pore_geometry g      = { .fiber_diameter   = start[DIAMETER],
                                .capillary_radius = start[CAPILLARY],
                                .thread_count     = start[THREADS],
                                .solid_fraction   = start[FRACTION] };
    const mn_status  status = mn_pore_geometry_complete(r->context, "the pores", m->thickness, &g);
    const mn_node   *where  = find_pore(map, first);
    if (status != MN_OK)
        return mn_fail_behind(r->context, where != NULL ? where->place : map->place, status, "this fabric cannot be");
    const double made[PORE_COUNT] = { g.fiber_diameter, g.capillary_radius, g.thread_count, g.solid_fraction };
    for (int k = 0; k < PORE_COUNT; k++)
        if (used[k] && !(fabs(made[k] - given[k]) <= AGREE * given[k]))
            return pores_disagree(r, map, used, k, made[k], given[k]);
    m->fiber_diameter   = used[DIAMETER] ? given[DIAMETER] : made[DIAMETER];
    m->solid_fraction   = used[FRACTION] ? given[FRACTION] : made[FRACTION];
    m->capillary_radius = used[CAPILLARY] ? given[CAPILLARY] : 0.0;  // what follows from the other two
    if (where == NULL) where = map;
    MN_TRY(check_made(r, pore_keys[DIAMETER], m->fiber_diameter, where));
    return check_made(r, pore_keys[FRACTION], m->solid_fraction, where);
}

// --- the settled material --------------------------------------------------------------------------------------------

static mn_status put_number(mn_reader *r, mn_node *map, mn_place place, const char *key, double value)
{
    char text[MN_NUMBER_BYTES];
    mn_number_text(value, text);
    mn_node *node = mn_plain_node(r, place, text);
    return node == NULL ? MN_ERR_MEMORY : mn_node_put(r->arena, map, key, node);
}

/// The resolved map without textile data, with what follows from them.
static mn_status write_settled(mn_reader *r, const mn_material_data *data, mn_node **resolved)
{
    static const char *const textile[] = { "areal_weight", "thread_count", "bending_length", "bending_rigidity" };
    const struct {
        const char *key;
        double      value;
    } settled[] = {
        { "solid_fraction", data->fabric.solid_fraction },     { "fiber_diameter", data->fabric.fiber_diameter },
        { "capillary_radius", data->fabric.capillary_radius }, { "bending_warp", data->fabric.bending_warp },
        { "bending_weft", data->fabric.bending_weft },
    };
    enum { TEXTILE = sizeof textile / sizeof textile[0], SETTLED = sizeof settled / sizeof settled[0] };
    const mn_node *was = *resolved;
    mn_node       *map = mn_node_branch(r->arena, was->place, MN_NODE_MAP);
    if (map == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < was->count; k++) {
        const char *key     = was->keys[k]->value;
        bool        dropped = false;
        for (int j = 0; j < TEXTILE; j++) dropped = dropped || strcmp(key, textile[j]) == 0;
        for (int j = 0; j < SETTLED; j++) dropped = dropped || strcmp(key, settled[j].key) == 0;
        if (!dropped) MN_TRY(mn_node_add(r->arena, map, was->keys[k], was->items[k]));
    }
    for (int j = 0; j < SETTLED; j++) {
        if (settled[j].value > 0.0) MN_TRY(put_number(r, map, was->place, settled[j].key, settled[j].value));
    }
    *resolved = map;
    return MN_OK;
}

mn_status mn_settle_fabric_material(mn_reader *r, const mn_node *own, const mn_node *map, mn_material_data *data,
                                    mn_node **resolved)
{
    mn_fabric_material *m = &data->fabric;
    MN_TRY(settle_weight(r, own, map, data));
    MN_TRY(settle_pores(r, own, map, data));
    double rigidity = data->textile.bending_rigidity;
    if (rigidity > 0.0 && data->textile.bending_length > 0.0) {
        return mn_fail_at(r->context, mn_node_find(map, "bending_length")->place,
                          "'bending_length' and 'bending_rigidity' say the same, and only one may be given");
    }
    if (data->textile.bending_length > 0.0) {
        const double weight = m->solid_fraction * m->density * m->thickness, c = data->textile.bending_length;
        rigidity = weight * BENDING_GRAVITY * c * c * c;
    }
    if (rigidity > 0.0) {
        const mn_node *length = mn_node_find(map, "bending_length");
        MN_TRY(
            check_made(r, "bending_warp", rigidity, length != NULL ? length : mn_node_find(map, "bending_rigidity")));
        m->bending_warp = m->bending_weft = rigidity;
    }
    return write_settled(r, data, resolved);
}
