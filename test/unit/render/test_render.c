// SPDX-License-Identifier: MPL-2.0
// Whole pictures: furnaces, where the answer is 1 everywhere, and runs whose files are good, damaged or missing.
#include "testing.h"

#include "base/file.h"
#include "base/memory.h"
#include "failing_memory.h"
#include "render/normals.h"
#include "render/picture.h"
#include "unit/output/folder.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#define ACROSS 24
#define ROUND  16

/// A ball of radius 1 as a mesh with its outside outward.
typedef struct ball {
    float          point[ACROSS * (ROUND + 1)][3];
    int32_t        corner[6 * ACROSS * ROUND];
    float          saturation[ACROSS * (ROUND + 1)], velocity[ACROSS * (ROUND + 1)][3];
    mn_frame_array arrays[2];
} ball;

static void make_ball(ball *b, float x, float y, float z)
{
    for (int j = 0; j <= ROUND; j++)
        for (int i = 0; i < ACROSS; i++) {
            const float a = 6.2831853f * (float)i / ACROSS, t = 3.14159265f * (float)j / ROUND;
            const int   n  = j * ACROSS + i;
            b->point[n][0] = x + sinf(t) * cosf(a), b->point[n][1] = y + cosf(t),
            b->point[n][2]    = z - sinf(t) * sinf(a);
            b->saturation[n]  = (float)j / ROUND;
            b->velocity[n][0] = (float)i, b->velocity[n][1] = b->velocity[n][2] = 0.0f;
        }
    int32_t *c = b->corner;
    for (int j = 0; j < ROUND; j++)
        for (int i = 0; i < ACROSS; i++) {
            const int32_t p = j * ACROSS + i, q = j * ACROSS + (i + 1) % ACROSS, r = p + ACROSS, s = q + ACROSS;
            const int32_t two[6] = { p, r, s, p, s, q };
            memcpy(c, two, sizeof two);
            c += 6;
        }
    b->arrays[0] = mn_frame_array_single("saturation", MN_TYPE_float, b->saturation);
    b->arrays[1] = mn_frame_array_packed("velocity", MN_TYPE_float, 3, b->velocity);
}

static mn_frame_part ball_part(const ball *b, mn_look look, int arrays)
{
    return (mn_frame_part){ .name        = mn_look_name(look),
                            .look        = look,
                            .points      = mn_frame_array_packed("", MN_TYPE_float, 3, b->point),
                            .point_count = ACROSS * (ROUND + 1),
                            .kind        = MN_CELLS_TRIANGLES,
                            .cells       = b->corner,
                            .cell_count  = 2 * ACROSS * ROUND,
                            .arrays      = b->arrays,
                            .array_count = arrays };
}

/// A thing seen from in front, under light that is 1 from everywhere; the mean over the pixels that show it, least and
/// most.
typedef struct seen {
    double mean, low, high;
} seen;

static seen look_at(mn_thing *t, mn_stage_f stage, int samples, int threads, mn_f3 *pixels)
{
    mn_context *c      = test_context(threads);
    mn_tracer  *tracer = NULL;
    mn_film     film;
    assert_int_equal(mn_tracer_create(c, t, 1, &tracer), MN_OK);
    stage.tracer               = tracer;
    const mn_camera_def def    = { .given = true, .from = { 0, 0, 6 }, .angle = 0.36, .size = { 32, 32 } };
    const mn_camera     camera = mn_camera_of(&def, mn_f3_of(0, 1, 0), mn_box_f_empty(), false, 32, 32);
    assert_int_equal(mn_film_create(c, 32, 32, &film), MN_OK);
    mn_film_expose(&film, &stage, &camera, (mn_exposure){ samples, samples, 0, 0.0f });
    seen s = { 0.0, INFINITY, -INFINITY };
    for (int i = 0; i < 32 * 32; i++) {
        const double v = (double)mn_f3_luminance(film.light[i]);
        s.mean += v / (32 * 32);
        s.low  = fmin(s.low, v);
        s.high = fmax(s.high, v);
        if (pixels != NULL) pixels[i] = film.light[i];
    }
    mn_film_free(&film);
    mn_tracer_destroy(&tracer);
    test_context_end(&c);
    return s;
}

static mn_stage_f furnace(void)
{
    return (mn_stage_f){ .light           = mn_light_uniform(mn_f3_gray(1.0f)),
                         .liquid          = { .index = 1.333f },
                         .radius          = 1.0f,
                         .diffuse_bounces = 400,
                         .splits          = 2 };
}

