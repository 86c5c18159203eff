// SPDX-License-Identifier: MPL-2.0
// world/stains_add.c - putting a stain on a fabric or on a cloth of its own.
#include "base/random.h"
#include "defs/check.h"
#include "world/world.h"

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

void mn_world_stain_destroy(mn_context *c, mn_stained_cloth *s)
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

// --- the cloth -------------------------------------------------------------------------------------------------------

/// The cloth as the film sees it: vertices that belong to a triangle, in their order.
typedef struct cloth {
    const mn_fabric_mesh *mesh;
    int64_t               vertex_count;
    int32_t              *number;  // of each vertex of the mesh, -1: none
    mn_vec3              *x;       // where it is put, at rest
    int32_t (*triangle)[3];
} cloth;

static mn_status number_vertices(mn_world *w, cloth *k)
{
    const mn_fabric_mesh *m = k->mesh;
    k->number               = mn_arena_array(w->arena, int32_t, m->vertex_count);
    k->x                    = mn_arena_array(w->arena, mn_vec3, m->vertex_count);
    k->triangle             = mn_arena_take(w->arena, mn_array_bytes(m->triangle_count, sizeof *k->triangle));
    if (k->number == NULL || k->x == NULL || k->triangle == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < m->vertex_count; v++) k->number[v] = -1;
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int i = 0; i < 3; i++) k->number[m->triangle[t][i]] = 0;
    for (int64_t v = 0; v < m->vertex_count; v++) {
        if (k->number[v] < 0) continue;
        k->x[k->vertex_count] = mn_v3_from(m->vertex[v]);
        k->number[v]          = (int32_t)k->vertex_count++;
    }
    for (int64_t t = 0; t < m->triangle_count; t++)
        for (int i = 0; i < 3; i++) k->triangle[t][i] = k->number[m->triangle[t][i]];
    return MN_OK;
}

static mn_status list_vertices(mn_world *w, mn_stained_cloth *s, cloth *k)
{
    MN_TRY(number_vertices(w, k));
    s->mesh_vertex = mn_alloc_array(w->context, int32_t, k->vertex_count);
    if (s->mesh_vertex == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < k->mesh->vertex_count; v++)
        if (k->number[v] >= 0) s->mesh_vertex[k->number[v]] = (int32_t)v;
    return MN_OK;
}

static mn_status take_fabric(mn_world *w, mn_stained_cloth *s, cloth *k)
{
    for (int64_t i = 0; i < w->fabric.piece_count; i++)
        if (strcmp(w->fabric.pieces[i].name, s->def.on) == 0) s->fabric = (int)i;
    if (s->fabric < 0)
        return mn_fail(w->context, MN_ERR_ARGUMENT, "stain '%s': there is no fabric '%s'", s->def.name, s->def.on);
    k->mesh = &w->fabric.pieces[s->fabric].mesh;
    if (k->mesh->triangle_count == 0)
        return mn_fail(w->context, MN_ERR_ARGUMENT, "stain '%s': the fabric '%s' is yarn; stains are on cloth",
                       s->def.name, s->def.on);
    return list_vertices(w, s, k);
}

static mn_status take_files(mn_world *w, mn_stained_cloth *s, const mn_stain_def *def, cloth *k)
{
    const mn_mesh_sequence_def files = { .path  = def->files,
                                         .mesh  = def->files_mesh,
                                         .rate  = def->files_rate,
                                         .start = def->files_start,
                                         .scale = def->files_scale };
    MN_TRY(mn_mesh_sequence_open(w->context, &files, &s->files));
    const mn_mesh  *first = mn_mesh_sequence_mesh(s->files);
    mn_fabric_mesh *mesh  = mn_arena_take_zero(w->arena, sizeof *mesh);
    if (mesh == NULL) return MN_ERR_MEMORY;
    const mn_mesh_texture *uv = mn_mesh_sequence_texture(s->files);
    *mesh                     = (mn_fabric_mesh){ .vertex_count   = first->vertex_count,
                                                  .vertex         = first->vertex,
                                                  .triangle_count = first->triangle_count,
                                                  .triangle       = first->triangle,
                                                  .texture_count  = uv->count,
                                                  .texture        = uv->at,
                                                  .texture_corner = uv->corner };
    k->mesh                   = mesh;
    return list_vertices(w, s, k);
}

