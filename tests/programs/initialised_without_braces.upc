// Clause: a static initialiser may leave out the braces of a struct or array that begins with a pointer-to-shared
// (C11 6.7.9p20)
#include <upc.h>

#include "check.h"

shared int x[4 * THREADS];
struct leaf {
    shared int *p;
    int n[2];
};
struct leaf array[2] = {x, 1, 2, 0, 3, 4};
struct {
    int k;
    struct leaf leaf;
    int z;
} inner = {1, x, 2, 3, 9}, inner_null = {1, 0, 2, 3, 9};
struct {
    struct {
        shared int *p[2];
        int n;
    };
    int k;
} anonymous[2] = {x, 0, 1, 2, 0, x, 3, 4};
union either {
    shared int *p;
    int n;
} unions[2] = {0, x};
struct leaf designated[3] = {[1] = x, 1, 2, [0].p = x, 3, 4, [2].n[1] = 7};
shared struct leaf shared_array[2 * THREADS] = {x, 1, 2, 0, 3, 4};
struct leaf *literal = (struct leaf[]){x, 1, 2, 0, 3, 4}, *null_literal = (struct leaf[]){0, 5, 6};

static void check(const struct leaf leaf[2])
{
    CHECK(leaf[0].p == x && leaf[1].p == NULL);
    for (int i = 0; i < 4; i++)
        EQ(leaf[i / 2].n[i % 2], i + 1);
}

int main(void)
{
    static struct leaf local[2] = {x, 1, 2, 0, 3, 4};
    struct leaf automatic[2] = {x, 1, 2, 0, 3, 4};
    struct leaf copies[2] = {shared_array[0], shared_array[1]};
    check(array);
    check(local);
    check(automatic);
    check(copies);
    check(literal);
    CHECK(null_literal->p == NULL && null_literal->n[0] == 5 && null_literal->n[1] == 6);
    CHECK(inner.k == 1 && inner.leaf.p == x && inner.leaf.n[0] == 2 && inner.leaf.n[1] == 3 && inner.z == 9);
    CHECK(inner_null.leaf.p == NULL && inner_null.leaf.n[0] == 2 && inner_null.leaf.n[1] == 3 && inner_null.z == 9);
    CHECK(anonymous[0].p[0] == x && anonymous[0].p[1] == NULL && anonymous[0].n == 1 && anonymous[0].k == 2);
    CHECK(anonymous[1].p[0] == NULL && anonymous[1].p[1] == x && anonymous[1].n == 3 && anonymous[1].k == 4);
    CHECK(unions[0].p == NULL && unions[1].p == x);
    CHECK(designated[0].p == x && designated[0].n[0] == 3 && designated[0].n[1] == 4);
    CHECK(designated[1].p == x && designated[1].n[0] == 1 && designated[1].n[1] == 2);
    CHECK(designated[2].p == NULL && designated[2].n[0] == 0 && designated[2].n[1] == 7);
    return finish();
}
