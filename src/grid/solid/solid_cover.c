// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_cover.c - what one solid covers of the faces and half cells around a tile.
//
// The distance is sampled every half cell, but only in cells that the surface may pass: a distance at the centre of a
// block beyond its half diagonal decides the whole block. From the samples follow
//   - the covered part of every face, by marching squares over its quarters (liquid 5.3);
//   - moments of the covered part of every half cell up to second order, with the surface taken as a plane there.
#include "grid/solid/solid_private.h"

#include <string.h>

#define EXT    MN_SOLID_EXT
#define NODES  MN_SOLID_NODES
#define HALVES MN_SOLID_HALVES

/// Distances below this part of a cell count as zero: a wall on a grid plane is there whatever rounding says.
#define SNAP 1e-7

mn_solid_frame mn_solid_frame_of(const mn_tiles *t, int32_t tile)
{
    const mn_grid_def  *g    = &t->def;
    const mn_tile_coord at   = t->coord[tile];
    const bool          flat = g->dimension == 2;
    mn_solid_frame      f    = { .origin = g->origin, .cell = g->cell, .half = 0.5 * g->cell, .flat = flat };
    f.first[0]               = 2.0 * (MN_TILE * (double)at.x - 1.0);
    f.first[1]               = 2.0 * (MN_TILE * (double)at.y - 1.0);
    f.first[2]               = 2.0 * (MN_TILE * (double)at.z - 1.0);
    f.cells_z                = flat ? 1 : EXT;
    f.halves_z               = flat ? 1 : HALVES;
    f.nodes_z                = flat ? 1 : NODES;
    f.tile_z                 = t->tile_z;
    if (flat) f.origin.z += 0.5 * g->depth;
    return f;
}

/// A point counted in half cells from the low corner of the reach.
static mn_vec3 point(const mn_solid_frame *f, double x, double y, double z)
{
    return mn_v3(f->origin.x + f->half * (f->first[0] + x), f->origin.y + f->half * (f->first[1] + y),
                 f->flat ? f->origin.z : f->origin.z + f->half * (f->first[2] + z));
}

mn_solid_reach mn_solid_tile_reach(const mn_tiles *tiles, int32_t tile, const mn_solid *s)
{
    const mn_solid_frame f      = mn_solid_frame_of(tiles, tile);
    const mn_vec3        center = point(&f, EXT, EXT, EXT);
    const double         radius = (f.flat ? sqrt(2.0) : sqrt(3.0)) * 0.5 * EXT * f.cell;
    const mn_vec3        rest   = mn_solid_rest(s, center);
    double               d      = mn_shape_signed_bound(s->shape, rest);
    if (fabs(d) < radius) d = mn_shape_at(s->shape, rest);
    return d >= radius ? MN_SOLID_AWAY : d <= -radius ? MN_SOLID_DEEP : MN_SOLID_NEAR;
}

static double distance_at(const mn_solid_frame *f, const mn_solid *s, double x, double y, double z)
{
    const double d = mn_shape_at(s->shape, mn_solid_rest(s, point(f, x, y, z)));
    return fabs(d) < SNAP * f->cell ? 0.0 : d;
}

static void sample_nodes(const mn_solid_frame *f, const mn_solid *s, int x, int y, int z, mn_solid_work *w)
{
    for (int dz = 0; dz <= (f->flat ? 0 : 2); dz++)
        for (int dy = 0; dy <= 2; dy++)
            for (int dx = 0; dx <= 2; dx++) {
                const int n = mn_solid_node_at(2 * x + dx, 2 * y + dy, 2 * z + dz);
                if (w->node_known[n]) continue;
                w->node_known[n] = 1;
                w->node[n]       = distance_at(f, s, 2 * x + dx, 2 * y + dy, 2 * z + dz);
            }
}

