// SPDX-License-Identifier: MPL-2.0
// grid/levelset.h - the surface of the liquid as a function of its density (liquid 5.2, 5.7).
//
// F(z) is the density a cell sees whose centre lies z cells below a flat surface of an even liquid: the distribution
// function of the kernel. F2 is the same after smoothing by (1,2,1)/4 along every axis.
#ifndef MN_GRID_LEVELSET_H
#define MN_GRID_LEVELSET_H

#include "grid/tiles.h"

/// F and its derivative; z in cells. 0 below -1.5, 1 above 1.5.
double mn_density_below(double depth);
double mn_density_below_slope(double depth);
/// F^-1, in cells, within -1.5 .. 1.5; densities up to 0 and from 1 give the ends. A NaN stays one.
double mn_depth_of_density(double density);

/// F2, its derivative and inverse, within -2.5 .. 2.5.
double mn_density_below_wide(double depth);
double mn_density_below_wide_slope(double depth);
double mn_depth_of_wide_density(double density);

/// Cells whose kernel is less open than this hold no liquid (liquid 5.2).
#define MN_OPEN_MIN 1e-3

/// Density from which liquid counts as whole (3.2 cells across a thread, 1.8 through a sheet), and below which
/// particles are not neighbours: one alone gives 0.053 at most. liquid 5.9
#define MN_DENSITY_WHOLE 0.9
#define MN_DENSITY_HELD  0.06

/// Density smoothed by (1,2,1) along every axis with the weights n; `open` NULL means 1 everywhere.
/// A cell without any open neighbour keeps its own density.
void mn_density_smooth(mn_context *c, const mn_tiles *tiles, const double *density, const double *open, double *smooth);

/// near[i] = 1 for every cell within 2 cells, in each axis, of one whose `marked` is not 0; else 0.
mn_status mn_cells_near(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const uint8_t *marked, uint8_t *near);

/// (E6): the density each cell should have: 1 if no cell of `air` (1 = air, 0 = not) lies within 2 cells in each axis,
/// else that of the flat surface which the smoothed density sees.
mn_status mn_density_expected(mn_context *c, mn_arena *arena, const mn_tiles *tiles, const double *density,
                              const double *open, const uint8_t *air, double *expected);

#endif
