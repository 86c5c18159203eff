// SPDX-License-Identifier: MPL-2.0
// base/pool.h - a small thread pool with blocking waits, and loops whose result does not depend on its size.
#ifndef MN_BASE_POOL_H
#define MN_BASE_POOL_H

#include "base/context.h"

#define MN_POOL_MAX_WORKERS 256

/// Items per block of a plain loop over particles or cells. Part of the results: sums are made per block.
#define MN_BLOCK 4096

mn_status mn_pool_create(mn_context *context, int workers, mn_pool **out);
void      mn_pool_destroy(mn_pool **pool);
int       mn_pool_workers(const mn_pool *pool);
/// Seconds of wall clock that loops took which had work for more than one worker, whether there was one or not.
double mn_pool_shared_seconds(const mn_pool *pool);

/// Whether the context of the pool was asked to end: solvers look between two iterations.
bool mn_pool_interrupted(const mn_pool *pool);

/// Work on [begin, end). `worker` in [0, workers) may pick scratch memory, never results.
typedef void mn_range_fn(int64_t begin, int64_t end, int worker, void *context);

/// Call `fn` for [0,block), [block,2 block) ... up to n, each once, on any worker, and wait for all.
/// Not reentrant: a range function must not start another loop.
void mn_parallel_for(mn_pool *pool, int64_t n, int64_t block, mn_range_fn *fn, void *context);

/// What becomes of the parts of a reduction, one for each block or tile: their compensated sum in their order, or the
/// largest (0 of none; NaN if one is). Every reduction ends here, so that where matter is spread over ranks theirs are
/// joined in one place.
typedef enum mn_reduction { MN_REDUCE_SUM, MN_REDUCE_MAX } mn_reduction;
double mn_reduce_parts(mn_reduction how, const double *part, int64_t count);

/// Sum and maximum of a range, made block by block and joined in block order: same bits for any number of workers.
/// Blocks hold MN_BLOCK items; sums across blocks are compensated.
typedef double mn_reduce_fn(int64_t begin, int64_t end, void *context);
double         mn_parallel_sum(mn_pool *pool, int64_t n, mn_reduce_fn *fn, void *context);
double         mn_parallel_max(mn_pool *pool, int64_t n, mn_reduce_fn *fn, void *context);  ///< 0 when n is 0

#endif