/// Decide the cells of a cube of `size` cells (a power of two) from its low corner on.
static void sample_block(const mn_solid_frame *f, const mn_solid *s, int size, int x, int y, int z, mn_solid_work *w)
{
    if (x >= EXT || y >= EXT || z >= f->cells_z) return;
    const double  half_diagonal = (f->flat ? sqrt(2.0) : sqrt(3.0)) * 0.5 * size * f->cell;
    const mn_vec3 center        = mn_solid_rest(s, point(f, 2 * x + size, 2 * y + size, 2 * z + size));
    double        d             = mn_shape_signed_bound(s->shape, center);
    if (fabs(d) < half_diagonal) d = mn_shape_at(s->shape, center);
    const int depth = f->flat ? 1 : size;
    if (fabs(d) >= half_diagonal || size == 1) {
        const uint8_t state = fabs(d) < half_diagonal ? MN_SOLID_CELL_CUT
                              : d > 0.0               ? MN_SOLID_CELL_OPEN
                                                      : MN_SOLID_CELL_COVERED;
        for (int k = z; k < z + depth && k < f->cells_z; k++)
            for (int j = y; j < y + size && j < EXT; j++)
                for (int i = x; i < x + size && i < EXT; i++) w->cell[mn_solid_cell_at(i, j, k)] = state;
        if (state == MN_SOLID_CELL_CUT) sample_nodes(f, s, x, y, z, w);
        return;
    }
    const int next = size / 2;
    for (int k = 0; k < (f->flat ? 1 : 2); k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) sample_block(f, s, next, x + i * next, y + j * next, z + k * next, w);
}

static void sample_solid(const mn_solid_frame *f, const mn_solid *s, mn_solid_work *w)
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
    for (int k = 0; k < 4; k++) e[k] = open_edge(d[k], d[(k + 1) & 3]);  // e[k] leads from corner k to k + 1
    if (positive == 1) {
        while (!(d[first] > 0.0)) first++;
        return 0.5 * e[first] * e[(first + 3) & 3];
    }
    if (negative == 1 && positive == 3) {
        while (!(d[first] < 0.0)) first++;
        return 1.0 - 0.5 * (1.0 - e[first]) * (1.0 - e[(first + 3) & 3]);
    }
    if ((d[0] > 0.0) != (d[2] > 0.0)) {  // two neighbours: a trapezium
        while (!(d[first] > 0.0 && d[(first + 1) & 3] > 0.0)) first++;
        return 0.5 * (e[(first + 1) & 3] + e[(first + 3) & 3]);
    }
    // Two opposite corners: the mean tells whether the open parts meet in the middle.
    double open = 0.0, closed = 0.0;
    for (int k = 0; k < 4; k++) {
        const int before = (k + 3) & 3;
        if (d[k] > 0.0) open += 0.5 * e[k] * e[before];
        else closed += 0.5 * (1.0 - e[k]) * (1.0 - e[before]);
    }
    return d[0] + d[1] + d[2] + d[3] > 0.0 ? 1.0 - closed : open;
}

double mn_solid_open_quarter(const mn_solid_frame *f, const mn_solid_work *w, int axis, int x, int y, int z,
                             int quarter)
{
    const int step[3] = { mn_solid_node_at(1, 0, 0), mn_solid_node_at(0, 1, 0), mn_solid_node_at(0, 0, 1) };
    const int n       = mn_solid_node_at(2 * x, 2 * y, f->flat ? 0 : 2 * z);
    if (f->flat) {
        const int t = step[1 - axis], q = n + quarter * t;
        return open_edge(w->node[q], w->node[q + t]);
    }
    const int    u = step[(axis + 1) % 3], v = step[(axis + 2) % 3], q = n + (quarter & 1) * u + (quarter >> 1) * v;
    const double d[4] = { w->node[q], w->node[q + u], w->node[q + u + v], w->node[q + v] };
    return open_square(d);
}

