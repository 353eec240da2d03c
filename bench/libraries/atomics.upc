/* atomics.upc: operations of atomic domains and of Berkeley UPC, compared with the processor's instructions. */
#include <upc_relaxed.h>

#include <bupc.h>
#include <upc_atomic.h>

#include "bench.h"

static shared [1] struct line {
    int64_t value;
    char rest[120]; /* two cache lines, which the processor fetches together */
} lines[THREADS];

static upc_atomicdomain_t *integers, *reals;
static shared int64_t *own, *common;
static int64_t *own_private, *common_private;

/* One loop for each expression; the limits use private pointers to the same places. */
#define LOOP(NAME, EXPRESSION)                  \
    static double NAME(long count)              \
    {                                           \
        int64_t one = 1, got = 0;               \
        double real = 1;                        \
        (void)one, (void)got, (void)real;       \
        double start = bench_cpu_ns();          \
        for (long i = 0; i < count; i++) {      \
            EXPRESSION;                         \
            bench_forget_memory();              \
        }                                       \
        return bench_cpu_ns() - start;          \
    }

LOOP(add_relaxed, upc_atomic_relaxed(integers, NULL, UPC_ADD, own, &one, NULL))
LOOP(add_strict, upc_atomic_strict(integers, NULL, UPC_ADD, own, &one, NULL))
LOOP(fetch_add, upc_atomic_relaxed(integers, &got, UPC_ADD, own, &one, NULL))
LOOP(get, upc_atomic_relaxed(integers, &got, UPC_GET, own, NULL, NULL))
LOOP(set, upc_atomic_relaxed(integers, NULL, UPC_SET, own, &one, NULL))
LOOP(compare_swap, upc_atomic_relaxed(integers, &got, UPC_CSWAP, own, &got, &one))
LOOP(largest, upc_atomic_relaxed(integers, NULL, UPC_MAX, own, &one, NULL))
LOOP(add_real, upc_atomic_relaxed(reals, NULL, UPC_ADD, own, &real, NULL))
LOOP(typed_add, got += bupc_atomicI64_fetchadd_relaxed(own, 1))
LOOP(typed_add_strict, got += bupc_atomicI64_fetchadd_strict(own, 1))
LOOP(typed_read, got += bupc_atomicI64_read_relaxed(own))
LOOP(add_common, upc_atomic_relaxed(integers, NULL, UPC_ADD, common, &one, NULL))
LOOP(typed_add_common, got += bupc_atomicI64_fetchadd_relaxed(common, 1))

LOOP(bare_add, __atomic_fetch_add(own_private, 1, __ATOMIC_RELAXED))
LOOP(bare_fetch_add, got += __atomic_fetch_add(own_private, 1, __ATOMIC_RELAXED))
LOOP(bare_load, got += __atomic_load_n(own_private, __ATOMIC_RELAXED))
LOOP(bare_store, __atomic_store_n(own_private, one, __ATOMIC_RELAXED))
LOOP(bare_compare_swap, __atomic_compare_exchange_n(own_private, &got, one, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
LOOP(bare_add_common, __atomic_fetch_add(common_private, 1, __ATOMIC_RELAXED))

static const struct bench_row rows[] = {
    {"upc_atomic_relaxed, UPC_ADD", "lock add", add_relaxed, bare_add, 1, 1, 0},
    {"upc_atomic_strict, UPC_ADD", "lock add", add_strict, bare_add, 1, 1, 0},
    {"upc_atomic_relaxed, UPC_ADD, fetch", "lock xadd", fetch_add, bare_fetch_add, 1, 1, 0},
    {"upc_atomic_relaxed, UPC_GET", "load", get, bare_load, 1, 1, 0},
    {"upc_atomic_relaxed, UPC_SET", "store", set, bare_store, 1, 1, 0},
    {"upc_atomic_relaxed, UPC_CSWAP", "lock cmpxchg", compare_swap, bare_compare_swap, 1, 1, 0},
    {"upc_atomic_relaxed, UPC_MAX", "lock cmpxchg", largest, bare_compare_swap, 1, 1, 0},
    {"upc_atomic_relaxed, UPC_ADD of double", "lock cmpxchg", add_real, bare_compare_swap, 1, 1, 0},
    {"bupc_atomicI64_fetchadd_relaxed", "lock xadd", typed_add, bare_fetch_add, 1, 1, 0},
    {"bupc_atomicI64_fetchadd_strict", "lock xadd", typed_add_strict, bare_fetch_add, 1, 1, 0},
    {"bupc_atomicI64_read_relaxed", "load", typed_read, bare_load, 1, 1, 0},
    {"UPC_ADD, all to one place", "lock add", add_common, bare_add_common, 1, 1, 0},
    {"bupc_atomicI64_fetchadd, all to one place", "lock add", typed_add_common, bare_add_common, 1, 1, 0},
    {NULL, NULL, NULL, NULL, 0, 0, 0},
};

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    integers = upc_all_atomicdomain_alloc(
        UPC_INT64, UPC_ADD | UPC_GET | UPC_SET | UPC_CSWAP | UPC_MAX, UPC_ATOMIC_HINT_DEFAULT);
    reals = upc_all_atomicdomain_alloc(UPC_DOUBLE, UPC_ADD, UPC_ATOMIC_HINT_DEFAULT);
    own = (shared int64_t *)&lines[MYTHREAD].value;
    common = (shared int64_t *)&lines[0].rest[64 - sizeof(int64_t)];
    own_private = (int64_t *)bupc_cast(own);
    common_private = (int64_t *)bupc_cast(common);
    for (const struct bench_row *row = rows; row->measured; row++) {
        double measured[bench_options.samples], limit[bench_options.samples];
        bench_run_row(row, measured, limit);
    }
    return 0;
}
