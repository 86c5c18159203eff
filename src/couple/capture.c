// SPDX-License-Identifier: MPL-2.0
// couple/capture.c - from particles to the pores of fabric, by way of the faces that both see (wet-fabric 5.13).
//
// Thirsty vertices and the particles near them are one set of points with numbered faces (grid/point_faces.h), so that
// "to the faces" and "from the faces" are the exact transposes that the fabric uses anyway. With g_v dt the share of a
// full cell that a vertex takes, R_i = sum_v g_v dt w_iv and V_i = sum_p V_p w_ip / 3, a face gives
//
//     q_iv = V_i (1 - exp(-R_i)) / R_i  g_v dt w_iv,
//
// the exact solution of the linear rate: never more than it has, and two halves of a step give what the whole gives.
// Both kinds are taken where they were in the middle of the step: where they are at its end would run half a step
// ahead.
#include "couple/capture.h"

#include "base/pool.h"
#include "fabric/pores/pores.h"

/// Cells from a vertex within which a particle can share a face with it.
#define REACH 3
/// Pores with less room than this share of themselves are full.
#define ROOM_LEAST 1e-9
/// Share of the reference volume below which a particle gives all it has. What is taken falls like exp(-t); the rest of
/// a thousandth would linger as long as all before it.
#define VOLUME_LEAST 1e-3
/// Rate times dt beyond which exp(-R) is nothing beside 1; a liquid without viscosity would be taken in at once.
#define RATE_MOST 100.0
#define BLOCK     1024

typedef struct capture {
    mn_liquid *liquid;
    mn_fabric *fabric;
    double     dt;
    // which vertices and particles
    double        *intake;             ///< per vertex: g_v dt, 0 for those that take nothing
    uint8_t       *marked;             ///< per particle: near a thirsty vertex
    mn_tiles       tiles;              ///< around thirsty vertices
    const uint8_t *reach;              ///< cells near them
    int32_t       *vertex, *particle;  ///< their numbers
    int64_t        vertices, particles;
    // points: the vertices, then the particles
    int64_t        points;
    mn_point_faces faces;
    mn_point_faces of_vertices;  ///< the same faces, seen by the vertices alone
    double        *give, *take;  ///< 3 values per point: what goes to the faces, what comes from them
    // on faces
    double *volume;  ///< V_i
    double *share;   ///< e_i = (1 - exp(-R_i)) / R_i, then the deficit 1 - rho_i
    double *work;
    // results
    double *gain;   ///< cm^3, per thirsty vertex
    double *scale;  ///< g_v dt times what the room of the vertex allows of it
    double *lost;   ///< share that each near particle loses
    double *mass;   ///< g, of one pigment in each near particle
} capture;

// ---- rates ---------------------------------------------------------------------------------------------------------

/// Radius of the yarn at a vertex, cm: the mean over the segments that meet there.
static double yarn_radius(const mn_fabric *q, const mn_fabric_piece *p, int64_t v)
{
    double sum   = 0.0;
    int    count = 0;
    for (int64_t k = q->element_start[v]; k < q->element_start[v + 1]; k++) {
        const int64_t s = q->element_of[k] - q->triangles.count - p->first_segment;
        if (s < 0) continue;
        sum += p->mesh.strand_radius[p->rods.edge[s].strand];
        count++;
    }
    return count > 0 ? sum / count : p->yarn.radius;
}

static const mn_fabric_piece *piece_of(const mn_fabric *q, int64_t v)
{
    int64_t k = q->piece_count - 1;
    while (q->pieces[k].first_vertex > v) k--;
    return &q->pieces[k];
}

/// Flux into fabric of half thickness or radius r, cm/s: suction across fibres over viscosity and way.
static double flux_into(const mn_fabric_material *m, const mn_liquid_material *liquid, double phi, double r)
{
    const mn_pore_law law  = mn_pore_law_of(m, liquid);
    const double      k    = mn_permeability_across(phi) * m->fiber_diameter * m->fiber_diameter;
    const double      pull = m->capture * k * 0.5 * mn_pore_suction(&law, phi);
    return pull > 0.0 ? pull / (liquid->viscosity * r) : 0.0;
}

