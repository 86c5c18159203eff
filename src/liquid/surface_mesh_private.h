// SPDX-License-Identifier: MPL-2.0
// liquid/surface_mesh_private.h - the stations between particles and a mesh of their surface.
//
// surface_mesh.c   what the liquid is at the corners of the simulation's cells: density, level, velocity
// surface_fine.c   its level at nodes of half that spacing, where the surface is
// surface_sparse.c liquid of too little density for a level: ellipsoids around its particles join the fine level
// surface_room.c   how much room the levels give to drops
// surface_region.c the connected regions, and the volume of the particles in each
// surface_cut.c    points and cells
// surface_fit.c    each region is given the volume of its particles
// surface_round.c  more triangles where the surface bends by much
#ifndef MN_LIQUID_SURFACE_MESH_PRIVATE_H
#define MN_LIQUID_SURFACE_MESH_PRIVATE_H

#include "base/arena.h"
#include "geom/cube_cases.h"
#include "grid/bins.h"
#include "liquid/surface_mesh.h"

/// Cells by which the liquid reaches into what cuts it. A wall of the domain lies on nodes of the grid: these count as
/// liquid then, so that edges of a basin come out sharp, and no triangle is without area.
#define MN_SURFACE_SKIN 1e-3
/// Level of a node that sees no liquid, in cells: as deep as the density tells.
#define MN_SURFACE_FAR 1.5

/// Levels at the nodes of a grid. All from the arena.
typedef struct mn_surface_nodes {
    mn_tiles tiles;
    double  *level;   // of the liquid alone, cm
    double  *solid;   // of what cuts it, cm: negative where liquid may be
    uint8_t *unsure;  // 1: `level` says little, because hardly any of the kernel is open
} mn_surface_nodes;

/// A particle that the density of the liquid does not show, as an ellipsoid.
typedef struct mn_surface_drop {
    mn_vec3 center;
    double  radius;   // cm, the shortest half axis: at least what no node misses
    double  form[6];  // xx, yy, zz, xy, xz, yz of the matrix of (x - center)^2 / half axis^2
    double  reach;    // cm, the longest half axis
} mn_surface_drop;

struct mn_surface_mesh {
    mn_context     *context;
    mn_arena       *arena;
    mn_solid_cache *cache;
    mn_cube_cases   cases;
    // At the corners of the simulation's cells: these are the cell centres of the grid `coarse`.
    mn_surface_nodes coarse;
    mn_bins          bins;
    double          *weight;                       // liquid seen by each node, in cells
    double          *momentum[3];                  // the same times velocity
    double          *dissolved[MN_PIGMENTS_MOST];  // the same times concentration
    int              pigment_count;
    // Drops
    double          *deepest;  // level within a cell of each coarse node
    mn_surface_drop *drop;
    int32_t         *drop_of;  // of each particle; -1: the density shows it
    uint8_t         *sparse;   // per coarse cell: it has a particle with a drop
    uint8_t         *joined;   // per fine tile: drops reach into it
    double          *room;     // inside the fine levels, seen by each coarse node as `weight` is; where drops are
    int32_t          drop_count;
    // At half the spacing
    mn_surface_nodes fine;
    uint8_t         *inside;   // 1: both levels are negative
    int32_t         *region;   // of each fine node; -1: outside
    double          *content;  // cm^3 of particles in each region
    int32_t         *lone;     // of each region: its only particle; -1: it has none yet, -2: several
    int32_t          region_count;
    // Points
    uint8_t *on_solid;   // 1: the point lies on what cuts the liquid
    int32_t *region_of;  // of each point
    // The result
    double (*position)[3], (*velocity)[3];
    int32_t *cells;
    double  *concentration[MN_PIGMENTS_MOST];
    int64_t  concentration_capacity[MN_PIGMENTS_MOST];
    int64_t  position_capacity, velocity_capacity, cells_capacity;
    int64_t  point_count, cell_count;
};

