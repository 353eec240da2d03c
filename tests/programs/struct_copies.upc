// Structs between shared and private memory: copies, arguments, results, literals, arrays in structs (gotcha 13)
#include <upc.h>

#include "check.h"

struct small {
    char c;
};
struct large {
    int head;
    double body[100];
    struct small tail[3];
};
shared [3] struct large a[6 * THREADS];
shared struct small s[THREADS];

static struct large make(int n)
{
    struct large x = {n, {[0] = n, [99] = -n}, {{'a'}, {'b'}, {'c'}}};
    return x;
}

static int check(struct large x, int n)
{
    EQ(x.head, n);
    CHECK(x.body[0] == n && x.body[99] == -n && x.body[50] == 0);
    EQ(x.tail[2].c, 'c');
    return 1;
}

static struct large from_shared(shared const struct large *p)
{
    return *p;
}

int main(void)
{
    struct large mine, *pointer = &mine;

    for (int k = 0; k < 3; k++)
        a[3 * MYTHREAD + k] = make(10 * MYTHREAD + k);
    s[MYTHREAD] = (struct small){'x'};
    upc_barrier;
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < 3; k++) {
            check(a[3 * t + k], 10 * t + k);
            mine = a[3 * t + k];
            check(mine, 10 * t + k);
            *pointer = *(shared struct large *)&a[3 * t + k];
            check(*pointer, 10 * t + k);
            check(from_shared((shared const struct large *)&a[3 * t + k]), 10 * t + k);
            EQ(a[3 * t + k].tail[1].c, 'b');
            EQ(s[t].c, 'x');
            EQ((a[3 * t + k]).head, 10 * t + k);
        }
    upc_barrier;
    if (MYTHREAD == 0) {
        a[0] = a[3 * THREADS - 1];
        a[1] = a[2] = make(99);
        a[3 * THREADS] = (struct large){.head = 7, .body = {7, [99] = -7}, .tail = {[2] = {'c'}}};
        s[0] = a[0].tail[1];
    }
    upc_barrier;
    check(a[0], 10 * (THREADS - 1) + 2);
    check(a[1], 99);
    check(a[2], 99);
    check(a[3 * THREADS], 7);
    EQ(s[0].c, 'b');
    struct large initialised = a[1];
    check(initialised, 99);
    struct small tails[] = {a[1].tail[0], s[0]};
    EQ(tails[0].c + tails[1].c, 'a' + 'b');
    return finish();
}
