// Clause: attributes of C23 where a declaration or a statement begins, and behind the * of a pointer (C23 6.7.13)
// flags: -std=gnu2x
#include <upc.h>

#include "check.h"

struct [[gnu::packed]] packed {
    char c;
    int n;
};
shared int a[2 * THREADS];
shared [1] struct packed packed[THREADS];
[[gnu::visibility("hidden"), maybe_unused]] shared int aligned [[gnu::aligned(64)]];
_Static_assert(sizeof packed[0] == 5, "gnu::packed");

[[gnu::noinline]] static int step(int n)
{
    switch (n) {
    case 0: n++; [[fallthrough]];
    default: n++;
    }
    return n + MYTHREAD;
}

int main(void)
{
    [[maybe_unused]] int q = 1;
    [[maybe_unused]] shared int *unused = a;
    shared int *[[gnu::unused]] p = a + MYTHREAD;
    for ([[maybe_unused]] int i = 0; q > 0; q--)
        a[MYTHREAD] = 2;
    if (q) {
        goto end;
    end:;
        [[maybe_unused]] int r = a[0];
    }
    upc_forall ([[maybe_unused]] int i = 0; i < THREADS; i++; &a[i])
        a[i]++;
    [[maybe_unused]] typedef shared int *pointer;
    EQ(*p, 3);
    EQ(upc_addrfield(&aligned) % 64, 0);
    EQ(step(0), 2 + MYTHREAD);
    return finish();
}
