// SPDX-License-Identifier: MPL-2.0
// fuzz_weave - the bytes are a file of cells or tensors. Whatever it holds: a tile with a tensor between its bounds, or
// a sentence.
#include "stain/weave/weave.h"

#include <stdlib.h>
#include <string.h>

static void require(int condition)
{
    if (!condition) abort();
}

static void look_at_tensor(mn_context *c, const mn_weave_tile *tile)
{
    mn_weave_result r;
    mn_weave_def    def = mn_weave_def_default();
    def.finest          = 2;
    if (tile->columns * tile->rows > 64) return;
    const mn_status status = mn_weave_homogenise(c, tile, &def, &r);
    require(status == MN_OK || status == MN_ERR_ARGUMENT || status == MN_ERR_SOLVE);
    if (status == MN_OK) require(r.principal[1] > 0.0 && isfinite(r.principal[0]) && r.gap >= 0.0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mn_context_def def = mn_context_def_default();
    mn_context    *c   = NULL;
    def.threads        = 1;
    require(mn_context_create(&def, &c) == MN_OK);
    const int64_t blocks = mn_context_memory(c).blocks_now;
    mn_weave_tile tile;
    if (mn_weave_tile_parse(c, "weave", (const char *)data, size, &tile) == MN_OK) {
        look_at_tensor(c, &tile);
        mn_weave_tile_free(c, &tile);
    } else {
        require(strncmp(mn_context_error(c), "weave:", 6) == 0);
    }
    require(mn_context_memory(c).blocks_now == blocks);
    mn_context_destroy(&c);
    return 0;
}
