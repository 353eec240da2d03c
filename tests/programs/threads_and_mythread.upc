// Clause: THREADS and MYTHREAD (facts 1.2)
// args: x
#include "check.h"

shared int marks[THREADS];
shared int count;

static int sum_with_variable_arguments(const char *format, ...)
{
    __builtin_va_list list;
    int sum = 0;
    __builtin_va_start(list, format);
    for (; *format; format++)
        sum += __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return sum;
}

int main(void)
{
    CHECK(THREADS >= 1);
    CHECK(MYTHREAD >= 0);
    CHECK(MYTHREAD < THREADS);
    EQ(sizeof(THREADS), sizeof(int));
    EQ(sizeof(MYTHREAD), sizeof(int));
    CHECK(_Generic(THREADS, int: 1, default: 0));
    CHECK(_Generic(MYTHREAD, int: 1, default: 0));
    EQ(sum_with_variable_arguments("..", THREADS, MYTHREAD), THREADS + MYTHREAD);
    CHECK(-MYTHREAD <= 0);

    char text[40];
    snprintf(text, sizeof text, "%d of %d", MYTHREAD, THREADS);
    CHECK(atoi(text) == MYTHREAD);

    marks[MYTHREAD] = MYTHREAD + 1;
    if (MYTHREAD == THREADS - 1)
        count = THREADS;
    upc_barrier;
    EQ(count, THREADS);
    for (int t = 0; t < THREADS; t++)
        EQ(marks[t], t + 1);
    return finish();
}
