// SPDX-License-Identifier: MPL-2.0
// stain/stains_add.c - putting a stain on a carrier or on a cloth of its own.
#include "base/random.h"
#include "defs/check.h"
#include "geom/shape.h"
#include "meniscus/world.h"
#include "stain/pinned.h"
#include "stain/stains_private.h"

#include <stdio.h>
#include <string.h>

/// Directions of a ragged drop whose speeds are drawn; between two of them the speed changes evenly.
#define RAGGED_DIRECTIONS 32

mn_pigment mn_pigment_default(void) { return (mn_pigment){ .solubility = 0.5, .dissolve = 1.0, .mixing = 0.02 }; }

mn_stain_drop mn_stain_drop_default(void)
{
    return (mn_stain_drop){ .density = 0.1, .seed = 1, .during = { 0.0, INFINITY } };
}

mn_stain_def mn_stain_def_default(void)
{
    return (mn_stain_def){ .axis         = { 0.0, 1.0, 0.0 },
                           .motion       = mn_motion_def_default(),
                           .files_rate   = 24.0,
                           .files_scale  = 1.0,
                           .step         = 0.01,
                           .density      = 1.0,
                           .spread       = 0.1,
                           .friction     = 0.1,
                           .absorb_rate  = 0.05,
                           .hold         = 0.015,
                           .evaporation  = 1e-3,
                           .rim          = 1.2,
                           .inertia      = true,
                           .coriolis     = true,
                           .carry        = true,
                           .cloth_colour = { 0.9, 0.9, 0.9 },
                           .cookie       = MN_DEF_COOKIE };
}

static void destroy_stain(mn_context *c, mn_stained_cloth *s)
{
    for (int k = 0; k < s->source_count; k++) mn_free(c, s->sources[k].vertex);
    mn_free(c, s->sources);
    mn_free(c, s->mesh_vertex);
    mn_free(c, s->rest);
    mn_free(c, s->kept);
    mn_mesh_texture_free(c, &s->texture);
    mn_free(c, s->threads.weave_of);
    mn_free(c, s->threads.weft);
    mn_free(c, s->threads.weave);
    mn_motion_destroy(c, &s->motion);
    mn_mesh_sequence_close(&s->files);
    mn_stain_film_destroy(&s->film);
}

void mn_stains_destroy(mn_stains *all)
{
    while (all->count > 0) mn_stains_remove_last(all);
    mn_free(all->context, all->list);
}

void mn_stains_remove_last(mn_stains *all) { destroy_stain(all->context, &all->list[--all->count]); }

// --- the film --------------------------------------------------------------------------------------------------------

static mn_status make_film(const mn_stains *all, mn_stained_cloth *s, const mn_stain_def *def, const mn_stain_cloth *k,
                           mn_arena *arena)
{
    mn_stain_film_def f = mn_stain_film_def_default();
    mn_stain_pigment  pigment[MN_PIGMENTS_MOST];
    f.vertex_count = k->vertex_count, f.triangle_count = k->mesh->triangle_count;
    f.x = k->x, f.triangle = (const int32_t(*)[3])k->triangle;
    MN_TRY(mn_stain_threads_lay(all->context, s, def, &f, arena));
    MN_TRY(mn_stain_threads_tensors(s, &f, arena));
    for (int p = 0; p < def->pigment_count; p++) pigment[p] = mn_stain_pigment_of(&def->pigments[p]);
    f.pigment              = pigment;
    f.exchange.absorb_rate = def->absorb_rate, f.exchange.hold = def->hold;
    f.exchange.evaporation = def->evaporation, f.exchange.rim_factor = def->rim;
    f.h = def->step, f.gravity = all->gravity, f.drag = def->drag, f.pin = def->pin;
    f.density      = def->pressure ? def->density : 0.0;
    f.second_order = true, f.no_carry = !def->carry, f.no_coriolis = !def->coriolis;
    return mn_stain_film_create(all->context, &f, &s->film);
}

/// The cloth a step before the start, so that its velocity is right from the first step on.
static mn_status set_out(mn_context *c, mn_stained_cloth *s, mn_arena *arena)
{
    const int64_t           n   = s->film->surface->vertex_count;
    const mn_stain_carrier *on  = &s->carrier;
    mn_vec3                *now = mn_arena_array(arena, mn_vec3, n), *before = mn_arena_array(arena, mn_vec3, n);
    if (now == NULL || before == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_stain_cloth_at(c, s, on, 0.0, now));
    MN_TRY(mn_stain_cloth_at(c, s, on, -s->def.step, before));
    for (int64_t v = 0; v < n && on->number >= 0; v++) {
        const int32_t i        = s->mesh_vertex[v];
        const mn_vec3 velocity = mn_v3(on->velocity[0][i], on->velocity[1][i], on->velocity[2][i]);
        before[v]              = mn_sub3(now[v], mn_scale3(s->def.step, velocity));
    }
    MN_TRY(mn_stain_film_place(s->film, before, now));
    return mn_stain_threads_follow(s, arena);
}

// --- drops and sources -----------------------------------------------------------------------------------------------

