// SPDX-License-Identifier: MPL-2.0
// Numbers as the viewer unpacks them: whole ones are the same again, real ones within half a step.
#include "unpack.h"

#include <math.h>

static void whole_numbers_come_back(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    uint32_t    value[1000], back[1000];
    for (int width = 2; width <= 4; width += 2) {
        const uint32_t mask = width == 2 ? 0xffffu : UINT32_MAX;
        for (uint32_t i = 0; i < 1000; i++) value[i] = (i % 7 == 0 ? mask : i * i * 2654435761u) & mask;
        mn_buffer b;
        mn_buffer_init(&b, c);
        mn_pack_whole(&b, value, 1000, width);
        assert_int_equal(b.bytes, 1000 * width);
        unpack_whole(b.data, 1000, width, back);
        assert_memory_equal(value, back, sizeof value);
        mn_buffer_free(&b);
    }
    test_context_end(&c);
}

static void neighbours_that_are_alike_leave_zeros_above(void **state)
{
    (void)state;
    mn_context    *c       = test_context(1);
    const uint32_t value[] = { 60000, 60001, 60000, 59990, 60117 };
    mn_buffer      b;
    mn_buffer_init(&b, c);
    mn_pack_whole(&b, value, 5, 2);
    for (int k = 6; k < 10; k++) assert_int_equal(b.data[k], 0);
    mn_buffer_free(&b);
    test_context_end(&c);
}

static void real_numbers_come_back_within_half_a_step(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    double      value[1001], back[1001];
    uint32_t    codes[1001];
    mn_buffer   b;
    mn_buffer_init(&b, c);
    for (int i = 0; i < 1001; i++) value[i] = i == 500 ? NAN : -3.0 + 17.0 * i / 1000.0 + 1e-3 * sin(i);
    value[1000]           = 14.5;
    const mn_pack_range r = mn_pack_reals(&b, value, 1001, codes);
    assert_true(r.low == value[0] && r.high == 14.5);
    (void)unpack_reals(b.data, 1001, back);
    for (int i = 0; i < 1001; i++) {
        if (i == 500) assert_true(isnan(back[i]));
        else assert_near(back[i], value[i], 0.5 * 17.5 / 65534.0 * (1.0 + 1e-9));
    }
    assert_true(back[0] == value[0]);
    assert_near(back[1000], 14.5, 1e-12);
    mn_buffer_free(&b);
    test_context_end(&c);
}

static void equal_numbers_and_none_at_all_have_a_code(void **state)
{
    (void)state;
    mn_context  *c       = test_context(1);
    const double same[3] = { 2.5, 2.5, 2.5 }, none[2] = { NAN, INFINITY };
    double       back[3];
    uint32_t     codes[3];
    mn_buffer    b;
    mn_buffer_init(&b, c);
    (void)mn_pack_reals(&b, same, 3, codes);
    const unsigned char *next = unpack_reals(b.data, 3, back);
    assert_int_equal(next - b.data, b.bytes);
    for (int i = 0; i < 3; i++) assert_true(back[i] == 2.5);
    mn_buffer_clear(&b);
    const mn_pack_range r = mn_pack_reals(&b, none, 2, codes);
    assert_true(r.low > r.high);
    (void)unpack_reals(b.data, 2, back);
    assert_true(isnan(back[0]) && isnan(back[1]));
    mn_buffer_free(&b);
    test_context_end(&c);
}

static void text_unpacks_to_the_same_bytes(void **state)
{
    (void)state;
    mn_context          *c = test_context(1);
    static unsigned char data[100000];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * i >> 7);
    const size_t lengths[] = { 0, 1, 2, 3, 4, 5, 1000, sizeof data };
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        mn_buffer text, back;
        mn_buffer_init(&text, c);
        assert_int_equal(mn_pack_text(&text, data, lengths[k]), MN_OK);
        assert_int_equal(text.bytes % 4, 0);
        back = unpack_text(c, (const char *)text.data, text.bytes);
        assert_int_equal(back.bytes, lengths[k]);
        if (lengths[k] > 0) assert_memory_equal(back.data, data, lengths[k]);
        mn_buffer_free(&text);
        mn_buffer_free(&back);
    }
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers_come_back),
        cmocka_unit_test(neighbours_that_are_alike_leave_zeros_above),
        cmocka_unit_test(real_numbers_come_back_within_half_a_step),
        cmocka_unit_test(equal_numbers_and_none_at_all_have_a_code),
        cmocka_unit_test(text_unpacks_to_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
