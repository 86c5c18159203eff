// SPDX-License-Identifier: MPL-2.0
// Colours of stains: clean cloth, more pigment, mixtures, water, sRGB.
#include "testing.h"

#include "base/random.h"
#include "stain/colour.h"

#include <string.h>

static const mn_colour        inks[2] = { { 0.2e4, 0.9e4, 0.7e4 }, { 0.8e4, 0.3e4, 0.05e4 } };  // red, blue; cm^2/g
static const mn_stain_palette palette = { .cloth = { 0.9, 0.85, 0.7 }, .pigments = 2, .absorbance = inks };

static void assert_colour(mn_colour a, mn_colour b, double tolerance)
{
    assert_near(a.r, b.r, tolerance);
    assert_near(a.g, b.g, tolerance);
    assert_near(a.b, b.b, tolerance);
}

static void clean_cloth_has_its_own_colour(void **state)
{
    (void)state;
    const double none[2] = { 0.0, 0.0 }, below[2] = { -1e-9, 0.0 };
    assert_colour(mn_stain_colour(&palette, none, 0.0), palette.cloth, 0.0);
    assert_colour(mn_stain_colour(&palette, below, 0.0), palette.cloth, 0.0);
}

static void the_law_is_that_of_beer_and_lambert(void **state)
{
    (void)state;
    const double mass[2] = { 0.5e-4, 0.0 };  // 0.5 g/m^2 of absorbance 0.2, 0.9, 0.7 m^2/g, passed twice
    assert_colour(mn_stain_colour(&palette, mass, 0.0),
                  (mn_colour){ 0.9 * pow(10.0, -0.2), 0.85 * pow(10.0, -0.9), 0.7 * pow(10.0, -0.7) }, 1e-15);
}

static void more_of_anything_is_darker(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 2000; k++) {
        double          mass[2] = { 1e-4 * mn_random(1, k, 0, 0), 1e-4 * mn_random(1, k, 0, 1) };
        const double    wet     = mn_random(1, k, 0, 2);
        const mn_colour before  = mn_stain_colour(&palette, mass, wet),
                        wetter  = mn_stain_colour(&palette, mass, wet + 0.1 * (1.0 - wet));
        assert_true(wetter.r < before.r && wetter.g < before.g && wetter.b < before.b);
        mass[k % 2] += 1e-6;
        const mn_colour after = mn_stain_colour(&palette, mass, wet);
        assert_true(after.r < before.r && after.g < before.g && after.b < before.b);
        assert_true(after.r > 0.0 && after.g > 0.0 && after.b > 0.0);
    }
}

/// What passes two filters passes both, in any order; a mixture is darker than either, and half of each is between.
static void pigments_mix_as_filters(void **state)
{
    (void)state;
    const double    red[2] = { 0.4e-4, 0.0 }, blue[2] = { 0.0, 0.6e-4 }, both[2] = { 0.4e-4, 0.6e-4 };
    const mn_colour r = mn_stain_colour(&palette, red, 0.0), b = mn_stain_colour(&palette, blue, 0.0),
                    m = mn_stain_colour(&palette, both, 0.0);
    assert_colour(m, (mn_colour){ r.r * b.r / 0.9, r.g * b.g / 0.85, r.b * b.b / 0.7 }, 1e-15);
    assert_true(m.r < fmin(r.r, b.r) && m.g < fmin(r.g, b.g) && m.b < fmin(r.b, b.b));
}

static void water_darkens_what_is_neither_black_nor_white(void **state)
{
    (void)state;
    const mn_stain_palette grey = { .cloth = { 0.0, 0.5, 1.0 } };
    const mn_colour        wet  = mn_stain_colour(&grey, NULL, 1.0);
    assert_near(wet.r, 0.0, 0.0);
    assert_near(wet.g, 0.5 * 0.526 / (1.0 - 0.237), 1e-15);
    assert_near(wet.b, 1.0, 1e-15);
    assert_colour(mn_stain_colour(&grey, NULL, 7.0), wet, 0.0);
}

static void srgb_goes_there_and_back(void **state)
{
    (void)state;
    for (int k = 0; k <= 255; k++) assert_int_equal(mn_srgb_byte(mn_srgb_decode(k / 255.0)), k);
    assert_near(mn_srgb_encode(0.5), 0.735357, 1e-6);
    assert_near(mn_srgb_encode(-1.0), 0.0, 0.0);
    assert_near(mn_srgb_encode(2.0), 1.0, 1e-15);
    assert_near(mn_colour_srgb((mn_colour){ 0.0, 0.5, 1.0 }).g, 0.735357, 1e-6);
}

static void arrays_do_as_single_places(void **state)
{
    (void)state;
    enum { N = 10000 };
    static double    mass[2][N], wet[N];
    static mn_colour out[2][N];
    for (int k = 0; k < N; k++)
        mass[0][k] = 1e-4 * mn_random(2, (uint64_t)k, 0, 0), mass[1][k] = 1e-4 * mn_random(2, (uint64_t)k, 0, 1),
        wet[k] = mn_random(2, (uint64_t)k, 0, 2);
    const double *const masses[2] = { mass[0], mass[1] };
    for (int threads = 1; threads <= 2; threads++) {
        mn_context *c = test_context(threads);
        assert_int_equal(mn_stain_palette_check(c, &palette), MN_OK);
        mn_stain_colours(c, &palette, N, masses, wet, out[threads - 1]);
        test_context_end(&c);
    }
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    const double one[2] = { mass[0][77], mass[1][77] };
    assert_colour(out[0][77], mn_stain_colour(&palette, one, wet[77]), 0.0);
}

static void wrong_palettes_get_a_sentence(void **state)
{
    (void)state;
    mn_context      *c   = test_context(1);
    const mn_colour  bad = { 0.1, -2.0, 0.0 };
    mn_stain_palette p   = { .cloth = { 0.5, 0.5, 0.5 }, .pigments = 1, .absorbance = &bad };
    assert_int_equal(mn_stain_palette_check(c, &p), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "pigment 1 is -2"));
    p = (mn_stain_palette){ .cloth = { 0.5, 1.5, 0.5 } };
    assert_int_equal(mn_stain_palette_check(c, &p), MN_ERR_ARGUMENT);
    p = (mn_stain_palette){ .pigments = 17, .absorbance = inks };
    assert_int_equal(mn_stain_palette_check(c, &p), MN_ERR_ARGUMENT);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_cloth_has_its_own_colour),
        cmocka_unit_test(the_law_is_that_of_beer_and_lambert),
        cmocka_unit_test(more_of_anything_is_darker),
        cmocka_unit_test(pigments_mix_as_filters),
        cmocka_unit_test(water_darkens_what_is_neither_black_nor_white),
        cmocka_unit_test(srgb_goes_there_and_back),
        cmocka_unit_test(arrays_do_as_single_places),
        cmocka_unit_test(wrong_palettes_get_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
