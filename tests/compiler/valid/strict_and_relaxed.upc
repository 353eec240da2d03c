// Conversions between strict and relaxed draw no message (facts 1.9)
#include <upc_strict.h>
strict shared int s;
relaxed shared int r;
shared int p;
strict shared int *sp = &r;
relaxed shared int *rp = &s;
shared int *pp = &s;

int f(strict shared int *x, relaxed shared int *y)
{
#pragma upc relaxed
    sp = rp;
    rp = sp;
    pp = sp;
    sp = pp;
    return x == y ? *x : *pp;
}
#pragma upc strict

int g(void)
{
    {
#pragma upc relaxed
        s++;
    }
    return f(&r, &s) + f(pp, pp);
}
