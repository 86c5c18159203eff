// SPDX-License-Identifier: MPL-2.0
// couple/mixture.h - a liquid and the thin matters in it where they share the faces of the grid (wet-fabric 5.7-5.10,
// mixture-solve).
//
// A matter whose points see numbered faces (grid/point_faces.h) enters as a phase: what its points bring to the faces,
// and how it answers impulses on them. No file of the mixture knows which matter that is; couple/liquid_fabric.c is the
// one where fabric enters. All phases of a mixture share one numbering of the faces: mn_point_faces_build with the
// points of all of them, mn_point_faces_part for those of each. A face without points has no number and is the
// liquid's own business: coefficient open / theta, velocity as the liquid gathered it.
//
// A vector holds `stride` values for each phase, one phase after the other: faces, and zeros behind them.
//
// The unknown of the pressure is that of the bulk, p^ = h p / (rho cell) in cm/s. With v the volume of a cell, the rows
// of mixture-solve (M1) then read, per face, h V G p = rho V (p^_high - p^_low), and per cell, divided by h cell^2,
//     sum over faces of +- (V_s u_s + V_f u_f) / v = target.
#ifndef MN_COUPLE_MIXTURE_H
#define MN_COUPLE_MIXTURE_H

#include "contact/settle.h"
#include "grid/point_faces.h"
#include "liquid/liquid.h"

/// Thin matters that can be in one liquid together.
#define MN_MIXTURE_PHASES 3

/// What the points of a phase bring to the faces, as sums with their weights: zeroed room for it.
typedef struct mn_phase_brings {
    double *volume;       ///< cm^3, of fibre and of liquid that the phase holds
    double *bulk;         ///< cm^3, of the phase with its pores
    double *normal;       ///< bulk volume times n_a^2, a the axis of the face
    double *drag_linear;  ///< g/s: linear drag times bulk volume along the axis
    double *drag_growth;  ///< the same of what grows with speed^exponent
    double *exponent;     ///< bulk volume times exponent
    double *published;    ///< bulk volume whose drag is without the factor of D20; NULL: none. For bring to make
} mn_phase_brings;

/// A stress of the phase at its points that pulls the liquid (wet-fabric 5.7): bulk volume times xx, yy, zz, yz, xz,
/// xy, and the bulk volume.
typedef struct mn_phase_stress {
    double *part[7];
} mn_phase_stress;

/// How a matter answers. `matter` is its own; vectors are those of its faces alone. In the order in which they are
/// called: `bring` and `stress` while the faces are made, the others in a solve, `load` before each of its passes.
typedef struct mn_phase_answers {
    mn_status (*bring)(void *matter, mn_arena *arena, mn_phase_brings *out);
    /// False: there is none, or NULL if there never is. Without `out` it only says so.
    bool (*stress)(void *matter, const mn_phase_stress *out);
    /// Room for what follows, with the inertia that each face will have (g, filled in later); touches and the
    /// velocities of its points.
    mn_status (*begin)(void *matter, const mn_step *step, const double *inertia, mn_settling *out);
    /// Impulses of its own forces and of its touches as they stand, g cm/s.
    void (*load)(void *matter, double *load);
    /// to = W^T (h^2 H + P + contact) W from: its answer to a velocity, without inertia.
    void (*multiply)(void *matter, const double *from, double *to);
    /// Diagonal of that product, or of what of it a preconditioner should know.
    mn_status (*diagonal)(void *matter, mn_arena *arena, double *diagonal);
    /// Impulses of its forces if they go on as in the last steps; false: nothing is known of them.
    bool (*foresee)(void *matter, double *load);
    /// Velocities of its points from those of the faces, for its touches.
    void (*collect)(void *matter, const double *u);
    /// Change u by a common velocity so that the momentum b, all impulses on it, is met to rounding; then collect.
    void (*keep_momentum)(void *matter, const double *b, double *u);
    /// (inertia + multiply) u = impulse + load from u on, `first` time of the step: from a start of its own. Then
    /// keep_momentum. The sum is left in load; iterations add to those in the report.
    void (*solve)(void *matter, const double *impulse, double *load, bool first, double ease, double *u,
                  mn_solve_report *report);
    /// Touches have settled: anchors, for the state, at the velocities of the points as they are.
    void (*settled)(void *matter);
    /// u is the answer of the step: what the next one will want to know of it.
    void (*keep)(void *matter, const double *u);
} mn_phase_answers;

/// A matter in the mixture. All is borrowed from it.
typedef struct mn_phase {
    const mn_phase_answers *answers;
    void                   *matter;
    const mn_point_faces   *faces;     ///< the faces of the mixture as its points see them
    const double           *mass;      ///< M_s on faces, g
    const double           *momentum;  ///< on faces, g cm/s: what its points bring, with gravity
    double                **velocity;  ///< receives the answer of the solve, cm/s on faces
    int64_t                 points;
    const double *const    *position;        ///< of its points at the start of the step
    double *const          *point_velocity;  ///< as they are now
    const double           *point_mass;      ///< g
    double                **point_pressure;  ///< receives mn_mixture_pressure
    const uint8_t          *given;  ///< per face: its velocity is known, and its mass in the solve has no end; or NULL
    mn_settling             settling;  ///< by answers->begin
} mn_phase;

