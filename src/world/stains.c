// SPDX-License-Identifier: MPL-2.0
// world/stains.c - the steps of stains among those of the world, their views and sums.
#include "world/world.h"

#include <stdio.h>
#include <string.h>

/// A step of a film that ends within this share of itself after a time ends there.
#define SAME_TIME 1e-9

static double next_end(const mn_stained_cloth *s) { return (s->steps + 1.0) * s->def.step; }

double mn_world_stain_stop(const mn_world *w, double until)
{
    double stop = until;
    for (int64_t k = 0; k < w->stain_count; k++) {
        const double end = next_end(&w->stains[k]), slack = SAME_TIME * w->stains[k].def.step;
        if (end < stop - slack && end > w->now.time + slack) stop = end;
    }
    return stop;
}

/// Positions that files give, of the vertices that the film has.
static mn_status cloth_of_files(mn_context *c, const mn_stained_cloth *s, double time, mn_vec3 *out)
{
    double(*all)[3] = mn_alloc(c, mn_array_bytes(mn_mesh_sequence_mesh(s->files)->vertex_count, sizeof *all));
    if (all == NULL) return MN_ERR_MEMORY;
    const mn_status status = mn_mesh_sequence_at(s->files, time, all, NULL, NULL);
    for (int64_t v = 0; status == MN_OK && v < s->film->surface->vertex_count; v++)
        out[v] = mn_v3_from(all[s->mesh_vertex[v]]);
    mn_free(c, all);
    return status;
}

mn_status mn_world_stain_cloth(const mn_world *w, const mn_stained_cloth *s, double time, mn_vec3 *out)
{
    if (s->files != NULL) return cloth_of_files(w->context, s, time, out);
    const mn_pose        pose = mn_motion_pose(s->motion, time);
    const mn_fabric_view f    = s->fabric >= 0 ? mn_world_fabric(w, s->fabric) : (mn_fabric_view){ .name = NULL };
    for (int64_t v = 0; v < s->film->surface->vertex_count; v++) {
        const int64_t i = s->fabric >= 0 ? s->mesh_vertex[v] : v;
        out[v]          = s->fabric >= 0 ? mn_v3(f.position.x[i], f.position.y[i], f.position.z[i])
                                         : mn_pose_point(&pose, s->rest[v]);
    }
    return MN_OK;
}

static mn_status place_cloth(mn_world *w, const mn_stained_cloth *s, double time, const mn_vec3 **out)
{
    const int64_t n = s->film->surface->vertex_count;
    mn_vec3      *x = mn_arena_array(w->arena, mn_vec3, n);
    if (x == NULL) return MN_ERR_MEMORY;
    *out = x;
    return mn_world_stain_cloth(w, s, time, x);
}

static void run_sources(mn_stained_cloth *s, double time)
{
    for (int k = 0; k < s->source_count; k++) {
        const mn_stain_source *source = &s->sources[k];
        if (time < source->during[0] || time > source->during[1]) continue;
        for (int64_t i = 0; i < source->count; i++)
            mn_stain_film_prescribe(s->film, source->vertex[i], source->density, source->pigment);
    }
}

/// What friction takes from the film it gives to the fabric (stain 5.8).
static void push_fabric(mn_world *w, const mn_stained_cloth *s)
{
    mn_fabric    *f     = &w->fabric;
    const int64_t first = f->pieces[s->fabric].first_vertex;
    for (int64_t v = 0; v < s->film->surface->vertex_count; v++) {
        const int64_t i    = first + s->mesh_vertex[v];
        const mn_vec3 push = mn_scale3(1.0 / f->step.inertia[i], s->film->impulse[v]);
        f->vertices.velocity[0][i] += push.x;
        f->vertices.velocity[1][i] += push.y;
        f->vertices.velocity[2][i] += push.z;
    }
}

static mn_status step_stain(mn_world *w, mn_stained_cloth *s, double time)
{
    const mn_vec3       *after = NULL;
    mn_stain_step_report report;
    const bool           moves = s->def.inertia && (s->fabric >= 0 || s->motion != NULL || s->files != NULL);
    mn_stain_film_keep(s->film, s->kept);
    s->stepped = true;
    s->steps += 1.0;
    MN_TRY(mn_world_stain_follow(w, s));
    MN_TRY(place_cloth(w, s, time, &after));
    MN_TRY(mn_stain_film_step(s->film, moves ? after : NULL, w->arena, &report));
    if (!moves) MN_TRY(mn_stain_film_place(s->film, NULL, after));
    if (!report.converged)
        mn_log(w->context, MN_LOG_WARNING, "stain_not_converged",
               "at %.9g s a solve of stain '%s' stopped before its tolerance", time, s->def.name);
    run_sources(s, time);
    if (s->def.two_way && s->fabric >= 0) push_fabric(w, s);
    return MN_OK;
}

