// SPDX-License-Identifier: MPL-2.0
// output/record.c - writing run.json and reading it back, as far as it is whole.
#include "output/record.h"

#include "output/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void mn_run_record_free(mn_context *c, mn_run_record *r)
{
    mn_free(c, r->frames);
    *r = (mn_run_record){ .frames = NULL };
}

mn_status mn_run_record_add(mn_context *c, mn_run_record *r, mn_run_frame frame)
{
    int64_t at = r->frame_count;
    while (at > 0 && r->frames[at - 1].frame >= frame.frame) at--;
    if (at == r->frame_count || r->frames[at].frame != frame.frame) {
        MN_TRY(mn_array_reserve(c, &r->frames, &r->frame_capacity, r->frame_count + 1, sizeof *r->frames));
        memmove(r->frames + at + 1, r->frames + at, (size_t)(r->frame_count - at) * sizeof *r->frames);
        r->frame_count++;
    }
    r->frames[at] = frame;
    return MN_OK;
}

void mn_run_record_cut(mn_run_record *r, int64_t last)
{
    while (r->frame_count > 0 && r->frames[r->frame_count - 1].frame > last) r->frame_count--;
}

static void write_member(mn_buffer *out, const char *name, const char *text)
{
    mn_buffer_print(out, "  \"%s\": ", name);
    mn_json_text(out, text);
    mn_buffer_text(out, ",\n");
}

void mn_run_record_write(const mn_run_record *r, mn_buffer *out)
{
    mn_buffer_text(out, "{\n");
    write_member(out, "status", r->status);
    write_member(out, "version", r->version);
    write_member(out, "scene", r->scene);
    if (r->has_identity) mn_buffer_print(out, "  \"identity\": \"%016" PRIx64 "\",\n", r->identity);
    mn_buffer_text(out, "  \"seconds\": ");
    mn_json_number(out, r->seconds);
    mn_buffer_print(out, ",\n  \"memory_bytes\": %.0f", r->memory);
    mn_buffer_print(out, ",\n  \"threads\": %d,\n  \"frames\": [", r->threads);
    for (int64_t i = 0; i < r->frame_count; i++) {
        const mn_run_frame *f = &r->frames[i];
        mn_buffer_print(out, "%s\n    {\"frame\": %lld, \"time\": ", i > 0 ? "," : "", (long long)f->frame);
        mn_json_number(out, f->time);
        if (f->hash_known) mn_buffer_print(out, ", \"state_hash\": \"%016" PRIx64 "\"}", f->hash);
        else mn_buffer_text(out, ", \"state_hash\": null}");
    }
    mn_buffer_text(out, "\n  ]\n}\n");
}

// ---- reading -------------------------------------------------------------------------------------------------------

static bool read_hash(mn_json *j, bool *known, uint64_t *hash)
{
    char digits[20], *end = digits;
    *known = false;
    if (!mn_json_is_text(j)) return mn_json_skip(j);
    if (!mn_json_read_text(j, digits, sizeof digits)) return false;
    *hash  = strtoull(digits, &end, 16);
    *known = end == digits + 16 && *end == '\0';
    return true;
}

static bool read_frame(mn_json *j, mn_run_frame *f)
{
    char   key[32];
    bool   first = true, numbered = false, timed = false;
    double number = -1.0;
    *f            = (mn_run_frame){ .frame = -1 };
    if (!mn_json_open(j, '{')) return false;
    while (mn_json_next_key(j, &first, key, sizeof key)) {
        if (strcmp(key, "frame") == 0) numbered = mn_json_read_number(j, &number) && number >= 0.0 && number < 1e15;
        else if (strcmp(key, "time") == 0) timed = mn_json_read_number(j, &f->time);
        else if (strcmp(key, "state_hash") == 0) (void)read_hash(j, &f->hash_known, &f->hash);
        else (void)mn_json_skip(j);
    }
    if (numbered) f->frame = (int64_t)number;
    return !j->bad && numbered && timed;
}

static mn_status read_frames(mn_context *c, mn_json *j, mn_run_record *r)
{
    bool first = true;
    if (!mn_json_open(j, '[')) return MN_OK;
    while (mn_json_next_item(j, &first)) {
        mn_run_frame frame;
        if (!read_frame(j, &frame)) j->bad = true;
        else MN_TRY(mn_run_record_add(c, r, frame));
    }
    return MN_OK;
}

static mn_status read_member(mn_context *c, mn_json *j, const char *key, mn_run_record *r)
{
    double number = 0.0;
    if (strcmp(key, "status") == 0) (void)mn_json_read_text(j, r->status, sizeof r->status);
    else if (strcmp(key, "version") == 0) (void)mn_json_read_text(j, r->version, sizeof r->version);
    else if (strcmp(key, "scene") == 0) (void)mn_json_read_text(j, r->scene, sizeof r->scene);
    else if (strcmp(key, "identity") == 0) (void)read_hash(j, &r->has_identity, &r->identity);
    else if (strcmp(key, "seconds") == 0) (void)(mn_json_read_number(j, &number) && (r->seconds = number, true));
    else if (strcmp(key, "memory_bytes") == 0) (void)(mn_json_read_number(j, &number) && (r->memory = number, true));
    else if (strcmp(key, "threads") == 0)
        (void)(mn_json_read_number(j, &number) && fabs(number) < 1e6 && (r->threads = (int)number, true));
    else if (strcmp(key, "frames") == 0) return read_frames(c, j, r);
    else (void)mn_json_skip(j);
    return MN_OK;
}

mn_status mn_run_record_parse(mn_context *c, const char *text, size_t bytes, mn_run_record *out, bool *whole)
{
    *out          = (mn_run_record){ .frames = NULL };
    mn_json j     = mn_json_begin(text, bytes);
    bool    first = true;
    char    key[32];
    (void)mn_json_open(&j, '{');
    while (mn_json_next_key(&j, &first, key, sizeof key)) {
        const mn_status status = read_member(c, &j, key, out);
        if (status != MN_OK) {
            mn_run_record_free(c, out);
            return status;
        }
    }
    *whole = !j.bad;
    return MN_OK;
}