/// Covered part of the low face of a cut cell.
static double covered_face(const mn_solid_frame *f, const mn_solid_work *w, int axis, int x, int y, int z)
{
    double open = 0.0;
    for (int q = 0; q < (f->flat ? 2 : 4); q++) open += mn_solid_open_quarter(f, w, axis, x, y, z, q);
    return 1.0 - (f->flat ? 0.5 : 0.25) * open;
}

float mn_solid_face_rate(const mn_solid_frame *f, const mn_solid *s, int axis, const int c[3], double covered)
{
    const mn_vec3 at = point(f, 2 * c[0] + (axis != 0), 2 * c[1] + (axis != 1), 2 * c[2] + (axis != 2));
    return (float)(covered * mn_get3(mn_solid_velocity(s, at), axis));
}

static void add_faces(const mn_solid_frame *f, const mn_solid *s, int axis, mn_solid_work *w)
{
    const int back = axis == 0 ? 1 : axis == 1 ? EXT : EXT * EXT;
    for (int z = 0; z < f->cells_z; z++)
        for (int y = 0; y < EXT; y++)
            for (int x = 0; x < EXT; x++) {
                const int c = mn_solid_cell_at(x, y, z), first = (axis == 0 ? x : axis == 1 ? y : z) == 0;
                uint8_t   state = w->cell[c];  // a cell that is not cut decides its faces
                if (state == MN_SOLID_CELL_CUT && !first) state = w->cell[c - back];
                if (state == MN_SOLID_CELL_OPEN) continue;
                const double covered = state == MN_SOLID_CELL_COVERED ? 1.0 : covered_face(f, w, axis, x, y, z);
                if (covered <= 0.0) continue;
                w->face[axis][c] += (float)covered;
                if (!s->moving) continue;
                w->moved[axis][c] = covered;
                w->face_rate[axis][c] += mn_solid_face_rate(f, s, axis, (const int[3]){ x, y, z }, covered);
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
    const double sign = g[a] > 0.0 ? 1.0 : -1.0, slope = 1.0 / g[a];  // covered is [-1/2, t], or [t, 1/2]
    for (int i = 0; i < nb; i++)
        for (int j = 0; j < nc; j++) {
            const double sb = nb == 1 ? 0.0 : gauss_place[i], sc = nc == 1 ? 0.0 : gauss_place[j];
            const double weight = (nb == 1 ? 1.0 : gauss_weight[i]) * (nc == 1 ? 1.0 : gauss_weight[j]);
            double       t      = -(value + g[b] * sb + g[c] * sc) * slope;
            t                   = t < -0.5 ? -0.5 : t > 0.5 ? 0.5 : t;
            const double k0 = weight * (0.5 + sign * t), k1 = weight * sign * 0.5 * (t * t - 0.25);
            m[0] += k0;
            m[1 + a] += k1;
            m[1 + b] += k0 * sb;
            m[1 + c] += k0 * sc;
            m[4 + a] += weight * (1.0 / 24.0 + sign * t * t * t / 3.0) - k0 / 12.0;
            m[4 + b] += k0 * (nb == 1 ? 0.0 : sb * sb - 1.0 / 12.0);
            m[4 + c] += k0 * (nc == 1 ? 0.0 : sc * sc - 1.0 / 12.0);
            m[7 + a] += k1 * sb;  // xy, yz, zx: the pair that begins with a
            m[7 + b] += k0 * sb * sc;
            m[7 + c] += k1 * sc;
        }
}

/// How much the mean of the distance over the corners of a half cell is above that of the plane with the same open
/// volume, where the surface is curved: s^2 / 8 of the corners less s^2 / 24 of the bulge, times the Laplacian.
static double bulge(const mn_solid_frame *f, const mn_solid_work *w, int x, int y, int z)
{
    const int n         = mn_solid_node_at(2 * x + 1, 2 * y + 1, f->flat ? 0 : 2 * z + 1);
    const int step[3]   = { mn_solid_node_at(1, 0, 0), mn_solid_node_at(0, 1, 0), mn_solid_node_at(0, 0, 1) };
    double    laplacian = 0.0;  // times s^2
    for (int a = 0; a < (f->flat ? 2 : 3); a++)
        laplacian += w->node[n - step[a]] - 2.0 * w->node[n] + w->node[n + step[a]];
    return laplacian / 12.0;
}

/// Covered moments of one half cell from the distances at its corners. False if it is open.
static bool half_cell_moments(const mn_solid_frame *f, const mn_solid_work *w, int x, int y, int z, double curved,
                              double m[MN_SOLID_MOMENTS])
{
    const int n = mn_solid_node_at(x, y, f->flat ? 0 : z), top = f->flat ? 1 : 2;
    double    sum = 0.0, g[3] = { 0.0, 0.0, 0.0 }, least = INFINITY, most = -INFINITY;
    for (int k = 0; k < top; k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) {
                const double d = w->node[n + mn_solid_node_at(i, j, k)];
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
    } else {  // a crest or a sheet thinner than the half cell
        const double part = 0.5 - value / f->half;
        m[0]              = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
    }
    return m[0] > 0.0;
}

static void add_half_cell(mn_solid_work *w, int x, int y, int z, const double m[MN_SOLID_MOMENTS], bool whole)
{
    const int h = mn_solid_half_at(x, y, z);
    uint8_t  *r = &w->row[z * HALVES + y];
    w->anything = true;
    w->moment[0][h] += (float)m[0];
    if (*r == 0) *r = 1;
    if (whole) return;
    *r = 2;
    for (int k = 1; k < MN_SOLID_MOMENTS; k++) w->moment[k][h] += (float)m[k];
}

static void add_cell(const mn_solid_frame *f, const mn_solid *s, int x, int y, int z, mn_solid_work *w)
{
    const int           state                   = w->cell[mn_solid_cell_at(x, y, z)];
    double              covered                 = 0.0;
    static const double whole[MN_SOLID_MOMENTS] = { 1.0 };
    if (state == MN_SOLID_CELL_OPEN) return;
    const double curved = state == MN_SOLID_CELL_CUT ? bulge(f, w, x, y, z) : 0.0;
    for (int k = 0; k < (f->flat ? 1 : 2); k++)
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 2; i++) {
                double m[MN_SOLID_MOMENTS];
                if (state == MN_SOLID_CELL_COVERED) {
                    add_half_cell(w, 2 * x + i, 2 * y + j, 2 * z + k, whole, true);
                    covered += 1.0;
                } else if (half_cell_moments(f, w, 2 * x + i, 2 * y + j, 2 * z + k, curved, m)) {
                    add_half_cell(w, 2 * x + i, 2 * y + j, 2 * z + k, m, m[0] >= 1.0);
                    covered += m[0];
                }
            }
    if (!s->moving || covered <= 0.0) return;
    const mn_vec3 v = mn_solid_velocity(s, point(f, 2 * x + 1, 2 * y + 1, 2 * z + 1));
    const int     c = mn_solid_cell_at(x, y, z);
    for (int a = 0; a < 3; a++) w->cell_rate[a][c] += (float)(covered * mn_get3(v, a));
    w->cell_rate[3][c] += (float)covered;
}

void mn_solid_cover(const mn_solid_frame *f, const mn_solid *s, bool deep, mn_solid_work *w)
{
    if (deep) {
        memset(w->cell, MN_SOLID_CELL_COVERED, sizeof w->cell);
    } else {
        sample_solid(f, s, w);
        mn_solid_divide(f, w);
    }
    for (int axis = 0; axis < (f->flat ? 2 : 3); axis++) add_faces(f, s, axis, w);
    for (int z = 0; z < f->cells_z; z++)
        for (int y = 0; y < EXT; y++)
            for (int x = 0; x < EXT; x++) add_cell(f, s, x, y, z, w);
}
