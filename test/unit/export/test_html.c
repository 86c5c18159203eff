// SPDX-License-Identifier: MPL-2.0
// A run in a page: what the viewer unpacks is what stands in the frames, as exactly as 16 bits can say it.
#include "export/run_formats.h"
#include "export/viewer.h"
#include "failing_memory.h"
#include "output/json.h"
#include "small_run.h"
#include "unpack.h"

#define EMPTY "<html>before" MN_VIEWER_MARK "after</html>"
#define MOST  16

typedef struct part {
    char    name[64], kind[16], look[16], column[MOST][64];
    int64_t columns, at[MOST], frames, sample[MOST][2], samples;
} part;

typedef struct list {
    char    name[64];
    double  up, frame[MOST][2];
    int64_t frames, fields, parts;
    char    field[MOST][64];
    double  low[MOST], high[MOST];
    part    part[MOST];
} list;

// ---- reading the list ----------------------------------------------------------------------------------------------

static void read_numbers(mn_json *j, double *out, int64_t *count)
{
    bool first = true;
    *count     = 0;
    assert_true(mn_json_open(j, '['));
    while (mn_json_next_item(j, &first)) {
        assert_true(*count < MOST);
        if (!mn_json_read_number(j, &out[*count])) fail_msg("a number was expected");
        (*count)++;
    }
}

static void read_part(mn_json *j, part *p)
{
    char   key[32];
    bool   first = true, inner = true;
    double number[MOST];
    assert_true(mn_json_open(j, '{'));
    while (mn_json_next_key(j, &first, key, sizeof key)) {
        if (strcmp(key, "name") == 0) assert_true(mn_json_read_text(j, p->name, sizeof p->name));
        else if (strcmp(key, "kind") == 0) assert_true(mn_json_read_text(j, p->kind, sizeof p->kind));
        else if (strcmp(key, "look") == 0) assert_true(mn_json_read_text(j, p->look, sizeof p->look));
        else if (strcmp(key, "columns") == 0) {
            assert_true(mn_json_open(j, '['));
            for (inner = true; mn_json_next_item(j, &inner);)
                assert_true(mn_json_read_text(j, p->column[p->columns++], 64));
        } else if (strcmp(key, "at") == 0) {
            read_numbers(j, number, &p->frames);
            for (int64_t k = 0; k < p->frames; k++) p->at[k] = (int64_t)number[k];
        } else if (strcmp(key, "samples") == 0) {
            assert_true(mn_json_open(j, '['));
            for (inner = true; mn_json_next_item(j, &inner); p->samples++) {
                bool pair = true;
                assert_true(mn_json_open(j, '['));
                assert_true(mn_json_next_item(j, &pair) && mn_json_read_number(j, &number[0]) &&
                            mn_json_next_item(j, &pair));
                p->sample[p->samples][0] = (int64_t)number[0];
                if (j->at[0] == 'n') {
                    p->sample[p->samples][1] = -1;
                    assert_true(mn_json_skip(j));
                } else {
                    assert_true(mn_json_read_number(j, &number[1]));
                    p->sample[p->samples][1] = (int64_t)number[1];
                }
                assert_false(mn_json_next_item(j, &pair));
            }
        } else assert_true(mn_json_skip(j));
    }
}

static void read_field(mn_json *j, list *l)
{
    char key[32];
    bool first = true;
    assert_true(mn_json_open(j, '{'));
    while (mn_json_next_key(j, &first, key, sizeof key)) {
        if (strcmp(key, "name") == 0) assert_true(mn_json_read_text(j, l->field[l->fields], 64));
        else if (strcmp(key, "low") == 0) assert_true(mn_json_read_number(j, &l->low[l->fields]));
        else if (strcmp(key, "high") == 0) assert_true(mn_json_read_number(j, &l->high[l->fields]));
        else assert_true(mn_json_skip(j));
    }
    l->fields++;
}

