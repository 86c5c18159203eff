// SPDX-License-Identifier: MPL-2.0
// fabric/stages.c - the short stages of a step: activate, gather, scatter, move, and what ends it.
#include "fabric/contact.h"
#include "fabric/pins.h"
#include "fabric/twist.h"

#include "base/pool.h"

#include <string.h>

#define VERTICES_PER_BLOCK 512
/// Cells that a vertex may move in a step before the step is refused at once, times cfl: many times what the audit lets
/// pass of the velocity that is left at the end of the step.
#define WAY_MOST 8.0

double mn_fabric_dt_limit(mn_fabric *q, double *max_speed)
{
    *max_speed = mn_fabric_max_speed(q);
    // A third of a cell per step (wet-fabric 5.16), counting what gravity adds meanwhile: h (u + g h) = cell / 3.
    const double way = q->model.cfl * q->model.grid.cell / 3.0, g = mn_norm3(q->model.gravity), u = *max_speed;
    const double limit = g > 0.0 ? 2.0 * way / (u + sqrt(u * u + 4.0 * g * way)) : u > 0.0 ? way / u : INFINITY;
    return fmin(limit, mn_fabric_twist_dt_limit(q));
}

/// The state before the step, for roll_back; whether all of it is finite.
static bool keep_state(mn_fabric *q)
{
    mn_pool   *pool      = mn_context_pool(q->context);
    const bool vertices  = mn_fields_keep(pool, mn_fabric_table_of(&q->vertices), &q->vertices, q->vertices.count,
                                          &q->vertices_before);
    const bool triangles = mn_fields_keep(pool, &mn_fabric_triangle_table, &q->triangles, q->triangles.count,
                                          &q->triangles_before);
    const bool segments  = mn_fields_keep(pool, &mn_fabric_segment_table, &q->segments, q->segments.count,
                                          &q->segments_before);
    return vertices && triangles && segments;
}

/// Copy the state of a table: to has room for all of it.
static void copy_state(const mn_field_table *t, void *to, const void *from, int64_t count)
{
    if (count == 0) return;
    for (int k = 0; k < t->count; k++)
        for (int i = 0; i < t->fields[k].components; i++)
            memcpy(*mn_field_array(&t->fields[k], to, i), *mn_field_array(&t->fields[k], (void *)(uintptr_t)from, i),
                   (size_t)count * mn_type_size(t->fields[k].type));
}

static void list_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_fabric *q = context;
    for (int64_t i = begin; i < end; i++)
        q->step.x[i] = mn_v3(q->vertices.position[0][i], q->vertices.position[1][i], q->vertices.position[2][i]);
}

static void weigh_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    mn_fabric *q = context;
    for (int64_t i = begin; i < end; i++)
        q->step.inertia[i] = q->mass[i] + q->model.liquid.density * q->vertices.held[0][i] +
                             (q->load != NULL ? q->load[i] : 0.0);
}

/// Positions vertex by vertex, as elements read them.
static void list_positions(mn_fabric *q)
{
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, MN_BLOCK, list_range, q);
}

/// The rest shape lives on in shells and rods; nothing can be added any more, so the mesh need not keep it.
static void forget_rest_mesh(mn_fabric *q)
{
    for (int64_t k = 0; k < q->piece_count; k++) {
        mn_thin_mesh *m = &q->pieces[k].mesh;
        mn_free(q->context, m->vertex);
        mn_free(q->context, m->warp);
        m->vertex = m->warp = NULL;
    }
}

/// Twist and frames of the yarn before the step, for roll_back.
static mn_status keep_rods(mn_fabric *q, mn_arena *arena)
{
    for (int64_t k = 0; k < q->piece_count; k++) {
        mn_fabric_piece      *p     = &q->pieces[k];
        const mn_rod_network *r     = &p->rods;
        const size_t          edges = mn_fields_bytes(&mn_rod_edge_table, r->edges.count);
        p->rods_before              = NULL;
        if (p->mesh.strand_count == 0) continue;
        unsigned char *room = mn_arena_take(arena, edges + mn_fields_bytes(&mn_rod_corner_table, r->corners.count));
        if (room == NULL) return MN_ERR_MEMORY;
        mn_fields_copy_out(&mn_rod_edge_table, &r->edges, r->edges.count, room);
        mn_fields_copy_out(&mn_rod_corner_table, &r->corners, r->corners.count, room + edges);
        p->rods_before = room;
    }
    return MN_OK;
}

/// What pins bore is written anew in every step, whatever it was.
static bool held_is_finite(const mn_fabric *q)
{
    const mn_field *field;
    int             component;
    int64_t         item;
    for (int64_t k = 0; k < q->piece_count; k++) {
        const mn_fabric_held *held = &q->pieces[k].held;
        if (mn_fields_find_not_finite(mn_context_pool(q->context), &mn_fabric_held_table, held, held->count, &field,
                                      &component, &item))
            return false;
    }
    return true;
}

