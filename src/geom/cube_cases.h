// SPDX-License-Identifier: MPL-2.0
// geom/cube_cases.h - which triangles a surface makes in a cube, for each of the 256 ways its corners can be inside.
//
// Corners are numbered by bits: 1 for +x, 2 for +y, 4 for +z. Edge 4 a + n runs along axis a; its low corner is
// mn_cube_edge_low(4 a + n). A square is the face z = 0 of the cube, with edges 0, 1 along x and 4, 5 along y.
#ifndef MN_GEOM_CUBE_CASES_H
#define MN_GEOM_CUBE_CASES_H

#include <stdint.h>

enum { MN_CUBE_TRIANGLES_MAX = 5, MN_SQUARE_LINES_MAX = 2 };

typedef struct mn_cube_case {
    int8_t count;                           ///< triangles
    int8_t edge[MN_CUBE_TRIANGLES_MAX][3];  ///< edges whose crossings they join; anticlockwise seen from outside
} mn_cube_case;

typedef struct mn_square_case {
    int8_t count;                         ///< lines
    int8_t edge[MN_SQUARE_LINES_MAX][2];  ///< the inside lies to the left
} mn_square_case;

typedef struct mn_cube_cases {
    mn_cube_case   cube[256];
    mn_square_case square[16];
} mn_cube_cases;

/// Work out every case. Bit n of a case says that corner n is inside.
///
/// Meshes of these triangles are closed and manifold for any signs: on a face with two inside corners across each other
/// both neighbours keep the two apart, and no triangle has a side that runs across a face without being a cut of it.
void mn_cube_cases_make(mn_cube_cases *out);

/// The corner an edge starts from; it ends at that corner with the bit of its axis set.
static inline int mn_cube_edge_low(int edge)
{
    const int axis = edge / 4, n = edge % 4, u = axis == 0 ? 2 : 1, v = axis == 2 ? 2 : 4;
    return (n & 1 ? u : 0) | (n & 2 ? v : 0);
}

#endif
