// SPDX-License-Identifier: MPL-2.0
// solve/mg_level.h - inside the multigrid: its levels, and what is done to one tile.
#ifndef MN_SOLVE_MG_LEVEL_H
#define MN_SOLVE_MG_LEVEL_H

#include "base/arena.h"
#include "base/pool.h"
#include "grid/tiles.h"
#include "solve/mg_graph.h"
#include "solve/mg_rows.h"
#include "solve/multigrid.h"

enum { MN_X_LOW, MN_X_HIGH, MN_Y_LOW, MN_Y_HIGH, MN_Z_LOW, MN_Z_HIGH };

/// Faces are stored once, with their cell of colour 0, in that cell's lane.
enum { MN_FACE_STRAIGHT, MN_FACE_ASIDE, MN_FACE_INNER, MN_FACE_OUTER, MN_FACE_Z_LOW, MN_FACE_Z_HIGH };

/// Tile 0 of a level is all zeros and stands for every missing neighbour.
struct mn_mg_level {
    int32_t        count;        // tiles including tile 0
    int32_t        nz;           // cells of a tile in z: 8, or 1 in 2D
    int32_t        cells, half;  // per tile, and per colour of a tile
    int32_t        faces;        // face arrays: 6, or 4 in 2D
    mn_tile_coord *coord;        // from 0 along axes that are not periodic
    mn_grid_def    def;          // periods of this level
    int32_t        extent[3];    // cells of the domain along each axis; of one period, where an odd period is unrolled
    int32_t (*near)[6];
    float  *x, *b;    // count * cells, coloured layout
    float  *face;     // count * faces * half
    float  *e;        // sum of the coefficients towards known values; NULL on level 0
    double *e_exact;  // the same on level 0: the update of the velocities uses the single coefficients,
                      // and a sum rounded to float would not be their adjoint (liquid 5.4)
    float *inverse;   // 1 / diagonal; 0 where there is no unknown
    float *uniform;   // per tile: the coefficient of all its faces, all cells unknown; or 0
    // Where a tile lands on the next level. An odd period is unrolled there, so that a tile may have several parents.
    int32_t  parents;
    int32_t *parent;  // count * parents
    uint8_t *octant;  // count * parents: bits x, y, z
    // Ranges of tiles of equal z, for the wave-front; 1 range if z is periodic or the grid is 2D.
    int32_t  layers;
    int32_t *layer_begin;  // layers + 1
};

/// Cell data in natural order, used only while a level is made: c of the low faces and e.
struct mn_mg_natural {
    float *c[3], *e;
};

/// Place in the coloured layout (mg_vector.h) of a cell in natural order.
static inline size_t mn_mg_coloured(const mn_mg_level *l, size_t at)
{
    const int i = (int)(at % (size_t)l->cells), x = i & 7, y = i >> 3 & 7, z = i >> 6;
    return at - (size_t)i + (size_t)(((x + y + z) & 1) * l->half + 8 * (4 * z + y / 2) + 4 * (y & 1) + x / 2);
}

/// The cell of a tile in natural order at a place of its coloured layout.
static inline int mn_mg_natural_of(const mn_mg_level *l, int i)
{
    const int colour = i >= l->half, lane = i % 8, vector = (i - colour * l->half) / 8, z = vector / 4;
    const int y = vector % 4 * 2 + lane / 4, x = lane % 4 * 2;
    return x + ((y + z + colour) & 1) + 8 * y + 64 * z;
}

// --- one tile, mg_kernels.c ---

