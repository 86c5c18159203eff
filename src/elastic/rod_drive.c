// SPDX-License-Identifier: MPL-2.0
// elastic/rod_drive.c - strands stepped on their own: band assembly, Newton's method with a line search.
#include "elastic/rod_drive.h"

#include "elastic/rod_network_private.h"

#include <string.h>

enum { MOST_HALVINGS = 40 };

/// Workspace of one worker.
typedef struct mn_rod_drive_desk {
    mn_banded band;
    double   *value, *gradient, *direction;
} mn_rod_drive_desk;

typedef struct mn_rod_drive_end {
    int    iterations;
    bool   converged;
    double change;
} mn_rod_drive_end;

typedef struct step_job {
    mn_rod_drive           *d;
    const mn_rod_drive_def *def;
    const mn_vec3          *v;
    int32_t                 only;  ///< for mn_rod_drive_unstable
    int32_t                 negative;
} step_job;

mn_rod_drive_def mn_rod_drive_def_default(double h)
{
    return (
        mn_rod_drive_def){ .h = h, .policy = MN_ROD_FULL, .newton = true, .max_iterations = 200, .tolerance = 1e-10 };
}

// --- Numbering ---

static int32_t strand_size(const mn_rod_strand_def *s) { return 4 * s->count - !s->closed; }
static int32_t strand_half(const mn_rod_strand_def *s)
{
    const int32_t half = s->closed ? 19 : 10;
    return half < strand_size(s) ? half : strand_size(s) - 1;
}

/// Place of vertex i and of the angle of edge i: along an open strand in order; a closed one is folded flat, 0, n-1, 1,
/// n-2 ..., so that neighbours lie two places apart (elastic-rods 9).
static int32_t place_of(const mn_rod_strand_def *s, int32_t i)
{
    if (!s->closed) return 4 * i;
    return 4 * (2 * i < s->count ? 2 * i : 2 * (s->count - i) - 1);
}

static void corner_places(const mn_rod_strand_def *s, int32_t middle, int32_t at[11])
{
    const int32_t before = place_of(s, (middle + s->count - 1) % s->count), here = place_of(s, middle);
    const int32_t after = place_of(s, (middle + 1) % s->count);
    for (int k = 0; k < 4; k++) at[k] = before + k, at[4 + k] = here + k;
    for (int k = 0; k < 3; k++) at[8 + k] = after + k;
}

// --- One strand at the trial state ---

/// Incremental potential, its gradient and, wanted, its Hessian plus shift times the mass. `size` sums magnitudes.
typedef struct potential {
    double value, size;
} potential;

static void add_edges(mn_rod_drive *d, const mn_rod_drive_def *def, int32_t s, mn_rod_drive_desk *desk, bool matrix,
                      potential *p)
{
    mn_rod_network          *net    = d->net;
    const mn_rod_strand_def *strand = &net->strand[s];
    for (int32_t e = net->first_edge[s], i = 0; e < net->first_edge[s + 1]; e++, i++) {
        net->side[e]           = mn_rod_network_side(net, e, d->x, d->angle[e]);
        const mn_rod_stretch k = mn_rod_network_stretch(net, e, net->side[e].length);
        p->value += k.energy + k.energy_viscous;
        p->size += k.energy + k.energy_viscous;
        const int32_t a = place_of(strand, i), b = place_of(strand, (i + 1) % strand->count);
        const mn_vec3 t = net->side[e].tangent;
        for (int n = 0; n < 3; n++) {
            desk->gradient[a + n] -= k.stress * mn_get3(t, n);
            desk->gradient[b + n] += k.stress * mn_get3(t, n);
        }
        if (!matrix) continue;
        double block[6];
        mn_rod_stretch_block(t, k.stiffness, mn_rod_stretch_across(&k, net->side[e].length, def->policy), block);
        static const int triangle[9] = { 0, 1, 2, 1, 3, 4, 2, 4, 5 };
        for (int m = 0; m < 3; m++)
            for (int n = 0; n < 3; n++) {
                const double value = block[triangle[3 * m + n]];
                if (n <= m) mn_banded_add(&desk->band, a + m, a + n, value);
                if (n <= m) mn_banded_add(&desk->band, b + m, b + n, value);
                mn_banded_add(&desk->band, a + m, b + n, -value);
            }
    }
}

