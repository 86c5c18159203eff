// SPDX-License-Identifier: MPL-2.0
// geom/patterns/cloth.c - flat sheets: which mesh fits an outline, and the named parts of a sheet.
#include "geom/patterns/cloth_private.h"

#include "defs/check.h"

#include <string.h>

int mn_cloth_corners(const mn_cloth_def *def, double corner[6][2])
{
    const double half[2] = { 0.5 * def->size[0], 0.5 * def->size[1] };
    if (def->outline == MN_CLOTH_DISC) return 0;
    const int count = def->outline == MN_CLOTH_RECTANGLE ? 4 : 6;
    for (int k = 0; k < count; k++) {
        corner[k][0] = count == 6 ? half[0] * cos(k * MN_PI / 3.0) : k == 0 || k == 3 ? half[0] : -half[0];
        corner[k][1] = count == 6 ? half[0] * sin(k * MN_PI / 3.0) : k < 2 ? half[1] : -half[1];
    }
    return count;
}

double mn_cloth_depth(const mn_cloth_def *def, double x, double z)
{
    const double half = 0.5 * def->size[0];
    switch (def->outline) {
    case MN_CLOTH_DISC: return half - hypot(x, z);
    case MN_CLOTH_RECTANGLE: return fmin(half - fabs(x), 0.5 * def->size[1] - fabs(z));
    case MN_CLOTH_HEXAGON: break;
    }
    const double apothem = half * 0.5 * sqrt(3.0);
    return apothem - fmax(fabs(z), fabs(x) * 0.5 * sqrt(3.0) + fabs(z) * 0.5);
}

static mn_status check_cloth(mn_context *c, const mn_cloth_def *def)
{
    const mn_section *const sections[] = { &mn_section_sheet, &mn_section_disc, &mn_section_hexagon };
    if ((int)def->outline < MN_CLOTH_RECTANGLE || def->outline > MN_CLOTH_HEXAGON)
        return mn_fail(c, MN_ERR_ARGUMENT, "cloth: the outline is %d; it must be from 0 to 2", (int)def->outline);
    MN_TRY(mn_defs_check(c, sections[def->outline], def, "cloth: "));
    MN_TRY(mn_pattern_given(c, "cloth: spacing", def->spacing));
    const double narrow = def->outline == MN_CLOTH_RECTANGLE ? fmin(def->size[0], def->size[1]) : 0.5 * def->size[0];
    if (def->spacing > 1.5 * narrow) {
        return mn_fail(c, MN_ERR_ARGUMENT, "the spacing of %g cm is too wide for a cloth that is %g cm across",
                       def->spacing, def->outline == MN_CLOTH_RECTANGLE ? narrow : 2.0 * narrow);
    }
    const double area = def->size[0] * (def->outline == MN_CLOTH_RECTANGLE ? def->size[1] : def->size[0]);
    if (area / (def->spacing * def->spacing) > MN_THIN_VERTICES_MOST) {
        return mn_fail(c, MN_ERR_ARGUMENT, "a spacing of %g cm would give the cloth more than %d vertices",
                       def->spacing, MN_THIN_VERTICES_MOST);
    }
    return MN_OK;
}

// --- groups ----------------------------------------------------------------------------------------------------------

typedef struct cloth_member {
    const mn_cloth_def *def;
    double              tolerance;
    double              corner[6][2];
    int                 corners;
} cloth_member;

static bool is_border(const mn_thin_mesh *m, int64_t v, const void *user)
{
    const cloth_member *c = user;
    return mn_cloth_depth(c->def, m->vertex[v][0], m->vertex[v][2]) <= c->tolerance;
}

static bool is_corner(const mn_thin_mesh *m, int64_t v, const void *user)
{
    const cloth_member *c = user;
    for (int k = 0; k < c->corners; k++) {
        if (hypot(m->vertex[v][0] - c->corner[k][0], m->vertex[v][2] - c->corner[k][1]) <= c->tolerance) return true;
    }
    return false;
}

static bool is_vertex(const mn_thin_mesh *m, int64_t v, const void *user)
{
    (void)m;
    return v == *(const int64_t *)user;
}

static void add_cloth_groups(mn_pattern_builder *b, const mn_cloth_def *def)
{
    cloth_member member = { .def = def, .tolerance = 1e-6 * def->spacing };
    member.corners      = mn_cloth_corners(def, member.corner);
    mn_build_group_all(b);
    mn_build_group(b, "border", is_border, &member);
    mn_build_group(b, "corners", is_corner, &member);
    mn_build_group_sides(b, member.tolerance);
    int64_t nearest = 0;
    double  least   = INFINITY;
    for (int64_t v = 0; v < b->mesh.vertex_count; v++) {
        const double r = hypot(b->mesh.vertex[v][0], b->mesh.vertex[v][2]);
        if (r < least * (1.0 - 1e-12)) {
            least   = r;
            nearest = v;
        }
    }
    mn_build_group(b, "center", is_vertex, &nearest);
}

mn_status mn_cloth_generate(mn_context *context, const mn_cloth_def *def, mn_thin_mesh *out)
{
    *out = (mn_thin_mesh){ 0 };
    MN_TRY(check_cloth(context, def));
    mn_pattern_builder b    = { .context = context };
    const bool         even = def->mesh == MN_CLOTH_EQUILATERAL;
    if (def->outline == MN_CLOTH_RECTANGLE && def->angle == 0.0) {
        mn_cloth_rows(&b, def);
    } else if (def->outline == MN_CLOTH_DISC && even) {
        mn_cloth_rings(&b, def, def->angle);
    } else if (def->outline == MN_CLOTH_HEXAGON && even && def->angle == 0.0) {
        mn_cloth_rings(&b, def, 0.0);
    } else {
        mn_cloth_fitted(&b, def);
    }
    mn_build_warp(&b, mn_v3(cos(def->angle), 0.0, sin(def->angle)));
    add_cloth_groups(&b, def);
    return mn_build_finish(&b, out);
}
