// SPDX-License-Identifier: MPL-2.0
// fabric/contact.c - contact between fabrics over the whole matter.
#include "fabric/contact.h"

#include "base/pool.h"
#include "fabric/near.h"

#include <stdatomic.h>
#include <string.h>

#define ELEMENTS_PER_BLOCK 512

/// One element in contact.
typedef struct mn_contact_block {
    int32_t         element;
    int32_t         first;  ///< first transverse director: 2 (cloth) or 1 (yarn)
    mn_vec3         d[2];   ///< the transverse directors, `3 - first` of them
    mn_contact_rows rows;   ///< with dt and the root of the volume in them
    double          answer[9];
} mn_contact_block;

mn_contact_law mn_fabric_contact_law(const mn_fabric_piece *piece, bool yarn)
{
    const mn_fabric_material *m = yarn ? &piece->yarn : &piece->cloth;
    const double modulus = m->contact_stiffness * m->youngs_modulus, shear = 0.5 * modulus / (1.0 + m->poisson);
    return (mn_contact_law){ .mu       = shear,
                             .lambda   = 2.0 * shear * m->poisson / (1.0 - 2.0 * m->poisson),
                             .friction = m->friction,
                             .yarn     = yarn };
}

static bool is_yarn(const mn_fabric_element *e) { return e->vertex[2] < 0; }
static int  corners(const mn_fabric_element *e) { return is_yarn(e) ? 2 : 3; }

/// Whether other fabric is within reach of an element.
static bool in_company(const mn_fabric *q, const mn_fabric_element *e)
{
    bool near = false;
    for (int i = 0; i < corners(e); i++) near = near || q->step.near[e->vertex[i]];
    return near;
}

mn_directors mn_fabric_directors(const mn_fabric *q, int64_t element)
{
    const mn_fabric_element *e = &q->elements[element];
    mn_directors             d;
    const mn_vec3            origin = mn_fabric_at(q, e->vertex[0]);
    d.d[0]                          = mn_sub3(mn_fabric_at(q, e->vertex[1]), origin);
    if (is_yarn(e)) {
        const int64_t s = element - q->triangles.count;
        for (int k = 0; k < 2; k++)
            d.d[1 + k] = mn_v3(q->segments.director[3 * k][s], q->segments.director[3 * k + 1][s],
                               q->segments.director[3 * k + 2][s]);
    } else {
        d.d[1] = mn_sub3(mn_fabric_at(q, e->vertex[2]), origin);
        d.d[2] = mn_v3(q->triangles.director[0][element], q->triangles.director[1][element],
                       q->triangles.director[2][element]);
    }
    return d;
}

static void set_directors(mn_fabric *q, int64_t element, const mn_directors *d)
{
    if (is_yarn(&q->elements[element])) {
        const int64_t s = element - q->triangles.count;
        for (int k = 0; k < 2; k++)
            for (int a = 0; a < 3; a++) q->segments.director[3 * k + a][s] = mn_get3(d->d[1 + k], a);
    } else {
        for (int a = 0; a < 3; a++) q->triangles.director[a][element] = mn_get3(d->d[2], a);
    }
}

/// Mean velocity gradient of the vertices of an element, as the affine matrices hold it.
static mn_mat3 gradient_of(const mn_fabric *q, const mn_fabric_element *e)
{
    const int n    = corners(e);
    double    g[9] = { 0 };
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 9; k++) g[k] += q->vertices.affine[k][e->vertex[i]] / n;
    return (mn_mat3){ { { g[0], g[1], g[2] }, { g[3], g[4], g[5] }, { g[6], g[7], g[8] } } };
}

/// Transverse directors after dt in the gradient A: (I + dt A + dt^2 A^2 / 2) d.
static mn_vec3 carry(mn_mat3 gradient, double dt, mn_vec3 d)
{
    const mn_vec3 once = mn_scale3(dt, mn_mul3(gradient, d)), twice = mn_scale3(0.5 * dt, mn_mul3(gradient, once));
    return mn_add3(d, mn_add3(once, twice));
}

static mn_vec3 velocity_of(const mn_fabric *q, int32_t v)
{
    return mn_v3(q->vertices.velocity[0][v], q->vertices.velocity[1][v], q->vertices.velocity[2][v]);
}

/// Where the present velocity takes the directors within dt.
static mn_directors predict(const mn_fabric *q, const mn_fabric_element *e, const mn_directors *now, double dt)
{
    const mn_mat3 gradient = gradient_of(q, e);
    mn_directors  d        = *now;
    const mn_vec3 u0       = velocity_of(q, e->vertex[0]);
    const int     mesh     = is_yarn(e) ? 1 : 2;
    for (int k = 0; k < mesh; k++)
        d.d[k] = mn_add3(d.d[k], mn_scale3(dt, mn_sub3(velocity_of(q, e->vertex[k + 1]), u0)));
    for (int k = mesh; k < 3; k++) d.d[k] = carry(gradient, dt, d.d[k]);
    return d;
}

