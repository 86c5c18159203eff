// SPDX-License-Identifier: MPL-2.0
// output/parts/fabric_parts.c - the meshes of cloth and yarn for frame files and pictures.
#include "output/parts/fabric_parts.h"

#include "math/vec.h"
#include "stain/colour.h"

#include <string.h>

/// Points with what is known at them. Arrays a part does not need stay NULL.
typedef struct point_set {
    double (*position)[3], (*velocity)[3], (*normal)[3], *radius, *saturation, *solid_fraction, *held;
    double (*color)[3], *pigment[MN_PIGMENTS_MOST];  // where the liquid of the world has pigments: sRGB, g/cm^2
    int64_t  color_capacity, pigment_capacity[MN_PIGMENTS_MOST];
    int32_t *fabric, *strand;
    int64_t  count, capacity;
} point_set;

typedef struct cell_set {
    int32_t *corner, *end;  // end: of each polyline among the corners
    int64_t  corners, cells, corner_capacity, cell_capacity;
} cell_set;

enum { CLOTH, YARN, TUBES, PART_COUNT };

struct mn_fabric_parts {
    mn_context       *context;
    point_set         points[PART_COUNT];
    cell_set          cells[PART_COUNT];
    mn_frame_array    arrays[PART_COUNT][9 + MN_PIGMENTS_MOST];
    const mn_pigment *pigments;  // of the world whose fabrics are shown
    int               pigment_count;
    int32_t          *number;  // of each vertex of a fabric among the points of the cloth; -1: in no triangle
    int64_t           number_capacity;
    mn_vec3          *tangent, *aside;  // along a strand, and across it without twisting
    int64_t           frame_capacity;
};

mn_status mn_fabric_parts_create(mn_context *context, mn_fabric_parts **out)
{
    mn_fabric_parts *p = *out = mn_alloc(context, sizeof *p);
    if (p == NULL) return MN_ERR_MEMORY;
    p->context = context;
    return MN_OK;
}

void mn_fabric_parts_destroy(mn_fabric_parts **parts)
{
    mn_fabric_parts *p = *parts;
    if (p == NULL) return;
    for (int k = 0; k < PART_COUNT; k++) {
        point_set  *s        = &p->points[k];
        void *const blocks[] = { s->position,   s->velocity,        s->normal,      s->radius,
                                 s->saturation, s->solid_fraction,  s->held,        s->fabric,
                                 s->strand,     p->cells[k].corner, p->cells[k].end };
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) mn_free(p->context, blocks[b]);
        mn_free(p->context, s->color);
        for (int m = 0; m < MN_PIGMENTS_MOST; m++) mn_free(p->context, s->pigment[m]);
    }
    mn_free(p->context, p->number);
    mn_free(p->context, p->tangent);
    mn_free(p->context, p->aside);
    mn_free(p->context, p);
    *parts = NULL;
}

// ---- storage -------------------------------------------------------------------------------------------------------

/// Corners are numbered by int32, and so are the ends of polylines.
static mn_status check_size(mn_context *c, const char *name, int64_t points, int64_t corners)
{
    if (points <= INT32_MAX && corners <= INT32_MAX) return MN_OK;
    return mn_fail(c, MN_ERR_ARGUMENT, "part %s: %lld points and %lld corners are more than a frame file can number",
                   name, (long long)points, (long long)corners);
}

/// All fabrics shown are of one world and share its pigments.
static mn_status reserve_pigments(mn_fabric_parts *p, point_set *s, const mn_fabric_view *fabrics, int count,
                                  int64_t points)
{
    p->pigment_count = count > 0 ? fabrics[0].pigment_count : 0;
    p->pigments      = count > 0 ? fabrics[0].pigments : NULL;
    if (p->pigment_count > 0)
        MN_TRY(mn_array_reserve(p->context, &s->color, &s->color_capacity, points, sizeof *s->color));
    for (int m = 0; m < p->pigment_count; m++)
        MN_TRY(mn_array_reserve(p->context, &s->pigment[m], &s->pigment_capacity[m], points, sizeof *s->pigment[m]));
    return MN_OK;
}

