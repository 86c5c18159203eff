// SPDX-License-Identifier: MPL-2.0
// geom/patterns/yarn.c - single yarns, bundles, and the way to the patterns of patches.
#include "geom/patterns/yarn_private.h"

#include "defs/check.h"

// --- single yarns ----------------------------------------------------------------------------------------------------

static mn_vec3 straight_curve(double t, const void *user)
{
    const mn_yarn_def *d = user;
    return mn_v3((t - 0.5) * d->size[0], 0.0, 0.0);
}

/// A wave in the plane, as long as the yarn.
static mn_vec3 curly_curve(double t, const void *user)
{
    const mn_yarn_def *d = user;
    const double       x = (t - 0.5) * d->size[0];
    return mn_v3(x, 0.0, d->curl * sin(2.0 * MN_PI * x / d->pitch));
}

static mn_vec3 helix_curve(double t, const void *user)
{
    const mn_yarn_def *d = user;
    const double       x = (t - 0.5) * d->size[0], angle = 2.0 * MN_PI * x / d->pitch;
    return mn_v3(x, d->curl * cos(angle), d->curl * sin(angle));
}

static mn_vec3 ring_curve(double t, const void *user)
{
    const mn_yarn_def *d = user;
    return mn_v3(d->curl * cos(2.0 * MN_PI * t), 0.0, d->curl * sin(2.0 * MN_PI * t));
}

/// Every turn of a curl or helix is as long as the others.
static double single_length(const mn_yarn_def *def, mn_curve_fn *curve)
{
    const double turns = def->pattern == MN_YARN_CURLY || def->pattern == MN_YARN_HELIX ? def->size[0] / def->pitch
                                                                                        : 1.0;
    return turns * mn_curve_length(curve, def, 0.0, 1.0 / turns);
}

static void add_single(mn_pattern_builder *b, const mn_yarn_def *def, mn_curve_fn *curve, int64_t least, bool closed)
{
    int64_t segments = 1;
    if (b->status == MN_OK)
        b->status = mn_pattern_count(b->context, "the yarn", single_length(def, curve), def->spacing, &segments);
    if (segments < least) segments = least;
    if (b->status == MN_OK) mn_build_curve(b, curve, def, 0.0, 1.0, segments, def->radius, closed);
}

// --- bundles ---------------------------------------------------------------------------------------------------------

typedef struct strand_place {
    double y, z, length;
} strand_place;

static mn_vec3 bundle_curve(double t, const void *user)
{
    const strand_place *p = user;
    return mn_v3((t - 0.5) * p->length, p->y, p->z);
}

/// Place k of a hexagonal packing: the middle, then ring around ring.
static strand_place bundle_place(const mn_yarn_def *def, int64_t k)
{
    strand_place place = { .length = def->size[0] };
    int64_t      ring = 0, before = 0;
    while (k >= before + (ring == 0 ? 1 : 6 * ring)) before += ring == 0 ? 1 : 6 * ring, ring++;
    if (ring == 0) return place;
    const int64_t in_ring = k - before;
    const double  side = (double)(in_ring / ring) * MN_PI / 3.0, share = (double)(in_ring % ring) / (double)ring;
    const double  r = (double)ring * def->pitch;
    place.z         = r * ((1.0 - share) * cos(side) + share * cos(side + MN_PI / 3.0));
    place.y         = r * ((1.0 - share) * sin(side) + share * sin(side + MN_PI / 3.0));
    return place;
}

static void add_bundle(mn_pattern_builder *b, const mn_yarn_def *def)
{
    int64_t segments = 1;
    if (b->status == MN_OK) b->status = mn_pattern_count(b->context, "the yarn", def->size[0], def->spacing, &segments);
    for (int64_t k = 0; k < def->count && b->status == MN_OK; k++) {
        const strand_place place = bundle_place(def, k);
        mn_build_curve(b, bundle_curve, &place, 0.0, 1.0, segments, def->radius, false);
    }
}

// --- checks ----------------------------------------------------------------------------------------------------------

static const char *pattern_name(mn_yarn_pattern pattern)
{
    static const char *const names[] = { "straight yarn", "curly yarn", "helix", "ring", "bundle",
                                         "plain weave",   "twill",      "satin", "knit", "net" };
    return names[pattern];
}

