// SPDX-License-Identifier: MPL-2.0
// Whole runs of a fake world: folders, interrupts, kills, damaged checkpoints, branches.
#include "failing_memory.h"

#include "unit/output/fake_world.h"
#include "unit/output/faults.h"
#include "unit/output/folder.h"

#include "output/checkpoint.h"
#include "output/folder.h"
#include "output/record.h"
#include "render/tracer.h"

#include <signal.h>
#include <sys/wait.h>

#define FRAMES 12

static mn_scene fake_scene(mn_context *c)
{
    return (mn_scene){ .context    = c,
                       .identity   = 0x1234,
                       .drop_count = 50,
                       .time       = { .end = FRAMES / 30.0, .frame_rate = 30.0 },
                       .output     = { .part[MN_OUTPUT_PARTICLES] = true,
                                       .part[MN_OUTPUT_OBSTACLES] = true,
                                       .field[MN_OUTPUT_VELOCITY] = true,
                                       .field[MN_OUTPUT_VOLUME]   = true,
                                       .checkpoint_every          = 4,
                                       .checkpoint_keep           = 2,
                                       .disk_reserve              = 0.0 } };
}

static void want_fabric(mn_scene *scene, bool wanted)
{
    static const mn_output_part parts[] = { MN_OUTPUT_CLOTH, MN_OUTPUT_YARN, MN_OUTPUT_TUBES };
    for (int k = 0; k < 3; k++) scene->output.part[parts[k]] = wanted;
}

static mn_status run_once(mn_context *c, mn_scene *scene, const mn_run_def *def)
{
    mn_run   *run    = NULL;
    mn_status status = mn_run_create(c, scene, def, &run);
    if (status != MN_OK) {
        assert_null(run);
        return status;
    }
    status                 = mn_run_advance(run);
    const mn_status closed = mn_run_destroy(&run);
    return status != MN_OK ? status : closed;
}

static void read_text(mn_context *c, const char *folder, const char *name, unsigned char **data, size_t *bytes)
{
    assert_int_equal(mn_folder_read(c, folder, name, ANY_FILE, data, bytes), MN_OK);
    assert_non_null(*data);
}

static mn_run_record read_run_json(mn_context *c, const char *folder)
{
    unsigned char *data;
    size_t         bytes;
    mn_run_record  record;
    bool           whole = false;
    read_text(c, folder, "run.json", &data, &bytes);
    assert_int_equal(mn_run_record_parse(c, (char *)data, bytes, &record, &whole), MN_OK);
    assert_true(whole);
    mn_free(c, data);
    return record;
}

/// ledger.csv without the column of seconds, which may differ between runs.
static void assert_same_ledgers(mn_context *c, const char *a, const char *b)
{
    unsigned char *data[2];
    size_t         bytes[2];
    read_text(c, a, "ledger.csv", &data[0], &bytes[0]);
    read_text(c, b, "ledger.csv", &data[1], &bytes[1]);
    char *at[2] = { (char *)data[0], (char *)data[1] };
    int   rows  = 0;
    for (char *line0, *line1; (line0 = strtok_r(at[0], "\n", &at[0])) != NULL; rows++) {
        line1 = strtok_r(at[1], "\n", &at[1]);
        assert_non_null(line1);
        char *cell0, *cell1;
        for (int column = 0; (cell0 = strtok_r(line0, ",", &line0)) != NULL; column++) {
            cell1 = strtok_r(line1, ",", &line1);
            assert_non_null(cell1);
            if (column != 27 || rows == 0) assert_string_equal(cell0, cell1);
        }
    }
    assert_int_equal(rows, FRAMES + 2);
    assert_null(strtok_r(at[1], "\n", &at[1]));
    mn_free(c, data[0]);
    mn_free(c, data[1]);
}

static void assert_same_file(mn_context *c, const char *a, const char *b, const char *name)
{
    unsigned char *data[2];
    size_t         bytes[2];
    read_text(c, a, name, &data[0], &bytes[0]);
    read_text(c, b, name, &data[1], &bytes[1]);
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(data[0], data[1], bytes[0]);
    mn_free(c, data[0]);
    mn_free(c, data[1]);
}

