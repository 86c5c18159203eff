// SPDX-License-Identifier: MPL-2.0
// liquid/liquid.h - the bulk liquid: particles that own volume and momentum, and the stages of their step.
//
// The stages stand here in the order of a step (liquid 6). Each reads what the stages before it left in the scratch
// and can be called alone from a test once those have run.
#ifndef MN_LIQUID_LIQUID_H
#define MN_LIQUID_LIQUID_H

#include "base/fields.h"
#include "grid/bins.h"
#include "grid/step.h"
#include "grid/tiles.h"
#include "meniscus/world.h"
#include "solve/multigrid.h"

/// Per particle, liquid 2. X(type, components, name, unit, help)
#define MN_LIQUID_FIELDS(X)                                                                 \
    X(double, 3, position, "cm", MN_FIELD_SAVED | MN_FIELD_HALOED, "where the particle is") \
    X(double, 3, velocity, "cm/s", MN_FIELD_SAVED | MN_FIELD_HALOED, "its velocity")        \
    X(double, 9, affine, "1/s", MN_FIELD_SAVED | MN_FIELD_HALOED,                           \
      "affine matrix, row by row; row a belongs to component a")                            \
    X(double, 1, volume, "cm^3", MN_FIELD_SAVED | MN_FIELD_HALOED, "liquid it owns")        \
    X(int64_t, 1, id, "-", MN_FIELD_SAVED, "number for life, for random numbers and for following it")

typedef struct mn_liquid_particles {
#define X(type, n, name, unit, flags, help) type *name[n];
    MN_LIQUID_FIELDS(X)
#undef X
    double *pigment[MN_PIGMENTS_MOST];  ///< g of each pigment; as many arrays as there are pigments
    int64_t count, capacity;
    int     pigments;
} mn_liquid_particles;

/// The fields of particles without pigment, and of these.
extern const mn_field_table mn_liquid_table;
const mn_field_table       *mn_liquid_table_of(const mn_liquid_particles *p);

/// Constant after set-up.
typedef struct mn_liquid_model {
    mn_grid_def        grid;
    mn_solver_def      solver;
    mn_liquid_material material;
    mn_vec3            gravity;
    double             cfl;
    double             per_axis;          ///< particles per cell along each axis
    double             reference_volume;  ///< V_r, cm^3: cell volume over particles per cell
    uint64_t           seed;
} mn_liquid_model;

/// The pressure of a step, in tiles with liquid and in those beside them with cells without room.
typedef struct mn_kept_pressure {
    const float   *value;  ///< dyn/cm^2 of each cell of these tiles, 0 in air, NaN without room; NULL: not kept
    const int32_t *place;  ///< of each tile of the grid: the number of its tile there; -1: it has none
} mn_kept_pressure;

/// What the grid knows during one step; every array comes from the step's arena and has tiles.count * tiles.cells
/// values.
typedef struct mn_liquid_scratch {
    mn_tiles        tiles;
    mn_bins         bins;
    int32_t        *origin;  ///< sorted particle i was particle origin[i] of the state before the step; up to scatter
    mn_solid_fields solid;
    double  *weight[3];    ///< liquid volume seen by each face, cm^3; NULL where nobody shares the room and asks for it
    double  *velocity[3];  ///< cm/s, on faces
    uint8_t *known[3];     ///< faces whose velocity is known
    double  *density;      ///< rho_c, liquid over open volume, (E2); NULL once it has become the level set
    double  *level;        ///< phi_c, cm, negative inside, (E3), in the room of the density; NULL before
    uint8_t *wet;          ///< 1: a liquid cell, an unknown of the pressure
    uint8_t *thin;         ///< 1: liquid with nothing whole near it; NULL if thin liquid is not held (thin.c)
    uint8_t *loose;        ///< 1: a liquid cell that has let go of its wall in this step; NULL: none (separate.c)
    float   *coefficient[3];          ///< b_i of (E4), from the solve on
    double  *pressure;                ///< h p / (rho cell), cm/s
    double  *first_pressure;          ///< the part of it that acts before the viscosity; NULL: none (project_first.c)
    mn_pressure_terms terms;          ///< what other matter adds to the pressure; set between activate and the solve
    mn_kept_pressure  kept_pressure;  ///< of a step that ends where someone looks (pressure.c)
    double
        *brought[3];  ///< cm/s, on faces: the velocity as the particles brought it; NULL: they keep nothing of theirs
    double *kept;     ///< per particle what it keeps of velocity (3) and affine matrix (9), from scatter to move; NULL:
                      ///< nothing
} mn_liquid_scratch;

