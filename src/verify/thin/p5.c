// SPDX-License-Identifier: MPL-2.0
// verify/thin/p5.c - P5: cases of the program's own for what acts on cloth and yarn from outside: air, pins, and what
// moves under it.
#include "verify/verify.h"

#include "world/world.h"

#include <stdio.h>

#define GRAVITY 981.0

/// A square of cloth or a single yarn, level, about the origin.
static mn_status add_sample(mn_context *c, bool yarn, const mn_pin_def *pin, mn_world *w)
{
    const mn_cloth_def square = { .outline = MN_CLOTH_RECTANGLE,
                                  .size    = { 2.0, 2.0 },
                                  .spacing = 0.125,
                                  .mesh    = MN_CLOTH_STRUCTURED };
    const mn_yarn_def  line   = { .pattern = MN_YARN_STRAIGHT, .size = { 2.0, 0.0 }, .radius = 0.02, .spacing = 0.125 };
    mn_fabric_def      fabric = mn_fabric_def_default();
    mn_thin_mesh       mesh   = { .vertex_count = 0 };
    MN_TRY(yarn ? mn_yarn_generate(c, &line, &mesh) : mn_cloth_generate(c, &square, &mesh));
    snprintf(fabric.name, sizeof fabric.name, "sample");
    fabric.mesh = &mesh;
    fabric.pins = pin, fabric.pin_count = pin != NULL;
    const mn_status status = mn_world_add_fabric(w, &fabric);
    mn_thin_mesh_free(c, &mesh);
    return status;
}

static mn_status make_sample(mn_context *c, bool yarn, const mn_world_def *def, const mn_pin_def *pin, mn_world **out)
{
    MN_TRY(mn_world_create(c, def, out));
    return add_sample(c, yarn, pin, *out);
}

static double mass_of(const mn_world *w)
{
    double sum = 0.0;
    for (int64_t v = 0; v < w->fabric.vertices.count; v++) sum += w->fabric.mass[v];
    return sum;
}

static double momentum_of(const mn_world *w)
{
    double sum = 0.0;
    for (int64_t v = 0; v < w->fabric.vertices.count; v++) sum += w->fabric.mass[v] * w->fabric.vertices.velocity[1][v];
    return sum;
}

// P5.1

#define AIR 1.2e-3  ///< g/cm^3

/// From rest, until three times the time scale of the fall has passed: m u' = m g - A C_d rho u^2 / 2 has the solution
/// U tanh(g t / U), U^2 = 2 m g / (A C_d rho).
static mn_status fall(mn_context *c, bool yarn, double *speed, double *expected)
{
    const double area = yarn ? 2.0 * 2.0 * 0.02 : 2.0 * 2.0, drag = mn_fabric_def_default().material.air_drag;
    mn_world_def def  = mn_world_def_default();
    mn_world    *w    = NULL;
    double       fast = 0.0, until = 0.0;
    def.domain.cell  = 0.25;
    def.time.dt_max  = 5e-4;
    def.wind.density = AIR;
    mn_status status = make_sample(c, yarn, &def, NULL, &w);
    if (status == MN_OK) status = mn_world_step(w, 1e-9);  // only now masses are known
    if (status == MN_OK) {
        fast      = sqrt(2.0 * mass_of(w) * GRAVITY / (area * drag * AIR));
        until     = 3.0 * fast / GRAVITY;
        *expected = fast * tanh(GRAVITY * until / fast);
    }
    while (status == MN_OK && mn_world_time(w) < until) status = mn_world_step(w, until);
    if (status == MN_OK) *speed = -momentum_of(w) / mass_of(w);
    mn_world_destroy(&w);
    return status;
}

static mn_status air(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    for (int yarn = 0; yarn < 2; yarn++) {
        double speed = NAN, expected = NAN;
        MN_TRY(fall(c, yarn == 1, &speed, &expected));
        mn_verify_value(r,
                        yarn ? "speed of a level yarn that falls in air, cm/s"
                             : "speed of a level sheet that falls in air, cm/s",
                        speed, expected, speed / expected - 1.0, 3e-3, 9e-3);
    }
    return MN_OK;
}

// P5.2

