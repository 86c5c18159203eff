// SPDX-License-Identifier: MPL-2.0
// fabric/pores/swell.c - volume ratio J of the fabric at its vertices.
//
// J = J_mesh min(J_gap, J_load), clamped. J_mesh and J_load are means over the elements around a vertex, by volume.
// J_gap looks for other layers: vertices in the cells around that are not joined to this one by an element. The bins
// are those of the step, from before the move; cells are searched around the place the vertex had then, with a margin
// for how far two that are close now moved apart or together, which is little since both move with the same field on
// the grid. Cloth looks along its normal to both sides, yarn along four directions across it; a neighbour counts on the
// side where it stands if it stands within half the mesh spacing of that line. Only vertices that have other fabric
// near (near.c) look at all. Differs from (wet-fabric 5.5): J_gap is found at vertices, not at elements; of two parts
// of one piece that rest closer than their thicknesses the distance at rest is what counts as untouched, as it does in
// a dense pile.
#include "fabric/pores/swell.h"

#include "base/pool.h"
#include "contact/touch.h"
#include "fabric/contact.h"
#include "fabric/material.h"
#include "fabric/pores/flow_private.h"
#include "grid/around.h"

#define PI      3.14159265358979323846
#define LARGEST 2.0
/// Cells by which two vertices that are close may have moved against each other within the step.
#define MOVED 0.1
#define SIDES 4
#define BLOCK 256

double mn_swell_under_load(double phi, double pressure)
{
    return pressure > 0.0 ? phi / cbrt(phi * phi * phi + pressure) : 1.0;
}

double mn_swell_least(double phi, double sheet)
{
    return sheet * fmin(1.0, 1.15 * phi) + (1.0 - sheet) * fmin(1.0, 4.0 * phi / PI);
}

typedef struct swelling {
    mn_fabric      *q;
    mn_solids       solids;
    double         *mesh;      ///< J_mesh per element
    double         *load;      ///< J_load per element
    double         *factor;    ///< phi^lambda, two per piece: cloth, yarn
    mn_contact_law *law;       ///< likewise
    double          thickest;  ///< largest half thickness of all, cm
} swelling;

static bool is_yarn(const mn_fabric_element *e) { return e->vertex[2] < 0; }

static const mn_rod_edge *segment_of(const mn_fabric *q, int64_t element)
{
    const mn_fabric_piece *p = &q->pieces[q->elements[element].piece];
    return &p->rods.edge[element - q->triangles.count - p->first_segment];
}

/// r_c of an element: half the thickness, or the radius.
static double half_thickness(const mn_fabric *q, int64_t element)
{
    const mn_fabric_element *e = &q->elements[element];
    const mn_fabric_piece   *p = &q->pieces[e->piece];
    return is_yarn(e) ? p->mesh.strand_radius[segment_of(q, element)->strand] : 0.5 * p->cloth.thickness;
}

// --- elements
// ----------------------------------------------------------------------------------------------------------

static bool in_company(const mn_fabric *q, const mn_fabric_element *e)
{
    bool near = false;
    for (int i = 0; i < (is_yarn(e) ? 2 : 3); i++) near = near || q->step.near[e->vertex[i]];
    return near;
}

/// Length over that at rest, and the pressure that contact carries.
static void look_at_segment(const swelling *s, int64_t element, bool near, double *mesh, double *pressure)
{
    const mn_fabric   *q = s->q;
    const mn_directors d = mn_fabric_directors(q, element);
    *mesh                = mn_norm3(d.d[0]) / segment_of(q, element)->length;
    *pressure            = near ? mn_contact_pressure(&s->law[2 * q->elements[element].piece + 1], &d) : 0.0;
}

/// Area over that at rest, and the pressure: only r_33 of the directors is needed, which the normal gives.
static void look_at_triangle(const swelling *s, int64_t element, bool near, double *mesh, double *pressure)
{
    const mn_fabric   *q     = s->q;
    const int32_t      piece = q->elements[element].piece;
    const mn_directors d     = mn_fabric_directors(q, element);
    const mn_vec3      n     = mn_cross3(d.d[0], d.d[1]);
    const double       size  = mn_norm3(n);
    *mesh                    = 0.5 * size * q->pieces[piece].cloth.thickness / q->links->bulk[element];
    *pressure = near ? mn_contact_pressure_cloth(&s->law[2 * piece], size > 0.0 ? mn_dot3(n, d.d[2]) / size : 1.0)
                     : 0.0;
}

