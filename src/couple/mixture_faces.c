// SPDX-License-Identifier: MPL-2.0
// couple/mixture_faces.c - volumes, masses and drag of liquid and fabric on the faces they share (mixture-solve 1,
// wet-fabric 5.7).
//
// The laws of the pores are evaluated at the vertices, where material, solid fraction and direction are those of one
// fabric, and their products with the bulk volume are spread to the faces: a face gets the exact sum of what each part
// of the fabric there does, and no rule is needed to mix materials.
#include "couple/mixture_drag.h"
#include "couple/mixture_private.h"

#include "base/pool.h"
#include "grid/transfer.h"

#define VERTICES_PER_BLOCK 512
#define SOLID_MOST         0.99   ///< phi_cap, share of an open face that fabric takes at most
#define MASS_LEAST         1e-12  ///< epsilon_M, in masses of a cell of liquid

// --- the room that fabric takes in cells
// ----------------------------------------------------------------------------------

typedef struct room_job {
    const mn_fabric           *q;
    const mn_liquid_particles *p;
    double                    *volume;
    double                     low[3], high[3];
} room_job;

static void solid_volumes(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const room_job *job = context;
    for (int64_t v = begin; v < end; v++) job->volume[v] = job->q->fiber[v] + job->q->vertices.held[0][v];
}

static double any_inside(int64_t begin, int64_t end, void *context)
{
    const room_job *job = context;
    for (int64_t i = begin; i < end; i++) {
        bool inside = true;
        for (int a = 0; a < 3; a++)
            inside = inside && job->p->position[a][i] > job->low[a] && job->p->position[a][i] < job->high[a];
        if (inside) return 1.0;
    }
    return 0.0;
}

/// Whether any particle lies in the box of the tiles that fabric has.
static bool near_liquid(mn_liquid *liquid, room_job *job)
{
    const mn_tiles *t      = &job->q->step.faces.tiles;
    const double    size   = MN_TILE * t->def.cell;
    const int32_t   low[3] = { t->low.x, t->low.y, t->low.z }, extent[3] = { t->size.x, t->size.y, t->size.z };
    for (int a = 0; a < 3; a++) {
        job->low[a]  = mn_get3(t->def.origin, a) + size * low[a];
        job->high[a] = job->low[a] + size * extent[a];
    }
    job->p = mn_liquid_now(liquid);
    return mn_parallel_max(mn_context_pool(liquid->context), job->p->count, any_inside, job) > 0.0;
}

mn_status mn_mixture_room(mn_liquid *liquid, mn_fabric *q, const mn_step *step)
{
    const mn_point_faces *f   = &q->step.faces;
    room_job              job = { .q = q };
    liquid->guest.tiles       = NULL;
    liquid->guest.share       = NULL;
    if (!near_liquid(liquid, &job)) return MN_OK;
    double             *share = mn_arena_array(step->arena, double, (int64_t)f->tiles.count * f->tiles.cells);
    const mn_arena_mark mark  = mn_arena_begin(step->arena);
    mn_bins             bins  = { 0 };
    int64_t             lost  = 0;
    job.volume                = mn_arena_array(step->arena, double, q->vertices.count);
    if (share == NULL || job.volume == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, MN_BLOCK, solid_volumes, &job);
    MN_TRY(mn_bins_refresh(q->context, step->arena, &f->tiles, (const double *const *)q->vertices.position,
                           q->vertices.count, &bins, &lost));
    MN_TRY(mn_particles_to_cells(q->context, step->arena, &f->tiles, &bins, (const double *const *)q->vertices.position,
                                 job.volume, share));
    mn_arena_end(step->arena, mark);
    liquid->guest.tiles = &f->tiles;
    liquid->guest.share = share;
    return MN_OK;
}

// --- where the faces are
// --------------------------------------------------------------------------------------------------

typedef struct face_job {
    mn_mixture           *m;
    const mn_point_faces *f;
    double               *taken;      // cm^3, fibre and held liquid at the face
    double               *published;  // share of the bulk volume whose drag is without the factor of D20; NULL: none
    double               *u_f, *u_s;  // cm/s, of the start of the step
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

// --- what the vertices bring
// ----------------------------------------------------------------------------------------------

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

/// Spread what all vertices bring. `published` is only made if some fabric wants it.
static mn_status spread_vertices(face_job *job, mn_arena *arena, const double *dyad, const mn_pore_law *laws)
{
    mn_mixture *m     = job->m;
    mn_fabric  *q     = m->fabric;
    bool        mixed = false, published = false;
    for (int64_t k = 0; k < q->piece_count; k++) {
        mixed     = mixed || laws[2 * k].exponent != laws[0].exponent;
        published = published || laws[2 * k].darcy_published;
    }
    if (published && (job->published = mn_point_faces_array(arena, job->f)) == NULL) return MN_ERR_MEMORY;
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
        v.laws  = laws + 2 * k;
        v.first = q->pieces[k].first_vertex;
        mn_parallel_for(mn_context_pool(q->context), q->pieces[k].mesh.vertex_count, VERTICES_PER_BLOCK, pack_vertices,
                        &v);
    }
    mn_points_spread(q->context, job->f, v.solid, NULL, job->taken);
    mn_points_spread(q->context, job->f, v.bulk, NULL, m->fabric_volume);
    mn_points_spread(q->context, job->f, v.normal, NULL, m->normal);
    mn_points_spread(q->context, job->f, v.linear, NULL, m->drag_linear);
    mn_points_spread(q->context, job->f, v.growth, NULL, m->drag_growth);
    if (mixed) mn_points_spread(q->context, job->f, v.exponent, NULL, m->exponent);
    if (published) mn_points_spread(q->context, job->f, v.published, NULL, job->published);
    if (!mixed)
        for (int32_t i = 0; i < m->count; i++) m->exponent[i] = m->fabric_volume[i] * laws[0].exponent;
    mn_arena_end(arena, mark);
    return MN_OK;
}

