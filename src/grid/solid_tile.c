// SPDX-License-Identifier: MPL-2.0
// grid/solid_tile.c - what solids leave open of the faces, cells and kernels of one tile.
//
// The distance is sampled every half cell, but only in cells that the surface may pass: a distance at the centre of a
// block beyond its half diagonal decides the whole block. From the samples follow
//   - the covered part of every face, by marching squares over its quarters (liquid 5.3);
//   - moments of the covered part of every half cell up to second order, with the surface taken as a plane there.
// Inside a half cell the quadratic kernel is a quadratic polynomial along each axis, so that the moments give n_c of
// (E2) exactly for walls across an axis at any place, and to a few 1e-4 for others.
#include "grid/solid_private.h"

#include <string.h>

#define EXT MN_SOLID_EXT
#define NODES MN_SOLID_NODES
#define HALVES (2 * EXT)

/// Distances below this part of a cell count as zero: a wall on a grid plane is there whatever rounding says.
#define SNAP 1e-7
/// Faces that are open by less are closed, and so are cells whose open faces add up to less (liquid 5.3).
#define TINY_FACE 0.02f
#define TINY_CELL_2D 0.3f
#define TINY_CELL_3D 0.45f

enum { CELL_OPEN, CELL_CUT, CELL_COVERED };

/// Where a tile lies and how many cells, half cells and nodes it has in z.
typedef struct frame {
    mn_vec3 origin;                  // of the grid
    double  first[3];                // low corner of the reach, in half cells from there: the same bits from every tile
    double  cell, half;
    bool    flat;                    // 2D
    int     cells_z, halves_z, nodes_z, tile_z;
} frame;

static frame frame_of(const mn_tiles *t, int32_t tile)
{
    const mn_grid_def  *g    = &t->def;
    const mn_tile_coord at   = t->coord[tile];
    const bool          flat = g->dimension == 2;
    frame               f    = { .origin = g->origin, .cell = g->cell, .half = 0.5 * g->cell, .flat = flat };
    f.first[0]               = 2.0 * (MN_TILE * (double)at.x - 1.0);
    f.first[1]               = 2.0 * (MN_TILE * (double)at.y - 1.0);
    f.first[2]               = 2.0 * (MN_TILE * (double)at.z - 1.0);
    if (flat) f.origin.z += 0.5 * g->depth;
    f.cells_z                = flat ? 1 : EXT;
    f.halves_z               = flat ? 1 : HALVES;
    f.nodes_z                = flat ? 1 : NODES;
    f.tile_z                 = t->tile_z;
    return f;
}

/// A point counted in half cells from the low corner of the reach.
static mn_vec3 point(const frame *f, double x, double y, double z)
{
    return mn_v3(f->origin.x + f->half * (f->first[0] + x), f->origin.y + f->half * (f->first[1] + y),
                 f->flat ? f->origin.z : f->origin.z + f->half * (f->first[2] + z));
}

static int cell_at(int x, int y, int z) { return (z * EXT + y) * EXT + x; }
static int half_at(int x, int y, int z) { return (z * HALVES + y) * HALVES + x; }
static int node_at(int x, int y, int z) { return (z * NODES + y) * NODES + x; }

mn_solid_reach mn_solid_tile_reach(const mn_tiles *tiles, int32_t tile, const mn_solid *s)
{
    const frame   f      = frame_of(tiles, tile);
    const mn_vec3 center = point(&f, EXT, EXT, EXT);
    const double  radius = (f.flat ? sqrt(2.0) : sqrt(3.0)) * 0.5 * EXT * f.cell;
    const double  d      = mn_shape_signed_bound(s->shape, mn_pose_rest(&s->pose, center));
    return d >= radius ? MN_SOLID_AWAY : d <= -radius ? MN_SOLID_DEEP : MN_SOLID_NEAR;
}

static double distance_at(const frame *f, const mn_solid *s, double x, double y, double z)
{
    const double d = mn_shape_at(s->shape, mn_pose_rest(&s->pose, point(f, x, y, z)));
    return fabs(d) < SNAP * f->cell ? 0.0 : d;
}

