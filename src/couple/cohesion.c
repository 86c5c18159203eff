// SPDX-License-Identifier: MPL-2.0
// couple/cohesion.c - pairs of wet elements at the rim of the liquid between them, and their pull (wet-fabric 5.15).
#include "couple/cohesion.h"

#include "base/pool.h"
#include "fabric/material.h"
#include "geom/nearest.h"
#include "grid/around.h"

#define SIDES         4                    ///< of a yarn; cloth has two
#define CONE_CLOTH    0.86602540378443865  ///< cosine of 30 degrees
#define CONE_YARN     0.70710678118654752  ///< of 45 degrees: four of them close the circle across the yarn
#define ANGLE_MOST    1.35                 ///< rad, largest wet contact angle
#define RIM           0.2                  ///< half width of the fills that pull
#define LEAST_FILL    (0.5 - RIM)
#define CONTACT_REACH 1.5  ///< cells up to which layers of cloth feel each other
#define BLOCK         64

/// An element that may pull or be pulled at.
typedef struct candidate {
    mn_vec3 middle;
    double  radius;  ///< of the ball about the middle that holds it
    double  half;    ///< half its thickness
    int32_t element;
    bool    yarn;
} candidate;

/// One that looks for others.
typedef struct viewpoint {
    const candidate *at;
    mn_vec3          axis[2];  ///< the normal of cloth, two axes across a yarn
    int              axes;
    double           cosine, tangent;  ///< of the cones about them
    double           most;             ///< cm, how far it looks
} viewpoint;

typedef struct search {
    const mn_liquid  *liquid;
    const mn_fabric  *q;
    candidate        *candidates;  ///< in the order of their cells
    int64_t           count;
    mn_tiles          tiles;
    mn_bins           bins;
    double            radius, half;  ///< the largest of all candidates
    int32_t          *searcher;      ///< numbers of the candidates that are wet
    int64_t           searchers;
    mn_cohesion_pair *found;  ///< SIDES per searcher; `to` is -1: none
} search;

static bool is_yarn(const mn_fabric_element *e) { return e->vertex[2] < 0; }
static int  corners(const mn_fabric_element *e) { return is_yarn(e) ? 2 : 3; }

static mn_vec3 middle_of(const mn_fabric *q, const mn_fabric_element *e)
{
    mn_vec3 sum = { 0 };
    for (int i = 0; i < corners(e); i++) sum = mn_add3(sum, mn_fabric_at(q, e->vertex[i]));
    return mn_scale3(1.0 / corners(e), sum);
}

static double mean_of(const mn_fabric *q, const mn_fabric_element *e, double (*value)(const mn_fabric *, int64_t))
{
    double sum = 0.0;
    for (int i = 0; i < corners(e); i++) sum += value(q, e->vertex[i]);
    return sum / corners(e);
}

// ---- the law -------------------------------------------------------------------------------------------------------

double mn_cohesion_rim(double fill) { return fmax(0.0, 1.0 - fabs(fill - 0.5) / RIM); }

static const mn_fabric_material *material_of(const mn_fabric *q, const mn_fabric_element *e)
{
    const mn_fabric_piece *p = &q->pieces[e->piece];
    return is_yarn(e) ? &p->yarn : &p->cloth;
}

/// Half the thickness of cloth, the radius of yarn.
static double half_thickness(const mn_fabric *q, int32_t element)
{
    const mn_fabric_element *e = &q->elements[element];
    const mn_fabric_piece   *p = &q->pieces[e->piece];
    return is_yarn(e) ? p->mesh.strand_radius[p->rods.edge[element - q->triangles.count - p->first_segment].strand]
                      : 0.5 * p->cloth.thickness;
}

/// Area of a triangle or length of a segment, at rest.
static double size_of(const mn_fabric *q, int32_t element)
{
    const mn_fabric_element *e = &q->elements[element];
    const mn_fabric_piece   *p = &q->pieces[e->piece];
    if (is_yarn(e)) return p->rods.edge[element - q->triangles.count - p->first_segment].length;
    return e->volume / (mn_fabric_stiffness_factor(&p->cloth) * p->cloth.thickness);
}

