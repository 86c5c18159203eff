// SPDX-License-Identifier: MPL-2.0
// geom/mesh_sequence.c - the cubic spline through the frames of a sequence, from a window of them.
//
// The coefficients of the spline are c_i = sum over k of w_k p_(i+k) with w_k proportional to (sqrt(3) - 2)^|k|, cut
// off at |k| = REACH where they are below 1e-9: the curve keeps two continuous derivatives however few frames are in
// memory, and passes the frames to 1e-9 of how far they are apart. Beyond both ends the frames go on as the cubic
// through the last four.
#include "geom/mesh_sequence_private.h"

#include "base/hash.h"
#include "defs/check.h"

#include <stdio.h>
#include <string.h>

#define REACH           16
#define FRAMES          64  // in memory; a window of 2 REACH + 4, and what tells repeated frames around it
#define COEFFICIENTS    8
#define LONGEST_STUTTER 4  // equal frames in a row that are no rest
#define NEIGHBOURS      3  // on either side of a missing frame, to make it up

typedef struct slot {
    int64_t frame;  // -1: none
    double (*position)[3];
} slot;

typedef enum frame_state { UNKNOWN, GOOD, REPEATED } frame_state;

struct mn_mesh_sequence {
    mn_context     *context;
    mn_frame_source source;
    double          start, rate, scale;  // rate: frames of the files a second
    slot            frame[FRAMES];
    slot            coefficient[COEFFICIENTS];
    uint64_t       *hash;   // of each frame; 0: not read yet
    uint8_t        *state;  // frame_state of each
};

mn_mesh_sequence_def mn_mesh_sequence_def_default(void) { return (mn_mesh_sequence_def){ .rate = 24.0, .scale = 1.0 }; }

static mn_status check(mn_context *c, const mn_mesh_sequence_def *def)
{
    if (def->path == NULL || def->path[0] == '\0')
        return mn_fail(c, MN_ERR_ARGUMENT, "a sequence of meshes needs the name of its files");
    char front[512];
    snprintf(front, sizeof front, "%s:0:0: ", def->path);
    MN_TRY(mn_defs_check_number(c, &mn_section_stain_files, "rate", def->rate, front));
    MN_TRY(mn_defs_check_number(c, &mn_section_stain_files, "scale", def->scale, front));
    return mn_defs_check_number(c, &mn_section_stain_files, "start", def->start, front);
}

mn_status mn_mesh_sequence_open(mn_context *c, const mn_mesh_sequence_def *def, mn_mesh_sequence **out)
{
    *out = NULL;
    MN_TRY(check(c, def));
    mn_mesh_sequence *s = mn_alloc(c, sizeof *s);
    if (s == NULL) return MN_ERR_MEMORY;
    s->context = c;
    for (int k = 0; k < FRAMES; k++) s->frame[k].frame = -1;
    for (int k = 0; k < COEFFICIENTS; k++) s->coefficient[k].frame = INT64_MIN;
    mn_status status = mn_frame_source_open(c, def, &s->source);
    if (status == MN_OK) {
        s->start = def->start;
        s->rate  = def->rate / s->source.spacing;
        s->scale = def->scale;
        s->hash  = mn_alloc_array(c, uint64_t, s->source.count);
        s->state = mn_alloc_array(c, uint8_t, s->source.count);
        if (s->hash == NULL || s->state == NULL) status = MN_ERR_MEMORY;
    }
    if (status == MN_OK) {
        mn_mesh *m = &s->source.mesh;
        for (int64_t v = 0; v < m->vertex_count; v++)
            for (int a = 0; a < 3; a++) m->vertex[v][a] *= s->scale;
        *out = s;
    } else {
        mn_mesh_sequence_close(&s);
    }
    return status;
}

void mn_mesh_sequence_close(mn_mesh_sequence **sequence)
{
    mn_mesh_sequence *s = *sequence;
    *sequence           = NULL;
    if (s == NULL) return;
    for (int k = 0; k < FRAMES; k++) mn_free(s->context, s->frame[k].position);
    for (int k = 0; k < COEFFICIENTS; k++) mn_free(s->context, s->coefficient[k].position);
    mn_free(s->context, s->hash);
    mn_free(s->context, s->state);
    mn_frame_source_close(&s->source);
    mn_free(s->context, s);
}

mn_status mn_mesh_sequence_hash(mn_context *c, const mn_mesh_sequence_def *def, uint64_t *out)
{
    mn_frame_source source;
    MN_TRY(check(c, def));
    mn_status status = mn_frame_source_open(c, def, &source);
    if (status == MN_OK) status = mn_frame_source_hash(&source, def->mesh, out);
    mn_frame_source_close(&source);
    return status;
}

const mn_mesh_texture *mn_mesh_sequence_texture(const mn_mesh_sequence *s) { return &s->source.texture; }
const mn_mesh         *mn_mesh_sequence_mesh(const mn_mesh_sequence *s) { return &s->source.mesh; }
int64_t                mn_mesh_sequence_count(const mn_mesh_sequence *s) { return s->source.count; }
double mn_mesh_sequence_time(const mn_mesh_sequence *s, int64_t frame) { return s->start + (double)frame / s->rate; }