static void sample_nodes(const frame *f, const mn_solid *s, int x, int y, int z, mn_solid_work *w)
{
    for (int dz = 0; dz <= (f->flat ? 0 : 2); dz++)
        for (int dy = 0; dy <= 2; dy++)
            for (int dx = 0; dx <= 2; dx++) {
                const int n = node_at(2 * x + dx, 2 * y + dy, 2 * z + dz);
                if (w->node_known[n]) continue;
                w->node_known[n] = 1;
                w->node[n]       = distance_at(f, s, 2 * x + dx, 2 * y + dy, 2 * z + dz);
            }
}

/// Decide the cells of a cube of `size` cells (a power of two) from its low corner on.
static void sample_block(const frame *f, const mn_solid *s, int size, int x, int y, int z, mn_solid_work *w)
{
    if (x >= EXT || y >= EXT || z >= f->cells_z) return;
    const double half_diagonal = (f->flat ? sqrt(2.0) : sqrt(3.0)) * 0.5 * size * f->cell;
    const double d             = distance_at(f, s, 2 * x + size, 2 * y + size, 2 * z + size);
    const int    depth         = f->flat ? 1 : size;
    if (fabs(d) >= half_diagonal || size == 1) {
        const uint8_t state = fabs(d) < half_diagonal ? CELL_CUT : d > 0.0 ? CELL_OPEN : CELL_COVERED;
        for (int k = z; k < z + depth && k < f->cells_z; k++)
            for (int j = y; j < y + size && j < EXT; j++)
                for (int i = x; i < x + size && i < EXT; i++) w->cell[cell_at(i, j, k)] = state;
        if (state == CELL_CUT) sample_nodes(f, s, x, y, z, w);
        return;
    }
    const int next = size / 2;
    for (int k = 0; k < (f->flat ? 1 : 2); k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) sample_block(f, s, next, x + i * next, y + j * next, z + k * next, w);
}

static void sample_solid(const frame *f, const mn_solid *s, mn_solid_work *w)
{
    memset(w->node_known, 0, (size_t)f->nodes_z * NODES * NODES);
    for (int z = 0; z < f->cells_z; z += 4)
        for (int y = 0; y < EXT; y += 4)
            for (int x = 0; x < EXT; x += 4) sample_block(f, s, 4, x, y, z, w);
}

/// Open part of an edge with distances a and b at its ends.
static double open_edge(double a, double b)
{
    const double most = a > b ? a : b;
    if (most <= 0.0) return 0.0;
    return a >= 0.0 && b >= 0.0 ? 1.0 : most / fabs(a - b);
}

/// Open part of a square with distances at its corners, in order around it.
static double open_square(const double d[4])
{
    int positive = 0, negative = 0, first = 0;
    for (int k = 0; k < 4; k++) {
        positive += d[k] > 0.0;
        negative += d[k] < 0.0;
    }
    if (positive == 0) return 0.0;
    if (negative == 0) return 1.0;
    double e[4];
    for (int k = 0; k < 4; k++) e[k] = open_edge(d[k], d[(k + 1) & 3]);       // e[k] leads from corner k to k + 1
    if (positive == 1) {
        while (!(d[first] > 0.0)) first++;
        return 0.5 * e[first] * e[(first + 3) & 3];
    }
    if (negative == 1 && positive == 3) {
        while (!(d[first] < 0.0)) first++;
        return 1.0 - 0.5 * (1.0 - e[first]) * (1.0 - e[(first + 3) & 3]);
    }
    if ((d[0] > 0.0) != (d[2] > 0.0)) {                                        // two neighbours: a trapezium
        while (!(d[first] > 0.0 && d[(first + 1) & 3] > 0.0)) first++;
        return 0.5 * (e[(first + 1) & 3] + e[(first + 3) & 3]);
    }
    // Two opposite corners: the mean tells whether the open parts meet in the middle.
    double open = 0.0, closed = 0.0;
    for (int k = 0; k < 4; k++) {
        const int    before = (k + 3) & 3;
        if (d[k] > 0.0) open += 0.5 * e[k] * e[before];
        else closed += 0.5 * (1.0 - e[k]) * (1.0 - e[before]);
    }
    return d[0] + d[1] + d[2] + d[3] > 0.0 ? 1.0 - closed : open;
}

