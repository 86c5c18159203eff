// SPDX-License-Identifier: MPL-2.0
// fabric/pins.c - hard pins, whose vertices are known, and soft ones, which are springs.
//
// A held vertex p has the velocity v_p that takes it to its place by the end of the step. With f the forces at the
// start and H v what the velocities take from them, free vertices get  h f - h^2 (H v)  where v is v_p on held ones: a
// part that is known before the solve, and a part in which held vertices stand still. What a pin gives its vertex is
//
//     m (v_p - v_before) - h m g  -  (h f - h^2 H v)_p  +  m (v_p - (W u)_p)  +  the anchor's
//
// in which the fourth is what the faces kept of the mass that the vertex brought them. With the common share of what
// the solve and rounding left of the balance, impulses of pins, weight and solids are the change of momentum.
#include "fabric/pins.h"

#include "base/pool.h"
#include "contact/hold.h"
#include "fabric/contact.h"

#include <string.h>

#define HELD_PER_BLOCK 256
/// A pin that begins to hold vertices which are elsewhere takes them home by no more cells than this a step.
#define CELLS_PER_STEP 0.25

// --- who holds what --------------------------------------------------------------------------------------------------

bool mn_fabric_pin_has(const mn_fabric_piece *p, int pin, int64_t j, double time)
{
    if (!mn_fabric_pin_holds(&p->pins[pin], time)) return false;
    for (int k = 0; k < pin; k++) {
        const mn_fabric_pin *other = &p->pins[k];
        if (other->slot == NULL || !mn_fabric_pin_holds(other, time)) continue;
        for (int64_t i = 0; i < other->count; i++)
            if (other->vertex[i] == p->pins[pin].vertex[j]) return false;
    }
    return true;
}

mn_vec3 mn_fabric_pin_force(const mn_fabric *q, const mn_fabric_piece *p, int k, double time)
{
    const mn_fabric_pin *pin  = &p->pins[k];
    const mn_pose        pose = mn_motion_pose(pin->motion, time);
    mn_vec3              sum  = mn_v3(0, 0, 0);
    if (!mn_fabric_pin_holds(pin, time)) return sum;
    for (int64_t j = 0; j < pin->count; j++) {
        if (pin->slot == NULL) {
            const mn_vec3 stretch = mn_sub3(mn_fabric_at(q, pin->vertex[j]), mn_pose_point(&pose, pin->home[j]));
            sum                   = mn_add3(sum, mn_scale3(pin->stiffness, stretch));
        } else if (mn_fabric_pin_has(p, k, j, time)) {
            const int32_t  s    = pin->slot[j];
            double *const *held = p->held.force;
            sum                 = mn_sub3(sum, mn_v3(held[0][s], held[1][s], held[2][s]));
        }
    }
    return sum;
}

double mn_fabric_anchor_stiffness(const mn_fabric *q, const mn_fabric_piece *p, int64_t v)
{
    const mn_fabric_material *m = p->mesh.triangle_count > 0 ? &p->cloth : &p->yarn;
    return 2.0 * m->contact_stiffness * m->youngs_modulus * cbrt(q->volume[v]);
}

static void spring(mn_fabric *q, const mn_fabric_pin *pin, double end, double dt)
{
    const mn_pose pose = mn_motion_pose(pin->motion, end);
    for (int64_t j = 0; j < pin->count; j++) {
        const int32_t v    = pin->vertex[j];
        const mn_vec3 pull = mn_sub3(mn_pose_point(&pose, pin->home[j]), q->step.x[v]);
        q->step.force[v]   = mn_add3(q->step.force[v], mn_scale3(pin->stiffness, pull));
        mn_hold(q->step.point + 6 * (int64_t)v, dt * dt * pin->stiffness, mn_v3(0, 0, 0), dt * dt * pin->stiffness);
    }
}

static mn_vec3 velocity_of(const mn_fabric *q, int32_t v)
{
    return mn_v3(q->vertices.velocity[0][v], q->vertices.velocity[1][v], q->vertices.velocity[2][v]);
}

static void set_velocity(mn_fabric *q, int32_t v, mn_vec3 u)
{
    for (int a = 0; a < 3; a++) q->vertices.velocity[a][v] = mn_get3(u, a);
}

/// Home; or along with it, and nearer by no more than the limit.
static mn_vec3 goal(const mn_fabric *q, mn_vec3 x, mn_vec3 home_before, mn_vec3 home)
{
    const mn_vec3 off    = mn_sub3(x, home_before);
    const double  length = mn_norm3(off), most = CELLS_PER_STEP * q->model.grid.cell;
    return length > most ? mn_add3(home, mn_scale3(1.0 - most / length, off)) : home;
}