/// Level cloth or yarn that is let go at one end and swings down: in every step what the pins bear is the weight and
/// what the momentum gains.
static mn_status swing(mn_context *c, bool yarn, double *missing, double *astray)
{
    mn_world_def def = mn_world_def_default();
    mn_pin_def   pin = mn_pin_def_default();
    mn_world    *w   = NULL;
    double       dt = 1e-3, before = 0.0;
    def.domain.cell = 0.25;
    def.time.dt_max = dt;
    snprintf(pin.group, sizeof pin.group, yarn ? "ends" : "left");
    mn_status    status = make_sample(c, yarn, &def, &pin, &w);
    mn_probe_def probe  = mn_probe_def_default();
    probe.kind          = MN_PROBE_PIN_FORCE;
    for (int a = 0; a < 3; a++) probe.normal[a] = a == 1 ? -1.0 : 0.0;
    snprintf(probe.of, sizeof probe.of, "sample");
    snprintf(probe.group, sizeof probe.group, "%s", pin.group);
    if (status == MN_OK) status = mn_world_add_probe(w, &probe);
    *missing = *astray = 0.0;
    for (int k = 1; k <= 60 && status == MN_OK; k++) {
        const double begin = mn_world_time(w);
        status             = mn_world_step(w, k * dt);
        if (status != MN_OK) break;
        const double h = mn_world_time(w) - begin, weight = mass_of(w) * GRAVITY, now = momentum_of(w);
        *missing = fmax(*missing, fabs(mn_world_probe_value(w, 0) - (now - before) / h - weight) / weight);
        before   = now;
    }
    const mn_fabric_pin *held = status == MN_OK ? &w->fabric.pieces[0].pins[0] : NULL;
    for (int64_t j = 0; held != NULL && j < held->count; j++)
        for (int a = 0; a < 3; a++)
            *astray = fmax(*astray, fabs(w->fabric.vertices.position[a][held->vertex[j]] - mn_get3(held->home[j], a)));
    mn_world_destroy(&w);
    return status;
}

static mn_status pins(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    for (int yarn = 0; yarn < 2; yarn++) {
        double      missing = NAN, astray = NAN;
        char        what[96];
        const char *name = yarn ? "yarn" : "cloth";
        MN_TRY(swing(c, yarn == 1, &missing, &astray));
        snprintf(what, sizeof what, "what pins of swinging %s bear less weight and gain of momentum, over weight",
                 name);
        mn_verify_at_most(r, what, missing, 1e-10, 1e-10);
        snprintf(what, sizeof what, "how far pinned vertices of %s have moved, cm", name);
        mn_verify_at_most(r, what, astray, 0.0, 0.0);
    }
    return MN_OK;
}

// P5.3

/// A sheet on a plate that stands still or moves. It comes to rest on the plate where the layer of contact bears its
/// weight, and goes with it.
typedef struct carried {
    double  height;  // above the plate, cm
    mn_vec3 speed;   // against the plate, cm/s
} carried;

static mn_status carry(mn_context *c, mn_vec3 velocity, carried *out)
{
    mn_world_def    def   = mn_world_def_default();
    mn_shape_def    box   = mn_shape_def_default(MN_SHAPE_BOX);
    mn_obstacle_def plate = mn_obstacle_def_default();
    mn_world       *w     = NULL;
    const double    half  = 0.5;
    def.domain.cell       = 0.25;
    def.time.dt_max       = 1e-3;
    box.size[0] = box.size[2] = 8.0, box.size[1] = 2.0 * half;
    plate.at[1] = -half - 0.25 * def.domain.cell + 1e-6;
    for (int a = 0; a < 3; a++) plate.motion.velocity[a] = mn_get3(velocity, a);
    MN_TRY(mn_world_create(c, &def, &w));
    mn_status status = mn_shape_create(c, &box, &plate.shape);
    if (status == MN_OK) status = mn_world_add_obstacle(w, &plate);
    mn_shape_release(&plate.shape);
    if (status == MN_OK) status = add_sample(c, false, NULL, w);
    while (status == MN_OK && mn_world_time(w) < 0.3) status = mn_world_step(w, 0.3);
    if (status == MN_OK) {
        const mn_fabric_view f = mn_world_fabric(w, 0);
        *out                   = (carried){ .height = 0.0 };
        for (int64_t v = 0; v < f.position.count; v++) {
            out->height += f.position.y[v] / (double)f.position.count;
            out->speed = mn_add3(out->speed, mn_scale3(1.0 / (double)f.position.count,
                                                       mn_v3(f.velocity.x[v], f.velocity.y[v], f.velocity.z[v])));
        }
        out->speed = mn_sub3(out->speed, velocity);
        out->height -= plate.at[1] + half + 0.3 * velocity.y;
    }
    mn_world_destroy(&w);
    return status;
}

static mn_status lift(mn_context *c, mn_verify_tier tier, mn_verify_report *r)
{
    (void)tier;
    carried still, moves;
    MN_TRY(carry(c, mn_v3(0.0, 0.0, 0.0), &still));
    MN_TRY(carry(c, mn_v3(5.0, 10.0, 0.0), &moves));
    mn_verify_value(r, "speed of a sheet against the plate that carries it up and along, cm/s", mn_norm3(moves.speed),
                    0.0, mn_norm3(moves.speed), 0.01, 0.03);
    mn_verify_value(r, "height of the sheet above the plate over that on one at rest", moves.height / still.height, 1.0,
                    moves.height / still.height - 1.0, 0.01, 0.03);
    return MN_OK;
}

const mn_verify_case mn_verify_p5[] = {
    { "P5.1", "level cloth and yarn fall in still air", .run = air },
    { "P5.2", "hard pins: what they bear, and where they are", .run = pins },
    { "P5.3", "a plate that moves carries a sheet", .run = lift },
    { 0 },
};
