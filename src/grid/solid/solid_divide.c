// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_divide.c - cells that a thin solid divides.
//
// A wall thinner than the diagonal of a cell leaves some cells with an open part on either side of it. Such a cell has
// one pressure: taken whole, it is a hole in the wall. Liquid is drawn into it through what is open on one side, often
// a sliver, at the speed at which its faces on the other side move on, and as the kernels of the particles reach
// through the wall, those faces move as the liquid that they draw: it becomes faster without end (liquid 5.3, T17).
//
// So a cell belongs to the larger of its open parts, and what is open of its faces to the others is shut. Parts are
// told apart by the points where the distance was sampled, neighbours half a cell apart along an axis being together if
// both are open. A wall at least half a cell thick never has open neighbours across it.
#include "grid/solid/solid_private.h"

#include <string.h>

#define EXT MN_SOLID_EXT

/// The 27 points of a cell as bits: x fastest, then y, then z. In 2D the first nine.
#define X_FIRST 0x1249249u
#define X_LAST  (X_FIRST << 2)
#define Y_FIRST 0x01C0E07u
#define Y_LAST  (Y_FIRST << 6)

static int point_bit(int x, int y, int z) { return (z * 3 + y) * 3 + x; }

static uint32_t open_points(const mn_solid_frame *f, const mn_solid_work *w, int x, int y, int z)
{
    uint32_t open = 0;
    for (int k = 0; k < (f->flat ? 1 : 3); k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                if (w->node[mn_solid_node_at(2 * x + i, 2 * y + j, f->flat ? 0 : 2 * z + k)] > 0.0)
                    open |= 1u << point_bit(i, j, k);
    return open;
}

/// All open points that can be reached from one of them.
static uint32_t part_around(uint32_t open, uint32_t part)
{
    for (;;) {
        const uint32_t along_x = (part & ~X_LAST) << 1 | (part & ~X_FIRST) >> 1,
                       along_y = (part & ~Y_LAST) << 3 | (part & ~Y_FIRST) >> 3;
        const uint32_t wider   = (part | along_x | along_y | part << 9 | part >> 9) & open;
        if (wider == part) return part;
        part = wider;
    }
}

/// Volume around the points of a part: a point in the middle of the cell stands for eight times that of a corner.
static int volume_of(uint32_t part)
{
    int sum = 0;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                sum += (int)(part >> point_bit(i, j, k) & 1u) << ((i == 1) + (j == 1) + (k == 1));
    return sum;
}

/// The open points that do not belong to the largest part. Of equal ones the first counts: the same side all along a
/// wall.
static uint32_t lost_points(uint32_t open)
{
    uint32_t kept = 0, left = open;
    int      most = 0;
    while (left != 0) {
        const uint32_t part   = part_around(open, left & (~left + 1u));
        const int      volume = volume_of(part);
        if (volume > most) most = volume, kept = part;
        left &= ~part;
    }
    return open & ~kept;
}

/// The quarters (2D: halves) of a face of a cell that touch lost points, as bits. `side` is 0 for the low face.
static unsigned lost_quarters(bool flat, uint32_t lost, int axis, int side)
{
    const int step[3] = { point_bit(1, 0, 0), point_bit(0, 1, 0), point_bit(0, 0, 1) };
    const int u = flat ? step[1 - axis] : step[(axis + 1) % 3], v = flat ? 0 : step[(axis + 2) % 3],
              first   = 2 * side * step[axis];
    unsigned quarters = 0;
    for (int q = 0; q < (flat ? 2 : 4); q++) {
        const int      n      = first + (q & 1) * u + (q >> 1) * v;
        const uint32_t points = 1u << n | 1u << (n + u) | 1u << (n + v) | 1u << (n + u + v);
        if (lost & points) quarters |= 1u << q;
    }
    return quarters;
}

/// How much of the low face at x, y, z is open in some of its quarters.
static float open_in(const mn_solid_frame *f, const mn_solid_work *w, int axis, int x, int y, int z, unsigned quarters)
{
    double open = 0.0;
    for (int q = 0; q < (f->flat ? 2 : 4); q++)
        if (quarters >> q & 1u) open += mn_solid_open_quarter(f, w, axis, x, y, z, q);
    return (float)(open * (f->flat ? 0.5 : 0.25));
}

/// Points lost of every cell of the reach. False if there are none.
static bool find_lost(const mn_solid_frame *f, mn_solid_work *w)
{
    bool any = false;
    for (int z = 0; z < f->cells_z; z++)
        for (int y = 0; y < EXT; y++)
            for (int x = 0; x < EXT; x++) {
                const int c       = mn_solid_cell_at(x, y, z);
                w->lost_points[c] = w->cell[c] == MN_SOLID_CELL_CUT ? lost_points(open_points(f, w, x, y, z)) : 0;
                any |= w->lost_points[c] != 0;
            }
    return any;
}

static void shut_faces(const mn_solid_frame *f, mn_solid_work *w, int axis, int x, int y, int z)
{
    const int d[3] = { axis == 0, axis == 1, axis == 2 }, c = mn_solid_cell_at(x, y, z),
              place       = axis == 0   ? x
                            : axis == 1 ? y
                                        : z;
    const int      back   = mn_solid_cell_at(d[0], d[1], d[2]);
    const unsigned low    = lost_quarters(f->flat, w->lost_points[c], axis, 0),
                   high   = lost_quarters(f->flat, w->lost_points[c], axis, 1);
    const unsigned across = place > 0 ? lost_quarters(f->flat, w->lost_points[c - back], axis, 1) : 0;
    if (low | across) w->shut[axis][c] += open_in(f, w, axis, x, y, z, low | across);
    if (low | high)
        w->lost[c] += open_in(f, w, axis, x, y, z, low) + open_in(f, w, axis, x + d[0], y + d[1], z + d[2], high);
}

void mn_solid_divide(const mn_solid_frame *f, mn_solid_work *w)
{
    if (!find_lost(f, w)) return;
    const size_t cells = (size_t)f->cells_z * EXT * EXT * sizeof(float);
    if (!w->divided) {
        for (int a = 0; a < 3; a++) memset(w->shut[a], 0, cells);
        memset(w->lost, 0, cells);
        w->divided = true;
    }
    for (int axis = 0; axis < (f->flat ? 2 : 3); axis++)
        for (int z = 0; z < f->cells_z; z++)
            for (int y = 0; y < EXT; y++)
                for (int x = 0; x < EXT; x++) shut_faces(f, w, axis, x, y, z);
}
