// Clause: upc_all_free is collective; both kinds of free take memory of all three allocators (facts 2.2)
#include <upc.h>

#include "check.h"

shared void *shared [] kept[3];

int main(void)
{
    for (int round = 0; round < 20; round++) {
        if (MYTHREAD == round % THREADS) {
            kept[0] = upc_alloc(1000);
            kept[1] = upc_global_alloc(THREADS, 100);
        }
        upc_barrier;
        shared void *all = upc_all_alloc(THREADS, 50);
        upc_all_free(kept[0]);
        upc_all_free(kept[1]);
        shared [] char *second = (shared [] char *)upc_all_alloc(THREADS, 70);
        upc_barrier;
        if (MYTHREAD == THREADS - 1)
            upc_free(all);
        upc_all_free(second);
        upc_barrier;
    }
    return finish();
}
