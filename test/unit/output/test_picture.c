// SPDX-License-Identifier: MPL-2.0
// Pictures: valid PNGs of the wanted size, liquid where the particles are, same bytes for any number of threads.
#include "testing.h"

#include "base/context.h"
#include "base/random.h"
#include "base/timer.h"
#include "geom/isosurface.h"
#include "output/picture.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct drops { double *x, *y, *z, *vx, *vy, *vz, *volume; int64_t count; } drops;

/// A dam-break-like heap: a block of liquid with a tongue and some spray.
static drops make_drops(int64_t count, double depth)
{
    drops d = { .count = count };
    double **arrays[] = { &d.x, &d.y, &d.z, &d.vx, &d.vy, &d.vz, &d.volume };
    for (int k = 0; k < 7; k++) *arrays[k] = calloc((size_t)count, sizeof(double));
    int64_t i = 0;
    for (uint64_t trial = 0; i < count; trial++) {              // evenly spread below the surface
        const double a = mn_random(1, trial, 0, 0), y = 16.0 * mn_random(1, trial, 1, 0), z = mn_random(1, trial, 2, 0);
        const double top = 14.0 * exp(-3.0 * a) + 1.2 + 0.4 * sin(20.0 * a + 7.0 * z);
        const bool   spray = trial % 2000 == 0;
        if (y > top && !spray) continue;
        d.x[i] = 30.0 * a, d.y[i] = y, d.z[i] = depth * z;
        d.vx[i]     = 160.0 * a * a;
        d.volume[i] = 30.0 * 5.6 * depth / (double)count;
        i++;
    }
    return d;
}

static void free_drops(drops *d)
{
    double *arrays[] = { d->x, d->y, d->z, d->vx, d->vy, d->vz, d->volume };
    for (int k = 0; k < 7; k++) free(arrays[k]);
}

static mn_frame_part part_of(const drops *d, mn_frame_array arrays[2])
{
    arrays[0] = mn_frame_array_split("velocity", d->vx, d->vy, d->vz);
    arrays[1] = mn_frame_array_single("volume", MN_TYPE_double, d->volume);
    return (mn_frame_part){ .name = "particles", .points = mn_frame_array_split("", d->x, d->y, d->z), .point_count = d->count,
                            .kind = MN_CELLS_VERTICES, .arrays = arrays, .array_count = 2 };
}

static mn_picture_view view_3d(int width, int height)
{
    mn_world_def  world  = { .domain = { .dimension = 3, .up = 1, .bounded = true, .bounds = { { 0, 0, 0 }, { 30, 16, 12 } } } };
    mn_camera_def camera = { .angle = 0.61, .size = { width, height } };
    return mn_picture_view_of(&world, &camera);
}

/// Decode; three bytes a pixel, to be freed.
static unsigned char *decode(const mn_buffer *png, int width, int height)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    assert_int_equal(png_image_begin_read_from_memory(&image, png->data, png->bytes), 1);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    image.format         = PNG_FORMAT_RGB;
    unsigned char *pixel = malloc(PNG_IMAGE_SIZE(image));
    assert_int_equal(png_image_finish_read(&image, NULL, pixel, 0, NULL), 1);
    return pixel;
}

/// Set MN_PICTURES to a folder to look at what the tests draw.
static void keep(const mn_buffer *png, const char *name)
{
    const char *folder = getenv("MN_PICTURES");
    if (folder == NULL) return;
    char path[512];
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(png->data, 1, png->bytes, file), png->bytes);
    fclose(file);
}

static int bluish(const unsigned char *p)
{
    return p[2] > p[0] + 25;
}

