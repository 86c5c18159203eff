// SPDX-License-Identifier: MPL-2.0
// meniscus/world.h - the world: what is in it, how it advances, and views of what it holds.
//
//     mn_world_def def = mn_world_def_default();
//     mn_world *world;
//     mn_world_create(context, &def, &world);
//     mn_world_add_liquid(world, &liquid);
//     while (mn_world_time(world) < 1.0) mn_world_step(world, 1.0);
//     mn_world_destroy(&world);
//
// Ranges are those of the keys of a scene, docs/scene-format.md; a definition outside is refused with a sentence that
// has the key, the value and what is accepted. Without a range a number is within -1e15 and 1e15.
#ifndef MENISCUS_WORLD_H
#define MENISCUS_WORLD_H

#include "meniscus/fabric.h"
#include "meniscus/shape.h"
#include "meniscus/stain.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MN_DEF_COOKIE 0x6d6e6465u

typedef enum mn_boundary { MN_BOUNDARY_WALL, MN_BOUNDARY_OPEN, MN_BOUNDARY_PERIODIC } mn_boundary;
typedef enum mn_wall { MN_WALL_SLIP, MN_WALL_NO_SLIP } mn_wall;
typedef enum mn_extrapolation { MN_EXTRAPOLATION_AVERAGE, MN_EXTRAPOLATION_LINEAR } mn_extrapolation;

typedef struct mn_domain_def {
    int         dimension;     ///< 2 or 3. Default 3. Two: the plane z = 0, one cell deep, 1 cm thick.
    double      cell;          ///< cm, > 0. Default 0.5.
    double      gravity[3];    ///< cm/s^2. Default (0, -981, 0).
    int         up;            ///< 0, 1, 2 for x, y, z. Default 1.
    bool        bounded;       ///< whether `bounds` holds. Default false: the domain has no end.
    double      bounds[2][3];  ///< cm, low and high corner. The grid starts at the low corner.
    mn_boundary boundary[3];   ///< per axis, both sides. Default wall. Periodic lengths are whole multiples of 8 cells.
    mn_wall     wall;          ///< of the bounds. Default slip.
} mn_domain_def;

typedef struct mn_time_def {
    double   end;         ///< s, > 0. Default 1.
    double   frame_rate;  ///< 1/s, > 0. Default 60.
    double   dt_max;      ///< s, > 0. Default 1/60.
    double   dt_min;      ///< s, > 0, the floor below which a run gives up. Default 1e-8.
    double   cfl;         ///< cells a particle may cross in a step, > 0. Default 1.
    uint64_t seed;        ///< of every random number. Default 1.
} mn_time_def;

/// How the velocity of wet fabric and the pressure of the liquid in it are solved (mixture-solve, wet-fabric 5.8).
typedef enum mn_mixture_way {
    MN_MIXTURE_AUTO,     ///< coupled where the split is known to go wrong, split elsewhere
    MN_MIXTURE_COUPLED,  ///< one system in both
    MN_MIXTURE_SPLIT     ///< one after the other, as published
} mn_mixture_way;

typedef struct mn_solver_def {
    double pressure_tolerance;   ///< relative true residual, (0, 0.1]. Default 1e-6.
    int    pressure_iterations;  ///< most allowed, >= 1. Default 200.
    double viscosity_tolerance;  ///< relative true residual. Default 1e-8.
    double density_rate;         ///< share kappa of the density error removed per reference step, [0, 1]. Default 0.2.
    double density_tolerance;    ///< relative residual of that solve. Default 1e-4.
    double affine_damping;       ///< 1/s, >= 0. Default 0.
    double velocity_memory;  ///< s, >= 0: particles forget in this time what the faces do not see of their velocity.
                             ///< Default 0: in every step.
    mn_extrapolation extrapolation;  ///< of the velocity into air. Default average.
    double solid_tolerance;  ///< relative residual of the implicit fabric solve, (0, 0.1]. Default 1e-3: an error of
                             ///< motion of a tenth of the step's own.
    int            solid_iterations;  ///< most allowed, >= 1. Default 2000.
    mn_mixture_way mixture;           ///< Default auto.
    bool           buoyancy;          ///< pressure acts on fabric; false only to compare. Default true.
} mn_solver_def;

