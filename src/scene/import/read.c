// SPDX-License-Identifier: MPL-2.0
// scene/import/read.c - from the tree of a libWetCloth file: time, grid, liquid, materials, vertices, cloth and yarn.
#include "scene/import/import.h"

#include "defs/defs.h"

#include <math.h>
#include <string.h>

#define NUMBERS_MOST   50000000  // of anything
#define MATERIALS_MOST 1000
/// Edges that may be measured to thin yarn: so many, and so many for each vertex of it.
#define THINNING      10000000
#define THINNING_EACH 100

static int64_t count_children(const mn_xml_element *parent, const char *name)
{
    int64_t count = 0;
    for (const mn_xml_element *e = parent->first; e != NULL; e = e->next) count += strcmp(e->name, name) == 0;
    return count;
}

static mn_status check_above(mn_import *m, const mn_xml_element *e, const char *what, double value)
{
    if (value > 0.0) return MN_OK;
    return mn_fail_at(m->context, e->place, "the %s is %g, and must be above 0", what, value);
}

/// A number of the file that becomes one of a scene: it has the range of that row. 0 may stand for what is not given.
typedef struct range {
    const char       *name;
    double            value;
    const mn_section *section;
    const char       *path;
    bool              open;
} range;

static mn_status check_ranges(mn_import *m, const mn_xml_element *e, const range *ranges, size_t count)
{
    char accepted[MN_RANGE_BYTES];
    for (size_t k = 0; k < count; k++) {
        const mn_setting *s = mn_section_row(ranges[k].section, ranges[k].path);
        if (mn_setting_in_range(s, ranges[k].value) || (ranges[k].open && ranges[k].value == 0.0)) continue;
        mn_setting_accepted(s, accepted);
        return mn_fail_at(m->context, e->place, "%s is %g, and must be %s", ranges[k].name,
                          mn_setting_shown(s, ranges[k].value), accepted);
    }
    return MN_OK;
}

// --- time, grid, view ------------------------------------------------------------------------------------------------

static mn_status read_time(mn_import *m)
{
    mn_xml_element *duration   = mn_xml_child(m->root, "duration", NULL),
                   *integrator = mn_xml_child(m->root, "integrator", NULL);
    int apic                   = 1;
    if (duration == NULL) return mn_fail_at(m->context, m->root->place, "the scene has no <duration>");
    if (integrator == NULL) return mn_fail_at(m->context, m->root->place, "the scene has no <integrator>");
    MN_TRY(mn_xml_numbers(m->context, duration, "time", 1, &m->end));
    MN_TRY(check_above(m, duration, "duration", m->end));
    MN_TRY(mn_xml_numbers(m->context, integrator, "dt", 1, &m->dt));
    MN_TRY(check_above(m, integrator, "step", m->dt));
    const char *type = mn_xml_attribute_text(integrator, "type");
    if (type != NULL && strcmp(type, "linearized-implicit-euler") != 0)
        return mn_fail_at(m->context, integrator->place,
                          "there is no integrator '%.40s', only linearized-implicit-euler", type);
    MN_TRY(mn_xml_number(m->context, integrator, "criterion", &m->criterion, NULL));
    MN_TRY(mn_xml_number(m->context, integrator, "pressurecriterion", &m->criterion, NULL));
    MN_TRY(mn_xml_whole(m->context, integrator, "apic", 0, 1, &apic, NULL));
    if (apic == 0)
        mn_text_add(&m->notes,
                    "changed: particles carry an affine velocity, which the file turns off (integrator apic)\n");
    return MN_OK;
}