/// Somebody else who takes room in the cells (fabric), on tiles of its own, and what the drag there does to the liquid
/// in the step. Matters whose points see the same numbered faces are one owner.
typedef struct mn_room_owner {
    const mn_tiles *tiles;
    const double *share;  ///< per cell: volume taken, seen by the kernel of the density, over that of a cell; NULL: it
                          ///< is not where liquid is
    double *kick[3];      ///< per face, cm/s: change of the velocity of spray; NULL: none
    float *tie[3];  ///< per face, [0, 1]: share of its velocity that liquid there gives up for that of the owner; NULL:
                    ///< none
    float *lead[3];  ///< per face, cm/s: velocity of the owner
} mn_room_owner;

/// All of them. The liquid fills what is left: its density is that of the room left.
#define MN_ROOM_OWNERS 4
typedef struct mn_liquid_room {
    mn_room_owner owner[MN_ROOM_OWNERS];
    int           owners;
} mn_liquid_room;

/// Points that take room, in bins on their own tiles.
typedef struct mn_room_points {
    const mn_tiles      *tiles;
    const mn_bins       *bins;
    const double *const *position;
    const double        *volume;  ///< cm^3 of each
} mn_room_points;

/// Distance from the surface, in cells, beyond which a particle is spray (scatter.c).
#define MN_SPRAY_DISTANCE 0.5
/// Share of the open kernel that is left to the liquid however much others take.
#define MN_ROOM_LEAST 0.1

typedef struct mn_liquid {
    mn_context     *context;
    mn_liquid_model model;
    mn_liquid_particles
                  particles[2];  ///< the state, and the state before the step (liquid 2: sorting is the roll-back copy)
    int           current;
    mn_multigrid *multigrid;
    mn_solid_cache   *solid_cache;
    mn_liquid_scratch grid;
    mn_liquid_room    room;  ///< of this step; owners add to it before activate
    bool spray_on_grid;      ///< what flies alone asks for tiles, too: fabric feels it and takes it in, and sheds drops
                             ///< that join
} mn_liquid;

static inline mn_liquid_particles *mn_liquid_now(mn_liquid *q) { return &q->particles[q->current]; }

mn_status mn_liquid_create(mn_context *c, const mn_liquid_model *model, mn_liquid *q);
void      mn_liquid_destroy(mn_liquid *q);
/// How many pigments the liquid carries; particles have none of a new one. Before the first step.
mn_status mn_liquid_set_pigments(mn_liquid *q, int count);

// Seeding (seed.c)

/// Distance kept from solids, in cells (epsilon_s of liquid 3). Positions only.
#define MN_LIQUID_STAND_OFF 0.02
/// Layers of faces beyond those with liquid that gather fills: so far viscosity and the divergence see liquid
/// (liquid 5.4).
#define MN_LIQUID_LAYERS 3

/// Make room for `more` particles after the last.
mn_status mn_liquid_reserve(mn_liquid *q, int64_t more);
/// Give back the memory of the other buffer. Only before activate, which makes it anew: there is no state before the
/// step yet.
void mn_liquid_drop_spare(mn_liquid *q);
/// Fill a shape (NULL: the box low..high) with particles on the sub-cell lattice, outside solids and below a height.
/// Where earlier fillings are, it takes their place.
typedef struct mn_liquid_fill {
    const mn_shape *shape;
    mn_vec3         low, high;  ///< box to look in
    mn_vec3         period;     ///< cm after which the shape is repeated; 0: it is not
    int             up;
    double          below;
    mn_sampling     sampling;
    mn_vec3         velocity, spin, center;
    double          concentration[MN_PIGMENTS_MOST];  ///< g/cm^3 of each pigment of the liquid
    mn_solids       solids;
} mn_liquid_fill;
mn_status mn_liquid_fill_shape(mn_liquid *q, const mn_liquid_fill *fill, int64_t *next_id);

