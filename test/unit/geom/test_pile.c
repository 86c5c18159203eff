// SPDX-License-Identifier: MPL-2.0
// Pile on cloth in free flight: it stands up again after a blow, and the blow's momentum stays (wet-fabric 5.3).
#include "testing.h"

#include "fabric/fabric.h"
#include "world/world.h"

#include <stdio.h>

#define DEGREE 0.017453292519943295

/// A patch of fuzzy cloth that turns about an axis in its plane, far from anything.
static mn_world *fuzzy_patch(mn_context *c, bool both_sides)
{
    mn_world_def def           = mn_world_def_default();
    def.domain.cell            = 0.3;
    def.time.dt_max            = 5e-4;
    def.domain.gravity[1]      = 0.0;
    def.solver.solid_tolerance = 1e-8;
    mn_world          *w       = NULL;
    mn_thin_mesh       mesh    = { .vertex_count = 0 };
    const mn_cloth_def cloth   = { .outline = MN_CLOTH_RECTANGLE, .size = { 2.0, 1.5 }, .spacing = 0.25 };
    const mn_pile_def  pile  = { .length = 0.4, .radius = 0.02, .spacing = 0.2, .every = 2, .both_sides = both_sides };
    mn_fabric_def      patch = mn_fabric_def_default();
    assert_int_equal(mn_world_create(c, &def, &w), MN_OK);
    assert_int_equal(mn_cloth_generate(c, &cloth, &mesh), MN_OK);
    assert_int_equal(mn_pile_add(c, &pile, &mesh), MN_OK);
    snprintf(patch.name, sizeof patch.name, "patch");
    patch.mesh        = &mesh;
    patch.velocity[0] = 10.0;
    patch.spin[2]     = 5.0;
    assert_int_equal(mn_world_add_fabric(w, &patch), MN_OK);
    mn_thin_mesh_free(c, &mesh);
    return w;
}

static mn_vec3 at(const mn_view3 *p, int64_t i) { return mn_v3(p->x[i], p->y[i], p->z[i]); }

/// Normal of the cloth at a vertex, not a unit.
static mn_vec3 normal_at(const mn_fabric_view *f, int32_t v)
{
    mn_vec3 n = mn_v3(0, 0, 0);
    for (int64_t t = 0; t < f->triangle_count; t++) {
        const int32_t *k = f->triangle[t];
        if (k[0] != v && k[1] != v && k[2] != v) continue;
        const mn_vec3 a = at(&f->position, k[0]);
        n               = mn_add3(n, mn_cross3(mn_sub3(at(&f->position, k[1]), a), mn_sub3(at(&f->position, k[2]), a)));
    }
    return n;
}

typedef struct leaning {
    double mean, most;
} leaning;

/// How far first segments lean from the normal of the cloth, rad. Pile on both sides: every second strand hangs below.
static leaning lean(const mn_world *w, bool both_sides)
{
    const mn_fabric_view f   = mn_world_fabric(w, 0);
    leaning              out = { 0.0, 0.0 };
    for (int64_t s = 0; s < f.strand_count; s++) {
        const int32_t *v   = f.strand_vertex + f.strand_start[s];
        const mn_vec3  n   = mn_scale3(both_sides && s % 2 == 1 ? -1.0 : 1.0, normal_at(&f, v[0])),
                      e    = mn_sub3(at(&f.position, v[1]), at(&f.position, v[0]));
        const double angle = atan2(mn_norm3(mn_cross3(n, e)), mn_dot3(n, e));
        out.mean += angle / (double)f.strand_count;
        out.most = fmax(out.most, angle);
    }
    return out;
}

/// Push the pile along x, as a brush does: its vertices in proportion to their height.
static void brush(mn_world *w, double speed)
{
    const mn_fabric_piece *p = &w->fabric.pieces[0];
    for (int64_t s = 0; s < p->mesh.strand_count; s++) {
        const int64_t first = p->mesh.strand_start[s], count = p->mesh.strand_start[s + 1] - first;
        for (int64_t k = 1; k < count; k++)
            w->fabric.vertices.velocity[0][p->mesh.strand_vertex[first + k]] += speed * (double)k / (double)(count - 1);
    }
}

static void fly(mn_world *w, double until)
{
    while (mn_world_time(w) < until) assert_int_equal(mn_world_step(w, until), MN_OK);
}

static void pile_stays_upright_in_flight(void **state)
{
    (void)state;
    for (int both = 0; both < 2; both++) {
        mn_context *c = test_context(2);
        mn_world   *w = fuzzy_patch(c, both == 1);
        fly(w, 0.04);
        const leaning end = lean(w, both == 1);
        assert_less(end.most, 0.1 * DEGREE);
        mn_world_destroy(&w);
        test_context_end(&c);
    }
}

/// The same blow with and without junctions: without them nothing but the grid and the bending above leads strands
/// back.
static void brushed_pile_stands_up_again_and_keeps_the_momentum(void **state)
{
    (void)state;
    leaning soon[2], end[2];
    for (int with = 0; with < 2; with++) {
        mn_context *c = test_context(2);
        mn_world   *w = fuzzy_patch(c, false);
        if (with == 0) w->fabric.pieces[0].junctions.count = 0;
        assert_int_equal(mn_fabric_prepare(&w->fabric), MN_OK);
        brush(w, 100.0);
        const mn_vec3 before = mn_fabric_sum(&w->fabric).momentum;
        fly(w, 2e-3);
        soon[with] = lean(w, false);
        fly(w, 0.06);
        end[with] = lean(w, false);
        // The solve stops at 1e-8 of the first residual, some hundred times.
        assert_less(mn_norm3(mn_sub3(mn_fabric_sum(&w->fabric).momentum, before)), 1e-6 * mn_norm3(before));
        mn_world_destroy(&w);
        test_context_end(&c);
    }
    assert_true(soon[1].mean > 2.0 * DEGREE);
    assert_less(end[1].most, 1.0 * DEGREE);
    assert_true(end[0].mean > 10.0 * end[1].mean);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pile_stays_upright_in_flight),
        cmocka_unit_test(brushed_pile_stands_up_again_and_keeps_the_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