/// Two finished folders say the same about every frame.
static void assert_same_runs(mn_context *c, const char *a, const char *b)
{
    mn_run_record x = read_run_json(c, a), y = read_run_json(c, b);
    assert_string_equal(x.status, "done");
    assert_string_equal(y.status, "done");
    assert_int_equal(x.frame_count, FRAMES + 1);
    assert_int_equal(y.frame_count, FRAMES + 1);
    for (int64_t i = 0; i <= FRAMES; i++) {
        assert_int_equal(y.frames[i].frame, i);
        assert_true(y.frames[i].hash_known && x.frames[i].hash == y.frames[i].hash);
        assert_true(y.frames[i].time == (double)i / 30.0);
        char name[64];
        snprintf(name, sizeof name, "frames/particles.%06lld.vtp", (long long)i);
        assert_same_file(c, a, b, name);
    }
    mn_run_record_free(c, &x);
    mn_run_record_free(c, &y);
    assert_same_ledgers(c, a, b);
    assert_same_file(c, a, b, "probes.csv");
    assert_same_file(c, a, b, "timings.csv");
    assert_same_file(c, a, b, "run.pvd");
    char              path[MN_PATH_BYTES];
    const char *const inner[] = { "frames", "checkpoints" };
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s", a, inner[k]);
        const int count = test_folder_count(path);
        snprintf(path, sizeof path, "%s/%s", b, inner[k]);
        assert_int_equal(test_folder_count(path), count);
    }
}

static void inner_path(char path[200], const char *folder, const char *name)
{
    snprintf(path, 200, "%s/%s", folder, name);
}

static void a_run_fills_its_folder(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    const int64_t before = mn_context_memory(c).blocks_now;
    char          folder[64], out[200];
    test_folder(folder);
    inner_path(out, folder, "deep/out");
    mn_scene     scene = fake_scene(c);
    mn_shape_def ball  = mn_shape_def_default(MN_SHAPE_SPHERE);
    assert_int_equal(mn_shape_create(c, &ball, &scene.shape), MN_OK);
    scene.moving   = true;
    mn_run_def def = mn_run_def_default();
    def.out        = out;
    def.pictures   = true;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);

    mn_run_record r = read_run_json(c, out);
    assert_string_equal(r.status, "done");
    assert_string_equal(r.scene, "fake \"scene\"");
    assert_true(r.identity == 0x1234);
    mn_run_record_free(c, &r);
    const char *const expected[] = { "scene.yaml",
                                     "ledger.csv",
                                     "probes.csv",
                                     "timings.csv",
                                     "log.ndjson",
                                     "run.pvd",
                                     "checkpoints/000008.state",
                                     "checkpoints/000012.state",
                                     "frames/obstacles.000000.vtp",
                                     "frames/obstacles.000004.vtp",
                                     "pictures/000000.png",
                                     "pictures/000012.png" };
    for (size_t k = 0; k < sizeof expected / sizeof *expected - (mn_tracer_available() ? 0 : 2); k++) {
        char path[300];
        snprintf(path, sizeof path, "%s/%s", out, expected[k]);
        if (!mn_file_exists(path)) fail_msg("%s is missing", path);
    }
    char path[300];
    snprintf(path, sizeof path, "%s/checkpoints", out);
    assert_int_equal(test_folder_count(path), 2);  // the last two are kept
    snprintf(path, sizeof path, "%s/frames", out);
    assert_int_equal(test_folder_count(path), FRAMES + 1 + 1 + 9);  // the obstacle stands still up to 0.1 s = frame 3
    unsigned char *data;
    size_t         bytes;
    read_text(c, out, "run.pvd", &data, &bytes);
    assert_non_null(strstr((char *)data, "<DataSet timestep=\"0.066666666666666666\" part=\"1\" name=\"obstacles\" "
                                         "file=\"frames/obstacles.000000.vtp\"/>"));
    assert_non_null(strstr((char *)data, "<DataSet timestep=\"0.40000000000000002\" part=\"0\" name=\"particles\" "
                                         "file=\"frames/particles.000012.vtp\"/>"));
    mn_free(c, data);
    read_text(c, out, "log.ndjson", &data, &bytes);
    assert_non_null(
        strstr((char *)data, "\"level\": \"info\", \"event\": \"tenth_step\", \"text\": \"step 10 \\\"done\\\"\"}\n"));
    mn_free(c, data);

    char *info = NULL;
    assert_int_equal(mn_run_info(c, out, &info), MN_OK);
    assert_non_null(strstr(info, "\"fake \"scene\"\", done; version "));
    assert_non_null(strstr(info, "frames       0 to 12, 0 to 0.4 s, last state "));
    assert_non_null(strstr(info, "particles    50 at first"));
    assert_non_null(strstr(info, "dt 0.001 to 0.005 s"));
    assert_non_null(strstr(info, "   66.7 %  solve\n   33.3 %  gather\n"));
    assert_non_null(strstr(info, "checkpoints 000008.state, 000012.state\n"));
    mn_free(c, info);
    assert_int_equal(mn_run_info(c, folder, &info), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "does not hold a run"));

    // Again: refused, and the folder is named. Resumed: nothing left to do.
    assert_int_equal(run_once(c, &scene, &def), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "--resume"));
    assert_non_null(strstr(mn_context_error(c), out));
    def.resume = true;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    scene.identity++;
    assert_int_equal(run_once(c, &scene, &def), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "another scene"));
    mn_shape_release(&scene.shape);
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_folder_remove(folder);
    test_context_end(&c);
}

