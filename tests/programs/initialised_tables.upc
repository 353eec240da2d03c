// Long tables of pointers to elements of shared arrays and to shared objects, of all layouts
#include <upc.h>

#include "check.h"

#define FOUR(ARRAY, FIRST) &ARRAY[FIRST], &ARRAY[FIRST + 1], &(ARRAY[FIRST + 2]), (&ARRAY[(FIRST + 3)])
#define TWENTY(ARRAY) FOUR(ARRAY, 0), FOUR(ARRAY, 4), FOUR(ARRAY, 8), FOUR(ARRAY, 12), FOUR(ARRAY, 16)
#define ROW(I) {I, &a[I]}, {I + 1, &a[I + 1]}, {I + 2, &a[I + 2]}, {I + 3, &a[I + 3]}

struct node {
    char c;
    double d;
};
shared int a[20 * THREADS], x, y;
shared [3] short b[30 * THREADS];
shared [] double c[20];
shared [7] struct node nodes[21 * THREADS];

shared int *of_a[] = {TWENTY(a)};
shared [3] short *of_b[20] = {TWENTY(b)};
shared [] double *of_c[] = {TWENTY(c)};
shared [7] struct node *const of_nodes[] = {TWENTY(nodes), NULL, &nodes[1]};
shared void *of_any[] = {TWENTY(b), &x, TWENTY(c), 1 ? &y : NULL};
shared int *of_objects[] = {&x, &y, &x, &y, &x, &y, &x, &y, &x, &y, &x, &y, &x, &y, &x, &y, &x, &y, &x, &y};
struct {
    int n;
    shared int *p;
} pairs[] = {ROW(0), ROW(4), ROW(8), ROW(12), ROW(16)};
shared [3] short *shared of_shared[20 * THREADS] = {TWENTY(b)};

static void check_locals(void)
{
    typedef struct {
        long l[3];
    } local;
    enum { FIRST = 2 };
    static shared [4] local own[24 * THREADS];
    static shared [4] local *of_own[] = {TWENTY(own), &own[FIRST]};
    for (int i = 0; i < 21; i++) {
        int at = i < 20 ? i : FIRST;
        CHECK(of_own[i] == &own[at]);
        EQ(upc_phaseof(of_own[i]), at % 4);
    }
}

int main(void)
{
    for (int i = 0; i < 20; i++) {
        CHECK(of_a[i] == &a[i]);
        CHECK(of_b[i] == &b[i]);
        EQ(upc_phaseof(of_b[i]), i % 3);
        CHECK(of_c[i] == &c[i]);
        CHECK(of_nodes[i] == &nodes[i]);
        EQ(upc_phaseof(of_nodes[i]), i % 7);
        CHECK(of_any[i] == &b[i]);
        EQ(upc_phaseof(of_any[i]), i % 3);
        CHECK(of_any[21 + i] == &c[i]);
        CHECK(of_objects[i] == (i % 2 ? &y : &x));
        EQ(pairs[i].n, i);
        CHECK(pairs[i].p == &a[i]);
        CHECK(of_shared[i] == &b[i]);
        EQ(upc_phaseof(of_shared[i]), i % 3);
    }
    CHECK(of_any[20] == &x && of_any[41] == &y);
    CHECK(of_nodes[20] == NULL && of_nodes[21] == &nodes[1]);
    check_locals();
    return finish();
}
