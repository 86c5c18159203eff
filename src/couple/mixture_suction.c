// SPDX-License-Identifier: MPL-2.0
// couple/mixture_suction.c - the suction of a phase's pores as a stress on the grid (wet-fabric 5.7).
//
// Every point brings its bulk volume times its stress to the cells around it, so that a cell holds the mean over its
// volume of a stress that exists only inside the phase; where layers overlap to more than the cell, the mean over them.
// Its divergence pulls the liquid at a face from wet to dry, and the phase the other way.
#include "couple/mixture_private.h"

#include "base/pool.h"
#include "grid/transfer.h"

#define POINTS_PER_BLOCK 512

typedef struct suction_job {
    mn_mixture     *m;
    const mn_phase *phase;
    double         *impulse;  // on the phase
    const mn_tiles *tiles;
    double         *cell[7];  // of mn_phase_stress, over the volume of a cell
} suction_job;

static void limit_cells(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const suction_job *job = context;
    for (int64_t i = begin; i < end; i++)
        if (job->cell[6][i] > 1.0)
            for (int c = 0; c < 6; c++) job->cell[c][i] /= job->cell[6][i];
}

static int64_t next_to(const mn_tiles *t, int64_t at, int axis, int way)
{
    return mn_cell_next(t, (int32_t)(at / t->cells), (int32_t)(at % t->cells), axis, way);
}

/// Component a of the divergence at a face of axis a, dyn/cm^3.
static double divergence(const suction_job *job, int a, int64_t here)
{
    static const int place[3][3] = { { 0, 5, 4 }, { 5, 1, 3 }, { 4, 3, 2 } };
    const mn_tiles  *t           = job->tiles;
    const int64_t    low         = next_to(t, here, a, -1);
    double           sum         = job->cell[a][here] - job->cell[a][low];
    for (int b = 0; b < 3; b++) {
        if (b == a) continue;
        const double *s = job->cell[place[a][b]];
        sum += 0.25 * (s[next_to(t, here, b, 1)] + s[next_to(t, low, b, 1)] - s[next_to(t, here, b, -1)] -
                       s[next_to(t, low, b, -1)]);
    }
    return sum / t->def.cell;
}

static void pull_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const suction_job *job = context;
    mn_mixture        *m   = job->m;
    for (int64_t i = begin; i < end; i++) {
        if (m->liquid_volume[i] == 0.0 || !(job->phase->mass[i] > 0.0)) continue;
        // On the liquid that is there, theta V_f: the stress ends at the surface without a step that theta would
        // steepen.
        const double there = m->liquid_mass[i] / m->liquid->model.material.density;
        const double pull  = m->dt * there * divergence(job, mn_mixture_axis(m, i), m->home[i]);
        m->liquid_impulse[i] += pull;
        job->impulse[i] = -pull;
    }
}

// --- the reaction on the phase ---

/// The stress lives in cells and its divergence on faces where the phase may have next to no mass: a reaction there
/// would be a velocity without bound. Each face hands it to the points that give the face its mass, in proportion, and
/// they spread it as they spread theirs: W^T m W (J / M_s). The sum stays what it was.
typedef struct reaction_job {
    const suction_job *of;
    double            *over_mass, *point;
} reaction_job;

static void divide_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const reaction_job *job = context;
    for (int64_t i = begin; i < end; i++)
        job->over_mass[i] = job->of->impulse[i] * mn_inverse_mass(job->of->phase->mass[i]);
}

static void weigh_points(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const reaction_job *job = context;
    for (int64_t v = begin; v < end; v++)
        for (int a = 0; a < 3; a++) job->point[3 * v + a] *= job->of->phase->point_mass[v];
}

static mn_status hand_to_points(const suction_job *of, mn_arena *arena)
{
    const mn_phase *q   = of->phase;
    mn_context     *c   = of->m->liquid->context;
    reaction_job    job = { .of        = of,
                            .over_mass = mn_point_faces_array(arena, q->faces),
                            .point     = mn_arena_array(arena, double, 3 * q->points) };
    if (job.over_mass == NULL || job.point == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(c), of->m->count, MN_BLOCK, divide_faces, &job);
    mn_points_collect(c, q->faces, job.over_mass, job.point, NULL);
    mn_parallel_for(mn_context_pool(c), q->points, POINTS_PER_BLOCK, weigh_points, &job);
    mn_points_spread(c, q->faces, job.point, NULL, of->impulse);
    return MN_OK;
}

static mn_status suction_of(suction_job *job, mn_arena *arena)
{
    const mn_phase       *q = job->phase;
    const mn_point_faces *f = q->faces;
    mn_context           *c = job->m->liquid->context;
    const int64_t         n = (int64_t)f->tiles.count * f->tiles.cells;
    mn_phase_stress       stress;
    if (!q->answers->stress(q->matter, NULL)) return MN_OK;
    for (int k = 0; k < 7; k++) {
        stress.part[k] = mn_arena_array(arena, double, q->points);
        job->cell[k]   = mn_arena_array(arena, double, n);
        if (stress.part[k] == NULL || job->cell[k] == NULL) return MN_ERR_MEMORY;
    }
    q->answers->stress(q->matter, &stress);
    job->tiles = &f->tiles;
    for (int k = 0; k < 7; k++)
        MN_TRY(mn_particles_to_cells(c, arena, &f->tiles, &f->bins, q->position, stress.part[k], job->cell[k]));
    mn_parallel_for(mn_context_pool(c), n, MN_BLOCK, limit_cells, job);
    mn_parallel_for(mn_context_pool(c), job->m->count, MN_BLOCK, pull_faces, job);
    return hand_to_points(job, arena);
}

mn_status mn_mixture_suction(mn_mixture *m, mn_arena *arena)
{
    for (int k = 0; k < m->phases; k++) {
        const mn_arena_mark mark = mn_arena_begin(arena);
        suction_job         job  = { .m = m, .phase = &m->phase[k], .impulse = m->solid_suction + k * m->stride };
        if (job.phase->answers->stress != NULL) MN_TRY(suction_of(&job, arena));
        mn_arena_end(arena, mark);
    }
    return MN_OK;
}