/// Air that moves. It acts on fabric only.
typedef struct mn_wind_def {
    double velocity[3];  ///< cm/s. Default 0.
    double gust;         ///< share of the speed by which it swells and turns, [0, 1]. Default 0.
    double density;      ///< g/cm^3, >= 0; 0: there is no air. Default 0.
} mn_wind_def;

/// Everything about the world that is not an object in it.
typedef struct mn_world_def {
    mn_domain_def domain;
    mn_time_def   time;
    mn_solver_def solver;
    mn_wind_def   wind;
    uint32_t      cookie;
} mn_world_def;

MN_API mn_world_def mn_world_def_default(void);

typedef struct mn_obstacle_def {
    char          name[MN_NAME_BYTES];
    mn_shape     *shape;           ///< retained
    double        axis[3], angle;  ///< placement: turned (rad) about the origin ...
    double        at[3];           ///< ... then moved (cm)
    mn_motion_def motion;          ///< applied after the placement, about motion.pivot + at
    mn_wall       wall;
    double        friction;  ///< coefficient against fabric, >= 0; < 0: that of the fabric. Default -1.
    uint32_t      cookie;
} mn_obstacle_def;

MN_API mn_obstacle_def mn_obstacle_def_default(void);

typedef struct mn_liquid_material {
    char   name[MN_NAME_BYTES];
    double density;          ///< g/cm^3, > 0. Default 1.
    double viscosity;        ///< P (dyn s/cm^2), >= 0. Default 0.0089.
    double surface_tension;  ///< dyn/cm, >= 0. Default 72.8.
    double
        colour[3];  ///< for pictures: red, green, blue left of white light that passes it, in (0, 1]. Default water's.
    mn_solutes solutes;  ///< what it brings; pigments of one name are one pigment, whichever liquid brings them
} mn_liquid_material;

typedef enum mn_liquid_role { MN_LIQUID_FILL, MN_LIQUID_SOURCE, MN_LIQUID_SINK } mn_liquid_role;
typedef enum mn_sampling { MN_SAMPLING_LATTICE, MN_SAMPLING_JITTER } mn_sampling;

/// Liquid put into the world: filled at the start, let in by a source, or taken out by a sink.
typedef struct mn_liquid_def {
    char               name[MN_NAME_BYTES];
    mn_liquid_role     role;
    mn_liquid_material material;               ///< of a fill or source
    mn_shape          *shape;                  ///< retained; a fill without shape fills the bounds
    double             axis[3], angle, at[3];  ///< placement of the shape, as for an obstacle
    mn_motion_def      motion;                 ///< of a source or sink
    double             below;                  ///< fill only below this height along `up`; default infinity
    int                particles_per_cell;     ///< 1 .. 64. Default 0: two along every axis.
    mn_sampling        sampling;               ///< Default jitter.
    double             velocity[3];            ///< cm/s, of new liquid
    double             spin[3];                ///< rad/s about `at`, added to the velocity of a fill
    double             rate;       ///< cm^3/s of a source; 0: as much as the velocity carries through the shape
    double             during[2];  ///< s, when a source or sink works. Default always.
    uint32_t           cookie;
} mn_liquid_def;

MN_API mn_liquid_def mn_liquid_def_default(void);

