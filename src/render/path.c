// SPDX-License-Identifier: MPL-2.0
// render/path.c - following a ray backwards from surface to surface until it comes to the sky.
//
// The sun is asked for at every dull surface by a ray of its own; rays that leave a dull surface by chance do not see
// it, so that it counts once. Through liquid those rays go straight, weakened by both skins and by absorption: the
// light is there, its focus (caustics) is not. Mirrored and bent rays from the eye see the sun's disc itself, as long
// as both are followed.
#include "render/path.h"

#include "render/optics.h"

#define PI 3.14159265f
/// Skins at which a ray is mirrored or bent; after the last one it is taken to see the sky.
#define SKINS_MOST 12
/// Skins met, those between overlapping drops included; on the way to the sun likewise.
#define CROSSINGS_MOST 40
/// From here to there, in radii of what is shown, the ground fades into the sky.
#define FADE_BEGIN 2.5f
#define FADE_END   12.0f
/// Rays start this far from the surface they leave, as a share of the size of what is shown.
#define LIFT 2e-5f

typedef struct walk {
    const mn_stage_f *stage;
    mn_sampler       *sampler;
    mn_first_f       *first;
} walk;

typedef struct ray_state {
    mn_f3 from, d, weight;
    int   diffuse, skins, crossings, splits;
    int   inside;  // how many bodies of liquid: drops that overlap are one, with no skin between them
    mn_f3 dyed;    // what pigments absorb at the last skin, 1/cm
    bool  sees_sun;
} ray_state;

static float lift_of(const mn_stage_f *s, mn_f3 at)
{
    return LIFT * (s->radius + mn_f3_norm(mn_f3_sub(at, s->middle)));
}

// ---- meeting -------------------------------------------------------------------------------------------------------

static float ground_distance(const mn_stage_f *s, mn_f3 from, mn_f3 d)
{
    const float down = mn_f3_dot(d, s->light.up), above = mn_f3_dot(from, s->light.up) - s->ground_level;
    return s->ground && down < 0.0f && above > 0.0f ? -above / down : INFINITY;
}

/// Thin darker lines between tiles, which show what liquid bends and how large things are.
static float tiled(const mn_stage_f *s, mn_f3 at)
{
    if (s->tile <= 0.0f) return 1.0f;
    mn_f3 a, b;
    mn_f3_frame(s->light.up, &a, &b);
    const float u = mn_f3_dot(at, a) / s->tile, v = mn_f3_dot(at, b) / s->tile;
    const float nearest = mn_minf(fabsf(u - floorf(u + 0.5f)), fabsf(v - floorf(v + 0.5f)));
    const float away    = mn_f3_norm(mn_f3_sub(at, s->middle)) / s->radius;
    return 1.0f - 0.2f * (1.0f - mn_smoothstep(0.006f, 0.014f, nearest)) * (1.0f - mn_smoothstep(1.5f, 5.0f, away));
}

static bool meet(const mn_stage_f *s, const ray_state *r, mn_place_f *place, float *distance)
{
    const float  below = ground_distance(s, r->from, r->d);
    const mn_hit hit   = mn_tracer_nearest(s->tracer, r->from, r->d, mn_minf(below, 1e30f));
    *distance          = hit.distance;
    if (hit.thing != NULL) {
        *place = mn_place_of(&hit, r->from, r->d);
        return true;
    }
    if (!(below < 1e30f)) return false;
    const mn_f3 at = mn_f3_along(r->from, below, r->d);
    *place         = (mn_place_f){ .finish = MN_FINISH_SOLID,
                                   .ground = true,
                                   .at     = at,
                                   .lifted = at,
                                   .face   = s->light.up,
                                   .normal = s->light.up,
                                   .color  = mn_f3_scale(tiled(s, at), s->ground_color) };
    return true;
}

static mn_lobes lobes_of(mn_place_f *p)
{
    switch (p->finish) {
    case MN_FINISH_CLOTH: return mn_shade_cloth(p);
    case MN_FINISH_YARN: return mn_shade_curve(p);
    case MN_FINISH_PAINT: return mn_shade_paint(p);
    default: return mn_shade_solid(p);
    }
}

// ---- the sun -------------------------------------------------------------------------------------------------------

