// SPDX-License-Identifier: MPL-2.0
// world/stains.h - the stains of a world: films of liquid that follow a fabric, or a cloth that is moved.
//
// A stain has steps of its own length. The world ends a step wherever one of them ends, so that the cloth is known at
// equal distances of time, which its acceleration is taken from (stain 5.3).
#ifndef MN_WORLD_STAINS_H
#define MN_WORLD_STAINS_H

#include "base/fields.h"
#include "geom/mesh_sequence.h"
#include "geom/motion.h"
#include "stain/film.h"

struct mn_world;

/// A source, which stays on the vertices where it was put.
typedef struct mn_stain_source {
    double   density, pigment[MN_PIGMENTS_MOST];  ///< g/cm^2
    double   during[2];                           ///< s
    int64_t  count;
    int32_t *vertex;
} mn_stain_source;

/// A cloth whose edges changed by more than this share since they were last measured is measured anew (stain 7).
#define MN_STAIN_STRETCH 0.01

/// How the threads of a cloth lie. They stretch with it: a weft is so much of each of two sides of its triangle.
typedef struct mn_stain_threads {
    int32_t *weave_of;  ///< each triangle; -1: spreads alike in all directions
    double (*weft)[2];  ///< of each triangle, of its sides from corner 0 to 1 and from 0 to 2
    mn_stain_tensor
        *weave;  ///< of each patch or, if its threads are resolved, of each of its cells; along weft and warp
} mn_stain_threads;

typedef struct mn_stained_cloth {
    mn_stain_def            def;  ///< its name, numbers and switches; its arrays are not kept
    struct mn_stain_source *sources;
    int                     source_count;
    mn_pigment              pigments[MN_PIGMENTS_MOST];
    int                     fabric;       ///< -1: a cloth of its own
    int32_t                *mesh_vertex;  ///< of each vertex, in its fabric or in its files; NULL: the same
    mn_mesh_sequence       *files;        ///< that move a cloth of its own; NULL: none do
    mn_vec3                *rest;         ///< of a cloth of its own, where it was put
    mn_motion              *motion;       ///< NULL: it stands still
    mn_stain_threads        threads;
    mn_mesh_texture         texture;  ///< of its triangles, if it is drawn as a texture
    mn_stain_film          *film;
    double                 *kept;     ///< the film before the step
    bool                    stepped;  ///< the film has moved on in the step that is being tried
    double                  steps;    ///< of the film since the start; state
    // one block of state for each run of doubles, and one for the steps
    mn_field       field[MN_STAIN_RUNS + 1];
    mn_field_table table[MN_STAIN_RUNS + 1];
    char           table_name[MN_STAIN_RUNS + 1][MN_NAME_BYTES + 32];
    double        *array[MN_STAIN_RUNS + 1];
    int64_t        count[MN_STAIN_RUNS + 1], capacity[MN_STAIN_RUNS + 1];
    int            block_count;
} mn_stained_cloth;

/// Where the cloth of a stain is: at `time`, or now if it is a fabric. Fails where a file does.
mn_status mn_world_stain_cloth(const struct mn_world *w, const mn_stained_cloth *s, double time, mn_vec3 *out);
void      mn_world_stain_destroy(mn_context *c, mn_stained_cloth *s);

/// The constants of a pigment as the solute layer takes them.
mn_stain_pigment mn_world_pigment_law(const mn_pigment *p);
/// What two-way stains weigh on the vertices of all fabrics, g, from the arena; NULL if there are none.
mn_status mn_world_stain_load(struct mn_world *w, const double **load);
/// The end of the step that is about to begin: `until`, or where a film's own step ends before that.
double mn_world_stain_stop(const struct mn_world *w, double until);
/// Step the films whose own step ends with this one, which is at `time`.
mn_status mn_world_stain_step(struct mn_world *w, double time);
/// Back to where they were before.
mn_status mn_world_stain_roll_back(struct mn_world *w);
/// After a load has put other values into the blocks.
mn_status mn_world_stain_loaded(struct mn_world *w, mn_stained_cloth *s);
/// Point the blocks at the arrays of the film.
void mn_world_stain_blocks(mn_stained_cloth *s);

/// Lay the threads of a cloth that is in place, as its patches say; then its tensors where it is, from the arena.
mn_status mn_world_stain_lay_threads(struct mn_world *w, mn_stained_cloth *s, const mn_stain_def *def,
                                     const mn_stain_film_def *cloth);
mn_status mn_world_stain_tensors(struct mn_world *w, const mn_stained_cloth *s, mn_stain_film_def *cloth);
/// If the cloth has stretched to where it is now, give each vertex its new area: masses stay, densities follow.
mn_status mn_world_stain_follow(struct mn_world *w, mn_stained_cloth *s);
/// After other values were put into the state of the film.
mn_status mn_world_stain_restore(struct mn_world *w, mn_stained_cloth *s);

/// All stains together; volumes in cm^3, pigment in g.
typedef struct mn_world_stain_sums {
    double liquid, added, evaporated, solute, solute_added;
} mn_world_stain_sums;
mn_world_stain_sums mn_world_stain_sum(const struct mn_world *w);

#endif
