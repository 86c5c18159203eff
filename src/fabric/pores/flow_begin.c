// SPDX-License-Identifier: MPL-2.0
// fabric/pores/flow_begin.c - what does not change while liquid flows through the fabric for one step: pores, shapes,
// what drives it.
#include "fabric/pores/flow_private.h"

#include "base/pool.h"

/// Longest g - a that counts, in units of gravity (wet-fabric T20), and the gravity that is taken where there is none.
#define PULL_MAX        50.0
#define PULL_UNIT_LEAST 981.0
/// An element whose area (length) squared is below this share of its size is folded flat: nothing flows in it.
#define FLAT 1e-20

static mn_vec3 acceleration_at(const mn_fabric *q, int32_t v, double dt)
{
    if (!q->kept) return mn_v3(0, 0, 0);  // no step is under way
    if (q->step.acceleration != NULL) return q->step.acceleration[v];
    double a[3];
    for (int k = 0; k < 3; k++) a[k] = (q->vertices.velocity[k][v] - q->vertices_before.velocity[k][v]) / dt;
    return mn_v3_from(a);
}

mn_status mn_fabric_keep_acceleration(mn_fabric *q, const mn_step *step)
{
    if (!mn_fabric_may_be_wet(q)) return MN_OK;
    q->step.acceleration = NULL;
    mn_vec3 *a           = mn_arena_array(step->arena, mn_vec3, q->vertices.count);
    if (a == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < q->vertices.count; v++) a[v] = acceleration_at(q, (int32_t)v, step->dt);
    q->step.acceleration = a;
    return MN_OK;
}

static void look_at_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow   *f = context;
    const mn_fabric *q = f->q;
    for (int64_t v = begin; v < end; v++) {
        const int32_t piece = q->elements[q->element_of[q->element_start[v]]].piece;
        f->pores[v]         = mn_fabric_pores(q, v);
        f->suction[v]       = mn_pore_suction(&f->law[piece], mn_fabric_fraction(q, v));
        f->pressure[v]      = (q->step.pressure != NULL ? q->step.pressure[v] : 0.0) - f->suction[v];
    }
}

/// Gravity less the acceleration of the fabric between two vertices; the part along the link is what counts.
static mn_vec3 pull_at(const mn_flow *f, const int32_t end[2])
{
    const mn_fabric *q    = f->q;
    const mn_vec3    a    = mn_add3(acceleration_at(q, end[0], f->whole), acceleration_at(q, end[1], f->whole));
    const mn_vec3    pull = mn_sub3(q->model.gravity, mn_scale3(0.5, a));
    const double     most = PULL_MAX * fmax(mn_norm3(q->model.gravity), PULL_UNIT_LEAST), size = mn_norm3(pull);
    return size > most ? mn_scale3(most / size, pull) : pull;
}

static void look_at_links(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow *f = context;
    for (int64_t l = begin; l < end; l++) {
        const int32_t *v   = f->links->end[l];
        const mn_vec3  way = mn_sub3(mn_fabric_at(f->q, v[0]), mn_fabric_at(f->q, v[1]));
        f->drive[l] = f->pressure[v[0]] - f->pressure[v[1]] - f->q->model.liquid.density * mn_dot3(pull_at(f, v), way);
    }
}

/// K of (E5.17): -V_e grad(lambda_i) . grad(lambda_j), which for a triangle is V_e cot(angle opposite the side) / (2
/// area).
static void shape_of(const mn_fabric *q, const mn_fabric_element *e, double volume, double shape[3])
{
    shape[0] = shape[1] = shape[2] = 0.0;
    const mn_vec3 a = mn_fabric_at(q, e->vertex[0]), b = mn_fabric_at(q, e->vertex[1]), ab = mn_sub3(b, a);
    const double  length2 = mn_dot3(ab, ab);
    if (e->vertex[2] < 0) {
        if (length2 > 0.0) shape[0] = volume / length2;
        return;
    }
    const mn_vec3 c = mn_fabric_at(q, e->vertex[2]), bc = mn_sub3(c, b), ca = mn_sub3(a, c), n = mn_cross3(ab, bc);
    const double  area4 = mn_dot3(n, n), size = length2 + mn_dot3(bc, bc) + mn_dot3(ca, ca);
    if (!(area4 > FLAT * size * size)) return;
    shape[0] = -volume * mn_dot3(bc, ca) / area4;
    shape[1] = -volume * mn_dot3(ca, ab) / area4;
    shape[2] = -volume * mn_dot3(ab, bc) / area4;
}

