// SPDX-License-Identifier: MPL-2.0
// verify/stain/stain_meshes.c - squares, a disc and a sphere of triangles.
#include "verify/stain/stain_meshes.h"

#include "base/random.h"
#include "stain/operator_flip.h"

#include <string.h>

void mn_stain_mesh_free(mn_context *c, mn_stain_mesh *m)
{
    mn_free(c, m->x);
    mn_free(c, m->triangle);
    *m = (mn_stain_mesh){ 0 };
}

static mn_status allocate(mn_context *c, int64_t vertices, int64_t triangles, mn_stain_mesh *m)
{
    *m = (mn_stain_mesh){ .x        = mn_alloc_array(c, mn_vec3, vertices),
                          .triangle = mn_alloc(c, mn_array_bytes(triangles, sizeof *m->triangle)) };
    if (m->x != NULL && m->triangle != NULL) return MN_OK;
    mn_stain_mesh_free(c, m);
    return MN_ERR_MEMORY;
}

static void add(mn_stain_mesh *m, int32_t a, int32_t b, int32_t c)
{
    int32_t *t = m->triangle[m->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
}

mn_status mn_stain_mesh_surface(mn_context *c, const mn_stain_mesh *m, mn_stain_surface **out)
{
    return mn_stain_surface_create(c, m->vertex_count, m->x, m->triangle_count, m->triangle, out);
}

double mn_stain_mesh_angle(const mn_stain_mesh *m, int64_t t)
{
    const mn_vec3 d = mn_sub3(m->x[m->triangle[t][1]], m->x[m->triangle[t][0]]);
    return -atan2(d.y, d.x);
}

static double twice_area(const mn_stain_mesh *m, int32_t a, int32_t b, int32_t c)
{
    const mn_vec3 p = mn_sub3(m->x[b], m->x[a]), q = mn_sub3(m->x[c], m->x[a]);
    return p.x * q.y - p.y * q.x;
}

/// Two triangles of a cell; a diagonal that would leave a dent is not taken.
static void split_cell(mn_stain_mesh *m, int32_t a, int32_t b, int32_t c, int32_t d, bool rising)
{
    const bool can_rise = twice_area(m, a, b, c) > 0.0 && twice_area(m, a, c, d) > 0.0;
    const bool can_fall = twice_area(m, a, b, d) > 0.0 && twice_area(m, b, c, d) > 0.0;
    if ((rising && can_rise) || !can_fall) {
        add(m, a, b, c);
        add(m, a, c, d);
    } else {
        add(m, a, b, d);
        add(m, b, c, d);
    }
}

/// The triangles of the same points whose circles are empty.
static mn_status make_delaunay(mn_context *c, mn_stain_mesh *m)
{
    mn_stain_surface *s = NULL;
    MN_TRY(mn_stain_mesh_surface(c, m, &s));
    mn_stain_flipped f  = { .context        = c,
                            .triangle_count = m->triangle_count,
                            .triangle       = s->triangle,
                            .across         = s->across,
                            .corner         = s->corner,
                            .tensor         = mn_alloc_array(c, mn_stain_tensor, m->triangle_count),
                            .metric         = mn_alloc_array(c, mn_stain_tensor, m->triangle_count) };
    mn_status        st = f.tensor != NULL && f.metric != NULL ? MN_OK : MN_ERR_MEMORY;
    for (int64_t t = 0; st == MN_OK && t < m->triangle_count; t++)
        f.tensor[t] = f.metric[t] = (mn_stain_tensor){ 1.0, 0.0, 1.0 };
    if (st == MN_OK) st = mn_stain_flip_edges(&f);
    if (st == MN_OK) memcpy(m->triangle, f.triangle, (size_t)m->triangle_count * sizeof *m->triangle);
    mn_free(c, f.tensor);
    mn_free(c, f.metric);
    mn_stain_surface_destroy(&s);
    return st;
}

mn_status mn_stain_mesh_square(mn_context *c, const mn_stain_square_def *def, mn_stain_mesh *out)
{
    const int nx = def->nx, ny = def->ny;
    MN_TRY(allocate(c, (int64_t)nx * ny, 2 * (int64_t)(nx - 1) * (ny - 1), out));
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
            double x = i - 0.5 * (nx - 1), y = j - 0.5 * (ny - 1);
            if (i > 0 && j > 0 && i < nx - 1 && j < ny - 1) {
                x += def->jitter * (2.0 * mn_random(def->seed, (uint64_t)out->vertex_count, 0, 0) - 1.0);
                y += def->jitter * (2.0 * mn_random(def->seed, (uint64_t)out->vertex_count, 0, 1) - 1.0);
            }
            out->x[out->vertex_count++] = mn_v3(def->spacing * (x + def->shear * y), def->spacing * y, 0.0);
        }
    for (int32_t j = 0; j + 1 < ny; j++)
        for (int32_t i = 0; i + 1 < nx; i++) {
            const int32_t a      = j * nx + i;
            const bool    rising = def->diagonals == MN_DIAGONALS_RANDOM ? mn_random(def->seed, (uint64_t)a, 0, 2) < 0.5
                                                                         : (i + j) % 2 == 0;
            split_cell(out, a, a + 1, a + nx + 1, a + nx, rising);
        }
    const mn_status st = def->diagonals == MN_DIAGONALS_DELAUNAY ? make_delaunay(c, out) : MN_OK;
    if (st != MN_OK) mn_stain_mesh_free(c, out);
    return st;
}

