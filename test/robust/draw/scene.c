// SPDX-License-Identifier: MPL-2.0
// test/robust/draw/scene.c - prints a random scene: what is in it, and where, so that its kinds of matter meet.
// usage: robust_draw SEED ATTEMPT FOLDER   writes FOLDER/scene.yaml and the meshes it names
#include "draw.h"

#include "scene/reader.h"
#include "scene/settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES          3
#define STEPS_PER_FRAME 10.0  // about: steps at the speed limit in a frame

/// A thing of a map, and the first of its keys.
static void begin_thing(draft *d, const char *word, int k) { fprintf(d->out, "  %s_%d: {", word, k); }
static void end_thing(draft *d) { fputs("}\n", d->out); }

static void place(draft *d, const double at[3]) { fprintf(d->out, "at: [%.9g, %.9g, %.9g]", at[0], at[1], at[2]); }

static void turn(draft *d)
{
    if (!draw_chance(d, 0.3)) return;
    fputs(", rotate: ", d->out);
    draw_section(d, &mn_section_turn);
}

// --- space and time --------------------------------------------------------------------------------------------------

/// What there is, by the seed alone: scenes that are refused and drawn anew keep it, or simple ones would be left over.
static void draw_plan(draft *d)
{
    const double kind = draw_unit(d);
    d->dimension      = kind < 0.07 ? 2 : 3;
    d->closed         = kind >= 0.11;
    d->pigmented      = draw_chance(d, 0.4);
    d->obstacles      = draw_chance(d, 0.5) ? 1 + draw_below(d, 2) : 0;
    d->fabrics        = d->closed && draw_chance(d, 0.93) ? 1 + draw_chance(d, 0.2) : 0;
    d->liquids        = d->fabrics == 0 || draw_chance(d, 0.9) ? 1 + draw_below(d, 2) : 0;
    d->stains         = d->closed && d->pigmented && draw_chance(d, 0.6);
}

static void draw_space(draft *d)
{
    static const mn_section *const section   = &mn_section_domain;
    const char *const             *boundary  = mn_section_row(section, "boundary.x")->choices;
    const bool                     unbounded = draw_chance(d, 0.07), usual = draw_chance(d, 0.7);
    d->up   = draw_chance(d, 0.8) ? 1 : draw_below(d, d->dimension);
    d->cell = usual ? draw_log(d, 0.05, 1.0) : draw_in_range(d, mn_section_find(section, "cell"));
    fprintf(d->out, "domain:\n  dimension: %d\n  up: %c\n  cell: %.9g\n", d->dimension, "xyz"[d->up], d -> cell);
    d->low[2] = -0.5, d->high[2] = 0.5;
    for (int a = 0; a < d->dimension; a++) {
        const int cells = d->closed ? 9 + draw_below(d, 9) : 8 * (1 + draw_below(d, d->dimension == 2 ? 4 : 2));
        d->low[a]       = draw_chance(d, 0.5) ? -0.5 * cells * d->cell : d->cell * draw_between(d, -20.0, 20.0);
        d->high[a]      = d->low[a] + cells * d->cell;
    }
    if (!unbounded) {
        fprintf(d->out, "  bounds: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]\n  boundary: {x: ", d->low[0],
                d->low[1], d->low[2], d->high[0], d->high[1], d->high[2]);
        for (int a = 0; a < d->dimension; a++)
            fprintf(d->out, "%s%s",
                    a == 0   ? ""
                    : a == 1 ? ", y: "
                             : ", z: ",
                    boundary[draw_below(d, d->closed ? 2 : 3)]);
        fputs("}\n", d->out);
    }
    const double usual_pull = draw_chance(d, 0.7) ? 981.0 : draw_log(d, 1e-6, 1e8);
    for (int a = 0; a < d->dimension; a++) d->gravity[a] = 0.0;
    if (draw_chance(d, 0.8)) {
        d->gravity[d->up] = -usual_pull;
    } else if (draw_chance(d, 0.8)) {
        double direction[3];
        draw_direction(d, direction);
        for (int a = 0; a < d->dimension; a++) d->gravity[a] = usual_pull * direction[a];
    }
    fprintf(d->out, "  gravity: [%.9g, %.9g, %.9g]\n  ", d->gravity[0], d->gravity[1], d->gravity[2]);
    const double width = d->high[0] - d->low[0], pull = hypot(hypot(d->gravity[0], d->gravity[1]), d->gravity[2]);
    d->speed    = pull > 0.0 ? sqrt(pull * width) * draw_log(d, 0.3, 3.0) : d->cell * draw_log(d, 0.1, 1e4);
    d->fastest  = fmax(d->speed, sqrt(2.0 * pull * width));
    d->duration = FRAMES * STEPS_PER_FRAME * 0.5 * d->cell / d->fastest;
    d->reach    = 0.3 * width;
    for (int a = 0; a < 3; a++) d->spot[a] = 0.5 * (d->low[a] + d->high[a]);
    fputs("wall: ", d->out);
    fprintf(d->out, "%s\n", draw_chance(d, 0.5) ? "slip" : "no_slip");
}

