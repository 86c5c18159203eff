// SPDX-License-Identifier: MPL-2.0
// geom/motion.c - scripted rigid motion and its exact velocities.
//
// With the pivot p, the turn R(t) = R_spin(t) R_keys(t) and the shift T(t): x = p + R (X - p) + T.
// Between two keys the turn is R_keys = exp(s [phi n]) R_first: a constant axis n in the world, so that the angular
// velocity is s' phi n and nothing else. Keys about one line (or with angle 0, which lies on every line) keep their
// angles as given, so that several whole turns are possible; otherwise phi n is the shortest way (slerp).
#include "geom/motion.h"

#include "base/memory.h"
#include "defs/check.h"
#include "geom/quaternion.h"

typedef struct segment {
    double  start, length;  // s
    mn_vec3 from, way;      // translation at the start, and how far it goes
    mn_mat3 turned;         // rotation at the start
    mn_vec3 axis;           // unit vector
    double  angle;          // phi, from start to end
} segment;

struct mn_motion {
    mn_motion_def def;  // without keys
    segment      *segments;
    int           segment_count;
    bool          has_keys;
    mn_vec3       first_shift, last_shift;
    mn_mat3       first_turn, last_turn;
    double        first_time;
};

mn_motion_def mn_motion_def_default(void) { return (mn_motion_def){ .ease = MN_EASE_LINEAR }; }

static mn_vec3 key_axis(const mn_motion_key *key) { return mn_unit3(mn_v3_from(key->axis), mn_v3(0, 1, 0)); }

static mn_mat3 key_turn(const mn_motion_key *key)
{
    return key->angle != 0.0 ? mn_rotation3(key_axis(key), key->angle) : mn_mat3_identity();
}

/// Axis and angle that lead from one key's turn to the next's.
static void way_between(const mn_motion_key *a, const mn_motion_key *b, mn_vec3 *axis, double *angle)
{
    const mn_vec3 n = a->angle != 0.0 ? key_axis(a) : key_axis(b), m = b->angle != 0.0 ? key_axis(b) : n;
    const mn_vec3 off = mn_cross3(n, m);
    *axis             = n;
    if (mn_norm3(off) < 1e-12) {
        *angle = (mn_dot3(n, m) > 0.0 ? b->angle : -b->angle) - a->angle;
        return;
    }
    const mn_quaternion way = mn_quaternion_mul(mn_quaternion_turn(m, b->angle),
                                                mn_quaternion_inverse(mn_quaternion_turn(n, a->angle)));
    mn_quaternion_axis(way, axis, angle);
}

static void make_segments(mn_motion *m, const mn_motion_key *keys, int key_count)
{
    m->has_keys    = true;
    m->first_time  = keys[0].time;
    m->first_shift = mn_v3_from(keys[0].translate);
    m->first_turn  = key_turn(&keys[0]);
    m->last_shift  = mn_v3_from(keys[key_count - 1].translate);
    m->last_turn   = key_turn(&keys[key_count - 1]);
    for (int k = 0; k + 1 < key_count; k++) {
        segment *s = &m->segments[k];
        s->start   = keys[k].time;
        s->length  = keys[k + 1].time - keys[k].time;
        s->from    = mn_v3_from(keys[k].translate);
        s->way     = mn_sub3(mn_v3_from(keys[k + 1].translate), s->from);
        s->turned  = key_turn(&keys[k]);
        way_between(&keys[k], &keys[k + 1], &s->axis, &s->angle);
    }
}

mn_status mn_motion_create(mn_context *c, const mn_motion_def *def, mn_motion **out)
{
    *out = NULL;
    MN_TRY(mn_defs_check_motion(c, def, "motion: "));
    mn_motion *m = mn_alloc(c, sizeof *m);
    if (m == NULL) return MN_ERR_MEMORY;
    m->def           = *def;
    m->def.keys      = NULL;
    m->def.key_count = 0;
    m->segment_count = def->key_count > 1 ? def->key_count - 1 : 0;
    m->segments      = mn_alloc_array(c, segment, m->segment_count);
    if (m->segments == NULL) {
        mn_free(c, m);
        return MN_ERR_MEMORY;
    }
    if (def->key_count > 0) make_segments(m, def->keys, def->key_count);
    *out = m;
    return MN_OK;
}