/// Pull of a bridge between two yarns, per surface tension and length.
static double yarn_bridge(double phi, double saturation, double angle)
{
    const double cosine = phi * cos(angle) + (1.0 - phi) * (2.0 * saturation - 1.0);
    const double wet    = fmin(acos(fmax(-1.0, fmin(1.0, cosine))), ANGLE_MOST);
    return 0.2 * MN_PI * (MN_PI - 2.0 * wet) / cos(wet);
}

/// Pull of a pair whose liquid ends half way, dyn.
static double pull_of(const mn_fabric *q, int32_t from, int32_t to)
{
    const mn_fabric_element  *a = &q->elements[from], *b = &q->elements[to];
    const mn_fabric_material *m = material_of(q, a);
    const double scale          = 0.5 * (m->cohesion + material_of(q, b)->cohesion) * q->model.liquid.surface_tension;
    const double size           = 0.5 * (size_of(q, from) + size_of(q, to));
    if (!is_yarn(a)) return scale * sqrt(size);
    const double saturation = 0.5 * (mean_of(q, a, mn_fabric_saturation) + mean_of(q, b, mn_fabric_saturation));
    return scale * size * yarn_bridge(mean_of(q, a, mn_fabric_fraction), saturation, m->contact_angle);
}

// ---- liquid between them -------------------------------------------------------------------------------------------

/// Level set at a point, linear between the centres of cells; air where the liquid has no tile.
static double level_at(const mn_liquid *liquid, mn_vec3 x)
{
    const mn_liquid_scratch *s = &liquid->grid;
    const mn_grid_def       *g = &s->tiles.def;
    int32_t                  cell[3];
    double                   f[3];
    for (int a = 0; a < 3; a++) {
        const double at = mn_place_in_cells(mn_get3(x, a), mn_get3(g->origin, a), 1.0 / g->cell) - 0.5;
        cell[a]         = mn_cell_floor(at);
        f[a]            = at - (double)cell[a];
    }
    double sum = 0.0;
    for (int k = 0; k < 8; k++) {
        const int32_t c[3] = { cell[0] + (k & 1), cell[1] + (k >> 1 & 1), cell[2] + (k >> 2) };
        const int32_t tile = mn_tiles_find(&s->tiles, (mn_tile_coord){ mn_tile_of_cell(c[0]), mn_tile_of_cell(c[1]),
                                                                       mn_tile_of_cell(c[2]) });
        const double
            level = tile > 0 ? s->level[(int64_t)tile * s->tiles.cells + mn_cell_in_tile(c[0] & 7, c[1] & 7, c[2] & 7)]
                             : 1.5 * g->cell;
        double weight = 1.0;
        for (int a = 0; a < 3; a++) weight *= (k >> a & 1) ? f[a] : 1.0 - f[a];
        sum += weight * level;
    }
    return sum;
}

/// Share of a cell about a point that is liquid: a surface across the line counts like one along it.
static double fill_at(const mn_liquid *liquid, mn_vec3 x)
{
    return fmax(0.0, fmin(1.0, 0.5 - level_at(liquid, x) / liquid->model.grid.cell));
}

/// Distance at which the grid holds two of a kind apart. Contact of cloth acts through the grid, so that layers that
/// lie on one another are about a cell apart: up to there they touch. Yarns lie as they were made.
static double contact_distance(const mn_fabric *q, bool yarn, double touch)
{
    return yarn ? touch : fmax(touch, q->model.grid.cell);
}

/// Mean fill of the way from the middle of one element to the nearest point of the other: what both hold, over their
/// thicknesses and the gap between them, and of what that leaves empty the share that the level set fills.
static double fill_between(const search *s, const mn_cohesion_pair *p)
{
    const mn_fabric         *q    = s->q;
    const mn_fabric_element *from = &q->elements[p->from], *to = &q->elements[p->to];
    const mn_vec3            begin = middle_of(q, from);
    const double             gap   = fmax(0.0, p->distance - contact_distance(q, is_yarn(from), p->touch));
    const double             held  = half_thickness(q, p->from) * mean_of(q, from, mn_fabric_saturation) +
                        half_thickness(q, p->to) * mean_of(q, to, mn_fabric_saturation);
    const int pieces = 1 + (int)(4.0 * p->distance / q->model.grid.cell);
    double    empty  = 0.0;
    for (int k = 0; k < pieces; k++)
        empty += (1.0 - fill_at(s->liquid, mn_add3(begin, mn_scale3(p->distance * (k + 0.5) / pieces, p->direction)))) /
                 pieces;
    return 1.0 - (1.0 - held / (p->touch + gap)) * empty;
}