/// Fine nodes wherever the coarse ones see liquid, and both levels there.
mn_status mn_surface_refine(mn_surface_mesh *m, const mn_surface_source *s);
/// Level of what cuts the liquid: of obstacles and walls if they are near, of the ends of periodic axes.
double mn_surface_cutting_level(const mn_surface_source *s, mn_vec3 x, bool near_solid);
/// Drops for the particles that the density does not show, and their level joined to the fine one.
mn_status mn_surface_find_drops(mn_surface_mesh *m, const mn_surface_source *s);
mn_status mn_surface_join_drops(mn_surface_mesh *m);
/// Which fine nodes are inside; the regions they make; the first `own` particles are counted. A region without any is
/// no liquid.
mn_status mn_surface_regions(mn_surface_mesh *m, const mn_surface_source *s, int64_t own);
/// The room inside the levels around drops.
mn_status mn_surface_see_room(mn_surface_mesh *m);
/// Points and cells from the fields.
mn_status mn_surface_cut(mn_surface_mesh *m);
/// Move the points so that every region has the volume of its particles; velocities of drops.
mn_status mn_surface_fit(mn_surface_mesh *m, const mn_surface_source *s);

/// Divide edges whose ends have unlike normals, unless one of them is fixed.
mn_status mn_surface_round(mn_surface_mesh *m, const double (*normal)[3], const uint8_t *fixed);

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

/// Numbers of the node nearest to a point, along each axis.
static inline void mn_surface_nearest(const mn_tiles *t, mn_vec3 x, int32_t at[3])
{
    const mn_grid_def *g = &t->def;
    for (int a = 0; a < 3; a++)
        at[a] = a < g->dimension ? mn_cell_floor(mn_place_in_cells(mn_get3(x, a), mn_get3(g->origin, a), 1.0 / g->cell))
                                 : 0;
}

/// Place of a node in a field; one in the null tile if it does not exist.
static inline int64_t mn_surface_place(const mn_tiles *t, int32_t x, int32_t y, int32_t z)
{
    const int32_t tile = mn_tiles_find(t, (mn_tile_coord){ x >> 3, y >> 3, z >> 3 });
    return tile == 0 ? 0 : (int64_t)tile * t->cells + mn_cell_in_tile(x & 7, y & 7, z & 7);
}

/// A node and where it is: a place from which those up to a tile away are found without a search.
typedef struct mn_surface_spot {
    int32_t tile, x, y, z;  // inside the tile; tile 0: it does not exist
} mn_surface_spot;

static inline mn_surface_spot mn_surface_spot_of(const mn_tiles *t, const int32_t at[3])
{
    const int32_t tile = mn_tiles_find(t, (mn_tile_coord){ at[0] >> 3, at[1] >> 3, at[2] >> 3 });
    return (mn_surface_spot){ tile, at[0] & 7, at[1] & 7, at[2] & 7 };
}

/// Place in a field of a node up to 8 away along each axis (in two dimensions none along z); one in the null tile if it
/// does not exist.
static inline int64_t mn_surface_beside(const mn_tiles *t, const mn_surface_spot *s, int x, int y, int z)
{
    const int     i = s->x + x, j = s->y + y, k = s->z + z;
    const int32_t tile = t->neighbor[s->tile][13 + (i >> 3) + 3 * (j >> 3) + 9 * (k >> 3)];
    return tile == 0 ? 0 : (int64_t)tile * t->cells + mn_cell_in_tile(i & 7, j & 7, k & 7);
}

/// A level at a point, between nodes.
double mn_surface_level_at(const mn_tiles *tiles, const double *level, mn_vec3 x);
/// How much of the liquid at a point the density does not show: 0 none, 1 all of it.
double mn_surface_alone(const mn_surface_mesh *m, mn_vec3 x);

/// Radius of a ball of a volume; of a disc in two dimensions.
static inline double mn_surface_radius(const mn_grid_def *g, double volume)
{
    const double pi = 3.14159265358979323846;
    return g->dimension == 3 ? cbrt(0.75 * volume / pi) : sqrt(volume / (g->depth * pi));
}

/// 0 at 0 and below, 1 at 1 and above, and smooth.
static inline double mn_surface_smooth_step(double x)
{
    const double t = fmax(0.0, fmin(1.0, x));
    return t * t * (3.0 - 2.0 * t);
}

#endif
