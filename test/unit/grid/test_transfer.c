// SPDX-License-Identifier: MPL-2.0
// Transfers between particles and faces: against a plain version, and the properties liq.C1, liq.C3, liq.C13.
#include "clouds.h"
#include "failing_memory.h"

#include "base/hash.h"

#include <math.h>

// A plain version: one particle, one node at a time, the kernel as the note writes it (liquid 5.1).

static double spline(double t)
{
    const double a = fmax(0.0, 1.5 - fabs(t)), b = fmax(0.0, 0.5 - fabs(t));
    return 0.5 * a * a - 1.5 * b * b;
}

typedef struct node {
    int64_t place;  // in a field, or -1
    double  w, r[3];
} node;

/// All nodes of faces `axis` (or centres, -1) near particle p.
static int nodes_of(const cloud *s, int axis, int64_t p, node out[64])
{
    const int dimension = s->def.dimension;
    int32_t   base[3]   = { 0, 0, 0 };
    for (int a = 0; a < dimension; a++)
        base[a] = (int32_t)floor((s->q.position[a][p] - mn_get3(s->def.origin, a)) / s->def.cell);
    int       count = 0;
    const int depth = dimension == 3 ? 1 : 0;
    for (int k = -depth; k <= 2 * depth; k++)
        for (int j = -1; j <= 2; j++)
            for (int i = -1; i <= 2; i++) {
                const int32_t at[3] = { base[0] + i, base[1] + j, base[2] + k };
                node          n     = { .w = 1.0 };
                for (int a = 0; a < dimension; a++) {
                    const double x = mn_get3(s->def.origin, a) +
                                     s->def.cell * ((double)at[a] + (a == axis ? 0.0 : 0.5));
                    n.r[a] = x - s->q.position[a][p];
                    n.w *= spline(n.r[a] / s->def.cell);
                }
                n.place = cloud_place(s, at[0], at[1], at[2]);
                if (n.w > 0.0) out[count++] = n;
            }
    return count;
}

static void plain_to_faces(const cloud *s, int axis, double *weight, double *momentum)
{
    for (int64_t p = 0; p < s->q.count; p++) {
        node      n[64];
        const int count = nodes_of(s, axis, p, n);
        for (int k = 0; k < count; k++) {
            double u = s->q.velocity[axis][p];
            for (int a = 0; a < 3; a++) u += s->q.affine[3 * axis + a][p] * n[k].r[a];
            assert_true(n[k].place >= 0);
            weight[n[k].place] += n[k].w * s->q.volume[p];
            momentum[n[k].place] += n[k].w * s->q.volume[p] * u;
        }
    }
}

static double largest_difference(const double *a, const double *b, int64_t n)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const double d = fabs(a[i] - b[i]);
        if (!(d <= largest)) largest = d;  // also takes a NaN
    }
    return largest;
}

typedef struct faces {
    double *weight[3], *momentum[3];
} faces;

static faces to_faces(cloud *s)
{
    faces f;
    for (int a = 0; a < 3; a++) {
        f.weight[a]   = cloud_field(s);
        f.momentum[a] = cloud_field(s);
    }
    assert_int_equal(mn_particles_to_faces(s->context, s->arena, &s->tiles, &s->bins, &s->q, f.weight, f.momentum),
                     MN_OK);
    return f;
}

static int64_t field_size(const cloud *s) { return (int64_t)s->tiles.count * s->tiles.cells; }

