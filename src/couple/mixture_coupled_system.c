// SPDX-License-Identifier: MPL-2.0
// couple/mixture_coupled_system.c - coefficients, right-hand side and product of the coupled system (mixture-solve 1,
// 2).
//
// One V~ per face serves B and its transpose, and one coefficient per face serves L and the update of the velocities:
// K is symmetric to rounding whatever the masses are (trap 1).
#include "couple/mixture_coupled.h"
#include "couple/mixture_private.h"

#include "base/pool.h"
#include "grid/rows.h"
#include "liquid/project.h"

#include <string.h>

#define TILES_PER_BLOCK 4

static mn_status take_vectors(mn_coupled *x, mn_arena *arena)
{
    mn_coupled_rows  *rows      = &x->rows;
    mn_coupled_inner *pre       = &x->pre;
    const bool        several   = x->m->phases > 1;
    double **const    vectors[] = { &rows->inertia,       &rows->share,           &rows->coupling,   &rows->shift,
                                    &pre->stiffness,      &pre->residual,         &pre->direction,   &pre->product,
                                    &pre->answer.inverse, &pre->smoother.inverse, &pre->answer.lift, &pre->smoother.lift,
                                    &pre->together };
    const size_t      all = sizeof vectors / sizeof *vectors, of_one = all - 3;
    for (size_t k = 0; k < (several ? all : of_one); k++)
        if ((*vectors[k] = mn_mixture_vector(arena, x->m)) == NULL) return MN_ERR_MEMORY;
    rows->response = mn_point_faces_array(arena, x->m->faces);
    rows->low      = mn_arena_array(arena, int64_t, x->m->count);
    return rows->response != NULL && rows->low != NULL ? MN_OK : MN_ERR_MEMORY;
}

static mn_status take_fields(mn_coupled *x, mn_arena *arena)
{
    for (int a = 0; a < 3; a++) {
        x->rows.link[a]     = mn_arena_array_zero(arena, double, x->cells);
        x->rows.flux[a]     = mn_arena_array_zero(arena, double, x->cells);
        x->pre.surrogate[a] = mn_arena_array_zero(arena, float, x->cells);
        if (x->rows.link[a] == NULL || x->rows.flux[a] == NULL || x->pre.surrogate[a] == NULL) return MN_ERR_MEMORY;
    }
    x->rhs    = mn_arena_array_zero(arena, double, x->count);
    x->x      = mn_arena_array_zero(arena, double, x->count);
    x->weight = mn_arena_array_zero(arena, double, x->count);
    x->left   = mn_arena_array(arena, double, x->count);
    return x->rhs != NULL && x->x != NULL && x->weight != NULL && x->left != NULL ? MN_OK : MN_ERR_MEMORY;
}

static void find_low(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled *x = context;
    for (int64_t i = begin; i < end; i++)
        x->rows.low[i] = mn_mixture_below(x->m, mn_mixture_axis(x->m, i), x->m->place[i]);
}

mn_status mn_coupled_prepare(mn_mixture *m, const mn_step *step, mn_coupled *x)
{
    mn_liquid    *q   = m->liquid;
    const mn_step own = { .arena = step->arena, .solids = step->solids, .dt = m->dt };
    *x                = (mn_coupled){ .m           = m,
                                      .pool        = mn_context_pool(q->context),
                                      .cells       = (int64_t)q->grid.tiles.count * q->grid.tiles.cells,
                                      .pressure_at = m->phases * m->stride,
                                      .unit        = q->model.material.density * mn_cell_volume(&q->model.grid) };
    x->count          = x->pressure_at + x->cells;
    MN_TRY(take_vectors(x, step->arena));
    MN_TRY(take_fields(x, step->arena));
    MN_TRY(mn_mixture_begin(m, &own, x->rows.inertia));
    mn_projection projection;
    MN_TRY(mn_liquid_projection_begin(q, &own, &projection));
    x->target = projection.target;
    mn_liquid_coefficients(q);
    mn_parallel_for(x->pool, m->count, MN_BLOCK, find_low, x);
    return MN_OK;
}

static void link_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled        *x = context;
    const mn_liquid_scratch *s = &x->m->liquid->grid;
    for (int a = 0; a < 3; a++)
        for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
            x->rows.link[a][i] = x->unit * (double)s->coefficient[a][i];
}

