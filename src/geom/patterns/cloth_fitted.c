// SPDX-License-Identifier: MPL-2.0
// geom/patterns/cloth_fitted.c - an outline filled with a turned lattice.
//
// Points of the lattice that keep some distance from the outline, points along the outline, Delaunay triangles of both.
// Vertices near the outline are then moved to the middle of their neighbours and the triangles made anew, some times.
// How near the lattice may come to the outline decides the smallest angle: several distances are tried and the best is
// taken.
#include "geom/patterns/cloth_private.h"
#include "geom/patterns/delaunay.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS      6     // of moving and making triangles anew
#define SWEEPS      3     // of moving in each
#define BAND        2.2   // spacings from the outline within which vertices move
#define GOOD_ENOUGH 33.0  // degrees: the search for a better distance ends
#define JITTER      1e-7  // spacings, of the points as the triangulation sees them: no four lie on a circle
#define BULGE       1e-6  // spacings, second difference of the sides as it sees them: no three lie on a line

typedef struct point {
    double  x, z;     // where it is
    double  seen[2];  // where the triangulation sees it
    int32_t i, j;     // place in the lattice
    int8_t  kind;
} point;
enum { POINT_OUTLINE, POINT_LATTICE, POINT_MOVED };

typedef struct fit {
    mn_context         *context;
    const mn_cloth_def *def;
    point              *points;
    int64_t             count, room;
    mn_delaunay         mesh;
} fit;

// --- points ----------------------------------------------------------------------------------------------------------

static mn_status add_point(fit *f, point p)
{
    MN_TRY(mn_array_reserve(f->context, &f->points, &f->room, f->count + 1, sizeof p));
    f->points[f->count++] = p;
    return MN_OK;
}

static mn_status add_side(fit *f, const double from[2], const double to[2])
{
    const double  length = hypot(to[0] - from[0], to[1] - from[1]), s = f->def->spacing;
    const int64_t n = (int64_t)fmax(1.0, round(length / s));
    // Outward is to the right of an anticlockwise side; the bulge is never large.
    const double bulge  = fmin(BULGE * s, 0.4 * s / (double)(n * n)),
                 out[2] = { (to[1] - from[1]) / length, (from[0] - to[0]) / length };
    for (int64_t k = 0; k < n; k++) {
        const double t = (double)k / (double)n, b = 0.5 * bulge * (double)(k * (n - k));
        point p = { .x = from[0] + t * (to[0] - from[0]), .z = from[1] + t * (to[1] - from[1]), .kind = POINT_OUTLINE };
        p.seen[0] = p.x + b * out[0];
        p.seen[1] = p.z + b * out[1];
        MN_TRY(add_point(f, p));
    }
    return MN_OK;
}

static mn_status add_outline(fit *f)
{
    double    corner[6][2];
    const int corners = mn_cloth_corners(f->def, corner);
    for (int k = 0; k < corners; k++) MN_TRY(add_side(f, corner[k], corner[(k + 1) % corners]));
    if (corners > 0) return MN_OK;
    const double  radius = 0.5 * f->def->size[0];
    const int64_t n      = (int64_t)fmax(6.0, round(2.0 * MN_PI * radius / f->def->spacing));
    for (int64_t k = 0; k < n; k++) {
        const double a = f->def->angle + 2.0 * MN_PI * (double)k / (double)n;
        MN_TRY(add_point(f, (point){ .x    = radius * cos(a),
                                     .z    = radius * sin(a),
                                     .seen = { radius * cos(a), radius * sin(a) } }));
    }
    return MN_OK;
}

static mn_status add_lattice(fit *f, double keep)
{
    const mn_cloth_def *d = f->def;
    const double        s = d->spacing, c = cos(d->angle), q = sin(d->angle);
    const bool          even   = d->mesh == MN_CLOTH_EQUILATERAL;
    const double        height = even ? 0.5 * sqrt(3.0) * s : s;
    const double  reach = d->outline == MN_CLOTH_RECTANGLE ? 0.5 * hypot(d->size[0], d->size[1]) : 0.5 * d->size[0];
    const int64_t rows = (int64_t)ceil(reach / height) + 1, columns = (int64_t)ceil(reach / s) + 1;
    for (int64_t j = -rows; j <= rows; j++) {
        for (int64_t i = -columns; i <= columns; i++) {
            const double u = s * ((double)i + (even && j % 2 != 0 ? 0.5 : 0.0)), v = height * (double)j;
            point        p = { .x    = c * u - q * v,
                               .z    = q * u + c * v,
                               .i    = (int32_t)i,
                               .j    = (int32_t)j,
                               .kind = POINT_LATTICE };
            if (mn_cloth_depth(d, p.x, p.z) < keep * s) continue;
            MN_TRY(add_point(f, p));
        }
    }
    return MN_OK;
}

