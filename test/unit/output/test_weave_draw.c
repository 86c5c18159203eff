// SPDX-License-Identifier: MPL-2.0
// Drawings of weaves: what is in the SVG, where the ellipse is in the PNG, and names that are refused.
#include "failing_memory.h"

#include "base/memory.h"
#include "meniscus/weave.h"

#include <png.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SVG "weave-draw-test.svg"
#define PNG "weave-draw-test.png"

static void make(mn_context *c, const char *words, mn_weave_tile *tile, mn_weave_result *r)
{
    const mn_weave_def def = mn_weave_def_default();
    if (mn_weave_tile_make(c, words, false, tile) != MN_OK || mn_weave_homogenise(c, tile, &def, r) != MN_OK)
        fail_msg("%s", mn_context_error(c));
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) count++;
    return count;
}

static void the_svg_has_every_cell_and_the_ellipse(void **state)
{
    (void)state;
    static char     text[200000];
    mn_context     *c = test_context(1);
    mn_weave_tile   tile;
    mn_weave_result r;
    make(c, "knit", &tile, &r);
    assert_int_equal(mn_weave_draw(c, &tile, &r, SVG), MN_OK);
    FILE *f = fopen(SVG, "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    unlink(SVG);
    assert_int_equal(count_of(text, "<rect"), 4 * 16 + 2);  // four tiles, paper, frame
    assert_int_equal(count_of(text, "#2b292e"), 4 * 6);     // gaps
    assert_non_null(strstr(text, "rotate(-90.0000)"));      // the warp is the longer axis
    assert_non_null(strstr(text, "</svg>"));
    double rx, ry;
    assert_int_equal(sscanf(strstr(text, "<ellipse"), "<ellipse rx=\"%lf\" ry=\"%lf\"", &rx, &ry), 2);
    assert_near(rx / ry, sqrt(r.principal[0] / r.principal[1]), 1e-3);
    mn_weave_tile_free(c, &tile);
    test_context_end(&c);
}

static void the_png_shows_the_same(void **state)
{
    (void)state;
    static unsigned char pixels[600 * 600 * 3];
    mn_context          *c          = test_context(1);
    mn_tensor2           stripes[2] = { { 1, 0, 1 }, { 100, 0, 100 } };
    const mn_weave_tile  tile       = { .columns = 2, .rows = 1, .tensor = stripes };
    const mn_weave_def   def        = mn_weave_def_default();
    mn_weave_result      r;
    assert_int_equal(mn_weave_homogenise(c, &tile, &def, &r), MN_OK);
    assert_int_equal(mn_weave_draw(c, &tile, &r, PNG), MN_OK);
    png_image image = { .version = PNG_IMAGE_VERSION };
    assert_true(png_image_begin_read_from_file(&image, PNG));
    assert_true(image.width == 512 && image.height == 272);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    unlink(PNG);
    const int half     = (int)(0.45 * 240.0),
              thin     = (int)(0.45 * 240.0 / sqrt(50.5 / (200.0 / 101.0)) + 0.5);  // along the columns, across them
    const int at[3][2] = { { 256, 136 - half }, { 256 + thin, 136 }, { 256 - thin, 136 } };
    for (int k = 0; k < 3; k++) {
        const unsigned char *p = pixels + 3 * (at[k][1] * 512 + at[k][0]);
        if (!(p[0] > 150 && p[1] < 110))
            fail_msg("pixel %d, %d is %d %d %d and not of the ellipse", at[k][0], at[k][1], p[0], p[1], p[2]);
    }
    assert_int_equal(pixels[0], 255);  // paper
    test_context_end(&c);
}

static void wrong_names_get_a_sentence(void **state)
{
    (void)state;
    mn_context     *c = test_context(1);
    mn_weave_tile   tile;
    mn_weave_result r;
    make(c, "plain", &tile, &r);
    assert_int_equal(mn_weave_draw(c, &tile, &r, "weave.gif"), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), ".svg or .png"));
    assert_int_equal(mn_weave_draw(c, &tile, &r, "no-such-folder/weave.svg"), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "no-such-folder"));
    r.principal[1] = 0.0;
    assert_int_equal(mn_weave_draw(c, &tile, &r, SVG), MN_ERR_ARGUMENT);
    mn_weave_tile_free(c, &tile);
    test_context_end(&c);
}

typedef struct drawing {
    mn_context     *context;
    mn_weave_tile   tile;
    mn_weave_result result;
    const char     *name;
} drawing;

static mn_status draw(failing_memory *m, void *user)
{
    const drawing *d = user;
    (void)m;
    return mn_weave_draw(d->context, &d->tile, &d->result, d->name);
}

static void a_drawing_survives_every_failing_allocation(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    drawing        d      = { .context = failing_context(&memory) };
    make(d.context, "plain", &d.tile, &d.result);
    static const char *const names[] = { SVG, PNG };
    for (int k = 0; k < 2; k++) {
        d.name = names[k];
        assert_true(survives_every_failing_allocation(&memory, draw, &d, NULL) > 0);
        unlink(names[k]);
    }
    mn_weave_tile_free(d.context, &d.tile);
    test_context_end(&d.context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_svg_has_every_cell_and_the_ellipse),
        cmocka_unit_test(the_png_shows_the_same),
        cmocka_unit_test(wrong_names_get_a_sentence),
        cmocka_unit_test(a_drawing_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
