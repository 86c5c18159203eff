// SPDX-License-Identifier: MPL-2.0
// render/normals.c - smooth normals of triangle meshes.
#include "render/normals.h"

static mn_f3 at(const float (*point)[4], uint32_t i) { return mn_f3_of(point[i][0], point[i][1], point[i][2]); }

/// Across a triangle, twice its area long.
static mn_f3 across(const float (*point)[4], const uint32_t *corner)
{
    const mn_f3 a = at(point, corner[0]);
    return mn_f3_cross(mn_f3_sub(at(point, corner[1]), a), mn_f3_sub(at(point, corner[2]), a));
}

void mn_normals_smooth(int64_t points, const float (*point)[4], int64_t triangles, const uint32_t *index, mn_f3 *normal)
{
    for (int64_t i = 0; i < points; i++) normal[i] = mn_f3_gray(0.0f);
    for (int64_t t = 0; t < triangles; t++) {
        const mn_f3 n = across(point, index + 3 * t);
        for (int k = 0; k < 3; k++) normal[index[3 * t + k]] = mn_f3_add(normal[index[3 * t + k]], n);
    }
    for (int64_t i = 0; i < points; i++) normal[i] = mn_f3_unit(normal[i], mn_f3_of(0, 1, 0));
}

/// The corners around each point: first[i] .. first[i + 1] of `around` are corner numbers.
static void list_corners(int64_t points, int64_t corners, const uint32_t *index, int32_t *first, int32_t *around)
{
    for (int64_t k = 0; k < corners; k++) first[index[k] + 1]++;
    for (int64_t i = 0; i < points; i++) first[i + 1] += first[i];
    for (int64_t k = corners - 1; k >= 0; k--) around[--first[index[k] + 1]] = (int32_t)k;
    // Each first[i + 1] now holds the begin of i, not that of i + 1.
    for (int64_t i = 0; i < points; i++) first[i] = first[i + 1];
    first[points] = (int32_t)corners;
}

mn_status mn_normals_creased(mn_context *c, int64_t points, const float (*point)[4], int64_t triangles,
                             const uint32_t *index, float angle, mn_f3 *normal)
{
    const float cosine = cosf(angle);
    int32_t    *first = mn_alloc_array(c, int32_t, points + 1), *around = mn_alloc_array(c, int32_t, 3 * triangles);
    mn_f3      *face   = mn_alloc_array(c, mn_f3, triangles);
    mn_status   status = first != NULL && around != NULL && face != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) {
        list_corners(points, 3 * triangles, index, first, around);
        for (int64_t t = 0; t < triangles; t++) face[t] = across(point, index + 3 * t);
        for (int64_t k = 0; k < 3 * triangles; k++) {
            const mn_f3 own = mn_f3_unit(face[k / 3], mn_f3_of(0, 1, 0));
            mn_f3       sum = mn_f3_gray(0.0f);
            for (int32_t n = first[index[k]]; n < first[index[k] + 1]; n++) {
                const mn_f3 other = face[around[n] / 3];
                if (mn_f3_dot(own, mn_f3_unit(other, own)) >= cosine) sum = mn_f3_add(sum, other);
            }
            normal[k] = mn_f3_unit(sum, own);
        }
    }
    mn_free(c, first);
    mn_free(c, around);
    mn_free(c, face);
    return status;
}
