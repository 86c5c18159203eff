// SPDX-License-Identifier: MPL-2.0
// stain/stains.h - the stains of a world: films of liquid that follow a cloth, each with steps of its own length.
//
// The cloth is the stain's own, and stands still or is moved by a motion or by files; or it is a carrier, which others
// move: where a carrier is they say before each step, and what the film does to it, its weight and its push, they take
// from here (couple/fabric_stain.h). A step of the world ends wherever that of a stain does, so that the cloth is known
// at equal distances of time, which its acceleration is taken from (stain 5.3).
#ifndef MN_STAIN_STAINS_H
#define MN_STAIN_STAINS_H

#include "base/fields.h"
#include "geom/mesh_sequence.h"
#include "geom/motion.h"
#include "grid/step.h"
#include "meniscus/stain.h"
#include "stain/film.h"

/// A cloth that others move. Its arrays are of each axis, over the vertices of its mesh; borrowed until the end of the
/// step or call they are given for.
typedef struct mn_stain_carrier {
    int                 number;  ///< by which others know it; -1: there is none
    const mn_thin_mesh *mesh;    ///< at rest
    const double       *position[3], *velocity[3];
} mn_stain_carrier;

/// A source, which stays on the vertices where it was put.
typedef struct mn_stain_source {
    double   density, pigment[MN_PIGMENTS_MOST];  ///< g/cm^2
    double   during[2];                           ///< s
    int64_t  count;
    int32_t *vertex;
} mn_stain_source;

/// How the threads of a cloth lie. They stretch with it: a weft is so much of each of two sides of its triangle.
typedef struct mn_stain_threads {
    int32_t *weave_of;  ///< each triangle; -1: spreads alike in all directions
    double (*weft)[2];  ///< of each triangle, of its sides from corner 0 to 1 and from 0 to 2
    mn_stain_tensor
        *weave;  ///< of each patch or, if its threads are resolved, of each of its cells; along weft and warp
} mn_stain_threads;

/// A run of doubles of the state as a block of a checkpoint, whose name has that of the stain in it.
typedef struct mn_stain_block {
    char           name[MN_NAME_BYTES + 32];
    mn_field       field;
    mn_field_table table;
    double        *first;  ///< what the table is of
    int64_t        count, capacity;
} mn_stain_block;

typedef struct mn_stained_cloth {
    mn_stain_def      def;  ///< its name, numbers and switches; its arrays are not kept
    mn_stain_source  *sources;
    int               source_count;
    mn_pigment        pigments[MN_PIGMENTS_MOST];
    mn_stain_carrier  carrier;      ///< its number stays, the rest is as it was last told
    int32_t          *mesh_vertex;  ///< of each vertex, in the mesh of its carrier or in its files; NULL: the same
    mn_mesh_sequence *files;        ///< that move a cloth of its own; NULL: none do
    mn_vec3          *rest;         ///< of a cloth of its own, where it was put
    mn_motion        *motion;       ///< NULL: it stands still
    mn_stain_threads  threads;
    mn_mesh_texture   texture;  ///< of its triangles, if it is drawn as a texture
    mn_stain_film    *film;
    double           *kept;                      ///< the film before the step
    bool              stepped;                   ///< the film has moved on in the step that is being tried
    double            steps;                     ///< of the film since the start; state
    double            steps_before;              ///< the same before the step
    mn_stain_block    block[MN_STAIN_RUNS + 1];  ///< one for each run of doubles of the film, and one for the steps
    int               block_count;
} mn_stained_cloth;

typedef struct mn_stains {
    mn_context       *context;
    mn_vec3           gravity;
    mn_stained_cloth *list;
    int64_t           count, capacity;
} mn_stains;

void mn_stains_init(mn_context *c, mn_vec3 gravity, mn_stains *out);
void mn_stains_destroy(mn_stains *all);

// stains_add.c
/// Whether its numbers are in their ranges.
mn_status mn_stains_check(mn_context *c, const mn_stain_def *def);
/// Add one that was checked, on a carrier whose number is not -1, or on the cloth of its own that it describes.
mn_status mn_stains_add(mn_stains *all, const mn_stain_def *def, const mn_stain_carrier *on, mn_arena *arena);
/// Take the last one away again.
void mn_stains_remove_last(mn_stains *all);

// stains.c
/// The end of the step that is about to begin now: `until`, or where a film's own step ends before that.
double mn_stains_stop(const mn_stains *all, double now, double until);
/// A step begins: no film has moved on in it.
void mn_stains_keep(mn_stains *all);
/// Step the films whose own step ends with this one, their carriers being where they are at its end.
mn_status mn_stains_step(mn_stains *all, const mn_step *step);
/// Back to where they were before the step.
mn_status mn_stains_take_back(mn_stains *all, mn_arena *arena);
/// Point the blocks of a stain at the arrays of its film.
void mn_stains_blocks(mn_stained_cloth *s);
/// After a load has put other values into the blocks.
mn_status mn_stains_loaded(mn_stains *all, mn_arena *arena);

/// All stains together; volumes in cm^3, pigment in g.
typedef struct mn_stains_sums {
    double liquid, added, removed, evaporated, solute, solute_added, solute_removed;
} mn_stains_sums;
mn_stains_sums mn_stains_sum(const mn_stains *all);

mn_stain_view mn_stains_view(const mn_stains *all, int64_t stain);
/// Where the vertices of a stain are at `time`, or now if it has a carrier, which is `on`. Fails where a file does.
mn_status mn_stains_place(const mn_stains *all, int64_t stain, const mn_stain_carrier *on, double time, mn_vec3 *out);

#endif
