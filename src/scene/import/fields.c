// SPDX-License-Identifier: MPL-2.0
// scene/import/fields.c - distance fields and scripts of libWetCloth as shapes and motions; fields_read.c reads fields.
#include "scene/import/import.h"

#include <math.h>
#include <string.h>

#define SCRIPTS_MOST 4096

// --- writing shapes --------------------------------------------------------------------------------------------------

// The brace that opens a shape is closed by the caller, who may have more to say about it.
static void open_box(mn_text *t, const double half[3])
{
    const double size[3] = { 2.0 * half[0], 2.0 * half[1], 2.0 * half[2] };
    mn_text_add(t, "{box: {size: ");
    mn_import_add_vector(t, size);
    mn_text_add(t, "}");
}

/// Boxes that are longer by the radius along one axis.
static int add_slabs(mn_text *t, const mn_import_field *f)
{
    int parts = 0;
    for (int a = 0; a < 3; a++) {
        double half[3] = { f->half[0], f->half[1], f->half[2] };
        half[a] += f->radius;
        if (!(half[0] > 0.0 && half[1] > 0.0 && half[2] > 0.0)) continue;
        mn_text_add(t, "%s", parts++ > 0 ? ", " : "");
        open_box(t, half);
        mn_text_add(t, "}");
    }
    return parts;
}

/// Cylinders along the edges.
static int add_edges(mn_text *t, const mn_import_field *f, int parts)
{
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        if (!(f->half[a] > 0.0)) continue;
        for (int k = 0; k < 4; k++) {
            double at[3] = { 0 }, axis[3] = { 0 };
            if ((k & 1 && f->half[b] == 0.0) || (k & 2 && f->half[c] == 0.0)) continue;  // the same edge again
            at[b]   = (k & 1 ? -1.0 : 1.0) * f->half[b];
            at[c]   = (k & 2 ? -1.0 : 1.0) * f->half[c];
            axis[a] = 1.0;
            mn_text_add(t, "%s{cylinder: {center: ", parts++ > 0 ? ", " : "");
            mn_import_add_vector(t, at);
            mn_text_add(t, ", axis: ");
            mn_import_add_vector(t, axis);
            mn_text_add(t, ", height: ");
            mn_import_add_number(t, 2.0 * f->half[a]);
            mn_text_add(t, ", radius: ");
            mn_import_add_number(t, f->radius);
            mn_text_add(t, "}}");
        }
    }
    return parts;
}

static void add_corners(mn_text *t, const mn_import_field *f, int parts)
{
    for (int k = 0; k < 8; k++) {
        double at[3];
        bool   again = false;
        for (int a = 0; a < 3; a++) {
            at[a] = (k >> a & 1 ? -1.0 : 1.0) * f->half[a];
            again = again || (k >> a & 1 && f->half[a] == 0.0);
        }
        if (again) continue;
        mn_text_add(t, "%s{sphere: {center: ", parts++ > 0 ? ", " : "");
        mn_import_add_vector(t, at);
        mn_text_add(t, ", radius: ");
        mn_import_add_number(t, f->radius);
        mn_text_add(t, "}}");
    }
}

static void open_capsule(mn_text *t, int along, double half, double radius)
{
    const double axis[3] = { along == 0, along == 1, along == 2 };
    mn_text_add(t, "{capsule: {axis: ");
    mn_import_add_vector(t, axis);
    mn_text_add(t, ", height: ");
    mn_import_add_number(t, 2.0 * half);
    mn_text_add(t, ", radius: ");
    mn_import_add_number(t, radius);
    mn_text_add(t, "}");
}