/// During a step every frame is carried straight from the start of the step. Moved sideways from there it turns against
/// the frame that goes with its edge, by psi = -(t0 x t) / (1 + t0.t) per unit of tangent: the potential as a function
/// of (x, angle) is E(x, angle + psi(x)), and its derivatives follow. What is left out is the stress times the second
/// derivative of psi. Without this the gradient is not that of the potential, and the line search stalls.
static void follow_frames(const mn_rod_network *net, const int32_t e[2], mn_rod_gradient *g, double k[8][8])
{
    for (int j = 0; j < 2; j++) {
        const mn_vec3 t0 = mn_rod_get(net->edges.tangent, e[j]), t = net->side[e[j]].tangent;
        const double  opening = 1.0 + mn_dot3(t0, t);
        if (opening < MN_ROD_OPPOSITE) continue;
        const mn_vec3 psi = mn_scale3(-1.0 / (opening * net->side[e[j]].length), mn_cross3(t0, t));
        const int     at = j == 0 ? MN_ROD_AT_E : MN_ROD_AT_F, angle = j == 0 ? MN_ROD_AT_ANGLE_E : MN_ROD_AT_ANGLE_F;
        g->edge[j] = mn_add3(g->edge[j], mn_scale3(g->angle[j], psi));
        for (int n = 0; n < 3; n++)
            for (int b = 0; b < 8; b++) k[at + n][b] += mn_get3(psi, n) * k[angle][b];
        for (int n = 0; n < 3; n++)
            for (int b = 0; b < 8; b++) k[b][at + n] += mn_get3(psi, n) * k[b][angle];
    }
}

static void add_corners(mn_rod_drive *d, const mn_rod_drive_def *def, int32_t s, mn_rod_drive_desk *desk, bool matrix,
                        potential *p)
{
    mn_rod_network *net = d->net;
    for (int32_t k = net->first_corner[s]; k < net->first_corner[s + 1]; k++) {
        const int32_t      *e      = net->joint[k].edge;
        const mn_rod_corner c      = mn_rod_network_corner(net, k, &net->side[e[0]], &net->side[e[1]], d->angle[e[0]],
                                                           d->angle[e[1]]);
        const mn_rod_load   l      = mn_rod_network_load(net, k, &c);
        const double        energy = l.energy_bend + l.energy_twist + l.energy_fold + l.energy_viscous;
        p->value += energy;
        p->size += energy;
        int32_t at[11];
        corner_places(&net->strand[s], e[1] - net->first_edge[s], at);
        mn_rod_gradient g             = mn_rod_corner_gradient(&c, &l);
        double          hessian[8][8] = { { 0 } }, gradient[11], full[11][11];
        if (matrix) mn_rod_corner_hessian(&c, &l, def->policy, hessian);
        follow_frames(net, e, &g, hessian);
        mn_rod_corner_to_vertices(&g, hessian, gradient, full);
        for (int a = 0; a < 11; a++) {
            desk->gradient[at[a]] += gradient[a];
            for (int b = 0; matrix && b <= a; b++) mn_banded_add(&desk->band, at[a], at[b], full[a][b]);
        }
    }
}

/// Inertia, dead loads, and the shift that makes an indefinite matrix a descent direction.
static void add_entry(mn_rod_drive_desk *desk, int32_t at, double mass, double h, double moved, double coasted,
                      double load, double shift, bool matrix, potential *p)
{
    if (isfinite(h)) {
        const double off = moved - coasted;
        p->value += 0.5 * mass / (h * h) * off * off;
        p->size += 0.5 * mass / (h * h) * off * off;
        desk->gradient[at] += mass / (h * h) * off;
    }
    p->value -= load * moved;
    p->size += fabs(load * moved);
    desk->gradient[at] -= load;
    if (matrix) mn_banded_add(&desk->band, at, at, mass * (shift + (isfinite(h) ? 1.0 / (h * h) : 0.0)));
}

