// SPDX-License-Identifier: MPL-2.0
// world/world.h - the inside of a world: model, state, scratch.
#ifndef MN_WORLD_WORLD_H
#define MN_WORLD_WORLD_H

#include "base/arena.h"
#include "couple/solutes.h"
#include "defs/check.h"
#include "fabric/fabric.h"
#include "geom/motion.h"
#include "grid/step.h"
#include "liquid/liquid.h"
#include "meniscus/world.h"
#include "stain/stains.h"
#include "world/state.h"

/// The stages of a step, in order (design 2). X(name, what is in it)
#define MN_STAGES(X)                                                     \
    X(choose_dt, "CFL and surface limits, clipped to frame times")       \
    X(drive, "scripted motion of obstacles; sources")                    \
    X(activate, "sort particles, build tiles and geometry fields")       \
    X(internal_forces, "shells, rods, bodies, contact stress, cohesion") \
    X(predict_solids, "strands and bodies without liquid")               \
    X(gather, "particles to staggered grid")                             \
    X(grid_forces, "gravity, viscosity")                                 \
    X(coupled_solve, "pressure")                                         \
    X(solid_solve, "implicit fabric, strands with contact")              \
    X(scatter, "grid to particles")                                      \
    X(move, "positions, collision")                                      \
    X(exchange, "liquid changes owner")                                  \
    X(flows_on_solids, "in-fabric flow, films, stain")                   \
    X(upkeep, "density correction, sinks, open boundaries")              \
    X(resample, "splitting and joining of particles")                    \
    X(audit, "finite, converged, sane: accept or take back")

typedef enum mn_stage {
#define X(name, help) MN_STAGE_##name,
    MN_STAGES(X)
#undef X
    // clang-format off
    MN_STAGE_COUNT
    // clang-format on
} mn_stage;

/// Farthest cell from the origin that the tiles can number.
#define MN_FARTHEST_CELL (1 << 27)

typedef struct mn_world_obstacle {
    char       name[MN_NAME_BYTES];
    mn_shape  *shape;   ///< placed
    mn_motion *motion;  ///< NULL: stands still
    mn_wall    wall;
    double     friction;   ///< against fabric; < 0: that of the fabric
    mn_vec3    corner[8];  ///< of the bounding box at rest, for its largest speed
    bool       bounded;
} mn_world_obstacle;

/// A source or sink.
typedef struct mn_world_tap {
    char             name[MN_NAME_BYTES];
    bool             sink;
    mn_shape        *shape;
    mn_shape        *nozzle;  ///< what a viscous stream leaves, and is held by; NULL: none
    mn_motion       *motion;
    mn_liquid_stream stream;
    double           begin, end;
} mn_world_tap;

typedef struct mn_world_probe {
    mn_probe_def def;
    int          obstacle;  ///< of a force probe
    int          fabric;    ///< of a probe of a fabric
    int          group;     ///< of its vertices, or the pin that holds them
} mn_world_probe;

/// Per probe, part of the state: what a frame adds up. X(type, components, name, unit, help)
#define MN_PROBE_FIELDS(X)                                                                                    \
    X(double, 1, impulse, "dyn s", MN_FIELD_SAVED, "force on the obstacle times time, since the frame began") \
    X(double, 1, passed, "cm^3", MN_FIELD_SAVED, "volume that moved through the plane, since the frame began")

typedef struct mn_probe_state {
#define X(type, n, name, unit, flags, help) type *name[n];
    MN_PROBE_FIELDS(X)
#undef X
    int64_t count, capacity;
} mn_probe_state;

extern const mn_field_table mn_probe_table;

/// Single values of the state. X(type, name, unit, help)
#define MN_WORLD_SCALARS(X)                                                             \
    X(double, time, "s", "simulated time")                                              \
    X(int64_t, steps, "-", "accepted steps since the start")                            \
    X(int64_t, frame, "-", "frames finished")                                           \
    X(double, dt_limit, "s", "longest step the controller allows after a rejected one") \
    X(int64_t, next_id, "-", "number of the next new particle")                         \
    X(double, liquid_initial, "cm^3", "liquid at the start")                            \
    X(double, liquid_added, "cm^3", "let in by sources")                                \
    X(double, liquid_added_carry, "cm^3", "its rounding error")                         \
    X(double, liquid_removed, "cm^3", "taken out by sinks and open boundaries")         \
    X(double, liquid_removed_carry, "cm^3", "its rounding error")                       \
    X(double, liquid_evaporated, "cm^3", "evaporated from fabric")                      \
    X(double, liquid_evaporated_carry, "cm^3", "its rounding error")                    \
    X(int64_t, frame_steps, "-", "accepted steps of this frame")                        \
    X(int64_t, frame_rejected, "-", "rejected steps of this frame")                     \
    X(double, frame_begin, "s", "when this frame began")                                \
    X(double, frame_dt_min, "s", "shortest step of this frame")                         \
    X(double, frame_dt_max, "s", "longest step of this frame")                          \
    X(double, frame_divergence, "1/s", "largest divergence left in this frame")         \
    X(int64_t, frame_pressure_iterations, "-", "pressure iterations of this frame")     \
    X(int64_t, frame_solid_iterations, "-", "solid iterations of this frame")

typedef struct mn_world_scalars {
#define X(type, name, unit, help) type name;
    MN_WORLD_SCALARS(X)
#undef X
} mn_world_scalars;

enum {
#define X(type, name, unit, help) MN_SCALAR_##name,
    MN_WORLD_SCALARS(X)
#undef X
    // clang-format off
    MN_SCALAR_COUNT
    // clang-format on
};

/// Room for a line each.
#define MN_MATTERS_MOST 16

