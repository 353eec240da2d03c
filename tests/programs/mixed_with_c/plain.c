#include <math.h>
#include <stdlib.h>

/* These words are nothing special in C. */
int shared = 3, relaxed = 4, strict = 5;

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

void sort(int *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
}

double apply(double (*f)(double), double x)
{
    return f(x) + sqrt(x) + shared + relaxed + strict;
}
