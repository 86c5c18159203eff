// SPDX-License-Identifier: MPL-2.0
// Checkpoints: what goes in comes out, and nothing damaged is believed.
#include "testing.h"

#include "failing_memory.h"

#include "unit/output/folder.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/random.h"
#include "output/checkpoint_private.h"

#define DROP_FIELDS(X)                                            \
    X(double, 3, position, "cm", MN_FIELD_SAVED, "where it is")   \
    X(double, 9, affine, "1/s", MN_FIELD_SAVED, "how it turns")   \
    X(double, 1, volume, "cm^3", MN_FIELD_SAVED, "how big it is") \
    X(int64_t, 1, id, "-", MN_FIELD_SAVED, "its number")          \
    X(float, 2, shade, "1", MN_FIELD_SAVED, "its colour")         \
    X(int32_t, 1, cell, "-", MN_FIELD_SAVED, "its cell")

typedef struct drops {
    int64_t count, capacity;
#define X(type, n, name, unit, flags, help) type *name[n];
    DROP_FIELDS(X)
#undef X
} drops;

static const mn_field drop_fields[] = {
#define X(type, n, name, unit, flags, help) MN_FIELD(drops, type, n, name, unit, flags, help),
    DROP_FIELDS(X)
#undef X
};
static const mn_field_table drop_table  = { "drops", drop_fields, 6 };
static const mn_field_table empty_table = { "nothing", drop_fields, 3 };

typedef struct toy {
    drops           drops, nothing;
    double          time;
    int64_t         step;
    mn_state_block  blocks[2];
    mn_state_scalar scalars[2];
    mn_checkpoint   state;
} toy;

static void toy_init(toy *t)
{
    *t                  = (toy){ .time = 0.0 };
    t->blocks[0]        = (mn_state_block){ .table    = &drop_table,
                                            .base     = &t->drops,
                                            .count    = &t->drops.count,
                                            .capacity = &t->drops.capacity };
    t->blocks[1]        = (mn_state_block){ .table    = &empty_table,
                                            .base     = &t->nothing,
                                            .count    = &t->nothing.count,
                                            .capacity = &t->nothing.capacity };
    t->blocks[0].varies = t->blocks[1].varies = true;
    t->scalars[0]                             = (mn_state_scalar){ "time", MN_TYPE_double, &t->time };
    t->scalars[1]                             = (mn_state_scalar){ "step", MN_TYPE_int64_t, &t->step };
    t->state = (mn_checkpoint){ .blocks = t->blocks, .block_count = 2, .scalars = t->scalars, .scalar_count = 2 };
}

static void toy_fill(mn_context *c, toy *t, int64_t count, uint64_t seed)
{
    assert_int_equal(mn_fields_reserve(c, &drop_table, &t->drops, t->drops.count, &t->drops.capacity, count), MN_OK);
    t->drops.count = count;
    for (int f = 0; f < drop_table.count; f++)
        for (int k = 0; k < drop_fields[f].components; k++) {
            unsigned char *bytes = *mn_field_array(&drop_fields[f], &t->drops, k);
            for (int64_t i = 0; i < count * (int64_t)mn_type_size(drop_fields[f].type); i++)
                bytes[i] = (unsigned char)mn_random_bits(seed, (uint64_t)i, (uint64_t)f, (uint64_t)k);
        }
    t->time = 0.1 + (double)seed;
    t->step = (int64_t)seed * 77 - 3;
}

static uint64_t toy_hash(const toy *t)
{
    uint64_t hash = mn_fields_hash(&drop_table, &t->drops, t->drops.count, MN_HASH_SEED);
    hash          = mn_hash_bytes(hash, &t->time, sizeof t->time);
    return mn_hash_bytes(hash, &t->step, sizeof t->step);
}

static void toy_free(mn_context *c, toy *t)
{
    mn_fields_free(c, &drop_table, &t->drops);
    mn_fields_free(c, &empty_table, &t->nothing);
}

static void a_state_comes_back_bit_for_bit(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    const int64_t before = mn_context_memory(c).blocks_now;
    char          folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/000001.state", folder);
    const int64_t sizes[] = { 0, 1, 1000, 20000 };
    for (int k = 0; k < 4; k++)
        for (int other = 0; other < 2; other++) {
            toy a, b;
            toy_init(&a);
            toy_init(&b);
            toy_fill(c, &a, sizes[k], 5);
            toy_fill(c, &b, other ? 0 : 3000, 6);  // smaller or larger than what is loaded
            uint64_t hash = 0;
            assert_int_equal(mn_checkpoint_write(c, &a.state, 0xfedcba9876543210u, path), MN_OK);
            assert_int_equal(mn_checkpoint_read(c, &b.state, path, &hash), MN_OK);
            assert_true(hash == 0xfedcba9876543210u);
            assert_int_equal(b.drops.count, sizes[k]);
            assert_true(b.drops.capacity >= sizes[k]);
            assert_true(toy_hash(&a) == toy_hash(&b));
            toy_free(c, &a);
            toy_free(c, &b);
        }
    assert_int_equal(test_folder_count(folder), 1);
    assert_int_equal(mn_context_memory(c).blocks_now, before);
    test_folder_remove(folder);
    test_context_end(&c);
}

