// SPDX-License-Identifier: MPL-2.0
// scene/import/xml.h - XML as a tree that remembers what was asked for, so that the rest can be named.
#ifndef MN_SCENE_IMPORT_XML_H
#define MN_SCENE_IMPORT_XML_H

#include "scene/node.h"

typedef struct mn_xml_attribute {
    const char *key, *value;
    bool        taken;
} mn_xml_attribute;

typedef struct mn_xml_element {
    const char            *name;
    mn_place               place;
    mn_xml_attribute      *attribute;
    int                    attribute_count;
    struct mn_xml_element *parent, *first, *last, *next;  ///< children, and the next child of the parent
    bool                   taken;
} mn_xml_element;

/// Read a file. All memory is the arena's. A failure is "file:line:column: sentence".
mn_status mn_xml_read(mn_context *context, mn_arena *arena, const char *path, mn_xml_element **root);

/// The first child with a name, or the next one after `before`; NULL if there is none. It counts as taken.
mn_xml_element *mn_xml_child(mn_xml_element *parent, const char *name, const mn_xml_element *before);
/// The value of an attribute, which counts as taken; NULL if it is not there.
const char *mn_xml_attribute_text(mn_xml_element *element, const char *key);
/// The same as a number, or *out as it was if it is not there; *given (may be NULL) says which.
mn_status mn_xml_number(mn_context *context, mn_xml_element *element, const char *key, double *out, bool *given);
mn_status mn_xml_whole(mn_context *context, mn_xml_element *element, const char *key, int low, int high, int *out,
                       bool *given);
/// A list of `count` numbers with spaces between them; an attribute that is not there is an error.
mn_status mn_xml_numbers(mn_context *context, mn_xml_element *element, const char *key, int count, double *out);
/// The number of <name value="..."/> below an element.
mn_status mn_xml_value(mn_context *context, mn_xml_element *parent, const char *name, double *out, bool *given);
mn_status mn_xml_flag(mn_context *context, mn_xml_element *parent, const char *name, bool *out, bool *given);

/// The element and all below it, and their attributes, count as not taken again.
void mn_xml_leave(mn_xml_element *element);

#endif