/// Cloth and yarn are parts like the others: a file a frame, in run.pvd with its time, and only if wanted.
static void a_run_with_fabric_writes_its_parts(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    const int64_t before = mn_context_memory(c).blocks_now;
    char          folder[64], out[200], path[300];
    test_folder(folder);
    for (int wanted = 0; wanted < 2; wanted++) {
        inner_path(out, folder, wanted ? "with" : "without");
        mn_scene scene = fake_scene(c);
        scene.woven    = true;
        want_fabric(&scene, wanted);
        mn_run_def def = mn_run_def_default();
        def.out        = out;
        def.pictures   = true;
        assert_int_equal(run_once(c, &scene, &def), MN_OK);
        def.resume = true;
        assert_int_equal(run_once(c, &scene, &def), MN_OK);
        snprintf(path, sizeof path, "%s/frames", out);
        assert_int_equal(test_folder_count(path), (FRAMES + 1) * (wanted ? 4 : 1));
        unsigned char *data;
        size_t         bytes;
        read_text(c, out, "run.pvd", &data, &bytes);
        const char *const names[] = { "cloth", "yarn", "tubes" };
        for (int k = 0; k < 3; k++) {
            char entry[200];
            snprintf(entry, sizeof entry,
                     "<DataSet timestep=\"0.40000000000000002\" part=\"%d\" name=\"%s\" "
                     "file=\"frames/%s.000012.vtp\"/>",
                     k + 1, names[k], names[k]);
            assert_true((strstr((char *)data, entry) != NULL) == (wanted == 1));
        }
        mn_free(c, data);
    }
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_folder_remove(folder);
    test_context_end(&c);
}

/// Without liquid there is no part for it, whatever output.parts says, and the pictures show the rest.
static void a_dry_run_writes_nothing_of_liquid(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], out[200], path[300];
    test_folder(folder);
    inner_path(out, folder, "dry");
    mn_scene scene = fake_scene(c);
    scene.woven = scene.dry = scene.output.part[MN_OUTPUT_CLOTH] = true;
    mn_run_def def                                               = mn_run_def_default();
    def.out                                                      = out;
    def.pictures                                                 = true;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    snprintf(path, sizeof path, "%s/frames", out);
    assert_int_equal(test_folder_count(path), FRAMES + 1);
    snprintf(path, sizeof path, "%s/pictures", out);
    if (mn_tracer_available()) assert_int_equal(test_folder_count(path), FRAMES + 1);
    unsigned char *data;
    size_t         bytes;
    read_text(c, out, "run.pvd", &data, &bytes);
    assert_null(strstr((char *)data, "particles"));
    assert_non_null(strstr((char *)data, "cloth.000012.vtp"));
    mn_free(c, data);
    test_folder_remove(folder);
    test_context_end(&c);
}

static void nothing_is_left_behind_by_a_world_that_cannot_be_built(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], out[200];
    test_folder(folder);
    inner_path(out, folder, "out");
    mn_scene scene     = fake_scene(c);
    scene.cannot_build = true;
    mn_run_def def     = mn_run_def_default();
    def.out            = out;
    assert_int_equal(run_once(c, &scene, &def), MN_ERR_SCENE);
    assert_int_equal(test_folder_count(folder), 0);
    def.out            = NULL;  // and a run without files makes none
    scene.cannot_build = false;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    assert_int_equal(test_folder_count(folder), 0);
    test_folder_remove(folder);
    test_context_end(&c);
}

