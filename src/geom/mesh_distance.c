// SPDX-License-Identifier: MPL-2.0
// geom/mesh_distance.c - exact signed distance to a closed mesh.
//
// A tree of boxes, split at the median of the longest side, finds the closest point. The sign follows from the
// angle-weighted normal of the part (face, edge or vertex) that holds it, which is right for every closed mesh
// (Baerentzen and Aanaes 2005), sharp edges and touching vertices included.
//
// A coarse lattice around the mesh remembers for each of its nodes the closest triangle and the distance. The triangle
// of the nearest node is tried first, so that the search begins with nearly the right distance; and the distance of the
// node less the way to it is a bound that costs no search. Neither makes a result less exact.
#include "geom/mesh.h"

#include "base/hash.h"

#include <string.h>

#define LEAF 4

typedef struct node {
    mn_vec3 low, high;
    int32_t first, count;  // leaf: triangles [first, first + count); inner node: count 0, children first and first + 1
} node;

/// A triangle, and the mesh's own number of it.
typedef struct facet {
    mn_vec3 corner[3];
    int32_t number;
} facet;

/// Normals of the parts of a triangle: 0 face, 1-3 edges (ab, bc, ca), 4-6 vertices (a, b, c).
typedef struct facet_normals {
    mn_vec3 part[7];
} facet_normals;

typedef struct lattice {
    mn_vec3  low;
    double   spacing;
    int32_t  size[3];
    int32_t *closest;   // facet
    float   *distance;  // signed
} lattice;

struct mn_mesh_distance {
    facet         *facets;   // in the order of the leaves
    facet_normals *normals;  // in the order of the mesh
    node          *nodes;
    int32_t        node_count;
    double         size;  // longest side of the box of the whole
    lattice        near;
};

static double  least(double a, double b) { return a < b ? a : b; }
static double  most(double a, double b) { return a > b ? a : b; }
static mn_vec3 lower(mn_vec3 a, mn_vec3 b) { return mn_v3(least(a.x, b.x), least(a.y, b.y), least(a.z, b.z)); }
static mn_vec3 higher(mn_vec3 a, mn_vec3 b) { return mn_v3(most(a.x, b.x), most(a.y, b.y), most(a.z, b.z)); }

static mn_vec3 mesh_corner(const mn_mesh *m, int64_t t, int k) { return mn_v3_from(m->vertex[m->triangle[t][k]]); }

static mn_vec3 face_normal(const mn_mesh *m, int64_t t)
{
    const mn_vec3 a = mesh_corner(m, t, 0);
    return mn_unit3(mn_cross3(mn_sub3(mesh_corner(m, t, 1), a), mn_sub3(mesh_corner(m, t, 2), a)), mn_v3(0, 1, 0));
}

/// Angle of the triangle at its corner k.
static double corner_angle(const mn_mesh *m, int64_t t, int k)
{
    const mn_vec3 x = mesh_corner(m, t, k);
    const mn_vec3 e = mn_sub3(mesh_corner(m, t, (k + 1) % 3), x), f = mn_sub3(mesh_corner(m, t, (k + 2) % 3), x);
    return atan2(mn_norm3(mn_cross3(e, f)), mn_dot3(e, f));
}

/// Sums of normals at vertices and edges while the tree is built.
typedef struct sums {
    mn_vec3 *vertex;
    struct edge_sum {
        int32_t low, high;
        mn_vec3 normal;
    } * edge;  // low is vertex + 1; 0: free
    int64_t edge_size;
} sums;

static struct edge_sum *edge_of(const sums *s, int32_t a, int32_t b)
{
    const int32_t low = (a < b ? a : b) + 1, high = (a < b ? b : a) + 1;
    int64_t k = (int64_t)(mn_hash_mix((uint64_t)(uint32_t)low << 32 | (uint32_t)high) & (uint64_t)(s->edge_size - 1));
    while (s->edge[k].low != 0 && (s->edge[k].low != low || s->edge[k].high != high)) k = (k + 1) & (s->edge_size - 1);
    s->edge[k].low  = low;
    s->edge[k].high = high;
    return &s->edge[k];
}