/// A cylinder whose rims are round: the flat one, the one between the rims, and the rims.
static void open_cylinder(mn_text *t, const mn_import_field *f)
{
    const double round = f->radius, flat = f->half[0], half = f->half[1];
    const struct {
        double radius, height;
    } part[2] = { { flat + round, 2.0 * half }, { flat, 2.0 * (half + round) } };
    int parts = 0;
    if (round > 0.0 && flat == 0.0) {
        open_capsule(t, 1, half, round);
        return;
    }
    if (round > 0.0) mn_text_add(t, "{union: [");
    for (int k = 0; k < (round > 0.0 ? 2 : 1); k++) {
        if (!(part[k].height > 0.0)) continue;
        mn_text_add(t, "%s{cylinder: {height: ", parts++ > 0 ? ", " : "");
        mn_import_add_number(t, part[k].height);
        mn_text_add(t, ", radius: ");
        mn_import_add_number(t, part[k].radius);
        mn_text_add(t, round > 0.0 ? "}}" : "}");
    }
    for (int k = 0; round > 0.0 && k < (half > 0.0 ? 2 : 1); k++) {
        const double at[3] = { 0.0, k == 0 ? half : -half, 0.0 };
        mn_text_add(t, ", {torus: {center: ");
        mn_import_add_vector(t, at);
        mn_text_add(t, ", radius: [");
        mn_import_add_number(t, flat);
        mn_text_add(t, ", ");
        mn_import_add_number(t, round);
        mn_text_add(t, "]}}");
    }
    if (round > 0.0) mn_text_add(t, "]");
}

static void open_mesh(mn_text *t, const mn_import_field *f)
{
    mn_text_add(t, "{mesh: ");
    mn_text_add_quoted(t, f->file);
    mn_text_add(t, ", scale: ");
    mn_import_add_number(t, f->scale);
}

/// The shape about the origin, not turned.
static void open_about_origin(mn_text *t, const mn_import_field *f)
{
    if (f->shape == MN_IMPORT_CYLINDER) {
        open_cylinder(t, f);
        return;
    }
    if (f->shape == MN_IMPORT_MESH) {
        open_mesh(t, f);
        return;
    }
    const int edges = (f->half[0] > 0.0) + (f->half[1] > 0.0) + (f->half[2] > 0.0);
    if (f->shape == MN_IMPORT_SPHERE || edges == 0) {
        mn_text_add(t, "{sphere: {radius: ");
        mn_import_add_number(t, f->radius);
        mn_text_add(t, "}");
    } else if (f->shape == MN_IMPORT_CAPSULE || edges == 1) {
        const int along = f->half[0] > 0.0 ? 0 : f->half[1] > 0.0 ? 1 : 2;
        open_capsule(t, along, f->half[along], f->radius);
    } else if (f->radius == 0.0) {
        open_box(t, f->half);
    } else {
        mn_text_add(t, "{union: [");
        add_corners(t, f, add_edges(t, f, add_slabs(t, f)));
        mn_text_add(t, "]");
    }
}

static void add_place(mn_text *t, const mn_import_field *f)
{
    mn_text_add(t, ", at: ");
    mn_import_add_vector(t, f->center);
    if (f->angle != 0.0) {
        mn_text_add(t, ", rotate: {axis: ");
        mn_import_add_vector(t, f->axis);
        mn_text_add(t, ", angle: \"");
        mn_import_add_number(t, f->angle);
        mn_text_add(t, " rad\"}");
    }
    mn_text_add(t, "}");
}

/// A field that is everything but its shape ends `reach` beyond it.
void mn_import_write_shape(const mn_import *m, int field, double reach, mn_text *t)
{
    const mn_import_field *f = &m->field[field];
    if (f->shape >= MN_IMPORT_UNION) {
        mn_text_add(t, "{%s: [", f->shape == MN_IMPORT_UNION ? "union" : "intersection");
        for (int k = 0; k < f->child_count; k++) {
            if (k > 0) mn_text_add(t, ", ");
            mn_import_write_shape(m, f->child[k], reach, t);
        }
        mn_text_add(t, "]}");
        return;
    }
    double outer[3];
    for (int a = 0; a < 3; a++) outer[a] = f->half[a] + f->radius + reach;
    if (f->inside) {
        mn_text_add(t, "{difference: [");
        open_box(t, outer);
        mn_text_add(t, "}, ");
        open_about_origin(t, f);
        mn_text_add(t, "}]");
    } else {
        open_about_origin(t, f);
    }
    add_place(t, f);
}

