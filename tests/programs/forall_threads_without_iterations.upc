/* Where consecutive iterations are more than a block apart, some threads may own none, which must not keep them from
 * ending a loop whose limit may change. */
#include <stdio.h>
#include <upc_relaxed.h>

static volatile int limit;

static int expected(int end, int times, int by)
{
    int count = 0;
    for (int n = 0; n < end; n++)
        count += n * times / by % THREADS == MYTHREAD;
    return count;
}

int main(void)
{
    int wrong = 0, seen = 0, i;
    limit = 43;
    upc_forall (i = 0; i < limit; i++; i * THREADS / 5)
        seen++;
    wrong += seen != expected(43, THREADS, 5) || i != 43;
    seen = 0;
    upc_forall (i = 0; i < limit; i++; i * THREADS) {
        seen++;
        if (i == 40)
            limit = 50;
    }
    wrong += seen != expected(MYTHREAD == 0 ? 50 : 43, THREADS, 1);
    limit = 43;
    seen = 0;
    upc_forall (i = 0; i < limit; i++; 12 * i / 4)
        seen++;
    wrong += seen != expected(43, 12, 4);
    if (!wrong)
        printf("ok\n");
    return wrong;
}