static mn_status reserve_points(mn_context *c, point_set *s, int64_t count, bool normals, bool strands)
{
    const struct {
        void  *items;
        size_t size;
        bool   wanted;
    } arrays[] = {
        { &s->position, sizeof *s->position, true },
        { &s->velocity, sizeof *s->velocity, true },
        { &s->normal, sizeof *s->normal, normals },
        { &s->radius, sizeof *s->radius, strands },
        { &s->saturation, sizeof *s->saturation, true },
        { &s->solid_fraction, sizeof *s->solid_fraction, true },
        { &s->held, sizeof *s->held, true },
        { &s->fabric, sizeof *s->fabric, true },
        { &s->strand, sizeof *s->strand, strands },
    };
    int64_t grown = s->capacity;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        if (!arrays[k].wanted) continue;
        int64_t capacity = s->capacity;
        MN_TRY(mn_array_reserve(c, arrays[k].items, &capacity, count, arrays[k].size));
        grown = capacity;
    }
    s->capacity = grown;
    return MN_OK;
}

static mn_status reserve_cells(mn_context *c, cell_set *s, int64_t corners, int64_t polylines)
{
    MN_TRY(mn_array_reserve(c, &s->corner, &s->corner_capacity, corners, sizeof *s->corner));
    return mn_array_reserve(c, &s->end, &s->cell_capacity, polylines, sizeof *s->end);
}

static void put3(double to[3], mn_vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; }

static mn_vec3 view_at(const mn_view3 *v, int64_t i) { return mn_v3(v->x[i], v->y[i], v->z[i]); }

/// Mass per area of each pigment, and what the fabric looks like with it. A fabric that has never been wet has none.
static void put_pigment(point_set *s, int64_t i, const mn_fabric_view *f, int64_t v)
{
    mn_colour        absorbance[MN_PIGMENTS_MOST];
    double           mass[MN_PIGMENTS_MOST];
    mn_stain_palette palette = { .cloth      = { f->colour[0], f->colour[1], f->colour[2] },
                                 .pigments   = f->pigment_count,
                                 .absorbance = absorbance };
    for (int m = 0; m < f->pigment_count; m++) {
        const double *a  = f->pigments[m].absorbance;
        absorbance[m]    = (mn_colour){ MN_COLOUR_SQUARE_METRES * a[0], MN_COLOUR_SQUARE_METRES * a[1],
                                        MN_COLOUR_SQUARE_METRES * a[2] };
        s->pigment[m][i] = mass[m] = f->surface != NULL ? mn_fabric_view_pigment(f, m, v) / (0.5 * f->surface[v]) : 0.0;
    }
    const mn_colour c = mn_colour_srgb(mn_stain_colour(&palette, mass, mn_fabric_view_saturation(f, v)));
    put3(s->color[i], mn_v3(c.r, c.g, c.b));
}

/// What is known about vertex v goes to point i. Fabrics that cannot be wet are dry.
static void put_vertex(point_set *s, int64_t i, const mn_fabric_view *f, int64_t v)
{
    const bool porous = f->held != NULL;
    put3(s->velocity[i], view_at(&f->velocity, v));
    s->saturation[i]     = porous ? mn_fabric_view_saturation(f, v) : 0.0;
    s->solid_fraction[i] = porous ? mn_fabric_view_fraction(f, v) : 0.0;
    s->held[i]           = porous ? f->held[v] : 0.0;
    if (f->pigment_count > 0) put_pigment(s, i, f, v);
}

static void add_triangle(cell_set *s, int64_t a, int64_t b, int64_t c)
{
    int32_t *corner = s->corner + s->corners;
    corner[0] = (int32_t)a, corner[1] = (int32_t)b, corner[2] = (int32_t)c;
    s->corners += 3;
    s->cells++;
}

