// -fcheck: less than an object was allocated
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:18: the pointer-to-shared points to no object: 0x[0-9a-f]+ on thread
// expect-stderr: \d+ is 0 bytes beyond the 8 bytes that thread \d+ allocated at .*\.upc:16
#include <upc.h>

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    shared [] struct node *p = upc_alloc(sizeof p->next);
    p->next = 0;
    p->value = 1;
    return 0;
}
