// SPDX-License-Identifier: MPL-2.0
// test/robust/draw/rows.c - rows as scene text: a value by the type of the row, and the few keys that need others.
#include "draw.h"

#include "scene/reader.h"

#include <math.h>
#include <string.h>

static const char *const meshes[] = { "cloth-0000.obj", "cloth-%04d.obj", "block.obj" };

static bool is_key(const mn_setting *s, const char *key) { return strcmp(s->key, key) == 0; }

static void number(draft *d, double v) { fprintf(d->out, isinf(v) ? ".inf" : "%.9g", v); }

static void numbers(draft *d, const double *v, int count)
{
    for (int k = 0; k < count; k++) {
        fputs(k == 0 ? "[" : ", ", d->out);
        number(d, v[k]);
    }
    fputs("]", d->out);
}

static int count_words(const char *const *words)
{
    int count = 0;
    while (words[count] != NULL) count++;
    return count;
}

const mn_section *draw_kind(const mn_group *group, const char *word)
{
    return group->kinds[mn_group_find(group, word)];
}

// --- values that are numbers -----------------------------------------------------------------------------------------

/// Rows of materials, solvers and the like are drawn over their range; all that lies in space, in the scale of space.
static bool in_space(const mn_section *section)
{
    for (int k = 0; k < mn_group_material.count; k++)
        if (section == mn_group_material.kinds[k]) return false;
    return section != &mn_section_pair;
}

/// Meshes are as fine as the grid asks for, now and then otherwise.
static bool draw_mesh_length(draft *d, const mn_section *section, const mn_setting *s)
{
    static const struct {
        const char *key;
        double      low, high;
    } lengths[] = { { "spacing", 0.35, 0.75 },
                    { "radius", 0.02, 0.3 },
                    { "pitch", 0.4, 3.0 },
                    { "curl", 0.4, 2.0 },
                    { "length", 0.5, 4.0 } };
    if (section != &mn_section_sheet && section != &mn_section_disc && section != &mn_section_hexagon &&
        section != &mn_section_mesh && section != &mn_section_yarn && section != &mn_section_hair &&
        section != &mn_section_pile)
        return false;
    for (int k = 0; k < 5; k++) {
        if (!is_key(s, lengths[k].key) || draw_chance(d, 0.03)) continue;
        number(d, d->cell * draw_log(d, lengths[k].low, lengths[k].high));
        return true;
    }
    return false;
}

static void draw_number(draft *d, const mn_section *section, const mn_setting *s)
{
    if (draw_mesh_length(d, section, s)) return;
    if (is_key(s, "scale") && draw_chance(d, 0.98)) {
        number(d, d->reach);  // meshes are one unit wide
    } else if (is_key(s, "frequency")) {
        number(d, draw_log(d, 0.03, 1.0) * d->speed / d->reach);
    } else if (is_key(s, "disk_reserve")) {
        number(d, draw_log(d, 1e-3, 1e3));  // what is free is of the machine, not of the scene
    } else if (is_key(s, "t")) {
        number(d, d->duration * draw_unit(d));
    } else if (is_key(s, "below") || is_key(s, "step")) {
        const double v = is_key(s, "below") ? d->spot[d->up] + d->reach * draw_between(d, -0.3, 1.0)
                                            : draw_in_range(d, s);
        if (is_key(s, "step")) d->step_most = fmin(d->step_most, v);
        number(d, v);
    } else {
        const double v = in_space(section) ? draw_scaled(d, s) : draw_in_range(d, s);
        if (s->unit != NULL && strcmp(s->unit, "cm/s") == 0) d->fastest = fmax(d->fastest, v);
        number(d, v);
    }
}

/// Few strands, a coarse mesh, small pictures: the size of a scene is bounded. Solvers take all they may.
static void draw_whole(draft *d, const mn_setting *s)
{
    const bool   size = is_key(s, "count") || is_key(s, "vertices") || is_key(s, "every");
    const double high = size ? fmin(s->high, 24.0) : is_key(s, "texture") ? 256.0 : s->high;
    fprintf(d->out, "%.0f",
            high <= 64.0 ? s->low + draw_below(d, (int)(high - s->low) + 1) : draw_log(d, fmax(s->low, 1.0), high));
}

static void draw_words(draft *d, const mn_setting *s)
{
    bool first = true;
    fputs("[", d->out);
    for (int k = 0; s->choices[k] != NULL; k++) {
        if (draw_chance(d, 0.5)) continue;
        fprintf(d->out, "%s%s", first ? "" : ", ", s->choices[k]);
        first = false;
    }
    fputs("]", d->out);
}

// --- names and files -------------------------------------------------------------------------------------------------

static void draw_name(draft *d, const mn_section *section, const mn_setting *s)
{
    const draw_fabric *f = &d->fabric[d->subject];
    if (is_key(s, "group")) {
        fputs(f->pinned[0] != '\0' ? f->pinned : "all", d->out);
    } else if (strcmp(section->title, "force") == 0) {
        fprintf(d->out, "obstacle_%d", draw_below(d, d->obstacles));
    } else {
        fprintf(d->out, "fabric_%d", d->subject);
    }
}

