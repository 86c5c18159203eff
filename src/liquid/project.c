// SPDX-License-Identifier: MPL-2.0
// liquid/project.c - the pressure projection, (E5).
//
// The divergence asked for is not 0 but that which makes the move keep volume: x + h u stretches volume by
// det(1 + h G) = 1 + h tr G + h^2 I2 + ..., G = grad u, I2 its second invariant, so tr G = -h I2(G). A rigid rotation
// then neither grows by (h Omega)^2 / 2 a step nor needs the density correction to pull it back, which had cost it
// angular momentum of first order in h (liquid 5.8a; S1.5).
//
// Unknown: p^ = h p / (rho cell), in cm/s, in liquid cells; 0 in air. The coefficient b of a face is one stored float
// that the matrix and the velocity update share, so that the update is the exact adjoint of the operator (T8).
#include "liquid/project.h"

typedef struct project_job {
    mn_liquid *q;
    double    *rhs;
    double    *target;     // cell * divergence asked for, cm/s
    double    *worst;      // per tile, largest divergence left
    double     dt;
} project_job;

/// Flux through the low face of a cell, per face area: liquid through the open part, obstacle through the covered one.
static inline double face_flux(const mn_liquid_scratch *s, int a, int64_t i)
{
    const double open = (double)s->solid.open[a][i];
    return open * s->velocity[a][i] + (1.0 - open) * (double)s->solid.velocity[a][i];
}

static inline double outflow(const mn_liquid_scratch *s, int dimension, int32_t tile, int32_t cell)
{
    const int64_t i   = (int64_t)tile * s->tiles.cells + cell;
    double        sum = 0.0;
    for (int a = 0; a < dimension; a++) sum += face_flux(s, a, mn_cell_next(&s->tiles, tile, cell, a, 1)) - face_flux(s, a, i);
    return sum;
}

/// Component `a` of u* at the centre of a cell next to (or at) the one given, both its faces' mean.
static inline double centre_value(const mn_liquid_scratch *s, int a, int64_t cell)
{
    const int32_t tile = (int32_t)(cell / s->tiles.cells);
    return 0.5 * (s->velocity[a][cell] + s->velocity[a][mn_cell_next(&s->tiles, tile, (int32_t)(cell % s->tiles.cells), a, 1)]);
}

/// I2 = ((tr G)^2 - tr G^2) / 2 of the velocity gradient at a cell, times cell^2.
static double second_invariant(const mn_liquid_scratch *s, int dimension, int32_t t, int32_t c)
{
    const int64_t i = (int64_t)t * s->tiles.cells + c;
    double        g[3][3] = { { 0.0 } }, sum = 0.0;
    for (int a = 0; a < dimension; a++)
        for (int b = 0; b < dimension; b++)
            g[a][b] = a == b ? s->velocity[a][mn_cell_next(&s->tiles, t, c, a, 1)] - s->velocity[a][i]
                             : 0.5 * (centre_value(s, a, mn_cell_next(&s->tiles, t, c, b, 1)) - centre_value(s, a, mn_cell_next(&s->tiles, t, c, b, -1)));
    for (int a = 0; a < dimension; a++)
        for (int b = a + 1; b < dimension; b++) sum += g[a][a] * g[b][b] - g[a][b] * g[b][a];
    return sum;
}

static void rhs_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const project_job *job = context;
    mn_liquid_scratch *s   = &job->q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t c = 0; c < s->tiles.cells; c++) {
            const int64_t i = (int64_t)t * s->tiles.cells + c;
            job->rhs[i] = job->target[i] = 0.0;
            if (!s->wet[i]) continue;
            job->target[i] = -job->dt / job->q->model.grid.cell * second_invariant(s, job->q->model.grid.dimension, t, c);
            job->rhs[i]    = job->target[i] - outflow(s, job->q->model.grid.dimension, t, c);
        }
}

