// SPDX-License-Identifier: MPL-2.0
// liquid/viscosity.c - implicit viscosity on the staggered grid. liquid 5.12
//
// The new velocity minimises  1/2 sum m |u - u*|^2 + h sum w mu |D u|^2 : inertia of the faces against the rate of
// dissipation, sampled as normal rates at cells and shear rates at edges. The matrix is m + k D^T w D by construction
// symmetric and positive definite, and two conditions come by themselves: no stress where the weight w ends (free
// surface), and no shear at a slip wall (its samples have weight 0). At a no-slip wall the rate between a liquid face
// at distance d and the wall is (u - u_wall) / d with the weight d / cell of the part that is liquid, which makes a
// plane wall second order wherever it cuts the cells.
//
// The stress of a sample is made in one place (stress_tiles) from its rate: that is where another rheology enters.
#include "liquid/viscosity.h"

#include <string.h>

enum { FACE_AIR, FACE_LIQUID, FACE_SOLID };

/// Shear sample e lies on the edge between the axes first[e] and second[e], at the low corner of its cell.
static const int first[3] = { 0, 0, 1 }, second[3] = { 1, 2, 2 };

/// Liquid part of a face's volume below which the face is left to the pressure.
#define MASS_MIN 0.01
/// Nearest a wall counts, in cells: bounds the condition number where a wall nearly touches a face.
#define WALL_MIN 0.1

typedef struct viscosity_job {
    mn_liquid      *q;
    const mn_solid *solids;
    int             solid_count;
    double          k;                       // h mu / (rho cell^2)
    uint8_t        *kind[3];                 // FACE_...
    float          *mass[3];                 // m
    float          *cell_weight;             // w of the normal rates
    float          *edge_weight[3];          // w of the shear rates
    float          *edge_scale[3][2];        // cell / distance, for the two differences of a shear rate
    double         *normal[3], *shear[3];    // k * stress of the samples
    double         *x[3];                    // what the operator is applied to
    double         *ax[3];
    double         *diagonal[3];
    double         *partial;                 // per tile
} viscosity_job;

static double liquid_part(const mn_liquid *q, int64_t i)
{
    const double f = 0.5 - q->grid.level[i] / q->model.grid.cell;
    return f < 0.0 ? 0.0 : f > 1.0 ? 1.0 : f;
}

static void face_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const viscosity_job     *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t c = 0; c < s->tiles.cells; c++) {
            const int64_t i     = (int64_t)t * s->tiles.cells + c;
            const double  open  = t > 0 ? (double)s->solid.volume_open[i] : 0.0;
            job->cell_weight[i] = (float)(s->wet[i] ? liquid_part(job->q, i) * open : 0.0);
            for (int a = 0; a < job->q->model.grid.dimension; a++) {
                const int64_t l = mn_cell_next(&s->tiles, t, c, a, -1);
                const double  m = 0.5 * (liquid_part(job->q, i) * open + liquid_part(job->q, l) * (double)s->solid.volume_open[l]);
                job->mass[a][i] = (float)m;
                job->kind[a][i] = t == 0                                          ? FACE_AIR
                                  : s->solid.open[a][i] == 0.0f                   ? FACE_SOLID
                                  : s->known[a][i] && m > MASS_MIN                ? FACE_LIQUID
                                                                                  : FACE_AIR;
                if (job->kind[a][i] == FACE_SOLID) s->velocity[a][i] = (double)s->solid.velocity[a][i];
            }
        }
}

