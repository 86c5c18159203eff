// SPDX-License-Identifier: MPL-2.0
// Small worlds with liquid and fabric that the tests of the mixture share.
#ifndef MN_TEST_MIXTURE_WORLDS_H
#define MN_TEST_MIXTURE_WORLDS_H

#include "testing.h"

#include "couple/liquid_fabric.h"
#include "fabric/pores/pores.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/// A box of water, cm, its walls around it, filled up to a height.
typedef struct tank {
    double         size[3], fill, cell, dt;
    double         gravity, density_rate, viscosity, tolerance;
    mn_sampling    sampling;
    mn_mixture_way way;
} tank;

static inline tank tank_default(void)
{
    return (tank){ .size         = { 3.2, 3.2, 3.2 },
                   .fill         = 2.4,
                   .cell         = 0.2,
                   .dt           = 1e-3,
                   .gravity      = -981.0,
                   .density_rate = 0.0,
                   .viscosity    = 0.0089,
                   .tolerance    = 1e-6,
                   .sampling     = MN_SAMPLING_LATTICE,
                   .way          = MN_MIXTURE_SPLIT };
}

static inline mn_world *tank_world(mn_context *c, const tank *t)
{
    mn_world_def def      = mn_world_def_default();
    mn_world    *w        = NULL;
    def.domain.cell       = t->cell;
    def.domain.bounded    = true;
    def.domain.gravity[1] = t->gravity;
    for (int a = 0; a < 3; a++) def.domain.bounds[1][a] = t->size[a];
    def.time.dt_max            = t->dt;
    def.solver.density_rate    = t->density_rate;
    def.solver.solid_tolerance = t->tolerance;
    def.solver.mixture         = t->way;
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    mn_liquid_def water      = mn_liquid_def_default();
    water.below              = t->fill;
    water.sampling           = t->sampling;
    water.material.viscosity = t->viscosity;
    if (mn_world_add_liquid(w, &water) != MN_OK) fail_msg("%s", mn_context_error(c));
    return w;
}

/// A horizontal sheet of square meshes, its centre at `at`.
typedef struct sheet {
    double             size[2], spacing, at[3], saturation, angle;
    bool               pinned;
    mn_fabric_material material;
} sheet;

static inline sheet sheet_default(void)
{
    return (sheet){ .size       = { 1.6, 1.6 },
                    .spacing    = 0.1,
                    .at         = { 1.6, 1.2, 1.6 },
                    .saturation = 1.0,
                    .material   = mn_fabric_material_default() };
}

static inline void add_sheet(mn_context *c, mn_world *w, const sheet *s)
{
    const mn_cloth_def cloth = { .outline = MN_CLOTH_RECTANGLE,
                                 .size    = { s->size[0], s->size[1] },
                                 .spacing = s->spacing,
                                 .mesh    = MN_CLOTH_STRUCTURED };
    mn_fabric_def      def   = mn_fabric_def_default();
    mn_pin_def         pin   = mn_pin_def_default();
    mn_thin_mesh       mesh;
    assert_int_equal(mn_cloth_generate(c, &cloth, &mesh), MN_OK);
    double *saturation = mn_alloc_array(c, double, mesh.vertex_count);
    assert_non_null(saturation);
    for (int64_t v = 0; v < mesh.vertex_count; v++) saturation[v] = s->saturation;
    snprintf(def.name, sizeof def.name, "sheet %d", mn_world_fabric_count(w));
    snprintf(pin.group, sizeof pin.group, "all");
    def.mesh     = &mesh;
    def.material = s->material;
    def.axis[0] = 0.0, def.axis[1] = 0.0, def.axis[2] = 1.0;
    def.angle = s->angle;
    memcpy(def.at, s->at, sizeof def.at);
    def.saturation = saturation;
    if (s->pinned) def.pins = &pin, def.pin_count = 1;
    if (mn_world_add_fabric(w, &def) != MN_OK) fail_msg("%s", mn_context_error(c));
    mn_free(c, saturation);
    mn_thin_mesh_free(c, &mesh);
}

static inline void steps_of(mn_world *w, int count, double dt)
{
    for (int k = 0; k < count; k++) {
        const mn_status status = mn_world_step(w, mn_world_time(w) + dt);
        if (status != MN_OK) fail_msg("step %d: %s", k, mn_context_error(w->context));
    }
}

/// Number of a cell of the liquid's grid along an axis, counted from the low corner of the domain.
static inline int32_t cell_in_domain(const mn_world *w, int64_t place, int axis)
{
    const mn_tiles     *t    = &w->liquid.grid.tiles;
    const mn_tile_coord at   = t->coord[place / t->cells];
    const int32_t       cell = (int32_t)(place % t->cells), tile[3] = { at.x, at.y, at.z },
                  in[3] = { cell % 8, cell / 8 % 8, cell / 64 };
    const double before = (w->def.domain.bounds[0][axis] - mn_get3(t->def.origin, axis)) / t->def.cell;
    return 8 * tile[axis] + in[axis] - (int32_t)lround(before);
}

/// The operator that fabric, the first phase, answers with.
static inline mn_fabric_operator *operator_of(const mn_mixture *m)
{
    return &((mn_fabric_phase *)m->phase[0].matter)->op;
}

/// The stages up to the solve, one by one.
static inline void stages_to_faces(mn_world *w, double dt, mn_mixture *m)
{
    mn_force_report report;
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    assert_int_equal(mn_world_place_solids(w, w->now.time), MN_OK);
    mn_world_solids_over_step(w, w->now.time, dt);
    assert_int_equal(mn_fabric_activate(&w->fabric, &(mn_step){ .arena = w->arena }), MN_OK);
    mn_liquid_room_clear(&w->liquid);
    assert_int_equal(mn_fabric_takes_room(&w->fabric, &w->liquid, &(mn_step){ .arena = w->arena }), MN_OK);
    assert_int_equal(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }),
                     MN_OK);
    assert_int_equal(mn_fabric_forces(&w->fabric, &(mn_step){ .arena = w->arena, .time = w->now.time, .dt = dt }),
                     MN_OK);
    assert_int_equal(mn_liquid_gather(&w->liquid, &(mn_step){ .arena = w->arena }), MN_OK);
    assert_int_equal(mn_fabric_gather(&w->fabric, &(mn_step){ .arena = w->arena, .dt = dt }), MN_OK);
    assert_int_equal(mn_liquid_forces(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = dt },
                                      &report),
                     MN_OK);
    *m = (mn_mixture){ .meets = false };
    assert_int_equal(mn_fabric_enters(&w->fabric, m, &(mn_step){ .arena = w->arena }), MN_OK);
    assert_int_equal(mn_mixture_faces(m, &w->liquid, &(mn_step){ .arena = w->arena, .dt = dt }), MN_OK);
}

#endif
