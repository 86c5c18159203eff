// SPDX-License-Identifier: MPL-2.0
// export/html.c - a run inside the page of the viewer.
//
// A page is the empty one with the run in its middle: blocks of numbers, each a script element that the browser does
// not run but keeps as text, <script type="text/plain" id="block-7">, and after them one with the id "run", a list in
// JSON of what the blocks are. All are base64 of gzip, so that nothing in them can end the element early. A block holds
// the points of a part at one frame, or what joins them, and is there once if several frames share it (page_part.h
// tells its bytes):
//
//   name, up (0 to 2), flat (two dimensions), camera (from, to, angle; null if the scene has none)
//   frames   [number, time] each
//   colors   of the scale, from its low end to its high end
//   fields   name, unit, and low, high and step of a legend
//   parts    name, kind, look (output/look.h), columns, low and high corner; samples [block of points, block of what
//            joins them or null]; at: which sample each frame shows, or -1
#include "draw/colormap.h"
#include "draw/colour.h"
#include "export/formats.h"
#include "export/page_part.h"
#include "export/run_formats.h"
#include "export/viewer.h"
#include "output/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/// Colours of the scale that the page gets; between them it mixes.
#define COLORS 17

typedef struct field {
    char          name[64];
    mn_pack_range range;
} field;

/// What is known of a part while its frames go by.
typedef struct course {
    mn_page_part  plan;           // without columns: the part has no files
    int64_t       file;           // number of the file last read, -1: none yet
    bool          held;           // it stays until the next one
    int64_t       shape, sample;  // block and sample last written, -1: none
    int64_t       samples;        // so far
    uint64_t      hash;           // of that shape
    mn_pack_range range[MN_PAGE_COLUMNS_MAX];
    mn_buffer     list, at;  // samples, and which one each frame shows, in JSON
} course;

typedef struct page {
    mn_context          *context;
    const mn_run_folder *folder;
    const mn_page_def   *def;
    mn_export_skipped   *skipped;
    mn_file_stream       file;
    mn_buffer            raw, text;  // a block; what goes to the file next
    course              *course;     // of every part of the folder
    field               *field;
    int64_t              field_count, field_capacity;
    int64_t              blocks;              // so far
    double               written, seen, all;  // bytes of the page, of frame files read and of those to read
} page;

static bool is_wanted(const page *p, int64_t k)
{
    const int64_t frame = p->folder->frame[k];
    return frame >= p->def->first && (p->def->last < 0 || frame <= p->def->last) &&
           (frame - p->def->first) % p->def->every == 0;
}

static mn_status flush(page *p)
{
    mn_file_error error;
    MN_TRY(mn_buffer_status(&p->text));
    if (mn_file_stream_add(&p->file, p->text.data, p->text.bytes, &error) != MN_OK)
        return mn_file_fail(p->context, &error);
    p->written += (double)p->text.bytes;
    mn_buffer_clear(&p->text);
    return MN_OK;
}

/// What is in `raw` as an element of the page.
static mn_status add_block(page *p, const char *id)
{
    MN_TRY(mn_buffer_status(&p->raw));
    mn_buffer_print(&p->text, "<script type=\"text/plain\" id=\"%s\">", id);
    MN_TRY(mn_pack_text(&p->text, p->raw.data, p->raw.bytes));
    mn_buffer_text(&p->text, "</script>\n");
    mn_buffer_clear(&p->raw);
    return flush(p);
}

static mn_status add_numbered(page *p, int64_t *number)
{
    char id[40];
    *number = p->blocks++;
    snprintf(id, sizeof id, "block-%lld", (long long)*number);
    return add_block(p, id);
}

/// Stops before the page is too large to be of use, and tells what it would have become.
static mn_status check_limit(page *p)
{
    if (p->written <= p->def->limit) return MN_OK;
    const double whole = p->written * fmax(1.0, p->all / p->seen), share = ceil(whole / p->def->limit);
    return mn_fail(p->context, MN_ERR_ARGUMENT,
                   "the page would have about %.0f MB, more than the limit of %.0f MB; take one of %.0f frames "
                   "(--every %.0f), fewer of them "
                   "(--frames A..B), fewer values (--fields A,B) or a higher --limit",
                   whole / 1e6, p->def->limit / 1e6, share * (double)p->def->every, share * (double)p->def->every);
}

