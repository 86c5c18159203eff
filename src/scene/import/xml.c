// SPDX-License-Identifier: MPL-2.0
// scene/import/xml.c - the tree of an XML file, by expat; numbers from its attributes.
#include "scene/import/xml.h"

#include "base/file.h"

#include <errno.h>
#include <expat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MOST 64

static const mn_file_kind xml_file = { "an XML file", (int64_t)1 << 29 };

typedef struct xml_reader {
    mn_context          *context;
    mn_arena            *arena;
    XML_Parser           parser;
    const mn_scene_text *text;
    mn_xml_element      *root, *open;
    int                  depth;
    mn_status            status;
} xml_reader;

static mn_place place_now(const xml_reader *r)
{
    return (mn_place){ .text   = r->text,
                       .line   = (int)XML_GetCurrentLineNumber(r->parser),
                       .column = (int)XML_GetCurrentColumnNumber(r->parser) + 1 };
}

static void stop(xml_reader *r, mn_status status)
{
    if (r->status == MN_OK) r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

static const char *copy_text(xml_reader *r, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char        *copy  = mn_arena_take(r->arena, bytes);
    if (copy != NULL) memcpy(copy, text, bytes);
    return copy;
}

static void begin_element(void *user, const XML_Char *name, const XML_Char **attributes)
{
    xml_reader *r = user;
    int         n = 0;
    if (r->status != MN_OK) return;
    while (attributes[2 * n] != NULL) n++;
    mn_xml_element *e = mn_arena_array_zero(r->arena, mn_xml_element, 1);
    if (e != NULL) e->attribute = mn_arena_array_zero(r->arena, mn_xml_attribute, n);
    if (e == NULL || e->attribute == NULL || (e->name = copy_text(r, name)) == NULL) {
        stop(r, MN_ERR_MEMORY);
        return;
    }
    e->place = place_now(r);
    for (int k = 0; k < n; k++) {
        mn_xml_attribute *a = &e->attribute[e->attribute_count++];
        a->key              = copy_text(r, attributes[2 * k]);
        a->value            = copy_text(r, attributes[2 * k + 1]);
        if (a->key == NULL || a->value == NULL) {
            stop(r, MN_ERR_MEMORY);
            return;
        }
    }
    if (++r->depth > DEPTH_MOST) {
        stop(r, mn_fail_at(r->context, e->place, "elements are nested deeper than %d levels", DEPTH_MOST));
        return;
    }
    e->parent = r->open;
    if (r->open == NULL) {
        r->root = e;
    } else if (r->open->last == NULL) {
        r->open->first = r->open->last = e;
    } else {
        r->open->last = r->open->last->next = e;
    }
    r->open = e;
}

static void end_element(void *user, const XML_Char *name)
{
    xml_reader *r = user;
    (void)name;
    if (r->open == NULL) return;
    r->open = r->open->parent;
    r->depth--;
}

static mn_status parse(xml_reader *r, const unsigned char *data, size_t bytes)
{
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, begin_element, end_element);
    const enum XML_Status done = XML_Parse(r->parser, (const char *)data, (int)bytes, 1);
    if (r->status != MN_OK) return r->status;
    if (done == XML_STATUS_OK) return MN_OK;
    if (XML_GetErrorCode(r->parser) == XML_ERROR_NO_MEMORY) return MN_ERR_MEMORY;
    return mn_fail_at(r->context, place_now(r), "this is not well-formed XML: %s",
                      XML_ErrorString(XML_GetErrorCode(r->parser)));
}

mn_status mn_xml_read(mn_context *c, mn_arena *arena, const char *path, mn_xml_element **root)
{
    unsigned char *data  = NULL;
    size_t         bytes = 0;
    xml_reader     r     = { .context = c, .arena = arena };
    mn_scene_text *text  = mn_arena_array_zero(arena, mn_scene_text, 1);
    if (text == NULL || (text->name = copy_text(&r, path)) == NULL) return MN_ERR_MEMORY;
    text->folder = "";
    r.text       = text;
    MN_TRY(mn_file_read(c, path, &xml_file, &data, &bytes));
    r.parser         = XML_ParserCreate(NULL);
    mn_status status = r.parser != NULL ? parse(&r, data, bytes) : MN_ERR_MEMORY;
    if (r.parser != NULL) XML_ParserFree(r.parser);
    mn_free(c, data);
    *root = r.root;
    return status;
}

