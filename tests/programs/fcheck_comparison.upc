// -fcheck: the order of pointers into different arrays with different steps
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:18: pointers that do not lie in one array are subtracted or compared
#include <upc.h>

struct three {
    char bytes[48];
};
shared struct three a[THREADS];
shared char b[THREADS];

int main(void)
{
    shared struct three *p = a;
    shared struct three *q = (shared struct three *)b;
    return p < q;
    return 0;
}
