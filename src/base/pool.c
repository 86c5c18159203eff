// SPDX-License-Identifier: MPL-2.0
// base/pool.c - the thread pool.
//
// Loops follow each other within microseconds, and waking a sleeper costs more than many a loop: so whoever waits looks
// out for a short while first, and then sleeps on a condition variable. A team that only spins was measured 30 times
// slower on a loaded machine (design 5); the look-out is bounded, and left out when there are more workers than cores.
// Inside a loop blocks are dealt by an atomic counter, so a slow worker takes fewer of them. The caller is worker 0.
#include "base/pool.h"

#include "base/memory.h"
#include "base/sum.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/// Rounds of looking out: some 20 microseconds.
#define LOOK_OUT 500

typedef struct worker_seat {
    mn_pool *pool;
    int      index;
} worker_seat;

struct mn_pool {
    mn_context      *context;
    int              workers, started;
    pthread_t       *threads;
    worker_seat     *seats;
    pthread_mutex_t  lock;
    pthread_cond_t   work_ready, work_done;
    int              look_out;    // rounds of looking before sleep
    int              sleepers;    // workers asleep; under the lock
    _Atomic uint64_t generation;  // counts loops; a worker runs each generation once
    _Atomic int      busy;        // workers still inside the current loop
    _Atomic bool     quit;
    // the current loop
    mn_range_fn    *fn;
    void           *fn_context;
    int64_t         n, block;
    _Atomic int64_t next_block;
    double          shared_seconds;  // in loops of more than one block
    // partial results of a reduction, one per block
    double *partial;
    int64_t partial_capacity;
};

static void run_blocks(mn_pool *p, int worker)
{
    for (;;) {
        const int64_t begin = atomic_fetch_add_explicit(&p->next_block, 1, memory_order_relaxed) * p->block;
        if (begin >= p->n) return;
        const int64_t end = begin + p->block < p->n ? begin + p->block : p->n;
        p->fn(begin, end, worker, p->fn_context);
    }
}

/// A breath between two looks, kind to the other half of the core.
static inline void breathe(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/// Wait until there is a loop after `seen`, or the end.
static void await_loop(mn_pool *p, uint64_t seen)
{
    for (int k = 0; k < p->look_out; k++) {
        if (atomic_load_explicit(&p->generation, memory_order_acquire) != seen ||
            atomic_load_explicit(&p->quit, memory_order_relaxed))
            return;
        breathe();
    }
    pthread_mutex_lock(&p->lock);
    p->sleepers++;
    while (!atomic_load(&p->quit) && atomic_load(&p->generation) == seen) pthread_cond_wait(&p->work_ready, &p->lock);
    p->sleepers--;
    pthread_mutex_unlock(&p->lock);
}

/// Wait until every worker has left the loop.
static void await_workers(mn_pool *p)
{
    for (int k = 0; k < p->look_out; k++) {
        if (atomic_load_explicit(&p->busy, memory_order_acquire) == 0) return;
        breathe();
    }
    pthread_mutex_lock(&p->lock);
    while (atomic_load(&p->busy) > 0) pthread_cond_wait(&p->work_done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void *worker_main(void *argument)
{
    const worker_seat seat = *(worker_seat *)argument;
    mn_pool          *p    = seat.pool;
    uint64_t          seen = 0;
    mn_helper         self;
    mn_context_begin_helper(p->context, &self);
    for (;;) {
        await_loop(p, seen);
        if (atomic_load(&p->quit)) break;
        seen = atomic_load(&p->generation);
        run_blocks(p, seat.index);
        if (atomic_fetch_sub(&p->busy, 1) == 1) {
            pthread_mutex_lock(&p->lock);
            pthread_cond_signal(&p->work_done);
            pthread_mutex_unlock(&p->lock);
        }
    }
    mn_context_end_helper(p->context, &self);
    return NULL;
}

mn_status mn_pool_create(mn_context *c, int workers, mn_pool **out)
{
    *out       = NULL;
    mn_pool *p = mn_alloc(c, sizeof *p);
    if (p == NULL) return MN_ERR_MEMORY;
    p->context  = c;
    p->workers  = workers;
    p->look_out = workers <= sysconf(_SC_NPROCESSORS_ONLN) ? LOOK_OUT : 0;
    p->threads  = mn_alloc_array(c, pthread_t, workers);
    p->seats    = mn_alloc_array(c, worker_seat, workers);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work_ready, NULL);
    pthread_cond_init(&p->work_done, NULL);
    mn_status status = p->threads == NULL || p->seats == NULL ? MN_ERR_MEMORY : MN_OK;
    // Room for sums over four million items from the start: a context then holds the same blocks all its life.
    if (status == MN_OK) status = mn_array_reserve(c, &p->partial, &p->partial_capacity, 1024, sizeof(double));
    // The threads take no signals: those are the caller's.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int k = 1; status == MN_OK && k < workers; k++) {
        p->seats[k] = (worker_seat){ .pool = p, .index = k };
        if (pthread_create(&p->threads[k], NULL, worker_main, &p->seats[k]) != 0)
            status = mn_fail(c, MN_ERR_MEMORY, "thread %d of %d could not be started", k + 1, workers);
        else p->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status != MN_OK) mn_pool_destroy(&p);
    *out = p;
    return status;
}

void mn_pool_destroy(mn_pool **pool)
{
    mn_pool *p = *pool;
    if (p == NULL) return;
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->quit, true);
    pthread_cond_broadcast(&p->work_ready);
    pthread_mutex_unlock(&p->lock);
    for (int k = 1; k <= p->started; k++) pthread_join(p->threads[k], NULL);
    pthread_cond_destroy(&p->work_ready);
    pthread_cond_destroy(&p->work_done);
    pthread_mutex_destroy(&p->lock);
    mn_free(p->context, p->partial);
    mn_free(p->context, p->threads);
    mn_free(p->context, p->seats);
    mn_free(p->context, p);
    *pool = NULL;
}

