// SPDX-License-Identifier: MPL-2.0
// couple/mixture_coupled_system.c - coefficients, right-hand side and product of the coupled system (mixture-solve 1,
// 2).
//
// One V~ per face serves B and its transpose, and one coefficient per face serves L and the update of the velocities:
// K is symmetric to rounding whatever the masses are (trap 1).
#include "couple/mixture_coupled.h"

#include "base/pool.h"
#include "grid/rows.h"
#include "liquid/project.h"

#include <string.h>

#define TILES_PER_BLOCK 4

static mn_status take_faces(mn_coupled *x, mn_arena *arena)
{
    double **const arrays[] = { &x->inertia, &x->share,    &x->coupling, &x->response,  &x->shift,  &x->stiffness,
                                &x->answer,  &x->smoother, &x->residual, &x->direction, &x->product };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if ((*arrays[k] = mn_point_faces_array(arena, x->op.faces)) == NULL) return MN_ERR_MEMORY;
    x->low = mn_arena_array(arena, int64_t, x->m->count);
    return x->low != NULL ? MN_OK : MN_ERR_MEMORY;
}

static mn_status take_fields(mn_coupled *x, mn_arena *arena)
{
    for (int a = 0; a < 3; a++) {
        x->link[a]      = mn_arena_array_zero(arena, double, x->cells);
        x->flux[a]      = mn_arena_array_zero(arena, double, x->cells);
        x->surrogate[a] = mn_arena_array_zero(arena, float, x->cells);
        if (x->link[a] == NULL || x->flux[a] == NULL || x->surrogate[a] == NULL) return MN_ERR_MEMORY;
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
    const mn_coupled *x     = context;
    const mn_tiles   *tiles = &x->m->liquid->grid.tiles;
    for (int64_t i = begin; i < end; i++) {
        const int64_t at = x->m->place[i];
        x->low[i]        = at == 0 ? 0
                                   : mn_cell_next(tiles, (int32_t)(at / tiles->cells), (int32_t)(at % tiles->cells),
                                                  mn_coupled_axis(x, i), -1);
    }
}

mn_status mn_coupled_prepare(mn_mixture *m, const mn_step *step, mn_coupled *x)
{
    mn_liquid *q = m->liquid;
    *x           = (mn_coupled){ .m           = m,
                                 .pool        = mn_context_pool(q->context),
                                 .cells       = (int64_t)q->grid.tiles.count * q->grid.tiles.cells,
                                 .pressure_at = ((int64_t)m->count + 4 + 7) / 8 * 8,
                                 .unit        = q->model.material.density * mn_cell_volume(&q->model.grid) };
    x->count     = x->pressure_at + x->cells;
    MN_TRY(mn_fabric_operator_prepare(m->fabric, step->arena, NULL, &x->op));
    MN_TRY(take_faces(x, step->arena));
    MN_TRY(take_fields(x, step->arena));
    x->op.mass = x->inertia;
    mn_projection projection;
    MN_TRY(mn_liquid_projection_begin(q, &(mn_step){ .arena = step->arena, .solids = step->solids, .dt = m->dt },
                                      &projection));
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
            x->link[a][i] = x->unit * (double)s->coefficient[a][i];
}

/// P, D_s, rho V~ and the coefficient of L on the faces of the fabric, (M3).
static void face_coefficients(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled *x   = context;
    const mn_mixture *m   = x->m;
    const double      rho = m->liquid->model.material.density;
    for (int64_t i = begin; i < end; i++) {
        const double mass = m->liquid_mass[i], heavy = mass + m->drag[i], v = rho * m->liquid_volume[i];
        x->share[i]    = heavy > 0.0 ? m->drag[i] / heavy : 0.0;
        x->inertia[i]  = m->fabric->step.mass[i] + x->share[i] * mass;
        x->coupling[i] = rho * m->solid_volume[i] + x->share[i] * v;
        x->response[i] = heavy > 0.0 ? v * v / heavy : 0.0;
        if (m->place[i] > 0) x->link[mn_coupled_axis(x, i)][m->place[i]] = x->response[i];
    }
}

void mn_coupled_assemble(mn_coupled *x)
{
    mn_parallel_for(x->pool, x->m->liquid->grid.tiles.count, TILES_PER_BLOCK, link_tiles, x);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, face_coefficients, x);
}

