// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_mirror.c - velocities of the faces inside solids (liquid 5.5).
//
// With r the velocity relative to the solid, interpolated at the mirror point, the ghost is r - 2 (r.n) n (slip) or -r
// (no slip). Near the wall some of the faces around the mirror point are closed themselves. Their values are taken to
// be those of the ghost: r = S + (1 - W) ghost for each component, with S the sum and W the weight of its open faces.
// Without slip the ghost is -S / (2 - W): a velocity that grows linearly from the wall is continued exactly. With slip
// the components depend on each other; their solution (slip_ghost) leaves a flow along the wall as it is, however the
// wall lies.
//
// Behind the edge of two walls the mirror point of the one is inside the other, and all around it is closed: the
// velocity there is in turn that of the ghost of the other. (As the wall's own velocity it would shear what flows along
// the edge, and the affine part of the particles would take that for a gradient to live on: a plug flow in a square
// duct grew.)
//
// Liquid that has let go of a solid (liquid/separate.c) takes nothing of it: the ghost is the velocity where it flows.
//
// Where a wall bends or turns its velocity counts with what is to pass it (solid_bend.c): else all that is near it
// moves straight into it, is pushed out, and crowds there.
//
// The ghost -r says that the velocity falls linearly to that of the wall over the distance d of the mirror point. Where
// the layer at the wall is thinner than that, the particles beside the wall read a fall that is not there, and the wall
// brakes as if the liquid had a viscosity of about r d / 4: in S1.6 hundreds of times its own, with films left hanging
// on walls. So the ghost is -r while r d is below `layer`, and beyond for the share layer / (r d) only; for the rest it
// is that of a slipping wall. The stress on the wall is the affair of the viscosity alone.
#include "grid/rows.h"
#include "grid/solid/solid_private.h"

#include <stdlib.h>

/// How deep inside a solid faces are filled, in cells.
#define DEPTH 2.5
/// Most solids near a tile that are picked out; where there are more, all are asked.
#define MAX_NEAR 8
/// Mirrors in a row: three walls meet in a corner, and an edge may be sharper than a right angle.
#define MAX_MIRRORS 4

typedef struct mirror_job {
    const mn_tiles        *tiles;
    const mn_solid_fields *fields;
    mn_solids              solids;  // all of them, or those near the tile at hand
    mn_solids              all;
    const uint8_t         *where;
    double                 dt;  // 0: walls are taken to be straight
    uint8_t *const        *known;
    double *const         *velocity;
} mirror_job;

/// Index of a cell counted from the tile at hand, up to one tile beyond it on every side; -1 outside all tiles or
/// farther.
static int64_t cell_near(const mn_tiles *t, int32_t tile, const int at[3])
{
    const int flat = t->tile_z == 1;
    const int dx = at[0] >> 3, dy = at[1] >> 3, dz = flat ? 0 : at[2] >> 3;
    if (abs(dx) > 1 || abs(dy) > 1 || abs(dz) > 1) return -1;
    const int32_t other = t->neighbor[tile][(dz + 1) * 9 + (dy + 1) * 3 + dx + 1];
    if (other == 0) return -1;
    return (int64_t)other * t->cells + mn_cell_in_tile(at[0] & 7, at[1] & 7, flat ? 0 : at[2] & 7);
}

/// Place in the world of a point given in cells from the low corner of a tile.
static mn_vec3 world_point(const mn_tiles *t, int32_t tile, mn_vec3 in)
{
    const mn_grid_def  *g = &t->def;
    const mn_tile_coord c = t->coord[tile];
    return mn_v3(g->origin.x + g->cell * (8.0 * c.x + in.x), g->origin.y + g->cell * (8.0 * c.y + in.y),
                 t->tile_z == 1 ? g->origin.z + 0.5 * g->depth : g->origin.z + g->cell * (8.0 * c.z + in.z));
}

typedef struct partial_sum {
    double sum, weight;
} partial_sum;

