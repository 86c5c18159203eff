// SPDX-License-Identifier: MPL-2.0
// geom/cube_cases.c - the cases of marching cubes, worked out from one rule for the faces.
//
// Walk round a face, anticlockwise seen from outside. Each run of inside corners is entered through one edge and left
// through another; the surface cuts the face from the one to the other. Both cubes at a face see the same runs, so
// their cuts agree. An edge with a crossing is an entry on one of its two faces and an exit on the other, so the cuts
// join to closed loops, and each loop is cut into triangles. A side of a triangle that is not a cut of a face but joins
// two crossings of one face is avoided: the neighbour could make the same side, and four triangles would share it. The
// test goes through all cases: it can always be avoided, with up to 7 crossings to a loop and 5 triangles to a cube.
#include "geom/cube_cases.h"

#include "base/context.h"

#include <string.h>

#define LOOP_MAX 12

/// Corners of the faces, anticlockwise seen from outside.
static const int face_corner[6][4] = { { 1, 3, 7, 5 }, { 0, 4, 6, 2 }, { 2, 6, 7, 3 },
                                       { 0, 1, 5, 4 }, { 4, 5, 7, 6 }, { 0, 2, 3, 1 } };

static int edge_between(int a, int b)
{
    const int low = a & b;
    for (int e = 0; e < 12; e++)
        if (mn_cube_edge_low(e) == low && (low | 1 << e / 4) == (a | b)) return e;
    MN_ASSERT(false);
    return -1;
}

/// Whether two edges lie on one face.
static bool share_face(int e, int f)
{
    const int corners = mn_cube_edge_low(e) | mn_cube_edge_low(f) | 1 << e / 4 | 1 << f / 4;
    const int common  = mn_cube_edge_low(e) & mn_cube_edge_low(f);
    return corners != 7 || common != 0;  // all corners have some bit 0, or all have some bit 1
}

/// The cuts of one face: next[entry] = exit.
static void cut_face(unsigned inside, const int corner[4], int next[12])
{
    for (int k = 0; k < 4; k++) {
        const int before = corner[(k + 3) % 4];
        if (!(inside >> corner[k] & 1) || inside >> before & 1) continue;
        int last = k;
        while (inside >> corner[(last + 1) % 4] & 1) last++;
        next[edge_between(before, corner[k])] = edge_between(corner[last % 4], corner[(last + 1) % 4]);
    }
}

/// Triangles of the part first .. last of a loop, whose side from last to first is given; false if there are none.
static bool cut_loop(const int *loop, int first, int last, mn_cube_case *out)
{
    if (last == first + 1) return true;
    const int8_t before = out->count;
    for (int k = first + 1; k < last; k++) {
        if (k > first + 1 && share_face(loop[first], loop[k])) continue;
        if (k < last - 1 && share_face(loop[k], loop[last])) continue;
        if (cut_loop(loop, first, k, out) && cut_loop(loop, k, last, out)) {
            MN_ASSERT(out->count < MN_CUBE_TRIANGLES_MAX);
            int8_t *edge = out->edge[out->count++];
            edge[0] = (int8_t)loop[first], edge[1] = (int8_t)loop[k], edge[2] = (int8_t)loop[last];
            return true;
        }
        out->count = before;
    }
    return false;
}

static void make_cube(unsigned inside, mn_cube_case *out)
{
    int next[12];
    for (int e = 0; e < 12; e++) next[e] = -1;
    for (int f = 0; f < 6; f++) cut_face(inside, face_corner[f], next);
    for (int start = 0; start < 12; start++) {
        int loop[LOOP_MAX], length = 0;
        for (int e = start; next[e] >= 0;) {
            const int follow = next[e];
            loop[length++]   = e;
            next[e]          = -1;
            e                = follow;
        }
        if (length == 0) continue;
        const bool cut = cut_loop(loop, 0, length - 1, out);
        MN_ASSERT(cut);
        (void)cut;
    }
}

static void make_square(unsigned inside, mn_square_case *out)
{
    static const int around[4] = { 0, 1, 3, 2 };  // anticlockwise seen from +z
    int              next[12];
    for (int e = 0; e < 12; e++) next[e] = -1;
    cut_face(inside, around, next);
    for (int e = 0; e < 12; e++) {
        if (next[e] < 0) continue;
        int8_t *edge = out->edge[out->count++];
        edge[0] = (int8_t)next[e], edge[1] = (int8_t)e;
    }
}

void mn_cube_cases_make(mn_cube_cases *out)
{
    memset(out, 0, sizeof *out);
    for (unsigned k = 0; k < 256; k++) make_cube(k, &out->cube[k]);
    for (unsigned k = 0; k < 16; k++) make_square(k, &out->square[k]);
}
