// SPDX-License-Identifier: MPL-2.0
// No liquid is left out of the mesh of its surface: drops, threads, sheets, films and spray, down to single particles,
// have the volume of their particles.
#include "failing_memory.h"
#include "surface_meshes.h"

#include "base/hash.h"
#include "meniscus/scene.h"
#include "world/state.h"

#include <string.h>

/// What a mesh may differ from the volume of its particles by.
#define VOLUME_TOLERANCE 0.03

static void add(drops *d, double x, double y, double z, double volume)
{
    assert_true(d->count < d->capacity);
    d->x[0][d->count] = x, d->x[1][d->count] = y, d->x[2][d->count] = z;
    d->volume[d->count++] = volume;
}

static double jitter(int64_t i, uint64_t lane) { return mn_random(11, (uint64_t)i, 0, lane) - 0.5; }

static int32_t root_of(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/// Closed, each piece turned outward; how many pieces there are.
static int pieces_of(mn_context *c, const mn_surface_view *v)
{
    (void)check_closed(c, v);
    int32_t *parent = calloc((size_t)v->point_count + 1, sizeof *parent);
    double  *volume = calloc((size_t)v->point_count + 1, sizeof *volume);
    for (int32_t i = 0; i < (int32_t)v->point_count; i++) parent[i] = i;
    for (int64_t k = 0; k < v->cell_count; k++)
        for (int a = 1; a < 3; a++) parent[root_of(parent, v->cells[3 * k + a])] = root_of(parent, v->cells[3 * k]);
    for (int64_t k = 0; k < v->cell_count; k++) {
        mn_vec3 p[3];
        for (int a = 0; a < 3; a++) p[a] = mn_v3_from(v->position[v->cells[3 * k + a]]);
        volume[root_of(parent, v->cells[3 * k])] += mn_dot3(p[0], mn_cross3(p[1], p[2])) / 6.0;
    }
    int pieces = 0;
    for (int32_t i = 0; i < (int32_t)v->point_count; i++) {
        if (parent[i] != i) continue;
        assert_true(volume[i] > 0.0);
        pieces++;
    }
    free(parent), free(volume);
    return pieces;
}

static double volume_ratio(const mn_surface_view *v, const drops *d)
{
    const mn_mesh mesh = mesh_of(v);
    return mn_mesh_volume(&mesh) / volume_of(d);
}

static uint64_t hash_of(const mn_surface_view *v)
{
    uint64_t h = mn_hash_bytes(MN_HASH_SEED, v->cells, (size_t)(v->corners * v->cell_count) * sizeof *v->cells);
    h          = mn_hash_bytes(h, v->position, (size_t)v->point_count * sizeof *v->position);
    return mn_hash_bytes(h, v->velocity, (size_t)v->point_count * sizeof *v->velocity);
}

// One particle of 1/27, 1/8 or a whole cell, anywhere between the nodes: a ball of its volume that moves as it does.
static void a_single_particle_is_a_ball_of_its_volume(void **state)
{
    (void)state;
    const mn_grid_def g    = grid_of(3, 0.5);
    const double      size = g.cell * g.cell * g.cell, share[] = { 1.0 / 27.0, 1.0 / 8.0, 1.0 };
    maker             m = maker_begin(1);
    for (int which = 0; which < 3; which++)
        for (int trial = 0; trial < 20; trial++) {
            drops d = drops_begin(1);
            add(&d, 2.0 + jitter(trial, 0), 3.0 + jitter(trial, 1), 1.0 + jitter(trial, 2), size * share[which]);
            d.u[0][0] = 5.0, d.u[1][0] = -70.0, d.u[2][0] = 0.25;
            const mn_surface_source s = source_of(&g, &d);
            const mn_surface_view   v = make(&m, &s);
            assert_int_equal(pieces_of(m.context, &v), 1);
            assert_near(volume_ratio(&v, &d), 1.0, 0.01);
            const double r = cbrt(0.75 * d.volume[0] / MN_PI);
            for (int64_t k = 0; k < v.point_count; k++) {
                const mn_vec3 off = mn_sub3(mn_v3_from(v.position[k]), mn_v3(d.x[0][0], d.x[1][0], d.x[2][0]));
                // All on one ball, as much larger than that of the volume as the corners of forty triangles are.
                assert_near(mn_norm3(off) / r, 1.1, 0.1);
                for (int a = 0; a < 3; a++) assert_near(v.velocity[k][a], d.u[a][0], 1e-10);
            }
            drops_end(&d);
        }
    maker_end(&m);
}

// Two particles from one place to three cells apart: one body, then two, with their volume all the way.
static void a_pair_parts(void **state)
{
    (void)state;
    const mn_grid_def g = grid_of(3, 0.4);
    maker             m = maker_begin(1);
    for (double apart = 0.0; apart <= 3.0; apart += 0.125) {
        drops d = drops_begin(2);
        add(&d, 1.03, 0.91, 1.17, g.cell * g.cell * g.cell / 8.0);
        add(&d, 1.03 + 0.8 * apart * g.cell, 0.91 + 0.6 * apart * g.cell, 1.17, g.cell * g.cell * g.cell / 8.0);
        const mn_surface_source s      = source_of(&g, &d);
        const mn_surface_view   v      = make(&m, &s);
        const int               pieces = pieces_of(m.context, &v);
        // Two balls of 0.5 cells are one where an edge of the fine grid, half a cell, leads from one to the other.
        if (apart < 0.75) assert_int_equal(pieces, 1);
        if (apart > 1.75) assert_int_equal(pieces, 2);
        assert_near(volume_ratio(&v, &d), 1.0, VOLUME_TOLERANCE);
        drops_end(&d);
    }
    maker_end(&m);
}

// A thread of one particle in width, aslant: one piece, round, of its volume, and so of its radius.
static void a_thread_is_in_one_piece(void **state)
{
    (void)state;
    const mn_grid_def g   = grid_of(3, 0.5);
    const double      gap = 0.5 * g.cell, volume = g.cell * g.cell * g.cell / 8.0;
    const mn_vec3     way = { 0.36, 0.48, 0.8 };
    drops             d   = drops_begin(60);
    for (int i = 0; i < 60; i++)
        add(&d, 1.0 + way.x * gap * i + 0.05 * jitter(i, 0), 1.0 + way.y * gap * i + 0.05 * jitter(i, 1),
            1.0 + way.z * gap * i + 0.05 * jitter(i, 2), volume);
    maker                   m = maker_begin(2);
    const mn_surface_source s = source_of(&g, &d);
    const mn_surface_view   v = make(&m, &s);
    assert_int_equal(pieces_of(m.context, &v), 1);
    const double radius = sqrt(volume / gap / MN_PI);
    double       mean = 0.0, square = 0.0;
    int64_t      count = 0;
    for (int64_t k = 0; k < v.point_count; k++) {
        const mn_vec3 x     = mn_sub3(mn_v3_from(v.position[k]), mn_v3(1, 1, 1));
        const double  along = mn_dot3(x, way), r = mn_norm3(mn_sub3(x, mn_scale3(along, way))) / radius;
        if (along < 2.0 * g.cell || along > 59 * gap - 2.0 * g.cell) continue;
        mean += r, square += r * r, count++;
    }
    mean /= (double)count;
    square = sqrt(square / (double)count - mean * mean);
    print_message("    thread: volume %+.4f, radius %+.3f, sd %.3f\n", volume_ratio(&v, &d) - 1.0, mean - 1.0, square);
    assert_near(volume_ratio(&v, &d), 1.0, VOLUME_TOLERANCE);
    // Points are corners: those of a hexagon lie a tenth farther out than the circle of its area.
    assert_near(mean, 1.1, 0.1);
    assert_less(square, 0.15);
    maker_end(&m);
    drops_end(&d);
}

/// A disc of liquid as thin as that, in cells, across +y at `middle`.
static void fill_sheet(drops *d, const mn_grid_def *g, double radius, double thickness, double middle)
{
    const double volume = g->cell * g->cell * g->cell / 8.0, gap = sqrt(volume / (thickness * g->cell));
    const int    side = (int)(radius / gap) + 1;
    for (int k = -side; k <= side; k++)
        for (int i = -side; i <= side; i++) {
            const int64_t id = (int64_t)(k + side) * 1000 + i + side;
            const double  x = gap * (i + 0.4 * jitter(id, 0)), z = gap * (k + 0.4 * jitter(id, 1));
            if (hypot(x, z) < radius)
                add(d, 8.0 + x, middle + 0.5 * thickness * g->cell * jitter(id, 2), 8.0 + z, volume);
        }
}

// Sheets of 0.2 to 1.2 cells, which the density does not show or shows too thin: in one piece, and as thick as they
// are.
static void a_thin_sheet_is_as_thick_as_it_is(void **state)
{
    (void)state;
    const mn_grid_def g = grid_of(3, 0.5);
    maker             m = maker_begin(2);
    for (double thickness = 0.2; thickness < 1.3; thickness += 0.25) {
        drops        d      = drops_begin(4000);
        const double radius = 10.0 * g.cell, middle = 2.13;
        fill_sheet(&d, &g, radius, thickness, middle);
        const mn_surface_source s = source_of(&g, &d);
        const mn_surface_view   v = make(&m, &s);
        assert_int_equal(pieces_of(m.context, &v), 1);
        double  mean = 0.0, square = 0.0;
        int64_t count = 0;
        for (int64_t k = 0; k < v.point_count; k++) {
            if (hypot(v.position[k][0] - 8.0, v.position[k][2] - 8.0) > radius - 2.0 * g.cell) continue;
            const double off = fabs(v.position[k][1] - middle) / (0.5 * thickness * g.cell);
            mean += off, square += off * off, count++;
        }
        mean /= (double)count;
        square = sqrt(square / (double)count - mean * mean);
        print_message("    sheet of %.2f cells: volume %+.4f, half thickness %+.3f, sd %.3f\n", thickness,
                      volume_ratio(&v, &d) - 1.0, mean - 1.0, square);
        assert_near(volume_ratio(&v, &d), 1.0, VOLUME_TOLERANCE);
        assert_near(mean, 1.0, 0.15);
        drops_end(&d);
    }
    maker_end(&m);
}

// Particles strewn over a box, some alone, some in clumps.
static void spray_has_its_volume_and_the_same_bits(void **state)
{
    (void)state;
    const mn_grid_def g    = grid_of(3, 0.5);
    uint64_t          hash = 0;
    for (int threads = 1; threads <= 4; threads++) {
        drops d = drops_begin(3000);
        for (int i = 0; i < 2000; i++)
            add(&d, 10.0 * mn_random(3, (uint64_t)i, 0, 0), 10.0 * mn_random(3, (uint64_t)i, 0, 1),
                10.0 * mn_random(3, (uint64_t)i, 0, 2),
                g.cell * g.cell * g.cell / 8.0 * (0.2 + 0.8 * mn_random(3, (uint64_t)i, 0, 3)));
        for (int64_t i = 0; i < d.count; i++) d.u[1][i] = (double)i;
        maker                   m      = maker_begin(threads);
        const mn_surface_source s      = source_of(&g, &d);
        const mn_surface_view   v      = make(&m, &s);
        const int               pieces = pieces_of(m.context, &v);
        if (threads == 1)
            print_message("    spray: volume %+.4f, %d pieces, %lld triangles\n", volume_ratio(&v, &d) - 1.0, pieces,
                          (long long)v.cell_count);
        assert_true(pieces > 300);
        assert_near(volume_ratio(&v, &d), 1.0, VOLUME_TOLERANCE);
        if (threads == 1) hash = hash_of(&v);
        assert_true(hash_of(&v) == hash);
        maker_end(&m);
        drops_end(&d);
    }
}

// A puddle of one layer of particles on a plate, its height 0.3 cells: flat below, nothing in the plate.
static void a_film_lies_on_its_plate(void **state)
{
    (void)state;
    const mn_grid_def g = grid_of(3, 0.5);
    for (int off = 0; off < 3; off++) {
        drops        d     = drops_begin(4000);
        maker        m     = maker_begin(2);
        mn_shape_def plane = mn_shape_def_default(MN_SHAPE_PLANE);
        for (int b = 0; b < 3; b++) plane.center[b] = plane.axis[b] = 0.0;
        plane.center[1] = g.origin.y + (4.0 + 0.3 * off) * g.cell, plane.axis[1] = 1.0;
        mn_shape *shape = NULL;
        assert_int_equal(mn_shape_create(m.context, &plane, &shape), MN_OK);
        const mn_solid solid = { .shape = shape, .pose = mn_motion_pose(NULL, 0.0) };
        fill_sheet(&d, &g, 6.0 * g.cell, 0.3, plane.center[1] + 0.15 * g.cell);
        mn_surface_source s     = source_of(&g, &d);
        s.solids                = (mn_solids){ &solid, 1 };
        const mn_surface_view v = make(&m, &s);
        assert_int_equal(pieces_of(m.context, &v), 1);
        double highest = 0.0;
        for (int64_t k = 0; k < v.point_count; k++) {
            const double above = (v.position[k][1] - plane.center[1]) / g.cell;
            assert_true(above > -1.5e-3);
            highest = fmax(highest, above);
        }
        print_message("    film: volume %+.4f, highest point %.2f cells\n", volume_ratio(&v, &d) - 1.0, highest);
        assert_near(volume_ratio(&v, &d), 1.0, VOLUME_TOLERANCE);
        assert_less(highest, 0.75);
        mn_shape_release(&shape);
        maker_end(&m);
        drops_end(&d);
    }
}

// A puddle of spray, between whose particles no pressure acts: 40 of them where five have room, on a floor.
static void a_crowd_on_a_floor_has_its_room(void **state)
{
    (void)state;
    const mn_grid_def g     = grid_of(3, 0.5);
    drops             d     = drops_begin(40);
    maker             m     = maker_begin(1);
    mn_shape_def      plane = mn_shape_def_default(MN_SHAPE_PLANE);
    for (int b = 0; b < 3; b++) plane.center[b] = plane.axis[b] = 0.0;
    plane.center[1] = g.origin.y + 4.0 * g.cell, plane.axis[1] = 1.0;
    mn_shape *shape = NULL;
    assert_int_equal(mn_shape_create(m.context, &plane, &shape), MN_OK);
    const mn_solid solid = { .shape = shape, .pose = mn_motion_pose(NULL, 0.0) };
    for (int i = 0; i < 40; i++)
        add(&d, 3.0 + 0.4 * jitter(i, 0), plane.center[1] + 0.02, 2.0 + 0.4 * jitter(i, 1),
            g.cell * g.cell * g.cell / 8.0);
    mn_surface_source s     = source_of(&g, &d);
    s.solids                = (mn_solids){ &solid, 1 };
    const mn_surface_view v = make(&m, &s);
    assert_int_equal(pieces_of(m.context, &v), 1);
    assert_near(volume_ratio(&v, &d), 1.0, VOLUME_TOLERANCE);
    for (int64_t k = 0; k < v.point_count; k++) assert_true(v.position[k][1] - plane.center[1] > -1.5e-3 * g.cell);
    mn_shape_release(&shape);
    maker_end(&m);
    drops_end(&d);
}

// Spray over a pool: the pool stays flat where the spray is not.
static void spray_over_a_pool_leaves_it_flat(void **state)
{
    (void)state;
    const mn_grid_def g       = grid_of(3, 0.5);
    drops             d       = drops_begin(40000);
    const double      size[3] = { 16 * g.cell, 0, 16 * g.cell }, top = g.origin.y + 6.3 * g.cell;
    drops_fill(&d, &g, (int32_t[]){ 16, 8, 16 }, 0.0, below, &top);
    for (int i = 0; i < 60; i++)
        add(&d, g.origin.x + 0.5 * size[0] * mn_random(5, (uint64_t)i, 0, 0),
            top + 0.3 + 2.0 * mn_random(5, (uint64_t)i, 0, 1), g.origin.z + size[2] * mn_random(5, (uint64_t)i, 0, 2),
            g.cell * g.cell * g.cell / 8.0);
    maker     m = maker_begin(2);
    mn_shape *shapes[5];
    mn_solid  solids[5];
    basin_begin(m.context, &g, size, shapes, solids);
    mn_surface_source s     = source_of(&g, &d);
    s.solids                = (mn_solids){ solids, 5 };
    const mn_surface_view v = make(&m, &s);
    assert_true(pieces_of(m.context, &v) > 20);
    assert_near(volume_ratio(&v, &d), 1.0, 0.01);
    const double level = g.origin.y + 6.5 * g.cell;  // of whole layers of particles
    for (int64_t k = 0; k < v.point_count; k++) {
        const double *x = v.position[k];
        if (x[0] < g.origin.x + 0.5 * size[0] + 2.0 * g.cell || x[1] < level - 2.0 * g.cell) continue;
        if (fabs(x[0] - g.origin.x - size[0]) < 2.0 * g.cell ||
            fabs(x[2] - g.origin.z - 0.5 * size[2]) > 0.5 * size[2] - g.cell)
            continue;
        assert_near((x[1] - level) / g.cell, 0.0, 0.05);
    }
    for (int k = 0; k < 5; k++) mn_shape_release(&shapes[k]);
    maker_end(&m);
    drops_end(&d);
}

static void drops_of_a_flat_world_have_their_area(void **state)
{
    (void)state;
    const mn_grid_def g = grid_of(2, 0.25);
    drops             d = drops_begin(200);
    for (int i = 0; i < 200; i++)
        add(&d, 8.0 * mn_random(9, (uint64_t)i, 0, 0), 8.0 * mn_random(9, (uint64_t)i, 0, 1), 0.0,
            g.cell * g.cell * g.depth / 4.0);
    maker                   m    = maker_begin(2);
    const mn_surface_source s    = source_of(&g, &d);
    const mn_surface_view   v    = make(&m, &s);
    double                  area = 0.0;
    assert_int_equal(v.point_count, v.cell_count);
    for (int64_t k = 0; k < v.cell_count; k++) {
        const double *p = v.position[v.cells[2 * k]], *q = v.position[v.cells[2 * k + 1]];
        area += 0.5 * (p[0] * q[1] - q[0] * p[1]);
    }
    assert_near(area * g.depth / volume_of(&d), 1.0, VOLUME_TOLERANCE);
    maker_end(&m);
    drops_end(&d);
}

// ---- a world -------------------------------------------------------------------------------------------------------

// The demo in small: what falls on the cloth is in the mesh in every frame, whatever becomes of it.
static const char
    splash[] = "format: 1\n"
               "domain: {cell: 0.5, boundary: {x: open, y: open, z: open}}\n"
               "time: {end: 0.3, frame_rate: 60, dt_max: 2e-3}\n"
               "obstacles:\n"
               "  ball: {shape: {sphere: {radius: 1}}, at: [0, -2.5, 0]}\n"
               "liquids:\n"
               "  drop: {material: water, fill: {inside: {sphere: {center: [0.2, 2, 0.1], radius: 1.2}}}, "
               "velocity: [0, -150, 0]}\n"
               "fabrics:\n"
               "  cloth:\n"
               "    material: cotton\n"
               "    sheet: {size: [6, 6], spacing: 0.3, mesh: structured}\n";

static void a_splash_on_cloth_is_seen_whole(void **state)
{
    (void)state;
    mn_context           *c      = test_context(1);
    const mn_scene_source source = { .text = splash, .bytes = sizeof splash - 1, .name = "splash" };
    mn_scene             *scene  = NULL;
    mn_world             *w      = NULL;
    if (mn_scene_load(c, &source, &scene) != MN_OK || mn_scene_build(scene, &w) != MN_OK)
        fail_msg("%s", mn_context_error(c));
    mn_surface_mesh *mesh = NULL;
    mn_solid         solids[8];
    double           worst = 0.0;
    assert_int_equal(mn_surface_mesh_create(c, &mesh), MN_OK);
    for (int frame = 0; frame <= 12; frame++) {
        while (mn_world_time(w) < frame / 60.0 - 1e-9)
            if (mn_world_step(w, frame / 60.0) != MN_OK) fail_msg("%s", mn_context_error(c));
        const mn_liquid_view q = mn_world_liquid(w);
        assert_true(mn_world_solid_count(w) <= 8);
        mn_world_solids(w, mn_world_time(w), solids);
        const mn_surface_source s = { .grid     = mn_world_grid(w),
                                      .volume   = q.volume,
                                      .count    = q.count,
                                      .solids   = { solids, mn_world_solid_count(w) },
                                      .position = { q.position.x, q.position.y, q.position.z },
                                      .velocity = { q.velocity.x, q.velocity.y, q.velocity.z } };
        mn_surface_view         v;
        double                  volume = 0.0;
        assert_int_equal(mn_surface_mesh_make(mesh, &s, &v), MN_OK);
        (void)check_closed(c, &v);
        for (int64_t i = 0; i < q.count; i++) volume += q.volume[i];
        const mn_mesh whole = mesh_of(&v);
        assert_true(q.count > 100);
        worst = fmax(worst, fabs(mn_mesh_volume(&whole) / volume - 1.0));
    }
    print_message("    splash: volume within %.4f in every frame\n", worst);
    assert_less(worst, VOLUME_TOLERANCE);
    mn_surface_mesh_destroy(&mesh);
    mn_world_destroy(&w);
    mn_scene_destroy(&scene);
    test_context_end(&c);
}

// ---- refused memory ------------------------------------------------------------------------------------------------

static void refused_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    const mn_grid_def g = grid_of(3, 0.5);
    drops             d = drops_begin(100);
    for (int i = 0; i < 100; i++) add(&d, 0.1 * i, 0.5 + jitter(i, 0), 0.5 + jitter(i, 1), 0.01);
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
        cmocka_unit_test(a_single_particle_is_a_ball_of_its_volume),
        cmocka_unit_test(a_pair_parts),
        cmocka_unit_test(a_thread_is_in_one_piece),
        cmocka_unit_test(a_thin_sheet_is_as_thick_as_it_is),
        cmocka_unit_test(spray_has_its_volume_and_the_same_bits),
        cmocka_unit_test(a_film_lies_on_its_plate),
        cmocka_unit_test(a_crowd_on_a_floor_has_its_room),
        cmocka_unit_test(spray_over_a_pool_leaves_it_flat),
        cmocka_unit_test(drops_of_a_flat_world_have_their_area),
        cmocka_unit_test(a_splash_on_cloth_is_seen_whole),
        cmocka_unit_test(refused_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