/// Linear interpolation of one component, relative to the velocity `u` of the solid, from open known faces.
/// `x` is in cells from the low corner of the tile.
static partial_sum interpolate(const mirror_job *job, int32_t tile, int axis, mn_vec3 x, double u)
{
    const bool  flat = job->tiles->tile_z == 1;
    int         base[3];
    double      part[3];
    partial_sum p = { 0.0, 0.0 };
    for (int a = 0; a < 3; a++) {
        const double s = mn_get3(x, a) - (a == axis ? 0.0 : 0.5);
        base[a]        = (int)floor(s);
        part[a]        = s - base[a];
    }
    if (flat) base[2] = 0, part[2] = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        const int high[3] = { corner & 1, corner >> 1 & 1, corner >> 2 };
        double    weight  = 1.0;
        int       at[3];
        for (int a = 0; a < 3; a++) {
            weight *= high[a] ? part[a] : 1.0 - part[a];
            at[a] = base[a] + high[a];
        }
        if (weight <= 0.0) continue;
        const int64_t i = cell_near(job->tiles, tile, at);
        if (i < 0 || job->fields->open[axis][i] <= 0.0f || !job->known[axis][i]) continue;
        p.sum += weight * (job->velocity[axis][i] - u);
        p.weight += weight;
    }
    return p;
}

/// How much of the distance from the wall its layer takes up, for a liquid that slides along it at `speed`.
static double layer_share(const mn_solid *s, double speed, double distance)
{
    if (!s->no_slip) return 0.0;
    return s->layer == 0.0 || speed * distance <= s->layer ? 1.0 : s->layer / (speed * distance);
}

/// The ghost of a wall with slip. With s = r.n the equations r_a = S_a + (1 - W_a) (r_a - 2 n_a s) give r_a = k_a - 2
/// m_a s, k_a = S_a / W_a, m_a = (1 / W_a - 1) n_a, and s by the sum of n_a r_a. Components that nothing is known of
/// count as 0.
///
/// At a plane W_a is at least (1 - n_a^2) / 2: faces are closed only if they are inside with both ends. In a corner
/// another solid closes faces, too, and m_a would throw the normal part of k sideways, so W_a counts as no less than
/// that in m_a and s. A flow along the wall has s = 0 and is left as it is in any case.
static mn_vec3 slip_ghost(const partial_sum part[3], mn_vec3 n)
{
    double kept[3] = { 0.0, 0.0, 0.0 }, lost[3] = { 0.0, 0.0, 0.0 }, all = 1.0, squares = 0.0, up = 0.0, down = 0.0;
    for (int a = 0; a < 3; a++) {
        const double na = mn_get3(n, a);
        if (part[a].weight <= 0.0) continue;
        kept[a] = part[a].sum / part[a].weight;
        if (na == 0.0) continue;
        const double least = 0.5 * (1.0 - na * na), weight = part[a].weight > least ? part[a].weight : least;
        const double sum = part[a].weight > least ? part[a].sum : weight * kept[a];
        lost[a]          = (1.0 / weight - 1.0) * na;
        // up / down = s with both multiplied by all weights, so that none divides
        up   = up * weight + na * sum * all;
        down = down * weight + 2.0 * na * na * all;
        all *= weight;
        squares += na * na;
    }
    const double  s = up / (down + all * (1.0 - 2.0 * squares));
    const mn_vec3 k = mn_v3_from(kept), m = mn_v3_from(lost);
    const mn_vec3 along = mn_sub3(k, mn_scale3(mn_dot3(k, n), n)), turned = mn_sub3(m, mn_scale3(mn_dot3(m, n), n));
    return mn_sub3(mn_sub3(along, mn_scale3(2.0 * s, turned)), mn_scale3(s, n));
}

typedef enum ghost_found { TOO_DEEP, NOTHING_KNOWN, FOUND } ghost_found;

static ghost_found ghost_at(const mirror_job *job, int32_t tile, int axis, mn_vec3 in, int mirrors, double *out);

/// What is known of a component at a point, from the faces around it or, inside another solid, from its ghost.
static partial_sum known_at(const mirror_job *job, int32_t tile, int axis, mn_vec3 in, double u, int mirrors)
{
    const partial_sum p   = interpolate(job, tile, axis, in, u);
    mirror_job        all = *job;
    double            ghost;
    if (p.weight > 0.0 || mirrors == 0) return p;
    all.solids = job->all;
    if (mn_solids_distance(all.solids, world_point(job->tiles, tile, in), NULL, NULL) >= 0.0) return p;
    return ghost_at(&all, tile, axis, in, mirrors, &ghost) == FOUND ? (partial_sum){ ghost - u, 1.0 } : p;
}