double mn_capture_intake(const mn_fabric *q, int64_t v)
{
    const mn_fabric_piece *p   = piece_of(q, v);
    const double           phi = mn_fabric_fraction(q, v), sheet = (double)q->sheet[v];
    double                 intake = 0.0;
    // Area of cloth: V / 2 r. Of yarn, which has twice the surface for its volume: V / r.
    if (sheet > 0.0) {
        const double r = 0.5 * p->cloth.thickness;
        intake += flux_into(&p->cloth, &q->model.liquid, phi, r) * sheet * q->volume[v] / (2.0 * r);
    }
    if (sheet < 1.0) {
        const double r = yarn_radius(q, p, v);
        intake += flux_into(&p->yarn, &q->model.liquid, phi, r) * (1.0 - sheet) * q->volume[v] / r;
    }
    return intake;
}

static bool wets(const mn_fabric_material *m) { return m->capture > 0.0 && cos(m->contact_angle) > 0.0; }

static double room_of(const mn_fabric *q, int64_t v) { return mn_fabric_pores(q, v) - q->vertices.held[0][v]; }

// ---- who takes part ------------------------------------------------------------------------------------------------

/// Where a point was in the middle of the step.
static double half_way(const capture *c, double *const x[3], double *const u[3], int a, int64_t i)
{
    return x[a][i] - 0.5 * c->dt * u[a][i];
}

static double vertex_place(const capture *c, int a, int64_t v)
{
    return half_way(c, c->fabric->vertices.position, c->fabric->vertices.velocity, a, v);
}

static double particle_place(const capture *c, int a, int64_t i)
{
    const mn_liquid_particles *p = mn_liquid_now(c->liquid);
    return half_way(c, p->position, p->velocity, a, i);
}

/// The cell of a point; false if the point is nowhere. A step that went wrong is the audit's to find.
static bool cell_of(const capture *c, double place_of(const capture *, int, int64_t), int64_t i, int32_t cell[3])
{
    const mn_grid_def *g = &c->fabric->model.grid;
    for (int a = 0; a < 3; a++) {
        const double place = mn_place_in_cells(place_of(c, a, i), mn_get3(g->origin, a), 1.0 / g->cell);
        if (!(fabs(place) < 0x1p30)) return false;
        cell[a] = mn_cell_floor(place);
    }
    return true;
}

static mn_tile_coord tile_at(const int32_t cell[3])
{
    return (mn_tile_coord){ mn_tile_of_cell(cell[0]), mn_tile_of_cell(cell[1]), mn_tile_of_cell(cell[2]) };
}

/// Vertices with room, in a tile that the liquid has: its margin covers what kernels reach after the move.
static void find_intake(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const capture   *c           = context;
    const mn_fabric *q           = c->fabric;
    const double     cell_volume = mn_cell_volume(&q->model.grid);
    for (int64_t v = begin; v < end; v++) {
        const mn_fabric_piece *p = piece_of(q, v);
        int32_t                cell[3];
        c->intake[v] = 0.0;
        if (!(room_of(q, v) > ROOM_LEAST * mn_fabric_pores(q, v)) || !(wets(&p->cloth) || wets(&p->yarn))) continue;
        if (!cell_of(c, vertex_place, v, cell) || mn_tiles_find(&c->liquid->grid.tiles, tile_at(cell)) == 0) continue;
        c->intake[v] = fmin(c->dt * mn_capture_intake(q, v) / cell_volume, RATE_MOST);
    }
}

/// Particles in the cells that thirsty vertices reach. Neighbours in memory are mostly neighbours in space.
static void mark_particles(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const capture *c    = context;
    mn_tile_coord  last = { INT32_MIN, 0, 0 };
    int32_t        tile = 0;
    for (int64_t i = begin; i < end; i++) {
        int32_t cell[3];
        c->marked[i] = 0;
        if (!cell_of(c, particle_place, i, cell)) continue;
        const mn_tile_coord at = tile_at(cell);
        if (at.x != last.x || at.y != last.y || at.z != last.z) tile = mn_tiles_find(&c->tiles, at);
        last = at;
        if (tile == 0) continue;
        const uint8_t bits = c->reach[tile * 64 + (cell[2] & 7) * MN_TILE + (cell[1] & 7)];
        c->marked[i]       = (uint8_t)(bits >> (cell[0] & 7) & 1);
    }
}

