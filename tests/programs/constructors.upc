// Shared objects have no places before main: a constructor that uses one is told so
// threads: 2
// expect-exit: nonzero
// expect-stderr: banyan: memory that does not exist was accessed before the threads were started; if by UPC code, it comes too early in a constructor
// sanitize: no
// fcheck: no
// races: no, it ends before main
// network: smp
// pthreads: no, there constructors are called when there are threads
#include <upc.h>

shared int x[THREADS];

__attribute__((constructor)) static void too_early(void)
{
    x[0] = 1;
}

int main(void)
{
    return x[0];
}
