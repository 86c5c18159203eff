// SPDX-License-Identifier: MPL-2.0
// render/run_pictures.c - pictures of the frames of a run: look through it once, then trace frame by frame.
//
// The first look goes over a few frames spread evenly over the whole run, whichever are asked for: the scale of
// colours, and without bounds of the domain the eye and the ground, are then the same in every picture of the run.
#include "base/timer.h"
#include "output/run_read.h"
#include "render/picture.h"

#include <stdio.h>
#include <string.h>

/// Frames looked at for the size of things and the range of the field.
#define LOOKS      12
#define NAMES_MOST 64

/// All parts of one frame.
typedef struct frame_set {
    mn_vtp_part  **read;
    mn_frame_part *part;
    int            count;
} frame_set;

typedef struct session {
    mn_context          *context;
    const mn_render_def *def;
    mn_render_report    *report;
    mn_run_folder       *folder;
    mn_shot              shot;
    double               low, high;              // of the field
    char                 names[NAMES_MOST][64];  // of fields that could be shown
    int                  name_count;
} session;

mn_render_def mn_render_def_default(void)
{
    return (mn_render_def){ .quality = MN_RENDER_DRAFT, .last = -1, .every = 1, .cookie = MN_DEF_COOKIE };
}

// ---- frames --------------------------------------------------------------------------------------------------------

static void free_frame(mn_context *c, frame_set *f)
{
    for (int k = 0; k < f->count; k++) mn_vtp_part_destroy(c, &f->read[k]);
    mn_free(c, f->read);
    mn_free(c, f->part);
    *f = (frame_set){ .count = 0 };
}

static mn_status read_parts(session *s, int64_t frame, frame_set *f)
{
    f->read = mn_alloc_array(s->context, mn_vtp_part *, s->folder->part_count);
    f->part = mn_alloc_array(s->context, mn_frame_part, s->folder->part_count);
    if (f->read == NULL || f->part == NULL) return MN_ERR_MEMORY;
    for (int64_t p = 0; p < s->folder->part_count; p++) {
        mn_vtp_part *read = NULL;
        MN_TRY(mn_run_folder_read(s->context, s->folder, p, frame, &read));
        if (read == NULL) continue;
        f->part[f->count]   = read->part;
        f->read[f->count++] = read;
    }
    return f->count > 0
               ? MN_OK
               : mn_fail(s->context, MN_ERR_FILE, "%s: frame %lld has no files", s->folder->out, (long long)frame);
}

/// Free with free_frame; after a failure there is nothing.
static mn_status read_frame(session *s, int64_t frame, frame_set *f)
{
    *f                     = (frame_set){ .count = 0 };
    const mn_status status = read_parts(s, frame, f);
    if (status != MN_OK) free_frame(s->context, f);
    return status;
}

// ---- the first look ------------------------------------------------------------------------------------------------

static void note_name(session *s, const char *name)
{
    static const char *const not_shown[] = { "normals", "color", "id" };
    for (size_t k = 0; k < sizeof not_shown / sizeof *not_shown; k++)
        if (strcmp(name, not_shown[k]) == 0) return;
    for (int k = 0; k < s->name_count; k++)
        if (strcmp(s->names[k], name) == 0) return;
    if (s->name_count < NAMES_MOST) snprintf(s->names[s->name_count++], sizeof s->names[0], "%s", name);
}

static void note_field(session *s, const mn_frame_part *p)
{
    for (int k = 0; k < p->array_count; k++) note_name(s, p->arrays[k].name);
    if (mn_field_has(p, "speed")) note_name(s, "speed");
    if (s->def->field == NULL || !mn_field_has(p, s->def->field)) return;
    for (int64_t i = 0; i < p->point_count; i++) {
        const double x = mn_field_value(p, s->def->field, i);
        if (!isfinite(x)) continue;
        s->low  = fmin(s->low, x);
        s->high = fmax(s->high, x);
    }
}

static mn_status look_at_frame(session *s, int64_t frame)
{
    frame_set f;
    MN_TRY(mn_check_interrupt(s->context, "the first look"));
    MN_TRY(read_frame(s, frame, &f));
    for (int k = 0; k < f.count; k++) note_field(s, &f.part[k]);
    mn_shot_include(&s->shot, f.part, f.count);
    free_frame(s->context, &f);
    return MN_OK;
}

/// Frames that cannot be read are told of when their turn comes.
static mn_status unless_damaged(mn_status status)
{
    return status == MN_ERR_MEMORY || status == MN_ERR_INTERRUPTED ? status : MN_OK;
}