/// Last of all, when what limits the steps is known: some dozens of steps, of which a frame has a third.
static void draw_time(draft *d)
{
    static const char *const known[] = { "end", "frame_rate", "dt_max", "dt_min", NULL };
    const mn_section        *section = &mn_section_time;
    double frame = STEPS_PER_FRAME * 0.5 * d->cell / d->fastest, longest = fmin(d->step_most, 1.0 / 60.0);
    fputs("time: {", d->out);
    d->eager = 0.2;
    if (draw_chance(d, 0.15)) {
        const double dt_max = draw_in_range(d, mn_section_find(section, "dt_max"));
        longest             = fmin(longest, dt_max);
        fprintf(d->out, "dt_max: %.9g, ", dt_max);
    }
    frame = fmin(frame, 20.0 * longest);
    // As the sentence of a run that gives up asks for: far below the steps that this scene needs. Now and then
    // anything.
    const mn_setting *dt_min = mn_section_find(section, "dt_min");
    if (draw_chance(d, 0.005)) fprintf(d->out, "dt_min: %.9g, ", draw_in_range(d, dt_min));
    else if (frame < 1e-3 || draw_chance(d, 0.1)) fprintf(d->out, "dt_min: %.9g, ", frame * draw_log(d, 1e-12, 1e-6));
    frame = fmax(frame, 1.0000001e-9);  // the range of frame_rate
    fprintf(d->out, "end: %.9g, frame_rate: %.9g", FRAMES * frame, 1.0 / frame);
    draw_rows(d, section, known, false);
    fputs("}\n", d->out);
}

// --- materials and what has a name -----------------------------------------------------------------------------------

/// Textile keys say in other words what keys of the fabric say: one of them at the most, or hardly a scene is accepted.
static const char *const *left_out(draft *d, const char *out[12])
{
    static const char *const textile[] = { "areal_weight", "thread_count", "bending_length", "bending_rigidity",
                                           "capillary_radius" };
    const int                kept      = draw_chance(d, 0.25) ? draw_below(d, 5) : -1;
    int                      count     = 0;
    out[count++] = "kind", out[count++] = "from", out[count++] = "rheology";
    for (int k = 0; k < 5; k++)
        if (k != kept) out[count++] = textile[k];
    out[count] = NULL;
    return out;
}

