// SPDX-License-Identifier: MPL-2.0
// output/json.h - JSON as far as an output folder needs it: escaped text out, and a reader that believes nothing.
#ifndef MN_OUTPUT_JSON_H
#define MN_OUTPUT_JSON_H

#include "output/buffer.h"

/// Text in quotes; bytes below 0x20, quotes and backslashes escaped.
void mn_json_text(mn_buffer *out, const char *text);
/// A number; null if it is not finite, which JSON cannot say.
void mn_json_number(mn_buffer *out, double value);

/// A place in a text. After anything unexpected `bad` is set and every call does nothing and returns false.
typedef struct mn_json {
    const char *at, *end;
    bool        bad;
} mn_json;

mn_json mn_json_begin(const char *text, size_t bytes);
/// Objects and arrays: begin, then next until it returns false. `first` starts true and is kept by the reader.
bool mn_json_open(mn_json *j, char bracket);                              ///< '{' or '['
bool mn_json_next_key(mn_json *j, bool *first, char *key, size_t bytes);  ///< false after '}'
bool mn_json_next_item(mn_json *j, bool *first);                          ///< false after ']'
/// Values. Text is cut to `bytes` - 1; escapes beyond ASCII become '?'.
bool mn_json_read_text(mn_json *j, char *text, size_t bytes);
bool mn_json_read_number(mn_json *j, double *value);
/// Skip any value.
bool mn_json_skip(mn_json *j);
/// Whether a text comes next.
bool mn_json_is_text(mn_json *j);

#endif
