// SPDX-License-Identifier: MPL-2.0
// meniscus/base.h - statuses, the context, and the conventions of the whole library.
//
// Units are CGS everywhere: cm, g, s, dyn, poise. Angles are radians.
// The library never prints, never exits and has no globals: everything hangs off an mn_context.
// A function that can fail returns mn_status; mn_context_error() then holds a sentence that names
// the object, the value and what is accepted. Arguments come as object, inputs, outputs.
// One context serves one thread of the caller at a time; different contexts are independent.
#ifndef MENISCUS_BASE_H
#define MENISCUS_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(MN_SHARED) && defined(__GNUC__)
#define MN_API __attribute__((visibility("default")))
#else
#define MN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MN_STATUS_LIST(X)                                             \
    X(MN_OK, "success")                                               \
    X(MN_ERR_ARGUMENT, "an argument is outside its documented range") \
    X(MN_ERR_SCENE, "the scene is not valid")                         \
    X(MN_ERR_MEMORY, "memory could not be obtained")                  \
    X(MN_ERR_FILE, "a file could not be read or written")             \
    X(MN_ERR_NOT_FINITE, "a field holds infinity or NaN")             \
    X(MN_ERR_SOLVE, "no acceptable step length was found")            \
    X(MN_ERR_STATE, "the call is not allowed in this state")          \
    X(MN_ERR_INTERRUPTED, "the run was interrupted")

typedef enum mn_status {
#define X(name, text) name,
    MN_STATUS_LIST(X)
#undef X
    // clang-format off
    MN_STATUS_COUNT
    // clang-format on
} mn_status;

/// One sentence for a status, for example "memory could not be obtained". Never NULL.
MN_API const char *mn_status_text(mn_status status);

/// Version of the library as "major.minor.patch".
MN_API const char *mn_version(void);

typedef enum mn_log_level { MN_LOG_DEBUG, MN_LOG_INFO, MN_LOG_WARNING, MN_LOG_ERROR } mn_log_level;

/// Receives every event of the library. `event` is a short fixed word ("step_rejected"), `text` a sentence.
/// Called on the caller's thread, or on the writer thread of an output folder, never on two at once. It must not call
/// the library with the same context.
typedef void mn_log_fn(mn_log_level level, const char *event, const char *text, void *user);

/// Replaceable allocator. `resize` behaves as realloc; a NULL block allocates, zero bytes frees.
/// Blocks must be aligned to 16 bytes at least.
typedef void *mn_resize_fn(void *block, size_t bytes, void *user);

typedef struct mn_context_def {
    int           threads;  ///< workers including the caller, >= 1; 0 means one per core. Results do not depend on it.
    mn_log_fn    *log;      ///< may be NULL
    void         *log_user;
    mn_resize_fn *resize;  ///< NULL: the C library's
    void         *resize_user;
} mn_context_def;

MN_API mn_context_def mn_context_def_default(void);

typedef struct mn_context mn_context;

/// Make a context with its thread pool. On failure *out is NULL.
MN_API mn_status mn_context_create(const mn_context_def *def, mn_context **out);
/// Destroy a context and leave NULL. Everything made with it must be gone before. Accepts NULL.
MN_API void mn_context_destroy(mn_context **context);
/// Text of the last failure, "" if none. Borrowed until the next failure.
MN_API const char *mn_context_error(const mn_context *context);
MN_API int         mn_context_threads(const mn_context *context);

/// Ask whoever works for this context to end: what takes long then returns MN_ERR_INTERRUPTED, mostly within a fraction
/// of a second, and leaves what it worked on as it was before (a world: the state after its last whole step). May be
/// called from any thread, and from a signal handler, at any time in the life of the context. It holds until it is
/// taken back with false, which is for the time between two calls of the library. What saves a state does not mind it.
MN_API void mn_context_interrupt(mn_context *context, bool on);
MN_API bool mn_context_interrupted(const mn_context *context);

typedef struct mn_memory_count {
    int64_t bytes_now, bytes_peak;  ///< obtained from the allocator and not yet given back
    int64_t blocks_now;             ///< blocks not yet freed
    int64_t calls;                  ///< allocations and resizes since the context was made
} mn_memory_count;

MN_API mn_memory_count mn_context_memory(const mn_context *context);

#ifdef __cplusplus
}
#endif
#endif
