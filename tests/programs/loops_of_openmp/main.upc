#include <upc_relaxed.h>

#include "../check.h"

#define N 100

shared [N] double c[N * THREADS];

int main(void)
{
#pragma omp parallel for num_threads(2)
    upc_forall (int i = 0; i < N * THREADS; i++; &c[i])
        c[i] += i;
#pragma omp parallel num_threads(2)
#pragma omp for
    upc_forall (int i = 0; i < N * THREADS; i++; i / N)
        c[i] += 1;
#pragma omp parallel num_threads(2)
#pragma omp single
    upc_forall (int i = 0; i < N * THREADS; i++; &c[i])
        c[i] += 1;
    upc_barrier;
    for (int i = 0; i < N * THREADS; i++)
        EQ(c[i], i + 2);
    return finish();
}
