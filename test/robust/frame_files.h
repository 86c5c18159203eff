// SPDX-License-Identifier: MPL-2.0
// test/robust/frame_files.h - the frame files of a run as one number: equal numbers, equal names and bytes.
#ifndef ROBUST_FRAME_FILES_H
#define ROBUST_FRAME_FILES_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static inline uint64_t fnv(uint64_t h, const unsigned char *data, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++) h = (h ^ data[k]) * 0x100000001b3u;
    return h;
}

static inline uint64_t hash_of_file(const char *path, uint64_t h)
{
    static unsigned char room[1 << 16];
    FILE                *file = fopen(path, "rb");
    if (file == NULL) return 0;
    for (size_t n; (n = fread(room, 1, sizeof room, file)) > 0;) h = fnv(h, room, n);
    fclose(file);
    return h;
}

/// The order in which a folder is listed does not matter.
static inline uint64_t hash_of_frames(const char *out)
{
    char     path[600];
    uint64_t sum = 0;
    snprintf(path, sizeof path, "%s/frames", out);
    DIR *folder = opendir(path);
    for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
        if (e->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/frames/%s", out, e->d_name);
        sum += hash_of_file(path, fnv(0xcbf29ce484222325u, (const unsigned char *)e->d_name, strlen(e->d_name)));
    }
    if (folder != NULL) closedir(folder);
    return sum;
}

#endif