static void draw_materials(draft *d, bool pigments)
{
    const char *out[12];
    fputs("materials:\n", d->out);
    for (int kind = 0; kind < mn_group_material.count; kind++) {
        const char *word  = mn_group_word(&mn_group_material, kind);
        int         count = kind == MN_MATERIAL_FABRIC ? 2 : kind == MN_MATERIAL_LIQUID ? 1 : (int)pigments;
        if (kind == MN_MATERIAL_FIBRE || kind == MN_MATERIAL_SOLID) count = draw_chance(d, 0.05);
        for (int k = 0; k < count; k++) {
            begin_thing(d, word, k);
            fprintf(d->out, "kind: %s", word);
            if (draw_chance(d, 0.3)) {
                const mn_builtin_material *b;
                do b = &mn_builtin_materials[draw_below(d, 20)];
                while (strncmp(b->text + 7, word, strlen(word)) != 0);
                fprintf(d->out, ", from: %s", b->name);
            }
            d->eager           = kind == MN_MATERIAL_FABRIC ? draw_between(d, 0.0, 0.25) : draw_between(d, 0.0, 0.8);
            d->materials[kind] = 0;  // a liquid may name pigments, which are there
            if (kind == MN_MATERIAL_LIQUID && pigments) d->materials[MN_MATERIAL_PIGMENT] = 1;
            draw_rows(d, mn_group_material.kinds[kind], left_out(d, out), false);
            end_thing(d);
        }
        d->materials[kind] = count;
    }
    d->eager = 0.25;
}

static void draw_named_things(draft *d)
{
    const double origin[3] = { 0.0, 0.0, 0.0 };
    if (draw_chance(d, 0.2)) {
        fputs("motions:\n  motion_0: ", d->out);
        draw_section(d, &mn_section_motion);
        fputs("\n", d->out);
        d->motions = 1;
    }
    if (draw_chance(d, 0.2)) {
        fputs("shapes:\n  shape_0: ", d->out);
        draw_shape(d, origin, 2.5 * d->cell);
        fputs("\n", d->out);
        d->shapes = 1;
    }
}

// --- things ----------------------------------------------------------------------------------------------------------

/// A place some cells from another, along the way things fall or anywhere.
static void beside(draft *d, const double spot[3], double cells, double out[3])
{
    double direction[3];
    draw_direction(d, direction);
    for (int a = 0; a < 3; a++) out[a] = spot[a] + (a < d->dimension ? d->cell * draw_between(d, -1.0, 1.0) : 0.0);
    if (draw_chance(d, 0.7)) out[d->up] = spot[d->up] + cells * d->cell;
    else
        for (int a = 0; a < d->dimension; a++) out[a] += fabs(cells) * d->cell * direction[a];
}

static void draw_obstacles(draft *d, int count, const double spot[3])
{
    static const char *const known[]   = { "shape", "at", "rotate", NULL };
    const double             origin[3] = { 0.0, 0.0, 0.0 };
    if (count > 0) fputs("obstacles:\n", d->out);
    for (int k = 0; k < count; k++) {
        double       at[3];
        const double reach = d->cell * draw_between(d, 1.0, 3.5);
        beside(d, spot, -reach / d->cell - draw_between(d, 0.0, 3.0), at);
        begin_thing(d, "obstacle", k);
        place(d, at);
        fputs(", shape: ", d->out);
        draw_shape(d, origin, reach);
        turn(d);
        d->reach = reach;
        draw_rows(d, &mn_section_obstacle, known, false);
        end_thing(d);
    }
    d->obstacles = count;
}

static const char *const cloth_groups[] = {
    "corners", "border", "left", "right", "front", "back", "center", "all", NULL
};
static const char *const disc_groups[] = { "border", "center", "all", NULL };
static const char *const yarn_groups[] = { "ends", "left", "right", "all", NULL };
static const char *const hair_groups[] = { "roots", "tips", "all", NULL };
static const char *const mesh_groups[] = { "all", NULL };