static mn_thing thing_of(mn_context *c, const mn_frame_part *p, mn_finish finish, float color)
{
    mn_thing t;
    assert_int_equal(mn_thing_make(c, p, (mn_paint){ NULL, NULL }, &t), MN_OK);
    t.finish = finish;
    for (int64_t i = 0; t.color != NULL && i < t.point_count; i++) t.color[i] = mn_f3_gray(color);
    return t;
}

static void a_white_ball_in_a_white_furnace_cannot_be_seen(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context *c = test_context(1);
    ball        b;
    make_ball(&b, 0, 0, 0);
    const mn_frame_part p = ball_part(&b, MN_LOOK_SOLID, 0);
    mn_thing            t = thing_of(c, &p, MN_FINISH_CLOTH, 1.0f);  // dry cloth: diffuse to both sides, no coat
    const seen          s = look_at(&t, furnace(), 16, 1, NULL);
    // Every path ends in the sky with its whole weight, also those that come out only after many bounces inside.
    assert_near(s.low, 1.0, 1e-3);
    assert_near(s.high, 1.0, 1e-3);
    mn_thing_free(c, &t);
    test_context_end(&c);
}

static void a_coat_neither_makes_nor_loses_much_light(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context *c = test_context(1);
    ball        b;
    make_ball(&b, 0, 0, 0);
    const mn_frame_part p = ball_part(&b, MN_LOOK_SOLID, 0);
    mn_thing            t = thing_of(c, &p, MN_FINISH_PAINT, 1.0f);
    const seen          s = look_at(&t, furnace(), 64, 1, NULL);
    assert_near(s.mean, 1.0, 0.03);
    mn_thing_free(c, &t);
    test_context_end(&c);
}

static void clear_liquid_in_a_white_furnace_cannot_be_seen(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context *c = test_context(1);
    ball        b;
    make_ball(&b, 0, 0, 0);
    const mn_frame_part p = ball_part(&b, MN_LOOK_LIQUID, 0);
    mn_thing            t = thing_of(c, &p, MN_FINISH_LIQUID, 0.0f);
    const seen          s = look_at(&t, furnace(), 16, 1, NULL);
    assert_near(s.low, 1.0, 1e-3);
    assert_near(s.high, 1.0, 1e-3);
    mn_thing_free(c, &t);
    test_context_end(&c);
}

static void liquid_that_does_not_bend_light_absorbs_as_beer_says(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context *c = test_context(1);
    ball        b;
    make_ball(&b, 0, 0, 0);
    const mn_frame_part p     = ball_part(&b, MN_LOOK_LIQUID, 0);
    mn_thing            t     = thing_of(c, &p, MN_FINISH_LIQUID, 0.0f);
    mn_stage_f          stage = furnace();
    static mn_f3        pixels[32 * 32];
    stage.liquid = (mn_clear){ .index = 1.0f, .absorption = { 0.2f, 0.7f, 0.0f } };
    (void)look_at(&t, stage, 4, 1, pixels);
    const mn_f3 middle = pixels[16 * 32 + 16];  // through nearly the whole diameter
    assert_near(middle.x, exp(-0.4), 0.01);
    assert_near(middle.y, exp(-1.4), 0.01);
    assert_near(middle.z, 1.0, 1e-4);
    mn_thing_free(c, &t);
    test_context_end(&c);
}

