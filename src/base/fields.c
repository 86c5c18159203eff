// SPDX-License-Identifier: MPL-2.0
// base/fields.c - what every kind of matter does with its arrays, written once.
#include "base/fields.h"

#include "base/hash.h"

#include <float.h>
#include <math.h>
#include <string.h>

size_t mn_type_size(mn_type type) { return type == MN_TYPE_float || type == MN_TYPE_int32_t ? 4 : 8; }

void **mn_field_array(const mn_field *f, void *base, int component)
{
    return (void **)((char *)base + f->offset) + component;
}

static void *array_of(const mn_field *f, const void *base, int component)
{
    return *mn_field_array(f, (void *)(uintptr_t)base, component);
}

/// Bytes from one component of a field to the next, all of which are one block: it can be lent in one piece.
static size_t stride_of(const mn_field *f, int64_t capacity)
{
    const size_t bytes = mn_array_bytes(capacity, mn_type_size(f->type));
    return bytes > SIZE_MAX / 2 ? SIZE_MAX / 2 : (bytes + 63) & ~(size_t)63;
}

mn_status mn_fields_reserve(mn_context *c, const mn_field_table *t, void *base, int64_t count, int64_t *capacity,
                            int64_t wanted)
{
    if (wanted <= *capacity) return MN_OK;
    if (count == 0) {  // nothing to keep: no need for both at a time
        mn_fields_free(c, t, base);
        *capacity = 0;
    }
    // Each field is replaced only when its larger copy exists: a refusal half-way leaves every array valid.
    for (int f = 0; f < t->count; f++) {
        const mn_field *field  = &t->fields[f];
        const size_t    stride = stride_of(field, wanted);
        char           *grown  = mn_alloc(c, mn_array_bytes(field->components, stride));
        if (grown == NULL) return MN_ERR_MEMORY;
        char *old = *mn_field_array(field, base, 0);
        for (int k = 0; k < field->components; k++) {
            void **array = mn_field_array(field, base, k);
            if (count > 0) memcpy(grown + (size_t)k * stride, *array, (size_t)count * mn_type_size(field->type));
            *array = grown + (size_t)k * stride;
        }
        mn_free(c, old);
    }
    *capacity = wanted;
    return MN_OK;
}

void mn_fields_free(mn_context *c, const mn_field_table *t, void *base)
{
    for (int f = 0; f < t->count; f++) {
        mn_free(c, *mn_field_array(&t->fields[f], base, 0));
        for (int k = 0; k < t->fields[f].components; k++) *mn_field_array(&t->fields[f], base, k) = NULL;
    }
}

mn_status mn_field_set_components(mn_context *c, const mn_field *field, void *base, int from, int to, int64_t count,
                                  int64_t capacity)
{
    char *old = *mn_field_array(field, base, 0);
    if (capacity == 0) return MN_OK;
    if (to <= from) {  // they stand in one block, which stays as it is while there are any
        if (to == 0) mn_free(c, old);
        for (int k = to; k < from; k++) *mn_field_array(field, base, k) = NULL;
        return MN_OK;
    }
    const size_t stride = stride_of(field, capacity);
    char        *block  = mn_alloc(c, mn_array_bytes(to, stride));
    if (block == NULL) return MN_ERR_MEMORY;
    for (int k = 0; k < to; k++) {
        void **array = mn_field_array(field, base, k);
        if (k < from && count > 0)
            memcpy(block + (size_t)k * stride, *array, (size_t)count * mn_type_size(field->type));
        *array = block + (size_t)k * stride;
    }
    mn_free(c, old);
    return MN_OK;
}

typedef struct gather_job {
    const mn_field_table *table;
    void                 *to;
    const void           *from;
    const int32_t        *source;
} gather_job;

static void gather_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const gather_job *job          = context;
    const int32_t *restrict source = job->source;
    for (int f = 0; f < job->table->count; f++) {
        const mn_field *field = &job->table->fields[f];
        for (int k = 0; k < field->components; k++) {
            if (mn_type_size(field->type) == 8) {
                uint64_t *restrict to         = array_of(field, job->to, k);
                const uint64_t *restrict from = array_of(field, job->from, k);
                for (int64_t i = begin; i < end; i++) to[i] = from[source[i]];
            } else {
                uint32_t *restrict to         = array_of(field, job->to, k);
                const uint32_t *restrict from = array_of(field, job->from, k);
                for (int64_t i = begin; i < end; i++) to[i] = from[source[i]];
            }
        }
    }
}

void mn_fields_gather(mn_pool *pool, const mn_field_table *t, void *to, const void *from, const int32_t *source,
                      int64_t count)
{
    gather_job job = { t, to, from, source };
    mn_parallel_for(pool, count, MN_BLOCK, gather_block, &job);
}

void mn_fields_copy_item(const mn_field_table *t, void *base, int64_t to, int64_t from)
{
    for (int f = 0; f < t->count; f++) {
        const size_t size = mn_type_size(t->fields[f].type);
        for (int k = 0; k < t->fields[f].components; k++) {
            char *array = array_of(&t->fields[f], base, k);
            memmove(array + (size_t)to * size, array + (size_t)from * size, size);
        }
    }
}

