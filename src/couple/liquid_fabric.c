// SPDX-License-Identifier: MPL-2.0
// couple/liquid_fabric.c - fabric as a phase of the mixture: the laws of its pores at its vertices, how they lie, and
// its answers from the operator of its implicit step (wet-fabric 5.7, 5.9, 5.12).
#include "couple/liquid_fabric.h"

#include "base/pool.h"
#include "fabric/pins.h"

#define VERTICES_PER_BLOCK 512

// --- the room that it takes in cells ---

typedef struct room_job {
    const mn_fabric *q;
    double          *volume;
} room_job;

static void solid_volumes(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const room_job *job = context;
    for (int64_t v = begin; v < end; v++) job->volume[v] = job->q->fiber[v] + job->q->vertices.held[0][v];
}

/// The bins of the faces serve until the vertices move.
static mn_status bins_now(const mn_fabric *q, mn_arena *arena, mn_bins *out)
{
    int64_t lost = 0;
    *out         = q->step.stale ? (mn_bins){ 0 } : q->step.faces.bins;
    if (!q->step.stale) return MN_OK;
    return mn_bins_refresh(q->context, arena, &q->step.faces.tiles, (const double *const *)q->vertices.position,
                           q->vertices.count, out, &lost);
}

mn_status mn_fabric_takes_room(mn_fabric *q, mn_liquid *liquid, const mn_step *step)
{
    const mn_tiles *tiles = &q->step.faces.tiles;
    if (!mn_liquid_present(liquid) || !mn_fabric_present(q)) return MN_OK;
    if (!mn_liquid_is_near(liquid, tiles)) return MN_OK;
    double             *share = mn_arena_array(step->arena, double, (int64_t)tiles->count * tiles->cells);
    const mn_arena_mark mark  = mn_arena_begin(step->arena);
    mn_bins             bins;
    room_job            job = { .q = q, .volume = mn_arena_array(step->arena, double, q->vertices.count) };
    if (share == NULL || job.volume == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, MN_BLOCK, solid_volumes, &job);
    MN_TRY(bins_now(q, step->arena, &bins));
    const mn_room_points points = { .tiles    = tiles,
                                    .bins     = &bins,
                                    .position = (const double *const *)q->vertices.position,
                                    .volume   = job.volume };
    MN_TRY(mn_liquid_room_add(liquid, step->arena, &points, share));
    mn_arena_end(step->arena, mark);
    return MN_OK;
}

// --- how the vertices lie ---

typedef struct dyad_job {
    const mn_fabric *q;
    mn_vec3         *direction;  // per element: normal of a triangle, tangent of a segment
    double          *dyad;
} dyad_job;

static void direct_elements(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const dyad_job *job = context;
    const mn_vec3  *x   = job->q->step.x;
    for (int64_t k = begin; k < end; k++) {
        const mn_fabric_element *e = &job->q->elements[k];
        const mn_vec3            a = mn_sub3(x[e->vertex[1]], x[e->vertex[0]]);
        const mn_vec3            n = e->vertex[2] < 0 ? a : mn_cross3(a, mn_sub3(x[e->vertex[2]], x[e->vertex[0]]));
        job->direction[k]          = mn_unit3(n, mn_v3(0.0, 1.0, 0.0));
    }
}

/// Mean over the elements around a vertex, by their volume (times phi^lambda, the same for all of one material).
static void dyad_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const dyad_job  *job = context;
    const mn_fabric *q   = job->q;
    for (int64_t v = begin; v < end; v++) {
        double sum[6] = { 0.0 }, volume = 0.0;
        for (int64_t k = q->element_start[v]; k < q->element_start[v + 1]; k++) {
            const mn_vec3 n    = job->direction[q->element_of[k]];
            const double  w    = q->elements[q->element_of[k]].volume;
            const double  d[6] = { n.x * n.x, n.y * n.y, n.z * n.z, n.y * n.z, n.x * n.z, n.x * n.y };
            for (int c = 0; c < 6; c++) sum[c] += w * d[c];
            volume += w;
        }
        for (int c = 0; c < 6; c++) job->dyad[6 * v + c] = volume > 0.0 ? sum[c] / volume : 0.0;
    }
}