static mn_status read_grid(mn_import *m)
{
    double          size  = 5.0;
    int             cells = 5;
    mn_xml_element *e     = mn_xml_child(m->root, "bucketinfo", NULL);
    if (e != NULL) {
        MN_TRY(mn_xml_number(m->context, e, "size", &size, NULL));
        MN_TRY(mn_xml_whole(m->context, e, "numcells", 1, 1000, &cells, NULL));
        MN_TRY(check_above(m, e, "size", size));
    }
    m->cell = size / cells;
    for (mn_xml_element *g = mn_xml_child(m->root, "simplegravity", NULL); g != NULL;
         g                 = mn_xml_child(m->root, "simplegravity", g)) {
        static const char *const keys[] = { "fx", "fy", "fz" };
        for (int a = 0; a < 3; a++) {
            double part = 0.0;
            MN_TRY(mn_xml_number(m->context, g, keys[a], &part, NULL));
            m->gravity[a] += part;
        }
    }
    mn_xml_element *contact = mn_xml_child(m->root, "collision", NULL);
    if (contact != NULL) mn_xml_attribute_text(contact, "type");  // contact there is in any case
    return MN_OK;
}

/// The eye stands `dist` behind the center, seen in a frame that is turned by the inverse of the rotation.
static mn_status read_camera(mn_import *m)
{
    static const char *const keys[] = { "x", "y", "z", "w" };
    mn_xml_element          *e      = mn_xml_child(m->root, "camera", NULL);
    double                   q[4] = { 0, 0, 0, 1 }, distance = 0.0, degrees = 40.0;
    if (e == NULL) return MN_OK;
    mn_xml_element *turn = mn_xml_child(e, "rotation", NULL), *center = mn_xml_child(e, "center", NULL);
    for (int k = 0; k < 4 && turn != NULL; k++) MN_TRY(mn_xml_number(m->context, turn, keys[k], &q[k], NULL));
    for (int k = 0; k < 3 && center != NULL; k++) MN_TRY(mn_xml_number(m->context, center, keys[k], &m->to[k], NULL));
    MN_TRY(mn_xml_number(m->context, e, "dist", &distance, NULL));
    MN_TRY(mn_xml_number(m->context, e, "fov", &degrees, NULL));
    const double length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!(distance > 0.0) || !(degrees > 0.0 && degrees < 180.0) || !(length2 > 0.0)) {
        mn_xml_leave(e);
        return MN_OK;
    }
    // The third row of the turn: where its inverse takes (0, 0, 1).
    const double back[3] = { 2.0 * (q[0] * q[2] - q[1] * q[3]) / length2, 2.0 * (q[1] * q[2] + q[0] * q[3]) / length2,
                             1.0 - 2.0 * (q[0] * q[0] + q[1] * q[1]) / length2 };
    for (int a = 0; a < 3; a++) m->from[a] = m->to[a] + distance * back[a];
    m->camera  = true;
    m->opening = degrees;
    return MN_OK;
}

// --- liquid and pores ------------------------------------------------------------------------------------------------

