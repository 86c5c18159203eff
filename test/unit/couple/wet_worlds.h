// SPDX-License-Identifier: MPL-2.0
// Small worlds where fabric meets liquid, and sums over both.
#ifndef MN_TEST_WET_WORLDS_H
#define MN_TEST_WET_WORLDS_H

#include "../fabric/fabric_worlds.h"

#include "base/random.h"
#include "couple/capture.h"
#include "couple/drip.h"

static const double no_gravity[3] = { 0.0, 0.0, 0.0 };

/// A box of liquid about the origin.
static inline void add_bath(mn_context *c, mn_world *w, double x, double y, double z)
{
    mn_shape_def  box  = mn_shape_def_default(MN_SHAPE_BOX);
    mn_liquid_def bath = mn_liquid_def_default();
    box.size[0] = x, box.size[1] = y, box.size[2] = z;
    assert_int_equal(mn_shape_create(c, &box, &bath.shape), MN_OK);
    assert_int_equal(mn_world_add_liquid(w, &bath), MN_OK);
    mn_shape_release(&bath.shape);
}

/// A tilted square sheet about the origin.
static inline void add_sheet(mn_context *c, mn_world *w, double side, double spacing, mn_fabric_def def)
{
    mn_thin_mesh mesh;
    make_sheet(c, side, side, spacing, &mesh);
    def.axis[0] = 1.0, def.axis[1] = 0.3, def.axis[2] = 0.2;
    def.angle = 0.4;
    if (add_mesh(c, w, &def, &mesh) != MN_OK) fail_msg("%s", mn_context_error(c));
}

static inline void ready(mn_world *w)
{
    assert_int_equal(mn_arena_reset(w->arena), MN_OK);
    assert_int_equal(mn_world_place_solids(w, 0.0), MN_OK);
    assert_int_equal(mn_liquid_activate(&w->liquid, &(mn_step){ .arena = w->arena, .solids = w->solids, .dt = 0.0 }),
                     MN_OK);
    assert_int_equal(mn_fabric_prepare(&w->fabric), MN_OK);
}

static inline mn_exchange_report capture_once(mn_world *w, double dt)
{
    mn_exchange_report report = { 0 };
    ready(w);
    assert_int_equal(mn_capture(&w->liquid, &w->fabric, &(mn_step){ .arena = w->arena, .dt = dt }, &report), MN_OK);
    return report;
}

static inline mn_exchange_report drip_once(mn_world *w, int64_t step)
{
    mn_exchange_report report = { 0 };
    ready(w);
    assert_int_equal(mn_drip(&w->liquid, &w->fabric,
                             &(mn_step){ .arena = w->arena, .solids = w->solids, .number = step }, &w->now.next_id,
                             &report),
                     MN_OK);
    return report;
}

/// Velocities of any kind, so that momentum is worth looking at.
static inline void stir(mn_world *w)
{
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    for (int a = 0; a < 3; a++) {
        for (int64_t i = 0; i < p->count; i++)
            p->velocity[a][i] = 30.0 * (mn_random(4, (uint64_t)p->id[0][i], 0, (uint64_t)a) - 0.3);
        for (int64_t v = 0; v < w->fabric.vertices.count; v++)
            w->fabric.vertices.velocity[a][v] = 20.0 * (mn_random(5, (uint64_t)v, 0, (uint64_t)a) - 0.6);
    }
}

typedef struct both {
    long double volume, momentum[3];
    double      magnitude;  ///< sum of |momentum|
} both;

/// Sums in extended precision: what differs between two of them is not their own rounding.
static inline both sum_both(mn_world *w)
{
    const mn_liquid_particles *p      = mn_liquid_now(&w->liquid);
    const mn_fabric           *q      = &w->fabric;
    const double               rho    = w->liquid.model.material.density;
    long double                volume = 0.0L, momentum[3] = { 0.0L }, magnitude = 0.0L;
    for (int64_t i = 0; i < p->count; i++) {
        volume += p->volume[0][i];
        for (int a = 0; a < 3; a++) momentum[a] += (long double)rho * p->volume[0][i] * p->velocity[a][i];
        for (int a = 0; a < 3; a++) magnitude += fabs(rho * p->volume[0][i] * p->velocity[a][i]);
    }
    for (int64_t v = 0; v < q->vertices.count; v++) {
        const long double mass = q->mass[v] + (long double)rho * q->vertices.held[0][v];
        volume += q->vertices.held[0][v];
        for (int a = 0; a < 3; a++) momentum[a] += mass * q->vertices.velocity[a][v];
        for (int a = 0; a < 3; a++) magnitude += fabsl(mass * q->vertices.velocity[a][v]);
    }
    return (both){ .volume    = volume,
                   .magnitude = (double)magnitude,
                   .momentum  = { momentum[0], momentum[1], momentum[2] } };
}

static inline double volume_off(const both *a, const both *b) { return (double)((b->volume - a->volume) / a->volume); }

static inline double momentum_off(const both *a, const both *b)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) most = fmax(most, (double)fabsl(b->momentum[k] - a->momentum[k]) / a->magnitude);
    return most;
}

static inline void assert_kept(const both *a, const both *b, double bound)
{
    assert_near(volume_off(a, b), 0.0, bound);
    assert_near(momentum_off(a, b), 0.0, bound);
}

static inline uint64_t hash_of(mn_world *w)
{
    mn_liquid_particles *p = mn_liquid_now(&w->liquid);
    const uint64_t       h = mn_fields_hash(&mn_liquid_table, p, p->count, (uint64_t)p->count);
    return mn_fields_hash(&mn_fabric_vertex_table, &w->fabric.vertices, w->fabric.vertices.count, h);
}

static inline double held_in(const mn_world *w) { return mn_fabric_sum(&w->fabric).held; }

#endif
