// SPDX-License-Identifier: MPL-2.0
// Stains as images beside the frames of a run: their colours are those of the cloth, in the coordinates of its mesh.
#include "testing.h"

#include "unit/output/folder.h"

#include "output/parts/stain_parts.h"
#include "output/parts/texture.h"

#include <meniscus/meniscus.h>

#include <png.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE 128

static const char flat
    [] = "format: 1\ndomain: {cell: 0.5}\ntime: {end: 0.1, frame_rate: 20}\nmaterials: {ink: {kind: pigment, "
         "absorbance: [0.06, 0.05, 0.01]}}\n"
         "stains:\n  spot:\n    sheet: {size: [10, 10], spacing: 0.25}\n    rotate: {axis: [1, 0, 0.3], angle: 35}\n   "
         " pigments: [ink]\n    spread: 2\n"
         "    evaporation: {rate: 0}\n    texture: 128\n"
         "    drops: {one: {inside: {sphere: {center: [2, 0, 0], radius: 2}}, density: 0.05, solutes: {ink: 0.05}}}\n";

/// A tent of two squares that meet along z at x = 0; its two halves are apart in the image.
static const char mapped[] = "format: 1\ndomain: {cell: 0.5, gravity: [0, 0, 0]}\ntime: {end: 0.1, frame_rate: "
                             "20}\nmaterials: {ink: {kind: pigment, absorbance: [0.06, 0.05, 0.01]}}\n"
                             "stains:\n  spot:\n    mesh: {file: %s}\n    pigments: [ink]\n    spread: 2\n    "
                             "evaporation: {rate: 0}\n    texture: 128\n"
                             "    drops: {one: {inside: {sphere: {center: [0, 3, 0], radius: 2.5}}, density: 0.05, "
                             "solutes: {ink: 0.05}}}\n";

#define STEPS 12

/// The tent with (u, v) on the left or right half of the image; without coordinates if `textured` is false.
static void write_tent(const char *path, bool textured)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int i = 0; i <= 2 * STEPS; i++)
        for (int j = 0; j <= STEPS; j++) {
            const double x = 0.25 * (i - STEPS);
            fprintf(f, "v %.17g %.17g %.17g\n", x, 3.0 - fabs(x), 0.25 * (j - STEPS / 2));
        }
    // The ridge twice: each half has coordinates of its own.
    for (int half = 0; half < 2; half++)
        for (int i = 0; i <= STEPS; i++)
            for (int j = 0; j <= STEPS; j++)
                fprintf(f, "vt %.17g %.17g\n", (half == 0 ? 0.05 : 0.55) + 0.4 * i / STEPS, 0.1 + 0.8 * j / STEPS);
    for (int i = 0; i < 2 * STEPS; i++)
        for (int j = 0; j < STEPS; j++) {
            const int n = STEPS + 1, half = i / STEPS, at[4] = { 0, 1, n + 1, n };
            int       v[4], t[4];
            for (int k = 0; k < 4; k++)
                v[k] = i * n + j + at[k] + 1, t[k] = half * n * n + (i - half * STEPS) * n + j + at[k] + 1;
            if (textured) fprintf(f, "f %d/%d %d/%d %d/%d %d/%d\n", v[0], t[0], v[1], t[1], v[2], t[2], v[3], t[3]);
            else fprintf(f, "f %d %d %d %d\n", v[0], v[1], v[2], v[3]);
        }
    assert_int_equal(fclose(f), 0);
}

static mn_world *build(mn_context *c, const char *text, mn_status expected)
{
    mn_scene_source source = { .text = text, .bytes = strlen(text) };
    mn_scene       *scene  = NULL;
    mn_world       *w      = NULL;
    if (mn_scene_load(c, &source, &scene) != MN_OK) fail_msg("%s", mn_context_error(c));
    const mn_status status = mn_scene_build(scene, &w);
    if (status != expected) fail_msg("%s", mn_context_error(c));
    mn_scene_destroy(&scene);
    return w;
}

static void decode(const void *data, size_t bytes, unsigned char pixels[SIZE * SIZE * 3])
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    assert_true(png_image_begin_read_from_memory(&image, data, bytes));
    assert_true(image.width == SIZE && image.height == SIZE);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
}

/// Where a pixel is: inside of a triangle of the image, by the same triangles.
static void find_cover(const mn_stain_view *s, uint8_t cover[SIZE * SIZE])
{
    memset(cover, 0, SIZE * SIZE);
    for (int64_t t = 0; t < s->triangle_count; t++) {
        const double *a = s->texture_at[s->texture_corner[t][0]], *b = s->texture_at[s->texture_corner[t][1]],
                     *d   = s->texture_at[s->texture_corner[t][2]];
        const double area = (b[0] - a[0]) * (d[1] - a[1]) - (d[0] - a[0]) * (b[1] - a[1]);
        for (int k = 0; k < SIZE * SIZE; k++) {
            const double u = (k % SIZE + 0.5) / SIZE, v = 1.0 - (k / SIZE + 0.5) / SIZE;
            const double p = ((b[0] - u) * (d[1] - v) - (d[0] - u) * (b[1] - v)) / area,
                         q = ((d[0] - u) * (a[1] - v) - (a[0] - u) * (d[1] - v)) / area;
            if (p >= -1e-9 && q >= -1e-9 && p + q <= 1.0 + 1e-9) cover[k] = 1;
        }
    }
}

