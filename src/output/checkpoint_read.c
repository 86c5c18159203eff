// SPDX-License-Identifier: MPL-2.0
// output/checkpoint_read.c - reading a state back: everything is checked before anything is replaced.
#include "output/checkpoint_private.h"

#include "base/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FRONT_BYTES 128  // holds the first two lines
#define HEAD_MOST   ((int64_t)64 << 20)

static const mn_file_kind checkpoint_file = { "a checkpoint", (int64_t)1 << 38 };

/// A place in the text, which lies in [at, end).
typedef struct reading {
    mn_context          *context;
    const mn_checkpoint *state;
    const char          *name, *at, *end;
    const unsigned char *data;
    int64_t              next;   ///< where the next array must begin
    int64_t              bytes;  ///< where the last array must end
    int64_t             *count;  ///< of each block
    uint64_t            *scalar;
} reading;

static mn_status fail_damaged(const reading *r, size_t bytes)
{
    return mn_fail(r->context, MN_ERR_FILE, "%s: the checkpoint is damaged or cut short (%zu bytes)", r->name, bytes);
}

static mn_status refuse(const reading *r, const char *what, const char *which)
{
    return mn_fail(r->context, MN_ERR_FILE,
                   "%s: this checkpoint does not fit the scene: %s \"%s\" is missing or of another kind", r->name, what,
                   which);
}

// ---- words of a line -----------------------------------------------------------------------------------------------

/// Whether the next word is this one; then the place moves behind it and its space.
static bool take(reading *r, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(r->end - r->at) <= length || memcmp(r->at, word, length) != 0) return false;
    if (r->at[length] != ' ' && r->at[length] != '\n') return false;
    r->at += length + (r->at[length] == ' ');
    return true;
}

/// Behind the number comes a space, over which the place moves, or the end of the line.
static bool end_number(reading *r, const char *stop)
{
    if (stop == r->at || stop == r->end || (*stop != ' ' && *stop != '\n')) return false;
    r->at = stop + (*stop == ' ');
    return true;
}

/// A number of at most 18 digits.
static bool take_count(reading *r, int64_t *value)
{
    const char *at = r->at;
    *value         = 0;
    for (; at < r->end && *at >= '0' && *at <= '9' && at - r->at < 18; at++) *value = *value * 10 + (*at - '0');
    return end_number(r, at);
}

static bool take_bits(reading *r, uint64_t *value)
{
    static const char digits[] = "0123456789abcdef";
    const char       *at       = r->at;
    *value                     = 0;
    for (; at < r->end && at - r->at < 16; at++) {
        const char *digit = *at != '\0' ? strchr(digits, *at) : NULL;
        if (digit == NULL) return false;
        *value = *value << 4 | (uint64_t)(digit - digits);
    }
    return at - r->at == 16 && end_number(r, at);
}

/// Pass over the rest of the line.
static bool end_line(reading *r)
{
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    if (stop == NULL) return false;
    r->at = stop + 1;
    return true;
}

// ---- the front and the seal ----------------------------------------------------------------------------------------

