// SPDX-License-Identifier: MPL-2.0
// What liquid and fabric are on the faces they share (fab.C4, C10, C12, C22; mix.X2).
#include "mixture_worlds.h"

#include "base/random.h"
#include "couple/mixture_private.h"

/// The two equations of a face, solved directly with more digits.
static void direct_solve(double m_s, double m_f, double c, double b_s, double b_f, double u[2])
{
    const long double a = (long double)m_s + c, d = (long double)m_f + c,
                      det = (long double)m_s * m_f + (long double)c * ((long double)m_s + m_f);
    u[0]                  = (double)((d * b_s + (long double)c * b_f) / det);
    u[1]                  = (double)((a * b_f + (long double)c * b_s) / det);
}

/// fab.C12, mix.X2: elimination of a face against the direct solve, and both forms of the answer to pressure.
static void elimination_is_the_direct_solve(void **state)
{
    (void)state;
    double worst = 0.0, form = 0.0, momentum = 0.0;
    for (int k = 0; k < 20000; k++) {
        double r[8];
        for (int i = 0; i < 8; i++) r[i] = mn_random(7, (uint64_t)k, 0, (uint64_t)i);
        const double m_s = pow(10.0, -3.0 + 3.0 * r[0]), m_f = pow(10.0, -3.0 + 3.0 * r[1]),
                     c              = k % 10 == 0 ? 0.0 : fmax(m_s, m_f) * pow(10.0, -6.0 + 18.0 * r[2]);
        const double            v_s = r[3], v_f = 1.0 - r[3], b_s = 2.0 * r[4] - 1.0, b_f = 2.0 * r[5] - 1.0;
        const mn_mixture_shares x = mn_mixture_share(m_s, m_f, c);
        double                  u[2];
        direct_solve(m_s, m_f, c, b_s, b_f, u);
        const double u_s = (b_s + x.p * b_f) / x.solid_mass, u_f = (b_f + x.q * b_s) / x.liquid_mass,
                     size = (fabs(b_s) + fabs(b_f)) / fmin(m_s, m_f);
        worst = fmax(worst, fmax(fabs(u_s - u[0]), fabs(u_f - u[1])) / fmax(size * 1e-3, fmax(fabs(u[0]), fabs(u[1]))));
        momentum       = fmax(momentum, fabs(m_s * u_s + m_f * u_f - b_s - b_f) /
                                            (fabs(m_s * u_s) + fabs(m_f * u_f) + fabs(b_s) + fabs(b_f)));
        const double t = v_s + x.p * v_f, left = v_f * v_f / (m_f + c) + t * t / x.solid_mass;
        const double right = v_f * (v_f + x.q * v_s) / x.liquid_mass + v_s * t / x.solid_mass;
        form               = fmax(form, fabs(left - right) / right);
        // Drag alone never adds energy.
        assert_true(m_s * u_s * u_s + m_f * u_f * u_f <= (b_s * b_s / m_s + b_f * b_f / m_f) * (1.0 + 1e-12));
    }
    print_message("elimination %.2g, momentum %.2g, (M4) %.2g\n", worst, momentum, form);
    assert_less(worst, 1e-12);
    assert_less(momentum, 1e-12);
    assert_less(form, 1e-13);
}

/// A closed channel, four cells wide, full of liquid at rest, with a sheet across that reaches into its walls.
typedef struct channel {
    double             cell, height, angle;
    mn_fabric_material material;
} channel;

static mn_world *channel_world(mn_context *c, const channel *ch)
{
    tank  t = tank_default();
    sheet s = sheet_default();
    t.cell = ch->cell, t.gravity = 0.0, t.fill = INFINITY;
    t.size[0] = t.size[2] = 4.0 * ch->cell, t.size[1] = 12.0 * ch->cell;
    s.size[0] = s.size[1] = 12.0 * ch->cell;
    s.spacing             = 0.5 * ch->cell;
    s.at[0] = s.at[2] = 2.0 * ch->cell, s.at[1] = ch->height;
    s.angle     = ch->angle;
    s.pinned    = true;
    s.material  = ch->material;
    mn_world *w = tank_world(c, &t);
    add_sheet(c, w, &s);
    return w;
}