typedef enum mn_probe_kind {
    MN_PROBE_VOLUME_IN,      ///< liquid inside `shape`, cm^3
    MN_PROBE_VOLUME_BEYOND,  ///< liquid on the side of the plane (point, normal) that the normal points to, cm^3
    MN_PROBE_FLUX,  ///< liquid that moves through the plane in the direction of the normal, cm^3/s: mean since the last
                    ///< frame
    MN_PROBE_FRONT,   ///< farthest reach of the liquid along `normal` from `point`, cm
    MN_PROBE_HEIGHT,  ///< height of the liquid surface along `up`, counted from `point`, in a column two cells wide, cm
    MN_PROBE_FORCE,   ///< force of the liquid's pressure (not of its friction) on obstacle `of`, along `normal`, dyn
    MN_PROBE_SPEED,   ///< largest speed of the liquid, cm/s
    MN_PROBE_WET_AREA,    ///< area of the cloth of fabric `of` whose saturation is above `above`, cm^2
    MN_PROBE_WET_RADIUS,  ///< radius of the disc that has this area, cm
    MN_PROBE_HELD,        ///< liquid in the pores of fabric `of`, cm^3
    MN_PROBE_POSITION,    ///< mean over the vertices `group` of fabric `of`: distance from `point` along `normal`, cm
    MN_PROBE_PIN_FORCE    ///< force of fabric `of` on the pins of `group` along `normal`, dyn
} mn_probe_kind;

typedef struct mn_probe_def {
    char          name[MN_NAME_BYTES];
    mn_probe_kind kind;
    mn_shape     *shape;  ///< retained
    double        point[3], normal[3];
    char          of[MN_NAME_BYTES];
    char          group[MN_NAME_BYTES];  ///< of vertices of a fabric
    double        above;                 ///< saturation that counts as wet, [0, 1). Default 0.05.
    uint32_t      cookie;
} mn_probe_def;

MN_API mn_probe_def mn_probe_def_default(void);

typedef struct mn_world mn_world;

MN_API mn_status mn_world_create(mn_context *context, const mn_world_def *def, mn_world **out);
/// Destroy a world and leave NULL. Accepts NULL.
MN_API void mn_world_destroy(mn_world **world);

/// Add things before the first step. Every call copies all it needs, and one that fails leaves the world as it was.
/// Obstacles come first: a fill leaves out what is solid when it is added, and takes the place of earlier fills.
/// Liquids of one world share density, viscosity and particles per cell. A stain comes after its fabric, a probe after
/// what it is of. A stain in the pores of a fabric is seen in the view of the fabric, and its id is that of the fabric.
MN_API mn_status mn_world_add_obstacle(mn_world *world, const mn_obstacle_def *def);
MN_API mn_status mn_world_add_liquid(mn_world *world, const mn_liquid_def *def);
MN_API mn_status mn_world_add_fabric(mn_world *world, const mn_fabric_def *def);
MN_API mn_status mn_world_add_stain(mn_world *world, const mn_stain_def *def);
MN_API mn_status mn_world_add_probe(mn_world *world, const mn_probe_def *def);

/// Advance by one step, not beyond `until` (s). A step that fails its audit is taken back and retried at half the
/// length; MN_ERR_SOLVE means that time.dt_min was reached. After any failure the state is the last good one.
MN_API mn_status mn_world_step(mn_world *world, double until);
MN_API double    mn_world_time(const mn_world *world);
MN_API int64_t   mn_world_steps(const mn_world *world);
/// Hash of the whole state; equal states have equal hashes.
MN_API uint64_t mn_world_hash(const mn_world *world);

/// One array per axis. Borrowed: valid until the next step or destroy.
typedef struct mn_view3 {
    const double *x, *y, *z;
    int64_t       count;
} mn_view3;
typedef struct mn_liquid_view {
    mn_view3          position, velocity;  ///< cm, cm/s
    const double     *volume;              ///< cm^3
    const int64_t    *id;
    int64_t           count;
    int               pigment_count;  ///< that liquid of the world carries
    const mn_pigment *pigments;
    const double     *pigment[MN_PIGMENTS_MOST];  ///< g of each in every particle
} mn_liquid_view;
MN_API mn_liquid_view mn_world_liquid(const mn_world *world);