static mn_status take_mesh(mn_world *w, mn_stained_cloth *s, const mn_stain_def *def, cloth *k)
{
    if (def->mesh == NULL || def->mesh->triangle_count == 0)
        return mn_fail(w->context, MN_ERR_ARGUMENT, "stain '%s' needs a fabric to be on, or a mesh with triangles",
                       def->name);
    k->mesh = def->mesh;
    MN_TRY(number_vertices(w, k));
    s->rest = mn_alloc_array(w->context, mn_vec3, k->vertex_count);
    if (s->rest == NULL) return MN_ERR_MEMORY;
    mn_mat3 turn = mn_mat3_identity();
    if (def->angle != 0.0) turn = mn_rotation3(mn_unit3(mn_v3_from(def->axis), mn_v3(0.0, 1.0, 0.0)), def->angle);
    for (int64_t v = 0; v < k->vertex_count; v++)
        s->rest[v] = k->x[v] = mn_add3(mn_mul3(turn, k->x[v]), mn_v3_from(def->at));
    mn_motion_def motion = def->motion;
    for (int a = 0; a < 3; a++) motion.pivot[a] += def->at[a];
    MN_TRY(mn_motion_create(w->context, &motion, &s->motion));
    if (mn_motion_is_still(s->motion)) mn_motion_destroy(w->context, &s->motion);
    return MN_OK;
}

// --- texture coordinates ---------------------------------------------------------------------------------------------

static mn_status copy_texture(mn_context *c, const mn_fabric_mesh *mesh, mn_mesh_texture *out)
{
    *out = (mn_mesh_texture){ .count  = mesh->texture_count,
                              .at     = mn_alloc(c, mn_array_bytes(mesh->texture_count, sizeof *out->at)),
                              .corner = mn_alloc(c, mn_array_bytes(mesh->triangle_count, sizeof *out->corner)) };
    if (out->at == NULL || out->corner == NULL) return MN_ERR_MEMORY;
    memcpy(out->at, mesh->texture, (size_t)mesh->texture_count * sizeof *out->at);
    memcpy(out->corner, mesh->texture_corner, (size_t)mesh->triangle_count * sizeof *out->corner);
    return MN_OK;
}

