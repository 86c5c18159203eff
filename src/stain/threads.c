// SPDX-License-Identifier: MPL-2.0
// stain/threads.c - how the threads of a stained cloth lie, and the tensors that follow from them as it
// stretches.
#include "geom/shape.h"
#include "stain/stains_private.h"
#include "stain/weave/weft.h"

/// A weft of which this share is along every triangle of a patch needs no smoothing.
#define FAIRLY_ALONG 0.5

static mn_vec3 corner_of(const mn_stain_film_def *k, int64_t t, int i) { return k->x[k->triangle[t][i]]; }

static mn_vec3 middle_of(const mn_stain_film_def *k, int64_t t)
{
    return mn_scale3(1.0 / 3.0, mn_add3(corner_of(k, t, 0), mn_add3(corner_of(k, t, 1), corner_of(k, t, 2))));
}

/// The last patch whose shape holds the middle of a triangle.
static int patch_of(const mn_stain_def *def, mn_vec3 middle)
{
    for (int p = def->patch_count - 1; p >= 0; p--)
        if (def->patches[p].shape == NULL || mn_shape_at(def->patches[p].shape, middle) <= 0.0) return p;
    return -1;
}

// --- directions ------------------------------------------------------------------------------------------------------

/// Share of a direction that is along a triangle.
static double share_along(const mn_stain_film_def *k, int64_t t, mn_vec3 direction)
{
    const mn_vec3 a = corner_of(k, t, 0), e = mn_sub3(corner_of(k, t, 1), a), f = mn_sub3(corner_of(k, t, 2), a);
    const double  up = mn_dot3(mn_unit3(direction, mn_v3(1.0, 0.0, 0.0)),
                               mn_unit3(mn_cross3(e, f), mn_v3(0.0, 1.0, 0.0)));
    return sqrt(fmax(0.0, 1.0 - up * up));
}

/// Directions that are given, gathered for all patches.
typedef struct given {
    mn_stain_direction *direction;
    int64_t             count;
} given;

/// Where the weft given for a patch is fairly along the cloth everywhere, it is taken there as it is. On a patch that
/// bends away from it it is taken at the triangle that it fits best, and the smoothest field from there holds elsewhere
/// (stain 5.6).
static void give_one(const mn_stain_film_def *k, const mn_stain_patch *patch, int number, const int32_t *patch_at,
                     given *out)
{
    const mn_vec3 weft  = mn_v3_from(patch->weft);
    int64_t       best  = -1;
    double        worst = 1.0;
    for (int64_t t = 0; t < k->triangle_count; t++) {
        if (patch_at[t] != number) continue;
        const double fits = share_along(k, t, weft);
        worst             = fmin(worst, fits);
        if (best < 0 || fits > share_along(k, best, weft)) best = t;
    }
    for (int64_t t = 0; t < k->triangle_count; t++)
        if (patch_at[t] == number && (worst >= FAIRLY_ALONG || best == t))
            out->direction[out->count++] = (mn_stain_direction){ (int32_t)t, weft };
}

/// Each of several directions holds at the triangle of the patch that is nearest to its place.
static mn_status give_several(mn_context *c, const char *name, const mn_stain_film_def *k, const mn_stain_patch *patch,
                              int number, const int32_t *patch_at, given *out)
{
    for (int i = 0; i < patch->direction_count; i++) {
        const mn_vec3 at = mn_v3_from(patch->directions[i].at), along = mn_v3_from(patch->directions[i].along);
        int64_t       best = -1;
        double        near = INFINITY;
        for (int64_t t = 0; t < k->triangle_count; t++) {
            const double far = mn_norm3(mn_sub3(middle_of(k, t), at));
            if (patch_at[t] == number && far < near) near = far, best = t;
        }
        if (best < 0) return MN_OK;  // no triangle is of the patch
        for (int64_t j = 0; j < out->count; j++)
            if (out->direction[j].triangle == best)
                return mn_fail(c, MN_ERR_ARGUMENT,
                               "stain '%s': direction %d of patch %d is at (%g, %g, %g), in the same triangle as "
                               "another; take them apart, or refine the mesh",
                               name, i + 1, number + 1, at.x, at.y, at.z);
        out->direction[out->count++] = (mn_stain_direction){ (int32_t)best, along };
    }
    return MN_OK;
}

