// SPDX-License-Identifier: MPL-2.0
// geom/mesh_sequence_files.c - the frames of a sequence: which files there are, and reading one.
#include "geom/mesh_sequence_private.h"

#include "base/hash.h"
#include "geom/mesh_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_DIGITS 9

/// Take "cloth-%04d.obj" apart; false if it is no such pattern.
static bool parse_name(const char *text, mn_numbered_name *out)
{
    const char *percent = strchr(text, '%'), *slash = strrchr(text, '/');
    if (percent == NULL || (slash != NULL && slash > percent)) return false;
    const char *at    = percent + 1;
    int         width = 1;
    if (*at == '0') {
        if (at[1] < '1' || at[1] > '9') return false;
        width = at[1] - '0';
        at += 2;
    }
    if (*at != 'd' || strchr(at, '%') != NULL) return false;
    *out = (mn_numbered_name){ .text  = text,
                               .front = (size_t)(percent - text),
                               .back  = (size_t)(at + 1 - text),
                               .width = width };
    return true;
}

static bool make_name(const mn_numbered_name *n, int64_t number, char path[MN_SEQUENCE_NAME_BYTES])
{
    const int length = snprintf(path, MN_SEQUENCE_NAME_BYTES, "%.*s%0*" PRId64 "%s", (int)n->front, n->text, n->width,
                                number, n->text + n->back);
    return length >= 0 && length < MN_SEQUENCE_NAME_BYTES;
}

/// The number in the name of a file of the folder; -1 if the pattern does not make that name.
static int64_t number_in(const mn_numbered_name *n, size_t folder, const char *file)
{
    const size_t front = n->front - folder, length = strlen(file), back = strlen(n->text + n->back);
    if (length < front + back + 1 || strncmp(file, n->text + folder, front) != 0 ||
        strcmp(file + length - back, n->text + n->back) != 0)
        return -1;
    const size_t digits = length - front - back;
    int64_t      value  = 0;
    if (digits > MOST_DIGITS || digits < (size_t)n->width || (digits > (size_t)n->width && file[front] == '0'))
        return -1;
    for (size_t k = 0; k < digits; k++) {
        if (file[front + k] < '0' || file[front + k] > '9') return -1;
        value = value * 10 + (file[front + k] - '0');
    }
    return value;
}

/// Least and largest number, and how many there are.
static mn_status find_files(mn_frame_source *s, int64_t *last)
{
    char         folder[MN_SEQUENCE_NAME_BYTES];
    const char  *slash  = strrchr(s->path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - s->path) + 1 : 0;
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)length : 1, slash != NULL ? s->path : ".");
    mn_names names;
    if (!mn_file_exists(folder))
        return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: the folder cannot be opened: there is none of this name",
                       folder);
    MN_TRY(mn_file_list(s->context, folder, &names));
    s->first = -1;
    *last    = -1;
    for (int64_t k = 0; k < names.count; k++) {
        const int64_t number = number_in(&s->name, length, names.name[k]);
        if (number < 0) continue;
        s->count++;
        if (s->first < 0 || number < s->first) s->first = number;
        if (number > *last) *last = number;
    }
    mn_names_free(s->context, &names);
    if (s->count == 0) return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: there is no file with such a name", s->path);
    return MN_OK;
}

static mn_status check_holes(mn_frame_source *s, int64_t last)
{
    if (last - s->first + 1 == s->count) return MN_OK;
    for (int64_t k = s->first; k <= last; k++) {
        char path[MN_SEQUENCE_NAME_BYTES];
        if (make_name(&s->name, k, path) && mn_file_exists(path)) continue;
        return mn_fail(s->context, MN_ERR_FILE,
                       "%s:0:0: the file is missing; the sequence goes from %" PRId64 " to %" PRId64, path, s->first,
                       last);
    }
    return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: two files have the same number", s->path);
}

static bool ends_in(const char *path, const char *ending)
{
    const size_t n = strlen(path), m = strlen(ending);
    if (n < m) return false;
    for (size_t k = 0; k < m; k++) {
        const char p = path[n - m + k];
        if ((p >= 'A' && p <= 'Z' ? p + 'a' - 'A' : p) != ending[k]) return false;
    }
    return true;
}

