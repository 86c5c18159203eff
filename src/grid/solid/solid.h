// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid.h - obstacles and walls on the sparse grid: open parts of faces, cells and kernels, and points near
// them.
//
// Every obstacle is a signed distance with a pose; a wall of the domain is one too (a plane: a half space). Open parts
// of several obstacles are combined by adding what each of them covers (liquid 5.3), so that a gap keeps its width.
#ifndef MN_GRID_SOLID_H
#define MN_GRID_SOLID_H

#include "base/pool.h"
#include "geom/motion.h"
#include "geom/shape.h"
#include "grid/tiles.h"

/// One obstacle or wall of the domain. Distance at x: mn_shape_at(shape, mn_solid_rest(&solid, x)).
typedef struct mn_solid {
    const mn_shape *shape;
    mn_pose         pose;
    bool            moving;   ///< false: at rest, its velocity is zero whatever the pose says
    bool            flat;     ///< the world is its section with the plane of a 2D grid: normals lie in that plane
    bool            no_slip;  ///< for the velocities inside it (mn_solid_mirror_faces)
    double  layer;   ///< cm^2/s: speed times distance up to which a no-slip wall's layer fills the distance; 0: always
    int32_t object;  ///< index for forces; not used here
    double  friction;   ///< coefficient against fabric; < 0: that of the fabric; not used here
    double  period[3];  ///< cm after which the world repeats; 0: it does not. Planes are not repeated. Along an axis
                        ///< where it is longer than that a solid is taken to have one cross-section without end.
} mn_solid;

/// All of them. Borrowed.
typedef struct mn_solids {
    const mn_solid *list;
    int             count;
} mn_solids;

/// Geometry on the grid. Every array has tiles->count * tiles->cells values; those of the null tile are zero.
typedef struct mn_solid_fields {
    float *open[3];         ///< omega_i of the low face, in [0, 1]. 2D: that of a z face is the open area of the cell.
    float *velocity[3];     ///< cm/s, normal velocity of what covers the face; 0 where nothing does. Read by
                            ///< mn_solid_face_velocity.
    int64_t velocity_mask;  ///< -1; where no solid moves, one tile of zeros serves as all: the place inside a tile
    float  *kernel_open;    ///< n_c, (E2)
    float  *volume_open;    ///< v_c; right behind n_c in memory, so that both can be lent in one piece
    const uint8_t *loose;   ///< cells whose liquid has let go of the solid; NULL: none. Set by the caller.
    uint8_t *touched;  ///< per tile: 0 nothing solid in reach (1, 0, 1, 1), 1 mixed, 2 solid throughout (0, u, 0, 0)
} mn_solid_fields;

static inline double mn_solid_face_velocity(const mn_solid_fields *f, int axis, int64_t face)
{
    return (double)f->velocity[axis][face & f->velocity_mask];
}

/// Remembers the tiles that only obstacles at rest touch. It never changes a result.
typedef struct mn_solid_cache mn_solid_cache;

/// `max_bytes` bounds what it remembers; 0 means 256 MB.
mn_status mn_solid_cache_create(mn_context *c, size_t max_bytes, mn_solid_cache **out);
/// Keep the tiles of moving solids too, for a next build that sees them in the same place with other velocities.
mn_status mn_solid_cache_keep_moving(mn_context *c, mn_solid_cache *cache);
void      mn_solid_cache_destroy(mn_context *c, mn_solid_cache **cache);
/// Tiles remembered, and how many of the last build came from there.
int32_t mn_solid_cache_tiles(const mn_solid_cache *cache);
int32_t mn_solid_cache_hits(const mn_solid_cache *cache);
/// Bytes it holds.
size_t mn_solid_cache_bytes(const mn_solid_cache *cache);

/// Fill the fields, whose arrays come from `arena`. `cache` may be NULL. The heap is used only when tiles are new to
/// it.
///
/// A cell that an obstacle divides belongs to its larger open part; its faces towards the others are closed.
/// An obstacle thinner than half a cell may be missed where it passes between the points that are sampled.
mn_status mn_solid_fields_build(mn_context *c, mn_arena *arena, const mn_tiles *tiles, mn_solids solids,
                                mn_solid_cache *cache, mn_solid_fields *out);

/// Whether any of them moves.
bool mn_solids_move(mn_solids solids);
/// Smallest distance to any of the solids, its gradient and whose it is (each may be NULL). INFINITY and -1 if there
/// are none; the gradient is then +y.
double mn_solids_distance(mn_solids solids, mn_vec3 x, mn_vec3 *normal, int *which);
/// Where x was at rest, in the image of the solid nearest to it.
mn_vec3 mn_solid_rest(const mn_solid *solid, mn_vec3 x);
/// Velocity of a solid at a world point; zero if it does not move.
mn_vec3 mn_solid_velocity(const mn_solid *solid, mn_vec3 x);
/// Move a point that is nearer than `stand_off` to that distance (liquid 5.6), repeatedly where several solids meet.
/// False if it could not be brought out: there is no room between the solids.
bool mn_solids_push_out(mn_solids solids, double stand_off, mn_vec3 *x);
/// The same for n points. Neighbours in the arrays that are far from every solid are skipped together. Returns how
/// many could not be brought out.
int64_t mn_solids_push_out_particles(mn_pool *pool, mn_solids solids, double stand_off, double *const x[3], int64_t n);

// Walls that bend or turn (solid_bend.c)

/// Speed with which liquid at x that moves with u, straight for dt, is to flow into the wall nearest to it, besides
/// following its velocity.
double mn_solid_outflow(mn_solids solids, mn_vec3 x, mn_vec3 u, double cell, double dt);
/// Whether any wall bends or turns.
bool mn_solids_bend(mn_solids solids);

/// Velocities inside solids (liquid 5.5): faces with open = 0 down to 2.5 cells take the velocity at the mirror point,
/// reflected (slip) or reversed (no slip) relative to the solid. `known` tells which faces hold a velocity; only those
/// that are open are read, and the faces filled become known. Where nothing is known around the mirror point the face
/// takes the velocity of the solid and stays unknown. Component z of a 2D grid is left alone.
/// `where` are the cells whose low faces are wanted, as bits (mn_bins_reach); NULL: all. `dt` is for how long the
/// velocities move things: with it walls that bend or turn let through what such a move asks for (mn_solid_outflow); 0:
/// nothing.
void mn_solid_mirror_faces(mn_pool *pool, const mn_tiles *tiles, const mn_solid_fields *fields, mn_solids solids,
                           const uint8_t *where, double dt, uint8_t *const known[3], double *const velocity[3]);

#endif
