// SPDX-License-Identifier: MPL-2.0
// export/usda.c - USD as text. A file holds an attribute with all its samples, then the next: so the frames are read
// once an attribute, and no more than one of them is in memory.
#include "export/formats.h"
#include "export/number.h"
#include "export/run_formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PIECE ((size_t)4 << 20)  // bytes handed to the disk at once

typedef struct usda {
    mn_context          *context;
    const mn_run_folder *folder;
    mn_file_stream       file;
    mn_buffer            text;
    mn_export_skipped   *skipped;
} usda;

static mn_status flush(usda *u)
{
    mn_file_error error;
    MN_TRY(mn_buffer_status(&u->text));
    if (mn_file_stream_add(&u->file, u->text.data, u->text.bytes, &error) != MN_OK)
        return mn_file_fail(u->context, &error);
    mn_buffer_clear(&u->text);
    return MN_OK;
}

// ---- one sample
// ------------------------------------------------------------------------------------------------------

/// Values of a part in the order of its points, or, for curves, of the corners of its lines: USD gives every curve
/// points of its own.
static int64_t value_count(const mn_frame_part *p)
{
    if (p->kind != MN_CELLS_LINES) return p->point_count;
    return p->cell_count == 0 ? 0 : p->ends != NULL ? p->ends[p->cell_count - 1] : 2 * p->cell_count;
}

static int64_t point_of(const mn_frame_part *p, int64_t k) { return p->kind == MN_CELLS_LINES ? p->cells[k] : k; }

/// How the value of an attribute follows from an array.
typedef enum change { AS_IT_IS, TWICE, DIAMETER_OF_VOLUME } change;

static double changed(change how, double x)
{
    return how == TWICE ? 2.0 * x : how == DIAMETER_OF_VOLUME ? cbrt(6.0 * x / MN_PI) : x;
}

static mn_status add_values(usda *u, const mn_frame_part *p, const mn_frame_array *a, change how)
{
    mn_buffer    *out   = &u->text;
    const int64_t count = value_count(p);
    const int     n     = a->components;
    const bool    whole = a->type == MN_TYPE_int32_t || a->type == MN_TYPE_int64_t;
    mn_buffer_text(out, "[");
    for (int64_t i = 0; i < count; i++) {
        char  text[9 * (MN_NUMBER_BYTES + 2) + 8];
        char *to = text;
        if (i > 0) *to++ = ',', *to++ = ' ';
        if (n > 1) *to++ = '(';
        for (int k = 0; k < n; k++) {
            const double x = mn_frame_array_value(a, point_of(p, i), k);
            if (k > 0) *to++ = ',', *to++ = ' ';
            to = whole ? mn_write_whole(to, (int64_t)x) : mn_write_float(to, (float)changed(how, x));
        }
        if (n > 1) *to++ = ')';
        mn_buffer_add(out, text, (size_t)(to - text));
        if (out->bytes > PIECE) MN_TRY(flush(u));
    }
    mn_buffer_text(out, "]");
    return MN_OK;
}

/// Points a face or curve has (`counts`), or the points of the faces.
static mn_status add_topology(usda *u, const mn_frame_part *p, bool counts)
{
    mn_buffer    *out    = &u->text;
    const int64_t number = counts ? p->cell_count : 3 * p->cell_count;
    mn_buffer_text(out, "[");
    for (int64_t i = 0, before = 0; i < number; i++) {
        char          text[MN_NUMBER_BYTES + 2];
        char         *to  = text;
        const int64_t end = p->ends != NULL ? p->ends[i] : before + (p->kind == MN_CELLS_LINES ? 2 : 3);
        if (i > 0) *to++ = ',', *to++ = ' ';
        to     = mn_write_whole(to, counts ? end - before : p->cells[i]);
        before = counts ? end : 0;
        mn_buffer_add(out, text, (size_t)(to - text));
        if (out->bytes > PIECE) MN_TRY(flush(u));
    }
    mn_buffer_text(out, "]");
    return MN_OK;
}

// ---- one attribute with all its samples
// -------------------------------------------------------------------------------

typedef enum source { FROM_POINTS, FROM_ARRAY, FROM_COUNTS, FROM_INDICES } source;

typedef struct attribute {
    const char *type, *name;
    source      source;
    const char *array;  ///< with FROM_ARRAY: its name in the frames
    change      how;
    bool        interpolated;  ///< says that there is a value a vertex
} attribute;