static mn_vec3 face_centre(const mn_tiles *t, int32_t tile, int32_t cell, int axis)
{
    const mn_grid_def *g    = &t->def;
    const double       at[3] = { t->coord[tile].x * MN_TILE + cell % MN_TILE + 0.5, t->coord[tile].y * MN_TILE + cell / MN_TILE % MN_TILE + 0.5,
                                 t->coord[tile].z * t->tile_z + cell / (MN_TILE * MN_TILE) + 0.5 };
    mn_vec3 x = mn_v3(g->origin.x + at[0] * g->cell, g->origin.y + at[1] * g->cell, g->origin.z + at[2] * g->depth);
    if (axis == 0) x.x -= 0.5 * g->cell;
    if (axis == 1) x.y -= 0.5 * g->cell;
    if (axis == 2) x.z -= 0.5 * g->cell;
    return x;
}

/// Scale and weight of the difference of component `a` between this face and the one before it along `b`.
static double difference_scale(const viscosity_job *job, int32_t t, int32_t c, int a, int b, double *weight)
{
    const mn_liquid_scratch *s = &job->q->grid;
    const int64_t            i = (int64_t)t * s->tiles.cells + c, l = mn_cell_next(&s->tiles, t, c, b, -1);
    const int                here = job->kind[a][i], there = job->kind[a][l];
    if (here == FACE_AIR || there == FACE_AIR) *weight = 0.0;
    if ((here == FACE_SOLID) == (there == FACE_SOLID) || *weight == 0.0) return 1.0;
    mn_vec3       x = face_centre(&s->tiles, t, c, a), normal;
    if (here == FACE_SOLID) {                         // the liquid face is the one before
        if (b == 0) x.x -= s->tiles.def.cell;
        if (b == 1) x.y -= s->tiles.def.cell;
        if (b == 2) x.z -= s->tiles.def.cell;
    }
    int           which = -1;
    const double  d     = mn_solids_distance(job->solids, job->solid_count, x, &normal, &which) / s->tiles.def.cell;
    if (which < 0 || !job->solids[which].no_slip) {
        *weight = 0.0;
        return 1.0;
    }
    const double near = d < WALL_MIN ? WALL_MIN : d > 1.0 ? 1.0 : d;
    *weight *= near;
    return 1.0 / near;
}

static void edge_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const viscosity_job     *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    const int                edges = job->q->model.grid.dimension == 3 ? 3 : 1;
    for (int e = 0; e < edges; e++)
        for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
            for (int32_t c = 0; c < s->tiles.cells; c++) {
                const int64_t i = (int64_t)t * s->tiles.cells + c;
                // The liquid part of the edge's volume: mean of its four cells, those inside solids left out.
                const int64_t la = mn_cell_next(&s->tiles, t, c, first[e], -1), lb = mn_cell_next(&s->tiles, t, c, second[e], -1);
                const int32_t tile_b = (int32_t)(lb / s->tiles.cells), cell_b = (int32_t)(lb % s->tiles.cells);
                const int64_t four[4] = { i, la, lb, mn_cell_next(&s->tiles, tile_b, cell_b, first[e], -1) };
                double        sum = 0.0, cells = 0.0;
                for (int k = 0; k < 4; k++)
                    if (s->solid.volume_open[four[k]] > 0.0f) sum += liquid_part(job->q, four[k]), cells += 1.0;
                double weight = t > 0 && cells > 0.0 ? sum / cells : 0.0;
                const double one = difference_scale(job, t, c, first[e], second[e], &weight);
                const double two = difference_scale(job, t, c, second[e], first[e], &weight);
                job->edge_weight[e][i]   = (float)weight;
                job->edge_scale[e][0][i] = (float)one;
                job->edge_scale[e][1][i] = (float)two;
            }
}