static mn_status read_liquid(mn_import *m)
{
    mn_xml_element *e = mn_xml_child(m->root, "liquidinfo", NULL);
    if (e == NULL) return MN_OK;
    const struct {
        const char *name;
        double     *value;
    } numbers[] = {
        { "liquidDensity", &m->density },
        { "viscosity", &m->viscosity },
        { "surfTensionCoeff", &m->surface_tension },
        { "restContactAngle", &m->contact_angle },
        { "particleCellMultiplier", &m->sampling },
        { "yarnDiameter", &m->fiber_diameter },
        { "poreRadius", &m->capillary_radius },
        { "restVolumeFraction", &m->fraction },
        { "yazdchiPower", &m->drag_exponent },
        { "elastoCaptureRate", &m->capture },
        { "lambda", &m->lambda },
        { "flipCoeff", &m->keep_affine },
        { "elastoAdvectCoeff", &m->keep_velocity },
    };
    const struct {
        const char *name;
        bool       *value;
    } flags[] = {
        { "useDrag", &m->drag },
        { "useNonlinearDrag", &m->nonlinear },
        { "useVaryingFraction", &m->vary_porosity },
        { "applyPressureSolid", &m->buoyancy },
        { "solveSolid", &m->solve_solid },
    };
    bool sticks = true, soft = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        MN_TRY(mn_xml_value(m->context, e, numbers[k].name, numbers[k].value, NULL));
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        MN_TRY(mn_xml_flag(m->context, e, flags[k].name, flags[k].value, NULL));
    MN_TRY(mn_xml_flag(m->context, e, "cohesion", &sticks, NULL));
    MN_TRY(mn_xml_flag(m->context, e, "softCohesion", &soft, NULL));
    m->cohesion          = sticks && soft;
    const range ranges[] = {
        { "viscosity", m->viscosity, &mn_section_liquid_material, "viscosity", false },
        { "surfTensionCoeff", m->surface_tension, &mn_section_liquid_material, "surface_tension", false },
        { "density of the liquid", m->density, &mn_section_liquid_material, "density", false },
        { "restContactAngle", m->contact_angle, &mn_section_pair, "contact_angle", false },
        { "yazdchiPower", m->drag_exponent, &mn_section_fabric_material, "drag.exponent", false },
        { "elastoCaptureRate", m->capture, &mn_section_fabric_material, "capture", false },
        { "lambda", m->lambda, &mn_section_fabric_material, "stiffness_exponent", false },
        { "yarnDiameter", m->fiber_diameter, &mn_section_fabric_material, "fiber_diameter", true },
        { "poreRadius", m->capillary_radius, &mn_section_fabric_material, "capillary_radius", true },
    };
    MN_TRY(check_ranges(m, e, ranges, sizeof ranges / sizeof *ranges));
    const struct {
        const char *name;
        double      value;
    } shares[] = { { "flipCoeff", m->keep_affine }, { "elastoAdvectCoeff", m->keep_velocity } };
    for (size_t k = 0; k < sizeof shares / sizeof *shares; k++)
        if (!(shares[k].value >= 0.0 && shares[k].value <= 1.0))
            return mn_fail_at(m->context, e->place, "%s is %g, and must be from 0 to 1", shares[k].name,
                              shares[k].value);
    MN_TRY(check_above(m, e, "particleCellMultiplier", m->sampling));
    // Two of the three describe the pores; a third one that the file gives is not read by the program it is for.
    if (m->fiber_diameter > 0.0 && m->fraction > 0.0 && m->capillary_radius > 0.0) {
        m->capillary_radius = 0.0;
        mn_xml_leave(mn_xml_child(e, "poreRadius", NULL));
    }
    return MN_OK;
}

/// <name value=.../> whose value is the one this program always has; another is left for the list.
static mn_status expect_value(mn_import *m, mn_xml_element *parent, const char *name, double usual)
{
    double value = usual;
    MN_TRY(mn_xml_value(m->context, parent, name, &value, NULL));
    if (value != usual) mn_xml_leave(mn_xml_child(parent, name, NULL));
    return MN_OK;
}