/// A stream through the cross-section of a shape, layer by layer (source.c). Layers follow from the time alone.
typedef struct mn_liquid_stream {
    const mn_shape *shape;
    mn_vec3         velocity;     ///< cm/s, in the rest frame of the shape
    double          rate;         ///< cm^3/s
    double          contraction;  ///< linear scale of the cross-section that carries `rate` at this speed, <= 1
    double          begin, end;   ///< s
    double          concentration[MN_PIGMENTS_MOST];  ///< g/cm^3 of each pigment of the liquid
    mn_vec3         center, side[2];                  ///< the plane of the cross-section
    double          reach[2];                         ///< half the extent of the shape along each side
    mn_vec3 slant;  ///< of a disc askew: its axis over axis . velocity; zero: it is taken where the plane cuts it
    int64_t layer_points;  ///< lattice points inside
} mn_liquid_stream;
/// Work out the plane, the carried rate and the points per layer. A rate the velocity cannot carry is an error.
mn_status mn_liquid_stream_prepare(mn_context *c, const mn_liquid_model *m, const char *name, mn_liquid_stream *stream);
/// Part of the cross-section that lies inside solids when the stream begins, and one of these (-1: none).
double mn_liquid_stream_covered(const mn_liquid_model *m, const mn_liquid_stream *stream, const mn_motion *motion,
                                mn_solids solids, int *which);
/// The end of the nozzle as a solid, just upstream of the plane: a viscous stream hangs on it.
mn_status mn_liquid_nozzle(mn_context *c, const mn_liquid_model *m, const mn_liquid_stream *stream, mn_shape **out);
mn_status mn_liquid_stream_emit(mn_liquid *q, const mn_liquid_stream *stream, const mn_motion *motion, double t,
                                double dt, int64_t *next_id, double *volume_added);

/// Whether a world has liquid at all. Every stage returns at once if it has not.
static inline bool mn_liquid_present(const mn_liquid *q) { return q->model.reference_volume > 0.0; }

// Room for others (room.c)

/// Nobody takes room any more: a new step.
void mn_liquid_room_clear(mn_liquid *q);
/// They have moved: who still takes room adds it anew. What they do to the liquid stays.
void mn_liquid_room_vacate(mn_liquid *q);
/// Whether any particle lies in the box of these tiles.
bool mn_liquid_is_near(mn_liquid *q, const mn_tiles *tiles);
/// Points take room, beside whoever else does. Before activate, and again once all have moved. The tiles and `share`, a
/// value for each cell of them that is set here, stay until the step is over; the arena serves as scratch.
mn_status mn_liquid_room_add(mn_liquid *q, mn_arena *arena, const mn_room_points *points, double *share);
/// The owner that has these tiles; NULL: none takes room on them.
mn_room_owner *mn_liquid_room_of(mn_liquid *q, const mn_tiles *tiles);

// Stages. Between gather and scatter velocity and affine matrix of the particles are on the grid; forces and project
// use their room as scratch, and scatter writes all of them anew.

/// Longest step the liquid allows at its present speed, (E9).
double mn_liquid_dt_limit(mn_liquid *q, double *max_speed);
/// Longest step of a surface that feels a pull of so many cm/s^2: the second limit of (E9).
double mn_liquid_surface_dt(const mn_liquid *q, double pull);
/// Sort into the spare buffer, build tiles and solid fields, density and level set. (liquid 6: 2-4) There are tiles for
/// particles that move for `dt`.
mn_status mn_liquid_activate(mn_liquid *q, const mn_step *step);
/// Particles to faces; faces without particles take their neighbours' mean. (5)
mn_status mn_liquid_gather(mn_liquid *q, const mn_step *step);
typedef struct mn_force_report {
    mn_solve_report pressure;  ///< of the projection before the viscosity
    mn_solve_report viscosity;
} mn_force_report;
/// Gravity and implicit viscosity. (6) Not converging is an outcome of one of the two solves; the second waits for the
/// first.
mn_status mn_liquid_forces(mn_liquid *q, const mn_step *step, mn_force_report *report);
/// Make the velocity divergence-free. (4: coefficients, 7)
mn_status mn_liquid_project(mn_liquid *q, const mn_step *step, mn_solve_report *report, double *max_divergence);
/// Keep the pressure of this step until the next one begins. After the solve.
mn_status mn_liquid_keep_pressure(mn_liquid *q, const mn_step *step);
/// The pressure kept, dyn/cm^2, at points whose coordinates are `stride` values apart; 0 if none was kept.
void mn_liquid_pressure(const mn_liquid *q, const double *const position[3], int stride, int64_t count, double *out);
/// Extend the velocity into air and solids, and give it to the particles. (8, 9)
mn_status mn_liquid_scatter(mn_liquid *q, const mn_step *step);
/// Push particles out of solids. Positions only.
void mn_liquid_push_out(mn_liquid *q, mn_solids solids);
/// Move and push out of solids. (9)
mn_status mn_liquid_move(mn_liquid *q, const mn_step *step);
/// Take apart particles that lie in one place of a crowded cell, by the bins as they are. Positions only.
void mn_liquid_take_apart(mn_liquid *q);
/// Density correction: positions only. (10)
mn_status mn_liquid_even_out(mn_liquid *q, const mn_step *step, mn_solve_report *report);
// What the stages above do with the memory of particles (memory.c); without one, nothing.

