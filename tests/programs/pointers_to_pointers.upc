// The four kinds of pointers: private and shared ones to private and shared objects, and longer chains
#include <upc.h>

#include "check.h"

int private_object = 1;
shared int shared_object;
int *private_to_private = &private_object;
shared int *private_to_shared = &shared_object;
int *shared shared_to_private;
shared int *shared shared_to_shared = &shared_object;
shared int *shared *chain = &shared_to_shared;
shared int *shared *shared long_chain[THREADS];
shared [] int *shared [2] directory[2 * THREADS];

static void set(shared int **p, shared int *value)
{
    *p = value;
}

int main(void)
{
    EQ(*private_to_private, 1);
    if (MYTHREAD == THREADS - 1)
        shared_object = 77;
    long_chain[MYTHREAD] = chain;
    directory[2 * MYTHREAD] = upc_alloc(10 * sizeof(int));
    directory[2 * MYTHREAD + 1] = directory[2 * MYTHREAD] + 5;
    for (int i = 0; i < 10; i++)
        directory[2 * MYTHREAD][i] = MYTHREAD * 10 + i;
    upc_barrier;
    EQ(*private_to_shared, 77);
    EQ(*shared_to_shared, 77);
    EQ(**chain, 77);
    EQ(**long_chain[(MYTHREAD + 1) % THREADS], 77);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < 5; i++) {
            EQ(directory[2 * t][i], t * 10 + i);
            EQ(directory[2 * t + 1][i], t * 10 + 5 + i);
            EQ(upc_threadof(&directory[2 * t][i]), t);
        }
    shared int *p = NULL;
    set(&p, &shared_object);
    EQ(*p, 77);
    upc_barrier;
    if (MYTHREAD == 0)
        shared_to_private = &private_object;
    upc_barrier;
    if (MYTHREAD == 0)
        EQ(*shared_to_private, 1);
    shared [] int **array_of_pointers = malloc(3 * sizeof *array_of_pointers);
    array_of_pointers[1] = directory[0];
    EQ(array_of_pointers[1][3], 3);
    EQ((*(array_of_pointers + 1))[4], 4);
    free(array_of_pointers);
    return finish();
}
