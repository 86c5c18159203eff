// SPDX-License-Identifier: MPL-2.0
// Points near solids are brought out; velocities inside solids mirror those outside.
#include "testing.h"

#include "base/random.h"
#include "solid_world.h"

static void points_are_brought_out(void **state)
{
    (void)state;
    world w;
    begin(&w, 2);
    add_plane(&w, mn_v3(0, 0, 0), mn_v3(0, 1, 0));
    add_plane(&w, mn_v3(0, 0, 0), mn_v3(1, -0.6, 0));  // an acute corner
    add_sphere(&w, mn_v3(3, 0.2, 0), 0.5);
    const double eps = 0.01;
    enum { N = 20000 };
    static double x[3][N], y[3][N];
    for (uint64_t i = 0; i < N; i++)
        for (int a = 0; a < 3; a++)
            x[a][i] = y[a][i] = (a == 1 ? 3.0 : 8.0) * mn_random(3, i, 0, (uint64_t)a) - (a == 1 ? 0.2 : 1.0);
    double *const xs[3] = { x[0], x[1], x[2] };
    assert_int_equal(mn_solids_push_out_particles(mn_context_pool(w.c), (mn_solids){ w.solids, w.count }, eps, xs, N),
                     0);
    int moved = 0;
    for (int i = 0; i < N; i++) {
        const mn_vec3 before = mn_v3(y[0][i], y[1][i], y[2][i]), after = mn_v3(x[0][i], x[1][i], x[2][i]);
        mn_vec3       alone = before;
        assert_true(mn_solids_distance((mn_solids){ w.solids, w.count }, after, NULL, NULL) >= eps);
        assert_true(mn_solids_push_out((mn_solids){ w.solids, w.count }, eps, &alone));
        assert_true(alone.x == after.x && alone.y == after.y && alone.z == after.z);
        const double d   = mn_solids_distance((mn_solids){ w.solids, w.count }, before, NULL, NULL),
                     way = mn_norm3(mn_sub3(after, before));
        if (d >= eps) assert_true(way == 0.0);
        else assert_true(way >= (eps - d) * (1.0 - 1e-9));
        moved += way > 0.0;
    }
    assert_true(moved > 500);
    // A wall alone: exactly to the distance, straight.
    mn_vec3 p = mn_v3(5, -0.3, 2);
    assert_true(mn_solids_push_out((mn_solids){ w.solids, 1 }, eps, &p));
    assert_near(p.y, eps, 1.1e-6 * eps);
    assert_true(p.x == 5.0 && p.z == 2.0);
    // No room: said, not hidden.
    world narrow;
    begin(&narrow, 1);
    add_plane(&narrow, mn_v3(0, 0, 0), mn_v3(0, 1, 0));
    add_plane(&narrow, mn_v3(0, 0.001, 0), mn_v3(0, -1, 0));
    assert_false(mn_solids_push_out((mn_solids){ narrow.solids, 2 }, eps, &p));
    int which;
    assert_true(mn_solids_distance((mn_solids){ NULL, 0 }, p, &p, &which) == INFINITY);
    assert_int_equal(which, -1);
    end(&narrow);
    end(&w);
}

/// Points whose nearest images differ are looked at one by one, although they are neighbours: here of a rod that
/// reaches nearly from its image to its image, askew, so that beyond the middle between them the far one is nearer.
static void points_between_two_images_are_brought_out(void **state)
{
    (void)state;
    world w;
    begin(&w, 1);
    mn_shape_def def = mn_shape_def_default(MN_SHAPE_BOX);
    def.size[0] = 13.6, def.size[1] = 0.4, def.size[2] = 0.4;
    mn_solid *s      = add_solid(&w, &def);
    s->pose.rotation = mn_rotation3(mn_v3(0, 0, 1), 0.25 * MN_PI);
    for (int a = 0; a < 2; a++) s->period[a] = 10.0;
    enum { N = 4096 };
    static double x[3][N];
    for (uint64_t i = 0; i < N; i++) {
        x[0][i] = 5.0 + 2.0 * (mn_random(5, i, 0, 0) - 0.5);
        x[1][i] = 5.0 + 2.0 * (mn_random(5, i, 0, 1) - 0.5);
        x[2][i] = 0.1 * (mn_random(5, i, 0, 2) - 0.5);
    }
    double *const xs[3] = { x[0], x[1], x[2] };
    mn_solids_push_out_particles(mn_context_pool(w.c), (mn_solids){ w.solids, w.count }, 0.01, xs, N);
    for (int i = 0; i < N; i++)
        assert_true(
            mn_solids_distance((mn_solids){ w.solids, w.count }, mn_v3(x[0][i], x[1][i], x[2][i]), NULL, NULL) >= 0.01);
    end(&w);
}