/// The value in a frame, if the part has it there.
static mn_status add_sample(usda *u, int64_t frame, const mn_frame_part *p, const attribute *a)
{
    const mn_frame_array *array = a->source == FROM_POINTS  ? &p->points
                                  : a->source == FROM_ARRAY ? mn_frame_array_find(p, a->array)
                                                            : NULL;
    if (a->source == FROM_ARRAY && array == NULL) return MN_OK;
    mn_buffer_print(&u->text, "            %lld: ", (long long)frame);
    MN_TRY(array != NULL ? add_values(u, p, array, a->how) : add_topology(u, p, a->source == FROM_COUNTS));
    mn_buffer_text(&u->text, ",\n");
    return MN_OK;
}

static mn_status add_attribute(usda *u, int64_t part, const attribute *a)
{
    const mn_run_part *files = &u->folder->part[part];
    // What joins the points changes at few frames, and USD holds it until the next sample: equal ones are left out.
    const bool         shape   = a->source == FROM_COUNTS || a->source == FROM_INDICES;
    uint64_t           last    = 0;
    bool               any     = false;
    mn_export_skipped  again   = { .count = 0 };  // a damaged file is met by every attribute and counted by one
    mn_export_skipped *skipped = a->source == FROM_POINTS ? u->skipped : &again;
    if (a->interpolated)
        mn_buffer_print(&u->text, "        %s %s (\n            interpolation = \"vertex\"\n        )\n", a->type,
                        a->name);
    mn_buffer_print(&u->text, "        %s %s.timeSamples = {\n", a->type, a->name);
    for (int64_t k = 0; k < mn_export_files(u->folder, part); k++) {
        mn_vtp_part *now;
        MN_TRY(mn_export_read(u->context, u->folder, part, files->file[k], &now, skipped));
        if (now == NULL) continue;
        const uint64_t  hash   = shape ? mn_part_shape_hash(&now->part) : 0;
        const mn_status status = !shape || !any || hash != last ? add_sample(u, files->file[k], &now->part, a) : MN_OK;
        any                    = true;
        last                   = hash;
        mn_vtp_part_destroy(u->context, &now);
        MN_TRY(status);
    }
    mn_buffer_text(&u->text, "        }\n");
    return MN_OK;
}

// ---- one part
// ---------------------------------------------------------------------------------------------------------

