// SPDX-License-Identifier: MPL-2.0
// stain/film_state.c - the state of a film as runs of doubles: what a checkpoint holds and what is taken back.
#include "stain/film_private.h"

#include <float.h>
#include <string.h>

static void add_run(mn_stain_run *runs, int *count, const char *name, double *first, int64_t doubles)
{
    runs[(*count)++] = (mn_stain_run){ name, first, doubles };
}

int mn_stain_film_runs(mn_stain_film *f, mn_stain_run runs[MN_STAIN_RUNS])
{
    static const char *const states[MN_STAIN_STATES] = { "dissolved", "soaked", "adsorbed", "dried" };
    const int64_t            n = f->surface->vertex_count, pigments = f->def.pigments;
    int                      count = 0;
    add_run(runs, &count, "free", f->free, n);
    add_run(runs, &count, "held", f->held, n);
    add_run(runs, &count, "velocity", &f->u[0].x, 2 * n);
    add_run(runs, &count, "before", &f->x[0][0].x, 3 * n);
    add_run(runs, &count, "now", &f->x[1][0].x, 3 * n);
    add_run(runs, &count, "measured", &f->measured[0].x, 3 * n);
    add_run(runs, &count, "evaporated", &f->evaporated, 1);
    add_run(runs, &count, "added", &f->added, 1);
    add_run(runs, &count, "removed", &f->removed, 1);
    for (int k = 0; k < MN_STAIN_STATES && pigments > 0; k++)
        add_run(runs, &count, states[k], f->solute->mass[k], pigments * n);
    if (pigments > 0) add_run(runs, &count, "pigment_added", f->pigment_added, pigments);
    if (pigments > 0) add_run(runs, &count, "pigment_removed", f->pigment_removed, pigments);
    return count;
}

int64_t mn_stain_film_doubles(mn_stain_film *f)
{
    mn_stain_run runs[MN_STAIN_RUNS];
    const int    count = mn_stain_film_runs(f, runs);
    int64_t      sum   = 0;
    for (int k = 0; k < count; k++) sum += runs[k].count;
    return sum;
}

bool mn_stain_film_keep(mn_stain_film *f, double *copy)
{
    mn_stain_run runs[MN_STAIN_RUNS];
    const int    count = mn_stain_film_runs(f, runs);
    int64_t      bad   = 0;
    for (int k = 0; k < count; copy += runs[k++].count)
        for (int64_t i = 0; i < runs[k].count; i++) {
            copy[i] = runs[k].first[i];
            bad += !(fabs(copy[i]) <= DBL_MAX);
        }
    return bad == 0;
}

void mn_stain_film_take_back(mn_stain_film *f, const double *copy)
{
    mn_stain_run runs[MN_STAIN_RUNS];
    const int    count = mn_stain_film_runs(f, runs);
    for (int k = 0; k < count; copy += runs[k++].count)
        memcpy(runs[k].first, copy, (size_t)runs[k].count * sizeof *copy);
}

bool mn_stain_film_is_stale(const mn_stain_film *f)
{
    return f->model == NULL ||
           memcmp(f->measured, f->model->x, (size_t)f->surface->vertex_count * sizeof *f->measured) != 0;
}

mn_status mn_stain_film_remeasure(mn_stain_film *f, const mn_stain_film_def *tensors)
{
    mn_stain_film_model_destroy(f);  // first: whatever fails, what is left counts as stale
    MN_TRY(mn_stain_surface_measure(f->surface, f->measured));
    const mn_status status = mn_stain_film_model_create(f, tensors);
    if (status != MN_OK) mn_stain_film_model_destroy(f);
    return status;
}

mn_status mn_stain_film_loaded(mn_stain_film *f) { return mn_stain_film_place(f, f->x[0], f->x[1]); }
