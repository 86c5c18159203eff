// SPDX-License-Identifier: MPL-2.0
// solve/mg_kernels.c - sweeps, transfers and the operator on one tile (liquid 5.10).
//
// Differs from liquid 5.10: cells are stored by colour (mg_vector.h) instead of by lane masks. A half-sweep then reads
// and writes one colour only, does no masked work, and two threads never touch the same vector. Tiles whose faces all
// carry one coefficient (the inside of the liquid) read no matrix.
#include "solve/mg_level.h"
#include "solve/mg_vector.h"

/// One array of a tile and of its six neighbours.
typedef struct around {
    const float *own, *low_x, *high_x, *low_y, *high_y, *low_z, *high_z;
} around;

typedef struct around_d {
    const double *own, *low_x, *high_x, *low_y, *high_y, *low_z, *high_z;
} around_d;

// clang-format off
#define AROUND(a, l, t, stride, offset)                                                                          \
    { (a) + (size_t)(t) * (stride) + (offset), (a) + (size_t)(l)->near[t][MN_X_LOW] * (stride) + (offset),       \
      (a) + (size_t)(l)->near[t][MN_X_HIGH] * (stride) + (offset), (a) + (size_t)(l)->near[t][MN_Y_LOW] * (stride) + (offset),  \
      (a) + (size_t)(l)->near[t][MN_Y_HIGH] * (stride) + (offset), (a) + (size_t)(l)->near[t][MN_Z_LOW] * (stride) + (offset),  \
      (a) + (size_t)(l)->near[t][MN_Z_HIGH] * (stride) + (offset) }
// clang-format on

// Neighbour vectors of vector (z, j) at offset i = 8 (4z + j); nz vectors of layers.
#define BELOW_Y(load, a, j, i)     ((j) > 0 ? load((a).own + (i)-8) : load((a).low_y + (i) + 24))
#define ABOVE_Y(load, a, j, i)     ((j) < 3 ? load((a).own + (i) + 8) : load((a).high_y + (i)-24))
#define BELOW_Z(load, a, z, nz, i) ((z) > 0 ? load((a).own + (i)-32) : load((a).low_z + (i) + 32 * ((nz)-1)))
#define ABOVE_Z(load, a, z, nz, i) ((z) < (nz)-1 ? load((a).own + (i) + 32) : load((a).high_z + (i)-32 * ((nz)-1)))
#define ASIDE(v, low, high, z, colour) \
    ((((z) + (colour)) & 1) == 0 ? MN_ASIDE_LOW(v, low, high) : MN_ASIDE_HIGH(v, low, high))

/// Sum of the neighbours of `colour` at (z, j), all with coefficient 1.
MN_INLINE mn_f8 plain_sum(const around *o, int z, int j, int nz, int colour)
{
    const int   i = 8 * (4 * z + j);
    const mn_f8 v = mn_f8_load(o->own + i);
    mn_f8       s = v + ASIDE(v, mn_f8_load(o->low_x + i), mn_f8_load(o->high_x + i), z, colour);
    s += MN_INNER(v);
    s += MN_OUTER(BELOW_Y(mn_f8_load, *o, j, i), ABOVE_Y(mn_f8_load, *o, j, i));
    if (nz > 1) s += BELOW_Z(mn_f8_load, *o, z, nz, i) + ABOVE_Z(mn_f8_load, *o, z, nz, i);
    return s;
}

/// Sum of coefficient times neighbour for colour 0, whose lanes hold the coefficients.
MN_INLINE mn_f8 weighted_sum_0(const around *o, const float *face, int half, int z, int j, int nz)
{
    const int   i = 8 * (4 * z + j);
    const mn_f8 v = mn_f8_load(o->own + i);
    mn_f8       s = mn_f8_load(face + MN_FACE_STRAIGHT * half + i) * v;
    s += mn_f8_load(face + MN_FACE_ASIDE * half + i) *
         ASIDE(v, mn_f8_load(o->low_x + i), mn_f8_load(o->high_x + i), z, 0);
    s += mn_f8_load(face + MN_FACE_INNER * half + i) * MN_INNER(v);
    s += mn_f8_load(face + MN_FACE_OUTER * half + i) *
         MN_OUTER(BELOW_Y(mn_f8_load, *o, j, i), ABOVE_Y(mn_f8_load, *o, j, i));
    if (nz > 1) {
        s += mn_f8_load(face + MN_FACE_Z_LOW * half + i) * BELOW_Z(mn_f8_load, *o, z, nz, i);
        s += mn_f8_load(face + MN_FACE_Z_HIGH * half + i) * ABOVE_Z(mn_f8_load, *o, z, nz, i);
    }
    return s;
}