/// k w times the stress of every sample from the rates of x. Newtonian: 2 for a normal rate, 1 for a shear rate.
static void stress_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const viscosity_job     *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    const int                dimension = job->q->model.grid.dimension;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t c = 0; c < s->tiles.cells; c++) {
            const int64_t i = (int64_t)t * s->tiles.cells + c;
            const double  w = 2.0 * job->k * (double)job->cell_weight[i];
            for (int a = 0; a < dimension; a++)
                job->normal[a][i] = w > 0.0 ? w * (job->x[a][mn_cell_next(&s->tiles, t, c, a, 1)] - job->x[a][i]) : 0.0;
            for (int e = 0; e < (dimension == 3 ? 3 : 1); e++) {
                const double v = job->k * (double)job->edge_weight[e][i];
                if (v == 0.0) {
                    job->shear[e][i] = 0.0;
                    continue;
                }
                const int a = first[e], b = second[e];
                job->shear[e][i] = v * ((double)job->edge_scale[e][0][i] * (job->x[a][i] - job->x[a][mn_cell_next(&s->tiles, t, c, b, -1)]) +
                                        (double)job->edge_scale[e][1][i] * (job->x[b][i] - job->x[b][mn_cell_next(&s->tiles, t, c, a, -1)]));
            }
        }
}

/// ax = m x + D^T stress on liquid faces, 0 elsewhere; the tile's part of x . ax.
static void apply_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const viscosity_job     *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    const int                dimension = job->q->model.grid.dimension;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        double dot = 0.0;
        for (int32_t c = 0; c < s->tiles.cells; c++)
            for (int a = 0; a < dimension; a++) {
                const int64_t i = (int64_t)t * s->tiles.cells + c;
                double        y = 0.0;
                if (job->kind[a][i] == FACE_LIQUID) {
                    y = (double)job->mass[a][i] * job->x[a][i] + job->normal[a][mn_cell_next(&s->tiles, t, c, a, -1)] - job->normal[a][i];
                    for (int e = 0; e < (dimension == 3 ? 3 : 1); e++) {
                        if (first[e] != a && second[e] != a) continue;
                        const int     side = first[e] == a ? 0 : 1, along = first[e] == a ? second[e] : first[e];
                        const int64_t n    = mn_cell_next(&s->tiles, t, c, along, 1);
                        y += (double)job->edge_scale[e][side][i] * job->shear[e][i] - (double)job->edge_scale[e][side][n] * job->shear[e][n];
                    }
                    dot += job->x[a][i] * y;
                }
                job->ax[a][i] = y;
            }
        job->partial[t] = dot;
    }
}

static void diagonal_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const viscosity_job     *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    const int                dimension = job->q->model.grid.dimension;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t c = 0; c < s->tiles.cells; c++)
            for (int a = 0; a < dimension; a++) {
                const int64_t i = (int64_t)t * s->tiles.cells + c;
                double d = (double)job->mass[a][i] + 2.0 * job->k * ((double)job->cell_weight[i] + (double)job->cell_weight[mn_cell_next(&s->tiles, t, c, a, -1)]);
                for (int e = 0; e < (dimension == 3 ? 3 : 1); e++) {
                    if (first[e] != a && second[e] != a) continue;
                    const int     side = first[e] == a ? 0 : 1, along = first[e] == a ? second[e] : first[e];
                    const int64_t n    = mn_cell_next(&s->tiles, t, c, along, 1);
                    const double  here = (double)job->edge_scale[e][side][i], next = (double)job->edge_scale[e][side][n];
                    d += job->k * ((double)job->edge_weight[e][i] * here * here + (double)job->edge_weight[e][n] * next * next);
                }
                job->diagonal[a][i] = job->kind[a][i] == FACE_LIQUID ? d : 1.0;
            }
}

static double apply(const viscosity_job *job, mn_pool *pool)
{
    const int32_t tiles = job->q->grid.tiles.count;
    mn_parallel_for(pool, tiles, 4, stress_tiles, (void *)(uintptr_t)job);
    mn_parallel_for(pool, tiles, 4, apply_tiles, (void *)(uintptr_t)job);
    double sum = 0.0;
    for (int32_t t = 0; t < tiles; t++) sum += job->partial[t];
    return sum;
}

typedef struct cg_job {
    viscosity_job *v;
    double        *residual[3], *direction[3];
    double        *r2, *rz;                    // per tile
    double         alpha, beta;
} cg_job;

