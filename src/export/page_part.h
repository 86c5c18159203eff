// SPDX-License-Identifier: MPL-2.0
// export/page_part.h - one part of a run as columns of numbers, and a moment of it as bytes of a page.
#ifndef MN_EXPORT_PAGE_PART_H
#define MN_EXPORT_PAGE_PART_H

#include "export/pack.h"
#include "output/vtp_read.h"

/// Three coordinates, three channels of colour, and a column an array.
#define MN_PAGE_COLUMNS_MAX (MN_VTP_ARRAYS_MAX + 6)

/// A number at every point: a component of an array, or the length of all its components.
typedef struct mn_page_column {
    char name[64], array[64];  ///< "" is the array of the points
    int  component;            ///< -1: the length
    bool is_field;             ///< something to colour by
} mn_page_column;

typedef struct mn_page_part {
    mn_frame_cells kind;
    mn_look        look;
    mn_page_column column[MN_PAGE_COLUMNS_MAX];
    int            column_count;
} mn_page_part;

/// Whether `name` is one of a list with commas between; NULL is the list of everything.
bool mn_page_lists(const char *list, const char *name);

/// The columns of a part: x, y, z; color_0 to color_2 if it has colours; "speed" for its velocity; every other value
/// but normals and ids, as far as `fields` lists it. What a part is drawn with, the radius of yarn and the volume of
/// particles, is always there.
mn_page_part mn_page_part_plan(const mn_frame_part *part, const char *fields);

/// The number of points (four bytes), then every column as mn_pack_reals has it. ranges[k] is widened by what column k
/// holds.
mn_status mn_page_add_points(mn_buffer *out, const mn_page_part *plan, const mn_frame_part *now, mn_pack_range *ranges);
/// The numbers of corners and of ends (four bytes each), then both lists as mn_pack_whole has them, four bytes wide.
/// Triangles and single lines have no ends.
mn_status mn_page_add_shape(mn_buffer *out, const mn_frame_part *now);

#endif