/// Face array k of a tile and its neighbours.
#define FACE_AROUND(l, t, k) AROUND((l)->face, l, t, (size_t)(l)->faces *(l)->half, (size_t)(k) * (l)->half)

typedef struct faces_around {
    around       aside, outer, z_low, z_high;
    const float *straight, *inner;
} faces_around;

MN_INLINE faces_around gather_faces(const mn_mg_level *l, int32_t t, int nz)
{
    const float *own = l->face + (size_t)t * l->faces * l->half;
    faces_around f   = { .aside    = FACE_AROUND(l, t, MN_FACE_ASIDE),
                         .outer    = FACE_AROUND(l, t, MN_FACE_OUTER),
                         .straight = own + MN_FACE_STRAIGHT * l->half,
                         .inner    = own + MN_FACE_INNER * l->half };
    if (nz > 1) {
        f.z_low  = (around)FACE_AROUND(l, t, MN_FACE_Z_LOW);
        f.z_high = (around)FACE_AROUND(l, t, MN_FACE_Z_HIGH);
    }
    return f;
}

/// Colour 1 takes coefficient times value from the lanes of colour 0 and moves the products.
MN_INLINE mn_f8 weighted_sum_1(const around *o, const faces_around *f, int z, int j, int nz)
{
    const int   i = 8 * (4 * z + j);
    const mn_f8 v = mn_f8_load(o->own + i);
    mn_f8       s = mn_f8_load(f->straight + i) * v;
    s += ASIDE(mn_f8_load(f->aside.own + i) * v, mn_f8_load(f->aside.low_x + i) * mn_f8_load(o->low_x + i),
               mn_f8_load(f->aside.high_x + i) * mn_f8_load(o->high_x + i), z, 1);
    s += MN_INNER(mn_f8_load(f->inner + i) * v);
    s += MN_OUTER(BELOW_Y(mn_f8_load, f->outer, j, i) * BELOW_Y(mn_f8_load, *o, j, i),
                  ABOVE_Y(mn_f8_load, f->outer, j, i) * ABOVE_Y(mn_f8_load, *o, j, i));
    if (nz > 1) {
        s += BELOW_Z(mn_f8_load, f->z_high, z, nz, i) * BELOW_Z(mn_f8_load, *o, z, nz, i);
        s += ABOVE_Z(mn_f8_load, f->z_low, z, nz, i) * ABOVE_Z(mn_f8_load, *o, z, nz, i);
    }
    return s;
}

// The loops below are written for a constant nz, so that 2D and 3D each get their own code.
#define FOR_VECTORS(z, j, nz)      \
    for (int z = 0; z < (nz); z++) \
        for (int j = 0; j < 4; j++)

MN_INLINE void smooth_uniform(const mn_mg_level *l, int32_t t, int colour, int nz)
{
    const size_t at = (size_t)t * l->cells;
    const around o  = AROUND(l->x, l, t, l->cells, (1 - colour) * l->half);
    float       *x  = l->x + at + colour * l->half;
    const float *b  = l->b + at + colour * l->half;
    const float  c = l->uniform[t], inverse = 1.0f / ((nz > 1 ? 6.0f : 4.0f) * c);
    FOR_VECTORS(z, j, nz)
    {
        const int i = 8 * (4 * z + j);
        mn_f8_store(x + i, (mn_f8_load(b + i) + c * plain_sum(&o, z, j, nz, colour)) * inverse);
    }
}

