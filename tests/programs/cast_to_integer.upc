// Pointers-to-shared convert to integers (facts 1.9, gotcha 21)
// flags: -w
#include <stdbool.h>
#include <upc.h>

#include "check.h"

shared [2] int a[4 * THREADS];

int main(void)
{
    shared [2] int *p = &a[1], *q = &a[1], *null = NULL;

    CHECK((uintptr_t)p == (uintptr_t)q);
    CHECK((uintptr_t)p != 0);
    CHECK((uintptr_t)null == 0);
    CHECK((unsigned long)&a[0] != (unsigned long)&a[1]);
    CHECK((int)(long)p == (int)p);
    CHECK((long long)(shared void *)p == (long long)q);
    CHECK((bool)p && !(bool)null);
    CHECK((size_t)null == 0);
    char text[40];
    snprintf(text, sizeof text, "%lx", (unsigned long)p);
    CHECK(strlen(text) > 1);
    return finish();
}
