// SPDX-License-Identifier: MPL-2.0
// scene/wetness.c - liquid in fabric at the start, what evaporates from it, and pores that differ from place to place.
#include "base/random.h"
#include "base/units.h"
#include "scene/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- evaporation -----------------------------------------------------------------------------------------------------

/// Whether the text is a number with a unit of mass per area and time; the number is then in CGS.
static bool is_mass_rate(const mn_node *node, double *value)
{
    if (node->kind != MN_NODE_TEXT) return false;
    const size_t length = mn_number_length(node->value);
    const char  *text   = node->value + length;
    mn_unit      unit;
    char         error[MN_UNIT_ERROR_BYTES];
    text += strspn(text, " ");
    if (length == 0 || *text == '\0' || !mn_unit_parse(text, &unit, error)) return false;
    *value = mn_unit_to_cgs(&unit, strtod(node->value, NULL));
    return mn_dimension_equal(unit.dimension, (mn_dimension){ .length = -2, .mass = 1, .time = -1 });
}

mn_status mn_read_evaporation(mn_reader *r, const mn_setting *s, const mn_node *node, double *out, mn_node **resolved)
{
    mn_setting number = *s;
    number.type       = MN_SET_NUMBER;
    number.offset     = 0;
    double mass;
    if (!is_mass_rate(node, &mass)) return mn_read_value(r, &number, node, out, resolved);
    char text[MN_NUMBER_BYTES];
    mn_number_text(mass / mn_scene_liquid(r).density, text);
    const mn_node *rate = mn_plain_node(r, node->place, text);
    return rate == NULL ? MN_ERR_MEMORY : mn_read_value(r, &number, rate, out, resolved);
}

// --- saturation ------------------------------------------------------------------------------------------------------

static mn_status read_saturation(mn_reader *r, mn_fabric_entry *f, const mn_node *node, mn_node *resolved)
{
    mn_setting number = *mn_section_find(mn_group_fabric.kinds[f->kind], "saturation");
    mn_node   *written;
    double     value = 0.0;
    if (node == NULL || mn_node_is_nothing(node)) return MN_OK;
    double *amount = mn_arena_array_zero(r->arena, double, f->mesh.vertex_count);
    if (amount == NULL) return MN_ERR_MEMORY;
    f->def.saturation = amount;
    number.type       = MN_SET_NUMBER;
    number.offset     = 0;
    if (node->kind != MN_NODE_MAP) {
        MN_TRY(mn_read_value(r, &number, node, &value, &written));
        for (int64_t v = 0; v < f->mesh.vertex_count; v++) amount[v] = value;
        if (value == 0.0) f->def.saturation = NULL;  // dry, as without the key
        return mn_node_put(r->arena, resolved, "saturation", written);
    }
    mn_node *all = mn_node_branch(r->arena, node->place, MN_NODE_MAP);
    if (all == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < f->mesh.vertex_count; v++) amount[v] = -1.0;
    for (int k = 0; k < node->count; k++) {
        MN_TRY(mn_check_vertex_group(r, f, node->keys[k]));
        MN_TRY(mn_read_value(r, &number, node->items[k], &value, &written));
        MN_TRY(mn_node_put(r->arena, all, node->keys[k]->value, written));
        const mn_vertex_group *group = mn_thin_find_group(&f->mesh, node->keys[k]->value);
        for (int64_t j = 0; j < group->count; j++) {
            double *here = &amount[group->vertex[j]];
            if (*here < 0.0) *here = value;  // the first group counts
        }
    }
    for (int64_t v = 0; v < f->mesh.vertex_count; v++) amount[v] = fmax(amount[v], 0.0);
    return mn_node_put(r->arena, resolved, "saturation", all);
}

// --- noise of the solid fraction -------------------------------------------------------------------------------------

static double lattice_value(uint64_t seed, const int64_t at[3])
{
    return 2.0 * mn_random(seed, (uint64_t)at[0], (uint64_t)at[1], (uint64_t)at[2]) - 1.0;
}

/// Values of a lattice of unit length, joined by polynomials with two continuous derivatives; within -1 and 1.
static double smooth_noise(uint64_t seed, const double x[3])
{
    int64_t corner[3];
    double  share[3], sum = 0.0;
    for (int a = 0; a < 3; a++) {
        const double t = x[a] - floor(x[a]);
        corner[a]      = (int64_t)floor(x[a]);
        share[a]       = t * t * t * (t * (6.0 * t - 15.0) + 10.0);
    }
    for (int k = 0; k < 8; k++) {
        int64_t at[3];
        double  weight = 1.0;
        for (int a = 0; a < 3; a++) {
            const int high = k >> a & 1;
            at[a]          = corner[a] + high;
            weight *= high ? share[a] : 1.0 - share[a];
        }
        sum += weight * lattice_value(seed, at);
    }
    return sum;
}

static mn_status add_noise(mn_reader *r, mn_fabric_entry *f, const mn_node *map)
{
    const double base = f->def.material.solid_fraction, amplitude = f->noise.amplitude;
    if (map == NULL) return MN_OK;
    const mn_setting *row = mn_section_row(&mn_section_fabric_material, "solid_fraction");
    if (!mn_setting_in_range(row, base - amplitude) || !mn_setting_in_range(row, base + amplitude)) {
        char range[MN_RANGE_BYTES];
        mn_setting_range(row, range);
        return mn_fail_at(r->context, mn_node_find(map, "amplitude")->place,
                          "an amplitude of %g about the solid fraction %g leaves its range, which is %s", amplitude,
                          base, range);
    }
    double *fraction = mn_arena_array(r->arena, double, f->mesh.vertex_count);
    if (fraction == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < f->mesh.vertex_count; v++) {
        double x[3];
        for (int a = 0; a < 3; a++) x[a] = f->mesh.vertex[v][a] / f->noise.length;
        fraction[v] = base + amplitude * smooth_noise(f->noise.seed, x);
    }
    f->def.solid_fraction = fraction;
    return MN_OK;
}

mn_status mn_read_wetness(mn_reader *r, mn_fabric_entry *f, const mn_node *map, mn_node *resolved)
{
    MN_TRY(read_saturation(r, f, mn_node_find(map, "saturation"), resolved));
    return add_noise(r, f, mn_node_find(map, "solid_fraction_noise"));
}