MN_INLINE void smooth_general(const mn_mg_level *l, int32_t t, int colour, int nz)
{
    const size_t       at = (size_t)t * l->cells + (size_t)colour * l->half;
    const around       o  = AROUND(l->x, l, t, l->cells, (1 - colour) * l->half);
    float             *x  = l->x + at;
    const float       *b = l->b + at, *inverse = l->inverse + at;
    const faces_around f = gather_faces(l, t, nz);
    FOR_VECTORS(z, j, nz)
    {
        const int   i   = 8 * (4 * z + j);
        const mn_f8 sum = colour == 0 ? weighted_sum_0(&o, f.straight, 32 * nz, z, j, nz)
                                      : weighted_sum_1(&o, &f, z, j, nz);
        mn_f8_store(x + i, (mn_f8_load(b + i) + sum) * mn_f8_load(inverse + i));
    }
}

void mn_mg_smooth(const mn_mg_level *l, int32_t t, int colour)
{
    const bool uniform = l->uniform[t] > 0.0f;
    if (l->nz == 1) {
        if (uniform) colour == 0 ? smooth_uniform(l, t, 0, 1) : smooth_uniform(l, t, 1, 1);
        else colour == 0 ? smooth_general(l, t, 0, 1) : smooth_general(l, t, 1, 1);
    } else {
        if (uniform) colour == 0 ? smooth_uniform(l, t, 0, 8) : smooth_uniform(l, t, 1, 8);
        else colour == 0 ? smooth_general(l, t, 0, 8) : smooth_general(l, t, 1, 8);
    }
}

void mn_mg_start(const mn_mg_level *l, int32_t t)
{
    const size_t at = (size_t)t * l->cells;
    for (int i = 0; i < l->half; i += 8)
        mn_f8_store(l->x + at + i, mn_f8_load(l->b + at + i) * mn_f8_load(l->inverse + at + i));
}

// --- to and from the next level ---

/// Where the four sums of coarse row (y, z) go: lanes of colour 0 and 1 of the parent's octant.
typedef struct coarse_row {
    int at;     // first lane within a colour
    int shift;  // 1 if colour 0 holds the odd x
} coarse_row;

MN_INLINE coarse_row find_coarse_row(int y, int z, int octant, int nz)
{
    const int cy = y + 4 * (octant >> 1 & 1), cz = nz > 1 ? z + 4 * (octant >> 2 & 1) : 0;
    return (coarse_row){ .at = 8 * (4 * cz + cy / 2) + 4 * (cy & 1) + 2 * (octant & 1), .shift = (cy + cz) & 1 };
}

/// Residual of colour 0 at (z, j).
MN_INLINE mn_f8 residual_0(const mn_mg_level *l, int32_t t, const around *o, const float *face, int z, int j, int nz)
{
    const size_t at = (size_t)t * l->cells;
    const int    i  = 8 * (4 * z + j);
    const mn_f8  x = mn_f8_load(l->x + at + i), b = mn_f8_load(l->b + at + i);
    if (face == NULL) return b + l->uniform[t] * (plain_sum(o, z, j, nz, 0) - (nz > 1 ? 6.0f : 4.0f) * x);
    const int half     = 32 * nz;
    mn_f8     diagonal = l->e != NULL ? mn_f8_load(l->e + at + i) : mn_f8_of(mn_d8_load(l->e_exact + at + i));
    for (int k = 0; k < (nz > 1 ? 6 : 4); k++) diagonal += mn_f8_load(face + k * half + i);
    return b + (weighted_sum_0(o, face, half, z, j, nz) - diagonal * x);
}