/// Covered part of the low face of a cut cell.
static double covered_face(const frame *f, const mn_solid_work *w, int axis, int x, int y, int z)
{
    const int step[3] = { node_at(1, 0, 0), node_at(0, 1, 0), node_at(0, 0, 1) };
    const int u = step[(axis + 1) % 3], v = step[(axis + 2) % 3], n = node_at(2 * x, 2 * y, f->flat ? 0 : 2 * z);
    if (f->flat) {
        const int t = axis == 0 ? step[1] : step[0];
        return 1.0 - 0.5 * (open_edge(w->node[n], w->node[n + t]) + open_edge(w->node[n + t], w->node[n + 2 * t]));
    }
    double open = 0.0;
    for (int b = 0; b < 2; b++)
        for (int a = 0; a < 2; a++) {
            const int    q    = n + a * u + b * v;
            const double d[4] = { w->node[q], w->node[q + u], w->node[q + u + v], w->node[q + v] };
            open += open_square(d);
        }
    return 1.0 - 0.25 * open;
}

static void add_faces(const frame *f, const mn_solid *s, int axis, mn_solid_work *w)
{
    const int back = axis == 0 ? 1 : axis == 1 ? EXT : EXT * EXT;
    for (int z = 0; z < f->cells_z; z++)
        for (int y = 0; y < EXT; y++)
            for (int x = 0; x < EXT; x++) {
                const int c     = cell_at(x, y, z), first = (axis == 0 ? x : axis == 1 ? y : z) == 0;
                uint8_t   state = w->cell[c];                   // a cell that is not cut decides its faces
                if (state == CELL_CUT && !first) state = w->cell[c - back];
                if (state == CELL_OPEN) continue;
                const double covered = state == CELL_COVERED ? 1.0 : covered_face(f, w, axis, x, y, z);
                if (covered <= 0.0) continue;
                w->face[axis][c] += (float)covered;
                if (!s->moving) continue;
                const mn_vec3 at = point(f, 2 * x + (axis != 0), 2 * y + (axis != 1), 2 * z + (axis != 2));
                w->face_rate[axis][c] += (float)(covered * mn_get3(mn_pose_velocity(&s->pose, at), axis));
            }
}

/// Points and weights of Gauss on [-1/2, 1/2]. Columns that leave the box bend the integrand, so that two are too few.
#define GAUSS 3
static const double gauss_place[GAUSS]  = { -0.38729833462074170, 0.0, 0.38729833462074170 };
static const double gauss_weight[GAUSS] = { 5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0 };

/// Covered moments of the unit box below the plane value + g.s = 0, s in [-1/2, 1/2]^3: along the steepest axis
/// exactly, across it by Gauss points. Second moments are those of s^2 - 1/12.
static void plane_moments(bool flat, double value, const double g[3], double m[MN_SOLID_MOMENTS])
{
    const int    a = fabs(g[0]) >= fabs(g[1]) && fabs(g[0]) >= fabs(g[2]) ? 0 : fabs(g[1]) >= fabs(g[2]) ? 1 : 2;
    const int    b = (a + 1) % 3, c = (a + 2) % 3, nb = flat && b == 2 ? 1 : GAUSS, nc = flat && c == 2 ? 1 : GAUSS;
    const double sign = g[a] > 0.0 ? 1.0 : -1.0, slope = 1.0 / g[a];      // covered is [-1/2, t], or [t, 1/2]
    for (int i = 0; i < nb; i++)
        for (int j = 0; j < nc; j++) {
            const double sb = nb == 1 ? 0.0 : gauss_place[i], sc = nc == 1 ? 0.0 : gauss_place[j];
            const double weight = (nb == 1 ? 1.0 : gauss_weight[i]) * (nc == 1 ? 1.0 : gauss_weight[j]);
            double       t = -(value + g[b] * sb + g[c] * sc) * slope;
            t              = t < -0.5 ? -0.5 : t > 0.5 ? 0.5 : t;
            const double k0 = weight * (0.5 + sign * t), k1 = weight * sign * 0.5 * (t * t - 0.25);
            m[0] += k0;
            m[1 + a] += k1;
            m[1 + b] += k0 * sb;
            m[1 + c] += k0 * sc;
            m[4 + a] += weight * (1.0 / 24.0 + sign * t * t * t / 3.0) - k0 / 12.0;
            m[4 + b] += k0 * (nb == 1 ? 0.0 : sb * sb - 1.0 / 12.0);
            m[4 + c] += k0 * (nc == 1 ? 0.0 : sc * sc - 1.0 / 12.0);
            m[7 + a] += k1 * sb;                          // xy, yz, zx: the pair that begins with a
            m[7 + b] += k0 * sb * sc;
            m[7 + c] += k1 * sc;
        }
}

