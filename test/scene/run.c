// SPDX-License-Identifier: MPL-2.0
// scene/run.c - see run.h.
#include "run.h"

#include "output/frames.h"
#include "render/picture.h"
#include "verify/thin/sheet.h"
#include "world/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int         failures, threads;
const char *album;

void must(bool seen, const char *what)
{
    printf("%s  %s\n", seen ? "seen" : "NOT SEEN", what);
    fflush(stdout);
    failures += !seen;
}

void known_gap(const char *name, double value, double expected_above, const char *why)
{
    const bool closed = value > expected_above;
    printf("GAP  %s: %.4g, expected above %.4g; %s%s\n", name, value, expected_above, why,
           closed ? ". It is closed: ask for it with MUST, and take it out of docs/systems/wet-fabric.md" : "");
    fflush(stdout);
    failures += closed;
}

static void stop(mn_context *c, const char *what)
{
    fprintf(stderr, "%s: %s\n", what, mn_context_error(c));
    exit(1);
}

// --- sights
// --------------------------------------------------------------------------------------------------------------

/// Farthest wet vertex from the axis of y.
static double reach_of(const mn_fabric_view *f)
{
    double reach = 0.0;
    for (int64_t v = 0; f->held != NULL && v < f->position.count; v++)
        if (mn_fabric_view_saturation(f, v) > 0.05) reach = fmax(reach, hypot(f->position.x[v], f->position.z[v]));
    return reach;
}

static double fastest_of(const mn_fabric_view *f)
{
    double most = 0.0;
    for (int64_t v = 0; v < f->velocity.count; v++)
        most = fmax(most, hypot(hypot(f->velocity.x[v], f->velocity.y[v]), f->velocity.z[v]));
    return most;
}

/// Free liquid behind a sheet that stands across x, however it bulges: x is measured from the vertex that is nearest in
/// y and z. Vertices are looked up in squares of 1 cm; liquid beside the sheet does not count.
static double beyond_of(const mn_liquid_view *l, const mn_fabric_view *f)
{
    enum { SQUARES = 64 };
    static double front[SQUARES][SQUARES];
    double        volume = 0.0;
    for (int j = 0; j < SQUARES; j++)
        for (int k = 0; k < SQUARES; k++) front[j][k] = -INFINITY;
    for (int64_t v = 0; v < f->position.count; v++) {
        const int j = (int)floor(f->position.y[v]) + SQUARES / 2, k = (int)floor(f->position.z[v]) + SQUARES / 2;
        if (j >= 0 && j < SQUARES && k >= 0 && k < SQUARES) front[j][k] = fmax(front[j][k], f->position.x[v]);
    }
    for (int64_t i = 0; i < l->count; i++) {
        const int j = (int)floor(l->position.y[i]) + SQUARES / 2, k = (int)floor(l->position.z[i]) + SQUARES / 2;
        if (j < 0 || j >= SQUARES || k < 0 || k >= SQUARES || !isfinite(front[j][k])) continue;
        if (l->position.x[i] > front[j][k] + 0.5) volume += l->volume[i];
    }
    return volume;
}

#define AWAY 5.0  // cm from the middle: away from the rim of a sheet of 14 cm

static void look_behind(const mn_liquid_view *l, const mn_fabric_view *f, double cell, sight *s)
{
    for (int64_t i = 0; i < l->count; i++) {
        if (fabs(l->position.x[i]) > AWAY || fabs(l->position.z[i]) > AWAY) continue;
        const double depth = (mn_sheet_height(f, l->position.x[i], l->position.z[i]) - l->position.y[i]) / cell;
        s->depth           = fmax(s->depth, depth);
        s->behind += depth > 0.5;
    }
}

#define PROFILE 640  // samples of a column, 0.5 mm apart
#define SAMPLE  0.05
#define HALF    0.3   // cm, half the width of a column
#define KERNEL  0.48  // cm, half the width of the kernel is 1.5 of these