// ---- before anything is written
// ---------------------------------------------------------------------------------------

static mn_status note_field(page *p, const char *name, mn_pack_range range)
{
    int64_t k = 0;
    while (k < p->field_count && strcmp(p->field[k].name, name) != 0) k++;
    if (k == p->field_count) {
        MN_TRY(mn_array_reserve(p->context, &p->field, &p->field_capacity, p->field_count + 1, sizeof *p->field));
        p->field[p->field_count++] = (field){ .range = { INFINITY, -INFINITY } };
        snprintf(p->field[k].name, sizeof p->field[k].name, "%s", name);
    }
    p->field[k].range = (mn_pack_range){ fmin(p->field[k].range.low, range.low),
                                         fmax(p->field[k].range.high, range.high) };
    return MN_OK;
}

static mn_status plan_part(page *p, int64_t part)
{
    mn_vtp_part *first;
    MN_TRY(mn_export_first(p->context, p->folder, part, &first));
    if (first == NULL) return MN_OK;
    mn_status          status = MN_OK;
    const mn_page_part whole  = mn_page_part_plan(&first->part, NULL);
    for (int k = 0; k < whole.column_count && status == MN_OK; k++)
        if (whole.column[k].is_field)
            status = note_field(p, whole.column[k].name, (mn_pack_range){ INFINITY, -INFINITY });
    p->course[part].plan = mn_page_part_plan(&first->part, p->def->fields);
    mn_vtp_part_destroy(p->context, &first);
    return status;
}

/// Every name that was asked for must be one of a field.
static mn_status check_fields(page *p)
{
    for (const char *word = p->def->fields; word != NULL; word = strchr(word, ',')) {
        word += *word == ',';
        char    all[1024] = "none", name[64];
        int64_t k         = 0;
        size_t  used      = 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ","), word);
        while (k < p->field_count && strcmp(p->field[k].name, name) != 0) k++;
        if (k < p->field_count) continue;
        for (k = 0; k < p->field_count && used < sizeof all - 80; k++)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", k > 0 ? ", " : "", p->field[k].name);
        return mn_fail(p->context, MN_ERR_ARGUMENT, "%s: no part has a field '%s'; there are: %s", p->folder->out, name,
                       all);
    }
    return MN_OK;
}

/// Bytes of the file a part shows in a frame; 0 if it has none.
static double file_bytes(const page *p, int64_t part, int64_t frame)
{
    char          path[MN_PATH_BYTES], name[256];
    double        bytes = 0.0;
    mn_file_error error;
    snprintf(name, sizeof name, "frames/%s.%06lld.vtp", p->folder->part[part].name, (long long)frame);
    if (mn_path_join(path, p->folder->out, name, &error) != MN_OK || mn_file_size(path, &bytes, &error) != MN_OK)
        return 0.0;
    return bytes;
}

static mn_status begin_courses(page *p)
{
    p->course = mn_alloc_array(p->context, course, p->folder->part_count);
    if (p->course == NULL) return MN_ERR_MEMORY;
    for (int64_t part = 0; part < p->folder->part_count; part++) {
        course *s = &p->course[part];
        s->file = s->shape = s->sample = -1;
        for (int k = 0; k < MN_PAGE_COLUMNS_MAX; k++) s->range[k] = (mn_pack_range){ INFINITY, -INFINITY };
        mn_buffer_init(&s->list, p->context);
        mn_buffer_init(&s->at, p->context);
    }
    return MN_OK;
}

static void end_courses(page *p)
{
    for (int64_t part = 0; p->course != NULL && part < p->folder->part_count; part++) {
        mn_buffer_free(&p->course[part].list);
        mn_buffer_free(&p->course[part].at);
    }
    mn_free(p->context, p->course);
}