static void draw_text(draft *d, const mn_setting *s)
{
    static const char *const weaves[] = { "plain", "twill:2/2", "satin:5/2", "knit", "felt", "'cells:|-/-|'" };
    fputs(is_key(s, "weave") ? weaves[draw_below(d, 6)] : "\"drawn at random\"", d->out);
}

static void draw_file(draft *d, const mn_section *section, const mn_setting *s)
{
    fputs(is_key(s, "path") ? meshes[1] : section == &mn_section_mesh ? meshes[0] : meshes[2], d->out);
}

static void draw_material(draft *d, mn_material_kind kind)
{
    const char *word = mn_group_word(&mn_group_material, (int)kind);
    fprintf(d->out, "%s_%d", word, draw_below(d, d->materials[kind]));
}

static void draw_solutes(draft *d, const mn_setting *s)
{
    const int  first = draw_below(d, d->materials[MN_MATERIAL_PIGMENT]);
    mn_setting row   = *s;
    row.standard     = "0.01";
    fprintf(d->out, "{pigment_%d: ", first);
    number(d, draw_in_range(d, &row));
    fputs("}", d->out);
}

// --- maps ------------------------------------------------------------------------------------------------------------

static void draw_rows_as_map(draft *d, const mn_section *section)
{
    fputs("{", d->out);
    draw_rows(d, section, NULL, true);
    fputs("}", d->out);
}

static void draw_named(draft *d, const mn_setting *s)
{
    draw_fabric *f      = &d->fabric[d->subject];
    int          groups = count_words(f->groups);
    fputs("{", d->out);
    for (int k = 0, count = 1 + draw_below(d, 2); k < count; k++) {
        if (is_key(s, "pins")) {
            const char *group = f->groups[(draw_below(d, groups) + k * 3) % groups];
            if (k > 0 && strcmp(group, f->pinned) == 0) break;
            snprintf(f->pinned, sizeof f->pinned, "%s", group);
            fprintf(d->out, "%s%s: ", k > 0 ? ", " : "", group);
        } else {
            fprintf(d->out, "%s%.5s_%d: ", k > 0 ? ", " : "", s->key, k);
        }
        draw_rows_as_map(d, s->group != NULL ? s->group->kinds[draw_below(d, s->group->count)] : s->section);
    }
    fputs("}", d->out);
}

static void draw_motion(draft *d)
{
    if (d->motions > 0 && draw_chance(d, 0.2)) fprintf(d->out, "motion_%d", draw_below(d, d->motions));
    else if (draw_chance(d, 0.1)) fputs("fixed", d->out);
    else draw_rows_as_map(d, &mn_section_motion);
}

static void draw_keys(draft *d, const mn_section *section)
{
    double t = 0.0;
    fputs("[", d->out);
    for (int k = 0, count = 1 + draw_below(d, 3); k < count; k++) {
        static const char *const known[] = { "t", NULL };
        t += d->duration * draw_between(d, 0.1, 0.6);
        fprintf(d->out, "%s{t: %.9g", k > 0 ? ", " : "", t);
        draw_rows(d, section, known, false);
        fputs("}", d->out);
    }
    d->fastest = fmax(d->fastest, 3.0 * d->reach / d->duration);
    fputs("]", d->out);
}

void draw_shape(draft *d, const double spot[3], double reach)
{
    const double was[4] = { d->spot[0], d->spot[1], d->spot[2], d->reach };
    if (d->shapes > 0 && d->depth == 0 && draw_chance(d, 0.1)) {
        fprintf(d->out, "shape_%d", draw_below(d, d->shapes));
        return;
    }
    d->depth++;
    for (int a = 0; a < 3; a++) d->spot[a] = spot[a];
    d->reach       = reach;
    const int most = d->depth < 3 ? mn_group_shape.count : MN_SHAPE_MESH;
    int       kind = draw_below(d, most);
    while (kind == MN_SHAPE_DISC && !d->flat) kind = draw_below(d, most);
    draw_rows_as_map(d, mn_group_shape.kinds[kind]);
    for (int a = 0; a < 3; a++) d->spot[a] = was[a];
    d->reach = was[3];
    d->depth--;
}

static void draw_shapes(draft *d)
{
    fputs("[", d->out);
    for (int k = 0, count = 1 + draw_below(d, 3); k < count; k++) {
        if (k > 0) fputs(", ", d->out);
        draw_shape(d, d->spot, d->reach);
    }
    fputs("]", d->out);
}

static void draw_choice(draft *d, const char *const *words) { fputs(words[draw_below(d, count_words(words))], d->out); }

