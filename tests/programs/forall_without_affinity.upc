// Clause: with `continue` or without affinity every thread runs every iteration (facts 1.12)
#include "check.h"

int main(void)
{
    int i, done = 0;

    upc_forall (i = 0; i < 7; i++; continue)
        done++;
    EQ(done, 7);
    upc_forall (i = 0; i < 7; i++;)
        done++;
    EQ(done, 14);
    i = 0;
    upc_forall (; i < 7;;) {
        done++;
        i++;
    }
    EQ(done, 21);
    i = 0;
    upc_forall (; i < 4; i++; i)
        done += i % THREADS == MYTHREAD ? 100 : 1000000;
    EQ(i, 4);
    EQ((done - 21) % 100, 0);
    CHECK(done < 1000);
    upc_forall (i = 0; i < 0; i++; i)
        done = -1;
    CHECK(done != -1);
    upc_forall (int k = 0, n = 5; k < n; k++, n--; continue)
        done++;
    EQ(done % 100, 24);
    return finish();
}