static void check_against_plain(cloud *s)
{
    const int64_t n = field_size(s);
    const faces   f = to_faces(s);
    for (int a = 0; a < 3; a++) {
        double *weight = calloc((size_t)n, sizeof(double)), *momentum = calloc((size_t)n, sizeof(double));
        if (a < s->def.dimension) plain_to_faces(s, a, weight, momentum);
        assert_less(largest_difference(weight, f.weight[a], n), 1e-12);  // sums of tens of terms of size 1
        assert_less(largest_difference(momentum, f.momentum[a], n), 1e-11);
        free(weight);
        free(momentum);
    }
    double *density = cloud_field(s), *expected = calloc((size_t)n, sizeof(double));
    assert_int_equal(mn_particles_to_cells(s->context, s->arena, &s->tiles, &s->bins, cloud_position(s), s->q.volume,
                                           density),
                     MN_OK);
    for (int64_t p = 0; p < s->q.count; p++) {
        node      near[64];
        const int count = nodes_of(s, -1, p, near);
        for (int k = 0; k < count; k++) expected[near[k].place] += near[k].w * s->q.volume[p] / mn_cell_volume(&s->def);
    }
    double scale = 1.0;
    for (int64_t i = 0; i < n; i++) scale = fmax(scale, expected[i]);
    assert_less(largest_difference(density, expected, n), 1e-13 * scale);
    free(expected);
}

/// Random face velocities; the particles' answer against the plain sums.
static void check_from_faces(cloud *s, uint64_t seed)
{
    const int64_t n = field_size(s);
    double       *u[3];
    for (int a = 0; a < 3; a++) {
        u[a] = cloud_field(s);
        for (int64_t i = 0; i < n; i++)
            u[a][i] = i < s->tiles.cells ? 0.0 : between(seed, (uint64_t)i, (uint64_t)a, -1.0, 1.0);
    }
    for (int a = 0; a < 3; a++)
        for (int64_t p = 0; p < s->q.count; p++) {
            s->q.velocity[a][p] = 77.0;
            for (int b = 0; b < 3; b++) s->q.affine[3 * a + b][p] = 88.0;
        }
    mn_faces_to_particles(s->context, &s->tiles, &s->bins, (const double *const *)u, &s->q);
    for (int a = 0; a < 3; a++)
        for (int64_t p = 0; p < s->q.count; p++) {
            double    value = 0.0, row[3] = { 0, 0, 0 };
            node      near[64];
            const int count = a < s->def.dimension ? nodes_of(s, a, p, near) : 0;
            for (int k = 0; k < count; k++) {
                const double wu = near[k].place >= 0 ? near[k].w * u[a][near[k].place] : 0.0;
                value += wu;
                for (int b = 0; b < 3; b++) row[b] += wu * near[k].r[b] * 4.0 / (s->def.cell * s->def.cell);
            }
            const bool outside = a >= s->def.dimension;
            assert_near(s->q.velocity[a][p], outside ? 77.0 : value, 1e-14 * 8);
            for (int b = 0; b < 3; b++)
                assert_near(s->q.affine[3 * a + b][p], outside || b >= s->def.dimension ? 88.0 : row[b],
                            1e-12 / s->def.cell);
        }
}

typedef struct cloud_case {
    const char *name;
    int         dimension;
    int32_t     period[3];
    int64_t     count;
    double      low[3], high[3];
} cloud_case;

static const cloud_case cases[] = {
    { "block", 3, { 0, 0, 0 }, 4000, { 2, 3, -4 }, { 12, 13, 5 } },
    { "sparse", 3, { 0, 0, 0 }, 300, { -40, -35, -50 }, { 45, 30, 41 } },
    { "crowded cell", 3, { 0, 0, 0 }, 203, { 7, 7, 7 }, { 8, 8, 8 } },
    { "one", 3, { 0, 0, 0 }, 1, { 7.2, -0.4, 8.1 }, { 7.3, -0.3, 8.2 } },
    { "period 1", 3, { 1, 1, 1 }, 2000, { 0, 0, 0 }, { 8, 8, 8 } },
    { "period 2, free, 3", 3, { 2, 0, 3 }, 6000, { 0, -3, 0 }, { 16, 6, 24 } },
    { "flat", 2, { 0, 0, 0 }, 2000, { -9, 2, 0 }, { 11, 20, 0 } },
    { "flat, period 1 and 3", 2, { 1, 3, 0 }, 1500, { 0, 0, 0 }, { 8, 24, 0 } },
    { "flat, period 5", 2, { 5, 0, 0 }, 800, { 0, -7, 0 }, { 40, 3, 0 } },
};
enum { CASES = sizeof cases / sizeof cases[0] };