typedef struct keep_job {
    const mn_field_table *table;
    const void           *from;
    void                 *to;
} keep_job;

/// How many numbers of a range are not finite, while it is copied.
static double keep_block(int64_t begin, int64_t end, void *context)
{
    const keep_job *job = context;
    int64_t         bad = 0;
    for (int f = 0; f < job->table->count; f++) {
        const mn_field *field = &job->table->fields[f];
        const size_t    size = mn_type_size(field->type), at = (size_t)begin * size;
        for (int k = 0; k < mn_field_saved(field); k++) {
            const char *from = array_of(field, job->from, k);
            char       *to   = array_of(field, job->to, k);
            if (field->type == MN_TYPE_double) {
                const double *restrict x = (const double *)from;
                double *restrict y       = (double *)to;
                for (int64_t i = begin; i < end; i++) y[i] = x[i], bad += !(fabs(x[i]) <= DBL_MAX);
            } else if (field->type == MN_TYPE_float) {
                const float *restrict x = (const float *)from;
                float *restrict y       = (float *)to;
                for (int64_t i = begin; i < end; i++) y[i] = x[i], bad += !(fabsf(x[i]) <= FLT_MAX);
            } else memcpy(to + at, from + at, (size_t)(end - begin) * size);
        }
    }
    return (double)bad;
}

bool mn_fields_keep(mn_pool *pool, const mn_field_table *t, const void *base, int64_t count, void *to)
{
    keep_job job = { t, base, to };
    return mn_parallel_sum(pool, count, keep_block, &job) == 0.0;
}

size_t mn_fields_bytes(const mn_field_table *t, int64_t count)
{
    size_t bytes = 0;
    for (int f = 0; f < t->count; f++)
        bytes += (size_t)mn_field_saved(&t->fields[f]) * mn_type_size(t->fields[f].type) * (size_t)count;
    return bytes;
}

void mn_fields_copy_out(const mn_field_table *t, const void *base, int64_t count, void *to)
{
    char *at = to;
    for (int f = 0; f < t->count && count > 0; f++)
        for (int k = 0; k < mn_field_saved(&t->fields[f]); k++) {
            const size_t bytes = (size_t)count * mn_type_size(t->fields[f].type);
            memcpy(at, array_of(&t->fields[f], base, k), bytes);
            at += bytes;
        }
}

void mn_fields_copy_in(const mn_field_table *t, void *base, int64_t count, const void *from)
{
    const char *at = from;
    for (int f = 0; f < t->count && count > 0; f++)
        for (int k = 0; k < mn_field_saved(&t->fields[f]); k++) {
            const size_t bytes = (size_t)count * mn_type_size(t->fields[f].type);
            memcpy(array_of(&t->fields[f], base, k), at, bytes);
            at += bytes;
        }
}

uint64_t mn_fields_hash(const mn_field_table *t, const void *base, int64_t count, uint64_t hash)
{
    for (int f = 0; f < t->count; f++)
        for (int k = 0; k < mn_field_saved(&t->fields[f]); k++)
            hash = mn_hash_bytes(hash, array_of(&t->fields[f], base, k),
                                 (size_t)count * mn_type_size(t->fields[f].type));
    return hash;
}

// A double is not finite exactly when its exponent bits are all set; x - x is then NaN. Summing x * 0 over a block
// is branch-free and vectorises: the sum is 0 if and only if every value is finite.
static double zero_if_finite(int64_t begin, int64_t end, void *context)
{
    const double *restrict x = context;
    double sum               = 0.0;
    for (int64_t i = begin; i < end; i++) sum += x[i] * 0.0;
    return isnan(sum) ? 1.0 : 0.0;
}

static double zero_if_finite_float(int64_t begin, int64_t end, void *context)
{
    const float *restrict x = context;
    float sum               = 0.0f;
    for (int64_t i = begin; i < end; i++) sum += x[i] * 0.0f;
    return isnan(sum) ? 1.0 : 0.0;
}

bool mn_fields_find_not_finite(mn_pool *pool, const mn_field_table *t, const void *base, int64_t count,
                               const mn_field **field, int *component, int64_t *item)
{
    for (int f = 0; f < t->count; f++) {
        const mn_field *at = &t->fields[f];
        if (at->type != MN_TYPE_double && at->type != MN_TYPE_float) continue;
        const bool wide = at->type == MN_TYPE_double;
        for (int k = 0; k < mn_field_saved(at); k++) {
            void *array = array_of(at, base, k);
            if (mn_parallel_max(pool, count, wide ? zero_if_finite : zero_if_finite_float, array) == 0.0) continue;
            for (int64_t i = 0; i < count; i++) {
                if (isfinite(wide ? ((double *)array)[i] : (double)((float *)array)[i])) continue;
                *field = at, *component = k, *item = i;
                return true;
            }
        }
    }
    return false;
}
