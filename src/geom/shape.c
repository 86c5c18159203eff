// SPDX-License-Identifier: MPL-2.0
// geom/shape.c - making, sharing and evaluating shapes.
//
// Sets combine distances by minimum and maximum. Zero and sign are then right, and the magnitude is never above the
// true distance: outside a union and inside an intersection it is exact, elsewhere a bound.
#include "geom/shape_private.h"

#include "base/hash.h"
#include "defs/check.h"

#include <string.h>

mn_shape_def mn_shape_def_default(mn_shape_kind kind)
{
    return (mn_shape_def){ .kind   = kind,
                           .axis   = { 0.0, 1.0, 0.0 },
                           .size   = { 1.0, 1.0, 1.0 },
                           .radius = { 1.0, 0.5 },
                           .height = 1.0,
                           .scale  = 1.0 };
}

mn_shape *mn_shape_retain(mn_shape *shape)
{
    if (shape != NULL) atomic_fetch_add_explicit(&shape->references, 1, memory_order_relaxed);
    return shape;
}

void mn_shape_release(mn_shape **shape)
{
    mn_shape *s = *shape;
    *shape      = NULL;
    if (s == NULL || atomic_fetch_sub_explicit(&s->references, 1, memory_order_acq_rel) > 1) return;
    for (int k = 0; k < s->part_count; k++) mn_shape_release(&s->parts[k]);
    mn_mesh_distance_destroy(s->context, &s->mesh);
    mn_mesh_free(s->context, &s->surface);
    mn_free(s->context, s->parts);
    mn_free(s->context, s);
}

mn_shape *mn_shape_new(mn_context *c, mn_shape_kind kind, mn_shape *const *parts, int part_count)
{
    mn_shape *s = mn_alloc(c, sizeof *s);
    if (s == NULL) return NULL;
    s->context = c;
    s->kind    = kind;
    atomic_init(&s->references, 1);
    if (part_count > 0) {
        s->parts = mn_alloc_array(c, mn_shape *, part_count);
        if (s->parts == NULL) {
            mn_free(c, s);
            return NULL;
        }
    }
    s->part_count = part_count;
    for (int k = 0; k < part_count; k++) {
        s->parts[k] = mn_shape_retain(parts[k]);
        if (parts[k]->depth >= s->depth) s->depth = parts[k]->depth + 1;
    }
    return s;
}

static uint64_t hash_double(uint64_t hash, double v)
{
    v += 0.0;  // -0 becomes 0
    return mn_hash_bytes(hash, &v, sizeof v);
}

static uint64_t hash_vec3(uint64_t hash, mn_vec3 v)
{
    return hash_double(hash_double(hash_double(hash, v.x), v.y), v.z);
}

static uint64_t hash_parts(const mn_shape *s)
{
    const int32_t head[3] = { (int32_t)s->kind, s->part_count, s->placed };
    uint64_t      hash    = mn_hash_bytes(MN_HASH_SEED, head, sizeof head);
    for (int k = 0; k < s->part_count; k++) hash = mn_hash_bytes(hash, &s->parts[k]->hash, sizeof s->parts[k]->hash);
    return hash;
}

/// A unit vector at right angles to a unit vector, always the same one.
static mn_vec3 across_of(mn_vec3 axis)
{
    const mn_vec3 helper = fabs(axis.x) < 0.6 ? mn_v3(1, 0, 0) : mn_v3(0, 1, 0);
    const mn_vec3 across = mn_cross3(axis, helper);
    return mn_scale3(1.0 / mn_norm3(across), across);
}

static void make_primitive(mn_shape *s, const mn_shape_def *def)
{
    mn_primitive *p = &s->primitive;
    p->kind         = def->kind;
    p->center       = mn_v3_from(def->center);
    p->axis         = mn_unit3(mn_v3_from(def->axis), mn_v3(0, 1, 0));
    if (def->kind == MN_SHAPE_SPHERE || def->kind == MN_SHAPE_BOX) p->axis = mn_v3(0, 1, 0);
    p->across      = across_of(p->axis);
    p->half        = mn_scale3(0.5, mn_v3_from(def->size));
    p->half_height = 0.5 * def->height;
    p->radius[0]   = def->radius[0];
    p->radius[1]   = def->radius[1];
    mn_primitive_bounds(p, &s->low, &s->high);

    uint64_t hash = hash_vec3(hash_vec3(hash_parts(s), p->center), p->axis);
    if (def->kind == MN_SHAPE_BOX) hash = hash_vec3(hash, p->half);
    if (def->kind != MN_SHAPE_BOX && def->kind != MN_SHAPE_PLANE) hash = hash_double(hash, p->radius[0]);
    if (def->kind == MN_SHAPE_CONE || def->kind == MN_SHAPE_TORUS) hash = hash_double(hash, p->radius[1]);
    if (def->kind == MN_SHAPE_CAPSULE || def->kind == MN_SHAPE_CYLINDER || def->kind == MN_SHAPE_CONE)
        hash = hash_double(hash, p->half_height);
    s->hash = hash;
}

