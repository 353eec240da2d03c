// Pointers-to-shared through ... and through functions without a prototype (gotcha 19)
// flags: -w
#include <stdarg.h>
#include <upc.h>

#include "check.h"

shared [3] int a[9 * THREADS];

static long sum(int count, ...)
{
    va_list list;
    long total = 0;

    va_start(list, count);
    for (int i = 0; i < count; i++) {
        int before = va_arg(list, int);
        shared [3] int *p = va_arg(list, shared [3] int *);
        double after = va_arg(list, double);
        total += before + (p - a) + (long)after;
        EQ(upc_phaseof(p), (p - a) % 3);
    }
    shared void *last = va_arg(list, shared void *);
    CHECK(last == NULL);
    va_end(list);
    return total;
}

static int unprototyped();

static int old_style(before, p, after)
    int before;
    shared [3] int *p;
    double after;
{
    return before + (int)(p - a) + (int)after;
}

int main(void)
{
    EQ(sum(1, 1, &a[5], 2.0, (shared void *)NULL), 8);
    EQ(sum(5, 1, &a[1], 1.0, 2, &a[2], 2.0, 3, &a[3], 3.0, 4, a + 4, 4.0, 5, &a[5], 5.0, (shared void *)0), 45);
    EQ(unprototyped(&a[7], 1), 8);
    EQ(old_style(1, &a[2], 3.0), 6);
    return finish();
}

static int unprototyped(shared [3] int *p, int more)
{
    EQ(upc_phaseof(p), (p - a) % 3);
    return (int)(p - a) + more;
}
