// SPDX-License-Identifier: MPL-2.0
// stain/film.c - making a film, feeding it, and its sums.
#include "stain/film_private.h"

#include <string.h>

mn_stain_film_def mn_stain_film_def_default(void)
{
    return (mn_stain_film_def){ .exchange  = mn_stain_exchange_def_default(),
                                .h         = 0.01,
                                .gravity   = { 0.0, -980.0, 0.0 },
                                .tolerance = 1e-10 };
}

const char *mn_stain_part_name(int part)
{
    static const char *const names[] = {
#define X(name, text) text,
        MN_STAIN_PARTS(X)
#undef X
    };
    return part >= 0 && part < MN_STAIN_PART_COUNT ? names[part] : "";
}

void mn_stain_film_model_destroy(mn_stain_film *f)
{
    mn_stain_film_model *m = f->model;
    if (m == NULL) return;
    mn_stain_diffusion_destroy(&m->diffusion);
    mn_stain_operator_destroy(&m->spread);
    mn_stain_covariant_destroy(&m->friction);
    for (int p = 0; m->mix != NULL && p < f->def.pigments; p++) mn_stain_operator_destroy(&m->mix[p]);
    mn_stain_rest_destroy(&m->rest);
    mn_free(f->context, m->x);
    mn_free(f->context, m->mix);
    mn_free(f->context, m);
    f->model = NULL;
}

mn_status mn_stain_film_model_create(mn_stain_film *f, const mn_stain_film_def *def)
{
    const int64_t        n = f->surface->vertex_count;
    mn_stain_film_model *m = f->model = mn_alloc(f->context, sizeof *m);
    if (m == NULL) return MN_ERR_MEMORY;
    m->x   = mn_alloc_array(f->context, mn_vec3, n);
    m->mix = mn_alloc_array(f->context, mn_stain_operator *, def->pigments);
    if (m->x == NULL || m->mix == NULL) return MN_ERR_MEMORY;
    memcpy(m->x, f->measured, (size_t)n * sizeof *m->x);
    MN_TRY(mn_stain_rest_create(f->surface, m->x, &m->rest));
    MN_TRY(mn_stain_operator_create(f->surface, &(mn_stain_operator_def){ .tensor = def->spread, .patch = def->patch },
                                    &m->spread));
    MN_TRY(mn_stain_film_set_step(f, f->def.h));
    if (def->friction != NULL) MN_TRY(mn_stain_covariant_create(f->surface, def->friction, NULL, 0, &m->friction));
    for (int p = 0; p < def->pigments; p++)
        if (def->mix != NULL && def->mix[p] != NULL)
            MN_TRY(mn_stain_operator_create(f->surface,
                                            &(mn_stain_operator_def){ .tensor = def->mix[p], .patch = def->patch },
                                            &m->mix[p]));
    return MN_OK;
}

mn_status mn_stain_film_set_step(mn_stain_film *f, double h)
{
    mn_stain_diffusion_def how = mn_stain_diffusion_def_default();
    mn_stain_diffusion    *d   = NULL;
    if (f->model->diffusion != NULL && f->def.h == h) return MN_OK;
    how.tolerance = f->def.tolerance;
    MN_TRY(mn_stain_diffusion_create(f->model->spread, f->surface->area, h, &how, &d));
    mn_stain_diffusion_destroy(&f->model->diffusion);
    f->model->diffusion = d;
    f->def.h            = h;
    return MN_OK;
}

static mn_status check_def(mn_context *c, const mn_stain_film_def *d)
{
    if (!(d->h > 0.0)) return mn_fail(c, MN_ERR_ARGUMENT, "a stain needs a step above 0 s, not %g", d->h);
    if (!(d->drag >= 0.0 && d->pin >= 0.0 && d->density >= 0.0))
        return mn_fail(c, MN_ERR_ARGUMENT, "drag (%g), pin (%g) and density (%g) of a stain must not be negative",
                       d->drag, d->pin, d->density);
    const mn_stain_exchange_def *e = &d->exchange;
    if (!(e->absorb_rate >= 0.0 && e->hold >= 0.0 && e->evaporation >= 0.0 && e->rim_factor >= 0.0 && e->dry >= 0.0 &&
          e->wet >= e->dry))
        return mn_fail(c, MN_ERR_ARGUMENT,
                       "rates and thresholds of a stain must not be negative, and wet (%g) not below dry (%g)", e->wet,
                       e->dry);
    for (int p = 0; p < d->pigments; p++) {
        const mn_stain_pigment *k = &d->pigment[p];
        if (!(k->rate >= 0.0 && k->capacity >= 0.0 && k->attach >= 0.0 && k->detach >= 0.0 && k->solubility >= 0.0 &&
              k->dissolve >= 0.0))
            return mn_fail(c, MN_ERR_ARGUMENT, "pigment %d of a stain has a negative rate or capacity", p);
    }
    return MN_OK;
}

