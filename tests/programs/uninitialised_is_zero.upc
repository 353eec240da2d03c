// Clause: static shared objects without initialiser are zero (facts 1.11)
#include <upc.h>

#include "check.h"

shared [7] int a[1000 * THREADS];
shared double b;
static shared struct {
    char c[33];
    shared int *p;
} s[10 * THREADS];
shared int *shared pointers[5 * THREADS];

int main(void)
{
    static shared [3] short local[100 * THREADS];

    for (int i = 0; i < 1000 * THREADS; i++)
        EQ(a[i], 0);
    CHECK(b == 0);
    for (int i = 0; i < 10 * THREADS; i++) {
        EQ(s[i].c[i % 33], 0);
        CHECK(s[i].p == NULL);
    }
    for (int i = 0; i < 5 * THREADS; i++)
        CHECK(!pointers[i]);
    for (int i = 0; i < 100 * THREADS; i++)
        EQ(local[i], 0);
    return finish();
}
