// SPDX-License-Identifier: MPL-2.0
// Light at surfaces, numbers in [0, 1), colours and letters: each against its formula.
#include "testing.h"

#include "draw/colormap.h"
#include "draw/text.h"
#include "render/camera.h"
#include "render/film.h"
#include "render/light.h"
#include "render/optics.h"
#include "render/sampler.h"
#include "stain/colour.h"

#include <stdlib.h>
#include <string.h>

#define DEGREE 0.017453292519943295

static void fresnel_is_known_at_normal_and_grazing_incidence(void **state)
{
    (void)state;
    for (double n = 1.1; n < 2.5; n += 0.2) {
        const double r = (n - 1.0) / (n + 1.0);
        assert_near(mn_fresnel(1.0f, 1.0f, (float)n), r * r, 1e-6);
        assert_near(mn_fresnel(1.0f, (float)n, 1.0f), r * r, 1e-6);
        assert_near(mn_fresnel(0.0f, 1.0f, (float)n), 1.0, 1e-6);
    }
    // At Brewster's angle only one polarisation is left, with ((n^2 - 1) / (n^2 + 1))^2.
    const double n = 1.5, brewster = atan(n), s = (n * n - 1.0) / (n * n + 1.0);
    assert_near(mn_fresnel((float)cos(brewster), 1.0f, (float)n), 0.5 * s * s, 1e-6);
}

static void light_that_goes_in_comes_out_the_same_way(void **state)
{
    (void)state;
    const mn_f3 n = { 0, 1, 0 };
    for (int degrees = 0; degrees < 90; degrees += 5) {
        const double a = degrees * DEGREE;
        const mn_f3  d = mn_f3_of((float)sin(a), (float)-cos(a), 0.0f);
        mn_f3        in, out;
        assert_true(mn_refract(d, n, 1.0f / 1.333f, &in));
        assert_near(1.333 * (double)in.x, sin(a), 1e-6);  // Snell
        assert_near(mn_f3_norm(in), 1.0, 1e-6);
        assert_true(mn_refract(in, n, 1.333f, &out));
        assert_near(out.x, d.x, 2e-6);
        const mn_f3 mirrored = mn_reflect(d, n);
        assert_near(mirrored.x, d.x, 1e-7);
        assert_near(mirrored.y, -d.y, 1e-7);
    }
}

static void reflection_is_total_beyond_the_critical_angle(void **state)
{
    (void)state;
    const double critical = asin(1.0 / 1.333);
    const mn_f3  n        = { 0, 1, 0 };
    for (int side = -1; side <= 1; side += 2) {
        const double a = critical + side * 0.01;
        const mn_f3  d = mn_f3_of((float)sin(a), (float)-cos(a), 0.0f);
        mn_f3        out;
        assert_int_equal(mn_refract(d, n, 1.333f, &out), side < 0);
        assert_int_equal(mn_fresnel((float)cos(a), 1.333f, 1.0f) >= 1.0f, side > 0);
    }
}

static void absorption_multiplies_with_the_way(void **state)
{
    (void)state;
    const mn_f3 k = { 0.1f, 0.5f, 0.0f }, once = mn_beer(k, 2.0f), twice = mn_beer(k, 4.0f);
    assert_near(once.x, exp(-0.2), 1e-6);
    assert_near(once.z, 1.0, 0.0);
    assert_near(twice.y, (double)once.y * once.y, 1e-6);
}

static void wet_reflectance_is_that_of_the_stains(void **state)
{
    (void)state;
    const double           cloth = 0.6, mass = 0.0;
    const mn_colour        none    = { 0, 0, 0 };
    const mn_stain_palette palette = { .cloth = { cloth, cloth, cloth }, .pigments = 1, .absorbance = &none };
    for (double wet = 0.0; wet <= 1.0; wet += 1.0) {
        const mn_f3 r = mn_wet_reflectance(mn_f3_gray((float)cloth), (float)wet);
        assert_near(r.x, mn_stain_colour(&palette, &mass, wet).r, 1e-6);
    }
}