static cloud make_case(const cloud_case *k, int threads, uint64_t seed)
{
    mn_grid_def def = k->dimension == 3 ? grid_3d(0.37) : grid_2d(0.37);
    memcpy(def.period, k->period, sizeof def.period);
    return random_cloud(threads, def, seed, k->count, k->low, k->high);
}

static void the_fast_kernels_agree_with_the_plain_sums(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        cloud s = make_case(&cases[k], 2, 11 + (uint64_t)k);
        cloud_sort(&s, 2);
        check_against_plain(&s);
        check_from_faces(&s, 5);
        cloud_end(&s);
    }
}

static void no_particles_give_empty_fields(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++) {
        cloud s = cloud_begin(2, dimension == 3 ? grid_3d(1.0) : grid_2d(1.0), 0);
        cloud_sort(&s, 2);
        assert_int_equal(s.tiles.count, 1);
        const faces f = to_faces(&s);
        for (int a = 0; a < 3; a++)
            for (int i = 0; i < s.tiles.cells; i++) assert_true(f.weight[a][i] == 0.0 && f.momentum[a][i] == 0.0);
        mn_faces_to_particles(s.context, &s.tiles, &s.bins, (const double *const *)f.weight, &s.q);
        cloud_end(&s);
    }
}

// liq.C1: weights of a particle add up to 1 (here: one particle of volume 1 gives 1 to every axis).
static void weights_add_up_to_one(void **state)
{
    (void)state;
    const double low[3] = { -5, -5, -5 }, high[3] = { 5, 5, 5 };
    for (uint64_t seed = 0; seed < 120; seed++) {
        cloud s       = random_cloud(1, seed % 2 == 0 ? grid_3d(0.2) : grid_2d(0.2), seed, 1, low, high);
        s.q.volume[0] = 1.0;
        cloud_sort(&s, 2);
        const faces f       = to_faces(&s);
        double     *density = cloud_field(&s);
        assert_int_equal(mn_particles_to_cells(s.context, s.arena, &s.tiles, &s.bins, cloud_position(&s), s.q.volume,
                                               density),
                         MN_OK);
        for (int a = 0; a <= s.def.dimension; a++) {
            const double *w   = a < s.def.dimension ? f.weight[a] : density;
            double        sum = 0.0;
            for (int64_t i = 0; i < field_size(&s); i++) {
                assert_true(w[i] >= 0.0);
                sum += w[i];
            }
            // 1e-15 for the weights themselves; adding 27 of them may round a few times more.
            assert_near(a < s.def.dimension ? sum : sum * mn_cell_volume(&s.def), 1.0, 2e-15);
        }
        cloud_end(&s);
    }
}

static double linear_field(int axis, const double x[3])
{
    static const double slope[3][3] = { { 0.3, -1.1, 0.7 }, { 2.0, 0.4, -0.9 }, { -0.6, 1.3, 0.8 } };
    return 1.7 - axis + slope[axis][0] * x[0] + slope[axis][1] * x[1] + slope[axis][2] * x[2];
}

static double linear_slope(int axis, int b)
{
    const double zero[3] = { 0, 0, 0 };
    double       one[3]  = { 0, 0, 0 };
    one[b]               = 1.0;
    return linear_field(axis, one) - linear_field(axis, zero);
}

