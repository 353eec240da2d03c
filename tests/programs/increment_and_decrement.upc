// Clause: ++, --, += and -= on pointers-to-shared, wherever the pointer lives (facts 1.9, gotcha 15)
#include <upc.h>

#include "check.h"

shared [2] int a[20 * THREADS];
shared [2] int *global;
static shared [2] int *file_static;
shared [2] int *shared in_shared;
struct holder {
    int before;
    shared [2] int *p;
    int after;
};
shared struct holder shared_holder[THREADS];
shared [2] int *shared [3] many[3 * THREADS];

#define TEST(POINTER)                            \
    do {                                         \
        POINTER = &a[5];                         \
        CHECK(POINTER++ == &a[5]);               \
        CHECK(POINTER == &a[6]);                 \
        CHECK(++POINTER == &a[7]);               \
        CHECK(POINTER-- == &a[7]);               \
        CHECK(--POINTER == &a[5]);               \
        CHECK((POINTER += 9) == &a[14]);         \
        CHECK((POINTER -= 10) == &a[4]);         \
        EQ(upc_phaseof(POINTER), 0);             \
        EQ(*POINTER++, 4);                       \
        EQ(*++POINTER, 6);                       \
        EQ(*POINTER--, 6);                       \
        EQ(*--POINTER, 4);                       \
        EQ((*POINTER)++, 4);                     \
        EQ(*POINTER, 5);                         \
        EQ(--*POINTER, 4);                       \
        POINTER = POINTER + 1;                   \
        EQ(POINTER - a, 5);                      \
    } while (0)

int main(void)
{
    shared [2] int *local;
    struct holder holder = {1, NULL, 2};
    shared [2] int *array[3];
    shared [2] int **to_local = &local;
    int evaluations = 0;

    if (MYTHREAD == 0)
        for (int i = 0; i < 20 * THREADS; i++)
            a[i] = i;
    upc_barrier;
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD) {
            TEST(local);
            TEST(global);
            TEST(file_static);
            TEST(in_shared);
            TEST(holder.p);
            TEST(array[1]);
            TEST((*to_local));
            TEST(shared_holder[THREADS - 1].p);
            TEST((&shared_holder[0])->p);
            TEST(many[3 * THREADS - 1]);
            array[0] = a;
            array[evaluations++]++;
            EQ(evaluations, 1);
            CHECK(array[0] == &a[1]);
            many[evaluations++] = a;
            many[--evaluations] += 3;
            EQ(evaluations, 1);
            CHECK(many[1] == &a[3]);
        }
        upc_barrier;
    }
    EQ(holder.before + holder.after, 3);
    EQ(shared_holder[0].before + shared_holder[0].after, 0);
    return finish();
}
