// SPDX-License-Identifier: MPL-2.0
// scene/import/fields.c - distance fields and scripts of libWetCloth as shapes and motions.
#include "scene/import/import.h"

#include <math.h>
#include <string.h>

// --- reading fields --------------------------------------------------------------------------------------------------

static int find_word(const char *word, const char *const *words)
{
    for (int k = 0; words[k] != NULL; k++)
        if (word != NULL && strcmp(word, words[k]) == 0) return k;
    return -1;
}

static mn_status read_children(mn_import *m, mn_xml_element *e, mn_import_field *f)
{
    const char *text = mn_xml_attribute_text(e, "i");
    int         most = 1;
    if (text == NULL) return mn_fail_at(m->context, e->place, "a field made of others needs the attribute 'i'");
    for (const char *at = text; *at != '\0'; at++) most += *at == ' ';
    double *number = mn_arena_array(m->arena, double, most);
    f->child       = mn_arena_array(m->arena, int, most);
    if (number == NULL || f->child == NULL) return MN_ERR_MEMORY;
    while (most > 1 && text[strlen(text) - 1] == ' ') most--;
    MN_TRY(mn_xml_numbers(m->context, e, "i", most, number));
    for (int k = 0; k < most; k++) {
        if (number[k] != floor(number[k]) || number[k] < 0.0 || number[k] >= m->field_count)
            return mn_fail_at(m->context, e->place, "there is no field %g before this one; %d are, counted from 0",
                              number[k], m->field_count);
        f->child[f->child_count++]    = (int)number[k];
        m->field[(int)number[k]].part = true;
        f->lost                       = f->lost || m->field[(int)number[k]].lost;
    }
    return MN_OK;
}

static mn_status read_solid_shape(mn_import *m, mn_xml_element *e, mn_import_field *f)
{
    static const char *const keys[] = { "cx", "cy", "cz", "rx", "ry", "rz", "rw", "ex", "ey", "ez", "radius" };
    double *const to[]   = { &f->center[0], &f->center[1], &f->center[2], &f->axis[0], &f->axis[1], &f->axis[2],
                             &f->angle,     &f->half[0],   &f->half[1],   &f->half[2], &f->radius };
    int           inside = 0;
    f->axis[1]           = 1.0;
    for (int k = 0; k < 11; k++)
        if (f->shape == MN_IMPORT_BOX || k < 7 || k == 10) MN_TRY(mn_xml_number(m->context, e, keys[k], to[k], NULL));
    if (f->shape == MN_IMPORT_CAPSULE) MN_TRY(mn_xml_number(m->context, e, "halflength", &f->half[0], NULL));
    MN_TRY(mn_xml_whole(m->context, e, "inside", 0, 1, &inside, NULL));
    f->inside           = inside != 0;
    const double length = hypot(hypot(f->axis[0], f->axis[1]), f->axis[2]);
    if (f->angle != 0.0 && !(length > 0.0))
        return mn_fail_at(m->context, e->place, "the axis of the turn has no direction");
    const bool thick = f->radius > 0.0 || (f->half[0] > 0.0 && f->half[1] > 0.0 && f->half[2] > 0.0);
    if (thick && f->radius >= 0.0 && f->half[0] >= 0.0 && f->half[1] >= 0.0 && f->half[2] >= 0.0 &&
        (f->shape == MN_IMPORT_BOX || f->radius > 0.0))
        return MN_OK;
    return mn_fail_at(m->context, e->place, "the field has no volume");
}

/// When a source works and how fast its liquid is. A second time is left for the list.
static mn_status read_duration(mn_import *m, mn_xml_element *e, mn_import_field *f)
{
    static const char *const keys[] = { "start", "end", "vx", "vy", "vz" };
    double *const            to[]   = { &f->start, &f->end, &f->velocity[0], &f->velocity[1], &f->velocity[2] };
    mn_xml_element          *time   = mn_xml_child(e, "duration", NULL);
    for (int k = 0; k < 5 && time != NULL; k++) MN_TRY(mn_xml_number(m->context, time, keys[k], to[k], NULL));
    if (f->start < 0.0 || f->end < f->start)
        return mn_fail_at(m->context, time->place, "the source works from %g s to %g s", f->start, f->end);
    return MN_OK;
}

