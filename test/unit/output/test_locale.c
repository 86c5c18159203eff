// SPDX-License-Identifier: MPL-2.0
// Numbers in files have a point, whatever language the program that uses the library has set.
#include "testing.h"

#include "base/context.h"
#include "base/memory.h"
#include "output/buffer.h"
#include "output/csv.h"
#include "output/json.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/// Make the whole program write numbers with a comma; false on a machine that knows no such language.
static bool speak_with_commas(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8",
                                         "es_ES.utf8",  "it_IT.utf8", "nl_NL.utf8",  "de_DE" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char text[16];
        if (setlocale(LC_ALL, names[k]) == NULL) continue;
        snprintf(text, sizeof text, "%.1f", 0.5);
        if (strchr(text, ',') != NULL) return true;
    }
    setlocale(LC_ALL, "C");
    return false;
}

static void written_numbers_have_a_point(void **state)
{
    (void)state;
    if (!speak_with_commas()) skip();
    mn_context *c = test_context(1);
    mn_buffer   b;
    mn_buffer_init(&b, c);
    mn_buffer_print(&b, "%.17g ", 0.25);
    mn_json_number(&b, -1.5);
    assert_string_equal(mn_buffer_string(&b), "0.25 -1.5");
    char text[16];
    snprintf(text, sizeof text, "%.2f", 0.25);
    assert_string_equal(text, "0,25");  // the caller's language is as it was
    mn_buffer_free(&b);
    test_context_end(&c);
    setlocale(LC_ALL, "C");
}

static void numbers_are_read_with_a_point(void **state)
{
    (void)state;
    if (!speak_with_commas()) skip();
    mn_context *c       = test_context(1);
    const char  table[] = "frame,time\n3,0.125\n";
    mn_csv      csv;
    assert_int_equal(mn_csv_parse(c, table, strlen(table), &csv), MN_OK);
    assert_int_equal(csv.row_count, 1);
    assert_near(csv.value[1], 0.125, 0.0);
    mn_csv_free(c, &csv);
    const char text[] = "0.125";
    mn_json    json   = mn_json_begin(text, strlen(text));
    double     value  = 0.0;
    assert_true(mn_json_read_number(&json, &value));
    assert_near(value, 0.125, 0.0);
    test_context_end(&c);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(written_numbers_have_a_point),
                                        cmocka_unit_test(numbers_are_read_with_a_point) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
