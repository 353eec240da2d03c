// Shared lvalues in every place where C takes a value
#include <upc.h>

#include "check.h"

shared int a[2 * THREADS];
shared unsigned char text[16 * THREADS];
struct pair {
    int x, y;
};
static int calls;

static int twice(int x)
{
    calls++;
    return 2 * x;
}

static int first(struct pair p)
{
    return p.x;
}

int main(void)
{
    if (MYTHREAD == 0) {
        a[0] = 3;
        a[1] = 4;
        for (int i = 0; i < 16; i++)
            text[i] = (unsigned char)"a test of bytes"[i];
    }
    upc_barrier;
    int array[] = {a[0], a[1], a[0] * a[1]};
    struct pair pair = {.x = a[0], .y = a[1]};
    int matrix[2][2] = {{a[0], 1}, {a[1]}};
    EQ(array[a[0] - 1], 12);
    EQ(pair.x * 10 + pair.y, 34);
    EQ(matrix[1][0], 4);
    EQ(twice(a[0]), 6);
    EQ(twice(a[0] + twice(a[1])), 22);
    EQ(first((struct pair){a[1], a[0]}), 4);
    int sum = 0;
    for (int i = a[0]; i < a[1] * 2; i += a[0] - 2)
        sum += i;
    EQ(sum, 25);
    while (a[0] != 3)
        CHECK(0);
    switch (a[1]) {
    case 4:
        break;
    default:
        CHECK(0);
    }
    EQ(a[a[0] - 3], 3);
    EQ(a[0] == 3 ? a[1] : a[0], 4);
    EQ(((void)a[0], a[1]), 4);
    EQ(!a[0] + -a[1] + ~a[0], 0 - 4 - 4);
    CHECK(a[0] && a[1] && !(a[0] > a[1]));
    CHECK((char)a[0] == 3 && (double)a[1] / 8 == 0.5);
    EQ(sizeof(a[0]) * 2, sizeof array[0] * 2);
    char vla[a[1]];
    EQ(sizeof vla, 4);
    char copy[17];
    for (int i = 0; (copy[i] = (char)text[i]) != 0; i++)
        ;
    CHECK(strcmp(copy, "a test of bytes") == 0);
    static int table[5];
    table[a[0]] = a[1];
    EQ(table[3], 4);
    table[a[0]]++;
    int *p = &table[a[0]];
    EQ(*p + a[0], 8);
    (void)a[0];
    return a[0] == 3 ? finish() : 1;
}
