// SPDX-License-Identifier: MPL-2.0
// verify/fabric/wet_world.c - see wet_world.h.
#include "verify/fabric/wet_world.h"

#include <stdio.h>
#include <string.h>

#define NEVER 1e9  // s

mn_wet_fabric mn_wet_fabric_default(const char *name)
{
    mn_wet_fabric f = { .def = mn_fabric_def_default(), .motion = mn_pin_def_default().motion };
    f.def.material  = mn_wet_sample_f0();
    snprintf(f.def.name, sizeof f.def.name, "%s", name);
    return f;
}

double mn_wet_evenly(mn_vec3 x, const void *user)
{
    (void)x;
    return *(const double *)user;
}

mn_status mn_wet_world_make(mn_context *c, double cell, double gravity, double dt_max, mn_world **out)
{
    mn_world_def def      = mn_world_def_default();
    def.domain.cell       = cell;
    def.domain.gravity[1] = -gravity;
    def.time.dt_max       = dt_max;
    return mn_world_create(c, &def, out);
}

mn_status mn_wet_world_tank(mn_context *c, double cell, double gravity, double dt_max, const double size[3],
                            mn_world **out)
{
    mn_world_def def      = mn_world_def_default();
    def.domain.cell       = cell;
    def.domain.gravity[1] = -gravity;
    def.domain.bounded    = true;
    def.time.dt_max       = dt_max;
    memcpy(def.domain.bounds[1], size, sizeof def.domain.bounds[1]);
    return mn_world_create(c, &def, out);
}

/// Where a vertex of the mesh will be: turned about the origin, then moved.
static mn_vec3 placed(const mn_fabric_def *d, const double x[3])
{
    const mn_vec3 at = mn_v3_from(x), n = mn_unit3(mn_v3_from(d->axis), mn_v3(0, 1, 0));
    const double  co = cos(d->angle), si = sin(d->angle), along = mn_dot3(n, at) * (1.0 - co);
    return mn_add3(mn_v3_from(d->at),
                   mn_add3(mn_scale3(co, at), mn_add3(mn_scale3(si, mn_cross3(n, at)), mn_scale3(along, n))));
}

mn_status mn_wet_world_add(mn_context *c, mn_world *w, mn_thin_mesh *mesh, const mn_wet_fabric *fabric)
{
    mn_fabric_def def    = fabric->def;
    mn_pin_def    pin    = mn_pin_def_default();
    double       *start  = NULL;
    mn_status     status = MN_OK;
    if (fabric->held != NULL) {
        snprintf(pin.group, sizeof pin.group, "%s", fabric->held);
        pin.motion = fabric->motion;
        def.pins = &pin, def.pin_count = 1;
    }
    if (fabric->wet != NULL) {
        start  = mn_alloc_array(c, double, mesh->vertex_count);
        status = start != NULL ? MN_OK : MN_ERR_MEMORY;
        for (int64_t v = 0; status == MN_OK && v < mesh->vertex_count; v++)
            start[v] = fabric->wet(placed(&def, mesh->vertex[v]), fabric->user);
    }
    def.mesh       = mesh;
    def.saturation = start;
    if (status == MN_OK) status = mn_world_add_fabric(w, &def);
    mn_free(c, start);
    mn_thin_mesh_free(c, mesh);
    return status;
}

static mn_status add_box(mn_context *c, mn_world *w, mn_liquid_def *def, const double low[3], const double high[3])
{
    mn_shape_def box = mn_shape_def_default(MN_SHAPE_BOX);
    for (int a = 0; a < 3; a++) box.size[a] = high[a] - low[a], box.center[a] = 0.5 * (low[a] + high[a]);
    MN_TRY(mn_shape_create(c, &box, &def->shape));
    const mn_status status = mn_world_add_liquid(w, def);
    mn_shape_release(&def->shape);
    return status;
}

mn_status mn_wet_world_pour(mn_context *c, mn_world *w, const mn_liquid_material *liquid, const double low[3],
                            const double high[3])
{
    mn_liquid_def def = mn_liquid_def_default();
    def.material      = *liquid;
    return add_box(c, w, &def, low, high);
}

mn_status mn_wet_world_of(mn_context *c, mn_world *w, const mn_liquid_material *liquid)
{
    mn_liquid_def def = mn_liquid_def_default();
    def.material      = *liquid;
    def.role          = MN_LIQUID_SOURCE;
    def.velocity[1]   = -1.0;
    def.during[0] = NEVER, def.during[1] = 2.0 * NEVER;
    return add_box(c, w, &def, (const double[3]){ 0, 0, 0 }, (const double[3]){ 1, 1, 1 });
}

mn_status mn_wet_world_run(mn_world *w, double until)
{
    while (mn_world_time(w) < until) MN_TRY(mn_world_step(w, until));
    return MN_OK;
}

mn_status mn_wet_world_sheet(mn_context *c, mn_world *w, const double size[2], double spacing,
                             const mn_wet_fabric *fabric)
{
    const mn_cloth_def d = { .outline = MN_CLOTH_RECTANGLE,
                             .size    = { size[0], size[1] },
                             .spacing = spacing,
                             .mesh    = MN_CLOTH_STRUCTURED };
    mn_thin_mesh       mesh;
    MN_TRY(mn_cloth_generate(c, &d, &mesh));
    return mn_wet_world_add(c, w, &mesh, fabric);
}

mn_status mn_wet_world_weigh(mn_world *w, const char *fabric, const char *group)
{
    mn_probe_def d = mn_probe_def_default();
    d.kind         = MN_PROBE_PIN_FORCE;
    snprintf(d.name, sizeof d.name, "force %d", mn_world_probe_count(w));
    snprintf(d.of, sizeof d.of, "%s", fabric);
    snprintf(d.group, sizeof d.group, "%s", group);
    d.normal[0] = d.normal[2] = 0.0, d.normal[1] = 1.0;
    return mn_world_add_probe(w, &d);
}

double mn_wet_fiber_volume(const mn_fabric_view *f)
{
    double sum = 0.0;
    for (int64_t v = 0; v < f->position.count; v++) sum += f->fiber[v];
    return sum;
}