static potential evaluate(const step_job *job, int32_t s, mn_rod_drive_desk *desk, bool matrix, double shift)
{
    mn_rod_drive            *d      = job->d;
    const mn_rod_drive_def  *def    = job->def;
    mn_rod_network          *net    = d->net;
    const mn_rod_strand_def *strand = &net->strand[s];
    potential                p      = { 0 };
    desk->band = (mn_banded){ .size = strand_size(strand), .half = strand_half(strand), .value = desk->value };
    if (matrix) mn_banded_zero(&desk->band);
    memset(desk->gradient, 0, (size_t)desk->band.size * sizeof *desk->gradient);
    add_edges(d, def, s, desk, matrix, &p);
    add_corners(d, def, s, desk, matrix, &p);
    for (int32_t i = 0; i < strand->count; i++) {
        const int32_t v       = strand->vertex[i];
        const mn_vec3 moved   = mn_sub3(d->x[v], d->x0[v]),
                      coasted = job->v != NULL && isfinite(def->h) ? mn_scale3(def->h, job->v[v]) : mn_v3(0, 0, 0);
        const mn_vec3 load    = def->force != NULL ? def->force[v] : mn_v3(0, 0, 0);
        for (int n = 0; n < 3; n++)
            add_entry(desk, place_of(strand, i) + n, def->mass[v], def->h, mn_get3(moved, n), mn_get3(coasted, n),
                      mn_get3(load, n), shift, matrix, &p);
    }
    for (int32_t e = net->first_edge[s], i = 0; e < net->first_edge[s + 1]; e++, i++)
        add_entry(desk, place_of(strand, i) + 3, def->inertia[e], def->h, d->angle[e] - net->edges.angle[0][e],
                  isfinite(def->h) ? def->h * net->edges.angle_rate[0][e] : 0.0,
                  def->torque != NULL ? def->torque[e] : 0.0, shift, matrix, &p);
    return p;
}

static bool is_held(const mn_rod_drive *d, const mn_rod_drive_def *def, int32_t s, int32_t i, int n)
{
    if (n == 3) return def->held_edge != NULL && def->held_edge[d->net->first_edge[s] + i];
    return def->held_vertex != NULL && (def->held_vertex[d->net->strand[s].vertex[i]] & (1 << n)) != 0;
}

/// Entries of vertex i: 4, but the last of an open strand has no angle.
static int entries_of(const mn_rod_strand_def *s, int32_t i) { return s->closed || i + 1 < s->count ? 4 : 3; }

/// Solve for the direction of descent, held entries at zero. Shifts until the matrix is positive definite.
static bool find_direction(const step_job *job, int32_t s, mn_rod_drive_desk *desk, double *shift)
{
    mn_rod_drive            *d      = job->d;
    const mn_rod_strand_def *strand = &d->net->strand[s];
    for (int tries = 0; tries < 60; tries++) {
        evaluate(job, s, desk, true, *shift);
        double stiffest = 0.0, lightest = INFINITY;
        for (int32_t i = 0; i < strand->count; i++) lightest = fmin(lightest, job->def->mass[strand->vertex[i]]);
        for (int32_t i = 0; i < desk->band.size; i++) {
            stiffest           = fmax(stiffest, *mn_banded_at(&desk->band, i, i));
            desk->direction[i] = -desk->gradient[i];
        }
        for (int32_t i = 0; i < strand->count; i++)
            for (int n = 0; n < entries_of(strand, i); n++)
                if (is_held(d, job->def, s, i, n))
                    mn_banded_fix(&desk->band, place_of(strand, i) + n, 0.0, desk->direction);
        const mn_banded_pivots pivots = mn_banded_factor(&desk->band);
        if (!pivots.broken && pivots.negative == 0) {
            mn_banded_solve(&desk->band, desk->direction);
            return true;
        }
        if (!isfinite(stiffest)) return false;
        *shift = fmax(4.0 * *shift, 1e-12 * stiffest / lightest);
    }
    return false;
}

/// Trial state = base + a direction, from the copies kept in `from`.
static void move_trial(mn_rod_drive *d, int32_t s, const mn_rod_drive_desk *desk, double a)
{
    const mn_rod_strand_def *strand = &d->net->strand[s];
    for (int32_t i = 0; i < strand->count; i++) {
        const double *dir = desk->direction + place_of(strand, i);
        mn_vec3      *x   = &d->x[strand->vertex[i]];
        *x                = mn_add3(*x, mn_scale3(a, mn_v3_from(dir)));
        if (entries_of(strand, i) == 4) d->angle[d->net->first_edge[s] + i] += a * dir[3];
    }
}