/// The pressure jump over the sheet that the drag of the faces makes of a steady flux q, in the middle of the channel:
/// V_f dp/dy = -(c / h) u_f with u_f = q / (1 - phi).
static double jump_of_faces(mn_context *c, const channel *ch, double q)
{
    const double dt = 1e-3;
    mn_world    *w  = channel_world(c, ch);
    mn_mixture   m;
    stages_to_faces(w, dt, &m);
    assert_true(m.meets);
    const int32_t *axis = w->fabric.step.faces.axis_start;
    for (int32_t i = axis[1]; i < axis[2]; i++)
        if (m.place[i] > 0) w->liquid.grid.velocity[1][m.place[i]] = q / m.superficial[i];
    assert_int_equal(mn_mixture_faces(&m, &w->liquid, &(mn_step){ .arena = w->arena, .dt = dt }), MN_OK);
    const mn_tiles *t     = &w->liquid.grid.tiles;
    double          sum   = 0.0;
    int             faces = 0;
    for (int32_t i = axis[1]; i < axis[2]; i++) {
        if (m.place[i] < t->cells || m.liquid_volume[i] == 0.0) continue;
        if (cell_in_domain(w, m.place[i], 0) != 2 || cell_in_domain(w, m.place[i], 2) != 2) continue;
        sum += ch->cell * m.drag[i] / dt * q / m.superficial[i] / m.liquid_volume[i];
        faces++;
    }
    assert_true(faces >= 3);
    mn_world_destroy(&w);
    return sum;
}

/// fab.C22: the sum over the faces is the law of Darcy and Forchheimer for the sheet, on any grid.
static void drag_of_faces_is_that_of_the_sheet(void **state)
{
    (void)state;
    mn_context              *c     = test_context(2);
    const mn_liquid_material water = mn_liquid_def_default().material;
    double                   worst = 0.0, tilted = 0.0;
    for (int k = 0; k < 12; k++) {
        channel            ch       = { .cell = 0.1 * (1 + k % 3), .material = mn_fabric_material_default() };
        const double       q        = k < 6 ? 1.0 : 20.0;
        const mn_pore_law  law      = mn_pore_law_of(&ch.material, &water);
        const mn_pore_drag drag     = mn_pore_drag_across(&law, ch.material.solid_fraction);
        const double       expected = mn_pore_drag_at(&law, drag, q) * ch.material.thickness * q;
        ch.height                   = ch.cell * (5.0 + 0.23 * k);
        worst                       = fmax(worst, fabs(jump_of_faces(c, &ch, q) / expected - 1.0));
    }
    for (int k = 0; k < 3; k++) {
        channel ch = { .cell = 0.2, .height = 1.2, .angle = 0.15 * (k + 1), .material = mn_fabric_material_default() };
        const mn_pore_law law = mn_pore_law_of(&ch.material, &water);
        const double      n2 = cos(ch.angle) * cos(ch.angle), q = 1.0;
        ch.material.drag_law = MN_DRAG_LINEAR;
        // Through a tilted sheet the path is longer and the tensor is seen along the axis.
        const double along = mn_pore_drag_along(&law, 0.4).linear, across = mn_pore_drag_across(&law, 0.4).linear;
        const double expected = (along + (across - along) * n2) * ch.material.thickness / cos(ch.angle) * q,
                     found    = jump_of_faces(c, &ch, q);
        print_message("tilted by %g: %.4f of the law\n", ch.angle, found / expected);
        tilted = fmax(tilted, fabs(found / expected - 1.0));
    }
    print_message("jump over the sheet: %.2g along the grid, %.2g tilted\n", worst, tilted);
    assert_less(worst, 1e-6);
    assert_less(tilted, 0.02);
    test_context_end(&c);
}