static mn_status read_material(mn_import *m, mn_xml_element *e, mn_import_material *to)
{
    *to = (mn_import_material){ .radius         = 0.018,
                                .youngs_modulus = 6.687e5,
                                .poisson        = 0.35,
                                .density        = 1.3,
                                .collision      = 1e-3,
                                .attach         = 1e-3,
                                .straight       = 1.0,
                                .fraction       = m->fraction };
    const struct {
        const char *name;
        double     *value;
    } numbers[] = {
        { "radius", &to->radius },
        { "biradius", &to->biradius },
        { "youngsModulus", &to->youngs_modulus },
        { "poissonRatio", &to->poisson },
        { "density", &to->density },
        { "viscosity", &to->viscosity },
        { "collisionMultiplier", &to->collision },
        { "attachMultiplier", &to->attach },
        { "frictionAngle", &to->friction_angle },
        { "straightHairs", &to->straight },
        { "restVolumeFraction", &to->fraction },
    };
    bool given;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        MN_TRY(mn_xml_value(m->context, e, numbers[k].name, numbers[k].value, &given));
        if (strcmp(numbers[k].name, "frictionAngle") == 0 && !given)
            MN_TRY(mn_xml_value(m->context, e, "friction_angle", &to->friction_angle, NULL));
    }
    if (to->biradius == 0.0) to->biradius = to->radius;
    MN_TRY(mn_xml_flag(m->context, e, "accumulateWithViscous", &to->viscous, NULL));
    MN_TRY(expect_value(m, e, "baseRotation", 0.0));
    MN_TRY(expect_value(m, e, "stretchingMultiplier", 1.0));
    MN_TRY(expect_value(m, e, "accumulateViscousOnlyForBendingModes", 0.0));
    const range ranges[] = {
        { "the radius", to->radius, &mn_section_fabric_material, "radius", false },
        { "the biradius", to->biradius, &mn_section_fabric_material, "radius", false },
        { "the modulus of Young", to->youngs_modulus, &mn_section_fabric_material, "youngs_modulus", false },
        { "the density", to->density, &mn_section_fabric_material, "density", false },
        { "poissonRatio", to->poisson, &mn_section_fabric_material, "poisson", false },
        { "restVolumeFraction", to->fraction, &mn_section_fabric_material, "solid_fraction", true },
    };
    MN_TRY(check_ranges(m, e, ranges, sizeof ranges / sizeof *ranges));
    MN_TRY(check_above(m, e, "collision multiplier", to->collision));
    MN_TRY(check_above(m, e, "attach multiplier", to->attach));
    if (!(to->friction_angle >= 0.0 && to->friction_angle < 90.0))
        return mn_fail_at(m->context, e->place, "the friction angle is %g, and must be from 0 to below 90 degrees",
                          to->friction_angle);
    to->straight = fmin(fmax(to->straight, 0.0), 1.0);
    return MN_OK;
}

static mn_status read_materials(mn_import *m)
{
    static const char *const names[] = { "ElasticParameters", "StrandParameters" };
    const int64_t            count   = count_children(m->root, names[0]) + count_children(m->root, names[1]);
    if (count > MATERIALS_MOST)
        return mn_fail_at(m->context, m->root->place, "the scene has %lld ElasticParameters; at most %d are possible",
                          (long long)count, MATERIALS_MOST);
    m->material = mn_arena_array_zero(m->arena, mn_import_material, count);
    if (m->material == NULL) return MN_ERR_MEMORY;
    for (mn_xml_element *e = m->root->first; e != NULL; e = e->next) {
        if (strcmp(e->name, names[0]) != 0 && strcmp(e->name, names[1]) != 0) continue;
        e->taken = true;
        MN_TRY(read_material(m, e, &m->material[m->material_count++]));
    }
    return MN_OK;
}

// --- vertices, cloth and yarn ----------------------------------------------------------------------------------------

/// Attributes of particles that are fine as long as they say nothing.
static mn_status leave_unless_zero(mn_import *m, mn_xml_element *e, const char *key)
{
    double value = 0.0;
    MN_TRY(mn_xml_number(m->context, e, key, &value, NULL));
    for (int k = 0; k < e->attribute_count && value != 0.0; k++)
        if (strcmp(e->attribute[k].key, key) == 0) e->attribute[k].taken = false;
    return MN_OK;
}