/// First half-sweep from zero: colour 0 = b / diagonal.
void mn_mg_start(const mn_mg_level *l, int32_t t);
/// Half-sweep of one colour, in place.
void mn_mg_smooth(const mn_mg_level *l, int32_t t, int colour);
/// Residual of colour 0 summed over 2x2x2 cells into the parents' b. That of colour 1 was just made zero by its
/// half-sweep.
void mn_mg_restrict(const mn_mg_level *l, const mn_mg_level *coarse, int32_t t);
/// Colour 0 += factor * parent's x. Colour 1 is overwritten by the half-sweep that follows.
void mn_mg_prolong(const mn_mg_level *l, const mn_mg_level *coarse, float factor, int32_t t);
/// Residual of colour 0, in its place among all cells.
void mn_mg_residual(const mn_mg_level *l, float *residual, int32_t t);
/// Colour 0 += x of the first graph.
void mn_mg_prolong_from_graph(const mn_mg_level *l, const mn_mg_graphs *graphs, int32_t t);
/// q = A p in double; the tile's part of p.q.
double mn_mg_apply(const mn_mg_level *l, const double *p, double *q, int32_t t);

// --- making a level, mg_setup.c ---

#define MN_MG_MAX_LEVELS 32

/// Cells of a tile as bits of one word per z, bit y * 8 + x.
typedef struct mn_mg_bits {
    uint64_t link[3][8];  // coupled to the low neighbour
    uint64_t active[8];   // has a diagonal
    uint64_t seen[8];     // connected to a known value, or labelled
    uint64_t now[8];      // the component being labelled
} mn_mg_bits;

typedef struct mn_mg_pocket_part {
    int32_t tile, pocket, cells;
    int32_t next;       // further part in the same tile, or -1
    uint8_t lanes[64];  // lane mask of each vector, colour 0 first
} mn_mg_pocket_part;

typedef struct mn_mg_pockets {
    int32_t            count;  // closed components of at least two cells
    mn_mg_pocket_part *parts;
    int32_t            part_count, part_capacity;
    int32_t           *tiles;  // tiles that have parts
    int32_t            tile_count;
    int32_t           *first_part;  // per tile of the level, or -1
    double            *sum;         // per part
    double            *mean;        // per pocket
    int64_t           *cells;       // per pocket
    int64_t           *lonely;      // unknowns without any coupling, as indices into the caller's arrays
    int64_t            lonely_count;
    int32_t  reached_count, rank;  // pockets whose constants rows of terms reach; how many combinations of these
    int32_t *reached;
    double  *basis;  // rank * reached_count: orthonormal combinations, each constant divided by the root of its cells
} mn_mg_pockets;

struct mn_multigrid {
    mn_context             *context;
    mn_pool                *pool;
    mn_multigrid_tuning     tuning;
    bool                    ready;
    int                     levels, sweeps;
    mn_mg_level             level[MN_MG_MAX_LEVELS];
    int32_t                *source;  // caller's tile of each tile of level 0
    int32_t                 source_count, source_cells;
    double                 *r, *p, *q, *u;  // residual, direction, product, solution: count * cells, coloured layout
    double                 *partial;        // 2 per tile of level 0
    int64_t                 unknowns, uniform_tiles;
    mn_mg_bits             *bits;
    mn_mg_pockets           pockets;
    mn_mg_graphs            graphs;         // where coefficients jump: the levels below level 0
    mn_mg_rows             *rows;           // per level; NULL: no term has rows
    mn_mg_graph_answers    *graph_answers;  // of the rows below level 0, if there are graphs; may be NULL
    const mn_pressure_term *terms;
    int                     term_count;
};

/// Which cells are coupled, from the natural arrays of level 0.
mn_status mn_mg_find_bits(mn_multigrid *mg, const mn_mg_natural *natural, mn_arena *arena);
/// Label the components that see no known value (liquid 5.10, closed pockets).
mn_status mn_mg_find_pockets(mn_multigrid *mg, const mn_pressure_system *system, mn_arena *arena);
/// Which of the pockets the rows of terms open, once there are rows.
mn_status mn_mg_open_pockets(mn_multigrid *mg, mn_arena *arena);
/// Remove from v its mean over each closed pocket; the largest |mean|.
double mn_mg_remove_pocket_means(mn_multigrid *mg, double *v);

/// Tiles of a block of a parallel loop; small levels are not worth waking anyone.
static inline int64_t mn_mg_block(int64_t tiles) { return tiles <= 64 ? 64 : 16; }

#endif
