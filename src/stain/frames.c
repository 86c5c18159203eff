// SPDX-License-Identifier: MPL-2.0
// stain/frames.c - frames by Kabsch's method on one-rings, inertial acceleration and spin.
#include "stain/frames.h"

#include "base/pool.h"

#define BLOCK  1024
#define SWEEPS 12

/// Area-weighted normal of a ring.
static mn_vec3 ring_normal(const mn_stain_surface *s, const mn_vec3 *x, int64_t v)
{
    mn_vec3 sum = { 0.0, 0.0, 0.0 };
    for (int32_t i = s->edges.start[v]; i < s->edges.start[v + 1]; i++) {
        if (s->ring_corner[i] < 0) continue;
        const int32_t next = i + 1 < s->edges.start[v + 1] ? i + 1 : s->edges.start[v];
        sum                = mn_add3(sum,
                                     mn_cross3(mn_sub3(x[s->edges.neighbour[i]], x[v]), mn_sub3(x[s->edges.neighbour[next]], x[v])));
    }
    return mn_unit3(sum, mn_v3(0.0, 0.0, 1.0));
}

static mn_stain_frame tangential(mn_vec3 along, mn_vec3 z)
{
    const mn_vec3 other = fabs(z.x) < 0.6 ? mn_v3(1.0, 0.0, 0.0) : mn_v3(0.0, 1.0, 0.0);
    const mn_vec3 x     = mn_sub3(along, mn_scale3(mn_dot3(along, z), z));
    return (mn_stain_frame){ mn_unit3(x, mn_unit3(mn_cross3(other, z), other)), z };
}

/// Half the cotangent of the angle opposite to a side.
static double half_cotangent(const mn_stain_surface *s, int32_t slot)
{
    mn_stain_vec g[3];
    const int    a = slot % 3, b = (a + 1) % 3;
    mn_stain_gradients(s->corner[slot / 3], g);
    return -s->triangle_area[slot / 3] * (g[a].x * g[b].x + g[a].y * g[b].y);
}

/// Cotangent weight of an edge of a ring; clamped, since an obtuse pair must not pull its vertex the wrong way.
static double ring_weight(const mn_stain_surface *s, int64_t v, int32_t i)
{
    const int32_t from = s->edges.start[v], k = s->ring_corner[i];
    const int32_t before = i > from ? i - 1 : s->rim[v] ? -1 : s->edges.start[v + 1] - 1;
    double        w      = 0.0;
    if (k >= 0) w += half_cotangent(s, k);
    if (before >= 0) {
        const int32_t corner = s->ring_corner[before];
        w += half_cotangent(s, corner / 3 * 3 + (corner % 3 + 2) % 3);
    }
    return fmax(w, 0.01);
}

mn_status mn_stain_rest_create(const mn_stain_surface *s, const mn_vec3 *x, mn_stain_rest **out)
{
    mn_context    *c = s->context;
    mn_stain_rest *r = mn_alloc(c, sizeof *r);
    *out             = NULL;
    if (r == NULL) return MN_ERR_MEMORY;
    r->surface = s;
    r->arm     = mn_alloc_array(c, mn_vec3, 2 * s->edges.count);
    r->frame   = mn_alloc_array(c, mn_stain_frame, s->vertex_count);
    if (r->arm == NULL || r->frame == NULL) {
        mn_stain_rest_destroy(&r);
        return MN_ERR_MEMORY;
    }
    for (int64_t v = 0; v < s->vertex_count; v++) {
        const int32_t from = s->edges.start[v];
        r->frame[v]        = tangential(mn_sub3(x[s->edges.neighbour[from]], x[v]), ring_normal(s, x, v));
        const mn_vec3 ax = r->frame[v].x, ay = mn_stain_frame_y(&r->frame[v]), az = r->frame[v].z;
        for (int32_t i = from; i < s->edges.start[v + 1]; i++) {
            const mn_vec3 d = mn_sub3(x[s->edges.neighbour[i]], x[v]);
            r->arm[i]       = mn_scale3(ring_weight(s, v, i), mn_v3(mn_dot3(ax, d), mn_dot3(ay, d), mn_dot3(az, d)));
        }
    }
    *out = r;
    return MN_OK;
}

void mn_stain_rest_destroy(mn_stain_rest **rest)
{
    mn_stain_rest *r = *rest;
    if (r == NULL) return;
    mn_context *c = r->surface->context;
    mn_free(c, r->arm);
    mn_free(c, r->frame);
    mn_free(c, r);
    *rest = NULL;
}

/// One rotation of Jacobi's method in the plane (p, q) of a symmetric matrix; columns of v gather the eigenvectors.
static void jacobi(double a[3][3], double v[3][3], int p, int q)
{
    if (fabs(a[p][q]) <= 1e-17 * (fabs(a[p][p]) + fabs(a[q][q]))) return;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t     = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    const int    r   = 3 - p - q;
    const double apq = a[p][q], arp = a[r][p], arq = a[r][q];
    a[p][p] -= t * apq;
    a[q][q] += t * apq;
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = c * arp - s * arq;
    a[r][q] = a[q][r] = s * arp + c * arq;
    for (int k = 0; k < 3; k++) {
        const double vp = v[k][p], vq = v[k][q];
        v[k][p] = c * vp - s * vq;
        v[k][q] = s * vp + c * vq;
    }
}

static mn_vec3 column(double v[3][3], int k) { return mn_v3(v[0][k], v[1][k], v[2][k]); }

