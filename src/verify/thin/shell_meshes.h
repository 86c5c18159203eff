// SPDX-License-Identifier: MPL-2.0
// verify/thin/shell_meshes.h - flat sheets for the cases and tests of shells.
#ifndef MN_VERIFY_SHELL_MESHES_H
#define MN_VERIFY_SHELL_MESHES_H

#include "base/memory.h"
#include "math/vec.h"

typedef enum mn_sheet_kind {
    MN_SHEET_RIGHT,        ///< squares cut along parallel diagonals
    MN_SHEET_ALTERNATING,  ///< squares cut along alternating diagonals
    MN_SHEET_EQUILATERAL,  ///< rows shifted by half an edge; the sides are closed by halves of triangles
    MN_SHEET_JITTERED      ///< alternating, inner vertices moved by up to a quarter of an edge
} mn_sheet_kind;

const char *mn_sheet_name(mn_sheet_kind kind);

/// Vertices in the plane z = 0 over [0, width] x [0, height].
typedef struct mn_sheet {
    mn_vec3 *x;
    int32_t (*triangle)[3];
    int64_t vertices, triangles;
    int     columns, rows;
} mn_sheet;

/// `columns` edges along x; along y as many rows as keep the triangles in shape, or `rows` if above 0.
mn_status mn_sheet_make(mn_context *c, mn_sheet_kind kind, int columns, int rows, double width, double height,
                        mn_sheet *out);
void      mn_sheet_free(mn_context *c, mn_sheet *sheet);

#endif