typedef struct stopper {
    int64_t left;
    bool    kill;
} stopper;

static bool stop_after(const mn_run_progress *progress, void *user)
{
    stopper *s = user;
    assert_true(progress->frames == FRAMES && progress->frame <= FRAMES);
    if (--s->left > 0) return true;
    if (s->kill) kill(getpid(), SIGKILL);
    return false;
}

static void an_interrupted_run_resumes_in_the_middle_of_a_frame_with_the_same_bits(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], whole[200], cut[200];
    test_folder(folder);
    inner_path(whole, folder, "whole");
    inner_path(cut, folder, "cut");
    mn_scene   scene = fake_scene(c);
    mn_run_def def   = mn_run_def_default();
    def.out          = whole;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    stopper s         = { 0, false };
    def.out           = cut;
    def.progress      = stop_after;
    def.progress_user = &s;
    int interrupts    = 0;
    for (mn_status status = MN_ERR_INTERRUPTED; status != MN_OK; def.resume = true) {
        s.left = 23;
        status = run_once(c, &scene, &def);
        if (status == MN_OK) break;
        assert_int_equal(status, MN_ERR_INTERRUPTED);
        mn_run_record r = read_run_json(c, cut);
        assert_string_equal(r.status, "interrupted");
        mn_run_record_free(c, &r);
        interrupts++;
    }
    assert_true(interrupts > 3);
    // Checkpoints in the middle of frames have other names; the counts agree as only the last two are kept.
    assert_same_runs(c, whole, cut);
    test_folder_remove(folder);
    test_context_end(&c);
}

/// Run in a process of its own that kills itself after some steps; true if it came to its end.
static bool run_and_die(const char *out, bool resume, int64_t steps)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        mn_context *c         = test_context(1);
        mn_scene    scene     = fake_scene(c);
        stopper     s         = { steps, true };
        mn_run_def  def       = mn_run_def_default();
        def.out               = out;
        def.resume            = resume;
        def.progress          = stop_after;
        def.progress_user     = &s;
        const mn_status ended = run_once(c, &scene, &def);
        if (ended != MN_OK) fprintf(stderr, "%s\n", mn_context_error(c));
        _exit(ended == MN_OK ? 0 : 1);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    if (WIFSIGNALED(how)) {
        assert_int_equal(WTERMSIG(how), SIGKILL);
        return false;
    }
    assert_int_equal(WEXITSTATUS(how), 0);
    return true;
}

static void a_killed_run_resumes_to_the_same_bits(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], whole[200];
    test_folder(folder);
    inner_path(whole, folder, "whole");
    mn_scene   scene = fake_scene(c);
    mn_run_def def   = mn_run_def_default();
    def.out          = whole;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    for (int trial = 0; trial < 5; trial++) {
        char cut[200], name[32];
        snprintf(name, sizeof name, "cut%d", trial);
        inner_path(cut, folder, name);
        bool ended = false;
        for (int round = 0; !ended; round++) {
            assert_true(round < 20);
            ended = run_and_die(cut, round > 0, round > 12 ? 1000000 : 1 + (trial * 31 + round * 17) % 77);
        }
        assert_same_runs(c, whole, cut);
    }
    test_folder_remove(folder);
    test_context_end(&c);
}

static void damage(const char *out, const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", out, name);
    assert_int_equal(truncate(path, 1000), 0);
}

