// SPDX-License-Identifier: MPL-2.0
// liquid/project.c - the pressure projection, (E5).
//
// The divergence asked for is not 0 but that which makes the move keep volume: x + h u stretches volume by
// det(1 + h G) = 1 + h tr G + h^2 I2 + ..., G = grad u, I2 its second invariant, so tr G = -h I2(G). A rigid rotation
// then neither grows by (h Omega)^2 / 2 a step nor needs the density correction to pull it back, which had cost it
// angular momentum of first order in h (liquid 5.8a; S1.5). Of a cell that a solid covers in part, as in (E7), the open
// part counts: a sliver asked for the divergence of a whole cell would have to blow it through the little that is open.
// Where its wall bends or turns, the same move asks for a flux through the wall (grid/solid/solid_bend.c).
//
// Unknown: p^ = h p / (rho cell), in cm/s, in liquid cells; 0 in air. The coefficient b of a face is one stored float
// that the matrix and the velocity update share, so that the update is the exact adjoint of the operator (T8).
#include "liquid/project.h"

#include "grid/rows.h"

#include <string.h>

/// Flux through a face, per face area: liquid through the open part, obstacle through the covered one.
static inline double face_flux(const mn_liquid_scratch *s, int a, int64_t i)
{
    const double open = (double)s->solid.open[a][i];
    return open * s->velocity[a][i] + (1.0 - open) * mn_solid_face_velocity(&s->solid, a, i);
}

/// What flows out of each cell of a row, per face area.
static void outflow_row(const mn_liquid_scratch *s, int dimension, const mn_row_places *row, double out[MN_TILE])
{
    memset(out, 0, MN_TILE * sizeof *out);
    for (int a = 0; a < dimension; a++)
        for (int x = 0; x < MN_TILE; x++)
            out[x] += face_flux(s, a, mn_row_high(row, a, x)) - face_flux(s, a, row->at + x);
}

/// Component `a` of u* at the centre of a cell, both its faces' mean.
static inline double centre_value(const mn_liquid_scratch *s, int a, int64_t cell)
{
    const int32_t tile = (int32_t)(cell / s->tiles.cells);
    return 0.5 * (s->velocity[a][cell] +
                  s->velocity[a][mn_cell_next(&s->tiles, tile, (int32_t)(cell % s->tiles.cells), a, 1)]);
}

/// I2 = ((tr G)^2 - tr G^2) / 2 of the velocity gradient at cell x of a row, times cell^2.
static double second_invariant(const mn_liquid_scratch *s, int dimension, const mn_row_places *row, int32_t x)
{
    double g[3][3] = { { 0.0 } }, sum = 0.0;
    for (int a = 0; a < dimension; a++)
        for (int b = 0; b < dimension; b++)
            g[a][b] = a == b ? s->velocity[a][mn_row_high(row, a, x)] - s->velocity[a][row->at + x]
                             : 0.5 * (centre_value(s, a, mn_row_high(row, b, x)) -
                                      centre_value(s, a, mn_row_low(row, b, x)));
    for (int a = 0; a < dimension; a++)
        for (int b = a + 1; b < dimension; b++) sum += g[a][a] * g[b][b] - g[a][b] * g[b][a];
    return sum;
}

/// What is to flow out of cell x of a row through the wall inside it, per face area.
static double wall_outflow(const mn_projection *job, int dimension, int32_t tile, const mn_row_places *row, int32_t x)
{
    const mn_liquid_scratch *s    = &job->q->grid;
    const int64_t            cell = row->at + x;
    double                   u[3] = { 0.0, 0.0, 0.0 }, squares = 0.0;
    for (int a = 0; a < dimension; a++) {
        const double wall = (double)s->solid.open[a][cell] - (double)s->solid.open[a][mn_row_high(row, a, x)];
        squares += wall * wall;
        u[a] = centre_value(s, a, cell);
    }
    if (squares == 0.0) return 0.0;
    const mn_vec3 middle = mn_cell_centre(&s->tiles, tile, (int32_t)(cell - (int64_t)tile * s->tiles.cells));
    return sqrt(squares) * mn_solid_outflow(job->solids, middle, mn_v3_from(u), s->tiles.def.cell, job->dt);
}

