// SPDX-License-Identifier: MPL-2.0
// Obstacles on the grid: exact walls, orders of convergence, gaps, moving solids, the cache.
#include "testing.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/random.h"
#include "solid_world.h"

#include <string.h>

/// The distribution function of the kernel, (E3).
static double kernel_cdf(double z)
{
    if (z <= -1.5) return 0.0;
    if (z < -0.5) return (z + 1.5) * (z + 1.5) * (z + 1.5) / 6.0;
    return z <= 0.5 ? 0.5 + 0.75 * z - z * z * z / 3.0 : 1.0 - kernel_cdf(-z);
}

static double kernel(double t)
{
    const double a = fmax(0.0, 1.5 - fabs(t)), b = fmax(0.0, 0.5 - fabs(t));
    return 0.5 * a * a - 1.5 * b * b;
}

static double unit_clamp(double v) { return v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v; }

// ---------------------------------------------------------------------------------------------------------------

/// A wall across axis a at `wall` cells: everything is known exactly.
static void check_wall(int dimension, int axis, double wall, double sign)
{
    world        w;
    const double h = 0.1;  // not a binary number: grid planes are only nearly hit
    begin(&w, 1);
    make_tiles(&w, dimension, h, mn_v3(0.3, -0.7, 0.2), (mn_tile_coord){ 0, 0, 0 },
               (mn_tile_coord){ 2, 2, dimension == 2 ? 1 : 2 });
    const mn_vec3 n     = mn_v3(sign * (axis == 0), sign * (axis == 1), sign * (axis == 2));
    double        at[3] = { 0.3, -0.7, 0.2 };
    at[axis] += h * wall;
    add_plane(&w, mn_v3_from(at), n);
    const mn_solid_fields f        = build(&w, NULL);
    cell_walk             k        = { 0 };
    const bool            on_plane = wall == floor(wall);
    while (next_cell(&w.tiles, &k)) {
        const double below = wall - k.at[axis];  // how much of the cell lies below the wall
        const double v     = sign > 0.0 ? unit_clamp(1.0 - below) : unit_clamp(below);
        const double z     = sign * (k.at[axis] + 0.5 - wall);
        assert_near(f.volume_open[k.i], v, on_plane ? 0.0 : 1e-6);
        assert_near(f.kernel_open[k.i], kernel_cdf(z), 1e-6);
        for (int a = 0; a < (dimension == 2 ? 2 : 3); a++) {
            const double on   = sign * (k.at[axis] - wall) > 1e-9 ? 1.0 : 0.0;
            double       want = a == axis ? on : v;
            // Of the cell that the wall leaves nearly nothing of, the faces are closed.
            if (want < 0.02) want = 0.0;
            assert_near(f.open[a][k.i], want, on_plane ? 0.0 : 1e-6);
            assert_true(mn_solid_face_velocity(&f, a, k.i) == 0.0);
        }
    }
    end(&w);
}

static void walls_are_exact(void **state)
{
    (void)state;
    const double walls[] = { 0.0, 3.0, 8.0, 15.0, 5.25, 7.999, 8.37, 10.5 };
    for (size_t k = 0; k < sizeof walls / sizeof walls[0]; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int axis = 0; axis < 2; axis++) check_wall(2, axis, walls[k], sign);
            for (int axis = 0; axis < 3; axis++) check_wall(3, axis, walls[k], sign);
        }
}