static bool is_patch(mn_yarn_pattern p) { return p >= MN_YARN_PLAIN; }
static bool has_curl(mn_yarn_pattern p) { return p == MN_YARN_CURLY || p == MN_YARN_HELIX || p == MN_YARN_RING; }

/// Least pitch: neighbours touch.
static mn_status check_pitch(mn_context *c, const mn_yarn_def *def)
{
    if (def->pattern == MN_YARN_STRAIGHT || def->pattern == MN_YARN_RING) return MN_OK;
    MN_TRY(mn_pattern_given(c, "yarn: pitch", def->pitch));
    const double least = def->pattern == MN_YARN_CURLY ? 0.0 : 2.0 * def->radius;
    if (def->pitch < least * (1.0 - 1e-9)) {
        return mn_fail(c, MN_ERR_ARGUMENT, "a %s of yarn with radius %g cm needs a pitch of at least %g cm, not %g",
                       pattern_name(def->pattern), def->radius, least, def->pitch);
    }
    return MN_OK;
}

static mn_status check_yarn(mn_context *c, const mn_yarn_def *def)
{
    MN_TRY(mn_defs_check(c, &mn_section_yarn, def, "yarn: "));
    MN_TRY(mn_pattern_given(c, "yarn: radius", def->radius));
    MN_TRY(mn_pattern_given(c, "yarn: spacing", def->spacing));
    if (def->pattern != MN_YARN_RING) MN_TRY(mn_pattern_given(c, "yarn: length", def->size[0]));
    if (is_patch(def->pattern)) MN_TRY(mn_pattern_given(c, "yarn: the depth of the patch", def->size[1]));
    if (has_curl(def->pattern)) MN_TRY(mn_pattern_given(c, "yarn: curl", def->curl));
    if (has_curl(def->pattern) && def->pattern != MN_YARN_CURLY && def->curl < def->radius) {
        return mn_fail(c, MN_ERR_ARGUMENT, "a %s of yarn with radius %g cm needs a curl of at least that, not %g cm",
                       pattern_name(def->pattern), def->radius, def->curl);
    }
    MN_TRY(check_pitch(c, def));
    if (def->pattern == MN_YARN_BUNDLE && def->count == 0)
        return mn_fail(c, MN_ERR_ARGUMENT, "yarn: count is 0; a bundle has at least 1");
    const double pieces = is_patch(def->pattern)
                              ? def->size[0] * def->size[1] / (def->pitch * fmin(def->pitch, def->spacing))
                              : 0.0;
    if (pieces > MN_THIN_VERTICES_MOST) {
        return mn_fail(c, MN_ERR_ARGUMENT, "the %s would have more than %d vertices", pattern_name(def->pattern),
                       MN_THIN_VERTICES_MOST);
    }
    return MN_OK;
}

mn_status mn_yarn_generate(mn_context *context, const mn_yarn_def *def, mn_thin_mesh *out)
{
    *out = (mn_thin_mesh){ 0 };
    MN_TRY(check_yarn(context, def));
    mn_pattern_builder b = { .context = context };
    switch (def->pattern) {
    case MN_YARN_STRAIGHT: add_single(&b, def, straight_curve, 1, false); break;
    case MN_YARN_CURLY: add_single(&b, def, curly_curve, 2, false); break;
    case MN_YARN_HELIX: add_single(&b, def, helix_curve, 2, false); break;
    case MN_YARN_RING: add_single(&b, def, ring_curve, 6, true); break;
    case MN_YARN_BUNDLE: add_bundle(&b, def); break;
    case MN_YARN_PLAIN:
    case MN_YARN_TWILL:
    case MN_YARN_SATIN: mn_yarn_weave(&b, def); break;
    case MN_YARN_KNIT: mn_yarn_knit(&b, def); break;
    case MN_YARN_NET: mn_yarn_net(&b, def); break;
    }
    mn_build_group_all(&b);
    mn_build_group_ends(&b);
    mn_build_group_sides(&b, is_patch(def->pattern) ? 0.5 * def->pitch * (1.0 + 1e-6) : 1e-6 * def->spacing);
    return mn_build_finish(&b, out);
}
