// SPDX-License-Identifier: MPL-2.0
// render/thing.h - what a picture shows: parts of a frame, made ready for the tracer.
#ifndef MN_RENDER_THING_H
#define MN_RENDER_THING_H

#include "base/memory.h"
#include "output/vtp_read.h"
#include "render/camera.h"

typedef enum mn_finish {
    MN_FINISH_LIQUID,  ///< clear, with an inside
    MN_FINISH_GLASS,   ///< clear and thin: light goes straight through
    MN_FINISH_CLOTH,   ///< thin, two sides, lets some light through, shines when wet
    MN_FINISH_YARN,    ///< fibres
    MN_FINISH_SOLID,   ///< smooth and dull
    MN_FINISH_PAINT    ///< a colour that says something: shines a little
} mn_finish;

typedef enum mn_thing_kind { MN_THING_TRIANGLES, MN_THING_CURVES, MN_THING_SPHERES } mn_thing_kind;

/// One body. Arrays are per point; triangles have three indices each, curves one: the first of four control points.
typedef struct mn_thing {
    mn_finish     finish;
    mn_thing_kind kind;
    int64_t       point_count, primitive_count;
    float (*point)[4];  ///< place and radius (curves, spheres)
    uint32_t *index;    ///< NULL with spheres
    mn_f3    *normal;   ///< of triangles, smooth; per point, or per corner if `by_corner`
    bool      by_corner;
    mn_f3    *color;    ///< reflectance, linear light; NULL with clear liquid
    float    *wet;      ///< [0, 1]; NULL: dry
    bool      darkens;  ///< `color` is that of the dry thing
    float    *along;    ///< of curves: length from the begin, in radii
    mn_f3    *absorbs;  ///< of a clear liquid: what its pigments take of light, 1/cm; NULL: it has none
} mn_thing;

#define MN_DYES_MOST 32

/// A pigment: the name of its field in frames (g/cm^3), and what a concentration of 1 takes of red, green and blue
/// light (cm^2/g).
typedef struct mn_dye {
    char  name[64];
    mn_f3 absorbs;
} mn_dye;
typedef struct mn_dyes {
    int    count;
    mn_dye dye[MN_DYES_MOST];
} mn_dyes;

/// A field shown by colour: components are joined to a length.
typedef struct mn_field_choice {
    const char *name;  ///< NULL: none
    double      low, high;
} mn_field_choice;

/// A value as frame files hold it: a part shows the same in memory and read back.
static inline double mn_shown_value(const mn_frame_array *array, int64_t i, int k)
{
    return (double)(float)mn_frame_array_value(array, i, k);
}

/// Value of the chosen field at a point of a part; `speed` is the length of `velocity`, `stain` the sum of all
/// pigments. NaN if the part does not have it.
bool   mn_field_has(const mn_frame_part *part, const char *name);
double mn_field_value(const mn_frame_part *part, const char *name, int64_t i);

/// Whether a part is shown beside the others of its frame, by their looks: fibres as triangles are not where there are
/// some as lines, spray not where there is a skin of liquid (drops outside it are, see mn_spray_make).
bool mn_part_is_shown(const mn_frame_part *parts, int count, int which);

/// How things are coloured: by a field, and liquid by what is dissolved in it. Either may be NULL.
typedef struct mn_paint {
    const mn_field_choice *field;
    const mn_dyes         *dyes;
} mn_paint;

/// The body of a part, or nothing (primitive_count 0) if it has none. Free with mn_thing_free also after a failure.
mn_status mn_thing_make(mn_context *context, const mn_frame_part *part, mn_paint paint, mn_thing *out);
/// Of `particles` those for which keep[i] is set, as spheres of their volume.
mn_status mn_thing_drops(mn_context *context, const mn_frame_part *particles, const bool *keep, mn_paint paint,
                         mn_finish finish, mn_thing *out);
void      mn_thing_free(mn_context *context, mn_thing *thing);

#endif
