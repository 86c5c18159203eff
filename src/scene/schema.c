// SPDX-License-Identifier: MPL-2.0
// scene/schema.c - the table as JSON Schema, for editors.
#include "base/locale.h"
#include "scene/reader.h"
#include "scene/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_PATTERN "^[A-Za-z0-9_][A-Za-z0-9_-]{0,62}$"

static void add_section(mn_text *t, const mn_section *section, bool with_required);

/// Limits of bare numbers; those with a unit are checked by the program.
static void add_limits(mn_text *t, const mn_setting *s)
{
    char number[MN_NUMBER_BYTES];
    if (s->low == 0.0 && s->high == 0.0) return;
    mn_number_text(s->flags & MN_SET_OR_ZERO ? 0.0 : mn_setting_shown(s, s->low), number);
    mn_text_add(t, ", \"%s\": %s", s->flags & MN_SET_ABOVE ? "exclusiveMinimum" : "minimum", number);
    if (isinf(s->high)) return;
    mn_number_text(mn_setting_shown(s, s->high), number);
    mn_text_add(t, ", \"%s\": %s", s->flags & MN_SET_UNDER ? "exclusiveMaximum" : "maximum", number);
}

static void add_quantity(mn_text *t, const mn_setting *s)
{
    mn_text_add(t, "\"anyOf\": [{\"type\": \"number\"");
    add_limits(t, s);
    mn_text_add(t, "}, {\"type\": \"string\"}]");
}

static void add_choices(mn_text *t, const char *const *choices)
{
    mn_text_add(t, "\"enum\": [");
    for (int k = 0; choices[k] != NULL; k++) mn_text_add(t, "%s\"%s\"", k > 0 ? ", " : "", choices[k]);
    mn_text_add(t, "]");
}

/// true and false are words of YAML, not texts.
static void add_flag(mn_text *t, const char *const *choices)
{
    if (strcmp(choices[1], "true") != 0) {
        add_choices(t, choices);
    } else {
        mn_text_add(t, "\"type\": \"boolean\"");
    }
}

