// SPDX-License-Identifier: MPL-2.0
// couple/mixture_suction.c - the suction of pores as a stress on the grid (wet-fabric 5.7).
//
// Every vertex brings its bulk volume times (1 - S) P_c to the cells around it, so that a cell holds the mean over its
// volume of a stress that exists only inside fabric; where layers overlap to more than the cell, the mean over them.
// Its divergence pulls the liquid at a face from wet to dry, and the fabric the other way.
#include "couple/mixture_private.h"

#include "base/pool.h"
#include "grid/transfer.h"

#define VERTICES_PER_BLOCK 512

typedef struct suction_job {
    mn_mixture        *m;
    const mn_tiles    *tiles;
    const mn_pore_law *laws;  // of the piece: cloth, yarn
    const double      *dyad;
    int64_t            first;
    double            *vertex[7];  // volume times stress (xx, yy, zz, yz, xz, xy) and volume
    double            *cell[7];    // the same over the volume of a cell
} suction_job;

static bool any_suction(const mn_fabric *q, const mn_pore_law *laws)
{
    bool any = false;
    for (int64_t k = 0; k < 2 * q->piece_count; k++) any = any || laws[k].meniscus > 0.0;
    return any;
}

/// P_c = p_t I + (p_n - p_t) n n^T, (E4.6).
static void pack_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const suction_job *job = context;
    const mn_fabric   *q   = job->m->fabric;
    for (int64_t v = job->first + begin; v < job->first + end; v++) {
        const double sheet = (double)q->sheet[v], phi = mn_fabric_fraction(q, v),
                     bulk  = q->volume[v] * q->vertices.swelling[0][v];
        const double cloth = mn_pore_suction(&job->laws[0], phi), yarn = mn_pore_suction(&job->laws[1], phi);
        const double tangent = sheet * cloth + (1.0 - sheet) * 0.5 * yarn,
                     normal  = sheet * 0.5 * cloth + (1.0 - sheet) * yarn;
        const double dry     = bulk * (1.0 - mn_fabric_saturation(q, v));
        for (int c = 0; c < 6; c++)
            job->vertex[c][v] = dry * ((c < 3 ? tangent : 0.0) + (normal - tangent) * job->dyad[6 * v + c]);
        job->vertex[6][v] = bulk;
    }
}

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
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        if (m->liquid_volume[i] == 0.0 || !(m->fabric->step.mass[i] > 0.0)) continue;
        // On the liquid that is there, theta V_f: the stress ends at the surface without a step that theta would
        // steepen.
        const double there = m->liquid_mass[i] / m->liquid->model.material.density;
        const double pull  = m->dt * there * divergence(job, mn_mixture_axis(m, i), m->home[i]);
        m->liquid_impulse[i] += pull;
        m->solid_suction[i] = -pull;
    }
}

// --- the reaction on the fabric
// ---------------------------------------------------------------------------------------------

/// The stress lives in cells and its divergence on faces where the fabric may have next to no mass: a reaction there
/// would be a velocity without bound. Each face hands it to the vertices that give the face its mass, in proportion,
/// and they spread it as they spread theirs: W^T m W (J / M_s). The sum stays what it was.
typedef struct reaction_job {
    mn_mixture *m;
    double     *over_mass, *vertex;
} reaction_job;

static void divide_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const reaction_job *job = context;
    for (int64_t i = begin; i < end; i++)
        job->over_mass[i] = job->m->solid_suction[i] * mn_inverse_mass(job->m->fabric->step.mass[i]);
}

static void weigh_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const reaction_job *job = context;
    for (int64_t v = begin; v < end; v++)
        for (int a = 0; a < 3; a++) job->vertex[3 * v + a] *= job->m->fabric->step.inertia[v];
}

static mn_status hand_to_vertices(mn_mixture *m, mn_arena *arena)
{
    mn_fabric   *q    = m->fabric;
    mn_pool     *pool = mn_context_pool(q->context);
    reaction_job job  = { .m         = m,
                          .over_mass = mn_point_faces_array(arena, &q->step.faces),
                          .vertex    = mn_arena_array(arena, double, 3 * q->vertices.count) };
    if (job.over_mass == NULL || job.vertex == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, m->count, MN_BLOCK, divide_faces, &job);
    mn_points_collect(q->context, &q->step.faces, job.over_mass, job.vertex, NULL);
    mn_parallel_for(pool, q->vertices.count, VERTICES_PER_BLOCK, weigh_vertices, &job);
    mn_points_spread(q->context, &q->step.faces, job.vertex, NULL, m->solid_suction);
    return MN_OK;
}

mn_status mn_mixture_suction(mn_mixture *m, mn_arena *arena, const double *dyad, const mn_pore_law *laws)
{
    mn_fabric            *q    = m->fabric;
    const mn_point_faces *f    = &q->step.faces;
    mn_pool              *pool = mn_context_pool(q->context);
    const int64_t         n    = (int64_t)f->tiles.count * f->tiles.cells;
    if (!any_suction(q, laws)) return MN_OK;
    suction_job job = { .m = m, .tiles = &f->tiles, .dyad = dyad };
    for (int c = 0; c < 7; c++) {
        job.vertex[c] = mn_arena_array(arena, double, q->vertices.count);
        job.cell[c]   = mn_arena_array(arena, double, n);
        if (job.vertex[c] == NULL || job.cell[c] == NULL) return MN_ERR_MEMORY;
    }
    for (int64_t k = 0; k < q->piece_count; k++) {
        job.laws  = laws + 2 * k;
        job.first = q->pieces[k].first_vertex;
        mn_parallel_for(pool, q->pieces[k].mesh.vertex_count, VERTICES_PER_BLOCK, pack_vertices, &job);
    }
    for (int c = 0; c < 7; c++)
        MN_TRY(mn_particles_to_cells(q->context, arena, &f->tiles, &f->bins,
                                     (const double *const *)q->vertices.position, job.vertex[c], job.cell[c]));
    mn_parallel_for(pool, n, MN_BLOCK, limit_cells, &job);
    mn_parallel_for(pool, m->count, MN_BLOCK, pull_faces, &job);
    return hand_to_vertices(m, arena);
}