/// n_c of a cell (or v_c, with a box for the kernel) by brute force: `n` points per cell and axis.
static double brute_kernel(const world *w, const int at[3], int n, bool box)
{
    const mn_grid_def *g    = &w->tiles.def;
    const bool         flat = g->dimension == 2;
    double             sum = 0.0, all = 0.0;
    for (int z = 0; z < (flat ? 1 : 3 * n); z++)
        for (int y = 0; y < 3 * n; y++)
            for (int x = 0; x < 3 * n; x++) {
                const double  tx = (x + 0.5) / n - 1.5, ty = (y + 0.5) / n - 1.5, tz = flat ? 0.0 : (z + 0.5) / n - 1.5;
                const bool    within = fabs(tx) < 0.5 && fabs(ty) < 0.5 && fabs(tz) < 0.5;
                const double  weight = box ? (double)within : kernel(tx) * kernel(ty) * (flat ? 1.0 : kernel(tz));
                const mn_vec3 p      = mn_v3(g->origin.x + g->cell * (at[0] + 0.5 + tx),
                                             g->origin.y + g->cell * (at[1] + 0.5 + ty),
                                             g->origin.z + (flat ? 0.5 * g->depth : g->cell * (at[2] + 0.5 + tz)));
                all += weight;
                sum += weight *
                       unit_clamp(0.5 +
                                  n * mn_solids_distance((mn_solids){ w->solids, w->count }, p, NULL, NULL) / g->cell);
            }
    return sum / all;
}

static void kernels_of_tilted_and_round_solids(void **state)
{
    (void)state;
    for (int kind = 0; kind < 5; kind++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            world w;
            begin(&w, 1);
            make_tiles(&w, dimension, 1.0, mn_v3(0, 0, -0.5), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 1, 1, 1 });
            const mn_vec3 middle = mn_v3(3.9, 4.17, dimension == 2 ? 0.0 : 3.3);
            const double  nz     = dimension == 2 ? 0.0 : 1.0;
            if (kind == 0) add_plane(&w, middle, mn_v3(1, 1, nz));
            if (kind == 1) add_plane(&w, middle, mn_v3(0.3, 1, 0.2 * nz));
            if (kind == 2) add_plane(&w, middle, mn_v3(-1, 0.6, -0.7 * nz));
            if (kind == 3) add_sphere(&w, mn_v3(-2.0, -3.0, 0.0), 8.0);
            if (kind == 4) add_sphere(&w, mn_v3(4.1, 4.2, dimension == 2 ? 0.0 : 3.9), 2.5);
            const mn_solid_fields f     = build(&w, NULL);
            cell_walk             k     = { 0 };
            double                worst = 0.0, worst_volume = 0.0;
            while (next_cell(&w.tiles, &k)) {
                if (f.kernel_open[k.i] <= 0.0f || f.kernel_open[k.i] >= 1.0f) continue;
                if (dimension == 3 && (k.at[0] + 2 * k.at[1] + 3 * k.at[2]) % 37 != 0) continue;
                const int points = dimension == 2 ? 64 : 20;
                worst            = fmax(worst, fabs(f.kernel_open[k.i] - brute_kernel(&w, k.at, points, false)));
                worst_volume     = fmax(worst_volume, fabs(f.volume_open[k.i] - brute_kernel(&w, k.at, points, true)));
            }
            assert_less(worst, kind == 4 ? 3e-3 : 1e-3);
            assert_less(worst_volume, kind == 4 ? 6e-3 : 3e-3);
            end(&w);
        }
}

/// Two grids that see the same cylinder, one flat: the same numbers.
static void two_and_three_dimensions_agree(void **state)
{
    (void)state;
    world flat, deep;
    begin(&flat, 1);
    begin(&deep, 1);
    make_tiles(&flat, 2, 0.25, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 1 });
    make_tiles(&deep, 3, 0.25, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 1 });
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_CYLINDER);
    d.axis[1] = 0.0, d.axis[2] = 1.0;
    d.center[0] = 1.93, d.center[1] = 2.08;
    d.height    = 100.0;
    d.radius[0] = 1.31;
    add_solid(&flat, &d);
    add_solid(&deep, &d);
    const mn_solid_fields f = build(&flat, NULL), g = build(&deep, NULL);
    for (int32_t t = 1; t < flat.tiles.count; t++)
        for (int i = 0; i < 64; i++)
            for (int z = 0; z < 8; z++) {
                const int64_t a = t * 64 + i, b = t * 512 + z * 64 + i;
                assert_near(f.kernel_open[a], g.kernel_open[b], 2e-6);
                assert_near(f.volume_open[a], g.volume_open[b], 1e-6);
                for (int axis = 0; axis < 2; axis++)
                    if (f.open[axis][a] > 0.0f && g.open[axis][b] > 0.0f)
                        assert_near(f.open[axis][a], g.open[axis][b], 1e-6);
            }
    end(&flat);
    end(&deep);
}

