// SPDX-License-Identifier: MPL-2.0
// elastic/rod_network_private.h - what the files of the rod network share.
#ifndef MN_ELASTIC_ROD_NETWORK_PRIVATE_H
#define MN_ELASTIC_ROD_NETWORK_PRIVATE_H

#include "elastic/rod_network.h"

/// Elements per block of a loop: part of the results, since energies are summed per block.
#define MN_ROD_BLOCK 512

/// Which edges meet at each vertex (rod_junction.c). A vertex that is not just inside one strand is a junction; there
/// the strands' own corners are replaced by those of the junction.
typedef struct mn_rod_meeting {
    int32_t *start, *edge;  ///< edges at each vertex: edge * 2 + end
} mn_rod_meeting;
mn_status mn_rod_meetings(mn_rod_network *net, mn_rod_meeting *out);
bool      mn_rod_is_junction(const mn_rod_network *net, const mn_rod_meeting *m, int32_t vertex);
/// Pairs of edges that bend and twist together at a junction: count - 1 of them, straightest first (elastic-rods 9).
int32_t mn_rod_junction_joints(const mn_rod_network *net, const mn_rod_meeting *m, int32_t vertex, const mn_vec3 *rest,
                               mn_rod_joint *out);

/// Rest strains of a pose, and the state that goes with it (rod_rest.c).
void mn_rod_rest_from(mn_rod_network *net, const mn_vec3 *rest);

/// Order of elimination of the angles and where every update goes (rod_twist.c).
mn_status mn_rod_elimination_create(mn_rod_network *net);
void      mn_rod_elimination_destroy(mn_rod_network *net);

static inline mn_vec3 mn_rod_get(double *const a[3], int64_t i) { return mn_v3(a[0][i], a[1][i], a[2][i]); }
static inline void mn_rod_set(double *const a[3], int64_t i, mn_vec3 v) { a[0][i] = v.x, a[1][i] = v.y, a[2][i] = v.z; }

#endif
