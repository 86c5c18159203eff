// SPDX-License-Identifier: MPL-2.0
// geom/mesh_sequence_cache.c - point caches (PC2): 32 bytes of header, then positions as float, sample by sample.
#include "geom/mesh_sequence_private.h"

#include <inttypes.h>
#include <string.h>

#define HEADER 32
#define POINT  12  // bytes

static uint32_t word_at(const unsigned char *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const unsigned char *b)
{
    const uint32_t bits = word_at(b);
    float          f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

const mn_file_kind mn_point_cache_kind = { "a point cache", (int64_t)1 << 40 };

static mn_status unreadable(const mn_frame_source *s, const mn_file_error *error)
{
    return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: the file cannot be read: %s", s->path, mn_file_reason(error));
}

/// Points and samples must account for every byte of the file.
static mn_status check_size(mn_frame_source *s, int64_t points)
{
    const int64_t bytes = s->cache.bytes, body = bytes - HEADER, sample = points * POINT;
    if (s->count < 1 || points < 1)
        return mn_fail(s->context, MN_ERR_FILE,
                       "%s:0:0: the header promises %" PRId64 " samples of %" PRId64
                       " points; at least one of each is needed",
                       s->path, s->count, points);
    if (body / sample < s->count || body % sample != 0 || body / sample > s->count)
        return mn_fail(s->context, MN_ERR_FILE,
                       "%s:0:0: %" PRId64 " samples of %" PRId64 " points take %.0f bytes, but the file has %" PRId64
                       "%s",
                       s->path, s->count, points, (double)HEADER + (double)s->count * (double)sample, bytes,
                       body / sample < s->count ? ": it is cut off" : "");
    return MN_OK;
}

static mn_status read_header(mn_frame_source *s)
{
    unsigned char h[HEADER];
    mn_file_error error;
    if (s->cache.bytes < HEADER)
        return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: the file ends within the header of a point cache", s->path);
    if (mn_file_read_at(&s->cache, s->path, 0, h, sizeof h, &error) != MN_OK) return unreadable(s, &error);
    if (memcmp(h, "POINTCACHE2", 12) != 0)
        return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: the file does not begin with POINTCACHE2", s->path);
    if (word_at(h + 12) != 1)
        return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: the version is %" PRIu32 "; accepted is 1", s->path,
                       word_at(h + 12));
    const int64_t points = (int32_t)word_at(h + 16);
    s->count             = (int32_t)word_at(h + 28);
    s->spacing           = float_at(h + 24);
    if (!(s->spacing > 0.0 && isfinite(s->spacing)))
        return mn_fail(s->context, MN_ERR_FILE,
                       "%s:0:0: the header has %g frames from sample to sample; it must be above 0", s->path,
                       s->spacing);
    MN_TRY(check_size(s, points));
    if (points != s->mesh.vertex_count)
        return mn_fail(s->context, MN_ERR_FILE,
                       "%s:0:0: the point cache has %" PRId64 " points, but its mesh has %" PRId64 " vertices", s->path,
                       points, s->mesh.vertex_count);
    return MN_OK;
}

mn_status mn_point_cache_open(mn_frame_source *s, const char *mesh)
{
    if (mesh == NULL)
        return mn_fail(s->context, MN_ERR_ARGUMENT, "%s:0:0: a point cache needs a mesh file that has its triangles",
                       s->path);
    MN_TRY(mn_mesh_read_textured(s->context, mesh, &s->mesh, &s->texture));
    mn_file_error error;
    if (mn_file_open(&s->cache, s->path, &mn_point_cache_kind, &error) != MN_OK) return unreadable(s, &error);
    s->is_cache = true;
    MN_TRY(read_header(s));
    s->bytes = mn_alloc_array(s->context, unsigned char, POINT * s->mesh.vertex_count);
    if (s->bytes == NULL) return MN_ERR_MEMORY;
    return mn_point_cache_read(s, 0, s->mesh.vertex);
}

mn_status mn_point_cache_read(mn_frame_source *s, int64_t frame, double (*position)[3])
{
    const int64_t points = s->mesh.vertex_count;
    const size_t  bytes  = (size_t)points * POINT;
    mn_file_error error;
    if (mn_file_read_at(&s->cache, s->path, HEADER + frame * (int64_t)bytes, s->bytes, bytes, &error) != MN_OK)
        return unreadable(s, &error);
    for (int64_t v = 0; v < points; v++)
        for (int a = 0; a < 3; a++) {
            position[v][a] = float_at(s->bytes + v * POINT + 4 * a);
            if (!isfinite(position[v][a]))
                return mn_fail(s->context, MN_ERR_FILE,
                               "%s:0:0: point %" PRId64 " of sample %" PRId64 " (counted from 0) is not finite",
                               s->path, v, frame);
        }
    return MN_OK;
}