/// The first two lines, of a file of `bytes` bytes in all of which `got` are at `data`.
static mn_status read_front(reading *r, const unsigned char *data, size_t got, size_t bytes, int64_t *head)
{
    static const unsigned char hdf5[8] = { 0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n' };
    const size_t               word    = strlen(MN_CHECKPOINT_WORD);
    int64_t                    format, total;
    if (got >= sizeof hdf5 && memcmp(data, hdf5, sizeof hdf5) == 0)
        return mn_fail(r->context, MN_ERR_FILE,
                       "%s: this checkpoint was written by an earlier version of the program, as HDF5; run its scene "
                       "again, or go on with that version",
                       r->name);
    if (got >= word && memcmp(data, MN_CHECKPOINT_WORD, word) != 0)
        return mn_fail(r->context, MN_ERR_FILE, "%s: this is not a checkpoint", r->name);
    if (got <= word) return fail_damaged(r, bytes);
    r->at  = (const char *)data + word;
    r->end = (const char *)data + got;
    if (!take_count(r, &format) || !end_line(r)) return fail_damaged(r, bytes);
    if (format != MN_CHECKPOINT_FORMAT)
        return mn_fail(r->context, MN_ERR_FILE,
                       "%s: format %lld of this checkpoint is unknown; this program reads format %d", r->name,
                       (long long)format, MN_CHECKPOINT_FORMAT);
    const bool good = take(r, "head") && take_count(r, head) && take(r, "bytes") && take_count(r, &total) &&
                      end_line(r) && total == (int64_t)bytes && *head <= HEAD_MOST &&
                      *head % MN_CHECKPOINT_ALIGN == 0 && *head >= r->at - (const char *)data &&
                      *head <= total - (int64_t)sizeof(mn_checkpoint_seal);
    return good ? MN_OK : fail_damaged(r, bytes);
}

/// The text of a file that is whole: r->at is behind its front, r->end at its end.
static mn_status read_head(reading *r, const unsigned char *data, size_t bytes)
{
    mn_checkpoint_seal found;
    int64_t            head;
    MN_TRY(read_front(r, data, bytes < FRONT_BYTES ? bytes : FRONT_BYTES, bytes, &head));
    memcpy(&found, data + bytes - sizeof found, sizeof found);
    const mn_checkpoint_seal expected = mn_checkpoint_seal_of(data, bytes - sizeof found);
    if (memcmp(&found, &expected, sizeof found) != 0) return fail_damaged(r, bytes);
    r->data  = data;
    r->bytes = (int64_t)(bytes - sizeof found);
    r->end   = (const char *)data + head;
    r->next  = head;
    return MN_OK;
}

// ---- lines ---------------------------------------------------------------------------------------------------------

static mn_status read_identity(reading *r, uint64_t *hash)
{
    uint64_t identity;
    if (!take(r, "program") || !end_line(r)) return refuse(r, "the line", "program");
    if (!take(r, "identity") || !take_bits(r, &identity) || !end_line(r)) return refuse(r, "the line", "identity");
    if (!take(r, "state_hash") || !take_bits(r, hash) || !end_line(r)) return refuse(r, "the line", "state_hash");
    if (identity == r->state->identity || r->state->other_scene) return MN_OK;
    return mn_fail(r->context, MN_ERR_FILE,
                   "%s: this checkpoint is of another scene or of other settings (identity %016" PRIx64
                   ", this scene has %016" PRIx64 "); go on with its own scene, or branch off with --from OUT:FRAME",
                   r->name, identity, r->state->identity);
}

static mn_status read_layouts(reading *r)
{
    char word[MN_CHECKPOINT_NAME];
    for (int k = 0; k < r->state->layout_count; k++) {
        const mn_state_layout *layout = &r->state->layouts[k];
        uint64_t               hash;
        mn_checkpoint_word(layout->name, word);
        if (!take(r, "matter") || !take(r, word) || !take_bits(r, &hash) || !end_line(r))
            return refuse(r, "the matter", layout->name);
        if (hash == layout->hash) continue;
        return mn_fail(r->context, MN_ERR_FILE,
                       "%s: this checkpoint does not fit the scene: its matter \"%s\" has other meshes, names or "
                       "pigments; what a branch may change are materials, motions and settings",
                       r->name, layout->name);
    }
    return MN_OK;
}

static mn_status read_scalars(reading *r)
{
    char word[MN_CHECKPOINT_NAME];
    for (int k = 0; k < r->state->scalar_count; k++) {
        const mn_state_scalar *scalar = &r->state->scalars[k];
        mn_checkpoint_word(scalar->name, word);
        if (!take(r, "scalar") || !take(r, word) || !take(r, mn_checkpoint_type(scalar->type)) ||
            !take_bits(r, &r->scalar[k]) || !end_line(r))
            return refuse(r, "the number", scalar->name);
    }
    return MN_OK;
}

static mn_status read_array(reading *r, const mn_field *field, int component, int64_t count)
{
    char          word[MN_CHECKPOINT_NAME];
    int64_t       at;
    const int64_t size = (int64_t)mn_type_size(field->type);
    mn_checkpoint_array(field, component, word);
    if (!take(r, "array") || !take(r, word) || !take(r, mn_checkpoint_type(field->type)) || !take_count(r, &at) ||
        !end_line(r) || at != r->next || count > (r->bytes - at) / size)
        return refuse(r, "the field", word);
    r->next = mn_checkpoint_align(at + count * size);
    return r->next <= r->bytes ? MN_OK : refuse(r, "the field", word);
}

static mn_status read_block(reading *r, const mn_state_block *block, int64_t *count)
{
    const mn_field_table *table = block->table;
    char                  word[MN_CHECKPOINT_NAME];
    mn_checkpoint_word(table->name, word);
    if (!take(r, "block") || !take(r, word) || !take_count(r, count) || !end_line(r) || *count > r->bytes)
        return refuse(r, "the matter", table->name);
    if (!block->varies && *count != *block->count)
        return mn_fail(r->context, MN_ERR_FILE,
                       "%s: this checkpoint does not fit the scene: it has %lld of \"%s\", the scene has %lld", r->name,
                       (long long)*count, table->name, (long long)*block->count);
    for (int f = 0; f < table->count; f++)
        for (int k = 0; k < mn_field_saved(&table->fields[f]); k++) MN_TRY(read_array(r, &table->fields[f], k, *count));
    return MN_OK;
}

static mn_status read_blocks(reading *r)
{
    for (int b = 0; b < r->state->block_count; b++) MN_TRY(read_block(r, &r->state->blocks[b], &r->count[b]));
    if (take(r, "end") && r->next == r->bytes) return MN_OK;
    return mn_fail(r->context, MN_ERR_FILE, "%s: this checkpoint does not fit the scene: it holds more than the scene",
                   r->name);
}

// ---- in place ------------------------------------------------------------------------------------------------------

/// The arrays of a block from where they are in the file; *at moves behind them.
static void copy_block(const reading *r, const mn_state_block *block, int64_t count, int64_t *at)
{
    for (int f = 0; count > 0 && f < block->table->count; f++) {
        const mn_field *field = &block->table->fields[f];
        const size_t    bytes = (size_t)count * mn_type_size(field->type);
        for (int k = 0; k < mn_field_saved(field); k++) {
            memcpy(*mn_field_array(field, block->base, k), r->data + *at, bytes);
            *at = mn_checkpoint_align(*at + (int64_t)bytes);
        }
    }
    *block->count = count;
}

/// Make room first, which may fail; then copy, which cannot.
static mn_status put_in_place(const reading *r)
{
    int64_t at = r->end - (const char *)r->data;
    for (int b = 0; b < r->state->block_count; b++) {
        const mn_state_block *block = &r->state->blocks[b];
        if (block->varies)
            MN_TRY(
                mn_fields_reserve(r->context, block->table, block->base, *block->count, block->capacity, r->count[b]));
    }
    for (int b = 0; b < r->state->block_count; b++) copy_block(r, &r->state->blocks[b], r->count[b], &at);
    for (int k = 0; k < r->state->scalar_count; k++)
        memcpy(r->state->scalars[k].value, &r->scalar[k], sizeof r->scalar[k]);
    return MN_OK;
}

mn_status mn_checkpoint_parse(mn_context *c, const mn_checkpoint *state, const char *name, const unsigned char *data,
                              size_t bytes, uint64_t *hash)
{
    reading r = { .context = c, .state = state, .name = name };
    MN_TRY(read_head(&r, data, bytes));
    r.count          = mn_alloc_array(c, int64_t, state->block_count);
    r.scalar         = mn_alloc_array(c, uint64_t, state->scalar_count);
    mn_status status = r.count != NULL && r.scalar != NULL ? MN_OK : MN_ERR_MEMORY;
    if (status == MN_OK) status = read_identity(&r, hash);
    if (status == MN_OK) status = read_layouts(&r);
    if (status == MN_OK) status = read_scalars(&r);
    if (status == MN_OK) status = read_blocks(&r);
    if (status == MN_OK) status = put_in_place(&r);
    mn_free(c, r.count);
    mn_free(c, r.scalar);
    return status;
}

// ---- files ---------------------------------------------------------------------------------------------------------

/// All bytes of a file. Its front is looked at first: what does not call itself a checkpoint of this size is not read.
static mn_status read_file(mn_context *c, const char *path, unsigned char **data, size_t *bytes)
{
    const reading  r = { .context = c, .name = path };
    unsigned char  front[FRONT_BYTES];
    mn_file_source s;
    mn_file_error  error;
    int64_t        head;
    *data = NULL;
    if (mn_file_open(&s, path, &checkpoint_file, &error) != MN_OK) return mn_file_fail(c, &error);
    *bytes              = (size_t)s.bytes;
    const size_t got    = *bytes < sizeof front ? *bytes : sizeof front;
    reading      of     = r;
    mn_status    status = mn_file_read_at(&s, path, 0, front, got, &error);
    if (status != MN_OK) (void)mn_file_fail(c, &error);
    else status = read_front(&of, front, got, *bytes, &head);
    if (status == MN_OK && (*data = mn_alloc(c, *bytes)) == NULL) status = MN_ERR_MEMORY;
    if (status == MN_OK && mn_file_read_at(&s, path, 0, *data, *bytes, &error) != MN_OK)
        status = mn_file_fail(c, &error);
    mn_file_close(&s);
    if (status == MN_OK) return MN_OK;
    mn_free(c, *data);
    *data = NULL;
    return status;
}

mn_status mn_checkpoint_read(mn_context *c, const mn_checkpoint *state, const char *path, uint64_t *hash)
{
    unsigned char *data;
    size_t         bytes;
    MN_TRY(read_file(c, path, &data, &bytes));
    const mn_status status = mn_checkpoint_parse(c, state, path, data, bytes, hash);
    mn_free(c, data);
    return status;
}

mn_status mn_checkpoint_describe(mn_context *c, const char *path, mn_buffer *out)
{
    unsigned char *data;
    size_t         bytes;
    reading        r = { .context = c, .name = path };
    MN_TRY(read_file(c, path, &data, &bytes));
    const mn_status status = read_head(&r, data, bytes);
    if (status == MN_OK) {
        while (r.end - 1 > r.at && r.end[-1] == '\n' && r.end[-2] == '\n') r.end--;
        const size_t first = out->bytes, count = (size_t)(r.end - (const char *)data);
        mn_buffer_add(out, data, count);
        for (size_t k = first; k < out->bytes; k++)
            if (out->data[k] != '\n' && (out->data[k] < ' ' || out->data[k] > '~')) out->data[k] = '?';
    }
    mn_free(c, data);
    return status == MN_OK ? mn_buffer_status(out) : status;
}