static void equal_states_make_equal_files(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    toy         a;
    toy_init(&a);
    toy_fill(c, &a, 500, 9);
    mn_buffer one, two;
    mn_buffer_init(&one, c);
    mn_buffer_init(&two, c);
    assert_int_equal(mn_checkpoint_make(c, &a.state, 1, &one), MN_OK);
    sleep(1);  // no clock may show in the file
    assert_int_equal(mn_checkpoint_make(c, &a.state, 1, &two), MN_OK);
    assert_int_equal(one.bytes, two.bytes);
    assert_memory_equal(one.data, two.data, one.bytes);
    mn_buffer_free(&one);
    mn_buffer_free(&two);
    toy_free(c, &a);
    test_context_end(&c);
}

static void damage_of_any_kind_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    toy         a, b;
    toy_init(&a);
    toy_init(&b);
    toy_fill(c, &a, 300, 5);
    toy_fill(c, &b, 40, 6);
    const uint64_t unchanged = toy_hash(&b);
    mn_buffer      bytes;
    mn_buffer_init(&bytes, c);
    assert_int_equal(mn_checkpoint_make(c, &a.state, 1, &bytes), MN_OK);
    uint64_t hash = 0;
    for (size_t length = 0; length < bytes.bytes; length += length < 600 || length + 600 > bytes.bytes ? 1 : 97) {
        assert_int_equal(mn_checkpoint_parse(c, &b.state, "cut", bytes.data, length, &hash), MN_ERR_FILE);
        assert_non_null(strstr(mn_context_error(c), "cut: the checkpoint is damaged or cut short"));
    }
    for (size_t at = 0; at < bytes.bytes; at += 13) {
        bytes.data[at] ^= 0x40;
        assert_int_equal(mn_checkpoint_parse(c, &b.state, "flip", bytes.data, bytes.bytes, &hash), MN_ERR_FILE);
        bytes.data[at] ^= 0x40;
    }
    assert_true(toy_hash(&b) == unchanged);
    assert_int_equal(mn_checkpoint_parse(c, &b.state, "whole", bytes.data, bytes.bytes, &hash), MN_OK);
    assert_true(toy_hash(&b) == toy_hash(&a));
    mn_buffer_free(&bytes);
    toy_free(c, &a);
    toy_free(c, &b);
    test_context_end(&c);
}

static void a_checkpoint_of_another_kind_of_world_is_refused_with_what_is_missing(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    toy         a, b;
    toy_init(&a);
    toy_init(&b);
    toy_fill(c, &a, 30, 5);
    mn_buffer bytes;
    mn_buffer_init(&bytes, c);
    a.state.block_count = 1;
    assert_int_equal(mn_checkpoint_make(c, &a.state, 1, &bytes), MN_OK);
    uint64_t hash = 0;
    assert_int_equal(mn_checkpoint_parse(c, &b.state, "x.state", bytes.data, bytes.bytes, &hash), MN_ERR_FILE);
    assert_string_equal(mn_context_error(c),
                        "x.state: this checkpoint does not fit the scene: the matter \"nothing\" is "
                        "missing or of another kind");
    b.state.block_count = 1;
    b.scalars[1].type   = MN_TYPE_double;
    assert_int_equal(mn_checkpoint_parse(c, &b.state, "x.state", bytes.data, bytes.bytes, &hash), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "the number \"step\""));
    b.scalars[1].type = MN_TYPE_int64_t;
    mn_field other[6];
    memcpy(other, drop_fields, sizeof other);
    other[2].name                = "mass";
    const mn_field_table renamed = { "drops", other, 6 };
    b.blocks[0].table            = &renamed;
    assert_int_equal(mn_checkpoint_parse(c, &b.state, "x.state", bytes.data, bytes.bytes, &hash), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "the field \"mass\""));
    assert_int_equal(b.drops.count, 0);
    mn_buffer_free(&bytes);
    toy_free(c, &a);
    test_context_end(&c);
}

/// A copy of exact length.
static unsigned char *test_copy(const void *data, size_t bytes)
{
    unsigned char *copy = malloc(bytes);
    assert_non_null(copy);
    return memcpy(copy, data, bytes);
}

/// memmem is not of the standard.
static char *find_bytes(unsigned char *data, size_t bytes, const char *what, size_t length)
{
    for (size_t k = 0; k + length <= bytes; k++)
        if (memcmp(data + k, what, length) == 0) return (char *)data + k;
    return NULL;
}