/// Pigment adds to what the liquid absorbs itself, by its concentration at both ends of the way; none changes no bit.
static void pigment_colours_a_liquid_as_beer_says(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    static const mn_dyes dyes = { 1, { { "tannin", { 20.0f, 300.0f, 220.0f } } } };
    static mn_f3         clear[32 * 32], dyed[32 * 32], none[32 * 32];
    static ball          b;
    mn_context          *c      = test_context(1);
    mn_stage_f           stage  = furnace();
    float               *amount = b.saturation;
    stage.liquid                = (mn_clear){ .index = 1.0f, .absorption = { 0.2f, 0.1f, 0.0f } };
    make_ball(&b, 0, 0, 0);
    b.arrays[0].name      = "tannin";
    const mn_frame_part p = ball_part(&b, MN_LOOK_LIQUID, 1), plain = ball_part(&b, MN_LOOK_LIQUID, 0);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < ACROSS * (ROUND + 1); i++)
            amount[i] = k == 1 ? 0.0f : 2e-3f + 1e-3f * b.point[i][2];  // more in front than behind
        mn_thing t;
        assert_int_equal(mn_thing_make(c, k == 0 ? &plain : &p, (mn_paint){ NULL, &dyes }, &t), MN_OK);
        assert_true((t.absorbs == NULL) == (k == 0));
        (void)look_at(&t, stage, 4, 1, k == 0 ? clear : k == 1 ? none : dyed);
        mn_thing_free(c, &t);
    }
    assert_memory_equal(clear, none, sizeof clear);
    const mn_f3 x = clear[16 * 32 + 16], y = dyed[16 * 32 + 16];
    assert_near(y.x / x.x, exp(-2.0 * 20.0 * 2e-3), 2e-3);
    assert_near(y.y / x.y, exp(-2.0 * 300.0 * 2e-3), 5e-3);
    assert_near(y.z / x.z, exp(-2.0 * 220.0 * 2e-3), 5e-3);
    test_context_end(&c);
}

/// Mean of red, green and blue over a whole picture.
static void mean_colour(mn_context *c, const mn_shot *shot, const mn_frame_part *parts, int count, double mean[3])
{
    mn_buffer png;
    png_image image = { .version = PNG_IMAGE_VERSION };
    mn_buffer_init(&png, c);
    assert_int_equal(mn_render_picture(c, shot, parts, count, &png, NULL), MN_OK);
    assert_int_equal(png_image_begin_read_from_memory(&image, png.data, png.bytes), 1);
    assert_int_equal(image.width, shot->width);
    assert_int_equal(image.height, shot->height);
    image.format         = PNG_FORMAT_RGB;
    unsigned char *pixel = malloc(PNG_IMAGE_SIZE(image));
    assert_int_equal(png_image_finish_read(&image, NULL, pixel, 0, NULL), 1);
    memset(mean, 0, 3 * sizeof *mean);
    for (unsigned i = 0; i < 3 * image.width * image.height; i++)
        mean[i % 3] += (double)pixel[i] / (image.width * image.height);
    free(pixel);
    mn_buffer_free(&png);
}

static mn_shot shot_of_the_ball(void)
{
    const mn_domain_def domain = { .dimension = 3,
                                   .up        = 1,
                                   .bounded   = true,
                                   .bounds    = { { -2, -1, -2 }, { 2, 3, 2 } } };
    const mn_camera_def camera = { .given = true, .from = { 0, 1, 7 }, .angle = 0.4, .size = { 960, 540 } };
    mn_shot             shot   = mn_shot_of(&domain, &camera);
    mn_shot_shrink(&shot, 64);
    assert_int_equal(shot.width, 64);
    assert_int_equal(shot.height, 36);
    return shot;
}

static void a_drop_of_wine_is_red_and_wet_cloth_is_dark(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context *c = test_context(2);
    static ball b;
    double      water[3], wine[3], dry[3], wet[3];
    mn_pigment  tannin = mn_pigment_default();
    mn_shot     shot   = shot_of_the_ball();
    snprintf(tannin.name, sizeof tannin.name, "tannin");
    tannin.absorbance[0] = 0.02, tannin.absorbance[1] = 0.30, tannin.absorbance[2] = 0.22;
    mn_shot_add_pigment(&shot, &tannin);
    mn_shot_add_pigment(&shot, &tannin);
    assert_int_equal(shot.dyes.count, 1);
    assert_near(shot.dyes.dye[0].absorbs.y, log(10.0) * 0.30 * 1e4, 0.1);
    make_ball(&b, 0, 0, 0);
    b.arrays[0].name   = "tannin";
    mn_frame_part drop = ball_part(&b, MN_LOOK_LIQUID, 1);
    for (int i = 0; i < ACROSS * (ROUND + 1); i++) b.saturation[i] = 0.0f;
    mean_colour(c, &shot, &drop, 1, water);
    for (int i = 0; i < ACROSS * (ROUND + 1); i++) b.saturation[i] = 3e-4f;
    mean_colour(c, &shot, &drop, 1, wine);
    assert_true(wine[0] - wine[1] > water[0] - water[1] + 10.0 && wine[1] < water[1] - 10.0);
    b.arrays[0].name    = "saturation";
    mn_frame_part cloth = ball_part(&b, MN_LOOK_CLOTH, 1);
    for (int i = 0; i < ACROSS * (ROUND + 1); i++) b.saturation[i] = 0.0f;
    mean_colour(c, &shot, &cloth, 1, dry);
    for (int i = 0; i < ACROSS * (ROUND + 1); i++) b.saturation[i] = 1.0f;
    mean_colour(c, &shot, &cloth, 1, wet);
    assert_true(wet[0] < dry[0] - 5.0 && wet[1] < dry[1] - 5.0);
    test_context_end(&c);
}