// --- scripts ---------------------------------------------------------------------------------------------------------

/// What a script of a group moves.
typedef struct mn_import_group {
    int64_t pinned;  ///< vertices, of fabric or not
    double  sum[3];  ///< of their places
    bool    moves;   ///< vertices of fabric, or an obstacle
    int     field;   ///< + 1: the first that is no operator
} mn_import_group;

static mn_status find_groups(mn_import *m)
{
    for (mn_xml_element *e = mn_xml_child(m->root, "script", NULL); e != NULL; e = mn_xml_child(m->root, "script", e)) {
        int group = 0;
        MN_TRY(mn_xml_whole(m->context, e, "group", 0, MN_IMPORT_GROUPS_MOST, &group, NULL));
        if (group >= m->group_count) m->group_count = group + 1;
    }
    m->group = mn_arena_array_zero(m->arena, mn_import_group, m->group_count);
    if (m->group == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < m->vertex_count; v++) {
        const mn_import_vertex *of = &m->vertex[v];
        if (of->group >= m->group_count || mn_import_pin_of(m, of) < 0) continue;
        mn_import_group *g = &m->group[of->group];
        for (int a = 0; a < 3; a++) g->sum[a] += of->x[a];
        g->pinned++;
        g->moves = g->moves || of->fabric >= 0;
    }
    for (int k = 0; k < m->field_count; k++) {
        const mn_import_field *f = &m->field[k];
        if (f->group >= m->group_count) continue;
        mn_import_group *g = &m->group[f->group];
        if (g->field == 0 && f->shape < MN_IMPORT_UNION) g->field = k + 1;
        g->moves = g->moves || (f->usage == MN_IMPORT_SOLID && !f->lost && !f->part);
    }
    return MN_OK;
}

/// What a group turns about if its script does not say: the middle of its vertices, or of its field.
static void middle_of_group(const mn_import *m, int group, double out[3])
{
    const mn_import_group *g = &m->group[group];
    for (int a = 0; a < 3; a++)
        out[a] = g->pinned > 0 ? g->sum[a] / (double)g->pinned : g->field > 0 ? m->field[g->field - 1].center[a] : 0.0;
}

static mn_status read_script(mn_import *m, mn_xml_element *e, mn_import_script *s, bool *lost)
{
    static const char *const keys[] = { "x", "y", "z", "w", "start", "end", "ox", "oy", "oz" };
    const char              *type = mn_xml_attribute_text(e, "type"), *shape = mn_xml_attribute_text(e, "func");
    double *const            to[] = { &s->way[0], &s->way[1],   &s->way[2],   &s->angle,   &s->start,
                                      &s->end,    &s->pivot[0], &s->pivot[1], &s->pivot[2] };
    bool                     given[9];
    *s = (mn_import_script){ .element = e };
    if (type == NULL || (strcmp(type, "translate") != 0 && strcmp(type, "rotate") != 0))
        return mn_fail_at(m->context, e->place, "'type' of <script> is translate or rotate, not '%.40s'",
                          type != NULL ? type : "");
    s->turn = strcmp(type, "rotate") == 0;
    for (int k = 0; k < 9; k++) MN_TRY(mn_xml_number(m->context, e, keys[k], to[k], &given[k]));
    MN_TRY(mn_xml_whole(m->context, e, "group", 0, MN_IMPORT_GROUPS_MOST, &s->group, NULL));
    if (!(s->end > s->start))
        return mn_fail_at(m->context, e->place, "the script ends at %g s and starts at %g s", s->end, s->start);
    if (!(given[6] || given[7] || given[8])) middle_of_group(m, s->group, s->pivot);
    *lost = shape != NULL && strcmp(shape, "cubic") != 0;
    return MN_OK;
}