// liq.C3: a linear field through (E1) and back. The cloud is sparse and one-sided everywhere: that must not matter.
static void a_linear_field_comes_back_exactly(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        if (cases[k].period[0] != 0 || cases[k].period[1] != 0) continue;  // a linear field has no period
        cloud     s = make_case(&cases[k], 2, 3);
        const int d = s.def.dimension;
        for (int64_t p = 0; p < s.q.count; p++) {
            const double x[3] = { s.q.position[0][p], s.q.position[1][p], s.q.position[2][p] };
            for (int a = 0; a < d; a++) {
                s.q.velocity[a][p] = linear_field(a, x);
                for (int b = 0; b < d; b++) s.q.affine[3 * a + b][p] = linear_slope(a, b);
            }
        }
        cloud_sort(&s, 2);
        const faces f     = to_faces(&s);
        double      scale = 0.0;
        for (int a = 0; a < d; a++)
            for (int64_t i = 0; i < field_size(&s); i++) {
                if (f.weight[a][i] == 0.0) continue;
                double x[3];
                node_position(&s.tiles, a, (int32_t)(i / s.tiles.cells), (int32_t)(i % s.tiles.cells), x);
                const double expected = linear_field(a, x);
                scale                 = fmax(scale, fabs(expected));
                // Relative to the momentum actually summed: a face at the edge of a kernel has weight 1e-20.
                assert_near(f.momentum[a][i], f.weight[a][i] * expected,
                            1e-12 * f.weight[a][i] * fmax(1.0, fabs(expected)) + 1e-300);
                f.momentum[a][i] /= f.weight[a][i];
            }
        for (int a = 0; a < d; a++)
            for (int64_t i = 0; i < field_size(&s); i++)
                if (f.weight[a][i] == 0.0) f.momentum[a][i] = 1e3;  // no particle may read it
        for (int a = 0; a < d; a++) memset(f.momentum[a], 0, (size_t)s.tiles.cells * sizeof(double));
        mn_faces_to_particles(s.context, &s.tiles, &s.bins, (const double *const *)f.momentum, &s.q);
        for (int64_t p = 0; p < s.q.count; p++) {
            const double x[3] = { s.q.position[0][p], s.q.position[1][p], s.q.position[2][p] };
            for (int a = 0; a < d; a++) {
                assert_near(s.q.velocity[a][p], linear_field(a, x), 1e-12 * scale);
                for (int b = 0; b < d; b++)
                    assert_near(s.q.affine[3 * a + b][p], linear_slope(a, b), 1e-12 * scale / s.def.cell);
            }
        }
        cloud_end(&s);
    }
}

/// Momentum and angular momentum (about 0, z part first) of the particles, with the part their affine matrices carry.
static void particle_momentum(const cloud *s, double p[3], double l[3])
{
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    const double spread = s->def.cell * s->def.cell / 4.0;  // variance of the kernel, the inverse of APIC's factor
    for (int64_t i = 0; i < s->q.count; i++)
        for (int a = 0; a < 3; a++) {
            const int    b = (a + 1) % 3, c = (a + 2) % 3;
            const double v = s->q.volume[i];
            p[a] += v * s->q.velocity[a][i];
            l[a] += v * (s->q.position[b][i] * s->q.velocity[c][i] - s->q.position[c][i] * s->q.velocity[b][i]);
            l[a] += v * spread * (s->q.affine[3 * c + b][i] - s->q.affine[3 * b + c][i]);
        }
}

static void grid_momentum(const cloud *s, double *const momentum[3], double p[3], double l[3])
{
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (int a = 0; a < s->def.dimension; a++)
        for (int64_t i = s->tiles.cells; i < field_size(s); i++) {
            double x[3];
            node_position(&s->tiles, a, (int32_t)(i / s->tiles.cells), (int32_t)(i % s->tiles.cells), x);
            p[a] += momentum[a][i];
            l[(a + 2) % 3] += x[(a + 1) % 3] * -momentum[a][i];  // (x cross p): component a enters two rows
            l[(a + 1) % 3] += x[(a + 2) % 3] * momentum[a][i];
        }
}

