// SPDX-License-Identifier: MPL-2.0
// scene/start.h - what will go badly in a world as it starts, said before its first step.
#ifndef MN_SCENE_START_H
#define MN_SCENE_START_H

#include "scene/node.h"
#include "scene/settings.h"

/// Warnings, events `start_…`, with the place of what they are about: of things that can run and will not do what is
/// meant: fabric and liquid that start inside obstacles, fabric beyond walls, liquid that is smaller than a cell.
mn_status mn_scene_look_at_start(mn_context *context, const mn_scene_data *data, const mn_node *root,
                                 const mn_world *world);

#endif
