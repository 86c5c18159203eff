// SPDX-License-Identifier: MPL-2.0
// scene/import/fields_read.c - the distance fields of a libWetCloth file.
#include "base/file.h"
#include "geom/mesh.h"
#include "scene/import/import.h"
#include "scene/reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL_PARTS_MOST 20000  // of all fields together

static int find_word(const char *word, const char *const *words)
{
    for (int k = 0; words[k] != NULL; k++)
        if (word != NULL && strcmp(word, words[k]) == 0) return k;
    return -1;
}

static mn_status read_children(mn_import *m, mn_xml_element *e, mn_import_field *f)
{
    const char *text = mn_xml_attribute_text(e, "i");
    int         most = 0;
    if (text == NULL) return mn_fail_at(m->context, e->place, "a field made of others needs the attribute 'i'");
    for (const char *at = text; *at != '\0'; at++) most += !strchr(" \t\r\n", *at) && strchr(" \t\r\n", at[1]) != NULL;
    if (most == 0) return mn_fail_at(m->context, e->place, "a field made of others names none in 'i'");
    double *number = mn_arena_array(m->arena, double, most);
    f->child       = mn_arena_array(m->arena, int, most);
    if (number == NULL || f->child == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_xml_numbers(m->context, e, "i", most, number));
    for (int k = 0; k < most; k++) {
        if (number[k] != floor(number[k]) || number[k] < 0.0 || number[k] >= m->field_count)
            return mn_fail_at(m->context, e->place, "there is no field %g before this one; %d are, counted from 0",
                              number[k], m->field_count);
        mn_import_field *child     = &m->field[(int)number[k]];
        f->child[f->child_count++] = (int)number[k];
        child->part                = true;
        f->lost                    = f->lost || child->lost;
        f->parts += child->parts;
        if (child->levels >= f->levels) f->levels = child->levels + 1;
        // What several fields share is written in each of them.
        if (f->parts > MN_SHAPE_PARTS_MOST)
            return mn_fail_at(m->context, e->place, "the field is made of more than %d simple shapes",
                              MN_SHAPE_PARTS_MOST);
    }
    if (f->levels <= MN_SHAPE_LEVELS_MOST) return MN_OK;
    return mn_fail_at(m->context, e->place, "fields are nested deeper than %d levels", MN_SHAPE_LEVELS_MOST);
}

/// What a shape of a scene may be far from the origin, and large.
static mn_status check_reach(mn_import *m, const mn_xml_element *e, const mn_import_field *f)
{
    const double size[] = { f->center[0], f->center[1], f->center[2], f->half[0], f->half[1],
                            f->half[2],   f->radius,    f->axis[0],   f->axis[1], f->axis[2] };
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        if (fabs(size[k]) > MN_NUMBER_FARTHEST)
            return mn_fail_at(m->context, e->place, "a length of the field is %g, and must be within %g to %g", size[k],
                              -MN_NUMBER_FARTHEST, MN_NUMBER_FARTHEST);
    return MN_OK;
}

/// A cylinder of `radius` and half[0] in length becomes what import.h says. Rims rounder than half its radius are rings
/// that cross themselves, which scenes do not have.
static void settle_cylinder(mn_import_field *f, double corner)
{
    const double outer = f->radius, half = f->half[0];
    f->lost    = corner > 0.5 * outer && corner != outer;
    f->half[0] = f->half[2] = outer - corner;
    f->half[1]              = half;
    f->radius               = corner;
    f->parts                = corner > 0.0 ? 4 : 1;
    f->levels               = corner > 0.0 ? 2 : 1;
}

/// Where a mesh may lie: as it is written, beside the file, or there for what is written as assets/NAME.
static bool find_mesh(const mn_import *m, const char *name, char path[PATH_MAX])
{
    static const mn_file_kind kind   = { "a mesh", INT64_MAX };
    static const char         shed[] = "assets/";
    const char               *slash  = strrchr(m->path, '/');
    const int                 folder = slash != NULL ? (int)(slash - m->path) + 1 : 0;
    for (int k = 0; k < 3; k++) {
        char          whole[2 * PATH_MAX];
        mn_file_error error;
        const char   *inner = name;
        if (k == 0 && name[0] != '/') continue;
        if (k == 2 && strncmp(name, shed, strlen(shed)) != 0) continue;
        if (k == 2) inner += strlen(shed);
        if (strlen(name) >= PATH_MAX || folder >= PATH_MAX) continue;
        snprintf(whole, sizeof whole, "%.*s%s", k == 0 ? 0 : folder, m->path, inner);
        if (mn_file_look(whole, &kind, &error) == MN_OK && realpath(whole, path) != NULL) return true;
    }
    return false;
}

/// How far the mesh reaches, if it can be a shape.
static mn_status measure_mesh(mn_import *m, mn_import_field *f)
{
    mn_mesh   mesh;
    mn_status status = mn_mesh_read(m->context, f->file, &mesh);
    if (status == MN_OK) status = mn_mesh_check_closed(m->context, f->file, &mesh);
    for (int64_t v = 0; status == MN_OK && v < mesh.vertex_count; v++)
        for (int a = 0; a < 3; a++) f->half[a] = fmax(f->half[a], fabs(f->scale * mesh.vertex[v][a]));
    mn_mesh_free(m->context, &mesh);
    return status;
}

