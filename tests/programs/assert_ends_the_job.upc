// A failed assertion takes the job down (gotcha 42)
// expect-exit: 134
// expect-stderr: Assertion.*THREADS < 0.*failed
// sanitize: no
#include <assert.h>
#include <upc.h>

int main(void)
{
    if (MYTHREAD == THREADS - 1)
        assert(THREADS < 0);
    upc_barrier;
    return 0;
}