/// How much the mean of the distance over the corners of a half cell is above that of the plane with the same open
/// volume, where the surface is curved: s^2 / 8 of the corners less s^2 / 24 of the bulge, times the Laplacian.
static double bulge(const frame *f, const mn_solid_work *w, int x, int y, int z)
{
    const int n       = node_at(2 * x + 1, 2 * y + 1, f->flat ? 0 : 2 * z + 1);
    const int step[3] = { node_at(1, 0, 0), node_at(0, 1, 0), node_at(0, 0, 1) };
    double    laplacian = 0.0;                                   // times s^2
    for (int a = 0; a < (f->flat ? 2 : 3); a++) laplacian += w->node[n - step[a]] - 2.0 * w->node[n] + w->node[n + step[a]];
    return laplacian / 12.0;
}

/// Covered moments of one half cell from the distances at its corners. False if it is open.
static bool half_cell_moments(const frame *f, const mn_solid_work *w, int x, int y, int z, double curved, double m[MN_SOLID_MOMENTS])
{
    const int n = node_at(x, y, f->flat ? 0 : z), top = f->flat ? 1 : 2;
    double    sum = 0.0, g[3] = { 0.0, 0.0, 0.0 }, least = INFINITY, most = -INFINITY;
    for (int k = 0; k < top; k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) {
                const double d = w->node[n + node_at(i, j, k)];
                sum += d;
                g[0] += i ? d : -d;
                g[1] += j ? d : -d;
                if (top == 2) g[2] += k ? d : -d;
                least = d < least ? d : least;
                most  = d > most ? d : most;
            }
    memset(m, 0, MN_SOLID_MOMENTS * sizeof *m);
    if (least >= 0.0 && most > 0.0) return false;
    const double corners = f->flat ? 4.0 : 8.0, value = sum / corners - curved;
    for (int a = 0; a < 3; a++) g[a] *= 2.0 / corners;
    const double steepest = fmax(fabs(g[0]), fmax(fabs(g[1]), fabs(g[2])));
    if (most <= 0.0) {
        m[0] = 1.0;
    } else if (steepest > 1e-3 * f->half) {
        plane_moments(f->flat, value, g, m);
    } else {                                                     // a crest or a sheet thinner than the half cell
        const double part = 0.5 - value / f->half;
        m[0]              = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    }
    return m[0] > 0.0;
}

static void add_half_cell(mn_solid_work *w, int x, int y, int z, const double m[MN_SOLID_MOMENTS], bool whole)
{
    const int h = half_at(x, y, z);
    uint8_t  *r = &w->row[z * HALVES + y];
    w->anything = true;
    w->moment[0][h] += (float)m[0];
    if (*r == 0) *r = 1;
    if (whole) return;
    *r = 2;
    for (int k = 1; k < MN_SOLID_MOMENTS; k++) w->moment[k][h] += (float)m[k];
}

