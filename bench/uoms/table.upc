/* table.upc: every benchmark of the suite, in the order in which they run. */
#include "data.h"
#include "families.h"
#include "libraries.h"

const char uoms_command[] = "uoms";
const char uoms_title[] = "UOMS, the UPC operations microbenchmarking suite";

static size_t one_block(size_t bytes, int threads)
{
    (void)threads;
    return uoms_plus(uoms_room(bytes), uoms_room(16));
}

static size_t two_blocks(size_t bytes, int threads)
{
    (void)threads;
    return uoms_times(2, uoms_room(bytes));
}

/* Two blocks in shared memory, two in private memory */
static size_t four_blocks(size_t bytes, int threads)
{
    (void)threads;
    return uoms_times(4, uoms_room(bytes));
}

#define LOOP(name, operation, flags, kind)                                                                             \
    {name, operation, "loop", UOMS_SIZED | UOMS_BATCHED | (flags), UOMS_TIMES_THREADS, sizeof(int), NULL, one_block,   \
     loop_setup, loop_prepare, NULL, loop_run, loop_check, data_give, kind}
#define BARRIER_ROW(name, operation, kind)                                                                             \
    {name, operation, "barrier", UOMS_BATCHED | UOMS_FEW_CALLS, UOMS_NO_BANDWIDTH, 1, NULL, NULL, barrier_setup, NULL, \
     NULL, barrier_run, NULL, NULL, kind}
#define COLLECTIVE(operation, flags, factor, bytes, kind)                                                              \
    {"upc_all_" operation, operation, "collective", UOMS_SIZED | UOMS_SYNC_MODES | (flags), factor, 1, NULL, bytes,    \
     collective_setup, collective_prepare, collective_clear, collective_run, collective_check, collective_teardown,    \
     kind}
#define REDUCTION(name, operation, flags, unit, memory, param, missing)                                                \
    {name, operation, "reduction", UOMS_SIZED | UOMS_SYNC_MODES | UOMS_REDUCES | (flags), UOMS_NO_BANDWIDTH, unit,     \
     missing, memory, reduce_setup, reduce_prepare, reduce_clear, reduce_run, reduce_check, data_give, param}
#define REDUCE(X, T, flags)                                                                                            \
    REDUCTION("upc_all_reduce" #X, "reduce_" #X, UOMS_ROOTED | (flags), sizeof(T), one_block, TYPE_##X | REDUCE_ONE,   \
              NULL)
#define PREFIX(X, T, flags)                                                                                            \
    REDUCTION("upc_all_prefix_reduce" #X, "prefix_reduce_" #X, flags, sizeof(T), two_blocks, TYPE_##X | REDUCE_PREFIX, \
              NULL)
#define ALL_TYPES(R)                                                                                                   \
    R(C, signed char, UOMS_INTEGERS), R(UC, unsigned char, UOMS_INTEGERS), R(S, short, UOMS_INTEGERS),                 \
        R(US, unsigned short, UOMS_INTEGERS), R(I, int, UOMS_INTEGERS), R(UI, unsigned int, UOMS_INTEGERS),            \
        R(L, long, UOMS_INTEGERS), R(UL, unsigned long, UOMS_INTEGERS), R(F, float, 0), R(D, double, 0),               \
        R(LD, long double, 0)
#define COPY(name, operation, flags, param, missing)                                                                   \
    {name, operation, "copy", UOMS_SIZED | UOMS_BATCHED | UOMS_ALONE | (flags), UOMS_TIMES_ONE, 1, missing,            \
     four_blocks, copy_setup, copy_prepare, copy_clear, copy_run, copy_check, copy_teardown, param}
/* The six rows of a way to start a copy: get, put, copy, from thread to thread and within thread 0 */
#define COPIES(suffix, way, missing)                                                                                   \
    COPY("upc_memget" suffix, "get" suffix, UOMS_PAIR, COPY_GET | way, missing),                                       \
        COPY("upc_memput" suffix, "put" suffix, UOMS_PAIR, COPY_PUT | way, missing),                                   \
        COPY("upc_memcpy" suffix, "copy" suffix, UOMS_PAIR, COPY_COPY | way, missing),                                 \
        COPY("local_upc_memget" suffix, "local_get" suffix, 0, COPY_GET | COPY_LOCAL | way, missing),                  \
        COPY("local_upc_memput" suffix, "local_put" suffix, 0, COPY_PUT | COPY_LOCAL | way, missing),                  \
        COPY("local_upc_memcpy" suffix, "local_copy" suffix, 0, COPY_COPY | COPY_LOCAL | way, missing)