// liq.C3: to the grid keeps both exactly; from the grid keeps the momentum and angular momentum of what lies on faces.
static void momentum_and_angular_momentum_are_kept(void **state)
{
    (void)state;
    for (int k = 0; k < CASES; k++) {
        cloud s = make_case(&cases[k], 2, 23);
        cloud_sort(&s, 2);
        const bool periodic = s.def.period[0] + s.def.period[1] + s.def.period[2] != 0;
        double     p0[3], l0[3], p1[3], l1[3], p2[3], l2[3], scale = 0.0;
        particle_momentum(&s, p0, l0);
        const faces f = to_faces(&s);
        grid_momentum(&s, f.momentum, p1, l1);
        for (int64_t i = 0; i < s.q.count; i++) scale += s.q.volume[i] * 2.0;
        const double arm = 50.0 * s.def.cell;
        for (int a = 0; a < 3; a++) {
            assert_near(p1[a], p0[a], 1e-12 * scale);
            if (!periodic) assert_near(l1[a], l0[a], 1e-12 * scale * arm);  // rotation has no meaning in a period
        }
        for (int a = 0; a < s.def.dimension; a++)
            for (int64_t i = 0; i < field_size(&s); i++)
                if (f.weight[a][i] != 0.0) f.momentum[a][i] /= f.weight[a][i];
        mn_faces_to_particles(s.context, &s.tiles, &s.bins, (const double *const *)f.momentum, &s.q);
        particle_momentum(&s, p2, l2);
        for (int a = 0; a < 3; a++) {
            assert_near(p2[a], p0[a], 1e-12 * scale);
            if (!periodic) assert_near(l2[a], l0[a], 1e-12 * scale * arm);
        }
        cloud_end(&s);
    }
}

/// Velocities made part by part, without keeping the weights, have the bits of momentum over weight of the whole: in a
/// long cloud of many tiles, unevenly filled, along each axis, in one that repeats, and in two dimensions.
static void velocities_by_parts_are_those_of_the_whole(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        const int   axis = k % 3, flat = k == 4;
        mn_grid_def def = { .dimension = flat ? 2 : 3,
                            .cell      = 0.25,
                            .depth     = flat ? 1.0 : 0.25,
                            .origin    = { 0.1, -0.3, flat ? -0.5 : 0.2 } };
        if (flat) def.period[2] = 1;
        if (k == 5) def.period[0] = 1;
        const int    along   = flat ? 0 : k == 5 ? 2 : axis;
        const double low[3]  = { 1.0, 1.0, 1.0 };
        double       high[3] = { k == 5 ? 7.0 : 14.0, 14.0, 14.0 };
        high[along]          = 500.0;
        cloud        s       = random_cloud(3, def, 7 + (uint64_t)k, 8000, low, high);
        const double end     = mn_get3(def.origin, along) + 490.0 * def.cell;
        for (int64_t p = 0; p < s.q.count; p += 2) s.q.position[along][p] = end + 0.02 * (s.q.position[along][p] - end);
        cloud_sort(&s, 2);
        assert_true(s.tiles.count > 100);
        const faces f       = to_faces(&s);
        double     *none[3] = { NULL, NULL, NULL }, *velocity[3];
        uint8_t    *known[3];
        for (int a = 0; a < 3; a++) {
            velocity[a] = cloud_field(&s);
            known[a]    = mn_arena_array(s.arena, uint8_t, field_size(&s));
        }
        assert_int_equal(mn_particles_to_velocity(s.context, s.arena, &s.tiles, &s.bins, &s.q, 1e-9, none, velocity,
                                                  known),
                         MN_OK);
        for (int a = 0; a < 3; a++)
            for (int64_t i = 0; i < field_size(&s); i++) {
                const bool seen = f.weight[a][i] > 1e-9;
                assert_true(known[a][i] == seen && velocity[a][i] == (seen ? f.momentum[a][i] / f.weight[a][i] : 0.0));
            }
        cloud_end(&s);
    }
}

static uint64_t hash_of_transfers(const cloud_case *k, int threads)
{
    cloud s = make_case(k, threads, 99);
    cloud_sort(&s, 2);
    const faces f       = to_faces(&s);
    double     *density = cloud_field(&s);
    assert_int_equal(mn_particles_to_cells(s.context, s.arena, &s.tiles, &s.bins, cloud_position(&s), s.q.volume,
                                           density),
                     MN_OK);
    const size_t bytes = (size_t)field_size(&s) * sizeof(double);
    uint64_t     hash  = mn_hash_bytes(MN_HASH_SEED, density, bytes);
    hash               = mn_hash_bytes(hash, s.bins.start, ((size_t)field_size(&s) + 1) * sizeof(int32_t));
    for (int a = 0; a < 3; a++) {
        hash = mn_hash_bytes(hash, f.weight[a], bytes);
        hash = mn_hash_bytes(hash, f.momentum[a], bytes);
    }
    mn_faces_to_particles(s.context, &s.tiles, &s.bins, (const double *const *)f.momentum, &s.q);
    hash = mn_hash_bytes(hash, s.storage, (size_t)(s.q.count + 1) * CLOUD_ARRAYS * sizeof(double));
    cloud_end(&s);
    return hash;
}