static void a_liquid_has_the_colour_of_its_material_unless_it_has_pigments(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context  *c = test_context(2);
    static ball  b;
    double       water[3], honey[3], dyed[3];
    mn_pigment   tannin   = mn_pigment_default();
    mn_shot      shot     = shot_of_the_ball();
    const double amber[3] = { 0.85, 0.42, 0.05 };
    make_ball(&b, 0, 0, 0);
    const mn_frame_part drop = ball_part(&b, MN_LOOK_LIQUID, 0);
    mean_colour(c, &shot, &drop, 1, water);
    mn_shot_colour_liquid(&shot, amber);
    mean_colour(c, &shot, &drop, 1, honey);
    assert_true(honey[0] > water[0] + 5.0 && honey[2] < water[2] - 5.0);
    mn_shot_add_pigment(&shot, &tannin);
    mean_colour(c, &shot, &drop, 1, dyed);
    for (int a = 0; a < 3; a++) assert_near(dyed[a], water[a], 1e-9);
    test_context_end(&c);
}

static void the_box_of_a_shot_is_the_domain_or_what_is_there(void **state)
{
    (void)state;
    static ball         b;
    const mn_camera_def camera = { .angle = 0.6, .size = { 10, 10 } };
    mn_domain_def domain = { .dimension = 3, .up = 2, .bounded = true, .bounds = { { -2, -3, -4 }, { 5, 6, 7 } } };
    make_ball(&b, 0.1f, 0.1f, 0.1f);
    const mn_frame_part p    = ball_part(&b, MN_LOOK_CLOTH, 0);
    mn_shot             shot = mn_shot_of(&domain, &camera);
    mn_shot_include(&shot, &p, 1);
    mn_shot_round(&shot);
    assert_true(shot.up.z == 1.0f && shot.box.low.y == -3.0f && shot.box.high.z == 7.0f);
    domain.bounded = false;
    shot           = mn_shot_of(&domain, &camera);
    assert_true(mn_shot_is_empty(&shot));
    mn_shot_include(&shot, &p, 1);
    assert_near(shot.box.high.y, 1.1, 1e-5);
    mn_shot_round(&shot);  // to eighths of two
    assert_near(shot.box.high.y, 1.25, 1e-6);
    assert_near(shot.box.low.y, -1.0, 1e-6);
}

static void the_bits_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context  *c = test_context(1);
    ball         b;
    static mn_f3 one[32 * 32], many[32 * 32];
    make_ball(&b, 0, 0, 0);
    const mn_frame_part p     = ball_part(&b, MN_LOOK_SOLID, 0);
    mn_thing            t     = thing_of(c, &p, MN_FINISH_SOLID, 0.5f);
    mn_stage_f          stage = furnace();
    stage.light               = mn_light_studio(mn_f3_of(0, 1, 0), mn_f3_of(0, 0, -1));
    stage.ground = true, stage.ground_level = -1.0f, stage.ground_color = mn_f3_gray(0.5f);
    (void)look_at(&t, stage, 4, 1, one);
    for (int threads = 2; threads <= 8; threads += 6) {
        (void)look_at(&t, stage, 4, threads, many);
        assert_memory_equal(one, many, sizeof one);
    }
    mn_thing_free(c, &t);
    test_context_end(&c);
}

