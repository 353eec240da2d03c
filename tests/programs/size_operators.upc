// Clause: sizeof, upc_localsizeof, upc_blocksizeof, upc_elemsizeof (facts 1.10)
#include <upc.h>

#include "check.h"

shared int a[12 * THREADS];
shared [5] int b[12 * THREADS];
shared [] int c[12];
shared [*] int d[12 * THREADS];
shared double s;
shared [4] struct {
    int x;
    char c;
} records[7 * THREADS];
shared [3] char m[5][THREADS];
static int calls;

static shared [5] int *count(void)
{
    calls++;
    return b;
}

int main(void)
{
    EQ(sizeof a, 12 * sizeof(int) * THREADS);
    EQ(sizeof a[0], sizeof(int));
    EQ(sizeof(a[0]) + sizeof(int), 2 * sizeof(int));
    EQ(upc_localsizeof(a), 12 * sizeof(int));
    EQ(upc_localsizeof(b), 15 * sizeof(int));
    EQ(upc_localsizeof(c), 12 * sizeof(int));
    EQ(upc_localsizeof(d), 12 * sizeof(int));
    EQ(upc_localsizeof(s), sizeof(double));
    EQ(upc_localsizeof(records), 8 * 2 * sizeof(int));
    EQ(upc_localsizeof(m), 6);
    EQ(upc_localsizeof(a[3]), sizeof(int));
    EQ(upc_blocksizeof(a), 1);
    EQ(upc_blocksizeof(b), 5);
    EQ(upc_blocksizeof(c), 0);
    EQ(upc_blocksizeof(d), 12);
    EQ(upc_blocksizeof(s), 1);
    EQ(upc_blocksizeof(b[2]), 5);
    EQ(upc_blocksizeof(*(b + 1)), 5);
    EQ(upc_elemsizeof(a), sizeof(int));
    EQ(upc_elemsizeof(records), 2 * sizeof(int));
    EQ(upc_elemsizeof(m), 1);
    EQ(upc_elemsizeof(s), sizeof(double));
    EQ(upc_elemsizeof a, sizeof(int));
    EQ(upc_blocksizeof b, 5);
    EQ(upc_localsizeof a, 12 * sizeof(int));

    EQ(upc_localsizeof(shared [4] char[7 * THREADS]), 8);
    EQ(upc_blocksizeof(shared [*] int[10 * THREADS]), 10);
    EQ(upc_elemsizeof(shared int[THREADS][10]), sizeof(int));
    EQ(upc_blocksizeof(shared int), 1);
    EQ(upc_blocksizeof(shared [] int), 0);
    EQ(upc_blocksizeof(shared [7] int), 7);
    EQ(upc_blocksizeof(shared [7] int *shared [2]), 2);
    EQ(upc_elemsizeof(shared void *shared), sizeof(shared void *));

    EQ(upc_blocksizeof(count()[3]), 5);
    EQ(upc_elemsizeof(*count()), sizeof(int));
    EQ(sizeof *count(), sizeof(int));
    EQ(calls, 0);
    CHECK(_Generic(upc_localsizeof(a), size_t: 1, default: 0));
    CHECK(_Generic(upc_blocksizeof(a), size_t: 1, default: 0));
    CHECK(_Generic(upc_elemsizeof(a), size_t: 1, default: 0));
    CHECK(_Generic(sizeof a, size_t: 1, default: 0));
    return finish();
}