/// A ball whose middle lies beside the plane of a 2D world is a disc to it.
static void points_of_a_plane_stay_in_it(void **state)
{
    (void)state;
    world w;
    begin(&w, 1);
    add_sphere(&w, mn_v3(0, 0, 0.3), 1.0)->flat = true;
    for (int k = 0; k < 32; k++) {
        mn_vec3 x = mn_v3(0.9 * cos(0.2 * k), 0.9 * sin(0.2 * k), 0.0);
        assert_true(mn_solids_push_out((mn_solids){ w.solids, w.count }, 0.01, &x));
        assert_true(x.z == 0.0);
        assert_near(hypot(x.x, x.y), sqrt(1.01 * 1.01 - 0.09), 1e-6);
    }
    end(&w);
}

/// A velocity that is linear, tangent to the wall at it (slip) or zero there relative to the wall (no slip), goes on
/// inside the wall as the reflection of itself.
static void check_mirror(int dimension, double wall, bool no_slip, mn_vec3 speed)
{
    world w;
    begin(&w, 2);
    make_tiles(&w, dimension, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 },
               (mn_tile_coord){ 2, 2, dimension == 2 ? 1 : 2 });
    mn_solid *s             = add_plane(&w, mn_v3(wall, 0, 0), mn_v3(1, 0, 0));
    s->moving               = true;
    s->no_slip              = no_slip;
    s->pose.linear          = speed;
    const mn_solid_fields f = build(&w, NULL);
    const int64_t         n = (int64_t)w.tiles.count * w.tiles.cells;
    double               *u[3];
    uint8_t              *known[3];
    for (int a = 0; a < 3; a++) {
        u[a]     = mn_arena_array_zero(w.arena, double, n);
        known[a] = mn_arena_array_zero(w.arena, uint8_t, n);
    }
    cell_walk k = { 0 };
    while (next_cell(&w.tiles, &k))
        for (int a = 0; a < 3; a++) {
            const double x = k.at[0] + 0.5 * (a != 0) - wall, y = k.at[1] + 0.5 * (a != 1);
            u[a][k.i]     = NAN;
            known[a][k.i] = f.open[a][k.i] > 0.0f;
            if (!known[a][k.i]) continue;
            // Even in x for the tangential parts of slip, hence constant across the wall; odd otherwise.
            u[a][k.i] = mn_get3(speed, a) + (a == 0 || no_slip ? 0.7 * x : 0.3 * y + 0.2);
        }
    mn_solid_mirror_faces(mn_context_pool(w.c), &w.tiles, &f, (mn_solids){ w.solids, w.count }, NULL, 0.0, known, u);
    k          = (cell_walk){ 0 };
    int filled = 0;
    while (next_cell(&w.tiles, &k))
        for (int a = 0; a < (dimension == 2 ? 2 : 3); a++) {
            const double x = k.at[0] + 0.5 * (a != 0) - wall, y = k.at[1] + 0.5 * (a != 1);
            if (f.open[a][k.i] > 0.0f) continue;
            if (x < -2.5) {
                assert_true(isnan(u[a][k.i]) && !known[a][k.i]);
                continue;
            }
            if (x > -0.2 && a != 0) continue;  // a face whose cell was closed although it is open
            if (k.at[1] < 1 || k.at[1] > 14 || (dimension == 3 && (k.at[2] < 1 || k.at[2] > 14)))
                continue;  // the edge of the tiles
            assert_near(u[a][k.i], mn_get3(speed, a) + (a == 0 || no_slip ? 0.7 * x : 0.3 * y + 0.2), 1e-9);
            filled++;
        }
    assert_true(filled > 50);
    end(&w);
}

static void mirrored_velocities_continue_linear_ones(void **state)
{
    (void)state;
    const double walls[] = { 5.0, 5.3, 5.5, 5.81, 7.9, 8.2 };
    for (size_t k = 0; k < sizeof walls / sizeof walls[0]; k++)
        for (int no_slip = 0; no_slip < 2; no_slip++) {
            check_mirror(2, walls[k], no_slip, mn_v3(0, 0, 0));
            check_mirror(3, walls[k], no_slip, mn_v3(2, -1, 0.5));
        }
}

