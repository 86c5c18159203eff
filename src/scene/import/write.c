// SPDX-License-Identifier: MPL-2.0
// scene/import/write.c - an imported scene in the scene language.
#include "scene/import/import.h"

#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Bending of the source is stiffer than its plate: hinges with a constant that is three times too large (wet-fabric
/// D12).
#define BENDING_OF_SOURCE 3.0
/// Share of the points that the source throws which are far enough from their neighbours to stay: one per cube of the
/// sampling length, thinned at 0.577 of that length (the hard-core process of Matern).
#define SAMPLES_KEPT 0.73

void mn_import_add_number(mn_text *t, double value)
{
    char text[MN_NUMBER_BYTES];
    mn_number_text(value, text);
    mn_text_add(t, "%s", text);
}

void mn_import_add_vector(mn_text *t, const double v[3])
{
    mn_text_add(t, "[");
    for (int a = 0; a < 3; a++) {
        if (a > 0) mn_text_add(t, ", ");
        mn_import_add_number(t, v[a] + 0.0);  // no -0
    }
    mn_text_add(t, "]");
}

static void add_pair(mn_text *t, const char *key, double value)
{
    mn_text_add(t, "%s: ", key);
    mn_import_add_number(t, value);
}

/// Factor per step of the source as a rate: what is left after a second does not depend on the step (wet-fabric T12). A
/// factor of 0 keeps nothing: 1e-16 of it is as good.
static double rate_of(const mn_import *m, double factor)
{
    return factor < 1.0 ? -log(fmax(factor, 1e-16)) / m->dt : 0.0;
}

static double fraction_of(const mn_import *m, const mn_import_material *k)
{
    if (k->fraction > 0.0) return k->fraction;
    if (m->fiber_diameter > 0.0 && m->capillary_radius > 0.0) {
        const double d2 = m->fiber_diameter * m->fiber_diameter, r2 = m->capillary_radius * m->capillary_radius;
        return d2 / (d2 + 4.0 * r2);
    }
    return 0.4;
}

// --- the parts of a scene --------------------------------------------------------------------------------------------

static void add_head(const mn_import *m, const char *stem, mn_text *t)
{
    mn_text_add(t, "format: 1\nname: ");
    mn_text_add_quoted(t, stem);
    mn_text_add(t, "\ndescription: ");
    mn_text_add_quoted(t, m->description != NULL ? m->description : "");
    mn_text_add(t, "\ndomain: {");
    add_pair(t, "cell", m->cell);
    mn_text_add(t, ", gravity: ");
    mn_import_add_vector(t, m->gravity);
    mn_text_add(t, "}\ntime: {");
    add_pair(t, "end", m->end);
    mn_text_add(t, ", ");
    add_pair(t, "dt_max", m->dt);
    mn_text_add(t, "}\nsolver: {pressure: {");
    add_pair(t, "tolerance", fmin(m->criterion, 0.1));
    mn_text_add(t, "}, ");
    add_pair(t, "affine_damping", rate_of(m, m->keep_affine));
    mn_text_add(t, ", buoyancy: %s}\n", m->buoyancy ? "true" : "false");
    if (!m->camera) return;
    mn_text_add(t, "camera: {from: ");
    mn_import_add_vector(t, m->from);
    mn_text_add(t, ", to: ");
    mn_import_add_vector(t, m->to);
    mn_text_add(t, ", ");
    add_pair(t, "angle", m->opening);
    mn_text_add(t, "}\n");
}

static bool has_cloth(const mn_import *m, int fabric)
{
    for (int64_t f = 0; f < m->face_count; f++)
        if (m->vertex[m->face[f].vertex[0]].fabric == fabric) return true;
    return false;
}

/// The first material that a fabric is made of.
static const mn_import_material *material_of(const mn_import *m, int fabric)
{
    for (int k = 0; k < m->material_count; k++)
        if (m->material[k].fabric == fabric) return &m->material[k];
    return &m->material[0];
}

