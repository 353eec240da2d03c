// -fcheck: an index of an array in a shared struct is too large
// flags: -fcheck
// threads: 1 2 3 4 7 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*\.upc:16: index 4 is outside of '\.values', which has 4 elements
#include <upc.h>

struct box {
    int values[4];
};
shared struct box a[THREADS];

int main(void)
{
    for (int i = 0; i <= 4; i++)
        a[MYTHREAD].values[i] = i;
    return 0;
}