// --- the faces
// ------------------------------------------------------------------------------------------------------------

/// The rows of mixture-solve 1. A face that the liquid does not have keeps zeros: dry fabric.
static void set_face(const face_job *job, int32_t i)
{
    mn_mixture              *m     = job->m;
    const mn_liquid_scratch *s     = &m->liquid->grid;
    const int                a     = mn_mixture_axis(m, i);
    const int64_t            place = m->place[i];
    const double             bulk = m->fabric_volume[i], v = job->cell_volume;
    m->normal[i]      = bulk > 0.0 ? m->normal[i] / bulk : 0.0;
    m->exponent[i]    = bulk > 0.0 ? m->exponent[i] / bulk : 1.0;
    m->superficial[i] = 1.0;
    const int liquid  = liquid_at(job, a, place);
    if (place == 0 || s->solid.open[a][place] == 0.0f) return;

    const double open = (double)s->solid.open[a][place], room = open * v;
    m->solid_volume[i] = open * fmin(SOLID_MOST * v, job->taken[i]);
    m->superficial[i]  = 1.0 - m->solid_volume[i] / room;
    if (job->published != NULL && bulk > 0.0) {
        // Whoever reads the drag multiplies by the square of the superficial factor; what is to be without it has it
        // taken out.
        const double share = job->published[i] / bulk,
                     scale = 1.0 - share + share / (m->superficial[i] * m->superficial[i]);
        m->drag_linear[i] *= scale;
        m->drag_growth[i] *= scale;
    }
    if (liquid == 0) return;
    const double left = room - m->solid_volume[i], weight = s->weight[a][place];
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
    job->u_s[i]          = m->fabric->step.momentum[i] * mn_inverse_mass(m->fabric->step.mass[i]);
}

static void set_faces(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    for (int64_t i = begin; i < end; i++) set_face(context, (int32_t)i);
}

// --- all of it
// ------------------------------------------------------------------------------------------------------------

static mn_status take_arrays(mn_mixture *m, mn_arena *arena)
{
    double **const arrays[] = { &m->solid_volume, &m->liquid_volume, &m->fabric_volume, &m->liquid_mass,
                                &m->fill,         &m->normal,        &m->drag_linear,   &m->drag_growth,
                                &m->exponent,     &m->superficial,   &m->drag,          &m->liquid_impulse,
                                &m->solid_suction };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if ((*arrays[k] = mn_point_faces_array(arena, &m->fabric->step.faces)) == NULL) return MN_ERR_MEMORY;
    return MN_OK;
}

static mn_status make_faces(face_job *job, mn_arena *arena)
{
    mn_mixture  *m    = job->m;
    mn_pool     *pool = mn_context_pool(m->fabric->context);
    double      *dyad;
    mn_pore_law *laws;
    MN_TRY(mn_mixture_dyads(m->fabric, arena, &dyad));
    MN_TRY(mn_mixture_laws(m->fabric, arena, &laws));
    job->taken = mn_point_faces_array(arena, job->f);
    job->u_f   = mn_point_faces_array(arena, job->f);
    job->u_s   = mn_point_faces_array(arena, job->f);
    if (job->taken == NULL || job->u_f == NULL || job->u_s == NULL) return MN_ERR_MEMORY;
    MN_TRY(spread_vertices(job, arena, dyad, laws));
    mn_parallel_for(pool, m->count, MN_BLOCK, set_faces, job);
    MN_TRY(mn_mixture_drag_at(m, arena, job->u_f, job->u_s));
    return mn_mixture_suction(m, arena, dyad, laws);
}

mn_status mn_mixture_faces(mn_liquid *liquid, mn_fabric *fabric, const mn_step *step, mn_mixture *out)
{
    mn_mixture *m   = out;
    face_job    job = { .m           = m,
                        .f           = &fabric->step.faces,
                        .cell_volume = mn_cell_volume(&liquid->model.grid),
                        .density     = liquid->model.material.density };
    job.mass_least  = MASS_LEAST * job.density * job.cell_volume;
    *m              = (mn_mixture){ .liquid = liquid, .fabric = fabric, .dt = step->dt, .count = job.f->count };
    if (liquid->guest.tiles == NULL) return MN_OK;
    m->place = mn_arena_array_zero(step->arena, int64_t, m->count + 4);
    m->home  = mn_arena_array_zero(step->arena, int64_t, m->count + 4);
    if (m->place == NULL || m->home == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(fabric->context), job.f->tiles.count, 4, place_tiles, &job);
    m->meets = mn_parallel_max(mn_context_pool(fabric->context), m->count, any_liquid, &job) > 0.0;
    if (!m->meets) return MN_OK;

    MN_TRY(take_arrays(m, step->arena));
    mn_liquid_coefficients(liquid);
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = make_faces(&job, step->arena);
    mn_arena_end(step->arena, mark);
    return status;
}
