// SPDX-License-Identifier: MPL-2.0
// scene/reference.c - the table as a reference page, and listings of what is built in.
#include "base/locale.h"
#include "scene/reader.h"
#include "scene/text.h"

#include <string.h>

static const char introduction[] =
    "# The scene language\n\n"
    "A scene is a YAML file that describes one world. This page is made from the table the program reads scenes by.\n\n"
    "- Things are maps by name; names are made of letters, digits, `_` and `-`.\n"
    "- A bare number is in CGS (cm, g, s, dyn, P), a bare angle in degrees. Any number may carry a unit, which is "
    "checked: `\"2 mm\"`,\n"
    "  `\"1.6 mPa s\"`, `\"20 ml/s\"`, `\"10 g/m2/s\"`, `\"90 deg\"`, `\"30 rpm\"`. Factors stand side by side, `/` "
    "divides by the next one.\n"
    "- A shape or a motion is written in place as a map, or named.\n"
    "- `include: other.yaml` (or a list) reads other scene files first; the path is relative to the file it stands in, "
    "and what is\n"
    "  written in the including file wins, key by key.\n"
    "- `variants: {NAME: {domain.cell: \"1 mm\"}}` holds changes that `--variant NAME` makes; keys may be dotted or "
    "nested maps.\n"
    "- `--set key.key=value` comes last; the value is YAML.\n"
    "- Unknown keys, repeated keys and unknown names are errors. What this version does not have yet is refused, not "
    "ignored.\n"
    "- Anchors and aliases may be used; tags, merge keys and several documents in one file may not.\n"
    "- In a scene of `dimension: 2` the z of a vector may be left out.\n";

static const char *type_text(const mn_setting *s)
{
    switch (s->type) {
    case MN_SET_NUMBER: return "number";
    case MN_SET_VECTOR: return "[x, y, z]";
    case MN_SET_PAIR: return "[a, b]";
    case MN_SET_BOUNDS: return "[[x, y, z], [x, y, z]]";
    case MN_SET_INTEGER:
    case MN_SET_COUNT:
    case MN_SET_SEED: return "whole number";
    case MN_SET_PIXELS: return "[width, height]";
    case MN_SET_CHOICE:
    case MN_SET_FLAG: return "word";
    case MN_SET_WORDS: return "list of words";
    case MN_SET_NAME: return "name";
    case MN_SET_TEXT: return "text";
    case MN_SET_FILE: return "path";
    case MN_SET_SECTION: return "map";
    case MN_SET_NAMED: return "map of names";
    case MN_SET_SHAPE: return "shape";
    case MN_SET_SHAPES: return "list of shapes";
    case MN_SET_MOTION: return "motion";
    case MN_SET_KEYS: return "list of maps";
    case MN_SET_STIFFNESS: return "number or `hard`";
    case MN_SET_EVAPORATION: return "number";
    case MN_SET_AMOUNTS: return "number or map from groups to numbers";
    case MN_SET_NAME_PAIR: return "[name, name]";
    case MN_SET_PAIRS: return "list of maps";
    case MN_SET_FABRIC:
    case MN_SET_LIQUID: return "name of a material";
    case MN_SET_SOLUTES: return "map of numbers";
    case MN_SET_PIGMENTS: return "list of names";
    case MN_SET_APART: break;
    }
    return strcmp(s->key, "variants") == 0  ? "map of names"
           : strcmp(s->key, "include") == 0 ? "path or list"
                                            : "name of a material";
}

static void add_accepted(mn_text *t, const mn_setting *s)
{
    char range[MN_RANGE_BYTES];
    mn_setting_range(s, range);
    mn_text_add(t, "%s", range);
    for (int k = 0; s->choices != NULL && s->choices[k] != NULL; k++)
        mn_text_add(t, "%s`%s`", k > 0 ? ", " : "", s->choices[k]);
    if (s->flags & MN_SET_DIRECTION) mn_text_add(t, "not zero");
    if (s->flags & MN_SET_RISING) mn_text_add(t, ", rising");
    if (s->flags & MN_SET_INFINITE) mn_text_add(t, "%s`.inf` allowed", range[0] != '\0' ? ", " : "");
}

static void add_default(mn_text *t, const mn_setting *s)
{
    if (s->flags & MN_SET_REQUIRED) mn_text_add(t, "required");
    if (s->standard == NULL) return;
    mn_text_add(t, "`%s`", s->standard[0] != '\0' ? s->standard : "\"\"");
    if (s->standard_2d != NULL) mn_text_add(t, ", in 2D `%s`", s->standard_2d);
}

/// One table; a key below another is written with a dot.
static void add_rows(mn_text *t, const char *front, const mn_section *section)
{
    for (int k = 0; k < section->count; k++) {
        const mn_setting *s = &section->settings[k];
        if (s->flags & MN_SET_LATER) continue;
        mn_text_add(t, "| `%s%s` | %s | %s | ", front, s->key, type_text(s), s->unit != NULL ? s->unit : "");
        add_accepted(t, s);
        mn_text_add(t, " | ");
        add_default(t, s);
        mn_text_add(t, " | %s |\n", s->help);
        const mn_section *below = s->type == MN_SET_SECTION || s->type == MN_SET_KEYS ? s->section : NULL;
        if (below == NULL || below == &mn_section_turn) continue;
        char         longer[128];
        const size_t front_length = strlen(front), key_length = strlen(s->key);
        if (front_length + key_length + 2 > sizeof longer) continue;
        memcpy(longer, front, front_length);
        memcpy(longer + front_length, s->key, key_length);
        memcpy(longer + front_length + key_length, ".", 2);
        add_rows(t, longer, below);
    }
}

