// SPDX-License-Identifier: MPL-2.0
// export/pack.c - neighbours in a file are neighbours in space: their differences are small, and gzip is good at the
// zeros above.
#include "export/pack.h"

#define ZLIB_CONST
#include <limits.h>
#include <math.h>
#include <zlib.h>

void mn_pack_whole(mn_buffer *out, const uint32_t *value, int64_t count, int width)
{
    unsigned char *to     = mn_buffer_extend(out, (size_t)count * (size_t)width);
    const int      sign   = 8 * width - 1;
    uint32_t       before = 0;
    for (int64_t i = 0; to != NULL && i < count; i++) {
        const uint32_t step = value[i] - before, folded = step << 1 ^ (step >> sign & 1u ? UINT32_MAX : 0u);
        for (int k = 0; k < width; k++) to[k * count + i] = (unsigned char)(folded >> 8 * k);
        before = value[i];
    }
}

static mn_pack_range range_of(const double *value, int64_t count)
{
    mn_pack_range r = { INFINITY, -INFINITY };
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(value[i])) continue;
        r.low  = fmin(r.low, value[i]);
        r.high = fmax(r.high, value[i]);
    }
    return r;
}

mn_pack_range mn_pack_reals(mn_buffer *out, const double *value, int64_t count, uint32_t *codes)
{
    const mn_pack_range r       = range_of(value, count);
    const bool          any     = r.low <= r.high;
    const double        head[2] = { any ? r.low : 0.0, any ? (r.high - r.low) / (MN_PACK_NONE - 1) : 0.0 };
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(value[i])) codes[i] = MN_PACK_NONE;
        else
            codes[i] = head[1] > 0.0 ? (uint32_t)fmin(MN_PACK_NONE - 1, floor((value[i] - head[0]) / head[1] + 0.5))
                                     : 0;
    }
    mn_buffer_add(out, head, sizeof head);
    mn_pack_whole(out, codes, count, 2);
    return r;
}

// ---- gzip and base64
// -------------------------------------------------------------------------------------------------

static void *take(void *context, uInt items, uInt size) { return mn_alloc(context, (size_t)items * size); }
static void  give(void *context, void *block) { mn_free(context, block); }

/// gzip of the bytes into a fresh buffer.
static mn_status compress_into(mn_buffer *out, const void *data, size_t bytes)
{
    if (bytes > UINT_MAX / 2)
        return mn_fail(out->context, MN_ERR_ARGUMENT, "%.3g bytes of one part in one frame are too many for a page",
                       (double)bytes);
    z_stream z = { .zalloc = take, .zfree = give, .opaque = out->context, .next_in = data, .avail_in = (uInt)bytes };
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return MN_ERR_MEMORY;
    const uLong room = deflateBound(&z, (uLong)bytes);
    z.next_out       = mn_buffer_extend(out, room);
    z.avail_out      = (uInt)room;
    const int result = z.next_out == NULL ? Z_MEM_ERROR : deflate(&z, Z_FINISH);
    out->bytes -= z.next_out == NULL ? 0 : z.avail_out;
    (void)deflateEnd(&z);
    return result == Z_STREAM_END ? MN_OK : MN_ERR_MEMORY;
}

static void add_base64(mn_buffer *out, const unsigned char *from, size_t bytes)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char             *to        = mn_buffer_extend(out, (bytes + 2) / 3 * 4);
    for (size_t i = 0; to != NULL && i < bytes; i += 3, to += 4) {
        const size_t   left = bytes - i;
        const uint32_t word = (uint32_t)from[i] << 16 | (left > 1 ? (uint32_t)from[i + 1] << 8 : 0u) |
                              (left > 2 ? from[i + 2] : 0u);
        to[0] = letters[word >> 18];
        to[1] = letters[word >> 12 & 63];
        to[2] = left > 1 ? letters[word >> 6 & 63] : '=';
        to[3] = left > 2 ? letters[word & 63] : '=';
    }
}

mn_status mn_pack_text(mn_buffer *out, const void *data, size_t bytes)
{
    mn_buffer small;
    mn_buffer_init(&small, out->context);
    const mn_status status = compress_into(&small, data, bytes);
    if (status == MN_OK) add_base64(out, small.data, small.bytes);
    mn_buffer_free(&small);
    return status == MN_OK ? mn_buffer_status(out) : status;
}
