// SPDX-License-Identifier: MPL-2.0
// stain/operator.c - conductances of a cloth: one per pair of vertices, summed over triangles.
#include "stain/operator_flip.h"

#include <string.h>

mn_stain_tensor mn_stain_tensor_at(mn_stain_tensor t, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (mn_stain_tensor){ c * c * t.xx - 2.0 * c * s * t.xy + s * s * t.yy,
                              c * s * (t.xx - t.yy) + (c * c - s * s) * t.xy,
                              s * s * t.xx + 2.0 * c * s * t.xy + c * c * t.yy };
}

static mn_status check_tensors(const mn_stain_surface *s, const mn_stain_tensor *tensor)
{
    for (int64_t t = 0; t < s->triangle_count; t++) {
        const mn_stain_tensor a     = tensor[t];
        const double          trace = a.xx + a.yy, least = a.xx * a.yy - a.xy * a.xy;
        // Round-off of a turned tensor of ratio 1e6 and more.
        if (!(isfinite(trace) && a.xx >= 0.0 && a.yy >= 0.0 && least >= -1e-14 * trace * trace))
            return mn_fail(s->context, MN_ERR_ARGUMENT,
                           "the diffusion tensor (%g, %g, %g) of triangle %lld is not positive", a.xx, a.xy, a.yy,
                           (long long)t);
    }
    return MN_OK;
}

/// A side of a triangle and what it conducts, filed under the smaller of its two vertices.
typedef struct side {
    int32_t other;
    double  conductance;
} side;

/// One link per pair of vertices; an edge from a vertex to itself (flips on a closed surface) conducts nothing.
static void join_sides(mn_stain_operator *op, const int32_t *start, side *sides)
{
    for (int64_t v = 0; v < op->links.vertex_count; v++) {
        side         *s = sides + start[v];
        const int64_t n = start[v + 1] - start[v];
        for (int64_t i = 1; i < n; i++) {
            const side x = s[i];
            int64_t    j = i;
            for (; j > 0 && s[j - 1].other > x.other; j--) s[j] = s[j - 1];
            s[j] = x;
        }
        for (int64_t i = 0; i < n; i++) {
            if (s[i].other == v) continue;
            if (i == 0 || s[i].other != s[i - 1].other) {
                op->links.end[op->links.count][0] = (int32_t)v;
                op->links.end[op->links.count][1] = s[i].other;
                op->links.count++;
            }
            op->conductance[op->links.count - 1] += s[i].conductance;
        }
    }
}

static void file_sides(const mn_stain_flipped *f, int64_t vertices, int32_t *start, side *sides)
{
    for (int64_t k = 0; k < 3 * f->triangle_count; k++) {
        const int32_t a = f->triangle[k / 3][k % 3], b = f->triangle[k / 3][(k % 3 + 1) % 3];
        start[a < b ? a : b]++;
    }
    for (int64_t v = 1; v <= vertices; v++) start[v] += start[v - 1];
    for (int64_t k = 3 * f->triangle_count - 1; k >= 0; k--) {
        const int32_t a = f->triangle[k / 3][k % 3], b = f->triangle[k / 3][(k % 3 + 1) % 3];
        sides[--start[a < b ? a : b]] = (side){
            a < b ? b : a, mn_stain_side_conductance(f->corner[k / 3], f->tensor[k / 3], (int)(k % 3))
        };
    }
}

static mn_status assemble(mn_stain_operator *op, const mn_stain_flipped *f)
{
    mn_context   *c     = op->context;
    const int64_t sides = 3 * f->triangle_count;
    int32_t      *start = mn_alloc_array(c, int32_t, op->links.vertex_count + 1);
    side         *filed = mn_alloc_array(c, side, sides);
    op->links.end       = mn_alloc(c, mn_array_bytes(sides, sizeof *op->links.end));
    op->conductance     = mn_alloc_array(c, double, sides);
    mn_status st        = start != NULL && filed != NULL && op->links.end != NULL && op->conductance != NULL ? MN_OK
                                                                                                             : MN_ERR_MEMORY;
    if (st == MN_OK) {
        file_sides(f, op->links.vertex_count, start, filed);
        join_sides(op, start, filed);
        st = mn_stain_links_index(c, &op->links);
    }
    double largest = 0.0;
    for (int64_t k = 0; k < op->links.count; k++) largest = fmax(largest, fabs(op->conductance[k]));
    for (int64_t k = 0; k < op->links.count; k++) {
        if (fabs(op->conductance[k]) < 1e-15 * largest) op->conductance[k] = 0.0;  // right angles
        op->negative += op->conductance[k] < 0.0;
    }
    mn_free(c, start);
    mn_free(c, filed);
    op->low = op->conductance;
    if (st != MN_OK || op->negative == 0) return st;
    op->low = mn_alloc_array(c, double, op->links.count);
    if (op->low == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < op->links.count; k++) op->low[k] = fmax(op->conductance[k], 0.0);
    return MN_OK;
}