// --- asking ----------------------------------------------------------------------------------------------------------

mn_xml_element *mn_xml_child(mn_xml_element *parent, const char *name, const mn_xml_element *before)
{
    for (mn_xml_element *e = before != NULL ? before->next : parent->first; e != NULL; e = e->next) {
        if (strcmp(e->name, name) != 0) continue;
        e->taken = true;
        return e;
    }
    return NULL;
}

const char *mn_xml_attribute_text(mn_xml_element *e, const char *key)
{
    for (int k = 0; k < e->attribute_count; k++) {
        if (strcmp(e->attribute[k].key, key) != 0) continue;
        e->attribute[k].taken = true;
        return e->attribute[k].value;
    }
    return NULL;
}

static const char *skip_space(const char *text) { return text + strspn(text, " \t\r\n"); }

/// One number at the front of a text, and what follows it; NULL if there is none.
static const char *read_number(const char *text, double *out)
{
    char *end;
    text               = skip_space(text);
    errno              = 0;
    const double value = strtod(text, &end);
    if (end == text || !isfinite(value) || strspn(text, "+-.0123456789eE") < (size_t)(end - text)) return NULL;
    *out = value;
    return end;
}

static mn_status no_number(mn_context *c, const mn_xml_element *e, const char *key, const char *what, const char *value)
{
    char excerpt[MN_EXCERPT_BYTES];
    return mn_fail_at(c, e->place, "'%s' of <%s> expects %s, not '%s'", key, e->name, what, mn_excerpt(value, excerpt));
}

mn_status mn_xml_number(mn_context *c, mn_xml_element *e, const char *key, double *out, bool *given)
{
    const char *text = mn_xml_attribute_text(e, key);
    if (given != NULL) *given = text != NULL;
    if (text == NULL) return MN_OK;
    const char *rest = read_number(text, out);
    return rest != NULL && *skip_space(rest) == '\0' ? MN_OK : no_number(c, e, key, "a number", text);
}

mn_status mn_xml_whole(mn_context *c, mn_xml_element *e, const char *key, int low, int high, int *out, bool *given)
{
    double value = *out;
    bool   there;
    MN_TRY(mn_xml_number(c, e, key, &value, &there));
    if (given != NULL) *given = there;
    if (!there) return MN_OK;
    if (value != floor(value)) return no_number(c, e, key, "a whole number", mn_xml_attribute_text(e, key));
    if (value < low || value > high)
        return mn_fail_at(c, e->place, "'%s' of <%s> is %g, and must be from %d to %d", key, e->name, value, low, high);
    *out = (int)value;
    return MN_OK;
}

mn_status mn_xml_numbers(mn_context *c, mn_xml_element *e, const char *key, int count, double *out)
{
    const char *text = mn_xml_attribute_text(e, key), *rest = text;
    char        what[48];
    if (text == NULL) return mn_fail_at(c, e->place, "<%s> needs the attribute '%s'", e->name, key);
    for (int k = 0; k < count && rest != NULL; k++) rest = read_number(rest, &out[k]);
    if (rest != NULL && *skip_space(rest) == '\0') return MN_OK;
    snprintf(what, sizeof what, count == 1 ? "a number" : "%d numbers", count);
    return no_number(c, e, key, what, text);
}

mn_status mn_xml_value(mn_context *c, mn_xml_element *parent, const char *name, double *out, bool *given)
{
    mn_xml_element *e = mn_xml_child(parent, name, NULL);
    bool            there;
    if (given != NULL) *given = e != NULL;
    if (e == NULL) return MN_OK;
    MN_TRY(mn_xml_number(c, e, "value", out, &there));
    return there ? MN_OK : mn_fail_at(c, e->place, "<%s> needs the attribute 'value'", name);
}

mn_status mn_xml_flag(mn_context *c, mn_xml_element *parent, const char *name, bool *out, bool *given)
{
    double value = *out;
    MN_TRY(mn_xml_value(c, parent, name, &value, given));
    *out = value != 0.0;
    return MN_OK;
}

void mn_xml_leave(mn_xml_element *e)
{
    e->taken = false;
    for (int k = 0; k < e->attribute_count; k++) e->attribute[k].taken = false;
    for (mn_xml_element *child = e->first; child != NULL; child = child->next) mn_xml_leave(child);
}
