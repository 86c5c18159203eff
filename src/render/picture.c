// SPDX-License-Identifier: MPL-2.0
// render/picture.c - the parts of a frame put on the stage, exposed and written as PNG.
#include "render/picture.h"

#include "draw/text.h"
#include "output/png.h"
#include "render/covered.h"

#define THINGS_MOST 64

typedef struct set {
    mn_context *context;
    mn_thing    thing[THINGS_MOST];
    int         count;
    mn_tracer  *tracer;
} set;

static const mn_frame_part *find_look(const mn_frame_part *parts, int count, mn_look look)
{
    for (int k = 0; k < count; k++)
        if (parts[k].look == look) return &parts[k];
    return NULL;
}

/// What covers the cloth of the same points, unless the chosen field is known to the cloth alone.
static const mn_frame_part *cover_to_show(const mn_shot *shot, const mn_frame_part *parts, int count)
{
    const mn_frame_part *cover = find_look(parts, count, MN_LOOK_STAIN),
                        *cloth = find_look(parts, count, MN_LOOK_CLOTH);
    const char *field          = shot->field.name;
    if (field != NULL && cover != NULL && cloth != NULL && mn_field_has(cloth, field) && !mn_field_has(cover, field))
        return NULL;
    return cover;
}

static mn_status add_things(set *s, const mn_shot *shot, const mn_frame_part *parts, int count)
{
    const mn_frame_part *cover = cover_to_show(shot, parts, count);
    for (int k = 0; k < count; k++) {
        if (!mn_part_is_shown(parts, count, k) || (cover == NULL && parts[k].look == MN_LOOK_STAIN)) continue;
        if (s->count == THINGS_MOST)
            return mn_fail(s->context, MN_ERR_ARGUMENT, "a picture shows at most %d parts", THINGS_MOST);
        mn_thing *t = &s->thing[s->count++];
        MN_TRY(mn_thing_make(s->context, &parts[k], (mn_paint){ &shot->field, &shot->dyes }, t));
        if (shot->glass && t->finish == MN_FINISH_SOLID) t->finish = MN_FINISH_GLASS;
        if (cover != NULL && parts[k].look == MN_LOOK_CLOTH) MN_TRY(mn_thing_uncover(s->context, t, cover));
    }
    return MN_OK;
}

static bool has_liquid(const set *s)
{
    bool any = false;
    for (int k = 0; k < s->count; k++)
        any = any || (s->thing[k].finish == MN_FINISH_LIQUID && s->thing[k].primitive_count > 0);
    return any;
}

static void strike(set *s)
{
    mn_tracer_destroy(&s->tracer);
    for (int k = 0; k < s->count; k++) mn_thing_free(s->context, &s->thing[k]);
}

/// The floor of the box. Liquid that stands on the ground is wet to it: the ground is then a hair above the liquid's
/// lower skin; otherwise it is a hair below what lies on it.
static float ground_level(const mn_shot *shot, float radius, bool liquid)
{
    const mn_f3 l = shot->box.low, h = shot->box.high, up = shot->up;
    const float a = mn_f3_dot(l, up), b = mn_f3_dot(h, up);
    return mn_minf(a, b) + (liquid ? 1e-3f : -1e-3f) * radius;
}

/// A round number near half the size of what is shown.
static float tile_width(float radius)
{
    const float wanted = 0.5f * radius, power = powf(10.0f, floorf(log10f(wanted))), lead = wanted / power;
    return (lead < 1.5f ? 1.0f : lead < 3.5f ? 2.0f : lead < 7.5f ? 5.0f : 10.0f) * power;
}

/// The way over which liquid takes the tint. Of a flat box the shortest side says little.
static float tint_depth(const mn_shot *shot, float radius)
{
    const mn_f3 side = mn_f3_sub(shot->box.high, shot->box.low);
    return 0.5f * mn_clampf(mn_minf(side.x, mn_minf(side.y, side.z)), 0.15f * radius, radius);
}

static mn_stage_f make_stage(const mn_shot *shot, const set *on, const mn_camera *camera)
{
    const float radius = mn_maxf(mn_box_f_radius(shot->box), 1e-6f), depth = tint_depth(shot, radius);
    const bool  draft = shot->quality == MN_RENDER_DRAFT;
    const mn_f3 tint  = shot->dyes.count > 0 ? MN_COLOUR_OF_WATER : shot->liquid;
    return (mn_stage_f){ .tracer          = on->tracer,
                         .light           = mn_light_studio(shot->up, camera->forward),
                         .liquid          = { .index      = 1.333f,
                                              .absorption = { -logf(tint.x) / depth, -logf(tint.y) / depth,
                                                              -logf(tint.z) / depth } },
                         .ground          = true,
                         .ground_level    = ground_level(shot, radius, has_liquid(on)),
                         .ground_color    = { 0.24f, 0.235f, 0.23f },
                         .tile            = tile_width(radius),
                         .middle          = mn_box_f_middle(shot->box),
                         .radius          = radius,
                         .diffuse_bounces = draft ? 2 : 5,
                         .splits          = (draft ? 1 : 2) + (shot->glass ? 2 : 0) };
}

static mn_status develop(mn_context *c, const mn_shot *shot, const mn_film *film, mn_buffer *png)
{
    unsigned char *rows = mn_alloc(c, mn_array_bytes((int64_t)film->width * film->height, 3));
    if (rows == NULL) return MN_ERR_MEMORY;
    mn_image image = { rows, film->width, film->height };
    mn_film_develop(film, rows);
    if (shot->field.name != NULL) mn_image_legend(&image, shot->field.name, &shot->ticks);
    const mn_status status = mn_png_encode(c, rows, film->width, film->height, png);
    mn_free(c, rows);
    return status;
}

static mn_status shoot(mn_context *c, const mn_shot *shot, const set *on, mn_buffer *png)
{
    const mn_camera  camera = mn_camera_of(&shot->camera, shot->up, shot->box, shot->level, shot->width, shot->height);
    const mn_stage_f stage  = make_stage(shot, on, &camera);
    const bool       draft  = shot->quality == MN_RENDER_DRAFT;
    mn_film          film;
    MN_TRY(mn_film_create(c, shot->width, shot->height, &film));
    // The samples of a pixel are spread so evenly that their mean is several times better than their spread tells.
    mn_status status = mn_film_expose(&film, &stage, &camera,
                                      draft ? (mn_exposure){ 4, 4, 12, 0.0f } : (mn_exposure){ 16, 96, 48, 0.035f });
    if (status == MN_OK) status = mn_film_denoise(&film);
    if (status == MN_OK) status = develop(c, shot, &film, png);
    mn_film_free(&film);
    return status;
}

mn_status mn_render_picture(mn_context *c, const mn_shot *shot, const mn_frame_part *parts, int count, mn_buffer *png,
                            int64_t *bytes)
{
    set       s      = { .context = c };
    mn_status status = add_things(&s, shot, parts, count);
    if (status == MN_OK) status = mn_tracer_create(c, s.thing, s.count, &s.tracer);
    if (status == MN_OK && bytes != NULL) *bytes = mn_tracer_bytes(s.tracer);
    if (status == MN_OK) status = shoot(c, shot, &s, png);
    strike(&s);
    return status;
}