static mn_status give_wefts(mn_context *c, const mn_stain_def *def, const mn_stain_film_def *k, const int32_t *patch,
                            given *out)
{
    for (int p = 0; p < def->patch_count; p++) {
        if (def->patches[p].direction_count > 0) MN_TRY(give_several(c, def->name, k, &def->patches[p], p, patch, out));
        else give_one(k, &def->patches[p], p, patch, out);
    }
    for (int64_t t = 0; t < k->triangle_count; t++)  // without weave any direction will do
        if (patch[t] < 0)
            out->direction[out->count++] = (mn_stain_direction){ (int32_t)t,
                                                                 mn_sub3(corner_of(k, t, 1), corner_of(k, t, 0)) };
    return MN_OK;
}

static mn_status find_angles(mn_context *c, const mn_stain_def *def, const mn_stain_film_def *k, const int32_t *patch,
                             double *angle, mn_arena *arena)
{
    mn_stain_surface *surface;
    given             all = { .direction = mn_arena_array(arena, mn_stain_direction, k->triangle_count) };
    if (all.direction == NULL) return MN_ERR_MEMORY;
    MN_TRY(give_wefts(c, def, k, patch, &all));
    MN_TRY(mn_stain_surface_create(c, k->vertex_count, k->x, k->triangle_count, k->triangle, &surface));
    const mn_status status = mn_stain_weft(surface, k->x, patch, all.count, all.direction, angle, arena);
    mn_stain_surface_destroy(&surface);
    return status;
}

// --- threads and tensors ---------------------------------------------------------------------------------------------

/// Sides 0 to 1 and 0 to 2 of a triangle in its frame; the first one has no second component.
static void lay_flat(const mn_stain_film_def *k, int64_t t, mn_stain_vec side[2])
{
    const mn_vec3 a     = mn_sub3(corner_of(k, t, 1), corner_of(k, t, 0)),
                  b     = mn_sub3(corner_of(k, t, 2), corner_of(k, t, 0));
    const double length = mn_norm3(a);
    side[0]             = (mn_stain_vec){ length, 0.0 };
    side[1]             = (mn_stain_vec){ mn_dot3(a, b) / length, mn_norm3(mn_cross3(a, b)) / length };
}

/// Weaves of all patches, cells of resolved ones each for itself; `first` is where those of a patch begin.
static mn_status list_weaves(mn_context *c, const mn_stain_def *def, mn_stain_tensor **out, int32_t *first)
{
    int32_t count = 0;
    for (int p = 0; p < def->patch_count; p++) {
        const mn_stain_patch *k = &def->patches[p];
        first[p]                = count;
        count += k->cells != NULL ? k->columns * k->rows : 1;
    }
    *out = mn_alloc_array(c, mn_stain_tensor, count + 1);
    if (*out == NULL) return MN_ERR_MEMORY;
    for (int p = 0; p < def->patch_count; p++) {
        const mn_stain_patch *k     = &def->patches[p];
        const double          mean  = 0.5 * (k->weave.xx + k->weave.yy);
        const mn_tensor2     *cells = k->cells != NULL ? k->cells : &k->weave;
        if (!(mean > 0.0)) return mn_fail(c, MN_ERR_ARGUMENT, "stain '%s': patch %d spreads nothing", def->name, p + 1);
        for (int i = 0; i < (k->cells != NULL ? k->columns * k->rows : 1); i++)
            (*out)[first[p] + i] = (mn_stain_tensor){ cells[i].xx / mean, cells[i].xy / mean, cells[i].yy / mean };
    }
    return MN_OK;
}

