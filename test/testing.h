// SPDX-License-Identifier: MPL-2.0
// test/testing.h - what every test includes first: cmocka in the order it wants, and a context for the test.
#ifndef MN_TEST_TESTING_H
#define MN_TEST_TESTING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meniscus/base.h"

#include <math.h>

static inline mn_context *test_context(int threads)
{
    mn_context_def def = mn_context_def_default();
    def.threads        = threads;
    mn_context *c      = NULL;
    assert_int_equal(mn_context_create(&def, &c), MN_OK);
    return c;
}

/// Destroy the context; the pool's own blocks are the only ones that may be left by then.
static inline void test_context_end(mn_context **c)
{
    mn_context_destroy(c);
    assert_null(*c);
}

#define assert_near(value, expected, tolerance)                                                             \
    do {                                                                                                    \
        const double near_v_ = (value), near_e_ = (expected), near_t_ = (tolerance);                        \
        if (!(fabs(near_v_ - near_e_) <= near_t_)) {                                                        \
            fail_msg("%s = %.17g, expected %.17g within %g (off by %g)", #value, near_v_, near_e_, near_t_, \
                     near_v_ - near_e_);                                                                    \
        }                                                                                                   \
    } while (0)

#define assert_less(value, bound)                                                                   \
    do {                                                                                            \
        const double less_v_ = (value), less_b_ = (bound);                                          \
        if (!(less_v_ < less_b_)) fail_msg("%s = %.17g is not below %g", #value, less_v_, less_b_); \
    } while (0)

#endif
