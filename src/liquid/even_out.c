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

/// Dead band of cells whose kernel touches an obstacle: a lattice at a wall reads 1.0125 (T4).
#define WALL_DEAD_BAND 0.03
/// Longest shift, in cells.
#define SHIFT_MAX 0.1
/// Cells around a particle whose faces the linear interpolation of its shift may read.
#define LINEAR_REACH 1

typedef struct even_job {
    mn_liquid *q;
    double    *expected;
    double    *rhs;       // and the answer psi in its place
    double    *shift[3];  // on faces
    double    *open;      // n_c
    uint8_t   *air;       // cells that could hold liquid and do not
    double     share;     // kappa of this step
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
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        double        room[MN_TILE * MN_TILE * MN_TILE];
        const double *taken = mn_liquid_room_taken(job->q, t, room);
        double       *open  = job->open + (int64_t)t * s->tiles.cells;
        for (int32_t k = 0; taken != NULL && k < s->tiles.cells; k++) open[k] = mn_liquid_room_left(open[k], taken[k]);
    }
}

static void error_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const even_job          *job = context;
    const mn_liquid_scratch *s   = &job->q->grid;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++) {
        job->rhs[i] = 0.0;
        if (!s->wet[i]) continue;
        // A thread looks like a clump to (E6), which would puff it up: of thin liquid only what is above 1 is too much.
        const bool   thin  = s->thin != NULL && s->thin[i];
        double       error = thin ? fmax(0.0, s->density[i] - 1.0) : s->density[i] - job->expected[i];
        const double dead  = s->solid.kernel_open[i] < 0.9999f ? WALL_DEAD_BAND : 0.0;
        error              = error > dead ? error - dead : error < -dead ? error + dead : 0.0;
        if (s->loose != NULL && s->loose[i] && error < 0.0) error = 0.0;  // air comes in there: it is no hole to close
        error       = error > 0.5 ? 0.5 : error < -0.5 ? -0.5 : error;
        job->rhs[i] = job->share * (double)s->solid.volume_open[i] * error;
        // Others take of the cell what they take of the kernel.
        if (mn_liquid_shares_room(job->q)) job->rhs[i] *= job->open[i] / (double)s->solid.kernel_open[i];
    }
}

static void shift_field_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const even_job *job = context;
    mn_liquid_face_gradient(job->q, begin, end, job->rhs, -job->q->model.grid.cell, job->shift, false);
    mn_liquid_known_faces(job->q, begin, end);
}

/// The solids as they are to a shift of positions: standing still, friction-free.
static mn_solid *still_solids(mn_arena *arena, mn_solids solids)
{
    mn_solid *still = mn_arena_array(arena, mn_solid, solids.count);
    for (int k = 0; still != NULL && k < solids.count; k++) {
        still[k]             = solids.list[k];
        still[k].no_slip     = false;
        still[k].pose.linear = still[k].pose.angular = mn_v3(0.0, 0.0, 0.0);
    }
    return still;
}

/// kappa as a rate: the share asked for at the step 0.3 sqrt(dx / g), liquid 3. Without gravity every step counts
/// alike.
static double share_of_step(const mn_liquid *q, double dt)
{
    const double kappa = q->model.solver.density_rate, g = mn_norm3(q->model.gravity);
    if (kappa >= 1.0) return 1.0;
    if (g == 0.0) return kappa;
    return 1.0 - pow(1.0 - kappa, dt / mn_liquid_surface_dt(q, g));
}

/// Fields over the grid that have done their work for this step give their room. The shift comes last: until then its
/// room is that of what the right-hand side is made of, and free.
static void borrow_room(even_job *job)
{
    const mn_liquid_scratch *s = &job->q->grid;
    job->expected = job->shift[0] = s->velocity[0];
    job->open = job->shift[1] = s->velocity[1];
    job->rhs                  = s->velocity[2];
    job->shift[2]             = s->pressure;
}

/// Lend `fields` fields of `size` bytes per cell from the first on, which lie one after the other (take_fields of
/// liquid.c).
static void lend_fields(const even_job *job, mn_arena *arena, void *first, size_t fields, size_t size)
{
    const mn_tiles *t = &job->q->grid.tiles;
    mn_arena_lend(arena, first, fields * (size_t)t->count * (size_t)t->cells * size);
}

/// The moved particles by cell, their density and surface. The velocities have gone to the particles and lend their
/// room.
static mn_status look_again(mn_liquid *q, mn_arena *arena)
{
    mn_liquid_scratch   *s    = &q->grid;
    mn_liquid_particles *p    = mn_liquid_now(q);
    int64_t              lost = 0;
    if (s->bins.order == NULL) s->bins.order = s->origin;  // where particles came from is of no more interest
    s->origin = NULL;
    if (s->bins.capacity >= p->count) mn_liquid_lend_faces(q, arena);  // else new bins come from the arena, and stay
    mn_status status = mn_bins_refresh(q->context, arena, &s->tiles, (const double *const *)p->position, p->count,
                                       &s->bins, &lost);
    if (status == MN_OK) status = mn_liquid_surface(q, arena);
    mn_arena_take_back(arena);
    return status;
}

static mn_status weigh_error(even_job *job, mn_arena *arena)
{
    mn_liquid         *q    = job->q;
    mn_liquid_scratch *s    = &q->grid;
    mn_pool           *pool = mn_context_pool(q->context);
    job->air                = mn_arena_array(arena, uint8_t, (int64_t)s->tiles.count * s->tiles.cells);
    if (job->air == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, s->tiles.count, 4, air_tiles, job);
    MN_TRY(mn_density_expected(q->context, arena, &s->tiles, s->density, job->open, job->air, job->expected));
    mn_parallel_for(pool, s->tiles.count, 4, error_tiles, job);
    return MN_OK;
}