/// Open part of the square [y, y + h] x [z, z + h] outside a circle about the origin, line by line.
static double open_outside_circle(double y, double z, double h, double r2)
{
    enum { LINES = 200 };
    double open = 0.0;
    for (int k = 0; k < LINES; k++) {
        const double zk = z + h * (k + 0.5) / LINES, half = sqrt(fmax(0.0, r2 - zk * zk));
        const double covered = fmin(y + h, half) - fmax(y, -half);
        open += 1.0 - fmax(0.0, covered) / h;
    }
    return open / LINES;
}

static void a_sphere_converges_with_order_two(void **state)
{
    (void)state;
    const double radius = 0.33, volume = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius;
    double       volume_error[3], area_error[3];
    for (int level = 0; level < 3; level++) {
        world        w;
        const int    tiles = 2 << level;
        const double h     = 1.0 / (8 * tiles);
        begin(&w, 2);
        make_tiles(&w, 3, h, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ tiles, tiles, tiles });
        add_sphere(&w, mn_v3(0.511, 0.497, 0.503), radius);
        const mn_solid_fields f       = build(&w, NULL);
        double                covered = 0.0, area = 0.0;
        cell_walk             k = { 0 };
        while (next_cell(&w.tiles, &k)) {
            covered += (1.0 - f.volume_open[k.i]) * h * h * h;
            if (f.open[0][k.i] <= 0.0f || f.open[0][k.i] >= 1.0f) continue;  // tiny ones are closed on purpose
            const double x = k.at[0] * h - 0.511, r2 = radius * radius - x * x;
            area += fabs(f.open[0][k.i] - open_outside_circle(k.at[1] * h - 0.497, k.at[2] * h - 0.503, h, r2)) * h *
                    h * h;
        }
        volume_error[level] = fabs(covered - volume);
        area_error[level]   = area;  // of every plane of faces, averaged over the planes
        end(&w);
    }
    for (int level = 0; level < 2; level++) assert_true(log2(area_error[level] / area_error[level + 1]) > 1.8);
    for (int level = 0; level < 3; level++)
        assert_less(volume_error[level] / volume, 1e-5);  // the bulge is in the half cells
    assert_less(area_error[2] / volume, 1e-3);
}

/// liq.C15: a gap keeps its width wherever it lies in the cell; the union of the two blocks would close it.
static void a_thin_gap_stays_open(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (double left = 5.02; left < 5.69; left += 0.11) {
            world w;
            begin(&w, 1);
            make_tiles(&w, dimension, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 1 });
            add_box(&w, mn_v3(-50, 2, -50), mn_v3(left, 12, 50));
            add_box(&w, mn_v3(left + 0.3, 2, -50), mn_v3(60, 12, 50));
            const mn_solid_fields f    = build(&w, NULL);
            cell_walk             k    = { 0 };
            int                   seen = 0;
            while (next_cell(&w.tiles, &k)) {
                if (k.at[1] < 3 || k.at[1] > 10) continue;  // away from the edges of the blocks
                const double want = k.at[0] == 5 ? 0.3 : 0.0;
                assert_near(f.open[1][k.i], want, 1e-5);
                assert_near(f.volume_open[k.i], want, 1e-5);
                seen += k.at[0] == 5;
            }
            assert_true(seen > 0);
            end(&w);
        }
}

