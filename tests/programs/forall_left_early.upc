// Leaving upc_forall by break, goto or return is undefined, yet the next loop must be right (facts 1.12, gotcha 32)
// flags: -w
#include <upc.h>

#include "check.h"

static int by_return(void)
{
    upc_forall (int i = 0; i < 100; i++; i)
        if (i >= 0)
            return i;
    return -1;
}

static void by_goto(void)
{
    upc_forall (int i = 0; i < 100; i++; i)
        upc_forall (int j = 0; j < 100; j++; j)
            goto out;
out:;
}

static void by_break(void)
{
    upc_forall (int i = 0; i < 100; i++; i)
        break;
}

static int share(int n)
{
    return n > MYTHREAD ? (n - MYTHREAD + THREADS - 1) / THREADS : 0;
}

static void check_share(void)
{
    int done = 0;
    upc_forall (int i = 0; i < 20; i++; i)
        done++;
    EQ(done, share(20));
}

int main(void)
{
    EQ(by_return(), MYTHREAD);
    check_share();
    by_goto();
    check_share();
    by_break();
    check_share();
    return finish();
}
