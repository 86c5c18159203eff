// SPDX-License-Identifier: MPL-2.0
// liquid/resample.c - particles are split where liquid is sampled too thinly, and joined where small ones crowd.
// liquid 5.9
//
// In a whole liquid the volume of a particle never changes and the density correction keeps them even, so there is
// nothing to do. Particles become too large by a source or an exchange, and too few in a thread that stretches below a
// cell across (thin.c); small ones are left over when such a thread joins a pool, drip from fabric and are thinned by
// it. Those that touch another join outside whole liquid as well, unless the liquid holds threads, whose particles are
// small on purpose. A small one alone stays as it is.
//
// A particle stands for V, V u and the affine momentum V u x^T + V D C, D = cell^2 / 4 (what (E1) gives the faces).
// Both ways keep all three, and so linear and angular momentum: halves lie at x +- d with the parent's u and C, which
// keeps the kinetic energy as well; a pair joins with C = sum V_i [C_i + (u_i - u) (x_i - x)^T / D] / V. Halves that
// meet again make their parent.
#include "liquid/resample.h"

#include "base/ids.h"
#include <math.h>

/// Volumes, in reference volumes: from where a particle is split, below what a thin cell splits none, up to where it is
/// small, and what a joined one may have.
#define SPLIT_FROM  2.0
#define SPLIT_LEAST 0.2
#define SMALL       0.5000001
#define JOIN_MOST   1.5
/// A cell of thin liquid is given at least this many particles.
#define THIN_COUNT 4
/// Density from which liquid is whole enough for particles to be joined.
#define JOIN_DENSITY 0.8
/// Half the distance between halves, in cells.
#define HALF_STEP 0.2

// ---- the two changes -----------------------------------------------------------------------------------------------

static mn_vec3 position_of(const mn_liquid_particles *p, int64_t i)
{
    return mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]);
}

/// A direction made longer by the rate of strain of C, many times over: that in which the liquid is stretched most.
static mn_vec3 stretch_direction(const mn_liquid_particles *p, int64_t i, int dimension)
{
    double s[3][3], norm = 1e-300;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            s[a][b] = a < dimension && b < dimension ? 0.5 * (p->affine[3 * a + b][i] + p->affine[3 * b + a][i]) : 0.0;
            norm += fabs(s[a][b]);
        }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) s[a][b] /= norm;
    double v[3] = { 0.48, 0.62, dimension == 3 ? 0.62 : 0.0 };
    for (int round = 0; round < 40; round++) {
        double w[3], length = 0.0;
        for (int a = 0; a < 3; a++) {
            w[a] = v[a];  // 1 + S: the largest eigenvalue, with its sign, wins
            for (int b = 0; b < 3; b++) w[a] += s[a][b] * v[b];
            length += w[a] * w[a];
        }
        if (!(length > 0.0)) break;
        for (int a = 0; a < 3; a++) v[a] = w[a] / sqrt(length);
    }
    return mn_v3(v[0], v[1], v[2]);
}

void mn_liquid_split(mn_liquid_particles *p, int64_t i, int64_t fresh, mn_vec3 d, int64_t id)
{
    mn_fields_copy_item(mn_liquid_table_of(p), p, fresh, i);
    const double half   = 0.5 * p->volume[0][i];
    p->volume[0][fresh] = half;
    p->volume[0][i]     = half;  // halves of a double are exact
    for (int k = 0; k < p->pigments; k++) p->pigment[k][fresh] = p->pigment[k][i] = 0.5 * p->pigment[k][i];
    for (int a = 0; a < 3; a++) {
        p->position[a][i] -= mn_get3(d, a);
        p->position[a][fresh] += mn_get3(d, a);
    }
    p->id[0][fresh] = id;
}

void mn_liquid_join(mn_liquid_particles *p, int64_t i, int64_t j, double cell)
{
    const double vi = p->volume[0][i], vj = p->volume[0][j], v = vi + vj, share = vj / v,
                 moment = 4.0 * share * (1.0 - share) / (cell * cell);
    double dx[3], du[3];
    for (int a = 0; a < 3; a++)
        dx[a] = p->position[a][j] - p->position[a][i], du[a] = p->velocity[a][j] - p->velocity[a][i];
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            double *c = p->affine[3 * a + b];
            c[i] += share * (c[j] - c[i]) + moment * du[a] * dx[b];
        }
        p->position[a][i] += share * dx[a];
        p->velocity[a][i] += share * du[a];
    }
    p->volume[0][i] = v;
    for (int k = 0; k < p->pigments; k++) p->pigment[k][i] += p->pigment[k][j];
}