/// Note the velocity of the faces as the particles brought it. By gather.
mn_status mn_liquid_remember(mn_liquid *q, mn_arena *arena);
/// Work out what each particle keeps beside that of the faces, for the end of the move. By scatter.
mn_status mn_liquid_keep(mn_liquid *q, mn_arena *arena, double dt);
/// Spray has a velocity of its own and keeps nothing beside it.
void mn_liquid_forget(mn_liquid *q, int64_t particle);
/// Add what is kept to velocity and affine matrix. By move, after the positions.
void mn_liquid_recall(mn_liquid *q);
/// Remove the particles for which `gone` says so, keeping the order; the volume removed. The mass of each pigment that
/// goes with them is added to `pigment` (g), which may be NULL.
typedef bool mn_liquid_gone_fn(mn_vec3 x, void *context);
double       mn_liquid_remove(mn_liquid *q, mn_liquid_gone_fn *gone, void *context, double *pigment);
/// Bring particles that left through a periodic side back in.
void mn_liquid_wrap(mn_liquid *q, mn_vec3 low, mn_vec3 period);

// Sums (sums.c), the same bits for any number of threads

typedef struct mn_liquid_sums {
    double  volume, kinetic, gravity, max_speed;
    mn_vec3 momentum;
} mn_liquid_sums;
mn_liquid_sums mn_liquid_sum(mn_liquid *q);
/// Mass of a pigment in all particles, g.
double mn_liquid_pigment_sum(mn_liquid *q, int pigment);

// Shared by the stages (surface.c)

/// Close the matrix coefficients of faces as far as an owner of room ties the liquid to it (room.c).
void mn_liquid_room_close(mn_liquid *q);
/// Faces beyond the liquid, extended already: the velocity that liquid takes on when it enters an owner of room there;
/// with `follow` towards that of the owner, else towards rest.
void mn_liquid_room_lead(mn_liquid *q, double *const field[3], bool follow);
/// Shares taken by all owners in the cells of a tile, perhaps in `sum`; NULL: they take none there.
const double *mn_liquid_room_taken(const mn_liquid *q, int32_t tile, double sum[MN_TILE * MN_TILE * MN_TILE]);
/// Whether anybody takes room.
static inline bool mn_liquid_shares_room(const mn_liquid *q)
{
    bool shares = false;
    for (int k = 0; k < q->room.owners; k++) shares = shares || q->room.owner[k].share != NULL;
    return shares;
}
/// Open part of the kernel at a cell that is left to the liquid, if others take `share` of the cell.
static inline double mn_liquid_room_left(double kernel_open, double share)
{
    return fmax(kernel_open - share, MN_ROOM_LEAST * kernel_open);
}
/// Lend the room of what scatter will write (liquid.c), until mn_arena_take_back. Only between gather and scatter.
void mn_liquid_lend_particles(mn_liquid *q, mn_arena *arena);
/// Lend the room of velocities, pressure and coefficients. Only before gather or after scatter.
void mn_liquid_lend_faces(mn_liquid *q, mn_arena *arena);
/// Density, thin liquid and liquid cells from the particles as binned now, (E2).
mn_status mn_liquid_surface(mn_liquid *q, mn_arena *arena);
/// How far the surface is from the centre of a liquid cell on the way to that of another beside it, theta of (E4).
double mn_liquid_theta(const mn_liquid_scratch *s, int64_t liquid, int64_t other);
/// Turn that density into the level set, (E3).
void mn_liquid_level(mn_liquid *q);
/// Whether viscosity holds threads and sheets together that are thinner than a cell (thin.c).
bool mn_liquid_holds(const mn_liquid_model *m);
/// Mark thin liquid.
mn_status mn_liquid_find_thin(mn_liquid *q, mn_arena *arena);
/// Depth of the centre of a cell that is held, in cells. Held are the cells of thin liquid that hold particles.
#define MN_DEPTH_HELD 0.25
static inline bool mn_liquid_is_held(const mn_liquid_scratch *s, int64_t cell)
{
    return s->thin != NULL && s->thin[cell] && s->bins.start[cell + 1] > s->bins.start[cell];
}
/// Matrix coefficients from level set and liquid cells, (E4).
void mn_liquid_coefficients(mn_liquid *q);

#endif