static void draw_amounts(draft *d, const mn_setting *s)
{
    if (draw_chance(d, 0.7)) {
        number(d, draw_in_range(d, s));
        return;
    }
    fprintf(d->out, "{%s: ", d->fabric[d->subject].groups[0]);
    number(d, draw_in_range(d, s));
    fputs("}", d->out);
}

// --- rows ------------------------------------------------------------------------------------------------------------

static void draw_value(draft *d, const mn_section *section, const mn_setting *s)
{
    double v[3];
    switch (s->type) {
    case MN_SET_NUMBER: draw_number(d, section, s); break;
    case MN_SET_EVAPORATION: number(d, draw_in_range(d, s)); break;
    case MN_SET_VECTOR: draw_vector(d, s, v), numbers(d, v, 3); break;
    case MN_SET_PAIR: draw_pair(d, s, v), numbers(d, v, 2); break;
    case MN_SET_PIXELS: fputs("[320, 200]", d->out); break;
    case MN_SET_INTEGER:
    case MN_SET_COUNT: draw_whole(d, s); break;
    case MN_SET_SEED: fprintf(d->out, "%.0f", draw_log(d, 1.0, 1e15)); break;
    case MN_SET_CHOICE:
    case MN_SET_FLAG: draw_choice(d, s->choices); break;
    case MN_SET_WORDS: draw_words(d, s); break;
    case MN_SET_NAME: draw_name(d, section, s); break;
    case MN_SET_TEXT: draw_text(d, s); break;
    case MN_SET_FILE: draw_file(d, section, s); break;
    case MN_SET_SECTION: draw_rows_as_map(d, s->section); break;
    case MN_SET_NAMED: draw_named(d, s); break;
    case MN_SET_SHAPE: draw_shape(d, d->spot, d->reach); break;
    case MN_SET_SHAPES: draw_shapes(d); break;
    case MN_SET_MOTION: draw_motion(d); break;
    case MN_SET_KEYS: draw_keys(d, s->section); break;
    case MN_SET_LIQUID: fputs("liquid_0", d->out); break;  // one kind of liquid a world
    case MN_SET_FABRIC: draw_material(d, MN_MATERIAL_FABRIC); break;
    case MN_SET_STIFFNESS:
        if (draw_chance(d, 0.5)) fputs("hard", d->out);
        else number(d, draw_in_range(d, s));
        break;
    case MN_SET_AMOUNTS: draw_amounts(d, s); break;
    case MN_SET_SOLUTES: draw_solutes(d, s); break;
    case MN_SET_PIGMENTS: fputs("[pigment_0]", d->out); break;
    case MN_SET_BOUNDS:
    case MN_SET_NAME_PAIR:
    case MN_SET_PAIRS:
    case MN_SET_APART: fputs("null", d->out); break;  // written by scene.c where they are wanted
    }
}

static bool is_known(const char *const *known, const char *key)
{
    for (int k = 0; known != NULL && known[k] != NULL; k++)
        if (strcmp(known[k], key) == 0) return true;
    return false;
}

static bool is_written(draft *d, const mn_setting *s)
{
    if (s->flags & MN_SET_LATER || s->type == MN_SET_APART || s->type == MN_SET_NAME_PAIR) return false;
    if (s->type == MN_SET_SOLUTES && d->materials[MN_MATERIAL_PIGMENT] == 0) return false;
    if (s->type == MN_SET_PIGMENTS) return d->materials[MN_MATERIAL_PIGMENT] > 0;
    return s->flags & MN_SET_REQUIRED || draw_chance(d, d->eager);
}

/// What several rows of a section must be to one another.
static const char *const *written_first(draft *d, const mn_section *section)
{
    static const char *const yarn[]    = { "pattern", "size", "length", NULL };
    static const char *const of_mesh[] = { "mesh", NULL };
    if (section == &mn_section_yarn) {
        const mn_setting *pattern = mn_section_find(section, "pattern");
        const int         kind    = draw_below(d, count_words(pattern->choices));
        double            size[2];
        draw_pair(d, mn_section_find(section, "size"), size);
        fprintf(d->out, "pattern: %s", pattern->choices[kind]);
        if (kind >= MN_YARN_PLAIN) fprintf(d->out, ", size: [%.9g, %.9g]", size[0], size[1]);
        else if (kind != MN_YARN_RING) fprintf(d->out, ", length: %.9g", size[0]);
        return yarn;
    }
    return section == &mn_section_stain_files ? of_mesh : NULL;
}

void draw_rows(draft *d, const mn_section *section, const char *const *known, bool first)
{
    const char *const *own = written_first(d, section);
    if (section == &mn_section_yarn) first = false;
    for (int k = 0; k < section->count; k++) {
        const mn_setting *s = &section->settings[k];
        if (is_known(known, s->key) || is_known(own, s->key) || !is_written(d, s)) continue;
        fprintf(d->out, "%s%s: ", first ? "" : ", ", s->key);
        draw_value(d, section, s);
        first = false;
    }
}

void draw_section(draft *d, const mn_section *section) { draw_rows_as_map(d, section); }
