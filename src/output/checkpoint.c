// SPDX-License-Identifier: MPL-2.0
// output/checkpoint.c - saving and loading a state: everything is read and checked before anything is replaced.
#include "output/checkpoint.h"

#include "base/file.h"
#include "base/hash.h"
#include "output/h5.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 128
/// Room for all of a file but its arrays, and for the seal; where it does not do, memory grows.
#define HEAD_BYTES ((size_t)3 << 20)

static const char seal_word[8] = { 'M', 'N', 'S', 'U', 'M', '0', '1', '\n' };

typedef struct seal {
    char     word[8];
    uint64_t bytes, hash;
} seal;

static seal seal_of(const void *image, size_t bytes)
{
    seal s = { .bytes = bytes, .hash = mn_hash_bytes(MN_HASH_SEED, image, bytes) };
    memcpy(s.word, seal_word, sizeof s.word);
    return s;
}

/// Name of the dataset of a component: volume, position_x, affine_4.
static void dataset_name(const mn_field *field, int component, char name[NAME_BYTES])
{
    if (field->components == 1) snprintf(name, NAME_BYTES, "%s", field->name);
    else if (field->components <= 3) snprintf(name, NAME_BYTES, "%s_%c", field->name, "xyz"[component]);
    else snprintf(name, NAME_BYTES, "%s_%d", field->name, component);
}

// ---- writing -------------------------------------------------------------------------------------------------------

static bool put_block(hid_t file, const mn_state_block *block)
{
    const hid_t group = mn_h5_make_group(file, block->table->name);
    bool        good  = group >= 0 && mn_h5_put_scalar(group, "count", MN_TYPE_int64_t, block->count);
    for (int f = 0; good && f < block->table->count; f++) {
        const mn_field *field = &block->table->fields[f];
        for (int k = 0; good && k < mn_field_saved(field); k++) {
            char name[NAME_BYTES];
            dataset_name(field, k, name);
            good = mn_h5_put_array(group, name, field->type, *mn_field_array(field, block->base, k), *block->count,
                                   field->unit, field->help);
        }
    }
    if (group >= 0) H5Gclose(group);
    return good;
}

static bool put_head(hid_t file, uint64_t hash)
{
    const int64_t format = MN_CHECKPOINT_FORMAT;
    char          digits[17];
    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    return mn_h5_put_scalar(file, "format", MN_TYPE_int64_t, &format) &&
           mn_h5_put_text(file, "program", mn_version()) && mn_h5_put_text(file, "state_hash", digits);
}

static bool put_state(hid_t file, const mn_checkpoint *state, uint64_t hash)
{
    bool        good  = put_head(file, hash);
    const hid_t group = good ? mn_h5_make_group(file, "scalars") : H5I_INVALID_HID;
    good              = group >= 0;
    for (int s = 0; good && s < state->scalar_count; s++)
        good = mn_h5_put_scalar(group, state->scalars[s].name, state->scalars[s].type, state->scalars[s].value);
    if (group >= 0) H5Gclose(group);
    for (int b = 0; good && b < state->block_count; b++) good = put_block(file, &state->blocks[b]);
    return good;
}

size_t mn_checkpoint_bytes(const mn_checkpoint *state)
{
    size_t bytes = 0;
    for (int b = 0; b < state->block_count; b++)
        bytes += mn_fields_bytes(state->blocks[b].table, *state->blocks[b].count);
    return bytes;
}

mn_status mn_checkpoint_make(mn_context *c, const mn_checkpoint *state, uint64_t hash, mn_buffer *out)
{
    MN_ASSERT(out->bytes == 0);
    mn_h5_session session;
    mn_h5_enter(&session);
    mn_buffer_reserve(out, mn_checkpoint_bytes(state) + HEAD_BYTES);
    hid_t file = mn_h5_create(out);
    bool  good = file >= 0 && put_state(file, state, hash) && mn_h5_finish(&file, out);
    mn_h5_close(&file);
    mn_h5_leave(&session);
    MN_TRY(mn_buffer_status(out));
    if (!good) return mn_fail(c, MN_ERR_MEMORY, "the checkpoint could not be put together in memory");
    const seal s = seal_of(out->data, out->bytes);
    mn_buffer_add(out, &s, sizeof s);
    return mn_buffer_status(out);
}

