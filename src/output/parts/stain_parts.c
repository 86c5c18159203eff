// SPDX-License-Identifier: MPL-2.0
// output/parts/stain_parts.c - stained cloths as triangles with colours.
#include "output/parts/stain_parts.h"

#include "base/memory.h"
#include "math/vec.h"
#include "output/parts/texture.h"

#include <stdio.h>
#include <string.h>

#define PIGMENT_ARRAYS (2 * MN_PIGMENTS_MOST)
#define FIXED_ARRAYS   5

typedef struct stain_parts {
    mn_context *context;
    mn_world   *world;
    int64_t     point_capacity, corner_capacity;
    double (*position)[3], (*normal)[3], (*color)[3];
    mn_colour     *linear;
    double        *wetness, *free;
    int32_t       *stain;
    double        *pigment[PIGMENT_ARRAYS];  // by name, over all stains
    int64_t        pigment_capacity[PIGMENT_ARRAYS];
    char           name[PIGMENT_ARRAYS][MN_NAME_BYTES];
    int            pigments;
    int32_t       *corner;
    mn_frame_array arrays[FIXED_ARRAYS + PIGMENT_ARRAYS];
} stain_parts;

static mn_status create(mn_context *c, mn_world *world, const mn_output_def *output, void **state)
{
    (void)output;
    if (mn_world_stain_count(world) == 0) return MN_OK;
    stain_parts *p = *state = mn_alloc(c, sizeof *p);
    if (p == NULL) return MN_ERR_MEMORY;
    p->context = c;
    p->world   = world;
    return MN_OK;
}

static void destroy(void **state)
{
    stain_parts *p = *state;
    if (p == NULL) return;
    void *const arrays[] = { p->position, p->normal, p->color, p->linear, p->wetness, p->free, p->stain, p->corner };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) mn_free(p->context, arrays[k]);
    for (int k = 0; k < PIGMENT_ARRAYS; k++) mn_free(p->context, p->pigment[k]);
    mn_free(p->context, p);
    *state = NULL;
}

/// Room for one more array of as many points; all share one capacity.
#define RESERVE(array)                                                                         \
    do {                                                                                       \
        int64_t capacity_ = p->point_capacity;                                                 \
        MN_TRY(mn_array_reserve(p->context, &p->array, &capacity_, points, sizeof *p->array)); \
        room = capacity_;                                                                      \
    } while (0)

static mn_status reserve(stain_parts *p, int64_t points, int64_t corners)
{
    int64_t room = p->point_capacity;
    RESERVE(position);
    RESERVE(normal);
    RESERVE(color);
    RESERVE(linear);
    RESERVE(wetness);
    RESERVE(free);
    RESERVE(stain);
    p->point_capacity = room;
    return mn_array_reserve(p->context, &p->corner, &p->corner_capacity, corners, sizeof *p->corner);
}

/// The array of a pigment's name, zero where it is new.
static mn_status find_pigment(stain_parts *p, const char *name, int64_t points, double **out)
{
    int k = 0;
    while (k < p->pigments && strcmp(p->name[k], name) != 0) k++;
    if (k == PIGMENT_ARRAYS)
        return mn_fail(p->context, MN_ERR_ARGUMENT, "more than %d pigments cannot be written to frames",
                       PIGMENT_ARRAYS);
    if (k == p->pigments) {
        MN_TRY(mn_array_reserve(p->context, &p->pigment[k], &p->pigment_capacity[k], points, sizeof *p->pigment[k]));
        memset(p->pigment[k], 0, (size_t)points * sizeof *p->pigment[k]);
        snprintf(p->name[k], sizeof p->name[k], "%s", name);
        p->pigments++;
    }
    *out = p->pigment[k];
    return MN_OK;
}

static void add_normals(stain_parts *p, const mn_stain_view *s, int64_t first)
{
    for (int64_t v = 0; v < s->vertex_count; v++) memset(p->normal[first + v], 0, sizeof *p->normal);
    for (int64_t t = 0; t < s->triangle_count; t++) {
        const mn_vec3 a = mn_v3_from(p->position[first + s->triangle[t][0]]),
                      b = mn_v3_from(p->position[first + s->triangle[t][1]]),
                      c = mn_v3_from(p->position[first + s->triangle[t][2]]),
                      n = mn_cross3(mn_sub3(b, a), mn_sub3(c, a));
        for (int k = 0; k < 3; k++) {
            double *sum = p->normal[first + s->triangle[t][k]];
            sum[0] += n.x, sum[1] += n.y, sum[2] += n.z;
        }
    }
    for (int64_t v = 0; v < s->vertex_count; v++) {
        const mn_vec3 n         = mn_unit3(mn_v3_from(p->normal[first + v]), mn_v3(0.0, 1.0, 0.0));
        p->normal[first + v][0] = n.x, p->normal[first + v][1] = n.y, p->normal[first + v][2] = n.z;
    }
}

void mn_stain_vertex_colours(const mn_stain_view *s, mn_colour *out)
{
    mn_colour        absorbance[MN_PIGMENTS_MOST];
    mn_stain_palette palette = { .cloth      = { s->cloth_colour[0], s->cloth_colour[1], s->cloth_colour[2] },
                                 .pigments   = s->pigment_count,
                                 .absorbance = absorbance };
    for (int k = 0; k < s->pigment_count; k++) {
        const double *a = s->pigments[k].absorbance;
        absorbance[k]   = (mn_colour){ MN_COLOUR_SQUARE_METRES * a[0], MN_COLOUR_SQUARE_METRES * a[1],
                                       MN_COLOUR_SQUARE_METRES * a[2] };
    }
    for (int64_t v = 0; v < s->vertex_count; v++) {
        double mass[MN_PIGMENTS_MOST];
        for (int k = 0; k < s->pigment_count; k++) mass[k] = mn_stain_view_pigment(s, k, v) / s->area[v];
        out[v] = mn_stain_colour(&palette, mass, fmin(1.0, (s->free[v] + s->held[v]) / s->area[v] / MN_LOOKS_WET));
    }
}

