// SPDX-License-Identifier: MPL-2.0
// The mesh of the liquid's surface: closed, where it should be, moving as the liquid does, the same for any number of
// threads.
#include "failing_memory.h"
#include "surface_meshes.h"

#include "base/hash.h"
#include "base/memory.h"
#include "geom/cube_cases.h"
#include "output/frames.h"

#include "../world/worlds.h"

#include <string.h>

// All 256 cases at once: cubes with random corners make a closed mesh whatever the signs, and one that is manifold.
static void any_signs_give_a_closed_mesh(void **state)
{
    (void)state;
    static mn_cube_cases cases;
    mn_cube_cases_make(&cases);
    bool seen[256] = { false };
    for (uint64_t seed = 0; seed < 16; seed++) {
        enum { N = 12 };
        int32_t *number = calloc(3 * N * N * N, sizeof *number);
        mn_mesh  mesh   = { .vertex   = calloc(3 * N * N * N, sizeof *mesh.vertex),
                            .triangle = calloc(5 * N * N * N, sizeof *mesh.triangle) };
        uint8_t  in[N * N * N];
        for (int k = 0; k < N * N * N; k++) {
            const int  x = k % N, y = k / N % N, z = k / (N * N);
            const bool rim = x == 0 || y == 0 || z == 0 || x == N - 1 || y == N - 1 || z == N - 1;
            in[k]          = !rim && mn_random(seed, (uint64_t)k, 0, 0) < 0.2 + 0.04 * (double)seed;
        }
        const int step[3] = { 1, N, N * N };
        for (int k = 0; k < N * N * N; k++)
            for (int a = 0; a < 3; a++) {
                if (k / step[a] % N == N - 1 || in[k] == in[k + step[a]]) continue;
                double *x = mesh.vertex[mesh.vertex_count];
                x[0] = k % N, x[1] = k / N % N, x[2] = k / (N * N), x[a] += 0.5;
                number[3 * k + a] = (int32_t)mesh.vertex_count++;
            }
        int64_t inside = 0;
        for (int k = 0; k < N * N * N; k++) {
            inside += in[k];
            if (k % N == N - 1 || k / N % N == N - 1 || k / (N * N) == N - 1) continue;
            unsigned bits = 0;
            for (int n = 0; n < 8; n++) bits |= (unsigned)in[k + (n & 1) + N * (n >> 1 & 1) + N * N * (n >> 2)] << n;
            seen[bits] = true;
            for (int t = 0; t < cases.cube[bits].count; t++, mesh.triangle_count++)
                for (int e = 0; e < 3; e++) {
                    const int edge = cases.cube[bits].edge[t][e], low = mn_cube_edge_low(edge);
                    mesh.triangle[mesh.triangle_count]
                                 [e] = number[3 * (k + (low & 1) + N * (low >> 1 & 1) + N * N * (low >> 2)) + edge / 4];
                }
        }
        mn_context *c = test_context(1);
        if (mn_mesh_check_closed(c, "cubes", &mesh) != MN_OK) fail_msg("%s", mn_context_error(c));
        assert_true(inside > 0 && mn_mesh_volume(&mesh) > 0.1 * (double)inside);
        test_context_end(&c);
        free(mesh.vertex), free(mesh.triangle), free(number);
    }
    for (int k = 0; k < 256; k++) assert_true(seen[k]);
}

