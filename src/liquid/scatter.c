// SPDX-License-Identifier: MPL-2.0
// liquid/scatter.c - the velocity goes back to the particles.
//
// Particles outside the surface by more than half a cell are spray (liquid 5.2): no liquid cell holds them, the
// projected velocity is not theirs, and the extrapolated one would let them hover. They fly: u += h g, C unchanged,
// until they lie on a solid: then they do not move into it, and stay where they are on one without slip. What flies
// takes nothing from the grid, so that no tiles are made for it (mn_liquid_activate).
#include "grid/around.h"
#include "grid/extrapolate.h"
#include "grid/spline.h"
#include "grid/transfer.h"
#include "liquid/liquid.h"

#include <string.h>

/// Layers of air faces that take the liquid's velocity (liquid 5.5).
#define AIR_LAYERS 4
/// Cells around a particle whose faces its kernel reads.
#define KERNEL_REACH 2
/// Distance from a solid, in cells, up to which spray lies on it: push-out leaves it at MN_LIQUID_STAND_OFF.
#define LYING_DISTANCE (1.5 * MN_LIQUID_STAND_OFF)

typedef struct spray_job {
    mn_liquid *q;
    mn_solids  solids;
    double     dt;
} spray_job;

/// If a solid is at x, `u` becomes a velocity that does not point into it. False if none is.
static bool turn_from_solid(const spray_job *job, mn_vec3 x, mn_vec3 *u)
{
    mn_vec3      n;
    int          which;
    const double d = mn_solids_distance(job->solids, x, &n, &which);
    if (which < 0 || d > LYING_DISTANCE * job->q->model.grid.cell) return false;
    const mn_vec3 solid = mn_solid_velocity(&job->solids.list[which], x);
    const double  into  = mn_dot3(mn_sub3(*u, solid), n);
    if (into < 0.0) *u = job->solids.list[which].no_slip ? solid : mn_sub3(*u, mn_scale3(into, n));
    return true;
}

/// Distance of what leaves x with velocity u from the solids at the end of the step, and the normal there. The solids
/// are where they were at its begin: those that move are met by the way relative to them.
static double distance_after(const spray_job *job, mn_vec3 x, mn_vec3 u, mn_vec3 *n)
{
    double least = INFINITY;
    *n           = mn_v3(0, 1, 0);
    for (int k = 0; k < job->solids.count; k++) {
        const mn_solid *s   = &job->solids.list[k];
        const mn_vec3   end = mn_add3(x, mn_scale3(job->dt, mn_sub3(u, mn_solid_velocity(s, x))));
        mn_vec3         normal;
        const double    d = mn_solids_distance((mn_solids){ s, 1 }, end, &normal, NULL);
        if (d < least) least = d, *n = normal;
    }
    return least;
}

/// Velocity of spray at x, if it lies on a solid: not into it, and up to what it would meet next and no farther. Where
/// a wall meets the floor the wall may be the nearer one, and what fell along it would fall on there for ever.
static mn_vec3 velocity_on_solid(const spray_job *job, mn_vec3 x, mn_vec3 u)
{
    if (!turn_from_solid(job, x, &u)) return u;
    mn_vec3      n;
    const double off = MN_LIQUID_STAND_OFF * job->q->model.grid.cell;
    const double d   = distance_after(job, x, u, &n);
    return d < off ? mn_add3(u, mn_scale3((off - d) / job->dt, n)) : u;
}

/// Level set at a point by linear interpolation between cell centres.
static double level_at(const mn_liquid_scratch *s, mn_vec3 x)
{
    const mn_cells_around around = mn_tiles_around(&s->tiles, x);
    double                value  = 0.0;
    for (int k = 0; k < around.count; k++)
        value += around.weight[k] *
                 (around.tile[k] != 0 ? s->level[mn_around_place(&s->tiles, &around, k)] : 1.5 * s->tiles.def.cell);
    return value;
}

/// What the drag of an owner of room did to spray at a point: component `a`, by the weights with which particles gave
/// to the faces, so that the momentum that the owner got is that which spray loses.
static double kick_at(const mn_room_owner *owner, int a, const mn_vec3 x)
{
    const mn_grid_def *g = &owner->tiles->def;
    int32_t            first[3];
    double             w[3][3], sum = 0.0;
    for (int b = 0; b < 3; b++) {
        const double place = mn_place_in_cells(mn_get3(x, b), mn_get3(g->origin, b), 1.0 / g->cell) -
                             (b == a ? 0.0 : 0.5);
        const int32_t middle = mn_cell_floor(place + 0.5);
        const double  t      = place - (double)middle;
        first[b]             = middle - 1;
        mn_spline_weights(t, w[b]);
    }
    for (int k = 0; k < 27; k++) {
        const int     d[3] = { k % 3, k / 3 % 3, k / 9 };
        const int32_t i[3] = { first[0] + d[0], first[1] + d[1], first[2] + d[2] };
        const int32_t tile = mn_tiles_find(owner->tiles, (mn_tile_coord){ i[0] >> 3, i[1] >> 3, i[2] >> 3 });
        const int64_t at   = (int64_t)tile * owner->tiles->cells + mn_cell_in_tile(i[0] & 7, i[1] & 7, i[2] & 7);
        if (tile > 0) sum += w[0][d[0]] * w[1][d[1]] * w[2][d[2]] * owner->kick[a][at];
    }
    return sum;
}