static mn_status open_files(mn_frame_source *s)
{
    char    path[MN_SEQUENCE_NAME_BYTES];
    int64_t last = -1;
    if (!parse_name(s->path, &s->name))
        return mn_fail(s->context, MN_ERR_ARGUMENT,
                       "%s:0:0: accepted is a name with the place of a number, as cloth-%%04d.obj, or a point cache "
                       ".pc2",
                       s->path);
    if (!ends_in(s->path, ".obj") && !ends_in(s->path, ".ply"))
        return mn_fail(s->context, MN_ERR_ARGUMENT,
                       "%s:0:0: the files of a sequence must end in .obj or .ply, whose vertices keep their order",
                       s->path);
    MN_TRY(find_files(s, &last));
    if (!make_name(&s->name, last, path))
        return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: the name is too long", s->path);
    MN_TRY(check_holes(s, last));
    s->spacing = 1.0;
    make_name(&s->name, s->first, path);
    return mn_mesh_read_textured(s->context, path, &s->mesh, &s->texture);
}

mn_status mn_frame_source_open(mn_context *c, const mn_mesh_sequence_def *def, mn_frame_source *out)
{
    *out      = (mn_frame_source){ .context = c };
    out->path = mn_strdup(c, def->path);
    if (out->path == NULL) return MN_ERR_MEMORY;
    if (ends_in(def->path, ".pc2")) return mn_point_cache_open(out, def->mesh);
    return open_files(out);
}

void mn_frame_source_close(mn_frame_source *s)
{
    if (s->context == NULL) return;
    if (s->is_cache) mn_file_close(&s->cache);
    mn_free(s->context, s->bytes);
    mn_mesh_free(s->context, &s->mesh);
    mn_mesh_texture_free(s->context, &s->texture);
    mn_free(s->context, s->path);
    *s = (mn_frame_source){ .context = NULL };
}

static mn_status hash_file(mn_context *c, const char *path, const mn_file_kind *kind, uint64_t *hash)
{
    unsigned char  *data   = NULL;
    size_t          bytes  = 0;
    const mn_status status = mn_mesh_read_bytes(c, path, kind, &data, &bytes);
    // The length too, so that no bytes can wander from the end of one file to the beginning of the next.
    if (status == MN_OK) *hash = mn_hash_bytes(mn_hash_mix(*hash ^ (uint64_t)bytes), data, bytes);
    mn_free(c, data);
    return status;
}

mn_status mn_frame_source_hash(const mn_frame_source *s, const char *mesh, uint64_t *out)
{
    *out = MN_HASH_SEED;
    if (s->is_cache) {
        MN_TRY(hash_file(s->context, mesh, &mn_mesh_kind, out));
        return hash_file(s->context, s->path, &mn_point_cache_kind, out);
    }
    for (int64_t k = 0; k < s->count; k++) {
        char path[MN_SEQUENCE_NAME_BYTES];
        (void)make_name(&s->name, s->first + k, path);
        MN_TRY(hash_file(s->context, path, &mn_mesh_kind, out));
    }
    return MN_OK;
}

void mn_frame_source_name(const mn_frame_source *s, int64_t frame, char text[MN_SEQUENCE_NAME_BYTES])
{
    if (s->is_cache) snprintf(text, MN_SEQUENCE_NAME_BYTES, "sample %" PRId64 " of %s", frame, s->path);
    else (void)make_name(&s->name, s->first + frame, text);
}

/// The triangles must be those of the first frame.
static mn_status check_same(const mn_frame_source *s, const char *path, const mn_mesh *m)
{
    char first[MN_SEQUENCE_NAME_BYTES];
    mn_frame_source_name(s, 0, first);
    if (m->vertex_count != s->mesh.vertex_count || m->triangle_count != s->mesh.triangle_count)
        return mn_fail(s->context, MN_ERR_FILE,
                       "%s:0:0: the file has %" PRId64 " vertices and %" PRId64 " triangles, but %s has %" PRId64
                       " and %" PRId64 "; they must not change within a sequence",
                       path, m->vertex_count, m->triangle_count, first, s->mesh.vertex_count, s->mesh.triangle_count);
    for (int64_t t = 0; t < m->triangle_count; t++)
        if (memcmp(m->triangle[t], s->mesh.triangle[t], sizeof *m->triangle) != 0)
            return mn_fail(s->context, MN_ERR_FILE,
                           "%s:0:0: triangle %" PRId64
                           " (counted from 1) joins other vertices than in %s; they must not change within a sequence",
                           path, t + 1, first);
    return MN_OK;
}

mn_status mn_frame_source_read(mn_frame_source *s, int64_t frame, double (*position)[3])
{
    if (s->is_cache) return mn_point_cache_read(s, frame, position);
    char    path[MN_SEQUENCE_NAME_BYTES];
    mn_mesh m;
    (void)make_name(&s->name, s->first + frame, path);
    MN_TRY(mn_mesh_read(s->context, path, &m));
    const mn_status status = check_same(s, path, &m);
    if (status == MN_OK) memcpy(position, m.vertex, (size_t)m.vertex_count * sizeof *m.vertex);
    mn_mesh_free(s->context, &m);
    return status;
}