typedef struct search {
    mn_fabric            *q;
    const mn_contact_law *law;  ///< two per piece: cloth, yarn
    double                dt;
    uint8_t              *pressed;  ///< per element
} search;

static void find_pressed(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const search *s = context;
    for (int64_t i = begin; i < end; i++) {
        const mn_fabric_element *e   = &s->q->elements[i];
        const mn_contact_law    *law = &s->law[2 * e->piece + is_yarn(e)];
        s->pressed[i]                = 0;
        if (!in_company(s->q, e)) continue;
        const mn_directors now = mn_fabric_directors(s->q, i), then = predict(s->q, e, &now, s->dt);
        s->pressed[i] = mn_contact_compression(law, &now) > MN_CONTACT_LEAST ||
                        mn_contact_compression(law, &then) > MN_CONTACT_LEAST;
    }
}

/// Stress now as the answer, stiffness at the predicted directors as rows.
static void make_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const search *s = context;
    mn_fabric    *q = s->q;
    for (int64_t i = begin; i < end; i++) {
        mn_contact_block        *b   = &q->contact[i];
        const mn_fabric_element *e   = &q->elements[b->element];
        const mn_contact_law    *law = &s->law[2 * e->piece + is_yarn(e)];
        const mn_directors       now = mn_fabric_directors(q, b->element), then = predict(q, e, &now, s->dt);
        b->first = is_yarn(e) ? 1 : 2;
        for (int k = b->first; k < 3; k++) b->d[k - b->first] = now.d[k];
        mn_vec3 gradient[3];
        mn_contact_stress(law, &now, gradient);
        for (int k = 0; k < 9; k++) b->answer[k] = -e->volume * mn_get3(gradient[k / 3], k % 3);
        mn_contact_stiffness(law, &then, &b->rows);
        const double scale = s->dt * sqrt(e->volume);
        for (int r = 0; r < b->rows.count; r++)
            for (int k = 0; k < 9; k++) b->rows.row[r][k] *= scale;
    }
}

typedef struct sums {
    const mn_fabric *q;
    const double    *v, *m;
    double          *f, *s;
} sums;

/// Each vertex adds up the answers of the elements around it: forces at the ends of mesh directors, moments of the
/// others.
static void sum_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const sums      *x     = context;
    const mn_fabric *q     = x->q;
    const double     scale = 4.0 / (q->model.grid.cell * q->model.grid.cell);
    for (int64_t v = begin; v < end; v++) {
        double f[3] = { 0 }, s[9] = { 0 };
        for (int64_t k = q->element_start[v]; k < q->element_start[v + 1]; k++) {
            const int32_t slot = q->contact_slot[q->element_of[k]];
            if (slot < 0) continue;
            const mn_contact_block  *b = &q->contact[slot];
            const mn_fabric_element *e = &q->elements[b->element];
            for (int j = 0; j < b->first; j++) {
                const double sign = e->vertex[j + 1] == v ? 1.0 : e->vertex[0] == v ? -1.0 : 0.0;
                for (int a = 0; a < 3; a++) f[a] += sign * b->answer[3 * j + a];
            }
            const double share = scale / corners(e);
            for (int j = b->first; j < 3; j++) {
                const mn_vec3 d = mn_scale3(share, b->d[j - b->first]);
                for (int a = 0; a < 3; a++) {
                    const double y = b->answer[3 * j + a];
                    s[3 * a] += y * d.x;
                    s[3 * a + 1] += y * d.y;
                    s[3 * a + 2] += y * d.z;
                }
            }
        }
        for (int a = 0; a < 3; a++) x->f[3 * v + a] += f[a];
        for (int a = 0; a < 9; a++) x->s[9 * v + a] = s[a];
    }
}

