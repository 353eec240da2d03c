#include "parts.h"

#include "../check.h"

shared int counter;
shared [] int source[4];

int main(void)
{
    shared [] int *theirs = checked_alloc(100);
    shared [] int *mine = upc_alloc(50 * sizeof(int));
    for (int i = 0; i < 50; i++)
        mine[i] = i;
    EQ(checked_sum(theirs, 100), 4950);
    EQ(checked_sum(mine, 50), 1225);
    upc_free(theirs);
    upc_free(mine);

    lock = upc_all_lock_alloc();
    for (int i = 0; i < 10; i++) {
        if ((MYTHREAD + i) % 2) {
            checked_increment(&counter);
        } else {
            upc_lock(lock);
            counter++;
            upc_unlock(lock);
            upc_notify 7;
            upc_wait;
        }
    }
    EQ(counter, 10 * THREADS);

    source[1] = 5;
    upc_barrier;
    if (MYTHREAD % 2)
        checked_broadcast(&array[THREADS], &source[1]);
    else
        upc_all_broadcast(&array[THREADS], &source[1], sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
    EQ(array[THREADS + MYTHREAD], 5);

    int x = 3;
    upc_handle_t handle = upc_memput_nb(&array[MYTHREAD], &x, sizeof x);
    checked_sync(handle);
    EQ(array[MYTHREAD], 3);
    return finish();
}
