// SPDX-License-Identifier: MPL-2.0
// fabric/twist.c - rates of twist, implicit on the rods or read from the grid, and torques that go to the grid
// (wet-fabric 5.6).
#include "fabric/twist.h"

#include "base/pool.h"
#include "fabric/pins.h"

#include <string.h>

#define SEGMENTS_PER_BLOCK 512

static mn_vec3 tangent_of(const mn_fabric_piece *p, int64_t s)
{
    return mn_v3(p->rods.edges.tangent[0][s], p->rods.edges.tangent[1][s], p->rods.edges.tangent[2][s]);
}

/// Segments at pinned vertices turn with their pin.
static void hold_segments(mn_fabric *q, const mn_fabric_piece *p, const mn_fabric_pin *pin, double time, double dt)
{
    const mn_vec3 turning = mn_motion_pose(pin->motion, time + 0.5 * dt).angular;
    for (int64_t j = 0; j < pin->count; j++)
        for (int64_t e = q->element_start[pin->vertex[j]]; e < q->element_start[pin->vertex[j] + 1]; e++) {
            const int64_t s = q->element_of[e] - q->triangles.count - p->first_segment;
            if (s < 0 || s >= mn_rod_network_edges(&p->rods)) continue;
            q->step.twist_held[p->first_segment + s] = 1;
            p->rods.edges.angle_rate[0][s]           = mn_dot3(turning, tangent_of(p, s));
        }
}

/// Where the present velocity takes a piece with twist on the grid within the step.
typedef struct foresight {
    mn_fabric             *q;
    const mn_fabric_piece *p;
    double                 dt;
    mn_vec3               *x;      // of the whole fabric
    double                *angle;  // of the segments of the piece
} foresight;

static void foresee_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const foresight          *f = context;
    const mn_fabric_vertices *v = &f->q->vertices;
    for (int64_t i = begin; i < end; i++)
        f->x[i] = mn_add3(f->q->step.x[i],
                          mn_scale3(f->dt, mn_v3(v->velocity[0][i], v->velocity[1][i], v->velocity[2][i])));
}

static void foresee_angles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const foresight    *f = context;
    const mn_rod_edges *e = &f->p->rods.edges;
    for (int64_t s = begin; s < end; s++) f->angle[s] = e->angle[0][s] + f->dt * e->angle_rate[0][s];
}

/// Elastic torques as they are, viscous ones of the present rates of strain. Those of strains and not of angles: yarn
/// that turns as a whole feels none. A pin takes the torque of what it holds.
static mn_status find_torques(mn_fabric *q, mn_arena *arena, mn_fabric_piece *p, double dt)
{
    mn_pool            *pool   = mn_context_pool(q->context);
    double             *torque = q->step.torque + p->first_segment;
    const mn_arena_mark mark   = mn_arena_begin(arena);
    foresight           f      = { .q     = q,
                                   .p     = p,
                                   .dt    = dt,
                                   .x     = mn_arena_array(arena, mn_vec3, q->vertices.count),
                                   .angle = mn_arena_array(arena, double, p->segment_count) };
    double(*share)[2]          = mn_arena_take(arena, mn_array_bytes(p->corner_count, sizeof *share));
    if (f.x == NULL || f.angle == NULL || share == NULL) return MN_ERR_MEMORY;
    mn_rod_network_torques(&p->rods, torque);
    mn_parallel_for(pool, q->vertices.count, SEGMENTS_PER_BLOCK, foresee_vertices, &f);
    mn_parallel_for(pool, p->segment_count, SEGMENTS_PER_BLOCK, foresee_angles, &f);
    mn_rod_network_add_viscous_torques(&p->rods, f.x, f.angle, share, torque);
    for (int64_t s = 0; s < p->segment_count; s++)
        if (q->step.twist_held[p->first_segment + s]) torque[s] = 0.0;
    mn_arena_end(arena, mark);
    return MN_OK;
}

static bool any_on_grid(const mn_fabric *q)
{
    for (int64_t i = 0; i < q->piece_count; i++)
        if (q->pieces[i].twist_on_grid) return true;
    return false;
}

mn_status mn_fabric_twist_begin(mn_fabric *q, mn_arena *arena, double time, double dt)
{
    mn_fabric_scratch *step = &q->step;
    step->twist_rate        = mn_arena_array(arena, double, q->segments.count);
    step->twist_held        = mn_arena_array_zero(arena, uint8_t, q->segments.count);
    if (step->twist_rate == NULL || step->twist_held == NULL) return MN_ERR_MEMORY;
    if (any_on_grid(q) && (step->torque = mn_arena_array_zero(arena, double, q->segments.count)) == NULL)
        return MN_ERR_MEMORY;
    for (int64_t i = 0; i < q->piece_count; i++) {
        mn_fabric_piece *p = &q->pieces[i];
        if (p->mesh.strand_count == 0) continue;
        for (int k = 0; k < p->pin_count; k++)
            if (p->pins[k].twist && mn_fabric_pin_holds(&p->pins[k], time + dt))
                hold_segments(q, p, &p->pins[k], time, dt);
        if (p->twist_on_grid) {
            MN_TRY(find_torques(q, arena, p, dt));
            continue;
        }
        const mn_rod_twist_def def = { .h = dt, .held = step->twist_held + p->first_segment };
        MN_TRY(mn_rod_network_solve_twist(&p->rods, &def, step->twist_rate + p->first_segment));
    }
    return MN_OK;
}