/// u += alpha p, r -= alpha A p; sums of r.r and r.z per tile.
static void advance_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job            *cg = context;
    const mn_liquid_scratch *s  = &cg->v->q->grid;
    for (int64_t t = begin; t < end; t++) {
        double r2 = 0.0, rz = 0.0;
        for (int a = 0; a < cg->v->q->model.grid.dimension; a++)
            for (int64_t i = t * s->tiles.cells; i < (t + 1) * s->tiles.cells; i++) {
                if (cg->v->kind[a][i] != FACE_LIQUID) continue;
                s->velocity[a][i] += cg->alpha * cg->direction[a][i];
                const double r = cg->residual[a][i] - cg->alpha * cg->v->ax[a][i];
                cg->residual[a][i] = r;
                r2 += r * r;
                rz += r * r / cg->v->diagonal[a][i];
            }
        cg->r2[t] = r2, cg->rz[t] = rz;
    }
}

static void direct_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const cg_job            *cg = context;
    const mn_liquid_scratch *s  = &cg->v->q->grid;
    for (int a = 0; a < cg->v->q->model.grid.dimension; a++)
        for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
            cg->direction[a][i] = cg->v->kind[a][i] == FACE_LIQUID
                                      ? cg->residual[a][i] / cg->v->diagonal[a][i] + cg->beta * cg->direction[a][i] : 0.0;
}

static double sum_tiles(const double *partial, int32_t count)
{
    double sum = 0.0;
    for (int32_t t = 0; t < count; t++) sum += partial[t];
    return sum;
}

/// residual = m u* - A u at the liquid faces, with the velocity as it stands (u* kept in `target`).
static void true_residual(cg_job *cg, mn_pool *pool, double *const target[3])
{
    viscosity_job           *v = cg->v;
    const mn_liquid_scratch *s = &v->q->grid;
    for (int a = 0; a < 3; a++) v->x[a] = s->velocity[a];
    apply(v, pool);
    for (int a = 0; a < v->q->model.grid.dimension; a++)
        for (int64_t i = 0; i < (int64_t)s->tiles.count * s->tiles.cells; i++)
            cg->residual[a][i] = v->kind[a][i] == FACE_LIQUID ? (double)v->mass[a][i] * target[a][i] - v->ax[a][i] : 0.0;
    cg->alpha = 0.0;
    mn_parallel_for(pool, s->tiles.count, 4, advance_tiles, cg);
}

static mn_status take(viscosity_job *v, cg_job *cg, double *target[3], mn_arena *arena)
{
    const mn_tiles *tiles = &v->q->grid.tiles;
    const int64_t   n     = (int64_t)tiles->count * tiles->cells;
    bool            ok    = true;
    v->cell_weight        = mn_arena_array_zero(arena, float, n);
    for (int a = 0; a < 3; a++) {
        ok = ok && (v->kind[a] = mn_arena_array_zero(arena, uint8_t, n)) && (v->mass[a] = mn_arena_array_zero(arena, float, n));
        ok = ok && (v->edge_weight[a] = mn_arena_array_zero(arena, float, n));
        ok = ok && (v->edge_scale[a][0] = mn_arena_array_zero(arena, float, n)) && (v->edge_scale[a][1] = mn_arena_array_zero(arena, float, n));
        ok = ok && (v->normal[a] = mn_arena_array_zero(arena, double, n)) && (v->shear[a] = mn_arena_array_zero(arena, double, n));
        ok = ok && (v->ax[a] = mn_arena_array_zero(arena, double, n)) && (v->diagonal[a] = mn_arena_array_zero(arena, double, n));
        ok = ok && (cg->residual[a] = mn_arena_array_zero(arena, double, n)) && (cg->direction[a] = mn_arena_array_zero(arena, double, n));
        ok = ok && (target[a] = mn_arena_array(arena, double, n));
    }
    ok = ok && v->cell_weight && (v->partial = mn_arena_array_zero(arena, double, tiles->count));
    ok = ok && (cg->r2 = mn_arena_array_zero(arena, double, tiles->count)) && (cg->rz = mn_arena_array_zero(arena, double, tiles->count));
    return ok ? MN_OK : MN_ERR_MEMORY;
}