MN_INLINE void restrict_tile(const mn_mg_level *l, const mn_mg_level *coarse, int32_t t, const float *face, int nz)
{
    const around o = AROUND(l->x, l, t, l->cells, l->half);
    for (int cz = 0; cz < (nz + 1) / 2; cz++)
        for (int j = 0; j < 4; j++) {
            mn_f8 v = residual_0(l, t, &o, face, 2 * cz, j, nz);
            if (nz > 1) v += residual_0(l, t, &o, face, 2 * cz + 1, j, nz);
            v += MN_INNER(v);
            for (int k = 0; k < l->parents; k++) {
                const size_t     parent = (size_t)l->parent[(size_t)t * l->parents + k];
                const coarse_row row    = find_coarse_row(j, cz, l->octant[(size_t)t * l->parents + k], nz);
                float           *b      = coarse->b + parent * coarse->cells + row.at;
                b[0]                    = row.shift ? v[1] : v[0];
                b[1]                    = row.shift ? v[3] : v[2];
                b[coarse->half]         = row.shift ? v[0] : v[1];
                b[coarse->half + 1]     = row.shift ? v[2] : v[3];
            }
        }
}

void mn_mg_restrict(const mn_mg_level *l, const mn_mg_level *coarse, int32_t t)
{
    const float *face = l->uniform[t] > 0.0f ? NULL : l->face + (size_t)t * l->faces * l->half;
    if (l->nz == 1) face == NULL ? restrict_tile(l, coarse, t, NULL, 1) : restrict_tile(l, coarse, t, face, 1);
    else face == NULL ? restrict_tile(l, coarse, t, NULL, 8) : restrict_tile(l, coarse, t, face, 8);
}

void mn_mg_prolong(const mn_mg_level *l, const mn_mg_level *coarse, float factor, int32_t t)
{
    const int   nz     = l->nz;
    const float weight = factor / (float)l->parents;
    for (int cz = 0; cz < (nz + 1) / 2; cz++)
        for (int j = 0; j < 4; j++) {
            mn_f8 v = { 0 };
            for (int k = 0; k < l->parents; k++) {
                const size_t     parent = (size_t)l->parent[(size_t)t * l->parents + k];
                const coarse_row row    = find_coarse_row(j, cz, l->octant[(size_t)t * l->parents + k], nz);
                const float     *x = coarse->x + parent * coarse->cells + row.at, *y = x + coarse->half;
                v += row.shift ? (mn_f8){ y[0], x[0], y[1], x[1], y[0], x[0], y[1], x[1] }
                               : (mn_f8){ x[0], y[0], x[1], y[1], x[0], y[0], x[1], y[1] };
            }
            v *= weight;
            float *x = l->x + (size_t)t * l->cells + 8 * (4 * (nz > 1 ? 2 * cz : 0) + j);
            mn_f8_store(x, mn_f8_load(x) + v);
            if (nz > 1) mn_f8_store(x + 32, mn_f8_load(x + 32) + v);
        }
}

MN_INLINE void store_residual(const mn_mg_level *l, float *residual, int32_t t, const float *face, int nz)
{
    const around o = AROUND(l->x, l, t, l->cells, l->half);
    FOR_VECTORS(z, j, nz)
    mn_f8_store(residual + (size_t)t * l->cells + 8 * (4 * z + j), residual_0(l, t, &o, face, z, j, nz));
}

void mn_mg_residual(const mn_mg_level *l, float *residual, int32_t t)
{
    const float *face = l->uniform[t] > 0.0f ? NULL : l->face + (size_t)t * l->faces * l->half;
    if (l->nz == 1) face == NULL ? store_residual(l, residual, t, NULL, 1) : store_residual(l, residual, t, face, 1);
    else face == NULL ? store_residual(l, residual, t, NULL, 8) : store_residual(l, residual, t, face, 8);
}

void mn_mg_prolong_from_graph(const mn_mg_level *l, const mn_mg_graphs *graphs, int32_t t)
{
    const int32_t *parent = graphs->parent + (size_t)t * l->cells;
    const float   *from   = graphs->level[0].x;
    float         *x      = l->x + (size_t)t * l->cells;
    for (int i = 0; i < l->half; i++) x[i] += from[parent[i]];
}

// --- the operator in double ---