/// Forces w S r with S = (4 / cell^2) M have the moments M, because the kernel's own second moment is cell^2 / 4. A
/// torque about t is M = torque [t]x / 2 (E5.10), half of it at each end: S = torque [t]x / cell^2.
void mn_fabric_twist_add_moment(const mn_fabric *q, int64_t v, double factor, double moment[9])
{
    const double scale = factor / (q->model.grid.cell * q->model.grid.cell);
    for (int64_t k = q->element_start[v]; k < q->element_start[v + 1]; k++) {
        const int64_t s = q->element_of[k] - q->triangles.count;
        if (s < 0 || q->step.torque[s] == 0.0) continue;
        const mn_fabric_piece *p = &q->pieces[q->elements[q->element_of[k]].piece];
        const mn_vec3          t = mn_scale3(scale * q->step.torque[s], tangent_of(p, s - p->first_segment));
        moment[1] -= t.z, moment[2] += t.y;
        moment[3] += t.z, moment[5] -= t.x;
        moment[6] -= t.y, moment[7] += t.x;
    }
}

typedef struct reading {
    mn_fabric       *q;
    mn_fabric_piece *p;
} reading;

/// Half the curl of the velocity at a vertex: how fast what is there turns.
static mn_vec3 turning_at(const mn_fabric *q, int32_t v)
{
    double *const *c = q->vertices.affine;
    return mn_scale3(0.5, mn_v3(c[7][v] - c[5][v], c[2][v] - c[6][v], c[3][v] - c[1][v]));
}

static void read_rates(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const reading         *r = context;
    const mn_fabric_piece *p = r->p;
    for (int64_t s = begin; s < end; s++) {
        const int32_t *v    = p->rods.edge[s].vertex;
        double        *rate = &r->q->step.twist_rate[p->first_segment + s];
        if (r->q->step.twist_held[p->first_segment + s]) *rate = p->rods.edges.angle_rate[0][s];
        else *rate = 0.5 * mn_dot3(tangent_of(p, s), mn_add3(turning_at(r->q, v[0]), turning_at(r->q, v[1])));
    }
}

void mn_fabric_twist_from_grid(mn_fabric *q)
{
    for (int64_t i = 0; i < q->piece_count; i++) {
        reading r = { q, &q->pieces[i] };
        if (r.p->twist_on_grid)
            mn_parallel_for(mn_context_pool(q->context), r.p->segment_count, SEGMENTS_PER_BLOCK, read_rates, &r);
    }
}

/// Mass of a segment at rest, no more than what it gave its vertices.
static double dry_mass(const mn_fabric_piece *p, int64_t s)
{
    const int32_t *v = p->rods.edge[s].vertex;
    const double   a = mn_fabric_fraction_at_rest(p, &p->yarn, v[0] - p->first_vertex),
                 b   = mn_fabric_fraction_at_rest(p, &p->yarn, v[1] - p->first_vertex);
    return p->yarn.density * fmin(a, b) * mn_fabric_segment_volume(p, s);
}

/// The kinetic energy of the grid is at least sum m_v (u^2 + cell^2 |C|^2 / 4) / 2, so a segment turns with an inertia
/// of at least I = m_e cell^2 / 2, and no frequency is above sqrt(K / I) with K the row sum of the stiffness. Steps
/// with torques of their start are stable up to h^2 K / I + 2 h V / I = 4, with V that of the viscosity; allowed is 1.
static double fastest_twist(int64_t begin, int64_t end, void *context)
{
    const reading *r    = context;
    const double   cell = r->q->model.grid.cell;
    double         most = 0.0;
    for (int64_t s = begin; s < end; s++) {
        const mn_rod_angle_bound bound   = mn_rod_network_angle_bound(&r->p->rods, (int32_t)s);
        const double             inertia = 0.5 * dry_mass(r->p, s) * cell * cell, k = bound.elastic / inertia,
                     v = bound.viscous / inertia;
        most           = fmax(most, v + sqrt(v * v + k));
    }
    return most;
}

double mn_fabric_twist_dt_limit(mn_fabric *q)
{
    double most = 0.0;
    for (int64_t i = 0; i < q->piece_count; i++) {
        reading r = { q, &q->pieces[i] };
        if (r.p->twist_on_grid)
            most = fmax(most, mn_parallel_max(mn_context_pool(q->context), r.p->segment_count, fastest_twist, &r));
    }
    return most > 0.0 ? 1.0 / most : INFINITY;
}