/// What a way through liquid leaves of light: pigments count by the mean of both ends.
static mn_f3 left_by(const mn_stage_f *s, mn_f3 dyed, mn_f3 dyed_there, float distance)
{
    return mn_beer(mn_f3_along(s->liquid.absorption, 0.5f, mn_f3_add(dyed, dyed_there)), distance);
}

/// What liquid leaves of the sun's light on a straight way.
static mn_f3 through_liquid(const mn_stage_f *s, mn_f3 from, mn_f3 d, int inside, mn_f3 dyed)
{
    mn_f3 left = mn_f3_gray(1.0f);
    for (int k = 0; k < CROSSINGS_MOST; k++) {
        const mn_hit hit = mn_tracer_nearest_clear(s->tracer, from, d, 1e30f);
        if (hit.thing == NULL) break;
        const bool  leaves = mn_f3_dot(hit.face, d) > 0.0f;
        const mn_f3 there  = hit.thing->finish == MN_FINISH_GLASS ? dyed : mn_absorbs_at(&hit);
        if (inside > 0) left = mn_f3_mul(left, left_by(s, dyed, there, hit.distance));
        dyed = there;
        from = mn_f3_along(mn_f3_along(from, hit.distance, d), lift_of(s, from), d);
        if (hit.thing->finish == MN_FINISH_GLASS) {
            const float once = mn_fresnel(fabsf(mn_f3_dot(hit.face, d)), 1.0f, 1.5f);
            left             = mn_f3_scale((1.0f - once) / (1.0f + once), left);
            continue;
        }
        if (leaves ? inside <= 1 : inside <= 0)
            left = mn_f3_scale(1.0f - mn_fresnel(fabsf(mn_f3_dot(hit.face, d)), 1.0f, s->liquid.index), left);
        inside = leaves ? (inside > 0 ? inside - 1 : 0) : inside + 1;
    }
    return left;
}

static mn_f3 sunlight(const mn_stage_f *s, mn_f3 from, mn_f3 d, int inside, mn_f3 dyed)
{
    if (mn_tracer_blocked(s->tracer, from, d, 1e30f)) return mn_f3_gray(0.0f);
    return mn_tracer_has_clear(s->tracer) ? mn_f3_mul(s->light.sun_irradiance, through_liquid(s, from, d, inside, dyed))
                                          : s->light.sun_irradiance;
}

/// Where a ray that goes to direction d leaves a place.
static mn_f3 start_of(const mn_stage_f *s, const mn_place_f *p, mn_f3 d)
{
    const bool front = mn_f3_dot(d, p->face) > 0.0f;
    return mn_f3_along(front ? p->lifted : p->at, front ? lift_of(s, p->at) : -lift_of(s, p->at), p->face);
}

static mn_f3 sun_at(const walk *w, const mn_place_f *p, const mn_lobes *l, const ray_state *r)
{
    const mn_stage_f *s   = w->stage;
    const mn_f3       out = mn_f3_scale(-1.0f, r->d);
    float             u, v;
    if (mn_f3_most(s->light.sun_irradiance) <= 0.0f) return mn_f3_gray(0.0f);
    mn_sampler_pair(w->sampler, &u, &v);
    const mn_f3 d      = mn_light_to_sun(&s->light, u, v);
    const float cosine = mn_f3_dot(p->normal, d);
    mn_f3       share  = mn_f3_scale(fabsf(cosine) / PI, cosine > 0.0f ? l->reflect : l->transmit);
    if (cosine > 0.0f && l->coat > 0.0f) {
        const mn_f3 half   = mn_f3_unit(mn_f3_add(out, d), p->normal);
        const float mirror = l->coat * mn_fresnel(mn_clampf(mn_f3_dot(half, d), 0.0f, 1.0f), 1.0f, l->index);
        share              = mn_f3_add(mn_f3_scale(1.0f - mirror, share),
                                       mn_f3_gray(mirror * mn_ggx_value(p->normal, out, d, l->roughness)));
    }
    if (mn_f3_most(share) <= 0.0f) return mn_f3_gray(0.0f);
    return mn_f3_mul(share, sunlight(s, start_of(s, p, d), d, r->inside, r->dyed));
}

// ---- going on ------------------------------------------------------------------------------------------------------

