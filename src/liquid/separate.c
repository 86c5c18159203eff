// SPDX-License-Identifier: MPL-2.0
// liquid/separate.c - liquid lets go of walls where air can come in, liquid 5.4a.
//
// A wall can push liquid but not pull it, unless there is nothing to take the liquid's place: a plug in a full pipe
// follows the piston, a jet does not follow the widening outlet that it leaves. So of the liquid cells at walls those
// under tension that air can reach, along the wall and through others under tension, are let go: pressure 0, and what
// leaves the cell is what its neighbours take. For p and the net flow out of the cell f, which is then free,
//
//     p >= 0,   f >= 0,   p f = 0        in cells at walls that air can reach.
//
// The matrix is an M-matrix: where one p is raised to 0 all others rise. So with the pressure of walls that hold to
// start from, no further cell can come under tension, and the cells let go only become fewer: those into whose wall
// liquid would flow (f < 0) are held again, and the next solve starts from the pressure of the last.
#include "grid/rows.h"
#include "liquid/project.h"

/// Tension below which a wall holds on, as a part of the pressure below one cell of liquid at rest ...
#define LEAST_OF_CELL 0.3
/// ... and of the largest pressure at walls, so that it is asked for without gravity, too.
#define LEAST_OF_LARGEST 1e-3
/// Angle between the wall and where the liquid would go without pressure from which on it leaves.
#define LEAST_ANGLE 0.01
/// Solves after that of walls that hold. After the last of them nobody is held again.
#define MOST_SOLVES 4

/// Cells along the wall from those beside air that it reaches in a step.
#define LAYERS 1

enum { HELD = 0, LOOSE = 1, TENSE = 2 };  // of a cell, in `loose`

typedef struct separate_job {
    mn_projection *projection;
    double         least;   // cm/s
    int32_t       *counts;  // per tile: cells under tension
    double        *largest;
    int64_t       *cell;  // those cells
    int64_t        count;
    mn_arena_mark  mark;  // before the matrix at hand
    bool           again;
} separate_job;

static double pressure_of(const mn_liquid_scratch *s, int64_t cell)
{
    return s->pressure[cell] + (s->first_pressure != NULL ? s->first_pressure[cell] : 0.0);
}

/// Cells of a row that a solid covers in part, as bits.
static uint8_t cells_at_walls(const mn_liquid_scratch *s, const mn_row_places *row)
{
    uint8_t at = 0;
    for (int a = 0; a < s->tiles.def.dimension; a++) {
        float        room[MN_TILE];
        const float *low  = s->solid.open[a] + row->at;
        const float *high = mn_row_higher_floats(s->solid.open[a], row, a, room);
        for (int x = 0; x < MN_TILE; x++) at |= (uint8_t)((low[x] < 1.0f || high[x] < 1.0f) << x);
    }
    return at;
}

/// Whether the nearest wall may let go of liquid here. Not one that has no need to hold it, because what is there would
/// stay along it without any pressure: that the liquid is under tension is then the affair of another wall, as of a
/// piston that draws a plug along a pipe. And not one on which the layer that sticks to it fills the cell.
static bool may_let_go(const separate_job *job, int64_t cell)
{
    const mn_projection     *p    = job->projection;
    const mn_liquid_scratch *s    = &p->q->grid;
    const int32_t            tile = (int32_t)(cell / s->tiles.cells), in = (int32_t)(cell % s->tiles.cells);
    const mn_vec3            x = mn_cell_centre(&s->tiles, tile, in);
    mn_vec3                  n;
    int                      which;
    double                   u[3] = { 0.0, 0.0, 0.0 };
    (void)mn_solids_distance(p->all, x, &n, &which);
    if (which < 0) return false;
    const mn_solid *wall = &p->all.list[which];
    for (int a = 0; a < s->tiles.def.dimension; a++)
        u[a] = 0.5 * (s->velocity[a][cell] + s->velocity[a][mn_cell_next(&s->tiles, tile, in, a, 1)]);
    const mn_vec3 past  = mn_sub3(mn_v3_from(u), mn_solid_velocity(wall, x));
    const double  speed = mn_norm3(past);
    if (mn_dot3(past, n) <= LEAST_ANGLE * speed) return false;
    return !wall->no_slip || (wall->layer > 0.0 && speed * 0.5 * s->tiles.def.cell > wall->layer);
}

static void measure_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const separate_job      *job = context;
    const mn_liquid_scratch *s   = &job->projection->q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        job->largest[t] = 0.0;
        if (t == 0 || s->solid.touched[t] != 1) continue;
        for (int64_t i = (int64_t)t * s->tiles.cells; i < (int64_t)(t + 1) * s->tiles.cells; i++)
            if (s->wet[i]) job->largest[t] = fmax(job->largest[t], fabs(pressure_of(s, i)));
    }
}

