// Many more threads than cores: barriers make progress (gotcha 52)
// threads: 1 2 16 32
#include <upc.h>

#include "check.h"

shared int turn[THREADS];

int main(void)
{
    for (int round = 1; round <= 1000; round++) {
        turn[MYTHREAD] = round;
        upc_barrier;
        EQ(turn[(MYTHREAD + round) % THREADS], round);
        upc_barrier round;
    }
    return finish();
}