/// The part, with the arrays that its points have.
static void describe(mn_fabric_parts *p, int part, mn_frame_part *out)
{
    const point_set *s = &p->points[part];
    mn_frame_array  *a = p->arrays[part];
    int              n = 0;
    a[n++]             = mn_frame_array_of_field(mn_frame_array_packed("velocity", MN_TYPE_double, 3, s->velocity),
                                                 MN_OUTPUT_VELOCITY);
    a[n++]             = mn_frame_array_of_field(mn_frame_array_single("saturation", MN_TYPE_double, s->saturation),
                                                 MN_OUTPUT_SATURATION);
    a[n++] = mn_frame_array_of_field(mn_frame_array_single("solid_fraction", MN_TYPE_double, s->solid_fraction),
                                     MN_OUTPUT_SOLID_FRACTION);
    a[n++] = mn_frame_array_of_field(mn_frame_array_single("held", MN_TYPE_double, s->held), MN_OUTPUT_HELD);
    if (s->normal != NULL) a[n++] = mn_frame_array_packed("normals", MN_TYPE_double, 3, s->normal);
    if (part == YARN) a[n++] = mn_frame_array_single("radius", MN_TYPE_double, s->radius);
    a[n++] = mn_frame_array_single("fabric", MN_TYPE_int32_t, s->fabric);
    if (s->strand != NULL) a[n++] = mn_frame_array_single("strand", MN_TYPE_int32_t, s->strand);
    if (p->pigment_count > 0) a[n++] = mn_frame_array_packed("color", MN_TYPE_double, 3, s->color);
    for (int m = 0; m < p->pigment_count; m++)
        a[n++] = mn_frame_array_single(p->pigments[m].name, MN_TYPE_double, s->pigment[m]);
    *out        = (mn_frame_part){ .point_count = s->count,
                                   .kind        = part == YARN ? MN_CELLS_LINES : MN_CELLS_TRIANGLES,
                                   .cells       = p->cells[part].corner,
                                   .cell_count  = p->cells[part].cells,
                                   .arrays      = a,
                                   .array_count = n };
    out->ends   = part == YARN ? p->cells[part].end : NULL;
    out->points = mn_frame_array_packed("", MN_TYPE_double, 3, s->position);
}

// ---- cloth ---------------------------------------------------------------------------------------------------------

/// Number the vertices that belong to a triangle, in their order, and add them as points.
static void add_cloth_points(mn_fabric_parts *p, const mn_fabric_view *f, int fabric)
{
    point_set *s = &p->points[CLOTH];
    for (int64_t v = 0; v < f->position.count; v++) p->number[v] = -1;
    for (int64_t t = 0; t < f->triangle_count; t++)
        for (int k = 0; k < 3; k++) p->number[f->triangle[t][k]] = 0;
    for (int64_t v = 0; v < f->position.count; v++) {
        if (p->number[v] < 0) continue;
        const int64_t i = s->count++;
        p->number[v]    = (int32_t)i;
        s->fabric[i]    = fabric;
        put3(s->position[i], view_at(&f->position, v));
        put_vertex(s, i, f, v);
        put3(s->normal[i], mn_v3(0, 0, 0));
    }
}

/// The cross product of two edges is the normal times twice the area: their sum is the area-weighted normal.
static void add_cloth_triangles(mn_fabric_parts *p, const mn_fabric_view *f)
{
    point_set *s = &p->points[CLOTH];
    for (int64_t t = 0; t < f->triangle_count; t++) {
        const int32_t *v = f->triangle[t];
        const mn_vec3 a = view_at(&f->position, v[0]), b = view_at(&f->position, v[1]), c = view_at(&f->position, v[2]);
        const mn_vec3 n = mn_cross3(mn_sub3(b, a), mn_sub3(c, a));
        add_triangle(&p->cells[CLOTH], p->number[v[0]], p->number[v[1]], p->number[v[2]]);
        for (int k = 0; k < 3; k++) {
            double *sum = s->normal[p->number[v[k]]];
            put3(sum, mn_add3(mn_v3_from(sum), n));
        }
    }
}

