// SPDX-License-Identifier: MPL-2.0
// verify/thin/sheet.c - see sheet.h.
#include "verify/thin/sheet.h"

#include <math.h>

double mn_sheet_height(const mn_fabric_view *f, double x, double z)
{
    for (int64_t t = 0; t < f->triangle_count; t++) {
        const int32_t *v  = f->triangle[t];
        const double   ax = f->position.x[v[0]], az = f->position.z[v[0]], bx = f->position.x[v[1]] - ax,
                     bz = f->position.z[v[1]] - az;
        const double cx = f->position.x[v[2]] - ax, cz = f->position.z[v[2]] - az, det = bx * cz - bz * cx;
        const double s = ((x - ax) * cz - (z - az) * cx) / det, q = (bx * (z - az) - bz * (x - ax)) / det;
        if (s < 0.0 || q < 0.0 || s + q > 1.0) continue;
        return f->position.y[v[0]] + s * (f->position.y[v[1]] - f->position.y[v[0]]) +
               q * (f->position.y[v[2]] - f->position.y[v[0]]);
    }
    return -INFINITY;
}