static void rhs_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_projection *job       = context;
    mn_liquid_scratch   *s         = &job->q->grid;
    const int            dimension = job->q->model.grid.dimension;
    const double         scale     = -job->dt / job->q->model.grid.cell;
    const bool           asks      = job->target != NULL;
    const size_t         bytes     = (size_t)(end - begin) * (size_t)s->tiles.cells * sizeof(double);
    memset(job->rhs + begin * s->tiles.cells, 0, bytes);
    if (asks) memset(job->target + begin * s->tiles.cells, 0, bytes);
    if (asks) memset(s->pressure + begin * s->tiles.cells, 0, bytes);  // where the solver starts
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        const bool bends = asks && job->solids.count > 0 && s->solid.touched[t] == 1;
        for (int32_t r = 0; r < mn_rows_of(&s->tiles); r++) {
            const mn_row_places row = mn_row_find(&s->tiles, t, r);
            if (!mn_row_any(s->wet, row.at)) continue;
            double outflow[MN_TILE];
            outflow_row(s, dimension, &row, outflow);
            for (int32_t x = 0; x < MN_TILE; x++) {
                if (!s->wet[row.at + x]) continue;
                if (asks)
                    job->target[row.at + x] = scale * (double)s->solid.volume_open[row.at + x] *
                                              second_invariant(s, dimension, &row, x);
                if (bends) job->target[row.at + x] -= wall_outflow(job, dimension, t, &row, x);
                job->rhs[row.at + x] = (asks ? job->target[row.at + x] : 0.0) - outflow[x];
            }
        }
    }
}

void mn_liquid_face_gradient(const mn_liquid *q, int64_t begin, int64_t end, const double *p, double scale,
                             double *const field[3], bool add)
{
    const mn_liquid_scratch *s = &q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t r = 0; r < mn_rows_of(&s->tiles); r++) {
            const mn_row_places row = mn_row_find(&s->tiles, t, r);
            for (int a = 0; a < q->model.grid.dimension; a++) {
                const float  *b = s->coefficient[a] + row.at, *open = s->solid.open[a] + row.at;
                double        room[MN_TILE], *to                    = field[a] + row.at;
                const double *here = p + row.at, *low = mn_row_lower_doubles(p, &row, a, room);
                for (int x = 0; x < MN_TILE; x++) {
                    const double step = b[x] > 0.0f ? scale * (double)b[x] / (double)open[x] * (here[x] - low[x]) : 0.0;
                    to[x]             = add ? to[x] + step : step;
                }
            }
        }
}

/// u -= (b / omega) grad p^; closed faces beside liquid move with the obstacle; the faces so made are the known ones.
static void update_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_projection *job = context;
    mn_liquid           *q   = job->q;
    mn_liquid_scratch   *s   = &q->grid;
    mn_liquid_face_gradient(q, begin, end, s->pressure, -1.0, s->velocity, true);
    mn_liquid_known_faces(q, begin, end);
    for (int a = 0; a < q->model.grid.dimension; a++)
        for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
            if (s->known[a][i] && s->solid.open[a][i] == 0.0f)
                s->velocity[a][i] = mn_solid_face_velocity(&s->solid, a, i);
}

void mn_liquid_known_faces(mn_liquid *q, int64_t begin, int64_t end)
{
    mn_liquid_scratch *s = &q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
        for (int32_t r = 0; r < mn_rows_of(&s->tiles); r++) {
            const mn_row_places row = mn_row_find(&s->tiles, t, r);
            for (int a = 0; a < q->model.grid.dimension; a++) {
                uint8_t        room[MN_TILE];
                const uint8_t *here = s->wet + row.at, *low = mn_row_lower_bytes(s->wet, &row, a, room);
                for (int x = 0; x < MN_TILE; x++) s->known[a][row.at + x] = t > 0 ? here[x] | low[x] : 0;
            }
        }
}

static void divergence_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const mn_projection *job = context;
    mn_liquid_scratch   *s   = &job->q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        double worst = 0.0, squares = 0.0;
        for (int32_t r = 0; r < mn_rows_of(&s->tiles); r++) {
            const mn_row_places row = mn_row_find(&s->tiles, t, r);
            if (!mn_row_any(s->wet, row.at)) continue;
            double outflow[MN_TILE];
            outflow_row(s, job->q->model.grid.dimension, &row, outflow);
            for (int x = 0; x < MN_TILE; x++) {
                if (!s->wet[row.at + x] || (s->loose != NULL && s->loose[row.at + x])) continue;
                const double left = outflow[x] - job->target[row.at + x];
                worst             = fmax(worst, fabs(left));
                squares += left * left;
            }
        }
        job->worst[t]   = worst;
        job->squares[t] = squares;
    }
}

mn_status mn_liquid_hand_over(mn_liquid *q, mn_arena *arena, const uint8_t *unknown, const mn_pressure_terms *terms)
{
    mn_liquid_scratch       *s      = &q->grid;
    const mn_pressure_system system = { .tiles      = &s->tiles,
                                        .b          = { s->coefficient[0], s->coefficient[1], s->coefficient[2] },
                                        .unknown    = unknown,
                                        .terms      = terms != NULL ? terms->term : NULL,
                                        .term_count = terms != NULL ? terms->count : 0 };
    return mn_multigrid_setup(q->multigrid, &system, arena);
}

static mn_status solve(mn_liquid *q, double *rhs, double *x, bool jumps, mn_solve_report *report)
{
    const mn_liquid_scratch *s = &q->grid;
    if (jumps) mn_pressure_add_jumps(&s->tiles, s->coefficient, s->wet, &s->terms, rhs);
    mn_pressure_add_velocities(s->wet, &s->terms, rhs);
    return mn_multigrid_solve(q->multigrid, rhs, x, q->model.solver.pressure_tolerance,
                              q->model.solver.pressure_iterations, report);
}