// ---- nearest element on each side ----------------------------------------------------------------------------------

static bool share_vertex(const mn_fabric_element *a, const mn_fabric_element *b)
{
    for (int i = 0; i < corners(a); i++)
        for (int j = 0; j < corners(b); j++)
            if (a->vertex[i] == b->vertex[j]) return true;
    return false;
}

/// Axes about which an element looks for others: the normal of cloth, two axes across a yarn.
static void axes_of(const mn_fabric *q, int32_t element, mn_vec3 axis[2])
{
    const mn_fabric_element *e = &q->elements[element];
    const mn_vec3            d = mn_sub3(mn_fabric_at(q, e->vertex[1]), mn_fabric_at(q, e->vertex[0]));
    axis[1]                    = mn_v3(0, 0, 0);
    if (!is_yarn(e)) {
        axis[0] = mn_unit3(mn_cross3(d, mn_sub3(mn_fabric_at(q, e->vertex[2]), mn_fabric_at(q, e->vertex[0]))),
                           mn_v3(0, 0, 0));
        return;
    }
    const int64_t s      = element - q->triangles.count;
    const mn_vec3 across = mn_v3(q->segments.director[0][s], q->segments.director[1][s], q->segments.director[2][s]);
    axis[1]              = mn_unit3(mn_cross3(d, across), mn_v3(0, 0, 0));
    axis[0]              = mn_unit3(mn_cross3(axis[1], d), mn_v3(0, 0, 0));
}

/// How far it is worth to look: as far as contact reaches, or four radii for yarn; where there is no liquid between,
/// only as far as what both hold fills enough of the way.
static viewpoint look_from(const search *s, const candidate *c)
{
    const mn_grid_def *g = &s->tiles.def;
    viewpoint          v = { .at = c, .axes = c->yarn ? 2 : 1, .cosine = c->yarn ? CONE_YARN : CONE_CLOTH };
    int32_t            cell[3];
    axes_of(s->q, c->element, v.axis);
    v.tangent          = sqrt(1.0 - v.cosine * v.cosine) / v.cosine;
    const double touch = c->half + s->half;
    v.most             = c->yarn ? 2.0 * touch : CONTACT_REACH * g->cell;
    for (int a = 0; a < 3; a++)
        cell[a] = mn_cell_floor(mn_place_in_cells(mn_get3(c->middle, a), mn_get3(g->origin, a), 1.0 / g->cell));
    const mn_tile_coord tile = { mn_tile_of_cell(cell[0]), mn_tile_of_cell(cell[1]), mn_tile_of_cell(cell[2]) };
    if (mn_tiles_find(&s->liquid->grid.tiles, tile) == 0)
        v.most = fmin(v.most, contact_distance(s->q, c->yarn, touch) + touch / LEAST_FILL - touch);
    return v;
}

/// The side on which a direction lies; -1: none.
static int side_of(const viewpoint *v, mn_vec3 direction)
{
    for (int k = 0; k < v->axes; k++) {
        const double cosine = mn_dot3(v->axis[k], direction);
        if (fabs(cosine) >= v->cosine) return 2 * k + (cosine < 0.0);
    }
    return -1;
}

/// Whether a ball reaches into one of the cones, as far as they are looked through.
static bool in_view(const viewpoint *v, mn_vec3 apart, double radius)
{
    const double distance2 = mn_dot3(apart, apart), far = v->most + radius;
    if (distance2 > far * far) return false;
    for (int k = 0; k < v->axes; k++) {
        const double along = mn_dot3(v->axis[k], apart), wide = fabs(along) * v->tangent + radius / v->cosine;
        if (distance2 - along * along <= wide * wide) return true;
    }
    return false;
}