static mn_status look_around(session *s)
{
    const int64_t n = s->folder->frame_count, looks = n < LOOKS ? n : LOOKS;
    if (s->shot.fixed && s->def->field == NULL) return MN_OK;  // neither size nor range is asked for
    s->low  = INFINITY;
    s->high = -INFINITY;
    for (int64_t k = 0; k < looks; k++)
        MN_TRY(unless_damaged(look_at_frame(s, s->folder->frame[looks > 1 ? k * (n - 1) / (looks - 1) : 0])));
    for (int64_t k = 0; k < n && s->name_count == 0 && (s->shot.fixed || mn_shot_is_empty(&s->shot)); k++)
        MN_TRY(unless_damaged(look_at_frame(s, s->folder->frame[k])));
    mn_shot_settle(&s->shot);
    return MN_OK;
}

static mn_status choose_field(session *s)
{
    if (s->def->field == NULL) return MN_OK;
    if (!(s->high >= s->low)) {
        char   all[1024] = "none";
        size_t used      = 0;
        for (int k = 0; k < s->name_count && used < sizeof all - 80; k++)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", k > 0 ? ", " : "", s->names[k]);
        return mn_fail(s->context, MN_ERR_ARGUMENT, "%s: no part has a field '%s'; there are: %s", s->folder->out,
                       s->def->field, all);
    }
    s->shot.ticks = mn_ticks_round(s->low, s->high);
    s->shot.field = (mn_field_choice){ s->def->field, s->shot.ticks.low, s->shot.ticks.high };
    return MN_OK;
}

/// The view and the pigments, from the copy of the scene in the folder.
static mn_status take_scene(session *s)
{
    const mn_domain_def plain  = { .dimension = 3, .up = 1 };
    const mn_camera_def camera = { .angle = 35.0 * MN_PI / 180.0, .size = { 960, 540 } };
    char                path[MN_PATH_BYTES];
    mn_file_error       error;
    mn_scene           *scene = NULL;
    s->shot                   = mn_shot_of(&plain, &camera);
    if (mn_path_join(path, s->folder->out, "scene.yaml", &error) != MN_OK) return mn_file_fail(s->context, &error);
    const mn_scene_source source = { .path = path };
    const mn_status       status = mn_scene_load(s->context, &source, &scene);
    if (status == MN_ERR_MEMORY || status == MN_ERR_INTERRUPTED) return status;
    if (status != MN_OK) {
        mn_log(s->context, MN_LOG_WARNING, "scene", "%s; the view is chosen from what is there",
               mn_context_error(s->context));
        mn_clear_error(s->context);
        return MN_OK;
    }
    const mn_domain_def domain = mn_scene_domain(scene);
    const mn_camera_def own    = mn_scene_camera(scene);
    s->shot                    = mn_shot_of(&domain, &own);
    s->report->frame_rate      = mn_scene_time(scene).frame_rate;
    double            colour[3];
    const mn_pigment *pigment[MN_DYES_MOST];
    const int         pigments = mn_scene_pigments(scene, pigment, MN_DYES_MOST);
    for (int k = 0; k < pigments; k++) mn_shot_add_pigment(&s->shot, pigment[k]);
    mn_scene_liquid_colour(scene, colour);
    mn_shot_colour_liquid(&s->shot, colour);
    mn_scene_destroy(&scene);
    return MN_OK;
}

static mn_status prepare(session *s)
{
    const mn_render_def *def = s->def;
    MN_TRY(take_scene(s));
    MN_TRY(look_around(s));
    MN_TRY(choose_field(s));
    s->shot.quality = def->quality;
    s->shot.glass   = def->glass;
    if (def->size[0] > 0) s->shot.width = def->size[0];
    if (def->size[1] > 0) s->shot.height = def->size[1];
    return MN_OK;
}

// ---- pictures ------------------------------------------------------------------------------------------------------

static mn_status write_picture(session *s, int64_t frame, const mn_buffer *png, char path[MN_PATH_BYTES])
{
    char          name[64];
    mn_file_error error;
    snprintf(name, sizeof name, "%06lld.png", (long long)frame);
    if (mn_path_join(path, s->report->folder, name, &error) != MN_OK ||
        mn_file_write_atomic(path, png->data, png->bytes, &error) != MN_OK)
        return mn_file_fail(s->context, &error);
    return MN_OK;
}

static mn_status trace_frame(session *s, const frame_set *f, mn_render_progress *p, char path[MN_PATH_BYTES])
{
    mn_buffer png;
    mn_buffer_init(&png, s->context);
    mn_status status = mn_render_picture(s->context, &s->shot, f->part, f->count, &png, &p->tracer_bytes);
    if (status == MN_OK) status = write_picture(s, p->frame, &png, path);
    mn_buffer_free(&png);
    return status;
}

