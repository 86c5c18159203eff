// SPDX-License-Identifier: MPL-2.0
// Charts: values lie where the numbers at the edges say, gaps stay gaps, and a run gives the charts it has numbers for.
#include "../output/folder.h"
#include "base/file.h"
#include "meniscus/run.h"
#include "plot/chart.h"
#include "testing.h"

#include <math.h>

static const double times[] = { 0.0, 1.0, 2.0, 3.0 }, rising[] = { 0.0, 10.0, NAN, 30.0 },
                    tiny[] = { 0.0, 1e-14, 1e-12, -1e-13 };

static mn_chart lines_of(const double *value, mn_chart_kind kind)
{
    mn_chart c  = { .title        = "a < b",
                    .x_label      = "time (s)",
                    .y_label      = "cm",
                    .kind         = kind,
                    .x            = times,
                    .count        = 4,
                    .series_count = 1 };
    c.series[0] = (mn_series){ "one", value };
    return c;
}

/// The value that a place stands for, read off two ticks as a person would.
static double read_off(const mn_chart_tick *tick, int count, double place)
{
    const double a = strtod(tick[0].text, NULL), b = strtod(tick[count - 1].text, NULL);
    return a + (b - a) * (place - tick[0].place) / (tick[count - 1].place - tick[0].place);
}

static void values_lie_where_the_numbers_say(void **state)
{
    (void)state;
    const mn_chart        c = lines_of(rising, MN_CHART_LINES);
    const mn_chart_layout l = mn_chart_plan(&c);
    assert_true(l.x_ticks >= 3 && l.y_ticks >= 3);
    for (int64_t i = 0; i < 4; i++) {
        const double x = read_off(l.x_tick, l.x_ticks, mn_chart_place_x(&c, &l, i)),
                     y = read_off(l.y_tick, l.y_ticks, mn_chart_place_y(&c, &l, 0, i));
        assert_true(fabs(x - times[i]) < 1e-9);
        if (i != 2) assert_true(fabs(y - rising[i]) < 1e-9);
        else assert_true(isnan(y));
    }
}

static void sizes_of_errors_lie_by_their_power_of_ten(void **state)
{
    (void)state;
    const mn_chart        c = lines_of(tiny, MN_CHART_LOGARITHM);
    const mn_chart_layout l = mn_chart_plan(&c);
    assert_true(mn_chart_place_y(&c, &l, 0, 0) == l.bottom);
    const double one = mn_chart_place_y(&c, &l, 0, 1), two = mn_chart_place_y(&c, &l, 0, 2),
                 middle = mn_chart_place_y(&c, &l, 0, 3);
    assert_true(one < l.bottom && two >= l.top && fabs(0.5 * (one + two) - middle) < 1e-9);
}

static void areas_stand_on_each_other(void **state)
{
    (void)state;
    static const double a[] = { 1.0, 2.0, 3.0, 4.0 }, b[] = { 1.0, 1.0, 1.0, 6.0 };
    mn_chart            c      = lines_of(a, MN_CHART_STACK);
    c.series[c.series_count++] = (mn_series){ "two", b };
    const mn_chart_layout l    = mn_chart_plan(&c);
    assert_true(fabs(read_off(l.y_tick, l.y_ticks, mn_chart_place_y(&c, &l, 1, 3)) - 10.0) < 1e-9);
    assert_true(strcmp(l.y_tick[0].text, "0") == 0);
}

static void a_line_is_broken_at_a_gap_and_text_is_escaped(void **state)
{
    (void)state;
    mn_context    *context = test_context(1);
    const mn_chart c       = lines_of(rising, MN_CHART_LINES);
    mn_buffer      b;
    mn_buffer_init(&b, context);
    mn_chart_svg(&c, &b);
    const char *text = mn_buffer_string(&b);
    assert_non_null(strstr(text, "a &lt; b"));
    const char *line = strstr(text, "stroke-linejoin");
    assert_non_null(line);
    int pieces = 0;
    for (const char *end = strstr(line, "/>"); line < end; line++) pieces += *line == 'M';
    assert_int_equal(pieces, 2);
    mn_buffer_free(&b);
    test_context_end(&context);
}

static void no_samples_and_equal_values_are_drawn_too(void **state)
{
    (void)state;
    static const double same[]  = { 7.0, 7.0, 7.0, 7.0 };
    mn_context         *context = test_context(1);
    for (int kind = MN_CHART_LINES; kind <= MN_CHART_STACK; kind++)
        for (int64_t count = 0; count <= 4; count += 2) {
            mn_chart  c = lines_of(same, (mn_chart_kind)kind);
            mn_buffer b;
            c.count = count;
            mn_buffer_init(&b, context);
            assert_int_equal(mn_chart_png(&c, &b), MN_OK);
            assert_true(b.bytes > 500);
            mn_chart_svg(&c, &b);
            assert_null(strstr(mn_buffer_string(&b) + b.bytes / 2, "nan"));
            mn_buffer_free(&b);
        }
    test_context_end(&context);
}

static void write_text(const char *folder, const char *name, const char *text)
{
    char          path[160];
    mn_file_error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mn_file_write_atomic(path, text, strlen(text), &error), MN_OK);
}

static void a_run_gets_the_charts_it_has_numbers_for(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        out[64], path[160];
    int64_t     charts;
    test_folder(out);
    assert_int_equal(mn_run_plot(c, out, &charts), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "not the folder of a run"));
    write_text(out, "ledger.csv",
               "frame,time,steps,liquid_total,liquid_error,solute_total,solute_error,max_speed\n0,0,0,5,0,0,0,0\n1,0.1,"
               "3,5,0,0,0,2\n");
    write_text(out, "probes.csv", "frame,time,depth\n0,0,1\n1,0.1,2\n");
    write_text(out, "timings.csv", "frame,gather,scatter\n0,0,0\n1,0.5,0.25\n");
    assert_int_equal(mn_run_plot(c, out, &charts), MN_OK);
    assert_int_equal(charts, 5);  // volume, error although zero, speed, the probe, time; no pigment
    static const char *const names[] = { "volume", "error", "speed", "probe-depth", "time" };
    for (int k = 0; k < 5; k++) {
        snprintf(path, sizeof path, "%s/plots/%s.svg", out, names[k]);
        assert_true(mn_file_exists(path));
        snprintf(path, sizeof path, "%s/plots/%s.png", out, names[k]);
        assert_true(mn_file_exists(path));
    }
    test_folder_remove(out);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_lie_where_the_numbers_say),
        cmocka_unit_test(sizes_of_errors_lie_by_their_power_of_ten),
        cmocka_unit_test(areas_stand_on_each_other),
        cmocka_unit_test(a_line_is_broken_at_a_gap_and_text_is_escaped),
        cmocka_unit_test(no_samples_and_equal_values_are_drawn_too),
        cmocka_unit_test(a_run_gets_the_charts_it_has_numbers_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
