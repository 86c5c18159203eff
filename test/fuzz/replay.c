// SPDX-License-Identifier: MPL-2.0
// replay - a fuzz target without the fuzzer: every file of the folders it is given is one input. For compilers and
// sanitizers that libFuzzer does not know.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int play(const char *path)
{
    FILE       *file = fopen(path, "rb");
    struct stat info;
    if (file == NULL || fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) {
        if (file != NULL) fclose(file);
        return 0;
    }
    // Of exact length, so that a sanitizer sees a byte read too far.
    uint8_t     *data = malloc((size_t)info.st_size + (info.st_size == 0));
    const size_t size = data != NULL ? fread(data, 1, (size_t)info.st_size, file) : 0;
    fclose(file);
    if (data == NULL || size != (size_t)info.st_size) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(1);
    }
    (void)LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int k = 1; k < argc; k++) {
        DIR *dir = opendir(argv[k]);
        for (const struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
            char path[4096];
            if (snprintf(path, sizeof path, "%s/%s", argv[k], e->d_name) < (int)sizeof path) count += play(path);
        }
        if (dir != NULL) closedir(dir);
    }
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