static double largest_change(const mn_rod_drive *d, int32_t s, const mn_rod_drive_desk *desk)
{
    const mn_rod_strand_def *strand = &d->net->strand[s];
    double                   most   = 0.0;
    for (int32_t i = 0; i < strand->count; i++) {
        const double *dir = desk->direction + place_of(strand, i);
        most              = fmax(most,
                                 mn_norm3(mn_v3_from(dir)) /
                                     d->net->edge[d->net->first_edge[s] + (i < strand->count - !strand->closed ? i : i - 1)].length);
        if (entries_of(strand, i) == 4) most = fmax(most, fabs(dir[3]));
    }
    return most;
}

/// Halve the step until the potential falls. Below its round-off the full step is taken: Newton is then in its basin.
static bool search_line(const step_job *job, int32_t s, mn_rod_drive_desk *desk)
{
    const potential before = evaluate(job, s, desk, false, 0.0);
    double          slope  = 0.0;
    for (int32_t i = 0; i < desk->band.size; i++) slope += desk->gradient[i] * desk->direction[i];
    const double noise = 1e-12 * before.size;
    double       a     = 1.0;
    move_trial(job->d, s, desk, 1.0);
    for (int k = 0; k < MOST_HALVINGS; k++) {
        const potential now = evaluate(job, s, desk, false, 0.0);
        if (isfinite(now.value) && now.value <= before.value + 1e-4 * a * slope + noise) return true;
        move_trial(job->d, s, desk, -0.5 * a);
        a *= 0.5;
    }
    return false;
}

/// Held entries go where their velocity takes them.
static void set_trial(const step_job *job, int32_t s, bool coast)
{
    mn_rod_drive            *d      = job->d;
    mn_rod_network          *net    = d->net;
    const mn_rod_strand_def *strand = &net->strand[s];
    const bool               moves  = isfinite(job->def->h);
    for (int32_t i = 0; i < strand->count; i++) {
        const int32_t v = strand->vertex[i];
        double        x[3];
        for (int n = 0; n < 3; n++)
            x[n] = mn_get3(d->x0[v], n) +
                   (moves && (coast || is_held(d, job->def, s, i, n)) ? job->def->h * mn_get3(job->v[v], n) : 0.0);
        d->x[v] = mn_v3_from(x);
        if (entries_of(strand, i) == 3) continue;
        const int32_t e = net->first_edge[s] + i;
        d->angle[e]     = net->edges.angle[0][e] + (moves && (coast || is_held(d, job->def, s, i, 3))
                                                        ? job->def->h * net->edges.angle_rate[0][e]
                                                        : 0.0);
    }
}

static mn_rod_drive_end newton(const step_job *job, int32_t s, mn_rod_drive_desk *desk)
{
    mn_rod_drive_end end = { 0 };
    // Begin where the potential is lower: at rest or coasting.
    set_trial(job, s, true);
    const double coasting = evaluate(job, s, desk, false, 0.0).value;
    set_trial(job, s, false);
    if (coasting < evaluate(job, s, desk, false, 0.0).value) set_trial(job, s, true);
    double shift = 0.0;
    while (end.iterations < job->def->max_iterations) {
        end.iterations++;
        if (!find_direction(job, s, desk, &shift)) return end;
        end.change = largest_change(job->d, s, desk);
        if (!isfinite(end.change)) return end;
        if (end.change <= job->def->tolerance) {
            move_trial(job->d, s, desk, 1.0);
            end.converged = true;
            return end;
        }
        if (!search_line(job, s, desk)) return end;
        shift *= 0.1;
        if (shift < 1e-30) shift = 0.0;
    }
    return end;
}

