// SPDX-License-Identifier: MPL-2.0
// stain/frames.h - tangent frames that follow a moving cloth, and what liquid feels of the motion (stain 5.2, 5.3).
#ifndef MN_STAIN_FRAMES_H
#define MN_STAIN_FRAMES_H

#include "stain/surface.h"

/// Axes of a tangent plane; the second one is z x x.
typedef struct mn_stain_frame {
    mn_vec3 x, z;
} mn_stain_frame;

static inline mn_vec3 mn_stain_frame_y(const mn_stain_frame *f) { return mn_cross3(f->z, f->x); }

/// The rings at rest, seen in their own frames and weighted by clamped cotangents: all that frames need later.
typedef struct mn_stain_rest {
    const mn_stain_surface *surface;  ///< borrowed
    mn_vec3                *arm;      ///< w_ij times the rest edge in the rest frame, for each edge of each ring
    mn_stain_frame         *frame;    ///< at rest
} mn_stain_rest;

mn_status mn_stain_rest_create(const mn_stain_surface *s, const mn_vec3 *x, mn_stain_rest **out);
void      mn_stain_rest_destroy(mn_stain_rest **rest);

/// The rotation nearest to a 3 x 3 matrix of rank 2 or 3, for which its two largest stretches suffice (Kabsch). With
/// one of rank 1 the turn about that direction is open, and any is given.
mn_mat3 mn_stain_nearest_rotation(mn_mat3 c);

/// Frames at positions x: the rotation of each ring since rest, made tangential.
void mn_stain_frames(const mn_stain_rest *r, const mn_vec3 *x, mn_stain_frame *out);

/// Rotation vector per second, in the frame itself, of a frame that goes from `before` to `after` in `seconds`.
mn_vec3 mn_stain_spin(const mn_stain_frame *before, const mn_stain_frame *after, double seconds);

/// Positions and frames at three times, and the seconds between them.
typedef struct mn_stain_motion {
    const mn_vec3        *x[3];
    const mn_stain_frame *frame[3];
    double                h[2];
} mn_stain_motion;

/// Acceleration (cm/s^2) that liquid at rest on the cloth feels, in the frame at the middle time, and the spin about
/// the normal (1/s). `press` (or NULL) receives the size of the acceleration across the cloth, which gives a film its
/// pressure. Order 2 in h where the two are equal, else 1. Round-off: an error e in positions becomes 4 e / h^2.
void mn_stain_inertia(const mn_stain_surface *s, const mn_stain_motion *m, mn_vec3 gravity, mn_stain_vec *acceleration,
                      double *spin, double *press);

#endif