// ---- where ---------------------------------------------------------------------------------------------------------

typedef struct resample_job {
    mn_liquid *q;
    int64_t   *splits, *joins;  // per tile
    int32_t   *pair;            // per particle: -1, itself: to be split, another: joins into it
} resample_job;

/// 1 if some particle is so large or so small that it calls for work, else 0.
static double call_of_block(int64_t begin, int64_t end, void *context)
{
    const mn_liquid *q    = context;
    const double    *v    = q->particles[q->current].volume[0];
    const double     most = SPLIT_FROM * q->model.reference_volume, least = SMALL * q->model.reference_volume;
    bool             any = false;
    for (int64_t i = begin; i < end; i++) any |= v[i] > most || v[i] < least;
    return any ? 1.0 : 0.0;
}

static double distance2(const mn_liquid_particles *p, int64_t i, int64_t j)
{
    const mn_vec3 d = mn_sub3(position_of(p, i), position_of(p, j));
    return mn_dot3(d, d);
}

/// Square of the distance up to which a drop as large as the larger of two takes in the other: 2 r (wet-fabric 5.17).
static double touching2(double volume_i, double volume_j)
{
    const double r = cbrt(0.75 / MN_PI * fmax(volume_i, volume_j));
    return 4.0 * r * r;
}

/// Small particles of a cell, each with the nearest free one that has room; in the open only with one that it touches.
static int64_t join_in_cell(const resample_job *job, int64_t cell, bool open)
{
    const mn_liquid           *q      = job->q;
    const mn_liquid_particles *p      = &q->particles[q->current];
    const mn_bins             *b      = &q->grid.bins;
    const double               r      = q->model.reference_volume;
    int64_t                    joined = 0;
    for (int32_t k = b->start[cell]; k < b->start[cell + 1]; k++) {
        const int32_t i = b->order[k];
        if (p->volume[0][i] > SMALL * r || job->pair[i] != -1) continue;
        int32_t best    = -1;
        double  nearest = 0.0;
        for (int32_t n = b->start[cell]; n < b->start[cell + 1]; n++) {
            const int32_t j = b->order[n];
            if (j == i || job->pair[j] != -1 || p->volume[0][i] + p->volume[0][j] > JOIN_MOST * r) continue;
            const double d = distance2(p, i, j);
            if (open && d > touching2(p->volume[0][i], p->volume[0][j])) continue;
            if (best == -1 || d < nearest) best = j, nearest = d;
        }
        if (best == -1) continue;
        job->pair[i]    = best;
        job->pair[best] = -2;  // taken: it receives
        joined++;
    }
    return joined;
}

/// The largest particle of a thin cell with too few, and every one that is too large.
static int64_t split_in_cell(const resample_job *job, int64_t cell)
{
    const mn_liquid           *q     = job->q;
    const mn_liquid_scratch   *s     = &q->grid;
    const mn_liquid_particles *p     = &q->particles[q->current];
    const double               r     = q->model.reference_volume;
    const int32_t              begin = s->bins.start[cell], end = s->bins.start[cell + 1];
    int32_t                    largest = s->bins.order[begin];
    int64_t                    split   = 0;
    for (int32_t k = begin; k < end; k++) {
        const int32_t i = s->bins.order[k];
        if (p->volume[0][i] > p->volume[0][largest]) largest = i;
        if (p->volume[0][i] > SPLIT_FROM * r) job->pair[i] = i, split++;
    }
    const bool few = s->thin != NULL && s->thin[cell] && s->wet[cell] && end - begin < THIN_COUNT;
    if (few && job->pair[largest] == -1 && p->volume[0][largest] > SPLIT_LEAST * r)
        job->pair[largest] = largest, split++;
    return split;
}

static void choose_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const resample_job      *job   = context;
    const mn_liquid_scratch *s     = &job->q->grid;
    const bool               drops = s->thin == NULL && s->tiles.def.dimension == 3;
    for (int64_t t = begin; t < end; t++) {
        job->splits[t] = job->joins[t] = 0;
        for (int64_t c = t * s->tiles.cells; c < (t + 1) * s->tiles.cells; c++) {
            if (s->bins.start[c] == s->bins.start[c + 1]) continue;
            job->splits[t] += split_in_cell(job, c);
            const bool whole = s->density[c] >= JOIN_DENSITY;
            if (whole || drops) job->joins[t] += join_in_cell(job, c, !whole);
        }
    }
}

