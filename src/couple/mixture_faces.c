// SPDX-License-Identifier: MPL-2.0
// couple/mixture_faces.c - volumes, masses and drag of a liquid and the phases in it on the faces they share
// (mixture-solve 1, wet-fabric 5.7).
//
// The laws of a phase are evaluated at its points, where material, solid fraction and direction are those of one
// matter, and their products with the bulk volume are spread to the faces: a face gets the exact sum of what each part
// of the phase there does, and no rule is needed to mix materials.
#include "couple/mixture_drag.h"
#include "couple/mixture_private.h"

#include "base/pool.h"

#define SOLID_MOST 0.99   ///< phi_cap, share of an open face that the phases take at most
#define MASS_LEAST 1e-12  ///< epsilon_M, in masses of a cell of liquid

// --- where the faces are ---

typedef struct face_job {
    mn_mixture           *m;
    const mn_point_faces *f;
    double               *published[MN_MIXTURE_PHASES];  // of mn_phase_brings
    double               *u_f, *u_s;                     // cm/s, of the start of the step: values per face, a vector
    double                cell_volume, density, mass_least;
} face_job;

static void place_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const face_job *job = context;
    const mn_tiles *own = &job->f->tiles, *tiles = &job->m->liquid->grid.tiles;
    const int32_t   rows = own->cells / MN_TILE;
    for (int32_t t = (int32_t)begin; t < (int32_t)end; t++) {
        const int64_t there = t > 0 ? mn_tiles_find(tiles, own->coord[t]) : 0;
        for (int a = 0; a < 3; a++)
            for (int32_t r = 0; r < rows; r++) {
                int32_t        face = job->f->first[a][t * rows + r];
                const unsigned bits = job->f->bits[a][t * rows + r];
                for (int x = 0; x < MN_TILE; x++)
                    if (bits >> x & 1u) {
                        job->m->home[face]  = (int64_t)t * own->cells + r * MN_TILE + x;
                        job->m->place[face] = there > 0 ? there * tiles->cells + r * MN_TILE + x : 0;
                        face++;
                    }
            }
    }
}

/// 0 where there is no liquid, 1 beside one liquid cell, 2 between two, -1 where spray is all there is.
static int liquid_at(const face_job *job, int axis, int64_t place)
{
    const mn_liquid_scratch *s = &job->m->liquid->grid;
    if (place == 0 || s->solid.open[axis][place] == 0.0f) return 0;
    const int64_t low = mn_mixture_below(job->m, axis, place);
    const int     wet = s->wet[place] + s->wet[low];
    if (wet > 0) return wet;
    // Nearer to the surface the particles are not spray: they follow the faces of the liquid.
    if (fmin(s->level[place], s->level[low]) < MN_SPRAY_DISTANCE * job->m->liquid->model.grid.cell) return 0;
    return s->weight[axis][place] * job->density > job->mass_least ? -1 : 0;
}

static double any_liquid(int64_t begin, int64_t end, void *context)
{
    const face_job *job = context;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++)
        if (liquid_at(job, mn_mixture_axis(job->m, i), job->m->place[i]) != 0) return 1.0;
    return 0.0;
}

// --- the faces ---

/// Volumes of the phases, (mixture-solve 1): in the shares in which they take the room, no more in all than a face has.
static double cap_volumes(const face_job *job, int64_t i, double open)
{
    mn_mixture  *m     = job->m;
    const double taken = mn_mixture_sum(m, m->solid_volume, i),
                 solid = open * fmin(SOLID_MOST * job->cell_volume, taken);
    for (int k = 0; k < m->phases; k++) {
        double *volume = &m->solid_volume[k * m->stride + i];
        *volume        = taken > 0.0 ? *volume / taken * solid : 0.0;
    }
    return solid;
}

/// Means over each phase from what its points brought, and its velocity as it stands.
static void set_phases(const face_job *job, int64_t i)
{
    mn_mixture *m = job->m;
    for (int k = 0; k < m->phases; k++) {
        const int64_t at   = k * m->stride + i;
        const double  bulk = m->bulk[at];
        m->normal[at]      = bulk > 0.0 ? m->normal[at] / bulk : 0.0;
        m->exponent[at]    = bulk > 0.0 ? m->exponent[at] / bulk : 1.0;
    }
}

/// Whoever reads the drag multiplies by the square of the superficial factor; what is to be without it has it taken
/// out.
static void publish_drag(const face_job *job, int64_t i)
{
    mn_mixture *m = job->m;
    for (int k = 0; k < m->phases; k++) {
        const int64_t at = k * m->stride + i;
        if (job->published[k] == NULL || !(m->bulk[at] > 0.0)) continue;
        const double share = job->published[k][i] / m->bulk[at],
                     scale = 1.0 - share + share / (m->superficial[i] * m->superficial[i]);
        m->drag_linear[at] *= scale;
        m->drag_growth[at] *= scale;
    }
}