static list *read_list(const mn_buffer *text)
{
    list   *l = calloc(1, sizeof *l);
    mn_json j = mn_json_begin((const char *)text->data, text->bytes);
    char    key[32];
    bool    first = true, inner;
    assert_non_null(l);
    assert_true(mn_json_open(&j, '{'));
    while (mn_json_next_key(&j, &first, key, sizeof key)) {
        inner = true;
        int64_t two;
        if (strcmp(key, "name") == 0) assert_true(mn_json_read_text(&j, l->name, sizeof l->name));
        else if (strcmp(key, "up") == 0) assert_true(mn_json_read_number(&j, &l->up));
        else if (strcmp(key, "frames") == 0)
            for (assert_true(mn_json_open(&j, '[')); mn_json_next_item(&j, &inner);)
                read_numbers(&j, l->frame[l->frames++], &two);
        else if (strcmp(key, "fields") == 0)
            for (assert_true(mn_json_open(&j, '[')); mn_json_next_item(&j, &inner);) read_field(&j, l);
        else if (strcmp(key, "parts") == 0)
            for (assert_true(mn_json_open(&j, '[')); mn_json_next_item(&j, &inner);)
                read_part(&j, &l->part[l->parts++]);
        else assert_true(mn_json_skip(&j));
    }
    assert_false(j.bad);
    return l;
}

// ---- the page ------------------------------------------------------------------------------------------------------

static mn_buffer block_of(mn_context *c, const char *html, const char *id)
{
    char mark[96];
    snprintf(mark, sizeof mark, "<script type=\"text/plain\" id=\"%s\">", id);
    const char *at = strstr(html, mark);
    if (at == NULL) fail_msg("the page has no '%s'", id);
    at += strlen(mark);
    return unpack_text(c, at, strcspn(at, "<"));
}

static mn_buffer numbered(mn_context *c, const char *html, int64_t number)
{
    char id[40];
    snprintf(id, sizeof id, "block-%lld", (long long)number);
    return block_of(c, html, id);
}

static mn_status write_page(fixture *f, const mn_page_def *def, const char *path, mn_export_skipped *skipped)
{
    mn_run_folder *folder = NULL;
    mn_scene      *scene  = NULL;
    *skipped              = (mn_export_skipped){ .count = 0 };
    mn_status status      = mn_run_folder_open(f->context, f->out, &folder);
    if (status == MN_OK)
        status = mn_scene_load(f->context,
                               &(mn_scene_source){ .name  = "small",
                                                   .text  = small_scene,
                                                   .bytes = sizeof small_scene - 1 },
                               &scene);
    if (status == MN_OK)
        status = mn_html_write(f->context, folder, scene, def, (const unsigned char *)EMPTY, strlen(EMPTY), path,
                               skipped);
    mn_scene_destroy(&scene);
    mn_run_folder_close(f->context, &folder);
    return status;
}

typedef struct opened {
    char *html;
    list *list;
} opened;

static opened open_page(fixture *f, const mn_page_def *def)
{
    char              path[128];
    size_t            bytes;
    mn_export_skipped skipped;
    opened            o;
    snprintf(path, sizeof path, "%s/page.html", f->base);
    if (write_page(f, def, path, &skipped) != MN_OK) fail_msg("%s", mn_context_error(f->context));
    o.html         = read_text(f, f->base, "page.html", &bytes);
    mn_buffer text = block_of(f->context, o.html, "run");
    o.list         = read_list(&text);
    mn_buffer_free(&text);
    return o;
}

static void close_page(fixture *f, opened *o)
{
    free(o->list);
    mn_free(f->context, o->html);
}

static double wanted_value(const mn_frame_part *p, const char *column, int64_t i)
{
    static const char *const xyz = "xyz";
    if (strlen(column) == 1 && strchr(xyz, column[0]) != NULL)
        return mn_frame_array_value(&p->points, i, (int)(strchr(xyz, column[0]) - xyz));
    const bool            speed = strcmp(column, "speed") == 0;
    const mn_frame_array *a     = mn_frame_array_find(p, speed ? "velocity" : column);
    assert_non_null(a);
    if (!speed) return mn_frame_array_value(a, i, 0);
    return sqrt(pow(mn_frame_array_value(a, i, 0), 2) + pow(mn_frame_array_value(a, i, 1), 2) +
                pow(mn_frame_array_value(a, i, 2), 2));
}