/// A flow along a wall with slip goes on inside it, however the wall lies to the grid and whichever faces are open.
static void a_flow_along_a_slanted_wall_is_continued(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int k = 0; k < 12; k++) {
            const double  angle = 0.13 + 0.5 * k, rise = dimension == 3 ? 0.4 : 0.0;
            const mn_vec3 normal = mn_unit3(mn_v3(cos(angle), sin(angle), rise), mn_v3(0, 1, 0)),
                          along  = mn_unit3(mn_cross3(normal, mn_v3(rise, 0, 1)), normal);
            const mn_vec3 speed  = mn_v3(0.3, -0.2, dimension == 3 ? 0.5 : 0.0);
            world         w;
            begin(&w, 2);
            make_tiles(&w, dimension, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 },
                       (mn_tile_coord){ 2, 2, dimension == 2 ? 1 : 2 });
            mn_solid *s             = add_plane(&w, mn_v3(8.1, 7.9, dimension == 3 ? 8.05 : 0.5), normal);
            s->moving               = true;
            s->pose.linear          = speed;
            const mn_solid_fields f = build(&w, NULL);
            const int64_t         n = (int64_t)w.tiles.count * w.tiles.cells;
            double               *u[3];
            uint8_t              *known[3];
            for (int a = 0; a < 3; a++) {
                u[a]     = mn_arena_array_zero(w.arena, double, n);
                known[a] = mn_arena_array_zero(w.arena, uint8_t, n);
                for (int64_t i = w.tiles.cells; i < n; i++) known[a][i] = f.open[a][i] > 0.0f;
                for (int64_t i = w.tiles.cells; i < n; i++)
                    u[a][i] = known[a][i] ? mn_get3(speed, a) + mn_get3(along, a) : NAN;
            }
            mn_solid_mirror_faces(mn_context_pool(w.c), &w.tiles, &f, (mn_solids){ w.solids, w.count }, NULL, 0.0,
                                  known, u);
            cell_walk walk   = { 0 };
            int       filled = 0;
            while (next_cell(&w.tiles, &walk)) {
                bool inner = true;  // all components around the mirror point are seen
                for (int a = 0; a < dimension; a++) inner = inner && walk.at[a] > 5 && walk.at[a] < 10;
                for (int a = 0; a < dimension && inner; a++) {
                    if (f.open[a][walk.i] > 0.0f || !known[a][walk.i]) continue;
                    assert_near(u[a][walk.i], mn_get3(speed, a) + mn_get3(along, a), 1e-9);
                    filled++;
                }
            }
            assert_true(filled > (dimension == 3 ? 40 : 6));
            end(&w);
        }
}

typedef struct face_fields {
    mn_solid_fields solid;
    double         *u[3];
    uint8_t        *known[3];
} face_fields;

typedef mn_vec3 flow_fn(mn_vec3 x);

/// The open faces of a world have a velocity; those inside its solids get theirs.
static face_fields mirrored(world *w, flow_fn *flow)
{
    face_fields   f = { .solid = build(w, NULL) };
    const int64_t n = (int64_t)w->tiles.count * w->tiles.cells;
    for (int a = 0; a < 3; a++) {
        f.u[a]     = mn_arena_array_zero(w->arena, double, n);
        f.known[a] = mn_arena_array_zero(w->arena, uint8_t, n);
    }
    cell_walk k = { 0 };
    while (next_cell(&w->tiles, &k))
        for (int a = 0; a < 3; a++) {
            const mn_vec3 x = mn_v3(k.at[0] + 0.5 * (a != 0), k.at[1] + 0.5 * (a != 1), k.at[2] + 0.5 * (a != 2));
            f.known[a][k.i] = f.solid.open[a][k.i] > 0.0f;
            f.u[a][k.i]     = f.known[a][k.i] ? mn_get3(flow(x), a) : NAN;
        }
    mn_solid_mirror_faces(mn_context_pool(w->c), &w->tiles, &f.solid, (mn_solids){ w->solids, w->count }, NULL, 0.0,
                          f.known, f.u);
    return f;
}

static mn_vec3 falling(mn_vec3 x)
{
    (void)x;
    return mn_v3(0, -100, 0);
}

/// Where a wall closes some of the faces that a slanted floor would read, the ghosts are still about as fast as the
/// flow.
static void ghosts_in_a_corner_are_about_as_fast_as_the_flow(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        const double slope = 0.02 * (k + 1);
        world        w;
        begin(&w, 1);
        make_tiles(&w, 2, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 1 });
        add_plane(&w, mn_v3(3.0, 0, 0), mn_v3(1, 0, 0));
        add_plane(&w, mn_v3(3.0, 4.0 + 0.37 * k - floor(0.37 * k), 0), mn_v3(-slope, 1, 0));
        const face_fields f    = mirrored(&w, falling);
        double            most = 0.0;
        cell_walk         walk = { 0 };
        while (next_cell(&w.tiles, &walk))
            for (int a = 0; a < 2; a++)
                if (f.known[a][walk.i] && walk.at[0] < 8) most = fmax(most, fabs(f.u[a][walk.i]));
        assert_less(most, 150.0);
        end(&w);
    }
}

