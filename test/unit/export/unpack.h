// SPDX-License-Identifier: MPL-2.0
// What the viewer does with the numbers of a page, in C: written from pack.h, not from pack.c.
#ifndef MN_TEST_UNPACK_H
#define MN_TEST_UNPACK_H

#include "export/pack.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static inline void unpack_whole(const unsigned char *from, int64_t count, int width, uint32_t *out)
{
    const uint32_t mask = width == 4 ? UINT32_MAX : (1u << 8 * width) - 1u;
    uint32_t       now  = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t code = 0;
        for (int k = 0; k < width; k++) code |= (uint32_t)from[k * count + i] << 8 * k;
        const uint32_t half = code / 2;
        now                 = (code % 2 == 0 ? now + half : now - half - 1) & mask;
        out[i]              = now;
    }
}

/// Returns where the next column begins.
static inline const unsigned char *unpack_reals(const unsigned char *from, int64_t count, double *out)
{
    double head[2];
    memcpy(head, from, sizeof head);
    uint32_t *codes = malloc((size_t)count * sizeof *codes + 1);
    assert_non_null(codes);
    unpack_whole(from + sizeof head, count, 2, codes);
    for (int64_t i = 0; i < count; i++) out[i] = codes[i] == MN_PACK_NONE ? NAN : head[0] + head[1] * codes[i];
    free(codes);
    return from + sizeof head + 2 * count;
}

static inline uint32_t letter_value(char letter)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char       *at        = strchr(letters, letter);
    assert_non_null(at);
    return (uint32_t)(at - letters);
}

/// Base64 into a fresh buffer.
static inline mn_buffer unpack_letters(mn_context *c, const char *text, size_t length)
{
    mn_buffer b;
    mn_buffer_init(&b, c);
    for (size_t i = 0; i + 4 <= length; i += 4) {
        uint32_t     word  = 0;
        const size_t bytes = text[i + 2] == '=' ? 1 : text[i + 3] == '=' ? 2 : 3;
        for (size_t k = 0; k < 4; k++) word = word << 6 | (k > bytes ? 0 : letter_value(text[i + k]));
        const unsigned char three[3] = { (unsigned char)(word >> 16), (unsigned char)(word >> 8), (unsigned char)word };
        mn_buffer_add(&b, three, bytes);
    }
    return b;
}

/// Base64 of gzip into a fresh buffer.
static inline mn_buffer unpack_text(mn_context *c, const char *text, size_t length)
{
    mn_buffer     packed = unpack_letters(c, text, length), out;
    unsigned char piece[4096];
    z_stream      z = { .next_in = packed.data, .avail_in = (uInt)packed.bytes };
    mn_buffer_init(&out, c);
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    int result = Z_OK;
    while (result == Z_OK) {
        z.next_out  = piece;
        z.avail_out = sizeof piece;
        result      = inflate(&z, Z_NO_FLUSH);
        mn_buffer_add(&out, piece, sizeof piece - z.avail_out);
    }
    assert_int_equal(result, Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    inflateEnd(&z);
    mn_buffer_free(&packed);
    return out;
}

#endif