static mn_status read_field(mn_import *m, mn_xml_element *e)
{
    static const char *const usages[] = { "solid", "source", "terminator", NULL };
    static const char *const shapes[] = { "sphere", "box", "capsule", "union", "intersect", NULL };
    const char              *usage = mn_xml_attribute_text(e, "usage"), *shape = mn_xml_attribute_text(e, "type");
    mn_import_field         *f      = &m->field[m->field_count];
    int                      params = 0;
    *f                              = (mn_import_field){ .element = e };
    if (usage != NULL && find_word(usage, usages) < 0)
        return mn_fail_at(m->context, e->place,
                          "'usage' of <distancefield> is solid, source or terminator, not '%.40s'", usage);
    f->usage = usage == NULL ? MN_IMPORT_SOLID : (mn_import_usage)find_word(usage, usages);
    MN_TRY(mn_xml_whole(m->context, e, "group", 0, 1000000, &f->group, NULL));
    mn_xml_attribute_text(e, "sampled");  // contact with obstacles needs no points on them here
    MN_TRY(mn_xml_whole(m->context, e, "params", 0, 1000000, &params, NULL));
    if (find_word(shape, shapes) < 0) {
        f->lost = true;
    } else {
        f->shape = (mn_import_shape)find_word(shape, shapes);
        MN_TRY(f->shape >= MN_IMPORT_UNION ? read_children(m, e, f) : read_solid_shape(m, e, f));
        if (f->usage == MN_IMPORT_SOURCE) MN_TRY(read_duration(m, e, f));
    }
    if (f->lost) mn_xml_leave(e);
    m->field_count++;
    return MN_OK;
}

mn_status mn_import_read_fields(mn_import *m)
{
    int64_t count = 0;
    for (mn_xml_element *e = mn_xml_child(m->root, "distancefield", NULL); e != NULL;
         e                 = mn_xml_child(m->root, "distancefield", e))
        count++;
    m->field = mn_arena_array_zero(m->arena, mn_import_field, count);
    if (m->field == NULL) return MN_ERR_MEMORY;
    for (mn_xml_element *e = mn_xml_child(m->root, "distancefield", NULL); e != NULL;
         e                 = mn_xml_child(m->root, "distancefield", e))
        MN_TRY(read_field(m, e));
    return MN_OK;
}

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

/// The shape about the origin, not turned: spheres, capsules and boxes with sharp or round corners.
static void open_about_origin(mn_text *t, const mn_import_field *f)
{
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

/// What a group turns about if its script does not say: the middle of its vertices, or of its field.
static void middle_of_group(const mn_import *m, int group, double out[3])
{
    int64_t count  = 0;
    double  sum[3] = { 0 };
    for (int64_t v = 0; v < m->vertex_count; v++) {
        if (m->vertex[v].group != group || mn_import_pin_of(m, &m->vertex[v]) < 0) continue;
        for (int a = 0; a < 3; a++) sum[a] += m->vertex[v].x[a];
        count++;
    }
    for (int k = 0; k < m->field_count && count == 0; k++) {
        if (m->field[k].group != group || m->field[k].shape >= MN_IMPORT_UNION) continue;
        for (int a = 0; a < 3; a++) sum[a] = m->field[k].center[a];
        count = 1;
    }
    for (int a = 0; a < 3; a++) out[a] = count > 0 ? sum[a] / (double)count : 0.0;
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
    MN_TRY(mn_xml_whole(m->context, e, "group", 0, 1000000, &s->group, NULL));
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

static bool moves_anything(const mn_import *m, int group)
{
    for (int64_t v = 0; v < m->vertex_count; v++)
        if (m->vertex[v].group == group && m->vertex[v].fabric >= 0 && mn_import_pin_of(m, &m->vertex[v]) >= 0)
            return true;
    for (int k = 0; k < m->field_count; k++)
        if (m->field[k].group == group && m->field[k].usage == MN_IMPORT_SOLID && !m->field[k].lost &&
            !m->field[k].part)
            return true;
    return false;
}

mn_status mn_import_read_scripts(mn_import *m)
{
    int64_t count = 0;
    for (mn_xml_element *e = mn_xml_child(m->root, "script", NULL); e != NULL; e = mn_xml_child(m->root, "script", e))
        count++;
    m->script = mn_arena_array_zero(m->arena, mn_import_script, count);
    if (m->script == NULL) return MN_ERR_MEMORY;
    for (mn_xml_element *e = mn_xml_child(m->root, "script", NULL); e != NULL; e = mn_xml_child(m->root, "script", e)) {
        mn_import_script s;
        bool             lost = false;
        MN_TRY(read_script(m, e, &s, &lost));
        if (lost || !fits_others(m, &s) || !moves_anything(m, s.group)) {
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
