static shared int numbers[THREADS];

int one(void)
{
    numbers[MYTHREAD] = 1;
    upc_barrier;
    return numbers[THREADS - 1];
}
