// -fcheck: a upc_forall that was left in a way that no later one divides its iterations
// flags: -fcheck -w
// threads: 2
// expect-exit: 1
// expect-stderr: banyan: thread \d+: a upc_forall was left by a computed goto
#include <upc.h>

int main(void)
{
    void *to = &&out;
    upc_forall (int i = 0; i < THREADS; i++; i)
        goto *to;
out:
    return 0;
}
