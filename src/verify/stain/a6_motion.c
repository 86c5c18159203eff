// SPDX-License-Identifier: MPL-2.0
// verify/stain/a6_motion.c - A6.7: a blob that is free to slide on a turning cloth; A6.9: budgets on a cloth that
// deforms and stretches.
#include "verify/stain/a6_stain.h"

#include "stain/film.h"
#include "verify/stain/stain_meshes.h"

#include <stdio.h>

typedef struct sample {
    mn_stain_mesh    mesh;
    mn_stain_tensor *tensor;
    mn_stain_film   *f;
    mn_arena        *arena;
    mn_vec3         *x;
} sample;

static void sample_free(mn_context *c, sample *q)
{
    mn_stain_film_destroy(&q->f);
    mn_stain_mesh_free(c, &q->mesh);
    mn_arena_destroy(&q->arena);
    mn_free(c, q->tensor);
    mn_free(c, q->x);
}

/// A film on a square; `def` holds what is not geometry.
static mn_status sample_make(mn_context *c, const mn_stain_square_def *square, mn_stain_tensor tensor,
                             mn_stain_film_def *def, sample *q)
{
    *q = (sample){ 0 };
    MN_TRY(mn_arena_create(c, &q->arena));
    MN_TRY(mn_stain_mesh_square(c, square, &q->mesh));
    q->tensor = mn_alloc_array(c, mn_stain_tensor, q->mesh.triangle_count);
    q->x      = mn_alloc_array(c, mn_vec3, q->mesh.vertex_count);
    if (q->tensor == NULL || q->x == NULL) return MN_ERR_MEMORY;
    for (int64_t t = 0; t < q->mesh.triangle_count; t++)
        q->tensor[t] = mn_stain_tensor_at(tensor, mn_stain_mesh_angle(&q->mesh, t));
    def->vertex_count   = q->mesh.vertex_count;
    def->triangle_count = q->mesh.triangle_count;
    def->x              = q->mesh.x;
    def->triangle       = q->mesh.triangle;
    def->spread         = q->tensor;
    return mn_stain_film_create(c, def, &q->f);
}

static void turned(const sample *q, double angle, mn_vec3 *x)
{
    const mn_mat3 turn = mn_rotation3(mn_v3(0.0, 0.0, 1.0), angle);
    for (int64_t v = 0; v < q->mesh.vertex_count; v++) x[v] = mn_mul3(turn, q->mesh.x[v]);
}

/// Where the middle of a blob from (1, 0) is in the inertial frame after a quarter turn in `steps` steps at 2 pi rad/s.
static mn_status slide(mn_context *c, int side, int steps, bool coriolis, double out[2])
{
    const mn_stain_square_def square = { .nx        = side,
                                         .ny        = side,
                                         .spacing   = 5.0 / (side - 1),
                                         .jitter    = 0.2,
                                         .diagonals = MN_DIAGONALS_RANDOM,
                                         .seed      = 2 };
    mn_stain_film_def         def    = mn_stain_film_def_default();
    mn_stain_step_report      report;
    sample                    q;
    const double              h = 0.25 / steps;
    def.h                       = h;
    def.gravity                 = mn_v3(0.0, 0.0, 0.0);
    def.exchange                = (mn_stain_exchange_def){ .wet = 1e-6 };
    def.no_coriolis             = !coriolis;
    def.second_order            = true;
    mn_status st                = sample_make(c, &square, (mn_stain_tensor){ 0.0, 0.0, 0.0 }, &def, &q);
    if (st == MN_OK) {
        turned(&q, -2.0 * MN_PI * h, q.x);
        st = mn_stain_film_place(q.f, q.x, q.mesh.x);
        for (int64_t v = 0; v < q.mesh.vertex_count; v++) {
            const double d2 = (q.mesh.x[v].x - 1.0) * (q.mesh.x[v].x - 1.0) + q.mesh.x[v].y * q.mesh.x[v].y;
            if (d2 < 0.16)
                mn_stain_film_add(q.f, v, q.f->surface->area[v] * (1.0 - d2 / 0.16), NULL, (mn_stain_vec){ 0.0, 0.0 });
        }
    }
    for (int k = 1; k <= steps && st == MN_OK; k++) {
        turned(&q, 2.0 * MN_PI * h * k, q.x);
        st = mn_stain_film_step(q.f, q.x, q.arena, &report);
    }
    if (st == MN_OK) {
        double sum = 0.0;
        out[0] = out[1] = 0.0;
        for (int64_t v = 0; v < q.mesh.vertex_count; v++) {
            sum += q.f->free[v];
            out[0] += q.f->free[v] * q.x[v].x;
            out[1] += q.f->free[v] * q.x[v].y;
        }
        out[0] /= sum, out[1] /= sum;
    }
    sample_free(c, &q);
    return st;
}

