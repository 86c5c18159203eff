// SPDX-License-Identifier: MPL-2.0
// base/context.h - what hangs off a context: errors, log, memory, threads.
#ifndef MN_BASE_CONTEXT_H
#define MN_BASE_CONTEXT_H

#include "meniscus/base.h"

#include <assert.h>
#include <pthread.h>

#define MN_PI 3.14159265358979323846

#ifdef NDEBUG
#define MN_ASSERT(condition) ((void)0)
#else
#define MN_ASSERT(condition) assert(condition)
#endif

#define MN_TRY(call)                          \
    do {                                      \
        const mn_status mn_try_ = (call);     \
        if (mn_try_ != MN_OK) return mn_try_; \
    } while (0)

#if defined(__GNUC__)
#define MN_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define MN_PRINTF(f, a)
#endif

struct mn_pool;
typedef struct mn_pool mn_pool;

/// The pool of the context, for mn_parallel_for.
mn_pool *mn_context_pool(const mn_context *context);

/// Remember a sentence for the caller and return `status`: `return mn_fail(ctx, MN_ERR_FILE, "...", ...)`.
mn_status mn_fail(mn_context *context, mn_status status, const char *format, ...) MN_PRINTF(3, 4);
mn_status mn_fail_memory(mn_context *context, size_t bytes);

/// Whether the context was asked to end (mn_context_interrupt). What takes long looks between its rounds; the loops of
/// the pool do not, so that what follows them can rely on what they made.
bool mn_must_end(const mn_context *context);
/// MN_ERR_INTERRUPTED with a sentence about `what`, if so.
mn_status mn_check_interrupt(mn_context *context, const char *what);
/// Between false and true nobody looks: for work that cannot be begun anew. Between two loops of the pool only.
void mn_mind_interrupts(mn_context *context, bool on);

/// Steps that worlds of this context have made; a world counts each one it accepts.
int64_t mn_context_world_steps(const mn_context *context);
void    mn_context_count_world_step(mn_context *context);

/// A thread that the library started itself. The caller may use a context from any of its threads, one at a time; what
/// fails on a helper must not touch the text of the caller. A helper is on the stack of its thread, from begin to end.
typedef struct mn_helper {
    pthread_t         thread;
    struct mn_helper *next;
} mn_helper;
void mn_context_begin_helper(mn_context *context, mn_helper *self);
void mn_context_end_helper(mn_context *context, mn_helper *self);

/// Forget the last error.
void mn_clear_error(mn_context *context);
/// Send an event to the log callback and to every sink.
void mn_log(mn_context *context, mn_log_level level, const char *event, const char *format, ...) MN_PRINTF(4, 5);

/// Further receivers of every event, besides the callback of the definition (an output folder's log file).
/// MN_ERR_STATE when all places are taken.
mn_status mn_context_add_sink(mn_context *context, mn_log_fn *sink, void *user);
void      mn_context_remove_sink(mn_context *context, mn_log_fn *sink, void *user);

#endif
