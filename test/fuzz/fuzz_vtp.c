// SPDX-License-Identifier: MPL-2.0
// fuzz_vtp - the input is a frame file. Whatever it holds: a part that writes itself again, or a sentence with the
// file's name, and memory in proportion.
#include "output/vtp_read.h"

#include <stdlib.h>
#include <string.h>

static void require(int condition)
{
    if (!condition) abort();
}

static void look_at(mn_context *c, const mn_frame_part *p)
{
    const int64_t corners = p->cells == NULL    ? 0
                            : p->ends == NULL   ? p->cell_count * (p->kind + 1)
                            : p->cell_count > 0 ? p->ends[p->cell_count - 1]
                                                : 0;
    for (int64_t i = 0; i < corners; i++) require(p->cells[i] >= 0 && p->cells[i] < p->point_count);
    for (int k = 0; k < p->array_count; k++)
        for (int64_t i = 0; i < p->point_count; i++)
            (void)mn_frame_array_value(&p->arrays[k], i, p->arrays[k].components - 1);
    mn_buffer b;
    mn_buffer_init(&b, c);
    require(mn_vtp_make(p, &b) == MN_OK);
    mn_buffer_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mn_context_def def = mn_context_def_default();
    mn_context    *c   = NULL;
    def.threads        = 1;
    require(mn_context_create(&def, &c) == MN_OK);
    const int64_t blocks = mn_context_memory(c).blocks_now, bytes = mn_context_memory(c).bytes_now;
    mn_vtp_part  *part = NULL;
    if (mn_vtp_parse(c, "part.000001.vtp", data, size, &part) == MN_OK) look_at(c, &part->part);
    else require(strncmp(mn_context_error(c), "part.000001.vtp: ", 17) == 0);
    mn_vtp_part_destroy(c, &part);
    require(mn_context_memory(c).blocks_now == blocks);
    require(mn_context_memory(c).bytes_peak - bytes <= 65536 + 32768 + 16 * (int64_t)size);
    mn_context_destroy(&c);
    return 0;
}
