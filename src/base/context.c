// SPDX-License-Identifier: MPL-2.0
// base/context.c - statuses, error text, log, and the life of a context.
#include "base/context.h"

#include "base/context_private.h"
#include "base/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

const char *mn_status_text(mn_status status)
{
    static const char *const texts[] = {
#define X(name, text) [name] = text,
        MN_STATUS_LIST(X)
#undef X
    };
    return (unsigned)status < MN_STATUS_COUNT ? texts[status] : "unknown status";
}

#ifndef MN_VERSION_STRING
#error "the build defines MN_VERSION_STRING"
#endif

const char *mn_version(void) { return MN_VERSION_STRING; }

/// Blocks from this size on go back to the system at once.
#define LARGE_BLOCK ((size_t)4 << 20)

static void *c_library_resize(void *block, size_t bytes, void *user)
{
    (void)user;
    if (bytes == 0) {
#ifdef __GLIBC__
        // The C library keeps blocks of up to 32 MB for itself once one such was given back. Our largest blocks come
        // and go as a scene grows: what is not asked for again would stay resident.
        const bool large = block != NULL && malloc_usable_size(block) >= LARGE_BLOCK;
        free(block);
        if (large) malloc_trim(0);
#else
        free(block);
#endif
        return NULL;
    }
    return realloc(block, bytes);
}

mn_context_def mn_context_def_default(void) { return (mn_context_def){ .threads = 0, .resize = c_library_resize }; }

static int core_count(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores > MN_POOL_MAX_WORKERS ? MN_POOL_MAX_WORKERS : (int)cores;
}

mn_status mn_context_create(const mn_context_def *def, mn_context **out)
{
    *out                   = NULL;
    mn_context_def settled = *def;
    if (settled.resize == NULL) settled.resize = c_library_resize;
    if (settled.threads < 0 || settled.threads > MN_POOL_MAX_WORKERS) return MN_ERR_ARGUMENT;
    if (settled.threads == 0) settled.threads = core_count();

    mn_context *c = settled.resize(NULL, sizeof *c, settled.resize_user);
    if (c == NULL) return MN_ERR_MEMORY;
    memset(c, 0, sizeof *c);
    c->def     = settled;
    c->minding = 1;
    pthread_mutex_init(&c->log_lock, NULL);
    pthread_mutex_init(&c->helper_lock, NULL);
    const mn_status status = mn_pool_create(c, settled.threads, &c->pool);
    if (status != MN_OK) {
        mn_context_destroy(&c);
        return status;
    }
    *out = c;
    return MN_OK;
}

void mn_context_destroy(mn_context **context)
{
    mn_context *c = *context;
    if (c == NULL) return;
    mn_pool_destroy(&c->pool);
    pthread_mutex_destroy(&c->log_lock);
    pthread_mutex_destroy(&c->helper_lock);
    c->def.resize(c, 0, c->def.resize_user);
    *context = NULL;
}

const char *mn_context_error(const mn_context *c) { return c->error; }

#if ATOMIC_INT_LOCK_FREE != 2
#error "mn_context_interrupt is called from signal handlers: atomic integers must be free of locks"
#endif

void mn_context_interrupt(mn_context *c, bool on) { atomic_store_explicit(&c->interrupt, on, memory_order_relaxed); }

bool mn_context_interrupted(const mn_context *c)
{
    return atomic_load_explicit(&c->interrupt, memory_order_relaxed) != 0;
}

int64_t mn_context_world_steps(const mn_context *c) { return c->world_steps; }
void    mn_context_count_world_step(mn_context *c) { c->world_steps++; }

bool mn_must_end(const mn_context *c) { return c->minding && mn_context_interrupted(c); }

void mn_mind_interrupts(mn_context *c, bool on) { c->minding = on; }

mn_status mn_check_interrupt(mn_context *c, const char *what)
{
    return mn_must_end(c) ? mn_fail(c, MN_ERR_INTERRUPTED, "%s was interrupted", what) : MN_OK;
}