// A ball of radius 10 cells.
static void a_ball_has_its_volume_and_area(void **state)
{
    (void)state;
    const mn_grid_def g       = grid_of(3, 0.5);
    const double      ball[4] = { 6.37, 5.21, 6.93, 5.0 };
    for (int jittered = 0; jittered < 2; jittered++) {
        drops d = drops_begin(60000);
        drops_fill(&d, &g, (int32_t[]){ 26, 26, 26 }, jittered, in_ball, ball);
        for (int64_t i = 0; i < d.count; i++) d.u[0][i] = 3.25, d.u[1][i] = -70.5, d.u[2][i] = 1e-3;
        maker                   m = maker_begin(2);
        const mn_surface_source s = source_of(&g, &d);
        const mn_surface_view   v = make(&m, &s);
        assert_int_equal(check_closed(m.context, &v), 2);
        const mn_mesh mesh = mesh_of(&v);
        const double  r = ball[3], volume = 4.0 / 3.0 * MN_PI * r * r * r;
        double        mean = 0.0, square = 0.0;
        for (int64_t k = 0; k < v.point_count; k++) {
            const double off = hypot(hypot(v.position[k][0] - ball[0], v.position[k][1] - ball[1]),
                                     v.position[k][2] - ball[2]) -
                               r;
            mean += off / g.cell, square += off * off / (g.cell * g.cell);
            assert_near(v.velocity[k][0], 3.25, 1e-10);
            assert_near(v.velocity[k][1], -70.5, 1e-10);
            assert_near(v.velocity[k][2], 1e-3, 1e-10);
        }
        mean /= (double)v.point_count, square /= (double)v.point_count;
        print_message("    ball: volume %+.4f, of particles %+.4f; area %+.4f; mean %+.4f cells, sd %.4f\n",
                      mn_mesh_volume(&mesh) / volume - 1.0, volume_of(&d) / volume - 1.0,
                      area_of(&v) / (4.0 * MN_PI * r * r) - 1.0, mean, sqrt(square - mean * mean));
        assert_near(mn_mesh_volume(&mesh) / volume, 1.0, 0.01);
        assert_near(area_of(&v) / (4.0 * MN_PI * r * r), 1.0, 0.02);
        assert_near(mean, 0.0, 0.01);
        assert_less(sqrt(square - mean * mean), jittered ? 0.08 : 0.05);
        maker_end(&m);
        drops_end(&d);
    }
}

static void two_drops_are_two_surfaces(void **state)
{
    (void)state;
    const mn_grid_def g = grid_of(3, 0.4);
    drops             d = drops_begin(20000);
    drops_fill(&d, &g, (int32_t[]){ 20, 12, 12 }, 1.0, in_ball, (double[]){ 2.3, 1.8, 2.1, 1.5 });
    drops_fill(&d, &g, (int32_t[]){ 20, 12, 12 }, 1.0, in_ball, (double[]){ 6.2, 1.4, 2.7, 1.3 });
    maker                   m = maker_begin(2);
    const mn_surface_source s = source_of(&g, &d);
    const mn_surface_view   v = make(&m, &s);
    assert_int_equal(check_closed(m.context, &v), 4);
    maker_end(&m);
    drops_end(&d);
}

// A pool between walls. The walls along x stand on nodes of the grid, that at the end of z does not: its edges are cut
// off by up to half the square of the part of a cell it stands beyond the node.
static void a_pool_fills_its_basin(void **state)
{
    (void)state;
    const mn_grid_def g = grid_of(3, 0.5);
    for (int off = 0; off < 2; off++)
        for (int jittered = 0; jittered < 2; jittered++) {
            const double size[3] = { 24 * g.cell, 0, (16 + 0.5 * off) * g.cell }, height = 9.3 * g.cell,
                         top = g.origin.y + height;
            drops d          = drops_begin(60000);
            drops_fill(&d, &g, (int32_t[]){ 24, 12, 16 + off }, jittered, below, &top);
            if (off == 1) {  // only the first layer of particles of the last cell is in front of the wall
                int64_t kept = 0;
                for (int64_t i = 0; i < d.count; i++) {
                    if (d.x[2][i] > g.origin.z + size[2]) continue;
                    for (int a = 0; a < 3; a++) d.x[a][kept] = d.x[a][i];
                    d.volume[kept++] = d.volume[i];
                }
                d.count = kept;
            }
            maker     m = maker_begin(2);
            mn_shape *shapes[5];
            mn_solid  solids[5];
            basin_begin(m.context, &g, size, shapes, solids);
            mn_surface_source s     = source_of(&g, &d);
            s.solids                = (mn_solids){ solids, 5 };
            const mn_surface_view v = make(&m, &s);
            assert_int_equal(check_closed(m.context, &v), 2);
            const mn_mesh mesh = mesh_of(&v);
            print_message("    pool: volume %+.5f of the particles'\n", mn_mesh_volume(&mesh) / volume_of(&d) - 1.0);
            assert_near(mn_mesh_volume(&mesh) / volume_of(&d), 1.0, off == 0 ? 0.003 : 0.01);
            // Flat against the walls: nothing beyond them by more than the skin, and all points near them on them.
            for (int64_t k = 0; k < v.point_count; k++)
                for (int w = 0; w < 5; w++) {
                    const double gap = mn_solids_distance((mn_solids){ &solids[w], 1 }, mn_v3_from(v.position[k]), NULL,
                                                          NULL) /
                                       g.cell;
                    assert_true(gap > -1.5e-3);
                    if (off == 0) assert_true(gap < 1e-9 || gap > 0.05);
                }
            for (int k = 0; k < 5; k++) mn_shape_release(&shapes[k]);
            maker_end(&m);
            drops_end(&d);
        }
}

