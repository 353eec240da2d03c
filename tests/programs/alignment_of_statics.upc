// Static shared objects are aligned as their types ask, whatever stands before them (gotcha 30)
// races: no, all threads write the same value
#include <upc.h>

#include "check.h"

shared char c1;
shared double d1;
shared [3] char c2[3 * THREADS];
shared long double l1[THREADS];
shared char c3[THREADS];
shared struct {
    char c;
    shared int *p;
} s1[THREADS];
shared short h1;
shared __int128 i1;
static shared char c4;
static shared [5] long q1[5 * THREADS];
_Alignas(128) shared char a1[THREADS];
typedef int lines[16] __attribute__((aligned(64)));
typedef int line __attribute__((aligned(64)));
static shared char c5;
shared line n1;
static shared char c6;
shared [16] lines n2[THREADS];
static shared struct {
    char c;
    line n;
} n3;

#define ALIGNED(object, alignment)                                            \
    do {                                                                      \
        EQ(upc_addrfield(&object) % (alignment), 0);                          \
        if (upc_threadof(&object) == (size_t)MYTHREAD)                        \
            EQ((uintptr_t)(char *)&object % (alignment), 0);                  \
    } while (0)

int main(void)
{
    ALIGNED(d1, __alignof__(double));
    ALIGNED(l1[MYTHREAD], __alignof__(long double));
    ALIGNED(s1[MYTHREAD], __alignof__(shared int *));
    ALIGNED(s1[MYTHREAD].p, __alignof__(shared int *));
    ALIGNED(h1, 2);
    ALIGNED(i1, __alignof__(__int128));
    ALIGNED(q1[5 * MYTHREAD], __alignof__(long));
    ALIGNED(a1[MYTHREAD], 128);
    static shared line n4;
    ALIGNED(n1, 64);
    ALIGNED(n2[MYTHREAD], 64);
    ALIGNED(n3, 64);
    ALIGNED(n4, 64);
    EQ(__alignof__(n1), 64);
    c1 = c4 = c5 = c6 = 1;
    c2[3 * MYTHREAD] = c3[MYTHREAD] = 1;
    return finish();
}