mn_status mn_liquid_solve(mn_liquid *q, double *rhs, double *x, bool jumps, mn_solve_report *report)
{
    MN_TRY(solve(q, rhs, x, jumps, report));
    if (report->outcome > 0) mn_multigrid_react(q->multigrid, x);
    return MN_OK;
}

typedef struct jump_job {
    const mn_liquid_scratch *s;
    double *const           *field;
} jump_job;

static void jump_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const jump_job *job = context;
    for (int64_t k = begin; k < end; k++) {
        const mn_pressure_jump *j = &job->s->terms.jump[k];
        const double            b = (double)job->s->coefficient[j->axis][j->face];
        if (b > 0.0) job->field[j->axis][j->face] += b / (double)job->s->solid.open[j->axis][j->face] * j->jump;
    }
}

void mn_liquid_jump_faces(const mn_liquid *q, double *const field[3])
{
    jump_job job = { &q->grid, field };
    mn_parallel_for(mn_context_pool(q->context), q->grid.terms.jumps, MN_BLOCK, jump_range, &job);
}

void mn_liquid_projection_rhs(mn_projection *job)
{
    mn_parallel_for(mn_context_pool(job->q->context), job->q->grid.tiles.count, 4, rhs_tiles, job);
}

mn_status mn_liquid_projection_begin(mn_liquid *q, const mn_step *step, mn_projection *job)
{
    const mn_liquid_scratch *s = &q->grid;
    *job                       = (mn_projection){ .q      = q,
                                                  .dt     = step->dt,
                                                  .all    = step->solids,
                                                  .solids = mn_solids_bend(step->solids) ? step->solids : (mn_solids){ NULL, 0 } };
    job->rhs                   = mn_arena_array(step->arena, double, (int64_t)s->tiles.count * s->tiles.cells);
    job->target                = mn_arena_array(step->arena, double, (int64_t)s->tiles.count * s->tiles.cells);
    job->worst                 = mn_arena_array_zero(step->arena, double, s->tiles.count);
    job->squares               = mn_arena_array_zero(step->arena, double, s->tiles.count);
    if (job->rhs == NULL || job->target == NULL || job->worst == NULL || job->squares == NULL) return MN_ERR_MEMORY;
    mn_liquid_projection_rhs(job);
    return MN_OK;
}

mn_status mn_liquid_projection_solve(mn_projection *job, mn_arena *arena, mn_solve_report *report)
{
    mn_liquid *q     = job->q;
    const bool jumps = q->grid.first_pressure == NULL;
    MN_TRY(mn_liquid_hand_over(q, arena, q->grid.wet, &q->grid.terms));
    MN_TRY(solve(q, job->rhs, q->grid.pressure, jumps, report));
    if (q->grid.loose != NULL && report->outcome > 0) MN_TRY(mn_liquid_separate(job, arena, report));
    if (report->outcome > 0) mn_multigrid_react(q->multigrid, q->grid.pressure);
    mn_parallel_for(mn_context_pool(q->context), q->grid.tiles.count, 4, update_tiles, job);
    if (jumps) mn_liquid_jump_faces(q, q->grid.velocity);
    return MN_OK;
}

double mn_liquid_projection_divergence(mn_projection *job, double *norm)
{
    const mn_liquid *q     = job->q;
    double           worst = 0.0, squares = 0.0;
    mn_parallel_for(mn_context_pool(q->context), q->grid.tiles.count, 4, divergence_tiles, job);
    for (int32_t t = 1; t < q->grid.tiles.count; t++) {
        worst = fmax(worst, job->worst[t] / q->model.grid.cell);
        squares += job->squares[t];
    }
    if (norm != NULL) *norm = sqrt(squares);
    return worst;
}

mn_status mn_liquid_project(mn_liquid *q, const mn_step *step, mn_solve_report *report, double *max_divergence)
{
    mn_projection job;
    *max_divergence = 0.0;
    *report         = (mn_solve_report){ .outcome = MN_SOLVE_NOTHING };
    if (!mn_liquid_present(q)) return MN_OK;
    if (step->solids.count > 0) MN_TRY(mn_liquid_may_separate(q, step->arena));
    mn_liquid_lend_particles(q, step->arena);
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    mn_status           status = mn_liquid_projection_begin(q, step, &job);
    if (status == MN_OK) mn_liquid_coefficients(q);
    if (status == MN_OK) status = mn_liquid_projection_solve(&job, step->arena, report);
    if (status == MN_OK) *max_divergence = mn_liquid_projection_divergence(&job, NULL);
    if (status == MN_OK) mn_liquid_add_first_pressure(q);
    mn_arena_end(step->arena, mark);
    mn_arena_take_back(step->arena);
    return status;
}