mn_status mn_fabric_contact_begin(mn_fabric *q, mn_arena *arena, double dt)
{
    mn_pool *pool = mn_context_pool(q->context);
    MN_TRY(mn_fabric_find_near(q, arena));
    const mn_arena_mark mark    = mn_arena_begin(arena);
    mn_contact_law     *law     = mn_arena_array(arena, mn_contact_law, 2 * q->piece_count);
    uint8_t            *pressed = mn_arena_array(arena, uint8_t, q->element_count);
    q->contact_slot             = mn_arena_array(arena, int32_t, q->element_count);
    if (law == NULL || pressed == NULL || q->contact_slot == NULL) return MN_ERR_MEMORY;
    for (int64_t p = 0; p < 2 * q->piece_count; p++) law[p] = mn_fabric_contact_law(&q->pieces[p / 2], p % 2 == 1);
    search s = { q, law, dt, pressed };
    mn_parallel_for(pool, q->element_count, ELEMENTS_PER_BLOCK, find_pressed, &s);
    int32_t count = 0;
    for (int64_t i = 0; i < q->element_count; i++) q->contact_slot[i] = pressed[i] ? count++ : -1;
    q->contact_count = count;
    q->contact       = NULL;
    q->step.moment   = NULL;
    if (count == 0) {
        q->contact_slot = NULL;
        mn_arena_end(arena, mark);
        return MN_OK;
    }

    q->contact     = mn_arena_array(arena, mn_contact_block, count);
    q->step.moment = mn_arena_array(arena, double, 9 * q->vertices.count);
    if (q->contact == NULL || q->step.moment == NULL) return MN_ERR_MEMORY;
    for (int64_t i = 0; i < q->element_count; i++)
        if (pressed[i]) q->contact[q->contact_slot[i]].element = (int32_t)i;
    mn_parallel_for(pool, count, ELEMENTS_PER_BLOCK, make_blocks, &s);
    sums x = { .q = q, .f = (double *)q->step.force, .s = q->step.moment };
    mn_parallel_for(pool, q->vertices.count, ELEMENTS_PER_BLOCK, sum_vertices, &x);
    return MN_OK;
}

static void answer_blocks(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const sums      *x     = context;
    const mn_fabric *q     = x->q;
    const double     scale = 4.0 / (q->model.grid.cell * q->model.grid.cell);
    for (int64_t i = begin; i < end; i++) {
        mn_contact_block        *b = &q->contact[i];
        const mn_fabric_element *e = &q->elements[b->element];
        const int                n = corners(e);
        double                   delta[9], g[9] = { 0 };
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 9; k++) g[k] += x->m[9 * (int64_t)e->vertex[j] + k];
        for (int j = 0; j < b->first; j++)
            for (int a = 0; a < 3; a++)
                delta[3 * j + a] = x->v[3 * (int64_t)e->vertex[j + 1] + a] - x->v[3 * (int64_t)e->vertex[0] + a];
        for (int j = b->first; j < 3; j++) {
            const mn_vec3 d = mn_scale3(scale / n, b->d[j - b->first]);
            for (int a = 0; a < 3; a++) delta[3 * j + a] = g[3 * a] * d.x + g[3 * a + 1] * d.y + g[3 * a + 2] * d.z;
        }
        double answer[9] = { 0 };
        for (int r = 0; r < b->rows.count; r++) {
            double dot = 0.0;
            for (int k = 0; k < 9; k++) dot += b->rows.row[r][k] * delta[k];
            for (int k = 0; k < 9; k++) answer[k] += dot * b->rows.row[r][k];
        }
        memcpy(b->answer, answer, sizeof answer);
    }
}

void mn_fabric_contact_multiply(mn_fabric *q, const double *v, const double *m, double *f, double *s)
{
    sums x = { q, v, m, f, s };
    mn_parallel_for(mn_context_pool(q->context), q->contact_count, ELEMENTS_PER_BLOCK, answer_blocks, &x);
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, ELEMENTS_PER_BLOCK, sum_vertices, &x);
}

typedef struct ending {
    mn_fabric      *q;
    double          dt;
    _Atomic int64_t crushed;
} ending;

static void carry_directors(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    ending    *x       = context;
    mn_fabric *q       = x->q;
    int64_t    crushed = 0;
    for (int64_t i = begin; i < end; i++) {
        const mn_fabric_element *e        = &q->elements[i];
        const mn_contact_law     law      = mn_fabric_contact_law(&q->pieces[e->piece], is_yarn(e));
        const mn_mat3            gradient = gradient_of(q, e);
        mn_directors             d        = mn_fabric_directors(q, i);
        if (!in_company(q, e)) {
            mn_contact_forget(&law, &d);
            set_directors(q, i, &d);
            continue;
        }
        for (int k = is_yarn(e) ? 1 : 2; k < 3; k++) d.d[k] = carry(gradient, x->dt, d.d[k]);
        crushed += !mn_contact_return(&law, &d);
        set_directors(q, i, &d);
    }
    atomic_fetch_add(&x->crushed, crushed);
}

void mn_fabric_contact_end(mn_fabric *q, double dt, int64_t *crushed)
{
    ending x = { .q = q, .dt = dt };
    mn_parallel_for(mn_context_pool(q->context), q->element_count, ELEMENTS_PER_BLOCK, carry_directors, &x);
    *crushed = atomic_load(&x.crushed);
}