static void add_fabric_material(const mn_import *m, int fabric, mn_text *t)
{
    const mn_import_material *k         = material_of(m, fabric);
    const double              thickness = k->radius + k->biradius, phi = fraction_of(m, k);
    mn_text_add(t, "  material%d:\n    kind: fabric\n    ", fabric);
    add_pair(t, "thickness", thickness);
    mn_text_add(t, "\n    ");
    add_pair(t, "radius", sqrt(k->radius * k->biradius));
    mn_text_add(t, "\n    ");
    add_pair(t, "solid_fraction", phi);
    mn_text_add(t, "\n    ");
    if (m->fiber_diameter > 0.0 || m->capillary_radius == 0.0) {
        add_pair(t, "fiber_diameter", m->fiber_diameter > 0.0 ? m->fiber_diameter : 0.01);
    } else {
        add_pair(t, "capillary_radius", m->capillary_radius);
    }
    const struct {
        const char *key;
        double      value;
    } rows[] = {
        { "density", k->density },
        { "youngs_modulus", k->youngs_modulus },
        { "poisson", k->poisson },
        { "internal_viscosity", k->viscous ? k->viscosity : 0.0 },
        { "stiffness_exponent", m->lambda },
        { "contact_stiffness", k->collision },
        { "friction", tan(k->friction_angle * MN_PI / 180.0) },
        { "capture", m->capture },
    };
    for (size_t j = 0; j < sizeof rows / sizeof *rows; j++) {
        mn_text_add(t, "\n    ");
        add_pair(t, rows[j].key, rows[j].value);
    }
    if (has_cloth(m, fabric)) {
        mn_text_add(t, "\n    ");
        add_pair(t, "bending_rigidity",
                 BENDING_OF_SOURCE * pow(phi, m->lambda) * k->youngs_modulus * thickness * thickness * thickness /
                     (12.0 * (1.0 - k->poisson * k->poisson)));
    }
    mn_text_add(t, "\n    drag: {law: %s, ", !m->drag ? "off" : m->nonlinear ? "nonlinear" : "linear");
    add_pair(t, "exponent", m->drag_exponent);
    mn_text_add(t, "}\n    vary_porosity: %s\n", m->vary_porosity ? "true" : "false");
}

static void add_materials(const mn_import *m, mn_text *t)
{
    mn_text_add(t, "materials:\n  liquid: {kind: liquid, ");
    add_pair(t, "density", m->density);
    mn_text_add(t, ", ");
    add_pair(t, "viscosity", m->viscosity);
    mn_text_add(t, ", ");
    add_pair(t, "surface_tension", m->surface_tension);
    mn_text_add(t, "}\n");
    for (int k = 0; k < m->fabric_count; k++) add_fabric_material(m, k, t);
    mn_text_add(t, "pairs:\n  - {of: [liquid, any], contact_angle: \"");
    mn_import_add_number(t, m->contact_angle);
    mn_text_add(t, " rad\"}\n");
    if (!m->cohesion) mn_text_add(t, "  - {of: [any, any], cohesion: 0}\n");
}

static void add_motions(const mn_import *m, mn_text *t)
{
    bool first = true;
    for (int k = 0; k < m->script_count; k++) {
        bool again = false;
        for (int j = 0; j < k; j++) again = again || m->script[j].group == m->script[k].group;
        if (again) continue;
        mn_text_add(t, "%s  group%d: ", first ? "motions:\n" : "", m->script[k].group);
        mn_import_write_motion(m, m->script[k].group, t);
        mn_text_add(t, "\n");
        first = false;
    }
}

/// Half the box around a field that is no operator, along an axis.
static double extent_of(const mn_import_field *f, int axis)
{
    if (f->angle != 0.0) return f->radius + hypot(hypot(f->half[0], f->half[1]), f->half[2]);
    return f->radius + f->half[axis];
}

/// How far field k reaches out of the box around field f.
static double beyond(const mn_import *m, const mn_import_field *f, int k)
{
    const mn_import_field *g    = &m->field[k];
    double                 most = -INFINITY;
    if (g->shape == MN_IMPORT_UNION) {
        for (int j = 0; j < g->child_count; j++) most = fmax(most, beyond(m, f, g->child[j]));
    } else if (g->shape == MN_IMPORT_INTERSECTION) {
        most = INFINITY;
        for (int j = 0; j < g->child_count; j++) most = fmin(most, beyond(m, f, g->child[j]));
    } else {
        for (int a = 0; a < 3; a++)
            most = fmax(most, fabs(g->center[a] - f->center[a]) + extent_of(g, a) - extent_of(f, a));
    }
    return most;
}