static mn_status read_vertices(mn_import *m)
{
    static const char *const silent[] = { "theta", "omega", "radius", "biradius", "vol", "fvol", "m", "fm" };
    const int64_t            count    = count_children(m->root, "particle");
    if (count > NUMBERS_MOST)
        return mn_fail_at(m->context, m->root->place, "the scene has %lld particles; at most %d are possible",
                          (long long)count, NUMBERS_MOST);
    m->vertex = mn_arena_array_zero(m->arena, mn_import_vertex, count);
    if (m->vertex == NULL) return MN_ERR_MEMORY;
    for (mn_xml_element *e = mn_xml_child(m->root, "particle", NULL); e != NULL;
         e                 = mn_xml_child(m->root, "particle", e)) {
        mn_import_vertex *v = &m->vertex[m->vertex_count++];
        v->element          = e;
        MN_TRY(mn_xml_numbers(m->context, e, "x", 3, v->x));
        if (mn_xml_attribute_text(e, "v") != NULL) MN_TRY(mn_xml_numbers(m->context, e, "v", 3, v->v));
        MN_TRY(mn_xml_whole(m->context, e, "fixed", 0, 255, &v->fixed, NULL));
        MN_TRY(mn_xml_whole(m->context, e, "group", 0, MN_IMPORT_GROUPS_MOST, &v->group, NULL));
        for (size_t k = 0; k < sizeof silent / sizeof *silent; k++) MN_TRY(leave_unless_zero(m, e, silent[k]));
        if (v->fixed == 2) {  // twist alone: no pin of this program holds that
            for (int k = 0; k < e->attribute_count; k++)
                if (strcmp(e->attribute[k].key, "fixed") == 0) e->attribute[k].taken = false;
        }
    }
    return MN_OK;
}

static mn_status check_vertex(mn_import *m, const mn_xml_element *e, double number)
{
    if (number == floor(number) && number >= 0.0 && number < (double)m->vertex_count) return MN_OK;
    return mn_fail_at(m->context, e->place, "there is no particle %g; %lld are given, counted from 0", number,
                      (long long)m->vertex_count);
}

static mn_status read_params(mn_import *m, mn_xml_element *e, int *out)
{
    bool given;
    *out = 0;
    MN_TRY(mn_xml_whole(m->context, e, "params", -1, 1000000, out, &given));
    if (!given) return mn_fail_at(m->context, e->place, "<%s> needs the attribute 'params'", e->name);
    if (*out < m->material_count) return MN_OK;
    return mn_fail_at(m->context, e->place, "there are no ElasticParameters %d; %d are given, counted from 0", *out,
                      m->material_count);
}

static mn_status read_cloth(mn_import *m)
{
    int64_t count = 0;
    for (mn_xml_element *e = mn_xml_child(m->root, "cloth", NULL); e != NULL; e = mn_xml_child(m->root, "cloth", e))
        count += count_children(e, "face");
    m->face = mn_arena_array_zero(m->arena, mn_import_face, count);
    if (m->face == NULL) return MN_ERR_MEMORY;
    for (mn_xml_element *e = mn_xml_child(m->root, "cloth", NULL); e != NULL; e = mn_xml_child(m->root, "cloth", e)) {
        int material;
        MN_TRY(read_params(m, e, &material));
        for (mn_xml_element *f = mn_xml_child(e, "face", NULL); f != NULL && material >= 0;
             f                 = mn_xml_child(e, "face", f)) {
            mn_import_face *face = &m->face[m->face_count++];
            double          corner[3];
            MN_TRY(mn_xml_numbers(m->context, f, "i", 3, corner));
            for (int k = 0; k < 3; k++) {
                MN_TRY(check_vertex(m, f, corner[k]));
                face->vertex[k] = (int)corner[k];
            }
            face->material = material;
        }
    }
    return MN_OK;
}

/// The vertices of a strand: `count` from `start` on, or one by one.
static mn_status read_strand(mn_import *m, mn_xml_element *e, int *vertex, int64_t *count)
{
    int start = 0, run = 0;
    MN_TRY(mn_xml_whole(m->context, e, "start", 0, NUMBERS_MOST, &start, NULL));
    MN_TRY(mn_xml_whole(m->context, e, "count", 0, NUMBERS_MOST, &run, NULL));
    *count = run > 0 ? run : count_children(e, "p");
    if (*count < 2)
        return mn_fail_at(m->context, e->place, "a hair needs two particles or more, not %lld", (long long)*count);
    if (run > 0) MN_TRY(check_vertex(m, e, (double)start + run - 1));
    if (vertex == NULL) return MN_OK;
    for (int k = 0; k < run; k++) vertex[k] = start + k;
    int k = 0;
    for (mn_xml_element *p = run > 0 ? NULL : mn_xml_child(e, "p", NULL); p != NULL; p = mn_xml_child(e, "p", p)) {
        double number;
        MN_TRY(mn_xml_numbers(m->context, p, "i", 1, &number));
        MN_TRY(check_vertex(m, p, number));
        vertex[k++] = (int)number;
    }
    return MN_OK;
}

