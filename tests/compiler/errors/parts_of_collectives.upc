// What collective functions take apart has a part on each thread
#include <bupc_reduce.h>
#include <upc.h>
#include <upc_collective.h>
shared int one, each[THREADS], of_each[THREADS];
shared [] int there[8];
shared [*] int blocks[8 * THREADS];
shared [] int *shared pointer;
void f(void)
{
    bupc_all_reduce_allI(&one, each, UPC_ADD, THREADS, 1, NULL, 0); // warning: 'one' lies on thread 0 alone, but this argument of 'bupc_all_reduce_allI' needs a part on each thread; use an array over all threads
    bupc_all_reduce_allI(of_each, each, UPC_ADD, THREADS, 1, NULL, 0);
    upc_all_reduceI(&one, each, UPC_ADD, THREADS, 1, NULL, 0);
    upc_all_broadcast(there, &one, sizeof(int), 0); // warning: 'there' lies on thread 0 alone
    upc_all_broadcast((&one), &there, sizeof(int), 0); // warning: 'one' lies on thread 0 alone
    upc_all_broadcast(each, &one, sizeof(int), 0);
    upc_all_scatter(each, there, sizeof(int), 0);
    upc_all_gather(there, each, sizeof(int), 0);
    upc_all_gather(blocks, &one, sizeof(int), 0); // warning: 'one' lies on thread 0 alone, but this argument of 'upc_all_gather'
    upc_all_exchange(blocks, there, sizeof(int), 0); // warning: 'there' lies on thread 0 alone
    upc_all_broadcast(pointer, &one, sizeof(int), 0);
}
