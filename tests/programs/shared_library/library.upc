shared [2] int in_library[4 * THREADS] = {5, 6, 7};
static shared int counter[THREADS];

int count(void)
{
    return ++counter[MYTHREAD];
}

int total(void)
{
    int sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += counter[t];
    return sum;
}
