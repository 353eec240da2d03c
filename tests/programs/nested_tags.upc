// A struct with a tag and without a declarator inside of another declares a type, no member (C11 6.7.2.1p2)
// flags: -w
#include <upc.h>

#include "check.h"

shared int x[2 * THREADS];
struct list {
    struct item {
        int key;
        shared int *where;
    };
    struct later;
    union {
        int n, m;
    };
    shared int *home;
} l = {3, x + 1};
struct small {
    struct big {
        double d[9];
    };
    char c[3];
};
shared [sizeof(struct small)] int blocks[3 * THREADS];

int main(void)
{
    struct item i = {1, &x[1]};
    CHECK(l.home == x + 1 && l.m == 3 && i.where == l.home);
    EQ(upc_blocksizeof(blocks), 3);
    EQ(sizeof(struct small), 3);
    return finish();
}
