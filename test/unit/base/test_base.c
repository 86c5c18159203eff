// SPDX-License-Identifier: MPL-2.0
// Context, memory, arena, pool, fields, hash, random numbers.
#include "testing.h"

#include "base/arena.h"
#include "base/fields.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/random.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static void every_status_has_a_sentence(void **state)
{
    (void)state;
    for (int s = 0; s < MN_STATUS_COUNT; s++) assert_true(strlen(mn_status_text((mn_status)s)) > 0);
    assert_string_equal(mn_status_text((mn_status)999), "unknown status");
}

static void blocks_are_aligned_zeroed_and_counted(void **state)
{
    (void)state;
    mn_context           *c      = test_context(1);
    const mn_memory_count before = mn_context_memory(c);
    for (size_t bytes = 0; bytes < 300; bytes += 37) {
        unsigned char *b = mn_alloc(c, bytes);
        assert_int_equal((uintptr_t)b % 64, 0);
        for (size_t k = 0; k < bytes; k++) assert_int_equal(b[k], 0);
        memset(b, 0xff, bytes);
        b = mn_resize(c, b, bytes + 100);
        for (size_t k = 0; k < bytes; k++) assert_int_equal(b[k], 0xff);
        for (size_t k = bytes; k < bytes + 100; k++) assert_int_equal(b[k], 0);
        mn_free(c, b);
    }
    assert_int_equal(mn_context_memory(c).bytes_now, before.bytes_now);
    assert_int_equal(mn_context_memory(c).blocks_now, before.blocks_now);
    assert_null(mn_alloc(c, SIZE_MAX - 8));
    assert_non_null(strstr(mn_context_error(c), "memory could not be obtained"));
    test_context_end(&c);
}

static void *ask_too_much(void *context) { return mn_alloc(context, SIZE_MAX - 8); }

static void *ask_too_much_as_helper(void *context)
{
    mn_helper self;
    mn_context_begin_helper(context, &self);
    void *block = mn_alloc(context, SIZE_MAX - 8);
    mn_context_end_helper(context, &self);
    return block;
}

static void a_context_may_move_to_another_thread_of_the_caller(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    pthread_t   thread;
    void       *block = c;
    assert_int_equal(pthread_create(&thread, NULL, ask_too_much_as_helper, c), 0);
    assert_int_equal(pthread_join(thread, &block), 0);
    assert_null(block);
    assert_string_equal(mn_context_error(c), "");  // that is its owner's affair
    assert_int_equal(pthread_create(&thread, NULL, ask_too_much, c), 0);
    assert_int_equal(pthread_join(thread, &block), 0);
    assert_null(block);
    assert_non_null(strstr(mn_context_error(c), "memory could not be obtained"));
    test_context_end(&c);
}

static void refuse_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)begin, (void)end;
    if (worker > 0) assert_null(mn_alloc(context, SIZE_MAX - 8));
}

static void the_workers_of_the_pool_leave_the_error_alone(void **state)
{
    (void)state;
    mn_context *c = test_context(4);
    for (int round = 0; round < 50; round++) mn_parallel_for(mn_context_pool(c), 64, 1, refuse_block, c);
    assert_string_equal(mn_context_error(c), "");
    test_context_end(&c);
}

static void mask_block(int64_t begin, int64_t end, int worker, void *context)
{
    (void)begin, (void)end;
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    if (worker > 0 && !sigismember(&mask, SIGINT)) *(_Atomic bool *)context = true;
}

static void signals_are_left_to_the_caller(void **state)
{
    (void)state;
    mn_context  *c     = test_context(4);
    _Atomic bool taken = false;
    for (int round = 0; round < 50; round++) mn_parallel_for(mn_context_pool(c), 64, 1, mask_block, &taken);
    assert_false(taken);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    assert_false(sigismember(&mask, SIGINT));
    test_context_end(&c);
}

static mn_context *to_interrupt;
static void        on_signal(int signal_number)
{
    (void)signal_number;
    mn_context_interrupt(to_interrupt, true);
}