static mn_status find_vertices(capture *c, mn_arena *arena)
{
    const mn_fabric *q = c->fabric;
    c->intake          = mn_arena_array(arena, double, q->vertices.count);
    c->vertex          = mn_arena_array(arena, int32_t, q->vertices.count);
    if (c->intake == NULL || c->vertex == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), q->vertices.count, BLOCK, find_intake, c);
    for (int64_t v = 0; v < q->vertices.count; v++)
        if (c->intake[v] > 0.0) c->vertex[c->vertices++] = (int32_t)v;
    return MN_OK;
}

static mn_status find_particles(capture *c, mn_arena *arena)
{
    const mn_fabric           *q = c->fabric;
    const mn_liquid_particles *p = mn_liquid_now(c->liquid);
    mn_bins                    bins;
    double                    *x[3];
    for (int a = 0; a < 3; a++) {
        if ((x[a] = mn_arena_array(arena, double, c->vertices)) == NULL) return MN_ERR_MEMORY;
        for (int64_t k = 0; k < c->vertices; k++) x[a][k] = vertex_place(c, a, c->vertex[k]);
    }
    MN_TRY(mn_bins_build(q->context, arena, &q->model.grid, (const double *const *)x, c->vertices, REACH, &c->tiles,
                         &bins));
    MN_TRY(mn_bins_reach(q->context, arena, &c->tiles, &bins, REACH, &c->reach));
    c->marked   = mn_arena_array(arena, uint8_t, p->count);
    c->particle = mn_arena_array(arena, int32_t, p->count);
    if (c->marked == NULL || c->particle == NULL) return MN_ERR_MEMORY;
    mn_parallel_for(mn_context_pool(q->context), p->count, MN_BLOCK, mark_particles, c);
    for (int64_t i = 0; i < p->count; i++)
        if (c->marked[i]) c->particle[c->particles++] = (int32_t)i;
    return MN_OK;
}

static mn_status number_points(capture *c, mn_arena *arena)
{
    c->points = c->vertices + c->particles;
    double *x[3];
    for (int a = 0; a < 3; a++) {
        if ((x[a] = mn_arena_array(arena, double, c->points)) == NULL) return MN_ERR_MEMORY;
        for (int64_t k = 0; k < c->vertices; k++) x[a][k] = vertex_place(c, a, c->vertex[k]);
        for (int64_t k = 0; k < c->particles; k++) x[a][c->vertices + k] = particle_place(c, a, c->particle[k]);
    }
    MN_TRY(mn_point_faces_build(c->fabric->context, arena, &c->fabric->model.grid, (const double *const *)x, c->points,
                                &c->faces));
    // Most passes concern the vertices alone.
    MN_TRY(mn_point_faces_part(arena, &c->faces, 0, c->vertices, &c->of_vertices));
    c->give   = mn_arena_array(arena, double, 3 * c->points);
    c->take   = mn_arena_array(arena, double, 3 * c->points);
    c->volume = mn_point_faces_array(arena, &c->faces);
    c->share  = mn_point_faces_array(arena, &c->faces);
    c->work   = mn_point_faces_array(arena, &c->faces);
    c->gain   = mn_arena_array(arena, double, c->vertices);
    c->scale  = mn_arena_array(arena, double, c->vertices);
    c->lost   = mn_arena_array(arena, double, c->particles);
    c->mass   = mn_arena_array(arena, double, c->particles);
    return c->give && c->take && c->volume && c->share && c->work && c->gain && c->scale && c->lost && c->mass
               ? MN_OK
               : MN_ERR_MEMORY;
}

// ---- to the faces and back -----------------------------------------------------------------------------------------

static void set_point(capture *c, int64_t k, double value)
{
    c->give[3 * k] = c->give[3 * k + 1] = c->give[3 * k + 2] = value;
}
static double sum_point(const capture *c, int64_t k)
{
    return c->take[3 * k] + c->take[3 * k + 1] + c->take[3 * k + 2];
}

/// out_i = sum over vertices of value_v w_iv.
static void vertices_to_faces(capture *c, const double *value, double *out)
{
    for (int64_t k = 0; k < c->vertices; k++) set_point(c, k, value[k]);
    mn_points_spread(c->fabric->context, &c->of_vertices, c->give, NULL, out);
}

