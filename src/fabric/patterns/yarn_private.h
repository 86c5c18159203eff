// SPDX-License-Identifier: MPL-2.0
// fabric/patterns/yarn_private.h - the patterns of yarn; for yarn.c, weave.c, knit.c, net.c only.
#ifndef MN_FABRIC_PATTERNS_YARN_PRIVATE_H
#define MN_FABRIC_PATTERNS_YARN_PRIVATE_H

#include "fabric/patterns/builder.h"

/// Yarns of a pattern keep twice their radius apart, less this share of it.
#define MN_YARN_TOLERANCE 1e-3

void mn_yarn_weave(mn_fabric_builder *b, const mn_yarn_def *def);
void mn_yarn_knit(mn_fabric_builder *b, const mn_yarn_def *def);
void mn_yarn_net(mn_fabric_builder *b, const mn_yarn_def *def);

#endif
