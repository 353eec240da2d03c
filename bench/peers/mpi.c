/* mpi.c: MPI's operations, and the table of all of them. */
#include "block.h"
#include "harness/options.h"
#include "harness/port.h"
#include "mpi_ops.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

const char uoms_command[] = "uoms-mpi";
const char uoms_title[] = "UOMS over MPI";

/* ---- Barriers and collectives ---- */

static void barrier_run(struct uoms_run *run, long count)
{
    for (long i = 0; i < count; i++) {
        if (run->bench->param == 0) {
            MPI_Barrier(MPI_COMM_WORLD);
        } else {
            MPI_Request request;
            MPI_Ibarrier(MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}

static void collective_run(struct uoms_run *run, long count)
{
    int bytes = (int)run->bytes;
    int is_root = run->thread == run->root;
    for (long i = 0; i < count; i++) {
        switch (run->bench->param) {
        case BLOCK_BROADCAST:
            /* UPC's broadcast does not change the source, and fills the root's block, too. */
            if (is_root)
                memcpy(block_destination, block_source, run->bytes);
            MPI_Bcast(block_destination, bytes, MPI_BYTE, run->root, MPI_COMM_WORLD);
            break;
        case BLOCK_SCATTER:
            MPI_Scatter(block_source, bytes, MPI_BYTE, block_destination, bytes, MPI_BYTE, run->root, MPI_COMM_WORLD);
            break;
        case BLOCK_GATHER:
            MPI_Gather(block_source, bytes, MPI_BYTE, block_destination, bytes, MPI_BYTE, run->root, MPI_COMM_WORLD);
            break;
        case BLOCK_GATHER_ALL:
            MPI_Allgather(block_source, bytes, MPI_BYTE, block_destination, bytes, MPI_BYTE, MPI_COMM_WORLD);
            break;
        case BLOCK_EXCHANGE:
            MPI_Alltoall(block_source, bytes, MPI_BYTE, block_destination, bytes, MPI_BYTE, MPI_COMM_WORLD);
            break;
        default:
            MPI_Sendrecv(block_source, bytes, MPI_BYTE, (run->thread + 1) % run->threads, 0, block_destination, bytes,
                         MPI_BYTE, (run->thread + run->threads - 1) % run->threads, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        }
    }
}

/* ---- The same with a count and a displacement for each process; all are equal, so that times are comparable ---- */

static int *counts, *places;

static int counts_setup(struct uoms_run *run)
{
    size_t size = (size_t)run->threads * sizeof *counts;
    counts = malloc(size);
    places = malloc(size);
    if (counts == NULL || places == NULL)
        return 1;
    counts[0] = -1;
    return block_setup(run);
}

/* Sizes change while memory stays. */
static void set_counts(const struct uoms_run *run)
{
    for (int t = 0; t < run->threads; t++) {
        counts[t] = (int)run->bytes;
        places[t] = t * (int)run->bytes;
    }
}

static void counts_teardown(struct uoms_run *run)
{
    block_teardown(run);
    free(counts);
    free(places);
}

static void counts_run(struct uoms_run *run, long count)
{
    int bytes = (int)run->bytes;
    if (counts[0] != bytes)
        set_counts(run);
    for (long i = 0; i < count; i++) {
        switch (run->bench->param) {
        case BLOCK_SCATTER:
            MPI_Scatterv(block_source, counts, places, MPI_BYTE, block_destination, bytes, MPI_BYTE, run->root,
                         MPI_COMM_WORLD);
            break;
        case BLOCK_GATHER:
            MPI_Gatherv(block_source, bytes, MPI_BYTE, block_destination, counts, places, MPI_BYTE, run->root,
                        MPI_COMM_WORLD);
            break;
        case BLOCK_GATHER_ALL:
            MPI_Allgatherv(block_source, bytes, MPI_BYTE, block_destination, counts, places, MPI_BYTE, MPI_COMM_WORLD);
            break;
        default:
            MPI_Alltoallv(block_source, counts, places, MPI_BYTE, block_destination, counts, places, MPI_BYTE,
                          MPI_COMM_WORLD);
        }
    }
}

/* ---- One-sided, between process 0 and the last ---- */

static MPI_Win source_window, destination_window;

/* The library can share only memory that it has allocated itself, so the blocks are the windows' own. */
static int rma_setup(struct uoms_run *run)
{
    size_t bytes = uoms_room(run->bytes > 0 ? run->bytes : sizeof(long));
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &block_source, &source_window);
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &block_destination, &destination_window);
    memset(block_source, 0, bytes);
    memset(block_destination, 0, bytes);
    MPI_Win_lock_all(0, source_window);
    MPI_Win_lock_all(0, destination_window);
    run->regions[0].data = block_source;
    run->regions[1].data = block_destination;
    run->regions[0].per_byte = run->regions[1].per_byte = 1;
    return 0;
}

static void rma_teardown(struct uoms_run *run)
{
    (void)run;
    MPI_Win_unlock_all(source_window);
    MPI_Win_unlock_all(destination_window);
    MPI_Win_free(&source_window);
    MPI_Win_free(&destination_window);
}

/* Makes data written outside of calls visible to them, and vice versa. */
static void rma_prepare(struct uoms_run *run)
{
    block_prepare(run);
    MPI_Win_sync(source_window);
}

static void rma_clear(struct uoms_run *run)
{
    block_clear(run);
    MPI_Win_sync(destination_window);
}

static size_t rma_check(struct uoms_run *run)
{
    MPI_Win_sync(destination_window);
    return block_check(run);
}

static void rma_run(struct uoms_run *run, long count)
{
    int bytes = (int)run->bytes;
    int last = run->threads - 1;
    for (long i = 0; i < count; i++) {
        if (run->bench->param == BLOCK_GET) {
            MPI_Get(block_destination, bytes, MPI_BYTE, last, 0, bytes, MPI_BYTE, source_window);
            MPI_Win_flush(last, source_window);
        } else {
            MPI_Put(block_source, bytes, MPI_BYTE, last, 0, bytes, MPI_BYTE, destination_window);
            MPI_Win_flush(last, destination_window);
        }
    }
}

enum { ATOMIC_GET, ATOMIC_SET, ATOMIC_ADD, ATOMIC_CSWAP };
enum { BEFORE = 12, OPERAND = 5 };
static long fetched;

static void atomic_prepare(struct uoms_run *run)
{
    (void)run;
    *(long *)(void *)block_source = BEFORE;
    fetched = -1;
    MPI_Win_sync(source_window);
}

static void atomic_run(struct uoms_run *run, long count)
{
    int last = run->threads - 1;
    const long operand = OPERAND;
    const long before = BEFORE;
    for (long i = 0; i < count; i++) {
        switch (run->bench->param) {
        case ATOMIC_GET: MPI_Fetch_and_op(NULL, &fetched, MPI_LONG, last, 0, MPI_NO_OP, source_window); break;
        case ATOMIC_SET: MPI_Fetch_and_op(&operand, &fetched, MPI_LONG, last, 0, MPI_REPLACE, source_window); break;
        case ATOMIC_ADD: MPI_Fetch_and_op(&operand, &fetched, MPI_LONG, last, 0, MPI_SUM, source_window); break;
        default: MPI_Compare_and_swap(&operand, &before, &fetched, MPI_LONG, last, 0, source_window);
        }
        MPI_Win_flush(last, source_window);
    }
}

static size_t atomic_check(struct uoms_run *run)
{
    static const long after[] = {BEFORE, OPERAND, BEFORE + OPERAND, OPERAND};
    long good = after[run->bench->param];
    MPI_Win_sync(source_window);
    if (run->thread == 0 && fetched != BEFORE)
        return sizeof(long);
    if (run->thread != run->threads - 1)
        return 0;
    return *(long *)(void *)block_source == good ? 0 : sizeof(long);
}

/* ---- Without the library ---- */

static void *(*volatile copy_memcpy)(void *, const void *, size_t) = memcpy;

static void memcpy_run(struct uoms_run *run, long count)
{
    for (long i = 0; i < count; i++)
        copy_memcpy(block_destination, block_source, run->bytes);
}

/* clang-format off */
#define COLLECTIVE(name, operation, flags, factor, bytes, kind)                                                        \
    {                                                                                                                  \
        name, operation, "collective", UOMS_SIZED | (flags), factor, 1, NULL, bytes, block_setup, block_prepare,       \
            block_clear, collective_run, block_check, block_teardown, kind                                             \
    }
#define WITH_COUNTS(name, operation, flags, factor, kind)                                                              \
    {                                                                                                                  \
        name, operation, "collective", UOMS_SIZED | (flags), factor, 1, NULL, block_bytes, counts_setup,               \
            block_prepare, block_clear, counts_run, block_check, counts_teardown, kind                                 \
    }
#define RMA(name, operation, kind)                                                                                     \
    {                                                                                                                  \
        name, operation, "copy", UOMS_SIZED | UOMS_BATCHED | UOMS_ALONE | UOMS_PAIR, UOMS_TIMES_ONE, 1, NULL,          \
            block_bytes_one, rma_setup, rma_prepare, rma_clear, rma_run, rma_check, rma_teardown, kind                 \
    }
#define ATOMIC(name, operation, kind)                                                                                  \
    {                                                                                                                  \
        name, operation, "atomic", UOMS_BATCHED | UOMS_ALONE | UOMS_PAIR, UOMS_NO_BANDWIDTH, 1, NULL, NULL, rma_setup, \
            atomic_prepare, NULL, atomic_run, atomic_check, rma_teardown, kind                                         \
    }
#define REDUCTION(name, operation, T, flags, kind)                                                                     \
    {                                                                                                                  \
        name, operation, "reduction", UOMS_SIZED | UOMS_REDUCES | (flags), UOMS_NO_BANDWIDTH, sizeof(T), NULL,         \
            block_bytes_one, reduce_setup, reduce_prepare, reduce_clear, reduce_run, reduce_check, block_teardown,     \
            kind                                                                                                       \
    }
/* clang-format on */
#define REDUCTIONS(X, T, flags)                                                                                        \
    REDUCTION("fold_MPI_Reduce_" #X, "reduce_" #X, T, UOMS_ROOTED | (flags), TYPE_##X | FOLD_REDUCE),                  \
        REDUCTION("fold_MPI_Exscan_" #X, "prefix_reduce_" #X, T, flags, TYPE_##X | FOLD_PREFIX),                       \
        REDUCTION("fold_MPI_Allreduce_" #X, "reduce_all_" #X, T, flags, TYPE_##X | FOLD_ALL),                          \
        REDUCTION("MPI_Reduce_" #X, "elementwise_reduce_" #X, T, UOMS_ROOTED | (flags),                                \
                  TYPE_##X | ELEMENTWISE_REDUCE),                                                                      \
        REDUCTION("MPI_Allreduce_" #X, "elementwise_reduce_all_" #X, T, flags, TYPE_##X | ELEMENTWISE_ALL),            \
        REDUCTION("MPI_Scan_" #X, "elementwise_prefix_reduce_" #X, T, flags, TYPE_##X | ELEMENTWISE_SCAN)

const struct uoms_bench uoms_benches[] = {
    {"MPI_Barrier", "barrier", "barrier", UOMS_BATCHED | UOMS_FEW_CALLS, UOMS_NO_BANDWIDTH, 1, NULL, NULL, NULL, NULL,
     NULL, barrier_run, NULL, NULL, 0},
    {"MPI_Ibarrier", "split_barrier", "barrier", UOMS_BATCHED | UOMS_FEW_CALLS, UOMS_NO_BANDWIDTH, 1, NULL, NULL, NULL,
     NULL, NULL, barrier_run, NULL, NULL, 1},
    COLLECTIVE("MPI_Bcast", "broadcast", UOMS_ROOTED, UOMS_TIMES_THREADS, block_bytes_one, BLOCK_BROADCAST),
    COLLECTIVE("MPI_Scatter", "scatter", UOMS_ROOTED, UOMS_TIMES_THREADS, block_bytes, BLOCK_SCATTER),
    COLLECTIVE("MPI_Gather", "gather", UOMS_ROOTED, UOMS_TIMES_THREADS, block_bytes, BLOCK_GATHER),
    COLLECTIVE("MPI_Allgather", "gather_all", 0, UOMS_TIMES_SQUARE, block_bytes, BLOCK_GATHER_ALL),
    COLLECTIVE("MPI_Alltoall", "exchange", 0, UOMS_TIMES_SQUARE, block_bytes, BLOCK_EXCHANGE),
    WITH_COUNTS("MPI_Scatterv", "scatter_v", UOMS_ROOTED, UOMS_TIMES_THREADS, BLOCK_SCATTER),
    WITH_COUNTS("MPI_Gatherv", "gather_v", UOMS_ROOTED, UOMS_TIMES_THREADS, BLOCK_GATHER),
    WITH_COUNTS("MPI_Allgatherv", "gather_all_v", 0, UOMS_TIMES_SQUARE, BLOCK_GATHER_ALL),
    WITH_COUNTS("MPI_Alltoallv", "exchange_v", 0, UOMS_TIMES_SQUARE, BLOCK_EXCHANGE),
    COLLECTIVE("MPI_Sendrecv", "permute", 0, UOMS_TIMES_THREADS, block_bytes_one, BLOCK_PERMUTE),
    REDUCTIONS(C, signed char, UOMS_INTEGERS),
    REDUCTIONS(UC, unsigned char, UOMS_INTEGERS),
    REDUCTIONS(S, short, UOMS_INTEGERS),
    REDUCTIONS(US, unsigned short, UOMS_INTEGERS),
    REDUCTIONS(I, int, UOMS_INTEGERS),
    REDUCTIONS(UI, unsigned int, UOMS_INTEGERS),
    REDUCTIONS(L, long, UOMS_INTEGERS),
    REDUCTIONS(UL, unsigned long, UOMS_INTEGERS),
    REDUCTIONS(F, float, 0),
    REDUCTIONS(D, double, 0),
    REDUCTIONS(LD, long double, 0),
    RMA("MPI_Get", "get", BLOCK_GET),
    RMA("MPI_Put", "put", BLOCK_PUT),
    {"memcpy", "memcpy", "copy", UOMS_SIZED | UOMS_BATCHED | UOMS_ALONE, UOMS_TIMES_ONE, 1, NULL, block_bytes_one,
     block_setup, block_prepare, block_clear, memcpy_run, block_check, block_teardown, BLOCK_MEMCPY},
    ATOMIC("MPI_Fetch_and_op_NO_OP", "atomic_get", ATOMIC_GET),
    ATOMIC("MPI_Fetch_and_op_REPLACE", "atomic_set", ATOMIC_SET),
    ATOMIC("MPI_Fetch_and_op_SUM", "atomic_add", ATOMIC_ADD),
    ATOMIC("MPI_Compare_and_swap", "atomic_cswap", ATOMIC_CSWAP),
    {NULL, NULL, NULL, 0, UOMS_NO_BANDWIDTH, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0},
};
