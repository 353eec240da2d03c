// -fcheck: threads call different collectives
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*(\.upc:17: upc_all_broadcast|\.upc:19: upc_all_scatter): thread \d+ is in
// expect-stderr: upc_all_[a-z]+ at
// expect-stderr: at .*(\.upc:17|\.upc:19) instead; let all
#include <upc.h>
#include <upc_collective.h>

shared int a[THREADS];
shared [] int b[100];

int main(void)
{
    if (MYTHREAD == 0)
        upc_all_broadcast(a, b, sizeof(int), 0);
    else
        upc_all_scatter(a, b, sizeof(int), 0);
    return 0;
}
