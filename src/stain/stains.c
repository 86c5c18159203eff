// SPDX-License-Identifier: MPL-2.0
// stain/stains.c - the steps of stains among those of the world, their state, views and sums.
#include "stain/stains.h"

#include "stain/stains_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A step of a film that ends within this share of itself after a time ends there.
#define SAME_TIME 1e-9

void mn_stains_init(mn_context *c, mn_vec3 gravity, mn_stains *out)
{
    *out = (mn_stains){ .context = c, .gravity = gravity };
}

// --- steps -----------------------------------------------------------------------------------------------------------

static double next_end(const mn_stained_cloth *s) { return (s->steps + 1.0) * s->def.step; }

double mn_stains_stop(const mn_stains *all, double now, double until)
{
    double stop = until;
    for (int64_t k = 0; k < all->count; k++) {
        const double end = next_end(&all->list[k]), slack = SAME_TIME * all->list[k].def.step;
        if (end < stop - slack && end > now + slack) stop = end;
    }
    return stop;
}

static int compare_vertices(const void *a, const void *b)
{
    const int32_t s = *(const int32_t *)a, t = *(const int32_t *)b;
    return (s > t) - (s < t);
}

static bool works(const mn_stain_source *source, double time)
{
    return time >= source->during[0] && time <= source->during[1];
}

/// Where sources overlap the last one holds; one after the other they would take away in every step what they brought.
static bool is_held_later(const mn_stained_cloth *s, int k, int32_t vertex, double time)
{
    for (int j = k + 1; j < s->source_count; j++) {
        const mn_stain_source *later = &s->sources[j];
        if (works(later, time) &&
            bsearch(&vertex, later->vertex, (size_t)later->count, sizeof vertex, compare_vertices) != NULL)
            return true;
    }
    return false;
}

static void run_sources(mn_stained_cloth *s, double time)
{
    for (int k = 0; k < s->source_count; k++) {
        const mn_stain_source *source = &s->sources[k];
        if (!works(source, time)) continue;
        for (int64_t i = 0; i < source->count; i++)
            if (!is_held_later(s, k, source->vertex[i], time))
                mn_stain_film_prescribe(s->film, source->vertex[i], source->density, source->pigment);
    }
}

static mn_status step_stain(mn_context *c, mn_stained_cloth *s, double time, mn_arena *arena)
{
    const bool           moves = s->def.inertia && (s->carrier.number >= 0 || s->motion != NULL || s->files != NULL);
    mn_stain_step_report report;
    const bool           finite = mn_stain_film_keep(s->film, s->kept);
    s->stepped                  = true;
    s->steps_before             = s->steps;
    s->steps += 1.0;
    if (!finite) return mn_fail(c, MN_ERR_NOT_FINITE, "the state of stain '%s' is not finite", s->def.name);
    MN_TRY(mn_stain_threads_follow(s, arena));
    mn_vec3 *after = mn_arena_array(arena, mn_vec3, s->film->surface->vertex_count);
    if (after == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_stain_cloth_at(c, s, &s->carrier, time, after));
    MN_TRY(mn_stain_film_step(s->film, moves ? after : NULL, arena, &report));
    if (!moves) MN_TRY(mn_stain_film_place(s->film, NULL, after));
    if (!report.converged)
        mn_log(c, MN_LOG_WARNING, "stain_not_converged", "at %.9g s a solve of stain '%s' stopped before its tolerance",
               time, s->def.name);
    run_sources(s, time);
    return MN_OK;
}

void mn_stains_keep(mn_stains *all)
{
    for (int64_t k = 0; k < all->count; k++) all->list[k].stepped = false;
}

mn_status mn_stains_step(mn_stains *all, const mn_step *step)
{
    const double time = step->time + step->dt;
    for (int64_t k = 0; k < all->count; k++) {
        mn_stained_cloth *s = &all->list[k];
        if (time >= next_end(s) - SAME_TIME * s->def.step) MN_TRY(step_stain(all->context, s, time, step->arena));
    }
    return MN_OK;
}

mn_status mn_stains_take_back(mn_stains *all, mn_arena *arena)
{
    for (int64_t k = 0; k < all->count; k++) {
        mn_stained_cloth *s = &all->list[k];
        if (!s->stepped) continue;
        s->stepped = false;
        s->steps   = s->steps_before;
        mn_stain_film_take_back(s->film, s->kept);
        MN_TRY(mn_stain_threads_restore(s, arena));
    }
    return MN_OK;
}

// --- state -----------------------------------------------------------------------------------------------------------

/// The runs of the film, and the count of its steps behind them.
static int list_runs(mn_stained_cloth *s, mn_stain_run runs[MN_STAIN_RUNS + 1])
{
    const int count = mn_stain_film_runs(s->film, runs);
    runs[count]     = (mn_stain_run){ "steps", &s->steps, 1 };
    return count + 1;
}

