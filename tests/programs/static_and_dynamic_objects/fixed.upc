#include "../check.h"

#if !__UPC_STATIC_THREADS__
#error static environment
#endif
extern shared [2] int values[4 * THREADS];
extern shared int per_thread[THREADS];
shared int fixed[10];

shared [2] int *value_at(int i);
int threads_here(void);

int main(void)
{
    EQ(threads_here(), THREADS);
    per_thread[MYTHREAD] = MYTHREAD;
    if (MYTHREAD == 0)
        for (int i = 0; i < 4 * THREADS; i++)
            values[i] = i;
    fixed[MYTHREAD] = 1;
    upc_barrier;
    for (int i = 0; i < 4 * THREADS; i++) {
        CHECK(value_at(i) == &values[i]);
        EQ(*value_at(i), i);
    }
    for (int t = 0; t < THREADS; t++)
        EQ(per_thread[t] + fixed[t], t + 1);
    return finish();
}
