// SPDX-License-Identifier: MPL-2.0
// world/matter_fabric.c - cloth and yarn as the world sees them.
#include "base/hash.h"
#include "couple/liquid_fabric.h"
#include "world/matter.h"

#include <stdio.h>
#include <string.h>

static bool present(const mn_world *w) { return mn_fabric_present(&w->fabric); }

static void add_piece(mn_world *w, mn_fabric_piece *p)
{
    for (int t = 0; t < 4; t++) p->table[t].name = p->table_name[t];  // pieces move when the list grows
    if (p->shell != NULL) {
        mn_shell_edges *e = mn_shell_state(p->shell);
        mn_world_add_block(w, &p->table[0], e, &e->count, &e->capacity);
    }
    if (p->mesh.strand_count > 0) {
        mn_world_add_block(w, &p->table[1], &p->rods.edges, &p->rods.edges.count, &p->rods.edges.capacity);
        mn_world_add_block(w, &p->table[2], &p->rods.corners, &p->rods.corners.count, &p->rods.corners.capacity);
    }
    if (p->held_count > 0) mn_world_add_block(w, &p->table[3], &p->held, &p->held.count, &p->held.capacity);
}

static void state(mn_world *w)
{
    if (!present(w)) return;
    mn_fabric           *f = &w->fabric;
    mn_fabric_vertices  *v = &f->vertices;
    mn_fabric_triangles *t = &f->triangles;
    mn_fabric_segments  *s = &f->segments;
    mn_state_block      *b = mn_world_add_block(w, mn_fabric_table_of(v), v, &v->count, &v->capacity);
    b->position            = v->position;
    b->velocity            = v->velocity;
    b->speed_slack         = 1.0;
    mn_world_add_block(w, &mn_fabric_triangle_table, t, &t->count, &t->capacity);
    mn_world_add_block(w, &mn_fabric_segment_table, s, &s->count, &s->capacity);
    for (int64_t k = 0; k < f->piece_count; k++) add_piece(w, &f->pieces[k]);
}

static void call(const mn_world *w, const mn_state_block *block, int64_t item, char *out, size_t bytes)
{
    const mn_fabric *f = &w->fabric;
    for (int64_t k = 0; k < f->piece_count; k++) {
        const mn_fabric_piece *p = &f->pieces[k];
        const struct {
            const void *base;
            const char *what;
            int64_t     first, count;
        } kind[3] = { { &f->vertices, "vertex", p->first_vertex, p->mesh.vertex_count },
                      { &f->triangles, "triangle", p->first_triangle, p->mesh.triangle_count },
                      { &f->segments, "segment", p->first_segment, p->segment_count } };
        for (int i = 0; i < 3; i++) {
            const int64_t own = item - kind[i].first;
            if (block->base != kind[i].base || own < 0 || own >= kind[i].count) continue;
            snprintf(out, bytes, "%s %lld of fabric '%s'", kind[i].what, (long long)own, p->name);
            return;
        }
    }
    snprintf(out, bytes, "%s %lld", block->table->name, (long long)item);
}

static uint64_t layout(const mn_world *w, uint64_t h)
{
    for (int64_t k = 0; k < w->fabric.piece_count; k++) {
        const mn_fabric_piece *p     = &w->fabric.pieces[k];
        const mn_thin_mesh    *m     = &p->mesh;
        const int64_t          of[3] = { m->vertex_count, m->triangle_count, m->strand_count };
        h                            = mn_hash_bytes(h, p->name, strlen(p->name));
        h                            = mn_hash_bytes(h, of, sizeof of);
        if (of[1] > 0) h = mn_hash_bytes(h, m->triangle, (size_t)of[1] * sizeof *m->triangle);
        if (of[2] == 0) continue;
        h = mn_hash_bytes(h, m->strand_start, (size_t)(of[2] + 1) * sizeof *m->strand_start);
        h = mn_hash_bytes(h, m->strand_vertex, (size_t)m->strand_start[of[2]] * sizeof *m->strand_vertex);
        h = mn_hash_bytes(h, m->strand_closed, (size_t)of[2] * sizeof *m->strand_closed);
    }
    return h;
}

static double dt_limit(mn_world *w)
{
    double speed;
    return mn_fabric_dt_limit(&w->fabric, &speed);
}

static mn_status add_room(mn_world *w, const mn_step *s) { return mn_fabric_takes_room(&w->fabric, &w->liquid, s); }

/// The counts of a fabric are fixed by its scene.
static mn_status loaded(mn_world *w)
{
    int64_t vertices = 0, triangles = 0, segments = 0;
    for (int64_t i = 0; i < w->fabric.piece_count; i++) {
        const mn_fabric_piece *p = &w->fabric.pieces[i];
        vertices += p->mesh.vertex_count;
        triangles += p->mesh.triangle_count;
        segments += p->segment_count;
        if (p->shell != NULL && mn_shell_state(p->shell)->count != p->edge_count)
            return mn_fail(w->context, MN_ERR_FILE, "the saved state of fabric '%s' does not fit its mesh", p->name);
        if (p->rods.edges.count != p->segment_count || p->rods.corners.count != p->corner_count)
            return mn_fail(w->context, MN_ERR_FILE, "the saved state of fabric '%s' does not fit its yarn", p->name);
        if (p->held.count != p->held_count)
            return mn_fail(w->context, MN_ERR_FILE, "the saved state of fabric '%s' does not fit its pins", p->name);
    }
    if (w->fabric.vertices.count == vertices && w->fabric.triangles.count == triangles &&
        w->fabric.segments.count == segments)
        return MN_OK;
    return mn_fail(w->context, MN_ERR_FILE, "the saved state has %lld fabric vertices; the scene has %lld",
                   (long long)w->fabric.vertices.count, (long long)vertices);
}

/// Its stages keep what they change, activate most of it.
static mn_status keep(mn_world *w)
{
    w->fabric.kept = false;
    return MN_OK;
}

static mn_status take_back(mn_world *w)
{
    mn_fabric_roll_back(&w->fabric);
    return MN_OK;
}

static void sums(mn_world *w, mn_ledger *l)
{
    if (mn_fabric_prepare(&w->fabric) != MN_OK) return;
    const mn_fabric_sums s = mn_fabric_sum(&w->fabric);
    l->momentum_x += s.momentum.x, l->momentum_y += s.momentum.y, l->momentum_z += s.momentum.z;
    l->energy_kinetic += s.kinetic;
    l->energy_gravity += s.gravity;
    l->liquid_fabric = s.held;
    l->max_speed     = fmax(l->max_speed, mn_fabric_max_speed(&w->fabric));
    if (mn_fabric_elastic_energy(&w->fabric, w->arena, &l->energy_elastic) != MN_OK) l->energy_elastic = NAN;
}

static void view_box(const mn_world *w, mn_world_box *box)
{
    const mn_fabric_vertices *v = &w->fabric.vertices;
    for (int64_t i = 0; i < v->count; i++)
        mn_world_box_add(box, mn_v3(v->position[0][i], v->position[1][i], v->position[2][i]));
}

static void destroy(mn_world *w) { mn_fabric_destroy(&w->fabric); }

const mn_matter mn_matter_fabric = { .name      = "fabric",
                                     .present   = present,
                                     .state     = state,
                                     .layout    = layout,
                                     .call      = call,
                                     .dt_limit  = dt_limit,
                                     .add_room  = add_room,
                                     .sums      = sums,
                                     .loaded    = loaded,
                                     .view_box  = view_box,
                                     .destroy   = destroy,
                                     .keep      = keep,
                                     .take_back = take_back };