/// Whether a script can follow those already there: one at a time, and all turns about one axis and point.
static bool fits_others(const mn_import *m, const mn_import_script *s)
{
    for (int k = 0; k < m->script_count; k++) {
        const mn_import_script *o = &m->script[k];
        if (o->group != s->group) continue;
        if (s->start < o->end - 1e-9 && o->start < s->end - 1e-9) return false;
        if (s->turn && o->turn &&
            (memcmp(s->way, o->way, sizeof s->way) != 0 || memcmp(s->pivot, o->pivot, sizeof s->pivot) != 0))
            return false;
    }
    return true;
}

mn_status mn_import_read_scripts(mn_import *m)
{
    int64_t count = 0;
    for (mn_xml_element *e = mn_xml_child(m->root, "script", NULL); e != NULL; e = mn_xml_child(m->root, "script", e))
        count++;
    if (count > SCRIPTS_MOST)
        return mn_fail_at(m->context, m->root->place, "the scene has %lld scripts; at most %d are possible",
                          (long long)count, SCRIPTS_MOST);
    MN_TRY(find_groups(m));
    m->script = mn_arena_array_zero(m->arena, mn_import_script, count);
    if (m->script == NULL) return MN_ERR_MEMORY;
    for (mn_xml_element *e = mn_xml_child(m->root, "script", NULL); e != NULL; e = mn_xml_child(m->root, "script", e)) {
        mn_import_script s;
        bool             lost = false;
        MN_TRY(read_script(m, e, &s, &lost));
        if (lost || !fits_others(m, &s) || !m->group[s.group].moves) {
            mn_xml_leave(e);
            continue;
        }
        int64_t at = m->script_count++;
        for (; at > 0 && m->script[at - 1].start > s.start; at--)
            m->script[at] = m->script[at - 1];  // in the order of time
        m->script[at] = s;
    }
    return MN_OK;
}

bool mn_import_moves(const mn_import *m, int group)
{
    for (int k = 0; k < m->script_count; k++)
        if (m->script[k].group == group) return true;
    return false;
}

static void add_key(mn_text *t, bool first, double time, const double way[3], const mn_import_script *turn,
                    double angle)
{
    mn_text_add(t, "%s{t: ", first ? "" : ", ");
    mn_import_add_number(t, time);
    mn_text_add(t, ", translate: ");
    mn_import_add_vector(t, way);
    if (turn != NULL) {
        mn_text_add(t, ", rotate: {axis: ");
        mn_import_add_vector(t, turn->way);
        mn_text_add(t, ", angle: \"");
        mn_import_add_number(t, angle);
        mn_text_add(t, " rad\"}");
    }
    mn_text_add(t, "}");
}

void mn_import_write_motion(const mn_import *m, int group, mn_text *t)
{
    const mn_import_script *turn   = NULL;
    double                  way[3] = { 0 }, angle = 0.0, last = -INFINITY;
    for (int k = 0; k < m->script_count; k++)
        if (m->script[k].group == group && m->script[k].turn) turn = &m->script[k];
    mn_text_add(t, "{ease: smooth, ");
    if (turn != NULL) {
        mn_text_add(t, "pivot: ");
        mn_import_add_vector(t, turn->pivot);
        mn_text_add(t, ", ");
    }
    mn_text_add(t, "keys: [");
    for (int k = 0; k < m->script_count; k++) {
        const mn_import_script *s = &m->script[k];
        if (s->group != group) continue;
        if (s->start > last + 1e-9) add_key(t, last == -INFINITY, s->start, way, turn, angle);
        for (int a = 0; a < 3 && !s->turn; a++) way[a] += s->way[a];
        if (s->turn) angle += s->angle;
        add_key(t, false, s->end, way, turn, angle);
        last = s->end;
    }
    mn_text_add(t, "]}");
}
