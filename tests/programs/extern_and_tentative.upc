// Redeclarations: extern before and after, tentative definitions, arrays completed later (gotcha 28)
// races: no, one thread counts while others read
#include <upc.h>

#include "check.h"

extern shared int a;
shared int a;
shared int a;
extern shared int a;

extern shared [5] int b[];
static shared [5] int *first(void)
{
    return b;
}
shared [5] int b[10 * THREADS];

extern shared int c[][3];
shared int c[THREADS][3];

static shared int d;
static shared int d;

extern shared int *shared e;
shared int *shared e = &a;

static int count(void)
{
    extern shared int a;
    static shared int calls;
    if (MYTHREAD == 0)
        calls++;
    return (int)(sizeof a) + calls;
}

int main(void)
{
    if (MYTHREAD == 0) {
        a = 5;
        d = 6;
        b[7] = 8;
    }
    EQ(upc_blocksizeof(b), 5);
    upc_barrier;
    EQ(*e, 5);
    EQ(d, 6);
    EQ(first()[7], 8);
    EQ(sizeof c, sizeof(int) * 3 * THREADS);
    upc_barrier;
    count();
    upc_barrier;
    EQ(count() >= (int)sizeof(int) + 1, 1);
    return finish();
}
