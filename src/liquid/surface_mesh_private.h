// SPDX-License-Identifier: MPL-2.0
// liquid/surface_mesh_private.h - the fields a surface is cut from (surface_mesh.c) and the cutting (surface_cut.c).
#ifndef MN_LIQUID_SURFACE_MESH_PRIVATE_H
#define MN_LIQUID_SURFACE_MESH_PRIVATE_H

#include "base/arena.h"
#include "geom/cube_cases.h"
#include "grid/bins.h"
#include "liquid/surface_mesh.h"

/// Cells by which the liquid reaches into what cuts it. A wall of the domain lies on nodes of the grid: these count as
/// liquid then, so that edges of a basin come out sharp, and no triangle is without area.
#define MN_SURFACE_SKIN 1e-3

struct mn_surface_mesh {
    mn_context     *context;
    mn_arena       *arena;
    mn_solid_cache *cache;
    mn_cube_cases   cases;
    // The grid: its cell centres are the corners of the simulation's cells. All from the arena.
    mn_tiles tiles;
    mn_bins  bins;
    double  *weight;                       // liquid seen by each node, in cells
    double  *momentum[3];                  // the same times velocity
    double  *dissolved[MN_PIGMENTS_MOST];  // the same times concentration
    int      pigment_count;
    double  *level;   // of the liquid alone, cm
    double  *solid;   // of what cuts it, cm: negative where liquid may be
    uint8_t *inside;  // 1: both are negative
    uint8_t *unsure;  // 1: `level` says little, because hardly any of the kernel is open
    // The result
    double (*position)[3], (*velocity)[3];
    int32_t *cells;
    double  *concentration[MN_PIGMENTS_MOST];
    int64_t  concentration_capacity[MN_PIGMENTS_MOST];
    int64_t  position_capacity, velocity_capacity, cells_capacity;
    int64_t  point_count, cell_count;
};

/// Points and cells from the fields.
mn_status mn_surface_cut(mn_surface_mesh *m);

/// Draw thin liquid in one piece: lower the level set around its middle (surface_thin.c).
mn_status mn_surface_hold_thin(mn_surface_mesh *m, const mn_surface_source *s, const double *density);

/// Where a node is.
static inline mn_vec3 mn_surface_node(const mn_tiles *t, int32_t tile, int32_t x, int32_t y, int32_t z)
{
    const mn_grid_def  *g = &t->def;
    const mn_tile_coord k = t->coord[tile];
    const double        w = g->dimension == 3 ? g->origin.z + g->cell * (MN_TILE * k.z + z + 0.5)
                                              : g->origin.z + 0.5 * g->depth;
    return mn_v3(g->origin.x + g->cell * (MN_TILE * k.x + x + 0.5), g->origin.y + g->cell * (MN_TILE * k.y + y + 0.5),
                 w);
}

#endif