static void hold(mn_fabric *q, mn_fabric_piece *p, const mn_fabric_pin *pin, const mn_step *step)
{
    const double  dt = step->dt, end = mn_step_end(step);
    const mn_pose pose = mn_motion_pose(pin->motion, end), body = mn_motion_pose(pin->motion, end - 0.5 * dt),
                  before = mn_motion_pose(pin->motion, step->time);
    for (int64_t j = 0; j < pin->count; j++) {
        const int32_t v = pin->vertex[j];
        if (q->step.pinned[v]) continue;
        const mn_vec3 x = q->step.x[v], home = mn_pose_point(&pose, pin->home[j]),
                      to  = goal(q, x, mn_pose_point(&before, pin->home[j]), home);
        mn_fabric_hold *h = &q->step.hold[q->step.hold_count++];
        *h                = (mn_fabric_hold){ .piece    = (int32_t)(p - q->pieces),
                                              .vertex   = v,
                                              .slot     = pin->slot[j],
                                              .place    = to,
                                              .velocity = mn_scale3(1.0 / dt, mn_sub3(to, x)),
                                              .before   = velocity_of(q, v),
                                              .drift    = mn_pose_velocity(&body, x),
                                              .turning  = body.angular };
        q->step.pinned[v] = 1;
        set_velocity(q, v, h->velocity);
    }
}

/// What no pin holds now bears nothing, and is not behind.
static void forget_released(const mn_fabric *q, mn_fabric_piece *p)
{
    for (int k = 0; k < p->pin_count; k++)
        for (int64_t j = 0; p->pins[k].slot != NULL && j < p->pins[k].count; j++) {
            if (q->step.pinned[p->pins[k].vertex[j]]) continue;
            for (int a = 0; a < 3; a++) p->held.force[a][p->pins[k].slot[j]] = p->held.lag[a][p->pins[k].slot[j]] = 0.0;
        }
}

mn_status mn_fabric_pins_find(mn_fabric *q, const mn_step *step)
{
    int64_t      most = 0;
    const double end  = mn_step_end(step);
    for (int64_t i = 0; i < q->piece_count; i++) most += q->pieces[i].held.count;
    q->step.hold_count = 0;
    q->step.hold       = mn_arena_array(step->arena, mn_fabric_hold, most);
    if (q->step.hold == NULL) return MN_ERR_MEMORY;
    for (int64_t i = 0; i < q->piece_count; i++) {
        mn_fabric_piece *p = &q->pieces[i];
        for (int k = 0; k < p->pin_count; k++) {
            const mn_fabric_pin *pin = &p->pins[k];
            if (!mn_fabric_pin_holds(pin, end)) continue;
            if (pin->slot == NULL) spring(q, pin, end, step->dt);
            else hold(q, p, pin, step);
        }
        forget_released(q, p);
    }
    return MN_OK;
}

// --- what held vertices do to the others -----------------------------------------------------------------------------

typedef struct carrying {
    mn_fabric *q;
    double     dt;
    double    *v, *f, *m, *s;  // on vertices; m and s with contact
    mn_vec3   *sum;            // per part of the matrix
} carrying;

static void carry_parts(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const carrying        *c = context;
    const mn_block_matrix *h = &c->q->stiffness;
    double                 y[4 * MN_BLOCK_PART];
    for (int64_t part = begin; part < end; part++) {
        const int64_t first = part * h->part, last = first + h->part < h->rows ? first + h->part : h->rows;
        double        sum[3] = { 0.0 };
        mn_block_matrix_multiply_part(h, part, c->v, y);
        for (int64_t i = first; i < last; i++)
            for (int a = 0; a < 3; a++) {
                c->f[3 * i + a] = y[4 * (i - first) + a];
                sum[a] += c->f[3 * i + a];
            }
        c->sum[part] = mn_v3(sum[0], sum[1], sum[2]);
    }
}

static void subtract(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const carrying *c = context;
    for (int64_t i = begin; i < end; i++) {
        const mn_vec3 f     = mn_v3(c->f[3 * i], c->f[3 * i + 1], c->f[3 * i + 2]);
        c->q->step.force[i] = mn_sub3(c->q->step.force[i], mn_scale3(1.0 / c->dt, f));
        for (int k = 0; c->s != NULL && k < 9; k++) c->q->step.moment[9 * i + k] -= c->s[9 * i + k] / c->dt;
    }
}

static bool any_moves(const mn_fabric *q)
{
    for (int64_t k = 0; k < q->step.hold_count; k++)
        if (mn_norm3(q->step.hold[k].velocity) > 0.0) return true;
    return false;
}

