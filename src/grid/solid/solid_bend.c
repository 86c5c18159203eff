// SPDX-License-Identifier: MPL-2.0
// grid/solid/solid_bend.c - what is to pass a wall that bends or turns, so that a straight move ends on it
// (liquid 5.8a).
//
// The move x + h u is straight. Along a wall of radius R it leads away from the wall by h^2 u^2 / 2R, and along one
// that turns by what the turning adds. The divergence asked for in the liquid (project.c) is that of the same move:
// with no flux through the wall of a round vessel no velocity has it, and the pressure, in search of one, takes the
// swirl away. So the flux is the one with d(t + h, x + h u) = d(t, x), d the distance from the wall.
#include "grid/solid/solid.h"

/// Cosine of the angle by which a wall turns within a step and is still a bent one. One that turns more has an edge
/// there, which liquid does not follow.
#define EDGE 0.8

/// Radius, in cells, below which a bend is an edge to the grid, too: the rim of a glass, followed, threw out liquid at
/// 100 m/s.
#define NARROW 3.0

/// How much farther from solid `s` the place x + way is than x, where its distance is d and its normal n; 0 beyond an
/// edge.
static double gained(const mn_solid *s, mn_vec3 x, mn_vec3 way, double d, mn_vec3 n)
{
    mn_vec3      there;
    const double far = mn_solids_distance((mn_solids){ s, 1 }, mn_add3(x, way), &there, NULL);
    return mn_dot3(there, n) < EDGE ? 0.0 : far - d;
}

/// The gain that goes both ways: beside an edge there is one on its side only.
static double smaller_of(double a, double b)
{
    if (a * b <= 0.0) return 0.0;
    return fabs(a) < fabs(b) ? a : b;
}

double mn_solid_outflow(mn_solids solids, mn_vec3 x, mn_vec3 u, double cell, double dt)
{
    mn_vec3      n;
    int          which;
    const double d = mn_solids_distance(solids, x, &n, &which);
    if (which < 0) return 0.0;
    const mn_solid *s    = &solids.list[which];
    const mn_vec3   wall = mn_solid_velocity(s, x), along = mn_sub3(u, wall);
    const mn_vec3   way  = mn_scale3(dt, mn_sub3(along, mn_scale3(mn_dot3(along, n), n)));
    double          gain = 0.0;
    if (mn_shape_kind_of(s->shape) != MN_SHAPE_PLANE)
        gain = smaller_of(gained(s, x, way, d, n), gained(s, x, mn_scale3(-1.0, way), d, n));
    if (fabs(gain) > mn_dot3(way, way) / (2.0 * NARROW * cell)) gain = 0.0;
    if (s->moving) {
        // In the frame of the solid: what turning does to the way, and half the step's pull towards the axis.
        const mn_vec3 spun = mn_scale3(0.5 * dt, mn_sub3(wall, s->pose.linear));
        gain -= dt * mn_dot3(mn_cross3(s->pose.angular, mn_add3(way, spun)), n);
    }
    return gain / dt;
}

bool mn_solids_bend(mn_solids solids)
{
    for (int k = 0; k < solids.count; k++)
        if (mn_shape_kind_of(solids.list[k].shape) != MN_SHAPE_PLANE ||
            (solids.list[k].moving && mn_norm3(solids.list[k].pose.angular) > 0.0))
            return true;
    return false;
}