/// What is kept of the state before a step besides what matter keeps of its own (keep.c).
typedef struct mn_world_before {
    mn_world_scalars now;
    int              current;  ///< which of the two buffers of the liquid was the state ...
    int64_t          count;    ///< ... and particles in it
    unsigned char   *copies;   ///< of the blocks of all other matter
} mn_world_before;

/// For tests: looks at, or spoils, a step after each of its stages.
typedef void mn_world_watch_fn(mn_world *w, mn_stage stage, mn_step_verdict *verdict, void *context);

struct mn_world {
    mn_context *context;
    // model
    mn_world_def       def;
    mn_grid_def        grid;
    mn_vec3            period;  // cm, 0 along axes that are not periodic
    mn_world_obstacle *obstacles;
    int64_t            obstacle_count, obstacle_capacity;
    mn_shape          *walls[6];  // half spaces of the bounds
    int                wall_count;
    mn_world_tap      *taps;
    int64_t            tap_count, tap_capacity;
    int                nozzle_count;
    mn_world_probe    *probes;
    int64_t            probe_count, probe_capacity;
    bool               started;   // the first step was asked for: nothing can be added any more
    uint64_t           identity;  // of its scene
    // state
    mn_liquid        liquid;
    mn_fabric        fabric;
    mn_stains        stains;
    mn_solute_list   solutes;  // pigments in the liquid of particles and fabric
    mn_probe_state   probe_state;
    mn_world_scalars now;
    // scratch
    mn_arena       *arena;
    mn_solid       *placed;  // walls and obstacles at the begin of the step; from stage move on at its end
    mn_solids       solids;  // the same, to look at
    double          dt;
    bool            keeps_pressure;  // the step ends where it was asked to: someone may look at its pressure then
    mn_state_block *blocks;
    int64_t         block_count, block_capacity;
    mn_state_block  block_beyond;      // room for one that there is no room for (state.c)
    const struct mn_matter  *listing;  // whose blocks are being listed
    mn_world_before          before;
    bool                     can_undo;  // the state before the last step is still there
    mn_world_watch_fn       *watch;     // NULL: nobody watches
    void                    *watch_context;
    const struct mn_mixture *mixture;  // of the step under way, for who watches: from stage coupled_solve on
    mn_state_scalar          scalars[MN_SCALAR_COUNT];
    mn_state_layout          layouts[MN_MATTERS_MOST];
    double                   stage_seconds[MN_STAGE_COUNT];
    double                   stage_cpu[MN_STAGE_COUNT];  // of all threads, since the world was made; for benchmarks
    double                   frame_clock;                // wall clock when the frame began
};

// world.c
/// Of what begins a sentence about a thing: its kind and name, "liquid 'jet': ".
#define MN_FRONT_BYTES (MN_NAME_BYTES + 16)
/// What is added starts from its default function, comes before the first step, and is within the ranges of a section
/// (NULL: the matter looks itself).
mn_status mn_world_check_addition(mn_world *w, const mn_section *section, const void *def, const char *front,
                                  uint32_t cookie);
/// Fabric that is wet in a world without liquid is wet with water.
mn_status mn_world_settle_wetness(mn_world *w);
/// Take the liquid of particles and fabric, and what is dissolved in it, as what there was at the start.
mn_status mn_world_count_liquid(mn_world *w);
// state.c
/// Room for the list of state blocks, made when something is added.
mn_status mn_world_reserve_blocks(mn_world *w);
// matters.c
/// The liquid is told anew what room all other matter takes in its cells, as everything stands now.
mn_status mn_world_share_room(mn_world *w, const mn_step *s);
// choose_dt.c
/// Equal steps up to `until`, so that no sliver is left over.
mn_status mn_world_choose_dt(mn_world *w, double until, double *dt);
// drive.c
mn_status mn_world_place_solids(mn_world *w, double t);
/// Put the placed solids where they are at `t`, at the begin or end of the step, with the velocities that carry them
/// from begin to end: the liquid moves by h u, so what bounds u must move by h times its own velocity.
void      mn_world_solids_over_step(mn_world *w, double t, double dt);
mn_status mn_world_run_sources(mn_world *w, double dt);
mn_status mn_world_run_sinks(mn_world *w);
/// A source of which more than half lies in a wall, or in an obstacle at rest, when it begins has nowhere to let liquid
/// in.
mn_status mn_world_check_source(mn_world *w, const char *name, const mn_liquid_stream *stream, const mn_motion *motion);
/// Largest speed of any point of the moving obstacles at a time.
double mn_world_solid_speed(const mn_world *w, double t);
/// |g_eff| of (E9) over a step: the largest of gravity and of gravity less the acceleration of any moving obstacle.
double mn_world_pull(const mn_world *w, double t, double dt);
// audit.c
bool mn_world_audit(mn_world *w, const mn_step *s);
/// Before a step: scalars that are not finite are refused here, since a comparison or two would lose them.
mn_status mn_world_check_scalars(mn_world *w);
/// A state that holds a value which is not finite is refused, with its name.
mn_status mn_world_check_finite(mn_world *w, mn_status refusal, const char *state);
// force_probes.c
/// Add what the pressure of the step pushes obstacles with.
void mn_world_probe_forces(mn_world *w);
// probes.c
/// Before liquid is moved (sign -1) and after it, before it is brought back across periodic sides (1): between the two,
/// volume comes to be beyond a plane only by moving through it.
void mn_world_probe_flux(mn_world *w, double sign);
void mn_world_probes_end_frame(mn_world *w);
// fabric_probes.c
bool mn_probe_is_of_fabric(mn_probe_kind kind);
/// Find the fabric and the group or pin that a probe of a fabric names.
mn_status mn_world_find_fabric_probe(const mn_world *w, mn_world_probe *probe);
double    mn_world_fabric_probe_value(const mn_world *w, const mn_world_probe *probe);

#endif
