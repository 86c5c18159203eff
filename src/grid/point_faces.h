// SPDX-License-Identifier: MPL-2.0
// grid/point_faces.h - the faces of the grid that points see, numbered without gaps, and the weights of the points.
//
// Faces are numbered axis by axis and x fastest, so that the three faces which a vertex sees in one row of the grid are
// neighbours (fabric-operator 3.1). Vertices stand here in the order of their cells; `order` leads back to their
// numbers.
#ifndef MN_GRID_POINT_FACES_H
#define MN_GRID_POINT_FACES_H

#include "grid/bins.h"

/// Where one vertex stands: its place in its cell, in cells from the low corner, [0, 1). Of each axis there are nodes
/// on the faces (kind 0) and between them (kind 1); node j of the three nearest ones lies (j - 1 - t) cells from the
/// vertex, and the quadratic B-spline weights are (1/2 - t)^2 / 2, 3/4 - t^2, (1/2 + t)^2 / 2.
typedef struct mn_point_stencil {
    double  place[3];
    int32_t cell;  ///< number of its mn_cell_rows
} mn_point_stencil;

/// Numbers of the first faces of all rows that vertices of one cell see. In the upper half of the cell along their axis
/// they see nodes that lie one further: rows of axis 0 are those of the upper half, those of axes 1 and 2 reach over
/// both.
typedef struct mn_cell_rows {
    int32_t row[9 + 12 + 12];
} mn_cell_rows;

static inline double mn_stencil_offset(const mn_point_stencil *s, int axis, int kind)
{
    return s->place[axis] - (kind == 1 ? 0.5 : s->place[axis] >= 0.5 ? 1.0 : 0.0);
}
/// The nine rows of an axis: row (z, y) begins with face row[stride z + y] - shift.
typedef struct mn_stencil_rows {
    const int32_t *row;
    int            stride, shift;
} mn_stencil_rows;
static inline mn_stencil_rows mn_stencil_rows_of(const mn_point_stencil *s, const mn_cell_rows *cells, int axis)
{
    const int32_t *row = cells[s->cell].row;
    if (axis == 0) return (mn_stencil_rows){ row, 3, s->place[0] < 0.5 };
    if (axis == 1) return (mn_stencil_rows){ row + 9 + (s->place[1] >= 0.5), 4, 0 };
    return (mn_stencil_rows){ row + 21 + 3 * (s->place[2] >= 0.5), 3, 0 };
}

typedef struct mn_point_faces {
    mn_tiles          tiles;
    mn_bins           bins;
    int64_t           vertices;
    mn_point_stencil *stencils;  ///< vertex order[k], in the order of the bins
    mn_cell_rows     *cells;     ///< of the cells that hold vertices
    const int32_t    *order;
    int32_t           count;          ///< faces of all axes; arrays over them have `count` + 4 values, the last 4 zero
    int32_t           axis_start[4];  ///< faces of axis a: axis_start[a] .. axis_start[a+1]-1
    uint8_t          *bits[3];        ///< per row of eight faces (tile * 64 + row): which are numbered
    int32_t          *first[3];       ///< number of the first of them
    int32_t          *color_tiles;    ///< real tiles by colour: no two of a colour share a face
    int32_t           color_start[9];
} mn_point_faces;

/// Build tiles, numbers and weights for vertices at `position`. Everything comes from the arena. Not for periodic axes.
mn_status mn_point_faces_build(mn_context *c, mn_arena *arena, const mn_grid_def *grid, const double *const position[3],
                               int64_t count, mn_point_faces *out);

/// The points first .. first + count - 1 of `all` as points of their own, numbered from 0, on the same faces: matters
/// whose points see each other on the grid are numbered together, and go their own ways.
mn_status mn_point_faces_part(mn_arena *arena, const mn_point_faces *all, int64_t first, int64_t count,
                              mn_point_faces *out);

/// A face whose mass has vanished carries nothing: its equation is left out (fabric-operator trap 1).
static inline double mn_inverse_mass(double mass) { return mass > 0.0 ? 1.0 / mass : 0.0; }

/// An array over the faces, zeroed, with its padding.
double *mn_point_faces_array(mn_arena *arena, const mn_point_faces *f);

/// v_a = sum w u at every vertex (3 values each, by vertex number). With `moment` also its first moments
/// G_ab = sum w u_a r_b (9 values each, cm^2/s; the gradient is 4 / cell^2 times that).
void mn_points_collect(mn_context *c, const mn_point_faces *f, const double *u, double *v, double *moment);
/// out_i = sum over vertices of w (force_a + sum_b stress_ab r_b): the transpose of mn_points_collect. `stress` may be
/// NULL. out is overwritten.
void mn_points_spread(mn_context *c, const mn_point_faces *f, const double *force, const double *stress, double *out);
/// The same added to what out holds.
void mn_points_spread_add(mn_context *c, const mn_point_faces *f, const double *force, const double *stress,
                          double *out);

#endif
