/* A library that may be linked with UPC or without it; main.c has the same variables, since library.c includes them
 * too. */
#include <bupc_tentative.h>

int library_rank(void);

int library_rank(void)
{
    if (!bupc_tentative_init || !bupc_tentative_init_reentrant || !bupc_tentative_exit || !bupc_tentative_threads ||
        !bupc_tentative_getenv || !bupc_tentative_notify || !bupc_tentative_wait || !bupc_tentative_barrier ||
        !bupc_tentative_alloc || !bupc_tentative_all_alloc || !bupc_tentative_free || !bupc_tentative_all_free)
        return -1;
    bupc_tentative_barrier(3);
    void *memory = bupc_tentative_all_alloc(8, 8);
    bupc_tentative_all_free(memory, bupc_tentative_mythread());
    return bupc_tentative_mythread ? bupc_tentative_mythread() : -2;
}
