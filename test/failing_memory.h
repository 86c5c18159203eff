// SPDX-License-Identifier: MPL-2.0
// test/failing_memory.h - memory that refuses requests, and the loop that lets every request of a piece of work fail.
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include "testing.h"

#include <stdatomic.h>
#include <stdlib.h>

/// Requests may come from several threads.
typedef struct failing_memory {
    atomic_llong left;     ///< requests that are still granted; INT64_MAX: as many as one likes
    atomic_llong held;     ///< blocks given out and not yet back
    atomic_llong refused;  ///< requests, since the attempt began
    bool         once;     ///< only one request is refused, and those behind it are granted again
    bool         keeps;    ///< room that an attempt made may stay with what it was made for, for the next one
} failing_memory;

#define PLENTY_OF_MEMORY ((failing_memory){ .left = INT64_MAX })

static inline void *failing_resize(void *block, size_t bytes, void *user)
{
    failing_memory *m = user;
    if (bytes == 0) {
        if (block != NULL) atomic_fetch_sub(&m->held, 1);
        free(block);
        return NULL;
    }
    const long long left = atomic_fetch_sub(&m->left, 1);
    if (m->once ? left == 0 : left <= 0) {
        atomic_fetch_add(&m->refused, 1);
        return NULL;
    }
    void *grown = realloc(block, bytes);
    if (block == NULL && grown != NULL) atomic_fetch_add(&m->held, 1);
    return grown;
}

static inline mn_status failing_context_create(failing_memory *m, int threads, mn_context **out)
{
    mn_context_def def = mn_context_def_default();
    def.threads        = threads;
    def.resize         = failing_resize;
    def.resize_user    = m;
    return mn_context_create(&def, out);
}

/// A context of one thread whose memory is `m`, of which there must be plenty yet.
static inline mn_context *failing_context(failing_memory *m)
{
    mn_context *c = NULL;
    assert_int_equal(failing_context_create(m, 1, &c), MN_OK);
    return c;
}

/// For the parts of an attempt that are not on trial.
static inline void grant_all(failing_memory *m) { atomic_store(&m->left, INT64_MAX); }

/// What is put on trial: it comes to MN_OK or MN_ERR_MEMORY and gives back what it took. Begins with `m->left`
/// requests.
typedef mn_status attempt_fn(failing_memory *m, void *user);

/// Attempts with 0, 1, 2 … requests granted (or next(…), if it is given) until none was refused, which must succeed;
/// all before it must end in MN_ERR_MEMORY. Every attempt leaves as many blocks as it found. Returns how many failed.
static inline int64_t survives_every_failing_allocation(failing_memory *m, attempt_fn *attempt, void *user,
                                                        int64_t (*next)(int64_t granted, const void *user))
{
    const long long held   = atomic_load(&m->held);
    int64_t         failed = 0;
    for (int64_t granted = 0;; granted = next != NULL ? next(granted, user) : granted + 1) {
        atomic_store(&m->refused, 0);
        atomic_store(&m->left, granted);
        const mn_status status = attempt(m, user);
        grant_all(m);
        const bool refused = atomic_load(&m->refused) > 0;
        if (status != (refused ? MN_ERR_MEMORY : MN_OK))
            fail_msg("with %lld requests granted: %s", (long long)granted, mn_status_text(status));
        if (atomic_load(&m->held) != held && !m->keeps)
            fail_msg("with %lld requests granted, %lld blocks are left", (long long)granted,
                     (long long)atomic_load(&m->held) - held);
        if (!refused) return failed;
        failed++;
        assert_true(granted < 100000);
    }
}

#endif
