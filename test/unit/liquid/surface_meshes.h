// SPDX-License-Identifier: MPL-2.0
// Particles to make surfaces of, the making, and what is true of every mesh.
#ifndef MN_TEST_SURFACE_MESHES_H
#define MN_TEST_SURFACE_MESHES_H

#include "failing_memory.h"
#include "testing.h"

#include "base/random.h"
#include "geom/mesh.h"
#include "geom/shape.h"
#include "liquid/surface_mesh.h"

#include <stdlib.h>

typedef struct drops {
    double *x[3], *u[3], *volume;
    int64_t count, capacity;
} drops;

static inline drops drops_begin(int64_t capacity)
{
    drops d = { .capacity = capacity };
    for (int a = 0; a < 3; a++) {
        d.x[a] = calloc((size_t)capacity, sizeof(double));
        d.u[a] = calloc((size_t)capacity, sizeof(double));
    }
    d.volume = calloc((size_t)capacity, sizeof(double));
    return d;
}

static inline void drops_end(drops *d)
{
    for (int a = 0; a < 3; a++) free(d->x[a]), free(d->u[a]);
    free(d->volume);
}

/// Whether a point is liquid.
typedef bool inside_fn(const double x[3], const double *numbers);

static inline bool in_ball(const double x[3], const double *n)
{
    return hypot(hypot(x[0] - n[0], x[1] - n[1]), x[2] - n[2]) < n[3];
}

static inline bool below(const double x[3], const double *n) { return x[1] < n[0]; }

/// Two particles a cell and axis in a box, jittered by the given part of their share of the cell.
static inline void drops_fill(drops *d, const mn_grid_def *g, const int32_t cells[3], double jitter, inside_fn *inside,
                              const double *numbers)
{
    const double spacing = 0.5 * g->cell;
    const bool   flat    = g->dimension == 2;
    for (int32_t k = 0; k < (flat ? 1 : 2 * cells[2]); k++)
        for (int32_t j = 0; j < 2 * cells[1]; j++)
            for (int32_t i = 0; i < 2 * cells[0]; i++) {
                const uint64_t id   = (uint64_t)((k * 2 * cells[1] + j) * 2 * cells[0] + i);
                double         x[3] = { i + 0.5, j + 0.5, k + 0.5 };
                for (int a = 0; a < 3; a++)
                    x[a] = mn_get3(g->origin, a) + spacing * (x[a] + jitter * (mn_random(7, id, 0, (uint64_t)a) - 0.5));
                if (flat) x[2] = 0.0;
                if (!inside(x, numbers)) continue;
                assert_true(d->count < d->capacity);
                for (int a = 0; a < 3; a++) d->x[a][d->count] = x[a];
                d->volume[d->count++] = flat ? spacing * spacing * g->depth : spacing * spacing * spacing;
            }
}

static inline mn_surface_source source_of(const mn_grid_def *g, const drops *d)
{
    mn_surface_source s = { .grid = *g, .volume = d->volume, .count = d->count };
    for (int a = 0; a < 3; a++) s.position[a] = d->x[a], s.velocity[a] = d->u[a];
    return s;
}

static inline double volume_of(const drops *d)
{
    double sum = 0.0;
    for (int64_t i = 0; i < d->count; i++) sum += d->volume[i];
    return sum;
}

static inline mn_grid_def grid_of(int dimension, double cell)
{
    return (mn_grid_def){ .dimension = dimension,
                          .cell      = cell,
                          .depth     = dimension == 2 ? 1.0 : cell,
                          .origin    = { 0.3, -0.7, dimension == 2 ? -0.5 : 0.2 },
                          .period    = { 0, 0, dimension == 2 } };
}

static inline mn_mesh mesh_of(const mn_surface_view *v)
{
    return (mn_mesh){ .vertex_count   = v->point_count,
                      .triangle_count = v->cell_count,
                      .vertex         = (double(*)[3])(uintptr_t)v->position,
                      .triangle       = (int32_t(*)[3])(uintptr_t)v->cells };
}

