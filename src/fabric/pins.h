// SPDX-License-Identifier: MPL-2.0
// fabric/pins.h - what holds vertices to where a motion takes them (wet-fabric 5.4, fabric-operator 3.2).
//
// A hard pin is no force: its vertices are where the motion puts them. To the elasticity of the fabric their velocity
// is given, to the faces of the grid they bring their mass with that velocity, and what they bear is read off after the
// solve. On the grid nothing holds them but that mass, so that fabric beside them moves as its own forces ask; where
// other fabric or liquid leans on them an anchor holds the grid there, a spring of the velocity that faces have beyond
// theirs. A soft pin is a spring and no more.
#ifndef MN_FABRIC_PINS_H
#define MN_FABRIC_PINS_H

#include "fabric/fabric.h"

/// Whether a pin holds at a time.
static inline bool mn_fabric_pin_holds(const mn_fabric_pin *pin, double time)
{
    return time >= pin->begin && time < pin->end;
}
/// Whether it is this pin that holds its vertex j then: of several hard ones the first does.
bool mn_fabric_pin_has(const mn_fabric_piece *piece, int pin, int64_t j, double time);
/// Force of a fabric on one of its pins as the last step left it, dyn.
mn_vec3 mn_fabric_pin_force(const mn_fabric *q, const mn_fabric_piece *piece, int pin, double time);
/// Spring of an anchor, dyn/cm: twice the contact modulus over the size of a vertex (wet-fabric 5.4).
double mn_fabric_anchor_stiffness(const mn_fabric *q, const mn_fabric_piece *piece, int64_t v);

/// Springs of soft pins; the vertices that hard ones hold in this step, with their velocity.
mn_status mn_fabric_pins_find(mn_fabric *q, const mn_step *step);
/// Once all forces are known: those on held vertices, and what their motion does to the others.
mn_status mn_fabric_pins_take(mn_fabric *q, const mn_step *step);
/// Anchor the held vertices whose faces have `weight`, a value a face.
mn_status mn_fabric_pins_anchor(mn_fabric *q, mn_arena *arena, double dt, const double *weight);

/// Within a product of the operator: held vertices answer nothing to the faces. Velocities (3 per vertex) lose them ...
void mn_fabric_pins_hide(mn_fabric *q, double *v);
/// ... and of what answers (3 per vertex) they get that of the anchors, with `point` what holds vertices. Their power.
double mn_fabric_pins_answer(mn_fabric *q, const double *point, double *f);

/// After the last product of a step, that of its velocity: what the pins bear.
void mn_fabric_pins_settle(mn_fabric *q, double dt);
/// Velocities of held vertices are those of their pins.
void mn_fabric_pins_lead(mn_fabric *q);
/// Held vertices to their places, the forces on their pins to the state.
void mn_fabric_pins_place(mn_fabric *q, double dt);

// pins_faces.c: in a solve with liquid, between the gather and the scatter

/// Which faces see held vertices alone.
mn_status mn_fabric_pins_list_faces(mn_fabric *q, mn_arena *arena);
/// Before the solve: those faces go as the pins do, and held vertices that see others with `liquid` (a value a face)
/// are anchored.
mn_status mn_fabric_pins_meet_liquid(mn_fabric *q, mn_arena *arena, double dt, const double *liquid);
/// After the last product: what their velocities u say that the pins bear there.
void mn_fabric_pins_bear_faces(mn_fabric *q, const double *u);
/// Their own mass and momentum again.
void mn_fabric_pins_leave_liquid(mn_fabric *q);

#endif