mn_status mn_stain_mesh_disc(mn_context *c, double radius, int rings, mn_stain_mesh *out)
{
    MN_TRY(allocate(c, 1 + 3 * (int64_t)rings * (rings + 1), 6 * (int64_t)rings * rings, out));
    out->x[out->vertex_count++] = mn_v3(0.0, 0.0, 0.0);
    for (int k = 1; k <= rings; k++)
        for (int i = 0; i < 6 * k; i++) {
            const double a = 2.0 * MN_PI * i / (6 * k), r = radius * k / rings;
            out->x[out->vertex_count++] = mn_v3(r * cos(a), r * sin(a), 0.0);
        }
    for (int32_t k = 1; k <= rings; k++) {
        const int32_t outer = 1 + 3 * k * (k - 1), inner = k == 1 ? 0 : 1 + 3 * (k - 1) * (k - 2), around = 6 * (k - 1);
        for (int32_t side = 0; side < 6; side++)
            for (int32_t i = 0; i < k; i++) {
                const int32_t o = outer + side * k + i, o1 = outer + (side * k + i + 1) % (6 * k);
                const int32_t n = k == 1 ? 0 : inner + (side * (k - 1) + i) % around;
                add(out, n, o, o1);
                if (i + 1 < k) add(out, n, o1, inner + (side * (k - 1) + i + 1) % around);
            }
    }
    return MN_OK;
}

/// Vertex in the middle of an edge, made once: a small table of edges by their smaller end.
static int32_t middle(mn_stain_mesh *m, int32_t (*made)[3], int64_t *count, int32_t *first, int32_t a, int32_t b)
{
    const int32_t lo = a < b ? a : b, hi = a < b ? b : a;
    for (int32_t k = first[lo]; k > 0; k = made[k][2])
        if (made[k][0] == hi) return made[k][1];
    const int32_t k = (int32_t)++ * count;
    made[k][0] = hi, made[k][1] = (int32_t)m->vertex_count, made[k][2] = first[lo];
    first[lo]             = k;
    m->x[m->vertex_count] = mn_unit3(mn_add3(m->x[a], m->x[b]), mn_v3(1.0, 0.0, 0.0));
    return (int32_t)m->vertex_count++;
}

static mn_status divide(mn_context *c, mn_stain_mesh *m)
{
    const int64_t edges = 3 * m->triangle_count / 2;
    mn_stain_mesh fine;
    MN_TRY(allocate(c, m->vertex_count + edges, 4 * m->triangle_count, &fine));
    int32_t(*made)[3] = mn_alloc(c, mn_array_bytes(edges + 1, sizeof *made));
    int32_t   *first  = mn_alloc_array(c, int32_t, m->vertex_count);
    int64_t    count  = 0;
    const bool ok     = made != NULL && first != NULL;
    if (ok) {
        memcpy(fine.x, m->x, (size_t)m->vertex_count * sizeof *m->x);
        fine.vertex_count = m->vertex_count;
        for (int64_t t = 0; t < m->triangle_count; t++) {
            const int32_t *v = m->triangle[t];
            int32_t        e[3];
            for (int k = 0; k < 3; k++) e[k] = middle(&fine, made, &count, first, v[k], v[(k + 1) % 3]);
            add(&fine, v[0], e[0], e[2]);
            add(&fine, v[1], e[1], e[0]);
            add(&fine, v[2], e[2], e[1]);
            add(&fine, e[0], e[1], e[2]);
        }
    }
    mn_free(c, made);
    mn_free(c, first);
    mn_stain_mesh_free(c, m);
    *m = fine;
    return ok ? MN_OK : MN_ERR_MEMORY;
}

mn_status mn_stain_mesh_sphere(mn_context *c, double radius, int levels, mn_stain_mesh *out)
{
    static const int32_t faces[20][3] = { { 0, 11, 5 }, { 0, 5, 1 },  { 0, 1, 7 },   { 0, 7, 10 }, { 0, 10, 11 },
                                          { 1, 5, 9 },  { 5, 11, 4 }, { 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 },
                                          { 3, 9, 4 },  { 3, 4, 2 },  { 3, 2, 6 },   { 3, 6, 8 },  { 3, 8, 9 },
                                          { 4, 9, 5 },  { 2, 4, 11 }, { 6, 2, 10 },  { 8, 6, 7 },  { 9, 8, 1 } };
    const double         g            = 0.5 * (1.0 + sqrt(5.0));
    const mn_vec3        corners[12]  = {
                { -1, g, 0 },  { 1, g, 0 },  { -1, -g, 0 }, { 1, -g, 0 }, { 0, -1, g },  { 0, 1, g },
                { 0, -1, -g }, { 0, 1, -g }, { g, 0, -1 },  { g, 0, 1 },  { -g, 0, -1 }, { -g, 0, 1 }
    };
    MN_TRY(allocate(c, 12, 20, out));
    for (int k = 0; k < 12; k++) out->x[out->vertex_count++] = mn_unit3(corners[k], corners[k]);
    for (int k = 0; k < 20; k++) add(out, faces[k][0], faces[k][1], faces[k][2]);
    for (int k = 0; k < levels; k++) {
        const mn_status st = divide(c, out);
        if (st != MN_OK) {
            mn_stain_mesh_free(c, out);
            return st;
        }
    }
    for (int64_t v = 0; v < out->vertex_count; v++) out->x[v] = mn_scale3(radius, out->x[v]);
    return MN_OK;
}
