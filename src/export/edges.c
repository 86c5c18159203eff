// SPDX-License-Identifier: MPL-2.0
// export/edges.c - lines of any kind as pairs of points.
#include "export/formats.h"

mn_status mn_part_edges(mn_context *c, const mn_frame_part *p, int32_t **edges, int64_t *count)
{
    *edges = NULL;
    *count = 0;
    if (p->kind != MN_CELLS_LINES || p->cell_count == 0) return MN_OK;
    const int64_t corners = p->ends != NULL ? p->ends[p->cell_count - 1] : 2 * p->cell_count;
    int32_t      *pairs   = mn_alloc_array(c, int32_t, 2 * corners);
    if (pairs == NULL) return MN_ERR_MEMORY;
    int64_t n = 0;
    for (int64_t cell = 0, at = 0; cell < p->cell_count; cell++) {
        const int64_t end = p->ends != NULL ? p->ends[cell] : at + 2;
        for (int64_t k = at + 1; k < end; k++, n++) {
            pairs[2 * n]     = p->cells[k - 1];
            pairs[2 * n + 1] = p->cells[k];
        }
        at = end;
    }
    *edges = pairs;
    *count = n;
    return MN_OK;
}