/// The vertices of a drop: their middle, and how far they reach from it.
typedef struct spot {
    int32_t *vertex;
    int64_t  count;
    mn_vec3  middle;
    double   radius;
} spot;

static mn_status find_spot(mn_context *c, const mn_stained_cloth *s, const mn_stain_drop *d, int number,
                           mn_arena *arena, spot *out)
{
    const mn_stain_surface *surface = s->film->surface;
    const mn_vec3          *x       = s->film->x[1];
    double                  area    = 0.0;
    *out                            = (spot){ .vertex = mn_arena_array(arena, int32_t, surface->vertex_count) };
    if (out->vertex == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < surface->vertex_count; v++) {
        if (d->shape != NULL && !(mn_shape_at(d->shape, x[v]) <= 0.0)) continue;
        out->vertex[out->count++] = (int32_t)v;
        out->middle               = mn_add3(out->middle, mn_scale3(surface->area[v], x[v]));
        area += surface->area[v];
    }
    if (out->count == 0)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "stain '%s': drop %d meets no vertex of the cloth; move it, or make it larger than the mesh",
                       s->def.name, number + 1);
    out->middle = mn_scale3(1.0 / area, out->middle);
    for (int64_t i = 0; i < out->count; i++)
        out->radius = fmax(out->radius, mn_norm3(mn_sub3(x[out->vertex[i]], out->middle)));
    return MN_OK;
}

/// Share of the outward speed in a direction of the plane.
static double ragged_share(const mn_stain_drop *d, double angle)
{
    const double place = (angle / (2.0 * MN_PI) + 0.5) * RAGGED_DIRECTIONS, low = floor(place), part = place - low;
    const double a = mn_random(d->seed, (uint64_t)low % RAGGED_DIRECTIONS, 0, 0),
                 b = mn_random(d->seed, ((uint64_t)low + 1) % RAGGED_DIRECTIONS, 0, 0);
    return 1.0 + d->ragged * (2.0 * ((1.0 - part) * a + part * b) - 1.0);
}

static mn_stain_vec drop_velocity(const mn_stained_cloth *s, const mn_stain_drop *d, const spot *k, int64_t v)
{
    const mn_stain_frame *frame = &s->film->frame[1][v];
    const mn_vec3         y = mn_stain_frame_y(frame), away = mn_sub3(s->film->x[1][v], k->middle),
                  along = mn_v3_from(d->velocity);
    // Directions are counted in the tangent plane of the first vertex of the drop: the same for all of them.
    const mn_stain_frame *base  = &s->film->frame[1][k->vertex[0]];
    const double          angle = atan2(mn_dot3(away, mn_stain_frame_y(base)), mn_dot3(away, base->x));
    const double          speed = k->radius > 0.0 ? d->outward * ragged_share(d, angle) / k->radius : 0.0;
    const mn_vec3         u     = mn_add3(along, mn_scale3(speed, away));
    return (mn_stain_vec){ mn_dot3(u, frame->x), mn_dot3(u, y) };
}

static void add_drop(mn_stained_cloth *s, const mn_stain_drop *d, const spot *k)
{
    for (int64_t i = 0; i < k->count; i++) {
        const int32_t v      = k->vertex[i];
        const double  liquid = d->density * s->film->surface->area[v];
        double        pigment[MN_PIGMENTS_MOST];
        for (int p = 0; p < s->def.pigment_count; p++) pigment[p] = liquid * d->share[p];
        mn_stain_film_add(s->film, v, liquid, pigment, drop_velocity(s, d, k, v));
    }
}

/// A pinned drop: its circle is that of its shape, and it stands as a cap from the start.
static mn_status add_pinned(mn_context *c, mn_stained_cloth *s, const mn_stain_drop *d, int number, mn_arena *arena)
{
    const int64_t n    = s->film->surface->vertex_count;
    double       *mass = mn_arena_array(arena, double, n), low[3], high[3], pigment[MN_PIGMENTS_MOST];
    if (mass == NULL) return MN_ERR_MEMORY;
    if (d->shape == NULL || d->source)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "stain '%s': drop %d is pinned; it needs a shape that says where it is, and is no source",
                       s->def.name, number + 1);
    mn_shape_bounds(d->shape, low, high);
    mn_stain_pin pin = { .contact_angle = d->contact_angle, .density = d->density };
    pin.centre       = mn_v3(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2]));
    pin.radius       = 0.5 * fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    if (!isfinite(pin.radius))
        return mn_fail(c, MN_ERR_ARGUMENT, "stain '%s': drop %d is pinned, and needs a shape that ends", s->def.name,
                       number + 1);
    const mn_status status = mn_stain_film_pin(s->film, &pin, mass, arena);
    if (status == MN_ERR_ARGUMENT)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "stain '%s': drop %d is pinned, and meets no vertex of the cloth or one of another pinned drop",
                       s->def.name, number + 1);
    for (int64_t v = 0; status == MN_OK && v < n; v++) {
        if (!(mass[v] > 0.0)) continue;
        for (int p = 0; p < s->def.pigment_count; p++) pigment[p] = mass[v] * d->share[p];
        mn_stain_film_add(s->film, v, mass[v], pigment, (mn_stain_vec){ 0.0, 0.0 });
    }
    return status;
}