int mn_pool_workers(const mn_pool *p) { return p->workers; }

bool mn_pool_interrupted(const mn_pool *p) { return mn_must_end(p->context); }

double mn_pool_shared_seconds(const mn_pool *p) { return p->shared_seconds; }

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_shared(mn_pool *p)
{
    const double begin = seconds_now();
    if (p->workers > 1) {
        atomic_store(&p->busy, p->workers - 1);
        pthread_mutex_lock(&p->lock);
        atomic_fetch_add(&p->generation, 1);
        if (p->sleepers > 0) pthread_cond_broadcast(&p->work_ready);
        pthread_mutex_unlock(&p->lock);
    }
    run_blocks(p, 0);
    if (p->workers > 1) await_workers(p);
    p->shared_seconds += seconds_now() - begin;
}

void mn_parallel_for(mn_pool *p, int64_t n, int64_t block, mn_range_fn *fn, void *context)
{
    MN_ASSERT(block > 0);
    if (n <= 0) return;
    p->fn         = fn;
    p->fn_context = context;
    p->n          = n;
    p->block      = block;
    atomic_store_explicit(&p->next_block, 0, memory_order_relaxed);
    if (n <= block) run_blocks(p, 0);  // nothing to share: do not wake anyone
    else run_shared(p);
}

typedef struct reduce_job {
    mn_reduce_fn *fn;
    void         *context;
    double       *partial;
} reduce_job;

static void reduce_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    const reduce_job *job          = context;
    job->partial[begin / MN_BLOCK] = job->fn(begin, end, job->context);
}

/// Fill p->partial; the number of blocks, or 0 when there is nothing to add.
static int64_t reduce_blocks(mn_pool *p, int64_t n, mn_reduce_fn *fn, void *context)
{
    const int64_t blocks = (n + MN_BLOCK - 1) / MN_BLOCK;
    // When memory is refused the caller sums block by block on its own: slower, same bits.
    if (mn_array_reserve(p->context, &p->partial, &p->partial_capacity, blocks, sizeof(double)) != MN_OK) return -1;
    reduce_job job = { fn, context, p->partial };
    mn_parallel_for(p, n, MN_BLOCK, reduce_block, &job);
    return blocks;
}

/// Parts of a reduction joined one after the other.
typedef struct joined {
    mn_reduction how;
    double       value, carry;
    bool         any;
} joined;

static void join(joined *j, double part)
{
    if (j->how == MN_REDUCE_SUM) mn_add_carry(&j->value, &j->carry, part);
    // A NaN must not vanish in a comparison: it is the answer.
    else if (!j->any || isnan(part) || part > j->value) j->value = isnan(j->value) ? j->value : part;
    j->any = true;
}

double mn_reduce_parts(mn_reduction how, const double *part, int64_t count)
{
    joined j = { .how = how };
    for (int64_t k = 0; k < count; k++) join(&j, part[k]);
    return j.value;
}

static double reduce(mn_pool *p, mn_reduction how, int64_t n, mn_reduce_fn *fn, void *context)
{
    const int64_t blocks = reduce_blocks(p, n, fn, context);
    if (blocks >= 0) return mn_reduce_parts(how, p->partial, blocks);
    joined j = { .how = how };
    for (int64_t at = 0; at < n; at += MN_BLOCK) join(&j, fn(at, at + MN_BLOCK < n ? at + MN_BLOCK : n, context));
    return j.value;
}

double mn_parallel_sum(mn_pool *p, int64_t n, mn_reduce_fn *fn, void *context)
{
    return reduce(p, MN_REDUCE_SUM, n, fn, context);
}

double mn_parallel_max(mn_pool *p, int64_t n, mn_reduce_fn *fn, void *context)
{
    return reduce(p, MN_REDUCE_MAX, n, fn, context);
}
