// SPDX-License-Identifier: MPL-2.0
// fabric/sums.c - mass, momentum and energy of the whole fabric; the same bits for any number of threads.
#include "fabric/fabric.h"

#include "base/pool.h"

typedef struct summing {
    const mn_fabric *q;
    int              what;
} summing;

static mn_vec3 at(double *const f[3], int64_t i) { return mn_v3(f[0][i], f[1][i], f[2][i]); }

static double add_up(int64_t begin, int64_t end, void *context)
{
    const summing   *s   = context;
    const mn_fabric *q   = s->q;
    double           sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const mn_vec3 x = at(q->vertices.position, i), u = at(q->vertices.velocity, i);
        const double  m = q->mass[i] + q->model.liquid.density * q->vertices.held[0][i];
        if (s->what < 3) sum += m * mn_get3(u, s->what);
        else if (s->what < 6) {
            // Spin of the affine matrix counts: r x C r over the kernel, cell^2 / 4 (C_ba - C_ab).
            const int    a = (s->what - 2) % 3, b = (s->what - 1) % 3;
            const double spin = 0.25 * q->model.grid.cell * q->model.grid.cell *
                                (q->vertices.affine[3 * b + a][i] - q->vertices.affine[3 * a + b][i]);
            sum += m * (mn_get3(mn_cross3(x, u), s->what - 3) + spin);
        } else if (s->what == 6) sum += 0.5 * m * mn_dot3(u, u);
        else if (s->what == 7) sum -= m * mn_dot3(q->model.gravity, x);
        else sum += q->vertices.held[0][i];
    }
    return sum;
}

static double fastest(int64_t begin, int64_t end, void *context)
{
    const mn_fabric *q    = ((const summing *)context)->q;
    double           most = 0.0;
    for (int64_t i = begin; i < end; i++) {
        const mn_vec3 u = at(q->vertices.velocity, i);
        most            = fmax(most, mn_dot3(u, u));
    }
    return most;
}

double mn_fabric_max_speed(const mn_fabric *q)
{
    summing s = { q, 0 };
    return sqrt(mn_parallel_max(mn_context_pool(q->context), q->vertices.count, fastest, &s));
}

mn_fabric_sums mn_fabric_sum(const mn_fabric *q)
{
    double value[9];
    for (int what = 0; what < 9; what++) {
        summing s   = { q, what };
        value[what] = mn_parallel_sum(mn_context_pool(q->context), q->vertices.count, add_up, &s);
    }
    return (mn_fabric_sums){ .momentum = mn_v3(value[0], value[1], value[2]),
                             .angular  = mn_v3(value[3], value[4], value[5]),
                             .kinetic  = value[6],
                             .gravity  = value[7],
                             .held     = value[8] };
}

typedef struct pigment_job {
    const mn_fabric_vertices *v;
    int                       pigment;
} pigment_job;

static double pigment_block(int64_t begin, int64_t end, void *context)
{
    const pigment_job *j         = context;
    const double      *dissolved = j->v->dissolved[j->pigment], *adsorbed = j->v->adsorbed[j->pigment],
                 *dried = j->v->dried[j->pigment];
    double sum          = 0.0;
    for (int64_t i = begin; i < end; i++) sum += dissolved[i] + adsorbed[i] + dried[i];
    return sum;
}

double mn_fabric_pigment_sum(const mn_fabric *q, int pigment)
{
    pigment_job job = { &q->vertices, pigment };
    return mn_parallel_sum(mn_context_pool(q->context), q->vertices.count, pigment_block, &job);
}

static mn_status add_elastic_energy(mn_fabric_piece *p, const mn_vec3 *x, mn_arena *arena, double *energy)
{
    mn_shell_energy e;
    if (p->shell != NULL) {
        MN_TRY(mn_shell_energy_of(p->shell, (mn_shell_pose){ .x = x + p->first_vertex }, arena, &e));
        *energy += e.membrane + e.bending;
    }
    if (p->mesh.strand_count > 0) {
        const mn_rod_sums s = mn_rod_network_energy(&p->rods, x, NULL);
        *energy += s.stretch + s.bend + s.twist + s.fold;
    }
    if (p->junctions.count > 0) *energy += mn_cloth_junctions_energy(&p->junctions, x).elastic;
    return MN_OK;
}

mn_status mn_fabric_elastic_energy(mn_fabric *q, mn_arena *arena, double *energy)
{
    const mn_arena_mark mark   = mn_arena_begin(arena);
    mn_vec3            *x      = mn_arena_array(arena, mn_vec3, q->vertices.count);
    mn_status           status = x != NULL ? MN_OK : MN_ERR_MEMORY;
    *energy                    = 0.0;
    for (int64_t i = 0; status == MN_OK && i < q->vertices.count; i++) x[i] = at(q->vertices.position, i);
    for (int64_t k = 0; status == MN_OK && k < q->piece_count; k++)
        status = add_elastic_energy(&q->pieces[k], x, arena, energy);
    mn_arena_end(arena, mark);
    return status;
}
