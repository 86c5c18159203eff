// SPDX-License-Identifier: MPL-2.0
// geom/patterns/knit.c - stockinette: courses along x whose loops hang in those of the next course.
//
// The loop is the usual curve x = w t / 2 pi + a sin 2t, z = h cos t, y = d cos 2t with one period per loop of width w.
// With a = 0.24 w, h = 0.5 w and courses 0.6 w apart the centre lines of a flat knit stay 0.245 w apart at best (found
// by a search over a, h and the distance of courses); the depth d is the least at which the yarns just touch. Heads and
// feet of the loops lie on the one side, legs on the other, so that each course passes over and under its neighbour by
// turns.
#include "geom/patterns/clearance.h"
#include "geom/patterns/yarn_private.h"

#define BULGE         0.24  // a / w: how far heads are wider than necks
#define REACH         0.5   // h / w
#define COURSE        0.6   // distance of courses / w
#define DEPTH_LEAST   0.02  // d / w
#define DEPTH_MOST    0.2   // d / w; a deeper loop keeps no more distance
#define DEPTH_STEP    0.002
#define SAMPLE_PIECES 128    // per loop: enough to find the depth
#define PIECES_MOST   10000  // per loop
#define LOOP_VERTICES 12     // least per loop, or the polyline does not show it

typedef struct knit {
    int64_t loops, courses, pieces;  // pieces: segments per loop
    double  width, radius, depth;
} knit;

typedef struct course {
    const knit *k;
    int64_t     index;
} course;

static mn_vec3 course_curve(double t, const void *user)
{
    const course *c = user;
    const knit   *k = c->k;
    const double  a = 2.0 * MN_PI * t;
    return mn_v3((t - 0.5 * (double)k->loops + BULGE * sin(2.0 * a)) * k->width, k->depth * k->width * cos(2.0 * a),
                 (REACH * cos(a) + ((double)c->index - 0.5 * (double)(k->courses - 1)) * COURSE) * k->width);
}

static void add_courses(mn_pattern_builder *b, const knit *k)
{
    for (int64_t c = 0; c < k->courses && b->status == MN_OK; c++) {
        const course one = { k, c };
        mn_build_curve(b, course_curve, &one, 0.0, (double)k->loops, k->loops * k->pieces, k->radius, false);
    }
}

static bool is_clear(mn_pattern_builder *b, knit sample)
{
    mn_pattern_builder piece = { .context = b->context };
    mn_thin_mesh       mesh;
    sample.loops   = 3;
    sample.courses = 3;
    if (sample.pieces > SAMPLE_PIECES) sample.pieces = SAMPLE_PIECES;
    add_courses(&piece, &sample);
    b->status = mn_build_finish(&piece, &mesh);
    if (b->status != MN_OK) return true;
    const double wanted = 2.0 * sample.radius * (1.0 - 0.5 * MN_YARN_TOLERANCE);
    const bool   clear  = mn_strand_clearance(&mesh, 4.0 * sample.radius, wanted) >= wanted;
    mn_thin_mesh_free(b->context, &mesh);
    return clear;
}

void mn_yarn_knit(mn_pattern_builder *b, const mn_yarn_def *def)
{
    knit k            = { .width = def->pitch, .radius = def->radius, .depth = DEPTH_LEAST, .loops = 1, .courses = 1 };
    b->status         = mn_pattern_count(b->context, "the knit", def->size[0], k.width, &k.loops);
    const double rest = fmax(def->size[1] - 2.0 * REACH * k.width, 0.0);
    if (b->status == MN_OK)
        b->status = mn_pattern_count(b->context, "the knit", rest + COURSE * k.width, COURSE * k.width, &k.courses);
    const course one = { &k, 0 };
    if (b->status == MN_OK) {
        b->status = mn_pattern_count(b->context, "a loop of the knit", mn_curve_length(course_curve, &one, 0.0, 1.0),
                                     def->spacing, &k.pieces);
    }
    if (b->status == MN_OK && k.pieces < LOOP_VERTICES) {
        b->status = mn_fail(b->context, MN_ERR_ARGUMENT,
                            "loops of %g cm need at least %d vertices: a spacing of at most %.3g cm, not %g", k.width,
                            LOOP_VERTICES, mn_curve_length(course_curve, &one, 0.0, 1.0) / LOOP_VERTICES, def->spacing);
    }
    if (b->status == MN_OK && k.pieces > PIECES_MOST) {
        b->status = mn_fail(b->context, MN_ERR_ARGUMENT, "a spacing of %g cm would put more than %d vertices on a loop",
                            def->spacing, PIECES_MOST);
    }
    while (b->status == MN_OK && !is_clear(b, k)) {
        k.depth += DEPTH_STEP;
        if (k.depth > DEPTH_MOST) {
            b->status = mn_fail(b->context, MN_ERR_ARGUMENT,
                                "yarn with radius %g cm cannot be knitted with loops %g cm wide without meeting "
                                "itself; "
                                "%g cm is wide enough at a spacing of %g cm",
                                k.radius, k.width, 9.0 * k.radius, k.radius);
        }
    }
    add_courses(b, &k);
}