static mn_status do_frame(session *s, mn_render_progress *p)
{
    char         path[MN_PATH_BYTES], why[MN_PATH_BYTES];
    frame_set    f;
    const double begin  = mn_seconds();
    mn_status    status = read_frame(s, p->frame, &f);
    p->file = p->warning = NULL;
    if (status == MN_ERR_FILE) {
        snprintf(why, sizeof why, "frame %lld left out: %s", (long long)p->frame, mn_context_error(s->context));
        mn_clear_error(s->context);
        mn_log(s->context, MN_LOG_WARNING, "frame_skipped", "%s", why);
        p->warning = why;
        s->report->skipped++;
    } else {
        if (status == MN_OK) status = mn_check_interrupt(s->context, "rendering");
        if (status == MN_OK) status = trace_frame(s, &f, p, path);
        free_frame(s->context, &f);
        if (status != MN_OK) return status;
        p->file = path;
        s->report->pictures++;
    }
    p->done++;
    p->seconds = mn_seconds() - begin;
    if (s->def->progress != NULL && !s->def->progress(p, s->def->progress_user))
        return mn_fail(s->context, MN_ERR_INTERRUPTED, "interrupted after %lld of %lld pictures", (long long)p->done,
                       (long long)p->wanted);
    return MN_OK;
}

static bool is_wanted(const session *s, int64_t k)
{
    const int64_t frame = s->folder->frame[k];
    return frame >= s->def->first && (s->def->last < 0 || frame <= s->def->last) &&
           (frame - s->def->first) % s->def->every == 0;
}

static mn_status do_frames(session *s)
{
    mn_render_progress p = { .done = 0 };
    for (int64_t k = 0; k < s->folder->frame_count; k++) p.wanted += is_wanted(s, k);
    if (s->folder->frame_count == 0)
        return mn_fail(s->context, MN_ERR_ARGUMENT, "%s: the run has no frames yet", s->folder->out);
    if (p.wanted == 0)
        return mn_fail(s->context, MN_ERR_ARGUMENT, "%s: no frame is among those asked for; there are %lld to %lld",
                       s->folder->out, (long long)s->folder->frame[0],
                       (long long)s->folder->frame[s->folder->frame_count - 1]);
    MN_TRY(prepare(s));
    mn_file_error error;
    if (mn_file_make_folders(s->report->folder, &error) != MN_OK) return mn_file_fail(s->context, &error);
    for (int64_t k = 0; k < s->folder->frame_count; k++) {
        if (!is_wanted(s, k)) continue;
        p.frame = s->folder->frame[k];
        MN_TRY(do_frame(s, &p));
    }
    if (s->report->pictures > 0) return MN_OK;
    return mn_fail(s->context, MN_ERR_ARGUMENT, "%s: none of the %lld frames could be read", s->folder->out,
                   (long long)p.wanted);
}

static mn_status check(mn_context *c, const mn_render_def *def)
{
    if (def->cookie != MN_DEF_COOKIE || def->out == NULL)
        return mn_fail(c, MN_ERR_ARGUMENT, "the definition of the pictures was not made by mn_render_def_default()");
    if (def->every < 1)
        return mn_fail(c, MN_ERR_ARGUMENT, "one picture of every %lld frames cannot be made; at least 1",
                       (long long)def->every);
    for (int k = 0; k < 2; k++)
        if (def->size[k] < 0 || def->size[k] > 16384)
            return mn_fail(c, MN_ERR_ARGUMENT, "the size %d x %d is not from 1 to 16384", def->size[0], def->size[1]);
    return mn_tracer_available() ? MN_OK : mn_fail(c, MN_ERR_STATE, "%s", mn_tracer_missing());
}

mn_status mn_render_run(mn_context *c, const mn_render_def *def, mn_render_report *report)
{
    *report = (mn_render_report){ .pictures = 0 };
    MN_TRY(check(c, def));
    const int length = def->to != NULL ? snprintf(report->folder, sizeof report->folder, "%s", def->to)
                                       : snprintf(report->folder, sizeof report->folder, "%s/render", def->out);
    if (length < 0 || (size_t)length >= sizeof report->folder)
        return mn_fail(c, MN_ERR_ARGUMENT, "%s: the path is too long", def->out);
    session *s = mn_alloc(c, sizeof *s);
    if (s == NULL) return MN_ERR_MEMORY;
    s->context = c, s->def = def, s->report = report;
    mn_status status = mn_run_folder_open(c, def->out, &s->folder);
    if (status == MN_ERR_FILE) status = MN_ERR_ARGUMENT;  // what is no run is a wrong argument
    if (status == MN_OK) status = do_frames(s);
    mn_run_folder_close(c, &s->folder);
    mn_free(c, s);
    return status;
}