/// Whether any corner has coordinates: a file may list some that no face names.
static bool has_texture(const mn_fabric_mesh *m)
{
    for (int64_t t = 0; m->texture_count > 0 && t < m->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (m->texture_corner[t][k] >= 0) return true;
    return false;
}

/// Those of the mesh, or where it is flat its plane.
static mn_status take_texture(mn_world *w, mn_stained_cloth *s, const cloth *k)
{
    mn_context           *c = w->context;
    const mn_fabric_mesh *m = k->mesh;
    if (s->def.texture == 0) return MN_OK;
    mn_status status = has_texture(m)
                           ? copy_texture(c, m, &s->texture)
                           : mn_mesh_texture_flat(c, (const double(*)[3])k->x, k->vertex_count,
                                                  (const int32_t(*)[3])k->triangle, m->triangle_count, &s->texture);
    if (status == MN_OK) status = mn_mesh_texture_check(c, &s->texture, m->triangle_count);
    if (status != MN_ERR_ARGUMENT) return status;
    char why[512];
    snprintf(why, sizeof why, "%s", mn_context_error(c));
    return mn_fail(c, status, "stain '%s' cannot be drawn as a texture: %s", s->def.name, why);
}

// --- the film --------------------------------------------------------------------------------------------------------

mn_stain_pigment mn_world_pigment_law(const mn_pigment *p)
{
    mn_stain_pigment out = mn_stain_pigment_default();
    out.solubility       = p->solubility;
    out.dissolve         = p->dissolve;
    out.capacity         = p->adsorption == MN_ADSORPTION_NONE ? 0.0 : p->capacity;
    out.adsorption       = p->adsorption == MN_ADSORPTION_LANGMUIR ? MN_STAIN_LANGMUIR : MN_STAIN_LINEAR;
    out.rate             = p->adsorption == MN_ADSORPTION_LINEAR ? p->rate : 0.0;
    out.attach           = out.capacity > 0.0 ? p->rate / out.capacity : 0.0;
    out.detach           = p->release;
    return out;
}

static mn_status make_film(mn_world *w, mn_stained_cloth *s, const mn_stain_def *def, const cloth *k)
{
    mn_stain_film_def f = mn_stain_film_def_default();
    mn_stain_pigment  pigment[MN_PIGMENTS_MOST];
    f.vertex_count = k->vertex_count, f.triangle_count = k->mesh->triangle_count;
    f.x = k->x, f.triangle = (const int32_t(*)[3])k->triangle;
    MN_TRY(mn_world_stain_lay_threads(w, s, def, &f));
    MN_TRY(mn_world_stain_tensors(w, s, &f));
    for (int p = 0; p < def->pigment_count; p++) pigment[p] = mn_world_pigment_law(&def->pigments[p]);
    f.pigment              = pigment;
    f.exchange.absorb_rate = def->absorb_rate, f.exchange.hold = def->hold;
    f.exchange.evaporation = def->evaporation, f.exchange.rim_factor = def->rim;
    f.h = def->step, f.gravity = mn_v3_from(w->def.domain.gravity), f.drag = def->drag, f.pin = def->pin;
    f.density      = def->pressure ? def->density : 0.0;
    f.second_order = true, f.no_carry = !def->carry, f.no_coriolis = !def->coriolis;
    return mn_stain_film_create(w->context, &f, &s->film);
}

/// The cloth a step before the start, so that its velocity is right from the first step on.
static mn_status set_out(mn_world *w, mn_stained_cloth *s)
{
    const int64_t n   = s->film->surface->vertex_count;
    mn_vec3      *now = mn_arena_array(w->arena, mn_vec3, n), *before = mn_arena_array(w->arena, mn_vec3, n);
    if (now == NULL || before == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_world_stain_cloth(w, s, 0.0, now));
    MN_TRY(mn_world_stain_cloth(w, s, -s->def.step, before));
    if (s->fabric >= 0) {
        const mn_fabric_view f = mn_world_fabric(w, s->fabric);
        for (int64_t v = 0; v < n; v++) {
            const int32_t i = s->mesh_vertex[v];
            before[v]       = mn_sub3(now[v],
                                      mn_scale3(s->def.step, mn_v3(f.velocity.x[i], f.velocity.y[i], f.velocity.z[i])));
        }
    }
    MN_TRY(mn_stain_film_place(s->film, before, now));
    return mn_world_stain_follow(w, s);
}

// --- drops and sources -----------------------------------------------------------------------------------------------

/// The vertices of a drop: their middle, and how far they reach from it.
typedef struct spot {
    int32_t *vertex;
    int64_t  count;
    mn_vec3  middle;
    double   radius;
} spot;

static mn_status find_spot(mn_world *w, const mn_stained_cloth *s, const mn_stain_drop *d, int number, spot *out)
{
    const mn_stain_surface *surface = s->film->surface;
    const mn_vec3          *x       = s->film->x[1];
    double                  area    = 0.0;
    *out                            = (spot){ .vertex = mn_arena_array(w->arena, int32_t, surface->vertex_count) };
    if (out->vertex == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < surface->vertex_count; v++) {
        if (d->shape != NULL && !(mn_shape_at(d->shape, x[v]) <= 0.0)) continue;
        out->vertex[out->count++] = (int32_t)v;
        out->middle               = mn_add3(out->middle, mn_scale3(surface->area[v], x[v]));
        area += surface->area[v];
    }
    if (out->count == 0)
        return mn_fail(w->context, MN_ERR_ARGUMENT,
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

static mn_status add_source(mn_world *w, mn_stained_cloth *s, const mn_stain_drop *d, const spot *k)
{
    mn_stain_source *source = &s->sources[s->source_count];
    *source = (mn_stain_source){ .density = d->density, .during = { d->during[0], d->during[1] }, .count = k->count };
    source->vertex = mn_alloc_array(w->context, int32_t, k->count);
    if (source->vertex == NULL) return MN_ERR_MEMORY;
    s->source_count++;
    memcpy(source->vertex, k->vertex, (size_t)k->count * sizeof *k->vertex);
    for (int p = 0; p < s->def.pigment_count; p++) source->pigment[p] = d->density * d->share[p];
    return MN_OK;
}

static mn_status add_drops(mn_world *w, mn_stained_cloth *s, const mn_stain_def *def)
{
    s->sources = mn_alloc_array(w->context, mn_stain_source, def->drop_count + 1);
    if (s->sources == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < def->drop_count; k++) {
        const mn_stain_drop *d = &def->drops[k];
        spot                 place;
        MN_TRY(find_spot(w, s, d, k, &place));
        if (d->source) MN_TRY(add_source(w, s, d, &place));
        else add_drop(s, d, &place);
    }
    return MN_OK;
}

// --- adding ----------------------------------------------------------------------------------------------------------

static mn_status check_parts(mn_world *w, const mn_stain_def *d, const char *front)
{
    mn_context *c = w->context;
    char        part[MN_NAME_BYTES + 48];
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

static mn_status check_stain(mn_world *w, const mn_stain_def *d)
{
    char            front[MN_NAME_BYTES + 16];
    const mn_misfit domain = mn_stain_domain_misfit(&w->def.domain);
    snprintf(front, sizeof front, "stain '%s': ", d->name);
    if (d->cookie != MN_DEF_COOKIE)
        return mn_fail(w->context, MN_ERR_ARGUMENT, "%sstart from mn_stain_def_default()", front);
    if (w->started) return mn_fail(w->context, MN_ERR_STATE, "%sthings are added before the first step", front);
    if (domain.key != NULL) return mn_fail(w->context, MN_ERR_SCENE, "%s%s", front, domain.sentence);
    MN_TRY(mn_defs_check(w->context, &mn_section_stain, d, front));
    return check_parts(w, d, front);
}

static mn_status make_stain(mn_world *w, mn_stained_cloth *s, const mn_stain_def *def)
{
    cloth k = { .vertex_count = 0 };
    MN_TRY(def->on[0] != '\0'   ? take_fabric(w, s, &k)
           : def->files != NULL ? take_files(w, s, def, &k)
                                : take_mesh(w, s, def, &k));
    MN_TRY(take_texture(w, s, &k));
    MN_TRY(make_film(w, s, def, &k));
    MN_TRY(set_out(w, s));
    MN_TRY(add_drops(w, s, def));
    s->kept = mn_alloc_array(w->context, double, mn_stain_film_doubles(s->film));
    return s->kept != NULL ? MN_OK : MN_ERR_MEMORY;
}

mn_status mn_world_add_stain(mn_world *w, const mn_stain_def *def)
{
    MN_TRY(check_stain(w, def));
    if (def->in_fabric) return mn_world_soak_fabric(w, def);
    MN_TRY(mn_arena_reset(w->arena));
    MN_TRY(mn_array_reserve(w->context, &w->stains, &w->stain_capacity, w->stain_count + 1, sizeof *w->stains));
    mn_stained_cloth s = { .def = *def, .fabric = -1 };
    if (def->pigment_count > 0) memcpy(s.pigments, def->pigments, (size_t)def->pigment_count * sizeof *def->pigments);
    s.def.mesh = NULL, s.def.files = s.def.files_mesh = NULL, s.def.pigments = NULL, s.def.patches = NULL,
    s.def.drops      = NULL;
    mn_status status = make_stain(w, &s, def);
    if (status == MN_OK) {
        w->stains[w->stain_count++] = s;
        status                      = mn_world_reserve_blocks(w);
        if (status != MN_OK) w->stain_count--;
    }
    if (status != MN_OK) {
        mn_world_stain_destroy(w->context, &s);
        return status;
    }
    return MN_OK;
}