/// Height of the liquid over y = 0 in a column at x that reaches through the tank: where the density falls to one half.
static double surface_at(const mn_liquid_view *l, double x, double depth)
{
    double density[PROFILE] = { 0.0 };
    for (int64_t i = 0; i < l->count; i++) {
        if (fabs(l->position.x[i] - x) >= HALF) continue;
        const int low  = (int)ceil((l->position.y[i] - 1.5 * KERNEL) / SAMPLE),
                  high = (int)((l->position.y[i] + 1.5 * KERNEL) / SAMPLE);
        for (int k = low > 0 ? low : 0; k <= high && k < PROFILE; k++) {
            const double t = fabs(k * SAMPLE - l->position.y[i]) / KERNEL, outer = fmax(0.0, 1.5 - t),
                         inner = fmax(0.0, 0.5 - t);
            density[k] += (0.5 * outer * outer - 1.5 * inner * inner) * l->volume[i] / (2.0 * HALF * depth * KERNEL);
        }
    }
    for (int k = PROFILE - 1; k >= 0; k--)
        if (density[k] >= 0.5) return k * SAMPLE;
    return 0.0;
}

/// The surface where a hanging strip enters the liquid, over the mean of that 1 cm to either side. The mean takes out
/// the slope that the surface has without a strip. 0 where the strip is not in the liquid.
static double kink_of(const mn_liquid_view *l, const mn_fabric_view *f)
{
    double depth = 0.0, top = -INFINITY, x = 0.0;
    for (int64_t i = 0; i < l->count; i++) depth = fmax(depth, l->position.z[i]);
    for (int64_t v = 0; v < f->position.count; v++)
        if (f->position.y[v] > top && f->position.y[v] <= surface_at(l, f->position.x[v], depth))
            top = f->position.y[v], x = f->position.x[v];
    if (!isfinite(top)) return 0.0;
    return surface_at(l, x, depth) - 0.5 * (surface_at(l, x - 1.0, depth) + surface_at(l, x + 1.0, depth));
}

static sight look(const mn_world *w, const char *file)
{
    const mn_fabric_view f = mn_world_fabric(w, 0);
    sight                s = { .reach = reach_of(&f), .fastest = fastest_of(&f) };
    if (!mn_world_has_liquid(w)) return s;
    const mn_liquid_view l = mn_world_liquid(w);
    if (strcmp(file, "penetration") == 0) s.beyond = beyond_of(&l, &f);
    if (strcmp(file, "drag") == 0) s.kink = kink_of(&l, &f);
    if (strcmp(file, "impermeable") == 0) look_behind(&l, &f, mn_world_definition(w)->domain.cell, &s);
    return s;
}

// --- runs
// ----------------------------------------------------------------------------------------------------------------

static void note_frame(run *r, mn_world *w, const char *file)
{
    r->last        = mn_world_ledger(w);
    r->worst_error = fmax(r->worst_error, fabs(r->last.liquid_error));
    r->rejected += r->last.rejected;
    r->probes = mn_world_probe_count(w);
    if (r->frames == FRAMES_MOST || r->probes > PROBES_MOST) exit(1);
    for (int k = 0; k < r->probes; k++) {
        snprintf(r->name[k], sizeof r->name[k], "%s", mn_world_probe_name(w, k));
        r->value[k][r->frames] = mn_world_probe_value(w, k);
    }
    r->seen[r->frames]   = look(w, file);
    r->time[r->frames++] = r->last.time;
}

static int runs;  ///< how many there were, for the names of pictures