static void look_at_elements(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_flow   *f = context;
    const mn_fabric *q = f->q;
    for (int64_t i = begin; i < end; i++) {
        const mn_fabric_element *e   = &q->elements[i];
        const int                n   = e->vertex[2] < 0 ? 2 : 3;
        double                   phi = 0.0, swelling = 0.0;
        for (int k = 0; k < n; k++) {
            phi += mn_fabric_fraction(q, e->vertex[k]) / n;
            swelling += q->vertices.swelling[0][e->vertex[k]] / n;
        }
        f->volume[i] = swelling * f->links->bulk[i];
        f->open[i]   = 1.0 - phi;
        f->slow[i]   = 0.0;
        shape_of(q, e, f->volume[i], f->shape[i]);
    }
}

static mn_status take_arrays(mn_flow *f, mn_arena *arena)
{
    const int64_t  n = f->q->vertices.count, l = f->links->count, e = f->q->element_count;
    double **const vertex[]  = { &f->pores,   &f->suction, &f->pressure, &f->before,  &f->held,    &f->saturation,
                                 &f->slope,   &f->pull,    &f->residual, &f->inverse, &f->limit,   &f->work[0],
                                 &f->work[1], &f->work[2], &f->work[3],  &f->work[4], &f->work[5], &f->work[6] };
    double **const link[]    = { &f->step, &f->drive, &f->conductance, &f->flux };
    double **const element[] = { &f->volume, &f->open, &f->slow, &f->offset, &f->mobility };
    for (size_t k = 0; k < sizeof vertex / sizeof *vertex; k++)
        if ((*vertex[k] = mn_arena_array(arena, double, n)) == NULL) return MN_ERR_MEMORY;
    for (size_t k = 0; k < sizeof link / sizeof *link; k++)
        if ((*link[k] = mn_arena_array(arena, double, l)) == NULL) return MN_ERR_MEMORY;
    for (size_t k = 0; k < sizeof element / sizeof *element; k++)
        if ((*element[k] = mn_arena_array(arena, double, e)) == NULL) return MN_ERR_MEMORY;
    const int64_t longest = l > e ? l : e;
    f->by                 = mn_arena_take(arena, mn_array_bytes(l, sizeof *f->by));
    f->shape              = mn_arena_take(arena, mn_array_bytes(e, sizeof *f->shape));
    f->pairs              = mn_arena_take(arena, mn_array_bytes(n / MN_FLOW_BLOCK + 1, sizeof *f->pairs));
    f->partial            = mn_arena_array(arena, double, (longest > n ? longest : n) / MN_FLOW_BLOCK + 1);
    return f->by == NULL || f->shape == NULL || f->pairs == NULL || f->partial == NULL ? MN_ERR_MEMORY : MN_OK;
}

mn_status mn_flow_begin(mn_flow *f, mn_arena *arena)
{
    MN_TRY(take_arrays(f, arena));
    mn_parallel_for(f->pool, f->q->vertices.count, MN_FLOW_BLOCK, look_at_vertices, f);
    mn_parallel_for(f->pool, f->links->count, MN_FLOW_BLOCK, look_at_links, f);
    mn_parallel_for(f->pool, f->q->element_count, MN_FLOW_BLOCK, look_at_elements, f);
    return MN_OK;
}