/// Flux of liquid and obstacles before the pressure, times rho v: as if no face had fabric.
static void free_flux_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled        *x = context;
    const mn_liquid_scratch *s = &x->m->liquid->grid;
    for (int a = 0; a < 3; a++)
        for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++) {
            const double open = (double)s->solid.open[a][i];
            x->flux[a][i]     = x->unit *
                            (open * s->velocity[a][i] + (1.0 - open) * mn_solid_face_velocity(&s->solid, a, i));
        }
}

/// The faces of the fabric: their row of the right-hand side, and the flux of their liquid in place of the free one.
static void right_side_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_coupled        *x   = context;
    const mn_mixture        *m   = x->m;
    const mn_liquid_scratch *s   = &m->liquid->grid;
    const double             rho = m->liquid->model.material.density;
    for (int64_t i = begin; i < end; i++) {
        const double heavy = m->liquid_mass[i] + m->drag[i], r_f = m->liquid_impulse[i] + x->shift[i];
        x->rhs[i] = x->from[i] + m->fabric->step.momentum[i] + m->solid_suction[i] - x->shift[i] + x->share[i] * r_f;
        if (m->place[i] == 0) continue;
        const int     a  = mn_coupled_axis(x, i);
        const int64_t at = m->place[i];
        x->flux[a][at]   = (heavy > 0.0 ? rho * m->liquid_volume[i] * r_f / heavy : 0.0) +
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
                const double *here = x->flux[a] + row.at, *high = mn_row_higher_doubles(x->flux[a], &row, a, room);
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
                double        room[MN_TILE], *to = x->flux[a] + row.at;
                const double *here = x->from + row.at, *low = mn_row_lower_doubles(x->from, &row, a, room),
                             *link = x->link[a] + row.at;
                for (int k = 0; k < MN_TILE; k++) to[k] = -link[k] * (here[k] - low[k]);
            }
        }
}

typedef struct face_values {
    const mn_coupled *x;
    const double     *u, *p;
    double           *to;
} face_values;

static void add_fabric_flux(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_values *f = context;
    const mn_coupled  *x = f->x;
    for (int64_t i = begin; i < end; i++)
        if (x->m->place[i] > 0) x->flux[mn_coupled_axis(x, i)][x->m->place[i]] += x->coupling[i] * f->u[i];
}

void mn_coupled_rows_of_cells(mn_coupled *x, const double *u, const double *p, double *to)
{
    const int64_t tiles = x->m->liquid->grid.tiles.count;
    face_values   f     = { .x = x, .u = u };
    x->from             = p;
    x->to               = to;
    mn_parallel_for(x->pool, tiles, TILES_PER_BLOCK, pressure_flux_tiles, x);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, add_fabric_flux, &f);
    mn_parallel_for(x->pool, tiles, TILES_PER_BLOCK, inflow_tiles, x);
}

static void gradient_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_values *f = context;
    const mn_coupled  *x = f->x;
    for (int64_t i = begin; i < end; i++) f->to[i] = x->coupling[i] * (f->p[x->m->place[i]] - f->p[x->low[i]]);
}

void mn_coupled_gradient(const mn_coupled *x, const double *p, double *to)
{
    face_values f = { .x = x, .p = p, .to = to };
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, gradient_faces, &f);
}

static void finish_rows_of_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_values *f = context;
    const mn_coupled  *x = f->x;
    for (int64_t i = begin; i < end; i++)
        f->to[i] += x->inertia[i] * f->u[i] + x->coupling[i] * (f->p[x->m->place[i]] - f->p[x->low[i]]);
}

mn_status mn_coupled_apply(const double *from, double *to, void *coupled)
{
    mn_coupled *x = coupled;
    face_values f = { .x = x, .u = from, .p = from + x->pressure_at, .to = to };
    mn_fabric_operator_multiply(&x->op, from, to);
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, finish_rows_of_faces, &f);
    for (int64_t i = x->m->count; i < x->pressure_at; i++) to[i] = 0.0;
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
        const double heavy = m->liquid_mass[i] + m->drag[i], rise = f->p[m->place[i]] - f->p[x->low[i]];
        f->to[i] = heavy > 0.0 ? (m->liquid_impulse[i] + x->shift[i] + m->drag[i] * f->u[i] -
                                  rho * m->liquid_volume[i] * rise) /
                                     heavy
                               : 0.0;
    }
}

void mn_coupled_liquid_velocity(const mn_coupled *x, const double *u, const double *p, double *to)
{
    face_values f = { .x = x, .u = u, .p = p, .to = to };
    mn_parallel_for(x->pool, x->m->count, MN_BLOCK, liquid_velocity_faces, &f);
}