static mn_status plan_run(page *p)
{
    int64_t wanted = 0;
    for (int64_t k = 0; k < p->folder->frame_count; k++) {
        if (!is_wanted(p, k)) continue;
        wanted++;
        for (int64_t part = 0; part < p->folder->part_count; part++) p->all += file_bytes(p, part, p->folder->frame[k]);
    }
    if (wanted == 0)
        return mn_fail(p->context, MN_ERR_ARGUMENT, "%s: no frame is among those asked for; there are %lld to %lld",
                       p->folder->out, (long long)p->folder->frame[0],
                       (long long)p->folder->frame[p->folder->frame_count - 1]);
    MN_TRY(begin_courses(p));
    for (int64_t part = 0; part < p->folder->part_count; part++) MN_TRY(plan_part(p, part));
    return check_fields(p);
}

// ---- the frames
// -----------------------------------------------------------------------------------------------------------

static mn_status add_sample(page *p, course *s, const mn_frame_part *now)
{
    int64_t points;
    MN_TRY(mn_page_add_points(&p->raw, &s->plan, now, s->range));
    MN_TRY(add_numbered(p, &points));
    const uint64_t hash = mn_part_shape_hash(now);
    if (now->kind != MN_CELLS_VERTICES && (s->shape < 0 || hash != s->hash)) {
        MN_TRY(mn_page_add_shape(&p->raw, now));
        MN_TRY(add_numbered(p, &s->shape));
        s->hash = hash;
    }
    mn_buffer_print(&s->list, s->shape < 0 ? "%s[%lld,null]" : "%s[%lld,%lld]", s->samples > 0 ? "," : "",
                    (long long)points, (long long)s->shape);
    s->sample = s->samples++;
    return mn_buffer_status(&s->list);
}

/// Number of the newest file up to a frame, or -1.
static int64_t newest_file(const mn_run_part *files, int64_t frame)
{
    int64_t k = files->count - 1;
    while (k >= 0 && files->file[k] > frame) k--;
    return k < 0 ? -1 : files->file[k];
}

/// Sets s->sample to what the part shows in a frame, -1 for nothing.
static mn_status take_frame(page *p, int64_t part, int64_t frame)
{
    course       *s    = &p->course[part];
    const int64_t file = newest_file(&p->folder->part[part], frame);
    if (file < 0 || (file == s->file && s->held)) return MN_OK;
    mn_vtp_part *now;
    s->file   = file;
    s->sample = -1;
    MN_TRY(mn_export_read(p->context, p->folder, part, frame, &now, p->skipped));
    s->held = now != NULL ? now->part.timeless : file == frame;  // a damaged file is told of once
    p->seen += file_bytes(p, part, file);
    if (now == NULL) return MN_OK;
    mn_status status = MN_OK;
    if (now->part.kind == s->plan.kind) status = add_sample(p, s, &now->part);
    else {
        p->skipped->count++;
        snprintf(p->skipped->last, sizeof p->skipped->last, "%s of frame %lld is another kind of thing than before",
                 now->name, (long long)file);
    }
    mn_vtp_part_destroy(p->context, &now);
    return status == MN_OK ? check_limit(p) : status;
}

/// Frame by frame, so that what is written early is like what comes late.
static mn_status take_frames(page *p)
{
    const char *comma = "";
    for (int64_t k = 0; k < p->folder->frame_count; k++) {
        if (!is_wanted(p, k)) continue;
        for (int64_t part = 0; part < p->folder->part_count; part++) {
            course *s = &p->course[part];
            if (s->plan.column_count == 0) continue;
            MN_TRY(take_frame(p, part, p->folder->frame[k]));
            mn_buffer_print(&s->at, "%s%lld", comma, (long long)s->sample);
        }
        comma = ",";
    }
    return MN_OK;
}

// ---- the list of what there is
// ---------------------------------------------------------------------------------------