/// The rows of mixture-solve 1. A face that the liquid does not have keeps zeros: the phases are dry there.
static void set_face(const face_job *job, int64_t i)
{
    mn_mixture              *m     = job->m;
    const mn_liquid_scratch *s     = &m->liquid->grid;
    const int                a     = mn_mixture_axis(m, i);
    const int64_t            place = m->place[i];
    const double             open = place > 0 ? (double)s->solid.open[a][place] : 0.0, room = open * job->cell_volume;
    set_phases(job, i);
    m->superficial[i]  = 1.0;
    const double solid = cap_volumes(job, i, open);
    if (open == 0.0) return;
    m->superficial[i] = 1.0 - solid / room;
    publish_drag(job, i);
    const int liquid = liquid_at(job, a, place);
    if (liquid == 0) return;
    const double left = room - solid, weight = s->weight[a][place];
    if (liquid > 0) {
        // Full up to the surface: between two liquid cells, few particles are noise, not air.
        m->fill[i]          = liquid == 2 ? 1.0 : open / (double)s->coefficient[a][place];
        m->liquid_volume[i] = left;
        m->liquid_mass[i]   = m->fill[i] * job->density * left;
    } else {
        m->fill[i]        = fmin(1.0, weight / left);
        m->liquid_mass[i] = job->density * weight;
    }
    m->liquid_impulse[i] = m->liquid_mass[i] * s->velocity[a][place];
    job->u_f[i]          = s->velocity[a][place];
    for (int k = 0; k < m->phases; k++)
        job->u_s[k * m->stride + i] = m->phase[k].momentum[i] * mn_inverse_mass(m->phase[k].mass[i]);
}

static void set_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    for (int64_t i = begin; i < end; i++) set_face(context, i);
}

// --- all of it ---

static mn_status take_arrays(mn_mixture *m, mn_arena *arena)
{
    double **const values[]  = { &m->liquid_volume, &m->liquid_mass, &m->fill, &m->superficial, &m->liquid_impulse };
    double **const vectors[] = { &m->solid_volume, &m->bulk,     &m->normal, &m->drag_linear,
                                 &m->drag_growth,  &m->exponent, &m->drag,   &m->solid_suction };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        if ((*values[k] = mn_point_faces_array(arena, m->faces)) == NULL) return MN_ERR_MEMORY;
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = mn_mixture_vector(arena, m)) == NULL) return MN_ERR_MEMORY;
    return MN_OK;
}

static mn_status bring(face_job *job, mn_arena *arena)
{
    mn_mixture *m = job->m;
    for (int k = 0; k < m->phases; k++) {
        const int64_t   at  = k * m->stride;
        mn_phase_brings out = { .volume      = m->solid_volume + at,
                                .bulk        = m->bulk + at,
                                .normal      = m->normal + at,
                                .drag_linear = m->drag_linear + at,
                                .drag_growth = m->drag_growth + at,
                                .exponent    = m->exponent + at };
        MN_TRY(m->phase[k].answers->bring(m->phase[k].matter, arena, &out));
        job->published[k] = out.published;
    }
    return MN_OK;
}

static mn_status make_faces(face_job *job, mn_arena *arena)
{
    mn_mixture *m = job->m;
    MN_TRY(bring(job, arena));
    job->u_f = mn_point_faces_array(arena, m->faces);
    job->u_s = mn_mixture_vector(arena, m);
    if (job->u_f == NULL || job->u_s == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(m->liquid->context), m->count, MN_BLOCK, set_faces, job);
    MN_TRY(mn_mixture_drag_at(m, arena, job->u_f, job->u_s));
    return mn_mixture_suction(m, arena);
}

mn_status mn_mixture_faces(mn_mixture *m, mn_liquid *liquid, const mn_step *step)
{
    mn_pool *pool  = mn_context_pool(liquid->context);
    face_job job   = { .m           = m,
                       .f           = m->faces,
                       .cell_volume = mn_cell_volume(&liquid->model.grid),
                       .density     = liquid->model.material.density };
    job.mass_least = MASS_LEAST * job.density * job.cell_volume;
    m->liquid      = liquid;
    m->dt          = step->dt;
    m->meets       = false;
    m->room        = m->phases > 0 ? mn_liquid_room_of(liquid, &m->faces->tiles) : NULL;
    if (m->room == NULL || !mn_liquid_present(liquid)) return MN_OK;
    m->place = mn_arena_array_zero(step->arena, int64_t, m->count + 4);
    m->home  = mn_arena_array_zero(step->arena, int64_t, m->count + 4);
    if (m->place == NULL || m->home == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, m->faces->tiles.count, 4, place_tiles, &job);
    m->meets = mn_parallel_max(pool, m->count, any_liquid, &job) > 0.0;
    if (!m->meets) return MN_OK;

    MN_TRY(take_arrays(m, step->arena));
    mn_liquid_coefficients(liquid);
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = make_faces(&job, step->arena);
    mn_arena_end(step->arena, mark);
    return status;
}