static void add_normals(const mn_mesh *m, sums *s)
{
    for (int64_t t = 0; t < m->triangle_count; t++) {
        const mn_vec3 n = face_normal(m, t);
        for (int k = 0; k < 3; k++) {
            const int32_t    v = m->triangle[t][k];
            struct edge_sum *e = edge_of(s, v, m->triangle[t][(k + 1) % 3]);
            s->vertex[v]       = mn_add3(s->vertex[v], mn_scale3(corner_angle(m, t, k), n));
            e->normal          = mn_add3(e->normal, n);
        }
    }
}

static void fill_facets(const mn_mesh *m, const sums *s, facet *facets, facet_normals *normals)
{
    for (int64_t t = 0; t < m->triangle_count; t++) {
        mn_vec3 *n       = normals[t].part;
        facets[t].number = (int32_t)t;
        n[0]             = face_normal(m, t);
        for (int k = 0; k < 3; k++) {
            const int32_t v     = m->triangle[t][k];
            facets[t].corner[k] = mesh_corner(m, t, k);
            n[1 + k]            = mn_unit3(edge_of(s, v, m->triangle[t][(k + 1) % 3])->normal, n[0]);
            n[4 + k]            = mn_unit3(s->vertex[v], n[0]);
        }
    }
}

static mn_status make_facets(mn_context *c, const mn_mesh *m, facet *facets, facet_normals *normals)
{
    sums s = { .edge_size = 16 };
    while (s.edge_size < 3 * m->triangle_count) s.edge_size *= 2;
    s.vertex         = mn_alloc_array(c, mn_vec3, m->vertex_count);
    s.edge           = s.vertex != NULL ? mn_alloc_array(c, struct edge_sum, s.edge_size) : NULL;
    mn_status status = s.edge != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) {
        add_normals(m, &s);
        fill_facets(m, &s, facets, normals);
    }
    mn_free(c, s.edge);
    mn_free(c, s.vertex);
    return status;
}

/// Middle of the facet's box along an axis, doubled.
static double middle(const facet *f, int axis)
{
    const double a = mn_get3(f->corner[0], axis), b = mn_get3(f->corner[1], axis), c = mn_get3(f->corner[2], axis);
    return least(a, least(b, c)) + most(a, most(b, c));
}

/// Reorder facets so that those below `place` do not lie above those from it on (quickselect).
static void split_at(facet *f, int64_t count, int64_t place, int axis)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const double pivot = middle(&f[low + (high - low) / 2], axis);
        int64_t      i = low, j = high;
        while (i <= j) {
            while (middle(&f[i], axis) < pivot) i++;
            while (middle(&f[j], axis) > pivot) j--;
            if (i <= j) {
                const facet swap = f[i];
                f[i++]           = f[j];
                f[j--]           = swap;
            }
        }
        if (place <= j) high = j;
        else if (place >= i) low = i;
        else return;
    }
}

static void box_of(const facet *f, int64_t count, node *n)
{
    n->low = n->high = f[0].corner[0];
    for (int64_t k = 0; k < count; k++)
        for (int v = 0; v < 3; v++) {
            n->low  = lower(n->low, f[k].corner[v]);
            n->high = higher(n->high, f[k].corner[v]);
        }
}

/// Build the node `at` over facets [first, first + count). The depth is log2 of the count.
static void build(mn_mesh_distance *d, int32_t at, int32_t first, int32_t count)
{
    node *n = &d->nodes[at];
    box_of(d->facets + first, count, n);
    if (count <= LEAF) {
        n->first = first;
        n->count = count;
        return;
    }
    const mn_vec3 side = mn_sub3(n->high, n->low);
    const int     axis = side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
    const int32_t half = count / 2;
    split_at(d->facets + first, count, half, axis);
    n->first = d->node_count;
    n->count = 0;
    d->node_count += 2;
    build(d, d->nodes[at].first, first, half);
    build(d, d->nodes[at].first + 1, first + half, count - half);
}

