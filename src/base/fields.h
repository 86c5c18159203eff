// SPDX-License-Identifier: MPL-2.0
// base/fields.h - one table per kind of matter drives allocation, sorting, checkpoints, hashes, NaN checks and docs.
//
// A kind of matter lists its per-item fields once, as an X-macro, and gets from it both the struct and the table:
//
//     #define MN_LIQUID_FIELDS(X)
//         X(double, 3, position, "cm", MN_FIELD_SAVED | MN_FIELD_HALOED, "where the particle is") ... one line each
//
// Every field is stored as `type *name[components]`, one array per component. A fields block has one count and one
// capacity for all its arrays.
#ifndef MN_BASE_FIELDS_H
#define MN_BASE_FIELDS_H

#include "base/memory.h"
#include "base/pool.h"

typedef enum mn_type { MN_TYPE_double, MN_TYPE_float, MN_TYPE_int32_t, MN_TYPE_int64_t } mn_type;

size_t mn_type_size(mn_type type);

/// What is done with a field besides giving it room and sorting it.
enum {
    MN_FIELD_SAVED  = 1,  ///< part of the state: in checkpoints and hashes, looked at by the audit, taken back
    MN_FIELD_HALOED = 2,  ///< read from the neighbourhood of an item: where matter is spread over ranks they exchange
                          ///< it
    MN_FIELD_REBUILT = 4  ///< made anew in each step before it is read: neither saved nor exchanged nor looked at
};

typedef struct mn_field {
    const char *name, *unit, *help;
    mn_type     type;
    int         components;
    size_t      offset;  ///< of the first pointer inside the struct
    unsigned    flags;
} mn_field;

/// Components that are part of the state: all or none.
static inline int mn_field_saved(const mn_field *f) { return f->flags & MN_FIELD_SAVED ? f->components : 0; }

/// A row of a table of fields from one of the X-macro.
// clang-format off
#define MN_FIELD(owner, type, n, name, unit, flags, help) { #name, unit, help, MN_TYPE_##type, n, offsetof(owner, name), flags }
// clang-format on

typedef struct mn_field_table {
    const char     *name;  ///< of the kind of matter, as in a checkpoint: "liquid"
    const mn_field *fields;
    int             count;
} mn_field_table;

/// Address of the array of one component, inside the struct `base`.
void **mn_field_array(const mn_field *field, void *base, int component);

/// Make room for `capacity` items in every array (contents kept up to `count`; without any the old arrays go first).
/// The components of a field are one block, each aligned to 64 bytes. A failure leaves every array valid.
mn_status mn_fields_reserve(mn_context *c, const mn_field_table *t, void *base, int64_t count, int64_t *capacity,
                            int64_t wanted);
void      mn_fields_free(mn_context *c, const mn_field_table *t, void *base);
/// Give one field `to` components instead of `from` (0: it has no arrays); new ones are zero. `count` items are kept of
/// room for `capacity`. For fields of which a struct has as many as its owner needs. Fewer never fail; a failure leaves
/// the arrays as they were.
mn_status mn_field_set_components(mn_context *c, const mn_field *field, void *base, int from, int to, int64_t count,
                                  int64_t capacity);
/// to[i] = from[source[i]] for i in [0, count). The two structs must not share arrays.
void mn_fields_gather(mn_pool *pool, const mn_field_table *t, void *to, const void *from, const int32_t *source,
                      int64_t count);
/// Move item `from` to place `to` inside one struct.
void mn_fields_copy_item(const mn_field_table *t, void *base, int64_t to, int64_t from);
/// Of what is saved.
uint64_t mn_fields_hash(const mn_field_table *t, const void *base, int64_t count, uint64_t hash);
/// Bytes of what is saved; copying it out, one array behind the other, and back in.
size_t mn_fields_bytes(const mn_field_table *t, int64_t count);
void   mn_fields_copy_out(const mn_field_table *t, const void *base, int64_t count, void *to);
/// mn_fields_copy_out into a struct of its own, with room for all of it; whether all numbers are finite.
bool mn_fields_keep(mn_pool *pool, const mn_field_table *t, const void *base, int64_t count, void *to);
void mn_fields_copy_in(const mn_field_table *t, void *base, int64_t count, const void *from);
/// The first value of what is saved that is not finite: its field, component and item; false if all are.
bool mn_fields_find_not_finite(mn_pool *pool, const mn_field_table *t, const void *base, int64_t count,
                               const mn_field **field, int *component, int64_t *item);

#endif
