// SPDX-License-Identifier: MPL-2.0
// solve/mg_match.h - inside the multigrid: which unknowns of a block become one unknown of the next level.
#ifndef MN_SOLVE_MG_MATCH_H
#define MN_SOLVE_MG_MATCH_H

#include <stdint.h>

/// Unknowns a block may hold at once; larger blocks are cut.
#define MN_MG_MATCH_NODES 512
#define MN_MG_MATCH_LINKS 4096

/// The couplings among the unknowns of one block.
typedef struct mn_mg_match {
    int      nodes, links;
    float    outside[MN_MG_MATCH_NODES];  // sum of the couplings that leave the group, and of e
    uint16_t group[MN_MG_MATCH_NODES];    // result: 0 .. groups-1 in order of their first node
    uint16_t a[MN_MG_MATCH_LINKS], b[MN_MG_MATCH_LINKS];
    float    weight[MN_MG_MATCH_LINKS];
    int16_t  slot[MN_MG_MATCH_NODES];  // scratch: link between a node in hand and each other one, or -1
} mn_mg_match;

void mn_mg_match_begin(mn_mg_match *m, int nodes);
/// Add to the coupling of two nodes. All links of one `a` come together. Links beyond the room are left out: their ends
/// are then not joined.
void mn_mg_match_link(mn_mg_match *m, int a, int b, float weight);
/// Join what is well coupled; the number of groups.
int mn_mg_match_run(mn_mg_match *m);

/// A link joins its ends while weight * (1 / outside_a + 1 / outside_b) is at least this (liquid 5.10).
#define MN_MG_MATCH_LEAST 0.25f

/// An unknown whose couplings make up less than this part of its diagonal needs no correction: it has no parent.
#define MN_MG_DROP_BELOW 0.25f
/// An unknown alone in its group joins its best neighbour if that coupling is more than this part of its diagonal.
#define MN_MG_LEAF_LEAST 0.2f

#endif
