// threads: 1 2 3
// Structs, unions and enumerations without a tag, below typedefs of arrays and pointers, and as members (1.5, 1.9)
#include <upc.h>

#include "check.h"

typedef struct { int a; } cells[14];
shared cells by_array[3 * THREADS];

typedef struct { int a; char pad; } pairs[2];
typedef pairs squares[2];
shared [2] squares nested[THREADS];

typedef union { int whole; struct { char low; } part; } *to_union;
shared to_union pointers[THREADS];

typedef __typeof__(struct { short s; }) shorts[4];
shared [] shorts at_zero[2];

typedef enum { RED, GREEN } colours[3];
shared colours hues[THREADS];

typedef const volatile struct { double d; } doubles[2];
extern shared doubles later[];
shared doubles later[2 * THREADS];

struct {
    int x;
} privates[2];
shared __typeof__(privates) like_privates[THREADS];

struct outer {
    struct {
        int a;
        union {
            int u;
            struct { int deep[2]; } v;
        };
    } in[3];
};
shared struct outer members[2 * THREADS];

static int in_function(void)
{
    typedef struct { int a; } mine[5];
    static shared mine kept[THREADS];
    shared mine *p = kept;
    kept[MYTHREAD][4].a = 3 + MYTHREAD;
    return p[MYTHREAD][4].a + (int)upc_elemsizeof(kept) + (int)(sizeof(mine) / sizeof(int));
}

int main(void)
{
    for (int i = 0; i < 3 * THREADS; i++)
        for (int j = 0; j < 14; j++)
            if ((int)upc_threadof(&by_array[i][j]) == MYTHREAD)
                by_array[i][j].a = 100 * i + j;
    upc_barrier;
    shared cells *row = by_array;
    for (int i = 0; i < 3 * THREADS; i++)
        EQ(row[i][13].a, 100 * i + 13);
    EQ(sizeof(by_array[0]), 14 * sizeof(int));
    EQ(&by_array[1][0] - &by_array[0][0], 14);

    nested[MYTHREAD][1][1].a = MYTHREAD;
    to_union own = malloc(sizeof *own);
    own->whole = 7;
    pointers[MYTHREAD] = own;
    EQ(pointers[MYTHREAD]->whole, 7);
    if (MYTHREAD == 0)
        at_zero[1][3].s = 5;
    hues[MYTHREAD][2] = GREEN;
    like_privates[MYTHREAD][1].x = 9;
    members[MYTHREAD].in[2].a = 1;
    members[MYTHREAD].in[2].v.deep[1] = 2;
    members[MYTHREAD].in[1] = members[MYTHREAD].in[2];
    upc_barrier;
    int other = (MYTHREAD + 1) % THREADS;
    EQ(nested[other][1][1].a, other);
    EQ(at_zero[1][3].s, 5);
    EQ(hues[other][2], GREEN);
    EQ(later[other][1].d, 0);
    EQ(like_privates[other][1].x, 9);
    EQ(members[other].in[1].a + members[other].in[1].v.deep[1], 3);
    shared [] __typeof__(members[0].in[0]) *inner = &members[other].in[0];
    inner++;
    EQ(inner[1].v.deep[1], 2);
    EQ(in_function(), 3 + MYTHREAD + (int)sizeof(int) + 5);
    return finish();
}
