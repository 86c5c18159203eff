// SPDX-License-Identifier: MPL-2.0
// world/state.h - the state of a world as blocks and scalars: exactly what a checkpoint holds.
#ifndef MN_WORLD_STATE_H
#define MN_WORLD_STATE_H

#include "base/fields.h"
#include "geom/motion.h"
#include "grid/solid/solid.h"
#include "meniscus/world.h"

typedef struct mn_state_block {
    const mn_field_table   *table;
    void                   *base;
    int64_t                *count, *capacity;
    const struct mn_matter *matter;  ///< whose it is
    bool                    varies;  ///< its count may change; that of others is given by the scene
    // of things that move, for the audit; NULL: they do not
    double *const *position, *const *velocity;
    double      speed_slack;  ///< they may cross this many times the CFL distance in a step
    const char *advice;       ///< ends the sentence that they are too far away, or NULL
} mn_state_block;

typedef struct mn_state_scalar {
    const char *name;
    mn_type     type;  ///< MN_TYPE_double or MN_TYPE_int64_t
    void       *value;
} mn_state_scalar;

/// What the state of a kind of matter is laid over, as a hash: names and meshes. Worlds of equal layouts can take each
/// other's states.
typedef struct mn_state_layout {
    const char *name;
    uint64_t    hash;
} mn_state_layout;

typedef struct mn_world_box {
    mn_vec3 low, high;
} mn_world_box;
static inline void mn_world_box_add(mn_world_box *b, mn_vec3 x)
{
    b->low  = mn_v3(fmin(b->low.x, x.x), fmin(b->low.y, x.y), fmin(b->low.z, x.z));
    b->high = mn_v3(fmax(b->high.x, x.x), fmax(b->high.y, x.y), fmax(b->high.z, x.z));
}

/// The blocks and scalars of a world, in a fixed order. Borrowed until the next step.
void mn_world_state(mn_world *world, const mn_state_block **blocks, int *block_count, const mn_state_scalar **scalars,
                    int *scalar_count);
/// The layouts of all matter of a world, in the order of their list. Borrowed until the next call.
void mn_world_layouts(mn_world *world, const mn_state_layout **layouts, int *count);
/// Which scene a world was made from: the hash of the resolved scene and of the files it names; 0: from none.
void     mn_world_set_identity(mn_world *world, uint64_t identity);
uint64_t mn_world_identity(const mn_world *world);
/// Called after new values were put in place by a load.
mn_status mn_world_state_loaded(mn_world *world);
/// Give what only a step needs back to the heap until the next one: the room of the state before it; and the scratch
/// memory, with the pressure. Between steps only.
void mn_world_release_spare(mn_world *world);
void mn_world_release_scratch(mn_world *world);
/// Go back to the state before the last step, to make it again. MN_ERR_STATE if that was released, or the frame ended.
mn_status   mn_world_undo(mn_world *world);
mn_context *mn_world_context(const mn_world *world);

int                 mn_world_obstacle_count(const mn_world *world);
const mn_shape     *mn_world_obstacle_shape(const mn_world *world, int obstacle);
mn_pose             mn_world_obstacle_pose(const mn_world *world, int obstacle);
const char         *mn_world_obstacle_name(const mn_world *world, int obstacle);
const mn_world_def *mn_world_definition(const mn_world *world);
mn_grid_def         mn_world_grid(const mn_world *world);
/// Make the box reach around all matter as it is now.
void mn_world_view_box(const mn_world *world, mn_world_box *box);
/// Walls of the domain and obstacles as they stand at time t; out has room for mn_world_solid_count.
int  mn_world_solid_count(const mn_world *world);
void mn_world_solids(const mn_world *world, double t, mn_solid *out);

/// Pressure of the liquid at points whose coordinates are `stride` values apart, dyn/cm^2: that of the last step, if it
/// ended where it was asked to; else 0: before the first step, and after a load or mn_world_release_scratch.
void mn_world_pressure(const mn_world *world, const double *const position[3], int stride, int64_t count, double *out);

/// Where the vertices of a stain are now.
mn_status mn_world_stain_positions(const mn_world *world, int stain, double (*out)[3]);

#endif
