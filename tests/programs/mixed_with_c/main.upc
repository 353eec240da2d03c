#include <upc.h>

#include "../check.h"

void sort(int *values, int n);
double apply(double (*f)(double), double x);
double callback(double x);

shared [5] int numbers[5 * THREADS];

int main(void)
{
    for (int i = 0; i < 5; i++)
        numbers[5 * MYTHREAD + i] = 10 - i;
    sort((int *)&numbers[5 * MYTHREAD], 5);
    upc_barrier;
    for (int i = 0; i < 5 * THREADS; i++)
        EQ(numbers[i], 6 + i % 5);
    EQ(apply(callback, 4), 2 * 4 + THREADS + 2 + 12);
    return finish();
}
