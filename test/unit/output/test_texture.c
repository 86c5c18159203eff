// SPDX-License-Identifier: MPL-2.0
// Stains as textures: a quad of two triangles, its gutter, its PNG, and maps that cannot be drawn.
#include "testing.h"

#include "failing_memory.h"

#include "output/parts/texture.h"

#include <png.h>

#include <stdlib.h>
#include <string.h>

#define SIZE 64

static const int32_t         quad[2][3]    = { { 0, 1, 2 }, { 0, 2, 3 } };
static double                square[4][2]  = { { 0.25, 0.25 }, { 0.75, 0.25 }, { 0.75, 0.75 }, { 0.25, 0.75 } };
static int32_t               corners[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
static const mn_mesh_texture uv            = { .count = 4, .at = square, .corner = corners };
static const mn_colour       ramp[4] = { { 0.0, 0.2, 1.0 }, { 1.0, 0.2, 1.0 }, { 1.0, 0.8, 1.0 }, { 0.0, 0.8, 1.0 } };
static const mn_colour       paper   = { 0.5, 0.5, 0.5 };

static void a_quad_is_drawn_with_its_gutter(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_texture  t;
    assert_int_equal(mn_texture_draw(c, &uv, quad, 2, ramp, SIZE, paper, &t), MN_OK);
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            const float *p = t.pixel[y * SIZE + x];
            const double u = (x + 0.5) / SIZE, v = 1.0 - (y + 0.5) / SIZE;
            const int    dx = x < 16   ? 16 - x
                              : x > 47 ? x - 47
                                       : 0,
                      dy    = y < 16   ? 16 - y
                              : y > 47 ? y - 47
                                       : 0,
                      far   = dx > dy ? dx : dy;
            assert_int_equal(t.cover[y * SIZE + x], far > MN_TEXTURE_GUTTER ? 0 : far + 1);
            if (far == 0) {
                assert_near(p[0], 2.0 * (u - 0.25), 1e-6);
                assert_near(p[1], 0.2 + 1.2 * (v - 0.25), 1e-6);
                assert_near(p[2], 1.0, 1e-6);
            } else if (far > MN_TEXTURE_GUTTER) {
                assert_true(p[0] == 0.5f && p[1] == 0.5f && p[2] == 0.5f);
            } else {
                // Beside an edge the colour of the edge: no background has leaked in.
                assert_near(p[2], 1.0, 1e-6);
                assert_near(p[0], fmin(fmax(2.0 * (u - 0.25), 0.0), 1.0), 0.11);
            }
        }
    mn_texture_free(c, &t);
    test_context_end(&c);
}

static void the_png_holds_the_pixels(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_texture  t;
    mn_buffer   b;
    mn_buffer_init(&b, c);
    assert_int_equal(mn_texture_draw(c, &uv, quad, 2, ramp, SIZE, paper, &t), MN_OK);
    assert_int_equal(mn_texture_png(c, &t, &b), MN_OK);
    static unsigned char pixels[SIZE * SIZE * 3];
    png_image            image = { .version = PNG_IMAGE_VERSION };
    assert_true(png_image_begin_read_from_memory(&image, b.data, b.bytes));
    assert_true(image.width == SIZE && image.height == SIZE);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    for (int k = 0; k < SIZE * SIZE * 3; k++) assert_int_equal(pixels[k], mn_srgb_byte((double)t.pixel[k / 3][k % 3]));
    assert_int_equal(pixels[0], 188);  // 0.5 of linear light
    mn_texture_free(c, &t);
    mn_buffer_free(&b);
    test_context_end(&c);
}

static void threads_do_not_show(void **state)
{
    (void)state;
    mn_texture  t[2];
    mn_context *c[2];
    for (int k = 0; k < 2; k++) {
        c[k] = test_context(k + 1);
        assert_int_equal(mn_texture_draw(c[k], &uv, quad, 2, ramp, 300, paper, &t[k]), MN_OK);
    }
    assert_memory_equal(t[0].pixel, t[1].pixel, 300 * 300 * sizeof *t[0].pixel);
    for (int k = 0; k < 2; k++) {
        mn_texture_free(c[k], &t[k]);
        test_context_end(&c[k]);
    }
}

static void maps_that_cannot_be_drawn_get_a_sentence(void **state)
{
    (void)state;
    double          wide[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1.5 } };
    int32_t         none[2][3] = { { -1, -1, -1 }, { 0, -1, 2 } };
    mn_mesh_texture m          = { .count = 4, .at = wide, .corner = corners };
    mn_context     *c          = test_context(1);
    mn_texture      t;
    const int64_t   before = mn_context_memory(c).blocks_now;
    assert_int_equal(mn_texture_draw(c, &m, quad, 2, ramp, SIZE, paper, &t), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "triangle 2 (counted from 1) has the texture coordinates 0, 1.5"));
    assert_int_equal(mn_texture_draw(c, &uv, quad, 2, ramp, 8, paper, &t), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "16 to 8192"));
    assert_int_equal(mn_texture_draw(c, &(mn_mesh_texture){ 0 }, quad, 2, ramp, SIZE, paper, &t), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "no texture coordinates"));
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    m = (mn_mesh_texture){ .count = 4, .at = square, .corner = none };  // triangles without coordinates are left out
    assert_int_equal(mn_texture_draw(c, &m, quad, 2, ramp, SIZE, paper, &t), MN_OK);
    for (int k = 0; k < SIZE * SIZE; k++) assert_int_equal(t.cover[k], 0);
    mn_texture_free(c, &t);
    test_context_end(&c);
}

static void a_flat_sheet_maps_itself(void **state)
{
    (void)state;
    const double    lying[4][3] = { { -2, 7, 1 },
                                    { 2, 7, 1 },
                                    { 2, 7, -1 },
                                    { -2, 7, -1 } };  // corners anticlockwise seen from above
    mn_context     *c           = test_context(1);
    mn_mesh_texture m;
    assert_int_equal(mn_mesh_texture_flat(c, lying, 4, quad, 2, &m), MN_OK);
    const double expected[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 0.5 }, { 0, 0.5 } };
    assert_memory_equal(m.at, expected, sizeof expected);
    assert_memory_equal(m.corner, quad, sizeof quad);
    mn_mesh_texture_free(c, &m);
    const double point[1][3] = { { 1, 1, 1 } };
    assert_int_equal(mn_mesh_texture_flat(c, point, 1, quad, 0, &m), MN_ERR_ARGUMENT);
    test_context_end(&c);
}

static mn_status draw_texture(failing_memory *m, void *context)
{
    mn_texture t;
    mn_buffer  b;
    (void)m;
    mn_buffer_init(&b, context);
    mn_status status = mn_texture_draw(context, &uv, quad, 2, ramp, SIZE, paper, &t);
    if (status == MN_OK) status = mn_texture_png(context, &t, &b);
    mn_texture_free(context, &t);
    mn_buffer_free(&b);
    return status;
}

static void a_texture_survives_every_failing_allocation(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    mn_context    *c      = failing_context(&memory);
    assert_true(survives_every_failing_allocation(&memory, draw_texture, c, NULL) > 2);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quad_is_drawn_with_its_gutter),
        cmocka_unit_test(the_png_holds_the_pixels),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(maps_that_cannot_be_drawn_get_a_sentence),
        cmocka_unit_test(a_flat_sheet_maps_itself),
        cmocka_unit_test(a_texture_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
