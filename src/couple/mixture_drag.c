// SPDX-License-Identifier: MPL-2.0
// couple/mixture_drag.c - drag of faces: c(s) = h (1 - phi)^2 C V_c fill open, C = linear + growth ((1 - phi)
// s)^exponent, s the full norm of u_f - u_s at the face: its own component, the other two averaged from the four faces
// around it.
#include "couple/mixture_drag.h"
#include "couple/mixture_private.h"

#include "base/pool.h"

/// Masses below this share of a full cell of liquid are none (wet-fabric E5.11).
#define MASS_SHARE   1e-12
#define NEWTON_STEPS 60

/// Both terms of c on one face, for the plain speed.
typedef struct face_law {
    double linear, growth, exponent, most;
} face_law;

/// Vectors, but for u_f and the impulse, which have one value a face.
typedef struct drag_job {
    const mn_mixture *m;
    double           *drag;
    const double     *u_f, *u_s, *inertia, *impulse;
    double           *slip;   ///< u_f - u_s
    uint8_t          *meets;  ///< both have mass at the face
    double           *speed;  ///< full norm
    double           *shift;
} drag_job;

static face_law law_of(const mn_mixture *m, int phase, int64_t i)
{
    const double open    = (double)m->liquid->grid.solid.open[mn_mixture_axis(m, i)][m->place[i]],
                 part    = m->superficial[i];
    const double  common = m->dt * part * part * m->fill[i] * open;
    const int64_t at     = phase * m->stride + i;
    return (face_law){ .linear   = common * m->drag_linear[at],
                       .growth   = common * m->drag_growth[at] * pow(part, m->exponent[at]),
                       .exponent = m->exponent[at],
                       .most     = MN_DRAG_MOST * fmax(m->phase[phase].mass[i], m->liquid_mass[i]) };
}

static double drag_of(const face_law *law, double speed)
{
    return law->linear + (law->growth > 0.0 ? law->growth * pow(speed, law->exponent) : 0.0);
}

double mn_drag_root(double wanted, double linear, double growth, double exponent)
{
    double s = wanted / (1.0 + linear);
    if (!(growth > 0.0) || !(s > 0.0)) return s;
    s = fmin(s, pow(wanted / growth, 1.0 / (1.0 + exponent)));
    // Convex and rising: from above Newton falls onto the root without passing it.
    for (int k = 0; k < NEWTON_STEPS; k++) {
        const double power = growth * pow(s, exponent), excess = s * (1.0 + linear + power) - wanted;
        const double next = s - excess / (1.0 + linear + (1.0 + exponent) * power);
        if (!(next < s)) break;
        const bool done = s - next <= 1e-14 * s;
        s               = next;
        if (done) break;
    }
    return s;
}

// --- relative speed ---

static void find_slip(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const drag_job   *job   = context;
    const mn_mixture *m     = job->m;
    const double      least = MASS_SHARE * m->liquid->model.material.density * mn_cell_volume(&m->liquid->model.grid);
    for (int k = 0; k < m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t at = k * m->stride + i;
            job->meets[at]   = m->place[i] > 0 && m->liquid_mass[i] > least && m->phase[k].mass[i] > least;
            job->slip[at]    = job->meets[at] ? job->u_f[i] - job->u_s[at] : 0.0;
            job->speed[at]   = fabs(job->slip[at]);
        }
}

/// Number of the face of an axis at a cell of a tile, coordinates from -1 to 8; -1: no phase sees it.
static int64_t face_at(const mn_point_faces *f, int axis, int32_t tile, const int32_t at[3])
{
    int beside = 13, hop = 1;
    for (int a = 0; a < 3; a++, hop *= 3) beside += (at[a] < 0 ? -1 : at[a] >= MN_TILE ? 1 : 0) * hop;
    const int32_t  home = f->tiles.neighbor[tile][beside], row = (at[2] & 7) * MN_TILE + (at[1] & 7), x = at[0] & 7;
    const unsigned bits = home > 0 ? f->bits[axis][(int64_t)home * MN_TILE * MN_TILE + row] : 0u;
    if (!(bits >> x & 1u)) return -1;
    return f->first[axis][(int64_t)home * MN_TILE * MN_TILE + row] + __builtin_popcount(bits & ((1u << x) - 1u));
}

