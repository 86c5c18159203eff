// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_sphere.c - A6.6: decay of spherical harmonics, scalar and vector, on a divided icosahedron.
#include "verify/stain/a6_stain.h"

#include "stain/diffuse.h"
#include "stain/frames.h"
#include "stain/velocity.h"
#include "verify/stain/stain_meshes.h"

#include <stdio.h>

#define RADIUS 2.0

typedef struct sphere {
    mn_stain_mesh     mesh;
    mn_stain_surface *s;
    mn_stain_tensor  *tensor;
    mn_stain_rest    *rest;
    mn_arena         *arena;
    double           *mass;
    mn_stain_vec     *u, *ku;
} sphere;

static void sphere_free(mn_context *c, sphere *q)
{
    mn_stain_rest_destroy(&q->rest);
    mn_stain_surface_destroy(&q->s);
    mn_stain_mesh_free(c, &q->mesh);
    mn_arena_destroy(&q->arena);
    mn_free(c, q->tensor);
    mn_free(c, q->mass);
    mn_free(c, q->u);
    mn_free(c, q->ku);
}

static mn_status sphere_make(mn_context *c, int levels, sphere *q)
{
    *q = (sphere){ 0 };
    MN_TRY(mn_arena_create(c, &q->arena));
    MN_TRY(mn_stain_mesh_sphere(c, RADIUS, levels, &q->mesh));
    MN_TRY(mn_stain_mesh_surface(c, &q->mesh, &q->s));
    MN_TRY(mn_stain_rest_create(q->s, q->mesh.x, &q->rest));
    q->tensor = mn_alloc_array(c, mn_stain_tensor, q->mesh.triangle_count);
    q->mass   = mn_alloc_array(c, double, q->mesh.vertex_count);
    q->u      = mn_alloc_array(c, mn_stain_vec, q->mesh.vertex_count);
    q->ku     = mn_alloc_array(c, mn_stain_vec, q->mesh.vertex_count);
    if (q->tensor == NULL || q->mass == NULL || q->u == NULL || q->ku == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < q->mesh.triangle_count; t++) q->tensor[t] = (mn_stain_tensor){ 1.0, 0.0, 1.0 };
    return MN_OK;
}

/// z, and the zonal function of degree 2, on the unit sphere.
static double harmonic(int l, mn_vec3 x)
{
    const double z = x.z / RADIUS;
    return l == 1 ? z : 1.5 * z * z - 0.5;
}

/// Decay rate times R^2 from one implicit step, which divides by 1 + h rate.
static mn_status scalar_rate(sphere *q, int l, double *rate)
{
    const double                 h  = 0.1;
    mn_stain_operator           *op = NULL;
    mn_stain_diffusion          *d  = NULL;
    mn_stain_diffusion_report    report;
    double                       before = 0.0, after = 0.0;
    const mn_stain_diffusion_def how = mn_stain_diffusion_def_default();
    mn_status st = mn_stain_operator_create(q->s, &(mn_stain_operator_def){ .tensor = q->tensor }, &op);
    if (st == MN_OK) st = mn_stain_diffusion_create(op, q->s->area, h, &how, &d);
    for (int64_t v = 0; v < q->mesh.vertex_count; v++) {
        q->mass[v] = q->s->area[v] * (3.0 + harmonic(l, q->mesh.x[v]));
        before += q->s->area[v] * harmonic(l, q->mesh.x[v]) * harmonic(l, q->mesh.x[v]);
    }
    if (st == MN_OK) st = mn_stain_diffuse(d, q->mass, NULL, q->arena, &report);
    for (int64_t v = 0; v < q->mesh.vertex_count; v++)
        after += (q->mass[v] - 3.0 * q->s->area[v]) * harmonic(l, q->mesh.x[v]);
    *rate = (before / after - 1.0) / h * RADIUS * RADIUS;
    mn_stain_diffusion_destroy(&d);
    mn_stain_operator_destroy(&op);
    return st;
}

/// Toroidal fields: turning about z, and turning in opposite directions north and south. Rayleigh quotient times R^2.
static mn_status vector_rate(sphere *q, int l, double *rate)
{
    mn_stain_covariant *k      = NULL;
    double              energy = 0.0, norm = 0.0;
    MN_TRY(mn_stain_covariant_create(q->s, q->tensor, NULL, 0, &k));
    for (int64_t v = 0; v < q->mesh.vertex_count; v++) {
        const mn_vec3 x = q->mesh.x[v], w = mn_scale3(l == 1 ? 1.0 : x.z, mn_v3(-x.y, x.x, 0.0)),
                      y = mn_stain_frame_y(&q->rest->frame[v]);
        q->u[v]         = (mn_stain_vec){ mn_dot3(q->rest->frame[v].x, w), mn_dot3(y, w) };
    }
    mn_stain_covariant_multiply(k, q->u, q->ku);
    for (int64_t v = 0; v < q->mesh.vertex_count; v++) {
        energy += q->u[v].x * q->ku[v].x + q->u[v].y * q->ku[v].y;
        norm += q->s->area[v] * (q->u[v].x * q->u[v].x + q->u[v].y * q->u[v].y);
    }
    *rate = energy / norm * RADIUS * RADIUS;
    mn_stain_covariant_destroy(&k);
    return MN_OK;
}

mn_status mn_a6_sphere(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const struct {
        const char *name;
        bool        vector;
        int         l;
        double      exact;
    } modes[] = {
        { "scalar l = 1", false, 1, 2.0 },
        { "scalar l = 2", false, 2, 6.0 },
        { "vector l = 1", true, 1, 1.0 },
        { "vector l = 2", true, 2, 5.0 },
    };
    double error[4][3];
    char   text[96];
    (void)tier;
    for (int level = 0; level < 3; level++) {
        sphere    q;
        mn_status st = sphere_make(c, level + 2, &q);
        for (int k = 0; k < 4 && st == MN_OK; k++) {
            double rate     = 0.0;
            st              = modes[k].vector ? vector_rate(&q, modes[k].l, &rate) : scalar_rate(&q, modes[k].l, &rate);
            error[k][level] = rate / modes[k].exact - 1.0;
            if (level < 2) continue;
            snprintf(text, sizeof text, "%s on 2562 vertices: decay rate", modes[k].name);
            mn_verify_value(r, text, rate, modes[k].exact, error[k][level], 0.01, 0.02);
        }
        sphere_free(c, &q);
        MN_TRY(st);
    }
    for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, "%s: order of convergence", modes[k].name);
        mn_verify_at_least(r, text, log2(fabs(error[k][1] / error[k][2])), 1.8, 1.5);
    }
    return MN_OK;
}