/// Send the ray on from a dull place, by chance off the coat, to the front or through. False: it ends here.
static bool scatter(const walk *w, const mn_place_f *p, const mn_lobes *l, ray_state *r)
{
    const mn_f3 out    = mn_f3_scale(-1.0f, r->d);
    const float cosine = mn_clampf(mn_f3_dot(out, p->normal), 0.0f, 1.0f);
    const float mirror = l->coat > 0.0f ? l->coat * mn_fresnel(cosine, 1.0f, l->index) : 0.0f;
    const float front  = (1.0f - mirror) * mn_f3_luminance(l->reflect),
                back = (1.0f - mirror) * mn_f3_luminance(l->transmit), all = mirror + front + back;
    float u, v, choice, roulette;
    if (!(all > 0.0f) || r->diffuse >= w->stage->diffuse_bounces) return false;
    mn_sampler_pair(w->sampler, &choice, &roulette);
    mn_sampler_pair(w->sampler, &u, &v);
    // From the second bounce on, faint paths end by chance and the others carry their light.
    const float goes_on = r->diffuse < 1 ? 1.0f : mn_clampf(all * mn_f3_most(r->weight), 0.1f, 1.0f);
    if (roulette >= goes_on) return false;
    choice *= all;
    if (choice < mirror) {
        const mn_f3 half = mn_ggx_half(p->normal, out, l->roughness, u, v);
        r->d             = mn_reflect(r->d, half);
        if (mn_f3_dot(r->d, p->face) <= 0.0f) return false;
        const float f = l->coat * mn_fresnel(mn_clampf(mn_f3_dot(out, half), 0.0f, 1.0f), 1.0f, l->index);
        r->weight     = mn_f3_scale(f / mirror * mn_ggx_weight(p->normal, out, r->d, l->roughness) * all / goes_on,
                                    r->weight);
    } else {
        const bool forth  = choice < mirror + front;
        r->d              = mn_cosine_direction(forth ? p->normal : mn_f3_scale(-1.0f, p->normal), u, v);
        const float share = forth ? front : back;
        r->weight         = mn_f3_mul(r->weight,
                                      mn_f3_scale((1.0f - mirror) * all / (share * goes_on), forth ? l->reflect : l->transmit));
        if ((mn_f3_dot(r->d, p->face) > 0.0f) != forth)
            r->d = mn_f3_along(r->d, -2.0f * mn_f3_dot(r->d, p->face), p->face);
    }
    r->from     = start_of(w->stage, p, r->d);
    r->sees_sun = false;
    r->diffuse++;
    return true;
}

static mn_f3 sky_of(const mn_stage_f *s, const ray_state *r)
{
    const mn_f3 sky = mn_light_sky(&s->light, r->d);
    return r->sees_sun ? mn_f3_add(sky, mn_light_disc(&s->light, r->d)) : sky;
}

/// The share of a place on the ground that is already sky.
static float faded(const mn_stage_f *s, const mn_place_f *p)
{
    const mn_f3 v = mn_f3_sub(p->at, s->middle), flat = mn_f3_along(v, -mn_f3_dot(v, s->light.up), s->light.up);
    return p->ground ? mn_smoothstep(FADE_BEGIN * s->radius, FADE_END * s->radius, mn_f3_norm(flat)) : 0.0f;
}

static mn_f3 backdrop(const mn_stage_f *s, mn_f3 d)
{
    const mn_f3 flat = mn_f3_unit(mn_f3_along(d, -mn_f3_dot(d, s->light.up), s->light.up), d);
    return mn_light_sky(&s->light, flat);
}

static mn_f3 follow(const walk *w, ray_state r);