mn_status mn_fabric_dyads(const mn_fabric *q, mn_arena *arena, double **out)
{
    mn_pool *pool = mn_context_pool(q->context);
    dyad_job job  = { .q         = q,
                      .direction = mn_arena_array(arena, mn_vec3, q->element_count),
                      .dyad      = mn_arena_array(arena, double, 6 * q->vertices.count) };
    if (job.direction == NULL || job.dyad == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, q->element_count, MN_BLOCK, direct_elements, &job);
    mn_parallel_for(pool, q->vertices.count, VERTICES_PER_BLOCK, dyad_vertices, &job);
    *out = job.dyad;
    return MN_OK;
}

// --- what the vertices bring ---

/// Laws of the pores, for each piece that of its cloth and that of its yarn.
static mn_status find_laws(const mn_fabric *q, mn_arena *arena, const mn_pore_law **out)
{
    mn_pore_law *laws = mn_arena_array(arena, mn_pore_law, 2 * q->piece_count);
    if (laws == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < q->piece_count; k++) {
        laws[2 * k]     = mn_pore_law_of(&q->pieces[k].cloth, &q->model.liquid);
        laws[2 * k + 1] = mn_pore_law_of(&q->pieces[k].yarn, &q->model.liquid);
    }
    *out = laws;
    return MN_OK;
}

typedef struct vertex_job {
    const mn_fabric   *q;
    const mn_pore_law *laws;  // of the piece: cloth, yarn
    const double      *dyad;
    int64_t            first;
    double *solid, *bulk, *normal, *linear, *growth, *exponent, *published;  // 3 per vertex; the last two may be NULL
} vertex_job;

/// Drag of a sheet (s = 1), a yarn (0) or something between, along the directions of its dyad and across them, (E4.10).
typedef struct drag_pair {
    mn_pore_drag tangent, normal;
} drag_pair;

static mn_pore_drag blend(double share, mn_pore_drag a, mn_pore_drag b)
{
    return (mn_pore_drag){ share * a.linear + (1.0 - share) * b.linear, share * a.growth + (1.0 - share) * b.growth };
}

static drag_pair drag_of_vertex(const mn_pore_law laws[2], double sheet, double phi)
{
    const mn_pore_drag none  = { 0.0, 0.0 };
    const mn_pore_law *cloth = &laws[0], *yarn = &laws[1];
    const mn_pore_drag cloth_along  = sheet > 0.0 ? mn_pore_drag_along(cloth, phi) : none,
                       cloth_across = sheet > 0.0 ? mn_pore_drag_across(cloth, phi) : none;
    const mn_pore_drag yarn_along   = sheet < 1.0 ? mn_pore_drag_along(yarn, phi) : none,
                       yarn_across  = sheet < 1.0 ? mn_pore_drag_across(yarn, phi) : none;
    const drag_pair d               = { .tangent = blend(sheet, cloth_along, yarn_across),
                                        .normal  = blend(sheet, cloth_across, yarn_along) };
    return cloth->axes_published ? (drag_pair){ .tangent = d.normal, .normal = d.tangent } : d;
}

static void pack_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const vertex_job *job = context;
    const mn_fabric  *q   = job->q;
    for (int64_t v = job->first + begin; v < job->first + end; v++) {
        const double    bulk = q->volume[v] * q->vertices.swelling[0][v], solid = q->fiber[v] + q->vertices.held[0][v];
        const drag_pair d = drag_of_vertex(job->laws, (double)q->sheet[v], mn_fabric_fraction(q, v));
        for (int a = 0; a < 3; a++) {
            const double  n2 = job->dyad[6 * v + a];
            const int64_t k  = 3 * v + a;
            job->solid[k]    = solid;
            job->bulk[k]     = bulk;
            job->normal[k]   = bulk * n2;
            job->linear[k]   = bulk *
                             (d.tangent.linear + (d.normal.linear - d.tangent.linear) * n2);  // diagonal lumping (D16)
            job->growth[k] = bulk * (d.tangent.growth + (d.normal.growth - d.tangent.growth) * n2);
            if (job->exponent != NULL) job->exponent[k] = bulk * job->laws[0].exponent;
            if (job->published != NULL) job->published[k] = job->laws[0].darcy_published ? bulk : 0.0;
        }
    }
}