static mn_vec3 along(mn_vec3 a, mn_vec3 direction, double t) { return mn_add3(a, mn_scale3(t, direction)); }

/// Closest point of a triangle and the part that holds it (numbered as the normals).
static mn_vec3 closest_on(const facet *f, mn_vec3 x, int *part)
{
    const mn_vec3 a = f->corner[0], b = f->corner[1], c = f->corner[2];
    const mn_vec3 ab = mn_sub3(b, a), ac = mn_sub3(c, a), ax = mn_sub3(x, a), bx = mn_sub3(x, b), cx = mn_sub3(x, c);
    const double  d1 = mn_dot3(ab, ax), d2 = mn_dot3(ac, ax), d3 = mn_dot3(ab, bx), d4 = mn_dot3(ac, bx);
    const double  d5 = mn_dot3(ab, cx), d6 = mn_dot3(ac, cx);
    if (d1 <= 0.0 && d2 <= 0.0) {
        *part = 4;
        return a;
    }
    if (d3 >= 0.0 && d4 <= d3) {
        *part = 5;
        return b;
    }
    if (d6 >= 0.0 && d5 <= d6) {
        *part = 6;
        return c;
    }
    const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        *part = 1;
        return along(a, ab, d1 / (d1 - d3));
    }
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        *part = 3;
        return along(a, ac, d2 / (d2 - d6));
    }
    if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        *part = 2;
        return along(b, mn_sub3(c, b), (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    const double sum = va + vb + vc;
    *part            = 0;
    return along(along(a, ab, vb / sum), ac, vc / sum);
}

static double box_distance2(const node *n, mn_vec3 x)
{
    const double dx = most(0.0, most(n->low.x - x.x, x.x - n->high.x));
    const double dy = most(0.0, most(n->low.y - x.y, x.y - n->high.y));
    const double dz = most(0.0, most(n->low.z - x.z, x.z - n->high.z));
    return dx * dx + dy * dy + dz * dz;
}

typedef struct nearest {
    double  distance2;
    mn_vec3 point;
    int32_t facet;
    int     part;
} nearest;

static void try_facet(const mn_mesh_distance *d, int32_t k, mn_vec3 x, nearest *best)
{
    int           part;
    const mn_vec3 p = closest_on(&d->facets[k], x, &part), away = mn_sub3(x, p);
    const double  distance2 = mn_dot3(away, away);
    if (distance2 < best->distance2) *best = (nearest){ distance2, p, k, part };
}

/// A node still to be looked at.
typedef struct waiting {
    int32_t node;
    double  distance2;
} waiting;

static nearest search(const mn_mesh_distance *d, mn_vec3 x, int32_t first_try)
{
    waiting stack[64];  // the depth is at most 30
    int     top  = 0;
    nearest best = { .distance2 = INFINITY };
    try_facet(d, first_try, x, &best);
    stack[top++] = (waiting){ 0, box_distance2(&d->nodes[0], x) };
    while (top > 0) {
        top--;
        if (stack[top].distance2 >= best.distance2) continue;
        const node *n = &d->nodes[stack[top].node];
        if (n->count > 0) {
            for (int32_t k = n->first; k < n->first + n->count; k++) try_facet(d, k, x, &best);
            continue;
        }
        const double left = box_distance2(&d->nodes[n->first], x), right = box_distance2(&d->nodes[n->first + 1], x);
        const int    near_first = left <= right;
        stack[top].node         = n->first + near_first;  // the nearer one is taken from the top next
        stack[top++].distance2  = near_first ? right : left;
        stack[top].node         = n->first + !near_first;
        stack[top++].distance2  = near_first ? left : right;
    }
    return best;
}

static mn_vec3 normal_at(const mn_mesh_distance *d, const nearest *n)
{
    return d->normals[d->facets[n->facet].number].part[n->part];
}

static double signed_distance(const mn_mesh_distance *d, const nearest *n, mn_vec3 x)
{
    const double length = sqrt(n->distance2);
    return mn_dot3(mn_sub3(x, n->point), normal_at(d, n)) < 0.0 ? -length : length;
}

/// Nodes of the lattice per triangle, and at most.
#define NODES_PER_TRIANGLE 2
#define MOST_NODES         110592

static mn_vec3 lattice_point(const lattice *l, int32_t x, int32_t y, int32_t z)
{
    return mn_add3(l->low, mn_scale3(l->spacing, mn_v3(x, y, z)));
}

static int32_t nearest_along(const lattice *l, int axis, double x)
{
    const double s = (x - mn_get3(l->low, axis)) / l->spacing, last = l->size[axis] - 1;
    return s > 0.0 ? (int32_t)(s < last ? s + 0.5 : last) : 0;  // also for NaN
}

/// The node nearest to x, and how far it is.
static int64_t lattice_node(const lattice *l, mn_vec3 x, double *way)
{
    const int32_t i = nearest_along(l, 0, x.x), j = nearest_along(l, 1, x.y), k = nearest_along(l, 2, x.z);
    if (way != NULL) *way = mn_norm3(mn_sub3(x, lattice_point(l, i, j, k)));
    return ((int64_t)k * l->size[1] + j) * l->size[0] + i;
}

static mn_status make_lattice(mn_context *c, mn_mesh_distance *d, int64_t triangles)
{
    lattice      *l      = &d->near;
    const mn_vec3 side   = mn_sub3(d->nodes[0].high, d->nodes[0].low),
                  middle = mn_scale3(0.5, mn_add3(d->nodes[0].low, d->nodes[0].high));
    const double wanted  = triangles < MOST_NODES / NODES_PER_TRIANGLE ? (double)(NODES_PER_TRIANGLE * triangles)
                                                                       : MOST_NODES;
    // A quarter of the longest side all around, so that a flat mesh has room on both sides too.
    const mn_vec3 whole = mn_add3(side, mn_v3(0.5 * d->size, 0.5 * d->size, 0.5 * d->size));
    l->spacing          = cbrt(whole.x * whole.y * whole.z / wanted);
    for (int a = 0; a < 3; a++) l->size[a] = 1 + (int32_t)floor(mn_get3(whole, a) / l->spacing);
    l->low = mn_sub3(middle, mn_scale3(0.5 * l->spacing, mn_v3(l->size[0] - 1, l->size[1] - 1, l->size[2] - 1)));
    const int64_t n = (int64_t)l->size[0] * l->size[1] * l->size[2];
    l->closest      = mn_alloc_array(c, int32_t, n);
    l->distance     = l->closest != NULL ? mn_alloc_array(c, float, n) : NULL;
    if (l->distance == NULL) return MN_ERR_MEMORY;
    int64_t at   = 0;
    int32_t last = 0;  // the node before is a good first try
    for (int32_t z = 0; z < l->size[2]; z++)
        for (int32_t y = 0; y < l->size[1]; y++)
            for (int32_t x = 0; x < l->size[0]; x++, at++) {
                const mn_vec3 p = lattice_point(l, x, y, z);
                const nearest f = search(d, p, last);
                l->closest[at] = last = f.facet;
                l->distance[at]       = (float)signed_distance(d, &f, p);
            }
    return MN_OK;
}

static mn_status create(mn_context *c, const mn_mesh *mesh, bool with_lattice, mn_mesh_distance **out)
{
    *out            = NULL;
    const int64_t n = mesh->triangle_count;
    if (n < 1 || n > INT32_MAX / 4)
        return mn_fail(c, MN_ERR_ARGUMENT, "a mesh of %lld triangles has no distance; accepted are 1 to 2^29",
                       (long long)n);
    mn_mesh_distance *d = mn_alloc(c, sizeof *d);
    if (d == NULL) return MN_ERR_MEMORY;
    d->facets        = mn_alloc_array(c, facet, n);
    d->normals       = d->facets != NULL ? mn_alloc_array(c, facet_normals, n) : NULL;
    d->nodes         = d->normals != NULL ? mn_alloc_array(c, node, 2 * n) : NULL;
    mn_status status = d->nodes != NULL ? make_facets(c, mesh, d->facets, d->normals) : MN_ERR_MEMORY;
    if (status == MN_OK) {
        d->node_count = 1;
        build(d, 0, 0, (int32_t)n);
        const mn_vec3 side = mn_sub3(d->nodes[0].high, d->nodes[0].low);
        d->size            = most(side.x, most(side.y, side.z));
        if (with_lattice) status = make_lattice(c, d, n);
    }
    if (status != MN_OK) {
        mn_mesh_distance_destroy(c, &d);
        return status;
    }
    *out = d;
    return MN_OK;
}

mn_status mn_mesh_distance_create(mn_context *c, const mn_mesh *mesh, mn_mesh_distance **out)
{
    return create(c, mesh, true, out);
}

mn_status mn_mesh_distance_create_for_few(mn_context *c, const mn_mesh *mesh, mn_mesh_distance **out)
{
    return create(c, mesh, false, out);
}

void mn_mesh_distance_destroy(mn_context *c, mn_mesh_distance **tree)
{
    if (*tree == NULL) return;
    mn_free(c, (*tree)->near.closest);
    mn_free(c, (*tree)->near.distance);
    mn_free(c, (*tree)->facets);
    mn_free(c, (*tree)->normals);
    mn_free(c, (*tree)->nodes);
    mn_free(c, *tree);
    *tree = NULL;
}

static nearest search_from_lattice(const mn_mesh_distance *d, mn_vec3 x)
{
    return search(d, x, d->near.closest != NULL ? d->near.closest[lattice_node(&d->near, x, NULL)] : 0);
}

double mn_mesh_distance_at(const mn_mesh_distance *tree, mn_vec3 x, mn_vec3 *closest)
{
    const nearest n = search_from_lattice(tree, x);
    if (closest != NULL) *closest = n.point;
    return signed_distance(tree, &n, x);
}

double mn_mesh_distance_normal(const mn_mesh_distance *tree, mn_vec3 x, mn_vec3 *gradient)
{
    const nearest n = search_from_lattice(tree, x);
    const double  d = signed_distance(tree, &n, x);
    if (gradient != NULL) {
        // Closer than rounding allows, the direction to the closest point is noise and the normal is right.
        const double smallest = 1e-10 * (tree->size + fabs(x.x) + fabs(x.y) + fabs(x.z));
        *gradient             = fabs(d) > smallest ? mn_scale3(1.0 / d, mn_sub3(x, n.point)) : normal_at(tree, &n);
    }
    return d;
}

double mn_mesh_distance_bound(const mn_mesh_distance *tree, mn_vec3 x)
{
    const node   *all = &tree->nodes[0];
    const mn_vec3 out = higher(mn_v3(0, 0, 0), higher(mn_sub3(all->low, x), mn_sub3(x, all->high)));
    const double  box = mn_norm3(out);
    double        way;
    const double  d    = tree->near.distance[lattice_node(&tree->near, x, &way)];
    const double  sure = fabs(d) * (1.0 - 1e-6) - way;  // what float rounds away is less
    if (box > 0.0) return most(box, sure);              // outside the box is outside the mesh
    if (sure > 0.0) return d < 0.0 ? -sure : sure;
    return mn_mesh_distance_at(tree, x, NULL);
}