/// Mean slip of another axis over those of the four faces around a face that have one. Of one phase.
static double mean_around(const drag_job *job, int axis, int other, int32_t tile, const int32_t at[3])
{
    const mn_point_faces *f     = job->m->faces;
    double                sum   = 0.0;
    int                   count = 0;
    for (int corner = 0; corner < 4; corner++) {
        int32_t place[3] = { at[0], at[1], at[2] };
        place[axis] -= corner & 1;
        place[other] += corner >> 1;
        const int64_t i = face_at(f, other, tile, place);
        if (i < 0 || !job->meets[i]) continue;
        sum += job->slip[i];
        count++;
    }
    return count > 0 ? sum / count : 0.0;
}

static void speed_tile(const drag_job *job, int32_t t, int a)
{
    const mn_point_faces *f = job->m->faces;
    for (int32_t row = 0; row < MN_TILE * MN_TILE; row++) {
        const unsigned bits = f->bits[a][(int64_t)t * MN_TILE * MN_TILE + row];
        int64_t        i    = f->first[a][(int64_t)t * MN_TILE * MN_TILE + row];
        for (int32_t x = 0; x < MN_TILE; x++) {
            if (!(bits >> x & 1u)) continue;
            const int32_t at[3] = { x, row % MN_TILE, row / MN_TILE };
            if (job->meets[i]) {
                const double b = mean_around(job, a, (a + 1) % 3, t, at), c = mean_around(job, a, (a + 2) % 3, t, at);
                job->speed[i] = sqrt(job->slip[i] * job->slip[i] + b * b + c * c);
            }
            i++;
        }
    }
}

static void speed_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const drag_job *job = context;
    for (int k = 0; k < job->m->phases; k++) {
        const int64_t at  = k * job->m->stride;
        drag_job      one = *job;
        one.slip += at, one.meets += at, one.speed += at;
        for (int32_t t = (int32_t)begin; t < (int32_t)end; t++)
            for (int a = 0; a < 3; a++) speed_tile(&one, t, a);
    }
}

static mn_status begin_job(const mn_mixture *m, mn_arena *arena, const double *u_f, const double *u_s, drag_job *job)
{
    mn_pool      *pool = mn_context_pool(m->liquid->context);
    const int64_t all  = m->phases * m->stride;
    *job               = (drag_job){ .m     = m,
                                     .drag  = m->drag,
                                     .u_f   = u_f,
                                     .u_s   = u_s,
                                     .slip  = mn_arena_array(arena, double, all),
                                     .meets = mn_arena_array(arena, uint8_t, all),
                                     .speed = mn_arena_array(arena, double, all) };
    if (job->slip == NULL || job->meets == NULL || job->speed == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, m->count, MN_BLOCK, find_slip, job);
    mn_parallel_for(pool, m->faces->tiles.count, 1, speed_tiles, job);
    return MN_OK;
}

static mn_status run_job(const mn_mixture *m, mn_arena *arena, drag_job extra, mn_range_fn *fn)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    drag_job            job;
    const mn_status     status = begin_job(m, arena, extra.u_f, extra.u_s, &job);
    job.inertia = extra.inertia, job.shift = extra.shift;
    if (status == MN_OK) mn_parallel_for(mn_context_pool(m->liquid->context), m->count, MN_BLOCK, fn, &job);
    mn_arena_end(arena, mark);
    return status;
}

// --- coefficients ---

/// How many times the drag on one phase the liquid at a face feels in all: 1 with one phase.
static double felt(const drag_job *job, int phase, int64_t i, double own)
{
    double all = own;
    for (int k = 0; k < job->m->phases; k++) {
        const int64_t at = k * job->m->stride + i;
        if (k == phase || !job->meets[at]) continue;
        const face_law law = law_of(job->m, k, i);
        all += drag_of(&law, job->speed[at]);
    }
    return own > 0.0 ? all / own : 1.0;
}

static double predicted(const drag_job *job, int phase, int64_t i)
{
    const mn_mixture *m      = job->m;
    const int64_t     at     = phase * m->stride + i;
    const face_law    law    = law_of(m, phase, i);
    const double      others = m->phases > 1 ? felt(job, phase, i, drag_of(&law, job->speed[at])) : 1.0;
    const double      answer = others / m->liquid_mass[i] + 1.0 / job->inertia[at];
    return fmin(law.most,
                drag_of(&law, mn_drag_root(job->speed[at], answer * law.linear, answer * law.growth, law.exponent)));
}