static void add_cell(const frame *f, const mn_solid *s, int x, int y, int z, mn_solid_work *w)
{
    const int     state   = w->cell[cell_at(x, y, z)];
    double        covered = 0.0;
    static const double whole[MN_SOLID_MOMENTS] = { 1.0 };
    if (state == CELL_OPEN) return;
    const double curved = state == CELL_CUT ? bulge(f, w, x, y, z) : 0.0;
    for (int k = 0; k < (f->flat ? 1 : 2); k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) {
                double m[MN_SOLID_MOMENTS];
                if (state == CELL_COVERED) {
                    add_half_cell(w, 2 * x + i, 2 * y + j, 2 * z + k, whole, true);
                    covered += 1.0;
                } else if (half_cell_moments(f, w, 2 * x + i, 2 * y + j, 2 * z + k, curved, m)) {
                    add_half_cell(w, 2 * x + i, 2 * y + j, 2 * z + k, m, m[0] >= 1.0);
                    covered += m[0];
                }
            }
    if (!s->moving || covered <= 0.0) return;
    const mn_vec3 v = mn_pose_velocity(&s->pose, point(f, 2 * x + 1, 2 * y + 1, 2 * z + 1));
    const int     c = cell_at(x, y, z);
    for (int a = 0; a < 3; a++) w->cell_rate[a][c] += (float)(covered * mn_get3(v, a));
    w->cell_rate[3][c] += (float)covered;
}

static void add_solid(const frame *f, const mn_solid *s, bool deep, mn_solid_work *w)
{
    if (deep)
        memset(w->cell, CELL_COVERED, sizeof w->cell);
    else
        sample_solid(f, s, w);
    for (int axis = 0; axis < (f->flat ? 2 : 3); axis++) add_faces(f, s, axis, w);
    for (int z = 0; z < f->cells_z; z++)
        for (int y = 0; y < EXT; y++)
            for (int x = 0; x < EXT; x++) add_cell(f, s, x, y, z, w);
}

static void clear(const frame *f, bool moving, mn_solid_work *w)
{
    const size_t cells = (size_t)f->cells_z * EXT * EXT * sizeof(float), halves = (size_t)f->halves_z * HALVES * HALVES * sizeof(float);
    for (int a = 0; a < 3; a++) {
        memset(w->face[a], 0, cells);
        if (moving) memset(w->face_rate[a], 0, cells);
    }
    for (int k = 0; k < 4 && moving; k++) memset(w->cell_rate[k], 0, cells);
    for (int k = 0; k < MN_SOLID_MOMENTS; k++) memset(w->moment[k], 0, halves);
    memset(w->row, 0, sizeof w->row);
    w->anything = false;
}

/// Where several solids cover more than there is, the half cell is covered once.
static void limit_moments(const frame *f, mn_solid_work *w)
{
    const int n = f->halves_z * HALVES * HALVES;
    for (int h = 0; h < n; h++) {
        if (w->moment[0][h] < 1.0f) continue;
        w->moment[0][h] = 1.0f;
        for (int k = 1; k < MN_SOLID_MOMENTS; k++) w->moment[k][h] = 0.0f;
    }
}

/// The kernel over its six half cells: N = A + B s + C (s^2 - 1/12), times the length of the half cell.
#define TAPS 6
static const float tap_a[TAPS] = { 1 / 48.0f, 7 / 48.0f, 16 / 48.0f, 16 / 48.0f, 7 / 48.0f, 1 / 48.0f };
static const float tap_b[TAPS] = { 3 / 48.0f, 9 / 48.0f, 6 / 48.0f, -6 / 48.0f, -9 / 48.0f, -3 / 48.0f };
static const float tap_c[TAPS] = { 1 / 16.0f, 1 / 16.0f, -1 / 8.0f, -1 / 8.0f, 1 / 16.0f, 1 / 16.0f };

/// Moments of the half cells, summed along x with the kernel of each cell. What is left to do along y and z:
/// 0: A A, 1: B A, 2: A B, 3: C A, 4: A C, 5: B B.
static void sum_along_x(const frame *f, mn_solid_work *w)
{
    for (int row = 0; row < f->halves_z * HALVES; row++) {
        if (w->row[row] == 0) continue;
        const bool cut = w->row[row] == 2;
        for (int c = 0; c < MN_TILE; c++) {
            float        p[6] = { 0 };
            const float *m[MN_SOLID_MOMENTS];
            for (int k = 0; k < MN_SOLID_MOMENTS; k++) m[k] = w->moment[k] + row * HALVES + 2 * c;
            for (int t = 0; t < TAPS; t++) {
                p[0] += tap_a[t] * m[0][t];
                if (!cut) continue;
                p[0] += tap_b[t] * m[1][t] + tap_c[t] * m[4][t];
                p[1] += tap_a[t] * m[2][t] + tap_b[t] * m[7][t];
                p[2] += tap_a[t] * m[3][t] + tap_b[t] * m[9][t];
                p[3] += tap_a[t] * m[5][t];
                p[4] += tap_a[t] * m[6][t];
                p[5] += tap_a[t] * m[8][t];
            }
            for (int k = 0; k < 6; k++) w->along_x[k][row * MN_TILE + c] = p[k];
        }
    }
}