static void compare_points(const part *p, const mn_buffer *block, const mn_frame_part *frame)
{
    uint32_t count;
    memcpy(&count, block->data, 4);
    assert_int_equal(count, frame->point_count);
    const unsigned char *at   = block->data + 4;
    double              *back = malloc(count * sizeof *back + 1);
    assert_non_null(back);
    for (int64_t k = 0; k < p->columns; k++) {
        double low = INFINITY, high = -INFINITY;
        at = unpack_reals(at, count, back);
        for (uint32_t i = 0; i < count; i++) {
            low  = fmin(low, wanted_value(frame, p->column[k], i));
            high = fmax(high, wanted_value(frame, p->column[k], i));
        }
        // Half a step, and the last digits of the sum.
        for (uint32_t i = 0; i < count; i++)
            assert_near(back[i], wanted_value(frame, p->column[k], i),
                        0.5 * (high - low) / 65534.0 * (1.0 + 1e-6) + 1e-12 * fmax(fabs(low), fabs(high)));
    }
    assert_int_equal(at - block->data, block->bytes);
    free(back);
}

static void compare_shape(const mn_buffer *block, const mn_frame_part *frame)
{
    uint32_t count[2];
    memcpy(count, block->data, 8);
    const int64_t corners = frame->ends != NULL ? frame->ends[frame->cell_count - 1] : 3 * frame->cell_count;
    assert_int_equal(count[0], corners);
    assert_int_equal(count[1], frame->ends != NULL ? frame->cell_count : 0);
    uint32_t *back = malloc((count[0] + count[1]) * sizeof *back + 1);
    assert_non_null(back);
    unpack_whole(block->data + 8, count[0], 4, back);
    unpack_whole(block->data + 8 + 4 * count[0], count[1], 4, back + count[0]);
    assert_memory_equal(back, frame->cells, 4 * count[0]);
    if (count[1] > 0) assert_memory_equal(back + count[0], frame->ends, 4 * count[1]);
    assert_int_equal(block->bytes, 8 + 4 * (count[0] + count[1]));
    free(back);
}

static void compare_frame(fixture *f, const opened *o, const part *p, int64_t k)
{
    assert_true(p->at[k] >= 0 && p->at[k] < p->samples);
    const int64_t *sample = p->sample[p->at[k]];
    char           name[128];
    snprintf(name, sizeof name, "%s.%06lld.vtp", p->name, (long long)o->list->frame[k][0]);
    mn_vtp_part *frame  = read_frame_file(f, name);
    mn_buffer    points = numbered(f->context, o->html, sample[0]);
    compare_points(p, &points, &frame->part);
    mn_buffer_free(&points);
    assert_int_equal(sample[1] < 0, frame->part.kind == MN_CELLS_VERTICES);
    assert_string_equal(p->look, mn_look_name(frame->part.look));
    if (sample[1] >= 0) {
        mn_buffer shape = numbered(f->context, o->html, sample[1]);
        compare_shape(&shape, &frame->part);
        mn_buffer_free(&shape);
    }
    mn_vtp_part_destroy(f->context, &frame);
}

// ---- tests ---------------------------------------------------------------------------------------------------------