static void add_numbers(mn_text *t, const mn_setting *s, int least, int most)
{
    mn_text_add(t, "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": {", least, most);
    if (s->type == MN_SET_PIXELS) {
        mn_text_add(t, "\"type\": \"integer\"");
        add_limits(t, s);
    } else {
        add_quantity(t, s);
    }
    mn_text_add(t, "}");
}

static void add_group(mn_text *t, const mn_group *group)
{
    mn_text_add(t, "\"%s\": [", group->words != NULL ? "anyOf" : "oneOf");
    for (int k = 0; k < group->count; k++) {
        mn_text_add(t, "%s{", k > 0 ? ", " : "");
        add_section(t, group->kinds[k], group->words == NULL);  // `from` may bring what is required
        mn_text_add(t, "}");
    }
    mn_text_add(t, "]");
}

static void add_named(mn_text *t, const mn_setting *s)
{
    mn_text_add(t, "\"type\": \"object\", \"propertyNames\": {\"pattern\": \"" NAME_PATTERN
                   "\"}, \"additionalProperties\": ");
    if (s->group == &mn_group_shape) {
        mn_text_add(t, "{\"$ref\": \"#/$defs/shape\"}");
        return;
    }
    mn_text_add(t, "{");
    if (s->group != NULL) {
        add_group(t, s->group);
    } else {
        add_section(t, s->section, true);
    }
    mn_text_add(t, "}");
}

static void add_apart(mn_text *t, const mn_setting *s)
{
    if (strcmp(s->key, "include") == 0) {
        mn_text_add(t, "\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]");
    } else if (strcmp(s->key, "variants") == 0) {
        mn_text_add(t, "\"type\": \"object\", \"additionalProperties\": {\"type\": \"object\"}");
    } else {
        mn_text_add(t, "\"type\": \"string\"");
    }
}

static void add_subsection(mn_text *t, const mn_section *section)
{
    if (!section->spread) {
        add_section(t, section, true);
        return;
    }
    mn_text_add(t, "\"anyOf\": [{");
    add_choices(t, section->settings[0].choices);
    mn_text_add(t, "}, {");
    add_section(t, section, true);
    mn_text_add(t, "}]");
}

static void add_type(mn_text *t, const mn_setting *s)
{
    switch (s->type) {
    case MN_SET_NUMBER: add_quantity(t, s); break;
    case MN_SET_VECTOR: add_numbers(t, s, 2, 3); break;
    case MN_SET_PAIR:
    case MN_SET_PIXELS: add_numbers(t, s, 2, 2); break;
    case MN_SET_BOUNDS:
        mn_text_add(t, "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {");
        add_numbers(t, s, 2, 3);
        mn_text_add(t, "}");
        break;
    case MN_SET_INTEGER:
    case MN_SET_COUNT:
        mn_text_add(t, "\"type\": \"integer\"");
        add_limits(t, s);
        break;
    case MN_SET_SEED: mn_text_add(t, "\"type\": \"integer\", \"minimum\": 0"); break;
    case MN_SET_CHOICE: add_choices(t, s->choices); break;
    case MN_SET_FLAG: add_flag(t, s->choices); break;
    case MN_SET_WORDS:
        mn_text_add(t, "\"type\": \"array\", \"uniqueItems\": true, \"items\": {");
        add_choices(t, s->choices);
        mn_text_add(t, "}");
        break;
    case MN_SET_SECTION: add_subsection(t, s->section); break;
    case MN_SET_NAMED: add_named(t, s); break;
    case MN_SET_SHAPE: mn_text_add(t, "\"$ref\": \"#/$defs/shape\""); break;
    case MN_SET_SHAPES:
        mn_text_add(t, "\"type\": \"array\", \"minItems\": 1, \"items\": {\"$ref\": \"#/$defs/shape\"}");
        break;
    case MN_SET_MOTION: mn_text_add(t, "\"$ref\": \"#/$defs/motion\""); break;
    case MN_SET_KEYS:
        mn_text_add(t, "\"type\": \"array\", \"minItems\": 1, \"items\": {");
        add_section(t, s->section, true);
        mn_text_add(t, "}");
        break;
    case MN_SET_AMOUNTS:
        mn_text_add(t, "\"anyOf\": [{\"type\": \"number\"");
        add_limits(t, s);
        mn_text_add(t, "}, {\"type\": \"string\"}, {\"type\": \"object\", \"additionalProperties\": {");
        add_quantity(t, s);
        mn_text_add(t, "}}]");
        break;
    case MN_SET_EVAPORATION:
    case MN_SET_STIFFNESS:
        mn_text_add(t, "\"anyOf\": [{\"type\": \"number\"");
        add_limits(t, s);
        mn_text_add(t, "}, {\"type\": \"string\"}]");
        break;
    case MN_SET_NAME_PAIR:
        mn_text_add(t, "\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": \"string\"}");
        break;
    case MN_SET_PIGMENTS: mn_text_add(t, "\"type\": \"array\", \"items\": {\"type\": \"string\"}"); break;
    case MN_SET_PAIRS:
        mn_text_add(t, "\"type\": \"array\", \"items\": {");
        add_section(t, s->section, true);
        mn_text_add(t, "}");
        break;
    case MN_SET_SOLUTES:
        mn_text_add(t, "\"type\": \"object\", \"additionalProperties\": {");
        add_quantity(t, s);
        mn_text_add(t, "}");
        break;
    case MN_SET_APART: add_apart(t, s); break;
    case MN_SET_NAME:
    case MN_SET_TEXT:
    case MN_SET_FILE:
    case MN_SET_FABRIC:
    case MN_SET_LIQUID: mn_text_add(t, "\"type\": \"string\""); break;
    }
}

/// Whether the text of a default is one of JSON too: a number, a list of numbers, true or false. Else it is a word.
static bool is_json(const char *text)
{
    if (*text == '[' || strcmp(text, "true") == 0 || strcmp(text, "false") == 0) return true;
    char *end;
    (void)strtod(text, &end);
    return end != text && *end == '\0';
}

static void add_default(mn_text *t, const mn_setting *s)
{
    // JSON has no infinity.
    if (s->standard == NULL || strstr(s->standard, "inf") != NULL) return;
    mn_text_add(t, ", \"default\": ");
    if (s->type == MN_SET_WORDS) {
        mn_text_add(t, "[");
        for (const char *at = s->standard + 1; *at != ']';) {
            const int length = (int)strcspn(at, ",]");
            mn_text_add(t, "\"%.*s\"", length, at);
            at += length;
            if (*at == ',') mn_text_add(t, ", ");
            at += strspn(at, ", ");
        }
        mn_text_add(t, "]");
    } else if (s->type != MN_SET_TEXT && is_json(s->standard)) {
        mn_text_add(t, "%s", s->standard);
    } else {
        mn_text_add_quoted(t, s->standard);
    }
}

static void add_properties(mn_text *t, const mn_section *section)
{
    bool first = true;
    for (int k = 0; k < section->count; k++) {
        const mn_setting *s = &section->settings[k];
        if (s->flags & MN_SET_LATER) continue;
        mn_text_add(t, "%s\"%s\": {\"description\": ", first ? "" : ",\n", s->key);
        mn_text_add_quoted(t, s->help);
        mn_text_add(t, ", ");
        add_type(t, s);
        add_default(t, s);
        mn_text_add(t, "}");
        first = false;
    }
}

static void add_section(mn_text *t, const mn_section *section, bool with_required)
{
    mn_text_add(t, "\"type\": \"object\", \"additionalProperties\": false, \"properties\": {");
    add_properties(t, section);
    mn_text_add(t, "}");
    bool first = true;
    for (int k = 0; with_required && k < section->count; k++) {
        if (!(section->settings[k].flags & MN_SET_REQUIRED)) continue;
        mn_text_add(t, "%s\"%s\"", first ? ", \"required\": [" : ", ", section->settings[k].key);
        first = false;
    }
    if (!first) mn_text_add(t, "]");
}

mn_status mn_scene_schema(mn_context *context, char **json_schema)
{
    const mn_plain_locale plain = mn_plain_locale_begin();
    mn_text               t     = { .context = context };
    mn_text_add(&t, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": \"Meniscus scene\",\n");
    mn_text_add(&t, "\"$defs\": {\n\"shape\": {\"anyOf\": [{\"type\": \"string\"}, {");
    add_group(&t, &mn_group_shape);
    mn_text_add(&t, "}]},\n\"motion\": {\"anyOf\": [{\"type\": \"string\"}, {");
    add_section(&t, &mn_section_motion, true);
    mn_text_add(&t, "}]}},\n");
    add_section(&t, &mn_section_scene, true);
    mn_text_add(&t, "}\n");
    mn_plain_locale_end(plain);
    return mn_text_finish(&t, json_schema);
}