static void drops_that_overlap_are_one_body(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context *c         = test_context(1);
    const float centre[6] = { 0, 0, -0.5f, 0, 0, 0.5f }, volume[2] = { 4.18879f, 4.18879f };  // two balls of radius 1
    const mn_frame_array arrays[1] = { mn_frame_array_single("volume", MN_TYPE_float, volume) };
    const mn_frame_part  p         = { .look        = MN_LOOK_SPRAY,
                                       .points      = mn_frame_array_packed("", MN_TYPE_float, 3, centre),
                                       .point_count = 2,
                                       .kind        = MN_CELLS_VERTICES,
                                       .arrays      = arrays,
                                       .array_count = 1 };
    mn_thing             t;
    static mn_f3         pixels[32 * 32];
    mn_stage_f           stage = furnace();
    assert_int_equal(mn_thing_drops(c, &p, NULL, (mn_paint){ NULL, NULL }, MN_FINISH_LIQUID, &t), MN_OK);
    stage.liquid = (mn_clear){ .index = 1.0f, .absorption = { 0.2f, 0.2f, 0.2f } };
    (void)look_at(&t, stage, 4, 1, pixels);
    assert_near(pixels[16 * 32 + 16].x, exp(-0.2 * 3.0), 0.01);  // 3 long together, not 2 + 2
    mn_thing_free(c, &t);
    test_context_end(&c);
}

static void edges_of_a_box_stay_sharp_and_balls_are_round(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    float       point[8][4];
    for (int n = 0; n < 8; n++)
        point[n][0] = (float)(n & 1), point[n][1] = (float)(n >> 1 & 1), point[n][2] = (float)(n >> 2),
        point[n][3] = 0.0f;
    const uint32_t box[36] = { 0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                               2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5 };
    mn_f3          normal[36];
    assert_int_equal(mn_normals_creased(c, 8, (const float(*)[4])point, 12, box, 0.7f, normal), MN_OK);
    for (int k = 0; k < 36; k++)
        assert_near(fmaxf(fabsf(normal[k].x), fmaxf(fabsf(normal[k].y), fabsf(normal[k].z))), 1.0, 1e-6);
    ball b;
    make_ball(&b, 0, 0, 0);
    const mn_frame_part p = ball_part(&b, MN_LOOK_CLOTH, 0);
    mn_thing            t;
    assert_int_equal(mn_thing_make(c, &p, (mn_paint){ NULL, NULL }, &t), MN_OK);
    for (int64_t i = ACROSS; i < t.point_count - ACROSS; i++)
        assert_true(mn_f3_dot(t.normal[i], mn_f3_of(t.point[i][0], t.point[i][1], t.point[i][2])) > 0.98f);
    mn_thing_free(c, &t);
    test_context_end(&c);
}

// ---- runs ----------------------------------------------------------------------------------------------------------

static void write_file(const char *out, const char *name, const void *data, size_t bytes)
{
    char          path[256];
    mn_file_error error;
    snprintf(path, sizeof path, "%s/%s", out, name);
    assert_int_equal(mn_file_write_atomic(path, data, bytes, &error), MN_OK);
}

static void write_part(mn_context *c, const char *out, const char *name, const mn_frame_part *p)
{
    mn_buffer b;
    mn_buffer_init(&b, c);
    assert_int_equal(mn_vtp_make(p, &b), MN_OK);
    write_file(out, name, b.data, b.bytes);
    mn_buffer_free(&b);
}

/// Three frames of a cloth and a liquid; the surface of frame 1 is cut off.
static void make_run(mn_context *c, const char *out)
{
    static ball   cloth, drop;
    char          frames[128];
    mn_file_error error;
    snprintf(frames, sizeof frames, "%s/frames", out);
    assert_int_equal(mn_file_make_folders(frames, &error), MN_OK);
    make_ball(&cloth, 0, 0, 0);
    make_ball(&drop, 0, 3, 0);
    const mn_frame_part a = ball_part(&cloth, MN_LOOK_CLOTH, 2), b = ball_part(&drop, MN_LOOK_LIQUID, 0);
    for (int k = 0; k < 3; k++) {
        char name[64];
        snprintf(name, sizeof name, "frames/cloth.%06d.vtp", k);
        write_part(c, out, name, &a);
        snprintf(name, sizeof name, "frames/surface.%06d.vtp", k);
        write_part(c, out, name, &b);
    }
    write_file(out, "frames/surface.000001.vtp", "<VTKFile", 8);
    static const char json[] = "{\"status\": \"done\", \"frames\": [{\"frame\": 0, \"time\": 0}, {\"frame\": 1, "
                               "\"time\": 0.5}, {\"frame\": 2, \"time\": 1}]}";
    write_file(out, "run.json", json, sizeof json - 1);
}

static mn_render_def small_pictures(const char *out)
{
    mn_render_def def = mn_render_def_default();
    def.out = out, def.size[0] = 48, def.size[1] = 32;
    return def;
}