static void a_damaged_checkpoint_is_passed_over_for_an_older_one(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], whole[200], cut[200], path[300];
    test_folder(folder);
    inner_path(whole, folder, "whole");
    inner_path(cut, folder, "cut");
    mn_scene   scene = fake_scene(c);
    mn_run_def def   = mn_run_def_default();
    def.out          = whole;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    def.out = cut;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    damage(cut, "checkpoints/000012.state");
    damage(cut, "run.json");  // and the record is rebuilt, but for lost hashes
    def.resume = true;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    snprintf(path, sizeof path, "%s/checkpoints/000012.state.damaged", cut);
    assert_true(mn_file_exists(path));
    assert_int_equal(unlink(path), 0);
    unsigned char *data;
    size_t         bytes;
    read_text(c, cut, "log.ndjson", &data, &bytes);
    assert_non_null(strstr((char *)data, "checkpoint_refused"));
    mn_free(c, data);
    assert_same_ledgers(c, whole, cut);
    mn_run_record x = read_run_json(c, whole), y = read_run_json(c, cut);
    assert_int_equal(y.frame_count, FRAMES + 1);
    for (int64_t i = 0; i <= FRAMES; i++) {
        assert_true(x.frames[i].time == y.frames[i].time);
        if (i >= 8) assert_true(y.frames[i].hash_known);
        if (y.frames[i].hash_known) assert_true(x.frames[i].hash == y.frames[i].hash);
    }
    mn_run_record_free(c, &x);
    mn_run_record_free(c, &y);

    damage(cut, "checkpoints/000008.state");
    damage(cut, "checkpoints/000012.state");
    assert_int_equal(run_once(c, &scene, &def), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "damaged"));
    snprintf(path, sizeof path, "%s/checkpoints/000012.state", cut);
    assert_true(mn_file_exists(path));  // nothing was touched
    test_folder_remove(folder);
    test_context_end(&c);
}

static void a_failed_run_keeps_its_last_good_state_and_its_reason(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], whole[200], cut[200];
    test_folder(folder);
    inner_path(whole, folder, "whole");
    inner_path(cut, folder, "cut");
    mn_scene   scene = fake_scene(c);
    mn_run_def def   = mn_run_def_default();
    def.out          = whole;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    def.out            = cut;
    scene.fail_at_step = 70;
    assert_int_equal(run_once(c, &scene, &def), MN_ERR_SOLVE);
    assert_string_equal(mn_context_error(c), "the fake reached its floor");
    mn_run_record r = read_run_json(c, cut);
    assert_string_equal(r.status, "failed");
    mn_run_record_free(c, &r);
    scene.fail_at_step = 0;  // a better day
    def.resume         = true;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    assert_same_runs(c, whole, cut);
    test_folder_remove(folder);
    test_context_end(&c);
}

static void a_branch_starts_at_a_frame_of_another_run_and_goes_the_same_way(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], whole[200], branch[200], from[300];
    test_folder(folder);
    inner_path(whole, folder, "whole");
    inner_path(branch, folder, "branch");
    mn_scene   scene = fake_scene(c);
    mn_run_def def   = mn_run_def_default();
    def.out          = whole;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    def.out                 = branch;
    def.from                = from;
    const char *const bad[] = { "whole", "whole:", "whole:x", ":3", "whole:-1" };
    for (int k = 0; k < 5; k++) {
        snprintf(from, sizeof from, "%s", bad[k]);
        assert_int_equal(run_once(c, &scene, &def), MN_ERR_ARGUMENT);
        assert_non_null(strstr(mn_context_error(c), "expected OUT:FRAME"));
    }
    snprintf(from, sizeof from, "%s:5", whole);
    assert_int_equal(run_once(c, &scene, &def), MN_ERR_ARGUMENT);
    assert_non_null(strstr(mn_context_error(c), "there are 8, 12"));
    assert_int_equal(test_folder_count(branch), -1);
    snprintf(from, sizeof from, "%s:8", whole);
    scene.identity = 77;  // with changed settings
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    mn_run_record x = read_run_json(c, whole), y = read_run_json(c, branch);
    assert_int_equal(y.frame_count, FRAMES + 1 - 8);
    for (int64_t i = 0; i < y.frame_count; i++) {
        assert_int_equal(y.frames[i].frame, i + 8);
        assert_true(y.frames[i].hash == x.frames[i + 8].hash);
    }
    mn_run_record_free(c, &x);
    mn_run_record_free(c, &y);
    def.from   = NULL;
    def.resume = true;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    test_folder_remove(folder);
    test_context_end(&c);
}

typedef struct cut_run {
    mn_context *context;
    mn_scene    scene;
    const char *folder, *whole;
} cut_run;

