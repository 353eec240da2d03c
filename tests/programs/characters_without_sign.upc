// Plain char without a sign, as on ARM: in values computed before main, in shared objects, and in loops.
// flags: -funsigned-char
#include <upc.h>

#include "check.h"

shared int numbers[256 * THREADS];
shared char letters[THREADS];
shared struct {
    char whole;
    char part : 4;
} pair[THREADS];

static int counted_by_threads(void)
{
    int mine = 0;
    upc_forall (char i = 120; i < 200; i++; i)
        mine++;
    upc_forall (char i = '\xff'; i > 250; i--; &numbers[i])
        mine += 1000;
    return mine;
}

int main(void)
{
    enum { LAST = '\xff', LOW = (char)-156 };
    static shared int *last = &numbers[LAST], *low = &numbers[LOW];
    CHECK(last == &numbers[255]);
    CHECK(low == &numbers[100]);

    letters[MYTHREAD] = 200;
    pair[MYTHREAD].whole = -1;
    pair[MYTHREAD].part = 15;
    upc_barrier;
    int next = (MYTHREAD + 1) % THREADS;
    EQ(letters[next] / 2, 100);
    EQ(pair[next].whole, 255);
    EQ(pair[next].part, 15);

    static shared int all[THREADS];
    all[MYTHREAD] = counted_by_threads();
    upc_barrier;
    int sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += all[t];
    EQ(sum, 80 + 5 * 1000);
    return finish();
}