static void predict_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const drag_job *job = context;
    for (int k = 0; k < job->m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t at = k * job->m->stride + i;
            job->drag[at]    = job->meets[at] ? predicted(job, k, i) : 0.0;
        }
}

mn_status mn_mixture_drag_predict(mn_mixture *m, mn_arena *arena, const double *u_f, const double *u_s,
                                  const double *inertia)
{
    return run_job(m, arena, (drag_job){ .u_f = u_f, .u_s = u_s, .inertia = inertia }, predict_faces);
}

static void lag_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const drag_job *job = context;
    for (int k = 0; k < job->m->phases; k++)
        for (int64_t i = begin; i < end; i++) {
            const int64_t at = k * job->m->stride + i;
            job->drag[at]    = 0.0;
            if (!job->meets[at]) continue;
            const face_law law = law_of(job->m, k, i);
            job->drag[at]      = fmin(law.most, drag_of(&law, job->speed[at]));
        }
}

mn_status mn_mixture_drag_at(mn_mixture *m, mn_arena *arena, const double *u_f, const double *u_s)
{
    return run_job(m, arena, (drag_job){ .u_f = u_f, .u_s = u_s }, lag_faces);
}

static void linearise_face(const drag_job *job, int phase, int64_t i)
{
    const int64_t at = phase * job->m->stride + i;
    job->shift[at]   = 0.0;
    // Spray has no pressure to wait for: what was foreseen for it stands.
    if (!job->meets[at] || job->m->liquid_volume[i] == 0.0) return;
    const face_law law = law_of(job->m, phase, i);
    const double   s = job->speed[at], w = job->slip[at], c = fmin(law.most, drag_of(&law, s));
    // c + c' w_a^2 / s; a drag at its cap has no slope worth the name.
    const double more = s > 0.0 && c < law.most ? law.exponent * (c - law.linear) * (w / s) * (w / s) : 0.0;
    job->drag[at]     = fmin(law.most, c + more);
    job->shift[at]    = (job->drag[at] - c) * w;
}

static void linearise_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const drag_job *job = context;
    for (int k = 0; k < job->m->phases; k++)
        for (int64_t i = begin; i < end; i++) linearise_face(job, k, i);
}

mn_status mn_mixture_drag_linearise(mn_mixture *m, mn_arena *arena, const double *u_f, const double *u_s, double *shift)
{
    return run_job(m, arena, (drag_job){ .u_f = u_f, .u_s = u_s, .shift = shift }, linearise_faces);
}

// --- how far the law was met ---

/// What the law says that the liquid at a face gives to all phases.
static double law_impulse(const drag_job *job, int64_t i)
{
    double sum = 0.0;
    for (int k = 0; k < job->m->phases; k++) {
        const int64_t at = k * job->m->stride + i;
        if (!job->meets[at]) continue;
        const face_law law = law_of(job->m, k, i);
        sum += fmin(law.most, drag_of(&law, job->speed[at])) * job->slip[at];
    }
    return sum;
}

static double sum_of_law(int64_t begin, int64_t end, void *context)
{
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += fabs(law_impulse(context, i));
    return sum;
}

static bool any_meets(const drag_job *job, int64_t i)
{
    bool any = false;
    for (int k = 0; k < job->m->phases; k++) any = any || job->meets[k * job->m->stride + i];
    return any;
}

static double sum_of_error(int64_t begin, int64_t end, void *context)
{
    const drag_job *job = context;
    double          sum = 0.0;
    for (int64_t i = begin; i < end; i++)
        if (any_meets(job, i)) sum += fabs(job->impulse[i] - law_impulse(job, i));
    return sum;
}

mn_status mn_mixture_drag_mismatch(const mn_mixture *m, mn_arena *arena, const double *u_f, const double *u_s,
                                   const double *impulse, double *mismatch)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_pool            *pool = mn_context_pool(m->liquid->context);
    drag_job            job;
    const mn_status     status = begin_job(m, arena, u_f, u_s, &job);
    job.impulse                = impulse;
    *mismatch                  = 0.0;
    if (status == MN_OK) {
        const double law = mn_parallel_sum(pool, m->count, sum_of_law, &job);
        if (law > 0.0) *mismatch = mn_parallel_sum(pool, m->count, sum_of_error, &job) / law;
    }
    mn_arena_end(arena, mark);
    return status;
}
