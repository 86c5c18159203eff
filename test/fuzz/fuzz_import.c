// SPDX-License-Identifier: MPL-2.0
// fuzz_import - the bytes are a scene of another program. Whatever they hold: a scene that loads, and its meshes, or a
// sentence and no file at all.
#include "meniscus/meniscus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_MOST ((size_t)64 << 20)

static mn_context *c;
static char        folder[64], in[128], out[128];

static void require(int condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "fuzz_import: %s: %s\n", what, c != NULL ? mn_context_error(c) : "");
    abort();
}

static void *resize_small(void *block, size_t bytes, void *user)
{
    (void)user;
    if (bytes > 0) return bytes <= BLOCK_MOST ? realloc(block, bytes) : NULL;
    free(block);
    return NULL;
}

/// Files that were left; they are removed.
static int sweep(int remove_them)
{
    int  count = 0;
    DIR *dir   = opendir(folder);
    require(dir != NULL, "no folder");
    for (const struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        char path[512];
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (remove_them) (void)unlink(path);
        count++;
    }
    closedir(dir);
    return count;
}

static void leave(void)
{
    (void)sweep(1);
    (void)rmdir(folder);
}

static void start(void)
{
    mn_context_def def = mn_context_def_default();
    def.threads        = 1;
    def.resize         = resize_small;
    require(mn_context_create(&def, &c) == MN_OK, "no context");
    snprintf(folder, sizeof folder, "%s/fuzz-import-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".");
    require(mkdtemp(folder) != NULL, "no folder");
    snprintf(in, sizeof in, "%s/in.xml", folder);
    snprintf(out, sizeof out, "%s/out.yaml", folder);
    atexit(leave);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (c == NULL) start();
    const int64_t blocks = mn_context_memory(c).blocks_now;
    FILE         *file   = fopen(in, "wb");
    require(file != NULL && fwrite(data, 1, size, file) == size && fclose(file) == 0, "no input");
    char           *listing = NULL;
    const mn_status status  = mn_scene_import(c, in, out, &listing);
    mn_text_free(c, &listing);
    if (status == MN_OK) {
        const mn_scene_source source = { .path = out };
        mn_scene             *scene  = NULL;
        const mn_status       again  = mn_scene_load(c, &source, &scene);
        require(again == MN_OK || again == MN_ERR_MEMORY, "what came out is refused");
        mn_scene_destroy(&scene);
    } else {
        require(status == MN_ERR_MEMORY || strncmp(mn_context_error(c), in, strlen(in)) == 0,
                "a sentence without its file");
        require(sweep(0) == 1, "files were left");
    }
    (void)sweep(1);
    require(mn_context_memory(c).blocks_now == blocks, "blocks were left");
    return 0;
}
