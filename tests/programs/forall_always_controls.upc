// Clause: which upc_forall controls (facts 1.12): functions that are sometimes called from within one, and functions
// that never are
#include <upc.h>

#include "check.h"

enum { EACH = 12 };

static shared int cyclic[EACH * THREADS];
static shared [3] int blocked[EACH * THREADS];
static long calls;

static int own_cyclic(int i)
{
    return i % THREADS == MYTHREAD;
}

static int own_blocked(int i)
{
    return i / 3 % THREADS == MYTHREAD;
}

/* Both are called only from outside all loops. */
static long count_cyclic(void)
{
    long n = 0;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &cyclic[i]) {
        CHECK(own_cyclic(i));
        cyclic[i] = i + (int)blocked[i] * 0;
        n++;
    }
    return n;
}

static long count_blocked(void)
{
    long n = 0;
    int i;
    upc_forall (i = 0; i < EACH * THREADS; i++; &blocked[i]) {
        CHECK(own_blocked(i));
        blocked[i] = i;
        n++;
    }
    EQ(i, EACH * THREADS);
    return n;
}

/* These are called from everywhere. */
static long sum_cyclic(void)
{
    long sum = 0;
    int i;
    calls++;
    upc_forall (i = 0; i < EACH * THREADS; i++; &cyclic[i])
        sum += cyclic[i] + blocked[i];
    EQ(i, EACH * THREADS);
    return sum;
}

/* The same function under two names, by its name for the assembler */
static long turns_of(int n) __asm__("forall_always_controls_turns");
extern long also_turns_of(int n) __asm__("forall_always_controls_turns");

__attribute__((used, noinline)) static long turns_of(int n)
{
    long turns = 0;
    upc_forall (int i = 0; i < n; i++; i)
        turns++;
    return turns;
}

long sum_blocked(void)
{
    long sum = 0;
    upc_forall (int i = 0; i < EACH * THREADS; i++; &blocked[i]) {
        upc_forall (int j = 0; j < 2; j++; j)
            sum += cyclic[i] + j;
    }
    return sum;
}

static long sums_of(int level)
{
    return level == 0 ? sum_cyclic() : sums_of(level - 1);
}

int main(void)
{
    long n = EACH * THREADS, all = n * (n - 1) / 2, mine_cyclic = 0, mine_blocked = 0;
    EQ(count_cyclic(), EACH);
    EQ(count_blocked(), EACH);
    upc_barrier;
    for (int i = 0; i < n; i++) {
        mine_cyclic += own_cyclic(i) ? i : 0;
        mine_blocked += own_blocked(i) ? i : 0;
    }
    EQ(sum_cyclic(), 2 * mine_cyclic);
    EQ(sum_blocked(), 2 * mine_blocked + EACH);
    EQ(sums_of(3), 2 * mine_cyclic);
    upc_forall (int i = 0; i < 2 * THREADS; i++; i) {
        EQ(sum_cyclic(), 2 * all);
        EQ(sum_blocked(), 2 * all + n);
        EQ(sums_of(2), 2 * all);
    }
    EQ(sum_cyclic(), 2 * mine_cyclic);
    EQ(calls, 3 + 2 * 2);
    EQ(turns_of(2 * THREADS), 2);
    upc_forall (int i = 0; i < THREADS; i++; i)
        EQ(also_turns_of(2 * THREADS), 2 * THREADS);
    upc_barrier;
    return finish();
}
