// Of several initialisers of one object the last one counts, with all that it leaves out (C11 6.7.9)
// flags: -w
#include <stddef.h>
#include <upc.h>

#include "check.h"

shared int x, y;
struct cell {
    int n;
    shared int *p;
};
shared [] struct cell elements[3] = {[0 ... 2] = {1, &x}, [1] = {.p = &y}};
struct cell range[6] = {[0 ... 4] = {1, &x}, [2] = {2}, [3].p = NULL, 9, NULL};
union {
    shared int *p;
    long n;
} either = {.p = &x, .n = 7};

int main(void)
{
    for (int i = 0; i < 6; i++)
        CHECK(range[i].p == (i == 0 || i == 1 ? &x : NULL));
    EQ(range[0].n + range[2].n * 10 + range[3].n * 100 + range[4].n * 1000, 9121);
    CHECK(elements[0].p == &x && elements[1].p == &y && elements[2].p == &x);
    EQ(elements[1].n, 0);
    EQ(either.n, 7);
    return finish();
}