mn_status mn_stain_texture(mn_context *c, const mn_stain_view *s, mn_buffer *png)
{
    const mn_mesh_texture uv    = { s->texture_count, (double(*)[2])(uintptr_t)s->texture_at,
                                    (int32_t(*)[3])(uintptr_t)s->texture_corner };
    const mn_colour       cloth = { s->cloth_colour[0], s->cloth_colour[1], s->cloth_colour[2] };
    mn_texture            image;
    mn_colour            *colour = mn_alloc_array(c, mn_colour, s->vertex_count);
    if (colour == NULL) return MN_ERR_MEMORY;
    mn_stain_vertex_colours(s, colour);
    mn_status status = mn_texture_draw(c, &uv, s->triangle, s->triangle_count, colour, s->texture, cloth, &image);
    if (status == MN_OK) status = mn_texture_png(c, &image, png);
    mn_texture_free(c, &image);
    mn_free(c, colour);
    return status;
}

static mn_status add_densities(stain_parts *p, const mn_stain_view *s, int64_t first, int64_t points)
{
    double *density[MN_PIGMENTS_MOST];
    for (int k = 0; k < s->pigment_count; k++) MN_TRY(find_pigment(p, s->pigments[k].name, points, &density[k]));
    mn_stain_vertex_colours(s, p->linear + first);
    for (int64_t v = 0; v < s->vertex_count; v++) {
        for (int k = 0; k < s->pigment_count; k++) density[k][first + v] = mn_stain_view_pigment(s, k, v) / s->area[v];
        p->free[first + v]     = s->free[v] / s->area[v];
        p->wetness[first + v]  = (s->free[v] + s->held[v]) / s->area[v];
        const mn_colour c      = mn_colour_srgb(p->linear[first + v]);
        p->color[first + v][0] = c.r, p->color[first + v][1] = c.g, p->color[first + v][2] = c.b;
    }
    return MN_OK;
}

static void describe(stain_parts *p, int64_t points, int64_t triangles, mn_frame_part *out)
{
    int n          = 0;
    p->arrays[n++] = mn_frame_array_packed("color", MN_TYPE_double, 3, p->color);
    p->arrays[n++] = mn_frame_array_packed("normals", MN_TYPE_double, 3, p->normal);
    p->arrays[n++] = mn_frame_array_single("wetness", MN_TYPE_double, p->wetness);
    p->arrays[n++] = mn_frame_array_single("film", MN_TYPE_double, p->free);
    p->arrays[n++] = mn_frame_array_single("stain", MN_TYPE_int32_t, p->stain);
    for (int k = 0; k < p->pigments; k++)
        p->arrays[n++] = mn_frame_array_single(p->name[k], MN_TYPE_double, p->pigment[k]);
    *out        = (mn_frame_part){ .point_count = points,
                                   .kind        = MN_CELLS_TRIANGLES,
                                   .cells       = p->corner,
                                   .cell_count  = triangles,
                                   .arrays      = p->arrays,
                                   .array_count = n };
    out->points = mn_frame_array_packed("", MN_TYPE_double, 3, p->position);
}

mn_status mn_make_stains(void *state, mn_frame_part *out)
{
    stain_parts    *p      = state;
    const mn_world *world  = p->world;
    int64_t         points = 0, triangles = 0, point = 0, corner = 0;
    for (int k = 0; k < mn_world_stain_count(world); k++) {
        const mn_stain_view s = mn_world_stain(world, k);
        points += s.vertex_count;
        triangles += s.triangle_count;
    }
    MN_TRY(reserve(p, points, 3 * triangles));
    p->pigments = 0;
    for (int k = 0; k < mn_world_stain_count(world); k++) {
        const mn_stain_view s = mn_world_stain(world, k);
        MN_TRY(mn_world_stain_positions(world, k, p->position + point));
        for (int64_t v = 0; v < s.vertex_count; v++) p->stain[point + v] = k;
        add_normals(p, &s, point);
        MN_TRY(add_densities(p, &s, point, points));
        for (int64_t t = 0; t < s.triangle_count; t++)
            for (int i = 0; i < 3; i++) p->corner[corner++] = (int32_t)point + s.triangle[t][i];
        point += s.vertex_count;
    }
    describe(p, points, triangles, out);
    return MN_OK;
}

// ---- images --------------------------------------------------------------------------------------------------------

/// Images of the stains before number `stain`.
static int images_before(const stain_parts *p, int stain)
{
    int count = 0;
    for (int k = 0; k < stain; k++) count += mn_world_stain(p->world, k).texture > 0;
    return count;
}

static int image_count(const void *state)
{
    const stain_parts *p = state;
    return images_before(p, mn_world_stain_count(p->world));
}

static mn_status image(void *state, int image, char name[128], mn_buffer *png)
{
    stain_parts *p     = state;
    int          stain = 0;
    while (images_before(p, stain + 1) <= image) stain++;
    const mn_stain_view s = mn_world_stain(p->world, stain);
    snprintf(name, 128, "texture-%s", s.name);
    return mn_stain_texture(p->context, &s, png);
}

const mn_part_source mn_stain_source = {
    .create = create, .destroy = destroy, .image_count = image_count, .image = image
};