/// Conjugate gradients with diagonal scaling from u*; the residual is measured against the momentum of u*.
static void solve(cg_job *cg, mn_pool *pool, double *const target[3], double scale, mn_solve_report *report)
{
    viscosity_job *v     = cg->v;
    const int32_t  tiles = v->q->grid.tiles.count;
    const double   bound = v->q->model.solver.viscosity_tolerance * scale;
    const int      most  = 10 * v->q->model.solver.pressure_iterations;
    true_residual(cg, pool, target);
    double rz              = sum_tiles(cg->rz, tiles);
    report->residual_first = sqrt(sum_tiles(cg->r2, tiles)) / scale;
    cg->beta               = 0.0;
    while (sqrt(sum_tiles(cg->r2, tiles)) > bound && report->iterations < most) {
        mn_parallel_for(pool, tiles, 4, direct_tiles, cg);
        for (int a = 0; a < 3; a++) v->x[a] = cg->direction[a];
        const double curvature = apply(v, pool);
        if (!(curvature > 0.0)) break;
        cg->alpha = rz / curvature;
        mn_parallel_for(pool, tiles, 4, advance_tiles, cg);
        const double next = sum_tiles(cg->rz, tiles);
        cg->beta          = next / rz;
        rz                = next;
        report->iterations++;
    }
    true_residual(cg, pool, target);
    report->residual_last = sqrt(sum_tiles(cg->r2, tiles)) / scale;
    report->outcome       = report->residual_last <= 2.0 * v->q->model.solver.viscosity_tolerance ? 1 : -1;
}

mn_status mn_liquid_viscosity(mn_liquid *q, mn_arena *arena, const mn_solid *solids, int solid_count, double dt, mn_solve_report *report)
{
    *report = (mn_solve_report){ .outcome = 1 };
    if (q->model.material.viscosity == 0.0) return MN_OK;
    mn_liquid_scratch  *s    = &q->grid;
    mn_pool            *pool = mn_context_pool(q->context);
    const double        dx   = q->model.grid.cell;
    viscosity_job       v    = { .q = q, .solids = solids, .solid_count = solid_count, .k = dt * q->model.material.viscosity / (q->model.material.density * dx * dx) };
    cg_job              cg   = { .v = &v };
    double             *target[3];
    const mn_arena_mark mark   = mn_arena_begin(arena);
    mn_status           status = take(&v, &cg, target, arena);
    if (status == MN_OK) {
        mn_parallel_for(pool, s->tiles.count, 4, face_tiles, &v);
        mn_parallel_for(pool, s->tiles.count, 4, edge_tiles, &v);
        mn_parallel_for(pool, s->tiles.count, 4, diagonal_tiles, &v);
        double scale = 0.0;
        for (int a = 0; a < q->model.grid.dimension; a++) {
            memcpy(target[a], s->velocity[a], mn_array_bytes((int64_t)s->tiles.count * s->tiles.cells, sizeof(double)));
            for (int64_t i = 0; i < (int64_t)s->tiles.count * s->tiles.cells; i++)
                if (v.kind[a][i] == FACE_LIQUID) scale += (double)v.mass[a][i] * (double)v.mass[a][i] * target[a][i] * target[a][i];
        }
        // A wall alone may move liquid at rest: then its own pull is the scale.
        true_residual(&cg, pool, target);
        scale = sqrt(fmax(scale, sum_tiles(cg.r2, s->tiles.count)));
        if (scale > 0.0) solve(&cg, pool, target, scale, report);
    }
    mn_arena_end(arena, mark);
    return status;
}