mn_status mn_world_stain_step(mn_world *w, double time)
{
    for (int64_t k = 0; k < w->stain_count; k++) {
        mn_stained_cloth *s = &w->stains[k];
        s->stepped          = false;
        if (time >= next_end(s) - SAME_TIME * s->def.step) MN_TRY(step_stain(w, s, time));
    }
    return MN_OK;
}

mn_status mn_world_stain_roll_back(mn_world *w)
{
    for (int64_t k = 0; k < w->stain_count; k++) {
        mn_stained_cloth *s = &w->stains[k];
        if (!s->stepped) continue;
        s->stepped = false;
        s->steps -= 1.0;
        mn_stain_film_take_back(s->film, s->kept);
        MN_TRY(mn_world_stain_restore(w, s));
    }
    return MN_OK;
}

mn_status mn_world_stain_load(mn_world *w, const double **load)
{
    *load       = NULL;
    double *all = NULL;
    for (int64_t k = 0; k < w->stain_count; k++) {
        const mn_stained_cloth *s = &w->stains[k];
        if (!s->def.two_way || s->fabric < 0) continue;
        if (all == NULL) all = mn_arena_array_zero(w->arena, double, w->fabric.vertices.count);
        double *own = mn_arena_array(w->arena, double, s->film->surface->vertex_count);
        if (all == NULL || own == NULL) return MN_ERR_MEMORY;
        mn_stain_film_load(s->film, own);
        const int64_t first = w->fabric.pieces[s->fabric].first_vertex;
        for (int64_t v = 0; v < s->film->surface->vertex_count; v++) all[first + s->mesh_vertex[v]] += own[v];
    }
    *load = all;
    return MN_OK;
}

void mn_world_stain_blocks(mn_stained_cloth *s)
{
    mn_stain_run runs[MN_STAIN_RUNS];
    char         name[MN_NAME_BYTES];
    const int    count = mn_stain_film_runs(s->film, runs);
    memcpy(name, s->def.name, sizeof name);
    for (int k = 0; k <= count; k++) {
        const bool last = k == count;
        snprintf(s->table_name[k], sizeof s->table_name[k], "stain_%s_%s", name, last ? "steps" : runs[k].name);
        s->array[k] = last ? &s->steps : runs[k].first;
        s->count[k] = s->capacity[k] = last ? 1 : runs[k].count;
        s->field[k]                  = (mn_field){ .name       = "value",
                                                   .unit       = "-",
                                                   .help       = "state of a stain",
                                                   .type       = MN_TYPE_double,
                                                   .components = 1,
                                                   .offset     = 0,
                                                   .flags      = MN_FIELD_SAVED };
        s->table[k]                  = (mn_field_table){ s->table_name[k], &s->field[k], 1 };
    }
    s->block_count = count + 1;
}

mn_status mn_world_stain_loaded(mn_world *w, mn_stained_cloth *s)
{
    mn_stain_run runs[MN_STAIN_RUNS];
    const int    count = mn_stain_film_runs(s->film, runs);
    for (int k = 0; k < count; k++)
        if (s->count[k] != runs[k].count)
            return mn_fail(s->film->context, MN_ERR_FILE, "the saved state of stain '%s' does not fit its cloth",
                           s->def.name);
    return mn_world_stain_restore(w, s);
}

mn_world_stain_sums mn_world_stain_sum(const mn_world *w)
{
    mn_world_stain_sums all = { 0.0, 0.0, 0.0, 0.0, 0.0 };
    for (int64_t k = 0; k < w->stain_count; k++) {
        const mn_stained_cloth *s   = &w->stains[k];
        const mn_stain_sums     own = mn_stain_film_sums(s->film);
        all.liquid += (own.free + own.held) / s->def.density;
        all.added += own.added / s->def.density;
        all.evaporated += own.evaporated / s->def.density;
        for (int p = 0; p < s->def.pigment_count; p++) {
            all.solute += mn_stain_solute_total(s->film->solute, p);
            all.solute_added += s->film->pigment_added[p];
        }
    }
    return all;
}

mn_status mn_world_stain_positions(const mn_world *w, int stain, double (*out)[3])
{
    return mn_world_stain_cloth(w, &w->stains[stain], w->now.time, (mn_vec3 *)out);
}

int mn_world_stain_count(const mn_world *w) { return (int)w->stain_count; }

mn_stain_view mn_world_stain(const mn_world *w, int stain)
{
    const mn_stained_cloth *s = &w->stains[stain];
    const mn_stain_film    *f = s->film;
    mn_stain_view           v = { .name           = s->def.name,
                                  .fabric         = s->fabric,
                                  .vertex_count   = f->surface->vertex_count,
                                  .triangle_count = f->surface->triangle_count,
                                  .fabric_vertex  = s->fabric >= 0 ? s->mesh_vertex : NULL,
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
