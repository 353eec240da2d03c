// Clause: of two threads that each write before upc_wait and read the other's object after it, one sees the write
// (facts 1.14)
// threads: 2 3 8
// races: no, it is about a race
#include <upc.h>

#include "check.h"

enum { LINES = 40, LINE_BYTES = 64 };
static shared [] char lines[LINES][LINE_BYTES];
shared int written[THREADS], result[THREADS];

/* Keeps the processor from completing later writes at once: these go to lines that the other thread writes, too. */
static void write_elsewhere(void)
{
    for (int i = 0; i < LINES; i++)
        lines[i][MYTHREAD] = 1;
}

int main(void)
{
    for (int round = 1; round <= FAR_TIMES(3000, 50); round++) {
        upc_barrier;
        upc_notify;
        if (MYTHREAD < 2) {
            write_elsewhere();
            written[MYTHREAD] = round;
        }
        upc_wait;
        if (MYTHREAD < 2)
            result[MYTHREAD] = written[1 - MYTHREAD];
        upc_barrier;
        CHECK(result[0] == round || result[1] == round);
    }
    return finish();
}
