// Structs that hold pointers-to-shared: size, copies in all directions, arguments, results, literals (gotcha 13)
#include <upc.h>

#include "check.h"

shared [3] int a[9 * THREADS];

struct pair {
    char tag;
    shared [3] int *p;
    int number;
    shared void *q[2];
};

shared struct pair one;
shared [2] struct pair many[4 * THREADS];
struct pair private_one;

static struct pair make(int i)
{
    return (struct pair){'m', &a[i], i, {&a[i + 1], NULL}};
}

static int check(struct pair x, int i)
{
    EQ(x.tag, 'm');
    CHECK(x.p == &a[i]);
    EQ(upc_phaseof(x.p), i % 3);
    EQ(x.number, i);
    CHECK(x.q[0] == &a[i + 1] && x.q[1] == NULL);
    EQ(upc_phaseof(x.q[0]), (i + 1) % 3);
    return x.number;
}

int main(void)
{
    EQ(sizeof(struct pair), sizeof private_one);
    EQ(sizeof many, 4 * THREADS * sizeof(struct pair));
    CHECK(sizeof(struct pair) >= 3 * sizeof(shared void *) + sizeof(int) + 1);
    CHECK(offsetof(struct pair, q) >= offsetof(struct pair, p) + sizeof(shared void *));

    check(make(2), 2);
    private_one = make(4);
    check(private_one, 4);
    if (MYTHREAD == 0) {
        one = private_one;
        for (int i = 0; i < 4 * THREADS; i++)
            many[i] = make(i);
    }
    upc_barrier;
    check(one, 4);
    for (int i = 0; i < 4 * THREADS; i++) {
        check(many[i], i);
        struct pair copy = many[i];
        check(copy, i);
        EQ(upc_threadof(&many[i].p), i / 2 % THREADS);
        EQ(many[i].p - a, i);
        EQ((shared [3] int *)many[i].q[0] - many[i].p, 1);
    }
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        one = many[4 * THREADS - 1];
        many[0] = one;
        many[1].p = many[2].p;
        one.q[0] = many[0].q[0];
    }
    upc_barrier;
    check(one, 4 * THREADS - 1);
    check(many[0], 4 * THREADS - 1);
    CHECK(many[1].p == &a[2]);
    check((private_one = one), 4 * THREADS - 1);
    return finish();
}
