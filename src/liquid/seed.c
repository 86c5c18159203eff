// SPDX-License-Identifier: MPL-2.0
// liquid/seed.c - filling shapes with particles.
//
// Particles sit on the lattice of sub-cells (per_axis to a cell), jittered inside their sub-cell if asked. Whether a
// sub-cell is filled is decided at its centre, so that the density is even right up to the surface of the shape (T3).
#include "base/random.h"

#include "base/ids.h"
#include "geom/images.h"
#include "liquid/liquid.h"

mn_status mn_liquid_reserve(mn_liquid *q, int64_t more)
{
    mn_liquid_particles *p      = mn_liquid_now(q);
    const int64_t        wanted = p->count + more;
    if (wanted > INT32_MAX)
        return mn_fail(q->context, MN_ERR_ARGUMENT,
                       "%lld particles are asked for; at most %d fit in one world. Use larger cells", (long long)wanted,
                       INT32_MAX);
    if (wanted <= p->capacity) return MN_OK;
    const int64_t grown = p->capacity + p->capacity / 4;
    return mn_fields_reserve(q->context, mn_liquid_table_of(p), p, p->count, &p->capacity,
                             grown > wanted ? grown : wanted);
}

void mn_liquid_drop_spare(mn_liquid *q)
{
    mn_liquid_particles *spare = &q->particles[1 - q->current];
    mn_fields_free(q->context, mn_liquid_table_of(spare), spare);
    spare->count = spare->capacity = 0;
}

/// Sub-cells per lattice axis and where the lattice begins.
typedef struct lattice {
    double  spacing, spacing_z;
    mn_vec3 origin;
    int64_t low[3], high[3];
} lattice;

static lattice lattice_over(const mn_liquid_model *m, mn_vec3 low, mn_vec3 high)
{
    lattice      l     = { .spacing = m->grid.cell / m->per_axis, .origin = m->grid.origin };
    const double lo[3] = { low.x, low.y, low.z }, hi[3] = { high.x, high.y, high.z };
    const double from[3] = { l.origin.x, l.origin.y, l.origin.z };
    for (int a = 0; a < m->grid.dimension; a++) {
        l.low[a]  = (int64_t)floor((lo[a] - from[a]) / l.spacing) - 1;
        l.high[a] = (int64_t)ceil((hi[a] - from[a]) / l.spacing) + 1;
    }
    l.spacing_z = l.spacing;
    if (m->grid.dimension == 2) l.low[2] = 0, l.high[2] = 1, l.spacing_z = m->grid.depth;
    return l;
}

/// *shift leads to the place in the shape that x stands for, where the world repeats.
static bool wanted_at(const mn_liquid_fill *f, const mn_images *images, mn_vec3 x, mn_vec3 *shift)
{
    *shift = mn_v3(0, 0, 0);
    if (x.x < f->low.x || x.y < f->low.y || x.z < f->low.z || x.x > f->high.x || x.y > f->high.y || x.z > f->high.z)
        return false;
    if (mn_get3(x, f->up) > f->below) return false;
    if (f->shape != NULL && !mn_images_inside(images, x, shift)) return false;
    return f->solids.count == 0 || mn_solids_distance(f->solids, x, NULL, NULL) > 0.0;
}

typedef void site_fn(mn_vec3 centre, mn_vec3 shift, void *context);

/// Call `fn` for every lattice point that is to be filled, in a fixed order. False: `asked` was asked to end; NULL:
/// nobody is.
static bool for_each_site(const mn_liquid_model *m, const mn_liquid_fill *f, const mn_context *asked, site_fn *fn,
                          void *context)
{
    const lattice   l      = lattice_over(m, f->low, f->high);
    const mn_pose   rest   = mn_motion_pose(NULL, 0.0);
    const mn_images images = f->shape != NULL ? mn_images_of(f->shape, &rest, f->period) : (mn_images){ 0 };
    mn_vec3         shift;
    for (int64_t k = l.low[2]; k < l.high[2]; k++)
        for (int64_t j = l.low[1]; j < l.high[1]; j++) {
            if (asked != NULL && mn_must_end(asked)) return false;
            for (int64_t i = l.low[0]; i < l.high[0]; i++) {
                const mn_vec3 centre = mn_v3(l.origin.x + ((double)i + 0.5) * l.spacing,
                                             l.origin.y + ((double)j + 0.5) * l.spacing,
                                             l.origin.z + ((double)k + 0.5) * l.spacing_z);
                if (wanted_at(f, &images, centre, &shift)) fn(centre, shift, context);
            }
        }
    return true;
}