static mn_status allocate(mn_stain_film *f)
{
    mn_context   *c    = f->context;
    const int64_t n    = f->surface->vertex_count;
    f->free            = mn_alloc_array(c, double, n);
    f->held            = mn_alloc_array(c, double, n);
    f->u               = mn_alloc_array(c, mn_stain_vec, n);
    f->impulse         = mn_alloc_array(c, mn_vec3, n);
    f->pigment_added   = mn_alloc_array(c, double, f->def.pigments);
    f->pigment_removed = mn_alloc_array(c, double, f->def.pigments);
    f->measured        = mn_alloc_array(c, mn_vec3, n);
    bool ok = f->measured != NULL && f->free != NULL && f->held != NULL && f->u != NULL && f->impulse != NULL &&
              f->pigment_added != NULL && f->pigment_removed != NULL;
    for (int k = 0; k < 3; k++) {
        f->x[k]     = mn_alloc_array(c, mn_vec3, n);
        f->frame[k] = mn_alloc_array(c, mn_stain_frame, n);
        ok          = ok && f->x[k] != NULL && f->frame[k] != NULL;
    }
    return ok ? MN_OK : MN_ERR_MEMORY;
}

static mn_status build(mn_stain_film *f, const mn_stain_film_def *def)
{
    MN_TRY(check_def(f->context, def));
    MN_TRY(mn_stain_surface_create(f->context, def->vertex_count, def->x, def->triangle_count, def->triangle,
                                   &f->surface));
    MN_TRY(mn_stain_solute_create(f->context, def->vertex_count, def->pigments, &f->solute));
    MN_TRY(allocate(f));
    mn_stain_pigment *pigment = mn_alloc_array(f->context, mn_stain_pigment, def->pigments);
    if (pigment == NULL) return MN_ERR_MEMORY;
    if (def->pigments > 0) memcpy(pigment, def->pigment, (size_t)def->pigments * sizeof *pigment);
    f->def.pigment = pigment;
    memcpy(f->measured, def->x, (size_t)def->vertex_count * sizeof *def->x);
    MN_TRY(mn_stain_film_model_create(f, def));
    return mn_stain_film_place(f, NULL, def->x);
}

mn_status mn_stain_film_create(mn_context *c, const mn_stain_film_def *def, mn_stain_film **out)
{
    *out             = NULL;
    mn_stain_film *f = mn_alloc(c, sizeof *f);
    if (f == NULL) return MN_ERR_MEMORY;
    f->context      = c;
    f->def          = *def;
    f->def.pigment  = NULL;
    f->def.x        = NULL;
    f->def.triangle = NULL;
    f->def.patch    = NULL;
    f->def.spread = f->def.friction = NULL;
    f->def.mix                      = NULL;
    const mn_status st              = build(f, def);
    if (st != MN_OK) mn_stain_film_destroy(&f);
    *out = f;
    return st;
}

void mn_stain_film_destroy(mn_stain_film **film)
{
    mn_stain_film *f = *film;
    if (f == NULL) return;
    mn_context *c = f->context;
    mn_stain_film_model_destroy(f);
    void *const arrays[] = { f->free,
                             f->held,
                             f->u,
                             f->cap,
                             f->dries,
                             f->impulse,
                             f->pigment_added,
                             f->pigment_removed,
                             f->measured,
                             f->x[0],
                             f->x[1],
                             f->x[2],
                             f->frame[0],
                             f->frame[1],
                             f->frame[2],
                             (void *)(uintptr_t)f->def.pigment };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) mn_free(c, arrays[k]);
    mn_stain_solute_destroy(&f->solute);
    mn_stain_surface_destroy(&f->surface);
    mn_free(c, f);
    *film = NULL;
}

mn_status mn_stain_film_place(mn_stain_film *f, const mn_vec3 *before, const mn_vec3 *now)
{
    const size_t bytes = (size_t)f->surface->vertex_count * sizeof *now;
    if (now != f->x[1]) memmove(f->x[1], now, bytes);
    memmove(f->x[0], before != NULL ? before : f->x[1], bytes);
    f->h_before = f->def.h;
    mn_stain_frames(f->model->rest, f->x[1], f->frame[1]);
    if (before != NULL) mn_stain_frames(f->model->rest, f->x[0], f->frame[0]);
    else memcpy(f->frame[0], f->frame[1], (size_t)f->surface->vertex_count * sizeof *f->frame[0]);
    return MN_OK;
}