mn_status mn_fabric_parts_cloth(mn_fabric_parts *p, const mn_fabric_view *fabrics, int count, mn_frame_part *out)
{
    int64_t points = 0, triangles = 0, most = 0;
    for (int k = 0; k < count; k++) {
        points += fabrics[k].triangle_count > 0 ? fabrics[k].position.count : 0;
        triangles += fabrics[k].triangle_count;
        most = fabrics[k].position.count > most ? fabrics[k].position.count : most;
    }
    point_set *s = &p->points[CLOTH];
    cell_set  *c = &p->cells[CLOTH];
    MN_TRY(check_size(p->context, "cloth", points, 3 * triangles));
    MN_TRY(reserve_pigments(p, s, fabrics, count, points));
    MN_TRY(reserve_points(p->context, s, points, true, false));
    MN_TRY(reserve_cells(p->context, c, 3 * triangles, 0));
    MN_TRY(mn_array_reserve(p->context, &p->number, &p->number_capacity, most, sizeof *p->number));
    s->count = c->corners = c->cells = 0;
    for (int k = 0; k < count; k++) {
        if (fabrics[k].triangle_count == 0) continue;
        add_cloth_points(p, &fabrics[k], k);
        add_cloth_triangles(p, &fabrics[k]);
    }
    for (int64_t i = 0; i < s->count; i++) put3(s->normal[i], mn_unit3(mn_v3_from(s->normal[i]), mn_v3(0, 0, 1)));
    describe(p, CLOTH, out);
    return MN_OK;
}

// ---- yarn ----------------------------------------------------------------------------------------------------------

/// One strand of a fabric. Fewer than two vertices are no line, fewer than three no loop.
typedef struct strand {
    const mn_fabric_view *fabric;
    const int32_t        *vertex;
    int64_t               count;
    int32_t               fabric_number, number;
    double                radius;
    bool                  closed;
} strand;

static strand strand_of(const mn_fabric_view *f, int fabric, int64_t s, int32_t number)
{
    const int64_t begin = f->strand_start[s], count = f->strand_start[s + 1] - begin;
    return (strand){ .fabric        = f,
                     .vertex        = f->strand_vertex + begin,
                     .count         = count,
                     .fabric_number = fabric,
                     .number        = number,
                     .radius        = f->strand_radius[s],
                     .closed        = f->strand_closed[s] != 0 && count >= 3 };
}

typedef struct yarn_size {
    int64_t strands, vertices, longest;
} yarn_size;

static yarn_size measure_yarn(const mn_fabric_view *fabrics, int count)
{
    yarn_size size = { 0, 0, 0 };
    for (int k = 0; k < count; k++)
        for (int64_t s = 0; s < fabrics[k].strand_count; s++) {
            const int64_t n = fabrics[k].strand_start[s + 1] - fabrics[k].strand_start[s];
            size.strands++;
            size.vertices += n;
            size.longest = n > size.longest ? n : size.longest;
        }
    return size;
}

/// Add a point at vertex i of a strand, moved by `offset`.
static int64_t add_strand_point(point_set *to, const strand *s, int64_t i, mn_vec3 offset)
{
    const int64_t n = to->count++;
    put3(to->position[n], mn_add3(view_at(&s->fabric->position, s->vertex[i]), offset));
    put_vertex(to, n, s->fabric, s->vertex[i]);
    to->radius[n] = s->radius;
    to->fabric[n] = s->fabric_number;
    to->strand[n] = s->number;
    return n;
}

static void add_polyline(mn_fabric_parts *p, const strand *s)
{
    cell_set     *c     = &p->cells[YARN];
    const int64_t first = p->points[YARN].count;
    for (int64_t i = 0; i < s->count; i++)
        c->corner[c->corners++] = (int32_t)add_strand_point(&p->points[YARN], s, i, mn_v3(0, 0, 0));
    if (s->closed) c->corner[c->corners++] = (int32_t)first;
    c->end[c->cells++] = (int32_t)c->corners;
}

