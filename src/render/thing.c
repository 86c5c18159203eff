// SPDX-License-Identifier: MPL-2.0
// render/thing.c - bodies from parts: places, smooth normals, colours, wetness.
#include "render/thing.h"

#include "draw/colormap.h"
#include "draw/colour.h"
#include "render/normals.h"

#include <string.h>

/// Edges of solids turned by more than this (rad) stay sharp.
#define CREASE 0.7f
/// Radius of a curve or drop of which nothing is said, as a share of the size of its part.
#define THIN 2e-3f

// ---- fields --------------------------------------------------------------------------------------------------------

static const mn_frame_array *field_array(const mn_frame_part *part, const char *name)
{
    const mn_frame_array *a = mn_frame_array_find(part, name);
    return a == NULL && strcmp(name, "speed") == 0 ? mn_frame_array_find(part, "velocity") : a;
}

bool mn_field_has(const mn_frame_part *part, const char *name) { return field_array(part, name) != NULL; }

/// All pigments at a point of stained cloth: what the part has besides the liquid, the colour and the number of the
/// stain.
static double pigments_at(const mn_frame_part *part, int64_t i)
{
    double sum = 0.0;
    for (int k = 0; k < part->array_count; k++) {
        const mn_frame_array *a      = &part->arrays[k];
        const bool            liquid = strcmp(a->name, "wetness") == 0 || strcmp(a->name, "film") == 0;
        if (a->components == 1 && !liquid && strcmp(a->name, "stain") != 0) sum += mn_shown_value(a, i, 0);
    }
    return sum;
}

double mn_field_value(const mn_frame_part *part, const char *name, int64_t i)
{
    if (strcmp(name, "stain") == 0 && part->look == MN_LOOK_STAIN) return pigments_at(part, i);
    const mn_frame_array *a = field_array(part, name);
    if (a == NULL) return NAN;
    if (a->components == 1) return mn_shown_value(a, i, 0);
    double sum = 0.0;
    for (int k = 0; k < a->components; k++) sum += mn_shown_value(a, i, k) * mn_shown_value(a, i, k);
    return sqrt(sum);
}

static bool shows_field(const mn_frame_part *part, const mn_field_choice *field)
{
    return field != NULL && field->name != NULL && mn_field_has(part, field->name);
}

// ---- which parts ---------------------------------------------------------------------------------------------------

static bool is_skin(const mn_frame_part *p) { return p->look == MN_LOOK_LIQUID && p->kind == MN_CELLS_TRIANGLES; }

/// Whether there is no need of p beside q.
static bool stands_in(const mn_frame_part *p, const mn_frame_part *q)
{
    if (p->look == MN_LOOK_SPRAY) return is_skin(q);
    return p->look == MN_LOOK_FIBRE && p->kind == MN_CELLS_TRIANGLES && q->look == p->look && q->kind == MN_CELLS_LINES;
}

bool mn_part_is_shown(const mn_frame_part *parts, int count, int which)
{
    const mn_frame_part *p     = &parts[which];
    bool                 shown = p->look != MN_LOOK_LIQUID || p->kind != MN_CELLS_LINES;  // there particles tell more
    for (int k = 0; k < count; k++) shown = shown && !stands_in(p, &parts[k]);
    return shown;
}

static mn_finish finish_of(const mn_frame_part *p)
{
    static const mn_finish finishes[] = {
        [MN_LOOK_SOLID] = MN_FINISH_SOLID, [MN_LOOK_LIQUID] = MN_FINISH_LIQUID, [MN_LOOK_SPRAY] = MN_FINISH_PAINT,
        [MN_LOOK_CLOTH] = MN_FINISH_CLOTH, [MN_LOOK_FIBRE] = MN_FINISH_YARN,    [MN_LOOK_STAIN] = MN_FINISH_CLOTH,
    };
    _Static_assert(sizeof finishes / sizeof *finishes == MN_LOOK_COUNT, "every look has a finish");
    return p->kind == MN_CELLS_LINES ? MN_FINISH_YARN : finishes[p->look];
}

// ---- colours -------------------------------------------------------------------------------------------------------