static void look_at_elements(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const swelling  *s = context;
    const mn_fabric *q = s->q;
    for (int64_t i = begin; i < end; i++) {
        const mn_fabric_element  *e    = &q->elements[i];
        const mn_fabric_material *m    = is_yarn(e) ? &q->pieces[e->piece].yarn : &q->pieces[e->piece].cloth;
        const bool                near = q->step.near != NULL && in_company(q, e);
        double                    pressure;
        if (is_yarn(e)) look_at_segment(s, i, near, &s->mesh[i], &pressure);
        else look_at_triangle(s, i, near, &s->mesh[i], &pressure);
        s->load[i] = mn_swell_under_load(m->solid_fraction, s->factor[2 * e->piece + is_yarn(e)] * pressure /
                                                                (m->compression * m->youngs_modulus));
    }
}

// --- gaps
// --------------------------------------------------------------------------------------------------------------

/// Where a vertex looks: along `axis` to both sides, and what it found there.
typedef struct outlook {
    const mn_fabric *q;
    int64_t          vertex;
    mn_vec3          x, axis[2];
    int              axes;          ///< 1: cloth, 2: yarn
    double           half, beside;  ///< its half thickness; half its mesh spacing, cm
    double           deep;          ///< farthest along an axis that can touch, cm
    double           ratio[SIDES];  ///< gap over what it is untouched, at most 1; per axis and side
} outlook;

static mn_vec3 normal_at(const mn_fabric *q, int64_t v)
{
    mn_vec3 n = { 0.0, 0.0, 0.0 };
    for (int64_t k = q->element_start[v]; k < q->element_start[v + 1]; k++) {
        const mn_fabric_element *e = &q->elements[q->element_of[k]];
        if (is_yarn(e)) continue;
        const mn_vec3 a = mn_fabric_at(q, e->vertex[0]);
        n = mn_add3(n, mn_cross3(mn_sub3(mn_fabric_at(q, e->vertex[1]), a), mn_sub3(mn_fabric_at(q, e->vertex[2]), a)));
    }
    return mn_unit3(n, mn_v3(0, 1, 0));
}

static outlook look_from(const mn_fabric *q, int64_t v, double thickest)
{
    outlook o = { .q = q, .vertex = v, .x = mn_fabric_at(q, v), .axes = q->sheet[v] > 0.0f ? 1 : 2 };
    for (int k = 0; k < SIDES; k++) o.ratio[k] = 1.0;
    const int64_t first = q->element_of[q->element_start[v]];
    o.half              = half_thickness(q, first);
    o.deep              = o.half + thickest;
    // Half the length of the longest link that ends here.
    const mn_flow_links *l = q->links;
    for (int64_t i = l->around_start[v]; i < l->around_start[v + 1]; i++) {
        const mn_vec3 way = mn_sub3(mn_fabric_at(q, l->end[l->around[i] / 2][1 - l->around[i] % 2]), o.x);
        o.beside          = fmax(o.beside, 0.5 * mn_norm3(way));
    }
    if (o.axes == 1) {
        o.axis[0] = normal_at(q, v);
        return o;
    }
    const mn_directors d = mn_fabric_directors(q, first);
    const mn_vec3      t = mn_unit3(d.d[0], mn_v3(1, 0, 0));
    o.axis[0]            = mn_unit3(mn_sub3(d.d[1], mn_scale3(mn_dot3(d.d[1], t), t)), mn_v3(0, 1, 0));
    o.axis[1]            = mn_cross3(t, o.axis[0]);
    return o;
}

/// Whether two vertices share an element.
static bool joined(const mn_fabric *q, int64_t v, int32_t other)
{
    const mn_flow_links *l = q->links;
    for (int64_t i = l->around_start[v]; i < l->around_start[v + 1]; i++)
        if (l->end[l->around[i] / 2][1 - l->around[i] % 2] == other) return true;
    return false;
}

