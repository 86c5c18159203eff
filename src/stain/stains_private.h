// SPDX-License-Identifier: MPL-2.0
// stain/stains_private.h - what adding and stepping a stain share: its cloth and the threads of it.
#ifndef MN_STAIN_STAINS_PRIVATE_H
#define MN_STAIN_STAINS_PRIVATE_H

#include "stain/stains.h"

/// A cloth whose edges changed by more than this share since they were last measured is measured anew (stain 7).
#define MN_STAIN_STRETCH 0.01

/// The cloth as the film sees it when it is added, from the arena: vertices that belong to a triangle, in their order.
typedef struct mn_stain_cloth {
    const mn_thin_mesh *mesh;
    int64_t             vertex_count;
    int32_t            *number;  ///< of each vertex of the mesh, -1: none
    mn_vec3            *x;       ///< where it is put, at rest
    int32_t (*triangle)[3];
} mn_stain_cloth;

// stains.c
/// What its blocks are called, and what is in them; once.
void mn_stains_name_blocks(mn_stained_cloth *s, const char *name);

// cloth.c
/// Take the mesh of the carrier, of files or of the definition, with what moves it and its texture coordinates.
mn_status mn_stain_cloth_take(mn_context *c, mn_stained_cloth *s, const mn_stain_def *def, mn_arena *arena,
                              mn_stain_cloth *out);
/// Where the cloth of a film is: at `time`, or where `on` is now.
mn_status mn_stain_cloth_at(mn_context *c, const mn_stained_cloth *s, const mn_stain_carrier *on, double time,
                            mn_vec3 *out);

// threads.c
/// Lay the threads of a cloth that is in place, as its patches say; then its tensors where it is, from the arena.
mn_status mn_stain_threads_lay(mn_context *c, mn_stained_cloth *s, const mn_stain_def *def, const mn_stain_film_def *k,
                               mn_arena *arena);
mn_status mn_stain_threads_tensors(const mn_stained_cloth *s, mn_stain_film_def *k, mn_arena *arena);
/// If the cloth has stretched to where it is now, give each vertex its new area: masses stay, densities follow.
mn_status mn_stain_threads_follow(mn_stained_cloth *s, mn_arena *arena);
/// After other values were put into the state of the film.
mn_status mn_stain_threads_restore(mn_stained_cloth *s, mn_arena *arena);

#endif
