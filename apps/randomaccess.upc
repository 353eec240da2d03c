/*
 * randomaccess: random updates to a shared table, as in HPC Challenge.
 *
 * usage: randomaccess [log2-of-table-size [updates-per-entry]] [--aggregated]
 *
 * The table has 2^m entries, entry i on thread i % THREADS.  The random numbers are the powers of x modulo x^64 + x^2 +
 * x + 1 over the field of two elements; thread t begins at its own place of the sequence.  Updates are neither locked
 * nor atomic: as the rules allow, up to one in a hundred entries may get lost.
 *
 * --aggregated carries the updates to the owners of their entries in blocks; none gets lost.  The rules of HPC
 * Challenge let a thread hold back 1024 updates in total; this program holds back as many for each other thread.
 *
 * Check: all updates are done once more, each by the owner of the entry; then every entry must hold what it held at the
 * start, except for those that lost an update the first time.
 */
#include <banyan_aggregate.h>
#include <stdint.h>
#include <string.h>

#include "app.h"

static const char usage[] = "randomaccess [log2-of-table-size [updates-per-entry]] [--aggregated]";

static shared uint64_t *table;
static uint64_t mask; /* the index of the last entry */

/* The next random number: the product with x */
static uint64_t next_random(uint64_t random)
{
    return (random << 1) ^ ((random >> 63) * UINT64_C(7));
}

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (int bit = 63; bit >= 0; bit--) {
        product = next_random(product);
        if (b >> bit & 1)
            product ^= a;
    }
    return product;
}

/* Number n of the sequence: x to the n */
static uint64_t random_at(uint64_t n)
{
    uint64_t power = 1;
    uint64_t square = 2;
    for (; n != 0; n >>= 1) {
        if (n & 1)
            power = multiply(power, square);
        square = multiply(square, square);
    }
    return power;
}

static void update_all(uint64_t first, uint64_t last)
{
    uint64_t random = random_at(first);
    for (uint64_t i = first; i < last; i++) {
        random = next_random(random);
        table[random & mask] ^= random;
    }
}

/* Updates the thread's own part of the table, where entries THREADS apart are adjacent in memory */
static void take(void *context, int from, const void *items, size_t count)
{
    uint64_t *mine = context;
    const uint64_t *randoms = items;
    (void)from;
    for (size_t i = 0; i < count; i++)
        mine[(randoms[i] & mask) / THREADS] ^= randoms[i];
}

static void update_all_aggregated(uint64_t first, uint64_t last)
{
    banyan_aggregate_t *updates =
        banyan_aggregate_all_make(sizeof(uint64_t), 0, take, (uint64_t *)&table[MYTHREAD]);
    uint64_t random = random_at(first);
    for (uint64_t i = first; i < last; i++) {
        random = next_random(random);
        banyan_aggregate_push(updates, (int)((random & mask) % THREADS), &random);
    }
    banyan_aggregate_end(updates);
    banyan_aggregate_all_free(updates);
}

static void update_own(uint64_t updates)
{
    uint64_t random = random_at(0);
    for (uint64_t i = 0; i < updates; i++) {
        random = next_random(random);
        uint64_t at = random & mask;
        if (at % THREADS == (uint64_t)MYTHREAD)
            table[at] ^= random;
    }
}

int main(int argc, char **argv)
{
    int is_aggregated = argc > 1 && strcmp(argv[argc - 1], "--aggregated") == 0;
    argc -= is_aggregated;
    if (argc > 3)
        app_usage(usage);
    long log2_size = app_argument(argc, argv, 1, 22, 1, 40, usage);
    long per_entry = app_argument(argc, argv, 2, 4, 1, 1000, usage);
    uint64_t size = UINT64_C(1) << log2_size;
    uint64_t updates = size * (uint64_t)per_entry;
    mask = size - 1;
    uint64_t i;

    table = upc_all_alloc(size, sizeof(uint64_t));
    if (table == NULL) {
        if (MYTHREAD == 0)
            fprintf(stderr, "randomaccess: no memory for 2^%ld entries\n", log2_size);
        return 1;
    }
    upc_forall (i = 0; i < size; i++; &table[i])
        table[i] = i;

    uint64_t first = updates / THREADS * MYTHREAD;
    uint64_t last = MYTHREAD == THREADS - 1 ? updates : first + updates / THREADS;
    upc_barrier;
    double start = app_seconds();
    if (is_aggregated)
        update_all_aggregated(first, last);
    else
        update_all(first, last);
    upc_barrier;
    double seconds = app_seconds() - start;

    update_own(updates);
    upc_barrier;
    uint64_t lost = 0;
    upc_forall (i = 0; i < size; i++; &table[i])
        lost += table[i] != i;
    double all_lost = app_sum((double)lost);

    /*
     * The rules are for tables larger than all caches.  The number of lost updates depends on how many are in flight at
     * a time, not on the size: a small table may lose as many as one of 2^18 entries, and one of a few thousand entries
     * all of them.
     */
    double allowed = (double)(size < (1 << 18) ? 1 << 18 : size) / 100;
    int wrong = all_lost > (THREADS == 1 || is_aggregated ? 0 : allowed);
    if (MYTHREAD == 0)
        printf("randomaccess: 2^%ld entries, %.3f million updates per second, %.0f entries lost: %s\n", log2_size,
               1e-6 * (double)updates / seconds, all_lost, wrong ? "WRONG" : "right");
    upc_all_free(table);
    return wrong;
}