static double distance_at_rest(const mn_fabric *q, int64_t v, int32_t other)
{
    double sum = 0.0;
    for (int a = 0; a < 3; a++)
        sum += ((double)q->rest[a][v] - (double)q->rest[a][other]) *
               ((double)q->rest[a][v] - (double)q->rest[a][other]);
    return sqrt(sum);
}

static void consider(outlook *o, int32_t other)
{
    const mn_fabric *q     = o->q;
    const mn_vec3    d     = mn_sub3(mn_fabric_at(q, other), o->x);
    int              axis  = 0;
    double           along = mn_dot3(d, o->axis[0]);
    if (o->axes == 2 && fabs(mn_dot3(d, o->axis[1])) > fabs(along)) axis = 1, along = mn_dot3(d, o->axis[1]);
    if (fabs(along) >= o->deep || mn_dot3(d, d) - along * along > o->beside * o->beside) return;
    const int64_t element   = q->element_of[q->element_start[other]];
    double        untouched = o->half + half_thickness(q, element);
    if (fabs(along) >= untouched || joined(q, o->vertex, other)) return;
    if (q->elements[element].piece == q->elements[q->element_of[q->element_start[o->vertex]]].piece)
        untouched = fmin(untouched, distance_at_rest(q, o->vertex, other));
    double *ratio = &o->ratio[2 * axis + (along < 0.0)];
    if (untouched > 0.0) *ratio = fmin(*ratio, fabs(along) / untouched);
}

/// Place of a cell in the bins, or -1.
static int64_t cell_at(const mn_tiles *t, int32_t x, int32_t y, int32_t z)
{
    const int32_t tile = mn_tiles_find(t, (mn_tile_coord){ x >> 3, y >> 3, z >> 3 });
    return tile > 0 ? (int64_t)tile * t->cells + mn_cell_in_tile(x & 7, y & 7, z & 7) : -1;
}

static void place_of(const mn_fabric *q, int64_t v, double place[3])
{
    const mn_vec3 o         = q->model.grid.origin;
    const double  origin[3] = { o.x, o.y, o.z }, inverse = 1.0 / q->model.grid.cell;
    for (int a = 0; a < 3; a++) place[a] = mn_place_in_cells(mn_get3(q->step.x[v], a), origin[a], inverse);
}

static void look_into_cells(outlook *o, const mn_cell_box *box)
{
    const mn_point_faces *f = &o->q->step.faces;
    for (int32_t z = (int32_t)box->low[2]; z <= (int32_t)box->high[2]; z++)
        for (int32_t y = (int32_t)box->low[1]; y <= (int32_t)box->high[1]; y++)
            for (int32_t x = (int32_t)box->low[0]; x <= (int32_t)box->high[0]; x++) {
                const int64_t cell = cell_at(&f->tiles, x, y, z);
                if (cell < 0) continue;
                for (int32_t k = f->bins.start[cell]; k < f->bins.start[cell + 1]; k++)
                    if (f->order[k] != o->vertex) consider(o, f->order[k]);
            }
}

static void look_at_all(outlook *o, const mn_cell_box *box)
{
    for (int32_t v = 0; v < (int32_t)o->q->vertices.count; v++) {
        double place[3];
        place_of(o->q, v, place);
        if (v != o->vertex && mn_cell_box_has(box, place)) consider(o, v);
    }
}

/// All vertices in the cells that can hold one within reach.
static void look_around(outlook *o)
{
    const mn_fabric *q     = o->q;
    const double     reach = fmax(o->beside, o->deep) / q->model.grid.cell + MOVED;
    double           place[3];
    mn_cell_box      box;
    place_of(q, o->vertex, place);
    for (int a = 0; a < 3; a++) box.low[a] = floor(place[a] - reach), box.high[a] = floor(place[a] + reach);
    if (mn_cell_box_count(&box) <= (double)q->vertices.count) look_into_cells(o, &box);
    else look_at_all(o, &box);
}