/// What the comparison switches change: published axes exchange the two coefficients, published Darcy adds (1 -
/// phi)^-2.
static void published_readings_differ_as_they_should(void **state)
{
    (void)state;
    mn_context *c           = test_context(2);
    channel     exact       = { .cell = 0.2, .height = 1.13, .material = mn_fabric_material_default() };
    exact.material.drag_law = MN_DRAG_LINEAR;
    channel axes = exact, darcy = exact;
    axes.material.drag_axes_published = true;
    darcy.material.darcy_published    = true;
    const mn_liquid_material water    = mn_liquid_def_default().material;
    const mn_pore_law        law      = mn_pore_law_of(&exact.material, &water);
    const double             one = jump_of_faces(c, &exact, 1.0), swapped = jump_of_faces(c, &axes, 1.0),
                 published = jump_of_faces(c, &darcy, 1.0);
    assert_near(swapped / one, mn_pore_drag_along(&law, 0.4).linear / mn_pore_drag_across(&law, 0.4).linear,
                1e-6);  // the share of cloth is a float
    print_message("darcy published: %.3f of exact\n", published / one);
    assert_true(published > 1.05 * one && published < 1.6 * one);
    test_context_end(&c);
}

static double sum_axis(const mn_mixture *m, const double *x, int axis)
{
    const int32_t *start = m->faces->axis_start;
    double         sum   = 0.0;
    for (int32_t i = start[axis]; i < start[axis + 1]; i++) sum += x[i];
    return sum;
}

/// fab.C10 and mixture-solve 1: volumes come over whole, the two fill the open face, suction is taken from one and
/// given to the other.
static void faces_hold_what_the_vertices_bring(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    tank        t = tank_default();
    sheet       s = sheet_default();
    s.angle       = 0.4;
    s.saturation  = 0.3;
    s.at[1]       = 2.3;  // through the surface
    mn_world  *w  = tank_world(c, &t);
    mn_mixture m;
    add_sheet(c, w, &s);
    stages_to_faces(w, t.dt, &m);
    const mn_fabric *q    = &w->fabric;
    double           bulk = 0.0, law = 0.0;
    for (int64_t v = 0; v < q->vertices.count; v++) bulk += q->volume[v];
    for (int a = 0; a < 3; a++) {
        assert_near(sum_axis(&m, m.bulk, a) / bulk, 1.0, 1e-12);
        for (int32_t i = q->step.faces.axis_start[a]; i < q->step.faces.axis_start[a + 1]; i++)
            law += m.normal[i] * m.bulk[i];
    }
    assert_near(law / bulk, 1.0, 1e-12);  // the trace of n n^T
    const double volume = mn_cell_volume(&w->grid);
    double       pull = 0.0, mass = 0.0, fastest = 0.0, left[3] = { 0.0 };
    for (int32_t i = 0; i < m.count; i++) {
        const int    a    = mn_mixture_axis(&m, i);
        const double open = m.place[i] > 0 ? (double)w->liquid.grid.solid.open[a][m.place[i]] : 0.0;
        if (m.liquid_volume[i] > 0.0)
            assert_near((m.solid_volume[i] + m.liquid_volume[i]) / (open * volume), 1.0, 1e-14);
        assert_true(m.fill[i] >= 0.0 && m.fill[i] <= 1.0);
        assert_true(m.drag[i] >= 0.0 && (m.drag[i] == 0.0 || m.liquid_mass[i] > 0.0));
        left[a] += m.solid_suction[i] + m.liquid_impulse[i] -
                   (m.place[i] > 0 ? m.liquid_mass[i] * w->liquid.grid.velocity[a][m.place[i]] : 0.0);
        pull += fabs(m.solid_suction[i]);
        mass += q->step.mass[i];
        if (q->step.mass[i] > 0.0) fastest = fmax(fastest, fabs(m.solid_suction[i]) / q->step.mass[i]);
    }
    assert_true(pull > 0.0);
    // The fabric gets what the liquid gives, and no face of it more than its mass can take.
    for (int a = 0; a < 3; a++) assert_less(fabs(left[a]), 1e-12 * pull);
    print_message("suction: %.3g cm/s on average, %.3g at most\n", pull / mass, fastest);
    assert_less(fastest, 30.0 * pull / mass);
    mn_world_destroy(&w);
    test_context_end(&c);
}