/// A mesh that is not there, or cannot be a shape, is told and left out.
static mn_status read_mesh(mn_import *m, mn_xml_element *e, mn_import_field *f)
{
    const char *name = mn_xml_attribute_text(e, "filename");
    char        path[PATH_MAX];
    f->scale = 1.0;
    MN_TRY(mn_xml_number(m->context, e, "scale", &f->scale, NULL));
    if (!(f->scale > 0.0 && f->scale < MN_NUMBER_FARTHEST))
        return mn_fail_at(m->context, e->place, "the scale is %g, and must be above 0", f->scale);
    f->lost = true;
    if (name == NULL || !find_mesh(m, name, path)) {
        mn_text_add(&m->notes, "left out: <distancefield>, line %d: there is no mesh '%.200s'\n", e->place.line,
                    name != NULL ? name : "");
        return MN_OK;
    }
    char *copy = mn_arena_take(m->arena, strlen(path) + 1);
    if (copy == NULL) return MN_ERR_MEMORY;
    f->file                = strcpy(copy, path);
    const mn_status status = measure_mesh(m, f);
    if (status == MN_ERR_MEMORY) return status;
    f->lost = status != MN_OK;
    if (f->lost)
        mn_text_add(&m->notes, "left out: <distancefield>, line %d: %.400s\n", e->place.line,
                    mn_context_error(m->context));
    return MN_OK;
}

static mn_status read_solid_shape(mn_import *m, mn_xml_element *e, mn_import_field *f)
{
    static const char *const keys[] = { "cx", "cy", "cz", "rx", "ry", "rz", "rw", "ex", "ey", "ez", "radius" };
    double *const to[]    = { &f->center[0], &f->center[1], &f->center[2], &f->axis[0], &f->axis[1], &f->axis[2],
                              &f->angle,     &f->half[0],   &f->half[1],   &f->half[2], &f->radius };
    const bool    is_long = f->shape == MN_IMPORT_CAPSULE || f->shape == MN_IMPORT_CYLINDER;
    int           inside  = 0;
    double        corner  = 0.0;
    f->axis[1]            = 1.0;
    for (int k = 0; k < 11; k++)
        if (f->shape == MN_IMPORT_BOX || k < 7 || (k == 10 && f->shape != MN_IMPORT_MESH))
            MN_TRY(mn_xml_number(m->context, e, keys[k], to[k], NULL));
    if (is_long) MN_TRY(mn_xml_number(m->context, e, "halflength", &f->half[0], NULL));
    if (f->shape == MN_IMPORT_CYLINDER) MN_TRY(mn_xml_number(m->context, e, "corner", &corner, NULL));
    MN_TRY(mn_xml_whole(m->context, e, "inside", 0, 1, &inside, NULL));
    f->inside           = inside != 0;
    const double length = hypot(hypot(f->axis[0], f->axis[1]), f->axis[2]);
    if (f->angle != 0.0 && !(length > 0.0))
        return mn_fail_at(m->context, e->place, "the axis of the turn has no direction");
    f->parts  = f->shape == MN_IMPORT_BOX && f->radius > 0.0 ? 23 : 1;
    f->levels = f->parts > 1 ? 2 : 1;
    if (f->shape == MN_IMPORT_MESH) MN_TRY(read_mesh(m, e, f));
    if (f->shape == MN_IMPORT_CYLINDER) {
        if (!(f->radius > 0.0 && f->half[0] >= 0.0 && corner >= 0.0 && corner <= f->radius &&
              corner + f->half[0] > 0.0))
            return mn_fail_at(m->context, e->place, "the field has no volume");
        settle_cylinder(f, corner);
    }
    MN_TRY(check_reach(m, e, f));
    if (f->inside) f->parts += 1, f->levels += 1;
    if (f->shape == MN_IMPORT_CYLINDER || f->shape == MN_IMPORT_MESH) return MN_OK;
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
    // Without a duration the velocity stands with the field itself.
    for (int k = 2; k < 5 && time == NULL; k++) MN_TRY(mn_xml_number(m->context, e, keys[k], to[k], NULL));
    for (int k = 0; k < 5 && time != NULL; k++) MN_TRY(mn_xml_number(m->context, time, keys[k], to[k], NULL));
    if (f->start < 0.0 || f->end < f->start)
        return mn_fail_at(m->context, time->place, "the source works from %g s to %g s", f->start, f->end);
    return MN_OK;
}

static mn_status read_field(mn_import *m, mn_xml_element *e)
{
    static const char *const usages[] = { "solid", "source", "terminator", NULL };
    static const char *const shapes[] = { "sphere", "box", "capsule", "cylinder", "file", "union", "intersect", NULL };
    const char              *usage = mn_xml_attribute_text(e, "usage"), *shape = mn_xml_attribute_text(e, "type");
    mn_import_field         *f      = &m->field[m->field_count];
    int                      params = 0;
    *f                              = (mn_import_field){ .element = e };
    if (usage != NULL && find_word(usage, usages) < 0)
        return mn_fail_at(m->context, e->place,
                          "'usage' of <distancefield> is solid, source or terminator, not '%.40s'", usage);
    f->usage = usage == NULL ? MN_IMPORT_SOLID : (mn_import_usage)find_word(usage, usages);
    MN_TRY(mn_xml_whole(m->context, e, "group", 0, MN_IMPORT_GROUPS_MOST, &f->group, NULL));
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
    int64_t parts = 0;
    m->field      = mn_arena_array_zero(m->arena, mn_import_field, count);
    if (m->field == NULL) return MN_ERR_MEMORY;
    for (mn_xml_element *e = mn_xml_child(m->root, "distancefield", NULL); e != NULL;
         e                 = mn_xml_child(m->root, "distancefield", e)) {
        MN_TRY(read_field(m, e));
        parts += m->field[m->field_count - 1].parts;
        if (parts > ALL_PARTS_MOST)
            return mn_fail_at(m->context, e->place, "the fields are made of more than %d simple shapes in all",
                              ALL_PARTS_MOST);
    }
    return MN_OK;
}
