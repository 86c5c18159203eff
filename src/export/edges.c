// SPDX-License-Identifier: MPL-2.0
// export/edges.c - what joins the points: lines of any kind as pairs of points, and whether anything changed.
#include "export/formats.h"

#include "base/hash.h"

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

uint64_t mn_part_shape_hash(const mn_frame_part *p)
{
    const int64_t each    = p->kind == MN_CELLS_TRIANGLES ? 3 : p->kind == MN_CELLS_LINES ? 2 : 1;
    const int64_t corners = p->cell_count == 0 || p->cells == NULL ? 0
                            : p->ends != NULL                      ? p->ends[p->cell_count - 1]
                                                                   : each * p->cell_count;
    uint64_t      hash    = mn_hash_bytes(MN_HASH_SEED, &p->cell_count, sizeof p->cell_count);
    if (corners > 0) hash = mn_hash_bytes(hash, p->cells, (size_t)corners * sizeof *p->cells);
    if (p->ends != NULL) hash = mn_hash_bytes(hash, p->ends, (size_t)p->cell_count * sizeof *p->ends);
    return hash;
}