/// Particle i flies; `near_solid` if a solid may be in reach.
static void fly(const spray_job *job, int64_t i, mn_vec3 x, bool near_solid)
{
    mn_liquid                 *q      = job->q;
    mn_liquid_particles       *p      = mn_liquid_now(q);
    const mn_liquid_particles *before = &q->particles[1 - q->current];
    const int32_t              was    = q->grid.origin[i];
    mn_vec3                    u = mn_v3(before->velocity[0][was], before->velocity[1][was], before->velocity[2][was]);
    u                            = mn_add3(u, mn_scale3(job->dt, q->model.gravity));
    for (int k = 0; k < q->room.owners; k++) {
        const mn_room_owner *owner = &q->room.owner[k];
        if (owner->kick[0] != NULL)
            u = mn_add3(u, mn_v3(kick_at(owner, 0, x), kick_at(owner, 1, x), kick_at(owner, 2, x)));
    }
    if (near_solid) u = velocity_on_solid(job, x, u);
    for (int a = 0; a < q->model.grid.dimension; a++) p->velocity[a][i] = mn_get3(u, a);
    for (int a = 0; a < 9; a++) p->affine[a][i] = before->affine[a][was];
    mn_liquid_forget(q, i);
}

static void spray_tiles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const spray_job           *job = context;
    const mn_liquid_scratch   *s   = &job->q->grid;
    const mn_liquid_particles *p   = mn_liquid_now(job->q);
    for (int64_t c = begin * s->tiles.cells; c < end * s->tiles.cells; c++) {
        if (s->wet[c] || s->bins.start[c] == s->bins.start[c + 1]) continue;
        for (int32_t i = s->bins.start[c]; i < s->bins.start[c + 1]; i++) {
            const mn_vec3 x = mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]);
            if (level_at(s, x) >= MN_SPRAY_DISTANCE * s->tiles.def.cell) fly(job, i, x, s->solid.kernel_open[c] < 1.0f);
        }
    }
}

/// What lies in no tile, behind the others.
static void left_out_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const spray_job           *job = context;
    const mn_liquid_particles *p   = mn_liquid_now(job->q);
    for (int64_t i = job->q->grid.bins.count + begin; i < job->q->grid.bins.count + end; i++)
        fly(job, i, mn_v3(p->position[0][i], p->position[1][i], p->position[2][i]), true);
}

static void damp_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const spray_job     *job   = context;
    mn_liquid_particles *p     = mn_liquid_now(job->q);
    const double         share = exp(-job->dt * job->q->model.solver.affine_damping);
    for (int a = 0; a < 9; a++)
        for (int64_t i = begin; i < end; i++) p->affine[a][i] *= share;
}

/// The velocity beyond the liquid and in solids, as far as the kernels of particles reach.
static mn_status extend_velocity(mn_liquid *q, const mn_step *step)
{
    mn_liquid_scratch        *s    = &q->grid;
    const mn_extrapolate_mode mode = q->model.solver.extrapolation == MN_EXTRAPOLATION_LINEAR ? MN_EXTRAPOLATE_LINEAR
                                                                                              : MN_EXTRAPOLATE_AVERAGE;
    const uint8_t            *near;
    MN_TRY(mn_extrapolate_faces(q->context, step->arena, &s->tiles, mode, AIR_LAYERS, s->velocity, s->known));
    mn_liquid_room_lead(q, s->velocity, true);
    MN_TRY(mn_bins_reach(q->context, step->arena, &s->tiles, &s->bins, KERNEL_REACH, &near));
    mn_solid_fields solid = s->solid;
    solid.loose           = s->loose;
    mn_solid_mirror_faces(mn_context_pool(q->context), &s->tiles, &solid, step->solids, near, step->dt, s->known,
                          s->velocity);
    return MN_OK;
}

mn_status mn_liquid_scatter(mn_liquid *q, const mn_step *step)
{
    if (!mn_liquid_present(q)) return MN_OK;
    mn_liquid_scratch   *s    = &q->grid;
    mn_liquid_particles *p    = mn_liquid_now(q);
    mn_pool             *pool = mn_context_pool(q->context);
    mn_liquid_lend_particles(q, step->arena);  // still to be written
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = extend_velocity(q, step);
    mn_arena_end(step->arena, mark);
    mn_arena_take_back(step->arena);
    if (status != MN_OK) return status;

    mn_particle_arrays arrays = { .count = p->count, .volume = p->volume[0] };
    memcpy(arrays.position, p->position, sizeof arrays.position);
    memcpy(arrays.velocity, p->velocity, sizeof arrays.velocity);
    memcpy(arrays.affine, p->affine, sizeof arrays.affine);
    mn_faces_to_particles(q->context, &s->tiles, &s->bins, (const double *const *)s->velocity, &arrays);
    MN_TRY(mn_liquid_keep(q, step->arena, step->dt));
    spray_job job = { q, step->solids, step->dt };
    mn_parallel_for(pool, s->tiles.count, 4, spray_tiles, &job);
    mn_parallel_for(pool, p->count - s->bins.count, MN_BLOCK, left_out_block, &job);
    if (q->model.solver.affine_damping > 0.0) mn_parallel_for(pool, p->count, MN_BLOCK, damp_block, &job);
    return MN_OK;
}
