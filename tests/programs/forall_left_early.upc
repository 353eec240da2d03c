// Leaving upc_forall by break, goto, return or longjmp is undefined, yet the next loop must be right (facts 1.12,
// gotcha 32)
// flags: -w
#include <setjmp.h>
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

static jmp_buf begin;

static void leave(void)
{
    upc_forall (int i = 0; i < 100; i++; i)
        longjmp(begin, 5);
}

/* This function alone has no UPC in it. */
static int returns_of(void (*f)(void))
{
    int status = setjmp(begin);
    if (status == 0)
        f();
    return status;
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
    EQ(returns_of(leave), 5);
    check_share();
    volatile int outer = 0, inner = 0;
    upc_forall (int i = 0; i < THREADS; i++; i) {
        outer++;
        if (setjmp(begin) == 0)
            leave();
        upc_forall (int j = 0; j < 20; j++; j)
            inner++;
    }
    EQ(outer, 1);
    EQ(inner, 20);
    check_share();
    return finish();
}