// A ball of liquid around a solid ball: the inner surface is that of the solid.
static void an_obstacle_is_cut_out(void **state)
{
    (void)state;
    const mn_grid_def g       = grid_of(3, 0.5);
    drops             d       = drops_begin(60000);
    const double      ball[4] = { 6.37, 5.21, 6.93, 5.0 }, core = 2.0;
    drops_fill(&d, &g, (int32_t[]){ 26, 26, 26 }, 1.0, in_ball, ball);
    int64_t kept = 0;
    for (int64_t i = 0; i < d.count; i++) {
        const double x[3] = { d.x[0][i], d.x[1][i], d.x[2][i] };
        if (in_ball(x, (double[]){ ball[0], ball[1], ball[2], core })) continue;
        for (int a = 0; a < 3; a++) d.x[a][kept] = d.x[a][i];
        d.volume[kept++] = d.volume[i];
    }
    d.count             = kept;
    maker        m      = maker_begin(2);
    mn_shape_def sphere = mn_shape_def_default(MN_SHAPE_SPHERE);
    for (int a = 0; a < 3; a++) sphere.center[a] = ball[a];
    sphere.radius[0] = core;
    mn_shape *shape  = NULL;
    assert_int_equal(mn_shape_create(m.context, &sphere, &shape), MN_OK);
    const mn_solid    solid = { .shape = shape, .pose = mn_motion_pose(NULL, 0.0) };
    mn_surface_source s     = source_of(&g, &d);
    s.solids                = (mn_solids){ &solid, 1 };
    const mn_surface_view v = make(&m, &s);
    assert_int_equal(check_closed(m.context, &v), 4);
    const mn_mesh mesh = mesh_of(&v);
    assert_near(mn_mesh_volume(&mesh) / volume_of(&d), 1.0, 0.015);
    int64_t on_core = 0;
    for (int64_t k = 0; k < v.point_count; k++) {
        const double gap = mn_solids_distance((mn_solids){ &solid, 1 }, mn_v3_from(v.position[k]), NULL, NULL) / g.cell;
        if (gap > 2.0) continue;
        on_core++;
        assert_near(gap, 0.0, 0.05);  // a crossing of a distance that bends within an edge
    }
    assert_true(on_core > 100);
    mn_shape_release(&shape);
    maker_end(&m);
    drops_end(&d);
}