/// out_i = sum over particles of (volume / 3) w_ip, times a component of their velocity (axis 0 .. 2) or 1 (axis -1).
static void particles_to_faces(capture *c, const double *volume, int axis, double *out)
{
    const mn_liquid_particles *p = mn_liquid_now(c->liquid);
    for (int64_t k = 0; k < c->vertices; k++) set_point(c, k, 0.0);
    for (int64_t k = 0; k < c->particles; k++) {
        const double u = axis >= 0 ? p->velocity[axis][c->particle[k]] : 1.0;
        set_point(c, c->vertices + k, volume[k] / 3.0 * u);
    }
    mn_points_spread(c->fabric->context, &c->faces, c->give, NULL, out);
}

/// take = sum over faces of w a_i b_i at all points, or at the vertices alone; `work` is used.
static void faces_to_points(capture *c, const mn_point_faces *at, const double *a, const double *b)
{
    for (int32_t i = 0; i < c->faces.count; i++) c->work[i] = a[i] * b[i];
    mn_points_collect(c->fabric->context, at, c->work, c->take, NULL);
}

/// Steps 1 to 4: what each vertex gains, and the share of it that its room allows.
static void find_gains(capture *c, const double *particle_volume)
{
    for (int64_t k = 0; k < c->vertices; k++) c->scale[k] = c->intake[c->vertex[k]];
    particles_to_faces(c, particle_volume, -1, c->volume);
    vertices_to_faces(c, c->scale, c->share);
    for (int32_t i = 0; i < c->faces.count; i++)
        c->share[i] = c->share[i] > 0.0 ? -expm1(-c->share[i]) / c->share[i] : 0.0;
    faces_to_points(c, &c->of_vertices, c->volume, c->share);
    for (int64_t k = 0; k < c->vertices; k++) {
        const double wanted = c->scale[k] * sum_point(c, k), room = room_of(c->fabric, c->vertex[k]);
        if (wanted > room) c->scale[k] *= room / wanted;
        c->gain[k] = c->scale[k] * sum_point(c, k);
    }
}

/// Momentum per density that vertices take over while they gain `gain`: each component like the volume. (step 5)
static void give_to_vertices(capture *c, const double *particle_volume, const double *gain, double *momentum_on_faces)
{
    mn_fabric   *q   = c->fabric;
    const double rho = q->model.liquid.density;
    for (int a = 0; a < 3; a++) {
        particles_to_faces(c, particle_volume, a, momentum_on_faces);
        faces_to_points(c, &c->of_vertices, momentum_on_faces, c->share);
        for (int64_t k = 0; k < c->vertices; k++) {
            const int32_t v    = c->vertex[k];
            const double  mass = q->mass[v] + rho * (q->vertices.held[0][v] + gain[k]);
            double       *u    = &q->vertices.velocity[a][v];
            *u += rho * (c->scale[k] * sum_point(c, k) - gain[k] * *u) / mass;
        }
    }
    for (int64_t k = 0; k < c->vertices; k++) q->vertices.held[0][c->vertex[k]] += gain[k];
}

/// Pigment goes with the volume: like it from `mass` of each particle to the vertices, in the same shares.
static void give_pigment(capture *c, int pigment, const double *mass, double *on_faces)
{
    double *dissolved = c->fabric->vertices.dissolved[pigment];
    particles_to_faces(c, mass, -1, on_faces);
    faces_to_points(c, &c->of_vertices, on_faces, c->share);
    for (int64_t k = 0; k < c->vertices; k++) dissolved[c->vertex[k]] += c->scale[k] * sum_point(c, k);
}

static void give_pigments(capture *c, double *on_faces)
{
    const mn_liquid_particles *p = mn_liquid_now(c->liquid);
    for (int m = 0; m < p->pigments; m++) {
        for (int64_t k = 0; k < c->particles; k++) c->mass[k] = p->pigment[m][c->particle[k]];
        give_pigment(c, m, c->mass, on_faces);
    }
}

/// Share of its volume that each particle loses: a third of the mean deficit of the faces, sum_v q_iv / V_i, of each
/// axis.
static void find_losses(capture *c, double *on_faces)
{
    vertices_to_faces(c, c->scale, on_faces);
    faces_to_points(c, &c->faces, on_faces, c->share);
    for (int64_t k = 0; k < c->particles; k++) c->lost[k] = fmin(1.0, sum_point(c, c->vertices + k) / 3.0);
}

// ---- particles with next to nothing left ---------------------------------------------------------------------------

