// SPDX-License-Identifier: MPL-2.0
// Choosing validation cases by id, and the verdicts on their lines.
#include "testing.h"

#include "meniscus/world.h"
#include "verify/verify.h"

#include <stdio.h>
#include <string.h>

static mn_status three_values(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    (void)c;
    const double off = tier == MN_TIER_BUILD ? 1.0 : 0.1;
    mn_verify_value(report, "good", 10.0, 10.0, -0.5 * off, 1.0, 2.0);
    mn_verify_value(report, "gate", 10.0, 10.0, -1.5 * off, 1.0, 2.0);
    mn_verify_value(report, "bad", 10.0, 10.0, -2.5 * off, 1.0, 2.0);
    return MN_OK;
}

static mn_status bounds(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    (void)c, (void)tier;
    const double most[] = { 1.0, 1.5, 2.5, NAN, -INFINITY };
    for (int k = 0; k < 5; k++) mn_verify_at_most(report, "at most", most[k], 1.0, 2.0);
    const double least[] = { 2.0, 1.5, 0.5, NAN, INFINITY };
    for (int k = 0; k < 5; k++) mn_verify_at_least(report, "at least", least[k], 2.0, 1.0);
    return MN_OK;
}

static mn_status breaks_off(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    (void)tier, (void)report;
    return mn_fail(c, MN_ERR_SOLVE, "it broke off");
}

static mn_status says_nothing(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    (void)c, (void)tier, (void)report;
    return MN_OK;
}

static mn_status measures_itself(mn_context *c, mn_verify_tier tier, mn_verify_report *report)
{
    (void)tier;
    mn_verify_value(report, "no world yet", 1.0, 1.0, 0.0, 1.0, 2.0);
    mn_verify_library(report, true);
    mn_verify_value(report, "of the library", 1.0, 1.0, 0.0, 1.0, 2.0);
    mn_verify_library(report, false);
    mn_world    *world;
    mn_world_def def = mn_world_def_default();
    mn_status    status;
    def.domain.cell = 1.0;
    MN_TRY(mn_world_create(c, &def, &world));
    status = mn_world_step(world, 1e-3);
    mn_world_destroy(&world);
    mn_verify_value(report, "of a world", 1.0, 1.0, 0.0, 1.0, 2.0);
    return status;
}

static const mn_verify_case        first[]  = { { "T1.1", "values", .run = three_values, .library = true },
                                                { "T1.10", "bounds", .run = bounds, .library = true },
                                                { 0 } };
static const mn_verify_case        second[] = { { "T2.1", "breaks off", .run = breaks_off },
                                                { "T2.2", "says nothing", .run = says_nothing },
                                                { "T3.1", "measures itself", .run = measures_itself },
                                                { 0 } };
static const mn_verify_case *const groups[] = { first, second, NULL };

typedef struct transcript {
    char text[2000];
} transcript;

static void write_down(const mn_verify_line *line, void *user)
{
    transcript  *t    = user;
    const size_t used = strlen(t->text);
    snprintf(t->text + used, sizeof t->text - used, "%s %s %s\n", line->id, line->what, mn_verdict_text(line->verdict));
}

static mn_verify_counts run(mn_context *c, const char *id, mn_verify_tier tier, transcript *t)
{
    *t                      = (transcript){ "" };
    const mn_verify_def def = { .ids      = &id,
                                .id_count = id == NULL ? 0 : 1,
                                .tier     = tier,
                                .line     = write_down,
                                .user     = t };
    mn_verify_counts    counts;
    assert_int_equal(mn_verify_run_groups(c, groups, &def, &counts), MN_OK);
    return counts;
}

static void a_verdict_follows_from_the_size_of_the_error(void **state)
{
    (void)state;
    mn_context      *c = test_context(1);
    transcript       t;
    mn_verify_counts n = run(c, "T1.1", MN_TIER_BUILD, &t);
    assert_string_equal(t.text, "T1.1 good good\nT1.1 gate gate\nT1.1 bad FAIL\n");
    assert_int_equal(n.cases * 1000 + n.good * 100 + n.gate * 10 + n.fail, 1111);
    n = run(c, "T1.1", MN_TIER_VERIFY, &t);
    assert_int_equal(n.good, 3);
    test_context_end(&c);
}

static void bounds_hold_on_one_side_and_nan_fails(void **state)
{
    (void)state;
    mn_context            *c = test_context(1);
    transcript             t;
    const mn_verify_counts n = run(c, "t1.10", MN_TIER_BUILD, &t);
    assert_int_equal(n.good, 2);
    assert_int_equal(n.gate, 2);
    assert_int_equal(n.fail, 6);
    test_context_end(&c);
}

static void an_id_chooses_itself_and_what_lies_below_it(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    transcript  t;
    assert_int_equal(run(c, "T1", MN_TIER_BUILD, &t).cases, 2);
    assert_int_equal(run(c, "T1.1", MN_TIER_BUILD, &t).cases, 1);
    assert_int_equal(run(c, NULL, MN_TIER_BUILD, &t).cases, 5);
    const char         *wrong = "T4";
    const mn_verify_def def   = { .ids = &wrong, .id_count = 1 };
    mn_verify_counts    counts;
    assert_int_equal(mn_verify_run_groups(c, groups, &def, &counts), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "'T4'"));
    assert_non_null(strstr(mn_context_error(c), "T3.1"));
    test_context_end(&c);
}

static void a_case_that_breaks_off_or_measures_nothing_fails(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    transcript  t;
    assert_int_equal(run(c, "T2", MN_TIER_BUILD, &t).fail, 2);
    assert_string_equal(t.text, "T2.1 it broke off FAIL\nT2.2 the case measured nothing FAIL\n");
    test_context_end(&c);
}

static void a_line_without_a_world_fails_unless_it_says_so(void **state)
{
    (void)state;
    mn_context            *c = test_context(1);
    transcript             t;
    const mn_verify_counts n = run(c, "T3", MN_TIER_BUILD, &t);
    assert_string_equal(t.text, "T3.1 no world was run for: no world yet FAIL\nT3.1 of the library good\n"
                                "T3.1 of a world good\n");
    assert_int_equal(n.library, 1);
    assert_int_equal(n.fail, 1);
    test_context_end(&c);
}

static void the_ids_of_the_library_are_distinct_and_titled(void **state)
{
    (void)state;
    const int count = mn_verify_case_count();
    assert_true(count > 0);
    for (int k = 0; k < count; k++) {
        assert_true(strlen(mn_verify_case_title(k)) > 0);
        for (int j = 0; j < k; j++) assert_string_not_equal(mn_verify_case_id(j), mn_verify_case_id(k));
    }
    assert_string_equal(mn_verify_case_id(count), "");
    assert_string_equal(mn_verify_case_id(-1), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_verdict_follows_from_the_size_of_the_error),
        cmocka_unit_test(bounds_hold_on_one_side_and_nan_fails),
        cmocka_unit_test(an_id_chooses_itself_and_what_lies_below_it),
        cmocka_unit_test(a_case_that_breaks_off_or_measures_nothing_fails),
        cmocka_unit_test(a_line_without_a_world_fails_unless_it_says_so),
        cmocka_unit_test(the_ids_of_the_library_are_distinct_and_titled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
