// SPDX-License-Identifier: MPL-2.0
// export/formats.h - one moment of a part as a file of another program. Lengths are cm, as in the frames.
#ifndef MN_EXPORT_FORMATS_H
#define MN_EXPORT_FORMATS_H

#include "output/vtp_read.h"

/// Two points a line, whether a part has polylines or single lines. Free with mn_free; NULL with MN_OK if there are
/// none.
mn_status mn_part_edges(mn_context *context, const mn_frame_part *part, int32_t **edges, int64_t *count);

/// Of what joins the points: equal in frames where it is the same.
uint64_t mn_part_shape_hash(const mn_frame_part *part);

/// Stanford PLY, binary, little endian: all points, what joins them (faces or edges), and all their values: "normals"
/// as nx ny nz, "velocity" as vx vy vz, "color" as red green blue of a byte each, others by name; several components as
/// name_0, name_1 ... Whole numbers of 64 bits, which the format lacks, become doubles.
mn_status mn_ply_make(const mn_frame_part *part, mn_buffer *out);

/// Wavefront OBJ: points, with their colour if they have one, normals, and faces, lines or points. The format knows no
/// other values.
mn_status mn_obj_make(const mn_frame_part *part, mn_buffer *out);

#endif