/// What is left of the particles that end, given to the vertices that took from them in the shares in which they took:
/// rest / lost times what each took from the particle.
static void give_rests(capture *c, double *rest, double *on_faces)
{
    for (int64_t k = 0; k < c->particles; k++) rest[k] = rest[k] > 0.0 ? rest[k] / c->lost[k] : 0.0;
    particles_to_faces(c, rest, -1, c->volume);
    faces_to_points(c, &c->of_vertices, c->volume, c->share);
    for (int64_t k = 0; k < c->vertices; k++) c->gain[k] = c->scale[k] * sum_point(c, k);
    give_to_vertices(c, rest, c->gain, on_faces);
    mn_liquid_particles *p = mn_liquid_now(c->liquid);
    for (int m = 0; m < p->pigments; m++) {
        for (int64_t k = 0; k < c->particles; k++) {
            double *left = &p->pigment[m][c->particle[k]];
            c->mass[k]   = rest[k] > 0.0 ? *left / c->lost[k] : 0.0;
            if (rest[k] > 0.0) *left = 0.0;
        }
        give_pigment(c, m, c->mass, on_faces);
    }
}

/// Take out the particles without volume among those near, from the last on: the last of all takes the place.
static int64_t take_out(capture *c)
{
    mn_liquid_particles *p       = mn_liquid_now(c->liquid);
    int64_t              removed = 0;
    for (int64_t k = c->particles - 1; k >= 0; k--) {
        if (p->volume[0][c->particle[k]] > 0.0) continue;
        p->count--;
        if (c->particle[k] != p->count) mn_fields_copy_item(mn_liquid_table_of(p), p, c->particle[k], p->count);
        removed++;
    }
    return removed;
}

static mn_status exchange(capture *c, mn_arena *arena, mn_exchange_report *report)
{
    mn_liquid_particles *p     = mn_liquid_now(c->liquid);
    const double         least = VOLUME_LEAST * c->liquid->model.reference_volume;
    double *volume = mn_arena_array(arena, double, c->particles), *rest = mn_arena_array(arena, double, c->particles);
    double *on_faces = mn_point_faces_array(arena, &c->faces);
    bool    any      = false;
    if (volume == NULL || rest == NULL || on_faces == NULL) return MN_ERR_MEMORY;
    for (int64_t k = 0; k < c->particles; k++) volume[k] = p->volume[0][c->particle[k]];
    find_gains(c, volume);
    give_pigments(c, on_faces);
    give_to_vertices(c, volume, c->gain, on_faces);
    for (int64_t k = 0; k < c->vertices; k++) report->captured += c->gain[k];
    find_losses(c, on_faces);
    for (int64_t k = 0; k < c->particles; k++) {
        double *v = &p->volume[0][c->particle[k]];
        *v -= *v * c->lost[k];
        for (int m = 0; m < p->pigments; m++)
            p->pigment[m][c->particle[k]] -= p->pigment[m][c->particle[k]] * c->lost[k];
        const bool ends = c->lost[k] > 0.0 && *v < least;
        rest[k]         = ends ? *v : 0.0;
        if (ends) *v = 0.0, any = true;
    }
    if (!any) return MN_OK;
    give_rests(c, rest, on_faces);
    for (int64_t k = 0; k < c->vertices; k++) report->captured += c->gain[k];
    report->consumed += take_out(c);
    return MN_OK;
}

static mn_status run(capture *c, mn_arena *arena, mn_exchange_report *report)
{
    MN_TRY(find_vertices(c, arena));
    if (c->vertices == 0) return MN_OK;
    MN_TRY(find_particles(c, arena));
    report->near += c->particles;
    report->thirsty += c->vertices;
    if (c->particles == 0) return MN_OK;
    MN_TRY(number_points(c, arena));
    return exchange(c, arena, report);
}

mn_status mn_capture(mn_liquid *liquid, mn_fabric *fabric, const mn_step *step, mn_exchange_report *report)
{
    capture c   = { .liquid = liquid, .fabric = fabric, .dt = step->dt };
    bool    any = false;
    for (int64_t k = 0; k < fabric->piece_count; k++)
        any = any || wets(&fabric->pieces[k].cloth) || wets(&fabric->pieces[k].yarn);
    if (!any || liquid->model.material.surface_tension == 0.0 || mn_liquid_now(liquid)->count == 0 ||
        fabric->vertices.count == 0)
        return MN_OK;
    const mn_arena_mark mark   = mn_arena_begin(step->arena);
    const mn_status     status = run(&c, step->arena, report);
    mn_arena_end(step->arena, mark);
    return status;
}
