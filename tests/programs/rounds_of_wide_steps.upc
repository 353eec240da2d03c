// A loop over own elements whose first value or step has a wider type than its variable: each is converted first.
#include <upc.h>

#include "check.h"

enum { ROUNDS = 16 };

static shared int values[ROUNDS * THREADS];

int main(void)
{
    for (int i = MYTHREAD + THREADS * 4294967296; i < ROUNDS * THREADS; i += THREADS)
        values[i] = i + 1;
    for (int i = 0; i < ROUNDS; i++)
        EQ(values[i * THREADS + MYTHREAD], i * THREADS + MYTHREAD + 1);
    for (int i = MYTHREAD; i < ROUNDS * THREADS; i += THREADS * 4294967297)
        values[i] = 2 * i;
    for (int i = 0; i < ROUNDS; i++)
        EQ(values[i * THREADS + MYTHREAD], 2 * (i * THREADS + MYTHREAD));
    return finish();
}
