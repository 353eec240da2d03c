// Clause: a member of a shared struct has an indefinite layout; its address keeps the thread (facts 1.9, gotcha 12)
// races: no, all threads write the same value
#include <upc.h>

#include "check.h"

struct inner {
    short first;
    int table[3];
};
struct outer {
    int first;
    struct inner in[2];
    union {
        double d;
        char bytes[8];
    } u;
    double matrix[2][3];
    shared [5] int *pointer;
};
shared [4] struct outer a[8 * THREADS];
shared [5] int target[10 * THREADS];

int main(void)
{
    for (int i = 0; i < 8 * THREADS; i++) {
        size_t thread = (size_t)i / 4 % THREADS;
        shared [4] struct outer *s = &a[i];
        shared [] int *first = &s->first;
        shared [] short *in_first = &a[i].in[0].first;
        shared [] int *in_table = s->in[1].table;
        shared [] double *d = &s->u.d;
        shared [] char *byte = s->u.bytes + 7;
        shared [] double(*row)[3] = &s->matrix[1];
        shared [5] int *shared [] *pointer = &s->pointer;

        EQ(upc_threadof(first), thread);
        EQ(upc_threadof(in_first), thread);
        EQ(upc_threadof(in_table), thread);
        EQ(upc_threadof(d), thread);
        EQ(upc_threadof(byte), thread);
        EQ(upc_threadof(row), thread);
        EQ(upc_threadof(pointer), thread);
        EQ(upc_phaseof(first) + upc_phaseof(byte) + upc_phaseof(row) + upc_phaseof(&s->in[1].table[2]), 0);
        CHECK((shared void *)first == (shared void *)s);
        EQ(upc_addrfield(in_first) - upc_addrfield(s), offsetof(struct outer, in));
        EQ(upc_addrfield(&in_table[2]) - upc_addrfield(s), offsetof(struct outer, in[1].table[2]));
        EQ(upc_addrfield(byte) - upc_addrfield(s), offsetof(struct outer, u) + 7);
        EQ(upc_addrfield(&s->matrix[1][2]) - upc_addrfield(s), offsetof(struct outer, matrix[1][2]));
        EQ(&s->matrix[1][2] - &s->matrix[0][0], 5);
        EQ(&a[i].in[1].table[2] - in_table, 2);
        EQ(upc_threadof(in_table + 1), thread);
        *pointer = &target[6];
        EQ(upc_phaseof(s->pointer), 1);
        CHECK(s->pointer + 1 == &target[7]);
    }
    EQ(upc_blocksizeof(a[0].first), 0);
    EQ(upc_blocksizeof(a[0].in), 0);
    EQ(upc_blocksizeof(a[0].in[1].table[1]), 0);
    EQ(upc_blocksizeof(a[0]), 4);
    EQ(upc_blocksizeof(*a[0].pointer), 5);
    EQ(upc_elemsizeof(a[0].in[0].table), sizeof(int));
    EQ(sizeof a[0].matrix, 6 * sizeof(double));
    upc_barrier;
    if (MYTHREAD == 0)
        for (int i = 0; i < 8 * THREADS; i++) {
            a[i].in[1].table[2] = i;
            a[i].matrix[1][2] = i + 0.5;
            a[i].u.bytes[3] = (char)i;
        }
    upc_barrier;
    for (int i = 0; i < 8 * THREADS; i++) {
        EQ(a[i].in[1].table[2], i);
        CHECK(a[i].matrix[1][2] == i + 0.5);
        EQ((&a[i])->u.bytes[3], i);
        EQ(*&(*&a[i].in[1]).table[2], i);
    }
    return finish();
}
