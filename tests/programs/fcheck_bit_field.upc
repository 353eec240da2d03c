// -fcheck: a bit-field of a struct that was freed, strict, with a value that writes shared memory
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d: .*\.upc:23: the pointer-to-shared points to memory on thread 0 that was freed
#include <upc.h>

struct flags {
    unsigned low : 3, high : 5;
};

strict shared [] struct flags *shared p;
shared int counter;

int main(void)
{
    if (MYTHREAD == 0)
        p = upc_alloc(sizeof(struct flags));
    upc_barrier;
    if (MYTHREAD == THREADS - 1) {
        p->high = 3;
        upc_free((shared void *)p);
        p->low = (counter = 1);
    }
    upc_barrier;
    return 0;
}