/// The tensor with its smaller eigenvalue raised to the larger one over `ratio`.
static mn_stain_tensor tempered(mn_stain_tensor s, double ratio)
{
    const double mean = 0.5 * (s.xx + s.yy), half = 0.5 * (s.xx - s.yy), spread = sqrt(half * half + s.xy * s.xy);
    const double big = mean + spread, small = fmax(mean - spread, big / ratio);
    if (!(spread > 0.0)) return (mn_stain_tensor){ 1.0, 0.0, 1.0 };
    const double middle = 0.5 * (big + small), part = 0.5 * (big - small) / spread;
    return (mn_stain_tensor){ middle + part * half, part * s.xy, middle - part * half };
}

static mn_status copy_triangles(const mn_stain_surface *s, const mn_stain_operator_def *def, mn_stain_flipped *f)
{
    const int64_t n = s->triangle_count;
    *f              = (mn_stain_flipped){ .context = s->context, .triangle_count = n, .patch = def->patch };
    f->triangle     = mn_alloc(s->context, mn_array_bytes(n, sizeof *f->triangle));
    f->across       = mn_alloc(s->context, mn_array_bytes(n, sizeof *f->across));
    f->corner       = mn_alloc(s->context, mn_array_bytes(n, sizeof *f->corner));
    f->tensor       = mn_alloc_array(s->context, mn_stain_tensor, n);
    f->metric       = mn_alloc_array(s->context, mn_stain_tensor, n);
    if (f->triangle == NULL || f->across == NULL || f->corner == NULL || f->tensor == NULL || f->metric == NULL)
        return MN_ERR_MEMORY;
    memcpy(f->triangle, s->triangle, (size_t)n * sizeof *f->triangle);
    memcpy(f->across, s->across, (size_t)n * sizeof *f->across);
    memcpy(f->corner, s->corner, (size_t)n * sizeof *f->corner);
    memcpy(f->tensor, def->tensor, (size_t)n * sizeof *f->tensor);
    for (int64_t t = 0; t < n; t++)
        f->metric[t] = tempered(def->tensor[t], def->flip_ratio > 0.0 ? def->flip_ratio : MN_STAIN_FLIP_RATIO);
    return MN_OK;
}

mn_status mn_stain_operator_create(const mn_stain_surface *s, const mn_stain_operator_def *def, mn_stain_operator **out)
{
    *out = NULL;
    MN_TRY(check_tensors(s, def->tensor));
    mn_stain_operator *op = mn_alloc(s->context, sizeof *op);
    if (op == NULL) return MN_ERR_MEMORY;
    op->context            = s->context;
    op->links.vertex_count = s->vertex_count;
    mn_stain_flipped f;
    mn_status        st = copy_triangles(s, def, &f);
    if (st == MN_OK && !def->keep_edges) st = mn_stain_flip_edges(&f);
    if (st == MN_OK) st = assemble(op, &f);
    op->flips            = f.flips;
    void *const arrays[] = { f.triangle, f.across, f.corner, f.tensor, f.metric };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) mn_free(s->context, arrays[k]);
    if (st != MN_OK) mn_stain_operator_destroy(&op);
    *out = op;
    return st;
}

void mn_stain_operator_destroy(mn_stain_operator **operator)
{
    mn_stain_operator *op = *operator;
    if (op == NULL) return;
    mn_stain_links_free(op->context, &op->links);
    if (op->low != op->conductance) mn_free(op->context, op->low);
    mn_free(op->context, op->conductance);
    mn_free(op->context, op);
    *operator= NULL;
}

double mn_stain_operator_stiffness(const mn_stain_operator *op, const double *area, double h)
{
    double largest = 0.0;
    for (int64_t v = 0; v < op->links.vertex_count; v++) {
        double sum = 0.0;
        for (int32_t i = op->links.start[v]; i < op->links.start[v + 1]; i++) sum += op->low[op->links.around[i] / 2];
        largest = fmax(largest, h * sum / area[v]);
    }
    return largest;
}
