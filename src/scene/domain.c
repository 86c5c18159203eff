// SPDX-License-Identifier: MPL-2.0
// scene/domain.c - checks of domain, time and camera that concern several settings at once.
#include "scene/reader.h"

#include <math.h>

#define FRAMES_MOST 1e7

/// The map of a section, or the whole scene if it is not written.
static const mn_node *section_of(const mn_node *root, const char *section)
{
    const mn_node *map = mn_node_find(root, section);
    return map != NULL ? map : root;
}

/// The place of a value below `root`, or of the nearest map above it that is written.
static mn_place place_below(const mn_node *root, const char *section, const char *key)
{
    const mn_node *map = section_of(root, section), *value = mn_node_find(map, key);
    return (value != NULL ? value : map)->place;
}

mn_status mn_check_fit(mn_reader *r, const mn_misfit *m, const mn_node *map)
{
    if (m->key == NULL) return MN_OK;
    const mn_node *value = mn_node_find(map, m->key);
    return mn_fail_at(r->context, (value != NULL ? value : map)->place, "%s", m->sentence);
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

static mn_status check_time(mn_reader *r, const mn_node *root)
{
    const mn_time_def *t = &r->data->time;
    if (t->end * t->frame_rate > FRAMES_MOST) {
        return mn_fail_at(r->context, place_below(root, "time", "end"),
                          "the run would have %g frames, and at most %g are possible; "
                          "make 'end' or 'frame_rate' smaller",
                          t->end * t->frame_rate, FRAMES_MOST);
    }
    const mn_misfit fit = mn_time_misfit(t);
    return mn_check_fit(r, &fit, section_of(root, "time"));
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
    mn_domain_def *d    = &r->data->domain;
    d->bounded          = mn_node_find(mn_node_find(root, "domain"), "bounds") != NULL;
    const mn_misfit fit = mn_domain_misfit(d);
    MN_TRY(mn_check_fit(r, &fit, section_of(root, "domain")));
    if (d->dimension == 2) MN_TRY(check_flat(r, root));
    MN_TRY(check_time(r, root));
    return check_camera(r, root);
}