static mn_status make_mesh(mn_shape *s, const mn_shape_def *def)
{
    mn_context *c    = s->context;
    mn_mesh     mesh = { 0 };
    MN_TRY(mn_mesh_read(c, def->file, &mesh));
    mn_status status = mn_mesh_check_closed(c, def->file, &mesh);
    if (status == MN_OK) {
        s->low  = mn_v3(INFINITY, INFINITY, INFINITY);
        s->high = mn_v3(-INFINITY, -INFINITY, -INFINITY);
        for (int64_t v = 0; v < mesh.vertex_count; v++)
            for (int a = 0; a < 3; a++) mesh.vertex[v][a] = def->scale * mesh.vertex[v][a] + def->center[a];
        for (int64_t t = 0; t < mesh.triangle_count; t++)
            for (int k = 0; k < 3; k++) {
                const mn_vec3 x = mn_v3_from(mesh.vertex[mesh.triangle[t][k]]);
                s->low          = mn_v3(fmin(s->low.x, x.x), fmin(s->low.y, x.y), fmin(s->low.z, x.z));
                s->high         = mn_v3(fmax(s->high.x, x.x), fmax(s->high.y, x.y), fmax(s->high.z, x.z));
            }
        mn_mesh_turn_outward(&mesh);
        s->hash = mn_hash_bytes(hash_parts(s), mesh.vertex, (size_t)mesh.vertex_count * sizeof *mesh.vertex);
        s->hash = mn_hash_bytes(s->hash, mesh.triangle, (size_t)mesh.triangle_count * sizeof *mesh.triangle);
        status  = mn_mesh_distance_create(c, &mesh, &s->mesh);
    }
    if (status == MN_OK) s->surface = mesh;
    else mn_mesh_free(c, &mesh);
    return status;
}

static mn_vec3 lower(mn_vec3 a, mn_vec3 b) { return mn_v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }
static mn_vec3 higher(mn_vec3 a, mn_vec3 b) { return mn_v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)); }

static mn_status make_set(mn_shape *s)
{
    s->low  = s->parts[0]->low;
    s->high = s->parts[0]->high;
    s->hash = hash_parts(s);
    for (int k = 1; k < s->part_count && s->kind != MN_SHAPE_DIFFERENCE; k++) {
        const mn_shape *part = s->parts[k];
        s->low               = s->kind == MN_SHAPE_UNION ? lower(s->low, part->low) : higher(s->low, part->low);
        s->high              = s->kind == MN_SHAPE_UNION ? higher(s->high, part->high) : lower(s->high, part->high);
        if (s->low.x > s->high.x || s->low.y > s->high.y || s->low.z > s->high.z)
            return mn_fail(s->context, MN_ERR_ARGUMENT,
                           "intersection: parts[%d] does not meet the parts before it; nothing is left", k);
    }
    return MN_OK;
}

mn_status mn_shape_create(mn_context *c, const mn_shape_def *def, mn_shape **out)
{
    *out = NULL;
    MN_TRY(mn_shape_check(c, def));
    const bool set = def->kind == MN_SHAPE_UNION || def->kind == MN_SHAPE_INTERSECTION ||
                     def->kind == MN_SHAPE_DIFFERENCE;
    mn_shape *s = mn_shape_new(c, def->kind, def->parts, set ? def->part_count : 0);
    if (s == NULL) return MN_ERR_MEMORY;
    mn_status status = MN_OK;
    if (set) status = make_set(s);
    else if (def->kind == MN_SHAPE_MESH) status = make_mesh(s, def);
    else make_primitive(s, def);
    if (status != MN_OK) {
        mn_shape_release(&s);
        return status;
    }
    *out = s;
    return MN_OK;
}

/// The box around the turned box; infinite as a whole if the inner one is.
static void place_bounds(mn_shape *s)
{
    const mn_vec3 l = s->parts[0]->low, h = s->parts[0]->high;
    if (!isfinite(mn_norm3(l)) || !isfinite(mn_norm3(h))) {
        s->low  = mn_v3(-INFINITY, -INFINITY, -INFINITY);
        s->high = mn_v3(INFINITY, INFINITY, INFINITY);
        return;
    }
    for (int k = 0; k < 8; k++) {
        const mn_vec3 corner = { k & 1 ? h.x : l.x, k & 2 ? h.y : l.y, k & 4 ? h.z : l.z };
        const mn_vec3 x      = mn_add3(mn_mul3(s->rotation, corner), s->translation);
        s->low               = k == 0 ? x : lower(s->low, x);
        s->high              = k == 0 ? x : higher(s->high, x);
    }
}