/// The nearest point of an element as seen from x.
static double nearest_point(const mn_fabric *q, int32_t element, mn_vec3 x, double weight[3], mn_vec3 *direction)
{
    const mn_fabric_element *e         = &q->elements[element];
    mn_vec3                  corner[3] = { { 0 } }, nearest = { 0 };
    for (int i = 0; i < corners(e); i++) corner[i] = mn_fabric_at(q, e->vertex[i]);
    weight[2] = 0.0;
    if (is_yarn(e)) mn_nearest_on_segment(x, corner, weight);
    else mn_nearest_on_triangle(x, corner, weight);
    for (int i = 0; i < corners(e); i++) nearest = mn_add3(nearest, mn_scale3(weight[i], corner[i]));
    const mn_vec3 way = mn_sub3(nearest, x);
    *direction        = mn_unit3(way, mn_v3(0, 0, 0));
    return mn_norm3(way);
}

/// Try one candidate: keep it if it is nearer than what was found on its side.
static void try_candidate(const search *s, const viewpoint *v, const candidate *to, mn_cohesion_pair found[SIDES])
{
    const mn_fabric *q    = s->q;
    const candidate *from = v->at;
    if (to->yarn != from->yarn || to->element == from->element ||
        !in_view(v, mn_sub3(to->middle, from->middle), to->radius))
        return;
    if (share_vertex(&q->elements[from->element], &q->elements[to->element])) return;
    const double     touch = from->half + to->half;
    mn_cohesion_pair p     = { .from = from->element, .to = to->element, .touch = touch };
    p.distance             = nearest_point(q, to->element, from->middle, p.weight, &p.direction);
    if (!(p.distance > 0.0) || p.distance > (from->yarn ? fmin(v->most, 2.0 * touch) : v->most)) return;
    const int side = side_of(v, p.direction);
    if (side < 0) return;
    const bool nearer = found[side].to < 0 || p.distance < found[side].distance ||
                        (p.distance == found[side].distance && p.to < found[side].to);
    if (nearer) found[side] = p;
}

/// Half the box about all that is in view, along an axis of the grid.
static double view_extent(const search *s, const viewpoint *v, int a)
{
    double extent = 0.0;
    for (int k = 0; k < v->axes; k++) {
        const double n = mn_get3(v->axis[k], a);
        extent         = fmax(extent, fabs(n) + v->tangent * sqrt(fmax(0.0, 1.0 - n * n)));
    }
    return v->most * fmin(1.0, extent) + s->radius;
}

static void search_cells(const search *s, const viewpoint *v, const mn_cell_box *box, mn_cohesion_pair found[SIDES])
{
    for (int32_t z = (int32_t)box->low[2]; z <= (int32_t)box->high[2]; z++)
        for (int32_t y = (int32_t)box->low[1]; y <= (int32_t)box->high[1]; y++)
            for (int32_t x = (int32_t)box->low[0]; x <= (int32_t)box->high[0]; x++) {
                const int32_t tile = mn_tiles_find(&s->tiles, (mn_tile_coord){ mn_tile_of_cell(x), mn_tile_of_cell(y),
                                                                               mn_tile_of_cell(z) });
                if (tile == 0) continue;
                const int64_t cell = (int64_t)tile * s->tiles.cells + mn_cell_in_tile(x & 7, y & 7, z & 7);
                for (int32_t k = s->bins.start[cell]; k < s->bins.start[cell + 1]; k++)
                    try_candidate(s, v, &s->candidates[k], found);
            }
}

static void search_all(const search *s, const viewpoint *v, const mn_cell_box *box, mn_cohesion_pair found[SIDES])
{
    const mn_grid_def *g = &s->tiles.def;
    for (int64_t k = 0; k < s->count; k++) {
        double place[3];
        for (int a = 0; a < 3; a++)
            place[a] = mn_place_in_cells(mn_get3(s->candidates[k].middle, a), mn_get3(g->origin, a), 1.0 / g->cell);
        if (mn_cell_box_has(box, place)) try_candidate(s, v, &s->candidates[k], found);
    }
}

