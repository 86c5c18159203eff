// SPDX-License-Identifier: MPL-2.0
// verify/thin/span.c - see span.h.
#include "verify/thin/span.h"

#include <stdio.h>

enum { ROWS_OF_CLOTH = 3, PROBES_OF_TIP = 3, PROBES_OF_END = 3 };

/// Nowhere in particular on the grid.
static const double clamp_at[3] = { 0.137, 0.0713, 0.021 };

mn_span mn_span_default(bool yarn)
{
    mn_span s                     = { .yarn        = yarn,
                                      .columns     = 60,
                                      .length      = 4.0,
                                      .held        = 2,
                                      .dt          = 1e-2,
                                      .tolerance   = 1e-3,
                                      .near_motion = mn_motion_def_default(),
                                      .far_motion  = mn_motion_def_default(),
                                      .material    = mn_fabric_material_default() };
    s.material.radius             = 0.02;
    s.material.youngs_modulus     = 1.96e7;
    s.material.solid_fraction     = 0.5;
    s.material.poisson            = 0.0;
    s.material.internal_viscosity = 0.0;
    return s;
}

double mn_span_spacing(const mn_span *s)
{
    return s->length / (s->columns + (s->held > 1 ? 0.5 : 0.0) + (s->far_held > 1 ? 0.5 : 0.0));
}

static double section(const mn_span *s) { return MN_PI * s->material.radius * s->material.radius; }
static double modulus(const mn_span *s)
{
    return pow(s->material.solid_fraction, s->material.stiffness_exponent) * s->material.youngs_modulus;
}

double mn_span_mass(const mn_span *s)
{
    return s->material.solid_fraction * s->material.density * (s->yarn ? section(s) : s->material.thickness);
}

double mn_span_bend(const mn_span *s)
{
    if (s->yarn) return modulus(s) * section(s) * section(s) / (4.0 * MN_PI);
    if (s->material.bending_warp > 0.0) return s->material.bending_warp;
    return modulus(s) * pow(s->material.thickness, 3.0) / 12.0;
}

double mn_span_stretch(const mn_span *s) { return modulus(s) * (s->yarn ? section(s) : s->material.thickness); }
double mn_span_width(const mn_span *s) { return s->yarn ? 1.0 : ROWS_OF_CLOTH * mn_span_spacing(s); }

double mn_span_frequency(const mn_span *s, double root)
{
    return root * root * sqrt(mn_span_bend(s) / mn_span_mass(s)) / (s->length * s->length);
}

/// Along x, its near clamp in the origin, with the groups "near" and "far" of what is held.
static mn_status make_mesh(mn_context *c, const mn_span *s, mn_thin_mesh *out)
{
    const double edge  = mn_span_spacing(s),
                 whole = (s->columns + s->held - 1 + (s->far_held > 1 ? s->far_held - 1 : 0)) * edge,
                 start = -(s->held - 1 - (s->held > 1 ? 0.5 : 0.0)) * edge;
    if (s->yarn) {
        const mn_yarn_def def = { .pattern = MN_YARN_STRAIGHT,
                                  .size    = { whole, 0.0 },
                                  .radius  = s->material.radius,
                                  .spacing = edge };
        MN_TRY(mn_yarn_generate(c, &def, out));
    } else {
        const mn_cloth_def def = { .size    = { whole, ROWS_OF_CLOTH * edge },
                                   .spacing = edge,
                                   .mesh    = MN_CLOTH_STRUCTURED };
        MN_TRY(mn_cloth_generate(c, &def, out));
    }
    for (int64_t v = 0; v < out->vertex_count; v++) out->vertex[v][0] += 0.5 * whole + start;
    const double low[3] = { -1e9, -1e9, -1e9 }, high[3] = { start + (s->held - 0.9) * edge, 1e9, 1e9 };
    const double far_low[3]  = { start + whole - (s->far_held - 0.9) * edge, -1e9, -1e9 },
                 far_high[3] = { 1e9, 1e9, 1e9 };
    mn_status status         = mn_thin_group_box(c, "near", low, high, out);
    if (status == MN_OK && s->far_held > 0) status = mn_thin_group_box(c, "far", far_low, far_high, out);
    for (int64_t v = 0; s->shape != NULL && v < out->vertex_count; v++) {
        const double x = out->vertex[v][0];
        if (x > high[0] && (s->far_held == 0 || x < far_low[0])) out->vertex[v][1] += s->bow * s->shape(x / s->length);
    }
    if (status != MN_OK) mn_thin_mesh_free(c, out);
    return status;
}