MN_INLINE mn_d8 difference_sum_uniform(mn_d8 u, const around_d *o, int z, int j, int nz, int colour)
{
    const int   i = 8 * (4 * z + j);
    const mn_d8 v = mn_d8_load(o->own + i);
    mn_d8       s = (u - v) + (u - ASIDE(v, mn_d8_load(o->low_x + i), mn_d8_load(o->high_x + i), z, colour));
    s += u - MN_INNER(v);
    s += u - MN_OUTER(BELOW_Y(mn_d8_load, *o, j, i), ABOVE_Y(mn_d8_load, *o, j, i));
    if (nz > 1) s += (u - BELOW_Z(mn_d8_load, *o, z, nz, i)) + (u - ABOVE_Z(mn_d8_load, *o, z, nz, i));
    return s;
}

/// Sum of c (u - u_nb), which is exactly zero for a constant u.
MN_INLINE mn_d8 difference_sum(mn_d8 u, const around_d *o, const faces_around *f, int z, int j, int nz, int colour)
{
    const int   i = 8 * (4 * z + j);
    const mn_d8 v = mn_d8_load(o->own + i);
    mn_f8 aside = mn_f8_load(f->aside.own + i), inner = mn_f8_load(f->inner + i), outer = mn_f8_load(f->outer.own + i);
    if (colour == 1) {
        aside = ASIDE(aside, mn_f8_load(f->aside.low_x + i), mn_f8_load(f->aside.high_x + i), z, 1);
        inner = MN_INNER(inner);
        outer = MN_OUTER(BELOW_Y(mn_f8_load, f->outer, j, i), ABOVE_Y(mn_f8_load, f->outer, j, i));
    }
    mn_d8 s = mn_d8_of(mn_f8_load(f->straight + i)) * (u - v);
    s += mn_d8_of(aside) * (u - ASIDE(v, mn_d8_load(o->low_x + i), mn_d8_load(o->high_x + i), z, colour));
    s += mn_d8_of(inner) * (u - MN_INNER(v));
    s += mn_d8_of(outer) * (u - MN_OUTER(BELOW_Y(mn_d8_load, *o, j, i), ABOVE_Y(mn_d8_load, *o, j, i)));
    if (nz > 1) {
        const mn_f8 low  = colour == 0 ? mn_f8_load(f->z_low.own + i) : BELOW_Z(mn_f8_load, f->z_high, z, nz, i);
        const mn_f8 high = colour == 0 ? mn_f8_load(f->z_high.own + i) : ABOVE_Z(mn_f8_load, f->z_low, z, nz, i);
        s += mn_d8_of(low) * (u - BELOW_Z(mn_d8_load, *o, z, nz, i));
        s += mn_d8_of(high) * (u - ABOVE_Z(mn_d8_load, *o, z, nz, i));
    }
    return s;
}

MN_INLINE mn_d8 apply_colour(const mn_mg_level *l, const double *p, double *q, int32_t t, int colour, int nz)
{
    const size_t   at  = (size_t)t * l->cells + (size_t)colour * l->half;
    const around_d o   = AROUND(p, l, t, l->cells, (1 - colour) * l->half);
    const double   c   = l->uniform[t];
    mn_d8          dot = { 0 };
    if (c > 0.0) {
        FOR_VECTORS(z, j, nz)
        {
            const int   i = 8 * (4 * z + j);
            const mn_d8 u = mn_d8_load(p + at + i), v = c * difference_sum_uniform(u, &o, z, j, nz, colour);
            mn_d8_store(q + at + i, v);
            dot += u * v;
        }
        return dot;
    }
    const faces_around f = gather_faces(l, t, nz);
    FOR_VECTORS(z, j, nz)
    {
        const int   i = 8 * (4 * z + j);
        const mn_d8 u = mn_d8_load(p + at + i);
        const mn_d8 v = mn_d8_load(l->e_exact + at + i) * u + difference_sum(u, &o, &f, z, j, nz, colour);
        mn_d8_store(q + at + i, v);
        dot += u * v;
    }
    return dot;
}

double mn_mg_apply(const mn_mg_level *l, const double *p, double *q, int32_t t)
{
    const mn_d8 dot = l->nz == 1 ? apply_colour(l, p, q, t, 0, 1) + apply_colour(l, p, q, t, 1, 1)
                                 : apply_colour(l, p, q, t, 0, 8) + apply_colour(l, p, q, t, 1, 8);
    return mn_d8_sum(dot);
}