/// One solve of the linearised step (elastic-rods 7) about the start of the step.
/// Differs from there: the geometric stiffness, if the policy keeps any, takes the stresses at the start of the step
/// and not stored multipliers.
static mn_rod_drive_end linearised(const step_job *job, int32_t s, mn_rod_drive_desk *desk)
{
    mn_rod_drive            *d      = job->d;
    const mn_rod_strand_def *strand = &d->net->strand[s];
    mn_rod_drive_end         end    = { .iterations = 1 };
    for (int32_t i = 0; i < strand->count; i++) {
        d->x[strand->vertex[i]] = d->x0[strand->vertex[i]];
        if (entries_of(strand, i) == 4)
            d->angle[d->net->first_edge[s] + i] = d->net->edges.angle[0][d->net->first_edge[s] + i];
    }
    double shift = 0.0;
    for (;;) {
        evaluate(job, s, desk, true, shift);
        for (int32_t i = 0; i < desk->band.size; i++) desk->direction[i] = -desk->gradient[i];
        for (int32_t i = 0; i < strand->count; i++)
            for (int n = 0; n < entries_of(strand, i); n++) {
                if (!is_held(d, job->def, s, i, n)) continue;
                const double rate = n == 3 ? d->net->edges.angle_rate[0][d->net->first_edge[s] + i]
                                           : mn_get3(job->v[strand->vertex[i]], n);
                mn_banded_fix(&desk->band, place_of(strand, i) + n, job->def->h * rate, desk->direction);
            }
        const mn_banded_pivots pivots = mn_banded_factor(&desk->band);
        if (!pivots.broken && pivots.negative == 0) break;
        shift = fmax(10.0 * shift, 1e-3 / (job->def->h * job->def->h));
        if (!isfinite(shift)) return end;
    }
    mn_banded_solve(&desk->band, desk->direction);
    end.change    = largest_change(d, s, desk);
    end.converged = isfinite(end.change);
    if (end.converged) move_trial(d, s, desk, 1.0);
    return end;
}

static void step_strands(int64_t begin, int64_t end, int worker, void *context)
{
    step_job *job = context;
    for (int32_t s = (int32_t)begin; s < end; s++)
        job->d->end[s] = job->def->newton ? newton(job, s, &job->d->desk[worker])
                                          : linearised(job, s, &job->d->desk[worker]);
}

static void take_step(mn_rod_drive *d, const mn_rod_drive_def *def, mn_vec3 *x, mn_vec3 *v)
{
    mn_rod_network *net   = d->net;
    const bool      moves = isfinite(def->h);
    for (int32_t n = 0; n < net->touched_count; n++) {
        const int32_t i = net->touched[n];
        if (moves) v[i] = mn_scale3(1.0 / def->h, mn_sub3(d->x[i], x[i]));
        x[i] = d->x[i];
    }
    for (int64_t e = 0; e < net->edges.count; e++) {
        d->rate[e]                  = moves ? (d->angle[e] - net->edges.angle[0][e]) / def->h : 0.0;
        net->edges.angle[0][e]      = d->angle[e];
        net->edges.angle_rate[0][e] = d->rate[e];
    }
    mn_rod_network_accept(net, x, NULL, 0.0);
}

mn_status mn_rod_drive_step(mn_rod_drive *d, const mn_rod_drive_def *def, mn_vec3 *x, mn_vec3 *v,
                            mn_rod_drive_report *report)
{
    mn_rod_network *net = d->net;
    if (!(def->h > 0.0)) return mn_fail(net->context, MN_ERR_ARGUMENT, "the step is %g s, it must be above 0", def->h);
    if (!def->newton && !isfinite(def->h))
        return mn_fail(net->context, MN_ERR_ARGUMENT, "an equilibrium needs Newton's method");
    step_job job = { .d = d, .def = def, .v = v };
    memcpy(d->x0, x, (size_t)net->vertex_count * sizeof *x);
    memcpy(d->x, x, (size_t)net->vertex_count * sizeof *x);
    mn_rod_network_begin(net, x, def->h);
    mn_parallel_for(mn_context_pool(net->context), net->strand_count, 1, step_strands, &job);
    *report = (mn_rod_drive_report){ 0 };
    for (int32_t s = 0; s < net->strand_count; s++) {
        const mn_rod_drive_end *end = &d->end[s];
        report->iterations          = end->iterations > report->iterations ? end->iterations : report->iterations;
        report->change              = fmax(report->change, end->change);
        report->failed += !end->converged;
    }
    if (report->failed > 0) return MN_OK;
    take_step(d, def, x, v);
    report->folded = mn_rod_network_energy(net, x, NULL).folded;
    return MN_OK;
}

