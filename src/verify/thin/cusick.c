// SPDX-License-Identifier: MPL-2.0
// verify/thin/cusick.c - S3.9: a disc of 30 cm is held between plates of 18 cm; the share of the ring around them that
// its shadow covers is the drape coefficient. The stiffer the cloth, the larger it is.
#include "verify/thin/cusick.h"

#include "base/memory.h"
#include "math/vec.h"
#include "meniscus/world.h"

#include <stdio.h>
#include <string.h>

#define DISC   30.0
#define PLATE  18.0
#define WEIGHT 0.015  // g/cm^2

enum { PIXELS = 320 };  // a side of the shadow, 1 mm each

typedef struct drape {
    double spacing, seconds;
    double bending_length;  // cm
} drape;

static mn_status hang_disc(mn_context *c, const drape *d, mn_world *w)
{
    const mn_cloth_def def       = { .outline = MN_CLOTH_DISC, .size = { DISC, DISC }, .spacing = d->spacing };
    const double       center[3] = { 0.0, 0.0, 0.0 };
    mn_fabric_def      fabric    = mn_fabric_def_default();
    mn_pin_def         pin       = mn_pin_def_default();
    mn_thin_mesh       mesh;
    MN_TRY(mn_cloth_generate(c, &def, &mesh));
    mn_status status = mn_thin_group_ball(c, "plate", center, 0.5 * PLATE, &mesh);
    snprintf(fabric.name, sizeof fabric.name, "disc");
    snprintf(pin.group, sizeof pin.group, "plate");
    fabric.mesh                  = &mesh;
    fabric.material.density      = WEIGHT / (fabric.material.solid_fraction * fabric.material.thickness);
    fabric.material.bending_warp = WEIGHT * 981.0 * pow(d->bending_length, 3.0);
    fabric.damping               = 15.0;
    fabric.pins = &pin, fabric.pin_count = 1;
    if (status == MN_OK) status = mn_world_add_fabric(w, &fabric);
    mn_thin_mesh_free(c, &mesh);
    return status;
}

/// Marks the pixels whose middle lies under a triangle.
static void shade(const mn_fabric_view *f, const int32_t v[3], uint8_t (*pixel)[PIXELS])
{
    double x[3], z[3];
    for (int i = 0; i < 3; i++) x[i] = 10.0 * f->position.x[v[i]] + 160.0, z[i] = 10.0 * f->position.z[v[i]] + 160.0;
    const int low[2]  = { (int)fmax(0.0, fmin(x[0], fmin(x[1], x[2]))), (int)fmax(0.0, fmin(z[0], fmin(z[1], z[2]))) },
              high[2] = { (int)fmin(PIXELS - 1.0, fmax(x[0], fmax(x[1], x[2]))),
                          (int)fmin(PIXELS - 1.0, fmax(z[0], fmax(z[1], z[2]))) };
    for (int i = low[0]; i <= high[0]; i++)
        for (int j = low[1]; j <= high[1]; j++) {
            double side[3];
            for (int k = 0; k < 3; k++) {
                const int n = (k + 1) % 3;
                side[k]     = (x[n] - x[k]) * (j + 0.5 - z[k]) - (z[n] - z[k]) * (i + 0.5 - x[k]);
            }
            const bool left  = side[0] >= 0.0 && side[1] >= 0.0 && side[2] >= 0.0,
                       right = side[0] <= 0.0 && side[1] <= 0.0 && side[2] <= 0.0;
            if (left || right) pixel[j][i] = 1;
        }
}

/// Area of the shadow of the disc from above, cm^2.
static mn_status shadow(mn_context *c, const mn_world *w, double *area)
{
    const mn_fabric_view f  = mn_world_fabric(w, 0);
    uint8_t(*pixel)[PIXELS] = mn_alloc(c, sizeof *pixel * PIXELS);
    int64_t count           = 0;
    if (pixel == NULL) return MN_ERR_MEMORY;
    memset(pixel, 0, sizeof *pixel * PIXELS);
    for (int64_t t = 0; t < f.triangle_count; t++) shade(&f, f.triangle[t], pixel);
    for (int j = 0; j < PIXELS; j++)
        for (int i = 0; i < PIXELS; i++) count += pixel[j][i];
    mn_free(c, pixel);
    *area = 0.01 * (double)count;
    return MN_OK;
}

static mn_status coefficient(mn_context *c, const drape *d, double *out)
{
    mn_world_def def  = mn_world_def_default();
    mn_world    *w    = NULL;
    double       flat = 0.0, now = 0.0;
    def.domain.cell = 2.0 * d->spacing;
    def.time.dt_max = 4e-3;
    MN_TRY(mn_world_create(c, &def, &w));
    mn_status status = hang_disc(c, d, w);
    if (status == MN_OK) status = shadow(c, w, &flat);
    while (status == MN_OK && mn_world_time(w) < d->seconds) status = mn_world_step(w, d->seconds);
    if (status == MN_OK) status = shadow(c, w, &now);
    const double plate = 0.25 * MN_PI * PLATE * PLATE;
    *out               = (now - plate) / (flat - plate);
    mn_world_destroy(&w);
    return status;
}

// The band of cottons is recalled, so its ends are the good ones and what is possible at all the gate. Required is that
// the coefficient grows with the bending length.
mn_status mn_s3_cusick(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    static const double length[3] = { 1.2, 2.0, 3.5 };
    double              found[3];
    for (int k = 0; k < 3; k++) {
        const drape d = { .spacing        = tier == MN_TIER_BUILD ? 1.2 : 0.6,
                          .seconds        = tier == MN_TIER_BUILD ? 0.6 : 1.2,
                          .bending_length = length[k] };
        MN_TRY(coefficient(c, &d, &found[k]));
    }
    mn_verify_value(r, "drape coefficient of cotton, bending length 2 cm (band: 0.4 to 0.8)", found[1], 0.6,
                    found[1] - 0.6, 0.2, 0.4);
    mn_verify_at_least(r, "that of a limp cloth, 1.2 cm: not below 0 ...", found[0], 0.0, 0.0);
    mn_verify_at_most(r, "... and less than that of cotton", found[0], found[1], found[1]);
    mn_verify_at_least(r, "that of a stiff cloth, 3.5 cm: more than that of cotton ...", found[2], found[1], found[1]);
    mn_verify_at_most(r, "... and not above 1", found[2], 1.0, 1.0);
    return MN_OK;
}