/// Less what the motion of held vertices takes from all forces. Off-diagonal blocks are floats: what their sum is off
/// goes to the pins in the end.
static mn_status carry(mn_fabric *q, mn_arena *arena, double dt)
{
    const int64_t       n = q->vertices.count, parts = mn_block_matrix_parts(&q->stiffness);
    const mn_arena_mark mark = mn_arena_begin(arena);
    mn_pool            *pool = mn_context_pool(q->context);
    carrying            c    = { .q   = q,
                                 .dt  = dt,
                                 .v   = mn_arena_array_zero(arena, double, 3 * n + 1),
                                 .f   = mn_arena_array(arena, double, 3 * n),
                                 .sum = mn_arena_array(arena, mn_vec3, parts) };
    if (c.v == NULL || c.f == NULL || c.sum == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < q->step.hold_count; k++)
        for (int a = 0; a < 3; a++) c.v[3 * (int64_t)q->step.hold[k].vertex + a] = mn_get3(q->step.hold[k].velocity, a);
    mn_parallel_for(pool, parts, 1, carry_parts, &c);
    for (int64_t k = 0; k < parts; k++) q->step.hold_missing = mn_add3(q->step.hold_missing, c.sum[k]);
    if (q->step.moment != NULL) {
        c.m = mn_arena_array_zero(arena, double, 9 * n);
        c.s = mn_arena_array(arena, double, 9 * n);
        if (c.m == NULL || c.s == NULL) return MN_ERR_MEMORY;
        mn_fabric_contact_multiply(q, c.v, c.m, c.f, c.s);
    }
    mn_parallel_for(pool, n, HELD_PER_BLOCK, subtract, &c);
    mn_arena_end(arena, mark);
    return MN_OK;
}

static mn_vec3 answer_of(const double p[6], mn_vec3 v)
{
    return mn_v3(p[0] * v.x + p[5] * v.y + p[4] * v.z, p[5] * v.x + p[1] * v.y + p[3] * v.z,
                 p[4] * v.x + p[3] * v.y + p[2] * v.z);
}

static mn_vec3 lag_of(const mn_fabric *q, const mn_fabric_hold *h)
{
    double *const *lag = q->pieces[h->piece].held.lag;
    return mn_v3(lag[0][h->slot], lag[1][h->slot], lag[2][h->slot]);
}

static void anchor(mn_fabric *q, mn_fabric_hold *h, double dt)
{
    const double stiffness   = mn_fabric_anchor_stiffness(q, &q->pieces[h->piece], h->vertex);
    h->stiffness             = stiffness;
    q->step.force[h->vertex] = mn_scale3(stiffness, mn_add3(lag_of(q, h), mn_scale3(dt, h->velocity)));
    mn_hold(q->step.point + 6 * (int64_t)h->vertex, dt * dt * stiffness, mn_v3(0, 0, 0), dt * dt * stiffness);
}

/// The pin bears what acts on its vertex: all of it is known but what the velocities of other vertices take.
static void bear(mn_fabric *q, mn_fabric_hold *h, double dt)
{
    const double  mass  = q->step.inertia[h->vertex];
    double       *point = q->step.point + 6 * (int64_t)h->vertex;
    mn_vec3      *force = &q->step.force[h->vertex];
    const mn_vec3 gain  = mn_sub3(mn_sub3(h->velocity, h->before), mn_scale3(dt, q->model.gravity));
    const mn_vec3 given = mn_sub3(mn_scale3(dt, *force), answer_of(point, h->velocity));
    h->impulse          = mn_sub3(mn_scale3(mass, gain), given);
    *force              = mn_v3(0, 0, 0);
    memset(point, 0, 6 * sizeof *point);
    if (q->step.near != NULL && q->step.near[h->vertex]) anchor(q, h, dt);
}

mn_status mn_fabric_pins_take(mn_fabric *q, const mn_step *step)
{
    q->step.hold_missing = q->step.hold_left = mn_v3(0, 0, 0);
    if (any_moves(q)) MN_TRY(carry(q, step->arena, step->dt));
    for (int64_t k = 0; k < q->step.hold_count; k++) bear(q, &q->step.hold[k], step->dt);
    return MN_OK;
}

mn_status mn_fabric_pins_anchor(mn_fabric *q, mn_arena *arena, double dt, const double *weight)
{
    if (q->step.hold_count == 0) return MN_OK;
    const mn_arena_mark mark = mn_arena_begin(arena);
    double             *seen = mn_arena_array(arena, double, 3 * q->vertices.count);
    if (seen == NULL) return MN_ERR_MEMORY;
    mn_points_collect(q->context, &q->step.faces, weight, seen, NULL);
    for (int64_t k = 0; k < q->step.hold_count; k++) {
        mn_fabric_hold *h = &q->step.hold[k];
        const double   *w = seen + 3 * (int64_t)h->vertex;
        if (h->stiffness == 0.0 && (w[0] > 0.0 || w[1] > 0.0 || w[2] > 0.0)) anchor(q, h, dt);
    }
    mn_arena_end(arena, mark);
    return MN_OK;
}