static void spread_vertices(const vertex_job *v, const mn_point_faces *f, const mn_phase_brings *out)
{
    const mn_fabric *q = v->q;
    mn_points_spread(q->context, f, v->solid, NULL, out->volume);
    mn_points_spread(q->context, f, v->bulk, NULL, out->bulk);
    mn_points_spread(q->context, f, v->normal, NULL, out->normal);
    mn_points_spread(q->context, f, v->linear, NULL, out->drag_linear);
    mn_points_spread(q->context, f, v->growth, NULL, out->drag_growth);
    if (v->exponent != NULL) mn_points_spread(q->context, f, v->exponent, NULL, out->exponent);
    if (v->published != NULL) mn_points_spread(q->context, f, v->published, NULL, out->published);
}

/// Spread what all vertices bring. `published` is only made if some fabric wants it.
static mn_status bring(void *matter, mn_arena *arena, mn_phase_brings *out)
{
    mn_fabric_phase      *x = matter;
    const mn_fabric      *q = x->q;
    const mn_point_faces *f = &q->step.faces;
    double               *dyad;
    bool                  mixed = false, published = false;
    MN_TRY(mn_fabric_dyads(q, arena, &dyad));
    MN_TRY(find_laws(q, arena, &x->laws));
    x->dyad = dyad;
    for (int64_t k = 0; k < q->piece_count; k++) {
        mixed     = mixed || x->laws[2 * k].exponent != x->laws[0].exponent;
        published = published || x->laws[2 * k].darcy_published;
    }
    if (published && (out->published = mn_point_faces_array(arena, f)) == NULL) return MN_ERR_MEMORY;
    const mn_arena_mark mark = mn_arena_begin(arena);
    const int64_t       n    = 3 * q->vertices.count;
    double             *room = mn_arena_array(arena, double, 7 * n);
    if (room == NULL) return MN_ERR_MEMORY;
    vertex_job v = { .q         = q,
                     .dyad      = dyad,
                     .solid     = room,
                     .bulk      = room + n,
                     .normal    = room + 2 * n,
                     .linear    = room + 3 * n,
                     .growth    = room + 4 * n,
                     .exponent  = mixed ? room + 5 * n : NULL,
                     .published = published ? room + 6 * n : NULL };
    for (int64_t k = 0; k < q->piece_count; k++) {
        v.laws  = x->laws + 2 * k;
        v.first = q->pieces[k].first_vertex;
        mn_parallel_for(mn_context_pool(q->context), q->pieces[k].mesh.vertex_count, VERTICES_PER_BLOCK, pack_vertices,
                        &v);
    }
    spread_vertices(&v, f, out);
    for (int32_t i = 0; !mixed && i < f->count; i++) out->exponent[i] = out->bulk[i] * x->laws[0].exponent;
    mn_arena_end(arena, mark);
    return MN_OK;
}

// --- the suction of its pores ---

typedef struct stress_job {
    const mn_fabric_phase *x;
    const mn_pore_law     *laws;  // of the piece: cloth, yarn
    int64_t                first;
    double *const         *part;
} stress_job;

/// P_c = p_t I + (p_n - p_t) n n^T, (E4.6), times bulk volume and 1 - S.
static void stress_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const stress_job *job = context;
    const mn_fabric  *q   = job->x->q;
    for (int64_t v = job->first + begin; v < job->first + end; v++) {
        const double sheet = (double)q->sheet[v], phi = mn_fabric_fraction(q, v),
                     bulk  = q->volume[v] * q->vertices.swelling[0][v];
        const double cloth = mn_pore_suction(&job->laws[0], phi), yarn = mn_pore_suction(&job->laws[1], phi);
        const double tangent = sheet * cloth + (1.0 - sheet) * 0.5 * yarn,
                     normal  = sheet * 0.5 * cloth + (1.0 - sheet) * yarn;
        const double dry     = bulk * (1.0 - mn_fabric_saturation(q, v));
        for (int c = 0; c < 6; c++)
            job->part[c][v] = dry * ((c < 3 ? tangent : 0.0) + (normal - tangent) * job->x->dyad[6 * v + c]);
        job->part[6][v] = bulk;
    }
}

static bool stress(void *matter, const mn_phase_stress *out)
{
    const mn_fabric_phase *x   = matter;
    const mn_fabric       *q   = x->q;
    bool                   any = false;
    for (int64_t k = 0; k < 2 * q->piece_count; k++) any = any || x->laws[k].meniscus > 0.0;
    if (!any || out == NULL) return any;
    stress_job job = { .x = x, .part = out->part };
    for (int64_t k = 0; k < q->piece_count; k++) {
        job.laws  = x->laws + 2 * k;
        job.first = q->pieces[k].first_vertex;
        mn_parallel_for(mn_context_pool(q->context), q->pieces[k].mesh.vertex_count, VERTICES_PER_BLOCK,
                        stress_vertices, &job);
    }
    return true;
}

