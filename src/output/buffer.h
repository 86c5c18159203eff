// SPDX-License-Identifier: MPL-2.0
// output/buffer.h - bytes that grow: what a file will hold, made in memory first.
#ifndef MN_OUTPUT_BUFFER_H
#define MN_OUTPUT_BUFFER_H

#include "base/memory.h"

/// A failure to grow is kept: further additions do nothing, and mn_buffer_status tells at the end.
typedef struct mn_buffer {
    mn_context    *context;
    unsigned char *data;
    size_t         bytes;
    int64_t        capacity;
    bool           refused;
} mn_buffer;

void mn_buffer_init(mn_buffer *b, mn_context *context);
void mn_buffer_free(mn_buffer *b);
/// Forget the contents, keep the memory.
void mn_buffer_clear(mn_buffer *b);
/// MN_ERR_MEMORY if any addition since the last clear was refused.
mn_status mn_buffer_status(const mn_buffer *b);
/// Make sure that `bytes` more fit without growing again.
void mn_buffer_reserve(mn_buffer *b, size_t bytes);
/// Uninitialised room at the end, to be filled by the caller; NULL if refused.
void *mn_buffer_extend(mn_buffer *b, size_t bytes);
void  mn_buffer_add(mn_buffer *b, const void *data, size_t bytes);
void  mn_buffer_text(mn_buffer *b, const char *text);
void  mn_buffer_print(mn_buffer *b, const char *format, ...) MN_PRINTF(2, 3);
/// A zero byte after the contents, not counted; returns the contents as a string, or NULL if refused.
char *mn_buffer_string(mn_buffer *b);

#endif