/// The cell of a resolved patch that holds the middle of a triangle. Directions of weft and warp are those of a flat
/// cloth.
static mn_status find_cell(mn_context *c, const mn_stain_def *def, int patch, const mn_stain_film_def *k, int64_t t,
                           double angle, mn_vec3 *plane, int32_t *out)
{
    const mn_stain_patch *p = &def->patches[patch];
    const mn_vec3         a = corner_of(k, t, 0), e = mn_unit3(mn_sub3(corner_of(k, t, 1), a), mn_v3(1.0, 0.0, 0.0));
    const mn_vec3         n = mn_unit3(mn_cross3(e, mn_sub3(corner_of(k, t, 2), a)), mn_v3(0.0, 1.0, 0.0));
    if (mn_dot3(*plane, *plane) == 0.0) *plane = n;
    if (!(p->threads > 0.0) || p->direction_count > 0 || mn_dot3(*plane, n) < 1.0 - 1e-9)
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "stain '%s': threads of patch %d can be resolved only where it is flat, with one weft and a "
                       "width above 0",
                       def->name, patch + 1);
    const mn_vec3 weft  = mn_add3(mn_scale3(cos(angle), e), mn_scale3(sin(angle), mn_cross3(n, e))),
                  at    = middle_of(k, t);
    const double column = floor(mn_dot3(at, weft) / p->threads),
                 row    = floor(mn_dot3(at, mn_cross3(n, weft)) / p->threads);
    const double i = column - p->columns * floor(column / p->columns), j = row - p->rows * floor(row / p->rows);
    *out = (int32_t)j * p->columns + (int32_t)i;
    return MN_OK;
}

mn_status mn_stain_threads_lay(mn_context *c, mn_stained_cloth *s, const mn_stain_def *def, const mn_stain_film_def *k,
                               mn_arena *arena)
{
    const int64_t     n     = k->triangle_count;
    mn_stain_threads *h     = &s->threads;
    double           *angle = mn_arena_array_zero(arena, double, n);
    int32_t *patch = mn_arena_array(arena, int32_t, n), *first = mn_arena_array(arena, int32_t, def->patch_count + 1);
    mn_vec3 *plane = mn_arena_array_zero(arena, mn_vec3, def->patch_count + 1);
    h->weave_of    = mn_alloc_array(c, int32_t, n);
    h->weft        = mn_alloc(c, mn_array_bytes(n, sizeof *h->weft));
    if (angle == NULL || patch == NULL || first == NULL || plane == NULL || h->weave_of == NULL || h->weft == NULL)
        return MN_ERR_MEMORY;
    MN_TRY(list_weaves(c, def, &h->weave, first));
    for (int64_t t = 0; t < n; t++) patch[t] = patch_of(def, middle_of(k, t));
    if (def->patch_count > 0) MN_TRY(find_angles(c, def, k, patch, angle, arena));
    for (int64_t t = 0; t < n; t++) {
        mn_stain_vec side[2];
        int32_t      cell = 0;
        lay_flat(k, t, side);
        h->weft[t][1] = sin(angle[t]) / side[1].y;
        h->weft[t][0] = (cos(angle[t]) - h->weft[t][1] * side[1].x) / side[0].x;
        if (patch[t] >= 0 && def->patches[patch[t]].cells != NULL)
            MN_TRY(find_cell(c, def, patch[t], k, t, angle[t], &plane[patch[t]], &cell));
        h->weave_of[t] = patch[t] >= 0 ? first[patch[t]] + cell : -1;
    }
    return MN_OK;
}