static void draw_fabrics(draft *d, int count, const double spot[3])
{
    static const char *const known[] = { "at", "rotate", "sheet", "disc", "hexagon", "mesh", "yarn", "hair", NULL };
    static const int         kinds[] = { MN_FABRIC_SHEET, MN_FABRIC_SHEET, MN_FABRIC_DISC, MN_FABRIC_HEXAGON,
                                         MN_FABRIC_MESH,  MN_FABRIC_YARN,  MN_FABRIC_YARN, MN_FABRIC_HAIR };
    const double             width   = d->high[0] - d->low[0];
    if (count > 0) fputs("fabrics:\n", d->out);
    for (int k = 0; k < count; k++) {
        const int    kind = kinds[draw_below(d, 8)];
        draw_fabric *f    = &d->fabric[k];
        double       at[3];
        *f                        = (draw_fabric){ .cloth = kind <= MN_FABRIC_MESH };
        const char *const *groups = kind == MN_FABRIC_MESH   ? mesh_groups
                                    : kind == MN_FABRIC_YARN ? yarn_groups
                                    : kind == MN_FABRIC_HAIR ? hair_groups
                                    : kind == MN_FABRIC_DISC ? disc_groups
                                                             : cloth_groups;
        for (int g = 0; groups[g] != NULL; g++) f->groups[g] = groups[g];
        memcpy(at, spot, sizeof at);
        at[d->up] += k * d->cell * draw_between(d, 0.3, 3.0);
        if (draw_chance(d, 0.15)) beside(d, spot, draw_between(d, -4.0, 4.0), at);
        d->subject = k;
        d->fabrics = k + 1;
        d->reach   = draw_between(d, 0.4, 0.8) * width;
        if (kind == MN_FABRIC_HAIR) d->reach = 2.0 * d->cell;
        const double was[3] = { d->spot[0], d->spot[1], d->spot[2] };
        memset(d->spot, 0, sizeof d->spot);  // of what lies in the coordinates of the mesh
        begin_thing(d, "fabric", k);
        fprintf(d->out, "%s: ", mn_group_word(&mn_group_fabric, kind));
        draw_section(d, mn_group_fabric.kinds[kind]->settings[0].section);
        fputs(", ", d->out);
        place(d, at);
        turn(d);
        d->reach *= 0.5;
        draw_rows(d, mn_group_fabric.kinds[kind], known, false);
        memcpy(d->spot, was, sizeof was);
        end_thing(d);
    }
}

static void draw_liquids(draft *d, int count, const double spot[3])
{
    static const char *const fill_known[]   = { "fill", "at", "rotate", "particles_per_cell", NULL };
    static const char *const source_known[] = { "source", "sink", "particles_per_cell", NULL };
    static const char *const inner_known[]  = { "inside", "shape", "at", "rotate", "velocity", NULL };
    const double             origin[3]      = { 0.0, 0.0, 0.0 };
    const int                per_cell       = draw_chance(d, 0.5)   ? (d->dimension == 2 ? 4 : 8)
                                              : draw_chance(d, 0.8) ? 1 + draw_below(d, 16)
                                                                    : 1 + draw_below(d, 64);
    if (count > 0) fputs("liquids:\n", d->out);
    for (int k = 0; k < count; k++) {
        const char *const word  = k == 0 || draw_chance(d, 0.4) ? (draw_chance(d, 0.85) ? "fill" : "source")
                                  : draw_chance(d, 0.5)         ? "source"
                                                                : "sink";
        const mn_section *kind  = draw_kind(&mn_group_liquid, word);
        const bool        fills = strcmp(word, "fill") == 0;
        const double      reach = d->cell * draw_between(d, 1.5, 4.0);
        double            at[3];
        beside(d, spot,
               draw_chance(d, 0.5) ? draw_between(d, 0.0, 1.0) : 0.6 * reach / d->cell + draw_between(d, 0.0, 2.0), at);
        d->reach = reach;
        begin_thing(d, "liquid", k);
        fprintf(d->out, "%s: {%s: ", word, fills ? "inside" : "shape");
        d->flat = strcmp(word, "source") == 0;
        draw_shape(d, origin, reach);
        d->flat = false;
        memcpy(d->spot, at, sizeof at);
        if (!fills) fputs(", ", d->out), place(d, at), turn(d);
        if (strcmp(word, "source") == 0) {
            double velocity[3];
            draw_vector(d, mn_section_find(kind->settings[0].section, "velocity"), velocity);
            fprintf(d->out, ", velocity: [%.9g, %.9g, %.9g]", velocity[0], velocity[1], velocity[2]);
        }
        draw_rows(d, kind->settings[0].section, inner_known, false);
        fputs("}", d->out);
        if (fills) fputs(", ", d->out), place(d, at), turn(d);
        if (strcmp(word, "sink") != 0) fprintf(d->out, ", particles_per_cell: %d", per_cell);
        draw_rows(d, kind, fills ? fill_known : source_known, false);
        end_thing(d);
    }
}