/// What pins bore before the step, for roll_back.
static mn_status keep_held(mn_fabric *q, mn_arena *arena)
{
    for (int64_t k = 0; k < q->piece_count; k++) {
        mn_fabric_piece *p = &q->pieces[k];
        p->held_before     = NULL;
        if (p->held.count == 0) continue;
        p->held_before = mn_arena_take(arena, mn_fields_bytes(&mn_fabric_held_table, p->held.count));
        if (p->held_before == NULL) return MN_ERR_MEMORY;
        mn_fields_copy_out(&mn_fabric_held_table, &p->held, p->held.count, p->held_before);
    }
    return MN_OK;
}

static void take_rods_back(mn_fabric_piece *p)
{
    mn_rod_network *r = &p->rods;
    if (p->rods_before == NULL) return;
    mn_fields_copy_in(&mn_rod_edge_table, &r->edges, r->edges.count, p->rods_before);
    mn_fields_copy_in(&mn_rod_corner_table, &r->corners, r->corners.count,
                      p->rods_before + mn_fields_bytes(&mn_rod_edge_table, r->edges.count));
}

mn_status mn_fabric_activate(mn_fabric *q, const mn_step *step)
{
    if (!mn_fabric_present(q)) return MN_OK;
    MN_TRY(mn_fabric_prepare(q));
    forget_rest_mesh(q);
    if (!keep_state(q) || !held_is_finite(q)) {  // some of it would not be read, but written anew
        mn_reject(step, "the state of fabric is not finite");
        return MN_OK;
    }
    const double *const position[3] = { q->vertices.position[0], q->vertices.position[1], q->vertices.position[2] };
    memset(&q->step, 0, sizeof q->step);
    for (int64_t k = 0; k < q->piece_count; k++) q->pieces[k].shell_began = false;
    MN_TRY(keep_rods(q, step->arena));
    MN_TRY(keep_held(q, step->arena));
    q->kept = true;
    MN_TRY(mn_point_faces_build(q->context, step->arena, &q->model.grid, position, q->vertices.count, &q->step.faces));
    q->step.x       = mn_arena_array(step->arena, mn_vec3, q->vertices.count);
    q->step.inertia = mn_arena_array(step->arena, double, q->vertices.count);
    if (q->step.x == NULL || q->step.inertia == NULL) return MN_ERR_MEMORY;
    list_positions(q);
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, MN_BLOCK, weigh_range, q);
    return MN_OK;
}

void mn_fabric_roll_back(mn_fabric *q)
{
    if (!q->kept) return;
    q->kept = false;
    copy_state(mn_fabric_table_of(&q->vertices), &q->vertices, &q->vertices_before, q->vertices.count);
    copy_state(&mn_fabric_triangle_table, &q->triangles, &q->triangles_before, q->triangles.count);
    copy_state(&mn_fabric_segment_table, &q->segments, &q->segments_before, q->segments.count);
    for (int64_t k = 0; k < q->piece_count; k++) {
        mn_fabric_piece *p = &q->pieces[k];
        if (p->shell_began) mn_shell_take_back(p->shell);
        take_rods_back(p);
        if (p->held_before != NULL) mn_fields_copy_in(&mn_fabric_held_table, &p->held, p->held.count, p->held_before);
    }
}

typedef struct packing {
    mn_fabric *q;
    double     dt;
    double    *force, *moment, *mass;
} packing;

/// Momentum of each vertex with what gravity adds, its spin and shear and the torques of yarn as moments, and its mass.
/// A pin bears the weight of what it holds.
static void pack(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const packing   *p    = context;
    const mn_fabric *q    = p->q;
    const double     g[3] = { q->model.gravity.x, q->model.gravity.y, q->model.gravity.z };
    for (int64_t i = begin; i < end; i++) {
        const double fall = q->step.pinned != NULL && q->step.pinned[i] ? 0.0 : p->dt;
        for (int a = 0; a < 3; a++) {
            p->force[3 * i + a] = q->step.inertia[i] * (q->vertices.velocity[a][i] + fall * g[a]);
            p->mass[3 * i + a]  = q->step.inertia[i];
        }
        for (int k = 0; k < 9; k++) p->moment[9 * i + k] = q->step.inertia[i] * q->vertices.affine[k][i];
        if (q->step.torque != NULL) mn_fabric_twist_add_moment(q, i, p->dt, p->moment + 9 * i);
    }
}

mn_status mn_fabric_gather(mn_fabric *q, const mn_step *step)
{
    if (!mn_fabric_present(q)) return MN_OK;
    mn_fabric_scratch *s     = &q->step;
    s->mass                  = mn_point_faces_array(step->arena, &s->faces);
    s->momentum              = mn_point_faces_array(step->arena, &s->faces);
    const mn_arena_mark mark = mn_arena_begin(step->arena);
    packing             p    = { .q      = q,
                                 .dt     = step->dt,
                                 .force  = mn_arena_array(step->arena, double, 3 * q->vertices.count),
                                 .moment = mn_arena_array(step->arena, double, 9 * q->vertices.count),
                                 .mass   = mn_arena_array(step->arena, double, 3 * q->vertices.count) };
    if (s->mass == NULL || s->momentum == NULL || p.force == NULL || p.moment == NULL || p.mass == NULL)
        return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, VERTICES_PER_BLOCK, pack, &p);
    mn_points_spread(q->context, &s->faces, p.mass, NULL, s->mass);
    mn_points_spread(q->context, &s->faces, p.force, p.moment, s->momentum);
    mn_arena_end(step->arena, mark);
    return mn_fabric_remember(q, step->arena);
}