static bool remember_warning(const mn_render_progress *p, void *user)
{
    if (p->warning != NULL) snprintf(user, 512, "%s", p->warning);
    return true;
}

static void a_damaged_frame_is_left_out_and_the_others_are_written(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context      *c = test_context(2);
    char             out[64], path[128], warning[512] = "";
    mn_render_report report;
    test_folder(out);
    make_run(c, out);
    mn_render_def def = small_pictures(out);
    def.progress = remember_warning, def.progress_user = warning;
    assert_int_equal(mn_render_run(c, &def, &report), MN_OK);
    assert_int_equal(report.pictures, 2);
    assert_int_equal(report.skipped, 1);
    assert_non_null(strstr(warning, "frame 1 left out"));
    assert_non_null(strstr(warning, "surface.000001.vtp"));
    snprintf(path, sizeof path, "%s/render", out);
    assert_int_equal(test_folder_count(path), 2);  // nothing half written
    test_folder_remove(out);
    test_context_end(&c);
}

static void read_bytes(mn_context *c, const char *folder, const char *name, unsigned char **data, size_t *bytes)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mn_file_read(c, path, ANY_FILE, data, bytes), MN_OK);
}

static void pictures_are_the_same_bytes_for_any_number_of_threads(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    char           out[64];
    mn_context    *reader = test_context(1);
    unsigned char *first = NULL, *again = NULL;
    size_t         bytes, more;
    test_folder(out);
    make_run(reader, out);
    for (int threads = 1; threads <= 8; threads *= 2) {
        mn_context      *c = test_context(threads);
        char             to[128];
        mn_render_report report;
        mn_render_def    def = small_pictures(out);
        snprintf(to, sizeof to, "%s/t%d", out, threads);
        def.to = to, def.last = 0;
        assert_int_equal(mn_render_run(c, &def, &report), MN_OK);
        test_context_end(&c);
        read_bytes(reader, to, "000000.png", threads == 1 ? &first : &again, threads == 1 ? &bytes : &more);
        if (threads == 1) continue;
        assert_int_equal(bytes, more);
        assert_memory_equal(first, again, bytes);
        mn_free(reader, again);
    }
    mn_free(reader, first);
    test_folder_remove(out);
    test_context_end(&reader);
}

static void a_field_is_shown_or_those_there_are_are_listed(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context      *c = test_context(1);
    char             out[64];
    mn_render_report report;
    test_folder(out);
    make_run(c, out);
    mn_render_def def = small_pictures(out);
    def.last = 0, def.field = "speed";
    assert_int_equal(mn_render_run(c, &def, &report), MN_OK);
    def.field = "saturaton";
    assert_int_equal(mn_render_run(c, &def, &report), MN_ERR_ARGUMENT);
    assert_non_null(
        strstr(mn_context_error(c), "no part has a field 'saturaton'; there are: saturation, velocity, speed"));
    def.field = NULL, def.first = 7;
    assert_int_equal(mn_render_run(c, &def, &report), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "there are 0 to 2"));
    test_folder_remove(out);
    assert_int_equal(mn_render_run(c, &def, &report), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "there is no such folder"));
    test_context_end(&c);
}

/// `stain` is all pigment at a point, whatever the pigments are called; the number of the stain and its liquid do not
/// count.
static void a_stain_is_the_sum_of_its_pigments(void **state)
{
    (void)state;
    const float wine[2] = { 0.25f, 0.0f }, ink[2] = { 0.5f, 1.5f }, wet[2] = { 8.0f, 9.0f },
                colour[6]          = { 1, 1, 1, 1, 1, 1 };
    const int32_t        number[2] = { 3, 3 };
    const mn_frame_array arrays[]  = { mn_frame_array_packed("color", MN_TYPE_float, 3, colour),
                                       mn_frame_array_single("wetness", MN_TYPE_float, wet),
                                       mn_frame_array_single("film", MN_TYPE_float, wet),
                                       mn_frame_array_single("stain", MN_TYPE_int32_t, number),
                                       mn_frame_array_single("wine", MN_TYPE_float, wine),
                                       mn_frame_array_single("ink", MN_TYPE_float, ink) };
    const mn_frame_part  part      = { .look = MN_LOOK_STAIN, .point_count = 2, .arrays = arrays, .array_count = 6 };
    assert_true(mn_field_has(&part, "stain"));
    assert_true(mn_field_value(&part, "stain", 0) == 0.75);
    assert_true(mn_field_value(&part, "stain", 1) == 1.5);
    assert_true(mn_field_value(&part, "wine", 0) == 0.25);
}