/// Directions of the rough mirror, each with its weight, and the values at them make the same integral: the share that
/// is mirrored. It is below 1, and near it for smooth surfaces.
static void rough_mirror_samples_agree_with_its_values(void **state)
{
    (void)state;
    const mn_f3 n = { 0, 0, 1 };
    for (int k = 0; k < 6; k++) {
        const float roughness = k % 2 == 0 ? 0.2f : 0.5f;
        const float angle     = (float)(k / 2) * 0.5f;
        const mn_f3 out       = mn_f3_of(sinf(angle), 0.0f, cosf(angle));
        double      sampled = 0.0, integrated = 0.0;
        enum { N = 16384 };
        for (uint32_t i = 0; i < N; i++) {
            mn_sampler s = mn_sampler_begin(7, 11, i);
            float      u, v;
            mn_sampler_pair(&s, &u, &v);
            const mn_f3 in = mn_reflect(mn_f3_scale(-1.0f, out), mn_ggx_half(n, out, roughness, u, v));
            sampled += (double)mn_ggx_weight(n, out, in, roughness) / N;
            mn_sampler_pair(&s, &u, &v);
            const mn_f3 any = mn_cosine_direction(n, u, v);  // density cos / pi; the value holds the cosine
            integrated += (double)mn_ggx_value(n, out, any, roughness) * 3.14159265 / fmax(1e-3, (double)any.z) / N;
        }
        assert_near(integrated, sampled, 0.02);
        assert_less(sampled, 1.0001);
        assert_less(0.6, sampled);  // light that would bounce a second time between the grooves is not followed
    }
}

static void pairs_fill_the_square_evenly(void **state)
{
    (void)state;
    for (uint32_t pixel = 0; pixel < 8; pixel++) {
        int strip[16] = { 0 }, cell[16] = { 0 };
        for (uint32_t i = 0; i < 16; i++) {
            mn_sampler s = mn_sampler_begin(pixel, 3, i);
            float      u, v;
            for (int k = 0; k < 3; k++) mn_sampler_pair(&s, &u, &v);
            assert_true(u >= 0.0f && u < 1.0f && v >= 0.0f && v < 1.0f);
            strip[(int)(16 * u)]++;
            cell[4 * (int)(4 * u) + (int)(4 * v)]++;
        }
        for (int k = 0; k < 16; k++) assert_true(strip[k] == 1 && cell[k] == 1);  // a (0, 4, 2) net, scrambled
    }
}

static void directions_about_a_normal_have_the_mean_of_the_cosine(void **state)
{
    (void)state;
    const mn_f3 n    = mn_f3_unit(mn_f3_of(1, -2, 0.5f), mn_f3_of(0, 1, 0));
    double      mean = 0.0;
    for (uint32_t i = 0; i < 4096; i++) {
        mn_sampler s = mn_sampler_begin(0, 0, i);
        float      u, v;
        mn_sampler_pair(&s, &u, &v);
        const float cosine = mn_f3_dot(n, mn_cosine_direction(n, u, v));
        assert_true(cosine >= -1e-6f);
        mean += (double)cosine / 4096;
    }
    assert_near(mean, 2.0 / 3.0, 1e-3);
}

static void the_sun_is_as_bright_as_it_says(void **state)
{
    (void)state;
    const mn_light l = mn_light_studio(mn_f3_of(0, 1, 0), mn_f3_of(0, 0, -1));
    for (uint32_t i = 0; i < 64; i++) {
        mn_sampler s = mn_sampler_begin(1, 2, i);
        float      u, v;
        mn_sampler_pair(&s, &u, &v);
        const mn_f3 d = mn_light_to_sun(&l, 0.999f * u, v);
        assert_true(mn_f3_dot(d, l.sun) >= cosf(l.sun_angle) - 1e-6f);
        assert_near(mn_light_disc(&l, d).x * 2.0 * 3.14159265 * (1.0 - cos((double)l.sun_angle)), l.sun_irradiance.x,
                    1e-2);
    }
    assert_near(mn_light_disc(&l, mn_f3_scale(-1.0f, l.sun)).x, 0.0, 0.0);
    assert_true(l.sun.y > 0.3f);
}

