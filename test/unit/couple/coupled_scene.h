// SPDX-License-Identifier: MPL-2.0
// The scene of mixture-solve 6.1: a sheet through the surface of a sloshing tank, taken up to the solve of a step.
#ifndef MN_TEST_COUPLED_SCENE_H
#define MN_TEST_COUPLED_SCENE_H

#include "mixture_worlds.h"

#include "base/random.h"
#include "couple/mixture_coupled.h"

typedef struct scene {
    double cell, spacing, dt;
    double viscosity, fiber;  ///< of the liquid in the pores (P), and the fibres (cm)
    double slosh;             ///< cm/s
    double solid_tolerance, pressure_tolerance;
    double modulus;  ///< dyn/cm^2; 0: that of the material
    double soft;     ///< dyn/cm, of its pins; 0: they are hard
    bool   pinned, walls, gravity;
    int    threads;
} scene;

static inline scene scene_default(void)
{
    return (scene){ .cell               = 0.288,
                    .spacing            = 0.144,
                    .dt                 = 1e-3,
                    .viscosity          = 0.0089,
                    .fiber              = 0.01,
                    .slosh              = 20.0,
                    .solid_tolerance    = 1e-6,
                    .pressure_tolerance = 1e-6,
                    .pinned             = true,
                    .walls              = true,
                    .gravity            = true,
                    .threads            = 2 };
}

static inline void add_slanted_sheet(mn_context *c, mn_world *w, const scene *s, const double at[3], double thickness,
                                     double fraction)
{
    const mn_cloth_def cloth = { .outline = MN_CLOTH_RECTANGLE,
                                 .size    = { 8.064, 1.44 },
                                 .spacing = s->spacing,
                                 .mesh    = MN_CLOTH_STRUCTURED };
    mn_fabric_def      def   = mn_fabric_def_default();
    mn_pin_def         pin   = mn_pin_def_default();
    mn_thin_mesh       mesh;
    assert_int_equal(mn_cloth_generate(c, &cloth, &mesh), MN_OK);
    snprintf(pin.group, sizeof pin.group, "right");
    def.mesh                    = &mesh;
    def.material.fiber_diameter = s->fiber;
    def.material.youngs_modulus = s->modulus;
    if (thickness > 0.0) def.material.thickness = thickness;
    if (fraction > 0.0) def.material.solid_fraction = fraction;
    def.material.contact_angle = 100.0 / 180.0 * MN_PI;  // no suction, as in the table
    def.axis[0] = 0.0, def.axis[1] = 0.0, def.axis[2] = 1.0;
    def.angle = 20.0 / 180.0 * MN_PI;
    memcpy(def.at, at, sizeof def.at);
    if (s->soft > 0.0) pin.kind = MN_PIN_SOFT, pin.stiffness = s->soft;
    if (s->pinned) def.pins = &pin, def.pin_count = 1;
    if (mn_world_add_fabric(w, &def) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_thin_mesh_free(c, &mesh);
}

/// The scene with another thickness and solid fraction of the cloth; 0: that of the material.
static inline mn_world *scene_world_with(mn_context *c, const scene *s, double thickness, double fraction)
{
    mn_world_def def              = mn_world_def_default();
    mn_world    *w                = NULL;
    const double size[3]          = { 32 * 0.288, 40 * 0.288, 10 * 0.288 };
    def.domain.cell               = s->cell;
    def.domain.bounded            = s->walls;
    def.domain.gravity[1]         = s->gravity ? -981.0 : 0.0;
    def.time.dt_max               = s->dt;
    def.solver.solid_tolerance    = s->solid_tolerance;
    def.solver.pressure_tolerance = s->pressure_tolerance;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = size[a];
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_shape_def  box   = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def water = mn_liquid_def_default();
    for (int a = 0; a < 3; a++) box.size[a] = a == 1 ? 0.5 * size[a] : size[a], box.center[a] = 0.5 * box.size[a];
    assert_int_equal(mn_shape_create(c, &box, &water.shape), MN_OK);
    if (mn_world_add_liquid(w, &water) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_shape_release(&water.shape);
    add_slanted_sheet(c, w, s, (const double[]){ 0.5 * size[0], 0.5 * size[1], 0.5 * size[2] }, thickness, fraction);
    w->fabric.model.liquid.viscosity = s->viscosity;  // in the pores only: the bulk stays water
    mn_liquid_particles *p           = mn_liquid_now(&w->liquid);
    for (int64_t i = 0; i < p->count; i++)
        p->velocity[0][i] = s->slosh * sin(MN_PI * p->position[0][i] / size[0]) * p->position[1][i] / size[1];
    return w;
}

static inline mn_world *scene_world(mn_context *c, const scene *s) { return scene_world_with(c, s, 0.0, 0.0); }

/// The stages of a step up to the solve.
static inline void reach_solve(mn_world *w, double dt, mn_mixture *m)
{
    w->started = true;
    w->dt      = dt;
    stages_to_faces(w, dt, m);
}

/// A scene with its system assembled: drag of the law as the velocities stand, no touches.
typedef struct system_ready {
    mn_context *c;
    mn_world   *w;
    mn_mixture  m;
    mn_coupled  x;
    double     *load;
} system_ready;

static inline void finish_system(system_ready *s, double dt)
{
    const mn_touches none = { NULL, 0 };
    s->load               = mn_point_faces_array(s->w->arena, s->m.faces);
    assert_non_null(s->load);
    mn_fabric_operator_load(operator_of(&s->m), &none, dt, s->load);
    mn_coupled_assemble(&s->x);
    assert_int_equal(mn_coupled_find_stiffness(&s->x, s->w->arena), MN_OK);
    s->x.most = INT64_MAX;
    assert_int_equal(mn_coupled_precondition_setup(&s->x, s->w->arena), MN_OK);
    mn_coupled_right_side(&s->x, s->load);
}

static inline void open_system(const scene *from, system_ready *s)
{
    s->c = test_context(from->threads);
    s->w = scene_world(s->c, from);
    reach_solve(s->w, from->dt, &s->m);
    assert_int_equal(mn_coupled_prepare(&s->m, &(mn_step){ .arena = s->w->arena, .solids = s->w->solids }, &s->x),
                     MN_OK);
    finish_system(s, from->dt);
}

static inline void close_system(system_ready *s)
{
    mn_world_destroy(&s->w);
    test_context_end(&s->c);
}

static inline double *vector_of(system_ready *s)
{
    double *v = mn_arena_array_zero(s->w->arena, double, s->x.count);
    assert_non_null(v);
    return v;
}

static inline bool is_unknown(const mn_coupled *x, int64_t i)
{
    return i < x->m->count ? x->rows.inertia[i] > 0.0
                           : i >= x->pressure_at && x->m->liquid->grid.wet[i - x->pressure_at];
}

static inline void random_vector(const mn_coupled *x, uint64_t seed, double *v)
{
    for (int64_t i = 0; i < x->count; i++) v[i] = is_unknown(x, i) ? mn_random(seed, (uint64_t)i, 0, 0) - 0.5 : 0.0;
}

#endif