static void a_page_holds_every_part_of_every_frame(void **state)
{
    (void)state;
    fixture           f   = set_up();
    const mn_page_def def = mn_page_def_default();
    opened            o   = open_page(&f, &def);
    assert_string_equal(o.list->name, "export");
    assert_true(o.list->up == 2.0);
    assert_int_equal(o.list->frames, 3);
    assert_near(o.list->frame[2][1], 0.02, 1e-12);
    assert_int_equal(strncmp(o.html, "<html>before<script", 19), 0);
    assert_non_null(strstr(o.html, "</script>\nafter</html>"));
    int64_t kinds[3] = { 0, 0, 0 };
    for (int64_t n = 0; n < o.list->parts; n++) {
        const part *p = &o.list->part[n];
        kinds[0] += strcmp(p->kind, "points") == 0;
        kinds[1] += strcmp(p->kind, "lines") == 0;
        kinds[2] += strcmp(p->kind, "triangles") == 0;
        for (int64_t k = 0; k < 3; k++) compare_frame(&f, &o, p, k);
    }
    assert_true(kinds[0] == 1 && kinds[1] == 1 && kinds[2] >= 2);
    close_page(&f, &o);
    tear_down(&f);
}

static void what_joins_the_points_is_there_once_while_it_stays(void **state)
{
    (void)state;
    fixture           f   = set_up();
    const mn_page_def def = mn_page_def_default();
    opened            o   = open_page(&f, &def);
    for (int64_t n = 0; n < o.list->parts; n++) {
        const part *p = &o.list->part[n];
        if (strcmp(p->name, "cloth") != 0 && strcmp(p->name, "yarn") != 0) continue;
        for (int64_t k = 1; k < 3; k++) {
            assert_int_equal(p->sample[k][1], p->sample[0][1]);
            assert_int_not_equal(p->sample[k][0], p->sample[0][0]);
        }
    }
    close_page(&f, &o);
    tear_down(&f);
}

static bool has_column(const part *p, const char *name)
{
    for (int64_t k = 0; k < p->columns; k++)
        if (strcmp(p->column[k], name) == 0) return true;
    return false;
}

static void frames_and_fields_can_be_chosen(void **state)
{
    (void)state;
    fixture     f   = set_up();
    mn_page_def def = mn_page_def_default();
    def.every = 2, def.fields = "saturation,speed";
    opened o = open_page(&f, &def);
    assert_int_equal(o.list->frames, 2);
    assert_true(o.list->frame[1][0] == 2.0);
    assert_int_equal(o.list->fields, 2);
    for (int64_t k = 0; k < 2; k++) assert_true(o.list->high[k] > o.list->low[k]);
    for (int64_t n = 0; n < o.list->parts; n++) {
        const part *p = &o.list->part[n];
        assert_false(has_column(p, "held"));
        assert_int_equal(has_column(p, "radius"), strcmp(p->name, "yarn") == 0);  // drawn with, whoever asks
        assert_int_equal(has_column(p, "volume"), strcmp(p->name, "particles") == 0);
        for (int64_t k = 0; k < 2; k++) compare_frame(&f, &o, p, k);
    }
    close_page(&f, &o);

    char              path[128];
    mn_export_skipped skipped;
    snprintf(path, sizeof path, "%s/none.html", f.base);
    def.fields = "speed,sped";
    assert_int_equal(write_page(&f, &def, path, &skipped), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(f.context), "'sped'; there are: "));
    assert_non_null(strstr(mn_context_error(f.context), "saturation"));
    def.fields = NULL, def.first = 7;
    assert_int_equal(write_page(&f, &def, path, &skipped), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(f.context), "there are 0 to 2"));
    assert_false(mn_file_exists(path));
    tear_down(&f);
}

static void a_page_that_would_be_too_large_is_refused_with_its_size(void **state)
{
    (void)state;
    fixture           f   = set_up();
    mn_page_def       def = mn_page_def_default();
    char              path[128];
    mn_export_skipped skipped;
    snprintf(path, sizeof path, "%s/large.html", f.base);
    def.limit = 4000;
    assert_int_equal(write_page(&f, &def, path, &skipped), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(f.context), "more than the limit"));
    assert_non_null(strstr(mn_context_error(f.context), "--every "));
    assert_int_equal(test_folder_count(f.base), 1);  // the run alone: nothing half written
    tear_down(&f);
}