/// Component `axis` of the velocity of the ghost at a mirror point as far from the solid as the ghost is inside. False
/// if nothing is known there. Other components take part only as far as the normal or the layer's thickness asks for
/// them.
static bool ghost_velocity(const mirror_job *job, int32_t tile, int axis, mn_vec3 mirror, const mn_solid *s, mn_vec3 n,
                           mn_vec3 wall, double distance, int mirrors, double *out)
{
    mn_vec3     solid     = mn_solid_velocity(s, wall);
    partial_sum part[3]   = { { 0.0, 0.0 }, { 0.0, 0.0 }, { 0.0, 0.0 } };
    double      turned[3] = { 0.0, 0.0, 0.0 };
    bool        any       = false;
    const bool  layered = s->no_slip && s->layer > 0.0, across = mn_get3(n, axis) != 0.0;
    const bool  bends = job->dt > 0.0 && across && mn_solids_bend((mn_solids){ s, 1 }), mixed = !s->no_slip && across;
    for (int a = 0; a < (job->tiles->tile_z == 1 ? 2 : 3); a++) {
        if (a != axis && !layered && !bends && !(mixed && mn_get3(n, a) != 0.0)) continue;
        part[a] = known_at(job, tile, a, mirror, mn_get3(solid, a), mirrors - 1);
        any     = any || (part[a].weight > 0.0 && (a == axis || (mixed && mn_get3(n, a) != 0.0)));
    }
    if (bends) {
        const mn_vec3 there = slip_ghost(part, n), u = mn_add3(solid, mn_sub3(there, mn_scale3(mn_dot3(there, n), n)));
        const mn_vec3 pass = mn_scale3(mn_solid_outflow((mn_solids){ s, 1 }, wall, u, job->tiles->def.cell, job->dt),
                                       n);
        for (int a = 0; a < 3; a++) part[a].sum += part[a].weight * mn_get3(pass, a);
        solid = mn_sub3(solid, pass);
    }
    for (int a = 0; a < 3; a++) turned[a] = part[a].sum / (2.0 - part[a].weight);
    const mn_vec3 slip = slip_ghost(part, n), t = mn_v3_from(turned);
    const mn_vec3 along = mn_sub3(slip, mn_scale3(mn_dot3(slip, n), n));
    const double  share = layer_share(s, mn_norm3(along), distance);
    *out                = mn_get3(mn_add3(solid, mn_sub3(mn_scale3(1.0 - share, slip), mn_scale3(share, t))), axis);
    return any;
}

/// Component `axis` of the velocity half a cell before the wall at least, `before` cells from it along n, if the liquid
/// there has let go of it and leaves.
static bool leaves_wall(const mirror_job *job, int32_t tile, int axis, mn_vec3 wall, mn_vec3 n, double before,
                        mn_vec3 solid, double *out)
{
    const mn_vec3 x     = mn_add3(wall, mn_scale3(before > 0.5 ? before : 0.5, n));
    const int     at[3] = { (int)floor(x.x), (int)floor(x.y), job->tiles->tile_z == 1 ? 0 : (int)floor(x.z) };
    const int64_t cell  = cell_near(job->tiles, tile, at);
    double        away  = 0.0;
    if (cell < 0 || !job->fields->loose[cell]) return false;
    for (int a = 0; a < (job->tiles->tile_z == 1 ? 2 : 3); a++) {
        const partial_sum p = interpolate(job, tile, a, x, mn_get3(solid, a));
        if (p.weight <= 0.0 && a == axis) return false;
        if (p.weight <= 0.0) continue;
        away += p.sum / p.weight * mn_get3(n, a);
        if (a == axis) *out = mn_get3(solid, a) + p.sum / p.weight;
    }
    return away > 0.0;
}