/// How far what surrounds a container reaches: walls are thick and cover all liquid outside, what ends liquid is wide.
static double reach_of(const mn_import *m, int field)
{
    const mn_import_field *f     = &m->field[field];
    double                 reach = 4.0 * m->cell;
    if (f->shape >= MN_IMPORT_UNION) {
        for (int j = 0; j < f->child_count; j++) reach = fmax(reach, reach_of(m, f->child[j]));
        return reach;
    }
    if (f->usage == MN_IMPORT_TERMINATOR) return 10.0 * fmax(extent_of(f, 0), fmax(extent_of(f, 1), extent_of(f, 2)));
    for (int k = 0; k < m->field_count; k++)
        if (m->field[k].usage == MN_IMPORT_SOURCE && !m->field[k].part && !m->field[k].lost)
            reach = fmax(reach, 4.0 * m->cell + beyond(m, f, k));
    return reach;
}

int mn_import_particles_per_cell(const mn_import *m)
{
    return (int)fmin(64.0, fmax(1.0, round(SAMPLES_KEPT / (m->sampling * m->sampling * m->sampling))));
}

/// Liquid at the start, or let in over some time.
static void add_source(const mn_import *m, int field, mn_text *t)
{
    const mn_import_field *f = &m->field[field];
    const bool flow = f->end > f->start && (f->velocity[0] != 0.0 || f->velocity[1] != 0.0 || f->velocity[2] != 0.0);
    mn_text_add(t, "material: liquid, particles_per_cell: %d, %s: ", mn_import_particles_per_cell(m),
                flow ? "source: {shape" : "fill: {inside");
    mn_import_write_shape(m, field, reach_of(m, field), t);
    mn_text_add(t, "%s, velocity: ", flow ? "" : "}");
    mn_import_add_vector(t, f->velocity);
    if (!flow) return;
    mn_text_add(t, ", during: [");
    mn_import_add_number(t, f->start);
    mn_text_add(t, ", ");
    mn_import_add_number(t, f->end);
    mn_text_add(t, "]}");
}

static void add_fields(const mn_import *m, mn_import_usage usage, const char *section, mn_text *t)
{
    bool first = section != NULL;
    for (int k = 0; k < m->field_count; k++) {
        const mn_import_field *f = &m->field[k];
        if (f->usage != usage || f->part || f->lost) continue;
        if (first) mn_text_add(t, "%s:\n", section);
        first = false;
        mn_text_add(t, "  field%d: {", k);
        if (usage == MN_IMPORT_SOURCE) {
            add_source(m, k, t);
        } else {
            mn_text_add(t, usage == MN_IMPORT_SOLID ? "shape: " : "sink: {shape: ");
            mn_import_write_shape(m, k, reach_of(m, k), t);
            if (usage == MN_IMPORT_SOLID && mn_import_moves(m, f->group)) mn_text_add(t, ", motion: group%d", f->group);
            if (usage == MN_IMPORT_TERMINATOR) mn_text_add(t, "}");
        }
        mn_text_add(t, "}\n");
    }
}

// --- fabrics ---------------------------------------------------------------------------------------------------------

static double length_of(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static double area_of(const double a[3], const double b[3], const double c[3])
{
    const double u[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] }, v[3] = { c[0] - a[0], c[1] - a[1], c[2] - a[2] };
    return 0.5 * hypot(hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2]), u[0] * v[1] - u[1] * v[0]);
}

/// Volumes of the vertices of a fabric, and of others.
static void find_volumes(const mn_import *m, int fabric)
{
    const mn_import_material *k = material_of(m, fabric);
    memset(m->volume, 0, (size_t)m->vertex_count * sizeof *m->volume);
    for (int64_t f = 0; f < m->face_count; f++) {
        const int *c = m->face[f].vertex;
        for (int j = 0; j < 3; j++)
            m->volume[c[j]] += (k->radius + k->biradius) *
                               area_of(m->vertex[c[0]].x, m->vertex[c[1]].x, m->vertex[c[2]].x) / 3.0;
    }
    for (int64_t s = 0; s < m->strand_count; s++) {
        const int *c = m->strand_vertex + m->strand[s].first;
        for (int64_t j = 0; j + 1 < m->strand[s].count; j++) {
            const double half = 0.5 * MN_PI * k->radius * k->biradius *
                                length_of(m->vertex[c[j]].x, m->vertex[c[j + 1]].x);
            m->volume[c[j]] += half;
            m->volume[c[j + 1]] += half;
        }
    }
}