/// The same gap seen through one distance for both blocks is closed where no sample falls into it: why parts are added.
static void one_distance_for_both_blocks_closes_the_gap(void **state)
{
    (void)state;
    world w;
    begin(&w, 1);
    make_tiles(&w, 2, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 1 });
    add_box(&w, mn_v3(-50, 2, -50), mn_v3(5.1, 12, 50));
    add_box(&w, mn_v3(5.4, 2, -50), mn_v3(60, 12, 50));
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_UNION);
    mn_shape    *both;
    d.parts      = w.shapes;
    d.part_count = 2;
    assert_int_equal(mn_shape_create(w.c, &d, &both), MN_OK);
    const mn_solid  solid = { .shape = both, .pose = mn_motion_pose(NULL, 0.0) };
    mn_solid_fields f;
    assert_int_equal(mn_solid_fields_build(w.c, w.arena, &w.tiles, (mn_solids){ &solid, 1 }, NULL, &f), MN_OK);
    cell_walk k = { 0 };
    while (next_cell(&w.tiles, &k))
        if (k.at[1] > 3 && k.at[1] < 11) assert_true(f.open[1][k.i] == 0.0f);
    mn_shape_release(&both);
    end(&w);
}

/// A room cut out of a block, walls on grid planes: open to the corners, and kernels are products.
static void a_room_is_open_to_its_corners(void **state)
{
    (void)state;
    world w;
    begin(&w, 1);
    make_tiles(&w, 3, 0.1, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 2 });
    add_box(&w, mn_v3(-1, -1, -1), mn_v3(3, 3, 3));
    add_box(&w, mn_v3(0.3, 0.2, 0.4), mn_v3(1.2, 1.3, 1.1));
    mn_shape_def d = mn_shape_def_default(MN_SHAPE_DIFFERENCE);
    mn_shape    *room;
    d.parts      = w.shapes;
    d.part_count = 2;
    assert_int_equal(mn_shape_create(w.c, &d, &room), MN_OK);
    const mn_solid  solid = { .shape = room, .pose = mn_motion_pose(NULL, 0.0) };
    mn_solid_fields f;
    assert_int_equal(mn_solid_fields_build(w.c, w.arena, &w.tiles, (mn_solids){ &solid, 1 }, NULL, &f), MN_OK);
    const int low[3] = { 3, 2, 4 }, high[3] = { 12, 13, 11 };
    cell_walk k = { 0 };
    while (next_cell(&w.tiles, &k)) {
        bool   inside = true;
        double n      = 1.0;
        for (int a = 0; a < 3; a++) {
            inside &= k.at[a] >= low[a] && k.at[a] < high[a];
            n *= kernel_cdf(k.at[a] + 0.5 - low[a]) + kernel_cdf(high[a] - k.at[a] - 0.5) - 1.0;
        }
        assert_true(f.volume_open[k.i] == (inside ? 1.0f : 0.0f));
        if (inside) assert_near(f.kernel_open[k.i], n, 1e-6);
        for (int a = 0; a < 3; a++) {
            bool open = inside && k.at[a] > low[a];
            assert_true(f.open[a][k.i] == (open ? 1.0f : 0.0f));
        }
    }
    mn_shape_release(&room);
    end(&w);
}