static mn_status read_yarn(mn_import *m)
{
    int64_t strands = 0, vertices = 0, count;
    for (mn_xml_element *e = mn_xml_child(m->root, "hair", NULL); e != NULL; e = mn_xml_child(m->root, "hair", e)) {
        MN_TRY(read_strand(m, e, NULL, &count));
        strands++;
        vertices += count;
        if (vertices > NUMBERS_MOST)
            return mn_fail_at(m->context, e->place, "the hairs name more than %d particles", NUMBERS_MOST);
    }
    m->strand        = mn_arena_array_zero(m->arena, mn_import_strand, strands);
    m->strand_vertex = mn_arena_array_zero(m->arena, int, vertices);
    if (m->strand == NULL || m->strand_vertex == NULL) return MN_ERR_MEMORY;
    for (mn_xml_element *e = mn_xml_child(m->root, "hair", NULL); e != NULL; e = mn_xml_child(m->root, "hair", e)) {
        int material;
        MN_TRY(read_params(m, e, &material));
        if (material < 0) continue;
        MN_TRY(read_strand(m, e, m->strand_vertex + m->strand_vertex_count, &count));
        m->strand[m->strand_count++] = (mn_import_strand){ .first    = m->strand_vertex_count,
                                                           .count    = count,
                                                           .material = material };
        m->strand_vertex_count += count;
    }
    return MN_OK;
}

static double edge_of(const mn_import *m, int a, int b)
{
    const double *x = m->vertex[a].x, *y = m->vertex[b].x;
    return hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
}

/// Vertex j of so many pieces, evenly picked.
static int picked(const int *vertex, int64_t count, int64_t pieces, int64_t j)
{
    return vertex[(j * (count - 1) + pieces / 2) / pieces];
}

/// Whether so many pieces are all longer than `least`; counts the edges that had to be looked at.
static bool all_longer(mn_import *m, const int *vertex, int64_t count, int64_t pieces, double least)
{
    for (int64_t j = 1; j <= pieces; j++) {
        m->thinning--;
        if (edge_of(m, picked(vertex, count, pieces, j - 1), picked(vertex, count, pieces, j)) <= least) return false;
    }
    return true;
}

/// No more pieces than this can all be longer than `least`: together they are no longer than the strand.
static int64_t most_pieces(const mn_import *m, const int *vertex, int64_t count, double least)
{
    double length = 0.0;
    for (int64_t k = 1; k < count; k++) length += edge_of(m, vertex[k - 1], vertex[k]);
    return length / least < (double)(count - 2) ? (int64_t)(length / least) : count - 2;
}

/// Yarn of this program is a rod: its segments are longer than it is thick. Of closer vertices as many are kept, evenly
/// picked and both ends among them, as leave such segments. Where that takes too long to find, as for many points in
/// one place, fewer are tried by an eighth at a time.
static mn_status thin_strand(mn_import *m, mn_import_strand *s)
{
    const mn_import_material *k      = &m->material[s->material];
    const double              most   = 2.0 * sqrt(k->radius * k->biradius) * (1.0 + 1e-6);
    int                      *vertex = m->strand_vertex + s->first;
    m->thinning += THINNING_EACH * s->count;
    if (all_longer(m, vertex, s->count, s->count - 1, most)) return MN_OK;
    int *kept = mn_arena_array(m->arena, int, s->count);
    if (kept == NULL) return MN_ERR_MEMORY;
    for (int64_t pieces = most_pieces(m, vertex, s->count, most); pieces >= 1;
         pieces -= m->thinning > 0 ? 1 : pieces / 8 + 1) {
        if (!all_longer(m, vertex, s->count, pieces, most)) continue;
        for (int64_t j = 0; j <= pieces; j++) kept[j] = picked(vertex, s->count, pieces, j);
        mn_text_add(&m->notes,
                    "changed: a hair of %lld particles has segments shorter than it is thick, and %lld of them are "
                    "kept\n",
                    (long long)s->count, (long long)pieces + 1);
        memcpy(vertex, kept, (size_t)(pieces + 1) * sizeof *kept);
        s->count = pieces + 1;
        return MN_OK;
    }
    return MN_OK;
}