// ---- camera --------------------------------------------------------------------------------------------------------

static void what_is_projected_is_seen_there(void **state)
{
    (void)state;
    const mn_camera_def def = { .given = true,
                                .from  = { 3, 4, 12 },
                                .to    = { 0, 1, 0 },
                                .angle = 40.0 * DEGREE,
                                .size  = { 300, 200 } };
    const mn_camera     c   = mn_camera_of(&def, mn_f3_of(0, 1, 0), mn_box_f_empty(), false, 300, 200);
    const mn_f3         to  = mn_camera_project(&c, mn_f3_of(0, 1, 0));
    assert_near(to.x, 150.0, 1e-3);
    assert_near(to.y, 100.0, 1e-3);
    assert_near(to.z, sqrt(9 + 9 + 144), 1e-4);
    const mn_f3 p = { 1.3f, -0.4f, 2.0f }, seen = mn_camera_project(&c, p), d = mn_camera_ray(&c, seen.x, seen.y);
    const mn_f3 back = mn_f3_along(c.at, mn_f3_norm(mn_f3_sub(p, c.at)), d);
    assert_near(mn_f3_norm(mn_f3_sub(back, p)), 0.0, 1e-4);
    assert_true(mn_camera_project(&c, mn_f3_of(0, 2, 0)).y < 100.0f);  // up is up
    const mn_f3 low = mn_camera_ray(&c, 150.0f, 0.0f), high = mn_camera_ray(&c, 150.0f, 200.0f);
    assert_near(acos((double)mn_f3_dot(low, high)), 40.0 * DEGREE, 1e-4);
}

static void a_camera_that_is_not_given_has_everything_in_view(void **state)
{
    (void)state;
    const mn_camera_def def = { .angle = 35.0 * DEGREE, .size = { 320, 180 } };
    const mn_box_f      box = { { -3, 0, -1 }, { 7, 2, 4 } };
    for (int axis = 0; axis < 3; axis++) {
        const mn_f3     sky   = mn_f3_of(axis == 0, axis == 1, axis == 2);
        const mn_camera c     = mn_camera_of(&def, sky, box, false, 320, 180);
        bool            close = false;
        for (int n = 0; n < 8; n++) {
            const mn_f3 p = mn_camera_project(&c, mn_f3_of(n & 1 ? 7.0f : -3.0f, n & 2 ? 2.0f : 0.0f,
                                                           n & 4 ? 4.0f : -1.0f));
            assert_true(p.z > 0.0f && p.x > 0.0f && p.x < 320.0f && p.y > 0.0f && p.y < 180.0f);
            close = close || p.x < 40.0f || p.x > 280.0f || p.y < 22.0f || p.y > 158.0f;
        }
        assert_true(close);
        assert_true(mn_f3_dot(c.forward, sky) < 0.0f);
    }
}

// ---- colours and letters -------------------------------------------------------------------------------------------

static double lightness(mn_f3 c)
{
    const double y = (double)mn_f3_luminance(c);
    return y > 0.008856 ? 116.0 * cbrt(y) - 16.0 : 903.3 * y;
}

static void the_colours_rise_evenly_from_dark_to_light(void **state)
{
    (void)state;
    assert_near(mn_srgb_encode((double)mn_colormap(0.0).x), 0.267, 1e-3);
    assert_near(mn_srgb_encode((double)mn_colormap(1.0).z), 0.144, 1e-3);
    assert_near(mn_colormap(-3.0).y, mn_colormap(0.0).y, 0.0);
    assert_near(mn_colormap(5.0).y, mn_colormap(1.0).y, 0.0);
    const double from = lightness(mn_colormap(0.0)), to = lightness(mn_colormap(1.0));
    assert_true(to - from > 60.0);
    for (int k = 0; k <= 20; k++) assert_near(lightness(mn_colormap(k / 20.0)), from + (to - from) * k / 20.0, 4.0);
}