static void find_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const separate_job      *job = context;
    const mn_liquid_scratch *s   = &job->projection->q->grid;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        job->counts[t] = 0;
        if (t == 0 || s->solid.touched[t] != 1) continue;
        for (int32_t r = 0; r < mn_rows_of(&s->tiles); r++) {
            const mn_row_places row   = mn_row_find(&s->tiles, t, r);
            uint8_t             tense = 0;
            for (int x = 0; x < MN_TILE; x++)
                tense |= (uint8_t)((s->wet[row.at + x] && pressure_of(s, row.at + x) < -job->least) << x);
            if (tense == 0) continue;
            tense &= cells_at_walls(s, &row);
            for (int x = 0; x < MN_TILE; x++)
                if (tense >> x & 1 && may_let_go(job, row.at + x)) s->loose[row.at + x] = TENSE, job->counts[t]++;
        }
    }
}

static mn_status find_tension(separate_job *job, mn_arena *arena)
{
    const mn_liquid         *q    = job->projection->q;
    const mn_liquid_scratch *s    = &q->grid;
    mn_pool                 *pool = mn_context_pool(q->context);
    job->counts                   = mn_arena_array(arena, int32_t, s->tiles.count);
    job->largest                  = mn_arena_array(arena, double, s->tiles.count);
    if (job->counts == NULL || job->largest == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, s->tiles.count, 4, measure_tiles, job);
    double largest = 0.0;
    for (int32_t t = 0; t < s->tiles.count; t++) largest = fmax(largest, job->largest[t]);
    job->least = fmax(LEAST_OF_CELL * job->projection->dt * mn_norm3(q->model.gravity), LEAST_OF_LARGEST * largest);
    mn_parallel_for(pool, s->tiles.count, 4, find_tiles, job);
    int64_t total = 0;
    for (int32_t t = 0; t < s->tiles.count; t++) total += job->counts[t];
    if (total == 0) return MN_OK;
    if ((job->cell = mn_arena_array(arena, int64_t, total)) == NULL) return MN_ERR_MEMORY;
    for (int32_t t = 0; t < s->tiles.count; t++)
        for (int64_t i = (int64_t)t * s->tiles.cells; job->counts[t] > 0 && i < (int64_t)(t + 1) * s->tiles.cells; i++)
            if (s->loose[i] == TENSE) job->cell[job->count++] = i;
    return MN_OK;
}

/// Whether air is beside a cell, behind an open face.
static bool air_beside(const mn_liquid_scratch *s, int64_t cell)
{
    const int32_t tile = (int32_t)(cell / s->tiles.cells), in = (int32_t)(cell % s->tiles.cells);
    for (int a = 0; a < s->tiles.def.dimension; a++) {
        const int64_t low = mn_cell_next(&s->tiles, tile, in, a, -1), high = mn_cell_next(&s->tiles, tile, in, a, 1);
        if (s->solid.open[a][cell] > 0.0f && !s->wet[low]) return true;
        if (s->solid.open[a][high] > 0.0f && !s->wet[high]) return true;
    }
    return false;
}

/// The place of the cell at -1 .. 1 along each axis.
static int64_t cell_at(const mn_tiles *t, int64_t cell, const int32_t step[3])
{
    for (int a = 0; a < t->def.dimension; a++)
        if (step[a] != 0) cell = mn_cell_next(t, (int32_t)(cell / t->cells), (int32_t)(cell % t->cells), a, step[a]);
    return cell;
}

/// From the air on, over corners too: around the edge of a plate the cells along its two sides meet in one only.
static mn_status let_air_in(separate_job *job, mn_arena *arena)
{
    const mn_liquid_scratch *s     = &job->projection->q->grid;
    const int                cubes = s->tiles.def.dimension == 3 ? 27 : 9;
    int64_t                 *way = mn_arena_array(arena, int64_t, job->count), ahead = 0, behind = 0;
    if (way == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < job->count; k++)
        if (air_beside(s, job->cell[k])) s->loose[job->cell[k]] = LOOSE, way[ahead++] = job->cell[k];
    for (int layer = 0; layer < LAYERS; layer++)
        for (const int64_t end = ahead; behind < end; behind++)
            for (int k = 0; k < cubes; k++) {
                const int32_t step[3] = { k % 3 - 1, k / 3 % 3 - 1, cubes == 27 ? k / 9 - 1 : 0 };
                const int64_t next    = cell_at(&s->tiles, way[behind], step);
                if (s->loose[next] == TENSE) s->loose[next] = LOOSE, way[ahead++] = next;
            }
    int64_t kept = 0;
    for (int64_t k = 0; k < job->count; k++) {
        if (s->loose[job->cell[k]] == LOOSE) job->cell[kept++] = job->cell[k];
        else s->loose[job->cell[k]] = HELD;
    }
    job->count = kept;
    return MN_OK;
}

