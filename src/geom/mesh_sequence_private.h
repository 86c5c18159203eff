// SPDX-License-Identifier: MPL-2.0
// geom/mesh_sequence_private.h - where the frames of a sequence come from; for mesh_sequence*.c only.
#ifndef MN_GEOM_MESH_SEQUENCE_PRIVATE_H
#define MN_GEOM_MESH_SEQUENCE_PRIVATE_H

#include "base/file.h"
#include "geom/mesh_sequence.h"

/// Name of a file of a numbered sequence: front, number with at least `width` digits, end.
typedef struct mn_numbered_name {
    const char *text;         ///< the pattern
    size_t      front, back;  ///< lengths before % and from the letter after d
    int         width;
} mn_numbered_name;

#define MN_SEQUENCE_NAME_BYTES 4096

/// The frames of a sequence as files have them, in their units.
typedef struct mn_frame_source {
    mn_context      *context;
    mn_mesh          mesh;     ///< triangles, and the first frame
    mn_mesh_texture  texture;  ///< of the same file
    int64_t          count;
    double           spacing;   ///< frames of the rate from one to the next
    mn_numbered_name name;      ///< of numbered files
    int64_t          first;     ///< their first number
    bool             is_cache;  ///< a point cache, not numbered files
    mn_file_source   cache;
    unsigned char   *bytes;  ///< one sample of it
    char            *path;   ///< as given
} mn_frame_source;

mn_status mn_frame_source_open(mn_context *context, const mn_mesh_sequence_def *def, mn_frame_source *out);
void      mn_frame_source_close(mn_frame_source *source);
/// Positions of a frame.
mn_status mn_frame_source_read(mn_frame_source *source, int64_t frame, double (*position)[3]);
/// A hash over the bytes of all files; `mesh` is that of a point cache.
mn_status mn_frame_source_hash(const mn_frame_source *source, const char *mesh, uint64_t *out);
/// What to call a frame in a sentence.
void mn_frame_source_name(const mn_frame_source *source, int64_t frame, char text[MN_SEQUENCE_NAME_BYTES]);

/// mesh_sequence_cache.c: PC2.
extern const mn_file_kind mn_point_cache_kind;
mn_status                 mn_point_cache_open(mn_frame_source *source, const char *mesh);
mn_status                 mn_point_cache_read(mn_frame_source *source, int64_t frame, double (*position)[3]);

#endif