static void add_corner(mn_buffer *out, const char *name, double x, double y, double z)
{
    const double at[3] = { x, y, z };
    mn_buffer_print(out, ",\"%s\":", name);
    for (int k = 0; k < 3; k++) {
        mn_buffer_text(out, k == 0 ? "[" : ",");
        mn_json_number(out, at[k]);
    }
    mn_buffer_text(out, "]");
}

static void add_part(mn_buffer *out, const char *name, const course *s)
{
    static const char *const kinds[] = { "points", "lines", "triangles" };
    mn_buffer_text(out, "{\"name\":");
    mn_json_text(out, name);
    mn_buffer_print(out, ",\"kind\":\"%s\",\"look\":\"%s\",\"columns\":[", kinds[s->plan.kind],
                    mn_look_name(s->plan.look));
    for (int k = 0; k < s->plan.column_count; k++) {
        if (k > 0) mn_buffer_text(out, ",");
        mn_json_text(out, s->plan.column[k].name);
    }
    mn_buffer_text(out, "],\"at\":[");
    mn_buffer_add(out, s->at.data, s->at.bytes);
    mn_buffer_text(out, "],\"samples\":[");
    mn_buffer_add(out, s->list.data, s->list.bytes);
    mn_buffer_text(out, "]");
    add_corner(out, "low", s->range[0].low, s->range[1].low, s->range[2].low);
    add_corner(out, "high", s->range[0].high, s->range[1].high, s->range[2].high);
    mn_buffer_text(out, "}");
}

static mn_status add_parts(mn_buffer *out, const page *p)
{
    const char *comma = "";
    mn_buffer_text(out, ",\n\"parts\":[");
    for (int64_t part = 0; part < p->folder->part_count; part++) {
        const course *s = &p->course[part];
        if (s->plan.column_count == 0) continue;
        MN_TRY(mn_buffer_status(&s->at));
        mn_buffer_text(out, comma);
        add_part(out, p->folder->part[part].name, s);
        comma = ",\n";
    }
    mn_buffer_text(out, "]}\n");
    return MN_OK;
}

/// The ranges of the fields are those of all parts that have them.
static mn_status gather_fields(page *p)
{
    for (int64_t part = 0; part < p->folder->part_count; part++) {
        const course *s = &p->course[part];
        for (int k = 0; k < s->plan.column_count; k++)
            if (s->plan.column[k].is_field) MN_TRY(note_field(p, s->plan.column[k].name, s->range[k]));
    }
    return MN_OK;
}

static void add_view(mn_buffer *out, const mn_scene *scene)
{
    const mn_domain_def domain = mn_scene_domain(scene);
    const mn_camera_def camera = mn_scene_camera(scene);
    mn_buffer_text(out, "{\"name\":");
    mn_json_text(out, mn_scene_name(scene));
    mn_buffer_print(out, ",\"up\":%d,\"flat\":%s,\"camera\":", domain.up, domain.dimension == 2 ? "true" : "false");
    if (!camera.given) {
        mn_buffer_text(out, "null");
        return;
    }
    mn_buffer_print(out, "{\"angle\":%.9g", camera.angle);
    add_corner(out, "from", camera.from[0], camera.from[1], camera.from[2]);
    add_corner(out, "to", camera.to[0], camera.to[1], camera.to[2]);
    mn_buffer_text(out, "}");
}

static void add_frames(mn_buffer *out, const page *p)
{
    const char *comma = "";
    mn_buffer_text(out, ",\n\"frames\":[");
    for (int64_t k = 0; k < p->folder->frame_count; k++) {
        if (!is_wanted(p, k)) continue;
        mn_buffer_print(out, "%s[%lld,", comma, (long long)p->folder->frame[k]);
        mn_json_number(out, p->folder->time[k]);
        mn_buffer_text(out, "]");
        comma = ",";
    }
    mn_buffer_text(out, "]");
}

