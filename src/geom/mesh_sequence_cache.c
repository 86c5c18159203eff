// SPDX-License-Identifier: MPL-2.0
// geom/mesh_sequence_cache.c - point caches (PC2): 32 bytes of header, then positions as float, sample by sample.
#include "geom/mesh_sequence_private.h"

#include <errno.h>
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

static mn_status unreadable(const mn_frame_source *s)
{
    return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: the file cannot be read: %s", s->path,
                   errno != 0 ? strerror(errno) : "it has become shorter");
}

/// Points and samples must account for every byte of the file.
static mn_status check_size(mn_frame_source *s, int64_t points)
{
    if (fseeko(s->cache, 0, SEEK_END) != 0) return unreadable(s);
    const int64_t bytes = (int64_t)ftello(s->cache), body = bytes - HEADER, sample = points * POINT;
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
    errno = 0;
    if (fread(h, 1, sizeof h, s->cache) != sizeof h) {
        if (ferror(s->cache)) return unreadable(s);
        return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: the file ends within the header of a point cache", s->path);
    }
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
    s->cache = fopen(s->path, "rb");
    if (s->cache == NULL)
        return mn_fail(s->context, MN_ERR_FILE, "%s:0:0: the file cannot be opened: %s", s->path, strerror(errno));
    MN_TRY(read_header(s));
    s->bytes = mn_alloc_array(s->context, unsigned char, POINT * s->mesh.vertex_count);
    if (s->bytes == NULL) return MN_ERR_MEMORY;
    return mn_point_cache_read(s, 0, s->mesh.vertex);
}

mn_status mn_point_cache_read(mn_frame_source *s, int64_t frame, double (*position)[3])
{
    const int64_t points = s->mesh.vertex_count;
    const size_t  bytes  = (size_t)points * POINT;
    errno                = 0;
    if (fseeko(s->cache, HEADER + frame * (int64_t)bytes, SEEK_SET) != 0 ||
        fread(s->bytes, 1, bytes, s->cache) != bytes)
        return unreadable(s);
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
