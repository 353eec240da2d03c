// Shared structs with bit-fields: reads and writes change nothing else (gotcha 14)
#include <upc.h>

#include "check.h"

struct bits {
    unsigned a : 3;
    int b : 5;
    unsigned long long c : 40;
    unsigned : 0;
    _Bool d : 1;
    char tail;
};
shared struct bits one;
shared struct {
    unsigned small : 3;
    unsigned long wide : 11;
    unsigned whole : 32;
} relaxed_too;
shared [2] struct bits many[4 * THREADS];
strict shared struct promoted {
    unsigned small : 3;
    unsigned long wide : 11;
    unsigned whole : 32;
} promoted;

int main(void)
{
    if (MYTHREAD == THREADS - 1) {
        one.a = 5;
        one.b = -11;
        one.c = 0x123456789aULL;
        one.d = 1;
        one.tail = 't';
        one.a++;
        one.b -= 5;
        one.c <<= 4;
        EQ(one.a++, 6);
        EQ(++one.a, 0);
        int wide = 17 - 32;
        EQ(one.b = wide, -15);
    }
    upc_barrier;
    EQ(one.a, 0);
    EQ(one.b, -15);
    EQ(one.c, 0x23456789a0ULL);
    EQ(one.d, 1);
    EQ(one.tail, 't');
    many[2 * MYTHREAD].a = (unsigned)MYTHREAD & 7;
    many[2 * MYTHREAD + 1] = (struct bits){.a = 1, .b = -1, .c = (unsigned long long)MYTHREAD};
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        EQ(many[2 * t].a, t & 7);
        EQ(many[2 * t].b, 0);
        struct bits copy = many[2 * t + 1];
        EQ(copy.a - copy.b, 2);
        EQ(copy.c, t);
        EQ((&many[2 * t + 1])->b, -1);
    }
    CHECK(promoted.small - 1 < 0 && (&promoted)->wide - 1 < 0);   /* promoted to int */
    CHECK(promoted.whole - 1 > 0);
    CHECK(relaxed_too.small - 1 < 0 && (&relaxed_too)->wide - 1 < 0 && relaxed_too.whole - 1 > 0);
    CHECK(~relaxed_too.wide < 0 && -!relaxed_too.small - relaxed_too.wide < 0);
    upc_barrier;
    if (MYTHREAD == 0) {
        unsigned nine = 9;
#ifndef __clang__   /* for clang, it is not a bit-field, in C either */
        CHECK(~relaxed_too.wide++ < 0);
#endif
        CHECK((relaxed_too.wide = nine) - 10 < 0 && (relaxed_too.wide += 1) - 11 < 0 && ++relaxed_too.wide - 12 < 0);
        CHECK(~(relaxed_too.small = nine) < 0);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        unsigned nine = 9;
        EQ(promoted.small = nine, 1);   /* truncated to the field's width */
        CHECK((promoted.small = 5) - 6 < 0 && (promoted.small += 1) - 7 < 0 && ++promoted.small - 8 < 0);
        CHECK((promoted.wide = 5) - 6 < 0 && (promoted.wide += 1) - 7 < 0 && ++promoted.wide - 8 < 0);
    }
    return finish();
}
