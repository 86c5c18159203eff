// SPDX-License-Identifier: MPL-2.0
// render/shot.c - the view that a scene asks for, and the box of what it shows.
#include "render/shot.h"

#include "stain/colour.h"

#include <stdio.h>
#include <string.h>

/// A point farther away (cm) is no part of the scene but a damaged number.
#define FARTHEST 1e9f

mn_shot mn_shot_of(const mn_domain_def *domain, const mn_camera_def *camera)
{
    mn_shot s = { .width  = camera->size[0],
                  .height = camera->size[1],
                  .camera = *camera,
                  .level  = domain->dimension == 2,
                  .box    = mn_box_f_empty(),
                  .liquid = MN_COLOUR_OF_WATER };
    s.up      = mn_f3_of(domain->up == 0, domain->up == 1, domain->up == 2);
    if (!domain->bounded) return s;
    s.fixed    = true;
    s.box.low  = mn_f3_of((float)domain->bounds[0][0], (float)domain->bounds[0][1],
                         s.level ? 0.0f : (float)domain->bounds[0][2]);
    s.box.high = mn_f3_of((float)domain->bounds[1][0], (float)domain->bounds[1][1],
                          s.level ? 1.0f : (float)domain->bounds[1][2]);
    return s;
}

void mn_shot_shrink(mn_shot *s, int widest)
{
    if (s->width <= widest) return;
    s->height = (int)((double)s->height * widest / s->width + 0.5);
    s->height = s->height > 0 ? s->height : 1;
    s->width  = widest;
}

void mn_shot_include(mn_shot *s, const mn_frame_part *parts, int count)
{
    for (int k = 0; k < count && !s->fixed; k++) {
        if (!mn_part_is_shown(parts, count, k)) continue;
        const mn_frame_array *a = &parts[k].points;
        for (int64_t i = 0; i < parts[k].point_count; i++) {
            const mn_f3 p = mn_f3_of((float)mn_frame_array_value(a, i, 0), (float)mn_frame_array_value(a, i, 1),
                                     (float)mn_frame_array_value(a, i, 2));
            if (fabsf(p.x) < FARTHEST && fabsf(p.y) < FARTHEST && fabsf(p.z) < FARTHEST) mn_box_f_add(&s->box, p);
        }
    }
}

bool mn_shot_is_empty(const mn_shot *s) { return !(s->box.high.x >= s->box.low.x); }

void mn_shot_settle(mn_shot *s)
{
    if (mn_shot_is_empty(s)) s->box = (mn_box_f){ { -1, -1, -1 }, { 1, 1, 1 } };  // nothing there: an empty stage
}

void mn_shot_round(mn_shot *s)
{
    if (s->fixed) return;
    const mn_f3 l = s->box.low, h = s->box.high;
    const float size = mn_f3_most(mn_f3_sub(h, l)), step = exp2f(ceilf(log2f(mn_maxf(size, 1e-6f)))) / 8.0f;
    s->box.low  = mn_f3_of(floorf(l.x / step) * step, floorf(l.y / step) * step, floorf(l.z / step) * step);
    s->box.high = mn_f3_of(ceilf(h.x / step) * step, ceilf(h.y / step) * step, ceilf(h.z / step) * step);
}

void mn_shot_colour_liquid(mn_shot *s, const double colour[3])
{
    const float darkest = 1e-3f;  // light has to come out again
    s->liquid           = mn_f3_of(mn_maxf((float)colour[0], darkest), mn_maxf((float)colour[1], darkest),
                                   mn_maxf((float)colour[2], darkest));
}

void mn_shot_add_pigment(mn_shot *s, const mn_pigment *pigment)
{
    for (int k = 0; k < s->dyes.count; k++)
        if (strcmp(s->dyes.dye[k].name, pigment->name) == 0) return;
    if (s->dyes.count == MN_DYES_MOST) return;
    const double *a = pigment->absorbance, each = log(10.0) * MN_COLOUR_SQUARE_METRES;  // decadic, of a mass per area
    mn_dye       *d = &s->dyes.dye[s->dyes.count++];
    snprintf(d->name, sizeof d->name, "%s", pigment->name);
    d->absorbs = mn_f3_of((float)(each * a[0]), (float)(each * a[1]), (float)(each * a[2]));
}