static void expect_refused(mn_context *c, const toy *t, const mn_buffer *b, const char *piece)
{
    uint64_t       hash   = 0;
    const uint64_t before = toy_hash(t);
    assert_int_equal(mn_checkpoint_parse(c, &t->state, "x.state", b->data, b->bytes, &hash), MN_ERR_FILE);
    if (strstr(mn_context_error(c), piece) == NULL) fail_msg("'%s' is not in %s", piece, mn_context_error(c));
    assert_true(toy_hash(t) == before);
}

static void a_checkpoint_knows_its_scene(void **state)
{
    (void)state;
    mn_context           *c         = test_context(1);
    const mn_state_layout layouts[] = { { "water", 5 }, { "cloth of gold", 6 } };
    mn_state_layout       other[]   = { { "water", 5 }, { "cloth of gold", 7 } };
    toy                   a, b;
    mn_buffer             bytes;
    uint64_t              hash = 0;
    toy_init(&a);
    toy_init(&b);
    toy_fill(c, &a, 30, 5);
    a.state.identity = 17;
    a.state.layouts = layouts, a.state.layout_count = 2;
    mn_buffer_init(&bytes, c);
    assert_int_equal(mn_checkpoint_make(c, &a.state, 1, &bytes), MN_OK);
    b.state.identity = 18;
    b.state.layouts = layouts, b.state.layout_count = 2;
    expect_refused(c, &b, &bytes, "of another scene or of other settings (identity 0000000000000011");
    b.state.other_scene = true;
    b.state.layouts     = other;
    expect_refused(c, &b, &bytes, "its matter \"cloth of gold\" has other meshes, names or pigments");
    b.state.layout_count = 1;
    expect_refused(c, &b, &bytes, "does not fit");  // a kind of matter too much
    b.state.layouts = layouts, b.state.layout_count = 2;
    b.blocks[0].varies = false;
    expect_refused(c, &b, &bytes, "it has 30 of \"drops\", the scene has 0");
    b.blocks[0].varies = true;
    assert_int_equal(mn_checkpoint_parse(c, &b.state, "x.state", bytes.data, bytes.bytes, &hash), MN_OK);
    assert_true(toy_hash(&b) == toy_hash(&a));
    mn_buffer_free(&bytes);
    toy_free(c, &a);
    toy_free(c, &b);
    test_context_end(&c);
}

/// Each line with something else in it, and the length and seal made anew: no byte outside the file is looked at.
static void forged_text_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *said;
    } rows[] = {
        { "checkpoint 2\n", "checkpoint 3\n", "format 3 of this checkpoint is unknown" },
        { "checkpoint 2\n", "checkpoint  \n", "damaged" },
        { "meniscus check", "meniscus cheek", "this is not a checkpoint" },
        { "head 00000", "head 99999", "damaged" },
        { "head 0000", "head 000x", "damaged" },
        { "bytes 0", "bytes 1", "damaged" },
        { "program", "pr\0gram", "the line \"program\"" },
        { "identity 0", "identity x", "the line \"identity\"" },
        { "scalar time float64 4", "scalar time float64 -", "the number \"time\"" },
        { "scalar step int64", "scalar step float", "the number \"step\"" },
        { "block drops 20\n", "block drops 99\n", "the field \"position_y\"" },
        { "block drops 20\n", "block drops -1\n", "the matter \"drops\"" },
        { "block drops 20\n", "block drops 16\n", "is missing or of another kind" },
        { "float64 00000000000000", "float64 00000000000001", "the field \"position_x\"" },
        { "float64 00000000000000", "float64 99999999999999", "the field \"position_x\"" },
        { "array id int64", "array id int32", "the field \"id\"" },
        { "array shade_x float32 0", "array shade_y float32 0", "the field \"shade_x\"" },
        { "block nothing 0\n", "block nothing 9\n", "is missing or of another kind" },
        { "\nend\n", "\nand\n", "holds more than the scene" },
    };
    mn_context *c = test_context(1);
    toy         a, b;
    mn_buffer   good, bytes;
    toy_init(&a);
    toy_init(&b);
    toy_fill(c, &a, 20, 5);
    toy_fill(c, &b, 4, 6);
    mn_buffer_init(&good, c);
    mn_buffer_init(&bytes, c);
    assert_int_equal(mn_checkpoint_make(c, &a.state, 1, &good), MN_OK);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const size_t length = strlen(rows[k].from);
        mn_buffer_clear(&bytes);
        mn_buffer_add(&bytes, good.data, good.bytes - sizeof(mn_checkpoint_seal));
        char *at = find_bytes(bytes.data, bytes.bytes, rows[k].from, length);
        if (at == NULL) fail_msg("'%s' is not in the text", rows[k].from);
        memcpy(at, rows[k].to, length);
        const mn_checkpoint_seal seal = mn_checkpoint_seal_of(bytes.data, bytes.bytes);
        mn_buffer_add(&bytes, &seal, sizeof seal);
        unsigned char  *exact = test_copy(bytes.data, bytes.bytes);  // so that a sanitizer sees a byte read too far
        const mn_buffer b2    = { .data = exact, .bytes = bytes.bytes };
        expect_refused(c, &b, &b2, rows[k].said);
        free(exact);
    }
    mn_buffer_free(&good);
    mn_buffer_free(&bytes);
    toy_free(c, &a);
    toy_free(c, &b);
    test_context_end(&c);
}

