// Bodies of upc_forall: continue, empty, nested loops with break, switch, if without braces (facts 1.12, gotcha 33)
#include "check.h"

static int share(int n)
{
    return n > MYTHREAD ? (n - MYTHREAD + THREADS - 1) / THREADS : 0;
}

int main(void)
{
    int i, done = 0, evens = 0;

    upc_forall (i = 0; i < 10; i++; i) {
        done++;
        if (i % 2)
            continue;
        evens++;
    }
    EQ(done, share(10));
    for (i = 0; i < 10; i += 2)
        evens -= i % THREADS == MYTHREAD;
    EQ(evens, 0);

    upc_forall (i = 0; i < 10; i++; i)
        ;
    EQ(i, 10);

    done = 0;
    upc_forall (i = 0; i < 10; i++; i) {
        for (int j = 0; j < 10; j++) {
            if (j == 3)
                break;
            if (j == 1)
                continue;
            done++;
        }
        while (1)
            break;
        switch (i) {
        case 2:
            done += 100;
            break;
        default:
            break;
        }
    }
    EQ(done, 2 * share(10) + (2 % THREADS == MYTHREAD ? 100 : 0));

    /* an else belongs to the if that the programmer sees */
    done = 0;
    for (int flag = 0; flag < 2; flag++) {
        if (flag)
            upc_forall (i = 0; i < 10; i++; i)
                done++;
        else
            done += 1000;
    }
    EQ(done, 1000 + share(10));
    done = 0;
    upc_forall (i = 0; i < 10; i++; i)
        if (i < 5)
            done++;
        else
            done += 10;
    EQ(done, share(5) + 10 * (share(10) - share(5)));

    done = 0;
    upc_forall (i = 0; i < 4; i++; i) {
        int i = 5;
        done += i;
    }
    EQ(done, 5 * share(4));
    done = 0;
    goto label;
label:
    upc_forall (i = 0; i < 4; i++; i) {
        goto inside;
    inside:
        done++;
    }
    EQ(done, share(4));
    switch (THREADS) {
    default:
        upc_forall (int k = 0; k < 4; k++; k)
            done++;
    }
    EQ(done, 2 * share(4));
    return finish();
}