static void a_picture_shows_liquid_and_solid_where_they_are(void **state)
{
    (void)state;
    mn_context   *c      = test_context(2);
    const int64_t before = mn_context_memory(c).blocks_now;
    // Full size only for someone who looks at it.
    const bool    shown  = getenv("MN_PICTURES") != NULL;
    const int     width = shown ? 960 : 240, height = width * 9 / 16, pixels = width * height;
    drops         d      = make_drops(shown ? 200000 : 20000, 12.0);
    mn_shape_def  def    = mn_shape_def_default(MN_SHAPE_CYLINDER);
    def.center[0] = 21.0, def.center[1] = 4.0, def.center[2] = 6.0, def.height = 8.0, def.radius[0] = 1.5;
    mn_shape *shape;
    mn_mesh   mesh;
    assert_int_equal(mn_shape_create(c, &def, &shape), MN_OK);
    assert_int_equal(mn_shape_surface(c, shape, mn_v3(19.5, 0, 4.5), mn_v3(22.5, 8, 7.5), 60, &mesh), MN_OK);
    mn_frame_array      arrays[2];
    const mn_frame_part parts[2] = { { .name = "obstacles", .points = mn_frame_array_packed("", MN_TYPE_double, 3, mesh.vertex),
                                       .point_count = mesh.vertex_count, .kind = MN_CELLS_TRIANGLES, .cells = mesh.triangle[0],
                                       .cell_count = mesh.triangle_count },
                                     part_of(&d, arrays) };
    const mn_picture_view view = view_3d(width, height);
    mn_buffer             png;
    mn_buffer_init(&png, c);
    const double begin = mn_seconds();
    assert_int_equal(mn_picture_make(c, &view, parts, 2, &png), MN_OK);
    if (shown) print_message("200000 particles, 960 x 540: %.3f s, %zu bytes\n", mn_seconds() - begin, png.bytes);
    keep(&png, "dam");
    unsigned char *pixel = decode(&png, width, height);
    int            blue = 0, brown = 0;
    for (int i = 0; i < pixels; i++) blue += bluish(pixel + 3 * i), brown += pixel[3 * i] > pixel[3 * i + 2] + 10;
    assert_true(blue > pixels / 20 && blue < pixels * 3 / 4);
    assert_true(brown > pixels / 400);
    assert_false(bluish(pixel + 3 * (width * (height - 1) + width / 2)));       // the floor in front
    free(pixel);
    mn_buffer_free(&png);
    mn_mesh_free(c, &mesh);
    mn_shape_release(&shape);
    free_drops(&d);
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_context_end(&c);
}

static void a_picture_has_the_same_bytes_for_any_number_of_threads(void **state)
{
    (void)state;
    drops     d = make_drops(5000, 12.0);
    mn_buffer first = { .data = NULL };
    mn_context *keeper = test_context(1);
    mn_buffer_init(&first, keeper);
    for (int threads = 1; threads <= 4; threads++) {
        mn_context           *c = test_context(threads);
        mn_frame_array        arrays[2];
        const mn_frame_part   part = part_of(&d, arrays);
        const mn_picture_view view = view_3d(160, 90);
        mn_buffer             png;
        mn_buffer_init(&png, c);
        assert_int_equal(mn_picture_make(c, &view, &part, 1, &png), MN_OK);
        if (threads == 1) mn_buffer_add(&first, png.data, png.bytes);
        assert_int_equal(png.bytes, first.bytes);
        assert_memory_equal(png.data, first.data, png.bytes);
        mn_buffer_free(&png);
        test_context_end(&c);
    }
    mn_buffer_free(&first);
    test_context_end(&keeper);
    free_drops(&d);
}

static void a_flat_world_fills_the_view(void **state)
{
    (void)state;
    mn_context    *c      = test_context(1);
    drops          d      = make_drops(20000, 1.0);
    mn_world_def   world  = { .domain = { .dimension = 2, .up = 1, .bounded = true, .bounds = { { 0, 0, 0 }, { 30, 16, 0 } } } };
    mn_camera_def  camera = { .angle = 0.61, .size = { 480, 270 } };
    const mn_picture_view view = mn_picture_view_of(&world, &camera);
    mn_frame_array        arrays[2];
    const mn_frame_part   part = part_of(&d, arrays);
    mn_buffer             png;
    mn_buffer_init(&png, c);
    assert_int_equal(mn_picture_make(c, &view, &part, 1, &png), MN_OK);
    keep(&png, "flat");
    unsigned char *pixel = decode(&png, 480, 270);
    // The bottom left of the world is liquid, the top right is not.
    const double   scale = fmin(480 / (1.04 * 30.0), 270 / (1.04 * 16.0));
    const int      left = (int)(240 - 14.0 * scale), low = (int)(135 + 7.0 * scale), right = (int)(240 + 14.0 * scale), high = (int)(135 - 7.0 * scale);
    assert_true(bluish(pixel + 3 * (480 * low + left)));
    assert_false(bluish(pixel + 3 * (480 * high + right)));
    free(pixel);
    mn_buffer_free(&png);
    free_drops(&d);
    test_context_end(&c);
}