static void an_interrupt_comes_from_a_signal_and_holds_until_taken_back(void **state)
{
    (void)state;
    to_interrupt = test_context(2);
    assert_int_equal(mn_check_interrupt(to_interrupt, "nothing"), MN_OK);
    void (*const before)(int) = signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    signal(SIGUSR1, before);
    for (int k = 0; k < 2; k++) {
        assert_true(mn_context_interrupted(to_interrupt));
        assert_true(mn_pool_interrupted(mn_context_pool(to_interrupt)));
        assert_int_equal(mn_check_interrupt(to_interrupt, "the work"), MN_ERR_INTERRUPTED);
        assert_string_equal(mn_context_error(to_interrupt), "the work was interrupted");
    }
    mn_mind_interrupts(to_interrupt, false);
    assert_false(mn_must_end(to_interrupt));
    assert_true(mn_context_interrupted(to_interrupt));
    mn_mind_interrupts(to_interrupt, true);
    assert_true(mn_must_end(to_interrupt));
    mn_context_interrupt(to_interrupt, false);
    assert_false(mn_must_end(to_interrupt));
    test_context_end(&to_interrupt);
}

static void an_arena_uses_what_is_lent_before_its_own(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_arena   *a = NULL;
    assert_int_equal(mn_arena_create(c, &a), MN_OK);
    char *lent = mn_alloc(c, 2048), *other = mn_alloc(c, 1024);
    assert_non_null(lent);
    assert_non_null(other);
    char *own = mn_arena_take(a, 100);
    mn_arena_lend(a, lent + 1, 2047);  // from the next multiple of 64 on
    mn_arena_lend(a, other, 512);
    mn_arena_lend(a, other + 512, 512);  // one block of 1024 with the one before
    const mn_arena_mark mark = mn_arena_begin(a);
    const size_t        high = mn_arena_high_water(a);
    assert_ptr_equal(mn_arena_take(a, 1000), lent + 64);
    assert_ptr_equal(mn_arena_take(a, 700), lent + 64 + 1024);
    assert_ptr_equal(mn_arena_take(a, 600), other);  // the first has no room for it
    char *large = mn_arena_take(a, 4096);            // too large for what is left
    assert_true((large + 4096 <= other || large >= other + 1024) && (large + 4096 <= lent || large >= lent + 2048));
    assert_ptr_equal(mn_arena_take(a, 200), lent + 64 + 1728);  // which others can still use, the first block first
    assert_ptr_equal(mn_arena_take(a, 200), other + 640);
    assert_true(mn_arena_high_water(a) == high + 4096);
    mn_arena_end(a, mark);
    assert_ptr_equal(mn_arena_take(a, 10), lent + 64);
    mn_arena_end(a, mark);
    mn_arena_take_back(a);
    assert_ptr_equal(mn_arena_take(a, 10), own + 128);
    mn_free(c, lent);
    mn_free(c, other);
    mn_arena_destroy(&a);
    test_context_end(&c);
}

static void a_settled_arena_calls_the_heap_no_more(void **state)
{
    (void)state;
    mn_context *c = test_context(1);
    mn_arena   *a = NULL;
    assert_int_equal(mn_arena_create(c, &a), MN_OK);
    int64_t calls = 0;
    for (int round = 0; round < 5; round++) {
        if (round == 2) calls = mn_context_memory(c).calls;
        for (int k = 0; k < 40; k++) {
            double *x = mn_arena_array(a, double, 1000 + 100 * k);
            assert_int_equal((uintptr_t)x % 64, 0);
            const mn_arena_mark mark = mn_arena_begin(a);
            assert_non_null(mn_arena_array_zero(a, float, 3000));
            mn_arena_end(a, mark);
        }
        assert_int_equal(mn_arena_reset(a), MN_OK);
    }
    assert_int_equal(mn_context_memory(c).calls, calls);
    mn_arena_destroy(&a);
    test_context_end(&c);
}