// Along a periodic axis the liquid is closed by flat ends, and does not feel them.
static void a_periodic_pool_has_flat_ends(void **state)
{
    (void)state;
    mn_grid_def g = grid_of(3, 0.5);
    g.period[0] = 2, g.period[2] = 1;
    drops        d   = drops_begin(20000);
    const double top = g.origin.y + 5.2 * g.cell;
    drops_fill(&d, &g, (int32_t[]){ 16, 8, 8 }, 0.0, below, &top);
    maker     m = maker_begin(2);
    mn_shape *shapes[5];
    mn_solid  solids[5];
    basin_begin(m.context, &g, (double[]){ 1e3, 0, 1e3 }, shapes, solids);
    mn_surface_source s     = source_of(&g, &d);
    s.solids                = (mn_solids){ &solids[4], 1 };
    const mn_surface_view v = make(&m, &s);
    assert_int_equal(check_closed(m.context, &v), 2);
    const mn_mesh mesh = mesh_of(&v);
    assert_near(mn_mesh_volume(&mesh) / volume_of(&d), 1.0, 0.01);
    for (int64_t k = 0; k < v.point_count; k++) {
        assert_true(v.position[k][0] > g.origin.x - 1e-3 && v.position[k][0] < g.origin.x + 16 * g.cell + 1e-3);
        assert_true(v.position[k][2] > g.origin.z - 1e-3 && v.position[k][2] < g.origin.z + 8 * g.cell + 1e-3);
    }
    for (int k = 0; k < 5; k++) mn_shape_release(&shapes[k]);
    maker_end(&m);
    drops_end(&d);
}

static void a_flat_world_has_lines(void **state)
{
    (void)state;
    const mn_grid_def g       = grid_of(2, 0.25);
    const double      disc[4] = { 4.1, 3.3, 0.0, 3.0 };
    drops             d       = drops_begin(20000);
    drops_fill(&d, &g, (int32_t[]){ 32, 32, 1 }, 1.0, in_ball, disc);
    for (int64_t i = 0; i < d.count; i++) d.u[1][i] = 5.5;
    maker                   m = maker_begin(2);
    const mn_surface_source s = source_of(&g, &d);
    const mn_surface_view   v = make(&m, &s);
    assert_int_equal(v.corners, 2);
    assert_int_equal(v.point_count, v.cell_count);
    int   *begins = calloc((size_t)v.point_count, sizeof *begins), *ends = calloc((size_t)v.point_count, sizeof *ends);
    double area = 0.0;
    for (int64_t k = 0; k < v.cell_count; k++) {
        const int32_t p = v.cells[2 * k], q = v.cells[2 * k + 1];
        begins[p]++, ends[q]++;
        area += 0.5 * (v.position[p][0] * v.position[q][1] - v.position[q][0] * v.position[p][1]);
    }
    for (int64_t k = 0; k < v.point_count; k++) {
        assert_true(begins[k] == 1 && ends[k] == 1);
        assert_near(v.position[k][2], 0.0, 1e-15);
        assert_near(v.velocity[k][1], 5.5, 1e-10);
    }
    assert_near(area / (MN_PI * disc[3] * disc[3]), 1.0, 0.01);
    free(begins), free(ends);
    maker_end(&m);
    drops_end(&d);
}

static void no_liquid_has_no_surface(void **state)
{
    (void)state;
    const mn_grid_def       g     = grid_of(3, 0.5);
    drops                   empty = drops_begin(1), ball = drops_begin(4000);
    maker                   m = maker_begin(2);
    const mn_surface_source s = source_of(&g, &empty);
    const mn_surface_view   v = make(&m, &s);
    assert_int_equal(v.point_count, 0);
    assert_int_equal(v.cell_count, 0);
    // And liquid after it is found again.
    drops_fill(&ball, &g, (int32_t[]){ 10, 10, 10 }, 1.0, in_ball, (double[]){ 2.5, 2.0, 2.5, 2.0 });
    const mn_surface_source again = source_of(&g, &ball);
    const mn_surface_view   found = make(&m, &again);
    assert_int_equal(check_closed(m.context, &found), 2);
    drops_end(&ball);
    drops_end(&empty);
    maker_end(&m);
}