static void scales_have_round_numbers_and_hold_the_range(void **state)
{
    (void)state;
    static const double ranges[][2] = { { 0, 1 }, { 0.03, 0.97 }, { -3.7, 812.0 }, { 1e-9, 3e-9 },
                                        { 5, 5 }, { 0, 0 },       { -2e6, -1e6 } };
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const mn_ticks t = mn_ticks_round(ranges[k][0], ranges[k][1]);
        assert_true(t.low <= ranges[k][0] + 1e-9 * t.step && t.high >= ranges[k][1] - 1e-9 * t.step && t.high > t.low);
        assert_true(t.count >= 2 && t.count <= MN_TICKS_MOST);
        const double lead = t.step / pow(10.0, floor(log10(t.step) + 1e-9));
        assert_true(fabs(lead - 1) < 1e-6 || fabs(lead - 2) < 1e-6 || fabs(lead - 5) < 1e-6);
    }
    const mn_ticks t = mn_ticks_round(0.0, 1.0);
    assert_true(t.low == 0.0 && t.high == 1.0 && t.count == 6);
}

static void letters_stay_inside_the_picture(void **state)
{
    (void)state;
    unsigned char *rows  = calloc(3, 40 * 20);
    mn_image       image = { rows, 40, 20 };
    mn_image_text(&image, 1, 1, 1, "1", (mn_ink){ 255, 0, 0 });
    int lit = 0;
    for (int i = 0; i < 40 * 20; i++) lit += rows[3 * i] == 255;
    assert_int_equal(lit, 10);                      // the dots of a one
    assert_int_equal(rows[3 * (40 * 1 + 3)], 255);  // its tip
    mn_image_text(&image, -4, -3, 3, "Xy%?", (mn_ink){ 0, 255, 0 });
    mn_image_text(&image, 35, 15, 4, "0.25 cm/s", (mn_ink){ 0, 255, 0 });
    const mn_ticks t = mn_ticks_round(0.0, 3.0);
    mn_image_legend(&image, "speed", &t);  // too small for it, and no byte outside is touched
    free(rows);
    assert_int_equal(mn_text_width("ab", 2), 22);
}

static void the_film_is_straight_and_then_bends(void **state)
{
    (void)state;
    assert_near(mn_tone(0.4f), 2.0 * mn_tone(0.2f), 1e-6);
    float before = -1.0f;
    for (float x = 0.0f; x < 4.0f; x += 0.05f) {
        assert_true(mn_tone(x) > before && mn_tone(x) < 1.0f);
        before = mn_tone(x);
    }
    assert_true(mn_tone(-1.0f) == 0.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresnel_is_known_at_normal_and_grazing_incidence),
        cmocka_unit_test(light_that_goes_in_comes_out_the_same_way),
        cmocka_unit_test(reflection_is_total_beyond_the_critical_angle),
        cmocka_unit_test(absorption_multiplies_with_the_way),
        cmocka_unit_test(wet_reflectance_is_that_of_the_stains),
        cmocka_unit_test(rough_mirror_samples_agree_with_its_values),
        cmocka_unit_test(pairs_fill_the_square_evenly),
        cmocka_unit_test(directions_about_a_normal_have_the_mean_of_the_cosine),
        cmocka_unit_test(the_sun_is_as_bright_as_it_says),
        cmocka_unit_test(what_is_projected_is_seen_there),
        cmocka_unit_test(a_camera_that_is_not_given_has_everything_in_view),
        cmocka_unit_test(the_colours_rise_evenly_from_dark_to_light),
        cmocka_unit_test(scales_have_round_numbers_and_hold_the_range),
        cmocka_unit_test(letters_stay_inside_the_picture),
        cmocka_unit_test(the_film_is_straight_and_then_bends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
