// Facts 3.1: bupc_allv_scatter needs the array of the root.
// expect-exit: nonzero
// expect-stderr: bupc_allv_scatter: the array is a null pointer on thread 0, the root
#include <upc.h>

#include <bupc_collectivev.h>

int main(void)
{
    return bupc_allv_scatter(int, 0, NULL);
}
