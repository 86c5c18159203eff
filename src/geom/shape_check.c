// SPDX-License-Identifier: MPL-2.0
// geom/shape_check.c - the ranges of everything that defines a shape.
#include "geom/shape_private.h"

enum { CENTER = 1, AXIS = 2, SIZE = 4, RADIUS = 8, HEIGHT = 16, SCALE = 32, PARTS = 64 };

static const struct {
    const char *name;
    int         members;
} kinds[] = {
    [MN_SHAPE_BOX]          = { "box", CENTER | SIZE },
    [MN_SHAPE_SPHERE]       = { "sphere", CENTER | RADIUS },
    [MN_SHAPE_CAPSULE]      = { "capsule", CENTER | AXIS | HEIGHT | RADIUS },
    [MN_SHAPE_CYLINDER]     = { "cylinder", CENTER | AXIS | HEIGHT | RADIUS },
    [MN_SHAPE_CONE]         = { "cone", CENTER | AXIS | HEIGHT },
    [MN_SHAPE_TORUS]        = { "torus", CENTER | AXIS | RADIUS },
    [MN_SHAPE_DISC]         = { "disc", CENTER | AXIS | RADIUS },
    [MN_SHAPE_PLANE]        = { "plane", CENTER | AXIS },
    [MN_SHAPE_MESH]         = { "mesh", CENTER | SCALE },
    [MN_SHAPE_UNION]        = { "union", PARTS },
    [MN_SHAPE_INTERSECTION] = { "intersection", PARTS },
    [MN_SHAPE_DIFFERENCE]   = { "difference", PARTS },
};
#define KIND_COUNT ((int)(sizeof kinds / sizeof kinds[0]))

const char *mn_shape_kind_name(mn_shape_kind kind)
{
    return (int)kind >= 0 && (int)kind < KIND_COUNT ? kinds[kind].name : "unknown";
}

/// Lengths are kept well inside the range in which their squares are ordinary numbers.
#define LONGEST  1e15
#define SHORTEST 1e-15

static mn_status check_finite(mn_context *c, const char *kind, const char *member, const double v[3])
{
    for (int a = 0; a < 3; a++)
        if (!(fabs(v[a]) <= LONGEST))
            return mn_fail(c, MN_ERR_ARGUMENT, "%s: %s[%d] is %g; it must be a number from -1e15 to 1e15", kind, member,
                           a, v[a]);
    return MN_OK;
}

static mn_status check_length(mn_context *c, const char *kind, const char *member, double v)
{
    if (v >= SHORTEST && v <= LONGEST) return MN_OK;
    return mn_fail(c, MN_ERR_ARGUMENT, "%s: %s is %g; it must be above 0 (from 1e-15 to 1e15)", kind, member, v);
}

static mn_status check_axis(mn_context *c, const char *kind, const double axis[3])
{
    MN_TRY(check_finite(c, kind, "axis", axis));
    if (mn_norm3(mn_v3_from(axis)) >= SHORTEST) return MN_OK;
    return mn_fail(c, MN_ERR_ARGUMENT, "%s: axis is (%g, %g, %g); it must not be zero", kind, axis[0], axis[1],
                   axis[2]);
}

static mn_status check_cone(mn_context *c, const mn_shape_def *def)
{
    const double *r = def->radius;
    for (int k = 0; k < 2; k++)
        if (!(r[k] >= 0.0 && r[k] <= LONGEST))
            return mn_fail(c, MN_ERR_ARGUMENT, "cone: radius[%d] is %g; it must be 0 or more (up to 1e15)", k, r[k]);
    if (r[0] < SHORTEST && r[1] < SHORTEST)
        return mn_fail(c, MN_ERR_ARGUMENT, "cone: radius is [%g, %g]; at least one end must be above 0", r[0], r[1]);
    return MN_OK;
}

static mn_status check_parts(mn_context *c, const char *kind, const mn_shape_def *def)
{
    if (def->part_count < 1 || def->parts == NULL)
        return mn_fail(c, MN_ERR_ARGUMENT, "%s: part_count is %d; at least one part is needed", kind, def->part_count);
    for (int k = 0; k < def->part_count; k++) {
        if (def->parts[k] == NULL)
            return mn_fail(c, MN_ERR_ARGUMENT, "%s: parts[%d] is NULL; it must be a shape", kind, k);
        if (def->parts[k]->depth >= MN_SHAPE_MAX_DEPTH)
            return mn_fail(c, MN_ERR_ARGUMENT, "%s: parts[%d] is nested %d deep; the limit is %d", kind, k,
                           def->parts[k]->depth, MN_SHAPE_MAX_DEPTH);
    }
    return MN_OK;
}

mn_status mn_shape_check(mn_context *c, const mn_shape_def *def)
{
    if ((int)def->kind < 0 || (int)def->kind >= KIND_COUNT)
        return mn_fail(c, MN_ERR_ARGUMENT, "shape: kind is %d; it must be one of 0 to %d", (int)def->kind,
                       KIND_COUNT - 1);
    const char *name    = kinds[def->kind].name;
    const int   members = kinds[def->kind].members;
    if (members & CENTER) MN_TRY(check_finite(c, name, "center", def->center));
    if (members & AXIS) MN_TRY(check_axis(c, name, def->axis));
    if (members & RADIUS) MN_TRY(check_length(c, name, "radius", def->radius[0]));
    if (members & HEIGHT) MN_TRY(check_length(c, name, "height", def->height));
    if (members & SCALE) MN_TRY(check_length(c, name, "scale", def->scale));
    if (members & PARTS) MN_TRY(check_parts(c, name, def));
    if (members & SIZE)
        for (int a = 0; a < 3; a++) MN_TRY(check_length(c, name, "size", def->size[a]));
    if (def->kind == MN_SHAPE_CONE) MN_TRY(check_cone(c, def));
    if (def->kind == MN_SHAPE_TORUS) {
        MN_TRY(check_length(c, name, "radius[1]", def->radius[1]));
        if (def->radius[1] > def->radius[0])
            return mn_fail(c, MN_ERR_ARGUMENT,
                           "torus: radius[1] (the tube) is %g; it must not exceed radius[0] (the ring), %g",
                           def->radius[1], def->radius[0]);
    }
    if (def->kind == MN_SHAPE_MESH && (def->file == NULL || def->file[0] == '\0'))
        return mn_fail(c, MN_ERR_ARGUMENT, "mesh: file is not given; it must name an OBJ, PLY or STL file");
    return MN_OK;
}