static void a_damaged_file_is_left_out_and_said(void **state)
{
    (void)state;
    fixture f = set_up();
    char    path[160];
    snprintf(path, sizeof path, "%s/frames/cloth.000001.vtp", f.out);
    assert_int_equal(truncate(path, 700), 0);
    const mn_page_def def = mn_page_def_default();
    mn_export_skipped skipped;
    snprintf(path, sizeof path, "%s/page.html", f.base);
    assert_int_equal(write_page(&f, &def, path, &skipped), MN_OK);
    assert_int_equal(skipped.count, 1);
    assert_non_null(strstr(skipped.last, "cloth.000001.vtp"));
    opened o = open_page(&f, &def);
    for (int64_t n = 0; n < o.list->parts; n++)
        assert_int_equal(o.list->part[n].at[1] == -1, strcmp(o.list->part[n].name, "cloth") == 0);
    close_page(&f, &o);
    tear_down(&f);
}

typedef struct poor_page {
    fixture f;
    int64_t apart;  ///< requests from one that is refused to the next
} poor_page;

/// A refused page leaves no file.
static mn_status write_whole_page(failing_memory *m, void *user)
{
    fixture          *f   = &((poor_page *)user)->f;
    const mn_page_def def = mn_page_def_default();
    mn_export_skipped skipped;
    char              path[128];
    snprintf(path, sizeof path, "%s/page.html", f->base);
    const mn_status status = write_page(f, &def, path, &skipped);
    grant_all(m);
    assert_int_equal(test_folder_count(f->base), status == MN_OK ? 2 : 1);
    if (status == MN_OK) assert_int_equal(unlink(path), 0);
    return status;
}

static int64_t some_later(int64_t granted, const void *user) { return granted + ((const poor_page *)user)->apart; }

static void refused_memory_leaves_neither_blocks_nor_files(void **state)
{
    (void)state;
    fixture        f      = set_up();
    failing_memory memory = PLENTY_OF_MEMORY;
    poor_page      poor   = { .f = f };
    poor.f.context        = failing_context(&memory);
    const int64_t before  = mn_context_memory(poor.f.context).calls;
    assert_int_equal(write_whole_page(&memory, &poor), MN_OK);
    poor.apart = 1 + (mn_context_memory(poor.f.context).calls - before) / 300;  // all would take minutes
    assert_true(survives_every_failing_allocation(&memory, write_whole_page, &poor, some_later) > 10);
    mn_context_destroy(&poor.f.context);
    tear_down(&f);
}

static void the_library_writes_pages_or_says_what_is_missing(void **state)
{
    (void)state;
    fixture          f   = set_up();
    mn_page_def      def = mn_page_def_default();
    mn_export_result r;
    size_t           bytes;
    char             path[160];
    snprintf(path, sizeof path, "%s/new/folder/page.html", f.base);
    def.out = f.out, def.to = path;
    const mn_status status = mn_run_export_page(f.context, &def, &r);
    if (mn_viewer_page(&bytes) == NULL) {
        assert_int_equal(status, MN_ERR_STATE);
        assert_non_null(strstr(mn_context_error(f.context), "install nodejs and npm"));
        assert_int_equal(test_folder_count(f.base), 1);
    } else {
        if (status != MN_OK) fail_msg("%s", mn_context_error(f.context));
        assert_int_equal(r.files, 1);
        assert_true(r.bytes > (double)bytes);
        assert_int_equal(mn_run_export(f.context, f.out, MN_EXPORT_HTML, f.to, &r), MN_OK);
        assert_int_equal(test_folder_count(f.to), 1);
    }
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_holds_every_part_of_every_frame),
        cmocka_unit_test(what_joins_the_points_is_there_once_while_it_stays),
        cmocka_unit_test(frames_and_fields_can_be_chosen),
        cmocka_unit_test(a_page_that_would_be_too_large_is_refused_with_its_size),
        cmocka_unit_test(a_damaged_file_is_left_out_and_said),
        cmocka_unit_test(refused_memory_leaves_neither_blocks_nor_files),
        cmocka_unit_test(the_library_writes_pages_or_says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