/// One fabric of the world, in the order in which they were added. Vertex numbers count from its own first vertex.
typedef struct mn_fabric_view {
    const char *name;
    mn_view3    position, velocity;  ///< cm, cm/s
    int64_t     triangle_count, strand_count;
    const int32_t (*triangle)[3];
    const int64_t    *strand_start;  ///< as in mn_thin_mesh
    const int32_t    *strand_vertex;
    const uint8_t    *strand_closed;
    const double     *strand_radius;
    double            thickness;  ///< cm, of the cloth
    const double     *held;       ///< cm^3, liquid in the pores of each vertex; may be more than fits. NULL: not known
    const double     *bulk;       ///< cm^3, volume of each vertex at rest, fibres and pores
    const double     *fiber;      ///< cm^3, volume of the fibre in it
    const double     *swelling;   ///< volume of each vertex over that at rest
    int               pigment_count;  ///< that liquid of the world carries
    const mn_pigment *pigments;
    const double     *dissolved[MN_PIGMENTS_MOST], *adsorbed[MN_PIGMENTS_MOST],
        *dried[MN_PIGMENTS_MOST];  ///< g of each at every vertex
    const double
        *surface;  ///< cm^2 of each vertex: both faces of cloth, the mantle of yarn. NULL: it has never been wet
    const double *colour;  ///< linear red, green and blue of the clean, dry fabric
} mn_fabric_view;

/// Mass of a pigment at a vertex, in all its states, g.
static inline double mn_fabric_view_pigment(const mn_fabric_view *f, int pigment, int64_t v)
{
    return f->dissolved[pigment][v] + f->adsorbed[pigment][v] + f->dried[pigment][v];
}

/// Share of its volume that is fibre, as vertex v stands now.
static inline double mn_fabric_view_fraction(const mn_fabric_view *f, int64_t v)
{
    return f->fiber[v] / (f->bulk[v] * f->swelling[v]);
}
/// Share of its pores that is full, [0, 1].
static inline double mn_fabric_view_saturation(const mn_fabric_view *f, int64_t v)
{
    const double share = f->held[v] / (f->bulk[v] * f->swelling[v] - f->fiber[v]);
    return share < 1.0 ? share : 1.0;
}

/// Whether the world has liquid, or a source that will let some in.
MN_API bool mn_world_has_liquid(const mn_world *world);
/// What the sources of the world will let in from now on up to a time, if nothing stops them.
typedef struct mn_supply {
    double volume;     ///< cm^3
    double particles;  ///< about how many
    double speed;      ///< cm/s, of the fastest
    double height;     ///< cm, along the axis that points up, of the highest; -INFINITY without sources
} mn_supply;
MN_API mn_supply      mn_world_supply(const mn_world *world, double until);
MN_API int            mn_world_fabric_count(const mn_world *world);
MN_API mn_fabric_view mn_world_fabric(const mn_world *world, int fabric);

MN_API int           mn_world_stain_count(const mn_world *world);
MN_API mn_stain_view mn_world_stain(const mn_world *world, int stain);