static void numbers_out_of_all_bounds_do_no_harm(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context      *c = test_context(1);
    char             out[64];
    mn_render_report report;
    static ball      b;
    test_folder(out);
    make_run(c, out);
    make_ball(&b, 0, 0, 0);
    b.point[40][0] = 3e38f, b.point[90][1] = -2e25f, b.point[91][2] = 1e12f, b.saturation[7] = NAN,
    b.saturation[8] = -INFINITY, b.velocity[3][0] = 3e38f;
    const mn_frame_part cloth = ball_part(&b, MN_LOOK_CLOTH, 2), water = ball_part(&b, MN_LOOK_LIQUID, 2);
    write_part(c, out, "frames/cloth.000000.vtp", &cloth);
    write_part(c, out, "frames/surface.000000.vtp", &water);
    for (int k = 0; k < 2; k++) {
        mn_render_def def = small_pictures(out);
        def.last = 0, def.field = k == 0 ? NULL : "saturation";
        assert_int_equal(mn_render_run(c, &def, &report), MN_OK);
        assert_int_equal(report.pictures, 1);
    }
    test_folder_remove(out);
    test_context_end(&c);
}

static mn_status render_one(failing_memory *m, void *out)
{
    const long long left = m->left;
    grant_all(m);
    mn_context      *c = failing_context(m);
    mn_render_report report;
    mn_render_def    shot = small_pictures(out);
    shot.size[0] = 16, shot.size[1] = 12, shot.last = 0;
    m->left                = left;
    const mn_status status = mn_render_run(c, &shot, &report);
    mn_context_destroy(&c);
    return status;
}

static int64_t an_eighth_more(int64_t granted, const void *out)
{
    (void)out;
    return granted + 1 + granted / 8;
}

static void refused_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    if (!mn_tracer_available()) skip();
    mn_context    *maker  = test_context(1);
    failing_memory memory = PLENTY_OF_MEMORY;
    char           out[64];
    test_folder(out);
    make_run(maker, out);
    assert_true(survives_every_failing_allocation(&memory, render_one, out, an_eighth_more) > 10);
    test_folder_remove(out);
    test_context_end(&maker);
}

static void a_build_without_the_tracer_says_what_to_install(void **state)
{
    (void)state;
    if (mn_tracer_available()) skip();
    mn_context      *c   = test_context(1);
    mn_render_def    def = small_pictures("nowhere");
    mn_render_report report;
    assert_int_equal(mn_render_run(c, &def, &report), MN_ERR_STATE);
    assert_non_null(strstr(mn_context_error(c), "libembree-dev"));
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_white_ball_in_a_white_furnace_cannot_be_seen),
        cmocka_unit_test(a_coat_neither_makes_nor_loses_much_light),
        cmocka_unit_test(clear_liquid_in_a_white_furnace_cannot_be_seen),
        cmocka_unit_test(liquid_that_does_not_bend_light_absorbs_as_beer_says),
        cmocka_unit_test(pigment_colours_a_liquid_as_beer_says),
        cmocka_unit_test(a_drop_of_wine_is_red_and_wet_cloth_is_dark),
        cmocka_unit_test(a_liquid_has_the_colour_of_its_material_unless_it_has_pigments),
        cmocka_unit_test(the_box_of_a_shot_is_the_domain_or_what_is_there),
        cmocka_unit_test(the_bits_do_not_depend_on_the_threads),
        cmocka_unit_test(drops_that_overlap_are_one_body),
        cmocka_unit_test(edges_of_a_box_stay_sharp_and_balls_are_round),
        cmocka_unit_test(a_damaged_frame_is_left_out_and_the_others_are_written),
        cmocka_unit_test(pictures_are_the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(a_field_is_shown_or_those_there_are_are_listed),
        cmocka_unit_test(a_stain_is_the_sum_of_its_pigments),
        cmocka_unit_test(numbers_out_of_all_bounds_do_no_harm),
        cmocka_unit_test(refused_memory_leaves_nothing_behind),
        cmocka_unit_test(a_build_without_the_tracer_says_what_to_install),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