/// Drag of a submerged sheet that is turned about z, summed over the faces of each axis; on every face it is a mean of
/// that along and that across the fibres.
static void drag_of_turned(mn_context *c, double angle, double sum[3])
{
    tank       t = tank_default();
    sheet      s = sheet_default();
    mn_mixture m;
    s.angle     = angle;
    mn_world *w = tank_world(c, &t);
    add_sheet(c, w, &s);
    stages_to_faces(w, t.dt, &m);
    const mn_pore_law law   = mn_pore_law_of(&s.material, &w->fabric.model.liquid);
    const double      along = mn_pore_drag_along(&law, s.material.solid_fraction).linear,
                 across     = mn_pore_drag_across(&law, s.material.solid_fraction).linear;
    for (int a = 0; a < 3; a++) sum[a] = sum_axis(&m, m.drag_linear, a);
    for (int32_t i = 0; i < m.count; i++) {
        if (!(m.bulk[i] > 0.0)) continue;
        const double drag = m.drag_linear[i] / m.bulk[i];
        assert_true(drag >= (1.0 - 1e-6) * fmin(along, across) && drag <= (1.0 + 1e-6) * fmax(along, across));
    }
    mn_world_destroy(&w);
}

/// fab.C4: n n^T of the vertices is a projection, turns with the sheet and has no side; neither has the drag of the
/// faces.
static void tensors_turn_with_the_sheet_and_have_no_side(void **state)
{
    (void)state;
    mn_context  *c     = test_context(1);
    const double angle = 0.4, n[3] = { -sin(angle), cos(angle), 0.0 };
    tank         t = tank_default();
    sheet        s = sheet_default();
    mn_mixture   m;
    double      *up, *down;
    s.angle     = angle;
    mn_world *w = tank_world(c, &t);
    add_sheet(c, w, &s);
    stages_to_faces(w, t.dt, &m);
    mn_fabric *q = &w->fabric;
    assert_int_equal(mn_fabric_dyads(q, w->arena, &up), MN_OK);
    for (int64_t k = 0; k < q->element_count; k++) {
        const int32_t swap       = q->elements[k].vertex[1];
        q->elements[k].vertex[1] = q->elements[k].vertex[2];
        q->elements[k].vertex[2] = swap;
    }
    assert_int_equal(mn_fabric_dyads(q, w->arena, &down), MN_OK);
    for (int64_t v = 0; v < q->vertices.count; v++) {
        const double *d = up + 6 * v, full[3][3] = { { d[0], d[5], d[4] }, { d[5], d[1], d[3] }, { d[4], d[3], d[2] } };
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double square = 0.0;
                for (int k = 0; k < 3; k++) square += full[a][k] * full[k][b];
                assert_near(full[a][b], n[a] * n[b], 1e-9);
                assert_near(square, full[a][b], 1e-9);
            }
        for (int k = 0; k < 6; k++) assert_near(down[6 * v + k], d[k], 1e-14);
    }
    mn_world_destroy(&w);
    double one[3], mirrored[3], level[3];
    drag_of_turned(c, angle, one);
    drag_of_turned(c, -angle, mirrored);
    drag_of_turned(c, 0.0, level);
    for (int a = 0; a < 3; a++) assert_near(mirrored[a] / one[a], 1.0, 1e-12);
    // Diagonal of R diag(C_t, C_n, C_t) R^T.
    const double s2 = sin(angle) * sin(angle);
    assert_near(one[0], level[0] + (level[1] - level[0]) * s2, 1e-9 * level[0]);
    assert_near(one[1], level[1] + (level[0] - level[1]) * s2, 1e-9 * level[1]);
    assert_near(one[2], level[2], 1e-9 * level[2]);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elimination_is_the_direct_solve),
        cmocka_unit_test(drag_of_faces_is_that_of_the_sheet),
        cmocka_unit_test(published_readings_differ_as_they_should),
        cmocka_unit_test(faces_hold_what_the_vertices_bring),
        cmocka_unit_test(tensors_turn_with_the_sheet_and_have_no_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
