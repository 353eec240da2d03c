// The same name in another folder
#include "part.h"

static shared int numbers_here[THREADS];

int again(int thread)
{
    numbers_here[MYTHREAD] = 100;
    upc_barrier;
    return numbers_here[thread];
}
