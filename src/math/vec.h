// SPDX-License-Identifier: MPL-2.0
// math/vec.h - small vectors and rotations by value.
#ifndef MN_MATH_VEC_H
#define MN_MATH_VEC_H

#include <math.h>

typedef struct mn_vec3 {
    double x, y, z;
} mn_vec3;
/// Rows of a 3 x 3 matrix.
typedef struct mn_mat3 {
    mn_vec3 row[3];
} mn_mat3;

static inline mn_vec3 mn_v3(double x, double y, double z) { return (mn_vec3){ x, y, z }; }
static inline mn_vec3 mn_v3_from(const double a[3]) { return (mn_vec3){ a[0], a[1], a[2] }; }
static inline mn_vec3 mn_add3(mn_vec3 a, mn_vec3 b) { return mn_v3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline mn_vec3 mn_sub3(mn_vec3 a, mn_vec3 b) { return mn_v3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline mn_vec3 mn_scale3(double s, mn_vec3 a) { return mn_v3(s * a.x, s * a.y, s * a.z); }
static inline double  mn_dot3(mn_vec3 a, mn_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double  mn_norm3(mn_vec3 a) { return sqrt(mn_dot3(a, a)); }
static inline mn_vec3 mn_cross3(mn_vec3 a, mn_vec3 b)
{
    return mn_v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double  mn_get3(mn_vec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
static inline mn_vec3 mn_unit3(mn_vec3 a, mn_vec3 if_zero)
{
    const double n = mn_norm3(a);
    return n > 0.0 ? mn_scale3(1.0 / n, a) : if_zero;
}

static inline mn_mat3 mn_mat3_identity(void) { return (mn_mat3){ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } }; }
static inline mn_vec3 mn_mul3(mn_mat3 m, mn_vec3 a)
{
    return mn_v3(mn_dot3(m.row[0], a), mn_dot3(m.row[1], a), mn_dot3(m.row[2], a));
}
/// Transpose of m times a: the inverse of a rotation.
static inline mn_vec3 mn_mul3_transposed(mn_mat3 m, mn_vec3 a)
{
    return mn_add3(mn_add3(mn_scale3(a.x, m.row[0]), mn_scale3(a.y, m.row[1])), mn_scale3(a.z, m.row[2]));
}
static inline mn_mat3 mn_matmul3(mn_mat3 a, mn_mat3 b)
{
    mn_mat3 c;
    for (int i = 0; i < 3; i++) c.row[i] = mn_mul3_transposed(b, a.row[i]);
    return c;
}
/// Rotation by `angle` (rad) about the unit vector `axis` (Rodrigues).
static inline mn_mat3 mn_rotation3(mn_vec3 axis, double angle)
{
    const double c = cos(angle), s = sin(angle), t = 1.0 - c;
    const double x = axis.x, y = axis.y, z = axis.z;
    return (mn_mat3){ { { t * x * x + c, t * x * y - s * z, t * x * z + s * y },
                        { t * x * y + s * z, t * y * y + c, t * y * z - s * x },
                        { t * x * z - s * y, t * y * z + s * x, t * z * z + c } } };
}

#endif