static void add_table(mn_text *t, const mn_section *section)
{
    mn_text_add(t, "| key | value | unit | accepted | default | meaning |\n|---|---|---|---|---|---|\n");
    add_rows(t, "", section);
}

static void add_group(mn_text *t, const mn_group *group)
{
    for (int k = 0; k < group->count; k++) {
        mn_text_add(t, "\n### %s: %s\n\n", group->title, mn_group_word(group, k));
        add_table(t, group->kinds[k]);
    }
}

static void add_top_level(mn_text *t)
{
    mn_text_add(t, "\n## Keys of a scene\n\n| key | value | default | meaning |\n|---|---|---|---|\n");
    for (int k = 0; k < mn_section_scene.count; k++) {
        const mn_setting *s = &mn_section_scene.settings[k];
        if (s->flags & MN_SET_LATER) continue;
        mn_text_add(t, "| `%s` | %s | ", s->key, type_text(s));
        add_default(t, s);
        mn_text_add(t, " | %s |\n", s->help);
    }
    mn_text_add(t, "\nPart of the language, but not of this version:");
    bool first = true;
    for (int k = 0; k < mn_section_scene.count; k++) {
        const mn_setting *s = &mn_section_scene.settings[k];
        if (!(s->flags & MN_SET_LATER)) continue;
        mn_text_add(t, "%s `%s` (%s)", first ? "" : ",", s->key, s->help);
        first = false;
    }
    mn_text_add(t, ".\n");
}

mn_status mn_scene_reference(mn_context *context, char **markdown)
{
    const mn_plain_locale plain = mn_plain_locale_begin();
    mn_text               t     = { .context = context };
    mn_text_add_bytes(&t, introduction, strlen(introduction));
    add_top_level(&t);
    for (int k = 0; k < mn_section_scene.count; k++) {
        const mn_setting *s = &mn_section_scene.settings[k];
        if (s->section == NULL && s->group == NULL) continue;
        mn_text_add(&t, "\n## %s\n\n%s.\n", s->key, s->help);
        if (s->group != NULL) {
            add_group(&t, s->group);
        } else {
            mn_text_add(&t, "\n");
            add_table(&t, s->section);
        }
    }
    mn_text_add(&t, "\n## rotate\n\nA turn about an axis through the origin, as in `rotate: {axis: [0, 0, 1], angle: "
                    "90}`.\n\n");
    add_table(&t, &mn_section_turn);
    mn_text_add(&t, "\n## groups\n\nNamed sets of vertices of a fabric, as in `groups: {tabs: {corners: 0.5}}`.\n");
    add_group(&t, &mn_group_vertices);
    mn_text_add(&t, "\n## pins\n\nVertices of a fabric that are held, as in `pins: {tabs: {motion: fixed}}`.\n\n");
    add_table(&t, &mn_section_pin);
    mn_text_add(&t, "\n## patches\n\nParts of a stained cloth with weaves of their own, as in `patches: {all: {weave: "
                    "twill}}`.\n\n");
    add_table(&t, &mn_section_stain_patch);
    mn_text_add(&t, "\n## wefts\n\nDirections of the weft of a patch, as in `wefts: {cuff: {at: [0, 0, 12], along: [1, "
                    "0, 0]}}`.\n\n");
    add_table(&t, &mn_section_stain_weft);
    mn_text_add(&t, "\n## drops\n\nLiquid that is on a stained cloth at the start.\n\n");
    add_table(&t, &mn_section_stain_drop);
    mn_text_add(&t, "\n## sources\n\nPlaces of a stained cloth that are kept wet.\n\n");
    add_table(&t, &mn_section_stain_source);
    mn_text_add(&t, "\n## Built-in materials\n\n```yaml\n");
    for (const mn_builtin_material *b = mn_builtin_materials; b->name != NULL; b++)
        mn_text_add(&t, "%s: %s\n", b->name, b->text);
    mn_text_add(&t, "```\n");
    mn_plain_locale_end(plain);
    return mn_text_finish(&t, markdown);
}

mn_status mn_scene_materials(mn_context *context, char **listing)
{
    mn_text t = { .context = context };
    for (const mn_builtin_material *b = mn_builtin_materials; b->name != NULL; b++)
        mn_text_add(&t, "%-14s %s\n", b->name, b->text);
    return mn_text_finish(&t, listing);
}

static void add_shape_keys(mn_text *t, const mn_section *section)
{
    for (int k = 0; k < section->count; k++) {
        const mn_setting *s = &section->settings[k];
        mn_text_add(t, "%s%s%s", k > 0 ? ", " : "", s->key, s->flags & MN_SET_REQUIRED ? "" : "?");
    }
}

mn_status mn_scene_shapes(mn_context *context, char **listing)
{
    mn_text t = { .context = context };
    for (int k = 0; k < mn_group_shape.count; k++) {
        const mn_setting *first = &mn_group_shape.kinds[k]->settings[0];
        mn_text_add(&t, "%-14s %s", first->key, first->help);
        if (first->section != NULL) {
            mn_text_add(&t, " {");
            add_shape_keys(&t, first->section);
            mn_text_add(&t, "}");
        }
        mn_text_add(&t, "\n");
    }
    mn_text_add(&t, "every shape    at?, rotate? {axis?, angle?}; keys with ? may be left out\n");
    return mn_text_finish(&t, listing);
}