// --- frames
// -----------------------------------------------------------------------------------------------------------

static mn_status make_room(mn_mesh_sequence *s, slot *to)
{
    if (to->position == NULL)
        to->position = mn_alloc(s->context, mn_array_bytes(s->source.mesh.vertex_count, sizeof *to->position));
    return to->position != NULL ? MN_OK : MN_ERR_MEMORY;
}

/// A frame in cm, valid until the next call.
static mn_status load(mn_mesh_sequence *s, int64_t frame, double (**out)[3])
{
    slot         *at    = &s->frame[frame % FRAMES];
    const int64_t count = s->source.mesh.vertex_count;
    if (at->frame != frame) {
        MN_TRY(make_room(s, at));
        at->frame = -1;
        MN_TRY(mn_frame_source_read(&s->source, frame, at->position));
        s->hash[frame] = mn_hash_bytes(MN_HASH_SEED, at->position, (size_t)count * sizeof *at->position) | 1u;
        for (int64_t v = 0; v < count; v++)
            for (int a = 0; a < 3; a++) at->position[v][a] *= s->scale;
        at->frame = frame;
    }
    *out = at->position;
    return MN_OK;
}

static mn_status same_as_before(mn_mesh_sequence *s, int64_t frame, bool *out)
{
    double(*unused)[3];
    for (int64_t k = frame - 1; k <= frame; k++)
        if (s->hash[k] == 0) MN_TRY(load(s, k, &unused));
    *out = s->hash[frame] == s->hash[frame - 1];
    return MN_OK;
}

/// The equal frames around `frame`, first to last; no more than LONGEST_STUTTER are looked at on either side.
static mn_status run_around(mn_mesh_sequence *s, int64_t frame, int64_t *first, int64_t *last)
{
    bool same = true;
    for (*first = frame; *first > 0 && frame - *first < LONGEST_STUTTER; (*first)--) {
        MN_TRY(same_as_before(s, *first, &same));
        if (!same) break;
    }
    for (*last = frame; *last + 1 < s->source.count && *last - frame < LONGEST_STUTTER; (*last)++) {
        MN_TRY(same_as_before(s, *last + 1, &same));
        if (!same) break;
    }
    return MN_OK;
}

/// Whether the run is a stutter: short, and amid motion. At an end of the sequence it may be the beginning or the end
/// of motion, unless the run beside it stutters too.
static mn_status stutters(mn_mesh_sequence *s, int64_t first, int64_t last, bool *out)
{
    const int64_t length = last - first + 1, count = s->source.count;
    *out = length >= 2 && length <= LONGEST_STUTTER && length < count;
    if (!*out || (first > 0 && last + 1 < count)) return MN_OK;
    int64_t a, b;
    MN_TRY(run_around(s, first > 0 ? first - 1 : last + 1, &a, &b));
    *out = b > a && b - a + 1 <= LONGEST_STUTTER;
    return MN_OK;
}

/// Whether the frame holds a position of its own time.
static mn_status is_good(mn_mesh_sequence *s, int64_t frame, bool *out)
{
    if (s->state[frame] == UNKNOWN) {
        int64_t first, last;
        bool    bad = false;
        MN_TRY(run_around(s, frame, &first, &last));
        if (frame > first) MN_TRY(stutters(s, first, last, &bad));
        s->state[frame] = bad ? REPEATED : GOOD;
        if (bad) {
            char name[MN_SEQUENCE_NAME_BYTES];
            mn_frame_source_name(&s->source, frame, name);
            mn_log(s->context, MN_LOG_WARNING, "repeated_frame",
                   "%s repeats the frame before it amid motion and is taken as missing", name);
        }
    }
    *out = s->state[frame] == GOOD;
    return MN_OK;
}

/// Value at x of the k-th polynomial of Lagrange on `count` nodes.
static double lagrange(const int64_t *node, int count, int k, double x)
{
    double value = 1.0;
    for (int j = 0; j < count; j++)
        if (j != k) value *= (x - (double)node[j]) / (double)(node[k] - node[j]);
    return value;
}

/// Good frames from `frame` on in steps of `step`, at most `most` of them; their number.
static mn_status good_ones(mn_mesh_sequence *s, int64_t frame, int step, int most, int64_t *node, int *count)
{
    *count = 0;
    for (int64_t k = frame + step; k >= 0 && k < s->source.count && *count < most; k += step) {
        bool good;
        MN_TRY(is_good(s, k, &good));
        if (good) node[(*count)++] = k;
    }
    return MN_OK;
}

/// The good frames a missing one is made of: three on either side, fewer where there are no more.
static mn_status neighbours_of(mn_mesh_sequence *s, int64_t frame, int64_t node[2 * NEIGHBOURS], int *count)
{
    int before, after;
    MN_TRY(good_ones(s, frame, -1, NEIGHBOURS, node, &before));
    MN_TRY(good_ones(s, frame, 1, NEIGHBOURS, node + before, &after));
    *count = before + after;
    return MN_OK;
}