/// Draw the world as it stands.
static mn_status draw(mn_context *c, const mn_scene *scene, mn_world *w, mn_frames *frames, const char *file, int frame)
{
    const mn_frame_part *parts;
    mn_buffer            png;
    const mn_camera_def  camera = mn_scene_camera(scene);
    char                 path[1024];
    int                  count;
    mn_shot              shot = mn_shot_of(&mn_world_definition(w)->domain, &camera);
    mn_frames_begin(frames);
    MN_TRY(mn_frames_shown(frames, &parts, &count));
    mn_shot_include(&shot, parts, count);
    mn_shot_settle(&shot);
    mn_buffer_init(&png, c);
    const mn_status status = mn_render_picture(c, &shot, parts, count, &png, NULL);
    snprintf(path, sizeof path, "%s/%s-%d-%03d.png", album, file, runs, frame);
    FILE *out = status == MN_OK ? fopen(path, "wb") : NULL;
    if (out != NULL) {
        fwrite(png.data, 1, png.bytes, out);
        fclose(out);
    }
    mn_buffer_free(&png);
    return status;
}

static void say(const run *r, const char *file, const char *variant, int64_t steps)
{
    printf("%s %s: %d frames, %lld steps, %lld taken back, %lld particles, error %.1e, held %.4f cm^3", file,
           variant != NULL ? variant : "", r->frames, (long long)steps, (long long)r->rejected,
           (long long)r->last.particles, r->worst_error, r->last.liquid_fabric);
    for (int k = 0; k < r->probes; k++) printf(", %s %.4g", r->name[k], r->value[k][r->frames - 1]);
    printf("\n");
    fflush(stdout);
}

run *run_scene(const char *file, const char *variant, const char *const *set, int64_t most)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/scenes/fabric/%s.yaml", MN_SOURCE_DIR, file);
    mn_context_def  cd = mn_context_def_default();
    mn_context     *c;
    mn_scene       *scene;
    mn_world       *w;
    mn_scene_source source = { .path = path, .variant = variant, .set = set };
    while (set != NULL && set[source.set_count] != NULL) source.set_count++;
    cd.threads = threads;
    if (mn_context_create(&cd, &c) != MN_OK) exit(1);
    if (mn_scene_load(c, &source, &scene) != MN_OK || mn_scene_build(scene, &w) != MN_OK) stop(c, path);
    const mn_time_def t = mn_scene_time(scene);
    run              *r = calloc(1, sizeof *r);
    if (r == NULL) exit(1);
    note_frame(r, w, file);
    const int64_t       last = llround(t.end * t.frame_rate), stride = last < PICTURES ? 1 : last / PICTURES;
    const mn_output_def output = mn_scene_output(scene);
    mn_frames          *frames = NULL;
    runs++;
    if (album != NULL && mn_frames_create(c, w, &output, &frames) != MN_OK) stop(c, path);
    for (int64_t frame = 1; frame <= last && mn_world_steps(w) < most; frame++) {
        const double until = (double)frame / t.frame_rate;
        while (mn_world_time(w) < until)
            if (mn_world_step(w, until) != MN_OK) stop(c, path);
        note_frame(r, w, file);
        if (album != NULL && frame % stride == 0 && draw(c, scene, w, frames, file, (int)frame) != MN_OK) stop(c, path);
        mn_world_end_frame(w);
    }
    say(r, file, variant, mn_world_steps(w));
    if (!(r->worst_error <= 1e-12)) must(false, "liquid_error at most 1e-12");
    if (frames != NULL) mn_frames_destroy(&frames);
    mn_world_destroy(&w);
    mn_scene_destroy(&scene);
    mn_context_destroy(&c);
    return r;
}

const double *probe(const run *r, const char *name)
{
    for (int k = 0; k < r->probes; k++)
        if (strcmp(r->name[k], name) == 0) return r->value[k];
    fprintf(stderr, "there is no probe '%s'\n", name);
    exit(1);
}

double at_end(const run *r, const char *name) { return probe(r, name)[r->frames - 1]; }

double greatest(const run *r, const char *name)
{
    const double *value = probe(r, name);
    double        most  = value[0];
    for (int k = 1; k < r->frames; k++) most = fmax(most, value[k]);
    return most;
}