void mn_motion_destroy(mn_context *c, mn_motion **motion)
{
    if (*motion == NULL) return;
    mn_free(c, (*motion)->segments);
    mn_free(c, *motion);
    *motion = NULL;
}

/// Turn and shift of the keys, with their rates.
typedef struct keyed {
    mn_mat3 turn;
    mn_vec3 shift, shift_rate, turn_rate;
} keyed;

static const segment *segment_at(const mn_motion *m, double t)
{
    int low = 0, high = m->segment_count - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (m->segments[middle].start <= t) low = middle;
        else high = middle - 1;
    }
    return &m->segments[low];
}

static keyed keyed_at(const mn_motion *m, double t)
{
    keyed k = { .turn = mn_mat3_identity() };
    if (!m->has_keys) return k;
    if (m->segment_count == 0 || t < m->first_time) {
        k.turn  = m->first_turn;
        k.shift = m->first_shift;
        return k;
    }
    const segment *s = segment_at(m, t);
    const double   u = (t - s->start) / s->length;
    if (u >= 1.0) {
        k.turn  = m->last_turn;
        k.shift = m->last_shift;
        return k;
    }
    const bool   smooth = m->def.ease == MN_EASE_SMOOTH;
    const double e      = smooth ? u * u * (3.0 - 2.0 * u) : u;
    const double rate   = (smooth ? 6.0 * u * (1.0 - u) : 1.0) / s->length;
    k.turn              = mn_matmul3(mn_rotation3(s->axis, e * s->angle), s->turned);
    k.turn_rate         = mn_scale3(rate * s->angle, s->axis);
    k.shift             = mn_add3(s->from, mn_scale3(e, s->way));
    k.shift_rate        = mn_scale3(rate, s->way);
    return k;
}

mn_pose mn_motion_pose(const mn_motion *m, double t)
{
    if (m == NULL) return (mn_pose){ .rotation = mn_mat3_identity() };
    const keyed   k    = keyed_at(m, t);
    const mn_vec3 spin = mn_v3_from(m->def.spin), pivot = mn_v3_from(m->def.pivot);
    const double  turns = mn_norm3(spin);
    const mn_mat3 spun  = turns > 0.0 ? mn_rotation3(mn_scale3(1.0 / turns, spin), turns * t) : mn_mat3_identity();
    const double  phase = 2.0 * MN_PI * m->def.frequency * t + m->def.phase, w = 2.0 * MN_PI * m->def.frequency;
    const mn_vec3 v = mn_v3_from(m->def.velocity), amplitude = mn_v3_from(m->def.amplitude);
    const mn_vec3 shift = mn_add3(mn_add3(k.shift, mn_scale3(t, v)), mn_scale3(sin(phase), amplitude));

    mn_pose p;
    p.rotation    = turns > 0.0 ? mn_matmul3(spun, k.turn) : k.turn;
    p.center      = mn_add3(pivot, shift);
    p.translation = mn_sub3(p.center, mn_mul3(p.rotation, pivot));
    p.linear      = mn_add3(mn_add3(k.shift_rate, v), mn_scale3(w * cos(phase), amplitude));
    p.angular     = mn_add3(spin, mn_mul3(spun, k.turn_rate));
    return p;
}

static bool is_zero(const double v[3]) { return v[0] == 0.0 && v[1] == 0.0 && v[2] == 0.0; }

bool mn_motion_is_still(const mn_motion *m)
{
    if (m == NULL) return true;
    for (int k = 0; k < m->segment_count; k++)
        if (m->segments[k].angle != 0.0 || mn_norm3(m->segments[k].way) > 0.0) return false;
    return is_zero(m->def.velocity) && is_zero(m->def.spin) && (is_zero(m->def.amplitude) || m->def.frequency == 0.0);
}