mn_status mn_checkpoint_write(mn_context *c, const mn_checkpoint *state, uint64_t hash, const char *path)
{
    mn_buffer     bytes;
    mn_file_error error;
    mn_buffer_init(&bytes, c);
    mn_status status = mn_checkpoint_make(c, state, hash, &bytes);
    if (status == MN_OK && mn_file_write_atomic(path, bytes.data, bytes.bytes, &error) != MN_OK)
        status = mn_file_fail(c, &error);
    mn_buffer_free(&bytes);
    return status;
}

// ---- reading -------------------------------------------------------------------------------------------------------

/// A struct like that of a block, with arrays of its own, to read into before anything is replaced.
typedef struct shadow {
    void   *base;
    int64_t count, capacity;
} shadow;

static size_t struct_bytes(const mn_field_table *table)
{
    size_t bytes = 0;
    for (int f = 0; f < table->count; f++) {
        const size_t end = table->fields[f].offset + (size_t)table->fields[f].components * sizeof(void *);
        if (end > bytes) bytes = end;
    }
    return bytes;
}

typedef struct reading {
    mn_context          *context;
    const mn_checkpoint *state;
    const char          *name;
    shadow              *shadows;
    void                *scalars;  // 8 bytes each
} reading;

static mn_status refuse(const reading *r, const char *what, const char *which)
{
    return mn_fail(r->context, MN_ERR_FILE,
                   "%s: this checkpoint does not fit the scene: %s \"%s\" is missing or of another kind", r->name, what,
                   which);
}

static mn_status get_block(const reading *r, hid_t group, const mn_field_table *table, shadow *s)
{
    if (!mn_h5_get_scalar(group, "count", MN_TYPE_int64_t, &s->count) || s->count < 0)
        return refuse(r, "the count of", table->name);
    s->base = mn_alloc(r->context, struct_bytes(table));
    if (s->base == NULL) return MN_ERR_MEMORY;
    MN_TRY(mn_fields_reserve(r->context, table, s->base, 0, &s->capacity, s->count));
    for (int f = 0; f < table->count; f++) {
        const mn_field *field = &table->fields[f];
        for (int k = 0; k < mn_field_saved(field); k++) {
            char name[NAME_BYTES];
            dataset_name(field, k, name);
            if (!mn_h5_get_array(group, name, field->type, *mn_field_array(field, s->base, k), s->count))
                return refuse(r, "the field", name);
        }
    }
    return MN_OK;
}

static mn_status get_blocks(const reading *r, hid_t file)
{
    for (int b = 0; b < r->state->block_count; b++) {
        const mn_field_table *table = r->state->blocks[b].table;
        if (H5Lexists(file, table->name, H5P_DEFAULT) <= 0) return refuse(r, "the matter", table->name);
        const hid_t group = H5Gopen2(file, table->name, H5P_DEFAULT);
        if (group < 0) return refuse(r, "the matter", table->name);
        const mn_status status = get_block(r, group, table, &r->shadows[b]);
        H5Gclose(group);
        MN_TRY(status);
    }
    return MN_OK;
}

static mn_status get_scalars(const reading *r, hid_t file)
{
    const hid_t group  = H5Lexists(file, "scalars", H5P_DEFAULT) > 0 ? H5Gopen2(file, "scalars", H5P_DEFAULT)
                                                                     : H5I_INVALID_HID;
    mn_status   status = group < 0 ? refuse(r, "the group", "scalars") : MN_OK;
    for (int s = 0; status == MN_OK && s < r->state->scalar_count; s++) {
        const mn_state_scalar *scalar = &r->state->scalars[s];
        if (!mn_h5_get_scalar(group, scalar->name, scalar->type, (char *)r->scalars + 8 * (size_t)s))
            status = refuse(r, "the number", scalar->name);
    }
    if (group >= 0) H5Gclose(group);
    return status;
}