/// What is left to do along z: 0: A, 1: B, 2: C.
static void sum_along_y(const frame *f, mn_solid_work *w)
{
    for (int z = 0; z < f->halves_z; z++)
        for (int y = 0; y < MN_TILE; y++) {
            float *out[3];
            for (int k = 0; k < 3; k++) {
                out[k] = w->along_y[k] + (z * MN_TILE + y) * MN_TILE;
                memset(out[k], 0, MN_TILE * sizeof(float));
            }
            for (int t = 0; t < TAPS; t++) {
                const int row = z * HALVES + 2 * y + t;
                if (w->row[row] == 0) continue;
                const float *p[6];
                for (int k = 0; k < 6; k++) p[k] = w->along_x[k] + row * MN_TILE;
                for (int x = 0; x < MN_TILE; x++) {
                    out[0][x] += tap_a[t] * p[0][x] + tap_b[t] * p[1][x] + tap_c[t] * p[3][x];
                    out[1][x] += tap_a[t] * p[2][x] + tap_b[t] * p[5][x];
                    out[2][x] += tap_a[t] * p[4][x];
                }
            }
        }
}

static float limited(float open) { return open < 0.0f ? 0.0f : open > 1.0f ? 1.0f : open; }

static void write_kernel(const frame *f, const mn_solid_work *w, float *out)
{
    for (int z = 0; z < f->tile_z; z++)
        for (int i = 0; i < MN_TILE * MN_TILE; i++) {
            float covered = 0.0f;
            if (f->flat) covered = w->along_y[0][i];
            for (int t = 0; t < TAPS && !f->flat; t++) {
                const int p = (2 * z + t) * MN_TILE * MN_TILE + i;
                covered += tap_a[t] * w->along_y[0][p] + tap_b[t] * w->along_y[1][p] + tap_c[t] * w->along_y[2][p];
            }
            // Sums of six taps end within a few roundings of the whole; what is only rounding is not a wall.
            if (covered < 1e-6f) covered = 0.0f;
            if (covered > 1.0f - 1e-6f) covered = 1.0f;
            out[z * MN_TILE * MN_TILE + i] = limited(1.0f - covered);
        }
}

static void write_volume(const frame *f, const mn_solid_work *w, float *out)
{
    for (int z = 0; z < f->tile_z; z++)
        for (int y = 0; y < MN_TILE; y++)
            for (int x = 0; x < MN_TILE; x++) {
                float covered = 0.0f;
                for (int k = 0; k < (f->flat ? 1 : 2); k++)
                    for (int j = 0; j < 2; j++)
                        for (int i = 0; i < 2; i++)
                            covered += w->moment[0][half_at(2 * (x + 1) + i, 2 * (y + 1) + j, f->flat ? 0 : 2 * (z + 1) + k)];
                out[mn_cell_in_tile(x, y, z)] = limited(1.0f - covered / (f->flat ? 4.0f : 8.0f));
            }
}

static float open_face(const mn_solid_work *w, int axis, int c)
{
    const float open = 1.0f - w->face[axis][c];
    return open < TINY_FACE ? 0.0f : open;
}

/// Whether so little of a cell's faces is open that all of them are closed. Needs the faces beyond it.
static bool is_closed(const frame *f, const mn_solid_work *w, int x, int y, int z)
{
    const int c    = cell_at(x, y, z);
    float     open = open_face(w, 0, c) + open_face(w, 0, c + 1) + open_face(w, 1, c) + open_face(w, 1, c + EXT);
    if (!f->flat) open += open_face(w, 2, c) + open_face(w, 2, c + EXT * EXT);
    return open < (f->flat ? TINY_CELL_2D : TINY_CELL_3D);
}