mn_status mn_shape_placed(mn_context *c, mn_shape *shape, const double axis[3], double angle, const double at[3],
                          mn_shape **out)
{
    *out = NULL;
    if (shape == NULL) return mn_fail(c, MN_ERR_ARGUMENT, "placed shape: shape is NULL; it must be a shape");
    if (shape->depth >= MN_SHAPE_MAX_DEPTH)
        return mn_fail(c, MN_ERR_ARGUMENT, "placed shape: the shape is nested %d deep; the limit is %d", shape->depth,
                       MN_SHAPE_MAX_DEPTH);
    const mn_vec3        n = mn_v3_from(axis), move = mn_v3_from(at);
    const mn_shape_entry placed = { .axis  = { axis[0], axis[1], axis[2] },
                                    .angle = angle,
                                    .at    = { at[0], at[1], at[2] } };
    MN_TRY(mn_defs_check(c, &mn_section_placement, &placed, "placed shape: "));

    mn_shape *s = mn_shape_new(c, shape->kind, &shape, 1);
    if (s == NULL) return MN_ERR_MEMORY;
    s->placed      = true;
    s->rotation    = angle != 0.0 ? mn_rotation3(mn_unit3(n, mn_v3(0, 1, 0)), angle) : mn_mat3_identity();
    s->translation = move;
    s->hash        = hash_parts(s);
    for (int k = 0; k < 3; k++) s->hash = hash_vec3(s->hash, s->rotation.row[k]);
    s->hash = hash_vec3(s->hash, move);
    place_bounds(s);
    *out = s;
    return MN_OK;
}

/// How the value of a simple solid or mesh is found: exact distance, or a cheap bound of the same sign.
typedef double leaf_fn(const mn_shape *s, mn_vec3 x, mn_vec3 *gradient);

static double evaluate(const mn_shape *s, mn_vec3 x, mn_vec3 *gradient, leaf_fn *leaf);

static double evaluate_set(const mn_shape *s, mn_vec3 x, mn_vec3 *gradient, leaf_fn *leaf)
{
    double best = evaluate(s->parts[0], x, gradient, leaf);
    for (int k = 1; k < s->part_count; k++) {
        mn_vec3 g;
        double  d = evaluate(s->parts[k], x, gradient != NULL ? &g : NULL, leaf);
        if (s->kind == MN_SHAPE_DIFFERENCE) {
            d = -d;
            if (gradient != NULL) g = mn_scale3(-1.0, g);
        }
        if (s->kind == MN_SHAPE_UNION ? d < best : d > best) {
            best = d;
            if (gradient != NULL) *gradient = g;
        }
    }
    return best;
}

static double evaluate(const mn_shape *s, mn_vec3 x, mn_vec3 *gradient, leaf_fn *leaf)
{
    if (s->placed) {
        const double d = evaluate(s->parts[0], mn_mul3_transposed(s->rotation, mn_sub3(x, s->translation)), gradient,
                                  leaf);
        if (gradient != NULL) *gradient = mn_mul3(s->rotation, *gradient);
        return d;
    }
    return s->part_count > 0 ? evaluate_set(s, x, gradient, leaf) : leaf(s, x, gradient);
}

static double exact_leaf(const mn_shape *s, mn_vec3 x, mn_vec3 *gradient)
{
    return s->mesh != NULL ? mn_mesh_distance_normal(s->mesh, x, gradient)
                           : mn_primitive_at(&s->primitive, x, gradient);
}

static double bound_leaf(const mn_shape *s, mn_vec3 x, mn_vec3 *gradient)
{
    (void)gradient;
    return s->mesh != NULL ? mn_mesh_distance_bound(s->mesh, x) : mn_primitive_at(&s->primitive, x, NULL);
}

double mn_shape_at(const mn_shape *s, mn_vec3 x) { return evaluate(s, x, NULL, exact_leaf); }
double mn_shape_normal(const mn_shape *s, mn_vec3 x, mn_vec3 *gradient) { return evaluate(s, x, gradient, exact_leaf); }
double mn_shape_signed_bound(const mn_shape *s, mn_vec3 x) { return evaluate(s, x, NULL, bound_leaf); }
double mn_shape_bound(const mn_shape *s, mn_vec3 x) { return fabs(mn_shape_signed_bound(s, x)); }
double mn_shape_distance(const mn_shape *s, const double point[3]) { return mn_shape_at(s, mn_v3_from(point)); }
uint64_t      mn_shape_hash(const mn_shape *s) { return s->hash; }
mn_shape_kind mn_shape_kind_of(const mn_shape *s) { return s->kind; }

void mn_shape_bounds(const mn_shape *s, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a]  = mn_get3(s->low, a);
        high[a] = mn_get3(s->high, a);
    }
}
