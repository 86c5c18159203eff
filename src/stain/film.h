// SPDX-License-Identifier: MPL-2.0
// stain/film.h - a film of coloured liquid on a moving cloth: its state, and one step (stain 6).
#ifndef MN_STAIN_FILM_H
#define MN_STAIN_FILM_H

#include "stain/diffuse.h"
#include "stain/exchange.h"
#include "stain/frames.h"
#include "stain/velocity.h"

typedef struct mn_stain_film_def {
    int64_t        vertex_count, triangle_count;
    const mn_vec3 *x;  ///< positions at rest, cm
    const int32_t (*triangle)[3];
    const int32_t          *patch;     ///< per triangle, or NULL
    const mn_stain_tensor  *spread;    ///< S_f per triangle
    const mn_stain_tensor  *friction;  ///< S_v per triangle; NULL: none
    int                     pigments;
    const mn_stain_pigment *pigment;
    const mn_stain_tensor *const
        *mix;  ///< S_s per triangle of each pigment; NULL, here or there: it does not diffuse in the liquid
    mn_stain_exchange_def exchange;
    double                h;          ///< s, length of a step. Default 0.01.
    mn_vec3               gravity;    ///< cm/s^2. Default (0, -980, 0).
    double                drag;       ///< gamma, 1/s. Default 0.
    double                pin;        ///< g/cm^2 that a wet vertex needs before it wets a dry neighbour. Default 0.
    double                tolerance;  ///< of iterations. Default 1e-10.
    double density;     ///< rho of the liquid, g/cm^3: its film has a pressure, and levels out. Default 0: none (the
                        ///< printed rule).
    bool second_order;  ///< advection of liquid with limited slopes
    bool no_carry;      ///< pigment takes no notice of where diffusing liquid goes (the printed rule)
    bool no_coriolis;   ///< for comparison
} mn_stain_film_def;

mn_stain_film_def mn_stain_film_def_default(void);

/// Parts of a step, for timing.
#define MN_STAIN_PARTS(X)     \
    X(FRAMES, "frames")       \
    X(FORCE, "force")         \
    X(ADVECT_U, "advect_u")   \
    X(ADVECT, "advect")       \
    X(DIFFUSE_U, "diffuse_u") \
    X(DIFFUSE, "diffuse")     \
    X(DIFFUSE_S, "diffuse_s") \
    X(EXCHANGE, "exchange")
typedef enum mn_stain_part {
#define X(name, text) MN_STAIN_PART_##name,
    MN_STAIN_PARTS(X)
#undef X
    // clang-format off
    MN_STAIN_PART_COUNT
    // clang-format on
} mn_stain_part;

typedef struct mn_stain_step_report {
    int    parts;  ///< sub-steps of advection
    int    iterations_u, iterations, iterations_s;
    bool   converged;
    double fastest;                       ///< cm/s
    double seconds[MN_STAIN_PART_COUNT];  ///< of all processors
} mn_stain_step_report;

/// Public to read and, between steps, to write: masses (g) and velocities (cm/s, in the frames of the vertices).
typedef struct mn_stain_film {
    mn_context       *context;
    mn_stain_film_def def;  ///< its pointers are not kept
    mn_stain_surface *surface;
    mn_stain_solute  *solute;
    double           *free, *held;  ///< mobile and absorbed liquid
    mn_stain_vec     *u;
    double           *cap;    ///< share of its height that a pinned drop has at a vertex, 0: there is none; or NULL
    double           *dries;  ///< factors on evaporation that replace the rim's, below 0: they do not; or NULL
    // motion: positions and frames at t - h, t, t + h
    mn_vec3        *x[3];
    mn_stain_frame *frame[3];
    double          h_before;  ///< s, between the first two
    mn_vec3        *measured;  ///< positions that areas, lengths and tensors were taken from; state
    // ledger, g
    double  evaporated, added, removed;       ///< removed: by sources that hold less than is there
    double *pigment_added, *pigment_removed;  ///< per pigment
    // outputs for the cloth, after a step
    mn_vec3                    *impulse;  ///< g cm/s that friction gave the cloth
    struct mn_stain_film_model *model;
} mn_stain_film;

mn_status mn_stain_film_create(mn_context *c, const mn_stain_film_def *def, mn_stain_film **out);
void      mn_stain_film_destroy(mn_stain_film **film);

/// Where the cloth is now and was def.h before (NULL: at rest now). Films begin at rest at the positions of their
/// definition.
mn_status mn_stain_film_place(mn_stain_film *f, const mn_vec3 *before, const mn_vec3 *now);
/// Let the next steps be h long. Where diffusion is stiff this factors anew, otherwise it costs nothing.
mn_status mn_stain_film_set_step(mn_stain_film *f, double h);
/// Take areas and tensors anew for a cloth that has stretched to x; masses stay, velocities too. Tensors as in the
/// definition. The motion begins anew, at rest at x: place it if it is not. After a failure the film can only be
/// destroyed.
mn_status mn_stain_film_stretch(mn_stain_film *f, const mn_vec3 *x, const mn_stain_film_def *tensors);
/// How much the edge that changed most is longer or shorter at x than where areas and tensors were taken, as a share.
double mn_stain_film_strain(const mn_stain_film *f, const mn_vec3 *x);

/// One step of def.h, during which the cloth goes to `after` (NULL: it stays, and no force of its motion is felt).
mn_status mn_stain_film_step(mn_stain_film *f, const mn_vec3 *after, mn_arena *arena, mn_stain_step_report *report);

/// Add liquid (g) with its pigments (g each, or NULL) and velocity (in the vertex' frame) at a vertex; momentum is
/// shared.
void mn_stain_film_add(mn_stain_film *f, int64_t vertex, double liquid, const double *pigment, mn_stain_vec velocity);
/// Set the density (g/cm^2) of free liquid and dissolved pigments at a vertex (a source that never runs dry); the
/// ledger counts what comes and what goes apart, or a film that lost nearly all of it would be held against nothing.
void mn_stain_film_prescribe(mn_stain_film *f, int64_t vertex, double density, const double *pigment);

/// Mass that the stain adds to each vertex of the cloth, g.
void mn_stain_film_load(const mn_stain_film *f, double *mass);

/// Sums over the cloth, g.
typedef struct mn_stain_sums {
    double free, held, evaporated, added, removed;
} mn_stain_sums;
mn_stain_sums mn_stain_film_sums(const mn_stain_film *f);
const char   *mn_stain_part_name(int part);

/// The state as runs of doubles, in a fixed order: exactly what steers a step.
#define MN_STAIN_RUNS 15
typedef struct mn_stain_run {
    const char *name;
    double     *first;
    int64_t     count;
} mn_stain_run;
int     mn_stain_film_runs(mn_stain_film *f, mn_stain_run runs[MN_STAIN_RUNS]);
int64_t mn_stain_film_doubles(mn_stain_film *f);
/// Copy the state to room for that many doubles, and back. Keep tells whether all of it is finite: the film would let
/// some of it go without a word, where it keeps masses above 0.
bool mn_stain_film_keep(mn_stain_film *f, double *copy);
void mn_stain_film_take_back(mn_stain_film *f, const double *copy);
/// After other values were put into the runs. Where `measured` is not what areas and tensors are from, they are taken
/// anew first.
bool      mn_stain_film_is_stale(const mn_stain_film *f);
mn_status mn_stain_film_remeasure(mn_stain_film *f, const mn_stain_film_def *tensors);
mn_status mn_stain_film_loaded(mn_stain_film *f);

#endif