mn_status mn_stain_film_stretch(mn_stain_film *f, const mn_vec3 *x, const mn_stain_film_def *tensors)
{
    // Velocities keep their directions in space; their frames change, since a new rest state has frames of its own.
    const int64_t n = f->surface->vertex_count;
    mn_vec3      *u = mn_alloc_array(f->context, mn_vec3, n);
    if (u == NULL) return MN_ERR_MEMORY;
    mn_stain_frames(f->model->rest, x, f->frame[1]);
    for (int64_t v = 0; v < n; v++)
        u[v] = mn_add3(mn_scale3(f->u[v].x, f->frame[1][v].x), mn_scale3(f->u[v].y, mn_stain_frame_y(&f->frame[1][v])));
    memcpy(f->measured, x, (size_t)n * sizeof *x);
    mn_status st = mn_stain_film_remeasure(f, tensors);
    if (st == MN_OK) st = mn_stain_film_place(f, NULL, x);
    for (int64_t v = 0; st == MN_OK && v < n; v++) {
        const mn_vec3 y = mn_stain_frame_y(&f->frame[1][v]);
        f->u[v]         = (mn_stain_vec){ mn_dot3(f->frame[1][v].x, u[v]), mn_dot3(y, u[v]) };
    }
    mn_free(f->context, u);
    return st;
}

double mn_stain_film_strain(const mn_stain_film *f, const mn_vec3 *x)
{
    double most = 0.0;
    for (int64_t e = 0; e < f->surface->edges.count; e++) {
        const int32_t a = f->surface->edges.end[e][0], b = f->surface->edges.end[e][1];
        const double  length = mn_norm3(mn_sub3(f->measured[b], f->measured[a]));
        most                 = fmax(most, fabs(mn_norm3(mn_sub3(x[b], x[a])) / length - 1.0));
    }
    return most;
}

void mn_stain_film_add(mn_stain_film *f, int64_t v, double liquid, const double *pigment, mn_stain_vec velocity)
{
    const double total = f->free[v] + liquid;
    if (total > 0.0) {
        f->u[v].x = (f->free[v] * f->u[v].x + liquid * velocity.x) / total;
        f->u[v].y = (f->free[v] * f->u[v].y + liquid * velocity.y) / total;
    }
    f->free[v] = total;
    f->added += liquid;
    for (int p = 0; pigment != NULL && p < f->def.pigments; p++) {
        mn_stain_solute_of(f->solute, MN_STAIN_DISSOLVED, p)[v] += pigment[p];
        f->pigment_added[p] += pigment[p];
    }
}

static void count_change(double change, double *added, double *removed)
{
    if (change > 0.0) *added += change;
    else *removed -= change;
}

void mn_stain_film_prescribe(mn_stain_film *f, int64_t v, double density, const double *pigment)
{
    const double area = f->surface->area[v];
    count_change(density * area - f->free[v], &f->added, &f->removed);
    f->free[v] = density * area;
    for (int p = 0; p < f->def.pigments; p++) {
        double *m = mn_stain_solute_of(f->solute, MN_STAIN_DISSOLVED, p) + v;
        count_change(pigment[p] * area - *m, &f->pigment_added[p], &f->pigment_removed[p]);
        *m = pigment[p] * area;
    }
}

void mn_stain_film_load(const mn_stain_film *f, double *mass)
{
    const int64_t n = f->surface->vertex_count;
    for (int64_t v = 0; v < n; v++) mass[v] = f->free[v] + f->held[v];
    for (int k = 0; k < MN_STAIN_STATES; k++)
        for (int p = 0; p < f->def.pigments; p++) {
            const double *m = mn_stain_solute_of(f->solute, (mn_stain_state)k, p);
            for (int64_t v = 0; v < n; v++) mass[v] += m[v];
        }
}

static double sum_block(int64_t begin, int64_t end, void *context)
{
    const double *m   = context;
    double        sum = 0.0;
    for (int64_t v = begin; v < end; v++) sum += m[v];
    return sum;
}

mn_stain_sums mn_stain_film_sums(const mn_stain_film *f)
{
    mn_pool      *pool = mn_context_pool(f->context);
    const int64_t n    = f->surface->vertex_count;
    return (mn_stain_sums){ mn_parallel_sum(pool, n, sum_block, f->free), mn_parallel_sum(pool, n, sum_block, f->held),
                            f->evaporated, f->added, f->removed };
}