static void search_around(const search *s, const candidate *from, mn_cohesion_pair found[SIDES])
{
    const mn_grid_def *g = &s->tiles.def;
    const viewpoint    v = look_from(s, from);
    mn_cell_box        box;
    for (int a = 0; a < 3; a++) {
        const double extent = view_extent(s, &v, a), at = mn_get3(from->middle, a), origin = mn_get3(g->origin, a);
        box.low[a]  = floor(mn_place_in_cells(at - extent, origin, 1.0 / g->cell));
        box.high[a] = floor(mn_place_in_cells(at + extent, origin, 1.0 / g->cell));
    }
    if (mn_cell_box_count(&box) <= (double)s->count) search_cells(s, &v, &box, found);
    else search_all(s, &v, &box, found);
}

static void search_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const search *s = context;
    for (int64_t i = begin; i < end; i++) {
        mn_cohesion_pair *found = s->found + SIDES * i;
        for (int side = 0; side < SIDES; side++) found[side].to = -1;
        search_around(s, &s->candidates[s->searcher[i]], found);
        for (int side = 0; side < SIDES; side++) {
            if (found[side].to < 0) continue;
            found[side].full = mn_cohesion_rim(fill_between(s, &found[side])) *
                               pull_of(s->q, found[side].from, found[side].to);
        }
    }
}

// ---- who is wet and has company ------------------------------------------------------------------------------------

static bool any_vertex(const mn_fabric_element *e, const uint8_t *flag)
{
    bool any = false;
    for (int i = 0; i < corners(e); i++) any = any || flag[e->vertex[i]];
    return any;
}

static bool is_wet(const mn_fabric *q, const mn_fabric_element *e)
{
    bool wet = false;
    for (int i = 0; i < corners(e); i++) wet = wet || q->vertices.held[0][e->vertex[i]] > 0.0;
    return wet;
}

static bool anything_wet(const mn_fabric *q)
{
    double scale = 0.0;
    bool   wet   = false;
    for (int64_t k = 0; k < q->piece_count; k++)
        scale = fmax(scale, fmax(q->pieces[k].cloth.cohesion, q->pieces[k].yarn.cohesion));
    if (scale == 0.0 || q->model.liquid.surface_tension == 0.0) return false;
    for (int64_t v = 0; v < q->vertices.count && !wet; v++) wet = q->step.near[v] && q->vertices.held[0][v] > 0.0;
    return wet;
}

static candidate make_candidate(const mn_fabric *q, int32_t element)
{
    const mn_fabric_element *e = &q->elements[element];
    candidate                c = { .middle  = middle_of(q, e),
                                   .half    = half_thickness(q, element),
                                   .element = element,
                                   .yarn    = is_yarn(e) };
    for (int i = 0; i < corners(e); i++)
        c.radius = fmax(c.radius, mn_norm3(mn_sub3(mn_fabric_at(q, e->vertex[i]), c.middle)));
    return c;
}

/// Elements with other fabric near, put into the order of their cells.
static mn_status list_candidates(search *s, mn_arena *arena)
{
    const mn_fabric *q = s->q;
    double          *x[3];
    candidate       *as_found = mn_arena_array(arena, candidate, q->element_count);
    for (int a = 0; a < 3; a++) x[a] = mn_arena_array(arena, double, q->element_count);
    if (as_found == NULL || x[0] == NULL || x[1] == NULL || x[2] == NULL) return MN_ERR_MEMORY;
    for (int32_t e = 0; e < (int32_t)q->element_count; e++) {
        if (!any_vertex(&q->elements[e], q->step.near)) continue;
        const candidate c = make_candidate(q, e);
        s->radius         = fmax(s->radius, c.radius);
        s->half           = fmax(s->half, c.half);
        for (int a = 0; a < 3; a++) x[a][s->count] = mn_get3(c.middle, a);
        as_found[s->count++] = c;
    }
    MN_TRY(
        mn_bins_build(q->context, arena, &q->model.grid, (const double *const *)x, s->count, 0, &s->tiles, &s->bins));
    s->candidates = mn_arena_array(arena, candidate, s->count);
    s->searcher   = mn_arena_array(arena, int32_t, s->count);
    if (s->candidates == NULL || s->searcher == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < s->count; k++) {
        s->candidates[k] = as_found[s->bins.order[k]];
        if (is_wet(q, &q->elements[s->candidates[k].element])) s->searcher[s->searchers++] = (int32_t)k;
    }
    return MN_OK;
}

