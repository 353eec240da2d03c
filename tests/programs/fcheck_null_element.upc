// -fcheck: an element behind a null pointer-to-shared is used
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:11: a null pointer-to-shared is used to reach an object
#include <upc.h>

int main(void)
{
    shared int *p = 0;
    return p[5 * THREADS];
    return 0;
}
