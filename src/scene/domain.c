// SPDX-License-Identifier: MPL-2.0
// scene/domain.c - checks of domain, time and camera that concern several settings at once.
#include "scene/reader.h"

#include <math.h>

#define TILE_CELLS      8
#define FRAMES_MOST     1e7
#define COORDINATE_MOST 1e8  // cells from the origin: what the tiles can number, with room for liquid beyond

/// The place of a value below `root`, or of the nearest map above it that is written.
static mn_place place_below(const mn_node *root, const char *section, const char *key)
{
    const mn_node *map = mn_node_find(root, section), *value = mn_node_find(map, key);
    return value != NULL ? value->place : map != NULL ? map->place : root->place;
}

static mn_status check_flat(mn_reader *r, const mn_node *root)
{
    mn_domain_def *d        = &r->data->domain;
    const mn_node *boundary = mn_node_find(mn_node_find(root, "domain"), "boundary");
    if (d->up == 2)
        return mn_fail_at(r->context, place_below(root, "domain", "up"), "'up' must be x or y in two dimensions");
    if (d->gravity[2] != 0.0)
        return mn_fail_at(r->context, place_below(root, "domain", "gravity"), "'gravity' has no z in two dimensions");
    if (d->boundary[2] != MN_BOUNDARY_PERIODIC) {
        return mn_fail_at(r->context, mn_node_find(boundary, "z")->place,
                          "a two-dimensional domain is always periodic in z");
    }
    if (d->bounded && fabs(d->bounds[1][2] - d->bounds[0][2] - 1.0) > 1e-9) {
        return mn_fail_at(r->context, place_below(root, "domain", "bounds"),
                          "a two-dimensional domain is 1 cm deep in z, not %g cm; z may be left out",
                          d->bounds[1][2] - d->bounds[0][2]);
    }
    d->boundary[2] = MN_BOUNDARY_WALL;  // what a flat domain does in z follows from its dimension alone
    return MN_OK;
}

static mn_status check_periodic(mn_reader *r, const mn_node *root, int axis)
{
    const mn_domain_def *d     = &r->data->domain;
    const mn_place       place = place_below(root, "domain", d->bounded ? "bounds" : "boundary");
    if (!d->bounded) return mn_fail_at(r->context, place, "a periodic boundary needs 'bounds'");
    const double length = d->bounds[1][axis] - d->bounds[0][axis];
    const double tiles  = length / (TILE_CELLS * d->cell);
    const double whole  = fmax(1.0, round(tiles));
    if (fabs(tiles - whole) <= 1e-6) return MN_OK;
    return mn_fail_at(r->context, place,
                      "the domain is periodic in %c, so its length of %g cm must be a whole multiple of %d cells, not "
                      "%g cells; "
                      "'cell: %.17g' would fit",
                      "xyz"[axis], length, TILE_CELLS, length / d->cell, length / (TILE_CELLS * whole));
}

static mn_status check_bounds(mn_reader *r, const mn_node *root)
{
    const mn_domain_def *d     = &r->data->domain;
    const mn_place       place = place_below(root, "domain", "bounds");
    double               cells = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = d->bounds[0][axis], high = d->bounds[1][axis];
        if (!(high > low)) {
            return mn_fail_at(r->context, place,
                              "the high corner of 'bounds' must be above the low one, and in %c it is not (%g and %g)",
                              "xyz"[axis], low, high);
        }
        if (axis == 2 && d->dimension == 2) continue;
        if (fmax(fabs(low), fabs(high)) / d->cell > COORDINATE_MOST) {
            return mn_fail_at(r->context, place, "'bounds' reach %g cells far; at most %g are possible",
                              fmax(fabs(low), fabs(high)) / d->cell, COORDINATE_MOST);
        }
        cells *= ceil((high - low) / d->cell);
    }
    if (cells > MN_CELLS_MOST) {
        return mn_fail_at(r->context, place,
                          "the domain would have %g cells of %g cm, and at most 2^31 are possible; "
                          "make 'cell' larger or 'bounds' smaller",
                          cells, d->cell);
    }
    return MN_OK;
}

static mn_status check_time(mn_reader *r, const mn_node *root)
{
    const mn_time_def *t = &r->data->time;
    if (t->end * t->frame_rate > FRAMES_MOST) {
        return mn_fail_at(r->context, place_below(root, "time", "end"),
                          "the run would have %g frames, and at most %g are possible; "
                          "make 'end' or 'frame_rate' smaller",
                          t->end * t->frame_rate, FRAMES_MOST);
    }
    if (t->dt_min > t->dt_max) {
        return mn_fail_at(r->context, place_below(root, "time", "dt_min"),
                          "'dt_min' of %g s must not be above 'dt_max' of %g s", t->dt_min, t->dt_max);
    }
    return MN_OK;
}

static mn_status check_camera(mn_reader *r, const mn_node *root)
{
    mn_camera_def *c    = &r->data->camera;
    const mn_node *map  = mn_node_find(root, "camera");
    const bool     from = mn_node_find(map, "from") != NULL, to = mn_node_find(map, "to") != NULL;
    if (from != to)
        return mn_fail_at(r->context, map->place, "a camera with '%s' also needs '%s'", from ? "from" : "to",
                          from ? "to" : "from");
    c->given = from;
    if (from && c->from[0] == c->to[0] && c->from[1] == c->to[1] && c->from[2] == c->to[2])
        return mn_fail_at(r->context, map->place, "'from' and 'to' of the camera are the same point");
    return MN_OK;
}

mn_status mn_settle_domain(mn_reader *r, const mn_node *root)
{
    mn_domain_def *d = &r->data->domain;
    d->bounded       = mn_node_find(mn_node_find(root, "domain"), "bounds") != NULL;
    if (d->bounded) MN_TRY(check_bounds(r, root));
    if (d->dimension == 2) MN_TRY(check_flat(r, root));
    for (int axis = 0; axis < d->dimension; axis++) {
        if (d->boundary[axis] == MN_BOUNDARY_PERIODIC) MN_TRY(check_periodic(r, root, axis));
    }
    MN_TRY(check_time(r, root));
    return check_camera(r, root);
}