/// P, D, rho V~ and the coefficient of L on the faces of the phases, (M3).
static void face_coefficients(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled      *x   = context;
    const mn_coupled_rows *to  = &x->rows;
    const mn_mixture      *m   = x->m;
    const double           rho = m->liquid->model.material.density;
    for (int64_t i = begin; i < end; i++) {
        const double mass = m->liquid_mass[i], heavy = mass + mn_mixture_sum(m, m->drag, i),
                     v = rho * m->liquid_volume[i];
        for (int k = 0; k < m->phases; k++) {
            const int64_t at     = k * m->stride + i;
            double        around = mass;  // what the liquid weighs for a phase while the others stand still
            for (int j = 0; j < m->phases; j++) around += j != k ? m->drag[j * m->stride + i] : 0.0;
            to->share[at]    = heavy > 0.0 ? m->drag[at] / heavy : 0.0;
            to->inertia[at]  = m->phase[k].mass[i] + to->share[at] * around;
            to->coupling[at] = rho * m->solid_volume[at] + to->share[at] * v;
        }
        to->response[i] = heavy > 0.0 ? v * v / heavy : 0.0;
        if (m->place[i] > 0) to->link[mn_mixture_axis(m, i)][m->place[i]] = to->response[i];
    }
}

void mn_coupled_assemble(mn_coupled *x)
{
    mn_parallel_for(x->pool, x->m->liquid->grid.tiles.count, TILES_PER_BLOCK, link_tiles, x);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, face_coefficients, x);
}

/// Flux of liquid and obstacles before the pressure, times rho v: as if no face had a phase.
static void free_flux_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled        *x = context;
    const mn_liquid_scratch *s = &x->m->liquid->grid;
    for (int a = 0; a < 3; a++)
        for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++) {
            const double open  = (double)s->solid.open[a][i];
            x->rows.flux[a][i] = x->unit *
                                 (open * s->velocity[a][i] + (1.0 - open) * mn_solid_face_velocity(&s->solid, a, i));
        }
}

/// Momentum of the liquid at a face before the pressure, with what Newton's form of the drag gives it.
static double liquid_before(const mn_coupled *x, int64_t i)
{
    return x->m->liquid_impulse[i] + mn_mixture_sum(x->m, x->rows.shift, i);
}

/// The faces of the phases: their rows of the right-hand side, and the flux of their liquid in place of the free one.
static void right_side_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled        *x   = context;
    const mn_mixture        *m   = x->m;
    const mn_liquid_scratch *s   = &m->liquid->grid;
    const double             rho = m->liquid->model.material.density;
    for (int64_t i = begin; i < end; i++) {
        const double heavy = m->liquid_mass[i] + mn_mixture_sum(m, m->drag, i), r_f = liquid_before(x, i);
        for (int k = 0; k < m->phases; k++) {
            const int64_t at = k * m->stride + i;
            x->rhs[at]       = x->from[at] + m->phase[k].momentum[i] + m->solid_suction[at] - x->rows.shift[at] +
                         x->rows.share[at] * r_f;
        }
        if (m->place[i] == 0) continue;
        const int     a     = mn_mixture_axis(m, i);
        const int64_t at    = m->place[i];
        x->rows.flux[a][at] = (heavy > 0.0 ? rho * m->liquid_volume[i] * r_f / heavy : 0.0) +
                              x->unit * (1.0 - (double)s->solid.open[a][at]) * mn_solid_face_velocity(&s->solid, a, at);
    }
}

/// G^T of the fluxes, what enters each liquid cell, in `to`.
static void inflow_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled        *x = context;
    const mn_liquid_scratch *s = &x->m->liquid->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t r = 0; r < mn_rows_of(&s->tiles); r++) {
            const mn_row_places row = mn_row_find(&s->tiles, t, r);
            double             *to  = x->to + row.at;
            memset(to, 0, MN_TILE * sizeof *to);
            if (!mn_row_any(s->wet, row.at)) continue;
            for (int a = 0; a < 3; a++) {
                double        room[MN_TILE];
                const double *here = x->rows.flux[a] + row.at,
                             *high = mn_row_higher_doubles(x->rows.flux[a], &row, a, room);
                for (int k = 0; k < MN_TILE; k++) to[k] += here[k] - high[k];
            }
            for (int k = 0; k < MN_TILE; k++)
                if (!s->wet[row.at + k]) to[k] = 0.0;
        }
}

static void target_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled *x = context;
    for (int64_t i = begin; i < end; i++) x->to[i] = -x->to[i] - x->unit * x->target[i];
}

void mn_coupled_right_side(mn_coupled *x, const double *load)
{
    const int64_t tiles = x->m->liquid->grid.tiles.count;
    x->from             = load;
    x->to               = x->rhs + x->pressure_at;
    mn_parallel_for(x->pool, tiles, TILES_PER_BLOCK, free_flux_tiles, x);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, right_side_faces, x);
    mn_parallel_for(x->pool, tiles, TILES_PER_BLOCK, inflow_tiles, x);
    mn_parallel_for(x->pool, x->cells, MN_BLOCK, target_range, x);  // 0 outside of liquid cells, and stays so
}