/// Reflectances of the first things of a kind, linear light.
static const mn_f3 cloth_colors[] = {
    { 0.58f, 0.50f, 0.41f }, { 0.17f, 0.31f, 0.47f }, { 0.62f, 0.25f, 0.16f }, { 0.42f, 0.50f, 0.32f }
};
static const mn_f3 yarn_colors[] = {
    { 0.68f, 0.50f, 0.34f }, { 0.20f, 0.36f, 0.50f }, { 0.62f, 0.24f, 0.20f }, { 0.70f, 0.68f, 0.62f }
};
static const mn_f3 solid_colors[] = {
    { 0.42f, 0.41f, 0.40f }, { 0.40f, 0.36f, 0.32f }, { 0.32f, 0.37f, 0.42f }, { 0.44f, 0.46f, 0.38f }
};
static const mn_f3 plain_color = { 0.55f, 0.55f, 0.55f };
static const mn_f3 drop_color  = { 0.10f, 0.34f, 0.62f };

static mn_f3 own_color(const mn_frame_part *part, mn_finish finish, int64_t i)
{
    const mn_frame_array *owner = mn_frame_array_find(part, finish == MN_FINISH_SOLID ? "obstacle" : "fabric");
    const double          n     = owner != NULL ? mn_shown_value(owner, i, 0) : 0.0;
    const int             k     = n >= 0.0 && n < 1e9 ? (int)n % 4 : 0;
    if (finish == MN_FINISH_PAINT) return drop_color;
    return finish == MN_FINISH_CLOTH ? cloth_colors[k] : finish == MN_FINISH_YARN ? yarn_colors[k] : solid_colors[k];
}

/// A stain's colour is stored as sRGB codes.
static mn_f3 stored_color(const mn_frame_array *a, int64_t i)
{
    double c[3];
    for (int k = 0; k < 3; k++) c[k] = mn_srgb_decode(fmin(1.0, fmax(0.0, mn_shown_value(a, i, k))));
    return mn_f3_of((float)c[0], (float)c[1], (float)c[2]);
}

static mn_f3 field_color(const mn_frame_part *part, const mn_field_choice *field, int64_t i)
{
    const double x = mn_field_value(part, field->name, i);
    return isfinite(x) ? mn_colormap((x - field->low) / (field->high - field->low)) : plain_color;
}

static mn_f3 point_color(const mn_frame_part *part, const mn_field_choice *field, mn_finish finish, int64_t i)
{
    const mn_frame_array *stored = mn_frame_array_find(part, "color");
    if (shows_field(part, field)) return field_color(part, field, i);
    if (field != NULL && field->name != NULL) return plain_color;
    return stored != NULL && stored->components == 3 ? stored_color(stored, i) : own_color(part, finish, i);
}

/// How wet a point looks: saturation, or liquid on a stained cloth.
static float point_wet(const mn_frame_array *saturation, const mn_frame_array *wetness, int64_t i)
{
    const double x = saturation != NULL ? mn_shown_value(saturation, i, 0)
                     : wetness != NULL  ? mn_shown_value(wetness, i, 0) / MN_LOOKS_WET
                                        : 0.0;
    return x > 0.0 ? (float)fmin(1.0, x) : 0.0f;  // also if it is no number
}

// ---- bodies --------------------------------------------------------------------------------------------------------

static void put_point(float to[4], const mn_frame_part *part, int64_t i, float radius)
{
    for (int k = 0; k < 3; k++) to[k] = (float)mn_shown_value(&part->points, i, k);
    to[3] = radius;
}

static mn_status take_points(mn_context *c, mn_thing *t, int64_t count, bool color, bool wet)
{
    t->point_count = count;
    t->point       = mn_alloc(c, mn_array_bytes(count + 1, sizeof *t->point));  // the tracer reads beyond the last one
    t->color       = color ? mn_alloc_array(c, mn_f3, count) : NULL;
    t->wet         = wet ? mn_alloc_array(c, float, count) : NULL;
    t->darkens     = true;
    return t->point != NULL && (!color || t->color != NULL) && (!wet || t->wet != NULL) ? MN_OK : MN_ERR_MEMORY;
}

static bool is_wettable(const mn_frame_part *part)
{
    return mn_frame_array_find(part, "saturation") != NULL || mn_frame_array_find(part, "wetness") != NULL;
}

/// Colour and wetness of point n of the thing, which is point i of the part.
static void put_look(mn_thing *t, int64_t n, const mn_frame_part *part, const mn_field_choice *field, int64_t i)
{
    if (t->color != NULL) t->color[n] = point_color(part, field, t->finish, i);
    if (t->wet != NULL)
        t->wet[n] = point_wet(mn_frame_array_find(part, "saturation"), mn_frame_array_find(part, "wetness"), i);
}

