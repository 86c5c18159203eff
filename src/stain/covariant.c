// SPDX-License-Identifier: MPL-2.0
// stain/covariant.c - diffusion of tangent vectors: conductances that turn what they conduct (stain 5.6).
#include "stain/velocity.h"

#include "stain/operator_flip.h"

void mn_stain_covariant_destroy(mn_stain_covariant **covariant)
{
    mn_stain_covariant *k = *covariant;
    if (k == NULL) return;
    mn_context *c = k->surface->context;
    mn_free(c, k->w);
    mn_free(c, k->z);
    mn_free(c, k);
    *covariant = NULL;
}

mn_status mn_stain_covariant_create(const mn_stain_surface *s, const mn_stain_tensor *tensor, const int32_t *only,
                                    int32_t patch, mn_stain_covariant **out)
{
    mn_stain_covariant *k = mn_alloc(s->context, sizeof *k);
    *out                  = NULL;
    if (k == NULL) return MN_ERR_MEMORY;
    k->surface = s;
    k->w       = mn_alloc_array(s->context, double, s->edges.count);
    k->z       = mn_alloc_array(s->context, mn_stain_vec, s->edges.count);
    if (k->w == NULL || k->z == NULL) {
        mn_stain_covariant_destroy(&k);
        return MN_ERR_MEMORY;
    }
    for (int64_t t = 0; t < s->triangle_count; t++) {
        if (only != NULL && only[t] != patch) continue;
        for (int a = 0; a < 3; a++) {
            const int32_t e = s->edge_of[t][a];
            const int     b = (a + 1) % 3, i = s->triangle[t][a] == s->edges.end[e][0] ? a : b, j = i == a ? b : a;
            const double  w       = mn_stain_side_conductance(s->corner[t], tensor[t], a);
            const mn_stain_turn p = s->corner_turn[t][i], q = s->corner_turn[t][j];  // R_Ti^T R_Tj
            k->w[e] += w;
            k->z[e].x += w * (p.c * q.c + p.s * q.s);
            k->z[e].y += w * (p.c * q.s - p.s * q.c);
        }
    }
    *out = k;
    return MN_OK;
}

/// sum_j w_ij u_i - z_ij u_j at one vertex.
static mn_stain_vec row(const mn_stain_covariant *k, const mn_stain_vec *u, int64_t v)
{
    const mn_stain_links *l   = &k->surface->edges;
    double                w   = 0.0;
    mn_stain_vec          sum = { 0.0, 0.0 };
    for (int32_t i = l->start[v]; i < l->start[v + 1]; i++) {
        const int32_t      e  = l->around[i] >> 1;
        const mn_stain_vec o  = u[l->neighbour[i]];
        const double       zx = k->z[e].x, zy = l->around[i] & 1 ? -k->z[e].y : k->z[e].y;
        w += k->w[e];
        sum.x += zx * o.x - zy * o.y;
        sum.y += zy * o.x + zx * o.y;
    }
    return (mn_stain_vec){ w * u[v].x - sum.x, w * u[v].y - sum.y };
}

void mn_stain_covariant_multiply(const mn_stain_covariant *k, const mn_stain_vec *u, mn_stain_vec *y)
{
    for (int64_t v = 0; v < k->surface->vertex_count; v++) y[v] = row(k, u, v);
}

typedef struct step_matrix {
    const mn_stain_covariant *k;
    double                    h;
    double                   *inverse;
} step_matrix;

static mn_stain_vec along_rim(const mn_stain_surface *s, int64_t v, mn_stain_vec u)
{
    if (!s->rim[v]) return u;
    const mn_stain_vec t = s->tangent[v];
    const double       d = t.x * u.x + t.y * u.y;
    return (mn_stain_vec){ d * t.x, d * t.y };
}

/// (A + h K) u, at the rim its part along it. Vectors that are along the rim stay so through all iterations.
static void multiply(const void *self, int64_t begin, int64_t end, const double *x, double *y)
{
    const step_matrix      *m = self;
    const mn_stain_surface *s = m->k->surface;
    const mn_stain_vec     *u = (const mn_stain_vec *)x;
    for (int64_t v = begin; v < end; v++) {
        const mn_stain_vec r   = row(m->k, u, v);
        ((mn_stain_vec *)y)[v] = along_rim(s, v,
                                           (mn_stain_vec){ s->area[v] * u[v].x + m->h * r.x,
                                                           s->area[v] * u[v].y + m->h * r.y });
    }
}

static void precondition(const void *self, int64_t begin, int64_t end, const double *r, double *z)
{
    const step_matrix *m = self;
    for (int64_t v = begin; v < end; v++) {
        z[2 * v]     = m->inverse[v] * r[2 * v];
        z[2 * v + 1] = m->inverse[v] * r[2 * v + 1];
    }
}

typedef struct prepare_job {
    const step_matrix *m;
    mn_stain_vec      *u, *b;
} prepare_job;

static void prepare_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const prepare_job      *j = context;
    const mn_stain_surface *s = j->m->k->surface;
    for (int64_t v = begin; v < end; v++) {
        double w = 0.0;
        for (int32_t i = s->edges.start[v]; i < s->edges.start[v + 1]; i++) w += j->m->k->w[s->edges.around[i] >> 1];
        j->m->inverse[v] = 1.0 / (s->area[v] + j->m->h * w);
        j->u[v]          = along_rim(s, v, j->u[v]);
        j->b[v]          = (mn_stain_vec){ s->area[v] * j->u[v].x, s->area[v] * j->u[v].y };
    }
}

mn_status mn_stain_diffuse_velocity(const mn_stain_covariant *k, double h, double tolerance, mn_stain_vec *u,
                                    mn_arena *arena, mn_stain_solve_report *report)
{
    const mn_stain_surface *s    = k->surface;
    mn_pool                *pool = mn_context_pool(s->context);
    const mn_arena_mark     mark = mn_arena_begin(arena);
    step_matrix             m    = { k, h, mn_arena_array(arena, double, s->vertex_count) };
    mn_stain_vec           *b    = mn_arena_array(arena, mn_stain_vec, s->vertex_count);
    mn_status               st   = m.inverse != NULL && b != NULL ? MN_OK : MN_ERR_MEMORY;
    if (st == MN_OK) {
        mn_parallel_for(pool, s->vertex_count, MN_STAIN_BLOCK, prepare_block, &(prepare_job){ &m, u, b });
        const mn_stain_system system = { s->vertex_count, 2, multiply, precondition, &m };
        st = mn_stain_conjugate(pool, &system, (const double *)b, (double *)u, tolerance, 4000, arena, report);
    }
    mn_arena_end(arena, mark);
    return st;
}