typedef void strand_fn(mn_fabric_parts *p, const strand *s);

static void for_each_strand(mn_fabric_parts *p, const mn_fabric_view *fabrics, int count, strand_fn *fn)
{
    int32_t number = 0;
    for (int k = 0; k < count; k++)
        for (int64_t n = 0; n < fabrics[k].strand_count; n++) {
            const strand s = strand_of(&fabrics[k], k, n, number++);
            if (s.count >= 2) fn(p, &s);
        }
}

mn_status mn_fabric_parts_yarn(mn_fabric_parts *p, const mn_fabric_view *fabrics, int count, mn_frame_part *out)
{
    const yarn_size size = measure_yarn(fabrics, count);
    point_set      *s    = &p->points[YARN];
    cell_set       *c    = &p->cells[YARN];
    MN_TRY(check_size(p->context, "yarn", size.vertices, size.vertices + size.strands));
    MN_TRY(reserve_pigments(p, s, fabrics, count, size.vertices));
    MN_TRY(reserve_points(p->context, s, size.vertices, false, true));
    MN_TRY(reserve_cells(p->context, c, size.vertices + size.strands, size.strands));
    s->count = c->corners = c->cells = 0;
    for_each_strand(p, fabrics, count, add_polyline);
    describe(p, YARN, out);
    return MN_OK;
}

// ---- tubes ---------------------------------------------------------------------------------------------------------

static mn_vec3 any_perpendicular(mn_vec3 t)
{
    const mn_vec3 axis = fabs(t.x) < 0.6 ? mn_v3(1, 0, 0) : mn_v3(0, 1, 0);
    return mn_unit3(mn_cross3(t, axis), mn_v3(0, 0, 1));
}

/// `across` turned with the strand to where it runs along t. Where the strand folds back on itself any direction will
/// do.
static mn_vec3 carry(mn_vec3 across, mn_vec3 t)
{
    const mn_vec3 left = mn_sub3(across, mn_scale3(mn_dot3(across, t), t));
    return mn_norm3(left) > 1e-6 ? mn_unit3(left, across) : any_perpendicular(t);
}

/// Directions along and across a strand at its vertices. Around a loop the carried direction comes back turned by some
/// angle, which is spread over the loop.
static void make_frames(mn_fabric_parts *p, const strand *s)
{
    const mn_view3 *x = &s->fabric->position;
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t before = i > 0       ? i - 1
                               : s->closed ? s->count - 1
                                           : 0,
                      after  = i + 1 < s->count ? i + 1
                               : s->closed      ? 0
                                                : i;
        const mn_vec3 here = view_at(x, s->vertex[i]), none = mn_v3(0, 0, 0);
        const mn_vec3 in = mn_unit3(mn_sub3(here, view_at(x, s->vertex[before])), none),
                      on = mn_unit3(mn_sub3(view_at(x, s->vertex[after]), here), none);
        p->tangent[i]    = mn_unit3(mn_add3(in, on), i > 0 ? p->tangent[i - 1] : mn_v3(1, 0, 0));
        p->aside[i]      = i > 0 ? carry(p->aside[i - 1], p->tangent[i]) : any_perpendicular(p->tangent[i]);
    }
    if (!s->closed) return;
    const mn_vec3 back = carry(p->aside[s->count - 1], p->tangent[0]);
    const double  turn = atan2(mn_dot3(mn_cross3(p->aside[0], back), p->tangent[0]), mn_dot3(p->aside[0], back));
    for (int64_t i = 1; i < s->count; i++) {
        const double part = -turn * (double)i / (double)s->count;
        p->aside[i]       = mn_mul3(mn_rotation3(p->tangent[i], part), p->aside[i]);
    }
}