// ---- doing it ------------------------------------------------------------------------------------------------------

/// How far apart the halves may go: along the stretch, outside solids, else not at all.
static bool room_for_halves(const mn_liquid *q, mn_solids solids, int64_t i, mn_vec3 *d)
{
    const mn_liquid_particles *p   = &q->particles[q->current];
    const double               off = MN_LIQUID_STAND_OFF * q->model.grid.cell;
    const mn_vec3              x   = position_of(p, i);
    *d = mn_scale3(HALF_STEP * q->model.grid.cell, stretch_direction(p, i, q->model.grid.dimension));
    for (int halving = 0; halving < 3; halving++, *d = mn_scale3(0.5, *d))
        if (mn_solids_distance(solids, mn_add3(x, *d), NULL, NULL) >= off &&
            mn_solids_distance(solids, mn_sub3(x, *d), NULL, NULL) >= off)
            return true;
    return false;
}

/// Joins and splits in the order of the particles; what was joined into another is then taken out.
static void carry_out(const resample_job *job, mn_solids solids, int64_t *next_id, mn_resample_report *report)
{
    mn_liquid_particles *p      = mn_liquid_now(job->q);
    const int64_t        before = p->count;
    for (int64_t i = 0; i < before; i++) {
        mn_vec3 d;
        if (job->pair[i] >= 0 && job->pair[i] != i) {
            mn_liquid_join(p, job->pair[i], i, job->q->model.grid.cell);
            report->joins++;
        } else if (job->pair[i] == i && room_for_halves(job->q, solids, i, &d)) {
            mn_liquid_split(p, i, p->count++, d, mn_new_id(next_id));
            report->splits++;
        }
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < p->count && report->joins > 0; i++) {
        if (i < before && job->pair[i] >= 0 && job->pair[i] != i) continue;
        if (kept != i) mn_fields_copy_item(mn_liquid_table_of(p), p, kept, i);
        kept++;
    }
    if (report->joins > 0) p->count = kept;
}

static mn_status resample(mn_liquid *q, const mn_step *step, int64_t *next_id, mn_resample_report *report)
{
    mn_liquid_scratch   *s    = &q->grid;
    mn_liquid_particles *p    = mn_liquid_now(q);
    int64_t              lost = 0, splits = 0;
    // Open parts are those of the begin of the step, and the density correction may have used their room.
    if (s->solid.kernel_open == NULL || mn_solids_move(step->solids))
        MN_TRY(mn_solid_fields_build(q->context, step->arena, &s->tiles, step->solids, q->solid_cache, &s->solid));
    mn_liquid_lend_faces(q, step->arena);
    MN_TRY(mn_bins_refresh(q->context, step->arena, &s->tiles, (const double *const *)p->position, p->count, &s->bins,
                           &lost));
    MN_TRY(mn_liquid_surface(q, step->arena));
    resample_job job = { .q      = q,
                         .splits = mn_arena_array(step->arena, int64_t, s->tiles.count),
                         .joins  = mn_arena_array(step->arena, int64_t, s->tiles.count),
                         .pair   = mn_arena_array(step->arena, int32_t, p->count) };
    if (job.splits == NULL || job.joins == NULL || job.pair == NULL) return MN_ERR_MEMORY;
    for (int64_t i = 0; i < p->count; i++) job.pair[i] = -1;
    mn_parallel_for(mn_context_pool(q->context), s->tiles.count, 4, choose_tiles, &job);
    for (int32_t t = 0; t < s->tiles.count; t++) splits += job.splits[t];
    MN_TRY(mn_liquid_reserve(q, splits));
    carry_out(&job, step->solids, next_id, report);
    return MN_OK;
}

mn_status mn_liquid_resample(mn_liquid *q, const mn_step *step, int64_t *next_id, mn_resample_report *report)
{
    *report = (mn_resample_report){ 0, 0 };
    if (!mn_liquid_present(q)) return MN_OK;
    const bool called = mn_parallel_max(mn_context_pool(q->context), mn_liquid_now(q)->count, call_of_block, q) > 0.0;
    if (!called && q->grid.thin == NULL) return MN_OK;
    const mn_arena_mark   mark   = mn_arena_begin(step->arena);
    const mn_solid_fields solid  = q->grid.solid;
    const mn_status       status = resample(q, step, next_id, report);
    q->grid.solid                = solid;
    mn_arena_end(step->arena, mark);
    mn_arena_take_back(step->arena);
    return status;
}