/// Whether the element that a pair leads to found the pair as well.
static bool found_back(const search *s, const int32_t *slot, const mn_cohesion_pair *p)
{
    bool back = false;
    for (int side = 0; side < SIDES && slot[p->to] >= 0; side++)
        back = back || s->found[SIDES * slot[p->to] + side].to == p->from;
    return back;
}

/// The pairs that pull, in the order of the searchers. A pair that both ends found pulls half from each.
static mn_status keep_pairs(const search *s, mn_arena *arena, mn_cohesion_pair **pairs, mn_cohesion_report *report)
{
    int32_t          *slot = mn_arena_array(arena, int32_t, s->q->element_count);
    mn_cohesion_pair *kept = mn_arena_array(arena, mn_cohesion_pair, SIDES * s->searchers);
    if (slot == NULL || kept == NULL) return MN_ERR_MEMORY;
    for (int64_t e = 0; e < s->q->element_count; e++) slot[e] = -1;
    for (int64_t i = 0; i < s->searchers; i++) slot[s->candidates[s->searcher[i]].element] = (int32_t)i;
    for (int64_t i = 0; i < SIDES * s->searchers; i++) {
        mn_cohesion_pair p = s->found[i];
        if (p.to < 0 || !(p.full > 0.0)) continue;
        if (found_back(s, slot, &p)) p.full *= 0.5;
        kept[report->pairs++] = p;
    }
    *pairs = kept;
    return MN_OK;
}

mn_status mn_cohesion_find(const mn_liquid *liquid, const mn_fabric *q, mn_arena *arena, mn_cohesion_pair **pairs,
                           mn_cohesion_report *report)
{
    search s = { .liquid = liquid, .q = q };
    *report  = (mn_cohesion_report){ 0 };
    *pairs   = NULL;
    if (!anything_wet(q)) return MN_OK;
    MN_TRY(list_candidates(&s, arena));
    s.found = mn_arena_array(arena, mn_cohesion_pair, SIDES * s.searchers);
    if (s.found == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), s.searchers, BLOCK, search_range, &s);
    report->searched = s.searchers;
    return keep_pairs(&s, arena, pairs, report);
}

// ---- what they exert -----------------------------------------------------------------------------------------------

void mn_cohesion_pull(const mn_cohesion_pair *p, const mn_fabric *q, mn_vec3 *force)
{
    const mn_fabric_element *from = &q->elements[p->from], *to = &q->elements[p->to];
    const mn_vec3            pull = mn_scale3(p->full * fmin(1.0, p->distance / p->touch), p->direction);
    for (int i = 0; i < corners(from); i++)
        force[from->vertex[i]] = mn_add3(force[from->vertex[i]], mn_scale3(1.0 / corners(from), pull));
    for (int i = 0; i < corners(to); i++)
        force[to->vertex[i]] = mn_sub3(force[to->vertex[i]], mn_scale3(p->weight[i], pull));
}

static double energy_at(const mn_cohesion_pair *p, double distance)
{
    return p->full * (distance < p->touch ? 0.5 * distance * distance / p->touch : distance - 0.5 * p->touch);
}

double mn_cohesion_energy(const mn_cohesion_pair *p, const mn_fabric *q)
{
    double  weight[3];
    mn_vec3 direction;
    return energy_at(p, nearest_point(q, p->to, middle_of(q, &q->elements[p->from]), weight, &direction));
}

mn_status mn_cohesion(const mn_liquid *liquid, mn_fabric *q, const mn_step *step, mn_cohesion_report *report)
{
    *report = (mn_cohesion_report){ 0 };
    if (!mn_liquid_present(liquid) || !mn_fabric_present(q)) return MN_OK;
    mn_cohesion_pair   *pairs;
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = mn_cohesion_find(liquid, q, step->arena, &pairs, report);
    for (int64_t k = 0; status == MN_OK && k < report->pairs; k++) {
        mn_cohesion_pull(&pairs[k], q, q->step.force);
        report->energy += energy_at(&pairs[k], pairs[k].distance);
    }
    mn_arena_end(step->arena, mark);
    return status;
}
