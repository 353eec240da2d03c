// RandomAccess as programs for Berkeley UPC have it: typed atomics where they are, locks elsewhere; a portable
// choice of clock; totals by value collectives.  The table must be what it was after all updates were made twice.
// args: 12 4
// flags: -compat=bupc
// expect-stdout: ^GUPS .* verified: 0 errors
#include <stdio.h>
#include <stdlib.h>
#include <inttypes.h>
#include <upc_relaxed.h>
#include <bupc_collectivev.h>

#define POLY 0x0000000000000007ULL

#if defined(__BERKELEY_UPC_RUNTIME__) && __BERKELEY_UPC__ >= 2
#define TIME() bupc_ticks_now()
#define USECS(t) bupc_ticks_to_us(t)
typedef bupc_tick_t tick_type;
#define XOR_UPDATE(p, v) ((void)bupc_atomicU64_fetchxor_relaxed((p), (v)))
#elif defined(__UPC_ATOMIC__)
#include <upc_atomic.h>
#include <upc_tick.h>
#define TIME() upc_ticks_now()
#define USECS(t) (upc_ticks_to_ns(t) / 1000)
typedef upc_tick_t tick_type;
static upc_atomicdomain_t *domain;
#define XOR_UPDATE(p, v)                                                        \
    do {                                                                        \
        uint64_t xor_value = (v);                                               \
        upc_atomic_relaxed(domain, NULL, UPC_XOR, (p), &xor_value, NULL);       \
    } while (0)
#else
#error "no atomic operations"
#endif

shared uint64_t *table;
static uint64_t table_size;

static uint64_t starts(uint64_t n)
{
    uint64_t ran = 1;
    for (uint64_t i = 0; i < n; i++)
        ran = (ran << 1) ^ ((int64_t)ran < 0 ? POLY : 0);
    return ran;
}

static void update(uint64_t first, uint64_t count)
{
    uint64_t ran = starts(first % 1000 + 1);
    for (uint64_t i = 0; i < count; i++) {
        ran = (ran << 1) ^ ((int64_t)ran < 0 ? POLY : 0);
        XOR_UPDATE(&table[ran & (table_size - 1)], ran);
    }
}

int main(int argc, char **argv)
{
    int log_size = argc > 1 ? atoi(argv[1]) : 16;
    uint64_t updates, errors = 0, total;
    table_size = (uint64_t)1 << log_size;
    updates = (argc > 2 ? (uint64_t)atoi(argv[2]) : 4) * table_size / THREADS;
    table = (shared uint64_t *)upc_all_alloc(table_size, sizeof(uint64_t));
    if (table == NULL) {
        fprintf(stderr, "out of shared memory\n");
        upc_global_exit(1);
    }
#if !defined(__BERKELEY_UPC_RUNTIME__)
    domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_XOR, UPC_ATOMIC_HINT_THROUGHPUT);
#endif
    uint64_t i;
    upc_forall (i = 0; i < table_size; i++; &table[i])
        table[i] = i;
    upc_barrier;
    tick_type start = TIME();
    update(MYTHREAD * updates, updates);
    upc_barrier;
    tick_type elapsed = TIME() - start;
    update(MYTHREAD * updates, updates);
    upc_barrier;
    upc_forall (i = 0; i < table_size; i++; &table[i])
        errors += table[i] != i;
    total = bupc_allv_reduce(uint64_t, errors, 0, UPC_ADD);
    double usecs = (double)USECS(elapsed);
    double slowest = bupc_allv_reduce_all(double, usecs, UPC_MAX);
    if (MYTHREAD == 0)
        printf("GUPS %.6f, verified: %" PRIu64 " errors\n", updates * THREADS / (slowest * 1e3 + 1), total);
    upc_barrier;
    upc_all_free(table);
    return total != 0;
}
