// Facts 2.9: threads that ask for different domains are told.
// threads: 2 3
// fcheck: no
// expect-exit: 1
// expect-stderr: upc_all_atomicdomain_alloc: thread [0-9] gives other arguments; they must be the same on all threads
#include <upc.h>
#include <upc_atomic.h>

int main(void)
{
    upc_all_atomicdomain_alloc(MYTHREAD == 0 ? UPC_INT : UPC_INT32, UPC_ADD, 0);
    upc_barrier;
}
