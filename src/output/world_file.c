// SPDX-License-Identifier: MPL-2.0
// output/world_file.c - a world as a checkpoint file.
#include "output/checkpoint.h"

#include <inttypes.h>

mn_checkpoint mn_checkpoint_of(mn_world *world)
{
    mn_checkpoint state = { .identity = mn_world_identity(world) };
    mn_world_state(world, &state.blocks, &state.block_count, &state.scalars, &state.scalar_count);
    mn_world_layouts(world, &state.layouts, &state.layout_count);
    return state;
}

mn_status mn_world_save(mn_world *world, const char *path)
{
    const mn_checkpoint state = mn_checkpoint_of(world);
    return mn_checkpoint_write(mn_world_context(world), &state, mn_world_hash(world), path);
}

static mn_status load(mn_world *world, const char *path, bool other_scene)
{
    mn_checkpoint state = mn_checkpoint_of(world);
    uint64_t      hash  = 0;
    state.other_scene   = other_scene;
    MN_TRY(mn_checkpoint_read(mn_world_context(world), &state, path, &hash));
    MN_TRY(mn_world_state_loaded(world));
    const uint64_t now = mn_world_hash(world);
    if (now == hash) return MN_OK;
    return mn_fail(mn_world_context(world), MN_ERR_FILE,
                   "%s: the loaded state has hash %016" PRIx64 ", the checkpoint was saved with %016" PRIx64, path, now,
                   hash);
}

mn_status mn_world_load(mn_world *world, const char *path) { return load(world, path, false); }

mn_status mn_world_load_branch(mn_world *world, const char *path) { return load(world, path, true); }