static void moving_solids_carry_their_faces(void **state)
{
    (void)state;
    mn_motion_def m = mn_motion_def_default();
    m.velocity[0] = 2.0, m.velocity[1] = -1.0, m.velocity[2] = 0.5;
    m.spin[2]  = 3.0;
    m.pivot[0] = 0.5, m.pivot[1] = 0.5, m.pivot[2] = 0.5;
    world w;
    begin(&w, 1);
    make_tiles(&w, 3, 1.0 / 32, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 4, 4, 4 });
    mn_solid  *s = add_sphere(&w, mn_v3(0.5, 0.5, 0.5), 0.3);
    mn_motion *motion;
    assert_int_equal(mn_motion_create(w.c, &m, &motion), MN_OK);
    s->pose                    = mn_motion_pose(motion, 0.01);
    s->moving                  = true;
    const mn_solid_fields f    = build(&w, NULL);
    cell_walk             k    = { 0 };
    double                flux = 0.0, total = 0.0;
    while (next_cell(&w.tiles, &k))
        for (int a = 0; a < 3; a++) {
            const mn_vec3 x = mn_scale3(1.0 / 32, mn_v3(k.at[0] + 0.5 * (a != 0), k.at[1] + 0.5 * (a != 1),
                                                        k.at[2] + 0.5 * (a != 2)));
            const double  u = mn_get3(mn_pose_velocity(&s->pose, x), a), open = f.open[a][k.i];
            assert_near(f.velocity[a][k.i], open < 1.0 ? u : 0.0,
                        open < 1.0 && open > 0.0 ? 1e-5
                        : open == 0.0            ? 0.2
                                                 : 0.0);
            if (a == 0) flux += (1.0 - open) * f.velocity[0][k.i], total += fabs((1.0 - open) * f.velocity[0][k.i]);
        }
    // Summed over all x faces: velocity of the centre times the volume, to the accuracy of the volume.
    assert_near(flux / (32.0 * 32.0 * 32.0), 2.0 * 4.0 / 3.0 * 3.14159265358979323846 * 0.027, 2.0 * 0.002);
    assert_true(total > 0.0);
    mn_motion_destroy(w.c, &motion);
    end(&w);
}

/// No sliver is left with a few open faces, and closing is seen from both sides because a face is stored once.
static void tiny_faces_and_cells_are_closed(void **state)
{
    (void)state;
    world w;
    begin(&w, 1);
    make_tiles(&w, 3, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 2 });
    add_plane(&w, mn_v3(8.05, 0, 0), mn_v3(-1, 0, 0));  // leaves 0.05 of the cells at x = 8
    const mn_solid_fields f = build(&w, NULL);
    cell_walk             k = { 0 };
    while (next_cell(&w.tiles, &k)) {
        if (k.at[0] == 7) assert_true(f.open[0][k.i] == 1.0f && f.open[1][k.i] == 1.0f);
        // Four faces of 0.05 and one of 1: more than 0.45, the cell stays.
        if (k.at[0] == 8) assert_near(f.open[1][k.i], 0.05, 1e-6);
        if (k.at[0] == 8) assert_true(f.open[0][k.i] == 1.0f);
        if (k.at[0] == 9) assert_true(f.open[0][k.i] == 0.0f);
    }
    end(&w);
    begin(&w, 1);
    make_tiles(&w, 3, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 2 });
    add_plane(&w, mn_v3(8.25, 8.25, 8.25), mn_v3(-1, -1, -1));  // leaves a tip of 0.75 of the cell at (8, 8, 8)
    const mn_solid_fields g = build(&w, NULL);
    const int32_t         t = mn_tiles_find(&w.tiles, (mn_tile_coord){ 1, 1, 1 });
    assert_near(g.volume_open[t * 512], 0.75 * 0.75 * 0.75 / 6.0, 0.01);
    for (int a = 0; a < 3; a++) assert_near(g.open[a][t * 512], 0.5 * 0.75 * 0.75, 1e-6);
    end(&w);
    begin(&w, 1);
    make_tiles(&w, 3, 1.0, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 2 });
    mn_solid *s             = add_plane(&w, mn_v3(8.0 + 0.5 / 3, 8.0 + 0.5 / 3, 8.0 + 0.5 / 3), mn_v3(-1, -1, -1));
    s->moving               = true;
    s->pose.linear          = mn_v3(1, 2, 3);
    const mn_solid_fields q = build(&w, NULL);  // a tip of 0.5: three faces of 0.125
    for (int a = 0; a < 3; a++) {
        assert_true(q.open[a][t * 512] == 0.0f);
        assert_near(q.velocity[a][t * 512], a + 1.0, 1e-6);
    }
    end(&w);
}

/// Where nothing moves one tile of zeros is all there is.
static size_t velocity_bytes(const mn_tiles *t, const mn_solid_fields *f)
{
    return (size_t)(f->velocity_mask == -1 ? t->count : 1) * (size_t)t->cells * sizeof(float);
}