/// What a frame says about the world, in the order of the columns of ledger.csv. New columns are only appended.
/// X(type, name, unit, help); type i = whole number, d = double.
#define MN_LEDGER_COLUMNS(X)                                                                         \
    X(i, frame, "-", "number of the frame")                                                          \
    X(d, time, "s", "simulated time")                                                                \
    X(i, steps, "-", "steps taken for this frame")                                                   \
    X(i, rejected, "-", "steps taken back for this frame")                                           \
    X(d, dt_min, "s", "shortest step of this frame")                                                 \
    X(d, dt_max, "s", "longest step of this frame")                                                  \
    X(i, particles, "-", "liquid particles")                                                         \
    X(d, liquid_total, "cm^3", "all liquid in the world")                                            \
    X(d, liquid_bulk, "cm^3", "liquid carried by particles")                                         \
    X(d, liquid_fabric, "cm^3", "liquid held by fabric")                                             \
    X(d, liquid_strand, "cm^3", "liquid on strands")                                                 \
    X(d, liquid_added, "cm^3", "let in by sources since the start")                                  \
    X(d, liquid_removed, "cm^3", "taken out by sinks and open boundaries since the start")           \
    X(d, liquid_error, "1", "(total - initial - added + removed + evaporated) / (initial + added)")  \
    X(d, solute_total, "g", "all solute in the world")                                               \
    X(d, solute_error, "1", "(total - initial - added + removed) / (initial + added) of the solute") \
    X(d, momentum_x, "g cm/s", "momentum of the liquid")                                             \
    X(d, momentum_y, "g cm/s", "momentum of the liquid")                                             \
    X(d, momentum_z, "g cm/s", "momentum of the liquid")                                             \
    X(d, energy_kinetic, "erg", "kinetic energy")                                                    \
    X(d, energy_elastic, "erg", "elastic energy of solids")                                          \
    X(d, energy_gravity, "erg", "potential energy, zero at the origin")                              \
    X(d, energy_surface, "erg", "energy of a tracked liquid surface")                                \
    X(d, max_speed, "cm/s", "largest particle speed at the end of the frame")                        \
    X(d, max_divergence, "1/s", "largest divergence left by the pressure solves of the frame")       \
    X(i, pressure_iterations, "-", "iterations of the pressure solves of the frame")                 \
    X(i, solid_iterations, "-", "iterations of the solid solves of the frame")                       \
    X(d, seconds, "s", "wall-clock seconds spent on the frame")                                      \
    X(d, liquid_membrane, "cm^3", "volume enclosed by membranes")                                    \
    X(d, liquid_stain, "cm^3", "liquid held by stains")                                              \
    X(d, liquid_evaporated, "cm^3", "evaporated since the start")                                    \
    X(d, energy_capillary, "erg", "capillary energy of liquid on solids")                            \
    X(d, solute_bulk, "g", "solute carried by particles")                                            \
    X(d, solute_fabric, "g", "solute in fabric: dissolved, on fibres and dried")                     \
    X(d, solute_added, "g", "let in with liquid by sources since the start")                         \
    X(d, solute_removed, "g", "taken out with liquid by sinks and open boundaries since the start")

typedef int64_t mn_ledger_i;
typedef double  mn_ledger_d;
typedef struct mn_ledger {
#define X(type, name, unit, help) mn_ledger_##type name;
    MN_LEDGER_COLUMNS(X)
#undef X
} mn_ledger;

/// The ledger as of now; step counts and extremes are since the last mn_world_end_frame.
MN_API mn_ledger mn_world_ledger(const mn_world *world);
/// Start a new frame: counts and extremes begin anew.
MN_API void    mn_world_end_frame(mn_world *world);
MN_API int64_t mn_world_frame(const mn_world *world);

MN_API int         mn_world_probe_count(const mn_world *world);
MN_API const char *mn_world_probe_name(const mn_world *world, int probe);
MN_API double      mn_world_probe_value(const mn_world *world, int probe);

/// Names and seconds of the stages of a step, summed since the last call with reset.
MN_API int         mn_world_stage_count(void);
MN_API const char *mn_world_stage_name(int stage);
MN_API double      mn_world_stage_seconds(mn_world *world, int stage, bool reset);

/// The whole state as one file (docs/files.md), written under a temporary name, synced and renamed.
MN_API mn_status mn_world_save(mn_world *world, const char *path);
/// Replace the state by that of a file made from a world of the same scene; of worlds that are made by calls alone, the
/// same fabrics, stains, pigments and probes. After MN_ERR_FILE because the hash does not fit or a value is not finite,
/// the state has been replaced: load another file or destroy the world.
MN_API mn_status mn_world_load(mn_world *world, const char *path);

#ifdef __cplusplus
}
#endif
#endif