/// What pigments in a clear liquid absorb at its points; of drops `keep` says which.
static mn_status take_dyes(mn_context *c, const mn_frame_part *part, const bool *keep, const mn_dyes *dyes, mn_thing *t)
{
    for (int k = 0; t->finish == MN_FINISH_LIQUID && dyes != NULL && k < dyes->count; k++) {
        const mn_frame_array *a = mn_frame_array_find(part, dyes->dye[k].name);
        if (a == NULL || a->components != 1) continue;
        if (t->absorbs == NULL) t->absorbs = mn_alloc_array(c, mn_f3, t->point_count);
        if (t->absorbs == NULL) return MN_ERR_MEMORY;
        for (int64_t i = 0, n = 0; i < part->point_count; i++) {
            if (keep != NULL && !keep[i]) continue;
            const double amount = mn_shown_value(a, i, 0);
            if (amount > 0.0 && isfinite(amount))
                t->absorbs[n] = mn_f3_along(t->absorbs[n], (float)amount, dyes->dye[k].absorbs);
            n++;
        }
    }
    return MN_OK;
}

static mn_status make_triangles(mn_context *c, const mn_frame_part *part, mn_paint paint, mn_thing *t)
{
    const mn_field_choice *field = paint.field;
    const int64_t          n     = part->cell_count;
    if (n == 0) return MN_OK;
    // A clear liquid has no colour of its own; one that shows a field is painted with it.
    if (t->finish == MN_FINISH_LIQUID && shows_field(part, field)) t->finish = MN_FINISH_PAINT;
    MN_TRY(take_points(c, t, part->point_count, t->finish != MN_FINISH_LIQUID, is_wettable(part)));
    t->by_corner = t->finish == MN_FINISH_SOLID;
    t->index     = mn_alloc_array(c, uint32_t, 3 * n);
    t->normal    = mn_alloc_array(c, mn_f3, t->by_corner ? 3 * n : part->point_count);
    if (t->index == NULL || t->normal == NULL) return MN_ERR_MEMORY;
    for (int64_t i = 0; i < part->point_count; i++) {
        put_point(t->point[i], part, i, 0.0f);
        put_look(t, i, part, field, i);
    }
    // The colour of a stain is already that of the wet cloth, and a field must match its legend.
    t->darkens = mn_frame_array_find(part, "color") == NULL && (field == NULL || field->name == NULL);
    for (int64_t k = 0; k < 3 * n; k++) t->index[k] = (uint32_t)part->cells[k];
    t->primitive_count = n;
    MN_TRY(take_dyes(c, part, NULL, paint.dyes, t));
    if (t->by_corner)
        return mn_normals_creased(c, t->point_count, (const float(*)[4])t->point, n, t->index, CREASE, t->normal);
    mn_normals_smooth(t->point_count, (const float(*)[4])t->point, n, t->index, t->normal);
    return MN_OK;
}

static float part_size(const mn_frame_part *part)
{
    mn_box_f box = mn_box_f_empty();
    for (int64_t i = 0; i < part->point_count; i++) {
        float p[4];
        put_point(p, part, i, 0.0f);
        mn_box_f_add(&box, mn_f3_of(p[0], p[1], p[2]));
    }
    return part->point_count > 0 ? 2.0f * mn_box_f_radius(box) : 0.0f;
}