static mn_status add_source(mn_context *c, mn_stained_cloth *s, const mn_stain_drop *d, const spot *k)
{
    mn_stain_source *source = &s->sources[s->source_count];
    *source = (mn_stain_source){ .density = d->density, .during = { d->during[0], d->during[1] }, .count = k->count };
    source->vertex = mn_alloc_array(c, int32_t, k->count);
    if (source->vertex == NULL) return MN_ERR_MEMORY;
    s->source_count++;
    memcpy(source->vertex, k->vertex, (size_t)k->count * sizeof *k->vertex);
    for (int p = 0; p < s->def.pigment_count; p++) source->pigment[p] = d->density * d->share[p];
    return MN_OK;
}

static mn_status add_drops(mn_context *c, mn_stained_cloth *s, const mn_stain_def *def, mn_arena *arena)
{
    s->sources = mn_alloc_array(c, mn_stain_source, def->drop_count + 1);
    if (s->sources == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < def->drop_count; k++) {
        const mn_stain_drop *d      = &def->drops[k];
        const mn_arena_mark  mark   = mn_arena_begin(arena);
        spot                 place  = { .count = 0 };
        mn_status            status = d->pinned ? add_pinned(c, s, d, k, arena) : find_spot(c, s, d, k, arena, &place);
        if (status == MN_OK && d->source) status = add_source(c, s, d, &place);
        else if (status == MN_OK && !d->pinned) add_drop(s, d, &place);
        mn_arena_end(arena, mark);
        MN_TRY(status);
    }
    return MN_OK;
}

// --- adding ----------------------------------------------------------------------------------------------------------

static mn_status check_parts(mn_context *c, const mn_stain_def *d, const char *front)
{
    char part[MN_NAME_BYTES + 48];
    if (d->pigment_count < 0 || d->pigment_count > MN_PIGMENTS_MOST)
        return mn_fail(c, MN_ERR_ARGUMENT, "%sit has %d pigments; at most %d are possible", front, d->pigment_count,
                       MN_PIGMENTS_MOST);
    for (int k = 0; k < d->pigment_count; k++) {
        snprintf(part, sizeof part, "%spigment %d: ", front, k + 1);
        MN_TRY(mn_defs_check(c, &mn_section_pigment, &d->pigments[k], part));
    }
    for (int k = 0; k < d->patch_count; k++) {
        snprintf(part, sizeof part, "%spatch %d: ", front, k + 1);
        MN_TRY(mn_defs_check(c, &mn_section_stain_patch, &d->patches[k], part));
        for (int i = 0; i < d->patches[k].direction_count; i++)
            MN_TRY(mn_defs_check(c, &mn_section_stain_weft, &d->patches[k].directions[i], part));
    }
    for (int k = 0; k < d->drop_count; k++) {
        const mn_section *drop = d->drops[k].source ? &mn_section_stain_source : &mn_section_stain_drop;
        snprintf(part, sizeof part, "%sdrop %d: ", front, k + 1);
        MN_TRY(mn_defs_check(c, drop, &d->drops[k], part));
    }
    return MN_OK;
}

mn_status mn_stains_check(mn_context *c, const mn_stain_def *d)
{
    char front[MN_NAME_BYTES + 16];
    snprintf(front, sizeof front, "stain '%s': ", d->name);
    MN_TRY(mn_defs_check(c, &mn_section_stain, d, front));
    return check_parts(c, d, front);
}

static mn_status make_stain(const mn_stains *all, mn_stained_cloth *s, const mn_stain_def *def, mn_arena *arena)
{
    mn_context    *c = all->context;
    mn_stain_cloth k = { .vertex_count = 0 };
    MN_TRY(mn_stain_cloth_take(c, s, def, arena, &k));
    MN_TRY(make_film(all, s, def, &k, arena));
    MN_TRY(set_out(c, s, arena));
    MN_TRY(add_drops(c, s, def, arena));
    mn_stains_name_blocks(s, def->name);
    s->kept = mn_alloc_array(c, double, mn_stain_film_doubles(s->film));
    return s->kept != NULL ? MN_OK : MN_ERR_MEMORY;
}

mn_status mn_stains_add(mn_stains *all, const mn_stain_def *def, const mn_stain_carrier *on, mn_arena *arena)
{
    MN_TRY(mn_array_reserve(all->context, &all->list, &all->capacity, all->count + 1, sizeof *all->list));
    mn_stained_cloth *s = &all->list[all->count++];
    *s                  = (mn_stained_cloth){ .def = *def, .carrier = *on };
    if (def->pigment_count > 0) memcpy(s->pigments, def->pigments, (size_t)def->pigment_count * sizeof *def->pigments);
    s->def.mesh = NULL, s->def.files = s->def.files_mesh = NULL, s->def.pigments = NULL, s->def.patches = NULL;
    s->def.drops           = NULL;
    const mn_status status = make_stain(all, s, def, arena);
    if (status != MN_OK) mn_stains_remove_last(all);
    return status;
}
