// SPDX-License-Identifier: MPL-2.0
// scene/merge.h - walking a scene along the table, and one map laid over another.
#ifndef MN_SCENE_MERGE_H
#define MN_SCENE_MERGE_H

#include "scene/node.h"
#include "scene/settings.h"

/// What the table knows about a value: it is read by a section, has kinds, or is a map of names. At most one is set.
typedef struct mn_guide {
    const mn_section *section;
    const mn_group   *group;
    const mn_setting *named;
} mn_guide;

mn_guide mn_guide_section(const mn_section *section);
/// What is known about the value under `key` of a map.
mn_guide mn_guide_below(mn_guide guide, const char *key);

/// `over` laid over `base`: keys of both maps, deeply, those of `over` winning. Where things have kinds, a new kind
/// replaces the old one. `section` guides and may be NULL, as may `base`. The nodes given stay as they are.
mn_status mn_merge(mn_arena *arena, const mn_section *section, mn_node *base, mn_node *over, mn_node **out);

#endif
