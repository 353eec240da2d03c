// Clause: a pointer-to-shared in a register variable, which has no address, steps like any other (C11 6.7.1p6)
#include <upc.h>

#include "check.h"

shared int x[4 * THREADS];
struct walk {
    shared int *at;
    struct {
        shared [2] int *at;
    } in;
};

static int sum(register shared int *p, int n)
{
    int s = 0;
    while (n-- > 0)
        s += upc_threadof(p++);
    return s;
}

int main(void)
{
    register shared int *p = x;
    register struct walk w = {x, {(shared [2] int *)x}};

    EQ(upc_threadof(p++), 0);
    CHECK(p-- == x + 1);
    CHECK(++p == x + 1 && --p == x);
    p += 3;
    CHECK((p -= 1) == x + 2);
    CHECK(w.at++ == x && w.at == x + 1);
    CHECK(++w.at == x + 2 && (w.at += 1) == x + 3 && (w.at -= 2) == x + 1);
    CHECK(--w.at == x && (w).at-- == x && w.at == x - 1);
    w.in.at++;
    EQ(upc_phaseof(w.in.at), 1);
    EQ(upc_phaseof(w.in.at--), 1);
    EQ(upc_phaseof(w.in.at), 0);
    EQ(sum(x, THREADS), THREADS * (THREADS - 1) / 2);
    return finish();
}
