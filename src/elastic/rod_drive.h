// SPDX-License-Identifier: MPL-2.0
// elastic/rod_drive.h - strands stepped on their own, without grid or liquid: linearised or by Newton's method, and
// their equilibria (elastic-rods 7).
//
// Every strand is one symmetric band matrix: half-bandwidth 10 when open, 19 when closed (folded order of vertices).
// Strands that share vertices are refused: a junction couples bands, and the caller's block solver is the place for it.
#ifndef MN_ELASTIC_ROD_DRIVE_H
#define MN_ELASTIC_ROD_DRIVE_H

#include "elastic/rod_network.h"
#include "solve/banded.h"

typedef struct mn_rod_drive_def {
    double         h;  ///< s; INFINITY: the equilibrium, velocities play no part
    mn_rod_policy  policy;
    bool           newton;  ///< false: one linearised solve
    int            max_iterations;
    double         tolerance;  ///< of the last iteration: change of positions over rest length, of angles in rad
    const double  *mass;       ///< per vertex
    const double  *inertia;    ///< per edge
    const mn_vec3 *force;      ///< per vertex, constant over the step; NULL: none
    const double  *torque;     ///< per edge; NULL: none
    const uint8_t
        *held_vertex;          ///< bits 1, 2, 4: x, y, z keep the velocity they have (at equilibrium: stay); NULL: none
    const uint8_t *held_edge;  ///< angles likewise; NULL: none
} mn_rod_drive_def;
/// Newton, exact Hessian, 200 iterations, 1e-10. Mass and inertia are the caller's.
mn_rod_drive_def mn_rod_drive_def_default(double h);

typedef struct mn_rod_drive_report {
    int     iterations;  ///< most of any strand
    int     failed;      ///< strands whose iteration did not converge; the state is then as before
    double  change;      ///< largest last change
    int64_t folded;      ///< corners below the cap, in the new state
} mn_rod_drive_report;

typedef struct mn_rod_drive {
    mn_rod_network           *net;
    mn_vec3                  *x, *x0;        ///< trial positions, start
    double                   *angle, *rate;  ///< trial angles, new rates
    struct mn_rod_drive_desk *desk;          ///< per worker
    int                       desks;
    struct mn_rod_drive_end  *end;  ///< per strand: how its iteration ended
} mn_rod_drive;

mn_status mn_rod_drive_create(mn_rod_network *net, mn_rod_drive *out);
void      mn_rod_drive_destroy(mn_rod_drive *d);

/// One step from (x, v) and the network's angles and rates to the end of the step; frames advance once. If a strand
/// fails nothing changes and the report says so.
mn_status mn_rod_drive_step(mn_rod_drive *d, const mn_rod_drive_def *def, mn_vec3 *x, mn_vec3 *v,
                            mn_rod_drive_report *report);
/// Negative eigenvalues of M / h^2 + Hessian of strand s at x: 0 where it is stable.
mn_status mn_rod_drive_unstable(mn_rod_drive *d, const mn_rod_drive_def *def, int32_t s, const mn_vec3 *x,
                                int32_t *negative);

#endif