mn_status mn_a6_rotating(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int    side = tier == MN_TIER_BUILD ? 101 : 201, steps = tier == MN_TIER_BUILD ? 100 : 200;
    const double path = 0.5 * MN_PI;
    double       with[2], coarse[2], without[2];
    MN_TRY(slide(c, side, steps, true, with));
    MN_TRY(slide(c, (side - 1) / 2 + 1, steps / 2, true, coarse));
    MN_TRY(slide(c, side, steps, false, without));
    const double off = hypot(with[0] - 1.0, with[1] - path), off_coarse = hypot(coarse[0] - 1.0, coarse[1] - path);
    mn_verify_value(r, "distance from the axis after a quarter turn", hypot(with[0], with[1]), 1.86210,
                    hypot(with[0], with[1]) / 1.86210 - 1.0, 0.005, 0.02);
    mn_verify_at_most(r, "place in the inertial frame: error over the path", off / path, 0.005, 0.02);
    mn_verify_at_least(r, "the same without Coriolis", hypot(without[0] - 1.0, without[1] - path) / path, 0.2, 0.2);
    mn_verify_at_least(r, "order of convergence in step and mesh", log2(off_coarse / off), 0.9, 0.7);
    return MN_OK;
}

/// Waves that run over the cloth, in its plane and out of it.
static void waving(const sample *q, double t, mn_vec3 *x)
{
    for (int64_t v = 0; v < q->mesh.vertex_count; v++) {
        const mn_vec3 p = q->mesh.x[v];
        x[v]            = mn_v3(p.x + 0.1 * sin(p.y + 3.0 * t), p.y + 0.1 * sin(p.x - 2.0 * t),
                                0.8 * sin(0.6 * p.x + 4.0 * t) * cos(0.5 * p.y));
    }
}

static void spill(sample *q)
{
    for (int64_t v = 0; v < q->mesh.vertex_count; v++) {
        const double r2         = mn_dot3(q->mesh.x[v], q->mesh.x[v]),
                     liquid     = 0.05 * q->f->surface->area[v] * fmax(1.0 - r2 / 9.0, 0.0);
        const double pigment[2] = { 0.2 * liquid, 0.3 * liquid };
        if (liquid > 0.0) mn_stain_film_add(q->f, v, liquid, pigment, (mn_stain_vec){ 2.0, 1.0 });
    }
}

static mn_status feed(sample *q, int step)
{
    const int64_t v          = q->mesh.vertex_count / 2;
    const double  pigment[2] = { 2e-3, 1e-3 };
    if (step % 50 < 5) mn_stain_film_prescribe(q->f, v, 0.02, pigment);
    return MN_OK;
}

mn_status mn_a6_budget(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    const int                 steps      = tier == MN_TIER_BUILD ? 4000 : 100000;
    const mn_stain_square_def square     = { .nx        = 13,
                                             .ny        = 13,
                                             .spacing   = 0.8,
                                             .jitter    = 0.25,
                                             .diagonals = MN_DIAGONALS_RANDOM,
                                             .seed      = 6 };
    mn_stain_pigment          pigment[2] = { mn_stain_pigment_default(), mn_stain_pigment_default() };
    mn_stain_film_def         def        = mn_stain_film_def_default();
    mn_stain_step_report      report;
    sample                    q;
    pigment[1].adsorption    = MN_STAIN_LANGMUIR;
    pigment[1].capacity      = 0.01;
    pigment[1].attach        = 100.0;
    pigment[1].detach        = 0.1;
    def.pigments             = 2;
    def.pigment              = pigment;
    def.exchange.hold        = 0.015;
    def.exchange.evaporation = 2e-3;
    def.drag                 = 5.0;
    mn_status st             = sample_make(c, &square, (mn_stain_tensor){ 0.5, 0.2, 0.1 }, &def, &q);
    if (st == MN_OK) spill(&q);
    for (int k = 1; k <= steps && st == MN_OK; k++) {
        waving(&q, k * def.h, q.x);
        st = mn_stain_film_step(q.f, q.x, q.arena, &report);
        if (st == MN_OK) st = feed(&q, k);
    }
    if (st == MN_OK) {
        const mn_stain_sums s = mn_stain_film_sums(q.f);
        char                text[96];
        snprintf(text, sizeof text, "liquid after %d steps: free + held + evaporated, over what was added", steps);
        mn_verify_value(r, text, (s.free + s.held + s.evaporated) / s.added, 1.0,
                        (s.free + s.held + s.evaporated) / s.added - 1.0, 1e-12, 1e-12);
        for (int p = 0; p < 2; p++) {
            const double all = mn_stain_solute_total(q.f->solute, p) / q.f->pigment_added[p];
            snprintf(text, sizeof text, "pigment %d after %d steps: all states over what was added", p, steps);
            mn_verify_value(r, text, all, 1.0, all - 1.0, 1e-12, 1e-12);
        }
        // A uniform stretch by s: the same masses on an area s times as large.
        const double before = q.f->free[84] / q.f->surface->area[84], s_x = 1.3;
        for (int64_t v = 0; v < q.mesh.vertex_count; v++) q.x[v] = mn_v3(s_x * q.mesh.x[v].x, q.mesh.x[v].y, 0.0);
        def.vertex_count   = q.mesh.vertex_count;
        st                 = mn_stain_film_stretch(q.f, q.x, &def);
        const double after = q.f->free[84] / q.f->surface->area[84];
        const double kept  = after * s_x / before;
        if (st == MN_OK)
            mn_verify_value(r, "density times stretch, after a stretch by 1.3", kept, 1.0, kept - 1.0, 1e-12, 1e-12);
    }
    sample_free(c, &q);
    return st;
}