/// Velocity of what covers a face; where only the closing of a tiny cell shut it, of what covers that cell.
static float face_velocity(const mn_solid_work *w, int axis, int c, int before)
{
    if (w->face[axis][c] > 0.0f) return w->face_rate[axis][c] / w->face[axis][c];
    const float weight = w->cell_rate[3][c] + w->cell_rate[3][before];
    return weight > 0.0f ? (w->cell_rate[axis][c] + w->cell_rate[axis][before]) / weight : 0.0f;
}

static void write_faces(const frame *f, bool moving, mn_solid_work *w, int64_t base, mn_solid_fields *out)
{
    const int first_z = f->flat ? 0 : 1;
    uint8_t  *closed  = w->cell;                                 // no longer needed for the state of the last solid
    for (int z = 0; z < (f->flat ? 1 : EXT - 1); z++)
        for (int y = 0; y < EXT - 1; y++)
            for (int x = 0; x < EXT - 1; x++) closed[cell_at(x, y, z)] = is_closed(f, w, x, y, z);
    for (int axis = 0; axis < 3; axis++) {
        const int back = axis == 0 ? 1 : axis == 1 ? EXT : f->flat ? 0 : EXT * EXT;
        for (int z = 0; z < f->tile_z; z++)
            for (int y = 0; y < MN_TILE; y++)
                for (int x = 0; x < MN_TILE; x++) {
                    const int     c = cell_at(x + 1, y + 1, z + first_z);
                    const int64_t i = base + mn_cell_in_tile(x, y, z);
                    const float   raw  = f->flat && axis == 2 ? out->volume_open[i] : open_face(w, axis, c);
                    const float   open = closed[c] || closed[c - back] ? 0.0f : raw;
                    out->open[axis][i]     = open;
                    out->velocity[axis][i] = moving && open < 1.0f && back > 0 ? face_velocity(w, axis, c, c - back) : 0.0f;
                }
    }
}

void mn_solid_tile_fill(const mn_tiles *tiles, int32_t tile, bool solid, mn_solid_fields *out)
{
    const int64_t base = (int64_t)tile * tiles->cells;
    const float   open = solid ? 0.0f : 1.0f;
    for (int32_t i = 0; i < tiles->cells; i++) {
        for (int a = 0; a < 3; a++) {
            out->open[a][base + i]     = open;
            out->velocity[a][base + i] = 0.0f;
        }
        out->kernel_open[base + i] = out->volume_open[base + i] = open;
    }
    out->touched[tile] = solid ? 2 : 0;
}

void mn_solid_tile(const mn_tiles *tiles, int32_t tile, const mn_solid *solids, int count, const uint8_t *reach,
                   mn_solid_work *w, mn_solid_fields *out)
{
    bool near = false, moving = false, deep = false;
    for (int k = 0; k < count; k++) {
        near |= reach[k] != MN_SOLID_AWAY;
        deep |= reach[k] == MN_SOLID_DEEP;
        moving |= reach[k] != MN_SOLID_AWAY && solids[k].moving;
    }
    if (!near || (deep && !moving)) {
        mn_solid_tile_fill(tiles, tile, deep, out);
        return;
    }
    const frame f = frame_of(tiles, tile);
    clear(&f, moving, w);
    for (int k = 0; k < count; k++)
        if (reach[k] != MN_SOLID_AWAY) add_solid(&f, &solids[k], reach[k] == MN_SOLID_DEEP, w);
    if (!w->anything) {
        mn_solid_tile_fill(tiles, tile, false, out);
        return;
    }
    const int64_t base = (int64_t)tile * tiles->cells;
    limit_moments(&f, w);
    sum_along_x(&f, w);
    sum_along_y(&f, w);
    write_kernel(&f, w, out->kernel_open + base);
    write_volume(&f, w, out->volume_open + base);
    write_faces(&f, moving, w, base, out);
    out->touched[tile] = deep ? 2 : 1;
}
