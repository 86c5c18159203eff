// SPDX-License-Identifier: MPL-2.0
// examples/step2.c - a scene file run to an output folder in two parts: stopped half way, then resumed to the end.
#include <meniscus/meniscus.h>

#include <stdio.h>

/// Called after every step and frame; false stops the run, which then writes a checkpoint.
static bool stop_half_way(const mn_run_progress *progress, void *user)
{
    (void)user;
    if (progress->frame_done)
        printf("frame %lld of %lld, %.3f s\n", (long long)progress->frame, (long long)progress->frames, progress->time);
    return progress->frame < progress->frames / 2;
}

static bool go_on(const mn_run_progress *progress, void *user)
{
    (void)user;
    if (progress->frame_done)
        printf("frame %lld of %lld, %.3f s\n", (long long)progress->frame, (long long)progress->frames, progress->time);
    return true;
}

static mn_status run_part(mn_context *context, mn_scene *scene, const char *out, bool resume)
{
    mn_run_def def   = mn_run_def_default();
    def.out          = out;
    def.resume       = resume;
    def.progress     = resume ? go_on : stop_half_way;
    mn_run   *run    = NULL;
    mn_status status = mn_run_create(context, scene, &def, &run);
    if (status != MN_OK) return status;
    status = mn_run_advance(run);
    printf("%s at %.3f s, state %016llx\n", mn_status_text(status), mn_world_time(mn_run_world(run)),
           (unsigned long long)mn_world_hash(mn_run_world(run)));
    const mn_status closed = mn_run_destroy(&run);
    return status == MN_OK ? closed : status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: step2 SCENE OUT\n");
        return 2;
    }
    const mn_context_def def     = mn_context_def_default();
    mn_context          *context = NULL;
    if (mn_context_create(&def, &context) != MN_OK) return 1;

    const mn_scene_source source = { .path = argv[1] };
    mn_scene             *scene  = NULL;
    mn_status             status = mn_scene_load(context, &source, &scene);
    if (status == MN_OK) {
        status = run_part(context, scene, argv[2], false);
        if (status == MN_ERR_INTERRUPTED) status = run_part(context, scene, argv[2], true);
    }
    if (status != MN_OK) fprintf(stderr, "%s\n", mn_context_error(context));
    mn_scene_destroy(&scene);
    mn_context_destroy(&context);
    return status == MN_OK ? 0 : 1;
}
