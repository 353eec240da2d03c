// Clause: pointers-to-shared where C wants a truth value; phase and address 0 do not matter (gotcha 5)
#include <stdbool.h>
#include <upc.h>

#include "check.h"

shared char first[THREADS];
shared [4] int a[8 * THREADS];

static bool truth(shared void *p)
{
    return p;
}

static int as_conditions(shared [4] int *p, int expected)
{
    int seen = 0;

    EQ(p ? 1 : 0, expected);
    EQ(!p, !expected);
    EQ(!!p, expected);
    EQ(p && 1, expected);
    EQ(1 && p, expected);
    EQ(p || 0, expected);
    EQ(0 || p, expected);
    EQ((bool)p, expected);
    EQ((_Bool)(shared void *)p, expected);
    EQ(truth(p), expected);
    if (p)
        seen++;
    else
        seen--;
    for (shared [4] int *q = p; q; q = NULL)
        seen += 10;
    while (p) {
        seen += 100;
        break;
    }
    do
        seen += 1000;
    while (!p && seen < 1500);
    EQ(seen, expected ? 1111 : 1999);
    bool b = p;
    EQ(b, expected);
    return p && p ? 1 : 0;
}

int main(void)
{
    for (int t = 0; t < THREADS; t++) {
        CHECK(truth(&first[t]));
        CHECK(&first[t] ? 1 : 0);
    }
    for (int i = 0; i < 8 * THREADS; i++)
        EQ(as_conditions(&a[i], 1), 1);
    EQ(as_conditions(NULL, 0), 0);
    return finish();
}
