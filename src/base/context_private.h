// SPDX-License-Identifier: MPL-2.0
// base/context_private.h - the inside of a context; for base/ only.
#ifndef MN_BASE_CONTEXT_PRIVATE_H
#define MN_BASE_CONTEXT_PRIVATE_H

#include "base/context.h"

#include <pthread.h>
#include <stdatomic.h>

#define MN_ERROR_BYTES 4096
#define MN_LOG_SINKS   8

typedef struct mn_log_sink {
    mn_log_fn *fn;
    void      *user;
} mn_log_sink;

struct mn_context {
    mn_context_def  def;
    mn_pool        *pool;
    pthread_mutex_t log_lock;             // one event at a time, also from a writer thread
    mn_log_sink     sinks[MN_LOG_SINKS];  // guarded by log_lock
    pthread_mutex_t helper_lock;
    mn_helper      *helpers;  // guarded by helper_lock: the library's own threads
    char            error[MN_ERROR_BYTES];
    _Atomic int     interrupt;  // not 0: who waits for the library has asked it to end; set by signal handlers, too
    int             minding;    // 0: nobody looks at that for now
    int64_t         world_steps;
    struct {
        _Atomic int64_t bytes_now, bytes_peak, blocks_now, calls;
    } memory;
};

#endif