/// The solid that a vertex touches stands on the side that its normal comes from; the layer of contact is never thicker
/// than the one that the vertex rests on.
static void consider_solid(outlook *o, const mn_solid *solid)
{
    mn_vec3      normal;
    const double distance  = mn_solids_distance((mn_solids){ solid, 1 }, o->x, &normal, NULL);
    const double untouched = fmin(o->half, MN_TOUCH_LAYER * o->q->model.grid.cell);
    const int    axis      = o->axes == 2 && fabs(mn_dot3(normal, o->axis[1])) > fabs(mn_dot3(normal, o->axis[0]));
    double      *ratio     = &o->ratio[2 * axis + (mn_dot3(normal, o->axis[axis]) > 0.0)];
    *ratio                 = fmin(*ratio, fmax(0.0, distance) / untouched);
}

static double gap_ratio(const swelling *s, int64_t v)
{
    const mn_fabric *q       = s->q;
    const int32_t    touched = q->vertices.touched[0][v];
    const bool       near    = q->step.near != NULL && q->step.near[v];
    if (!near && touched == 0) return 1.0;
    outlook o = look_from(q, v, s->thickest);
    if (near) look_around(&o);
    if (touched > 0 && touched <= s->solids.count) consider_solid(&o, &s->solids.list[touched - 1]);
    double sum = 0.0;
    for (int k = 0; k < 2 * o.axes; k++) sum += o.ratio[k] / (2 * o.axes);
    return sum;
}

// --- vertices
// ----------------------------------------------------------------------------------------------------------

static void look_at_vertices(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const swelling *s = context;
    mn_fabric      *q = s->q;
    for (int64_t v = begin; v < end; v++) {
        if (!q->pieces[q->elements[q->element_of[q->element_start[v]]].piece].cloth.vary_porosity) continue;
        double mesh = 0.0, load = 0.0, all = 0.0;
        for (int64_t k = q->element_start[v]; k < q->element_start[v + 1]; k++) {
            const int64_t e     = q->element_of[k];
            const double  share = q->links->bulk[e] / (is_yarn(&q->elements[e]) ? 2.0 : 3.0);
            mesh += share * s->mesh[e], load += share * s->load[e], all += share;
        }
        const double phi = q->fiber[v] / q->volume[v], j = mesh / all * fmin(gap_ratio(s, v), load / all);
        q->vertices.swelling[0][v] = fmin(LARGEST, fmax(mn_swell_least(phi, (double)q->sheet[v]), j));
    }
}

static mn_status swell(mn_fabric *q, const mn_step *step)
{
    swelling s = { .q      = q,
                   .solids = step->solids,
                   .mesh   = mn_arena_array(step->arena, double, q->element_count),
                   .load   = mn_arena_array(step->arena, double, q->element_count),
                   .factor = mn_arena_array(step->arena, double, 2 * q->piece_count),
                   .law    = mn_arena_array(step->arena, mn_contact_law, 2 * q->piece_count) };
    if (s.mesh == NULL || s.load == NULL || s.factor == NULL || s.law == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < 2 * q->piece_count; k++) {
        const mn_fabric_piece *p = &q->pieces[k / 2];
        s.law[k]                 = mn_fabric_contact_law(p, k % 2 == 1);
        s.factor[k]              = mn_fabric_stiffness_factor(k % 2 == 1 ? &p->yarn : &p->cloth);
        if (k % 2 == 0 && p->mesh.triangle_count > 0) s.thickest = fmax(s.thickest, 0.5 * p->cloth.thickness);
        for (int64_t i = 0; k % 2 == 1 && i < p->mesh.strand_count; i++)
            s.thickest = fmax(s.thickest, p->mesh.strand_radius[i]);
    }
    mn_parallel_for(mn_context_pool(q->context), q->element_count, BLOCK, look_at_elements, &s);
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, BLOCK, look_at_vertices, &s);
    return MN_OK;
}

mn_status mn_fabric_swell(mn_fabric *q, const mn_step *step)
{
    bool any = false;
    for (int64_t k = 0; k < q->piece_count; k++) any = any || q->pieces[k].cloth.vary_porosity;
    if (!any || !mn_fabric_may_be_wet(q)) return MN_OK;
    MN_TRY(mn_flow_links_make(q));
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = swell(q, step);
    mn_arena_end(step->arena, mark);
    return status;
}