static mn_vec3 turning(mn_vec3 x) { return mn_v3(-2.0 * (x.y - 7.0), 2.0 * (x.x - 11.0), 0.0); }

/// Liquid that turns with its vessel goes on into the wall as it is.
static void a_turning_wall_continues_what_turns_with_it(void **state)
{
    (void)state;
    for (int k = 0; k < 10; k++) {
        world w;
        begin(&w, 1);
        make_tiles(&w, 3, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 1 });
        mn_solid *s = add_plane(&w, mn_v3(4.0 + 0.1 * k, 0, 0), mn_v3(1, 0, 0));
        s->moving = s->no_slip   = true;
        s->pose.center           = mn_v3(11.0, 7.0, 0.0);
        s->pose.angular          = mn_v3(0, 0, 2);
        const face_fields f      = mirrored(&w, turning);
        int               filled = 0;
        cell_walk         walk   = { 0 };
        while (next_cell(&w.tiles, &walk))
            for (int a = 0; a < 2; a++) {
                const double x = walk.at[0] + 0.5 * (a != 0) - (4.0 + 0.1 * k);
                if (x > -0.2 || x < -2.5 || walk.at[1] < 1 || walk.at[1] > 14 || walk.at[2] < 1 || walk.at[2] > 6)
                    continue;
                const mn_vec3 u = turning(mn_v3(walk.at[0] + 0.5 * (a != 0), walk.at[1] + 0.5 * (a != 1), 0.0));
                assert_near(f.u[a][walk.i], mn_get3(u, a), 1e-9);
                filled++;
            }
        assert_true(filled > 50);
        end(&w);
    }
}

/// The ghost of a no-slip wall turns from the opposite of the liquid's velocity to that velocity as its layer gets
/// thin.
static void a_thin_layer_at_a_wall_does_not_brake(void **state)
{
    (void)state;
    const double speeds[] = { 0.5, 2.0, 4.0, 40.0, 4000.0 }, shares[] = { 1.0, 1.0, 0.5, 0.05, 0.0005 };
    for (int k = 0; k < 5; k++) {
        world w;
        begin(&w, 2);
        make_tiles(&w, 2, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 1 });
        mn_solid *s             = add_plane(&w, mn_v3(5.0, 0, 0), mn_v3(1, 0, 0));
        s->no_slip              = true;
        s->layer                = 1.0;  // the first ghost is half a cell inside: full up to a speed of 2
        const mn_solid_fields f = build(&w, NULL);
        const int64_t         n = (int64_t)w.tiles.count * w.tiles.cells;
        double               *u[3];
        uint8_t              *known[3];
        for (int a = 0; a < 3; a++) {
            u[a]     = mn_arena_array_zero(w.arena, double, n);
            known[a] = mn_arena_array_zero(w.arena, uint8_t, n);
            for (int64_t i = w.tiles.cells; i < n; i++) known[a][i] = f.open[a][i] > 0.0f;
            for (int64_t i = w.tiles.cells; i < n; i++) u[a][i] = a == 1 && known[a][i] ? speeds[k] : 0.0;
        }
        mn_solid_mirror_faces(mn_context_pool(w.c), &w.tiles, &f, (mn_solids){ w.solids, w.count }, NULL, 0.0, known,
                              u);
        cell_walk walk = { 0 };
        int       seen = 0;
        while (next_cell(&w.tiles, &walk)) {
            if (walk.at[0] != 4 || walk.at[1] < 1 || walk.at[1] > 14) continue;
            assert_near(u[1][walk.i], speeds[k] * (1.0 - 2.0 * shares[k]), 1e-12 * speeds[k]);
            assert_near(u[0][walk.i], 0.0, 1e-12);
            seen++;
        }
        assert_int_equal(seen, 14);
        end(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_brought_out),
        cmocka_unit_test(points_between_two_images_are_brought_out),
        cmocka_unit_test(points_of_a_plane_stay_in_it),
        cmocka_unit_test(mirrored_velocities_continue_linear_ones),
        cmocka_unit_test(a_flow_along_a_slanted_wall_is_continued),
        cmocka_unit_test(ghosts_in_a_corner_are_about_as_fast_as_the_flow),
        cmocka_unit_test(a_turning_wall_continues_what_turns_with_it),
        cmocka_unit_test(a_thin_layer_at_a_wall_does_not_brake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
