// SPDX-License-Identifier: MPL-2.0
// meniscus/shape.h - solids as signed distance fields, and how they move.
#ifndef MENISCUS_SHAPE_H
#define MENISCUS_SHAPE_H

#include "meniscus/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mn_shape_kind {
    MN_SHAPE_BOX,       ///< center, size
    MN_SHAPE_SPHERE,    ///< center, radius[0]
    MN_SHAPE_CAPSULE,   ///< center, axis, height (of the straight part), radius[0]
    MN_SHAPE_CYLINDER,  ///< center, axis, height, radius[0]
    MN_SHAPE_CONE,   ///< center (middle of the axis), axis, height, radius[0] at the low end, radius[1] at the high end
    MN_SHAPE_TORUS,  ///< center, axis, radius[0] of the ring, radius[1] of the tube
    MN_SHAPE_DISC,   ///< center, axis, radius[0]: a flat round plate without thickness (for sources)
    MN_SHAPE_PLANE,  ///< center (a point of it), axis (outward normal): solid below
    MN_SHAPE_MESH,   ///< file (OBJ, PLY or STL; closed), center (added to every vertex), scale
    MN_SHAPE_UNION,  ///< parts
    MN_SHAPE_INTERSECTION,  ///< parts
    MN_SHAPE_DIFFERENCE     ///< the first part without the others
} mn_shape_kind;

/// An immutable solid. Shared: every user retains it, and the last release frees it.
typedef struct mn_shape mn_shape;

/// Start from mn_shape_def_default(kind). Only the members named beside the kind are read.
typedef struct mn_shape_def {
    mn_shape_kind    kind;
    double           center[3];  ///< cm. Default 0.
    double           axis[3];    ///< any length but zero. Default +y.
    double           size[3];    ///< cm, > 0. Default 1.
    double           radius[2];  ///< cm, > 0 (one end of a cone may be 0). Default 1 and 0.5.
    double           height;     ///< cm, > 0. Default 1.
    double           scale;      ///< > 0. Default 1. Of a mesh.
    const char      *file;       ///< of a mesh; copied.
    mn_shape *const *parts;      ///< of a union, intersection or difference; retained.
    int              part_count;
} mn_shape_def;

MN_API mn_shape_def mn_shape_def_default(mn_shape_kind kind);
/// Make a shape; for a mesh this reads and checks the file.
MN_API mn_status mn_shape_create(mn_context *context, const mn_shape_def *def, mn_shape **out);
/// A shape turned by `angle` (rad) about `axis` through the origin and then moved by `at` (cm). Retains `shape`.
MN_API mn_status mn_shape_placed(mn_context *context, mn_shape *shape, const double axis[3], double angle,
                                 const double at[3], mn_shape **out);
MN_API mn_shape *mn_shape_retain(mn_shape *shape);
/// Release and leave NULL. Accepts NULL.
MN_API void mn_shape_release(mn_shape **shape);
/// Signed distance in cm, negative inside. Exact near the surface for simple shapes and meshes; for unions,
/// intersections and differences a bound with the right sign and the right zero.
MN_API double mn_shape_distance(const mn_shape *shape, const double point[3]);
/// The box that holds the shape; infinite for a plane.
MN_API void mn_shape_bounds(const mn_shape *shape, double low[3], double high[3]);

typedef enum mn_ease { MN_EASE_LINEAR, MN_EASE_SMOOTH } mn_ease;

/// One moment of a motion: turned by `angle` about `axis` through the pivot, then moved by `translate`.
/// Between two keys about the same line the angle goes from one to the other (several turns if so given); between
/// different lines the turn takes the shortest way. The axis of a key with angle 0 does not matter.
typedef struct mn_motion_key {
    double time;          ///< s, increasing from key to key
    double translate[3];  ///< cm
    double axis[3];       ///< direction of the rotation axis
    double angle;         ///< rad
} mn_motion_key;

/// A rigid motion, the sum of its parts: first turning (keys, then spin), then moving (keys, velocity, oscillation).
typedef struct mn_motion_def {
    const mn_motion_key *keys;  ///< copied; held before the first and after the last
    int                  key_count;
    mn_ease              ease;          ///< between keys: straight, or with zero speed at every key
    double               pivot[3];      ///< cm, in the frame of the thing moved. Default 0.
    double               velocity[3];   ///< cm/s, constant
    double               spin[3];       ///< rad/s about this vector
    double               amplitude[3];  ///< cm, of amplitude * sin(2 pi frequency t + phase)
    double               frequency;     ///< 1/s
    double               phase;         ///< rad
} mn_motion_def;

MN_API mn_motion_def mn_motion_def_default(void);

#ifdef __cplusplus
}
#endif
#endif
