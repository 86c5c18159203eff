// SPDX-License-Identifier: MPL-2.0
// stain/colour.c - pigments absorb, water darkens.
#include "stain/colour.h"

#include "base/pool.h"

#include <math.h>

mn_status mn_stain_palette_check(mn_context *c, const mn_stain_palette *p)
{
    if (p->pigments < 0 || p->pigments > MN_STAIN_MOST_PIGMENTS)
        return mn_fail(c, MN_ERR_ARGUMENT, "the stain has %d pigments; accepted is 0 to %d", p->pigments,
                       MN_STAIN_MOST_PIGMENTS);
    const double cloth[3] = { p->cloth.r, p->cloth.g, p->cloth.b };
    for (int k = 0; k < 3; k++)
        if (!(cloth[k] >= 0.0 && cloth[k] <= 1.0))
            return mn_fail(c, MN_ERR_ARGUMENT, "a channel of the cloth's colour is %g; accepted is 0 to 1", cloth[k]);
    for (int i = 0; i < p->pigments; i++) {
        const double a[3] = { p->absorbance[i].r, p->absorbance[i].g, p->absorbance[i].b };
        for (int k = 0; k < 3; k++)
            if (!(a[k] >= 0.0 && isfinite(a[k])))
                return mn_fail(c, MN_ERR_ARGUMENT,
                               "an absorbance of pigment %d is %g cm^2/g; it must be 0 or more, and finite", i + 1,
                               a[k]);
    }
    return MN_OK;
}

static double wetted(double reflectance, double wetness)
{
    const double wet = reflectance * (1.0 - MN_COLOUR_INWARD) / (1.0 - MN_COLOUR_INWARD * reflectance);
    return reflectance + wetness * (wet - reflectance);
}

mn_colour mn_stain_colour(const mn_stain_palette *p, const double *mass, double wetness)
{
    mn_colour depth = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < p->pigments; i++) {
        const double m = mass[i] > 0.0 ? mass[i] : 0.0;
        depth.r += p->absorbance[i].r * m, depth.g += p->absorbance[i].g * m, depth.b += p->absorbance[i].b * m;
    }
    const double w = wetness > 0.0 ? (wetness < 1.0 ? wetness : 1.0) : 0.0, twice = 2.0 * log(10.0);
    return (mn_colour){ wetted(p->cloth.r * exp(-twice * depth.r), w), wetted(p->cloth.g * exp(-twice * depth.g), w),
                        wetted(p->cloth.b * exp(-twice * depth.b), w) };
}

typedef struct job {
    const mn_stain_palette *palette;
    const double *const    *mass;
    const double           *wetness;
    mn_colour              *out;
} job;

static void color_range(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const job *j = context;
    double     mass[MN_STAIN_MOST_PIGMENTS];
    for (int64_t v = begin; v < end; v++) {
        for (int i = 0; i < j->palette->pigments; i++) mass[i] = j->mass[i][v];
        j->out[v] = mn_stain_colour(j->palette, mass, j->wetness != NULL ? j->wetness[v] : 0.0);
    }
}

void mn_stain_colours(mn_context *c, const mn_stain_palette *p, int64_t count, const double *const *mass,
                      const double *wetness, mn_colour *out)
{
    MN_ASSERT(p->pigments <= MN_STAIN_MOST_PIGMENTS);
    job j = { .palette = p, .mass = mass, .wetness = wetness, .out = out };
    mn_parallel_for(mn_context_pool(c), count, MN_BLOCK, color_range, &j);
}
