static shared int numbers[THREADS];

int two(void)
{
    numbers[MYTHREAD] = 20;
    upc_barrier;
    return numbers[THREADS - 1];
}