/// A run that is cut short leaks nothing, and every ninth is resumed to the same bits.
static mn_status run_cut_short(failing_memory *m, void *user)
{
    cut_run        *r       = user;
    const long long granted = m->left;
    char            name[32], cut[200];
    snprintf(name, sizeof name, "cut%lld", granted);
    inner_path(cut, r->folder, name);
    mn_run_def def         = mn_run_def_default();
    def.out                = cut;
    const int64_t   before = mn_context_memory(r->context).blocks_now;
    const mn_status status = run_once(r->context, &r->scene, &def);
    grant_all(m);
    assert_int_equal(mn_context_memory(r->context).blocks_now, before);
    if (status == MN_OK) return status;
    assert_non_null(strstr(mn_context_error(r->context), "emory"));
    if (granted % 9 != 0 || test_folder_count(cut) < 0) return status;
    def.resume = true;
    assert_int_equal(run_once(r->context, &r->scene, &def), MN_OK);
    assert_same_runs(r->context, r->whole, cut);
    return status;
}

static int64_t soon_in_longer_steps(int64_t granted, const void *user)
{
    (void)user;
    return granted + (granted < 60 ? 1 : 13);
}

/// However few blocks there are, a run ends with a status, leaks nothing, and can be resumed to the same bits.
static void refused_memory_ends_a_run_in_good_order(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    mn_context    *c      = failing_context(&memory);
    char           folder[64], whole[200];
    test_folder(folder);
    inner_path(whole, folder, "whole");
    cut_run    r   = { c, fake_scene(c), folder, whole };
    mn_run_def def = mn_run_def_default();
    def.out        = whole;
    r.scene.woven  = true;
    want_fabric(&r.scene, true);
    assert_int_equal(run_once(c, &r.scene, &def), MN_OK);
    assert_true(survives_every_failing_allocation(&memory, run_cut_short, &r, soon_in_longer_steps) > 60);
    test_folder_remove(folder);
    test_context_end(&c);
}

/// A disk that fails at any one call ends the run with the name of the file; the next day it resumes to the same bits.
static void a_failing_disk_ends_a_run_in_good_order(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], whole[200], cut[200];
    test_folder(folder);
    inner_path(whole, folder, "whole");
    mn_scene   scene = fake_scene(c);
    mn_run_def def   = mn_run_def_default();
    def.out          = whole;
    assert_int_equal(run_once(c, &scene, &def), MN_OK);
    const int64_t before  = mn_context_memory(c).blocks_now;
    const int     kinds[] = { FAULT_OPEN, FAULT_WRITE, FAULT_FSYNC, FAULT_RENAME, FAULT_CLOSE };
    for (int k = 0; k < 5; k++)
        for (int nth = 1; nth < 46; nth += nth < 12 ? 1 : 11) {
            char name[32];
            snprintf(name, sizeof name, "cut%d-%d", k, nth);
            inner_path(cut, folder, name);
            def.out                = cut;
            def.resume             = false;
            fault_errno            = ENOSPC;
            fault_after[kinds[k]]  = nth;
            const mn_status status = run_once(c, &scene, &def);
            faults_off();
            if (status != MN_ERR_FILE)
                fail_msg("call %d of kind %d: status %d, %s", nth, k, (int)status, mn_context_error(c));
            assert_non_null(strstr(mn_context_error(c), cut));
            assert_non_null(strstr(mn_context_error(c), "No space left on device"));
            assert_int_equal(mn_context_memory(c).blocks_now, before);
            def.resume = true;
            if (run_once(c, &scene, &def) != MN_OK) fail_msg("call %d of kind %d: %s", nth, k, mn_context_error(c));
            assert_same_runs(c, whole, cut);
        }
    test_folder_remove(folder);
    test_context_end(&c);
}

int main(void)
{
    fault_skip_sync                 = true;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_fills_its_folder),
        cmocka_unit_test(a_run_with_fabric_writes_its_parts),
        cmocka_unit_test(a_dry_run_writes_nothing_of_liquid),
        cmocka_unit_test(nothing_is_left_behind_by_a_world_that_cannot_be_built),
        cmocka_unit_test(an_interrupted_run_resumes_in_the_middle_of_a_frame_with_the_same_bits),
        cmocka_unit_test(a_killed_run_resumes_to_the_same_bits),
        cmocka_unit_test(a_damaged_checkpoint_is_passed_over_for_an_older_one),
        cmocka_unit_test(a_failed_run_keeps_its_last_good_state_and_its_reason),
        cmocka_unit_test(a_branch_starts_at_a_frame_of_another_run_and_goes_the_same_way),
        cmocka_unit_test(refused_memory_ends_a_run_in_good_order),
        cmocka_unit_test(a_failing_disk_ends_a_run_in_good_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