/// A polyline of n points as Catmull and Rom's curve, which goes through all of them: one more control point at each
/// end, the mirror image of the second, or for a closed line the ones across the seam.
static void add_curve(mn_thing *t, const mn_frame_part *part, const mn_field_choice *field, const int32_t *corner,
                      int64_t n, const mn_frame_array *radius, float otherwise)
{
    const bool    closed = n > 3 && corner[0] == corner[n - 1];
    const int64_t first  = t->point_count;
    for (int64_t k = -1; k <= n; k++) {
        const int64_t at = k < 0 ? (closed ? n - 2 : 0) : k == n ? (closed ? 1 : n - 1) : k;
        const double  r  = radius != NULL ? mn_shown_value(radius, corner[at], 0) : 0.0;
        put_point(t->point[t->point_count], part, corner[at], r > 0.0 && isfinite(r) ? (float)r : otherwise);
        put_look(t, t->point_count++, part, field, corner[at]);
    }
    for (int a = 0; !closed && a < 3; a++) {
        t->point[first][a]              = 2.0f * t->point[first + 1][a] - t->point[first + 2][a];
        t->point[t->point_count - 1][a] = 2.0f * t->point[t->point_count - 2][a] - t->point[t->point_count - 3][a];
    }
    for (int64_t k = first + 1; k < t->point_count; k++) {
        const mn_f3 step = mn_f3_sub(mn_f3_of(t->point[k][0], t->point[k][1], t->point[k][2]),
                                     mn_f3_of(t->point[k - 1][0], t->point[k - 1][1], t->point[k - 1][2]));
        t->along[k]      = t->along[k - 1] + mn_f3_norm(step) / mn_maxf(t->point[k][3], 1e-12f);
    }
    for (int64_t k = 0; k + 1 < n; k++) t->index[t->primitive_count++] = (uint32_t)(first + k);
}

static mn_status make_curves(mn_context *c, const mn_frame_part *part, const mn_field_choice *field, mn_thing *t)
{
    const int64_t corners = part->ends != NULL ? (part->cell_count > 0 ? part->ends[part->cell_count - 1] : 0)
                                               : 2 * part->cell_count;
    if (corners == 0) return MN_OK;
    MN_TRY(take_points(c, t, corners + 2 * part->cell_count, true, is_wettable(part)));
    t->index = mn_alloc_array(c, uint32_t, corners);
    t->along = mn_alloc_array(c, float, t->point_count);
    if (t->index == NULL || t->along == NULL) return MN_ERR_MEMORY;
    t->kind               = MN_THING_CURVES;
    t->point_count        = 0;
    t->darkens            = field == NULL || field->name == NULL;
    const float otherwise = THIN * part_size(part);
    int64_t     begin     = 0;
    for (int64_t k = 0; k < part->cell_count; k++) {
        const int64_t end = part->ends != NULL ? part->ends[k] : 2 * (k + 1);
        add_curve(t, part, field, part->cells + begin, end - begin, mn_frame_array_find(part, "radius"), otherwise);
        begin = end;
    }
    return MN_OK;
}

mn_status mn_thing_drops(mn_context *c, const mn_frame_part *part, const bool *keep, mn_paint paint, mn_finish finish,
                         mn_thing *t)
{
    const mn_field_choice *field = paint.field;
    *t = (mn_thing){ .finish = shows_field(part, field) ? MN_FINISH_PAINT : finish, .kind = MN_THING_SPHERES };
    int64_t count = 0;
    for (int64_t i = 0; i < part->point_count; i++) count += keep == NULL || keep[i];
    if (count == 0) return MN_OK;
    MN_TRY(take_points(c, t, count, t->finish != MN_FINISH_LIQUID, false));
    const mn_frame_array *volume    = mn_frame_array_find(part, "volume");
    const float           otherwise = 2.0f * THIN * part_size(part);
    t->primitive_count              = count;
    for (int64_t i = 0, n = 0; i < part->point_count; i++) {
        if (keep != NULL && !keep[i]) continue;
        const double v = volume != NULL ? mn_shown_value(volume, i, 0) : 0.0;
        put_point(t->point[n], part, i, v > 0.0 && isfinite(v) ? (float)cbrt(v * 0.75 / 3.14159265358979) : otherwise);
        put_look(t, n++, part, field, i);
    }
    return take_dyes(c, part, keep, paint.dyes, t);
}

mn_status mn_thing_make(mn_context *c, const mn_frame_part *part, mn_paint paint, mn_thing *out)
{
    if (part->kind == MN_CELLS_VERTICES) return mn_thing_drops(c, part, NULL, paint, MN_FINISH_PAINT, out);
    *out = (mn_thing){ .finish = finish_of(part), .kind = MN_THING_TRIANGLES };
    return part->kind == MN_CELLS_LINES ? make_curves(c, part, paint.field, out) : make_triangles(c, part, paint, out);
}

void mn_thing_free(mn_context *c, mn_thing *t)
{
    void *const blocks[] = { t->point, t->index, t->normal, t->color, t->wet, t->along, t->absorbs };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) mn_free(c, blocks[k]);
    *t = (mn_thing){ .point_count = 0 };
}
