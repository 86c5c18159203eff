// SPDX-License-Identifier: MPL-2.0
// verify/thin/span.h - a strip of cloth or a yarn in a world of its own, held at one end or at both by hard pins: what
// the cases share that ask a world about bending, stretch and twist. Made by the public API alone.
#ifndef MN_VERIFY_SPAN_H
#define MN_VERIFY_SPAN_H

#include "meniscus/world.h"

#include "math/vec.h"
#include "verify/verify.h"

typedef struct mn_span {
    bool   yarn;
    int    columns;         ///< edges of its free part
    double length;          ///< cm, see mn_span_spacing
    int    held, far_held;  ///< rows of vertices that are held at its near and at its far end; far: 0, it is free
    double turn;            ///< rad about z: 0 along x, pi/2 upright, -pi/2 hanging
    double gravity;         ///< cm/s^2, downwards along y
    double damping;         ///< 1/s
    double cell;            ///< 0: two edges
    double dt, tolerance;
    double bow;                            ///< cm: yarn that is straight at rest starts off its line by bow * shape(s)
    double (*shape)(double s);             ///< of the place along the free length, 0 to 1
    double             velocity[3], spin;  ///< cm/s at the start, and rad/s about y through the clamp
    mn_motion_def      near_motion, far_motion;  ///< of what is held, about the near clamp
    mn_fabric_material material;
} mn_span;

/// Fabric of modulus 1.96e7 dyn/cm^2, solid fraction 1/2, without internal viscosity and lateral contraction, 60 edges
/// over 4 cm, held by two rows at its near end, on cells of two edges. No gravity.
mn_span mn_span_default(bool yarn);

/// Edge length. A clamp of two rows and more is in the middle of the last edge between them, where the tangent is
/// known: `length` counts from there. One row alone holds at its vertices.
double mn_span_spacing(const mn_span *s);
double mn_span_mass(const mn_span *s);     ///< per length (cloth: and width), g/cm or g/cm^2
double mn_span_bend(const mn_span *s);     ///< rigidity, dyn cm^2 or dyn cm
double mn_span_stretch(const mn_span *s);  ///< stiffness, dyn or dyn/cm
double mn_span_width(const mn_span *s);    ///< of the cloth, cm; 1 for yarn
/// Circular frequency root^2 sqrt(bend / mass) / length^2.
double mn_span_frequency(const mn_span *s, double root);

mn_status mn_span_make(mn_context *c, const mn_span *s, mn_world **out);
mn_status mn_span_run(mn_world *w, double until);
/// Mean of the far rim, from the near clamp.
mn_vec3 mn_span_tip(const mn_world *w);
/// Force of the fabric on the pins at an end.
mn_vec3 mn_span_pull(const mn_world *w, bool far);
/// Sum over the vertices of what lies in each (as fibre, cm^3) times (position - clamp) times weight(place on the line
/// of the free length, 0 to 1).
mn_vec3 mn_span_project(const mn_world *w, const mn_span *s, double (*weight)(double s));

#endif
