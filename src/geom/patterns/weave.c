// SPDX-License-Identifier: MPL-2.0
// geom/patterns/weave.c - plain weave, 2/2 twill and 5-end satin.
//
// Warp yarns run along x, weft yarns along z, both at the pitch. At a crossing one lies above the middle plane by the
// height, the other below it; between two crossings a yarn changes side along half a cosine. The height is the least at
// which the polylines as they will be keep twice the radius apart: where yarns change side steeply it is more than the
// radius, and where the pitch is too tight for any height the pattern is refused.
#include "geom/patterns/clearance.h"
#include "geom/patterns/yarn_private.h"

#define HEIGHT_STEP 1.02
#define PIECES_MOST 1000  // segments between crossings
#define SAMPLE_PIECES \
    32  // enough to find the height: finer polylines lie nearer to the curve, away from the crossing yarn
#define HEIGHT_MOST 3.0  // radii; steeper yarns than this are not a weave

typedef struct weave {
    mn_yarn_pattern pattern;
    int64_t         warps, wefts;  // yarns
    int64_t         pieces;        // segments from one crossing to the next
    double          pitch, radius, height;
} weave;

/// Whether the warp yarn is above at its crossing with a weft yarn.
static bool warp_above(mn_yarn_pattern pattern, int64_t warp, int64_t weft)
{
    switch (pattern) {
    case MN_YARN_TWILL: return (warp + weft) % 4 < 2;
    case MN_YARN_SATIN: return (2 * warp + weft) % 5 != 0;  // one weft in five is above, two columns on in every row
    default: return (warp + weft) % 2 == 0;
    }
}

typedef struct thread {
    const weave *w;
    bool         is_warp;
    int64_t      index;
} thread;

static double height_at_crossing(const thread *t, int64_t crossing)
{
    const bool above = t->is_warp ? warp_above(t->w->pattern, t->index, crossing)
                                  : !warp_above(t->w->pattern, crossing, t->index);
    return above ? t->w->height : -t->w->height;
}

/// Point of a thread at `place`, counted in crossings from its first end; it ends half a pitch beyond the outer ones.
static mn_vec3 thread_point(const thread *t, double place)
{
    const weave  *w     = t->w;
    const int64_t count = t->is_warp ? w->wefts : w->warps, across = t->is_warp ? w->warps : w->wefts;
    const double  at  = place - 0.5;
    const double  low = fmin(fmax(floor(at), 0.0), (double)(count - 1)), high = fmin(low + 1.0, (double)(count - 1));
    const double  share = fmin(fmax(at - low, 0.0), 1.0);
    const double  a = height_at_crossing(t, (int64_t)low), b = height_at_crossing(t, (int64_t)high);
    const double  y     = 0.5 * (a + b) + 0.5 * (a - b) * cos(MN_PI * share);
    const double  along = (place - 0.5 * (double)count) * w->pitch,
                 side   = ((double)t->index + 0.5 - 0.5 * (double)across) * w->pitch;
    return t->is_warp ? mn_v3(along, y, side) : mn_v3(side, y, along);
}

/// Crossings are vertices, so that the points that decide the height are there: half pieces at both ends.
static void add_thread(mn_pattern_builder *b, const thread *t)
{
    const int64_t count = t->is_warp ? t->w->wefts : t->w->warps, n = t->w->pieces;
    mn_build_strand_begin(b, t->w->radius);
    const int64_t before = (n + 1) / 2;  // segments from an end to its first crossing
    for (int64_t k = -before; k <= (count - 1) * n + before; k++) {
        double place = 0.5 + (double)k / (double)n;
        if (k == -before) place = 0.0;
        if (k == (count - 1) * n + before) place = (double)count;
        mn_build_strand_add(b, mn_build_vertex(b, thread_point(t, place)));
    }
    mn_build_strand_end(b, false);
}

static void add_threads(mn_pattern_builder *b, const weave *w)
{
    for (int64_t k = 0; k < w->warps && b->status == MN_OK; k++) add_thread(b, &(thread){ w, true, k });
    for (int64_t k = 0; k < w->wefts && b->status == MN_OK; k++) add_thread(b, &(thread){ w, false, k });
}

/// Whether a piece of the weave that shows every kind of crossing keeps its yarns apart.
static bool is_clear(mn_pattern_builder *b, weave sample)
{
    mn_pattern_builder piece = { .context = b->context };
    mn_thin_mesh       mesh;
    const int64_t      repeat = sample.pattern == MN_YARN_SATIN ? 5 : sample.pattern == MN_YARN_TWILL ? 4 : 2;
    sample.warps = sample.wefts = repeat + 2;
    if (sample.pieces > SAMPLE_PIECES) sample.pieces = SAMPLE_PIECES;
    add_threads(&piece, &sample);
    b->status = mn_build_finish(&piece, &mesh);
    if (b->status != MN_OK) return true;
    const double wanted = 2.0 * sample.radius * (1.0 - 0.5 * MN_YARN_TOLERANCE);
    const bool   clear  = mn_strand_clearance(&mesh, INFINITY, wanted) >= wanted;
    mn_thin_mesh_free(b->context, &mesh);
    return clear;
}

static bool is_warp_vertex(const mn_thin_mesh *m, int64_t v, const void *user)
{
    (void)m;
    return v < *(const int64_t *)user;
}

static bool is_weft_vertex(const mn_thin_mesh *m, int64_t v, const void *user) { return !is_warp_vertex(m, v, user); }

void mn_yarn_weave(mn_pattern_builder *b, const mn_yarn_def *def)
{
    weave w   = { .pattern = def->pattern, .pitch = def->pitch, .radius = def->radius, .height = def->radius };
    b->status = mn_pattern_count(b->context, "the weave", def->size[1], def->pitch, &w.warps);
    if (b->status == MN_OK) b->status = mn_pattern_count(b->context, "the weave", def->size[0], def->pitch, &w.wefts);
    if (b->status == MN_OK)
        b->status = mn_pattern_count(b->context, "a yarn of the weave", def->pitch, def->spacing, &w.pieces);
    if (b->status == MN_OK && w.pieces > PIECES_MOST) {
        b->status = mn_fail(b->context, MN_ERR_ARGUMENT,
                            "a spacing of %g cm would put more than %d vertices between crossings %g cm apart",
                            def->spacing, PIECES_MOST, w.pitch);
    }
    while (b->status == MN_OK && !is_clear(b, w)) {
        w.height *= HEIGHT_STEP;
        if (w.height > HEIGHT_MOST * w.radius) {
            b->status = mn_fail(b->context, MN_ERR_ARGUMENT,
                                "yarn with radius %g cm and %g cm between vertices cannot be woven at a pitch of %g cm "
                                "without meeting itself; "
                                "%g cm is wide enough",
                                w.radius, def->spacing, w.pitch, 5.0 * w.radius);
        }
    }
    add_threads(b, &w);
    if (b->status != MN_OK) return;
    const int64_t weft_first = b->mesh.strand_vertex[b->mesh.strand_start[w.warps]];
    mn_build_group(b, "warp", is_warp_vertex, &weft_first);
    mn_build_group(b, "weft", is_weft_vertex, &weft_first);
}