static void the_text_of_a_checkpoint_can_be_read_by_people(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    char        folder[64], path[128];
    toy         a;
    mn_buffer   text;
    toy_init(&a);
    toy_fill(c, &a, 20, 5);
    test_folder(folder);
    snprintf(path, sizeof path, "%s/000001.state", folder);
    assert_int_equal(mn_checkpoint_write(c, &a.state, 0xabc, path), MN_OK);
    mn_buffer_init(&text, c);
    assert_int_equal(mn_checkpoint_describe(c, path, &text), MN_OK);
    const char *said = mn_buffer_string(&text);
    assert_non_null(strstr(said, "\nstate_hash 0000000000000abc\n"));
    assert_non_null(strstr(said, "\nblock drops 20\n"));
    assert_non_null(strstr(said, " cm^3 how big it is\n"));
    assert_string_equal(said + text.bytes - 5, "\nend\n");
    // An array is where its line says.
    const char    *line = strstr(said, "array affine_8 float64 ");
    mn_file_error  error;
    mn_file_source source;
    double         values[20];
    assert_non_null(line);
    assert_int_equal(mn_file_open(&source, path, ANY_FILE, &error), MN_OK);
    assert_int_equal(mn_file_read_at(&source, path, atoll(line + 23), values, sizeof values, &error), MN_OK);
    mn_file_close(&source);
    assert_memory_equal(values, a.drops.affine[8], sizeof values);
    mn_buffer_clear(&text);
    snprintf(path, sizeof path, "%s/hdf5", folder);
    assert_int_equal(mn_file_write_atomic(path, "\x89HDF\r\n\x1a\n........", 16, &error), MN_OK);
    assert_int_equal(mn_checkpoint_describe(c, path, &text), MN_ERR_FILE);
    assert_non_null(strstr(mn_context_error(c), "written by an earlier version of the program, as HDF5"));
    mn_buffer_free(&text);
    toy_free(c, &a);
    test_folder_remove(folder);
    test_context_end(&c);
}

typedef struct reading {
    mn_context *context;
    mn_buffer   file;
    toy         to;
    uint64_t    unchanged;
} reading;

static mn_status read_checkpoint(failing_memory *m, void *user)
{
    reading        *r      = user;
    uint64_t        hash   = 0;
    const mn_status status = mn_checkpoint_parse(r->context, &r->to.state, "x.state", r->file.data, r->file.bytes,
                                                 &hash);
    grant_all(m);
    if (status != MN_OK) assert_true(toy_hash(&r->to) == r->unchanged);
    return status;
}

static void refused_memory_leaks_nothing_and_changes_nothing(void **state)
{
    (void)state;
    failing_memory memory = PLENTY_OF_MEMORY;
    mn_context    *c      = failing_context(&memory);
    toy            a;
    reading        r = { .context = c };
    toy_init(&a);
    toy_init(&r.to);
    toy_fill(c, &a, 300, 5);
    toy_fill(c, &r.to, 40, 6);
    mn_buffer_init(&r.file, c);
    assert_int_equal(mn_checkpoint_make(c, &a.state, 1, &r.file), MN_OK);
    r.unchanged = toy_hash(&r.to);
    assert_true(survives_every_failing_allocation(&memory, read_checkpoint, &r, NULL) >
                6);  // each field, and the bookkeeping
    assert_true(toy_hash(&r.to) == toy_hash(&a));
    mn_buffer_free(&r.file);
    toy_free(c, &a);
    toy_free(c, &r.to);
    test_context_end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_comes_back_bit_for_bit),
        cmocka_unit_test(equal_states_make_equal_files),
        cmocka_unit_test(damage_of_any_kind_is_refused_and_changes_nothing),
        cmocka_unit_test(a_checkpoint_of_another_kind_of_world_is_refused_with_what_is_missing),
        cmocka_unit_test(a_checkpoint_knows_its_scene),
        cmocka_unit_test(forged_text_is_refused_and_changes_nothing),
        cmocka_unit_test(the_text_of_a_checkpoint_can_be_read_by_people),
        cmocka_unit_test(refused_memory_leaks_nothing_and_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
