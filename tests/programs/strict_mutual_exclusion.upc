// Clause: strict accesses have one order for all: Peterson's and Dekker's algorithms exclude, with relaxed data (facts
// 1.14, gotcha 37)
// threads: 2 4
// races: no, it is about a race
#include <sched.h>
#include <upc_relaxed.h>

#include "check.h"

strict shared [] int wants[2];
strict shared int turn;
strict shared int other;
shared int counter, sum;
shared int seen[THREADS], written[THREADS];

enum { ROUNDS = 3000 };

void enter(int me)
{
    wants[me] = 1;
    turn = 1 - me;
    while (wants[1 - me] && turn == 1 - me)
        sched_yield();
}

void leave(int me)
{
    wants[me] = 0;
}

int main(void)
{
    if (MYTHREAD < 2) {
        for (int round = 0; round < ROUNDS; round++) {
            enter(MYTHREAD);
            counter++;
            sum += round;
            leave(MYTHREAD);
        }
    }
    upc_barrier;
    EQ(counter, 2 * ROUNDS);
    EQ(sum, ROUNDS * (ROUNDS - 1));
    for (int round = 1; round <= ROUNDS; round++) {
        upc_barrier;
        if (MYTHREAD < 2) {
            other = round;
            // relaxed: the strict read waits for it, and later accesses wait for the strict read
            written[MYTHREAD] = round;
            EQ(other, round);
            seen[MYTHREAD] = written[1 - MYTHREAD];
        }
        upc_barrier;
        CHECK(seen[0] == round || seen[1] == round);
    }
    return finish();
}
