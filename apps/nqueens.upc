/*
 * nqueens: in how many ways can n queens stand on an n x n board so that none attacks another?
 *
 * usage: nqueens [n]
 *
 * A task is a placement of the queens in the first two rows.  Tasks differ in length, so nobody deals them out in
 * advance: each thread takes the next one from a shared counter, which a lock protects.
 *
 * Check: the number is compared with the known ones.
 */
#include "app.h"

static const char usage[] = "nqueens [n]";

enum { LARGEST = 18 };

static const long known[LARGEST + 1] = {1,   1,   0,    0,     2,     10,     4,       40,       92,       352,
                                        724, 2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624};

shared int next_task;
shared long solutions[THREADS];

/* The number of ways to fill the remaining rows.  A set bit is a free column or, in `left` and `right`, a column that a
 * diagonal attacks in this row. */
static long place(unsigned free, unsigned left, unsigned right)
{
    if (free == 0)
        return 1;
    long count = 0;
    for (unsigned open = free & ~left & ~right; open != 0; open &= open - 1) {
        unsigned queen = open & -open;
        count += place(free & ~queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return count;
}

static int take_task(upc_lock_t *lock)
{
    upc_lock(lock);
    int task = next_task++;
    upc_unlock(lock);
    return task;
}

static long solve(int n, upc_lock_t *lock)
{
    unsigned board = (1u << n) - 1;
    long count = 0;

    if (n == 1)
        return MYTHREAD == 0;
    for (int task = take_task(lock); task < n * n; task = take_task(lock)) {
        unsigned first = 1u << task / n;
        unsigned second = 1u << task % n;
        unsigned left = first << 1;
        unsigned right = first >> 1;
        if (second & (first | left | right))
            continue;
        count += place(board & ~first & ~second, (left | second) << 1, (right | second) >> 1);
    }
    return count;
}

int main(int argc, char **argv)
{
    if (argc > 2)
        app_usage(usage);
    int n = (int)app_argument(argc, argv, 1, 12, 1, LARGEST, usage);
    upc_lock_t *lock = upc_all_lock_alloc();

    upc_barrier;
    double start = app_seconds();
    solutions[MYTHREAD] = solve(n, lock);
    upc_barrier;
    double seconds = app_seconds() - start;

    long total = 0;
    for (int t = 0; t < THREADS; t++)
        total += solutions[t];
    int wrong = total != known[n];
    if (MYTHREAD == 0)
        printf("nqueens: %ld solutions for n = %d, %.0f per second: %s\n", total, n, (double)total / seconds,
               wrong ? "WRONG" : "right");
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(lock);
    return wrong;
}