/// Mean size of the pinned vertices, the cube root of their volume (wet-fabric 5.4).
static double pinned_size(const mn_import *m, const mn_import_pin *pin)
{
    double sum = 0.0;
    for (int64_t k = 0; k < pin->count; k++) sum += cbrt(m->volume[pin->vertex[k]]);
    return sum / (double)pin->count;
}

static void add_pins(const mn_import *m, int fabric, mn_text *t)
{
    const mn_import_material *k = material_of(m, fabric);
    mn_import_pin            *pin;
    int64_t                   count;
    if (mn_import_pins(m, fabric, &pin, &count) != MN_OK) {
        t->failed = true;
        return;
    }
    if (count > 0) mn_text_add(t, "    pins:\n");
    if (count > 0) find_volumes(m, fabric);
    for (int64_t j = 0; j < count; j++) {
        char name[MN_IMPORT_PIN_BYTES];
        mn_import_pin_name(pin[j].pin, name);
        mn_text_add(t, "      %s: {", name);
        if (mn_import_moves(m, pin[j].pin / 2)) mn_text_add(t, "motion: group%d, ", pin[j].pin / 2);
        // A hard pin is twice as stiff as contact, which is what most files ask for.
        const double stiffness = k->attach * k->youngs_modulus * pinned_size(m, &pin[j]);
        if (stiffness > 0.0 && fabs(k->attach - 2.0 * k->collision) > 0.01 * k->attach && m->solve_solid) {
            add_pair(t, "stiffness", stiffness);
            mn_text_add(t, ", ");
        }
        mn_text_add(t, "twist: %s}\n", pin[j].pin % 2 == 1 ? "held" : "free");
    }
}

/// The velocity that all vertices of a fabric have, if they have one.
static bool common_velocity(const mn_import *m, int fabric, double out[3])
{
    bool found = false;
    for (int64_t v = 0; v < m->vertex_count; v++) {
        if (m->vertex[v].fabric != fabric) continue;
        if (found && memcmp(out, m->vertex[v].v, sizeof m->vertex[v].v) != 0) return false;
        memcpy(out, m->vertex[v].v, sizeof m->vertex[v].v);
        found = true;
    }
    return found;
}

static void add_fabrics(const mn_import *m, const char *stem, mn_text *t)
{
    if (m->fabric_count > 0) mn_text_add(t, "fabrics:\n");
    for (int k = 0; k < m->fabric_count; k++) {
        double velocity[3];
        char   file[320];
        snprintf(file, sizeof file, "%.255s-fabric%d.obj", stem, k);
        mn_text_add(t, "  fabric%d:\n    material: material%d\n    mesh: {file: ", k, k);
        mn_text_add_quoted(t, file);
        mn_text_add(t, "}\n    ");
        add_pair(t, "damping", rate_of(m, m->keep_velocity));
        mn_text_add(t, "\n    ");
        add_pair(t, "straighten", 1.0 - material_of(m, k)->straight);
        mn_text_add(t, "\n");
        if (common_velocity(m, k, velocity) && (velocity[0] != 0.0 || velocity[1] != 0.0 || velocity[2] != 0.0)) {
            mn_text_add(t, "    velocity: ");
            mn_import_add_vector(t, velocity);
            mn_text_add(t, "\n");
        } else if (!common_velocity(m, k, velocity)) {
            for (int64_t v = 0; v < m->vertex_count; v++)
                for (int a = 0; m->vertex[v].fabric == k && a < m->vertex[v].element->attribute_count; a++)
                    if (strcmp(m->vertex[v].element->attribute[a].key, "v") == 0)
                        m->vertex[v].element->attribute[a].taken = false;
        }
        add_pins(m, k, t);
    }
}

void mn_import_write_scene(const mn_import *m, const char *stem, mn_text *t)
{
    add_head(m, stem, t);
    add_materials(m, t);
    add_motions(m, t);
    add_fields(m, MN_IMPORT_SOLID, "obstacles", t);
    bool liquids = false;
    for (int k = 0; k < m->field_count; k++)
        liquids = liquids || (m->field[k].usage != MN_IMPORT_SOLID && !m->field[k].part && !m->field[k].lost);
    if (liquids) mn_text_add(t, "liquids:\n");
    add_fields(m, MN_IMPORT_SOURCE, NULL, t);
    add_fields(m, MN_IMPORT_TERMINATOR, NULL, t);
    add_fabrics(m, stem, t);
}
