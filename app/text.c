// SPDX-License-Identifier: MPL-2.0
// app/text.c - nearest names, durations, file stems.
#include "app.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_WORD 64

static int least3(int a, int b, int c)
{
    const int m = a < b ? a : b;
    return m < c ? m : c;
}

/// Letters to insert, remove or change to get from one word to the other.
static int edit_distance(const char *a, const char *b)
{
    const int n = (int)strlen(a), m = (int)strlen(b);
    if (n >= LONGEST_WORD || m >= LONGEST_WORD) return LONGEST_WORD;
    int row[LONGEST_WORD];
    for (int j = 0; j <= m; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int diagonal = row[0];
        row[0]       = i;
        for (int j = 1; j <= m; j++) {
            const int above = row[j];
            row[j]          = least3(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal        = above;
        }
    }
    return row[m];
}

const char *app_nearest(const char *word, const char *const *names, int count)
{
    const char *best     = NULL;
    int         distance = (int)strlen(word) / 2 + 1;  // further off than half its letters it is another word
    for (int k = 0; k < count; k++) {
        const int d = edit_distance(word, names[k]);
        if (d < distance) {
            distance = d;
            best     = names[k];
        }
    }
    return best;
}

void app_format_duration(double seconds, char *text, size_t bytes)
{
    if (!isfinite(seconds) || seconds < 0.0) {
        snprintf(text, bytes, "unknown");
    } else if (seconds < 60.0) {
        snprintf(text, bytes, "%.1f s", seconds);
    } else if (seconds < 3600.0) {
        snprintf(text, bytes, "%d:%02d min", (int)seconds / 60, (int)seconds % 60);
    } else {
        const long long minutes = (long long)(seconds / 60.0);
        snprintf(text, bytes, "%lld:%02lld h", minutes / 60, minutes % 60);
    }
}

void app_format_bytes(double amount, char *text, size_t bytes)
{
    if (amount < 1e9) snprintf(text, bytes, "%.0f MB", ceil(amount / 1e6));
    else snprintf(text, bytes, "%.1f GB", amount / 1e9);
}

void app_stem(const char *path, char *text, size_t bytes)
{
    const char *slash = strrchr(path, '/');
    snprintf(text, bytes, "%s", slash == NULL ? path : slash + 1);
    char *dot = strrchr(text, '.');
    if (dot != NULL && dot != text) *dot = '\0';
}
