// SPDX-License-Identifier: MPL-2.0
// output/vtp.h - one part of a frame as VTK XML PolyData with raw appended data, and the list of all parts (PVD).
#ifndef MN_OUTPUT_VTP_H
#define MN_OUTPUT_VTP_H

#include "base/fields.h"
#include "meniscus/scene.h"
#include "output/buffer.h"
#include "output/look.h"

/// Values at points. Value i of component k is component[k][i * stride]. Real numbers are written as Float32, whole
/// numbers as they are.
typedef struct mn_frame_array {
    const char *name;
    mn_type     type;
    int         components;  ///< 1 .. 9
    int         stride;
    const void *component[9];
    int         field;  ///< 1 + the mn_output_field that asks for it in files; 0: it is always there
} mn_frame_array;

typedef enum mn_frame_cells { MN_CELLS_VERTICES, MN_CELLS_LINES, MN_CELLS_TRIANGLES } mn_frame_cells;

/// A named thing to look at: points, what joins them, and what is known at them. Borrows everything. An array named
/// "normals" is what viewers light the part by.
typedef struct mn_frame_part {
    const char           *name;    ///< of the file and of the part in ParaView
    mn_look               look;    ///< goes into the file
    mn_frame_array        points;  ///< three components
    int64_t               point_count;
    mn_frame_cells        kind;
    const int32_t        *cells;  ///< 2 or 3 points a cell; NULL with vertices: every point is one
    const int32_t        *ends;   ///< with lines: where among `cells` each polyline ends; NULL: 2 points a cell
    int64_t               cell_count;
    const mn_frame_array *arrays;
    int                   array_count;
    bool                  timeless;  ///< does not carry its time, so that equal shapes are equal files
    double                time;      ///< s
} mn_frame_part;

/// Components of plain arrays, one after the other (`xyz`), or of separate arrays.
mn_frame_array mn_frame_array_packed(const char *name, mn_type type, int components, const void *values);
mn_frame_array mn_frame_array_split(const char *name, const double *x, const double *y, const double *z);
mn_frame_array mn_frame_array_single(const char *name, mn_type type, const void *values);
/// The array as one that files have only if it is asked for.
mn_frame_array mn_frame_array_of_field(mn_frame_array array, mn_output_field field);

/// The bytes of the .vtp file.
mn_status mn_vtp_make(const mn_frame_part *part, mn_buffer *out);

/// Text inside an XML attribute.
void mn_xml_text(mn_buffer *out, const char *text);

#endif
