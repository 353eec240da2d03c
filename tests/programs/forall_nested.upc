// Clause: the outermost upc_forall with an affinity controls; those inside run whole (facts 1.12, gotcha 32)
#include <upc.h>

#include "check.h"

static int share(int n)
{
    return n > MYTHREAD ? (n - MYTHREAD + THREADS - 1) / THREADS : 0;
}

static int inner_loop(void)
{
    int done = 0;
    upc_forall (int j = 0; j < 5; j++; j)
        done++;
    return done;
}

static int recursive(int depth)
{
    int done = 0;
    if (depth == 0)
        return 1;
    upc_forall (int j = 0; j < 2; j++; j)
        done += recursive(depth - 1);
    return done;
}

int main(void)
{
    int i, j, done;

    done = 0;
    upc_forall (i = 0; i < 10; i++; i)
        upc_forall (j = 0; j < 10; j++; j)
            done++;
    EQ(done, 10 * share(10));

    /* a loop without affinity does not control */
    done = 0;
    upc_forall (i = 0; i < 10; i++; continue)
        upc_forall (j = 0; j < 10; j++; j)
            done++;
    EQ(done, 10 * share(10));
    done = 0;
    upc_forall (i = 0; i < 10; i++;)
        done += inner_loop();
    EQ(done, 10 * share(5));

    /* through calls */
    done = 0;
    upc_forall (i = 0; i < 7; i++; i)
        done += inner_loop();
    EQ(done, 5 * share(7));
    EQ(inner_loop(), share(5));
    EQ(recursive(4), 8 * share(2));

    /* the control comes back to the next loop */
    done = 0;
    upc_forall (i = 0; i < 3; i++; i) {
        upc_forall (j = 0; j < 3; j++; j)
            done++;
        upc_forall (j = 0; j < 3; j++; continue)
            done++;
        for (int k = 0; k < 2; k++)
            done++;
    }
    EQ(done, 8 * share(3));
    EQ(inner_loop(), share(5));
    return finish();
}