static void empty_and_unbounded_worlds_make_pictures_too(void **state)
{
    (void)state;
    mn_context     *c    = test_context(1);
    mn_picture_view view = view_3d(64, 36);
    mn_frame_part   part = { .name = "particles", .points = mn_frame_array_split("", NULL, NULL, NULL), .kind = MN_CELLS_VERTICES };
    mn_buffer       png;
    mn_buffer_init(&png, c);
    for (int k = 0; k < 2; k++) {
        view.bounded = k == 0;
        mn_buffer_clear(&png);
        assert_int_equal(mn_picture_make(c, &view, &part, 1, &png), MN_OK);
        free(decode(&png, 64, 36));
    }
    double x = 1e3, y = -2.0, z = 5.0;                         // one particle far away, without volume or velocity
    part.points      = mn_frame_array_split("", &x, &y, &z);
    part.point_count = 1;
    mn_buffer_clear(&png);
    assert_int_equal(mn_picture_make(c, &view, &part, 1, &png), MN_OK);
    free(decode(&png, 64, 36));
    view.camera.size[0] = 0;
    assert_int_equal(mn_picture_make(c, &view, &part, 1, &png), MN_ERR_ARGUMENT);
    mn_buffer_free(&png);
    test_context_end(&c);
}

/// A ball, as the surface of a liquid; or the picture without it.
static void draw_ball(const mn_mesh *mesh, bool liquid, mn_buffer *png, mn_context *c)
{
    const mn_picture_view view   = view_3d(320, 180);
    double               *zero   = calloc((size_t)mesh->vertex_count * 3, sizeof(double));
    const mn_frame_array  speeds = mn_frame_array_packed("velocity", MN_TYPE_double, 3, zero);
    const mn_frame_part   part   = { .name = "surface", .points = mn_frame_array_packed("", MN_TYPE_double, 3, mesh->vertex), .point_count = mesh->vertex_count,
                           .kind = MN_CELLS_TRIANGLES, .cells = mesh->triangle[0], .cell_count = mesh->triangle_count, .arrays = &speeds, .array_count = 1 };
    assert_int_equal(mn_picture_make(c, &view, &part, liquid ? 1 : 0, png), MN_OK);
    free(zero);
}

static void a_surface_covers_its_silhouette(void **state)
{
    (void)state;
    mn_buffer png[3];
    mn_context *contexts[3];
    for (int k = 0; k < 3; k++) {
        mn_context *c   = contexts[k] = test_context(k == 1 ? 3 : 1);
        mn_shape_def def = mn_shape_def_default(MN_SHAPE_SPHERE);
        def.center[0] = 15.0, def.center[1] = 8.0, def.center[2] = 6.0, def.radius[0] = 5.0;
        mn_shape *shape;
        mn_mesh   mesh;
        assert_int_equal(mn_shape_create(c, &def, &shape), MN_OK);
        assert_int_equal(mn_shape_surface(c, shape, mn_v3(10, 3, 1), mn_v3(20, 13, 11), 40, &mesh), MN_OK);
        mn_buffer_init(&png[k], c);
        const int64_t blocks = mn_context_memory(c).blocks_now;
        draw_ball(&mesh, k < 2, &png[k], c);
        assert_true(mn_context_memory(c).blocks_now <= blocks + 1);          // the picture itself
        mn_mesh_free(c, &mesh);
        mn_shape_release(&shape);
    }
    keep(&png[0], "surface");
    assert_int_equal(png[0].bytes, png[1].bytes);
    assert_memory_equal(png[0].data, png[1].data, png[0].bytes);
    // Against the picture without it: changed is a full disc, as high as it is wide, without holes.
    unsigned char *with = decode(&png[0], 320, 180), *without = decode(&png[2], 320, 180);
    int            low = 180, high = -1, changed = 0;
    for (int y = 0; y < 180; y++) {
        int first = -1, last = -1, row = 0;
        for (int x = 0; x < 320; x++) {
            const unsigned char *a = with + 3 * (y * 320 + x), *b = without + 3 * (y * 320 + x);
            if (abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]) < 12 || !bluish(a)) continue;
            first = first < 0 ? x : first, last = x, row++;
        }
        changed += row;
        if (row > 4 && low > y) low = y;
        if (row > 4) high = y;
        if (row > 30) assert_true(row >= 0.97 * (last - first + 1));
    }
    const double across = high - low + 1;
    assert_true(across > 50.0 && across < 65.0);
    assert_near(changed / (MN_PI / 4.0 * across * across), 1.0, 0.06);
    free(with), free(without);
    for (int k = 0; k < 3; k++) {
        mn_buffer_free(&png[k]);
        test_context_end(&contexts[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_shows_liquid_and_solid_where_they_are),
        cmocka_unit_test(a_picture_has_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(a_flat_world_fills_the_view),
        cmocka_unit_test(a_surface_covers_its_silhouette),
        cmocka_unit_test(empty_and_unbounded_worlds_make_pictures_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