/// Component `axis` of the velocity that is to be at a point inside a solid; where nothing is known the solid's.
static ghost_found ghost_at(const mirror_job *job, int32_t tile, int axis, mn_vec3 in, int mirrors, double *out)
{
    const double  cell = job->tiles->def.cell;
    const mn_vec3 x    = world_point(job->tiles, tile, in);
    mn_vec3       n;
    int           which;
    const double  d = mn_solids_distance(job->solids, x, &n, &which);
    if (which < 0 || d < -DEPTH * cell) return TOO_DEEP;
    const mn_solid *s      = &job->solids.list[which];
    const double    inside = d < 0.0 ? -2.0 * d / cell : 0.0;  // a tiny cell may be closed outside the solid
    const mn_vec3   mirror = mn_add3(in, mn_scale3(inside, n));
    const mn_vec3   wall   = mn_add3(x, mn_scale3(0.5 * inside * cell, n));
    if (job->fields->loose != NULL && leaves_wall(job, tile, axis, mn_add3(in, mn_scale3(0.5 * inside, n)), n,
                                                  0.5 * inside, mn_solid_velocity(s, wall), out))
        return FOUND;
    if (ghost_velocity(job, tile, axis, mirror, s, n, wall, 0.5 * inside * cell, mirrors, out)) return FOUND;
    *out = mn_get3(mn_solid_velocity(s, wall), axis);
    return NOTHING_KNOWN;
}

static void mirror_face(const mirror_job *job, int32_t tile, int axis, int cell)
{
    const int64_t     i  = (int64_t)tile * job->tiles->cells + cell;
    const mn_vec3     in = mn_v3((cell & 7) + (axis != 0) * 0.5, (cell >> 3 & 7) + (axis != 1) * 0.5,
                                 (cell >> 6) + (axis != 2) * 0.5);
    double            ghost;
    const ghost_found found = ghost_at(job, tile, axis, in, MAX_MIRRORS, &ghost);
    if (found == TOO_DEEP) return;
    job->velocity[axis][i] = ghost;
    job->known[axis][i]    = found == FOUND;
}

/// The closed faces of one axis in a row, as bits, as far as they are wanted.
static uint8_t closed_faces(const mirror_job *job, int axis, int64_t at)
{
    const uint8_t wanted = job->where != NULL ? job->where[at / MN_TILE] : UINT8_MAX;
    const float  *open   = job->fields->open[axis] + at;
    uint8_t       closed = 0;
    for (int x = 0; x < MN_TILE && wanted != 0; x++) closed |= (uint8_t)((open[x] <= 0.0f) << x);
    return closed & wanted;
}

/// The solids that can be nearest to a closed face of a tile. Those away from it are more than a cell from all its
/// faces, and a closed face is nearer than that to what closes it.
static mirror_job near_tile(const mirror_job *job, int32_t tile, mn_solid near[MAX_NEAR])
{
    mirror_job here = *job;
    here.solids     = (mn_solids){ near, 0 };
    for (int k = 0; k < job->solids.count; k++) {
        const mn_solid *s        = &job->solids.list[k];
        const bool      repeated = s->period[0] > 0.0 || s->period[1] > 0.0 || s->period[2] > 0.0;
        if (!repeated && mn_solid_tile_reach(job->tiles, tile, s) == MN_SOLID_AWAY) continue;
        if (here.solids.count == MAX_NEAR) return *job;
        near[here.solids.count++] = *s;
    }
    return here;
}

static void mirror_range(int64_t begin, int64_t end, int worker, void *context)
{
    const mirror_job *job = context;
    (void)worker;
    for (int32_t tile = begin > 0 ? (int32_t)begin : 1; tile < (int32_t)end; tile++) {
        if (job->fields->touched[tile] != 1) continue;  // the faces of one that is solid throughout weigh nothing
        mn_solid         near[MAX_NEAR];
        const mirror_job here = near_tile(job, tile, near);
        for (int axis = 0; axis < (job->tiles->tile_z == 1 ? 2 : 3); axis++)
            for (int32_t row = 0; row < mn_rows_of(job->tiles); row++) {
                const uint8_t closed = closed_faces(job, axis, (int64_t)tile * job->tiles->cells + row * MN_TILE);
                for (int x = 0; closed >> x != 0; x++)
                    if (closed >> x & 1) mirror_face(&here, tile, axis, row * MN_TILE + x);
            }
    }
}

void mn_solid_mirror_faces(mn_pool *pool, const mn_tiles *tiles, const mn_solid_fields *fields, mn_solids solids,
                           const uint8_t *where, double dt, uint8_t *const known[3], double *const velocity[3])
{
    mirror_job job = { tiles, fields, solids, solids, where, dt, known, velocity };
    mn_parallel_for(pool, tiles->count, 4, mirror_range, &job);
}
