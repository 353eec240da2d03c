// upc_tick.h alone brings what upc.h declares.
#include <upc_tick.h>

shared int *p;

int main(void)
{
    upc_tick_t began = upc_ticks_now();
    p = upc_all_alloc(THREADS, sizeof(int));
    if (MYTHREAD == 0)
        upc_free(p);
    return upc_ticks_now() < began;
}