static void unpack(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const packing *p     = context;
    mn_fabric     *q     = p->q;
    const double   scale = 4.0 / (q->model.grid.cell * q->model.grid.cell);
    for (int64_t i = begin; i < end; i++) {
        for (int a = 0; a < 3; a++) q->vertices.velocity[a][i] = p->force[3 * i + a];
        for (int k = 0; k < 9; k++) q->vertices.affine[k][i] = scale * p->moment[9 * i + k];
    }
}

mn_status mn_fabric_scatter(mn_fabric *q, const mn_step *step)
{
    if (!mn_fabric_present(q)) return MN_OK;
    const mn_arena_mark mark = mn_arena_begin(step->arena);
    packing             p    = { .q      = q,
                                 .force  = mn_arena_array(step->arena, double, 3 * q->vertices.count),
                                 .moment = mn_arena_array(step->arena, double, 9 * q->vertices.count) };
    if (p.force == NULL || p.moment == NULL) return MN_ERR_MEMORY;
    mn_fabric_pins_leave_liquid(q);
    mn_points_collect(q->context, &q->step.faces, q->step.velocity, p.force, p.moment);
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, VERTICES_PER_BLOCK, unpack, &p);
    mn_fabric_pins_lead(q);
    mn_fabric_twist_from_grid(q);
    mn_arena_end(step->arena, mark);
    return MN_OK;
}

static void advance(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const packing *p = context;
    for (int a = 0; a < 3; a++)
        for (int64_t i = begin; i < end; i++) p->q->vertices.position[a][i] += p->dt * p->q->vertices.velocity[a][i];
}

/// Damping as a rate: exp(-rate dt) of velocity and affine matrix.
static void damp(mn_fabric *q, const mn_fabric_piece *p, double dt)
{
    const double keep = exp(-p->damping * dt);
    for (int64_t i = p->first_vertex; i < p->first_vertex + p->mesh.vertex_count; i++) {
        for (int a = 0; a < 3; a++) q->vertices.velocity[a][i] *= q->step.pinned[i] ? 1.0 : keep;
        for (int k = 0; k < 9; k++) q->vertices.affine[k][i] *= keep;
    }
}

static double way_of(const mn_fabric *q, int64_t i)
{
    return mn_norm3(mn_sub3(mn_fabric_at(q, i), q->step.x[i])) / q->model.grid.cell;
}

static double count_far(int64_t begin, int64_t end, void *context)
{
    const mn_fabric *q   = context;
    int64_t          far = 0;
    for (int64_t i = begin; i < end; i++) far += !(way_of(q, i) <= WAY_MOST * q->model.cfl);
    return (double)far;
}

/// What comes behind searches about vertices as far as they lie apart. A step that has exploded ends here; the audit
/// asks for more, at its end.
static bool is_in_reach(mn_fabric *q, const mn_step *step)
{
    if (!(mn_parallel_sum(mn_context_pool(q->context), q->vertices.count, count_far, q) > 0.0)) return true;
    int64_t i = 0, k = q->piece_count - 1;
    while (i < q->vertices.count - 1 && way_of(q, i) <= WAY_MOST * q->model.cfl) i++;
    while (k > 0 && q->pieces[k].first_vertex > i) k--;
    return mn_reject(step, "vertex %lld of fabric '%s' moved %.3g cells in one step",
                     (long long)(i - q->pieces[k].first_vertex), q->pieces[k].name, way_of(q, i));
}

mn_status mn_fabric_move(mn_fabric *q, const mn_step *step, int64_t *crushed)
{
    if (!mn_fabric_present(q)) return MN_OK;
    packing p     = { .q = q, .dt = step->dt };
    q->step.stale = true;
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, VERTICES_PER_BLOCK, advance, &p);
    if (!is_in_reach(q, step)) return MN_OK;
    mn_fabric_contact_end(q, step->dt, crushed);
    mn_fabric_recall(q, step->dt);
    mn_fabric_pins_place(q, step->dt);
    for (int64_t k = 0; k < q->piece_count; k++)
        if (q->pieces[k].damping > 0.0) damp(q, &q->pieces[k], step->dt);
    return MN_OK;
}

void mn_fabric_turn_yarn(mn_fabric *q, const mn_step *step)
{
    if (!mn_fabric_present(q)) return;
    list_positions(q);
    for (int64_t k = 0; k < q->piece_count; k++) {
        mn_fabric_piece *p = &q->pieces[k];
        if (p->mesh.strand_count > 0)
            mn_rod_network_accept(&p->rods, q->step.x, q->step.twist_rate + p->first_segment, step->dt);
    }
}