static uint64_t frame_hash(mn_context *c, mn_world *w, const char *part)
{
    mn_output_def output = { .part[MN_OUTPUT_SURFACE] = true, .field[MN_OUTPUT_VELOCITY] = true };
    mn_frames    *f      = NULL;
    mn_frame_part p;
    assert_int_equal(mn_frames_create(c, w, &output, &f), MN_OK);
    assert_int_equal(mn_frames_count(f), 1);
    assert_string_equal(mn_frames_names(f)[0], part);
    assert_int_equal(mn_frames_part(f, 0, &p), MN_OK);
    assert_true(p.cell_count > 20);
    assert_int_equal(p.array_count, 1);
    uint64_t h = mn_hash_bytes(MN_HASH_SEED, p.cells,
                               (size_t)p.cell_count * (p.kind == MN_CELLS_LINES ? 2 : 3) * sizeof *p.cells);
    h          = mn_hash_bytes(h, p.points.component[0], (size_t)p.point_count * 3 * sizeof(double));
    h          = mn_hash_bytes(h, p.arrays[0].component[0], (size_t)p.point_count * 3 * sizeof(double));
    mn_frames_destroy(&f);
    return h;
}

// A world with a tap, a drain, a turning obstacle and a periodic axis: a frame changes nothing in it, and it looks the
// same to any number of threads.
static void a_frame_leaves_the_world_alone(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        uint64_t first = 0;
        for (int threads = 1; threads <= 4; threads++) {
            mn_context *c = test_context(threads);
            mn_world   *w = busy_world(c, dimension);
            for (int k = 0; k < 3; k++) assert_int_equal(mn_world_step(w, 1.0), MN_OK);
            const uint64_t before = mn_world_hash(w), h = frame_hash(c, w, "surface");
            assert_true(mn_world_hash(w) == before);
            assert_true(frame_hash(c, w, "surface") == h);
            if (threads == 1) first = h;
            assert_true(h == first);
            if (dimension == 3) {
                mn_surface_mesh     *mesh = NULL;
                mn_surface_view      v;
                mn_solid             solids[16];
                mn_surface_source    s = { .grid = mn_world_grid(w), .solids = { solids, mn_world_solid_count(w) } };
                const mn_liquid_view q = mn_world_liquid(w);
                s.position[0] = q.position.x, s.position[1] = q.position.y, s.position[2] = q.position.z;
                s.velocity[0] = q.velocity.x, s.velocity[1] = q.velocity.y, s.velocity[2] = q.velocity.z;
                s.volume = q.volume, s.count = q.count;
                mn_world_solids(w, mn_world_time(w), solids);
                assert_int_equal(mn_surface_mesh_create(c, &mesh), MN_OK);
                assert_int_equal(mn_surface_mesh_make(mesh, &s, &v), MN_OK);
                (void)check_closed(c, &v);
                mn_surface_mesh_destroy(&mesh);
            }
            mn_world_destroy(&w);
            test_context_end(&c);
        }
    }
}

// ---- refused memory ------------------------------------------------------------------------------------------------

static void refused_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    mn_grid_def g = grid_of(3, 0.5);
    g.period[0]   = 1;
    drops d       = drops_begin(4000);
    drops_fill(&d, &g, (int32_t[]){ 8, 10, 10 }, 1.0, in_ball, (double[]){ 2.5, 2.0, 2.5, 2.0 });
    failing_memory memory = PLENTY_OF_MEMORY;
    memory.once           = true;
    meshing s             = { failing_context(&memory), source_of(&g, &d) };
    assert_true(survives_every_failing_allocation(&memory, make_surface, &s, NULL) > 5);
    mn_context_destroy(&s.context);
    drops_end(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_signs_give_a_closed_mesh),   cmocka_unit_test(a_ball_has_its_volume_and_area),
        cmocka_unit_test(two_drops_are_two_surfaces),     cmocka_unit_test(a_pool_fills_its_basin),
        cmocka_unit_test(an_obstacle_is_cut_out),         cmocka_unit_test(a_periodic_pool_has_flat_ends),
        cmocka_unit_test(a_flat_world_has_lines),         cmocka_unit_test(no_liquid_has_no_surface),
        cmocka_unit_test(a_frame_leaves_the_world_alone), cmocka_unit_test(refused_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