/// Released memory is the heap's again; the next reset takes it back in one block.
static void a_released_arena_holds_nothing_until_the_next_reset(void **state)
{
    (void)state;
    mn_context   *c      = test_context(1);
    mn_arena     *a      = NULL;
    const int64_t before = mn_context_memory(c).bytes_now;
    assert_int_equal(mn_arena_create(c, &a), MN_OK);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(mn_arena_reset(a), MN_OK);
        const int64_t calls = mn_context_memory(c).calls;
        for (int k = 0; k < 10; k++) assert_non_null(mn_arena_array_zero(a, double, 100000));
        if (round > 0) assert_int_equal(mn_context_memory(c).calls, calls);
        assert_true(mn_context_memory(c).bytes_now - before > 8000000);
        mn_arena_release(a);
        assert_true(mn_context_memory(c).bytes_now - before < 4096);
        assert_non_null(mn_arena_array_zero(a, double, 10));  // usable all the same
        mn_arena_release(a);
    }
    mn_arena_destroy(&a);
    test_context_end(&c);
}

typedef struct count_job {
    int *hits;
} count_job;

static void hit(int64_t begin, int64_t end, int worker, void *context)
{
    (void)worker;
    for (int64_t i = begin; i < end; i++) ((count_job *)context)->hits[i]++;
}

static void a_parallel_loop_visits_everything_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 8; threads++) {
        mn_context   *c       = test_context(threads);
        const int64_t sizes[] = { 0, 1, 7, 64, 1000, 65537 };
        for (int s = 0; s < 6; s++) {
            count_job job = { calloc((size_t)sizes[s] + 1, sizeof(int)) };
            mn_parallel_for(mn_context_pool(c), sizes[s], 64, hit, &job);
            for (int64_t i = 0; i < sizes[s]; i++) assert_int_equal(job.hits[i], 1);
            free(job.hits);
        }
        test_context_end(&c);
    }
}

static double noise_sum(int64_t begin, int64_t end, void *context)
{
    (void)context;
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += mn_random(1, (uint64_t)i, 0, 0) - 0.5;
    return sum;
}

static void sums_have_the_same_bits_for_any_number_of_workers(void **state)
{
    (void)state;
    double first = 0.0;
    for (int threads = 1; threads <= 8; threads++) {
        mn_context  *c = test_context(threads);
        const double s = mn_parallel_sum(mn_context_pool(c), 1000003, noise_sum, NULL);
        if (threads == 1) first = s;
        assert_memory_equal(&s, &first, sizeof s);
        assert_less(fabs(s), 5.0 * sqrt(1000003.0 / 12.0));  // five standard deviations
        test_context_end(&c);
    }
}

static void random_numbers_are_even_and_independent(void **state)
{
    (void)state;
    enum { N = 200000, BINS = 16 };
    int    bins[BINS] = { 0 };
    double product    = 0.0;
    for (uint64_t i = 0; i < N; i++) {
        const double r = mn_random(7, i, 3, 0), q = mn_random(7, i, 4, 0);
        assert_true(r >= 0.0 && r < 1.0);
        bins[(int)(r * BINS)]++;
        product += (r - 0.5) * (q - 0.5);
    }
    for (int b = 0; b < BINS; b++) assert_near(bins[b], (double)N / BINS, 5.0 * sqrt((double)N / BINS));
    assert_less(fabs(product / N) * 12.0, 5.0 / sqrt(N));  // correlation between steps
}

#define POINT_FIELDS(X)                                   \
    X(double, 3, place, "cm", MN_FIELD_SAVED, "position") \
    X(int64_t, 1, id, "-", MN_FIELD_SAVED, "number")      \
    X(float, 2, shade, "1", MN_FIELD_SAVED, "colour")     \
    X(double, 1, work, "1", MN_FIELD_REBUILT, "room of a step")

typedef struct points {
#define X(type, n, name, unit, flags, help) type *name[n];
    POINT_FIELDS(X)
#undef X
    int64_t capacity;
} points;

static const mn_field point_fields[] = {
#define X(type, n, name, unit, flags, help) MN_FIELD(points, type, n, name, unit, flags, help),
    POINT_FIELDS(X)
#undef X
};
static const mn_field_table point_table = { "points", point_fields, 4 };