/// The mean colour of the image inside of the cloth is the mean over the area of the cloth (its maps keep areas).
static void compare_means(const mn_stain_view *s, const unsigned char *pixels)
{
    static uint8_t cover[SIZE * SIZE];
    mn_colour     *colour   = malloc((size_t)s->vertex_count * sizeof *colour);
    double         cloth[3] = { 0.0 }, image[3] = { 0.0 }, area = 0.0, spread = 0.0;
    int64_t        inside = 0;
    mn_stain_vertex_colours(s, colour);
    find_cover(s, cover);
    for (int64_t v = 0; v < s->vertex_count; v++) {
        const double own[3] = { colour[v].r, colour[v].g, colour[v].b };
        for (int a = 0; a < 3; a++) cloth[a] += s->area[v] * own[a];
        area += s->area[v], spread = fmax(spread, 0.9 - own[0]);
    }
    for (int k = 0; k < SIZE * SIZE; k++) {
        if (!cover[k]) continue;
        inside++;
        for (int a = 0; a < 3; a++) {
            const double byte = pixels[3 * k + a] / 255.0;
            image[a] += byte <= 0.04045 ? byte / 12.92 : pow((byte + 0.055) / 1.055, 2.4);
        }
    }
    assert_less(0.2, spread);  // there is something to see
    for (int a = 0; a < 3; a++) assert_near(image[a] / (double)inside, cloth[a] / area, 0.01);
    free(colour);
}

/// Beside the cloth stands the colour of its rim, not the background: pixels at the seam of the tent are as dark as its
/// ridge.
static void check_gutter(const unsigned char *pixels)
{
    const int row = SIZE / 2, rim = (int)(0.45 * SIZE - 0.5);  // last pixel of the left half in the middle row
    const int own = pixels[3 * (row * SIZE + rim)];
    assert_true(own < 150);  // the stain is there
    for (int k = 1; k <= MN_TEXTURE_GUTTER; k++) assert_true(abs(pixels[3 * (row * SIZE + rim + k)] - own) < 12);
    assert_true(pixels[3 * (row * SIZE + SIZE / 2)] > 230);  // beyond it the dry cloth
}

static void images_have_the_colours_of_the_cloth(void **state)
{
    (void)state;
    static unsigned char pixels[SIZE * SIZE * 3];
    char                 text[1024];
    mn_context          *c = test_context(1);
    mn_buffer            b, again;
    mn_buffer_init(&b, c);
    mn_buffer_init(&again, c);
    write_tent("texture-tent.obj", true);
    snprintf(text, sizeof text, mapped, "texture-tent.obj");
    for (int k = 0; k < 2; k++) {
        mn_world *w = build(c, k == 0 ? flat : text, MN_OK);
        while (mn_world_time(w) < 0.1) assert_int_equal(mn_world_step(w, 0.1), MN_OK);
        const mn_stain_view s = mn_world_stain(w, 0);
        b.bytes = again.bytes = 0;
        assert_int_equal(mn_stain_texture(c, &s, &b), MN_OK);
        assert_int_equal(mn_stain_texture(c, &s, &again), MN_OK);
        assert_true(b.bytes == again.bytes && memcmp(b.data, again.data, b.bytes) == 0);
        decode(b.data, b.bytes, pixels);
        compare_means(&s, pixels);
        if (k == 1) check_gutter(pixels);
        mn_world_destroy(&w);
    }
    unlink("texture-tent.obj");
    mn_buffer_free(&b);
    mn_buffer_free(&again);
    test_context_end(&c);
}

static void meshes_without_coordinates_are_refused(void **state)
{
    (void)state;
    char        text[1024];
    mn_context *c = test_context(1);
    write_tent("texture-plain.obj", false);
    snprintf(text, sizeof text, mapped, "texture-plain.obj");
    assert_null(build(c, text, MN_ERR_SCENE));
    assert_non_null(strstr(mn_context_error(c), "stain 'spot' cannot be drawn as a texture"));
    assert_non_null(strstr(mn_context_error(c), "no texture coordinates (vt of OBJ), and it is not flat"));
    unlink("texture-plain.obj");
    const char *small = "stains: {s: {sheet: {size: [4, 4], spacing: 1}, texture: 7}}";
    assert_int_equal(mn_scene_load(c, &(mn_scene_source){ .text = small, .bytes = strlen(small) },
                                   &(mn_scene *){ NULL }),
                     MN_ERR_SCENE);
    assert_non_null(strstr(mn_context_error(c), ":1:58: 'texture' must be 0 or from 16 to 8192, not 7"));
    test_context_end(&c);
}

static void a_run_writes_one_image_a_frame(void **state)
{
    (void)state;
    static unsigned char pixels[SIZE * SIZE * 3];
    char                 out[64], path[128];
    test_folder(out);
    mn_context     *c      = test_context(1);
    mn_scene_source source = { .text = flat, .bytes = strlen(flat) };
    mn_scene       *scene  = NULL;
    mn_run         *run    = NULL;
    mn_run_def      def    = mn_run_def_default();
    snprintf(path, sizeof path, "%s/run", out);
    def.out = path;
    assert_int_equal(mn_scene_load(c, &source, &scene), MN_OK);
    if (mn_run_create(c, scene, &def, &run) != MN_OK) fail_msg("%s", mn_context_error(c));
    assert_int_equal(mn_run_advance(run), MN_OK);
    assert_int_equal(mn_run_destroy(&run), MN_OK);
    for (int k = 0; k <= 2; k++) {
        char                 name[192];
        static unsigned char data[1 << 20];
        snprintf(name, sizeof name, "%s/frames/texture-spot.%06d.png", path, k);
        FILE *f = fopen(name, "rb");
        assert_non_null(f);
        const size_t bytes = fread(data, 1, sizeof data, f);
        fclose(f);
        decode(data, bytes, pixels);
    }
    mn_scene_destroy(&scene);
    test_context_end(&c);
    test_folder_remove(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_have_the_colours_of_the_cloth),
        cmocka_unit_test(meshes_without_coordinates_are_refused),
        cmocka_unit_test(a_run_writes_one_image_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
