// Clause: a strict ++ or op= whose value is used, or not, over operands that discard values of their own
#include <upc_relaxed.h>

#include "check.h"

strict shared [] long cell[4];
strict shared [] long *shared [] pointers[2];
static int calls;

static int count(void)
{
    return calls++;
}

int main(void)
{
    if (MYTHREAD == 0) {
        long got = cell[count(), 1]++;
        CHECK(got == 0 && cell[1] == 1);
        got = ++cell[({ count(); cell[0]++; 1; })];
        CHECK(got == 2 && cell[0] == 1);
        cell[(count(), 1)]--;
        got = cell[(void)count(), 1] += (count(), 5);
        CHECK(got == 6 && cell[1] == 6);
        cell[({ count(); 1; })] *= ({ count(); cell[0]; });
        got = (cell[count(), 2] = (count(), 9L), cell[2]);
        CHECK(got == 9 && cell[1] == 6);
        pointers[0] = cell;
        strict shared [] long *p = pointers[count(), 0]++;
        CHECK(p == cell && pointers[0] == cell + 1);
        p = pointers[({ count(); 0; })] += (count(), 2);
        CHECK(p == cell + 3);
        CHECK(calls == 12);
    }
    upc_barrier;
    return finish();
}
