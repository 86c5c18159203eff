// SPDX-License-Identifier: MPL-2.0
// meniscus/weave.h - weaves: a tile of threads in, the tensor with which liquid spreads through the cloth out.
//
// A tile repeats for ever in both directions. x runs along the weft, y along the warp; cells are squares unless the
// tile says otherwise. What comes out is in the units of what goes in: multiply by cm^2/s to have a diffusivity.
#ifndef MENISCUS_WEAVE_H
#define MENISCUS_WEAVE_H

#include "meniscus/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A symmetric tensor of the plane.
typedef struct mn_tensor2 {
    double xx, xy, yy;
} mn_tensor2;

/// What is on top in a cell.
typedef enum mn_weave_cell { MN_WEAVE_GAP, MN_WEAVE_WEFT, MN_WEAVE_WARP } mn_weave_cell;

/// Most cells of a tile along a side.
#define MN_WEAVE_MOST_CELLS 64

/// The cells of a tile, row by row from the bottom, left to right. Either `cell` or `tensor` holds.
typedef struct mn_weave_tile {
    int         columns, rows;
    uint8_t    *cell;    ///< mn_weave_cell of each, or NULL
    mn_tensor2 *tensor;  ///< of each, positive semidefinite, or NULL
    double      aspect;  ///< height of a cell over its width, 0.01 .. 100: pitch of the wefts over that of the warps. 0
                         ///< means 1.
} mn_weave_tile;

/// How easily liquid passes from a cell to its neighbour, >= 0, by what the two are.
typedef struct mn_weave_table {
    double gap_gap, weft_weft, warp_warp, gap_weft, gap_warp, weft_warp;
} mn_weave_table;

/// What two neighbours make of a cell.
typedef enum mn_weave_pair {
    MN_WEAVE_ARITH,   ///< its tensor is the mean over its two sides along x and along y, as published
    MN_WEAVE_HARM,    ///< the harmonic mean: two resistors in series
    MN_WEAVE_NETWORK  ///< no tensors: a network of resistors between the middles of cells, solved as it is
} mn_weave_pair;

typedef struct mn_weave_def {
    mn_weave_pair  pair;    ///< for tiles of cells. Default arith.
    mn_weave_table table;   ///< Default 1, 100, 500, 10, 50, 200.
    double         gap;     ///< between the bounds, as a share, > 0: no finer mesh once it is reached. Default 0.01.
    int            finest;  ///< pieces of a cell along a side at most, 2 .. 256. Default 64.
    uint32_t       cookie;
} mn_weave_def;

MN_API mn_weave_def mn_weave_def_default(void);

typedef struct mn_weave_result {
    mn_tensor2 tensor;                ///< geometric mean of the two bounds
    mn_tensor2 upper, lower;          ///< the truth is between them, as matrices
    double     gap;                   ///< largest ratio of upper to lower over all directions, less 1
    mn_tensor2 arithmetic, harmonic;  ///< means over the tile; of a network over its links
    double     principal[2];          ///< eigenvalues of `tensor`, the larger first ...
    double     angle;                 ///< ... and the direction of its axis from the weft, rad, in (-pi/2, pi/2]
    int        pieces;                ///< of a cell along a side in the finest mesh; 0: a network
    int64_t    unknowns;              ///< of that mesh
    int        iterations;            ///< of all its solves
    double     residual;              ///< largest relative true residual of them
} mn_weave_result;

/// A tile by words: plain, twill (2/2), twill:N/M (over N, under M), satin (5/2), satin:N/STEP, knit, felt (one cell of
/// weft: no direction), rows of cells as "cells:|-/-|" (top row first; | warp, - weft, . gap), or the name of a file of
/// cells or tensors. With `gaps`, yarns of a woven preset stand apart: between two crossings each yarn is alone, and
/// between four there is a gap.
MN_API mn_status mn_weave_tile_make(mn_context *context, const char *words, bool gaps, mn_weave_tile *out);
/// The same from the text of a file; errors begin "name:line:column:". A line `cells` and lines of | - and . (top row
/// first), or a line `tensors COLUMNS ROWS` and for each cell, top row first, the numbers xx xy yy. # begins a comment.
MN_API mn_status mn_weave_tile_parse(mn_context *context, const char *name, const char *text, size_t bytes,
                                     mn_weave_tile *out);
MN_API void      mn_weave_tile_free(mn_context *context, mn_weave_tile *tile);

/// The tensor of a cloth made of this tile, by two bounds on meshes that are refined until they agree (stain 5.1).
MN_API mn_status mn_weave_homogenise(mn_context *context, const mn_weave_tile *tile, const mn_weave_def *def,
                                     mn_weave_result *out);

/// Draw the tile, two by two, and the ellipse of the tensor. SVG if the name ends in .svg, PNG if in .png.
MN_API mn_status mn_weave_draw(mn_context *context, const mn_weave_tile *tile, const mn_weave_result *result,
                               const char *path);

#ifdef __cplusplus
}
#endif
#endif