/// Every edge twice in opposite directions, every point used, no triangle without area; the Euler number.
static inline int64_t check_closed(mn_context *c, const mn_surface_view *v)
{
    const mn_mesh mesh = mesh_of(v);
    if (mn_mesh_check_closed(c, "surface", &mesh) != MN_OK) fail_msg("%s", mn_context_error(c));
    uint8_t *used = calloc((size_t)v->point_count + 1, 1);
    for (int64_t k = 0; k < 3 * v->cell_count; k++) used[v->cells[k]] = 1;
    for (int64_t k = 0; k < v->point_count; k++) assert_int_equal(used[k], 1);
    free(used);
    for (int64_t k = 0; k < v->cell_count; k++) {
        mn_vec3 p[3];
        for (int n = 0; n < 3; n++) p[n] = mn_v3_from(v->position[v->cells[3 * k + n]]);
        assert_true(mn_norm3(mn_cross3(mn_sub3(p[1], p[0]), mn_sub3(p[2], p[0]))) > 0.0);
    }
    return v->point_count - 3 * v->cell_count / 2 + v->cell_count;
}

static inline double area_of(const mn_surface_view *v)
{
    double sum = 0.0;
    for (int64_t k = 0; k < v->cell_count; k++) {
        mn_vec3 p[3];
        for (int n = 0; n < 3; n++) p[n] = mn_v3_from(v->position[v->cells[3 * k + n]]);
        sum += 0.5 * mn_norm3(mn_cross3(mn_sub3(p[1], p[0]), mn_sub3(p[2], p[0])));
    }
    return sum;
}

typedef struct maker {
    mn_context      *context;
    mn_surface_mesh *mesh;
} maker;

static inline maker maker_begin(int threads)
{
    maker m = { .context = test_context(threads) };
    assert_int_equal(mn_surface_mesh_create(m.context, &m.mesh), MN_OK);
    return m;
}

static inline void maker_end(maker *m)
{
    mn_surface_mesh_destroy(&m->mesh);
    assert_null(m->mesh);
    test_context_end(&m->context);
}

static inline mn_surface_view make(maker *m, const mn_surface_source *s)
{
    mn_surface_view v;
    if (mn_surface_mesh_make(m->mesh, s, &v) != MN_OK) fail_msg("%s", mn_context_error(m->context));
    return v;
}

/// Five walls of a basin whose low corner is the origin of the grid.
static inline void basin_begin(mn_context *c, const mn_grid_def *g, const double size[3], mn_shape *shapes[5],
                               mn_solid solids[5])
{
    for (int k = 0; k < 5; k++) {
        const int    axis = k == 4 ? 1 : 2 * (k / 2), side = k == 4 ? 0 : k % 2;
        mn_shape_def plane = mn_shape_def_default(MN_SHAPE_PLANE);
        for (int b = 0; b < 3; b++) plane.center[b] = plane.axis[b] = 0.0;
        plane.center[axis] = mn_get3(g->origin, axis) + side * size[axis];
        plane.axis[axis]   = side == 0 ? 1.0 : -1.0;
        assert_int_equal(mn_shape_create(c, &plane, &shapes[k]), MN_OK);
        solids[k] = (mn_solid){ .shape = shapes[k], .pose = mn_motion_pose(NULL, 0.0) };
    }
}

// Refused memory: a source to be meshed, for the loop of failing_memory.h.
typedef struct meshing {
    mn_context       *context;
    mn_surface_source source;
} meshing;

/// After a refusal the same call works.
static inline mn_status make_surface(failing_memory *m, void *user)
{
    const meshing   *s    = user;
    mn_surface_mesh *mesh = NULL;
    mn_surface_view  v;
    mn_status        status = mn_surface_mesh_create(s->context, &mesh);
    if (status == MN_OK) status = mn_surface_mesh_make(mesh, &s->source, &v);
    grant_all(m);
    if (mesh != NULL && status != MN_OK) {
        assert_int_equal(mn_surface_mesh_make(mesh, &s->source, &v), MN_OK);
        assert_true(v.cell_count > 100);
    }
    mn_surface_mesh_destroy(&mesh);
    return status;
}

#endif
