// Facts 3.1: a semaphore that would hold more than BUPC_SEM_MAXVALUE is reported.
// threads: 1 2
// expect-exit: 1
// expect-stderr: bupc_sem_post: the value would exceed BUPC_SEM_MAXVALUE, 65535; let the consumer wait more often
#include <upc.h>

#include <bupc_sem.h>

int main(void)
{
    bupc_sem_t *s = bupc_sem_alloc(0);
    for (int i = 0; i <= BUPC_SEM_MAXVALUE; i++)
        bupc_sem_post(s);
}