static void one_table_allocates_gathers_hashes_and_finds_nan(void **state)
{
    (void)state;
    mn_context *c = test_context(2);
    mn_pool    *p = mn_context_pool(c);
    points      a = { .capacity = 0 }, b = { .capacity = 0 };
    enum { N = 10000 };
    assert_int_equal(mn_fields_reserve(c, &point_table, &a, 0, &a.capacity, N), MN_OK);
    assert_int_equal(mn_fields_reserve(c, &point_table, &b, 0, &b.capacity, N), MN_OK);
    static int32_t source[N];
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++) a.place[k][i] = i + 0.1 * k;
        a.id[0][i]    = i;
        a.shade[1][i] = (float)i;
        source[i]     = (i * 37) % N;
    }
    mn_fields_gather(p, &point_table, &b, &a, source, N);
    for (int i = 0; i < N; i++) {
        assert_int_equal(b.id[0][i], source[i]);
        assert_true(b.place[2][i] == source[i] + 0.1 * 2 && b.shade[1][i] == (float)source[i]);
    }
    const uint64_t hash = mn_fields_hash(&point_table, &a, N, MN_HASH_SEED);
    assert_true(hash != mn_fields_hash(&point_table, &b, N, MN_HASH_SEED));
    const mn_field *field;
    int             component;
    int64_t         item;
    assert_false(mn_fields_find_not_finite(p, &point_table, &a, N, &field, &component, &item));
    a.place[1][7777] = NAN;
    assert_true(mn_fields_find_not_finite(p, &point_table, &a, N, &field, &component, &item));
    assert_string_equal(field->name, "place");
    assert_int_equal(component, 1);
    assert_int_equal(item, 7777);
    a.place[1][7777]          = 0.0;
    const uint64_t with_zeros = mn_fields_hash(&point_table, &a, N, MN_HASH_SEED);
    a.work[0][7777]           = NAN;  // what is made anew in each step is no part of the state
    assert_false(mn_fields_find_not_finite(p, &point_table, &a, N, &field, &component, &item));
    assert_true(with_zeros == mn_fields_hash(&point_table, &a, N, MN_HASH_SEED));
    assert_int_equal(mn_fields_reserve(c, &point_table, &a, N, &a.capacity, 2 * N), MN_OK);
    assert_int_equal(a.id[0][N - 1], N - 1);
    mn_fields_free(c, &point_table, &a);
    mn_fields_free(c, &point_table, &b);
    test_context_end(&c);
}

static void a_hash_changes_with_every_bit(void **state)
{
    (void)state;
    unsigned char  bytes[100] = { 0 };
    const uint64_t zero       = mn_hash_bytes(MN_HASH_SEED, bytes, sizeof bytes);
    for (int bit = 0; bit < 800; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        assert_true(mn_hash_bytes(MN_HASH_SEED, bytes, sizeof bytes) != zero);
        bytes[bit / 8] = 0;
    }
    assert_true(mn_hash_bytes(MN_HASH_SEED, bytes, 99) != zero);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_sentence),
        cmocka_unit_test(blocks_are_aligned_zeroed_and_counted),
        cmocka_unit_test(a_context_may_move_to_another_thread_of_the_caller),
        cmocka_unit_test(the_workers_of_the_pool_leave_the_error_alone),
        cmocka_unit_test(signals_are_left_to_the_caller),
        cmocka_unit_test(a_settled_arena_calls_the_heap_no_more),
        cmocka_unit_test(a_released_arena_holds_nothing_until_the_next_reset),
        cmocka_unit_test(an_arena_uses_what_is_lent_before_its_own),
        cmocka_unit_test(an_interrupt_comes_from_a_signal_and_holds_until_taken_back),
        cmocka_unit_test(a_parallel_loop_visits_everything_once),
        cmocka_unit_test(sums_have_the_same_bits_for_any_number_of_workers),
        cmocka_unit_test(random_numbers_are_even_and_independent),
        cmocka_unit_test(one_table_allocates_gathers_hashes_and_finds_nan),
        cmocka_unit_test(a_hash_changes_with_every_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