/// A word that USD takes as a name.
static void name_of(const char *from, char name[160])
{
    size_t n = 0;
    if (!((*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z'))) name[n++] = '_';
    for (; *from != '\0' && n < 158; from++) {
        const bool fine = (*from >= 'a' && *from <= 'z') || (*from >= 'A' && *from <= 'Z') ||
                          (*from >= '0' && *from <= '9');
        name[n++] = fine ? *from : '_';
    }
    name[n] = '\0';
}

static const char *value_type(const mn_frame_array *a)
{
    static const char *const real[] = { "float[]", "float2[]", "float3[]", "float4[]" }, *const whole[] = {
        "int[]", "int2[]", "int3[]", "int4[]"
    };
    if (a->components > 4) return NULL;
    if (a->type == MN_TYPE_int64_t) return a->components == 1 ? "int64[]" : NULL;
    return a->type == MN_TYPE_int32_t ? whole[a->components - 1] : real[a->components - 1];
}

/// Names that USD knows itself.
static bool known_attribute(const mn_frame_part *p, const mn_frame_array *a, attribute *out)
{
    static const attribute known[] = {
        { "vector3f[]", "velocities", FROM_ARRAY, "velocity", AS_IT_IS, false },
        { "normal3f[]", "normals", FROM_ARRAY, "normals", AS_IT_IS, true },
        { "color3f[]", "primvars:displayColor", FROM_ARRAY, "color", AS_IT_IS, true },
        { "float[]", "widths", FROM_ARRAY, "radius", TWICE, true },
        { "int64[]", "ids", FROM_ARRAY, "id", AS_IT_IS, false },
        { "float[]", "widths", FROM_ARRAY, "volume", DIAMETER_OF_VOLUME, true },
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        const bool points_only = k >= 4;
        if (strcmp(a->name, known[k].array) != 0 || (points_only && p->kind != MN_CELLS_VERTICES)) continue;
        *out = known[k];
        return true;
    }
    return false;
}

static mn_status add_array(usda *u, int64_t part, const mn_frame_part *p, const mn_frame_array *a)
{
    attribute known;
    if (known_attribute(p, a, &known)) MN_TRY(add_attribute(u, part, &known));
    if (strcmp(a->name, "velocity") == 0 || strcmp(a->name, "normals") == 0 || strcmp(a->name, "color") == 0 ||
        value_type(a) == NULL)
        return MN_OK;
    char word[160], name[180];
    name_of(a->name, word);
    snprintf(name, sizeof name, "primvars:%s", word);
    return add_attribute(u, part, &(attribute){ value_type(a), name, FROM_ARRAY, a->name, AS_IT_IS, true });
}

static mn_status add_part(usda *u, int64_t part, const mn_frame_part *first)
{
    static const char *const kinds[] = { "Points", "BasisCurves", "Mesh" };
    static const attribute   points  = { "point3f[]", "points", FROM_POINTS, NULL, AS_IT_IS, false };
    static const attribute   faces[] = { { "int[]", "faceVertexCounts", FROM_COUNTS, NULL, AS_IT_IS, false },
                                         { "int[]", "faceVertexIndices", FROM_INDICES, NULL, AS_IT_IS, false } };
    static const attribute   curves  = { "int[]", "curveVertexCounts", FROM_COUNTS, NULL, AS_IT_IS, false };
    char                     name[160];
    name_of(u->folder->part[part].name, name);
    mn_buffer_print(&u->text, "    def %s \"%s\"\n    {\n", kinds[first->kind], name);
    if (first->kind == MN_CELLS_TRIANGLES)
        mn_buffer_text(&u->text,
                       "        uniform token subdivisionScheme = \"none\"\n        uniform bool doubleSided = 1\n");
    if (first->kind == MN_CELLS_LINES) mn_buffer_text(&u->text, "        uniform token type = \"linear\"\n");
    MN_TRY(add_attribute(u, part, &points));
    if (first->kind == MN_CELLS_LINES) MN_TRY(add_attribute(u, part, &curves));
    for (int k = 0; k < 2 && first->kind == MN_CELLS_TRIANGLES; k++) MN_TRY(add_attribute(u, part, &faces[k]));
    for (int a = 0; a < first->array_count; a++) MN_TRY(add_array(u, part, first, &first->arrays[a]));
    mn_buffer_text(&u->text, "    }\n");
    return MN_OK;
}

static mn_status add_parts(usda *u)
{
    for (int64_t part = 0; part < u->folder->part_count; part++) {
        mn_vtp_part *first;
        MN_TRY(mn_export_first(u->context, u->folder, part, &first));
        if (first == NULL) continue;
        const mn_status status = add_part(u, part, &first->part);
        mn_vtp_part_destroy(u->context, &first);
        MN_TRY(status);
    }
    return MN_OK;
}

// ---- the file
// ----------------------------------------------------------------------------------------------------------

static void add_head(usda *u, int up)
{
    const mn_run_folder *f     = u->folder;
    const int64_t        first = f->frame[0], last = f->frame[f->frame_count - 1];
    const double         span = f->time[f->frame_count - 1] - f->time[0];
    const double         rate = span > 0.0 ? (double)(last - first) / span : 24.0;
    mn_buffer_print(&u->text,
                    "#usda 1.0\n(\n    defaultPrim = \"run\"\n    metersPerUnit = 0.01\n    upAxis = \"%s\"\n    "
                    "startTimeCode = %lld\n"
                    "    endTimeCode = %lld\n    timeCodesPerSecond = %.9g\n    framesPerSecond = %.9g\n)\n\ndef Xform "
                    "\"run\"\n{\n",
                    up == 2 ? "Z" : "Y", (long long)first, (long long)last, rate, rate);
    // USD knows y and z as up; a world with x up is turned.
    if (up == 0)
        mn_buffer_text(&u->text,
                       "    float xformOp:rotateZ = 90\n    uniform token[] xformOpOrder = [\"xformOp:rotateZ\"]\n");
}

mn_status mn_usda_write(mn_context *c, const mn_run_folder *folder, int up, const char *path,
                        mn_export_skipped *skipped)
{
    usda          u = { .context = c, .folder = folder, .skipped = skipped };
    mn_file_error error;
    if (folder->frame_count == 0) return mn_fail(c, MN_ERR_FILE, "%s: the run has no frames yet", folder->out);
    if (mn_file_stream_open(&u.file, path, &error) != MN_OK) return mn_file_fail(c, &error);
    mn_buffer_init(&u.text, c);
    add_head(&u, up);
    mn_status status = add_parts(&u);
    mn_buffer_text(&u.text, "}\n");
    if (status == MN_OK) status = flush(&u);
    if (status == MN_OK && mn_file_stream_finish(&u.file, &error) != MN_OK) status = mn_file_fail(c, &error);
    mn_file_stream_abandon(&u.file);
    mn_buffer_free(&u.text);
    return status;
}
