// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_private.h - the parts of solid.h to one another: one tile, the cache.
#ifndef MN_GRID_SOLID_PRIVATE_H
#define MN_GRID_SOLID_PRIVATE_H

#include "base/hash.h"
#include "grid/solid/solid.h"

/// A tile is worked on with one layer of cells around it: what the kernels and the closing of tiny cells look at.
#define MN_SOLID_EXT    (MN_TILE + 2)
#define MN_SOLID_HALVES (2 * MN_SOLID_EXT)
#define MN_SOLID_NODES  (2 * MN_SOLID_EXT + 1)

enum { MN_SOLID_MOMENTS = 10 };  ///< 1, x, y, z, xx, yy, zz, xy, yz, zx

/// Where a search for a tile begins in a table of `size` places (a power of two) with open addressing.
static inline int64_t mn_tile_slot(mn_tile_coord at, int64_t size)
{
    const uint64_t h = mn_hash_mix((uint64_t)(uint32_t)at.x | (uint64_t)(uint32_t)at.y << 32) ^
                       mn_hash_mix(0x5bd1u + (uint64_t)(uint32_t)at.z);
    return (int64_t)(mn_hash_mix(h) & (uint64_t)(size - 1));
}

static inline bool mn_tile_same(mn_tile_coord a, mn_tile_coord b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// A cell as one solid leaves it.
enum { MN_SOLID_CELL_OPEN, MN_SOLID_CELL_CUT, MN_SOLID_CELL_COVERED };

/// Scratch of one worker, and the result for one tile.
typedef struct mn_solid_work {
    double  node[MN_SOLID_NODES * MN_SOLID_NODES * MN_SOLID_NODES];  ///< distance, every half cell
    uint8_t node_known[MN_SOLID_NODES * MN_SOLID_NODES * MN_SOLID_NODES];
    uint8_t cell[MN_SOLID_EXT * MN_SOLID_EXT * MN_SOLID_EXT];          ///< of one solid: open, cut or covered
    float   face[3][MN_SOLID_EXT * MN_SOLID_EXT * MN_SOLID_EXT];       ///< covered part of low faces, all solids
    float   face_rate[3][MN_SOLID_EXT * MN_SOLID_EXT * MN_SOLID_EXT];  ///< covered part times velocity
    double  moved[3]
                [MN_SOLID_EXT * MN_SOLID_EXT * MN_SOLID_EXT];  ///< covered part of low faces, of the last moving solid
    float cell_rate[4][MN_SOLID_EXT * MN_SOLID_EXT * MN_SOLID_EXT];  ///< of moving solids: velocity and weight
    float moment[MN_SOLID_MOMENTS][8 * MN_SOLID_EXT * MN_SOLID_EXT * MN_SOLID_EXT];  ///< covered moments of half cells
    float along_z[6][4 * MN_SOLID_EXT * MN_SOLID_EXT * MN_TILE];  ///< sums with the kernel, axis after axis
    float along_y[3][2 * MN_SOLID_EXT * MN_TILE * MN_TILE];
    uint8_t  row[4 * MN_SOLID_EXT * MN_SOLID_EXT];                        ///< of half cells: 0 open, 1 covered, 2 cut
    uint8_t  row_z[MN_TILE * MN_SOLID_HALVES], row_y[MN_TILE * MN_TILE];  ///< the same of the sums along z, and then y
    bool     anything;                                                    ///< some part of the reach is covered
    bool     divided;                                                     ///< some cell is, and the next three are made
    uint32_t lost_points[MN_SOLID_EXT * MN_SOLID_EXT * MN_SOLID_EXT];  ///< of one solid, open but of no use to the cell
    float shut[3][MN_SOLID_EXT * MN_SOLID_EXT * MN_SOLID_EXT];  ///< open part of low faces that a cell beside it loses
    float lost[MN_SOLID_EXT * MN_SOLID_EXT * MN_SOLID_EXT];     ///< what a cell itself loses of its faces
} mn_solid_work;

/// Where a tile lies and how many cells, half cells and nodes its reach has in z.
typedef struct mn_solid_frame {
    mn_vec3 origin;    ///< of the grid; 2D: in the middle of the layer
    double  first[3];  ///< low corner of the reach, in half cells from there: the same bits from every tile
    double  cell, half;
    bool    flat;  ///< 2D
    int     cells_z, halves_z, nodes_z, tile_z;
} mn_solid_frame;

mn_solid_frame mn_solid_frame_of(const mn_tiles *tiles, int32_t tile);

static inline int mn_solid_cell_at(int x, int y, int z) { return (z * MN_SOLID_EXT + y) * MN_SOLID_EXT + x; }
static inline int mn_solid_node_at(int x, int y, int z) { return (z * MN_SOLID_NODES + y) * MN_SOLID_NODES + x; }
static inline int mn_solid_half_at(int x, int y, int z) { return (z * MN_SOLID_HALVES + y) * MN_SOLID_HALVES + x; }

/// Add what one solid covers to the sums over all solids: faces, half cells, velocities.
void mn_solid_cover(const mn_solid_frame *f, const mn_solid *s, bool deep, mn_solid_work *w);

/// What a moving solid adds to the rate of the low face of cell c of the reach, of which it covers so much.
float mn_solid_face_rate(const mn_solid_frame *f, const mn_solid *s, int axis, const int c[3], double covered);

/// Open share of one quarter (2D: half) of the low face of a cut cell.
double mn_solid_open_quarter(const mn_solid_frame *f, const mn_solid_work *w, int axis, int x, int y, int z,
                             int quarter);
/// Find the cells that the solid just sampled divides, and what is to be shut of their faces.
void mn_solid_divide(const mn_solid_frame *f, mn_solid_work *w);

/// How a solid meets the reach of a tile.
typedef enum mn_solid_reach { MN_SOLID_AWAY, MN_SOLID_NEAR, MN_SOLID_DEEP } mn_solid_reach;

mn_solid_reach mn_solid_tile_reach(const mn_tiles *tiles, int32_t tile, const mn_solid *solid);
/// The solids of a build: the first `rest` of them are at rest.
typedef struct mn_solid_list {
    const mn_solid *list;
    int             count, rest;
} mn_solid_list;

typedef struct mn_solid_still mn_solid_still;

/// Write the fields of one tile. `reach` has one entry per solid. `still` may be NULL.
void mn_solid_tile(const mn_tiles *tiles, int32_t tile, const mn_solid_list *list, const uint8_t *reach,
                   const mn_solid_still *still, mn_solid_work *work, mn_solid_fields *out);
/// Sums over the first solids alone, those at rest.
void mn_solid_tile_still(const mn_tiles *tiles, int32_t tile, const mn_solid_list *list, mn_solid_work *work);
/// Fields of a tile that nothing touches, and of one that is solid and at rest.
void mn_solid_tile_fill(const mn_tiles *tiles, int32_t tile, bool solid, mn_solid_fields *out);

/// Begin a build: forget everything if grid or solids at rest are not the same as before.
void mn_solid_cache_begin(mn_solid_cache *cache, const mn_tiles *tiles, mn_solids solids);
/// Copy the remembered fields of a tile; false if there are none. Safe from several threads, one tile each.
bool mn_solid_cache_get(mn_solid_cache *cache, const mn_tiles *tiles, int32_t tile, mn_solid_fields *out);
/// What it keeps for tiles that moving solids touch (solid_still.c), and the hash of grid and solids at rest.
mn_solid_still *mn_solid_cache_still(mn_solid_cache *cache);
uint64_t        mn_solid_cache_key(const mn_solid_cache *cache);

mn_status mn_solid_still_create(mn_context *c, mn_solid_still **out);
void      mn_solid_still_destroy(mn_context *c, mn_solid_still **still);
size_t    mn_solid_still_bytes(const mn_solid_still *still);
/// Begin a build: forget everything if the key is another.
void mn_solid_still_begin(mn_context *c, mn_solid_still *still, uint64_t key);
bool mn_solid_still_has(const mn_solid_still *still, mn_tile_coord at);
/// Load the sums over the solids at rest into cleared work; false if they are not kept. Safe from several threads.
bool mn_solid_still_get(const mn_solid_still *still, const mn_solid_frame *f, mn_tile_coord at, mn_solid_work *w);
/// Whether it holds as much as it may.
bool mn_solid_still_is_full(const mn_solid_still *still);
/// Keep the sums in `w` for a tile that has none.
mn_status mn_solid_still_put(mn_context *c, mn_solid_still *still, const mn_solid_frame *f, mn_tile_coord at,
                             mn_solid_work *w);

/// Tiles for a build that sees all solids in the same place again (solid_again.c); NULL unless it was asked for.
typedef struct mn_solid_again mn_solid_again;
mn_solid_again               *mn_solid_cache_again(mn_solid_cache *cache);

mn_status mn_solid_again_create(mn_context *c, mn_solid_again **out);
void      mn_solid_again_destroy(mn_context *c, mn_solid_again **again);
size_t    mn_solid_again_bytes(const mn_solid_again *again);
/// Begin a build: if something is elsewhere, forget everything and make room for the tiles of this one.
mn_status mn_solid_again_begin(mn_context *c, mn_solid_again *again, uint64_t rest_key, const mn_tiles *tiles,
                               const mn_solid_list *list);
/// The fields of a tile with the velocities of now; false if they are not kept. Safe from several threads, one tile
/// each.
bool mn_solid_again_get(const mn_solid_again *again, const mn_tiles *tiles, int32_t tile, const mn_solid_list *list,
                        mn_solid_fields *out);
/// Keep them, if there is room for them: `solid` is the one that moves. Safe from several threads, one tile each.
void mn_solid_again_put(const mn_solid_again *again, const mn_tiles *tiles, int32_t tile, const mn_solid_frame *f,
                        const mn_solid_work *w, int solid, const mn_solid_fields *fields);

/// Remember tiles [1, count) with new_tile set, as far as memory allows.
mn_status mn_solid_cache_put(mn_context *c, mn_solid_cache *cache, const mn_tiles *tiles, const uint8_t *new_tile,
                             const mn_solid_fields *fields);

#endif
