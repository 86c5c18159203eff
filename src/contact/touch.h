// SPDX-License-Identifier: MPL-2.0
// contact/touch.h - points on solids: a stiff layer in front of the solid, and friction with an elastic anchor
// (wet-fabric 5.4).
#ifndef MN_CONTACT_TOUCH_H
#define MN_CONTACT_TOUCH_H

#include "base/context.h"
#include "grid/step.h"

/// Modulus of the layer (dyn/cm^2) and its thickness in cells.
#define MN_TOUCH_MODULUS 6.6e6
#define MN_TOUCH_LAYER   0.25

typedef enum mn_touch_state { MN_TOUCH_APART, MN_TOUCH_STICKS, MN_TOUCH_SLIDES } mn_touch_state;

/// Points that may touch solids, of whatever matter. Borrowed.
typedef struct mn_touching {
    mn_context    *context;
    int64_t        count;
    const mn_vec3 *x;        ///< where they are at the start of the step
    const uint8_t *pinned;   ///< 1: it goes where a pin goes, and no solid pushes it
    const double  *volume;   ///< cm^3, of the matter at each: its cube root sets the stiffness of the layer
    double         cell;     ///< cm, of the grid: sets the thickness of the layer
    int32_t       *touched;  ///< the state: 1 + number of the solid that each touches, 0: none ...
    double *const *anchor;   ///< ... and its elastic slip along it, cm, in the frame of the solid: three arrays
} mn_touching;

/// A point near a solid.
typedef struct mn_touch {
    int32_t point, solid;
    mn_vec3 normal;  ///< out of the solid
    mn_vec3 drift;   ///< velocity of the solid there, cm/s
    mn_vec3 anchor;  ///< elastic slip at the start of the step, cm, in the world
    double  depth;   ///< thickness of the layer less the distance at the end of the step if the point stood still, cm
    double  stiffness;  ///< of the layer and of the anchor, dyn/cm
    double  friction;  ///< coefficient; < 0 from mn_touch_find where the solid has none of its own: the matter's to set
    mn_touch_state state;
    double         press;     ///< normal impulse, g cm/s
    mn_vec3        rub;       ///< impulse of sliding: the bound, against the slip, g cm/s
    mn_vec3        side;      ///< direction across slip and normal ...
    double         drag;      ///< ... in which the slip turns against this much impulse per velocity, g
    mn_vec3        velocity;  ///< of the point, cm/s, where a descent stands (fabric/descend.c) ...
    mn_vec3        answer;    ///< ... the impulse of all this on it, g cm/s ...
    double         bound;     ///< ... and that of friction at most
} mn_touch;

typedef struct mn_touches {
    mn_touch *list;
    int64_t   count;
} mn_touches;

/// Points that can reach the layer of a solid within the step, from the arena. `reach` is the longest way of a point,
/// cm.
mn_status mn_touch_find(const mn_touching *q, const mn_step *step, double reach, mn_touches *out);
/// State of each touch at velocities v of the points (3 each). Returns the change of friction over all of the friction
/// there can be.
double mn_touch_update(mn_touches *t, const double *v, double dt);
/// Impulses (added, 3 per point) and holding blocks (added to `hold`, 6 per point) of the touches as they stand.
void mn_touch_apply(const mn_touches *t, double dt, double *impulse, double *hold);
/// The touch as it is at velocity u of its point, friction up to `bound`, or if that is negative up to what the press
/// allows.
void mn_touch_at(const mn_touch *t, mn_vec3 u, double bound, double dt, mn_touch *out);
/// How its answer curves along p: p times minus the derivative of the answer times p.
double mn_touch_curvature(const mn_touch *t, mn_vec3 p, double dt);
/// Anchors after the step, for the state.
void mn_touch_keep(const mn_touching *q, const mn_touches *t, mn_solids solids, const double *v, double dt);

#endif