// --- in the products of the operator ---------------------------------------------------------------------------------

typedef struct product {
    mn_fabric    *q;
    const double *point;
    double       *v, *f;
    double        dt;
    mn_vec3       share;
} product;

static void hide(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const product *x = context;
    for (int64_t k = begin; k < end; k++) {
        mn_fabric_hold *h = &x->q->step.hold[k];
        double         *v = x->v + 3 * (int64_t)h->vertex;
        h->grid           = mn_v3(v[0], v[1], v[2]);
        v[0] = v[1] = v[2] = 0.0;
    }
}

void mn_fabric_pins_hide(mn_fabric *q, double *v)
{
    if (q->step.hold_count == 0) return;
    product x = { .q = q, .v = v };
    mn_parallel_for(mn_context_pool(q->context), q->step.hold_count, HELD_PER_BLOCK, hide, &x);
}

static double answer(int64_t begin, int64_t end, void *context)
{
    const product *x     = context;
    double         power = 0.0;
    for (int64_t k = begin; k < end; k++) {
        mn_fabric_hold *h   = &x->q->step.hold[k];
        double         *f   = x->f + 3 * (int64_t)h->vertex;
        const mn_vec3   own = answer_of(x->point + 6 * (int64_t)h->vertex, h->grid);
        h->row              = mn_v3(f[0], f[1], f[2]);
        f[0] = own.x, f[1] = own.y, f[2] = own.z;
        power += mn_dot3(own, h->grid);
    }
    return power;
}

double mn_fabric_pins_answer(mn_fabric *q, const double *point, double *f)
{
    if (q->step.hold_count == 0) return 0.0;
    product x = { .q = q, .point = point, .f = f };
    return mn_parallel_sum(mn_context_pool(q->context), q->step.hold_count, answer, &x);
}

// --- what pins bear, and where they put their vertices ---------------------------------------------------------------

static void settle(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const product *x = context;
    for (int64_t k = begin; k < end; k++) {
        mn_fabric_hold *h     = &x->q->step.hold[k];
        const mn_vec3   ahead = mn_sub3(h->velocity, h->grid), lag = mn_add3(lag_of(x->q, h), mn_scale3(x->dt, ahead));
        const mn_vec3   kept = mn_scale3(x->q->step.inertia[h->vertex], ahead);
        h->impulse           = mn_add3(h->impulse, mn_sub3(mn_add3(h->row, kept), x->share));
        h->impulse           = mn_add3(h->impulse, mn_scale3(x->dt * h->stiffness, lag));
        h->lag               = h->stiffness > 0.0 ? lag : mn_v3(0, 0, 0);
    }
}

void mn_fabric_pins_settle(mn_fabric *q, double dt)
{
    const int64_t n = q->step.hold_count;
    if (n == 0) return;
    mn_vec3 left = mn_add3(q->step.hold_missing, q->step.hold_left);
    for (int64_t k = 0; k < n; k++) left = mn_add3(left, q->step.hold[k].row);
    product x = { .q = q, .dt = dt, .share = mn_scale3(1.0 / (double)n, left) };
    mn_parallel_for(mn_context_pool(q->context), n, HELD_PER_BLOCK, settle, &x);
}

void mn_fabric_pins_lead(mn_fabric *q)
{
    for (int64_t k = 0; k < q->step.hold_count; k++) set_velocity(q, q->step.hold[k].vertex, q->step.hold[k].velocity);
}

static void place(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const product *x = context;
    mn_fabric     *q = x->q;
    for (int64_t k = begin; k < end; k++) {
        const mn_fabric_hold *h     = &q->step.hold[k];
        mn_fabric_held       *held  = &q->pieces[h->piece].held;
        const mn_vec3         more  = mn_sub3(velocity_of(q, h->vertex), h->velocity);
        const mn_vec3         taken = mn_sub3(h->impulse, mn_scale3(q->step.inertia[h->vertex], more));
        set_velocity(q, h->vertex, h->velocity);
        for (int a = 0; a < 3; a++) {
            q->vertices.position[a][h->vertex] = mn_get3(h->place, a);
            held->force[a][h->slot]            = mn_get3(taken, a) / x->dt;
            held->lag[a][h->slot]              = mn_get3(h->lag, a);
        }
    }
}

void mn_fabric_pins_place(mn_fabric *q, double dt)
{
    product x = { .q = q, .dt = dt };
    mn_parallel_for(mn_context_pool(q->context), q->step.hold_count, HELD_PER_BLOCK, place, &x);
}