/// to += weight * frame, where a missing frame is interpolated.
static mn_status add_frame(mn_mesh_sequence *s, double weight, int64_t frame, double (*to)[3])
{
    const int64_t count = s->source.mesh.vertex_count;
    bool          good;
    MN_TRY(is_good(s, frame, &good));
    int64_t node[2 * NEIGHBOURS] = { frame };
    int     nodes                = 1;
    if (!good) MN_TRY(neighbours_of(s, frame, node, &nodes));
    for (int k = 0; k < nodes; k++) {
        double(*p)[3];
        MN_TRY(load(s, node[k], &p));
        const double w = weight * lagrange(node, nodes, k, (double)frame);
        for (int64_t v = 0; v < count; v++)
            for (int a = 0; a < 3; a++) to[v][a] += w * p[v][a];
    }
    return MN_OK;
}

// --- the spline
// -------------------------------------------------------------------------------------------------------

/// Add `w` for a frame that may lie beyond an end to the weights of those in [low, low + 2 REACH].
static void spread_weight(const mn_mesh_sequence *s, int64_t frame, double w, int64_t low, double *weight)
{
    const int64_t count = s->source.count, nodes = count < 4 ? count : 4;
    if (frame >= 0 && frame < count) {
        weight[frame - low] += w;
        return;
    }
    int64_t node[4];
    for (int k = 0; k < nodes; k++) node[k] = frame < 0 ? k : count - nodes + k;
    for (int k = 0; k < nodes; k++) weight[node[k] - low] += w * lagrange(node, (int)nodes, k, (double)frame);
}

/// Coefficient i of the spline, -1 <= i <= count.
static mn_status coefficient(mn_mesh_sequence *s, int64_t i, const double (**out)[3])
{
    slot         *at = &s->coefficient[(i + COEFFICIENTS) % COEFFICIENTS];
    const int64_t n = s->source.mesh.vertex_count, count = s->source.count;
    if (at->frame != i) {
        double        weight[2 * REACH + 1] = { 0.0 }, power[REACH + 1] = { 1.0 }, sum = 1.0;
        const int64_t high = i + REACH > count - 1 ? count - 1 : i + REACH, low = i - REACH < 0 ? 0 : i - REACH;
        for (int k = 1; k <= REACH; k++) power[k] = power[k - 1] * (sqrt(3.0) - 2.0), sum += 2.0 * power[k];
        for (int k = -REACH; k <= REACH; k++) spread_weight(s, i + k, power[k < 0 ? -k : k] / sum, low, weight);
        MN_TRY(make_room(s, at));
        at->frame = INT64_MIN;
        memset(at->position, 0, (size_t)n * sizeof *at->position);
        for (int64_t k = low; k <= high; k++)
            if (weight[k - low] != 0.0) MN_TRY(add_frame(s, weight[k - low], k, at->position));
        at->frame = i;
    }
    *out = (const double(*)[3])at->position;
    return MN_OK;
}

static void combine(const mn_mesh_sequence *s, const double (*const c[4])[3], const double w[4], double (*out)[3])
{
    for (int64_t v = 0; v < s->source.mesh.vertex_count; v++)
        for (int a = 0; a < 3; a++)
            out[v][a] = w[0] * c[0][v][a] + w[1] * c[1][v][a] + w[2] * c[2][v][a] + w[3] * c[3][v][a];
}

mn_status mn_mesh_sequence_at(mn_mesh_sequence *s, double t, double (*position)[3], double (*velocity)[3],
                              double (*acceleration)[3])
{
    if (!isfinite(t))
        return mn_fail(s->context, MN_ERR_ARGUMENT, "%s:0:0: a time that is not finite was asked for", s->source.path);
    const double last = (double)(s->source.count - 1), place = fmin(fmax((t - s->start) * s->rate, 0.0), last);
    const bool   still = (t - s->start) * s->rate != place || s->source.count == 1;
    int64_t      i     = (int64_t)place;
    if (i > s->source.count - 2) i = s->source.count > 1 ? s->source.count - 2 : 0;
    const double u = place - (double)i, q = 1.0 - u, f = s->rate;
    const double(*c[4])[3];
    for (int k = 0; k < 4; k++) MN_TRY(coefficient(s, i - 1 + k, &c[k]));
    const double zero[4]  = { 0.0, 0.0, 0.0, 0.0 };
    const double value[4] = { q * q * q / 6.0, (3.0 * u * u * u - 6.0 * u * u + 4.0) / 6.0,
                              (3.0 * q * q * q - 6.0 * q * q + 4.0) / 6.0, u * u * u / 6.0 };
    const double slope[4] = { -0.5 * f * q * q, f * (1.5 * u * u - 2.0 * u), f * (2.0 * q - 1.5 * q * q),
                              0.5 * f * u * u };
    const double bend[4]  = { f * f * q, f * f * (3.0 * u - 2.0), f * f * (3.0 * q - 2.0), f * f * u };
    combine(s, c, value, position);
    if (velocity != NULL) combine(s, c, still ? zero : slope, velocity);
    if (acceleration != NULL) combine(s, c, still ? zero : bend, acceleration);
    return MN_OK;
}