/// Go on at the skin of a liquid: both ways while there are splits left, else one of them by chance.
static bool pass_skin(const walk *w, const mn_place_f *p, ray_state *r, mn_f3 *sum)
{
    const mn_stage_f *s = w->stage;
    if (++r->crossings > CROSSINGS_MOST) {
        *sum = mn_f3_add(*sum, mn_f3_mul(r->weight, mn_light_sky(&s->light, r->d)));
        return false;
    }
    const bool glass = p->finish == MN_FINISH_GLASS;
    if (!glass) r->dyed = p->absorbs;
    if (!glass && (p->leaving ? r->inside > 1 : r->inside > 0)) {  // a skin inside the liquid is none
        r->from = mn_f3_along(p->at, lift_of(s, p->at), r->d);
        r->inside += p->leaving ? -1 : 1;
        return true;
    }
    const mn_skin skin     = glass ? mn_shade_glass(p, r->d) : mn_shade_liquid(&s->liquid, p, r->d);
    ray_state     mirrored = *r, bent = *r;
    mirrored.d    = skin.mirrored;
    mirrored.from = mn_f3_along(p->at, lift_of(s, p->at), p->face);
    mirrored.skins++;
    bent.d      = skin.bent;
    bent.from   = mn_f3_along(p->at, -lift_of(s, p->at), p->face);
    bent.inside = glass ? r->inside : p->leaving ? 0 : 1;
    bent.skins++;
    if (r->skins >= SKINS_MOST) {
        *sum = mn_f3_add(*sum,
                         mn_f3_mul(r->weight, mn_light_sky(&s->light, skin.share >= 1.0f ? skin.mirrored : skin.bent)));
        return false;
    }
    if (r->splits > 0 && skin.share > 0.0f && skin.share < 1.0f) {
        mirrored.splits--, bent.splits--;
        mirrored.weight = mn_f3_scale(skin.share, r->weight);
        bent.weight     = mn_f3_scale(1.0f - skin.share, r->weight);
        const walk rest = { s, w->sampler, NULL };
        *sum            = mn_f3_add(*sum, follow(&rest, mirrored));
        *r              = bent;
    } else {
        float choice, unused;
        mn_sampler_pair(w->sampler, &choice, &unused);
        *r = choice < skin.share ? mirrored : bent;
        // The sun found by chance is a white dot in a few pixels and nothing in the others.
        if (skin.share > 0.0f && skin.share < 1.0f) r->sees_sun = false;
    }
    return true;
}

static void note_first(const walk *w, const mn_place_f *p, const mn_lobes *l, float distance)
{
    if (w->first == NULL || isfinite(w->first->distance)) return;
    *w->first = (mn_first_f){ .color    = l != NULL ? mn_f3_add(l->reflect, l->transmit) : mn_f3_gray(1.0f),
                              .normal   = p->normal,
                              .at       = p->at,
                              .clear    = l == NULL ? 1.0f : 0.0f,
                              .distance = distance };
}

static mn_f3 follow(const walk *w, ray_state r)
{
    const mn_stage_f *s   = w->stage;
    mn_f3             sum = mn_f3_gray(0.0f);
    for (;;) {
        mn_place_f p;
        float      distance;
        if (!meet(s, &r, &p, &distance)) return mn_f3_add(sum, mn_f3_mul(r.weight, sky_of(s, &r)));
        if (r.inside > 0)
            r.weight = mn_f3_mul(r.weight,
                                 left_by(s, r.dyed, p.finish == MN_FINISH_LIQUID ? p.absorbs : r.dyed, distance));
        if (p.finish == MN_FINISH_LIQUID || p.finish == MN_FINISH_GLASS) {
            note_first(w, &p, NULL, distance);
            if (!pass_skin(w, &p, &r, &sum)) return sum;
            continue;
        }
        const float far = faded(s, &p);
        if (far > 0.0f) sum = mn_f3_add(sum, mn_f3_scale(far, mn_f3_mul(r.weight, backdrop(s, r.d))));
        if (far >= 1.0f) return sum;
        r.weight         = mn_f3_scale(1.0f - far, r.weight);
        const mn_lobes l = lobes_of(&p);
        note_first(w, &p, &l, distance);
        sum = mn_f3_add(sum, mn_f3_mul(r.weight, sun_at(w, &p, &l, &r)));
        if (!scatter(w, &p, &l, &r)) return sum;
    }
}

mn_f3 mn_path_radiance(const mn_stage_f *s, mn_f3 from, mn_f3 d, mn_sampler *sampler, mn_first_f *first)
{
    if (first != NULL) *first = (mn_first_f){ .color = mn_f3_gray(1.0f), .distance = INFINITY };
    const walk w = { s, sampler, first };
    return follow(&w, (ray_state){ .from     = from,
                                   .d        = d,
                                   .weight   = mn_f3_gray(1.0f),
                                   .splits   = s->splits,
                                   .sees_sun = true });
}