static mn_status get_head(const reading *r, hid_t file, uint64_t *hash)
{
    int64_t format = 0;
    char    digits[17], *end = NULL;
    if (!mn_h5_get_scalar(file, "format", MN_TYPE_int64_t, &format)) return refuse(r, "the number", "format");
    if (format != MN_CHECKPOINT_FORMAT)
        return mn_fail(r->context, MN_ERR_FILE,
                       "%s: format %lld of this checkpoint is unknown; this program reads format %d", r->name,
                       (long long)format, MN_CHECKPOINT_FORMAT);
    if (!mn_h5_get_text(file, "state_hash", digits, sizeof digits)) return refuse(r, "the text", "state_hash");
    *hash = strtoull(digits, &end, 16);
    return end == digits + 16 ? MN_OK : refuse(r, "the text", "state_hash");
}

static mn_status read_image(const reading *r, const void *image, size_t bytes, uint64_t *hash)
{
    mn_h5_session session;
    mn_h5_enter(&session);
    hid_t     file   = mn_h5_open(image, bytes);
    mn_status status = file < 0 ? mn_fail(r->context, MN_ERR_FILE, "%s: not an HDF5 file", r->name) : MN_OK;
    if (status == MN_OK) status = get_head(r, file, hash);
    if (status == MN_OK) status = get_scalars(r, file);
    if (status == MN_OK) status = get_blocks(r, file);
    mn_h5_close(&file);
    mn_h5_leave(&session);
    return status;
}

/// Make room first, which may fail; then copy, which cannot.
static mn_status put_in_place(const reading *r)
{
    for (int b = 0; b < r->state->block_count; b++) {
        const mn_state_block *block = &r->state->blocks[b];
        MN_TRY(mn_fields_reserve(r->context, block->table, block->base, *block->count, block->capacity,
                                 r->shadows[b].count));
    }
    for (int b = 0; b < r->state->block_count; b++) {
        const mn_state_block *block = &r->state->blocks[b];
        const shadow         *s     = &r->shadows[b];
        for (int f = 0; s->count > 0 && f < block->table->count; f++) {
            const mn_field *field = &block->table->fields[f];
            for (int k = 0; k < mn_field_saved(field); k++)
                memcpy(*mn_field_array(field, block->base, k), *mn_field_array(field, s->base, k),
                       (size_t)s->count * mn_type_size(field->type));
        }
        *block->count = s->count;
    }
    for (int s = 0; s < r->state->scalar_count; s++)
        memcpy(r->state->scalars[s].value, (char *)r->scalars + 8 * (size_t)s, mn_type_size(r->state->scalars[s].type));
    return MN_OK;
}

static void free_reading(reading *r)
{
    for (int b = 0; r->shadows != NULL && b < r->state->block_count; b++) {
        if (r->shadows[b].base == NULL) continue;
        mn_fields_free(r->context, r->state->blocks[b].table, r->shadows[b].base);
        mn_free(r->context, r->shadows[b].base);
    }
    mn_free(r->context, r->shadows);
    mn_free(r->context, r->scalars);
}

mn_status mn_checkpoint_parse(mn_context *c, const mn_checkpoint *state, const char *name, const unsigned char *data,
                              size_t bytes, uint64_t *hash)
{
    seal found, expected = { .bytes = 0 };
    if (bytes > sizeof found) {
        memcpy(&found, data + bytes - sizeof found, sizeof found);
        expected = seal_of(data, bytes - sizeof found);
    }
    if (expected.bytes == 0 || memcmp(&found, &expected, sizeof found) != 0)
        return mn_fail(c, MN_ERR_FILE, "%s: the checkpoint is damaged or cut short (%zu bytes)", name, bytes);

    reading r        = { .context = c, .state = state, .name = name };
    r.shadows        = mn_alloc_array(c, shadow, state->block_count);
    r.scalars        = mn_alloc(c, 8 * (size_t)state->scalar_count);
    mn_status status = r.shadows != NULL && r.scalars != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) status = read_image(&r, data, bytes - sizeof found, hash);
    if (status == MN_OK) status = put_in_place(&r);
    free_reading(&r);
    return status;
}

mn_status mn_checkpoint_read(mn_context *c, const mn_checkpoint *state, const char *path, uint64_t *hash)
{
    unsigned char *data;
    size_t         bytes;
    MN_TRY(mn_file_read(c, path, &data, &bytes));
    const mn_status status = mn_checkpoint_parse(c, state, path, data, bytes, hash);
    mn_free(c, data);
    return status;
}