// liq.C13
static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    const int threads[] = { 2, 3, 8 };
    for (int k = 0; k < CASES; k++) {
        cloud_case c = cases[k];
        if (c.count > 1000) c.count *= 3;
        const uint64_t one = hash_of_transfers(&c, 1);
        for (int t = 0; t < 3; t++) assert_true(hash_of_transfers(&c, threads[t]) == one);
    }
}

static void a_step_of_transfers_needs_no_heap_once_settled(void **state)
{
    (void)state;
    cloud   s     = make_case(&cases[0], 2, 4);
    int64_t calls = 0;
    for (int round = 0; round < 4; round++) {
        if (round == 2) calls = mn_context_memory(s.context).calls;
        cloud_sort(&s, 2);
        const faces f = to_faces(&s);
        mn_faces_to_particles(s.context, &s.tiles, &s.bins, (const double *const *)f.momentum, &s.q);
        assert_int_equal(mn_arena_reset(s.arena), MN_OK);
    }
    assert_int_equal(mn_context_memory(s.context).calls, calls);
    cloud_end(&s);
}

typedef struct transfers {
    mn_context *context;
    cloud       cloud;
} transfers;

/// Bins, transfers and density of a cloud with an arena of its own.
static mn_status transfers_with(mn_context *c, const cloud *s)
{
    mn_arena *arena = NULL;
    mn_tiles  tiles;
    mn_bins   bins;
    mn_status status = mn_arena_create(c, &arena);
    if (status == MN_OK) status = mn_bins_build(c, arena, &s->def, cloud_position(s), s->q.count, 2, &tiles, &bins);
    if (status == MN_OK) {
        double *field[7] = { 0 };
        for (int k = 0; k < 7 && status == MN_OK; k++) {
            field[k] = mn_arena_array(arena, double, (int64_t)tiles.count *tiles.cells);
            if (field[k] == NULL) status = MN_ERR_MEMORY;
        }
        if (status == MN_OK) status = mn_particles_to_faces(c, arena, &tiles, &bins, &s->q, field, field + 3);
        if (status == MN_OK)
            status = mn_particles_to_cells(c, arena, &tiles, &bins, cloud_position(s), s->q.volume, field[6]);
    }
    mn_arena_destroy(&arena);
    return status;
}

static mn_status transfer(failing_memory *m, void *user)
{
    const transfers *t      = user;
    const mn_status  status = transfers_with(t->context, &t->cloud);
    (void)m;
    if (status != MN_OK) assert_non_null(strstr(mn_context_error(t->context), "memory"));
    return status;
}

static void refused_memory_is_an_error_and_no_leak(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    transfers      t      = { .cloud = make_case(&cases[1], 1, 4) };
    cloud_sort(&t.cloud, 2);
    assert_int_equal(failing_context_create(&memory, 2, &t.context), MN_OK);
    assert_true(survives_every_failing_allocation(&memory, transfer, &t, NULL) > 2);
    mn_context_destroy(&t.context);
    cloud_end(&t.cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fast_kernels_agree_with_the_plain_sums),
        cmocka_unit_test(no_particles_give_empty_fields),
        cmocka_unit_test(weights_add_up_to_one),
        cmocka_unit_test(a_linear_field_comes_back_exactly),
        cmocka_unit_test(momentum_and_angular_momentum_are_kept),
        cmocka_unit_test(velocities_by_parts_are_those_of_the_whole),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(a_step_of_transfers_needs_no_heap_once_settled),
        cmocka_unit_test(refused_memory_is_an_error_and_no_leak),
    };
    return cmocka_run_group_tests_name("transfer", tests, NULL, NULL);
}
