// SPDX-License-Identifier: MPL-2.0
// fuzz_checkpoint - a forged checkpoint, whose length and seal are made anew: refused with a sentence and nothing
// changed, or a state that can be hashed and stepped. The first byte says how the rest spoils a good one: it is the
// file itself, it is edits of its text (six bytes each: place, kind, length and letters), or numbers in its arrays
// (eleven bytes each: place and value).
#include "meniscus/meniscus.h"
#include "output/checkpoint_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char
    scene_text[] = "domain: {cell: 1, bounds: [[0, 0, 0], [6, 6, 6]]}\n"
                   "time: {end: 1, frame_rate: 100, dt_max: 0.001, dt_min: 0.0004}\n"
                   "materials:\n"
                   "  red: {kind: pigment, absorbance: [0.1, 0.2, 0.3]}\n"
                   "  weave: {kind: fabric, from: cotton, radius: 0.02}\n"
                   "liquids:\n"
                   "  pool: {material: water, particles_per_cell: 1, solutes: {red: \"1 g/l\"},\n"
                   "         fill: {inside: {box: {center: [1, 1, 1], size: [2, 2, 2]}}}}\n"
                   "fabrics:\n"
                   "  cloth: {material: weave, sheet: {size: [2, 2], spacing: 0.9}, at: [3, 3, 3], saturation: 0.5}\n"
                   "  thread: {material: weave, yarn: {length: 3, spacing: 1, radius: 0.1}, at: [3, 4, 3]}\n"
                   "stains:\n"
                   "  spot: {sheet: {size: [2, 2], spacing: 1}, pigments: [red], at: [3, 5, 3],\n"
                   "         drops: {one: {density: 0.03, solutes: {red: 0.01}}}}\n"
                   "probes:\n"
                   "  front: {front: {point: [0, 0, 0], normal: [1, 0, 0]}}\n";

#define BLOCK_MOST   ((size_t)256 << 20)
#define STEP         0.001
#define LENGTH_PLACE 44  // of the digits of the length
#define LENGTH_COUNT 18

static mn_context *c;
static mn_scene   *scene;
static mn_world   *world;
static mn_buffer   good;
static int64_t     head;

static void require(int condition, const char *what)
{
    if (condition) return;
    fprintf(stderr, "fuzz_checkpoint: %s: %s\n", what, c != NULL ? mn_context_error(c) : "");
    abort();
}

/// A step of a wild state may ask for any memory.
static void *resize_small(void *block, size_t bytes, void *user)
{
    (void)user;
    if (bytes > 0) return bytes <= BLOCK_MOST ? realloc(block, bytes) : NULL;
    free(block);
    return NULL;
}

static void start(void)
{
    mn_context_def        def    = mn_context_def_default();
    const mn_scene_source source = { .name = "fuzz", .text = scene_text, .bytes = sizeof scene_text - 1 };
    def.threads                  = 1;
    def.resize                   = resize_small;
    require(mn_context_create(&def, &c) == MN_OK, "no context");
    require(mn_scene_load(c, &source, &scene) == MN_OK, "the scene");
    require(mn_scene_build(scene, &world) == MN_OK, "the world");
    require(mn_world_step(world, STEP) == MN_OK, "its first step");
    const mn_checkpoint state = mn_checkpoint_of(world);
    mn_buffer_init(&good, c);
    require(mn_checkpoint_make(c, &state, mn_world_hash(world), &good) == MN_OK, "the good one");
    head = atoll((const char *)good.data + 27);
}

/// Length and seal of what the buffer holds, as if it had been written so.
static void seal(mn_buffer *b)
{
    char digits[LENGTH_COUNT + 1];
    snprintf(digits, sizeof digits, "%018zu", b->bytes + sizeof(mn_checkpoint_seal));
    if (b->bytes > LENGTH_PLACE + LENGTH_COUNT) memcpy(b->data + LENGTH_PLACE, digits, LENGTH_COUNT);
    const mn_checkpoint_seal s = mn_checkpoint_seal_of(b->data, b->bytes);
    mn_buffer_add(b, &s, sizeof s);
}

/// Letters of the text replaced, put in, or taken out.
static void edit_text(mn_buffer *b, const uint8_t *data, size_t size)
{
    for (; size >= 6; data += 6, size -= 6) {
        const size_t at = ((size_t)data[0] << 8 | data[1]) % (size_t)head, length = 1 + data[3] % 32;
        uint8_t      letters[32];
        for (size_t k = 0; k < length; k++) letters[k] = data[4 + k % 2];
        if (at + length > b->bytes) continue;
        if (data[2] % 3 == 0) {
            memcpy(b->data + at, letters, length);
        } else if (data[2] % 3 == 1) {
            mn_buffer_add(b, letters, length);
            memmove(b->data + at + length, b->data + at, b->bytes - at - length);
            memcpy(b->data + at, letters, length);
        } else {
            memmove(b->data + at, b->data + at + length, b->bytes - at - length);
            b->bytes -= length;
        }
    }
}

static void edit_numbers(mn_buffer *b, const uint8_t *data, size_t size)
{
    static const double odd[]  = { 0.0, -1.0, 1e300, -1e300, 1e-300, 1e9, -1e9, 1e5, 1e15 };
    const size_t        values = (b->bytes - (size_t)head) / 8;
    for (; size >= 11; data += 11, size -= 11) {
        const size_t at = (size_t)head + 8 * (((size_t)data[0] << 8 | data[1]) % values);
        if (data[2] & 1) memcpy(b->data + at, &odd[data[3] % 9], 8);
        else memcpy(b->data + at, data + 3, 8);
    }
}

static void forge(mn_buffer *b, const uint8_t *data, size_t size)
{
    const int kind = data[0] % 3;
    mn_buffer_clear(b);
    if (kind == 0) {
        mn_buffer_add(b, data + 1, size - 1);
    } else {
        mn_buffer_add(b, good.data, good.bytes - sizeof(mn_checkpoint_seal));
        if (kind == 1) edit_text(b, data + 1, size - 1);
        if (kind == 2) edit_numbers(b, data + 1, size - 1);
    }
    seal(b);
    require(mn_buffer_status(b) == MN_OK, "no memory");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t  hash;
    mn_buffer forged;
    if (c == NULL) start();
    if (size == 0) return 0;
    mn_buffer_init(&forged, c);
    forge(&forged, data, size);
    const uint64_t      before = mn_world_hash(world);
    const mn_checkpoint state  = mn_checkpoint_of(world);
    if (mn_checkpoint_parse(c, &state, "forged", forged.data, forged.bytes, &hash) != MN_OK) {
        require(strncmp(mn_context_error(c), "forged: ", 8) == 0, "a sentence without its file");
        require(mn_world_hash(world) == before, "a refused checkpoint changed the state");
    } else {
        // Whoever forges a file knows the hash of its state, too.
        if (mn_world_state_loaded(world) == MN_OK) {
            (void)mn_world_hash(world);
            if (data[0] % 3 == 2) (void)mn_world_step(world, mn_world_time(world) + STEP);
            (void)mn_world_ledger(world);
        }
        const mn_checkpoint again = mn_checkpoint_of(world);
        require(mn_checkpoint_parse(c, &again, "good", good.data, good.bytes, &hash) == MN_OK,
                "the good one is refused");
        require(mn_world_state_loaded(world) == MN_OK && mn_world_hash(world) == hash, "the good one is another");
    }
    mn_buffer_free(&forged);
    return 0;
}