void mn_stains_name_blocks(mn_stained_cloth *s, const char *name)
{
    mn_stain_run runs[MN_STAIN_RUNS + 1];
    s->block_count = list_runs(s, runs);
    for (int k = 0; k < s->block_count; k++) {
        mn_stain_block *b = &s->block[k];
        snprintf(b->name, sizeof b->name, "stain_%s_%s", name, runs[k].name);
        b->field = (mn_field){ .name       = "value",
                               .unit       = "-",
                               .help       = "state of a stain",
                               .type       = MN_TYPE_double,
                               .components = 1,
                               .offset     = 0,
                               .flags      = MN_FIELD_SAVED };
    }
}

void mn_stains_blocks(mn_stained_cloth *s)
{
    mn_stain_run runs[MN_STAIN_RUNS + 1];
    list_runs(s, runs);
    for (int k = 0; k < s->block_count; k++) {
        mn_stain_block *b = &s->block[k];
        b->first          = runs[k].first;  // arrays of a film change places, and stains do when their list grows
        b->count = b->capacity = runs[k].count;
        b->table               = (mn_field_table){ b->name, &b->field, 1 };
    }
}

static mn_status loaded(mn_stained_cloth *s, mn_arena *arena)
{
    mn_stain_run runs[MN_STAIN_RUNS + 1];
    const int    count = list_runs(s, runs);
    for (int k = 0; k < count; k++)
        if (s->block[k].count != runs[k].count)
            return mn_fail(s->film->context, MN_ERR_FILE, "the saved state of stain '%s' does not fit its cloth",
                           s->def.name);
    return mn_stain_threads_restore(s, arena);
}

mn_status mn_stains_loaded(mn_stains *all, mn_arena *arena)
{
    for (int64_t k = 0; k < all->count; k++) MN_TRY(loaded(&all->list[k], arena));
    return MN_OK;
}

// --- sums and views --------------------------------------------------------------------------------------------------

mn_stains_sums mn_stains_sum(const mn_stains *all)
{
    mn_stains_sums sum = { .liquid = 0.0 };
    for (int64_t k = 0; k < all->count; k++) {
        const mn_stained_cloth *s   = &all->list[k];
        const mn_stain_sums     own = mn_stain_film_sums(s->film);
        sum.liquid += (own.free + own.held) / s->def.density;
        sum.added += own.added / s->def.density;
        sum.removed += own.removed / s->def.density;
        sum.evaporated += own.evaporated / s->def.density;
        for (int p = 0; p < s->def.pigment_count; p++) {
            sum.solute += mn_stain_solute_total(s->film->solute, p);
            sum.solute_added += s->film->pigment_added[p];
            sum.solute_removed += s->film->pigment_removed[p];
        }
    }
    return sum;
}

mn_status mn_stains_place(const mn_stains *all, int64_t stain, const mn_stain_carrier *on, double time, mn_vec3 *out)
{
    return mn_stain_cloth_at(all->context, &all->list[stain], on, time, out);
}

mn_stain_view mn_stains_view(const mn_stains *all, int64_t stain)
{
    const mn_stained_cloth *s = &all->list[stain];
    const mn_stain_film    *f = s->film;
    mn_stain_view           v = { .name           = s->def.name,
                                  .fabric         = s->carrier.number,
                                  .step           = s->def.in_fabric ? 0.0 : s->def.step,
                                  .vertex_count   = f->surface->vertex_count,
                                  .triangle_count = f->surface->triangle_count,
                                  .fabric_vertex  = s->carrier.number >= 0 ? s->mesh_vertex : NULL,
                                  .position       = (const double(*)[3])f->x[1],
                                  .triangle       = (const int32_t(*)[3])f->surface->triangle,
                                  .area           = f->surface->area,
                                  .free           = f->free,
                                  .held           = f->held,
                                  .pigment_count  = s->def.pigment_count,
                                  .pigments       = s->pigments,
                                  .cloth_colour   = s->def.cloth_colour,
                                  .texture        = s->def.texture,
                                  .texture_count  = s->texture.count,
                                  .texture_at     = (const double(*)[2])s->texture.at,
                                  .texture_corner = (const int32_t(*)[3])s->texture.corner };
    for (int p = 0; p < v.pigment_count; p++) {
        v.dissolved[p] = mn_stain_solute_of(f->solute, MN_STAIN_DISSOLVED, p);
        v.soaked[p]    = mn_stain_solute_of(f->solute, MN_STAIN_HELD, p);
        v.adsorbed[p]  = mn_stain_solute_of(f->solute, MN_STAIN_ADSORBED, p);
        v.dried[p]     = mn_stain_solute_of(f->solute, MN_STAIN_DRIED, p);
    }
    return v;
}