static mn_stain_tensor *scaled(mn_arena *arena, const mn_stain_tensor *tensor, int64_t n, double by)
{
    mn_stain_tensor *out = mn_arena_array(arena, mn_stain_tensor, n);
    for (int64_t t = 0; out != NULL && t < n; t++)
        out[t] = (mn_stain_tensor){ by * tensor[t].xx, by * tensor[t].xy, by * tensor[t].yy };
    return out;
}

mn_status mn_stain_threads_tensors(const mn_stained_cloth *s, mn_stain_film_def *k, mn_arena *arena)
{
    const int64_t           n      = k->triangle_count;
    const mn_stain_tensor **mix    = mn_arena_array_zero(arena, const mn_stain_tensor *, MN_PIGMENTS_MOST);
    mn_stain_tensor        *tensor = mn_arena_array(arena, mn_stain_tensor, n);
    if (mix == NULL || tensor == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < n; t++) {
        mn_stain_vec side[2];
        tensor[t] = (mn_stain_tensor){ 1.0, 0.0, 1.0 };
        if (s->threads.weave_of[t] < 0) continue;
        lay_flat(k, t, side);
        const double *weft = s->threads.weft[t];
        tensor[t]          = mn_stain_tensor_at(s->threads.weave[s->threads.weave_of[t]],
                                                atan2(weft[1] * side[1].y, weft[0] * side[0].x + weft[1] * side[1].x));
    }
    for (int p = 0; p < s->def.pigment_count; p++) {
        if (!(s->pigments[p].mixing > 0.0)) continue;
        mix[p] = scaled(arena, tensor, n, s->pigments[p].mixing);
        if (mix[p] == NULL) return MN_ERR_MEMORY;
    }
    k->patch = s->threads.weave_of, k->pigments = s->def.pigment_count, k->mix = mix;
    k->spread   = scaled(arena, tensor, n, s->def.spread);
    k->friction = s->def.friction > 0.0 ? scaled(arena, tensor, n, s->def.friction) : NULL;
    return k->spread != NULL && (k->friction != NULL || !(s->def.friction > 0.0)) ? MN_OK : MN_ERR_MEMORY;
}

// --- stretching ------------------------------------------------------------------------------------------------------

/// The tensors at positions x, for a film that exists.
static mn_status tensors_at(const mn_stained_cloth *s, const mn_vec3 *x, mn_stain_film_def *out, mn_arena *arena)
{
    *out                = mn_stain_film_def_default();
    out->vertex_count   = s->film->surface->vertex_count;
    out->triangle_count = s->film->surface->triangle_count;
    out->x              = x;
    out->triangle       = (const int32_t(*)[3])s->film->surface->triangle;
    return mn_stain_threads_tensors(s, out, arena);
}

mn_status mn_stain_threads_follow(mn_stained_cloth *s, mn_arena *arena)
{
    mn_stain_film    *f = s->film;
    mn_stain_film_def tensors;
    if (f->model == NULL) MN_TRY(mn_stain_threads_restore(s, arena));  // a step before this one failed half-way
    if (mn_stain_film_strain(f, f->x[1]) <= MN_STAIN_STRETCH) return MN_OK;
    mn_vec3 *before = mn_arena_array(arena, mn_vec3, f->surface->vertex_count);
    if (before == NULL) return MN_ERR_MEMORY;
    for (int64_t v = 0; v < f->surface->vertex_count; v++) before[v] = f->x[0][v];
    MN_TRY(tensors_at(s, f->x[1], &tensors, arena));
    MN_TRY(mn_stain_film_stretch(f, f->x[1], &tensors));
    return mn_stain_film_place(f, before, f->x[1]);
}

mn_status mn_stain_threads_restore(mn_stained_cloth *s, mn_arena *arena)
{
    mn_stain_film_def tensors;
    if (mn_stain_film_is_stale(s->film)) {
        MN_TRY(tensors_at(s, s->film->measured, &tensors, arena));
        MN_TRY(mn_stain_film_remeasure(s->film, &tensors));
    }
    return mn_stain_film_loaded(s->film);
}