static void count_site(mn_vec3 centre, mn_vec3 shift, void *context)
{
    (void)centre;
    (void)shift;
    ++*(int64_t *)context;
}

typedef struct fill_job {
    mn_liquid            *q;
    const mn_liquid_fill *fill;
    int64_t              *next_id;
} fill_job;

static void fill_site(mn_vec3 centre, mn_vec3 shift, void *context)
{
    const fill_job        *job = context;
    const mn_liquid_fill  *f   = job->fill;
    const mn_liquid_model *m   = &job->q->model;
    mn_liquid_particles   *p   = mn_liquid_now(job->q);
    const int64_t          at = p->count++, id = mn_new_id(job->next_id);
    const double           spacing = m->grid.cell / m->per_axis;
    mn_vec3                x       = centre;
    if (f->sampling == MN_SAMPLING_JITTER) {
        x.x += spacing * (mn_random(m->seed, (uint64_t)id, 0, 0) - 0.5);
        x.y += spacing * (mn_random(m->seed, (uint64_t)id, 0, 1) - 0.5);
        if (m->grid.dimension == 3) x.z += spacing * (mn_random(m->seed, (uint64_t)id, 0, 2) - 0.5);
    }
    if (f->solids.count > 0) mn_solids_push_out(f->solids, MN_LIQUID_STAND_OFF * m->grid.cell, &x);
    if (m->grid.dimension == 2) x.z = centre.z;
    const mn_vec3 u    = mn_add3(f->velocity, mn_cross3(f->spin, mn_sub3(mn_add3(x, shift), f->center)));
    p->position[0][at] = x.x, p->position[1][at] = x.y, p->position[2][at] = x.z;
    p->velocity[0][at] = u.x, p->velocity[1][at] = u.y, p->velocity[2][at] = u.z;
    // The affine matrix of u = velocity + spin x (x - centre).
    const mn_vec3 s         = f->spin;
    const double  affine[9] = { 0, -s.z, s.y, s.z, 0, -s.x, -s.y, s.x, 0 };
    for (int a = 0; a < 9; a++) p->affine[a][at] = affine[a];
    p->volume[0][at] = m->reference_volume;
    for (int k = 0; k < p->pigments; k++) p->pigment[k][at] = f->concentration[k] * m->reference_volume;
    p->id[0][at] = id;
}

/// The lattice point that the particle at x was made for; what solids pushed away may be taken for a neighbour.
static mn_vec3 site_of(const lattice *l, mn_vec3 x)
{
    const mn_vec3 o = l->origin;
    return mn_v3(o.x + (floor((x.x - o.x) / l->spacing) + 0.5) * l->spacing,
                 o.y + (floor((x.y - o.y) / l->spacing) + 0.5) * l->spacing,
                 o.z + (floor((x.z - o.z) / l->spacing_z) + 0.5) * l->spacing_z);
}

/// Two fillings of one place would be liquid of twice the density: the later takes the place of the earlier. Returns
/// how many particles are in its place, and with `leave` takes them out.
static int64_t make_way(mn_liquid *q, const mn_liquid_fill *f, bool leave)
{
    mn_liquid_particles *p      = mn_liquid_now(q);
    const lattice        l      = lattice_over(&q->model, f->low, f->high);
    const mn_pose        rest   = mn_motion_pose(NULL, 0.0);
    const mn_images      images = f->shape != NULL ? mn_images_of(f->shape, &rest, f->period) : (mn_images){ 0 };
    int64_t              kept   = 0;
    mn_vec3              shift;
    for (int64_t i = 0; i < p->count; i++) {
        if (wanted_at(f, &images, site_of(&l, mn_v3(p->position[0][i], p->position[1][i], p->position[2][i])), &shift))
            continue;
        if (leave && kept != i) mn_fields_copy_item(mn_liquid_table_of(p), p, kept, i);
        kept++;
    }
    const int64_t displaced = p->count - kept;
    if (leave) p->count = kept;
    return displaced;
}

mn_status mn_liquid_fill_shape(mn_liquid *q, const mn_liquid_fill *f, int64_t *next_id)
{
    // Counted first: particles are most of the memory, and there are two copies of them. Once the filling has begun, it
    // comes to its end, which takes no longer.
    int64_t sites = 0;
    if (!for_each_site(&q->model, f, q->context, count_site, &sites))
        return mn_check_interrupt(q->context, "the filling of a shape");
    const int64_t displaced = make_way(q, f, false);
    if (sites > displaced) MN_TRY(mn_liquid_reserve(q, sites - displaced));
    make_way(q, f, true);
    fill_job job = { q, f, next_id };
    (void)for_each_site(&q->model, f, NULL, fill_site, &job);
    return MN_OK;
}
