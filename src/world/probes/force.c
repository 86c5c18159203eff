// SPDX-License-Identifier: MPL-2.0
// world/probes/force.c - how the pressure pushes obstacles: the wall inside a cell from what is open of the cell and of
// its faces.
//
// The push of a liquid cell on the walls inside it is, by the theorem of Gauss, the integral of the gradient of p over
// its open part less that of p over its open faces (liquid 5.4). Along an axis, with o_l and o_h the open parts of the
// low and the high face, v that of the cell, g the difference of p across the cell, and lengths in cells:
//     g v - o_h p_h + o_l p_l  =  (1 - o_h) p_h - (1 - o_l) p_l - g (1 - v),    g = p_h - p_l.
// The pressure p_h of a face is the same seen from either side, so that in the sum over cells it is left only where the
// obstacle closes the face: liquid at rest gives the weight of the open part of the cells and nothing else.
#include "grid/solid/solid.h"
#include "world/world.h"

typedef struct force_place {
    int32_t tile, cell;
    int64_t index;
} force_place;

/// The faces of a cell along one axis.
typedef struct force_faces {
    double covered[2];   ///< of the low and the high face
    double pressure[2];  ///< there
    double difference;   ///< of the pressure across the cell
} force_faces;

/// Difference of the pressure from a cell to the next; up to a surface that is nearer it goes on as steep as to there.
static double step_to(const mn_liquid_scratch *s, int64_t here, int64_t next)
{
    return s->wet[next] ? s->pressure[next] - s->pressure[here] : -s->pressure[here] / mn_liquid_theta(s, here, next);
}

/// Liquid neighbours tell the slope; where there are none the surface does. Where one face is closed, the line goes on
/// to it.
static force_faces faces_of(const mn_liquid_scratch *s, force_place at, int axis)
{
    const int64_t next[2]  = { mn_cell_next(&s->tiles, at.tile, at.cell, axis, -1),
                               mn_cell_next(&s->tiles, at.tile, at.cell, axis, 1) };
    const int64_t face[2]  = { at.index, next[1] };
    double        slope[2] = { 0.0, 0.0 };
    bool          wet[2], known[2];
    force_faces   f = { .difference = 0.0 };
    for (int side = 0; side < 2; side++) {
        known[side]     = s->solid.open[axis][face[side]] > 0.0f;
        wet[side]       = known[side] && s->wet[next[side]];
        slope[side]     = known[side] ? (side == 0 ? -1.0 : 1.0) * step_to(s, at.index, next[side]) : 0.0;
        f.covered[side] = 1.0 - (double)s->solid.open[axis][face[side]];
    }
    if (wet[0] != wet[1]) known[0] = wet[0], known[1] = wet[1];
    if (!known[0]) slope[0] = known[1] ? slope[1] : 0.0;
    if (!known[1]) slope[1] = known[0] ? slope[0] : 0.0;
    f.pressure[0] = s->pressure[at.index] - 0.5 * slope[0];
    f.pressure[1] = s->pressure[at.index] + 0.5 * slope[1];
    f.difference  = 0.5 * (slope[0] + slope[1]);
    return f;
}

/// A point of the cell, `side` half cells from its centre.
static mn_vec3 point_of(const mn_tiles *t, force_place at, int axis, int side)
{
    const double step = 0.5 * side * t->def.cell;
    return mn_add3(mn_cell_centre(t, at.tile, at.cell),
                   mn_v3(axis == 0 ? step : 0.0, axis == 1 ? step : 0.0, axis == 2 ? step : 0.0));
}

/// Add a push along an axis, p^ times a share of a face, to the probes of the obstacle nearest to a point of the cell.
static void push(mn_world *w, force_place at, int axis, int side, double amount)
{
    if (amount == 0.0) return;
    const double impulse = amount * w->liquid.model.material.density * mn_cell_volume(&w->grid);
    int          which   = -1;
    mn_solids_distance(w->solids, point_of(&w->liquid.grid.tiles, at, axis, side), NULL, &which);
    for (int64_t k = 0; k < w->probe_count; k++) {
        const mn_world_probe *probe = &w->probes[k];
        if (probe->def.kind == MN_PROBE_FORCE && which >= 0 && w->solids.list[which].object == probe->obstacle)
            w->probe_state.impulse[0][k] += impulse * probe->def.normal[axis];
    }
}

/// What is covered of the cell counts with the faces that are, each by its share.
static void push_along(mn_world *w, force_place at, int axis)
{
    const mn_liquid_scratch *s       = &w->liquid.grid;
    const force_faces        f       = faces_of(s, at, axis);
    const double             covered = f.covered[0] + f.covered[1],
                 inside              = f.difference * (1.0 - (double)s->solid.volume_open[at.index]);
    if (covered <= 0.0) push(w, at, axis, 0, -inside);
    for (int side = 0; side < 2 && covered > 0.0; side++) {
        const double share = f.covered[side] / covered;
        push(w, at, axis, side == 0 ? -1 : 1,
             (side == 0 ? -1.0 : 1.0) * f.covered[side] * f.pressure[side] - share * inside);
    }
}

void mn_world_probe_forces(mn_world *w)
{
    bool wanted = false;
    for (int64_t k = 0; k < w->probe_count; k++) wanted = wanted || w->probes[k].def.kind == MN_PROBE_FORCE;
    if (!wanted) return;
    const mn_liquid_scratch *s = &w->liquid.grid;
    for (int32_t t = 1; t < s->tiles.count; t++) {
        if (s->solid.touched[t] == 0) continue;
        for (int32_t c = 0; c < s->tiles.cells; c++) {
            const force_place at = { t, c, (int64_t)t * s->tiles.cells + c };
            for (int a = 0; s->wet[at.index] && a < w->grid.dimension; a++) push_along(w, at, a);
        }
    }
}