static bool same_fields(const mn_tiles *t, const mn_solid_fields *a, const mn_solid_fields *b)
{
    const size_t n    = (size_t)t->count * (size_t)t->cells * sizeof(float);
    bool         same = memcmp(a->touched, b->touched, (size_t)t->count) == 0 && a->velocity_mask == b->velocity_mask;
    for (int k = 0; k < 3 && same; k++)
        same = memcmp(a->open[k], b->open[k], n) == 0 &&
               memcmp(a->velocity[k], b->velocity[k], velocity_bytes(t, a)) == 0;
    return same && memcmp(a->kernel_open, b->kernel_open, n) == 0 && memcmp(a->volume_open, b->volume_open, n) == 0;
}

static void tank(world *w)
{
    make_tiles(w, 3, 1.0 / 16, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 4, 4, 4 });
    add_plane(w, mn_v3(0, 0.1, 0), mn_v3(0, 1, 0));
    add_plane(w, mn_v3(0.1, 0, 0), mn_v3(1, 0, 0));
    add_sphere(w, mn_v3(1.5, 0.4, 1.0), 0.3);
    mn_solid *s    = add_sphere(w, mn_v3(0.7, 1.2, 0.8), 0.25);
    s->moving      = true;
    s->pose.linear = mn_v3(1, 0, 0);
}

static void the_cache_changes_nothing(void **state)
{
    (void)state;
    world           w;
    mn_solid_cache *cache;
    begin(&w, 2);
    tank(&w);
    assert_int_equal(mn_solid_cache_create(w.c, 0, &cache), MN_OK);
    for (int step = 0; step < 6; step++) {
        w.solids[3].pose.translation = mn_v3(0.1 * step, -0.05 * step, 0.0);
        if (step == 4) w.solids[2].pose.translation = mn_v3(0.0, 0.2, 0.0);  // a solid at rest is somewhere else now
        const mn_solid_fields plain = build(&w, NULL), cached = build(&w, cache);
        assert_true(same_fields(&w.tiles, &plain, &cached));
        if (step == 0 || step == 4) assert_int_equal(mn_solid_cache_hits(cache), 0);
        else assert_true(mn_solid_cache_hits(cache) > 30);
    }
    mn_solid_cache_destroy(w.c, &cache);
    assert_null(cache);
    end(&w);
}

/// A build that sees the moving solids where the last one saw them takes over all but their velocities; a second moving
/// solid, and walls that meet one, change nothing in that.
static void moving_solids_seen_again_have_their_new_velocities(void **state)
{
    (void)state;
    world           w;
    mn_solid_cache *cache;
    begin(&w, 2);
    tank(&w);
    mn_solid *other    = add_sphere(&w, mn_v3(0.5, 0.4, 1.5), 0.3);  // through the floor, later beside the first
    other->moving      = true;
    other->pose.linear = mn_v3(0, 0, -1);
    assert_int_equal(mn_solid_cache_create(w.c, 0, &cache), MN_OK);
    assert_int_equal(mn_solid_cache_keep_moving(w.c, cache), MN_OK);
    for (int step = 0; step < 12; step++) {
        const int place              = step / 2;
        w.solids[3].pose.translation = mn_v3(0.1 * place, -0.05 * place, 0.0);
        w.solids[3].pose.linear      = mn_v3(1.0 + step, -0.3 * step, 0.0);
        w.solids[3].pose.angular     = mn_v3(0.0, 0.7 * step, 0.2);
        w.solids[4].pose.translation = mn_v3(0.0, 0.05 * place, -0.08 * place);
        const mn_solid_fields plain = build(&w, NULL), cached = build(&w, cache);
        assert_true(same_fields(&w.tiles, &plain, &cached));
    }
    mn_solid_cache_destroy(w.c, &cache);
    end(&w);
}