int mn_context_threads(const mn_context *c) { return c->def.threads; }

mn_pool *mn_context_pool(const mn_context *c) { return c->pool; }

mn_memory_count mn_context_memory(const mn_context *c)
{
    return (mn_memory_count){ .bytes_now  = atomic_load(&c->memory.bytes_now),
                              .bytes_peak = atomic_load(&c->memory.bytes_peak),
                              .blocks_now = atomic_load(&c->memory.blocks_now),
                              .calls      = atomic_load(&c->memory.calls) };
}

void mn_context_begin_helper(mn_context *c, mn_helper *self)
{
    self->thread = pthread_self();
    pthread_mutex_lock(&c->helper_lock);
    self->next = c->helpers;
    c->helpers = self;
    pthread_mutex_unlock(&c->helper_lock);
}

void mn_context_end_helper(mn_context *c, mn_helper *self)
{
    pthread_mutex_lock(&c->helper_lock);
    mn_helper **at = &c->helpers;
    while (*at != self) at = &(*at)->next;
    *at = self->next;
    pthread_mutex_unlock(&c->helper_lock);
}

static bool on_helper_thread(mn_context *c)
{
    bool found = false;
    pthread_mutex_lock(&c->helper_lock);
    for (const mn_helper *h = c->helpers; h != NULL && !found; h = h->next)
        found = pthread_equal(h->thread, pthread_self());
    pthread_mutex_unlock(&c->helper_lock);
    return found;
}

mn_status mn_fail(mn_context *c, mn_status status, const char *format, ...)
{
    MN_ASSERT(status != MN_OK);
    // A helper's trouble (a writer's) reaches the caller through the helper's owner, not through this text.
    if (on_helper_thread(c)) return status;
    va_list arguments;
    va_start(arguments, format);
    char text[MN_ERROR_BYTES];  // the arguments may point into c->error
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(c->error, text, sizeof text);
    return status;
}

mn_status mn_fail_memory(mn_context *c, size_t bytes)
{
    return mn_fail(c, MN_ERR_MEMORY, "memory could not be obtained (%zu bytes asked for, %lld in use)", bytes,
                   (long long)atomic_load(&c->memory.bytes_now));
}

void mn_clear_error(mn_context *c) { c->error[0] = '\0'; }

void mn_log(mn_context *c, mn_log_level level, const char *event, const char *format, ...)
{
    char    text[MN_ERROR_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&c->log_lock);
    if (c->def.log != NULL) c->def.log(level, event, text, c->def.log_user);
    for (int k = 0; k < MN_LOG_SINKS; k++)
        if (c->sinks[k].fn != NULL) c->sinks[k].fn(level, event, text, c->sinks[k].user);
    pthread_mutex_unlock(&c->log_lock);
}

static mn_status replace_sink(mn_context *c, mn_log_sink old, mn_log_sink fresh)
{
    mn_status status = MN_ERR_STATE;
    pthread_mutex_lock(&c->log_lock);
    for (int k = 0; k < MN_LOG_SINKS && status != MN_OK; k++) {
        if (c->sinks[k].fn != old.fn || c->sinks[k].user != old.user) continue;
        c->sinks[k] = fresh;
        status      = MN_OK;
    }
    pthread_mutex_unlock(&c->log_lock);
    return status;
}

mn_status mn_context_add_sink(mn_context *c, mn_log_fn *sink, void *user)
{
    const mn_status status = replace_sink(c, (mn_log_sink){ NULL, NULL }, (mn_log_sink){ sink, user });
    return status == MN_OK ? MN_OK
                           : mn_fail(c, status, "a context can log to %d places, and all are taken", MN_LOG_SINKS);
}

void mn_context_remove_sink(mn_context *c, mn_log_fn *sink, void *user)
{
    (void)replace_sink(c, (mn_log_sink){ sink, user }, (mn_log_sink){ NULL, NULL });
}