static void draw_stains(draft *d, int count, const double spot[3])
{
    int on = -1, in_fabric = draw_chance(d, 0.4);
    for (int k = 0; k < d->fabrics; k++)
        if (d->fabric[k].cloth) on = k;
    if (count > 0) fputs("stains:\n", d->out);
    for (int k = 0; k < count; k++) {
        const int kind = on >= 0 && (in_fabric || draw_chance(d, 0.6)) ? MN_STAIN_ON
                                                                       : 1 + draw_below(d, MN_STAIN_FILES);
        memcpy(d->spot, spot, sizeof d->spot);
        d->reach   = 3.0 * d->cell;
        d->subject = on >= 0 ? on : 0;
        begin_thing(d, "stain", k);
        if (kind == MN_STAIN_ON && in_fabric) {
            fprintf(d->out, "on: fabric_%d, carrier: fabric, pigments: [pigment_0], drops: {drop: {inside: ", on);
            draw_shape(d, spot, d->reach);
            fputs(", density: ", d->out);
            fprintf(d->out, "%.9g, solutes: {pigment_0: %.9g}}}", draw_log(d, 1e-8, 1.0), draw_log(d, 1e-8, 1.0));
        } else {
            d->reach = draw_between(d, 3.0, 8.0) * d->cell;
            if (kind == MN_STAIN_ON) {
                fprintf(d->out, "on: fabric_%d", on);
            } else {
                const mn_setting *first = &mn_group_stain.kinds[kind]->settings[0];
                fprintf(d->out, "%s: ", first->key);
                draw_section(d, first->section);
            }
            if (kind != MN_STAIN_ON && kind != MN_STAIN_FILES) {
                fputs(", ", d->out);
                place(d, spot);
                turn(d);
            }
            fputs(", pigments: [pigment_0], drops: {drop: {density: ", d->out);
            fprintf(d->out, "%.9g, inside: ", draw_log(d, 1e-6, 1.0));
            draw_shape(d, kind == MN_STAIN_FILES ? (double[3]){ 0.0, 0.0, 0.0 } : spot, 0.5 * d->reach);
            fputs("}}", d->out);
            const char *written[] = {
                "on", "at", "rotate", "carrier", "pigments", "drops", mn_group_stain.kinds[kind]->settings[0].key, NULL
            };
            draw_rows(d, mn_group_stain.kinds[kind], written, false);
        }
        end_thing(d);
        in_fabric = 0;
    }
}

static void draw_probes(draft *d, int count)
{
    if (count > 0) fputs("probes:\n", d->out);
    for (int k = 0; k < count; k++) {
        int kind = draw_below(d, mn_group_probe.count);
        if (kind >= MN_PROBE_WET_AREA && d->fabrics == 0) kind = MN_PROBE_SPEED;
        if (kind == MN_PROBE_FORCE && d->obstacles == 0) kind = MN_PROBE_HEIGHT;
        d->subject = d->fabrics > 0 ? draw_below(d, d->fabrics) : 0;
        if (kind == MN_PROBE_PIN_FORCE && d->fabric[d->subject].pinned[0] == '\0') kind = MN_PROBE_POSITION;
        fprintf(d->out, "  probe_%d: ", k);
        draw_section(d, mn_group_probe.kinds[kind]);
        fputs("\n", d->out);
    }
}

static void draw_pairs(draft *d)
{
    d->eager = 0.8;
    fputs("pairs:\n  - {of: [liquid_0, fabric_0], contact_angle: ", d->out);
    fprintf(d->out, "%.9g", draw_between(d, 0.0, 180.0));
    draw_rows(d, &mn_section_pair, (const char *const[]){ "of", "contact_angle", "friction", "cohesion", NULL }, false);
    fputs("}\n  - {of: [fabric_0, fabric_0], cohesion: ", d->out);
    fprintf(d->out, "%.9g", draw_in_range(d, mn_section_find(&mn_section_pair, "cohesion")));
    draw_rows(d, &mn_section_pair, (const char *const[]){ "of", "contact_angle", "cohesion", NULL }, false);
    fputs("}\n", d->out);
    d->eager = 0.25;
}

