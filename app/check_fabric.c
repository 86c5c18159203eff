// SPDX-License-Identifier: MPL-2.0
// app/check_fabric.c - what `meniscus check` says about the fabrics of a scene.
#include "app.h"

#include <math.h>

#define WIDEST  0.7  // cells between vertices; wider meshes let liquid and other layers through (wet-fabric T14)
#define LONGEST 1.0  // of one edge, in cells: the diagonal of a square whose sides are as long as may be

typedef struct edge_sum {
    int64_t count, segments;
    double  sum, longest;
    int32_t from;  // a vertex of the longest
} edge_sum;

static void add_edge(const mn_thin_mesh *m, int32_t a, int32_t b, edge_sum *out)
{
    double length2 = 0.0;
    for (int axis = 0; axis < 3; axis++) length2 += pow(m->vertex[a][axis] - m->vertex[b][axis], 2.0);
    out->count++;
    out->sum += sqrt(length2);
    if (sqrt(length2) > out->longest) out->longest = sqrt(length2), out->from = a;
}

/// Edges of triangles (inner ones twice, which hardly matters to their mean) and segments of strands.
static edge_sum measure_edges(const mn_thin_mesh *m)
{
    edge_sum out = { .count = 0 };
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++) add_edge(m, m->triangle[t][k], m->triangle[t][(k + 1) % 3], &out);
    for (int64_t s = 0; s < m->strand_count; s++) {
        const int64_t first = m->strand_start[s], count = m->strand_start[s + 1] - first;
        for (int64_t k = 0; k + (m->strand_closed[s] ? 0 : 1) < count; k++) {
            add_edge(m, m->strand_vertex[first + k], m->strand_vertex[first + (k + 1) % count], &out);
            out.segments++;
        }
    }
    return out;
}

int64_t app_fabric_vertices(const mn_scene *scene)
{
    int64_t count = 0;
    for (int k = 0; k < mn_scene_fabric_count(scene); k++) count += mn_scene_fabric(scene, k)->mesh->vertex_count;
    return count;
}

static double mesh_bytes(const mn_scene *scene)
{
    double bytes = 0.0;
    for (int k = 0; k < mn_scene_fabric_count(scene); k++) {
        const mn_thin_mesh *m = mn_scene_fabric(scene, k)->mesh;
        bytes += (double)m->vertex_count * sizeof *m->vertex +
                 (double)m->triangle_count * (sizeof *m->triangle + sizeof *m->warp);
        if (m->strand_count > 0)
            bytes += (double)m->strand_start[m->strand_count] * sizeof *m->strand_vertex +
                     (double)m->strand_count * 24.0;
        for (int64_t g = 0; g < m->group_count; g++) bytes += (double)m->group[g].count * sizeof *m->group[g].vertex;
    }
    return bytes;
}

void app_print_fabrics(const mn_scene *scene)
{
    const double cell = mn_scene_domain(scene).cell;
    for (int k = 0; k < mn_scene_fabric_count(scene); k++) {
        const mn_fabric_def *f       = mn_scene_fabric(scene, k);
        const mn_thin_mesh  *m       = f->mesh;
        const edge_sum       e       = measure_edges(m);
        const double         spacing = e.count > 0 ? e.sum / (double)e.count : 0.0;
        int64_t              pinned  = 0;
        for (int p = 0; p < f->pin_count; p++) pinned += mn_thin_find_group(m, f->pins[p].group)->count;
        printf("fabric       %s: %lld vertices, %lld triangles, %lld segments, spacing %.4g cm = %.2f cells, %lld "
               "vertices pinned\n",
               f->name, (long long)m->vertex_count, (long long)m->triangle_count, (long long)e.segments, spacing,
               spacing / cell, (long long)pinned);
        if (spacing > WIDEST * cell) {
            printf("warning      %s: vertices are %.2f cells apart; keep below %.1f, or it is too coarse for the "
                   "grid\n",
                   f->name, spacing / cell, WIDEST);
        } else if (e.longest > LONGEST * cell) {
            const double *x = m->vertex[e.from];
            printf("warning      %s: its longest edge is %.4g cm = %.2f cells, at (%.3g, %.3g, %.3g); keep edges below "
                   "%.1f, or liquid and other layers pass through there\n",
                   f->name, e.longest, e.longest / cell, x[0], x[1], x[2], LONGEST);
        }
    }
    if (mn_scene_fabric_count(scene) > 0) {
        char size[32];
        app_format_bytes(mesh_bytes(scene), size, sizeof size);
        printf("meshes       %s\n", size);
    }
}
