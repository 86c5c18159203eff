// SPDX-License-Identifier: MPL-2.0
// output/buffer.c - bytes that grow.
#include "output/buffer.h"

#include "base/locale.h"

#include <stdio.h>
#include <string.h>

void mn_buffer_init(mn_buffer *b, mn_context *context) { *b = (mn_buffer){ .context = context }; }

void mn_buffer_free(mn_buffer *b)
{
    mn_free(b->context, b->data);
    mn_buffer_init(b, b->context);
}

void mn_buffer_clear(mn_buffer *b)
{
    b->bytes   = 0;
    b->refused = false;
}

mn_status mn_buffer_status(const mn_buffer *b) { return b->refused ? MN_ERR_MEMORY : MN_OK; }

void mn_buffer_reserve(mn_buffer *b, size_t bytes)
{
    if (b->refused) return;
    if (bytes > (size_t)INT64_MAX / 2 - b->bytes) {
        (void)mn_fail_memory(b->context, bytes);
        b->refused = true;
        return;
    }
    b->refused = mn_array_reserve(b->context, &b->data, &b->capacity, (int64_t)(b->bytes + bytes), 1) != MN_OK;
}

void *mn_buffer_extend(mn_buffer *b, size_t bytes)
{
    mn_buffer_reserve(b, bytes);
    if (b->refused || b->data == NULL) return NULL;  // nothing added to nothing has no place
    void *room = b->data + b->bytes;
    b->bytes += bytes;
    return room;
}

void mn_buffer_add(mn_buffer *b, const void *data, size_t bytes)
{
    void *room = mn_buffer_extend(b, bytes);
    if (room != NULL && bytes > 0) memcpy(room, data, bytes);
}

void mn_buffer_text(mn_buffer *b, const char *text) { mn_buffer_add(b, text, strlen(text)); }

void mn_buffer_print(mn_buffer *b, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const mn_plain_locale plain  = mn_plain_locale_begin();  // files are the same in every country
    const int             length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length >= 0) mn_buffer_reserve(b, (size_t)length + 1);
    if (length >= 0 && !b->refused) {
        (void)vsnprintf((char *)b->data + b->bytes, (size_t)length + 1, format, again);
        b->bytes += (size_t)length;
    }
    mn_plain_locale_end(plain);
    va_end(again);
}

char *mn_buffer_string(mn_buffer *b)
{
    mn_buffer_reserve(b, 1);
    if (b->refused) return NULL;
    b->data[b->bytes] = '\0';
    return (char *)b->data;
}