// --- its answers in a solve ---

static mn_status begin(void *matter, const mn_step *step, const double *inertia, mn_settling *out)
{
    mn_fabric_phase *x = matter;
    x->step            = *step;
    MN_TRY(mn_fabric_pins_meet_liquid(x->q, step->arena, step->dt, x->mixture->liquid_mass));
    MN_TRY(mn_fabric_operator_prepare(x->q, step->arena, inertia, &x->op));
    MN_TRY(mn_fabric_find_touches(x->q, step, x->op.v, &x->touches));
    *out = (mn_settling){ .touches = &x->touches, .velocity = x->op.v };
    return MN_OK;
}

static void load(void *matter, double *to)
{
    mn_fabric_phase *x = matter;
    mn_fabric_operator_load(&x->op, &x->touches, x->step.dt, to);
}

static void multiply(void *matter, const double *from, double *to)
{
    mn_fabric_operator_multiply(&((mn_fabric_phase *)matter)->op, from, to);
}

static mn_status diagonal(void *matter, mn_arena *arena, double *out)
{
    return mn_fabric_operator_diagonal(&((mn_fabric_phase *)matter)->op, arena, out);
}

static bool foresee(void *matter, double *to)
{
    mn_fabric_phase *x = matter;
    return mn_fabric_operator_foresee(&x->op, x->step.dt, to);
}

static void collect(void *matter, const double *u) { mn_fabric_operator_collect(&((mn_fabric_phase *)matter)->op, u); }

static void keep_momentum(void *matter, const double *b, double *u)
{
    mn_fabric_operator_keep_momentum(&((mn_fabric_phase *)matter)->op, b, u);
}

static void solve(void *matter, const double *impulse, double *b, bool first, double ease, double *u,
                  mn_solve_report *report)
{
    mn_fabric_phase     *x      = matter;
    const mn_solver_def *solver = &x->q->model.solver;
    mn_fabric_operator_measure(&x->op, impulse, b);
    for (int32_t i = 0; i < x->op.faces->count; i++) b[i] += impulse[i];
    if (first) mn_fabric_operator_start(&x->op, x->step.dt, impulse, b, u);
    mn_fabric_operator_solve(&x->op, b, u, ease * solver->solid_tolerance, solver->solid_iterations, report);
    mn_fabric_operator_keep_momentum(&x->op, b, u);
}

static void settled(void *matter)
{
    mn_fabric_phase *x = matter;
    mn_fabric_keep_touches(x->q, &x->step, x->op.v, &x->touches);
}

static void keep(void *matter, const double *u)
{
    mn_fabric_phase *x = matter;
    mn_fabric_pins_bear_faces(x->q, u);
    mn_fabric_operator_keep_start(&x->op, &x->touches, x->step.dt, u);
}

mn_status mn_fabric_enters(mn_fabric *q, mn_mixture *m, const mn_step *step)
{
    static const mn_phase_answers answers = { .bring         = bring,
                                              .stress        = stress,
                                              .begin         = begin,
                                              .load          = load,
                                              .multiply      = multiply,
                                              .diagonal      = diagonal,
                                              .foresee       = foresee,
                                              .collect       = collect,
                                              .keep_momentum = keep_momentum,
                                              .solve         = solve,
                                              .settled       = settled,
                                              .keep          = keep };
    if (!mn_fabric_present(q)) return MN_OK;
    if (mn_fabric_may_be_wet(q)) MN_TRY(mn_fabric_pins_list_faces(q, step->arena));
    mn_fabric_phase *x = mn_arena_array_zero(step->arena, mn_fabric_phase, 1);
    if (x == NULL) return MN_ERR_MEMORY;
    x->q                 = q;
    x->mixture           = m;
    const mn_phase phase = { .answers        = &answers,
                             .matter         = x,
                             .faces          = &q->step.faces,
                             .mass           = q->step.mass,
                             .momentum       = q->step.momentum,
                             .velocity       = &q->step.velocity,
                             .points         = q->vertices.count,
                             .position       = (const double *const *)q->vertices.position,
                             .point_velocity = q->vertices.velocity,
                             .point_mass     = q->step.inertia,
                             .point_pressure = &q->step.pressure,
                             .given          = q->step.given };
    return mn_mixture_enter(m, q->context, &phase);
}