/// - (coefficient of L) (p_here - p_low) on every face.
static void pressure_flux_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled *x     = context;
    const mn_tiles   *tiles = &x->m->liquid->grid.tiles;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t r = 0; r < mn_rows_of(tiles); r++) {
            const mn_row_places row = mn_row_find(tiles, t, r);
            for (int a = 0; a < 3; a++) {
                double        room[MN_TILE], *to = x->rows.flux[a] + row.at;
                const double *here = x->from + row.at, *low = mn_row_lower_doubles(x->from, &row, a, room),
                             *link = x->rows.link[a] + row.at;
                for (int k = 0; k < MN_TILE; k++) to[k] = -link[k] * (here[k] - low[k]);
            }
        }
}

typedef struct face_values {
    const mn_coupled *x;
    const double     *u, *p;
    double           *to;
} face_values;

static void add_solid_flux(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_values *f = context;
    const mn_coupled  *x = f->x;
    const mn_mixture  *m = x->m;
    for (int64_t i = begin; i < end; i++) {
        if (m->place[i] == 0) continue;
        double *flux = &x->rows.flux[mn_mixture_axis(m, i)][m->place[i]];
        for (int k = 0; k < m->phases; k++) *flux += x->rows.coupling[k * m->stride + i] * f->u[k * m->stride + i];
    }
}

void mn_coupled_rows_of_cells(mn_coupled *x, const double *u, const double *p, double *to)
{
    const int64_t tiles = x->m->liquid->grid.tiles.count;
    face_values   f     = { .x = x, .u = u };
    x->from             = p;
    x->to               = to;
    mn_parallel_for(x->pool, tiles, TILES_PER_BLOCK, pressure_flux_tiles, x);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, add_solid_flux, &f);
    mn_parallel_for(x->pool, tiles, TILES_PER_BLOCK, inflow_tiles, x);
}

static double rise_at(const face_values *f, int64_t i) { return f->p[f->x->m->place[i]] - f->p[f->x->rows.low[i]]; }

static void gradient_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_values *f = context;
    const mn_mixture  *m = f->x->m;
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++)
            f->to[k * m->stride + i] = f->x->rows.coupling[k * m->stride + i] * rise_at(f, i);
}

void mn_coupled_gradient(const mn_coupled *x, const double *p, double *to)
{
    face_values f = { .x = x, .p = p, .to = to };
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, gradient_faces, &f);
}

static void finish_rows_of_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_values     *f    = context;
    const mn_coupled_rows *rows = &f->x->rows;
    const mn_mixture      *m    = f->x->m;
    for (int k = 0; m->phases > 1 && k < m->phases; k++)
        for (int64_t i = begin; i < end; i++) f->to[k * m->stride + i] -= mn_coupled_from_others(f->x, k, i, f->u);
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t at = k * m->stride + i;
            f->to[at] += rows->inertia[at] * f->u[at] + rows->coupling[at] * rise_at(f, i);
        }
}

void mn_coupled_multiply(mn_coupled *x, const double *from, double *to)
{
    for (int k = 0; k < x->m->phases; k++) {
        const mn_phase *q = &x->m->phase[k];
        q->answers->multiply(q->matter, from + k * x->m->stride, to + k * x->m->stride);
    }
}

mn_status mn_coupled_apply(const double *from, double *to, void *coupled)
{
    mn_coupled       *x = coupled;
    const mn_mixture *m = x->m;
    face_values       f = { .x = x, .u = from, .p = from + x->pressure_at, .to = to };
    mn_coupled_multiply(x, from, to);
    mn_parallel_for(x->pool, m->count, MN_BLOCK, finish_rows_of_faces, &f);
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = k * m->stride + m->count; i < (k + 1) * m->stride; i++) to[i] = 0.0;
    mn_coupled_rows_of_cells(x, from, f.p, to + x->pressure_at);
    x->products++;
    return MN_OK;
}

static void liquid_velocity_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_values *f   = context;
    const mn_coupled  *x   = f->x;
    const mn_mixture  *m   = x->m;
    const double       rho = m->liquid->model.material.density;
    for (int64_t i = begin; i < end; i++) {
        const double heavy = m->liquid_mass[i] + mn_mixture_sum(m, m->drag, i);
        double       sum   = liquid_before(x, i);
        for (int k = 0; k < m->phases; k++) sum += m->drag[k * m->stride + i] * f->u[k * m->stride + i];
        f->to[i] = heavy > 0.0 ? (sum - rho * m->liquid_volume[i] * rise_at(f, i)) / heavy : 0.0;
    }
}

void mn_coupled_liquid_velocity(const mn_coupled *x, const double *u, const double *p, double *to)
{
    face_values f = { .x = x, .u = u, .p = p, .to = to };
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, liquid_velocity_faces, &f);
}
