// SPDX-License-Identifier: MPL-2.0
// stain/solute.c - pigments carried by flows of liquid, and diffusing in it.
#include "stain/solute.h"

#include "stain/matrix.h"

#define GIVE      0.9
#define ROUNDS    400
#define PRECISION 1e-13

mn_stain_pigment mn_stain_pigment_default(void)
{
    return (mn_stain_pigment){ .adsorption = MN_STAIN_LINEAR,
                               .rate       = 0.05,
                               .capacity   = 0.05,
                               .solubility = 0.5,
                               .dissolve   = 1.0 };
}

mn_stain_pigment mn_stain_pigment_of(const mn_pigment *p)
{
    mn_stain_pigment out = mn_stain_pigment_default();
    out.solubility       = p->solubility;
    out.dissolve         = p->dissolve;
    out.capacity         = p->adsorption == MN_ADSORPTION_NONE ? 0.0 : p->capacity;
    out.adsorption       = p->adsorption == MN_ADSORPTION_LANGMUIR ? MN_STAIN_LANGMUIR : MN_STAIN_LINEAR;
    out.rate             = p->adsorption == MN_ADSORPTION_LINEAR ? p->rate : 0.0;
    out.attach           = out.capacity > 0.0 ? p->rate / out.capacity : 0.0;
    out.detach           = p->release;
    return out;
}

mn_status mn_stain_solute_create(mn_context *c, int64_t vertex_count, int pigments, mn_stain_solute **out)
{
    *out = NULL;
    if (pigments < 0 || pigments > 64)
        return mn_fail(c, MN_ERR_ARGUMENT, "a stain of %d pigments; at most 64 are possible", pigments);
    mn_stain_solute *q = mn_alloc(c, sizeof *q);
    if (q == NULL) return MN_ERR_MEMORY;
    q->context      = c;
    q->pigments     = pigments;
    q->vertex_count = vertex_count;
    bool ok         = true;
    for (int k = 0; k < MN_STAIN_STATES; k++) {
        q->mass[k] = mn_alloc_array(c, double, vertex_count *pigments);
        ok         = ok && q->mass[k] != NULL;
    }
    if (!ok) mn_stain_solute_destroy(&q);
    *out = q;
    return ok ? MN_OK : MN_ERR_MEMORY;
}

void mn_stain_solute_destroy(mn_stain_solute **solute)
{
    mn_stain_solute *q = *solute;
    if (q == NULL) return;
    for (int k = 0; k < MN_STAIN_STATES; k++) mn_free(q->context, q->mass[k]);
    mn_free(q->context, q);
    *solute = NULL;
}

typedef struct total_job {
    const mn_stain_solute *q;
    int                    pigment;
} total_job;

static double total_block(int64_t begin, int64_t end, void *context)
{
    const total_job *j   = context;
    double           sum = 0.0;
    for (int k = 0; k < MN_STAIN_STATES; k++) {
        const double *m = mn_stain_solute_of(j->q, (mn_stain_state)k, j->pigment);
        for (int64_t v = begin; v < end; v++) sum += m[v];
    }
    return sum;
}

double mn_stain_solute_total(const mn_stain_solute *q, int pigment)
{
    total_job job = { q, pigment };
    return mn_parallel_sum(mn_context_pool(q->context), q->vertex_count, total_block, &job);
}

/// Concentrations of donors. A vertex that mixes first has c D = m + sum of gains, D = liquid + gains: iterated from
/// below, so that a solution that is not quite one still gives no more than there is (c grows from round to round).
typedef struct carry_job {
    const mn_stain_links *l;
    const double         *flow, *liquid;
    double               *mass;
    double               *inverse;  ///< 1 / D; negative for a vertex that gives at once
    double               *c, *next;
    double               *moved;  ///< per link
} carry_job;

/// Whether any vertex mixes first.
static double prepare_block(int64_t begin, int64_t end, void *context)
{
    const carry_job *j     = context;
    double           mixes = 0.0;
    for (int64_t v = begin; v < end; v++) {
        double in = 0.0, out = 0.0;
        for (int32_t i = j->l->start[v]; i < j->l->start[v + 1]; i++) {
            const double gain = mn_stain_gain(j->l, j->flow, i);
            in += gain > 0.0 ? gain : 0.0;
            out -= gain < 0.0 ? gain : 0.0;
        }
        const bool   at_once = out <= GIVE * j->liquid[v];
        const double there   = at_once ? j->liquid[v] : j->liquid[v] + in;
        j->inverse[v]        = there > 0.0 ? (at_once ? -1.0 : 1.0) / there : 0.0;
        if (!at_once) mixes = 1.0;
    }
    return mixes;
}

static void first_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const carry_job *j = context;
    for (int64_t v = begin; v < end; v++) j->c[v] = j->mass[v] * fabs(j->inverse[v]);
}

static double mix_block(int64_t begin, int64_t end, void *context)
{
    const carry_job *j      = context;
    double           change = 0.0;
    for (int64_t v = begin; v < end; v++) {
        j->next[v] = j->c[v];
        if (!(j->inverse[v] > 0.0)) continue;
        double sum = j->mass[v];
        for (int32_t i = j->l->start[v]; i < j->l->start[v + 1]; i++) {
            const double gain = mn_stain_gain(j->l, j->flow, i);
            sum += gain > 0.0 ? gain * j->c[j->l->neighbour[i]] : 0.0;
        }
        const double more = sum - j->c[v] / j->inverse[v];  // g
        if (!(more > 0.0)) continue;
        j->next[v] = sum * j->inverse[v];
        change     = more > change ? more : change;
    }
    return change;
}