mn_status mn_rod_drive_unstable(mn_rod_drive *d, const mn_rod_drive_def *def, int32_t s, const mn_vec3 *x,
                                int32_t *negative)
{
    mn_rod_network          *net    = d->net;
    const mn_rod_strand_def *strand = &net->strand[s];
    mn_rod_drive_desk       *desk   = &d->desk[0];
    step_job                 job    = { .d = d, .def = def };
    memcpy(d->x0, x, (size_t)net->vertex_count * sizeof *x);
    memcpy(d->x, x, (size_t)net->vertex_count * sizeof *x);
    memcpy(d->angle, net->edges.angle[0], (size_t)net->edges.count * sizeof *d->angle);
    mn_rod_network_begin(net, x, INFINITY);
    evaluate(&job, s, desk, true, 0.0);
    for (int32_t i = 0; i < strand->count; i++)
        for (int n = 0; n < entries_of(strand, i); n++)
            if (is_held(d, def, s, i, n)) mn_banded_fix(&desk->band, place_of(strand, i) + n, 0.0, desk->gradient);
    const mn_banded_pivots pivots = mn_banded_factor(&desk->band);
    if (pivots.broken)
        return mn_fail(net->context, MN_ERR_SOLVE, "the stiffness of strand %d has a vanishing pivot", s);
    *negative = pivots.negative;
    return MN_OK;
}

mn_status mn_rod_drive_create(mn_rod_network *net, mn_rod_drive *out)
{
    if (net->corners.count > net->first_corner[net->strand_count])
        return mn_fail(net->context, MN_ERR_ARGUMENT, "strands that share vertices cannot be stepped one by one");
    mn_context *c  = net->context;
    *out           = (mn_rod_drive){ .net = net, .desks = mn_pool_workers(mn_context_pool(c)) };
    int64_t values = 0, size = 0;
    for (int32_t s = 0; s < net->strand_count; s++) {
        const int64_t need = mn_banded_values(strand_size(&net->strand[s]), strand_half(&net->strand[s]));
        values             = need > values ? need : values;
        size               = strand_size(&net->strand[s]) > size ? strand_size(&net->strand[s]) : size;
    }
    out->x     = mn_alloc_array(c, mn_vec3, net->vertex_count);
    out->x0    = mn_alloc_array(c, mn_vec3, net->vertex_count);
    out->angle = mn_alloc_array(c, double, net->edges.count);
    out->rate  = mn_alloc_array(c, double, net->edges.count);
    out->end   = mn_alloc_array(c, mn_rod_drive_end, net->strand_count);
    out->desk  = mn_alloc_array(c, mn_rod_drive_desk, out->desks);
    bool made  = out->x != NULL && out->x0 != NULL && out->angle != NULL && out->rate != NULL && out->end != NULL &&
                out->desk != NULL;
    for (int w = 0; made && w < out->desks; w++) {
        mn_rod_drive_desk *desk = &out->desk[w];
        desk->value             = mn_alloc_array(c, double, values);
        desk->gradient          = mn_alloc_array(c, double, size);
        desk->direction         = mn_alloc_array(c, double, size);
        made                    = desk->value != NULL && desk->gradient != NULL && desk->direction != NULL;
    }
    if (!made) mn_rod_drive_destroy(out);
    return made ? MN_OK : MN_ERR_MEMORY;
}

void mn_rod_drive_destroy(mn_rod_drive *d)
{
    if (d->net == NULL) return;
    mn_context *c = d->net->context;
    for (int w = 0; d->desk != NULL && w < d->desks; w++) {
        mn_free(c, d->desk[w].value);
        mn_free(c, d->desk[w].gradient);
        mn_free(c, d->desk[w].direction);
    }
    void *blocks[] = { d->x, d->x0, d->angle, d->rate, d->end, d->desk };
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) mn_free(c, blocks[k]);
    *d = (mn_rod_drive){ .net = NULL };
}