static void add_colors(mn_buffer *out)
{
    mn_buffer_text(out, ",\n\"colors\":[");
    for (int k = 0; k < COLORS; k++) {
        const mn_f3 c = mn_colormap(k / (COLORS - 1.0));
        mn_buffer_print(out, "%s\"#%02x%02x%02x\"", k > 0 ? "," : "", mn_srgb_byte(c.x), mn_srgb_byte(c.y),
                        mn_srgb_byte(c.z));
    }
    mn_buffer_text(out, "]");
}

/// Those that have a number anywhere.
static void add_fields(mn_buffer *out, const page *p)
{
    const char *comma = "";
    mn_buffer_text(out, ",\n\"fields\":[");
    for (int64_t k = 0; k < p->field_count; k++) {
        const field *f = &p->field[k];
        if (!(f->range.low <= f->range.high)) continue;
        const mn_ticks t = mn_ticks_round(f->range.low, f->range.high);
        mn_buffer_print(out, "%s{\"name\":", comma);
        mn_json_text(out, f->name);
        mn_buffer_print(out, ",\"unit\":\"%s\",\"low\":%.9g,\"high\":%.9g,\"step\":%.9g}", mn_field_unit(f->name),
                        t.low, t.high, t.step);
        comma = ",";
    }
    mn_buffer_text(out, "]");
}

static mn_status add_list(page *p, const mn_scene *scene)
{
    MN_TRY(gather_fields(p));
    add_view(&p->raw, scene);
    add_frames(&p->raw, p);
    add_colors(&p->raw);
    add_fields(&p->raw, p);
    MN_TRY(add_parts(&p->raw, p));
    return add_block(p, "run");
}

// ---- the page
// ----------------------------------------------------------------------------------------------------------

static mn_status add_run(page *p, const mn_scene *scene)
{
    MN_TRY(take_frames(p));
    if (p->blocks == 0) return mn_fail(p->context, MN_ERR_FILE, "no frame could be read: %.400s", p->skipped->last);
    return add_list(p, scene);
}

/// Where the run goes in the empty page; its end if there is no mark.
static size_t find_mark(const unsigned char *empty, size_t bytes)
{
    const size_t length = strlen(MN_VIEWER_MARK);
    for (size_t k = 0; k + length <= bytes; k++)
        if (memcmp(empty + k, MN_VIEWER_MARK, length) == 0) return k;
    return bytes;
}

static mn_status fill_page(page *p, const mn_scene *scene, const unsigned char *empty, size_t bytes, const char *path)
{
    mn_file_error error;
    const size_t  mark = find_mark(empty, bytes), behind = mark + strlen(MN_VIEWER_MARK);
    if (mark == bytes) return mn_fail(p->context, MN_ERR_ARGUMENT, "the page of the viewer has no place for a run");
    MN_TRY(plan_run(p));
    if (mn_file_stream_open(&p->file, path, &error) != MN_OK) return mn_file_fail(p->context, &error);
    mn_buffer_add(&p->text, empty, mark);
    mn_status status = add_run(p, scene);
    mn_buffer_add(&p->text, empty + behind, bytes - behind);
    if (status == MN_OK) status = flush(p);
    if (status == MN_OK && mn_file_stream_finish(&p->file, &error) != MN_OK) status = mn_file_fail(p->context, &error);
    mn_file_stream_abandon(&p->file);
    return status;
}

mn_status mn_html_write(mn_context *c, const mn_run_folder *folder, const mn_scene *scene, const mn_page_def *def,
                        const unsigned char *empty, size_t bytes, const char *path, mn_export_skipped *skipped)
{
    if (folder->frame_count == 0) return mn_fail(c, MN_ERR_ARGUMENT, "%s: the run has no frames yet", folder->out);
    page p = { .context = c, .folder = folder, .def = def, .skipped = skipped };
    mn_buffer_init(&p.raw, c);
    mn_buffer_init(&p.text, c);
    const mn_status status = fill_page(&p, scene, empty, bytes, path);
    mn_buffer_free(&p.raw);
    mn_buffer_free(&p.text);
    end_courses(&p);
    mn_free(c, p.field);
    return status;
}