static void moved_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const carry_job *j = context;
    for (int64_t k = begin; k < end; k++) j->moved[k] = j->flow[k] * j->c[j->l->end[k][j->flow[k] > 0.0 ? 0 : 1]];
}

static double largest_block(int64_t begin, int64_t end, void *context)
{
    const carry_job *j    = context;
    double           most = 0.0;
    for (int64_t v = begin; v < end; v++) most = j->mass[v] > most ? j->mass[v] : most;
    return most;
}

static mn_status carry_one(mn_stain_solute *q, carry_job *j, bool mixes, mn_arena *arena)
{
    mn_pool     *pool   = mn_context_pool(q->context);
    const double enough = mixes ? PRECISION * mn_parallel_max(pool, q->vertex_count, largest_block, j) : 0.0;
    mn_parallel_for(pool, q->vertex_count, MN_STAIN_BLOCK, first_block, j);
    for (int round = 0; mixes && round < ROUNDS && !mn_pool_interrupted(pool); round++) {
        const double change = mn_parallel_max(pool, q->vertex_count, mix_block, j);
        double      *swap   = j->c;
        j->c = j->next, j->next = swap;
        if (change <= enough) break;
    }
    mn_parallel_for(pool, j->l->count, 4 * MN_STAIN_BLOCK, moved_block, j);
    return mn_stain_move(pool, j->l, j->moved, j->mass, arena);
}

mn_status mn_stain_carry(mn_stain_solute *q, const mn_stain_links *links, const double *flow, const double *liquid,
                         mn_arena *arena)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    carry_job           j    = { .l = links, .flow = flow, .liquid = liquid };
    j.inverse                = mn_arena_array(arena, double, q->vertex_count);
    j.c                      = mn_arena_array(arena, double, q->vertex_count);
    j.next                   = mn_arena_array(arena, double, q->vertex_count);
    j.moved                  = mn_arena_array(arena, double, links->count);
    mn_status st = j.inverse != NULL && j.c != NULL && j.next != NULL && j.moved != NULL ? MN_OK : MN_ERR_MEMORY;
    if (st == MN_OK) {
        const bool mixes = mn_parallel_max(mn_context_pool(q->context), q->vertex_count, prepare_block, &j) > 0.0;
        for (int p = 0; p < q->pigments && st == MN_OK; p++) {
            j.mass = mn_stain_solute_of(q, MN_STAIN_DISSOLVED, p);
            st     = carry_one(q, &j, mixes, arena);
        }
    }
    mn_arena_end(arena, mark);
    return st;
}

typedef struct scale_job {
    const mn_stain_operator *op;
    const double            *liquid, *area;
    double                   wet;  ///< above 0: gates instead of scaling
    double                  *conductance;
} scale_job;

static void scale_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const scale_job *j = context;
    for (int64_t k = begin; k < end; k++) {
        const int32_t *e     = j->op->links.end[k];
        const double   least = fmin(j->liquid[e[0]] / j->area[e[0]], j->liquid[e[1]] / j->area[e[1]]);
        j->conductance[k]    = j->op->low[k] * (j->wet > 0.0 ? (least > j->wet ? 1.0 : 0.0) : least);
    }
}

static mn_status diffuse(mn_stain_solute *q, int pigment, scale_job *j, const double *capacity, double h,
                         double tolerance, mn_arena *arena, mn_stain_solve_report *report)
{
    mn_pool *pool  = mn_context_pool(q->context);
    j->conductance = mn_arena_array(arena, double, j->op->links.count);
    if (j->conductance == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(pool, j->op->links.count, 4 * MN_STAIN_BLOCK, scale_block, j);
    mn_stain_matrix m = { .links = &j->op->links, .conductance = j->conductance, .capacity = capacity, .h = h };
    return mn_stain_matrix_step(pool, &m, tolerance, mn_stain_solute_of(q, MN_STAIN_DISSOLVED, pigment), NULL, arena,
                                report);
}

mn_status mn_stain_diffuse_solute(mn_stain_solute *q, int pigment, const mn_stain_operator *op, const double *liquid,
                                  const double *area, double h, double tolerance, mn_arena *arena,
                                  mn_stain_solve_report *report)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    scale_job           job  = { .op = op, .liquid = liquid, .area = area };
    const mn_status     st   = diffuse(q, pigment, &job, liquid, h, tolerance, arena, report);
    mn_arena_end(arena, mark);
    return st;
}

mn_status mn_stain_diffuse_free(mn_stain_solute *q, int pigment, const mn_stain_operator *op, const double *liquid,
                                const double *area, double wet, double h, double tolerance, mn_arena *arena,
                                mn_stain_solve_report *report)
{
    const mn_arena_mark mark = mn_arena_begin(arena);
    scale_job           job  = { .op = op, .liquid = liquid, .area = area, .wet = wet };
    const mn_status     st   = diffuse(q, pigment, &job, area, h, tolerance, arena, report);
    mn_arena_end(arena, mark);
    return st;
}