static void tiles_along_a_flat_wall_share_what_is_remembered(void **state)
{
    (void)state;
    world           w;
    mn_solid_cache *cache;
    begin(&w, 1);
    make_tiles(&w, 3, 0.1, mn_v3(0, 0, 0), (mn_tile_coord){ 0, -1, 0 }, (mn_tile_coord){ 10, 1, 10 });
    add_plane(&w, mn_v3(0, 0.03, 0), mn_v3(0, 1, 0));
    assert_int_equal(mn_solid_cache_create(w.c, 0, &cache), MN_OK);
    const mn_solid_fields plain = build(&w, NULL), first = build(&w, cache), again = build(&w, cache);
    assert_true(same_fields(&w.tiles, &plain, &first) && same_fields(&w.tiles, &plain, &again));
    assert_int_equal(mn_solid_cache_hits(cache), 200);
    // 200 tiles of two kinds; 5 floats for each of 512 cells would be 10 kB a tile. Room is made for 8 at first.
    assert_true(mn_solid_cache_bytes(cache) < 12 * 10240 + 200 * 100);
    mn_solid_cache_destroy(w.c, &cache);
    end(&w);
}

static void a_settled_cache_calls_the_heap_no_more_and_stays_small(void **state)
{
    (void)state;
    world           w;
    mn_arena       *scratch;
    mn_solid_cache *cache;
    begin(&w, 1);
    tank(&w);
    assert_int_equal(mn_arena_create(w.c, &scratch), MN_OK);
    assert_int_equal(mn_solid_cache_create(w.c, 0, &cache), MN_OK);
    int64_t calls = 0;
    for (int step = 0; step < 5; step++) {
        mn_solid_fields f;
        if (step == 3) calls = mn_context_memory(w.c).calls;
        assert_int_equal(mn_solid_fields_build(w.c, scratch, &w.tiles, (mn_solids){ w.solids, w.count }, cache, &f),
                         MN_OK);
        assert_int_equal(mn_arena_reset(scratch), MN_OK);
    }
    assert_int_equal(mn_context_memory(w.c).calls, calls);
    assert_true(mn_solid_cache_tiles(cache) > 40);
    mn_solid_cache_destroy(w.c, &cache);
    mn_arena_destroy(&scratch);

    // With little memory it remembers little, and the result is the same.
    const mn_solid_fields plain = build(&w, NULL);
    assert_int_equal(mn_solid_cache_create(w.c, 100000, &cache), MN_OK);
    for (int step = 0; step < 3; step++) {
        const mn_solid_fields f = build(&w, cache);
        assert_true(same_fields(&w.tiles, &plain, &f));
    }
    assert_int_equal(mn_solid_cache_tiles(cache), 0);
    mn_solid_cache_destroy(w.c, &cache);
    end(&w);
}

static void fields_have_the_same_bits_for_any_number_of_workers(void **state)
{
    (void)state;
    uint64_t first = 0;
    for (int threads = 1; threads <= 8; threads = threads * 2 - threads / 4) {
        world w;
        begin(&w, threads);
        tank(&w);
        const mn_solid_fields f = build(&w, NULL);
        const size_t          n = (size_t)w.tiles.count * 512 * sizeof(float);
        uint64_t              h = MN_HASH_SEED;
        for (int a = 0; a < 3; a++)
            h = mn_hash_bytes(mn_hash_bytes(h, f.open[a], n), f.velocity[a], velocity_bytes(&w.tiles, &f));
        h = mn_hash_bytes(mn_hash_bytes(h, f.kernel_open, n), f.volume_open, n);
        if (threads == 1) first = h;
        assert_true(h == first);
        end(&w);
    }
}