void mn_liquid_face_gradient(const mn_liquid *q, int64_t begin, int64_t end, const double *p, double scale, double *const field[3], bool add)
{
    const mn_liquid_scratch *s = &q->grid;
    for (int a = 0; a < q->model.grid.dimension; a++)
        for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
            for (int32_t c = 0; c < s->tiles.cells; c++) {
                const int64_t i = (int64_t)t * s->tiles.cells + c;
                const double  b = (double)s->coefficient[a][i];
                if (b > 0.0) {
                    const double step = scale * b / (double)s->solid.open[a][i] * (p[i] - p[mn_cell_next(&s->tiles, t, c, a, -1)]);
                    field[a][i] = add ? field[a][i] + step : step;
                } else if (!add) {
                    field[a][i] = 0.0;
                }
            }
}

/// u -= (b / omega) grad p^; closed faces beside liquid move with the obstacle; the faces so made are the known ones.
static void update_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const project_job *job = context;
    mn_liquid         *q   = job->q;
    mn_liquid_scratch *s   = &q->grid;
    mn_liquid_face_gradient(q, begin, end, s->pressure, -1.0, s->velocity, true);
    mn_liquid_known_faces(q, begin, end);
    for (int a = 0; a < q->model.grid.dimension; a++)
        for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
            if (s->known[a][i] && s->solid.open[a][i] == 0.0f) s->velocity[a][i] = (double)s->solid.velocity[a][i];
}

void mn_liquid_known_faces(mn_liquid *q, int64_t begin, int64_t end)
{
    mn_liquid_scratch *s = &q->grid;
    for (int a = 0; a < q->model.grid.dimension; a++)
        for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
            for (int32_t c = 0; c < s->tiles.cells; c++) {
                const int64_t i = (int64_t)t * s->tiles.cells + c;
                s->known[a][i]  = t > 0 && (s->wet[i] || s->wet[mn_cell_next(&s->tiles, t, c, a, -1)]);
            }
}

static void divergence_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const project_job *job = context;
    mn_liquid_scratch *s   = &job->q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        double worst = 0.0;
        for (int32_t c = 0; c < s->tiles.cells; c++) {
            const int64_t i = (int64_t)t * s->tiles.cells + c;
            if (s->wet[i]) worst = fmax(worst, fabs(outflow(s, job->q->model.grid.dimension, t, c) - job->target[i]));
        }
        job->worst[t] = worst;
    }
}

mn_status mn_liquid_matrix(mn_liquid *q, mn_arena *arena)
{
    mn_liquid_scratch       *s      = &q->grid;
    const mn_pressure_system system = { .tiles = &s->tiles, .b = { s->coefficient[0], s->coefficient[1], s->coefficient[2] }, .unknown = s->wet };
    return mn_multigrid_setup(q->multigrid, &system, arena);
}

mn_status mn_liquid_project(mn_liquid *q, mn_arena *arena, double dt, mn_solve_report *report, double *max_divergence)
{
    mn_liquid_scratch *s    = &q->grid;
    mn_pool           *pool = mn_context_pool(q->context);
    project_job        job  = { .q = q, .dt = dt };
    job.rhs                 = mn_arena_array(arena, double, (int64_t)s->tiles.count * s->tiles.cells);
    job.target              = mn_arena_array(arena, double, (int64_t)s->tiles.count * s->tiles.cells);
    job.worst               = mn_arena_array_zero(arena, double, s->tiles.count);
    if (job.rhs == NULL || job.target == NULL || job.worst == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, s->tiles.count, 4, rhs_tiles, &job);
    MN_TRY(mn_liquid_matrix(q, arena));
    MN_TRY(mn_multigrid_solve(q->multigrid, job.rhs, s->pressure, q->model.solver.pressure_tolerance,
                              q->model.solver.pressure_iterations, report));
    mn_parallel_for(pool, s->tiles.count, 4, update_tiles, &job);
    mn_parallel_for(pool, s->tiles.count, 4, divergence_tiles, &job);
    *max_divergence = 0.0;
    for (int32_t t = 1; t < s->tiles.count; t++) *max_divergence = fmax(*max_divergence, job.worst[t] / q->model.grid.cell);
    return MN_OK;
}
