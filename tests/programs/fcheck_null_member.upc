// -fcheck: a member behind a null pointer-to-shared is used
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:15: a null pointer-to-shared is used to reach an object
#include <upc.h>

struct pair {
    int a, b;
};

int main(void)
{
    shared struct pair *p = NULL;
    p->b++;
    return 0;
}
