// SPDX-License-Identifier: MPL-2.0
// geom/mesh_reader.h - what readers of text share: the bytes, the growing mesh, and errors with their place.
#ifndef MN_GEOM_MESH_READER_H
#define MN_GEOM_MESH_READER_H

#include "base/file.h"
#include "geom/mesh.h"

/// A file being read. Memory grows with what was read, never with what a header claims.
typedef struct mn_mesh_reader {
    mn_context          *context;
    const char          *name;
    const unsigned char *data;
    size_t               bytes;
    size_t               at;      ///< next byte
    bool                 binary;  ///< the rest is binary: places are byte offsets
    mn_mesh              mesh;
    size_t              *place;  ///< offset at which each triangle began
    int64_t              vertex_capacity, triangle_capacity, place_capacity;
    int32_t             *polygon;  ///< corners of the face at hand
    int64_t              polygon_count, polygon_capacity;
    bool                 textured;          ///< texture coordinates are kept
    bool                 texture_optional;  ///< a file without any may name them all the same
    mn_mesh_texture      texture;
    int64_t              texture_capacity, corner_capacity, polygon_texture_capacity;
    int32_t             *polygon_texture;  ///< of each corner of the face at hand
} mn_mesh_reader;

/// A piece of text inside the file.
typedef struct mn_token {
    size_t begin, length;
} mn_token;

/// "name:line:column: sentence" for the byte at `offset`.
mn_status mn_mesh_error(const mn_mesh_reader *r, size_t offset, const char *format, ...) MN_PRINTF(3, 4);

mn_status mn_mesh_add_vertex(mn_mesh_reader *r, size_t place, const double x[3]);
mn_status mn_mesh_add_corner(mn_mesh_reader *r, int32_t vertex);
/// Texture coordinates of the corner added last; -1: none. Kept only by a reader that is textured.
mn_status mn_mesh_texture_corner(mn_mesh_reader *r, int32_t texture);
/// The corners added since the last face become a fan of triangles.
mn_status mn_mesh_end_face(mn_mesh_reader *r, size_t place);

mn_status mn_mesh_parse_obj(mn_mesh_reader *r);
/// One line of OBJ whose first word has been read: v and f are understood, others passed over.
mn_status mn_mesh_obj_line(mn_mesh_reader *r, mn_token key);
/// Add the vertex that a corner of OBJ names (v, v/vt, v//vn or v/vt/vn).
mn_status mn_mesh_obj_corner(mn_mesh_reader *r, mn_token word);
/// No zero-area and no duplicated triangles.
mn_status mn_mesh_check_triangles(mn_mesh_reader *r);
/// The bytes of a file; free them with mn_free, also after a failure.
mn_status mn_mesh_read_bytes(mn_context *c, const char *path, const mn_file_kind *kind, unsigned char **data,
                             size_t *bytes);
extern const mn_file_kind mn_mesh_kind;
mn_status                 mn_mesh_parse_ply(mn_mesh_reader *r);
mn_status                 mn_mesh_parse_stl(mn_mesh_reader *r);

/// The next word on this line; length 0 at its end. A backslash before the end of a line continues it.
mn_token mn_text_word(mn_mesh_reader *r);
/// The next word on this or a later line; length 0 at the end of the file.
mn_token mn_text_word_anywhere(mn_mesh_reader *r);
/// Go to the beginning of the next line.
void mn_text_next_line(mn_mesh_reader *r);
bool mn_text_is(const mn_mesh_reader *r, mn_token word, const char *expected);
/// The same without regard to capitals.
bool mn_text_is_any_case(const mn_mesh_reader *r, mn_token word, const char *expected);
/// Read a finite decimal number, or say what was found instead.
mn_status mn_text_number(const mn_mesh_reader *r, mn_token word, double *out);

#endif
