// SPDX-License-Identifier: MPL-2.0
// liquid/surface_mesh.h - the surface of the liquid as a closed mesh, made from the particles when a frame is due.
//
// The surface is where the density (liquid 5.2) falls to one half, put right for curvature, cut by walls and obstacles.
// Sheets, threads, drops and single particles, whose density stays below one half, are part of it, and every connected
// piece has the volume of its particles (liquid 5.13). In two dimensions it is made of lines.
#ifndef MN_LIQUID_SURFACE_MESH_H
#define MN_LIQUID_SURFACE_MESH_H

#include "grid/solid/solid.h"
#include "grid/tiles.h"
#include "meniscus/stain.h"

/// What the surface is made from. Only looked at: neither order nor values of the particles change.
typedef struct mn_surface_source {
    mn_grid_def   grid;  ///< of the simulation
    const double *position[3], *velocity[3], *volume;
    int           pigment_count;
    const double *pigment[MN_PIGMENTS_MOST];  ///< g in each particle
    int64_t       count;
    mn_solids     solids;
} mn_surface_source;

/// Borrowed until the next call. Every edge of the triangles belongs to two of them, which run round it in opposite
/// directions; they are anticlockwise seen from the air. Lines have the liquid to their left, and every point ends one
/// line and begins another.
typedef struct mn_surface_view {
    int64_t point_count, cell_count;
    const double (*position)[3];  ///< cm
    const double (
        *velocity)[3];  ///< cm/s, of the particles around, weighted by the kernel and their volume; of drops, those
    const double  *concentration[MN_PIGMENTS_MOST];  ///< g/cm^3 of each pigment, likewise
    int            corners;                          ///< of a cell: 3, or 2 in two dimensions
    const int32_t *cells;                            ///< corners * cell_count points
} mn_surface_view;

typedef struct mn_surface_mesh mn_surface_mesh;

mn_status mn_surface_mesh_create(mn_context *c, mn_surface_mesh **out);
void      mn_surface_mesh_destroy(mn_surface_mesh **mesh);

/// The surface as the particles stand. Where a periodic axis repeats, the liquid is cut and closed by a flat end.
/// Same bits for any number of threads. Only no liquid at all gives an empty view.
mn_status mn_surface_mesh_make(mn_surface_mesh *mesh, const mn_surface_source *source, mn_surface_view *out);

#endif