typedef struct mn_mixture {
    // who meets where
    mn_liquid            *liquid;
    mn_room_owner        *room;  ///< of the liquid, that the phases take
    double                dt;
    mn_phase              phase[MN_MIXTURE_PHASES];
    int                   phases;
    const mn_point_faces *faces;  ///< numbers of the faces
    bool     meets;   ///< some face has liquid; else nothing of what follows is made, and each goes its own way
    int32_t  count;   ///< faces; those of axis a: faces->axis_start
    int64_t  stride;  ///< of vectors
    int64_t *place;   ///< of the face in the fields of the liquid; 0: the liquid has no such face
    int64_t *home;    ///< of the face in the tiles of its numbers
    // the phases: vectors
    double *solid_volume;  ///< V_s, cm^3, fibre and held liquid, capped and times the open fraction (mixture-solve 1)
    double *bulk;          ///< V_c, cm^3, bulk volume of the phase at the face
    double *normal;        ///< N_aa: mean of n_a^2 over the phase at the face
    double *drag_linear;   ///< (C V_c) at rest, g/s: sum over the phase of linear drag times bulk volume along the axis
    double *drag_growth;   ///< the same of what grows with speed^exponent
    double *exponent;      ///< mean exponent of the phase at the face
    double *drag;          ///< c, g: impulse per relative velocity over the step, times open fraction
    double *solid_suction;  ///< impulse of the suction on the phase, g cm/s: the opposite of the liquid's
    // the liquid: values per face
    double *liquid_volume;  ///< V_f, cm^3: the rest of the open face if it borders a liquid cell, else 0
    double *liquid_mass;    ///< M_f, g: theta rho V_f beside a liquid cell, else that of the particles
    double *fill;  ///< share of the room left by the phases that is full, (0, 1]: theta beside a liquid cell, else by
                   ///< particles
    double *superficial;     ///< 1 - phi_i: factor of the speed in the drag law; its square multiplies the drag (D20)
    double *liquid_impulse;  ///< r_f, g cm/s: M_f times the velocity after gravity and viscosity, and suction
} mn_mixture;
// M_s is phase.mass; r_s is phase.momentum + solid_suction + the load.

/// Axis of a face.
static inline int mn_mixture_axis(const mn_mixture *m, int64_t face)
{
    const int32_t *start = m->faces->axis_start;
    return face < start[1] ? 0 : face < start[2] ? 1 : 2;
}

typedef struct mn_mixture_report {
    mn_solve_report pressure, solid;
    int             products, cycles;  ///< with the stiffness of the phases, and V-cycles
    double          divergence;        ///< largest one left in a liquid cell, 1/s
    double          divergence_share;  ///< norm of what is left over that before
    double          mismatch;          ///< of the drag impulse used against the law at the final velocity, as a share
    bool            coupled;
} mn_mixture_report;

/// A matter enters, once what its points have is on the faces (its own stage gather). All zero is a mixture of nothing.
mn_status mn_mixture_enter(mn_mixture *m, mn_context *c, const mn_phase *phase);

/// Everything of mn_mixture from the phases that entered and from what activate, forces and gather left in the scratch
/// of the liquid. Arrays come from the arena.
mn_status mn_mixture_faces(mn_mixture *m, mn_liquid *liquid, const mn_step *step);

/// Solve for the velocities of the phases, liquid velocity (on the faces of the liquid, with known set) and pressure
/// (liquid->grid.pressure); touches of solids included. Which of the two ways is taken follows model.solver.mixture.
mn_status mn_mixture_solve(mn_mixture *m, const mn_step *step, mn_mixture_report *report);
/// After the solve: pressure at the points of the phases, dyn/cm^2, 0 away from the liquid.
mn_status mn_mixture_pressure(mn_mixture *m, const mn_step *step);

/// One system in the velocities of the phases and pressure (mixture-solve 2-7).
mn_status mn_mixture_solve_coupled(mn_mixture *m, const mn_step *step, mn_mixture_report *report);
/// Pressure with explicit elasticity, then the phases, then the liquid (wet-fabric 5.8-5.10).
mn_status mn_mixture_solve_split(mn_mixture *m, const mn_step *step, mn_mixture_report *report);

/// Velocity of the phases on the faces that liquid has not reached, from their points as they move now: before the
/// liquid is scattered, after the phases were. The solved velocity of such faces is that of a mass that vanishes, and
/// says nothing.
mn_status mn_mixture_lead(mn_mixture *m, const mn_step *step);

#endif
