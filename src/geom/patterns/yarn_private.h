// SPDX-License-Identifier: MPL-2.0
// geom/patterns/yarn_private.h - the patterns of yarn; for yarn.c, weave.c, knit.c, net.c only.
#ifndef MN_GEOM_PATTERNS_YARN_PRIVATE_H
#define MN_GEOM_PATTERNS_YARN_PRIVATE_H

#include "geom/patterns/builder.h"

/// Yarns of a pattern keep twice their radius apart, less this share of it.
#define MN_YARN_TOLERANCE 1e-3

void mn_yarn_weave(mn_pattern_builder *b, const mn_yarn_def *def);
void mn_yarn_knit(mn_pattern_builder *b, const mn_yarn_def *def);
void mn_yarn_net(mn_pattern_builder *b, const mn_yarn_def *def);

#endif
