/* shmem.c: OpenSHMEM's operations, and the table of all of them.  Collectives are those of version 1.4, over all
 * processes. */
#include "block.h"
#include "harness/options.h"
#include "harness/port.h"

#include <shmem.h>
#include <string.h>

const char uoms_command[] = "uoms-shmem";
const char uoms_title[] = "UOMS over OpenSHMEM";

/* Work arrays of collectives.  There is a barrier between any two uses of one: the harness has one between
 * iterations. */
static long *sync_array;
static double *work_array;
static double *folded;

static size_t largest(size_t a, size_t b)
{
    return a > b ? a : b;
}

static int take_work(size_t reduced)
{
    size_t count = largest(largest(SHMEM_BCAST_SYNC_SIZE, SHMEM_COLLECT_SYNC_SIZE),
                           largest(SHMEM_ALLTOALL_SYNC_SIZE, SHMEM_REDUCE_SYNC_SIZE));
    sync_array = shmem_malloc(count * sizeof *sync_array);
    work_array = shmem_malloc(largest(reduced / 2 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE) * sizeof *work_array);
    folded = shmem_malloc(2 * sizeof *folded);
    if (sync_array == NULL || work_array == NULL || folded == NULL)
        return 1;
    for (size_t i = 0; i < count; i++)
        sync_array[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    return 0;
}

static void give_work(void)
{
    shmem_barrier_all();
    shmem_free(folded);
    shmem_free(work_array);
    shmem_free(sync_array);
}

static void barrier_run(struct uoms_run *run, long count)
{
    (void)run;
    for (long i = 0; i < count; i++)
        shmem_barrier_all();
}

/* ---- Collectives that move data ---- */

static int collective_setup(struct uoms_run *run)
{
    return block_setup(run) || take_work(0);
}

static void collective_teardown(struct uoms_run *run)
{
    give_work();
    block_teardown(run);
}

static void collective_run(struct uoms_run *run, long count)
{
    size_t words = run->bytes / 8;
    int all = run->threads;
    for (long i = 0; i < count; i++) {
        switch (run->bench->param) {
        case BLOCK_BROADCAST:
            /* The root's own block is not written. */
            if (run->thread == run->root)
                memcpy(block_destination, block_source, run->bytes);
            shmem_broadcast64(block_destination, block_source, words, run->root, 0, 0, all, sync_array);
            break;
        case BLOCK_GATHER_ALL: shmem_fcollect64(block_destination, block_source, words, 0, 0, all, sync_array); break;
        default: shmem_alltoall64(block_destination, block_source, words, 0, 0, all, sync_array);
        }
    }
}

/* ---- Reductions of double: a fold and one element, as in UPC, and elementwise ---- */

enum { FOLD, ELEMENTWISE };

static double element(int thread, size_t i, unsigned seed)
{
    unsigned mixed = ((unsigned)i * 2654435761u) ^ ((unsigned)thread * 97u) ^ (seed * 40503u);
    mixed ^= mixed >> 15;
    return (double)(mixed % 7u) - 3;
}

static int reduce_setup(struct uoms_run *run)
{
    return block_take(run, run->bytes, run->bytes) || take_work(run->bytes / sizeof(double));
}

static void reduce_prepare(struct uoms_run *run)
{
    double *values = (double *)(void *)block_source;
    for (size_t i = 0; i < run->bytes / sizeof(double); i++)
        values[i] = element(run->thread, i, run->seed);
}

static void reduce_clear(struct uoms_run *run)
{
    uoms_poison(block_destination, run->bytes + UOMS_GUARD);
}

static void reduce_run(struct uoms_run *run, long count)
{
    double *source = (double *)(void *)block_source;
    double *destination = (double *)(void *)block_destination;
    size_t elements = run->bytes / sizeof(double);
    for (long i = 0; i < count; i++) {
        if (run->bench->param == FOLD) {
            double sum = 0;
            for (size_t k = 0; k < elements; k++)
                sum += source[k];
            *folded = sum;
            shmem_double_sum_to_all(destination, folded, 1, 0, 0, run->threads, work_array, sync_array);
        } else {
            shmem_double_sum_to_all(destination, source, (int)elements, 0, 0, run->threads, work_array, sync_array);
        }
    }
}

static size_t reduce_check(struct uoms_run *run)
{
    const double *found = (const double *)(const void *)block_destination;
    size_t elements = run->bytes / sizeof(double);
    double total = 0;
    size_t wrong = 0;
    for (size_t i = 0; i < elements; i++) {
        double sum = 0;
        for (int t = 0; t < run->threads; t++)
            sum += element(t, i, run->seed);
        total += sum;
        wrong += run->bench->param == ELEMENTWISE && found[i] != sum ? sizeof(double) : 0;
    }
    if (run->bench->param == FOLD)
        wrong = found[0] != total ? sizeof(double) : 0;
    return wrong > 0 ? wrong : uoms_compare_guard(run, block_destination + run->bytes, run->bytes);
}

static void reduce_teardown(struct uoms_run *run)
{
    give_work();
    block_teardown(run);
}

/* ---- One-sided, between process 0 and the last ---- */

static void copy_run(struct uoms_run *run, long count)
{
    int last = run->threads - 1;
    for (long i = 0; i < count; i++) {
        if (run->bench->param == BLOCK_GET) {
            shmem_getmem(block_destination, block_source, run->bytes, last);
        } else {
            shmem_putmem(block_destination, block_source, run->bytes, last);
            shmem_quiet();
        }
    }
}

enum { ATOMIC_GET, ATOMIC_SET, ATOMIC_ADD, ATOMIC_CSWAP };
enum { BEFORE = 12, OPERAND = 5 };
static long *target;
static long fetched;

static int atomic_setup(struct uoms_run *run)
{
    (void)run;
    target = shmem_malloc(sizeof *target);
    return target == NULL;
}

static void atomic_prepare(struct uoms_run *run)
{
    (void)run;
    *target = BEFORE;
    fetched = -1;
}

static void atomic_run(struct uoms_run *run, long count)
{
    int last = run->threads - 1;
    for (long i = 0; i < count; i++) {
        switch (run->bench->param) {
        case ATOMIC_GET: fetched = shmem_long_atomic_fetch(target, last); break;
        case ATOMIC_SET: fetched = shmem_long_atomic_swap(target, OPERAND, last); break;
        case ATOMIC_ADD: fetched = shmem_long_atomic_fetch_add(target, OPERAND, last); break;
        default: fetched = shmem_long_atomic_compare_swap(target, BEFORE, OPERAND, last);
        }
    }
}

static size_t atomic_check(struct uoms_run *run)
{
    static const long after[] = {BEFORE, OPERAND, BEFORE + OPERAND, OPERAND};
    if (run->thread == 0 && fetched != BEFORE)
        return sizeof(long);
    if (run->thread != run->threads - 1)
        return 0;
    return *target == after[run->bench->param] ? 0 : sizeof(long);
}

static void atomic_teardown(struct uoms_run *run)
{
    (void)run;
    shmem_barrier_all();
    shmem_free(target);
}

static size_t reduce_bytes(size_t bytes, int threads)
{
    return uoms_plus(block_bytes_one(bytes, threads), bytes / 2 + 4096);
}

/* clang-format off */
#define COLLECTIVE(name, operation, flags, factor, bytes, kind)                                                        \
    {                                                                                                                  \
        name, operation, "collective", UOMS_SIZED | (flags), factor, 8, NULL, bytes, collective_setup, block_prepare,  \
            block_clear, collective_run, block_check, collective_teardown, kind                                        \
    }
#define REDUCTION(name, operation, kind)                                                                               \
    {                                                                                                                  \
        name, operation, "reduction", UOMS_SIZED, UOMS_NO_BANDWIDTH, 8, NULL, reduce_bytes, reduce_setup,              \
            reduce_prepare, reduce_clear, reduce_run, reduce_check, reduce_teardown, kind                              \
    }
#define COPY(name, operation, kind)                                                                                    \
    {                                                                                                                  \
        name, operation, "copy", UOMS_SIZED | UOMS_BATCHED | UOMS_ALONE | UOMS_PAIR, UOMS_TIMES_ONE, 1, NULL,          \
            block_bytes_one, block_setup, block_prepare, block_clear, copy_run, block_check, block_teardown, kind      \
    }
#define ATOMIC(name, operation, kind)                                                                                  \
    {                                                                                                                  \
        name, operation, "atomic", UOMS_BATCHED | UOMS_ALONE | UOMS_PAIR, UOMS_NO_BANDWIDTH, 1, NULL, NULL,            \
            atomic_setup, atomic_prepare, NULL, atomic_run, atomic_check, atomic_teardown, kind                        \
    }
/* clang-format on */

const struct uoms_bench uoms_benches[] = {
    {"shmem_barrier_all", "barrier", "barrier", UOMS_BATCHED | UOMS_FEW_CALLS, UOMS_NO_BANDWIDTH, 1, NULL, NULL, NULL,
     NULL, NULL, barrier_run, NULL, NULL, 0},
    COLLECTIVE("shmem_broadcast64", "broadcast", UOMS_ROOTED, UOMS_TIMES_THREADS, block_bytes_one, BLOCK_BROADCAST),
    COLLECTIVE("shmem_fcollect64", "gather_all", 0, UOMS_TIMES_SQUARE, block_bytes, BLOCK_GATHER_ALL),
    COLLECTIVE("shmem_alltoall64", "exchange", 0, UOMS_TIMES_SQUARE, block_bytes, BLOCK_EXCHANGE),
    REDUCTION("fold_shmem_double_sum_to_all", "reduce_all_D", FOLD),
    REDUCTION("shmem_double_sum_to_all", "elementwise_reduce_all_D", ELEMENTWISE),
    COPY("shmem_getmem", "get", BLOCK_GET),
    COPY("shmem_putmem", "put", BLOCK_PUT),
    ATOMIC("shmem_long_atomic_fetch", "atomic_get", ATOMIC_GET),
    ATOMIC("shmem_long_atomic_swap", "atomic_set", ATOMIC_SET),
    ATOMIC("shmem_long_atomic_fetch_add", "atomic_add", ATOMIC_ADD),
    ATOMIC("shmem_long_atomic_compare_swap", "atomic_cswap", ATOMIC_CSWAP),
    {NULL, NULL, NULL, 0, UOMS_NO_BANDWIDTH, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0},
};
