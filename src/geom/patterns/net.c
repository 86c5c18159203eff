// SPDX-License-Identifier: MPL-2.0
// geom/patterns/net.c - a square net: lines along x and z that share a vertex wherever they cross.
#include "geom/patterns/yarn_private.h"

typedef struct net {
    int64_t columns, rows, pieces;  // meshes along x and z, segments along the side of a mesh
} net;

/// Number of the vertex k segments along line `row` from the left. Vertices are numbered row by row: a row of knots,
/// then the vertices of the lines along z between it and the next.
static int32_t along_x(const net *n, int64_t row, int64_t k)
{
    const int64_t line = n->columns * n->pieces + 1, between = (n->columns + 1) * (n->pieces - 1);
    return (int32_t)(row * (line + between) + k);
}

/// Vertex k segments along line `column` from the back.
static int32_t along_z(const net *n, int64_t column, int64_t k)
{
    const int64_t row = k / n->pieces, part = k % n->pieces, line = n->columns * n->pieces + 1;
    if (part == 0) return along_x(n, row, column * n->pieces);
    return (int32_t)(along_x(n, row, 0) + line + (part - 1) * (n->columns + 1) + column);
}

static void add_vertices(mn_pattern_builder *b, const net *n, const mn_yarn_def *def)
{
    const double step = def->pitch / (double)n->pieces;
    const double left = -0.5 * def->pitch * (double)n->columns, back = -0.5 * def->pitch * (double)n->rows;
    for (int64_t row = 0; row <= n->rows; row++) {
        const double z = back + def->pitch * (double)row;
        for (int64_t k = 0; k <= n->columns * n->pieces; k++)
            mn_build_vertex(b, mn_v3(left + step * (double)k, 0.0, z));
        for (int64_t part = 1; part < n->pieces && row < n->rows; part++) {
            for (int64_t column = 0; column <= n->columns; column++) {
                mn_build_vertex(b, mn_v3(left + def->pitch * (double)column, 0.0, z + step * (double)part));
            }
        }
    }
}

void mn_yarn_net(mn_pattern_builder *b, const mn_yarn_def *def)
{
    net n     = { .columns = 1, .rows = 1, .pieces = 1 };
    b->status = mn_pattern_count(b->context, "the net", def->size[0], def->pitch, &n.columns);
    if (b->status == MN_OK) b->status = mn_pattern_count(b->context, "the net", def->size[1], def->pitch, &n.rows);
    if (b->status == MN_OK)
        b->status = mn_pattern_count(b->context, "a mesh of the net", def->pitch, def->spacing, &n.pieces);
    add_vertices(b, &n, def);
    for (int64_t row = 0; row <= n.rows && b->status == MN_OK; row++) {
        mn_build_strand_begin(b, def->radius);
        for (int64_t k = 0; k <= n.columns * n.pieces; k++) mn_build_strand_add(b, along_x(&n, row, k));
        mn_build_strand_end(b, false);
    }
    for (int64_t column = 0; column <= n.columns && b->status == MN_OK; column++) {
        mn_build_strand_begin(b, def->radius);
        for (int64_t k = 0; k <= n.rows * n.pieces; k++) mn_build_strand_add(b, along_z(&n, column, k));
        mn_build_strand_end(b, false);
    }
}
