// -fcheck: one thread is in a barrier and another one in a collective
// flags: -fcheck
// threads: 2 3 4 8
// expect-exit: 1
// expect-stderr: banyan: thread \d+: .*(\.upc:14: upc_barrier|\.upc:16: upc_all_alloc): thread \d+ is in
// expect-stderr: upc_(all_alloc|barrier) at
// expect-stderr: at .*(\.upc:14|\.upc:16) instead; let all threads execute the same barriers and collective calls in
// expect-stderr: the same order
#include <upc.h>

int main(void)
{
    if (MYTHREAD == 0)
        upc_barrier;
    else
        upc_all_alloc(THREADS, 4);
    upc_barrier;
    return 0;
}
