// SPDX-License-Identifier: MPL-2.0
// render/covered.c - a stain lies on the vertices of its cloth, so the points of both files are the same floats.
#include "render/covered.h"

#include <stdlib.h>
#include <string.h>

typedef struct place {
    float x[3];
} place;

static int compare_places(const void *a, const void *b)
{
    const place *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
    return 0;
}

static bool is_among(const place *sorted, int64_t count, const float point[4])
{
    const place key = { { point[0], point[1], point[2] } };
    return bsearch(&key, sorted, (size_t)count, sizeof key, compare_places) != NULL;
}

mn_status mn_thing_uncover(mn_context *c, mn_thing *t, const mn_frame_part *cover)
{
    if (t->kind != MN_THING_TRIANGLES || cover->point_count == 0) return MN_OK;
    place *sorted = mn_alloc_array(c, place, cover->point_count);
    if (sorted == NULL) return MN_ERR_MEMORY;
    for (int64_t i = 0; i < cover->point_count; i++)
        for (int k = 0; k < 3; k++) sorted[i].x[k] = (float)mn_frame_array_value(&cover->points, i, k);
    qsort(sorted, (size_t)cover->point_count, sizeof *sorted, compare_places);
    int64_t kept = 0;
    for (int64_t n = 0; n < t->primitive_count; n++) {
        const uint32_t *corner  = t->index + 3 * n;
        bool            covered = true;
        for (int k = 0; covered && k < 3; k++) covered = is_among(sorted, cover->point_count, t->point[corner[k]]);
        if (!covered) memmove(t->index + 3 * kept++, corner, 3 * sizeof *corner);
    }
    t->primitive_count = kept;
    mn_free(c, sorted);
    return MN_OK;
}