// --- the whole -------------------------------------------------------------------------------------------------------

static void part(draft *d, const char *key, const mn_section *section, double probability)
{
    if (!draw_chance(d, probability)) return;
    fprintf(d->out, "%s: ", key);
    draw_section(d, section);
    fputs("\n", d->out);
}

static void draw_scene(draft *d)
{
    double spot[3];
    fputs("format: 1\nname: drawn\n", d->out);
    draw_space(d);
    for (int a = 0; a < 3; a++)
        spot[a] = 0.5 * (d->low[a] + d->high[a]) + (a < d->dimension ? d->cell * draw_between(d, -2.0, 2.0) : 0.0);
    draw_materials(d, d->pigmented);
    draw_named_things(d);
    draw_obstacles(d, d->obstacles, spot);
    draw_fabrics(d, d->fabrics, spot);
    draw_liquids(d, d->liquids, spot);
    draw_stains(d, d->stains, spot);
    memcpy(d->spot, spot, sizeof spot);
    d->reach = 0.4 * (d->high[0] - d->low[0]);
    draw_probes(d, draw_chance(d, 0.6) ? 1 + draw_below(d, 3) : 0);
    if (d->fabrics > 0 && draw_chance(d, 0.4)) draw_pairs(d);
    part(d, "wind", &mn_section_wind, 0.2);
    d->eager = 0.15;
    part(d, "solver", &mn_section_solver, 0.3);
    part(d, "output", &mn_section_output, 0.3);
    part(d, "camera", &mn_section_camera, 0.05);
    draw_time(d);
}

/// A sheet of unit width that swells and moves a little in three files, and a closed block of unit width.
static int write_meshes(const char *folder)
{
    char path[1024];
    for (int f = 0; f < 3; f++) {
        snprintf(path, sizeof path, "%s/cloth-%04d.obj", folder, f);
        FILE *out = fopen(path, "w");
        if (out == NULL) return 1;
        for (int k = 0; k < 81; k++)
            fprintf(out, "v %.6g %.6g %.6g\nvt %g %g\n", (k % 9 - 4) / 8.0, 0.02 * f * (k % 3), (k / 9 - 4) / 8.0,
                    (k % 9) / 8.0, (k / 9) / 8.0);
        for (int k = 0; k < 64; k++) {
            const int a = k / 8 * 9 + k % 8 + 1;
            fprintf(out, "f %d/%d %d/%d %d/%d %d/%d\n", a, a, a + 9, a + 9, a + 10, a + 10, a + 1, a + 1);
        }
        if (fclose(out) != 0) return 1;
    }
    snprintf(path, sizeof path, "%s/block.obj", folder);
    FILE *out = fopen(path, "w");
    if (out == NULL) return 1;
    fputs("v -.5 -.5 -.5\nv .5 -.5 -.5\nv .5 .5 -.5\nv -.5 .5 -.5\nv -.5 -.5 .5\nv .5 -.5 .5\nv .5 .5 .5\nv -.5 .5 .5\n"
          "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n",
          out);
    return fclose(out) != 0;
}

int main(int argc, char **argv)
{
    char path[1024];
    if (argc != 4) return fputs("usage: robust_draw SEED ATTEMPT FOLDER\n", stderr), 2;
    snprintf(path, sizeof path, "%s/scene.yaml", argv[3]);
    draft d = { .eager = 0.25, .step_most = INFINITY };
    d.seed  = strtoull(argv[1], NULL, 10);
    draw_plan(&d);
    d.seed = d.seed * 1000003u + strtoull(argv[2], NULL, 10);
    d.out  = fopen(path, "w");
    if (d.out == NULL) return perror(path), 1;
    draw_scene(&d);
    if (fclose(d.out) != 0) return perror(path), 1;
    return write_meshes(argv[3]);
}