static void periodic_worlds_repeat_their_solids(void **state)
{
    (void)state;
    world w, shifted;
    begin(&w, 1);
    begin(&shifted, 1);
    make_tiles(&w, 3, 0.125, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 2 });
    make_tiles(&shifted, 3, 0.125, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 2 });
    mn_solid *s = add_sphere(&w, mn_v3(0.1, 1.0, 1.93), 0.4), *q = add_sphere(&shifted, mn_v3(1.1, 1.0, 0.93), 0.4);
    for (int a = 0; a < 3; a += 2) s->period[a] = q->period[a] = 2.0;
    const mn_solid_fields f = build(&w, NULL), g = build(&shifted, NULL);
    cell_walk             k = { 0 };
    while (next_cell(&w.tiles, &k)) {  // moved by 8 cells in x and back by 8 in z
        const int32_t t = mn_tiles_find(&w.tiles, (mn_tile_coord){ 1 - w.tiles.coord[k.tile].x, w.tiles.coord[k.tile].y,
                                                                   1 - w.tiles.coord[k.tile].z });
        assert_near(f.volume_open[k.i], g.volume_open[t * 512 + k.inside], 1e-6);
        assert_near(f.kernel_open[k.i], g.kernel_open[t * 512 + k.inside], 1e-6);
    }
    assert_near(mn_solids_distance((mn_solids){ w.solids, 1 }, mn_v3(1.9, 1.0, 0.03), NULL, NULL),
                sqrt(0.04 + 0.01) - 0.4, 1e-12);
    end(&w);
    end(&shifted);
}

/// A wall longer than the world's period meets itself again and again, and is still one wall.
static void what_is_longer_than_the_period_has_no_end(void **state)
{
    (void)state;
    world w, wall;
    begin(&w, 1);
    begin(&wall, 1);
    make_tiles(&w, 3, 0.125, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 2 });
    make_tiles(&wall, 3, 0.125, mn_v3(0, 0, 0), (mn_tile_coord){ 0, 0, 0 }, (mn_tile_coord){ 2, 2, 2 });
    mn_solid *s = add_box(&w, mn_v3(-5.0, -5.0, -3.3), mn_v3(0.66, 7.0, 3.1)),
             *q = add_plane(&wall, mn_v3(0.66, 0, 0), mn_v3(1, 0, 0));
    s->moving = q->moving = true;
    s->period[2]          = 2.0;
    s->pose.linear = q->pose.linear = mn_v3(3.0, 0.0, 0.0);
    const mn_solid_fields f = build(&w, NULL), g = build(&wall, NULL);
    cell_walk             k = { 0 };
    while (next_cell(&w.tiles, &k)) {
        assert_near(f.volume_open[k.i], g.volume_open[k.i], 1e-6);
        assert_near(f.kernel_open[k.i], g.kernel_open[k.i], 1e-6);
        for (int a = 0; a < 3; a++) {
            assert_near(f.open[a][k.i], g.open[a][k.i], 1e-6);
            assert_near(mn_solid_face_velocity(&f, a, k.i), mn_solid_face_velocity(&g, a, k.i), 1e-6);
        }
    }
    for (double z = 0.0; z <= 2.0; z += 0.125)
        assert_near(mn_solids_distance((mn_solids){ w.solids, 1 }, mn_v3(0.9, 1.0, z), NULL, NULL), 0.24, 1e-12);
    end(&w);
    end(&wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walls_are_exact),
        cmocka_unit_test(kernels_of_tilted_and_round_solids),
        cmocka_unit_test(two_and_three_dimensions_agree),
        cmocka_unit_test(a_sphere_converges_with_order_two),
        cmocka_unit_test(a_thin_gap_stays_open),
        cmocka_unit_test(one_distance_for_both_blocks_closes_the_gap),
        cmocka_unit_test(a_room_is_open_to_its_corners),
        cmocka_unit_test(moving_solids_carry_their_faces),
        cmocka_unit_test(tiny_faces_and_cells_are_closed),
        cmocka_unit_test(moving_solids_seen_again_have_their_new_velocities),
        cmocka_unit_test(the_cache_changes_nothing),
        cmocka_unit_test(tiles_along_a_flat_wall_share_what_is_remembered),
        cmocka_unit_test(a_settled_cache_calls_the_heap_no_more_and_stays_small),
        cmocka_unit_test(fields_have_the_same_bits_for_any_number_of_workers),
        cmocka_unit_test(periodic_worlds_repeat_their_solids),
        cmocka_unit_test(what_is_longer_than_the_period_has_no_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