/// Right-hand side of (E7), in the room of the coefficients as far as it needs any. The density has then done its work.
static mn_status find_error(even_job *job, mn_arena *arena)
{
    const mn_liquid_scratch *s = &job->q->grid;
    lend_fields(job, arena, s->coefficient[0], (size_t)s->tiles.def.dimension, sizeof(float));
    const mn_arena_mark mark   = mn_arena_begin(arena);
    const mn_status     status = weigh_error(job, arena);
    mn_arena_end(arena, mark);
    mn_arena_take_back(arena);
    if (status == MN_OK) mn_liquid_level(job->q);
    return status;
}

/// psi of (E7). The solver works in the room of what has done its work: what the right-hand side was made of, the level
/// set once the coefficients are there, open parts of cells, and the marks of known faces.
static mn_status solve_shift(even_job *job, mn_arena *arena, mn_solve_report *report)
{
    mn_liquid         *q = job->q;
    mn_liquid_scratch *s = &q->grid;
    mn_liquid_coefficients(q);
    mn_liquid_room_close(q);
    s->density = s->level;
    s->level   = NULL;
    lend_fields(job, arena, job->expected, 4, sizeof(double));  // and behind it: open, density, room of the last shift
    lend_fields(job, arena, s->solid.kernel_open, 2, sizeof(float));
    s->solid.kernel_open = s->solid.volume_open = NULL;
    for (int a = 0; a < s->tiles.def.dimension; a++) lend_fields(job, arena, s->known[a], 1, 1);
    const mn_arena_mark mark   = mn_arena_begin(arena);
    mn_status           status = mn_liquid_hand_over(q, arena, s->wet, NULL);
    if (status == MN_OK)
        status = mn_multigrid_solve(q->multigrid, job->rhs, job->rhs, q->model.solver.density_tolerance,
                                    q->model.solver.pressure_iterations, report);
    mn_arena_end(arena, mark);
    mn_arena_take_back(arena);
    return status;
}

/// (E8): the shift on faces, beyond the liquid and into solids, and the particles moved by it.
static mn_status shift_particles(even_job *job, const mn_step *step)
{
    mn_liquid           *q    = job->q;
    mn_liquid_scratch   *s    = &q->grid;
    mn_liquid_particles *p    = mn_liquid_now(q);
    mn_pool             *pool = mn_context_pool(q->context);
    mn_parallel_for(pool, s->tiles.count, 4, shift_field_tiles, job);
    MN_TRY(mn_extrapolate_faces(q->context, step->arena, &s->tiles, MN_EXTRAPOLATE_AVERAGE, 4, job->shift, s->known));
    mn_liquid_room_lead(q, job->shift, false);
    const mn_solid *still = still_solids(step->arena, step->solids);
    if (still == NULL) return MN_ERR_MEMORY;
    const uint8_t *near;
    MN_TRY(mn_bins_reach(q->context, step->arena, &s->tiles, &s->bins, LINEAR_REACH, &near));
    mn_solid_mirror_faces(pool, &s->tiles, &s->solid, (mn_solids){ still, step->solids.count }, near, 0.0, s->known,
                          job->shift);
    mn_faces_shift_points(q->context, &s->tiles, &s->bins, (const double *const *)job->shift,
                          SHIFT_MAX * q->model.grid.cell, p->position);
    mn_liquid_take_apart(q);
    mn_liquid_push_out(q, step->solids);
    return MN_OK;
}

static mn_status even_out(even_job *job, const mn_step *step, mn_solve_report *report)
{
    mn_liquid         *q = job->q;
    mn_liquid_scratch *s = &q->grid;
    if (mn_solids_move(step->solids))  // they are elsewhere than when the fields of the step were made
        MN_TRY(mn_solid_fields_build(q->context, step->arena, &s->tiles, step->solids, q->solid_cache, &s->solid));
    MN_TRY(look_again(q, step->arena));
    borrow_room(job);
    MN_TRY(find_error(job, step->arena));
    MN_TRY(solve_shift(job, step->arena, report));
    lend_fields(job, step->arena, s->density, 1, sizeof(double));  // was the level set, and has done its work
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = shift_particles(job, step);
    mn_arena_end(step->arena, mark);
    mn_arena_take_back(step->arena);
    return status;
}

mn_status mn_liquid_even_out(mn_liquid *q, const mn_step *step, mn_solve_report *report)
{
    *report = (mn_solve_report){ .outcome = 1 };
    if (!mn_liquid_present(q) || q->model.solver.density_rate == 0.0) return MN_OK;
    even_job              job    = { .q = q, .share = share_of_step(q, step->dt) };
    const mn_solid_fields solid  = q->grid.solid;
    const int64_t         room   = q->grid.bins.capacity;
    const mn_arena_mark   mark   = mn_arena_begin(step->arena);
    const mn_status       status = even_out(&job, step, report);
    const bool            lent   = q->grid.solid.kernel_open == NULL && q->grid.solid.open[0] == solid.open[0];
    mn_arena_end(step->arena, mark);
    q->grid.solid = solid;
    if (lent) q->grid.solid.kernel_open = q->grid.solid.volume_open = NULL;
    if (q->grid.bins.capacity != room)
        q->grid.bins.order = NULL, q->grid.bins.capacity = 0;  // went with the mark: particles had been added
    return status;
}
