// SPDX-License-Identifier: MPL-2.0
// liquid/even_out.c - the density correction: clumps are pushed apart and holes closed, up to the surface. liquid 5.7
//
// After the move the density is measured again. Away from the surface it should be 1; in the surface band a wider
// kernel says where the surface is and so what the narrow one should see (E6). The error becomes a source of the same
// elliptic equation as the pressure (E7), whose gradient shifts positions (E8). Velocities are not touched: nothing of
// the momentum changes, and the energy that the shift of weight makes is small and can be booked apart.
#include "grid/extrapolate.h"
#include "grid/levelset.h"
#include "grid/transfer.h"
#include "liquid/liquid.h"
#include "liquid/project.h"

#include <string.h>

/// Dead band of cells whose kernel touches an obstacle: a lattice at a wall reads 1.0125 (T4).
#define WALL_DEAD_BAND 0.03
/// Longest shift, in cells.
#define SHIFT_MAX 0.1

typedef struct even_job {
    mn_liquid    *q;
    const double *expected;
    double       *rhs, *psi;
    double       *shift[3];   // on faces
    double       *step[3];    // of particles
    double       *open;       // n_c
    uint8_t      *air;        // cells that could hold liquid and do not
    double        share;      // kappa of this step
} even_job;

static void air_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const even_job          *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++) {
        job->open[i] = (double)s->solid.kernel_open[i];
        job->air[i]  = !s->wet[i] && s->solid.volume_open[i] > 0.0f;
    }
}

static void error_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const even_job          *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++) {
        job->rhs[i] = 0.0;
        job->psi[i] = 0.0;
        if (!s->wet[i]) continue;
        double       error = s->density[i] - job->expected[i];
        const double dead  = s->solid.kernel_open[i] < 0.9999f ? WALL_DEAD_BAND : 0.0;
        error              = error > dead ? error - dead : error < -dead ? error + dead : 0.0;
        error              = error > 0.5 ? 0.5 : error < -0.5 ? -0.5 : error;
        job->rhs[i]        = job->share * (double)s->solid.volume_open[i] * error;
    }
}

static void shift_field_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const even_job *job = context;
    mn_liquid_face_gradient(job->q, begin, end, job->psi, -job->q->model.grid.cell, job->shift, false);
    mn_liquid_known_faces(job->q, begin, end);
}

static void shift_particles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const even_job      *job       = context;
    mn_liquid_particles *p         = mn_liquid_now(job->q);
    const int            dimension = job->q->model.grid.dimension;
    const double         longest   = SHIFT_MAX * job->q->model.grid.cell;
    for (int64_t i = begin; i < end; i++) {
        double length2 = 0.0;
        for (int a = 0; a < dimension; a++) length2 += job->step[a][i] * job->step[a][i];
        const double limit = length2 > longest * longest ? longest / sqrt(length2) : 1.0;
        for (int a = 0; a < dimension; a++) p->position[a][i] += limit * job->step[a][i];
    }
}

/// The solids as they are to a shift of positions: standing still, friction-free.
static mn_solid *still_solids(mn_arena *arena, const mn_solid *solids, int count)
{
    mn_solid *still = mn_arena_array(arena, mn_solid, count);
    for (int k = 0; still != NULL && k < count; k++) {
        still[k]         = solids[k];
        still[k].no_slip = false;
        still[k].pose.linear = still[k].pose.angular = mn_v3(0.0, 0.0, 0.0);
    }
    return still;
}

/// kappa as a rate: the share asked for at the step 0.3 sqrt(dx / g), liquid 3. Without gravity every step counts alike.
static double share_of_step(const mn_liquid_model *m, double dt)
{
    const double kappa = m->solver.density_rate, g = mn_norm3(m->gravity);
    if (kappa >= 1.0) return 1.0;
    if (g == 0.0) return kappa;
    const double reference = 0.3 * sqrt(m->grid.cell / g);
    return 1.0 - pow(1.0 - kappa, dt / reference);
}

mn_status mn_liquid_even_out(mn_liquid *q, mn_arena *arena, const mn_solid *solids, int solid_count, double dt, mn_solve_report *report)
{
    *report = (mn_solve_report){ .outcome = 1 };
    if (q->model.solver.density_rate == 0.0) return MN_OK;
    mn_liquid_scratch   *s    = &q->grid;
    mn_liquid_particles *p    = mn_liquid_now(q);
    mn_pool             *pool = mn_context_pool(q->context);
    const int64_t        n    = (int64_t)s->tiles.count * s->tiles.cells;

    int64_t lost = 0;
    MN_TRY(mn_bins_refresh(q->context, arena, &s->tiles, (const double *const *)p->position, p->count, &s->bins, &lost));
    MN_TRY(mn_liquid_surface(q, arena));

    even_job job   = { .q = q, .share = share_of_step(&q->model, dt) };
    double  *expected = mn_arena_array(arena, double, n);
    job.rhs = mn_arena_array(arena, double, n);
    job.psi = s->pressure;
    for (int a = 0; a < 3; a++) job.shift[a] = s->weight[a];          // the weights have done their work
    for (int a = 0; a < 3; a++) job.step[a] = mn_arena_array_zero(arena, double, p->count);
    if (job.step[0] == NULL || job.step[1] == NULL || job.step[2] == NULL) return MN_ERR_MEMORY;
    job.open = mn_arena_array(arena, double, n);
    job.air  = mn_arena_array(arena, uint8_t, n);
    if (expected == NULL || job.rhs == NULL || job.open == NULL || job.air == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, s->tiles.count, 4, air_tiles, &job);
    MN_TRY(mn_density_expected(q->context, arena, &s->tiles, s->density, job.open, job.air, expected));
    job.expected = expected;
    mn_parallel_for(pool, s->tiles.count, 4, error_tiles, &job);
    MN_TRY(mn_liquid_matrix(q, arena));
    MN_TRY(mn_multigrid_solve(q->multigrid, job.rhs, job.psi, q->model.solver.density_tolerance, q->model.solver.pressure_iterations, report));

    mn_parallel_for(pool, s->tiles.count, 4, shift_field_tiles, &job);
    MN_TRY(mn_extrapolate_faces(q->context, arena, &s->tiles, MN_EXTRAPOLATE_AVERAGE, 4, job.shift, s->known));
    const mn_solid *still = still_solids(arena, solids, solid_count);
    if (still == NULL) return MN_ERR_MEMORY;
    mn_solid_mirror_faces(pool, &s->tiles, &s->solid, still, solid_count, s->known, job.shift);
    mn_faces_to_points(q->context, &s->tiles, &s->bins, (const double *const *)job.shift, (const double *const *)p->position, job.step);
    mn_parallel_for(pool, p->count, MN_BLOCK, shift_particles, &job);
    mn_liquid_push_out(q, solids, solid_count);
    return MN_OK;
}