/// b of the face on a side of a cell, and the cell beyond it.
static double across(const mn_liquid_scratch *s, int64_t cell, int axis, int side, int64_t *next)
{
    *next = mn_cell_next(&s->tiles, (int32_t)(cell / s->tiles.cells), (int32_t)(cell % s->tiles.cells), axis, side);
    return (double)s->coefficient[axis][side < 0 ? cell : *next];
}

/// What cells at a known pressure give the right-hand side of those beside them.
static void add_known(const separate_job *job, double sign)
{
    const mn_liquid_scratch *s = &job->projection->q->grid;
    if (s->first_pressure == NULL) return;
    for (int64_t k = 0; k < job->count; k++)
        for (int a = 0; a < s->tiles.def.dimension; a++)
            for (int side = -1; side <= 1; side += 2) {
                int64_t      next;
                const double b = across(s, job->cell[k], a, side, &next);
                if (b > 0.0 && s->wet[next] && !s->loose[next])
                    job->projection->rhs[next] -= sign * b * s->first_pressure[job->cell[k]];
            }
}

/// What leaves a cell besides what is asked for.
static double surplus(const separate_job *job, int64_t cell)
{
    const mn_liquid_scratch *s   = &job->projection->q->grid;
    double                   sum = -job->projection->rhs[cell];
    for (int a = 0; a < s->tiles.def.dimension; a++)
        for (int side = -1; side <= 1; side += 2) {
            int64_t      next;
            const double b = across(s, cell, a, side, &next);
            if (b > 0.0) sum += b * (s->pressure[cell] - (s->wet[next] ? s->pressure[next] : 0.0));
        }
    return sum;
}

typedef struct unknown_job {
    const mn_liquid_scratch *s;
    uint8_t                 *unknown;
} unknown_job;

static void unknown_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const unknown_job       *job = context;
    const mn_liquid_scratch *s   = job->s;
    for (int64_t i = begin * s->tiles.cells; i < end * s->tiles.cells; i++)
        job->unknown[i] = s->wet[i] && s->loose[i] != LOOSE;
}

/// The matrix without the rows of the cells let go.
static mn_status hand_over(mn_liquid *q, mn_arena *arena)
{
    const mn_liquid_scratch *s   = &q->grid;
    unknown_job              job = { s, mn_arena_array(arena, uint8_t, (int64_t)s->tiles.count * s->tiles.cells) };
    if (job.unknown == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), s->tiles.count, 4, unknown_tiles, &job);
    return mn_liquid_hand_over(q, arena, job.unknown, &s->terms);
}

static mn_status solve_again(separate_job *job, mn_arena *arena, mn_solve_report *report)
{
    mn_liquid         *q     = job->projection->q;
    mn_liquid_scratch *s     = &q->grid;
    const int          spent = report->iterations;
    if (job->again) mn_arena_end(arena, job->mark);  // the last matrix stays: terms ask it for their impulses
    job->again = true;
    job->mark  = mn_arena_begin(arena);
    add_known(job, 1.0);
    mn_status status = hand_over(q, arena);
    if (status == MN_OK)
        status = mn_multigrid_solve(q->multigrid, job->projection->rhs, s->pressure, q->model.solver.pressure_tolerance,
                                    q->model.solver.pressure_iterations, report);
    add_known(job, -1.0);
    report->iterations += spent;
    for (int64_t k = 0; k < job->count; k++)
        s->pressure[job->cell[k]] = s->first_pressure != NULL ? -s->first_pressure[job->cell[k]] : 0.0;
    return status;
}

/// Hold again those into whose wall liquid would flow; how many.
static int64_t hold_again(separate_job *job)
{
    const mn_liquid_scratch *s    = &job->projection->q->grid;
    int64_t                  kept = 0;
    for (int64_t k = 0; k < job->count; k++) {
        if (surplus(job, job->cell[k]) < 0.0) s->loose[job->cell[k]] = HELD;
        else job->cell[kept++] = job->cell[k];
    }
    const int64_t held = job->count - kept;
    job->count         = kept;
    return held;
}

mn_status mn_liquid_separate(mn_projection *projection, mn_arena *arena, mn_solve_report *report)
{
    separate_job job = { .projection = projection };
    MN_TRY(find_tension(&job, arena));
    if (job.count > 0) MN_TRY(let_air_in(&job, arena));
    int64_t held = job.count;
    for (int k = 0; k < MOST_SOLVES && held > 0 && report->outcome > 0; k++) {
        MN_TRY(solve_again(&job, arena, report));
        held = k + 1 < MOST_SOLVES ? hold_again(&job) : 0;
    }
    return MN_OK;
}

mn_status mn_liquid_may_separate(mn_liquid *q, mn_arena *arena)
{
    mn_liquid_scratch *s = &q->grid;
    s->loose             = mn_arena_array_zero(arena, uint8_t, (int64_t)s->tiles.count * s->tiles.cells);
    return s->loose != NULL ? MN_OK : MN_ERR_MEMORY;
}