#define ALLOC(name, flags, kind, missing)                                                                              \
    {name, name, "allocation", UOMS_SIZED | UOMS_BATCHED | UOMS_FEW_CALLS | (flags), UOMS_NO_BANDWIDTH, 1, missing,    \
     one_block, NULL, NULL, NULL, alloc_run, NULL, NULL, kind}
#define LOCK(name, flags, kind)                                                                                        \
    {name, name, "lock", UOMS_BATCHED | (flags), UOMS_NO_BANDWIDTH, 1, NULL, NULL, lock_setup, lock_prepare, NULL,     \
     lock_run, lock_check, lock_teardown, kind}
#define ATOMIC(name, flags, kind)                                                                                      \
    {"upc_atomic_" name, "atomic_" name, "atomic", UOMS_BATCHED | (flags), UOMS_NO_BANDWIDTH, 1, ATOMIC_MISSING, NULL, \
     atomic_setup, atomic_prepare, NULL, atomic_run, atomic_check, atomic_teardown, ATOMIC_##kind}
#define ACCESS(name, flags, kind, missing)                                                                             \
    {name, name, "access", UOMS_BATCHED | UOMS_ALONE | (flags), UOMS_NO_BANDWIDTH, 1, missing, NULL, access_setup,     \
     access_prepare, NULL, access_run, access_check, data_give, kind}

const struct uoms_bench uoms_benches[] = {
    LOOP("upc_forall_read", "forall_read", 0, LOOP_READ),
    LOOP("upc_forall_write", "forall_write", 0, LOOP_WRITE),
    LOOP("upc_forall_readwrite", "forall_readwrite", 0, LOOP_READWRITE),
    LOOP("for_read", "for_read", UOMS_ALONE, LOOP_READ | LOOP_ALONE),
    LOOP("for_write", "for_write", UOMS_ALONE, LOOP_WRITE | LOOP_ALONE),
    LOOP("for_readwrite", "for_readwrite", UOMS_ALONE, LOOP_READWRITE | LOOP_ALONE),

    BARRIER_ROW("upc_barrier", "barrier", BARRIER),
    BARRIER_ROW("upc_notify_wait", "split_barrier", BARRIER_SPLIT),
    BARRIER_ROW("upc_notify_wait_overlap", "split_barrier_overlap", BARRIER_OVERLAP),

    COLLECTIVE("broadcast", UOMS_ROOTED, UOMS_TIMES_THREADS, collective_bytes_1_1, BROADCAST),
    COLLECTIVE("scatter", UOMS_ROOTED, UOMS_TIMES_THREADS, collective_bytes_n_1, SCATTER),
    COLLECTIVE("gather", UOMS_ROOTED, UOMS_TIMES_THREADS, collective_bytes_n_1, GATHER),
    COLLECTIVE("gather_all", 0, UOMS_TIMES_SQUARE, collective_bytes_n_1, GATHER_ALL),
    COLLECTIVE("exchange", 0, UOMS_TIMES_SQUARE, collective_bytes_n_n, EXCHANGE),
    COLLECTIVE("permute", 0, UOMS_TIMES_THREADS, collective_bytes_1_1, PERMUTE),

    ALL_TYPES(REDUCE),
    ALL_TYPES(PREFIX),
    REDUCTION("bupc_all_reduce_allI", "reduce_all_I", UOMS_INTEGERS, sizeof(int), one_block, TYPE_I | REDUCE_ALL,
              REDUCE_ALL_MISSING),
    REDUCTION("bupc_all_reduce_allD", "reduce_all_D", 0, sizeof(double), one_block, TYPE_D | REDUCE_ALL,
              REDUCE_ALL_MISSING),

    COPIES("", 0, NULL),
    COPY("memcpy", "memcpy", 0, COPY_MEMCPY, NULL),
    COPY("memmove", "memmove", 0, COPY_MEMMOVE, NULL),
    {"memcpy_all", "memcpy_all", "copy", UOMS_SIZED | UOMS_BATCHED, UOMS_TIMES_THREADS, 1, NULL, four_blocks,
     copy_setup, copy_prepare, copy_clear, copy_run, copy_check, copy_teardown, COPY_MEMCPY_ALL},
    COPIES("_nb", COPY_NB, NB_MISSING),
    COPIES("_nbi", COPY_NBI, NB_MISSING),
    COPIES("_async", COPY_ASYNC, ASYNC_MISSING),
    COPIES("_asynci", COPY_ASYNCI, ASYNC_MISSING),

    ALLOC("upc_all_alloc", 0, ALLOC_ALL, NULL),
    ALLOC("upc_global_alloc", UOMS_ALONE, ALLOC_GLOBAL, NULL),
    ALLOC("upc_alloc", UOMS_ALONE, ALLOC_OWN, NULL),
    ALLOC("upc_free", UOMS_ALONE, ALLOC_FREE, NULL),
    ALLOC("upc_all_free", 0, ALLOC_ALL_FREE, ALL_FREE_MISSING),

    LOCK("upc_lock", UOMS_ALONE, LOCK_ALONE),
    LOCK("upc_lock_attempt", UOMS_ALONE, LOCK_ATTEMPT),
    LOCK("upc_lock_contended", 0, LOCK_CONTENDED),

    ATOMIC("get", UOMS_ALONE | UOMS_PAIR, GET),
    ATOMIC("set", UOMS_ALONE | UOMS_PAIR, SET),
    ATOMIC("cswap", UOMS_ALONE | UOMS_PAIR, CSWAP),
    ATOMIC("add", UOMS_ALONE | UOMS_PAIR, ADD),
    ATOMIC("sub", UOMS_ALONE | UOMS_PAIR, SUB),
    ATOMIC("mult", UOMS_ALONE | UOMS_PAIR, MULT),
    ATOMIC("min", UOMS_ALONE | UOMS_PAIR, MIN),
    ATOMIC("max", UOMS_ALONE | UOMS_PAIR, MAX),
    ATOMIC("inc", UOMS_ALONE | UOMS_PAIR, INC),
    ATOMIC("dec", UOMS_ALONE | UOMS_PAIR, DEC),
    ATOMIC("and", UOMS_ALONE | UOMS_PAIR, AND),
    ATOMIC("or", UOMS_ALONE | UOMS_PAIR, OR),
    ATOMIC("xor", UOMS_ALONE | UOMS_PAIR, XOR),
    ATOMIC("strict_add", UOMS_ALONE | UOMS_PAIR, STRICT_ADD),
    ATOMIC("contended_add", 0, CONTENDED_ADD),

    ACCESS("relaxed_read", UOMS_PAIR, ACCESS_READ, NULL),
    ACCESS("relaxed_write", UOMS_PAIR, ACCESS_WRITE, NULL),
    ACCESS("strict_read", UOMS_PAIR, ACCESS_STRICT_READ, NULL),
    ACCESS("strict_write", UOMS_PAIR, ACCESS_STRICT_WRITE, NULL),
    ACCESS("local_relaxed_read", 0, ACCESS_READ | ACCESS_LOCAL, NULL),
    ACCESS("local_relaxed_write", 0, ACCESS_WRITE | ACCESS_LOCAL, NULL),
    ACCESS("local_strict_read", 0, ACCESS_STRICT_READ | ACCESS_LOCAL, NULL),
    ACCESS("local_strict_write", 0, ACCESS_STRICT_WRITE | ACCESS_LOCAL, NULL),
    {"upc_ticks_now", "clock", "access", UOMS_BATCHED | UOMS_ALONE, UOMS_NO_BANDWIDTH, 1, TICKS_MISSING, NULL,
     access_setup, NULL, NULL, access_run, NULL, data_give, ACCESS_TICKS},
    {NULL, NULL, NULL, 0, UOMS_NO_BANDWIDTH, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0},
};