static mn_status add_probe(mn_world *w, mn_probe_kind kind, const char *group, int axis)
{
    mn_probe_def p = mn_probe_def_default();
    snprintf(p.name, sizeof p.name, "%s %d of %s", kind == MN_PROBE_POSITION ? "place" : "pull", axis, group);
    snprintf(p.of, sizeof p.of, "span");
    snprintf(p.group, sizeof p.group, "%s", group);
    p.kind = kind;
    for (int a = 0; a < 3; a++) p.point[a] = clamp_at[a], p.normal[a] = a == axis;
    return mn_world_add_probe(w, &p);
}

static mn_status fill(mn_context *c, const mn_span *s, mn_world *w)
{
    mn_fabric_def fabric = mn_fabric_def_default();
    mn_pin_def    pin[2] = { mn_pin_def_default(), mn_pin_def_default() };
    mn_thin_mesh  mesh   = { .vertex_count = 0 };
    MN_TRY(make_mesh(c, s, &mesh));
    snprintf(fabric.name, sizeof fabric.name, "span");
    snprintf(pin[0].group, sizeof pin[0].group, "near");
    snprintf(pin[1].group, sizeof pin[1].group, "far");
    pin[0].motion     = s->near_motion;
    pin[1].motion     = s->far_motion;
    fabric.material   = s->material;
    fabric.mesh       = &mesh;
    fabric.pins       = pin;
    fabric.pin_count  = s->far_held > 0 ? 2 : 1;
    fabric.damping    = s->damping;
    fabric.straighten = 1.0;
    fabric.axis[0] = fabric.axis[1] = 0.0, fabric.axis[2] = 1.0;
    fabric.angle = s->turn;
    for (int a = 0; a < 3; a++) fabric.at[a] = clamp_at[a], fabric.velocity[a] = s->velocity[a];
    fabric.spin[1]   = s->spin;
    mn_status status = mn_world_add_fabric(w, &fabric);
    for (int a = 0; a < 3 && status == MN_OK; a++) status = add_probe(w, MN_PROBE_POSITION, "right", a);
    for (int a = 0; a < 3 && status == MN_OK; a++) status = add_probe(w, MN_PROBE_PIN_FORCE, "near", a);
    for (int a = 0; a < 3 && status == MN_OK && s->far_held > 0; a++)
        status = add_probe(w, MN_PROBE_PIN_FORCE, "far", a);
    mn_thin_mesh_free(c, &mesh);
    return status;
}

mn_status mn_span_make(mn_context *c, const mn_span *s, mn_world **out)
{
    mn_world_def def           = mn_world_def_default();
    def.domain.cell            = s->cell > 0.0 ? s->cell : 2.0 * mn_span_spacing(s);
    def.domain.gravity[1]      = -s->gravity;
    def.time.dt_max            = s->dt;
    def.solver.solid_tolerance = s->tolerance;
    MN_TRY(mn_world_create(c, &def, out));
    const mn_status status = fill(c, s, *out);
    if (status != MN_OK) mn_world_destroy(out);
    return status;
}

mn_status mn_span_run(mn_world *w, double until)
{
    while (mn_world_time(w) < until) MN_TRY(mn_world_step(w, until));
    return MN_OK;
}

static mn_vec3 probes_from(const mn_world *w, int first)
{
    return mn_v3(mn_world_probe_value(w, first), mn_world_probe_value(w, first + 1),
                 mn_world_probe_value(w, first + 2));
}

mn_vec3 mn_span_tip(const mn_world *w) { return probes_from(w, 0); }
mn_vec3 mn_span_pull(const mn_world *w, bool far)
{
    return probes_from(w, far ? PROBES_OF_TIP + PROBES_OF_END : PROBES_OF_TIP);
}

mn_vec3 mn_span_project(const mn_world *w, const mn_span *s, double (*weight)(double s))
{
    const mn_fabric_view f    = mn_world_fabric(w, 0);
    const mn_vec3        line = mn_v3(cos(s->turn), sin(s->turn), 0.0);
    mn_vec3              sum  = mn_v3(0.0, 0.0, 0.0);
    for (int64_t v = 0; v < f.position.count; v++) {
        const mn_vec3 x     = mn_sub3(mn_v3(f.position.x[v], f.position.y[v], f.position.z[v]), mn_v3_from(clamp_at));
        const double  place = mn_dot3(x, line) / s->length;
        if (place > 0.0) sum = mn_add3(sum, mn_scale3(f.fiber[v] * weight(fmin(place, 1.0)), x));
    }
    return sum;
}