static int64_t add_tube_point(mn_fabric_parts *p, const strand *s, int64_t i, double radius, mn_vec3 normal)
{
    const int64_t n = add_strand_point(&p->points[TUBES], s, i, mn_scale3(radius, normal));
    put3(p->points[TUBES].normal[n], normal);
    return n;
}

static void add_ring(mn_fabric_parts *p, const strand *s, int64_t i)
{
    const mn_vec3 a = p->aside[i], b = mn_cross3(p->tangent[i], a);
    for (int k = 0; k < MN_TUBE_SIDES; k++) {
        const double  angle = 2.0 * MN_PI * k / MN_TUBE_SIDES;
        const mn_vec3 n     = mn_add3(mn_scale3(cos(angle), a), mn_scale3(sin(angle), b));
        add_tube_point(p, s, i, s->radius, mn_unit3(n, a));
    }
}

static void join_rings(cell_set *c, int64_t from, int64_t to)
{
    for (int k = 0; k < MN_TUBE_SIDES; k++) {
        const int next = (k + 1) % MN_TUBE_SIDES;
        add_triangle(c, from + k, from + next, to + next);
        add_triangle(c, from + k, to + next, to + k);
    }
}

/// Close an end with a fan around the vertex.
static void add_cap(mn_fabric_parts *p, const strand *s, int64_t i, int64_t ring, bool start)
{
    const int64_t middle = add_tube_point(p, s, i, 0.0, mn_scale3(start ? -1.0 : 1.0, p->tangent[i]));
    for (int k = 0; k < MN_TUBE_SIDES; k++) {
        const int64_t a = ring + k, b = ring + (k + 1) % MN_TUBE_SIDES;
        add_triangle(&p->cells[TUBES], middle, start ? b : a, start ? a : b);
    }
}

static void add_tube(mn_fabric_parts *p, const strand *s)
{
    const int64_t first = p->points[TUBES].count, last = first + MN_TUBE_SIDES * (s->count - 1);
    make_frames(p, s);
    for (int64_t i = 0; i < s->count; i++) add_ring(p, s, i);
    for (int64_t ring = first; ring < last; ring += MN_TUBE_SIDES)
        join_rings(&p->cells[TUBES], ring, ring + MN_TUBE_SIDES);
    if (s->closed) {
        join_rings(&p->cells[TUBES], last, first);
        return;
    }
    add_cap(p, s, 0, first, true);
    add_cap(p, s, s->count - 1, last, false);
}

static mn_status reserve_frames(mn_fabric_parts *p, int64_t count)
{
    int64_t capacity = p->frame_capacity;
    MN_TRY(mn_array_reserve(p->context, &p->tangent, &capacity, count, sizeof *p->tangent));
    capacity = p->frame_capacity;
    MN_TRY(mn_array_reserve(p->context, &p->aside, &capacity, count, sizeof *p->aside));
    p->frame_capacity = capacity;
    return MN_OK;
}

mn_status mn_fabric_parts_tubes(mn_fabric_parts *p, const mn_fabric_view *fabrics, int count, mn_frame_part *out)
{
    const yarn_size size      = measure_yarn(fabrics, count);
    const int64_t   points    = MN_TUBE_SIDES * size.vertices + 2 * size.strands;
    const int64_t   triangles = 2 * MN_TUBE_SIDES * (size.vertices + size.strands);
    point_set      *s         = &p->points[TUBES];
    cell_set       *c         = &p->cells[TUBES];
    MN_TRY(check_size(p->context, "tubes", points, 3 * triangles));
    MN_TRY(reserve_pigments(p, s, fabrics, count, points));
    MN_TRY(reserve_points(p->context, s, points, true, true));
    MN_TRY(reserve_cells(p->context, c, 3 * triangles, 0));
    MN_TRY(reserve_frames(p, size.longest));
    s->count = c->corners = c->cells = 0;
    for_each_strand(p, fabrics, count, add_tube);
    describe(p, TUBES, out);
    return MN_OK;
}