mn_mat3 mn_stain_nearest_rotation(mn_mat3 m)
{
    double a[3][3], v[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = mn_get3(m.row[0], i) * mn_get3(m.row[0], j) + mn_get3(m.row[1], i) * mn_get3(m.row[1], j) +
                      mn_get3(m.row[2], i) * mn_get3(m.row[2], j);
    const double scale = a[0][0] + a[1][1] + a[2][2];
    for (int sweep = 0; sweep < SWEEPS && fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]) > 1e-16 * scale; sweep++) {
        jacobi(a, v, 0, 1);
        jacobi(a, v, 0, 2);
        jacobi(a, v, 1, 2);
    }
    int big = 0, small = 0;
    for (int k = 1; k < 3; k++) {
        if (a[k][k] > a[big][big]) big = k;
        if (a[k][k] <= a[small][small]) small = k;
    }
    if (big == small) big = 0, small = 2;  // all equal
    const int     middle = 3 - big - small;
    const mn_vec3 v1 = column(v, big), v2 = column(v, middle), v3 = mn_cross3(v1, v2);
    const mn_vec3 u1  = mn_unit3(mn_mul3(m, v1), mn_v3(1.0, 0.0, 0.0));
    const mn_vec3 w2  = mn_mul3(m, v2);
    const mn_vec3 any = mn_unit3(mn_cross3(u1, fabs(u1.x) < 0.6 ? mn_v3(1.0, 0.0, 0.0) : mn_v3(0.0, 1.0, 0.0)), u1);
    const mn_vec3 u2 = mn_unit3(mn_sub3(w2, mn_scale3(mn_dot3(w2, u1), u1)), any), u3 = mn_cross3(u1, u2);
    mn_mat3       out;
    for (int i = 0; i < 3; i++)
        out.row[i] = mn_add3(mn_add3(mn_scale3(mn_get3(u1, i), v1), mn_scale3(mn_get3(u2, i), v2)),
                             mn_scale3(mn_get3(u3, i), v3));
    return out;
}

typedef struct frames_job {
    const mn_stain_rest *r;
    const mn_vec3       *x;
    mn_stain_frame      *out;
} frames_job;

static void frames_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const frames_job       *j = context;
    const mn_stain_surface *s = j->r->surface;
    for (int64_t v = begin; v < end; v++) {
        mn_mat3 c = { { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } };
        for (int32_t i = s->edges.start[v]; i < s->edges.start[v + 1]; i++) {
            const mn_vec3 d = mn_sub3(j->x[s->edges.neighbour[i]], j->x[v]), arm = j->r->arm[i];
            c.row[0] = mn_add3(c.row[0], mn_scale3(d.x, arm));
            c.row[1] = mn_add3(c.row[1], mn_scale3(d.y, arm));
            c.row[2] = mn_add3(c.row[2], mn_scale3(d.z, arm));
        }
        const mn_mat3 f = mn_stain_nearest_rotation(c);
        j->out[v]       = tangential(mn_v3(f.row[0].x, f.row[1].x, f.row[2].x), ring_normal(s, j->x, v));
    }
}

void mn_stain_frames(const mn_stain_rest *r, const mn_vec3 *x, mn_stain_frame *out)
{
    frames_job job = { r, x, out };
    mn_parallel_for(mn_context_pool(r->surface->context), r->surface->vertex_count, BLOCK, frames_block, &job);
}

mn_vec3 mn_stain_spin(const mn_stain_frame *before, const mn_stain_frame *after, double seconds)
{
    const mn_vec3 b[3] = { before->x, mn_stain_frame_y(before), before->z },
                  a[3] = { after->x, mn_stain_frame_y(after), after->z };
    // v = sin(angle) axis of F_before^T F_after.
    const mn_vec3 v     = mn_scale3(0.5, mn_v3(mn_dot3(b[2], a[1]) - mn_dot3(b[1], a[2]),
                                               mn_dot3(b[0], a[2]) - mn_dot3(b[2], a[0]),
                                               mn_dot3(b[1], a[0]) - mn_dot3(b[0], a[1])));
    const double  sine  = mn_norm3(v),
                 cosine = 0.5 * (mn_dot3(b[0], a[0]) + mn_dot3(b[1], a[1]) + mn_dot3(b[2], a[2]) - 1.0);
    if (!(sine > 0.0)) return mn_v3(0.0, 0.0, 0.0);
    return mn_scale3(atan2(sine, cosine) / (sine * seconds), v);
}

typedef struct inertia_job {
    const mn_stain_motion *m;
    mn_vec3                gravity;
    mn_stain_vec          *acceleration;
    double                *spin, *press;
} inertia_job;

static void inertia_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const inertia_job     *j    = context;
    const mn_stain_motion *m    = j->m;
    const double           both = m->h[0] + m->h[1], first = 2.0 / (both * m->h[0]), second = 2.0 / (both * m->h[1]);
    for (int64_t v = begin; v < end; v++) {
        const mn_vec3 moves = mn_sub3(mn_scale3(second, mn_sub3(m->x[2][v], m->x[1][v])),
                                      mn_scale3(first, mn_sub3(m->x[1][v], m->x[0][v])));
        const mn_vec3 felt = mn_sub3(j->gravity, moves), y = mn_stain_frame_y(&m->frame[1][v]);
        j->acceleration[v] = (mn_stain_vec){ mn_dot3(m->frame[1][v].x, felt), mn_dot3(y, felt) };
        j->spin[v]         = mn_stain_spin(&m->frame[0][v], &m->frame[2][v], both).z;
        if (j->press != NULL) j->press[v] = fabs(mn_dot3(m->frame[1][v].z, felt));
    }
}

void mn_stain_inertia(const mn_stain_surface *s, const mn_stain_motion *m, mn_vec3 gravity, mn_stain_vec *acceleration,
                      double *spin, double *press)
{
    inertia_job job = { m, gravity, acceleration, spin, press };
    mn_parallel_for(mn_context_pool(s->context), s->vertex_count, BLOCK, inertia_block, &job);
}