// --- fabrics ---------------------------------------------------------------------------------------------------------

static void join_materials(mn_import *m, int *owner, int vertex, int material)
{
    const int was = owner[vertex];
    if (was < 0) {
        owner[vertex] = material;
        return;
    }
    const int from = m->material[was].fabric, to = m->material[material].fabric;
    for (int k = 0; k < m->material_count && from != to; k++)
        if (m->material[k].fabric == from) m->material[k].fabric = to;
}

/// One fabric for each material; materials that share vertices make one fabric, which is made of the first of them.
static mn_status make_fabrics(mn_import *m)
{
    int *owner = mn_arena_array(m->arena, int, m->vertex_count);
    if (owner == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < m->vertex_count; v++) owner[v] = -1;
    for (int k = 0; k < m->material_count; k++) m->material[k].fabric = k;
    for (int64_t f = 0; f < m->face_count; f++)
        for (int k = 0; k < 3; k++) join_materials(m, owner, m->face[f].vertex[k], m->face[f].material);
    for (int64_t s = 0; s < m->strand_count; s++)
        for (int64_t k = 0; k < m->strand[s].count; k++)
            join_materials(m, owner, m->strand_vertex[m->strand[s].first + k], m->strand[s].material);
    int *number = mn_arena_array(m->arena, int, m->material_count),
        *used   = mn_arena_array_zero(m->arena, int, m->material_count);
    if (number == NULL || used == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < m->vertex_count; v++)
        if (owner[v] >= 0) used[m->material[owner[v]].fabric] = 1;
    for (int k = 0; k < m->material_count; k++) number[k] = -1;
    for (int k = 0; k < m->material_count; k++) {
        int *fabric = &m->material[k].fabric;
        if (!used[*fabric]) {
            *fabric = -1;
            continue;
        }
        if (number[*fabric] >= 0) {
            mn_text_add(&m->notes,
                        "changed: ElasticParameters %d share vertices with others, and the fabric is made of the first "
                        "of them\n",
                        k);
        } else {
            number[*fabric] = m->fabric_count++;
        }
        *fabric = number[*fabric];
    }
    for (int64_t v = 0; v < m->vertex_count; v++)
        m->vertex[v].fabric = owner[v] >= 0 ? m->material[owner[v]].fabric : -1;
    return MN_OK;
}

mn_status mn_import_read(mn_import *m)
{
    if (strcmp(m->root->name, "scene") != 0)
        return mn_fail_at(m->context, m->root->place, "a scene of libWetCloth begins with <scene>, not with <%.40s>",
                          m->root->name);
    m->root->taken              = true;
    mn_xml_element *description = mn_xml_child(m->root, "description", NULL);
    if (description != NULL) m->description = mn_xml_attribute_text(description, "text");
    MN_TRY(read_time(m));
    MN_TRY(read_grid(m));
    MN_TRY(read_camera(m));
    MN_TRY(read_liquid(m));
    MN_TRY(read_materials(m));
    MN_TRY(read_vertices(m));
    MN_TRY(read_cloth(m));
    MN_TRY(read_yarn(m));
    m->thinning = THINNING;
    for (int64_t s = 0; s < m->strand_count; s++) MN_TRY(thin_strand(m, &m->strand[s]));
    MN_TRY(make_fabrics(m));
    MN_TRY(mn_import_read_fields(m));
    return mn_import_read_scripts(m);
}
