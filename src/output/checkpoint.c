// SPDX-License-Identifier: MPL-2.0
// output/checkpoint.c - making the bytes of a checkpoint.
#include "output/checkpoint_private.h"

#include "base/file.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

mn_checkpoint_seal mn_checkpoint_seal_of(const void *data, size_t bytes)
{
    mn_checkpoint_seal s = { .bytes = bytes, .hash = mn_hash_bytes(MN_HASH_SEED, data, bytes) };
    memcpy(s.word, "MNSUM02\n", sizeof s.word);
    return s;
}

const char *mn_checkpoint_type(mn_type type)
{
    switch (type) {
    case MN_TYPE_double: return "float64";
    case MN_TYPE_float: return "float32";
    case MN_TYPE_int32_t: return "int32";
    case MN_TYPE_int64_t: return "int64";
    }
    return "?";
}

void mn_checkpoint_word(const char *name, char word[MN_CHECKPOINT_NAME])
{
    size_t used = 0;
    for (; *name != '\0' && used + 4 < MN_CHECKPOINT_NAME; name++) {
        const unsigned char c = (unsigned char)*name;
        if (c > ' ' && c < 0x7f && c != '%') word[used++] = *name;
        else used += (size_t)snprintf(word + used, 4, "%%%02x", c);
    }
    if (used == 0) word[used++] = '-';
    word[used] = '\0';
}

void mn_checkpoint_array(const mn_field *field, int component, char word[MN_CHECKPOINT_NAME])
{
    char name[MN_CHECKPOINT_NAME];
    if (field->components == 1) snprintf(name, sizeof name, "%s", field->name);
    else if (field->components <= 3) snprintf(name, sizeof name, "%s_%c", field->name, "xyz"[component]);
    else snprintf(name, sizeof name, "%s_%d", field->name, component);
    mn_checkpoint_word(name, word);
}

// ---- the text ------------------------------------------------------------------------------------------------------

static void add_scalar(mn_buffer *out, const mn_state_scalar *s)
{
    uint64_t bits;
    char     word[MN_CHECKPOINT_NAME];
    memcpy(&bits, s->value, sizeof bits);
    mn_checkpoint_word(s->name, word);
    mn_buffer_print(out, "scalar %s %s %016" PRIx64, word, mn_checkpoint_type(s->type), bits);
    if (s->type == MN_TYPE_double) mn_buffer_print(out, " %.17g\n", *(const double *)s->value);
    else mn_buffer_print(out, " %" PRId64 "\n", *(const int64_t *)s->value);
}

/// The lines of a block; *at, where its first array begins, moves behind its last.
static void add_block(mn_buffer *out, const mn_state_block *block, int64_t *at)
{
    char word[MN_CHECKPOINT_NAME], unit[MN_CHECKPOINT_NAME];
    mn_checkpoint_word(block->table->name, word);
    mn_buffer_print(out, "block %s %" PRId64 "\n", word, *block->count);
    for (int f = 0; f < block->table->count; f++) {
        const mn_field *field = &block->table->fields[f];
        for (int k = 0; k < mn_field_saved(field); k++) {
            mn_checkpoint_array(field, k, word);
            mn_checkpoint_word(field->unit, unit);
            mn_buffer_print(out, "array %s %s %018" PRId64 " %s %s\n", word, mn_checkpoint_type(field->type), *at, unit,
                            field->help);
            *at = mn_checkpoint_align(*at + *block->count * (int64_t)mn_type_size(field->type));
        }
    }
}

/// The text, of the same length whatever the two numbers are; gives where the last array ends.
static int64_t add_text(mn_buffer *out, const mn_checkpoint *state, uint64_t hash, int64_t head, int64_t bytes)
{
    int64_t at = head;
    char    word[MN_CHECKPOINT_NAME];
    mn_buffer_print(out, MN_CHECKPOINT_WORD "%d\nhead %010" PRId64 " bytes %018" PRId64 "\n", MN_CHECKPOINT_FORMAT,
                    head, bytes);
    mn_buffer_print(out, "program %s\nidentity %016" PRIx64 "\nstate_hash %016" PRIx64 "\n", mn_version(),
                    state->identity, hash);
    for (int k = 0; k < state->layout_count; k++) {
        mn_checkpoint_word(state->layouts[k].name, word);
        mn_buffer_print(out, "matter %s %016" PRIx64 "\n", word, state->layouts[k].hash);
    }
    for (int k = 0; k < state->scalar_count; k++) add_scalar(out, &state->scalars[k]);
    for (int k = 0; k < state->block_count; k++) add_block(out, &state->blocks[k], &at);
    mn_buffer_text(out, "end\n");
    return at;
}

// ---- the bytes -----------------------------------------------------------------------------------------------------

/// Up to the next place where an array may begin.
static void pad(mn_buffer *out, char with)
{
    const size_t more = (size_t)mn_checkpoint_align((int64_t)out->bytes) - out->bytes;
    void        *room = mn_buffer_extend(out, more);
    if (room != NULL) memset(room, with, more);
}

static void add_arrays(mn_buffer *out, const mn_state_block *block)
{
    for (int f = 0; f < block->table->count; f++) {
        const mn_field *field = &block->table->fields[f];
        const size_t    bytes = (size_t)*block->count * mn_type_size(field->type);
        for (int k = 0; bytes > 0 && k < mn_field_saved(field); k++) {
            mn_buffer_add(out, *mn_field_array(field, block->base, k), bytes);
            pad(out, '\0');
        }
    }
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
    (void)c;
    MN_ASSERT(out->bytes == 0);
    (void)add_text(out, state, hash, 0, 0);  // for its length
    pad(out, '\n');
    const int64_t head = (int64_t)out->bytes;
    mn_buffer_clear(out);
    const int64_t end = add_text(out, state, hash, head, 0);
    mn_buffer_clear(out);
    mn_buffer_reserve(out, (size_t)end + sizeof(mn_checkpoint_seal));
    (void)add_text(out, state, hash, head, end + (int64_t)sizeof(mn_checkpoint_seal));
    pad(out, '\n');
    for (int b = 0; b < state->block_count; b++) add_arrays(out, &state->blocks[b]);
    MN_TRY(mn_buffer_status(out));
    MN_ASSERT((int64_t)out->bytes == end);
    const mn_checkpoint_seal seal = mn_checkpoint_seal_of(out->data, out->bytes);
    mn_buffer_add(out, &seal, sizeof seal);
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