static int compare_rows(const void *a, const void *b, double row)
{
    const point *p = a, *q = b;
    const double rp = floor(p->z / row), rq = floor(q->z / row);
    if (rp != rq) return rp < rq ? -1 : 1;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

/// Rows from back to front, so that neighbours have near numbers: sorted by merging, which needs no global for the
/// width.
static mn_status sort_rows(fit *f)
{
    point *other = mn_alloc_array(f->context, point, f->count);
    if (other == NULL) return MN_ERR_MEMORY;
    for (int64_t width = 1; width < f->count; width *= 2) {
        for (int64_t low = 0; low < f->count; low += 2 * width) {
            const int64_t mid = low + width < f->count ? low + width : f->count;
            const int64_t end = low + 2 * width < f->count ? low + 2 * width : f->count;
            int64_t       a = low, b = mid;
            for (int64_t k = low; k < end; k++) {
                const bool first = b == end ||
                                   (a < mid && compare_rows(&f->points[a], &f->points[b], f->def->spacing) <= 0);
                other[k] = f->points[first ? a++ : b++];
            }
        }
        memcpy(f->points, other, (size_t)f->count * sizeof *other);
    }
    mn_free(f->context, other);
    return MN_OK;
}

// --- triangles -------------------------------------------------------------------------------------------------------

static mn_status triangulate(fit *f)
{
    double(*seen)[2] = mn_alloc(f->context, mn_array_bytes(f->count, sizeof *seen));
    if (seen == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < f->count; k++) {
        point *p = &f->points[k];
        if (p->kind != POINT_OUTLINE) {
            p->seen[0] = p->x + JITTER * f->def->spacing * (mn_random(1, (uint64_t)k, 0, 0) - 0.5);
            p->seen[1] = p->z + JITTER * f->def->spacing * (mn_random(1, (uint64_t)k, 0, 1) - 0.5);
        }
        memcpy(seen[k], p->seen, sizeof p->seen);
    }
    mn_delaunay_free(f->context, &f->mesh);
    const mn_status status = mn_delaunay_make(f->context, (const double(*)[2])seen, f->count, &f->mesh);
    mn_free(f->context, seen);
    return status;
}

static bool is_real(const fit *f, int64_t t)
{
    const int32_t *v = f->mesh.triangle[t];
    return v[0] < f->count && v[1] < f->count && v[2] < f->count;
}

/// The diagonal a square of the lattice should have: whether it joins its first and last corner.
static bool wants_main_diagonal(const fit *f, int32_t i, int32_t j)
{
    return f->def->mesh == MN_CLOTH_STRUCTURED || (i + j) % 2 == 0;
}

/// Give the squares of the lattice their diagonals: the triangulation cannot tell the two apart.
static void turn_diagonals(fit *f)
{
    for (int32_t t = 0; t < f->mesh.count; t++) {
        for (int k = 0; k < 3 && is_real(f, t); k++) {
            const int32_t u = f->mesh.across[t][k];
            if (u < 0 || !is_real(f, u)) continue;
            const int32_t *v = f->mesh.triangle[t];
            const point   *p = &f->points[v[k]], *a = &f->points[v[(k + 1) % 3]], *b = &f->points[v[(k + 2) % 3]];
            if (p->kind != POINT_LATTICE || a->kind != POINT_LATTICE || b->kind != POINT_LATTICE) continue;
            if (abs(a->i - b->i) != 1 || abs(a->j - b->j) != 1) continue;  // not a diagonal
            int32_t opposite = 0;
            for (int l = 0; l < 3; l++) {
                if (f->mesh.across[u][l] == t) opposite = f->mesh.triangle[u][l];
            }
            const point *q = &f->points[opposite];
            if (q->kind != POINT_LATTICE || p->i + q->i != a->i + b->i || p->j + q->j != a->j + b->j) continue;
            const bool is_main = (a->i - b->i) * (a->j - b->j) > 0;
            if (is_main != wants_main_diagonal(f, a->i < b->i ? a->i : b->i, a->j < b->j ? a->j : b->j))
                mn_delaunay_flip(&f->mesh, t, k);
        }
    }
}

static double corner_angle(const point *a, const point *b, const point *c)
{
    const double bx = b->x - a->x, bz = b->z - a->z, cx = c->x - a->x, cz = c->z - a->z;
    return atan2(fabs(bx * cz - bz * cx), bx * cx + bz * cz) * 180.0 / MN_PI;
}

static double smallest_angle(const fit *f)
{
    double least = 180.0;
    for (int64_t t = 0; t < f->mesh.count; t++) {
        if (!is_real(f, t)) continue;
        for (int k = 0; k < 3; k++) {
            const int32_t *v = f->mesh.triangle[t];
            least = fmin(least, corner_angle(&f->points[v[k]], &f->points[v[(k + 1) % 3]], &f->points[v[(k + 2) % 3]]));
        }
    }
    return least;
}

// --- moving ----------------------------------------------------------------------------------------------------------

/// One sweep: vertices near the outline go to the mean of the middles of their triangles, weighted by area, which evens
/// out both size and shape.
static void move_points(fit *f, double (*sum)[3])
{
    memset(sum, 0, (size_t)f->count * sizeof *sum);
    for (int64_t t = 0; t < f->mesh.count; t++) {
        if (!is_real(f, t)) continue;
        const int32_t *v = f->mesh.triangle[t];
        const point   *a = &f->points[v[0]], *b = &f->points[v[1]], *c = &f->points[v[2]];
        const double   area = fabs((b->x - a->x) * (c->z - a->z) - (b->z - a->z) * (c->x - a->x));
        for (int k = 0; k < 3; k++) {
            sum[v[k]][0] += area * (a->x + b->x + c->x) / 3.0;
            sum[v[k]][1] += area * (a->z + b->z + c->z) / 3.0;
            sum[v[k]][2] += area;
        }
    }
    for (int64_t k = 0; k < f->count; k++) {
        point *p = &f->points[k];
        if (p->kind == POINT_OUTLINE || !(sum[k][2] > 0.0) ||
            mn_cloth_depth(f->def, p->x, p->z) > BAND * f->def->spacing)
            continue;
        p->x    = sum[k][0] / sum[k][2];
        p->z    = sum[k][1] / sum[k][2];
        p->kind = POINT_MOVED;
    }
}

static mn_status relax(fit *f)
{
    double(*sum)[3] = mn_alloc(f->context, mn_array_bytes(f->count, sizeof *sum));
    if (sum == NULL) return MN_ERR_MEMORY;
    mn_status status = triangulate(f);
    for (int round = 0; round < ROUNDS && status == MN_OK; round++) {
        for (int sweep = 0; sweep < SWEEPS; sweep++) move_points(f, sum);
        status = triangulate(f);
    }
    mn_free(f->context, sum);
    return status;
}

static mn_status make_fit(fit *f, double keep)
{
    f->count = 0;
    MN_TRY(add_outline(f));
    MN_TRY(add_lattice(f, keep));
    MN_TRY(sort_rows(f));
    MN_TRY(relax(f));
    if (f->def->mesh != MN_CLOTH_EQUILATERAL) turn_diagonals(f);
    return MN_OK;
}

static mn_status best_fit(fit *f)
{
    static const double keeps[] = { 0.6, 0.5, 0.7, 0.45, 0.8, 0.4 };
    const int           tries   = (int)(sizeof keeps / sizeof keeps[0]);
    double              best = -1.0, best_keep = keeps[0], now = -1.0;
    for (int k = 0; k < tries && now < GOOD_ENOUGH; k++) {
        MN_TRY(make_fit(f, keeps[k]));
        now = smallest_angle(f);
        if (now > best) {
            best      = now;
            best_keep = keeps[k];
        }
    }
    return now == best ? MN_OK : make_fit(f, best_keep);
}

void mn_cloth_fitted(mn_pattern_builder *b, const mn_cloth_def *def)
{
    fit f = { .context = b->context, .def = def };
    if (b->status == MN_OK) b->status = best_fit(&f);
    for (int64_t k = 0; k < f.count && b->status == MN_OK; k++)
        mn_build_vertex(b, mn_v3(f.points[k].x, 0.0, f.points[k].z));
    for (int64_t t = 0; t < f.mesh.count && b->status == MN_OK; t++) {
        const int32_t *v = f.mesh.triangle[t];
        if (is_real(&f, t)) mn_build_triangle(b, v[0], v[2], v[1]);
    }
    mn_delaunay_free(b->context, &f.mesh);
    mn_free(b->context, f.points);
}
